/* SPDX-License-Identifier: MIT */
/* Finds positions in Syzygy tablebases, with the library Fathom. */
#include "tablebases/tablebase.h"

#ifndef TOOL_FATHOM

bool tablebase_open(const char *folders)
{
    unsigned men;
    return tablebase_check(folders, &men);
}

void tablebase_close(void) {}

tablebase_result tablebase_probe(const stamma_position *position)
{
    (void)position;
    return (tablebase_result){.known = false};
}

#else

#include <tbprobe.h>

bool tablebase_open(const char *folders)
{
    unsigned men;
    return tablebase_check(folders, &men) && (tb_init(folders) || tool_fail_memory(folders));
}

static bool can_castle(const stamma_position *p)
{
    return p->castling[0][0] != STAMMA_SQUARE_NONE || p->castling[0][1] != STAMMA_SQUARE_NONE ||
           p->castling[1][0] != STAMMA_SQUARE_NONE || p->castling[1][1] != STAMMA_SQUARE_NONE;
}

static unsigned men_of(const stamma_position *p)
{
    unsigned men = 0;
    for (uint64_t all = p->by_color[0] | p->by_color[1]; all; all &= all - 1)
        men++;
    return men;
}

tablebase_result tablebase_probe(const stamma_position *p)
{
    static const int signs[] = {
        [TB_LOSS] = -2, [TB_BLESSED_LOSS] = -1, [TB_DRAW] = 0, [TB_CURSED_WIN] = 1, [TB_WIN] = 2};
    tablebase_result result = {.known = false};
    const uint64_t *c = p->by_color, *t = p->by_type;
    const bool white = p->side == STAMMA_WHITE;
    const unsigned ep = p->en_passant == STAMMA_SQUARE_NONE ? 0 : p->en_passant;
    if (can_castle(p) || men_of(p) > TB_LARGEST)
        return result;
    const unsigned wdl = tb_probe_wdl(c[0], c[1], t[STAMMA_KING], t[STAMMA_QUEEN], t[STAMMA_ROOK], t[STAMMA_BISHOP],
                                      t[STAMMA_KNIGHT], t[STAMMA_PAWN], 0, 0, ep, white);
    if (wdl > TB_WIN)
        return result;
    result = (tablebase_result){.known = true, .wdl = signs[wdl], .dtz_known = wdl == TB_DRAW};
    if (wdl == TB_DRAW)
        return result;
    const unsigned root = tb_probe_root(c[0], c[1], t[STAMMA_KING], t[STAMMA_QUEEN], t[STAMMA_ROOK], t[STAMMA_BISHOP],
                                        t[STAMMA_KNIGHT], t[STAMMA_PAWN], 0, 0, ep, white, NULL);
    result.dtz_known = root != TB_RESULT_FAILED;
    if (result.dtz_known)
        result.dtz = result.wdl < 0 ? -(int)TB_GET_DTZ(root) : (int)TB_GET_DTZ(root);
    return result;
}

#endif
