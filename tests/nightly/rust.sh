#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The crates of bindings/rust compile without warnings, their examples run, and their answers are those of the command,
# on data/games.pgn and on a sample of Lichess. The crate stamma-sys is small enough for the registry, and complete:
# the packed crate compiles outside the tree. Skipped without cargo and without the crates of the lock file.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "the library is compiled by cargo"; exit 77; }
PATH=$PATH:$HOME/.cargo/bin
command -v cargo >/dev/null || { echo "there is no cargo"; exit 77; }
root=$PWD build=$(realpath "${BUILD:-build}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=$build/rust
unset CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS
cd bindings/rust
cargo fetch -q --locked 2>"$work/fetch" || { echo "the crates cannot be fetched: $(tail -n 1 "$work/fetch")"; exit 77; }

export STAMMA=$build/stamma STAMMA_GAMES=$root/data/games.pgn
sample=$root/../shared/corpora/lichess_dev.pgn.zst
if [ -e "$sample" ]; then
    # Complete games only: the last one of the sample ends at an empty line before a tag.
    (zstd -dc "$sample" || true) | head -c 2000000 >"$work/part"
    awk '/^\[Event /{ printf "%s", game; game = "" } { game = game $0 "\n" }' "$work/part" >"$work/lichess.pgn"
    STAMMA_GAMES=$STAMMA_GAMES:$work/lichess.pgn
fi
RUSTFLAGS='-D warnings' cargo test -q --offline --locked
RUSTDOCFLAGS='-D warnings' cargo doc -q --offline --locked --no-deps

# The published crate contains the sources of the library, which the tree has elsewhere.
cp -R "$root/bindings/rust" "$work/crates"
mkdir "$work/crates/stamma-sys/library"
cp -R "$root/src" "$root/include" "$work/crates/stamma-sys/library/"
cd "$work/crates"
cargo package -q --offline --allow-dirty -p stamma-sys
packed=$(echo "$build"/rust/package/stamma-sys-*.crate)
size=$(stat -c %s "$packed")
[ "$size" -le 10485760 ] || { echo "$packed has $size bytes; the registry allows 10 MiB"; exit 1; }
[ "$(tar -tzf "$packed" | grep -c '/library/src/.*\.c$')" = "$(find "$root"/src -name '*.c' | wc -l)" ]
echo "the crate has $size bytes"
