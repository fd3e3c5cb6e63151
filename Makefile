# make run   sets up what is missing and starts the dashboard
# make test  sets up what is missing and runs all tests, those in a real browser included

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
BIN := .venv/bin
# one more than most machines of a class have cores: a browser test waits as often as it computes
WORKERS ?= 3
# who may open the dashboard: this machine; for a class in the same network: make run ADDRESS=0.0.0.0
ADDRESS ?= localhost
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: run test cover lint types oldest docs wheel format samples clean

run: .venv/run
	$(BIN)/streamlit run app.py --server.address $(ADDRESS)

test: .venv/test .venv/browser lint types
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup --durations=8

# which lines no test runs; takes half as long again
cover: .venv/test .venv/browser
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup --cov --cov-report=term:skip-covered

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/test
	$(BIN)/mypy

# the core at the oldest versions that pyproject.toml allows, in an environment of its own
oldest: .venv/python
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-oldest.txt pytest pytest-xdist hypothesis pypdf
	.venv-oldest/bin/python -m pytest -n $(WORKERS) tests/test_ensemble.py tests/test_method.py tests/test_partition.py \
		tests/test_scores.py tests/test_similarity.py tests/test_estimators.py tests/test_reading.py tests/test_record.py \
		tests/test_provenance.py tests/test_command.py tests/test_evidence.py tests/test_paper.py tests/test_notebooks.py \
		tests/test_neighbours.py tests/test_files.py -p no:cacheprovider

# the reference as static pages in docs/pages; examples in docstrings are run
docs: .venv/test
	$(BIN)/python -m docs.make

wheel: .venv/test
	rm -rf build  # what an earlier build left would come along
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps -w dist .

format: .venv/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

samples: .venv/run
	$(BIN)/python sample_data/make_samples.py

clean:
	rm -rf .venv .venv-oldest build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

.venv/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with venv is needed, and none was found. Install one (on Debian: apt install python3-venv), or name it: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/run: .venv/python requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/test: .venv/run requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

.venv/browser: .venv/test
	$(BIN)/python -m tests.browser.chromium
	@touch $@
