/* Tags that are numbers (clause 15): what becomes of ratings and of what games change them by, and that whatever stands
 * in such tags comes back. The archive good-numbers.stamma shows the format by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"

enum { GAMES = 3000, PLAYERS = 50, NAME_MAX = 32 };

/* How a file of rated games is written. */
typedef struct habits {
    bool backward;     /* the last game comes first */
    bool changes;      /* what games change is told */
    unsigned literals; /* every so many ratings are no number */
    bool black_first;  /* Black's tags stand before White's */
} habits;

typedef struct rated_game {
    unsigned players[2], ratings[2];
    int changes[2];
} rated_game;

static rated_game games[GAMES];

/* Each player's next rating is the last and what the game changed. */
static void play_games(void)
{
    unsigned ratings[PLAYERS];
    for (unsigned p = 0; p < PLAYERS; p++)
        ratings[p] = 1000 + (unsigned)random_below(1500);
    for (unsigned n = 0; n < GAMES; n++) {
        rated_game *g = &games[n];
        g->players[0] = (unsigned)random_below(PLAYERS);
        g->players[1] = (g->players[0] + 1 + (unsigned)random_below(PLAYERS - 1)) % PLAYERS;
        g->changes[0] = (int)random_below(13);
        g->changes[1] = -g->changes[0] + (random_below(4) == 0);
        for (unsigned side = 0; side < 2; side++) {
            g->ratings[side] = ratings[g->players[side]];
            ratings[g->players[side]] += (unsigned)g->changes[side];
        }
    }
}

static void list_side(listing *to, const rated_game *g, unsigned side, habits h)
{
    static const char *const names[2] = {"White", "Black"};
    if (h.literals && random_below(h.literals) == 0)
        list_format(to, "[%sElo \"%s\"]\n", names[side], random_below(2) ? "?" : "0100");
    else if (!h.literals || random_below(h.literals))
        list_format(to, "[%sElo \"%u\"]\n", names[side], g->ratings[side]);
    if (h.changes && !(h.literals && random_below(h.literals) == 0))
        list_format(to, "[%sRatingDiff \"%+d\"]\n", names[side], g->changes[side]);
}

static listing write_games(habits h)
{
    listing text = {NULL, 0, 0};
    for (unsigned n = 0; n < GAMES; n++) {
        const rated_game *g = &games[h.backward ? GAMES - 1 - n : n];
        list_format(&text, "[White \"player %u\"]\n[Black \"player %u\"]\n[Result \"1-0\"]\n", g->players[0],
                    g->players[1]);
        list_side(&text, g, h.black_first, h);
        list_side(&text, g, !h.black_first, h);
        list_word(&text, "\n1-0\n\n");
    }
    return text;
}

typedef struct sizes {
    uint64_t ratings, changes;
} sizes;

static void add_column(void *context, const stamma_archive_column *column)
{
    sizes *s = (sizes *)context;
    size_t size = strlen(column->name);
    s->ratings += size > 3 && strcmp(column->name + size - 3, "Elo") == 0 ? column->stored_bytes : 0;
    s->changes += size > 4 && strcmp(column->name + size - 4, "Diff") == 0 ? column->stored_bytes : 0;
}

static sizes pack_games(habits h)
{
    listing text = write_games(h), archive = pack(text.text, text.size, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    sizes s = {0, 0};
    assert_int_equal(stamma_archive_info(reader, NULL, NULL, 0, add_column, &s), STAMMA_OK);
    stamma_archive_reader_close(reader);
    assert_round_trip(text.text, text.size, NULL);
    free(archive.text);
    free(text.text);
    return s;
}

/* A rating takes next to nothing where it follows from the player's last one, in either order of time; what changes
 * White's takes its entropy, and what changes Black's less than a bit and a half. */
static void ratings_follow_from_changes(void **state)
{
    (void)state;
    play_games();
    for (unsigned n = 0; n < 4; n++) {
        sizes s = pack_games((habits){.backward = n & 1, .changes = true, .black_first = n >> 1});
        assert_true(s.ratings > 0 && s.ratings < GAMES / 10);
        assert_true(s.changes > 0 && s.changes < GAMES * 7 / 8);
    }
}

/* Without them they are near the player's last one. */
static void ratings_follow_from_players(void **state)
{
    (void)state;
    play_games();
    sizes s = pack_games((habits){.changes = false});
    assert_true(s.ratings > 0 && s.ratings < 2 * GAMES * 6 / 8);
}

/* Numbers and other texts, in any order and anywhere missing. */
static void mixed_values_come_back(void **state)
{
    (void)state;
    play_games();
    for (unsigned literals = 2; literals < 40; literals *= 2)
        for (unsigned n = 0; n < 4; n++)
            pack_games((habits){n & 1, n >> 1, literals, literals & 4});
}

/* Values as long as the format allows, columns that are no numbers, and tags that come twice. */
static void odd_values_come_back(void **state)
{
    static const char *const values[] = {"16777216", "-16777217", "+5",    "-0", "00", "",
                                         "-",        "9999",      "10000", "-1", "0"};
    (void)state;
    for (unsigned round = 0; round < 4; round++) {
        listing text = {NULL, 0, 0};
        for (unsigned n = 0; n < 1200; n++) {
            size_t kinds = round == 0 ? 2 : sizeof values / sizeof *values;
            for (unsigned tag = 0; tag < 4; tag++)
                list_format(&text, "[%s \"%s\"]\n", &"WhiteElo\0BlackElo\0WhiteXYZ\0BlackXYZ"[tag * 9],
                            random_below(round + 1) ? "12" : values[random_below(kinds)]);
            if (round == 3 && n % 100 == 7)
                list_word(&text, "[WhiteElo \"1\"]\n");
            list_word(&text, "\n*\n\n");
        }
        assert_round_trip(text.text, text.size, NULL);
        free(text.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_follow_from_changes),
        cmocka_unit_test(ratings_follow_from_players),
        cmocka_unit_test(mixed_values_come_back),
        cmocka_unit_test(odd_values_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
