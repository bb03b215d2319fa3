"""A robot for tests at a server for tests: who decides for it, and how a game of it begins."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import monotonic

from facedown.bridges.jsettlers.client import Account, Limits, Robot
from facedown.bridges.jsettlers.sitting import Decision, Result, SeatId
from support.jsettlers_servers import Guest, Script, server
from support.jsettlers_talk import BOARD, PLACED, SEATED


class Thinker:
    """Decides by a list of requests, in turn, and then nothing."""

    def __init__(self, *requests: str | Exception | None) -> None:
        self.requests, self.refused = list(requests), list[set[str]]()
        self.forgotten: list[str] = []
        self.left: list[float] = []  # seconds that each decision had
        self.offers: list[bool] = []  # whether it had time for an offer

    def decide(
        self,
        seat_id: SeatId,
        texts: Sequence[str],
        refused: Collection[str],
        deadline: float,
        *,
        offers: bool,
    ) -> Decision:
        self.refused.append(set(refused))
        self.left.append(deadline - monotonic())
        self.offers.append(offers)
        request = self.requests.pop(0) if self.requests else None
        if isinstance(request, Exception):
            raise request
        return Decision(request)

    def forget(self, seat_id: SeatId) -> None:
        self.forgotten.append(seat_id.game)


def play(
    *scripts: Script, decider: Thinker | None = None, games: int | None = None, **more: object
) -> tuple[list[Result], list[Guest]]:
    """The results of a robot at a server that goes by scripts, and the server's guests."""
    with server(*scripts) as (port, guests):
        account = Account("127.0.0.1", port, "secret", "me")
        robot = Robot(account, decider or Thinker(), Limits(games, retries=2, **more))  # type: ignore[arg-type]
        results = list(robot.run())
    return results, guests


def asked(guest: Guest, game: str = "g", seat: int = 1) -> None:
    """Ask a robot into a game, and see it sit down."""
    guest.say(f"1023|{game},{seat},PL=4")
    assert guest.hear_until("1013|") == f"1013|me,\t,\t,{game}"
    guest.say(f"1021|{game}")
    assert guest.hear_until("1012|") == f"1012|{game},\t,{seat},true"


def begun(guest: Guest, *more: str, game: str = "g") -> None:
    """A robot logged in, seated, and a game in which all have placed."""
    guest.let_in()
    asked(guest, game)
    texts = [BOARD, *SEATED, *PLACED, *more]
    guest.say(*[text.replace("|g", f"|{game}", 1) for text in texts])


def shut(guest: Guest) -> None:
    guest.say("1069|23,>>> Shutting down server. <<<")


OVER = ["1025|g,1000", "1061|g,2,10,2,2,true,true,true,true", "1015|g"]
