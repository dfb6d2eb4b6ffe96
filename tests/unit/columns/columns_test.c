/* SPDX-License-Identifier: MIT */
/* Tests Arrow streams over archives: ranges, executors, cancelling, damage, and failing allocations. The values are
 * tested by columns.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "arrow_support.h"
#include "executors.h"
#include "passed_games.h"
#include "value_games.h"

enum { LEVELS = 3, GAMES = 24, BLOCKS = 3, NAMES_MAX = 64 };

typedef struct fixture {
    listing archives[LEVELS + 1]; /* by level */
    uint64_t sizes[LEVELS + 1][BLOCKS];
    uint64_t text_sizes[LEVELS + 1][BLOCKS];
} fixture;

/* Returns the bytes of the first frame, with its header, as clauses 1.2 and 2.1 of the format describe it. */
static uint64_t frame_size(const listing *archive)
{
    uint64_t payload = 0;
    for (size_t n = 8; n-- > 0;)
        payload = payload << 8 | (uint8_t)archive->text[24 + n];
    return 32 + payload;
}

static listing make_archive(fixture *f, int level)
{
    listing parts[BLOCKS];
    for (size_t n = 0; n < BLOCKS; n++) {
        listing text = {NULL, 0, 0};
        list_passed_games(&text, n == 1 ? 0 : GAMES);
        list_tagged_games(&text, n == 1 ? GAMES : 4);
        parts[n] = pack_at(level, text.text, text.size, NULL);
        f->sizes[level][n] = frame_size(&parts[n]);
        f->text_sizes[level][n] = text.size;
        free(text.text);
    }
    listing archive = copy_archives(parts, BLOCKS, NULL);
    for (size_t n = 0; n < BLOCKS; n++)
        free(parts[n].text);
    return archive;
}

static int set_up(void **state)
{
    static fixture f;
    for (int level = 1; level <= LEVELS; level++)
        f.archives[level] = make_archive(&f, level);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (int level = 1; level <= LEVELS; level++)
        free(f->archives[level].text);
    return 0;
}

/* ---- streams ---- */

/* Names of columns. */
typedef struct names {
    stamma_text texts[NAMES_MAX];
    size_t count;
    bool with_bits; /* also the column that runs the predictor, which is slow */
} names;

static void take_name(void *context, const stamma_column *column)
{
    names *all = context;
    assert_true(column->type[0] && column->meaning[0]);
    assert_true(all->count < NAMES_MAX);
    if (!all->with_bits && strcmp(column->name, "bits") == 0)
        return;
    char *copy = malloc(strlen(column->name) + 1);
    assert_non_null(copy);
    strcpy(copy, column->name);
    all->texts[all->count++] = (stamma_text){copy, strlen(copy)};
}

static void free_names(names *all)
{
    for (size_t n = 0; n < all->count; n++)
        free((char *)(uintptr_t)all->texts[n].data);
}

/* Opens a stream with all columns of options->table, and lists it. */
static stamma_error list_all(stamma_archive *archive, stamma_columns_options options, bool with_bits, listing *to,
                             uint64_t *rows)
{
    names all = {.with_bits = with_bits};
    struct ArrowArrayStream stream = {.release = NULL};
    options.size = sizeof options;
    stamma_error error = stamma_columns_list(archive, &options, take_name, &all);
    options.columns = all.texts;
    options.column_count = all.count;
    if (error == STAMMA_OK)
        error = stamma_columns_open(archive, &options, NULL, &stream);
    assert_int_equal(error == STAMMA_OK, stream.release != NULL);
    if (error == STAMMA_OK)
        error = list_stream(to, &stream, rows);
    free_names(&all);
    return error;
}

static uint64_t count_rows(stamma_archive *archive, stamma_columns_options options)
{
    listing text = {0};
    uint64_t rows = 0;
    assert_int_equal(list_all(archive, options, false, &text, &rows), STAMMA_OK);
    free(text.text);
    return rows;
}

/* ---- tests ---- */

/* Blocks and ranges of games contain all rows. */
static void ranges(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= LEVELS; level++) {
        stamma_archive *archive = open_handle(&f->archives[level]);
        stamma_block blocks[BLOCKS];
        uint64_t sum = 0;
        size_t count = 0;
        assert_int_equal(stamma_archive_blocks(archive, blocks, BLOCKS, &count), STAMMA_OK);
        assert_int_equal(count, BLOCKS);
        const uint64_t games = count_rows(archive, (stamma_columns_options){0});
        assert_int_equal(games, blocks[BLOCKS - 1].last_game);
        for (size_t n = 0; n < BLOCKS; n++) {
            sum += count_rows(archive, (stamma_columns_options){.first_game = blocks[n].first_game,
                                                                .last_game = blocks[n].last_game});
            assert_int_equal(blocks[n].size, f->sizes[level][n]);
            assert_int_equal(blocks[n].text_size, f->text_sizes[level][n]);
        }
        assert_int_equal(sum, games);
        for (uint64_t first = 1; first <= games; first += 7)
            assert_int_equal(count_rows(archive, (stamma_columns_options){.first_game = first, .last_game = first + 2}),
                             first + 2 <= games ? 3 : games - first + 1);
        assert_int_equal(count_rows(archive, (stamma_columns_options){.first_game = games + 1}), 0);
        assert_int_equal(count_rows(archive, (stamma_columns_options){.first_game = 5, .last_game = 4}), 0);
        stamma_archive_close(archive);
    }
}

/* Lists some columns of a range of games. */
static listing list_range(const listing *packed, uint64_t first, uint64_t last)
{
    static const stamma_text wanted[] = {{"white", 5}, {"opening", 7}, {"moves", 5}, {"text", 4}};
    listing rows = {0};
    uint64_t count = 0;
    struct ArrowArrayStream stream = {.release = NULL};
    const stamma_columns_options options = {.size = sizeof options,
                                            .columns = wanted,
                                            .column_count = sizeof wanted / sizeof *wanted,
                                            .batch_rows = 1,
                                            .first_game = first,
                                            .last_game = last};
    stamma_archive *archive = open_handle(packed);
    assert_int_equal(stamma_columns_open(archive, &options, NULL, &stream), STAMMA_OK);
    assert_int_equal(list_stream(&rows, &stream, &count), STAMMA_OK);
    assert_int_equal(count, last - first + 1);
    stamma_archive_close(archive);
    return rows;
}

/* Ranges of games after skipped groups are the same at all levels, although moves in lanes are read from the beginning
 * of their lane. */
static void ranges_after_skipped_groups(void **state)
{
    (void)state;
    enum { GAMES = 1600, STEP = 310, COUNT = 3 };
    listing text = {0}, packed[LEVELS + 1] = {{0}};
    list_passed_games(&text, GAMES);
    for (int level = 1; level <= LEVELS; level++)
        packed[level] = pack_at(level, text.text, text.size, NULL);
    for (uint64_t first = STEP; first + COUNT < GAMES - 200; first += STEP) {
        listing wanted = list_range(&packed[1], first, first + COUNT - 1);
        for (int level = 2; level <= LEVELS; level++) {
            listing found = list_range(&packed[level], first, first + COUNT - 1);
            assert_string_equal(strstr(found.text, "\nwhite "), strstr(wanted.text, "\nwhite ")); /* after the id */
            free(found.text);
        }
        free(wanted.text);
    }
    for (int level = 1; level <= LEVELS; level++) /* a single game is looked up with the cache of the archive */
        for (uint64_t number = 1; number < GAMES / 2; number += 97) {
            listing one = list_range(&packed[level], number, number),
                    two = list_range(&packed[level], number, number + 1);
            const char *wanted = strstr(two.text, "\nwhite "), *found = strstr(one.text, "\nwhite ");
            assert_int_equal(strncmp(found, wanted, strlen(found)), 0);
            assert_true(strlen(found) > 200);
            free(one.text);
            free(two.text);
        }
    for (int level = 1; level <= LEVELS; level++)
        free(packed[level].text);
    free(text.text);
}

/* Threads do not change the batches. If batches are returned in any order, the number of rows is the same. */
static void executed(void **state)
{
    const fixture *f = *state;
    for (int table = 0; table < STAMMA_TABLES; table++) {
        eager threads = {.most = 0};
        const stamma_executor executor = {&threads, BLOCKS, start_eager, wait_eager};
        stamma_columns_options options = {.table = (stamma_table)table, .batch_rows = 10, .shuffle = 20, .seed = 3};
        listing alone = {0}, together = {0};
        uint64_t rows = 0, other = 0;
        stamma_archive *archive = open_handle(&f->archives[1]);
        assert_int_equal(list_all(archive, options, false, &alone, &rows), STAMMA_OK);
        options.executor = &executor;
        assert_int_equal(list_all(archive, options, false, &together, &other), STAMMA_OK);
        assert_int_equal(rows, other);
        assert_int_equal(alone.size, together.size);
        assert_memory_equal(alone.text, together.text, alone.size);
        options.unordered = true;
        other = 0;
        assert_int_equal(list_all(archive, options, false, &together, &other), STAMMA_OK);
        assert_int_equal(rows, other);
        assert_true(threads.most > 1);
        free(alone.text);
        free(together.text);
        stamma_archive_close(archive);
    }
}

static bool stop_at_once(void *context)
{
    (void)context;
    return true;
}

static bool stop_after_two(void *context, uint64_t done, uint64_t total)
{
    unsigned *calls = context;
    assert_true(done <= total);
    return ++*calls < 2;
}

static void cancelled(void **state)
{
    const fixture *f = *state;
    unsigned calls = 0;
    uint64_t rows = 0;
    listing text = {0};
    stamma_archive *archive = open_handle(&f->archives[1]);
    const stamma_columns_options stopped = {.stop = stop_at_once};
    assert_int_equal(list_all(archive, stopped, false, &text, NULL), STAMMA_ERROR_CANCELLED);
    const stamma_columns_options later = {.progress = stop_after_two, .context = &calls};
    assert_int_equal(list_all(archive, later, false, &text, &rows), STAMMA_ERROR_CANCELLED);
    assert_int_equal(calls, 2);
    assert_int_equal(rows, 2 * GAMES + 4);
    stamma_archive_close(archive);
    free(text.text);
}

/* Each damaged byte leads to an error or to a stream; with skip_damage, the other blocks are always returned. */
static void damaged(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= LEVELS; level++) {
        listing copy = {0};
        list_bytes(&copy, f->archives[level].text, f->archives[level].size);
        const stamma_bytes bytes = stamma_bytes_of(copy.text, copy.size);
        unsigned errors = 0;
        for (size_t at = 40; at < copy.size; at += thinned_step(copy.size / 60)) {
            const char before = copy.text[at];
            copy.text[at] = (char)(before ^ 0x55);
            for (int skips = 0; skips < 2; skips++) {
                const stamma_archive_options of_archive = {.size = sizeof of_archive, .skip_damage = skips > 0};
                const stamma_columns_options options = {.table = (stamma_table)(at % STAMMA_TABLES)};
                stamma_archive *archive = NULL;
                listing text = {0};
                stamma_error error = stamma_archive_open(&bytes, &of_archive, &archive);
                if (error == STAMMA_OK)
                    error = list_all(archive, options, false, &text, NULL);
                stamma_archive_close(archive);
                errors += error != STAMMA_OK;
                assert_true(error != STAMMA_ERROR_BAD_ARGUMENT && error != STAMMA_ERROR_NO_MEMORY);
                free(text.text);
            }
            copy.text[at] = before;
        }
        assert_true(errors > 0);
        free(copy.text);
    }
}

/* Reads each table with an allocator that fails. */
static stamma_error read_tables(trial *t)
{
    stamma_error error = STAMMA_OK;
    stamma_query *query = NULL;
    const stamma_text text = {t->query, t->query ? strlen(t->query) : 0};
    stamma_block list[BLOCKS];
    size_t count = 0;
    const stamma_bytes bytes = stamma_bytes_of(t->archive->text, t->archive->size);
    const stamma_archive_options of_archive = {
        .size = sizeof of_archive, .allocator = t->allocator, .executor = t->executor};
    stamma_archive *archive = NULL;
    OPEN(archive, stamma_archive_open(&bytes, &of_archive, &archive));
    STEP(stamma_archive_blocks(archive, list, BLOCKS, &count));
    if (t->query)
        OPEN(query, stamma_query_parse(text, t->allocator, NULL, &query));
    for (int table = 0; table < STAMMA_TABLES; table++) {
        const stamma_columns_options options = {
            .table = (stamma_table)table, .query = query, .batch_rows = 100, .shuffle = 5};
        STEP(list_all(archive, options, t->level == 1, &t->result, NULL));
    }
    stamma_archive_close(archive);
    stamma_query_close(query);
    return error;
}

static void allocations(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= LEVELS; level++)
        for (int searched = 0; searched < 2; searched++)
            sweep(read_tables, (trial){.level = 2,
                                       .executor = searched ? &immediate_executor : NULL,
                                       .archive = &f->archives[level],
                                       .query = searched ? "{\"white\": \"Player*\"}" : NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),   cmocka_unit_test(ranges_after_skipped_groups),
        cmocka_unit_test(executed), cmocka_unit_test(cancelled),
        cmocka_unit_test(damaged),  cmocka_unit_test(allocations),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
