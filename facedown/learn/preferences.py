"""Preferences among kinds of moves, counted: from recorded games, or from a published table."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from facedown.arena.replay import decisions
from facedown.core import Game, SpecError
from facedown.core.files import unhurried
from facedown.games.registry import load_recorded
from facedown.learn.corpus import seats_of, unusable
from facedown.learn.sources import records_of
from facedown.search.preferences import Preferences, bits_of
from facedown.store.records import GameRecord, RecordError


def learnt(
    game: Game, sources: Sequence[str], store: str | None = None, agent: str | None = None
) -> Preferences:
    """The preferences of those who played recorded games, or of a published table of counts.

    A source is a file of records, the number of a run of the store, or one table of counts. Of
    recorded games only what `agent` chose is counted, where one is named. SpecError where there is
    nothing to learn from.
    """
    if not game.has("kind") or not game.kind_names:
        raise SpecError(f"{game.name} has no kinds of moves (`kind`, `kind_names`)")
    tables = [source for source in sources if _table(source) is not None]
    if not tables:
        records = (one for source in sources for one in records_of(source, store))
        return counted(game, records, " and ".join(sources), agent)
    if len(sources) > 1 or agent is not None:
        other = "alone" if len(sources) > 1 else f"whole: it does not say what {agent} chose"
        raise SpecError(f"{tables[0]} is a table of counts, which is learnt from {other}")
    return converted(game, _table(tables[0]), tables[0])


# --- recorded games ------------------------------------------------------------------------------


def counted(
    game: Game, records: Iterable[GameRecord], source: str, agent: str | None = None
) -> Preferences:
    """How often each kind was chosen (by `agent` alone), by the set of kinds legal then."""
    sets: dict[int, list[int]] = defaultdict(lambda: [0] * len(game.kind_names))
    players: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    load = cache(lambda spec: game if spec == game.spec else load_recorded(spec))
    for record in records:
        if load(record.game).name != game.name:
            raise RecordError(f"{source}: games of {record.game} among those of {game.spec}")
        reason = unusable(record)
        if reason:
            left_out[reason] += 1
            continue
        players.update(record.agents)
        seats = seats_of(record, agent)
        for move, position in decisions(record, load(record.game)):
            if position.turn() in seats:
                sets[position.kind_bits()][position.kind(move)] += 1
    if not sets:
        told = "".join(f", {n} left out {reason}" for reason, n in left_out.items())
        by = "" if agent is None else f" by {agent}"
        told += "" if agent is None else f"; {', '.join(sorted(players)) or 'nobody'} played"
        raise RecordError(f"{source}: no decisions{by} to learn from{told}")
    about: dict[str, Any] = {
        "from": "recorded games",
        "games": sum(players.values()) // game.players,
        "agents": dict(sorted(players.items())),
        "left out": dict(left_out),
    }
    about |= {} if agent is None else {"of": agent}
    return _preferences(game, {bits: tuple(counts) for bits, counts in sets.items()}, about)


def _preferences(
    game: Game,
    sets: dict[int, tuple[int, ...]],
    about: dict[str, Any],
    totals: dict[int, tuple[int, int]] | None = None,
) -> Preferences:
    return Preferences(game.name, game.kind_names, sets, about, totals or {})


# --- a published table ---------------------------------------------------------------------------

COUNTS = ("chosenTypeCount", "typeCount", "chosenTypeCountConditioned")
"""What a table of counts has by the number of a type: how often it was chosen, how often legal; and
by the numbers of the legal types, with commas, how often each was chosen under them."""


def _table(source: str) -> Any:
    """The table of counts that a file holds; None for what is none."""
    try:
        with open(source, encoding="utf-8", opener=unhurried) as file:
            head = file.read(4096)
            if COUNTS[0] not in head:
                return None
            plain = json.loads(head + file.read())
    except (OSError, ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) and all(name in plain for name in COUNTS) else None


def converted(game: Game, plain: Any, source: str) -> Preferences:
    """The preferences of a table of counts, in which types of moves have numbers of their own.

    A game says which kinds those are (`kind_numbers` of its definition).
    """
    known: dict[int, str] = dict(getattr(game.definition, "kind_numbers", {}))
    if not known:
        raise SpecError(f"{game.name} does not say what the types of a table of counts are")
    try:
        return _converted(game, plain, known, source)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        what = f"type {error} is none of the game's" if isinstance(error, KeyError) else error
        raise SpecError(f"{source} is no table of counts: {what}") from None


def _converted(game: Game, plain: Any, known: dict[int, str], source: str) -> Preferences:
    chosen, legal, conditioned = (plain[name] for name in COUNTS)
    place = {str(number): game.kind_names.index(name) for number, name in known.items()}
    totals = {place[kind]: (int(chosen.get(kind, 0)), int(n)) for kind, n in legal.items()}
    sets: dict[int, tuple[int, ...]] = {}
    for types, counts in conditioned.items():
        numbers = types.split(",")
        bits = bits_of([game.kind_names[place[kind]] for kind in numbers], game.kind_names)
        row = [0] * len(game.kind_names)
        for kind, n in counts.items():
            row[place[kind]] = int(n)
        sets[bits] = tuple(row)
    about = {"from": f"a table of counts, {Path(source).name}"}
    return _preferences(game, sets, about, totals)
