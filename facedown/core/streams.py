"""Random streams: splitmix64 in one word, the same on every machine, one stream for each purpose.

A stream's seed comes from SHA-256 over the run's seed and a path of names, so that no stream (an
agent's, say) can be run backwards or sideways into another one (the deal's).
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from facedown.core.jit import JIT, jit
from facedown.core.records import array

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def _scramble(x: int) -> int:
    """splitmix64's output function, on Python's integers."""
    x = ((x ^ (x >> 30)) * _FIRST) & _MASK
    x = ((x ^ (x >> 27)) * _SECOND) & _MASK
    return x ^ (x >> 31)


def mixed(key: int, value: int) -> int:
    """What `mix` gives in compiled code, on Python's integers."""
    key, value = key & _MASK, value & _MASK
    return _scramble((key + _GOLDEN + (value ^ ((key << 7) & _MASK))) & _MASK) or _GOLDEN


def tagged(key: int, small: int) -> int:
    """What `tag` gives in compiled code, on Python's integers."""
    return (key & _MASK) ^ ((small * _GOLDEN) & _MASK)


if JIT:
    _G, _F, _S = np.uint64(_GOLDEN), np.uint64(_FIRST), np.uint64(_SECOND)

    @jit
    def bits(rng: int) -> Any:
        """The next 64 random bits of the stream at address `rng`."""
        state = array(rng, 1, np.uint64)
        x = state[0] + _G
        state[0] = x
        x = (x ^ (x >> np.uint64(30))) * _F
        x = (x ^ (x >> np.uint64(27))) * _S
        return x ^ (x >> np.uint64(31))

    @jit
    def mix(key: Any, value: Any) -> Any:
        """A 64-bit key extended by one value; order matters, 0 never comes out."""
        x = np.uint64(key) + _G + (np.uint64(value) ^ (np.uint64(key) << np.uint64(7)))
        x = (x ^ (x >> np.uint64(30))) * _F
        x = (x ^ (x >> np.uint64(27))) * _S
        x ^= x >> np.uint64(31)
        return x if x != np.uint64(0) else _G

    @jit
    def tag(key: Any, small: Any) -> Any:
        """A mixed key set apart by a small number; cheaper than mixing that in."""
        return np.uint64(key) ^ (np.uint64(small) * _G)

else:

    def bits(rng: int) -> Any:
        """The next 64 random bits of the stream at address `rng`."""
        state = array(rng, 1, np.uint64)
        word = (int(state[0]) + _GOLDEN) & _MASK
        state[0] = word
        return np.uint64(_scramble(word))

    def mix(key: Any, value: Any) -> Any:
        """A 64-bit key extended by one value; order matters, 0 never comes out."""
        return np.uint64(mixed(int(key), int(value)))

    def tag(key: Any, small: Any) -> Any:
        """A mixed key set apart by a small number; cheaper than mixing that in."""
        return np.uint64(tagged(int(key), int(small)))


@jit
def below(rng: int, n: int) -> int:
    """A random integer in [0, n) of the stream at `rng` (the bias is below n / 2**32)."""
    return np.int64(((bits(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@jit
def uniform(rng: int) -> float:
    """A random number in [0, 1) of the stream at `rng`."""
    return float(bits(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@jit
def pick(rng: int, weights: Any, n: int) -> int:
    """An index in [0, n) drawn in proportion to `weights`, which are not negative."""
    total = 0.0
    for k in range(n):
        total += weights[k]
    left = uniform(rng) * total
    for k in range(n):
        left -= weights[k]
        if left < 0.0:
            return k
    for k in range(n - 1, -1, -1):  # rounding ate the last of it: the last that can be drawn
        if weights[k] > 0.0:
            return k
    return n - 1


def derive(seed: int, *path: int | str) -> int:
    """The 64-bit seed of the stream that `path` names within the run of `seed`.

    >>> derive(7, "deal", 0) == derive(7, "deal", 0) != derive(7, "deal", 1)
    True
    """
    text = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


class Stream:
    """A random stream that Python code and compiled code draw from alike."""

    def __init__(self, seed: int) -> None:
        self._word = ctypes.c_uint64(seed & _MASK)
        self.address = ctypes.addressof(self._word)

    @classmethod
    def at(cls, address: int) -> Stream:
        """The stream whose word lies at `address`; somebody else keeps it alive."""
        stream = cls.__new__(cls)
        stream._word, stream.address = ctypes.c_uint64.from_address(address), address
        return stream

    @property
    def state(self) -> int:
        """The word that decides all that comes."""
        return self._word.value

    def bits(self) -> int:
        """The next 64 random bits."""
        word = (self._word.value + _GOLDEN) & _MASK
        self._word.value = word
        return _scramble(word)

    def below(self, n: int) -> int:
        """A random integer in [0, n)."""
        return ((self.bits() >> 32) * n) >> 32

    def random(self) -> float:
        """A random number in [0, 1)."""
        return (self.bits() >> 11) / 9007199254740992.0

    def pick(self, weights: Sequence[float]) -> int:
        """An index drawn in proportion to `weights`, as `pick` draws it in compiled code."""
        total = 0.0
        for weight in weights:  # one by one: `sum` may round otherwise
            total += weight
        left = self.random() * total
        for k, weight in enumerate(weights):
            left -= weight
            if left < 0.0:
                return k
        return max(
            (k for k, weight in enumerate(weights) if weight > 0.0), default=len(weights) - 1
        )

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each as likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: list[Any]) -> None:
        """Put the items into a random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
