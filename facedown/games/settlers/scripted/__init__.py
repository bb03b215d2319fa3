"""The scripted player: how it decides (`policy`), by what it reckons (`speed`).

A folder of its own, so that a change of the player compiles no rule anew.
"""
