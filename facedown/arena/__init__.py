"""Matches, statistics, records of games.

`tournament.run_match` plays a match of many games, `match.play_game` a single one;
`records.read_records` and `replay.replay` take saved games up again.
"""
