# The load client, the verifier, the preloaded shims and confine: `make -f tests/load/rules.mk` from the top
# of the project. They stand beside the program, not in it: always the plain compiler flags, in
# build/, whatever variant of the program is tested.
CC ?= cc
LOAD_B := build/loadobj
LOAD_FLAGS := -std=c11 -D_GNU_SOURCE -fno-common -O2 -g -Wall -Wextra -Wpedantic -Wconversion \
              -Wshadow -Wcast-qual -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 \
              -Wundef -Wswitch-enum -Wwrite-strings -Werror $(LOAD_SAN)
LOAD_BASE := arena clock err fs fault hash rng str sv xalloc
LOAD_SRC := client conn hist journal json load options report watch work worker
LOAD_OBJ := $(LOAD_BASE:%=$(LOAD_B)/base_%.o) $(LOAD_SRC:%=$(LOAD_B)/%.o)
# From the server the verifier takes only the token's text form and the order of cells.
VERIFY_OBJ := $(LOAD_BASE:%=$(LOAD_B)/base_%.o) $(LOAD_B)/base_map.o \
              $(LOAD_B)/crypto_crypto.o $(LOAD_B)/domain_grid.o $(LOAD_B)/verify.o $(LOAD_B)/claims.o

.PHONY: load-tools
load-tools: build/load build/verify build/shim/slowflush.so build/shim/keepwal.so build/confine

build/load: $(LOAD_OBJ)
	$(CC) -O2 -g $(LOAD_SAN) -o $@ $^ -lm

build/verify: $(VERIFY_OBJ)
	$(CC) -O2 -g $(LOAD_SAN) -o $@ $^ -lm $(shell pkg-config --libs sqlite3 jansson libsodium)

$(LOAD_B)/%.o: tests/load/%.c tests/load/rules.mk
	@mkdir -p $(@D)
	$(CC) $(LOAD_FLAGS) -Iserver -Itests -include server/base/banned.h -MMD -MP -c -o $@ $<

$(LOAD_B)/base_%.o: server/base/%.c tests/load/rules.mk
	@mkdir -p $(@D)
	$(CC) $(LOAD_FLAGS) -Iserver -include server/base/banned.h -MMD -MP -c -o $@ $<

$(LOAD_B)/crypto_%.o: server/crypto/%.c tests/load/rules.mk
	@mkdir -p $(@D)
	$(CC) $(LOAD_FLAGS) -Iserver -include server/base/banned.h -MMD -MP -c -o $@ $<

$(LOAD_B)/domain_%.o: server/domain/grids/%.c tests/load/rules.mk
	@mkdir -p $(@D)
	$(CC) $(LOAD_FLAGS) -Iserver -include server/base/banned.h -MMD -MP -c -o $@ $<

build/shim/%.so: tests/shim/%.c tests/load/rules.mk
	@mkdir -p $(@D)
	$(CC) $(LOAD_FLAGS) -fPIC -shared -o $@ $< -ldl -lpthread

# The names of this machine's system calls.
$(LOAD_B)/syscalls.inc: tests/load/rules.mk
	@mkdir -p $(@D)
	echo '#include <sys/syscall.h>' | $(CC) -E -dM - | \
	    sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/{"\1", SYS_\1},/p' >$@

build/confine: tests/shim/confine.c $(LOAD_B)/syscalls.inc
	$(CC) $(LOAD_FLAGS) -I$(LOAD_B) -o $@ $<

-include $(wildcard $(LOAD_B)/*.d)
