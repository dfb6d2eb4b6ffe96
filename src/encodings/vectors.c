/* SPDX-License-Identifier: MIT */
/* Converts a piece's vector to a move, with the flags that depend on the board. */
#include "encodings/encodings.h"

stamma_move stamma_vector_legal_move(const stamma_position *position, unsigned kind, unsigned from, unsigned vector)
{
    if (from == STAMMA_SQUARE_NONE)
        return STAMMA_MOVE_NULL;
    stamma_move move = stamma_vector_moves[vector_row(position->side, kind, from)][vector];
    unsigned to = stamma_move_to(move), flags = stamma_move_flags(move);
    if (stamma_move_is_castling(move))
        to = castling_king_to(position->side, castling_side(move));
    else if (kind == STAMMA_PAWN && flags == STAMMA_FLAG_CAPTURE && to == position->en_passant)
        flags = STAMMA_FLAG_EN_PASSANT;
    else if (kind != STAMMA_PAWN && position->by_color[position->side ^ 1] >> to & 1)
        flags = STAMMA_FLAG_CAPTURE;
    move = stamma_move_make(from, to, flags);
    return stamma_move_is_legal(position, move) ? move : STAMMA_MOVE_NULL;
}

static void explain_pawn_vector(explanation *e, unsigned vector)
{
    static const char *const plain[4] = {"single push", "double push", "captures to the left", "captures to the right"};
    static const char *const promoting[4] = {"", "promotes ahead", "promotes to the left", "promotes to the right"};
    stamma_explain_bits(e, vector >> 2, 2, "%s", vector < 4 ? "no promotion" : promoting[vector >> 2]);
    stamma_explain_bits(e, vector & 3, 2, "%s", vector < 4 ? plain[vector] : stamma_type_name(1 + (vector & 3)));
}

void stamma_explain_vector(explanation *e, unsigned kind, unsigned vector)
{
    static const char *const knight[8] = {"NNE", "NNW", "WNW", "ENE", "SSE", "SSW", "ESE", "WSW"};
    static const char *const king[16] = {"goes N",
                                         "goes S",
                                         "goes E",
                                         "goes W",
                                         "goes NE",
                                         "goes NW",
                                         "goes SE",
                                         "goes SW",
                                         "castles on the king's side",
                                         "castles on the queen's side"};
    switch (kind) {
    case STAMMA_PAWN: explain_pawn_vector(e, vector); break;
    case STAMMA_KNIGHT: stamma_explain_bits(e, vector & 7, 3, "goes %s", knight[vector & 7]); break;
    case STAMMA_BISHOP:
        stamma_explain_bits(e, vector >> 3, 1, vector >> 3 ? "falling diagonal" : "rising diagonal");
        stamma_explain_bits(e, vector & 7, 3, "to the %c-file", 'a' + (vector & 7));
        break;
    case STAMMA_ROOK:
        stamma_explain_bits(e, vector >> 3, 1, vector >> 3 ? "along the file" : "along the rank");
        if (vector >> 3)
            stamma_explain_bits(e, vector & 7, 3, "to rank %u", 1 + (vector & 7));
        else
            stamma_explain_bits(e, vector & 7, 3, "to the %c-file", 'a' + (vector & 7));
        break;
    default: stamma_explain_bits(e, vector, 4, "%s", king[vector & 15]); break;
    }
}
