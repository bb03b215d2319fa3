"""Our games as games of OpenSpiel's, written in Python there.

Every game with compiled rules: its moves have numbers that last, and these are the actions,
chance's outcomes among them. What a player observes is its view; its information state is all that
it has seen, in order.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import numpy as np

from facedown.bridges.rl.encoding import Observations
from facedown.core import CHANCE, OVER, PUBLIC, Game, Position, SpecError
from facedown.games.registry import load_game

try:
    import pyspiel
except ImportError:  # and nobody can ask for anything here
    pyspiel = None
_Game, _State = (object, object) if pyspiel is None else (pyspiel.Game, pyspiel.State)


class Truth:
    """A position and the moves that led to it. OpenSpiel copies and pickles what a state holds."""

    def __init__(self, game: Game) -> None:
        self.game, self.position = game, game.start()
        self.moves: tuple[int, ...] = ()
        viewers = (*range(game.players), PUBLIC)
        self.seen: dict[int, tuple[int, ...]] = dict.fromkeys(viewers, ())

    def play(self, move: int) -> None:
        """Play a legal move, and have everybody see it."""
        for viewer, tokens in self.seen.items():
            if token := self.position.sees(move, viewer):
                self.seen[viewer] = (*tokens, token)
        self.position.play(move)
        self.moves = (*self.moves, move)

    def story(self, viewer: int) -> str:
        """All that a viewer has seen, in words: what it knows, if it forgets nothing."""
        told = self.game.text.observation_text
        return "\n".join(told(token, viewer) for token in self.seen[viewer])

    def __deepcopy__(self, memo: dict[int, Any]) -> Truth:
        other = Truth.__new__(Truth)
        other.game, other.position = self.game, self.position.copy()
        other.moves, other.seen = self.moves, dict(self.seen)
        return other

    def __reduce__(self) -> Any:
        return _replayed, (self.game.spec, self.moves)


def _replayed(spec: str, moves: tuple[int, ...]) -> Truth:
    truth = Truth(_loaded(spec))
    for move in moves:
        truth.play(move)
    return truth


@cache
def _loaded(spec: str) -> Game:
    return load_game(spec)


class FacedownGame(_Game):  # type: ignore[misc, valid-type]
    """A game of ours as OpenSpiel knows games; a subclass for each, with its `kind` and `game`."""

    kind: ClassVar[Any]
    game: ClassVar[Game]

    def __init__(self, params: Any = None) -> None:
        game, (low, high) = self.game, self.game.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=game.moves,
            max_chance_outcomes=game.moves,
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            max_game_length=game.most_plies,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> FacedownState:
        """The start, before anything is dealt."""
        return FacedownState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> FacedownObserver:
        """What a player sees, or the public."""
        if params:
            raise ValueError(f"these observations have no parameters; given: {params}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return FacedownObserver(self.game, wanted)


class FacedownState(_State):  # type: ignore[misc, valid-type]
    """A position of such a game."""

    def __init__(self, game: FacedownGame) -> None:
        super().__init__(game)
        self.truth = Truth(game.game)

    def current_player(self) -> int:
        turn, players = self.truth.position.turn(), pyspiel.PlayerId
        return int({CHANCE: players.CHANCE, OVER: players.TERMINAL}.get(turn, turn))

    def is_terminal(self) -> bool:
        return self.truth.position.turn() == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.truth.position.legal())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Chance's moves with their probabilities."""
        position = self.truth.position
        return sorted(zip(position.legal(), position.weights(), strict=True))

    def _apply_action(self, action: int) -> None:
        self.truth.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.truth.game.move_text(action)

    def returns(self) -> list[float]:
        """The payoffs, at the end; zeros before that."""
        truth = self.truth
        return truth.position.payoff() if self.is_terminal() else [0.0] * truth.game.players

    def __str__(self) -> str:
        return ", ".join(self.truth.game.move_text(move) for move in self.truth.moves)

    # --- structures: OpenSpiel makes JSON of these -----------------------------------------------

    def _to_struct(self) -> dict[str, Any]:
        truth = self.truth
        turn = {CHANCE: "chance", OVER: "over"}.get(truth.position.turn())
        moves = [truth.game.move_text(move) for move in truth.moves]
        return {"turn": truth.position.turn() if turn is None else turn, "moves": moves}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self.truth.position.view(player).to_json()

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"move": self.truth.game.move_text(action)}

    def _struct_to_actions(self, struct: dict[str, Any]) -> list[int]:
        return [self.truth.game.parse_move(struct["move"], self.truth.position.legal())]


class FacedownObserver:
    """Observations as a string, as one tensor, and as a dict of its parts.

    Of `player`'s view; with no private information, of the public's. With perfect recall the string
    is all that was seen, move by move; the tensor is the view's in either case.
    """

    def __init__(self, game: Game, wanted: Any) -> None:
        if not wanted.public_info or wanted.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("what one player knows can be observed, or what the public does")
        self._recalls: bool = wanted.perfect_recall
        self._public: bool = wanted.private_info == pyspiel.PrivateInfoType.NONE
        self._numbers, n = Observations(game), game.players
        self.tensor = np.zeros(len(self._numbers.low), np.float32)
        self.dict = {"player": self.tensor[:n], "view": self.tensor[n:]}

    def set_from(self, state: FacedownState, player: int) -> None:
        """Have the tensor be what the player sees."""
        self.tensor[:] = self._numbers.of(self._view(state, player), player)
        if self._public:
            self.dict["player"][:] = 0

    def string_from(self, state: FacedownState, player: int) -> str:
        """What the player sees, in words."""
        viewer = PUBLIC if self._public else player
        if self._recalls:
            return f"{_named(viewer)}\n{state.truth.story(viewer)}"
        return f"{_named(viewer)}\n{self._view(state, player).text(viewer)}"

    def _view(self, state: FacedownState, player: int) -> Position:
        return state.truth.position.view(PUBLIC if self._public else player)


def _named(viewer: int) -> str:
    return "public" if viewer == PUBLIC else f"player {viewer}"


NAMES: dict[str, str] = {}
"""What is registered, by its name there: the spec."""


def registered(game: Game, name: str) -> str:
    """Register a game of ours; its name there. SpecError where that is not possible.

    A class for each, for OpenSpiel keeps what it is given beyond the interpreter's end.
    """
    if not game.compiled:
        what = "moves of a plain Python class have no numbers that last, which OpenSpiel wants"
        raise SpecError(f"{game.name} cannot be registered: {what}")
    if NAMES.get(name) == game.spec:
        return name
    if name in pyspiel.registered_names():
        raise SpecError(f"OpenSpiel has a game {name!r} already; another name is wanted")
    kind = kind_of(name, game)
    pyspiel.register_game(kind, type(name, (FacedownGame,), {"kind": kind, "game": game}))
    NAMES[name] = game.spec
    return name


def kind_of(name: str, game: Game) -> Any:
    """What OpenSpiel is told of a game of ours."""
    types = pyspiel.GameType
    return types(
        short_name=name,
        long_name=f"facedown's {game.spec}",
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC,
        information=types.Information.IMPERFECT_INFORMATION,
        utility=types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )
