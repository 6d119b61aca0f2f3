# Two commands matter: `make demo` and `make test`. Both need Python 3.11 or later and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

# A worker that is through takes tests from the others: some take a hundred times as long as most.
PARALLEL = -n auto --dist worksteal
# A run starts hundreds of processes; they would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo docs test lint test-all test-frameworks fuzz clean record
.PRECIOUS: .venvs/%/.ready

$(BIN)/cg-review: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml $(BIN)/cg-review
	$(BIN)/python -m pip install --quiet --editable '.[models,web,dev]'
	@touch $@

demo: $(BIN)/cg-review
	$(BIN)/cg-review examples/product-roadmap.md -o .demo/

test: $(VENV)/.dev
	$(BIN)/python -m pytest $(PARALLEL)

lint: $(VENV)/.dev
	$(BIN)/ruff check agent tests benchmarks
	$(BIN)/ruff format --check agent tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

test-all: $(VENV)/.dev test-frameworks
	$(BIN)/python -m pytest $(PARALLEL) --hypothesis-profile thorough -m 'slow or not slow'

# Frameworks and clusters: each against the real package, in an environment of its own, for their pins clash.
EXTRAS = langchain llama-index haystack mcp openai-agents convert ray dask
test-frameworks: $(EXTRAS:%=test-extra-%)

test-extra-%: .venvs/%/.ready
	CG_REVIEW_EXTRA_REQUIRED=1 PYTHONPATH=tests .venvs/$*/bin/python -m pytest -m 'slow or not slow' $($*_TESTS)

langchain_TESTS = tests/integrations/test_langchain.py
llama-index_TESTS = tests/integrations/test_llama_index.py
haystack_TESTS = tests/integrations/test_haystack.py
mcp_TESTS = tests/integrations/test_mcp.py
openai-agents_TESTS = tests/integrations/test_openai_agents.py
convert_TESTS = tests/test_convert.py
ray_TESTS = tests/batch/test_on_ray.py
dask_TESTS = tests/batch/test_on_dask.py

.venvs/%/.ready: pyproject.toml
	$(PYTHON) -m venv .venvs/$*
	.venvs/$*/bin/python -m pip install --quiet --upgrade pip
	.venvs/$*/bin/python -m pip install --quiet --editable '.[$*]' pytest pytest-xdist hypothesis jsonschema anthropic
	@touch $@

docs: $(VENV)/.dev
	COLUMNS=100 $(BIN)/python -m cg_review.cli.reference > docs/cli.md

# Feeds the validator mutated documents; FUZZ_SECONDS=3600 for an hour.
FUZZ_SECONDS ?= 60
fuzz: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet 'atheris>=2.3' || true  # without it, mutations are random
	PYTHONPATH=agent $(BIN)/python tests/fuzz/fuzz_validator.py --seconds $(FUZZ_SECONDS)

clean:
	rm -rf $(VENV) .venvs .demo dist build

# Record a cassette again (cassettes/README.md): a local server by default, a vendor with BASE_URL= and its key.
PROVIDER ?= openai
BASE_URL ?= http://127.0.0.1:8091/v1
MODEL ?= smollm2-135m-instruct
record: $(VENV)/.dev
	$(BIN)/python cassettes/record.py $(PROVIDER) --model $(MODEL) $(if $(BASE_URL),--base-url $(BASE_URL))
