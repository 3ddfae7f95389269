# make            the program ./holdout          make check    everything CI runs, within 12 minutes
# make demo       build, make a world, serve it  make nightly  sanitizers, long fuzzing, soak
# make help       all targets
#
# `make asan check` and `make tsan check` build and test in build/asan and build/tsan.

SAN :=
VARIANT := release
ifneq ($(filter asan,$(MAKECMDGOALS)),)
SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -DARENA_DEBUG
VARIANT := asan
endif
ifneq ($(filter tsan,$(MAKECMDGOALS)),)
SAN := -fsanitize=thread
VARIANT := tsan
endif
# Tests turn on failures (base/fault.h) in a program built with the hooks, FAULT=1. Few files look at
# them; all others are those of the build without.
PLAIN := build/$(VARIANT)
ifdef FAULT
VARIANT := $(VARIANT)-fault
endif

B := build/$(VARIANT)
CC ?= cc
PKGS := libmicrohttpd sqlite3 jansson libjpeg spng libsodium inih gnutls libcmark
ifneq ($(MAKECMDGOALS),deps)
# FreeType is loaded by the demo when it draws; the program is not linked with it.
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) freetype2 2>/dev/null)
PKG_LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
endif
# Hardening, of what the compiler knows; tests/lint/hardened reads the program for it. Sanitizers bring checks of
# their own, which these would hide.
ifeq ($(SAN),)
can = $(shell printf '\043include <stdio.h>\nint main(void) { return puts("") < 0; }\n' | \
        $(CC) -Werror -O2 $(1) -x c -o /dev/null - 2>/dev/null && echo '$(1)')
HARDEN := $(call can,-fstack-clash-protection) $(call can,-fcf-protection=full)
ifeq ($(filter -O0,$(CFLAGS)),) # it needs the optimizer
HARDEN += -U_FORTIFY_SOURCE $(or $(call can,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-D_FORTIFY_SOURCE=2)
endif
endif
HARDEN += -fPIE
LDFLAGS += -pie -Wl,-z,relro,-z,now,-z,noexecstack
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-qual -Wvla -Wstrict-prototypes \
        -Wmissing-prototypes -Wformat=2 -Wundef -Wswitch-enum -Wwrite-strings -Werror
CFLAGS ?= -O2 -g
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -fno-common -fstack-protector-strong $(HARDEN) $(CFLAGS) $(WARN) $(SAN) \
              -I$(PLAIN)/precompiled -Iserver -include base/banned.h $(PKG_CFLAGS)
# oneDNN has no pkg-config file; gomp is its OpenMP, which is told to use one thread (linalg/matrix.c).
# OpenBLAS is loaded by `train` when it solves; the program is not linked with it.
LDLIBS := $(PKG_LIBS) -ldnnl -lgomp -lpthread -lm
VERSION := $(shell cat VERSION)
# `make V=1` shows the commands.
Q := $(if $(V),,@)
SAY := $(if $(V),@:,@echo)

SRC := $(wildcard server/*/*.c server/*/*/*.c) # rooms have no rooms: tests/lint/layers
HOOKED := $(shell grep -lE 'FAULT_HOOKS|"(base/fault|db/fault_vfs)\.h"' $(SRC))
OBJ := $(HOOKED:%.c=$(B)/%.o) $(patsubst %.c,$(PLAIN)/%.o,$(filter-out $(HOOKED),$(SRC))) $(B)/assets.o
ASSETS := $(sort $(wildcard templates/*.mustache templates/*/*.mustache templates/*/*/*.mustache static/*/* static/*/*/* \
          migrations/*.sql))
PROGRAM := $(if $(filter release,$(VARIANT)),holdout,$(B)/holdout)

.PHONY: all deps demo serve check nightly lint unit asan tsan fuzz peer bench screens install clean help program
all: program

program: $(PROGRAM)

$(PROGRAM): $(B)/server/main.o $(B)/libholdout.a
	$(SAY) LINK $@
	$(Q)$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/libholdout.a: $(OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

define compile
@mkdir -p $(@D)
$(SAY) CC $@
$(Q)$(CC) $(ALL_CFLAGS) $(1) -DHOLDOUT_VERSION='"$(VERSION)"' -MMD -MP -c -o $@ $<
endef

# What every file includes, read once: a fifth of the build. A compiler that cannot use it reads the header itself.
PRECOMPILED := $(PLAIN)/precompiled/base/banned.h.gch
$(PRECOMPILED): server/base/banned.h Makefile
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) -x c-header -o $@ $<

$(PLAIN)/%.o: %.c Makefile $(PRECOMPILED)
	$(call compile)
ifdef FAULT
$(B)/%.o: %.c Makefile $(PRECOMPILED)
	$(call compile,-DFAULT_HOOKS)
endif

# GnuTLS gives a parameter the name of a banned function; tests/lint/banned reads our own lines.
$(PLAIN)/server/crypto/signature.o: ALL_CFLAGS += -DBANNED_NAMES_IN_HEADERS

STRIPPED := $(patsubst %,$(B)/%,$(filter %.css %.js %.mustache,$(ASSETS)))

$(STRIPPED): $(B)/%: % tools/strip.awk
	@mkdir -p $(@D)
	$(Q)awk -f tools/strip.awk $< > $@

$(B)/assets.S: $(ASSETS) tools/assets.sh Makefile
	@mkdir -p $(@D)
	$(SAY) ASSETS $@
	$(Q)STRIPPED=$(B) tools/assets.sh $(ASSETS) > $@.new
	$(Q)mv $@.new $@

$(B)/assets.o: $(B)/assets.S $(ASSETS) $(STRIPPED)
	$(Q)$(CC) $(HARDEN) -c -o $@ $<

-include $(OBJ:.o=.d) $(B)/server/main.d

include tests/tests.mk

deps:
	tools/deps.sh

# With another goal beside them these only choose the variant.
asan tsan: $(if $(filter-out asan tsan,$(MAKECMDGOALS)),,program)
	@:

help:
	@sed -n '1,6s/^# \{0,1\}//p' Makefile
	@echo 'all deps demo serve check nightly lint unit asan tsan fuzz peer bench net screens install clean'

demo: deps
	+$(MAKE) program
	./holdout demo demo-project --serve

serve: program
	./holdout serve $(or $(DIR),demo-project)

PREFIX ?= /usr/local
install: program
	install -D -m 755 holdout $(DESTDIR)$(PREFIX)/bin/holdout
	install -D -m 755 deploy/holdout-shards $(DESTDIR)$(PREFIX)/bin/holdout-shards
	install -D -m 644 config.example.ini $(DESTDIR)$(PREFIX)/share/doc/holdout/config.example.ini

clean:
	rm -rf build holdout
