"""Frames on the wire: two bytes of length, then Java's own dialect of UTF-8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST = 0xFFFF
"""Bytes of a frame's text at most, by its two bytes of length."""


def packed(text: str) -> bytes:
    r"""One frame. ValueError where the text is too long for one.

    Java writes NUL as two bytes, and what lies beyond the first 65,536 characters as surrogates.

    >>> packed("1031|g")
    b'\x00\x061031|g'
    >>> packed("\0")
    b'\x00\x02\xc0\x80'
    """
    units = text.encode("utf-16-be", "surrogatepass")
    pairs = (int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2))
    body = b"".join(_unit(unit) for unit in pairs)
    if len(body) > LONGEST:
        raise ValueError(f"{len(body):,} bytes of text; a frame holds {LONGEST:,}")
    return len(body).to_bytes(2, "big") + body


def _unit(unit: int) -> bytes:
    """One unit of UTF-16, as Java writes it."""
    if unit == 0:
        return b"\xc0\x80"
    return chr(unit).encode("utf-8", "surrogatepass")


def unpacked(body: bytes) -> str:
    r"""The text of a frame; what is not well written becomes U+FFFD, and nothing raises.

    >>> unpacked(b"1031|g"), unpacked(b"\xc0\x80"), unpacked(b"\xff")
    ('1031|g', '\x00', '\ufffd')
    >>> unpacked(packed("\U0001f3b2")[2:])
    '🎲'
    """
    plain = body.replace(b"\xc0\x80", b"\0")
    try:
        text = plain.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return plain.decode("utf-8", "replace")
    return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "replace")


@dataclass
class Frames:
    """Bytes in, as they come, and whole texts out."""

    _rest: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> Iterator[str]:
        """The texts that are whole with these bytes."""
        self._rest += data
        while len(self._rest) >= 2:
            end = 2 + int.from_bytes(self._rest[:2], "big")
            if len(self._rest) < end:
                return
            body = bytes(self._rest[2:end])
            del self._rest[:end]
            yield unpacked(body)

    @property
    def broken_off(self) -> bool:
        """Whether a frame has begun that is not whole."""
        return bool(self._rest)
