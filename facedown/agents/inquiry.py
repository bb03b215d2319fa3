"""Finding something out about a game before it is played, or in a thread beside the play."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Generic, TypeVar

from facedown.core import FacedownError, Game

V = TypeVar("V")


class StoppedError(Exception):
    """Nobody wants to know any more, for now."""


class Inquiry(ABC, Generic[V]):
    """Goes on from piece to piece until there is a verdict; counts the states that it visits.

    It can be stopped in a piece, which is then begun again.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed, self.states = game, seed, 0
        self.verdict: V | None = None
        self._lock, self._stopped = threading.Lock(), False
        self._thread: threading.Thread | None = None

    @abstractmethod
    def piece(self) -> None:
        """Find out a little more; the last piece sets the verdict."""

    def run(self) -> V:
        """Go on to the end; the same seed gives the same verdict."""
        with self._lock:
            while self.verdict is None:
                before = self.states
                try:
                    self.piece()
                except BaseException:
                    self.states = before
                    raise
            return self.verdict

    def begin(self) -> None:
        """Go on in a thread of its own, beside whatever happens."""
        self._stopped = False
        if self.verdict is None and (self._thread is None or not self._thread.is_alive()):
            self._thread = threading.Thread(target=self._beside, daemon=True)
            self._thread.start()

    def _beside(self) -> None:
        with suppress(StoppedError, FacedownError):  # without a verdict there is none
            self.run()

    def wait(self, seconds: float) -> None:
        """Wait so long for a thread that was begun."""
        if self._thread is not None:
            self._thread.join(max(seconds, 0.0))

    def stop(self) -> None:
        """Have the thread end soon; `begin` goes on with what it has found."""
        self._stopped = True

    def heed(self) -> None:
        """StoppedError where it is to end; asked now and then in a piece."""
        if self._stopped:
            raise StoppedError
