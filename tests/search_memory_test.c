/* Fails each allocation of searches and trees, without an index, with a kept index and with an index file. The games
 * reach a position by many orders of moves, so that all lists of places grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum { ORDERS = 6, COPIES = 4 };

static const char position[] = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";

typedef struct fixture {
    listing archive, without, file; /* `without` search columns */
    stamma_search_index *indexes[3];
} fixture;

/* Each order of White's and Black's three moves in some games, others that reach the position after two more moves, and
 * set-ups. */
static listing make_text(void)
{
    static const char *const white[] = {"e4", "Nf3", "Nc3"}, *const black[] = {"e5", "Nc6", "Nf6"};
    static const uint8_t orders[ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const char *const rests[COPIES] = {"4. Bb5 d6 1-0", "4. a3 *", "*", "4. d4 exd4 5. Nxd4 1/2-1/2"};
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
        list_format(&text, "[Black \"B%u\"]\n\n1. %s e6 2. e4 e5 3. Nf3 Nc6 4. Nc3 Nf6 5. a%u *\n\n", n,
                    n ? "e3" : "a3", n + 3);
        list_format(&text, "[White \"S\"]\n[FEN \"%s\"]\n\n1. a%u *\n\n", position, n + 3);
    }
    return text;
}

static int set_up(void **state)
{
    static fixture f;
    listing text = make_text();
    const stamma_output output = listing_output(&f.file);
    f.archive = pack(text.text, text.size, NULL);
    f.without = pack_without_search(text.text, text.size);
    free(text.text);
    assert_int_equal(stamma_index_write(f.archive.text, f.archive.size, NULL, &output), STAMMA_OK);
    assert_int_equal(stamma_search_index_open(f.archive.text, f.archive.size, NULL, &f.indexes[1]), STAMMA_OK);
    assert_int_equal(
        stamma_search_index_open_file(f.archive.text, f.archive.size, f.file.text, f.file.size, NULL, &f.indexes[2]),
        STAMMA_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    stamma_search_index_close(f->indexes[1]);
    stamma_search_index_close(f->indexes[2]);
    free(f->archive.text);
    free(f->without.text);
    free(f->file.text);
    return 0;
}

/* ---- questions ---- */

typedef struct question {
    const listing *archive;
    const char *json; /* NULL: all games */
    const stamma_search_index *index;
    bool tree;
} question;

/* Returns the number of games in *games. */
static stamma_error ask(const question *q, const stamma_allocator *allocator, uint64_t *games)
{
    const stamma_search_options options = {.size = sizeof options, .allocator = allocator, .index = q->index};
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    stamma_tree *tree = NULL;
    const stamma_match *match = NULL;
    stamma_position p;
    stamma_error error;
    *games = 0;
    if (q->json)
        assert_int_equal(stamma_query_parse(stamma_text_of(q->json), NULL, NULL, &query), STAMMA_OK);
    if (q->tree) {
        assert_int_equal(stamma_fen_read(stamma_text_of(position), &p, NULL, NULL), STAMMA_OK);
        assert_int_equal(stamma_tree_open(&p, NULL, &tree), STAMMA_OK);
        error = stamma_tree_add_archive(tree, (stamma_text){"a", 1}, q->archive->text, q->archive->size, query,
                                        &options, NULL);
        *games = stamma_tree_total(tree).games;
        stamma_tree_close(tree);
    } else {
        error = stamma_search_open(q->archive->text, q->archive->size, query, &options, &search);
        while (error == STAMMA_OK && (error = stamma_search_next(search, &match)) == STAMMA_OK && match)
            ++*games;
        stamma_search_close(search);
    }
    stamma_query_close(query);
    return error;
}

/* Fails one allocation after another, until none is left. */
static void fail_each(const question *q)
{
    failing_memory memory = {.fail_at = 0};
    stamma_allocator allocator = failing_allocator(&memory);
    uint64_t wanted = 0, games = 0;
    stamma_error error = ask(q, &allocator, &wanted);
    assert_int_equal(error, STAMMA_OK);
    assert_true(wanted > 0);
    for (unsigned at = 1; at == 1 || error != STAMMA_OK; at++) {
        memory = (failing_memory){.fail_at = at};
        error = ask(q, &allocator, &games);
        if (error != STAMMA_OK)
            assert_int_equal(error, STAMMA_ERROR_NO_MEMORY);
        else
            assert_int_equal(games, wanted);
        assert_int_equal(memory.alive, 0);
    }
}

static void rules_on_games(void **state)
{
    static const char *const rules[] = {
        "{\"date\": \"2001.02\"}",
        "{\"result\": \"*\"}",
        "{\"opening\": \"four*\"}",
        "{\"players\": [\"A1\", \"B1\"]}",
        "{\"tag\": {\"White\": \"A*\", \"Black\": \"B1\"}}",
        "{\"player\": \"A1\"}",
        "{\"opening\": \"four*\", \"white\": \"*\"}",
    };
    const fixture *f = *state;
    for (size_t n = 0; n < sizeof rules / sizeof *rules; n++)
        fail_each(&(question){.archive = &f->without, .json = rules[n]});
}

static void rules_on_positions(void **state)
{
    static const char *const rules[] = {
        "{\"fen\": \"r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq -\"}",
        "{\"fen\": \"r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq -\", \"result\": \"*\"}",
        "{\"sub-fen\": \"8/8/8/8/8/P7/8/8\"}",
        "{\"players\": [\"A*\", \"B*\"]}",
    };
    const fixture *f = *state;
    for (size_t n = 0; n < 3 * sizeof rules / sizeof *rules; n++)
        fail_each(&(question){.archive = &f->archive, .json = rules[n / 3], .index = f->indexes[n % 3]});
}

static void trees(void **state)
{
    static const char *const rules[] = {NULL, "{\"result\": \"*\"}", "{\"players\": [\"A*\", \"B*\"]}",
                                        "{\"date\": \"2001.02.02..2001.02.03\"}"};
    const fixture *f = *state;
    for (size_t n = 0; n < 3 * sizeof rules / sizeof *rules; n++)
        fail_each(&(question){.archive = &f->archive, .json = rules[n / 3], .index = f->indexes[n % 3], .tree = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_on_games),
        cmocka_unit_test(rules_on_positions),
        cmocka_unit_test(trees),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
