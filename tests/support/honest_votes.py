"""A simultaneous choice of three: those who have chosen wait, some of them after others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facedown.core import CHANCE, OVER, Stream

SPY_UNKNOWN = -1


@dataclass
class Ballot:
    spy: int | None = None
    pending: dict[int, str] = field(default_factory=dict)
    votes: list[tuple[str, ...]] = field(default_factory=list)


class Votes:
    """One of three is the spy and knows it; all vote at once, twice. He gains by what they reject.

    Whoever has voted before another still sees none of the votes that wait.
    """

    players, bounds, most_plies = 3, (0.0, 2.0), 7

    def start(self) -> Ballot:
        return Ballot()

    def turn(self, s: Ballot) -> int:
        if s.spy is None:
            return CHANCE
        waiting = [player for player in range(3) if player not in s.pending]
        return OVER if len(s.votes) == 2 else waiting[0]

    def legal(self, s: Ballot) -> list[Any]:
        return [("spy", k) for k in range(3)] if s.spy is None else ["yes", "no"]

    def apply(self, s: Ballot, move: Any) -> None:
        if s.spy is None:
            s.spy = move[1]
            return
        s.pending[self.turn(s)] = move
        if len(s.pending) == 3:
            s.votes.append(tuple(s.pending[player] for player in range(3)))
            s.pending = {}

    def sees(self, s: Ballot, move: Any, viewer: int) -> Any:
        if s.spy is None:
            return ("spy", move[1] == viewer)
        if len(s.pending) == 2:
            votes = {**s.pending, self.turn(s): move}
            return tuple(votes[player] for player in range(3))
        return move if viewer == self.turn(s) else None

    def payoff(self, s: Ballot) -> list[float]:
        rejected = float(sum(vote.count("no") > 1 for vote in s.votes))
        return [rejected if player == s.spy else 2.0 - rejected for player in range(3)]

    def hide(self, s: Ballot, viewer: int) -> None:
        if s.spy is not None and s.spy != viewer:
            s.spy = SPY_UNKNOWN
        s.pending = {player: vote for player, vote in s.pending.items() if player == viewer}

    def infoset(self, s: Ballot, viewer: int) -> Any:
        spy = s.spy if s.spy in (None, viewer) else SPY_UNKNOWN
        return spy, s.pending.get(viewer), tuple(s.votes)

    def determinize(self, s: Ballot, viewer: int, stream: Stream) -> None:
        if s.spy == SPY_UNKNOWN:
            s.spy = stream.choice([player for player in range(3) if player != viewer])


class GuessesWaitingVotes(Votes):
    """Fills in the votes of those who sit before the viewer, which the view has withdrawn."""

    def determinize(self, s: Ballot, viewer: int, stream: Stream) -> None:
        super().determinize(s, viewer, stream)
        if len(s.votes) < 2 and viewer not in s.pending:
            s.pending = {player: stream.choice(["yes", "no"]) for player in range(viewer)}
