"""What several tests share: games, players, oracles, and ways to run things.

Tests say `from support.NAME import ...`; they do not import each other. A file of games or players
is loaded by its path, `SUPPORT / "tiny.py"`, as a user's own would be.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS, EXAMPLES = ROOT / "tests", ROOT / "examples"
SUPPORT = TESTS / "support"
CHILD_PATH = f"{ROOT}{os.pathsep}{TESTS}"  # what a process of its own imports from, by PYTHONPATH
