"""An agent that fails loses one game, and the match goes on."""

import signal
import threading

import pytest

from facedown.arena.clock import Overrun, limited
from facedown.arena.match import run_match
from facedown.core import RuleError, SpecError
from support import SUPPORT

PLAYERS = SUPPORT / "players.py"


def against_first(name, *, clock=None, games=2, isolate=None):
    agents = [f"{PLAYERS}:{name}", f"{PLAYERS}:First"]
    return run_match("kuhn", agents, games, 5, clock=clock, isolate=isolate)


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raising", "ValueError: no idea at all (" + str(PLAYERS)),
        ("RaisingAtSetUp", "ZeroDivisionError: not ready"),
        ("RaisingWhenAskedWhetherItCheats", "ValueError: none of your business"),
        ("RaisingWhenAskedWhatItHas", "ValueError: no "),
        ("RaisingAtObservation", "LookupError: "),
        ("Leaving", "SystemExit: 3"),
        ("Illegal", "IllegalMove: 99 is not legal here; legal: pass, bet"),
        ("Texting", "NotAMove: choose gave str"),
        ("Truthy", "NotAMove: choose gave bool"),
        ("WrongSummary", "TypeError: WrongSummary is not plain JSON"),
    ],
)
def test_faults_are_losses_with_their_reasons(name, reason, isolate):
    result = against_first(name, isolate=isolate)
    loser, winner = result.agents
    assert result.errors == sum(loser.forfeits.values()) == 2
    assert all(given.startswith(reason) for given in loser.forfeits)
    assert (loser.wins, loser.mean_payoff) == (0, -2.0)
    assert (winner.wins, winner.mean_payoff, winner.forfeits) == (2, 2.0, {})


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize("name", ["Sleeping", "Looping", "SlowToObserve"])
def test_an_agent_beyond_its_clock_is_stopped(name, isolate):
    result = against_first(name, clock=0.4, games=1, isolate=isolate)
    assert result.agents[0].forfeits == {"Overrun: more than 0.4 s for a move": 1}
    assert result.agents[1].wins == 1


def test_a_clock_that_nobody_overruns_changes_nothing():
    plain, clocked = against_first("Last"), against_first("Last", clock=30.0)
    assert plain.agents == clocked.agents
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_off_the_main_thread_the_clock_is_read_afterwards():
    results = []
    thread = threading.Thread(
        target=lambda: results.append(
            run_match("kuhn", [f"{PLAYERS}:Slow", f"{PLAYERS}:First"], 1, 5, clock=0.4)
        )
    )
    thread.start()
    thread.join()
    assert results[0].agents[0].forfeits == {"Overrun: more than 0.4 s for a move": 1}


def test_a_limit_strikes_again_where_the_first_strike_was_swallowed():
    def stubborn():
        try:
            while True:
                pass
        except Overrun:
            while True:
                pass

    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(Overrun):
        limited(0.05, stubborn)
    assert signal.getsignal(signal.SIGALRM) is before


def test_the_fault_of_a_game_inside_a_search_stops_the_run():
    with pytest.raises(RuleError) as caught:
        against_first("BreaksRules", isolate=False)
    assert caught.value.seed == 5
    assert caught.value.moves[0].startswith("deal")
    assert caught.value.moves[-1] == "inner"


def test_what_an_isolated_agent_says_of_the_rules_is_taken_for_its_own_fault():
    (reason,) = against_first("BreaksRules", isolate=True).agents[0].forfeits
    assert reason.startswith("RuleError: ")


def test_a_bad_option_is_its_users_fault():
    with pytest.raises(SpecError, match="0 or more is wanted"):
        against_first("Chooser:strength=-1")
    with pytest.raises(SpecError, match="no option 'power'; its options: strength"):
        against_first("Chooser:power=1")


def test_forfeits_share_the_win_among_the_others():
    games = SUPPORT / "arena_games.py"
    agents = [f"{PLAYERS}:Raising", f"{PLAYERS}:First*2"]
    result = run_match(f"{games}:HighCard", agents, 3, 5)
    assert (result.agents[0].wins, result.agents[0].draws) == (0, 0)
    assert (result.agents[1].wins, result.agents[1].draws, result.agents[1].games) == (0, 6, 6)
