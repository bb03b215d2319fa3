"""The order of the legal moves that an agent is handed says nothing of what is hidden."""

from __future__ import annotations

import pytest

from facedown.agents.base import Agent
from facedown.arena.game import play_game
from facedown.core import CHANCE, OVER, Position, RuleError, Stream
from facedown.core.plain import adapt
from facedown.core.plainly import rank
from facedown.games.registry import load_game
from support.guessed_card import CARDS, GuessedCard

GAMES = 60


class First(Agent):
    """Plays what comes first, and notes what it was handed."""

    def choose(self, view, legal):
        self.handed = [self.game.move_text(move) for move in legal], list(legal)
        return legal[0]


def wins(game):
    """How often the first move wins, and all that the guesser was handed."""
    made = []

    def seat(game, player):
        made.append(First(game, player, seed=0))
        return made[-1]

    records = [play_game(game, [seat, seat], deal_seed=k) for k in range(GAMES)]
    handed = [agent.handed for agent in made if agent.player == 0]
    return sum(record.payoffs[0] > 0 for record in records), handed


def test_the_first_move_wins_no_more_where_the_rules_list_the_hidden_card_first():
    leaking, handed = wins(adapt(GuessedCard(), "leaking"))
    honest, same = wins(adapt(GuessedCard(leaks=False), "honest"))
    assert leaking == honest < GAMES / 2
    assert handed == same  # neither order nor numbers differ from game to game
    assert all(texts == list(CARDS) and numbers == [0, 1, 2] for texts, numbers in handed)


def test_other_moves_on_the_view_than_in_truth_are_the_fault_of_the_rule():
    game = adapt(GuessedCard(missing=True), "missing")
    with pytest.raises(
        RuleError, match=r"on its view are king/queen, in truth ace/king/queen"
    ) as e:
        wins(game)
    assert e.value.rule == "legal"
    assert e.value.moves


@pytest.mark.parametrize("spec", ["kuhn", "resistance", "cribbage", "settlers"])
def test_what_is_offered_is_the_view_and_the_legal_moves(spec):
    game, stream = load_game(spec), Stream(5)
    position, pending = game.start(), 0
    for _ in range(150):
        turn = position.turn()
        if turn == OVER:
            break
        if turn == CHANCE:
            position.apply(position.draw(stream))
            continue
        view, legal = position.offer(turn)
        assert legal == sorted(position.legal())
        assert view.digest() == position.view(turn).digest()
        pending += view.turn() != turn
        position.apply(stream.choice(legal))
    assert pending > 0 or spec not in ("resistance", "cribbage")


def test_values_of_any_kind_have_an_order():
    values = [("b", 2), "z", 10, 9.5, ("b", 1), frozenset({1}), "a", (), True]
    backwards = values[::-1]
    once, again = sorted(values, key=rank), sorted(backwards, key=rank)
    assert once == again == [True, 9.5, 10, "a", "z", (), ("b", 1), ("b", 2), frozenset({1})]


def test_a_view_as_json_has_every_field_and_nothing_that_is_hidden():
    game = load_game("kuhn")
    truth: Position = game.start()
    for text in ("deal K", "deal J"):
        truth.apply(game.parse_move(text, truth.legal()))
    seen = truth.view(0).to_json()
    assert seen["turn"] == 0
    assert list(seen["state"]) == list(game.definition.State.names)
    assert seen["state"] != truth.to_json()["state"]
    plain = adapt(GuessedCard(), "leaking")
    dealt = plain.start()
    assert dealt.to_json() == {"turn": "chance", "state": []}
    dealt.apply(dealt.legal()[1])
    assert dealt.view(0).to_json() == {"turn": 0, "state": ["?"]}
