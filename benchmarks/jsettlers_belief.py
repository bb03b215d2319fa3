"""How well hidden hands are predicted: `python benchmarks/jsettlers_belief.py RECORDINGS...`.

RECORDINGS are conversations with a JSettlers server, files or folders of them, of which several are
of the same games from different seats: what one seat could not see stands in another's. Scored is
what every seat holds for possible of the others' hands whenever a turn begins.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from facedown.bridges.jsettlers.scoring import Score, parts, score


def main() -> None:
    """Print the table."""
    named = [Path(word) for word in sys.argv[1:]]
    files = [
        file
        for path in named
        for file in (sorted(path.glob("*.tsv*")) if path.is_dir() else [path])
    ]
    games = parts(files)
    if not games:
        sys.exit("no game there was recorded from several seats; name files or folders of them")
    found = sum((score(one, game) for game in games for one in game), Score())
    unsure = found.hands - found.certain
    print(f"{len(games)} games, {sum(map(len, games))} seats, {found.hands:,} hands of others")
    print(f"{found.certain:,} were known for sure; {unsure:,} were not")
    print(f"held for impossible: {found.impossible}; beyond the bounds: {found.outside}")
    table = Table("what is held for likely", "log score of a hand", "of one that is not sure")
    for what, total in (
        ("all within the bounds alike", found.bounds),
        ("the belief, every discarded card alike", found.belief),
        ("the belief, every discarded resource alike", found.by_kind),
    ):
        table.add_row(what, f"{total / found.hands:.3f}", f"{total / max(unsure, 1):.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
