"""Roots by label: drawn in turn, and weighed at the end (Bitan and Kraus 2017, section 3)."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from facedown.agents.registry import make_agent
from facedown.belief.belief import Belief
from facedown.core import OVER, RuleError, SpecError
from facedown.core.plain import adapt
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Labels, Recipe
from facedown.search.search import Search
from facedown.table.human import Human
from facedown.table.terminal import Terminal

HONEST, LIE = 0, 1
PAID = {  # to the one who answers
    ("honest", "call"): -1.0,
    ("honest", "pass"): 0.2,
    ("lie", "call"): 1.0,
    ("lie", "pass"): -0.4,
}


class Claims:
    """A claim, honest or a lie, that the other calls or lets pass; lies are drawn one time in 5."""

    players = 2
    bounds = (-1.0, 1.0)
    moves = 4
    most_moves = 2
    most_plies = 2

    def start(self):
        return ()

    def turn(self, s):
        return len(s) if len(s) < 2 else OVER

    def legal(self, s):
        return ["call", "pass"] if s else ["honest", "lie"]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if s or viewer == 0 else "a claim"

    def payoff(self, s):
        return [-PAID[s], PAID[s]]

    def hide(self, s, viewer):
        return s if viewer == 0 or not s else ("?", *s[1:])

    def infoset(self, s, viewer):
        return (viewer, self.hide(s, viewer))

    def determinize(self, s, viewer, stream):
        return ("lie" if stream.random() < 0.2 else "honest", *s[1:]) if "?" in s else s

    def secret(self, s, viewer):
        return LIE if s[0] == "lie" else HONEST


def answering(game, seed=1):
    position = game.start()
    position.apply(game.parse_move("honest", position.legal()))
    recipe = Recipe(identity=Identity.MANY, labels=Labels.ROOT, growth=Growth.PLAYER)
    return Search(game, recipe, position.view(1), 1, position.legal(), seed)


def test_labels_are_drawn_in_turn_however_rare_they_are():
    search = answering(adapt(Claims(), "claims")).run(Budget(401))
    assert search.labels == [HONEST, LIE]
    visits = {
        label: sum(sums[0] for sums in found.values())
        for label, found in search.sums_by_label(search.tables).items()
    }
    assert visits == {HONEST: 201, LIE: 200}


@pytest.mark.parametrize("lies", [0.0, 0.25, 0.5, 1.0])
def test_the_expectation_of_a_case_worked_out_by_hand(lies):
    g = adapt(Claims(), "claims")
    search = answering(g).run(Budget(400))
    worth = {g.move_text(m): w for m, w in search.expected({HONEST: 1 - lies, LIE: lies}).items()}
    assert worth["call"] == pytest.approx(2 * lies - 1)
    assert worth["pass"] == pytest.approx(0.2 * (1 - lies) - 0.4 * lies)


def test_a_move_that_was_not_tried_under_a_likely_label_is_left_out():
    g = adapt(Claims(), "claims")
    search = answering(g).run(Budget(1))  # one iteration, one label, one move
    assert not search.expected({HONEST: 0.5, LIE: 0.5})
    assert len(search.expected({HONEST: 1.0, LIE: 0.0})) == 1
    assert not search.expected({HONEST: 0.0, LIE: 0.0})


class Unlisted(Claims):
    """The same, and it draws no worlds: of two claims each is as likely."""

    determinize = property()  # nothing is to be found there


def answer(spec, claim, seed, claims=Claims):
    g = adapt(claims(), "claims")
    position = g.start()
    agent = make_agent(spec, g, 1, seed)
    move = g.parse_move(claim, position.legal())
    agent.observe(position.sees(move, 1), "")
    position.apply(move)
    seen = position if agent.cheats else position.view(1)
    return g.move_text(agent.choose(seen, position.legal()))


def test_even_odds_call_where_that_is_worth_more():
    """0 against -0.1, whatever the truth is, and whoever draws the worlds."""
    for claims in (Claims, Unlisted):
        for claim in ("honest", "lie"):
            assert answer("mga:iterations=200", claim, 3, claims) == "call"


def test_who_peeks_is_right_as_often_as_it_says():
    for claim, wanted in (("honest", "pass"), ("lie", "call")):
        for claims in (Claims, Unlisted):
            assert answer("fpmga:iterations=200,accuracy=1", claim, 5, claims) == wanted
    right = sum(answer("fpmga:iterations=60,accuracy=0.8", "lie", k) == "call" for k in range(100))
    assert 65 <= right <= 92  # 80 +- 4 standard deviations: foreseen honest, it lets it pass


def test_an_accuracy_beyond_certainty():
    with pytest.raises(SpecError, match="between 0 and 1 is wanted"):
        make_agent("fpmga:accuracy=1.5", adapt(Claims(), "claims"), 1, 0)


def test_a_game_without_secrets_is_refused():
    from facedown.games.registry import load_game

    with pytest.raises(SpecError, match="no rule 'secret'"):
        make_agent("mga", load_game("kuhn"), 0, 0).require()


class Supposing(Claims):
    """Lies are so rare that no sample would show one; they can be supposed."""

    secrets = 2
    rarity = 1e-6

    def determinize(self, s, viewer, stream):
        return ("lie" if stream.random() < self.rarity else "honest", *s[1:]) if "?" in s else s

    def suppose(self, s, viewer, label):
        if "?" not in s:
            return s, label == HONEST
        return (("lie" if label == LIE else "honest", *s[1:]), True)


class Unsupposing(Supposing):
    suppose = property()  # nothing is to be found there


def test_a_label_is_supposed_however_rare_it_is():
    search = answering(adapt(Supposing(), "claims")).run(Budget(401))
    assert search.labels == [HONEST, LIE]
    visits = {
        label: sum(sums[0] for sums in found.values())
        for label, found in search.sums_by_label(search.tables).items()
    }
    assert visits == {HONEST: 201, LIE: 200}
    assert search.expected({HONEST: 0.5, LIE: 0.5})
    assert search.report().iterations == 401


def test_without_supposing_a_rare_label_is_missed():
    assert answering(adapt(Unsupposing(), "claims")).labels == [HONEST]


def test_rare_lies_are_foreseen_and_called():
    for claim, wanted in (("honest", "pass"), ("lie", "call")):
        assert answer("fpmga:iterations=200,accuracy=1", claim, 5, Supposing) == wanted
        assert answer("mga:iterations=200", claim, 3, Supposing) == "call"


class Nothing(Supposing):
    def suppose(self, s, viewer, label):
        return s, False


def test_a_game_that_allows_no_label_is_told_so():
    with pytest.raises(RuleError, match="suppose allows no label at all"):
        answering(adapt(Nothing(), "claims"))


class Uncounted(Supposing):
    secrets = 0


def test_suppose_needs_the_number_of_labels():
    with pytest.raises(RuleError, match="`secrets`, how many labels there are"):
        adapt(Uncounted(), "claims")


@pytest.mark.parametrize(("sure", "wanted"), [(HONEST, "pass"), (LIE, "call")])
def test_a_hint_is_what_the_agent_would_play_by_its_odds(sure, wanted, monkeypatch):
    """The search is the same, so are the visits of all roots together: they cannot tell."""

    def odds(_, view, labels):
        return {label: float(label == sure) for label in labels}

    monkeypatch.setattr(Belief, "odds", odds)
    game, said = adapt(Claims(), "claims"), io.StringIO()
    truth = game.start()
    truth.apply(game.parse_move("lie", truth.legal()))
    person = Human(game, 1, 3, "mga:iterations=200", terminal=Terminal(Console(file=said)))
    person.show_hint(truth.view(1), truth.legal())
    assert f"mga:iterations=200 would play {wanted}" in said.getvalue()


def test_a_final_choice_that_would_not_be_made_is_refused():
    for name in ("mga", "fpmga"):
        with pytest.raises(SpecError, match="final=visits: mean is wanted"):
            make_agent(f"{name}:final=visits", adapt(Claims(), "claims"), 1, 0)
