# `make run` and `make test` are all that a newcomer needs: each installs what is missing, builds, and does its job.

SHELL := bash
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test test-long test-sanitizers soak fuzz reliability build cuda package times bench format clean packages

PRESET ?= auto
SCENE ?= dam_break
ARGS ?=
SOAK_SECONDS ?= 600
FUZZ_RUNS ?= 1000000
export CMAKE_ARGS ?=
export INSTALL ?= yes
export JOBS ?= $(shell nproc 2>/dev/null || echo 2)

help:
	@echo 'make run        build the program and open the demo in a window; without a display: a picture and a movie in output/$(SCENE)'
	@echo 'make test       build for the CPU, released and with sanitizers, and run the tests (and on a GPU, where there is one)'
	@echo 'make test-long  the slow tests too; records their passes in tests/slow_tests.csv'
	@echo 'make test-sanitizers'
	@echo '                with sanitizers, the tests that are too slow there for make test, such as every validation case'
	@echo 'make soak       the window for SOAK_SECONDS=$(SOAK_SECONDS): nothing may grow'
	@echo 'make fuzz       FUZZ_RUNS=$(FUZZ_RUNS) executions of every reader under libFuzzer; needs clang 19'
	@echo 'make reliability'
	@echo '                what must hold for long: closings of the window, a million steps, every scene, an hour of soak (7 h)'
	@echo 'make build      build/riffle, optimised, with CUDA where nvcc and a GPU are found'
	@echo 'make cuda       compile and link everything with CUDA; needs nvcc, no GPU'
	@echo 'make package    a .deb and a tarball in build/packages, for the CPU; PRESET=cuda-release: for every GPU, too (Debian 12)'
	@echo 'make times      what each unit of the last build took, slowest first (PRESET=cpu-debug: of that build)'
	@echo 'make bench      time the benchmark scene on this machine'
	@echo 'make format     clang-format the sources'
	@echo 'make clean      remove build/'
	@echo
	@echo 'Variables: SCENE=$(SCENE)  ARGS="--device cpu ..." (for run)  PRESET=$(PRESET) (cmake --list-presets)'
	@echo '           CMAKE_ARGS="-DRIFFLE_ARCH=native ..."  JOBS=$(JOBS)  INSTALL=no (leave the packages alone)'

packages:
	@tools/install-packages

build: packages
	@tools/build --link $(PRESET) riffle

run: build
	@tools/demo $(SCENE) $(ARGS)

test: packages
	@tools/test

test-long: packages
	@tools/test --long

test-sanitizers: packages
	@tools/slow_tests.py run sanitizers

soak: packages
	@RIFFLE_SOAK_SECONDS=$(SOAK_SECONDS) RIFFLE_REQUIRE_DISPLAY_TESTS=1 tools/slow_tests.py run cpu --only '^LongDesktop\.Soak$$'

fuzz: packages
	@tools/fuzz --runs $(FUZZ_RUNS)

reliability: packages
	@tools/build cpu-release
	@tools/reliability.py run closings scenes dpd soak && tools/reliability.py write

cuda: packages
	@tools/find-nvcc >/dev/null || { echo 'nvcc was not found on the PATH, in $$CUDA_PATH or in /usr/local/cuda/bin. Install the CUDA Toolkit 12.4 or newer; compiling needs no GPU.' >&2; exit 1; }
	@tools/build cuda-dev

# Compiling for every GPU takes five times as long as for one, so packages are for the CPU if no preset is given.
package: packages
	@tools/package $(if $(filter file,$(origin PRESET)),cpu-release,$(PRESET))

times:
	@tools/times $(PRESET)

bench: build
	@bench/run.sh

format:
	@tools/format

clean:
	rm -rf build
