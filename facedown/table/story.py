"""A recorded game to look back on: every position, what each player saw and could believe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from facedown.agents.analysis import beliefs
from facedown.arena.replay import plies
from facedown.belief.belief import Marginals
from facedown.core import CHANCE, NOTHING, PUBLIC, FacedownError, Game, Position
from facedown.games.registry import load_recorded
from facedown.store.records import HUMAN, GameRecord, MoveRecord, RecordError
from facedown.table.sitting import HURRIED, Decision

EVERYTHING = -9
"""Looks at the table with all cards turned up."""

MOST_COLUMNS, MOST_ROWS = 60, 14  # of a heat map
SAMPLES = 400  # worlds behind a column


@dataclass(frozen=True)
class Heat:
    """What a viewer could believe over time: a share for each statement (row) and ply (column).

    `true` says of each statement, ply by ply, whether it was so.
    """

    plies: tuple[int, ...]
    texts: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]
    true: tuple[tuple[bool, ...], ...]


class Story:
    """A recorded game by its plies: 0 is the start, k is after the k-th move.

    RecordError where the game does not come to its recorded end.
    """

    def __init__(self, record: GameRecord, game: Game | None = None) -> None:
        self.record = record
        walked = list(plies(record, game or load_recorded(record.game)))
        if not walked:
            raise RecordError(f"a game of {record.game} without a move cannot be shown")
        self.game = walked[0][1].game  # which may number moves in its own way
        self.positions: list[Position] = [self.game.start()]
        self.moves: list[MoveRecord] = []
        self._tokens: list[dict[int, int]] = []  # what each player saw of each move
        for move, after in walked:
            before, number = self.positions[-1], self._number(move)
            seen = {p: before.sees(number, p) for p in range(self.game.players)}
            self._tokens.append({p: token for p, token in seen.items() if token != NOTHING})
            self.positions.append(after)
            self.moves.append(move)

    def _number(self, move: MoveRecord) -> int:
        """A recorded move as this game numbers it."""
        before = self.positions[-1]
        legal = before.legal()
        if not legal and self.game.compiled:
            return move.move  # chance that draws without listing its outcomes
        if move.move in legal and self.game.move_text(move.move) == move.text:
            return move.move
        return next(n for n in legal if self.game.move_text(n) == move.text)

    def __len__(self) -> int:
        return len(self.moves)

    # --- what was to be seen -----------------------------------------------------------------

    def seen(self, ply: int, viewer: int) -> Position:
        """The position as a viewer saw it; EVERYTHING and the end of the game hide nothing."""
        position = self.positions[ply]
        if viewer == EVERYTHING or position.over:
            return position
        return position.view(viewer)

    def picture(self, ply: int, viewer: int) -> str:
        """The position as SVG."""
        return self.seen(ply, viewer).picture(max(viewer, PUBLIC))

    def text(self, ply: int, viewer: int) -> str:
        """The position in words."""
        return self.seen(ply, viewer).text(max(viewer, PUBLIC))

    def headline(self, ply: int) -> str:
        """What a move was, and who made it."""
        if ply == 0:
            return "the start"
        move = self.moves[ply - 1]
        who = "chance" if move.player == CHANCE else f"player {move.player}"
        time = f" ({move.seconds:.1f} s)" if move.player != CHANCE and move.seconds >= 0.05 else ""
        short = ", cut short: people were waiting" if (move.summary or {}).get(HURRIED) else ""
        return f"{who}: {move.text}{time}{short}"

    def candidates(self, ply: int) -> list[tuple[str, float, float]]:
        """The search that chose a move, if there was one: moves, visits, means."""
        summary: dict[str, Any] = (self.moves[ply - 1].summary if ply else None) or {}
        found = []
        listed = summary.get("candidates")
        for one in listed if isinstance(listed, list) else ():
            try:  # a stranger's record may say anything
                found.append((str(one["move"]), float(one["visits"]), float(one["mean"])))
            except (TypeError, KeyError, ValueError):
                continue
        return found

    # --- what could be believed --------------------------------------------------------------

    def believed(self, ply: int, viewer: int, samples: int = SAMPLES) -> Marginals:
        """What a player could believe at a ply, others' moves taken as if made at random."""
        position = self.positions[ply]
        if viewer < 0 or position.over:
            return []
        tokens = [seen[viewer] for seen in self._tokens[:ply] if viewer in seen]
        try:
            return beliefs(
                position.view(viewer), viewer, samples=samples, observed=tokens, seed=ply
            )
        except FacedownError:
            return []

    def truth(self, ply: int, viewer: int) -> set[str]:
        """The statements that are true of what the viewer could not see."""
        words = self.positions[ply].hidden_text(viewer)
        return {words, *statements(words)} - {""}

    def heat(self, viewer: int, told: Callable[[float], None] = lambda share: None) -> Heat:
        """What a player could believe over time; `told` hears how far it has come."""
        chosen = spread([k for k in range(len(self.positions)) if self._knows_more(k, viewer)])
        columns: list[tuple[int, dict[str, float]]] = []
        for number, ply in enumerate(chosen):
            found = taken_apart(self.believed(ply, viewer))
            if found:
                columns.append((ply, found))
            told((number + 1) / len(chosen))
        top: dict[str, float] = {}
        for _, found in columns:
            for text, share in found.items():
                top[text] = top.get(text, 0.0) + share
        last = self.truth(columns[-1][0], viewer) if columns else set()
        ranked = sorted(top, key=lambda text: (text not in last, -top[text], text))[:MOST_ROWS]
        facts = [self.truth(ply, viewer) for ply, _ in columns]
        return Heat(
            tuple(ply for ply, _ in columns),
            tuple(ranked),
            tuple(tuple(found.get(text, 0.0) for _, found in columns) for text in ranked),
            tuple(tuple(text in true for true in facts) for text in ranked),
        )

    def _knows_more(self, ply: int, viewer: int) -> bool:
        """Whether the viewer has just seen something, chance's deals apart."""
        if ply == 0 or self.positions[ply].over:
            return False
        dealing = self.positions[ply].turn() == CHANCE
        return viewer in self._tokens[ply - 1] and not dealing

    # --- to go on from -----------------------------------------------------------------------

    def decisions(self, ply: int) -> tuple[Decision, ...]:
        """The decisions that led to a ply, for a game that goes on from there."""
        made = []
        for before, move in zip(self.positions[:ply], self.moves[:ply], strict=True):
            if move.player != CHANCE:
                choices = before.choices()
                texts = [self.game.move_text(number) for number in choices]
                place = texts.index(move.text)
                pace = move.seconds if self.record.agents[move.player] == HUMAN else None
                made.append(
                    Decision(move.player, place, move.summary, pace, move.text, move.seconds)
                )
        return tuple(made)


def statements(words: str) -> list[str]:
    """What a text about hidden things says, one by one.

    >>> statements("player 1: 2 ore, 1 wheat | player 2: nothing")
    ['player 1: 2 ore', 'player 1: 1 wheat', 'player 2: nothing']
    >>> statements("spies: 1 and 3")
    ['spies: 1 and 3']
    """
    found = []
    for part in (one.strip() for line in words.splitlines() for one in line.split(" | ")):
        head, colon, tail = part.partition(": ")
        items = tail.split(", ") if colon else [part]
        found += [f"{head}: {item}" if colon else item for item in items]
    return [text for text in found if text]


def taken_apart(shares: Marginals) -> dict[str, float]:
    """The share of each single statement.

    >>> taken_apart([("a | b", 0.75), ("a | c", 0.25)])
    {'a': 1.0, 'b': 0.75, 'c': 0.25}
    """
    found: dict[str, float] = {}
    for words, share in shares:
        for text in statements(words):
            found[text] = found.get(text, 0.0) + share
    return found


def spread(plies_: Sequence[int], most: int = MOST_COLUMNS) -> list[int]:
    """At most so many of them, evenly.

    >>> spread(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(plies_) <= most:
        return list(plies_)
    return [plies_[round(k * (len(plies_) - 1) / (most - 1))] for k in range(most)]
