/* SPDX-License-Identifier: MIT */
/* Converts set-ups to positions and back, and finds every problem that makes a set-up illegal. */
#include "board/board.h"

static bool piece_is_valid(stamma_piece piece)
{
    return piece <= STAMMA_PIECE_NONE || (piece >= 8 && piece <= 13);
}

static bool setup_values_are_valid(const stamma_setup *setup)
{
    bool valid = setup->side == STAMMA_WHITE || setup->side == STAMMA_BLACK;
    valid = valid && setup->en_passant <= STAMMA_SQUARE_NONE;
    for (unsigned n = 0; n < 4; n++)
        valid = valid && setup->castling[n / 2][n % 2] <= STAMMA_SQUARE_NONE;
    for (unsigned square = 0; square < 64; square++)
        valid = valid && piece_is_valid(setup->board[square]);
    return valid;
}

/* Returns the position of a set-up with valid values, without its key. The position may be illegal. */
static stamma_position position_of(const stamma_setup *setup)
{
    stamma_position p;
    memset(&p, 0, sizeof p);
    for (unsigned square = 0; square < 64; square++) {
        stamma_piece piece = setup->board[square];
        if (piece != STAMMA_PIECE_NONE) {
            p.by_color[piece >> 3] |= square_bit(square);
            p.by_type[piece & 7] |= square_bit(square);
        }
    }
    p.side = (uint8_t)setup->side;
    p.en_passant = setup->en_passant;
    memcpy(p.castling, setup->castling, sizeof p.castling);
    p.halfmove_clock = setup->halfmove_clock;
    p.fullmove_number = setup->fullmove_number;
    return p;
}

/* Returns problems of the numbers of pieces. The bits for Black are the bits for White shifted by one. */
static unsigned pieces_problems(const stamma_position *p)
{
    unsigned problems = 0;
    for (unsigned color = 0; color < 2; color++) {
        unsigned kings = bits_count(position_pieces(p, color, STAMMA_KING));
        unsigned white = 0;
        if (kings == 0)
            white |= STAMMA_SETUP_NO_WHITE_KING;
        if (kings > 1)
            white |= STAMMA_SETUP_WHITE_KINGS;
        if (bits_count(p->by_color[color]) > 16)
            white |= STAMMA_SETUP_WHITE_PIECES;
        if (bits_count(position_pieces(p, color, STAMMA_PAWN)) > 8)
            white |= STAMMA_SETUP_WHITE_PAWNS;
        problems |= white << color;
    }
    if (p->by_type[STAMMA_PAWN] & (RANK_1 | RANK_8))
        problems |= STAMMA_SETUP_PAWN_ON_LAST_RANK;
    return problems;
}

/* Returns whether all castling rights are valid: king and rook must be on the back rank, the king-side rook on a higher
 * file than the king, the queen-side rook on a lower file. */
static bool castling_is_valid(const stamma_position *p)
{
    for (unsigned color = 0; color < 2; color++) {
        uint64_t back_rank = color ? RANK_8 : RANK_1;
        uint64_t king = position_pieces(p, color, STAMMA_KING) & back_rank;
        uint64_t rooks = position_pieces(p, color, STAMMA_ROOK) & back_rank;
        uint64_t h_side = square_bit_or_none(p->castling[color][STAMMA_KING_SIDE]);
        uint64_t a_side = square_bit_or_none(p->castling[color][STAMMA_QUEEN_SIDE]);
        if ((h_side | a_side) & ~rooks)
            return false;
        if ((h_side | a_side) && (!king || bits_rest(king)))
            return false;
        if ((h_side && h_side < king) || a_side > king)
            return false;
    }
    return true;
}

/* Returns whether the en passant square is valid: it must be empty, an enemy pawn must be in front of it, and the
 * square from which the pawn came must be empty. */
static bool en_passant_is_valid(const stamma_position *p)
{
    if (p->en_passant == STAMMA_SQUARE_NONE)
        return true;
    bool white = p->side == STAMMA_WHITE;
    uint64_t behind = square_bit(p->en_passant) & (white ? RANK_6 : RANK_3);
    uint64_t pawn = white ? behind >> 8 : behind << 8, origin = white ? behind << 8 : behind >> 8;
    return behind && !((behind | origin) & position_occupied(p)) &&
           (pawn & position_pieces(p, p->side ^ 1u, STAMMA_PAWN));
}

unsigned stamma_position_problems(const stamma_position *p)
{
    unsigned problems = pieces_problems(p);
    for (uint64_t kings = position_pieces(p, p->side ^ 1u, STAMMA_KING); kings; kings = bits_rest(kings))
        if (position_attackers(p, p->side, bits_first(kings), position_occupied(p)))
            problems |= STAMMA_SETUP_OPPONENT_IN_CHECK;
    if (!castling_is_valid(p))
        problems |= STAMMA_SETUP_CASTLING;
    if (!en_passant_is_valid(p))
        problems |= STAMMA_SETUP_EN_PASSANT;
    return problems;
}

unsigned stamma_setup_problems(const stamma_setup *setup)
{
    if (!setup_values_are_valid(setup))
        return STAMMA_SETUP_BAD_VALUE;
    const stamma_position p = position_of(setup);
    return stamma_position_problems(&p);
}

const char *stamma_setup_problem_text(unsigned problems)
{
    static const char *const texts[] = {
        "no white king",
        "no black king",
        "more than one white king",
        "more than one black king",
        "more than 16 white pieces",
        "more than 16 black pieces",
        "more than 8 white pawns",
        "more than 8 black pawns",
        "a pawn on the first or eighth rank",
        "the side not to move is in check",
        "a castling right without king and rook in place",
        "an en passant square that no pawn has just passed",
        "a piece, colour or square out of range",
    };
    for (unsigned bit = 0; bit < sizeof texts / sizeof *texts; bit++)
        if (problems >> bit & 1)
            return texts[bit];
    return "no problem";
}

stamma_error stamma_position_set_up(const stamma_setup *setup, stamma_position *position)
{
    if (!setup || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (stamma_setup_problems(setup))
        return STAMMA_ERROR_ILLEGAL;
    *position = position_of(setup);
    position->key = stamma_position_fresh_key(position);
    return STAMMA_OK;
}

stamma_setup stamma_position_setup(const stamma_position *position)
{
    stamma_setup setup;
    memset(&setup, 0, sizeof setup);
    memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
    for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
        for (uint64_t pieces = position->by_type[type]; pieces; pieces = bits_rest(pieces)) {
            const unsigned square = bits_first(pieces), color = position->by_color[STAMMA_BLACK] >> square & 1;
            setup.board[square] = (stamma_piece)(color << 3 | type);
        }
    setup.side = position->side ? STAMMA_BLACK : STAMMA_WHITE;
    memcpy(setup.castling, position->castling, sizeof setup.castling);
    setup.en_passant = position->en_passant;
    setup.halfmove_clock = position->halfmove_clock;
    setup.fullmove_number = position->fullmove_number;
    return setup;
}
