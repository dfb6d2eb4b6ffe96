/* SPDX-License-Identifier: MIT */
/* Makes games for the tests of skipping. After the opening, knights move back and forth. */
#include "passed_games.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct line {
    const char *moves[4];
    const char *name;
} line;

static const line lines[] = {{{"e4", "e5", "Nf3", "d6"}, "Open"},      {{"d4", "d5", "c4", "e6"}, "Closed"},
                             {{"c4", "e5", "g3", "Nf6"}, "Flank"},     {{"Nf3", "d5", "g3", "Nf6"}, "Flank, slow"},
                             {{"e4", "c5", "Nf3", "d6"}, "Half open"}, {{"e4", "e6", "d4", "d5"}, "Half open, solid"},
                             {{"h4", "h5", "a4", "a5"}, "Pushed"},     {{"d4", "Nf6", "c4", "g6"}, "Indian"}};
enum { LINES_COUNT = sizeof lines / sizeof *lines, PLAYERS = 60 };

/* After the opening, knights move back and forth. */
static void list_moves(listing *to, const line *l, unsigned plies, bool clocks)
{
    static const char *const knights[4] = {"Na3", "Na6", "Nb1", "Nb8"};
    unsigned clock[2] = {300, 300};
    for (unsigned i = 0; i < plies; i++) {
        clock[i % 2] -= (unsigned)random_below(clock[i % 2] / 10 + 1);
        if (i % 2 == 0 || clocks)
            list_format(to, i % 2 == 0 ? "%u. " : "%u... ", i / 2 + 1);
        list_format(to, "%s ", i < 4 ? l->moves[i] : knights[i % 4]);
        if (clocks)
            list_format(to, "{ [%%clk 0:%02u:%02u] } ", clock[i % 2] / 60, clock[i % 2] % 60);
        else if (i == 6)
            list_word(to, "$1 ");
        else if (i % 4 == 0 && i >= 4)
            list_format(to, "{ +0.%02u/8 Na6%sNb1 %s } ", (unsigned)random_below(100), i % 16 ? " " : "\n",
                        random_below(2) ? "Nb8" : "Nc5 b3 f6");
    }
}

static void list_tags(listing *to, const line *l, unsigned n, unsigned white, unsigned black)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};
    list_format(to, "[Event \"%s %u\"]\n", n % 5 ? "Open" : "Closed", n / 40);
    list_format(to, "[Site \"https://example.org/%08u\"]\n", (unsigned)random_below(100000000));
    list_format(to, "[Date \"20%02u.%02u.%02u\"]\n", n / 400 % 100, n / 40 % 12 + 1, n % 28 + 1);
    list_format(to, "[Round \"%u.%u\"]\n", n / 8 % 11 + 1, n % 8 + 1);
    list_format(to, "[White \"Player%u, A\"]\n[Black \"Player%u, A\"]\n", white, black);
    list_format(to, "[Result \"%s\"]\n", results[n % 3]);
    if (n % 9)
        list_format(to, "[WhiteElo \"%u\"]\n[BlackElo \"%u\"]\n", 1500 + 10 * white + n / 100,
                    1500 + 10 * black + n / 90);
    if (white % 7 == 0)
        list_format(to, "[WhiteTitle \"GM\"]\n");
    if (n % 300 == 17)
        list_format(to, "[Note%u \"seldom\"]\n", n % 4);
    list_format(to, "[Opening \"%s%s\"]\n", l->name, random_below(30) ? "" : ", named otherwise");
    if (n % 11 == 0)
        list_format(to, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n");
}

void list_passed_games(listing *to, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        const line *l = &lines[random_below(random_below(4) ? 3 : LINES_COUNT)];
        unsigned white = (unsigned)random_below(PLAYERS),
                 black = (white + 1 + (unsigned)random_below(PLAYERS - 1)) % PLAYERS;
        list_tags(to, l, n, white, black);
        list_word(to, "\n");
        list_moves(to, l, n % 13 == 5 ? 0 : 4 + 4 * (unsigned)random_below(8), n % 4 != 0);
        if (n % 17 == 3)
            list_word(to, "( 1. d3 { or so } 1... d6 ) ");
        if (n % 23 == 8)
            list_word(to, "<nonsense> ");
        list_word(to, n % 3 == 0 ? "1-0\n\n" : n % 3 == 1 ? "0-1\n\n" : "1/2-1/2\n\n");
    }
}

void list_named_openings(listing *to, unsigned count)
{
    static const struct {
        const char *eco, *name, *moves;
    } openings[] = {{"A00", "Barnes Opening: Fool's Mate", "1. f3 e5 2. g4 Qh4#"},
                    {"C20", "King's Pawn Game", "1. e4 e5"},
                    {"B00", "King's Pawn Game", "1. e4"}};
    for (unsigned n = 0; n < count; n++)
        list_format(to, "[White \"%u\"]\n[ECO \"%s\"]\n[Opening \"%s\"]\n\n%s 1-0\n\n", n, openings[n % 3].eco,
                    openings[n % 3].name, openings[n % 3].moves);
}

static void list_read(listing *to, const stamma_archive_game *game)
{
    list_bytes(to, game->text.data, game->text.size);
    for (size_t i = 0; i < game->tag_count; i++) {
        list_bytes(to, game->tags[i].name.data, game->tags[i].name.size);
        list_word(to, "=");
        list_bytes(to, game->tags[i].value.data, game->tags[i].value.size);
    }
    for (size_t i = 0; i < game->ply_count && game->clocks_ms; i++)
        list_format(to, "%lld ", (long long)game->clocks_ms[i]);
}

games_read read_games(const listing *archive)
{
    games_read g = {.count = 0};
    archive_source source;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_game_count(reader, &g.count), STAMMA_OK);
    g.ends = calloc((size_t)g.count + 1, sizeof *g.ends);
    assert_non_null(g.ends);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        list_read(&g.all, game);
        g.ends[game->number] = g.all.size;
    }
    close_reader(reader);
    return g;
}

void free_games(games_read *games)
{
    free(games->all.text);
    free(games->ends);
}

void assert_game(const games_read *games, const stamma_archive_game *game, uint64_t number)
{
    listing found = {0};
    size_t begin = games->ends[number - 1];
    assert_non_null(game);
    assert_int_equal(game->number, number);
    list_read(&found, game);
    assert_int_equal(found.size, games->ends[number] - begin);
    assert_memory_equal(found.text, games->all.text + begin, found.size);
    free(found.text);
}
