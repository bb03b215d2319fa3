"""What goes wrong in a game reaches its author: the rule, the place, the seed and the moves."""

import signal
import threading
import time
from pathlib import Path

import pytest

from facedown.core import CHANCE, OVER, RuleError, SpecError
from facedown.core.plain import adapt
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Labels, Playout, Recipe
from facedown.search.search import NOBODY, Search
from support.table_games import after, begun, game, root


class Walk:
    """Two players step left or right in turn, `long` steps in all; a rule may be out of order.

    `fault` is a rule and the steps after which it raises; `error` what it raises.
    """

    players, bounds = 2, (0.0, 1.0)
    moves, most_moves = 8, 4

    def __init__(self, rule="", at=(), error=ValueError, long=4, most_plies=4, once=False):
        self.rule, self.at, self.error, self.once = rule, tuple(at), error, once
        self.long, self.most_plies = long, most_plies

    def _check(self, rule, steps):
        if rule == self.rule and steps == self.at:
            if self.once:
                self.rule = ""
            raise self.error("out of order")

    def start(self):
        return ()

    def turn(self, s):
        self._check("turn", s)
        return OVER if len(s) >= self.long else len(s) % 2

    def legal(self, s):
        self._check("legal", s)
        return ["left", "right"]

    def apply(self, s, move):
        self._check("apply", s)
        return (*s, move)

    def sees(self, s, move, viewer):
        self._check("sees", s)
        return move

    def payoff(self, s):
        self._check("payoff", s)
        return (1.0, 0.0) if s.count("left") % 2 else (0.0, 1.0)

    def hide(self, s, viewer):
        return None

    def infoset(self, s, viewer):
        self._check("infoset", s)
        return s

    def determinize(self, s, viewer, stream):
        self._check("determinize", s)

    def bucket(self, s, viewer):
        self._check("bucket", s)
        return s

    def copy(self, s):
        return s


def search_of(walk, recipe=Recipe(), seed=1, **options):  # noqa: B008
    g = adapt(walk, "walk")
    return Search(g, recipe, g.start(), 0, g.start().legal(), seed, **options)


def line_of(fault):
    """The line of this file that raises."""
    lines = Path(__file__).read_text().splitlines()
    return next(k for k, line in enumerate(lines, start=1) if line.strip() == fault)


@pytest.mark.parametrize("growth", list(Growth))
@pytest.mark.parametrize("rule", ["turn", "legal", "apply", "sees"])
def test_a_rule_that_raises_names_itself_its_place_the_seed_and_the_moves(rule, growth):
    """Over several seeds, so that longer lines have been played before the one that fails."""
    played = ("left", "right")
    for seed in range(5):
        search = search_of(Walk(rule, played), Recipe(growth=growth), seed)
        with pytest.raises(RuleError) as caught:
            search.run(Budget(500))
        error, line = caught.value, line_of('raise self.error("out of order")')
        assert error.rule == rule
        assert error.seed == seed
        assert f"rule {rule!r} raised ValueError: out of order" in str(error)
        assert f"{Path(__file__).name}:{line}" in str(error)
        assert error.moves[:2] == played
        assert len(error.moves) == (2 if rule in ("turn", "legal") else 3)
        assert isinstance(error.__cause__, ValueError)
        assert f"seed {seed}; moves: left, right" in str(error)


@pytest.mark.parametrize(
    ("rule", "identity"), [("determinize", Identity.SINGLE), ("infoset", Identity.MANY)]
)
def test_a_rule_that_raises_at_the_root_has_no_moves_before_it(rule, identity):
    walk = Walk()
    search = search_of(walk, Recipe(identity=identity)).run(Budget(10))
    walk.rule = rule
    with pytest.raises(RuleError, match=f"rule '{rule}' raised") as caught:
        search.run(Budget(10))
    assert caught.value.moves == ()


@pytest.mark.parametrize("rule", ["payoff", "bucket"])
def test_other_rules_too(rule):
    at = ("right",) * (4 if rule == "payoff" else 2)
    search = search_of(Walk(rule, at), Recipe(identity=Identity.BUCKET))
    with pytest.raises(RuleError, match=f"rule '{rule}' raised") as caught:
        search.run(Budget(1000))
    assert caught.value.moves == at


def test_a_game_that_does_not_end_is_reported_with_its_first_moves():
    search = search_of(Walk(long=10**9, most_plies=50))
    with pytest.raises(RuleError, match="did not end within 50 plies") as caught:
        search.run(Budget(10))
    assert len(caught.value.moves) == 20
    assert set(caught.value.moves) == {"left", "right"}
    assert caught.value.seed == 1


def test_an_interrupt_in_a_rule_passes_as_it_is():
    search = search_of(Walk("turn", ("left",), KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        search.run(Budget(100))


def test_after_an_error_the_game_and_the_search_work_again():
    walk = Walk("turn", ("left",))
    search = search_of(walk)
    with pytest.raises(RuleError):
        search.run(Budget(100))
    walk.rule, before = "", search.iterations
    assert search.run(Budget(50)).iterations == before + 50
    g = search.game
    other = Search(g, Recipe(), g.start(), 0, g.start().legal(), 3).run(Budget(20))
    assert sum(candidate.visits for candidate in other.report().candidates) == 20


def test_an_error_in_one_thread_ends_them_all_at_once():
    """The fault shows only once, in either thread; the error tells the moves of that thread."""
    for seed in range(10):
        search = search_of(Walk("turn", ("left", "left"), once=True), seed=seed, threads=2)
        with pytest.raises(RuleError, match="rule 'turn' raised") as caught:
            search.run(Budget())  # the other thread would go on for ever
        assert caught.value.moves == ("left", "left")


def test_one_search_fails_and_another_of_the_same_game_in_another_thread_does_not():
    """The alarm is the game's; the error belongs to the thread in which the rule raised."""
    walk = Walk("payoff", ("left",) * 4)
    g = adapt(walk, "walk")
    healthy = after(g, "right")
    other = Search(g, Recipe(), healthy, 1, healthy.legal(), 2)
    errors = []

    def run():
        try:
            other.run(Budget(3000))
        except RuleError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        failing = Search(g, Recipe(), g.start(), 0, g.start().legal(), 1)
        with pytest.raises(RuleError) as caught:
            failing.run(Budget(10_000))
        assert caught.value.moves == ("left",) * 4
    thread.join()
    assert errors == []
    assert other.iterations == 3000


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_stops_a_search_of_compiled_rules():
    """The kernel holds no GIL, but Python must get a turn now and then to see the signal."""
    for threads in (1, 2, 2, 2):
        search, _ = begun("leduc", Recipe(), threads=threads)
        search.run(Budget(10))

        def interrupt(search=search):
            while search.iterations < 1000:
                time.sleep(0.001)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            search.run(Budget(30_000_000))
        thread.join()
        assert search.iterations < 30_000_000


NEEDS = {
    "determinize": Recipe(),
    "bucket": Recipe(identity=Identity.BUCKET, belief=("truth",)),
    "playout": Recipe(playout=Playout(informed=True)),
    "horizon": Recipe(playout=Playout(horizon=True)),
    "prior": Recipe(priors=True),
    "secret": Recipe(labels=Labels.ROOT),
}


class Bare:
    """A game with nothing beyond what must be there."""

    players, bounds = 1, (0.0, 1.0)

    def start(self):
        return 0

    def turn(self, s):
        return OVER if s else 0

    def legal(self, s):
        return [1]

    def apply(self, s, move):
        return move

    def sees(self, s, move, viewer):
        return move

    def payoff(self, s):
        return [1.0]

    def hide(self, s, viewer):
        return None

    def infoset(self, s, viewer):
        return s


@pytest.mark.parametrize("rule", list(NEEDS))
def test_a_recipe_that_needs_an_absent_rule_says_which(rule):
    bare = Bare()
    if rule != "determinize":
        bare.determinize = lambda s, viewer, stream: None
    g = adapt(bare, "bare.py:Bare")
    with pytest.raises(SpecError, match=f"has no rule '{rule}', which this search needs"):
        Search(g, NEEDS[rule], g.start(), 0, [0], 1)


def test_a_single_observer_must_be_somebody():
    g = game("kuhn")
    with pytest.raises(SpecError, match="needs a player who searches"):
        Search(g, Recipe(), g.start(), NOBODY, [], 1)


def test_given_worlds_must_be_given():
    g, truth, player = root("kuhn")
    with pytest.raises(SpecError, match="worlds"):
        Search(g, Recipe(belief=("listed",)), truth.view(player), player, truth.legal(), 1)


def test_everybody_at_once_from_the_deal():
    """NOBODY searches: every information set of the game gets a node, chance deals."""
    g = game("kuhn")
    recipe = Recipe(identity=Identity.MULTI, belief=("truth",))
    assert g.start().turn() == CHANCE
    search = Search(g, recipe, g.start(), NOBODY, [], 1).run(Budget(3000))
    assert search.report().nodes == 12


class Stuck(Walk):
    """Nobody can step on after the first has gone right."""

    def legal(self, s):
        return [] if s == ("right",) else super().legal(s)


def test_a_position_without_moves_is_reported_with_what_led_there():
    stuck = adapt(Stuck(), "stuck")
    start = stuck.start()
    search = Search(stuck, Recipe(), start, 0, start.legal(), seed=3)
    with pytest.raises(RuleError, match="legal gave no moves") as caught:
        search.run(Budget(100))
    assert caught.value.moves == ("right",)
    assert caught.value.seed == 3
    assert stuck.rules.alarm[0] == 0
