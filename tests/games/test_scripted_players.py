"""The games' own rule-of-thumb players: legal, blind to what is hidden, better than random."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import CHANCE, Stream
from facedown.games.liars_dice.scripted import chance_of
from facedown.games.liars_dice.text import Table
from support.playing import REGISTERED, VARIANTS, game, histories, played, random_moves

COMPILED = [*REGISTERED, *VARIANTS]


def scripted(position, stream):
    player = position.turn()
    view = position.view(player)
    return game(position.game.spec).definition.scripted(
        view.record, player, position.legal(), stream
    )


@pytest.mark.parametrize("spec", COMPILED)
@given(seed=st.integers(0, 2**63))
@settings(max_examples=25, deadline=None)
def test_scripted_moves_are_legal(spec, seed):
    for position, move in random_moves(game(spec), seed):
        if move >= 0 and position.turn() != CHANCE:
            assert scripted(position, Stream(seed)) in position.legal()


def mean_payoff(spec, n):
    """What the scripted player wins a game against one who plays at random."""
    total = 0.0
    for seed in range(n):
        stream, position, seat = Stream(seed), game(spec).start(), seed % 2
        while not position.over:
            if position.turn() == CHANCE:
                move = position.draw(stream)
            elif position.turn() == seat:
                move = scripted(position, stream)
            else:
                move = stream.choice(position.legal())
            position.apply(move)
        total += position.payoff()[seat]
    return total / n


@pytest.mark.parametrize(
    ("spec", "least", "games"),
    [
        ("kuhn", 0.1, 2000),
        ("leduc", 0.4, 2000),
        ("liars-dice", 0.4, 2000),
        ("phantom-ttt", 0.4, 400),
        ("cheat", 0.4, 100),
    ],
)
def test_scripted_players_beat_random_ones(spec, least, games):
    assert mean_payoff(spec, games) > least


def test_kuhns_book_earns_the_value_of_the_game():
    """Both by the book: the first player wins -1/18 a game."""
    from facedown.games.kuhn import BETS

    total = 0.0
    for _, position, reach in histories(game("kuhn").start()):
        if position.over:
            cards, line = position.record["cards"], position.record["line"]
            for k in range(position.record["n"]):
                bets = BETS[tuple(int(m) for m in line[:k])][int(cards[k % 2])]
                reach *= bets if line[k] == 1 else 1 - bets
            total += reach * position.payoff()[0]
    assert total == pytest.approx(-1 / 18)


def test_liars_dice_odds():
    table = Table(players=2, dice=1, faces=6)
    odds = {bid: chance_of(table, [3], k) for k, bid in enumerate(map(table.move_text, range(12)))}
    assert odds["1x3"] == 1
    assert odds["1x2"] == pytest.approx(1 / 3)
    assert odds["1x6"] == pytest.approx(1 / 6)
    assert odds["2x3"] == pytest.approx(1 / 3)
    assert odds["2x6"] == 0


def test_a_hopeless_bid_is_called():
    position = played("liars-dice", "roll 3", "roll 2", "2x6")
    assert position.game.move_text(scripted(position, Stream(1))) == "liar"
