"""Sets of small numbers as 64-bit words: counting and finding members, compiled and not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from facedown.core.jit import JIT, jit

ONE = np.uint64(1)

if JIT:

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def ones(typingctx: Any, word: Any) -> Any:
        """How many members a word has."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest(typingctx: Any, word: Any) -> Any:
        """The smallest member of a word that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.uint64), codegen

else:

    def ones(word: Any) -> int:
        """How many members a word has."""
        return int(word).bit_count()

    def lowest(word: Any) -> int:
        """The smallest member of a word that is not empty."""
        return (int(word) & -int(word)).bit_length() - 1


@jit
def member(words: Any, k: int) -> bool:
    """Whether the set in an array of words has the number `k`."""
    return (words[k >> 6] >> np.uint64(k & 63)) & ONE != np.uint64(0)  # type: ignore[no-any-return]
