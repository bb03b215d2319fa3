"""What MkDocs does not do by itself: equations, source beside them, files from beside the docs.

Equations (`$$ ... $$`, `$...$`) become MathML, which browsers draw without a script. A line
`::: source FILE NAME` becomes the source of a function or class of the package. Links that lead out
of docs/ to an example or to the changelog lead to a copy in the site.
"""

from __future__ import annotations

import ast
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^(```|~~~).*?^\1 *$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`[^`\n]+`")
SOURCE = re.compile(r"^::: source (?P<file>\S+) (?P<name>\S+)$", re.MULTILINE)
DISPLAYED = re.compile(r"^\$\$(?P<tex>.*?)\$\$$", re.DOTALL | re.MULTILINE)
IN_TEXT = re.compile(r"\$(?P<tex>[^$\n]+)\$")
OUTSIDE = re.compile(r"\]\((?P<up>(?:\.\./)+)(?P<path>examples/[^)]+|CHANGELOG\.md)\)")


def on_files(files: Any, config: Any) -> Any:
    """The examples, and the changelog as a page, beside the documents."""
    from mkdocs.structure.files import File

    for example in sorted((ROOT / "examples").glob("*")):
        if example.is_file():
            uri = f"examples/{example.name}"
            files.append(File.generated(config, uri, abs_src_path=str(example)))
    changes = (ROOT / "CHANGELOG.md").read_text().replace("](docs/", "](")
    files.append(File.generated(config, "changes.md", content=changes))
    files.append(File.generated(config, "results/index.md", content=results()))
    return files


def results() -> str:
    """The page that lists what was measured: the reports, and each paper's exhibits."""
    folder = ROOT / "docs" / "results"
    lines = ["# What was measured", "", "Reports, in words:", ""]
    lines += [f"- [{title(page)}]({page.name})" for page in sorted(folder.glob("*.md"))]
    for paper in sorted(one for one in folder.iterdir() if one.is_dir()):
        pages = sorted(paper.glob("*.md"))
        if pages:
            lines += ["", f"`facedown paper {paper.name}`:", ""]
            lines += [f"- [{title(page)}]({paper.name}/{page.name})" for page in pages]
    return "\n".join(lines) + "\n"


def title(page: Path) -> str:
    """The heading of a page."""
    return page.read_text().partition("\n")[0].removeprefix("# ")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A page with its sources shown, its equations drawn and its links turned."""
    folder = posixpath.dirname(page.file.src_uri)
    return in_text(turned(shown(markdown), folder), drawn)


def shown(markdown: str) -> str:
    """`::: source FILE NAME` as a block of code."""
    return SOURCE.sub(lambda found: block(found["file"], found["name"]), markdown)


def block(file: str, name: str) -> str:
    """The source of `name` as a block that says where it is from."""
    return f'```python title="{file}"\n{source(file, name)}\n```'


def source(file: str, name: str) -> str:
    """The text of a function, a class or a method (`Class.method`) of a file of the package."""
    text = (ROOT / file).read_text()
    body: list[ast.stmt] = ast.parse(text).body
    found: Any = None
    for part in name.split("."):
        kinds = (ast.FunctionDef, ast.ClassDef)
        found = next((one for one in body if isinstance(one, kinds) and one.name == part), None)
        if found is None:
            raise ValueError(f"{file} has no {name}")
        body = found.body
    first = min([found.lineno, *(one.lineno for one in found.decorator_list)])
    lines = text.splitlines()[first - 1 : found.end_lineno]
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines)


def turned(markdown: str, folder: str) -> str:
    """Links to examples and to the changelog, as the site has them."""

    def turn(found: re.Match[str]) -> str:
        path = "changes.md" if found["path"] == "CHANGELOG.md" else found["path"]
        return f"]({posixpath.relpath(path, folder or '.')})"

    return OUTSIDE.sub(turn, markdown)


def in_text(markdown: str, change: Any) -> str:
    """Change a page but for its blocks and words of code."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{len(kept) - 1}\0"

    bare = INLINE.sub(keep, FENCED.sub(keep, markdown))
    text = change(bare)
    while "\0" in text:
        text = re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)
    return text


def drawn(text: str) -> str:
    """Equations as MathML; ValueError for a command that would be shown as it stands."""
    if "$" not in text:
        return text
    from latex2mathml.converter import convert as converted

    def convert(tex: str, display: str = "inline") -> str:
        found: str = converted(tex, display=display)
        if "\\" in found:
            raise ValueError(f"an equation has a command that MathML is not made of: {tex}")
        return found

    def display(found: re.Match[str]) -> str:
        return f"<div class='equation'>{convert(found['tex'].strip(), display='block')}</div>\n"

    def within(found: re.Match[str]) -> str:  # in a span: Markdown takes `<math>` for a block
        return f"<span>{convert(found['tex'])}</span>"

    return IN_TEXT.sub(within, DISPLAYED.sub(display, text))
