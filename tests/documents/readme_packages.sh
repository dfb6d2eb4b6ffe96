#!/bin/sh
# SPDX-License-Identifier: MIT
# The line of README.md for Debian contains every package that scripts/setup installs for the library and the command,
# and each option of scripts/setup that a document or a message names exists.
set -eu
line=$(grep '^sudo apt-get install git ' README.md)
packages=$(sed -n '/^for_build() {/,/^}/p' scripts/setup | grep -o '\(need\|want\) [a-z0-9.+-]*' | cut -d ' ' -f 2)
[ "$(echo "$packages" | wc -l)" -gt 10 ] || { echo "no list of packages in scripts/setup"; exit 1; }
for package in $packages; do
    [ "$package" = ca-certificates ] || echo "$line" | grep -qw -- "$package" || { echo "README.md lacks $package"; exit 1; }
done
options=$(grep -rhoE 'scripts/setup --[a-z]+' README.md CONTRIBUTING.md doc tools web tests bench Makefile | cut -d ' ' -f 2 | sort -u)
for option in $options; do
    grep -q "^$option\( |.*\|\))" scripts/setup || { echo "scripts/setup has no option $option"; exit 1; }
done
