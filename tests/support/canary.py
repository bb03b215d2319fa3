"""A game whose secrets are words that nobody would write by chance."""

from facedown import CHANCE, OVER, Stream
from facedown.core.lessons import Question

WORDS = ("zanzibar", "quetzal", "xylophone", "kumquat", "<b>jackdaw</b>", "oryx&gnu")


class Canary:
    """Two players get a word each, say yes or no three times in turn, and show them."""

    players = 2
    bounds = (-1.0, 1.0)
    moves = len(WORDS) + 2
    most_moves = len(WORDS)
    most_plies = 8
    lesson = "Each has a word. Say yes or no, three times."
    quiz = (
        Question("What do you say?", ("a word", "yes or no"), 1, "the words are secret"),
        Question("How often?", ("three times", "never"), 0, "three times each"),
    )

    def start(self):
        return ((), ())

    def turn(self, s):
        words, said = s
        if len(words) < 2:
            return CHANCE
        return OVER if len(said) == 6 else len(said) % 2

    def legal(self, s):
        words, _ = s
        return [word for word in WORDS if word not in words] if len(words) < 2 else ["yes", "no"]

    def apply(self, s, move):
        words, said = s
        return ((*words, move), said) if len(words) < 2 else (words, (*said, move))

    def sees(self, s, move, viewer):
        if len(s[0]) == 2:
            return move
        return f"your word is {move}" if len(s[0]) == viewer else "a word is dealt"

    def payoff(self, s):
        gain = 1.0 if s[1].count("yes") % 2 else -1.0
        return gain, -gain

    def hide(self, s, viewer):
        return (tuple(w if p == viewer else "?" for p, w in enumerate(s[0])), s[1])

    def infoset(self, s, viewer):
        return self.hide(s, viewer)

    def determinize(self, s, viewer, stream: Stream):
        words = list(s[0])
        for p, word in enumerate(words):
            if word == "?":
                words[p] = stream.choice([w for w in WORDS if w not in words])
        return (tuple(words), s[1])

    def copy(self, s):
        return s

    def view_text(self, s, viewer):
        return f"words: {' '.join(s[0])}; said: {' '.join(s[1])}"

    def hidden_text(self, s, viewer):
        return " | ".join(f"player {p} has {w}" for p, w in enumerate(s[0]) if p != viewer)
