"""What a belief about hidden hands is worth: they stand in another seat's recording of the game.

Recordings of one game are matched by its board, moments in it by its turns, which all are told. The
factored belief (`games/settlers/belief.py`), by either account of discards, is held against the
bounds of the memo (`games/settlers/memory.py`), every hand within them as likely as any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log
from pathlib import Path

from facedown.agents.base import Agent
from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.board import read_layout
from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.mind import Mind
from facedown.bridges.jsettlers.mirror import Mirror
from facedown.bridges.jsettlers.recording import Said, seat_games
from facedown.bridges.jsettlers.seat import Seat
from facedown.bridges.jsettlers.table import FIRST_SETTLEMENT, ROLL, Table
from facedown.bridges.jsettlers.views import Viewer
from facedown.core.memo import Memo
from facedown.games.settlers.belief import FactoredBelief
from facedown.games.settlers.memory import possible_hands

Hand = tuple[int, ...]


@dataclass
class Score:
    """How likely hidden hands were held to be: sums of natural logarithms over `hands` of them.

    `certain` of them were known, `impossible` had no chance in the belief, `outside` lay beyond the
    bounds. Where that happens a sum is minus infinity.
    """

    hands: int = 0
    belief: float = 0.0
    by_kind: float = 0.0
    bounds: float = 0.0
    certain: int = 0
    impossible: int = 0
    outside: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            *(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True))
        )


class Listener(Agent):
    """Sits in an agent's place and only listens."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.belief, self.memo = FactoredBelief(self.player), Memo(self.game)
        self.by_kind = FactoredBelief(self.player, by_kind=True)

    def observe(self, token: int, text: str) -> None:
        self.belief.observe(token)
        self.by_kind.observe(token)
        self.memo.remember(token, self.player)

    def judge(self, player: int, hand: Hand) -> Score:
        """What was thought of a hand that a player really had."""
        hands, memo, at = self.belief.hands[player], self.memo.record, 5 * player
        shares = hands.share(hand), self.by_kind.hands[player].share(hand)
        low, high = (memo[name][at : at + 5] for name in ("low", "high"))
        within = all(a <= n <= b for a, n, b in zip(low, hand, high, strict=True))
        return Score(
            hands=1,
            belief=_log(shares[0]),
            by_kind=_log(shares[1]),
            bounds=-log(possible_hands(memo, player)) if within else -inf,
            certain=len(hands) == 1,
            impossible=min(shares) <= 0,
            outside=not within,
        )


def _log(share: float) -> float:
    return log(share) if share > 0 else -inf


@dataclass(frozen=True)
class Part:
    """A game as one seat heard it from its start: what was said, and the turns that began."""

    seat: int
    talk: Sequence[Said]
    turns: Sequence[tuple[int, int]]  # player and state
    hands: Sequence[Hand | None]  # of the seat itself when they began, None where it is not known


def parts(paths: Iterable[Path]) -> list[list[Part]]:
    """Games that were heard from several seats, all of a game's together."""
    found: dict[str, dict[int, Part]] = defaultdict(dict)
    for path in paths:
        for seat, talk in seat_games(path):
            board, part = _heard(seat, talk)
            if board and part.turns and part.turns[0][1] == FIRST_SETTLEMENT:
                found[board].setdefault(seat, part)
    return [list(seats.values()) for seats in found.values() if len(seats) > 1]


def _messages(talk: Sequence[Said]) -> Iterator[tuple[str, Message]]:
    for said in talk:
        message = say.parse(said.text)
        if said.side == "S" and isinstance(message, Message):
            yield said.text, message


def _heard(seat: int, talk: Sequence[Said]) -> tuple[str, Part]:
    """A game by its board, and what the seat itself held whenever a turn began."""
    mirror, board = Mirror(seat), ""
    turns: list[tuple[int, int]] = []
    hands: list[Hand | None] = []
    for text, message in _messages(talk):
        mirror.take(message)
        if isinstance(message, say.BoardLayout):
            laid = read_layout(message.kinds, message.numbers, message.robber)
            board = text if laid is not None else board
        elif isinstance(message, say.Turn):
            hand = mirror.table.own.hand
            turns.append((message.player, message.state))
            hands.append(tuple(hand.least) if hand.exact else None)
    return board, Part(seat, talk, turns, hands)


def score(one: Part, game: Sequence[Part]) -> Score:
    """What a seat believed of the others' hands whenever a turn began, in one of `parts`' games."""
    others = [part for part in game if part is not one]
    listeners: list[tuple[Viewer, Listener]] = []

    def sit(table: Table) -> tuple[Viewer, Agent]:
        viewer = Viewer(_MIND.game(sum(bool(place.name) for place in table.places)), table)
        listeners.append((viewer, Listener(viewer.game, viewer.player[table.me], 0)))
        return listeners[-1]

    seat, found, turn = Seat("", one.seat, sit), Score(), -1
    for text, message in _messages(one.talk):
        seat.hear([text])
        if not isinstance(message, say.Turn):
            continue
        turn += 1
        if not listeners or message.state < ROLL:
            continue
        viewer, listener = listeners[0]
        for other in others:
            hand = _hand_at(one, other, turn)
            if hand is not None:
                found += listener.judge(viewer.player[other.seat], hand)
    return found


_MIND = Mind("random", 0)


def _hand_at(one: Part, other: Part, turn: int) -> Hand | None:
    """What the other held when a turn began that both heard of; None where that is not known."""
    if turn >= len(other.turns) or other.turns[turn] != one.turns[turn]:
        return None
    return other.hands[turn]
