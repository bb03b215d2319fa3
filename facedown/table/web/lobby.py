"""The first page: pick a game, a seat, opponents, and sit down."""

from __future__ import annotations

import re
from typing import Any

from nicegui import run, ui

from facedown.agents.registry import AGENTS
from facedown.core import FacedownError, SpecError
from facedown.core.specs import parse
from facedown.games.registry import GAMES, RULE_FILE
from facedown.gdl.library import is_kept
from facedown.gdl.library import names as rule_files
from facedown.gdl.stranger import MOST_BYTES
from facedown.store.records import HUMAN
from facedown.table.house import House, Order
from facedown.table.web.parts import frame, panel

_NOT_OFFERED = ("program",)  # which would run whatever a visitor likes
_VALUE = re.compile(r"[A-Za-z0-9_+-]+(\.[0-9]+)?")
_FILES = ("predictor", "replies", "preferences")  # options that may name files
MOST_ITERATIONS, MOST_SECONDS = 1_000_000, 30.0


def games_of(house: House) -> dict[str, str]:
    """What can be played here: specs with words."""
    own = {spec: f"{spec.rpartition(':')[2]} (your own)" for spec in house.games}
    registered = {name: entry.summary for name, entry in GAMES.items()}
    return {**own, **registered, **{name: f"{name} (rule file)" for name in rule_files()}}


def game_spec(house: House, name: str, options: str = "") -> str:
    """The spec of a game that a visitor may play; SpecError for any other."""
    if name in house.games or is_kept(name.removeprefix(RULE_FILE)):
        return name
    if name not in GAMES and name not in rule_files():
        raise SpecError(f"no game {name!r} here")
    if not options:
        return name
    return _plain_spec(f"{name}:{options}")


def agent_spec(house: House, name: str, budget: float | None, unit: str) -> str:
    """The spec of an agent that a visitor may play against; SpecError for any other."""
    if name in house.agents:
        return name
    parsed = parse(name)
    if parsed.file is not None or parsed.name in _NOT_OFFERED:
        raise SpecError(f"no agent {name!r} here")
    _plain_spec(name)
    if budget is None or "iterations" in parsed.options or "seconds" in parsed.options:
        return name
    most = MOST_SECONDS if unit == "seconds" else MOST_ITERATIONS
    if not 0 < budget <= most:
        raise SpecError(f"{unit}={budget:g}: more than 0 and at most {most:g} is wanted")
    given = f"{budget:g}" if unit == "seconds" else str(int(budget))
    return f"{name}{',' if ':' in name else ':'}{unit}={given}"


def _plain_spec(text: str) -> str:
    """A spec none of whose options can name a file; SpecError for another."""
    for name, value in parse(text).options.items():
        if not _VALUE.fullmatch(value) or (name in _FILES and value != "game"):
            raise SpecError(f"{name}={value}: numbers and names are wanted here")
        if name in ("threads", "memory"):
            raise SpecError(f"{name} is not for visitors to set")
        if name == "iterations" and (not value.isdecimal() or int(value) > MOST_ITERATIONS):
            raise SpecError(f"iterations={value}: at most {MOST_ITERATIONS:,} is wanted")
        if name == "seconds" and float(value) > MOST_SECONDS:
            raise SpecError(f"seconds={value}: at most {MOST_SECONDS:g} is wanted")
    return text


THINKERS = tuple(
    name
    for name in AGENTS
    if name not in ("random", "scripted", "person", "stranger", "program", "best")
)


def register(house: House) -> None:
    """Have the first page."""

    def first_page() -> None:
        Lobby(house).build()

    ui.page("/")(first_page)


class Lobby:
    """The form for a new table."""

    def __init__(self, house: House) -> None:
        self.house = house

    def build(self) -> None:
        """Make the page."""
        frame("Sit down and play")
        games = games_of(self.house)
        agents = [*self.house.agents, *(name for name in AGENTS if name not in _NOT_OFFERED)]
        with ui.element("main").classes("q-pa-md full-width"), panel("A new table"):
            self.game = ui.select(games, value="kuhn", label="Game", with_input=True)
            self.game.classes("full-width").mark("game")
            with ui.row().classes("items-end"):
                self.against = ui.select(
                    agents, value="best", label="Against", with_input=True,
                    new_value_mode="add-unique",
                ).mark("against")  # fmt: skip
                self.budget = ui.number("Thinks for", value=1000, min=0).mark("budget")
                self.unit = ui.select(
                    ["iterations", "seconds"], value="iterations", label="each move"
                )
            with ui.row().classes("items-end"):
                self.seat = ui.number("Your seat, from 0", value=0, min=0, precision=0).mark("seat")
                self.people = ui.number("People at the table", value=1, min=1, precision=0)
                self.people.mark("people")
            with ui.expansion("Rules of your own").classes("full-width"):
                ui.label("A rule file in GDL or GDL-II; it is tried out first, within limits.")
                self.rules = ui.upload(
                    label="Rule file", auto_upload=True, max_file_size=MOST_BYTES, max_files=1,
                    on_upload=self._uploaded, on_rejected=self._too_large,
                ).props('accept=".kif,.gdl,.txt" flat bordered').mark("rules")  # fmt: skip
            with ui.expansion("More").classes("full-width"):
                self.options = ui.input("Options of the game, as in players=10").mark("options")
                self.seed = ui.input("Seed (the game then counts as assisted)").mark("seed")
                self.called = ui.input("What others call you, at a shared table").mark("called")
            self.wrong = ui.label().classes("said").props('role="alert"')
            ui.button("Sit down", on_click=self._open).mark("open")

    async def _open(self) -> None:
        self.wrong.text = "getting the table ready …"
        try:
            path = await run.io_bound(self._opened)
        except FacedownError as error:
            self.wrong.text = str(error)
            return
        if path:
            ui.navigate.to(path)

    async def _uploaded(self, file: Any) -> None:
        """Try a rule file, and have it chosen."""
        self.wrong.text = "trying the rules …"
        self.rules.reset()  # another file can be chosen
        try:
            rules = await file.file.read()
            spec = await run.io_bound(self.house.upload, rules, str(file.file.name))
        except FacedownError as error:
            self.wrong.text = str(error)
            return
        self.game.set_options({spec: f"{spec} (your upload)", **games_of(self.house)}, value=spec)
        self.wrong.text = "the rules can be played"

    def _too_large(self) -> None:
        self.wrong.text = f"a rule file of at most {MOST_BYTES:,} bytes is wanted"

    def _opened(self) -> str:
        """Open the table; the path of the own seat."""
        table, token = self.house.open(self.order(), str(self.called.value or ""))
        return f"/table/{table.kept.id}/{token}"

    def order(self) -> Order:
        """What the form asks for; SpecError where that is no table."""
        spec = game_spec(self.house, str(self.game.value), str(self.options.value or "").strip())
        players = self.house.load(spec).players
        seat, people = _whole(self.seat.value, "seat"), _whole(self.people.value, "people")
        if not 0 <= seat < players:
            raise SpecError(f"seat {seat}: 0 to {players - 1} is wanted in {spec}")
        if not 1 <= people <= players:
            raise SpecError(f"{people} people: 1 to {players} is wanted in {spec}")
        name = str(self.against.value or "best")
        budget = float(self.budget.value) if self.budget.value and thinks(name) else None
        other = agent_spec(self.house, name, budget, str(self.unit.value))
        order = [(seat + k) % players for k in range(players)]
        sitting = set(order[:people])
        specs = tuple(HUMAN if player in sitting else other for player in range(players))
        seed = str(self.seed.value or "").strip()
        if seed and people > 1:
            raise SpecError("a shared table has no chosen seed")
        return Order(spec, specs, _seed(seed) if seed else None, seat)


def thinks(name: str) -> bool:
    """Whether an agent by this name has a budget."""
    return parse(name).name in THINKERS


def _whole(value: Any, what: str) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise SpecError(f"{what}: a whole number is wanted") from None


def _seed(text: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise SpecError("seed: a whole number of at most 18 digits is wanted")
    return int(text)
