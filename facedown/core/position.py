"""A position of a game, and all that can be asked of it, whichever way the rules were written."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.core.constants import CHANCE, OVER
from facedown.core.errors import RuleError, SpecError
from facedown.core.memo import Memo
from facedown.core.pictures import described
from facedown.core.plainly import readable
from facedown.core.records import Record, address_of, aligned
from facedown.core.streams import Stream
from facedown.shown import clipped

if TYPE_CHECKING:
    from facedown.core.game import Game


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
