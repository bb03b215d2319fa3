"""Kelly 2017: five players of Cribbage (chapter 4).

Published numbers are those that the thesis's text and its Table 4-1 state; of its figures only what
the text says about them. Its searches had a time (1 s a move, some 50,000 to 150,000 iterations on
its machine, chapter 4), ours have iterations, so that a run can be repeated.

Its UCB is mean + c sqrt(2 ln A / N) on points as they are (section 3.2.3); an agent's `c` here has
no 2 in it. All that is shown has the paper's c, all specs have ours: the paper's times sqrt(2).
"""

from __future__ import annotations

# each of these adds its tables and figures to the paper, in this order
from facedown.papers.kelly2017 import own, thesis  # noqa: F401
from facedown.papers.kelly2017.thesis import PAPER

__all__ = ["PAPER"]
