/* SPDX-License-Identifier: MIT */
/* Tests blocks that can be decoded completely, but contradict their heads or exceed limits, and sources outside of the
 * text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "made_archive.h"

/* ---- forged blocks ---- */

typedef struct forgery {
    uint64_t text_size; /* 0: as in the block */
    unsigned check;     /* inverted bits of the checksum of the text */
    unsigned plies;     /* added to their number */
    size_t comment;     /* size of each comment; 0: as in the block */
    size_t games;       /* 0: one */
} forgery;

/* Adds the comments of the forged block. */
static void add_comments(const forgery *to, field_packer *packer, buffer *directory, buffer *body)
{
    const uint32_t each[] = {1, 1, 1, 1, 1, 1, 1, 1};
    const size_t games = to->games > 0 ? to->games : 1;
    const text_counts counts = {each, games};
    buffer plain = {.allocator = directory->allocator};
    assert_true(buffer_reserve(&plain, games * (to->comment + 1)));
    memset(plain.data, 'a', games * (to->comment + 1));
    for (size_t n = 0; n < games; n++) {
        plain.size += to->comment + 1;
        plain.data[plain.size - 1] = 0;
    }
    assert_int_equal(stamma_column_write(packer, COLUMN_COMMENTS, &plain, &counts, directory, body), STAMMA_OK);
    stamma_buffer_release(&plain);
}

/* Copies the columns of a block. Returns their number. */
static uint64_t add_columns(cursor in, cursor stored, const forgery *to, buffer *directory, buffer *body)
{
    const uint64_t count = stamma_cursor_varint(&in);
    field_packer packer;
    memset(&packer, 0, sizeof packer);
    for (uint64_t n = 0; n < count; n++) {
        const uint8_t *entry = in.at;
        column_entry e;
        assert_true(stamma_column_read_entry(&in, &e));
        const uint8_t *bytes = cursor_take(&stored, e.stored_size);
        if (e.id == COLUMN_COMMENTS && to->comment > 0) {
            add_comments(to, &packer, directory, body);
            continue;
        }
        buffer_add(directory, entry, (size_t)(in.at - entry));
        buffer_add(body, bytes, (size_t)e.stored_size);
    }
    stamma_field_packer_release(&packer);
    return count;
}

/* Returns an archive of one game with a comment. Its block is forged. */
static listing forged(const forgery *to)
{
    listing text = {0};
    for (size_t n = 0; n == 0 || n < to->games; n++)
        list_word(&text, "1. e4 {x} *\n");
    listing archive = pack(text.text, text.size, NULL);
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const uint8_t *header = (const uint8_t *)archive.text + ARCHIVE_HEADER_SIZE, *payload = header + FRAME_HEADER_SIZE;
    buffer head = {.allocator = &allocator}, directory = head, body = head;
    frame_writer out;
    frame f;
    block_counts counts;
    assert_int_equal(stamma_frame_read(header, &f), STAMMA_OK);
    cursor in = {payload, payload + f.head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
    buffer_add(&head, payload, (size_t)(in.at - payload));
    store_u64(head.data, to->text_size > 0 ? to->text_size : counts.counts.text_size);
    head.data[8] ^= (uint8_t)to->check;
    head.data[18] += (uint8_t)to->plies; /* after the records and games, one byte each */
    counts.counts.text_size = load_u64(head.data);
    counts.counts.plies += to->plies;
    stamma_buffer_add_varint(&head, add_columns(in, (cursor){in.end, payload + f.size, false}, to, &directory, &body));
    buffer_add(&head, directory.data, directory.size);
    stamma_frame_writer_begin(&out, &output, &allocator);
    stamma_frame_writer_add_block(&out, (stamma_text){(const char *)head.data, head.size},
                                  (stamma_text){(const char *)body.data, body.size}, &counts.counts);
    stamma_frame_writer_commit(&out, true);
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    stamma_buffer_release(&head);
    stamma_buffer_release(&directory);
    stamma_buffer_release(&body);
    free(archive.text);
    free(text.text);
    return sink.bytes;
}

static stamma_error recompress(const listing *archive)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    stamma_archive_writer *writer = NULL;
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    stamma_error error = stamma_archive_writer_recompress(writer, reader);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    free(sink.bytes.text);
    return error;
}

static stamma_error read_games(const listing *archive)
{
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    const stamma_archive_game *game = NULL;
    stamma_error error;
    do
        error = stamma_archive_reader_next(reader, &game);
    while (error == STAMMA_OK && game);
    close_reader(reader);
    return error;
}

static void test_forged_blocks(void **state)
{
    (void)state;
    static const struct {
        forgery to;
        stamma_error error;
    } cases[] = {
        {{.text_size = 0}, STAMMA_OK},
        {{.text_size = 11}, STAMMA_ERROR_CORRUPT},
        {{.text_size = 13}, STAMMA_ERROR_CORRUPT},
        {{.check = 1}, STAMMA_ERROR_CORRUPT},
        {{.plies = 1}, STAMMA_ERROR_CORRUPT},
        {{.comment = 1}, STAMMA_ERROR_CORRUPT}, /* another text */
        {{.text_size = 5 * (12 + 3000000), .comment = 3000001, .games = 5}, STAMMA_ERROR_CORRUPT},
        {{.text_size = BLOCK_TEXT_MAX, .comment = 4000000, .games = 5}, STAMMA_ERROR_CORRUPT}, /* too large */
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        listing archive = forged(&cases[n].to), text = {0};
        assert_int_equal(recompress(&archive), cases[n].error);
        assert_int_equal(read_games(&archive), cases[n].error);
        assert_int_equal(unpack(&archive, true, NULL, &text), cases[n].error);
        free(text.text);
        free(archive.text);
    }
}

/* ---- sources ---- */

static void list_source(void *context, const stamma_archive_source *source)
{
    list_format(context, "%.*s ", (int)source->name.size, source->name.data);
}

/* A source must be within the text of the archive. */
static void test_sources(void **state)
{
    (void)state;
    for (unsigned size = 0; size < 3; size++) {
        made m = make_archive();
        listing found = {0};
        make_block(&m);
        make_source(&m, 0, 10, "one", 4);
        make_source(&m, 10, MADE_TEXT - 11 + size, "two", 4);
        make_commit(&m, true);
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &m.bytes, true);
        assert_int_equal(stamma_archive_reader_sources(reader, list_source, &found), STAMMA_OK);
        assert_string_equal(found.text, size < 2 ? "one two " : "one ");
        close_reader(reader);
        free(found.text);
        free(m.bytes.text);
    }
}

/* ---- results ---- */

static void test_results(void **state)
{
    (void)state;
    static const struct {
        const char *tag, *text;
        stamma_result wanted;
    } cases[] = {{"1-0", "0-1", STAMMA_RESULT_WHITE},
                 {"1/2-1/2", "", STAMMA_RESULT_DRAW},
                 {"draw", "0-1", STAMMA_RESULT_BLACK},
                 {"", "", STAMMA_RESULT_UNKNOWN}};
    assert_int_equal(stamma_archive_game_result(NULL), STAMMA_RESULT_UNKNOWN);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const stamma_tag tag = {stamma_text_of("Result"), stamma_text_of(cases[n].tag)};
        const stamma_archive_game game = {.result = stamma_text_of(cases[n].text), .tags = &tag, .tag_count = 1};
        assert_int_equal(stamma_archive_game_result(&game), cases[n].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forged_blocks), cmocka_unit_test(test_sources),
                                       cmocka_unit_test(test_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
