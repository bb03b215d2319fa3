"""Classes and objects where a spec would do, positions that refuse, what notebooks show."""

import numpy as np
import pytest

import facedown
from facedown import CHANCE, OVER, RuleError, SpecError


class Guess:
    """A number that chance hides is guessed."""

    bounds, most_plies = (0.0, 1.0), 2
    players = 1

    def __init__(self, numbers: int = 3) -> None:
        self.moves, self.most_moves = 2 * numbers, numbers
        self.numbers = numbers

    def start(self):
        return ()

    def turn(self, s):
        return (CHANCE, 0, OVER)[len(s)]

    def legal(self, s):
        return [f"{'guess' if s else 'hide'} {k}" for k in range(self.numbers)]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if s else "hidden"

    def payoff(self, s):
        return [float(s[0][-1] == s[1][-1])]

    def hide(self, s, viewer):
        return ("?", *s[1:]) if s else s

    infoset = hide

    def view_text(self, s, viewer):
        return " ".join(s)


class Last(facedown.Agent):
    def choose(self, view, legal):
        return legal[-1]


def test_a_class_an_object_and_a_game_are_games():
    assert facedown.load_game(Guess).definition.numbers == 3
    assert facedown.load_game(Guess(5)).definition.numbers == 5
    game = facedown.load_game("kuhn")
    assert facedown.load_game(game) is game
    assert facedown.load_game("Guess").definition.numbers == 3  # by its name, once handed over
    five = facedown.load_game(Guess(5))
    facedown.load_game(Guess(6))
    assert facedown.load_game(five.spec).definition is five.definition


def test_what_is_no_game_is_told():
    with pytest.raises(RuleError, match="Last has no players, bounds"):
        facedown.load_game(Last(facedown.load_game("kuhn"), 0, 1))
    with pytest.raises(SpecError, match="Last-2 cannot be made"):
        facedown.load_game(Last)


def test_match_check_and_analyse_take_them():
    result = facedown.match(Guess, [Last], games=6, seed=2)
    assert result.agents[0].spec == "Last"
    assert (result.games, result.errors) == (6, 0)
    assert facedown.check(Guess(4), games=5, seconds=20).ok
    truth = facedown.load_game("kuhn").start()
    for move in ("deal K", "deal Q", "pass", "bet"):
        truth.apply(move)
    by_spec = facedown.analyse(truth.view(0), "so-ismcts:iterations=300", seed=4)
    agent = facedown.make_agent("so-ismcts:iterations=300", truth.game, 0, seed=4)
    assert facedown.analyse(truth.view(0), agent).candidates == by_spec.candidates


def test_handed_over_ones_stay_in_this_process():
    with pytest.raises(SpecError, match="jobs=2: Guess is known to this process alone"):
        facedown.match(Guess, ["random"], games=4, jobs=2)
    with pytest.raises(SpecError, match="a class is wanted, for every game has its own agents"):
        facedown.match("kuhn", [Last(facedown.load_game("kuhn"), 0, 1), "random"], games=2)


def test_a_class_that_is_no_agent_is_told_so():
    with pytest.raises(SpecError, match=r"Guess is no agent: a class with a method `choose\(view"):
        facedown.match("kuhn", [Guess, "random"], games=2)


def test_a_position_refuses_what_is_not_legal():
    kuhn = facedown.load_game("kuhn")
    position = kuhn.start()
    before = position.digest()
    with pytest.raises(ValueError, match=r"'bet' is not a legal move here; legal: deal J, deal Q"):
        position.apply("bet")
    with pytest.raises(ValueError, match=r"move 99 is not legal here; legal: deal J, deal Q, deal"):
        position.apply(99)
    bet = 1 if kuhn.move_text(1) == "bet" else 0
    with pytest.raises(ValueError, match="is not legal here"):
        position.apply(bet)
    assert position.digest() == before
    assert position.legal_text() == ["deal J", "deal Q", "deal K"]
    position.apply("deal J")
    assert position.legal_text() == ["deal Q", "deal K"]
    for move in ("deal Q", "pass", "pass"):
        position.apply(move)
    with pytest.raises(ValueError, match="the game is over"):
        position.apply("pass")


@pytest.fixture(scope="module")
def report():
    leduc = facedown.load_game("leduc")
    truth = leduc.start()
    for move in ("deal J", "deal K", "call", "raise"):
        truth.apply(move)
    return facedown.analyse(truth.view(0), "so-ismcts:iterations=2000", seed=3)


def test_policy_and_value_are_arrays(report):
    policy, values = report.policy(), report.values()
    assert policy.shape == values.shape == report.moves.shape == (len(report.candidates),)
    assert policy.sum() == pytest.approx(1)
    assert policy.argmax() == values.argmax() or policy.max() < 1
    wide = report.policy(over=6)
    assert wide.shape == (6,)
    assert wide[report.moves].tolist() == policy.tolist()
    assert wide.sum() == pytest.approx(1)
    assert np.isnan(report.values(over=6)).sum() == 6 - len(policy)
    assert report.value == pytest.approx(float(policy @ values))


def test_a_tree_to_walk(report):
    root = report.tree()
    assert root.player == 0
    assert sum(edge.visits for edge in root.edges) == report.iterations
    for edge, one in zip(
        root.edges, sorted(report.candidates, key=lambda c: -c.visits), strict=True
    ):
        assert (edge.text, edge.visits) == (one.text, one.visits)
        assert edge.mean == pytest.approx(one.mean)
    called = next(edge for edge in root.edges if edge.text == "call")
    assert called.nodes
    for node in called.nodes:
        assert 0 < node.visits <= called.visits
        assert sum(edge.visits for edge in node.edges) <= node.visits
    levels = [level for level, _ in root.walk(2)]
    assert levels[0] == 0
    assert set(levels) <= {0, 1, 2}


def test_a_tree_to_export(report):
    root = report.tree()
    plain = root.to_dict(depth=2, most=2)
    assert [one["move"] for one in plain["moves"]] == [edge.text for edge in root.edges[:2]]
    assert any(one["nodes"] for one in plain["moves"])
    dot = root.to_dot()
    assert dot.startswith("digraph")
    assert dot.count("->") == dot.count("label") - dot.count("->") - 1  # a node for each but one
    import xml.etree.ElementTree as ElementTree

    assert ElementTree.fromstring(root.to_svg()).tag.endswith("svg")
    assert root._repr_svg_() == root.to_svg()


def test_a_report_without_a_tree_says_so(report):
    from dataclasses import replace

    with pytest.raises(SpecError, match="no tree was kept"):
        replace(report, walk=None).tree()


def test_notebooks_show_views_reports_and_results(report):
    truth = facedown.load_game("kuhn").start()
    for move in ("deal K", "deal Q"):
        truth.apply(move)
    assert truth._repr_svg_() is None  # the truth is nobody's to see
    assert "<svg" in truth.view(1)._repr_svg_()
    assert truth.view(1).viewer == 1
    html = report._repr_html_()
    assert html.count("<tr>") == len(report.candidates) + 1
    assert "raise" in html
    result = facedown.match("kuhn", ["random", "random"], games=4, seed=1)
    assert result._repr_html_().count("<tr>") == 3


def test_pictures_in_one_call(report, tmp_path):
    pytest.importorskip("matplotlib")
    figure = facedown.plot(report)
    texts = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert sorted(texts) == sorted(one.text for one in report.candidates)
    result = facedown.match("kuhn", ["random", "random"], games=4, seed=1)
    facedown.plot(result, tmp_path / "match.svg")
    assert "<svg" in (tmp_path / "match.svg").read_text()
    with pytest.raises(SpecError, match="there already"):
        facedown.plot(result, tmp_path / "match.svg")
    with pytest.raises(SpecError, match="a picture ends with one of"):
        facedown.plot(result, tmp_path / "match.doc")
    assert [file.name for file in tmp_path.iterdir()] == ["match.svg"]
    with pytest.raises(SpecError, match="int cannot be plotted"):
        facedown.plot(3)
