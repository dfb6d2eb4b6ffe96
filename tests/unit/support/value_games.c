/* SPDX-License-Identifier: MIT */
/* Makes games for the tests of trees and statistics. */
#include "value_games.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

static const char *one_of(const char *const *words, size_t count)
{
    return words[random_below(count)];
}

#define ONE_OF(words) one_of(words, sizeof(words) / sizeof *(words))

static void list_tag(listing *to, const char *name, const char *value)
{
    if (value)
        list_format(to, "[%s \"%s\"]\n", name, value);
}

void list_tagged_games(listing *to, unsigned count)
{
    static const char *const names[] = {
        "Polgar, J", "Lasker, Em", "M\xFCller, K", "M\xC3\xBCller, K", "?", "A \\\"B\\\" C", ""};
    static const char *const dates[] = {NULL,         "????.??.??", "1999.??.??", "1999.12.??",
                                        "1999.12.31", "2024.01.01", "x"};
    static const char *const ratings[] = {NULL, "2500", "2599", "1200", "?", "0", "2700"};
    static const char *const results[] = {NULL, "1-0", "0-1", "1/2-1/2", "*", "?"};
    static const char *const codes[] = {NULL, "B90", "C42a", "?", "Z12", "E4"};
    static const char *const controls[] = {NULL, "180+2", "-"};
    static const char *const ends[] = {NULL, "Normal", "Time forfeit"};
    static const char *const lines[] = {
        "",
        "1. e4",
        "1. e4 c5 2. Nf3 d6",
        "1. Nf3 c5 2. e4 d6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
        "1. d4 d5 2. c4 e6",
        "1. f3 e5 2. g4 Qh4#",
    };
    for (unsigned n = 0; n < count; n++) {
        list_tag(to, "White", ONE_OF(names));
        list_tag(to, "Black", ONE_OF(names));
        list_tag(to, "Result", ONE_OF(results));
        list_tag(to, random_below(2) ? "Date" : "UTCDate", ONE_OF(dates));
        list_tag(to, "WhiteElo", ONE_OF(ratings));
        list_tag(to, "BlackElo", ONE_OF(ratings));
        list_tag(to, "ECO", ONE_OF(codes));
        list_tag(to, "TimeControl", ONE_OF(controls));
        list_tag(to, "Termination", ONE_OF(ends));
        if (random_below(8) == 0)
            list_word(to, "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7");
        else
            list_format(to, "\n%s", ONE_OF(lines));
        list_format(to, " %s\n\n", random_below(2) ? "*" : "1-0");
    }
}

void for_each_game(const char *text, size_t size, void (*visit)(void *context, const stamma_archive_game *game),
                   void *context)
{
    stamma_archive_counts counts;
    listing archive = pack(text, size, &counts);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
    assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
    for (;;) {
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        if (!game)
            break;
        visit(context, game);
    }
    close_reader(reader);
    free(archive.text);
}
