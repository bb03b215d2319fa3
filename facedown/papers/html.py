"""Pages of one file: style and pictures are in it, and no network is asked for anything."""

from __future__ import annotations

import base64
import html

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfcf9; --faint: #6b6f76;
  --line: #dedbd2; --card: #ffffff;
  --agrees: #0a7d55; --differs: #b4460b; --open: #8a6d00; --none: #5b6b7c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e4df; --paper: #17181a; --faint: #9a9da3;
  --line: #34363a; --card: #1f2124; --agrees: #46c391; --differs: #f0935c; --open: #d9b84a;
  --none: #94a7bb; } img { background: #fff; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 Georgia, serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3, table, .badge, nav, .facts { font-family: system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .3rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .2rem; border-top: 3px solid var(--ink);
  padding-top: .6rem; }
h3 { font-size: 1.05rem; margin: 0 0 .4rem; }
p { margin: .6rem 0; overflow-wrap: anywhere; }
a { color: inherit; }
code { font-size: .84em; overflow-wrap: anywhere; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem; margin: 1rem 0; }
.scroll { overflow-x: auto; margin: .8rem 0; background:
  linear-gradient(to right, var(--under), transparent 2rem) local,
  linear-gradient(to left, var(--under), transparent 2rem) right local,
  linear-gradient(to right, var(--line), transparent .8rem),
  linear-gradient(to left, var(--line), transparent .8rem) right; background-repeat: no-repeat; }
.scroll { --under: var(--card); } nav.scroll { --under: var(--paper); }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; }
th { font-weight: 600; color: var(--faint); white-space: normal; vertical-align: bottom; }
td[style*=right], th[style*=right] { text-align: right; }
nav td:nth-child(2), nav td:nth-child(1) { white-space: normal; }
img { max-width: 100%; height: auto; border-radius: 6px; }
.facts { color: var(--faint); font-size: .82rem; margin: 0 0 .6rem; }
.badge { display: inline-block; border: 1.5px solid; border-radius: 99px; padding: 0 .6rem;
  font-size: .78rem; font-weight: 600; white-space: nowrap; }
.agrees { color: var(--agrees); } .differs { color: var(--differs); } .open { color: var(--open); }
.none, .missing { color: var(--none); }
summary { cursor: pointer; font: 600 .85rem system-ui, sans-serif; color: var(--faint); }
"""


def document(title: str, body: str) -> str:
    """A whole page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def picture(png: bytes, alt: str) -> str:
    """A picture in the page itself."""
    data, words = base64.b64encode(png).decode(), html.escape(alt, quote=True)
    return f'<p><img alt="{words}" src="data:image/png;base64,{data}"></p>'
