"""Positions as records: what lies at an address, in compiled code and with the JIT off alike."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import carray, njit, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from facedown.core.jit import JIT

if JIT:

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def _pointer(typingctx: Any, address: Any) -> Any:
        """The address as a void pointer, which `carray` takes."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], cgutils.voidptr_t)

        return types.voidptr(address), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def _place(typingctx: Any, record: Any) -> Any:
        """Where a record lies."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ptrtoint(args[0], context.get_value_type(types.intp))

        return types.intp(record), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def view(typingctx: Any, address: Any, dtype: Any) -> Any:
        """The record of `dtype` that lies at `address`; writing to its fields writes there."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(dtype.dtype))

        return dtype.dtype(types.intp, dtype), codegen

    @njit  # type: ignore[untyped-decorator]
    def array(address: int, n: int, dtype: Any) -> Any:
        """The `n` items of `dtype` that lie at `address`."""
        return carray(_pointer(address), (n,), dtype)

else:

    def view(address: int, dtype: Any) -> Any:
        """The record of `dtype` that lies at `address`; writing to its fields writes there."""
        return array(address, 1, dtype)[0]

    def array(address: int, n: int, dtype: Any) -> Any:
        """The `n` items of `dtype` that lie at `address`."""
        dtype = np.dtype(dtype)
        if n <= 0 or address == 0:
            return np.empty(0, dtype)
        block = (ctypes.c_char * (int(n) * dtype.itemsize)).from_address(int(address))
        return np.frombuffer(block, dtype)


def address_of(block: Any) -> int:
    """Where an array's or an opened record's data begin; the caller keeps them alive.

    Compiled code asks it of records alone.
    """
    return int(np.asarray(block).ctypes.data)


if JIT:

    @overload(address_of)  # type: ignore[untyped-decorator]
    def _address_of(block: Any) -> Any:
        def found(block: Any) -> Any:  # Numba wants the same annotations
            return _place(block)

        return found if isinstance(block, types.Record) else None


def to_text(record: Any) -> str:
    """A record as one line of `field=values` that `from_text` reads back.

    >>> kind = np.dtype([("cards", np.int8, 2), ("n", np.int8)])
    >>> to_text(np.array([((2, -1), 1)], kind)[0])
    'cards=2,-1 n=1'
    """
    fields = record.dtype.names
    return " ".join(
        f"{name}={','.join(str(x) for x in np.atleast_1d(record[name]).ravel())}" for name in fields
    )


def from_text(text: str, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The record that `to_text` wrote, as an array of one; ValueError says what does not fit.

    >>> kind = np.dtype([("cards", np.int8, 2), ("n", np.int8)])
    >>> to_text(from_text("cards=2,-1 n=1", kind)[0])
    'cards=2,-1 n=1'
    """
    record = np.zeros(1, dtype)
    given = dict(part.partition("=")[::2] for part in text.split())
    if list(given) != list(dtype.names or ()):
        raise ValueError(f"fields {', '.join(given)} given, {', '.join(dtype.names or ())} wanted")
    for name, values in given.items():
        shape, base = dtype[name].shape, dtype[name].base
        parsed = np.array(values.split(","))
        if parsed.size != int(np.prod(shape)):
            raise ValueError(f"{name} has {parsed.size} values, {int(np.prod(shape))} wanted")
        record[name] = parsed.astype(base).reshape(shape)
    return record


Record = np.ndarray[Any, Any]
_ALIGN = 64  # a position begins on a cache line, so that fields of any kind are aligned


def aligned(rows: int, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Zeroed bytes [rows, stride], every row of at least `size` bytes on its own cache line."""
    stride = max(1, -(-size // _ALIGN)) * _ALIGN
    block = np.zeros(rows * stride + _ALIGN, np.uint8)
    shift = -address_of(block) % _ALIGN
    return block[shift : shift + rows * stride].reshape(rows, stride)


def lined_up(n: int, kind: Any) -> np.ndarray[Any, Any]:
    """`n` zeroed items that begin on a cache line: where arrays lie must not decide their speed."""
    size = n * np.dtype(kind).itemsize
    return aligned(1, size)[0, :size].view(kind)
