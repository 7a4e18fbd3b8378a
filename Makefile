# Each target sets up all it needs in .environments/ and js/node_modules/; Python 3.11 or later and make are enough.
# A second run installs nothing, and needs no network, while nothing has changed.
PYTHON ?= python3
# Passed on: make unit ARGS="-k natural", make demo ARGS=--no-browser
ARGS ?=

# What has been compiled once serves the processes that follow.
unexport PYTHONDONTWRITEBYTECODE

newest := .environments/newest/bin/python
lowest := .environments/lowest/bin/python
environments := environment-lowest environment-newest environment-demo environment-docs environment-bench \
    environment-fuzz environment-kernel6 environment-hosts environment-projections environment-stores \
    environment-writers
root := $(filter 0,$(shell id -u))

# What `make test` does at once, on two cores: some of it waits, and environments are downloaded while others are used.
# What a target says comes when it has ended, and together.
parallel := $(MAKE) --no-print-directory --jobs=4 --output-sync=target

.DEFAULT_GOAL := help
.PHONY: chromium help test lint format unit unit-js unit-lowest unit-newest package browser docs hosts projections \
    stores writers tutorials demo bench fuzz screenshots pictures bundle generated changelog clean $(environments)

help:
	@echo 'make demo      JupyterLab on a copy of notebooks/quickstart.ipynb'
	@echo 'make test      lint, unit, package, docs and browser, as CI does'
	@echo 'make lint      linters and type checkers of both sides'
	@echo 'make unit      unit tests: js/, then Python with the lowest and with the newest dependencies'
	@echo 'make package   sdist and wheel, built and installed'
	@echo 'make browser   tests in JupyterLab and Notebook 7, in Chromium'
	@echo 'make docs      the site, in build/site/'
	@echo 'make hosts     tests in marimo, Voila and Firefox'
	@echo 'make projections   tests of UMAP and t-SNE with the libraries that compute them'
	@echo 'make stores    tests with servers of Azure, Google and SSH storage'
	@echo 'make writers   tests with the libraries that write logs, from torch to scikit-learn'
	@echo 'make tutorials the notebooks and the quickstart of every framework, run in JupyterLab'
	@echo 'make bench     benchmarks, side by side with TensorBoard'
	@echo 'make fuzz      a million damaged and hostile records, and files of them, read'
	@echo 'make screenshots   the pictures in README.md, anew'
	@echo 'make pictures  the pictures in docs/panels/, anew'
	@echo 'make format    format both sides'
	@echo 'make generated   what follows from panels, options and messages, anew'
	@echo 'make changelog ARGS="--version 0.3.0"   the fragments in changelog.d/ become a version of CHANGELOG.md'
	@echo 'make clean     remove all that was built or installed'

# The browser tests use both cores themselves.
test:
	+@$(parallel) unit package lint docs environment-kernel6 chromium
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

# Beside the code: type stubs, names, and what the tests of js/ are held against.
generated: environment-newest
	$(newest) tools/generate_views.py
	$(newest) tools/option_tables.py
	$(newest) -m tests.support.options > js/tests/fixtures/options.json
	$(newest) -m tests.support.recorded > js/tests/fixtures/messages.json
	$(newest) -m tests.support.reasons > js/tests/fixtures/reasons.json
	$(newest) -m tests.support.arrangements > js/tests/fixtures/arrangements.json
	$(newest) -m tests.support.yaml_texts > js/tests/fixtures/yaml_texts.json
	$(newest) tools/javascript.py run format

unit: unit-lowest unit-newest unit-js

unit-js: bundle
	$(newest) tools/javascript.py run test

# The same examples in every run, so that nothing fails but what somebody has changed; ARGS=--hypothesis-seed=1 has others.
seeded := tests/unit --hypothesis-seed=0

unit-lowest: environment-lowest bundle
	$(lowest) -m pytest $(seeded) -o cache_dir=.pytest_cache/$@ --hypothesis-profile=few -m "not simulation" $(ARGS)

# The lowest dependencies bring no xdist: that run is one process, and must not be what the others wait for in the end.
unit-newest: environment-newest bundle
	nice $(newest) -m pytest $(seeded) -o cache_dir=.pytest_cache/$@ --numprocesses=2 $(ARGS)

package: environment-newest
	$(newest) -m pytest tests/packaging -o cache_dir=.pytest_cache/$@ $(ARGS)

browsers := $(newest) -m pytest -p tests.browser.retries tests/browser

# Five browsers on two cores sometimes lose a timer, a socket or a window to one another. What failed is run again, one at
# a time, and listed; the run fails if a test fails twice, or if more than 5 % fail once.
browser: bundle environment-kernel6
	chromium="$$($(newest) tools/chromium.py)" && export CHROMIUM="$$chromium" && \
	    if $(browsers) --numprocesses=5 --dist=loadgroup $(ARGS); then :; \
	    elif [ $$? -eq 1 ]; then $(browsers) --retry $(ARGS); else exit 1; fi

# Its dashboards are exported pages, so it needs the bundle. mkdocs-material advertises another program unless told not to.
docs: environment-docs bundle
	NO_MKDOCS_2_WARNING=1 .environments/docs/bin/python -m mkdocs build --strict --quiet $(ARGS)

# Firefox, Node and npm must be there.
hosts: environment-hosts bundle
	cd tests/hosts/js && npm ci --no-audit --no-fund
	chromium="$$(.environments/hosts/bin/python tools/chromium.py)" && CHROMIUM="$$chromium" \
	    .environments/hosts/bin/python -m pytest tests/hosts $(ARGS)

# The libraries take 500 MB, and umap-learn compiles itself for half a minute in each process.
projections: environment-projections
	.environments/projections/bin/python -m pytest tests/projections $(ARGS)

# Node and npm must be there; OpenSSH's server is tested where it is installed.
stores: environment-stores
	cd tests/stores/js && npm ci --no-audit --no-fund
	.environments/stores/bin/python -m pytest tests/stores $(ARGS)

# The libraries take 2 GB.
writers: environment-writers
	.environments/writers/bin/python tools/javascript.py bundle
	.environments/writers/bin/python -m pytest tests/writers $(ARGS)

# In the environment of `make writers`: the tutorials use the same libraries, and some more.
tutorials: environment-writers
	.environments/writers/bin/python tools/javascript.py bundle
	chromium="$$(.environments/writers/bin/python tools/chromium.py)" && CHROMIUM="$$chromium" \
	    .environments/writers/bin/python -m pytest tests/tutorials $(ARGS)

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

changelog: environment-newest
	$(newest) -m towncrier build $(ARGS)

screenshots: bundle
	$(newest) -m tools.screenshots $(ARGS)

pictures: bundle
	$(newest) -m tools.panel_pictures $(ARGS)

clean:
	rm -rf .environments js/node_modules tbwidget/static labextensions dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find tbwidget tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
