"""Pictures of positions: what every one has, whoever draws it."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

_OPENED = re.compile(r"<svg\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")
_NAMED = re.compile(r"\s*<title\b")


def text_picture(lines: list[str]) -> str:
    """Lines of text as an SVG picture, for games that draw no picture of their own."""
    width = 24 + 9 * max(len(line) for line in lines)
    height = 24 + 20 * len(lines)
    rows = "".join(
        f'<text x="12" y="{28 + 20 * k}" xml:space="preserve">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        f'font-family="monospace" font-size="15"><rect width="{width}" height="{height}" '
        f'fill="#fbfaf5"/>{rows}</svg>'
    )


def described(picture: str, words: str) -> str:
    """A picture with words for those who cannot see it: a title, the first line, and all of them.

    Left as it is where it has a title already, or is no SVG.

    >>> described("<svg><rect/></svg>", "Chess: your move\\n  a king")
    '<svg><title>Chess: your move</title><desc>Chess: your move\\n  a king</desc><rect/></svg>'
    >>> described("<svg><title>Chess</title></svg>", "Go")
    '<svg><title>Chess</title></svg>'
    """
    opened = _OPENED.search(picture)
    if opened is None or _NAMED.match(picture, opened.end()):
        return picture
    title, words = escape(words.partition("\n")[0]), escape(words)
    told = f"<title>{title}</title><desc>{words}</desc>"
    return picture[: opened.end()] + told + picture[opened.end() :]
