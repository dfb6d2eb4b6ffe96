/* SPDX-License-Identifier: MIT */
/* Optional sections of index files, endgames, openings and codes, and patterns, which are found with the trie: their
 * numbers, and questions that they answer, compared with searches that test every game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/handle.h"
#include "index_fixture.h"
#include "search/search_index.h"

/* ---- numbers ---- */

static void numbers_are_in_order(void **state)
{
    (void)state;
    uint32_t last = 0;
    for (uint32_t n = 0; n < ENDGAMES; n++) {
        const uint32_t material = stamma_endgame_material(n);
        assert_int_equal(stamma_endgame_number(material), n);
        assert_true(n == 0 || material > last);
        last = material;
    }
    assert_int_equal(last, UINT32_C(4) << 29 | 8 << 4 | 8); /* four white knights */
}

static void codes_have_classes(void **state)
{
    (void)state;
    static const struct {
        const char *tag;
        uint16_t class;
    } all[] = {{"A00", 1},
               {"E99", 500},
               {"b20", 121},
               {" C42", 243},
               {"D37/22", 338},
               {"C421", 243},
               {"F00", 0},
               {"", 0},
               {" ", 0},
               {"?", 0},
               {"-", 0},
               {"B", CLASS_OTHER},
               {"B2", CLASS_OTHER},
               {"B2 ", CLASS_OTHER},
               {"BB2", CLASS_OTHER}};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        assert_int_equal(stamma_index_code_class(stamma_text_of(all[n].tag)), all[n].class);
    assert_int_equal(stamma_index_code_class((stamma_text){NULL, 0}), 0);
    for (unsigned n = 0; n <= CLASS_CODES + 1; n++) {
        char code[3];
        const bool coded = stamma_index_code_text(n, code);
        assert_true(coded == (n >= 1 && n <= CLASS_CODES));
        if (coded)
            assert_int_equal(stamma_index_code_class((stamma_text){code, 3}), n);
    }
}

/* ---- archives ---- */

typedef struct fixture {
    index_fixture made;
    stamma_archive *plain, *indexed;
} fixture;

/* Three games that leave the trie in an endgame. */
#define ENDGAME                                                                                                     \
    "a4 b5 axb5 e6 Rxa7 Rxa7 d4 Bb7 f3 Bxf3 gxf3 c5 dxc5 Bxc5 Qxd7 Kxd7 e4 Bxg1 Rxg1 Ra2 Rxg7 Rxb2 Rxg8 Qxg8 Bxb2 " \
    "Qg2 Bxh8 Qxf1 Kxf1 Kc8 Na3 Nd7 Kg2 Kc7 "

/* Adds games with tags of openings. */
static void add_openings(listing *text)
{
    static const char *const moves[] = {"1. e4 c5 2. Nf3 d6", "1. e4 c5 2. Nf3 e6", "1. d4 d5 2. c4",
                                        "1. h4 h5 2. Rh3"};
    static const char *const openings[] = {NULL,
                                           "?",
                                           "",
                                           "Sicilian Defense",
                                           "Queen's Gambit",
                                           "S\xED"
                                           "ciliana"};
    static const char *const codes[] = {NULL, "B50", "b5", "D06/01", "?", "C", "X12", " E10"};
    for (unsigned n = 0; n < 48; n++) {
        if (openings[n % 6])
            list_format(text, "[Opening \"%s\"]\n", openings[n % 6]);
        if (codes[n / 6])
            list_format(text, "[ECO \"%s\"]\n", codes[n / 6]);
        list_format(text, "[WhiteElo \"%u\"]\n\n%s 1-0\n\n", 2000 + n, moves[(n + n / 6) % 4]);
    }
    list_word(text, "[Opening \"French Defense\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n");
}

static listing make_text(unsigned part)
{
    listing text = part == 1 ? index_fixture_text(part) : read_file("data/games.pgn");
    if (part == 1)
        list_word(&text, ENDGAME "c4 h6 1-0\n\n" ENDGAME "c4 h5 0-1\n\n" ENDGAME "h3 1/2-1/2\n\n");
    add_openings(&text);
    return text;
}

static int set_up(void **state)
{
    static fixture f;
    index_fixture_init(&f.made, make_text, 100);
    f.plain = open_handle(&f.made.archive);
    f.plain->no_search_columns = true;
    f.indexed = open_indexed(&f.made.archive, &f.made.file);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    stamma_archive_close(f->plain);
    stamma_archive_close(f->indexed);
    index_fixture_release(&f->made);
    return 0;
}

/* ---- questions ---- */

#define PAWNS "P?P?P?P?P?P?P?P?"

static const char *const questions[] = {
    "{\"material\": \"KBN?" PAWNS "KN" PAWNS "\"}",
    "{\"material\": \"KR" PAWNS "KR" PAWNS "\", \"flipcolor\": true}",
    "{\"material\": [\"KBPPPKNPPP\", \"KBPPPKNPP\", \"KR?R?" PAWNS "KR?R?" PAWNS "\"]}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}}",
    "{\"count\": {\"pieces\": \"AaNBRQnbrq\", \"n\": \"3\"}}",
    "{\"count\": [{\"pieces\": \"NBRQnbrq\", \"n\": [\"..1\", \"3\"]}, {\"pieces\": \"NBRQnbrq\", \"n\": \"2\"}]}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}, \"difference\": {\"of\": \"P\", \"minus\": \"p\"}}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}, \"balance\": \"2..\", \"flipcolor\": true}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}, \"points\": {\"white\": \"..9\"}, \"result\": \"1-0\"}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}, \"imbalance\": \"BvN\", \"all-matches\": true}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}, \"check\": true, \"player\": \"*a*\"}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}, \"for\": 6}",
    "{\"any\": [{\"material\": \"KR" PAWNS "KR" PAWNS "\"}, {\"material\": \"KB" PAWNS "KN" PAWNS "\"}]}",
    "{\"any\": [{\"material\": \"KR" PAWNS "KR" PAWNS "\"}, {\"mate\": true}]}",
    "{\"all\": [{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}}, {\"not\": {\"balance\": \"..0\"}}]}",
    "{\"all\": [{\"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}, \"flipcolor\": true, \"balance\": \"3..\"}]}",
    "{\"material\": \"K" PAWNS "KN?R?" PAWNS "\", \"side-to-move\": \"white\", \"plies\": \"60..\"}",
    "{\"count\": {\"pieces\": \"NBRQnbrq\", \"squares\": \"a1-h4\", \"n\": \"..1\"}, \"ply\": \"60..\"}",
    "{\"material\": \"KB" PAWNS "KN" PAWNS "\", \"final\": {\"side-to-move\": \"black\"}}",
    "{\"material\": \"KB" PAWNS "KN" PAWNS "\", \"never\": {\"check\": true}, \"limit\": 3}",
    "{\"material\": \"KB" PAWNS "KN" PAWNS "\", \"variations\": true}",
    "{\"material\": \"KQQQQKQQQQ\"}",
    "{\"sub-fen\": \"8/8/8/4p3/4P3/8/8/8\"}",
    "{\"sub-fen\": \"8/8/4p3/3p4/3P4/2N5/8/8\", \"all-matches\": true}",
    "{\"sub-fen\": [\"8/pp4pp/8/8/8/8/PP4PP/8\", \"8/8/8/3N4/8/8/8/8\"], \"side-to-move\": \"black\"}",
    "{\"sub-fen\": \"8/8/8/2p5/4P3/5N2/8/8\", \"flipcolor\": true, \"mirror\": true}",
    "{\"pawns\": \"8/pp2pppp/3p4/2p5/4P3/8/PPPP1PPP/8\", \"result\": \"1-0\"}",
    "{\"sub-fen\": \"8/8/8/8/3P4/8/8/8\", \"move\": \"Nf3\", \"white-rating\": \"1600..\"}",
    "{\"sub-fen\": \"8/8/8/8/3P4/8/8/8\", \"for\": 8}",
    "{\"sub-fen\": \"8/8/8/8/8/8/PPPPPPPP/8\", \"player\": \"*\"}",
    "{\"material\": \"KQP*KR*B*N*P*\"}",
    "{\"sub-fen\": \"PPPPPPPP/8/8/8/8/8/8/8\"}",
    "{\"sub-fen\": \"8/8/8/8/8/8/8/RNBQKBNR\", \"opening\": \"*\"}",
    "{\"opening\": \"sicilian\"}",
    "{\"opening\": [\"=queen's gambit\", \"sici*ana\", \"french\"]}",
    "{\"eco\": \"B50..B59\"}",
    "{\"eco\": [\"B5\", \"D..E1\"], \"all-matches\": true}",
    "{\"eco\": \"A00..E99\", \"opening\": \"defense\"}",
    "{\"opening\": \"*\", \"plies\": \"..4\"}",
    "{\"any\": [{\"eco\": \"C\"}, {\"opening\": \"gambit\", \"white-rating\": \"..2020\"}]}",
    "{\"not\": {\"opening\": \"*\"}, \"result\": \"1-0\"}",
    "{\"opening\": \"sicilian\", \"sub-fen\": \"8/8/3p4/2p5/4P3/8/8/8\"}",
    "{\"opening\": \"sicilian\", \"fen\": \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"}",
    "{\"eco\": \"..E\", \"count\": {\"pieces\": \"NBRQnbrq\", \"n\": \"..4\"}}",
    "{\"all\": [{\"eco\": \"B\"}, {\"eco\": \"B5\"}, {\"opening\": \"s*\"}, {\"eco\": \"B50\"}]}",
    "{\"eco\": \"B5\", \"move\": \"d6\", \"limit\": 4, \"offset\": 1}",
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_problem fault;
    if (stamma_query_parse(stamma_text_of(json), NULL, &fault, &query) != STAMMA_OK)
        fail_msg("%s: %s", json, fault.message);
    return query;
}

/* Lists the matches with their plies, and the results of all matches. */
static listing ask(stamma_archive *archive, const char *json)
{
    listing out = {0};
    stamma_query *query = parse(json);
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    stamma_stats_results r = {.games = 0};
    assert_int_equal(stamma_search_open(archive, query, NULL, &search), STAMMA_OK);
    while (stamma_search_next(search, &match) == STAMMA_OK && match) {
        list_format(&out, " %u:", (unsigned)match->game);
        for (size_t n = 0; n < match->ply_count; n++)
            list_format(&out, "%u,", (unsigned)match->plies[n]);
    }
    assert_int_equal(stamma_search_next(search, &match), STAMMA_OK);
    assert_int_equal(stamma_stats_count_archive(&r, archive, query, NULL, NULL), STAMMA_OK);
    list_format(&out, "; %u %u %u %u", (unsigned)r.games, (unsigned)r.white_wins, (unsigned)r.draws,
                (unsigned)r.black_wins);
    list_bytes(&out, "", 1);
    stamma_search_close(search);
    stamma_query_close(query);
    return out;
}

static void assert_same(stamma_archive *archive, const fixture *f, const char *json)
{
    listing wanted = ask(f->plain, json), got = ask(archive, json);
    if (strcmp(wanted.text, got.text) != 0)
        fail_msg("%s\n%s\ninstead of\n%s", json, got.text, wanted.text);
    free(wanted.text);
    free(got.text);
}

static void questions_find_the_same(void **state)
{
    const fixture *f = *state;
    for (size_t n = 0; n < QUESTIONS; n++)
        assert_same(f->indexed, f, questions[n]);
    assert_false(index_state(f->indexed).damaged);
    listing got = ask(f->indexed, questions[0]);
    assert_non_null(strstr(got.text, ":29,")); /* an endgame in the trie */
    free(got.text);
}

static void sections_are_optional(void **state)
{
    const fixture *f = *state;
    stamma_archive *archive = open_indexed(&f->made.archive, &f->made.file);
    handle_index(archive)->file->segments[1].section_count = INDEX_SECTIONS_LEAST;
    for (size_t n = 0; n < QUESTIONS; n++)
        assert_same(archive, f, questions[n]);
    stamma_archive_close(archive);
}

/* ---- changed bytes ---- */

enum { OPENINGS_FROM = QUESTIONS - 13, PATTERNS_FROM = OPENINGS_FROM - 11 };

/* Answers may be wrong, but searches end, and most invalid numbers are noticed. */
static void sections_are_not_trusted(void **state)
{
    const fixture *f = *state;
    static const index_section sections[] = {SECTION_ENDGAMES,  SECTION_ENDGAME_LISTS, SECTION_OPENINGS,
                                             SECTION_CODES,     SECTION_NODE_DEPTHS,   SECTION_NODE_CODES,
                                             SECTION_NODE_FIRST};
    listing file = index_copy(&f->made.file);
    for (unsigned n = 0; n < sizeof sections / sizeof *sections; n++) {
        const size_t first = n < 2 ? 0 : n < 4 ? OPENINGS_FROM : PATTERNS_FROM; /* questions about this section */
        size_t size, noticed = 0;
        uint8_t *bytes = index_section_of(&file, 0, sections[n], &size);
        for (size_t at = 0; at < size; at += 1 + size / 200) {
            const uint8_t kept = bytes[at];
            bytes[at] = at % 2 ? 0xFF : 0;
            index_seal(&file);
            stamma_archive *archive = open_indexed(&f->made.archive, &file);
            listing got = ask(archive, questions[first + at % 4]);
            noticed += index_state(archive).damaged;
            free(got.text);
            stamma_archive_close(archive);
            bytes[at] = kept;
        }
        assert_true(size > 20 && noticed > (n < 4 ? 15 : 0));
    }
    free(file.text);
}

static void count_with_little_memory(const fixture *f, const stamma_query *query)
{
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    for (unsigned fail_at = 1; error != STAMMA_OK; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        const stamma_bytes bytes = stamma_bytes_of(f->made.archive.text, f->made.archive.size);
        const stamma_bytes index = stamma_bytes_of(f->made.file.text, f->made.file.size);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator, .index = &index};
        stamma_archive *archive = NULL;
        stamma_stats_results r = {.games = 0};
        error = stamma_archive_open(&bytes, &options, &archive);
        if (error == STAMMA_OK)
            error = stamma_stats_count_archive(&r, archive, query, NULL, NULL);
        stamma_archive_close(archive);
        assert_int_equal(memory.alive, 0);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
    }
}

static void memory_may_end(void **state)
{
    static const char *const all[] = {"{\"material\": \"KB" PAWNS "KN" PAWNS
                                      "\", \"opening\": \"*\", \"player\": \"*\"}",
                                      "{\"sub-fen\": \"8/8/8/4p3/4P3/8/8/8\", \"date\": \"1900..\"}"};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        stamma_query *query = parse(all[n]);
        count_with_little_memory(*state, query);
        stamma_query_close(query);
    }
}

static bool stop_later(void *context)
{
    return --*(int *)context < 0;
}

static void patterns_are_stopped(void **state)
{
    const fixture *f = *state;
    stamma_query *query = parse("{\"sub-fen\": \"8/8/8/4p3/4P3/8/8/8\"}");
    for (int calls = 0; calls < 3; calls++) {
        int left = calls;
        stamma_stats_results r = {.games = 0};
        const stamma_search_options options = {.size = sizeof options, .context = &left, .stop = stop_later};
        assert_int_equal(stamma_stats_count_archive(&r, f->indexed, query, &options, NULL), STAMMA_ERROR_CANCELLED);
    }
    stamma_query_close(query);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_in_order),     cmocka_unit_test(codes_have_classes),
        cmocka_unit_test(questions_find_the_same),  cmocka_unit_test(sections_are_optional),
        cmocka_unit_test(sections_are_not_trusted), cmocka_unit_test(memory_may_end),
        cmocka_unit_test(patterns_are_stopped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
