# SPDX-License-Identifier: MIT
"""The functions of section 9 of stamma.h for tests in Python, through ctypes. Streams are RecordBatchReaders of
pyarrow."""
import ctypes
import os
import subprocess
import tempfile

import pyarrow

TABLES = {"games": 0, "plies": 1, "positions": 2}
STOP = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)
PROGRESS = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("executor", ctypes.c_void_p), ("memory", ctypes.c_uint64),
                ("context", ctypes.c_void_p), ("progress", PROGRESS), ("stop", STOP), ("table", ctypes.c_int), ("columns", ctypes.POINTER(Text)), ("column_count", ctypes.c_size_t),
                ("query", ctypes.c_void_p), ("first_game", ctypes.c_uint64), ("last_game", ctypes.c_uint64),
                ("batch_rows", ctypes.c_uint32), ("unordered", ctypes.c_bool), ("plain_texts", ctypes.c_bool),
                ("skip_plies", ctypes.c_uint32), ("sample", ctypes.c_uint32), ("shuffle", ctypes.c_uint32),
                ("seed", ctypes.c_uint64)]


class Bytes(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("memory", ctypes.c_char_p), ("context", ctypes.c_void_p),
                ("read_at", ctypes.c_void_p)]


class Fault(ctypes.Structure):
    _fields_ = [("column", ctypes.c_size_t), ("message", ctypes.c_char * 200)]


class Column(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("meaning", ctypes.c_char_p),
                ("is_default", ctypes.c_bool), ("reserved", ctypes.c_uint64 * 2)]


class Stream(ctypes.Structure):
    _fields_ = [("functions", ctypes.c_void_p * 4), ("private_data", ctypes.c_void_p)]


TAKE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Column))
library = ctypes.CDLL(os.path.join(os.environ.get("BUILD", "build"), "libstamma.so"))
library.stamma_error_text.restype = ctypes.c_char_p
library.stamma_query_close.restype = None


class StammaError(Exception):
    def __init__(self, code, message=""):
        super().__init__(library.stamma_error_text(code).decode() + (": " + message if message else ""))
        self.code = code


def parse(query):
    """Returns a query, which is never closed."""
    if query is None:
        return None
    pointer, text = ctypes.c_void_p(), query.encode()
    error = library.stamma_query_parse(Text(text, len(text)), None, None, ctypes.byref(pointer))
    if error:
        raise StammaError(error, query)
    return pointer


def open_archive(data):
    """Returns a handle of an archive in bytes, which must live as long as the handle. The handle is never closed."""
    handle, source = ctypes.c_void_p(), Bytes(len(data), data)
    error = library.stamma_archive_open(ctypes.byref(source), None, ctypes.byref(handle))
    if error:
        raise StammaError(error)
    return handle


def make_options(table="games", columns=None, query=None, **more):
    names = [name.encode() if isinstance(name, str) else name for name in columns or []]
    texts = (Text * (len(names) + 1))(*[Text(name, len(name)) for name in names])
    options = Options(size=ctypes.sizeof(Options), table=TABLES[table], columns=texts, column_count=len(names),
                      query=parse(query), **more)
    return options


def open_stream(archive, table="games", columns=None, **more):
    """Returns a reader of record batches. `archive` is bytes, which must live as long as the reader."""
    options, fault, stream = make_options(table, columns, **more), Fault(), Stream()
    error = library.stamma_columns_open(open_archive(archive), ctypes.byref(options), ctypes.byref(fault),
                                        ctypes.byref(stream))
    if error:
        raise StammaError(error, fault.message.decode(errors="replace"))
    reader = pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))
    return reader


def read(archive, table="games", columns=None, **more):
    """Returns a table, whose batches have been validated completely."""
    reader = open_stream(archive, table, columns, **more)
    batches = []
    for batch in reader:
        batch.validate(full=True)
        batches.append(batch)
    return pyarrow.Table.from_batches(batches, reader.schema)


def list_columns(archive, table="games", **more):
    """Returns the names of the columns with type, meaning and whether they are default."""
    found = {}

    def take(_, column):
        c = column.contents
        found[c.name.decode()] = (c.type.decode(), c.meaning.decode(), c.is_default)
    options = make_options(table, **more)
    error = library.stamma_columns_list(open_archive(archive) if archive else None, ctypes.byref(options), TAKE(take),
                                        None)
    if error:
        raise StammaError(error)
    return found


def pack(pgn, level=1):
    """Returns the bytes of an archive."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "games.stamma")
        subprocess.run([os.path.join(os.environ.get("BUILD", "build"), "stamma"), "pack", "-q", "-%d" % level, "-o", name, "-"],
                       input=pgn, check=True)
        with open(name, "rb") as file:
            return file.read()
