"""Strangers: players of The Resistance in families, to learn from and to be met for the first time.

A family is a way of playing with drawn parameters; each number is one player of it, always the
same. Half of the families are to learn from (`training`), the other half are kept out of all
training and tuning (`kept`): what learns never imports them, and a contract of imports holds it to
that. All are compiled and decide from their view alone.
"""
