/* SPDX-License-Identifier: MIT */
/* Tests opening by tables of blocks: the number of reads, tables that contradict the blocks, and damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appended_archive.h"
#include "archive/reader.h"
#include "made_archive.h"

/* Returns an archive of equal blocks of one game, with a commit after every `run` blocks. */
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

/* Opens a reader without an archive, so that only its calls are counted. */
static stamma_archive_reader *open_counted(archive_source *source, const listing *archive)
{
    *source = (archive_source){.bytes = archive->text, .size = archive->size};
    const stamma_bytes bytes = source_bytes(source);
    stamma_archive_reader *reader;
    assert_int_equal(stamma_reader_open_bytes(&bytes, NULL, NULL, &reader), STAMMA_OK);
    return reader;
}

/* Opens an archive and returns the number of reads; `scan`: with a scan of all frames. Each game is found. */
static unsigned count_calls(unsigned blocks, unsigned run, bool scan)
{
    listing archive = many_blocks(blocks, run);
    archive_source source;
    stamma_archive_reader *reader = open_counted(&source, &archive);
    assert_int_equal(scan ? stamma_reader_scan_frames(reader, 1) : STAMMA_OK, STAMMA_OK);
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
    assert_true(counts.games == blocks && counts.text_size == 11 * blocks && counts.archive_size == archive.size);
    close_reader(reader);
    free(archive.text);
    return calls;
}

static void opening_needs_few_reads(void **state)
{
    (void)state;
    assert_true(count_calls(3000, 3000, true) > 3000);
    assert_true(count_calls(9, 9, false) <= 8);
    assert_int_equal(count_calls(3000, 3000, false), count_calls(300, 300, false));
    assert_true(count_calls(3000, 3000, false) <= 10);
    assert_true(count_calls(3000, 1, false) < 60); /* appended one by one: several tables, and blocks without a table */
    assert_true(count_calls(2999, 7, false) < 80);
}

/* ---- tables that contradict the blocks ---- */

typedef struct forgery {
    size_t block;
    int64_t offset, size, games, text;
} forgery;

/* Replaces the table before the last commit, by a table with other numbers and correct checksums. */
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

/* Reads all games from game `first` on, and lists the damage; `scan`: after a scan of all frames. Returns the error. */
static stamma_error read_all(const listing *archive, bool scan, uint64_t first, listing *text, listing *damage)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_archive_reader_options options = {.size = sizeof options, .context = damage};
    stamma_archive_reader *reader;
    const stamma_archive_game *game;
    options.damage = damage ? list_damage : NULL;
    stamma_error error = open_source(&source, true, &options, &reader);
    if (error != STAMMA_OK)
        return error;
    if (scan)
        error = stamma_reader_scan_frames(reader, 1);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_seek(reader, first);
    do {
        game = NULL;
        if (error == STAMMA_OK)
            error = stamma_archive_reader_next(reader, &game);
        if (game)
            list_bytes(text, game->text.data, game->text.size);
    } while (game);
    close_reader(reader);
    return error;
}

/* If a table contradicts the blocks, all games are still read from their blocks, and the table is reported. */
static void tables_that_contradict_the_blocks(void **state)
{
    (void)state;
    static const forgery forgeries[][2] = {
        {{3, .games = 1}, {4, .games = -1}},
        {{0, .text = 7}, {8, .text = -7}},
        {{5, .offset = 1, .size = -1}, {5, 0, 0, 0, 0}},
        {{5, .size = -3}, {6, .offset = -3, .size = 3}},
        {{2, .offset = 32, .size = -32}, {2, 0, 0, 0, 0}},
        {{8, .size = -1}, {8, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++)
        for (uint64_t first = 1; first < 9; first += 3) {
            listing archive = many_blocks(9, 9), text = {0}, damage = {0};
            forge(&archive, forgeries[i], 2);
            assert_int_equal(read_all(&archive, false, first, &text, NULL), STAMMA_ERROR_CORRUPT);
            assert_int_equal(text.size, 11 * (9 - first + 1));
            text.size = 0;
            assert_int_equal(read_all(&archive, false, first, &text, &damage), STAMMA_OK);
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

/* Whichever part is damaged, the same games are read and the same damage is reported as after a scan. The damage may be
 * reported later. */
static void compare_damage(const unsigned *appends)
{
    appended a = make_appended(appends);
    for (size_t bit = 0; bit < 8 * a.archive.size; bit += thinned_step(23)) {
        listing text[2] = {{0}}, damage[2] = {{0}};
        stamma_error errors[2];
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
        for (int scan = 0; scan < 2; scan++) {
            list_word(&text[scan], "");
            list_word(&damage[scan], "");
            errors[scan] = read_all(&a.archive, scan, 1, &text[scan], &damage[scan]);
        }
        assert_int_equal(errors[0], errors[1]);
        assert_string_equal(text[0].text, text[1].text);
        assert_string_equal(damage[0].text, damage[1].text);
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
        for (int scan = 0; scan < 2; scan++) {
            free(text[scan].text);
            free(damage[scan].text);
        }
    }
    release_appended(&a);
}

/* The last commit has a table, or blocks without a table. */
static void damage_is_found_as_by_a_scan(void **state)
{
    (void)state;
    compare_damage((const unsigned[]){9, 2, 8, 0});
    compare_damage((const unsigned[]){8, 2, 0});
}

/* Damage to other blocks does not affect the games that are read. */
static void other_blocks_are_not_read(void **state)
{
    (void)state;
    listing archive = many_blocks(40, 40);
    size_t at = ARCHIVE_HEADER_SIZE;
    for (unsigned i = 0; i < 20; i++)
        at = next_frame(&archive, at);
    archive.text[at] ^= 1;
    archive_source source;
    stamma_archive_reader *reader = open_counted(&source, &archive);
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
    close_reader(reader);
    free(archive.text);
}

/* With bytes after the archive, or without its last byte, all frames are scanned. */
static void other_sizes(void **state)
{
    (void)state;
    static const char zeros[1000];
    for (int larger = 0; larger < 2; larger++) {
        listing archive = many_blocks(30, 30), damage = {0};
        if (larger)
            list_bytes(&archive, zeros, sizeof zeros);
        else
            archive.size--;
        const stamma_archive_reader_options options = {
            .size = sizeof options, .context = &damage, .damage = list_damage};
        stamma_archive_reader *reader;
        uint64_t games;
        assert_int_equal(open_bytes(archive.text, archive.size, &options, &reader), STAMMA_OK);
        assert_false(reader->by_table);
        assert_int_equal(reader->place_count, 30);
        assert_int_equal(stamma_archive_reader_game_count(reader, &games), STAMMA_OK);
        assert_int_equal(games, 30);
        close_reader(reader);
        free(damage.text);
        free(archive.text);
    }
}

/* An archive with a table far before the end of the file, and with its last commit far after the previous commit. */
static listing large_archive(bool many)
{
    if (many)
        return many_blocks(3000, 7);
    listing archive = many_blocks(9, 9);
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    static char body[100000];
    const size_t first = ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE;
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    frame f;
    block_counts head;
    frame_writer out;
    commit last = {.start = archive.size, .blocks = 9};
    block_table table = {.allocator = &allocator};
    assert_int_equal(stamma_frame_read((const uint8_t *)archive.text + ARCHIVE_HEADER_SIZE, &f), STAMMA_OK);
    cursor in = {(const uint8_t *)archive.text + first, (const uint8_t *)archive.text + first + f.head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &head), STAMMA_OK);
    last.id = f.id;
    last.finished = true;
    last.totals.games = 9;
    last.totals.plies = 9 * head.counts.plies;
    last.totals.text_size = 9 * head.counts.text_size;
    last.offset = (size_t)load_u64((const uint8_t *)archive.text + archive.size - 16);
    stamma_frame_writer_follow(&out, &last, &table, &output, &allocator);
    stamma_frame_writer_add_block(&out, (stamma_text){archive.text + first, f.head_size},
                                  (stamma_text){body, sizeof body}, &head.counts);
    stamma_frame_writer_commit(&out, true);
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    list_bytes(&archive, sink.bytes.text, sink.bytes.size);
    free(sink.bytes.text);
    return archive;
}

/* Returns the error of opening an archive, or, if opening succeeds, the error that will end reading, as far as it is
 * known. */
static stamma_error open_failing(const listing *archive, archive_source *source, const stamma_allocator *allocator,
                                 bool *by_table)
{
    source->bytes = archive->text;
    source->size = archive->size;
    source->piece_max = SIZE_MAX;
    const stamma_archive_reader_options options = {.size = sizeof options, .allocator = allocator};
    stamma_archive_reader *reader = NULL;
    stamma_error error = open_source(source, true, &options, &reader);
    assert_int_equal(error == STAMMA_OK, reader != NULL);
    *by_table = reader && reader->by_table;
    if (reader)
        error = reader->broken != STAMMA_OK ? reader->broken : reader->flaw;
    close_reader(reader);
    return error;
}

static void memory_that_fails(void **state)
{
    (void)state;
    listing archives[] = {many_blocks(40, 7), large_archive(true), large_archive(false)};
    for (unsigned n = 0; n < 3; n++) {
        bool by_table = false;
        for (unsigned fail_at = 1; !by_table; fail_at++) {
            failing_memory memory = {.fail_at = fail_at};
            const stamma_allocator allocator = failing_allocator(&memory);
            archive_source source = {.fail_at = 0};
            const stamma_error error = open_failing(&archives[n], &source, &allocator, &by_table);
            assert_true(by_table || error == STAMMA_ERROR_NO_MEMORY);
            assert_int_equal(memory.alive, 0);
        }
        free(archives[n].text);
    }
}

static void calls_that_fail(void **state)
{
    (void)state;
    listing archives[] = {many_blocks(40, 7), large_archive(true), large_archive(false)};
    for (unsigned n = 0; n < 3; n++) {
        bool by_table = false;
        for (unsigned fail_at = 1; !by_table; fail_at++) {
            archive_source source = {.fail_at = fail_at};
            const stamma_error error = open_failing(&archives[n], &source, NULL, &by_table);
            assert_true(by_table || error == STAMMA_ERROR_IO);
        }
        free(archives[n].text);
    }
}

/* From some call on, the file is empty or lacks its last part. */
static void files_that_are_cut(void **state)
{
    (void)state;
    listing archives[] = {many_blocks(40, 7), large_archive(true), large_archive(false)};
    for (unsigned n = 0; n < 3; n++) {
        bool by_table = false;
        for (unsigned change_at = 1; !by_table; change_at++)
            for (unsigned part = 0; part < 2; part++) {
                archive_source source = {
                    .change_at = change_at, .later = archives[n].text, .later_size = part * archives[n].size / 2};
                const stamma_error error = open_failing(&archives[n], &source, NULL, &by_table);
                assert_true(by_table || error == STAMMA_ERROR_IO); /* bytes that are missing cannot be read */
            }
        free(archives[n].text);
    }
}

/* ---- tables that no writer writes ---- */

static void put_u64(uint8_t *to, uint64_t number)
{
    for (unsigned n = 0; n < 8; n++)
        to[n] = (uint8_t)(number >> 8 * n);
}

/* Adds an optional frame that ends like a table at an offset. */
static void add_link(made *m, uint64_t offset)
{
    uint8_t link[16] = "01234567StEndTb";
    link[15] = 'l';
    put_u64(link, offset);
    make_frame(m, 9, 0, link, sizeof link, sizeof link);
}

/* Adds a table of one block, or of none: its offset, games and bytes of text. */
static void add_table(made *m, uint64_t previous, uint8_t first, const uint8_t *block)
{
    uint8_t payload[8 + 2 + 4 + 16] = {0};
    size_t size = 8;
    put_u64(payload, previous);
    payload[size++] = first;
    payload[size++] = block != NULL;
    if (block) {
        const uint8_t entry[4] = {block[0], MADE_BLOCK - FRAME_HEADER_SIZE, block[1], block[2]};
        memcpy(payload + size, entry, sizeof entry);
        size += sizeof entry;
    }
    put_u64(payload + size, m->bytes.size);
    memcpy(payload + size + 8, "StEndTbl", 8);
    make_frame(m, FRAME_TABLE, 0, payload, size + 16, size + 16);
}

static const uint8_t first_block[] = {ARCHIVE_HEADER_SIZE, MADE_GAMES, MADE_TEXT};

static made right_table(void)
{
    made m = make_archive();
    make_block(&m);
    make_table(&m);
    make_commit(&m, true);
    return m;
}

static made short_table(void)
{
    made m = make_archive();
    make_block(&m);
    make_frame(&m, FRAME_TABLE, 0, "seven..", 7, 7);
    add_link(&m, m.at);
    make_commit(&m, true);
    return m;
}

/* A table follows the commit before the last. */
static made late_table_at(size_t *offset)
{
    made m = make_archive();
    make_block(&m);
    add_link(&m, *offset);
    make_commit(&m, true);
    add_table(&m, 0, 0, first_block);
    *offset = m.at;
    make_block(&m);
    make_commit(&m, true);
    return m;
}

static made late_table(void)
{
    size_t offset = 0;
    made m = late_table_at(&offset);
    free(m.bytes.text);
    return late_table_at(&offset);
}

/* The table contains the commit. */
static made long_table(void)
{
    made m = make_archive();
    make_block(&m);
    const size_t at = m.bytes.size;
    uint8_t begin[FRAME_HEADER_SIZE + 16] = {0};
    put_u64(begin + FRAME_HEADER_SIZE, at);
    memcpy(begin + FRAME_HEADER_SIZE + 8, "StEndTbl", 8);
    list_bytes(&m.bytes, begin, sizeof begin);
    make_commit(&m, true);
    const char *payload = m.bytes.text + at + FRAME_HEADER_SIZE;
    const size_t size = m.bytes.size - at - FRAME_HEADER_SIZE;
    const frame f = {.type = FRAME_TABLE,
                     .id = m.id,
                     .size = size,
                     .head_size = (uint32_t)size,
                     .head_check = stamma_check32(payload, size),
                     .number = m.blocks};
    stamma_frame_write(&f, (uint8_t *)m.bytes.text + at);
    return m;
}

static made many_tables(void)
{
    made m = make_archive();
    make_block(&m);
    add_table(&m, 0, 0, first_block);
    for (unsigned n = 0; n < TABLES_MAX; n++)
        add_table(&m, m.at, 1, NULL);
    make_commit(&m, true);
    return m;
}

static made other_block(uint8_t offset, uint8_t games, uint8_t text)
{
    made m = make_archive();
    make_block(&m);
    add_table(&m, 0, 0, (const uint8_t[]){offset, games, text});
    make_commit(&m, true);
    return m;
}

/* The first block begins in the file's header. */
static made early_block(void)
{
    return other_block(ARCHIVE_HEADER_SIZE - 1, MADE_GAMES, MADE_TEXT);
}

static made more_games(void)
{
    return other_block(ARCHIVE_HEADER_SIZE, MADE_GAMES + 1, MADE_TEXT);
}

static made more_text(void)
{
    return other_block(ARCHIVE_HEADER_SIZE, MADE_GAMES, MADE_TEXT + 1);
}

static made missing_block(void)
{
    made m = make_archive();
    make_block(&m);
    make_block(&m);
    add_table(&m, 0, 0, first_block);
    make_commit(&m, true);
    return m;
}

static made fewer_blocks_later(void)
{
    made m = make_archive();
    make_block(&m);
    m.blocks = 5;
    make_commit(&m, true);
    m.blocks = 1;
    make_block(&m);
    make_commit(&m, true);
    return m;
}

/* These tables are not used, and the contents equal the contents that a scan finds. */
static void tables_of_no_writer(void **state)
{
    (void)state;
    static made (*const all[])(void) = {right_table, short_table, late_table, long_table,    many_tables,
                                        early_block, more_games,  more_text,  missing_block, fewer_blocks_later};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        made m = all[n]();
        archive_source source = {.fail_at = 0};
        bool by_table;
        stamma_error errors[2];
        listing text[2] = {{0}}, damage[2] = {{0}};
        (void)open_failing(&m.bytes, &source, NULL, &by_table);
        assert_int_equal(by_table, n == 0);
        for (int scan = 0; scan < 2; scan++) {
            list_word(&damage[scan], "");
            errors[scan] = read_all(&m.bytes, scan, 1, &text[scan], &damage[scan]);
        }
        assert_int_equal(errors[0], errors[1]);
        assert_string_equal(damage[0].text, damage[1].text);
        assert_true(n == 0 || damage[0].size > 0);
        free(damage[0].text);
        free(damage[1].text);
        free(m.bytes.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_needs_few_reads),
        cmocka_unit_test(tables_that_contradict_the_blocks),
        cmocka_unit_test(damage_is_found_as_by_a_scan),
        cmocka_unit_test(other_blocks_are_not_read),
        cmocka_unit_test(other_sizes),
        cmocka_unit_test(memory_that_fails),
        cmocka_unit_test(calls_that_fail),
        cmocka_unit_test(files_that_are_cut),
        cmocka_unit_test(tables_of_no_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
