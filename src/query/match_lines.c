/* SPDX-License-Identifier: MIT */
/* Rules of the position about lines: attackers of a piece, pieces in line, batteries. */
#include "query/query.h"

/* ---- attackers ---- */

/* Returns whether one of the squares or pieces has an allowed number of attackers. */
static bool are_attackers(const query_attackers *a, const stamma_position *p)
{
    uint64_t occupied = position_occupied(p), by = stamma_squares_of(p, a->by);
    for (uint64_t targets = a->squares | stamma_squares_of(p, a->of); targets; targets = bits_rest(targets)) {
        unsigned square = bits_first(targets);
        uint64_t found = position_attackers(p, STAMMA_WHITE, square, occupied) |
                         position_attackers(p, STAMMA_BLACK, square, occupied);
        if (query_in_ranges(a->n.ranges, a->n.count, bits_count(found & by)))
            return true;
    }
    return false;
}

/* ---- rays ---- */

typedef struct direction {
    int files, ranks;
} direction;

static const direction directions[8] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

/* Returns the first occupied square from `square` in a direction, or STAMMA_SQUARE_NONE. */
static unsigned next_piece(unsigned square, direction d, uint64_t occupied)
{
    int file = (int)(square & 7), rank = (int)(square >> 3);
    for (;;) {
        file += d.files;
        rank += d.ranks;
        if (file < 0 || file > 7 || rank < 0 || rank > 7)
            return STAMMA_SQUARE_NONE;
        unsigned next = (unsigned)(rank * 8 + file);
        if (occupied >> next & 1)
            return next;
    }
}

/* Returns whether the pieces after the first piece are met in order in a direction. `sets` contains the allowed squares
 * of each piece. */
static bool meets(const uint64_t *sets, size_t count, unsigned square, direction d, uint64_t occupied)
{
    for (size_t n = 1; n < count; n++) {
        square = next_piece(square, d, occupied);
        if (square >= 64 || !(sets[n] >> square & 1))
            return false;
    }
    return true;
}

static bool is_ray(const query_ray *ray, const stamma_position *p)
{
    uint64_t sets[QUERY_RAY_MAX], occupied = position_occupied(p);
    for (size_t n = 0; n < ray->count; n++) {
        sets[n] = stamma_squares_of(p, ray->pieces[n]);
        if (!sets[n])
            return false;
    }
    uint64_t straight = position_straight_sliders(p), diagonal = position_diagonal_sliders(p);
    for (uint64_t first = sets[0] & (straight | diagonal); first; first = bits_rest(first)) {
        unsigned square = bits_first(first);
        for (unsigned n = 0; n < 8; n++)
            if ((n < 4 ? straight : diagonal) >> square & 1 && meets(sets, ray->count, square, directions[n], occupied))
                return true;
    }
    return false;
}

/* ---- batteries ---- */

static bool is_battery(query_word pieces, const stamma_position *p)
{
    uint64_t occupied = position_occupied(p), squares = stamma_squares_of(p, pieces);
    for (unsigned color = 0; color < 2; color++) {
        uint64_t straight = squares & p->by_color[color] & position_straight_sliders(p);
        uint64_t diagonal = squares & p->by_color[color] & position_diagonal_sliders(p);
        for (uint64_t left = straight; left; left = bits_rest(left))
            if (rook_attacks(bits_first(left), occupied) & straight)
                return true;
        for (uint64_t left = diagonal; left; left = bits_rest(left))
            if (bishop_attacks(bits_first(left), occupied) & diagonal)
                return true;
    }
    return false;
}

bool stamma_match_lines(const query_rule *rule, size_t n, const stamma_position *position)
{
    switch (rule->kind) {
    case QUERY_ATTACKERS: return are_attackers((const query_attackers *)rule->values + n, position);
    case QUERY_RAY: return is_ray((const query_ray *)rule->values + n, position);
    default: return is_battery(((const query_word *)rule->values)[n], position);
    }
}
