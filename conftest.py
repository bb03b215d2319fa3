"""What is collected: the doctests of the pages only where the extra `web` is installed."""

import importlib.util

collect_ignore = (
    [f"facedown/table/web/{name}.py" for name in ("lobby", "parts", "replay", "seat", "study")]
    if importlib.util.find_spec("nicegui") is None
    else []
)
