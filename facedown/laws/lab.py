"""The bench on which laws are tried: a game, its stories, a clock, and a memory that is bounded."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from facedown.core import PUBLIC, Game, Memo, Position, RuleError, Stream, derive
from facedown.laws.clock import now
from facedown.laws.findings import Violation
from facedown.laws.probes import move_name, short
from facedown.laws.stories import Story, observed, play, replay, twin

T = TypeVar("T")
Ref = tuple[int, int]  # which story, which ply of it

_LONG_STORY = 60  # plies kept of a game that does not end
_MOST_ENDLESS = 3  # games played to `most_plies` in vain before they are cut short
_MOST_KEYS = 200_000
_TWINS = 2  # of each story, for viewers who take turns


class SkippedError(Exception):
    """A law does not apply to this game; the text is the reason."""


class OutOfTimeError(Exception):
    """A law has used up its share of the clock."""


class DivergedError(Exception):
    """The same moves led to another position than before."""


class Recall:
    """What was found first under a key, with its place; keeps a bounded number of keys."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[Any, Ref]] = {}

    def clash(self, key: Hashable, value: Any, ref: Ref) -> Ref | None:
        """Where another value was found under this key before; None if there is no such place."""
        before = self._kept.get(key)
        if before is None:
            if len(self._kept) < _MOST_KEYS:
                self._kept[key] = (value, ref)
            return None
        return before[1] if before[0] != value else None

    def get(self, key: Hashable) -> Any:
        """The value that was found first under this key, or None."""
        before = self._kept.get(key)
        return None if before is None else before[0]


@dataclass
class Step:
    """A position of a story, its legal moves and the move played there (None at the end)."""

    ref: Ref
    position: Position
    legal: list[int]
    move: int | None
    turn: int
    _views: dict[int, Position] = field(default_factory=dict)
    _digests: dict[int, bytes] = field(default_factory=dict)

    def view(self, viewer: int) -> Position:
        """The viewer's view, made once; not to be changed."""
        if viewer not in self._views:
            self._views[viewer] = self.position.view(viewer)
        return self._views[viewer]

    def digest(self, viewer: int) -> bytes:
        """Bytes that stand for the viewer's view."""
        if viewer not in self._digests:
            self._digests[viewer] = short(self.view(viewer).digest())
        return self._digests[viewer]


class Lab:
    """All that a law may use. Laws only change positions that they copied themselves."""

    def __init__(self, load: Callable[[], Game], game: Game, seed: int, games: int) -> None:
        self.load, self.game, self.seed, self.games = load, game, seed, games
        self.viewers = (*range(game.players), PUBLIC)
        self.law, self.cases, self.note = "", 0, ""
        self.here: Ref = (0, 0)
        self.deadline = float("inf")
        self.stories: list[Story] = []
        self._twins: list[Story] | None = None
        self._memo: dict[str, Any] = {}

    @property
    def approximate(self) -> bool:
        """Whether the game says of its worlds that they keep the view and promises no more."""
        return bool(getattr(self.game.definition, "worlds_approximate", False))

    # --- bookkeeping ---------------------------------------------------------------------------

    def begin(self, law: str, deadline: float) -> None:
        """Start a law's own count and clock."""
        self.law, self.cases, self.note, self.here = law, 0, "", (0, 0)
        self.deadline = deadline

    def look(self) -> None:
        """Count one case; OutOfTimeError where the law's share of the clock is used up."""
        self.cases += 1
        if now() > self.deadline:
            raise OutOfTimeError

    def memo(self, name: str, make: Callable[[], T]) -> T:
        """What `make` gives, made once for all laws that share it."""
        if name not in self._memo:
            self._memo[name] = make()
        made: T = self._memo[name]
        return made

    def stream(self, *path: int | str) -> Stream:
        """A random stream of the law's own, for this game of the check."""
        return Stream(derive(self.story_seed(self.here[0]), "law", self.law, *path))

    def broken(
        self, what: str, moves: Sequence[int] | None = None, viewer: int | None = None
    ) -> Violation:
        """The violation of the current law, by default at the place looked at last."""
        if moves is None:
            moves = self.moves(self.here)
        return Violation(self.law, what, self.story_seed(self.here[0]), self.names(moves), viewer)

    def raised(self, error: RuleError) -> Violation:
        """What a rule raised, as a violation; at the place looked at last unless it says where."""
        seed = error.seed if error.seed is not None else self.story_seed(self.here[0])
        moves = error.moves or self.names(self.moves(self.here))
        return Violation("rules-run", error.what, seed, tuple(moves))

    def names(self, moves: Sequence[int]) -> tuple[str, ...]:
        """Moves as text."""
        return tuple(move_name(self.game, move) for move in moves)

    def tell(self, ref: Ref) -> str:
        """The way to a place, in words."""
        names = self.names(self.moves(ref))
        return ", ".join(names) if names else "the start"

    # --- stories -------------------------------------------------------------------------------

    def story_seed(self, number: int) -> int:
        """The seed that plays this story first; twins come after the stories, in their order."""
        if self.stories and number >= len(self.stories) and self._twins is not None:
            return self._twins[number - len(self.stories)].seed
        return self.seed + number

    def gather(self, until: float) -> None:
        """Play the random games, as many as can be begun by then and at least one."""
        endless = 0
        for number in range(self.games):
            if self.stories and now() > until:
                return
            most = self.game.most_plies if endless < _MOST_ENDLESS else _LONG_STORY
            story = self.random_story(number, min(most, self.game.most_plies))
            endless += story.cut
            self.stories.append(story)

    def random_story(self, number: int, most: int | None = None) -> Story:
        """The random game of this number; those beyond `games` are fresh ones."""
        seed = self.seed + number
        stream = Stream(derive(seed, "law", "story"))
        return play(self.game, seed, stream, most or self.game.most_plies)

    @property
    def twins(self) -> list[Story]:
        """For each story, some that look the same to one viewer for a while."""
        if self._twins is None:
            self._twins = []
            self._twins = list(self._find_twins())
        return self._twins

    @property
    def known_twins(self) -> list[Story]:
        """The twins that some law has asked for by now."""
        return self._twins or []

    def _find_twins(self) -> Iterator[Story]:
        until = now() + 0.5 * max(0.0, self.deadline - now())
        for number, story in enumerate(self.stories):
            self.here = (number, 0)
            for k in range(_TWINS):
                viewer = self.viewers[(number + k) % len(self.viewers)]
                if now() > until:
                    return
                stream = Stream(derive(story.seed, "law", "twin", viewer))
                found = twin(self.game, self._short(story), viewer, stream)
                if found is not None:
                    yield found

    def _short(self, story: Story) -> Story:
        moves = story.moves[:_LONG_STORY] if story.cut else story.moves
        return Story(story.seed, moves, story.ended, story.error, story.cut)

    def story(self, number: int) -> Story:
        """A story by its number: random ones first, then the twins."""
        known = len(self.stories)
        return self.stories[number] if number < known else self.twins[number - known]

    def moves(self, ref: Ref) -> tuple[int, ...]:
        """The moves that lead to a place."""
        if not self.stories:
            return ()
        return self.story(ref[0]).moves[: ref[1]]

    def position(self, ref: Ref) -> Position:
        """The position at a place, played anew."""
        return replay(self.game, self.moves(ref))

    def recalled(self, moves: Sequence[int], viewer: int) -> Memo | None:
        """The viewer's memo after these moves; None in a game that keeps none."""
        if not self.game.has("remember"):
            return None
        memo = Memo(self.game)
        for _, token in observed(self.game, moves, viewer):
            memo.remember(token, viewer)
        return memo

    def samples(self) -> Iterator[tuple[int, Position]]:
        """One position of each story, any of them as likely, with the story's number."""
        for number, story in enumerate(self.stories):
            ply = self.stream("ply", number).below(len(story.moves) + 1)
            truth = self.position((number, ply))
            self.here = (number, ply)
            yield number, truth

    def walk(self, number: int) -> Iterator[Step]:
        """The positions of one story, from its start to its end."""
        moves = self._short(self.story(number)).moves
        self.here = (number, 0)
        position = self.game.start()
        for ply, move in enumerate((*moves, None)):
            self.here = (number, ply)
            turn = position.turn()
            legal = position.legal() if move is not None else []
            if move is not None and move not in legal:
                raise DivergedError
            yield Step((number, ply), position.copy(), legal, move, turn)
            self.here = (number, ply)
            if move is not None:
                position.play(move)

    def steps(self, *, twins: bool = False) -> Iterator[Step]:
        """Every position of every story, one after another."""
        for number in range(len(self.stories) + (len(self.twins) if twins else 0)):
            yield from self.walk(number)

    def pairs(self, *, twins: bool = False) -> Iterator[tuple[Step, Step]]:
        """Every position with the one that its move leads to."""
        before: Step | None = None
        for step in self.steps(twins=twins):
            if before is not None and before.ref[0] == step.ref[0]:
                yield before, step
            before = step
