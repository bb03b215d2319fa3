"""The protocol of beliefs: how worlds are wanted, who is chosen, who is told what."""

from collections import Counter

import pytest

from facedown.agents.registry import AGENTS, check_agent, make_agent
from facedown.belief.belief import Belief, Wanted
from facedown.belief.dealt import Certain, Dealt
from facedown.belief.facts import FactBelief
from facedown.belief.hyperplay import Bag
from facedown.belief.listed import ListedBelief
from facedown.belief.pool import Pool
from facedown.belief.sources import SOURCES, chosen, make_belief
from facedown.core import PUBLIC, SpecError, Stream
from facedown.core.jit import Kernel
from facedown.games.registry import load_game
from facedown.search.search import Search
from support import EXAMPLES
from support.seats import POMCP, after, game


class Weighed(Belief):
    """Three worlds of Kuhn poker, of uneven weights, and all that it was told."""

    def __init__(self, g, viewer, seed=0):
        super().__init__(g, viewer, seed)
        self.told = []

    def observe(self, token):
        self.told.append(("saw", token))

    def overhear(self, token):
        self.told.append(("heard", token))

    def clocked(self, player, seconds):
        self.told.append(("clocked", player, seconds))

    def pool(self, view, wanted):
        cards = [0, 2, 2]
        worlds = [view.copy() for _ in cards]
        for world, card in zip(worlds, cards, strict=True):
            world.record["cards"][1] = card
        return Pool(worlds, [1.0, 2.0, 3.0])


def view():
    return after("kuhn", "deal Q", "deal K").view(0)


def test_worlds_are_as_they_are_wanted():
    belief = Weighed(game("kuhn"), 0)
    by_weight = belief.worlds(view(), Wanted(Stream(1)))
    assert by_weight.weights.tolist() == [1, 2, 3]
    alike = belief.worlds(view(), Wanted(Stream(1), samples=60))
    assert alike.weights.tolist() == [1.0] * 60
    held = Counter(int(alike.position(k).record["cards"][1]) for k in range(60))
    assert held == {0: 10, 2: 50}
    assert (by_weight.views, alike.views) == (False, False)


def test_words_for_people_come_with_every_belief():
    found = dict(Weighed(game("kuhn"), 0).marginals(view(), Wanted(Stream(1))))
    assert found == pytest.approx({"player 1 holds J": 1 / 6, "player 1 holds K": 5 / 6})
    dealt = dict(Dealt(game("kuhn"), 0).marginals(view(), Wanted(Stream(1), samples=4000)))
    assert dealt == pytest.approx({"player 1 holds J": 0.5, "player 1 holds K": 0.5}, abs=0.04)
    truth = after("kuhn", "deal Q", "deal K")
    assert Certain(game("kuhn"), 0).marginals(truth, Wanted(Stream(1))) == [("player 1 holds K", 1)]


def test_a_view_is_left_to_the_kernel_and_samples_are_drawn():
    dealt = Dealt(game("kuhn"), 0)
    pool = dealt.worlds(view(), Wanted(Stream(1)))
    assert (len(pool), pool.views) == (1, True)
    drawn = dealt.worlds(view(), Wanted(Stream(1), samples=7))
    assert (len(drawn), drawn.views) == (7, False)


def test_the_first_that_the_game_offers_is_chosen():
    kinds = {"determinize": Dealt, "hyperplay": Bag, "listed": ListedBelief, "truth": Certain}
    kinds["facts"] = FactBelief
    for name, kind in kinds.items():
        assert isinstance(make_belief(game("kuhn"), (name,), 0, 1), kind)
    assert set(kinds) | {"particle", "factored"} == set(SOURCES)
    assert chosen(load_game("settlers"), ("factored", "determinize")) == "factored"
    assert chosen(game("kuhn"), ("factored", "determinize")) == "determinize"
    with pytest.raises(SpecError, match="kuhn has no rule 'knowledge', which this search needs"):
        chosen(game("kuhn"), ("factored",))
    assert chosen(load_game("leduc"), ("particle", "determinize")) == "determinize"
    assert chosen(game("kuhn"), (Weighed, "determinize")) is Weighed
    with pytest.raises(SpecError, match="leduc has no rule 'world', which this search needs"):
        chosen(load_game("leduc"), ("listed",))
    with pytest.raises(SpecError, match="no belief 'faith'; beliefs: determinize, facts"):
        make_agent("so-ismcts:belief=faith", game("kuhn"), 0, 1)
    caller = f"{EXAMPLES / 'caller.py'}:Caller"
    with pytest.raises(SpecError, match="is no belief"):
        make_agent(f"so-ismcts:belief={caller}", game("kuhn"), 0, 1)


@pytest.mark.parametrize("belief", ["determinize", "hyperplay", "listed", "particle"])
def test_any_search_has_worlds_of_any_belief(belief):
    truth = after("kuhn", "deal Q", "deal K")
    for name in ("so-ismcts", "determinized-uct", "mt-ismcts:self=split"):
        spec = f"{name}{',' if ':' in name else ':'}belief={belief},iterations=100"
        agent = make_agent(spec, game("kuhn"), 0, 1)
        for token in (4, 6):  # the own card, and that the other has one
            agent.observe(token, "")
            agent.overhear(6)
        agent.choose(truth.view(0), truth.legal())
        assert agent.search.iterations == 100


def test_beliefs_are_told_what_their_viewers_see():
    agent = make_agent("mt-ismcts:self=split", game("kuhn"), 0, 1)
    made = {viewer: Weighed(game("kuhn"), viewer) for viewer in agent.viewers()}
    agent.beliefs = made
    agent.observe(4, "")
    agent.overhear(6)
    agent.clocked(1, 2.5)
    assert made[0].told == [("saw", 4), ("heard", 6), ("clocked", 1, 2.5)]
    assert made[PUBLIC].told == [("saw", 6), ("clocked", 1, 2.5)]


def test_a_check_of_a_spec_builds_nothing(monkeypatch):
    """No kernel, no bag, no belief: whatever there is is checked in no time."""

    def refused(*args, **options):
        raise AssertionError("built for a check")

    monkeypatch.setattr(Bag, "__init__", refused)
    monkeypatch.setattr(Kernel, "compile", refused)
    monkeypatch.setattr("facedown.agents.thinking.make_belief", refused)
    monkeypatch.setattr("facedown.agents.probe.Probe.run", refused)
    cheat = load_game("cheat")
    for name in AGENTS:
        if name not in ("best", "sdmcts", "scripted", "program", "stranger", *POMCP):
            check_agent(name, cheat)
    with pytest.raises(AssertionError, match="built for a check"):
        make_agent("hyperplay", cheat, 0, 1)


def test_a_decision_reports_once(monkeypatch):
    asked = Counter()
    for name in ("report", "line"):
        made = getattr(Search, name)

        def counted(search, *args, name=name, made=made):
            asked[name] += 1
            return made(search, *args)

        monkeypatch.setattr(Search, name, counted)
    truth = after("kuhn", "deal Q", "deal K")
    agent = make_agent("so-ismcts:iterations=50", game("kuhn"), 0, 1)
    for decision in (1, 2):
        agent.choose(truth.view(0), truth.legal())
        assert agent.summary()["iterations"] == agent.report().iterations == 50
        assert asked == {"report": decision}


@pytest.mark.parametrize("thorough", [0, 500])
def test_a_bag_is_as_thorough_as_its_agent_says(thorough):
    g = game("kuhn")
    spec = f"so-ismcts:iterations=20,models=5,thorough={thorough},belief=hyperplay"
    agent, position = make_agent(spec, g, 0, seed=1), g.start()
    for _ in range(2):
        agent.observe(position.sees(position.legal()[0], 0), "")
        position.apply(position.legal()[0])
    agent.choose(position.view(0), position.choices())
    bag = agent.beliefs[0]
    assert isinstance(bag, Bag)
    assert bag.exact == bool(thorough)
