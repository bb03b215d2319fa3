"""Texts from elsewhere, as they may be shown: what a terminal would obey is spelt out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # but tabs and new lines
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # what hides, or turns the reading direction
    "\ud800-\udfff]"  # halves of characters
)


def shown(text: str) -> str:
    r"""A text in which control characters, and others that nobody sees, are spelt.

    >>> shown("a \x1b[31mred\x1b[0m word")
    'a \\x1b[31mred\\x1b[0m word'
    """
    return _OBEYED.sub(_spelt, text)


def _spelt(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def clipped(text: str, most: int = 1500) -> str:
    """A text of at most so many characters, its beginning and its end.

    >>> clipped("abcdefghijklmnop", 10)
    'abcd … nop'
    """
    if len(text) <= most:
        return text
    end = (most - 3) // 2
    return f"{text[: most - 3 - end]} … {text[-end:]}"


def one_line(text: str) -> str:
    """A text as one line that can be shown."""
    return clipped(shown(" ".join(text.split())))


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a notebook.

    >>> html_table(("move",), [("a < b",)])
    '<table><tr><th>move</th></tr><tr><td>a &lt; b</td></tr></table>'
    """
    lines = [_html_row("th", head), *(_html_row("td", row) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _html_row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{escape(shown(cell))}</{kind}>' for cell in cells)}</tr>"
