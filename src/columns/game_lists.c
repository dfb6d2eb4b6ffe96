/* SPDX-License-Identifier: MIT */
/* The columns of the table of games that are lists, and the text. */
#include "columns/columns.h"

void stamma_add_moves(const game_row *row, output_column *o)
{
    column_node *moves = o->node->children[0];
    buffer_add(&moves->values, row->game->moves, row->game->ply_count * sizeof(stamma_move));
    moves->length += row->game->ply_count;
    stamma_node_end_row(o->node);
}

/* ---- notation ---- */

/* Appends a text that the library wrote. */
static void add_text(column_node *n, const char *text, size_t size)
{
    buffer_add(&n->values, text, size);
    stamma_node_end_row(n);
}

/* Writes a move in UCI notation, except for castling in Chess960, which needs the position. */
static size_t write_uci(stamma_move move, char out[STAMMA_UCI_SIZE])
{
    static const char pieces[] = "nbrq";
    const unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    if (move == STAMMA_MOVE_NULL) {
        memcpy(out, "0000", 4);
        return 4;
    }
    out[0] = (char)('a' + (from & 7));
    out[1] = (char)('1' + (from >> 3));
    out[2] = (char)('a' + (to & 7));
    out[3] = (char)('1' + (to >> 3));
    if (!stamma_move_is_promotion(move))
        return 4;
    out[4] = pieces[move >> 12 & 3];
    return 5;
}

static void add_uci_960(const game_row *row, column_node *texts)
{
    stamma_position p = row->game->start;
    char text[STAMMA_UCI_SIZE];
    for (size_t n = 0; n < row->game->ply_count; n++) {
        const stamma_move move = row->game->moves[n];
        add_text(texts, text, stamma_uci_write(&p, move, true, text, sizeof text));
        stamma_position_make(&p, move, &p);
    }
}

void stamma_add_uci(const game_row *row, output_column *o)
{
    column_node *texts = o->node->children[0];
    char text[STAMMA_UCI_SIZE];
    if (row->chess960)
        add_uci_960(row, texts);
    for (size_t n = 0; n < row->game->ply_count && !row->chess960; n++)
        add_text(texts, text, write_uci(row->game->moves[n], text));
    stamma_node_end_row(o->node);
}

void stamma_add_san(const game_row *row, output_column *o)
{
    column_node *texts = o->node->children[0];
    stamma_position p = row->game->start;
    char text[STAMMA_SAN_SIZE + 8];
    for (size_t n = 0; n < row->game->ply_count; n++) {
        const stamma_move move = row->game->moves[n];
        const unsigned facts = row->san_facts ? row->san_facts[n] : move_san_facts(&p, move);
        add_text(texts, text, stamma_san_spell(move, facts, text));
        if (!row->san_facts)
            stamma_position_make(&p, move, &p);
    }
    stamma_node_end_row(o->node);
}

/* ---- values of comments ---- */

void stamma_node_add_clock(column_node *n, int64_t ms)
{
    if (ms < 0)
        stamma_node_add_null(n);
    else
        node_add_i32(n, (int32_t)(ms > INT32_MAX ? INT32_MAX : ms));
}

static void add_times(const game_row *row, output_column *o, const int64_t *times_ms)
{
    for (size_t n = 0; n < row->game->ply_count; n++)
        stamma_node_add_clock(o->node->children[0], times_ms[n]);
    stamma_node_end_row(o->node);
}

void stamma_add_clocks(const game_row *row, output_column *o)
{
    add_times(row, o, row->game->clocks_ms);
}

void stamma_add_times_spent(const game_row *row, output_column *o)
{
    add_times(row, o, row->game->times_spent_ms);
}

void stamma_node_add_evaluation(column_node *n, stamma_evaluation e, stamma_evaluation_kind kind)
{
    const int32_t value = e.value < INT16_MIN ? INT16_MIN : e.value > INT16_MAX ? INT16_MAX : e.value;
    if (e.kind == kind)
        node_add_i16(n, (int16_t)value);
    else
        stamma_node_add_null(n);
}

static void add_evaluations(const game_row *row, output_column *o, stamma_evaluation_kind kind)
{
    for (size_t n = 0; n < row->game->ply_count; n++)
        stamma_node_add_evaluation(o->node->children[0], row->game->evaluations[n], kind);
    stamma_node_end_row(o->node);
}

void stamma_add_eval_cp(const game_row *row, output_column *o)
{
    add_evaluations(row, o, STAMMA_EVALUATION_CENTIPAWNS);
}

void stamma_add_mate(const game_row *row, output_column *o)
{
    add_evaluations(row, o, STAMMA_EVALUATION_MATE);
}

/* ---- items ---- */

void stamma_add_nags(const game_row *row, output_column *o)
{
    column_node *nag = o->node->children[0];
    for (size_t n = 0; n < row->game->item_count; n++) {
        const stamma_archive_item *it = &row->game->items[n];
        if (it->kind != STAMMA_ITEM_NAG)
            continue;
        node_add_i32(nag->children[0], (int32_t)it->ply);
        node_add_u8(nag->children[1], (uint8_t)it->nag);
        node_count(nag);
    }
    stamma_node_end_row(o->node);
}

void stamma_add_comments(const game_row *row, output_column *o)
{
    column_node *comment = o->node->children[0];
    for (size_t n = 0; n < row->game->item_count; n++) {
        const stamma_archive_item *it = &row->game->items[n];
        if (it->kind != STAMMA_ITEM_COMMENT)
            continue;
        node_add_i32(comment->children[0], (int32_t)it->ply);
        stamma_node_add_text(comment->children[1], it->text, false);
        node_count(comment);
    }
    stamma_node_end_row(o->node);
}

/* ---- bits ---- */

/* Returns log2 of a number above 0: exponent and mantissa m, with ln m = 2 artanh((m - 1) / (m + 1)). The library does
 * not use the mathematical library of C. */
static double log2_of(uint32_t number)
{
    enum { TERMS = 15 };
    static const double log2_e = 1.4426950408889634;
    const unsigned exponent = bits_last(number);
    const double m = (double)number / (double)((uint64_t)1 << exponent), x = (m - 1) / (m + 1);
    double sum = 0;
    for (unsigned k = TERMS; k-- > 0;)
        sum = sum * x * x + 1.0 / (2 * k + 1);
    return exponent + 2 * log2_e * x * sum;
}

void stamma_add_bits(const game_row *row, output_column *o)
{
    const stamma_archive_game *game = row->game;
    column_node *bits = o->node->children[0];
    const stamma_game_context context = stamma_archive_game_context(game);
    uint32_t *frequencies = (uint32_t *)buffer_array(&o->last, game->ply_count, sizeof *frequencies);
    const stamma_error error =
        frequencies ? stamma_predict_game(&game->start, game->moves, game->ply_count, &context, frequencies)
                    : STAMMA_ERROR_NO_MEMORY; /* the only possible error: moves of archives are legal */
    bits->values.failed |= error != STAMMA_OK;
    for (size_t n = 0; error == STAMMA_OK && n < game->ply_count; n++) {
        const float value = (float)(16 - log2_of(frequencies[n]));
        node_add(bits, &value, sizeof value);
    }
    stamma_node_end_row(o->node);
}

/* ---- the text ---- */

void stamma_add_game_text(const game_row *row, output_column *o)
{
    buffer_add(&o->node->values, row->game->text.data, row->game->text.size);
    stamma_node_end_row(o->node);
}
