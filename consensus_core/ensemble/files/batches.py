"""A piece, read some rows at a time."""

from __future__ import annotations

import csv as plain_csv
import re
from collections.abc import Iterator, Sequence

from ...errors import InputError
from .pieces import Files, Piece, opened

BATCH = 1 << 19  # rows
BLOCK = 16 << 20  # bytes of a CSV file


def batches(piece: Piece, files: Files, with_ids: bool = False) -> Iterator[tuple[int, object]]:
    """(rows of the file before it, Arrow record batch of base clusterings, and of ids)."""
    if files.models is None:
        yield from some_of(piece, files.columns, files.ids if with_ids else None)
        return
    import pyarrow as pa

    for at, batch in some_of(piece, files.models.features, files.ids if with_ids else None):
        labels = [pa.array(column) for column in files.models.labels(batch, piece.name, at)]
        named = {files.ids: batch.column(files.ids)} if with_ids and files.ids else {}
        yield at, pa.record_batch(dict(zip(files.columns, labels, strict=True)) | named)


def some_of(piece: Piece, columns: Sequence[str], ids: str | None = None) -> Iterator[tuple[int, object]]:
    """Some columns of a file, some rows at a time."""
    import pyarrow as pa

    names = [*columns, *([ids] if ids else [])]
    at = piece.first
    try:
        for batch in _csv(piece, names) if piece.kind == "csv" else _parquet(piece, names):
            yield at, batch
            at += batch.num_rows
    except (pa.ArrowException, UnicodeDecodeError) as fault:
        raise InputError(_sentence(piece, at, fault)) from None
    except OSError as fault:
        raise InputError(f"{piece.name} cannot be read any further, behind row {at:,}: {fault}") from None


def _parquet(piece: Piece, names: list[str]):
    import pyarrow as pa
    from pyarrow import parquet

    schema = parquet.read_schema(piece.path)
    texts = [one.name for one in schema if pa.types.is_string(one.type) or pa.types.is_large_string(one.type)]
    with parquet.ParquetFile(piece.path, read_dictionary=[name for name in texts if name in names]) as file:
        yield from file.iter_batches(BATCH, row_groups=list(piece.groups), columns=names, use_threads=False)


def _csv(piece: Piece, names: list[str]):
    import pyarrow as pa
    from pyarrow import csv

    kinds = {name: pa.dictionary(pa.int32(), pa.string()) for name in names}
    convert = csv.ConvertOptions(include_columns=names, column_types=kinds, strings_can_be_null=False)
    options = csv.ReadOptions(block_size=BLOCK, use_threads=False)
    with csv.open_csv(piece.path, options, convert_options=convert) as file:
        for batch in file:
            if batch.num_rows:
                yield batch


def _sentence(piece: Piece, at: int, fault: Exception) -> str:
    text = " ".join(str(fault).split())
    if found := re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", text):
        row, wanted, got = (int(x) for x in found.groups())
        return (f"{piece.name}, line {row:,}: {got} cells, where the header has {wanted}. Mend that line; "
                "what was counted before it is not used.")  # fmt: skip
    if found := re.search(r"Expected (\d+) columns, got (\d+)", text):
        wanted, got = found.groups()
        line = _line_with(piece, int(wanted))
        return f"{piece.name}, {line}: {got} cells, where the header has {wanted}. Mend that line."
    return f"{piece.name}, behind row {at:,}: what stands there cannot be read ({text[:160]})."


def _line_with(piece: Piece, wanted: int) -> str:
    """The first line that has another number of cells, by reading once more, slowly."""
    with opened(piece.path, errors="replace") as file:
        reader = plain_csv.reader(file)
        for row in reader:
            if row and len(row) != wanted:
                return f"line {reader.line_num:,}"
    return "a line"
