# SPDX-License-Identifier: MIT
"""NumPy arrays of the columns of a batch."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy

_TYPES = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "f": "f4", "g": "f8"}

#: An Arrow array as the extension module returns it: name, format, length, validity, buffers, children, dictionary.
_Raw = Tuple[str, str, int, Optional[bytes], Tuple[Any, ...], List[Any], Any]


def _objects(values: List[Any]) -> Any:
    """Returns an array of objects, also if these are arrays."""
    array = numpy.empty(len(values), object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _bits(data: bytes, length: int) -> Any:
    return numpy.unpackbits(numpy.frombuffer(data, "u1"), count=length, bitorder="little").astype(bool)


def _ranges(offsets: bytes) -> List[Tuple[int, int]]:
    ends = numpy.frombuffer(offsets, "i4").tolist()
    return list(zip(ends, ends[1:]))


def _texts(form: str, length: int, buffers: Tuple[Any, ...]) -> Any:
    data = buffers[1] or b""
    pieces = [data[first:last] for first, last in _ranges(buffers[0])] if length else []
    return _objects([piece.decode() for piece in pieces] if form == "u" else pieces)


def _named(dictionary: _Raw, codes: Any, valid: Any) -> Any:
    texts = numpy.append(_array(dictionary)[0], None)
    return texts[codes if valid is None else numpy.where(valid, codes, len(texts) - 1)]


def _structs(length: int, children: List[_Raw]) -> Any:
    members = [(child[0], _array(child)[0]) for child in children]
    array = numpy.empty(length, [(name, values.dtype) for name, values in members])
    for name, values in members:
        array[name] = values
    return array


def _array(raw: _Raw) -> Tuple[Any, Any]:
    """Returns an array, and an array of bools: True for each value that is present; None if all values are present."""
    _, form, length, validity, buffers, children, dictionary = raw
    valid = None if validity is None else _bits(validity, length)
    data = buffers[0] or b"" if buffers else b""
    if dictionary is not None:
        values = _named(dictionary, numpy.frombuffer(data, "i4"), valid)
    elif form in _TYPES:
        values = numpy.frombuffer(data, _TYPES[form])
    elif form == "b":
        values = _bits(data, length)
    elif form == "tdD":
        values = numpy.frombuffer(data, "i4").astype("datetime64[D]")
        values[[] if valid is None else ~valid] = "NaT"
    elif form.startswith("ts"):
        values = numpy.frombuffer(data, "datetime64[us]").copy()
        values[[] if valid is None else ~valid] = "NaT"
    elif form in ("u", "z"):
        values = _texts(form, length, buffers)
    elif form.startswith("+w:"):
        elements, _ = _array(children[0])
        values = elements.reshape(length, int(form[3:]))
    elif form == "+s":
        values = _structs(length, children)
    else:
        return _lists(data, length, children[0])
    return values, valid


def _lists(offsets: bytes, length: int, child: _Raw) -> Tuple[Any, Any]:
    """Returns the rows of a list, and which of their elements are present. No row of the library's lists is missing."""
    elements, present = _array(child)
    ranges = _ranges(offsets) if length else []
    values = _objects([elements[first:last] for first, last in ranges])
    return values, None if present is None else _objects([present[first:last] for first, last in ranges])


def columns_of_batch(batch: _Raw) -> Dict[str, Any]:
    """Returns the columns by name. The array of bools of a column has the name of the column followed by "_valid"."""
    columns: Dict[str, Any] = {}
    for child in batch[5]:
        values, valid = _array(child)
        columns[child[0]] = values
        if valid is not None:
            columns[child[0] + "_valid"] = valid
    return columns
