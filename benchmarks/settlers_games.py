"""How games of Settlers look: `python benchmarks/settlers_games.py [GAMES] [--agents A B C D]`.

Plays games and prints what can be counted of them, mean and standard deviation, beside what was
counted of 120 games among the robots of a JSettlers server (2.7.00). Unless told otherwise four
`scripted` play with the offers of a real table; `--game`, `--agents` and `--seed` say otherwise,
`--processes` how many processes play. At the end: who won how often, by place,
games a CPU second, and how many the compiled policy alone plays in one (`--speed`). `--plot
FILE.png` draws how far the means lie from the robots', in the robots' standard deviations.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from facedown.agents.registry import make_agent
from facedown.core import CHANCE, Game, Position, Stream, derive
from facedown.games.registry import load_game
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.state import road_count, size, victory_cards

ROBOTS: dict[str, str] = {
    "turns": "73.32 ± 11.51",
    "rounds": "18.33 ± 2.88",
    "bank trades": "37.24 ± 10.43",
    "offers": "27.21 ± 9.67",
    "accepted offers": "8.27 ± 4.31",
    "accepted share of offers, %": "30",
    "rejections": "48.08 ± 15.54",
    "robberies": "14.11 ± 4.39",
    "hands discarded": "5.45 ± 2.57",
    "sevens": "12.29 ± 3.78",
    "cards bought": "5.62 ± 3.92",
    "points of rank 1": "10.06 ± 0.24",
    "points of rank 2": "7.91 ± 1.17",
    "points of rank 3": "6.83 ± 1.27",
    "points of rank 4": "5.60 ± 1.31",
    "won by the first to play, %": "23",
    "won by the second, %": "22",
    "won by the third, %": "23",
    "won by the fourth, %": "31",
    "won with 11 points, %": "6",
    "longest road held, %": "98",
    "longest road held by the winner, %": "71",
    "largest army held, %": "50",
    "largest army held by the winner, %": "22",
    "both by the winner, %": "11",
    "neither by the winner, %": "18",
    "longest road set or changed": "1.65 ± 1.05",
    "largest army set or changed": "0.53 ± 0.58",
    "winner: settlements": "1.45 ± 1.47",
    "losers: settlements": "1.54 ± 1.45",
    "winner: cities": "3.17 ± 1.11",
    "losers: cities": "2.30 ± 1.27",
    "winner: roads": "7.54 ± 1.93",
    "losers: roads": "5.71 ± 2.10",
    "winner: cards bought": "1.57 ± 2.58",
    "losers: cards bought": "1.35 ± 2.41",
    "winner: knights": "0.74 ± 1.31",
    "losers: knights": "0.51 ± 1.14",
    "winner: victory cards": "0.41 ± 0.81",
    "winner bought no card, %": "66",
    "knights played": "2.26",
    "road building played": "0.32",
    "year of plenty played": "0.28",
    "monopoly played": "0.14",
}
"""The same figures of JSettlers' robots: its mean, and its standard deviation where it is known."""

PLAYED = (m.K_KNIGHT, m.K_ROADS, m.K_PLENTY, m.K_MONOPOLY)
Figures = dict[str, list[float]]


class Count:
    """What is counted of one game, move by move."""

    def __init__(self, players: int) -> None:
        self.kinds: Counter[int] = Counter()
        self.sevens = self.thefts = self.hands_discarded = 0
        self.bought = [0] * players
        self.holders: dict[str, int] = {"longest": st.NONE, "army": st.NONE}
        self.changes: Counter[str] = Counter()

    def move(self, position: Position, move: int) -> None:
        """Count a move before it is made."""
        s = position.record
        self.kinds[position.kind(move)] += 1
        self.thefts += m.STEAL <= move < m.DRAW
        if move == m.DICE + 5:
            self.sevens += 1
            self.hands_discarded += sum(int(held) > 7 for held in s["held"])
        if move == m.BUY:
            self.bought[int(s["player"])] += 1

    def after(self, position: Position) -> None:
        """Count who holds what after a move."""
        for name, holder in self.holders.items():
            now = int(position.record[name])
            if now != holder:
                self.holders[name] = now
                self.changes[name] += now != st.NONE


def play(game: Game, agents: list[str], seed: int, first: int) -> tuple[Position, Count]:
    """A game between agents, who sit from seat `first` on."""
    stream, counted, players = Stream(derive(seed, "chance")), Count(game.players), game.players
    seats = [
        make_agent(agents[(p - first) % players], game, p, derive(seed, "agent", p))
        for p in range(players)
    ]
    position = game.start()
    while not position.over:
        player = position.turn()
        if player == CHANCE:
            move = position.draw(stream)
        else:
            move = seats[player].choose(position.view(player), position.legal())
        counted.move(position, move)
        for viewer, agent in enumerate(seats):
            token = position.sees(move, viewer)
            if token:
                agent.observe(token, "")
        position.apply(move)
        counted.after(position)
    return position, counted


def put(figures: Figures, name: str, value: float) -> None:
    figures.setdefault(name, []).append(float(value))


def add(figures: Figures, position: Position, counted: Count) -> None:
    """Add the figures of a finished game."""
    s, kinds, players = position.record, counted.kinds, position.game.players
    winner = int(s["winner"])
    put(figures, "turns", int(s["turns"]) + 1)
    put(figures, "rounds", (int(s["turns"]) + 1) / players)
    put(figures, "bank trades", kinds[m.K_PORT])
    offers = kinds[m.K_PROPOSE] or kinds[m.K_TRADE]
    put(figures, "offers", offers)
    put(figures, "accepted offers", kinds[m.K_ACCEPT])
    put(figures, "rejections", kinds[m.K_REJECT])
    put(figures, "robberies", counted.thefts)
    put(figures, "hands discarded", counted.hands_discarded)
    put(figures, "sevens", counted.sevens)
    put(figures, "cards bought", sum(counted.bought))
    ranks = sorted((int(s["points"][p]) for p in range(players)), reverse=True)
    for rank, points in enumerate(ranks):
        put(figures, f"points of rank {rank + 1}", points)
    for place, name in enumerate(("first to play", "second", "third", "fourth")):
        put(figures, f"won by the {name}, %", 100 * (winner == place))
    put(figures, "won with 11 points, %", 100 * (ranks[0] >= 11))
    add_bonuses(figures, s, counted, winner)
    for p in range(players):
        add_player(figures, s, counted, p, "winner" if p == winner else "losers")
    put(figures, "winner bought no card, %", 100 * (counted.bought[winner] == 0))
    for kind, name in zip(
        PLAYED, ("knights", "road building", "year of plenty", "monopoly"), strict=True
    ):
        put(figures, f"{name} played", kinds[kind])


def add_bonuses(figures: Figures, s: Any, counted: Count, winner: int) -> None:
    road, army = int(s["longest"]), int(s["army"])
    put(figures, "longest road held, %", 100 * (road >= 0))
    put(figures, "longest road held by the winner, %", 100 * (road == winner))
    put(figures, "largest army held, %", 100 * (army >= 0))
    put(figures, "largest army held by the winner, %", 100 * (army == winner))
    put(figures, "both by the winner, %", 100 * (road == army == winner))
    put(figures, "neither by the winner, %", 100 * (winner not in (road, army)))
    put(figures, "longest road set or changed", counted.changes["longest"])
    put(figures, "largest army set or changed", counted.changes["army"])


def add_player(figures: Figures, s: Any, counted: Count, p: int, who: str) -> None:
    put(figures, f"{who}: settlements", size(s["settlements"][p]))
    put(figures, f"{who}: cities", size(s["cities"][p]))
    put(figures, f"{who}: roads", road_count(s, p))
    put(figures, f"{who}: cards bought", counted.bought[p])
    put(figures, f"{who}: knights", int(s["knights"][p]))
    put(figures, f"{who}: victory cards", victory_cards(s, p))


def some(spec: str, agents: list[str], seeds: list[int]) -> tuple[Figures, list[int], float]:
    """Figures of the games with these seeds, wins by agent, CPU seconds."""
    game, figures, wins = load_game(spec), {}, [0] * len(agents)
    make_agent(agents[0], game, 0, 0)
    began = time.process_time()
    for seed in seeds:
        first = seed % game.players
        position, counted = play(game, agents, derive(seed, "settlers games"), first)
        if position.record["winner"] >= 0:
            add(figures, position, counted)
            wins[(int(position.record["winner"]) - first) % game.players] += 1
    return figures, wins, time.process_time() - began


def all_of(args: argparse.Namespace) -> tuple[Figures, list[int], float]:
    """The same in several processes, put together."""
    seeds = list(range(args.seed, args.seed + args.games))
    parts = [seeds[k :: args.processes] for k in range(args.processes)]
    if args.processes == 1:
        return some(args.game, args.agents, seeds)
    figures: Figures = {}
    wins, seconds = [0] * len(args.agents), 0.0
    with ProcessPoolExecutor(args.processes, get_context("spawn")) as pool:
        each = [pool.submit(some, args.game, args.agents, part) for part in parts]
        for done in each:
            more, won, spent = done.result()
            for name, values in more.items():
                figures.setdefault(name, []).extend(values)
            wins = [a + b for a, b in zip(wins, won, strict=True)]
            seconds += spent
    return figures, wins, seconds


def told(name: str, values: list[float]) -> str:
    mean = statistics.fmean(values)
    if name.endswith("%"):
        return f"{mean:.0f}"
    return f"{mean:.2f} ± {statistics.pstdev(values):.2f}"


def show(figures: Figures) -> None:
    offers = sum(figures["offers"])
    share = 100 * sum(figures["accepted offers"]) / offers if offers else 0.0
    print("| a game | here | JSettlers' robots |\n|---|---|---|")
    for name, robots in ROBOTS.items():
        if name.startswith("accepted share"):
            print(f"| {name} | {share:.0f} | {robots} |")
        elif name in figures:
            print(f"| {name} | {told(name, figures[name])} | {robots} |")


def draw(figures: Figures, file: Path) -> None:
    """A dot for each figure whose spread among the robots is known, on their scale."""
    from matplotlib.figure import Figure

    from facedown.papers.plots import COLOURS, FAINT, INK

    robots = {name: text.split(" ± ") for name, text in ROBOTS.items() if "±" in text}
    names = [name for name in robots if name in figures][::-1]
    off, half = [], []
    for name in names:
        mean, spread = map(float, robots[name])
        off.append((statistics.fmean(figures[name]) - mean) / spread)
        half.append(1.96 * statistics.stdev(figures[name]) / len(figures[name]) ** 0.5 / spread)
    picture = Figure(figsize=(7.2, 0.27 * len(names) + 1.2), layout="constrained")
    axes = picture.subplots()
    axes.axvspan(-1, 1, color=FAINT, lw=0)
    axes.axvline(0, color=INK, lw=0.8)
    axes.errorbar(off, range(len(names)), xerr=half, fmt="o", color=COLOURS[0], capsize=2)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("standard deviations of a game among JSettlers' robots; grey: within one")
    axes.set_title("Settlers: four scripted players beside JSettlers' robots", color=INK)
    picture.savefig(file, dpi=110)


def policy_speed(spec: str) -> float:
    """Games a CPU second of the compiled policy, as a playout from the start."""
    from facedown.search.recipe import Playout, Recipe
    from facedown.search.search import Search

    game = load_game(spec)
    recipe = Recipe(playout=Playout(informed="scripted"))
    search = Search(game, recipe, game.start().view(0), 0, seed=1)
    search.play_out(20)
    began = time.process_time()
    search.play_out(400)
    return 400 / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=200)
    parser.add_argument("--agents", nargs="+", default=["scripted"] * 4)
    parser.add_argument("--game", default="settlers:offers=table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--plot", type=Path, metavar="FILE.png")
    args = parser.parse_args()
    figures, wins, seconds = all_of(args)
    show(figures)
    if args.plot is not None:
        draw(figures, args.plot)
    won = ", ".join(f"{agent} {n}" for agent, n in zip(args.agents, wins, strict=True))
    print(f"\n{args.games} games of {args.game}; wins: {won}")
    print(f"{args.games / seconds:.1f} games a CPU second")
    if args.speed:
        print(f"{policy_speed(args.game):.0f} games a CPU second by the compiled policy alone")


if __name__ == "__main__":
    main()
