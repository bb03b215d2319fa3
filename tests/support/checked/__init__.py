"""Games written to try `facedown check` on: five honest ones of different kinds, and their faults.

Nothing of the laws was made with them in mind. `benchmarks/check_faults.py` runs the check on all.
"""
