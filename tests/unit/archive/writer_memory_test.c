/* SPDX-License-Identifier: MIT */
/* Tests writers that run out of memory or fail between blocks, and the memory limit of several jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive/archive.h"
#include "archive/pack_job.h"
#include "executors.h"

/* Packs a text. Returns the first error. */
static stamma_error pack_with(const listing *text, const stamma_archive_writer_options *options, listing *archive)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer = NULL;
    stamma_error error = stamma_archive_writer_open(&output, options, &writer);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_write(writer, text->text, text->size);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    *archive = sink.bytes;
    return error;
}

static void expect_text(const listing *text, stamma_archive_writer_options options)
{
    listing archive;
    options.size = sizeof options;
    assert_int_equal(pack_with(text, &options, &archive), STAMMA_OK);
    assert_gives_back(&archive, text->text, text->size);
    free(archive.text);
}

/* Returns text of two blocks. The second block has one record. */
static listing two_blocks(void)
{
    listing text = {0};
    for (unsigned n = 0; n < 65537; n++)
        list_bytes(&text, "* ", 2);
    return text;
}

/* ---- level 3 with an executor ---- */

/* The executor codes half of a block's moves only if there is no other block. */
static void test_level_3(void **state)
{
    (void)state;
    listing text = two_blocks(), large = {0};
    if (stamma_predictor_id() == 0)
        skip();
    expect_text(&text, (stamma_archive_writer_options){.level = 3, .executor = &immediate_executor});
    expect_text(&text, (stamma_archive_writer_options){.level = 3, .memory = 1});
    expect_text(&text, (stamma_archive_writer_options){.level = 3, .memory = 1, .executor = &immediate_executor});
    for (unsigned n = 0; n < 112000; n++) /* more text than is collected for a block */
        list_format(&large, "%0*u", 200, n);
    assert_true(large.size > PACK_JOB_TEXT);
    expect_text(&large, (stamma_archive_writer_options){.level = 3, .executor = &immediate_executor});
    free(large.text);
    free(text.text);
}

/* ---- memory ---- */

static void test_no_memory_of_jobs(void **state)
{
    (void)state;
    listing text = {0};
    list_word(&text, "1. e4 * 1. d4 *\n");
    bool failed = true;
    for (unsigned fail_at = 1; failed; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_writer_options options = {
            .size = sizeof options, .allocator = &allocator, .executor = &immediate_executor};
        listing archive;
        stamma_error error = pack_with(&text, &options, &archive);
        failed = memory.calls >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        assert_int_equal(memory.alive, 0);
        free(archive.text);
    }
    free(text.text);
}

/* An executor that notes when the first block is started. */
typedef struct noting {
    lazy lazy;
    failing_memory memory;
    unsigned calls;
} noting;

static void start_noting(void *context, void (*work)(void *argument), void *argument)
{
    noting *n = context;
    n->calls = n->calls == 0 ? n->memory.calls : n->calls;
    start_lazy(&n->lazy, work, argument);
}

static void wait_noting(void *context, void *argument)
{
    wait_lazy(&((noting *)context)->lazy, argument);
}

/* The text after the first block is moved to the next job. */
static void test_no_memory_for_the_next_block(void **state)
{
    (void)state;
    listing text = two_blocks();
    unsigned calls = 0;
    for (unsigned round = 0; round < 2; round++) {
        noting n = {.memory.fail_at = round == 0 ? 0 : calls + 1};
        const stamma_allocator allocator = failing_allocator(&n.memory);
        const stamma_executor executor = {&n, 3, start_noting, wait_noting};
        const stamma_archive_writer_options options = {
            .size = sizeof options, .allocator = &allocator, .executor = &executor};
        listing archive;
        assert_int_equal(pack_with(&text, &options, &archive), round == 0 ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
        calls = n.calls;
        assert_int_equal(n.lazy.waiting, 0);
        assert_int_equal(n.memory.alive, 0);
        free(archive.text);
    }
    free(text.text);
}

/* The main lines of the first lane, some of them as codes, are coded after the work for the second lane was started. */
static void test_no_memory_for_lanes(void **state)
{
    (void)state;
    listing text = {0};
    unsigned calls = 0, failures = 0;
    if (stamma_predictor_id() == 0)
        skip();
    list_word(&text, "1. e4 -- 2. d4 -- 3. d5 *\n");
    for (unsigned n = 0; n < 30; n++)
        list_word(&text, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n");
    for (unsigned round = 0; round < 8; round++) {
        noting n = {.memory.fail_at = round == 0 ? 0 : calls + round};
        const stamma_allocator allocator = failing_allocator(&n.memory);
        const stamma_executor executor = {&n, 3, start_noting, wait_noting};
        const stamma_archive_writer_options options = {
            .size = sizeof options, .allocator = &allocator, .executor = &executor, .level = 3, .no_check = true};
        listing archive;
        const stamma_error error = pack_with(&text, &options, &archive);
        assert_true(error == STAMMA_OK || (round > 0 && error == STAMMA_ERROR_NO_MEMORY));
        failures += error != STAMMA_OK;
        calls = n.calls;
        assert_int_equal(n.memory.alive, 0);
        free(archive.text);
    }
    assert_true(failures > 2);
    free(text.text);
}

/* Fails for sizes of a complete block. */
static void *small_allocate(void *context, size_t size)
{
    (void)context;
    return size < BLOCK_TEXT_MAX ? malloc(size) : NULL;
}

static void *small_resize(void *context, void *block, size_t size)
{
    (void)context;
    return size < BLOCK_TEXT_MAX ? realloc(block, size) : NULL;
}

static void small_release(void *context, void *block)
{
    (void)context;
    free(block);
}

/* The text of a block is kept until it is complete. */
static void test_no_memory_for_a_large_block(void **state)
{
    (void)state;
    const stamma_allocator allocator = {NULL, small_allocate, small_resize, small_release};
    const stamma_archive_writer_options options = {.size = sizeof options, .allocator = &allocator};
    listing text = {0}, archive;
    for (unsigned n = 0; n < 3000; n++)
        list_format(&text, "{%0*u} *\n", 200, n);
    assert_int_equal(pack_with(&text, &options, &archive), STAMMA_ERROR_NO_MEMORY);
    free(archive.text);
    text.size = 100000;
    assert_int_equal(pack_with(&text, &options, &archive), STAMMA_OK);
    free(archive.text);
    free(text.text);
}

/* ---- copies ---- */

/* The text before a copy is written first. */
static void test_copy_after_a_failed_write(void **state)
{
    (void)state;
    listing other = pack("1. d4 *\n", 8, NULL);
    for (unsigned recompress = 0; recompress < 2; recompress++) {
        bool failed = true;
        for (unsigned fail_at = 2; failed; fail_at++) { /* the first write is the header */
            archive_sink sink = {.fail_at = fail_at};
            const stamma_output output = archive_output(&sink);
            archive_source source;
            stamma_archive_reader *reader = open_archive(&source, &other, true);
            stamma_archive_writer *writer = NULL;
            assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
            assert_int_equal(stamma_archive_writer_write(writer, "1. e4 *\n", 8), STAMMA_OK);
            stamma_error error = recompress ? stamma_archive_writer_recompress(writer, reader)
                                            : stamma_archive_writer_copy(writer, reader);
            failed = sink.writes >= fail_at;
            assert_int_equal(error, failed ? STAMMA_ERROR_IO : STAMMA_OK);
            stamma_archive_writer_close(writer);
            close_reader(reader);
            free(sink.bytes.text);
        }
    }
    free(other.text);
}

/* Recompresses an input that continues in the next block. */
static void test_recompressed_blocks(void **state)
{
    (void)state;
    listing text = two_blocks(), archive = pack(text.text, text.size, NULL);
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    stamma_archive_writer *writer = NULL;
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_recompress(writer, reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    assert_int_equal(sink.bytes.size, archive.size);
    assert_memory_equal(sink.bytes.text, archive.text, archive.size);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    free(sink.bytes.text);
    free(archive.text);
    free(text.text);
}

static bool stop(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return --*(unsigned *)context > 0;
}

static void skip_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

/* The callback of the reader stops a copy after each block. */
static void test_cancelled(void **state)
{
    (void)state;
    listing part = pack("1. d4 *\n", 8, NULL), parts[3] = {part, part, part}, other = copy_archives(parts, 3, NULL);
    for (unsigned way = 0; way < 6; way++) {
        archive_source source = {.bytes = other.text, .size = other.size, .piece_max = SIZE_MAX};
        archive_sink sink = {.fail_at = 0};
        const stamma_output output = archive_output(&sink);
        unsigned left = 1 + way / 2;
        const stamma_archive_reader_options options = {.size = sizeof options, .context = &left, .progress = stop};
        stamma_archive_reader *reader = NULL;
        stamma_archive_writer *writer = NULL;
        assert_int_equal(open_source(&source, true, &options, &reader), STAMMA_OK);
        assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
        assert_int_equal(way % 2 ? stamma_archive_writer_recompress(writer, reader)
                                 : stamma_archive_writer_copy(writer, reader),
                         STAMMA_ERROR_CANCELLED);
        stamma_archive_writer_close(writer);
        close_reader(reader);
        free(sink.bytes.text);
    }
    const stamma_archive_reader_options on = {.size = sizeof on, .damage = skip_damage};
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    assert_int_equal(open_bytes(other.text, other.size, &on, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_recompress(writer, reader), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    free(sink.bytes.text);
    free(other.text);
    free(part.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level_3),
        cmocka_unit_test(test_no_memory_of_jobs),
        cmocka_unit_test(test_no_memory_for_the_next_block),
        cmocka_unit_test(test_no_memory_for_lanes),
        cmocka_unit_test(test_no_memory_for_a_large_block),
        cmocka_unit_test(test_copy_after_a_failed_write),
        cmocka_unit_test(test_recompressed_blocks),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
