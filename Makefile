# Two commands matter: `make demo` and `make test`. Both need Python 3.11 or later and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint test-all clean

$(BIN)/cg-review: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml $(BIN)/cg-review
	$(BIN)/python -m pip install --quiet --editable '.[models,dev]'
	@touch $@

demo: $(BIN)/cg-review
	$(BIN)/cg-review examples/product-roadmap.md -o .demo/

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.dev
	$(BIN)/ruff check agent tests benchmarks
	$(BIN)/ruff format --check agent tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

test-all: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -m 'slow or not slow'

clean:
	rm -rf $(VENV) .demo dist build
