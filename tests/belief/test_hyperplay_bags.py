"""HyperPlay's bags: sound, complete, cheaper than starting over, and the same however they go."""

import os
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from facedown.belief import walk
from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import FIRST, PATIENCE, Bag
from facedown.core import PUBLIC, RuleError, SpecError, Stream
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from support import CHILD_PATH, EXAMPLES, SUPPORT
from support.consistent import Enumerated, after, rejected, tell

TINY, ROLES, DOORS = (f"{SUPPORT / name}:" for name in ("tiny.py", "hidden_roles.py", "doors.py"))
GAMES = [
    "kuhn",
    "leduc",
    "liars-dice:faces=3",
    f"{TINY}StrategyFusion",
    f"{TINY}Pennies",
    f"{ROLES}Moles",
    f"{DOORS}MontyHall",
    f"{DOORS}Bits:n=4",
    "resistance",
    "monty-hall",
    "exploding-bomb",
    "cooperative-spies",
    "small-poker",
]
VOTE = ("spies 0 2", "team 2 3", *["reject", "approve"] * 2, "reject")
MOST_PLIES = 16  # of a game that is enumerated at every ply


@cache
def game(spec):
    return load_game(spec)


def bag_of(told, size=100, seed=1, **options):
    bag = Bag(told.game, told.viewer, size, seed, **options)
    for token in told.tokens:
        bag.observe(token)
    return bag


def viewers(spec):
    return [(spec, viewer) for viewer in (*range(game(spec).players), PUBLIC)]


def content(position):
    """All that a position holds; in GDL without what players have observed, which worlds forget."""
    if hasattr(position.game.definition, "holding"):
        return position.turn(), position.game.definition.holding(position.record), position.legal()
    return position.digest()


CASES = [case for spec in GAMES for case in viewers(spec)]


@pytest.mark.parametrize(("spec", "viewer"), CASES)
def test_every_model_replays_to_the_same_observations(spec, viewer):
    for told in tell(game(spec), viewer, seed=4):
        bag = bag_of(told, 10).update()
        assert bag.active == 10
        pool = bag.held()
        for k, history in enumerate(bag.histories()):
            position, tokens = game(spec).start(), []
            for n, move in enumerate(history):
                assert move in position.legal()
                token = position.sees(move, viewer)
                assert token or n + 1 < len(history)  # it ends with the last observation
                tokens += [token] * bool(token)
                position.apply(move)
            assert tokens == told.tokens
            assert content(pool.position(k)) == content(position)
            assert position.view(viewer).digest() == told.position.view(viewer).digest()


@pytest.mark.parametrize(("spec", "viewer"), CASES)
def test_every_history_that_agrees_appears_with_its_probability(spec, viewer):
    several = 0
    for plies, told in enumerate(tell(game(spec), viewer, seed=7)):
        exact = Enumerated(game(spec), viewer, told.tokens).shares
        if len(exact) > 60 or plies > MOST_PLIES:
            break
        several += len(exact) > 1
        for weigh in ("distinct", "inclusion"):
            bag = bag_of(told, 40 + 30 * len(exact), weigh=weigh).update()
            found = Counter()
            for history, share in zip(bag.histories(), bag.shares(), strict=True):
                found[history] += share
            assert set(found) == set(exact)
            assert found == pytest.approx(exact, rel=1e-3 if weigh == "inclusion" else 1e-9)
    assert several or spec.endswith(("Pennies", "resistance"))


@pytest.mark.parametrize(("spec", "viewer"), CASES)
def test_nothing_is_tried_twice(spec, viewer):
    """An observation that never comes has a model try all that there is, each move once."""
    *_, told = (told for told, _ in zip(tell(game(spec), viewer, seed=3), range(9), strict=False))
    told.tokens.append(987654321)
    bag = bag_of(told, 1)
    with pytest.raises(RuleError, match=r"no history of .* gives the \d+ observations made"):
        bag.update()
    assert bag.states == Enumerated(game(spec), viewer, told.tokens).tried


@pytest.mark.parametrize(
    ("spec", "viewer", "times"),
    [
        ("liars-dice:faces=3", 1, 2),
        (f"{ROLES}Moles", 0, 4),
        ("resistance", 1, 8),
        ("blind-breakthrough-5x5", 1, 1),
        ("hidden-connect", 1, 1),
        ("guess-who", 1, 4),
    ],
)
def test_starting_over_costs_more(spec, viewer, times):
    """The states of the whole bag against those of as many samples by rejection."""
    *_, told = (told for told, _ in zip(tell(game(spec), viewer, seed=5), range(10), strict=False))
    bag, stream = bag_of(told, 20, weigh="distinct").update(), Stream(1)
    assert bag.active == 20
    assert times * bag.states < sum(rejected(told, stream) for _ in range(20))


@pytest.mark.parametrize(
    ("spec", "viewer"), [("leduc", 1), (f"{ROLES}Moles", 2), ("resistance", 3)]
)
def test_token_by_token_is_the_same_as_all_at_once(spec, viewer):
    steps = Bag(game(spec), viewer, 30, 5, weigh="distinct")
    seen = 0
    for told in tell(game(spec), viewer, seed=11):
        for token in told.tokens[seen:]:
            steps.observe(token)
        seen = len(told.tokens)
        steps.update()
        once = bag_of(told, 30, 5, weigh="distinct").update()
        assert steps.histories() == once.histories()
        assert steps.states == once.states
        assert steps.observed == told.tokens


def test_a_model_off_line_comes_back_where_it_was():
    told = after(game("resistance"), 1, *VOTE)
    once = bag_of(told, 30, 5, weigh="distinct").update()
    bag = bag_of(told, 30, 5, weigh="distinct", limit=20).update()
    assert bag.active < 30
    assert set(bag.models["status"].tolist()) <= {walk.ON_LINE, walk.OFF_LINE}
    assert len(bag.histories()) == len(bag.shares()) == len(bag.held()) == bag.active
    active = [bag.active]
    while bag.active < 30:
        active.append(bag.update().active)
    assert active == sorted(active)
    assert bag.histories() == once.histories()
    assert bag.states == once.states


def test_a_model_need_not_come_back():
    told = after(game("resistance"), 1, *VOTE)
    bag = bag_of(told, 30, 5, weigh="distinct", limit=20, resume=False).update()
    active, states = bag.active, bag.states
    assert 0 < active < 30
    assert (bag.update().active, bag.states) == (active, states)


def test_joint_states_are_the_joint_moves_tried():
    """Three places for the car, then four doors that the host may open: all are tried, once."""
    told = after(game("monty-hall"), 0, "(pick 1)", "(hide 3)", "go on")
    told.tokens.append(987654321)
    bag = bag_of(told, 1)
    with pytest.raises(RuleError, match="no history"):
        bag.update()
    assert bag.joint_states == 3 + 4
    assert bag.states == 1 + bag.joint_states  # and the contestant's own choice


def test_a_clock_takes_models_off_line_all_alike():
    told = after(game("resistance"), 1, *VOTE, "team 2 4", *VOTE[2:])
    once = bag_of(told, 30, 5, weigh="distinct", limit=100).update().update()
    bag = bag_of(told, 30, 5, weigh="distinct", limit=100).update(seconds=1e-9)
    assert bag.active < 30
    assert (bag.models["tried"][bag.models["status"] == walk.OFF_LINE] == FIRST).all()
    bag.update(seconds=60)
    assert once.active == bag.active == 30
    assert bag.histories() == once.histories()
    assert bag.states == once.states


def test_scouts_are_bounded():
    """A limit of 1 lets a scout try few moves more than there are models; weights still come."""
    told = after(game("resistance"), 1, *VOTE)
    bag = bag_of(told, 30, 5, limit=1)
    while bag.active < 30:
        bag.update()
    before = bag.states
    assert bag.shares().sum() == pytest.approx(1)
    assert bag.states - before < 3 + 256 * 10


def test_an_empty_bag_says_so():
    told = after(game("resistance"), 1, *VOTE, "team 2 4", *VOTE[2:])
    bag = bag_of(told, 2, limit=1)
    with pytest.raises(NoWorldError, match="none of 2 models agrees with the 7 observations made"):
        bag.held()
    assert bag.states == 2 * (PATIENCE + 1)


def test_reseeded_models_are_copies_of_others():
    told = after(game("resistance"), 1, *VOTE)
    plain = bag_of(told, 40, 5, limit=40).update()
    bag = bag_of(told, 40, 5, limit=40, reseed=True).update()
    assert 0 < plain.active < bag.active == 40
    assert set(bag.histories()) == set(plain.histories())
    told.play(told.position.legal()[0])
    bag.observe(told.tokens[-1])
    bag.update()
    for history in bag.histories():  # copies share nothing: all of them go on soundly
        assert list(history)[-1] == told.moves[-1]


def test_rebalanced_histories_have_equally_many_models():
    told = after(game("leduc"), 0, "deal J", "deal Q", "call")
    counts = Counter(bag_of(told, 100, 3).update().histories())
    assert max(counts.values()) - min(counts.values()) > 1
    bag = bag_of(told, 100, 3, rebalance=True).update()
    counts = Counter(bag.histories())
    assert sorted(counts.values()) == [33, 33, 34]
    told.play(told.position.legal()[1])
    bag.observe(told.tokens[-1])
    assert set(bag.update().histories()) == {(*history, told.moves[-1]) for history in counts}


TWINS = [("kuhn", EXAMPLES / "kuhn.py:Kuhn"), ("leduc", EXAMPLES / "leduc.py:Leduc")]


@pytest.mark.parametrize(("fast", "plain"), TWINS)
def test_plain_and_compiled_twins_agree(fast, plain):
    pair = [game(fast), game(str(plain))]
    for seed in range(4):
        for told in tell(pair[0], seed % 2, seed):
            texts = [pair[0].move_text(move) for move in told.moves]
            bags = [bag_of(after(g, seed % 2, *texts), 25, seed).update() for g in pair]
            first, second = (
                [[g.move_text(move) for move in history] for history in bag.histories()]
                for g, bag in zip(pair, bags, strict=True)
            )
            assert first == second
            assert bags[0].shares().tolist() == bags[1].shares().tolist()
            assert bags[0].states == bags[1].states


SCRIPT = """
from facedown.belief.hyperplay import Bag
from facedown.games.registry import load_game
from support.consistent import after
told = after(load_game("leduc"), 0, "deal J", "deal Q", "call", "call", "deal K")
bag = Bag(told.game, 0, 12, 3)
for token in told.tokens:
    bag.observe(token)
print(bag.update().histories(), bag.shares().round(6).tolist(), bag.states)
"""


def test_uncompiled_bags_are_the_same():
    def run(disable):
        env = {**os.environ, "NUMBA_DISABLE_JIT": disable, "PYTHONPATH": CHILD_PATH}
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, check=True, capture_output=True, text=True
        )
        return ran.stdout

    assert run("1") == run("0")


class Faulty:
    """Two coins; the second cannot be tossed after tails."""

    players, bounds, most_moves = 1, (0.0, 1.0), 2
    wrong = "apply"

    def start(self):
        return ()

    def turn(self, s):
        return -1 if len(s) < 2 else 0

    def legal(self, s):
        return [] if self.wrong == "legal" and s == ("tails",) else ["heads", "tails"]

    def apply(self, s, move):
        if self.wrong == "apply" and s == ("tails",):
            raise ValueError("the coin is lost")
        return (*s, move)

    def sees(self, s, move, viewer):
        return f"coin {len(s)}"

    def payoff(self, s):
        return [0.0]

    def hide(self, s, viewer):
        return ("?",) * len(s)

    infoset = hide


@pytest.mark.parametrize(
    ("wrong", "what"), [("apply", "the coin is lost"), ("legal", "legal gave no moves")]
)
def test_what_a_rule_raises_is_raised_with_the_moves(wrong, what):
    faulty = Faulty()
    faulty.wrong = wrong
    g = adapt(faulty, "faulty.py:Faulty")
    bag = Bag(g, 0, 20, 1)
    first = g.start()
    bag.observe(first.sees(g.rules.number("heads"), 0))
    bag.update()
    first.apply(g.rules.number("heads"))
    bag.observe(first.sees(g.rules.number("heads"), 0))
    with pytest.raises(RuleError, match=what) as caught:
        bag.update()
    assert caught.value.moves[0] == "tails"
    assert caught.value.seed == 1
    assert g.rules.alarm[0] == 0


def test_what_a_bag_cannot_be():
    with pytest.raises(SpecError, match="at least 1 is wanted"):
        Bag(game("kuhn"), 0, 0)
    with pytest.raises(SpecError, match="at least 1 is wanted"):
        Bag(game("kuhn"), 0, 5, limit=0)
    with pytest.raises(SpecError, match="kuhn has no rule 'prior'"):
        Bag(game("kuhn"), 0, 5, priors=True)


def test_positions_of_plain_games_are_released():
    g = load_game(f"{DOORS}MontyHall")
    before = len(g.rules.objects)
    bag = bag_of(after(g, 0, "car 2", "choose 1", "open 3"), 10).update()
    assert len(g.rules.objects) > before
    del bag
    assert len(g.rules.objects) == before
