"""OpenSpiel's games here."""

import sys
from typing import ClassVar

import pytest

from facedown import SpecError, load_game, match
from facedown.bridges.openspiel import MissingOpenSpielError
from facedown.core import CHANCE, OVER, PUBLIC, RuleError, Stream
from support import EXAMPLES

NEEDED = "the extra openspiel is not installed"


def test_the_extra_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingOpenSpielError, match=r"pip install 'facedown\[openspiel\]'"):
        load_game("openspiel:kuhn_poker")


@pytest.fixture
def pyspiel():
    return pytest.importorskip("pyspiel", reason=NEEDED)


def rules_of(pyspiel, name):
    """A game of OpenSpiel's by the contract, whatever its resampler is like."""
    from facedown.bridges.openspiel.games import OpenSpielGame, opened

    return OpenSpielGame(opened(name))


def positions(game, seed, most=60):
    """Positions of a random game, with the tokens that each player has had by then."""
    stream, truth = Stream(seed), game.start()
    tokens = [[] for _ in range(game.players)]
    for _ in range(most):
        if (turn := truth.turn()) == OVER:
            return
        move = truth.draw(stream) if turn == CHANCE else stream.choice(truth.legal())
        for player, told in enumerate(tokens):
            told.append(truth.sees(move, player))
        truth.play(move)
        yield truth, [tuple(filter(None, told)) for told in tokens]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("kuhn_poker", None),
        ("leduc_poker(players=3)", None),
        ("hearts", None),
        ("bridge(use_double_dummy_result=false)", None),
        ("liars_dice", "there is none"),
        ("gin_rummy", "knows"),  # gives the truth itself
        ("blackjack", "knows"),  # never the true card: it is not put back
        ("euchre", "knows"),  # only the cards that were dealt are dealt again
    ],
)
def test_a_resampler_is_trusted_where_it_knows_no_more_than_the_player(pyspiel, name, why):
    from facedown.bridges.openspiel.resampling import fault

    found = fault(rules_of(pyspiel, name))
    assert found is None if why is None else why in found


@pytest.mark.parametrize("planted", ["world", "seen", "legal"])
def test_a_faulty_resampler_is_found(pyspiel, planted, monkeypatch):
    from facedown.bridges.openspiel import resampling

    rules, draw = rules_of(pyspiel, "leduc_poker"), resampling.draw

    def faulty(state, seed):
        history = list(draw(state, seed))
        if planted == "world":  # the other's card as it is
            return tuple(state.history())
        if planted == "seen":  # another card of one's own
            me = state.current_player()
            history[me] = next(card for card in range(6) if card not in history[:2])
            return tuple(history)
        return tuple(history[:-1])  # an earlier state

    monkeypatch.setattr(resampling, "draw", faulty)
    assert "player" in resampling.fault(rules) or "seen" in resampling.fault(rules)


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "phantom_ttt", "crazy_eights", "goofspiel(num_cards=4)"]
)
def test_views_tell_what_was_observed_and_nothing_else(pyspiel, name):
    game, seen = load_game(f"openspiel:{name}"), {}
    for seed in range(4):
        for truth, tokens in positions(game, seed, 30):
            for player, told in enumerate(tokens):
                view = truth.view(player)
                digest = seen.setdefault((player, told), view.digest())
                assert digest == view.digest()
                assert view.infoset(player) == truth.infoset(player)
                assert view.view(player).digest() == digest
                if truth.turn() == player:
                    assert view.turn() == player
                    assert view.choices() == truth.choices()
            assert truth.view(PUBLIC).digest() == game.start().view(PUBLIC).digest()
    assert len(set(seen.values())) > 8


@pytest.mark.parametrize("name", ["leduc_poker", "hearts"])
def test_worlds_of_the_resampler_keep_the_view_and_come_from_nothing_else(pyspiel, name):
    game, changed = load_game(f"openspiel:{name}"), 0
    for truth, _ in positions(game, 3):
        player = truth.turn()
        if player < 0:
            continue
        for k in range(3):
            world, again = truth.view(player), truth.view(player)
            world.determinize(player, Stream(k))
            view = world.view(player).digest()
            assert view == truth.view(player).digest()
            changed += world.digest() != truth.digest()
            again.determinize(player, Stream(k))
            assert again.digest() == world.digest()
    assert changed > 3
    with pytest.raises(RuleError, match="for whoever is to act"):
        game.start().view(0).determinize(0, Stream(1))


@pytest.mark.parametrize(
    "name", ["leduc_poker", "liars_dice(dice_sides=3)", "python_kuhn_poker", "matrix_rps"]
)
def test_agents_play_its_games(pyspiel, name):
    result = match(f"openspiel:{name}", ["so-ismcts:iterations=40", "random"], games=4, seed=2)
    assert (result.games, result.errors) == (4, 0)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("nothing", "does not load: Unknown game 'nothing'"),
        ("kuhn_poker(players=99)", "does not load"),
        ("tarok", "no history can be played again"),
        ("mfg_garnet", "no players to seat"),
        ("crossword", "no numbers"),
        ("bridge", r"bridge\(use_double_dummy_result=false\) is wanted"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(pyspiel, name, wrong, capfd):
    with pytest.raises(SpecError, match=wrong) as told:
        load_game(f"openspiel:{name}")
    assert "\n" not in str(told.value)
    assert capfd.readouterr().err == ""


def test_words_are_those_that_never_change(pyspiel):
    game = load_game("openspiel:leduc_poker")
    position = game.start()
    while position.turn() == CHANCE:
        position.apply(position.legal()[0])
    assert position.legal_text() == ["Call", "Raise"]
    chess = load_game("openspiel:dark_chess").start()
    assert all("x" not in word for word in chess.legal_text())


def evaluated(pyspiel, game, bots, games):
    """What the first bot gets, by OpenSpiel's own loop in C++."""
    return [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0] for seed in range(games)]


@pytest.mark.parametrize("name", ["leduc_poker", "liars_dice(dice_sides=3)", "facedown_kuhn"])
def test_an_agent_is_a_bot_there(pyspiel, name):
    import numpy as np
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    from facedown.bridges.openspiel import bot, register

    register("kuhn")
    game, other = pyspiel.load_game(name), pyspiel.make_uniform_random_bot(1, 5)
    ours = bot(name, "so-ismcts:iterations=50", 0, seed=1)
    first = evaluated(pyspiel, game, [ours, other], 2)
    again = bot(game, "so-ismcts:iterations=50", 0, seed=1)
    assert evaluated(pyspiel, game, [again, pyspiel.make_uniform_random_bot(1, 5)], 2) == first
    returns = evaluate_bots(game.new_initial_state(), [ours, other], np.random.RandomState(3))
    assert len(returns) == 2


def test_a_bot_hears_what_its_player_sees_and_is_shown_nothing_else(pyspiel):
    from facedown import Agent
    from facedown.bridges.openspiel import bot

    class Told(Agent):
        """Keeps what it is told; plays the first legal move."""

        told: ClassVar[list[str]] = []

        def observe(self, token, text):
            self.told.append(text)

        def choose(self, view, legal):
            self.told.append(view.text(self.player))
            assert view.viewer == self.player
            return legal[0]

    stories = []
    for other in (0, 2):
        Told.told.clear()
        state = pyspiel.load_game("kuhn_poker").new_initial_state()
        ours = bot(state.get_game(), Told, 0)
        for card in (1, other):  # nobody informs the bot: the state tells
            state.apply_action(card)
        assert ours.step(state) == 0
        stories.append(list(Told.told))
    assert stories[0] == stories[1]
    assert len(stories[0]) >= 2
    with pytest.raises(SpecError, match="players 0 to 1"):
        bot("kuhn_poker", "random", 2)
    with pytest.raises(SpecError, match="no agent 'nobody'"):
        bot("kuhn_poker", "nobody", 0)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars-dice", "phantom-ttt", "cribbage"])
def test_our_games_pass_the_checks_of_openspiel(pyspiel, spec, capfd):
    from facedown.bridges.openspiel import register

    game = pyspiel.load_game(register(spec))
    assert register(spec) == game.get_type().short_name
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=False)


def test_our_games_are_observed_there_as_here(pyspiel):
    from open_spiel.python.observation import make_observation

    from facedown.bridges.openspiel import register

    game = pyspiel.load_game(register("leduc"))
    states = []
    for card in (0, 2):  # what player 1 is dealt
        state = game.new_initial_state()
        for outcome in (0, card):
            state.apply_action(state.legal_actions()[outcome])
        states.append(state)
    one, two = states
    assert one.information_state_string(0) == two.information_state_string(0)
    assert one.information_state_string(1) != two.information_state_string(1)
    assert one.observation_tensor(0) == two.observation_tensor(0)
    assert one.observation_tensor(1) != two.observation_tensor(1)
    assert one.to_observation_struct(0).to_json() == two.to_observation_struct(0).to_json()
    assert one.to_json() != two.to_json()
    none = pyspiel.PrivateInfoType.NONE
    public = make_observation(game, pyspiel.IIGObservationType(True, False, none))
    seen = []
    for state in states:
        public.set_from(state, 0)
        seen.append((public.string_from(state, 0), public.tensor.tolist()))
    assert seen[0] == seen[1]
    copy = one.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert len(one.history()) + 1 == len(copy.history())
    assert one.truth.position.digest() != copy.truth.position.digest()
    struct = one.action_to_struct(0, one.legal_actions()[0])
    assert one.struct_to_actions(struct) == [one.legal_actions()[0]]


def test_what_cannot_be_registered_is_told(pyspiel):
    from facedown.bridges.openspiel import register

    with pytest.raises(SpecError, match="no numbers that last"):
        register(f"{EXAMPLES / 'bluff.py'}:Bluff")
    with pytest.raises(SpecError, match="has a game 'leduc_poker' already"):
        register("leduc", "leduc_poker")
