"""A game as the rest of the house sees it, whichever way its rules were written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from facedown.core.errors import RuleError, SpecError
from facedown.core.knowledge import Knowledge
from facedown.core.learning import Features, People, Replies, Traits
from facedown.core.lessons import Question
from facedown.core.position import Position
from facedown.core.rules import RULES
from facedown.core.streams import Stream
from facedown.shown import clipped

Script = Callable[[Any, int, Sequence[int], Stream], int]


class Rules(Protocol):
    """The rules behind a game: addresses for compiled code, callables for Python."""

    table: np.ndarray[Any, np.dtype[np.int64]]  # [rules], 0 where there is none
    alarm: np.ndarray[Any, np.dtype[np.int64]]  # [1], set when a Python rule has raised
    ctx: int
    size: int  # bytes of a position
    memo_size: int  # bytes of a memo, 0 where the game keeps none
    python: dict[str, Callable[..., Any]]
    variants: dict[str, int]  # addresses of what can stand for a rule, by "rule:name"
    scripted: Script | None
    scripts: dict[str, Script]

    def copy(self, to: int, source: int) -> None:
        """Make the position at `to` equal to the one at `source`; they share nothing."""

    def memo(self, address: int) -> Any:
        """What the memo at `address` holds."""

    def rollout(self) -> int:
        """The address of the game's rollout (`core.rollout`); 0 where it has none."""

    def release(self, address: int) -> None:
        """The position at `address` is gone."""

    def digest(self, address: int) -> bytes:
        """Bytes that are equal for equal positions."""

    def ordered(self, moves: Sequence[int]) -> list[int]:
        """Moves in an order that depends on nothing but themselves."""

    def raise_alarm(self) -> None:
        """Raise the error that a rule left behind while compiled code ran, if there is one."""


class Text(Protocol):
    """How a game shows itself."""

    def move_text(self, move: int) -> str:
        """A move as people write it; the same in every position."""

    def observation_text(self, token: int, viewer: int) -> str:
        """What a viewer has just seen, in words."""

    def view_text(self, view: Any, viewer: int) -> str:
        """A view for the terminal."""

    def hidden_text(self, world: Any, viewer: int) -> str:
        """What a world holds that the viewer cannot see, in words; empty: nothing is told."""

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        """The same, fact by fact: what may hold in some worlds and not in others."""

    def picture(self, view: Any, viewer: int) -> str:
        """A view as SVG."""

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        """The parts of the picture that make up a legal move of the viewer's; () for none."""


MOST_SIZES = {"players": 1000, "moves": 1 << 30, "most_moves": 1 << 24, "most_plies": 1 << 26}
"""What a game may say of itself, for so much room is made for it."""


def check_sizes(**sizes: int) -> None:
    """RuleError where a game says of itself what no machine has room for."""
    for name, size in sizes.items():
        if not 1 <= size <= MOST_SIZES[name]:
            raise RuleError(
                f"{name} is {clipped(str(size), 60)}; 1 to {MOST_SIZES[name]:,} is wanted"
            )


class Game:
    """A game, loaded and ready to play: who plays, its rules, its text.

    `spec` names it with its options; `moves` bounds the numbers of moves, `most_moves` how many are
    legal at once, `most_plies` how long a game can get; `bounds` is the range of payoffs and
    `horizon_bounds` that of the values at a horizon. `worlds` is how many worlds the rule `world`
    can list, 0 without it, and `secrets` how many labels the rule `suppose` knows. `lesson`
    explains the rules to people, and `quiz` asks whether they were understood, before a person's
    first game; both may be empty.
    """

    def __init__(
        self,
        spec: str,
        definition: Any,
        rules: Rules,
        text: Text,
        *,
        players: int,
        moves: int,
        most_moves: int,
        most_plies: int,
        bounds: tuple[float, float],
        horizon_bounds: tuple[float, float] | None = None,
        worlds: int = 0,
        secrets: int = 0,
    ) -> None:
        if not -math.inf < bounds[0] < bounds[1] < math.inf:
            raise RuleError(
                f"bounds {bounds}: the lowest payoff is less than the highest, and finite"
            )
        check_sizes(players=players, moves=moves, most_moves=most_moves, most_plies=most_plies)
        self.spec, self.definition, self.rules, self.text = spec, definition, rules, text
        self.players, self.moves, self.most_moves = players, moves, most_moves
        self.most_plies, self.bounds = most_plies, bounds
        self.horizon_bounds = horizon_bounds or bounds
        self.worlds, self.secrets = worlds, secrets
        path, mark, rest = spec.partition(".py:")
        self.name = (rest if mark else path).partition(":")[0]
        if self.has("suppose") and (secrets < 1 or not self.has("secret")):
            what = "suppose wants a rule `secret` and `secrets`, how many labels there are"
            raise RuleError(what, rule="suppose")
        if self.has("kinds") != self.has("of_kind"):
            raise RuleError("the rules kinds and of_kind go together", rule="kinds")
        if self.has("traits") != (self.traits is not None):
            what = "the rule traits and `trait_names`, what its numbers are called, go together"
            raise RuleError(what, rule="traits")
        self.settings: dict[str, dict[str, Any]] = dict(getattr(definition, "settings", {}))
        self.best: str = getattr(definition, "best", "")
        self.lesson: str = getattr(definition, "lesson", "")
        self.quiz: tuple[Question, ...] = tuple(
            Question(*one) for one in getattr(definition, "quiz", ())
        )

    def __repr__(self) -> str:
        return f"Game({self.spec!r})"

    @property
    def scripted(self) -> Script | None:
        """The game's own rule-of-thumb player, from its view's record; None if it has none."""
        return self.rules.scripted

    @property
    def scripts(self) -> dict[str, Script]:
        """The game's rule-of-thumb players that have names of their own."""
        return self.rules.scripts

    @cached_property
    def features(self) -> Features | None:
        """By what the unseen part of the last action can be predicted; None if nothing is said."""
        offered = getattr(self.definition, "features", None)
        return None if offered is None else offered()

    @cached_property
    def replies(self) -> Replies | None:
        """By what the other's reply to a move can be predicted; None if nothing is said of that."""
        offered = getattr(self.definition, "replies", None)
        return None if offered is None else offered()

    @cached_property
    def people(self) -> People | None:
        """The game's simulated people; None if it has none."""
        offered = getattr(self.definition, "people", None)
        return None if offered is None else offered()

    @property
    def predictor(self) -> str:
        """The file of the model that comes with the game, for its features; empty: none does."""
        return str(getattr(self.definition, "predictor", ""))

    @property
    def reply_predictor(self) -> str:
        """The same for its replies."""
        return str(getattr(self.definition, "reply_predictor", ""))

    @property
    def preferences(self) -> str:
        """The file of preferences among kinds of moves that comes with the game; empty: none."""
        return str(getattr(self.definition, "preferences", ""))

    @property
    def traits(self) -> Traits | None:
        """The names of what the rule `traits` tells of positions and moves; None without any."""
        return getattr(self.definition, "trait_names", None)

    @property
    def move_network(self) -> str:
        """The file of the network over those traits that comes with the game; empty: none."""
        return str(getattr(self.definition, "move_network", ""))

    @property
    def knows(self) -> bool:
        """Whether the game has a belief of its own (`knowledge`)."""
        return self.compiled and hasattr(self.definition, "knowledge")

    def knowledge(self, viewer: int) -> Knowledge:
        """The game's own belief of a viewer's, at the start; SpecError where it has none."""
        if not self.knows:
            raise SpecError(f"{self.name} keeps no knowledge of its own")
        kept: Knowledge = self.definition.knowledge(viewer)
        return kept

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides that chance's first move puts the players on; () without."""
        return tuple(getattr(self.definition, "sides", ()))

    @property
    def kind_names(self) -> tuple[str, ...]:
        """What the kinds of moves are called, in the order of their numbers; () without kinds."""
        return tuple(getattr(self.definition, "kind_names", ()))

    @property
    def compiled(self) -> bool:
        """Whether its rules are compiled; plain Python rules keep their state in objects."""
        return not hasattr(self.rules, "objects")

    def has(self, rule: str) -> bool:
        """Whether the game has this optional rule."""
        return bool(self.rules.table[RULES[rule].slot])

    def variants(self, rule: str) -> list[str]:
        """The names of the functions that can stand for a rule."""
        pairs = (key.split(":", 1) for key in self.rules.variants)
        return [name for of, name in pairs if of == rule]

    def variant(self, rule: str, name: str) -> int:
        """The address of what stands for a rule under this name; SpecError lists what there is."""
        found = self.rules.variants.get(f"{rule}:{name}")
        if found is None:
            if not self.has(rule):
                raise SpecError(f"{self.name} has no rule {rule!r}")
            there = ", ".join(self.variants(rule)) or "none"
            raise SpecError(f"{self.name} has no {rule} {name!r}; variants of {rule}: {there}")
        return found

    def horizon_range(self, variant: bool | str) -> tuple[float, float]:
        """The range of the values at the horizon: the game's own, or a variant's by its name."""
        if not isinstance(variant, str):
            return self.horizon_bounds
        self.variant("horizon", variant)
        low, high = self.definition.variants["horizon"][variant]
        return low, high

    def start(self) -> Position:
        """The position at the start, before anything is dealt."""
        position = Position(self)
        self.rules.python["start"](self.rules.ctx, position.address)
        return position

    def move_text(self, move: int) -> str:
        """A move as people write it."""
        return self.text.move_text(int(move))

    def move_words(self, move: int) -> str:
        """A move for people to read: as they write it, unless the game has better words for it."""
        own = getattr(self.text, "move_words", None)
        return self.move_text(move) if own is None else str(own(int(move)))

    def observation_words(self, token: int, viewer: int, text: str) -> str:
        """What was seen, for people to read: its text, unless the game has better words for it."""
        own = getattr(self.text, "observation_words", None)
        return text if own is None else str(own(int(token), viewer))

    def parse_move(self, text: str, legal: Sequence[int]) -> int:
        """The legal move that `text` names; ValueError lists what would be right."""
        wanted = " ".join(text.lower().split())
        for move in legal:
            if " ".join(self.move_text(move).lower().split()) == wanted:
                return move
        words = sorted(wanted.split())  # the words in any order, where one move has them
        alike = [move for move in legal if sorted(self.move_text(move).lower().split()) == words]
        if len(alike) == 1:
            return alike[0]
        names = ", ".join(self.move_text(move) for move in legal)
        raise ValueError(f"{text!r} is not a legal move here; legal: {names}")
