/* SPDX-License-Identifier: MIT */
/* Chooses the classes of a stream's symbols (doc/format/block_columns.md, clause 14.10): a tree of cuts through the
 * levels of contexts. The tree is grown on a sample, always with the cut that gains most, until the frequencies of
 * another class would cost more than a cut gains. */
#include "entropy/entropy.h"

enum {
    SAMPLE = 32768,
    NODES_MAX = 2 * CLASSES_MAX - 1,
    BIT = 256,                 /* costs are in units of 1/256 bit */
    SYMBOL_COST = 7 * BIT / 2, /* approximate cost of a nonzero frequency */
    CLASS_COST = 40 * BIT
};

/* A part of the sample. */
typedef struct part {
    uint32_t begin, end;
    uint8_t node;
    uint8_t cut[CONTEXT_KINDS];
    int64_t gain[CONTEXT_KINDS]; /* of the best cut for each context */
} part;

typedef struct node {
    uint8_t context; /* CONTEXT_KINDS for a leaf */
    uint8_t cut;
    uint8_t below, above; /* indices of nodes */
} node;

typedef struct tree {
    uint64_t scale;   /* number of symbols in the stream */
    uint32_t size;    /* number of symbols in the sample */
    unsigned symbols; /* all symbols of the sample are below this */
    part parts[CLASSES_MAX];
    size_t part_count;
    node nodes[NODES_MAX];
    size_t node_count;
    bool varies[CONTEXT_KINDS]; /* whether a context varies in the sample; other contexts are useless */
    bool used[CONTEXT_KINDS];
    size_t used_count;
    class_map classes;
    uint32_t counts[CLASSES_MAX][NUMBER_SYMBOLS];
    /* The members from here on need not be initialized with zeros. */
    number_frequencies frequencies[CLASSES_MAX];
    uint16_t rows[CONTEXT_LEVELS][256]; /* counts of symbols */
    uint32_t below[NUMBER_SYMBOLS], above[NUMBER_SYMBOLS];
    context_symbol sample[SAMPLE];
} tree;

/* Returns x log2 x in units of 1/256 bit. */
static int64_t times_log(uint32_t x)
{
    return x == 0 ? 0 : (int64_t)((uint64_t)x * stamma_log2_256(x));
}

/* ---- growing ---- */

/* Returns the cost of a histogram: the entropy, scaled to the complete stream, and the frequencies. `sum`: the sum
 * of x log2 x of its counts. */
static int64_t cost_of(const tree *t, uint32_t total, int64_t sum, uint32_t symbols)
{
    return (int64_t)((uint64_t)(times_log(total) - sum) * t->scale / t->size) +
           symbols * (int64_t)(SYMBOL_COST + 2 * BIT * (t->scale / t->size)) + CLASS_COST;
}

/* Finds the best cut of a part for one context. Counts move from above the cut to below it, level by level. A hot
 * path. */
static void find_cut(tree *t, part *p, unsigned context)
{
    uint32_t totals[CONTEXT_LEVELS] = {0}, total = p->end - p->begin, below = 0;
    for (unsigned level = 0; level < CONTEXT_LEVELS; level++)
        memset(t->rows[level], 0, t->symbols * sizeof t->rows[level][0]);
    for (uint32_t i = p->begin; i < p->end; i++) {
        unsigned level = t->sample[i].levels[context];
        t->rows[level][t->sample[i].symbol]++;
        totals[level]++;
    }
    p->gain[context] = 0;
    for (unsigned level = 0; level < CONTEXT_LEVELS; level++)
        if (totals[level] == total)
            return;
    int64_t sum_below = 0, sum_above = 0;
    uint32_t symbols_below = 0, symbols_above = 0;
    for (unsigned symbol = 0; symbol < t->symbols; symbol++) {
        t->below[symbol] = t->above[symbol] = 0;
        for (unsigned level = 0; level < CONTEXT_LEVELS; level++)
            t->above[symbol] += t->rows[level][symbol];
        sum_above += times_log(t->above[symbol]);
        symbols_above += t->above[symbol] > 0;
    }
    int64_t cost = cost_of(t, total, sum_above, symbols_above);
    for (unsigned level = 0; level + 1 < CONTEXT_LEVELS && below + totals[level] < total; level++) {
        if (totals[level] == 0)
            continue;
        below += totals[level];
        for (unsigned symbol = 0; symbol < t->symbols; symbol++) {
            uint32_t n = t->rows[level][symbol];
            if (n == 0)
                continue;
            sum_below += times_log(t->below[symbol] + n) - times_log(t->below[symbol]);
            sum_above -= times_log(t->above[symbol]) - times_log(t->above[symbol] - n);
            symbols_below += t->below[symbol] == 0;
            t->below[symbol] += n;
            t->above[symbol] -= n;
            symbols_above -= t->above[symbol] == 0;
        }
        int64_t gain =
            cost - cost_of(t, below, sum_below, symbols_below) - cost_of(t, total - below, sum_above, symbols_above);
        if (gain > p->gain[context]) {
            p->gain[context] = gain;
            p->cut[context] = (uint8_t)(level + 1);
        }
    }
}

static bool may_use(const tree *t, unsigned context)
{
    return t->varies[context] && (t->used_count < CONTEXTS_USED || t->used[context]);
}

static void find_cuts(tree *t, part *p)
{
    for (unsigned context = 0; context < CONTEXT_KINDS; context++)
        if (may_use(t, context))
            find_cut(t, p, context);
}

static part *best_part(tree *t, unsigned *context)
{
    part *best = NULL;
    int64_t gain = 0;
    for (size_t i = 0; i < t->part_count; i++)
        for (unsigned c = 0; c < CONTEXT_KINDS; c++)
            if (may_use(t, c) && t->parts[i].gain[c] > gain) {
                best = &t->parts[i];
                gain = best->gain[c];
                *context = c;
            }
    return best;
}

/* Partitions the sample of a part by a cut. Returns the start of the symbols above the cut. */
static uint32_t divide(tree *t, const part *p, unsigned context)
{
    uint32_t at = p->begin;
    for (uint32_t i = p->begin; i < p->end; i++)
        if (t->sample[i].levels[context] < p->cut[context]) {
            context_symbol x = t->sample[i];
            t->sample[i] = t->sample[at];
            t->sample[at++] = x;
        }
    return at;
}

static void cut_part(tree *t, part *p, unsigned context)
{
    part *above = &t->parts[t->part_count++];
    t->nodes[p->node] = (node){(uint8_t)context, p->cut[context], (uint8_t)t->node_count, (uint8_t)(t->node_count + 1)};
    t->used_count += !t->used[context];
    t->used[context] = true;
    above->end = p->end;
    p->end = above->begin = divide(t, p, context);
    p->node = (uint8_t)t->node_count++;
    above->node = (uint8_t)t->node_count++;
    t->nodes[p->node].context = t->nodes[above->node].context = CONTEXT_KINDS;
    find_cuts(t, p);
    find_cuts(t, above);
}

static void grow(tree *t, size_t classes)
{
    unsigned context = 0;
    t->parts[0].end = t->size;
    t->part_count = t->node_count = 1;
    t->nodes[0].context = CONTEXT_KINDS;
    find_cuts(t, &t->parts[0]);
    for (part *p; t->part_count < classes && (p = best_part(t, &context)) != NULL;)
        cut_part(t, p, context);
}

static void take_sample(tree *t, const context_symbol *list, size_t count, size_t most)
{
    size_t step = count / (most < SAMPLE ? most : SAMPLE) + 1;
    for (size_t i = 0; i < count; i += step) {
        t->sample[t->size++] = list[i];
        if (list[i].symbol >= t->symbols)
            t->symbols = list[i].symbol + 1u;
        for (unsigned c = 0; c < CONTEXT_KINDS; c++)
            t->varies[c] |= list[i].levels[c] != list[0].levels[c];
    }
    t->scale = count;
}

/* ---- writing ---- */

static void write_node(const tree *t, size_t n, const uint8_t places[CONTEXT_KINDS], buffer *out)
{
    const node *x = &t->nodes[n];
    buffer_add_byte(out, x->context == CONTEXT_KINDS ? 0 : (uint8_t)(places[x->context] * CONTEXT_LEVELS + x->cut));
    if (x->context == CONTEXT_KINDS)
        return;
    write_node(t, x->below, places, out);
    write_node(t, x->above, places, out);
}

/* Writes the tree. Also sets t->classes to the classes that a reader constructs from the tree. */
static bool write_tree(tree *t, buffer *out)
{
    uint8_t places[CONTEXT_KINDS] = {0}, count = 0;
    size_t begin = out->size;
    for (unsigned c = 0; c < CONTEXT_KINDS; c++)
        if (t->used[c]) {
            places[c] = count++;
            buffer_add_byte(out, (uint8_t)c);
        }
    for (; count < CONTEXTS_USED; count++)
        buffer_add_byte(out, 0);
    write_node(t, 0, places, out);
    if (out->failed)
        return false;
    cursor written = {out->data + begin, out->data + out->size, false};
    return stamma_classes_read_tree(&written, CONTEXT_KINDS, &t->classes);
}

static void write_frequencies(tree *t, buffer *out)
{
    for (size_t n = 0; n < t->classes.count; n++) {
        stamma_number_scale(t->counts[n], &t->frequencies[n]);
        stamma_number_write_frequencies(&t->frequencies[n], out);
    }
}

static bool write_all(tree *t, const context_symbol *list, size_t count, const stamma_allocator *allocator,
                      buffer *parameters, buffer *out)
{
    classed_symbol *classed = (classed_symbol *)memory_allocate(allocator, size_multiply(count, sizeof *classed));
    if (!classed)
        return false;
    bool fine = write_tree(t, parameters);
    for (size_t i = 0; i < count && fine; i++) {
        uint8_t class = t->classes.of[context_cell(list[i].levels, t->classes.contexts)];
        classed[i] = (classed_symbol){list[i].symbol, class};
        t->counts[class][list[i].symbol]++;
    }
    if (fine)
        write_frequencies(t, parameters);
    fine = fine && !parameters->failed && stamma_number_code(classed, count, t->frequencies, out);
    memory_release(allocator, classed);
    return fine;
}

bool stamma_classes_write(const context_symbol *list, size_t count, size_t sample, unsigned *classes,
                          const stamma_allocator *allocator, buffer *parameters, buffer *out)
{
    tree *t = (tree *)memory_allocate(allocator, sizeof *t);
    if (!t)
        return false;
    memset(t, 0, offsetof(tree, frequencies));
    take_sample(t, list, count, sample);
    grow(t, *classes);
    *classes = (unsigned)t->part_count;
    bool fine = write_all(t, list, count, allocator, parameters, out);
    memory_release(allocator, t);
    return fine;
}
