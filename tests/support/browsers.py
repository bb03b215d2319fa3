"""A server of tables in a process of its own, and a real browser that plays at it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


def needs_web() -> None:
    """Skip the test, in one line, where the extra `web` is not installed."""
    if importlib.util.find_spec("nicegui") is None:
        pytest.skip("no NiceGUI here: pip install 'facedown[web]'")


def needs_browser() -> None:
    """Skip the test, in one line, where there is no browser."""
    needs_web()
    if importlib.util.find_spec("playwright") is None or CHROMIUM is None:
        pytest.skip("no Playwright with Chromium here: `make browser` installs it where it can")


@dataclass
class Served:
    """A server: where it is, its process, and the file of what it says on stderr."""

    url: str
    process: subprocess.Popen[str]
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def end(self, how: int = signal.SIGTERM) -> None:
        """End it."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(300)


@contextmanager
def served(
    folder: Path, *more: str, port: int = 0, env: dict[str, str] | None = None
) -> Iterator[Served]:
    """`facedown serve` with a store in a folder; it gets ready only what is played."""
    words = ("serve", "--no-warm", "--port", str(port), "--store", str(folder / "store.db"), *more)
    with serving(folder, *words, env=env) as found:
        yield found


@contextmanager
def serving(folder: Path, *words: str, env: dict[str, str] | None = None) -> Iterator[Served]:
    """A command of facedown's that serves pages, once it has said where."""
    log = folder / "serve.log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "facedown", *words],
            stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])} | (env or {}),
        )  # fmt: skip
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None, log.read_text()
    one = Served("/".join(found[0].split("/")[:3]) + "/", process, log)
    try:
        yield one
    finally:
        one.end()
        process.stdout.close()


@contextmanager
def browser() -> Iterator[Any]:
    """A real browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield Patient(chromium)
        chromium.close()


@dataclass
class Patient:
    """A browser whose pages wait as long as a busy machine may take."""

    chromium: Any

    def new_page(self, **more: Any) -> Any:
        page = self.chromium.new_page(**more)
        page.set_default_timeout(300_000)
        return page


_LABELS = {
    "against": "Against",
    "seat": "Your seat, from 0",
    "people": "People at the table",
    "budget": "Thinks for",
    "seed": "Seed (the game then counts as assisted)",
    "options": "Options of the game, as in players=10",
    "called": "What others call you, at a shared table",
}

_OPENED = """() => location.pathname.startsWith('/table/')
  || (document.querySelector('form button.send')?.disabled === false
      && document.querySelector('form [role=alert]').innerText !== '')"""


def sit_down(page: Any, url: str, game: str, **fields: object) -> None:
    """Open a table by the form of the first page; fails with what the page says against it."""
    page.goto(url)
    page.get_by_label("Game", exact=True).select_option(game)
    if {"seed", "options", "called"} & set(fields):
        page.get_by_text("More", exact=True).click()
    for name, value in fields.items():
        field = page.get_by_label(_LABELS[name], exact=True)
        if name == "against":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    send(page, "Sit down")


def send(page: Any, button: str) -> None:
    """Send a form that leads to a seat; fails with what the page says against it."""
    page.get_by_role("button", name=button).click()
    page.wait_for_function(_OPENED)
    if "/table/" not in page.url:
        pytest.fail(page.locator("form [role=alert]").inner_text())


def my_turn_or_end(page: Any, timeout: float = 300_000) -> bool:
    """Wait until it is the person's turn; False where the game has ended."""
    page.wait_for_function(
        """() => { const said = document.querySelector('.status')?.innerText ?? '';
        return (said === 'Your turn' && document.querySelector('button.move'))
          || /^(You (win|lose|end)|A draw)/.test(said) || said.startsWith('The game cannot'); }""",
        timeout=timeout,
    )
    said = page.locator(".status").inner_text()
    assert not said.startswith("The game cannot"), said
    return bool(said == "Your turn")


# What a click changes, as the server answers it: another decision, the end, what is picked.
_STATE = """() => { const shown = one => one.offsetParent !== null;
  const said = document.querySelector('.status')?.innerText ?? '';
  const confirm = [...document.querySelectorAll('button.confirm')].filter(shown);
  const picked = [...document.querySelectorAll('.board [data-part].picked')];
  return JSON.stringify([document.querySelector('.board [data-ticket]')?.dataset.ticket,
    /^(You (win|lose|end)|A draw)/.test(said), confirm.map(one => one.innerText),
    picked.map(one => one.dataset.part)]); }"""

_CLICK = """([draw, at]) => { const shown = one => one.offsetParent !== null;
  const confirm = [...document.querySelectorAll('button.confirm')].filter(shown);
  const parts = [...document.querySelectorAll('.board [data-part].can:not(.off):not(.picked)')];
  const things = confirm.length ? confirm : parts;
  const now = document.querySelector('.board [data-ticket]').dataset.ticket;
  if (!things.length || now !== at) return false;
  const thing = things[Math.floor(draw * things.length)];
  thing.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  return true; }"""

_LIST = """([draw, at]) => {
  const moves = [...document.querySelectorAll(`[data-ticket="${at}"] button.move`)];
  moves[Math.floor(draw * moves.length)]?.click(); }"""


def click_a_move(page: Any, draw: Any, most: int = 8) -> int:
    """Play a move by clicking what glows, one part after another; from the list where nothing does.

    Gives how many parts of the picture, and buttons that confirm them, were clicked.
    """
    before = page.locator(".board [data-ticket]").first.get_attribute("data-ticket")
    for clicks in range(most):
        state = page.evaluate(_STATE)
        if not page.evaluate(_CLICK, [draw.random(), before]):
            break
        _answered(page, state)
        if page.evaluate(_STATE).split(",")[0] != state.split(",")[0] or _over(page):
            return clicks + 1
    state = page.evaluate(_STATE)
    page.evaluate(_LIST, [draw.random(), before])
    _answered(page, state)
    return 0


def _answered(page: Any, state: str) -> None:
    """Wait until the server has answered a click: what it changes is not as it was."""
    page.wait_for_function(f"was => ({_STATE})() !== was", arg=state)


def _over(page: Any) -> bool:
    return bool(json.loads(page.evaluate(_STATE))[1])


def play_out(page: Any, draw: Any, most: int = 2000) -> tuple[int, int]:
    """Play a whole game; how many decisions, and how many of them by the picture."""
    decided = pointed = 0
    while my_turn_or_end(page):
        pointed += click_a_move(page, draw) > 0
        decided += 1
        assert decided < most
    return decided, pointed
