/* SPDX-License-Identifier: MIT */
/* Typical plans of an opening: pawn structures and endgames that arise, squares that pieces go to, and manoeuvres. */
#include "reporting/opening.h"

enum {
    FEATURES_MIN = 4096,
    CASTLED = 1 << 10 /* in the place of a king */
};

/* ---- lists of features ---- */

static int compare_keys(const void *left, const void *right)
{
    const opening_feature *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return 0;
}

static int compare_games(const void *left, const void *right)
{
    const opening_feature *a = left, *b = right;
    return a->games != b->games ? (a->games < b->games) - (a->games > b->games) : compare_keys(left, right);
}

static void merge(opening_features *f)
{
    size_t kept = 0;
    if (f->count > 1)
        qsort(f->list, f->count, sizeof *f->list, compare_keys);
    for (size_t i = 0; i < f->count; i++) {
        opening_feature *last = kept > 0 ? &f->list[kept - 1] : NULL, *next = &f->list[i];
        if (!last || compare_keys(last, next) != 0) {
            f->list[kept++] = *next;
            continue;
        }
        last->games += next->games;
        last->won += next->won;
        last->drawn += next->drawn;
        last->lost += next->lost;
    }
    f->count = f->merged = kept;
}

/* Adds a feature of a game. Merges before the list grows, unless most keys differ. */
static bool add(opening_features *f, const report_game *g, uint64_t first, uint64_t second)
{
    if (f->count == f->room && f->count >= FEATURES_MIN && f->merged * 2 <= f->count)
        merge(f);
    if (!tool_list_grow(&f->list, &f->room, f->count, 1, sizeof *f->list))
        return false;
    f->list[f->count++] = (opening_feature){.key = {first, second},
                                            .games = 1,
                                            .won = g->outcome == REPORT_WON,
                                            .drawn = g->outcome == REPORT_DRAWN,
                                            .lost = g->outcome == REPORT_LOST};
    return true;
}

static void finish(opening_features *f)
{
    merge(f);
    if (f->count > 1)
        qsort(f->list, f->count, sizeof *f->list, compare_games);
}

/* ---- structures and endgames ---- */

static uint64_t pieces(const stamma_position *p, stamma_color color, stamma_piece_type type)
{
    return p->by_color[color] & p->by_type[type];
}

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* Returns the pieces of a side, 4 bits for each type, and their number. */
static uint64_t pieces_of(const stamma_position *p, stamma_color color, unsigned *count)
{
    static const stamma_piece_type types[] = {STAMMA_QUEEN, STAMMA_ROOK, STAMMA_BISHOP, STAMMA_KNIGHT};
    uint64_t key = 0;
    *count = 0;
    for (size_t i = 0; i < 4; i++) {
        const unsigned n = count_bits(pieces(p, color, types[i]));
        key = key << 4 | (n < 15 ? n : 15);
        *count += n;
    }
    return key;
}

/* Returns whether each side has at most one piece besides king and pawns. */
static bool is_endgame(const stamma_position *p, uint64_t *key)
{
    unsigned white, black;
    const uint64_t first = pieces_of(p, STAMMA_WHITE, &white), second = pieces_of(p, STAMMA_BLACK, &black);
    *key = first << 16 | second;
    return white <= 1 && black <= 1;
}

/* ---- squares and manoeuvres ---- */

/* The squares that a piece visited; 0 moves: it has not moved. */
typedef struct trail {
    uint64_t start; /* opening_place of the first square */
    uint64_t squares;
    unsigned moves;
} trail;

typedef struct plans {
    opening_report *o;
    const report_game *g;
    bool visited[1024]; /* by opening_place */
    trail trails[64];   /* of the piece that is on a square now */
} plans;

static bool follow(plans *s, stamma_color color, stamma_piece_type type, stamma_square from, stamma_square to)
{
    trail t = s->trails[from];
    const uint64_t place = opening_place(color, type, to);
    s->trails[from] = (trail){.moves = 0};
    if (t.moves == 0)
        t.start = opening_place(color, type, from);
    if (t.moves + 1 < OPENING_PATH) {
        t.squares |= (uint64_t)to << 6 * t.moves;
        t.moves++;
        if (t.moves >= 2 && type != STAMMA_PAWN && type != STAMMA_KING &&
            !add(&s->o->manoeuvres, s->g, t.start, (uint64_t)t.moves << 56 | t.squares))
            return false;
    }
    s->trails[to] = t;
    if (s->visited[place])
        return true;
    s->visited[place] = true;
    return add(&s->o->placements, s->g, place, 0);
}

/* Adds a move before it is made. */
static bool add_move(plans *s, const stamma_position *p, stamma_move move)
{
    const stamma_square from = stamma_move_from(move), to = stamma_move_to(move);
    const stamma_color color = (stamma_color)p->side;
    for (int type = STAMMA_PAWN; type <= STAMMA_KING; type++)
        if (p->by_type[type] >> from & 1) {
            if (stamma_move_is_castling(move))
                return add(&s->o->placements, s->g, opening_place(color, STAMMA_KING, to) | CASTLED, 0);
            if (!follow(s, color, (stamma_piece_type)type, from, to))
                return false;
            if (stamma_move_is_promotion(move))
                s->trails[to] = (trail){.moves = 0};
            return true;
        }
    return true;
}

static bool add_game(opening_report *o, const report_game *g)
{
    plans s = {.o = o, .g = g};
    stamma_position p = o->r.start;
    uint64_t key;
    bool ended = is_endgame(&p, &key), right = true;
    for (size_t ply = 0; ply < g->plies && g->moves[ply] != STAMMA_MOVE_NULL && right; ply++) {
        if (ply < OPENING_PLAN_PLIES)
            right = add_move(&s, &p, g->moves[ply]);
        stamma_position_make(&p, g->moves[ply], &p);
        if (right && ply + 1 == OPENING_STRUCTURE_PLIES) {
            o->structures.games++;
            right =
                add(&o->structures, g, pieces(&p, STAMMA_WHITE, STAMMA_PAWN), pieces(&p, STAMMA_BLACK, STAMMA_PAWN));
        }
        if (right && !ended && is_endgame(&p, &key)) {
            ended = true;
            o->endgames.games++;
            right = add(&o->endgames, g, key, 0);
        }
    }
    return right;
}

bool opening_find_plans(opening_report *o)
{
    opening_features *const all[] = {&o->structures, &o->endgames, &o->placements, &o->manoeuvres};
    o->placements.games = o->manoeuvres.games = o->r.count;
    for (size_t i = 0; i < o->r.count; i++)
        if (!add_game(o, &o->r.games[i]))
            return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        finish(all[i]);
    return true;
}

/* ---- words ---- */

static const char letters[] = "PNBRQK";

static const char *square_text(stamma_square square, char out[3])
{
    (void)snprintf(out, 3, "%c%c", 'a' + square % 8, '1' + square / 8);
    return out;
}

static const char *type_text(unsigned type, char out[2])
{
    out[0] = type == STAMMA_PAWN ? 0 : letters[type];
    out[1] = 0;
    return out;
}

stamma_color opening_feature_color(const opening_feature *f)
{
    return f->key[0] >> 9 & 1 ? STAMMA_BLACK : STAMMA_WHITE;
}

const char *opening_placement_text(const opening_feature *f, char out[32])
{
    char square[3], type[2];
    const uint64_t place = f->key[0];
    if (place & CASTLED)
        (void)snprintf(out, 32, "%s", (place & 7) == 6 ? "O-O" : "O-O-O");
    else
        (void)snprintf(out, 32, "%s%s", type_text((unsigned)(place >> 6 & 7), type),
                       square_text((stamma_square)(place & 63), square));
    return out;
}

const char *opening_manoeuvre_text(const opening_feature *f, char out[32])
{
    char square[3];
    (void)opening_placement_text(f, out);
    for (unsigned i = 0; i < f->key[1] >> 56; i++) {
        const size_t size = strlen(out);
        (void)snprintf(out + size, 32 - size, "-%s", square_text((stamma_square)(f->key[1] >> 6 * i & 63), square));
    }
    return out;
}

const char *opening_endgame_text(const opening_feature *f, char out[32])
{
    size_t size = 0;
    for (int side = 0; side < 2; side++) {
        bool any = false;
        for (int i = 0; i < 4; i++)
            for (uint64_t n = f->key[0] >> (28 - 16 * side - 4 * i) & 15; n > 0 && size < 24; n--) {
                out[size++] = "QRBN"[i];
                any = true;
            }
        size += (size_t)snprintf(out + size, 32 - size, "%s%s", any ? "" : "K", side == 0 ? " v " : "");
    }
    return out;
}

const char *opening_structure_text(const opening_feature *f, char out[STAMMA_FEN_SIZE])
{
    char *at = out;
    for (int rank = 7; rank >= 0; rank--) {
        unsigned empty = 0;
        for (int file = 0; file < 8; file++) {
            const int square = 8 * rank + file;
            const char pawn = f->key[0] >> square & 1 ? 'P' : f->key[1] >> square & 1 ? 'p' : 0;
            if (pawn && empty > 0)
                *at++ = (char)('0' + empty);
            empty = pawn ? 0 : empty + 1;
            if (pawn)
                *at++ = pawn;
        }
        if (empty > 0)
            *at++ = (char)('0' + empty);
        *at++ = rank > 0 ? '/' : '\0';
    }
    return out;
}
