"""What is collected: doctests of what an extra is wanted for only where it is installed."""

import importlib.util

EXTRAS = {
    "nicegui": [f"table/web/{name}.py" for name in ("lobby", "parts", "replay", "seat", "study")],
    "gymnasium": ["bridges/rl/single.py"],
    "pettingzoo": ["bridges/rl/aec.py"],
}
collect_ignore = [
    f"facedown/{file}"
    for package, files in EXTRAS.items()
    if importlib.util.find_spec(package) is None
    for file in files
]
