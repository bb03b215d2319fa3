"""Agents apart: each in a process of its own, which is sent what its player may know and no more.

`seat.apart` seats an agent so in a game; `server` is the process that their processes are forked
from, `runner` what runs in one of them, `jail` what it is locked in with. What passes between a
match and an agent is lines of JSON (docs/protocol.md).
"""
