"""Games in plain Python for the tests of the arena."""

from facedown.core import CHANCE, OVER


class HighCard:
    """Each of `players` gets a card of six, unseen by the others, then stays or folds.

    The highest card that stays takes 1; with no card left all get 0.5.
    """

    bounds = (0.0, 1.0)
    most_plies = 20

    def __init__(self, players: int = 3) -> None:
        self.players = players

    def start(self):
        return {"cards": [], "said": []}

    def turn(self, s):
        if len(s["cards"]) < self.players:
            return CHANCE
        return len(s["said"]) if len(s["said"]) < self.players else OVER

    def legal(self, s):
        if len(s["cards"]) < self.players:
            return [("deal", card) for card in range(6) if card not in s["cards"]]
        return ["stay", "fold"]

    def apply(self, s, move):
        if isinstance(move, tuple):
            s["cards"].append(move[1])
        else:
            s["said"].append(move)

    def sees(self, s, move, viewer):
        if isinstance(move, tuple) and viewer != len(s["cards"]):
            return None
        return move

    def payoff(self, s):
        left = [card for card, said in zip(s["cards"], s["said"], strict=True) if said == "stay"]
        return [0.5 if not left else float(card == max(left)) * 1.0 for card in s["cards"]]

    def hide(self, s, viewer):
        s["cards"] = [card if p == viewer else None for p, card in enumerate(s["cards"])]

    def infoset(self, s, viewer):
        return (s["cards"][viewer] if viewer < len(s["cards"]) else None, tuple(s["said"]))


class Numbered(HighCard):
    """Its words for moves are its own."""

    def move_text(self, move):
        return f"gets {move[1]}" if isinstance(move, tuple) else move.upper()


class Raises(HighCard):
    """A rule that fails once the second player has spoken."""

    def apply(self, s, move):
        super().apply(s, move)
        if len(s["said"]) == 2:
            raise KeyError("lost the cards")


class Unlucky(HighCard):
    """A rule that fails where the first card is the highest of all."""

    def apply(self, s, move):
        super().apply(s, move)
        if s["cards"][0] == 5 and s["said"]:
            raise KeyError("lost the cards")


class Wordless(HighCard):
    """Its text fails."""

    def observation_text(self, value, viewer):
        raise KeyError("no words")


class Lavish(HighCard):
    """Pays more than its bounds allow."""

    def payoff(self, s):
        return [2.0] * self.players


class Endless(HighCard):
    """Never ends."""

    def turn(self, s):
        return max(0, super().turn(s))

    def legal(self, s):
        return ["stay"]
