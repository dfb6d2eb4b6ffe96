/* SPDX-License-Identifier: MIT */
/* Evaluates a query on an index file: lists the games that match and the games that must be read. */
#ifndef STAMMA_SEARCH_PLAN_H
#define STAMMA_SEARCH_PLAN_H

#include "search/search_index.h"
#include "search/verdicts.h"

/* A game that matches or must be tested. Games are sorted as numbers: the high bits are the number in the archive, from
 * 1; then follow the verdict and a detail. For YES, the detail is the first ply that matches, or 0 if the query does
 * not concern plies. For MAYBE, it is the rank of the game, which is needed only if the plan has tests. */
typedef uint64_t planned_game;
enum { PLANNED_DETAIL_BITS = 28, PLANNED_GAME_SHIFT = PLANNED_DETAIL_BITS + 2 };

STAMMA_INLINE planned_game planned_game_of(uint64_t game, verdict v, uint32_t detail)
{
    return game << PLANNED_GAME_SHIFT | (uint64_t)v << PLANNED_DETAIL_BITS | detail;
}
STAMMA_INLINE uint64_t planned_number(planned_game p)
{
    return p >> PLANNED_GAME_SHIFT;
}
STAMMA_INLINE verdict planned_verdict(planned_game p)
{
    return (verdict)(p >> PLANNED_DETAIL_BITS & 3);
}
STAMMA_INLINE uint32_t planned_detail(planned_game p)
{
    return (uint32_t)p & ((UINT32_C(1) << PLANNED_DETAIL_BITS) - 1);
}

/* ---- plan_filter.c: rules that facts and names decide ---- */

/* The names that match a rule, by number. For QUERY_PLAYERS: bits of the first and of the second pattern. */
typedef struct name_rule {
    const query_rule *rule;
    buffer matches; /* uint8_t */
    bool required;  /* a rule of the query itself, not of a nested condition: only games that the filter lists match */
} name_rule;

enum { NAME_RULES_MAX = 4, CLASS_RULES_MAX = 4 };

/* The games of a rule on openings or ECO codes. */
typedef struct class_rule {
    const query_rule *rule;
    bool required;         /* as in name_rule */
    buffer sure, possible; /* uint64_t: a bit for each rank: games that the rule matches; games whose tag decides */
} class_rule;

/* Tables that differ from YES. */
enum { FACTS_MONTH = 1, FACTS_WHITE = 2, FACTS_BLACK = 4, FACTS_MEAN = 8, FACTS_DIFFERENCE = 16, FACTS_RESULT = 32 };
enum { FACTS_RULES = 64 };

/* The verdicts of the rules of a condition that depend only on facts, by the values of facts. */
typedef struct fact_tables {
    uint64_t rules; /* a bit for each of the first FACTS_RULES rules that the tables replace */
    unsigned used;  /* FACTS_... */
    bool all;       /* the tables replace all rules */
    uint8_t months[1 << 16];
    uint8_t ratings[2][1 << 12];  /* by color */
    uint8_t sums[1 << 13];        /* by the sum of both ratings, if both are known */
    uint8_t differences[1 << 13]; /* by White's rating less Black's plus SEARCH_ODD_RATING, if both are known */
    uint8_t results[1 << 5];      /* by the result plus four times the speed */
    uint8_t unrated;              /* if a rating is unknown */
} fact_tables;

/* Tests games of one segment. */
typedef struct plan_filter {
    index_file *file;
    const index_segment *segment;
    const query_condition *root; /* NULL: all games match */
    size_t name_rules;
    name_rule names[NAME_RULES_MAX];
    size_t class_rules;
    class_rule classes[CLASS_RULES_MAX];
    bool without_facts;        /* no rule of the query depends on facts */
    const fact_tables *tables; /* set by the caller, for many games; NULL: rules are evaluated */
    /* uint64_t: a bit for each rank. The bit is set if the game has all names, openings and codes that the query
     * requires, or may have them. Empty: the query requires none. Testing all games of a position by their players
     * would read most pages of the players in random order. */
    buffer listed;
    /* uint64_t: a bit for each rank. The bit is set if an endgame of the game meets all rules that neither facts nor
     * names decide. Empty: nothing is known. */
    buffer sure;
    bool met;             /* set by the caller: a position of the game meets the rules that targets are made of */
    bool endgames_decide; /* the query has no rule that facts, names or classes decide */
} plan_filter;

/* Prepares a filter for a segment. f->tables must be set. Rules that neither facts nor names decide are MAYBE. Errors:
 * CORRUPT, NO_MEMORY. */
stamma_error stamma_plan_filter_open(plan_filter *f, index_file *file, const index_segment *segment,
                                     const query_condition *root);
void stamma_plan_filter_release(plan_filter *f);
/* Removes from the list the typed games without an endgame that may meet the query. The segment must have endgames, and
 * stamma_endgames_bound must be true for the query. `decides`: no plies are needed, so that endgames may decide a game.
 * Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_plan_filter_list_endgames(plan_filter *f, bool decides);
/* Returns whether only positions with an endgame meet a condition. */
bool stamma_endgames_bound(const query_condition *condition);
/* Returns the verdict of a game on all rules except FEN rules. */
verdict stamma_plan_filter_test(const plan_filter *f, uint32_t rank);
/* Stores the verdicts of `count` games, starting at `rank`. Returns false if the index is damaged. */
bool stamma_plan_filter_test_run(const plan_filter *f, uint32_t rank, uint32_t count, uint8_t *verdicts);
/* Returns the verdict of a rule on a game. MAYBE: neither facts nor names decide the rule. */
verdict stamma_plan_filter_rule(const plan_filter *f, const query_rule *rule, uint32_t rank);
/* Returns the rank of the first game that may match, starting at `rank`; `end` if there is none before `end`. `end`
 * must be at least `rank`. */
STAMMA_INLINE uint32_t plan_filter_next(const plan_filter *f, uint32_t rank, uint32_t end)
{
    const uint64_t *words = (const uint64_t *)(const void *)f->listed.data;
    if (f->listed.size == 0 || rank == end)
        return rank;
    uint64_t word = words[rank / 64] >> rank % 64 << rank % 64;
    for (rank -= rank % 64; !word && rank + 64 < end; word = words[rank / 64])
        rank += 64;
    rank = word ? rank + bits_first(word) : end;
    return rank < end ? rank : end;
}
/* Returns the lowest verdict of the tables for facts that are not odd. */
STAMMA_INLINE verdict fact_tables_test(const fact_tables *t, const index_facts *f)
{
    const unsigned white = f->rating[STAMMA_WHITE] & 4095u, black = f->rating[STAMMA_BLACK] & 4095u;
    const bool rated = white > 0 && black > 0;
    verdict v = rated ? (verdict)t->sums[white + black] : (verdict)t->unrated;
    v = rated ? verdict_lesser(v, (verdict)t->differences[white + SEARCH_ODD_RATING - black]) : v;
    v = verdict_lesser(v, (verdict)t->months[f->month]);
    v = verdict_lesser(v, (verdict)t->ratings[STAMMA_WHITE][white]);
    v = verdict_lesser(v, (verdict)t->ratings[STAMMA_BLACK][black]);
    return verdict_lesser(v, (verdict)t->results[(f->result & 3) | (f->speed & 7) << 2]);
}

/* Makes tables of those rules of a condition that depend only on facts. Returns NULL if memory is exhausted, or if
 * there is no rule like this among other rules. */
fact_tables *stamma_fact_tables_make(const query_condition *root, const stamma_allocator *allocator);
/* Returns whether the tables replace rule `n` of their condition. */
STAMMA_INLINE bool fact_tables_replace(const fact_tables *t, unsigned n)
{
    return n < FACTS_RULES && (t->rules >> n & 1);
}
/* ---- plan_classes.c: rules on openings and ECO codes ---- */

bool stamma_rule_is_class(query_kind kind);
/* Finds the games of a rule, if the segment has classes. Returns false if memory is exhausted or the index is
 * damaged. */
bool stamma_plan_filter_add_class(plan_filter *f, const query_rule *rule, bool required);
/* Removes from the list the games that do not match a required rule. Returns false if memory is exhausted. */
bool stamma_plan_filter_list_classes(plan_filter *f);
verdict stamma_plan_filter_class(const plan_filter *f, const query_rule *rule, uint32_t rank);
void stamma_plan_filter_release_classes(plan_filter *f);

/* Returns whether a rule tests names of players. */
bool stamma_rule_is_name(query_kind kind);
/* Returns whether a rule is composed of conditions: all must hold, one must hold, or one must not hold. */
bool stamma_rule_is_composed(query_kind kind);
/* Return whether a filter decides a rule, or all rules of a condition. */
bool stamma_plan_filters(const query_rule *rule);
bool stamma_plan_filters_condition(const query_condition *condition);
/* Returns the verdict of a rule that depends only on facts that are not odd. */
verdict stamma_plan_facts_verdict(const query_rule *rule, const index_facts *facts);

/* ---- plan_patterns.c ---- */

/* A search of the typed games of a segment for patterns of positions. */
typedef struct pattern_search {
    index_file *file;
    const stamma_bytes *archive;
    const index_segment *segment;
    const position_target *targets;
    size_t target_count;
    const plan_filter *filter;       /* games that it excludes are not played */
    uint64_t most;                   /* number of games that may be played */
    const stop_check *stop;          /* NULL: none */
    const stamma_executor *executor; /* NULL: the calling thread plays the games */
} pattern_search;

/* Games that pass a node with a target, or leave the trie at a node from which a target may be reached. */
typedef struct pattern_range {
    uint32_t begin, end; /* ranks */
    uint32_t depth;      /* of the node */
    bool met;
} pattern_range;

/* A game that meets a target first at this ply, after it leaves the trie. */
typedef struct pattern_hit {
    uint32_t rank, ply;
} pattern_hit;

/* Stores the pattern_range of nodes, in the order of the ranks. Games in no range do not meet a target. Errors: LIMIT
 * (more than s->most games must be played), CORRUPT, NO_MEMORY, CANCELLED. */
stamma_error stamma_pattern_search_nodes(const pattern_search *s, buffer *ranges);
/* Plays the games of the ranges that are not met, and stores the pattern_hit of those that meet a target, in the order
 * of the ranks. Errors: CORRUPT, NO_MEMORY, CANCELLED. */
stamma_error stamma_pattern_search_games(const pattern_search *s, const buffer *ranges, buffer *hits);

/* ---- search_plan.c ---- */

typedef struct search_plan {
    buffer games;             /* planned_game, ascending */
    bool usable;              /* false: the index does not help with this query */
    struct plan_tests *tests; /* tests of the games with verdict MAYBE (plan_verify.h); NULL: there are none */
    /* Set by the caller: one matching game is enough, from number `first` to number `last`. If a game is found that
     * matches, the plan has no other game. */
    bool any;
    uint64_t first, last;
} search_plan;

/* What a plan is for. */
typedef struct plan_purpose {
    const stamma_query *query; /* NULL: all games match */
    search_limits *limits;
    const stamma_executor *executor;      /* NULL: the calling thread does all work */
    const stamma_search_options *options; /* `most` and the order; NULL: all games are wanted */
    /* by result, as in search columns: incremented for each game with verdict YES, which is not listed. NULL: all games
     * are listed */
    uint64_t *results;
    uint64_t memory; /* limit in bytes of the list of games that only facts select, and of its copy for sorting */
    bool restricted; /* the search does not concern all games of the archive */
} plan_purpose;

void stamma_search_plan_init(search_plan *p, const stamma_allocator *allocator);
void stamma_search_plan_release(search_plan *p);
/* Sets the target of a hunt, which must be an exact position. */
void stamma_search_plan_aim(index_hunt *hunt, const position_target *target);
/* Sorts the games from an index on, and merges the entries of a game. Errors: NO_MEMORY. */
stamma_error stamma_search_plan_sort(search_plan *p, size_t from);
/* Makes a plan, which must be empty. If it is not usable, nothing was counted. Errors: CORRUPT (the index file is
 * damaged), NO_MEMORY, CANCELLED. */
stamma_error stamma_search_plan_make(search_plan *p, const stamma_search_index *index, const stamma_bytes *archive,
                                     const plan_purpose *purpose);

/* ---- plan_order.c: games that may be among the first in an order ---- */

/* A game, and its place in the order. */
typedef struct ordered_game {
    uint64_t place; /* the first game has the lowest; 0: not known */
    planned_game game;
} ordered_game;

typedef struct plan_order {
    stamma_search_order by;
    bool descending;
    bool ties;      /* games at the same place as the last of the first games are kept */
    uint64_t most;  /* number of first games */
    uint64_t bound; /* games at later places are not among the first */
    buffer games;   /* ordered_game */
    size_t reduce_at;
} plan_order;

void stamma_plan_order_init(plan_order *o, const stamma_search_options *options, const stamma_allocator *allocator);
void stamma_plan_order_release(plan_order *o);
/* Returns the place of a game. */
uint64_t stamma_plan_order_place(const plan_order *o, index_file *x, const index_segment *s, uint32_t rank);
/* Returns whether facts decide the places of most games. */
STAMMA_INLINE bool plan_order_is_by_facts(const plan_order *o)
{
    return o->by != STAMMA_ORDER_NUMBER && o->by != STAMMA_ORDER_PLIES;
}
/* Sets the verdict NO for games that are not among the first, of `count` games whose facts are stored one after
 * another. The order must be by facts. */
void stamma_plan_order_exclude(const plan_order *o, const uint8_t *facts, uint32_t count, uint8_t *verdicts);
/* Adds a game. Returns false if memory is exhausted. */
bool stamma_plan_order_add(plan_order *o, uint64_t place, planned_game game);
/* Sorts the games by place, and drops those that are not among the first. */
void stamma_plan_order_reduce(plan_order *o);

#endif
