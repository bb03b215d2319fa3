"""Work off the event loop, kind by kind: what takes long keeps nobody waiting for anything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Beside:
    """Threads for one kind of work: so many of it at once, and the rest in turn."""

    def __init__(self, name: str, at_once: int) -> None:
        self._threads = ThreadPoolExecutor(at_once, name)

    async def __call__(self, deed: Callable[P, R], *args: P.args, **more: P.kwargs) -> R:
        """What a deed gives."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(deed, *args, **more))


FORMS = Beside("forms", 200)
"""Tables that are wanted: they wait for a game that is compiled, which takes a minute."""
STORIES = Beside("stories", 8)
"""Games to look back on."""
ADVICE = Beside("advice", 50)
"""Hints and beliefs, which wait for a place to think at."""
LONG = Beside("long", 2)
"""Beliefs over time, and whole games as a page."""
RULES = Beside("rules", 2)
"""Rule files that are tried, in processes."""
