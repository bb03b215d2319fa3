"""`facedown play`: you at one seat, agents at the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.commands.options import Isolate, IsolateLimits, Seed, StoreFile, whole

if TYPE_CHECKING:
    from facedown.arena.apart.seat import Isolation
    from facedown.core import Game
    from facedown.store.kept import Kept, Writer
    from facedown.store.records import GameRecord
    from facedown.store.store import Store
    from facedown.table.alone import Alone
    from facedown.table.sitting import Sitting
    from facedown.table.terminal import Terminal


def play(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    seat: Annotated[
        int, typer.Option(callback=whole, metavar="P", help="The player that you are, from 0.")
    ] = 0,
    against: Annotated[
        str,
        typer.Option(
            metavar="AGENT[,AGENT...]",
            help="The others, in order of seats; a single AGENT is all of them.",
        ),
    ] = "best",
    hint: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Whose search gives hints.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="One game, then leave.")] = False,
    quiz: Annotated[
        bool | None,
        typer.Option(
            "--quiz/--no-quiz",
            help="Explain the rules and ask about them first, where the game has a quiz.",
            show_default="before your first game",
        ),
    ] = None,
    seed: Seed = None,
    isolate: Isolate = None,
    limits: IsolateLimits = "",
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Add the records of the games to this file."),
    ] = None,
    store: StoreFile = None,
    consent: Annotated[
        bool,
        typer.Option(
            "--consent", help="The games saved may be learnt from; they hold times, but no name."
        ),
    ] = False,
) -> None:
    """Play in the terminal; your view only, as at a real table."""
    from facedown.arena.apart.limits import limits_of
    from facedown.arena.apart.seat import Cells, Isolation
    from facedown.commands.screen import console, notes, seed_or_random
    from facedown.games.registry import load_game
    from facedown.store.kept import Writer
    from facedown.store.store import Store
    from facedown.table.alone import Alone
    from facedown.table.lesson import teach
    from facedown.table.person import HINT, QuitError
    from facedown.table.terminal import Terminal

    seed, terminal = seed_or_random(seed), Terminal(console())
    with notes() as progress:
        terminal.before, progress.before = progress.clear, lambda: terminal.before()
        loaded = load_game(game)
        specs = seats(loaded, seat, split_specs(against))
        apart = _check(loaded, specs, hint, Isolation(isolate, Cells(limits_of(limits))))
        _check_save(save)
        progress.compiled()
        with Store(store) as opened, Writer(_kept(loaded, specs, seed, opened)) as writer:
            _welcome(terminal, specs, seat, seed)
            try:
                teach(loaded, terminal, quiz)
                host = Alone(terminal, hint or HINT)
                sit = partial(host.sit, loaded, specs, seed=seed, consent=consent, isolation=apart)
                _play_on(sit, host, loaded, terminal, writer, save, once)
            except QuitError:
                terminal.say("you leave the table")
            _leave(writer)


def split_specs(text: str) -> list[str]:
    """The specs in a list with commas; a comma before `key=` belongs to the spec before it.

    >>> split_specs("so-ismcts:iterations=100,c=0.7,random,mine.py:Mine")
    ['so-ismcts:iterations=100,c=0.7', 'random', 'mine.py:Mine']
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part.partition(":")[0]:
            specs[-1] += f",{part}"
        elif part:
            specs.append(part)
    return specs


def seats(game: Game, seat: int, opponents: list[str]) -> list[str]:
    """The spec of every player, the person at `seat`; SpecError where they do not fit.

    A single opponent that is given without a number of seats fills all the others; where nobody
    else plays, nobody is asked.
    """
    from facedown.arena.plan import expand, seats_of
    from facedown.core import SpecError
    from facedown.store.records import HUMAN

    if not 0 <= seat < game.players:
        raise SpecError(f"seat {seat} in {game.spec}: 0 to {game.players - 1} is allowed")
    if game.players == 1:
        return [HUMAN]
    if len(opponents) == 1 and seats_of(opponents[0])[1] == 1:
        opponents = [f"{seats_of(opponents[0])[0]}*{game.players - 1}"]
    filled = expand(["you", *opponents], game)
    specs = [spec for spec, count in filled[1:] for _ in range(count)]
    return [*specs[:seat], HUMAN, *specs[seat:]]


def _check(game: Game, specs: list[str], hint: str | None, isolation: Isolation) -> Isolation:
    """Find a wrong spec before anything is dealt, and compile what will be needed.

    Gives the isolation, as this system has it.
    """
    from facedown.agents.registry import check_agent, make_agent
    from facedown.store.records import HUMAN

    for player, spec in enumerate(specs):
        if spec != HUMAN and not isolation.apart(spec):
            check_agent(spec, game)
            make_agent(spec, game, player, seed=0)
    if hint is not None:
        check_agent(hint, game)
    return isolation.checked([spec for spec in specs if spec != HUMAN], game)


def _check_save(save: str | None) -> None:
    """SpecError where nothing could be saved, before anything is dealt."""
    from facedown.store.records import check_appendable

    if save is not None:
        check_appendable(Path(save))


def _kept(game: Game, specs: list[str], seed: int, store: Store) -> Kept:
    """The games of this sitting in the store, none yet."""
    from facedown.store.records import HUMAN
    from facedown.store.revision import machine, revision
    from facedown.store.store import Ask

    agents = [spec for spec in specs if spec != HUMAN]
    settings = {"game": game.spec, "players": specs}
    ask = Ask(
        "play", " ".join((game.spec, *specs)), game.spec, settings, 0, revision(game, agents), seed,
        machine(),
    )  # fmt: skip
    return store.match(ask, new=True)


def _welcome(terminal: Terminal, specs: list[str], seat: int, seed: int) -> None:
    from facedown.store.records import HUMAN

    others = [f"player {p} is {spec}" for p, spec in enumerate(specs) if spec != HUMAN]
    terminal.say(f"You are player {seat}; {', '.join(others) or 'nobody else plays'}. Seed {seed}.")


def _play_on(
    sit: Callable[..., Sitting],
    host: Alone,
    game: Game,
    terminal: Terminal,
    writer: Writer,
    save: str | None,
    once: bool,
) -> None:
    """Games one after another, each kept as it ends."""
    from facedown.store.records import append_record

    number = 0
    while True:
        record = sit(number=number).play()
        writer.add(record)
        writer.flush()
        if save is not None:
            append_record(save, record)
        _show_end(terminal, record, game, host.news)
        if once or not _another(terminal):
            return
        number += 1


def _leave(writer: Writer) -> None:
    """The sitting is over; one without a finished game is forgotten."""
    if writer.done:
        writer.finish(None)
    else:
        writer.forget()


def _another(terminal: Terminal) -> bool:
    while True:
        answer = terminal.ask("another game? [Y/n]").lower()
        if answer in ("", "y", "yes"):
            return True
        if answer in ("n", "no", "q", "quit"):
            return False


def _show_end(terminal: Terminal, record: GameRecord, game: Game, news: list[str]) -> None:
    from facedown.table.sitting import name_of, result_text, reveal

    terminal.say()
    for text in news:
        terminal.say(f"· {text}", "cyan")
    terminal.say(reveal(record, game))
    for forfeit in record.forfeits:
        name = name_of(forfeit.player, record.agents)
        terminal.say(f"{name} forfeits the game: {forfeit.reason}", "red")
    terminal.say(result_text(record) + (" (assisted)" if record.assisted else ""), "bold green")
