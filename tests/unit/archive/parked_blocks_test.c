/* Tests reading games by number from a reader that keeps blocks open: the games equal those of sequential reading,
 * whatever was read before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appended_archive.h"
#include "archive/reader.h"
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

static stamma_archive_reader *open_with(archive_source *source, uint64_t memory, const stamma_allocator *allocator)
{
    *source = (archive_source){.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
    const stamma_input input = archive_input(source, true);
    const stamma_archive_reader_options options = {.size = sizeof options, .memory = memory, .allocator = allocator};
    stamma_archive_reader *reader = NULL;
    return stamma_archive_reader_open(&input, &options, &reader) == STAMMA_OK ? reader : NULL;
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

/* Reads games near the previous game or anywhere, and then some that follow. */
static void games_in_any_order(void **state)
{
    (void)state;
    const uint64_t memories[] = {0, 1, (uint64_t)260 << 20};
    for (size_t n = 0; n < sizeof memories / sizeof *memories; n++) {
        archive_source source;
        stamma_archive_reader *reader = open_with(&source, memories[n], NULL);
        uint64_t number = 1;
        for (unsigned step = 0; step < 250; step++) {
            number = step % 3 ? 1 + (number + random_below(3000)) % GAMES : 1 + random_below(GAMES);
            expect(reader, number);
            for (uint64_t more = random_below(4) ? 0 : random_below(200); more > 0 && number < GAMES; more--)
                expect_next(reader, ++number);
        }
        stamma_archive_reader_close(reader);
    }
}

/* Returns the number of reads of the input that a game needs. */
static unsigned reads_for(stamma_archive_reader *reader, archive_source *source, uint64_t number)
{
    unsigned before = source->calls;
    expect(reader, number);
    return source->calls - before;
}

/* The reader keeps four blocks, those used last. */
static void blocks_stay_open(void **state)
{
    (void)state;
    archive_source source;
    stamma_archive_reader *reader = open_with(&source, 0, NULL);
    for (uint64_t n = 0; n < 1 + PARKED_MAX; n++)
        assert_int_not_equal(reads_for(reader, &source, n * BLOCK_GAMES + 1), 0);
    for (uint64_t n = 0; n < 200; n++)
        assert_int_equal(reads_for(reader, &source, 1 + random_below((1 + PARKED_MAX) * BLOCK_GAMES)), 0);
    expect(reader, 1);
    expect(reader, 2 * BLOCK_GAMES);
    expect(reader, 3 * BLOCK_GAMES);
    assert_int_not_equal(reads_for(reader, &source, 5 * BLOCK_GAMES), 0);
    assert_int_equal(reads_for(reader, &source, 7), 0);
    assert_int_equal(reads_for(reader, &source, 3 * BLOCK_GAMES - 7), 0);
    assert_int_not_equal(reads_for(reader, &source, 3 * BLOCK_GAMES + 7), 0);
    stamma_archive_reader_close(reader);
    reader = open_with(&source, 1, NULL); /* the smallest memory limit: one block */
    expect(reader, 1);
    expect(reader, BLOCK_GAMES + 1);
    assert_int_not_equal(reads_for(reader, &source, 1), 0);
    stamma_archive_reader_close(reader);
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
    stamma_archive_reader_close(reader);
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
    stamma_archive_reader_close(reader);
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
        stamma_archive_reader_close(reader);
        ended = memory.calls < fail_at;
        assert_int_equal(memory.alive, 0);
    }
}

/* Refuses memory of this size. */
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

/* Without memory for another block, none is kept open. */
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
        stamma_archive_reader_close(reader);
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
    assert_int_equal(stamma_archive_reader_open_memory(a.archive.text, a.archive.size, &options, &reader), STAMMA_OK);
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_int_equal(game->number, 0);
    for (uint64_t number = 13; number > 6; number--) {
        assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(game->number, number);
        assert_memory_equal(game->text.data, a.text.text + (number - 1) * GAME_SIZE, GAME_SIZE);
    }
    stamma_archive_reader_close(reader);
    release_appended(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_in_any_order),
                                       cmocka_unit_test(blocks_stay_open),
                                       cmocka_unit_test(from_the_middle_of_a_block),
                                       cmocka_unit_test(other_work_between),
                                       cmocka_unit_test(no_memory),
                                       cmocka_unit_test(no_memory_for_another_block),
                                       cmocka_unit_test(games_without_numbers)};
    return cmocka_run_group_tests(tests, make_archive, free_archive);
}
