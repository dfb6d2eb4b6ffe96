# SPDX-License-Identifier: MIT
# The module for WebAssembly (bindings/web), which `make wasm` builds with RELEASE_TARGET=wasm32-wasi. target.mk has
# settings that are common to all targets.

# Loops over games and moves are compiled for speed, everything else for size: more rooms make searches and trees no faster.
WASM_FAST := src/board src/notation src/model src/entropy src/codec src/record src/block third_party/xxhash \
    third_party/zstd/zstd/lib/common third_party/zstd/zstd/lib/decompress
WARNINGS += -Wno-unused-command-line-argument
CFLAGS := -Oz -g0 -fno-pic -msimd128 -ffile-prefix-map=$(CACHE)=
$(foreach folder,$(WASM_FAST),$(eval $(BUILD)/$(folder)/%.o: private CFLAGS := -O3 $(wordlist 2,9,$(CFLAGS))))

$(OBJECTS) $(TOOL_OBJECTS) $(THIRD_PARTY_OBJECTS): scripts/release/wasm.mk

WASM := $(BUILD)/stamma.wasm
# JavaScript supplies the weights (web_weights.c).
WASM_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard bindings/web/*.c))
WASM_LIBRARY := $(BUILD)/wasm.a
WASM_FOLDERS := system shared games questions reporting pictures encodings answering
$(WASM_OBJECTS) $(BUILD)/pieces.o: private INTERNAL := -Isrc -Itools/stamma -Ibindings
$(BUILD)/pieces.c: bindings/web/pieces/vendor.list scripts/embed_web
	@mkdir -p $(@D)
	@$(PYTHON) scripts/embed_web bindings/web/pieces '$(NODE_MODULES)' $@
$(BUILD)/pieces.o: $(BUILD)/pieces.c $(BUILD)/flags
	$(call SAY,compile,$<)$(COMPILE) $(INTERNAL) -c -o $@ $<

$(WASM_LIBRARY): $(filter-out %/survey_tally.o,$(filter $(WASM_FOLDERS:%=$(BUILD)/tools/stamma/%/%),$(TOOL_OBJECTS))) $(BUILD)/pieces.o \
    $(filter-out %/predict_weights.o,$(OBJECTS))
	@rm -f $@
	$(call SAY,archive,$@)$(AR) rcs $@ $^
# zig places the stack, 1 MiB, before the data, so an overflow ends the call and changes no data.
$(WASM): $(WASM_OBJECTS) $(WASM_LIBRARY) $(THIRD_PARTY_LIBRARY)
	$(call SAY,link,$@)$(CC) $(CFLAGS) -mexec-model=reactor -s -Wl$(comma)--gc-sections \
	    -Wl$(comma)-z$(comma)stack-size=1048576 -o $@ $^ -lm
