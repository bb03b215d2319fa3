"""Stepping a game in compiled code: who may do what, chance's draws, copies of positions.

Every kernel steps games in the same way. All that it takes lies in a *Play*: the game's rules, how
large things are, the position that is played in and buffers. The state of a search, of a bag and of
a simulation begins with one, and so does a Play with the rule table: one address stands for all
three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.core.errors import RuleError
from facedown.core.jit import jit
from facedown.core.kinds import draw_kind
from facedown.core.records import address_of, array, view
from facedown.core.rules import (
    COPY,
    DRAW,
    KINDS,
    RULES,
    WEIGHTS,
    call_copy,
    call_draw,
    call_kind,
    call_kinds,
    call_legal,
    call_of_kind,
    call_turn,
    call_weights,
    has,
)
from facedown.core.streams import below, pick, uniform

if TYPE_CHECKING:
    from facedown.core.game import Game

Play = np.dtype(
    [
        ("rules", np.int64, (len(RULES),)),  # the rule table
        ("ctx", np.int64),
        ("players", np.int64),
        ("all_moves", np.int64),  # every move's number is below this
        ("most_moves", np.int64),
        ("most_plies", np.int64),
        ("words", np.int64),  # of 8 bytes that a position takes
        ("alarm", np.int64),  # address: 0, or what is wrong
        ("moves", np.int64),  # address of int32 [most_moves]
        ("numbers", np.int64),  # address of float64 [most_moves]
        ("payoffs", np.int64),  # address of float64 [players]
        ("trail", np.int64),  # address of int32 [most_plies]: the moves made
        ("world", np.int64),  # address of the position that is played in
        ("rng", np.int64),  # address of the stream that moves are drawn from
        ("chance", np.int64),  # and of that of chance's, in searches and rollouts
        ("decided", np.int64),  # how many moves of players were made, those of chance left out
        ("rollout", np.int64),  # address of the game's rollout, 0 where it has none
        ("informed", np.int64),  # whether playouts ask the game's policy
        ("typed", np.int64),  # address of int64 [players]: those of the policies over kinds of
        # moves that they draw by; 0: none
        ("to_horizon", np.int64),  # whether they stop at the horizon
        ("averages", np.int64),  # address of float64 [players, all_moves, 2]: what moves have been
        # worth so far, summed, and how often they were made; 0: nobody counts
        ("movers", np.int64),  # address of int8 [most_plies]: who made the moves of the trail
        ("epsilon", np.float64),  # how often a playout that goes by averages plays any move
    ],
    align=True,
)

RAISED, STUCK, NO_END = 1, 2, 3
"""The alarm: a plain rule has raised; no legal moves, or too many; a game does not end."""

TOLD = 20  # moves of a game without end


@jit
def alarmed(play: int) -> bool:
    """Whether anything is wrong: a rule has raised, or nothing is legal."""
    return array(view(play, Play)["alarm"], 1, np.int64)[0] != 0  # type: ignore[no-any-return]


@jit
def sound(play: int, alarm: int) -> None:
    """Raise an alarm, unless there is one."""
    alarms = array(view(play, Play)["alarm"], 1, np.int64)
    if alarms[0] == 0:
        alarms[0] = alarm


@jit
def open_moves(play: int, n: int) -> Any:
    """The first `n` of the moves that were listed last."""
    return array(view(play, Play)["moves"], n, np.int32)


@jit
def open_numbers(play: int, n: int) -> Any:
    """A number for each of `n` moves: chances, priors, strategies."""
    return array(view(play, Play)["numbers"], n, np.float64)


@jit
def open_payoffs(play: int) -> Any:
    """What each player got."""
    p = view(play, Play)
    return array(p["payoffs"], p["players"], np.float64)


@jit
def list_legal(play: int, position: int) -> int:
    """List the legal moves of whoever acts; how many. None, or too many, raises the alarm."""
    p = view(play, Play)
    n = call_legal(play, p["ctx"], position, p["moves"])
    if n <= 0 or n > p["most_moves"]:
        sound(play, STUCK)
        return 0
    return n


@jit
def one_of(rng: int, moves: Any, n: int, weights: Any, weighed: bool) -> int:
    """One of `n` moves, by their weights or each as likely."""
    j = pick(rng, weights, n) if weighed else below(rng, n)
    return np.int64(moves[j])  # type: ignore[return-value]


@jit
def draw_chance(play: int, position: int, rng: int) -> int:
    """An outcome of chance by its weights; whatever there is where the alarm is raised."""
    p = view(play, Play)
    if has(play, DRAW):
        return call_draw(play, p["ctx"], position, rng)
    n, weighed = list_legal(play, position), has(play, WEIGHTS)
    if weighed:
        call_weights(play, p["ctx"], position, p["numbers"])
    most = p["most_moves"]
    return one_of(rng, open_moves(play, most), n, open_numbers(play, most), weighed)


@jit
def by_average(play: int, player: int, rng: int, moves: Any, n: int) -> int:
    """One of a player's `n` moves: any with probability epsilon, else that of the best average.

    Those that were never made come first; ties are broken at random. This is MAST (Finnsson and
    Björnsson 2008) in its epsilon-greedy form (Tak, Winands and Björnsson 2012).
    """
    p = view(play, Play)
    if n == 1 or uniform(rng) < p["epsilon"]:
        return np.int64(moves[below(rng, n)])  # type: ignore[return-value]
    all_moves = p["all_moves"]
    averages = array(p["averages"] + 16 * player * all_moves, 2 * all_moves, np.float64)
    best, highest, ties = 0, -np.inf, 1
    for j in range(n):
        total, times = averages[2 * moves[j]], averages[2 * moves[j] + 1]
        worth = total / times if times > 0.0 else np.inf
        if worth > highest:
            best, highest, ties = j, worth, 1
        elif worth == highest:
            ties += 1
            if below(rng, ties) == 0:
                best = j
    return np.int64(moves[best])  # type: ignore[return-value]


@jit
def any_move(play: int, position: int, rng: int) -> int:
    """Any legal move of a player, each as likely."""
    n = list_legal(play, position)
    return np.int64(open_moves(play, view(play, Play)["most_moves"])[below(rng, n)])  # type: ignore[return-value]


@jit
def policy_of(play: int, policies: int, position: int) -> int:
    """Of the policies over kinds, by player, that of the player who acts in a position."""
    p = view(play, Play)
    player = call_turn(play, p["ctx"], position)
    return np.int64(array(policies, p["players"], np.int64)[player])  # type: ignore[return-value]


@jit
def typed_move(play: int, position: int, rng: int) -> int:
    """A legal move of a player: its kind by the policy over kinds, then any move of that kind.

    This is a typed playout's (Dobre and Lascarides 2018, Algorithm 1, Rollout).
    """
    p = view(play, Play)
    if not has(play, KINDS):
        return _typed_by_listing(play, position, rng)
    policy = policy_of(play, p["typed"], position)
    kind = draw_kind(policy, call_kinds(play, p["ctx"], position), rng)
    n = call_of_kind(play, p["ctx"], position, kind, p["moves"])
    most = p["most_moves"]
    if n <= 0 or n > most:
        sound(play, STUCK)
        n = 0
    return np.int64(open_moves(play, most)[below(rng, n)])  # type: ignore[return-value]


@jit
def _typed_by_listing(play: int, position: int, rng: int) -> int:
    """`typed_move` in a game that tells the kind of a move, and nothing more."""
    p = view(play, Play)
    n = list_legal(play, position)
    moves, kinds = open_moves(play, p["most_moves"]), open_numbers(play, p["most_moves"])
    legal: Any = np.int64(0)
    for j in range(n):
        kind = call_kind(play, p["ctx"], position, moves[j])
        kinds[j] = kind
        legal |= np.int64(1) << np.int64(kind)
    wanted, kept = draw_kind(policy_of(play, p["typed"], position), legal, rng), 0
    for j in range(n):
        if kinds[j] == wanted:
            moves[kept] = moves[j]
            kept += 1
    return np.int64(moves[below(rng, kept)])  # type: ignore[return-value]


@jit
def normalize(numbers: Any, n: int) -> None:
    """Have the first `n` numbers, which are not negative, sum to 1; all equal where all are 0."""
    total = 0.0
    for j in range(n):
        total += numbers[j]
    for j in range(n):
        numbers[j] = numbers[j] / total if total > 0.0 else 1.0 / n


@jit
def fill_chances(play: int, position: int, n: int) -> None:
    """How likely each of the `n` outcomes of chance is that were listed; they sum to 1."""
    p = view(play, Play)
    numbers = open_numbers(play, n)
    for j in range(n):
        numbers[j] = 1.0
    if has(play, WEIGHTS):
        call_weights(play, p["ctx"], position, p["numbers"])
    normalize(numbers, n)


@jit
def copy_position(play: int, to: int, source: int) -> None:
    """Make the position at `to` equal to the one at `source`; they share nothing."""
    p = view(play, Play)
    if has(play, COPY):
        call_copy(play, p["ctx"], to, source)
        return
    words = p["words"]
    target, record = array(to, words, np.int64), array(source, words, np.int64)
    for k in range(words):
        target[k] = record[k]


def set_play(play: Any, game: Game) -> None:
    """Have a Play be of this game; its buffers, its position and its stream are others' to set."""
    play["rules"], play["ctx"] = game.rules.table, game.rules.ctx
    play["players"], play["all_moves"] = game.players, game.moves
    play["most_moves"], play["most_plies"] = game.most_moves, game.most_plies
    play["words"] = -(-game.rules.size // 8)
    play["alarm"] = address_of(game.rules.alarm)


def raise_alarm(game: Game, moves: Sequence[int], seed: int | None = None) -> None:
    """Raise what the alarm says of a game that compiled code played: its rule, after these moves.

    Of a game without end the first moves are told.
    """
    alarm, texts = int(game.rules.alarm[0]), [game.move_text(move) for move in moves]
    if alarm in (STUCK, NO_END):
        game.rules.alarm[0] = 0
    if alarm == STUCK:
        what = "legal gave no moves, or more than most_moves, though the game is not over"
        raise RuleError(what, seed=seed, moves=texts, rule="legal")
    if alarm == NO_END:
        what = f"a game did not end within {game.most_plies} plies (most_plies)"
        raise RuleError(what, seed=seed, moves=texts[:TOLD])
    try:
        game.rules.raise_alarm()
    except RuleError as error:
        raise error.within(seed=seed, moves=texts) from error.__cause__
