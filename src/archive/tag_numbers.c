/* Tag values that are numbers (clause 15): what is foretold of each from the numbers that came before it. Reader and
 * writer keep the same books. */
#include "archive/archive.h"

enum {
    MEMORY_ZERO = 1 << 30, /* what 0 is remembered as: a place of 0 in a map is a new one */
    DIFFERENCE_MAX = 8 * NUMBER_MAX
};

/* ---- plans (15.2) ---- */

stamma_error stamma_number_plan_read(cursor *in, number_plan *plan)
{
    uint8_t form = cursor_byte(in);
    plan->turn = form & 3;
    plan->plus = form >> 2 & 1;
    plan->count = cursor_byte(in);
    if (in->failed || form > 7 || plan->count > NUMBER_PREDICTORS_MAX)
        return STAMMA_ERROR_CORRUPT;
    for (size_t i = 0; i < plan->count; i++) {
        number_predictor *p = &plan->predictors[i];
        p->keys[0] = cursor_byte(in);
        p->keys[1] = cursor_byte(in);
        p->base = cursor_byte(in);
        p->way = cursor_byte(in);
        if (in->failed || p->keys[0] > COPY_COLUMNS_MAX || p->keys[1] > COPY_COLUMNS_MAX ||
            (p->base & ~NUMBER_BASE_LENIENT) > COPY_COLUMNS_MAX || (p->way & 3) == 3)
            return STAMMA_ERROR_CORRUPT;
    }
    return STAMMA_OK;
}

void stamma_number_plan_write(const number_plan *plan, buffer *out)
{
    buffer_add_byte(out, (uint8_t)(plan->turn | plan->plus << 2));
    buffer_add_byte(out, plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        const number_predictor *p = &plan->predictors[i];
        const uint8_t bytes[4] = {p->keys[0], p->keys[1], p->base, p->way};
        buffer_add(out, bytes, sizeof bytes);
    }
}

/* ---- books ---- */

void stamma_tag_numbers_clear(tag_numbers *n)
{
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++) {
        numbered_column *x = &n->columns[c];
        for (size_t i = 0; i < NUMBER_PREDICTORS_MAX; i++)
            stamma_number_map_clear(&x->memories[i]);
        x->coded = false;
        x->place = 0;
    }
    n->count = n->looked_count = 0;
    n->no_memory = false;
}

void stamma_tag_numbers_release(tag_numbers *n, const stamma_allocator *allocator)
{
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++)
        for (size_t i = 0; i < NUMBER_PREDICTORS_MAX; i++)
            stamma_number_map_release(&n->columns[c].memories[i], allocator);
}

static bool comes_before(const tag_numbers *n, size_t column, size_t other)
{
    unsigned turn = n->columns[column].plan.turn, others = n->columns[other].plan.turn;
    return turn < others || (turn == others && column < other);
}

void stamma_tag_numbers_set(tag_numbers *n, size_t column, size_t twin, const number_plan *plan)
{
    numbered_column *x = &n->columns[column];
    size_t at = n->count++;
    x->coded = true;
    x->plan = *plan;
    x->shares = (uint8_t)(twin < column ? twin : column);
    for (; at > 0 && comes_before(n, column, n->order[at - 1]); at--)
        n->order[at] = n->order[at - 1];
    n->order[at] = (uint8_t)column;
}

void stamma_tag_numbers_ready(tag_numbers *n)
{
    bool looked[COPY_COLUMNS_MAX + 1] = {false};
    for (size_t i = 0; i < n->count; i++) {
        const number_plan *plan = &n->columns[n->order[i]].plan;
        for (size_t p = 0; p < plan->count; p++)
            looked[plan->predictors[p].keys[0]] = looked[plan->predictors[p].keys[1]] = true;
    }
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++)
        if (looked[c + 1] && !n->columns[c].coded)
            n->looked[n->looked_count++] = (uint8_t)c;
}

void stamma_tag_numbers_begin(tag_numbers *n)
{
    for (size_t i = 0; i < n->count; i++) {
        n->keys[n->order[i]] = 0;
        n->known[n->order[i]] = false;
    }
    n->at = n->first = n->pass = 0;
}

/* ---- what is foretold (15.4) ---- */

/* The base's column; COPY_COLUMNS_MAX where it has none that is known in this record. */
static size_t base_column(const tag_numbers *n, const number_predictor *p)
{
    size_t base = p->base & (NUMBER_BASE_LENIENT - 1u);
    return base != 0 && n->known[base - 1] ? base - 1 : COPY_COLUMNS_MAX;
}

/* Whether both keys of a predictor, and its base, are known in this record; *key: the two in one. */
static bool find_key(const tag_numbers *n, const number_predictor *p, uint32_t *key)
{
    uint64_t both = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t one = p->keys[i] == 0 ? 0 : n->keys[p->keys[i] - 1];
        if (p->keys[i] != 0 && one == 0)
            return false;
        both = both * 31 + one;
    }
    *key = (uint32_t)(both & INT32_MAX);
    return p->base == 0 || p->base & NUMBER_BASE_LENIENT || base_column(n, p) < COPY_COLUMNS_MAX;
}

static number_map *memory_of(tag_numbers *n, size_t column, size_t predictor)
{
    bool shared = n->columns[column].plan.predictors[predictor].way & NUMBER_WAY_SHARED;
    return &n->columns[shared ? n->columns[column].shares : column].memories[predictor];
}

/* Whether a predictor remembers anything; else the base alone foretells. */
static bool remembers(const number_predictor *p)
{
    return (p->way >> NUMBER_WAY_THEN & 3) != NUMBER_THEN_NOTHING;
}

/* Whether the first predictor of a column foretells its value. */
static bool foretells_first(tag_numbers *n, size_t column)
{
    const number_plan *plan = &n->columns[column].plan;
    uint32_t key;
    if (plan->count == 0 || !find_key(n, &plan->predictors[0], &key))
        return false;
    if (!remembers(&plan->predictors[0]))
        return true;
    const uint32_t *memory = stamma_number_map_find(memory_of(n, column, 0), key);
    return memory && *memory != 0;
}

size_t stamma_tag_numbers_next(tag_numbers *n)
{
    while (n->at < n->count) {
        size_t c = n->order[n->at];
        bool wanted = n->columns[c].place != 0 && (n->pass == 1 || foretells_first(n, c));
        if (n->at + 1 < n->count && n->columns[n->order[n->at + 1]].plan.turn == n->columns[c].plan.turn) {
            n->at++;
        } else {
            n->first = n->pass == 0 ? n->first : n->at + 1;
            n->at = n->first;
            n->pass = !n->pass;
        }
        if (wanted)
            return c;
    }
    return COPY_COLUMNS_MAX;
}

bool stamma_number_guess(tag_numbers *n, size_t column, const stamma_allocator *allocator, number_guess *g)
{
    const number_plan *plan = &n->columns[column].plan;
    g->predictor = plan->count;
    g->value = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const number_predictor *p = &plan->predictors[i];
        uint32_t key, *place = NULL;
        g->places[i] = NULL;
        if (!find_key(n, p, &key))
            continue;
        if (remembers(p) && !(place = stamma_number_map_at(memory_of(n, column, i), key, allocator))) {
            n->no_memory = true;
            return false;
        }
        size_t base = base_column(n, p);
        g->places[i] = place;
        g->bases[i] = base < COPY_COLUMNS_MAX ? n->values[base] : 0;
        if (g->predictor < plan->count || (place && *place == 0))
            continue;
        g->predictor = (uint8_t)i;
        g->value = (place ? (int32_t)((*place + 8) >> 4) - (MEMORY_ZERO >> 4) : 0) + ((p->way & 3) - 1) * g->bases[i];
    }
    return true;
}

void stamma_number_learn(tag_numbers *n, size_t column, const number_guess *g, int32_t value)
{
    const number_plan *plan = &n->columns[column].plan;
    for (size_t i = 0; i < plan->count; i++) {
        unsigned way = plan->predictors[i].way, slowness = way >> NUMBER_WAY_SLOWNESS;
        if (!g->places[i])
            continue;
        uint64_t last = *g->places[i];
        uint64_t now = (uint64_t)(MEMORY_ZERO + 16 * (value + ((int)(way >> NUMBER_WAY_THEN & 3) - 1) * g->bases[i]));
        *g->places[i] = (uint32_t)(last == 0 ? now : (now + last * ((1u << slowness) - 1)) >> slowness);
    }
    n->values[column] = value;
    n->known[column] = true;
    n->keys[column] = 1 + ((uint32_t)value & INT32_MAX);
}

/* ---- reading (15.3) ---- */

static stamma_text write_number(int32_t value, bool plus, char out[NUMBER_TEXT])
{
    size_t at = NUMBER_TEXT;
    uint32_t left = (uint32_t)(value < 0 ? -value : value);
    do
        out[--at] = (char)('0' + left % 10);
    while ((left /= 10) != 0);
    if (value < 0 || plus)
        out[--at] = value < 0 ? '-' : '+';
    return (stamma_text){out + at, NUMBER_TEXT - at};
}

stamma_text stamma_tag_numbers_take(tag_numbers *n, size_t column, cursor *literals, const stamma_allocator *allocator)
{
    numbered_column *x = &n->columns[column];
    const stamma_text none = {"", 0};
    number_guess g;
    if (!stamma_number_guess(n, column, allocator, &g))
        return none;
    number_source *source = &x->sources[g.predictor];
    if (cursor_left(&source->symbols) > 0 && *source->symbols.at == NUMBER_LITERAL) {
        source->symbols.at++;
        return cursor_text(literals);
    }
    int64_t difference = number_unfold(number_take(source)); /* the least there is where there is none */
    if (difference > DIFFERENCE_MAX || difference < -DIFFERENCE_MAX || g.value + difference > NUMBER_MAX ||
        g.value + difference < -NUMBER_MAX) {
        literals->failed = true;
        return none;
    }
    int32_t value = (int32_t)(g.value + difference);
    stamma_number_learn(n, column, &g, value);
    return write_number(value, x->plan.plus, x->text);
}

bool stamma_tag_numbers_is_done(tag_numbers *n)
{
    for (size_t i = 0; i < n->count; i++) {
        numbered_column *x = &n->columns[n->order[i]];
        for (size_t p = 0; p <= x->plan.count; p++)
            if (!stamma_number_is_done(&x->sources[p]))
                return false;
    }
    return true;
}
