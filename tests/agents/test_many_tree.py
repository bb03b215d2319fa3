"""MT-ISMCTS as an agent: options, what it is told, inference by hand through a whole agent."""

import numpy as np
import pytest

from facedown.agents.base import Agent
from facedown.agents.registry import check_agent, make_agent
from facedown.arena.game import play_game
from facedown.core import CHANCE, OVER, PUBLIC, SpecError, Stream, derive
from facedown.core.plain import adapt
from support.seats import MOLES, after, game

FAULTS = {
    "split=1.5": "split=1.5: between 0 and 1 is wanted",
    "split=-0.1": "split=-0.1: between 0 and 1 is wanted",
    "split=nan": "split=nan in mt-ismcts: a number is wanted",
    "split=half": "split=half in mt-ismcts: a number is wanted",
    "self=honest": "self=honest in mt-ismcts: one of trueonly, pure, split, twostep, bluff",
    "inference=bayes": "inference=bayes in mt-ismcts: one of none, particle, facts",
    "iterations=0": "iterations=0: at least 1 is wanted",
}


@pytest.mark.parametrize("option", list(FAULTS))
def test_options_that_cannot_be_meant_are_told_in_one_line(option):
    with pytest.raises(SpecError) as caught:
        check_agent(f"mt-ismcts:{option}", game("kuhn"))
    assert str(caught.value) == FAULTS[option]


def test_inference_wants_a_game_that_lists_its_worlds():
    with pytest.raises(SpecError) as caught:
        check_agent("mt-ismcts:inference=particle", game("leduc"))
    assert str(caught.value) == (
        "leduc has no rule 'world', so inference=particle is not possible; "
        "inference=facts and inference=none are"
    )
    assert not make_agent("mt-ismcts", game("leduc"), 0, 1).belief.learns
    assert make_agent("mt-ismcts", game("kuhn"), 0, 1).belief.learns
    assert not make_agent("mt-ismcts:inference=none", game("kuhn"), 0, 1).belief.learns


@pytest.mark.parametrize("mode", ["trueonly", "pure", "split", "twostep", "bluff"])
def test_every_mode_plays_a_game_that_lists_no_worlds(mode):
    truth = after("leduc", "deal Q", "deal K")
    agent = make_agent(f"mt-ismcts:self={mode},iterations=200", game("leduc"), 0, 1)
    assert agent.choose(truth.view(0), truth.legal()) in truth.legal()
    assert agent.search.iterations == 200


def test_a_stop_in_the_first_phase_ends_the_decision():
    truth = after("kuhn", "deal Q", "deal K")
    agent = make_agent("mt-ismcts:self=split,iterations=1000", game("kuhn"), 0, 1)
    begin = agent.start_search

    def stopped(view, legal):  # a stop before a run ends that run as it begins
        search = begin(view, legal)
        search.stop()
        return search

    agent.start_search = stopped
    assert agent.choose(truth.view(0), truth.legal()) in truth.legal()
    assert agent.search.iterations == 0
    agent.start_search = begin  # which is forgotten by the next decision
    agent.choose(truth.view(0), truth.legal())
    assert agent.search.iterations == 1000


class Listener(Agent):
    """Notes what it is told, and plays anything."""

    def __post_init__(self):
        super().__post_init__()
        self.told = []

    def observe(self, token, text):
        self.told.append(("own", token))

    def overhear(self, token):
        self.told.append(("public", token))

    def choose(self, view, legal):
        self.told.append(("asked", 0))
        return self.stream.choice(legal)


def test_the_match_tells_what_the_public_saw_and_nothing_of_what_it_did_not():
    g, made = game(MOLES), []

    def maker(game, player):
        made.append(Listener(game, player, seed=player))
        return made[-1]

    record = play_game(g, [maker] * 3, deal_seed=4)
    truth, wanted = g.start(), [[] for _ in range(3)]
    for played in record.moves:
        move = g.parse_move(played.text, truth.legal())
        for player, told in enumerate(wanted):
            if played.player == player:
                told.append(("asked", 0))
            if token := truth.sees(move, player):
                told.append(("own", token))
            if token := truth.sees(move, PUBLIC):
                told.append(("public", token))
        truth.apply(move)
    assert [listener.told for listener in made] == wanted
    unseen = sum(kind == "own" for kind, _ in wanted[0]) - sum(
        kind == "public" for kind, _ in wanted[0]
    )
    assert unseen > 0  # a vote of one's own that is pending


def test_the_summary_has_the_belief_that_the_search_began_with():
    makers = [lambda game, player: make_agent("mt-ismcts:iterations=60", game, player, player)] * 5
    record = play_game(game("resistance"), makers, deal_seed=4)
    decided = [move for move in record.moves if move.player != CHANCE]
    for move in decided:
        belief = move.summary["belief"]
        assert len(belief) == 10
        assert min(belief) >= 0
        assert sum(belief) == pytest.approx(1, abs=1e-3)
        assert move.summary["iterations"] == 60
    spies = {int(word) for word in record.moves[0].text.split()[1:]}
    certain = [1.0 in move.summary["belief"] for move in decided if move.player in spies]
    assert all(certain)
    first = next(move for move in decided if move.player not in spies)
    assert sorted(first.summary["belief"]) == [0.0] * 4 + [0.1667] * 6


def test_there_is_no_belief_where_the_game_lists_no_worlds():
    truth = after("leduc", "deal Q", "deal K")
    agent = make_agent("mt-ismcts:iterations=50", game("leduc"), 0, 1)
    assert agent.summary() is None
    agent.choose(truth.view(0), truth.legal())
    assert agent.summary()["iterations"] == 50
    assert "belief" not in agent.summary()


def test_an_agent_need_not_listen():
    class Deaf:
        def __init__(self, game, player):
            self.observe = lambda token, text: None
            self.choose = lambda view, legal: legal[0]

    assert play_game(game("kuhn"), [Deaf, Deaf], deal_seed=1).forfeits == ()


# --- inference by hand ---------------------------------------------------------------------------


class Witnesses:
    """Chance picks one of four; two witnesses, who know which, say what they must.

    The searcher asks, the first says whether it is one of the first three, the second whether it is
    the first; then the searcher guesses. Moves of the witnesses follow from the world, so that the
    search comes to each answer in as many iterations as drew the worlds that lead to it.
    """

    players, bounds, worlds = 3, (0.0, 1.0), 4
    moves, most_moves, most_plies = 16, 4, 5

    def start(self):
        return ()

    def turn(self, s):
        return (CHANCE, 0, 1, 2, 0, OVER)[len(s)]

    def legal(self, s):
        if len(s) == 2:
            return ["low" if s[0] != "pick 3" else "high"]
        if len(s) == 3:
            return ["yes" if s[0] == "pick 0" else "no"]
        if len(s) == 4:
            return [f"guess {k}" for k in range(4)]
        return [f"pick {k}" for k in range(4)] if not s else ["ask"]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if s or viewer in (1, 2) else "one is picked"

    def payoff(self, s):
        right = float(s[0][-1] == s[4][-1])
        return [right, 1 - right, 1 - right]

    def hide(self, s, viewer):
        return s if viewer in (1, 2) or not s else ("?", *s[1:])

    def infoset(self, s, viewer):
        return self.hide(s, viewer)

    def world(self, s, viewer, k):
        if not s:
            return s, 1.0
        fits = [self.legal((f"pick {k}", *s[1:n])) == [s[n]] for n in (2, 3) if len(s) > n]
        return (f"pick {k}", *s[1:]), float(s[0] in ("?", f"pick {k}") and all(fits))

    def copy(self, s):
        return s


class Told:
    """The searcher of a game of witnesses, told each move as it is played."""

    def __init__(self, iterations):
        self.game = adapt(Witnesses(), "witnesses")
        self.agent = make_agent(f"mt-ismcts:iterations={iterations}", self.game, 0, seed=1)
        self.truth = self.game.start()

    def choose(self):
        self.agent.choose(self.truth.view(0), self.truth.legal())
        return self.agent.search

    def play(self, text):
        """Play the move; what the searcher believes then."""
        move = self.game.parse_move(text, self.truth.legal())
        token = self.truth.sees(move, 0)
        self.truth.apply(move)
        self.agent.observe(token, text)
        return self.agent.belief.shares


def test_inference_after_each_of_two_opponents_moves():
    """Worlds 0 to 2 lead to low, 1 and 2 of them to no: the numbers follow from the draws alone.

    An iteration ends in the tree with the first move that is new at its node: the first of all at
    the searcher's, and in every world the next at the first witness's and one at the second's.
    """
    table, n = Told(400), 400
    table.play("pick 1")
    search = table.choose()
    drawn = search.onlooker(0, range(search.game.worlds)).root
    first = int(4 * Stream(derive(derive(search.seed, 0), "worlds")).random())
    assert drawn.sum() == n
    assert table.play("ask").tolist() == [0.25] * 4  # forced, and so n(v) = N: it tells nothing

    low = (drawn - np.eye(4)[first]) * [1, 1, 1, 0]
    believed = (1 - low.sum() / n) * 0.25 + low / n
    assert table.play("low") == pytest.approx(believed)

    no = (low - 1) * [0, 1, 1, 0]
    assert no.sum() > n / 3
    believed = (1 - no.sum() / n) * believed + no / n
    assert table.play("no") == pytest.approx(believed)
    bayes = [0, 0.5, 0.5, 0]  # at the nodes of who acts: worlds 0 and 3 never say so
    assert np.abs(believed - bayes).max() > 0.05


def test_hard_evidence_makes_a_world_impossible_and_inference_does_not():
    table = Told(300)
    table.play("pick 1")
    table.choose()
    for text in ("ask", "low", "no"):
        believed = table.play(text)
    assert (believed > 0).all()
    search = table.choose()
    believed = table.agent.belief.shares
    assert (
        believed[[0, 3]].tolist()
        == search.onlooker(0, range(search.game.worlds)).root[[0, 3]].tolist()
        == [0.0, 0.0]
    )
    assert believed[[1, 2]].sum() == pytest.approx(1)
