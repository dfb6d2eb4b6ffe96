/* SPDX-License-Identifier: MIT */
/* Tests allocation failures in queries, indexes, searches, trees, statistics, books, duplicates and names.
 * allocation_test.c checks that every function is tested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "game_texts.h"
#include "passed_games.h"
#include "value_games.h"

#define TEXT(literal) ((stamma_text){literal, sizeof(literal) - 1})

enum { PLIES = 6, JSON_SIZE = 1 << 18 };

static void list_text(listing *to, stamma_text text)
{
    list_bytes(to, text.data ? text.data : "", text.size);
    list_word(to, "\n");
}

/* Opens the archive of a trial with an index file, which may be NULL. */
static stamma_error open_indexed_archive(const trial *t, const stamma_bytes *file, stamma_archive **archive)
{
    const stamma_bytes bytes = stamma_bytes_of(t->archive->text, t->archive->size);
    const stamma_archive_options options = {
        .size = sizeof options, .allocator = t->allocator, .executor = t->executor, .index = file};
    return stamma_archive_open(&bytes, &options, archive);
}

static stamma_error open_trial(const trial *t, stamma_archive **archive)
{
    return open_indexed_archive(t, NULL, archive);
}

/* ---- queries ---- */

static const char some_games[] =
    "{\"any\": [{\"white\": \"Player*\"}, {\"sequence\": [{\"sub-fen\": \"8/8/8/8/8/N7/8/8\", \"flipcolor\": true},"
    "{\"ply\": 12}]}, {\"event\": \"Open 0\", \"not\": {\"move\": \"e4\"}}, {\"comment\": \"b3\"},"
    "{\"fen\": \"rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -\"}]}";

static stamma_error parse(trial *t, stamma_query **parsed)
{
    const stamma_text text = {t->query, strlen(t->query)};
    stamma_query *query = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(query, stamma_query_parse(text, t->allocator, NULL, &query));
    *parsed = query;
    return error;
}

/* After a failure, the same matcher works again. */
static stamma_error match_games(trial *t)
{
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, t->archive, true);
    stamma_query *query;
    stamma_matcher *matcher = NULL;
    const stamma_archive_game *game = NULL;
    stamma_error error = parse(t, &query);
    OPEN(matcher, stamma_matcher_open(query, t->allocator, &matcher));
    STEP(stamma_archive_reader_select(reader, stamma_query_parts(query)));
    if (error == STAMMA_OK) {
        assert_int_equal(stamma_query_is_limited(query), strstr(t->query, "\"limit\"") != NULL);
        assert_false(stamma_query_uses_flags(query));
    }
    do {
        bool found = false;
        const uint32_t *plies = NULL;
        size_t count = 0;
        STEP(stamma_archive_reader_next(reader, &game));
        if (error != STAMMA_OK || !game)
            break;
        error = stamma_matcher_test(matcher, game, &found, &plies, &count);
        if (error != STAMMA_OK)
            (void)stamma_matcher_test(matcher, game, &found, &plies, &count);
        list_bytes(&t->result, found && plies ? (const void *)plies : "", found ? count * sizeof *plies : 0);
    } while (error == STAMMA_OK);
    stamma_matcher_close(matcher);
    stamma_query_close(query);
    close_reader(reader);
    return error;
}

/* ---- searches ---- */

static stamma_error search_with(trial *t, stamma_archive *archive, const stamma_query *query)
{
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(search, stamma_search_open(archive, query, NULL, &search));
    do {
        STEP(stamma_search_next(search, &match));
        if (error == STAMMA_OK && match)
            list_format(&t->result, "%llu %zu\n", (unsigned long long)match->game, match->ply_count);
    } while (error == STAMMA_OK && match);
    if (search)
        (void)stamma_search_place(search);
    if (search && error != STAMMA_OK) /* all later calls return the same error */
        assert_int_equal(stamma_search_next(search, &match), error);
    stamma_search_close(search);
    return error;
}

static stamma_error search_games(trial *t)
{
    stamma_archive *archive = NULL;
    stamma_query *query;
    stamma_error error = parse(t, &query);
    OPEN(archive, open_trial(t, &archive));
    STEP(search_with(t, archive, query));
    STEP(search_with(t, archive, NULL));
    stamma_archive_close(archive);
    stamma_query_close(query);
    return error;
}

static stamma_error search_by_index(trial *t)
{
    stamma_index_keep_options options = {.size = sizeof options};
    stamma_archive *archive = NULL, *again = NULL;
    stamma_index_state state = {.size = sizeof state};
    stamma_query *query;
    stamma_error error = parse(t, &query);
    OPEN(archive, open_trial(t, &archive));
    STEP(stamma_archive_keep_index(archive, &options));
    options.before = archive;
    OPEN(again, open_trial(t, &again));
    STEP(stamma_archive_keep_index(again, &options));
    STEP(stamma_archive_index(again, &state));
    STEP((list_format(&t->result, "%d %llu\n", (int)state.kind, (unsigned long long)state.memory), STAMMA_OK));
    stamma_archive_close(archive);
    STEP(search_with(t, again, query));
    stamma_archive_close(again);
    stamma_query_close(query);
    return error;
}

/* ---- trees, statistics and books ---- */

static stamma_archive_reader *open_games(archive_source *source, const trial *t)
{
    stamma_archive_reader *reader = open_archive(source, t->archive, true);
    assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES),
                     STAMMA_OK);
    return reader;
}

static void list_tree(listing *to, stamma_tree *tree)
{
    stamma_tree_month month = {.month = 0};
    list_format(to, "%llu %llu\n", (unsigned long long)stamma_tree_total(tree).games,
                (unsigned long long)stamma_tree_position(tree)->key);
    for (size_t i = 0; i < stamma_tree_move_count(tree); i++)
        list_format(to, "%u\n", (unsigned)stamma_tree_move_at(tree, i)->move);
    const stamma_tree_game *game;
    for (size_t i = 0; (game = stamma_tree_top_game(tree, i)) != NULL; i++)
        list_text(to, game->white);
    for (size_t i = 0; (game = stamma_tree_recent_game(tree, i)) != NULL; i++)
        list_text(to, game->black);
    while (stamma_tree_next_month(tree, &month))
        list_format(to, "%u\n", (unsigned)month.month);
}

static void take_tree(void *context, const stamma_tree *tree)
{
    uint64_t *games = context;
    *games = stamma_tree_total(tree).games;
}

/* Adds the games of an archive one by one, then together, to a tree, and reads its JSON. After an error of
 * stamma_tree_add_archive other than NO_MEMORY the tree would be unchanged; here the tree is only closed. */
static stamma_error grow_tree(trial *t)
{
    static char json[JSON_SIZE];
    const stamma_position start = stamma_position_start();
    stamma_search_options options = {.size = sizeof options};
    archive_source source;
    stamma_archive_reader *reader = open_games(&source, t);
    const stamma_archive_game *game = NULL;
    stamma_archive *archive = NULL;
    stamma_tree *tree = NULL, *other = NULL, *back = NULL;
    uint64_t seen = 0;
    size_t length = 0;
    stamma_error error = STAMMA_OK;
    options.context = &seen;
    OPEN(archive, open_trial(t, &archive));
    OPEN(tree, stamma_tree_open(&start, t->allocator, &tree));
    STEP(stamma_tree_keep_history(tree));
    OPEN(other, stamma_tree_open(&start, t->allocator, &other));
    STEP(stamma_tree_keep_history(other));
    for (int i = 0; i < 12; i++) {
        STEP(stamma_archive_reader_next(reader, &game));
        STEP(stamma_tree_add(tree, TEXT("one"), game));
    }
    STEP(stamma_tree_add_archive_live(other, TEXT("two"), archive, NULL, &options, take_tree, NULL));
    STEP(stamma_tree_merge(tree, other));
    STEP(stamma_tree_name_games(tree, TEXT("two"), archive, &options));
    STEP((length = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, sizeof json), STAMMA_OK));
    assert_true(length < sizeof json);
    OPEN(back, stamma_tree_read_json((stamma_text){json, length}, t->allocator, NULL, &back));
    if (error == STAMMA_OK) {
        list_bytes(&t->result, json, length);
        list_tree(&t->result, tree);
        list_tree(&t->result, back);
    }
    stamma_tree_close(tree);
    stamma_tree_close(other);
    stamma_tree_close(back);
    stamma_archive_close(archive);
    close_reader(reader);
    return error;
}

static stamma_error list_stats(trial *t, stamma_stats *stats)
{
    stamma_error error = STAMMA_OK;
    list_format(&t->result, "%llu\n", (unsigned long long)stamma_stats_sum(stats).results.games);
    for (int number = 0; number < STAMMA_STATS_TABLES; number++) {
        const stamma_stats_table table = (stamma_stats_table)number;
        for (size_t i = 0; i < stamma_stats_row_count(stats, table); i++) {
            const stamma_stats_row *row = NULL;
            STEP(stamma_stats_row_at(stats, table, i, &row));
            if (error == STAMMA_OK)
                list_text(&t->result, row->name);
        }
    }
    return error;
}

static stamma_error sum_games(trial *t)
{
    static char json[JSON_SIZE];
    archive_source source;
    stamma_archive_reader *reader = open_games(&source, t);
    const stamma_archive_game *game = NULL;
    stamma_archive *archive = NULL;
    stamma_stats *stats = NULL, *other = NULL, *back = NULL;
    stamma_stats_results results = {.games = 77};
    stamma_query *query;
    size_t length = 77;
    stamma_error error = parse(t, &query);
    OPEN(archive, open_trial(t, &archive));
    OPEN(stats, stamma_stats_open(t->allocator, &stats));
    OPEN(other, stamma_stats_open(t->allocator, &other));
    for (int i = 0; i < 12; i++) {
        STEP(stamma_archive_reader_next(reader, &game));
        STEP(stamma_stats_add(stats, game));
    }
    STEP(stamma_stats_add_archive(other, archive, query, NULL, NULL));
    STEP(stamma_stats_add_archive(other, archive, NULL, NULL, NULL));
    STEP(stamma_stats_merge(stats, other));
    STEP(stamma_stats_count_archive(&results, archive, query, NULL, NULL));
    if (error != STAMMA_OK)
        assert_int_equal(results.games, 77);
    STEP(stamma_stats_write_json(stats, SIZE_MAX, json, sizeof json, &length));
    if (error != STAMMA_OK)
        assert_int_equal(length, 77);
    assert_true(length < sizeof json);
    OPEN(back, stamma_stats_read_json((stamma_text){json, length}, t->allocator, NULL, &back));
    STEP(list_stats(t, stats));
    STEP(list_stats(t, back));
    stamma_stats_close(stats);
    stamma_stats_close(other);
    stamma_stats_close(back);
    stamma_archive_close(archive);
    stamma_query_close(query);
    close_reader(reader);
    return error;
}

/* Lists the best players for a text, from games or from an index file. */
static stamma_error list_players(trial *t, stamma_archive *archive)
{
    enum { ROOM = 5 };
    stamma_players *players = NULL;
    stamma_player found[ROOM];
    size_t count = 77;
    stamma_error error = STAMMA_OK;
    OPEN(players, stamma_players_open(t->allocator, &players));
    STEP(stamma_players_add_archive(players, archive, NULL, NULL));
    STEP(stamma_players_add_archive(players, archive, NULL, NULL));
    size_t similar = 0;
    STEP(stamma_players_similar(players, TEXT("plajer"), found, 0, &similar));
    STEP(stamma_players_find(players, TEXT("player"), found, ROOM, &count));
    if (error != STAMMA_OK)
        assert_int_equal(count, 77);
    for (size_t i = 0; error == STAMMA_OK && i < count; i++)
        list_format(&t->result, "%.*s %llu\n", (int)found[i].name.size, found[i].name.data,
                    (unsigned long long)found[i].games[0] + found[i].games[1]);
    stamma_players_close(players);
    return error;
}

static stamma_error name_players(trial *t)
{
    stamma_archive *archive = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    STEP(list_players(t, archive));
    stamma_archive_close(archive);
    return error;
}

static stamma_error make_book(trial *t)
{
    const stamma_position start = stamma_position_start();
    const stamma_output output = listing_output(&t->result);
    archive_source source;
    stamma_archive_reader *reader = open_games(&source, t);
    const stamma_archive_game *game = NULL;
    stamma_archive *archive = NULL;
    stamma_book *book = NULL, *other = NULL;
    uint64_t entries = 77;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    OPEN(book, stamma_book_open(&start, PLIES, t->allocator, &book));
    OPEN(other, stamma_book_open(&start, PLIES, t->allocator, &other));
    for (int i = 0; i < 12; i++) {
        STEP(stamma_archive_reader_next(reader, &game));
        STEP(stamma_book_add(book, game));
    }
    STEP(stamma_book_add_archive(other, archive, NULL, NULL, NULL));
    STEP(stamma_book_merge(book, other));
    STEP(stamma_book_write(book, 1, &output, &entries));
    if (error != STAMMA_OK)
        assert_int_equal(entries, 77);
    stamma_book_close(book);
    stamma_book_close(other);
    stamma_archive_close(archive);
    close_reader(reader);
    return error;
}

/* ---- names ---- */

static stamma_error find_names(trial *t)
{
    const stamma_names_options options = {.size = sizeof options, .allocator = t->allocator};
    const stamma_text none = {NULL, 0}, name = TEXT("Known, Name"), other = TEXT("K Name"), site = TEXT("There");
    archive_source source;
    stamma_archive_reader *reader = open_games(&source, t);
    const stamma_archive_game *game = NULL;
    stamma_archive *archive = NULL;
    stamma_names *names = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    OPEN(names, stamma_names_open(&options, &names));
    STEP(stamma_names_add_known(names, STAMMA_NAME_PLAYER, name, other, none));
    STEP(stamma_names_add_known(names, STAMMA_NAME_SITE, site, other, none));
    stamma_name_person person = {
        .size = sizeof person, .name = TEXT("White, W"), .id = TEXT("17"), .title = TEXT("GM")};
    STEP(stamma_names_add_person(names, &person));
    for (int i = 0; i < 12; i++) {
        STEP(stamma_archive_reader_next(reader, &game));
        STEP(stamma_names_add(names, game));
    }
    STEP(stamma_names_add_archive(names, archive, NULL));
    STEP(stamma_names_find(names));
    for (size_t n = 0; error == STAMMA_OK && n < stamma_names_count(names); n++) {
        stamma_name_decision decision;
        assert_int_equal(stamma_names_at(names, n, &decision), STAMMA_OK);
        list_text(&t->result, decision.from);
        list_text(&t->result, decision.to);
        if (decision.person > 0)
            assert_int_equal(stamma_names_person(names, decision.person, &person), STAMMA_OK);
    }
    for (size_t n = 0; error == STAMMA_OK && n < stamma_names_player_count(names); n++) {
        stamma_name_player player = {.size = sizeof player};
        assert_int_equal(stamma_names_player(names, n, &player), STAMMA_OK);
        list_text(&t->result, player.to);
    }
    stamma_names_close(names);
    stamma_archive_close(archive);
    close_reader(reader);
    return error;
}

/* ---- duplicates ---- */

/* Little memory requires several passes, which release memory and allocate it again. */
static stamma_error find_duplicates(trial *t)
{
    const stamma_duplicates_options options = {
        .size = sizeof options, .allocator = t->allocator, .memory = t->executor ? 18000 : 0};
    unsigned passes = 0;
    archive_source source;
    stamma_archive_reader *reader = open_games(&source, t);
    const stamma_archive_game *game = NULL;
    stamma_duplicates *d = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(d, stamma_duplicates_open(&options, &d));
    for (unsigned parts = STAMMA_GAME_ALL; parts != 0 && error == STAMMA_OK;) {
        STEP(stamma_archive_reader_seek(reader, 1));
        for (int i = 0; i < 12; i++) {
            STEP(stamma_archive_reader_next(reader, &game));
            for (int copies = 0; copies < 6; copies++)
                STEP(stamma_duplicates_add(d, game));
        }
        STEP(stamma_duplicates_find(d, &parts));
        passes++;
    }
    if (error == STAMMA_OK)
        assert_true(t->executor ? passes > 2 : passes == 2);
    for (size_t n = 0; error == STAMMA_OK && n < stamma_duplicates_count(d); n++) {
        stamma_duplicate found;
        assert_int_equal(stamma_duplicates_at(d, n, &found), STAMMA_OK);
        list_format(&t->result, "%llu %d\n", (unsigned long long)found.kept, (int)found.kind);
    }
    stamma_duplicates_close(d);
    close_reader(reader);
    return error;
}

static stamma_error find_duplicates_of_an_archive(trial *t)
{
    const stamma_duplicates_options options = {.size = sizeof options, .allocator = t->allocator};
    stamma_archive *archive = NULL;
    stamma_duplicates *d = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    OPEN(d, stamma_duplicates_open(&options, &d));
    for (unsigned parts = STAMMA_GAME_ALL; parts != 0 && error == STAMMA_OK;) {
        STEP(stamma_duplicates_add_archive(d, archive, parts, NULL));
        STEP(stamma_duplicates_needs(d, 0) ? STAMMA_OK : STAMMA_ERROR_MISMATCH);
        STEP(stamma_duplicates_skip(d, 3));
        STEP(stamma_duplicates_add_archive(d, archive, parts, NULL));
        STEP(stamma_duplicates_find(d, &parts));
    }
    if (error == STAMMA_OK)
        list_format(&t->result, "%zu\n", stamma_duplicates_count(d));
    stamma_duplicates_close(d);
    stamma_archive_close(archive);
    return error;
}

/* ---- sets of games ---- */

static stamma_error add_to_set(trial *t)
{
    const stamma_game_set_options options = {.size = sizeof options, .allocator = t->allocator};
    archive_source source;
    stamma_archive_reader *reader = open_games(&source, t);
    const stamma_archive_game *game = NULL;
    stamma_game_set *set = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(set, stamma_game_set_open(&options, &set));
    for (int i = 0; i < 12; i++) {
        uint8_t hash[16] = {0};
        bool added = false, again = false;
        STEP(stamma_archive_reader_next(reader, &game));
        STEP(stamma_game_set_has(set, game, &again));
        STEP(stamma_game_set_add(set, game, &added));
        STEP(stamma_game_set_add(set, game, &again));
        uint64_t name = 0;
        STEP(stamma_game_hash(game, t->allocator, hash));
        STEP(stamma_name_hash((stamma_text){"Lee, Ann", 8}, t->allocator, &name));
        list_format(&t->result, "%d %d %d %zu\n", added, again, hash[0], stamma_game_set_count(set));
    }
    stamma_game_set_close(set);
    close_reader(reader);
    return error;
}

/* ---- index files ---- */

/* Finds games by name and by position and makes a tree, with an index file. */
static stamma_error ask_file(trial *t, stamma_archive *archive)
{
    static char json[JSON_SIZE];
    static const char *const questions[] = {"{\"player\": \"Player*\", \"white\": \"Player*\"}",
                                            "{\"fen\": \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"}",
                                            "{\"player\": \"Player*\", \"stm\": \"white\", \"ply\": \"..3\"}",
                                            "{\"plies\": \"1..\", \"rating\": \"1..\", \"black\": \"*\"}"};
    const stamma_search_options first = {.size = sizeof first, .most = 2, .order = STAMMA_ORDER_PLIES};
    const stamma_position start = stamma_position_start();
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < sizeof questions / sizeof *questions; n++) {
        trial asked = *t;
        stamma_query *query = NULL;
        stamma_search *search = NULL;
        const stamma_match *match = NULL;
        asked.query = questions[n];
        STEP(parse(&asked, &query));
        OPEN(search, stamma_search_open(archive, query, n == 2 ? &first : NULL, &search));
        do {
            STEP(stamma_search_next(search, &match));
            if (error == STAMMA_OK && match)
                list_format(&t->result, "%u\n", (unsigned)match->game);
        } while (error == STAMMA_OK && match);
        stamma_stats_results results = {0};
        STEP(stamma_stats_count_archive(&results, archive, query, NULL, NULL));
        list_format(&t->result, "%u won by White\n", (unsigned)results.white_wins);
        stamma_search_close(search);
        stamma_query_close(query);
    }
    stamma_tree *tree = NULL;
    size_t length = 0;
    OPEN(tree, stamma_tree_open(&start, t->allocator, &tree));
    STEP(stamma_tree_keep_history(tree));
    STEP(stamma_tree_add_archive(tree, TEXT("one"), archive, NULL, NULL, NULL));
    STEP(stamma_tree_name_games(tree, TEXT("one"), archive, NULL));
    STEP((length = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, sizeof json), STAMMA_OK));
    list_bytes(&t->result, json, length);
    stamma_tree_close(tree);
    return error;
}

/* Sums up all games with an index file. */
static stamma_error sum_file(trial *t, stamma_archive *archive)
{
    static char json[JSON_SIZE];
    stamma_stats *stats = NULL;
    size_t length = 0;
    stamma_error error = STAMMA_OK;
    OPEN(stats, stamma_stats_open(t->allocator, &stats));
    STEP(stamma_stats_add_archive(stats, archive, NULL, NULL, NULL));
    STEP(stamma_stats_write_json(stats, SIZE_MAX, json, sizeof json, &length));
    list_bytes(&t->result, json, length);
    stamma_stats_close(stats);
    return error;
}

/* Writes an index file, and another from its segments. */
static stamma_error write_files(trial *t, listing *file)
{
    stamma_output output = listing_output(file);
    stamma_index_write_options options = {.size = sizeof options, .segment_games = 1};
    stamma_archive *archive = NULL;
    listing again = {0};
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    STEP(stamma_index_write(archive, &options, &output));
    const stamma_bytes before = stamma_bytes_of(file->text, file->size);
    options.before = &before;
    options.before_count = 1;
    output = listing_output(&again);
    STEP(stamma_index_write(archive, &options, &output));
    if (error == STAMMA_OK)
        assert_true(again.size == file->size && memcmp(again.text, file->text, file->size) == 0);
    if (error == STAMMA_OK)
        list_bytes(&t->result, file->text, file->size);
    stamma_archive_close(archive);
    free(again.text);
    return error;
}

static stamma_error only_write_files(trial *t)
{
    listing file = {0};
    const stamma_error error = write_files(t, &file);
    free(file.text);
    return error;
}

/* Looks up games of an archive with its index file. */
static stamma_error look_up_games(trial *t, stamma_archive *archive, bool similar)
{
    const stamma_game_lookup_options options = {.size = sizeof options, .similar = similar};
    archive_source source;
    stamma_archive_reader *reader = open_games(&source, t);
    const stamma_archive_game *game = NULL;
    stamma_game_lookup *lookup = NULL;
    const uint64_t *numbers;
    size_t count = 0;
    stamma_error error = STAMMA_OK;
    OPEN(lookup, stamma_game_lookup_open(archive, &options, &lookup));
    for (int i = 0; i < 12; i++) {
        STEP(stamma_archive_reader_next(reader, &game));
        STEP(stamma_game_lookup_add(lookup, game));
    }
    STEP(stamma_game_lookup_find(lookup, &numbers, &count));
    for (size_t n = 0; n < count; n++)
        list_format(&t->result, "%llu\n", (unsigned long long)numbers[n]);
    stamma_game_lookup_close(lookup);
    close_reader(reader);
    return error;
}

/* Lists the games that occur several times. */
static stamma_error list_repeated(trial *t, stamma_archive *archive)
{
    stamma_game_lookup *lookup = NULL;
    const uint64_t *numbers;
    size_t count = 0;
    stamma_error error = STAMMA_OK;
    OPEN(lookup, stamma_game_lookup_open(archive, NULL, &lookup));
    STEP(stamma_game_lookup_repeated(lookup, &numbers, &count));
    list_format(&t->result, "repeated: %zu\n", count);
    stamma_game_lookup_close(lookup);
    return error;
}

/* Runs queries with an index file in memory. */
static stamma_error write_file(trial *t)
{
    listing file = {0};
    stamma_archive *archive = NULL;
    stamma_index_state state = {.size = sizeof state};
    stamma_error error = write_files(t, &file);
    const stamma_bytes bytes = stamma_bytes_of(file.text, file.size);
    OPEN(archive, open_indexed_archive(t, &bytes, &archive));
    STEP(ask_file(t, archive));
    STEP(list_players(t, archive));
    STEP(sum_file(t, archive));
    STEP(look_up_games(t, archive, false));
    STEP(look_up_games(t, archive, true));
    STEP(list_repeated(t, archive));
    if (archive) {
        assert_int_equal(stamma_archive_index(archive, &state), STAMMA_OK);
        assert_true(state.kind == STAMMA_INDEX_FILE && !state.damaged && !state.partial);
    }
    stamma_archive_close(archive);
    free(file.text);
    return error;
}

/* Runs queries with an index file whose pages are read when they are needed. */
static stamma_error read_file_in_parts(trial *t)
{
    const listing *file = t->text;
    archive_source source = {.bytes = file->text, .size = file->size};
    const stamma_bytes bytes = source_bytes(&source);
    stamma_archive *archive = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, open_trial(t, &archive));
    STEP(stamma_archive_use_index(archive, &bytes));
    STEP(ask_file(t, archive));
    STEP(list_players(t, archive));
    STEP(sum_file(t, archive));
    STEP(look_up_games(t, archive, true));
    STEP(stamma_archive_check_index(archive));
    stamma_archive_close(archive);
    return error;
}

/* ---- sweeps ---- */

enum { LEVELS = 3, FEW = 20, MANY = 280 /* enough for shared beginnings at level 1 */ };

static listing two_blocks(int level, unsigned games)
{
    listing text = {NULL, 0, 0};
    list_passed_games(&text, games);
    list_tagged_games(&text, FEW);
    const size_t half = text.size / 2;
    listing halves[2] = {pack_at(level, text.text, half, NULL),
                         pack_at(level, text.text + half, text.size - half, NULL)};
    listing archive = copy_archives(halves, 2, NULL);
    free(halves[0].text);
    free(halves[1].text);
    free(text.text);
    return archive;
}

/* An archive of each level. Archive 0 contains many games. */
static int set_up(void **state)
{
    static listing archives[LEVELS + 1];
    archives[0] = two_blocks(1, MANY);
    for (int level = 1; level <= LEVELS; level++)
        archives[level] = two_blocks(level, FEW);
    *state = archives;
    return 0;
}

static int tear_down(void **state)
{
    listing *archives = *state;
    for (int level = 0; level <= LEVELS; level++)
        free(archives[level].text);
    return 0;
}

static void sweep_levels(const listing *archives, work *w)
{
    for (int level = 0; level <= LEVELS; level++)
        for (int executed = 0; executed < (level < 2 ? 2 : 1); executed++)
            sweep(w, (trial){.executor = executed ? &immediate_executor : NULL,
                             .archive = &archives[level],
                             .query = some_games});
}

/* Queries with every rule, in archives whose games share positions. */
static void queries(void **state)
{
    static const char *const seeds[] = {"courses", "ends",      "games",    "items",   "lines",
                                        "made",    "numbers",   "material", "moments", "moves",
                                        "pawns",   "positions", "squares",  "sub_fen", "variations"};
    const listing *archives = *state;
    sweep(match_games, (trial){.archive = &archives[1], .query = some_games});
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        char path[80];
        snprintf(path, sizeof path, "fuzz/corpus/query/%s", seeds[i]);
        listing query = read_file(path);
        assert_true(query.size > 0);
        list_bytes(&query, "", 1);
        sweep(match_games, (trial){.archive = &archives[1], .query = query.text});
        sweep(search_games, (trial){.archive = &archives[0], .query = query.text});
        sweep(search_by_index, (trial){.archive = &archives[0], .query = query.text});
        free(query.text);
    }
}

static void searches(void **state)
{
    sweep_levels(*state, search_games);
}

static void indexes(void **state)
{
    sweep_levels(*state, search_by_index);
}

static void index_files(void **state)
{
    static const char bare[] = "[Event \"without moves\"]\n\n*\n\n";
    const listing *archives = *state;
    sweep_levels(archives, write_file);
    for (int level = 0; level <= LEVELS; level++) {
        listing file = index_file_of(&archives[level]);
        sweep(read_file_in_parts, (trial){.archive = &archives[level], .text = &file});
        free(file.text);
    }
    listing text = {0};
    list_ordered_games(&text, 200); /* enough for crowded keys */
    listing archive = pack(text.text, text.size, NULL);
    sweep(only_write_files, (trial){.archive = &archive});
    free(archive.text);
    free(text.text);
    for (int level = 1; level <= LEVELS; level++) {
        archive = pack_at(level, bare, sizeof bare - 1, NULL);
        sweep(only_write_files, (trial){.archive = &archive});
        free(archive.text);
    }
}

static void trees(void **state)
{
    sweep_levels(*state, grow_tree);
}

static void statistics(void **state)
{
    sweep_levels(*state, sum_games);
}

static void players(void **state)
{
    sweep_levels(*state, name_players);
}

static void books(void **state)
{
    sweep_levels(*state, make_book);
}

static void names(void **state)
{
    sweep_levels(*state, find_names);
}

static void duplicates(void **state)
{
    sweep_levels(*state, find_duplicates);
    sweep_levels(*state, find_duplicates_of_an_archive);
}

static void game_sets(void **state)
{
    sweep_levels(*state, add_to_set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),     cmocka_unit_test(searches),  cmocka_unit_test(indexes),
        cmocka_unit_test(index_files), cmocka_unit_test(trees),     cmocka_unit_test(statistics),
        cmocka_unit_test(players),     cmocka_unit_test(books),     cmocka_unit_test(duplicates),
        cmocka_unit_test(names),       cmocka_unit_test(game_sets),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
