/* SPDX-License-Identifier: MIT */
/* Skips the values of records before a wanted record, column by column (clause 15). Their texts are not produced.
 * The input is not trusted. */
#include "tags/tags.h"

enum { LEVEL_ROWS = TAG_CODED_MAX + 2, ROW_NOTHING = TAG_CODED_MAX, ROW_GAME };

/* By column and record. */
struct tag_rows {
    uint8_t levels[LEVEL_ROWS][TAG_PASS_MAX];
    uint32_t indices[TAG_CODED_MAX][TAG_PASS_MAX];
    int32_t numbers[TAG_CODED_MAX][TAG_PASS_MAX];
    tag_pass pass;
};

/* A column that is passed. The levels of its contexts for record n are at index n & mask. */
typedef struct view {
    tag_reader *r;
    struct tag_rows *rows;
    tag_column *c, *owner;
    const uint8_t *levels[CONTEXTS_USED];
    size_t masks[CONTEXTS_USED];
    uint8_t *row;      /* levels of this column */
    uint32_t *indices; /* indices of this column */
    int32_t *numbers;  /* numbers of this column */
} view;

/* ---- whether records can be passed ---- */

bool stamma_tag_reader_can_pass(const tag_reader *r)
{
    for (size_t n = 0; n < r->count; n++)
        if (r->columns[n].mixed)
            return false;
    return !r->remembered;
}

tag_pass *stamma_tag_reader_begin_pass(tag_reader *r)
{
    size_t has = r->count * TAG_PASS_MAX;
    struct tag_rows *rows = (struct tag_rows *)buffer_array(&r->rows, 1, sizeof *rows + has);
    if (!rows)
        return NULL;
    rows->pass.has = (uint8_t(*)[TAG_PASS_MAX])(rows + 1);
    memset(rows->pass.has, 0, has);
    return &rows->pass;
}

/* ---- symbols ---- */

static void find_levels(view *v)
{
    const tag_plan *plan = &v->c->plan;
    uint8_t(*rows)[TAG_PASS_MAX] = v->rows->levels;
    const uint8_t *all[CONTEXT_KINDS] = {
        [TAG_LAST] = &v->c->last,
        [TAG_SECOND] = &v->c->second,
        [TAG_OTHER] = rows[tag_level_place(v->r, plan->others[0])],
        [TAG_ANOTHER] = rows[tag_level_place(v->r, plan->others[1])],
        [TAG_DICTIONARY] = &v->owner->used,
        [TAG_GAME] = rows[ROW_GAME],
        [TAG_KNOWN] = &v->c->known,
    };
    for (size_t i = 0; i < CONTEXTS_USED; i++) {
        unsigned kind = v->c->symbols.classes->map.contexts[i];
        bool by_record = kind == TAG_OTHER || kind == TAG_ANOTHER || kind == TAG_GAME;
        v->levels[i] = all[kind];
        v->masks[i] = by_record ? SIZE_MAX : 0;
    }
}

/* Returns the next symbol, or NUMBER_SYMBOLS if there is none. */
STAMMA_INLINE unsigned pass_symbol(const view *v, size_t n)
{
    bool fine = true;
    const number_classes *classes = v->c->symbols.classes;
    unsigned cell =
        levels_cell(v->levels[0][n & v->masks[0]], v->levels[1][n & v->masks[1]], v->levels[2][n & v->masks[2]]);
    unsigned symbol = number_decode(&v->c->symbols, &classes->slots[classes->map.of[cell]], &fine);
    return STAMMA_LIKELY(fine) ? symbol : NUMBER_SYMBOLS;
}

STAMMA_INLINE void note_level(const view *v, size_t n, uint8_t level)
{
    v->c->second = v->c->last;
    v->c->last = v->owner->used = v->row[n] = level;
}

/* Returns a source's memory entry for a record, or NULL if the source has no memory or no key is known. */
STAMMA_INLINE uint32_t *memory_of(const view *v, size_t source, size_t n)
{
    const tag_plan *plan = &v->c->plan;
    const tag_source *s = &plan->sources[source];
    if (plan->numbers ? s->what == TAG_NONE : s->kind != SOURCE_RECALL)
        return NULL;
    uint32_t key = s->what < TAG_CODED_MAX ? v->rows->indices[s->what][n] : 0;
    if (key == 0 && s->what < TAG_CODED_MAX)
        return NULL;
    return tag_memory(v->r, &v->owner->memories[source], key);
}

/* ---- texts ---- */

/* Returns the index of a referenced text, or 0 if the reference is corrupt. */
STAMMA_INLINE uint32_t pass_reference(const view *v, uint32_t reference)
{
    if (STAMMA_LIKELY(reference > 0))
        return stamma_tag_dictionary_find(&v->owner->dictionary, v->c->plan.indexed, reference);
    return stamma_tag_literal_add(v->r, v->c);
}

/* Skips the data that take_named reads. Returns the number of the source, or TAG_SOURCES_MAX and an index. The index is
 * 0 if the data is corrupt. */
STAMMA_INLINE unsigned pass_named(const view *v, size_t n, uint32_t *index)
{
    unsigned sources = v->c->plan.source_count;
    v->c->known = context_cut(context_bits(v->owner->dictionary.count));
    uint64_t number = number_value(&v->c->symbols, pass_symbol(v, n), REFERENCE_DIRECT);
    *index = 0;
    if (number < sources) {
        note_level(v, n, LEVEL_DERIVED);
        return (unsigned)number;
    }
    if (number > UINT32_MAX)
        return TAG_SOURCES_MAX;
    uint32_t reference = (uint32_t)number - sources;
    note_level(v, n, reference_level(reference));
    *index = pass_reference(v, reference);
    return TAG_SOURCES_MAX;
}

static bool pass_text(const view *v, size_t n)
{
    uint32_t *memories[TAG_SOURCES_MAX], index, tail;
    size_t sources = v->c->plan.source_count;
    for (size_t i = 0; i < sources; i++)
        memories[i] = memory_of(v, i, n);
    unsigned source = pass_named(v, n, &index);
    bool derived = source < TAG_SOURCES_MAX;
    unsigned kind = derived ? v->c->plan.sources[source].kind : SOURCE_EQUAL;
    if (!derived && index == 0)
        return false;
    if (kind == SOURCE_BEGIN && (pass_named(v, n, &tail) < TAG_SOURCES_MAX || tail == 0))
        return false;
    if (kind == SOURCE_RECALL) {
        index = memories[source] ? *memories[source] : 0;
        if (index == 0)
            return false;
    }
    for (size_t i = 0; i < sources; i++)
        if (memories[i])
            *memories[i] = index;
    v->indices[n] = index;
    return true;
}

/* ---- numbers: as take_number reads them ---- */

static int32_t base_of(const view *v, const tag_source *s, size_t n)
{
    return s->base == TAG_NONE ? 0 : v->rows->numbers[s->base][n];
}

static int32_t predict(const view *v, uint32_t *const memories[TAG_SOURCES_MAX], size_t n)
{
    const tag_plan *plan = &v->c->plan;
    for (uint8_t i = 0; i < plan->source_count; i++) {
        const tag_source *s = &plan->sources[i];
        bool remembers = s->what != TAG_NONE;
        v->c->known = i;
        if (remembers && (!memories[i] || *memories[i] == 0))
            continue;
        return (remembers ? (int32_t)*memories[i] - TAG_NUMBER_ZERO : 0) + s->now * base_of(v, s, n);
    }
    v->c->known = plan->source_count;
    return 0;
}

static bool pass_number(const view *v, size_t n)
{
    const tag_plan *plan = &v->c->plan;
    uint32_t *memories[TAG_SOURCES_MAX];
    for (size_t i = 0; i < plan->source_count; i++)
        memories[i] = memory_of(v, i, n);
    int64_t predicted = v->r->no_memory ? 0 : predict(v, memories, n);
    unsigned symbol = pass_symbol(v, n);
    if (symbol == NUMBER_LITERAL) {
        note_level(v, n, LEVEL_LITERAL);
        (void)stamma_tag_literal(v->r, v->c);
        return !v->c->at.failed;
    }
    uint64_t folded = number_value(&v->c->symbols, symbol, RESIDUAL_DIRECT);
    int64_t found = predicted + (folded > FOLDED_MAX ? INT32_MAX : number_unfold(folded));
    if (!is_number(plan, found) || v->r->no_memory)
        return false;
    note_level(v, n, residual_level(folded));
    v->numbers[n] = (int32_t)found;
    for (size_t i = 0; i < plan->source_count; i++)
        if (memories[i])
            *memories[i] =
                (uint32_t)(TAG_NUMBER_ZERO + found + plan->sources[i].then * base_of(v, &plan->sources[i], n));
    return true;
}

/* ---- columns ---- */

static bool pass_value(const view *v, size_t n)
{
    if (v->c->coded)
        return v->c->plan.numbers ? pass_number(v, n) : pass_text(v, n);
    if (v->c->later)
        return stamma_field_column_pass(v->c->fields, ++v->c->taken, 1) == STAMMA_OK;
    (void)cursor_text(&v->c->at);
    return !v->c->at.failed;
}

static view view_of(tag_reader *r, size_t column)
{
    tag_column *c = &r->columns[column];
    view v = {.r = r, .rows = (struct tag_rows *)(void *)r->rows.data, .c = c, .owner = c};
    if (c->coded) {
        v.row = v.rows->levels[column];
        v.indices = v.rows->indices[column];
        v.numbers = v.rows->numbers[column];
        v.owner = &r->columns[c->owner];
        find_levels(&v);
    }
    return v;
}

/* Skips columns that share a dictionary, record by record, because a column may refer to texts of the previous
 * column. */
static bool pass_family(tag_reader *r, size_t first, size_t end, size_t count)
{
    view views[TAG_CODED_MAX];
    uint8_t(*has)[TAG_PASS_MAX] = ((struct tag_rows *)(void *)r->rows.data)->pass.has;
    for (size_t n = first; n < end; n++)
        views[n - first] = view_of(r, n);
    for (size_t n = 0; n < count; n++)
        for (size_t k = first; k < end; k++)
            if (has[k][n] && !pass_value(&views[k - first], n))
                return false;
    return true;
}

static size_t family_end(const tag_reader *r, size_t first)
{
    size_t end = first + 1;
    while (end < r->count && r->columns[end].coded && r->columns[end].plan.shared)
        end++;
    return end;
}

static void clear_rows(tag_reader *r, const uint32_t *plies, size_t count)
{
    struct tag_rows *rows = (struct tag_rows *)(void *)r->rows.data;
    size_t columns = r->count < TAG_CODED_MAX ? r->count : TAG_CODED_MAX;
    for (size_t k = 0; k < columns; k++) {
        memset(rows->levels[k], 0, count);
        memset(rows->indices[k], 0, count * sizeof **rows->indices);
        memset(rows->numbers[k], 0, count * sizeof **rows->numbers);
    }
    memset(rows->levels[ROW_NOTHING], 0, count);
    for (size_t n = 0; n < count; n++)
        rows->levels[ROW_GAME][n] = game_level(plies[n]);
}

stamma_error stamma_tag_reader_pass(tag_reader *r, const uint32_t *plies, size_t count)
{
    bool fine = true;
    clear_rows(r, plies, count);
    for (size_t first = 0, end; first < r->count && fine; first = end) {
        end = family_end(r, first);
        fine = pass_family(r, first, end, count);
    }
    for (size_t n = 0; n < r->count; n++) {
        const tag_column *c = &r->columns[n];
        r->no_memory |= c->texts.failed | c->dictionary.older.failed;
    }
    return r->no_memory ? STAMMA_ERROR_NO_MEMORY : fine ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* ---- saving and restoring ---- */

static void keep_column(tag_column *c, kept_state *k)
{
    tag_dictionary *d = &c->dictionary;
    buffer *const grow[] = {&c->literals, &d->older}; /* same contents whether records are read or passed */
    uint8_t levels[] = {c->last, c->second, c->known, c->used};
    state_keep(k, levels, sizeof levels);
    c->last = levels[0], c->second = levels[1], c->known = levels[2], c->used = levels[3];
    state_keep(k, &c->at, sizeof c->at);
    state_keep(k, &c->left, sizeof c->left);
    state_keep(k, &c->taken, sizeof c->taken);
    state_keep(k, &c->symbols, sizeof c->symbols);
    state_keep(k, d->ranks, sizeof d->ranks);
    state_keep(k, &d->rank_count, sizeof d->rank_count);
    state_keep(k, &d->count, sizeof d->count);
    for (size_t i = 0; i < sizeof grow / sizeof *grow; i++)
        state_keep_size(k, grow[i]);
    if (!c->spelt) /* spelt texts remain, because they are read again in the same order */
        state_keep_size(k, &c->texts);
    for (size_t i = 0; i < TAG_SOURCES_MAX; i++)
        state_keep_bytes(k, &c->memories[i]);
    if (c->later)
        stamma_field_column_keep(c->fields, k);
}

void stamma_tag_reader_keep(tag_reader *r, kept_state *k)
{
    for (size_t n = 0; n < r->count; n++)
        keep_column(&r->columns[n], k);
}
