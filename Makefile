# Every target sets up what it needs: an environment in .venv with the package built into it.
#
#   make reproduce   compute every published figure and compare; findings go to results/
#   make test        lint, types and the quick tests
#   make test-long   the same with the tests that take minutes, and the notebooks
#   make bench       time the proofs and print a table, some minutes; RUNS=1 make bench is quicker
#   make bench-parts speed of the parts that matter
#   make docs        the documents as a Web site, build/docs/index.html
#   make notebooks   run those in experiments/ and compare what they print with what is in them
#   make clean       remove whatever was built
#
# PYTHON=python3.12 make ... chooses the interpreter (3.11 or later, with its headers);
# THREADS=1 make reproduce the number of threads. make browser adds what the tests in tests/browser/
# need beside a Chromium.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
THREADS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

EXTRAS ?= dev

RUNS ?= 5

# Test files are shared out among as many processes as there are processors.
PARALLEL ?= -n auto --dist loadfile

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := pyproject.toml setup.py MANIFEST.in $(wildcard ext/*.pyx ext/*.c ext/*.h)

.PHONY: all setup browser reproduce lint test test-long bench bench-parts docs notebooks clean
all: test

setup: $(STAMP)

# The stamp is the last thing written, so that a set-up cut short is begun again.
$(STAMP): $(SOURCES)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; set PYTHON=..." >&2; exit 1; }
	@rm -f $@
	@$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

# What only one target needs is added when that target is made.
$(VENV)/.docs $(VENV)/.notebooks $(VENV)/.browser: $(VENV)/.%: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

# What the tests in tests/browser/ need beside a Chromium.
browser: $(VENV)/.browser

reproduce: $(STAMP)
	$(BIN)/moo reproduce --threads $(THREADS)

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -q -m "not long" $(PARALLEL)

test-long: lint $(VENV)/.notebooks
	$(BIN)/pytest -q $(PARALLEL)

bench: $(STAMP)
	$(BIN)/python experiments/benchmark.py --print --runs $(RUNS)

bench-parts: $(STAMP)
	$(BIN)/pytest -q --benchmark-only tests/bench_*.py

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W --keep-going -q -c docs -d build/doctrees . build/docs
	@echo 'build/docs/index.html'

notebooks: $(VENV)/.notebooks
	$(BIN)/pytest -q tests/test_notebooks.py

clean:
	rm -rf $(VENV) build dist *.egg-info .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -f moo_research/*.so
	find moo_research tests -name __pycache__ -type d -exec rm -rf {} +
