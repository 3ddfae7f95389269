# tests.mk - what `make check` and its parts do; included by the Makefile.
#
#   unit   tests/unit/FOLDER/[ROOM/]NAME_test.c, one cmocka program each (unit.h); other .c files of a folder are
#          linked into all tests of it and its rooms, those of tests/unit/ itself into whichever use them.
#          Programs that mention FAULT_HOOKS are built and run a second time with the hooks
#          (base/fault.h).
#   fuzz   tests/fuzz/fuzz_NAME.c under libFuzzer for FUZZ_SECONDS each; `check` replays the corpus
#          tests/fuzz/corpus/NAME/ through the same function in the normal build.
#   check  lint, unit, corpus, and tests/{http,cli,golden,browser}/*.test.mjs, added up by tests/run.
#   net    not a test: what the program says, recorded before and after a change that must not be seen
#   nightly  all of this and more, part by part: tests/nightly/run, with tests/nightly/*.test.mjs
# `make asan check` and `make tsan check` leave out lint and browser: they say nothing new there.

UNIT_FILES := $(wildcard tests/unit/*/*.c tests/unit/*/*/*.c)
UNIT_SRC := $(filter %_test.c,$(UNIT_FILES))
UNIT_HELP := $(filter-out $(UNIT_SRC),$(UNIT_FILES))
UNIT_SHARED := $(wildcard tests/unit/*.c)
UNIT := $(UNIT_SRC:%.c=$(B)/%)
ifneq ($(UNIT_SRC),)
UNIT_FAULT_SRC := $(shell grep -l FAULT_HOOKS $(UNIT_SRC))
endif
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
REPLAY := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(B)/tests/fuzz/replay_%)
FUZZERS := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(B)/tests/fuzz/libfuzzer_%)
FUZZ_SECONDS ?= 300

SAN_GOAL := $(filter asan tsan,$(MAKECMDGOALS))
FAULT_B := build/$(or $(SAN_GOAL),release)-fault
SUITES := $(if $(SAN_GOAL),,lint) unit fuzz http cli golden $(if $(SAN_GOAL),,browser)
asan_ENV := ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1
tsan_ENV := TSAN_OPTIONS="halt_on_error=1 suppressions=$(CURDIR)/tests/tsan.supp"
RUN := $($(SAN_GOAL)_ENV) HOLDOUT_BIN=$(abspath $(PROGRAM)) \
       HOLDOUT_FAULT_BIN=$(CURDIR)/$(FAULT_B)/holdout tests/run

.PHONY: check-all net unit-programs fault-unit fault-programs replay-programs fuzz-programs example
.SECONDEXPANSION:

$(B)/tests/%.o: ALL_CFLAGS += -Itests/unit

helpers_of = $(patsubst %.c,$(B)/%.o,$(filter tests/unit/$(word 3,$(subst /, ,$(1)))/%,$(UNIT_HELP)))
$(B)/tests/unit/libshared.a: $(UNIT_SHARED:%.c=$(B)/%.o)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(UNIT): $(B)/%: $(B)/%.o $$(call helpers_of,$$*) $(B)/tests/unit/libshared.a $(B)/libholdout.a
	$(CC) $(CFLAGS) $(SAN) -o $@ $^ $(LDLIBS) -lcmocka -lcurl

$(REPLAY): $(B)/tests/fuzz/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay_main.o \
           $(B)/libholdout.a
	$(CC) $(CFLAGS) $(SAN) -o $@ $^ $(LDLIBS)

$(FUZZERS): $(B)/tests/fuzz/libfuzzer_%: $(B)/tests/fuzz/fuzz_%.o $(B)/libholdout.a
	$(CC) $(CFLAGS) $(SAN) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

unit-programs: $(UNIT)
replay-programs: $(REPLAY)
fuzz-programs: $(FUZZERS)

# The tests that turn on failures, and the program for those over HTTP, in the variant with hooks.
ifdef FAULT
fault-unit: $(UNIT_FAULT_SRC:%.c=$(B)/%)
fault-programs: $(PROGRAM) fault-unit
else
fault-unit fault-programs: $(B)/libholdout.a
	$(MAKE) FAULT=1 $(SAN_GOAL) $@
endif

UNIT_ALL := $(UNIT) $(UNIT_FAULT_SRC:%.c=$(FAULT_B)/%)

lint:
	LINT_CFLAGS='$(ALL_CFLAGS)' CC='$(CC)' tests/lint/run

unit: unit-programs fault-unit
	UNIT='$(UNIT_ALL)' $(RUN) unit

tests/browser/node_modules: tests/browser/package-lock.json
	cd tests/browser && { npm ci && touch node_modules || test -z "$$CI"; }

# The packages first; then a make of its own, which finds the libraries just installed.
check:
	tools/deps.sh check
	+$(MAKE) $(SAN_GOAL) check-all

check-all: program unit-programs fault-programs replay-programs \
       $(if $(SAN_GOAL),,tests/browser/node_modules)
	UNIT='$(UNIT_ALL)' REPLAY='$(REPLAY)' LINT_CFLAGS='$(ALL_CFLAGS)' CC='$(CC)' \
	    $(RUN) $(SUITES)

# clang's own warnings are not ours to fix: the normal build is the one with -Werror.
fuzz:
	@$(if $(FUZZ_SRC),,echo 'no fuzz targets'; exit 1)
	$(MAKE) CC=clang VARIANT=fuzz WARN=-w fuzz-programs \
	    SAN='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -DARENA_DEBUG'
	printf '%s\n' $(FUZZ_SRC:tests/fuzz/fuzz_%.c=%) | \
	    FUZZ_SECONDS=$(FUZZ_SECONDS) xargs -P 2 -n 1 tests/fuzz/run build/fuzz/tests/fuzz

# The engine beside PyTorch and onnxruntime: packages that nothing else needs, and about a gigabyte of models.
tests/peer/node_modules: tests/peer/package-lock.json
	cd tests/peer && npm ci --ignore-scripts --no-progress && touch node_modules

peer: program tests/peer/node_modules
	tools/deps.sh peer
	$(MAKE) -s $(B)/tests/unit/stats/peers_test
	HOLDOUT_BIN=$(abspath $(PROGRAM)) $(RUN) peer

# What the program says to everything, recorded; AGAINST=FOLDER: what differs from that recording (tests/net/run).
net: program
	HOLDOUT_BIN=$(abspath $(PROGRAM)) tests/net/run $(FOLDER) $(if $(AGAINST),--against $(AGAINST))

# What tests/bench/run neighbors compares: the search here, and faiss.
build/nearest: $(B)/tests/bench/nearest/ours.o $(B)/libholdout.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
build/nearest_faiss: tests/bench/nearest/faiss.cpp
	$(CXX) -O2 -std=c++17 -o $@ $< -fopenmp -lfaiss -lopenblas
# What tests/bench/run fit compares with NumPy.
build/fit_bench: $(B)/tests/bench/fit/ours.o $(B)/libholdout.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

bench: program
	HOLDOUT_BIN=$(abspath $(PROGRAM)) tests/bench/run

# The README's pictures, taken anew.
screens: program tests/browser/node_modules
	HOLDOUT_BIN=$(abspath $(PROGRAM)) node --test tests/browser/screens.mjs

# All parts, or PART="asan bench"; PART=list names them. What passed on this commit is not run again (AGAIN=1: it is).
nightly:
	@tests/nightly/run $(if $(AGAIN),--again) $(PART)

# config.example.ini is written from the option table; a unit test holds them together.
example: $(B)/tests/unit/config/config_test
	$< --example > config.example.ini

-include $(UNIT:=.d) $(UNIT_HELP:%.c=$(B)/%.d) $(UNIT_SHARED:%.c=$(B)/%.d) $(FUZZ_SRC:%.c=$(B)/%.d)
