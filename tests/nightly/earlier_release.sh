#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each release, built from its commit, reads the archives that this version writes, and this version reads the archives
# of each release (doc/reference/compatibility.md). If the versions of the format differ, the older program may report that it
# does not support an archive, but never that it is damaged. Format 0 has no guarantees, and a release candidate may
# lack codecs of the release. The builds are kept in $BUILD/earlier.
. tests/support/command_support.bash
set -eu
releases='v0.1.0=ea9583d2a34030006181fdcfdef5ea57446c676e v1.0.0-rc1=34839850f4fbca7dbfe83a6fb42e07eb68bcc86f'
work=$scratch

# build NAME COMMIT: builds a release in $earlier.
build() {
    mkdir -p "$BUILD/earlier/$1"
    earlier=$(realpath "$BUILD/earlier/$1")
    [ ! -x "$earlier/build/stamma" ] || return 0
    git archive "$2" | tar -x -C "$earlier"
    { make -s -C "$earlier" -j "${JOBS:-2}" BUILD=build SANITIZE='' CFLAGS=-O0 build/libstamma.a &&
        packing_command "$earlier" "$earlier/build" "${CC:-cc}" -O0
    } >"$work/make" 2>&1 || { tail -n 20 "$work/make"; exit 1; }
}

cat >"$work/compare.py" <<'PYTHON'
import glob, os, subprocess, sys
earlier, stamma, work = sys.argv[1:]
old = os.path.join(earlier, "build", "stamma")
failed = read = unsupported = 0


def archives(program, folder):
    """Returns archives that the program writes, and those that its version has in its tests."""
    for level in "123":
        path = os.path.join(work, "%s-%s.stamma" % (os.path.basename(folder), level))
        subprocess.run([program, "pack", "-q", "-f", "-" + level, "-o", path, "data/games.pgn"], check=True)
    return sorted(glob.glob(os.path.join(work, os.path.basename(folder) + "-*"))
                  + glob.glob(os.path.join(folder, "tests", "**", "written", "*.stamma"), recursive=True))


def version(path):
    with open(path, "rb") as file:
        return int.from_bytes(file.read(10)[8:], "little")


def unpack(program, path):
    done = subprocess.run([program, "unpack", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


sides = ((old, archives(old, earlier)), (stamma, archives(stamma, os.getcwd())))
differ = version(sides[0][1][0]) != version(sides[1][1][0]) or "-rc" in os.path.basename(earlier)
for (writer, paths), reader in zip(sides, (stamma, old)):
    for path in paths:
        wanted = unpack(writer, path)
        assert wanted[0] == 0, wanted[2]
        status, text, message = unpack(reader, path)
        refused = status == 2 and "cannot read this archive" in message
        if (status, text) == wanted[:2]:
            read += 1
        elif refused and differ and (reader == old or version(path) == 0):
            unsupported += 1
        else:
            failed += 1
            print("%s with %s: status %d\n%s" % (path, reader, status, message))
print("%d archives read, %d unsupported, %d failed" % (read, unsupported, failed))
sys.exit(failed > 0)
PYTHON
for release in $releases; do
    name=${release%%=*} commit=${release#*=}
    git cat-file -e "$commit" 2>/dev/null || { echo "no clone with the commits of releases"; exit 77; }
    build "$name" "$commit"
    echo "$name"
    python3 "$work/compare.py" "$earlier" "$(realpath "$STAMMA")" "$work"
done
