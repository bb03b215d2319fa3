"""Schofield and Thielscher 2019: what is sampled, what it costs, how even it is."""

import math
import tempfile
from functools import cache
from pathlib import Path

import pytest

from facedown.agents.registry import make_agent
from facedown.arena.match import run_match
from facedown.belief.hyperplay import Bag
from facedown.core import Stream
from facedown.games.registry import load_game
from facedown.gdl.library import find
from facedown.gdl.lifted import Lifted
from facedown.gdl.reader import read_file
from facedown.papers.schofield2019.cost import OTHERS, at_progress, bounded, ratio, sampled
from facedown.papers.schofield2019.cost import case_texts as cases
from facedown.papers.schofield2019.cost import update_texts as updates
from facedown.papers.schofield2019.games import MIDDLES, players, seen
from facedown.papers.schofield2019.remedies import player
from facedown.papers.schofield2019.sampling import MOST, InformationSet, RandomSampling
from facedown.papers.schofield2019.uniform import evenness, p_value
from facedown.papers.schofield2019.value import mean_text, scored, valued, widths
from facedown.papers.schofield2019.weights import switched, weighed
from facedown.store.records import read_records

SMALL = ["blind-breakthrough-5x5", "krieg-tic-tac-toe-3x3", "hidden-connect", "guess-who"]


@cache
def records(spec, games=2, agent="random"):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.jsonl"
        run_match(spec, [agent] * load_game(spec).players, games, seed=5, jobs=1, save=file)
        return list(read_records(file))


@cache
def first(spec):
    return next(iter(seen(records(spec))))


def test_rounds_are_joint_moves_and_their_tokens_the_viewers():
    one = first("monty-hall")
    assert [len(tokens) for tokens in one.rounds] == [2, 1, 2]
    assert one.rounds[0][0] == 1 + one.game.definition.move_number("contestant", *picked())


def picked():
    game = load_game("monty-hall")
    move = next(move for move in records("monty-hall")[0].moves if move.player == 0)
    return [game.definition.network.slots[move.move][1]]


def bag_after(one, rounds, models, **options):
    bag = Bag(one.game, one.viewer, models, 3, **options)
    for tokens in one.rounds[:rounds]:
        for token in tokens:
            bag.observe(token)
    return bag.update()


@pytest.mark.parametrize("spec", SMALL)
def test_bags_hold_the_enumerated_set_and_nothing_else(spec):
    """Soundness and completeness in the paper's games, round by round (section 3.9)."""
    one = first(spec)
    members, several = InformationSet(one.game, one.viewer, 60), 0
    for k, tokens in enumerate(one.rounds[:-1], 1):
        members.observe(tokens)
        if members.members is None:
            break
        several += len(members.members) > 1
        bag = bag_after(one, k, 40 + 30 * len(members.members), weigh="distinct")
        assert set(bag.histories()) == set(members.members)
        pool, holding = bag.held(), one.game.definition.holding
        for j, history in enumerate(bag.histories()):
            assert holding(pool.position(j).record) == holding(members.members[history].record)
    assert several


def test_random_sampling_costs_what_it_must():
    """Monty Hall: one host in two opens this door, and two rounds are played for each attempt."""
    one = first("monty-hall")
    random = RandomSampling(one.game, one.viewer, 1)
    random.observe(one.rounds[0])
    assert (random.valid, random.visited, random.cost) == (1.0, 1.0, 1.0)
    assert math.exp(random.log_histories) == pytest.approx(3)
    random.observe(one.rounds[1])
    assert random.visited == 2.0
    assert random.valid == pytest.approx(0.5, abs=0.12)
    assert random.cost == pytest.approx(random.visited / random.valid)


def test_random_sampling_finds_the_chance_of_starting_over():
    """Against attempts from the root, in a game where one in some twenty comes through."""
    one = first("hidden-connect")
    rounds, stream, through = one.rounds[:6], Stream(2), 0
    random = RandomSampling(one.game, one.viewer, 1)
    for tokens in rounds:
        random.observe(tokens)
    for _ in range(2000):
        position = one.game.start()
        attempt = RandomSampling(one.game, one.viewer, stream.bits())
        through += all(attempt.joint_move(position, tokens)[0] for tokens in rounds)
    assert random.valid == pytest.approx(through / 2000, rel=0.4)


def test_costs_are_the_bags_and_the_samplers():
    (game,) = sampled(records("blind-breakthrough-5x5")[:1])["games"]
    assert len(game["costs"]) == game["rounds"] - 1
    for cost in game["costs"]:
        assert cost["active"] == 100
        assert cost["states"] >= 100
        assert ratio(cost) == pytest.approx(cost["states"] / 100 / cost["random"])
    assert game["costs"][-1]["valid"] < game["costs"][0]["valid"] == 1.0
    assert ratio(game["costs"][-1]) < 0.2


def test_ratios_are_averaged_game_by_game_over_parts():
    def game(*ratios):
        costs = [{"states": 100 * r, "active": 100, "random": 1.0} for r in ratios]
        return {"rounds": len(ratios) + 1, "costs": costs}

    (early, n), (late, _) = at_progress([game(0.5, 0.5, 0.1), game(2.0, 2.0, 0.1)], 2)
    assert n == 2
    assert (early.x, late.x) == (25, 75)
    assert early.share == pytest.approx(1.0)
    assert early.low < 1.0 < early.high
    assert late.share == late.low == late.high == pytest.approx(0.1)
    lost = {"rounds": 2, "costs": [{"states": 9, "active": 0, "random": 1.0}]}
    assert at_progress([lost, lost], 2) == []


def test_a_game_without_a_random_sample_is_left_out_from_there_on():
    """It is bounded in place of that: 20,000 tries without one say at most 3 (95 %)."""

    def cost(random, histories):
        return {"states": 200, "active": 100, "lost": 0, "each": 2.0, "valid": float(bool(random)),
                "random": random, "histories": histories}  # fmt: skip

    whole = bounded([cost(4.0, 1.0), cost(8.0, 9.0), cost(20.0, 10.0)])
    stuck = bounded([cost(4.0, 3.0), cost(None, 4.0), cost(None, 4.0)])
    least = (4.0 + 1.0) * MOST / 3
    assert [one["least"] for one in whole] == [4.0, 8.0, 20.0]
    assert [one["least"] for one in stuck] == [4.0, least, least]
    later = [whole[2], stuck[2]]
    assert cases(later)[1] == f"{math.exp(10):.2g} (1)"  # not the mean with what stood still
    sampled, random, _, share, bound, most = updates(later)[3:]
    assert (sampled, random, share) == ("1", "20", "10 %")
    assert bound == f"> {math.sqrt(20 * least):,.0f}"
    assert most.startswith("< ")
    games = [{"rounds": 4, "costs": one} for one in (whole, whole, stuck)]
    assert [n for _, n in at_progress(games, 2)] == [2, 2]
    assert [n for _, n in at_progress(games, 4)] == [3, 2, 2]


def test_the_number_of_histories_is_unknown_without_a_sample():
    """What a random sampler would go on from is not there."""
    random = RandomSampling(load_game("monty-hall"), 0, 1)
    random.observe([12345])  # nobody ever sees this
    assert (random.valid, random.cost, random.log_histories) == (0.0, None, None)


def test_intervals_are_over_deals():
    """A deal that helps one seat in both games is no two trials."""
    apart, together = (
        mean_text([100.0, 100.0, 0.0, 0.0] * 5),
        mean_text([100.0, 100.0, 0.0, 0.0] * 5, 2),
    )
    assert apart == "50.0 (26.0 to 74.0)"
    assert together == "50.0 (12.3 to 87.7)"
    assert mean_text([100.0, 0.0] * 6, 2) == "50.0"  # the deals do not differ


def test_even_counts_pass_and_uneven_ones_do_not():
    assert p_value([10.0] * 8, 8) == 1.0
    assert p_value([10.0] * 8, 16) < 1e-9  # half of the set was never met
    assert 0.04 < p_value([60, 40], 2) < 0.05


def test_remedies_leave_every_history_the_same():
    games = evenness(records("krieg-tic-tac-toe-3x3"))["games"]
    whole = [game for game in games if game.get("held") == 1.0]
    assert whole
    for game in whole:
        assert game["weight"] > 0.999
        assert game["re-balance"] > 0.99
        assert 0.0 <= game["none"] <= 1.0


def test_the_remedy_is_read_off_the_bags_weights(monkeypatch):
    """A bag whose models do not share a history's weight is as uneven as one without a remedy."""

    class Unshared(Bag):
        def __init__(self, *args, **options):
            super().__init__(*args, **{**options, "weigh": "choices"})

    monkeypatch.setattr("facedown.belief.hyperplay.Bag", Unshared)
    games = evenness(records("krieg-tic-tac-toe-3x3"))["games"]
    tested = [game for game in games if "none" in game]
    assert tested
    for game in tested:
        assert game["weight"] == pytest.approx(game["none"])
        assert game["weight"] < 0.99


def test_monty_hall_weighs_what_the_paper_says():
    shares = weighed(records("monty-hall", 4))
    assert shares["equation 4, each history once"] == pytest.approx([1 / 3] * 4)
    assert all(0.3 < share < 0.7 for share in shares["all models alike"])


def test_the_player_switches_by_the_weights():
    games = records("monty-hall", 6, "hyperplay:models=40")
    won = [record.payoffs[0] for record in games].count(100.0)
    assert switched(games) == {"games": 6, "switched": 6, "won": won}


def test_hyperplay_sees_no_value_in_asking():
    """45 for asking and 50 for waiting (section 6); the agent's own bag counts among its states."""
    agent = "hyperplay:models=40,samples=20"
    told = valued(records("exploding-bomb", 4, agent))
    assert told["ask"] == pytest.approx([45] * 4, abs=5)
    assert told["wait"] == pytest.approx([50] * 4, abs=5)
    (ours,) = scored(records("exploding-bomb", 4, agent))["agents"].values()
    assert len(ours["payoffs"]) == len(ours["states"]) == 4
    assert min(ours["states"]) > 2 * 40 * 20  # a random game for each move at least


def test_what_players_could_choose_from_is_counted():
    told = widths(records("krieg-tic-tac-toe-3x3"))
    assert told["choices"][0] == 9
    assert len(told["lengths"]) == 2
    assert 2 * sum(told["lengths"]) >= len(told["choices"]) > sum(told["lengths"])


@pytest.mark.parametrize(
    ("remedy", "weighing"), [("none", "choices"), ("weight", "distinct"), ("re-balance", "choices")]
)
def test_remedies_are_options_of_the_same_player(remedy, weighing):
    agent = make_agent(player(remedy), load_game("krieg-tic-tac-toe-3x3"), 0, 1)
    assert (agent.models, agent.samples) == (40, 1)
    assert (agent.weighing, agent.rebalance) == (weighing, remedy == "re-balance")


@pytest.mark.parametrize("name", [*MIDDLES, *OTHERS])
def test_the_papers_games_have_so_many_players(name):
    assert len(set(_roles(name)) - {"random"}) == players(name)


def _roles(name):
    return Lifted(read_file(find(name))).roles
