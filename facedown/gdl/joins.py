"""A rule as a Python function from relations to new facts.

The literals of a body are put in an order (tests as soon as they can be made, then what is likely
to give the fewest facts), each becomes a look-up in a table, and the whole becomes nested loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from facedown.gdl.asking import Ask, Known, matching, pattern
from facedown.gdl.errors import LimitError
from facedown.gdl.graph import Key, key_of
from facedown.gdl.relations import MAX_FACTS, Fact, Path, Probe, Relation, packed
from facedown.gdl.syntax import Atom, Compound, Literal, Rule, Term, Variable
from facedown.gdl.terms import term_variables

Join = Callable[[Sequence[Relation], Relation | None], set[Fact]]
"""Takes all relations by number, and the new facts of the literal that asks for such."""

MAX_WORK = 20_000_000
"""Combinations of facts that one rule may try in one call."""

_MAX_LOOPS = 12  # in one function; Python allows 20 blocks in each other


@dataclass(frozen=True, slots=True)
class _Step:
    """A literal at its turn: what it asks of which table, and what it gives."""

    literal: Literal
    probe: Probe | None = None
    key: str = ""
    outs: tuple[str, ...] = ()
    news: bool = False
    ask: Ask | None = None
    free: tuple[Term, ...] = ()  # the arguments that are asked for


@dataclass
class Joiner:
    """Compiles rules; tables of one shape are shared by all of them."""

    number: dict[Key, int]
    size: Callable[[Key], float]
    asked: Callable[[Key, Known], Ask | None]
    """The function of a relation that is asked, for a pattern; None of one that is listed."""
    probes: dict[object, Probe] = field(default_factory=dict)

    def join(self, rule: Rule, news: int | None = None, known: Known = ()) -> Join:
        """The function of a safe rule; the literal number `news` asks only for new facts.

        Arguments of the head that are `known` come as further arguments.
        """
        given = term_variables(rule.head.args[k] for k in known)
        steps = list(self._steps(rule, news, given))
        return _Writer(self.number, rule.head, known).function(steps)

    def work(self, rule: Rule) -> float:
        """About how many combinations of facts a rule tries where nothing is known."""
        rows, total, bound = 1.0, 0.0, set[str]()
        for step in self._steps(rule, None, set(), guess=True):
            names = term_variables(step.literal.atom.args)
            if names and step.literal.positive and step.literal.atom.name != "distinct":
                size = max(self.size(key_of(step.literal.atom)), 1.0)
                rows *= float(size ** (len(names - bound) / len(names)))
                total += rows
                bound |= names
        return total

    def _steps(
        self, rule: Rule, news: int | None, given: set[str], *, guess: bool = False
    ) -> Iterator[_Step]:
        waiting = list(enumerate(rule.body))
        bound = set(given)
        while waiting:
            wanted = [term_variables(literal.atom.args) for _, literal in waiting]
            times: dict[str, int] = dict.fromkeys(term_variables(rule.head.args), 1)
            for name in (name for names in wanted for name in names):
                times[name] = times.get(name, 0) + 1
            several = {name for name, count in times.items() if count > 1}
            chosen = self._chosen(waiting, bound, several, news)
            index, literal = waiting.pop(chosen)
            yield _Step(literal) if guess else self._step(literal, bound, several, index == news)
            if literal.positive and literal.atom.name != "distinct":
                bound |= wanted[chosen]

    def _chosen(
        self,
        waiting: list[tuple[int, Literal]],
        bound: set[str],
        several: set[str],
        news: int | None,
    ) -> int:
        def cost(place: int) -> float:
            index, literal = waiting[place]
            names = term_variables(literal.atom.args)
            plain = literal.positive and literal.atom.name != "distinct"
            free = names - bound
            if not (free & several if plain else free):
                return -1.0
            if not plain:
                return float("inf")
            if index == news:
                return 0.0
            return float(self.size(key_of(literal.atom)) ** (len(free) / len(names)))

        return min(range(len(waiting)), key=cost)

    def _step(self, literal: Literal, bound: set[str], several: set[str], news: bool) -> _Step:
        if literal.atom.name == "distinct":
            return _Step(literal)
        known = pattern(literal.atom.args, bound)
        if not news and (ask := self.asked(key_of(literal.atom), known)) is not None:
            args = literal.atom.args
            free = tuple(arg for k, arg in enumerate(args) if k not in known)
            key = _tuple([expression(args[k]) for k in known])
            found = tuple(sorted(term_variables(free)))
            return _Step(literal, None, key, found, ask=ask, free=free)
        look = _Look(bound, several)
        for index, term in enumerate(literal.atom.args):
            look.at(term, (index,))
        keys, outs = sorted(look.keys.items()), sorted(look.outs.items())
        shape = (
            tuple(look.shape),
            tuple(look.same),
            tuple(path for path, _ in keys),
            tuple(path for path, _ in outs),
            look.whole,
        )
        if shape not in self.probes:
            self.probes[shape] = Probe(*shape)
        key = _tuple([text for _, text in keys])
        return _Step(literal, self.probes[shape], key, tuple(name for _, name in outs), news)


class _Look:
    """What is known and what is wanted of an atom's arguments."""

    def __init__(self, bound: set[str], several: set[str]) -> None:
        self.bound, self.several = bound, several
        self.shape: list[tuple[Path, str, int]] = []
        self.same: list[tuple[Path, Path]] = []
        self.keys: dict[Path, str] = {}
        self.outs: dict[Path, str] = {}
        self.first: dict[str, Path] = {}
        self.whole = True

    def at(self, term: Term, path: Path) -> None:
        if isinstance(term, Compound) and term_variables([term]):
            self.shape.append((path, term.name, len(term.args)))
            for index, part in enumerate(term.args):
                self.at(part, (*path, index))
        elif not isinstance(term, Variable):
            self.keys[path] = repr(packed(term))
        elif term.name in self.bound:
            self.keys[path] = expression(term)
        elif term.name in self.first:
            self.same.append((self.first[term.name], path))
        else:
            self.first[term.name] = path
            if term.name in self.several:
                self.outs[path] = term.name
            else:
                self.whole = False


class _Writer:
    """Writes the loops of one rule."""

    def __init__(self, number: dict[Key, int], head: Atom, known: Known = ()) -> None:
        self.number, self.head, self.known = number, head, known
        self.scope: dict[str, Any] = {"LimitError": LimitError, "work": [0]}
        self.parts: list[str] = []

    def function(self, steps: list[_Step]) -> Join:
        given = "".join(f", k{k}" for k in self.known)
        lines, bound = [f"def join(env, news{given}):", " out = set()"], set[str]()
        for k in self.known:
            made = matching(self.head.args[k], f"k{k}", bound, _variable, "return out")
            lines += [f" {line}" for line in made]
        self._body(lines, steps, 0, bound)
        if self.parts:  # which are called again and again, and count together
            lines.insert(2, " work[0] = 0")
        self.parts.append("\n".join([*lines, " return out"]))
        exec("\n".join(self.parts), self.scope)  # made of numbers and of quoted symbols only
        found: Join = self.scope["join"]
        return found

    def _body(self, lines: list[str], steps: list[_Step], first: int, bound: set[str]) -> None:
        """The steps from the `first` on, in nested loops, at the top level of a function."""
        loops = sum(bool(step.outs or step.free) for step in steps[first:])
        depth, fetched = 1, False
        leave = "return out"
        counting = _counting("work[0]" if first else "n")
        if loops > 1 and not first:
            lines.append(" n = 0")
        for place in range(first, len(steps)):
            step, pad = steps[place], " " * depth
            if (step.outs or step.free) and depth > _MAX_LOOPS:
                lines.append(pad + self._handed_on(steps, place, bound))
                return
            if not fetched:
                lines += self._fetch(step, place)
            if not step.outs and not step.free:
                lines.append(f"{pad}if {_failing(step, place)}: {leave}")
                continue
            lines.append(f"{pad}s{place} = {_found(step, place)}")
            if not fetched:
                lines.append(f"{pad}if not s{place}: return out")
                for later in range(place + 1, len(steps)):
                    lines += self._fetch(steps[later], later)
                fetched = True
            if step.ask is not None:
                depth, leave, loops = depth + 1, "continue", loops - 1
                lines += self._taken(step, place, pad, bound)
            else:
                lines.append(f"{pad}for {', '.join(map(_variable, step.outs))} in s{place}:")
                bound |= set(step.outs)
                depth, leave, loops = depth + 1, "continue", loops - 1
            if loops:
                lines += [" " * depth + line for line in counting]
        lines.append(f"{' ' * depth}out.add({_tuple(list(map(expression, self.head.args)), True)})")
        given = term_variables(self.head.args[k] for k in self.known)
        if term_variables(self.head.args) <= given:
            lines.append(f"{' ' * depth}return out")

    def _taken(self, step: _Step, place: int, pad: str, bound: set[str]) -> list[str]:
        """The loop over what a relation has answered, whose terms are taken apart."""
        names = [f"a{place}_{k}" for k in range(len(step.free))]
        lines = [f"{pad}for {', '.join(names)} in s{place}:"]
        for name, term in zip(names, step.free, strict=True):
            lines += [f"{pad} {x}" for x in matching(term, name, bound, _variable, "continue")]
        return lines

    def _handed_on(self, steps: list[_Step], place: int, bound: set[str]) -> str:
        """A call of a function that goes on from a step, with what is known by then."""
        names = ", ".join(map(_variable, sorted(bound)))
        lines = [f"def part{place}(env, news, out, {names}):"]
        self._body(lines, steps, place, set(bound))
        self.parts.append("\n".join([*lines, " return out"]))
        return f"part{place}(env, news, out, {names})"

    def _fetch(self, step: _Step, place: int) -> list[str]:
        if step.ask is not None:
            self.scope[f"A{place}"] = step.ask
        if step.probe is None:
            return []
        self.scope[f"P{place}"] = step.probe
        source = "news" if step.news else f"env[{self.number[key_of(step.literal.atom)]}]"
        return [f" t{place} = {source}.table(P{place})"]


def _counting(count: str) -> list[str]:
    return [
        f"{count} += 1",
        f"if {count} > {MAX_WORK} or len(out) > {MAX_FACTS}:",
        " raise LimitError('a rule of this game needs more steps or facts than are allowed')",
    ]


def _failing(step: _Step, place: int) -> str:
    if step.ask is not None:
        return f"{'not ' if step.literal.positive else ''}A{place}(env, {step.key or '()'})"
    if step.probe is None:
        one, other = map(expression, step.literal.atom.args)
        return f"{one} {'==' if step.literal.positive else '!='} {other}"
    return f"{step.key} {'not in' if step.literal.positive else 'in'} t{place}"


def _found(step: _Step, place: int) -> str:
    if step.ask is not None:
        return f"A{place}(env, {step.key or '()'})"
    assert step.probe is not None
    return f"t{place}.get({step.key}, ())" if step.probe.keys else f"t{place}"


def _variable(name: str) -> str:
    """A name that Python takes; distinct names stay distinct."""
    return "v_" + "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in name)


def expression(term: Term) -> str:
    """The Python expression for a term whose variables have values."""
    if isinstance(term, Variable):
        return _variable(term.name)
    if isinstance(term, Compound):
        return _tuple([repr(term.name), *map(expression, term.args)])
    return repr(term)


def _tuple(parts: list[str], always: bool = False) -> str:
    if len(parts) == 1 and not always:
        return parts[0]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
