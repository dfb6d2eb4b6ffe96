/* SPDX-License-Identifier: MIT */
/* Tests reading and skipping hand-made columns of tag values (clause 15): values of each kind of source, bytes that no
 * writer makes, columns that depend on other columns, and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "tags/tags.h"

enum { COLUMNS = 4, NUMBERS = 8, RECORDS = 8, LITERAL = UINT16_MAX, STREAMS = 5 };
#define NOTHING 255, 255 /* no other columns as contexts */
#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* ---- hand-made columns ---- */

typedef struct made {
    size_t plan_size; /* 0: texts, stored */
    uint8_t plan[16]; /* 15.3, without classes */
    size_t count;
    uint32_t numbers[NUMBERS]; /* references, or folded residuals and LITERAL */
    const char *literals;      /* a semicolon after each */
    uint8_t context;           /* TAG_OTHER: if `other` has a level above 0, each symbol is 239 */
    const char *map;           /* codec 10: two digits for each entry, a step and a reference; NULL: codec 3 */
} made;

static stamma_allocator heap;

static void add_texts(buffer *out, const char *literals)
{
    for (const char *at = literals ? literals : ""; *at; at++)
        buffer_add_byte(out, *at == ';' ? 0 : (uint8_t)*at);
}

static void pack_column(const made *m, buffer *out)
{
    static const int efforts[STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    static const uint8_t tree[] = {1, 0, 0}, one_class[] = {0};
    const uint8_t contexts[] = {m->context, m->context, m->context};
    const bool by_other = m->context == TAG_OTHER;
    const buffer empty = {.allocator = &heap};
    buffer streams[STREAMS] = {empty, empty, empty, empty, empty};
    uint32_t counts[NUMBER_SYMBOLS] = {1}, other[NUMBER_SYMBOLS] = {[NUMBER_LITERAL] = 1};
    classed_symbol list[NUMBERS];
    number_frequencies f[2];
    number_sink sink = {.bits = empty};
    byte_packer coder = {.partial = false};
    for (size_t i = 0; i < m->count; i++) {
        unsigned bits = 0, symbol = NUMBER_LITERAL;
        if (m->numbers[i] != LITERAL)
            symbol = number_symbol(m->numbers[i], m->plan[0] & 1 ? RESIDUAL_DIRECT : REFERENCE_DIRECT, &bits);
        assert_true(bits == 0 || stamma_number_put_bits(&sink, m->numbers[i], bits));
        counts[symbol]++;
        list[i] = (classed_symbol){(uint8_t)symbol, 0};
    }
    stamma_number_scale(counts, &f[0]);
    stamma_number_scale(other, &f[1]);
    buffer_add(&streams[0], m->plan, m->plan_size);
    buffer_add(&streams[0], contexts, sizeof contexts);
    buffer_add(&streams[0], by_other ? tree : one_class, by_other ? sizeof tree : sizeof one_class);
    for (unsigned n = 0; n <= by_other; n++)
        stamma_number_write_frequencies(&f[n], &streams[0]);
    assert_true(stamma_number_code(list, m->count, f, &streams[1]));
    streams[2] = sink.bits;
    add_texts(&streams[3], m->literals);
    for (const char *at = m->map ? m->map : ""; *at; at++)
        buffer_add_byte(&streams[4], (uint8_t)(*at - '0'));
    assert_int_equal(stamma_streams_pack(&coder, streams, efforts, m->map ? STREAMS : STREAMS - 1, out), STAMMA_OK);
    for (size_t i = 0; i < STREAMS; i++)
        stamma_buffer_release(&streams[i]);
    stamma_byte_packer_release(&coder);
}

static stamma_error add_as(tag_reader *r, const char *name, unsigned codec, const buffer *stored, uint64_t plain_size)
{
    byte_packer coder = {.partial = false};
    stamma_error error =
        stamma_tag_reader_add(r, &coder, (stamma_text){name, strlen(name)}, codec, buffer_cursor(stored), plain_size);
    stamma_byte_packer_release(&coder);
    return error;
}

static stamma_error add_named(tag_reader *r, const char *name, const made *m)
{
    enum { PLAIN_SIZE = 200 };
    buffer stored = {.allocator = &heap};
    if (m->plan_size > 0)
        pack_column(m, &stored);
    else
        add_texts(&stored, m->literals);
    stamma_error error = m->plan_size > 0 ? add_as(r, name, m->map ? CODEC_MAPPED : CODEC_TAGS, &stored, PLAIN_SIZE)
                                          : add_as(r, name, CODEC_STORED, &stored, stored.size);
    stamma_buffer_release(&stored);
    return error;
}

static stamma_error add_made(tag_reader *r, const made *m)
{
    char name[] = {(char)('A' + r->count), 0};
    return add_named(r, name, m);
}

/* ---- scripts ---- */

/* Columns, how their records are read, and the expected values. A record is `r` (read), `s` (read without its game) or
 * `p` (passed), and the columns that it has. */
typedef struct script {
    const char *what;
    made columns[COLUMNS];
    const char *records[RECORDS];
    unsigned openings[RECORDS];
    const char *values; /* a blank after each; `-`: no value, `!`: corrupt */
    bool tolerant;
} script;

static stamma_error pass_record(const script *s, tag_reader *r, size_t n)
{
    const uint32_t plies = 30;
    tag_pass *t = stamma_tag_reader_begin_pass(r);
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    for (const char *c = s->records[n] + 1; *c; c++)
        t->has[*c - '0'][0] = 1;
    return stamma_tag_reader_pass(r, &plies, 1);
}

static stamma_error read_record(const script *s, tag_reader *r, size_t n, listing *out)
{
    const stamma_position end = stamma_position_start();
    stamma_tag_reader_begin(r, 30);
    for (const char *c = s->records[n] + 1; *c; c++) {
        const size_t column = (size_t)(*c - '0');
        stamma_text value;
        if (column >= r->post_game)
            stamma_tag_reader_play(r, s->openings[n], s->records[n][0] == 'r' ? &end : NULL);
        if (!stamma_tag_reader_take(r, column, &value))
            return r->no_memory ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
        if (value.data)
            list_format(out, "%.*s ", (int)value.size, value.data);
        else
            list_word(out, "- ");
    }
    return STAMMA_OK;
}

/* Returns OK if the values are the expected values, otherwise NO_MEMORY. */
static stamma_error run(const script *s, tag_reader *r)
{
    listing out = {NULL, 0, 0};
    stamma_error error = STAMMA_OK;
    stamma_tag_reader_clear(r);
    r->tolerant = s->tolerant;
    for (size_t n = 0; n < COLUMNS && (s->columns[n].plan_size || s->columns[n].literals) && error == STAMMA_OK; n++)
        error = add_made(r, &s->columns[n]);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
    for (size_t n = 0; n < RECORDS && s->records[n] && error == STAMMA_OK; n++) {
        assert_true(s->records[n][0] != 'p' || stamma_tag_reader_can_pass(r));
        error = s->records[n][0] == 'p' ? pass_record(s, r, n) : read_record(s, r, n, &out);
    }
    if (error == STAMMA_ERROR_CORRUPT)
        list_word(&out, "!");
    if (error != STAMMA_ERROR_NO_MEMORY && strcmp(out.text ? out.text : "", s->values) != 0)
        fail_msg("%s: %s", s->what, out.text);
    free(out.text);
    return error == STAMMA_ERROR_CORRUPT ? STAMMA_OK : error;
}

static const script scripts[] = {
    {.what = "a literal, and a beginning with a literal and with a reference",
     .columns = {{.literals = "x;y;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;", 0, NULL}},
     .records = {"r01", "r01"},
     .values = "x xz y yz "},
    {.what = "a beginning with an empty text",
     .columns = {{.literals = ";"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 1}, ";", 0, NULL}},
     .records = {"r01"},
     .values = "  "},
    {.what = "a beginning that the record lacks",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;", 0, NULL}},
     .records = {"r1", "r01"},
     .values = "!"},
    {.what = "the same in a tolerant reader",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;", 0, NULL}},
     .records = {"r1", "r01"},
     .values = "- x xz ",
     .tolerant = true},
    {.what = "a beginning followed by a source",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 0}, "z;", 0, NULL}},
     .records = {"r01"},
     .values = "x !"},
    {.what = "a passed beginning",
     .columns = {{.literals = "x;y;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;", 0, NULL}},
     .records = {"p01", "r01"},
     .values = "y yz "},
    {.what = "a passed beginning followed by a source",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 0}, "z;", 0, NULL}},
     .records = {"p01"},
     .values = "!"},
    {.what = "a passed beginning followed by an invalid reference",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 9}, "z;", 0, NULL}},
     .records = {"p01"},
     .values = "!"},
    {.what = "a recall by a column",
     .columns = {{4, {0, 0, NOTHING}, 3, {0, 1, 1}, "a;", 0, NULL},
                 {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 3, {1, 0, 0}, "x;", 0, NULL}},
     .records = {"p01", "p01", "r01"},
     .values = "a x "},
    {.what = "a recall without an earlier value",
     .columns = {{4, {0, 0, NOTHING}, 1, {0}, "a;", 0, NULL},
                 {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 1, {0}, NULL, 0, NULL}},
     .records = {"p01"},
     .values = "!"},
    {.what = "a recall without a key",
     .columns = {{4, {0, 0, NOTHING}, 1, {0}, "a;", 0, NULL},
                 {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 1, {0}, NULL, 0, NULL}},
     .records = {"p1"},
     .values = "!"},
    {.what = "recalls by the opening, after passed records",
     .columns = {{6, {0, 1, SOURCE_RECALL, FACT_OPENING, NOTHING}, 8, {1, 1, 0, 0, 1, 0, 1, 0}, "x;y;z;w;", 0, NULL}},
     .records = {"r0", "r0", "r0", "r0", "r0", "r0", "r0", "r0"},
     .openings = {5, 6, 5, 6, 5, 5, 0, 0},
     .values = "x y x y z z w !"},
    {.what = "a map, after passed records",
     .columns = {{6, {0, 1, SOURCE_MAP, FACT_OPENING, NOTHING}, 6, {0, 1, 0, 2, 0, 0}, "m;n;x;", 0, "502011"}},
     .records = {"p0", "p0", "r0", "r0", "s0", "r0"},
     .openings = {7, 7, 5, 5, 7, 6},
     .values = "m x  !"},
    {.what = "a map by indices, and a literal as the key of another column",
     .columns = {{6, {4, 1, SOURCE_MAP, FACT_OPENING, NOTHING}, 5, {0, 2, 1, 0, 2}, "m;x;", 0, "9041"},
                 {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 5, {1, 2, 1, 1, 0}, "a;b;c;", 0, NULL}},
     .records = {"r01", "r01", "r01", "r01", "r01"},
     .openings = {13, 9, 5, 9, 5},
     .values = "m a m a x b m c m a "}, /* the text of a map is no key */
    {.what = "a recall by the opening or an equal value",
     .columns = {{4, {0, 0, NOTHING}, 4, {0, 1, 1, 1}, "a;", 0, NULL},
                 {8, {0, 2, SOURCE_EQUAL, 0, SOURCE_RECALL, FACT_OPENING, NOTHING}, 4, {2, 1, 2, 1}, "x;y;", 0, NULL}},
     .records = {"r01", "r01", "r01", "r01"},
     .openings = {5, 5, 6, 5},
     .values = "a x a x a y a x "},
    {.what = "a recall by the opening, and the final position",
     .columns =
         {{8, {0, 2, SOURCE_EQUAL, FACT_FEN, SOURCE_RECALL, FACT_OPENING, NOTHING}, 4, {2, 0, 1, 0}, "x;", 0, NULL}},
     .records = {"r0", "r0", "s0"},
     .openings = {5, 5, 5},
     .values = "x " START_FEN " !"}, /* not remembered, because this value has no index */
    {.what = "the final position of a game that is not read",
     .columns = {{8, {0, 2, SOURCE_EQUAL, FACT_FEN, SOURCE_RECALL, FACT_OPENING, NOTHING}, 2, {0, 0}, "x;", 0, NULL}},
     .records = {"s0", "r0"},
     .openings = {5, 5},
     .values = " " START_FEN " "},
    {.what = "numbers by a player and from another number",
     .columns = {{4, {0, 0, NOTHING}, 3, {0, 1, 1}, "a;", 0, NULL},
                 {7, {1, 1, 0, 255, 4, NOTHING}, 3, {4000, 0, 3}, NULL, 0, NULL},
                 {7, {1, 1, 255, 1, 5, NOTHING}, 3, {2, LITERAL, 0}, "?;", 0, NULL}},
     .records = {"r012", "p012", "r012"},
     .values = "a 2000 2001 a 1998 1998 "},
    {.what = "the largest number",
     .columns = {{7, {1, 1, 64, 255, 4, NOTHING}, 2, {2 * TAG_NUMBER_MAX, 2}, NULL, 0, NULL}},
     .records = {"r0", "r0"},
     .values = "16777216 !"},
    {.what = "a passed number that is too large",
     .columns = {{7, {1, 1, 64, 255, 4, NOTHING}, 2, {2 * TAG_NUMBER_MAX, 2}, NULL, 0, NULL}},
     .records = {"p0", "p0"},
     .values = "!"},
    {.what = "a context of a column after this one",
     .columns = {{4, {0, 0, 1, 255}, 3, {0, 1, 1}, "x;", TAG_OTHER, NULL},
                 {4, {0, 0, NOTHING}, 3, {0, 1, 1}, "y;", 0, NULL}},
     .records = {"r01", "p01", "r01"},
     .values = "x y x y "},
    {.what = "a context of a column that the block does not have, but the block before",
     .columns = {{4, {0, 0, 1, 255}, 3, {0, 1, 1}, "x;", TAG_OTHER, NULL}},
     .records = {"r0", "r0", "r0"},
     .values = "x x x "},
    {.what = "passed records with a context of a column that the block does not have",
     .columns = {{4, {0, 0, 63, 63}, 3, {0, 1, 1}, "x;", TAG_OTHER, NULL}},
     .records = {"p0", "p0", "r0"},
     .values = "x "},
};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

/* One reader reads all scripts, so a block must not affect later blocks. */
static void values_are_those_wanted(void **state)
{
    (void)state;
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (size_t n = 0; n < SCRIPTS; n++)
        assert_int_equal(run(&scripts[n], &r), STAMMA_OK);
    stamma_tag_reader_release(&r);
}

/* New memory contains bytes that are not 0. */
static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    for (size_t n = 0; n < SCRIPTS; n++) {
        unsigned failed = 0;
        for (unsigned at = 1; failed + 1 == at; at++) {
            failing_memory memory = {.fail_at = at};
            const stamma_allocator allocator = failing_allocator(&memory);
            tag_reader r;
            stamma_tag_reader_init(&r, &allocator);
            failed += run(&scripts[n], &r) != STAMMA_OK;
            stamma_tag_reader_release(&r);
            assert_int_equal(memory.alive, 0);
        }
        assert_true(failed > 3);
    }
}

/* ---- columns that depend on others ---- */

static const made texts = {.literals = "x;"};
static const made coded = {4, {0, 0, NOTHING}, 1, {0}, "x;", 0, NULL};
static const made shares = {4, {2, 0, NOTHING}, 1, {0}, "x;", 0, NULL};
static const made by_opening = {6, {0, 1, SOURCE_RECALL, FACT_OPENING, NOTHING}, 1, {1}, "x;", 0, NULL};
static const made by_first = {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 1, {1}, "x;", 0, NULL};
static const made equals_first = {6, {0, 1, SOURCE_EQUAL, 0, NOTHING}, 1, {1}, "x;", 0, NULL};
static const made begins_first = {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 1, {1}, "x;", 0, NULL};
static const made by_both = {8, {0, 2, SOURCE_RECALL, 0, SOURCE_RECALL, FACT_OPENING, NOTHING}, 1, {2}, "x;", 0, NULL};
static const made shares_opening = {6, {2, 1, SOURCE_RECALL, FACT_OPENING, NOTHING}, 1, {1}, "x;", 0, NULL};
static const made end_fields = {6, {0, 1, SOURCE_EQUAL, FACT_FEN_FIELDS, NOTHING}, 1, {1}, "x;", 0, NULL};
static const made plies = {6, {0, 1, SOURCE_EQUAL, FACT_PLIES, NOTHING}, 1, {1}, "x;", 0, NULL};
static const made numbers = {4, {1, 0, NOTHING}, 1, {0}, NULL, 0, NULL};
static const made number_by_first = {7, {1, 1, 0, 255, 4, NOTHING}, 1, {0}, NULL, 0, NULL};
static const made number_from_first = {10, {1, 2, 255, 0, 5, 255, 0, 5, NOTHING}, 1, {0}, NULL, 0, NULL};
static const made by_plies = {4, {0, 0, NOTHING}, 1, {0}, "x;", TAG_GAME, NULL};
static const made in_context_of_first = {4, {0, 0, 255, 0}, 1, {0}, "x;", 0, NULL};
static const made in_context_of_none = {4, {0, 0, 63, 255}, 1, {0}, "x;", 0, NULL};

static const made mapped = {6, {0, 1, SOURCE_MAP, FACT_OPENING, NOTHING}, 1, {0}, "x;", 0, "50"};

/* Records cannot be skipped if a value is recalled by the opening. */
static void some_columns_cannot_be_passed(void **state)
{
    (void)state;
    static const struct {
        const made *columns[3];
        bool can;
    } rows[] = {
        {{&coded, &by_first, &number_by_first}, true},
        {{&texts, &by_opening, &texts}, false},
        {{&coded, &by_opening, &shares}, false},
        {{&coded, &shares_opening}, false},
        {{&coded, &by_both}, false},
        {{&mapped, &texts, &equals_first}, true},
        {{&mapped, &by_first, &begins_first}, true},
    };
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        stamma_tag_reader_clear(&r);
        for (size_t i = 0; i < 3 && rows[n].columns[i]; i++)
            assert_int_equal(add_made(&r, rows[n].columns[i]), STAMMA_OK);
        if (stamma_tag_reader_can_pass(&r) != rows[n].can)
            fail_msg("row %zu", n);
    }
    stamma_tag_reader_release(&r);
}

/* Adds the columns that the letters of `what` describe: hand-made columns (`c`), columns in codec 8 (`m`, and `s`,
 * which shares), lost columns of these codecs (`0`, `3`, `8`), and a damaged hand-made column that can be decoded
 * (`d`). */
static void add_columns(tag_reader *r, const char *what, const made *const list[COLUMNS])
{
    static const uint8_t mixed[] = {MIXED_SLOT_BITS_MIN, 1, 0, 2, 3, 4}, shared[] = {0, 0, 1, 2, 3, 4};
    for (; *what; r->columns[r->count - 1].lost |= *what++ == 'd') {
        const char name[] = {(char)('A' + r->count), 0};
        const uint8_t *bytes = *what == 's' ? shared : mixed;
        const buffer stored = {.data = (uint8_t *)(uintptr_t)bytes, .size = sizeof mixed};
        if (*what == 'm' || *what == 's')
            assert_int_equal(add_as(r, name, CODEC_MIXED, &stored, 9), STAMMA_OK);
        else if (*what == 'c' || *what == 'd')
            assert_int_equal(add_made(r, *list++), STAMMA_OK);
        else
            assert_int_equal(stamma_tag_reader_add_lost(r, (stamma_text){name, 1}, (unsigned)(*what - '0')), STAMMA_OK);
    }
}

/* Columns that need a lost column are lost, and so are columns that learnt from its texts. */
static void columns_are_lost_with_others(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const made *columns[COLUMNS];
        bool facts, plies;
        const char *lost;
    } rows[] = {
        {"0cc", {&coded, &equals_first}, false, false, "101"},
        {"0cc", {&number_by_first, &in_context_of_none}, false, false, "110"},
        {"0cc", {&number_from_first, &in_context_of_first}, false, false, "111"},
        {"ccc", {&numbers, &number_from_first, &texts}, false, false, "000"},
        {"3cc", {&coded, &texts}, false, false, "100"},
        {"c3c", {&coded, &coded}, false, false, "110"}, /* the lost column may have shared */
        {"c8c", {&coded, &coded}, false, false, "010"}, /* codecs do not share */
        {"c0c", {&coded, &coded}, false, false, "010"},
        {"c3c", {&texts, &coded}, false, false, "010"},
        {"cm3", {&texts}, false, false, "001"},
        {"cm8", {&texts}, false, false, "011"},
        {"0ms", {NULL}, false, false, "111"},
        {"cms", {&texts}, false, false, "000"},
        {"0cc", {&equals_first, &shares}, false, false, "111"},
        {"cd", {&coded, &shares}, false, false, "11"},
        {"cd", {&coded, &coded}, false, false, "01"},
        {"cc", {&coded, &by_plies}, true, false, "00"},
        {"cc", {&coded, &by_plies}, true, true, "01"},
        {"cccc", {&texts, &plies, &by_opening, &coded}, false, false, "0000"},
        {"cccc", {&texts, &plies, &by_opening, &coded}, true, false, "0110"},
        {"cccc", {&texts, &plies, &by_opening, &coded}, true, true, "0110"},
    };
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        stamma_tag_reader_clear(&r);
        add_columns(&r, rows[n].what, rows[n].columns);
        stamma_tag_reader_lose(&r, rows[n].facts, rows[n].plies);
        for (size_t i = 0; i < r.count; i++)
            if (r.columns[i].lost != (rows[n].lost[i] == '1'))
                fail_msg("row %zu, column %zu", n, i);
    }
    stamma_tag_reader_release(&r);
}

/* The columns that must be read to read the second column. */
static void needs_of_columns(void **state)
{
    (void)state;
    static const struct {
        const made *columns[3];
        const char *needed;
        tag_need need;
    } rows[] = {
        {{&coded, &equals_first, &coded}, "110", TAG_NEEDS_NOTHING},
        {{&numbers, &number_from_first, &coded}, "110", TAG_NEEDS_NOTHING},
        {{&coded, &in_context_of_first, &coded}, "110", TAG_NEEDS_NOTHING},
        {{&coded, &coded, &shares}, "011", TAG_NEEDS_NOTHING},
        {{&coded, &shares, &texts}, "110", TAG_NEEDS_NOTHING},
        {{&coded, &by_opening, &coded}, "010", TAG_NEEDS_OPENING},
        {{&coded, &end_fields, &by_opening}, "010", TAG_NEEDS_END},
        {{&coded, &plies, &end_fields}, "010", TAG_NEEDS_OPENING},
        {{&end_fields, &equals_first, &coded}, "110", TAG_NEEDS_END},
    };
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint8_t needed[TAG_COLUMNS_MAX] = {0};
        stamma_tag_reader_clear(&r);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(add_made(&r, rows[n].columns[i]), STAMMA_OK);
        assert_int_equal(stamma_tag_reader_need(&r, 1, needed), rows[n].need);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(needed[i], rows[n].needed[i] == '1');
    }
    stamma_tag_reader_release(&r);
}

/* A column can only share with an earlier column of the same kind. */
static void columns_share_only_with_their_kind(void **state)
{
    (void)state;
    static const made plain = {.literals = "x;"}, indexed = {4, {4, 0, NOTHING}, 1, {0}, "x;", 0, NULL},
                      shared_numbers = {4, {3, 0, NOTHING}, 1, {0}, NULL, 0, NULL};
    static const struct {
        const made *columns[2];
        stamma_error error;
    } rows[] = {
        {{&coded, &shares}, STAMMA_OK},
        {{&plain, &shares}, STAMMA_ERROR_CORRUPT},
        {{&indexed, &shares}, STAMMA_ERROR_CORRUPT},
        {{&coded, &shared_numbers}, STAMMA_ERROR_CORRUPT},
        {{&numbers, &shared_numbers}, STAMMA_OK},
        {{&equals_first, NULL}, STAMMA_ERROR_CORRUPT},
        {{&shares, NULL}, STAMMA_ERROR_CORRUPT},
        {{&number_from_first, NULL}, STAMMA_ERROR_CORRUPT},
    };
    static const uint8_t mixed[] = {MIXED_SLOT_BITS_MIN, 0, 1, 2, 3, 4}, shared[] = {0, 0, 1, 2, 3, 4};
    const buffer first = {.data = (uint8_t *)(uintptr_t)mixed, .size = sizeof mixed},
                 second = {.data = (uint8_t *)(uintptr_t)shared, .size = sizeof shared};
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        stamma_error error = STAMMA_OK;
        stamma_tag_reader_clear(&r);
        for (size_t i = 0; i < 2 && rows[n].columns[i] && error == STAMMA_OK; i++)
            error = add_made(&r, rows[n].columns[i]);
        assert_int_equal(error, rows[n].error);
    }
    stamma_tag_reader_clear(&r);
    assert_int_equal(add_made(&r, &coded), STAMMA_OK);
    assert_int_equal(add_as(&r, "First", CODEC_MIXED, &second, 9), STAMMA_ERROR_CORRUPT);
    stamma_tag_reader_clear(&r);
    assert_int_equal(add_as(&r, "First", CODEC_MIXED, &first, 9), STAMMA_OK);
    assert_int_equal(add_as(&r, "Second", CODEC_MIXED, &second, 9), STAMMA_OK);
    assert_int_equal(add_as(&r, "Third", CODEC_MIXED, &second, 9), STAMMA_ERROR_CORRUPT);
    stamma_tag_reader_release(&r);
}

/* The position at the beginning is needed before the moves. The rejected column is not counted. */
static void fen_is_before_the_moves(void **state)
{
    (void)state;
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    stamma_tag_reader_clear(&r);
    assert_int_equal(add_made(&r, &texts), STAMMA_OK);
    assert_int_equal(add_named(&r, "FEN", &texts), STAMMA_OK);
    stamma_tag_reader_clear(&r);
    assert_int_equal(add_made(&r, &plies), STAMMA_OK);
    assert_int_equal(add_named(&r, "FEN", &texts), STAMMA_ERROR_CORRUPT);
    assert_int_equal(r.count, 1);
    assert_int_equal(stamma_tag_reader_add_lost(&r, (stamma_text){"FEN", 3}, CODEC_STORED), STAMMA_OK);
    assert_int_equal(r.count, 2);
    assert_int_equal(add_named(&r, "FEN", &texts), STAMMA_ERROR_CORRUPT);
    stamma_tag_reader_release(&r);
}

/* Fields in the mixed coder, which writers use only for comments, are decoded at once. */
static void fields_of_tags_may_be_mixed(void **state)
{
    (void)state;
    enum { VALUES = 9000 };
    field_packer packer = {.mixes = true};
    buffer plain = {.allocator = &heap}, stored = {.allocator = &heap};
    uint32_t *per_game = malloc(VALUES * sizeof *per_game);
    unsigned last = 0;
    bool pays;
    tag_reader r;
    stamma_text value;
    assert_non_null(per_game);
    for (unsigned n = 0; n < VALUES; n++) {
        char text[32];
        last = random_below(4) == 0 ? (unsigned)random_below(29) : 3 * last % 29;
        int size = snprintf(text, sizeof text, "[%%clk 0:00:%02u]", last);
        buffer_add(&plain, text, (size_t)size + 1);
        per_game[n] = 1;
    }
    assert_int_equal(stamma_field_column_write(&packer, &plain, per_game, VALUES, EFFORT_WORDS, &stored, &pays),
                     STAMMA_OK);
    stamma_tag_reader_init(&r, &heap);
    stamma_tag_reader_clear(&r);
    assert_int_equal(add_as(&r, "Clock", CODEC_FIELDS, &stored, plain.size), STAMMA_OK);
    assert_false(r.columns[0].later); /* they are mixed */
    assert_true(stamma_tag_reader_can_pass(&r));
    cursor wanted = buffer_cursor(&plain);
    for (unsigned n = 0; n < VALUES; n++) {
        stamma_tag_reader_begin(&r, 0);
        assert_true(stamma_tag_reader_take(&r, 0, &value));
        assert_true(text_equal(value, cursor_text(&wanted)));
    }
    assert_true(stamma_tag_reader_is_done(&r, false));
    stamma_tag_reader_release(&r);
    stamma_field_packer_release(&packer);
    stamma_buffer_release(&plain);
    stamma_buffer_release(&stored);
    free(per_game);
}

static void a_lost_column_needs_memory(void **state)
{
    (void)state;
    for (unsigned at = 1; at <= 2; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        tag_reader r;
        stamma_tag_reader_init(&r, &allocator);
        stamma_tag_reader_clear(&r);
        assert_int_equal(stamma_tag_reader_add_lost(&r, (stamma_text){"Event", 5}, CODEC_TAGS), STAMMA_ERROR_NO_MEMORY);
        stamma_tag_reader_release(&r);
        assert_int_equal(memory.alive, 0);
    }
}

static int make_heap(void **state)
{
    (void)state;
    heap = stamma_allocator_or_default(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_wanted),
        cmocka_unit_test(memory_may_fail_at_any_call),
        cmocka_unit_test(some_columns_cannot_be_passed),
        cmocka_unit_test(columns_are_lost_with_others),
        cmocka_unit_test(needs_of_columns),
        cmocka_unit_test(columns_share_only_with_their_kind),
        cmocka_unit_test(fen_is_before_the_moves),
        cmocka_unit_test(fields_of_tags_may_be_mixed),
        cmocka_unit_test(a_lost_column_needs_memory),
    };
    return cmocka_run_group_tests(tests, make_heap, NULL);
}
