"""Every game of imperfect information of OpenSpiel's, searched: `python benchmarks/openspiel.py`.

For each: where our worlds come from, whether the search plays, iterations a CPU second of SO-ISMCTS
here, simulations a CPU second of OpenSpiel's ISMCTS in Python on the same state, their ratio, each
the median over interleaved rounds. Each game has a process of its own, and so many CPU seconds,
which a busy machine does not shorten. The table is Markdown; names as arguments measure these games
alone. Last, a plain Python Kuhn poker of ours against OpenSpiel's own, `python_kuhn_poker`, with a
resampler written for it.
"""

from __future__ import annotations

import resource
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from facedown.core import SpecError, Stream
from facedown.games.registry import load_game

C, ROUNDS, SECONDS = 0.7, 3, 60
EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "kuhn.py"
OTHER = {"bridge": "bridge(use_double_dummy_result=false)"}


def names() -> list[str]:
    from facedown.bridges.openspiel import spiel

    pyspiel = spiel()
    types = pyspiel.GameType
    return sorted(
        kind.short_name
        for kind in pyspiel.registered_games()
        if kind.default_loadable
        and kind.dynamics == types.Dynamics.SEQUENTIAL
        and kind.information == types.Information.IMPERFECT_INFORMATION
        and not kind.short_name.startswith("facedown")
    )


def ours(spec: str, iterations: int) -> tuple[Callable[[], float], list[int]]:
    """How to measure us at the first decision after a deal; the history that leads there."""
    from facedown.belief.belief import Wanted
    from facedown.belief.sources import make_belief
    from facedown.search.budget import Budget
    from facedown.search.recipe import Recipe
    from facedown.search.search import Search

    game, stream = load_game(spec), Stream(1)
    truth, history, tokens = game.start(), list[int](), [list[int]() for _ in range(game.players)]
    while truth.turn() < 0:
        move = truth.draw(stream)
        for player, told in enumerate(tokens):
            told.append(truth.sees(move, player))
        truth.play(move)
    if not game.compiled and hasattr(truth.record, "state"):
        history = truth.record.state.history()
    player = truth.turn()
    view, legal = truth.offer(player)
    belief = make_belief(game, ("determinize", "hyperplay"), player, 3)
    for token in filter(None, tokens[player]):
        belief.observe(token)
    worlds = belief.worlds(view, Wanted(Stream(5)))

    def measure() -> float:
        search = Search(game, Recipe(c=C), view, player, legal, seed=7, worlds=worlds)
        began = time.thread_time()
        search.run(Budget(iterations))
        return iterations / (time.thread_time() - began)

    measure()
    return measure, history


def theirs(name: str, history: list[int], simulations: int) -> Callable[[], float]:
    """How to measure OpenSpiel's bot in Python."""
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    from facedown.bridges.openspiel import spiel

    game = spiel().load_game(name)
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    rollout = mcts.RandomRolloutEvaluator(1, np.random.RandomState(7))
    strings = not game.get_type().provides_information_state_string
    bot = ismcts.ISMCTSBot(game, rollout, C, simulations, -1, use_observation_string=strings)
    if name == "python_kuhn_poker":
        bot.set_resampler(kuhn_resampler(np.random.RandomState(8)))

    def measure() -> float:
        began = time.thread_time()
        bot.step(state)
        return simulations / (time.thread_time() - began)

    measure()
    return measure


def kuhn_resampler(rng):  # type: ignore[no-untyped-def]
    """What OpenSpiel's Kuhn poker in Python lacks: the other's card, anew."""

    def resample(state, player):  # type: ignore[no-untyped-def]
        cards = list(state.cards)
        cards[1 - player] = rng.choice([card for card in range(3) if card != cards[player]])
        other = state.get_game().new_initial_state()
        for action in (*cards, *state.bets):
            other.apply_action(int(action))
        return other

    return resample


def compared(one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float, float]:
    pairs = [(one(), other()) for _ in range(ROUNDS)]
    mine, peer = zip(*pairs, strict=True)
    ratio = statistics.median(a / b for a, b in pairs)
    return statistics.median(mine), statistics.median(peer), ratio


def row(name: str, iterations: int = 300) -> str:
    """One game's line of the table."""
    from facedown.bridges.openspiel.resampling import fault

    full = OTHER.get(name, name)
    try:
        rules = load_game(f"openspiel:{full}").definition
        why = fault(rules)
        source = "its resampler" if why is None else f"bag ({why})"
        mine, history = ours(f"openspiel:{full}", iterations)
    except Exception as error:
        told = str(error) if isinstance(error, SpecError) else f"{type(error).__name__}: {error}"
        return f"| {full} | no: {' '.join(told.split()):.110} | | | |"
    try:
        ran, peer, ratio = compared(mine, theirs(full, history, iterations))
    except Exception:
        return f"| {full} | {source} | {mine():,.0f} | cannot | |"
    return f"| {full} | {source} | {ran:,.0f} | {peer:,.0f} | {ratio:.1f} |"


def plain() -> str:
    """A plain Python game of ours against one in Python there, the same game."""
    mine, _ = ours(f"{EXAMPLE}:Kuhn", 20_000)
    ran, peer, ratio = compared(mine, theirs("python_kuhn_poker", [0, 1], 2_000))
    return f"Kuhn poker in plain Python: {ran:,.0f} here, {peer:,.0f} there, {ratio:.1f} times."


def measured(name: str) -> str:
    """One game's line, or why there is none, from a process that ends when its time is up."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--here", name],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    told = process.communicate()[0].strip()
    if told:
        return told
    late = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return f"| {name} | no: {f'nothing within {SECONDS} CPU s' if late else 'it crashes'} | | | |"


def main() -> None:
    asked = sys.argv[1:]
    if asked[:1] == ["--here"]:
        print(plain() if asked[1] == "plain" else row(asked[1]))
        return
    print("| game | our worlds | here /s | OpenSpiel's Python /s | ratio |\n|---|---|---|---|---|")
    for name in asked or [*names(), "plain"]:
        print(measured(name), flush=True)


if __name__ == "__main__":
    main()
