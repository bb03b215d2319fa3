"""Careful questions to rules that may be wrong, and words for how two positions differ."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from facedown.core import CHANCE, Game, Position
from facedown.core.canonical import canonical
from facedown.core.records import address_of

_SPARE = 1024  # room beyond what a rule may fill, so that filling too much is seen and harmless
_UNTOUCHED = -1.25e300  # what a value is before a rule fills it in
_LONG = 160
_SET = 256  # a number from here on may be a set


def short(data: bytes) -> bytes:
    """Sixteen bytes that stand for `data`."""
    return hashlib.blake2b(data, digest_size=16).digest()


def raw_legal(position: Position) -> tuple[int, list[int]]:
    """What `legal` gave and filled in, even where that is more than `most_moves`."""
    room = position.game.most_moves + _SPARE
    buffer = np.zeros(room, np.int32)
    rules = position.game.rules
    n = int(rules.python["legal"](rules.ctx, position.address, address_of(buffer)))
    return n, [int(move) for move in buffer[: max(0, min(n, room))]]


def _raw_values(position: Position, rule: str) -> tuple[Any, list[float]]:
    game = position.game
    buffer = np.full(max(game.most_moves, game.players) + _SPARE, _UNTOUCHED)
    answer = game.rules.python[rule](game.rules.ctx, position.address, address_of(buffer))
    filled = np.flatnonzero(buffer != _UNTOUCHED)
    last = int(filled[-1]) + 1 if filled.size else 0
    return answer, [float(value) for value in buffer[:last]]


def raw_weights(position: Position) -> list[float]:
    """The weights as the rule filled them in, however many they are."""
    return _raw_values(position, "weights")[1]


def raw_payoff(position: Position) -> list[float]:
    """The payoffs as the rule filled them in, however many they are."""
    return _raw_values(position, "payoff")[1]


def raw_horizon(position: Position, rule: str = "horizon") -> list[float] | None:
    """The values at a horizon, the game's own or a variant's; None where a search may not stop."""
    answer, values = _raw_values(position, rule)
    return values if int(answer) else None


def chances(position: Position, legal: list[int]) -> list[float]:
    """How likely each legal move is in a random game: chance by its weights, players evenly."""
    if position.turn() == CHANCE and position.game.has("weights"):
        weights = raw_weights(position)
        if len(weights) == len(legal) and all(np.isfinite(weights)) and min(weights) >= 0:
            total = sum(weights)
            if total > 0:
                return [weight / total for weight in weights]
    return [1.0 / len(legal)] * len(legal)


def draws(view: Position, viewer: int) -> bool:
    """Whether the game has worlds for this viewer of this view.

    A game that says so (`worlds_when_acting`) has them for whoever is to act, and for nobody else.
    """
    definition = view.game.definition
    return not getattr(definition, "worlds_when_acting", False) or view.turn() == viewer


class Unseen:
    """For each viewer, who has made a move of which that viewer saw nothing."""

    def __init__(self, movers: dict[int, frozenset[int]] | None = None) -> None:
        self.movers = movers or {}

    def after(self, mover: int, viewers: Iterable[int]) -> Unseen:
        """The same after a move of which these viewers saw nothing."""
        added = {viewer: self.movers.get(viewer, frozenset()) | {mover} for viewer in viewers}
        return Unseen({**self.movers, **added})

    def pending(self, view: Position, turn: int, viewer: int) -> bool:
        """Whether the viewer's view takes a choice back, and says that whoever chose has to act."""
        shown = view.turn()
        return shown != turn and shown in self.movers.get(viewer, ())


def move_value(game: Game, move: int) -> str:
    """What a move is; a plain class's moves are numbered as they are met."""
    values = getattr(game.rules, "values", None)
    return str(move) if values is None else canonical(values[move])


def move_name(game: Game, move: int) -> str:
    """A move's text, or its number where the game's own text fails."""
    try:
        return game.move_text(move)
    except Exception:
        return f"move {move}"


def number_text(value: float) -> str:
    """A number without a needless fraction."""
    return f"{value:g}"


def fields_of(position: Position) -> dict[str, str]:
    """The fields of a position by name, as text."""
    record = position.record
    if position.game.compiled:
        return {
            name: ",".join(str(value) for value in np.atleast_1d(record[name]).ravel())
            for name in record.dtype.names
        }
    if isinstance(record, dict):
        return {str(name): canonical(value) for name, value in record.items()}
    if isinstance(record, tuple) and hasattr(record, "_fields"):
        return {name: canonical(getattr(record, name)) for name in record._fields}
    if isinstance(record, (tuple, list)):
        return {f"item {k}": canonical(value) for k, value in enumerate(record)}
    if dataclasses.is_dataclass(record):
        names = [field.name for field in dataclasses.fields(record)]
    else:
        names = list(getattr(record, "__dict__", {}))
    found = {name: canonical(getattr(record, name)) for name in names if hasattr(record, name)}
    return found or {"state": canonical(record)}


def difference(a: Position, b: Position) -> str:
    """In which fields two positions differ, and what they hold there."""
    first, second = fields_of(a), fields_of(b)
    parts = [
        f"{name} is {_cut(first.get(name, 'absent'))} against {_cut(second.get(name, 'absent'))}"
        for name in {**first, **second}
        if first.get(name) != second.get(name)
    ]
    return "; ".join(parts) or "the bytes between the fields differ"


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 3] + "..."


Atom = tuple[str, str]


def atoms(position: Position) -> frozenset[Atom]:
    """What a position holds, bit by bit: where a value lies, and which it is.

    The elements of a list of plain values are told without their place in it, for a hand is often
    sorted; a field of a record is told element by element.
    """
    record = position.record
    if position.game.compiled:
        found = (
            (f"{name}.{k}", str(value))
            for name in record.dtype.names
            for k, value in enumerate(np.atleast_1d(record[name]).ravel().tolist())
        )
        return frozenset(found)
    gathered: list[Atom] = []
    _gather(record, "", gathered, 6)
    return frozenset(gathered)


_PLAIN = frozenset((str, int, float, bool, type(None)))


def _gather(value: Any, path: str, found: list[Atom], depth: int, *, placed: bool = False) -> None:
    kind = type(value)
    if kind in _PLAIN or depth == 0 or isinstance(value, (str, bytes, int, float)):
        found.append((path, repr(value)[:_LONG]))
    elif isinstance(value, dict):
        for key, item in value.items():
            _gather(item, f"{path}.{key}", found, depth - 1, placed=placed)
    elif isinstance(value, (list, tuple, set, frozenset)):
        if _PLAIN.issuperset(map(type, value)):
            found.extend([(path, repr(item)[:_LONG]) for item in value])
            if placed and isinstance(value, (list, tuple)):
                found.extend([(f"{path}.{k}", repr(item)[:_LONG]) for k, item in enumerate(value)])
        else:
            for k, item in enumerate(value):
                _gather(item, f"{path}.{k}", found, depth - 1, placed=placed)
                if placed and isinstance(item, tuple) and _PLAIN.issuperset(map(type, item)):
                    found.append((path, repr(item)[:_LONG]))  # what belongs together
        found.append((f"{path}.length", str(len(value))))
    elif getattr(value, "__dict__", None):
        for name, item in vars(value).items():
            _gather(item, f"{path}.{name}", found, depth - 1, placed=placed)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for part in dataclasses.fields(value):  # with slots
            _gather(
                getattr(value, part.name, None),
                f"{path}.{part.name}",
                found,
                depth - 1,
                placed=placed,
            )
    else:
        found.append((path, canonical(value)[:_LONG]))


def placed_atoms(position: Position) -> frozenset[Atom]:
    """The atoms, and for the elements of lists also where they lie; of sets in bits, the bits."""
    if position.game.compiled:
        return _with_bits(atoms(position))
    gathered: list[Atom] = []
    _gather(position.record, "", gathered, 6, placed=True)
    return frozenset(gathered)


def _with_bits(found: frozenset[Atom]) -> frozenset[Atom]:
    """Large numbers are as a rule sets of cards, a bit each: those bits too."""
    more = [
        (f"{name} bit", str(bit))
        for name, value in found
        if len(value) > 2 and value.isdigit() and int(value) >= _SET
        for bit in range(int(value).bit_length())
        if int(value) >> bit & 1
    ]
    return found.union(more) if more else found
