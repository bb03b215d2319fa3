"""The notebooks of the documents run, cell by cell, and show what they say that they show."""

import ast
import json

import pytest

from support import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def cells(notebook):
    """The code cells, and where the last statement of each is a value, that value's expression."""
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "notebooks are kept without outputs"
            yield "".join(cell["source"])


def shown(source, names):
    """Run a cell; what a notebook would show of it, or None."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_there_are_three():
    assert [notebook.stem for notebook in NOTEBOOKS] == ["beliefs", "own-game", "search"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook):
    pytest.importorskip("matplotlib", reason="notebooks plot")
    names = {"__name__": "__main__"}
    found = [shown(source, names) for source in cells(notebook)]
    assert any(one is not None for one in found)
    for one in found:
        for form in ("_repr_svg_", "_repr_html_"):
            if hasattr(one, form) and not isinstance(one, type):
                assert getattr(one, form)() is None or "<" in getattr(one, form)()
