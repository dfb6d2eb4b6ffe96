/* Tests reading and passing columns of tag values (clause 11) made by hand: values of each kind of source, bytes that
 * no writer makes, columns that depend on others, and any allocation may fail. */
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

enum { COLUMNS = 4, NUMBERS = 8, RECORDS = 8, LITERAL = UINT16_MAX, OPENING_UNKNOWN = 999, STREAMS = 4 };
#define NOTHING 255, 255 /* no other columns as contexts */
#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* ---- columns made by hand ---- */

typedef struct made {
    size_t plan_size; /* 0: texts, stored */
    uint8_t plan[16]; /* 11.3, without classes */
    size_t count;
    uint32_t numbers[NUMBERS]; /* references, or folded residuals and LITERAL */
    const char *literals;      /* a semicolon after each */
    uint8_t context;           /* TAG_OTHER: if `other` has a level above 0, each symbol is 239 */
} made;

static stamma_allocator heap;

static void add_texts(buffer *out, const char *literals)
{
    for (const char *at = literals ? literals : ""; *at; at++)
        buffer_add_byte(out, *at == ';' ? 0 : (uint8_t)*at);
}

static void pack_column(const made *m, buffer *out)
{
    static const int efforts[STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    static const uint8_t tree[] = {1, 0, 0}, one_class[] = {0};
    const uint8_t contexts[] = {m->context, m->context, m->context};
    const bool by_other = m->context == TAG_OTHER;
    const buffer empty = {.allocator = &heap};
    buffer streams[STREAMS] = {empty, empty, empty, empty};
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
    assert_int_equal(stamma_streams_pack(&coder, streams, efforts, STREAMS, out), STAMMA_OK);
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
    stamma_error error = m->plan_size > 0 ? add_as(r, name, CODEC_TAGS, &stored, PLAIN_SIZE)
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

/* Columns, how records are read, and the values wanted. A record is `r` (read), `s` (read without its game) or `p`
 * (passed), and the columns that it has. */
typedef struct script {
    const char *what;
    made columns[COLUMNS];
    const char *records[RECORDS];
    unsigned openings[RECORDS]; /* OPENING_UNKNOWN: the look-up fails */
    const char *values;         /* a blank after each; `-` if there is none, `!` if it is corrupt */
    bool tolerant;
} script;

static stamma_error find_opening(void *context, uint64_t record, unsigned *opening)
{
    *opening = ((const script *)context)->openings[record];
    return *opening == OPENING_UNKNOWN ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

static stamma_error pass_record(const script *s, tag_reader *r, size_t n)
{
    const uint32_t plies = 30;
    tag_pass *t = stamma_tag_reader_begin_pass(r);
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    t->opened[0] = s->openings[n] != 0;
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

/* Returns OK if the values are those wanted, or NO_MEMORY. */
static stamma_error run(const script *s, tag_reader *r)
{
    listing out = {NULL, 0, 0};
    stamma_error error = STAMMA_OK;
    stamma_tag_reader_clear(r);
    r->tolerant = s->tolerant;
    for (size_t n = 0; n < COLUMNS && (s->columns[n].plan_size || s->columns[n].literals) && error == STAMMA_OK; n++)
        error = add_made(r, &s->columns[n]);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
    r->opening_of = (tag_openings){(void *)(uintptr_t)s, find_opening};
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
     .columns = {{.literals = "x;y;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;"}},
     .records = {"r01", "r01"},
     .values = "x xz y yz "},
    {.what = "a beginning with an empty text",
     .columns = {{.literals = ";"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 1}, ";"}},
     .records = {"r01"},
     .values = "  "},
    {.what = "a beginning that the record lacks",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;"}},
     .records = {"r1", "r01"},
     .values = "!"},
    {.what = "the same in a tolerant reader",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;"}},
     .records = {"r1", "r01"},
     .values = "- x xz ",
     .tolerant = true},
    {.what = "a beginning followed by a source",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 0}, "z;"}},
     .records = {"r01"},
     .values = "x !"},
    {.what = "a passed beginning",
     .columns = {{.literals = "x;y;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 4, {0, 1, 0, 2}, "z;"}},
     .records = {"p01", "r01"},
     .values = "y yz "},
    {.what = "a passed beginning followed by a source",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 0}, "z;"}},
     .records = {"p01"},
     .values = "!"},
    {.what = "a passed beginning followed by an invalid reference",
     .columns = {{.literals = "x;"}, {6, {0, 1, SOURCE_BEGIN, 0, NOTHING}, 2, {0, 9}, "z;"}},
     .records = {"p01"},
     .values = "!"},
    {.what = "a recall by a column",
     .columns = {{4, {0, 0, NOTHING}, 3, {0, 1, 1}, "a;"}, {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 3, {1, 0, 0}, "x;"}},
     .records = {"p01", "p01", "r01"},
     .values = "a x "},
    {.what = "a recall without an earlier value",
     .columns = {{4, {0, 0, NOTHING}, 1, {0}, "a;"}, {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 1, {0}}},
     .records = {"p01"},
     .values = "!"},
    {.what = "a recall without a key",
     .columns = {{4, {0, 0, NOTHING}, 1, {0}, "a;"}, {6, {0, 1, SOURCE_RECALL, 0, NOTHING}, 1, {0}}},
     .records = {"p1"},
     .values = "!"},
    {.what = "recalls by the opening, after passed records",
     .columns = {{6, {0, 1, SOURCE_RECALL, FACT_OPENING, NOTHING}, 8, {1, 1, 0, 0, 1, 0, 1, 0}, "x;y;z;w;"}},
     .records = {"p0", "p0", "r0", "r0", "r0", "r0", "r0", "r0"},
     .openings = {5, 6, 5, 6, 5, 5, 0, 0},
     .values = "x y z z w !"},
    {.what = "a recall by the opening of a game that cannot be read",
     .columns = {{6, {0, 1, SOURCE_RECALL, FACT_OPENING, NOTHING}, 2, {1, 0}, "x;"}},
     .records = {"p0", "r0"},
     .openings = {OPENING_UNKNOWN, 5},
     .values = "!"},
    {.what = "a recall by the opening or an equal value, after passed records and one that is read",
     .columns = {{4, {0, 0, NOTHING}, 4, {0, 1, 1, 1}, "a;"},
                 {8, {0, 2, SOURCE_EQUAL, 0, SOURCE_RECALL, FACT_OPENING, NOTHING}, 4, {2, 1, 2, 1}, "x;y;"}},
     .records = {"p01", "p01", "r01", "r01"},
     .openings = {5, 5, 6, 5},
     .values = "a y a x "},
    {.what = "a recall by the opening, and the final position",
     .columns = {{8, {0, 2, SOURCE_EQUAL, FACT_FEN, SOURCE_RECALL, FACT_OPENING, NOTHING}, 4, {2, 0, 1, 0}, "x;"}},
     .records = {"r0", "r0", "s0"},
     .openings = {5, 5, 5},
     .values = "x " START_FEN " !"}, /* forgotten, because this value has no index */
    {.what = "the final position of a game that is not read",
     .columns = {{8, {0, 2, SOURCE_EQUAL, FACT_FEN, SOURCE_RECALL, FACT_OPENING, NOTHING}, 2, {0, 0}, "x;"}},
     .records = {"s0", "r0"},
     .openings = {5, 5},
     .values = " " START_FEN " "},
    {.what = "numbers by a player and from another number",
     .columns = {{4, {0, 0, NOTHING}, 3, {0, 1, 1}, "a;"},
                 {7, {1, 1, 0, 255, 4, NOTHING}, 3, {4000, 0, 3}, NULL},
                 {7, {1, 1, 255, 1, 5, NOTHING}, 3, {2, LITERAL, 0}, "?;"}},
     .records = {"r012", "p012", "r012"},
     .values = "a 2000 2001 a 1998 1998 "},
    {.what = "the largest number",
     .columns = {{7, {1, 1, 64, 255, 4, NOTHING}, 2, {2 * TAG_NUMBER_MAX, 2}}},
     .records = {"r0", "r0"},
     .values = "16777216 !"},
    {.what = "a passed number that is too large",
     .columns = {{7, {1, 1, 64, 255, 4, NOTHING}, 2, {2 * TAG_NUMBER_MAX, 2}}},
     .records = {"p0", "p0"},
     .values = "!"},
    {.what = "a context of a column after this one",
     .columns = {{4, {0, 0, 1, 255}, 3, {0, 1, 1}, "x;", TAG_OTHER}, {4, {0, 0, NOTHING}, 3, {0, 1, 1}, "y;"}},
     .records = {"r01", "p01", "r01"},
     .values = "x y x y "},
    {.what = "a context of a column that the block does not have, but the block before",
     .columns = {{4, {0, 0, 1, 255}, 3, {0, 1, 1}, "x;", TAG_OTHER}},
     .records = {"r0", "r0", "r0"},
     .values = "x x x "},
    {.what = "passed records with a context of a column that the block does not have",
     .columns = {{4, {0, 0, 63, 63}, 3, {0, 1, 1}, "x;", TAG_OTHER}},
     .records = {"p0", "p0", "r0"},
     .values = "x "},
};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

/* One reader reads all, so a block must not affect later ones. */
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
    };
    return cmocka_run_group_tests(tests, make_heap, NULL);
}
