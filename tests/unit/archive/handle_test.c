/* SPDX-License-Identifier: MIT */
/* Tests open archives: when each part is read, archives in memory and in files, failing reads and allocations, damage,
 * options, and threads that use an archive at the same time. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive/handle.h"
#include "executors.h"
#include "passed_games.h"
#include "query_support.h"
#include "verify_support.h"

enum { PARTS = 5, PART_GAMES = 300, GAMES = PARTS * PART_GAMES, THREADS = 4 };

static const char question[] = "{\"any\": [{\"white\": \"Player1*\"}, {\"sub-fen\": \"8/8/8/8/8/N7/8/8\"}]}";

typedef struct fixture {
    listing archive;
    games_read games;
    size_t text_sizes[PARTS];
    uint64_t matches[GAMES]; /* of the query */
    size_t match_count;
    stamma_query *query;
} fixture;

/* Lists the games that match the query. Returns the error of the search. */
static stamma_error find(const fixture *f, stamma_archive *archive, uint64_t *matches, size_t *count)
{
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    *count = 0;
    stamma_error error = stamma_search_open(archive, f->query, NULL, &search);
    while (error == STAMMA_OK && (error = stamma_search_next(search, &match)) == STAMMA_OK && match && *count < GAMES)
        matches[(*count)++] = match->game;
    stamma_search_close(search);
    return error;
}

static int set_up(void **state)
{
    static fixture f;
    listing parts[PARTS];
    for (unsigned part = 0; part < PARTS; part++) {
        listing text = {0};
        list_passed_games(&text, PART_GAMES);
        parts[part] = pack(text.text, text.size, NULL);
        f.text_sizes[part] = text.size;
        free(text.text);
    }
    f.archive = copy_archives(parts, PARTS, NULL);
    for (unsigned part = 0; part < PARTS; part++)
        free(parts[part].text);
    f.games = read_games(&f.archive);
    f.query = parse_query(question);
    stamma_archive *archive = open_handle(&f.archive);
    assert_int_equal(find(&f, archive, f.matches, &f.match_count), STAMMA_OK);
    assert_in_range(f.match_count, 10, GAMES - 10);
    stamma_archive_close(archive);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    stamma_query_close(f->query);
    free_games(&f->games);
    free(f->archive.text);
    return 0;
}

/* ---- reads ---- */

static void expect_blocks(const fixture *f, stamma_archive *archive)
{
    stamma_block blocks[PARTS + 1];
    uint64_t games = 0;
    size_t count = 0, at = ARCHIVE_HEADER_SIZE;
    assert_int_equal(stamma_archive_games(archive, &games), STAMMA_OK);
    assert_int_equal(games, GAMES);
    memset(blocks, 0x77, sizeof blocks);
    assert_int_equal(stamma_archive_blocks(archive, NULL, 0, &count), STAMMA_OK);
    assert_int_equal(count, PARTS);
    assert_int_equal(stamma_archive_blocks(archive, blocks, 2, &count), STAMMA_OK);
    assert_int_equal(count, PARTS);
    assert_int_equal(blocks[2].size, UINT64_C(0x7777777777777777)); /* unchanged */
    assert_int_equal(stamma_archive_blocks(archive, blocks, PARTS + 1, &count), STAMMA_OK);
    assert_int_equal(count, PARTS);
    for (size_t n = 0; n < PARTS; n++) {
        const size_t end = next_frame(&f->archive, at);
        assert_int_equal(blocks[n].first_game, n * PART_GAMES + 1);
        assert_int_equal(blocks[n].last_game, (n + 1) * PART_GAMES);
        assert_int_equal(blocks[n].size, end - at);
        assert_int_equal(blocks[n].text_size, f->text_sizes[n]);
        at = end;
    }
}

static void expect_game(const fixture *f, stamma_archive_reader *reader, uint64_t number)
{
    const stamma_archive_game *game = NULL;
    assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_game(&f->games, game, number);
}

static void expect_matches(const fixture *f, stamma_archive *archive)
{
    uint64_t matches[GAMES];
    size_t count;
    assert_int_equal(find(f, archive, matches, &count), STAMMA_OK);
    assert_int_equal(count, f->match_count);
    assert_memory_equal(matches, f->matches, count * sizeof *matches);
}

static void memory_and_files(void **state)
{
    const fixture *f = *state;
    archive_source source = {.bytes = f->archive.text, .size = f->archive.size};
    const stamma_bytes ways[] = {stamma_bytes_of(f->archive.text, f->archive.size), source_bytes(&source)};
    for (size_t n = 0; n < 2; n++) {
        stamma_archive *archive = NULL;
        stamma_archive_reader *reader = NULL;
        assert_int_equal(stamma_archive_open(&ways[n], NULL, &archive), STAMMA_OK);
        expect_blocks(f, archive);
        expect_matches(f, archive);
        assert_int_equal(stamma_archive_reader_open(archive, NULL, &reader), STAMMA_OK);
        for (uint64_t number = GAMES; number > 0; number -= number > 97 ? 97 : number)
            expect_game(f, reader, number);
        stamma_archive_reader_close(reader);
        stamma_archive_close(archive);
    }
    assert_true(source.calls > PARTS);
}

/* Opening reads only the header. The list of the archive's blocks, or of a reader, then reads the headers of frames. */
static void few_reads(void **state)
{
    const fixture *f = *state;
    archive_source source = {.bytes = f->archive.text, .size = f->archive.size};
    const stamma_bytes bytes = source_bytes(&source);
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = NULL;
    uint64_t games;
    assert_int_equal(stamma_archive_open(&bytes, NULL, &archive), STAMMA_OK);
    assert_in_range(source.calls, 1, 2);
    unsigned calls = source.calls;
    assert_int_equal(stamma_archive_games(archive, &games), STAMMA_OK);
    assert_in_range(source.calls - calls, PARTS, 4 * PARTS);
    calls = source.calls;
    expect_blocks(f, archive);
    assert_int_equal(source.calls, calls);
    assert_int_equal(stamma_archive_reader_open(archive, NULL, &reader), STAMMA_OK);
    assert_in_range(source.calls - calls, 0, 4 * PARTS);
    calls = source.calls;
    expect_game(f, reader, 2 * PART_GAMES + 7);
    assert_in_range(source.calls - calls, 2, 3);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
}

/* ---- errors ---- */

/* Uses an archive until something fails. */
static stamma_error use_archive(const fixture *f, stamma_archive *archive)
{
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game = NULL;
    uint64_t games = 0, matches[GAMES];
    size_t count = 0;
    stamma_error error = stamma_archive_games(archive, &games);
    if (error == STAMMA_OK)
        error = stamma_archive_blocks(archive, NULL, 0, &count);
    if (error == STAMMA_OK)
        error = find(f, archive, matches, &count);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_open(archive, NULL, &reader);
    for (uint64_t number = 1; error == STAMMA_OK && number <= games; number += PART_GAMES / 2) {
        error = stamma_archive_reader_seek(reader, number);
        if (error == STAMMA_OK)
            error = stamma_archive_reader_next(reader, &game);
        if (error == STAMMA_OK)
            assert_game(&f->games, game, number);
    }
    stamma_archive_reader_close(reader);
    return error;
}

/* Each read fails once: the call returns IO, nothing leaks, and afterwards the archive can be used. */
static void reads_that_fail(void **state)
{
    const fixture *f = *state;
    unsigned failed = 0;
    bool left = true;
    for (unsigned fail_at = 1; left; fail_at++) {
        archive_source source = {.bytes = f->archive.text, .size = f->archive.size, .fail_at = fail_at};
        const stamma_bytes bytes = source_bytes(&source);
        counted_memory memory = {0};
        const stamma_allocator allocator = counting_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive *archive = NULL;
        stamma_error error = stamma_archive_open(&bytes, &options, &archive);
        assert_int_equal(archive != NULL, error == STAMMA_OK);
        if (archive && (error = use_archive(f, archive)) != STAMMA_OK)
            assert_int_equal(use_archive(f, archive), STAMMA_OK);
        left = source.calls >= fail_at;
        assert_int_equal(error, left ? STAMMA_ERROR_IO : STAMMA_OK);
        failed += left;
        stamma_archive_close(archive);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 2 * PARTS);
}

static stamma_error open_error(const void *bytes, size_t size)
{
    const stamma_bytes all = stamma_bytes_of(bytes, size);
    stamma_archive *const before = (stamma_archive *)(uintptr_t)bytes, *archive = before;
    const stamma_error error = stamma_archive_open(&all, NULL, &archive);
    if (error == STAMMA_OK)
        stamma_archive_close(archive);
    else
        assert_ptr_equal(archive, before);
    return error;
}

static void other_files(void **state)
{
    const fixture *f = *state;
    uint8_t header[ARCHIVE_HEADER_SIZE];
    static const char pgn[] = "[White \"A\"]\n\n1. e4 e5 1-0\n";
    assert_int_equal(open_error(NULL, 0), STAMMA_ERROR_NO_ARCHIVE);
    assert_int_equal(open_error(pgn, sizeof pgn - 1), STAMMA_ERROR_NO_ARCHIVE);
    for (size_t size = 1; size < sizeof header; size++)
        assert_int_equal(open_error(f->archive.text, size), STAMMA_ERROR_NO_ARCHIVE);
    assert_int_equal(open_error(f->archive.text, sizeof header), STAMMA_OK); /* all frames are missing */
    stamma_archive_header_write(header);
    header[9]++; /* the version */
    store_u32(header + 12, stamma_check32(header, 12));
    assert_int_equal(open_error(header, sizeof header), STAMMA_ERROR_UNSUPPORTED);
}

static void count_damage(void *context, const stamma_archive_damage *damage)
{
    (void)damage;
    ++*(unsigned *)context;
}

/* Reads all games. Returns the error, and the number of games. */
static stamma_error count_games(stamma_archive *archive, const stamma_archive_reader_options *options, uint64_t *games)
{
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game = NULL;
    stamma_error error = stamma_archive_reader_open(archive, options, &reader);
    for (*games = 0; error == STAMMA_OK; *games += game != NULL) {
        error = stamma_archive_reader_next(reader, &game);
        if (!game)
            break;
    }
    stamma_archive_reader_close(reader);
    return error;
}

/* A damaged archive can be opened. Each operation that reads the damage reports it, ends with an error, or skips it. */
static void damaged_archives(void **state)
{
    const fixture *f = *state;
    listing copy = {0};
    list_bytes(&copy, f->archive.text, f->archive.size);
    const size_t second = next_frame(&copy, ARCHIVE_HEADER_SIZE);
    copy.text[second + FRAME_HEADER_SIZE] ^= 1; /* the head of the second block */
    const stamma_bytes bytes = stamma_bytes_of(copy.text, copy.size);
    for (int skips = 0; skips < 2; skips++) {
        const stamma_archive_options options = {.size = sizeof options, .skip_damage = skips};
        stamma_archive *archive = NULL;
        uint64_t games, matches[GAMES];
        unsigned reported = 0;
        size_t count;
        assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
        expect_blocks(f, archive);
        assert_int_equal(count_games(archive, NULL, &games), skips ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        assert_int_equal(games, skips ? GAMES - PART_GAMES : PART_GAMES);
        const stamma_archive_reader_options reports = {
            .size = sizeof reports, .context = &reported, .damage = count_damage};
        assert_int_equal(count_games(archive, &reports, &games), STAMMA_OK);
        assert_int_equal(games, GAMES - PART_GAMES);
        assert_int_equal(reported, 1);
        assert_int_equal(find(f, archive, matches, &count), skips ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        assert_true(count > 0 && count < f->match_count);
        stamma_archive_close(archive);
    }
    free(copy.text);
}

/* A reader that ends at damage does not read the blocks after it, even if another reader has put them in the cache. */
static void blocks_after_damage(void **state)
{
    (void)state;
    enum { DAMAGED = 3 };
    listing packed = small_blocks();
    const size_t at = offset_of_block(&packed, DAMAGED);
    const uint64_t damaged = games_before(DAMAGED) + 1, last = games_before(BLOCKS);
    memset(packed.text + at, 0, FRAME_HEADER_SIZE);
    const stamma_bytes bytes = stamma_bytes_of(packed.text, packed.size);
    for (unsigned cached = 0; cached < 2; cached++) {
        unsigned reported = 0;
        const stamma_archive_reader_options reports = {
            .size = sizeof reports, .context = &reported, .damage = count_damage};
        stamma_archive *archive = NULL;
        stamma_archive_reader *reader = NULL;
        const stamma_archive_game *game = NULL;
        assert_int_equal(stamma_archive_open(&bytes, NULL, &archive), STAMMA_OK);
        if (cached) {
            assert_int_equal(stamma_archive_reader_open(archive, &reports, &reader), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_seek(reader, last), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_int_equal(game->number, last);
            stamma_archive_reader_close(reader);
            assert_non_null(archive->cache.first);
        }
        assert_int_equal(stamma_archive_reader_open(archive, NULL, &reader), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_seek(reader, damaged), STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_archive_reader_place(reader).offset, at);
        assert_int_equal(stamma_archive_reader_seek(reader, last), STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_archive_reader_place(reader).offset, at);
        stamma_archive_reader_close(reader);
        stamma_archive_close(archive);
    }
    free(packed.text);
}

/* ---- options ---- */

/* The memory limit of the archive applies, unless a reader or a call has another limit. */
static void limits_of_memory(void **state)
{
    (void)state;
    static const struct {
        uint64_t of_archive, of_call;
        stamma_error error; /* of the large block, which is corrupt */
    } cases[] = {
        {0, 0, STAMMA_ERROR_CORRUPT},
        {1, 0, STAMMA_ERROR_LIMIT},
        {0, 1, STAMMA_ERROR_LIMIT},
        {1, STAMMA_NO_LIMIT, STAMMA_ERROR_CORRUPT},
        {STAMMA_NO_LIMIT, 0, STAMMA_ERROR_CORRUPT},
        {STAMMA_NO_LIMIT, (uint64_t)120 << 20, STAMMA_ERROR_LIMIT},
    };
    listing packed = small_and_large_block();
    const stamma_bytes bytes = stamma_bytes_of(packed.text, packed.size);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const stamma_archive_options options = {.size = sizeof options, .memory = cases[n].of_archive};
        const stamma_archive_reader_options reading = {.size = sizeof reading, .memory = cases[n].of_call};
        stamma_archive *archive = NULL;
        uint64_t games;
        assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
        assert_int_equal(count_games(archive, &reading, &games), cases[n].error);
        assert_int_equal(games, 1);
        stamma_archive_close(archive);
    }
    free(packed.text);
}

/* The executor of the archive is used, unless a reader or a search has another executor. */
static void executors_of_archives(void **state)
{
    const fixture *f = *state;
    const stamma_bytes bytes = stamma_bytes_of(f->archive.text, f->archive.size);
    for (unsigned replaced = 0; replaced < 2; replaced++) {
        eager of_archive = {.most = 0}, of_call = {.most = 0};
        const stamma_executor executor = {&of_archive, 3, start_eager, wait_eager};
        const stamma_executor other = {&of_call, 3, start_eager, wait_eager};
        const stamma_archive_options options = {.size = sizeof options, .executor = &executor};
        const stamma_archive_reader_options reading = {.size = sizeof reading, .executor = replaced ? &other : NULL};
        const stamma_search_options searching = {.size = sizeof searching, .executor = replaced ? &other : NULL};
        stamma_archive *archive = NULL;
        stamma_archive_reader *reader = NULL;
        listing text = {0};
        const stamma_output output = listing_output(&text);
        stamma_stats_results results = {.games = 0};
        assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_open(archive, &reading, &reader), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_OK);
        stamma_archive_reader_close(reader);
        assert_true((replaced ? of_call : of_archive).most > 1 && (replaced ? of_archive : of_call).most == 0);
        of_archive.most = of_call.most = 0;
        assert_int_equal(stamma_stats_count_archive(&results, archive, f->query, &searching, NULL), STAMMA_OK);
        assert_int_equal(results.games, f->match_count);
        assert_true((replaced ? of_call : of_archive).most > 1 && (replaced ? of_archive : of_call).most == 0);
        stamma_archive_close(archive);
        free(text.text);
    }
}

/* Reads games of several blocks in turn, so that the archive keeps blocks, and then again with another reader. */
static stamma_error read_by_number(trial *t)
{
    const stamma_bytes bytes = stamma_bytes_of(t->archive->text, t->archive->size);
    const stamma_archive_options options = {.size = sizeof options, .allocator = t->allocator};
    stamma_archive *archive = NULL;
    stamma_block blocks[4];
    uint64_t games = 77;
    size_t count = 77;
    stamma_error error = STAMMA_OK;
    OPEN(archive, stamma_archive_open(&bytes, &options, &archive));
    STEP(stamma_archive_games(archive, &games));
    STEP(stamma_archive_blocks(archive, blocks, 4, &count));
    if (error == STAMMA_OK)
        list_format(&t->result, "%llu games, %zu blocks\n", (unsigned long long)games, count);
    for (unsigned n = 0; n < 2; n++) {
        stamma_archive_reader *reader = NULL;
        const stamma_archive_game *game = NULL;
        OPEN(reader, stamma_archive_reader_open(archive, NULL, &reader));
        for (uint64_t k = 0; k < 6 && error == STAMMA_OK; k++) {
            STEP(stamma_archive_reader_seek(reader, k % 2 ? games - k : 1 + k));
            STEP(stamma_archive_reader_next(reader, &game));
            if (error == STAMMA_OK)
                list_bytes(&t->result, game->text.data, game->text.size);
        }
        stamma_archive_reader_close(reader);
    }
    stamma_archive_close(archive);
    return error;
}

static void without_memory(void **state)
{
    (void)state;
    for (int level = 1; level <= (stamma_predictor_id() ? 3 : 1); level++) {
        listing text = {0}, halves[2];
        list_passed_games(&text, 40);
        halves[0] = pack_at(level, text.text, text.size, NULL);
        halves[1] = pack_at(level, text.text, text.size, NULL);
        listing archive = copy_archives(halves, 2, NULL);
        sweep(read_by_number, (trial){.archive = &archive});
        free(archive.text);
        free(halves[0].text);
        free(halves[1].text);
        free(text.text);
    }
}

/* ---- threads ---- */

typedef struct visitor {
    const fixture *f;
    stamma_archive *archive;
    unsigned number;
    unsigned wrong;
} visitor;

static bool is_game(const games_read *games, const stamma_archive_game *game, uint64_t number)
{
    const size_t begin = games->ends[number - 1];
    return game && game->number == number && game->text.size <= games->ends[number] - begin &&
           memcmp(game->text.data, games->all.text + begin, game->text.size) == 0;
}

/* Reads single games with several readers, then searches. */
static void *visit(void *context)
{
    visitor *v = context;
    uint64_t *matches = malloc(GAMES * sizeof *matches), games = 0, number = v->number;
    size_t count = 0;
    v->wrong += !matches || stamma_archive_games(v->archive, &games) != STAMMA_OK || games != GAMES;
    for (unsigned round = 0; round < 4 && matches; round++) {
        stamma_archive_reader *reader = NULL;
        v->wrong += stamma_archive_reader_open(v->archive, NULL, &reader) != STAMMA_OK;
        for (unsigned n = 0; n < 12 && reader; n++) {
            const stamma_archive_game *game = NULL;
            number = (number * 1103515245 + 12345 + v->number) % GAMES;
            v->wrong += stamma_archive_reader_seek(reader, number + 1) != STAMMA_OK ||
                        stamma_archive_reader_next(reader, &game) != STAMMA_OK ||
                        !is_game(&v->f->games, game, number + 1);
        }
        stamma_archive_reader_close(reader);
        v->wrong += find(v->f, v->archive, matches, &count) != STAMMA_OK || count != v->f->match_count ||
                    memcmp(matches, v->f->matches, count * sizeof *matches) != 0;
    }
    free(matches);
    return NULL;
}

static bool read_shared(void *context, uint64_t offset, void *bytes, size_t size)
{
    const listing *all = context;
    if (offset > all->size || size > all->size - offset)
        return false;
    memcpy(bytes, all->text + offset, size);
    return true;
}

/* Threads read games and search: the results equal the results of one thread. The cache keeps few blocks, so that some
 * blocks are released at the same time. */
static void threads_share_an_archive(void **state)
{
    const fixture *f = *state;
    listing shared = f->archive;
    const stamma_bytes ways[] = {stamma_bytes_of(shared.text, shared.size),
                                 {.size = shared.size, .context = &shared, .read_at = read_shared}};
    for (unsigned way = 0; way < 4; way++) {
        const stamma_archive_options options = {.size = sizeof options, .cache = way < 2 ? 0 : (uint64_t)12 << 20};
        stamma_archive *archive = NULL;
        visitor visitors[THREADS];
        pthread_t threads[THREADS];
        assert_int_equal(stamma_archive_open(&ways[way % 2], &options, &archive), STAMMA_OK);
        for (unsigned n = 0; n < THREADS; n++) {
            visitors[n] = (visitor){.f = f, .archive = archive, .number = n};
            assert_int_equal(pthread_create(&threads[n], NULL, visit, &visitors[n]), 0);
        }
        for (unsigned n = 0; n < THREADS; n++) {
            assert_int_equal(pthread_join(threads[n], NULL), 0);
            assert_int_equal(visitors[n].wrong, 0);
        }
        expect_blocks(f, archive);
        stamma_archive_close(archive);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_and_files), cmocka_unit_test(few_reads),
        cmocka_unit_test(reads_that_fail),  cmocka_unit_test(other_files),
        cmocka_unit_test(damaged_archives), cmocka_unit_test(blocks_after_damage),
        cmocka_unit_test(limits_of_memory), cmocka_unit_test(executors_of_archives),
        cmocka_unit_test(without_memory),   cmocka_unit_test(threads_share_an_archive),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
