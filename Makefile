# Each target sets up all it needs in .environments/ and js/node_modules/; Python 3.11 or later and make are enough.
# A second run installs nothing, and needs no network, while nothing has changed.
PYTHON ?= python3
# Passed on: make unit ARGS="-k natural", make demo ARGS=--no-browser
ARGS ?=

newest := .environments/newest/bin/python
lowest := .environments/lowest/bin/python
environments := environment-lowest environment-newest environment-demo environment-bench \
    environment-fuzz environment-kernel6
root := $(filter 0,$(shell id -u))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help test lint format unit unit-js unit-lowest unit-newest package browser demo bench fuzz screenshots \
    bundle clean $(environments)

help:
	@echo 'make demo      JupyterLab on a copy of notebooks/quickstart.ipynb'
	@echo 'make test      everything below, as CI does'
	@echo 'make lint      linters and type checkers of both sides'
	@echo 'make unit      unit tests: js/, then Python with the lowest and with the newest dependencies'
	@echo 'make package   sdist and wheel, built and installed'
	@echo 'make browser   tests in JupyterLab and Notebook 7, in Chromium'
	@echo 'make bench     benchmarks, side by side with TensorBoard'
	@echo 'make fuzz      a million damaged and hostile records, and files of them, read'
	@echo 'make screenshots   the pictures in README.md, anew'
	@echo 'make format    format both sides'
	@echo 'make clean     remove all that was built or installed'

test: lint unit package browser

$(environments): environment-%:
	@$(PYTHON) tools/environments.py $*

bundle: environment-newest
	$(newest) tools/javascript.py bundle

lint: environment-newest
	$(newest) -m ruff check .
	$(newest) -m ruff format --check .
	$(newest) -m mypy
	$(newest) tools/javascript.py run check

format: environment-newest
	$(newest) -m ruff check --fix-only .
	$(newest) -m ruff format .
	$(newest) tools/javascript.py run format

unit: unit-js unit-lowest unit-newest

unit-js: environment-newest
	$(newest) tools/javascript.py run test

unit-lowest: environment-lowest bundle
	$(lowest) -m pytest tests/unit $(ARGS)

unit-newest: bundle
	$(newest) -m pytest tests/unit $(ARGS)

package: environment-newest
	$(newest) -m pytest tests/packaging $(ARGS)

browser: bundle environment-kernel6
	chromium="$$($(newest) tools/chromium.py)" && CHROMIUM="$$chromium" $(newest) -m pytest tests/browser $(ARGS)

# On a copy, so that running and saving it leaves the checkout as it is.
demo: environment-demo
	.environments/demo/bin/python tools/javascript.py bundle
	mkdir -p build/demo && cp -R notebooks build/demo/
	cd build/demo && ../../.environments/demo/bin/python -m jupyterlab \
	    $(if $(root),--allow-root) notebooks/quickstart.ipynb $(ARGS)

bench: environment-bench
	.environments/bench/bin/python tools/javascript.py bundle
	.environments/bench/bin/python -m tests.benchmarks.run $(ARGS)

fuzz: environment-fuzz
	.environments/fuzz/bin/python -m tests.fuzz.run $(ARGS)

screenshots: bundle
	$(newest) -m tools.screenshots $(ARGS)

clean:
	rm -rf .environments js/node_modules tbwidget/static dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find tbwidget tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
