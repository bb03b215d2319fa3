"""The long part of a check: game after game until the clock ends it, rare ways first.

Most of the time is for games by the thousand whose positions are entered in a ledger
(`laws.roaming`), and for random games in which sampled worlds are exchanged for the truth
(`laws.exchange`). A few stories are played by the styles of a Seeker; where things come together
there that never did (`laws.novelty`) they are looked at with everybody's eyes (`laws.looks`).
Samplers are judged by all histories meanwhile (`laws.judged`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from facedown.core import OVER, Memo, Position, Stream, derive
from facedown.laws.clock import now
from facedown.laws.exchange import Exchange
from facedown.laws.findings import Violation
from facedown.laws.judged import Judge
from facedown.laws.lab import Lab
from facedown.laws.looks import Broken, Eyes, Place
from facedown.laws.moves import values_fault
from facedown.laws.novelty import Held, Novelty
from facedown.laws.probes import Unseen, raw_legal, raw_payoff, short
from facedown.laws.roaming import Roamer
from facedown.laws.seeking import Seeker
from facedown.laws.stories import MOST_CANDIDATES, explained, playable

MOST_VIOLATIONS = 3
_AGAIN = 0.1  # of the positions that have nothing new, each time with the eyes of one viewer
_SOME = 0.35  # of those that have, in games in which nearly all have
_EYES = 5  # viewers that look at what is new
_TRIED = 5  # moves that are compared for what is new after them
_ROAM_SHARE = 0.4
_EXCHANGE_SHARE = 0.2
_EXCHANGED = 10  # games at a time
_JUDGED_SHARE = 0.25


class Scan:
    """Plays, looks and judges until its time is over, or twice as long as a fault took to find."""

    def __init__(self, lab: Lab, laws: Collection[str], began: float) -> None:
        self.lab, self.laws, self._began = lab, laws, began
        self.seeker, self.eyes = Seeker(lab.game), Eyes(lab)
        self.judge, self.novelty = Judge(lab), Novelty()
        self.roamer = Roamer(lab, self.seeker, self._note, self.judge.suspect)
        self.exchange = Exchange(lab, self._note)
        self.found: dict[str, list[Violation]] = {}
        self.raised: list[Violation] = []
        self.rounds = self.games = self.positions = self.longest = 0
        self.tokens: set[tuple[int, int]] = set()
        self._until = self._deadline = began
        self.moves: tuple[int, ...] = ()  # of the story that is played
        self._spent = dict.fromkeys(("look", "judge", "roam", "exchange"), 0.0)

    def run(self, deadline: float, tick: Callable[[], None]) -> None:
        """Go on until the deadline; `tick` is called after every story."""
        self._deadline = self._until = deadline
        self.judge.seconds = deadline - self._began
        self.roamer.ledger.until = deadline
        turns: tuple[tuple[str, float, Callable[[], None]], ...] = (
            ("roam", _ROAM_SHARE, self._roam),
            ("exchange", _EXCHANGE_SHARE if self.exchange.able else 0.0, self._exchange),
            ("judge", _JUDGED_SHARE, self._judge),
            ("look", 1.0, self._story),
        )
        while now() < self._until and len(self.raised) < MOST_VIOLATIONS:
            total = sum(self._spent.values())
            for name, share, act in turns:
                due = share > 0.0 and self._spent[name] <= share * total
                if due and (name != "judge" or self.judge.waiting):
                    self._timed(name, act)
                    break
            tick()

    def _timed(self, what: str, call: Callable[[], None]) -> None:
        began = now()
        self._guarded(call)
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
        self.rounds += 1
        self.roamer.ledger.until = self._until
        try:
            self.roamer.round(self.rounds)
        finally:
            self.moves = self.roamer.ledger.moves

    def _exchange(self) -> None:
        try:
            for _ in range(_EXCHANGED):
                self.exchange.round(self.exchange.games)
                if now() > self._until:
                    break
        finally:
            self.moves = self.exchange.moves

    def _story(self) -> None:
        """Play a game and look at those of its positions that have something new."""
        number = self.games
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
        suspects = self.eyes.look.suspects
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
