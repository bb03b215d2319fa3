"""The first page: pick a game, a seat, opponents, and sit down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Annotated, Any

from fastapi import Body, Request
from fastapi.responses import HTMLResponse, JSONResponse
from nicegui import app

from facedown.agents.registry import AGENTS, check_agent
from facedown.core import Game, SpecError
from facedown.core.specs import parse
from facedown.games.registry import GAMES, RULE_FILE
from facedown.gdl.library import is_kept
from facedown.gdl.library import names as rule_files
from facedown.gdl.stranger import MOST_BYTES
from facedown.store.records import HUMAN
from facedown.table.house import House, Order
from facedown.table.web.beside import RULES
from facedown.table.web.parts import answered, form, plain_page, text_field

_NOT_OFFERED = ("program",)  # which would run whatever a visitor likes
_VALUE = re.compile(r"[A-Za-z0-9_+-]+(\.[0-9]+)?")
_LONGEST = 500  # characters of a field
_FILES = ("predictor", "replies", "preferences")  # options that may name files
MOST_ITERATIONS, MOST_SECONDS = 1_000_000, 30.0
UNITS = ("iterations", "seconds")
_NO_BUDGET = ("random", "scripted", "person", "stranger", "program")
THINKERS = tuple(name for name in AGENTS if name not in _NO_BUDGET)
"""The agents that have a budget."""


def games_of(house: House) -> dict[str, dict[str, str]]:
    """What can be played here: specs with words, in groups."""
    return {
        "Your own": {spec: spec.rpartition(":")[2] for spec in house.games},
        "Games": {name: entry.summary for name, entry in GAMES.items()},
        "Rule files": {name: name for name in rule_files()},
    }


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
    if unit not in UNITS:
        raise SpecError(f"a budget in {unit!r}: {' or '.join(UNITS)} is wanted")
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


def register(house: House) -> None:
    """Have the first page, and what it sends."""

    async def first_page() -> HTMLResponse:  # which waits for no thread
        inside = form("/open", _fields(house), "Sit down")
        return plain_page("Sit down and play", "A new table", inside)

    async def opened(plain: Annotated[dict[str, Any], Body()]) -> JSONResponse:
        return await answered(lambda: {"path": _opened(house, plain)})

    async def rules(request: Request, name: str = "rules") -> JSONResponse:
        data = await request.body()

        def kept() -> dict[str, str]:
            return {"spec": house.upload(data, name), "said": "the rules can be played"}

        return await answered(kept, RULES)

    app.add_api_route("/", first_page, methods=["GET"], response_model=None)
    app.add_api_route("/open", opened, methods=["POST"], response_model=None)
    app.add_api_route("/rules", rules, methods=["POST"], response_model=None)


def _fields(house: House) -> str:
    """The fields of the form, as HTML.

    They are the browser's own, and what they hold is sent with the form, so that nothing that
    somebody has typed is ever written over, or lost with a connection.
    """
    agents = [*house.agents, *(name for name in AGENTS if name not in _NOT_OFFERED)]
    rows = (
        _select("Game", "game", games_of(house), "kuhn"),
        _select("Against", "against", {"": {name: name for name in agents}}, "best"),
        text_field("Thinks for", "budget", "1000", 'type="number" min="0" step="any"'),
        _select("each move", "unit", {"": {unit: unit for unit in UNITS}}, "iterations"),
        text_field("Your seat, from 0", "seat", "0", 'type="number" min="0"'),
        text_field("People at the table", "people", "1", 'type="number" min="1"'),
    )
    own = (
        "<p>A rule file in GDL or GDL-II; it is tried out first, within limits.</p>"
        + text_field("Rule file", "", "", f'type="file" accept=".kif,.gdl,.txt" '
                     f'onchange="facedownRules(this, {MOST_BYTES})"')
    )  # fmt: skip
    more = (
        text_field("Options of the game, as in players=10", "options"),
        text_field("Options of the opponents, as in c=0.5", "agent_options"),
        text_field("Seed (the game then counts as assisted)", "seed"),
        text_field("What others call you, at a shared table", "called", "", 'maxlength="40"'),
    )
    return (
        f'<div class="fields">{"".join(rows)}</div>'
        f"<details><summary>Rules of your own</summary>{own}</details>"
        f'<details><summary>More</summary><div class="fields">{"".join(more)}</div></details>'
    )


def _select(label: str, name: str, groups: Mapping[str, Mapping[str, str]], chosen: str) -> str:
    """A list to choose from, in groups, as HTML."""
    inside = ""
    for heading, values in groups.items():
        options = "".join(
            f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>'
            f"{escape(words)}</option>"
            for value, words in values.items()
        )
        if heading and options:
            options = f'<optgroup label="{escape(heading)}">{options}</optgroup>'
        inside += options
    return (
        f'<div class="field {name}"><label for="f-{name}">{escape(label)}</label>'
        f'<select id="f-{name}" name="{name}">{inside}</select></div>'
    )


def _opened(house: House, plain: Mapping[str, Any]) -> str:
    """Open the table that a form asks for; the path of the own seat."""
    asked = {name: str(value).strip()[:_LONGEST] for name, value in plain.items()}
    table, token = house.open(order(house, asked), asked.get("called", ""))
    return f"/table/{table.kept.id}/{token}"


def order(house: House, asked: Mapping[str, str]) -> Order:
    """What a form asks for; SpecError where that is no table."""
    spec = game_spec(house, asked.get("game", ""), asked.get("options", ""))
    game = house.load(spec)
    players = game.players
    seat, people = _whole(asked, "seat", "0"), _whole(asked, "people", "1")
    if not 0 <= seat < players:
        raise SpecError(f"seat {seat}: 0 to {players - 1} is wanted in {spec}")
    if not 1 <= people <= players:
        raise SpecError(f"{people} people: 1 to {players} is wanted in {spec}")
    seed = asked.get("seed", "")
    if seed and people > 1:
        raise SpecError("a shared table has no chosen seed")
    sitting = {(seat + k) % players for k in range(people)}
    other = _opponent(house, game, asked)
    specs = tuple(HUMAN if player in sitting else other for player in range(players))
    return Order(spec, specs, _seed(seed) if seed else None, seat)


def _opponent(house: House, game: Game, asked: Mapping[str, str]) -> str:
    """The spec of the agents that a form asks for."""
    name, options = asked.get("against") or "best", asked.get("agent_options", "")
    if options:
        name = f"{name}{',' if ':' in name else ':'}{options}"
    given = asked.get("budget", "")
    budget = _number(given, "thinks for") if given and thinks(name) else None
    found = agent_spec(house, name, budget, asked.get("unit") or "iterations")
    if parse(name).name == "best" and found != name:
        try:
            check_agent(found, game)
        except SpecError:
            return name  # what is best here has no such budget
    return found


def thinks(name: str) -> bool:
    """Whether an agent by this name has a budget."""
    return parse(name).name in THINKERS


def _whole(asked: Mapping[str, str], what: str, default: str) -> int:
    try:
        return int(asked.get(what) or default)
    except ValueError:
        raise SpecError(f"{what}: a whole number is wanted") from None


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SpecError(f"{what}: a number is wanted") from None


def _seed(text: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise SpecError("seed: a whole number of at most 18 digits is wanted")
    return int(text)
