/* SPDX-License-Identifier: MIT */
/* Compares all board representations with each other, with the bitboard generator and with published numbers. Uses
 * the perft suites of ../shared to a common depth. Plays random games, standard and Chess960, to their end and
 * unmakes them.
 *
 * STAMMA_BOARDS_NODES: leaves per position of the suites and representation (default 5000). STAMMA_BOARDS_GAMES:
 * number of games (default 200). `make check-long` raises both. */
#include <inttypes.h>

#include "board_laws.h"

enum { BOARDS_MAX = 16, PLIES_MAX = 700 };

static unsigned long number_from(const char *variable, unsigned long otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

/* ---- perft suites ---- */

typedef struct suite_position {
    char fen[128];
    unsigned depth; /* the largest depth within the budget, and its number of leaves */
    uint64_t nodes;
} suite_position;

static void check_perft(const suite_position *known, unsigned *positions, uint64_t *nodes)
{
    stamma_position position;
    if (known->depth == 0 || stamma_fen_read(text_of(known->fen), &position, NULL, NULL) != STAMMA_OK)
        return; /* unreachable set-ups; fen_test.c tests the rejected set-ups */
    for (size_t n = 0; stamma_board_at(n); n++) {
        const stamma_board *board = stamma_board_at(n);
        stamma_board_state state;
        assert_int_equal(board->set_up(&position, &state), STAMMA_OK);
        uint64_t counted = stamma_board_perft(board, &state, known->depth);
        if (counted != known->nodes)
            fail_msg("%s: %s: depth %u: %" PRIu64 ", not %" PRIu64, board->name, known->fen, known->depth, counted,
                     known->nodes);
        *nodes += counted;
    }
    ++*positions;
}

/* A line `epd` begins a position; lines `perft DEPTH NODES` follow. */
static void check_suite(const char *name)
{
    const char *shared = getenv("SHARED");
    char path[512], line[256];
    snprintf(path, sizeof path, "%s/perft/%s", shared ? shared : "../shared", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("%s is not there\n", path);
        skip();
    }
    suite_position known = {"", 0, 0};
    unsigned positions = 0, depth;
    uint64_t total = 0, nodes, budget = number_from("STAMMA_BOARDS_NODES", 2000);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "epd ", 4) == 0) {
            check_perft(&known, &positions, &total);
            known.depth = 0;
            sscanf(line, "epd %127[^\r\n]", known.fen);
        } else if (sscanf(line, "perft %u %" SCNu64, &depth, &nodes) == 2 && depth > known.depth &&
                   (depth == 1 || nodes <= budget)) {
            known.depth = depth;
            known.nodes = nodes;
        }
    }
    check_perft(&known, &positions, &total);
    fclose(file);
    print_message("%s: %u positions, %" PRIu64 " leaves\n", name, positions, total);
    assert_true(positions > 20);
}

static void perft_tricky(void **state)
{
    (void)state;
    check_suite("tricky.perft");
}

static void perft_chess960(void **state)
{
    (void)state;
    check_suite("chess960.perft");
}

static void perft_random(void **state)
{
    (void)state;
    check_suite("random.perft");
}

/* ---- games ---- */

/* A game that is played in all representations at once. */
typedef struct match {
    size_t boards;
    stamma_board_state first[BOARDS_MAX], now[BOARDS_MAX];
    stamma_board_undo undo[BOARDS_MAX][PLIES_MAX];
    stamma_position position;
    stamma_move moves[PLIES_MAX];
    unsigned plies;
} match;

static void begin(match *m, const stamma_position *start)
{
    memset(m, 0, sizeof *m);
    m->position = *start;
    for (m->boards = 0; stamma_board_at(m->boards); m->boards++)
        assert_int_equal(stamma_board_at(m->boards)->set_up(start, &m->now[m->boards]), STAMMA_OK);
    memcpy(m->first, m->now, sizeof m->first);
}

/* Chooses a random move, preferring rare kinds of moves. */
static stamma_move choose(const stamma_move *moves, size_t count, uint64_t *random)
{
    for (size_t n = 0; n < count; n++)
        if ((stamma_move_is_castling(moves[n]) || stamma_move_flags(moves[n]) == STAMMA_FLAG_EN_PASSANT) &&
            random_next(random) % 2)
            return moves[n];
    return moves[random_next(random) % count];
}

/* Plays one ply. Returns false if the game is over: mate, stalemate, or insufficient material. */
static bool play_ply(match *m, uint64_t *random)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = 0;
    for (size_t n = 0; n < m->boards; n++)
        count = law_same_moves(stamma_board_at(n), &m->now[n], &m->position, moves);
    if (count == 0 || m->plies == PLIES_MAX || stamma_position_is_insufficient(&m->position))
        return false;
    stamma_move move = choose(moves, count, random);
    for (size_t n = 0; n < m->boards; n++)
        stamma_board_at(n)->make(&m->now[n], move, &m->undo[n][m->plies]);
    stamma_position_make(&m->position, move, &m->position);
    m->moves[m->plies++] = move;
    return true;
}

static void take_back(match *m)
{
    for (size_t n = 0; n < m->boards; n++) {
        for (unsigned ply = m->plies; ply-- > 0;)
            stamma_board_at(n)->unmake(&m->now[n], m->moves[ply], &m->undo[n][ply]);
        if (memcmp(&m->now[n], &m->first[n], sizeof m->now[n]) != 0)
            fail_msg("%s: a game taken back does not end where it began", stamma_board_at(n)->name);
    }
}

/* Every other game is Chess960. */
static void random_games(void **state)
{
    (void)state;
    static match m;
    uint64_t random = 1744; /* the year of Stamma's book */
    unsigned long games = number_from("STAMMA_BOARDS_GAMES", 100), plies = 0, castlings = 0, promotions = 0, passed = 0;
    for (unsigned long game = 0; game < games; game++) {
        stamma_position start;
        stamma_position_chess960(game % 2 ? (unsigned)(random_next(&random) % 960) : 518, &start);
        begin(&m, &start);
        while (play_ply(&m, &random))
            ;
        for (unsigned ply = 0; ply < m.plies; ply++) {
            castlings += stamma_move_is_castling(m.moves[ply]);
            promotions += stamma_move_is_promotion(m.moves[ply]);
            passed += stamma_move_flags(m.moves[ply]) == STAMMA_FLAG_EN_PASSANT;
        }
        plies += m.plies;
        take_back(&m);
    }
    print_message("%lu games, %lu plies, of them %lu castlings, %lu promotions, %lu en passant\n", games, plies,
                  castlings, promotions, passed);
    assert_true(castlings > 0 && promotions > 0 && passed > 0);
}

/* Random walks from positions in which rare rules matter. */
static void random_walks(void **state)
{
    (void)state;
    static match m;
    uint64_t random = 88;
    for (unsigned walk = 0; walk < 20 * SAMPLE_STARTS; walk++) {
        stamma_position start = position_of_fen(sample_starts[walk % SAMPLE_STARTS]);
        begin(&m, &start);
        while (m.plies < 16 && play_ply(&m, &random))
            ;
        take_back(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perft_tricky), cmocka_unit_test(perft_chess960), cmocka_unit_test(perft_random),
        cmocka_unit_test(random_games), cmocka_unit_test(random_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
