/* SPDX-License-Identifier: MIT */
/* Rules about the course of a game: pieces followed from square to square, and repeated positions. */
#include "query/query.h"

/* ---- pieces by number ---- */

enum { NO_PIECE = 255, PIECES_MAX = 64 };

/* The effect of a move on the pieces, which are numbered by their squares at the start of the game. */
typedef struct path_step {
    uint8_t moved, to;     /* NO_PIECE for a null move */
    uint8_t rook, rook_to; /* castling; otherwise NO_PIECE */
    uint8_t captured;      /* NO_PIECE: no capture */
} path_step;

static path_step step_of(const stamma_position *before, stamma_move move, const uint8_t pieces[64])
{
    path_step s = {NO_PIECE, 0, NO_PIECE, 0, NO_PIECE};
    if (move == STAMMA_MOVE_NULL)
        return s;
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), side = before->side;
    s.moved = pieces[from];
    s.to = (uint8_t)to;
    if (stamma_move_is_castling(move)) {
        unsigned rook = before->castling[side][castling_side(move)];
        s.rook = rook < 64 ? pieces[rook] : NO_PIECE;
        s.rook_to = (uint8_t)((to & 56) + (castling_side(move) == STAMMA_KING_SIDE ? 5 : 3));
    } else if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT) {
        s.captured = pieces[(from & 56) | (to & 7)];
    } else {
        s.captured = pieces[to];
    }
    return s;
}

static void update(uint8_t pieces[64], const path_step *s, const stamma_position *before, stamma_move move)
{
    unsigned from = stamma_move_from(move);
    if (s->moved == NO_PIECE)
        return;
    if (stamma_move_is_castling(move) && before->castling[before->side][castling_side(move)] < 64)
        pieces[before->castling[before->side][castling_side(move)]] = NO_PIECE;
    if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT)
        pieces[(from & 56) | (s->to & 7)] = NO_PIECE;
    pieces[from] = NO_PIECE;
    pieces[s->to] = s->moved;
    if (s->rook != NO_PIECE)
        pieces[s->rook_to] = s->rook;
}

/* Returns the steps of all moves. Returns NULL and sets `failed` if memory is exhausted. */
static const path_step *find_steps(stamma_matcher *m, const stamma_position *positions)
{
    uint8_t pieces[64];
    if (!m->steps_known) {
        m->steps.size = 0;
        if (!buffer_reserve(&m->steps, size_multiply(m->plies + 1, sizeof(path_step)))) {
            m->failed = true;
            return NULL;
        }
        path_step *steps = (path_step *)(void *)m->steps.data;
        for (unsigned square = 0; square < 64; square++)
            pieces[square] = position_occupied(&positions[0]) >> square & 1 ? (uint8_t)square : NO_PIECE;
        for (size_t ply = 0; ply < m->plies; ply++) {
            steps[ply] = step_of(&positions[ply], m->game->moves[ply], pieces);
            update(pieces, &steps[ply], &positions[ply], m->game->moves[ply]);
        }
        m->steps_known = true;
    }
    return (const path_step *)(const void *)m->steps.data;
}

/* ---- paths ---- */

/* Follows all pieces from the end of the game to its start. `wanted` is the number of visits of a piece that must
 * precede the moves examined so far; 1: only the first visit. A piece is on its square until ply `until`. */
typedef struct path_walk {
    const stamma_position *positions;
    query_word pieces;
    const query_path *path;
    unsigned turn;
    size_t wanted[PIECES_MAX];
    size_t until[PIECES_MAX];
    uint64_t *found;
} path_walk;

static bool is_visit(const path_walk *w, size_t n, unsigned square)
{
    return stamma_squares_turned(w->path->visits[n], w->turn) >> square & 1;
}

static void mark(uint64_t *set, size_t first, size_t end)
{
    for (size_t ply = first; ply < end;) {
        size_t word = ply / 64, last = end < (word + 1) * 64 ? end : (word + 1) * 64;
        set[word] |= ~UINT64_C(0) >> (64 - (last - ply)) << ply % 64;
        ply = last;
    }
}

/* Examines the arrival of a piece on a square at a ply, where it remains until w->until. */
static void arrive(path_walk *w, unsigned piece, unsigned square, size_t ply)
{
    if (piece >= PIECES_MAX)
        return;
    if (w->wanted[piece] == 1 && is_visit(w, 0, square) &&
        stamma_squares_of(&w->positions[ply], w->pieces) >> square & 1)
        mark(w->found, ply, w->until[piece]);
    else if (w->wanted[piece] > 1 && is_visit(w, w->wanted[piece] - 1, square))
        w->wanted[piece]--;
    w->until[piece] = ply;
}

static void walk(path_walk *w, const path_step *steps, size_t plies)
{
    for (unsigned piece = 0; piece < PIECES_MAX; piece++) {
        w->wanted[piece] = w->path->count;
        w->until[piece] = plies + 1;
    }
    for (size_t ply = plies; ply > 0; ply--) {
        const path_step *s = &steps[ply - 1];
        if (s->captured < PIECES_MAX)
            w->until[s->captured] = ply;
        arrive(w, s->moved, s->to, ply);
        arrive(w, s->rook, s->rook_to, ply);
    }
    for (uint64_t left = position_occupied(&w->positions[0]); left; left = bits_rest(left))
        arrive(w, bits_first(left), bits_first(left), 0);
}

/* Exchanges the colors of a set of pieces if they are turned. */
static query_word turn_pieces(query_word pieces, unsigned turn)
{
    return turn & QUERY_TURN_COLORS ? (pieces & 0x3F) << 6 | (pieces >> 6 & 0x3F) : pieces;
}

void stamma_match_path(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    const stamma_position *positions = stamma_matcher_positions(m, 0);
    const path_step *steps = positions ? find_steps(m, positions) : NULL;
    if (!steps)
        return;
    uint64_t *found = plies_take(m);
    plies_clear(m, found);
    for (size_t n = 0; n < rule->count && !m->game->no_start; n++) {
        const query_path *path = (const query_path *)rule->values + n;
        path_walk w = {.positions = positions,
                       .pieces = turn_pieces(path->pieces, m->turn),
                       .path = path,
                       .turn = m->turn,
                       .found = found};
        walk(&w, steps, m->plies);
    }
    for (size_t i = 0; i < m->words; i++)
        plies[i] &= found[i];
    m->sets_used--;
}

/* ---- repetitions ---- */

/* The facts that are equal in two positions if one repeats the other (stamma_position_equal). */
typedef struct place {
    uint64_t sets[8];
    stamma_square castling[4];
    stamma_square en_passant;
    uint8_t side;
} place;

static place place_of(const stamma_position *p)
{
    place made;
    memset(&made, 0, sizeof made); /* includes the padding, because all bytes are compared */
    memcpy(made.sets, p->by_color, sizeof p->by_color);
    memcpy(made.sets + 2, p->by_type, sizeof p->by_type);
    for (unsigned i = 0; i < 4; i++)
        made.castling[i] = p->castling[i / 2][i % 2];
    made.en_passant = position_en_passant_pawns(p) ? p->en_passant : (stamma_square)STAMMA_SQUARE_NONE;
    made.side = p->side;
    return made;
}

static bool count_repeats(stamma_matcher *m, const stamma_position *positions)
{
    m->repeats.size = 0;
    stamma_text_table_clear(&m->places);
    if (!buffer_reserve(&m->repeats, size_multiply(m->plies + 1, sizeof(uint32_t))))
        return false;
    uint32_t *repeats = (uint32_t *)(void *)m->repeats.data;
    for (size_t ply = 0; ply <= m->plies; ply++) {
        const place at = place_of(&positions[ply]);
        uint32_t number = stamma_text_table_add(&m->places, (stamma_text){(const char *)&at, sizeof at});
        if (number == 0)
            return false;
        repeats[ply] = ++m->places.texts[number].mark;
    }
    return true;
}

const uint32_t *stamma_matcher_repeats(stamma_matcher *m)
{
    const stamma_position *positions = stamma_matcher_positions(m, 0);
    if (positions && !m->repeats_known) {
        m->repeats_known = count_repeats(m, positions);
        m->failed |= !m->repeats_known;
    }
    return m->repeats_known ? (const uint32_t *)(const void *)m->repeats.data : NULL;
}
