"""What a player of a finished game could believe, decision by decision, beside the truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from facedown.agents.analysis import believes, inferred, infers
from facedown.agents.registry import make_agent
from facedown.arena.replay import steps
from facedown.belief.belief import Belief, Marginals, NoWorldError, Wanted
from facedown.belief.hyperplay import LIMIT
from facedown.belief.sources import Means, make_belief
from facedown.core import CHANCE, NOTHING, PUBLIC, Game, Memos, Position, Stream, derive
from facedown.search.recipe import Recipe
from facedown.store.records import GameRecord

SAMPLES, MODELS, MOMENTS = 400, 100, 48
"""Worlds that are drawn, models of a bag, and decisions that are looked at, unless told
otherwise."""


RULES = "by the rules, others' moves taken as if made at random"
"""Who believes, where it is no agent that keeps what it was told."""


@dataclass(frozen=True)
class Moment:
    """A decision: after how many moves, whose and which it was, what was believed and what is true.

    `shares` is empty where no world was found that agrees with what was observed.
    """

    ply: int
    player: int
    move: str
    shares: dict[str, float]
    truth: frozenset[str]


@dataclass(frozen=True)
class BeliefHistory:
    """What a viewer believed in the course of a game; `who` believed it, in words."""

    game: str
    viewer: int
    who: str
    moments: tuple[Moment, ...]

    @property
    def exclusive(self) -> bool:
        """Whether one fact is true at a time, so that shares sum to 1: they can be stacked."""
        told = [moment for moment in self.moments if moment.shares]
        return bool(told) and all(
            len(moment.truth) <= 1 and abs(sum(moment.shares.values()) - 1) < 1e-6
            for moment in told
        )

    def facts(self, most: int | None = None) -> list[str]:
        """The facts that were ever held for possible or true, in order; or those that say most.

        That is those which are true at some time, and then those whose share changed most; what
        was known all along says nothing.
        """
        seen = {fact for moment in self.moments for fact in (*moment.shares, *moment.truth)}
        if most is not None:
            seen = {fact for fact in seen if not self._known(fact)} or seen
        kept = sorted(seen, key=self._says, reverse=True)[:most]
        return sorted(kept, key=_in_order)

    def _says(self, fact: str) -> tuple[bool, float, str]:
        shares = [moment.shares.get(fact, 0.0) for moment in self.moments]
        ever = any(fact in moment.truth for moment in self.moments)
        return ever, max(shares) - min(shares), fact

    def _known(self, fact: str) -> bool:
        """Whether a fact was believed whenever it was true, and never otherwise."""
        return all(
            abs(moment.shares.get(fact, 0.0) - (fact in moment.truth)) < 1e-9
            for moment in self.moments
            if moment.shares
        )

    def to_json(self) -> dict[str, Any]:
        """All of it as plain JSON."""
        return {
            "game": self.game,
            "viewer": self.viewer,
            "who": self.who,
            "moments": [
                {
                    "ply": moment.ply,
                    "player": moment.player,
                    "move": moment.move,
                    "shares": moment.shares,
                    "truth": sorted(moment.truth),
                }
                for moment in self.moments
            ],
        }


def _in_order(fact: str) -> tuple[Any, ...]:
    """A key that sorts numbers by their value, and cards by their rank."""
    *stem, last = fact.split(" ")
    rank = "A23456789TJQK".find(last.replace("10", "T"))
    words = [word for word in stem if word not in ("a", "an")]
    parts = [(int(p), p) if p.isdigit() else (-1, p) for p in re.split(r"(\d+)", last)]
    return " ".join(words), len(last) > 2 or rank < 0, rank, parts


class _Onlooker:
    """Follows a game as its viewer saw it, and believes by the rules, or as an agent would."""

    def __init__(
        self, game: Game, viewer: int, agent: str | None, samples: int, models: int, seed: int
    ) -> None:
        self._viewer, self._samples, self._seed = viewer, samples, seed
        self._agent = None if agent is None else make_agent(agent, game, viewer, seed)
        self._memos = Memos(game, viewer)
        self._belief: Belief | None = None
        self.who = agent
        if self._agent is None or not believes(self._agent):
            self._agent, self.who = None, RULES
            means = Means(models=models, limit=LIMIT)
            self._belief = make_belief(game, Recipe.belief, viewer, seed, means)

    def told(self, position: Position, move: int) -> None:
        """See what the viewer sees of a move, which is about to be made."""
        token, public = position.sees(move, self._viewer), position.sees(move, PUBLIC)
        if token != NOTHING:
            self._memos.observe(token)
            if self._belief is not None:
                self._belief.observe(token)
            if self._agent is not None:
                text = position.game.text.observation_text(token, self._viewer)
                self._agent.observe(token, text)
        if public != NOTHING and self._agent is not None:
            self._agent.overhear(public)

    def asked(self, position: Position) -> None:
        """Stand where the viewer decides: who learns from searches makes one."""
        if self._agent is not None and infers(self._agent):
            self._agent.choose(*position.offer(self._viewer))

    def believes(self, position: Position) -> Marginals:
        """What is believed now."""
        view = position.view(self._viewer)
        if self._agent is not None:
            return inferred(self._agent, view)
        assert self._belief is not None
        stream = Stream(derive(self._seed, "believed"))
        return self._belief.marginals(view, Wanted(stream, self._samples, memos=self._memos))


def beliefs_over_time(
    record: GameRecord,
    game: Game | None = None,
    viewer: int = 0,
    *,
    agent: str | None = None,
    samples: int = SAMPLES,
    models: int = MODELS,
    most: int = MOMENTS,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> BeliefHistory:
    """What `viewer` could believe at each decision of a recorded game, by what it had seen then.

    Worlds are drawn by the rules, the others' moves as if made at random; or as `agent` believes,
    which is asked wherever the viewer was. Of longer games so many decisions as `most`, evenly
    spread, the last among them. `progress` hears how far it has come, and may raise to end it.
    Works for every game with `hidden_text` or `hidden_facts`; without, nothing is told.
    """
    wanted = _spread([k for k, move in enumerate(record.moves) if move.player != CHANCE], most)
    moments: list[Moment] = []
    onlooker: _Onlooker | None = None
    for ply, (number, position) in enumerate(steps(record, game)):
        move = record.moves[ply]
        if onlooker is None:
            onlooker = _Onlooker(position.game, viewer, agent, samples, models, seed)
        if move.player == viewer:
            onlooker.asked(position)
        if ply in wanted:
            shares = _shares(onlooker, position)
            truth = frozenset(position.hidden_facts(viewer))
            words = position.game.move_words(number)
            moments.append(Moment(ply, move.player, words, shares, truth))
            progress(len(moments), len(wanted))
        onlooker.told(position, number)
    who = RULES if onlooker is None or onlooker.who is None else onlooker.who
    return BeliefHistory(record.game, viewer, who, tuple(moments))


def _shares(onlooker: _Onlooker, position: Position) -> dict[str, float]:
    try:
        return dict(onlooker.believes(position))
    except NoWorldError:
        return {}


def _spread(plies: Sequence[int], most: int) -> set[int]:
    """So many of some plies, evenly spread, the first and the last among them."""
    if len(plies) <= most:
        return set(plies)
    if most < 2:
        return set(plies[-1:])
    return {plies[round(k * (len(plies) - 1) / (most - 1))] for k in range(most)}


def told_apart(facts: Iterable[str]) -> tuple[str, list[str]]:
    """What facts have in common at their beginning, in whole words, and the rest of each.

    >>> told_apart(["player 1 holds J", "player 1 holds K"])
    ('player 1 holds', ['J', 'K'])
    """
    words = [fact.split(" ") for fact in facts]
    common: list[str] = []
    for column in zip(*words, strict=False):
        if len(set(column)) > 1 or len(common) + 1 >= min(map(len, words)):
            break
        common.append(column[0])
    return " ".join(common), [" ".join(each[len(common) :]) for each in words]
