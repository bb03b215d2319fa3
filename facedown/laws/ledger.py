"""What every viewer was shown, by what he had observed: all laws of views over games in bulk.

Every position of every game that is walked is entered for every viewer: under his observations so
far, under his view and under his key. What is entered under the same must be the same. It costs a
look-up each; that two entries meet is the work of who makes the games (`laws.detours`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from facedown.core import CHANCE, OVER, PUBLIC, Position, Stream
from facedown.laws.clock import now
from facedown.laws.findings import viewer_name
from facedown.laws.lab import Lab
from facedown.laws.looks import Broken
from facedown.laws.moves import values_fault, weights_fault
from facedown.laws.probes import (
    Unseen,
    difference,
    draws,
    move_name,
    raw_legal,
    raw_payoff,
    raw_weights,
)
from facedown.laws.scratch import Scratch
from facedown.laws.stories import observed, playable, replay

_MOST_ENTERED = 400_000
_MOST_VIEWERS = 8
_DRAWN_SHARE = 0.3  # of the time of walks, at most, for worlds

Choose = Callable[[Position, list[int], int], int | None]
Heed = Callable[[Position, tuple[int, ...], int, str], None]
Entry = tuple[Hashable, tuple[int, ...]]  # what was entered, after which moves


@dataclass
class Walked:
    """A game that was walked: its moves, what was legal before each, and each viewer's tokens."""

    moves: list[int] = field(default_factory=list)
    legal: list[list[int]] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    tokens: list[list[int]] = field(default_factory=list)
    over: bool = False


class Ledger:
    """Walks games and enters what is seen there; `broken` is called with what does not agree."""

    def __init__(self, lab: Lab, broken: Callable[[Broken, int | None], None]) -> None:
        self.lab, self._broken = lab, broken
        self.scratch = Scratch(lab.game)
        self.viewers = lab.viewers if len(lab.viewers) <= _MOST_VIEWERS else ()
        self._books: dict[str, dict[Hashable, Entry]] = {}
        self._draws = lab.game.has("determinize") and not lab.game.has("remember")
        self.games = self.positions = self.pairs = self.longest = self.drawn = 0
        self.moves: tuple[int, ...] = ()  # of the walk that is under way
        self.until = float("inf")  # when walks are broken off
        self._drawing = self._walking = self._since = 0.0  # seconds, and when this walk began

    def some(self, stream: Stream) -> tuple[int, ...]:
        """The viewers of one walk: all, or some where there are a great many."""
        if self.viewers:
            return self.viewers
        return tuple({stream.choice(self.lab.viewers) for _ in range(_MOST_VIEWERS)})

    def walk(
        self,
        choose: Choose,
        stream: Stream,
        *,
        quiet: int = 0,
        heed: Heed | None = None,
    ) -> Walked:
        """Play a game by `choose(position, legal, ply)`, to its end or until that gives None.

        The first `quiet` positions are those of a game that was walked before, and are not looked
        at. `heed(position, moves, viewer, what)` is called after each look at a position ("view"),
        at what the last of the moves, which is played next, shows there ("move"), and at a world.
        """
        game, made = self.lab.game, Walked()
        position, viewers = game.start(), self.some(stream)
        chains, before = [0] * len(viewers), list[int]()
        unseen = Unseen()
        tokens: list[int] = []
        self.games += 1
        self._since = now()
        for ply in range(game.most_plies + 1):
            legal, turn = playable(position), position.turn()
            moves = self.moves = tuple(made.moves)
            if ply >= quiet:
                seen = self._look(position, moves, turn, legal, viewers, chains, stream, heed)
                self._turn(position, moves, turn, unseen)
                if before:
                    self._compare(moves, viewers, before, tokens, seen, made.turns[-1])
                before = seen
            move = choose(position, legal, ply) if legal else None
            if move is None or ply == game.most_plies or now() > self.until:
                break
            tokens = self._tokens(position, move, viewers, None if ply < quiet else heed)
            chains = [hash((c, t)) if t else c for c, t in zip(chains, tokens, strict=True)]
            if blind := [v for v, t in zip(viewers, tokens, strict=True) if not t]:
                unseen = unseen.after(turn, blind)
            made.moves.append(move)
            made.legal.append(legal)
            made.turns.append(turn)
            made.tokens.append(tokens)
            self.moves = tuple(made.moves)
            position.play(move)
        self.longest = max(self.longest, len(made.moves))
        made.over = not legal
        self._walking += now() - self._since
        self._end(position, self.moves, turn, legal)
        return made

    # --- one position ----------------------------------------------------------------------------

    def _look(
        self,
        position: Position,
        moves: tuple[int, ...],
        turn: int,
        legal: list[int],
        viewers: Sequence[int],
        chains: Sequence[int],
        stream: Stream,
        heed: Heed | None,
    ) -> list[int]:
        """Enter the position for every viewer; what stands for their views."""
        self.positions += 1
        seen = []
        drawn = stream.below(len(viewers)) if self._draws and self._may_draw() else -1
        if turn == CHANCE and (fault := self._weights(position, len(legal))):
            self._broken(("weights", fault, moves), None)
        for k, viewer in enumerate(viewers):
            view = self.scratch.view(position, viewer)
            shown, key = self.scratch.print_of(view), position.infoset(viewer)
            seen.append(shown)
            self._enter("equal-observations", (viewer, chains[k]), shown, moves, viewer)
            self._enter("infoset", (viewer, shown), key, moves, viewer)
            self._enter("infoset-views", (viewer, key), shown, moves, viewer)
            if view.infoset(viewer) != key:
                what = f"infoset for {viewer_name(viewer)} differs on his view"
                self._broken(("infoset", what, moves), viewer)
            if turn == viewer and legal:
                self._own_turn(view, shown, legal, moves, viewer)
            if heed is not None:
                heed(position, moves, viewer, "view")
            if k == drawn and draws(view, viewer):
                began = now()
                self._world(view, shown, key, turn, legal, moves, viewer, stream)
                self._drawing += now() - began
                if heed is not None:
                    heed(position, moves, viewer, "world")
        return seen

    def _turn(self, position: Position, moves: tuple[int, ...], turn: int, unseen: Unseen) -> None:
        """Who has to act knows it, unless his view takes back a choice that he cannot know of."""
        if turn < 0:
            return
        view = self.scratch.view(position, turn)
        if (shown := view.turn()) != turn and not unseen.pending(view, turn, turn):
            what = f"player {turn} is to act, and on his view it is turn {shown}"
            self._broken(("turn-on-views", what, moves), turn)

    def _tokens(
        self, position: Position, move: int, viewers: Sequence[int], heed: Heed | None
    ) -> list[int]:
        if heed is None:
            return [position.sees(move, viewer) for viewer in viewers]
        tokens, moves = [], (*self.moves, move)
        for viewer in viewers:
            tokens.append(position.sees(move, viewer))
            heed(position, moves, viewer, "move")
        return tokens

    def _may_draw(self) -> bool:
        return self._drawing <= _DRAWN_SHARE * (self._walking + now() - self._since)

    def _weights(self, position: Position, n: int) -> str:
        return weights_fault(raw_weights(position), n) if self.lab.game.has("weights") else ""

    def _own_turn(
        self, view: Position, shown: int, legal: list[int], moves: tuple[int, ...], viewer: int
    ) -> None:
        self._enter("legal-on-views", (viewer, shown), tuple(legal), moves, viewer)
        if view.turn() == viewer and (listed := view.legal()) != legal:
            self._legal(listed, legal, "on his view", moves, viewer)

    def _legal(
        self, one: list[int], other: list[int], where: str, moves: tuple[int, ...], viewer: int
    ) -> None:
        order = sorted(one) == sorted(other)
        how = "in another order, which tells of what is hidden" if order else "others"
        what = f"player {viewer}'s legal moves {where} are not those in truth: {how}"
        self._broken(("legal-on-views", what, moves), viewer)

    def _world(
        self,
        view: Position,
        shown: int,
        key: int,
        turn: int,
        legal: list[int],
        moves: tuple[int, ...],
        viewer: int,
        stream: Stream,
    ) -> None:
        """A world of the view looks like it."""
        acts = view.turn() == viewer == turn
        world = self.scratch.world(view, viewer, stream)
        self.pairs, self.drawn = self.pairs + 1, self.drawn + 1
        back = self.scratch.back(world, viewer)
        who = viewer_name(viewer)
        if self.scratch.print_of(back) != shown:
            there = replay(self.lab.game, moves).view(viewer)
            what = f"determinize for {who} changes his view: {difference(there, back)}"
            self._broken(("worlds-keep-view", what, moves), viewer)
        elif world.infoset(viewer) != key:
            what = f"infoset for {who} differs in a world of his view"
            self._broken(("infoset", what, moves), viewer)
        elif acts and legal and (listed := playable(world)) != legal:
            self._legal(listed, legal, "in a world of his view", moves, viewer)

    def _end(self, position: Position, moves: tuple[int, ...], turn: int, legal: list[int]) -> None:
        game = self.lab.game
        if legal:
            if len(moves) >= game.most_plies:
                what = f"the game is not over after {len(moves)} moves (most_plies), which begin"
                self._broken(("ends", what, moves[:12]), None)
        elif turn != OVER:
            n, listed = raw_legal(position)
            what = f"turn gives {turn}, legal {n} moves: {listed[:4]}"
            self._broken(("legal", what, moves), None)
        elif fault := values_fault(raw_payoff(position), game.players, game.bounds):
            self._broken(("payoffs", f"payoff {fault}", moves), None)

    # --- two positions ---------------------------------------------------------------------------

    def _compare(
        self,
        moves: tuple[int, ...],
        viewers: Sequence[int],
        before: Sequence[int],
        tokens: Sequence[int],
        after: Sequence[int],
        mover: int,
    ) -> None:
        """What a move showed everybody, and what became of their views.

        Two moves of a player may come to the same thing in a view. So tokens are compared of one
        move, and of such as the public cannot tell apart: what a viewer is told of those is for him
        alone. What chance deals is compared whatever the public sees.
        """
        public = tokens[viewers.index(PUBLIC)] if PUBLIC in viewers and mover >= 0 else 0
        for k, viewer in enumerate(viewers):
            one, token, other = before[k], tokens[k], after[k]
            self._enter("tokens-shown", (viewer, one, other, moves[-1]), token, moves, viewer)
            if mover == CHANCE or viewer not in (mover, PUBLIC):
                self._enter(
                    "tokens-shown", (viewer, one, other, None, public), token, moves, viewer
                )
            if token:
                self._enter("next-views", (viewer, one, token), other, moves, viewer)
            elif one != other:
                self._unseen(moves, viewer)

    def _unseen(self, moves: tuple[int, ...], viewer: int) -> None:
        there, here = (replay(self.lab.game, m).view(viewer) for m in (moves[:-1], moves))
        if there.digest() != here.digest():
            name = move_name(self.lab.game, moves[-1])
            what = f"{viewer_name(viewer)} sees nothing of {name} (token 0), yet his view changes"
            self._broken(("unseen-moves", f"{what}: {difference(there, here)}", moves), viewer)

    def _enter(
        self, book: str, key: Hashable, value: Hashable, moves: tuple[int, ...], viewer: int
    ) -> None:
        entries = self._books.setdefault(book, {})
        known = entries.get(key)
        if known is None:
            if len(entries) >= _MOST_ENTERED:
                entries.clear()
            entries[key] = value, moves
            return
        self.pairs += known[1] != moves
        if known[0] != value and (what := self._confirmed(book, known[1], moves, viewer)):
            self._broken(
                (book.removesuffix("-views") if "infoset" in book else book, what, moves), viewer
            )

    def _confirmed(
        self, book: str, there: tuple[int, ...], here: tuple[int, ...], viewer: int
    ) -> str:
        """What is wrong, in words, where two entries do differ; "" where only numbers did."""
        one, other = _Facts(self.lab, there, viewer), _Facts(self.lab, here, viewer)
        who, told = viewer_name(viewer), ", ".join(self.lab.names(there)) or "the start"
        how = difference(other.view, one.view)
        if book == "equal-observations" and one.tokens == other.tokens and one.shown != other.shown:
            return (
                f"{who} has observed the same in two games and has different views: here and after "
                f"{told}, {how}; hide leaks it, or sees does not tell it"
            )
        if book == "infoset" and one.shown == other.shown and one.key != other.key:
            return f"infoset for {who} differs after {told}, where his view is equal"
        if book == "infoset-views" and one.key == other.key and one.shown != other.shown:
            return f"infoset for {who} is equal for different views: here and after {told}, {how}"
        if book == "legal-on-views" and one.shown == other.shown and one.legal != other.legal:
            order = sorted(one.legal) == sorted(other.legal)
            which = "in another order: it tells of what is hidden" if order else "others"
            return f"{who} has the same view after {told}, and other legal moves: {which}"
        if one.before != other.before:
            return ""
        if book == "next-views" and one.last == other.last and one.shown != other.shown:
            return f"{who} had equal views and got equal tokens, but here and after {told}, {how}"
        if book == "tokens-shown" and one.last != other.last and one.shown == other.shown:
            return (
                f"sees tells {who} this move apart from the last of {told}, and his views are the "
                "same before and after: the token tells more than the view shows"
            )
        return ""


class _Facts:
    """What a viewer has after some moves, found anew."""

    def __init__(self, lab: Lab, moves: tuple[int, ...], viewer: int) -> None:
        position = replay(lab.game, moves)
        self.view = position.view(viewer)
        self.shown, self.key = self.view.digest(), position.infoset(viewer)
        self.legal = playable(position)
        self.tokens = [token for _, token in observed(lab.game, moves, viewer)]
        self.before, self.last = b"", 0
        if moves:
            earlier = replay(lab.game, moves[:-1])
            self.before = earlier.view(viewer).digest()
            self.last = earlier.sees(moves[-1], viewer)
