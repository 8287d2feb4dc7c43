PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
INSTALL := -m pip install -qq --no-input --disable-pip-version-check
PIP := $(BIN)/python $(INSTALL)
SAY := printf 'stichwerk: %s\n'
HAS_VENV := $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null
SERVERS := redis-server postgresql prometheus nginx-light chromium fonts-dejavu-core
HAS_SERVERS := { command -v redis-server && ls /usr/lib/postgresql/*/bin/initdb \
	&& command -v prometheus && command -v promtool && ls /usr/sbin/nginx \
	&& command -v chromium; } >/dev/null 2>&1
VENV_PACKAGE = $$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
LOCK := UV_CUSTOM_COMPILE_COMMAND='make lock' uv pip compile --quiet --generate-hashes \
	--no-emit-index-url --no-annotate --only-binary :all: --python-version 3.11 \
	--python-platform x86_64-manylinux_2_36
OURS := --group build --extra all pyproject.toml

# Containers set it; every process would compile all that it imports anew, and every worker of the
# tests rewrite the assertions of all of them.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help bench test test-quick test-full gates gates-full chaos attacks load servers check peers site lock clean

help: ## show these targets (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bench: $(VENV)/.installed ## compile, run and score the quick suite, then write the report
	@test -e $(VENV)/.project || { $(SAY) 'a first result, while nothing is compiled yet' >&2; \
		$(BIN)/stichwerk bench --suite first && $(MAKE) --no-print-directory $(VENV)/.project; }
	@$(SAY) 'bench, quick suite' >&2
	@$(BIN)/stichwerk bench --suite quick

test: servers $(VENV)/.dev ## run the tests that a change must pass
	@$(SAY) 'tests' >&2
	@$(BIN)/python -m pytest -n 3 --dist worksteal

test-quick: $(VENV)/.dev ## run one case of each test of the compiler and the games, without servers
	@$(SAY) 'tests, the quick ones' >&2
	@$(BIN)/python -m pytest -n 2 --dist worksteal --quick tests/compiler tests/games

test-full: servers $(VENV)/.dev ## run every test, the long ones too
	@$(SAY) 'tests, all of them' >&2
	@$(BIN)/python -m pytest -n 4 --dist worksteal -m '' --hypothesis-profile thorough --timeout 3600

gates: $(VENV)/.project ## hold gates.toml's programs to the gate counts of gate_counts.json
	@$(SAY) 'gate counts' >&2
	@$(BIN)/stichwerk gates check

gates-full: gates ## hold those of benchmarks/long_gates to theirs, too
	@$(SAY) 'gate counts of what takes long' >&2
	@$(BIN)/stichwerk gates check --suite benchmarks/long_gates/gates.toml

chaos: servers $(VENV)/.dev ## run 1,000 jobs while everything that they rely on is killed
	@$(BIN)/python -m tests.chaos --jobs 1000

attacks: servers $(VENV)/.dev ## give every option and every file what it must refuse
	@$(BIN)/python -m tests.attacks

load: servers $(VENV)/.dev ## measure how many jobs the service takes in and gets done
	@$(BIN)/python -m benchmarks.load

# Real ones, for the tests; without them those that need them are skipped, and fail in CI.
servers:
	@if ! $(HAS_SERVERS) && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		$(SAY) 'installing $(SERVERS)' >&2; \
		apt-get update -qq >/dev/null; \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			$(SERVERS) >/dev/null || true; \
	fi
	@$(HAS_SERVERS) || $(SAY) 'without these some tests are skipped: apt-get install $(SERVERS)' >&2

check: $(VENV)/.dev ## lint, formatting, types, and which room may import which
	@$(SAY) 'checks' >&2
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

peers: $(VENV)/.peers $(VENV)/iqm/.installed ## install BQSKit, QMAP and IQM's transpiler, and compare all on the papers' toy
	@$(BIN)/stichwerk peers --suite games --plot peers.png

site: $(VENV)/.dev ## build docs/ as a site that works offline, and check its links
	@$(SAY) 'site' >&2
	@$(BIN)/python -m tools.site

lock: ## regenerate the locks (needs uv); pinned versions that still fit stay
	@command -v uv >/dev/null || { $(SAY) 'make lock needs uv: pip install uv' >&2; exit 1; }
	@$(SAY) 'resolving the locks' >&2
	@$(LOCK) $(OURS) -o requirements.lock >/dev/null
	@$(LOCK) $(OURS) --extra dev -c requirements.lock -o requirements-dev.lock >/dev/null
	@$(LOCK) $(OURS) --extra peers -c requirements.lock -o requirements-peers.lock >/dev/null
	@$(LOCK) --group pyproject.toml:iqm -o requirements-iqm.lock >/dev/null

clean: ## remove the environment, caches and build artefacts; records and reports stay
	@rm -rf $(VENV) build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# bin/pip and not bin/python: a venv that failed for want of ensurepip leaves the latter behind.
$(BIN)/pip:
	@$(SAY) 'creating $(VENV) with $(PYTHON)' >&2
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' 2>/dev/null \
		|| { $(SAY) '$(PYTHON) is not a Python 3.11 or 3.12: install one, or set PYTHON' >&2; exit 1; }
	@if ! $(HAS_VENV) && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		$(SAY) "installing $(VENV_PACKAGE)" >&2; \
		apt-get update -qq >/dev/null; \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$(VENV_PACKAGE)" >/dev/null || true; \
	fi
	@$(HAS_VENV) || { $(SAY) "$(PYTHON) has no venv: install $(VENV_PACKAGE), then run make again" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)

# pip would compile all modules on one processor, and those of the packages' own tests, too.
$(VENV)/.runtime: requirements.lock | $(BIN)/pip
	@$(SAY) 'installing the locked runtime packages (a minute or two)' >&2
	@$(PIP) --no-compile --require-hashes --only-binary :all: -r requirements.lock
	@$(BIN)/python -m compileall -q -j 0 -x '/tests?/' $(VENV)/lib
	@touch $@

# Where Python may write no bytecode, every command would compile our own modules anew.
$(VENV)/.installed: pyproject.toml $(VENV)/.runtime
	@$(SAY) 'installing stichwerk' >&2
	@$(PIP) --no-build-isolation --no-deps -e .
	@$(BIN)/python -m compileall -q stichwerk compiler games backends workers play service
	@touch $@

$(VENV)/.project: $(VENV)/.installed
	@$(SAY) 'compiling the searches, once on this machine (a minute or two)' >&2
	@$(BIN)/python -m workers.compilation.searches
	@touch $@

$(VENV)/.peers: requirements-peers.lock $(VENV)/.project
	@$(SAY) 'installing the locked peers' >&2
	@$(PIP) --require-hashes --only-binary :all: -r requirements-peers.lock
	@touch $@

# An environment of its own: it pins an older Qiskit than ours.
$(VENV)/iqm/.installed: requirements-iqm.lock | $(BIN)/pip
	@$(SAY) "installing IQM's transpiler into $(VENV)/iqm" >&2
	@$(BIN)/python -m venv --clear $(VENV)/iqm
	@$(VENV)/iqm/bin/python $(INSTALL) \
		--require-hashes --only-binary :all: -r requirements-iqm.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.project
	@$(SAY) 'installing the locked development packages' >&2
	@$(PIP) --require-hashes --only-binary :all: -r requirements-dev.lock
	@touch $@
