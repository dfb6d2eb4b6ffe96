/* SPDX-License-Identifier: MIT */
/* `move32`: move16, and in the higher bits the types of the moving and the captured piece and an ordering score (Chess
 * Programming Wiki, "Extended Move Structure"). Making and unmaking these moves never looks up the piece on a
 * square. */
#include "encodings/encodings.h"

/* Scores the most valuable victim first, then the least valuable attacker. Returns 0 if the move captures nothing. */
static unsigned capture_score(unsigned moved, unsigned captured)
{
    return captured == STAMMA_PIECE_TYPE_NONE ? 0 : (captured + 1) * 8 - moved;
}

stamma_move32 stamma_move32_of(const stamma_position *position, stamma_move move)
{
    if (move == STAMMA_MOVE_NULL)
        return 0;
    unsigned moved = position_type_at(position, stamma_move_from(move)), captured = STAMMA_PIECE_TYPE_NONE;
    if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT)
        captured = STAMMA_PAWN;
    else if (stamma_move_is_capture(move))
        captured = position_type_at(position, stamma_move_to(move));
    return (stamma_move32)move | moved << 16 | captured << 19 | (uint32_t)capture_score(moved, captured) << 22;
}

/* ---- the changes of a move: up to four entries of a table [color][type][square] ---- */

typedef struct change {
    uint8_t color;
    uint8_t type;
    uint8_t square;
} change;

static size_t castling_changes(const stamma_position *position, stamma_move move, change changes[4])
{
    uint8_t us = position->side;
    unsigned side = castling_side(move);
    const change all[4] = {{us, STAMMA_KING, stamma_move_from(move)},
                           {us, STAMMA_ROOK, (uint8_t)(position->castling[us][side] & 63)},
                           {us, STAMMA_KING, (uint8_t)castling_king_to(us, side)},
                           {us, STAMMA_ROOK, (uint8_t)castling_rook_to(us, side)}};
    memcpy(changes, all, sizeof all);
    return 4;
}

/* Lists the pieces that leave or reach a square. */
static size_t changes_of(const stamma_position *position, stamma_move32 move32, change changes[4])
{
    stamma_move move = stamma_move32_move(move32);
    if (stamma_move_is_castling(move))
        return castling_changes(position, move, changes);
    uint8_t us = position->side, moved = (uint8_t)stamma_move32_moved(move32), to = stamma_move_to(move);
    uint8_t captured = (uint8_t)stamma_move32_captured(move32), taken_at = to;
    size_t count = 0;
    if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT)
        taken_at = to ^ 8; /* the squares of rank 5 for rank 6, of rank 4 for rank 3 */
    if (captured != STAMMA_PIECE_TYPE_NONE)
        changes[count++] = (change){(uint8_t)(us ^ 1), captured, taken_at};
    changes[count++] = (change){us, moved, stamma_move_from(move)};
    changes[count++] = (change){us, stamma_move_is_promotion(move) ? (uint8_t)stamma_move_promotion(move) : moved, to};
    return count;
}

size_t stamma_move32_indices(const stamma_position *position, stamma_move32 move, uint16_t indices[4])
{
    change changes[4];
    size_t count = stamma_move32_move(move) == STAMMA_MOVE_NULL ? 0 : changes_of(position, move, changes);
    for (size_t n = 0; n < count; n++)
        indices[n] = (uint16_t)((changes[n].color * 6u + changes[n].type) * 64u + changes[n].square);
    return count;
}

static void toggle(stamma_position *p, change c)
{
    p->by_color[c.color] ^= square_bit(c.square);
    p->by_type[c.type] ^= square_bit(c.square);
}

/* ---- making and unmaking ---- */

static void drop_right(stamma_position *p, unsigned color, unsigned side)
{
    p->key ^= stamma_key_castling[p->castling[color][side]];
    p->castling[color][side] = STAMMA_SQUARE_NONE;
}

static void drop_rights(stamma_position *p, unsigned us, stamma_move32 move32)
{
    stamma_move move = stamma_move32_move(move32);
    for (unsigned side = STAMMA_KING_SIDE; side <= STAMMA_QUEEN_SIDE; side++) {
        stamma_square own = p->castling[us][side], other = p->castling[us ^ 1][side];
        if (own != STAMMA_SQUARE_NONE && (stamma_move32_moved(move32) == STAMMA_KING || own == stamma_move_from(move)))
            drop_right(p, us, side);
        if (other != STAMMA_SQUARE_NONE && other == stamma_move_to(move))
            drop_right(p, us ^ 1, side);
    }
}

void stamma_position_make32(stamma_position *position, stamma_move32 move, stamma_undo *undo)
{
    stamma_position *p = position;
    unsigned us = p->side;
    undo->key = p->key;
    undo->halfmove_clock = p->halfmove_clock;
    undo->fullmove_number = p->fullmove_number;
    undo->en_passant = p->en_passant;
    memcpy(undo->castling, p->castling, sizeof p->castling);
    p->en_passant = STAMMA_SQUARE_NONE;
    if (p->halfmove_clock < UINT16_MAX)
        p->halfmove_clock++;
    if (stamma_move32_move(move) != STAMMA_MOVE_NULL) {
        change changes[4];
        size_t count = changes_of(p, move, changes);
        for (size_t n = 0; n < count; n++) {
            toggle(p, changes[n]);
            p->key ^= key_piece(changes[n].color, changes[n].type, changes[n].square);
        }
        drop_rights(p, us, move);
        unsigned from = stamma_move_from((stamma_move)move), to = stamma_move_to((stamma_move)move);
        if (stamma_move_flags((stamma_move)move) == STAMMA_FLAG_DOUBLE_PUSH)
            p->en_passant = (stamma_square)((from + to) / 2);
        if (stamma_move32_moved(move) == STAMMA_PAWN || stamma_move_is_capture((stamma_move)move))
            p->halfmove_clock = 0;
    }
    if (us == STAMMA_BLACK && p->fullmove_number < UINT16_MAX)
        p->fullmove_number++;
    p->side ^= 1;
    p->key ^= stamma_key_black;
}

void stamma_position_unmake32(stamma_position *position, stamma_move32 move, const stamma_undo *undo)
{
    stamma_position *p = position;
    p->side ^= 1;
    p->key = undo->key;
    p->halfmove_clock = undo->halfmove_clock;
    p->fullmove_number = undo->fullmove_number;
    p->en_passant = undo->en_passant;
    memcpy(p->castling, undo->castling, sizeof p->castling);
    if (stamma_move32_move(move) == STAMMA_MOVE_NULL)
        return;
    change changes[4];
    for (size_t count = changes_of(p, move, changes); count > 0; count--)
        toggle(p, changes[count - 1]);
}

/* ---- as a codec ---- */

static stamma_error write_move32(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 bit_writer *out)
{
    (void)codec;
    stamma_bits_write(out, stamma_move32_of(position, move), 32);
    return STAMMA_OK;
}

static stamma_error read_move32(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                                stamma_move *move)
{
    (void)codec;
    stamma_move32 code = (stamma_move32)stamma_bits_read(in, 32);
    stamma_move found = stamma_move32_move(code);
    if (in->failed || !stamma_codec_may_play(position, found) || stamma_move32_of(position, found) != code)
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_move32(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    stamma_move32 full = stamma_move32_of(position, move);
    stamma_explain_bits(e, stamma_move32_score(full), 10, "ordering score");
    stamma_explain_bits(e, stamma_move32_captured(full), 3, "captures: %s",
                        stamma_type_name(stamma_move32_captured(full)));
    stamma_explain_bits(e, stamma_move32_moved(full), 3, "moves: %s", stamma_type_name(stamma_move32_moved(full)));
    stamma_explain_move16(e, move);
}

const stamma_codec stamma_codec_move32 = {
    .info = {.name = "move32",
             .source = SOURCE_WIKI,
             .description = "move16, the types of the moving and the captured piece, and an ordering score",
             .kind = STAMMA_CODEC_MOVE},
    .has_null = true,
    .write = write_move32,
    .read = read_move32,
    .explain = explain_move32,
};
