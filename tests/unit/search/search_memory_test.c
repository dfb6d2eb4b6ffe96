/* SPDX-License-Identifier: MIT */
/* Fails each allocation of searches and trees, without an index, with a kept index and with an index file. The games
 * reach a position by many orders of moves, so that all lists of places grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum { ORDERS = 6, COPIES = 5 };

static const char position[] = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";

typedef struct fixture {
    listing archive, without, file; /* `without` search columns */
    listing both;                   /* this block, and a block with other players */
} fixture;

/* Games with each order of White's and Black's three moves, games that reach the position after two more moves, and
 * set-ups. */
static listing make_text(void)
{
    static const char *const white[] = {"e4", "Nf3", "Nc3"}, *const black[] = {"e5", "Nc6", "Nf6"};
    static const uint8_t orders[ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const char *const rests[COPIES] = {"4. a3 *", "4. a3 a6 *", "4. a3 *", "4. Bb5 d6 1-0", "*"};
    listing text = {0};
    for (unsigned n = 0; n < ORDERS * ORDERS * COPIES; n++) {
        const uint8_t *w = orders[n % ORDERS], *b = orders[n / ORDERS % ORDERS];
        list_format(&text,
                    "[White \"A%u\"]\n[Black \"B%u\"]\n[Date \"2001.0%u.02\"]\n[WhiteElo \"%u\"]\n[Opening \"%s\"]\n\n"
                    "1. %s %s 2. %s %s 3. %s %s %s\n\n",
                    n % 7, n % 5, n % 3 + 1, 2000 + n, n % 2 ? "Four Knights" : "?", white[w[0]], black[b[0]],
                    white[w[1]], black[b[1]], white[w[2]], black[b[2]], rests[n / (ORDERS * ORDERS)]);
    }
    for (unsigned n = 0; n < 3; n++) {
        list_format(&text, "[Black \"Z%u\"]\n\n1. %s e6 2. e4 e5 3. Nf3 Nc6 4. Nc3 Nf6 5. a%u *\n\n", n,
                    n ? "e3" : "a3", n + 3);
        list_format(&text, "[White \"S\"]\n[FEN \"%s\"]\n\n1. a%u *\n\n", position, n + 3);
    }
    return text;
}

static int set_up(void **state)
{
    static fixture f;
    listing text = make_text();
    f.archive = pack(text.text, text.size, NULL);
    f.without = pack_without_search(text.text, text.size);
    free(text.text);
    text = (listing){0};
    for (unsigned n = 0; n < 200; n++)
        list_format(&text, "[White \"N%u\"]\n\n1. %s *\n\n", n, n % 2 ? "a3" : "h3");
    listing other = pack(text.text, text.size, NULL);
    f.both = copy_archives((const listing[]){f.archive, other}, 2, NULL);
    free(other.text);
    free(text.text);
    f.file = index_file_of(&f.archive);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    free(f->archive.text);
    free(f->without.text);
    free(f->both.text);
    free(f->file.text);
    return 0;
}

/* ---- questions ---- */

typedef enum answer { SEARCH, TREE, STATS } answer;
typedef enum index_kind { NO_INDEX, KEPT, BY_FILE, INDEX_KINDS } index_kind;

typedef struct question {
    const listing *archive;
    const char *json; /* NULL: all games */
    answer answer;
    index_kind kind;
    const listing *file;
    bool skip_damage; /* the results of blocks are merged one by one */
} question;

static stamma_error count_in_search(stamma_archive *archive, const stamma_query *query, uint64_t *games)
{
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    stamma_error error = stamma_search_open(archive, query, NULL, &search);
    while (error == STAMMA_OK && (error = stamma_search_next(search, &match)) == STAMMA_OK && match)
        ++*games;
    stamma_search_close(search);
    return error;
}

static stamma_error count_in_tree(stamma_archive *archive, const stamma_query *query, uint64_t *games)
{
    stamma_position p;
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_fen_read(stamma_text_of(position), &p, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_tree_open(&p, NULL, &tree), STAMMA_OK);
    const stamma_error error = stamma_tree_add_archive(tree, (stamma_text){"a", 1}, archive, query, NULL, NULL);
    *games = stamma_tree_total(tree).games;
    stamma_tree_close(tree);
    return error;
}

static stamma_error count_in_stats(stamma_archive *archive, const stamma_query *query, uint64_t *games)
{
    stamma_stats *stats = NULL;
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    const stamma_error error = stamma_stats_add_archive(stats, archive, query, NULL, NULL);
    *games = stamma_stats_sum(stats).results.games;
    stamma_stats_close(stats);
    return error;
}

/* Stores the number of games that match. The archive and its index are opened, so that their memory can fail, too. */
static stamma_error ask(const question *q, const stamma_allocator *allocator, uint64_t *games)
{
    const stamma_bytes bytes = stamma_bytes_of(q->archive->text, q->archive->size);
    const stamma_bytes file = q->file ? stamma_bytes_of(q->file->text, q->file->size) : stamma_bytes_of(NULL, 0);
    const stamma_archive_options options = {.size = sizeof options,
                                            .allocator = allocator,
                                            .index = q->kind == BY_FILE ? &file : NULL,
                                            .skip_damage = q->skip_damage};
    stamma_archive *archive = NULL;
    stamma_query *query = NULL;
    *games = 0;
    if (q->json)
        assert_int_equal(stamma_query_parse(stamma_text_of(q->json), NULL, NULL, &query), STAMMA_OK);
    stamma_error error = stamma_archive_open(&bytes, &options, &archive);
    if (error == STAMMA_OK && q->kind == KEPT)
        error = stamma_archive_keep_index(archive, NULL);
    if (error == STAMMA_OK)
        error = (q->answer == SEARCH ? count_in_search
                 : q->answer == TREE ? count_in_tree
                                     : count_in_stats)(archive, query, games);
    stamma_archive_close(archive);
    stamma_query_close(query);
    return error;
}

/* Fails each allocation in turn. */
static void fail_each(const question *q)
{
    failing_memory memory = {.fail_at = 0};
    stamma_allocator allocator = failing_allocator(&memory);
    uint64_t wanted = 0, games = 0;
    assert_int_equal(ask(q, &allocator, &wanted), STAMMA_OK);
    assert_true(wanted > 0);
    for (unsigned at = 1, calls = 1; calls + 1 >= at; at++) {
        memory = (failing_memory){.fail_at = at};
        const stamma_error error = ask(q, &allocator, &games);
        calls = memory.calls;
        if (error != STAMMA_OK)
            assert_int_equal(error, STAMMA_ERROR_NO_MEMORY);
        else
            assert_int_equal(games, wanted);
        assert_int_equal(memory.alive, 0);
    }
}

static void fail_all(const fixture *f, const char *const *rules, size_t count, answer answer)
{
    for (size_t n = 0; n < INDEX_KINDS * count; n++)
        fail_each(&(question){.archive = &f->archive,
                              .json = rules[n / INDEX_KINDS],
                              .answer = answer,
                              .kind = (index_kind)(n % INDEX_KINDS),
                              .file = &f->file});
}

#define FAIL_ALL(rules, answer) fail_all(*state, rules, sizeof rules / sizeof *rules, answer)

static void rules_on_games(void **state)
{
    static const char *const rules[] = {
        "{\"date\": \"2001.02\"}",         "{\"result\": \"*\"}",  "{\"opening\": \"four*\"}",
        "{\"players\": [\"A1\", \"B1\"]}", "{\"player\": \"A1\"}", "{\"tag\": {\"White\": \"A*\", \"Black\": \"B1\"}}",
    };
    const fixture *f = *state;
    for (size_t n = 0; n < sizeof rules / sizeof *rules; n++)
        fail_each(&(question){.archive = &f->without, .json = rules[n]});
}

#define POSITION "\"fen\": \"r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq -\""
#define LATE "\"fen\": \"r1bqkb1r/pppp1ppp/2n2n2/4p3/P3P3/2N2N2/1PPP1PPP/R1BQKB1R b KQkq -\""

/* The late position is only reached after the shared beginnings, or from a set-up. */
static void searches(void **state)
{
    static const char *const rules[] = {
        "{" POSITION "}",
        "{" POSITION ", \"result\": \"*\"}",
        "{" POSITION ", \"player\": \"A*\"}",
        "{" LATE "}",
        "{" LATE ", \"white\": \"S\"}",
        "{\"sub-fen\": \"8/8/8/8/8/P7/8/8\"}",
        "{\"players\": [\"A*\", \"B*\"]}",
    };
    FAIL_ALL(rules, SEARCH);
}

static void trees(void **state)
{
    static const char *const rules[] = {
        NULL,
        "{\"result\": \"*\"}",
        "{\"players\": [\"A*\", \"B*\"]}",
        "{\"date\": \"2001.02.02..2001.02.03\"}",
        "{\"white\": \"A*\", \"result\": \"*\"}",
        "{\"black\": \"*\", \"date\": \"2001.02.02..2001.02.03\"}",
        "{\"white-rating\": \"2036..2071\", \"date\": \"2001.02.02\"}",
        "{\"white-rating\": \"2036..2071\", \"date\": \"2001.02.02\", \"white\": \"A*\"}",
        "{\"white\": \"S\"}",
        "{\"black\": \"Z*\", \"result\": \"*\"}",
    };
    FAIL_ALL(rules, TREE);
}

static void statistics(void **state)
{
    static const char *const rules[] = {NULL, "{\"white\": \"A*\"}"};
    const fixture *f = *state;
    FAIL_ALL(rules, STATS);
    fail_each(&(question){.archive = &f->both, .answer = STATS, .skip_damage = true});
}

/* Names are longer than the other columns that are read for an index. */
static void indexes(void **state)
{
    enum { LONG = 70000 };
    (void)state;
    char *name = malloc(LONG + 1);
    listing text = {0};
    assert_non_null(name);
    memset(name, 'a', LONG);
    memcpy(name + 1, "\\\"", 2); /* with an escape */
    name[LONG] = 0;
    list_word(&text, "[White \"");
    list_word(&text, name);
    list_word(&text, "\"]\n\n1. e4 *\n\n");
    listing archive = pack(text.text, text.size, NULL);
    const stamma_bytes bytes = stamma_bytes_of(archive.text, archive.size);
    for (unsigned at = 1, calls = 1; calls + 1 >= at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive *opened = NULL;
        stamma_error error = stamma_archive_open(&bytes, &options, &opened);
        if (error == STAMMA_OK)
            error = stamma_archive_keep_index(opened, NULL);
        calls = memory.calls;
        assert_int_equal(error, calls >= at ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        stamma_archive_close(opened);
        assert_int_equal(memory.alive, 0);
    }
    free(archive.text);
    free(text.text);
    free(name);
}

/* A position after the shared beginning of a game, which a kept index finds by its pawns. */
static void late_position(void **state)
{
    (void)state;
    static const char beginning[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O ";
    listing text = {0};
    for (unsigned n = 0; n < 300; n++)
        list_format(&text, "%s%s*\n\n", beginning, n == 7 ? "Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 " : "");
    listing archive = pack(text.text, text.size, NULL);
    fail_each(&(question){.archive = &archive,
                          .json = "{\"fen\": \"r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - -\"}",
                          .answer = SEARCH,
                          .kind = KEPT});
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_on_games), cmocka_unit_test(searches), cmocka_unit_test(trees),
        cmocka_unit_test(statistics),     cmocka_unit_test(indexes),  cmocka_unit_test(late_position),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
