# make demo: set everything up in .venv and show what the program does
# make test: set everything up and pass the checks and the tests, but those that take long by nature
# make test-all: the same with all tests
# make test-cluster: a tournament on a Ray cluster of three nodes on this machine, one of them killed
# make docs: the documentation site, in site/ (needs the extra `docs`, which it installs)
# make wheel: a wheel for this platform with compiled code in it, in dist/ (some minutes)
# make setup: set up alone; make bench: speed against peers (needs the extra `peers`)

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# the tests of a file mostly in one process, which then loads its game and its searches once
TESTS := $(BIN)/python -m pytest -n 2 --dist worksteal

# Many tests start programs: where no bytecode is kept each of them would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup browser demo test test-all test-cluster lint types layers unit unit-all docs wheel bench clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(READY)

# a browser for the tests of the table, where it is missing and Debian's tools may install it
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || (apt-get install -y -qq chromium >/dev/null 2>&1 \
	  || (apt-get update -qq && apt-get install -y -qq chromium) >/dev/null 2>&1 \
	  || echo "no Chromium, and none can be installed here: the tests in a browser are skipped")

demo: setup
	$(BIN)/facedown demo

test: lint types layers unit

test-all: lint types layers unit-all

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports

unit: setup browser
	$(TESTS) -m "not slow"

unit-all: setup browser
	$(TESTS)

test-cluster: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[cluster]"
	$(BIN)/python -m pytest tests/arena/test_cluster.py

docs: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/python -m mkdocs build --quiet --strict
	@echo "the site is in site/index.html"

wheel: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[release]"
	$(BIN)/python release/build_wheel.py

bench: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[peers,plots]"
	$(BIN)/python benchmarks/peers.py
	$(BIN)/python benchmarks/threads.py
	$(BIN)/python benchmarks/counting.py
	$(BIN)/python benchmarks/cheat_key.py
	$(BIN)/python benchmarks/startup.py

clean:
	rm -rf .venv build site *.egg-info
