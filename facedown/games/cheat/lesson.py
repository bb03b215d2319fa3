"""The rules for people, and the quiz before the first game (Bitan and Kraus 2017, section 5)."""

from __future__ import annotations

from facedown.core.lessons import Question

RULES = """\
Be rid of your cards. You and your opponent have eight each; one card is turned up on the table.

In your turn, do one of three things:
  claim   Lay down one to four cards, face down, and claim them to be of the rank one higher or one
          lower than the last claim; the first claim goes by the card turned up. After a king comes
          an ace, and before an ace a king. You may lie. `true higher 2` lays two cards of the
          higher rank; `lie lower 1` lays one card of another rank and claims the lower. What a lie
          lays down is drawn from your other cards.
  call    Call the claim just made a lie. All that lies on the table is shown. If the claim was a
          lie, whoever made it takes all those cards; if it was true, you do. The rank that was
          claimed stands, and your opponent's turn is next.
  take    Take a card from the deck, while there is one.

If you have laid down your last card, your opponent has one more move. If your hand is still empty
when your turn comes round, you have won. After 100 turns, both players' counted, whoever holds
fewer cards has won."""

QUIZ = (
    Question(
        "The last claim was two kings. What may you claim?",
        ("kings only", "queens or aces", "any rank", "queens only"),
        1,
        "a claim goes one rank up or down, and the ace follows the king",
    ),
    Question(
        "Your opponent claims one 7. You call, and it was a 7. Who takes the cards on the table?",
        ("your opponent", "nobody", "you"),
        2,
        "whoever calls a true claim takes them all",
    ),
    Question(
        "Your opponent claimed two 9s, you called, and it was a lie. Which claims may follow?",
        ("8s or 10s", "9s again", "whatever your opponent likes"),
        0,
        "the claimed rank stands even if it was a lie",
    ),
    Question(
        "You lay down your last card with a lie. Have you won?",
        ("yes, at once", "only if your opponent does not call", "no, a lie cannot win"),
        1,
        "your opponent has one more move; a call would give you the pile",
    ),
)
