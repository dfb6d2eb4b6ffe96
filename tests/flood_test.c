/* Files whose tags are chosen to make packing or unpacking slow: both look at a few entries of their tables for each
 * value, and the bytes come back. Steps are counted, no time is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "archive/archive.h"

#include "archive_support.h"
#include "chosen_texts.h"

static void add_tag(listing *out, const char *name, const char *value, size_t size)
{
    list_bytes(out, "[", 1);
    list_bytes(out, name, strlen(name));
    list_bytes(out, " \"", 2);
    list_bytes(out, value, size);
    list_bytes(out, "\"]\n", 3);
}

/* Packs a text, which is one block, in a job that its caller releases. */
static void pack_block(const listing *text, const stamma_allocator *allocator, pack_job *j)
{
    stamma_pack_job_init(j, allocator, false);
    stamma_pgn_lexer_init(&j->lexer, PARSER_TOKEN_MAX);
    buffer_add(&j->text, text->text, text->size);
    j->final = true;
    stamma_pack_job_run(j);
    assert_int_equal(j->error, STAMMA_OK);
    assert_int_equal(j->used, text->size);
}

/* Unpacks what a job packed, and compares it; the caller releases the job. */
static void unpack_block(const pack_job *packed, const listing *text, const stamma_allocator *allocator, unpack_job *j)
{
    stamma_unpack_job_init(j, allocator);
    buffer_add(&j->payload, packed->head.data, packed->head.size);
    buffer_add(&j->payload, packed->body.data, packed->body.size);
    j->frame.head_size = packed->head.size;
    stamma_unpack_job_run(j);
    assert_int_equal(j->error, STAMMA_OK);
    assert_int_equal(j->text.size, text->size);
    assert_memory_equal(j->text.data, text->text, text->size);
}

/* Packs and unpacks a text of so many values. *steps: of unpacking; *keys: how many its maps held. */
static void round_trip(const listing *text, size_t values, uint64_t *steps, size_t *keys)
{
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    pack_job *packed = malloc(sizeof *packed);
    unpack_job *unpacked = malloc(sizeof *unpacked);
    assert_true(packed && unpacked);
    pack_block(text, &allocator, packed);
    assert_true(packed->block.steps > 0);
    assert_true(packed->block.steps <= (uint64_t)STEPS_EACH * values);
    unpack_block(packed, text, &allocator, unpacked);
    *steps = *keys = 0;
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++)
        for (size_t n = 0; n < COPY_RULES_MAX; n++) {
            *steps += unpacked->block.copies.columns[c].maps[n].steps;
            *keys += unpacked->block.copies.columns[c].maps[n].count;
        }
    stamma_pack_job_release(packed);
    stamma_unpack_job_release(unpacked);
    free(packed);
    free(unpacked);
}

/* 300,000 values of 16 bytes, all different, which a hash without a key cannot tell apart. */
static void chosen_values_are_packed_quickly(void **state)
{
    enum { RECORDS = 60000, TAGS = 5 };
    listing text = {0};
    uint64_t number = 0, steps;
    size_t keys;
    (void)state;
    for (size_t r = 0; r < RECORDS; r++) {
        static const char *const names[TAGS] = {"Event", "Site", "White", "Black", "Annotator"};
        for (size_t t = 0; t < TAGS; t++) {
            char value[CHOSEN_TEXT_SIZE];
            next_chosen_text(&number, value);
            add_tag(&text, names[t], value, sizeof value);
        }
        list_bytes(&text, "\n*\n\n", 4);
    }
    round_trip(&text, RECORDS * TAGS, &steps, &keys);
    free(text.text);
}

/* Places that are looked up by events whose keys (14.4) a multiplication by the golden ratio brings together. Each
 * comes twice, so that the rule is worth it, but not in a row, where a simpler rule would do. */
static void chosen_keys_are_looked_up_quickly(void **state)
{
    enum { EVENTS = 30000, AT_ONCE = 30 };
    listing text = {0};
    uint64_t number = 0, steps;
    uint32_t product = 0;
    size_t keys;
    (void)state;
    for (size_t first = 0; first < EVENTS; first += AT_ONCE) {
        char events[AT_ONCE][CHOSEN_KEY_SIZE];
        for (size_t n = 0; n < AT_ONCE; n++) {
            uint32_t key = next_chosen_key(&product);
            text_of_key(key, &number, events[n]);
            assert_int_equal(stamma_text_key((stamma_text){events[n], CHOSEN_KEY_SIZE}), key);
        }
        for (size_t n = 0; n < 2 * AT_ONCE; n++) {
            char place[16];
            int size = snprintf(place, sizeof place, "%zu", (first + n % AT_ONCE) * 7919 % EVENTS * 7);
            add_tag(&text, "Event", events[n % AT_ONCE], CHOSEN_KEY_SIZE);
            add_tag(&text, "Site", place, (size_t)size);
            list_bytes(&text, "\n*\n\n", 4);
        }
    }
    round_trip(&text, 2 * 2 * EVENTS, &steps, &keys);
    assert_true(keys >= EVENTS);
    assert_true(steps <= (uint64_t)STEPS_EACH * 2 * keys);
    free(text.text);
}

/* More rosters than are kept, and tags that come only in those that are not: no column is made for these. */
static void many_rosters_come_back(void **state)
{
    enum { ROSTERS = 1500, ROUNDS = 3, TAGS = 8 };
    listing text = {0};
    (void)state;
    for (size_t r = 0; r < ROUNDS * ROSTERS; r++) {
        size_t order = r % ROSTERS;
        for (size_t t = 0; t < TAGS; t++, order /= 3) {
            char name[16];
            snprintf(name, sizeof name, "Tag%zu", 3 * t + order % 3);
            add_tag(&text, name, "x", 1);
        }
        list_bytes(&text, "\n*\n\n", 4);
    }
    assert_round_trip(text.text, text.size, NULL);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_values_are_packed_quickly),
        cmocka_unit_test(chosen_keys_are_looked_up_quickly),
        cmocka_unit_test(many_rosters_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
