"""A game as the rest of the house sees it, whichever way its rules were written."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from facedown.core.constants import CHANCE, OVER
from facedown.core.errors import RuleError, SpecError
from facedown.core.knowledge import Knowledge
from facedown.core.learning import Features, People, Replies, Traits
from facedown.core.lessons import Question
from facedown.core.memo import Memo
from facedown.core.pictures import described
from facedown.core.plainly import readable
from facedown.core.records import address_of
from facedown.core.rules import RULES
from facedown.core.streams import Stream
from facedown.shown import clipped

Record = np.ndarray[Any, Any]
Script = Callable[[Any, int, Sequence[int], Stream], int]
_ALIGN = 64  # a position begins on a cache line, so that fields of any kind are aligned


def aligned(rows: int, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Zeroed bytes [rows, stride], every row of at least `size` bytes on its own cache line."""
    stride = max(1, -(-size // _ALIGN)) * _ALIGN
    block = np.zeros(rows * stride + _ALIGN, np.uint8)
    shift = -address_of(block) % _ALIGN
    return block[shift : shift + rows * stride].reshape(rows, stride)


def lined_up(n: int, kind: Any) -> np.ndarray[Any, Any]:
    """`n` zeroed items that begin on a cache line: where arrays lie must not decide their speed."""
    size = n * np.dtype(kind).itemsize
    return aligned(1, size)[0, :size].view(kind)


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


class Position:
    """A position of a game, or a player's view of one; owns its bytes."""

    __slots__ = ("__weakref__", "_moves", "_values", "address", "block", "game", "viewer")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.viewer: int | None = None  # whose view it is; None for a true position, and for worlds
        self.block = aligned(1, game.rules.size)
        self.address = address_of(self.block)
        weakref.finalize(self, game.rules.release, self.address)
        self._moves: Record = np.zeros(game.most_moves, np.int32)
        self._values: Record = np.zeros(max(game.most_moves, game.players), np.float64)

    def _call(self, rule: str, *args: int) -> Any:
        rules = self.game.rules
        return rules.python[rule](rules.ctx, self.address, *args)

    @property
    def record(self) -> Any:
        """The position's content: a NumPy record, or the object of a plain Python game."""
        rules = self.game.rules
        if not self.game.compiled:
            return rules.objects[self.address]  # type: ignore[attr-defined]
        dtype = self.game.definition.State
        return self.block[0, : dtype.itemsize].view(dtype)[0]

    def copy(self) -> Position:
        """An equal position that shares nothing with this one."""
        other = Position(self.game)
        self.game.rules.copy(other.address, self.address)
        return other

    def digest(self) -> bytes:
        """Bytes that are equal for equal positions of one game."""
        return self.game.rules.digest(self.address)

    def turn(self) -> int:
        """Who acts: a player, CHANCE or OVER."""
        return int(self._call("turn"))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn() == OVER

    def legal(self) -> list[int]:
        """The legal moves of whoever acts, chance included."""
        return self._listed("legal")

    def choices(self) -> list[int]:
        """The legal moves as one may know them who has to choose: their order says nothing.

        Rules may list them in any order, which could tell of what is hidden; here it depends on
        nothing but the moves themselves.
        """
        return self.game.rules.ordered(self.legal())

    def offer(self, player: int) -> tuple[Position, list[int]]:
        """What `player`, who has to act in this position, is handed: its view, and its `choices`.

        RuleError where other moves are legal in the view than in truth. A view that takes back a
        choice which is still pending has somebody else act, and cannot be asked.
        """
        view, legal = self.view(player), self.choices()
        if not legal:
            raise RuleError(f"player {player} has no legal move", rule="legal")
        if view.turn() == player and (seen := view.choices()) != legal:
            names = ["/".join(self.game.move_text(move) for move in some) for some in (seen, legal)]
            what = f"player {player}'s legal moves on its view are {names[0]}, in truth {names[1]}"
            raise RuleError(what, rule="legal")
        return view, legal

    def _listed(self, rule: str, *args: int) -> list[int]:
        """The moves that a rule lists."""
        n = int(self._call(rule, *args, address_of(self._moves)))
        if not 0 <= n <= len(self._moves):
            raise RuleError(f"{rule} gave {n} moves, most_moves is {len(self._moves)}", rule=rule)
        return [int(move) for move in self._moves[:n]]

    def weights(self) -> list[float]:
        """The probabilities of chance's outcomes, in the order of `legal`."""
        n = len(self.legal())
        if not self.game.has("weights"):
            return [1.0 / n] * n
        self._call("weights", address_of(self._values))
        total = float(self._values[:n].sum())
        return [float(weight) / total for weight in self._values[:n]]

    def draw(self, stream: Stream) -> int:
        """An outcome of chance, drawn by its weights."""
        if self.turn() != CHANCE:
            raise ValueError("only chance draws; it is not chance's turn")
        if self.game.has("draw"):
            return int(self._call("draw", stream.address))
        moves = self.legal()
        weighed = self.game.has("weights")
        return moves[stream.pick(self.weights()) if weighed else stream.below(len(moves))]

    def legal_text(self) -> list[str]:
        """The legal moves as people write them, in the order of `legal`."""
        return [self.game.move_text(move) for move in self.legal()]

    def apply(self, move: int | str) -> None:
        """Play a legal move, by its number or as people write it, in place.

        ValueError where it is not legal, and the position is as it was.
        """
        if self.over:
            raise ValueError(f"{move!r} cannot be played: the game is over")
        legal = self.legal()
        if isinstance(move, str):
            move = self.game.parse_move(move, legal)
        elif move not in legal:
            names = clipped(", ".join(self.game.move_text(one) for one in legal), 600)
            raise ValueError(f"move {move!r} is not legal here; legal: {names}")
        self.play(move)

    def play(self, move: int) -> None:
        """The same for a move that is known to be legal: nothing is looked at."""
        self._call("apply", int(move))

    def sees(self, move: int, viewer: int) -> int:
        """The token that the viewer gets from `move`, asked before it is applied; 0 is nothing."""
        return int(self._call("sees", int(move), viewer))

    def tokens(self, move: int) -> list[int]:
        """What every player sees of `move`, then the public, by the game's rule `tokens`."""
        out = np.zeros(self.game.players + 1, np.uint64)
        self._call("tokens", int(move), address_of(out))
        return [int(token) for token in out]

    def payoff(self) -> list[float]:
        """One number for each player; only for finished games."""
        self._call("payoff", address_of(self._values))
        return [float(value) for value in self._values[: self.game.players]]

    def horizon(self) -> list[float] | None:
        """One value for each player where a search may stop; None where it may not."""
        if not self.game.has("horizon") or not self._call("horizon", address_of(self._values)):
            return None
        return [float(value) for value in self._values[: self.game.players]]

    def view(self, viewer: int) -> Position:
        """What the viewer can know of this position, in a position of its own."""
        view = self.copy()
        view._call("hide", viewer)
        view.viewer = viewer
        return view

    def infoset(self, viewer: int) -> int:
        """The key of the viewer's exact information."""
        return int(self._call("infoset", viewer))

    def bucket(self, viewer: int, memo: Memo | None = None, variant: str | None = None) -> int:
        """The abstraction's key of the viewer's information, and of its memo where one is kept."""
        return int(self._call(_named("bucket", variant), _at(memo), viewer))

    def prior(
        self, moves: Sequence[int], memo: Memo | None = None, variant: str | None = None
    ) -> list[float]:
        """The prior of each of these moves, for whoever acts, who has this memo."""
        listed, out = np.array(moves, np.int32), np.zeros(len(moves))
        place = _at(memo), address_of(listed), len(moves), address_of(out)
        self._call(_named("prior", variant), *place)
        return [float(share) for share in out]

    def traits(
        self, viewer: int, moves: Sequence[int], memo: Memo | None = None
    ) -> tuple[Record, Record]:
        """Numbers of the position, and [moves, numbers] of moves, by what the viewer knows.

        In a game that has the rule; the viewer has this memo, and need not be who acts.
        """
        names = self.game.traits
        if names is None:
            raise SpecError(f"{self.game.name} tells no traits of its moves")
        whole, part = len(names.position), len(names.move)
        listed, out = np.array(moves, np.int32), np.zeros(whole + len(moves) * part)
        place = address_of(listed), len(moves), address_of(out), len(out)
        self._call("traits", _at(memo), viewer, *place)
        return out[:whole], out[whole:].reshape(len(moves), part)

    def determinize(
        self, viewer: int, stream: Stream, variant: str | None = None, memo: Memo | None = None
    ) -> None:
        """Turn this view of the viewer's into a world, in place."""
        self._call(_named("determinize", variant), _at(memo), viewer, stream.address)

    def kind(self, move: int) -> int:
        """The kind of a legal move, in a game that has the rule."""
        return int(self._call("kind", int(move)))

    def kinds(self) -> list[int]:
        """The kinds of the legal moves, in order; in a game that has the rule."""
        bits = int(self._call("kinds"))
        return [kind for kind in range(64) if bits >> kind & 1]

    def kind_bits(self) -> int:
        """The kinds of the legal moves, a bit each; in a game that tells the kind of a move."""
        if self.game.has("kinds"):
            return int(self._call("kinds"))
        return sum({1 << self.kind(move) for move in self.legal()})

    def of_kind(self, kind: int) -> list[int]:
        """The legal moves of a kind, in a game that has the rule."""
        return self._listed("of_kind", kind)

    def secret(self, viewer: int) -> int:
        """The label of what the viewer did not see of the last action, of a world or the truth."""
        return int(self._call("secret", viewer))

    def suppose(self, viewer: int, label: int) -> bool:
        """Suppose, in this view of the viewer's, in place, that its worlds have this label.

        `determinize` then draws those of its worlds whose `secret` is `label`, with the
        probabilities that it gives them otherwise, one to another. False where there are none: the
        view is then not to be used.
        """
        return bool(self._call("suppose", viewer, label))

    def supposed(self, viewer: int) -> dict[int, Position]:
        """The view of the viewer's with each label supposed that its worlds have, by label."""
        views = {label: self.copy() for label in range(self.game.secrets)}
        return {label: view for label, view in views.items() if view.suppose(viewer, label)}

    def world(self, viewer: int, k: int) -> float:
        """Turn this view of the viewer's into the game's `k`-th world, in place; its weight.

        0 where the viewer knows better. Weights are in proportion to the probability of the world's
        history given the view, chance by its weights and others uniform, as `determinize` draws.
        Number `k` means the same hidden things in every position of a game, whoever looks, so that
        a belief can be carried along.
        """
        return float(self._call("world", viewer, k))

    def side(self, player: int) -> int:
        """The place in the game's `sides` of a player's side, once chance's first move is made."""
        return int(self.game.definition.side(self.record, player))

    def text(self, viewer: int) -> str:
        """The view for a terminal; give this a view, not the truth."""
        return self.game.text.view_text(self.record, viewer)

    def hidden_text(self, viewer: int) -> str:
        """What the viewer cannot see of this world, in words; empty: nothing is told."""
        return self.game.text.hidden_text(self.record, viewer)

    def hidden_facts(self, viewer: int) -> tuple[str, ...]:
        """What the viewer cannot see of this world, fact by fact; () where nothing is told."""
        return self.game.text.hidden_facts(self.record, viewer)

    def picture(self, viewer: int) -> str:
        """The view as SVG, with its words for those who cannot see it."""
        drawn = self.game.text.picture(self.record, viewer)
        return described(drawn, self.text(viewer))

    def parts(self, viewer: int, move: int) -> tuple[str, ...]:
        """What of this view's picture makes up a move that the viewer may choose, by name.

        Each is the `data-part` of something in the picture: a person who has clicked all of them
        means this move, or one of those that share them. () where a game has none for it.
        """
        return self.game.text.move_parts(self.record, viewer, int(move))

    def _repr_svg_(self) -> str | None:
        """A view as notebooks show it; a true position is not shown."""
        return None if self.viewer is None else self.picture(self.viewer)

    def to_json(self) -> dict[str, Any]:
        """The view as plain JSON: `turn` is who acts, `state` all that the record holds, by name.

        Give this a view, not the truth.
        """
        turn = self.turn()
        who = {CHANCE: "chance", OVER: "over"}.get(turn, turn)
        return {"turn": who, "state": readable(self.record)}


def _named(rule: str, variant: str | None) -> str:
    """A rule, or a variant of it, as the rules have it."""
    return rule if variant is None else f"{rule}:{variant}"


def _at(memo: Memo | None) -> int:
    """Where a memo lies; none at all is a memo of nothing."""
    return 0 if memo is None else memo.address
