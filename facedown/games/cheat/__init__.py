"""The Cheat Game for two."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from facedown.core import CompiledGame, SpecError, Stream
from facedown.core.learning import Features, People, Replies
from facedown.games.cheat import features, people, replies, rules, scripted, text
from facedown.games.cheat.cards import COPIES, RANKS
from facedown.games.cheat.lesson import QUIZ, RULES
from facedown.games.cheat.state import ACTIONS, MOVES, ROUNDS, Variant

_PLAYOUTS: dict[str, Any] = {"playout": True, "discount": 0.995}  # section 4.6
_BITAN = {**_PLAYOUTS, "c": 1.4, "scaled": False}  # payoffs as they are, from -1 to 1
_SMOOTH = {**_BITAN, "d": 0.0025}


class Cheat(CompiledGame):
    """Cheat: claim one to four cards, truly or not, call the other's lies, be rid of your hand.

    `rounds` is how long a game may get. Smaller decks are for tests: `ranks` of `copies` cards
    each, `cards` for each player.
    """

    State = rules.State
    rules: ClassVar = rules
    players = 2
    moves = MOVES
    most_moves = ACTIONS
    bounds = (-1.0, 1.0)
    secrets = 3  # no claim, a true one, a lie
    settings: ClassVar = {
        **dict.fromkeys(("cheating-uct", "determinized-uct", "flat-mc"), _BITAN),
        **dict.fromkeys(("so-ismcts", "mo-ismcts"), _BITAN),
        **dict.fromkeys(("smooth-uct", "mga", "pmga", "sdmcts", "fpmga"), _SMOOTH),
        "mt-ismcts": _PLAYOUTS,  # UCB-Tuned wants payoffs in [0, 1]
    }
    best = "mga:modelled=0.5"
    predictor = Path(__file__).with_name("people.skops")
    reply_predictor = Path(__file__).with_name("calls.skops")
    lesson = RULES
    quiz = QUIZ
    source = (
        "M. Bitan, S. Kraus, Combining Prediction of Human Decisions with ISMCTS in Imperfect "
        "Information Games, arXiv:1709.09451, 2017, section 4"
    )

    def __init__(
        self, rounds: int = ROUNDS, ranks: int = RANKS, copies: int = COPIES, cards: int = 8
    ) -> None:
        limits = {
            "rounds": (rounds, 1, ROUNDS),
            "ranks": (ranks, 3, RANKS),
            "copies": (copies, 1, COPIES),
            "cards": (cards, 1, (ranks * copies - 1) // 2),
        }
        for name, (value, low, high) in limits.items():
            if not low <= value <= high:
                raise SpecError(f"{name}={value} in cheat: {low} to {high} is allowed")
        self.rounds, self.ranks, self.copies, self.cards = rounds, ranks, copies, cards
        self.most_plies = 2 + 2 * cards + 5 * rounds  # a round: a move, up to four cards drawn

    def features(self) -> Features:
        return features.features(self.ranks, self.copies)

    def replies(self) -> Replies:
        return replies.replies(self.ranks, self.copies)

    def people(self) -> People:
        return people.CheatPeople(self.ranks, self.copies)

    def context(self) -> np.ndarray[Any, Any]:
        return np.array([(self.ranks, self.copies, self.cards, self.rounds)], Variant)

    def move_text(self, move: int) -> str:
        return text.move_text(move)

    def observation_text(self, token: int, viewer: int) -> str:
        return text.observation_text(token)

    def observation_words(self, token: int, viewer: int) -> str:
        """What a token tells, without the number that tells piles apart."""
        return text.observation_text(token, sealed=False)

    def view_text(self, view: Any, viewer: int) -> str:
        return text.view_text(view, viewer, self.rounds, self.ranks)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return text.hidden_text(world, viewer)

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        return tuple(text.hidden_facts(world, viewer))

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.cheat.picture import picture

        return picture(view, viewer, self.rounds, self.ranks)

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        from facedown.games.cheat.picture import move_parts

        return move_parts(move)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return scripted.choose(view, player, legal, self.ranks, self.copies, stream)
