# SPDX-License-Identifier: MIT
# Stamma: GNU make is the only build system. `make help` lists the targets and the variables.
#
# Files are found by their folder and name, so a new file needs no line here:
#   src/ROOM/*.c          the library               tests/unit/ROOM/*_test.c   unit tests, one program per room
#   tools/stamma/*/*.c    the command               tests/unit/support/*.c     available to all unit tests
#   bindings/*/*.c        tables for SQL databases   tests/FOLDER/*.sh          a shell test each (slow, nightly: run by check-slow, check-nightly)
#   bench/*.c             a program each            fuzz/*_fuzz.c              a fuzz target each, and its replay
#   examples/*.c          a program each            fuzz/*.c                   other files: available to every target
#   generators/*.c        a program each            web/*                      the page of the command's server

SANITIZE ?=
CFLAGS ?= $(if $(SANITIZE),-O1,-O3) -g
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
TEST ?=
BENCH ?=
FUZZ ?=
FUZZ_SECONDS ?= 60
COUNT_WORK ?=
PYTHON ?= python3
# Not empty: the command and the extension of SQLite use the shared library. Otherwise they contain the library.
DYNAMIC ?=

# PREFIX is the usual spelling; the GNU standards require prefix.
PREFIX ?= /usr/local
prefix ?= $(PREFIX)
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
docdir ?= $(datadir)/doc/stamma
INSTALL ?= install

comma := ,
# A sanitizer build uses a separate directory: SANITIZE=address,undefined builds in build/address-undefined.
BUILD ?= build$(if $(SANITIZE),/$(subst $(comma),-,$(SANITIZE)))
SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)

HEADERS := include/stamma.h $(wildcard include/stamma/*.h)
VERSION := $(shell sed -n 's/^.define STAMMA_VERSION "\(.*\)"/\1/p' include/stamma/base.h)
MAJOR := $(firstword $(subst ., ,$(VERSION)))
RELEASED := $(firstword $(subst -, ,$(VERSION)))
# The names of the shared library and the flags to link it. Mach-O uses other names and flags.
ifeq ($(shell uname -s),Darwin)
SHARED := libstamma.$(VERSION).dylib
SONAME := libstamma.$(MAJOR).dylib
LINKNAME := libstamma.dylib
MODULE_SUFFIX := .dylib
LINK_MODULE = $(LINK) -bundle
LINK_SHARED = $(LINK) -dynamiclib -install_name $(libdir)/$(SONAME) -compatibility_version $(MAJOR) -current_version $(RELEASED)
else
SHARED := libstamma.so.$(VERSION)
SONAME := libstamma.so.$(MAJOR)
LINKNAME := libstamma.so
MODULE_SUFFIX := .so
# A module of another program: exports only its entry point.
LINK_MODULE = $(LINK) -shared -Wl,--exclude-libs,ALL $(if $(SANITIZE),,-Wl,-z,defs)
LINK_SHARED = $(LINK) -shared -Wl,-soname,$(SONAME) $(if $(SANITIZE),,-Wl,-z,defs)
endif

# gcc warns about conversions in code that its sanitizers insert.
WARNINGS := -Wall -Wextra -Wpedantic $(if $(SANITIZE),,-Wconversion)
# The library's calls of its public functions may be inlined, because the functions are not replaced at run time. Code of
# Windows can always be moved, and compilers warn about flags that have no effect.
POSITION = $(if $(filter windows,$(SYSTEM)),,-fPIC) $(if $(filter linux,$(SYSTEM)),-fno-semantic-interposition)
COMPILE = $(CC) -std=c11 $(WARNINGS) $(POSITION) -fvisibility=hidden -Iinclude \
          $(CPPFLAGS) $(CFLAGS) $(SANITIZE_FLAGS) $(TRACE) -MMD -MP
LINK = $(CC) $(CFLAGS) $(SANITIZE_FLAGS) $(LDFLAGS)
LIBS := -lzstd -lbz2 -lxxhash
TOOL_LIBS := -lcivetweb -lz -lbz2 -llzma -lmd -lpthread -lm
.DEFAULT_GOAL := all
# Absent in the source distribution for Python.
include $(wildcard scripts/release/release.mk)
# The files that scripts/setup downloads: the npm packages of the page, the library nanoarrow, and the headers of DuckDB.
NODE_MODULES := $(shell scripts/setup --modules)
# Without SQLite's header and library, `stamma sql` is not available, and the extension of SQLite is not built.
SQLITE := $(shell echo 'int main(void) { return sqlite3_libversion_number() < 0; }' | \
    $(CC) $(CPPFLAGS) $(LDFLAGS) -include sqlite3.h -x c - -lsqlite3 -o /dev/null 2>/dev/null && echo -lsqlite3)
# Without the library Fathom, `stamma tablebase` and `stamma serve --syzygy` are not available.
FATHOM := $(shell echo 'int main(void) { return (int)tb_init(""); }' | \
    $(CC) $(CPPFLAGS) $(LDFLAGS) -include tbprobe.h -x c - -lfathom -o /dev/null 2>/dev/null && echo yes)
# RELEASE_TARGET=x86_64-linux-musl: builds for a target of zig, with libraries that are compiled from their sources.
ifneq ($(RELEASE_TARGET),)
include scripts/release/target.mk
endif
# For the tests, the benches, and the make that the test of `install` starts.
export BUILD CC CFLAGS CPPFLAGS LDFLAGS SANITIZE COUNT_WORK

# The system for which is compiled, and the names of files that other systems need (tools/stamma/system).
SYSTEM ?= $(if $(filter Darwin,$(shell uname -s)),macos,linux)
OTHER_SYSTEMS := $(addsuffix _%.c,$(filter-out $(SYSTEM) $(if $(filter linux macos,$(SYSTEM)),posix),posix linux macos windows web))
OF_THIS_SYSTEM = $(foreach file,$(1),$(if $(filter $(OTHER_SYSTEMS),$(notdir $(file))),,$(file)))

SOURCES := $(wildcard src/*/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
TOOL_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(call OF_THIS_SYSTEM,$(wildcard tools/stamma/*.c tools/stamma/*/*.c bindings/paths/*.c bindings/tables/*.c bindings/threads/*.c))) \
    $(BUILD)/web_files.o $(BUILD)/lichess_rows.o
TOOL_FLAGS := -Itools/stamma -Ibindings -DSQLITE_CORE
ifneq ($(SQLITE),)
TOOL_OBJECTS += $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/stamma_sqlite.c,$(wildcard bindings/sqlite/*.c)))
TOOL_LIBS += $(SQLITE)
SQLITE_EXTENSION := $(BUILD)/stamma_sqlite$(MODULE_SUFFIX)
else
TOOL_FLAGS += -DTOOL_NO_SQLITE
endif
ifneq ($(FATHOM),)
TOOL_LIBS += -lfathom
TOOL_FLAGS += -DTOOL_FATHOM
endif
# The library nanoarrow, which writes Arrow files, is compiled from its sources.
NANOARROW ?= $(dir $(NODE_MODULES))nanoarrow
ifneq ($(wildcard $(NANOARROW)/version),)
NANOARROW_OBJECTS := $(patsubst $(NANOARROW)/src/%.c,$(BUILD)/nanoarrow/%.o,$(wildcard $(NANOARROW)/src/*.c))
TOOL_OBJECTS += $(NANOARROW_OBJECTS)
TOOL_FLAGS += -DTOOL_NANOARROW -isystem $(NANOARROW)/include
endif
DUCKDB ?= $(dir $(NODE_MODULES))duckdb
# Prints a line for a feature if a file that it needs does not exist: $(call LEFT_OUT,FILE,FEATURE,OPTION).
LEFT_OUT = $(if $(1),,@echo 'left out: $(2). To add it: scripts/setup$(3), then make$(if $(3), duckdb)')
TEST_SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/unit/support/*.c))
UNIT_TESTS := $(wildcard tests/unit/*/*_test.c)
TESTS := $(addprefix $(BUILD)/tests/,$(basename $(notdir $(UNIT_TESTS))))
FUZZ_SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %_fuzz.c fuzz/replay.c,$(wildcard fuzz/*.c)))
REPLAYS := $(patsubst %.c,$(BUILD)/%,$(wildcard fuzz/*_fuzz.c))
BENCHES := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/*.c))
EXAMPLES := $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*.c))
GENERATORS := $(patsubst %.c,$(BUILD)/%,$(wildcard generators/*.c))
# Clang's memory sanitizer does not see the writes of other libraries. The linker therefore redirects calls of these
# libraries to functions that mark the memory.
ifneq ($(filter memory,$(subst $(comma), ,$(SANITIZE))),)
OBJECTS += $(BUILD)/tests/memory_sanitizer/foreign_library.o $(BUILD)/tests/memory_sanitizer/foreign_files.o
TOOL_OBJECTS += $(BUILD)/tests/memory_sanitizer/foreign_tools.o
WRAPPED := $(shell grep -ho '__wrap_[A-Za-z0-9_]\+' tests/memory_sanitizer/*.c)
LINK += $(patsubst __wrap_%,-Wl$(comma)--wrap=%,$(sort $(WRAPPED)))
endif
# The work of fuzz targets is counted in basic blocks (fuzz/target.h). libFuzzer defines the function that the compiled
# code calls for each block; the linker redirects these calls.
ifneq ($(COUNT_WORK),)
OBJECTS += $(BUILD)/fuzz/work/count.o
TRACE := -fsanitize-coverage=trace-pc -DCOUNT_WORK
TRACE_FUNCTION := $(if $(findstring fuzzer,$(SANITIZE)),__wrap_)__sanitizer_cov_trace_pc
$(BUILD)/fuzz/work/count.o: private TRACE := -fvisibility=default -DTRACE_FUNCTION=$(TRACE_FUNCTION)
LINK += $(if $(findstring fuzzer,$(SANITIZE)),-Wl$(comma)--wrap=__sanitizer_cov_trace_pc)
endif
LIBRARY := $(BUILD)/libstamma.a
LINKED_LIBRARY := $(if $(DYNAMIC),$(BUILD)/$(SHARED),$(LIBRARY))
COMMAND := $(if $(TOOL_OBJECTS),$(BUILD)/stamma)
ifneq ($(findstring wasm,$(RELEASE_TARGET)),)
include scripts/release/wasm.mk
endif

all: $(LIBRARY) $(BUILD)/$(SHARED) $(COMMAND) $(SQLITE_EXTENSION) left_out ## build the static and shared library, the command and the extension of SQLite

# A line for each feature that the command lacks.
left_out: $(COMMAND)
	$(call LEFT_OUT,$(SQLITE),questions in SQL (stamma sql))
	$(call LEFT_OUT,$(NANOARROW_OBJECTS),Arrow files (stamma export))
	$(call LEFT_OUT,$(FATHOM),Syzygy tablebases (stamma tablebase))
	$(call LEFT_OUT,$(wildcard $(NODE_MODULES)/cm-chessboard),the pieces Cburnett (stamma serve, stamma board))

# ---- compile and link ----

# Prints a short line for each step; V=1 prints the complete commands.
SAY = $(if $(V),,@printf '  %-8s %s\n' $(1) $(2);)

# Contains the compile command. Files that were compiled with another command are compiled again.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(TOOL_FLAGS)' | cmp -s - $@ || echo '$(COMPILE) $(TOOL_FLAGS)' >$@

# Only the library, its tests and the trainer use the internal headers.
$(BUILD)/src/%.o $(BUILD)/tests/%.o $(BUILD)/train/%.o: private INTERNAL := -Isrc
$(BUILD)/tests/unit/%.o: private INTERNAL := -Isrc -Itests/unit/support
$(BUILD)/tests/unit/%_test.o: private INTERNAL = -Isrc -Itests/unit/support -Dmain=$(*F)
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call SAY,compile,$<)$(COMPILE) $(INTERNAL) -c -o $@ $<

$(BUILD)/bench/%.o: private INTERNAL := -Ibindings

# The assembler reads the weights, which the compiler's list of dependencies does not contain.
$(BUILD)/src/model/predict_weights.o: src/model/predict_weights.c.bin

# Includes of the headers of the command and of the bindings are written "FOLDER/FILE.h".
$(TOOL_OBJECTS) $(BUILD)/fuzz/request_fuzz.o $(BUILD)/fuzz/head_fuzz.o $(BUILD)/fuzz/persons_fuzz.o: private INTERNAL := $(TOOL_FLAGS)
$(BUILD)/web_files.o $(BUILD)/lichess_rows.o: %.o: %.c $(BUILD)/flags
	$(call SAY,compile,$<)$(COMPILE) $(INTERNAL) -c -o $@ $<

# The page, as bytes in the program. Made again if a file of the page was changed, added or removed.
$(BUILD)/web_files.c: FORCE
	@mkdir -p $(@D)
	@$(PYTHON) scripts/embed_web web '$(NODE_MODULES)' $@

# The script that reads and writes Parquet files, as bytes in the program.
$(BUILD)/lichess_rows.c: python/stamma/lichess_rows.py $(BUILD)/flags
	@(echo '#include "shared/python_script.h"' && echo 'const char tool_lichess_rows[] = {' && \
	    od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' && echo '0};') >$@

$(LIBRARY): $(OBJECTS)

$(BUILD)/$(SHARED): $(OBJECTS)
	$(call SAY,link,$@)$(LINK_SHARED) -o $@ $^ $(LIBS)
	@ln -sf $(SHARED) $(BUILD)/$(SONAME) && ln -sf $(SONAME) $(BUILD)/$(LINKNAME)

$(BUILD)/stamma: $(TOOL_OBJECTS) $(LINKED_LIBRARY) $(THIRD_PARTY_LIBRARY)
	$(call SAY,link,$@)$(LINK) -o $@ $^ $(LIBS) $(TOOL_LIBS)

# Third-party code is compiled without this project's warnings.
$(BUILD)/nanoarrow/%.o: $(NANOARROW)/src/%.c $(NANOARROW)/version $(BUILD)/flags Makefile
	@mkdir -p $(@D)
	$(call SAY,compile,nanoarrow/$(<F))$(COMPILE) -w -Wno-error -DFLATCC_BUILDER_ASSERT_ON_ERROR=0 -I$(NANOARROW)/include \
	    -c -o $@ $<

# The extension of SQLite is compiled without SQLITE_CORE, so it uses the functions of the program that loads it.
BINDINGS := $(patsubst %.c,$(BUILD)/extension/%.o,$(call OF_THIS_SYSTEM,$(filter-out bindings/threads/% bindings/web/%,$(wildcard bindings/*/*.c))))
SQLITE_OBJECTS := $(filter-out $(BUILD)/extension/bindings/duckdb/%,$(BINDINGS))
DUCKDB_OBJECTS := $(filter-out $(BUILD)/extension/bindings/sqlite/%,$(BINDINGS))
$(BUILD)/extension/%.o: private INTERNAL := -Ibindings -isystem $(DUCKDB)
$(BUILD)/extension/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call SAY,compile,$<)$(COMPILE) $(INTERNAL) -c -o $@ $<

$(BUILD)/stamma_sqlite$(MODULE_SUFFIX): $(SQLITE_OBJECTS) $(LINKED_LIBRARY)
	$(call SAY,link,$@)$(LINK_MODULE) -o $@ $^ $(LIBS) -lm

ifneq ($(wildcard $(DUCKDB)/version),)
duckdb: $(BUILD)/stamma.duckdb_extension ## build the extension of DuckDB
else
duckdb:
	$(call LEFT_OUT,,the extension of DuckDB, --duckdb)
endif
$(BUILD)/stamma_duckdb$(MODULE_SUFFIX): $(DUCKDB_OBJECTS) $(LIBRARY)
	$(call SAY,link,$@)$(LINK_MODULE) -o $@ $^ $(LIBS) -lm
$(BUILD)/stamma.duckdb_extension: $(BUILD)/stamma_duckdb$(MODULE_SUFFIX) scripts/duckdb_footer
	$(call SAY,write,$@)$(PYTHON) scripts/duckdb_footer $< v$(VERSION) $@

# The test programs share the 8 MB of weights in one shared library. Their debug information stays in the object files;
# STRIP= links it, for a debugger.
ifneq ($(shell uname -s),Darwin)
WEIGHTS := $(BUILD)/tests/libweights.so
LINK_WEIGHTS := -Wl,--push-state,--no-as-needed $(WEIGHTS) -Wl,--pop-state -Wl,-rpath,'$$ORIGIN/../tests'
endif
STRIP ?= $(if $(SANITIZE)$(COVERAGE),,-Wl,-S)
LINK_PROGRAM = $(LINK) $(STRIP) -o $@ $(filter-out $(WEIGHTS) $(LIBRARY),$^) $(LINK_WEIGHTS) $(LIBRARY) $(LIBS)

$(BUILD)/tests/libweights.so: src/model/predict_weights.c src/model/predict_weights.c.bin $(wildcard src/model/*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call SAY,link,$@)$(COMPILE) -Isrc -fvisibility=default -shared -o $@ $< $(LDFLAGS)

# The unit tests of a room are one program, with a symbolic link for each test: tests/unit/run.c runs the test that
# the name of the link selects. The folder is a prerequisite because it changes when a test is removed.
define ROOM_TESTS
$(BUILD)/tests/$(1)_tests: tests/unit/run.c $(2:%.c=$(BUILD)/%.o) tests/unit/$(1) $(BUILD)/tests/support.a $(LIBRARY) $(WEIGHTS) $(BUILD)/flags
	$$(call SAY,link,$$@)$$(COMPILE) '-DTESTS=$(patsubst %,TEST(%),$(basename $(notdir $(2))))' -c -o $$@.o $$< && \
	    $$(LINK) $$(STRIP) -o $$@ $$@.o $$(filter %.o,$$^) $(BUILD)/tests/support.a $$(LINK_WEIGHTS) $(LIBRARY) $$(LIBS) -lcmocka -lpthread -lm
$(addprefix $(BUILD)/tests/,$(basename $(notdir $(2)))): $(BUILD)/tests/$(1)_tests
	@ln -sf $$(<F) $$@
endef
$(foreach room,$(sort $(notdir $(patsubst %/,%,$(dir $(UNIT_TESTS))))),$(eval $(call ROOM_TESTS,$(room),$(filter tests/unit/$(room)/%,$(UNIT_TESTS)))))

# Libraries, so that each program is linked only with the objects that it uses.
$(BUILD)/tests/support.a: $(TEST_SUPPORT)
$(BUILD)/fuzz/support.a: $(FUZZ_SUPPORT)
# The command without its main function, for targets that test parts of the command.
$(BUILD)/tools.a: $(filter-out %/main.o,$(TOOL_OBJECTS))
$(BUILD)/tests/support.a $(BUILD)/fuzz/support.a $(BUILD)/tools.a $(LIBRARY) $(THIRD_PARTY_LIBRARY):
	@rm -f $@
	$(call SAY,archive,$@)$(AR) rcs $@ $^

$(REPLAYS): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/fuzz/replay.o $(BUILD)/fuzz/support.a $(BUILD)/tools.a $(LIBRARY) $(WEIGHTS)
	$(call SAY,link,$@)$(LINK_PROGRAM) -lpthread -lm

$(BUILD)/bench/search_index_bench: $(patsubst %.c,$(BUILD)/%.o,$(call OF_THIS_SYSTEM,$(wildcard bindings/threads/*.c)))
$(BENCHES) $(EXAMPLES) $(GENERATORS): $(BUILD)/%: $(BUILD)/%.o $(LIBRARY) $(WEIGHTS)
	$(call SAY,link,$@)$(LINK_PROGRAM) -lm

# ---- test ----

PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
# More tests than processors run at once, because tests that wait for a browser or a server leave a processor idle.
TEST_JOBS = $$(( $(JOBS) + 1 ))
# Returns the files whose names contain a word of TEST; all files if TEST is empty.
SELECT = $(if $(TEST),$(foreach file,$(1),$(if $(strip $(foreach word,$(TEST),$(findstring $(word),$(notdir $(file))))),$(file))),$(1))
# Sanitizers and coverage would add symbols.
CHECKS := check_layers $(if $(SANITIZE),,check_words) $(if $(SANITIZE)$(COVERAGE),,check_exports check_abi)
SHELL_TESTS := $(call SELECT,$(filter-out tests/slow/% tests/nightly/%,$(wildcard tests/*/*.sh)) $(addprefix scripts/,$(CHECKS)))
NATIVE_TESTS := $(call SELECT,$(TESTS) $(REPLAYS))

test: ## install missing packages, build, run every test; the last line is the summary
	@scripts/setup --test
	@$(MAKE) --no-print-directory $(PARALLEL) programs
	@$(MAKE) --no-print-directory check

# The programs that shell tests use.
programs: all duckdb $(EXAMPLES) $(GENERATORS) $(NATIVE_TESTS) ## build everything that the tests need

check: $(if $(SHELL_TESTS),programs,$(NATIVE_TESTS)) ## run the tests without the set-up; TEST='word...': build and run only tests whose names contain a word
	@$(PYTHON) scripts/run_tests -j $(TEST_JOBS) --timeout $(if $(SANITIZE),2400,900) $(SHELL_TESTS) $(NATIVE_TESTS)

# The tests under the sanitizers. Omits tests that need large inputs or other programs and whose code other tests reach. The
# longest one, the replay of archives, is started early.
LARGE_UNIT_TESTS := acceptance archive_threads boards_differential columns_rows openings perft piece_game position_code positions_corpus \
    reader_stop resume salvage stats_block tag_choices tag_writer tree_names verdicts writer
LARGE_COMMAND_TESTS := append corpus crash failures import index level output pages resume survey unique values
SANITIZED_TESTS := $(filter-out $(LARGE_COMMAND_TESTS:%=tests/command/command_%.sh),$(wildcard tests/command/command_*.sh)) \
    $(filter-out $(LARGE_UNIT_TESTS:%=$(BUILD)/tests/%_test),$(REPLAYS) $(TESTS))

check-sanitized: all $(NATIVE_TESTS) ## with SANITIZE=...: run the unit tests, the fuzz replays, and the tests of the command on small inputs
	@$(PYTHON) scripts/run_tests -j $(JOBS) --timeout 2400 $(call SELECT,$(SANITIZED_TESTS))

# The tests that start threads.
THREAD_TESTS := threads search_index archive_open block_cache handle_test command_find command_merge command_repair serve_files serve_engine serve_limits

check-threads: ## with SANITIZE=thread: run the tests that start threads
	@$(MAKE) --no-print-directory check TEST='$(THREAD_TESTS)'

# The tests of the command that Wine runs. tests/windows_skipped.txt lists the other tests, and why Wine cannot run them.
WINDOWS_COMMAND := build/release/x86_64-windows-gnu/stamma
WINDOWS_TESTS := $(filter-out $(shell sed -n 's/^\(tests[^ ]*\).*/\1/p' tests/windows_skipped.txt),$(wildcard tests/command/command_*.sh tests/serve/*.sh))

check-windows: programs ## build the command for Windows and run the tests of the command with it under Wine, after scripts/setup --release; TEST='word...' as for check
	@$(MAKE) --no-print-directory RELEASE_TARGET=x86_64-windows-gnu $(WINDOWS_COMMAND)
	@STAMMA_EXE=$(abspath $(WINDOWS_COMMAND)) STAMMA=tests/support/wine_stamma \
	    $(PYTHON) scripts/run_tests -j $(JOBS) --timeout 3600 $(call SELECT,$(WINDOWS_TESTS))

check-slow: programs $(BENCHES) ## build the benches, and run the tests of tests/slow: other views of the page, clang, programs with injected errors, benches, much input; TEST='word...' as for check
	@$(PYTHON) scripts/run_tests -j $(TEST_JOBS) --timeout 2400 $(call SELECT,$(wildcard tests/slow/*.sh))

check-nightly: programs ## run the tests of tests/nightly: earlier releases, other processors and builds, the wheel, Spark; TEST='word...' as for check
	@$(PYTHON) scripts/run_tests -j $(JOBS) --timeout 2400 $(call SELECT,$(wildcard tests/nightly/*.sh))

# Tests that test more cases with LONG=1.
LONG_UNIT_TESTS := allocation search_allocation archive_data columns crash cuts piece_game predicted_moves resume salvage scan verdicts
LONG_SHELL_TESTS := archive_decoder single_header columns command_index game_size index_reader python search_differential serve_differential command_corpus \
    command_memory predict_builds

check-long: programs ## run long checks: every perft suite, many games on all boards, complete corpora with the slow decoder, 5,000 games of each corpus with python-chess, hostile archives in Python, more queries, larger inputs; NODES=n: at most n nodes a position
	@BUILD=$(BUILD) JOBS=$(JOBS) scripts/check_perft $(NODES)
	@STAMMA_BOARDS_NODES=100000 STAMMA_BOARDS_GAMES=5000 nice -n 19 $(BUILD)/tests/boards_differential_test
	@STAMMA_POSITIONS_GAMES=20000 nice -n 19 $(BUILD)/tests/positions_corpus_test
	@for test in $(LONG_UNIT_TESTS); do LONG=1 nice -n 19 $(BUILD)/tests/$${test}_test || exit 1; done
	@for test in $(foreach name,$(LONG_SHELL_TESTS),$(wildcard tests/*/$(name).sh)); do \
	    echo "$$test, LONG=1"; LONG=1 BUILD=$(BUILD) STAMMA=$(BUILD)/stamma nice -n 19 $$test || exit 1; done
	@for file in $(wildcard ../shared/corpora/*.pgn.zst); do \
	    echo "survey $$file"; nice -n 19 $(BUILD)/stamma survey --passes 1 $$file >$(BUILD)/survey.log || exit 1; done

check-platforms: all ## compare archives with those made on ARM64, i386 and s390x in emulators; PLATFORMS='i386': only these; SLOW_BYTES=n: bytes of each corpus at levels 2 and 3
	@scripts/setup --platforms
	@LONG=1 STAMMA=$(BUILD)/stamma JOBS=$(JOBS) nice -n 19 scripts/check_platforms

analyze: ## run gcc -fanalyzer, clang-tidy and cppcheck, and print what they find; ANALYZE='word': only files whose paths contain it
	@scripts/setup --analyze
	@$(PYTHON) scripts/analyze --only '$(ANALYZE)' --flags '$(TOOL_FLAGS) -I$(DUCKDB)' $(JOBS)

coverage: ## build for coverage, run the tests, list the other branches and lines of src/, and print shares of lines and branches
	@$(MAKE) --no-print-directory $(PARALLEL) programs $(COVERAGE_BUILD)
	@find build/coverage -name '*.gcda' -delete
	-@GCOV_ERROR_FILE=/dev/null $(MAKE) --no-print-directory check $(COVERAGE_BUILD)
	@$(PYTHON) scripts/coverage build/coverage
# The compiler's name contains the option, because tests link the library with it.
COVERAGE_BUILD := BUILD=build/coverage CC='$(CC) --coverage' CFLAGS='-O1 -fno-inline -Dalways_inline= -g' COVERAGE=1

# ---- demo, bench, fuzz ----

demo: ## install missing packages, build, pack the sample games, show one, unpack, compare
	@scripts/setup
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@scripts/demo $(BUILD)/stamma

demo-serve: ## install missing packages, build, sample 30,000 games, and serve them (and available collections) on port 9002
	@scripts/setup
	@$(MAKE) --no-print-directory $(PARALLEL) all $(GENERATORS)
	@scripts/demo_serve $(BUILD) $(DEMO)

bench: all $(BENCHES) $(GENERATORS) ## run the benches; BENCH=word: only benches whose names contain it
	@scripts/run_benches '$(BENCH)'

fuzz: ## fuzz each target with clang for FUZZ_SECONDS; FUZZ=word: only targets whose names contain it
	@scripts/setup --fuzz
	@$(MAKE) --no-print-directory $(PARALLEL) fuzzers CC=clang CFLAGS='-O2 -g' BUILD=build/fuzzers \
	    SANITIZE=fuzzer-no-link,address,undefined COUNT_WORK=1
	@scripts/run_fuzzers build/fuzzers $(FUZZ_SECONDS) '$(FUZZ)'

FUZZERS := $(REPLAYS:%_fuzz=%_fuzzer)
fuzzers: $(FUZZERS)
$(FUZZERS): %_fuzzer: %_fuzz.o $(BUILD)/fuzz/support.a $(BUILD)/tools.a $(LIBRARY)
	$(call SAY,link,$@)$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS) -lpthread -lm

# ---- train ----

TRAINERS := $(patsubst %.c,$(BUILD)/%,$(wildcard train/*.c))
$(TRAINERS): $(BUILD)/%: $(BUILD)/%.o $(LIBRARY)
	$(call SAY,link,$@)$(LINK) -o $@ $^ $(LIBS) -lpthread -lm

trainer: ## build the programs that make the predictor's weights (doc/dev/training.md); CFLAGS='-O3 -march=native -ffast-math' is faster
	@$(MAKE) --no-print-directory $(PARALLEL) $(TRAINERS)

# ---- the Python package ----

wheel: ## build the Python package in $(BUILD)/wheel: a wheel, which contains the library and needs no compiler to install, and a source distribution
	rm -rf $(BUILD)/wheel
	STAMMA_STATIC=1 $(PYTHON) -m pip wheel -q --no-deps -w $(BUILD)/wheel ./python
	PYTHON=$(PYTHON) scripts/check_wheel $(BUILD)/wheel/*.whl
	cd python && $(PYTHON) setup.py -q sdist -d $(abspath $(BUILD)/wheel)

# ---- the encodings as one header ----

single-header: $(BUILD)/stamma_encodings.h ## write $(BUILD)/stamma_encodings.h: a part of the library as one header, for C99 and C++17 (doc/reference/encodings.md)
$(BUILD)/stamma_encodings.h: generators/single_header.py generators/c_items.py $(HEADERS) $(wildcard src/*/*.h src/*/*.inc) $(SOURCES)
	@mkdir -p $(@D)
	$(call SAY,write,$@)$(PYTHON) $< >$@

# ---- plain declarations for other languages ----

declarations: $(BUILD)/stamma_plain.h ## write $(BUILD)/stamma_plain.h: all declarations without a preprocessor, for other languages (doc/howto/other_languages.md)
$(BUILD)/stamma_plain.h: generators/plain_header.py generators/public_header.py $(HEADERS)
	@mkdir -p $(@D)
	$(call SAY,write,$@)$(PYTHON) $< include >$@

# ---- the site of the documents ----

DOCS_SITE := $(BUILD)/site-docs
# Python's modules of scripts/setup --docs.
MKDOCS := $(dir $(NODE_MODULES))docs

site-docs: all ## write the documents as a site of static files to $(BUILD)/site-docs, after scripts/setup --docs; with `make wasm` also a demonstration
	@[ -e '$(MKDOCS)/mkdocs' ] || { echo 'there is no MkDocs: run scripts/setup --docs'; exit 1; }
	@rm -rf $(DOCS_SITE) $(BUILD)/site-demo
	@if [ -e $(BUILD)/web/stamma.wasm ]; then $(BUILD)/stamma pack -qf -o $(BUILD)/games.stamma data/games.pgn && \
	    $(BUILD)/stamma site -q -o $(BUILD)/site-demo --title 'Sample games' --module $(BUILD)/web $(BUILD)/games.stamma || exit 1; fi
	BUILD=$(BUILD) STAMMA=$(BUILD)/stamma PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='$(MKDOCS)' \
	    $(PYTHON) -m mkdocs build --strict -d $(abspath $(DOCS_SITE))

# ---- releases and installation ----

DIST := stamma-$(VERSION)
XZ_LEVEL ?= 9
dist: ## write the source archive of the last commit and its SHA-256 to $(BUILD)
	@mkdir -p $(BUILD)
	git archive --prefix=$(DIST)/ HEAD | xz -$(XZ_LEVEL) -T1 >$(BUILD)/$(DIST).tar.xz
	cd $(BUILD) && sha256sum $(DIST).tar.xz >$(DIST).tar.xz.sha256

# The extensions of SQLite and DuckDB, if they are built.
MODULES := stamma_sqlite$(MODULE_SUFFIX) stamma.duckdb_extension

install: all ## install headers, libraries, command, documents, man pages, pkg-config file and completions below $(DESTDIR)$(PREFIX)
	$(INSTALL) -d $(addprefix $(DESTDIR),$(bindir) $(libdir)/pkgconfig $(includedir) $(mandir)/man1 $(mandir)/man5 \
	    $(docdir) $(datadir)/bash-completion/completions $(datadir)/zsh/site-functions $(datadir)/fish/vendor_completions.d)
	$(INSTALL) -d $(DESTDIR)$(includedir)/stamma
	$(INSTALL) -m 644 include/stamma.h $(DESTDIR)$(includedir)
	$(INSTALL) -m 644 $(filter include/stamma/%,$(HEADERS)) $(DESTDIR)$(includedir)/stamma
	$(PYTHON) generators/plain_header.py include >$(DESTDIR)$(includedir)/stamma_plain.h
	$(INSTALL) -m 644 $(LIBRARY) $(BUILD)/$(SHARED) $(DESTDIR)$(libdir)
	ln -sf $(SHARED) $(DESTDIR)$(libdir)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(libdir)/$(LINKNAME)
	sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
	    -e 's|@version@|$(VERSION)|' stamma.pc.in >$(DESTDIR)$(libdir)/pkgconfig/stamma.pc
	$(if $(COMMAND),$(INSTALL) -s $(COMMAND) $(DESTDIR)$(bindir))
	for module in $(MODULES); do if [ -e $(BUILD)/$$module ]; then $(INSTALL) -d $(DESTDIR)$(libdir)/stamma && \
	    $(INSTALL) -m 644 $(BUILD)/$$module $(DESTDIR)$(libdir)/stamma || exit 1; fi; done
	if [ -e $(BUILD)/web/stamma.wasm ]; then $(INSTALL) -d $(DESTDIR)$(datadir)/stamma/web && \
	    $(INSTALL) -m 644 $(BUILD)/web/* $(DESTDIR)$(datadir)/stamma/web || exit 1; fi
	$(INSTALL) -m 644 $(wildcard doc/man/*.1) $(DESTDIR)$(mandir)/man1
	scripts/format_page doc/format/archive.md doc/format/block_columns.md >$(DESTDIR)$(mandir)/man5/stamma.5
	for file in $$($(PYTHON) scripts/linked_files); do $(INSTALL) -d $(DESTDIR)$(docdir)/$$(dirname $$file) && \
	    $(INSTALL) -m 644 $$file $(DESTDIR)$(docdir)/$$file || exit 1; done
	$(INSTALL) -m 644 completions/stamma.bash $(DESTDIR)$(datadir)/bash-completion/completions/stamma
	$(INSTALL) -m 644 completions/_stamma $(DESTDIR)$(datadir)/zsh/site-functions
	$(INSTALL) -m 644 completions/stamma.fish $(DESTDIR)$(datadir)/fish/vendor_completions.d

uninstall: ## remove the installed files
	rm -f $(addprefix $(DESTDIR),$(bindir)/stamma $(addprefix $(includedir)/,$(patsubst include/%,%,$(HEADERS)) stamma_plain.h) \
	    $(libdir)/libstamma.a \
	    $(libdir)/$(SHARED) $(libdir)/$(SONAME) $(libdir)/$(LINKNAME) $(libdir)/pkgconfig/stamma.pc \
	    $(patsubst doc/man/%,$(mandir)/man1/%,$(wildcard doc/man/*.1)) $(mandir)/man5/stamma.5 \
	    $(datadir)/bash-completion/completions/stamma $(datadir)/zsh/site-functions/_stamma \
	    $(datadir)/fish/vendor_completions.d/stamma.fish)
	rm -f $(addprefix $(DESTDIR)$(libdir)/stamma/,$(MODULES))
	for file in $$($(PYTHON) scripts/linked_files); do rm -f $(DESTDIR)$(docdir)/$$file || exit 1; done
	rm -rf $(DESTDIR)$(datadir)/stamma/web
	-find $(DESTDIR)$(docdir) -depth -type d -empty -exec rmdir '{}' ';'
	-rmdir $(DESTDIR)$(includedir)/stamma
	@rmdir $(DESTDIR)$(datadir)/stamma 2>/dev/null || true
	@rmdir $(DESTDIR)$(libdir)/stamma 2>/dev/null || true

clean: ## remove every build
	rm -rf build

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.* ## /  \1|/p' Makefile scripts/release/release.mk | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'
	@echo
	@echo '  CC=clang   CFLAGS=-O0   SANITIZE=address,undefined   SANITIZE=thread   JOBS=2   V=1   DYNAMIC=1   PREFIX=/usr   DESTDIR=/tmp/x'
	@echo '  STRIP= (debug information in the test programs)'

-include $(patsubst %.o,%.d,$(OBJECTS) $(TOOL_OBJECTS) $(BINDINGS) $(TEST_SUPPORT) $(FUZZ_SUPPORT) $(BUILD)/fuzz/replay.o \
    $(UNIT_TESTS:%.c=$(BUILD)/%.o) $(patsubst %,%.o,$(REPLAYS) $(BENCHES) $(EXAMPLES) $(GENERATORS) $(TRAINERS)))
.PHONY: trainer wheel site-docs single-header declarations all left_out duckdb programs test check check-sanitized check-threads check-slow check-windows check-nightly check-long check-platforms coverage analyze dist demo demo-serve bench fuzz fuzzers install uninstall clean help FORCE
.SECONDARY:
.DELETE_ON_ERROR:
