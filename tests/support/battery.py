"""Fixed searches on fixed seeds, and what became of them, as plain data.

`python tests/support/battery.py [ITERATIONS]` prints the digests of a short battery and the
signatures, whatever Numba's switches are; with `--golden` it writes the golden files anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from facedown.agents.registry import make_agent
from facedown.belief.listed import ListedBelief
from facedown.belief.pool import Pool
from facedown.core import PUBLIC, Game, Position, Stream
from facedown.games.registry import GAMES
from facedown.search.budget import Budget
from facedown.search.recipe import (
    BUCKETS,
    Growth,
    Identity,
    Labels,
    Playout,
    Recipe,
    Smooth,
    Worlds,
)
from facedown.search.search import Search
from facedown.search.thread import Phase
from support import TESTS, settlers_search
from support.playing import SHORT
from support.table_games import ROOTS, begun, fresh, game, root

GOLDEN = TESTS / "search" / "golden"
BANDITS: dict[str, dict[str, Any]] = {
    "ucb1": {},
    "ucb-tuned": {"bandit": "ucb-tuned"},
    "puct": {"bandit": "puct", "c": 2.0},
    "uniform": {"bandit": "uniform"},
    "smooth": {"smooth": Smooth(0.9, 0.1, 0.1)},
}
GOLDEN_ROOTS = ("kuhn", "leduc", "buckets", "cheat")
SETTLERS, POMCP = "settlers", ("pomcp", "pomcp-ts-cr", "pomcp-nn", "pomcp-mo")
GOLDEN_FILES = (*GOLDEN_ROOTS, SETTLERS)


def identities(name: str) -> list[Identity]:
    """The identities that a root is searched with: buckets where the game has them."""
    exact = [identity for identity in Identity if identity not in BUCKETS]
    return [Identity.BUCKET] if name in ("buckets", "cheat") else exact


def golden_cases(name: str) -> Iterator[tuple[str, Recipe]]:
    """Every identity with every bandit, and with every growth; what an agent has of them all."""
    for identity in identities(name):
        for bandit, options in BANDITS.items():
            yield f"{identity.name.lower()} {bandit}", Recipe(identity=identity, **options)
        for growth in (Growth.NODE, Growth.PLAYER):
            yield f"{identity.name.lower()} {growth.name.lower()}", Recipe(identity, growth=growth)
    if name == "cheat":  # roots by label, supposed; smooth; player growth; informed, discounted
        agent: Any = make_agent("mga", game("cheat"), root("cheat")[2], 0)
        yield "mga", agent.recipe


def short_cases(name: str) -> Iterator[tuple[str, Recipe]]:
    """Every identity with every growth, the bandits in turn; and what else the kernel can do."""
    options = list(BANDITS.items())
    for k, identity in enumerate(identities(name)):
        for growth in Growth:
            bandit, more = options[(3 * k + growth) % len(options)]
            label = f"{identity.name.lower()} {growth.name.lower()} {bandit}"
            yield label, Recipe(identity=identity, growth=growth, **more)
    sampled = Recipe(Identity.FULL, worlds=Worlds.IN_TURN, samples=5, labels=Labels.TREE)
    yield "sampled", sampled
    yield "frozen", Recipe(Identity.MULTI, frozen=(1,), growth=Growth.PLAYER)
    yield "raw", Recipe(scaled=False, c=3.0, playout=Playout(discount=0.9, depth=2))


def run(name: str, recipe: Recipe, iterations: int, **options: Any) -> Search:
    """A search from a root; a plain game is new, for it numbers moves in the order of meeting."""
    g = root(name)[0]
    g = g if g.compiled else fresh(g.spec)
    search, _ = begun(name, recipe, seed=5, game=g, **options)
    return search.run(Budget(iterations))


def phased(name: str, iterations: int, frozen: bool) -> Search:
    """A many-tree search of two phases: from what the public knows, then from the searcher's view.

    Everybody's sight is counted; in the second phase the others may be frozen.
    """
    recipe = Recipe(Identity.MANY, bandit="ucb-tuned", c=1.0)
    g, truth, me = root(name, fresh(ROOTS[name][0]))
    search, _ = begun(name, recipe, seed=5, game=g, pool=pool_of(truth.view(PUBLIC), PUBLIC))
    others = tuple(p for p in range(g.players) if p != me) if frozen else ()
    for phase in (
        Phase(pool_of(truth.view(PUBLIC), PUBLIC), PUBLIC, (), (me, PUBLIC)),
        Phase(pool_of(truth.view(me), me), me, others, (me,)),
    ):
        search.enter(phase).run(Budget(iterations // 2))
    return search


def pool_of(view: Position, viewer: int) -> Pool:
    """The listed worlds that a view leaves possible."""
    return ListedBelief(view.game, viewer).meet(view)


def tallies(search: Search) -> str:
    """A digest of all tallies."""
    tables = [thread.tallies.table for thread in search.threads]
    rows = sorted(row.tolist() for table in tables for row in table[table["key"] != 0])
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def digest(search: Search) -> str:
    """A digest of the whole tree; totals to nine places."""
    rounded = [
        (key, visits, [(*counts, round(total, 9) + 0.0) for *counts, total in edges])
        for key, visits, edges in search.dump()
    ]
    return hashlib.sha256(repr(rounded).encode()).hexdigest()[:16]


def excerpt(search: Search) -> dict[str, Any]:
    """What a reader can judge: the size of the tree, the candidates, the line."""
    report = search.report()
    candidates = {
        c.text: f"{c.visits:.0f} of {c.available:.0f}, mean {c.mean:+.6f}"
        for c in report.candidates
    }
    return {
        "digest": digest(search),
        "nodes": report.nodes,
        "plies": report.plies,
        "candidates": candidates,
        "line": ", ".join(search.line()),
    }


def visited(search: Search) -> dict[str, Any]:
    """An excerpt with the moves alone that were tried: of hundreds that are legal few are."""
    found = excerpt(search)
    tried = {text: said for text, said in found["candidates"].items() if said[:2] != "0 "}
    return {**found, "candidates": tried}


def golden(name: str) -> dict[str, Any]:
    """The golden trees of one root, with phases where the game lists its worlds.

    Settlers has those of some agents: worlds of its belief, memos, kinds, preferences, a network.
    """
    if name == SETTLERS:
        return {agent: visited(settlers_search.searched(agent, 300)) for agent in POMCP}
    found = {label: excerpt(run(name, recipe, 200)) for label, recipe in golden_cases(name)}
    if root(name)[0].worlds:
        for label in ("split", "twostep"):
            search = phased(name, 400, label == "twostep")
            found[f"many {label}"] = {**excerpt(search), "tallies": tallies(search)}
    return found


def first_decision(g: Game) -> Position:
    """The first position in which a player acts, chance having drawn by a fixed stream."""
    stream, position = Stream(1), g.start()
    while position.turn() < 0:
        position.apply(position.draw(stream))
    return position


def signature(name: str, iterations: int = 200) -> dict[str, Any]:
    """What one bench search of a registered game did: the same on every machine."""
    g = game(SHORT.get(name, name))
    truth = first_decision(g)
    player = truth.turn()
    search = Search(g, Recipe(), truth.view(player), player, truth.legal(), 1)
    report = search.run(Budget(iterations)).report()
    return {
        "iterations": report.iterations,
        "nodes": report.nodes,
        "plies": report.plies,
        "playout plies": report.playout_plies,
        "visits": [int(candidate.visits) for candidate in report.candidates],
        "digest": digest(search),
    }


def reserved(name: str) -> Search:
    """A search whose tables grow in the middle."""
    search = run(name, Recipe(Identity.MULTI), 20)
    search.threads[0].tables.reserve(1024, 1024, 256)
    return search.run(Budget(20))


def battery(iterations: int = 40) -> dict[str, Any]:
    """Digests of short searches with all that the kernel can do, and the signatures.

    Each has so many iterations, signatures five times as many.
    """
    found = {
        f"{name} {label}": digest(run(name, recipe, iterations))
        for name in GOLDEN_ROOTS
        for label, recipe in short_cases(name)
    }
    found["two threads"] = digest(run("leduc", Recipe(Identity.MULTI), 60, threads=2))
    found["grown"] = digest(reserved("leduc"))
    for name in ("kuhn", "moles"):
        for frozen in (False, True):
            search = phased(name, 60, frozen)
            found[f"phased {name} {frozen}"] = f"{digest(search)} {tallies(search)}"
    signatures = {name: signature(name, 5 * iterations) for name in GAMES}
    return {"trees": found, "signatures": signatures}


def write(file: Path, data: dict[str, Any]) -> None:
    """Write a golden file, whole or not at all."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps(data, indent=1) + "\n")
    os.replace(part, file)


def write_golden() -> None:
    """Write all golden files anew."""
    GOLDEN.mkdir(exist_ok=True)
    for name in GOLDEN_FILES:
        write(GOLDEN / f"{name}.json", golden(name))
    write(GOLDEN / "signatures.json", {name: signature(name) for name in GAMES})


if __name__ == "__main__":
    if "--golden" in sys.argv:
        write_golden()
    else:
        print(json.dumps(battery(*map(int, sys.argv[1:]))))
