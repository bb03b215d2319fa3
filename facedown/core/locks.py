"""Locks for compiled code that runs in several threads: one int64 word each, 0 while it is free."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from facedown.core.jit import JIT
from facedown.core.records import array

if JIT:
    _WORD = ir.IntType(64)

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def claim(typingctx: Any, address: Any) -> Any:
        """Take the lock at an address if it is free; whether it was."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = builder.inttoptr(args[0], _WORD.as_pointer())
            pair = builder.cmpxchg(word, _WORD(0), _WORD(1), "acquire", "monotonic")
            return builder.extract_value(pair, 1)

        return types.boolean(types.intp), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def release(typingctx: Any, address: Any) -> Any:
        """Free the lock at an address, which this thread has taken."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = builder.inttoptr(args[0], _WORD.as_pointer())
            builder.store_atomic(_WORD(0), word, "release", 8)
            return context.get_dummy_value()

        return types.void(types.intp), codegen

else:
    _one_at_a_time = threading.Lock()

    def claim(address: int) -> bool:
        """Take the lock at an address if it is free; whether it was."""
        with _one_at_a_time:
            word = array(address, 1, np.int64)
            free = bool(word[0] == 0)
            word[0] = 1
        return free

    def release(address: int) -> None:
        """Free the lock at an address, which this thread has taken."""
        array(address, 1, np.int64)[0] = 0
