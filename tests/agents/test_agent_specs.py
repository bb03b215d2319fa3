"""Specs of agents: what they may say, what they do, and one clear line where they are wrong."""

import os
import subprocess
import sys

import pytest

from facedown.agents.registry import AGENTS, make_agent
from facedown.arena.match import run_match
from facedown.core import RuleError, SpecError
from facedown.core.jit import KERNELS, Kernel
from facedown.search.bandits import BANDITS, Statistics, bandit_number, ucb1
from facedown.search.recipe import Growth, Identity, Labels, Smooth, Worlds
from facedown.search.search import kernel
from facedown.search.tables import merge, rehash, reindex
from facedown.search.tallies import move_over
from support import ROOT
from support.battery import first_decision
from support.seats import RECIPES, after, game


def made(spec, g="kuhn", seed=1):
    return make_agent(spec, game(g), 0, seed)


WRONG = {
    "so-ismtcs": "no agent 'so-ismtcs'; agents: random, scripted, flat-mc",
    ":c=1": "has no name",
    "so-ismcts:k=1": "so-ismcts has no option 'k'; its options: iterations, seconds, cpu, ",
    "random:c=1": "random has no option 'c'; its options: none",
    "so-ismcts:worlds=3": "no option 'worlds'",
    "so-ismcts:c": "'c' in 'so-ismcts:c' is not key=value",
    "so-ismcts:c=1,c=2": "c is given twice",
    "so-ismcts:c=big": "c=big in so-ismcts: a number is wanted",
    "so-ismcts:c=inf": "c=inf: a finite number is wanted",
    "so-ismcts:seconds=inf": "seconds=inf: a finite number is wanted",
    "so-ismcts:c=-1": "c=-1.0: at least 0 is wanted",
    "so-ismcts:c=nan": "c=nan in so-ismcts: a number is wanted",
    "so-ismcts:iterations=1.5": "iterations=1.5 in so-ismcts: a whole number is wanted",
    "so-ismcts:iterations=0": "iterations=0: at least 1 is wanted",
    "so-ismcts:seconds=-1": "seconds=-1.0: at least 0 is wanted",
    "so-ismcts:threads=0": "threads=0: at least 1 is wanted",
    "so-ismcts:memory=0": "memory=0: at least 1 is wanted",
    "so-ismcts:depth=0": "depth=0: at least 1 is wanted",
    "so-ismcts:discount=0": "discount=0.0: more than 0, at most 1 is wanted",
    "so-ismcts:discount=1.1": "discount=1.1: more than 0, at most 1 is wanted",
    "so-ismcts:growth=tree": "growth=tree in so-ismcts: one of edge, node, player",
    "so-ismcts:final=best": "final=best in so-ismcts: one of visits, mean, average",
    "so-ismcts:scaled=perhaps": "scaled=perhaps in so-ismcts: true or false is wanted",
    "so-ismcts:bandit=ucb2": "no bandit 'ucb2'; one of ucb1, ucb-tuned, puct, uniform",
    "so-ismcts:bandit=nowhere.py:f": "there is no file nowhere.py",
    "determinized-uct:worlds=0": "worlds=0: at least 1 is wanted",
    "smooth-uct:eta=2": "eta=2.0: between 0 and 1 is wanted",
    "smooth-uct:gamma=-1": "gamma=-1.0: between 0 and 1 is wanted",
    "smooth-uct:d=-1": "d=-1.0: at least 0 is wanted",
    "nowhere.py:Agent": "there is no file nowhere.py",
}


@pytest.mark.parametrize("spec", list(WRONG))
def test_a_wrong_spec_gets_one_line_that_says_what_is_allowed(spec):
    with pytest.raises(SpecError) as caught:
        made(spec)
    assert WRONG[spec] in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("option", ["prior=true", "playout=true", "horizon=true"])
def test_an_option_that_needs_a_rule_the_game_has_not(option):
    truth = after("kuhn", "deal Q", "deal K")
    with pytest.raises(SpecError, match="kuhn has no rule"):
        made(f"so-ismcts:{option}").choose(truth.view(0), truth.legal())
    with pytest.raises(SpecError, match="kuhn has no rule"):  # before anything is played
        run_match("kuhn", [f"so-ismcts:{option}", "random"], games=2)


@pytest.mark.parametrize(
    "spec", ["so-ismcts:iterations=3000,threads=2", "mt-ismcts:iterations=3000"]
)
def test_compiling_is_no_thinking_time(monkeypatch, spec):
    """An agent is made with all that its search will need; a clock that starts then is fair.

    The searches grow and merge their tables, and grow their tallies.
    """
    loaded, compiling = [], Kernel.compile
    monkeypatch.setattr(Kernel, "compile", lambda one: loaded.append(one) or compiling(one))
    for one in KERNELS:
        monkeypatch.setattr(one, "compiled", None)
    truth = first_decision(game("resistance"))
    agent = make_agent(spec, truth.game, truth.turn(), 1)
    before = list(loaded)
    assert {kernel, reindex, rehash, merge, move_over} <= set(before)
    agent.choose(truth.view(truth.turn()), truth.legal())
    assert agent.search.report().nodes > 256  # the tables had to grow
    assert loaded == before


def test_options_reach_the_recipe():
    agent = made(
        "so-ismcts:iterations=10_000,seconds=1.5,c=2,bandit=ucb-tuned,growth=player,discount=0.9,"
        "depth=3,scaled=no,final=mean,threads=2,memory=16"
    )
    assert (agent.budget.iterations, agent.budget.seconds) == (10_000, 1.5)
    recipe = agent.recipe
    assert (recipe.identity, recipe.bandit, recipe.c) == (Identity.SINGLE, "ucb-tuned", 2.0)
    assert (recipe.growth, recipe.scaled) == (Growth.PLAYER, False)
    assert (recipe.playout.discount, recipe.playout.depth) == (0.9, 3)
    assert (recipe.final, agent.threads, agent.memory) == ("mean", 2, 16)


def test_each_agent_is_its_papers_recipe():
    recipes = {name: made(name).recipe for name in RECIPES}
    assert recipes["so-ismcts"].identity is Identity.SINGLE
    assert recipes["mo-ismcts"].identity is Identity.MULTI
    assert recipes["cheating-uct"].identity is Identity.FULL
    assert recipes["cheating-uct"].belief == ("truth",)
    uct = made("determinized-uct:seconds=1,worlds=30,c=1.75").recipe
    assert (uct.identity, uct.worlds, uct.labels) == (Identity.FULL, Worlds.IN_TURN, Labels.TREE)
    assert (uct.samples, uct.c) == (30, 1.75)
    smooth = made("smooth-uct:eta=0.8,gamma=0.2,d=0.01").recipe
    assert smooth.smooth == Smooth(0.8, 0.2, 0.01)
    assert smooth.growth is Growth.PLAYER
    assert recipes["flat-mc"].playout.depth == 1
    assert recipes["mt-ismcts"].identity is Identity.MANY
    bandits = {name: recipe.bandit for name, recipe in recipes.items() if recipe.bandit != "ucb1"}
    assert bandits == {
        "flat-mc": "uniform", "hyperplay": "uniform", "mt-ismcts": "ucb-tuned",
        **dict.fromkeys(("cheating-uct", "determinized-uct", "smooth-uct"), "uct"),
    }  # fmt: skip
    assert all(AGENTS[name].summary for name in AGENTS)


def test_any_search_can_be_over_the_games_abstraction():
    g = "cheat"
    for name in ("so-ismcts", "smooth-uct", "determinized-uct"):
        assert made(name, g).recipe.identity is not Identity.BUCKET
        agent = made(f"{name}:bucket=true,iterations=50", g)
        assert agent.recipe.identity is Identity.BUCKET
    assert made("mga:bucket=false", g).recipe.identity is Identity.MANY
    assert made("mga", g).recipe.identity is Identity.BUCKET
    with pytest.raises(SpecError, match="what players observe"):
        made("mt-ismcts:bucket=true", g)
    with pytest.raises(SpecError, match="no rule 'bucket'"):
        made("smooth-uct:bucket=true").require()


def test_without_a_budget_there_is_a_modest_one():
    assert made("so-ismcts").budget.iterations == 1000
    assert made("so-ismcts:seconds=1").budget.iterations is None


def test_cheat_is_searched_with_the_papers_parameters():
    """Section 4.6; c is ours, for the one printed there cannot be right."""
    for name in ("smooth-uct", "mga", "pmga", "fpmga"):
        recipe = made(name, "cheat").recipe
        assert (recipe.smooth.eta, recipe.smooth.gamma, recipe.smooth.d) == (0.9, 0.1, 0.0025)
        assert (recipe.playout.discount, recipe.c, recipe.scaled) == (0.995, 1.4, False)


def test_a_games_settings_are_defaults_that_a_spec_overrides(monkeypatch):
    settings = {"so-ismcts": {"c": 1.25, "iterations": 77}}
    monkeypatch.setattr(game("kuhn"), "settings", settings)
    assert (made("so-ismcts").recipe.c, made("so-ismcts").budget.iterations) == (1.25, 77)
    assert made("so-ismcts:c=2").recipe.c == 2.0
    assert made("so-ismcts:c=2").budget.iterations == 77
    assert made("mo-ismcts").recipe.c == 0.7


# --- a user's own --------------------------------------------------------------------------------

MINE = '''
from facedown.agents.base import Agent

class First(Agent):
    """Plays the legal move of a given place, and remembers what it was told."""

    def __init__(self, game, player, seed, place: int = 0, loud: bool = False):
        super().__init__(game, player, seed)
        self.place, self.loud, self.heard = place, loud, []

    def observe(self, token, text):
        self.heard.append(text)

    def choose(self, view, legal):
        return legal[self.place]

class Duck:
    """No relation of Agent's."""

    cheats = False

    def __init__(self, game, player, seed):
        self.player = player

    def observe(self, token, text):
        pass

    def choose(self, view, legal):
        return legal[-1]

    def summary(self):
        return {"quack": True}

broken = 3
'''


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


def test_a_users_agent_by_path(mine):
    truth = after("kuhn", "deal Q", "deal K")
    agent = made(f"{mine}:First:place=1,loud=yes")
    assert agent.choose(truth.view(0), truth.legal()) == truth.legal()[1]
    assert agent.loud is True
    assert made(f"{mine}:Duck").choose(truth.view(0), truth.legal()) == truth.legal()[-1]
    with pytest.raises(SpecError, match="First has no option 'c'; its options: place, loud"):
        made(f"{mine}:First:c=1")
    with pytest.raises(SpecError, match="place=x in First: a whole number is wanted"):
        made(f"{mine}:First:place=x")


def test_a_file_that_is_not_what_it_should_be(mine, tmp_path):
    with pytest.raises(SpecError, match="has no class 'Third'"):
        made(f"{mine}:Third")
    with pytest.raises(SpecError, match="has no class 'broken'"):
        made(f"{mine}:broken")
    faulty = tmp_path / "faulty.py"
    faulty.write_text("import nothing_of_this_name\n")
    with pytest.raises(SpecError, match=r"faulty.py does not load: ModuleNotFoundError"):
        made(f"{faulty}:Agent")


OWN_BANDITS = '''
import math

_table = {"any": 0.0}

def greedy(move):
    """UCB1 by another name."""
    if move.visits == 0.0:
        return math.inf
    return move.mean + move.c * math.sqrt(move.log_available / move.visits)

def plain(move):
    """The same, in a way that Numba cannot compile."""
    stats = {"visits": move.visits, "text": str(move.mean), **_table}
    if stats["visits"] == 0.0:
        return math.inf
    return float(move.mean) + move.c * math.sqrt(move.log_available / move.visits)

def short(visits, mean):
    return mean

def faulty(move):
    raise ArithmeticError("lost count of visits")

def absent(move):
    return float(open("/nowhere/at/all").read()) + len(str({"mean": move.mean}))

def wary(move):
    if not move.visits <= move.total <= move.node_visits:
        raise ArithmeticError(f"{move} do not fit together")
    if not move.visits <= move.available <= move.node_visits + 1.0:
        raise ArithmeticError(f"{move} was available too often")
    return -move.visits

number = 4
'''


@pytest.fixture
def bandits(tmp_path):
    file = tmp_path / "bandits.py"
    file.write_text(OWN_BANDITS)
    return file


@pytest.mark.parametrize("function", ["greedy", "plain"])
def test_a_users_bandit_compiled_or_not(bandits, function):
    """Both are UCB1, and give its tree."""
    truth, trees = after("leduc", "deal Q", "deal K"), []
    for bandit in ("ucb1", f"{bandits}:{function}"):
        agent = made(f"so-ismcts:iterations=300,bandit={bandit}", "leduc")
        called = python_calls(lambda agent=agent: agent.choose(truth.view(0), truth.legal()))
        trees.append(agent.search.dump())
    assert trees[0] == trees[1]
    assert (function in called) == (function == "plain")


def python_calls(run):
    """The names of the functions in Python that a call leads to."""
    names = set()
    sys.setprofile(lambda frame, event, arg: names.add(frame.f_code.co_name))
    try:
        run()
    finally:
        sys.setprofile(None)
    return names


def test_the_statistics_of_a_move_fit_together(bandits):
    """Visits of the move, of all that are legal and of the node; how often it was available."""
    truth = after("leduc", "deal Q", "deal K")
    for identity in ("so-ismcts", "mo-ismcts"):
        agent = made(f"{identity}:iterations=500,bandit={bandits}:wary", "leduc")
        agent.choose(truth.view(0), truth.legal())
        assert agent.search.iterations == 500


def test_a_users_bandit_that_is_not_there(bandits):
    for name in ("none", "number"):
        with pytest.raises(SpecError, match=f"has no function '{name}'"):
            made(f"so-ismcts:bandit={bandits}:{name}")
    with pytest.raises(
        SpecError, match=r"a bandit takes one argument, .*\(visits, mean, .*; short of .* does not"
    ):
        made(f"so-ismcts:bandit={bandits}:short")


@pytest.mark.parametrize(
    ("function", "error"),
    [("faulty", "ArithmeticError: lost count of visits"), ("absent", "FileNotFoundError")],
)
def test_what_a_users_bandit_raises_is_raised(bandits, function, error):
    truth = after("kuhn", "deal Q", "deal K")
    agent = made(f"so-ismcts:bandit={bandits}:{function}")
    with pytest.raises(RuleError, match=f"the bandit raised {error}") as caught:
        agent.choose(truth.view(0), truth.legal())
    assert caught.value.rule == "bandit"
    assert caught.value.seed is not None
    result = run_match("kuhn", [f"so-ismcts:bandit={bandits}:{function}", "random"], games=2)
    (reason,) = result.agents[0].forfeits  # the agent's fault, and the match goes on
    assert f"the bandit raised {error}" in reason
    again = made("so-ismcts:iterations=20")
    assert again.choose(truth.view(0), truth.legal()) in truth.legal()


def test_bandits_are_numbers_to_the_kernel():
    assert [bandit_number(name) for name in BANDITS] == [-1, -2, -3, -4, -5, -6, -7]
    assert ucb1(Statistics(0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.7)) == float("inf")


def test_a_users_bandit_with_the_jit_off(bandits):
    """In a process of its own: the switch is read once."""
    code = (
        "from facedown.agents.registry import make_agent as make\n"
        "from facedown.games.registry import load_game\n"
        "g = load_game('kuhn'); p = g.start(); p.apply(3); p.apply(4)\n"
        "for bandit in ('ucb1', 'bandits.py:plain'):\n"
        "    agent = make(f'so-ismcts:iterations=60,bandit={bandit}', g, 0, 1)\n"
        "    agent.choose(p.view(0), p.legal()); print(agent.search.dump())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=bandits.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    one, other = done.stdout.splitlines()
    assert one == other


def test_best_is_what_the_game_names_with_the_options_that_are_given():
    cribbage = game("cribbage")
    agent = make_agent("best:iterations=70", cribbage, 0, seed=1)
    named = make_agent(cribbage.best, cribbage, 0, seed=1)
    assert agent.recipe == named.recipe
    assert agent.budget.iterations == 70
    assert make_agent("best:c=9", cribbage, 0, seed=1).recipe.c == 9
    with pytest.raises(SpecError, match="has no option 'wit'"):
        make_agent("best:wit=1", cribbage, 0, seed=1)


def test_a_game_that_names_no_best_agent_has_the_usual_one():
    ace = game("examples/ace.py:Ace")
    agent = make_agent("best:iterations=5", ace, 0, seed=1)
    assert agent.recipe == make_agent("so-ismcts", ace, 0, seed=1).recipe
    assert agent.budget.iterations == 5


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc", "liars-dice", "phantom-ttt", "cheat", "resistance"]
)
def test_games_that_come_with_the_house_name_their_best(name):
    assert game(name).best
    assert make_agent("best:iterations=5", game(name), 0, seed=1).budget.iterations == 5
