/* SPDX-License-Identifier: MIT */
/* Opening books in Polyglot's format. A hash table contains the moves played in each position after a given position.
 * Its keys are the position's Polyglot key and the move. */
#include "answers/answers.h"

#include <stdlib.h>

enum { BOOK_PLIES_MAX = 1024, ENTRY_SIZE = 16, WEIGHT_MAX = 65535, SLOTS_LEAST = 1 << 10 };

typedef struct book_move {
    uint64_t key;
    uint64_t games;
    uint64_t half_points; /* of the side to move */
    uint16_t move;        /* in Polyglot's encoding */
} book_move;

struct stamma_book {
    stamma_allocator allocator;
    stamma_position position;
    unsigned plies;
    buffer moves;    /* book_move[] */
    uint32_t *slots; /* indices of moves plus 1, by hash; 0: free; at most half are used */
    size_t slot_count;
    hash_key hash;
};

/* ---- opening and closing ---- */

stamma_error stamma_book_open(const stamma_position *position, unsigned plies, const stamma_allocator *given,
                              stamma_book **book)
{
    if (!position || !book || !allocator_is_given(given))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_book *b = (stamma_book *)memory_allocate(&allocator, sizeof *b);
    if (!b)
        return STAMMA_ERROR_NO_MEMORY;
    memset(b, 0, sizeof *b);
    b->allocator = allocator;
    b->position = *position;
    b->plies = plies < BOOK_PLIES_MAX ? plies : BOOK_PLIES_MAX;
    b->moves.allocator = &b->allocator;
    b->hash = stamma_hash_key_new(b);
    *book = b;
    return STAMMA_OK;
}

stamma_error stamma_book_open_like(const stamma_book *other, const stamma_allocator *allocator, stamma_book **book)
{
    return stamma_book_open(&other->position, other->plies, allocator, book);
}

void stamma_book_close(stamma_book *b)
{
    if (!b)
        return;
    stamma_allocator allocator = b->allocator;
    stamma_buffer_release(&b->moves);
    memory_release(&allocator, b->slots);
    memory_release(&allocator, b);
}

/* ---- the table ---- */

static book_move *move_list(const stamma_book *b)
{
    return (book_move *)(void *)b->moves.data;
}

static size_t move_count(const stamma_book *b)
{
    return b->moves.size / sizeof(book_move);
}

/* Returns the slot of a move, or the free slot where it belongs. */
static uint32_t *find_slot(const stamma_book *b, uint64_t key, uint16_t move)
{
    uint8_t bytes[10];
    store_u64(bytes, key);
    store_u16(bytes + 8, move);
    size_t mask = b->slot_count - 1, slot = (size_t)stamma_hash(&b->hash, bytes, sizeof bytes) & mask;
    for (; b->slots[slot] != 0; slot = (slot + 1) & mask) {
        const book_move *m = &move_list(b)[b->slots[slot] - 1];
        if (m->key == key && m->move == move)
            break;
    }
    return &b->slots[slot];
}

static bool grow(stamma_book *b)
{
    size_t count = b->slot_count == 0 ? SLOTS_LEAST : size_multiply(b->slot_count, 2);
    if (count / 2 > UINT32_MAX - 1)
        return false;
    uint32_t *slots = (uint32_t *)memory_resize(&b->allocator, b->slots, size_multiply(count, sizeof *slots));
    if (!slots)
        return false;
    memset(slots, 0, count * sizeof *slots);
    b->slots = slots;
    b->slot_count = count;
    for (size_t n = 0; n < move_count(b); n++)
        *find_slot(b, move_list(b)[n].key, move_list(b)[n].move) = (uint32_t)(n + 1);
    return true;
}

static bool add_move(stamma_book *b, const book_move *more)
{
    if (2 * (move_count(b) + 1) > b->slot_count && !grow(b))
        return false;
    uint32_t *slot = find_slot(b, more->key, more->move);
    if (*slot == 0) {
        if (!buffer_reserve(&b->moves, sizeof *more))
            return false;
        buffer_add(&b->moves, more, sizeof *more);
        *slot = (uint32_t)move_count(b);
        return true;
    }
    book_move *m = &move_list(b)[*slot - 1];
    m->games += more->games;
    m->half_points += more->half_points;
    return true;
}

/* ---- games ---- */

/* Encodes a move. Bits 0 to 5: target square; 6 to 11: source square, both as file + 8 * rank; 12 to 14: piece type of
 * a promotion, with 1 for a knight. */
static uint16_t polyglot_move(const stamma_position *p, stamma_move move)
{
    unsigned to = stamma_move_to(move), promotion = 0;
    if (stamma_move_is_castling(move))
        to = p->castling[p->side][castling_side(move)];
    if (stamma_move_is_promotion(move))
        promotion = (unsigned)stamma_move_promotion(move) - STAMMA_PAWN;
    return (uint16_t)((to & 63) | (unsigned)stamma_move_from(move) << 6 | promotion << 12);
}

static unsigned half_points(stamma_result result, unsigned side)
{
    if (result == STAMMA_RESULT_DRAW)
        return 1;
    return result == (side == STAMMA_WHITE ? STAMMA_RESULT_WHITE : STAMMA_RESULT_BLACK) ? 2 : 0;
}

static bool is_known(const uint64_t *keys, size_t count, uint64_t key)
{
    for (size_t n = 0; n < count; n++)
        if (keys[n] == key)
            return true;
    return false;
}

stamma_error stamma_book_add(stamma_book *b, const stamma_archive_game *game)
{
    if (!b || !game || (game->ply_count > 0 && !game->moves && !game->continuation))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_position p;
    uint64_t keys[BOOK_PLIES_MAX];
    size_t first = game->continuation ? SIZE_MAX : stamma_game_find_position(game, &b->position, &p);
    if (first == SIZE_MAX)
        return STAMMA_OK;
    stamma_result result = stamma_game_summary_of(game).result;
    for (size_t n = 0; n < b->plies && first + n < game->ply_count; n++) {
        stamma_move move = game->moves[first + n];
        if (move == STAMMA_MOVE_NULL)
            break;
        keys[n] = stamma_position_polyglot_key(&p);
        const book_move added = {keys[n], 1, half_points(result, p.side), polyglot_move(&p, move)};
        if (!is_known(keys, n, keys[n]) && !add_move(b, &added))
            return STAMMA_ERROR_NO_MEMORY;
        stamma_position_make(&p, move, &p);
    }
    return STAMMA_OK;
}

stamma_error stamma_book_merge(stamma_book *into, const stamma_book *other)
{
    if (!into || !other || into == other || into->plies != other->plies ||
        !stamma_position_equal(&into->position, &other->position))
        return STAMMA_ERROR_BAD_ARGUMENT;
    for (size_t n = 0; n < move_count(other); n++)
        if (!add_move(into, &move_list(other)[n]))
            return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

/* ---- writing ---- */

static int compare(const void *first, const void *second)
{
    const book_move *a = *(const book_move *const *)first, *b = *(const book_move *const *)second;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->half_points != b->half_points)
        return a->half_points > b->half_points ? -1 : 1;
    return (a->move > b->move) - (a->move < b->move);
}

static void store_big_endian(uint8_t *at, uint64_t value, size_t size)
{
    for (size_t n = size; n > 0; n--, value >>= 8)
        at[n - 1] = (uint8_t)value;
}

/* Returns the weight of a move. `most` is the maximum of half points of a move in its position. */
static uint64_t weight_of(const book_move *m, uint64_t most)
{
    if (most <= WEIGHT_MAX || m->half_points == 0)
        return m->half_points;
    uint64_t weight = m->half_points * WEIGHT_MAX / most; /* no overflow below 2^47 games */
    return weight < 1 ? 1 : weight;
}

static bool write_position(const book_move *const *moves, size_t count, const stamma_output *output)
{
    for (size_t n = 0; n < count; n++) {
        uint8_t entry[ENTRY_SIZE] = {0};
        store_big_endian(entry, moves[n]->key, 8);
        store_big_endian(entry + 8, moves[n]->move, 2);
        store_big_endian(entry + 10, weight_of(moves[n], moves[0]->half_points), 2);
        if (!output->write(output->context, entry, sizeof entry))
            return false;
    }
    return true;
}

static stamma_error write_all(const book_move *const *moves, size_t count, uint64_t least, const stamma_output *output,
                              uint64_t *entries)
{
    size_t end;
    *entries = 0;
    for (size_t begin = 0; begin < count; begin = end) {
        uint64_t games = 0;
        for (end = begin; end < count && moves[end]->key == moves[begin]->key; end++)
            games += moves[end]->games;
        if (games < least)
            continue;
        *entries += end - begin;
        if (!write_position(moves + begin, end - begin, output))
            return STAMMA_ERROR_IO;
    }
    return STAMMA_OK;
}

stamma_error stamma_book_write(const stamma_book *b, uint64_t games, const stamma_output *output, uint64_t *entries)
{
    if (!b || !output_is_given(output))
        return STAMMA_ERROR_BAD_ARGUMENT;
    size_t count = move_count(b);
    uint64_t written;
    const book_move **sorted =
        (const book_move **)memory_allocate(&b->allocator, size_multiply(count + 1, sizeof *sorted));
    if (!sorted)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count; n++)
        sorted[n] = &move_list(b)[n];
    qsort(sorted, count, sizeof *sorted, compare);
    stamma_error error = write_all(sorted, count, games, output, &written);
    memory_release(&b->allocator, sorted);
    if (error == STAMMA_OK && entries)
        *entries = written;
    return error;
}
