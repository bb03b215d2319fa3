"""The long part of a check: game after game until the clock ends it, rare ways first.

Every story is played by one of the styles of a Seeker. Where things come together that never did
(`laws.novelty`) it is looked at with everybody's eyes (`laws.looks`). Some games are only played to
their end, for there are many more of those in a second. Samplers are judged meanwhile
(`laws.judged`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from facedown.core import CHANCE, OVER, Memo, Position, Stream, derive
from facedown.laws.clock import now
from facedown.laws.findings import Violation
from facedown.laws.judged import Judge
from facedown.laws.lab import Lab
from facedown.laws.looks import Broken, Eyes, Place
from facedown.laws.moves import values_fault, weights_fault
from facedown.laws.novelty import Held, Novelty
from facedown.laws.probes import Unseen, raw_legal, raw_payoff, raw_weights, short
from facedown.laws.roaming import Roamer
from facedown.laws.seeking import Seeker
from facedown.laws.stories import MOST_CANDIDATES, explained, playable

MOST_VIOLATIONS = 3
_AGAIN = 0.1  # of the positions that have nothing new, each time with the eyes of one viewer
_SOME = 0.35  # of those that have, in games in which nearly all have
_EYES = 5  # viewers that look at what is new
_TRIED = 5  # moves that are compared for what is new after them
_QUICK = 8  # games that are only played, after each that is looked at
_QUICK_SHARE = 0.2
_SELDOM = 6  # of so many positions of a quick game one has its worlds looked at
_JUDGED_SHARE = 0.25
_ROAM_SHARE = 0.4


class Scan:
    """Plays, looks and judges until its time is over, or twice as long as a fault took to find."""

    def __init__(self, lab: Lab, laws: Collection[str], began: float) -> None:
        self.lab, self.laws, self._began = lab, laws, began
        self.seeker, self.eyes = Seeker(lab.game), Eyes(lab)
        self.judge, self.novelty = Judge(lab), Novelty()
        self.roamer = Roamer(lab, Seeker(lab.game), self._note, self.judge.suspect)
        self.found: dict[str, list[Violation]] = {}
        self.raised: list[Violation] = []
        self._rounds = 0
        self.games = self.quick = self.positions = self.longest = 0
        self.tokens: set[tuple[int, int]] = set()
        self._until = self._deadline = began
        self.moves: tuple[int, ...] = ()  # of the story that is played
        self._spent = {"look": 0.0, "quick": 0.0, "judge": 0.0, "roam": 0.0}

    def run(self, deadline: float, tick: Callable[[], None]) -> None:
        """Go on until the deadline; `tick` is called after every story."""
        self._deadline = self._until = deadline
        self.judge.seconds = deadline - self._began
        number = 0
        while now() < self._until and len(self.raised) < MOST_VIOLATIONS:
            self._timed("look", lambda n=number: self._guarded(lambda: self._story(n)))  # type: ignore[misc]
            total = sum(self._spent.values())
            if self._spent["quick"] < _QUICK_SHARE * total:
                self._timed("quick", lambda n=number: self._quick_games(n))  # type: ignore[misc]
            while self._spent["roam"] < _ROAM_SHARE * total and now() < self._until:
                self._timed("roam", lambda: self._guarded(self._roam))
                total = sum(self._spent.values())
            while self.judge.waiting and self._spent["judge"] < _JUDGED_SHARE * total:
                self._timed("judge", lambda: self._guarded(self._judge))
                total = sum(self._spent.values())
                if now() >= self._until:
                    break
            number += 1
            tick()

    def _timed(self, what: str, call: Callable[[], None]) -> None:
        began = now()
        call()
        self._spent[what] += now() - began

    # --- stories ---------------------------------------------------------------------------------

    def _guarded(self, call: Callable[[], None]) -> None:
        """What a rule raises is a violation of rules-run, after the moves so far."""
        self.moves = ()
        try:
            call()
        except Exception as error:
            known = explained(error)
            names = tuple(known.moves) or self.lab.names(self.moves)
            self.raised.append(Violation("rules-run", known.what, self.lab.seed, names))
            self._found_one()

    def _roam(self) -> None:
        self._rounds += 1
        try:
            self.roamer.round(self._rounds)
        except Exception:
            self.moves = self.roamer.ledger.moves
            raise

    def _quick_games(self, number: int) -> None:
        for k in range(_QUICK):
            self._guarded(lambda k=k: self._quick(number, k))  # type: ignore[misc]
            if now() > self._until:
                return

    def _quick(self, number: int, k: int) -> None:
        """Play a game to its end, and look at little but that."""
        stream = Stream(derive(self.lab.seed, "law", "quick", number, k))
        self._begin_style(k, stream)
        position, moves = self.lab.game.start(), list[int]()
        while legal := playable(position):
            if len(moves) >= self.lab.game.most_plies or now() > self._until:
                break
            self._glance(position, legal, moves, stream)
            move = self.seeker.pick(position, legal, stream)
            moves.append(move)
            self.moves = tuple(moves)
            position.apply(move)
        self.quick += 1
        self._end(position, tuple(moves))

    def _glance(
        self, position: Position, legal: list[int], moves: list[int], stream: Stream
    ) -> None:
        """What costs little: the legal moves of who has to act; now and then, some worlds."""
        turn = position.turn()
        if turn == CHANCE and self.lab.game.has("weights"):
            fault = weights_fault(raw_weights(position), len(legal))
            if fault:
                self._note(("weights", fault, tuple(moves)), None)
        if turn < 0:
            return
        view = position.view(turn)
        place = Place(tuple(moves), position, turn, legal, {}, {}, Unseen())
        for broken in self.eyes.own_turn(place, view, turn):
            self._note(broken, turn)
        if self.judge.able and not self.lab.game.has("remember") and stream.below(_SELDOM) == 0:
            viewer = stream.choice(self.lab.viewers)
            self.eyes.suspect(place, position.view(viewer), viewer, stream)

    def _story(self, number: int) -> None:
        """Play a game and look at those of its positions that have something new."""
        lab, stream = self.lab, Stream(derive(self.lab.seed, "law", "scan", number))
        self._begin_style(number, stream)
        place, before, held = self._begin(), Held(), Held()
        self.games += 1
        while place.legal and len(place.moves) < lab.game.most_plies:
            self.moves = place.moves
            before, held = held, self.novelty.of(place.position)
            move = self._move(place, held, stream)
            self._look(place, self.novelty.note(held, before), move, stream)
            if now() > self._until:
                return
            place = self._next(place, move)
        self._look(place, True, None, stream)
        self._end(place.position, place.moves)
        self._to_judge(place, number, stream)

    def _begin_style(self, k: int, stream: Stream) -> None:
        self.seeker.begin(self.seeker.STYLES[k % len(self.seeker.STYLES)], stream)

    def _move(self, place: Place, held: Held, stream: Stream) -> int:
        """The move to play: in a story that looks for what is new, that with most of it."""
        if self.seeker.style != "novel" or len(place.legal) == 1:
            return self.seeker.pick(place.position, place.legal, stream)
        possible = self.seeker.possible(place.position, place.legal)
        some = list(dict.fromkeys(stream.choice(possible) for _ in range(_TRIED)))

        def fresh(move: int) -> float:
            after = place.position.copy()
            after.apply(move)
            return self.novelty.share(self.novelty.of(after), held)

        move = max(some, key=fresh) if len(some) > 1 else some[0]
        return self.seeker.count(place.position, place.legal, move)

    def _look(self, place: Place, new: bool, move: int | None, stream: Stream) -> None:
        """Look with everybody's eyes where there is something new, else now and then with one's."""
        often = _AGAIN if not new else _SOME if self.novelty.abundant else 1.0
        if stream.random() >= often:
            return
        self.positions += 1
        viewers = list(self.lab.viewers)
        stream.shuffle(viewers)
        viewers = viewers[: _EYES if new else 1]
        if place.turn >= 0 and place.turn not in viewers:
            viewers[-1] = place.turn
        if new:
            self._ahead(place)
        more = () if move is None else (move, self.seeker.rarest(place.legal, stream))
        for viewer in viewers:
            for broken in self.eyes.at(place, viewer, tuple(dict.fromkeys(more)), stream):
                self._note(broken, viewer)
            if now() > self._until:
                return

    def _ahead(self, place: Place) -> None:
        """Play every legal move; look at the payoffs where it ends the game."""
        for move in place.legal[:MOST_CANDIDATES]:
            self.moves = (*place.moves, move)
            after = place.position.copy()
            after.apply(move)
            if after.turn() == OVER:
                self._end(after, self.moves)
        self.moves = place.moves

    def _begin(self) -> Place:
        lab, position = self.lab, self.lab.game.start()
        memos = {v: Memo(lab.game) for v in lab.viewers} if lab.game.has("remember") else {}
        chains = dict.fromkeys(lab.viewers, b"")
        return Place((), position, position.turn(), playable(position), chains, memos, Unseen())

    def _next(self, place: Place, move: int) -> Place:
        """The place that a move leads to."""
        chains = dict(place.chains)
        moves = (*place.moves, move)
        self.moves = moves
        memos = {viewer: memo.copy() for viewer, memo in place.memos.items()}
        blind = []
        for viewer in chains:
            token = place.position.sees(move, viewer)
            if not token:
                blind.append(viewer)
            if token:
                chains[viewer] = short(chains[viewer] + token.to_bytes(8, "little"))
                self.tokens.add((viewer, token))
                if viewer in memos:
                    memos[viewer].remember(token, viewer)
        position = place.position.copy()
        position.apply(move)
        turn, legal = position.turn(), playable(position)
        if turn != OVER and not legal:
            n, listed = raw_legal(position)
            self._note(("legal", f"turn gives {turn}, legal {n} moves: {listed[:4]}", moves), None)
        unseen = place.unseen.after(place.turn, blind) if blind else place.unseen
        return Place(moves, position, turn, legal, chains, memos, unseen)

    def _end(self, position: Position, moves: tuple[int, ...]) -> None:
        game = self.lab.game
        self.longest = max(self.longest, len(moves))
        if position.turn() != OVER:
            if len(moves) >= game.most_plies:
                what = f"the game is not over after {len(moves)} moves (most_plies), which begin"
                self._note(("ends", what, moves[:12]), None)
            return
        fault = values_fault(raw_payoff(position), game.players, game.bounds)
        if fault:
            self._note(("payoffs", f"payoff {fault}", moves), None)

    # --- worlds ----------------------------------------------------------------------------------

    def _to_judge(self, place: Place, number: int, stream: Stream) -> None:
        suspects = self.eyes.look.suspects  # of quick games too
        for moves, viewer in suspects:
            self.judge.suspect(moves, viewer)
        suspects.clear()
        self.judge.add(place.moves, self.lab.viewers[stream.below(len(self.lab.viewers))])

    def _judge(self) -> None:
        for broken, viewer in self.judge.next(self._until):
            self._note(broken, viewer)

    # --- what is found ---------------------------------------------------------------------------

    def _note(self, broken: Broken, viewer: int | None) -> None:
        law, what, moves = broken
        if law not in self.laws:
            return
        found = self.found.setdefault(law, [])
        if len(found) < MOST_VIOLATIONS:
            found.append(Violation(law, what, self.lab.seed, self.lab.names(moves), viewer))
        self._found_one()

    def _found_one(self) -> None:
        """A game that is broken anyway is looked at no longer than twice what that took."""
        here = now()
        self._until = min(self._until, max(here + 0.5, 2 * here - self._began))
        self._until = min(self._until, self._deadline)
