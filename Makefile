# `make demo` and `make test` do everything on a fresh machine: virtual environment, build, run.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Processes that run the tests.
WORKERS ?= 2
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What is tested has the checks of the standard library in it. A build folder of its own keeps them out of the wheel.
CHECKED = --config-settings=cmake.define.METAPHRASE_ASSERTIONS=ON --config-settings=build-dir=$(abspath build)/checked-{wheel_tag}
CORE := $(shell find src/core -name '*.?pp')
SOURCES := pyproject.toml CMakeLists.txt $(shell find src -type f -not -name '*.pyc')
TRAINING := CMakeLists.txt $(shell find packages/metaphrase-training src/core -type f)

.PHONY: demo test sanitize sanitize-threads check docs format bench wheel web web-test clean

demo: $(VENV)/.installed $(VENV)/.pivots
	@PATH="$(abspath $(BIN)):$$PATH" sh examples/demo.sh

test: $(VENV)/.developer $(VENV)/.installed $(VENV)/.training
	$(BIN)/python -m pytest -n $(WORKERS)

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
	$(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run -Werror $(CORE)
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
	$(BIN)/clang-format -i $(CORE)

# Measures what the wheel carries, without the checks of test builds.
bench: $(VENV)/.bench build/plain/.installed
	PYTHONPATH=$(abspath build/plain/site) $(BIN)/python -m benchmarks

wheel: $(VENV)/.build
	$(PIP) wheel --no-build-isolation --no-deps --wheel-dir dist .

# The pages of report and serve. The result is committed, so that only those who change web/ need Node.
web: web-test
	cd web && npm run build

web-test:
	cd web && npm ci --no-audit --no-fund && npm run check && npm test

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

$(VENV)/.bench: requirements/benchmark.txt $(VENV)/.developer
	$(PIP) install -r $< -c requirements/runtime.txt
	@touch $@

$(VENV)/.runtime: requirements/runtime.txt $(VENV)/.build
	@echo "Fetching what the package needs …"
	@$(PIP) install -r $<
	@touch $@

$(VENV)/.installed: $(VENV)/.runtime $(SOURCES)
	@echo "Compiling the core and installing metaphrase: two minutes on two cores, longer on a busy machine …"
	@$(PIP) install --no-build-isolation --no-deps --force-reinstall $(CHECKED) .
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
build/%/.installed: tests/sanitizers/build.sh $(VENV)/.runtime $(SOURCES) $(TRAINING)
	@echo "Compiling the core with sanitizers ($*) …"
	@sh $< $* $(BIN)/python

# The extra [pivots], which TESLA reads, from the folder that makes it.
$(VENV)/.pivots: $(VENV)/.build $(shell find packages/metaphrase-pivots -type f -not -name '*.pyc')
	@echo "Installing the pivots of TESLA …"
	@$(PIP) install --no-build-isolation --no-deps --force-reinstall ./packages/metaphrase-pivots
	@touch $@
