"""Agents that were told what their player saw, in games that draw no worlds by themselves."""

from facedown.agents.registry import make_agent
from facedown.core import CHANCE, OVER
from support import SUPPORT
from support.seats import game

DOORS = f"{SUPPORT / 'doors.py'}:"
MONTY, BOMB, BITS = (f"{DOORS}{name}" for name in ("MontyHall", "ExplodingBomb", "Bits"))
KUHN, MOLES = f"{SUPPORT / 'blind_kuhn.py'}:BlindKuhn", f"{DOORS}BlindMoles"


def told(spec, agent_spec, player, *moves, seed=1):
    """An agent that was told what its player saw of the moves, and the position they lead to."""
    truth, agent = game(spec).start(), make_agent(agent_spec, game(spec), player, seed)
    for text in moves:
        move = truth.game.parse_move(text, truth.legal())
        if token := truth.sees(move, player):
            agent.observe(token, "")
        truth.play(move)
    return agent, truth


def values(agent, truth):
    agent.choose(truth.view(agent.player), truth.legal())
    return {c.text: c.mean for c in agent.search.report().candidates}


class Locked:
    """A hidden coin: one may pass for 0.6; where it shows heads one may also open, for 1."""

    players, bounds, most_moves = 1, (0.0, 1.0), 2

    def start(self):
        return ()

    def turn(self, s):
        return OVER if len(s) == 2 else (CHANCE, 0)[len(s)]

    def legal(self, s):
        if not s:
            return ["heads", "tails"]
        return ["pass", "open"] if s[0] == "heads" else ["pass"]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if s else "a coin is tossed"

    def payoff(self, s):
        return [0.6 if s[1] == "pass" else 1.0]

    def hide(self, s, viewer):
        return ("?", *s[1:]) if s else s

    infoset = hide
