/* SPDX-License-Identifier: MIT */
/* Lists of the games with an endgame. An endgame is the numbers of pieces of both sides, of which at most
 * ENDGAME_PIECES are knights, bishops, rooks and queens. */
#include "index/index.h"

/* ---- numbers of endgames ---- */

enum { KINDS = 8 }; /* knights, bishops, rooks and queens of both sides */

/* By number of kinds and of pieces: how many ways there are to have at most these pieces of these kinds. */
static const uint16_t ways[KINDS][ENDGAME_PIECES + 1] = {{1, 1, 1, 1, 1},     {1, 2, 3, 4, 5},     {1, 3, 6, 10, 15},
                                                         {1, 4, 10, 20, 35},  {1, 5, 15, 35, 70},  {1, 6, 21, 56, 126},
                                                         {1, 7, 28, 84, 210}, {1, 8, 36, 120, 330}};

uint32_t stamma_endgame_number(uint32_t material)
{
    unsigned left = ENDGAME_PIECES;
    uint32_t number = 0;
    for (unsigned kind = KINDS; kind-- > 0;)
        for (unsigned n = material >> (8 + 3 * kind) & 7; n > 0; n--)
            number += ways[kind][left--];
    return (number * ENDGAME_PAWNS + (material >> 4 & 15)) * ENDGAME_PAWNS + (material & 15);
}

uint32_t stamma_endgame_material(uint32_t number)
{
    const uint32_t pawns = number / ENDGAME_PAWNS % ENDGAME_PAWNS << 4 | number % ENDGAME_PAWNS;
    unsigned left = ENDGAME_PIECES;
    uint32_t material = 0;
    number /= ENDGAME_PAWNS * ENDGAME_PAWNS;
    for (unsigned kind = KINDS; kind-- > 0;) {
        uint32_t count = 0;
        for (; number >= ways[kind][left]; count++)
            number -= ways[kind][left--];
        material = material << 3 | count;
    }
    return material << 8 | pawns;
}

/* ---- reading ---- */

bool stamma_index_endgames_begin(index_file *x, const index_segment *s, index_endgames *e)
{
    const index_part *part = &s->parts[SECTION_ENDGAMES];
    const uint8_t *bytes = index_bytes(x, s, SECTION_ENDGAMES, 0, part->size);
    *e = (index_endgames){.file = x, .segment = s};
    if (bytes)
        e->in = (cursor){bytes, bytes + part->size, false};
    return bytes != NULL;
}

static bool is_valid(uint32_t material)
{
    unsigned pieces = 0;
    for (unsigned kind = 0; kind < KINDS; kind++)
        pieces += material >> (8 + 3 * kind) & 7;
    return pieces <= ENDGAME_PIECES && (material & 15) < ENDGAME_PAWNS && (material >> 4 & 15) < ENDGAME_PAWNS;
}

bool stamma_index_endgames_next(index_endgames *e)
{
    if (e->in.at == e->in.end)
        return false;
    const uint64_t more = stamma_cursor_varint(&e->in), size = stamma_cursor_varint(&e->in);
    e->at += e->size;
    e->size = size;
    const bool ascends = more > 0 || e->at == 0;
    if (!e->in.failed && ascends && more <= UINT32_MAX - e->material &&
        size <= e->segment->parts[SECTION_ENDGAME_LISTS].size - e->at) {
        e->material += (uint32_t)more;
        if (is_valid(e->material))
            return true;
    }
    (void)stamma_index_damaged(e->file);
    e->in.at = e->in.end;
    return false;
}

bool stamma_index_endgame_games(const index_endgames *e, index_list *list)
{
    const uint8_t *bytes = index_bytes(e->file, e->segment, SECTION_ENDGAME_LISTS, e->at, e->size);
    if (bytes)
        stamma_index_list_begin(list, bytes, (size_t)e->size, e->segment->counts[COUNT_GAMES]);
    return bytes != NULL;
}
