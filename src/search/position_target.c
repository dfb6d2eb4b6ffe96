/* SPDX-License-Identifier: MIT */
/* Tests whether a position can still be reached: pawns do not move back, captured men and lost castling rights do not
 * return. */
#include "search/position_target.h"

/* ---- making targets ---- */

/* Returns the squares from which a pawn of `color` may have come to `square` with at most `captures` captures,
 * including `square` itself. PAWN_CAPTURES - 1 means any number of captures. */
static uint64_t pawn_origins(unsigned color, unsigned square, unsigned captures)
{
    uint64_t row = square_bit(square), all = row;
    for (unsigned step = 0; step < 6; step++) {
        row = color == STAMMA_WHITE ? row >> 8 : row << 8;
        if (captures == PAWN_CAPTURES - 1 || step < captures)
            row |= (row & ~FILE_A) >> 1 | (row & ~FILE_H) << 1;
        all |= row;
    }
    return all & ~(RANK_1 | RANK_8);
}

/* Finds the origins of the pawns that a position must have. */
static void find_origins(position_target *t, uint64_t squares, unsigned color)
{
    board_goal *goal = &t->goal;
    goal->pawns[color] = (uint8_t)bits_count(squares);
    goal->homes[color] = squares & (color == STAMMA_WHITE ? RANK_2 : RANK_7);
    for (unsigned captures = 0; captures < PAWN_CAPTURES; captures++) {
        unsigned n = 0;
        goal->origins[color][captures] = 0;
        for (uint64_t pawns = squares; pawns; pawns = bits_rest(pawns)) {
            const uint64_t origins = pawn_origins(color, bits_first(pawns), captures);
            t->origins[color][captures][n++ & 7] = origins;
            goal->origins[color][captures] |= origins;
        }
    }
}

/* Returns whether a side with at least these pieces must have promoted if the game began in the initial position. */
static bool has_promoted(const uint8_t counts[6])
{
    static const uint8_t first[6] = {8, 2, 2, 2, 1, 1};
    bool more = false;
    for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++)
        more |= counts[type] > first[type];
    return more;
}

static bool pawns_fit(unsigned pawns, unsigned most, bool promoted)
{
    unsigned left = pawns >= SEARCH_PROMOTED ? pawns - SEARCH_PROMOTED : pawns;
    return left <= most && (!promoted || pawns >= SEARCH_PROMOTED);
}

/* Computes the tests on endings for positions with at least `least` and at most `most` pieces, by color
 * and type. The arrays are only read. */
static void fit_endings(position_target *t, uint8_t (*least)[6], uint8_t (*most)[6])
{
    bool promoted[2] = {has_promoted(least[STAMMA_WHITE]), has_promoted(least[STAMMA_BLACK])};
    for (unsigned byte = 0; byte < 256; byte++) {
        t->pawns_fit[byte] = pawns_fit(byte & 15, most[STAMMA_WHITE][STAMMA_PAWN], promoted[STAMMA_WHITE]) &&
                             pawns_fit(byte >> 4, most[STAMMA_BLACK][STAMMA_PAWN], promoted[STAMMA_BLACK]);
        for (unsigned color = 0; color < 2; color++) {
            bool fits = true;
            for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++)
                fits &= (byte >> 2 * (type - STAMMA_KNIGHT) & 3) <= most[color][type];
            t->pieces_fit[color][byte] = fits;
        }
    }
}

void stamma_target_init(position_target *t, const stamma_position *position, bool any_castling, bool any_en_passant)
{
    board_goal *goal = &t->goal;
    memset(t, 0, sizeof *t);
    goal->is_exact = true;
    goal->exact = *position;
    goal->any_castling = any_castling;
    goal->any_en_passant = any_en_passant;
    goal->sides = (uint8_t)(1u << position->side);
    for (unsigned color = 0; color < 2; color++) {
        goal->men[color] = (uint8_t)bits_count(position->by_color[color]);
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++) {
            uint64_t pieces = position_pieces(position, color, type);
            t->counts[color][type] = (uint8_t)bits_count(pieces);
            goal->tests[goal->test_count++] = (board_test){~UINT64_C(0), pieces, (uint8_t)color, (uint8_t)type};
        }
        find_origins(t, position_pieces(position, color, STAMMA_PAWN), color);
    }
    uint64_t white = position_pieces(position, STAMMA_WHITE, STAMMA_PAWN) & RANK_2;
    uint64_t black = position_pieces(position, STAMMA_BLACK, STAMMA_PAWN) & RANK_7;
    t->homes = (uint16_t)(white >> 8 | black >> 40);
    fit_endings(t, t->counts, t->counts);
}

void stamma_target_init_pattern(position_target *t)
{
    memset(t, 0, sizeof *t);
    t->is_pattern = true;
    t->goal.sides = 3;
    t->homes = UINT16_MAX;
    memset(t->goal.most, UINT8_MAX, sizeof t->goal.most);
    stamma_target_set_material(t);
}

/* Returns the squares on which the tests of a goal require pieces. */
static uint64_t required_squares(const board_goal *goal, unsigned color, unsigned type)
{
    uint64_t squares = 0;
    for (unsigned n = 0; n < goal->test_count; n++)
        if (goal->tests[n].color == color && goal->tests[n].type == type)
            squares |= goal->tests[n].value;
    return squares;
}

void stamma_target_set_material(position_target *t)
{
    board_goal *goal = &t->goal;
    for (unsigned color = 0; color < 2; color++) {
        goal->men[color] = 0;
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++) {
            const unsigned required = bits_count(required_squares(goal, color, type));
            if (required > goal->least[color][type])
                goal->least[color][type] = (uint8_t)required;
            goal->men[color] = (uint8_t)(goal->men[color] + goal->least[color][type]);
        }
        const uint64_t pawns = required_squares(goal, color, STAMMA_PAWN);
        find_origins(t, bits_count(pawns) <= 8 ? pawns : 0, color);
        if (goal->least[color][STAMMA_PAWN] > goal->pawns[color]) { /* more pawns, from anywhere */
            goal->pawns[color] = goal->least[color][STAMMA_PAWN];
            memset(goal->origins[color], UINT8_MAX, sizeof goal->origins[color]);
            memset(t->origins[color], UINT8_MAX, sizeof t->origins[color]);
        }
    }
    memcpy(t->counts, goal->least, sizeof t->counts);
    fit_endings(t, goal->least, goal->most);
}

/* ---- tests ---- */

static unsigned count(const piece_board *b, unsigned color, unsigned type)
{
    return bits_count(b->colors[color] & b->types[type]);
}

/* Additional pieces of the target must be promoted pawns. */
static bool pieces_suffice(const position_target *t, const piece_board *b, unsigned color, unsigned promotions)
{
    unsigned more = 0;
    for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++) {
        unsigned here = count(b, color, type);
        more += t->counts[color][type] > here ? t->counts[color][type] - here : 0;
    }
    return more <= promotions;
}

/* Each of the target's pawns must have come from one of the board's pawns. */
static bool pawns_lead_there(const position_target *t, const piece_board *b, unsigned color, unsigned captures)
{
    uint64_t pawns = b->colors[color] & b->types[STAMMA_PAWN];
    for (unsigned n = 0; n < t->goal.pawns[color]; n++)
        if (!(pawns & t->origins[color][captures][n & 7]))
            return false;
    return bits_count(pawns & t->goal.origins[color][captures]) >= t->goal.pawns[color];
}

/* The castling rights of the target must still exist. */
bool stamma_target_may_castle(const position_target *t, const piece_board *b)
{
    const stamma_square *wanted = &t->goal.exact.castling[0][0], *here = &b->castling[0][0];
    for (unsigned n = 0; n < 4 && !t->goal.any_castling && !t->is_pattern; n++)
        if (wanted[n] != STAMMA_SQUARE_NONE && wanted[n] != here[n])
            return false;
    return true;
}

bool stamma_target_may_follow(const position_target *t, const piece_board *b)
{
    for (unsigned color = 0; color < 2; color++) {
        unsigned pawns = count(b, color, STAMMA_PAWN), men = bits_count(b->colors[color]),
                 enemies = bits_count(b->colors[color ^ 1]);
        if (pawns < t->goal.pawns[color] || men < t->goal.men[color] || enemies < t->goal.men[color ^ 1])
            return false;
        unsigned captures = enemies - t->goal.men[color ^ 1];
        if (!pieces_suffice(t, b, color, pawns - t->goal.pawns[color]) ||
            !pawns_lead_there(t, b, color, captures < PAWN_CAPTURES ? captures : PAWN_CAPTURES - 1))
            return false;
    }
    return stamma_target_may_castle(t, b);
}
