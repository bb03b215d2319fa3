"""The public Python API: every name is there, and nothing heavy comes with `import facedown`."""

import subprocess
import sys

import pytest

import facedown
from support import ROOT, SUPPORT


@pytest.mark.parametrize("name", facedown.__all__)
def test_every_public_name_is_there(name):
    assert getattr(facedown, name) is not None
    assert name in dir(facedown)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = facedown.nothing


def test_public_names_are_those_that_type_checkers_see():
    import ast

    tree = ast.parse((ROOT / "facedown" / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen | {"__version__"} == set(facedown.__all__)


def test_import_is_light():
    script = (
        "import sys, facedown; assert not {'numpy', 'numba', 'scipy', 'typer'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


def test_what_the_commands_do_the_names_do_too(tmp_path):
    file = tmp_path / "games.jsonl"
    facedown.match("kuhn", ["random", "random"], games=2, seed=1, save=file)
    for record in facedown.read_records(file):
        assert facedown.replay(record).over
    assert facedown.bench("kuhn", "so-ismcts:iterations=100").nodes > 0
    assert facedown.check("kuhn", games=2, seconds=5)["payoffs"].status == "held"
    curve = facedown.exploit("kuhn", "mo-ismcts", [50], mode="average")
    assert curve.points[0].iterations == 50
    with pytest.raises(facedown.SpecError, match="random does not search"):
        facedown.analyse(facedown.load_game("kuhn").start(), "random", player=0, legal=[0])


def test_beliefs_are_those_of_the_deal():
    leduc = facedown.load_game("leduc")
    truth = leduc.start()
    for move in ("deal J", "deal K", "call", "call", "deal Q"):
        truth.apply(leduc.parse_move(move, truth.legal()))
    found = dict(facedown.beliefs(truth.view(1), 1, samples=4000))
    assert found["player 0 holds J"] == pytest.approx(0.5, abs=0.05)
    assert found["player 0 holds K"] == pytest.approx(0.25, abs=0.05)
    dice = facedown.load_game("liars-dice:faces=2,players=3")
    rolled = dice.start()
    for move in ("roll 1", "roll 2", "roll 2"):
        rolled.apply(dice.parse_move(move, rolled.legal()))
    assert rolled.hidden_text(0) == "player 1 rolled 2, player 2 rolled 2"
    assert len(facedown.beliefs(rolled.view(0), 0)) == 4
    nowhere = facedown.load_game(str(SUPPORT / "tiny.py") + ":Pennies")
    assert facedown.beliefs(nowhere.start(), 0, samples=5) == []
