/* SPDX-License-Identifier: MIT */
/* Tests the second half of the lanes of moves (17.2), read by another thread: games without moves, games whose moves
 * are codes, wrong sizes of codes, and heads that are not valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "block/moves_ahead.h"
#include "block/predicted_moves.h"
#include "changed_block.h"
#include "game_texts.h"

/* ---- which blocks have lanes ---- */

/* Makes the head of a block with a column of events and a column of moves. */
static buffer make_head(const stamma_allocator *allocator, unsigned codec, size_t moves)
{
    static const uint8_t counts[16 + 9] = {[16] = 1}; /* records */
    buffer head = {.allocator = allocator};
    buffer_add(&head, counts, sizeof counts);
    buffer_add_byte(&head, 2);
    stamma_column_write_entry(COLUMN_EVENTS, CODEC_STORED, (stamma_text){NULL, 0}, 1, counts, 1, &head);
    stamma_column_write_entry(COLUMN_MOVES, codec, (stamma_text){NULL, 0}, moves, counts, 1, &head);
    return head;
}

static bool has_lanes(unsigned codec, size_t moves)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer head = make_head(&allocator, codec, moves);
    const bool has = stamma_block_has_lanes(buffer_cursor(&head));
    stamma_buffer_release(&head);
    return has;
}

static void blocks_with_lanes(void **state)
{
    (void)state;
    enum { LEAST = 8192, MOST = 1 << 23 };
    assert_true(has_lanes(CODEC_LANES, LEAST));
    assert_true(has_lanes(CODEC_LANES, MOST));
    assert_false(has_lanes(CODEC_LANES, LEAST - 1));
    assert_false(has_lanes(CODEC_LANES, MOST + 1));
    assert_false(has_lanes(CODEC_PREDICTED, LEAST));
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer head = make_head(&allocator, CODEC_LANES, LEAST);
    for (size_t whole = head.size--; head.size > 0; head.size--) {
        assert_true(head.size < whole);
        assert_false(stamma_block_has_lanes(buffer_cursor(&head)));
    }
    stamma_buffer_release(&head);
}

/* ---- reading them ---- */

static changed_block *odd_games(unsigned count)
{
    listing text = {0};
    for (unsigned n = 0; n < count; n++) {
        list_game(&text, &text_styles[0]);
        if (n % 9 == 4)
            list_word(&text, "[White \"x\"]\n\n1. e4 -- 2. d4 *\n\n"); /* a null move */
        if (n % 7 == 3)
            list_word(&text, "[White \"y\"]\n\n*\n\n");
    }
    return new_changed_block(LEVEL_ADAPTIVE, text);
}

/* Unpacks a block while another job reads half of its lanes. Stores the error of that job in *ahead. */
static stamma_error unpack_halves(changed_block *f, stamma_error *ahead)
{
    static unpack_job other;
    const unpack_job *j = &f->job;
    assert_true(stamma_block_has_lanes((cursor){j->payload.data, j->payload.data + j->frame.head_size, false}));
    stamma_unpack_job_init(&other, &f->allocator);
    stamma_unpack_job_halve(&f->job, &other);
    stamma_unpack_job_run(&f->job);
    assert_true(f->job.text.size < f->text.size);
    stamma_unpack_job_run(&other);
    *ahead = other.ahead.error;
    stamma_unpack_job_join(&f->job, &other);
    stamma_unpack_job_release(&other);
    return f->job.error;
}

static void odd_games_are_read_ahead(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    changed_block *f = odd_games(300);
    stamma_error ahead;
    assert_int_equal(unpack_halves(f, &ahead), STAMMA_OK);
    assert_int_equal(ahead, STAMMA_OK);
    assert_int_equal(f->job.text.size, f->text.size);
    assert_memory_equal(f->job.text.data, f->text.text, f->text.size);
    release_changed_block(f);
}

/* ---- sizes of the lanes' codes ---- */

/* Adds the sizes of strings and codes of the lanes, with one byte of codes moved from the last lane to the previous
 * lane. Returns the number of lanes. */
static size_t move_code(cursor sizes, buffer *changed)
{
    uint64_t size[64];
    size_t count = 0;
    while (cursor_left(&sizes) > 0 && count < 64)
        size[count++] = cursor_varint(&sizes);
    assert_true(count > 4 && size[count - 1] > 0);
    size[count - 3]++;
    size[count - 1]--;
    for (size_t n = 0; n < count; n++)
        stamma_buffer_add_varint(changed, size[n]);
    return count / 2;
}

static size_t move_code_of_column(changed_block *f)
{
    enum { HEAD_SIZE = 16 + 2 };
    static const int efforts[LANES_STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    byte_packer none = {.compressor = NULL};
    buffer streams[LANES_STREAMS], parameters = {.allocator = &f->allocator};
    buffer *column = &find_column(f, COLUMN_MOVES)->bytes;
    size_t count = LANES_STREAMS;
    for (size_t n = 0; n < count; n++)
        streams[n] = (buffer){.allocator = &f->allocator};
    assert_int_equal(stamma_streams_unpack(&none, buffer_cursor(column), f->text.size, streams, NULL, &count),
                     STAMMA_OK);
    cursor sizes = buffer_cursor(&streams[LANES_PARAMETERS]);
    buffer_add(&parameters, cursor_take(&sizes, HEAD_SIZE), HEAD_SIZE);
    size_t lanes = move_code(sizes, &parameters);
    stamma_buffer_release(&streams[LANES_PARAMETERS]);
    streams[LANES_PARAMETERS] = parameters;
    column->size = 0;
    assert_int_equal(stamma_streams_pack(&none, streams, efforts, LANES_STREAMS, column), STAMMA_OK);
    for (size_t n = 0; n < count; n++)
        stamma_buffer_release(&streams[n]);
    stamma_byte_packer_release(&none);
    return lanes;
}

/* The error in the second half has the same result as with a reader of all lanes. */
static void codes_of_another_lane(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    changed_block *f = odd_games(900);
    stamma_error ahead;
    assert_true(move_code_of_column(f) > 3);
    make_payload(f);
    stamma_unpack_job_run(&f->job);
    assert_int_equal(f->job.error, STAMMA_ERROR_CORRUPT);
    const size_t size = f->job.text.size;
    assert_int_equal(unpack_halves(f, &ahead), STAMMA_ERROR_CORRUPT);
    assert_int_equal(ahead, STAMMA_ERROR_CORRUPT);
    assert_int_equal(f->job.text.size, size);
    release_changed_block(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_with_lanes), cmocka_unit_test(odd_games_are_read_ahead),
                                       cmocka_unit_test(codes_of_another_lane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
