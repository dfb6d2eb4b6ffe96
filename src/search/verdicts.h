/* SPDX-License-Identifier: MIT */
/* Evaluates a query on a block's index: for each record, decides whether it matches, does not match, or must be
 * read. */
#ifndef STAMMA_VERDICTS_H
#define STAMMA_VERDICTS_H

#include "search/block_positions.h"
#include "search/block_tags.h"
#include "search/search.h"

/* Maximum number of positions or patterns of a condition; only the matcher evaluates conditions with more. */
enum { TARGETS_MAX = 8 };

/* ---- targets_compile.c ---- */

/* Returns whether rules of this kind can be compiled to targets. */
bool stamma_rule_is_target(query_kind kind);
/* Compiles rules of a condition to targets, for each turn of the condition; other rules of the condition are ignored.
 * Returns the number of targets, at most TARGETS_MAX. A position that meets the compiled rules meets one of the
 * targets. If *all is set, the converse also holds. Returns 0 if the condition has no selective rules of this kind, or
 * needs too many targets or tests. */
size_t stamma_targets_compile(const query_condition *condition, position_target *targets, bool *all);
/* Compiles one FEN rule of a condition, or, if `fen` is NULL, all other rules that can be compiled. Returns the number
 * of targets, or 0 as above. A position that meets the rules meets one of the targets, and the converse. */
size_t stamma_targets_compile_turns(const query_condition *condition, const query_rule *fen, position_target *targets);

typedef enum verdict { VERDICT_NO, VERDICT_MAYBE, VERDICT_YES } verdict;

STAMMA_INLINE verdict verdict_lesser(verdict a, verdict b)
{
    return a < b ? a : b;
}
/* Returns the verdict of a negation. */
STAMMA_INLINE verdict verdict_contrary(verdict v)
{
    return v == VERDICT_MAYBE ? VERDICT_MAYBE : v == VERDICT_NO ? VERDICT_YES : VERDICT_NO;
}

/* ---- fact_verdicts.c ---- */

/* Facts of a game, as in search columns. */
typedef struct search_facts {
    unsigned white; /* rating */
    unsigned black;
    unsigned month;
    unsigned result;
} search_facts;

/* Returns whether facts decide a rule. */
bool stamma_rule_is_fact(query_kind kind);
/* Returns the verdict of a rule that facts decide. */
verdict stamma_fact_verdict(const query_rule *rule, const search_facts *facts);

/* ---- verdicts.c ---- */

/* A block to be tested. */
typedef struct asked_block {
    const block_index *index;
    const block_tags *tags; /* tags that are kept; NULL: none */
    found_block at;
    const uint8_t *known; /* by record: a verdict that is known; MAYBE: it is to be found. NULL: none is known */
} asked_block;

typedef struct block_verdicts {
    const stamma_allocator *allocator;
    search_limits *limits; /* set by the caller; NULL: none */
    const asked_block *block;
    const stamma_query *query;
    stamma_matcher *matcher; /* tests values of tags; NULL before first use */
    block_tags own;          /* tags that are not kept, read on first use */
    bool own_is_open;
    buffer matches; /* uint8_t per value: verdicts for one tag; `others`: for a second tag */
    buffer others;
    buffer verdicts; /* uint8_t per record */
    buffer plies;    /* uint32_t per record: the first ply that matches, if the record matches */
    size_t maybes;   /* number of records that must be read */
    size_t yeses;    /* number of records that match */
    position_search positions;
} block_verdicts;

void stamma_verdicts_init(block_verdicts *v, const stamma_allocator *allocator);
void stamma_verdicts_release(block_verdicts *v);
/* Set the verdict NO for each record of a block, and set the verdict of a record. stamma_verdicts_begin returns false
 * if memory is exhausted. */
bool stamma_verdicts_begin(block_verdicts *v, const block_index *x);
void stamma_verdicts_set(block_verdicts *v, size_t record, verdict verdict, uint32_t ply);
/* Returns whether a query has a rule that the column of facts can answer. */
bool stamma_query_asks_facts(const stamma_query *query);
/* Finds the verdicts of a block's records. `query` NULL: every game matches. Errors: CORRUPT, UNSUPPORTED, NO_MEMORY,
 * CANCELLED. */
stamma_error stamma_verdicts_find(block_verdicts *v, const asked_block *block, const stamma_query *query);

/* ---- verdict_tags.c ---- */

/* Sets the verdicts of records for a rule that depends only on tags. Only verdicts MAYBE change; they stay MAYBE if the
 * values are not known. Errors: CORRUPT, UNSUPPORTED, NO_MEMORY, CANCELLED. */
stamma_error stamma_verdicts_ask_tags(block_verdicts *v, const query_rule *rule, uint8_t *verdicts);

#endif
