"""The rules for people, and the quiz before the first game."""

from __future__ import annotations

from facedown.core.lessons import Question

RULES = """\
Be the first with ten points, in your own turn. A settlement is worth one point, a city two, the
longest road two, the largest army two, and some development cards one each.

The island has nineteen hexes that yield brick, ore, sheep, wheat or wood; the desert yields
nothing. At the start everybody places two settlements with a road each, forwards around the table
and then back. The second settlement yields a card for each hex that it touches.

A turn: `roll` the dice. Every hex with that number yields a card for each settlement on its corners
and two for each city, unless the robber stands there. The bank has nineteen cards of each kind.
Then, in any order:
  build   road (brick, wood), settlement (brick, sheep, wheat, wood), city (three ore, two wheat; it
          replaces a settlement). Roads go on from your own. Between any two buildings there are at
          least two roads' lengths. You have 15 roads, 5 settlements and 4 cities.
  buy     a development card (ore, sheep, wheat). You may play one a turn, not one bought in this
          turn, also before the dice. A knight moves the robber; road building places two roads; a
          year of plenty takes two cards from the bank; a monopoly takes all cards of one kind from
          everybody. Victory cards stay hidden until they win.
  trade   with the bank, four cards alike for one, at a harbour three or two for one; or with other
          players, by offers that they accept or reject.

On a seven nobody gets cards. Whoever has more than seven cards discards half of them; whoever
rolled moves the robber and steals a card from somebody with a building there.

The longest road (five or more, in one piece, not through others' buildings) and the largest army
(three knights or more) belong to whoever has had the most first. As soon as you have ten points in
your turn, `claim` the game."""

QUIZ = (
    Question(
        "Somebody else reaches your longest road's length of six. Who has its two points?",
        ("both", "the newcomer", "you", "nobody"),
        2,
        "the holder keeps it while nobody's is longer",
    ),
    Question(
        "You buy a knight. When may you play it?",
        ("at once", "in your next turn, even before the dice", "in your next turn, after the dice"),
        1,
        "never in the turn in which it was bought; afterwards also before the dice",
    ),
    Question(
        "You hold nine cards, and somebody rolls a seven. How many do you discard?",
        ("two", "four", "five", "none, it is not your turn"),
        1,
        "half of them, rounded down, whoever rolled",
    ),
    Question(
        "You get the tenth point while another player has the turn. What happens?",
        ("you win at once", "you win when your turn begins", "the turn is played to its end"),
        1,
        "one wins only in one's own turn, but at its start already",
    ),
)
