/* SPDX-License-Identifier: MIT */
/* Tests that reading a long line of predicted moves can be stopped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"

/* Returns real games, followed by a game of 600 plies. */
static listing make_games(void)
{
    static const char *const knights[4] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    listing text = read_file("data/games.pgn");
    assert_true(text.size > 0);
    list_word(&text, "\n[White \"A\"]\n\n");
    for (unsigned ply = 0; ply < 600; ply++)
        list_format(&text, "%s ", knights[ply % 4]);
    list_word(&text, "*\n");
    return text;
}

typedef struct stopping {
    unsigned calls, stop_at; /* from 1; 0: never */
} stopping;

static bool is_stopped(void *context)
{
    stopping *s = context;
    return ++s->calls == s->stop_at;
}

/* Reads all records. Returns the first error, and stores the number of remaining records. */
static stamma_error read_records(const listing *archive, stopping *s, uint64_t *left)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const stop_check check = {is_stopped, s};
    const uint8_t *header = (const uint8_t *)archive->text + ARCHIVE_HEADER_SIZE;
    block_reader b;
    stamma_block_reader_init(&b, &allocator);
    b.plan.stop = &check;
    stamma_error error =
        stamma_block_reader_load(&b, header + FRAME_HEADER_SIZE, (size_t)load_u64(header + 8), load_u32(header + 16));
    assert_int_equal(b.columns.moves, MOVES_PREDICTED);
    while (error == STAMMA_OK && b.state.next < b.head.records)
        error = stamma_block_reader_next(&b, false);
    *left = b.head.records - b.state.next;
    stamma_block_reader_release(&b);
    return error;
}

/* While reading a line, the reader calls `stop` after every 256 moves. */
static void long_lines(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    listing text = make_games(), archive = pack_at(2, text.text, text.size, NULL);
    stopping s = {.calls = 0};
    uint64_t left;
    assert_int_equal(read_records(&archive, &s, &left), STAMMA_OK);
    assert_int_equal(left, 0);
    const unsigned calls = s.calls;
    assert_true(calls >= 2);
    for (unsigned last = 0; last < 2; last++) {
        s = (stopping){.stop_at = calls - last};
        assert_int_equal(read_records(&archive, &s, &left), STAMMA_ERROR_CORRUPT);
        assert_int_equal(s.calls, calls - last);
        assert_int_equal(left, 1);
    }
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
