"""A game that a robot plays: every need is answered in time, whatever is refused or fails."""

from __future__ import annotations

from time import monotonic, sleep
from typing import Any

import pytest

from facedown.bridges.jsettlers import sitting
from facedown.bridges.jsettlers.sitting import Decision, Result
from support.jsettlers_robots import OVER, Thinker, asked, begun, play
from support.jsettlers_servers import Guest
from support.jsettlers_talk import BOARD, SEATED


def test_a_whole_short_game() -> None:
    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1072|g,1")
        assert guest.hear() == "1031|g"
        guest.say("1028|g,12", "1025|g,20")
        assert guest.hear() == "1032|g"
        guest.say("1038|g,-1", "1026|g,2,15", *OVER)

    results, _ = play(serve, games=1)
    assert results == [Result("g", 1, (2, 10, 2, 2))]
    assert results[0].won


def test_every_need_has_an_answer_of_last_resort() -> None:
    def serve(guest: Guest) -> None:
        guest.let_in()
        asked(guest)
        guest.say(BOARD, *SEATED, "1018|g,5", "1026|g,1,5")
        settled = guest.hear()
        assert settled.startswith("1009|g,1,1,")
        guest.say(settled, "1025|g,6")
        paved = guest.hear()
        assert paved.startswith("1009|g,1,0,")
        guest.say(paved, "1026|g,1,15", "1072|g,1")
        assert guest.hear() == "1031|g"
        guest.say("1024|g,1,101,3,9", "1028|g,7", "1025|g,50", "1029|g,4")
        assert guest.hear() == "1033|g,0,0,4,0,0,0"
        guest.say("1033|g,p1,0,0,4,0,0,0", "1025|g,33")
        moved = guest.hear()
        assert moved.startswith("1034|g,1,")
        guest.say(moved, "1025|g,51", "1036|g,true,false,true,false")
        assert guest.hear() in ("1035|g,0", "1035|g,2")
        guest.say("1102|g,1,0,R,3,1,T", "1025|g,52")
        assert guest.hear() == "1052|g,0,1,0,1,0"
        guest.say("1052|g,0,1,0,1,0,1,2", "1025|g,53")
        assert guest.hear() == "1053|g,4"
        guest.say("1025|g,40")
        road = guest.hear()
        assert road.startswith("1009|g,1,0,")
        guest.say(road, "1025|g,30")
        assert guest.hear().startswith("1009|g,1,0,")
        guest.say("1025|g,20")
        assert guest.hear() == "1032|g"
        guest.say("1026|g,0,15", "1028|g,2", "1025|g,20")
        guest.say("1041|g,0,false,true,true,false,0,0,0,0,1,0,0,1,0,0")
        assert guest.hear() == "1037|g,0"
        guest.say("1037|g,1", *OVER)

    assert play(serve, games=1)[0][0].points == (2, 10, 2, 2)


def test_what_is_decided_is_asked_for_and_no_refused_request_twice() -> None:
    bad = "1040|g,0,0,4,0,0,0,0,0,1,0"
    thinker = Thinker("1031|g", bad, bad, "1045|g")

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1072|g,1")
        assert guest.hear() == "1031|g"
        guest.say("1028|g,12", "1025|g,20")
        assert guest.hear() == bad
        guest.say("1037|g,-1,1")
        assert (
            guest.hear() == "1032|g"
        )  # the same again is not asked for: what follows by itself is
        guest.say("1038|g,-1", "1026|g,2,15", *OVER)

    play(serve, decider=thinker, games=1)
    assert thinker.refused == [set(), set(), {bad}]
    assert thinker.forgotten == ["g"]


@pytest.mark.parametrize(
    ("request_", "refusal"),
    [
        ("1009|g,1,0,34", "1104|g,0,4,0,34,You can't build a road there."),
        ("1045|g", "1044|g,-2"),
        ("1049|g,9", "1046|g,-1,4,9"),
        ("1041|g,1,true,false,true,true,9,0,0,0,0,0,1,0,0,0", "1037|g,1,3"),
    ],
)
def test_every_refusal_is_understood(
    request_: str, refusal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1028|g,12", "1025|g,20")
        assert guest.hear() == request_
        guest.say(refusal)
        assert guest.hear() == "1032|g"
        guest.say(*OVER)

    monkeypatch.setattr(sitting, "PATIENCE", 1000.0)
    began = monotonic()
    play(serve, decider=Thinker(request_, request_), games=1)
    assert monotonic() - began < 900  # nobody waited to see whether anything comes


def test_a_request_that_nothing_comes_of_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitting, "PATIENCE", 0.3)
    swap = "1040|g,0,0,4,0,0,0,0,0,1,0"

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1028|g,12", "1025|g,20")
        assert guest.hear() == swap
        assert guest.hear() == "1032|g"
        guest.say(*OVER)

    play(serve, decider=Thinker(swap, swap), games=1)


def test_a_decider_that_fails_is_not_the_end(caplog: pytest.LogCaptureFixture) -> None:
    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1072|g,1")
        assert guest.hear() == "1031|g"
        guest.say(*OVER)

    play(serve, decider=Thinker(ZeroDivisionError("no")), games=1)
    assert "any legal request: ZeroDivisionError: no" in caplog.text


def test_an_offer_of_ones_own_is_withdrawn_when_all_have_replied() -> None:
    offer = "1041|g,1,true,false,true,false,0,1,0,0,0,1,0,0,0,0"

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1028|g,12", "1025|g,20")
        assert guest.hear() == offer
        guest.say(offer, "1042|g,-1", "1037|g,0")
        with pytest.raises(Exception, match="timed out"):
            guest.hear(0.5)
        guest.say("1037|g,2")
        assert guest.hear() == "1038|g,0"
        guest.say("1038|g,1", "1042|g,-1")
        assert guest.hear() == "1032|g"
        guest.say(*OVER)

    play(serve, decider=Thinker(offer), games=1)


def test_nobody_waits_for_replies_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitting, "REPLYING", 0.3)
    offer = "1041|g,1,true,false,true,false,0,1,0,0,0,1,0,0,0,0"

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1028|g,12", "1025|g,20")
        assert guest.hear() == offer
        guest.say(offer)
        assert guest.hear() == "1038|g,0"
        guest.say(*OVER)

    play(serve, decider=Thinker(offer), games=1)


def test_a_counter_offer_is_answered() -> None:
    offer = "1041|g,1,true,false,true,false,0,1,0,0,0,1,0,0,0,0"

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1028|g,12", "1025|g,20")
        assert guest.hear() == offer
        guest.say(offer, "1041|g,0,false,true,false,false,1,0,0,0,0,0,1,1,0,0")
        assert guest.hear() == "1039|g,0,0"
        guest.say("1039|g,1,0,1,0,0,0,0,0,1,1,0,0", "1038|g,-1")
        assert guest.hear() == "1032|g"
        guest.say(*OVER)

    play(serve, decider=Thinker(offer, "1039|g,0,0"), games=1)


def test_a_decision_that_comes_too_late_is_dropped() -> None:
    class Slow(Thinker):
        def decide(self, *args: Any, offers: bool) -> Decision:
            sleep(0.5)
            return Decision("1031|g")

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1072|g,1")
        sleep(0.2)
        guest.say("1038|g,-1", "1026|g,2,15")  # the server went on without it
        with pytest.raises(Exception, match="timed out"):
            guest.hear(1.0)
        guest.say(*OVER)

    play(serve, decider=Slow(), games=1)


def test_a_refusal_gives_no_more_time() -> None:
    """A server's clock runs from its last word that was new, not from a request it refused."""

    class Slow(Thinker):
        def decide(self, *args: Any, offers: bool) -> Decision:
            decision = super().decide(*args, offers=offers)
            sleep(0.4)
            return decision

    bad = "1040|g,0,0,4,0,0,0,0,0,1,0"
    thinker = Slow(bad, None, None)

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1028|g,12", "1025|g,20")
        assert guest.hear() == bad
        guest.say("1037|g,-1,1")
        assert guest.hear() == "1032|g"
        guest.say("1026|g,2,15", "1028|g,12", "1025|g,20")
        guest.say("1041|g,2,false,true,true,false,0,0,0,0,1,0,0,1,0,0")
        assert guest.hear() == "1037|g,0"
        guest.say(*OVER)

    play(serve, decider=thinker, games=1, thinking=1.0)
    first, second, answer = thinker.left
    assert second <= 0.6 < first <= 1.0
    assert second < answer <= 1.0


def test_offers_take_no_time_that_a_server_does_not_give(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server's clock runs from the last move: offers and what is said to them are none."""
    monkeypatch.setattr(sitting, "PROPOSING", 1.0)
    monkeypatch.setattr(sitting, "COMPOSING", 1.5)
    monkeypatch.setattr(sitting, "THINKING", 2.0)
    offer = "1041|g,1,true,false,true,false,0,1,0,0,0,1,0,0,0,0"
    bank = "1040|g,0,0,4,0,0,0,0,0,1,0"
    thinker = Thinker(offer, bank)

    def serve(guest: Guest) -> None:
        begun(guest, "1024|g,1,101,3,9", "1026|g,1,15", "1028|g,12", "1025|g,20")
        began = monotonic()
        assert guest.hear() == offer
        guest.say(offer, "1042|g,-1", "1037|g,0")  # seat 2 says nothing
        assert guest.hear() == "1038|g,0"
        assert 1.2 < monotonic() - began < 4.5  # and not REPLYING
        guest.say("1038|g,1", "1042|g,-1")
        assert guest.hear() == bank
        guest.say(f"{bank},1")
        assert guest.hear() == "1032|g"
        guest.say(*OVER)

    play(serve, decider=thinker, games=1, thinking=2.0)
    before, after, moved = thinker.left
    assert 0 < before <= 1.5  # time is left for replies
    assert after <= sitting.HASTE
    assert thinker.offers == [True, False, True]
    assert after < moved


def test_offers_are_answered_before_robots_lose_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sitting.ANSWERING < 5.0 < sitting.THINKING
    monkeypatch.setattr(sitting, "ANSWERING", 1.0)
    thinker = Thinker(None)

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,2,15", "1028|g,12", "1025|g,20")
        for asks in ("0,0,1,0,0", "0,1,0,0,0", "0,1,0,0,0"):  # the same again is another offer
            guest.say(f"1041|g,2,false,true,true,false,0,0,0,0,1,{asks}")
            assert guest.hear() == "1037|g,0"
            guest.say("1037|g,1")
            sleep(0.5)
        guest.say(*OVER)

    play(serve, decider=thinker, games=1)
    assert all(0.6 < left <= 1.0 for left in thinker.left)  # each has its own second
    assert len(thinker.left) == 3
