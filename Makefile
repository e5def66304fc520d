# Everything a person types here. Each target sets up what it needs; nothing has to be installed by hand
# beyond Python 3.11+ with venv and pip, and make.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
LOCK := --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

.PHONY: setup run demo test lint format typecheck matrix bench lock migrations messages clean
.DEFAULT_GOAL := run

.venv/pyvenv.cfg:
	$(PYTHON) -m venv .venv

.venv/runtime: config/requirements.txt | .venv/pyvenv.cfg
	$(BIN)/pip install --quiet --require-hashes -r config/requirements.txt
	touch $@

.venv/development: config/requirements-dev.txt .venv/runtime
	$(BIN)/pip install --quiet --require-hashes -r config/requirements-dev.txt
	touch $@

setup: .venv/runtime ## the virtual environment

run: setup ## the site on http://127.0.0.1:$(PORT)
	$(BIN)/python manage.py migrate --verbosity 0
	PORT=$(PORT) $(BIN)/python -m config.serve

demo: setup ## people and matches to look at
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py demo

lock: ## resolve the requirements anew (the only target that needs uv)
	uv pip compile $(LOCK) config/requirements.in -o config/requirements.txt
	uv pip compile $(LOCK) config/requirements-dev.in -o config/requirements-dev.txt
