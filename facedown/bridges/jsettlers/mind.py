"""The mind of a robot: the seats of all its games, and the agents on them.

It runs in a process of its own (`facedown.ggp.worker`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import monotonic

from facedown.agents.base import Agent
from facedown.agents.registry import agent_class, check_agent, make_agent
from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.fields import SEATS, Message
from facedown.bridges.jsettlers.mirror.numbers import GAIN
from facedown.bridges.jsettlers.needs import Need, plain_requests
from facedown.bridges.jsettlers.seat import Seat
from facedown.bridges.jsettlers.sitting import SeatId
from facedown.bridges.jsettlers.table import PLACEMENTS, Table
from facedown.bridges.jsettlers.views import NoViewError, Viewer, layout_of, seating
from facedown.core import Game, SpecError, derive
from facedown.games.registry import load_game
from facedown.games.settlers import setup
from facedown.games.settlers.state import DESERT

GAMES = {players: f"settlers:offers=table,players={players}" for players in (3, 4)}
REHEARSAL = "rehearsal"
_A_MOMENT = 0.1  # seconds for a decision there


class Mind:
    """Plays by an agent's spec. SpecError, with what is wrong, where it cannot."""

    def __init__(self, spec: str, seed: int) -> None:
        self.spec, self.seed = spec, seed
        self._games: dict[int, Game] = {}
        self._seats: dict[SeatId, Seat] = {}
        self._made = 0

    def warm_up(self) -> None:
        """Check the spec, and have all that is compiled ready."""
        game = self.game(max(GAMES))
        if agent_class(self.spec, game).cheats:
            raise SpecError(f"{self.spec} wants to see what no server tells")
        check_agent(self.spec, game)
        Rehearsal(Seat(REHEARSAL, 0, self.sit, strict=False), self.spec).play()

    def game(self, players: int) -> Game:
        """The game for so many, loaded once."""
        if players not in self._games:
            self._games[players] = load_game(GAMES[players])
        return self._games[players]

    def sit(self, table: Table) -> tuple[Viewer, Agent]:
        """How a table is seen, and the agent that plays there; NoViewError where none can."""
        players = len(seating(table))
        if players not in GAMES:
            raise NoViewError(f"{players} sit at the table; 3 or 4 can play")
        viewer = Viewer(self.game(players), table)
        self._made += 1
        seed = derive(self.seed, "agent", self._made)
        return viewer, make_agent(self.spec, viewer.game, viewer.player[table.me], seed)

    def decide(
        self,
        seat_id: SeatId,
        texts: Sequence[str],
        begin: int,
        refused: Collection[str],
        deadline: float,
        offers: bool,
    ) -> tuple[str | None, str]:
        """A request by a time of the monotonic clock, None without one, and a note.

        `texts` is what the server said since the last time: the game's texts from `begin` on.
        `offers`: whether there is time to make one.
        """
        if begin == 0 or seat_id not in self._seats:
            self._seats[seat_id] = Seat(seat_id.game, seat_id.seat, self.sit)
        there = self._seats[seat_id]
        there.hear(texts)
        request, note = there.decide(refused, deadline, offers=offers)
        return (None if request is None else str(request)), note

    def forget(self, seat_id: SeatId) -> None:
        """The game is over."""
        self._seats.pop(seat_id, None)


class Rehearsal:
    """A table of our own, where an agent decides once about all that it may be asked.

    What is compiled is ready then; and an agent that cannot play is known before it sits down.
    """

    def __init__(self, seat: Seat, spec: str) -> None:
        self._seat, self._spec = seat, spec

    def play(self) -> None:
        """The placement and some turns, of which seat 0 has the first. SpecError."""
        self._place()
        name, me, other = REHEARSAL, 0, 1
        self._ask(say.Turn(name, me, tb.ROLL))
        self._ask(say.Dice(name, 8), say.GameState(name, tb.PLAY))
        self._ask(*(say.Element(name, me, GAIN, kind, 2) for kind in range(1, 6)))
        self._ask(say.GameState(name, tb.FREE_ROAD))
        robbed = [say.Element(name, seat, GAIN, 1, 1) for seat in range(1, SEATS)]
        self._ask(*robbed, say.GameState(name, tb.MOVING_ROBBER))
        victims = say.ChooseVictim(name, tuple(seat != me for seat in range(SEATS)))
        self._ask(say.GameState(name, tb.CHOOSING_VICTIM), victims)
        turn = say.Turn(name, other, tb.ROLL)
        self._ask(turn, say.Dice(name, 7), say.GameState(name, tb.DISCARDING))
        offer = say.Offer(name, other, (True, *(False,) * 3), (1, 0, 0, 0, 0), (0, 1, 0, 0, 0))
        self._ask(say.GameState(name, tb.PLAY), offer)

    def _hear(self, *messages: Message) -> None:
        self._seat.hear([str(message) for message in messages])

    def _ask(self, *messages: Message) -> None:
        """Say something, and have the agent decide."""
        self._hear(*messages)
        _, note = self._seat.decide((), monotonic() + _A_MOMENT)
        if note:
            raise SpecError(f"{self._spec} cannot play: {note}")

    def _place(self) -> None:
        name, table, board = REHEARSAL, self._seat.mirror.table, setup.random_board(0)
        self._hear(layout_of(name, board, board.hexes.index(DESERT)))
        self._hear(*(say.SitDown(name, f"player {k}", k, True) for k in range(SEATS)))
        self._hear(say.Started(name, PLACEMENTS[0]))
        for k, player in enumerate([*range(SEATS), *reversed(range(SEATS))]):
            settle, pave = PLACEMENTS[:2] if k < SEATS else PLACEMENTS[2:]
            self._hear(say.Turn(name, player, settle))
            for state, need in ((settle, Need.SETTLEMENT), (pave, Need.ROAD)):
                self._ask(say.GameState(name, state))
                table.me, me = player, table.me
                request = next(plain_requests(name, table, need))
                table.me = me
                self._hear(request)
