"""The pages of a study: consent, instructions, quiz, matches, thanks."""

from __future__ import annotations

from collections.abc import Callable

from fastapi.responses import JSONResponse
from nicegui import app, ui

from facedown.core.lessons import Question
from facedown.table.hosted import RefusedError
from facedown.table.house import House
from facedown.table.study import Participant, Studying
from facedown.table.web.parts import answered, form, frame, message, panel

_AGREE, _PERSON = "/agree", "/study/{code}/{token}"


def pages(studying: Studying) -> Callable[[House], None]:
    """What has the pages of a study instead of the first page; tables are as ever."""

    def register(house: House) -> None:
        def first_page() -> None:
            _consent(studying)

        def study_page(code: str, token: str) -> None:
            person = studying.find(code, token)
            if person is None:
                message("No such page", "This link opens nothing: it may be cut off, or mistyped.")
                return
            StudyWindow(studying, person, token).build()

        async def agreed() -> JSONResponse:
            return await answered(lambda: {"path": _agreed(studying)})

        async def match(code: str, token: str) -> JSONResponse:
            return await answered(lambda: {"path": _match(studying, code, token)})

        ui.page("/")(first_page)
        ui.page(_PERSON)(study_page)
        app.add_api_route(_AGREE, agreed, methods=["POST"], response_model=None)
        app.add_api_route(f"{_PERSON}/match", match, methods=["POST"], response_model=None)

    return register


def _agreed(studying: Studying) -> str:
    """Somebody takes part; the path of their page."""
    person, token = studying.agree()
    return f"/study/{person.code}/{token}"


def _match(studying: Studying, code: str, token: str) -> str:
    """The path of the table of a participant's next match."""
    name = studying.match(code, token)
    if name is None:
        raise RefusedError("this link opens no match")
    return f"/table/{name}/{token}"


def _texts(words: str) -> None:
    """A text, paragraph by paragraph; it is text, whatever is in it."""
    for paragraph in words.split("\n\n"):
        ui.label(paragraph).style("white-space: pre-wrap").classes("q-mb-sm")


def _consent(studying: Studying) -> None:
    frame(studying.study.title)
    with ui.element("main").classes("q-pa-lg"), panel("Before you begin"):
        _texts(studying.study.consent)
        ui.html(form(_AGREE, "", "I agree, and take part"), sanitize=False)


class StudyWindow:
    """A participant's page: the stage that they are at."""

    def __init__(self, studying: Studying, person: Participant, token: str) -> None:
        self.studying, self.person, self.token = studying, person, token
        self.study = studying.study

    def build(self) -> None:
        """Make the page."""
        frame(self.study.title)
        with ui.element("main").classes("q-pa-lg") as self.main:
            self._show()

    def _show(self) -> None:
        self.main.clear()
        stage = self.person.stage
        if stage == "matches" and self.person.played() >= self.study.matches:
            stage = self.person.go_on()
        with self.main:
            {"instructions": self._instructions, "quiz": self._quiz, "matches": self._matches,
             "thanks": self._thanks}[stage]()  # fmt: skip

    def _on(self) -> None:
        self.person.go_on()
        self._show()

    def _instructions(self) -> None:
        game = self.studying.house.load(self.study.game)
        with panel("How it is played"):
            _texts(self.study.instructions or game.lesson or f"You play {game.name}.")
            ui.button("Go on", on_click=self._on).props("no-caps")

    def _quiz(self) -> None:
        quiz = self.studying.house.load(self.study.game).quiz
        right: set[int] = set()
        with panel("A few questions"):
            for number, question in enumerate(quiz):
                self._ask(number, question, right, len(quiz))

    def _ask(self, number: int, question: Question, right: set[int], of: int) -> None:
        ui.label(f"{number + 1}. {question.text}").classes("q-mt-md text-weight-bold")
        said = ui.label().classes("said").props('role="status"')
        with ui.row():
            for place, answer in enumerate(question.answers):

                def given(place: int = place) -> None:
                    if place == question.right:
                        said.text = f"Right: {question.why}."
                        right.add(number)
                    else:
                        said.text = "No. Try again."
                        self.person.note(wrong=int(self.person.plain["wrong"]) + 1)
                    if len(right) == of and self.person.stage == "quiz":
                        self._on()

                ui.button(answer, on_click=given).props("no-caps outline")

    def _matches(self) -> None:
        done = self.person.played()
        with panel(f"Match {done + 1} of {self.study.matches}"):
            ui.label("You may take your time; how long a move takes you is noted.")
            action = f"/study/{self.person.code}/{self.token}/match"
            ui.html(form(action, "", "To the table"), sanitize=False)

    def _thanks(self) -> None:
        with panel("Thank you"):
            _texts(self.study.thanks or "That was all.")
            ui.label(f"Your code is {self.person.code}. Nothing else is known of you.")
