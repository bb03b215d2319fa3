"""Networks that learn The Resistance by playing it: what won is made likelier (REINFORCE).

Williams 1992: the gradient of the expected payoff is that of the choices' log-likelihood, each
weighted by the payoff of its game less what its role wins on average. Pupils play among themselves,
or alone among strangers to learn from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import SpecError, Stream, derive
from facedown.games.resistance import Resistance
from facedown.games.resistance.crowd import Crowd
from facedown.games.resistance.layout import PROPOSING
from facedown.learn.minds import Adam, Array, Net, Progress, gradients
from facedown.strangers.halves import seated
from facedown.strangers.lessons import PUPIL, lessons
from facedown.strangers.regulars import SCRIPTED
from facedown.strangers.telling import tell

GAMES = 1_000
"""Games of a round, after which the network is changed once for votes and cards, once for teams."""
RATE = 6e-3
TAKEN = 3
"""Networks that are taken of a school, at equal distances; each is a player of its own."""
LAST = 20
"""Rounds over which it is told how a network did."""
ALIKE = 0.5
"""The share of tables at which all strangers are of one family."""

Won = tuple[float, float]


class School:
    """A network that learns; `won` has by round what it won as one of the resistance, as a spy."""

    def __init__(self, net: Net, seed: int, alone: bool) -> None:
        self.net, self.alone = net.copy(), alone
        self.stream, self.game = Stream(derive(seed, "school")), Resistance()
        self.adams = [Adam(self.net, RATE), Adam(self.net, RATE)]
        self.won: list[Won] = []

    def round(self, share: float) -> None:
        """Play, and learn from it at this share of the rate."""
        log, spies = self.played()
        spy = (log["mask"] >> log["player"] & 1) == 1
        worth = ((spies[log["game"]] < 0) == spy).astype(np.float64)
        _, once = np.unique(log["game"] * self.game.players + log["player"], return_index=True)
        means = [float(worth[once][spy[once] == role].mean()) for role in (False, True)]
        self.won.append((means[0], means[1]))
        worth -= np.where(spy, means[1], means[0])
        teams = log["state"]["phase"] == PROPOSING
        for among, adam in zip((False, True), self.adams, strict=True):
            part = teams == among
            told = tell(self.game, log[part], self.game.most_moves if among else 2)
            adam.rate = RATE * share
            adam.step(gradients(self.net, told, worth[part]))

    def played(self) -> tuple[Any, Array]:
        """The pupils' decisions of a round's games, and the masks of spies."""
        players, stream = self.game.players, self.stream
        seats, numbers = seated(SCRIPTED, GAMES, players, ALIKE, stream)
        pupils = np.full(seats.shape, not self.alone)
        if self.alone:
            pupils[np.arange(GAMES), [stream.below(players) for _ in range(GAMES)]] = True
        seats[pupils] = PUPIL
        context = self.game.table.context(Crowd({"pupil": self.net.flat()}))
        log, spies = lessons(context, seats, numbers, stream.bits(), GAMES * 150)
        return log[pupils[log["game"], log["player"]]], spies

    def lately(self) -> Won:
        """What was won in the last rounds."""
        resistance, spy = np.array(self.won[-LAST:]).mean(axis=0).round(4).tolist()
        return resistance, spy


def winning(
    net: Net, rounds: int, seed: int, progress: Progress | None = None
) -> tuple[Array, Won]:
    """A network that has gone on to learn to win alone among strangers, and what it won lately."""
    school = School(net, seed, alone=True)
    for done in range(rounds):
        school.round(1 - done / rounds)
        if progress is not None:
            progress(done + 1, rounds)
    return school.net.flat(), school.lately()


def pupils(
    rounds: int, seed: int, alone: bool, progress: Progress | None = None
) -> tuple[Crowd, dict[str, Won]]:
    """Networks that a school of so many rounds turns out, and what they won towards the end."""
    if rounds < TAKEN:
        raise SpecError(f"{rounds} rounds of a school: at least {TAKEN} are wanted")
    net = Net.drawn(derive(seed, "net") % (1 << 32))
    school, nets, won = School(net, seed, alone), dict[str, Array](), dict[str, Won]()
    for done in range(1, rounds + 1):
        school.round(1 - (done - 1) / rounds)
        if done * TAKEN // rounds > len(nets):
            name = f"after {done} rounds"
            nets[name], won[name] = school.net.flat(), school.lately()
        if progress is not None:
            progress(done, rounds)
    return Crowd(nets), won
