"""`facedown demo`: what the program is for, in about a minute."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import seed_word

if TYPE_CHECKING:
    from rich.console import Console

    from facedown.arena.ahead import Ahead
    from facedown.arena.results import MatchResult
    from facedown.commands.screen import Notes
    from facedown.core.shipped import Lineup

INTRO = """\
facedown plays games in which nobody sees everything: cards face down, dice
under cups, hidden roles. You write the rules once, in Python, and the players
of the Monte Carlo tree search literature play your game without peeking: only
the match holds the true position, every agent is handed the view of its own
seat, and one that is made to cheat, as a yardstick, is marked in every
result."""

NEXT = (
    ("facedown play leduc --against so-ismcts", "sit down yourself"),
    ("facedown play cribbage --against best", "the whole card game"),
    ("facedown play resistance --against mt-ismcts", "find the spies, or be one"),
    ("facedown match kuhn smooth-uct scripted", "search against an equilibrium"),
    ("facedown exploit kuhn smooth-uct --mode average", "watch one come near it"),
    ("facedown check examples/kuhn.py:Kuhn", "is a game of yours sound?"),
)


@dataclass(frozen=True)
class Bout:
    """A match of the demo: `first` against `second`, and why it is shown."""

    game: str
    first: str
    second: str
    games: int
    why: str


BOUTS = (
    Bout("leduc", "scripted", "random", 400, "Rules of thumb against moves at random."),
    Bout(
        "leduc",
        "so-ismcts",
        "random",
        400,
        "Search over what a player can know, against moves at random.",
    ),
    Bout("liars-dice", "so-ismcts", "random", 200, "The same search, another game."),
    Bout(
        "liars-dice",
        "so-ismcts",
        "determinized-uct",
        200,
        "Solving sampled worlds one by one counts on knowing what nobody knows.",
    ),
    Bout(
        "liars-dice:dice=2",
        "so-ismcts",
        "scripted",
        400,
        "Against rules of thumb that somebody thought about.",
    ),
    Bout(
        "leduc",
        "so-ismcts",
        "scripted",
        1000,
        "The same question in Leduc, where it takes more games to tell.",
    ),
    Bout("liars-dice", "cheating-uct", "so-ismcts", 200, "What peeking would be worth."),
    Bout("cribbage", "so-ismcts", "scripted", 60, "A whole card game, to 121, for few games."),
)

THINK = "iterations=2000"
EXPLAINED = ("leduc", ("deal J", "deal K", "call", "call", "deal Q", "raise"))
BELIEVER = "so-ismcts:iterations=50000"


def _votes(signs: str) -> list[str]:
    return ["approve" if sign == "+" else "reject" for sign in signs]


GUESSED = (  # players vote in order of their numbers; in the end it is player 4's turn
    *("spies 1 3", "team 0 1", *_votes("++-+-"), "success", "fail"),
    *("team 1 2 4", *_votes("-+-++"), "fail", "success", "success"),
    *("team 0 2", *_votes("+-+-")),
)
GUESSER = "mt-ismcts:iterations=20000"


def demo(
    seed: Annotated[
        int, typer.Option(callback=seed_word, help="Of the matches and of the search.")
    ] = 1,
    quick: Annotated[bool, typer.Option("--quick", hidden=True)] = False,
) -> None:
    """Show what the program is for, in about a minute."""
    import time

    from facedown.arena.ahead import Ahead
    from facedown.commands.screen import console, notes

    began, screen = time.perf_counter(), console()
    screen.print(INTRO, soft_wrap=True)
    with notes() as progress:
        ahead = Ahead(_steps())  # while the first bout is compiled and played
        try:
            _matches(screen, progress, ahead, seed, quick)
            _speed(screen, progress, ahead, quick)
            _position(screen, seed)
            ahead.wait(("resistance", (GUESSER,)))
            _roles(screen, seed)
        finally:
            ahead.close()
    _heading(screen, "What to try next")
    width = max(len(command) for command, _ in NEXT)
    for command, why in NEXT:
        screen.print(f"  [bold]{command.ljust(width)}[/]  [dim]{why}[/]", soft_wrap=True)
    seconds = time.perf_counter() - began
    screen.print(f"\nThat took {seconds:.0f} s with seed {seed}.", style="dim")


def _heading(screen: Console, text: str) -> None:
    screen.print(f"\n[bold cyan]{text}[/]\n")


def _steps() -> list[Lineup]:
    """What is compiled after the first bout, in the order in which it is shown."""
    from facedown.arena.ahead import SEARCH
    from facedown.games.registry import GAMES

    bouts = [(bout.game, (bout.first, bout.second)) for bout in BOUTS[1:]]
    timed = [(game, ("so-ismcts",)) for game in GAMES]
    return [(SEARCH, ()), *bouts, *timed, ("resistance", (GUESSER,))]


def _matches(screen: Console, progress: Notes, ahead: Ahead, seed: int, quick: bool) -> None:
    from facedown.arena.match import run_match
    from facedown.commands.screen import say

    _heading(screen, "Who beats whom")
    searching = {"so-ismcts", "determinized-uct", "cheating-uct"}
    think = "iterations=100" if quick else THINK
    for bout in BOUTS:
        sides = [f"{a}:{think}" if a in searching else a for a in (bout.first, bout.second)]
        games = 4 if quick else bout.games
        jobs = 1 if quick else None
        if ahead.working and bout is BOUTS[1]:
            say("compiling search (once; it is kept for the next time) ...")
        ahead.wait((bout.game, (bout.first, bout.second)))
        result = run_match(bout.game, sides, games, seed, jobs, progress=progress.games)
        progress.clear()
        _show_bout(screen, bout, result)
    screen.print(
        f"  [dim]Win rate and mean payoff (± standard error) of the first; {think}\n"
        f"  a move, seed {seed}; every deal is played from every seat, so that luck cancels.\n"
        "  About even: the payoff is within 1.96 standard errors of 0.[/]",
        soft_wrap=True,
    )


def _show_bout(screen: Console, bout: Bout, result: MatchResult) -> None:
    first = result.agents[0]
    error = first.standard_error or 0.0
    sure = abs(first.mean_payoff) > 1.96 * error
    verdict = "about even"
    if sure:
        verdict = "[green]stronger[/]" if first.mean_payoff > 0 else "[yellow]weaker[/]"
    pair = f"{bout.first} – {bout.second}"
    mark = f" [bold red]{bout.first} CHEATS.[/]" if first.cheats else ""
    screen.print(f"  [dim]{bout.why}[/]{mark}", soft_wrap=True)
    screen.print(
        f"  {bout.game:<18}{pair:<30}[bold]{first.win_rate:4.0%}[/]  "
        f"{first.mean_payoff:+.2f} ± {error:.2f}  {verdict}\n",
        soft_wrap=True,
    )


def _speed(screen: Console, progress: Notes, ahead: Ahead, quick: bool) -> None:
    from facedown.arena.bench import bench
    from facedown.commands.bench import bench_table
    from facedown.games.registry import GAMES

    _heading(screen, "How fast this machine searches (so-ismcts, one core)")
    plain = Path(__file__).resolve().parents[2] / "examples" / "leduc.py"
    specs = [*GAMES, *([f"{plain}:Leduc"] if plain.is_file() else [])]
    found = []
    for done, spec in enumerate(specs):
        progress.step(f"timing {spec}", done, len(specs))
        ahead.wait((spec, ("so-ismcts",)))
        one = bench(spec, "so-ismcts", seconds=0.05 if quick else 0.7)
        found.append(one if spec in GAMES else replace(one, game="leduc in plain Python"))
    progress.clear()
    screen.print(bench_table(found, agents=False))


def _position(screen: Console, seed: int) -> None:
    """One position: what is seen, what the search finds, what may be hidden."""
    from rich.markup import escape

    from facedown.agents.analysis import analyse, beliefs
    from facedown.games.registry import load_game
    from facedown.table.explain import bars, candidates_table

    spec, moves = EXPLAINED
    game = load_game(spec)
    truth = game.start()
    for move in moves:
        truth.apply(game.parse_move(move, truth.legal()))
    player = truth.turn()
    view = truth.view(player)
    _heading(screen, f"One position explained: the view of player {player}")
    screen.print(f"{escape(view.text(player))}\n", soft_wrap=True)
    report = analyse(view, BELIEVER, seed=seed)
    screen.print(candidates_table(report))
    screen.print(f"\nThe line that {BELIEVER} expects: {escape(', '.join(report.line))}")
    screen.print("\nWhat it believes about the card that it cannot see:")
    for line in bars(beliefs(view, player, seed=seed)):
        screen.print(f"  {escape(line)}", soft_wrap=True)


def _roles(screen: Console, seed: int) -> None:
    """A game of hidden roles: what an agent that infers believes about who the spies are."""
    from rich.markup import escape

    from facedown.agents.analysis import inferred, retell
    from facedown.agents.registry import make_agent
    from facedown.games.registry import load_game
    from facedown.table.explain import bars

    game, player = load_game("resistance"), 4
    agent = make_agent(GUESSER, game, player, seed)
    view, legal = retell(agent, GUESSED).offer(player)
    move = agent.choose(view, legal)
    _heading(screen, f"Who are the spies? The Resistance, as player {player} sees it")
    screen.print(f"{escape(view.text(player))}\n", soft_wrap=True)
    shares = inferred(agent, view)
    screen.print(
        f"The rules leave {len(shares)} pairs. What {GUESSER} believes, having\n"
        "watched these votes, which were made up for the demo, 1 and 3 being the spies:",
        soft_wrap=True,
    )
    for line in bars(shares):
        screen.print(f"  {escape(line)}", soft_wrap=True)
    screen.print(f"\nIts vote: {escape(game.move_text(move))}")
