/* Tests opening by tables of blocks: the number of reads, tables that contradict the blocks, and damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appended_archive.h"

/* Returns an archive of equal blocks with one game each, committed after each `run` of blocks. */
static listing many_blocks(unsigned blocks, unsigned run)
{
    listing one = pack("1. e4 e5 *\n", 11, NULL);
    const char *payload = one.text + ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE;
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer out;
    frame f;
    block_counts head;
    assert_int_equal(stamma_frame_read((const uint8_t *)one.text + ARCHIVE_HEADER_SIZE, &f), STAMMA_OK);
    cursor in = {(const uint8_t *)payload, (const uint8_t *)payload + f.head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &head), STAMMA_OK);
    stamma_frame_writer_begin(&out, &output, &allocator);
    for (unsigned i = 0; i < blocks; i++) {
        stamma_frame_writer_add_block(&out, (stamma_text){payload, f.head_size},
                                      (stamma_text){payload + f.head_size, (size_t)f.size - f.head_size}, &head.counts);
        if ((i + 1) % run == 0 || i + 1 == blocks)
            stamma_frame_writer_commit(&out, true);
    }
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    free(one.text);
    return sink.bytes;
}

/* ---- reads ---- */

static stamma_archive_reader *open_counted(archive_source *source, const listing *archive, bool sized)
{
    *source = (archive_source){.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_input input = archive_input(source, true);
    if (!sized)
        input.size = NULL;
    stamma_archive_reader *reader;
    assert_int_equal(stamma_archive_reader_open(&input, NULL, &reader), STAMMA_OK);
    return reader;
}

/* Opens an archive and returns the number of calls of read and seek. Each game is found. */
static unsigned count_calls(unsigned blocks, unsigned run, bool sized)
{
    listing archive = many_blocks(blocks, run);
    archive_source source;
    stamma_archive_reader *reader = open_counted(&source, &archive, sized);
    unsigned calls = (unsigned)source.calls;
    for (uint64_t number = 1; number <= blocks; number += 1 + blocks / 7) {
        const stamma_archive_game *game;
        unsigned before = (unsigned)source.calls;
        assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_true(game && game->number == number && game->text.size == 11);
        assert_true((unsigned)source.calls - before <= 4);
    }
    stamma_archive_counts counts;
    assert_int_equal(stamma_archive_reader_totals(reader, &counts), STAMMA_OK);
    assert_true(counts.games == blocks && counts.bytes_in == 11 * blocks && counts.bytes_out == archive.size);
    stamma_archive_reader_close(reader);
    free(archive.text);
    return calls;
}

static void opening_needs_few_reads(void **state)
{
    (void)state;
    assert_true(count_calls(3000, 3000, false) > 3000);
    assert_true(count_calls(9, 9, true) <= 8);
    assert_int_equal(count_calls(3000, 3000, true), count_calls(300, 300, true));
    assert_true(count_calls(3000, 3000, true) <= 10);
    assert_true(count_calls(3000, 1, true) < 60); /* appended one by one: several tables, and blocks without one */
    assert_true(count_calls(2999, 7, true) < 80);
}

/* ---- tables that contradict the blocks ---- */

typedef struct forgery {
    size_t block;
    int64_t offset, size, games, text;
} forgery;

/* Replaces the table before the last commit, by one with other numbers and correct checksums. */
static void forge(listing *archive, const forgery *f, size_t count)
{
    uint8_t *bytes = (uint8_t *)archive->text;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    size_t commit = (size_t)load_u64(bytes + archive->size - 16), at = (size_t)load_u64(bytes + commit - 16);
    block_table t = {.allocator = &allocator};
    buffer payload = {.allocator = &allocator};
    stored_table stored;
    frame header;
    assert_int_equal(stamma_frame_read(bytes + at, &header), STAMMA_OK);
    assert_int_equal(header.type, FRAME_TABLE);
    uint8_t *old = bytes + at + FRAME_HEADER_SIZE;
    assert_int_equal(stamma_table_read(old, (size_t)header.size, &stored, &t), STAMMA_OK);
    assert_int_equal(stored.first, 0);
    for (size_t i = 0; i < count; i++) {
        table_entry *e = &t.entries[f[i].block];
        e->offset += (uint64_t)f[i].offset;
        e->size += (uint64_t)f[i].size;
        e->games += (uint64_t)f[i].games;
        e->text_size += (uint64_t)f[i].text;
    }
    stamma_table_write(&t, at, &payload);
    assert_int_equal(payload.size, header.size);
    memcpy(old, payload.data, payload.size);
    header.head_check = stamma_check32(old, payload.size);
    stamma_frame_write(&header, bytes + at);
    stamma_buffer_release(&payload);
    stamma_table_release(&t);
}

static void list_damage(void *context, const stamma_archive_damage *d)
{
    list_format(context, "%d at %zu+%zu games %u\n", (int)d->kind, (size_t)d->offset, (size_t)d->size,
                (unsigned)d->first_game);
}

/* Reads all games from game `first` on, and lists the damage. Returns the error. */
static stamma_error read_all(const listing *archive, bool sized, uint64_t first, listing *text, listing *damage)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_input input = archive_input(&source, true);
    stamma_archive_reader_options options = {.size = sizeof options, .context = damage};
    stamma_archive_reader *reader;
    const stamma_archive_game *game;
    options.damage = damage ? list_damage : NULL;
    input.size = sized ? input.size : NULL;
    stamma_error error = stamma_archive_reader_open(&input, &options, &reader);
    if (error != STAMMA_OK)
        return error;
    error = stamma_archive_reader_seek(reader, first);
    do {
        game = NULL;
        if (error == STAMMA_OK)
            error = stamma_archive_reader_next(reader, &game);
        if (game)
            list_bytes(text, game->text.data, game->text.size);
    } while (game);
    stamma_archive_reader_close(reader);
    return error;
}

/* A table is never trusted: all games are read from their blocks, and the table is reported. */
static void tables_that_contradict_the_blocks(void **state)
{
    (void)state;
    static const forgery forgeries[][2] = {
        {{3, .games = 1}, {4, .games = -1}},
        {{0, .text = 7}, {8, .text = -7}},
        {{5, .offset = 1, .size = -1}, {5, 0, 0, 0, 0}},
        {{5, .size = -3}, {6, .offset = -3, .size = 3}},
        {{2, .offset = 32, .size = -32}, {2, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++)
        for (uint64_t first = 1; first < 9; first += 3) {
            listing archive = many_blocks(9, 9), text = {0}, damage = {0};
            forge(&archive, forgeries[i], 2);
            assert_int_equal(read_all(&archive, true, first, &text, NULL), STAMMA_ERROR_CORRUPT);
            assert_int_equal(text.size, 11 * (9 - first + 1));
            text.size = 0;
            assert_int_equal(read_all(&archive, true, first, &text, &damage), STAMMA_OK);
            assert_int_equal(text.size, 11 * (9 - first + 1));
            assert_non_null(damage.text);
            assert_int_equal(strtol(damage.text, NULL, 10), STAMMA_DAMAGE_TABLE);
            assert_ptr_equal(strchr(damage.text, '\n') + 1, damage.text + damage.size);
            free(damage.text);
            free(text.text);
            free(archive.text);
        }
}

/* ---- damage ---- */

/* Whatever is damaged, the same games are read as after a scan, and the same damage is reported, though later. */
static void damage_is_found_as_by_a_scan(void **state)
{
    (void)state;
    static const unsigned appends[] = {9, 2, 8, 0};
    appended a = make_appended(appends);
    for (size_t bit = 0; bit < 8 * a.archive.size; bit += thinned_step(23)) {
        listing text[2] = {{0}}, damage[2] = {{0}};
        stamma_error errors[2];
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
        for (int sized = 0; sized < 2; sized++) {
            list_word(&text[sized], "");
            list_word(&damage[sized], "");
            errors[sized] = read_all(&a.archive, sized, 1, &text[sized], &damage[sized]);
        }
        assert_int_equal(errors[0], errors[1]);
        assert_string_equal(text[0].text, text[1].text);
        assert_string_equal(damage[0].text, damage[1].text);
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
        for (int sized = 0; sized < 2; sized++) {
            free(text[sized].text);
            free(damage[sized].text);
        }
    }
    release_appended(&a);
}

/* Damage to other blocks does not concern the games that are read. */
static void other_blocks_are_not_read(void **state)
{
    (void)state;
    listing archive = many_blocks(40, 40);
    size_t at = ARCHIVE_HEADER_SIZE;
    for (unsigned i = 0; i < 20; i++)
        at = next_frame(&archive, at);
    archive.text[at] ^= 1;
    archive_source source;
    stamma_archive_reader *reader = open_counted(&source, &archive, true);
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_seek(reader, 35), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_int_equal(game->number, 35);
    assert_int_equal(stamma_archive_reader_seek(reader, 1), STAMMA_OK);
    stamma_error error = STAMMA_OK;
    for (unsigned games = 0; error == STAMMA_OK && games < 40; games++)
        error = stamma_archive_reader_next(reader, &game);
    assert_int_equal(error, STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_archive_reader_place(reader).offset, at);
    stamma_archive_reader_close(reader);
    free(archive.text);
}

/* A size that is wrong, or bytes after the archive: all frames are scanned. */
static bool wrong_size(void *context, uint64_t *size)
{
    *size = ((const archive_source *)context)->size - 7;
    return true;
}

static bool larger_size(void *context, uint64_t *size)
{
    *size = ((const archive_source *)context)->size + 1000;
    return true;
}

static void wrong_sizes(void **state)
{
    (void)state;
    listing archive = many_blocks(30, 30);
    for (int larger = 0; larger < 2; larger++) {
        archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = 100};
        stamma_input input = archive_input(&source, true);
        uint64_t games;
        stamma_archive_reader *reader;
        input.size = larger ? larger_size : wrong_size;
        assert_int_equal(stamma_archive_reader_open(&input, NULL, &reader), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_game_count(reader, &games), STAMMA_OK);
        assert_int_equal(games, 30);
        stamma_archive_reader_close(reader);
    }
    free(archive.text);
}

static void memory_that_fails(void **state)
{
    (void)state;
    listing archive = many_blocks(40, 7);
    bool done = false;
    for (unsigned fail_at = 1; !done; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        stamma_input input = archive_input(&source, true);
        stamma_archive_reader_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive_reader *reader = NULL;
        stamma_error error = stamma_archive_reader_open(&input, &options, &reader);
        done = error == STAMMA_OK;
        assert_true(done || (error == STAMMA_ERROR_NO_MEMORY && !reader));
        stamma_archive_reader_close(reader);
        assert_int_equal(memory.alive, 0);
    }
    free(archive.text);
}

static void calls_that_fail(void **state)
{
    (void)state;
    listing archive = many_blocks(40, 7);
    bool done = false;
    for (unsigned fail_at = 2; !done; fail_at++) { /* the first call finds out whether the input can seek */
        archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        source.fail_at = fail_at;
        stamma_input input = archive_input(&source, true);
        stamma_archive_reader *reader = NULL;
        stamma_error error = stamma_archive_reader_open(&input, NULL, &reader);
        done = error == STAMMA_OK;
        assert_true(done || (error == STAMMA_ERROR_IO && !reader));
        stamma_archive_reader_close(reader);
    }
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_needs_few_reads),
        cmocka_unit_test(tables_that_contradict_the_blocks),
        cmocka_unit_test(damage_is_found_as_by_a_scan),
        cmocka_unit_test(other_blocks_are_not_read),
        cmocka_unit_test(wrong_sizes),
        cmocka_unit_test(memory_that_fails),
        cmocka_unit_test(calls_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
