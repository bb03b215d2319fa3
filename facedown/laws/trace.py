"""A whole random game as short digests of all that its rules said: equal rules, equal traces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facedown.core import CHANCE, OVER, PUBLIC, Game, Position, Stream, derive
from facedown.laws.probes import draws, move_name, move_value, raw_payoff, raw_weights, short
from facedown.laws.stories import explained, pick_move, playable

MOST_PLIES = 400
"""A trace stops here; what differs later has as a rule differed before."""


@dataclass(frozen=True)
class Mark:
    """One position of a trace: the move that led to it, and a digest for each kind of answer."""

    move: str
    answers: dict[str, str]

    def differs(self, other: Mark) -> list[str]:
        """The kinds of answers in which two marks differ."""
        return [kind for kind in self.answers if self.answers[kind] != other.answers.get(kind)]


def _hex(*parts: object) -> str:
    return short(repr(parts).encode()).hex()[:16]


def _answers(position: Position, legal: list[int], seed: int, worlds: bool) -> dict[str, str]:
    game, turn = position.game, position.turn()
    viewers = (*range(game.players), PUBLIC)
    views = [position.view(viewer) for viewer in viewers]
    answers = {
        "the state": _hex(position.digest()),
        "turn": str(turn),
        "legal": _hex([move_value(game, move) for move in legal]),
        "hide": _hex([view.digest() for view in views]),
        "infoset": _hex([position.infoset(viewer) for viewer in viewers]),
    }
    if legal:
        few = legal[:16]
        answers["sees"] = _hex([position.sees(m, viewer) for m in few for viewer in viewers])
    if turn == CHANCE and game.has("weights"):
        answers["weights"] = _hex(raw_weights(position))
    if turn == OVER:
        answers["payoff"] = _hex(raw_payoff(position))
    if worlds and game.has("determinize"):
        for viewer, view in zip(viewers, views, strict=True):
            if draws(view, viewer):
                view.determinize(viewer, Stream(derive(seed, "world", viewer)))
        answers["determinize"] = _hex([view.digest() for view in views])
    return answers


def trace(game: Game, seed: int, *, worlds: bool = False) -> Iterator[Mark]:
    """The marks of the random game of this seed, with sampled worlds where they are asked for.

    A rule that raises does so as a RuleError.
    """
    stream = Stream(derive(seed, "trace"))
    moves: list[str] = []
    try:
        position = game.start()
        last = "the start"
        for ply in range(MOST_PLIES):
            legal = playable(position)
            yield Mark(last, _answers(position, legal, derive(seed, "ply", ply), worlds))
            if not legal:
                return
            move = pick_move(position, legal, stream)
            last = move_name(game, move)
            moves.append(last)
            position.play(move)
    except Exception as error:
        raise explained(error).within(seed=seed, moves=moves) from error


def first_difference(one: list[Mark], other: list[Mark]) -> tuple[int, list[str]] | None:
    """The first ply at which two traces differ, and in what; None where they are equal."""
    for ply, (a, b) in enumerate(zip(one, other, strict=False)):
        if a.move != b.move:
            return ply, ["the move chosen"]
        kinds = a.differs(b)
        if kinds:
            return ply, kinds
    if len(one) != len(other):
        return min(len(one), len(other)), ["the length of the game"]
    return None
