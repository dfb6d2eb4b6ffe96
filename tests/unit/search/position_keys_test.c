/* SPDX-License-Identifier: MIT */
/* Tests the keys of a block's positions: every game is in the list of each structure that it reaches after its shared
 * beginning, and lists are short. If a code cannot be played, there are no keys. Games are random; their positions are
 * computed by making legal moves one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prefix_strings.h"
#include "sample_positions.h"
#include "search/position_keys.h"

enum { GAMES = 400, PLIES = 90, SHARED = 6 };

typedef struct block {
    sample_strings strings;
    stamma_position *positions; /* of game n from n * (PLIES + 1) on */
    buffer stored;
    byte_packer coder;
    prefix_column column;
    position_keys keys;
    uint8_t wanted[GAMES];
} block;

/* The first moves are chosen from few, so that games share beginnings. */
static size_t play(stamma_position *positions, uint8_t *codes, uint64_t *random)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t plies = random_next(random) % (PLIES + 1), n;
    positions[0] = stamma_position_start();
    for (n = 0; n < plies; n++) {
        size_t count = stamma_legal_moves(&positions[n], moves);
        if (count == 0)
            break;
        stamma_move move = moves[random_next(random) % (n < SHARED && count > 2 ? 2 : count)];
        assert_int_equal(stamma_byte_encode(&positions[n], move, &codes[n]), STAMMA_OK);
        stamma_position_make(&positions[n], move, &positions[n + 1]);
    }
    return n;
}

static stamma_error make_keys(block *b)
{
    const keyed_games games = {&b->column, b->stored.data, b->wanted, GAMES};
    return stamma_position_keys_make(&b->keys, &games);
}

static void store(block *b)
{
    const prefix_strings *s = &b->strings.strings;
    b->stored.size = 0;
    assert_int_equal(stamma_prefix_column_write(&b->coder, s, &b->stored), STAMMA_OK);
    assert_int_equal(stamma_prefix_column_open(&b->column, &b->coder, buffer_cursor(&b->stored), b->strings.codes.size,
                                               s->sizes, s->count),
                     STAMMA_OK);
}

static void init(block *b)
{
    memset(b, 0, sizeof *b);
    sample_strings_init(&b->strings, 1);
    b->stored.allocator = &b->strings.allocator;
    stamma_prefix_column_init(&b->column, &b->strings.allocator);
    stamma_position_keys_init(&b->keys, &b->strings.allocator);
    memset(b->wanted, 1, sizeof b->wanted);
}

static int set_up(void **state)
{
    uint64_t random = 21;
    block *b = malloc(sizeof *b);
    assert_non_null(b);
    init(b);
    b->positions = calloc(GAMES * (PLIES + 1), sizeof *b->positions);
    assert_non_null(b->positions);
    for (size_t n = 0; n < GAMES; n++) {
        uint8_t codes[PLIES];
        size_t plies = play(b->positions + n * (PLIES + 1), codes, &random);
        sample_strings_add(&b->strings, codes, plies, n % 50 == 0);
    }
    store(b);
    *state = b;
    return 0;
}

static void release(block *b)
{
    stamma_position_keys_release(&b->keys);
    stamma_prefix_column_release(&b->column);
    stamma_byte_packer_release(&b->coder);
    stamma_buffer_release(&b->stored);
    sample_strings_release(&b->strings);
    free(b->positions);
}

static int tear_down(void **state)
{
    release(*state);
    free(*state);
    return 0;
}

static bool is_listed(const block *b, const stamma_position *p, size_t game, size_t *count)
{
    const uint16_t *list = stamma_position_keys_list(&b->keys, structure_key(p->by_color, p->by_type), count);
    for (size_t n = 1; n < *count; n++)
        assert_true(list[n - 1] <= list[n]);
    for (size_t n = 0; n < *count; n++)
        if (list[n] == game)
            return true;
    return false;
}

static void each_game_is_listed(void **state)
{
    block *b = *state;
    size_t shared = 0, longest = 0, sum = 0, positions = 0, count;
    memset(b->wanted, 1, sizeof b->wanted);
    assert_int_equal(make_keys(b), STAMMA_OK);
    assert_true(b->keys.ready);
    for (size_t n = 0; n < GAMES; n++) {
        const stamma_position *own = b->positions + n * (PLIES + 1);
        const prefix_record *r = &prefix_records(&b->column)[n];
        size_t depth = prefix_nodes(&b->column)[r->node].depth;
        assert_int_equal(position_keys_nodes(&b->keys)[r->node],
                         placement_key(own[depth].by_color, own[depth].by_type, own[depth].side));
        shared += depth > 0;
        for (size_t ply = depth + 1; ply <= depth + r->size; ply++, positions++) {
            assert_true(is_listed(b, &own[ply], n, &count));
            longest = count > longest ? count : longest;
            sum += count;
        }
    }
    assert_true(shared > GAMES / 2);
    assert_true(longest < GAMES && sum < positions * GAMES / 4); /* otherwise lists would be useless */
}

static void others_are_passed_over(void **state)
{
    block *b = *state;
    size_t count;
    for (size_t n = 0; n < GAMES; n++)
        b->wanted[n] = n % 3 != 0;
    assert_int_equal(make_keys(b), STAMMA_OK);
    for (size_t n = 0; n < GAMES; n += 3)
        for (size_t ply = 0; ply < PLIES; ply++)
            assert_false(is_listed(b, b->positions + n * (PLIES + 1) + ply, n, &count));
}

/* One invalid code, in a requested game and in a game that is not requested. */
static void codes_that_are_no_moves(void **state)
{
    block b;
    uint8_t codes[4] = {0, 0, 0, 254};
    (void)state;
    init(&b);
    for (size_t n = 0; n < GAMES; n++)
        sample_strings_add(&b.strings, codes, n == 7 ? 4 : 0, false);
    store(&b);
    assert_int_equal(make_keys(&b), STAMMA_OK);
    assert_false(b.keys.ready);
    b.wanted[7] = 0;
    assert_int_equal(make_keys(&b), STAMMA_OK);
    assert_true(b.keys.ready);
    release(&b);
}

/* Beginnings of knight moves back and forth. */
static void long_beginnings(void **state)
{
    static const unsigned lengths[] = {255, 256};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        block b;
        uint8_t codes[256];
        stamma_position p = stamma_position_start();
        stamma_move go[4] = {stamma_move_make(6, 21, 0), stamma_move_make(62, 45, 0), stamma_move_make(21, 6, 0),
                             stamma_move_make(45, 62, 0)};
        init(&b);
        for (unsigned n = 0; n < lengths[k]; n++) {
            assert_int_equal(stamma_byte_encode(&p, go[n % 4], &codes[n]), STAMMA_OK);
            stamma_position_make(&p, go[n % 4], &p);
        }
        for (size_t n = 0; n < GAMES; n++)
            sample_strings_add(&b.strings, codes, lengths[k], false);
        store(&b);
        assert_int_equal(make_keys(&b), STAMMA_OK);
        assert_int_equal(b.keys.ready, lengths[k] < 256);
        release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_game_is_listed),
        cmocka_unit_test(others_are_passed_over),
        cmocka_unit_test(codes_that_are_no_moves),
        cmocka_unit_test(long_beginnings),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
