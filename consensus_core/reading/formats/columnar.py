"""Parquet and Feather: sizes and types are judged by the schema before any data is read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.ipc
import pyarrow.parquet

from ...errors import InputError
from ..choices import Choices, missing_texts
from ..coded import ArrowTexts, Coded
from ..column import classify
from ..file import File
from ..limits import OBJECT_CELLS, allowed_growth, bomb, check_cells, check_columns, check_size
from ..progress import tell
from ..table import Table, doubtful, refuse_endless_texts
from ..wording import fault, shown

_AGAIN = "write it again, or send the whole file"
_MOST_GROUPS = 10_000  # row groups of a Parquet file
_KNOWN = (
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_null,
    pa.types.is_temporal,
    pa.types.is_string,
    pa.types.is_large_string,
)


def read_columnar(source: File, form: str, choices: Choices, max_bytes: int, max_cells: int) -> Table:
    kind = "Parquet" if form == "parquet" else "Feather"
    try:
        found = (_parquet if form == "parquet" else _feather)(source, max_bytes, max_cells)
    except InputError:
        raise
    except Exception:  # Arrow raises many kinds for damaged files
        raise fault(source.name, f"this {kind} file is damaged or cut off", _AGAIN) from None
    names = [str(name) for name in found.column_names]
    twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise fault(source.name, f"two columns are called {shown(twice)}", "give every column a name of its own")
    names = [name.strip() or f"column {j + 1}" for j, name in enumerate(names)]
    missing = missing_texts(choices)
    columns = tuple(classify(name, _cells(source.name, found.column(j)), missing) for j, name in enumerate(names))
    letters = {(i, j): columns[j].cell(i) for i, j in doubtful(columns)}
    table = Table(source.name, form, columns, found.num_rows, replace(choices), letters=letters)
    refuse_endless_texts(source.name, columns, table.row_of)
    return table


def _parquet(source: File, max_bytes, max_cells) -> pa.Table:
    schema = pyarrow.parquet.read_schema(pa.BufferReader(source.data))
    check_columns(source.name, len(schema))
    texts = [field.name for field in schema if _is_text(field.type)]
    # texts stay as codes: a long one repeated a million times must not be written out a million times
    file = pyarrow.parquet.ParquetFile(pa.BufferReader(source.data), read_dictionary=texts)
    meta = file.metadata
    check_size(source.name, meta.num_rows, meta.num_columns, max_cells)
    _refuse_types(source.name, file.schema_arrow)
    limit = allowed_growth(len(source.data), max_bytes)
    groups = range(min(meta.num_row_groups, _MOST_GROUPS + 1))
    if len(groups) > _MOST_GROUPS or sum(meta.row_group(g).total_byte_size for g in groups) > limit:
        raise bomb(source.name, limit)
    tables, letters = [], 0
    for group in groups:
        tables.append(file.read_row_group(group, use_threads=True))
        tell("reading the columns", (group + 1) / len(groups))
        letters += sum(
            chunk.dictionary.nbytes
            for column in tables[-1].columns
            if pa.types.is_dictionary(column.type)
            for chunk in column.chunks
        )
        if letters > limit:
            raise bomb(source.name, limit)
    found = pa.concat_tables(tables) if tables else file.read()
    found.validate(full=True)
    return found


def _is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _feather(source: File, max_bytes, max_cells) -> pa.Table:
    limit = allowed_growth(len(source.data), max_bytes)
    reader = pyarrow.ipc.open_file(pa.BufferReader(source.data))
    _refuse_types(source.name, reader.schema)
    # said by the heads of its batches, before one is unpacked
    said = pyarrow.dataset.IpcFileFormat().make_fragment(pa.BufferReader(source.data)).count_rows()
    check_size(source.name, said, max(1, len(reader.schema)), max_cells)
    batches, total, rows = [], 0, 0
    for number in range(reader.num_record_batches):
        batch = reader.get_batch(number)
        total, rows = total + batch.nbytes, rows + batch.num_rows
        if total > limit:
            raise bomb(source.name, limit)
        check_size(source.name, rows, len(reader.schema), max_cells)
        batches.append(batch)
    found = pa.Table.from_batches(batches, schema=reader.schema)
    found.validate(full=True)
    return found


def _refuse_types(file: str, schema: pa.Schema) -> None:
    for field in schema:
        kind = field.type
        inner = kind.value_type if pa.types.is_dictionary(kind) else kind
        if pa.types.is_binary(inner) or pa.types.is_large_binary(inner) or pa.types.is_fixed_size_binary(inner):
            raise fault(
                file, f"column {shown(field.name)} holds raw bytes (perhaps pickles)", "write plain numbers or texts"
            )
        if pa.types.is_nested(inner):
            raise fault(
                file,
                f"column {shown(field.name)} holds a {shown(kind, 60).strip(chr(39))} in every cell",
                "write one number or text per cell",
            )
        if isinstance(kind, pa.BaseExtensionType) or not any(known(inner) for known in _KNOWN):
            raise fault(file, f"column {shown(field.name)} has the type {shown(kind)}", "write plain numbers or texts")


def _cells(file: str, column: pa.ChunkedArray):
    kind = column.type
    if pa.types.is_boolean(kind):
        return _boolean(column)
    if pa.types.is_decimal(kind) or pa.types.is_float16(kind):
        column, kind = column.cast(pa.float64()), pa.float64()
    if pa.types.is_floating(kind):
        return column.to_numpy(zero_copy_only=False)
    if pa.types.is_integer(kind):
        if column.null_count:
            exact = column.cast(pa.float64(), safe=False)
            return exact.to_numpy(zero_copy_only=False)
        return column.to_numpy(zero_copy_only=False)
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return ArrowTexts(column)
    if pa.types.is_dictionary(kind):
        return _categories(column)
    check_cells(file, len(column), OBJECT_CELLS)
    return Coded.of(column.to_pylist())


def _categories(column: pa.ChunkedArray) -> Coded:
    if column.num_chunks == 0:
        return Coded.of([])
    found = column.unify_dictionaries()
    codes = [part.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False) for part in found.chunks]
    return Coded(np.concatenate(codes), found.chunk(0).dictionary.to_pylist())


def _boolean(column):
    if column.null_count:
        return column.cast(pa.int8()).cast(pa.float64()).to_numpy(zero_copy_only=False)
    return column.to_numpy(zero_copy_only=False).astype(bool)
