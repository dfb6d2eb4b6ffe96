/* Searches and trees by a block's index: the same as by reading every game, with search columns and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"

enum { COPIES = 4, ANSWERS = 2000, JSON = 1 << 16 };

typedef struct answers {
    size_t count;
    uint64_t games[ANSWERS];
    uint32_t plies[ANSWERS];
} answers;

/* Enough games for beginnings to be shared (clause 18). */
static listing sample_text(void)
{
    listing games = read_file("data/games.pgn"), text = {0};
    for (unsigned n = 0; n < COPIES; n++)
        list_bytes(&text, games.text, games.size);
    free(games.text);
    return text;
}

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_fault fault;
    if (stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: at %zu: %s", json, fault.offset, fault.message);
    return query;
}

static answers search(const listing *archive, const stamma_query *query, bool reads_all)
{
    const stamma_search_options options = {.size = sizeof options, .no_search_columns = reads_all};
    const stamma_match *match;
    stamma_search *s;
    answers a = {.count = 0};
    assert_int_equal(stamma_search_open(archive->text, archive->size, query, &options, &s), STAMMA_OK);
    while (stamma_search_next(s, &match) == STAMMA_OK && match) {
        assert_true(a.count < ANSWERS);
        a.games[a.count] = match->game;
        a.plies[a.count++] = match->ply_count > 0 ? match->plies[0] : 0;
    }
    stamma_search_close(s);
    return a;
}

/* How many games are found. */
static size_t ask(const listing archives[2], const char *json)
{
    stamma_query *query = parse(json);
    answers *read = malloc(sizeof *read), *judged = malloc(sizeof *judged);
    assert_true(read && judged);
    *read = search(&archives[0], query, true);
    for (unsigned n = 0; n < 2; n++) {
        *judged = search(&archives[n], query, false);
        if (judged->count != read->count || memcmp(judged, read, sizeof *read) != 0)
            fail_msg("%s: %zu games, not %zu", json, judged->count, read->count);
    }
    size_t count = read->count;
    stamma_query_close(query);
    free(read);
    free(judged);
    return count;
}

static void ask_tree(const listing archives[2], const stamma_position *position)
{
    char *json[3];
    for (unsigned n = 0; n < 3; n++) {
        const stamma_search_options options = {.size = sizeof options, .no_search_columns = n == 2};
        const listing *archive = &archives[n % 2];
        stamma_tree *tree;
        assert_int_equal(stamma_tree_open(position, NULL, &tree), STAMMA_OK);
        assert_int_equal(
            stamma_tree_add_archive(tree, (stamma_text){"a", 1}, archive->text, archive->size, NULL, &options, NULL),
            STAMMA_OK);
        json[n] = malloc(JSON);
        assert_non_null(json[n]);
        assert_in_range(stamma_tree_write_json(tree, 100, 15, json[n], JSON), 1, JSON - 1);
        stamma_tree_close(tree);
    }
    assert_string_equal(json[0], json[2]);
    assert_string_equal(json[1], json[2]);
    for (unsigned n = 0; n < 3; n++)
        free(json[n]);
}

static void make_archives(listing archives[2])
{
    listing text = sample_text();
    archives[0] = pack(text.text, text.size, NULL);
    archives[1] = pack_without_search(text.text, text.size);
    free(text.text);
}

static void free_archives(listing archives[2])
{
    free(archives[0].text);
    free(archives[1].text);
}

static void positions_of_games(void **state)
{
    (void)state;
    listing archives[2];
    make_archives(archives);
    archive_source source;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, &archives[0], true);
    for (unsigned n = 0; n < 86 && stamma_archive_reader_next(reader, &game) == STAMMA_OK && game; n++) {
        stamma_position p = game->start;
        for (size_t ply = 0; ply <= game->ply_count; ply++) {
            if (ply % 16 == n % 16) {
                char fen[STAMMA_FEN_SIZE], json[STAMMA_FEN_SIZE + 80];
                stamma_fen_write(&p, STAMMA_FEN_STANDARD, fen, sizeof fen);
                (void)snprintf(json, sizeof json, "{\"fen\": \"%s\"%s}", fen, n % 2 ? ", \"result\": \"1-0\"" : "");
                size_t count = ask(archives, json);
                assert_true(n % 2 || count >= COPIES);
                ask_tree(archives, &p);
            }
            if (ply < game->ply_count)
                stamma_position_make(&p, game->moves[ply], &p);
        }
    }
    stamma_archive_reader_close(reader);
    free_archives(archives);
}

static void other_rules(void **state)
{
    static const char *const queries[] = {
        "{\"material\": \"KRP*KR\"}",
        "{\"material\": [\"KQ*R*B*N*P*KQ*R*B*N*P*\", \"KRKR\"], \"stm\": \"white\"}",
        "{\"sub-fen\": \"8/8/8/8/4P3/8/8/4K2R\"}",
        "{\"sub-fen\": [\"8/8/8/3p4/8/8/8/8\", \"8/8/8/4p3/8/5N2/8/8\"], \"result\": [\"0-1\", \"1/2-1/2\"]}",
        "{\"sub-fen\": \"[qr.]7/8/8/8/A7/8/8/?7\"}",
        "{\"pawns\": \"8/pppppppp/8/8/4P3/8/PPPP1PPP/8\", \"plies\": \"..60\"}",
        "{\"date\": \"1850..1900\"}",
        "{\"each-rating\": \"2000..\"}",
        "{\"rating\": \"..2700\", \"material\": \"KQ?R*B*N*P*KQ?R*B*N*P*\"}",
        "{\"any\": [{\"result\": \"1-0\"}, {\"sub-fen\": \"8/8/8/8/8/8/8/6KR\"}]}",
        "{\"sequence\": [{\"sub-fen\": \"8/8/8/8/4P3/8/8/8\"}, {\"material\": \"KQ*R*B*N*P*KR*B*N*P*\"}]}",
        "{\"final\": {\"material\": \"KQ*R*B*N*P*KR*B*N*P*\"}}",
        "{\"not\": {\"result\": \"1-0\"}}",
        "{\"never\": {\"sub-fen\": \"8/8/8/8/4P3/8/8/8\"}}",
        "{\"for\": 4, \"sub-fen\": \"8/8/8/8/4P3/8/8/8\"}",
        "{\"sub-fen\": \"8/8/8/8/4P3/8/8/8\", \"flipcolor\": true}",
        "{\"pass\": true}",
    };
    (void)state;
    listing archives[2];
    size_t found = 0;
    make_archives(archives);
    for (size_t n = 0; n < sizeof queries / sizeof *queries; n++)
        found += ask(archives, queries[n]) > 0;
    assert_true(found > 10);
    free_archives(archives);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_of_games),
        cmocka_unit_test(other_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
