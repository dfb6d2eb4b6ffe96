/* SPDX-License-Identifier: MIT */
/* Tests index files: searches with and without an index file have the same results, at every level, with segments of
 * any size, and after the archive has grown. Index files of other archives and outdated files are rejected. Damaged
 * files are rejected or not used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "executors.h"
#include "game_texts.h"
#include "search/search_index.h"
#include "value_games.h"

enum { PARTS = 4, QUERY_SIZE = 512, ANSWERS_MAX = 4096 };

/* ---- archives ---- */

typedef struct fixture {
    listing archives[LEVEL_MAX + 1];
    stamma_archive *plain; /* the archive of level 1, without an index */
    int levels;
    listing positions; /* FENs of positions of the games, each with a NUL at the end */
} fixture;

/* Adds positions of a game, more of them near its beginning. */
static void list_positions(listing *list, const stamma_archive_game *game)
{
    stamma_position p = game->start;
    for (size_t ply = 0; ply < game->ply_count; ply++) {
        char fen[STAMMA_FEN_SIZE];
        stamma_position_make(&p, game->moves[ply], &p);
        if (ply < 6 ? (game->number + ply) % 5 > 0 : (game->number + ply) % 13 > 0)
            continue;
        size_t length = stamma_fen_write(&p, STAMMA_FEN_STANDARD, fen, sizeof fen);
        list_bytes(list, fen, length + 1);
    }
}

/* Games of random moves, with set-ups and an illegal move; known openings with transpositions; games with many tags. */
static listing make_text(unsigned part)
{
    static const char *const openings[] = {"1. d4 Nf6 2. c4 e6 3. Nf3 d5", "1. Nf3 Nf6 2. c4 e6 3. d4 d5",
                                           "1. c4 Nf6 2. d4 e6 3. Nf3 d5", "1. d4 d5 2. c4 e6 3. Nf3 Nf6",
                                           "1. e4 c5 2. Nf3 d6 3. d4 cxd4"};
    static const char *const rests[] = {"4. Nc3 Be7 5. Bg5 O-O 1-0", "4. g3 Be7 5. Bg2 O-O 1/2-1/2", "4. Nc3 c6 *",
                                        "4. Nc3 Bb4 5. Qa4+ Nc6 0-1", "4. a3 a6 5. h3 h6 6. e3 c6 1-0"};
    listing text = {0};
    for (unsigned n = 0; n < 8 + 2 * part; n++)
        list_game(&text, &text_styles[n % 2]);
    for (unsigned n = 0; n < 60; n++) {
        char game[400];
        unsigned opening = (n * 7 + part) % 5, rest = (n * 3 + part) % (opening < 4 ? 5 : 1);
        snprintf(game, sizeof game,
                 "[Event \"E%u\"]\n[Date \"20%02u.0%u.??\"]\n[White \"Smith, %c\"]\n[Black \"M\xC3\xBCller, %c\"]\n"
                 "[Result \"%s\"]\n[WhiteElo \"%u\"]\n[TimeControl \"%u+0\"]\n\n%s %s\n\n",
                 n % 3, n % 30, 1 + n % 9, 'A' + n % 7, 'A' + n % 4, n % 2 ? "1-0" : "*", 1500 + n * 10, 60 + n * 10,
                 openings[opening], opening < 4 ? rests[rest] : "4. Nxd4 1-0");
        list_word(&text, game);
    }
    list_tagged_games(&text, 20);
    list_word(&text, "[White \"Nobody\"]\n\n1. e4 e5 2. Ke3 d6 1-0\n\n");
    return text;
}

static void list_all_positions(fixture *f)
{
    archive_source source;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, &f->archives[1], true);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game)
        if (!game->continuation)
            list_positions(&f->positions, game);
    close_reader(reader);
}

static int set_up(void **state)
{
    static fixture f;
    listing texts[PARTS];
    f.levels = stamma_predictor_id() ? LEVEL_MAX : 1;
    for (unsigned part = 0; part < PARTS; part++)
        texts[part] = make_text(part);
    for (int level = 1; level <= f.levels; level++) {
        listing parts[PARTS];
        for (unsigned part = 0; part < PARTS; part++)
            parts[part] = pack_at(level, texts[part].text, texts[part].size, NULL);
        f.archives[level] = copy_archives(parts, PARTS, NULL);
        for (unsigned part = 0; part < PARTS; part++)
            free(parts[part].text);
    }
    for (unsigned part = 0; part < PARTS; part++)
        free(texts[part].text);
    f.plain = open_handle(&f.archives[1]);
    list_all_positions(&f);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    stamma_archive_close(f->plain);
    for (int level = 1; level <= f->levels; level++)
        free(f->archives[level].text);
    free(f->positions.text);
    return 0;
}

/* ---- indexes ---- */

static listing write_index(const listing *archive, const stamma_index_write_options *options)
{
    listing file = {0};
    assert_int_equal(append_index(archive, options, &file), STAMMA_OK);
    return file;
}

static listing write_segments(const listing *archive, uint32_t games)
{
    const stamma_index_write_options options = {.size = sizeof options, .segment_games = games};
    return write_index(archive, &options);
}

static const index_file *file_of(const stamma_archive *archive)
{
    return handle_index(archive)->file;
}

/* ---- searches ---- */

typedef struct answers {
    size_t count;
    uint64_t games[ANSWERS_MAX];
    uint32_t plies[ANSWERS_MAX];
} answers;

static void find(stamma_archive *archive, const char *json, answers *all)
{
    stamma_query_problem fault;
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match;
    all->count = 0;
    if (stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: %s", json, fault.message);
    assert_int_equal(stamma_search_open(archive, query, NULL, &search), STAMMA_OK);
    while (stamma_search_next(search, &match) == STAMMA_OK && match) {
        assert_true(all->count < ANSWERS_MAX);
        all->games[all->count] = match->game;
        all->plies[all->count++] = match->ply_count > 0 ? match->plies[0] : UINT32_MAX;
    }
    assert_int_equal(stamma_search_next(search, &match), STAMMA_OK);
    stamma_search_close(search);
    stamma_query_close(query);
}

static void assert_finds(stamma_archive *archive, const char *json, const answers *wanted)
{
    static answers got;
    find(archive, json, &got);
    if (got.count != wanted->count)
        fail_msg("%s: %zu games instead of %zu", json, got.count, wanted->count);
    assert_memory_equal(got.games, wanted->games, wanted->count * sizeof *wanted->games);
    assert_memory_equal(got.plies, wanted->plies, wanted->count * sizeof *wanted->plies);
}

/* Asserts that a search for any game from `first` to `last` (0: the last game) finds one of these answers, if there is
 * one in the range. */
static void assert_finds_any(stamma_archive *archive, const char *json, const answers *wanted, uint64_t first,
                             uint64_t last)
{
    const stamma_search_options options = {.size = sizeof options, .first_game = first, .last_game = last, .any = true};
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match;
    size_t n = 0, in_range = 0;
    for (size_t i = 0; i < wanted->count; i++)
        in_range += wanted->games[i] >= first && (last == 0 || wanted->games[i] <= last);
    assert_int_equal(stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query), STAMMA_OK);
    assert_int_equal(stamma_search_open(archive, query, &options, &search), STAMMA_OK);
    assert_int_equal(stamma_search_next(search, &match), STAMMA_OK);
    if ((match != NULL) != (in_range > 0))
        fail_msg("%s: %zu games from %u to %u", json, in_range, (unsigned)first, (unsigned)last);
    if (match) {
        assert_true(match->game >= first && (last == 0 || match->game <= last));
        while (n < wanted->count && wanted->games[n] != match->game)
            n++;
        assert_true(n < wanted->count);
        assert_int_equal(match->ply_count > 0 ? match->plies[0] : UINT32_MAX, wanted->plies[n]);
        assert_int_equal(stamma_search_next(search, &match), STAMMA_OK);
        assert_null(match);
    }
    stamma_search_close(search);
    stamma_query_close(query);
}

/* Searches `plain` without an index, and an archive of the same games with its index. Returns the number of games
 * found. */
static size_t compare(stamma_archive *plain, stamma_archive *archive, const char *json)
{
    static answers wanted;
    find(plain, json, &wanted);
    assert_finds(archive, json, &wanted);
    const uint64_t middle = wanted.count > 0 ? wanted.games[wanted.count / 2] : 1;
    assert_finds_any(archive, json, &wanted, 0, 0);
    if (strstr(json, "\"skip\"")) /* counts only the games of the range */
        return wanted.count;
    assert_finds_any(archive, json, &wanted, middle + 1, 0);
    assert_finds_any(archive, json, &wanted, middle, middle);
    if (middle > 1)
        assert_finds_any(plain, json, &wanted, 0, middle - 1);
    if (middle > 1)
        assert_finds_any(archive, json, &wanted, 0, middle - 1);
    return wanted.count;
}

static const char *const queries[] = {
    "{\"player\": \"Smith*\"}",
    "{\"white\": \"smith, a\"}",
    "{\"black\": [\"muller*\", \"m\\u00fcller, b\"]}",
    "{\"players\": [\"Smith*\", \"*ller, c\"]}",
    "{\"player\": \"*\", \"result\": \"1-0\"}",
    "{\"player\": \"Smith*\", \"white-rating\": \"1600..1800\"}",
    "{\"player\": \"Smith*\", \"date\": \"2005.03.15..2011\"}",
    "{\"player\": \"Smith*\", \"speed\": \"blitz\"}",
    "{\"player\": \"Smith*\", \"plies\": \"..9\"}",
    "{\"player\": \"Smith*\", \"move\": \"Bg5\"}",
    "{\"white\": \"Smith*\", \"black\": \"*, a\", \"event\": \"E1\"}",
    "{\"player\": \"?mith, b\", \"limit\": 3, \"skip\": 1}",
    "{\"player\": \"Smith*\", \"variations\": true, \"move\": \"a3\"}",
    "{\"player\": \"Smith*\", \"all-matches\": true, \"captured\": \"P\"}",
    "{\"player\": \"*\", \"rating-difference\": \"..100\"}",
    "{\"variations\": true, \"fen\": \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"}",
    "{\"all-matches\": true, \"fen\": \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"}",
    "{\"player\": \"Nobody\"}",
    "{\"player\": \"Absent\"}",
    "{\"any\": [{\"player\": \"Smith*\"}, {\"result\": \"0-1\"}]}",
    "{\"player\": \"Smith*\", \"any\": [{\"rating\": \"1900..\"}, {\"not\": {\"date\": \"2005..\"}}]}",
    "{\"player\": \"*\", \"not\": {\"fen\": \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"}}",
    "{\"result\": \"1-0\"}",
    "{\"player\": \"Smith*\", \"flipcolor\": true, \"sub-fen\": \"8/8/8/8/2P5/8/8/8\"}",
    "{\"player\": \"Smith*\", \"mirror\": true, \"sub-fen\": \"8/8/8/8/2P5/5N2/8/8\", \"result\": \"1-0\"}",
    "{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq -\", \"flipcolor\": true}",
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - -\", \"mirror\": true, \"ignore-castling\": true}",
    ("{\"fen\": [\"rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w - -\", "
     "\"rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR"
     " b - -\"], \"mirror\": true, \"flipcolor\": true, \"ignore-castling\": true, \"player\": \"Smith*\"}"),
    "{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq -\", \"flipcolor\": true, \"move\": \"d5\"}",
    "{\"fen\": \"rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq -\", \"for\": 2}",
    "{\"player\": \"Smith*\", \"for\": 3}",
    "{\"player\": \"Smith*\", \"for\": 11, \"material\": \"KQR*BBNNP*KQR*BBNNP*\", \"flipcolor\": true}",
    ("{\"fen\": [\"rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq -\","
     " \"rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -\"]}"),
    "{\"fen\": \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -\", \"ignore-castling\": true}",
};

/* Searches for every `step`-th position, and some with other rules. */
static void compare_positions(const fixture *f, stamma_archive *plain, stamma_archive *archive, size_t step)
{
    static const char *const others[] = {"",
                                         ", \"result\": \"1-0\"",
                                         ", \"player\": \"Smith*\"",
                                         ", \"ignore-castling\": true",
                                         ", \"move\": \"c6\"",
                                         ", \"plies\": \"7..\""};
    size_t n = 0, found = 0, several = 0, tried = 0;
    for (const char *fen = f->positions.text; fen < f->positions.text + f->positions.size; fen += strlen(fen) + 1) {
        char json[QUERY_SIZE];
        if (n++ % step > 0)
            continue;
        snprintf(json, sizeof json, "{\"fen\": \"%s\"%s}", fen, others[n / step % 6]);
        size_t games = compare(plain, archive, json);
        found += games > 0;
        several += games > 1;
        tried++;
    }
    assert_true(found > tried / 2 && several > 5);
}

static void an_index_finds_the_same(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= f->levels; level++) {
        const listing *archive = &f->archives[level];
        for (unsigned way = 0; way < (level == 1 ? 3u : 1u); way++) {
            static const uint32_t games[] = {0, 1, 150};
            listing file = write_segments(archive, games[way]);
            stamma_archive *indexed = open_indexed(archive, &file);
            assert_true(file_of(indexed)->segment_count == (way == 0 ? 1 : way == 1 ? PARTS : 2));
            for (size_t q = 0; q < sizeof queries / sizeof *queries; q++)
                (void)compare(f->plain, indexed, queries[q]);
            compare_positions(f, f->plain, indexed, level == 1 ? 3 : 17);
            assert_false(index_state(indexed).damaged);
            stamma_archive_close(indexed);
            free(file.text);
        }
    }
}

/* A beginning that three games share may be deeper than the entry of a record can store. Later games in its group of
 * codes are found nevertheless. */
static void games_after_deep_beginnings_are_found(void **state)
{
    const fixture *f = *state;
    listing text = {0};
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned k = 0; k < 75; k++)
            list_word(&text, "Nf3 Nf6 Ng1 Ng8 ");
        list_word(&text, n == 0 ? "e4 1-0\n\n" : n == 1 ? "d4 1-0\n\n" : "c4 b6 1-0\n\n");
    }
    list_word(&text, "f4 e5 fxe5 d6 exd6 Bxd6 Nf3 g5 1-0\n\n");
    for (int level = 1; level <= f->levels; level++) {
        listing archive = pack_at(level, text.text, text.size, NULL), file = write_index(&archive, NULL);
        stamma_archive *plain = open_handle(&archive), *indexed = open_indexed(&archive, &file);
        assert_int_equal(
            compare(plain, indexed, "{\"fen\": \"rnbqk1nr/ppp2ppp/3b4/8/8/8/PPPPP1PP/RNBQKBNR w KQkq -\"}"), 1);
        assert_int_equal(
            compare(plain, indexed, "{\"fen\": \"rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -\"}"), 1);
        assert_false(index_state(indexed).damaged);
        stamma_archive_close(plain);
        stamma_archive_close(indexed);
        free(file.text);
        free(archive.text);
    }
    free(text.text);
}

/* A key of one level must not equal a crowded key of another level. */
static void keys_of_levels_differ(void **state)
{
    (void)state;
    stamma_position p = stamma_position_start();
    for (unsigned level = 0; level < INDEX_LEVELS; level++)
        assert_int_equal(index_key(p.by_color, p.by_type, p.side, level) % 8, level);
}

/* ---- trees ---- */

enum { JSON_SIZE = 1 << 18 };
static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/* Writes the tree of a position, with names and months, as JSON. */
static void write_tree(stamma_archive *archive, const char *fen, const char *json, char *out)
{
    const stamma_text name = {"a", 1};
    stamma_query_problem fault;
    stamma_query *query = NULL;
    stamma_position position;
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_fen_read((stamma_text){fen, strlen(fen)}, &position, NULL, NULL), STAMMA_OK);
    if (json && stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: %s", json, fault.message);
    assert_int_equal(stamma_tree_open(&position, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_keep_history(tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, name, archive, query, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_tree_name_games(tree, name, archive, NULL), STAMMA_OK);
    size_t length = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, out, JSON_SIZE);
    assert_true(length > 0 && length < JSON_SIZE);
    stamma_tree_close(tree);
    stamma_query_close(query);
}

/* Writes statistics with all rows as JSON, and returns their sum. */
static stamma_stats_results write_stats(stamma_archive *archive, const char *json, char *out)
{
    stamma_query *query = NULL;
    stamma_stats *stats = NULL;
    size_t length = 0;
    if (json)
        assert_int_equal(stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query), STAMMA_OK);
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    assert_int_equal(stamma_stats_add_archive(stats, archive, query, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_stats_write_json(stats, SIZE_MAX, out, JSON_SIZE, &length), STAMMA_OK);
    assert_true(length > 0 && length < JSON_SIZE);
    const stamma_stats_results results = stamma_stats_sum(stats).results;
    stamma_stats_close(stats);
    stamma_query_close(query);
    return results;
}

static stamma_stats_results count_results(stamma_archive *archive, const char *json)
{
    stamma_stats_results r = {0};
    stamma_query *query = NULL;
    assert_true(!json || stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query) == STAMMA_OK);
    assert_int_equal(stamma_stats_count_archive(&r, archive, query, NULL, NULL), STAMMA_OK);
    stamma_query_close(query);
    return r;
}

static void compare_stats(stamma_archive *plain, stamma_archive *archive)
{
    static const char *const filters[] = {NULL,
                                          "{}",
                                          "{\"player\": \"Smith*\"}",
                                          "{\"plies\": \"3..\"}",
                                          "{\"date\": \"2005.03.15..2011\"}",
                                          "{\"white\": \"*, a\", \"rating\": \"1700..\"}",
                                          "{\"players\": [\"Smith*\", \"*, b\"], \"date\": \"2005..\"}"};
    static char wanted[JSON_SIZE], got[JSON_SIZE];
    for (size_t n = 0; n < sizeof filters / sizeof *filters; n++) {
        const stamma_stats_results without = write_stats(plain, filters[n], wanted);
        (void)write_stats(archive, filters[n], got);
        assert_string_equal(got, wanted);
        const stamma_stats_results with = count_results(archive, filters[n]);
        assert_memory_equal(&with, &without, sizeof with);
    }
}

static void compare_trees(const fixture *f, stamma_archive *plain, stamma_archive *archive, size_t step)
{
    static const char *const filters[] = {
        NULL,
        "{\"player\": \"Smith*\"}",
        "{\"white-rating\": \"1500..1900\"}",
        "{\"date\": \"2005..2012.03\"}",
        "{\"date\": \"2005.03.15..2012.03.14\"}",
        "{\"speed\": [\"blitz\", \"rapid\"]}",
        "{\"comment\": \"x\"}",
        "{\"result\": \"1-0\", \"black\": \"*, a\"}",
        "{\"players\": [\"Smith*\", \"*ller*\"]}",
        "{\"white\": \"Smith*\", \"any\": [{\"black\": \"*, a\"}, {\"player\": \"*, b\"}], \"date\": \"1990..\"}",
        "{\"any\": [{\"rating\": \"1900..\"}]}",
        "{\"any\": [{\"rating\": \"..1799\"}, {\"rating\": \"1900..\", "
        "\"not\": {\"rating\": \"2100..\"}}]}",
        "{\"not\": {\"rating\": \"1900..\"}, \"date\": \"1990..\"}",
        "{\"any\": [{\"player\": \"Smith*\"}, {\"result\": \"0-1\", \"speed\": \"blitz\"}]}",
        "{\"all\": [{\"not\": {\"date\": \"2008\"}}, {\"not\": {\"each-rating\": \"1900..\"}}]}",
        "{\"not\": {\"any\": [{\"white\": \"*, a\"}, {\"move\": \"Bg5\"}]}}"};
    enum { FILTERS = sizeof filters / sizeof *filters };
    static char wanted[JSON_SIZE], got[JSON_SIZE];
    size_t n = 0;
    for (const char *fen = f->positions.text; fen < f->positions.text + f->positions.size;
         fen += strlen(fen) + 1, n++) {
        const char *filter = filters[n / step % FILTERS];
        if (n % step > 0)
            continue;
        write_tree(plain, n / step % 3 ? fen : start, filter, wanted);
        write_tree(archive, n / step % 3 ? fen : start, filter, got);
        assert_string_equal(got, wanted);
    }
}

static void trees_are_the_same(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= f->levels; level++) {
        listing file = write_segments(&f->archives[level], level == 1 ? 150 : 0);
        stamma_archive *indexed = open_indexed(&f->archives[level], &file);
        compare_trees(f, f->plain, indexed, level == 1 ? 3 : 40);
        assert_false(index_state(indexed).damaged);
        stamma_archive_close(indexed);
        free(file.text);
    }
}

static void statistics_are_the_same(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= f->levels; level++)
        for (uint32_t games = 0; games <= 150; games += 150) {
            const listing *archive = &f->archives[level];
            listing file = write_segments(archive, games);
            stamma_archive *indexed = open_indexed(archive, &file);
            compare_stats(f->plain, indexed);
            assert_false(index_state(indexed).damaged);
            stamma_archive_close(indexed);
            free(file.text);
        }
}

/* An archive with enough games for sums of nodes, some with odd ratings. */
static void sums_of_nodes_are_the_same(void **state)
{
    const fixture *f = *state;
    listing text = {0};
    for (unsigned part = 0; part < 9; part++)
        for (unsigned n = 0; n < 8; n++) {
            listing games = make_text(part % PARTS);
            list_bytes(&text, games.text, games.size);
            free(games.text);
        }
    for (unsigned n = 0; n < 3000; n++) {
        char game[160];
        snprintf(game, sizeof game, "[White \"A%u\"]\n[WhiteElo \"%s%u\"]\n[BlackElo \"2000\"]\n\n1. d4 %s %s\n\n",
                 n % 9, n % 100 == 0 ? "x" : "", 1800 + n % 500, n % 3 ? "Nf6 2. c4" : "d5", n % 2 ? "1-0" : "1/2-1/2");
        list_word(&text, game);
    }
    listing archive = pack(text.text, text.size, NULL), file = write_index(&archive, NULL);
    stamma_archive *plain = open_handle(&archive), *indexed = open_indexed(&archive, &file);
    assert_true(file_of(indexed)->segments[0].parts[SECTION_SUM_NODES].size > 0);
    assert_true(file_of(indexed)->segments[0].parts[SECTION_ODD].size > 0);
    compare_trees(f, plain, indexed, 17);
    stamma_archive_close(plain);
    stamma_archive_close(indexed);
    free(file.text);
    free(archive.text);
    free(text.text);
}

/* ---- ranges of blocks ---- */

/* The answers to a query about a range of games. */
typedef struct sums {
    stamma_query *query;
    stamma_tree *tree;
    stamma_stats *stats;
    stamma_stats_results results;
} sums;

static void open_sums(sums *s, const char *json)
{
    const stamma_position position = stamma_position_start();
    *s = (sums){.query = NULL};
    if (json)
        assert_int_equal(stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &s->query), STAMMA_OK);
    assert_int_equal(stamma_tree_open(&position, NULL, &s->tree), STAMMA_OK);
    assert_int_equal(stamma_stats_open(NULL, &s->stats), STAMMA_OK);
}

/* Adds the games from `first` to `last`. Returns the error, which must be the same for all answers. */
static stamma_error add_range(sums *s, stamma_archive *archive, uint64_t first, uint64_t last)
{
    const stamma_search_options o = {.size = sizeof o, .first_game = first, .last_game = last};
    const stamma_text name = {"a", 1};
    stamma_error error = stamma_tree_add_archive(s->tree, name, archive, s->query, &o, NULL);
    assert_int_equal(stamma_stats_add_archive(s->stats, archive, s->query, &o, NULL), error);
    assert_int_equal(stamma_stats_count_archive(&s->results, archive, s->query, &o, NULL), error);
    return error;
}

/* Writes the answers, and closes them. */
static void write_sums(sums *s, char *out)
{
    size_t used = stamma_tree_write_json(s->tree, SIZE_MAX, SIZE_MAX, out, JSON_SIZE), length = 0;
    assert_true(used > 0 && used < JSON_SIZE);
    assert_int_equal(stamma_stats_write_json(s->stats, SIZE_MAX, out + used, JSON_SIZE - used, &length), STAMMA_OK);
    used += length;
    assert_true(used + 100 < JSON_SIZE);
    snprintf(out + used, 100, "%u %u", (unsigned)s->results.games, (unsigned)s->results.draws);
    stamma_tree_close(s->tree);
    stamma_stats_close(s->stats);
    stamma_query_close(s->query);
}

/* Compares the answers to ranges of an archive with the answers to all games of `plain`. */
static void compare_ranges(stamma_archive *plain, stamma_archive *archive, const char *json)
{
    static char wanted[JSON_SIZE], got[JSON_SIZE];
    stamma_block blocks[64];
    size_t count = 0;
    sums whole, parts;
    assert_int_equal(stamma_archive_blocks(archive, blocks, 64, &count), STAMMA_OK);
    assert_true(count > 1 && count <= 64 && blocks[0].last_game > 2);
    open_sums(&whole, json);
    open_sums(&parts, json);
    assert_int_equal(add_range(&whole, plain, 0, 0), STAMMA_OK);
    for (size_t n = count; n-- > 0;)
        assert_int_equal(add_range(&parts, archive, blocks[n].first_game, blocks[n].last_game), STAMMA_OK);
    /* Other ranges are invalid arguments. */
    const uint64_t end = blocks[0].last_game;
    assert_int_equal(add_range(&parts, archive, 2, end), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(add_range(&parts, archive, 1, end - 1), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(add_range(&parts, archive, end + 1, blocks[count - 1].last_game + 1), STAMMA_ERROR_BAD_ARGUMENT);
    write_sums(&whole, wanted);
    write_sums(&parts, got);
    assert_string_equal(got, wanted);
}

/* The answers of the blocks add up to the answer of the archive. */
static void answers_of_blocks_add_up(void **state)
{
    static const char *const filters[] = {NULL, "{\"player\": \"Smith*\"}", "{\"plies\": \"3..\"}"};
    const fixture *f = *state;
    for (int level = 1; level <= f->levels; level++) {
        listing file = write_segments(&f->archives[level], 150);
        stamma_archive *opened = open_handle(&f->archives[level]), *indexed = open_indexed(&f->archives[level], &file);
        for (size_t n = 0; n < sizeof filters / sizeof *filters; n++)
            for (unsigned way = 0; way < 2; way++)
                compare_ranges(f->plain, way ? indexed : opened, filters[n]);
        stamma_archive_close(opened);
        stamma_archive_close(indexed);
        free(file.text);
    }
}

/* ---- files ---- */

static void threads_write_the_same(void **state)
{
    const fixture *f = *state;
    eager e = {.most = 0};
    const stamma_executor threads = {&e, 4, start_eager, wait_eager};
    const stamma_index_write_options options = {.size = sizeof options, .executor = &threads};
    listing one = write_index(&f->archives[1], NULL), many = write_index(&f->archives[1], &options);
    assert_int_equal(one.size, many.size);
    assert_memory_equal(one.text, many.text, one.size);
    assert_true(e.most > 1);
    free(one.text);
    free(many.text);
}

static void other_files_are_refused(void **state)
{
    const fixture *f = *state;
    const listing *archive = &f->archives[1];
    listing other = pack("1. e4 *\n", 8, NULL), file = write_index(archive, NULL);
    assert_int_equal(index_error(archive, file.text, file.size), STAMMA_OK);
    assert_int_equal(index_error(&other, file.text, file.size), STAMMA_ERROR_MISMATCH);
    assert_int_equal(index_error(archive, archive->text, archive->size), STAMMA_ERROR_NO_ARCHIVE);
    assert_int_equal(index_error(archive, NULL, 0), STAMMA_ERROR_NO_ARCHIVE);
    file.text[8]++;
    assert_int_equal(index_error(archive, file.text, file.size), STAMMA_ERROR_UNSUPPORTED);
    file.text[8]--;
    for (size_t size = 1; size < file.size; size += 997)
        assert_true(index_error(archive, file.text, size) != STAMMA_OK);
    free(file.text);
    free(other.text);
}

static void an_empty_archive_has_an_index(void **state)
{
    (void)state;
    listing archive = pack("", 0, NULL), file = write_index(&archive, NULL);
    stamma_archive *plain = open_handle(&archive), *indexed = open_indexed(&archive, &file);
    assert_int_equal(compare(plain, indexed, queries[0]), 0);
    stamma_archive_close(plain);
    stamma_archive_close(indexed);
    free(file.text);
    free(archive.text);
}

/* A flipped bit anywhere is noticed when the page is used, and does not change results. */
static void flipped_bits_are_noticed(void **state)
{
    const fixture *f = *state;
    const listing *archive = &f->archives[1];
    listing file = write_index(archive, NULL);
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size);
    const stamma_bytes index = stamma_bytes_of(file.text, file.size);
    const stamma_archive_options options = {.size = sizeof options, .index = &index};
    enum { QUERIES = sizeof queries / sizeof *queries };
    static answers wanted[QUERIES];
    size_t refused = 0, damaged = 0;
    for (size_t q = 0; q < QUERIES; q++)
        find(f->plain, queries[q], &wanted[q]);
    for (size_t n = 0; n < 1000; n++) {
        size_t bit = (n * 2654435761u) % (file.size * 8);
        file.text[bit / 8] = (char)(file.text[bit / 8] ^ 1 << bit % 8);
        stamma_archive *indexed = NULL;
        assert_int_equal(stamma_archive_open(&bytes, &options, &indexed), STAMMA_OK);
        refused += index_state(indexed).kind == STAMMA_INDEX_NONE;
        assert_finds(indexed, queries[n % QUERIES], &wanted[n % QUERIES]);
        damaged += index_state(indexed).damaged;
        stamma_archive_close(indexed);
        file.text[bit / 8] = (char)(file.text[bit / 8] ^ 1 << bit % 8);
    }
    assert_true(refused > 0 && damaged > 0);
    free(file.text);
}

/* ---- growing and merging ---- */

/* An index is made from the segments of earlier indexes, some of which are not valid index files, and from new
 * segments. */
static void an_index_grows(void **state)
{
    const fixture *f = *state;
    listing small = pack("[White \"Smith, Z\"]\n\n1. d4 d5 2. c4 1-0\n", 40, NULL);
    const listing both[2] = {f->archives[1], small}, swapped[2] = {small, f->archives[1]};
    listing grown = copy_archives(both, 2, NULL), merged = copy_archives(swapped, 2, NULL);
    listing first = write_segments(&f->archives[1], 1), second = write_index(&small, NULL);
    const stamma_bytes before[3] = {stamma_bytes_of(second.text, second.size), stamma_bytes_of("junk", 4),
                                    stamma_bytes_of(first.text, first.size)};
    const stamma_index_write_options options = {.size = sizeof options, .before = before, .before_count = 3};
    const listing *archives[2] = {&grown, &merged};
    for (unsigned way = 0; way < 2; way++) {
        listing file = write_index(archives[way], &options);
        stamma_archive *plain = open_handle(archives[way]), *indexed = open_indexed(archives[way], &file);
        assert_int_equal(file_of(indexed)->segment_count, PARTS + 1);
        assert_int_equal(compare(plain, indexed, "{\"white\": \"Smith, Z\"}"), 1);
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++)
            (void)compare(plain, indexed, queries[q]);
        compare_positions(f, plain, indexed, 9);
        assert_int_equal(index_error(&f->archives[1], file.text, file.size), STAMMA_ERROR_MISMATCH);
        stamma_archive_close(plain);
        stamma_archive_close(indexed);
        free(file.text);
    }
    assert_int_equal(index_error(&grown, first.text, first.size), STAMMA_ERROR_MISMATCH);
    free(first.text);
    free(second.text);
    free(grown.text);
    free(merged.text);
    free(small.text);
}

/* ---- errors ---- */

static void damaged_archives_are_not_indexed(void **state)
{
    const fixture *f = *state;
    listing copy = {0}, file = {0};
    list_bytes(&copy, f->archives[1].text, f->archives[1].size - 1);
    assert_int_equal(append_index(&copy, NULL, &file), STAMMA_ERROR_CORRUPT);
    list_bytes(&copy, f->archives[1].text + copy.size, 1);
    copy.text[copy.size / 2] ^= 1;
    assert_int_equal(append_index(&copy, NULL, &file), STAMMA_ERROR_CORRUPT);
    free(copy.text);
    free(file.text);
}

/* Failed allocations leak nothing; the sanitizers and the counting allocator show leaks. */
static void memory_may_fail_at_any_call(void **state)
{
    listing text = make_text(0), archive = pack(text.text, text.size, NULL);
    const stamma_bytes bytes = stamma_bytes_of(archive.text, archive.size);
    unsigned failed = 0;
    (void)state;
    for (unsigned at = 1;; at += 1 + at / 40) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive *opened = NULL;
        listing file = {0};
        const stamma_output output = listing_output(&file);
        stamma_error error = stamma_archive_open(&bytes, &options, &opened);
        if (error == STAMMA_OK)
            error = stamma_index_write(opened, NULL, &output);
        stamma_archive_close(opened);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        assert_int_equal(memory.alive, 0);
        free(file.text);
        if (error == STAMMA_OK)
            break;
        failed = at;
    }
    assert_true(failed > 50);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_finds_the_same),
        cmocka_unit_test(games_after_deep_beginnings_are_found),
        cmocka_unit_test(keys_of_levels_differ),
        cmocka_unit_test(trees_are_the_same),
        cmocka_unit_test(statistics_are_the_same),
        cmocka_unit_test(sums_of_nodes_are_the_same),
        cmocka_unit_test(answers_of_blocks_add_up),
        cmocka_unit_test(threads_write_the_same),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(an_empty_archive_has_an_index),
        cmocka_unit_test(flipped_bits_are_noticed),
        cmocka_unit_test(an_index_grows),
        cmocka_unit_test(damaged_archives_are_not_indexed),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
