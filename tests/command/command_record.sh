#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# pack and append --record: info --inputs lists the files, append rejects a recorded file, and verify --sha256 computes
# the same digest as sha256sum.
set -u
. tests/support/command_support.bash
root=$PWD
cd "$scratch" || exit 1

sample >one.pgn
games 40 >two.pgn
games 50 >three.pgn
mkdir folder && cp two.pgn folder/two.pgn && gzip -c three.pgn >three.pgn.gz
sum() { sha256sum "$1" | cut -c 1-64; }
export SOURCE_DATE_EPOCH=1767225600

# ---- recorded data ----
run 0 pack -q --record -o a.stamma one.pgn folder/two.pgn
run 0 info --inputs a.stamma
cat >wanted <<TEXT
2026-01-01T00:00:00Z  $(printf %15s "$(wc -c <one.pgn | sed 's/\(.\)\(...\)$/\1,\2/')")  $(sum one.pgn)  one.pgn
2026-01-01T00:00:00Z  $(printf %15s "$(wc -c <two.pgn | sed 's/\(.\)\(...\)$/\1,\2/')")  $(sum two.pgn)  two.pgn
TEXT
same out wanted
run 0 info --inputs --json a.stamma
equal "$(cat out)" "{\"inputs\":[{\"file\":\"one.pgn\",\"size\":$(wc -c <one.pgn),\"sha256\":\"$(sum one.pgn)\",\"time\":\"2026-01-01T00:00:00Z\",\"text_offset\":0},{\"file\":\"two.pgn\",\"size\":$(wc -c <two.pgn),\"sha256\":\"$(sum two.pgn)\",\"time\":\"2026-01-01T00:00:00Z\",\"text_offset\":$(wc -c <one.pgn)}]}"
python3 "$root/reference/decode_archive.py" --inputs a.stamma >slow
equal "$(cat slow)" "0 $(wc -c <one.pgn) $(sum one.pgn) 1767225600 one.pgn
$(wc -c <one.pgn) $(wc -c <two.pgn) $(sum two.pgn) 1767225600 two.pgn"
run 0 info --inputs a.stamma a.stamma
equal "$(grep -c '^a.stamma:$' out)" 2
# Without the variable, the current time is recorded.
before=$(date +%s)
env -u SOURCE_DATE_EPOCH "$stamma" pack -q --record -o now.stamma one.pgn
python3 "$root/reference/decode_archive.py" --inputs now.stamma >slow
stored=$(cut -d ' ' -f 4 slow)
[ "$stored" -ge "$before" ] && [ "$stored" -le "$(date +%s)" ] || fail "the time $stored"
# Standard input has no name, compressed files have the SHA-256 of their text, and an empty file is not recorded.
: >empty.pgn
gzip -c one.pgn | "$stamma" pack -q --record - empty.pgn three.pgn.gz -o b.stamma
run 0 info --inputs b.stamma
equal "$(sed 's/  */ /g' out | cut -d ' ' -f 3-)" "$(sum one.pgn) -
$(sum three.pgn) three.pgn.gz"
# Without --record, nothing of the file's name and time is stored.
run 0 pack -q -o plain.stamma one.pgn
cp one.pgn other.pgn && touch -d 2001-01-01 other.pgn
SOURCE_DATE_EPOCH=5 "$stamma" pack -q -o plain2.stamma other.pgn
same plain.stamma plain2.stamma
run 0 info --inputs plain.stamma
equal "$(cat out)" ''
run 0 info --inputs --json plain.stamma
equal "$(cat out)" '{"inputs":[]}'
# A name with control characters does not reach the terminal.
if is_native; then
    printf 'x' >$'\e[2Jred\n.pgn'
    run 0 pack -q --record -o names.stamma $'\e[2Jred\n.pgn'
    run 0 info --inputs names.stamma
    equal "$(grep -c '?\[2Jred?.pgn$' out)" 1
fi
run 0 info --inputs - <a.stamma
same out wanted
cat a.stamma | "$stamma" info --inputs - >out 2>err
equal $? 2
says 'requires a file'

# ---- append: an append to an archive with records adds records, and a recorded file is rejected ----
cp a.stamma c.stamma
run 2 append c.stamma two.pgn
says 'two.pgn: is in the archive, recorded as two.pgn, 2026-01-01T00:00:00Z; -f appends it again'
same c.stamma a.stamma
gzip -c two.pgn >renamed.gz
run 2 append c.stamma three.pgn renamed.gz
says 'renamed.gz: is in the archive, recorded as two.pgn'
same c.stamma a.stamma
run 0 append -q c.stamma three.pgn
run 0 append -q -f c.stamma two.pgn
run 0 info --inputs c.stamma
equal "$(sed 's/.*  //' out | tr '\n' ' ')" 'one.pgn two.pgn three.pgn two.pgn '
cat one.pgn two.pgn three.pgn two.pgn >all
run 0 unpack c.stamma
same out all
run 0 append -q --record plain.stamma two.pgn
run 2 append plain.stamma two.pgn
run 0 append -q plain.stamma one.pgn
run 0 info --inputs plain.stamma
equal "$(sed 's/.*  //' out | tr '\n' ' ')" 'two.pgn one.pgn '
# --new records nothing.
run 2 append --new --record plain.stamma three.pgn
says '\-\-new and --record cannot be used together'
cp plain.stamma before && run 0 append -q --new plain.stamma one.pgn
same plain.stamma before
# --resume does not append twice if the same command runs again, at any time.
cp c.stamma before
SOURCE_DATE_EPOCH=7 run 0 append --resume c.stamma two.pgn
says 'nothing is appended: the last append had the same input'
same c.stamma before
run 2 append --resume c.stamma three.pgn
says 'three.pgn: is in the archive'
same c.stamma before
run 0 append -q --resume plain.stamma three.pgn
run 0 append -q --resume plain.stamma three.pgn
run 0 info --inputs plain.stamma
equal "$(sed 's/.*  //' out | tr '\n' ' ')" 'two.pgn one.pgn three.pgn '

# ---- copies ----
run 0 merge -q -o merged.stamma a.stamma c.stamma
cat a.stamma | "$stamma" merge -q -o merged2.stamma - c.stamma
same merged.stamma merged2.stamma
run 0 info --inputs merged.stamma
equal "$(sed 's/.*  //' out | tr '\n' ' ')" 'one.pgn two.pgn one.pgn two.pgn three.pgn two.pgn '
run 0 recompress -q --level 2 -o level2.stamma merged.stamma
for copy in merged.stamma level2.stamma; do
    run 0 verify --sha256 $copy
    equal "$(grep -c ': SHA-256 as recorded' out)" 6
done
run 0 edit -q --set Event=x --eco C20 -o edited.stamma a.stamma
run 0 info --inputs edited.stamma
equal "$(cat out)" ''

# ---- verify --sha256 ----
cat one.pgn two.pgn >text
run 0 verify --sha256 a.stamma
cat >wanted <<TEXT
a.stamma: sound: 45 games, 1 block, $(wc -c <text | sed 's/\(.\)\(...\)$/\1,\2/') bytes of text
a.stamma: SHA-256 of the text: $(sum text)
a.stamma: one.pgn: SHA-256 as recorded, $(sum one.pgn)
a.stamma: two.pgn: SHA-256 as recorded, $(sum two.pgn)
TEXT
same out wanted
run 0 verify --sha256 --quick -q a.stamma
equal "$(cat out err)" ''
# The digest of the text does not depend on levels, blocks, search columns and records.
run 0 pack -q -2 -o t2.stamma text
run 0 pack -q --no-search-columns -o ts.stamma one.pgn
run 0 append -q ts.stamma two.pgn
run 0 verify --sha256 --json t2.stamma
equal "$(python3 -c 'import json; v = json.load(open("out")); print(v["sha256"], v["inputs"])')" "$(sum text) []"
run 0 verify --sha256 --json ts.stamma
equal "$(python3 -c 'import json; print(json.load(open("out"))["sha256"])')" "$(sum text)"
run 0 verify --sha256 --json a.stamma
equal "$(python3 -c 'import json; print([(i["file"], i["equal"]) for i in json.load(open("out"))["inputs"]])')" \
    "[('one.pgn', True), ('two.pgn', True)]"
run 0 verify --sha256 - <a.stamma
equal "$(grep -c 'as recorded' out)" 2
cat a.stamma | "$stamma" verify --sha256 - >out 2>err
equal $? 2
says 'reads the archive twice'
# A record that does not describe the text.
run 2 verify --sha256 "$root/tests/data/good-sources.stamma"
says 'a.pgn: the text does not have the recorded SHA-256, 0000'
run 2 verify --sha256 --json "$root/tests/data/good-sources.stamma"
equal "$(python3 -c 'import json; print([i["equal"] for i in json.load(open("out"))["inputs"]])')" '[False, False]'
# With damage, the digest is unknown. A damaged record loses no game.
python3 - <<'PYTHON'
data = bytearray(open("a.stamma", "rb").read())
record = bytearray(data)
data[400] ^= 1
open("damaged.stamma", "wb").write(data)
record[record.index(b"two.pgn")] ^= 1
open("record.stamma", "wb").write(record)
PYTHON
run 2 verify --sha256 --json damaged.stamma
equal "$(python3 -c 'import json; v = json.load(open("out")); print(v["sha256"], v["inputs"])')" 'None []'
run 2 verify record.stamma
says 'damaged record of an input file; no game is lost'
run 2 unpack record.stamma
same out text
run 2 info --inputs record.stamma
equal "$(sed 's/.*  //' out)" one.pgn
run 2 verify --json record.stamma
equal "$(python3 -c 'import json; print(json.load(open("out"))["damage"][0]["kind"])')" source

# ---- interrupted and full ----
head -c 300000 /dev/urandom | base64 >noise
cp a.stamma d.stamma
if is_native; then
    (ulimit -f 40 && "$stamma" append -q d.stamma noise 2>err)
    equal $? 2
    same d.stamma a.stamma
fi
nothing_left .
finish
