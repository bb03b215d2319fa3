"""What is read of messages, and what is said of texts that are none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.gdl.syntax import Compound
from facedown.ggp.messages import (
    Abort,
    Info,
    MessageError,
    Play,
    Preview,
    Start,
    Stop,
    Told,
    error_reply,
    parse,
    read_term,
    spelled,
    spelling_of,
)

CHOOSE = Compound("choose", ("1",))
READ = {
    "(INFO)": Info(),
    "info": Info(),
    " ( INFO ) \r\n": Info(),
    "(START m1 White ((ROLE WHITE) (role black)) 30 10)": Start(
        "m1", "white", "((ROLE WHITE) (role black))", 30, 10
    ),
    "(start m.2 a((role a))7 2.5)": Start("m.2", "a", "((role a))", 7, 2.5),
    "(START m r ((role r) (p ))) 1 2)": Start("m", "r", "((role r) (p )))", 1, 2),
    "(START m r ((role r)) 1 2 gdl-ii 5)": Start("m", "r", "((role r))", 1, 2),
    "(START m r ((role r)) 99999999999 2)": Start("m", "r", "((role r))", 86_400, 2),
    "(PREVIEW ((role a)) 9)": Preview("((role a))", 9),
    # a trace of a real manager
    "(PLAY match1 0 NIL NIL)": Play("match1", Told(0, None, None)),
    "(PLAY match1 1 (CHOOSE 1) ())": Play("match1", Told(1, CHOOSE, ())),
    "(PLAY match1 2 NOOP (2 ))": Play("match1", Told(2, "noop", ("2",))),
    "(STOP match1 3 SWITCH (3 ))": Stop("match1", Told(3, "switch", ("3",))),
    # joint moves, or percepts in an older dialect
    "( PLAY m NIL )": Play("m", Told(None, None, None)),
    "( PLAY m ((CHOOSE 1) NOOP ) )": Play("m", Told(None, None, (CHOOSE, "noop"))),
    "(PLAY m ())": Play("m", Told(None, None, ())),
    "(PLAY m)": Play("m", Told(None, None, None)),
    "(STOP m (noop noop))": Stop("m", Told(None, None, ("noop", "noop"))),
    "(ABORT m)": Abort("m"),
}


@pytest.mark.parametrize("text", READ)
def test_messages(text):
    assert parse(text) == READ[text]


REFUSED = {
    "": "not a message",
    "hello": "not a message; INFO, PREVIEW, START, PLAY, STOP or ABORT in parentheses is wanted",
    "()": "not a message",
    "((play) m)": "not a message",
    "play m nil": "one term is wanted",
    "(PLAY": "a parenthesis is not closed",
    "(PLAY m nil))": "a closing parenthesis too many",
    "(PLAY (m) nil)": "PLAY wants the name of a match first",
    "(PLAY m 1 2)": "or match and (moves), is wanted",
    "(PLAY m x noop ())": "(PLAY match turn move (percepts))",
    "(PLAY m 1 ?x ())": "a variable where a term without any is wanted: ?x",
    "(PLAY m ((f ())))": "a name is wanted after an opening parenthesis",
    "(ABORT)": "ABORT wants the name of a match first",
    "(START m white 30 10)": "(START match role (rules) startclock playclock) is wanted",
    "(START m ((role a)) 30 10)": "is wanted",
    "(START m r ((role r)) thirty 10)": "is wanted",
    "(PREVIEW 9)": "(PREVIEW (rules) clock) is wanted",
    "(PLAY m " + "(" * 5000: "parentheses nest deeper than 100",
    "(PLAY m (" + "a " * 200_000 + "))": "more than 100,000 words",
    "(PLAY m \x00\x1b[2J": "a parenthesis is not closed: (PLAY m ??[2J",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_message_is_refused_in_a_line(text):
    with pytest.raises(MessageError) as caught:
        parse(text)
    said = str(caught.value)
    assert REFUSED[text] in said
    assert len(said) < 250
    assert said.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "(START m r (" + ") 1 " * 1_000_000,
        "(START m r (" + " " * 4_000_000,
        "(START m r (" + ")" * 4_000_000,
        "(START m r (" + ")1" * 2_000_000,
        "(START " + "m " * 2_000_000,
        "(PREVIEW " + "(1" * 2_000_000,
        "(START m r () 1 " + "1" * 100_000 + "((",
        "(START m r () " + "1" * 100_000 + ".1 1((",
        "(PREVIEW () 1." + "1" * 100_000 + "((",
        "(" * 4_000_000,
        " " * 4_000_000,
    ],
    ids=range(11),
)
def test_long_texts_take_no_longer_than_they_are(text):
    before = time.thread_time()
    with pytest.raises(MessageError):
        parse(text)
    assert time.thread_time() - before < 5


NAMES = ["play", "PLAY", "start", "stop", "abort", "info", "preview", "m", "nil", "1", "30"]
WORDS = st.sampled_from(["(", ")", *NAMES, "?x", "noop", "((role", "\x00", "é", ";", '"'])


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=30).map(" ".join)))
def test_any_text_is_a_message_or_is_refused(text):
    try:
        message = parse(text)
    except MessageError as error:
        reply = error_reply(str(error))
        assert reply.startswith('(error "')
        assert reply.endswith('")')
        assert not set(reply[8:-2]) & set('()";')
    else:
        assert message == parse(text.upper() if isinstance(message, Info) else text)


TERMS = st.recursive(
    st.sampled_from(["a", "b", "12", "++"]),
    lambda inner: st.builds(
        Compound, st.sampled_from(["f", "g"]), st.lists(inner, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=20,
)


@given(TERMS)
def test_terms_read_as_they_are_written(term):
    assert read_term(str(term)) == term
    assert read_term(f" {str(term).upper()}\n") == term


def test_names_are_spelled_as_the_rules_spell_them():
    spelling = spelling_of("((role White) (<= (legal White (Mark ?x A)) (true (Cell ?x B))) (a b))")
    assert spelled(read_term("(mark 1 a)"), spelling) == "(Mark 1 A)"
    assert spelled("noop", spelling) == "noop"
