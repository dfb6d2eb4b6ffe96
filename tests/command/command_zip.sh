#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Zip files as input: members that are PGN are packed, including compressed members and members of nested zip files. All
# other members are reported, and with --strict they are errors.
set -u
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
cases=$(realpath -m "${SHARED:-../shared}/cases")
cp data/games.pgn "$scratch"
cd "$scratch" || exit 1

# All members that are PGN are packed one after another, each on a new line. Python's zipfile module writes the zip
# files in all its ways, also to a pipe, with the sizes after the data.
python3 - <<'PYTHON'
import io, zipfile
text = open("games.pgn", "rb").read()
half = text.index(b"[Event", len(text) // 2)
class Pipe(io.RawIOBase):
    def __init__(self): self.data = b""
    def writable(self): return True
    def write(self, data): self.data += bytes(data); return len(data)
def write(name, members, method=zipfile.ZIP_DEFLATED, pipe=False, zip64=False):
    target = Pipe() if pipe else io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for member, data in members:
            with archive.open(zipfile.ZipInfo(member) if method == zipfile.ZIP_STORED else member, "w", force_zip64=zip64) as file:
                file.write(data)
    open(name, "wb").write(target.data if pipe else target.getvalue())
    return target.data if pipe else target.getvalue()
parts = [("read.me", b"other text"), ("one.PGN", text[:half].rstrip()), ("x/", b""), ("__MACOSX/._one.pgn", b"1. e4"),
         ("empty.pgn", b""), ("x/two.pgn", text[half:])]
write("zip_deflated.zip", parts)
write("zip_stored.zip", parts, zipfile.ZIP_STORED)
write("zip_piped.zip", parts, pipe=True)
write("zip_64.zip", parts, zip64=True)
write("zip_64_piped.zip", parts, pipe=True, zip64=True)
whole = write("zip_one.zip", [("twic.pgn", text)])
open("zip_wanted", "wb").write(text[:half].rstrip() + b"\n" + text[half:])
write("bad_none.zip", [("readme.txt", text)])
write("bad_empty.zip", [])
write("bad_bzip2.zip", [("twic.pgn", text)], zipfile.ZIP_BZIP2)
for cut in 4, 20, 33, len(whole) // 2, whole.index(b"PK\x01\x02"):
    open("bad_cut%d.zip" % cut, "wb").write(whole[:cut])
for at, name in (14, "checksum"), (len(whole) // 3, "data"):
    open("bad_%s.zip" % name, "wb").write(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
open("bad_encrypted.zip", "wb").write(whole[:6] + bytes([whole[6] | 1]) + whole[7:])
PYTHON
for name in zip_*.zip; do
    wanted=zip_wanted
    [ "$name" != zip_one.zip ] || wanted=games.pgn
    run 0 pack -q "$name"
    [ "$name" = zip_one.zip ] || says "$name: 2 parts of it were not packed, only members that end in .pgn: read.me, __MACOSX/._one.pgn"
    run 0 unpack "${name%.zip}.stamma"
    same out $wanted
    run 0 pack -q -f -o slow.stamma - < <(dd if="$name" bs=1 status=none)
    run 0 unpack slow.stamma
    same out $wanted
done
for name in bad_*.zip; do
    run 2 pack -o refused.stamma "$name"
    says "$name: zip data at byte [0-9]*: "
    absent refused.stamma
done
run 2 pack bad_none.zip
says 'it contains no .pgn file'
run 2 pack bad_encrypted.zip
says 'it is encrypted'

# ---- compressed members and zip files inside ----
python3 - <<'PYTHON'
import bz2, gzip, io, lzma, struct, zipfile
def zipped(*members):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return target.getvalue()
def write(name, data):
    open(name, "wb").write(data)
game = b'[Event "%d"]\n\n1. e4 e5 1-0'
games = [game % n for n in range(6)]
inner = zipped(("a.pgn", games[3]), ("note.txt", b"note"), ("b.PGN.xz", lzma.compress(games[4])))
write("inside.zip", zipped(("a.pgn", games[0]), ("b.pgn.gz", gzip.compress(games[1][:9]) + gzip.compress(games[1][9:])),
                           ("c.pgn.bz2", bz2.compress(games[2])), ("inner.zip", inner), ("z.pgn", games[5] + b"\n")))
write("inside.wanted", b"\n".join(games) + b"\n")
write("no_games.zip", zipped(("docs.zip", zipped(("readme.txt", b"x")))))
long_name = "d" * 65000 + ".pgn"
write("long.zip", zipped((long_name, games[0])))
write("long.wanted", games[0])
write("tail.zip", zipped(("a.pgn", games[0])) + b"more")
with zipfile.ZipFile("comment.zip", "w") as archive:
    archive.comment = b"PK\5\6 a comment"
    archive.writestr("a.pgn", games[0])
# A self-extracting program: a Windows header, the program, the zip file.
write("self.exe", b"MZ" + bytes(62) + b"program" * 50 + zipped(("a.pgn", games[0])))
write("words.pgn", b"MZ is not a program\n")
write("bad_member.zip", zipped(("a.pgn.gz", gzip.compress(games[0])[:-5])))
write("foreign_member.zip", zipped(("a.pgn", b"Rar!\x1a\7" + bytes(50))))
deep = zipped(("a.pgn", games[0]))
for n in range(5):
    deep = zipped(("%d.zip" % n, deep))
write("deep.zip", deep)
PYTHON
# packs STATUS NAME WANTED: packs with --strict, from the file and from a slow pipe, and compares the unpacked text.
packs() {
    run "$1" pack --strict -q -f -o packed.stamma "$2"
    cp err messages
    run 0 unpack -f -o back packed.stamma
    same back "$3"
    run "$1" pack --strict -q -f -o packed.stamma - < <(dd if="$2" bs=1 status=none)
    run 0 unpack -f -o back packed.stamma
    same back "$3"
}
packs 3 inside.zip inside.wanted
equal "$(cat messages)" 'stamma: inside.zip: 1 part of it was not packed, only members that end in .pgn: note.txt'
packs 0 long.zip long.wanted
packs 0 comment.zip long.wanted
packs 3 tail.zip long.wanted
equal "$(cat messages)" 'stamma: tail.zip: 1 part of it was not packed, only members that end in .pgn: bytes after its end'
run 3 pack --strict -q -o no_games.stamma no_games.zip
says 'readme.txt'
run 0 pack -q words.pgn
run 0 unpack words.stamma
same out words.pgn
for refused in 'self.exe: is a program' 'bad_member.zip: a.pgn.gz: gzip data: it ends too early' \
    'foreign_member.zip: a.pgn: is a rar archive' 'deep.zip: 1.zip: zip data: zip files are nested too deeply'; do
    run 2 pack -o refused.stamma "${refused%%:*}"
    says "$refused"
    absent refused.stamma
done

# ---- members that are not packed, in each command ----
if [ -d "$cases" ]; then
    cp "$cases/mixed.zip" "$cases/longname.zip" .
    unzip -p mixed.zip a.pgn >mixed.wanted
    missing='mixed.zip: 3 parts of it were not packed, only members that end in .pgn: readme.txt, b.cbv, games.txt'
    run 3 pack --strict mixed.zip
    says "$missing"
    run 0 pack -q -f mixed.zip
    equal "$(grep -c 'not packed' err)" 1
    run 0 unpack mixed.stamma
    head -c "$(wc -c <mixed.wanted)" out | cmp -s - mixed.wanted || fail "mixed.zip does not come back"
    run 0 pack -q words.pgn -f
    run 3 append --strict words.stamma mixed.zip
    says "$missing"
    run 3 append --strict --new words.stamma mixed.zip
    says "$missing"
    run 3 import --strict --from twic -o imported.stamma mixed.zip
    says "$missing"
    run 0 pack -q --strict longname.zip
    run 0 info --json longname.stamma
    grep -q '"games":3' out || fail "longname.zip: $(cat out)"
else
    echo "no $cases: its zip files are not tested"
fi

# ---- the default name of an archive: without the endings of compressed files ----
mkdir names && cd names || exit 1
for name in one.pgn.gz two.tgz THREE.PGN.ZST four.zip five.pgn.zstd six.pgn.txt .pgn; do
    sample >"$name"
    run 0 pack -q "$name"
done
equal "$(find . -name '*.stamma' | LC_ALL=C sort | xargs)" \
    './.pgn.stamma ./THREE.stamma ./five.stamma ./four.stamma ./one.stamma ./six.pgn.txt.stamma ./two.stamma'
finish
