"""Whole games by our rules, told as a server tells them: what a seat makes of them is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic, sleep
from typing import ClassVar

import numpy as np
import pytest

from facedown.agents.base import Agent, RandomAgent
from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers import table as tb
from facedown.bridges.jsettlers.client import Account, Limits, Robot
from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.mind import Mind, Rehearsal
from facedown.bridges.jsettlers.minds import Minds
from facedown.bridges.jsettlers.needs import Need, need_of, plain_requests
from facedown.bridges.jsettlers.seat import Seat
from facedown.bridges.jsettlers.sitting import Result
from facedown.bridges.jsettlers.views import Viewer
from facedown.core import Game, Position, SpecError, Stream
from facedown.games.registry import load_game
from facedown.games.settlers import moves as m
from support.jsettlers_servers import Guest, HungUpError, server
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
    """A server's side of games one after another, with nonsense between its messages.

    After `requests` of them, if so many are made, it hangs up. `slowest` is the longest that a
    request was waited for.
    """

    def __init__(self, game: Game, games: int = 1, requests: int = 10**9) -> None:
        self.game, self.games, self.requests = game, games, requests
        self.tables: list[Table] = []
        self.slowest = 0.0

    def serve(self, guest: Guest) -> None:
        guest.let_in()
        for _ in range(self.games):
            self.play(guest)
        guest.say("1069|23,the end")

    def play(self, guest: Guest) -> None:
        guest.say("1023|g,1,PL=4")
        guest.hear_until("1013|")
        guest.say("1021|g")
        guest.hear_until("1012|")
        noise, said = Stream(9), monotonic()

        def tell(seat: int, message: Message) -> None:
            nonlocal said
            if noise.below(10) == 0:
                guest.say("1099|g,what", "1026|g,7,7", "\0", "9999|5")
            guest.say(str(message))
            said = monotonic()

        def ask(seat: int) -> Message:
            while True:
                message = say.parse(guest.hear(60.0), say.FROM_ROBOT)
                assert isinstance(message, Message)
                if not isinstance(message, say.Ping):
                    break
            self.slowest = max(self.slowest, monotonic() - said)
            self.requests -= 1
            if self.requests < 0:
                guest.say("1069|23,the end")
                raise HungUpError("enough")
            return message

        table = Table(self.game, 11 + len(self.tables), [1], tell, ask, first=2)
        self.tables.append(table)
        table.play()
        guest.say("1015|g")


def at_the_table(spec: str, noisy: Noisy, **limits: float) -> list[Result]:
    """The results of an agent's robot at such a server."""
    minds = Minds(spec, seed=5)
    try:
        minds.ready()
        with server(noisy.serve) as (port, _):
            account = Account("127.0.0.1", port, "", "player 1")
            return list(Robot(account, minds, Limits(**limits)).run())  # type: ignore[arg-type]
    finally:
        minds.close()


def quiet(noisy: Noisy, log: str) -> None:
    """Nothing was refused, nothing differed, and every decision was the agent's own."""
    assert [table.refused for table in noisy.tables] == [0] * len(noisy.tables)
    assert "any legal request" not in log
    assert "no time was left" not in log
    assert "the rules say" not in log


@pytest.mark.parametrize(
    ("spec", "games"), [pytest.param("random", 1, marks=pytest.mark.slow), ("scripted", 2)]
)
def test_whole_games_one_after_another(
    game: Game, caplog: pytest.LogCaptureFixture, spec: str, games: int
) -> None:
    noisy = Noisy(game, games)
    results = at_the_table(spec, noisy)
    assert [max(result.points) >= 10 for result in results] == [True] * games
    quiet(noisy, caplog.text)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["so-ismcts:iterations=30", "pomcp:iterations=30"])
def test_whole_games_of_agents_that_search(
    game: Game, caplog: pytest.LogCaptureFixture, spec: str
) -> None:
    noisy = Noisy(game)
    [result] = at_the_table(spec, noisy)
    assert max(result.points) >= 10
    quiet(noisy, caplog.text)


@pytest.mark.parametrize("spec", ["so-ismcts", "pomcp"])
def test_no_budget_is_more_than_the_server_waits_for(
    game: Game, caplog: pytest.LogCaptureFixture, spec: str
) -> None:
    noisy = Noisy(game, requests=4)
    [result] = at_the_table(f"{spec}:iterations=10_000_000", noisy, thinking=1.0)
    assert result.points == ()
    assert noisy.slowest < 3.0
    quiet(noisy, caplog.text)


@dataclass(eq=False)
class Broken(RandomAgent):
    """Fails where it has to answer an offer, and takes its time for nothing else."""

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        if m.REJECT in legal:
            raise ZeroDivisionError("no idea")
        return super().choose(view, legal)


def test_an_agent_that_cannot_play_is_known_before_it_sits_down() -> None:
    with pytest.raises(SpecError, match="Broken cannot play: ZeroDivisionError: no idea"):
        Mind(f"{__file__}:Broken", 1).warm_up()


@dataclass(eq=False)
class Late(RandomAgent):
    """Takes longer for its first decision than any clock there would allow, as if it compiled."""

    ready: ClassVar[bool] = False

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        if not Late.ready:
            sleep(0.5)
            Late.ready = True
        return super().choose(view, legal)


def test_nobody_hurries_an_agent_that_gets_ready() -> None:
    rehearsed = Mind("random", 1)
    seat = Seat("rehearsal", 0, lambda table: late(rehearsed, table), strict=False)
    Rehearsal(seat, "Late").play()
    assert Late.ready


def late(mind: Mind, table: tb.Table) -> tuple[Viewer, Agent]:
    viewer, agent = mind.sit(table)
    return viewer, Late(viewer.game, agent.player, 1)
