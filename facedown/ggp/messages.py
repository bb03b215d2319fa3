"""What game managers and players say to each other, read from text and written as text.

Nothing here recurses over a text, and size and depth are bounded: any message is read or refused in
time proportional to its length. Names count in lower case, as rules are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from facedown.core.errors import FacedownError
from facedown.gdl.errors import clipped
from facedown.gdl.lexer import MAX_CHARACTERS, MAX_DEPTH
from facedown.gdl.syntax import Compound, Term, Variable

MAX_BYTES = MAX_CHARACTERS + 100_000
"""Of a message: the longest rules that can be read, and what stands around them."""

MAX_WORDS = 100_000
"""Of a message beside its rules."""

MAX_CLOCK = 86_400.0
"""Seconds; a longer clock counts as this one."""

NIL = "nil"

# possessive, so that no digits are given back: a long run of them is passed over once
_NAME, _NUMBER = r"[^\s();]+", r"(\d++(?:\.\d++)?+)"
_START = re.compile(
    rf"\(\s*start\s+({_NAME})\s+({_NAME})\s*(\(.*\))\s*{_NUMBER}\s+{_NUMBER}[^()]*+\)",
    re.IGNORECASE | re.DOTALL,
)
_PREVIEW = re.compile(rf"\(\s*preview\s*(\(.*\))\s*{_NUMBER}[^()]*+\)", re.IGNORECASE | re.DOTALL)
_HEAD = re.compile(rf"\(\s*({_NAME})|({_NAME})")
_TOKEN = re.compile(r"[()]|[^\s()]+")

Node = str | list["Node"]


class MessageError(FacedownError):
    """A text that is no message; says what is wrong with it."""


@dataclass(frozen=True)
class Info:
    """Are you free?"""


@dataclass(frozen=True)
class Start:
    """A match begins: rules as text, whom to play, seconds until the first move and for each."""

    match: str
    role: str
    rules: str
    start_clock: float
    play_clock: float


@dataclass(frozen=True)
class Preview:
    """Rules of a match to come, and seconds to look at them."""

    rules: str
    clock: float


@dataclass(frozen=True)
class Told:
    """What a manager tells of the last step.

    `turn` numbers the step in GDL-II; `last` is the move that was carried out for the player there,
    None where nothing is said. `terms` are the percepts, or in GDL the joint move in the order of
    the roles; None for NIL.
    """

    turn: int | None
    last: Term | None
    terms: tuple[Term, ...] | None


@dataclass(frozen=True)
class Play:
    """Your move, please."""

    match: str
    told: Told


@dataclass(frozen=True)
class Stop:
    """The match is over."""

    match: str
    told: Told


@dataclass(frozen=True)
class Abort:
    """The match ends here."""

    match: str


Message = Info | Start | Preview | Play | Stop | Abort


def parse(text: str) -> Message:
    """The message that a text is; MessageError where it is none.

    >>> parse("(PLAY match1 2 NOOP (2 ))")
    Play(match='match1', told=Told(turn=2, last='noop', terms=('2',)))
    >>> parse("( PLAY match1 ((MARK 1 1) NOOP) )").told.terms[1]
    'noop'
    """
    text = text.strip()
    head = _HEAD.match(text)
    name = (head[1] or head[2]).lower() if head else ""
    if name == "start":
        return _start(text)
    if name == "preview":
        return _preview(text)
    if name == "info":
        return Info()
    if name in ("play", "stop", "abort"):
        node = nested(text)
        if isinstance(node, list):
            return _plain(name, node[1:], text)
    kinds = "INFO, PREVIEW, START, PLAY, STOP or ABORT"
    raise MessageError(f"not a message; {kinds} in parentheses is wanted: {clipped(text)}")


def _start(text: str) -> Start:
    found = _START.fullmatch(text)
    if found is None:
        wanted = "(START match role (rules) startclock playclock)"
        raise MessageError(f"{wanted} is wanted: {clipped(text)}")
    return Start(found[1], found[2].lower(), found[3], _clock(found[4]), _clock(found[5]))


def _preview(text: str) -> Preview:
    found = _PREVIEW.fullmatch(text)
    if found is None:
        raise MessageError(f"(PREVIEW (rules) clock) is wanted: {clipped(text)}")
    return Preview(found[1], _clock(found[2]))


def _clock(digits: str) -> float:
    return min(float(digits[:20]), MAX_CLOCK)


def _plain(name: str, args: list[Node], text: str) -> Message:
    match = args[0] if args else None
    if not isinstance(match, str):
        raise MessageError(f"{name.upper()} wants the name of a match first: {clipped(text)}")
    if name == "abort":
        return Abort(match)
    told = _told(name, args[1:], text)
    return Play(match, told) if name == "play" else Stop(match, told)


def _told(name: str, args: list[Node], text: str) -> Told:
    """Of GDL, or of the older GDL-II, what was told alone; else the step and the own move too."""
    if len(args) <= 1:
        return Told(None, None, _terms(args[0] if args else NIL))
    if len(args) != 3 or not (isinstance(args[0], str) and args[0].isdecimal()):
        wanted = f"({name.upper()} match turn move (percepts)), or match and (moves),"
        raise MessageError(f"{wanted} is wanted: {clipped(text)}")
    last = None if _is_nil(args[1]) else term_of(args[1])
    return Told(int(args[0][:9]), last, _terms(args[2]))


def _is_nil(node: Node) -> bool:
    return isinstance(node, str) and node.lower() == NIL


def _terms(node: Node) -> tuple[Term, ...] | None:
    if _is_nil(node):
        return None
    return tuple(map(term_of, node)) if isinstance(node, list) else (term_of(node),)


def term_of(node: Node) -> Term:
    """The ground term that nested lists of words are, in lower case; at most MAX_DEPTH deep."""
    if isinstance(node, str):
        if node[0] == "?":
            raise MessageError(f"a variable where a term without any is wanted: {clipped(node)}")
        return node.lower()
    if not node or not isinstance(node[0], str) or node[0][0] == "?":
        raise MessageError("a name is wanted after an opening parenthesis")
    args = tuple(map(term_of, node[1:]))
    return Compound(node[0].lower(), args) if args else node[0].lower()


def read_term(text: str) -> Term:
    """The ground term that a text is; MessageError where it is none.

    >>> print(read_term(" ( MARK 1 3 ) "))
    (mark 1 3)
    """
    return term_of(nested(text))


def nested(text: str) -> Node:
    """The one word or list that a text is."""
    stack: list[list[Node]] = [[]]
    for count, found in enumerate(_TOKEN.finditer(text)):
        token = found[0]
        if count >= MAX_WORDS:
            raise MessageError(f"more than {MAX_WORDS:,} words")
        if token == "(":
            if len(stack) > MAX_DEPTH:
                raise MessageError(f"parentheses nest deeper than {MAX_DEPTH}")
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise MessageError(f"a closing parenthesis too many: {clipped(text)}")
            closed = stack.pop()
            stack[-1].append(closed)
        else:
            stack[-1].append(token)
    if len(stack) > 1 or len(stack[0]) != 1:
        wrong = "a parenthesis is not closed" if len(stack) > 1 else "one term is wanted"
        raise MessageError(f"{wrong}: {clipped(text)}")
    return stack[0][0]


def spelled(term: Term, spelling: dict[str, str]) -> str:
    """A term as text, its names as `spelling` has them: managers may mind case."""
    if isinstance(term, Variable):
        return str(term)
    if isinstance(term, str):
        return spelling.get(term, term)
    words = (spelling.get(term.name, term.name), *(spelled(arg, spelling) for arg in term.args))
    return f"({' '.join(words)})"


def spelling_of(rules: str) -> dict[str, str]:
    """How rules spell their names, by the names in lower case; the first spelling counts."""
    found: dict[str, str] = {}
    for word in _TOKEN.findall(rules):
        found.setdefault(word.lower(), word)
    return found


def listed(terms: Iterable[Term]) -> str:
    """Terms in one pair of parentheses."""
    return f"({' '.join(map(str, terms))})"


def one_line(text: str, most: int = 200) -> str:
    """The beginning of a text, printable and on one line."""
    words = " ".join(text[: 4 * most].split())
    words = "".join(letter if letter.isprintable() else "?" for letter in words)
    return words if len(words) <= most else f"{words[: most - 3]}..."


def error_reply(words: str) -> str:
    """What a player answers that cannot do what it is asked, as one term.

    >>> error_reply("rules:1:1: no roles; (role ...) is wanted")
    '(error "rules:1:1: no roles, role ... is wanted")'
    """
    plain = re.sub(r'[()"]', "", one_line(words).replace(";", ","))
    return f'(error "{plain}")'
