/* What a block's index alone says of a query: which of its records match, which do not, and which must be read. */
#ifndef STAMMA_VERDICTS_H
#define STAMMA_VERDICTS_H

#include "search/block_positions.h"
#include "search/block_tags.h"
#include "search/search.h"

/* So many positions or patterns of a condition are looked for; where there are more the matcher does it. */
enum { TARGETS_MAX = 8 };

/* ---- targets_compile.c ---- */

/* Rules of which targets are made. */
bool stamma_rule_is_target(query_kind kind);
/* Makes targets of such rules of a condition, TARGETS_MAX at most: a position that meets them meets one of the targets,
 * and where it is *all of them, the other way round. How many; 0: there are no such rules that tell much, or they are
 * more than can be said so. */
size_t stamma_targets_compile(const query_condition *condition, position_target *targets, bool *all);

/* ---- verdicts.c ---- */

typedef enum verdict { VERDICT_NO, VERDICT_MAYBE, VERDICT_YES } verdict;

/* A block that is asked. */
typedef struct asked_block {
    const block_index *index;
    const block_tags *tags; /* that are kept; NULL: none are */
    found_block at;
} asked_block;

typedef struct block_verdicts {
    const stamma_allocator *allocator;
    search_limits *limits; /* the caller's; NULL: none */
    const asked_block *block;
    const stamma_query *query;
    stamma_matcher *matcher; /* to ask values of tags; NULL until it is needed */
    block_tags own;          /* that are not kept, read where they are asked for */
    bool own_is_open;
    buffer matches; /* uint8_t: what is known of each value of a tag, and of another's */
    buffer others;
    buffer verdicts; /* uint8_t for each record */
    buffer plies;    /* uint32_t likewise: where one that matches does first */
    size_t maybes;   /* so many must be read, */
    size_t yeses;    /* and so many match */
    position_search positions;
} block_verdicts;

void stamma_verdicts_init(block_verdicts *v, const stamma_allocator *allocator);
void stamma_verdicts_release(block_verdicts *v);
/* Whether a query asks for what the column of facts tells. */
bool stamma_query_asks_facts(const stamma_query *query);
/* Looks at a block. Every game matches no query: NULL. CORRUPT, UNSUPPORTED, NO_MEMORY, CANCELLED. */
stamma_error stamma_verdicts_find(block_verdicts *v, const asked_block *block, const stamma_query *query);

/* ---- verdict_tags.c ---- */

/* Says of each record whether a rule holds that looks at tags alone; leaves those that are MAYBE so where that is not
 * known. CORRUPT, UNSUPPORTED, NO_MEMORY, CANCELLED. */
stamma_error stamma_verdicts_ask_tags(block_verdicts *v, const query_rule *rule, uint8_t *verdicts);

#endif
