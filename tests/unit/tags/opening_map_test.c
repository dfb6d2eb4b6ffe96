/* SPDX-License-Identifier: MIT */
/* Tests the choice of maps from openings to texts (clause 22.2), and columns that use them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tag_block.h"

static stamma_allocator heap;

/* Adds a column whose values and openings are those of a list: an opening, and a letter. */
static size_t add_listed(const char *name, const char *const *list, size_t count)
{
    const size_t column = add_column(name);
    for (size_t r = 0; r < count; r++) {
        block.games[r].opening = (unsigned)(list[r][0] - '0');
        if (list[r][1])
            set_value(column, r, list[r] + 1);
    }
    return column;
}

static stamma_text mapped(const opening_map map, unsigned opening)
{
    return map[opening] == 0 ? (stamma_text){NULL, 0} : tag_text(&block.table, map[opening]);
}

/* The most frequent text wins. A text that occurs once with its opening, and records without opening or value, do not
 * count. */
static void the_majority_is_chosen(void **state)
{
    (void)state;
    static const char *const list[] = {"1a", "1b", "1b", "2c", "2d", "3e", "0f", "0f", "4", "4g", "4g", "1b"};
    enum { COUNT = sizeof list / sizeof *list };
    static opening_map map;
    begin_block(COUNT);
    const size_t column = add_listed("Opening", list, COUNT);
    assert_int_equal(fill_tag_table(&heap), STAMMA_OK);
    assert_int_equal(stamma_opening_map_choose(&block.table, column, NULL, map), 5);
    assert_true(text_equal(mapped(map, 1), stamma_text_of("b")));
    assert_true(text_equal(mapped(map, 4), stamma_text_of("g")));
    for (unsigned opening = 0; opening < 4; opening += opening == 0 ? 2 : 1)
        assert_null(mapped(map, opening).data);
    release_tag_table();
    release_block();
}

/* Values that are the opening's code or name need no entry. */
static void facts_need_no_entry(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    static opening_map map;
    tag_plan plan = {.source_count = 1, .sources = {{.kind = SOURCE_EQUAL, .what = FACT_CODE}}};
    begin_block(COUNT);
    const size_t column = add_column("ECO");
    for (size_t r = 0; r < COUNT; r++) {
        block.games[r].opening = r < 3 ? 7 : 9;
        const stamma_text code = stamma_game_text(&block.games[r], FACT_CODE, NULL);
        char text[8];
        snprintf(text, sizeof text, "%.*s%s", (int)code.size, code.data, r < 3 ? "" : "?");
        set_value(column, r, text);
    }
    assert_int_equal(fill_tag_table(&heap), STAMMA_OK);
    assert_int_equal(stamma_opening_map_choose(&block.table, column, NULL, map), COUNT);
    assert_int_equal(stamma_opening_map_choose(&block.table, column, &plan, map), 3);
    assert_null(mapped(map, 7).data);
    assert_non_null(mapped(map, 9).data);
    release_tag_table();
    release_block();
}

/* Texts that follow from the opening need little more than their map, whatever order the games have. */
static void columns_use_maps(void **state)
{
    (void)state;
    enum { COUNT = 3000, KINDS = 60 };
    for (unsigned spells = 0; spells < 2; spells++) {
        begin_block(COUNT);
        block.spells = spells;
        const size_t opening = add_column("Opening"), variation = add_column("Variation");
        for (size_t r = 0; r < COUNT; r++) {
            char text[40];
            const unsigned n = block_random(KINDS);
            block.games[r].opening = 1 + n * 59;
            snprintf(text, sizeof text, "Opening of %u", n / 2 * 104729);
            set_value(opening, r, block_random(50) ? text : "Irregular");
            snprintf(text, sizeof text, "Variation %u", n * 7919);
            set_value(variation, r, text);
        }
        demand_round_trip();
        assert_int_equal(codec_of(opening), CODEC_MAPPED);
        assert_int_equal(codec_of(variation), CODEC_MAPPED);
        assert_true(size_of(opening) < 900);
        assert_true(size_of(variation) < 700);
        release_block();
    }
}

/* Both colours share a dictionary, so their columns have no map. */
static void counterparts_have_no_map(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    begin_block(COUNT);
    const size_t teams[2] = {add_column("WhiteTeam"), add_column("BlackTeam")};
    for (size_t r = 0; r < COUNT; r++) {
        char text[24];
        block.games[r].opening = 1 + block_random(40);
        snprintf(text, sizeof text, "Team %u", block.games[r].opening * 7919);
        set_value(teams[0], r, text);
        set_value(teams[1], r, text);
    }
    demand_round_trip();
    assert_int_equal(written_in(CODEC_MAPPED), 0);
    release_block();
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
        cmocka_unit_test(the_majority_is_chosen),
        cmocka_unit_test(facts_need_no_entry),
        cmocka_unit_test(columns_use_maps),
        cmocka_unit_test(counterparts_have_no_map),
    };
    return cmocka_run_group_tests(tests, make_heap, NULL);
}
