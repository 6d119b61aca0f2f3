# Two commands matter: `make demo` and `make test`. Both need Python 3.11 or later and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint test-all fuzz clean

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

# Feeds the validator mutated documents; FUZZ_SECONDS=3600 for an hour.
FUZZ_SECONDS ?= 60
fuzz: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet 'atheris>=2.3' || true  # without it, mutations are random
	PYTHONPATH=agent $(BIN)/python tests/fuzz/fuzz_validator.py --seconds $(FUZZ_SECONDS)

clean:
	rm -rf $(VENV) .demo dist build
