# SPDX-License-Identifier: MIT
# The files of a release for all systems, which are built on one Debian machine, in the folder `build`. target.mk has the
# settings of a system.

RELEASE := build/release
# The version as PyPI writes it: 1.0.0rc1.
WHEEL_VERSION := $(subst -,,$(VERSION))
# For each program, its name, a colon, and the target of zig. For each wheel, its platform tag and the target.
RELEASE_LINUX := linux-x86_64:x86_64-linux-musl linux-aarch64:aarch64-linux-musl
RELEASE_WINDOWS := windows-x86_64:x86_64-windows-gnu windows-aarch64:aarch64-windows-gnu
RELEASE_MACOS := macos-x86_64:x86_64-macos.11.0 macos-arm64:aarch64-macos.11.0
RELEASE_WHEELS := manylinux_2_17_x86_64.manylinux2014_x86_64:x86_64-linux-gnu.2.17 \
    manylinux_2_17_aarch64.manylinux2014_aarch64:aarch64-linux-gnu.2.17 \
    musllinux_1_2_x86_64:x86_64-linux-musl musllinux_1_2_aarch64:aarch64-linux-musl \
    win_amd64:x86_64-windows-gnu macosx_11_0_x86_64:x86_64-macos.11.0 macosx_11_0_arm64:aarch64-macos.11.0

COMMAND_FILES = $(foreach one,$(1),$(RELEASE)/stamma-$(VERSION)-$(firstword $(subst :, ,$(one)))$(if $(findstring windows,$(one)),.zip,.tar.gz))
WHEEL_FILES := $(foreach one,$(RELEASE_WHEELS),$(RELEASE)/stamma-$(WHEEL_VERSION)-cp39-abi3-$(firstword $(subst :, ,$(one))).whl)
SDIST_FILE := $(RELEASE)/stamma-$(WHEEL_VERSION).tar.gz
SOURCE_FILES := $(RELEASE)/stamma-$(VERSION).tar.xz $(RELEASE)/stamma_encodings.h $(SDIST_FILE)
# The systems whose commands are part of a release.
RELEASE_SYSTEMS ?= linux windows macos
RELEASE_COMMANDS := $(RELEASE_LINUX) $(RELEASE_WINDOWS) $(RELEASE_MACOS)
RELEASE_FILES := $(call COMMAND_FILES,$(filter $(addsuffix -%,$(RELEASE_SYSTEMS)),$(RELEASE_COMMANDS))) $(WHEEL_FILES) $(SOURCE_FILES)
# The time of all files in the archives.
RELEASE_TIME = SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)}

release: ## install missing packages, build the files of a release for all systems in build/release, and list them with their SHA-256
	@scripts/setup --release
	@$(MAKE) --no-print-directory $(RELEASE)/SHA256SUMS
	@for name in $(filter-out $(addsuffix -%,$(RELEASE_SYSTEMS)),$(foreach one,$(RELEASE_COMMANDS),$(firstword $(subst :, ,$(one))))); do \
	    echo "left out: the command for $$name"; done
	@cd $(RELEASE) && while read -r sum name; do printf '%10d  %s  %s\n' "$$(wc -c <"$$name")" "$$sum" "$$name"; done <SHA256SUMS
release-linux: $(call COMMAND_FILES,$(RELEASE_LINUX)) ## build the static commands for Linux, after scripts/setup --release
windows: $(call COMMAND_FILES,$(RELEASE_WINDOWS)) ## build the commands for Windows, after scripts/setup --release
macos: $(call COMMAND_FILES,$(RELEASE_MACOS)) ## build the commands for macOS, after scripts/setup --release
wheels: $(WHEEL_FILES) $(SDIST_FILE) ## build the wheels for all systems and the source distribution, after scripts/setup --release
licenses: $(RELEASE)/command/THIRD_PARTY.txt $(RELEASE)/wheel/THIRD_PARTY.txt ## write the licences of the code of others, after scripts/setup --release

$(RELEASE)/SHA256SUMS: $(RELEASE_FILES)
	@cd $(RELEASE) && sha256sum $(notdir $(sort $^)) >$(@F)

$(RELEASE)/%/THIRD_PARTY.txt: scripts/packages/third_party.tsv scripts/release/third_party
	@mkdir -p $(@D)
	$(call SAY,write,$@)$(PYTHON) scripts/release/third_party licenses '$(dir $(NODE_MODULES))release' $* >$@

# The headers of the Python that runs the build, with settings for the limited API on every system.
PYTHON_HEADERS := $(RELEASE)/python-headers
$(PYTHON_HEADERS)/pyconfig.h: scripts/release/include/pyconfig.h
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp -R "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"/. $(@D) && cp $< $@

# Each system is built by a separate make, because its settings are variables. A command and a module of the same system
# are built one after the other, because they have the same objects.
MAKE_FOR = mkdir -p $(RELEASE)/$(1) && flock $(RELEASE)/$(1) $(MAKE) --no-print-directory RELEASE_TARGET=$(1)
define COMMAND_RULE
$(call COMMAND_FILES,$(1):$(2)): $(RELEASE)/command/THIRD_PARTY.txt FORCE
	@+$$(call MAKE_FOR,$(2)) $(RELEASE)/$(2)/stamma
	$$(call SAY,write,$$@)$$(RELEASE_TIME) $$(PYTHON) scripts/release/archive $$@ stamma-$(VERSION)-$(1) \
	    $(RELEASE)/$(2)/stamma=stamma$(if $(findstring windows,$(1)),.exe) LICENSE $$<
endef
define WHEEL_RULE
$(RELEASE)/stamma-$(WHEEL_VERSION)-cp39-abi3-$(1).whl: $(RELEASE)/wheel/THIRD_PARTY.txt $(PYTHON_HEADERS)/pyconfig.h FORCE
	@+$$(call MAKE_FOR,$(2)) module
	$$(call SAY,write,$$@)$$(RELEASE_TIME) scripts/release/python_package $(RELEASE) $(1) \
	    $(RELEASE)/$(2)/_stamma$(if $(findstring win_,$(1)),.pyd,.abi3.so) $$<
endef
# Calls a rule with the name and the target of each pair: $(call FOR_EACH_PAIR,RULE,PAIRS).
FOR_EACH_PAIR = $(foreach one,$(2),$(eval $(call $(1),$(firstword $(subst :, ,$(one))),$(lastword $(subst :, ,$(one))))))
$(call FOR_EACH_PAIR,COMMAND_RULE,$(RELEASE_COMMANDS))
$(call FOR_EACH_PAIR,WHEEL_RULE,$(RELEASE_WHEELS))

$(SDIST_FILE): FORCE
	@mkdir -p $(@D)
	$(call SAY,write,$@)$(RELEASE_TIME) scripts/release/python_package $(RELEASE)
$(RELEASE)/stamma-$(VERSION).tar.xz: dist
	@mkdir -p $(@D) && cp build/$(@F) $@
$(RELEASE)/stamma_encodings.h: build/stamma_encodings.h
	@mkdir -p $(@D) && cp $< $@

.PHONY: release release-linux windows macos wheels licenses module

# ---- the module for WebAssembly and the npm package ----

WEB := build/web
NPM_FILE := $(RELEASE)/stamma-$(VERSION).tgz

wasm: $(RELEASE)/web/THIRD_PARTY.txt ## build the module for WebAssembly, its JavaScript and its weights in build/web, after scripts/setup --release
	@$(MAKE) --no-print-directory RELEASE_TARGET=wasm32-wasi $(RELEASE)/wasm32-wasi/stamma.wasm
	$(call SAY,write,$(WEB))rm -rf $(WEB) && mkdir -p $(WEB) && cp bindings/web/js/* bindings/web/package/README.md LICENSE $< $(WEB) && \
	    cp $(RELEASE)/wasm32-wasi/stamma.wasm $(WEB)/ && cp src/model/predict_weights.c.bin $(WEB)/stamma.weights && \
	    sed 's/@version@/$(VERSION)/' bindings/web/package/package.json >$(WEB)/package.json && chmod 644 $(WEB)/*
npm: wasm ## write the npm package, build/release/stamma-VERSION.tgz, after scripts/setup --release
	$(call SAY,write,$(NPM_FILE))$(RELEASE_TIME) scripts/release/archive $(NPM_FILE) package $(WEB)/*

.PHONY: wasm npm
