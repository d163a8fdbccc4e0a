# make run            install what is missing, then repair examples/lab-report (a fresh copy under build/)
# make run DOC=path   the same for your own document, in place; `texmend undo` brings it back
# make test           install what is missing, then all tests on real engines
# make check          format, lint, types, import contracts, generated pages, lock files
# make bench          a sample of the benchmark, where its cases stand beside this checkout; FULL=1: all of it
.DEFAULT_GOAL := help
PY := .venv/bin/python
DOC ?=
FULL ?=
ARGS ?=

.PHONY: help run test check types style ready bench docs

help:
	@sed -n 's/^# //p' Makefile

run:
	@tools/install run
	@tools/run "$(DOC)" $(ARGS)

test:
	@tools/install test
	$(PY) -m pytest -n 3 --dist worksteal $(ARGS)

check: types style

types: ready
	$(PY) -m mypy

style: ready
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	.venv/bin/lint-imports
	$(PY) tools/docs.py --check
	tools/lock --check

ready:
	@tools/install test

docs:
	@tools/install test
	$(PY) tools/docs.py

bench:
	@tools/install test
	$(PY) bench/repair.py $(if $(FULL),--full) $(ARGS)
	$(if $(FULL),$(PY) bench/run.py)
