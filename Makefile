# Everything runs in .venv, which the first target that needs it creates. After that no network is needed.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# Empty is as good as unset: tests start Python some hundred times, and without byte code every start compiles anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup test test-semantics test-spark test-spark-full test-rest verify verify-full mutants coq proofs fuzz soak browser lint map matrix test-engines site test-site wheel format clean
help:            ## show this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup: $(READY)  ## create .venv with the pinned versions

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "snapeq needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,engines,prove,spark]'
	@touch $@

test: test-semantics test-spark test-rest ## run the whole test suite, doctests included, with branch coverage of semantics/

# Coverage makes a test three times as slow: it is measured where every line has a test of its own, not on what is drawn at random.
RANDOM_TESTS := tests/semantics/test_properties.py tests/semantics/sql/test_lookalikes.py

# Tests that need a running Spark share a session. Two processes with one each keep two cores busy; files stay whole, and
# come in the order that their conftest.py gives them: the longest first. Together they take the processor seven and a half
# minutes on a machine that has fifteen times as much to do as it has cores (19 November 2026).
SPARK_TESTS := tests/physical/engines/spark tests/physical/adapters/spark tests/physical/adapters/sail tests/equivalence/dataframes

test-semantics: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term $(RANDOM_TESTS:%=--ignore=%) semantics tests/semantics tests/equivalence/reference_checks/test_golden.py

test-spark: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m 'not full' $(SPARK_TESTS)

test-spark-full: $(READY) ## the tests on Spark with more kills and longer runs of what make test does once
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(SPARK_TESTS)

test-rest: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/equivalence/reference_checks/test_golden.py $(SPARK_TESTS:%=--ignore=%) tests/equivalence $(RANDOM_TESTS) tests/physical tests/snapeq tests/proofs tests/meta tests/quality tests/benchmarks tests/fuzz tests/docs physical equivalence snapeq proofs examples *.md docs

verify: $(READY) ## run the main job: verify all that snapeq claims of itself, about four minutes on two cores
	$(BIN)/snapeq verify

verify-full: $(READY) ## the same in depth: every rule proved, several times as many cases
	$(BIN)/snapeq verify --full

mutants: $(READY) ## make 2,000 mutants from the source, try each, print those that survive: about an hour on two cores
	$(BIN)/python -m equivalence.mutants.machine --sample 2000 --seed $(or $(SEED),0) --jobs 2 --seconds 10

coq:             ## compile the Coq proofs, look for axioms, compare the extracted oracle with its recorded vectors
	@command -v coqc >/dev/null || { echo "make coq: coqc not found; on Debian: apt-get install coq" >&2; exit 1; }
	$(MAKE) -C proofs/coq check

proofs: $(READY) ## write the table of evidence and the leaves of all proofs anew
	$(BIN)/python -m proofs.generate

fuzz: $(READY)   ## give every parser bytes that are made to break it, for five minutes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'
	$(BIN)/python -m tests.fuzz

soak: $(READY)   ## run a live system under load for half an hour, kill it once, and compare: MINUTES=5 for less
	$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),30)

browser:         ## install Chromium for the tests of the page, if this is Debian and we may; without it they are skipped
	@command -v chromedriver >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		timeout 300 apt-get install -y --no-install-recommends chromium chromium-driver >/dev/null 2>&1; } || \
		echo "make browser: no Chromium; the tests of the page are skipped"

lint: $(READY)   ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

matrix: $(READY) ## try all engines that are here, and write docs/engines/matrix.md: CASES=600 for less
	$(BIN)/python -m docs.generate.engine_matrix $(or $(CASES),2000) $(ENGINES)

test-engines: $(READY) ## install all engines that others wrote, some 5 GB, and run the tests of their adapters
	$(BIN)/snapeq engines install apsw beam bytewax chdb d2ts daft datafusion db-ivm flink pathway pglite postgres sail
	$(BIN)/snapeq engines install duckdb@0.8.1 duckdb@1.0.0 datafusion@33.0.0
	$(BIN)/python -m pytest -n 1 tests/physical/adapters

map: $(READY)    ## draw the rooms of docs/architecture.md from the imports
	$(BIN)/python -m tests.quality.draw_rooms

site: $(READY)   ## build the site with the playground into site/; a warning or a broken link is an error
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	$(BIN)/python -m sphinx -q -W --keep-going -n -b html docs site
	$(BIN)/python -m docs.generate.playground site/play

test-site: site  ## test the site in a browser, if there is one
	$(BIN)/python -m pytest tests/docs

wheel: $(READY)  ## build the wheel and the source archive into dist/, and use each in an empty environment
	rm -rf dist
	$(BIN)/python -m hatchling build
	$(BIN)/python -m tests.snapeq.empty_environment dist/*.whl dist/*.tar.gz

format: $(READY) ## format the code and sort the imports
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .

clean:           ## remove .venv and all caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz .coverage dist site
