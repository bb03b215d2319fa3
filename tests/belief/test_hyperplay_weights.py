"""What models weigh: equations 3 to 8, the remedies, and samples of sets too large to hold."""

import math
from collections import Counter

import pytest

from facedown.belief.hyperplay import Bag
from facedown.core import OVER, PUBLIC, Stream
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.laws.informed import informed
from facedown.laws.probes import short
from facedown.laws.stories import observed, play, replay
from support import SUPPORT
from support.consistent import Told, after, tell

DOORS = f"{SUPPORT / 'doors.py'}:"


def bag_of(told: Told, size=100, seed=1, **options):
    bag = Bag(told.game, told.viewer, size, seed, **options)
    for token in told.tokens:
        bag.observe(token)
    return bag.update()


def spread(bag, what):
    """Shares of what a function says of a history's moves, given as text."""
    found = Counter()
    for history, share in zip(bag.histories(), bag.shares(), strict=True):
        found[what([bag.game.move_text(move) for move in history])] += float(share)
    return dict(found)


SHOW = ("car 3", "choose 1", "open 2")


def test_monty_hall_as_in_the_papers_example_1():
    told = after(load_game(f"{DOORS}MontyHall"), 0, *SHOW)
    for weigh in ("distinct", "inclusion"):
        cars = spread(bag_of(told, weigh=weigh), lambda moves: moves[0])
        assert cars == pytest.approx({"car 1": 1 / 3, "car 3": 2 / 3})


def test_choice_factors():
    """Equation 3: three places for the car, and two doors or one for the host."""
    told = after(load_game(f"{DOORS}MontyHall"), 0, *SHOW)
    bag = bag_of(told, weigh="choices")
    for history, chance in zip(bag.histories(), bag.chances(), strict=True):
        factor = 3 * (2 if bag.game.move_text(history[0]) == "car 1" else 1)
        assert math.exp(-chance) == pytest.approx(factor)


def test_without_a_remedy_every_model_counts():
    """Equations 7 and 8 over the bag as it is: 50 and 50 models weigh 50 / 6 and 50 / 3."""
    told = after(load_game(f"{DOORS}MontyHall"), 0, *SHOW)
    bag = bag_of(told, weigh="choices")
    times = Counter(bag.game.move_text(history[0]) for history in bag.histories())
    cars = spread(bag, lambda moves: moves[0])
    odds = (times["car 3"] / 3) / (times["car 1"] / 6)
    assert cars["car 3"] / cars["car 1"] == pytest.approx(odds)
    assert times["car 3"] != times["car 1"]  # so that the remedy makes a difference
    balanced = bag_of(told, weigh="choices", rebalance=True)
    cars = spread(balanced, lambda moves: moves[0])
    assert cars == pytest.approx({"car 1": 1 / 3, "car 3": 2 / 3})


def test_without_choices_all_models_count_alike():
    told = after(load_game(f"{DOORS}MontyHall"), 0, *SHOW)
    bag = bag_of(told, 40, weigh="even")
    assert bag.shares().tolist() == pytest.approx([1 / 40] * 40)


class Leaning:
    """One player moves unseen, to the left with probability 3/4; the other sees where it ends.

    From the left it ends high or low, from the right it ends high.
    """

    players, bounds, most_moves = 2, (0.0, 1.0), 2

    def start(self):
        return ()

    def turn(self, s):
        return OVER if len(s) == 3 else (0, 0, 1)[len(s)]

    def legal(self, s):
        return (
            ["guess"]
            if len(s) == 2
            else [["left", "right"], ["high", "low"][: 1 + self._low(s)]][len(s)]
        )

    def _low(self, s):
        return s == ("left",)

    def prior(self, s, moves):
        return [3.0, 1.0][: len(moves)] if not s else [1.0] * len(moves)

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return None if viewer == 1 and not s else move

    def payoff(self, s):
        return [0.0, 0.0]

    def hide(self, s, viewer):
        return s if viewer == 0 else s[1:]

    infoset = hide


@pytest.mark.parametrize(("priors", "left"), [(False, 1 / 3), (True, 3 / 5)])
def test_moves_follow_a_policy(priors, left):
    """Equation 5: half of the left and all of the right come out high."""
    told = after(adapt(Leaning(), "leaning.py:Leaning"), 1, "right", "high")
    for weigh in ("distinct", "inclusion"):
        bag = bag_of(told, priors=priors, weigh=weigh)
        assert spread(bag, lambda moves: moves[0])["left"] == pytest.approx(left)


def share_of_ones(bag):
    return sum(
        share * sum(bag.game.move_text(move) == "hide 1" for move in history) / (len(history) / 2)
        for history, share in zip(bag.histories(), bag.shares(), strict=True)
    )


def test_a_sample_of_many_histories_is_fair():
    """Twelve bits whose lamps are on: 4096 histories, of which each bit is 1 in half by weight.

    Where few of them are in the bag, weights by probability alone count twice what is likely: there
    all 2^12 are alike, but a walk finds a 1 two times out of three, and that nothing puts right.
    """
    told = after(load_game(f"{DOORS}Bits:n=12"), 0, *["hide 0", "on"] * 12)
    fair = [share_of_ones(bag_of(told, 300, seed)) for seed in range(5)]
    paper = [share_of_ones(bag_of(told, 300, seed, weigh="distinct")) for seed in range(5)]
    assert sum(fair) / 5 == pytest.approx(0.5, abs=0.03)
    assert sum(paper) / 5 == pytest.approx(2 / 3, abs=0.03)


def test_the_public_has_a_bag_too():
    told = after(load_game("kuhn"), PUBLIC, "deal J", "deal Q", "bet")
    deals = spread(bag_of(told, 300), lambda moves: tuple(moves[:2]))
    assert len(deals) == 6
    assert all(share == pytest.approx(1 / 6) for share in deals.values())


MARGINALS = [
    ("liars-dice:dice=3,players=3", 1, 12),
    ("resistance", 1, 24),
    ("resistance:players=8", 3, 30),
]


@pytest.mark.parametrize(("spec", "viewer", "plies"), MARGINALS)
def test_marginals_are_those_of_determinize(spec, viewer, plies):
    """What others hold, one by one, in the bag's worlds and in those that the game draws."""
    g = load_game(spec)
    *_, told = (told for told, _ in zip(tell(g, viewer, 6), range(plies), strict=False))
    bag, stream, n = bag_of(told, 600, limit=5000), Stream(3), 3000
    pool, drawn = bag.held(), Counter()
    for _ in range(n):
        world = told.position.view(viewer)
        world.determinize(viewer, stream)
        drawn.update(held(world, viewer))
    found = Counter()
    for k, weight in enumerate(pool.weights.tolist()):
        for what in held(pool.position(k), viewer):
            found[what] += weight
    assert bag.active > 400
    for what in set(drawn) | set(found):
        assert found[what] == pytest.approx(drawn[what] / n, abs=0.07), what


def held(world, viewer):
    """What a world holds, in parts: of each player, where there are words for each."""
    return [part.strip() for part in world.hidden_text(viewer).split(",")]


def test_a_thorough_scout_knows_what_walks_could_not_have_played():
    """Unseen stones of phantom tic-tac-toe: many moves go well until a late observation."""
    game, viewer = load_game("phantom-ttt"), 1
    story = play(game, 2, Stream(2), 40)
    tokens = [token for _, token in observed(game, story.moves, viewer)][:9]
    found = informed(game, tokens, viewer, 400_000, float("inf"))
    assert found.whole == len(tokens)
    total = sum(found.worlds[-1].values())
    exact = Counter({world: chance / total for world, chance in found.worlds[-1].items()})
    gaps, told = {}, Told(game, viewer, game.start(), tokens=tokens)
    for thorough in (0, 20_000):
        bag = bag_of(told, 240, 2, thorough=thorough)
        held = Counter()
        for moves, share in zip(bag.histories(), bag.shares(), strict=True):
            held[short(replay(game, moves).digest())] += float(share)
        gaps[thorough] = sum(abs(held[world] - exact[world]) for world in exact | held) / 2
        assert bag.exact == bool(thorough)
    assert gaps[20_000] < 0.02 < 0.2 < gaps[0]
