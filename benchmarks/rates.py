"""Games an hour of one core: every game with the agents and budgets of its paper, CPU time.

`python benchmarks/rates.py [NAME...]`. A game is played at a budget that takes seconds; where the
paper's is larger, its time is scaled with the iterations, which is a little too short: large trees
are slower.
"""

from __future__ import annotations

import sys
import time

from facedown.arena.match import arrange
from facedown.arena.planned import play_planned

ROWS = {
    # name: game, agents, games timed, budget timed, budget of the paper
    "kuhn": ("kuhn", ["so-ismcts:iterations={}"] * 2, 100, 1000, 1000),
    "leduc": ("leduc", ["so-ismcts:iterations={}"] * 2, 50, 1000, 1000),
    "liars-dice": ("liars-dice", ["so-ismcts:iterations={}"] * 2, 50, 1000, 1000),
    "phantom-ttt": ("phantom-ttt", ["so-ismcts:iterations={}"] * 2, 20, 1000, 1000),
    "cribbage": ("cribbage", ["so-ismcts:iterations={}"] * 2, 4, 1000, 100_000),
    "resistance": (
        "resistance",
        [
            "spies=mt-ismcts:iterations={},self=bluff,inference=particle",
            "resistance=mt-ismcts:iterations={},inference=particle",
        ],
        2, 2000, 30_000,
    ),
    "cheat": ("cheat", ["mga:iterations={}"] * 2, 2, 300, 300),
    "krieg": (
        "krieg-tic-tac-toe-3x3",
        [
            "hyperplay:models=4,samples={}",
            "hyperplay-ii:models=4,samples=1,nested=4,nested_samples={}",
        ],
        4, 4, 4,
    ),
    "breakthrough": ("blind-breakthrough-8x8", ["hyperplay:models=4,samples={}"] * 2, 4, 1, 1),
    "bomb": ("exploding-bomb", ["hyperplay-ii:models=16,samples=1,nested=16,nested_samples={}"],
             10, 16, 16),
    "settlers": ("settlers", ["pomcp:iterations={}", "scripted*3"], 1, 500, 10_000),
}  # fmt: skip


def main() -> None:
    print("| game | agents | budget | CPU s a game | games an hour a core |")
    print("|---|---|---|---|---|")
    for name in sys.argv[1:] or ROWS:
        game, agents, games, timed, wanted = ROWS[name]
        fixture = arrange(game, [agent.format(timed) for agent in agents], games + 1)
        plan = fixture.plan(1)
        play_planned(plan, fixture.game, games)  # whatever is loaded or compiled once
        began = time.process_time()
        for number in range(games):
            play_planned(plan, fixture.game, number)
        each = (time.process_time() - began) / games
        for budget in sorted({timed, wanted}):
            took = each * budget / timed
            scaled = "" if budget == timed else " (scaled)"
            who = ", ".join(agent.partition(":")[0] for agent in agents)
            print(f"| {name} | {who} | {budget:,}{scaled} | {took:.3g} | {3600 / took:,.0f} |",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
