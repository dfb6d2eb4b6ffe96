#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what each mechanism of the format saves: the bytes of archives written with it and without it.

usage: mechanisms.py [--level N] [--only WORD] FILE.pgn...     run by mechanisms.sh

Copies the sources, inserts a switch for each mechanism into the code that writes, and builds the command once. The environment
variable WITHOUT names the mechanism that the command does not use. Prints a line for each mechanism and file, separated by
tabs: level, mechanism, file, bytes with, bytes without, share of the bytes without that the mechanism saves, in percent. --only
selects mechanisms whose names contain a word. The archives are not read back, because some switches omit what readers require.
"""
import argparse
import os
import shutil
import subprocess
import tempfile

SOURCES = "Makefile bindings completions data doc generators include scripts src stamma.pc.in tools web".split()
SWITCH = """
#include <stdlib.h>
static inline int without(const char *name)
{
    const char *found = getenv("WITHOUT");
    return found && strcmp(found, name) == 0;
}
"""

# Levels; mechanism, with its clause of the format; file in src; code, and its replacement, where @ is without(mechanism).
SWITCHES = [
    ("12", "3.2 bzip2", "entropy/packed_bytes.c",
     "if (plain->size >= BZIP2_LEAST)",
     "if (!@ && plain->size >= BZIP2_LEAST)"),
    ("12", "3.6 checks of groups", "block/block_writer.c",
     "if (w->record_count <= group_of(w))",
     "if (@ || w->record_count <= group_of(w))"),
    ("12", "4.4 repeated events", "record/events.c",
     "&& event_repeats(kind))",
     "&& event_repeats(kind) && !@)"),
    ("12", "6.4 wrapping", "record/style_search.c",
     "for (size_t w = 0; w < WRAPPINGS &&",
     "for (size_t w = 0; w < (@ ? 1 : WRAPPINGS) &&"),
    ("12", "6.4 wrapping", "record/style_search.c",
     "for (size_t w = 0; best > 4 && w < WRAPPINGS &&",
     "for (size_t w = 0; best > 4 && w < (@ ? 1 : WRAPPINGS) &&"),
    ("12", "6.5 spelling of moves", "record/style_search.c",
     "*bits = count_votes(&votes);",
     "*bits = @ ? 0 : count_votes(&votes);"),
    ("12", "7.5 tables of blocks", "container/frame_writer.c",
     "        write_table(w);",
     "        @ ? (void)0 : write_table(w);"),
    ("12", "8.2 reasons", "block/block_writer.c",
     "    if (w->record_count % group_of(w) != 0)\n        end_group(w);",
     "    if (@)\n        w->columns[COLUMN_REASONS].size = 0;\n"
     "    if (w->record_count % group_of(w) != 0)\n        end_group(w);"),
    ("13", "14 fields of comments", "block/column.c",
     "    if (counts)\n",
     "    if (counts && !@)\n"),
    ("12", "14 fields of tags", "tags/tag_writer.c",
     "return digits > texts->size / 8;",
     "return !@ && digits > texts->size / 8;"),
    ("12", "14.2 words", "fields/field_encode.c",
     "!stamma_field_prepare(&e->streams, &t))",
     "!stamma_field_prepare(&e->streams, &t) || (@ && memchr(t.bytes, FIELD_WORD, t.size)))"),
    ("12", "14.5 divisors", "fields/field_predict.c",
     "divisors[n].divisor == 0 ? 1",
     "@ || divisors[n].divisor == 0 ? 1"),
    ("12", "14.8 predictor 1, 2 (same key)", "fields/field_predict.c",
     "for (unsigned p = PREDICT_ZERO; p <= PREDICT_SECOND;",
     "for (unsigned p = PREDICT_ZERO; p <= (@ ? PREDICT_ZERO : PREDICT_SECOND);"),
    ("12", "14.8 predictor 2 (second)", "fields/field_predict.c",
     "        add_candidate(c, p, 0, 0);",
     "        if (p != PREDICT_SECOND || !@)\n            add_candidate(c, p, 0, 0);"),
    ("12", "14.8 predictor 3 (time spent)", "fields/field_predict.c",
     "        add_candidate(c, PREDICT_SPENT, i, 0);",
     "        if (!@)\n            add_candidate(c, PREDICT_SPENT, i, 0);"),
    ("12", "14.8 predictor 4 (product)", "fields/field_predict.c",
     "            if (!s->list[j].word)\n",
     "            if (!s->list[j].word && !@)\n"),
    ("12", "14.8 predictor 5 (other key)", "fields/field_predict.c",
     "        add_candidate(c, PREDICT_OTHER, i, 0);",
     "        if (!@)\n            add_candidate(c, PREDICT_OTHER, i, 0);"),
    ("12", "14.9 classes of fields", "fields/field_predict.c",
     "if (k->count >= CODED_LEAST && classes > 0)",
     "if (k->count >= CODED_LEAST && classes > 0 && !@)"),
    ("3", "14.13 mixed numbers", "block/block_writer.c",
     "packer->mixes = w->level >= LEVEL_ADAPTIVE;",
     "packer->mixes = w->level >= LEVEL_ADAPTIVE && !@;"),
    ("12", "15 tag values (codec 3)", "tags/tag_writer.c",
     "    if (none)\n",
     "    if (none || @)\n"),
    ("12", "15.3 shared dictionaries", "tags/tag_writer.c",
     "        bool pair = other",
     "        bool pair = !@ && other"),
    ("12", "15.4 indices", "tags/tag_writer.c",
     "different <= INDEXED_MAX;",
     "different <= (@ ? 0 : INDEXED_MAX);"),
    ("12", "15.5 sources of texts", "tags/derivations.c",
     "while (plan->source_count < TAG_SOURCES_MAX && more)",
     "while (!@ && plan->source_count < TAG_SOURCES_MAX && more)"),
    ("12", "15.5 equal to a column", "tags/derivations.c",
     "        try_equal(s, other);",
     "        if (!@)\n            try_equal(s, other);"),
    ("12", "15.5 recall by a column", "tags/derivations.c",
     "        if (is_key(s, other))",
     "        if (!@ && is_key(s, other))"),
    ("12", "15.5 begin", "tags/derivations.c",
     "        fine = try_begin(s, other);",
     "        fine = @ || try_begin(s, other);"),
    ("12", "22.2 maps of openings", "tags/derivations.c",
     "    try_map(s);",
     "    if (!@)\n        try_map(s);"),
    ("12", "22.5 dates", "tags/number_plans.c",
     "!t->plans[c].numbers && are_dates(s, c))",
     "!t->plans[c].numbers && !@ && are_dates(s, c))"),
    ("12", "15.5 opening's code, name (65, 66)", "tags/derivations.c",
     "        try_fact(s, fact);",
     "        if (!(@ && fact < FACT_MADE))\n            try_fact(s, fact);"),
    ("12", "15.5 FEN and moves (67 to 70)", "tags/derivations.c",
     "            try_fact(s, fact);",
     "            if (!(@ && fact >= FACT_MADE))\n                try_fact(s, fact);"),
    ("12", "15.7 numbers", "tags/number_plans.c",
     "    for (size_t c = 0; c < t->columns; c++) {\n        const uint8_t pair[2] =",
     "    for (size_t c = 0; c < t->columns && !@; c++) {\n        const uint8_t pair[2] ="),
    ("12", "15.8 other columns as contexts", "tags/tag_writer.c",
     "    uint64_t best[2] = {0, 0};",
     "    uint64_t best[2] = {@ ? UINT64_MAX : 0, @ ? UINT64_MAX : 0};"),
    ("12", "15.8 classes of tags", "tags/tag_writer.c",
     "unsigned classes = TAG_CLASSES_MAX;",
     "unsigned classes = @ ? 1 : TAG_CLASSES_MAX;"),
    ("2", "16 predicted moves (codec 4)", "block/block_writer.c",
     "    if (error == STAMMA_OK && w->level >= 2)",
     "    if (error == STAMMA_OK && w->level >= 2 && !@)"),
    ("2", "16 predicted moves (codec 4)", "block/block_writer.c",
     "return w->level < 2 ?",
     "return w->level < 2 || @ ?"),
    ("2", "16 variations by the predictor", "block/block_writer.c",
     "id == COLUMN_VARIATION_MOVES ? &coded[LINES_VARIATIONS]",
     "id == COLUMN_VARIATION_MOVES && !@ ? &coded[LINES_VARIATIONS]"),
    ("2", "16 lines by the predictor", "block/block_writer.c",
     "id == COLUMN_LINE_MOVES      ? &coded",
     "id == COLUMN_LINE_MOVES && !@ ? &coded"),
    ("23", "16.5 tags as inputs", "block/predicted_writer.c",
     "    return game->columns[tag] == NO_COLUMN",
     "    return @ ? false : game->columns[tag] == NO_COLUMN"),
    ("3", "17 adaptive moves (codec 11)", "block/block_writer.c",
     "id == COLUMN_MOVES && w->level >= 3 ?",
     "id == COLUMN_MOVES && w->level >= 3 && !@ ?"),
    ("3", "17 adaptive moves (codec 11)", "block/block_writer.c",
     "&w->predicted, w->level >= 3 ?",
     "&w->predicted, w->level >= 3 && !@ ?"),
    ("3", "17.1 book", "model/opening_book.c",
     "    for (const uint8_t *at = book + load_u32(index); at < end;",
     "    for (const uint8_t *at = book + load_u32(index); at < end && !@;"),
    ("3", "17.2 players", "block/predicted_writer.c",
     "stamma_predicted_player(values[CONTEXT_PLAYERS + side]);",
     "@ ? 0 : stamma_predicted_player(values[CONTEXT_PLAYERS + side]);"),
    ("3", "17.4 lanes", "block/predicted_writer.c",
     "(moves == 0 || !lane_turns(",
     "(moves == 0 || @ || !lane_turns("),
    ("12", "18 lines in comments", "block/comment_lines_writer.c",
     "    return !is_command(text) &&",
     "    return !@ && !is_command(text) &&"),
    ("12", "18.2 breaks", "block/comment_lines_writer.c",
     "    end_breaks(c, f);\n    size_t moves",
     "    end_breaks(c, f);\n    if (@ && c->breaks.size > 0)\n        return false;\n    size_t moves"),
    ("12", "18.3 known lines", "block/comment_lines_writer.c",
     "        if (same > f->shared) {",
     "        if (same > f->shared && !@) {"),
    ("12", "18.4 replies", "block/comment_lines_writer.c",
     "    if (reply->move != STAMMA_MOVE_NULL &&",
     "    if (!@ && reply->move != STAMMA_MOVE_NULL &&"),
    ("12", "19 shared beginnings (codec 6)", "block/block_writer.c",
     "if (w->record_count < SHARING_RECORDS ||",
     "if (@ || w->record_count < SHARING_RECORDS ||"),
    ("12", "19.2 trie", "entropy/prefix_trie.c",
     "    while (n < both && a->codes[n] == b->codes[n])",
     "    while (n < both && !@ && a->codes[n] == b->codes[n])"),
    ("12", "20 search columns", "block/block_writer.c",
     "    if (!w->no_search_columns)\n        add_search",
     "    if (!w->no_search_columns && !@)\n        add_search"),
    ("12", "20.3 codec 7", "block/search_writer.c",
     "    *codec = CODEC_SEARCH;",
     "    *codec = CODEC_SEARCH;\n    if (@) {\n        body->size = begin;\n"
     "        return stamma_bytes_pack(coder, B, plain, body, codec);\n    }"),
    ("3", "22.3 spelt texts", "block/block_writer.c",
     ".spells = w->level >= 3}",
     ".spells = w->level >= 3 && !@}"),
]


def build(work):
    for name in SOURCES:
        (shutil.copytree if os.path.isdir(name) else shutil.copy)(name, os.path.join(work, name))
    for _, mechanism, name, code, replacement in SWITCHES:
        path = os.path.join(work, "src", name)
        with open(path) as file:
            text = file.read()
        assert text.count(code) == 1, (mechanism, name, text.count(code))
        replacement = replacement.replace("@", 'without("%s")' % mechanism)
        text = text.replace(code, replacement)
        with open(path, "w") as file:
            file.write(text)
    with open(os.path.join(work, "src/base/base.h"), "r+") as file:
        text = file.read().replace('#include "stamma.h"\n', '#include "stamma.h"\n' + SWITCH, 1)
        file.seek(0)
        file.write(text)
    subprocess.run(["make", "-s", "-j2", "-C", work, "BUILD=build", "build/stamma"], check=True, stdout=subprocess.DEVNULL)


def size(work, level, path, without):
    out = os.path.join(work, "out.stamma")
    environment = dict(os.environ, WITHOUT=without)
    subprocess.run([os.path.join(work, "build/stamma"), "pack", "-q", "-f", "--no-check", "-%s" % level, "-o", out, path],
                   check=True, env=environment)
    return os.path.getsize(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--level", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    names = dict.fromkeys(s[1] for s in SWITCHES if options.level in s[0] and options.only in s[1])
    with tempfile.TemporaryDirectory() as work:
        build(work)
        for path in options.files:
            whole = size(work, options.level, path, "")
            for name in names:
                less = size(work, options.level, path, name)
                print(options.level, name, os.path.basename(path), whole, less, "%.2f" % (100 - 100 * whole / less),
                      sep="\t", flush=True)


if __name__ == "__main__":
    main()
