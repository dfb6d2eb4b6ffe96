/* SPDX-License-Identifier: MIT */
/* Tests files whose tags are chosen to slow down packing: the packer examines few entries of its tables for each value,
 * and the text is restored. Readers have no hash tables, because they find texts by rank. The tests count steps instead
 * of measuring time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive/pack_job.h"

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

/* Packs a text of one block. The caller releases the job. */
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

/* Unpacks the block of a job and compares it with the text. The caller releases the job. */
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

/* Packs and unpacks a text with this number of values. */
static void round_trip(const listing *text, size_t values)
{
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    pack_job *packed = malloc(sizeof *packed);
    unpack_job *unpacked = malloc(sizeof *unpacked);
    assert_true(packed && unpacked);
    pack_block(text, &allocator, packed);
    assert_true(packed->block.steps > 0);
    assert_true(packed->block.steps <= (uint64_t)STEPS_EACH * values);
    unpack_block(packed, text, &allocator, unpacked);
    stamma_pack_job_release(packed);
    stamma_unpack_job_release(unpacked);
    free(packed);
    free(unpacked);
}

/* 300,000 distinct values of 16 bytes that collide in a hash without a key. */
static void chosen_values_are_packed_quickly(void **state)
{
    enum { RECORDS = 60000, TAGS = 5 };
    listing text = {0};
    uint64_t number = 0;
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
    round_trip(&text, RECORDS * TAGS);
    free(text.text);
}

/* More rosters than the packer stores. Tags that occur only in other rosters have no column. */
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
        cmocka_unit_test(many_rosters_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
