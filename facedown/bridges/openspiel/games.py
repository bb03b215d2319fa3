"""OpenSpiel's games behind the contract of a plain Python game.

A position holds a `pyspiel.State`. What a viewer sees of a move is how its information state string
changes, or its observation string where a game has no other, whether it is to act, and its own
action. So what it knows is the sequence of these, whatever the game's own idea of memory.

A view has no state in it. Where the game's resampler is sound (`resampling.py`), it has a history
that the resampler gives, which then is the same for all states that the viewer cannot tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from facedown.bridges.openspiel import spiel
from facedown.bridges.openspiel.resampling import fault, quietly
from facedown.bridges.openspiel.words import Words
from facedown.core import CHANCE, OVER, PUBLIC, Game, RuleError, SpecError, Stream
from facedown.core.canonical import stable_hash
from facedown.core.plain import adapt

NOT, ACTS, ENDED = 0, 1, 2
"""What a viewer knows of the turn: that it is not to act, that it is, that the game has ended."""

Sight = tuple[str, int]
"""What a viewer has before it: its string, and one of the three above."""


class Held:
    """A position: a state of OpenSpiel's, changed in place.

    `ahead` is the state after `move`, where somebody has asked what is seen of it: playing the
    move takes that. `viewer` had `sight` before it the last time that somebody asked.
    """

    __slots__ = ("after", "ahead", "move", "sight", "state", "viewer")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.ahead: Any = None
        self.move = 0
        self.viewer = PUBLIC
        self.sight: Sight | None = None
        self.after: Sight | None = None

    def canonical(self) -> tuple[int, ...]:
        """What it stands for: its history."""
        return tuple(self.state.history())


@dataclass(frozen=True)
class View:
    """What a viewer knows of a position: nothing here depends on anything else.

    `past` tells one sequence of observations from another where `seen` does not. `world` is a
    history that the viewer holds for possible, of those who have a resampler.
    """

    viewer: int
    seen: str
    past: str
    status: int
    legal: tuple[int, ...] = ()
    world: tuple[int, ...] | None = None


class OpenSpielGame:
    """The rules of a game of OpenSpiel's. Moves are its actions; outcomes of chance are ~action."""

    def __init__(self, source: Any) -> None:
        self.source = source
        kind = source.get_type()
        self.players: int = source.num_players()
        self.bounds: tuple[float, float] = (source.min_utility(), source.max_utility())
        actions, outcomes = source.num_distinct_actions(), source.max_chance_outcomes()
        self.moves = max(1, actions + outcomes)
        self.most_moves = max(1, actions, outcomes)
        self.most_plies = max(1, source.max_history_length())
        self.recalls: bool = kind.provides_information_state_string
        self._words = Words(source)

    # --- the contract ----------------------------------------------------------------------------

    def start(self) -> Held:
        return Held(self.source.new_initial_state())

    def turn(self, s: Held | View) -> int:
        if isinstance(s, View):
            return s.viewer if s.status == ACTS else OVER if s.status == ENDED else CHANCE
        player: int = s.state.current_player()
        return player if player >= CHANCE else OVER

    def legal(self, s: Held | View) -> Any:
        if isinstance(s, View):
            return s.legal
        if s.state.is_chance_node():
            return [~outcome for outcome, _ in s.state.chance_outcomes()]
        return s.state.legal_actions()

    def weights(self, s: Held) -> list[float]:
        return [share for _, share in s.state.chance_outcomes()]

    def draw(self, s: Held, stream: Stream) -> int:
        outcomes = s.state.chance_outcomes()
        left = stream.random()
        for outcome, share in outcomes:
            left -= share
            if left < 0.0:
                return ~int(outcome)
        return ~int(outcomes[-1][0])  # shares sum to a little less than 1

    def apply(self, s: Held, move: int) -> None:
        if s.ahead is None:
            s.state.apply_action(move if move >= 0 else ~move)
            s.sight = None
            return
        if s.move == move:
            s.state, s.sight = s.ahead, s.after
        else:
            s.state.apply_action(move if move >= 0 else ~move)
            s.sight = None
        s.ahead = s.after = None

    def sees(self, s: Held, move: int, viewer: int) -> Any:
        """Its own move, how many characters it has already and those that are new, the turn."""
        if viewer < 0:
            return None
        if s.ahead is None or s.move != move:
            s.ahead, s.move = s.state.child(move if move >= 0 else ~move), move
        if s.viewer != viewer or s.sight is None:
            s.viewer, s.sight = viewer, self.sight(s.state, viewer)
        s.after = self.sight(s.ahead, viewer)
        return _token(s.sight, s.after, move)

    def payoff(self, s: Held) -> list[float]:
        pay: list[float] = s.state.returns()
        return pay

    def hide(self, s: Held | View, viewer: int) -> View:
        if isinstance(s, View):
            return s if s.viewer == viewer else View(viewer, "", "", NOT)
        if viewer < 0:
            return View(viewer, "", "", NOT)
        seen, status = self.sight(s.state, viewer)
        legal = tuple(s.state.legal_actions()) if status == ACTS else ()
        return View(viewer, seen, self._past(s.state, viewer), status, legal)

    def infoset(self, s: Held | View, viewer: int) -> tuple[Any, ...]:
        if viewer < 0:
            return ()
        if isinstance(s, View):
            return (s.seen, s.past, s.status) if s.viewer == viewer else ()
        seen, status = self.sight(s.state, viewer)
        return (seen, self._past(s.state, viewer), status)

    def copy(self, s: Held | View) -> Held | View:
        """A view never changes."""
        return s if isinstance(s, View) else Held(s.state.clone())

    # --- what is seen ----------------------------------------------------------------------------

    def sight(self, state: Any, viewer: int) -> Sight:
        """What a player has before it in a state."""
        read = state.information_state_string if self.recalls else state.observation_string
        acts: int = state.current_player()
        return read(viewer), ACTS if acts == viewer else ENDED if acts < CHANCE else NOT

    def rebuilt(self, history: tuple[int, ...]) -> Any:
        """The state after a history, chance's outcomes as OpenSpiel has them."""
        state = self.source.new_initial_state()
        for action in history:
            state.apply_action(action)
        return state

    def told(self, history: tuple[int, ...], viewer: int) -> list[Any]:
        """What a viewer sees of a history, move by move."""
        state, seen = self.source.new_initial_state(), list[Any]()
        before = self.sight(state, viewer)
        for action in history:
            move = ~action if state.is_chance_node() else action
            state.apply_action(action)
            after = self.sight(state, viewer)
            if (token := _token(before, after, move)) is not None:
                seen.append(token)
            before = after
        return seen

    def _past(self, state: Any, viewer: int) -> str:
        """Tells sequences of observations apart, where the string does not by itself."""
        if self.recalls:
            return ""
        return f"{stable_hash(self.told(tuple(state.history()), viewer)):016x}"

    # --- words -----------------------------------------------------------------------------------

    def move_text(self, move: int) -> str:
        return self._words.of(move)

    def observation_text(self, token: Any, viewer: int) -> str:
        if not isinstance(token, tuple):
            return str(token)
        _, new, status, *own = token
        parts = [f"you play {self.move_text(own[0])}"] if own else []
        parts += [" ".join(new.split())] if new.strip() else []
        parts += ["the game is over"] if status == ENDED else []
        return "; ".join(parts) or ("you are to act" if status == ACTS else "you wait")

    def view_text(self, s: View, viewer: int) -> str:
        turn = {ACTS: "your move", ENDED: "the game is over", NOT: "another is to move"}[s.status]
        return f"{self.source.get_type().long_name}: {turn}\n{s.seen}".rstrip()

    def hidden_text(self, s: Held | View, viewer: int) -> str:
        return "" if isinstance(s, View) else str(s.state).strip()


def _token(before: Sight, after: Sight, move: int) -> Any:
    """What somebody sees of a move, who has these before it and after; None: nothing."""
    (old, status), (new, then) = before, after
    kept = len(old) if new.startswith(old) else 0
    if status == ACTS:
        return (kept, new[kept:], then, move)
    return None if before == after else (kept, new[kept:], then)


class ResampledGame(OpenSpielGame):
    """One whose resampler is sound: a view has a history of its own, that worlds are drawn from."""

    worlds_when_acting = True

    def hide(self, s: Held | View, viewer: int) -> View:
        view = super().hide(s, viewer)
        if isinstance(s, View) or view.status != ACTS:
            return view
        stream = Stream(stable_hash(view.seen) >> 1)
        world = s.state.resample_from_infostate(viewer, stream.random)
        return View(viewer, view.seen, view.past, ACTS, view.legal, tuple(world.history()))

    def determinize(self, s: View, viewer: int, stream: Stream) -> Held:
        if s.world is None:
            what = "OpenSpiel's resampler draws worlds for whoever is to act, and for nobody else"
            raise RuleError(what, rule="determinize")
        return Held(self._state(s.world).resample_from_infostate(viewer, stream.random))

    _last: tuple[tuple[int, ...], Any] | None = None

    def _state(self, history: tuple[int, ...]) -> Any:
        """The state after a history, remembered: every iteration of a search asks."""
        last = self._last
        if last is None or last[0] is not history:
            last = self._last = (history, self.rebuilt(history))
        return last[1]


def loaded(name: str, spec: str) -> Game:
    """The game by OpenSpiel's own way to write it, with the worlds that it can be trusted with."""
    source = opened(name)
    rules = OpenSpielGame(source)
    return adapt(rules if fault(rules) else ResampledGame(source), spec)


def opened(name: str) -> Any:
    """OpenSpiel's game, simultaneous moves one after another; SpecError where it cannot be had."""
    pyspiel = spiel()
    try:
        with quietly():
            source = pyspiel.load_game(name)
    except Exception as error:
        told = " ".join(str(error).split()).partition(". Available games are")[0]
        raise SpecError(f"openspiel:{name} does not load: {told:.200}") from None
    kind, types = source.get_type(), pyspiel.GameType
    if kind.dynamics == types.Dynamics.SIMULTANEOUS:
        source = pyspiel.convert_to_turn_based(source)
        kind = source.get_type()
    if (why := _unfit(source, kind, types)) is not None:
        raise SpecError(f"openspiel:{name} cannot be played here: {why}")
    return source


def _unfit(source: Any, kind: Any, types: Any) -> str | None:
    if kind.dynamics != types.Dynamics.SEQUENTIAL:
        return "a mean field has no players to seat"
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its chance unseen, so that no history can be played again"
    if kind.action_structs_only:
        return "its actions have no numbers"
    if kind.short_name == "bridge" and source.get_parameters().get("use_double_dummy_result", True):
        return "it solves every deal, for seconds; bridge(use_double_dummy_result=false) is wanted"
    if not (kind.provides_information_state_string or kind.provides_observation_string):
        return "it does not say what a player sees"
    low, high = source.min_utility(), source.max_utility()
    if not float("-inf") < low < high < float("inf"):
        return f"its payoffs lie between {low} and {high}"
    return None
