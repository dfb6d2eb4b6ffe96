/* SPDX-License-Identifier: MIT */
/* Tests the opening of a game (doc/format/archive.md, Annex B). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codec/codec.h"
#include "notation/notation.h"
#include "openings/openings.h"
#include "pgn_support.h"

enum { MOVES_MAX = 64 };

/* Plays a line in SAN. Stores the moves and the position after them. Returns the number of moves. */
static size_t play(const char *sans, stamma_move moves[MOVES_MAX], stamma_position *p)
{
    size_t count = 0;
    *p = stamma_position_start();
    while (*sans) {
        size_t size = strcspn(sans, " ");
        assert_int_equal(stamma_san_read(p, (stamma_text){sans, size}, &moves[count]), STAMMA_OK);
        stamma_position_make(p, moves[count++], p);
        sans += size + (sans[size] == ' ');
    }
    return count;
}

static void expect(const char *sans, const char *code, const char *name)
{
    stamma_move moves[MOVES_MAX];
    stamma_position end;
    unsigned number = stamma_opening_find(moves, play(sans, moves, &end));
    if (!code) {
        assert_int_equal(number, 0);
        return;
    }
    assert_in_range(number, 1, OPENINGS);
    stamma_text found = stamma_opening_code(number), called = stamma_opening_name(number);
    assert_int_equal(found.size, strlen(code));
    assert_memory_equal(found.data, code, found.size);
    assert_int_equal(called.size, strlen(name));
    assert_memory_equal(called.data, name, called.size);
}

static void names_of_lines(void **state)
{
    (void)state;
    expect("", NULL, NULL);
    expect("e4", "B00", "King's Pawn Game");
    expect("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O", "C65", "Ruy Lopez: Berlin Defense"); /* castling is beyond the table */
    expect("Nf3 Nc6 e4 e5 Bb5", "C60", "Ruy Lopez");                         /* another order of moves */
    expect("e4 c5 Nf3 d6 h4 h5 a4 a5", "B50", "Sicilian Defense: Modern Variations");
    expect("d4 Nf6 d5 e5 dxe6", "A45", "Indian Defense: Pawn Push Variation"); /* en passant is beyond the table */
    expect("e4 -- Nf3 --", "B00", "King's Pawn Game");
    expect("Nf3 -- Ng1 --", "A04", "Zukertort Opening");
}

/* Asserts the code and the opening of a game of 1. e4 with these tags, and whether both are derived. */
static void expect_of_game(const char *code, const char *name, const char *stated, bool derived)
{
    const stamma_move e4 = stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH);
    const stamma_tag tags[] = {{stamma_text_of("ECO"), stamma_text_of(stated)},
                               {stamma_text_of("Opening"), stamma_text_of(stated)}};
    const stamma_archive_game game = {
        .tags = tags, .tag_count = stated ? 2 : 0, .start = stamma_position_start(), .moves = &e4, .ply_count = 1};
    bool eco_derived = !derived, derived_too = !derived;
    stamma_text eco = stamma_archive_game_eco(&game, &eco_derived);
    stamma_text opening = stamma_archive_game_opening(&game, &derived_too);
    assert_true(text_equal(eco, stamma_text_of(code)) && text_equal(opening, stamma_text_of(name)));
    assert_true(eco_derived == derived && derived_too == derived);
}

static void tags_of_games_precede(void **state)
{
    (void)state;
    expect_of_game("B00", "King's Pawn Game", NULL, true);
    expect_of_game("B00", "King's Pawn Game", "?", true);
    expect_of_game("B00", "King's Pawn Game", "", true);
    expect_of_game("E4", "E4", "E4", false);
    expect_of_game("x", "x", "x", false);
    stamma_archive_game game = {.start = stamma_position_start(), .no_start = true};
    bool derived = true;
    assert_null(stamma_archive_game_eco(&game, &derived).data);
    assert_false(derived);
    assert_null(stamma_archive_game_opening(NULL, NULL).data);
}

/* The position after 28 moves counts, the position after 29 moves does not. */
static void only_first_positions_count(void **state)
{
    (void)state;
    const char *shuffle =
        "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 "
        "Nf6 Ng1 Ng8 e4"; /* 29 moves */
    stamma_move moves[MOVES_MAX];
    stamma_position end;
    size_t count = play(shuffle, moves, &end);
    assert_int_equal(count, 29);
    unsigned later = stamma_opening_find(moves, count);
    assert_int_equal(stamma_opening_find(moves + 4, count - 4), stamma_opening_find(moves + 28, 1)); /* e4 */
    assert_int_not_equal(later, stamma_opening_find(moves + 28, 1));
    assert_int_equal(later, stamma_opening_find(moves, 28));
}

static unsigned number_of(const stamma_position *p)
{
    uint64_t key = p->key ^ castling_key(p);
    for (size_t n = 0; n < OPENINGS; n++)
        if (stamma_opening_keys[n] == key)
            return stamma_opening_numbers[n];
    return 0;
}

/* Chooses a legal move that leads to a position of the table, if there is one; occasionally any move. */
static stamma_move choose(const stamma_position *p)
{
    stamma_move legal[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(p, legal), first = (size_t)random_below(count);
    for (size_t n = 0, any = random_below(8) == 0; n < count && !any; n++) {
        stamma_position after;
        stamma_position_make(p, legal[(first + n) % count], &after);
        if (number_of(&after) != 0)
            return legal[(first + n) % count];
    }
    return legal[first];
}

/* The opening that is found without positions equals the opening that the game's positions determine. */
static void it_is_that_of_the_last_position(void **state)
{
    (void)state;
    unsigned deep = 0;
    for (unsigned game = 0; game < 300; game++) {
        stamma_position p = stamma_position_start();
        stamma_move moves[MOVES_MAX];
        unsigned last = 0;
        for (size_t ply = 0; ply < OPENING_PLIES && stamma_legal_moves_count(&p) > 0; ply++) {
            moves[ply] = choose(&p);
            stamma_position_make(&p, moves[ply], &p);
            unsigned number = number_of(&p);
            last = number ? number : last;
            deep += number && ply >= 3;
            assert_int_equal(stamma_opening_find(moves, ply + 1), last);
        }
    }
    assert_true(deep > 20);
}

/* ---- from codes ---- */

/* The number of openings after some plies; of captures; and of castlings, en passant captures, promotions and null
 * moves. */
static unsigned deep, captures, rare;

/* Chooses a move of a random game: often to an opening, otherwise occasionally a capture or a rare kind of move. */
static stamma_move choose_any(const stamma_position *p, unsigned game)
{
    stamma_move legal[STAMMA_MOVES_MAX], move = choose(p);
    size_t count = stamma_legal_moves(p, legal), first = (size_t)random_below(count);
    if (random_below(60) == 0 && !stamma_position_in_check(p))
        return STAMMA_MOVE_NULL;
    for (size_t n = 0; n < count && game % 4 > 0 && random_below(game % 4) > 0; n++) {
        stamma_move other = legal[(first + n) % count];
        bool special = stamma_move_is_castling(other) || stamma_move_is_promotion(other) ||
                       stamma_move_flags(other) == STAMMA_FLAG_EN_PASSANT;
        if (special || (game % 4 == 2 && stamma_move_is_capture(other)))
            return other;
    }
    return move;
}

static size_t play_random(unsigned game, uint8_t codes[MOVES_MAX], unsigned found[MOVES_MAX])
{
    stamma_position p = stamma_position_start();
    size_t ply = 0;
    for (unsigned last = 0; ply < OPENING_PLIES + 4 && stamma_legal_moves_count(&p) > 0; ply++) {
        stamma_move move = choose_any(&p, game);
        assert_int_equal(stamma_byte_encode(&p, move, &codes[ply]), STAMMA_OK);
        stamma_position_make(&p, move, &p);
        unsigned number = ply < OPENING_PLIES ? number_of(&p) : 0;
        last = number ? number : last;
        found[ply] = last;
        deep += number && ply >= 4;
        captures += stamma_move_is_capture(move);
        rare += stamma_move_is_castling(move) || stamma_move_is_promotion(move) || move == STAMMA_MOVE_NULL ||
                stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT;
    }
    return ply;
}

/* Finds the same openings from codes, for all beginnings of games in any order. State that is kept from one game must
 * not affect another game. */
static void it_is_found_from_codes(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    opening_finder finder;
    stamma_openings_init(&finder, &allocator);
    deep = captures = rare = 0;
    for (unsigned game = 0; game < 1000; game++) {
        uint8_t codes[MOVES_MAX];
        unsigned found[MOVES_MAX], number = OPENINGS + 1;
        size_t plies = play_random(game, codes, found);
        for (size_t step = 1 + (size_t)random_below(plies), count = plies; count > 0;
             count -= count < step ? count : step) {
            assert_int_equal(stamma_opening_of_codes(&finder, codes, count, &number), STAMMA_OK);
            assert_int_equal(number, found[count - 1]);
        }
    }
    assert_true(deep > 20 && captures > 1000 && rare > 300);
    stamma_openings_release(&finder);
}

/* A promoted piece may be on the square of an opening's piece. */
static void promotions_count(void **state)
{
    (void)state;
    static const char *const lines[] = {"h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8 h8=N",
                                        "h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8 hxg8=Q a6 e4"};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    opening_finder finder;
    stamma_openings_init(&finder, &allocator);
    for (size_t n = 0; n < 2; n++) {
        stamma_move moves[MOVES_MAX];
        uint8_t codes[MOVES_MAX];
        stamma_position p = stamma_position_start(), end;
        unsigned number = 0;
        size_t count = play(lines[n], moves, &end);
        for (size_t ply = 0; ply < count; ply++) {
            assert_int_equal(stamma_byte_encode(&p, moves[ply], &codes[ply]), STAMMA_OK);
            stamma_position_make(&p, moves[ply], &p);
        }
        assert_int_equal(stamma_opening_of_codes(&finder, codes, count, &number), STAMMA_OK);
        assert_int_not_equal(number, 0);
        assert_int_equal(number, stamma_opening_find(moves, count));
    }
    stamma_openings_release(&finder);
}

/* All codes after moves of the king or of a rook: castling is then corrupt. */
static void bad_castling(void **state)
{
    static const char *const lines[] = {"e4 e5 f4 exf4 Bc4 Qh4 Kf1 b5", "h4 h5 Rh3 Rh6", "a4 a5 Ra3 Ra6"};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    opening_finder finder;
    (void)state;
    stamma_openings_init(&finder, &allocator);
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        stamma_move moves[MOVES_MAX];
        uint8_t codes[MOVES_MAX];
        stamma_position p = stamma_position_start(), end;
        unsigned number = 0, corrupt = 0;
        const size_t count = play(lines[n], moves, &end);
        for (size_t ply = 0; ply < count; ply++) {
            assert_int_equal(stamma_byte_encode(&p, moves[ply], &codes[ply]), STAMMA_OK);
            stamma_position_make(&p, moves[ply], &p);
        }
        for (unsigned code = 0; code < 256; code++) {
            codes[count] = (uint8_t)code;
            const bool legal = stamma_byte_decode(&end, codes[count], &moves[count]) == STAMMA_OK;
            const stamma_error error = stamma_opening_of_codes(&finder, codes, count + 1, &number);
            assert_true(error == STAMMA_OK || (error == STAMMA_ERROR_CORRUPT && !legal));
            if (legal)
                assert_int_equal(number, stamma_opening_find(moves, count + 1));
            corrupt += error != STAMMA_OK;
        }
        assert_true(corrupt > 0);
    }
    stamma_openings_release(&finder);
}

/* Any bytes produce an opening or an error, and do not affect later results. */
static void bad_codes_do_no_harm(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    opening_finder finder;
    stamma_openings_init(&finder, &allocator);
    for (unsigned n = 0; n < 500; n++) {
        uint8_t codes[MOVES_MAX];
        unsigned found[MOVES_MAX], number;
        size_t plies = play_random(n, codes, found), from = (size_t)random_below(plies);
        for (size_t ply = from; ply < plies; ply++)
            codes[ply] = (uint8_t)random_below(202);
        stamma_error error = stamma_opening_of_codes(&finder, codes, plies, &number);
        assert_true(error == STAMMA_ERROR_CORRUPT || (error == STAMMA_OK && number <= OPENINGS));
        assert_int_equal(stamma_opening_of_codes(&finder, codes, from, &number), STAMMA_OK);
        assert_int_equal(number, from > 0 ? found[from - 1] : 0);
    }
    stamma_openings_release(&finder);
}

/* Keys ascend and are found through their buckets. Each number occurs once. Names are valid texts of tags. */
static void the_table_is_in_order(void **state)
{
    (void)state;
    bool seen[OPENINGS + 1] = {false};
    assert_int_equal(stamma_opening_buckets[0], 0);
    assert_int_equal(stamma_opening_buckets[OPENING_BUCKETS], OPENINGS);
    for (size_t n = 0; n < OPENINGS; n++) {
        uint64_t bucket = stamma_opening_keys[n] >> 52, first = stamma_opening_keys[n] >> (64 - OPENING_SEEN_BITS);
        assert_true(n == 0 || stamma_opening_keys[n - 1] < stamma_opening_keys[n]);
        assert_in_range(n, stamma_opening_buckets[bucket], stamma_opening_buckets[bucket + 1] - 1);
        assert_true(stamma_opening_seen[first >> 6] >> (first & 63) & 1);
        assert_in_range(stamma_opening_numbers[n], 1, OPENINGS);
        assert_false(seen[stamma_opening_numbers[n]]);
        seen[stamma_opening_numbers[n]] = true;
        stamma_text name = stamma_opening_name((unsigned)n + 1), code = stamma_opening_code((unsigned)n + 1);
        assert_true(name.size > 3 && !memchr(name.data, 0, name.size) && !memchr(name.data, '"', name.size));
        assert_true(code.data[0] >= 'A' && code.data[0] <= 'E');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_lines),
        cmocka_unit_test(tags_of_games_precede),
        cmocka_unit_test(only_first_positions_count),
        cmocka_unit_test(it_is_that_of_the_last_position),
        cmocka_unit_test(it_is_found_from_codes),
        cmocka_unit_test(promotions_count),
        cmocka_unit_test(bad_codes_do_no_harm),
        cmocka_unit_test(bad_castling),
        cmocka_unit_test(the_table_is_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
