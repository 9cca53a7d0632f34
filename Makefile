# Everything happens in .venv, made with any Python 3.11 or later: make PYTHON=python3.13 test
PYTHON ?= python3
EXTRAS ?= dev
comma := ,
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-$(subst $(comma),-,$(EXTRAS))
export PYTHONWARNINGS ?= default

.PHONY: demo readme test lint format bench .bench conformance clean help

help:
	@echo "make demo         check the example web shop and show what is wrong with it"
	@echo "make test         run every check: format, lint, types, layers, tests"
	@echo "make conformance  hold the policy engine against other projects' suites (needs ../shared)"
	@echo "make bench        measure speed and memory as ratios"

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	touch $(STAMP)

demo: $(STAMP)
	cd fixtures/web-shop && ../../$(BIN)/netlint check --exit-zero manifests

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: lint
	$(BIN)/pytest --numprocesses=auto --dist=worksteal

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

readme: $(STAMP)
	$(BIN)/python tests/readme/update.py

conformance: $(STAMP)
	$(BIN)/python tests/conformance/run.py

bench:
	$(MAKE) EXTRAS=dev,bench .bench

.bench: $(STAMP)
	$(BIN)/python tests/bench/run.py

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
