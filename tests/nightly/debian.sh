#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages are built in a new system that has only their build dependencies, without the network. lintian
# accepts them. They are installed in another new system, used (debian/tests/use) and purged; no file is left.
#
# Needs mmdebstrap, lintian, a mirror of Debian, and root.
# shellcheck disable=SC2016
set -eu
[ -z "${SANITIZE:-}" ] || { echo "packages have no sanitizers"; exit 77; }
for program in mmdebstrap lintian dpkg-source dpkg-parsechangelog; do
    command -v $program >/dev/null || { echo "there is no $program"; exit 77; }
done
[ "$(. /etc/os-release && echo "$ID")" = debian ] || { echo "this is not Debian"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "new systems need root"; exit 77; }
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# new_system PACKAGES FOLDER SCRIPT OPTION...: makes a new system with packages, copies a folder and a script to /packages of
# the system, and then acts as the options of mmdebstrap say.
new_system() {
    packages=$1 folder=$2 script=$3
    shift 3
    echo "$script" >"$work/run"
    mmdebstrap --quiet --variant=apt --include="$packages" --customize-hook='mkdir "$1/packages"' \
        --customize-hook="copy-in $folder /packages" --customize-hook="upload $work/run /packages/run" "$@" "$suite" /dev/null
}
in_system='env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive'

# The build. A new network namespace has no network.
XZ_LEVEL=0 scripts/build_debian --source "$work/source"
dependencies=$(sed -n '/^Build-Depends:/,/^[A-Z]/{s/^ \([a-z0-9-]*\).*,$/\1/p;}' debian/control | sed s/debhelper-compat/debhelper/)
new_system "build-essential fakeroot $dependencies" "$work/source" "
export DEB_BUILD_OPTIONS=parallel=${JOBS:-2}
cd /packages/source/stamma
dpkg-buildpackage -us -uc >/packages/log 2>&1 || { tail -n 40 /packages/log; exit 1; }
mkdir /packages/result
mv ../*.deb ../*.dsc ../*.xz ../*.changes ../*.buildinfo /packages/log /packages/result/
" --customize-hook='unshare --net chroot "$1" '"$in_system sh -eu /packages/run" \
    --customize-hook="copy-out /packages/result $work"
ls "$work/result"
warnings=$(grep -E 'dpkg-shlibdeps: warning|dh_missing: warning' "$work/result/log" || true)
[ -z "$warnings" ] || { echo "$warnings"; exit 1; }
# The first version of a package of Debian closes the bug that announces it. These packages were not announced.
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$work"/result/*.changes

# The packages contain what they promise: the command uses the library of the other package.
dpkg-deb -x "$work"/result/stamma_*.deb "$work/contents"
objdump -p "$work/contents/usr/bin/stamma" | grep -q 'NEEDED *libstamma\.so\.' || { echo "the command contains the library"; exit 1; }

# Installation, use and purge.
mkdir "$work/debs"
cp "$work"/result/*.deb debian/tests/use "$work/debs/"
rm -f "$work"/debs/*-dbgsym_*
new_system 'gcc libc6-dev pkg-config ca-certificates' "$work/debs" '
cd /packages/debs
apt-get -qq install -y ./*.deb >/packages/log 2>&1 || { cat /packages/log; exit 1; }
names=$(dpkg-query -W -f "\${Package}\n" | grep stamma)
echo "installed:" $names
cp use /use
cd /
sh /use
rm /use
dpkg --purge $names >/dev/null
left=$(find / -xdev -path /packages -prune -o -name "*stamma*" -print)
[ -z "$left" ] || { echo "left: $left"; exit 1; }
' --customize-hook='chroot "$1" '"$in_system sh -eu /packages/run"
