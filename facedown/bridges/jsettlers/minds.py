"""Where agents think: in processes of their own, each for some of the games.

This side keeps the clocks: a mind that is late is not waited for, and one that is gone or stuck is
replaced and told all that was said.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from time import monotonic

from facedown.bridges.jsettlers.sitting import Decision, SeatId
from facedown.core.errors import SpecError
from facedown.core.streams import derive
from facedown.ggp.worker import WARMING, GoneError, Worker

log = logging.getLogger("facedown.jsettlers")

MIND = "facedown.bridges.jsettlers.mind:Mind"

MARGIN = 0.3
"""Seconds that are kept of a decision's time for the way of an answer."""


@dataclass
class _Room:
    """One process, and how much it was told for each of its seats."""

    worker: Worker
    lock: threading.Lock = field(default_factory=threading.Lock)
    told: dict[SeatId, int] = field(default_factory=dict)
    seats: set[SeatId] = field(default_factory=set)


class Minds:
    """Decides with an agent of ours. `ready` before the first decision, `close` at the end."""

    def __init__(self, spec: str, seed: int, processes: int = 1) -> None:
        self.spec, self._seed, self._workers = spec, seed, 0
        self._lock = threading.Lock()
        self._rooms = [_Room(self._new_worker()) for _ in range(processes)]

    def _new_worker(self) -> Worker:
        self._workers += 1
        return Worker(self.spec, derive(self._seed, "mind", self._workers), MIND)

    def ready(self) -> None:
        """Wait until all are ready to play; SpecError where the agent's spec is not right."""
        for room in self._rooms:
            try:
                answer = room.worker.wait(monotonic() + WARMING)
            except GoneError:
                raise SpecError(f"the process that is to play {self.spec} has ended") from None
            if answer.error:
                raise SpecError(answer.error)

    def close(self) -> None:
        """End all processes."""
        for room in self._rooms:
            room.worker.end()

    # --- deciding --------------------------------------------------------------------------------

    def decide(
        self,
        seat_id: SeatId,
        texts: Sequence[str],
        refused: Collection[str],
        deadline: float,
        *,
        offers: bool,
    ) -> Decision:
        """What a mind decides by the deadline; a Decision without a request where none does."""
        room = self._room(seat_id)
        share = (deadline - monotonic()) / max(len(room.seats), 1)
        if not room.lock.acquire(timeout=max(deadline - monotonic(), 0.0)):
            return Decision(note="any legal request: the mind is busy with another game")
        try:
            until = min(deadline, monotonic() + share) - MARGIN
            begin = room.told.get(seat_id, 0)
            room.told[seat_id] = len(texts)
            wanted = (seat_id, list(texts[begin:]), begin, sorted(refused), until, offers)
            return self._asked(room, wanted, until)
        finally:
            room.lock.release()

    def _asked(self, room: _Room, wanted: tuple[object, ...], until: float) -> Decision:
        """What the mind there answers to what is wanted of it."""
        try:
            answer = room.worker.ask("decide", *wanted, deadline=until + MARGIN / 2)
        except GoneError as error:
            self._replace(room)
            return Decision(note=f"any legal request: {error}")
        if answer.error:
            return Decision(note=f"any legal request: {answer.error}")
        if not answer.done:
            return Decision(note="any legal request: the mind is late")
        request, note = answer.value
        return Decision(request, note)

    def _replace(self, room: _Room) -> None:
        log.warning("another process in the place of one that is gone")
        room.worker.end()
        room.told.clear()
        with self._lock:
            room.worker = self._new_worker()

    def _room(self, seat_id: SeatId) -> _Room:
        """Where a game is thought about: where it always was, or where there are fewest."""
        with self._lock:
            for room in self._rooms:
                if seat_id in room.seats:
                    return room
            room = min(self._rooms, key=lambda room: len(room.seats))
            room.seats.add(seat_id)
            return room

    def forget(self, seat_id: SeatId) -> None:
        """The game is over."""
        room = self._room(seat_id)
        with self._lock:
            room.seats.discard(seat_id)
        with room.lock:
            if room.told.pop(seat_id, None) is not None:
                room.worker.tell("forget", seat_id)
