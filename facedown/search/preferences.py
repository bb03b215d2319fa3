"""Preferences among kinds of moves, learnt by counting (Dobre and Lascarides 2018, equations 1, 2).

Where a game's moves fall into kinds (the rule `kind`), a player's preferences are how often each
kind was chosen where it could have been. They inform playouts (a kind is drawn, then one of its
moves) and the priors of a search, in any game with kinds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from facedown.core.errors import SpecError
from facedown.core.files import read_bounded, write_whole
from facedown.core.kinds import MOST_KINDS, Policy, place_of
from facedown.core.records import address_of

if TYPE_CHECKING:
    from facedown.core import Game

Reading = Literal["uniform", "unconditioned", "conditioned"]
"""Every legal kind as likely; by equation 1; by equation 2, which falls back to equation 1."""

Unchosen = Literal["share", "none"]
"""What a kind gets that was legal, but never chosen, under a set that was met: the share that the
fall-back has for it, as the paper's prose says, or next to nothing, as equation 2 has it."""

FORMAT = "facedown preferences 1"
MOST_BYTES = 64 << 20
NEXT_TO_NOTHING = 1e-9
"""A share that is never drawn in practice; 0 would leave a set of such kinds without any."""


@dataclass(frozen=True)
class Preferences:
    """Counts of decisions: `sets` has by the set of legal kinds how often each kind was chosen.

    A set is the bits of its kinds; `kinds` are their names in order of their numbers. `about` says
    where the counts come from. `totals` has by kind how often it was chosen and how often legal,
    where that was counted apart; else it is summed up from the sets.
    """

    game: str
    kinds: tuple[str, ...]
    sets: Mapping[int, tuple[int, ...]]
    about: Mapping[str, Any]
    totals: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= len(self.kinds) <= MOST_KINDS:
            raise SpecError(f"preferences among {len(self.kinds)} kinds: 1 to {MOST_KINDS} wanted")
        for legal, chosen in self.sets.items():
            self._check(legal, chosen)
        for kind, (chosen_, legal_) in self.totals.items():
            if not 0 <= kind < len(self.kinds) or not 0 <= chosen_ <= legal_:
                what = f"{chosen_} times of {legal_}"
                raise SpecError(f"preferences: kind {kind} was chosen {what}")

    def _check(self, legal: int, chosen: tuple[int, ...]) -> None:
        if not 0 < legal < 1 << len(self.kinds) or len(chosen) != len(self.kinds):
            raise SpecError(f"preferences: {legal:#b} is no set of {len(self.kinds)} kinds")
        for k, count in enumerate(chosen):
            if count < 0 or (count and not legal >> k & 1):
                named = ", ".join(self.names(legal))
                raise SpecError(
                    f"preferences: {self.kinds[k]} was chosen {count} times where {named} were "
                    "legal"
                )

    def names(self, legal: int) -> list[str]:
        """The names of the kinds in a set."""
        return [name for k, name in enumerate(self.kinds) if legal >> k & 1]

    @property
    def decisions(self) -> int:
        """How many decisions were counted."""
        return sum(sum(chosen) for chosen in self.sets.values())

    # --- the two equations -----------------------------------------------------------------------

    def unconditioned(self) -> list[float | None]:
        """Equation 1: by kind how often it was chosen of the times it was legal; None: never legal.

        pi_u(t) = C(type(a) = t) / C(legal(t)). This is no distribution: over the legal kinds of a
        position it is divided by its sum.
        """
        chosen, legal = [0] * len(self.kinds), [0] * len(self.kinds)
        for bits, counts in self.sets.items():
            met = sum(counts)
            for k in _members(bits):
                chosen[k] += counts[k]
                legal[k] += met
        for k, (often, of) in self.totals.items():
            chosen[k], legal[k] = often, of
        return [c / n if n else None for c, n in zip(chosen, legal, strict=True)]

    def fall_back(self, legal: int) -> dict[int, float]:
        """Equation 1 over a set of kinds, summing to 1.

        A kind that was never legal is taken for as likely as the others are on average, one that
        was never chosen for next to impossible.
        """
        rates = self.unconditioned()
        known = [rate for rate in rates if rate is not None]
        mean = sum(known) / len(known) if known else 1.0
        told = [mean if rate is None else rate for rate in rates]
        return _to_one({k: max(told[k], NEXT_TO_NOTHING) for k in _members(legal)})

    def conditioned(self, legal: int, unchosen: Unchosen = "share") -> dict[int, float]:
        """Equation 2: by kind how likely it is where just these are legal, summing to 1.

        pi_c(t | Gamma) = C(type(a) = t, Gamma) / C(Gamma), where Gamma is the set of legal kinds;
        for a set that was never met, and for a kind never chosen under it (see `Unchosen`), what
        equation 1 says.
        """
        counts = self.sets.get(legal)
        met = sum(counts) if counts else 0
        if counts is None or not met:
            return self.fall_back(legal)
        back = self.fall_back(legal) if unchosen == "share" else {}
        weights = {
            k: counts[k] / met if counts[k] else back.get(k, NEXT_TO_NOTHING)
            for k in _members(legal)
        }
        return _to_one(weights)

    # --- files -----------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """All of it, in names that a person can read."""
        return {
            "format": FORMAT,
            "game": self.game,
            "about": dict(self.about),
            "kinds": list(self.kinds),
            "totals": {
                self.kinds[k]: {"chosen": chosen, "legal": legal}
                for k, (chosen, legal) in sorted(self.totals.items())
            },
            "decisions": [
                {
                    "legal": self.names(legal),
                    "chosen": {self.kinds[k]: n for k, n in enumerate(chosen) if n},
                }
                for legal, chosen in sorted(self.sets.items())
            ],
        }

    def save(self, file: Path) -> None:
        """Write them as JSON."""
        write_whole(file, self.packed())

    def packed(self) -> str:
        """What such a file holds."""
        return json.dumps(self.to_json(), indent=1) + "\n"


def _to_one(weights: Mapping[int, float]) -> dict[int, float]:
    """Weights divided by their sum."""
    total = sum(weights.values())
    return {k: weight / total for k, weight in weights.items()}


def _members(legal: int) -> Iterator[int]:
    """The kinds of a set, in order."""
    return (k for k in range(legal.bit_length()) if legal >> k & 1)


def bits_of(names: Sequence[str], kinds: Sequence[str]) -> int:
    """The set of the named kinds; ValueError names one that there is not.

    >>> bits_of(["road", "city"], ["settlement", "road", "city"])
    6
    """
    return sum({1 << list(kinds).index(name) for name in names})


# --- reading -------------------------------------------------------------------------------------


def load_preferences(file: str | Path, kinds: Sequence[str] = ()) -> Preferences:
    """The preferences that a file holds; SpecError says what is wrong with it.

    With `kinds`, those of a game, the file's are brought into their order; it must know no others.
    """
    try:
        text = read_bounded(file, MOST_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise SpecError(f"{file} cannot be read: {why}") from None
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        raise SpecError(f"{file} holds no preferences: it is not JSON") from None
    try:
        return _from_json(plain, kinds)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise SpecError(f"{file} holds no preferences: {_why(error)}") from None
    except SpecError as error:
        raise SpecError(f"{file}: {error}") from None


def _why(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _from_json(plain: Any, kinds: Sequence[str]) -> Preferences:
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    named = tuple(map(str, plain["kinds"]))
    unknown = [name for name in named if kinds and name not in kinds]
    if unknown:
        raise ValueError(f"kinds {', '.join(unknown)} are none of the game's: {', '.join(kinds)}")
    names = tuple(kinds) or named
    sets: dict[int, tuple[int, ...]] = {}
    for one in plain["decisions"]:
        bits = bits_of(one["legal"], names)
        counts = [0] * len(names)
        for name, n in one["chosen"].items():
            if type(n) is not int:
                raise ValueError(f"{name} was chosen {n!r} times: a whole number is wanted")
            counts[names.index(name)] = n
        sets[bits] = tuple(counts)
    totals = {
        names.index(name): (int(one["chosen"]), int(one["legal"]))
        for name, one in plain.get("totals", {}).items()
    }
    return Preferences(str(plain["game"]), names, sets, dict(plain["about"]), totals)


# --- tables for compiled code --------------------------------------------------------------------


class KindPolicy:
    """A policy over kinds where compiled code finds it (`core.kinds`); keep it as long as that."""

    def __init__(
        self,
        kinds: int,
        preferences: Preferences | None,
        reading: Reading,
        unchosen: Unchosen = "share",
    ) -> None:
        if reading not in get_args(Reading):
            raise SpecError(
                f"{reading!r} is no reading of preferences: {', '.join(get_args(Reading))}"
            )
        if reading != "uniform" and preferences is None:
            raise SpecError(f"{reading} kinds want preferences, and there are none")
        known = preferences.sets if preferences is not None and reading == "conditioned" else {}
        slots = 1 << max(2, (2 * len(known)).bit_length())
        self._record = np.zeros(1, Policy)
        self._take(np.zeros(slots, np.uint64), np.zeros((slots + 1, kinds)))
        self.shares[slots] = 1.0
        if preferences is not None and reading != "uniform":
            self._set_rows(preferences, list(known), unchosen)

    @property
    def address(self) -> int:
        """Where compiled code finds it."""
        return address_of(self._record)

    def _take(self, sets: np.ndarray[Any, Any], shares: np.ndarray[Any, Any]) -> None:
        """Have these for its tables: sets [slots], and shares [slots + 1, kinds]."""
        self.sets, self.shares = sets, shares
        self._record[0] = (shares.shape[1], len(sets), address_of(sets), address_of(shares))

    def place(self, legal: int) -> int:
        """The slot of a set of kinds, or the free one where it belongs."""
        place = int(place_of(legal, len(self.sets)))
        while self.sets[place] and int(self.sets[place]) != legal:
            place = (place + 1) & (len(self.sets) - 1)
        return place

    def _set_rows(self, preferences: Preferences, known: Sequence[int], unchosen: Unchosen) -> None:
        everything = preferences.fall_back((1 << len(preferences.kinds)) - 1)
        self.shares[-1, list(everything)] = list(everything.values())
        for legal in known:
            place = self.place(legal)
            self.sets[place] = legal
            shares = preferences.conditioned(legal, unchosen)
            self.shares[place, list(shares)] = list(shares.values())


def policy_of(
    game: Game, preferences: str | None, reading: Reading, unchosen: Unchosen = "share"
) -> KindPolicy:
    """The policy over a game's kinds of moves, by the preferences in a file, which is read once.

    Without a file they are those that come with the game. SpecError where there are none.
    """
    kinds = game.kind_names
    if not kinds:
        raise SpecError(f"{game.name} has no names for its kinds of moves (`kind_names`)")
    if reading == "uniform":
        return _policy(kinds, None, 0, reading, unchosen)
    file = preferences or game.preferences
    if not file:
        raise SpecError(f"{reading} kinds want preferences=FILE, which `facedown learn` writes")
    try:
        changed = Path(file).stat().st_mtime_ns
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SpecError(f"{file} cannot be read: {why}") from None
    return _policy(kinds, file, changed, reading, unchosen)


@cache
def _policy(
    kinds: tuple[str, ...], file: str | None, changed: int, reading: Reading, unchosen: Unchosen
) -> KindPolicy:
    known = None if file is None else load_preferences(file, kinds)
    return KindPolicy(len(kinds), known, reading, unchosen)
