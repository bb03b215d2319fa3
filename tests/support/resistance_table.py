"""Hand-made games of The Resistance: whole votes and missions at once."""

from __future__ import annotations

from facedown.core import OVER, Position, Stream
from facedown.games.resistance.rules import APPROVE, FAIL, REJECT, SUCCESS
from support.playing import game


def spec(players: int) -> str:
    return f"resistance:players={players}"


def dealt(players: int, *spies: int) -> Position:
    """The position after the deal."""
    position = game(spec(players)).start()
    say(position, f"spies {' '.join(map(str, spies))}")
    return position


def say(position: Position, *moves: str) -> Position:
    """Play moves by their text."""
    for move in moves:
        position.apply(position.game.parse_move(move, position.legal()))
    return position


def vote(position: Position, approve: int) -> Position:
    """The first `approve` players approve, the others reject."""
    for player in range(position.game.players):
        assert position.turn() == player
        position.apply(APPROVE if player < approve else REJECT)
    return position


def propose(position: Position, *team: int) -> Position:
    """The leader proposes a team."""
    return say(position, f"team {' '.join(map(str, team))}")


def send(position: Position, *team: int) -> Position:
    """A team is proposed and approved by all."""
    return vote(propose(position, *team), position.game.players)


def mission(position: Position, *team: int, fails: tuple[int, ...] = ()) -> Position:
    """A team is sent; those of `fails` sabotage."""
    send(position, *team)
    for player in sorted(team):
        assert position.turn() == player
        position.apply(FAIL if player in fails else SUCCESS)
    return position


def reject(position: Position) -> Position:
    """The leader's first team is rejected by all."""
    position.apply(position.legal()[0])
    return vote(position, 0)


def spies_won(position: Position) -> bool:
    """Who has won; the game must be over."""
    assert position.turn() == OVER
    spies = int(position.record["spies"])
    payoffs = position.payoff()
    won = {payoffs[player] for player in range(len(payoffs)) if spies >> player & 1}
    lost = {payoffs[player] for player in range(len(payoffs)) if not spies >> player & 1}
    assert (won, lost) in (({1.0}, {0.0}), ({0.0}, {1.0}))
    return won == {1.0}


def share_of_spies(games: int, seed: int, choose) -> float:
    """How often the spies win games of five in which `choose(legal, stream)` makes every move."""
    stream, won = Stream(seed), 0
    for _ in range(games):
        position = game("resistance").start()
        while not position.over:
            position.apply(choose(position.legal(), stream))
        won += spies_won(position)
    return won / games
