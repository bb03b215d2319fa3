"""The chance to win a game of cribbage, learnt from hands that a strong agent plays with itself.

First the worth of throws to the crib is learnt from random deals, which needs no search. Then an
agent plays hands by that table, and what they score gives a first table of winning, then again with
both tables, and what they score gives the table that is kept. Nothing that was learnt before takes
part, so the same command gives the same tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from facedown.agents.base import Agent
from facedown.agents.registry import agent_class, make_agent
from facedown.core import CHANCE, NOTHING, PUBLIC, Game, Position, SpecError, Stream, derive
from facedown.core.compiled import build
from facedown.games.cribbage import Cribbage
from facedown.games.cribbage.cards import CARDS
from facedown.games.cribbage.counting import count
from facedown.games.cribbage.learning import EVENTS, chances, learn_cribs
from facedown.games.cribbage.learnt import Learnt

DEALS = 1_000_000
"""Deals of each round from which the worth of throws is learnt."""

AGENT = "best:iterations=200"
"""Who plays the hands unless told otherwise."""

_FIRST = "so-ismcts:playout=true,iterations=50"  # plays a quarter as many for the first table

Progress = Callable[[str, int, int], None]


def learn(hands: int, seed: int, agent: str = AGENT, progress: Progress | None = None) -> Learnt:
    """Learn both tables of `Learnt` from scratch; `progress(what, done, total)` is told."""
    if getattr(agent_class(agent, _game(Learnt())), "cheats", False):
        raise SpecError(f"{agent} cheats: what it wins tells nothing of fair play")
    tell = progress or (lambda what, done, total: None)
    tell("cribs", 0, 1)
    learnt = Learnt(crib=learn_cribs(DEALS, seed))
    for spec, n, name in ((_FIRST, max(1, hands // 4), "first hands"), (agent, hands, "hands")):
        game = _game(learnt)
        scored = np.zeros((n, EVENTS), np.int8)
        for k in range(n):
            tell(name, k, n)
            scored[k] = play_hand(game, spec, derive(seed, name, k))
        learnt = Learnt(learnt.crib, chances(scored))
    about = {
        "command": f"facedown winning --hands {hands} --seed {seed} --agent {agent} --out FILE",
        "seed": seed,
        "hands": hands,
        "agent": agent,
        "first_hands": max(1, hands // 4),
        "first_agent": _FIRST,
        "deals": DEALS,
    }
    return Learnt(learnt.crib, learnt.winning, about)


def _game(learnt: Learnt) -> Game:
    """Cribbage that knows these tables."""
    definition = Cribbage()
    definition.learnt = learnt
    return build(definition, "cribbage")


def play_hand(game: Game, agent: str, seed: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """What the first hand of a game scores, in order: the dealer's above, the pone's below zero.

    Both players are the agent, with seeds of their own. Nobody is near 121, so all is counted.
    """
    position, deal = game.start(), Stream(derive(seed, "deal"))
    players = [make_agent(agent, game, p, derive(seed, "agent", p)) for p in range(2)]
    events: list[int] = []
    before = [0, 0]
    while position.record["last"][0] < 0:
        turn = position.turn()
        if turn == CHANCE:
            _play(position, position.draw(deal), players)
        else:
            view, legal = position.offer(turn)
            move = legal[0] if len(legal) == 1 else players[turn].choose(view, legal)
            _play(position, move, players)
        now = [int(score) for score in position.record["score"]]
        events += [now[0] - before[0], before[1] - now[1]]
        before = now
    shown = _shown(position.record)
    events[-2] -= shown[1] + shown[2]  # the last card is played and all is counted in one move
    events[-1] -= shown[0]
    scored = [points for points in (*events, *shown) if points]
    return np.array(scored + [0] * (EVENTS - len(scored)), np.int8)


def _play(position: Position, move: int, players: Sequence[Agent]) -> None:
    """Play a move and tell both what they see of it."""
    tokens = [position.sees(move, player) for player in range(2)]
    public = position.sees(move, PUBLIC)
    position.play(move)
    for player, token in enumerate(tokens):
        if token != NOTHING:
            players[player].observe(token, position.game.text.observation_text(token, player))
    if public != NOTHING:
        for agent in players:
            getattr(agent, "overhear", lambda token: None)(public)  # a user's need not listen


def _shown(record: Any) -> tuple[int, int, int]:
    """The show: the pone's hand, below zero, the dealer's hand, the crib."""
    cut = int(record["last"][0])
    hands = [[card for card in range(CARDS) if int(cards) >> card & 1] for cards in record["shown"]]
    pone, dealer, crib = (sum(count(h, cut, crib=k == 2).values()) for k, h in enumerate(hands))
    return -pone, dealer, crib
