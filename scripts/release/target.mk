# SPDX-License-Identifier: MIT
# Settings of the Makefile for RELEASE_TARGET, a target of zig such as x86_64-linux-musl. zig compiles Stamma and the
# libraries that it uses (scripts/packages/third_party.tsv), whose sources scripts/setup --release downloads. The result
# contains no path and no time, so the same sources always result in the same bytes.

CACHE := $(dir $(NODE_MODULES))
THIRD_PARTY := $(CACHE)release
ZIG := $(THIRD_PARTY)/python/ziglang/zig
BUILD := build/release/$(RELEASE_TARGET)
CC := $(ZIG) cc -target $(RELEASE_TARGET)
AR := $(ZIG) ar
CFLAGS := -O3 -ffile-prefix-map=$(CACHE)=
LDFLAGS := -s -Wl,--gc-sections
SANITIZE :=
# zig keeps compiled files of the C library here.
export ZIG_GLOBAL_CACHE_DIR ?= $(abspath build/release/zig-cache)
export ZIG_LOCAL_CACHE_DIR ?= $(ZIG_GLOBAL_CACHE_DIR)

# Threads get stacks of 8 MiB, as with glibc; those of musl have 128 KiB.
ifneq ($(findstring musl,$(RELEASE_TARGET)),)
LDFLAGS += -static -Wl,-z,stack-size=8388608
endif
ifneq ($(findstring macos,$(RELEASE_TARGET)),)
LDFLAGS := -Wl,-dead_strip,-x
endif

THIRD_PARTY_LIBRARY := $(BUILD)/third_party.a
LIBS :=
SQLITE := $(THIRD_PARTY_LIBRARY)
FATHOM :=
TOOL_LIBS := $(if $(findstring windows,$(RELEASE_TARGET)),-lws2_32 -lbcrypt -lshell32,-lpthread -lm)

# Lists the objects and headers of the libraries.
$(BUILD)/third_party.mk: scripts/packages/third_party.tsv scripts/release/third_party
	@mkdir -p $(@D)
	@$(PYTHON) scripts/release/third_party rules $(THIRD_PARTY) $(RELEASE_TARGET) >$@
include $(BUILD)/third_party.mk
CPPFLAGS := $(THIRD_PARTY_INCLUDES)

COMPILE_THIRD_PARTY = $(CC) -std=gnu11 -w -fPIC -fvisibility=hidden $(CFLAGS) -DNDEBUG
$(BUILD)/third_party/%.o: $(THIRD_PARTY)/% $(BUILD)/flags $(BUILD)/third_party.mk
	@mkdir -p $(@D)
	$(call SAY,compile,$(patsubst $(THIRD_PARTY)/%,%,$<))$(COMPILE_THIRD_PARTY) $(FLAGS) -Iscripts/release/include -c -o $@ $<
$(THIRD_PARTY_LIBRARY): $(THIRD_PARTY_OBJECTS)
