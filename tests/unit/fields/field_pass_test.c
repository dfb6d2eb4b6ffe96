/* SPDX-License-Identifier: MIT */
/* Tests skipping texts of fields (clause 14): the texts after skipped texts equal the texts of sequential reading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fields/fields.h"

enum { GAMES = 240 };

static stamma_allocator allocator;
static uint32_t per_game[GAMES];
static byte_packer coder;
static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* Writes a text of game g that depends on the remaining time. */
typedef int write_text(char *text, size_t room, unsigned g, unsigned i, unsigned left);

static int write_clock(char *text, size_t room, unsigned g, unsigned i, unsigned left)
{
    (void)g;
    (void)i;
    return snprintf(text, room, "[%%clk 0:%02u:%02u]", left / 60 % 60, left % 60);
}

/* Writes words, other texts, and numbers that are predicted from one another, some of them large. */
static int write_engine(char *text, size_t room, unsigned g, unsigned i, unsigned left)
{
    unsigned depth = 10 + random_below(30), speed = 1000 + random_below(3);
    if (i % 11 == 5)
        return snprintf(text, room, "said %c%c in words", 'a' + (int)(g % 26), 'a' + (int)(i % 26));
    return snprintf(text, room, "d=%u, mt=%u, tl=%u, s=%u, n=%u, pv=e%u", depth, left * 7, left * 100000, speed,
                    left * 7 * speed / 1000, i % 8 + 1);
}

/* Writes alternating templates with two fields, one field or none. */
static int write_mixture(char *text, size_t room, unsigned g, unsigned i, unsigned left)
{
    if (g % 5 == 0)
        return snprintf(text, room, "book");
    if (i % 3 == 0 && g % 2 == 0)
        return snprintf(text, room, "[%%eval %s%u.%02u] [%%clk 0:%02u:%02u]", i % 2 ? "-" : "", left % 5, left % 97,
                        left / 60 % 60, left % 60);
    return write_clock(text, room, g, i, left);
}

static buffer column_of(write_text *write)
{
    buffer column = {.allocator = &allocator};
    random_state = 5;
    for (unsigned g = 0; g < GAMES; g++) {
        unsigned left[2] = {g % 3 == 0 ? 600 : 1800, g % 3 == 0 ? 600 : 1800};
        per_game[g] = g % 7 == 3 ? 0 : g % 7 == 4 ? random_below(6) : 60 + random_below(30);
        for (unsigned i = 0; i < per_game[g]; i++) {
            char text[120];
            left[i % 2] -= random_below(left[i % 2] / 12 + 1);
            left[i % 2] += i == 40 ? 1000 + 50 * g : 0; /* a value larger than one symbol */
            buffer_add(&column, text, (size_t)write(text, sizeof text, g, i, left[i % 2]) + 1);
        }
    }
    return column;
}

/* Alternately reads `read` games and skips `passed` games. Asserts that the read texts are right. */
static void demand_rest(field_column *f, const buffer *stored, const buffer *column, uint32_t read, uint32_t passed)
{
    buffer text = {.allocator = &allocator};
    const uint8_t *at = column->data;
    assert_int_equal(stamma_field_column_open(&coder, buffer_cursor(stored), column->size, &allocator, f), STAMMA_OK);
    for (uint32_t g = 0; g < GAMES; g++) {
        const uint8_t *begin = at;
        text.size = 0;
        for (uint32_t i = 0; i < per_game[g]; i++)
            at += strlen((const char *)at) + 1;
        if (g % (read + passed) >= read) {
            assert_int_equal(stamma_field_column_pass(f, g + 1, per_game[g]), STAMMA_OK);
            continue;
        }
        for (uint32_t i = 0; i < per_game[g]; i++)
            assert_int_equal(stamma_field_column_take(f, g + 1, &text), STAMMA_OK);
        assert_int_equal(text.size, at - begin);
        assert_true(text.size == 0 || memcmp(text.data, begin, text.size) == 0);
    }
    assert_true(stamma_field_column_is_done(f));
    stamma_buffer_release(&text);
}

/* Skipping all texts of truncated or changed columns ends with a result or an error. */
static void demand_no_harm(field_column *f, const buffer *stored, const buffer *column)
{
    buffer altered = {.allocator = &allocator};
    for (unsigned n = 0; n < 400; n++) {
        altered.size = 0;
        buffer_add(&altered, stored->data, n % 4 == 0 ? random_below((uint32_t)stored->size) : stored->size);
        if (altered.size > 0)
            altered.data[random_below((uint32_t)altered.size)] ^= (uint8_t)(1u << random_below(8));
        stamma_error error = stamma_field_column_open(&coder, buffer_cursor(&altered), column->size, &allocator, f);
        for (uint32_t g = 0; g < GAMES && error == STAMMA_OK; g++)
            error = stamma_field_column_pass(f, g + 1, per_game[g]);
    }
    stamma_buffer_release(&altered);
}

static void texts_after_skipped_ones_are_the_same(void **state)
{
    (void)state;
    write_text *const all[] = {write_clock, write_engine, write_mixture};
    field_packer packer = {.encoder = NULL};
    allocator = stamma_allocator_or_default(NULL);
    field_column *f = stamma_field_column_new(&allocator);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        bool pays;
        buffer column = column_of(all[k]), stored = {.allocator = &allocator};
        assert_int_equal(stamma_field_column_write(&packer, &column, per_game, GAMES, EFFORT_WORDS, &stored, &pays),
                         STAMMA_OK);
        assert_true(pays);
        demand_rest(f, &stored, &column, 1, 0);
        demand_rest(f, &stored, &column, 1, 1);
        demand_rest(f, &stored, &column, 1, 30);
        demand_rest(f, &stored, &column, 9, 2);
        demand_no_harm(f, &stored, &column);
        stamma_buffer_release(&column);
        stamma_buffer_release(&stored);
    }
    stamma_field_packer_release(&packer);
    stamma_byte_packer_release(&coder);
    stamma_field_column_release(f, &allocator);
}

/* Skips all games of a column whose texts have `plain_size` bytes. */
static stamma_error pass_all(field_column *f, const buffer *stored, uint64_t plain_size)
{
    stamma_error error = stamma_field_column_open(&coder, buffer_cursor(stored), plain_size, &allocator, f);
    for (uint32_t g = 0; g < GAMES && error == STAMMA_OK; g++)
        error = stamma_field_column_pass(f, g + 1, per_game[g]);
    return error;
}

/* Values may need no bits. Skipping must still stop with an error if the texts would exceed the size of the column,
 * in both ways of skipping. */
static void no_more_text_is_passed_than_there_is(void **state)
{
    (void)state;
    enum { CLOCK_LEAST = 9, ENGINE_LEAST = 20 }; /* "[%clk 0]" and its zero byte; fewer bytes than most texts have */
    write_text *const all[] = {write_clock, write_engine};
    field_packer packer = {.encoder = NULL};
    field_column *f = stamma_field_column_new(&allocator);
    for (size_t k = 0; k < 2; k++) {
        bool pays;
        uint64_t texts = 0;
        buffer column = column_of(all[k]), stored = {.allocator = &allocator};
        for (uint32_t g = 0; g < GAMES; g++)
            texts += per_game[g];
        uint64_t least = texts * (k == 0 ? CLOCK_LEAST : ENGINE_LEAST);
        assert_int_equal(stamma_field_column_write(&packer, &column, per_game, GAMES, EFFORT_WORDS, &stored, &pays),
                         STAMMA_OK);
        assert_int_equal(pass_all(f, &stored, column.size), STAMMA_OK);
        assert_int_equal(pass_all(f, &stored, least - 1), STAMMA_ERROR_CORRUPT);
        if (k == 0)
            assert_int_equal(pass_all(f, &stored, least), STAMMA_OK);
        stamma_buffer_release(&column);
        stamma_buffer_release(&stored);
    }
    stamma_field_packer_release(&packer);
    stamma_byte_packer_release(&coder);
    stamma_field_column_release(f, &allocator);
}

/* Asserts that both ways of skipping are tested: clocks of many games are coded by classes and can be read in any
 * order; an engine's numbers depend on one another. */
static void both_ways_are_gone(void **state)
{
    (void)state;
    field_packer packer = {.encoder = NULL};
    write_text *const all[] = {write_clock, write_engine};
    field_column *f = stamma_field_column_new(&allocator);
    for (size_t k = 0; k < 2; k++) {
        bool pays;
        buffer column = column_of(all[k]), stored = {.allocator = &allocator};
        assert_int_equal(stamma_field_column_write(&packer, &column, per_game, GAMES, EFFORT_WORDS, &stored, &pays),
                         STAMMA_OK);
        assert_int_equal(stamma_field_column_open(&coder, buffer_cursor(&stored), column.size, &allocator, f),
                         STAMMA_OK);
        assert_int_equal(f->reader.used[0].in_any_order, k == 0);
        assert_true(f->reader.streams.list[0].coded);
        stamma_buffer_release(&column);
        stamma_buffer_release(&stored);
    }
    stamma_field_packer_release(&packer);
    stamma_byte_packer_release(&coder);
    stamma_field_column_release(f, &allocator);
}

/* ---- hand-made streams ---- */

enum { TEMPLATES, NUMBERS, OTHERS, PARAMETERS, WORDS, TEXTS = 5 };

/* Skips TEXTS texts, the first `first` in a separate call. */
static bool pass_made(field_streams *in, size_t first, uint64_t left)
{
    field_reader *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_int_equal(stamma_field_reader_open(r, in, &allocator), STAMMA_OK);
    bool fine = stamma_field_reader_pass(r, 1, first, &left) && stamma_field_reader_pass(r, 1, TEXTS - first, &left);
    fine = fine && stamma_field_reader_is_done(r);
    stamma_field_reader_close(r);
    free(r);
    return fine;
}

/* Skipping ends where the streams end, in both ways of skipping. Words and the number of a template may be missing. */
static void passing_ends_with_the_streams(void **state)
{
    (void)state;
    enum { LITERALS = 130 };
    static const struct {
        const char *numbers, *words;
        size_t numbers_size, words_size;
        bool valid;
    } rows[] = {
        {"\1\1\1\1\1", "a\0b\0c\0d\0e", 5, 10, true},
        {"\1\1\1\1\1", "a\0b\0c\0d\0e", 5, 6, false}, /* two words are missing */
        {"\1\1\1\1\1", "a\0b\0c\0d\0e", 5, 9, false},
        {"\1\1\1\1", "a\0b\0c\0d\0e", 4, 10, false},
        {"\1\1\1\1\205\1", "a\0b\0c\0d", 6, 8, false}, /* there is no template 133 */
        {"\1\1\1\1\203\1", "a\0b\0c\0d", 6, 8, true},
        {"\205\1\1\1\1\1", "a\0b\0c\0d", 6, 8, false},
        {"\203\1\203\1\203\1\203\1\1", "a", 9, 2, true},
    };
    field_streams in;
    stamma_field_streams_init(&in, &allocator);
    in.count = 5;
    buffer_add(&in.streams[TEMPLATES], "\1w", 3);
    for (unsigned n = 0; n < LITERALS; n++)
        buffer_add(&in.streams[TEMPLATES], "literal", 8);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        for (size_t first = 0; first < 2; first++) {
            in.streams[NUMBERS].size = in.streams[WORDS].size = 0;
            buffer_add(&in.streams[NUMBERS], rows[n].numbers, rows[n].numbers_size);
            buffer_add(&in.streams[WORDS], rows[n].words, rows[n].words_size);
            if (pass_made(&in, 2 * first, 100) != rows[n].valid)
                fail_msg("row %zu, %zu first", n, 2 * first);
        }
    assert_false(pass_made(&in, 0, 4 * sizeof "literal")); /* the texts have more bytes */
    stamma_field_streams_release(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_after_skipped_ones_are_the_same), cmocka_unit_test(no_more_text_is_passed_than_there_is),
        cmocka_unit_test(both_ways_are_gone), cmocka_unit_test(passing_ends_with_the_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
