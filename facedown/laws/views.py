"""Laws of views: what a viewer is told, what he is shown, and that the two are the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from facedown.arena.apart.values import packed
from facedown.core import CHANCE, PUBLIC, Position, RuleError
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, Recall, Ref, SkippedError, Step
from facedown.laws.law import FOUNDATION, law
from facedown.laws.probes import Unseen, difference, move_name, short


def _views_differ(lab: Lab, viewer: int, here: Ref, there: Ref) -> str:
    a, b = lab.position(here).view(viewer), lab.position(there).view(viewer)
    return f"here and after {lab.tell(there)}, {difference(a, b)}"


@law("unseen-moves", "A move seen as nothing leaves the view as it was.", needs=FOUNDATION)
def unseen_moves(lab: Lab) -> Iterator[Violation]:
    """A token of 0, and a view that changes: a pending choice that is visible early, say."""
    for before, after in lab.pairs():
        assert before.move is not None
        for viewer in lab.viewers:
            lab.look()
            if before.position.sees(before.move, viewer) or before.digest(viewer) == after.digest(
                viewer
            ):
                continue
            how = difference(before.view(viewer), after.view(viewer))
            name, who = move_name(lab.game, before.move), viewer_name(viewer)
            what = f"{who} sees nothing of {name} (token 0), yet his view changes: {how}"
            yield lab.broken(what, lab.moves(after.ref), viewer)


class _Histories:
    """The running digest of each viewer's observations along a story."""

    def __init__(self, lab: Lab) -> None:
        self._lab, self._story = lab, -1
        self._chains: dict[int, bytes] = {}
        self._before: Step | None = None

    def after(self, step: Step) -> dict[int, bytes]:
        """The viewers' histories at this step; steps come in order."""
        before = self._before
        if before is None or before.ref[0] != step.ref[0]:
            self._chains = dict.fromkeys(self._lab.viewers, b"")
        elif before.move is not None:
            for viewer in self._lab.viewers:
                token = before.position.sees(before.move, viewer)
                if token:
                    self._chains[viewer] = short(self._chains[viewer] + token.to_bytes(8, "little"))
        self._before = step
        return self._chains


@law("equal-observations", "Equal observations give equal views.", needs=FOUNDATION)
def equal_observations(lab: Lab) -> Iterator[Violation]:
    """A view that shows what no token told: `hide` leaks it, or `sees` keeps it back."""
    recall, histories = Recall(), _Histories(lab)
    for step in lab.steps(twins=True):
        for viewer, history in histories.after(step).items():
            lab.look()
            there = recall.clash((viewer, history), step.digest(viewer), step.ref)
            if there is not None:
                how = _views_differ(lab, viewer, step.ref, there)
                what = (
                    f"{viewer_name(viewer)} has observed the same in two games and has different "
                    f"views: {how}; hide leaks it, or sees does not tell it"
                )
                yield lab.broken(what, viewer=viewer)


@law("views-sent", "Equal observations give views that are sent alike.", needs=FOUNDATION)
def views_sent(lab: Lab) -> Iterator[Violation]:
    """What an isolated agent is sent of a view tells no more: not by the order of a dictionary."""
    if lab.game.compiled:
        raise SkippedError("a record is sent as it is")
    recall, histories = Recall(), _Histories(lab)
    for step in lab.steps(twins=True):
        for viewer, history in histories.after(step).items():
            lab.look()
            sent = short(_sent(step.view(viewer)))
            there = recall.clash((viewer, history, step.digest(viewer)), sent, step.ref)
            if there is not None:
                what = (
                    f"{viewer_name(viewer)} has observed the same after {lab.tell(there)}, and a "
                    "dictionary in his view has another order: that tells of what is hidden"
                )
                yield lab.broken(what, viewer=viewer)


def _sent(view: Position) -> bytes:
    """A view as an isolated agent is sent it; SkippedError where the game's cannot be."""
    try:
        return json.dumps(packed(view.record)).encode()
    except RuleError as error:
        raise SkippedError(error.what) from None


@law("tokens-shown", "Tokens tell no more than the view shows.", needs=FOUNDATION)
def tokens_shown(lab: Lab) -> Iterator[Violation]:
    """Equal views before and after a move need equal tokens.

    This is asked of one move, for two of a player may come to the same thing; but of the mover's
    own, also of moves that the public cannot tell apart (what a viewer is told of those is for him
    alone) and of all that chance deals.
    """
    recall = Recall()
    for before, after in lab.pairs(twins=True):
        assert before.move is not None
        chance = before.turn == CHANCE
        public = 0 if chance else before.position.sees(before.move, PUBLIC)
        for viewer in lab.viewers:
            lab.look()
            token = before.position.sees(before.move, viewer)
            views = (viewer, before.digest(viewer), after.digest(viewer))
            there = recall.clash((*views, before.move), token, before.ref)
            if there is None and (chance or viewer not in (before.turn, PUBLIC)):
                there = recall.clash((*views, None, public), token, before.ref)
            if there is not None:
                yield lab.broken(_told(lab, before, there, viewer), lab.moves(after.ref), viewer)


def _told(lab: Lab, here: Step, there: Ref, viewer: int) -> str:
    assert here.move is not None
    move = lab.story(there[0]).moves[there[1]]
    names = move_name(lab.game, here.move), move_name(lab.game, move)
    return (
        f"sees tells {viewer_name(viewer)} {names[0]} here and {names[1]} after {lab.tell(there)} "
        "apart, and his views are the same before and after: the token tells more than the view "
        "shows"
    )


@law("next-views", "Equal views and equal tokens give equal next views.", needs=FOUNDATION)
def next_views(lab: Lab) -> Iterator[Violation]:
    """What a view becomes depends on the view and the token alone."""
    recall = Recall()
    for before, after in lab.pairs(twins=True):
        assert before.move is not None
        for viewer in lab.viewers:
            token = before.position.sees(before.move, viewer)
            if not token:
                continue
            lab.look()
            key = (viewer, before.digest(viewer), token)
            there = recall.clash(key, after.digest(viewer), after.ref)
            if there is not None:
                how = _views_differ(lab, viewer, after.ref, there)
                what = f"{viewer_name(viewer)} had equal views and got equal tokens, but {how}"
                yield lab.broken(what, lab.moves(after.ref), viewer)


@law("hide-twice", "Hiding what is hidden changes nothing.", needs=FOUNDATION)
def hide_twice(lab: Lab) -> Iterator[Violation]:
    """The view of a view is the view."""
    for step in lab.steps():
        for viewer in lab.viewers:
            lab.look()
            once = step.view(viewer)
            twice = once.view(viewer)
            if once.digest() != twice.digest():
                what = f"hide for {viewer_name(viewer)} changes a view: {difference(once, twice)}"
                yield lab.broken(what, viewer=viewer)


@law("infoset", "infoset gives equal keys exactly where views are equal.", needs=FOUNDATION)
def infoset(lab: Lab) -> Iterator[Violation]:
    """The key is the same on the view as in the truth, and stands for one view."""
    keys, views = Recall(), Recall()
    for step in lab.steps(twins=True):
        for viewer in lab.viewers:
            lab.look()
            who, key = viewer_name(viewer), step.position.infoset(viewer)
            if step.view(viewer).infoset(viewer) != key:
                yield lab.broken(f"infoset for {who} differs on his view", viewer=viewer)
                continue
            there = keys.clash((viewer, step.digest(viewer)), key, step.ref)
            if there is not None:
                what = f"infoset for {who} differs after {lab.tell(there)}, where his view is equal"
                yield lab.broken(what, viewer=viewer)
            there = views.clash((viewer, key), step.digest(viewer), step.ref)
            if there is not None:
                how = _views_differ(lab, viewer, step.ref, there)
                yield lab.broken(
                    f"infoset for {who} is equal for different views: {how}", None, viewer
                )


@law("turn-on-views", "A player's view says that it is his turn.", needs=FOUNDATION)
def turn_on_views(lab: Lab) -> Iterator[Violation]:
    """Unless his view withdraws a pending choice: then it says that whoever chose has to act."""
    for step, unseen in with_unseen(lab, lab.steps(twins=True)):
        for viewer in lab.viewers:
            lab.look()
            shown = step.view(viewer).turn()  # must work for everybody
            taken_back = unseen.pending(step.view(viewer), step.turn, viewer)
            if viewer == step.turn and shown != viewer and not taken_back:
                actor = "chance" if shown == CHANCE else f"turn {shown}"
                what = f"player {viewer} is to act, and on his view it is {actor}"
                yield lab.broken(what, viewer=viewer)


def with_unseen(lab: Lab, steps: Iterable[Step]) -> Iterator[tuple[Step, Unseen]]:
    """Each step with what was unseen on the way to it; steps come in order."""
    unseen = Unseen()
    for step in steps:
        if step.ref[1] == 0:
            unseen = Unseen()
        yield step, unseen
        if step.move is not None:
            blind = [v for v in lab.viewers if not step.position.sees(step.move, v)]
            unseen = unseen.after(step.turn, blind)


@law(
    "legal-on-views",
    "A player's legal moves, and their order, follow from his view.",
    needs=FOUNDATION,
)
def legal_on_views(lab: Lab) -> Iterator[Violation]:
    """Equal views of the player to act have equal legal moves, and so has the view itself.

    In the same order: a hidden card's move that comes first tells of it.
    """
    recall = Recall()
    for step in lab.steps(twins=True):
        player = step.turn
        if player < 0 or step.move is None:
            continue
        lab.look()
        view, legal = step.view(player), step.legal
        if view.turn() == player and (shown := view.legal()) != legal:
            what = f"player {player}'s legal moves on his view are {_list(lab, shown)}, "
            what += f"in truth {_list(lab, legal)}{_reordered(shown, legal)}"
            yield lab.broken(what, viewer=player)
        there = recall.clash((player, step.digest(player)), tuple(legal), step.ref)
        if there is not None:
            other = lab.position(there).legal()
            what = (
                f"player {player} has the same view after {lab.tell(there)}, but there "
                f"{_list(lab, other)} are legal, here {_list(lab, legal)}"
                f"{_reordered(other, legal)}"
            )
            yield lab.broken(what, viewer=player)


def _reordered(one: list[int], other: list[int]) -> str:
    """What to say where nothing but the order of moves differs."""
    return ": the order tells of what is hidden" if sorted(one) == sorted(other) else ""


def _list(lab: Lab, moves: list[int]) -> str:
    names = [move_name(lab.game, move) for move in moves[:8]]
    return "/".join(names) + ("/..." if len(moves) > 8 else "")
