"""The cells of Dobre and Lascarides 2018, without playing them: who sits there, by what."""

from pathlib import Path

import pytest

from facedown.games.registry import load_game
from facedown.papers.cells import Cell
from facedown.papers.dobre2018 import PAPER, PREFERENCES
from facedown.papers.paper import RunBudget


def cells(name: str, folder: Path | None = None) -> list[Cell]:
    return list(PAPER.exhibits[name].cells(RunBudget(4, 100, 1, folder)))


@pytest.mark.parametrize("name", list(PAPER.exhibits))
def test_one_sits_against_three(name, tmp_path):
    for cell in cells(name, tmp_path):
        one, three = cell.agents
        assert three.endswith("*3")
        assert "*" not in one
        assert not cell.duplicate
        assert "preferences=" not in one + three


def test_tables_share_their_cells(tmp_path):
    """Uninformed POMCP against the scripted player is played once for all."""
    wanted = ("pomcp:iterations=100,early=true,c=0.05", "scripted*3")
    for name in PAPER.exhibits:
        assert wanted in [cell.agents for cell in cells(name, tmp_path)]


@pytest.mark.parametrize("name", list(PAPER.exhibits))
def test_a_file_of_preferences_beside_the_results_is_used(name, tmp_path):
    """By those who have any, and by nobody whose kinds are all as likely."""
    file = tmp_path / PREFERENCES
    file.write_text(Path(load_game("settlers").preferences).read_text())
    for cell in cells(name, tmp_path):
        for spec in cell.agents:
            agent, _, options = spec.removesuffix("*3").partition(":")
            asks = agent not in ("pomcp", "pomcp-nn", "scripted") or "kinds=" in options
            assert (f"preferences={file.as_posix()}" in options) == asks, spec


def test_the_constant_is_scaled_to_the_iterations_and_not_to_their_multiples(tmp_path):
    """The paper's C is that of 10,000; a hundredth of the iterations has a tenth of it."""
    of_agent = {"pomcp": "c=0.05", "pomcp-ts-cr": "c=0.4"}
    for cell in cells("table-3", tmp_path):
        agent, _, options = cell.agents[0].partition(":")
        assert of_agent[agent] in options.split(",")


def test_more_iterations_are_multiples(tmp_path):
    specs = [cell.agents[0].partition(":")[2] for cell in cells("table-3", tmp_path)]
    given = [spec.split(",")[0] for spec in specs]
    assert given == [f"iterations={n}" for n in (100, 200, 300, 400)] * 2
