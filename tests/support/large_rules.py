"""Rule files that are large: made here, since most of their text is lists of facts."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from facedown.gdl.syntax import Compound

CHESS = Path(__file__).parents[1] / "gdl" / "rules" / "chess.kif"

_KINDS = dict(zip("pnbrqk", ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))
_COLOURS = {True: "white", False: "black"}


def chess_state(fen: str) -> frozenset[Compound]:
    """The position of `chess.kif` that a FEN describes."""
    board, turn, castling, passed = fen.split()[:4]
    found = [Compound("control", (_COLOURS[turn == "w"],)), Compound("quiet", ("0",))]
    for down, row in enumerate(board.split("/")):
        x = 1
        for sign in row:
            if sign.isdigit():
                x += int(sign)
                continue
            place = (str(x), str(8 - down), _COLOURS[sign.isupper()], _KINDS[sign.lower()])
            found.append(Compound("at", place))
            x += 1
    for sign in castling.replace("-", ""):
        wing = "long" if sign.lower() == "q" else "short"
        found.append(Compound("may", (_COLOURS[sign.isupper()], wing)))
    if passed != "-":
        found.append(Compound("passed", (str(ord(passed[0]) - 96), passed[1])))
    return frozenset(found)


def numbers(name: str, last: int) -> str:
    return " ".join(f"({name} {n} {n + 1})" for n in range(last))


# --- Chinese checkers ----------------------------------------------------------------------------

_WAYS = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))


def _star() -> dict[tuple[int, int, int], int]:
    """The 121 fields of a star, by cube coordinates: the number of a point, -1 in the middle."""
    fields = {}
    for a, b in product(range(-8, 9), repeat=2):
        c = -a - b
        beyond = [axis for axis in (a, b, c) if abs(axis) > 4]
        if len(beyond) > 1 or max(abs(a), abs(b), abs(c)) > 8:
            continue
        point = -1
        if beyond:
            place = (a, b, c).index(beyond[0])
            point = 2 * place + (beyond[0] > 0)
        fields[a, b, c] = point
    return fields


def chinese_checkers(steps: int = 400) -> str:
    """Six players, each with ten men that go to the opposite point, by steps and chains of hops."""
    star = _star()
    assert len(star) == 121
    names = {field: f"f{k}" for k, field in enumerate(sorted(star))}
    players = ["red", "green", "blue", "white", "black", "yellow"]
    lines = [f"(role {player})" for player in players]
    lines += [f"(after {a} {b})" for a, b in zip(players, players[1:] + players[:1], strict=True)]
    for field, name in names.items():
        for way, step in enumerate(_WAYS):
            there = tuple(x + d for x, d in zip(field, step, strict=True))
            if there in names:
                lines.append(f"(adjacent w{way} {name} {names[there]})")
        if star[field] >= 0:
            lines.append(f"(init (man {name} {players[star[field]]}))")
            lines.append(f"(target {players[star[field] ^ 1]} {name})")
    lines += [numbers("then", steps), "(init (step 0)) (init (control red))"]
    return (
        "\n".join(lines)
        + f"""
    (<= (held ?a) (true (man ?a ?p)))
    (<= (field ?a) (adjacent ?w ?a ?b))
    (<= (own ?a) (true (control ?p)) (true (man ?a ?p)))
    (<= (hop ?a ?c) (adjacent ?w ?a ?b) (held ?b) (adjacent ?w ?b ?c) (not (held ?c)))
    (<= (chain ?a ?b) (own ?a) (hop ?a ?b))
    (<= (chain ?a ?c) (chain ?a ?b) (hop ?b ?c))
    (<= (can ?a ?b) (own ?a) (adjacent ?w ?a ?b) (not (held ?b)))
    (<= (can ?a ?b) (chain ?a ?b))
    (<= some (can ?a ?b))
    (<= (legal ?p (go ?a ?b)) (true (control ?p)) (can ?a ?b))
    (<= (legal ?p pass) (true (control ?p)) (not some))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (man ?b ?p)) (does ?p (go ?a ?b)))
    (<= (next (man ?a ?p)) (true (man ?a ?p)) (not (leaves ?a)))
    (<= (leaves ?a) (does ?p (go ?a ?b)))
    (<= (next (control ?q)) (true (control ?p)) (after ?p ?q))
    (<= (next (step ?m)) (true (step ?n)) (then ?n ?m))
    (<= (lacks ?p) (target ?p ?a) (not (true (man ?a ?p))))
    (<= (home ?p) (role ?p) (not (lacks ?p)))
    (<= terminal (home ?p))
    (<= terminal (true (step {steps})))
    (<= (goal ?p 100) (home ?p))
    (<= (goal ?p 0) (role ?p) (not (goal ?p 100)))
    """
    )


# --- Sudoku --------------------------------------------------------------------------------------


def sudoku() -> str:
    """9x9, from an empty grid; what a digit excludes is a relation between all pairs of fields."""
    digits = " ".join(f"(digit {n})" for n in range(1, 10))
    thirds = " ".join(f"(third {n} {(n - 1) // 3})" for n in range(1, 10))
    return f"""(role solver) {digits} {thirds} {numbers("then", 81)} (init (filled 0))
    (<= (field ?x ?y) (digit ?x) (digit ?y))
    (<= (sees-row ?x ?y ?x ?v) (field ?x ?y) (digit ?v))
    (<= (sees-row ?x ?y ?u ?y) (field ?x ?y) (digit ?u))
    (<= (sees-row ?x ?y ?u ?v) (field ?x ?y) (field ?u ?v) (third ?x ?a) (third ?u ?a) (third ?y ?b)
        (third ?v ?b))
    (<= (excluded ?x ?y ?n) (true (cell ?u ?v ?n)) (sees-row ?u ?v ?x ?y))
    (<= (set ?x ?y) (true (cell ?x ?y ?n)))
    (<= (can ?x ?y ?n) (field ?x ?y) (digit ?n) (not (set ?x ?y)) (not (excluded ?x ?y ?n)))
    (<= (legal solver (put ?x ?y ?n)) (can ?x ?y ?n))
    (<= (next (cell ?x ?y ?n)) (does solver (put ?x ?y ?n)))
    (<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)))
    (<= (next (filled ?m)) (true (filled ?n)) (then ?n ?m))
    (<= some (can ?x ?y ?n)) (<= terminal (not some))
    (<= (goal solver 100) (true (filled 81)))
    (<= (goal solver 0) (not (true (filled 81))))
    """


# --- cards ---------------------------------------------------------------------------------------


def discards(hand: int = 20) -> str:
    """Two players who each choose four cards of their hands to discard; C(20, 4) = 4,845 moves."""
    cards = range(2 * hand)
    before = " ".join(f"(before {a} {b})" for a in cards for b in cards if a < b)
    dealt = " ".join(f"(init (hand {'first' if c % 2 else 'second'} {c}))" for c in cards)
    return f"""(role first) (role second) {before} {dealt} {numbers("then", 3)} (init (round 0))
    (<= (legal ?p (discard ?a ?b ?c ?d)) (true (hand ?p ?a)) (true (hand ?p ?b)) (before ?a ?b)
        (true (hand ?p ?c)) (before ?b ?c) (true (hand ?p ?d)) (before ?c ?d))
    (<= (drops ?x) (does ?p (discard ?x ?b ?c ?d))) (<= (drops ?x) (does ?p (discard ?a ?x ?c ?d)))
    (<= (drops ?x) (does ?p (discard ?a ?b ?x ?d))) (<= (drops ?x) (does ?p (discard ?a ?b ?c ?x)))
    (<= (next (hand ?p ?a)) (true (hand ?p ?a)) (not (drops ?a)))
    (<= (next (round ?m)) (true (round ?n)) (then ?n ?m))
    (<= (sees ?p (dropped ?a)) (role ?p) (drops ?a))
    (<= terminal (true (round 3)))
    (<= (beaten ?p ?a) (true (hand ?p ?a)) (true (hand ?q ?b)) (distinct ?p ?q) (before ?a ?b))
    (<= (best ?p) (true (hand ?p ?a)) (not (beaten ?p ?a)))
    (<= (goal ?p 100) (best ?p)) (<= (goal ?p 0) (role ?p) (not (best ?p)))
    """


# --- arithmetic ----------------------------------------------------------------------------------


def sums(last: int = 400) -> str:
    """Ten numbers up to 400 to add; all sums of three numbers would be 64 million facts."""
    digits = " ".join(f"(num {n})" for n in range(last + 1))
    return f"""(role adder) {digits} {numbers("succ", last)} (init (total 0)) (init (turn 0))
    (<= (least ?x ?y ?x) (num ?x) (num ?y) (not (greater ?x ?y)))
    (<= (least ?x ?y ?y) (num ?x) (num ?y) (greater ?x ?y))
    (<= (greater ?x ?y) (num ?x) (num ?y) (at-least ?x ?y) (distinct ?x ?y))
    (<= (at-least ?x ?y) (num ?x) (num ?y) (below ?y ?x))
    (<= (least-of ?x ?y ?z ?m) (least ?x ?y ?w) (least ?w ?z ?m))
    (below 3 7) (below 7 9) (below 3 9)
    (<= (legal adder (pick ?x ?y)) (choice ?x) (choice ?y)) (choice 3) (choice 7) (choice 9)
    (<= (next (total ?m)) (does adder (pick ?x ?y)) (least-of ?x ?y 7 ?m))
    (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
    (<= terminal (true (turn 3))) (<= (goal adder 100) (true (total 3)))
    (<= (goal adder 0) (not (true (total 3))))
    """
