"""Cowling, Whitehouse and Powley 2015: inference and bluffing in The Resistance (section VII).

The paper's figures are pictures without numbers; published is what its text states of them. It
states differences in percent of all games, for the text takes 31.7 for about half of 66.4: points.

The budget of a run is that of those who are no spies, 20,000 iterations a move in the paper. Spies
that self-determinize have twice as many, half of them in each phase; TRUEONLY has as many as the
others. A share of wins is the spies', unless said otherwise.
"""

from __future__ import annotations

# each of these adds its tables and figures to the paper, in this order
from facedown.papers.cowling2015 import figures, inference, own, unlisted  # noqa: F401
from facedown.papers.cowling2015.sides import PAPER

__all__ = ["PAPER"]
