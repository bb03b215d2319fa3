"""One game: who is told what, who is handed what, and what chance draws."""

import pytest

from facedown.agents.base import Agent, RandomAgent
from facedown.arena.game import play_game
from facedown.core import CHANCE, RuleError, Stream, derive
from facedown.games.registry import load_game
from support import SUPPORT

HIGH_CARD = f"{SUPPORT / 'arena_games.py'}:HighCard"


class Recorder(Agent):
    """Keeps all that it is handed."""

    def __init__(self, game, player, seed=0):
        super().__init__(game, player, seed)
        self.observed, self.views, self.legals = [], [], []

    def observe(self, token, text):
        self.observed.append((token, text))

    def choose(self, view, legal):
        self.views.append(view)
        self.legals.append(list(legal))
        return legal[-1]


class CheatingRecorder(Recorder):
    cheats = True


def recorded(game, deal_seed, kinds):
    made = []

    def make(kind):
        def maker(own_game, player):
            made.append(kind(own_game, player))
            return made[-1]

        return maker

    record = play_game(game, [make(kind) for kind in kinds], deal_seed)
    return record, made


def cards_dealt(record):
    return [move.text for move in record.moves if move.player == CHANCE]


def test_tokens_come_to_each_player_in_order_own_moves_included():
    record, (first, second) = recorded(load_game("kuhn"), 7, [Recorder, Recorder])
    mine, yours = (f"you are dealt {text[-1]}" for text in cards_dealt(record))
    assert [text for _, text in first.observed] == [mine, "a card is dealt face down", "bet", "bet"]
    assert [text for _, text in second.observed] == [
        "a card is dealt face down",
        yours,
        "bet",
        "bet",
    ]
    assert [token for token, _ in first.observed][1:] == [6, 2, 2]


def test_nothing_is_told_of_what_is_seen_as_nothing():
    record, agents = recorded(load_game(HIGH_CARD), 3, [Recorder] * 3)
    for player, agent in enumerate(agents):
        own = cards_dealt(record)[player]
        assert [text for _, text in agent.observed] == [own, "stay", "stay", "stay"]


def test_views_are_blanked_and_only_cheats_get_the_truth():
    record, (honest, cheat) = recorded(load_game("kuhn"), 7, [Recorder, CheatingRecorder])
    assert record.cheats == (False, True)
    cards = ["JQK".index(text[-1]) for text in cards_dealt(record)]
    assert list(honest.views[0].record["cards"]) == [cards[0], -1]
    assert list(cheat.views[0].record["cards"]) == cards


def test_views_of_plain_games_are_blanked_and_live_in_a_game_of_their_own():
    game = load_game(HIGH_CARD)
    _, agents = recorded(game, 3, [Recorder] * 3)
    for player, agent in enumerate(agents):
        (view,) = agent.views
        assert view.game is agent.game is not game
        assert [card is None for card in view.record["cards"]] == [p != player for p in range(3)]
        assert len(agent.game.rules.objects) == 1  # its own view: nobody else's, and not the truth
        assert [agent.game.move_text(move) for move in agent.legals[0]] == ["fold", "stay"]


class Vandal(Recorder):
    """Spoils all that it is handed, then plays the first move."""

    def choose(self, view, legal):
        first = legal[0]
        if view.game.compiled:
            view.block[:] = 255
        else:
            view.record["cards"][:] = [9, 9, 9]
            view.record["said"].append("stay")
        legal.clear()
        return first


class VandalCheat(Vandal):
    cheats = True


@pytest.mark.parametrize("kind", [Vandal, VandalCheat])
@pytest.mark.parametrize("name", ["kuhn", HIGH_CARD])
def test_spoiling_a_view_or_the_list_of_moves_does_not_hurt_the_match(name, kind):
    game = load_game(name)
    honest = [lambda own, player: Fixed(own, player, 0)] * game.players
    expected = play_game(game, honest, 5)
    record, _ = recorded(game, 5, [kind] * game.players)
    assert not record.forfeits
    assert record.payoffs == expected.payoffs
    assert [move.text for move in record.moves] == [move.text for move in expected.moves]


class Fixed(Agent):
    def choose(self, view, legal):
        return legal[0]


def test_chance_draws_its_kth_move_from_a_stream_of_its_own():
    game = load_game("kuhn")
    record, _ = recorded(game, 123, [Recorder, Recorder])
    position = game.start()
    for k in range(2):
        move = position.draw(Stream(derive(123, k)))
        assert record.moves[k].move == move
        position.apply(move)


def test_the_deal_depends_on_its_seed_alone_and_agents_on_theirs():
    """The same agents' seeds tell nothing of the deal: it varies over all cards while they stay."""
    game = load_game("kuhn")

    def random_agents(seed):
        return [lambda own, player: RandomAgent(own, player, derive(seed, player))] * 2

    same_agents = [play_game(game, random_agents(1), deal) for deal in range(60)]
    assert len({tuple(cards_dealt(record)) for record in same_agents}) == 6
    same_deal = [play_game(game, random_agents(seed), 1) for seed in range(30)]
    assert len({tuple(cards_dealt(record)) for record in same_deal}) == 1
    assert len({tuple(move.text for move in record.moves) for record in same_deal}) > 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Raises", "lost the cards"),
        ("Wordless", "no words"),
        ("Lavish", "not within bounds"),
        ("Endless", "most_plies"),
    ],
)
def test_a_fault_of_the_game_stops_it_with_seed_and_moves(name, said):
    game = load_game(f"{SUPPORT / 'arena_games.py'}:{name}")
    with pytest.raises(RuleError, match=said) as caught:
        play_game(game, [lambda own, player: Fixed(own, player, 0)] * 3, 77)
    assert caught.value.seed == 77
    if name == "Raises":
        assert [text[:7] for text in caught.value.moves[:3]] == ["('deal'"] * 3
        assert caught.value.moves[3:] == ("fold",)


def test_ctrl_c_passes_through():
    class Interrupted(Agent):
        def choose(self, view, legal):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_game(load_game("kuhn"), [lambda own, player: Interrupted(own, player, 0)] * 2, 1)


def test_the_wrong_number_of_agents_is_refused():
    with pytest.raises(ValueError, match="has 2 players"):
        play_game(load_game("kuhn"), [lambda own, player: Fixed(own, player, 0)], 1)
