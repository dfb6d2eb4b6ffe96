/* SPDX-License-Identifier: MIT */
/* Tests the choices of the writer of tag columns at its limits: columns without some of their usual partners, codecs
 * that would be too long or too slow, and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "allocation.h"
#include "tag_block.h"

static stamma_allocator heap;

static int make_heap(void **state)
{
    (void)state;
    heap = stamma_allocator_or_default(NULL);
    return 0;
}

static void set_format(size_t column, size_t record, const char *format, unsigned number)
{
    char text[200];
    snprintf(text, sizeof text, format, number);
    set_value(column, record, text);
}

/* Sets ratings near the ratings of the previous record. */
static void set_ratings(size_t white, size_t black)
{
    int rating = 2000;
    for (size_t r = 0; r < block.records; r++) {
        rating += (int)block_random(5) - 2;
        set_number(white, r, rating, false);
        set_number(black, r, rating + (int)block_random(3), false);
    }
}

/* ---- numbers ---- */

/* Ratings are predicted from each other if there are no players, and if only one player is known. The player of one
 * colour is then between the ratings. */
static void ratings_without_players(void **state)
{
    (void)state;
    for (unsigned known = 0; known < 2; known++) {
        begin_block(2000);
        size_t white = add_column("WhiteElo"), black = add_column("BlackElo");
        size_t player = known ? add_column("Black") : 0;
        for (size_t r = 0; r < block.records && known; r++)
            set_format(player, r, "Player %u", block_random(40));
        set_ratings(white, black);
        demand_round_trip();
        assert_int_equal(codec_of(white), CODEC_TAGS);
        assert_int_equal(codec_of(black), CODEC_TAGS);
        assert_true(size_of(white) < 800); /* 2.3 bits each */
        release_block();
    }
}

/* ---- texts ---- */

/* The values that are tried first begin with another column's value, but few other values do. */
static void beginnings_that_are_rare(void **state)
{
    (void)state;
    enum { RECORDS = 2048, TRIED = 16 };
    begin_block(RECORDS);
    size_t first = add_column("First"), second = add_column("Second");
    for (size_t r = 0; r < RECORDS; r++) {
        set_value(first, r, "a");
        set_format(second, r, r % (RECORDS / TRIED) == 0 ? "a%u" : "b%u", block_random(500));
    }
    demand_round_trip();
    release_block();
}

/* A value has at most four sources. */
static void values_of_many_columns(void **state)
{
    (void)state;
    enum { RECORDS = 2000, OTHERS = 6, SOURCES = 4 };
    static const char *const names[OTHERS] = {"A", "B", "C", "D", "E", "F"};
    begin_block(RECORDS);
    for (size_t c = 0; c < OTHERS; c++)
        add_column(names[c]);
    size_t column = add_column("Any");
    for (size_t r = 0; r < RECORDS; r++) {
        unsigned values[OTHERS];
        for (size_t c = 0; c < OTHERS; c++)
            set_format(c, r, "%u", values[c] = block_random(1000) * 7919);
        set_format(column, r, "%u", values[block_random(OTHERS)]);
    }
    demand_round_trip();
    assert_int_equal(block.table.plans[column].source_count, SOURCES);
    release_block();
}

/* A column that is derived from the opening, and a column that is derived from this column, are read after the
 * moves. */
static void values_that_follow_from_openings(void **state)
{
    (void)state;
    begin_block(1000);
    size_t first = add_column("Code"), second = add_column("Variation");
    for (size_t r = 0; r < block.records; r++) {
        char text[40];
        block.games[r].opening = 1 + block_random(OPENINGS);
        stamma_text code = stamma_game_text(&block.games[r], FACT_CODE, NULL);
        snprintf(text, sizeof text, "%.*s", (int)code.size, code.data);
        set_value(first, r, text);
        snprintf(text, sizeof text, "%.*s %u", (int)code.size, code.data, block_random(9));
        set_value(second, r, text);
    }
    demand_round_trip();
    assert_true(size_of(first) < 60);
    assert_true(size_of(second) < 600); /* three bits each */
    release_block();
}

/* ---- spelt texts ---- */

/* Adds a pair of teams, out of `teams` teams. */
static void add_teams(unsigned teams)
{
    static const char *const names[] = {"WhiteTeam", "BlackTeam"};
    for (unsigned side = 0; side < 2; side++) {
        const size_t column = add_column(names[side]);
        for (size_t r = 0; r < block.records; r++)
            set_format(column, r, "Club of %u", block_random(teams) * 104729);
    }
}

/* The texts of both columns are spelt in the first. Few texts are not spelt. */
static void texts_of_two_columns(void **state)
{
    (void)state;
    for (unsigned few = 0; few < 2; few++) {
        begin_block(3000);
        block.spells = true;
        add_teams(few ? 3 : 900);
        demand_round_trip();
        assert_int_equal(written_in(CODEC_MAPPED), few ? 0 : 2);
        release_block();
    }
}

/* ---- missing memory ---- */

/* Writes the block that was begun. */
static stamma_error write_columns(trial *t)
{
    stamma_error error = write_block_with(t->allocator);
    for (size_t n = 0; n < block.written && error == STAMMA_OK; n++) {
        list_format(&t->result, "%u ", block.codecs[n]);
        list_bytes(&t->result, (const char *)block.stored[n].data, block.stored[n].size);
    }
    return error;
}

/* Fails each allocation in turn. The columns written without failure are always the same. */
static void fail_each_call(void)
{
    unsigned failed = 0;
    trial whole = {.allocator = &heap};
    assert_int_equal(write_columns(&whole), STAMMA_OK);
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        trial t = {.allocator = &allocator};
        stamma_error error = write_columns(&t);
        failed += error == STAMMA_ERROR_NO_MEMORY;
        assert_true(error == STAMMA_ERROR_NO_MEMORY || t.result.size == whole.result.size);
        assert_true(error != STAMMA_OK || memcmp(t.result.text, whole.result.text, t.result.size) == 0);
        assert_int_equal(memory.alive, 0);
        free(t.result.text);
    }
    assert_true(failed > 30);
    free(whole.result.text);
}

/* The bits after symbols grow while numbers are coded. They are then stored as texts, which are shorter. */
static void memory_for_numbers(void **state)
{
    (void)state;
    begin_block(200);
    size_t white = add_column("WhiteElo"), black = add_column("BlackElo");
    for (size_t r = 0; r < block.records; r++) {
        set_number(white, r, (int)block_random(3000), false);
        set_number(black, r, (int)block_random(3000), false);
    }
    fail_each_call();
    assert_int_equal(written_in(CODEC_FIELDS), 2);
    release_block();
}

/* The memory of a source grows with the texts that are its keys. */
static void memory_for_recalls(void **state)
{
    (void)state;
    begin_block(300);
    size_t first = add_column("First"), second = add_column("Second");
    for (size_t r = 0; r < block.records; r++) {
        unsigned n = block_random(60);
        char text[40];
        snprintf(text, sizeof text, "%c%c%c", 'a' + n % 26, 'a' + n * 7 % 25, 'a' + n * 11 % 23);
        set_value(first, r, text);
        snprintf(text, sizeof text, "the %c%c of %c", 'a' + n * n % 26, 'a' + n * 5 % 23, 'a' + n * 3 % 25);
        set_value(second, r, text);
    }
    fail_each_call();
    assert_int_equal(written_in(CODEC_TAGS), 2);
    release_block();
}

/* The first page of many texts is packed twice, to estimate the effort. */
static void memory_for_texts(void **state)
{
    (void)state;
    begin_block(1000);
    size_t names = add_column("Name");
    for (size_t r = 0; r < block.records; r++)
        set_format(names, r, "Name of %u", block_random(1 << 30));
    for (unsigned at = 1, failed = 0; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        buffer texts = block.values[names], body = {.allocator = &allocator};
        field_packer packer = {.encoder = NULL};
        unsigned codec;
        texts.allocator = &allocator;
        failed += stamma_tag_pack_texts(&packer, &texts, &body, &codec) == STAMMA_ERROR_NO_MEMORY;
        stamma_field_packer_release(&packer);
        stamma_buffer_release(&body);
        assert_int_equal(memory.alive, 0);
        assert_true(failed > 3 || failed == at);
    }
    release_block();
}

/* Names that repeat, ratings that are partly not numbers, titles by player, values that begin with other values. */
static void memory_for_codes(void **state)
{
    (void)state;
    begin_block(600);
    size_t white = add_column("White"), black = add_column("Black");
    size_t elos[2] = {add_column("WhiteElo"), add_column("BlackElo")};
    size_t won = add_column("Termination"), team = add_column("WhiteTeam");
    for (size_t r = 0; r < block.records; r++) {
        unsigned n = block_random(100), other = block_random(100);
        set_format(white, r, "name%u", n * 7919);
        set_format(black, r, "name%u", other * 7919);
        for (unsigned i = 0; i < 2; i++)
            if (block_random(9) == 0)
                set_format(elos[i], r, "%u?", block_random(30));
            else
                set_number(elos[i], r, 1000 + (int)block_random(2000), false);
        char text[40];
        snprintf(text, sizeof text, "name%u won by %u", n * 7919, block_random(300));
        set_value(won, r, text);
        set_format(team, r, "team %u", n * 104729 % 1000);
    }
    sweep(write_columns, (trial){.level = 1});
    release_block();
}

/* The table of texts grows while the tails of values that begin with others are numbered. */
static void memory_for_tails(void **state)
{
    (void)state;
    enum { ROOM = 510, TAILS = 60 }; /* number of texts before the table of texts grows */
    begin_block(400);
    size_t white = add_column("White"), won = add_column("Termination"), note = add_column("Note");
    for (size_t r = 0; r < block.records; r++) {
        unsigned n = block_random(30);
        char text[40];
        set_format(white, r, "name%u", n * 7919);
        snprintf(text, sizeof text, "name%u won by %u", n * 7919, block_random(TAILS));
        set_value(won, r, text);
        set_format(note, r, "note %u", block_random(100) * 7919);
    }
    assert_int_equal(fill_tag_table(&heap), STAMMA_OK);
    assert_int_equal(block.table.plans[won].source_count, 1);
    assert_int_equal(block.table.plans[won].sources[0].kind, SOURCE_BEGIN);
    assert_in_range(block.table.texts.count, ROOM - TAILS / 2, ROOM);
    release_tag_table();
    fail_each_call();
    release_block();
}

/* Texts with more than a page of literals, with and without numbers, and different endings. */
static void memory_for_literals(void **state)
{
    (void)state;
    begin_block(700);
    size_t names = add_column("Name"), address = add_column("Address"), often = add_column("Often");
    for (size_t r = 0; r < block.records; r++) {
        char text[40] = "";
        for (unsigned i = 0; i < 24; i++)
            text[i] = (char)('a' + block_random(26));
        set_value(names, r, text);
        set_format(address, r, "clock 0:00:%02u", block_random(60));
        set_format(often, r, "value %u of some", block_random(400) * 31);
    }
    sweep(write_columns, (trial){.level = 1});
    release_block();
}

static void memory_for_spelling(void **state)
{
    (void)state;
    begin_block(250);
    block.spells = true;
    add_teams(90);
    demand_round_trip();
    assert_int_equal(written_in(CODEC_MAPPED), 2);
    sweep(write_columns, (trial){.level = 3});
    release_block();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_without_players), cmocka_unit_test(beginnings_that_are_rare),
        cmocka_unit_test(values_of_many_columns),  cmocka_unit_test(values_that_follow_from_openings),
        cmocka_unit_test(memory_for_numbers),      cmocka_unit_test(memory_for_recalls),
        cmocka_unit_test(memory_for_texts),        cmocka_unit_test(texts_of_two_columns),
        cmocka_unit_test(memory_for_codes),        cmocka_unit_test(memory_for_literals),
        cmocka_unit_test(memory_for_tails),        cmocka_unit_test(memory_for_spelling),
    };
    return cmocka_run_group_tests(tests, make_heap, NULL);
}
