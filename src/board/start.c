/* SPDX-License-Identifier: MIT */
/* Initial positions: standard chess and the 960 of Chess960. */
#include "board/board.h"

/* Puts a piece of `type` on the free file with an index from 0, which must exist; returns the file. */
static unsigned place(stamma_piece rank[8], unsigned index, stamma_piece type)
{
    unsigned file = 0;
    while (rank[file] != STAMMA_PIECE_NONE || index-- > 0)
        file++;
    rank[file] = type;
    return file;
}

/* Stores the back rank of a Chess960 initial position: bishops, queen and knights by Scharnagl's number, then rook,
 * king, rook. */
static void scharnagl_rank(unsigned number, stamma_piece rank[8])
{
    static const uint8_t knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                           {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    memset(rank, STAMMA_PIECE_NONE, 8);
    rank[number % 4 * 2 + 1] = STAMMA_BISHOP;
    rank[number / 4 % 4 * 2] = STAMMA_BISHOP;
    place(rank, number / 16 % 6, STAMMA_QUEEN);
    const uint8_t *pair = knights[number / 96];
    place(rank, pair[1], STAMMA_KNIGHT); /* the right knight first, so that the index of the left knight stays valid */
    place(rank, pair[0], STAMMA_KNIGHT);
    place(rank, 0, STAMMA_ROOK);
    place(rank, 0, STAMMA_KING);
    place(rank, 0, STAMMA_ROOK);
}

stamma_error stamma_position_chess960(unsigned number, stamma_position *position)
{
    if (number >= 960 || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_piece rank[8];
    scharnagl_rank(number, rank);
    stamma_setup setup;
    memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
    unsigned side = STAMMA_QUEEN_SIDE;
    for (unsigned file = 0; file < 8; file++) {
        setup.board[file] = rank[file];
        setup.board[8 + file] = STAMMA_PAWN;
        setup.board[48 + file] = STAMMA_PAWN + 8;
        setup.board[56 + file] = (stamma_piece)(rank[file] + 8);
        if (rank[file] == STAMMA_KING)
            side = STAMMA_KING_SIDE;
        if (rank[file] == STAMMA_ROOK) {
            setup.castling[STAMMA_WHITE][side] = (stamma_square)file;
            setup.castling[STAMMA_BLACK][side] = (stamma_square)(56 + file);
        }
    }
    setup.side = STAMMA_WHITE;
    setup.en_passant = STAMMA_SQUARE_NONE;
    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
    return stamma_position_set_up(&setup, position);
}

/* Chess960 number 518, as a constant because nearly all games start with it. */
stamma_position stamma_position_start(void)
{
    static const stamma_position start = {
        .by_color = {RANK_1 | RANK_2, RANK_7 | RANK_8},
        .by_type = {RANK_2 | RANK_7, UINT64_C(0x4200000000000042), UINT64_C(0x2400000000000024),
                    UINT64_C(0x8100000000000081), UINT64_C(0x0800000000000008), UINT64_C(0x1000000000000010)},
        .key = UINT64_C(0xCD1B21E5221C0E3D),
        .fullmove_number = 1,
        .side = STAMMA_WHITE,
        .en_passant = STAMMA_SQUARE_NONE,
        .castling = {{7, 0}, {63, 56}},
    };
    return start;
}
