/* SPDX-License-Identifier: MIT */
/* Tests every position encoding on the positions of real games.
 *
 * STAMMA_POSITIONS_GAMES: the number of games of each corpus (default 25; `make check-long`: 20,000). 0: all games. */
#define _POSIX_C_SOURCE 200809L
#include "position_laws.h"

#include "encodings/position_codes.h"

/* The corpora of ../shared. */
static const char *const corpora[] = {"annotated_dev", "chess960_dev", "chesscom_dev",  "engine2_dev",
                                      "engine_dev",    "lichess_dev",  "otb_dev",       "chesscom_train",
                                      "engine2_train", "engine_train", "lichess_train", "otb_train"};
enum { CORPORA = sizeof corpora / sizeof *corpora };

static const struct {
    const char *name;
    unsigned bits_max; /* for positions of games */
} codecs[] = {
    {"fen", 8 * 103},       {"stream", 272},           {"huffman", 204},
    {"huffman-gaps", 192},  {"huffman-gaps-key", 192}, {"huffman-tables", 211},
    {"kings-castling", 12}, {"packed", 189},           {"position-number", 160},
};

/* Returns whether a position is an initial position of chess or Chess960. Only then are all positions of the game
 * reachable and have numbers. */
static bool is_start(const stamma_position *position)
{
    for (unsigned number = 0; number < 960; number++) {
        stamma_position start;
        assert_int_equal(stamma_position_chess960(number, &start), STAMMA_OK);
        if (memcmp(start.by_type, position->by_type, sizeof start.by_type) == 0 &&
            memcmp(start.by_color, position->by_color, sizeof start.by_color) == 0)
            return true;
    }
    return false;
}

static bool is_set_up(const stamma_pgn_event *event)
{
    stamma_position position;
    stamma_error error = stamma_fen_read(event->value, &position, NULL, NULL);
    return error == STAMMA_OK && !is_start(&position);
}

/* Asserts that all encodings support a position. Exceptions: castling rights that are impossible in standard chess (a
 * set-up of annotated_dev has a king on g8 and a right with a8), and, for position-number, unreachable positions (a
 * game of lichess_train begins with seven bishops per side). */
static void check(const stamma_position *position, bool set_up)
{
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++) {
        const stamma_position_codec *codec = position_codec(codecs[n].name);
        unsigned bits = law_round_trip(codec, position);
        bool able =
            strcmp(codecs[n].name, "packed") == 0 || (strcmp(codecs[n].name, "position-number") == 0 && !set_up);
        if (bits == 0 &&
            (able || (strcmp(codecs[n].name, "position-number") != 0 && stamma_castling_is_standard(position))))
            fail_at(codec, position, "no code");
        if (bits > codecs[n].bits_max)
            fail_at(codec, position, "too many bits");
    }
}

static unsigned long check_games(FILE *file, unsigned long games)
{
    stamma_input input = {.context = file, .read = read_pipe};
    stamma_pgn_reader *reader;
    stamma_pgn_event event = {0};
    unsigned long game = 0, positions = 0;
    bool set_up = false;
    assert_int_equal(stamma_pgn_reader_open(&input, NULL, &reader), STAMMA_OK);
    while (stamma_pgn_reader_next(reader, &event) == STAMMA_OK && event.kind != STAMMA_PGN_END) {
        if (event.kind == STAMMA_PGN_GAME_END && ++game == games)
            break;
        if (event.kind == STAMMA_PGN_GAME_END)
            set_up = false;
        if (event.kind == STAMMA_PGN_TAG && event.text.size == 3 && memcmp(event.text.data, "FEN", 3) == 0)
            set_up = is_set_up(&event);
        if (event.kind != STAMMA_PGN_MOVE || event.error != STAMMA_OK || !stamma_pgn_reader_position(reader))
            continue;
        check(stamma_pgn_reader_position(reader), set_up);
        positions++;
    }
    stamma_pgn_reader_close(reader);
    return positions;
}

static void real_games(void **state)
{
    (void)state;
    const char *shared = getenv("SHARED"), *wanted = getenv("STAMMA_POSITIONS_GAMES");
    unsigned long games = wanted ? strtoul(wanted, NULL, 10) : 25, total = 0;
    for (size_t n = 0; n < CORPORA; n++) {
        char command[512];
        snprintf(command, sizeof command, "zstd -dcq --long=27 '%s/corpora/%s.pgn.zst' 2>/dev/null",
                 shared ? shared : "../shared", corpora[n]);
        FILE *file = popen(command, "r");
        assert_non_null(file);
        unsigned long positions = check_games(file, games);
        pclose(file);
        print_message("%s: %lu positions\n", corpora[n], positions);
        total += positions;
    }
    if (total == 0) {
        print_message("../shared/corpora or the zstd program is not there\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
