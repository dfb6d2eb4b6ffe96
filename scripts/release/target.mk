# SPDX-License-Identifier: MIT
# Settings of the Makefile for RELEASE_TARGET, a target of zig such as x86_64-linux-musl. zig compiles Stamma and the
# libraries that it uses (scripts/packages/third_party.tsv), whose sources scripts/setup --release downloads. The result
# contains no path and no time, so the same sources always result in the same bytes.

CACHE := $(dir $(NODE_MODULES))
THIRD_PARTY := $(CACHE)release
ZIG := $(THIRD_PARTY)/python/ziglang/zig
# Whether the target's name contains a word: $(call FOR,WORD).
FOR = $(findstring $(1),$(RELEASE_TARGET))
SYSTEM := $(or $(call FOR,windows),$(call FOR,macos),$(if $(call FOR,wasm),web),linux)
BUILD := $(RELEASE)/$(RELEASE_TARGET)
CC := $(ZIG) cc -target $(RELEASE_TARGET)
AR := $(ZIG) ar
# Without the last option, clang writes paths of files to embed with backslashes.
CFLAGS := -O3 -g0 -ffile-prefix-map=$(CACHE)=$(if $(call FOR,windows), -fno-file-reproducible)
SANITIZE :=
# zig keeps its C library, which it compiles for each target, in this folder.
export ZIG_GLOBAL_CACHE_DIR ?= $(abspath $(RELEASE))/zig-cache
export ZIG_LOCAL_CACHE_DIR ?= $(ZIG_GLOBAL_CACHE_DIR)

# Warnings of new versions of clang: of named numbers in computations with fractions, and of tables of text without an end.
# Options of ELF files are unused for other systems.
WARNINGS += -Wno-enum-float-conversion -Wno-unterminated-string-initialization $(if $(call FOR,linux),,-Wno-unused-command-line-argument)

STRIP_FLAGS := $(if $(call FOR,macos),-Wl$(comma)-dead_strip -Wl$(comma)-x,-s -Wl$(comma)--gc-sections)
LDFLAGS := $(STRIP_FLAGS)
# The default of musl for stacks of threads is 128 KiB. This is the default of glibc.
ifneq ($(call FOR,musl),)
LDFLAGS += -static -Wl,-z,stack-size=8388608
endif

THIRD_PARTY_LIBRARY := $(BUILD)/third_party.a
LIBS :=
SQLITE := $(THIRD_PARTY_LIBRARY)
FATHOM :=
TOOL_LIBS := $(if $(call FOR,wasm),,-lpthread) $(if $(call FOR,windows),-lws2_32 -lbcrypt -lshell32 -lntdll,-lm)

# The rules for the libraries, which list their objects and headers.
$(BUILD)/third_party.mk: scripts/packages/third_party.tsv scripts/release/third_party
	@mkdir -p $(@D)
	@$(PYTHON) scripts/release/third_party rules $(THIRD_PARTY) $(RELEASE_TARGET) >$@
include $(BUILD)/third_party.mk
# No function is exported: the command needs none, and a module of Python only its entry point.
CPPFLAGS := -DSTAMMA_STATIC $(if $(call FOR,macos),-D_DARWIN_C_SOURCE) $(THIRD_PARTY_INCLUDES)

# For macOS, zstd's assembly code would export its functions.
COMPILE_THIRD_PARTY = $(CC) -std=gnu11 -w -fPIC -fvisibility=hidden $(CFLAGS) -DNDEBUG $(if $(call FOR,macos),-DZSTD_DISABLE_ASM=1)
$(BUILD)/third_party/%.o: $(THIRD_PARTY)/% $(BUILD)/flags $(BUILD)/third_party.mk
	@mkdir -p $(@D)
	$(call SAY,compile,$(patsubst $(THIRD_PARTY)/%,%,$<))$(COMPILE_THIRD_PARTY) $(FLAGS) -Iscripts/release/include -c -o $@ $<
$(THIRD_PARTY_LIBRARY): $(THIRD_PARTY_OBJECTS)

# ---- the extension module of the Python package ----

MODULE := $(BUILD)/_stamma$(if $(call FOR,windows),.pyd,.abi3.so)
MODULE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard python/extension/*.c) \
    python/extension/system/$(if $(call FOR,windows),windows,posix)_extension.c)
$(BUILD)/python/%.o: private INTERNAL := -Ibindings -isystem $(PYTHON_HEADERS) -DPy_LIMITED_API=0x03090000 -D_POSIX_C_SOURCE=200809L \
    -Wno-pedantic
$(MODULE_OBJECTS): $(PYTHON_HEADERS)/pyconfig.h
MODULE_LIBS := -lpthread $(if $(call FOR,macos),-Wl$(comma)-undefined$(comma)dynamic_lookup,-lm)
ifneq ($(call FOR,windows),)
# Windows finds functions by the name of their library. The stable ABI is in python3.dll, whose import library contains
# the functions that the module uses.
MODULE_LIBS += $(BUILD)/python3.lib
$(MODULE): $(BUILD)/python3.lib
$(BUILD)/python3.lib: $(MODULE_OBJECTS) scripts/release/import_library
	$(call SAY,write,$@)$(PYTHON) scripts/release/import_library $(ZIG) $(RELEASE_TARGET) $@ $(MODULE_OBJECTS)
endif
$(MODULE): $(MODULE_OBJECTS) $(BUILD)/libstamma.a $(THIRD_PARTY_LIBRARY)
	$(call SAY,link,$@)$(CC) $(CFLAGS) -shared $(STRIP_FLAGS) -o $@ $(filter %.o %.a,$^) $(MODULE_LIBS)
module: $(MODULE)
