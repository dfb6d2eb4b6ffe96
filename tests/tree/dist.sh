#!/bin/bash
# SPDX-License-Identifier: MIT
# The source archive of a release: exactly the files of the last commit, the same bytes each time.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
git rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "no clone of the repository"; exit 77; }
[ -z "${SANITIZE:-}" ] || { echo "no program is run"; exit 77; }

name=stamma-$(sed -n 's/^#define STAMMA_VERSION "\(.*\)"/\1/p' include/stamma/base.h)
make -s dist BUILD="$scratch" XZ_LEVEL=1 || fail "make dist"
git ls-tree -r --name-only HEAD | LC_ALL=C sort >"$scratch/committed"
git archive --prefix="$name/" HEAD >"$scratch/again.tar"
cd "$scratch" || exit 1
sha256sum -c --quiet "$name.tar.xz.sha256" || fail "SHA-256"
xz -dc "$name.tar.xz" >first.tar
same first.tar again.tar
tar -tf first.tar | grep -v '/$' | sed "s,^$name/,," | LC_ALL=C sort >packed
same packed committed
finish
