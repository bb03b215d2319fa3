"""Small sets as the bits of a 64-bit number: what compilers have instructions for and Numba hides.

`lowest` is public: rules that keep cards or squares as bits walk through them with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from facedown.core.jit import JIT, jit

if JIT:

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def _trailing_zeros(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @jit
    def lowest(members: int) -> int:
        """The lowest member of a set, the number of its bit; 64 where the set is empty."""
        return _trailing_zeros(np.int64(members))  # type: ignore[no-any-return]

else:

    def lowest(members: int) -> int:
        """The lowest member of a set, the number of its bit; 64 where the set is empty."""
        word = int(members) & ((1 << 64) - 1)
        return np.int64((word & -word).bit_length() - 1 if word else 64)  # type: ignore[return-value]
