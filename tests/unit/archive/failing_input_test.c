/* SPDX-License-Identifier: MIT */
/* Tests archive inputs that fail in one call, or that change while they are read: each operation returns an error
 * instead of failing silently. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appended_archive.h"
#include "archive/block_list.h"
#include "game_texts.h"
#include "memory_file.h"

/* An operation that reads an archive, with random access if `seekable`, otherwise as a stream. Appends its results to
 * `result`. */
typedef stamma_error operation(archive_source *source, bool seekable, listing *result);

/* Fails each call of a source once. */
static void fail_each_call(operation *run, const listing *archive, bool seekable)
{
    listing wanted = {0};
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = 100};
    assert_int_equal(run(&source, seekable, &wanted), STAMMA_OK);
    const unsigned calls = source.calls;
    assert_in_range(calls, 2, 5000);
    for (unsigned fail_at = 1; fail_at <= calls; fail_at++) {
        listing result = {0};
        source = (archive_source){.bytes = archive->text, .size = archive->size, .piece_max = 100, .fail_at = fail_at};
        const stamma_error error = run(&source, seekable, &result);
        if (error != STAMMA_ERROR_IO)
            fail_msg("call %u of %u: error %d", fail_at, calls, (int)error);
        free(result.text);
    }
    free(wanted.text);
}

/* Replaces the file at each call: by an empty file, by its first half, and by zeros. The operation must then return an
 * error, report damage, or return the original results. Missing bytes cannot be read. */
static void change_at_each_call(operation *run, const listing *archive, bool reports)
{
    char *zeros = calloc(1, archive->size);
    assert_non_null(zeros);
    const archive_source sources[] = {{.later = zeros, .later_size = 0},
                                      {.later = archive->text, .later_size = archive->size / 2},
                                      {.later = zeros, .later_size = archive->size}};
    listing wanted = {0};
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = 1000};
    assert_int_equal(run(&source, true, &wanted), STAMMA_OK);
    const unsigned calls = source.calls;
    for (unsigned n = 0; n < 3 * calls; n++) {
        listing result = {0};
        source = sources[n % 3];
        source.bytes = archive->text;
        source.size = archive->size;
        source.piece_max = 1000;
        source.change_at = 1 + n / 3;
        const stamma_error error = run(&source, true, &result);
        const bool same =
            result.size == wanted.size && (wanted.size == 0 || memcmp(result.text, wanted.text, wanted.size) == 0);
        const bool right = error == STAMMA_OK ? reports || same
                                              : error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_NO_ARCHIVE ||
                                                    (error == STAMMA_ERROR_IO && n % 3 < 2);
        if (!right)
            fail_msg("change %u at call %u of %u: error %d", n % 3, source.change_at, calls, (int)error);
        free(result.text);
    }
    free(wanted.text);
    free(zeros);
}

static void list_damage(void *context, const stamma_archive_damage *d)
{
    list_format(context, "%d at %llu\n", (int)d->kind, (unsigned long long)d->offset);
}

/* ---- operations ---- */

static stamma_error read_games(stamma_archive_reader *reader, listing *result)
{
    const stamma_archive_game *game = NULL;
    stamma_error error = stamma_archive_reader_next(reader, &game);
    for (; error == STAMMA_OK && game; error = stamma_archive_reader_next(reader, &game))
        list_bytes(result, game->text.data, game->text.size);
    return error;
}

/* Reads all games, then the last games again. */
static stamma_error read_all(archive_source *source, bool seekable, listing *result)
{
    uint64_t count = 0;
    stamma_archive_reader *reader = NULL;
    const stamma_archive_reader_options options = {.size = sizeof options};
    stamma_error error = open_source(source, seekable, &options, &reader);
    if (error == STAMMA_OK && seekable)
        error = stamma_archive_reader_game_count(reader, &count);
    if (error == STAMMA_OK)
        error = read_games(reader, result);
    for (uint64_t back = 0; seekable && back < 6 && error == STAMMA_OK; back += 5) {
        error = stamma_archive_reader_seek(reader, count - back);
        if (error == STAMMA_OK)
            error = read_games(reader, result);
    }
    close_reader(reader);
    return error;
}

static stamma_error read_on(archive_source *source, bool seekable, listing *result)
{
    stamma_archive_reader *reader = NULL;
    const stamma_archive_reader_options options = {.size = sizeof options, .context = result, .damage = list_damage};
    stamma_error error = open_source(source, seekable, &options, &reader);
    if (error == STAMMA_OK)
        error = read_games(reader, result);
    if (error == STAMMA_OK && seekable)
        error = stamma_archive_reader_seek(reader, 9);
    if (error == STAMMA_OK)
        error = read_games(reader, result);
    close_reader(reader);
    return error;
}

static void list_column(void *context, const stamma_archive_column *column)
{
    list_format(context, "%s %llu\n", column->name, (unsigned long long)column->stored_bytes);
}

static stamma_error sum_up(archive_source *source, bool seekable, listing *result)
{
    stamma_archive_reader *reader = NULL;
    stamma_archive_counts counts = {.games = 77};
    uint64_t reasons[STAMMA_REASON_COUNT + 1] = {0};
    stamma_error error = open_source(source, seekable, NULL, &reader);
    if (error == STAMMA_OK) {
        error = stamma_archive_reader_info(reader, &counts, reasons, STAMMA_REASON_COUNT + 1, list_column, result);
        assert_true(error == STAMMA_OK || counts.games == 77);
    }
    close_reader(reader);
    return error;
}

static stamma_error verify(archive_source *source, bool seekable, listing *result)
{
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    const stamma_archive_verify_options options = {.size = sizeof options, .context = result, .damage = list_damage};
    const stamma_bytes bytes = source_bytes(source);
    const stamma_input stream = source_stream(source);
    stamma_archive *archive = NULL;
    if (!seekable)
        return stamma_archive_verify_stream(&stream, &options, &verdict);
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (error == STAMMA_OK)
        error = stamma_archive_verify(archive, &options, &verdict);
    stamma_archive_close(archive);
    return error;
}

static stamma_error repair(archive_source *source, bool seekable, listing *result)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    const stamma_archive_repair_options options = {.size = sizeof options, .context = result, .damage = list_damage};
    stamma_archive_repair_result repaired = {.size = sizeof repaired};
    const stamma_bytes bytes = source_bytes(source);
    assert_true(seekable);
    const stamma_error error = stamma_archive_repair(&bytes, &output, &options, &repaired);
    free(sink.bytes.text);
    return error;
}

static stamma_error copy(archive_source *source, bool seekable, listing *result, bool again)
{
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    const stamma_output output = listing_output(result);
    stamma_error error = open_source(source, seekable, NULL, &reader);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_open(&output, NULL, &writer);
    if (error == STAMMA_OK)
        error = again ? stamma_archive_writer_recompress(writer, reader) : stamma_archive_writer_copy(writer, reader);
    assert_int_equal(error == STAMMA_OK ? stamma_archive_writer_finish(writer, NULL) : error, error);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    return error;
}

static stamma_error copy_blocks(archive_source *source, bool seekable, listing *result)
{
    return copy(source, seekable, result, false);
}

static stamma_error recompress(archive_source *source, bool seekable, listing *result)
{
    return copy(source, seekable, result, true);
}

/* Lists the blocks, and reads each of them twice. */
static stamma_error list_blocks(archive_source *source, listing *result, bool to_end)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const stamma_bytes bytes = source_bytes(source);
    block_list list = {.places = NULL};
    buffer payload = {.allocator = &allocator};
    found_block found;
    stamma_error error = (to_end ? stamma_block_list_read : stamma_block_list_open)(&list, &bytes, &allocator);
    for (size_t n = 0; n < list.count && error == STAMMA_OK; n++) {
        error = stamma_block_find_head(&list.places[n], &bytes, &payload, &found);
        if (error == STAMMA_OK)
            error = stamma_block_find(&list.places[n], &bytes, &payload, &found);
        if (error == STAMMA_OK)
            list_bytes(result, (const char *)found.payload, found.size);
    }
    stamma_buffer_release(&payload);
    stamma_block_list_release(&list, &allocator);
    return error == STAMMA_OK ? list.end : error;
}

static stamma_error list_all_blocks(archive_source *source, bool seekable, listing *result)
{
    assert_true(seekable);
    return list_blocks(source, result, true);
}

static stamma_error list_blocks_of_tables(archive_source *source, bool seekable, listing *result)
{
    assert_true(seekable);
    return list_blocks(source, result, false);
}

/* ---- archives ---- */

static const unsigned appends[] = {1, 9, 3, 7, 0};

static void sound_archives(void **state)
{
    (void)state;
    static operation *const all[] = {read_all, read_on, sum_up, verify, repair, copy_blocks, recompress};
    appended a = make_appended(appends);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fail_each_call(all[i], &a.archive, true);
    static operation *const piped[] = {read_all, read_on, sum_up, verify, copy_blocks, recompress};
    for (size_t i = 0; i < sizeof piped / sizeof *piped; i++)
        fail_each_call(piped[i], &a.archive, false);
    release_appended(&a);
}

static void lists_of_blocks(void **state)
{
    (void)state;
    appended a = make_appended(appends);
    fail_each_call(list_all_blocks, &a.archive, true);
    fail_each_call(list_blocks_of_tables, &a.archive, true);
    release_appended(&a);
}

/* Recomputes the checksum of a block's head. */
static void check_head_again(char *bytes)
{
    frame f;
    assert_int_equal(stamma_frame_read((const uint8_t *)bytes, &f), STAMMA_OK);
    f.head_check = stamma_check32(bytes + FRAME_HEADER_SIZE, f.head_size);
    stamma_frame_write(&f, (uint8_t *)bytes);
}

/* Damages a byte of a head, a column, the headers of a block and of a commit, and the checksum of a block's text. */
static void damaged_archives(void **state)
{
    (void)state;
    enum { COLUMN = 3, TEXT_CHECK = FRAME_HEADER_SIZE + 8 };
    static operation *const all[] = {read_on, verify, repair};
    static const size_t places[] = {0, FRAME_HEADER_SIZE, FRAME_HEADER_SIZE + 150, COLUMN, TEXT_CHECK};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        appended a = make_appended(appends);
        const unsigned frames[] = {5, 9};
        for (unsigned k = 0; k < 2; k++) {
            char *frame = a.archive.text + a.frames[frames[k]];
            const size_t head = load_u32((const uint8_t *)frame + 16);
            frame[places[i] == COLUMN ? FRAME_HEADER_SIZE + head : places[i]] ^= 1;
            if (places[i] == TEXT_CHECK)
                check_head_again(frame);
        }
        for (size_t n = 0; n < sizeof all / sizeof *all; n++)
            fail_each_call(all[n], &a.archive, true);
        release_appended(&a);
    }
}

/* The end of the last commit is damaged, or the file ends before it. */
static void damaged_ends(void **state)
{
    (void)state;
    static operation *const all[] = {read_on, verify, repair};
    for (int cut = 0; cut < 2; cut++) {
        appended a = make_appended(appends);
        if (cut)
            a.archive.size = a.frames[a.frame_count - 2];
        a.archive.text[a.archive.size - 1] ^= 1;
        for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
            fail_each_call(all[n], &a.archive, true);
            change_at_each_call(all[n], &a.archive, true);
        }
        release_appended(&a);
    }
}

/* A part of an archive with one commit is not an archive. */
static void archives_that_change(void **state)
{
    (void)state;
    static const unsigned once[] = {10, 0};
    static operation *const all[] = {read_all, sum_up, copy_blocks, recompress, read_on, verify, repair};
    appended a = make_appended(once);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        change_at_each_call(all[n], &a.archive, n >= 4);
    release_appended(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_archives), cmocka_unit_test(lists_of_blocks),      cmocka_unit_test(damaged_archives),
        cmocka_unit_test(damaged_ends),   cmocka_unit_test(archives_that_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
