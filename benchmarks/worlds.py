"""Worlds without a sampler: `python benchmarks/worlds.py [cost|cribbage|quality|speed|wins] [N]`.

cost: states that a bag visits for a player's last decision, late in a game, and in all updates from
the start on, beside what rejection sampling visits for as many worlds there: it starts again from
the root whenever a token differs. Where it reaches its limit its figure is a lower bound.
cribbage: models on line at ply 40, of 50 with 10,000 states in an update, with repairs and without.
quality: the marginals of what is hidden, by a bag and by the game's own sampler, total variation;
the distance between two halves of the sampler's own draws is what chance alone gives.
speed: iterations a second of so-ismcts in Love Letter with a sampler and without one, CPU time.
wins: matches of so-ismcts with worlds of a bag against the same with the game's sampler.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from facedown.agents.registry import make_agent
from facedown.arena.match import run_match
from facedown.belief.hyperplay import Bag
from facedown.core import CHANCE, OVER, PUBLIC, Game, Position, Stream
from facedown.core.plain import adapt
from facedown.games.registry import load_game

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from love_letter import COPIES, UNSEEN, LoveLetter
from love_letter import Position as Letter

LATE = {"leduc": (7, 11), "liars-dice": (8, 40), "phantom-ttt": (13, 30), "cribbage": (20, 40)}
"""Games, and from which ply to which it is late."""

MODELS, LIMIT = 50, 10_000
MOST = 1_000_000  # states that rejection may visit for one world


class Sampled(LoveLetter):
    """The same with a sampler, which deals what is not seen."""

    def determinize(self, s: Letter, viewer: int, stream: Stream) -> Letter:
        left = list(COPIES)
        for card in (*s.shown, *s.hands, s.drawn, s.aside):
            left[card] -= card > UNSEEN
        for entry in s.log:
            left[entry[1]] -= 1
            left[entry[5]] -= entry[5] > UNSEEN
        unseen = [card for card, n in enumerate(left) for _ in range(n)]
        stream.shuffle(unseen)
        hands = tuple(unseen.pop() if card == UNSEEN else card for card in s.hands)
        drawn = unseen.pop() if s.drawn == UNSEEN else s.drawn
        aside = unseen.pop() if s.aside == UNSEEN else s.aside
        rest = tuple(unseen.count(card) for card in range(len(COPIES)))
        return s._replace(hands=hands, drawn=drawn, aside=aside, left=rest)


def random_game(game: Game, viewer: int, seed: int) -> Iterator[tuple[Position, list[int]]]:
    """A random game after each of its moves: the position, and the viewer's tokens so far."""
    position, stream, tokens = game.start(), Stream(seed), list[int]()
    while (turn := position.turn()) != OVER:
        move = position.draw(stream) if turn == CHANCE else stream.choice(position.legal())
        if token := position.sees(move, viewer):
            tokens.append(token)
        position.apply(move)
        yield position, tokens


def rejection(game: Game, viewer: int, tokens: list[int], stream: Stream) -> int:
    """States that a sampler visits which starts again whenever a token differs; at most MOST."""
    states, seen, position = 0, 0, game.start()
    while seen < len(tokens) and states < MOST:
        turn, legal = position.turn(), position.legal() if position.turn() != OVER else []
        if turn == viewer:
            own = [m for m in legal if position.sees(m, viewer) == tokens[seen]]
            move = own[0] if own else legal[0]
        elif turn == OVER:
            position, seen = game.start(), 0
            continue
        else:
            move = position.draw(stream) if turn == CHANCE else stream.choice(legal)
        states += 1
        token = position.sees(move, viewer)
        if token and token != tokens[seen]:
            position, seen = game.start(), 0
            continue
        position.apply(move)
        seen += bool(token)
    return states


def cost(games: int) -> None:
    for spec, (least, most) in LATE.items():
        game, stream, seed = load_game(spec), Stream(1), 0
        late, whole, theirs, bounded = list[float](), list[float](), list[float](), 0
        while len(late) < games:
            seed += 1
            ply = _last_decision(game, seed, most)
            if ply < least:
                continue
            bag, last = _followed(game, seed, ply)
            if bag.active:
                sampled = [rejection(game, 0, bag.observed, stream)]
                if sampled[0] < MOST:
                    sampled += [rejection(game, 0, bag.observed, stream) for _ in range(2)]
                late.append((bag.states - last) / bag.active)
                whole.append(bag.states / bag.active)
                theirs.append(sum(sampled) / len(sampled))
                bounded += sampled[0] >= MOST
        cut = f" (at least: cut short at {bounded} of {games})" if bounded else ""
        means = [statistics.mean(states) for states in (late, whole, theirs)]
        print(
            f"{spec}: {games} decisions, {means[0]:,.1f} states a world, {means[1]:,.1f} since the "
            f"start; rejection {means[2]:,.0f}{cut}: {means[2] / means[0]:,.1f} times, "
            f"{means[2] / means[1]:,.1f} times"
        )


def _followed(game: Game, seed: int, plies: int) -> tuple[Bag, int]:
    """A bag at a ply of a random game, asked at every decision; its states before the last one."""
    bag = Bag(game, 0, MODELS, seed, limit=LIMIT, repairs=True, weigh="distinct")
    before = 0
    for _ply, (position, tokens) in zip(range(plies), random_game(game, 0, seed), strict=False):
        for token in tokens[len(bag.observed) :]:
            bag.observe(token)
        if position.turn() == 0:
            before = bag.states
            bag.update()
    return bag, before


def _last_decision(game: Game, seed: int, most: int) -> int:
    """The plies before the last decision of player 0 in a random game, within so many."""
    plies = [ply for ply, (p, _) in enumerate(random_game(game, 0, seed), 1) if p.turn() == 0]
    return max((ply for ply in plies if ply <= most), default=1)


def cribbage(games: int) -> None:
    game = load_game("cribbage")
    for repairs in (True, False):
        active, states = [], []
        for seed in range(games):
            bag, fed = Bag(game, 0, MODELS, seed, limit=LIMIT, repairs=repairs), 0
            for _, (_position, tokens) in zip(range(40), random_game(game, 0, seed), strict=False):
                for token in tokens[fed:]:
                    bag.observe(token)
                if len(tokens) > fed:
                    fed = len(tokens)
                    bag.update()
            active.append(bag.active)
            states.append(bag.states)
        share = sum(active) / (MODELS * games)
        print(
            f"repairs {repairs}: {share:.1%} on line at ply 40 ({sorted(active)}), "
            f"{statistics.median(states) / MODELS:,.0f} states a model in all (median)"
        )


def parts(world: Position) -> list[str]:
    """What a world holds that player 0 cannot see, part by part; in Cribbage the other's cards."""
    if world.game.name == "cribbage":
        record = world.record
        hidden = {place: int(record[place][1]) for place in ("held", "thrown")}
        return [
            f"{place} {k}" for place, bits in hidden.items() for k in range(52) if bits >> k & 1
        ]
    return [part.strip() for part in world.hidden_text(0).split(",")]


def apart(one: Counter[str], other: Counter[str]) -> float:
    """Total variation, where both are shares of each part; over the parts, halved."""
    whole = sum(one.values()), sum(other.values())
    found = set(one) | set(other)
    return sum(abs(one[k] / whole[0] - other[k] / whole[1]) for k in found) / 2


def quality(games: int) -> None:
    for spec in ("kuhn", "leduc", "liars-dice", "phantom-ttt", "cribbage", "resistance"):
        game, stream = load_game(spec), Stream(9)
        by_bag, by_chance = list[float](), list[float]()
        for seed in range(games):
            bag, fed = Bag(game, 0, 400, seed, limit=LIMIT, repairs=True), 0
            for ply, (position, tokens) in enumerate(random_game(game, 0, seed)):
                for token in tokens[fed:]:
                    bag.observe(token)
                fed = len(tokens)
                if position.turn() != 0 or ply > 26:
                    continue
                bag.update()
                if not bag.active:
                    continue
                found, drawn = Counter[str](), [Counter[str](), Counter[str]()]
                pool = bag.held()
                for k, weight in enumerate(pool.weights.tolist()):
                    for part in parts(pool.position(k)):
                        found[part] += weight
                for k in range(800):
                    world = position.view(0)
                    world.determinize(0, stream)
                    drawn[k % 2].update(parts(world))
                if not found:  # nothing is hidden yet
                    continue
                by_bag.append(apart(found, drawn[0] + drawn[1]))
                by_chance.append(apart(drawn[0], drawn[1]))
        print(
            f"{spec}: total variation {statistics.mean(by_bag):.3f} (bag of 400 and 800 draws), "
            f"{statistics.mean(by_chance):.3f} (400 and 400 draws), {len(by_bag)} positions"
        )


def pace(game: Game, games: int) -> float:
    """Iterations a second of CPU time of so-ismcts in every seat."""
    iterations, took = 0, 0.0
    for seed in range(games):
        agents = [make_agent("so-ismcts", game, p, 7 * seed + p) for p in range(game.players)]
        position, stream = game.start(), Stream(seed)
        while (turn := position.turn()) != OVER:
            if turn == CHANCE:
                move = position.draw(stream)
            else:
                view, legal = position.offer(turn)
                began = time.process_time()
                move = agents[turn].choose(view, legal)
                took += time.process_time() - began
                iterations += 1000
            for agent in agents:
                if token := position.sees(move, agent.player):
                    agent.observe(token, "")
                if token := position.sees(move, PUBLIC):
                    agent.overhear(token)
            position.apply(move)
    return iterations / took


def speed(games: int) -> None:
    for players in (2, 3, 4):
        pair: list[tuple[str, Any]] = [("sampler", Sampled), ("bag", LoveLetter)]
        made = {name: adapt(kind(players), f"{name}.py:LoveLetter") for name, kind in pair}
        rounds = [{name: pace(game, games) for name, game in made.items()} for _ in range(3)]
        best = {name: max(one[name] for one in rounds) for name in made}
        ratio = statistics.median(one["bag"] / one["sampler"] for one in rounds)
        print(
            f"Love Letter, {players} players: {best['sampler']:,.0f} iterations a second with a "
            f"sampler, {best['bag']:,.0f} with a bag; {ratio:.2f} (median of 3 rounds)"
        )


def wins(games: int) -> None:
    for spec in ("leduc", "liars-dice", "phantom-ttt", "cribbage"):
        pair = ["so-ismcts:belief=hyperplay,iterations=1000", "so-ismcts:iterations=1000"]
        result = run_match(spec, pair, games=games, seed=3)
        ours = result.agents[0]
        print(
            f"{spec}: bag against sampler, {games} games: {ours.win_rate:.1%} "
            f"({ours.low:.1%} to {ours.high:.1%}), mean payoff {ours.mean_payoff:+.3f}"
        )


MODES = {"cost": cost, "cribbage": cribbage, "quality": quality, "speed": speed, "wins": wins}

if __name__ == "__main__":
    mode = sys.argv[1] if len(sys.argv) > 1 else "cost"
    number = int(sys.argv[2]) if len(sys.argv) > 2 else {"wins": 200, "speed": 3}.get(mode, 10)
    MODES[mode](number)
