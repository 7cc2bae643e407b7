# Needs python3 (3.11 or newer), git and make. Everything else is installed here, under .venv and .uv.
SHELL := /bin/bash
PYTHON ?= python3
UV := .uv/bin/uv
BIN := .venv/bin
SITE ?= build/site

.PHONY: demo test test-docker test-agents test-cluster lint setup bubblewrap browser postgresql site bench mutations identity clean

demo: setup        ## every replication task with the controls gold and nop, as a table
	$(BIN)/rexbench demo

test: setup lint browser postgresql ## lint, types and the tests
	$(BIN)/pytest

test-docker: setup ## the container tests, on a private engine that is stopped afterwards (root on Debian)
	@rig=$${REXBENCH_RIG:-$$(mktemp -d)}; trap 'scripts/docker_rig stop $$rig' EXIT; \
	variables=$$(scripts/docker_rig start $$rig) && eval "$$variables" && $(BIN)/pytest -m docker

test-agents: setup ## the agents' real programs with scripted models; installs the programs first
	$(BIN)/rexbench agents install all
	$(BIN)/pytest -m agents

test-cluster: setup ## the tests on Slurm and, beside them, on Dask; the private cluster is stopped afterwards (root on Debian)
	@rig=$${REXBENCH_RIG:-$$(mktemp -d)}; trap 'scripts/slurm_rig stop $$rig' EXIT; \
	variables=$$(scripts/slurm_rig start $$rig) && eval "$$variables" || exit 1; \
	$(BIN)/pytest tests/cluster -m cluster -k dask >$$rig/dask.out 2>&1 & dask=$$!; \
	$(BIN)/pytest tests/cluster -m cluster -k "not dask"; slurm=$$?; \
	wait $$dask; dask=$$?; cat $$rig/dask.out; exit $$((slurm | dask))

site: setup        ## the documentation as static files in build/site; a link or an anchor that leads nowhere is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --site-dir $(SITE)

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

setup: .venv/.complete bubblewrap

bench: setup       ## what is measured: overhead and start-up beside the bare command
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/overhead.py
	$(BIN)/python bench/gateway.py

mutations: setup   ## small faults on the verdict's path, each of which a test must notice
	$(BIN)/python bench/mutations.py

identity: setup    ## every task with gold and nop on this machine, on Slurm and on Dask: the same outcomes and metrics (root on Debian)
	$(BIN)/python bench/identity.py $(ARGUMENTS)

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "rexbench needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv .uv
	.uv/bin/pip install --quiet uv

.venv/.complete: $(UV) pyproject.toml scripts/uv_like_pip
	$(UV) venv --quiet --clear --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv
	UV="$(UV)" PYTHON="$(PYTHON)" scripts/uv_like_pip pip install --quiet --python $(BIN)/python --editable . --group dev --group docs
	touch $@

# Without bubblewrap no experiment runs isolated. As root on Debian it is installed; elsewhere the one command is said.
bubblewrap:
	@command -v bwrap >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    (apt-get install -y -qq bubblewrap || (apt-get update -qq && apt-get install -y -qq bubblewrap)) >/dev/null; \
	  else \
	    echo "bubblewrap is missing; install it with:  sudo apt-get install bubblewrap   (or your system's package manager)"; exit 2; \
	  fi; }

# The page is tested in a real browser. As root on Debian it is installed; elsewhere the one command is said, and those tests are skipped.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    (apt-get install -y -qq chromium || (apt-get update -qq && apt-get install -y -qq chromium)) >/dev/null; \
	  else \
	    echo "Chromium is missing, so the tests in a browser are skipped; install it with:  sudo apt-get install chromium   (or your system's package manager)"; \
	  fi; }

postgresql:
	@ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    (apt-get install -y -qq --no-install-recommends postgresql || (apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql)) >/dev/null || \
	      echo "PostgreSQL cannot be installed here, so the service is tested on SQLite alone"; \
	  else \
	    echo "PostgreSQL is missing, so the service is tested on SQLite alone; install it with:  sudo apt-get install postgresql"; \
	  fi; }

clean:
	rm -rf .venv .uv build
