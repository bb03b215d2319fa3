"""The mind of a robot: the seats of all its games, and the agents on them.

It runs in a process of its own (`facedown.ggp.worker`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import monotonic

from facedown.agents.base import Agent
from facedown.agents.registry import agent_class, check_agent, make_agent
from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.fields import SEATS, Message
from facedown.bridges.jsettlers.needs import Need, need_of, plain_requests
from facedown.bridges.jsettlers.seat import Seat
from facedown.bridges.jsettlers.table import PLACEMENTS, Table
from facedown.bridges.jsettlers.views import NoViewError, Viewer, layout_of, seating
from facedown.core import Game, SpecError, derive
from facedown.games.registry import load_game
from facedown.games.settlers import setup

GAMES = {players: f"settlers:offers=table,players={players}" for players in (3, 4)}
REHEARSAL = "rehearsal"


class Mind:
    """Plays by an agent's spec. SpecError, with what is wrong, where it cannot."""

    def __init__(self, spec: str, seed: int) -> None:
        self.spec, self.seed = spec, seed
        self._games: dict[int, Game] = {}
        self._seats: dict[str, Seat] = {}
        self._made = 0

    def warm_up(self) -> None:
        """Check the spec, and have all that is compiled ready."""
        game = self.game(max(GAMES))
        if agent_class(self.spec, game).cheats:
            raise SpecError(f"{self.spec} wants to see what no server tells")
        check_agent(self.spec, game)
        rehearse(Seat(REHEARSAL, 0, self.sit))

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
        game: str,
        seat: int,
        texts: Sequence[str],
        begin: int,
        refused: Collection[str],
        deadline: float,
    ) -> tuple[str | None, str]:
        """A request by a time of the monotonic clock, None without one, and a note.

        `texts` is what the server said since the last time: the game's texts from `begin` on.
        """
        if begin == 0 or game not in self._seats:
            self._seats[game] = Seat(game, seat, self.sit)
        there = self._seats[game]
        there.hear(texts)
        request, note = there.decide(refused, deadline)
        return (None if request is None else str(request)), note

    def forget(self, game: str) -> None:
        """The game is over."""
        self._seats.pop(game, None)


def rehearse(seat: Seat) -> None:
    """Play the placement and a turn at a table of our own: what is compiled is ready then."""
    name, table = seat.game, seat.mirror.table
    board = setup.random_board(0)
    begin: list[Message] = [layout_of(name, board, board.hexes.index(5))]
    begin += [say.SitDown(name, f"player {k}", k, True) for k in range(SEATS)]
    seat.hear([str(message) for message in [*begin, say.Started(name, PLACEMENTS[0])]])
    order = [*range(SEATS), *reversed(range(SEATS))]
    for k, player in enumerate(order):
        settle, pave = PLACEMENTS[:2] if k < SEATS else PLACEMENTS[2:]
        seat.hear([str(say.Turn(name, player, settle))])
        seat.decide((), monotonic() + 0.1)
        for state in (settle, pave):
            seat.hear([str(say.GameState(name, state))])
            table.me, me = player, table.me
            need = need_of(table) or Need.ROAD
            request = next(plain_requests(name, table, need))
            table.me = me
            seat.hear([str(request)])
    seat.hear([str(say.Turn(name, 0, 15)), str(say.Dice(name, 8)), str(say.GameState(name, 20))])
    seat.decide((), monotonic() + 0.1)
