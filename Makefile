# Every command of the project. Each target sets up what it needs; you only have to install Python 3.11+ (with venv and
# pip) and make.
# The system's Python is often quicker than one that was built at home.
PYTHON ?= $(shell /usr/bin/python3 -c "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null && echo /usr/bin/)python3
PORT ?= 8000
PYTHON_NEWEST ?= $(or $(lastword $(wildcard $(HOME)/.pyenv/versions/3.13*/bin/python)),python3.13)
VENV ?= .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python
COLLECTED := $(or $(DATA_DIR),data)/static/.collected
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONPATH := .
# Bytecode is kept even where the environment says otherwise: without it each of the many processes compiles everything.
export PYTHONDONTWRITEBYTECODE :=
LOCK := --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
PYTEST := $(BIN)/pytest -q --dist worksteal --maxfail 25
STATIC := $(shell find static games accounts -path '*/static/*' -type f 2>/dev/null; find static -type f 2>/dev/null)
CATALOGUES := $(shell find . -name '*.po' -not -path './.venv/*' 2>/dev/null)

VERSION := $(shell sed -n 's/^VERSION = "\(.*\)"/\1/p' config/__init__.py)

.PHONY: help release shape setup run stack demo quick test suite unit units browsers services-then-browsers services-of-processes services-of-matches newest firefox wheel wheel-tests check lint format typecheck matrix bench lock messages new-game screenshots gallery art api
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 14

$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)

$(VENV)/runtime: config/requirements.txt | $(VENV)/pyvenv.cfg
	$(BIN)/pip install --quiet --require-hashes -r config/requirements.txt
	touch $@

$(VENV)/development: config/requirements-dev.txt $(VENV)/runtime
	$(BIN)/pip install --quiet --no-compile --require-hashes -r config/requirements-dev.txt
	touch $@

$(COLLECTED): $(VENV)/runtime $(STATIC)
	$(RUN) manage.py collectstatic --noinput --clear --verbosity 0
	touch $@

$(VENV)/messages: $(VENV)/runtime $(CATALOGUES)
	$(RUN) -m config.catalogues
	touch $@

setup: $(VENV)/runtime $(VENV)/messages ## the virtual environment and the compiled translations

run: setup $(COLLECTED) ## the site on http://127.0.0.1:8000 (PORT= for another)
	PORT=$(PORT) $(RUN) -m config.serve --migrate

stack: PORT = 8080
stack: setup ## the site as in production, on http://127.0.0.1:8080: PostgreSQL, Redis, 2 web processes, 2 workers, bots, nginx
	$(RUN) -m config.ops.stack --port $(PORT)

demo: setup ## twelve people and five weeks of matches, in the database that `make run` serves
	$(RUN) manage.py migrate --verbosity 0
	$(RUN) manage.py demo

lint: $(VENV)/development ## ruff, djade and import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files '*.html')
	$(BIN)/lint-imports --no-logo

format: $(VENV)/development ## format everything with ruff and djade
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	-$(BIN)/djade --target-version 5.2 $$(git ls-files '*.html')

typecheck: $(VENV)/development ## mypy, strict
	$(BIN)/mypy .

check: lint typecheck $(VENV)/messages ## all checks without the tests
	$(RUN) manage.py makemigrations --check --dry-run
	SITE_URL=https://tessera.example EMAIL_HOST=mail.tessera.example SINGLE_PROCESS=1 LEGAL_DIR=tests/site/privacy/legal SECRET_KEY=$$($(RUN) -c 'import secrets; print(secrets.token_urlsafe(64))') \
		$(RUN) manage.py check --deploy --fail-level WARNING

quick: $(VENV)/development $(VENV)/messages ## what to run after every change: lint, types, and the tests without a database
	$(MAKE) -j 3 --output-sync lint typecheck unit

test: $(VENV)/development $(VENV)/messages ## everything: checks, tests, browser tests, tests on PostgreSQL, Redis and nginx
	.ci/packages
	$(MAKE) -j 6 --output-sync check newest wheel-tests units services-then-browsers

suite: $(VENV)/development $(VENV)/messages
	.ci/packages
	$(MAKE) -j 3 --output-sync units services-then-browsers

DOCTESTS := games accounts config/ops config/views.py config/wheel.py

# Many of these tests mostly wait, so they run beside those that never do. Browsers come after the services, with whose
# outages and clocks they would interfere.
services-then-browsers:
	$(MAKE) services-of-processes services-of-matches
	$(MAKE) browsers

unit:
	$(PYTEST) -n 2 tests/unit $(DOCTESTS)

units:
	$(PYTEST) -n 2 -m "not services" tests/unit tests/site $(DOCTESTS)

browsers:
	$(PYTEST) -n 4 -m "browser" tests/browser

# Each has its own PostgreSQL and Redis. These tests mostly wait, as browser tests do, so two cores can run more at once.
OF_SERVICES := $(sort $(shell grep -rl --include='test_*.py' 'mark\.services' tests))
OF_PROCESSES := tests/services/config/% tests/site/config/%

services-of-processes:
	$(RUN) -m tests.with_services $(BIN)/pytest -q --maxfail 25 -m "services" $(filter $(OF_PROCESSES),$(OF_SERVICES))

services-of-matches:
	$(RUN) -m tests.with_services $(BIN)/pytest -q --maxfail 25 -m "services" $(filter-out $(OF_PROCESSES),$(OF_SERVICES))

# What differs most between versions of Django: how mail is sent, and the settings.
OF_DJANGO := tests/site/notifications/test_mail.py tests/site/notifications/test_outside.py tests/site/accounts/test_mails.py \
	tests/site/accounts/test_mail_address.py tests/site/accounts/test_settings.py tests/unit/config/test_settings.py

newest: $(VENV)/messages ## the tests of mail and settings on the newest Django with Python 3.13, where there is one
	@if $(PYTHON_NEWEST) -c "" 2>/dev/null; then \
		$(MAKE) build/newest/ready && build/newest/bin/pytest -q -m "not browser and not services" $(OF_DJANGO); \
	else echo "$(PYTHON_NEWEST) is not installed, so nothing was tried on the newest Django."; fi

matrix: test firefox build/newest/whole ## the suite again on the newest Django with Python 3.13, and the main flow in Firefox
	$(MAKE) suite VENV=build/newest

firefox: $(VENV)/development $(VENV)/messages
	.ci/packages firefox
	$(PYTEST) -m firefox tests/browser/test_firefox.py

# Most of what is installed is never imported by these tests: what is, is compiled then.
OF_NEWEST := build/newest/bin/pip install --quiet --no-compile

build/newest/ready: config/requirements.txt config/requirements-dev.txt
	$(PYTHON_NEWEST) -m venv build/newest
	$(OF_NEWEST) --require-hashes -r config/requirements.txt -r config/requirements-dev.txt
	$(OF_NEWEST) --upgrade 'django>=6'
	touch build/newest/runtime build/newest/development $@

build/newest/whole: build/newest/ready
	$(OF_NEWEST) --upgrade 'django-stubs[compatible-mypy]'
	touch $@

wheel: $(VENV)/runtime ## the games as a package for researchers, tessera-games, in build/wheel
	$(RUN) -m config.wheel

# In one environment there is nothing but the wheel, in the other what its adapters are for. None of the tests sees the site.
wheel-tests: wheel build/wheel/alone/pyvenv.cfg build/wheel/research/ready ## the wheel where there is no site, with PettingZoo and OpenSpiel
	$(BIN)/pip --python build/wheel/alone/bin/python install --quiet --force-reinstall -c tests/wheel/requirements.txt build/wheel/*.whl
	$(BIN)/pip --python build/wheel/research/bin/python install --quiet --force-reinstall --no-deps build/wheel/*.whl
	mkdir -p build/wheel/records
	for game in card-chess shifting-stones small-islands; do \
		$(RUN) manage.py simulate $$game --seats 2 --out build/wheel/records/$$game.json >/dev/null || exit 1; done
	PYTHONPATH= build/wheel/research/bin/python -m pytest -q -c tests/wheel/pytest.ini tests/wheel

build/wheel/alone/pyvenv.cfg: | $(VENV)/runtime
	$(RUN) -m venv --without-pip build/wheel/alone

build/wheel/research/ready: tests/wheel/requirements.txt config/requirements.txt | $(VENV)/runtime
	$(RUN) -m venv --without-pip build/wheel/research
	$(BIN)/pip --python build/wheel/research/bin/python install --quiet --no-compile -r tests/wheel/requirements.txt
	touch $@

bench: $(VENV)/development ## the benchmarks, as a table (AGAINST= for a commit to compare the cost of a move with)
	.ci/packages
	$(RUN) -m tests.benchmarks $(if $(AGAINST),--against $(AGAINST))

shape: $(VENV)/development ## how much there is to read: modules, lines, functions, imports (AGAINST= for a commit beside it)
	$(RUN) -m tests.benchmarks.shape $(if $(AGAINST),--against $(AGAINST))

api: $(VENV)/runtime ## write the document of the API again (docs/api/v1.json)
	$(RUN) manage.py api_document docs/api/v1.json

art: $(VENV)/development ## draw the pictures of the games again
	.ci/packages
	$(RUN) manage.py paint

screenshots: $(VENV)/development ## take the pictures of the README and of the app again
	.ci/packages
	$(RUN) -m tests.browser.screenshots docs/screenshots match-1280-light match-360-dark
	$(RUN) -m tests.browser.screenshots static/site/app match-1280-light match-360-light

gallery: $(VENV)/development ## pictures of every page, in all sizes and both themes, in build/gallery (after `make demo`)
	.ci/packages
	DATA_DIR=$(or $(DATA_DIR),data) $(RUN) -m tests.browser.gallery build/gallery

new-game: setup ## the folder and the first tests of a new game: make new-game NAME="nine mens morris"
	$(RUN) manage.py newgame "$(NAME)"

messages: setup ## collect the texts to translate (needs gettext)
	$(RUN) manage.py makemessages --all --extension html,jinja,py,svg,txt --ignore build --ignore tests \
		--no-location --no-obsolete --no-wrap
	$(RUN) -m config.catalogues

release: ## test this commit and tag it with the version that config/__init__.py and the changelog name
	@test -z "$$(git status --porcelain)" || { echo "Commit what has changed first." >&2; exit 1; }
	@grep -q "^## $(VERSION) " CHANGELOG.md || { echo "The changelog says nothing of $(VERSION)." >&2; exit 1; }
	@! git rev-parse -q --verify "refs/tags/v$(VERSION)" >/dev/null || { echo "$(VERSION) has been released." >&2; exit 1; }
	$(MAKE) test
	git tag --annotate "v$(VERSION)" --message "Tessera $(VERSION)"

lock: ## resolve the requirements again (the only target that needs uv)
	uv pip compile $(LOCK) config/requirements.in -o config/requirements.txt
	uv pip compile $(LOCK) config/requirements-dev.in -o config/requirements-dev.txt
