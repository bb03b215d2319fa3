"""What a check has looked at, counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from facedown.core import Position
from facedown.laws.findings import Coverage, Finding
from facedown.laws.judged import Judge, Judged
from facedown.laws.lab import Lab
from facedown.laws.law import Law
from facedown.laws.scan import Scan
from facedown.laws.stories import Story

_STARVED = "stopped by the clock"
_VIEWERS, _POSITIONS = 8, 2_000  # that are counted: a game may have a thousand players


def covered(
    lab: Lab, scan: Scan | None, found: dict[str, Finding], laws: Sequence[Law]
) -> Coverage:
    """The coverage of the laws' own games and of the scan together."""
    seen, scanned = _Games(lab), _Scanned() if scan is None else _scanned(scan)
    starved = tuple(law.name for law in laws if _starved(found.get(law.name)))
    judged, more = lab.memo("judge", lambda: Judge(lab)).counts, scanned.judged
    return Coverage(
        games=len(lab.stories) + scanned.games,
        looked=len(lab.stories) + scanned.looked,
        positions=seen.positions + scanned.positions,
        moves=len(seen.played | scanned.played),
        listed=len(seen.listed | scanned.listed),
        tokens=len(seen.tokens | scanned.tokens),
        depth=max(seen.depth, scanned.depth),
        pairs=scanned.pairs + len(lab.known_twins),
        hidden=seen.hidden,
        samples=lab.game.has("determinize"),
        judged=judged.exactly + judged.by_models + more.exactly + more.by_models,
        open=judged.not_at_all + more.not_at_all,
        exchanged=scanned.exchanged,
        starved=starved,
    )


@dataclass
class _Scanned:
    """What the long part of a check has looked at; nothing, where it did not come to that."""

    games: int = 0
    looked: int = 0
    positions: int = 0
    pairs: int = 0
    depth: int = 0
    exchanged: int = 0
    played: set[int] = field(default_factory=set)
    listed: set[int] = field(default_factory=set)
    tokens: set[tuple[int, int]] = field(default_factory=set)
    judged: Judged = field(default_factory=Judged)


def _scanned(scan: Scan) -> _Scanned:
    walked, looked = scan.roamer.ledger, scan.games + scan.rounds
    return _Scanned(
        games=looked + scan.exchange.games,
        looked=looked,
        positions=scan.positions + walked.positions,
        pairs=scan.eyes.look.pairs + walked.pairs,
        depth=max(scan.longest, walked.longest),
        exchanged=scan.exchange.worlds,
        played=scan.seeker.ever,
        listed=scan.seeker.listed,
        tokens=scan.tokens,
        judged=scan.judge.counts,
    )


def _starved(finding: Finding | None) -> bool:
    """Whether there was no time for a law."""
    return finding is None or (_STARVED in finding.note and finding.cases == 0)


class _Games:
    """What the laws' own random games had in them."""

    def __init__(self, lab: Lab) -> None:
        self.played: set[int] = set()
        self.listed: set[int] = set()
        self.tokens: set[tuple[int, int]] = set()
        self.positions = self.depth = 0
        self.hidden = False
        for story in lab.stories:
            if self.positions > _POSITIONS:
                break
            try:
                self._walk(lab, story)
            except Exception:
                continue  # which a law has told already

    def _walk(self, lab: Lab, story: Story) -> None:
        position = lab.game.start()
        self.depth = max(self.depth, len(story.moves))
        for move in story.moves[: _POSITIONS - self.positions]:
            self.positions += 1
            self.listed.update(position.legal())
            self.played.add(move)
            for viewer in lab.viewers[:_VIEWERS]:
                if token := position.sees(move, viewer):
                    self.tokens.add((viewer, token))
            self.hidden = self.hidden or (self.positions < 200 and _hides(lab, position))
            position.apply(move)


def _hides(lab: Lab, position: Position) -> bool:
    return any(position.view(v).digest() != position.digest() for v in lab.viewers[:_VIEWERS])
