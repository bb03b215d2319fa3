"""Ground terms and facts in memory that compiled code works in: the tables of the lifted reasoner.

A term is a number: a symbol, or a function symbol with arguments, kept once (hash consing). A fact
is a place in a pool, where the next fact of its relation and its arguments stand. An index finds
the facts of a shape by what stands at some paths in them; it is filled when it is first asked for,
and kept up from then on. Facts lie on four levels: those that hold for ever, what was worked out of
them on demand, those of a position, those after a joint move. A level is emptied by a new stamp.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from facedown.core import array, jit, mix
from facedown.core.jit import JIT, native
from facedown.core.rules import Rule, caller, ticket

STATIC, DEMANDED, POSITION, AFTER = range(4)
LEVELS = 4

# the header of a machine, int64. Arrays of int32: the address, then how many items
(FUNCTOR, FIRST, SIZE, DEPTH, PARTS, TERM_TABLE) = range(0, 12, 2)
(IMAGE, RELATIONS, FACTS_OF, INDEXES, BUILT, COMPONENTS, DONE) = range(12, 26, 2)
(REGISTERS, FRAMES, SCRATCH, OUT) = range(26, 34, 2)
# numbers: terms, their arguments; where the interpreter stands; where the evaluation does; limits
(TERMS, ARGUMENTS, PC, BASE, CALLS, BACKING, WORK, RUNNING) = range(34, 42)
(PLAN, PLAN_LENGTH, PLACE, PHASE, RULE, MARK, MAX_FACTS, SLICE) = range(42, 50)
(MAX_SIZE, MAX_DEPTH, FULL_OF) = range(50, 53)
# addresses of the functions below that are called by them
(MAKE_TERM, FILL, FIND, FIND_NEXT, INSERT) = range(53, 58)
# then the levels: arrays as above (heads are int64), numbers
LEVEL, LEVEL_WORDS = 58, 16
(POOL, ENTRIES, HEADS) = range(0, 6, 2)
(POOL_TOP, ENTRY_TOP, STAMP) = range(6, 9)
HEADER = LEVEL + LEVELS * LEVEL_WORDS

# an entry of an index: half of the hash, the fact, the next entry, the index
(CHECK, FACT, NEXT_ENTRY, OWNER) = range(4)
ENTRY = 4

# a row of a relation: its level, how many arguments, its first index, which has all of them and is
# kept up always, but where facts are told
(R_LEVEL, ARITY, FIRST_INDEX, IS_TOLD) = range(4)
RELATION = 4
# what is known of it: its facts as a list, how many, as of which stamp; the new ones
(HEAD, LAST, COUNT, AS_OF, NEW, OLD_LAST) = range(6)
KNOWN = 6
# a row of an index: its relation, the next index of that; pairs of a path and a function symbol;
# pairs of paths to the same; paths of the keys; an index of keys and values where values repeat;
# its level
(OF, NEXT_INDEX, SHAPES, N_SHAPES, SAMES, N_SAMES, KEYS, N_KEYS, TWIN, I_LEVEL) = range(10)
INDEX = 10

FULL, TOO_MANY, TOO_LARGE, MORE = -1, -2, -3, -4
"""There is no room (FULL_OF: on which level, or -1 for terms); a limit of facts, of a term's size;
the time slice is over."""

as_int: Any = np.int64  # which compiled code takes for Python's int, and type checkers do not
_STAMPED = np.int64(32)
_HALF = np.uint64(32)
_LOW = np.int64(0xFFFFFFFF)
_MIDDLE = np.int64(1 << 31)


@jit
def header(m: int) -> Any:
    """The header of a machine."""
    return array(m, HEADER, np.int64)


@jit
def words(m: int, field: int) -> Any:
    """An array of the machine."""
    h = header(m)
    return array(h[field], h[field + 1], np.int32)


@jit
def at_level(level: int) -> int:
    """Where a level's part of the header begins."""
    return LEVEL + LEVEL_WORDS * level


@jit
def level_of(m: int, relation: int) -> int:
    """The level of a relation."""
    return as_int(words(m, RELATIONS)[RELATION * relation + R_LEVEL])  # type: ignore[no-any-return]


@jit
def stamp_of(m: int, level: int) -> int:
    """The stamp of what is in force on a level."""
    return header(m)[at_level(level) + STAMP]  # type: ignore[no-any-return]


# --- terms ---------------------------------------------------------------------------------------


@jit
def _hashed(m: int, what: int, n: int) -> Any:
    """A number of what stands for `n` terms of the scratch, two of which are taken at a time."""
    scratch, found = words(m, SCRATCH), np.uint64(what)
    for k in range(0, n - 1, 2):
        two = (np.uint64(scratch[k]) << _HALF) | np.uint64(scratch[k + 1])
        found = mix(found, two)
    if n & 1 or n == 0:
        found = mix(found, np.uint64(scratch[n - 1] if n > 0 else 0))
    return found


@jit
def _is_term(m: int, term: int, functor: int, n: int) -> bool:
    """Whether a term is this function symbol around what the scratch holds."""
    if words(m, FUNCTOR)[term] != functor:
        return False
    scratch, parts, first = words(m, SCRATCH), words(m, PARTS), words(m, FIRST)[term]
    for k in range(n):  # noqa: SIM110  # compiled code has no `all`
        if parts[first + k] != scratch[k]:
            return False
    return True


def _make_term(m: int, functor: int, n: int) -> int:
    """The term of a function symbol around the first `n` terms of the scratch, or a fault."""
    h, table = header(m), words(m, TERM_TABLE)
    mask = len(table) - 1
    at = as_int(_hashed(m, functor, n) & np.uint64(mask))
    while table[at] != 0:
        if _is_term(m, table[at] - 1, functor, n):
            return as_int(table[at] - 1)  # type: ignore[no-any-return]
        at = (at + 1) & mask
    new = h[TERMS]
    if new >= h[FUNCTOR + 1] or h[ARGUMENTS] + n > h[PARTS + 1]:
        h[FULL_OF] = -1
        return FULL
    scratch, parts = words(m, SCRATCH), words(m, PARTS)
    sizes, depths = words(m, SIZE), words(m, DEPTH)
    size, depth = n + 1, 0
    for k in range(n):
        parts[h[ARGUMENTS] + k] = scratch[k]
        size += max(0, sizes[scratch[k]] - 1)
        depth = max(depth, depths[scratch[k]])
    if size > h[MAX_SIZE] or depth > h[MAX_DEPTH]:
        return TOO_LARGE
    sizes[new], depths[new] = size, depth + 1
    words(m, FUNCTOR)[new], words(m, FIRST)[new] = functor, h[ARGUMENTS]
    table[at] = new + 1
    h[TERMS] = new + 1
    h[ARGUMENTS] += n
    return new  # type: ignore[no-any-return]


# --- facts ---------------------------------------------------------------------------------------


@jit
def follow(m: int, pool: Any, fact: int, path: int) -> int:
    """What stands at a path in a fact of the right shape."""
    image = words(m, IMAGE)
    term = as_int(pool[fact + 1 + image[path + 1]])
    for k in range(2, image[path] + 1):
        term = as_int(words(m, PARTS)[words(m, FIRST)[term] + image[path + k]])
    return term  # type: ignore[no-any-return]


@jit
def has_shape(m: int, index: int, pool: Any, fact: int) -> bool:
    """Whether a fact has the function symbols that an index asks for, and is the same twice."""
    image, rows, row = words(m, IMAGE), words(m, INDEXES), INDEX * index
    for k in range(rows[row + N_SHAPES]):
        at = rows[row + SHAPES] + 2 * k
        if words(m, FUNCTOR)[follow(m, pool, fact, image[at])] != image[at + 1]:
            return False
    for k in range(rows[row + N_SAMES]):
        at = rows[row + SAMES] + 2 * k
        if follow(m, pool, fact, image[at]) != follow(m, pool, fact, image[at + 1]):
            return False
    return True


@jit
def has_keys(m: int, index: int, pool: Any, fact: int) -> bool:
    """Whether the keys of a fact are those in the scratch."""
    image, rows, row, scratch = words(m, IMAGE), words(m, INDEXES), INDEX * index, words(m, SCRATCH)
    for k in range(rows[row + N_KEYS]):
        if follow(m, pool, fact, image[rows[row + KEYS] + k]) != scratch[k]:
            return False
    return True


@jit
def _hash(m: int, index: int) -> Any:
    """Of an index with the keys in the scratch."""
    return _hashed(m, index, as_int(words(m, INDEXES)[INDEX * index + N_KEYS]))


@jit
def index_level(m: int, index: int) -> int:
    """The level of an index's relation."""
    return as_int(words(m, INDEXES)[INDEX * index + I_LEVEL])  # type: ignore[no-any-return]


@jit
def _matching(m: int, index: int, level: int, entry: int, check: Any) -> int:
    """The first entry from this one on that is the index's and has the keys in the scratch; 0."""
    at = at_level(level)
    pool, entries = words(m, at + POOL), words(m, at + ENTRIES)
    while entry != 0:
        row = ENTRY * entry
        alike = entries[row + CHECK] == check and entries[row + OWNER] == index
        if alike and has_keys(m, index, pool, entries[row + FACT]):
            return entry
        entry = as_int(entries[row + NEXT_ENTRY])
    return entry


@jit
def _check(wanted: Any) -> Any:
    """The half of a hash that entries keep."""
    return np.int32(as_int(wanted >> _HALF) - _MIDDLE)


@jit
def _entry_of(m: int, index: int, level: int, wanted: Any) -> int:
    """The first entry of an index for the keys in the scratch; 0 where there is none."""
    h, at = header(m), at_level(level)
    heads = array(h[at + HEADS], h[at + HEADS + 1], np.int64)
    head = heads[as_int(wanted & np.uint64(h[at + HEADS + 1] - 1))]
    if head >> _STAMPED != h[at + STAMP]:
        return 0
    return _matching(m, index, level, head & _LOW, _check(wanted))


@jit
def _enter(m: int, index: int, level: int, fact: int, wanted: Any) -> bool:
    """Add an entry; whether there was room."""
    h, at = header(m), at_level(level)
    entry = h[at + ENTRY_TOP]
    row = ENTRY * entry
    if row >= h[at + ENTRIES + 1]:
        h[FULL_OF] = level
        return False
    heads, entries = array(h[at + HEADS], h[at + HEADS + 1], np.int64), words(m, at + ENTRIES)
    place = as_int(wanted & np.uint64(h[at + HEADS + 1] - 1))
    known = heads[place] >> _STAMPED == h[at + STAMP]
    entries[row + NEXT_ENTRY] = heads[place] & _LOW if known else 0
    entries[row + FACT], entries[row + OWNER] = fact, index
    entries[row + CHECK] = _check(wanted)
    heads[place] = (h[at + STAMP] << _STAMPED) | entry
    h[at + ENTRY_TOP] = entry + 1
    return True


@jit
def _keyed(m: int, index: int, pool: Any, fact: int) -> Any:
    """The hash of the keys of a fact, which are put into the scratch."""
    image, rows, row, scratch = words(m, IMAGE), words(m, INDEXES), INDEX * index, words(m, SCRATCH)
    for k in range(rows[row + N_KEYS]):
        scratch[k] = follow(m, pool, fact, image[rows[row + KEYS] + k])
    return _hash(m, index)


@jit
def _indexed(m: int, index: int, level: int, fact: int) -> bool:
    """Have an index know a fact; whether there was room. What is in the scratch is lost."""
    pool = words(m, at_level(level) + POOL)
    if not has_shape(m, index, pool, fact):
        return True
    twin = words(m, INDEXES)[INDEX * index + TWIN]
    if twin >= 0:
        wanted = _keyed(m, twin, pool, fact)
        if _entry_of(m, twin, level, wanted) != 0:
            return True
        if not _enter(m, twin, level, fact, wanted):
            return False
    return _enter(m, index, level, fact, _keyed(m, index, pool, fact))


@jit
def _up_to_date(m: int, relation: int) -> Any:
    """What is known of a relation: nothing if it is of another time."""
    known, row = words(m, FACTS_OF), KNOWN * relation
    stamp = stamp_of(m, level_of(m, relation))
    if known[row + AS_OF] != stamp:
        known[row + HEAD] = known[row + LAST] = known[row + COUNT] = 0
        known[row + AS_OF] = stamp
    return known


@jit
def count_of(m: int, relation: int) -> int:
    """How many facts of a relation are known."""
    return as_int(_up_to_date(m, relation)[KNOWN * relation + COUNT])  # type: ignore[no-any-return]


@jit
def first_of(m: int, relation: int) -> int:
    """Where the first fact of a relation lies; 0 where there is none."""
    return as_int(_up_to_date(m, relation)[KNOWN * relation + HEAD])  # type: ignore[no-any-return]


def _fill(m: int, index: int) -> int:
    """Fill an index: 1, or a fault. What is in the scratch is lost.

    The first index of a relation is kept up always, but where facts are told.
    """
    relation, level = as_int(words(m, INDEXES)[INDEX * index + OF]), index_level(m, index)
    words(m, BUILT)[index] = stamp_of(m, level)
    row = words(m, RELATIONS)[RELATION * relation : RELATION * relation + RELATION]
    if row[FIRST_INDEX] == index and row[IS_TOLD] == 0:
        return 1
    pool, fact = words(m, at_level(level) + POOL), first_of(m, relation)
    while fact != 0:
        if not _indexed(m, index, level, fact):
            return FULL
        fact = as_int(pool[fact])
    return 1


def _find(m: int, index: int) -> int:
    """The first entry of a filled index for the keys in the scratch; 0 where there is none."""
    level = index_level(m, index)
    return _entry_of(m, index, level, _hash(m, index))


def _find_next(m: int, index: int, entry: int) -> int:
    """The next entry with the same keys, which are in the scratch."""
    level = index_level(m, index)
    entries, row = words(m, at_level(level) + ENTRIES), ENTRY * entry
    after = as_int(entries[row + NEXT_ENTRY])
    return _matching(m, index, level, after, entries[row + CHECK])


@jit
def append(m: int, relation: int) -> int:
    """Add the fact whose arguments are in the scratch, which is new; where it lies, or a fault."""
    h, known, row = header(m), _up_to_date(m, relation), KNOWN * relation
    level, arity = level_of(m, relation), words(m, RELATIONS)[RELATION * relation + ARITY]
    at = at_level(level)
    fact = h[at + POOL_TOP]
    if known[row + COUNT] >= h[MAX_FACTS]:
        return TOO_MANY
    if fact + arity + 1 > h[at + POOL + 1]:
        h[FULL_OF] = level
        return FULL
    pool, scratch = words(m, at + POOL), words(m, SCRATCH)
    pool[fact] = 0
    for k in range(arity):
        pool[fact + 1 + k] = scratch[k]
    h[at + POOL_TOP] = fact + arity + 1
    if known[row + HEAD] == 0:
        known[row + HEAD] = fact
    else:
        pool[known[row + LAST]] = fact
    known[row + LAST] = fact
    known[row + COUNT] += 1
    return fact  # type: ignore[no-any-return]


def _insert(m: int, relation: int) -> int:
    """Add the fact whose arguments are in the scratch: 1 if it is new, 0 if not, or a fault."""
    h, level, rows = header(m), level_of(m, relation), words(m, INDEXES)
    index = as_int(words(m, RELATIONS)[RELATION * relation + FIRST_INDEX])
    wanted = _hash(m, index)
    if _entry_of(m, index, level, wanted) != 0:
        return 0
    fact = append(m, relation)
    if fact < 0:
        return fact
    if not _enter(m, index, level, fact, wanted):
        return FULL
    other, stamp = as_int(rows[INDEX * index + NEXT_INDEX]), h[at_level(level) + STAMP]
    while other >= 0:
        if words(m, BUILT)[other] == stamp and not _indexed(m, other, level, fact):
            return FULL
        other = as_int(rows[INDEX * other + NEXT_INDEX])
    return 1


# --- by address: compiled into all that calls them, these would take a minute to compile ---------

_TWO, _THREE = ("address", "int"), ("address", "int", "int")
_CALLED: dict[int, tuple[Any, Rule]] = {
    MAKE_TERM: (_make_term, Rule("make_term", 0, "int", _THREE)),
    FILL: (_fill, Rule("fill", 0, "int", _TWO)),
    FIND: (_find, Rule("find", 0, "int", _TWO)),
    FIND_NEXT: (_find_next, Rule("find_next", 0, "int", _THREE)),
    INSERT: (_insert, Rule("insert", 0, "int", _TWO)),
}
_call_make, _call_fill, _call_find, _call_next, _call_insert = (
    caller(rule) for _, rule in _CALLED.values()
)


@cache
def _workers() -> tuple[tuple[int, ...], list[Any]]:
    """The addresses, and what must be kept for them to stay valid."""
    if not JIT:
        return tuple(ticket(function) for function, _ in _CALLED.values()), []
    made = [native(function, rule.signature) for function, rule in _CALLED.values()]
    return tuple(int(each.address) for each in made), made


def workers() -> tuple[int, ...]:
    """The addresses, in the order of their places in a header."""
    return _workers()[0]


@jit
def make_term(m: int, functor: int, n: int) -> int:
    """The term of a function symbol around the first `n` terms of the scratch, or a fault."""
    return _call_make(header(m)[MAKE_TERM], m, functor, n)  # type: ignore[no-any-return]


@jit
def prepared(m: int, index: int) -> bool:
    """Have an index filled; whether there was room."""
    level = index_level(m, index)
    if words(m, BUILT)[index] == stamp_of(m, level):
        return True
    return _call_fill(header(m)[FILL], m, index) > 0  # type: ignore[no-any-return]


@jit
def found(m: int, index: int) -> int:
    """The first entry of a filled index for the keys in the scratch; 0 where there is none."""
    return _call_find(header(m)[FIND], m, index)  # type: ignore[no-any-return]


@jit
def found_next(m: int, index: int, entry: int) -> int:
    """The next entry with the same keys, which are in the scratch."""
    return _call_next(header(m)[FIND_NEXT], m, index, entry)  # type: ignore[no-any-return]


@jit
def insert(m: int, relation: int) -> int:
    """Add the fact whose arguments are in the scratch: 1 if it is new, 0 if not, or a fault."""
    return _call_insert(header(m)[INSERT], m, relation)  # type: ignore[no-any-return]


@jit
def empty(m: int, level: int) -> None:
    """Forget all facts of a level."""
    h, at = header(m), at_level(level)
    h[at + STAMP] += 1
    h[at + POOL_TOP] = h[at + ENTRY_TOP] = 1
