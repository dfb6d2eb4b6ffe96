/* SPDX-License-Identifier: MIT */
/* Tests searches of archives: results do not depend on levels, threads or block sizes, and equal the results of the
 * matcher, game by game through the reader. Also tests results before damage, limits, cancelling and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/handle.h"
#include "archive_support.h"
#include "executors.h"
#include "game_texts.h"

enum { PARTS = 5, GAMES_MAX = 1000, THREADS = 4 };

/* A matching game with its plies. */
typedef struct answer {
    uint64_t game;
    size_t count;
    uint32_t plies[4];
} answer;

typedef struct answers {
    answer list[GAMES_MAX];
    size_t count;
    stamma_error error;
    stamma_place place;
} answers;

static const char *const queries[] = {
    "{}",
    "{\"plies\": \"30..\"}",
    "{\"stm\": \"black\", \"check\": true}",
    "{\"move\": \"e4\"}",
    "{\"moved\": \"K\", \"captured\": \"QRBNP\"}",
    "{\"promoted\": \"QRBN\"}",
    "{\"not\": {\"pass\": true}}",
    "{\"has\": \"setup\"}",
    "{\"has\": [\"comments\", \"variations\"]}",
    "{\"sequence\": [{\"captured\": \"P\"}, {\"captured\": \"P\"}, {\"captured\": \"NB\"}]}",
    "{\"result\": \"1-0\"}",
    "{\"player\": \"Nobody\", \"result\": \"1-0\"}",
    "{\"any\": [{\"rating\": \"2000..\"}, {\"date\": \"2000..\"}, {\"not\": {\"white\": \"*\"}}]}",
    "{\"sub-fen\": \"8/8/8/8/8/8/PPPP1PPP/8\", \"stm\": \"black\"}",
};
enum { QUERIES = sizeof queries / sizeof *queries };

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_problem fault;
    if (stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: at %zu: %s", json, fault.offset, fault.message);
    return query;
}

static void add_answer(answers *all, uint64_t game, const uint32_t *plies, size_t count)
{
    assert_true(all->count < GAMES_MAX);
    answer *a = &all->list[all->count++];
    *a = (answer){.game = game, .count = count};
    for (size_t i = 0; i < count && i < 4; i++)
        a->plies[i] = plies[i];
}

/* Collects the results of a search. The caller's progress function may stop the search. */
static void search_opened(stamma_archive *archive, const stamma_query *query, const stamma_search_options *options,
                          answers *all)
{
    stamma_search *s = NULL;
    const stamma_match *match = NULL;
    all->count = 0;
    all->place = (stamma_place){0};
    all->error = stamma_search_open(archive, query, options, &s);
    while (all->error == STAMMA_OK && (all->error = stamma_search_next(s, &match)) == STAMMA_OK && match)
        add_answer(all, match->game, match->plies, match->ply_count);
    assert_true(all->error == STAMMA_OK || !match);
    if (s && all->error != STAMMA_OK) {
        all->place = stamma_search_place(s);
        assert_int_equal(stamma_search_next(s, &match), all->error);
    } else if (s) {
        assert_int_equal(stamma_search_next(s, &match), STAMMA_OK);
        assert_null(match);
    }
    stamma_search_close(s);
}

/* Like search_opened, for the bytes of an archive that is opened with options, which may be NULL. */
static void search_bytes(const stamma_bytes *bytes, const stamma_archive_options *of_archive, const stamma_query *query,
                         const stamma_search_options *options, answers *all)
{
    stamma_archive *archive = NULL;
    *all = (answers){.error = stamma_archive_open(bytes, of_archive, &archive)};
    if (all->error == STAMMA_OK)
        search_opened(archive, query, options, all);
    stamma_archive_close(archive);
}

static void search(const listing *archive, const stamma_query *query, const stamma_search_options *options,
                   answers *all)
{
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size);
    search_bytes(&bytes, NULL, query, options, all);
}

/* Collects the same results by reading all games. */
static void read_all(const listing *archive, const stamma_query *query, answers *all)
{
    archive_source source;
    const stamma_archive_game *game;
    stamma_matcher *matcher;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    *all = (answers){.count = 0};
    assert_int_equal(stamma_matcher_open(query, NULL, &matcher), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        bool found;
        const uint32_t *plies;
        size_t count;
        assert_int_equal(stamma_matcher_test(matcher, game, &found, &plies, &count), STAMMA_OK);
        if (found)
            add_answer(all, game->number, plies, count);
    }
    stamma_matcher_close(matcher);
    close_reader(reader);
}

static void assert_same(const answers *a, const answers *b, size_t count)
{
    assert_true(a->count >= count && b->count >= count);
    assert_memory_equal(a->list, b->list, count * sizeof *a->list);
}

/* ---- archives ---- */

/* Makes blocks of random games, including set-ups and a game with an illegal move. */
static listing make_archive(const listing *texts, int level)
{
    listing parts[PARTS], whole;
    for (size_t i = 0; i < PARTS; i++)
        parts[i] = pack_at(level, texts[i].text, texts[i].size, NULL);
    whole = copy_archives(parts, PARTS, NULL);
    for (size_t i = 0; i < PARTS; i++)
        free(parts[i].text);
    return whole;
}

typedef struct fixture {
    listing texts[PARTS];
    listing archives[LEVEL_MAX + 1];
    stamma_archive *opened[LEVEL_MAX + 1]; /* without an index */
    stamma_archive *plain[LEVEL_MAX + 1];  /* without search columns */
    stamma_archive *kept[LEVEL_MAX + 1];   /* with an index in memory */
    int levels;
    uint64_t games;
} fixture;

/* Returns the number of games in a block before its last game, which has an illegal move. */
static size_t random_games(size_t block)
{
    return 7 + 3 * block;
}

static int set_up(void **state)
{
    static fixture f;
    for (size_t i = 0; i < PARTS; i++) {
        for (size_t n = 0; n < random_games(i); n++, f.games++)
            list_game(&f.texts[i], &text_styles[i % 2]);
        list_word(&f.texts[i], "[White \"Nobody\"]\n\n1. e4 e5 2. Ke3 d6 1-0\n\n");
        f.games++;
    }
    f.levels = stamma_predictor_id() ? LEVEL_MAX : 1;
    for (int level = 1; level <= f.levels; level++) {
        listing *archive = &f.archives[level];
        *archive = make_archive(f.texts, level);
        f.opened[level] = open_handle(archive);
        f.plain[level] = open_handle(archive);
        f.plain[level]->no_search_columns = true;
        f.kept[level] = open_handle(archive);
        if (stamma_archive_keep_index(f.kept[level], NULL) != STAMMA_OK)
            return -1;
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < PARTS; i++)
        free(f->texts[i].text);
    for (int level = 1; level <= f->levels; level++) {
        stamma_archive_close(f->opened[level]);
        stamma_archive_close(f->plain[level]);
        stamma_archive_close(f->kept[level]);
        free(f->archives[level].text);
    }
    return 0;
}

/* ---- results ---- */

static void no_query_finds_every_game(void **state)
{
    const fixture *f = *state;
    answers all;
    for (int level = 1; level <= f->levels; level++) {
        search(&f->archives[level], NULL, NULL, &all);
        assert_int_equal(all.error, STAMMA_OK);
        assert_int_equal(all.count, f->games);
        for (size_t i = 0; i < all.count; i++)
            assert_true(all.list[i].game == i + 1 && all.list[i].count == 0);
    }
}

static void all_levels_and_threads_find_the_same(void **state)
{
    const fixture *f = *state;
    answers wanted, got;
    size_t found = 0;
    for (size_t q = 0; q < QUERIES; q++) {
        stamma_query *query = parse(queries[q]);
        read_all(&f->archives[1], query, &wanted);
        found += wanted.count > 0 && wanted.count < f->games;
        for (int level = 1; level <= f->levels; level++)
            for (unsigned way = 0; way < 7; way++) {
                eager e = {.most = 0};
                lazy l = {.waiting = 0};
                const stamma_executor threads = {&e, way == 1 ? 1 : 4, start_eager, wait_eager};
                const stamma_executor late = {&l, 3, start_lazy, wait_lazy};
                const stamma_search_options options = {.size = sizeof options,
                                                       .executor = way == 0   ? NULL
                                                                   : way == 3 ? &late
                                                                              : &threads,
                                                       .memory = way == 4 ? 1 : 0};
                search_opened((way == 5 ? f->plain : way == 6 ? f->kept : f->opened)[level], query, &options, &got);
                assert_int_equal(got.error, STAMMA_OK);
                assert_int_equal(got.count, wanted.count);
                assert_same(&got, &wanted, wanted.count);
                assert_true(way != 2 || e.most > 1);
                assert_true(way != 4 || e.most == 0);
                assert_int_equal(e.now + l.waiting, 0);
            }
        stamma_query_close(query);
    }
    assert_true(found > QUERIES / 2); /* otherwise the queries are useless */
}

static void a_file_is_searched_like_memory(void **state)
{
    const fixture *f = *state;
    answers wanted, got;
    for (size_t q = 0; q < QUERIES; q++) {
        stamma_query *query = parse(queries[q]);
        for (int level = 1; level <= f->levels; level++) {
            const listing *archive = &f->archives[level];
            eager e = {.most = 0};
            archive_source source = {.bytes = archive->text, .size = archive->size};
            const stamma_bytes bytes = source_bytes(&source);
            const stamma_executor threads = {&e, 4, start_eager, wait_eager};
            const stamma_archive_options options = {.size = sizeof options, .executor = q % 2 ? &threads : NULL};
            search(archive, query, NULL, &wanted);
            search_bytes(&bytes, &options, query, NULL, &got);
            assert_true(source.calls > 0);
            assert_int_equal(got.error, STAMMA_OK);
            assert_int_equal(got.count, wanted.count);
            assert_same(&got, &wanted, wanted.count);
        }
        stamma_query_close(query);
    }
}

/* The tree and the players' names of its examples, read from a file. */
static void a_tree_reads_a_file(void **state)
{
    const fixture *f = *state;
    const stamma_position start = stamma_position_start();
    const stamma_text name = {"a", 1};
    static char wanted[1 << 16], got[1 << 16];
    for (int level = 1; level <= f->levels; level++) {
        const listing *archive = &f->archives[level];
        archive_source source = {.bytes = archive->text, .size = archive->size};
        const stamma_bytes memory = stamma_bytes_of(archive->text, archive->size), file = source_bytes(&source);
        for (unsigned way = 0; way < 2; way++) {
            stamma_archive *opened;
            stamma_tree *tree;
            assert_int_equal(stamma_archive_open(way ? &file : &memory, NULL, &opened), STAMMA_OK);
            assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
            assert_int_equal(stamma_tree_add_archive(tree, name, opened, NULL, NULL, NULL), STAMMA_OK);
            assert_int_equal(stamma_tree_name_games(tree, name, opened, NULL), STAMMA_OK);
            (void)stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, way ? got : wanted, sizeof got);
            stamma_tree_close(tree);
            stamma_archive_close(opened);
        }
        assert_true(strlen(wanted) > 100);
        assert_string_equal(got, wanted);
    }
}

/* ---- ranges of games ---- */

/* Searches of all parts of an archive together find the same games as a search of the archive. */
static void ranges_add_up(void **state)
{
    const fixture *f = *state;
    answers wanted, got;
    for (size_t q = 0; q < QUERIES; q++) {
        stamma_query *query = parse(queries[q]);
        for (int level = 1; level <= f->levels; level++) {
            const listing *archive = &f->archives[level];
            search(archive, query, NULL, &wanted);
            size_t found = 0;
            for (uint64_t first = 1, step = 1; first <= GAMES_MAX; first += step, step = step % 13 + 5) {
                const stamma_search_options options = {
                    .size = sizeof options, .first_game = first, .last_game = first + step - 1};
                search(archive, query, &options, &got);
                assert_int_equal(got.error, STAMMA_OK);
                assert_true(found + got.count <= wanted.count);
                assert_memory_equal(got.list, wanted.list + found, got.count * sizeof *got.list);
                found += got.count;
            }
            assert_int_equal(found, wanted.count);
        }
        stamma_query_close(query);
    }
}

/* A failed read is an error of the search, after all results before it. */
static void a_file_may_fail(void **state)
{
    const fixture *f = *state;
    const listing *archive = &f->archives[1];
    answers wanted, got;
    search(archive, NULL, NULL, &wanted);
    unsigned failed = 0;
    for (unsigned at = 1; failed + 1 == at; at++) {
        archive_source source = {.bytes = archive->text, .size = archive->size, .fail_at = at};
        const stamma_bytes bytes = source_bytes(&source);
        search_bytes(&bytes, NULL, NULL, NULL, &got);
        failed += got.error == STAMMA_ERROR_IO;
        assert_true(got.error == STAMMA_OK || got.error == STAMMA_ERROR_IO);
        assert_same(&got, &wanted, got.count);
    }
    assert_true(failed > 4);
}

static void skip_and_limit_count(void **state)
{
    const fixture *f = *state;
    answers all, got;
    search(&f->archives[1], NULL, NULL, &all);
    for (size_t skip = 0; skip < f->games + 2; skip += 13)
        for (size_t limit = 1; limit < f->games; limit = 2 * limit + 1) {
            char json[80];
            snprintf(json, sizeof json, "{\"skip\": %zu, \"limit\": %zu}", skip, limit);
            stamma_query *query = parse(json);
            search(&f->archives[1], query, NULL, &got);
            size_t left = skip < f->games ? (size_t)f->games - skip : 0;
            assert_int_equal(got.error, STAMMA_OK);
            assert_int_equal(got.count, limit < left ? limit : left);
            for (size_t i = 0; i < got.count; i++)
                assert_int_equal(got.list[i].game, skip + i + 1);
            stamma_query_close(query);
        }
}

static void positions_of_set_ups_are_found(void **state)
{
    (void)state;
    static const char text[] = "[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 60\"]\n\n60. a8=N Kg6 61. Nb6 *\n\n"
                               "[White \"A\"]\n\n1. e4 e5 *\n\n"
                               "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1-0\n\n" /* games without a position */
                               "[FEN \"pppp/8/8/8 w - - 0 1\"]\n\n1. e4 1-0\n\n";
    listing archive = pack(text, sizeof text - 1, NULL);
    answers got;
    stamma_query *query = parse("{\"fen\": \"N7/8/6k1/8/8/8/7K/8 w - -\"}");
    search(&archive, query, NULL, &got);
    assert_true(got.count == 1 && got.list[0].game == 1 && got.list[0].plies[0] == 2);
    stamma_query_close(query);
    query = parse("{\"fen\": \"8/P6k/8/8/8/8/7K/8 w - -\"}");
    search(&archive, query, NULL, &got);
    assert_true(got.count == 1 && got.list[0].game == 1 && got.list[0].plies[0] == 0);
    stamma_query_close(query);
    query = parse("{\"ply\": 0, \"material\": \"KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPPP\"}");
    search(&archive, query, NULL, &got);
    assert_true(got.count == 1 && got.list[0].game == 2 && got.list[0].plies[0] == 0);
    stamma_query_close(query);
    query = parse("{\"not\": {\"stm\": \"white\"}}");
    search(&archive, query, NULL, &got);
    assert_true(got.count == 4);
    stamma_query_close(query);
    free(archive.text);
}

/* A game that is too large for a block is searched in its first piece, and later games keep their numbers. */
static void a_game_in_pieces_is_one(void **state)
{
    (void)state;
    listing text = {0};
    answers got;
    list_word(&text, "1. e4 e5 *\n\n1. d4 ");
    for (size_t i = 0; i < 1500000; i++)
        list_bytes(&text, "{some words} ", 13);
    list_word(&text, "d5 *\n\n1. c4 c5 *\n\n");
    listing archive = pack(text.text, text.size, NULL);
    stamma_query *query = parse("{\"any\": [{\"move\": \"d4\"}, {\"move\": \"c5\"}]}");
    search(&archive, query, NULL, &got);
    assert_int_equal(got.error, STAMMA_OK);
    assert_int_equal(got.count, 2);
    assert_true(got.list[0].game == 2 && got.list[1].game == 3);
    stamma_query_close(query);
    free(archive.text);
    free(text.text);
}

/* ---- searches that end early ---- */

/* Returns the number of games in the blocks before the frame at `offset`. */
static uint64_t games_before(const fixture *f, const listing *archive, uint64_t offset)
{
    uint64_t games = 0;
    size_t block = 0;
    for (size_t at = ARCHIVE_HEADER_SIZE; at < archive->size && at < offset; at = next_frame(archive, at)) {
        frame head;
        assert_int_equal(stamma_frame_read((const uint8_t *)archive->text + at, &head), STAMMA_OK);
        if (head.type == FRAME_BLOCK)
            games += random_games(block++) + 1;
    }
    return games < f->games ? games : f->games;
}

/* Whichever byte is changed, a search returns a prefix of the complete results, at least those of all blocks before the
 * byte's block, and then an error. If the search does not read the byte, the results are complete. */
static void what_stands_before_damage_is_found(void **state)
{
    const fixture *f = *state;
    const listing *whole = &f->archives[1];
    stamma_query *query = parse("{\"move\": [\"e4\", \"d4\", \"Nf3\"]}");
    answers wanted, got, again;
    size_t wrong = 0;
    read_all(whole, query, &wanted);
    listing copy = {0};
    list_bytes(&copy, whole->text, whole->size);
    for (size_t at = ARCHIVE_HEADER_SIZE; at < whole->size; at += 1 + at % 211) {
        eager e = {.most = 0};
        const stamma_executor threads = {&e, 3, start_eager, wait_eager};
        const stamma_search_options options = {.size = sizeof options, .executor = &threads};
        copy.text[at] ^= 0x10;
        search(&copy, query, NULL, &got);
        search(&copy, query, &options, &again);
        copy.text[at] ^= 0x10;
        assert_true(got.error == STAMMA_OK || got.error == STAMMA_ERROR_CORRUPT ||
                    got.error == STAMMA_ERROR_UNSUPPORTED);
        assert_same(&got, &wanted, got.count);
        assert_true(again.error == got.error && again.count == got.count && again.place.offset == got.place.offset);
        if (got.error == STAMMA_OK) {
            assert_int_equal(got.count, wanted.count);
            continue;
        }
        wrong++;
        size_t least = 0;
        while (least < wanted.count && wanted.list[least].game <= games_before(f, whole, got.place.offset))
            least++;
        assert_true(got.place.offset <= at && got.count >= least);
    }
    assert_true(wrong > 50);
    stamma_query_close(query);
    free(copy.text);
}

static void an_archive_cut_short_gives_what_is_there(void **state)
{
    const fixture *f = *state;
    const listing *whole = &f->archives[1];
    answers got;
    uint64_t last = 0;
    for (size_t size = ARCHIVE_HEADER_SIZE; size < whole->size; size += 1 + size % 307) {
        listing cut = {whole->text, size, size};
        search(&cut, NULL, NULL, &got);
        assert_int_equal(got.error, STAMMA_ERROR_CORRUPT);
        assert_true(got.place.offset <= size && got.count >= last);
        for (size_t i = 0; i < got.count; i++)
            assert_int_equal(got.list[i].game, i + 1);
        last = got.count;
    }
    assert_true(last > 0);
    listing nothing = {whole->text, 0, 0};
    search(&nothing, NULL, NULL, &got);
    assert_int_equal(got.error, STAMMA_ERROR_NO_ARCHIVE);
    search(&f->texts[0], NULL, NULL, &got);
    assert_int_equal(got.error, STAMMA_ERROR_NO_ARCHIVE);
}

static void progress_may_stop_it(void **state)
{
    const fixture *f = *state;
    answers all, got;
    for (unsigned stop = 0; stop <= PARTS; stop++) {
        archive_steps steps = {.stop_at = stop};
        const stamma_search_options options = {
            .size = sizeof options, .context = &steps, .progress = archive_take_progress};
        search(&f->archives[1], NULL, &options, &got);
        assert_int_equal(got.error, stop == 0 ? STAMMA_OK : STAMMA_ERROR_CANCELLED);
        assert_int_equal(steps.calls, stop == 0 ? PARTS : stop);
        assert_int_equal(steps.total, f->archives[1].size);
        if (stop > 0)
            assert_int_equal(got.count, games_before(f, &f->archives[1], steps.last));
        else
            assert_int_equal(got.count, f->games);
    }
    search(&f->archives[1], NULL, NULL, &all);
}

/* Counts the calls of a search's callback in any thread, and stops the search at a given call. */
typedef struct asking {
    atomic_uint calls;
    unsigned stop_at; /* 0: never */
} asking;

static bool stop_at(void *context)
{
    asking *a = context;
    return atomic_fetch_add(&a->calls, 1) + 1 == a->stop_at;
}

static const char slow_query[] = "{\"moved\": \"K\", \"captured\": \"QRBNP\"}";

/* With predicted moves, a search calls the callback for each game, so that it can stop after decoding any game. */
static void a_search_is_stopped_within_a_block(void **state)
{
    const fixture *f = *state;
    stamma_query *query = parse(slow_query);
    listing games = read_file("data/games.pgn");
    enum { GAMES = 80 }; /* a lower bound; random games are not predicted */
    answers got;
    for (int level = 2; level <= f->levels; level++) {
        listing archive = pack_at(level, games.text, games.size, NULL);
        asking a = {.stop_at = 0};
        stamma_search_options options = {.size = sizeof options, .context = &a, .stop = stop_at};
        search(&archive, query, &options, &got);
        assert_int_equal(got.error, STAMMA_OK);
        assert_true(got.count > 0 && a.calls >= GAMES);
        for (unsigned at = 1, all = a.calls; at <= all; at += 1 + at / 16) {
            a = (asking){0, at};
            search(&archive, query, &options, &got);
            assert_int_equal(got.error, STAMMA_ERROR_CANCELLED);
            assert_true(a.calls == at && got.count <= at);
        }
        free(archive.text);
    }
    free(games.text);
    stamma_query_close(query);
}

/* If a query needs only tags, the tags of all games of a block are read before the first result. */
static void reading_tags_is_stopped(void **state)
{
    const fixture *f = *state;
    stamma_query *query = parse("{\"player\": \"*a*\"}");
    listing games = read_file("data/games.pgn"), archive = pack_at(f->levels, games.text, games.size, NULL);
    answers got;
    for (unsigned at = 1; at <= 2; at++) {
        asking a = {.stop_at = at};
        stamma_search_options options = {.size = sizeof options, .context = &a, .stop = stop_at};
        search(&archive, query, &options, &got);
        assert_int_equal(got.error, STAMMA_ERROR_CANCELLED);
        assert_true(a.calls == at && got.count == 0);
    }
    free(archive.text);
    free(games.text);
    stamma_query_close(query);
}

/* Functions that aggregate games are also stopped inside a block. */
static void an_answer_is_stopped_within_a_block(void **state)
{
    const fixture *f = *state;
    const stamma_position start = stamma_position_start();
    stamma_archive *archive = f->opened[f->levels];
    const stamma_text name = {"a", 1};
    for (unsigned at = 1; at < 40; at += 5) {
        asking a = {.stop_at = at};
        stamma_search_options options = {.size = sizeof options, .context = &a, .stop = stop_at};
        stamma_tree *tree;
        assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
        stamma_error error = stamma_tree_add_archive(tree, name, archive, NULL, &options, NULL);
        assert_true(error == STAMMA_ERROR_CANCELLED ? a.calls == at : error == STAMMA_OK && a.calls < at);
        assert_int_equal(stamma_tree_total(tree).games, error == STAMMA_OK ? f->games : 0);
        stamma_tree_close(tree);
    }
}

/* The reported states of a growing tree. */
typedef struct growth {
    unsigned calls;
    uint64_t games;
    char last[1 << 16];
} growth;

static size_t write_tree(stamma_tree *tree, char *out, size_t size)
{
    size_t length = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, out, size);
    assert_true(length > 0 && length < size);
    return length;
}

/* Reads the tree by merging it into another, as callers do. */
static void take_growth(void *context, const stamma_tree *tree)
{
    growth *g = context;
    stamma_tree *copy;
    assert_true(stamma_tree_total(tree).games >= g->games);
    g->games = stamma_tree_total(tree).games;
    g->calls++;
    assert_int_equal(stamma_tree_open(stamma_tree_position(tree), NULL, &copy), STAMMA_OK);
    assert_int_equal(stamma_tree_merge(copy, tree), STAMMA_OK);
    (void)write_tree(copy, g->last, sizeof g->last);
    stamma_tree_close(copy);
}

/* The tree is reported after each block, with more games each time, finally with all. */
static void a_tree_grows_with_its_blocks(void **state)
{
    const fixture *f = *state;
    const stamma_position start = stamma_position_start();
    static char whole[1 << 16];
    for (unsigned way = 0; way < 3u * (unsigned)f->levels; way++) {
        stamma_archive *archive = (way % 3 == 2 ? f->kept : f->opened)[1 + way / 3];
        static growth g;
        eager e = {.most = 0};
        const stamma_executor threads = {&e, 4, start_eager, wait_eager};
        const stamma_search_options options = {
            .size = sizeof options, .context = &g, .executor = way % 3 == 1 ? &threads : NULL};
        stamma_tree *tree;
        memset(&g, 0, sizeof g);
        assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
        assert_int_equal(
            stamma_tree_add_archive_live(tree, stamma_text_of("a"), archive, NULL, &options, take_growth, NULL),
            STAMMA_OK);
        assert_int_equal(g.calls, PARTS);
        (void)write_tree(tree, whole, sizeof whole);
        assert_string_equal(g.last, whole);
        stamma_tree_close(tree);
    }
}

/* A failed allocation leaks nothing. */
static void a_growing_tree_may_lack_memory(void **state)
{
    const fixture *f = *state;
    const stamma_position start = stamma_position_start();
    const stamma_bytes bytes = stamma_bytes_of(f->archives[1].text, f->archives[1].size);
    unsigned failed = 0;
    for (unsigned at = 1; failed + 1 == at; at++) {
        static growth g;
        failing_memory memory = {.fail_at = at};
        stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_options of_archive = {.size = sizeof of_archive, .allocator = &allocator};
        const stamma_search_options options = {.size = sizeof options, .context = &g};
        stamma_archive *archive = NULL;
        stamma_tree *tree;
        memset(&g, 0, sizeof g);
        assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
        stamma_error error = stamma_archive_open(&bytes, &of_archive, &archive);
        if (error == STAMMA_OK)
            error = stamma_tree_add_archive_live(tree, stamma_text_of("a"), archive, NULL, &options, take_growth, NULL);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        failed += error != STAMMA_OK;
        stamma_tree_close(tree);
        stamma_archive_close(archive);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 20);
}

/* With several threads, each may call the callback once after the stop, and none calls it again. */
static void threads_are_stopped(void **state)
{
    const fixture *f = *state;
    stamma_query *query = parse(slow_query);
    answers got;
    for (unsigned at = 1; at < 30; at += 3) {
        eager e = {.most = 0};
        const stamma_executor threads = {&e, THREADS, start_eager, wait_eager};
        asking a = {.stop_at = at};
        const stamma_search_options options = {
            .size = sizeof options, .executor = &threads, .context = &a, .stop = stop_at};
        search(&f->archives[f->levels], query, &options, &got);
        assert_int_equal(got.error, f->levels > 1 || at == 1 ? STAMMA_ERROR_CANCELLED : got.error);
        assert_true(got.error != STAMMA_ERROR_CANCELLED || (a.calls >= at && a.calls <= at + THREADS));
        assert_int_equal(e.now, 0);
    }
    stamma_query_close(query);
}

static void a_search_may_be_left(void **state)
{
    const fixture *f = *state;
    for (unsigned taken = 0; taken < 3; taken++) {
        eager e = {.most = 0};
        const stamma_executor threads = {&e, 4, start_eager, wait_eager};
        const stamma_search_options options = {.size = sizeof options, .executor = &threads};
        stamma_search *s;
        const stamma_match *match;
        assert_int_equal(stamma_search_open(f->opened[1], NULL, &options, &s), STAMMA_OK);
        for (unsigned i = 0; i < taken; i++)
            assert_int_equal(stamma_search_next(s, &match), STAMMA_OK);
        stamma_search_close(s);
        assert_int_equal(e.now, 0);
    }
}

static void memory_may_fail_at_any_call(void **state)
{
    const fixture *f = *state;
    stamma_query *query = parse("{\"move\": \"e4\", \"white\": \"*\"}");
    answers wanted, got;
    const stamma_bytes bytes = stamma_bytes_of(f->archives[1].text, f->archives[1].size);
    unsigned failed = 0;
    search(&f->archives[1], query, NULL, &wanted);
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
        search_bytes(&bytes, &options, query, NULL, &got);
        failed += got.error == STAMMA_ERROR_NO_MEMORY;
        assert_true(got.error == STAMMA_ERROR_NO_MEMORY || got.error == STAMMA_OK);
        assert_same(&got, &wanted, got.count);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 20);
    stamma_query_close(query);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_query_finds_every_game),
        cmocka_unit_test(all_levels_and_threads_find_the_same),
        cmocka_unit_test(a_file_is_searched_like_memory),
        cmocka_unit_test(a_tree_reads_a_file),
        cmocka_unit_test(a_file_may_fail),
        cmocka_unit_test(ranges_add_up),
        cmocka_unit_test(skip_and_limit_count),
        cmocka_unit_test(positions_of_set_ups_are_found),
        cmocka_unit_test(a_game_in_pieces_is_one),
        cmocka_unit_test(what_stands_before_damage_is_found),
        cmocka_unit_test(an_archive_cut_short_gives_what_is_there),
        cmocka_unit_test(progress_may_stop_it),
        cmocka_unit_test(a_search_is_stopped_within_a_block),
        cmocka_unit_test(reading_tags_is_stopped),
        cmocka_unit_test(an_answer_is_stopped_within_a_block),
        cmocka_unit_test(threads_are_stopped),
        cmocka_unit_test(a_tree_grows_with_its_blocks),
        cmocka_unit_test(a_growing_tree_may_lack_memory),
        cmocka_unit_test(a_search_may_be_left),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
