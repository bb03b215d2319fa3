"""The scripted player: how it decides (`policy`), what it builds, trades and plays for (`planning`,
`trading`, `playing`), by what it reckons (`speed`).

A folder of its own, so that a change of the player compiles no rule anew.
"""
