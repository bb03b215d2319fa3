"""Laws of moves: what is legal, what is chance, what a game is worth, what a move is called."""

from __future__ import annotations

import math
from collections.abc import Iterator

from facedown.core import CHANCE, OVER, from_text, to_text
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, Recall, SkippedError, Step
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.probes import (
    chances,
    move_name,
    number_text,
    raw_horizon,
    raw_legal,
    raw_payoff,
    raw_weights,
)
from facedown.laws.statistics import fits
from facedown.laws.stories import MOST_CANDIDATES, located

_DRAWS = 200


@law(
    "legal", "There are legal moves until the game is over, each once, in range, and each applies."
)
def legal_moves(lab: Lab) -> Iterator[Violation]:
    """Look at `turn` and `legal`, and apply every legal move to a copy."""
    for step in lab.steps():
        lab.look()
        if step.turn == OVER:
            continue
        if not CHANCE <= step.turn < lab.game.players:
            players = lab.game.players - 1
            yield lab.broken(f"turn gives {step.turn}: a player 0 to {players}, -1 or -2 is wanted")
            continue
        n, moves = raw_legal(step.position)
        fault = _fault(lab, n, moves)
        if fault:
            yield lab.broken(f"legal {fault}")
        else:
            _apply_all(lab, step, moves)


def _fault(lab: Lab, n: int, moves: list[int]) -> str:
    game = lab.game
    if n <= 0:
        return "gives no move, and the game is not over"
    if n > game.most_moves:
        return f"gives {n} moves, most_moves is {game.most_moves}"
    if len(set(moves)) < len(moves):
        seen: set[int] = set()
        twice = next(move for move in moves if move in seen or seen.add(move))  # type: ignore[func-returns-value]
        return f"lists {move_name(game, twice)} more than once"
    outside = [move for move in moves if not 0 <= move < game.moves]
    return f"gives move {outside[0]}: 0 to {game.moves - 1} is wanted" if outside else ""


def _apply_all(lab: Lab, step: Step, moves: list[int]) -> None:
    """Play each legal move on a copy: a rule that raises there is found by whoever runs the law."""
    if len(moves) > MOST_CANDIDATES:
        lab.stream(step.ref[1]).shuffle(moves)
    for move in moves[:MOST_CANDIDATES]:
        after = step.position.copy()
        with located(lab.game, (*lab.moves(step.ref), move)):
            after.play(move)
            after.turn()


@law("weights", "Chance's weights are positive and finite, one for each outcome.", needs=("legal",))
def weights(lab: Lab) -> Iterator[Violation]:
    """Look at the weights wherever chance acts."""
    wants(lab, "weights")
    for step in lab.steps():
        if step.turn != CHANCE:
            continue
        lab.look()
        fault = weights_fault(raw_weights(step.position), len(step.legal))
        if fault:
            yield lab.broken(fault)


def weights_fault(given: list[float], wanted: int) -> str:
    """What is wrong with the weights of so many outcomes; "" if nothing."""
    if len(given) != wanted:
        return f"{len(given)} weights for {wanted} outcomes of chance"
    bad = [weight for weight in given if not (math.isfinite(weight) and weight > 0)]
    return f"a weight of chance is {number_text(bad[0])}" if bad else ""


@law("draw", "draw gives what legal lists, as often as the weights say.", needs=FOUNDATION)
def draw(lab: Lab) -> Iterator[Violation]:
    """Draw many times wherever chance acts; compare with the weights."""
    wants(lab, "draw")
    for step in lab.steps():
        if step.turn != CHANCE:
            continue
        lab.look()
        stream = lab.stream(step.ref[1])
        drawn = [step.position.draw(stream) for _ in range(_DRAWS)]
        if strange := [move for move in drawn if move not in step.legal]:
            yield lab.broken(f"draw gives {move_name(lab.game, strange[0])}, not listed by legal")
            continue
        expected = dict(zip(step.legal, chances(step.position, step.legal), strict=True))
        counts = {move: drawn.count(move) for move in expected}
        if not fits(counts, expected, 1e-9):
            yield lab.broken(f"draw does not follow the weights: {_frequencies(lab, counts)}")


def _frequencies(lab: Lab, counts: dict[int, int]) -> str:
    parts = [f"{move_name(lab.game, move)} {n} times" for move, n in list(counts.items())[:6]]
    return f"{', '.join(parts)} of {_DRAWS}"


@law("ends", "Every game ends within most_plies moves.")
def ends(lab: Lab) -> Iterator[Violation]:
    """Look at the length of the random games."""
    for number, story in enumerate(lab.stories):
        lab.here = (number, 0)
        lab.look()
        if story.cut and len(story.moves) >= lab.game.most_plies:
            first = story.moves[:12]
            what = f"the game is not over after {len(story.moves)} moves (most_plies), which begin"
            yield lab.broken(what, first)


@law("payoffs", "At the end each player gets one finite payoff within bounds.")
def payoffs(lab: Lab) -> Iterator[Violation]:
    """Look at the payoffs of the random games."""
    for number, story in enumerate(lab.stories):
        if not story.ended:
            continue
        lab.look()
        ref = (number, len(story.moves))
        position = lab.position(ref)
        lab.here = ref
        fault = values_fault(raw_payoff(position), lab.game.players, lab.game.bounds)
        if fault:
            yield lab.broken(f"payoff {fault}")


def values_fault(values: list[float], players: int, bounds: tuple[float, float]) -> str:
    """What is wrong with values that should be one a player and within bounds; "" if nothing."""
    low, high = bounds
    if len(values) != players:
        return f"fills in {len(values)} numbers for {players} players"
    for player, value in enumerate(values):
        if not math.isfinite(value):
            return f"of player {player} is {value}"
        if not low <= value <= high:
            limits = f"{number_text(low)} to {number_text(high)}"
            return f"of player {player} is {number_text(value)}, outside the bounds {limits}"
    return ""


@law("horizon", "Where a search may stop, the values lie within horizon_bounds.")
def horizon(lab: Lab) -> Iterator[Violation]:
    """Look at the values of every horizon met, by the game's rule and its variants."""
    wants(lab, "horizon")
    game = lab.game
    ranges = {"horizon": game.horizon_bounds}
    for name in game.variants("horizon"):
        ranges[f"horizon:{name}"] = game.horizon_range(name)
    for step in lab.steps():
        for rule, limits in ranges.items():
            values = raw_horizon(step.position, rule)
            if values is None:
                continue
            lab.look()
            fault = values_fault(values, game.players, limits)
            if fault:
                yield lab.broken(f"{rule} {fault}")


@law("own-token", "The mover's own token determines the move, in every position.", needs=FOUNDATION)
def own_token(lab: Lab) -> Iterator[Violation]:
    """One token of one player never stands for two different moves of his."""
    recall = Recall()
    for step in lab.steps(twins=True):
        if step.turn < 0:
            continue
        for move in step.legal[:MOST_CANDIDATES]:
            lab.look()
            token = step.position.sees(move, step.turn)
            name, who = move_name(lab.game, move), viewer_name(step.turn)
            key = (step.turn, token)
            before = recall.clash(key, move, step.ref)
            if before is not None:
                other = move_name(lab.game, recall.get(key))
                what = (
                    f"{who} gets the same token for his moves {name} (here) and {other} (after "
                    f"{lab.tell(before)}): a move must mean the same everywhere, "
                    "never an index into a hand"
                )
                yield lab.broken(what, viewer=step.turn)


@law("tokens", "`tokens` tells everyone what `sees` does.")
def all_tokens(lab: Lab) -> Iterator[Violation]:
    """Compare the one call with the many."""
    wants(lab, "tokens")
    for step in lab.steps():
        for move in step.legal[:MOST_CANDIDATES]:
            lab.look()
            told = step.position.tokens(move)
            for viewer, token in zip(lab.viewers, told, strict=True):
                seen = step.position.sees(move, viewer)
                if seen != token:
                    what = f"tokens gives {viewer_name(viewer)} {token} where sees gives {seen}"
                    yield lab.broken(what, viewer=viewer)


@law("move-text", "The legal moves of a position have different texts, which parse back.")
def move_text(lab: Lab) -> Iterator[Violation]:
    """Write and read back every legal move."""
    for step in lab.steps():
        for move in step.legal:
            lab.look()
            text = lab.game.move_text(move)
            back = lab.game.parse_move(text, step.legal)
            if back != move:
                numbers = f"moves {min(back, move)} and {max(back, move)}"
                yield lab.broken(f"{numbers} are both written {text!r}")


@law("view-text", "A view written as text reads back as the same view.")
def view_text(lab: Lab) -> Iterator[Violation]:
    """Write and read back every view of a compiled game; show it in the game's own words too."""
    for step in lab.steps():
        for viewer in lab.viewers:
            lab.look()
            view = step.view(viewer)
            view.text(viewer)
            if not lab.game.compiled:
                lab.note = "a plain class's views are shown, and have no text to read back"
                continue
            text = to_text(view.record)
            if to_text(from_text(text, lab.game.definition.State)[0]) != text:
                yield lab.broken(f"the view {text!r} does not read back", viewer=viewer)


def compiled_only(lab: Lab) -> None:
    """SkippedError a law that says nothing of plain classes."""
    if not lab.game.compiled:
        raise SkippedError("plain Python rules are not compiled")
