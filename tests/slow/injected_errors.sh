#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the command with errors in its code, one at a time. Each error must be reported, and nothing may be committed.
# A check that shared state with the checked code would miss the errors.
set -u
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "the commands that build it have other options with sanitizers"; exit 77; }
good=$stamma
build=${BUILD:-build}

# The commands that make would use to compile all sources and link the command.
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -n -B V=1 BUILD="$build" "$build/stamma" >"$scratch/commands"

# inject NAME SOURCE OLD NEW [FLAGS]: builds $scratch/NAME, the command in which NEW replaces OLD, a text that occurs
# once in SOURCE. If OLD is empty, NEW is inserted at the start.
inject() {
    local name=$1 source=$2 object=$build/${2%.c}.o changed=$scratch/$1.c compile link
    python3 - "$source" "$3" "$4" >"$changed" <<'PYTHON' || { fail "$name: $source has changed"; finish; }
import sys
text, (old, new) = open(sys.argv[1]).read(), sys.argv[2:4]
if old and text.count(old) != 1:
    sys.exit(1)
sys.stdout.write(text.replace(old, new) if old else new + text)
PYTHON
    compile=$(grep -- "-c -o $object $source" "$scratch/commands" | sed "s|-c -o .*|-O1 ${5:-} -c -o $scratch/$name.o $changed|")
    link=$(grep -- "-o $build/stamma " "$scratch/commands" | sed "s|-o $build/stamma |-o $scratch/$name $scratch/$name.o |; s| $object | |")
    eval "$compile" && eval "$link" || { fail "$name: it does not compile"; finish; }
    stamma=$scratch/$name
}

# refuses ARGUMENT...: the changed command reports its error, and writes no archive.
refuses() {
    run 2 "$@"
    says 'self-check failed'
    absent new.stamma
    rm -f new.stamma new.stamma.partial
}

# refuses_to_grow ARGUMENT...: like refuses, for a command that adds to old.stamma, whose games remain.
refuses_to_grow() {
    cp old.stamma grown.stamma
    run 2 "$@"
    says 'self-check failed'
    "$good" unpack -q -f -o back.pgn grown.stamma 2>/dev/null
    same back.pgn old.pgn
}

repository=$PWD
python3 -c 'for n in range(70000): print("1.e4 {%d} *" % n)' >"$scratch/many.pgn" # two blocks
sample >"$scratch/old.pgn"
games 40 >"$scratch/few.pgn"
for level in 1 2; do
    "$good" pack -q -$level -o "$scratch/old$level.stamma" "$scratch/old.pgn"
done
cp "$scratch/old1.stamma" "$scratch/old.stamma"
"$good" pack -q -o "$scratch/many.stamma" "$scratch/many.pgn"
"$good" merge -q -o "$scratch/both.stamma" "$scratch/old.stamma" "$scratch/many.stamma"

# ---- a block that begins one byte too late ----
inject late src/archive/writer.c '    size_t rest = j->text.size - used;' \
    '    used += used < j->text.size; size_t rest = j->text.size - used;'
cd "$scratch" || exit 1
refuses pack -q -T 2 -o new.stamma many.pgn
refuses pack -q -T 2 --no-check -o new.stamma many.pgn
refuses recompress -q -2 -o new.stamma many.stamma
refuses_to_grow append -q -T 2 grown.stamma many.pgn
refuses_to_grow append -q --resume grown.stamma many.pgn

cd "$repository" || exit 1
inject late_alone src/archive/writer.c '        memmove(j->text.data, j->text.data + j->used, j->text.size);' \
    '        size_t late = j->text.size > 0; j->text.size -= late;
        memmove(j->text.data, j->text.data + j->used + late, j->text.size);'
cd "$scratch" || exit 1
refuses pack -q -T 1 -o new.stamma many.pgn
refuses_to_grow append -q -T 1 grown.stamma many.pgn

# ---- the two parsers of a block's end disagree ----
cd "$repository" || exit 1
inject ends src/archive/pack_job.c '    *used = j->found = finder->start;' '    *used = j->found = finder->start - !j->final;'
cd "$scratch" || exit 1
many_games >large.pgn # more than the writer gathers for a block
refuses pack -q -T 2 -o new.stamma large.pgn

# ---- search columns ----
cd "$repository" || exit 1
inject facts src/block/search_columns.c '    e->result = by_number[e->other_draw ? STAMMA_RESULT_DRAW : number];' \
    '    e->result = by_number[number == 3 ? 1 : number];'
cd "$scratch" || exit 1
refuses pack -q -o new.stamma old.pgn
refuses_to_grow append -q grown.stamma old.pgn
run 0 pack -q -2 -o new.stamma old.pgn # has none
rm -f new.stamma

cd "$repository" || exit 1
inject signatures src/block/search_writer.c '        buffer_add_byte(&streams[HOME_LEFT], left);' \
    '        buffer_add_byte(&streams[HOME_LEFT], left ^ 1);'
cd "$scratch" || exit 1
refuses pack -q -o new.stamma many.pgn

# ---- weights ----
cd "$repository" || exit 1
python3 - src/model/predict_weights.c.bin "$scratch/weights.bin" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[3000000] ^= 1
open(sys.argv[2], "wb").write(data)
PYTHON
inject weights src/model/predict_weights.c '' '' "-DSTAMMA_WEIGHTS_FILE='\"$scratch/weights.bin\"'"
cd "$scratch" || exit 1
for level in 2 3; do
    refuses pack -q -$level -o new.stamma old.pgn
    refuses recompress -q -$level -o new.stamma old.stamma
    refuses_to_grow append -q -$level grown.stamma old.pgn
done
run 0 pack -q -o new.stamma old.pgn # needs none
rm -f new.stamma

# ---- copies ----
cd "$repository" || exit 1
inject merges src/archive/merge.c '        stamma_frame_writer_add_block(out, head, body, &r->head.counts);' \
    '        if (r->head.records != 5) stamma_frame_writer_add_block(out, head, body, &r->head.counts);'
cd "$scratch" || exit 1
refuses merge -q -o new.stamma both.stamma many.stamma

cd "$repository" || exit 1
inject recompresses src/archive/recompress.c '    return at < t->text.size ? pack(w, t->text.data + at, t->text.size - at) : STAMMA_OK;' \
    '    return at < t->text.size ? pack(w, t->text.data + at, t->text.size - at - 1) : STAMMA_OK;'
cd "$scratch" || exit 1
refuses recompress -q -2 -o new.stamma many.stamma

# ---- new games ----
cd "$repository" || exit 1
inject shortens tools/stamma/packing/new_games.c 'write_bytes(n, game->text.data, game->text.size)' \
    'write_bytes(n, game->text.data, game->text.size - 1)'
cd "$scratch" || exit 1
refuses_to_grow append -q --new grown.stamma few.pgn
refuses_to_grow import -q --from twic -o grown.stamma few.pgn
refuses merge -q --unique -o new.stamma old.stamma many.stamma

cd "$repository" || exit 1
inject forgets tools/stamma/packing/new_games.c '        right = write_game(n, game);' \
    '        right = game->number == 3 || write_game(n, game);'
cd "$scratch" || exit 1
refuses_to_grow append -q --new grown.stamma few.pgn
refuses_to_grow import -q --from twic -o grown.stamma few.pgn
finish
