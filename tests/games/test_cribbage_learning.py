"""The table of winning chances: by hand on toys, the stored one by what must hold of it."""

import numpy as np
import pytest

from facedown.agents.base import RandomAgent
from facedown.agents.registry import make_agent
from facedown.arena.winning import learn, play_hand
from facedown.core import SpecError
from facedown.core.records import address_of
from facedown.games.cribbage.learning import chances, learn_cribs
from facedown.games.cribbage.learnt import read, stored
from support.cribbage_hands import at_play, play
from support.naive_cribbage import PACK, hand_points
from support.playing import game


def test_one_sure_hand():
    """The dealer makes 40, then the pone 50. From 0-0: 40-50, 90-90, and the dealer is out."""
    won = chances(np.array([[40, -50]], np.int8))
    assert won[0, 0] == 1
    assert won[81, 119] == 1
    assert won[80, 71] == 0  # 120, and the pone goes out
    assert won[80, 70] == 0  # both have 120, and the other deals
    assert won[50, 40] == 1 - won[90, 90] == 0


def test_two_hands_by_hand():
    """Dealer 10 or pone 10, evenly; who has 111 or more is one hand from the end."""
    won = chances(np.array([[10], [-10]], np.int8))
    assert won[115, 115] == 0.5
    assert won[115, 105] == pytest.approx(0.5 + 0.5 * (1 - won[115, 115]))
    assert won[105, 115] == pytest.approx(0.5 * (1 - won[115, 115]))
    assert won[105, 105] == pytest.approx(0.5 * (1 - won[105, 115]) + 0.5 * (1 - won[115, 105]))


def test_the_order_of_scores_decides():
    assert chances(np.array([[-5, 5]], np.int8))[118, 118] == 0
    assert chances(np.array([[5, -5]], np.int8))[118, 118] == 1


def test_a_hand_without_points_is_refused():
    with pytest.raises(ValueError, match="somebody scores"):
        chances(np.zeros((1, 4), np.int8))


def test_the_stored_table():
    won = stored().winning
    assert won.shape == (121, 121)
    assert ((won >= 0) & (won <= 1)).all()
    assert (np.diff(won, axis=0) >= 0).all()  # more points for the dealer
    assert (np.diff(won, axis=1) <= 0).all()  # more points for the other
    assert won[0, 0] == pytest.approx(0.555, abs=0.015)
    assert won[120, 0] > 0.999
    about = stored().about
    assert about["hands"] >= 20_000
    assert {"command", "seed", "agent", "deals"} <= set(about)


def test_the_stored_cribs():
    crib = stored().crib
    fives, kings = sum(13 - rank for rank in range(4)), 90
    assert crib.shape == (2, 2, 91)
    assert ((crib > 2) & (crib < 10)).all()
    assert crib[0, 0, fives] == crib[0].max()
    assert crib[1, 0].mean() > crib[0, 0].mean()  # the pone baulks, the dealer does not
    assert crib[0, 0, kings] == pytest.approx(4.7, abs=0.3)


def test_cribs_are_learnt_from_nothing():
    found = learn_cribs(60_000, seed=3, rounds=2)
    assert abs(found - stored().crib).mean() < 0.25
    assert (learn_cribs(500, 3) == learn_cribs(500, 3)).all()


def winning(position):
    out, rules = np.zeros(2), position.game.rules
    stops = rules.python["horizon:winning"](rules.ctx, position.address, address_of(out))
    return out.tolist() if stops else None


@pytest.mark.parametrize("spec", ["cribbage", "cribbage:kelly2017=true"])
def test_the_value_at_the_end_of_a_hand(spec):
    position = at_play("5c 4h Jd 9s", "5d Ts 2c 3c", "Ah", scores=(60, 20), spec=spec)
    assert winning(position) is None
    while position.record["last"][0] < 0:
        position.apply(position.legal()[0])
    dealer, pone = (int(score) for score in position.record["score"])
    wanted = 2 * (1 - stored().winning[pone, dealer]) - 1  # player 1 deals next
    assert winning(position) == pytest.approx([wanted, -wanted])
    assert wanted > 0


@pytest.mark.parametrize("spec", ["cribbage", "cribbage:kelly2017=true"])
def test_the_value_at_the_end_of_the_game_is_the_payoff(spec):
    position = at_play("5c 4h Jd 9s", "5d Ts 2c 3c", "Ah", scores=(119, 20), spec=spec)
    play(position, "Jd", "5d")
    assert position.over
    assert winning(position) == position.payoff() == [1, -1]


def test_a_search_for_the_win_goes_out():
    """At 119 fifteen wins the game at once: the value is that of a game won."""
    position = at_play("Ac 7d Jd 9s", "4h Ts 2d 3c", "Ah", scores=(119, 119))
    play(position, "Jd", "4h")
    agent = make_agent("best:iterations=200", position.game, 1, seed=1)
    assert agent.recipe.playout.horizon == "winning"
    move = agent.choose(position.view(1), position.legal())
    assert position.game.move_text(move) == "Ac"
    assert agent.search.report().best().mean == 1


def test_an_unknown_variant_lists_what_there_is():
    g = game("cribbage")
    with pytest.raises(SpecError, match="no horizon 'glory'; variants of horizon: winning"):
        make_agent("so-ismcts:horizon=glory", g, 0, 1).require()
    with pytest.raises(SpecError, match="no determinize 'faith'; variants of determinize: skilled"):
        make_agent("so-ismcts:determinize=faith", g, 0, 1).require()
    with pytest.raises(SpecError, match="no prior 'mine'; variants of prior: none"):
        make_agent("so-ismcts:prior=mine", g, 0, 1).require()
    with pytest.raises(SpecError, match="draws no worlds"):
        make_agent("cheating-uct:determinize=skilled", g, 0, 1).require()
    with pytest.raises(SpecError, match="kuhn has no rule 'horizon'"):
        make_agent("so-ismcts:horizon=winning", game("kuhn"), 0, 1).require()


def test_recorded_specs_with_older_names_are_read():
    g = game("cribbage")
    old = "so-ismcts:priors=true,informed=true,belief=skilled,value=winning"
    new = "so-ismcts:prior=true,playout=true,determinize=skilled,horizon=winning"
    assert make_agent(old, g, 0, 1).recipe == make_agent(new, g, 0, 1).recipe
    with pytest.raises(SpecError, match="value is an older name of horizon, and both are given"):
        make_agent("so-ismcts:value=winning,horizon=false", g, 0, 1)


class Watched:
    """A game that keeps the position that is played."""

    def __init__(self, played):
        self._game = played

    def __getattr__(self, name):
        return getattr(self._game, name)

    def start(self):
        self.position = self._game.start()
        return self.position


def counted(record):
    """The show by the naive count, in order: the pone's hand below zero, the dealer's, the crib."""
    cut, points = PACK[int(record["last"][0])], []
    for k, cards in enumerate(record["shown"]):
        hand = [PACK[card] for card in range(52) if int(cards) >> card & 1]
        points.append((-1 if k == 0 else 1) * hand_points(hand, cut, crib=k == 2))
    return [number for number in points if number]


@pytest.mark.parametrize("seed", range(8))
def test_a_hand_is_recorded_in_the_order_of_its_scores(seed):
    g = Watched(game("cribbage"))
    scored = play_hand(g, "random", seed)
    events = scored[scored != 0].tolist()
    assert (play_hand(g, "random", seed) == scored).all()
    assert (scored[len(events) :] == 0).all()
    record, show = g.position.record, counted(g.position.record)
    assert events[len(events) - len(show) :] == show
    assert sum(n for n in events if n > 0) == record["score"][0]
    assert -sum(n for n in events if n < 0) == record["score"][1]


def test_agents_that_play_hands_are_told_what_they_see(monkeypatch):
    told = {0: [], 1: []}
    monkeypatch.setattr(RandomAgent, "observe", lambda self, *seen: told[self.player].append(seen))
    play_hand(game("cribbage"), "random", 1)
    for seen in told.values():
        assert len(seen) >= 6 + 1 + 1 + 8  # the own cards and throw, the cut, the play
        assert all(token and text for token, text in seen)


def test_a_cheat_is_no_teacher():
    with pytest.raises(SpecError, match="cheating-uct cheats"):
        learn(1, 1, "cheating-uct")


def test_learning_gives_the_same_again_and_is_saved(tmp_path, monkeypatch):
    monkeypatch.setattr("facedown.arena.winning.DEALS", 2000)
    told = []
    first = learn(8, 1, "so-ismcts:iterations=5", lambda *what: told.append(what))
    again = learn(8, 1, "so-ismcts:iterations=5")
    assert (first.winning == again.winning).all()
    assert (first.crib == again.crib).all()
    assert ("hands", 7, 8) in told
    first.save(tmp_path / "learnt.npz")
    kept = read(tmp_path / "learnt.npz")
    assert kept.winning == pytest.approx(first.winning, abs=1e-6)
    assert kept.about["hands"] == 8
    assert [file.name for file in tmp_path.iterdir()] == ["learnt.npz"]
