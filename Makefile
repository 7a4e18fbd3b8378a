# Each target sets up all it needs in .environments/ and js/node_modules/; Python 3.11 or later and make are enough.
# A second run installs nothing, and needs no network, while nothing has changed.
PYTHON ?= python3
# Passed on: make unit ARGS="-k natural", make demo ARGS=--no-browser
ARGS ?=

# What has been compiled once serves the processes that follow.
unexport PYTHONDONTWRITEBYTECODE

newest := .environments/newest/bin/python
lowest := .environments/lowest/bin/python
environments := environment-lowest environment-newest environment-demo environment-bench \
    environment-fuzz environment-kernel6 environment-hosts environment-writers
root := $(filter 0,$(shell id -u))

# What `make test` does at once, on two cores: some of it waits, and environments are downloaded while others are used.
# What a target says comes when it has ended, and together.
parallel := $(MAKE) --no-print-directory --jobs=4 --output-sync=target

# Followers, writers and five browsers on two cores sometimes lose a timer, a socket or a window to one another: what fails
# is printed, and runs once more, one at a time; an example that hypothesis found is tried again then. What fails twice has
# failed, and so has all else pytest ends with. A run of pytest, and what it takes only the first time.
tested = if $(1) -o cache_dir=.pytest_cache/$@ $(2) $(ARGS); then :; \
    elif [ $$? -eq 1 ]; then \
        echo 'What failed, once more and one at a time:' && \
        $(1) -o cache_dir=.pytest_cache/$@ --last-failed --last-failed-no-failures=none --exitfirst $(ARGS); \
    else exit 1; fi

.DEFAULT_GOAL := help
.PHONY: chromium help test lint format unit unit-js unit-lowest unit-newest package browser hosts writers demo bench fuzz \
    screenshots bundle clean $(environments)

help:
	@echo 'make demo      JupyterLab on a copy of notebooks/quickstart.ipynb'
	@echo 'make test      everything below, as CI does'
	@echo 'make lint      linters and type checkers of both sides'
	@echo 'make unit      unit tests: js/, then Python with the lowest and with the newest dependencies'
	@echo 'make package   sdist and wheel, built and installed'
	@echo 'make browser   tests in JupyterLab and Notebook 7, in Chromium'
	@echo 'make hosts     tests in marimo, Voila and Firefox'
	@echo 'make writers   tests with torch, TensorFlow, Keras, Lightning and tensorboardX as writers'
	@echo 'make bench     benchmarks, side by side with TensorBoard'
	@echo 'make fuzz      a million damaged and hostile records, and files of them, read'
	@echo 'make screenshots   the pictures in README.md, anew'
	@echo 'make format    format both sides'
	@echo 'make clean     remove all that was built or installed'

# The browser tests use both cores themselves.
test:
	+@$(parallel) unit package lint environment-kernel6 chromium
	+@$(MAKE) --no-print-directory browser

# By any Python: it needs none of the environments, and downloads while they compute.
chromium:
	@$(PYTHON) tools/chromium.py

$(environments): environment-%:
	@$(PYTHON) tools/environments.py $*

bundle: environment-newest
	$(newest) tools/javascript.py bundle

lint: bundle
	$(newest) -m ruff check .
	$(newest) -m ruff format --check .
	$(newest) -m mypy
	$(newest) tools/javascript.py run check

format: environment-newest
	$(newest) -m ruff check --fix-only .
	$(newest) -m ruff format .
	$(newest) tools/javascript.py run format

unit: unit-lowest unit-newest unit-js

unit-js: bundle
	$(newest) tools/javascript.py run test

# The same examples in every run, so that nothing fails but what somebody has changed; ARGS=--hypothesis-seed=1 has others.
seeded := tests/unit --hypothesis-seed=0

unit-lowest: environment-lowest bundle
	$(call tested,$(lowest) -m pytest $(seeded) --hypothesis-profile=few -m "not simulation",)

# The lowest dependencies bring no xdist: that run is one process, and must not be what the others wait for in the end.
unit-newest: environment-newest bundle
	$(call tested,nice $(newest) -m pytest $(seeded),--numprocesses=2)

package: environment-newest
	$(call tested,$(newest) -m pytest tests/packaging,)

browser: bundle environment-kernel6
	chromium="$$($(newest) tools/chromium.py)" && export CHROMIUM="$$chromium" && \
	    $(call tested,$(newest) -m pytest tests/browser,--numprocesses=5 --dist=loadgroup)

# Firefox, Node and npm must be there.
hosts: environment-hosts bundle
	cd tests/hosts/js && npm ci --no-audit --no-fund
	chromium="$$(.environments/hosts/bin/python tools/chromium.py)" && CHROMIUM="$$chromium" \
	    .environments/hosts/bin/python -m pytest tests/hosts $(ARGS)

# The libraries take 2 GB.
writers: environment-writers
	.environments/writers/bin/python tools/javascript.py bundle
	.environments/writers/bin/python -m pytest tests/writers $(ARGS)

# On a copy, so that running and saving it leaves the checkout as it is.
demo: environment-demo
	.environments/demo/bin/python tools/javascript.py bundle
	mkdir -p build/demo && cp -R notebooks build/demo/
	cd build/demo && ../../.environments/demo/bin/python -m jupyterlab \
	    $(if $(root),--allow-root) --LabApp.default_url=/lab/tree/notebooks/quickstart.ipynb $(ARGS)

bench: environment-bench
	.environments/bench/bin/python tools/javascript.py bundle
	.environments/bench/bin/python -m tests.benchmarks.run $(ARGS)

fuzz: environment-fuzz
	.environments/fuzz/bin/python -m tests.fuzz.run $(ARGS)

screenshots: bundle
	$(newest) -m tools.screenshots $(ARGS)

clean:
	rm -rf .environments js/node_modules tbwidget/static labextensions dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find tbwidget tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
