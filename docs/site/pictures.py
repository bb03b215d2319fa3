"""The pictures of the pages on algorithms, from real searches: `python docs/site/pictures.py`.

Each is what the player of its page found in one position, by fixed seeds. Wants the extra `plots`.
"""

from __future__ import annotations

from pathlib import Path

import facedown

FOLDER = Path(__file__).resolve().parents[1] / "algorithms"
LEDUC = ("deal J", "deal K", "call", "call", "deal Q", "raise")
VOTES = {"+": "approve", "-": "reject"}
RESISTANCE = (  # as in `facedown demo`: 1 and 3 are the spies, and player 4 is asked
    *("spies 1 3", "team 0 1", *map(VOTES.get, "++-+-"), "success", "fail"),
    *("team 1 2 4", *map(VOTES.get, "-+-++"), "fail", "success", "success"),
    *("team 0 2", *map(VOTES.get, "+-+-")),
)


def tree(name: str, agent: str, game: str, *moves: str) -> None:
    """The tree of a search, as far as it is easy to look at."""
    truth = facedown.load_game(game).start()
    for move in moves:
        truth.apply(move)
    report = facedown.analyse(truth.view(truth.turn()), f"{agent}:iterations=5000", seed=1)
    (FOLDER / f"{name}.svg").write_text(report.tree().to_svg(depth=3, most=3))


def bars(name: str, found: object) -> None:
    """A report or beliefs as bars."""
    import matplotlib as mpl

    mpl.rcParams["svg.hashsalt"] = "facedown"
    figure = facedown.plot(found)
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")


def inferred(name: str) -> None:
    """What an agent that infers believes about who the spies are."""
    game = facedown.load_game("resistance")
    agent = facedown.make_agent("mt-ismcts:iterations=20000", game, 4, 1)
    view, legal = facedown.retell(agent, RESISTANCE).offer(4)
    agent.choose(view, legal)
    bars(name, facedown.inferred(agent, view))


def modelled(name: str) -> None:
    """What a bag of models leaves for possible, in a game without a sampler."""
    game = facedown.load_game("leduc")
    agent = facedown.make_agent("hyperplay:models=500", game, 1, 1)
    position = facedown.retell(agent, LEDUC)
    bars(name, facedown.inferred(agent, position.view(1)))


def asked(name: str, spec: str, game: str, decisions: int) -> None:
    """What an agent finds that is told all that it sees, after so many decisions at random."""
    known, stream = facedown.load_game(game), facedown.Stream(1)
    agents = [facedown.make_agent(spec, known, player, 1) for player in range(known.players)]
    position = known.start()
    while decisions or position.turn() == facedown.CHANCE:
        chance = position.turn() == facedown.CHANCE
        move = position.draw(stream) if chance else stream.choice(position.legal())
        decisions -= not chance
        seen = [position.sees(move, player) for player in range(known.players)]
        position.play(move)
        for player, token in enumerate(seen):
            if token:
                agents[player].observe(token, known.text.observation_text(token, player))
    agent = agents[position.turn()]
    agent.choose(*position.offer(agent.player))
    bars(name, agent.report())


def main() -> None:
    """Make them all."""
    leduc = ("leduc", "deal J", "deal K", "call")
    tree("determinized-uct", "determinized-uct", *leduc)
    tree("so-ismcts", "so-ismcts", *leduc)
    tree("smooth-uct", "smooth-uct", *leduc)
    inferred("mt-ismcts")
    modelled("hyperplay")
    asked("oos", "oos:iterations=20000", "kuhn", decisions=1)
    asked("sdmcts", "mga:iterations=5000", "cheat", decisions=1)
    asked("pomcp", "pomcp-ts-cr:iterations=2000", "settlers", decisions=8)


if __name__ == "__main__":
    main()
