"""A circuit as numbered counters in flat arrays: what the compiled engine runs on.

Every gate is one counter, its bias and the sum of its inputs (times 1 or -1), and is true while the
counter is not negative, for AND, OR and negation alike. Counters are numbered in this order, each
kind from a multiple of 64 on: fluents; the gates of the *view* (what depends on the state alone);
the gates of the *step* (what depends on the moves); outputs; then the inputs for moves, and last a
sum that many counters share. The counter of a fluent is that of its `next`, that of a register the
formula that feeds it. A *segment* is a run of gates that can be settled in one pass in the order of
their numbers, followed by the registers of a loop, where it is one. Among the gates of a loop are
*sentinels*, copies of all that the loop reads from outside: a counter that the loop itself holds up
does not change its sign when it loses its support from outside, but the sentinel does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.gdl.circuit import FALSE, TRUE, Circuit

BITS = 64
Row = tuple[Iterable[int], int]
_NEVER: Row = ((), 1)


@dataclass(frozen=True)
class Network:
    """The arrays. Node `k` adds to the counters `edge[ptr[2k]:ptr[2k+1]]`, and takes from
    `edge[ptr[2k+1]:ptr[2k+2]]`."""

    ptr: np.ndarray[Any, np.dtype[np.uint32]]  # [2 * counters + 1]
    edge: np.ndarray[Any, np.dtype[np.uint32]]
    bias: np.ndarray[Any, np.dtype[np.int32]]  # [counters]
    segments: np.ndarray[Any, np.dtype[np.int64]]  # [n, 3]: words of gates, then of registers
    view_segments: int  # the first so many segments are the view's
    fluent_words: int
    words: int  # of all that has a bit: everything but moves and the sum
    outputs: int  # the number of the first output
    moves: int  # the number of the first move
    gates: int


class Wiring:
    """Makes a network of a part of a circuit.

    `nexts` are the literals that the fluents become (FALSE where nobody asks), `slots` the nodes of
    the moves by their slots (0 for none), `views` and `steps` the outputs.
    """

    def __init__(
        self,
        circuit: Circuit,
        nexts: Sequence[int],
        slots: Sequence[int],
        views: Sequence[int],
        steps: Sequence[int],
    ) -> None:
        self.circuit, self.nexts, self.slots = circuit, nexts, slots
        self.outs = [*views, *steps]
        seen: set[int] = set()
        self.view = self._reach(views, seen)
        self.step = self._reach([*nexts, *steps], seen)
        live = sorted(self.view | self.step)
        self.ins = {k: ins for k in live if (ins := circuit.ins[k]) is not None}
        self.feeds = {k: circuit.feeds[k] for k in live if k in circuit.feeds}
        self._merge()
        reads = self._reads()
        users = (*nexts, *self.outs, *self.feeds.values())
        self.own = {abs(x) for x in users if abs(x) in self.ins and reads[abs(x)] == 1}
        self._stages, self._loop_stages, self._loop_gates = self._staged()

    def _reach(self, roots: Iterable[int], seen: set[int]) -> set[int]:
        """The nodes that the roots depend on and that nobody has seen yet."""
        found, waiting = set(), [abs(x) for x in roots]
        while waiting:
            k = waiting.pop()
            if k in seen:
                continue
            seen.add(k)
            found.add(k)
            waiting += [abs(x) for x in self.circuit.ins[k] or ()]
            if k in self.circuit.feeds:
                waiting.append(abs(self.circuit.feeds[k]))
        return found

    def _reads(self) -> Counter[int]:
        users = [*self.ins.values(), self.feeds.values(), self.nexts, self.outs]
        return Counter(abs(x) for literals in users for x in literals)

    def _merge(self) -> None:
        """An AND whose only reader is an AND goes into its reader."""
        reads = self._reads()
        for k in sorted(self.ins):
            one = [x for x in self.ins[k] if x > 1 and x in self.ins and reads[x] == 1]
            if one:
                self.ins[k] = (self.ins[k] - set(one)).union(*(self.ins[x] for x in one))
                for x in one:
                    del self.ins[x]

    # --- the order in which gates are settled --------------------------------------------------

    def _between(self) -> list[set[int]]:
        """For each loop the gates between its registers and what feeds these."""
        found = []
        for registers in self.circuit.loops:
            back = self._back([self.feeds[k] for k in registers if k in self.feeds])
            depends = set(registers)
            for k in sorted(back & set(self.ins)):
                if any(abs(x) in depends for x in self.ins[k]):
                    depends.add(k)
            found.append(depends - set(registers))
        return found

    def _back(self, roots: Iterable[int]) -> set[int]:
        """The nodes that the roots depend on, up to registers and other inputs."""
        found, waiting = set(), [abs(x) for x in roots]
        while waiting:
            k = waiting.pop()
            if k not in found:
                found.add(k)
                waiting += [abs(x) for x in self.ins.get(k, ())]
        return found

    def _staged(self) -> tuple[dict[int, int], list[int], list[set[int]]]:
        """Stages of gates (even) and of loops (odd): each comes after all that it depends on."""
        loops = self._between()
        home = {k: n for n, gates in enumerate(loops) for k in gates}
        home.update((k, n) for n, registers in enumerate(self.circuit.loops) for k in registers)
        stage, of_loop = dict.fromkeys(self.ins, 0), [1] * len(loops)

        def after(literals: Iterable[int], but: int | None = None) -> int:
            last = 0
            for x in literals:
                loop = home.get(abs(x))
                if loop is None:
                    last = max(last, stage.get(abs(x), 0))
                elif loop != but:
                    last = max(last, of_loop[loop] + 1)
            return last

        changed = bool(loops)
        while changed:
            before = list(stage.values()), list(of_loop)
            for k in sorted(self.ins):
                if k not in home:
                    stage[k] = after(self.ins[k])
            for n, gates in enumerate(loops):
                fed = [self.feeds[k] for k in self.circuit.loops[n] if k in self.feeds]
                inner = [x for k in gates for x in self.ins[k]]
                of_loop[n] = 1 + after([*fed, *inner], n)
            changed = before != (list(stage.values()), list(of_loop))
        return {k: s for k, s in stage.items() if k not in home}, of_loop, loops

    def _segments(self, part: set[int]) -> Iterator[tuple[list[int], list[int]]]:
        """The gates and registers of each segment of a part, in order."""
        stages, of_loop, loops = self._stages, self._loop_stages, self._loop_gates
        plain: dict[int, list[int]] = {}
        for k in sorted(self.ins):
            if k in part and k not in self.own and k in stages:
                plain.setdefault(stages[k], []).append(k)
        for stage in range(max([0, *plain, *of_loop]) + 1):
            if stage in plain:
                yield plain[stage], []
            for n, gates in enumerate(loops):
                registers = [k for k in self.circuit.loops[n] if k in part]
                if of_loop[n] == stage and registers:
                    yield [k for k in sorted(gates) if k not in self.own], registers

    def _sentinels(self, gates: Iterable[int], registers: Sequence[int]) -> Iterator[Row]:
        """A copy of each node that a loop reads from outside; none where it is no loop."""
        if registers:
            inside = {*gates, *registers}
            users = [self._row(self.feeds[k]) for k in registers] + [self._gate(k) for k in gates]
            read = {abs(x) for literals, _ in users for x in literals}
            for k in sorted(read - inside - {TRUE}):
                yield (k,), 1

    # --- rows ----------------------------------------------------------------------------------

    def _row(self, x: int) -> Row:
        """What the counter of a literal's user sums up, and how many of it must hold.

        A gate that has no other user takes the user's place.
        """
        if abs(x) in self.own:
            return self._gate(x)
        return (x,), 1

    def _gate(self, x: int) -> Row:
        literals = self.ins[abs(x)]
        return (literals, len(literals)) if x > 0 else ([-y for y in literals], 1)

    def network(self) -> Network:
        """Number everything and write the arrays."""
        sheet = _Sheet()
        fluent_words = sheet.add(self.circuit.fluent_nodes, map(self._row, self.nexts))
        segments: list[tuple[int, int, int]] = []
        view_segments = 0
        for part in (self.view, self.step):
            view_segments = len(segments)
            for gates, registers in self._segments(part):
                rows = [*map(self._gate, gates), *self._sentinels(gates, registers)]
                first, middle = sheet.words, sheet.add(gates, rows)
                end = sheet.add(registers, (self._row(self.feeds[k]) for k in registers))
                segments.append((first, middle, end))
        outputs = len(sheet.rows)
        words = sheet.add((), map(self._row, self.outs))
        moves = len(sheet.rows)
        sheet.number.update((k, moves + slot) for slot, k in enumerate(self.slots) if k)
        ptr, edge = sheet.edges(self.slots, total=len(self.circuit.ins))
        return Network(
            ptr=ptr,
            edge=edge,
            bias=np.append(sheet.bias(), np.zeros(len(self.slots) + 1, np.int32)),
            segments=np.array(segments, np.int64).reshape(-1, 3),
            view_segments=view_segments,
            fluent_words=fluent_words,
            words=words,
            outputs=outputs,
            moves=moves,
            gates=len(self.ins) - len(self.own),
        )


class _Sheet:
    """Rows in the order of their numbers, and the number of each node."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.number: dict[int, int] = {}

    @property
    def words(self) -> int:
        """How many words the bits of the rows take."""
        return len(self.rows) // BITS

    def add(self, nodes: Iterable[int], rows: Iterable[Row]) -> int:
        """Append rows, the first of them for these nodes, up to the end of a word."""
        self.number.update((k, len(self.rows) + i) for i, k in enumerate(nodes))
        self.rows += rows
        self.rows += [_NEVER] * (-len(self.rows) % BITS)
        return self.words

    def bias(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """What each counter is while all its inputs are false."""
        biases = (
            sum(x == TRUE or x < FALSE for x in literals) - need for literals, need in self.rows
        )
        return np.fromiter(biases, np.int32, len(self.rows))

    def edges(
        self, slots: Sequence[int], total: int
    ) -> tuple[np.ndarray[Any, np.dtype[np.uint32]], np.ndarray[Any, np.dtype[np.uint32]]]:
        """Of every node, the counters that gain when it rises and those that lose, end to end."""
        terms = [[x for x in literals if abs(x) != TRUE] for literals, _ in self.rows]
        terms += [[] for _ in slots]
        self.number[total] = len(terms)
        terms.append(_share(terms, {k for k in slots if k}, total))
        sides: list[list[int]] = [[] for _ in range(2 * len(terms))]
        for i, literals in enumerate(terms):
            for x in literals:
                sides[2 * self.number[abs(x)] + (x < 0)].append(i)
        ptr = np.cumsum([0, *map(len, sides)]).astype(np.uint32)
        return ptr, np.fromiter((i for side in sides for i in side), np.uint32, int(ptr[-1]))


def _share(terms: list[list[int]], does: set[int], total: int) -> list[int]:
    """Have counters over nearly all moves read one shared sum, and beside it the differences.

    Such are the frame axioms: what no move changes stays. The moves that are summed up are given.
    """
    large = []
    for i, literals in enumerate(terms):
        for sign in (1, -1):
            found = {sign * x for x in literals if sign * x in does}
            large.append((i, sign, found))
    least = max([10, *(len(found) for *_, found in large)]) / 2
    large = [each for each in large if len(each[2]) > least]
    count = Counter(x for *_, found in large for x in found)
    core = {x for x in count if 2 * count[x] > len(large)}
    for i, sign, found in large:
        if 2 * len(core ^ found) < len(found):
            rest = [x for x in terms[i] if sign * x not in found]
            more = [sign * x for x in sorted(found - core)]
            less = [-sign * x for x in sorted(core - found)]
            terms[i] = [*rest, sign * total, *more, *less]
    return sorted(core)
