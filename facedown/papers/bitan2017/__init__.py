"""Bitan and Kraus 2017: SDMCTS in the Cheat Game (sections 4.7 and 5).

The paper's agents played 120 people. No data of human Cheat games are public, so the opponents here
are *simulated people* (`person`), frozen by a digest before any agent played them, and every page
says so. Published is what the paper's text states; of most of its Figure 3 that is no number.

Its agents had 25 s a move. Simulated people lose nearly every game to searches of that length, so
budgets are small here; where they are very small, each move of a label is tried but once or twice,
and what a predictor says makes little difference (`budgets`).
"""

from __future__ import annotations

# each of these adds its tables and figures to the paper, in this order
from facedown.papers.bitan2017 import agents, calls, grid, lies, sessions  # noqa: F401
from facedown.papers.bitan2017.counting import PAPER

__all__ = ["PAPER"]
