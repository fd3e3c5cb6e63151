"""Parquet and Feather: sizes and types are judged by the schema before any data is read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.ipc
import pyarrow.parquet

from ..errors import InputError
from .cells import ArrowTexts, Coded
from .choices import Choices
from .sentences import fault, shown
from .source import Source, allowed_growth, bomb
from .table import Table, check_size

_AGAIN = "write it again, or send the whole file"


def read_columnar(source: Source, form: str, choices: Choices, max_bytes: int, max_cells: int) -> Table:
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
    columns = [(name, _cells(source.name, name, found.column(j))) for j, name in enumerate(names)]
    return Table(source.name, columns, found.num_rows, replace(choices), has_header=True)


def _parquet(source: Source, max_bytes, max_cells) -> pa.Table:
    schema = pyarrow.parquet.read_schema(pa.BufferReader(source.data))
    texts = [field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
    # texts stay as codes: a long one repeated a million times must not be written out a million times
    file = pyarrow.parquet.ParquetFile(pa.BufferReader(source.data), read_dictionary=texts)
    meta = file.metadata
    check_size(source.name, meta.num_rows, meta.num_columns, max_cells)
    _refuse_types(source.name, file.schema_arrow)
    limit = allowed_growth(len(source.data), max_bytes)
    if sum(meta.row_group(g).total_byte_size for g in range(meta.num_row_groups)) > limit:
        raise bomb(source.name, limit)
    found = file.read(use_threads=True)
    found.validate(full=True)
    return found


def _feather(source: Source, max_bytes, max_cells) -> pa.Table:
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
        if isinstance(kind, pa.BaseExtensionType):
            raise fault(file, f"column {shown(field.name)} has the type {shown(kind)}", "write plain numbers or texts")
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
            raise fault(
                file, f"column {shown(field.name)} holds raw bytes (perhaps pickles)", "write plain numbers or texts"
            )
        if pa.types.is_nested(kind):
            raise fault(
                file,
                f"column {shown(field.name)} holds a {kind} in every cell",
                "write one number or text per cell",
            )


def _cells(file: str, name: str, column: pa.ChunkedArray):
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
