/* SPDX-License-Identifier: MIT */
/* Tests lines of moves in comments (clause 18): every way of reading restores every text at both levels, and lines that
 * can be coded as moves are coded as moves. The only error that damaged columns cause is CORRUPT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/reader.h"
#include "archive_support.h"

static listing pack_without_faults(int level, const char *text, size_t size)
{
    stamma_archive_counts counts;
    listing archive = pack_at(level, text, size, &counts);
    assert_int_equal(counts.games_inexact, 0);
    return archive;
}

/* Returns the comments of all games if `parts` are selected. */
static listing comments_of(const listing *archive, unsigned parts)
{
    listing all = {0};
    archive_source source = {0};
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
    list_word(&all, "");
    for (;;) {
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        if (!game)
            break;
        for (size_t i = 0; i < game->item_count; i++)
            if (game->items[i].kind == STAMMA_ITEM_COMMENT && game->items[i].depth == 0) {
                list_format(&all, "%zu ", game->items[i].ply);
                list_bytes(&all, game->items[i].text.data, game->items[i].text.size);
                list_word(&all, "\n");
            }
    }
    close_reader(reader);
    return all;
}

/* Asserts that every way of reading restores the text, and that the comments are complete if only comments are
 * selected. */
static void assert_comes_back(const listing *archive, const char *text, size_t size)
{
    assert_gives_back(archive, text, size);
    listing full = comments_of(archive, STAMMA_GAME_ALL), alone = comments_of(archive, STAMMA_GAME_COMMENTS);
    assert_int_equal(full.size, alone.size);
    assert_memory_equal(full.text, alone.text, full.size);
    free(full.text);
    free(alone.text);
}

typedef struct column_sizes {
    uint64_t moves, lines;
} column_sizes;

static void note_column(void *context, const stamma_archive_column *column)
{
    column_sizes *sizes = (column_sizes *)context;
    if (strcmp(column->name, "line-moves") == 0)
        sizes->moves = column->plain_bytes;
    if (strcmp(column->name, "lines") == 0)
        sizes->lines = column->plain_bytes;
}

static column_sizes sizes_of(const listing *archive)
{
    column_sizes sizes = {0, 0};
    archive_source source = {0};
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_info(reader, NULL, NULL, 0, note_column, &sizes), STAMMA_OK);
    close_reader(reader);
    return sizes;
}

/* Texts of comments, the number of moves outside of known lines, and the number of bytes that mark lines. */
static const struct example {
    const char *text;
    column_sizes sizes;
} examples[] = {
    {"1. e4 {pv=e4 e5 Nf3} e5 {pv=e5 Nf3 Nc6, \2 x} *\n", {3, 4}}, /* a known line; a marker byte as text */
    {"1. e4 {a\2b} e5 {\2\2} *\n", {0, 0}},                        /* only marker bytes */
    {"1. e4 {pv=d4 d5} *\n", {2, 1}},                              /* a line from before the move */
    {"1. e4 {better is d4 d5 c4 e6 with play} *\n", {4, 1}},
    {"1. e4 {c5 Nf3 d6, and e5} *\n", {0, 0}}, /* three moves may be prose */
    {"{pv=e4 e5 Nf3 Nc6} 1. e4 *\n", {0, 0}},  /* before the movetext */
    {"[Event \"a\"]\n{pv=e4}\n[Site \"b\"]\n\n1. e4 {pv=c5} *\n", {1, 1}},
    {"[A \"a\"]\n[A \"b\"]\n\n1. e4 {pv=e4 e5} *\n", {1, 1}}, /* a tag outside of the roster */
    /* other spellings */
    {"1. e4 {pv=e4 e7-e5} e5 {pv=Ng1f3} 2. Nf3 {pv=nc6} Nc6 {pv=Bb5+} *\n", {0, 1}},
    {"1. e4 {pv=e4 c5, pv=e4+, pv=e4!, pv=e4e5, pv=e4x, pv=e49, pv=, pv= e4, pv=c5 N} *\n", {1, 4}},
    {"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 {pv=0-0 Nf6} 4. O-O {pv=O-O Nf6} 4... d6 {pv=d6 O-O-O} *\n", {1, 2}},
    {"1. e4 {pv=e4  e5, pv=e4\te5, pv=e4 e5 , pv=e5 1. Nf3} *\n", {1, 5}},
    /* en passant, promotions, mate, castling with their spellings */
    {"1. e4 a6 2. e5 d5 {pv=exd6 cxd6, pv=exd6e.p.} *\n", {2, 1}},
    {"[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd1 {pv=Kd1 Ke7 a8=Q Kd6 Qd8+} Ke7 {pv=a8Q} *\n", {4, 1}},
    {"[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. a8=R+ {pv=a7a8r e8e7 e1g1 e7d6 a8a6} *\n", {4, 1}},
    {"1. f3 e5 2. g4 {pv=g4 Qh4#} {pv=Qh4} {pv=Qh4+} {pv=Qh4#} *\n", {1, 3}},
    {"1. e4 {pv=e2e4 e7e5 g1f3} e5 {pv=e7e5 g1f3 b8c6 f1b5} *\n", {4, 3}},
    {"[FEN \"1k3r1r/8/8/8/8/8/8/RK5R b HAf - 0 1\"]\n\n1... Rh7 {pv=Rh7 O-O-O, pv=h8h7 b1c1 b8c8} *\n", {3, 2}},
    /* null moves; many queens; an invalid FEN */
    {"1. e4 -- {pv=-- d4 d5} {pv=d4 d5 -- c4} *\n", {2, 1}},
    {"[FEN \"6rk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w - - 0 1\"]\n\n1. Kb1 {pv=Kb1 Rf8 Qaa4} *\n", {2, 1}},
    {"[FEN \"bad\"]\n\n{pv=e4 e5} * {pv=e4 e5}\n", {0, 0}},
    {"* {pv=e4 e5}\n\n1. d4 {pv=c5} *\n", {3, 2}},
    {"1. e4 e5 * {pv=e5 Nf3} (1... c5 {pv=c5 Nc3}) {pv=Nf3 d6}\n\n{pv=e4 e5}\n1. d4 *\n",
     {4, 3}}, /* after the result */
    /* variations */
    {"1. e4 e5 (1... c5 {pv=c5 Nf3 d6} 2. Nf3 {pv=Nf3 Nc6} (2. c3 {pv=c3 d5}) 2... d6) 2. Nf3 {pv=Nf3 Nc6 Bb5} *\n",
     {6, 4}},
    {"1. e4 ({pv=d4 d5} 1. d4 {pv=d4 d5}) e5 {pv=d4 d5} *\n", {4, 4}},
    /* a change from one known line to another; a known line, then moves that the position predicts, and further
     * moves */
    {"1. e4 {pv=e5 Nf3 Nc6 Bb5} {pv=e5 Nf3 d6 d4 exd4} {pv=e5 Nf3 d6 d4 Nf6, pv=e5 Nf3 Nc6 Bc4} *\n", {9, 7}},
    {"1. d4 Nf6 2. Nc3 e6 3. e4 Bb4 {pv=Qd3 O-O} {pv=Qd3 O-O Ne2 d5 a3 c5} *\n", {6, 3}},
    {"1. d4 Nf6 2. Nc3 e6 3. e4 Bb4 {pv=d1d3 e8g8} {pv=d1d3 e8g8 g1e2} {pv=Qd3 O-O Ne2} *\n", {3, 5}},
    /* predicted replies when the same side moved last */
    {"1. e4 {pv=e4 e5 Nf3} e5 {pd=Nf3} 2. Nf3 {pd=e5, pv=Nf3 Nc6} Nc6 {pd=Nf3} 3. Bb5 {pd=Nc6} *\n", {3, 7}},
    {"1. e4 {pv=e2e4 e7e5} e5 2. Nf3 {pd=e7e5, pd=e5 x} {pd=e5} (2. Nc3 {pd=e5}) 2... Nc6 *\n", {1, 3}},
    {"1. e4 {pv=e5} e5 {pv=e5} -- {pd=e5} *\n", {1, 3}},
    {"1. e4 {pv=e4 e5 Nf3} e5 2. Nf3 {Nc6 Bb5 a6 Ba4} *\n", {6, 2}}, /* the reply is not after an equals sign */
    /* line ends */
    {"1. e4 {pv=e4 e5\nNf3 Nc6\nBb5 a6\n} *\n", {5, 4}},
    {"1. e4 {pv=e4 e5\r\nNf3\r\nNc6 Bb5\na6} *\r\n", {4, 4}},
    {"1. e4 {pv=e4\ne5 \nNf3} *\n", {1, 3}},
    {"1. e4 ;pv=e4 e5\ne5 ;pv=Nf3 \2\n%pv=Nf3 Nc6\n*\n", {3, 5}},
};

static void texts_come_back(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t n = 0; n < sizeof examples / sizeof *examples; n++)
        for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
            const char *text = examples[n].text;
            listing archive = pack_without_faults(level, text, strlen(text));
            column_sizes sizes = sizes_of(&archive);
            assert_comes_back(&archive, text, strlen(text));
            if (sizes.moves != examples[n].sizes.moves || sizes.lines != examples[n].sizes.lines)
                print_error("%s: %u moves and %u bytes\n", text, (unsigned)sizes.moves, (unsigned)sizes.lines), wrong++;
            free(archive.text);
        }
    assert_int_equal(wrong, 0);
}

/* Makes enough comments for moves to be predicted. */
static buffer many_texts(const stamma_allocator *allocator)
{
    buffer all = {.allocator = allocator};
    for (unsigned times = 0; times < 30; times++)
        for (size_t n = 0; n < sizeof examples / sizeof *examples; n++) {
            buffer_add(&all, examples[n].text, strlen(examples[n].text));
            buffer_add(&all, "\n", 1);
        }
    return all;
}

static void many_texts_come_back(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer all = many_texts(&allocator);
    for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
        listing archive = pack_without_faults(level, (const char *)all.data, all.size);
        assert_comes_back(&archive, (const char *)all.data, all.size);
        free(archive.text);
    }
    stamma_buffer_release(&all);
}

/* Reads games by their numbers. The other games are skipped. */
static void games_by_number(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer all = many_texts(&allocator);
    for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
        listing archive = pack_without_faults(level, (const char *)all.data, all.size);
        archive_source first = {0}, second = {0};
        stamma_archive_reader *straight = open_archive(&first, &archive, true),
                              *seeking = open_archive(&second, &archive, true);
        assert_int_equal(stamma_archive_reader_select(seeking, STAMMA_GAME_COMMENTS | STAMMA_GAME_VARIATIONS),
                         STAMMA_OK);
        for (uint64_t number = 1;; number++) {
            const stamma_archive_game *a, *b;
            assert_int_equal(stamma_archive_reader_next(straight, &a), STAMMA_OK);
            if (!a)
                break;
            if (number % 7 != 0)
                continue;
            assert_int_equal(stamma_archive_reader_seek(seeking, number), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_next(seeking, &b), STAMMA_OK);
            size_t at = 0;
            for (size_t i = 0; i < a->item_count; i++) {
                if (a->items[i].kind == STAMMA_ITEM_NAG)
                    continue;
                assert_true(at < b->item_count && a->items[i].kind == b->items[at].kind);
                assert_int_equal(a->items[i].text.size, b->items[at].text.size);
                if (a->items[i].text.size > 0)
                    assert_memory_equal(a->items[i].text.data, b->items[at].text.data, a->items[i].text.size);
                at++;
            }
        }
        close_reader(straight);
        close_reader(seeking);
        free(archive.text);
    }
    stamma_buffer_release(&all);
}

/* ---- damage: blocks with changed columns of lines and valid checksums ---- */

/* Returns the place of a column's checksum in the head. */
static uint8_t *find_check(uint8_t *payload, size_t head_size, uint64_t value)
{
    uint8_t check[8];
    store_u64(check, value);
    for (size_t at = 0; at + 8 <= head_size; at++)
        if (memcmp(payload + at, check, 8) == 0)
            return payload + at;
    return NULL;
}

static void damage_column(uint8_t *payload, size_t size, size_t head_size, unsigned id)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const buffer whole = {.allocator = &allocator, .data = payload, .size = size, .capacity = size};
    column_entry e;
    const uint8_t *stored;
    assert_true(stamma_payload_find_column(&whole, head_size, id, &e, &stored));
    uint8_t *bytes = payload + (stored - payload), *check = find_check(payload, head_size, e.check);
    size_t fine = 0;
    assert_non_null(check);
    for (size_t n = 0; n < 8 * (size_t)e.stored_size; n++) {
        bytes[n / 8] ^= (uint8_t)(1u << n % 8);
        store_u64(check, XXH64(bytes, (size_t)e.stored_size, 0));
        stamma_error error = read_payload(payload, size, head_size);
        /* the same text may have another valid code, for example through another known line */
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED);
        fine += error == STAMMA_OK;
        bytes[n / 8] ^= (uint8_t)(1u << n % 8);
    }
    assert_true(fine <= (size_t)e.stored_size / 4);
    uint32_t random = 1;
    for (size_t n = 0; n < 1000; n++) { /* several bytes at once */
        uint8_t before[3];
        size_t at[3];
        for (size_t i = 0; i < 3; i++) {
            random = random * 1664525 + 1013904223;
            at[i] = random / 256 % (size_t)e.stored_size;
            before[i] = bytes[at[i]];
            bytes[at[i]] = n % 2 ? (uint8_t)(random % 32) : (uint8_t)(random % 256);
        }
        store_u64(check, XXH64(bytes, (size_t)e.stored_size, 0));
        stamma_error error = read_payload(payload, size, head_size);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED);
        for (size_t i = 3; i-- > 0;)
            bytes[at[i]] = before[i];
    }
    store_u64(check, e.check);
}

static void damaged_columns_are_corrupt(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer all = many_texts(&allocator);
    for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
        listing archive = pack_without_faults(level, (const char *)all.data, all.size / (level == 1 ? 30 : 5));
        uint8_t *payload = (uint8_t *)archive.text + 16 + 32;
        size_t size = (size_t)load_u64((const uint8_t *)archive.text + 24),
               head_size = load_u32((const uint8_t *)archive.text + 32);
        assert_int_equal(read_payload(payload, size, head_size), STAMMA_OK);
        damage_column(payload, size, head_size, COLUMN_LINES);
        damage_column(payload, size, head_size, COLUMN_LINE_SIZES);
        damage_column(payload, size, head_size, COLUMN_LINE_MOVES);
        damage_column(payload, size, head_size, COLUMN_COMMENTS);
        free(archive.text);
    }
    stamma_buffer_release(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(many_texts_come_back),
        cmocka_unit_test(games_by_number),
        cmocka_unit_test(damaged_columns_are_corrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
