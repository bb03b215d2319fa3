"""The papers by name; a paper's module is imported when it is asked for."""

from __future__ import annotations

import importlib

from facedown.core.errors import SpecError
from facedown.papers.paper import Paper

PAPERS: dict[str, str] = {
    "kelly2017": "facedown.papers.kelly2017",
    "cowling2015": "facedown.papers.cowling2015",
    "bitan2017": "facedown.papers.bitan2017",
    "schofield2019": "facedown.papers.schofield2019",
    "dobre2018": "facedown.papers.dobre2018",
}
"""Where a paper's tables and figures are; the module has a `PAPER`."""


def load_paper(name: str) -> Paper:
    """The paper of this name; SpecError lists what there is.

    >>> load_paper("kelly2017").exhibits["table-4-1"].games
    400
    """
    if name not in PAPERS:
        raise SpecError(f"no paper {name!r}; papers: {', '.join(PAPERS)}")
    found: Paper = importlib.import_module(PAPERS[name]).PAPER
    return found
