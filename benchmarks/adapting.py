"""What adapting to the person at the table is worth: predictions of claims, with and without.

    python benchmarks/adapting.py RECORDS [MODEL]

Each claim is predicted as `sdmcts` does at the table, with the times that it would be told, by the
model alone and with `adapt=true`; the model is the one that comes with the game unless another is
named. Areas under the ROC curve and log losses, of all claims and of those after 20 rounds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

from facedown.arena.replay import plies
from facedown.belief.predictor import Adaptation, Model, features_of, load_predictor, share_of
from facedown.core import CHANCE, Game
from facedown.games.registry import load_game
from facedown.learn.corpus import response
from facedown.store.records import GameRecord, read_records

LATE = 20


def predictions(
    game: Game, model: Model, record: GameRecord
) -> Iterator[tuple[bool, float, float, int]]:
    """Of every claim: whether it was false, both predictions of that, and its round."""
    features = features_of(game)
    seconds: list[list[float]] = [[], []]
    people, said = [Adaptation(), Adaptation()], [dict[int, float](), dict[int, float]()]
    for move, position in plies(record, game):
        if move.player != CHANCE:
            seconds[move.player].append(response(record, move))
        player = position.turn()
        if player < 0:
            continue
        view = position.view(player).record
        for moment, label in features.revealed(view, player).items():
            if moment in said[player]:
                people[player].update(said[player].pop(moment), label == features.labels[1])
        label, moment = position.secret(player), features.moment(view)
        if label in features.labels:
            odds = model.log_odds(features.values(view, player, seconds[1 - player]))
            said[player][moment] = odds
            yield label == features.labels[1], share_of(odds), people[player].share(odds), moment


def main() -> None:
    records = list(read_records(sys.argv[1]))
    game = load_game(records[0].game)
    model = load_predictor(sys.argv[2] if len(sys.argv) > 2 else game.predictor, game)
    rows = [row for record in records for row in predictions(game, model, record)]
    false, alone, adapted, moment = (np.array(column) for column in zip(*rows, strict=True))
    for name, some in (("all claims", moment >= 0), (f"after {LATE} rounds", moment >= LATE)):
        print(f"{name}: {some.sum()}")
        for how, shares in (("model alone", alone), ("adapting", adapted)):
            area = roc_auc_score(false[some], shares[some])
            loss = log_loss(false[some], shares[some])
            print(f"  {how:12} AUC {area:.3f}  log loss {loss:.4f}")


if __name__ == "__main__":
    main()
