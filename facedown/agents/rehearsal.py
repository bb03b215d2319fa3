"""Which of two ways to search plays a game better: small games of one against the other.

Playouts by averages (MAST) win nearly every game from uniform ones in some games, and lose nearly
every one in others; so does HyperPlay against a tree where something is hidden, or where players
choose at once; and so does a tree against HyperPlay-II where there is little time. Nothing in the
rules says which. So it is tried, with few iterations or little time a move, and played as it turned
out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from facedown.agents.inquiry import Inquiry
from facedown.agents.registry import make_agent
from facedown.agents.thinking import Thinker
from facedown.core import CHANCE, PUBLIC, Game, Stream, derive

FEW, ENOUGH = 6, 12
"""Games of a rehearsal before it may end early, and without which nothing else shows anything."""

STATES = 12_000_000
"""That it may visit."""

SURE = 1.25
"""How many square roots of the games the points must be off a half to end it early."""


@dataclass(frozen=True)
class Way:
    """What is tried, with how many iterations or CPU seconds a decision, in so many games at most.

    In the end it must be so many square roots of the games (`likely`) ahead of a half.
    """

    spec: str
    iterations: int | None = None
    games: int = 24
    likely: float = 1.0
    cpu: float | None = None

    @property
    def budget(self) -> str:
        """The same for both, as an option of a spec."""
        return f"cpu={self.cpu:g}" if self.iterations is None else f"iterations={self.iterations}"


class Rehearsal(Inquiry[bool]):
    """Whether `other` plays a game better than `usual`, which is taken where that is not shown."""

    def __init__(self, game: Game, usual: str, other: Way, seed: int) -> None:
        super().__init__(game, seed)
        self.other = other
        self._specs = [
            f"{spec}{',' if ':' in spec else ':'}{other.budget}" for spec in (usual, other.spec)
        ]
        self.played, self.points = 0, 0.0  # games, and what `other` has won of them

    def piece(self) -> None:
        """One more game, or the verdict."""
        ahead = (self.points - self.played / 2) / max(self.played, 1) ** 0.5
        early = self.played >= FEW and self.played % 2 == 0 and abs(ahead) > SURE
        if early or self.played >= self.other.games or self.states >= STATES:
            enough = early or self.played >= ENOUGH
            self.verdict = enough and ahead > (SURE if early else self.other.likely)
            return
        won = self._alone() if self.game.players == 1 else self._against()
        self.points, self.played = self.points + won, self.played + 1

    def _against(self) -> float:
        """A game in which every other seat is the other's, in turn; its points."""
        seats = [(player + self.played) % 2 for player in range(self.game.players)]
        paid = self._game(seats)
        own = [pay for pay, seat in zip(paid, seats, strict=True) if seat]
        rest = [pay for pay, seat in zip(paid, seats, strict=True) if not seat]
        return _compared(sum(own) / len(own), sum(rest) / len(rest))

    def _alone(self) -> float:
        """A game by each of them; the other's points."""
        usual, other = (self._game([way])[0] for way in (0, 1))
        return _compared(other, usual)

    def _game(self, seats: list[int]) -> list[float]:
        """What a game pays that is played so."""
        seed = derive(self.seed, "rehearsal", self.played)
        stream, position = Stream(derive(seed, "chance")), self.game.start()
        agents = [
            make_agent(self._specs[way], self.game, player, derive(seed, player, way))
            for player, way in enumerate(seats)
        ]
        while not position.over:
            self.heed()
            turn, legal = position.turn(), position.legal()
            if turn == CHANCE:
                move = position.draw(stream)
            else:
                move = legal[0] if len(legal) == 1 else agents[turn].choose(*position.offer(turn))
            public = position.sees(move, PUBLIC)
            for player, agent in enumerate(agents):
                if token := position.sees(move, player):
                    agent.observe(token, "")
                    if public:
                        agent.overhear(public)
            position.play(move)
        self.states += sum(agent.states for agent in agents if isinstance(agent, Thinker))
        return position.payoff()


def _compared(own: float, rest: float) -> float:
    return 0.5 if abs(own - rest) < 1e-9 else float(own > rest)


@lru_cache(maxsize=64)
def rehearsal(game: Game, usual: str, other: Way, seed: int = 0) -> Rehearsal:
    """The rehearsal of a game, one for each that is loaded."""
    return Rehearsal(game, usual, other, seed)
