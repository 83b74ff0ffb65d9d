# `make demo` and `make test` do everything on a fresh machine: virtual environment, build, run.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Processes that run the tests.
WORKERS ?= 2
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What is tested has the checks of the standard library in it. A build directory of its own keeps them out of the wheel.
CHECKED = --config-settings=cmake.define.METAPHRASE_ASSERTIONS=ON --config-settings=build-dir=$(abspath build)/checked-{wheel_tag}
CORE := $(shell find src/core -name '*.?pp')
FUZZERS := $(shell find fuzz/core -name '*.?pp')
BUILD := pyproject.toml CMakeLists.txt packages/companions.py $(shell find src/core -type f)
SOURCES := $(BUILD) $(shell find src/metaphrase examples -type f -not -name '*.pyc')
TRAINING := CMakeLists.txt $(shell find packages/metaphrase-training src/core -type f)

.PHONY: demo develop test quick test-random test-clusters test-guests test-wheel test-oldest test-newest sanitize sanitize-threads determinism determinism-aarch64 fuzz fuzz-core faults check workflows docs \
  format bench wheel data-wheels sdist reproducible web web-test clean

demo: $(VENV)/.installed $(VENV)/.pivots
	@$(BIN)/metaphrase demo

# All that tests need; after it, `.venv/bin/python -m pytest` runs what was edited. Only C++ has to be built again.
develop: $(VENV)/.developer $(VENV)/.installed $(VENV)/.training $(VENV)/.czech $(VENV)/.encoder

# The whole suite, or part of it: make test TESTS="tests/metrics/test_ter.py -x".
test: develop
	$(BIN)/python -m pytest -n $(WORKERS) -m "not clusters" $(TESTS)

# Kernels, statistics, files and metrics with few random examples, without processes, browsers and large models.
QUICK := tests/matching tests/statistics tests/corpus tests/metrics tests/lexicon tests/scoring tests/meta tests/gate
quick: develop
	METAPHRASE_QUICK=1 $(BIN)/python -m pytest -n $(WORKERS) -m "not clusters and not slow" $(or $(TESTS),$(QUICK))

# Property tests draw the same examples in each run; here they draw others.
test-random: develop
	METAPHRASE_RANDOM=1 $(BIN)/python -m pytest -n $(WORKERS) -m "not clusters" $(TESTS)

# Jobs on clusters of Dask and Ray, one after the other.
test-clusters: develop
	$(BIN)/python -m pytest -m clusters tests/jobs

# The suite with sanitizers in the core; TESTS="tests/matching -x" runs a part of it (docs/reliability.md).
sanitize: $(VENV)/.developer build/address/.installed
	sh tests/sanitizers/run.sh address $(BIN)/python -n $(WORKERS) $(TESTS)

sanitize-threads: TESTS ?= tests/test_threads.py tests/scoring tests/serve tests/matching tests/analysis
sanitize-threads: $(VENV)/.developer build/thread/.installed
	sh tests/sanitizers/run.sh thread $(BIN)/python -n $(WORKERS) $(TESTS)

check: $(VENV)/.developer $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.toml
	$(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run -Werror $(CORE) $(FUZZERS)
	printf '%s\n' $(filter %.cpp,$(CORE)) | xargs -n 1 -P $$(nproc) $(CXX) -std=c++20 -fsyntax-only -Werror \
	  @src/core/warnings.txt -Isrc/core -isystem $$($(BIN)/python -m nanobind --include_dir) \
	  -isystem $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')

# The site, in build/docs; a warning is an error, and links between pages are checked.
docs: $(VENV)/.docs $(VENV)/.installed
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --jobs auto docs build/docs
	@echo "Open it in a browser: file://$(abspath build/docs)/index.html"

format: $(VENV)/.developer
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CORE) $(FUZZERS)

# Measures what the wheel carries, without the checks of test builds.
bench: $(VENV)/.bench build/plain/.installed
	PYTHONPATH=$(abspath build/plain/site) $(BIN)/python -m benchmarks

# `make test` lets a few system calls of each command go wrong; this lets each of them, in each way.
faults: $(VENV)/.developer $(VENV)/.installed
	METAPHRASE_FAULTS=all $(BIN)/python -m pytest -n $(WORKERS) tests/faults

# Damaged files and hostile texts for everything that reads any: TIME seconds in all, TARGET for some alone.
TIME ?= 60
SEED ?= 1
fuzz: $(VENV)/.fuzz $(VENV)/.developer $(VENV)/.installed $(VENV)/.training $(VENV)/.czech $(VENV)/.pivots
	PYTHONPATH="$(abspath $(VENV))/fuzz" $(BIN)/python -m fuzz --time $(TIME) --seed $(SEED) \
	  $(foreach name,$(TARGET),--target $(name))

# Scores by other compilers and on an old processor, and on another architecture (Debian, as root): an hour on two cores.
DETERMINISM := PATH="$(abspath $(BIN)):$$PATH" PYTHONPATH=tests $(BIN)/python -m determinism

determinism: $(VENV)/.developer $(VENV)/.installed $(VENV)/.pivots
	$(DETERMINISM).compilers

determinism-aarch64: $(VENV)/.developer $(VENV)/.installed $(VENV)/.pivots
	$(DETERMINISM).aarch64

# What a release is made of (docs/releasing.md). The date of the last commit is that of every file, so that the same sources
# make the same bytes.
wheel data-wheels sdist reproducible: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1700000000)
wheel data-wheels sdist reproducible: export METAPHRASE_RELEASE = 1

# All that `pip install dist/*.whl` needs of ours.
wheel: $(VENV)/.release
	rm -f dist/*.whl
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist . ./packages/metaphrase-analysers
	$(BIN)/python -m release.wheels dist

# The other packages of models and tables, which are the same for every system.
data-wheels: $(VENV)/.release
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist/data ./packages/metaphrase-czech ./packages/metaphrase-encoder \
	  ./packages/metaphrase-pivots

sdist: $(VENV)/.release
	rm -f dist/*.tar.gz
	$(BIN)/python -m build --no-isolation --sdist --outdir dist .

# Once more from nothing, from the source distribution and in a folder outside of the clone: every byte must be the same.
AGAIN ?= $(or $(TMPDIR),/tmp)/metaphrase-again
reproducible: wheel sdist
	rm -rf $(AGAIN) && mkdir -p $(AGAIN)/sources
	tar xf dist/metaphrase-*.tar.gz -C $(AGAIN)/sources --strip-components 1
	$(BIN)/python -m build --no-isolation --sdist --outdir $(AGAIN)/dist $(AGAIN)/sources
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir $(AGAIN)/dist $(AGAIN)/sources
	$(BIN)/python -m release.wheels $(AGAIN)/dist
	$(BIN)/python -m release.compare dist $(AGAIN)/dist

# The suite on the wheel: with the versions that we develop with, the oldest that it allows, the newest that there are.
test-wheel test-oldest test-newest: test-%: wheel
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir build/training packages/metaphrase-training
	PYTHON=$(BIN)/python release/test_installed.sh $* -n $(WORKERS) $(TESTS)

# Guests with the libraries that they are for, which are gigabytes and have an environment of their own.
test-guests: $(VENV)/.developer $(VENV)/.installed build/guests/.installed
	METAPHRASE_GUEST_PYTHON=$(CURDIR)/build/guests $(BIN)/python -m pytest tests/guests

build/guests/.installed: requirements/guests.txt
	$(PYTHON) -m venv --clear build/guests
	build/guests/bin/python -m pip install -q -r $<
	@touch $@

# GitHub's workflows, and the one that others copy; actionlint is used where it is there (docs/releasing.md).
workflows: $(VENV)/.release
	$(BIN)/zizmor --offline --quiet .github examples/ci/gate.yml
	if command -v actionlint > /dev/null; then actionlint .github/workflows/*.yml examples/ci/gate.yml; fi

# The pages of report and serve. The result is committed, so that only those who change web/ need Node. Where the
# dataclasses of explanations have changed, `python web/schema.py` comes first; a test says so.
web: web-test
	cd web && npm run build

web-test:
	cd web && npm ci --no-audit --no-fund && npm run check && npm test

# The core under libFuzzer, with clang: so many seconds in all, one target after the other.
fuzz-core:
	$(MAKE) -C fuzz/core BUILD=$(abspath build/fuzz) TIME=$(TIME) run

clean:
	rm -rf $(VENV) build dist

# Versions are pinned in requirements/*.txt; the package itself only states ranges.
$(VENV)/.created:
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.build: requirements/build.txt $(VENV)/.created
	@echo "Fetching what builds the package …"
	@$(PIP) install -r $<
	@touch $@

$(VENV)/.developer: requirements/developer.txt $(VENV)/.build
	@echo "Fetching what tests and checks need …"
	@$(PIP) install -r $< -c requirements/runtime.txt
	@touch $@

$(VENV)/.docs: requirements/docs.txt $(VENV)/.build
	$(PIP) install -r $< -c requirements/runtime.txt
	@touch $@

$(VENV)/.release: requirements/release.txt $(VENV)/.build
	$(PIP) install -r $<
	@touch $@

$(VENV)/.bench: requirements/benchmark.txt $(VENV)/.developer
	$(PIP) install -r $< -c requirements/runtime.txt
	@touch $@

# Beside the environment, not in it: tests run without.
$(VENV)/.fuzz: requirements/fuzz.txt $(VENV)/.build
	@echo "Fetching Atheris …"
	@$(PIP) install --upgrade --target $(VENV)/fuzz -r $< || echo "Going on without: there is none for this Python."
	@touch $@

$(VENV)/.runtime: requirements/runtime.txt $(VENV)/.build
	@echo "Fetching what the package needs …"
	@$(PIP) install -r $<
	@touch $@

# Python runs from src/, so that an edit needs nothing; an edit of C++ compiles what includes it. `EDITABLE=` installs
# the package as others get it, which .ci/run tests.
EDITABLE ?= --editable
$(VENV)/.installed: $(VENV)/.runtime $(BUILD) | $(VENV)/.analysers
	@echo "Compiling the core and installing metaphrase: two minutes on two cores, longer on a busy machine …"
	@$(PIP) install --no-build-isolation --no-deps --force-reinstall $(CHECKED) $(EDITABLE) .
	@touch $@

# What only training/ needs and the wheel does not carry; its tests run in `make test`.
$(VENV)/.training: $(VENV)/.build $(TRAINING)
	@echo "Compiling the trainers of the analysers …"
	@$(PIP) install --no-build-isolation --no-deps --force-reinstall $(CHECKED)-training packages/metaphrase-training
	@touch $@

build/plain/.installed: $(VENV)/.runtime $(SOURCES)
	@echo "Compiling the core as the wheel has it …"
	@$(PIP) install --no-build-isolation --no-deps --upgrade --target build/plain/site .
	@touch $@

# Both once more with sanitizers, outside of $(VENV).
build/%/.installed: tests/sanitizers/build.sh $(VENV)/.runtime $(VENV)/.analysers $(VENV)/.czech $(SOURCES) $(TRAINING)
	@echo "Compiling the core with sanitizers ($*) …"
	@sh $< $* $(BIN)/python

# Packages of data, from the folders that make them: what every installation has, the Czech models, the encoder for
# accord:context and the pivots of TESLA.
.SECONDEXPANSION:
$(VENV)/.analysers $(VENV)/.czech $(VENV)/.encoder $(VENV)/.pivots: $(VENV)/.%: $(VENV)/.build $$(shell find packages/metaphrase-$$* -type f -not -name '*.pyc')
	@echo "Installing metaphrase-$* …"
	@$(PIP) install --no-build-isolation --no-deps --force-reinstall ./packages/metaphrase-$*
	@touch $@
