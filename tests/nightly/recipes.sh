#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The recipes of packaging, filled in for a release, are accepted by the programs that check them, as far as this machine
# has them: rpmlint, rpmspec, ruby, nix-instantiate, conan, hadolint, yamllint, cmake. The static command, if it is built
# (make release-linux), works in an empty root, as in the image of the Containerfile.
set -eu
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^.define STAMMA_VERSION "\(.*\)"/\1/p' include/stamma/base.h)
echo source >"$work/source.tar.xz"
echo command >"$work/stamma.zip"
recipes=$work/recipes
packaging/fill "$recipes" https://example.org/stamma "$work/source.tar.xz" "$work/stamma.zip"
! grep -rn '@[A-Z0-9_]*@' "$recipes" || { echo "not filled in"; exit 1; }
for hash in sha256 sha512; do
    expected=$("${hash}sum" "$work/source.tar.xz" | cut -d ' ' -f 1)
    grep -rqF "$expected" "$recipes" || { echo "no $hash"; exit 1; }
done
unchecked=''
# checks PROGRAM COMMAND...: runs a command if there is a program.
checks() {
    command -v "$1" >/dev/null || { unchecked="$unchecked $1"; return; }
    shift
    "$@" >"$work/log" 2>&1 || { echo "$*:"; cat "$work/log"; exit 1; }
}
checks rpmlint rpmlint -c packaging/rpmlint.toml "$recipes/stamma.spec"
checks rpmspec rpmspec -q "$recipes/stamma.spec"
checks ruby ruby -wc "$recipes/stamma.rb"
checks nix-instantiate nix-instantiate --parse "$recipes/stamma.nix"
checks hadolint hadolint "$recipes/Containerfile"
checks yamllint yamllint -d '{extends: default, rules: {line-length: {max: 130}, document-start: disable}}' "$recipes/winget" "$recipes/conan" \
    "$recipes/duckdb"
python3 -m json.tool "$recipes/vcpkg/vcpkg.json" >/dev/null
CONAN_HOME=$work/conan checks conan conan export "$recipes/conan" --version "$version"
static=$(find "$build/release" -maxdepth 1 -name 'stamma-*-linux-x86_64.tar.gz' 2>/dev/null | head -n 1)
if [ -n "$static" ] && [ "$(id -u)" = 0 ]; then
    mkdir -p "$work/root/games"
    tar -xzf "$static" -C "$work/root" --strip-components=1
    cp data/games.pgn "$work/root/games/"
    chmod 777 "$work/root/games"
    chroot --userspec=65534:65534 "$work/root" /stamma pack -q -o /games/games.stamma /games/games.pgn
    chroot --userspec=65534:65534 "$work/root" /stamma find --count /games/games.stamma --player Anderssen | grep -qx '[1-9][0-9]*'
else
    unchecked="$unchecked the-static-command"
fi
echo "not checked, because it is missing:${unchecked:- nothing}"
