"""How the table feels to one person in a real browser: how soon pages are up, and clicks answered.

    python benchmarks/web_feel.py [--games kuhn,cribbage,settlers] [--clicks 40]

Needs the extras `web` and Playwright with Chromium. Starts `facedown serve` over a store of its
own. Told are, in milliseconds: until the first page can be filled in; until a seat's page shows
whose turn it is, its game loaded before; from a click on what glows until the page has changed by
the server's answer.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.browsers import browser, my_turn_or_end, served, sit_down

_CLICK = """draw => { const shown = one => one.offsetParent !== null;
  const confirm = [...document.querySelectorAll('button.confirm')].filter(shown);
  const parts = [...document.querySelectorAll('.board [data-part].can:not(.off):not(.picked)')];
  const things = confirm.length ? confirm : parts.length ? parts
    : [...document.querySelectorAll('button.move')];
  const thing = things[Math.floor(draw * things.length)];
  return new Promise(resolve => {
    const began = performance.now();
    const watch = new MutationObserver(() => {
      watch.disconnect();
      resolve(performance.now() - began);
    });
    watch.observe(document.querySelector('main'),
      {subtree: true, childList: true, attributes: true, characterData: true});
    thing.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  }); }"""


def timed(deed: Any) -> float:
    """Milliseconds that something takes."""
    began = time.perf_counter()
    deed()
    return 1000 * (time.perf_counter() - began)


def clicks(page: Any, draw: random.Random, count: int) -> list[float]:
    """Milliseconds until clicks are answered."""
    found: list[float] = []
    while len(found) < count and my_turn_or_end(page):
        found.append(page.evaluate(_CLICK, draw.random()))
        page.wait_for_timeout(100)  # the rest of the answer
    return found


def show(what: str, values: list[float]) -> None:
    """One line."""
    ordered = sorted(values)
    print(f"{what:<32}{len(ordered):>6}{ordered[len(ordered) // 2]:>10.0f}{ordered[-1]:>10.0f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", default="kuhn,cribbage,resistance,settlers")
    parser.add_argument("--clicks", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        began = time.perf_counter()
        with served(Path(folder)) as server:
            up = 1000 * (time.perf_counter() - began)
            page = chromium.new_page(viewport={"width": 1280, "height": 800})
            print(f"{'milliseconds':<32}{'times':>6}{'median':>10}{'longest':>10}")
            show("the server can be called", [up])
            form = page.get_by_role("button", name="Sit down")
            show("first page", [timed(lambda: (page.goto(server.url), form.wait_for()))
                                for _ in range(10)])  # fmt: skip
            for game in given.games.split(","):
                sit_down(page, server.url, game, against="random")
                my_turn_or_end(page)
                show(f"{game}: the seat's page", [
                    timed(lambda: (page.reload(), my_turn_or_end(page))) for _ in range(5)
                ])  # fmt: skip
                show(f"{game}: a click", clicks(page, random.Random(1), given.clicks))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
