# One command each. Needs Python 3.11 or newer (as python3, or say PYTHON=...), make and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
PACKAGES := packages/kbdb packages/khabot packages/mcp-lite
PROJECTS := $(PACKAGES:%=%/pyproject.toml)
SOURCES := $(PACKAGES:%=%/src)
SCRIPTS := $(wildcard conftest.py docs/*.py bench/*.py bench/suites/*.py tools/*.py)
TESTS := $(wildcard tests packages/*/tests)
DEMO := build/demo

.DEFAULT_GOAL := help
.PHONY: help demo test setup format lint imports types docs docs-check bench-smoke check pins clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.kbdb ## learn this project's docs into a fresh knowledge base and search it
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(BIN)/kbdb db init --db $(DEMO)/.kbdb
	$(BIN)/kbdb learn docs --db $(DEMO)/.kbdb
	$(BIN)/kbdb search "merge two copies of a base" --limit 3 --db $(DEMO)/.kbdb
	$(BIN)/kbdb search "recipe for a chocolate cake" --db $(DEMO)/.kbdb
	@echo
	@echo "Now ask it yourself:  $(BIN)/kbdb search \"how do I skip files\" --db $(DEMO)/.kbdb"

test: setup ## set up and run all tests
	$(BIN)/python -m pytest

setup: $(VENV)/.dev ## make .venv with everything that development needs

format: setup ## format the code
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

lint: setup ## style, formatting and spelling
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/codespell

imports: setup ## the rules of who may import whom
	$(BIN)/lint-imports --no-cache

types: setup ## static types
	$(BIN)/mypy $(SOURCES) $(TESTS) $(SCRIPTS)

docs: setup ## write the reference pages anew
	$(BIN)/python docs/generate.py

docs-check: setup ## fail when the reference pages differ from the code
	$(BIN)/python docs/generate.py --check

bench-smoke: setup ## show that every benchmark runs, on sizes that finish in seconds
	$(BIN)/python -m bench.run_benchmark --smoke

check: ## everything that must be green before a change is done
	CI=true ./.ci/run

pins: ## choose newer versions for requirements/dev.txt
	rm -rf build/pins
	$(PYTHON) -m venv build/pins
	build/pins/bin/python -m pip --quiet install -r requirements/dev.in
	build/pins/bin/python -m pip freeze | grep == | sort -f > requirements/dev.txt

clean: ## remove everything that was made
	rm -rf $(VENV) build .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "kbdb needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo not installed)." >&2; \
	  echo "Name another one:  make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# What running kbdb needs, at the pinned versions.
$(VENV)/.kbdb: requirements/dev.txt packages/kbdb/pyproject.toml | $(BIN)/python
	$(PIP) install -c requirements/dev.txt hatchling editables
	$(PIP) install -c requirements/dev.txt --no-build-isolation -e packages/kbdb
	@touch $@

# What developing needs besides.
$(VENV)/.dev: requirements/dev.txt $(PROJECTS) | $(BIN)/python
	$(PIP) install -r requirements/dev.txt
	$(PIP) install --no-deps --no-build-isolation $(PACKAGES:%=-e %)
	@touch $@ $(VENV)/.kbdb
