"""Networks that learn The Resistance by winning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown import load_game
from facedown.core import SpecError, Stream
from facedown.games.resistance import Resistance
from facedown.games.resistance.crowd import Crowd, load_crowd
from facedown.games.resistance.layout import FAIL, OWN, SUCCESS
from facedown.learn import schooling
from facedown.learn.minds import Net, gradients
from facedown.learn.schooling import TAKEN, School, pupils, winning
from facedown.strangers.telling import Told

FEW = 60


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schooling, "GAMES", FEW)


def test_what_won_becomes_likelier() -> None:
    """A step against the gradient, weighted by the payoff: +1 for the first choice, -1 for it."""
    net, random = Net.drawn(1), np.random.default_rng(2)
    told = Told(random.normal(size=(1, 2, len(net.first))), np.array([0]))

    def ahead(step: float) -> float:
        moved = net.copy()
        for part, slope in zip(moved.parts, gradients(net, told, np.array([step])), strict=True):
            part -= 0.01 * slope
        scores = moved.scores(told.traits)[0][0]
        return float(scores[0] - scores[1])

    assert ahead(1.0) > ahead(0.0) > ahead(-1.0)


@pytest.mark.parametrize("alone", [True, False])
def test_a_round_changes_the_network(alone: bool) -> None:
    school = School(Net.drawn(3), 4, alone)
    log, spies = school.played()
    assert len(spies) == FEW
    of_a_game = {g: set(log["player"][log["game"] == g].tolist()) for g in range(FEW)}
    most = max(len(players) for players in of_a_game.values())
    assert most == (1 if alone else 5)
    before = school.net.flat()
    school.round(1.0)
    assert not np.array_equal(before, school.net.flat())
    assert all(0 <= share <= 1 for share in school.lately())


def test_a_school_turns_out_networks(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=f"2 rounds of a school: at least {TAKEN} are wanted"):
        pupils(2, 1, alone=False)
    crowd, won = pupils(TAKEN, 1, alone=False)
    assert list(crowd.nets) == list(won) == [f"after {k} rounds" for k in (1, 2, 3)]
    own, _ = winning(Net.drawn(1), 1, seed=2)
    file = tmp_path / "minds.json"
    file.write_text(Crowd(crowd.nets, own=own).packed())
    read = load_crowd(file)
    assert read.own == pytest.approx(own, rel=1e-4)
    assert Crowd(crowd.nets).winning is crowd.nets["after 1 rounds"]  # without one, as the first


@pytest.mark.parametrize(("sign", "card"), [(1.0, FAIL), (-1.0, SUCCESS)])
def test_one_plays_by_the_own_network(sign: float, card: int) -> None:
    """A network that holds failing for better than all else, or for worse."""
    net = Net.drawn(1)
    for part in net.parts:
        part[:] = 0.0
    net.first[12, 0], net.second[0] = 1.0, 30.0 * sign  # the trait `act`

    class Own(Resistance):
        def context(self) -> Any:
            return self.table.context(Crowd({"crowd": Net.drawn(2).flat()}, own=net.flat()))

    game, stream = load_game(Own()), Stream(1)
    position = game.start()
    for text in ("spies 0 1", "team 0 2", *["approve"] * 5):
        position.apply(game.parse_move(text, position.legal()))
    position.record["minds"][0] = OWN
    play = game.rules.python["playout"]
    assert play(game.rules.ctx, position.address, stream.address) == card
