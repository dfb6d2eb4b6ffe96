#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packed files unpack byte for byte: plain text, each kind of compression, input from a pipe, and files packed with
# --raw.
set -u
. tests/support/command_support.bash
cd "$scratch" || exit 1

sample >games.pgn

# ---- names ----
run 0 pack games.pgn
says 'games.stamma: 5 games'
run 0 unpack games.stamma
same out games.pgn
run 0 unpack -o back.pgn games.stamma
same back.pgn games.pgn
equal "$(cat out)" ""
mkdir folder && cp games.pgn folder/GAMES.PGN && cp games.pgn folder/games.txt && cp games.pgn folder/.pgn
run 0 pack -q folder/GAMES.PGN
equal "$(cat err)" ""
run 0 pack -q folder/games.txt
run 0 pack -q folder/.pgn
for name in GAMES games.txt .pgn; do
    same "folder/$name.stamma" games.stamma
done
run 2 pack games.pgn games.pgn
says 'games.stamma: exists already'

# ---- standard input and output ----
run 0 pack -q -o piped.stamma - <games.pgn
same piped.stamma games.stamma
cat games.pgn | "$stamma" pack -q >piped2.stamma
same piped2.stamma games.stamma
cat games.stamma | "$stamma" unpack - >piped.pgn
same piped.pgn games.pgn
"$stamma" pack -q - <games.pgn | "$stamma" unpack - >piped2.pgn
same piped2.pgn games.pgn
"$stamma" pack -q -o /dev/stdout games.pgn >piped3.stamma
same piped3.stamma games.stamma
# Standard input that does not start at offset 0, and standard output that is appended to.
{ head -c 10 >ten; "$stamma" pack -q; } <games.pgn >rest.stamma
(cat ten && "$stamma" unpack rest.stamma) >rest.pgn
same rest.pgn games.pgn
(printf 'before ' && "$stamma" unpack -o /dev/stdout games.stamma) >added
equal "$(head -c 20 added)" 'before [Event "Casua'
mkfifo fifo && (cat fifo >from_fifo &)
run 0 unpack -o fifo games.stamma
sleep 0.2
same from_fifo games.pgn

# ---- several files, and line numbers in them ----
printf '[Event "a"]\n\n1. e4 e5 2. Ke5 *' >first.pgn # no line end
printf '[Event "b"]\r\n\r\n1. e4 e5 2. Ke3 *\r\n' >second.pgn
run 0 pack -o both.stamma first.pgn second.pgn
says 'first.pgn: line 3, '
says 'second.pgn: line 3, '
cat first.pgn second.pgn >both.pgn
run 0 unpack both.stamma
same out both.pgn

# ---- compression ----
python3 - <<'PYTHON'
import bz2, gzip, lzma, struct, tarfile
text = open("games.pgn", "rb").read()
half = len(text) // 2
def write(name, data):
    open(name, "wb").write(data)
write("one.pgn.gz", gzip.compress(text))
write("members.pgn.gz", b"".join(gzip.compress(text[i:i + 100]) for i in range(0, len(text), 100)) + gzip.compress(b""))
write("one.pgn.bz2", bz2.compress(text))
write("streams.pgn.bz2", bz2.compress(text[:half], 1) + bz2.compress(b"") + bz2.compress(text[half:], 9))
write("one.pgn.xz", lzma.compress(text))
write("streams.pgn.xz", lzma.compress(text[:half]) + bytes(8) + lzma.compress(b"") + lzma.compress(text[half:]))
with tarfile.open("games.tar", "w") as tar, tarfile.open("games.tgz", "w:gz") as tgz:
    tar.add("games.pgn"), tgz.add("games.pgn")
# Hand-made Zstandard frames (RFC 8878): raw blocks, a window of 2^31 bytes, no content size.
def frame(data, window):
    blocks = b"".join(struct.pack("<I", len(data[i:i + 999]) << 3 | (i + 999 >= len(data)))[:3] + data[i:i + 999]
                      for i in range(0, len(data), 999))
    return b"\x28\xb5\x2f\xfd\x00" + bytes([window - 10 << 3]) + blocks
skippable = b"\x5e\x2a\x4d\x18" + struct.pack("<I", 300) + bytes(300)
write("frames.pgn.zst", skippable + frame(text[:half], 11) + skippable + frame(text[half:], 12) + skippable)
write("long.pgn.zst", frame(text, 31))
write("empty.gz", gzip.compress(b""))
for zeros in 1, 5, 511, 600000:
    write("padded%d.pgn.gz" % zeros, gzip.compress(text) + bytes(zeros))
write("padded_members.pgn.gz", gzip.compress(text[:half]) + gzip.compress(text[half:]) + bytes(7))
write("zeros_between.gz", gzip.compress(text) + bytes(512) + gzip.compress(text))
write("zeros_and_more.gz", gzip.compress(text) + bytes(300000) + b"x")
write("padded.bz2", bz2.compress(text) + bytes(512))
write("big.gz", gzip.compress(text * 3000))
write("big", text * 3000)
PYTHON
zstd -q games.pgn -o one.pgn.zst
for name in one.pgn.gz members.pgn.gz one.pgn.bz2 streams.pgn.bz2 one.pgn.xz streams.pgn.xz one.pgn.zst frames.pgn.zst long.pgn.zst; do
    cp "$name" "${name/.pgn/_copy.pgn}" # compression is recognized by content; the name only determines the archive's name
    rm -f "${name%.pgn*}.stamma"
    run 0 pack -q "$name"
    same "${name%.pgn*}.stamma" games.stamma
    run 0 pack -q -o as_it_lies.stamma -f --raw "$name"
    run 0 unpack as_it_lies.stamma
    same out "$name"
    # A pipe that delivers one byte at a time.
    run 0 pack -q -f -o slow.stamma - < <(dd if="$name" bs=1 status=none)
    same slow.stamma games.stamma
done
# Zeros after gzip data are permitted, because tapes add them. Other bytes are not skipped.
for name in padded*.pgn.gz; do
    run 0 pack -q -f -o padded.stamma "$name"
    same padded.stamma games.stamma
    run 0 pack -q -f -o padded.stamma - < <(dd if="$name" bs=7 status=none)
    same padded.stamma games.stamma
done
for name in zeros_between.gz zeros_and_more.gz padded.bz2; do
    run 2 pack -f -o refused.stamma "$name"
    says "$name: .* data at byte .*: other bytes follow its end"
    absent refused.stamma
done
rm padded* zeros*

# If the name does not show that the input is compressed, one message reports that its content is packed.
cp one.pgn.gz disguised.pgn
cp one.pgn.zst SHOUTED.PGN.ZST
cp frames.pgn.zst other.pgn.gz
inside='data; packed its contents (--raw packs the file as is)'
run 0 pack -f disguised.pgn games.pgn -o two.stamma
says "disguised.pgn: gzip $inside"
equal "$(grep -c 'packed its contents' err)" 1
run 0 pack -f disguised.pgn
same disguised.stamma games.stamma
run 0 pack -f -o two.stamma - <one.pgn.bz2
says "standard input: bzip2 $inside"
run 0 pack -f -o two.stamma other.pgn.gz
says "other.pgn.gz: zstd $inside"
run 0 append two.stamma disguised.pgn
says "disguised.pgn: gzip $inside"
run 0 pack -f -v -o two.stamma one.pgn.bz2
says "one.pgn.bz2: bzip2 $inside"
for name in one.pgn.gz one.pgn.bz2 SHOUTED.PGN.ZST games.pgn '-q disguised.pgn' '--raw disguised.pgn'; do
    # shellcheck disable=SC2086
    run 0 pack -f -o two.stamma $name
    equal "$(grep -c inside err)" 0
done
rm two.stamma SHOUTED.PGN.ZST other.pgn.gz
run 0 pack -q --raw one.pgn.gz
run 0 unpack one.pgn.gz.stamma
same out one.pgn.gz
run 0 pack -q empty.gz
run 0 unpack empty.stamma
equal "$(wc -c <out)" 0
run 0 pack -q big.gz
run 0 unpack big.stamma
same out big
rm -f big*

printf '7z\274\257\047\034 and so on' >games.7z
cp games.stamma other
for file in games.7z games.tar other; do
    run 2 pack $file
    absent $file.stamma
    run 2 append games.stamma $file
    run 2 survey $file
    says "$file: is .*, not PGN.* (--raw packs the file as is)"
    run 0 pack --raw -q $file
    equal "$(cat err)" ''
    run 0 unpack $file.stamma
    same out $file
    rm $file.stamma
done
run 2 pack - <games.7z
says 'standard input: is a 7z archive, not PGN; type: 7z x -so FILE | stamma pack -o OUT -'
run 2 pack -o tar.stamma games.tgz
says 'games.tgz: is a tar archive inside gzip, not PGN; type: tar -xOf games.tgz | stamma pack -o OUT -'
head -c -20 one.pgn.xz >short.pgn.xz
run 2 pack short.pgn.xz
says 'xz data at byte .*: it ends too early'
absent short.stamma
run 2 append games.stamma other
says 'other: is a Stamma archive (merge joins archives), not PGN'
run 0 unpack games.stamma
same out games.pgn

# ---- options that must not change a byte ----
for option in -T1 -T8 '-T 0' --memory=128M '--memory 2g' --level=1 --threads=3; do
    # shellcheck disable=SC2086
    run 0 pack -q -f -o option.stamma $option games.pgn
    same option.stamma games.stamma
done

# ---- input that is not PGN, and input that looks compressed but is not ----
: >nothing
printf '\037' >half_gzip
printf 'BZh is how this text begins' >text
printf '\x50\x2a\x4d' >half_skippable
head -c 300000 /dev/urandom >noise
for name in nothing half_gzip text half_skippable noise; do
    run 0 pack -q "$name"
    run 0 unpack "$name.stamma"
    same out "$name"
done

nothing_left .
finish
