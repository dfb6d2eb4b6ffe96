/* SPDX-License-Identifier: MIT */
/* Tests unpacking archives with blocks that are damaged or large: text and damage do not depend on the executor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive_maker.h"
#include "executors.h"

/* ---- archives of made blocks ---- */

/* Adds a block. Without `directory`, its head ends before the number of columns. */
static void add_block(maker *m, const char *pgn, bool directory)
{
    listing one = pack(pgn, strlen(pgn), NULL);
    const char *payload = one.text + ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE;
    frame f;
    block_counts counts;
    assert_int_equal(stamma_frame_read((const uint8_t *)one.text + ARCHIVE_HEADER_SIZE, &f), STAMMA_OK);
    cursor in = {(const uint8_t *)payload, (const uint8_t *)payload + f.head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
    const size_t head = directory ? f.head_size : (size_t)((const char *)in.at - payload);
    (void)add_payload(m, payload, head, (size_t)f.size);
    free(one.text);
}

/* ---- unpacking ---- */

static void list_damage(void *context, const stamma_archive_damage *d)
{
    list_format(context, "%d at %zu games %u to %u\n", (int)d->kind, (size_t)d->offset, (unsigned)d->first_game,
                (unsigned)d->last_game);
}

/* Unpacks an archive to an output whose `fail_at`-th write fails. Returns the error. */
static stamma_error unpack_with(const listing *archive, bool seekable, const stamma_executor *executor, listing *damage,
                                unsigned fail_at, listing *text)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = 1000};
    archive_sink sink = {.fail_at = fail_at};
    const stamma_output output = archive_output(&sink);
    const stamma_archive_reader_options options = {
        .size = sizeof options, .executor = executor, .context = damage, .damage = damage ? list_damage : NULL};
    stamma_archive_reader *reader;
    assert_int_equal(open_source(&source, seekable, &options, &reader), STAMMA_OK);
    const stamma_error error = stamma_archive_reader_unpack(reader, &output);
    close_reader(reader);
    *text = sink.bytes;
    return error;
}

/* The third block has a head that is complete, but too short. */
static void heads_without_columns(void **state)
{
    (void)state;
    static const char *const texts[] = {"[White \"a\"]\n\n1. e4 *\n\n", "[White \"b\"]\n\n1. d4 *\n\n",
                                        "[White \"lost\"]\n\n1. c4 *\n\n", "[White \"d\"]\n\n1. Nf3 *\n\n"};
    maker m;
    lazy tasks = {.waiting = 0};
    const stamma_executor executor = {&tasks, 3, start_lazy, wait_lazy};
    const stamma_executor *const executors[] = {NULL, &immediate_executor, &executor};
    listing wanted = {0};
    begin_archive(&m);
    for (unsigned n = 0; n < 4; n++) {
        if (n == 2)
            list_format(&wanted, "%d at %zu games %u to %u\n", (int)STAMMA_DAMAGE_HEAD, m.sink.bytes.size, 3, 3);
        add_block(&m, texts[n], n != 2);
    }
    listing archive = end_archive(&m);
    for (unsigned way = 0; way < 6; way++) {
        listing damage = {0}, text = {0};
        list_word(&damage, "");
        assert_int_equal(unpack_with(&archive, way % 2, executors[way / 2], &damage, 0, &text), STAMMA_OK);
        assert_string_equal(damage.text, wanted.text);
        list_bytes(&text, "", 1);
        assert_non_null(strstr(text.text, "\"d\""));
        assert_null(strstr(text.text, "lost"));
        assert_int_equal(text.size, strlen(texts[0]) + strlen(texts[1]) + strlen(texts[3]) + 1);
        free(damage.text);
        free(text.text);
    }
    for (unsigned fail_at = 1; fail_at < 4; fail_at++) { /* the text of some block */
        listing damage = {0}, text = {0};
        assert_int_equal(unpack_with(&archive, true, &executor, &damage, fail_at, &text), STAMMA_ERROR_IO);
        assert_int_equal(damage.size > 0, fail_at == 3);
        free(damage.text);
        free(text.text);
    }
    free(wanted.text);
    free(archive.text);
}

/* Adds a block that needs more memory than others, because its head contains a large size of a column. */
static void add_large_block(maker *m)
{
    enum { TEXT_SIZE = 1 << 24, PLAIN_SIZE = 1 << 27 };
    buffer head = {.allocator = &m->allocator};
    uint8_t counts[16 + 9] = {[16] = 1, [17] = 1}; /* a record and a game */
    store_u64(counts, TEXT_SIZE);
    buffer_add(&head, counts, sizeof counts);
    buffer_add_byte(&head, 1);
    stamma_column_write_entry(COLUMN_EVENTS, CODEC_STORED, (stamma_text){NULL, 0}, PLAIN_SIZE, counts, 1, &head);
    const stamma_archive_counts added = {.games = 1, .text_size = TEXT_SIZE};
    stamma_frame_writer_add_block(&m->out, (stamma_text){(const char *)head.data, head.size},
                                  (stamma_text){(const char *)counts, 1}, &added);
    stamma_buffer_release(&head);
}

/* A large block waits until the text before it is written, which may fail. */
static void large_blocks_wait(void **state)
{
    (void)state;
    maker m;
    begin_archive(&m);
    add_block(&m, "1. e4 *\n", true);
    add_large_block(&m);
    listing archive = end_archive(&m);
    for (unsigned fail_at = 0; fail_at < 2; fail_at++) {
        listing text = {0};
        const stamma_error error = unpack_with(&archive, true, &immediate_executor, NULL, fail_at, &text);
        assert_int_equal(error, fail_at > 0 ? STAMMA_ERROR_IO : STAMMA_ERROR_CORRUPT);
        assert_int_equal(text.size, fail_at > 0 ? 0 : 8);
        free(text.text);
    }
    free(archive.text);
}

/* After games were read from a pipe, it can neither be unpacked nor summed up. */
static void pipes_are_read_once(void **state)
{
    (void)state;
    listing archive = pack("1. e4 *\n", 8, NULL);
    archive_source source;
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    const stamma_archive_game *game;
    stamma_archive_counts counts = {.games = 77};
    stamma_archive_reader *reader = open_archive(&source, &archive, false);
    assert_int_equal(stamma_archive_reader_totals(reader, &counts), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_reader_end(reader), 0);
    assert_int_equal(stamma_archive_reader_interrupted_end(reader), 0);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_reader_info(reader, &counts, NULL, 0, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(counts.games, 77);
    assert_int_equal(sink.writes, 0);
    close_reader(reader);
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heads_without_columns), cmocka_unit_test(large_blocks_wait),
                                       cmocka_unit_test(pipes_are_read_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
