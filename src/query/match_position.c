/* SPDX-License-Identifier: MIT */
/* Rules of the position. */
#include "query/query.h"

/* ---- positions and placements ---- */

/* Compares positions like stamma_position_equal, except for the parts that the rule ignores. */
static bool is_fen(const query_rule *rule, const query_fen *fen, const stamma_position *p)
{
    const stamma_position *wanted = &fen->position;
    if (p->by_color[0] != wanted->by_color[0] || p->by_color[1] != wanted->by_color[1] || p->side != wanted->side ||
        memcmp(p->by_type, wanted->by_type, sizeof p->by_type) != 0)
        return false;
    if (!rule->ignore_castling && memcmp(p->castling, wanted->castling, sizeof p->castling) != 0)
        return false;
    return rule->ignore_en_passant ||
           (position_en_passant_pawns(p) ? p->en_passant : STAMMA_SQUARE_NONE) == fen->en_passant;
}

/* Returns whether a placement matches. Most mismatches are a required piece on an empty square, so this is tested
 * first. */
static bool fits(const query_squares *place, const stamma_position *p)
{
    const uint64_t *no = place->forbidden;
    uint64_t white = 0, black = 0;
    if (~position_occupied(p) & no[QUERY_EMPTY])
        return false;
    for (unsigned type = 0; type < 6; type++) {
        white |= p->by_type[type] & no[type];
        black |= p->by_type[type] & no[type + 6];
    }
    return !((white & p->by_color[0]) | (black & p->by_color[1]));
}

static bool is_sub_fen(const query_sub_fen *sub_fen, const stamma_position *p)
{
    for (size_t i = 0; i < sub_fen->count; i++)
        if (fits(&sub_fen->places[i], p))
            return true;
    return false;
}

static bool is_material(const query_material *m, const stamma_position *p)
{
    for (unsigned color = 0; color < 2; color++) {
        for (unsigned type = STAMMA_PAWN; type < STAMMA_KING; type++) {
            unsigned count = bits_count(position_pieces(p, color, type));
            if (count < m->low[color][type] || count > m->high[color][type])
                return false;
        }
    }
    return true;
}

static bool is_imbalance(const query_imbalance *m, const stamma_position *p)
{
    for (unsigned type = STAMMA_PAWN; type < STAMMA_KING; type++)
        if ((int)bits_count(position_pieces(p, 0, type)) - (int)bits_count(position_pieces(p, 1, type)) !=
            m->more[type])
            return false;
    return true;
}

static bool are_pawns(const query_pawns *pawns, const stamma_position *p)
{
    return position_pieces(p, 0, STAMMA_PAWN) == pawns->pawns[0] &&
           position_pieces(p, 1, STAMMA_PAWN) == pawns->pawns[1];
}

static int number_of(const query_counted *counted, const stamma_position *p)
{
    return (int)bits_count(stamma_squares_of(p, counted->pieces) & counted->squares);
}

static bool counts(const query_count *count, const stamma_position *p)
{
    return query_in_ranges(count->n.ranges, count->n.count, number_of(&count->of, p));
}

static bool differ(const query_difference *d, const stamma_position *p)
{
    return query_in_ranges(d->n.ranges, d->n.count, number_of(&d->of, p) - number_of(&d->minus, p));
}

int stamma_points(const stamma_position *p, unsigned color)
{
    static const unsigned points[] = {
        [STAMMA_PAWN] = 1, [STAMMA_KNIGHT] = 3, [STAMMA_BISHOP] = 3, [STAMMA_ROOK] = 5, [STAMMA_QUEEN] = 9};
    unsigned sum = 0;
    for (unsigned type = STAMMA_PAWN; type < STAMMA_KING; type++)
        sum += points[type] * bits_count(position_pieces(p, color, type));
    return (int)sum;
}

static bool have_points(const query_pawn_counts *counts, const stamma_position *p)
{
    for (unsigned color = 0; color < 2; color++) {
        const query_ranges *n = &counts->of[color];
        if (n->count && !query_in_ranges(n->ranges, n->count, stamma_points(p, color)))
            return false;
    }
    return true;
}

/* Returns whether each side has one bishop, and the bishops are on squares of different colours. */
static bool are_opposite_bishops(const stamma_position *p)
{
    uint64_t bishops = p->by_type[STAMMA_BISHOP];
    return bits_count(bishops & p->by_color[0]) == 1 && bits_count(bishops & p->by_color[1]) == 1 &&
           bits_count(bishops & QUERY_LIGHT_SQUARES) == 1;
}

/* ---- pawns ---- */

static uint64_t files_beside(uint64_t squares)
{
    return (squares & ~FILE_H) << 1 | (squares & ~FILE_A) >> 1;
}

/* Returns the squares in front of a set of squares, up to the edge of the board. */
static uint64_t in_front(unsigned color, uint64_t squares)
{
    for (unsigned step = 8; step <= 32; step *= 2)
        squares |= color == STAMMA_WHITE ? squares << step : squares >> step;
    return color == STAMMA_WHITE ? squares << 8 : squares >> 8;
}

static uint64_t whole_files(uint64_t squares)
{
    return squares | in_front(STAMMA_WHITE, squares) | in_front(STAMMA_BLACK, squares);
}

/* Returns the pawns of a colour with the property that a rule counts. */
static uint64_t pawns_that_are(query_kind kind, const stamma_position *p, unsigned color)
{
    uint64_t pawns = position_pieces(p, color, STAMMA_PAWN), enemies = position_pieces(p, color ^ 1, STAMMA_PAWN);
    uint64_t beside = files_beside(pawns);
    switch (kind) {
    case QUERY_PASSED: return pawns & ~in_front(color ^ 1, enemies | files_beside(enemies));
    case QUERY_ISOLATED: return pawns & ~whole_files(beside);
    case QUERY_DOUBLED: return pawns & in_front(color ^ 1, pawns);
    default: return pawns & (beside | beside << 8 | beside >> 8);
    }
}

static bool pawns_count(query_kind kind, const query_pawn_counts *counts, const stamma_position *p)
{
    for (unsigned color = 0; color < 2; color++) {
        const query_ranges *n = &counts->of[color];
        if (n->count && !query_in_ranges(n->ranges, n->count, bits_count(pawns_that_are(kind, p, color))))
            return false;
    }
    return true;
}

/* ---- attacks ---- */

/* Returns the squares that the given piece types of a color attack, whichever side is to move. */
static uint64_t attacked(const stamma_position *p, unsigned color, query_word types)
{
    uint64_t occupied = position_occupied(p), squares = 0;
    if (types & 1)
        squares = pawns_attacks(color, position_pieces(p, color, STAMMA_PAWN));
    for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_KING; type++)
        if (types >> type & 1)
            for (uint64_t pieces = position_pieces(p, color, type); pieces; pieces = bits_rest(pieces))
                squares |= piece_attacks(type, bits_first(pieces), occupied);
    return squares;
}

static bool attack(const query_attacks *a, const stamma_position *p)
{
    uint64_t to = a->squares | stamma_squares_of(p, a->to);
    uint64_t squares = attacked(p, STAMMA_WHITE, a->from & 0x3F) | attacked(p, STAMMA_BLACK, a->from >> 6 & 0x3F);
    return query_in_ranges(a->n.ranges, a->n.count, bits_count(squares & to));
}

static bool is_pinned(query_word pieces, const stamma_position *p)
{
    uint64_t pinned = color_legality(p, STAMMA_WHITE).pinned | color_legality(p, STAMMA_BLACK).pinned;
    return (stamma_squares_of(p, pieces) & pinned) != 0;
}

/* ---- rules ---- */

/* Returns whether one value of a rule holds. */
static bool value_holds(const query_rule *rule, size_t n, const stamma_position *p)
{
    switch (rule->kind) {
    case QUERY_FEN: return is_fen(rule, (const query_fen *)rule->values + n, p);
    case QUERY_SUB_FEN: return is_sub_fen((const query_sub_fen *)rule->values + n, p);
    case QUERY_MATERIAL: return is_material((const query_material *)rule->values + n, p);
    case QUERY_IMBALANCE: return is_imbalance((const query_imbalance *)rule->values + n, p);
    case QUERY_PAWNS: return are_pawns((const query_pawns *)rule->values + n, p);
    case QUERY_COUNT: return counts((const query_count *)rule->values + n, p);
    case QUERY_PASSED:
    case QUERY_ISOLATED:
    case QUERY_DOUBLED:
    case QUERY_CONNECTED: return pawns_count(rule->kind, (const query_pawn_counts *)rule->values + n, p);
    case QUERY_ATTACKS: return attack((const query_attacks *)rule->values + n, p);
    case QUERY_PINNED: return is_pinned(((const query_word *)rule->values)[n], p);
    case QUERY_POINTS: return have_points((const query_pawn_counts *)rule->values + n, p);
    case QUERY_DIFFERENCE: return differ((const query_difference *)rule->values + n, p);
    case QUERY_ATTACKERS:
    case QUERY_RAY:
    case QUERY_BATTERY: return stamma_match_lines(rule, n, p);
    default: return p->side == ((const query_word *)rule->values)[n]; /* QUERY_SIDE_TO_MOVE */
    }
}

static bool truth_holds(query_kind kind, const stamma_position *p)
{
    if (kind == QUERY_OPPOSITE_BISHOPS)
        return are_opposite_bishops(p);
    bool check = stamma_position_in_check(p);
    if (kind == QUERY_CHECK)
        return check;
    if (kind == QUERY_MATE)
        return check && stamma_position_is_mate(p);
    return !check && stamma_legal_moves_count(p) == 0;
}

bool stamma_match_position(const query_rule *rule, const stamma_position *position)
{
    if (rule->kind == QUERY_MOVE_NUMBER)
        return query_in_ranges(rule->values, rule->count, position->fullmove_number);
    if (rule->kind == QUERY_HALFMOVE_CLOCK)
        return query_in_ranges(rule->values, rule->count, position->halfmove_clock);
    if (rule->kind == QUERY_BALANCE)
        return query_in_ranges(rule->values, rule->count, stamma_points(position, 0) - stamma_points(position, 1));
    if (rule->kind == QUERY_OPPOSITE_BISHOPS || (rule->kind >= QUERY_CHECK && rule->kind <= QUERY_STALEMATE)) {
        const query_word *truths = rule->values;
        query_word truth = truth_holds(rule->kind, position);
        for (size_t i = 0; i < rule->count; i++)
            if (truths[i] == truth)
                return true;
        return false;
    }
    for (size_t i = 0; i < rule->count; i++)
        if (value_holds(rule, i, position))
            return true;
    return false;
}
