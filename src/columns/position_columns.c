/* SPDX-License-Identifier: MIT */
/* The columns of the table of positions, which is used to train models. */
#include "columns/columns.h"

enum { COLOR_CODES = 6 }; /* codes of a color's pieces in `board` */

static void add_board(const game_row *row, output_column *o)
{
    const stamma_position *p = &row->ply->position;
    uint8_t board[64] = {0};
    for (unsigned n = 0; n < 2 * COLOR_CODES; n++)
        for (uint64_t rest = p->by_color[n / COLOR_CODES] & p->by_type[n % COLOR_CODES]; rest; rest = bits_rest(rest))
            board[bits_first(rest)] = (uint8_t)(n + 1);
    buffer_add(&o->node->children[0]->values, board, sizeof board);
    o->node->children[0]->length += sizeof board;
    node_count(o->node);
}

static void add_planes(const game_row *row, output_column *o)
{
    const stamma_position *p = &row->ply->position;
    for (unsigned n = 0; n < 2 * COLOR_CODES; n++)
        node_add_u64(o->node->children[0], p->by_color[n / COLOR_CODES] & p->by_type[n % COLOR_CODES]);
    node_count(o->node);
}

static void add_side(const game_row *row, output_column *o)
{
    node_add_u8(o->node, row->ply->position.side);
}

static void add_castling(const game_row *row, output_column *o)
{
    unsigned rights = 0;
    for (unsigned n = 0; n < 4; n++)
        rights |= (row->ply->position.castling[n / 2][n % 2] != STAMMA_SQUARE_NONE) * (1u << n);
    node_add_u8(o->node, (uint8_t)rights);
}

static void add_en_passant(const game_row *row, output_column *o)
{
    const stamma_square square = row->ply->position.en_passant;
    if (square == STAMMA_SQUARE_NONE)
        stamma_node_add_null(o->node);
    else
        node_add_u8(o->node, square);
}

static void add_halfmove_clock(const game_row *row, output_column *o)
{
    node_add_u16(o->node, row->ply->position.halfmove_clock);
}

static void add_move_index(const game_row *row, output_column *o)
{
    uint16_t index;
    if (stamma_vocabulary_index(&row->ply->position, row->ply->move, &index) == STAMMA_OK)
        node_add_u16(o->node, index);
    else
        stamma_node_add_null(o->node);
}

static void set_result(const game_row *row, const output_column *o, ply_row *ply)
{
    ply->result = (uint8_t)stamma_row_result(row, o);
}

static void add_result(const game_row *row, output_column *o)
{
    const ply_row *ply = row->ply;
    const bool white = ply->position.side == STAMMA_WHITE;
    if (ply->result == STAMMA_RESULT_DRAW)
        node_add(o->node, &(const int8_t){0}, 1);
    else if (ply->result == STAMMA_RESULT_WHITE || ply->result == STAMMA_RESULT_BLACK)
        node_add(o->node, &(const int8_t){(int8_t)((ply->result == STAMMA_RESULT_WHITE) == white ? 1 : -1)}, 1);
    else
        stamma_node_add_null(o->node);
}

static void set_ratings(const game_row *row, const output_column *o, ply_row *ply)
{
    for (unsigned color = 0; color < 2; color++) {
        const stamma_text value = row_tag(row, o, color)->value;
        ply->rating[color] = (uint16_t)(value.data ? stamma_rating_read(value) : 0);
    }
}

static void add_rating_of(const game_row *row, output_column *o, unsigned color)
{
    const uint16_t rating = row->ply->rating[color];
    if (rating > 0)
        node_add_i16(o->node, (int16_t)rating);
    else
        stamma_node_add_null(o->node);
}

static void add_mover_rating(const game_row *row, output_column *o)
{
    add_rating_of(row, o, row->ply->position.side);
}

static void add_opponent_rating(const game_row *row, output_column *o)
{
    add_rating_of(row, o, row->ply->position.side ^ 1u);
}

#define POSITION(column, node, text, function) .name = column, .type = &node, .meaning = text, .add = function

const known_column stamma_position_columns[] = {
    {POSITION("board", stamma_type_board,
              "piece on each square from a1, b1 to h8 before the move: 0 none, 1 to 6 White's pawn, knight, bishop, "
              "rook, queen, king, 7 to 12 Black's",
              add_board)},
    {POSITION("side_to_move", stamma_type_u8, "side to move: 0 White, 1 Black", add_side)},
    {POSITION("castling", stamma_type_u8,
              "castling rights, bits from the lowest: White's king side, White's queen side, "
              "Black's king side, Black's queen side",
              add_castling)},
    {POSITION("en_passant", stamma_type_u8,
              "square passed by the double push before, from 0 for a1 to 63 for h8; null: none", add_en_passant)},
    {POSITION("move_index", stamma_type_u16, "index of the move in the vocabulary of 1,924 moves; null for a null move",
              add_move_index)},
    {POSITION("result", stamma_type_i8, "result for the side to move: 1 won, 0 draw, -1 lost; null: unknown",
              add_result),
     .parts = STAMMA_GAME_RESULT, .tags = {"Result"}, .set = set_result},
    {POSITION("mover_rating", stamma_type_i16, "rating of the side to move", add_mover_rating),
     .tags = {"WhiteElo", "BlackElo"}, .set = set_ratings},
    {POSITION("opponent_rating", stamma_type_i16, "rating of the other side", add_opponent_rating),
     .tags = {"WhiteElo", "BlackElo"}, .set = set_ratings},
    {POSITION("clock_ms", stamma_type_i32, "time on the mover's clock after the move in milliseconds",
              stamma_add_ply_clock),
     .parts = STAMMA_GAME_CLOCKS},
    {POSITION("eval_cp", stamma_type_i16, "evaluation after the move in centipawns from White's view",
              stamma_add_ply_eval_cp),
     .parts = STAMMA_GAME_EVALUATIONS, .not_default = true},
    {POSITION("mate", stamma_type_i16, "moves to mate after the move, below 0 if Black mates", stamma_add_ply_mate),
     .parts = STAMMA_GAME_EVALUATIONS, .not_default = true},
    {POSITION("planes", stamma_type_planes,
              "bitboards before the move, bit 0 is a1: White's pawns, knights, bishops, "
              "rooks, queens, kings, then Black's",
              add_planes),
     .not_default = true},
    {POSITION("halfmove_clock", stamma_type_u16, "plies since the last capture or pawn move", add_halfmove_clock),
     .not_default = true},
    {POSITION("move16", stamma_type_u16, "move in the encoding move16", stamma_add_ply_move), .not_default = true},
    {POSITION("game", stamma_type_i64, "number of the game in the archive, from 1", stamma_add_ply_game),
     .not_default = true},
    {POSITION("ply", stamma_type_i32, "number of the ply in the game, from 1", stamma_add_ply_number),
     .not_default = true},
};

const size_t stamma_position_column_count = sizeof stamma_position_columns / sizeof *stamma_position_columns;
