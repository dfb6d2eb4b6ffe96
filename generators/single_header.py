#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints stamma_encodings.h: a part of the library as one header, for C99 and C++17.

usage: single_header.py >stamma_encodings.h

FUNCTIONS and CODECS say what the header contains. The program reads the library's sources, keeps what these functions need,
and changes it:
- Names that are not public get the prefix `stamma_`, and those of one source also the source's name.
- Initializers lose their designators, and compound literals are written as STAMMA_VALUE(type), because C++17 has neither.
- Tables are written without blanks.
- Games are coded move by move, without the faster coders of complete games.
- There is no code for particular processors.
"""
import os
import re
import sys
import textwrap

from c_items import OPAQUE, items_of, members_of, packed_table, resolve_conditions, without_designators

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FUNCTIONS = """
stamma_error_text stamma_text_of
stamma_setup_problems stamma_setup_problem_text stamma_position_set_up stamma_position_setup stamma_position_start
stamma_position_piece stamma_position_in_check stamma_position_make stamma_position_key
stamma_position_equal stamma_legal_moves stamma_legal_moves_canonical stamma_legal_moves_count stamma_move_is_legal
stamma_perft
stamma_fen_read stamma_fen_write stamma_uci_read stamma_uci_write
stamma_codec_at stamma_codec_find stamma_codec_describe stamma_codec_encode stamma_codec_decode stamma_codec_fallback
stamma_codec_explain stamma_codec_encode_game stamma_codec_explain_game stamma_codec_game_plies stamma_codec_decode_game
stamma_move32_of stamma_position_make32 stamma_position_unmake32 stamma_move32_indices
stamma_enumeration_rank stamma_enumeration_unrank
stamma_position_codec_at stamma_position_codec_find stamma_position_codec_describe stamma_position_coded
stamma_position_encode stamma_position_explain stamma_position_decode
stamma_move_make stamma_move_to stamma_move_from stamma_move_flags stamma_move_is_capture stamma_move_is_promotion
stamma_move_is_castling stamma_move_promotion stamma_move_butterfly
stamma_move32_move stamma_move32_moved stamma_move32_captured stamma_move32_score stamma_move32_with_score stamma_move32_equal
STAMMA_VERSION STAMMA_UCI_SIZE STAMMA_CODEC_GAME_SIZE STAMMA_MOVE_NULL
""".split()
CODECS = """
codec_move16 codec_move32 codec_enumeration codec_move14 codec_move12 codec_legal_index codec_legal_index_bits
codec_bcgn codec_bcgn_square codec_tarrasch position_codec_stream position_codec_packed
""".split()
PUBLIC = "stamma/base.h stamma/board.h stamma/notation.h stamma/encodings.h".split()
HEADERS = "base/base.h board/board.h notation/notation.h codec/codec.h encodings/encodings.h encodings/position_codes.h".split()
TABLES = "board/attack_tables.c board/key_numbers.c codec/target_tables.c encodings/vector_tables.c".split()
SOURCES = """
base/error.c base/text_slice.c base/bits.c base/varint.c
board/position.c board/key.c board/setup.c board/start.c board/legal.c
board/generate_portable.c board/generate.c board/perft.c board/canonical.c board/make.c
notation/fen.c notation/uci.c
codec/move_sets.c codec/codec_calls.c codec/byte_code.c
encodings/explain_parts.c encodings/explain.c encodings/vectors.c
encodings/move16.c encodings/move32.c encodings/enumeration.c encodings/two_squares.c encodings/legal_index.c
encodings/bcgn.c encodings/bcgn_square.c encodings/tarrasch.c encodings/model_free_encodings.c encodings/move_encodings.c encodings/game_code.c
encodings/position_code.c encodings/position_stream.c encodings/position_packed.c encodings/position_encodings.c
""".split()
# Replaces the table stamma_between of 4,096 numbers.
BETWEEN = """
/* Returns the squares strictly between two squares on one line, otherwise 0. */
STAMMA_INLINE uint64_t stamma_between(unsigned a, unsigned b)
{
    const uint64_t *masks = stamma_line_masks[a];
    uint64_t span = a < b ? square_bit(b) - 2 * square_bit(a) : square_bit(a) - 2 * square_bit(b);
    for (unsigned n = 0; n < 4; n++)
        if (masks[n] >> b & 1)
            return masks[n] & span;
    return 0;
}
"""
CONDITIONS = {"#if STAMMA_HAVE_BMI2": False, "#if !defined(STAMMA_NO_MODEL)": False, "#ifdef __cplusplus": False,
              "#if defined(__SSE2__)": False, "#if defined(__SSE2__) && !defined(STAMMA_PORTABLE)": False}
# (source, text, its replacement): what only the header needs. Each text must occur.
CHANGES = [
    ("board/generate_portable.c", r"#define VARIANT.*\n", ""),
    ("board/generate_portable.c", r"VARIANT\((\w+)\)", r"stamma_generate_\1_portable"),
    ("board/attack_tables.c", r"const uint64_t stamma_between.*?\};\n", ""),
    # The byte of one move, without a processor's code.
    ("codec/byte_code.c", r"static stamma_error write_slowly\b", "stamma_error stamma_byte_write"),
    ("codec/byte_code.c", r"\bwrite_slowly\b", "stamma_byte_write"),
    ("encodings/bcgn.c", r" *\.(?:write|read)_game = .*\n", ""),
    ("encodings/bcgn_square.c", r" *\.(?:write|read)_game = .*\n", ""),
    ("encodings/tarrasch.c", r" *\.(?:write|read)_game = .*\n", ""),
    ("encodings/model_free_encodings.c", r" *&stamma_(\w+),\n", lambda match: match.group() if match.group(1) in CODECS else ""),
    ("encodings/position_encodings.c", r" *&stamma_(\w+),\n", lambda match: match.group() if match.group(1) in CODECS else ""),
]
# Comments of the library that mention what the header does not have.
COMMENTS = {
    "stamma_text_of": "/* Returns a NUL-terminated string as a text, without its NUL. {NULL, 0} if `string` is NULL. The text refers to the\n"
                      " * string. */",
    "stamma_codec": "/* An encoding of moves. Each codec encodes a legal move and decodes a code to the move. No bit pattern decodes to a move\n"
                    " * that is not legal, and each move of a position has exactly one code. */",
}
VOID_POINTER = re.compile(r"\b((?:const )?\w+ \*)(\w+) = (codec->variant|memchr)\b")


def read(path):
    """Returns the text of a file of the tree, in which look-ups in stamma_between are calls."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return re.sub(r"(?<!const uint64_t )\bstamma_between\[(.+?)\]\[(.+?)\](?![\])])", r"stamma_between(\1, \2)", file.read())


def source_text(name):
    text = read("src/" + name)
    text = re.sub(r'#include "(board/\w+\.inc)"', lambda match: read("src/" + match.group(1)), text)
    for source, pattern, replacement in CHANGES:
        if source == name:
            text, count = re.subn(pattern, replacement, text, flags=re.S if "};" in pattern else 0)
            if count == 0:
                sys.exit("%s: no %s" % (name, pattern))
    return resolve_conditions(text, CONDITIONS)


def public_text(name):
    text = resolve_conditions(read("include/" + name), CONDITIONS)
    # The header's prologue defines STAMMA_API; the guards are not needed.
    text = re.sub(r"#if defined\(_WIN32\)[^\n]*\n#define STAMMA_API\b.*?#endif\n", "", text, flags=re.S)
    return re.sub(r"#ifndef STAMMA_API_\w+\n#define STAMMA_API_\w+\n|\n#endif\s*$", "\n", text)


def header_text(name):
    text = resolve_conditions(read("src/" + name), CONDITIONS)
    if name == "board/board.h":
        text = re.sub(r"extern const uint64_t stamma_between.*\n", "", text)
        text = re.sub(r"(STAMMA_INLINE uint64_t square_bit_or_none.*?\n}\n)", lambda match: match.group() + BETWEEN, text, flags=re.S)
    return re.sub(r"#ifndef STAMMA_\w+\n#define STAMMA_\w+_H\n|\n#endif\s*$", "\n", text)


def is_local(item):
    """Returns whether the names of an item of a source are visible only there."""
    return item.kind in ("type", "macro") or re.match(r"static|STAMMA_INLINE|STAMMA_NOINLINE static", item.text) is not None


class Sources:
    """All items: of the public headers, of the internal headers, and of each source."""

    def __init__(self):
        self.public = [item for name in PUBLIC for item in items_of(public_text(name))]
        self.internal = [item for name in HEADERS for item in items_of(header_text(name))]
        self.files = [(name, stem_of(name), items_of(source_text(name))) for name in TABLES + SOURCES]
        self.shared, self.local = {}, {}  # name: items; (stem, name): items
        for item in self.public + self.internal:
            for name in item.names:
                self.shared.setdefault(name, []).append(item)
        for _, stem, items in self.files:
            for item in items:
                for name in item.names:
                    if is_local(item):
                        self.local.setdefault((stem, name), []).append(item)
                    else:
                        self.shared.setdefault(name, []).append(item)
        self.stems = {id(item): stem for _, stem, items in self.files for item in items}

    def all(self):
        return self.public + self.internal + [item for _, _, items in self.files for item in items]

    def needed(self, roots):
        """Returns the identities of the items that the names `roots` need."""
        needed, work = set(), [item for name in roots for item in self.shared[name]]
        while work:
            item = work.pop()
            if id(item) in needed:
                continue
            needed.add(id(item))
            if item.kind == "declaration":
                continue
            stem = self.stems.get(id(item))
            for word in item.words() | set(re.findall(r"\b[A-Z]\w+", item.text if item.kind == "macro" else "")):
                work += self.local.get((stem, word)) or self.shared.get(word, [])
        return needed

    def new_names(self, needed):
        """Returns the prefixed name of each internal name: {(stem or None, name): new name}."""
        names = {}
        for item in self.internal:
            for name in item.names if id(item) in needed else ():
                names[None, name] = prefixed(name, "")
        for (stem, name), items in self.local.items():
            if any(id(item) in needed for item in items):
                names[stem, name] = prefixed(name, stem)
        taken = {name for item in self.public for name in item.names} | set(self.shared)
        for key, new in names.items():
            if new != key[1]:  # the name was prefixed
                while new in taken:
                    new += "_of"
                names[key] = new
            taken.add(new)
        return names


def stem_of(name):
    return re.sub(r"_portable$", "", os.path.splitext(os.path.basename(name))[0])


def prefixed(name, stem):
    if name.lower().startswith("stamma_"):
        return name
    words = "_".join(word for word in ("stamma", stem, name) if word)
    return words.upper() if name.isupper() else words


def renamed(text, stem, names):
    """Replaces the names of a text, except those of members."""
    def replace(match):
        if match.group(1) is None:
            return match.group()
        word = match.group(2)
        return match.group(1) + (names.get((stem, word)) or names.get((None, word)) or word)
    return re.sub(OPAQUE.pattern + r"|((?<!\.)(?<!->)\b)([A-Za-z_]\w*)", replace, text, flags=re.S)


def in_both_languages(text, structs):
    """Changes what C++17 does not have."""
    text = without_designators(text, structs)
    text = re.sub(r"\((\w+)\)(?=\{[^}])", r"STAMMA_VALUE(\1)", text)
    return VOID_POINTER.sub(r"\1\2 = (\1)\3", text)


VARIANT = re.compile(r"&\(const (\w+)\)(\{[^{}]*\})")


def with_named_variant(item, text):
    """Returns the text of a codec whose `variant` is a compound literal as two definitions."""
    match = VARIANT.search(text)
    if not match:
        return text
    name = min(item.names) + "_variant"
    first = "static const %s %s = %s;\n\n" % (match.group(1), name, match.group(2))
    return first + text[:match.start()] + "&" + name + text[match.end():]


def linked(item, public):
    """Returns the definition with the linkage that it has in the header: public or static."""
    text = item.text
    if item.kind == "function" and item.names & public:
        return "STAMMA_API " + text
    if item.kind in ("function", "prototype", "data") and not re.match(r"static|STAMMA_(INLINE|NOINLINE)", text):
        return "static " + text
    return text


def filled(line):
    """Breaks a line, but no string, at 120 columns."""
    whole = re.sub(r'"[^"]*"', lambda match: match.group().replace(" ", "\0"), line)
    return textwrap.fill(whole, 120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False).replace("\0", " ")


class Header:
    """The text of the header."""

    def __init__(self):
        self.sources = Sources()
        self.needed = self.sources.needed(FUNCTIONS)
        self.names = self.sources.new_names(self.needed)
        self.public = {name for item in self.sources.public for name in item.names}
        self.structs = {}
        for item in self.sources.all():
            if item.kind == "type" and re.match(r"(typedef )?struct\b[^;]*\{", item.text):
                self.structs.update({name: members_of(item.text) for name in item.names})

    def kept(self, items, *without):
        return [item for item in items if id(item) in self.needed and item.kind not in without]

    def definition(self, item, stem):
        """Returns an internal item, or the definition of a public function, as the header contains it."""
        text = linked(item, self.public)
        if item.kind == "data":
            text = packed_table(text) if len(re.findall(r"\b\d\w*", text)) > 60 else with_named_variant(item, text)
        text = renamed(in_both_languages(text, self.structs), stem, self.names)
        if item.kind == "data" and "codec " in text:
            text = "\n".join(filled(line) for line in text.splitlines())
        return re.sub(r"\n\{\n", " {\n", text, count=1) if item.kind == "function" else text

    def section(self, title, items, stem):
        """Returns a title and items. The comments of the sources are
        left out: the library has them."""
        text = ""
        for item in items:
            text += "\n" + item.comment + "\n" if item.comment and stem is None else ""
            text += self.definition(item, stem) + "\n"
        return "\n/* ---- %s ---- */\n%s" % (title, text) if text else ""

    def text(self):
        sources = self.sources
        text = PROLOGUE % {"version": re.search(r'STAMMA_VERSION "(.*)"', public_text(PUBLIC[0])).group(1)}
        for item in self.kept(sources.public):
            comment = next((COMMENTS[name] for name in item.names if name in COMMENTS), item.comment)
            text += "\n" + (comment + "\n" if comment else "")
            text += item.text.replace("STAMMA_API inline", "static inline") + "\n"
        text += MIDDLE
        for name, stem, items in sources.files[:len(TABLES)]:
            text += self.section(name, self.kept(items), stem)
        internal = [item for item in self.kept(sources.internal, "declaration")
                    if "_Static_assert" not in item.text]
        text += self.section("what the functions share", internal, None)
        for name, stem, items in sources.files[len(TABLES):]:
            text += self.section(name, self.kept(items, "declaration"), stem)
        return text + EPILOGUE


PROLOGUE = """\
/* Stamma %(version)s: encodings of chess moves, games and positions, in one header.
 *
 * SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Stamma authors. The text of the licence is at the end.
 * Generated from the sources of Stamma by generators/single_header.py; do not edit.
 *
 * For C99, C11 and C++17. Include the header in any file, and in exactly one file define its functions:
 *
 *     #define STAMMA_ENCODINGS_IMPLEMENTATION
 *     #include "stamma_encodings.h"
 *
 * With STAMMA_ENCODINGS_STATIC, defined together with STAMMA_ENCODINGS_IMPLEMENTATION, the functions are visible only in that file.
 * No function allocates memory, prints, or has state.
 *
 *     stamma_position position = stamma_position_start();
 *     const stamma_codec *tarrasch = stamma_codec_find(stamma_text_of("tarrasch"));
 *     stamma_move move;
 *     stamma_code code;
 *     stamma_uci_read(&position, stamma_text_of("e2e4"), &move);
 *     stamma_codec_encode(tarrasch, &position, move, &code);      // code.value 65, code.bits 8
 *     stamma_codec_decode(tarrasch, &position, code, &move);      // the move, or STAMMA_ERROR_CORRUPT
 *     stamma_position_make(&position, move, &position);
 *     char fen[STAMMA_FEN_SIZE];
 *     stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
 *
 * Contents
 *   rules      positions, legal moves, making moves, perft, keys, Chess960
 *   texts      FEN, UCI
 *   moves      the codecs move16, move32, enumeration, move14, move12, legal-index, legal-index-bits, bcgn, bcgn-square,
 *              tarrasch: of single moves, and of games (stamma_codec_encode_game)
 *   positions  the codecs stream, packed
 * Names, functions and codes are those of the library, whose document doc/reference/encodings.md describes each code. The library also has
 * 21 other codecs of moves and 8 of positions, SAN and PGN, and codes complete games faster.
 *
 * Conventions
 *   - A function that can fail returns a stamma_error. If it fails, its outputs are unchanged, unless its comment says otherwise.
 *   - A pointer may be NULL only if the comment says so.
 *   - A text is a pointer and a size in bytes. A text writer returns the length of the complete text, without the NUL. If length
 *     and NUL do not fit in the space, the function writes only a NUL (nothing if the space is 0).
 *   - Comments list errors without their prefix: "ILLEGAL" means STAMMA_ERROR_ILLEGAL. */
#ifndef STAMMA_ENCODINGS_SINGLE_HEADER
#define STAMMA_ENCODINGS_SINGLE_HEADER

#ifdef STAMMA_API_BASE_H
#error "stamma.h and stamma_encodings.h declare the same names: include only one of them"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(STAMMA_ENCODINGS_STATIC)
#define STAMMA_API extern
#elif defined(__GNUC__)
#define STAMMA_API static __attribute__((unused))
#elif defined(STAMMA_ENCODINGS_STATIC)
#define STAMMA_API static
#endif

#ifdef __cplusplus
extern "C" {
#endif
"""
MIDDLE = """
#ifdef __cplusplus
}
#endif
#endif

#if defined(STAMMA_ENCODINGS_IMPLEMENTATION) && !defined(STAMMA_ENCODINGS_IMPLEMENTED)
#define STAMMA_ENCODINGS_IMPLEMENTED

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A value of a type, written as VALUE(type){members}. */
#ifdef __cplusplus
#define STAMMA_VALUE(type) type
extern "C" {
#endif
#ifndef __cplusplus
#define STAMMA_VALUE(type) (type)
#endif
"""
EPILOGUE = """
#ifdef __cplusplus
}
#endif
#endif

/*
%s*/
""" % read("LICENSE")

if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    sys.stdout.write(Header().text())
