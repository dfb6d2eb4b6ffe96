/* SPDX-License-Identifier: MIT */
/* Tests the stored plan of a column of tag values (clause 15.3), and its dictionary (15.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tags/tags.h"

static bool read_plan(unsigned codec, const uint8_t *bytes, size_t size, tag_plan *plan)
{
    cursor in = {bytes, bytes + size, false};
    return stamma_tag_plan_read(&in, codec, plan) && cursor_left(&in) == 0;
}

/* Text sources (a column's value, a recall by the opening, a value that begins with a column's value) and indices. */
static void golden_texts(void **state)
{
    (void)state;
    const uint8_t bytes[] = {2 + 4, 3, 0, 7, 1, 64, 2, 5, 9, 255};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    tag_plan plan;
    assert_true(read_plan(CODEC_TAGS, bytes, sizeof bytes, &plan));
    assert_false(plan.numbers || plan.plus || plan.fields);
    assert_true(plan.shared && plan.indexed);
    assert_int_equal(plan.source_count, 3);
    assert_int_equal(plan.sources[1].kind, SOURCE_RECALL);
    assert_int_equal(plan.sources[1].what, FACT_OPENING);
    assert_int_equal(plan.others[0], 9);
    assert_int_equal(plan.others[1], TAG_NONE);
    assert_true(stamma_tag_plan_is_post_game(&plan));
    stamma_tag_plan_write(&plan, &out);
    assert_int_equal(out.size, sizeof bytes);
    assert_memory_equal(out.data, bytes, sizeof bytes);
    stamma_buffer_release(&out);
}

/* Numbers: a player's last number, minus the change of the game; and column 3's number with reversed sign. */
static void golden_numbers(void **state)
{
    (void)state;
    const uint8_t bytes[] = {1 + 4 + 8, 2, 0, 6, 0 + 3 * 1, 255, 3, 0 + 3 * 2, 255, 0};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    tag_plan plan;
    assert_true(read_plan(CODEC_TAGS, bytes, sizeof bytes, &plan));
    assert_true(plan.numbers && plan.plus && plan.fields);
    assert_false(plan.shared || plan.indexed);
    assert_int_equal(plan.sources[0].now, -1);
    assert_int_equal(plan.sources[0].then, 0);
    assert_int_equal(plan.sources[1].what, TAG_NONE);
    assert_int_equal(plan.sources[1].then, 1);
    assert_false(stamma_tag_plan_is_post_game(&plan));
    stamma_tag_plan_write(&plan, &out);
    assert_memory_equal(out.data, bytes, sizeof bytes);
    stamma_buffer_release(&out);
}

/* Codec 10: spelt texts, a map, and dates. */
static void golden_maps(void **state)
{
    (void)state;
    const uint8_t bytes[] = {16, 2, 0, 66, 3, 64, 255, 255};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    tag_plan plan;
    assert_true(read_plan(CODEC_MAPPED, bytes, sizeof bytes, &plan));
    assert_true(plan.spelt && !plan.fields && !plan.indexed);
    assert_int_equal(plan.sources[1].kind, SOURCE_MAP);
    assert_true(stamma_tag_plan_is_post_game(&plan));
    stamma_tag_plan_write(&plan, &out);
    assert_int_equal(out.size, sizeof bytes);
    assert_memory_equal(out.data, bytes, sizeof bytes);
    out.size = 0;
    const uint8_t dates[] = {1 + 32, 1, 0, 255, 4, 255, 255};
    assert_true(read_plan(CODEC_MAPPED, dates, sizeof dates, &plan));
    assert_true(plan.dates && plan.numbers && !plan.spelt);
    stamma_tag_plan_write(&plan, &out);
    assert_memory_equal(out.data, dates, sizeof dates);
    stamma_buffer_release(&out);
}

static void bad_plans_are_refused(void **state)
{
    (void)state;
    enum { OLD = CODEC_TAGS, NEW = CODEC_MAPPED, BOTH = 0 };
    static const struct {
        unsigned codec;
        size_t size;
        uint8_t bytes[8];
    } bad[] = {
        {OLD, 4, {16, 0, 255, 255}},           /* spelt texts in codec 3 */
        {NEW, 4, {64, 0, 255, 255}},           /* an unknown form */
        {NEW, 4, {32, 0, 255, 255}},           /* texts that are dates */
        {NEW, 4, {37, 0, 255, 255}},           /* dates with a plus sign */
        {OLD, 4, {33, 0, 255, 255}},           /* dates in codec 3 */
        {NEW, 4, {17, 0, 255, 255}},           /* spelt numbers */
        {NEW, 4, {24, 0, 255, 255}},           /* spelt fields */
        {OLD, 6, {0, 1, 3, 64, 255, 255}},     /* a map in codec 3 */
        {NEW, 6, {0, 1, 3, 65, 255, 255}},     /* a map from another fact */
        {NEW, 6, {0, 1, 1, 64, 255, 255}},     /* a recall by the opening in codec 10 */
        {BOTH, 4, {0, 5, 255, 255}},           /* too many sources */
        {BOTH, 6, {0, 1, 4, 0, 255, 255}},     /* an unknown kind */
        {BOTH, 6, {0, 1, 0, 64, 255, 255}},    /* the opening has no value */
        {BOTH, 6, {0, 1, 0, 71, 255, 255}},    /* a fact that does not exist */
        {BOTH, 6, {0, 1, 1, 65, 255, 255}},    /* a recall by a fact */
        {BOTH, 6, {0, 1, 2, 64, 255, 255}},    /* a beginning that is not a column */
        {BOTH, 7, {1, 1, 65, 0, 4, 255, 255}}, /* a key that is not a column */
        {BOTH, 7, {1, 1, 0, 64, 4, 255, 255}}, /* an invalid base */
        {BOTH, 7, {1, 1, 0, 0, 9, 255, 255}},  /* invalid factors */
        {BOTH, 4, {0, 0, 64, 255}},            /* a context that is not a column */
        {BOTH, 3, {0, 0, 255}},                /* too short */
    };
    tag_plan plan;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        assert_true(bad[n].codec == NEW || !read_plan(OLD, bad[n].bytes, bad[n].size, &plan));
        assert_true(bad[n].codec == OLD || !read_plan(NEW, bad[n].bytes, bad[n].size, &plan));
    }
}

/* The most recently used text is the first. A text that drops out of the first thirteen becomes the first of the older
 * texts, and stays in their list when it is used again. */
static void ranks_are_moved_to_the_front(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    tag_dictionary d = {.older.allocator = &allocator};
    for (uint32_t n = 1; n <= 15; n++)
        assert_int_equal(stamma_tag_dictionary_add(&d, false), n); /* 15 ... 3, older: 2 1 */
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 1), 15);
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 2), 14);
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 2), 15);
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 13), 3);
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 15), 1); /* 4 becomes older: 4 2 1 */
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 14), 4); /* 5 becomes older */
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 17), 1); /* 6 becomes older: 6 5 4 2 1 */
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 18), 1);
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 20), 0); /* an invalid rank */
    stamma_tag_dictionary_clear(&d);
    assert_int_equal(stamma_tag_dictionary_find(&d, false, 1), 0);
    stamma_buffer_release(&d.older);
}

static void indices_stay(void **state)
{
    (void)state;
    tag_dictionary d = {.rank_count = 0};
    assert_int_equal(stamma_tag_dictionary_add(&d, true), 1);
    assert_int_equal(stamma_tag_dictionary_add(&d, true), 2);
    assert_int_equal(stamma_tag_dictionary_find(&d, true, 1), 1);
    assert_int_equal(stamma_tag_dictionary_find(&d, true, 1), 1);
    assert_int_equal(stamma_tag_dictionary_find(&d, true, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_texts),          cmocka_unit_test(golden_numbers),
        cmocka_unit_test(bad_plans_are_refused), cmocka_unit_test(ranks_are_moved_to_the_front),
        cmocka_unit_test(indices_stay),          cmocka_unit_test(golden_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
