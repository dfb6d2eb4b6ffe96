/* Tests the second lane of moves (16.2), read by another thread: games without moves, games whose moves are codes, and
 * heads that are not valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive/archive.h"
#include "game_texts.h"

/* ---- which blocks have lanes ---- */

/* Makes the head of a block with a column of events and one of moves. */
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
    enum { LEAST = 4096, MOST = 1 << 23 };
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

static void odd_games(void **state)
{
    (void)state;
    listing text = {0}, back = {0};
    if (!stamma_predictor_id())
        skip();
    for (unsigned n = 0; n < 150; n++) {
        list_game(&text, &text_styles[0]);
        if (n % 9 == 4)
            list_word(&text, "[White \"x\"]\n\n1. e4 -- 2. d4 *\n\n"); /* a null move */
        if (n % 7 == 3)
            list_word(&text, "[White \"y\"]\n\n*\n\n");
    }
    listing archive = pack_at(LEVEL_ADAPTIVE, text.text, text.size, NULL);
    const uint8_t *header = (const uint8_t *)archive.text + ARCHIVE_HEADER_SIZE, *head = header + FRAME_HEADER_SIZE;
    assert_true(stamma_block_has_lanes((cursor){head, head + load_u32(header + 16), false}));
    archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
    const stamma_input input = archive_input(&source, true);
    const stamma_output output = listing_output(&back);
    const stamma_archive_reader_options options = {.size = sizeof options, .executor = &immediate_executor};
    stamma_archive_reader *reader;
    assert_int_equal(stamma_archive_reader_open(&input, &options, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_OK);
    assert_int_equal(back.size, text.size);
    assert_memory_equal(back.text, text.text, text.size);
    stamma_archive_reader_close(reader);
    free(back.text);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_with_lanes), cmocka_unit_test(odd_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
