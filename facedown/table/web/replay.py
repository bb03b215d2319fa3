"""The page of a game that is over: every ply, the searches behind it, beliefs over time."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Annotated, Any

from fastapi import Body
from fastapi.responses import JSONResponse, Response
from nicegui import app, ui

from facedown.core import FacedownError, SpecError
from facedown.store.records import HUMAN, line_of
from facedown.table.export import html_page, viewers
from facedown.table.heat import heat_map
from facedown.table.house import FORKED, House, Order
from facedown.table.story import EVERYTHING, Story
from facedown.table.web.beside import ADVICE, LONG, STORIES
from facedown.table.web.lobby import agent_spec, game_spec
from facedown.table.web.parts import (
    answered,
    bar,
    form,
    frame,
    hidden_field,
    message,
    panel,
    share_bars,
)

_NAME = "/replay/{name}"
_PLAY_ON = "Play on from here"


def register(house: House) -> None:
    """Have the pages of games that are over, and their files."""

    async def replay_page(name: str) -> None:
        story = await STORIES(_story, house, name)
        if not isinstance(story, Story):
            message("No such game", story or "This link opens no game that is over.")
            return
        Replay(house, name, story).build()

    async def records(name: str) -> Response:
        story = await STORIES(_story, house, name)
        if not isinstance(story, Story):
            return Response("no such game\n", 404)
        return _file(line_of(story.record.to_json()), "application/jsonl", f"{_safe(name)}.jsonl")

    async def exported(name: str) -> Response:
        story = await STORIES(_story, house, name)
        if not isinstance(story, Story):
            return Response("no such game\n", 404)
        page = await LONG(_page, house, story)
        return _file(page, "text/html", f"{_safe(name)}.html")

    async def forked(name: str, plain: Annotated[dict[str, Any], Body()]) -> JSONResponse:
        return await answered(lambda: {"path": _forked(house, name, plain)})

    ui.page(_NAME)(replay_page)
    app.add_api_route(f"{_NAME}/fork", forked, methods=["POST"], response_model=None)
    app.add_api_route(f"{_NAME}/game.jsonl", records, methods=["GET"], response_model=None)
    app.add_api_route(f"{_NAME}/game.html", exported, methods=["GET"], response_model=None)


def _story(house: House, name: str) -> Story | str | None:
    try:
        return house.story(name)
    except FacedownError as error:
        return str(error)


def _page(house: House, story: Story) -> str:
    """The page of a game; whoever waits for an opponent comes before its beliefs."""
    with house.thinkers.place() as held:
        return html_page(story, lambda share: house.thinkers.breathe(held))


def _safe(name: str) -> str:
    return "".join(mark for mark in name if mark.isalnum() or mark in "-_") or "game"


def _file(text: str, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="facedown-{name}"'}
    data = text.encode("utf-8", "backslashreplace")
    return Response(data, media_type=f"{kind}; charset=utf-8", headers=headers)


class Replay:
    """One browser's window on a game that is over."""

    def __init__(self, house: House, name: str, story: Story) -> None:
        self.house, self.name, self.story = house, name, story
        people = [p for p, spec in enumerate(story.record.agents) if spec == HUMAN]
        self._player = people[0] if people else 0

    def build(self) -> None:
        """Make the page."""
        frame(f"{self.story.record.game}: looking back")
        with ui.element("main").classes("table"):
            with ui.element("div"):
                self.board = ui.html("", sanitize=True).classes("board")
                self._slider()
            with ui.element("div").classes("side"):
                with panel("This move").props('aria-live="polite"'):
                    self.said = ui.label().classes("status")
                    self.search = ui.html("", sanitize=False)
                with panel("Look from"):
                    seen = ui.select(viewers(self.story), value=EVERYTHING, label="Seen by")
                    self.viewer = seen.classes("full-width")
                    self.viewer.on_value_change(self.refresh)
                self._believing()
                self._sharing()
        with ui.element("section").classes("panel wide") as self.over_time:
            self.heat = ui.html("", sanitize=False)
        self.over_time.set_visibility(False)
        ui.keyboard(on_key=self._key)
        self.refresh()

    def _slider(self) -> None:
        last = len(self.story)
        with ui.row().classes("items-center no-wrap full-width q-px-sm"):
            for icon, words, step in (
                ("first_page", "to the start", -last),
                ("chevron_left", "one move back", -1),
                ("chevron_right", "one move on", 1),
                ("last_page", "to the end", last),
            ):
                button = ui.button(icon=icon, on_click=lambda _, by=step: self._step(by))
                button.props(f'flat round dense aria-label="{words}"')
            self.slider = ui.slider(min=0, max=last, value=last, on_change=self.refresh)
            self.slider.props('label aria-label="ply"').mark("ply")

    def _believing(self) -> None:
        seats = {p: f"player {p}" for p in range(self.story.game.players)}
        with panel("What could be believed"):
            self.believer = ui.select(seats, value=self._player, label="By").classes("full-width")
            self.believer.on_value_change(self._refresh_onward)
            self.now = ui.html("", sanitize=False)
            with ui.row():
                ui.button("At this move", on_click=self._believe).props("dense flat no-caps")
                ui.button("Over time", on_click=self._over_time).props("dense flat no-caps")

    def _sharing(self) -> None:
        with panel("Share, keep, go on"):
            ui.link("The game as a file", f"/replay/{self.name}/game.jsonl")
            ui.html("<br>", sanitize=False)
            ui.link("A page that works offline", f"/replay/{self.name}/game.html")
            self.onward = ui.html("", sanitize=False)

    # --- what is shown -----------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """The ply that is shown."""
        return min(max(int(self.slider.value or 0), 0), len(self.story))

    def _step(self, by: int) -> None:
        self.slider.value = min(max(self.ply + by, 0), len(self.story))

    def _key(self, event: Any) -> None:
        if event.action.keydown and event.key.arrow_left:
            self._step(-1)
        elif event.action.keydown and event.key.arrow_right:
            self._step(1)

    def refresh(self) -> None:
        """Show the ply that was chosen."""
        ply, viewer = self.ply, int(self.viewer.value)
        text = f'<pre class="text">{escape(self.story.text(ply, viewer))}</pre>'
        self.board.content = self.story.picture(ply, viewer) or text
        self.said.text = f"{ply} of {len(self.story)}: {self.story.headline(ply)}"
        self.search.content = _search(self.story, ply)
        self.now.content = ""
        self._refresh_onward()

    async def _believe(self) -> None:
        ply, player = self.ply, int(self.believer.value)
        self.now.content = "<p>drawing worlds …</p>"
        shares = await ADVICE(self._shares, ply, player)
        if not shares:
            self.now.content = "<p>nothing is hidden here, or this game has no words for it</p>"
            return
        true = self.story.truth(ply, player)
        said = f"<p>in truth: {escape('; '.join(sorted(true))) or '–'}</p>"
        self.now.content = share_bars(shares) + said

    def _shares(self, ply: int, player: int) -> Any:
        with self.house.thinkers.place():
            return self.story.believed(ply, player)

    async def _over_time(self) -> None:
        player = int(self.believer.value)
        self.over_time.set_visibility(True)
        self.heat.content = "<p>drawing worlds for every move …</p>"
        drawn = await LONG(self._heat, player)
        none = "<p>nothing was hidden, or this game has no words for it</p>"
        head = f"<h2>What player {player} could believe, ply by ply (golden: it was so)</h2>"
        self.heat.content = head + (drawn or none)

    def _heat(self, player: int) -> str:
        thinkers = self.house.thinkers
        with thinkers.place() as held:
            heat = self.story.heat(player, lambda share: thinkers.breathe(held))
        return heat_map(heat, f"what player {player} could believe")

    def _refresh_onward(self) -> None:
        """The way on: a form, as all that opens tables is, which the server counts."""
        fields = hidden_field("ply", self.ply) + hidden_field("player", self.believer.value)
        self.onward.content = form(f"/replay/{self.name}/fork", fields, _PLAY_ON)


def _forked(house: House, name: str, plain: Mapping[str, Any]) -> str:
    """A new game from a ply on, with a person at this seat; the path of the seat."""
    story = house.story(name)
    if story is None:
        raise SpecError("this link opens no game that is over")
    record, ply, player = story.record, _place(plain, "ply"), _place(plain, "player")
    if not 0 <= ply <= len(story) or not 0 <= player < story.game.players:
        raise SpecError(f"there is no ply {ply}, or no player {player}, in this game")
    if story.positions[ply].over:
        raise SpecError("the game is over here: go back to an earlier move")
    specs = [_opponent(house, spec) for spec in record.agents]
    specs[player] = HUMAN
    head = record.game.partition(":")
    game = record.game if record.game in house.games else game_spec(house, *head[::2])
    order = Order(
        game, tuple(specs), record.seed % (1 << 63), player, marks=(FORKED,),
        deal_seed=record.deal_seed, decisions=story.decisions(ply),
    )  # fmt: skip
    table, token = house.open(order)
    return f"/table/{table.kept.id}/{token}"


def _place(plain: Mapping[str, Any], what: str) -> int:
    text = str(plain.get(what, ""))[:9]
    if not text.isdecimal():
        raise SpecError(f"{what}: a whole number is wanted")
    return int(text)


def _opponent(house: House, spec: str) -> str:
    """Who plays a seat on: the same agent, if visitors may have it."""
    try:
        return "so-ismcts" if spec == HUMAN else agent_spec(house, spec, None, "")
    except SpecError:
        return "so-ismcts"


def _search(story: Story, ply: int) -> str:
    """The search behind a move, as HTML."""
    found = story.candidates(ply)
    top = max((visits for _, visits, _ in found), default=0) or 1
    rows = "".join(
        bar(text, visits / top, f"{visits:,.0f} visits, mean {mean:+.3f}")
        for text, visits, mean in found
    )
    return f'<div class="bars">{rows}</div>' if rows else ""
