/* What a block's index alone says of a query: which of its records match, which do not, and which must be read. */
#ifndef STAMMA_VERDICTS_H
#define STAMMA_VERDICTS_H

#include "search/block_positions.h"
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

typedef struct block_verdicts {
    const stamma_allocator *allocator;
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
/* Looks at an index that is open, of a block whose payload this is. Every game matches no query: NULL. CORRUPT,
 * NO_MEMORY. */
stamma_error stamma_verdicts_find(block_verdicts *v, const block_index *x, const uint8_t *payload,
                                  const stamma_query *query);

#endif
