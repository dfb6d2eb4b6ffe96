/* SPDX-License-Identifier: MIT */
/* Answers in the form of Lichess's tablebase. */
#include "tablebases/tablebase.h"

/* The results of the side to move, from lost to won. The rule of 50 moves makes the cursed win and the blessed loss
 * draws. Distances are rounded, so for 100 plies it is not known whether the rule applies ("maybe"). */
typedef enum category { LOSS, MAYBE_LOSS, BLESSED_LOSS, DRAW, UNKNOWN, CURSED_WIN, MAYBE_WIN, WIN } category;

typedef struct outcome {
    bool mate, stalemate, insufficient;
    category category;
    bool dtz_known;
    int dtz;
} outcome;

typedef struct choice {
    stamma_move move;
    stamma_position after;
    bool zeroing;
    outcome outcome; /* for the opponent */
} choice;

/* Returns the result of a won position, with the plies since the last capture or pawn move. */
static category category_of_win(const tablebase_result *r, unsigned clock)
{
    const unsigned plies = (unsigned)abs(r->dtz) + clock;
    if (abs(r->wdl) == 1)
        return CURSED_WIN;
    if (clock == 0)
        return WIN;
    if (!r->dtz_known || plies == 100)
        return MAYBE_WIN;
    return plies < 100 ? WIN : CURSED_WIN;
}

static category category_of(const tablebase_result *r, unsigned clock)
{
    if (!r->known)
        return UNKNOWN;
    if (r->wdl == 0)
        return DRAW;
    const category won = category_of_win(r, clock);
    return r->wdl > 0 ? won : won == WIN ? LOSS : won == MAYBE_WIN ? MAYBE_LOSS : BLESSED_LOSS;
}

static outcome outcome_of(const stamma_position *p)
{
    if (stamma_legal_moves_count(p) == 0) {
        const bool mate = stamma_position_in_check(p);
        return (outcome){.mate = mate, .stalemate = !mate, .category = mate ? LOSS : DRAW, .dtz_known = true};
    }
    if (stamma_position_is_insufficient(p))
        return (outcome){.insufficient = true, .category = DRAW, .dtz_known = true};
    const tablebase_result r = tablebase_probe(p);
    return (outcome){.category = category_of(&r, p->halfmove_clock), .dtz_known = r.dtz_known, .dtz = r.dtz};
}

/* Orders moves from the best: those that the opponent loses soonest first, those that the opponent wins soonest last.
 */
static int by_result(const void *left, const void *right)
{
    const choice *a = left, *b = right;
    if (a->outcome.category != b->outcome.category)
        return a->outcome.category < b->outcome.category ? -1 : 1;
    if (a->outcome.mate != b->outcome.mate)
        return a->outcome.mate ? -1 : 1;
    if (a->outcome.dtz != b->outcome.dtz)
        return a->outcome.dtz > b->outcome.dtz ? -1 : 1;
    return (a->move > b->move) - (a->move < b->move);
}

static void put_outcome(const outcome *o)
{
    static const char *const words[] = {"loss",    "maybe-loss", "blessed-loss", "draw",
                                        "unknown", "cursed-win", "maybe-win",    "win"};
    tool_json_string("category", words[o->category]);
    if (o->dtz_known)
        tool_json_integer("dtz", o->dtz);
    else
        tool_json_string("dtz", NULL);
    tool_json_string("precise_dtz", NULL);
    tool_json_string("dtm", NULL);
    tool_json_bool("checkmate", o->mate);
    tool_json_bool("stalemate", o->stalemate);
    tool_json_bool("insufficient_material", o->insufficient);
    tool_json_bool("variant_win", false);
    tool_json_bool("variant_loss", false);
}

static void put_choice(const stamma_position *p, const choice *c)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE];
    (void)stamma_uci_write(p, c->move, false, uci, sizeof uci);
    (void)stamma_san_write(p, c->move, san, sizeof san);
    tool_json_open(NULL, '{');
    tool_json_string("uci", uci);
    tool_json_string("san", san);
    tool_json_bool("zeroing", c->zeroing);
    put_outcome(&c->outcome);
    tool_json_close('}');
}

bool tablebase_put(const stamma_position *p)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    choice choices[STAMMA_MOVES_MAX];
    const size_t count = stamma_legal_moves(p, moves);
    const outcome o = outcome_of(p);
    for (size_t i = 0; i < count; i++) {
        choices[i] = (choice){.move = moves[i]};
        stamma_position_make(p, moves[i], &choices[i].after);
        choices[i].zeroing = choices[i].after.halfmove_clock == 0;
        choices[i].outcome = outcome_of(&choices[i].after);
    }
    qsort(choices, count, sizeof *choices, by_result);
    tool_json_begin();
    tool_json_open(NULL, '{');
    put_outcome(&o);
    tool_json_open("moves", '[');
    for (size_t i = 0; i < count; i++)
        put_choice(p, &choices[i]);
    tool_json_close(']');
    tool_json_close('}');
    tool_json_end();
    return o.category != UNKNOWN;
}
