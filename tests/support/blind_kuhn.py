"""Kuhn poker, compiled, without a rule that draws or lists its worlds.

`load_game("tests/support/blind_kuhn.py:BlindKuhn")` loads it.
"""

from __future__ import annotations

from facedown.games.kuhn import (
    Kuhn,
    apply,
    hide,
    infoset,
    legal,
    payoff,
    sees,
    start,
    turn,
)

__all__ = ["apply", "hide", "infoset", "legal", "payoff", "sees", "start", "turn"]


class BlindKuhn(Kuhn):
    """Its rules are this module's."""

    worlds = 0
