/* SPDX-License-Identifier: MIT */
/* Tests reading games by number from an archive whose cache keeps blocks open: the games equal the games of sequential
 * reading, whichever games any reader has read before. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appended_archive.h"
#include "archive/handle.h"
#include "passed_games.h"

enum { PARTS = 7, BLOCK_GAMES = 5000, GAMES = PARTS * BLOCK_GAMES };

static listing archive;
static games_read games;

static int make_archive(void **state)
{
    (void)state;
    listing text = {0}, each[PARTS];
    list_passed_games(&text, BLOCK_GAMES);
    for (size_t n = 0; n < PARTS; n++)
        each[n] = pack(text.text, text.size, NULL);
    archive = copy_archives(each, PARTS, NULL);
    for (size_t n = 0; n < PARTS; n++)
        free(each[n].text);
    free(text.text);
    games = read_games(&archive);
    assert_int_equal(games.count, GAMES);
    return 0;
}

static int free_archive(void **state)
{
    (void)state;
    free_games(&games);
    free(archive.text);
    return 0;
}

static stamma_archive_reader *open_with(archive_source *source, uint64_t cache, const stamma_allocator *allocator)
{
    *source = (archive_source){.bytes = archive.text, .size = archive.size};
    const stamma_bytes bytes = source_bytes(source);
    const stamma_archive_options options = {.size = sizeof options, .cache = cache, .allocator = allocator};
    stamma_archive *opened = NULL;
    stamma_archive_reader *reader = NULL;
    if (stamma_archive_open(&bytes, &options, &opened) == STAMMA_OK)
        (void)stamma_archive_reader_open(opened, NULL, &reader);
    if (!reader)
        stamma_archive_close(opened);
    return reader;
}

static void expect(stamma_archive_reader *reader, uint64_t number)
{
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_game(&games, game, number);
}

static void expect_next(stamma_archive_reader *reader, uint64_t number)
{
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_game(&games, game, number);
}

/* Reads games near the previous game or anywhere, and then some of the games after them. */
static void games_in_any_order(void **state)
{
    (void)state;
    const uint64_t caches[] = {0, 1, (uint64_t)20 << 20};
    for (size_t n = 0; n < sizeof caches / sizeof *caches; n++) {
        archive_source source;
        stamma_archive_reader *reader = open_with(&source, caches[n], NULL);
        uint64_t number = 1;
        for (unsigned step = 0; step < 250; step++) {
            number = step % 3 ? 1 + (number + random_below(3000)) % GAMES : 1 + random_below(GAMES);
            expect(reader, number);
            for (uint64_t more = random_below(4) ? 0 : random_below(200); more > 0 && number < GAMES; more--)
                expect_next(reader, ++number);
        }
        close_reader(reader);
    }
}

/* Returns the number of reads that a game needs. */
static unsigned reads_for(stamma_archive_reader *reader, archive_source *source, uint64_t number)
{
    unsigned before = source->calls;
    expect(reader, number);
    return source->calls - before;
}

/* Returns the memory that opening a block needs. It is the same for all blocks. */
static uint64_t block_memory(void)
{
    archive_source source;
    stamma_archive_reader *reader = open_with(&source, 0, NULL);
    expect(reader, 1);
    assert_null(reader->archive->cache.first);
    expect(reader, BLOCK_GAMES + 1);
    const cached_block *block = reader->archive->cache.first;
    assert_non_null(block);
    assert_true(block->memory > block->opened && block->opened > archive.size / PARTS);
    const uint64_t memory = block->opened;
    close_reader(reader);
    return memory;
}

/* Reads a game of each group of a block, so that the block uses its maximum memory. */
static void read_groups(stamma_archive_reader *reader, uint64_t block)
{
    for (uint64_t n = 1; n <= BLOCK_GAMES; n += 64)
        expect(reader, block * BLOCK_GAMES + n);
}

/* Returns the memory of a block with all groups kept. */
static uint64_t full_memory(void)
{
    archive_source source;
    stamma_archive_reader *reader = open_with(&source, 0, NULL);
    read_groups(reader, 0);
    expect(reader, BLOCK_GAMES + 1);
    const cached_block *block = reader->archive->cache.first;
    assert_non_null(block);
    const uint64_t memory = block->memory;
    assert_true(memory > block->opened + block->slot.groups->memory && block->slot.groups->memory > 0);
    close_reader(reader);
    return memory;
}

/* The cache keeps the most recently used blocks, in addition to the block that is being read. */
static void blocks_stay_open(void **state)
{
    (void)state;
    enum { KEPT = 3 };
    archive_source source;
    const uint64_t full = full_memory();
    stamma_archive_reader *reader = open_with(&source, KEPT * full + full / 2, NULL);
    for (uint64_t n = 0; n < 1 + KEPT; n++) {
        assert_int_not_equal(reads_for(reader, &source, n * BLOCK_GAMES + 1), 0);
        read_groups(reader, n);
    }
    for (uint64_t n = 0; n < 200; n++)
        assert_int_equal(reads_for(reader, &source, 1 + random_below((1 + KEPT) * BLOCK_GAMES)), 0);
    expect(reader, 1);
    expect(reader, 2 * BLOCK_GAMES);
    expect(reader, 3 * BLOCK_GAMES);
    assert_int_not_equal(reads_for(reader, &source, 5 * BLOCK_GAMES), 0);
    assert_int_equal(reads_for(reader, &source, 7), 0);
    assert_int_equal(reads_for(reader, &source, 3 * BLOCK_GAMES - 7), 0);
    assert_int_equal(reads_for(reader, &source, 2 * BLOCK_GAMES - 7), 0);
    assert_int_not_equal(reads_for(reader, &source, 4 * BLOCK_GAMES - 7), 0);
    assert_true(reader->archive->cache.memory <= reader->archive->cache.limit);
    close_reader(reader);
    reader = open_with(&source, block_memory(), NULL); /* less than a block with its bookmarks */
    expect(reader, 1);
    expect(reader, BLOCK_GAMES + 1);
    assert_int_not_equal(reads_for(reader, &source, 1), 0);
    assert_int_equal(reader->archive->cache.memory, 0);
    close_reader(reader);
}

/* A block is kept without some of its groups if the cache is too small for all of them. */
static void groups_are_limited(void **state)
{
    (void)state;
    archive_source source;
    const uint64_t limit = (block_memory() + full_memory()) / 2;
    stamma_archive_reader *reader = open_with(&source, limit, NULL);
    for (unsigned n = 0; n < 4; n++) {
        read_groups(reader, n % 2);
        assert_true(reader->groups->memory <= limit && reader->archive->cache.memory <= limit);
        assert_int_equal(reader->archive->cache.first != NULL, n > 0);
    }
    assert_int_equal(reads_for(reader, &source, 5), 0);
    close_reader(reader);
}

static void report(void *context, const stamma_archive_damage *damage)
{
    (void)damage;
    ++*(unsigned *)context;
}

static bool stop_never(void *context)
{
    ++*(unsigned *)context;
    return false;
}

/* A reader uses the blocks of a closed reader, whatever options that reader had. */
static void readers_share_blocks(void **state)
{
    (void)state;
    archive_source source = {.bytes = archive.text, .size = archive.size};
    const stamma_bytes bytes = source_bytes(&source);
    unsigned calls = 0;
    counted_memory memory = {0}, of_reader = {0};
    const stamma_allocator allocator = counting_allocator(&memory), other = counting_allocator(&of_reader);
    const stamma_archive_options of_archive = {.size = sizeof of_archive, .allocator = &allocator};
    const stamma_archive_reader_options options[] = {
        {.size = sizeof options[0], .context = &calls, .stop = stop_never},
        {.size = sizeof options[0], .context = &calls, .damage = report},
        {.size = sizeof options[0], .allocator = &other, .memory = STAMMA_NO_LIMIT},
        {.size = sizeof options[0]}};
    stamma_archive *opened;
    assert_int_equal(stamma_archive_open(&bytes, &of_archive, &opened), STAMMA_OK);
    for (size_t n = 0; n < 4; n++) {
        stamma_archive_reader *reader;
        listing text = {0};
        const stamma_output output = listing_output(&text);
        assert_int_equal(stamma_archive_reader_open(opened, &options[n], &reader), STAMMA_OK);
        assert_true(n != 2 || of_reader.alive > 0);
        assert_int_equal(reads_for(reader, &source, BLOCK_GAMES + 3 + n) > 0, n == 0);
        if (n == 1) /* exchanges payloads, and releases the block that is loaded */
            assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_OK);
        assert_int_equal(reads_for(reader, &source, BLOCK_GAMES - 5) > 0, n == 0);
        assert_int_equal(reads_for(reader, &source, 2 * BLOCK_GAMES) > 0, n == 1);
        stamma_archive_reader_close(reader);
        assert_int_equal(of_reader.alive, 0);
        free(text.text);
    }
    assert_true(calls > 0);
    stamma_archive_close(opened);
    assert_int_equal(memory.alive, 0);
}

/* Two readers that read the same block each open it. */
static void readers_do_not_share_the_loaded_block(void **state)
{
    (void)state;
    archive_source source;
    stamma_archive_reader *readers[2] = {open_with(&source, 0, NULL)};
    assert_int_equal(stamma_archive_reader_open(readers[0]->archive, NULL, &readers[1]), STAMMA_OK);
    for (uint64_t n = 0; n < 300; n++)
        expect(readers[n % 2], 1 + random_below(3 * BLOCK_GAMES));
    stamma_archive_reader_close(readers[1]);
    close_reader(readers[0]);
}

/* Games read in sequence leave no bookmark at the start of their block. Games before them must still be found. */
static void from_the_middle_of_a_block(void **state)
{
    (void)state;
    archive_source source;
    stamma_archive_reader *reader = open_with(&source, 0, NULL);
    for (uint64_t number = 1; number <= 100; number++)
        expect_next(reader, number);
    expect(reader, BLOCK_GAMES - 1);
    expect(reader, 2 * BLOCK_GAMES);
    expect(reader, 3);
    expect(reader, BLOCK_GAMES - 100);
    expect(reader, 2 * BLOCK_GAMES - 3);
    expect(reader, GAMES);
    expect(reader, 70);
    close_reader(reader);
}

typedef struct stopper {
    unsigned left; /* calls until the callback returns true; UINT_MAX: it never does */
} stopper;

static bool stop_after(void *context)
{
    stopper *s = context;
    s->left -= s->left != UINT_MAX && s->left > 0;
    return s->left == 0;
}

/* Without a bookmark at its start, a block is opened again when the reader goes back. If this is stopped, or if an
 * allocation fails, games can be read afterwards. */
static void stopped_on_the_way_back(void **state)
{
    (void)state;
    const stamma_bytes bytes = stamma_bytes_of(archive.text, archive.size);
    for (unsigned way = 0; way < 2; way++) {
        stamma_error error = STAMMA_ERROR_CANCELLED;
        for (unsigned at = 1; error != STAMMA_OK; at += 1 + at / 4) {
            failing_memory memory = {.fail_at = 0};
            const stamma_allocator allocator = failing_allocator(&memory);
            stopper s = {.left = UINT_MAX};
            const stamma_archive_options of_archive = {.size = sizeof of_archive, .allocator = &allocator};
            const stamma_archive_reader_options options = {.size = sizeof options, .context = &s, .stop = stop_after};
            stamma_archive *opened = NULL;
            stamma_archive_reader *reader = NULL;
            assert_int_equal(stamma_archive_open(&bytes, &of_archive, &opened), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_open(opened, &options, &reader), STAMMA_OK);
            for (uint64_t number = 1; number <= 100; number++)
                expect_next(reader, number);
            expect(reader, 4000);
            s.left = way ? UINT_MAX : at;
            memory.fail_at = way ? memory.calls + at : 0;
            error = stamma_archive_reader_seek(reader, 3);
            assert_true(error == STAMMA_OK || error == (way ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CANCELLED));
            s.left = UINT_MAX;
            memory.fail_at = 0;
            expect(reader, 4001);
            expect(reader, 3);
            expect(reader, 70);
            stamma_archive_reader_close(reader);
            stamma_archive_close(opened);
            assert_int_equal(memory.alive, 0);
        }
    }
}

/* Selects other parts, or unpacks everything, between two games. */
static void other_work_between(void **state)
{
    (void)state;
    archive_source source;
    stamma_archive_counts counts;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_with(&source, 0, NULL);
    for (unsigned n = 0; n < 12; n++) {
        listing back = {0};
        const stamma_output output = listing_output(&back);
        uint64_t number = 1 + random_below(GAMES - 1);
        expect(reader, 1 + random_below(GAMES));
        expect(reader, number);
        assert_int_equal(stamma_archive_reader_select(reader, n % 2 ? STAMMA_GAME_TAGS : 0), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(game->number, number + 1);
        assert_int_equal(game->text.size, 0);
        assert_int_equal(stamma_archive_reader_seek(reader, 1 + random_below(GAMES)), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_ALL), STAMMA_OK);
        if (n % 3 == 0)
            assert_int_equal(stamma_archive_reader_info(reader, &counts, NULL, 0, NULL, NULL), STAMMA_OK);
        if (n % 4 == 0)
            assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_OK);
        free(back.text);
    }
    close_reader(reader);
}

/* With one failed allocation, the games are read or the reader returns an error, and nothing leaks. */
static void no_memory(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {4800, 3, 2500, 12000, 4900, 14000, 1};
    for (unsigned fail_at = 1, ended = 0; !ended; fail_at += 1 + fail_at / 16) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        archive_source source;
        stamma_archive_reader *reader = open_with(&source, 0, &allocator);
        assert_true(reader || memory.calls >= fail_at);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers && reader; n++) {
            const stamma_archive_game *game = NULL;
            stamma_error error = stamma_archive_reader_seek(reader, numbers[n]);
            if (error == STAMMA_OK)
                error = stamma_archive_reader_next(reader, &game);
            if (error == STAMMA_OK)
                assert_game(&games, game, numbers[n]);
            else
                assert_int_equal(error, STAMMA_ERROR_NO_MEMORY);
        }
        close_reader(reader);
        ended = memory.calls < fail_at;
        assert_int_equal(memory.alive, 0);
    }
}

/* Allocations of this size fail. */
static size_t refused;

static void *refusing_allocate(void *context, size_t size)
{
    (void)context;
    return size == refused ? NULL : malloc(size);
}

static void *refusing_resize(void *context, void *memory, size_t size)
{
    (void)context;
    return size == refused ? NULL : realloc(memory, size);
}

static void refusing_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* Without memory for another block, none is kept open when a block is opened. */
static void no_memory_for_another_block(void **state)
{
    (void)state;
    const size_t sizes[] = {sizeof(block_reader), sizeof(bookmarks)};
    for (size_t n = 0; n < 2; n++) {
        const stamma_allocator allocator = {NULL, refusing_allocate, refusing_resize, refusing_release};
        archive_source source;
        refused = 0;
        stamma_archive_reader *reader = open_with(&source, 0, &allocator);
        refused = sizes[n];
        expect(reader, 3);
        expect(reader, 2 * BLOCK_GAMES);
        assert_int_not_equal(reads_for(reader, &source, 4), 0);
        refused = 0;
        expect(reader, 2 * BLOCK_GAMES);
        assert_int_equal(reads_for(reader, &source, 5), 0);
        close_reader(reader);
    }
}

static void skip_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

/* Two blocks and their commit are lost: the numbers of the games between the blocks are not known. */
static void games_without_numbers(void **state)
{
    (void)state;
    static const unsigned appends[] = {3, 4, 0};
    appended a = make_appended(appends);
    for (unsigned frame = 0; frame < a.frame_count; frame++)
        if (frame == 0 || frame == 2 || a.archive.text[a.frames[frame] + 4] == FRAME_COMMIT)
            if (frame + 1 < a.frame_count)
                memset(a.archive.text + a.frames[frame], 0, a.frames[frame + 1] - a.frames[frame]);
    const stamma_archive_reader_options options = {.size = sizeof options, .damage = skip_damage};
    stamma_archive_reader *reader;
    assert_int_equal(open_bytes(a.archive.text, a.archive.size, &options, &reader), STAMMA_OK);
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_int_equal(game->number, 0);
    for (uint64_t number = 13; number > 6; number--) {
        assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(game->number, number);
        assert_memory_equal(game->text.data, a.text.text + (number - 1) * GAME_SIZE, GAME_SIZE);
    }
    close_reader(reader);
    release_appended(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_in_any_order),
                                       cmocka_unit_test(blocks_stay_open),
                                       cmocka_unit_test(groups_are_limited),
                                       cmocka_unit_test(readers_share_blocks),
                                       cmocka_unit_test(readers_do_not_share_the_loaded_block),
                                       cmocka_unit_test(from_the_middle_of_a_block),
                                       cmocka_unit_test(stopped_on_the_way_back),
                                       cmocka_unit_test(other_work_between),
                                       cmocka_unit_test(no_memory),
                                       cmocka_unit_test(no_memory_for_another_block),
                                       cmocka_unit_test(games_without_numbers)};
    return cmocka_run_group_tests(tests, make_archive, free_archive);
}
