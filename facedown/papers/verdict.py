"""Whether what was measured is what was published, said plainly.

A claim is one comparison: a published number with the measured 95 % interval, or a published order
with the interval of a difference. It *agrees*, it *differs*, or too few games were played to say
(*open*). Of twenty numbers that are equal, one lies outside its interval by chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from facedown.papers.tables import Published

Outcome = Literal["agrees", "differs", "open"]


@dataclass(frozen=True)
class Claim:
    """One comparison, in words, and how it came out."""

    words: str
    outcome: Outcome

    @classmethod
    def number(cls, words: str, low: float, high: float, published: Published) -> Claim:
        """A published number, or range, beside a measured interval.

        >>> from facedown.papers.tables import Published
        >>> Claim.number("wins", 0.5, 0.6, Published.point(0.55, "table 1")).outcome
        'agrees'
        """
        least, most = published.bounds
        return cls(words, "agrees" if low <= most and least <= high else "differs")

    @classmethod
    def order(cls, words: str, low: float, high: float, sign: int) -> Claim:
        """A published order: a difference that is above 0 (sign 1) or below it (-1).

        >>> [Claim.order("more", *some, 1).outcome for some in ((0.1, 0.2), (-0.2, -0.1), (-1, 1))]
        ['agrees', 'differs', 'open']
        """
        least, most = (low, high) if sign > 0 else (-high, -low)
        if least > 0:
            return cls(words, "agrees")
        return cls(words, "differs" if most < 0 else "open")

    @classmethod
    def fact(cls, words: str, holds: bool) -> Claim:
        """Something that was found to hold, or not."""
        return cls(words, "agrees" if holds else "differs")


_NOTHING = "nothing is published to compare with"


def verdict(claims: Sequence[Claim], because: str = "") -> str:
    """All claims in a sentence or two; `because` says why some differ, or may.

    >>> verdict([Claim("a", "agrees"), Claim("b", "differs")], "perhaps because of the clock")
    'differs in 1 of 2: b; perhaps because of the clock. 1 agrees.'
    >>> verdict([Claim("a", "agrees")]), verdict([])
    ('agrees (1 of 1).', 'nothing is published to compare with.')
    """
    if not claims:
        return f"{_NOTHING}."
    count, all_ = Counter(claim.outcome for claim in claims), len(claims)
    left = f"; {count['open']} open, for too few games" if count["open"] else ""
    if not count["differs"]:
        if not count["agrees"]:
            return f"open: too few games to say ({all_} claims)."
        return f"agrees ({count['agrees']} of {all_}{left})."
    different = "; ".join(claim.words for claim in claims if claim.outcome == "differs")
    why = f"; {because}" if because else "; why is not known"
    rest = f" {count['agrees']} agree{'s' * (count['agrees'] == 1)}" if count["agrees"] else ""
    end = f".{rest}{left}." if rest else f"{left}."
    return f"differs in {count['differs']} of {all_}: {different}{why}{end}"


def plain(claims: Sequence[Claim]) -> str:
    """One word for all of them: differs, agrees, open, or none.

    >>> plain([Claim("a", "agrees"), Claim("b", "open")]), plain([])
    ('agrees', 'none')
    """
    found = {claim.outcome for claim in claims}
    for outcome in ("differs", "agrees", "open"):
        if outcome in found:
            return outcome
    return "none"
