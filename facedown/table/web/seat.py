"""The page of a seat: the board, what can be played, what was seen, who sits where."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from html import escape
from typing import Annotated, Any

from fastapi import Body
from fastapi.responses import HTMLResponse, JSONResponse
from nicegui import Client, app, ui

from facedown.core import CHANCE, OVER, FacedownError
from facedown.table.hosted import Hosted, Look, RefusedError
from facedown.table.house import House, Seat
from facedown.table.sitting import HINTED
from facedown.table.thinkers import Brake
from facedown.table.web.beside import ADVICE
from facedown.table.web.board import Selection, clickable, listed
from facedown.table.web.guard import refused
from facedown.table.web.parts import (
    answered,
    form,
    frame,
    message,
    panel,
    plain_page,
    report_bars,
    share_bars,
    text_field,
)

_CLICK = """(e) => {
  const thing = e.target.closest('[data-part], [data-move]');
  const ticket = e.target.closest('[data-ticket]');
  if (!thing || !ticket) return;
  if (e.type === 'keydown') {
    if (e.key !== 'Enter' && e.key !== ' ') return;
    if (thing.dataset.move !== undefined) return;
    e.preventDefault();
  }
  const move = thing.dataset.move;
  emit(move === undefined ? thing.dataset.part : Number(move), Number(ticket.dataset.ticket));
}"""

_IN_WORDS = (
    '<button type="button" class="as-text" aria-pressed="false" '
    'onclick="facedownWords(this)">In words</button>'
)
_JOIN = "/join/{name}/{token}"
_NONE_FREE = "This link opens no free seat: all may be taken by now."
_SOON = 0.02  # seconds in which changes are gathered before they are shown


def register(house: House) -> None:
    """Have the pages of seats."""

    def seat_page(client: Client, name: str, token: str) -> None:
        seat = house.seat(name, token)
        if seat is None:
            refused("a seat that is not there, or a token that is not its own")
            message("No such seat", "This link opens no seat: it may be cut off, or mistyped.")
            return
        SeatWindow(client, seat, token).build()

    def join_page(name: str, token: str) -> HTMLResponse:
        table = house.find(name)
        if table is None or not table.invites(token):
            return plain_page("No free seat", "No free seat", f"<p>{_NONE_FREE}</p>")
        called = text_field("What the others call you", "called", "", 'maxlength="40"')
        inside = form(f"/join/{name}/{token}", called, "Take a seat")
        return plain_page("A seat for you", f"A table of {table.kept.settings['game']}", inside)

    async def joined(
        name: str, token: str, plain: Annotated[dict[str, Any], Body()]
    ) -> JSONResponse:
        return await answered(lambda: {"path": _joined(house, name, token, plain)})

    ui.page("/table/{name}/{token}")(seat_page)
    app.add_api_route(_JOIN, join_page, methods=["GET"], response_model=None)
    app.add_api_route(_JOIN, joined, methods=["POST"], response_model=None)


def _joined(house: House, name: str, token: str, plain: Mapping[str, Any]) -> str:
    """Take a free seat by its link; the path of the seat."""
    table = house.find(name)
    if table is None or not table.invites(token):
        refused("a link that opens no free seat")
        raise RefusedError(_NONE_FREE)
    return f"/table/{name}/{table.sit_down(str(plain.get('called', '')))}"


class SeatWindow:
    """One browser's window on a seat: shows what the seat may know, and nothing else."""

    def __init__(self, client: Client, seat: Seat, token: str) -> None:
        self._token = token
        self.client, self.table, self.player = client, seat.table, seat.player
        self._loop = asyncio.get_running_loop()
        self._pending = False
        self._selection = Selection(())
        self._look: Look | None = None
        self._shown: tuple[str, str] | None = None
        self._here = False

    # --- layout ------------------------------------------------------------------------------

    def build(self) -> None:
        """Make the page."""
        frame(self.table.kept.settings["game"])
        with ui.element("main").classes("table"):
            with ui.element("div"):
                self.board = ui.html("", sanitize=True).classes("board").mark("board")
                ui.html(_IN_WORDS, sanitize=False)
            with ui.element("div").classes("side"):
                with panel("Now").props('aria-live="polite"'):
                    self.status = ui.label().classes("status").mark("status")
                    self.said = ui.label().classes("said").props('role="status"')
                    self.progress = ui.linear_progress(0, show_value=False).props(
                        'aria-label="how far the search has come"'
                    )
                    self.invitation = ui.column()
                    self.after = ui.row()
                self.moves_panel = panel("Your moves")
                with self.moves_panel:
                    self.moves = ui.html("", sanitize=False)
                    self._buttons()
                    self.advice = ui.html("", sanitize=False)
                with panel("What happened").props('aria-live="polite"'):
                    self.news = ui.html("", sanitize=False)
                with panel("Who sits where"):
                    self.seats = ui.html("", sanitize=False)
        for element in (self.board, self.moves):
            for event in ("click", "keydown"):
                element.on(event, self._clicked, js_handler=_CLICK)
        self.timer = ui.timer(0.2, self._progress, active=False)
        self.client.on_connect(self._arrive)
        self.client.on_disconnect(self._depart)
        self.table.listeners.add(self._changed)
        self.client.on_delete(self._gone)
        self.table.awake()
        self.refresh()

    def _buttons(self) -> None:
        alone = not self.table.shared and not self.table.study
        with ui.row().classes("q-mt-sm") as row:
            self.confirm = ui.button("Play", on_click=self._confirm).props("dense no-caps")
            self.confirm.classes("confirm")
            self.hint = ui.button("Hint", on_click=self._hint).props("dense flat no-caps")
            self.believe = ui.button("Beliefs", on_click=self._beliefs).props("dense flat no-caps")
            self.undo = ui.button("Take back", on_click=self._undo).props("dense flat no-caps")
        row.set_visibility(True)
        self.confirm.set_visibility(False)
        for button in (self.hint, self.believe, self.undo):
            button.set_visibility(alone)
        ui.label("Each of these marks the game as assisted.").classes("aside").set_visibility(alone)

    # --- coming and going --------------------------------------------------------------------

    def _arrive(self) -> None:
        if not self._here:
            self._here = True
            self.table.present += 1
        self.table.awake()
        self._changed()

    def _depart(self) -> None:
        if self._here:
            self._here = False
            self.table.present -= 1

    def _gone(self) -> None:
        self._depart()
        self.table.listeners.discard(self._changed)

    def _changed(self) -> None:
        """Something may look different; from any thread."""
        if not self._pending:
            self._pending = True
            self._loop.call_soon_threadsafe(self._loop.call_later, _SOON, self._refresh_now)

    def _refresh_now(self) -> None:
        self._pending = False
        if self.client.id in Client.instances:
            with self.client:
                self.refresh()

    # --- what is shown -----------------------------------------------------------------------

    def refresh(self) -> None:
        """Show how things stand."""
        hosted = self.table.hosted
        self._seats(hosted)
        self._invite()
        if self.table.over:
            self._look_back()
        if hosted is None:
            self._resting()
            return
        look = hosted.look(self.player)
        fresh = look is not None and (self._look is None or look.ticket != self._look.ticket)
        self._look = look
        if look is None:
            self.status.text = hosted.error or "Getting the game ready …"
            return
        if fresh:
            self._selection = Selection(look.moves)
            self.advice.content = ""
            self.said.text = ""
        self._draw(look)
        self._list(look)
        self.news.content = _items(look.news, "news")
        self.status.text = self._status(hosted, look)
        self.undo.set_enabled(look.can_undo)
        thinking = hosted.thinking_now is not None
        self.timer.active = thinking
        if not thinking:
            self.progress.set_visibility(False)

    def _resting(self) -> None:
        self.progress.set_visibility(False)
        self.moves_panel.set_visibility(False)
        if self.table.gathering:
            self.status.text = "Waiting for others to sit down"
        elif self.table.over:
            self.status.text = "This game is over"
        else:
            self.status.text = "All places are taken just now: yours comes as soon as one is free"

    def _draw(self, look: Look) -> None:
        drawn = (look.picture, str(look.ticket))
        if drawn == self._shown:
            return
        self._shown = drawn
        picture = clickable(look.picture, look.moves) if look.picture else ""
        inside = picture or f'<pre class="text">{escape(look.text)}</pre>'
        words = f'<pre class="hidden-text">{escape(look.text)}</pre>' if picture else ""
        self.board.content = f'<div data-ticket="{look.ticket or 0}">{inside}{words}</div>'

    def _list(self, look: Look) -> None:
        self.moves_panel.set_visibility(look.ticket is not None)
        places = self._selection.fitting()
        self.moves.content = listed(look.moves, places, look.ticket) if look.moves else ""
        complete = self._selection.complete()
        self.confirm.set_visibility(len(complete) == 1)
        if len(complete) == 1:
            self.confirm.text = f"Play {look.moves[complete[0]].text}"

    def _status(self, hosted: Hosted, look: Look) -> str:
        if hosted.error:
            return f"The game cannot go on: {hosted.error}"
        if hosted.record is not None:
            marks = " (assisted)" if hosted.record.assisted else ""
            return hosted.result(self.player) + marks
        if look.ticket is not None:
            return "Your turn"
        if look.turn in (CHANCE, OVER):
            return "…"
        return f"{self.table.name(look.turn)} is thinking"

    def _seats(self, hosted: Hosted | None) -> None:
        turn = hosted.turn if hosted is not None and hosted.record is None else None
        lines = []
        for player in range(len(self.table.specs)):
            you = " (you)" if player == self.player else ""
            kind = ' class="turn"' if player == turn else ""
            lines.append(f"<li{kind}>{player}: {escape(self.table.name(player))}{you}</li>")
        self.seats.content = f'<ul class="seats">{"".join(lines)}</ul>'

    def _invite(self) -> None:
        invite = self.table.invite
        if bool(invite) == bool(self.invitation.default_slot.children):
            return
        self.invitation.clear()
        if not invite:
            return
        with self.invitation:
            ui.label("Send this link to those who are to play:")
            path = f"/join/{self.table.kept.id}/{invite}"
            ui.link(path, path).classes("break-all")
            ui.button("Copy the link", on_click=lambda: self._copy(path)).props("dense no-caps")
            ui.button("Agents take the free seats", on_click=self._fill).props("dense no-caps flat")

    def _look_back(self) -> None:
        """The ways on from a game that is over."""
        if self.after.default_slot.children:
            return
        with self.after:
            if self.table.study:
                ui.link("Go on", f"/study/{self.table.study['participant']}/{self._token}")
                return
            ui.link("Look back", f"/replay/{self.table.kept.id}")
            ui.link("Another game", "/")

    def _copy(self, path: str) -> None:
        ui.run_javascript(f"navigator.clipboard.writeText(location.origin + {json.dumps(path)})")

    def _fill(self) -> None:
        spec = next((spec for spec in self.table.specs if spec != "human"), "so-ismcts")
        self._do(lambda: self.table.fill(spec))

    def _progress(self) -> None:
        hosted = self.table.hosted
        thinking = None if hosted is None else hosted.thinking_now
        if thinking is None:
            self.timer.active = False
            self.progress.set_visibility(False)
            return
        done = thinking.progress()
        self.progress.set_visibility(True)
        self.progress.props(f"indeterminate={'true' if done is None else 'false'}")
        self.progress.value = done or 0.0

    # --- what people do ----------------------------------------------------------------------

    def _clicked(self, event: Any) -> None:
        """A click on a part of the picture, or on a move of the list."""
        args = event.args if isinstance(event.args, list) else [event.args]
        if len(args) != 2 or isinstance(args[0], bool) or not isinstance(args[0], str | int):
            refused("a click that is none")
            return
        thing, ticket = args
        if isinstance(thing, int):
            self._do(lambda: self._play(thing, ticket))
            return
        if len(thing) > 200:
            refused("a click on a part with an endless name")
            return
        look = self._look
        if look is None or look.ticket is None or ticket != look.ticket:
            self.said.text = "it is not your turn"
            return
        place = self._selection.click(thing)
        self.said.text = self._selection.said
        if place is not None:
            self._do(lambda: self._play(place, ticket))
            return
        self._list(look)
        picked, can = list(self._selection.parts), sorted(self._selection.possible())
        ui.run_javascript(f"facedownPick({json.dumps(picked)}, {json.dumps(can)})")

    def _play(self, place: object, ticket: object) -> None:
        self._hosted().answer(self.player, ticket, place)

    def _confirm(self) -> None:
        complete, look = self._selection.complete(), self._look
        if look is not None and len(complete) == 1:
            self._do(lambda: self._play(complete[0], look.ticket))

    def _undo(self) -> None:
        look = self._look
        if look is not None and not self.table.shared and not self.table.study:
            self._do(lambda: self._hosted().undo(self.player, look.ticket))

    def _hosted(self) -> Hosted:
        hosted = self.table.awake()
        if hosted is None:
            raise RefusedError("no game is being played at this table")
        return hosted

    def _do(self, deed: Any) -> None:
        """Do something; say why where it is refused."""
        try:
            deed()
        except FacedownError as error:
            refused(f"{error} (seat {self.player})")
            self.said.text = str(error)

    async def _hint(self) -> None:
        await self._advise(self._hinted)

    async def _beliefs(self) -> None:
        await self._advise(self._believed)

    async def _advise(self, advise: Any) -> None:
        """Show what a search, or a belief, has to say: off the event loop, one at a table."""
        look, alone = self._look, not self.table.shared and not self.table.study
        if look is None or look.ticket is None or self.table.advised or not alone:
            return
        self.table.advised = True
        self.advice.content = "<p>thinking …</p>"
        try:
            asked = self._hosted().asked_now(self.player, look.ticket)
            content = await ADVICE(advise, asked)
        except FacedownError as error:
            content = f"<p>{escape(str(error))}</p>"
        finally:
            self.table.advised = False
        if self._look is not None and self._look.ticket == look.ticket:
            self.advice.content = content or ""

    def _hinted(self, asked: Any) -> str:
        with self.table.house.thinkers.place(brake=Brake(lambda: asked.person.adviser)):
            report = asked.person.advice(asked.view, asked.legal)
        self.table.mark(HINTED)
        said = f"{asked.person.hint} would play {report.played().text}"
        return f"<p>{escape(said)}</p>{report_bars(report)}"

    def _believed(self, asked: Any) -> str:
        with self.table.house.thinkers.place(brake=Brake(lambda: asked.person.adviser)):
            said, shares = asked.person.believed(asked.view, asked.legal)
        if not shares:
            return "<p>nothing is hidden here, or this game has no words for it</p>"
        self.table.mark(HINTED)
        return f"<p>{escape(said)}</p>{share_bars(shares)}"


def _items(texts: Any, kind: str) -> str:
    return f'<ul class="{kind}">{"".join(f"<li>{escape(text)}</li>" for text in texts)}</ul>'
