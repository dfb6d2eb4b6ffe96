/* SPDX-License-Identifier: MIT */
/* Rules of the move that led to a position, and of its evaluation and clock in the game's comments. */
#include "query/query.h"

enum { UNSAID = 8 };

static bool agrees(unsigned said, unsigned is)
{
    return said == UNSAID || said == is;
}

/* Returns the rook's square of a castling move. In a position with turned files (stamma_position_turned), the castling
 * rights of the two sides are exchanged, and the king does not move to the c-file or the g-file. */
static unsigned castling_rook(const stamma_position *before, stamma_move move)
{
    unsigned file = stamma_move_to(move) & 7, turned = file != 2 && file != 6;
    return before->castling[before->side][castling_side(move) ^ turned];
}

/* Returns whether a castling move matches O-O, or in UCI the king's two squares or the king's and the rook's square. */
static bool castling_is(const san_pattern *pattern, const stamma_position *before, stamma_move move)
{
    unsigned from = stamma_move_from(move);
    if (pattern->kind == SAN_CASTLING)
        return pattern->castling == castling_side(move);
    unsigned to = pattern->to_rank * 8u + pattern->to_file;
    return pattern->piece == STAMMA_PIECE_TYPE_NONE && pattern->promotion == STAMMA_PIECE_TYPE_NONE &&
           pattern->from_file == (from & 7) && pattern->from_rank == from >> 3 &&
           (to == stamma_move_to(move) || to == castling_rook(before, move));
}

static bool move_is(const query_move *wanted, const stamma_position *before, stamma_move move)
{
    const san_pattern *pattern = &wanted->pattern;
    unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    if (move == STAMMA_MOVE_NULL || pattern->kind == SAN_NULL)
        return move == STAMMA_MOVE_NULL && pattern->kind == SAN_NULL;
    if (stamma_move_is_castling(move) || pattern->kind == SAN_CASTLING)
        return stamma_move_is_castling(move) && castling_is(pattern, before, move);
    unsigned promotion = stamma_move_is_promotion(move) ? stamma_move_promotion(move) : STAMMA_PIECE_TYPE_NONE;
    return agrees(pattern->to_file, to & 7) && agrees(pattern->to_rank, to >> 3) &&
           agrees(pattern->from_file, from & 7) && agrees(pattern->from_rank, from >> 3) &&
           (pattern->piece == STAMMA_PIECE_TYPE_NONE || pattern->piece == position_type_at(before, from)) &&
           (pattern->promotion == STAMMA_PIECE_TYPE_NONE || pattern->promotion == promotion) &&
           (!wanted->takes || stamma_move_is_capture(move));
}

static bool one_move_is(const query_rule *rule, const stamma_position *before, stamma_move move)
{
    const query_move *moves = rule->values;
    for (size_t i = 0; i < rule->count; i++)
        if (move_is(&moves[i], before, move))
            return true;
    return false;
}

/* These functions return a property of a move as a set with one element. */
static query_word moved_type(const stamma_position *before, stamma_move move)
{
    return 1u << (move == STAMMA_MOVE_NULL ? STAMMA_PIECE_TYPE_NONE : position_type_at(before, stamma_move_from(move)));
}

static query_word captured_type(const stamma_position *before, stamma_move move)
{
    if (!stamma_move_is_capture(move))
        return 1u << STAMMA_PIECE_TYPE_NONE;
    bool en_passant = stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT;
    return 1u << (en_passant ? STAMMA_PAWN : position_type_at(before, stamma_move_to(move)));
}

static query_word promoted_type(stamma_move move)
{
    return 1u << (stamma_move_is_promotion(move) ? stamma_move_promotion(move) : STAMMA_PIECE_TYPE_NONE);
}

/* The values of these rules are sets, one of which must contain the property, or numbers, one of which must equal it
 * exactly. */
static bool one_has(const query_rule *rule, query_word set)
{
    const query_word *words = rule->values;
    for (size_t i = 0; i < rule->count; i++)
        if (words[i] & set)
            return true;
    return false;
}

static bool one_is(const query_rule *rule, query_word word)
{
    const query_word *words = rule->values;
    for (size_t i = 0; i < rule->count; i++)
        if (words[i] == word)
            return true;
    return false;
}

bool stamma_match_move(const query_rule *rule, const stamma_position *before, stamma_move move)
{
    switch (rule->kind) {
    case QUERY_MOVE: return one_move_is(rule, before, move);
    case QUERY_WHITE_MOVE: return before->side == STAMMA_WHITE && one_move_is(rule, before, move);
    case QUERY_BLACK_MOVE: return before->side == STAMMA_BLACK && one_move_is(rule, before, move);
    case QUERY_MOVED: return one_has(rule, moved_type(before, move));
    case QUERY_CAPTURED: return one_has(rule, captured_type(before, move));
    case QUERY_PROMOTED: return one_has(rule, promoted_type(move));
    case QUERY_CASTLING: return stamma_move_is_castling(move) && one_has(rule, 1u << castling_side(move));
    case QUERY_EN_PASSANT: return one_is(rule, stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT);
    default: return one_is(rule, before->side); /* QUERY_BY */
    }
}

/* ---- evaluations and clocks ---- */

/* Stores the evaluation after a move, in thousandths of a pawn. A mate counts as 100 pawns; mate in 0 moves counts for
 * the side that has just moved. Returns false if there is no evaluation. */
static bool evaluation_at(const stamma_archive_game *game, size_t ply, int64_t *value)
{
    const stamma_evaluation *evaluation = &game->evaluations[ply - 1];
    bool black = (game->start.side ^ (ply - 1)) & 1;
    if (evaluation->kind == STAMMA_EVALUATION_CENTIPAWNS)
        *value = (int64_t)evaluation->value * 10;
    else if (evaluation->kind == STAMMA_EVALUATION_MATE)
        *value = evaluation->value < 0 || (evaluation->value == 0 && black) ? -100000 : 100000;
    return evaluation->kind != STAMMA_EVALUATION_NONE;
}

/* Stores the change since the previous evaluation. */
static bool swing_at(const stamma_archive_game *game, size_t ply, int64_t *value)
{
    int64_t now = 0, earlier = 0;
    if (!evaluation_at(game, ply, &now))
        return false;
    for (size_t before = ply - 1; before > 0; before--) {
        if (evaluation_at(game, before, &earlier)) {
            *value = now - earlier;
            return true;
        }
    }
    return false;
}

bool stamma_match_moment(const stamma_archive_game *game, const query_rule *rule, size_t ply)
{
    int64_t value = 0;
    bool known;
    if (rule->kind == QUERY_CLOCK) {
        known = game->clocks_ms && game->clocks_ms[ply - 1] >= 0;
        value = known ? game->clocks_ms[ply - 1] : 0;
    } else {
        bool swing = rule->kind != QUERY_EVALUATION, black = (game->start.side ^ (ply - 1)) & 1;
        known = game->evaluations && (swing ? swing_at(game, ply, &value) : evaluation_at(game, ply, &value));
        if (rule->kind == QUERY_SWING ? value < 0 : rule->kind == QUERY_MOVER_SWING && black)
            value = -value;
    }
    return known && query_in_ranges(rule->values, rule->count, value);
}
