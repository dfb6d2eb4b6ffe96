/* SPDX-License-Identifier: MIT */
/* Tests tags that are derived from the game (clause 15.6): their values, and that correct and wrong values are restored
 * in every game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"

enum { GAMES = 400, PLIES_MAX = 60, TAGS = 9, VALUE_MAX = 128 };

/* ---- the derived values ---- */

static void expect_text(const game_facts *game, unsigned what, const char *value)
{
    char out[STAMMA_FEN_SIZE];
    stamma_text text = stamma_game_text(game, what, out);
    if (!value) {
        assert_null(text.data);
        return;
    }
    assert_int_equal(text.size, strlen(value));
    assert_memory_equal(text.data, value, text.size);
}

static void texts_of_a_game(void **state)
{
    (void)state;
    game_facts game = {.end = stamma_position_start()};
    expect_text(&game, FACT_CODE, NULL);
    expect_text(&game, FACT_NAME, NULL);
    expect_text(&game, FACT_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    expect_text(&game, FACT_FEN_FIELDS, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    expect_text(&game, FACT_PLIES, "0");
    expect_text(&game, FACT_PLIES_LESS, NULL);
    const stamma_move e4 = stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH);
    game.opening = stamma_opening_find(&e4, 1);
    game.plies = 4294967295u;
    expect_text(&game, FACT_CODE, "B00");
    expect_text(&game, FACT_NAME, "King's Pawn Game");
    expect_text(&game, FACT_PLIES, "4294967295");
    expect_text(&game, FACT_PLIES_LESS, "4294967294");
    const char fen[] = "1r2k3/8/8/8/8/8/8/RR2K1R1 b Bb - 65535 65535"; /* castling rooks that are not the outermost */
    assert_int_equal(stamma_fen_read((stamma_text){fen, sizeof fen - 1}, &game.end, NULL, NULL), STAMMA_OK);
    expect_text(&game, FACT_FEN, "1r2k3/8/8/8/8/8/8/RR2K1R1 b Bq - 65535 65535");
}

/* ---- games with derived tags ---- */

static const char *const set_ups[] = {"4k3/8/8/8/8/8/4P3/4K2R w K - 5 40", "1k3r1r/8/8/8/8/8/8/RK5R b HAf - 0 1",
                                      "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
                                      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "no position"};

typedef struct sample_game {
    const char *fen; /* NULL: no FEN tag */
    bool fen_is_odd; /* after a comment, so not in the roster */
    bool illegal;    /* the last move is invalid */
    listing sans;
    game_facts facts;
    stamma_text names[TAGS]; /* in roster order; {NULL}: no tag */
    char values[TAGS][VALUE_MAX];
} sample_game;

static void play_game(sample_game *g)
{
    stamma_move moves[PLIES_MAX];
    stamma_position *p = &g->facts.end;
    *p = stamma_position_start();
    bool fits = !g->fen || stamma_fen_read((stamma_text){g->fen, strlen(g->fen)}, p, NULL, NULL) == STAMMA_OK;
    size_t plies = fits ? (size_t)random_below(PLIES_MAX) : 0;
    for (g->facts.plies = 0; g->facts.plies < plies; g->facts.plies++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        char san[STAMMA_SAN_SIZE];
        size_t count = stamma_legal_moves(p, legal);
        if (count == 0)
            break;
        bool null = random_below(40) == 0 && !stamma_position_in_check(p);
        stamma_move move = null ? STAMMA_MOVE_NULL : legal[random_below(count < 4 ? count : 4)];
        stamma_san_write(p, move, san, sizeof san);
        list_format(&g->sans, "%s ", san);
        moves[g->facts.plies] = move;
        stamma_position_make(p, move, p);
        if (random_below(30) == 0) /* a variation, which is not the main line */
            list_word(&g->sans, random_below(2) ? "(--) " : "(-- --) ");
    }
    g->facts.opening = g->fen ? 0 : stamma_opening_find(moves, g->facts.plies);
}

static void set_tag(sample_game *g, size_t place, const char *name, const char *value, size_t size)
{
    bool wrong = random_below(12) == 0;
    g->names[place] = (stamma_text){name, strlen(name)};
    snprintf(g->values[place], VALUE_MAX, "%.*s%s", (int)size, value, wrong ? "?" : "");
}

/* Sets the tags in a shuffled order and omits some. */
static void set_tags(sample_game *g)
{
    static const char *const names[TAGS] = {"ECO",       "Opening", "CurrentPosition", "EPD", "PlyCount",
                                            "PlayCount", "Book",    "White",           "End"};
    static const unsigned keys[TAGS] = {FACT_CODE, FACT_NAME, FACT_FEN, FACT_FEN_FIELDS, FACT_PLIES, FACT_PLIES_LESS};
    size_t first = random_below(4) ? 0 : (size_t)random_below(TAGS);
    char out[STAMMA_FEN_SIZE], white[24], end[40], book[24];
    snprintf(white, sizeof white, "player %u", (unsigned)random_below(50));
    snprintf(end, sizeof end, "%s won", white);
    snprintf(book, sizeof book, "page %u", g->facts.opening * 7919u % 3607);
    for (size_t n = 0; n < TAGS; n++) {
        size_t tag = (first + n) % TAGS;
        stamma_text text = keys[tag]  ? stamma_game_text(&g->facts, keys[tag], out)
                           : tag == 6 ? (stamma_text){book, strlen(book)}
                           : tag == 7 ? (stamma_text){white, strlen(white)}
                                      : (stamma_text){end, strlen(end)};
        if (text.data && random_below(20) > 0)
            set_tag(g, n, names[tag], text.data, text.size);
    }
}

static void list_sample(listing *to, const sample_game *g)
{
    bool fen = g->fen && !g->fen_is_odd;
    size_t place = (size_t)random_below(2) * TAGS;
    for (size_t n = 0; n <= TAGS; n++) {
        if (n == place && fen)
            list_format(to, "[FEN \"%s\"]\n", g->fen);
        if (n < TAGS && g->names[n].data)
            list_format(to, "[%s \"%s\"]\n", g->names[n].data, g->values[n]);
        if (n < TAGS && g->names[n].data && random_below(50) == 0) /* a tag twice */
            list_format(to, "[%s \"%s\"]\n", g->names[n].data, g->values[n]);
    }
    if (g->fen && g->fen_is_odd)
        list_format(to, ";so\n[FEN \"%s\"]\n", g->fen);
    list_word(to, "\n");
    list_bytes(to, g->sans.text ? g->sans.text : "", g->sans.size);
    list_word(to, g->illegal ? "Ka9 e4 *\n\n" : g->sans.size == 0 || random_below(30) ? "1-0\n\n" : "\n");
}

static listing sample_games(void)
{
    listing text = {NULL, 0, 0};
    for (size_t n = 0; n < GAMES; n++) {
        sample_game g = {.fen_is_odd = random_below(2), .illegal = random_below(20) == 0};
        if (random_below(5) == 0)
            g.fen = set_ups[random_below(sizeof set_ups / sizeof *set_ups)];
        play_game(&g);
        set_tags(&g);
        list_sample(&text, &g);
        free(g.sans.text);
    }
    return text;
}

typedef struct sizes {
    uint64_t stored, plain;
    unsigned columns;
} sizes;

static void add_column(void *context, const stamma_archive_column *column)
{
    static const char *const follow[] = {"tag:CurrentPosition", "tag:EPD", "tag:PlyCount", "tag:PlayCount"};
    sizes *s = (sizes *)context;
    for (size_t n = 0; n < sizeof follow / sizeof *follow; n++)
        if (strcmp(column->name, follow[n]) == 0) {
            s->stored += column->stored_bytes;
            s->plain += column->plain_bytes;
            s->columns++;
        }
}

/* Nine of ten tags are correct and need little space. */
static void tags_that_are_right_take_little(void **state)
{
    (void)state;
    listing text = sample_games(), archive = pack(text.text, text.size, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    sizes s = {0, 0, 0};
    assert_int_equal(stamma_archive_reader_info(reader, NULL, NULL, 0, add_column, &s), STAMMA_OK);
    close_reader(reader);
    assert_int_equal(s.columns, 4);
    assert_true(s.stored < s.plain / 4);
    free(archive.text);
    free(text.text);
}

static void all_tags_come_back(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        listing text = sample_games();
        assert_round_trip(text.text, text.size, NULL);
        free(text.text);
    }
}

/* Skipping games before a game does not change the game. */
static void games_after_others_come_back(void **state)
{
    (void)state;
    size_t ends[2 * GAMES] = {0}, count = 0;
    listing text = sample_games(), archive = pack(text.text, text.size, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    for (; stamma_archive_reader_next(reader, &game) == STAMMA_OK && game && count < 2 * GAMES - 1; count++)
        ends[count + 1] = ends[count] + game->text.size;
    assert_int_equal(ends[count], text.size);
    for (int round = 0; round < 300; round++) {
        size_t number = (size_t)random_below(count);
        assert_int_equal(stamma_archive_reader_seek(reader, number + 1), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_non_null(game);
        assert_int_equal(game->text.size, ends[number + 1] - ends[number]);
        assert_memory_equal(game->text.data, text.text + ends[number], game->text.size);
    }
    close_reader(reader);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_a_game),
        cmocka_unit_test(tags_that_are_right_take_little),
        cmocka_unit_test(all_tags_come_back),
        cmocka_unit_test(games_after_others_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
