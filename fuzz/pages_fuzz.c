/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading files of pages. All checksums are recomputed, so that the code after these checks is reached.
 * The moves that an answer contains are followed. The answers are not checked: a wrong file with correct checksums may
 * lead to wrong answers. But an answer adds up, and after an error the tree is unchanged. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "large_blocks.h"
#include "mutators.h"
#include "stamma.h"
#include "target.h"

enum { HEADER = 4096, CHECK = 4, AT_BUCKETS = 56, AT_TABLE_CHECK = 80, DEPTH = 12 };

/* A question plays the moves of at most three places, of which each byte has up to eight moves. */
const work_limit fuzz_limit = {.fixed = 4000000, .per_byte = 400000};

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static bool read_file(void *context, uint64_t offset, void *bytes, size_t size)
{
    const input *in = context;
    demand(offset <= in->size && size <= in->size - offset);
    if (size > 0)
        memcpy(bytes, in->data + offset, size);
    return true;
}

/* ---- questions ---- */

/* Returns whether the sums of the moves fit those of the position. */
static bool adds_up(const stamma_tree *tree)
{
    const stamma_tree_counts total = stamma_tree_total(tree);
    uint64_t games = 0;
    for (size_t n = 0; n < stamma_tree_move_count(tree); n++) {
        const stamma_tree_move *m = stamma_tree_move_at(tree, n);
        if (!stamma_move_is_legal(stamma_tree_position(tree), m->move) && m->move != STAMMA_MOVE_NULL)
            return false;
        games += m->counts.games;
    }
    return games <= total.games && total.white_wins + total.draws + total.black_wins <= total.games;
}

/* Asks about a position, and stores a move that was played there. */
static bool ask(stamma_pages *pages, const stamma_position *line, size_t ply, stamma_move *move)
{
    stamma_tree *tree;
    bool found;
    demand(stamma_tree_open(&line[ply], NULL, &tree) == STAMMA_OK);
    const stamma_error error = stamma_tree_add_pages(tree, stamma_text_of("a"), pages, line, ply, &found);
    demand(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
    demand(found ? error == STAMMA_OK && adds_up(tree) : stamma_tree_total(tree).games == 0);
    const size_t moves = stamma_tree_move_count(tree);
    if (moves > 0)
        *move = stamma_tree_move_at(tree, moves - 1 - (ply & 1) * (moves - 1))->move; /* the rarest, or the first */
    stamma_tree_close(tree);
    return moves > 0;
}

static void check(const uint8_t *data, size_t size)
{
    input in = {data, size};
    stamma_bytes bytes = {.size = size, .context = &in, .read_at = read_file};
    stamma_position line[DEPTH + 1] = {stamma_position_start()};
    stamma_pages *pages;
    bytes.memory = size & 1 ? data : NULL;
    if (stamma_pages_open(&bytes, NULL, large_blocks_kept(), &pages) != STAMMA_OK)
        return;
    for (size_t ply = 0; ply < DEPTH; ply++) {
        stamma_move move;
        limit_work(fuzz_limit.fixed + fuzz_limit.per_byte * size);
        if (!ask(pages, line, ply, &move))
            break;
        stamma_position_make(&line[ply], move, &line[ply + 1]);
    }
    stamma_pages_close(pages);
}

/* ---- checksums ---- */

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static size_t get(const uint8_t *at, unsigned bytes)
{
    size_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static void seal(uint8_t *bytes, size_t size)
{
    put(bytes + size - CHECK, XXH64(bytes, size - CHECK, 0), CHECK);
}

/* Recomputes the checksums of the buckets, the units, the sizes and the header. */
static void restore(uint8_t *data, size_t size)
{
    const size_t buckets = size >= HEADER ? get(data + AT_BUCKETS, 4) : 0, sizes = 2 * buckets;
    size_t at = HEADER + sizes;
    if (size < HEADER || buckets > size / 2 || sizes > size - HEADER)
        return;
    for (size_t n = 0; n < buckets; n++) {
        const size_t part = get(data + HEADER + 2 * n, 2);
        if (part < CHECK || part > size - at)
            return;
        seal(data + at, part);
        at += part;
    }
    for (at = (at + HEADER - 1) / HEADER * HEADER; at + HEADER <= size; at += HEADER)
        seal(data + at, HEADER);
    put(data + AT_TABLE_CHECK, XXH64(data + HEADER, sizes, 0), CHECK);
    seal(data, HEADER);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    check_restored(data, size, restore, check);
}

/* Changes a few bytes in place, mostly after the header, because a file of another size is never opened. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    enum { PART = 16 };
    uint64_t state = draw_from(seed);
    if (size <= HEADER || draw_below(&state, 16) == 0)
        return LLVMFuzzerMutate(data, size, room);
    const size_t first = draw_below(&state, 4) == 0 ? 0 : HEADER, at = first + draw_below(&state, size - first);
    const size_t part = size - at < PART ? size - at : PART;
    (void)LLVMFuzzerMutate(data + at, part, part);
    restore(data, size);
    return size;
}
