/* SPDX-License-Identifier: MIT */
/* Tests writing frames and commits: their places, the number of blocks before a commit, and which bytes must be durable
 * before a commit is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"

/* An output that tracks how many of its bytes are durable. */
typedef struct durable_sink {
    listing bytes;
    size_t durable;
    unsigned syncs;
    unsigned commits;
} durable_sink;

static bool take(void *context, const void *bytes, size_t size)
{
    durable_sink *sink = context;
    list_bytes(&sink->bytes, bytes, size);
    bool ends = sink->bytes.size >= 8 && memcmp(sink->bytes.text + sink->bytes.size - 8, "StEndCmt", 8) == 0;
    if (ends)
        assert_int_equal(sink->bytes.size - sink->durable, 8);
    sink->commits += ends;
    return true;
}

static bool make_durable(void *context)
{
    durable_sink *sink = context;
    sink->durable = sink->bytes.size;
    sink->syncs++;
    return true;
}

static const stamma_archive_counts counts_of_block = {.games = 2, .plies = 9, .text_size = 40, .verbatim_bytes = 3};

static void add_blocks(frame_writer *w, unsigned count)
{
    for (; count > 0; count--)
        stamma_frame_writer_add_block(w, (stamma_text){"head", 4}, (stamma_text){"columns", 7}, &counts_of_block);
}

/* Reads the commit at the end of the bytes, with offsets of blocks as in a first commit. */
static commit last_commit(const listing *bytes, const stamma_allocator *allocator)
{
    const uint8_t *data = (const uint8_t *)bytes->text;
    uint64_t offset = load_u64(data + bytes->size - 16);
    commit c = {.start = 0};
    frame f;
    assert_int_equal(stamma_frame_read(data + offset, &f), STAMMA_OK);
    assert_int_equal(f.type, FRAME_COMMIT);
    c.id = f.id;
    assert_int_equal(offset + FRAME_HEADER_SIZE + f.size, bytes->size);
    assert_int_equal(stamma_commit_read(data + offset + FRAME_HEADER_SIZE, f.size, &c, allocator), STAMMA_OK);
    assert_int_equal(c.offset, offset);
    return c;
}

static void test_commits_are_durable_before_they_are_commits(void **state)
{
    (void)state;
    durable_sink sink = {.durable = 0};
    stamma_output output = {&sink, take, make_durable};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer w;
    stamma_frame_writer_begin(&w, &output, &allocator);
    add_blocks(&w, 2 * COMMIT_INTERVAL + 1);
    assert_int_equal(sink.commits, 2);
    stamma_frame_writer_commit(&w, true);
    assert_int_equal(w.error, STAMMA_OK);
    assert_int_equal(sink.commits, 3);
    assert_int_equal(sink.syncs, 6);
    assert_int_equal(sink.durable, sink.bytes.size);
    assert_int_equal(w.at, sink.bytes.size);
    commit c = last_commit(&sink.bytes, &allocator);
    assert_true(c.finished);
    assert_int_equal(c.blocks, 2 * COMMIT_INTERVAL + 1);
    assert_int_equal(c.totals.games, 2 * (2 * COMMIT_INTERVAL + 1));
    assert_int_equal(c.places.count, 1);
    assert_int_equal(c.places.places[0].text_size, 40);
    memory_release(&allocator, c.places.places);
    stamma_frame_writer_release(&w);
    free(sink.bytes.text);
}

/* Frames after a commit continue its counts, and tables continue the tables before it. The bytes equal the bytes of a
 * single writer. */
static void test_follow(void **state)
{
    (void)state;
    static const unsigned sizes[] = {TABLE_BLOCKS + 2, TABLE_BLOCKS - 1, 2, TABLE_BLOCKS, 3 * TABLE_BLOCKS};
    /* 10 blocks have a table; 7 more blocks have no table; with 2 more they have one; 8 more have another; the table of
     * 24 blocks includes all */
    static const unsigned tables[] = {1, 1, 2, 3, 1};
    enum { PARTS = sizeof sizes / sizeof *sizes };
    durable_sink whole = {.durable = 0}, parts = {.durable = 0};
    stamma_output whole_output = {&whole, take, make_durable}, parts_output = {&parts, take, make_durable};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer one, next[PARTS];
    stamma_frame_writer_begin(&one, &whole_output, &allocator);
    for (unsigned i = 0; i < PARTS; i++) {
        if (i == 0) {
            stamma_frame_writer_begin(&next[i], &parts_output, &allocator);
        } else {
            commit last = last_commit(&parts.bytes, &allocator);
            memory_release(&allocator, last.places.places);
            last.start = parts.bytes.size;
            stamma_frame_writer_follow(&next[i], &last, &next[i - 1].table, &parts_output, &allocator);
        }
        add_blocks(&one, sizes[i]);
        add_blocks(&next[i], sizes[i]);
        stamma_frame_writer_commit(&one, true);
        stamma_frame_writer_commit(&next[i], true);
        assert_int_equal(one.table.table_count, tables[i]);
    }
    assert_int_equal(next[PARTS - 1].error, STAMMA_OK);
    assert_int_equal(parts.bytes.size, whole.bytes.size);
    assert_memory_equal(parts.bytes.text, whole.bytes.text, whole.bytes.size);
    stamma_frame_writer_release(&one);
    for (unsigned i = 0; i < PARTS; i++)
        stamma_frame_writer_release(&next[i]);
    free(whole.bytes.text);
    free(parts.bytes.text);
}

/* After the first failure nothing is written. Releasing a writer that never began does nothing. */
static void test_failures(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (unsigned fail_at = 1; fail_at < 40; fail_at++) {
        archive_sink sink = {.fail_at = fail_at};
        stamma_output output = archive_output(&sink);
        frame_writer w;
        stamma_frame_writer_begin(&w, &output, &allocator);
        add_blocks(&w, COMMIT_INTERVAL + 1);
        stamma_frame_writer_commit(&w, true);
        bool failed = sink.writes + sink.syncs == fail_at;
        assert_int_equal(w.error, failed ? STAMMA_ERROR_IO : STAMMA_OK);
        assert_int_equal(failed || sink.writes + sink.syncs == 1 + 3 * (COMMIT_INTERVAL + 1) + 2 + 2 * 5, true);
        stamma_frame_writer_release(&w);
        free(sink.bytes.text);
    }
    frame_writer never = {.allocator = NULL};
    stamma_frame_writer_release(&never);
}

/* Without a list of all blocks before, no table is written. Empty parts of blocks are not written. */
static void test_incomplete_list(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    const block_table none = {.allocator = &allocator};
    const commit last = {.finished = true, .blocks = 1, .start = 100};
    frame_writer w;
    stamma_frame_writer_follow(&w, &last, &none, &output, &allocator);
    stamma_frame_writer_add_block(&w, (stamma_text){"head", 4}, (stamma_text){NULL, 0}, &counts_of_block);
    assert_int_equal(sink.writes, 2);
    add_blocks(&w, TABLE_BLOCKS);
    stamma_frame_writer_commit(&w, true);
    assert_int_equal(w.error, STAMMA_OK);
    assert_int_equal(w.table.table_count, 0);
    for (size_t at = 0; at + 4 <= sink.bytes.size; at++)
        assert_false(memcmp(sink.bytes.text + at, "sFrm", 4) == 0 && sink.bytes.text[at + 4] == FRAME_TABLE);
    stamma_frame_writer_release(&w);
    free(sink.bytes.text);
}

/* After a failure, no source is written. */
static void test_source_after_failure(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    archive_sink sink = {.fail_at = 2};
    const stamma_output output = archive_output(&sink);
    const stamma_archive_source source = {.name = {"name", 4}};
    frame_writer w;
    stamma_frame_writer_begin(&w, &output, &allocator);
    stamma_frame_writer_add_source(&w, &source);
    assert_int_equal(w.error, STAMMA_ERROR_IO);
    stamma_frame_writer_add_source(&w, &source);
    assert_int_equal(sink.writes, 2);
    stamma_frame_writer_release(&w);
    free(sink.bytes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commits_are_durable_before_they_are_commits),
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_incomplete_list),
        cmocka_unit_test(test_source_after_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
