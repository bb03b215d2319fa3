"""Settings of all tests."""

from hypothesis import settings

# A first call may compile or load compiled code: no test here is about time.
settings.register_profile("facedown", deadline=None)
settings.load_profile("facedown")
