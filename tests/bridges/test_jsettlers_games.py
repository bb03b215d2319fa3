"""Whole games by our rules, told as a server tells them: what a seat makes of them is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic

import numpy as np
import pytest

from facedown.agents.base import Agent, RandomAgent
from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.client import Account, Robot
from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.minds import Minds
from facedown.bridges.jsettlers.needs import Need, need_of, plain_requests
from facedown.bridges.jsettlers.seat import Seat
from facedown.bridges.jsettlers.views import Viewer
from facedown.core import Game, Position, Stream
from facedown.games.registry import load_game
from support.jsettlers_servers import Guest, server
from support.jsettlers_table import Table, view_of

HIDDEN = ("bank", "deck")
BLANK = {"board"}  # a key of the island, which is another where chance did not lay it out


class Listener(RandomAgent):
    """Plays at random, makes few offers, and keeps what it is told."""

    def __init__(self, game: Game, player: int, seed: int) -> None:
        super().__init__(game, player, seed)
        self.tokens: list[int] = []

    def observe(self, token: int, text: str) -> None:
        assert text
        self.tokens.append(token)


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("settlers:offers=table")


class Players:
    """Seats that listen to a table of ours and ask it for what their agents decide."""

    def __init__(self, game: Game, robots: Iterable[int], check: Callable[[Seat], None]) -> None:
        self._game, self._check = game, check
        self.seats = {seat: Seat("g", seat, self.sit) for seat in robots}
        self.listeners: dict[int, Listener] = {}

    def sit(self, table: tb.Table) -> tuple[Viewer, Agent]:
        viewer = Viewer(self._game, table)
        agent = Listener(self._game, viewer.player[table.me], table.me)
        self.listeners[table.me] = agent
        return viewer, agent

    def tell(self, seat: int, message: Message) -> None:
        self.seats[seat].hear([str(message)])

    def ask(self, seat: int) -> Message:
        """What a seat asks for; nothing may have gone wrong."""
        here = self.seats[seat]
        need = need_of(here.mirror.table)
        assert need is not None
        if need == Need.REPLIES:
            return next(plain_requests("g", here.mirror.table, need))
        if need not in (Need.PLENTY, Need.MONOPOLY):
            self._check(here)
        request, note = here.decide((), monotonic() + 60)
        assert note == ""
        assert request is not None
        return request


def same(mine: Position, true: Position) -> None:
    """Two views, field by field."""
    for name in true.record.dtype.names:
        if name not in BLANK:
            assert np.array_equal(mine.record[name], true.record[name]), name


@pytest.mark.parametrize(("seed", "robots"), [(1, [1]), (2, [0, 3]), (3, [0, 1, 2, 3])])
def test_a_seat_sees_what_a_player_of_the_game_sees(
    game: Game, seed: int, robots: list[int]
) -> None:
    def check(seat: Seat) -> None:
        need = need_of(seat.mirror.table)
        assert seat.viewer is not None
        assert need is not None
        mine = seat.viewer.view(need)
        same(mine, view_of(table, seat.mirror.table.me))
        assert sorted(mine.legal()) == sorted(table.truth.legal())
        assert not any(mine.record[name] for name in HIDDEN)

    players = Players(game, robots, check)
    table = Table(game, seed, robots, players.tell, players.ask, first=seed % 4)
    table.begin()
    for _ in range(600):
        if not table.truth.over:
            table.step()
    for number, seat in players.seats.items():
        assert seat.mirror.differences == []
        assert seat.mirror.checked["production"] > 10
        player = table.seats.index(number)
        tokens = players.listeners[number].tokens
        assert tokens == table.tokens[player][: len(tokens)]
        assert len(table.tokens[player]) - len(tokens) < 20
    assert table.refused == 0


def test_a_game_is_played_to_its_end(game: Game) -> None:
    players = Players(game, [2], lambda seat: None)
    table = Table(game, 7, [2], players.tell, players.ask)
    winner = table.play()
    mirror = players.seats[2].mirror
    assert mirror.final is not None
    assert mirror.final[winner] >= 10
    assert mirror.differences == []
    assert mirror.checked["points"] == 4


def test_refused_requests_are_not_chosen_again(game: Game) -> None:
    players = Players(game, [0], lambda seat: None)
    table = Table(game, 4, [0], players.tell, players.ask)
    table.begin()
    seat, refused = players.seats[0], set[str]()
    for _ in range(54):
        request, _ = seat.decide(refused, monotonic() + 60)
        assert str(request) not in refused
        refused.add(str(request))
    assert seat.decide(refused, monotonic() + 60)[0] is None


def test_no_trades_and_no_robber_in_the_desert_where_a_server_says_so(game: Game) -> None:
    players = Players(game, [0], lambda seat: None)
    table = Table(game, 5, [0], players.tell, players.ask)
    players.tell(0, say.JoinRequest("g", 0, ("NT=t", "RD=t")))
    table.begin()
    seen = set()
    for _ in range(800):
        if not table.truth.over:
            table.step()
        seat = players.seats[0]
        need = need_of(seat.mirror.table)
        if need in (Need.PLAY, Need.ROBBER):
            seen.add(need)
            request, _ = seat.decide((), monotonic() + 60)
            assert not isinstance(request, say.Offer)
            desert = {hex_ for hex_, kind in seat.mirror.table.board.resource.items() if not kind}  # type: ignore[union-attr]
            assert not isinstance(request, say.MoveRobber) or request.coord not in desert
    assert seen == {Need.PLAY, Need.ROBBER}


# --- over a line, with an agent that thinks in a process of its own -------------------------------


class Noisy:
    """A server's side of a game, with nonsense between its messages."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table: Table | None = None

    def serve(self, guest: Guest) -> None:
        guest.let_in()
        guest.say("1023|g,1,PL=4")
        guest.hear_until("1013|")
        guest.say("1021|g")
        guest.hear_until("1012|")
        noise = Stream(9)

        def tell(seat: int, message: Message) -> None:
            if noise.below(10) == 0:
                guest.say("1099|g,what", "1026|g,7,7", "\0", "9999|5")
            guest.say(str(message))

        def ask(seat: int) -> Message:
            while True:
                message = say.parse(guest.hear(), say.FROM_ROBOT)
                assert isinstance(message, Message)
                if not isinstance(message, say.Ping):
                    return message

        self.table = Table(self.game, 11, [1], tell, ask, first=2)
        self.table.play()
        guest.say("1069|23,the end")


def test_a_whole_game_over_a_line(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    minds = Minds("random", seed=5)
    noisy = Noisy(game)
    try:
        minds.ready()
        with server(noisy.serve) as (port, _):
            robot = Robot(Account("127.0.0.1", port, "", "player 1"), minds)
            [result] = robot.run()
    finally:
        minds.close()
    assert noisy.table is not None
    assert max(result.points) >= 10
    assert noisy.table.refused == 0
    assert "any legal request" not in caplog.text
    assert "the rules say" not in caplog.text
