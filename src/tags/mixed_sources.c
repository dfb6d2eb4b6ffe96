/* SPDX-License-Identifier: MIT */
/* Chooses the columns on which the values of a column may depend (clause 21.2). Each earlier column is tried as the
 * only source, with a quick estimate of the cost of the values' bytes. For a set of sources, the cost of a value is its
 * smallest estimate; the columns that reduce the sum of these costs most are selected. A bad choice only makes the
 * archive larger. */
#include "tags/tags.h"

enum {
    RECORDS = 8192, /* maximum number of records in the estimate */
    CELL_BITS = 17,
    UNIT = 16, /* costs are in 1/UNIT of a bit */
    STEADY = 4 /* number of nearly consecutive occurrences after which a byte is certain */
};

/* A byte in a context: the check of the context, the number of occurrences, and the byte. */
typedef struct cell {
    uint16_t check;
    uint8_t times, byte;
} cell;

typedef struct estimate {
    const tag_table *t;
    size_t column;
    cell *cells;
    uint32_t *hashes; /* by number of the text; 0 if not yet computed */
    size_t count;     /* number of values in the estimate */
    uint32_t *records, *least, *now;
} estimate;

static uint32_t byte_cost(cell *c, uint32_t hash, uint8_t byte)
{
    static const uint8_t same[STEADY + 1] = {0, 10, 4, 4, 1}, other[STEADY + 1] = {0, 80, 96, 96, 112};
    uint16_t check = (uint16_t)(hash | 1);
    if (c->check != check) {
        *c = (cell){check, 1, byte};
        return 3 * UNIT;
    }
    unsigned times = c->times;
    if (c->byte == byte) {
        c->times = (uint8_t)(times + (times < STEADY));
        return same[times];
    }
    *c = times > 1 ? (cell){check, (uint8_t)(times / 2), c->byte} : (cell){check, 1, byte};
    return other[times];
}

static uint32_t text_hash(const estimate *e, uint32_t number)
{
    uint32_t hash = e->hashes[number];
    stamma_text text = tag_text(e->t, number);
    for (size_t i = 0; i < text.size && e->hashes[number] == 0; i++)
        hash = mixed_hash(hash, (uint8_t)text.data[i] + 1u);
    return e->hashes[number] = hash | 1;
}

/* Estimates the cost of each value if the value of `source` is known. TAG_NONE: no source. */
static void find_costs(const estimate *e, uint8_t source, uint32_t *costs)
{
    memset(e->cells, 0, sizeof *e->cells << CELL_BITS);
    for (size_t i = 0; i < e->count; i++) {
        uint32_t other = source == TAG_NONE ? 0 : tag_value(e->t, source, e->records[i]);
        uint32_t hash = other == 0 ? 0 : text_hash(e, other);
        stamma_text text = tag_text(e->t, tag_value(e->t, e->column, e->records[i]));
        costs[i] = 0;
        for (size_t n = 0; n <= text.size; n++) {
            uint8_t byte = n < text.size ? (uint8_t)text.data[n] : 0;
            uint32_t place = mixed_hash(hash, (uint32_t)n);
            costs[i] += byte_cost(&e->cells[place >> (32 - CELL_BITS)], place, byte);
            hash = mixed_hash(hash, byte + 1u);
        }
    }
}

/* Returns the sum of the smallest costs if another source, with these costs, is added. */
static uint64_t sum_with(const estimate *e, const uint32_t *costs)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < e->count; i++)
        sum += costs[i] < e->least[i] ? costs[i] : e->least[i];
    return sum;
}

/* Returns whether values of the column may be derived from the game. A column like this cannot be a source. */
static bool is_made(const tag_plan *plan)
{
    for (size_t i = 0; i < plan->source_count && !plan->numbers; i++)
        if (plan->sources[i].what >= FACT_MADE)
            return true;
    return false;
}

/* Adds the best remaining source if its saving is large enough. */
static bool choose_one(estimate *e, mixed_plan *plan)
{
    const tag_table *t = e->t;
    uint8_t best = TAG_NONE;
    uint64_t least = sum_with(e, e->least);
    least -= least / 256;
    for (size_t n = 0; n < t->places[e->column]; n++) {
        uint8_t source = t->order[n];
        if (is_made(&t->plans[source]))
            continue;
        find_costs(e, source, e->now);
        uint64_t sum = sum_with(e, e->now);
        if (sum < least) {
            least = sum;
            best = source;
        }
    }
    if (best == TAG_NONE)
        return false;
    find_costs(e, best, e->now);
    for (size_t i = 0; i < e->count; i++)
        e->least[i] = e->now[i] < e->least[i] ? e->now[i] : e->least[i];
    plan->sources[plan->source_count++] = best;
    return true;
}

stamma_error stamma_mixed_sources_choose(const tag_table *t, size_t column, mixed_plan *plan)
{
    const stamma_allocator *allocator = t->allocator;
    size_t texts = (t->texts.count + 1) * sizeof(uint32_t);
    uint32_t *memory = (uint32_t *)memory_allocate(allocator, 3 * RECORDS * sizeof(uint32_t) + texts);
    estimate e = {.t = t,
                  .column = column,
                  .cells = (cell *)memory_allocate(allocator, sizeof(cell) << CELL_BITS),
                  .records = memory};
    bool fine = e.cells && memory;
    if (fine) {
        e.least = memory + RECORDS;
        e.now = e.least + RECORDS;
        e.hashes = e.now + RECORDS;
        memset(e.hashes, 0, texts);
        for (size_t r = 0; r < t->records && e.count < RECORDS; r++)
            if (tag_value(t, column, r) != 0)
                e.records[e.count++] = (uint32_t)r;
        find_costs(&e, TAG_NONE, e.least);
        while (plan->source_count < MIXED_SOURCES && choose_one(&e, plan)) {
        }
    }
    memory_release(allocator, e.cells);
    memory_release(allocator, memory);
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
