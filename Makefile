# The few commands a person needs. Everything real is in CMakeLists.txt and tools/.
#   make            build/cbench          make demo    set up, build, run the demo workflow
#   make setup      what building needs   make test    set up, build, run every test
#   make format lint                      make bench   every benchmark -> docs/benchmarks.md
#   make asan tsan  the tests under sanitizers      make fuzz      each fuzz target for a minute
JOBS ?= $(shell nproc)

.PHONY: all setup build test demo format lint bench asan tsan fuzz clean
all: build

setup:
	@tools/setup

build: setup
	@tools/build release cbench

test: setup
	@tools/build release
	ctest --preset release -j $(JOBS)

asan tsan: setup
	@tools/build $@
	ctest --preset $@ -j $(JOBS)

fuzz: setup
	@tools/fuzz 60

demo: build
	@tools/demo

format:
	@tools/format

lint: build
	@tools/lint

bench-%: build
	@tools/bench $*

bench: build
	@tools/bench --all

clean:
	rm -rf build build-*
