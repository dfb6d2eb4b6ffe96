# Stamma: GNU make is the only build system. `make help` lists the targets.
CC ?= cc
BUILD ?= build
CFLAGS ?= -O3 -g
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion
override CFLAGS += -std=c11 $(WARNINGS) -fvisibility=hidden -fPIC -Iinclude -Isrc -MMD -MP
LIBS := -lzstd -lxxhash

SOURCES := $(wildcard src/*/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
TOOL_SOURCES := $(wildcard tools/stamma/*.c)
TOOL_OBJECTS := $(TOOL_SOURCES:%.c=$(BUILD)/%.o)
TOOL_LIBS := -lz -lbz2 -lpthread

all: $(BUILD)/libstamma.a $(if $(TOOL_SOURCES),$(BUILD)/stamma)

$(BUILD)/libstamma.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/stamma: $(TOOL_OBJECTS) $(BUILD)/libstamma.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) $(TOOL_LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# A test program for each tests/*_test.c: $(BUILD)/tests/NAME_test
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*_test.c))
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/libstamma.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

test: all $(TESTS)
	@set -e; for t in $(TESTS); do $$t; done

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.PHONY: all test clean
.SECONDARY:
