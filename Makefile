# SPDX-License-Identifier: GPL-2.0-only
#
# What to call; the work is done by tools/ and CMake.

RESULTS ?= results
FULLNESS ?= QUICK
REPRODUCE_ARGS ?=
PYTEST_ARGS ?=
BENCH_ARGS ?= --targets
SANITIZE_ARGS ?=
FUZZ_ARGS ?=
SOURCE_FOLDERS = model helper examples test python

help:
	@echo 'make test       set up, build, run all test suites (FULLNESS=EXTENSIVE for more)'
	@echo 'make test-python  the same for the Python package, with the library in build/'
	@echo 'make sanitize   all suites and programs with AddressSanitizer and UndefinedBehaviorSanitizer,'
	@echo '                into build-sanitize/ (SANITIZE_ARGS=--brief: without the longest suites)'
	@echo 'make fuzz       a fuzzer for all readers and for small cases, for 60 s'
	@echo '                (FUZZ_ARGS="--seconds=600 --seed=2"; needs clang++ with libFuzzer)'
	@echo 'make check-long  all of these at length: some hours'
	@echo 'make reproduce  set up, build, repeat the five papers in five to six minutes, into $(RESULTS)/;'
	@echo '                100 random fabrics a point'
	@echo '                (REPRODUCE_ARGS=trees for one: btin, trees, rdma, sync, smp; or'
	@echo '                sensitivity, lengths, routing, outages)'
	@echo 'make reproduce-all  all of these; it says how long it takes'
	@echo 'make bench      cost of simulating, compared with targets (BENCH_ARGS="--hosts=65536")'
	@echo 'make build      set up and build the library and examples into build/, and the command'
	@echo '                .venv/bin/ns3-wormhole'
	@echo 'make wheel      the Python package as dist/*.whl, to be installed with pip in seconds'
	@echo 'make docs       the documentation as HTML, into build/doc/html'
	@echo 'make doxygen    the reference of all classes, into build/doc/doxygen/html; fails on warnings'
	@echo 'make format     clang-format on all sources; make check-format only looks'
	@echo 'make clean      remove build/; make distclean removes .venv/ too'
	@echo 'NS3_DIR=DIR     an installed ns-3 to use instead of the one from PyPI'

# Packages are fetched while the compiler runs.
build:
	@tools/setup.sh ns3 toml
	@{ test -n "$$NS3_DIR$$ns3_DIR" || tools/setup.sh python || \
	    echo 'wormhole: so there is no command ns3-wormhole' >&2; \
	    tools/setup.sh gnuplot || echo 'wormhole: so there are no plots, only their scripts' >&2; } & \
	    tools/build.sh; status=$$?; wait; exit $$status

# The suites, too; what else is built needs none.
test test-python: export TARGETS = all wormhole-test

test: build
	@$${PYTHON:-python3} tools/run-tests.py --fullness=$(FULLNESS) build/wormhole-test

test-python:
	@tools/setup.sh no-own-ns3
	@tools/build.sh
	@tools/setup.sh python tests gnuplot report
	@WORMHOLE_PRECOMPILED=now PYTHONPATH=python .venv/bin/python -c \
	    'from ns3_wormhole.core.loader import ns; ns.Time'
	@PYTHONPATH=python .venv/bin/python -m pytest -q -n auto --maxprocesses=4 --dist loadfile \
	    --no-loadscope-reorder -p no:cacheprovider $(PYTEST_ARGS)

reproduce-all: export REPRODUCE_ARGS += --all

reproduce reproduce-all: export TARGETS = studies

reproduce reproduce-all: build
	@tools/setup.sh gnuplot report
	@PATH="$(CURDIR)/.venv/bin:$$PATH" PYTHONPATH=python .venv/bin/python \
	    -m ns3_wormhole.reproduce --build=build --results=$(RESULTS) $(REPRODUCE_ARGS)

sanitize:
	@tools/build-sanitize.sh
	@$${PYTHON:-python3} tools/sanitize.py --fullness=$(FULLNESS) $(SANITIZE_ARGS)

fuzz:
	@tools/build.sh
	@tools/setup.sh python
	@tools/build-sanitize.sh
	@.venv/bin/python tools/fuzz.py $(FUZZ_ARGS)

check-long:
	@BUILD=build-single TARGETS='all wormhole-test' tools/build.sh -DWORMHOLE_UNITE=OFF
	@$(MAKE) test FULLNESS=EXTENSIVE
	@$(MAKE) test-python WORMHOLE_LONG=1
	@$(MAKE) sanitize FULLNESS=EXTENSIVE
	@$(MAKE) fuzz FUZZ_ARGS='--seconds=3600 $(FUZZ_ARGS)'

bench: build
	@build/examples/fabric-benchmark $(BENCH_ARGS)

wheel:
	@tools/wheel.sh

# The build prints these tables into build/: attributes.rst, study-parameters.rst, parameters.json.
parameters: build

docs: build
	@tools/setup.sh docs
	@.venv/bin/python -m sphinx -W --keep-going -q -b html -d build/doc/doctrees doc build/doc/html
	@echo 'build/doc/html/index.html'

doxygen:
	@tools/doxygen.sh

format:
	@tools/setup.sh format
	@find $(SOURCE_FOLDERS) -name '*.cc' -o -name '*.h' | xargs .venv/bin/clang-format -i

check-format:
	@tools/setup.sh format
	@find $(SOURCE_FOLDERS) -name '*.cc' -o -name '*.h' | \
	    xargs .venv/bin/clang-format --dry-run -Werror

clean:
	rm -rf build build-sanitize build-single build-wheel dist

distclean: clean
	rm -rf .venv

.PHONY: help build wheel parameters test test-python sanitize fuzz check-long reproduce reproduce-all bench docs doxygen format check-format clean distclean
