"""The interpreter of compiled rules: nested loops over tables, relation by relation.

A rule is a row of instructions (`facedown.gdl.assembly`). Each goes on to the next one or fails:
then the last loop before it goes on with its next fact. Relations that are asked, not listed, are
routines: a call works out all facts for the arguments that are known, once, and notes that it has.
Components of relations are evaluated in order, recursive ones by differences (semi-naive).

All that the work needs lies in the machine's memory, so that it can be left after any slice and be
gone on with. The compiled code is the same for all rule files.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from facedown.core import array, jit
from facedown.core.jit import JIT, native
from facedown.core.rules import Rule
from facedown.gdl import tables as at
from facedown.gdl.tables import (
    append,
    as_int,
    count_of,
    empty,
    first_of,
    follow,
    found,
    found_next,
    has_keys,
    has_shape,
    header,
    insert,
    level_of,
    make_term,
    prepared,
    stamp_of,
    words,
)

# instructions: a loop over facts by an index, over new facts, over all; whether there is one;
# whether two terms differ; a term made, taken apart; a head that holds; a routine called, left;
# facts given; where a rule of a routine ends; where a rule does
(SCAN, NEWS, LIST, TEST, DIFFER, BUILD, TAKE, EMIT, CALL, RETURN, GIVEN, LAND, FINISH) = range(13)
# an instruction: what it does, to what; where a failure goes; operands (a register, or ~ a term);
# pairs of a path and a register; one more number
(OP, WHAT, BACK, WITH, N_WITH, OUTS, N_OUTS, EXTRA) = range(8)
WIDTH = 8
# a row of a component: its level; its rules; those by differences, each with the relation whose new
# facts it takes; its relations
(C_LEVEL, RULES, N_RULES, AGAIN, N_AGAIN, MEMBERS, N_MEMBERS) = range(7)
COMPONENT = 8


@jit
def _value(m: int, operand: int) -> int:
    """An operand's term."""
    if operand < 0:
        return as_int(~operand)  # type: ignore[no-any-return]
    return as_int(words(m, at.REGISTERS)[header(m)[at.BASE] + operand])  # type: ignore[no-any-return]


@jit
def _operands(m: int, pc: int) -> int:
    """Put the operands of an instruction into the scratch; how many there are."""
    image, scratch = words(m, at.IMAGE), words(m, at.SCRATCH)
    first, n = image[pc + WITH], image[pc + N_WITH]
    for k in range(n):
        scratch[k] = _value(m, image[first + k])
    return as_int(n)  # type: ignore[no-any-return]


@jit
def _taken(m: int, pc: int, pool: Any, fact: int) -> None:
    """Put what an instruction wants of a fact into registers."""
    image, registers, base = words(m, at.IMAGE), words(m, at.REGISTERS), header(m)[at.BASE]
    outs = image[pc + OUTS]
    for k in range(image[pc + N_OUTS]):
        registers[base + image[outs + 2 * k + 1]] = follow(m, pool, fact, image[outs + 2 * k])


@jit
def _scan(m: int, pc: int, back: bool) -> int:
    """The first fact of a loop, or the next: 1 where there is one, else 0, or a fault."""
    image, registers = words(m, at.IMAGE), words(m, at.REGISTERS)
    index, cursor = image[pc + WHAT], header(m)[at.BASE] + image[pc + EXTRA]
    if not back and not prepared(m, index):
        return at.FULL
    _operands(m, pc)
    entry = found_next(m, index, registers[cursor]) if back else found(m, index)
    if entry == 0:
        return 0
    registers[cursor] = entry
    level = at.at_level(at.index_level(m, index))
    _taken(
        m, pc, words(m, level + at.POOL), words(m, level + at.ENTRIES)[at.ENTRY * entry + at.FACT]
    )
    return 1


@jit
def _listed(m: int, pc: int, op: int, back: bool) -> int:
    """The same without an index, over all facts of a relation or the new ones before the mark."""
    image, registers = words(m, at.IMAGE), words(m, at.REGISTERS)
    index, cursor = image[pc + WHAT], header(m)[at.BASE] + image[pc + EXTRA]
    relation = words(m, at.INDEXES)[at.INDEX * index + at.OF]
    pool = words(m, at.at_level(level_of(m, relation)) + at.POOL)
    end = header(m)[at.MARK] if op == NEWS else len(pool)
    if back:
        fact = as_int(pool[registers[cursor]])
    elif op == NEWS:
        fact = as_int(words(m, at.FACTS_OF)[at.KNOWN * relation + at.NEW])
    else:
        fact = first_of(m, relation)
    _operands(m, pc)
    while fact != 0 and fact < end:
        if has_shape(m, index, pool, fact) and has_keys(m, index, pool, fact):
            registers[cursor] = fact
            _taken(m, pc, pool, fact)
            return 1
        fact = as_int(pool[fact])
    return 0


@jit
def _test(m: int, pc: int) -> int:
    """Whether there is a fact, or none, as the instruction wants it; or a fault."""
    image = words(m, at.IMAGE)
    index = image[pc + WHAT]
    if not prepared(m, index):
        return at.FULL
    _operands(m, pc)
    return int((found(m, index) != 0) == (image[pc + EXTRA] != 0))


@jit
def _build(m: int, pc: int) -> int:
    image = words(m, at.IMAGE)
    term = make_term(m, image[pc + WHAT], _operands(m, pc))
    if term < 0:
        return term
    words(m, at.REGISTERS)[header(m)[at.BASE] + image[pc + EXTRA]] = term
    return 1


@jit
def _take(m: int, pc: int) -> int:
    """Take a term apart into registers; 0 where it is of another function symbol."""
    image, registers, base = words(m, at.IMAGE), words(m, at.REGISTERS), header(m)[at.BASE]
    term = _value(m, image[image[pc + WITH]])
    if words(m, at.FUNCTOR)[term] != image[pc + WHAT]:
        return 0
    first = words(m, at.FIRST)[term]
    for k in range(image[pc + N_OUTS]):
        registers[base + image[image[pc + OUTS] + k]] = words(m, at.PARTS)[first + k]
    return 1


@jit
def _emit(m: int, pc: int) -> int:
    """Add the head's fact; fails, so that the loops go on, or a fault."""
    _operands(m, pc)
    return min(insert(m, words(m, at.IMAGE)[pc + WHAT]), 0)


@jit
def _given(m: int, pc: int) -> int:
    """Add facts that are given."""
    image, scratch = words(m, at.IMAGE), words(m, at.SCRATCH)
    relation = image[pc + WHAT]
    arity = words(m, at.RELATIONS)[at.RELATION * relation + at.ARITY]
    for k in range(image[pc + N_WITH]):
        for j in range(arity):
            scratch[j] = image[image[pc + WITH] + k * arity + j]
        told = insert(m, relation)
        if told < 0:
            return told
    return 1


@jit
def _is_known(m: int, pc: int) -> bool:
    """Whether a routine was called with the same operands before."""
    memo = words(m, at.IMAGE)[pc + WHAT]
    if count_of(m, memo) == 0:
        return False
    _operands(m, pc)
    return found(m, words(m, at.RELATIONS)[at.RELATION * memo + at.FIRST_INDEX]) != 0


@jit
def _call(m: int, pc: int) -> None:
    """Enter a routine: registers of its own, which begin with the operands."""
    h, image, registers = header(m), words(m, at.IMAGE), words(m, at.REGISTERS)
    frames, scratch = words(m, at.FRAMES), words(m, at.SCRATCH)
    n = _operands(m, pc)
    base = h[at.BASE] + image[pc + N_OUTS]
    for k in range(n):
        registers[base + k] = scratch[k]
    frames[2 * h[at.CALLS]], frames[2 * h[at.CALLS] + 1] = pc, h[at.BASE]
    h[at.CALLS] += 1
    h[at.BASE] = base


@jit
def _return(m: int, pc: int) -> int:
    """Note that a routine has found everything for its operands, and leave; where it was called."""
    h, frames = header(m), words(m, at.FRAMES)
    scratch, registers = words(m, at.SCRATCH), words(m, at.REGISTERS)
    for k in range(words(m, at.IMAGE)[pc + N_WITH]):
        scratch[k] = registers[h[at.BASE] + k]
    told = insert(m, words(m, at.IMAGE)[pc + WHAT])
    if told < 0:
        return told
    h[at.CALLS] -= 1
    h[at.BASE] = frames[2 * h[at.CALLS] + 1]
    return as_int(frames[2 * h[at.CALLS]])  # type: ignore[no-any-return]


@jit
def _loop(m: int, pc: int, op: int, back: bool) -> int:
    return _scan(m, pc, back) if op == SCAN else _listed(m, pc, op, back)


@jit
def _plain(m: int, pc: int, op: int) -> int:
    """An instruction that neither loops nor goes elsewhere."""
    if op == TEST:
        return _test(m, pc)
    if op == EMIT:
        return _emit(m, pc)
    if op == BUILD:
        return _build(m, pc)
    if op == TAKE:
        return _take(m, pc)
    if op == GIVEN:
        return _given(m, pc)
    if op == DIFFER:
        image = words(m, at.IMAGE)
        first = image[pc + WITH]
        one, other = _value(m, image[first]), _value(m, image[first + 1])
        return int((one != other) == (image[pc + EXTRA] != 0))
    return 1  # LAND


@jit
def _execute(m: int) -> int:
    """Go on with a rule: 0 when it is done, or a fault."""
    h, image = header(m), words(m, at.IMAGE)
    pc, back, steps = h[at.PC], h[at.BACKING] != 0, 0
    while True:
        op = image[pc]
        if op <= LIST:
            if steps == h[at.SLICE]:
                h[at.PC], h[at.BACKING] = pc, int(back)
                h[at.WORK] += steps
                return at.MORE
            steps += 1
            told = _loop(m, pc, op, back)
        elif op == CALL:
            if not _is_known(m, pc):
                _call(m, pc)
                pc, back = as_int(image[pc + EXTRA]), False
                continue
            told = 1
        elif op == RETURN:
            told = _return(m, pc)
            if told >= 0:
                pc, told = told, 1
        elif op == FINISH:
            return 0
        else:
            told = _plain(m, pc, op)
        if told < 0:
            return told
        back = told == 0
        pc = as_int(image[pc + BACK]) if back else pc + WIDTH


@jit
def _begin_rule(m: int, pc: int) -> None:
    h = header(m)
    h[at.PC], h[at.BACKING], h[at.BASE], h[at.CALLS], h[at.WORK] = pc, 0, 0, 0, 0
    h[at.RUNNING] = 1


@jit
def _next_round(m: int, c: int, first: bool) -> bool:
    """What is new in a component becomes what its rules take next; whether there is anything."""
    rows, image, known = words(m, at.COMPONENTS), words(m, at.IMAGE), words(m, at.FACTS_OF)
    level = at.at_level(rows[COMPONENT * c + C_LEVEL])
    pool, some = words(m, level + at.POOL), False
    for k in range(rows[COMPONENT * c + N_MEMBERS]):
        relation = image[rows[COMPONENT * c + MEMBERS] + k]
        row, head = at.KNOWN * relation, first_of(m, relation)
        old = 0 if first else known[row + at.OLD_LAST]
        known[row + at.NEW] = head if old == 0 else pool[old]
        known[row + at.OLD_LAST] = known[row + at.LAST]
        some = some or known[row + at.NEW] != 0
    header(m)[at.MARK] = header(m)[level + at.POOL_TOP]
    return some


@jit
def _component(m: int, c: int) -> bool:
    """Begin the next rule of a component; False where all is done."""
    h, rows, image = header(m), words(m, at.COMPONENTS), words(m, at.IMAGE)
    row = COMPONENT * c
    if h[at.PHASE] == 0:
        if h[at.RULE] < rows[row + N_RULES]:
            _begin_rule(m, as_int(image[rows[row + RULES] + h[at.RULE]]))
            h[at.RULE] += 1
            return True
        if rows[row + N_AGAIN] == 0 or not _next_round(m, c, True):
            return False
        h[at.PHASE], h[at.RULE] = 1, 0
    if h[at.RULE] == rows[row + N_AGAIN]:
        if not _next_round(m, c, False):
            return False
        h[at.RULE] = 0
    _begin_rule(m, as_int(image[rows[row + AGAIN] + h[at.RULE]]))
    h[at.RULE] += 1
    return True


@jit
def evaluate(m: int) -> int:
    """Go on with a plan, an array of components: 0 when it is done, or a fault."""
    h = header(m)
    rows, image, done = words(m, at.COMPONENTS), words(m, at.IMAGE), words(m, at.DONE)
    while True:
        if h[at.RUNNING] != 0:
            told = _execute(m)
            if told < 0:
                return told
            h[at.RUNNING] = 0
        if h[at.PLACE] == h[at.PLAN_LENGTH]:
            return 0
        c = as_int(image[h[at.PLAN] + h[at.PLACE]])
        stamp = stamp_of(m, as_int(rows[COMPONENT * c + C_LEVEL]))
        if done[c] == stamp or not _component(m, c):
            done[c] = stamp
            h[at.PLACE] += 1
            h[at.PHASE] = h[at.RULE] = 0


# --- what Python calls ---------------------------------------------------------------------------


@jit
def begin(m: int, plan: int, length: int) -> None:
    """Have a plan evaluated from its beginning."""
    h = header(m)
    h[at.PLAN], h[at.PLAN_LENGTH] = plan, length
    h[at.PLACE] = h[at.PHASE] = h[at.RULE] = h[at.RUNNING] = 0


@jit
def stand(m: int, relation: int, given: int, n: int) -> int:
    """Have a relation hold for these facts, each once, and forget what depended on others."""
    for level in range(level_of(m, relation), at.LEVELS):
        empty(m, level)
    arity = words(m, at.RELATIONS)[at.RELATION * relation + at.ARITY]
    terms, scratch = array(given, n * arity, np.int32), words(m, at.SCRATCH)
    for k in range(n):
        for j in range(arity):
            scratch[j] = terms[k * arity + j]
        fact = append(m, relation)
        if fact < 0:
            return fact
    return 0


@jit
def _put_out(m: int, relation: int) -> int:
    """Put out the facts of a relation if there is room; how many there are."""
    n = count_of(m, relation)
    arity = words(m, at.RELATIONS)[at.RELATION * relation + at.ARITY]
    out, pool = words(m, at.OUT), words(m, at.at_level(level_of(m, relation)) + at.POOL)
    if n * arity > len(out):
        return n
    fact, place = first_of(m, relation), 0
    while fact != 0:
        for k in range(arity):
            out[place] = pool[fact + 1 + k]
            place += 1
        fact = as_int(pool[fact])
    return n


def facts(m: int, relation: int, plan: int, length: int, told: int, given: int, n: int) -> int:
    """Have the relation `told` hold for what is `given`, go through a plan, put out a relation.

    How many facts it has, or a fault. Where `told` is negative everything stays as it is; where the
    `length` of the plan is, the last one is gone on with.
    """
    if told >= 0:
        fault = stand(m, told, given, n)
        if fault < 0:
            return fault
    if length >= 0:
        begin(m, plan, length)
    fault = evaluate(m)
    return fault if fault < 0 else _put_out(m, relation)


def term(m: int, functor: int, n: int) -> int:
    """The term of a function symbol around what the scratch holds, or a fault."""
    return make_term(m, functor, n)


_CALLED: dict[str, tuple[Any, Rule]] = {
    "facts": (facts, Rule("facts", 0, "int", ("address", *("int",) * 4, "address", "int"))),
    "term": (term, Rule("term", 0, "int", ("address", "int", "int"))),
}
_kept: list[Any] = []  # compiled code, which must outlive what Python calls


@cache
def compiled(name: str) -> Any:
    """One of the functions above as Python calls it; it keeps the GIL, for slices are short."""
    function, rule = _CALLED[name]
    if not JIT:
        return function
    _kept.append(native(function, rule.signature))
    return rule.prototype(_kept[-1].address)
