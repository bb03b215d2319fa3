"""A recorded game as one HTML file that works offline."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from html import escape
from typing import Any

from facedown.core import PUBLIC
from facedown.store.records import HUMAN
from facedown.table.heat import heat_map
from facedown.table.story import EVERYTHING, Story


def viewers(story: Story) -> dict[int, str]:
    """From whose seat a game can be looked at."""
    agents = story.record.agents
    seats = {
        p: f"player {p}: {'a person' if spec == HUMAN else spec}" for p, spec in enumerate(agents)
    }
    return {EVERYTHING: "everything turned up", **seats, PUBLIC: "what everyone saw"}


def html_page(story: Story, told: Callable[[float], None] = lambda share: None) -> str:
    """The page: slider, pictures from every seat, searches, beliefs over time."""
    people = [p for p, spec in enumerate(story.record.agents) if spec == HUMAN]
    believers = people or list(range(min(2, story.game.players)))
    plain = _content(story, believers, told)
    packed = base64.b64encode(zlib.compress(json.dumps(plain).encode(), 6)).decode()
    title = escape(f"{story.record.game}: a game of facedown")
    return _PAGE.replace("@TITLE@", title).replace("@DATA@", packed)


def _content(story: Story, believers: list[int], told: Callable[[float], None]) -> dict[str, Any]:
    pictures: dict[str, int] = {}
    shown = {EVERYTHING: "everything turned up"} | {
        viewer: name for viewer, name in viewers(story).items() if viewer in believers
    }
    steps = []
    for ply in range(len(story) + 1):
        drawn = {
            viewer: pictures.setdefault(
                story.picture(ply, viewer) or f"<pre>{escape(story.text(ply, viewer))}</pre>",
                len(pictures),
            )
            for viewer in shown
        }
        search = [[text, visits, mean] for text, visits, mean in story.candidates(ply)]
        steps.append({"said": story.headline(ply), "pictures": drawn, "search": search})
        told(0.5 * ply / max(1, len(story)))
    heats = {}
    for number, player in enumerate(believers):
        heats[player] = heat_map(story.heat(player), f"what player {player} could believe")
        told(0.5 + 0.5 * (number + 1) / len(believers))
    return {
        "game": story.record.game,
        "agents": list(story.record.agents),
        "payoffs": list(story.record.payoffs),
        "viewers": shown,
        **_in_pieces(list(pictures)),
        "steps": steps,
        "heats": heats,
    }


def _in_pieces(pictures: list[str]) -> dict[str, Any]:
    """Pictures as numbers of the tags that they are made of: most tags are in many pictures."""
    tags: dict[str, int] = {}
    made = [
        [tags.setdefault(tag, len(tags)) for tag in re.split("(?=<)", picture)]
        for picture in pictures
    ]
    return {"tags": list(tags), "pictures": made}


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>@TITLE@</title><style>
:root { color-scheme: light dark; --accent: #1f6f54; }
@media (prefers-color-scheme: dark) { :root { --accent: #58b894; } }
body { font-family: system-ui, sans-serif; max-width: 1000px; margin: 1rem auto; padding: 0 1rem; }
svg { width: 100%; height: auto; max-height: 70vh; } input[type=range] { width: 100%; }
.search { display: grid; grid-template-columns: auto 1fr auto; gap: .2rem .8rem; }
.search i { display: block; background: var(--accent); height: .9rem; border-radius: 4px; }
#heats { overflow-x: auto; } svg.heat { min-width: 700px; }
h1 { font-size: 1.2rem; } h2 { font-size: 1.05rem; } #said { font-weight: 600; min-height: 1.5em; }
</style></head><body>
<h1>@TITLE@</h1><p id="who"></p>
<label>Seen by <select id="viewer"></select></label>
<div id="board"></div>
<input id="ply" type="range" min="0" value="0" aria-label="ply">
<p id="said" aria-live="polite"></p><div id="search" class="search"></div><div id="heats"></div>
<script>
const packed = "@DATA@";
const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
new Response(stream).json().then(game => {
  const at = id => document.getElementById(id), slider = at('ply'), viewer = at('viewer');
  slider.max = game.steps.length - 1;
  at('who').textContent = game.agents.map((spec, p) =>
    `player ${p}: ${spec} ${game.payoffs[p] >= 0 ? '+' : ''}${game.payoffs[p]}`).join(' · ');
  for (const [number, name] of Object.entries(game.viewers)) {
    const option = document.createElement('option');
    option.value = number; option.textContent = name; viewer.append(option);
  }
  viewer.value = '-9';
  for (const [player, heat] of Object.entries(game.heats)) {
    if (!heat) continue;
    const head = document.createElement('h2'), box = document.createElement('div');
    head.textContent = `What player ${player} could believe, ply by ply (golden: it was so)`;
    box.innerHTML = heat; at('heats').append(head, box);
  }
  const show = () => {
    const step = game.steps[slider.value];
    const picture = game.pictures[step.pictures[viewer.value]];
    at('board').innerHTML = picture.map(k => game.tags[k]).join('');
    at('said').textContent = `${slider.value} of ${slider.max}: ${step.said}`;
    at('search').replaceChildren();
    const top = Math.max(1, ...step.search.map(one => one[1]));
    for (const [text, visits, mean] of step.search) {
      const name = document.createElement('span'), bar = document.createElement('i');
      const worth = document.createElement('span'), box = document.createElement('span');
      name.textContent = text; bar.style.width = `${100 * visits / top}%`;
      worth.textContent = `${visits} visits, mean ${mean.toFixed(3)}`;
      box.append(bar); at('search').append(name, box, worth);
    }
  };
  slider.oninput = viewer.onchange = show;
  document.addEventListener('keydown', event => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step && event.target !== slider && event.target !== viewer) {
      slider.value = Number(slider.value) + step; show();
    }
  });
  show();
});
</script></body></html>
"""
