/* Which sources a column of texts has (clause 11.5): candidates are tried on some of its values, and the best are taken
 * one after another as long as they save more than they cost. And the order in which columns are read. */
#include "tags/tags.h"

enum {
    SAMPLE = 2048,
    RUNS = 4, /* of records that the sample is made of, all over the block: files are often put together of several */
    CANDIDATES_MAX = 3 * TAG_CODED_MAX + FACTS_END - FACT_OPENING,
    GLANCES = 16,              /* values that a text is held against before it is made for a whole sample */
    REPEATED = 6,              /* bits that a text that came before, but is not frequent, costs over its frequency */
    UNIT = 16,                 /* parts of a bit that costs are counted in */
    COST = 16 * 8 * UNIT,      /* of a source */
    KNOWN_COST = 3 * UNIT / 2, /* for each value: of less nothing is gained */
    OPENING_COST = 3 * UNIT    /* for each value, before a game's opening is looked for */
};

typedef struct candidate {
    tag_source source;
    uint32_t rest;        /* what stands behind a value that begins with another costs */
    uint8_t hits[SAMPLE]; /* 0 or 1 */
} candidate;

typedef struct sample {
    tag_table *t;
    size_t column;
    uint32_t records[SAMPLE];
    uint32_t values[SAMPLE];  /* numbers of texts */
    uint32_t weights[SAMPLE]; /* what the value costs where it is not derived; 0 where a chosen source gives it */
    size_t count;
    size_t counts[TAG_SOURCES_MAX]; /* of the values that the chosen sources give */
    size_t candidate_count;
    candidate candidates[CANDIDATES_MAX];
    uint32_t *last; /* by text: the last value with that key; all 0 between */
    size_t keys;    /* of them */
    bool openings;  /* some source looks at them */
} sample;

/* ---- costs ---- */

static uint32_t log2_of(size_t x)
{
    unsigned top = bits_last(x);
    return UNIT * top + (uint32_t)(((uint64_t)x * UNIT >> top) - UNIT);
}

/* What a text costs that never came before. */
static uint32_t new_text(size_t size)
{
    return (uint32_t)(10 + (3 * size < 64 ? 3 * size : 64)) * UNIT;
}

/* A text that came before costs what its frequency says, a new one its bytes. */
static void weigh(sample *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->weights[i] = s->last[s->values[i]]++ == 0;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t bits = log2_of(s->count) - log2_of(s->last[s->values[i]]);
        bits += bits > 3 * UNIT ? REPEATED * UNIT : 0;
        if (s->weights[i])
            bits += new_text(tag_text(s->t, s->values[i]).size);
        s->weights[i] = bits;
    }
    for (size_t i = 0; i < s->count; i++)
        s->last[s->values[i]] = 0;
}

static void take_sample(sample *s, size_t column)
{
    const tag_table *t = s->t;
    s->column = column;
    s->count = s->candidate_count = 0;
    memset(s->counts, 0, sizeof s->counts);
    for (size_t run = 0; run < RUNS; run++) {
        size_t end = (run + 1) * t->records / RUNS, most = s->count + SAMPLE / RUNS;
        for (size_t r = run * t->records / RUNS; r < end && s->count < most; r++)
            if (tag_value(t, column, r) != 0) {
                s->records[s->count] = (uint32_t)r;
                s->values[s->count++] = tag_value(t, column, r);
            }
    }
    weigh(s);
}

/* ---- candidates ---- */

static void keep_candidate(sample *s, unsigned kind, size_t what, size_t hits)
{
    candidate *c = &s->candidates[s->candidate_count];
    c->source = (tag_source){.kind = (uint8_t)kind, .what = (uint8_t)what, .base = TAG_NONE};
    c->rest = 0;
    s->candidate_count += hits > s->count / 64;
}

static void try_equal(sample *s, size_t other)
{
    uint8_t *hit = s->candidates[s->candidate_count].hits;
    size_t hits = 0;
    for (size_t i = 0; i < s->count; i++)
        hits += hit[i] = tag_value(s->t, other, s->records[i]) == s->values[i];
    keep_candidate(s, SOURCE_EQUAL, other, hits);
}

/* The number of a text that follows from the game: 0 where no value is that text. */
static uint32_t fact_value(const tag_table *t, size_t record, unsigned fact)
{
    char out[STAMMA_FEN_SIZE];
    stamma_text text = stamma_game_text(&t->games[record], fact, out);
    return text.data ? stamma_text_table_find(&t->texts, text) : 0;
}

static void try_fact(sample *s, unsigned fact)
{
    uint8_t *hit = s->candidates[s->candidate_count].hits;
    size_t hits = 0;
    for (size_t n = 0; n < GLANCES && n < s->count; n++) {
        size_t i = n * s->count / (s->count < GLANCES ? s->count : GLANCES);
        hits += fact_value(s->t, s->records[i], fact) == s->values[i];
    }
    if (hits == 0)
        return;
    hits = 0;
    for (size_t i = 0; i < s->count; i++)
        hits += hit[i] = fact_value(s->t, s->records[i], fact) == s->values[i];
    keep_candidate(s, SOURCE_EQUAL, fact, hits);
}

/* The key of a record; 0 for none. */
static uint32_t key_at(const tag_table *t, size_t what, size_t record)
{
    return what == FACT_OPENING ? t->games[record].opening : tag_value(t, what, record);
}

/* By what the sample shows: keys that come again soon. */
static size_t recall_in_sample(sample *s, size_t what, uint8_t *hit)
{
    size_t hits = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t key = key_at(s->t, what, s->records[i]);
        hits += hit[i] = key != 0 && s->last[key] == s->values[i];
        s->last[key] = s->values[i];
    }
    for (size_t i = 0; i < s->count; i++)
        s->last[key_at(s->t, what, s->records[i])] = 0;
    return hits;
}

/* By all records: keys come again after many games, and players with either colour. */
static size_t recall_in_block(sample *s, size_t what, uint8_t *hit)
{
    const tag_table *t = s->t;
    size_t hits = 0, i = 0;
    const size_t other = what < TAG_CODED_MAX ? t->counterparts[what] : TAG_NONE;
    const size_t columns[2] = {s->column, t->counterparts[s->column]},
                 keys[2] = {what, other == TAG_NONE ? what : other};
    for (size_t r = 0; r < t->records; r++) {
        for (unsigned side = 0; side < 2 && columns[side] != TAG_NONE; side++) {
            uint32_t value = tag_value(t, columns[side], r), key = key_at(t, keys[side], r);
            if (side == 0 && i < s->count && s->records[i] == r)
                hits += hit[i++] = key != 0 && s->last[key] == value;
            if (value != 0)
                s->last[key] = value;
        }
    }
    memset(s->last, 0, s->keys * sizeof *s->last);
    return hits;
}

/* The player's column that a column may be recalled by: of the same colour, if it is of one. */
static bool is_players(const tag_table *t, size_t column, size_t what)
{
    bool player = t->names[what].size == strlen("White") && t->counterparts[what] != TAG_NONE;
    return player && (t->counterparts[column] == TAG_NONE || t->names[what].data[0] == t->names[column].data[0]);
}

static void try_recall(sample *s, size_t what)
{
    const tag_table *t = s->t;
    uint8_t *hit = s->candidates[s->candidate_count].hits;
    bool player = what < TAG_CODED_MAX && is_players(t, s->column, what);
    size_t hits = player ? 0 : recall_in_sample(s, what, hit);
    if (player || hits > s->count / 8)
        hits = recall_in_block(s, what, hit);
    keep_candidate(s, SOURCE_RECALL, what, hits);
}

/* Whether a column changes, but not with every record: else nothing can be recalled by it. */
static bool is_key(sample *s, size_t other)
{
    size_t repeats = 0, changes = 0;
    const tag_table *t = s->t;
    if (t->plans[other].numbers)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t key = tag_value(t, other, s->records[i]);
        changes += i > 0 && key != tag_value(t, other, s->records[i - 1]);
        repeats += key != 0 && s->last[key]++ > 0;
    }
    for (size_t i = 0; i < s->count; i++)
        s->last[tag_value(t, other, s->records[i])] = 0;
    return changes > 0 && (repeats > s->count / 16 || is_players(t, s->column, other));
}

bool stamma_begins_with(const tag_table *t, size_t column, size_t record, size_t other, stamma_text *tail)
{
    uint32_t number = tag_value(t, other, record);
    stamma_text text = tag_text(t, tag_value(t, column, record));
    stamma_text head = number == 0 ? (stamma_text){NULL, 0} : tag_text(t, number);
    if (head.size == 0 || head.size > text.size || memcmp(head.data, text.data, head.size) != 0)
        return false;
    *tail = (stamma_text){text.data + head.size, text.size - head.size};
    return true;
}

/* Weighs what stands behind the values, once for each different text. */
static bool weigh_rests(sample *s, candidate *c, size_t hits)
{
    text_table tails = {.allocator = s->t->allocator};
    uint64_t cost = 0;
    bool fine = true;
    for (size_t i = 0; i < s->count && fine; i++) {
        stamma_text tail;
        if (!c->hits[i] || !stamma_begins_with(s->t, s->column, s->records[i], c->source.what, &tail))
            continue;
        size_t known = tails.count;
        fine = stamma_text_table_add(&tails, tail) != 0;
        cost += tails.count > known ? new_text(tail.size) : 0;
    }
    c->rest = (uint32_t)(cost / hits) + log2_of(tails.count + 1);
    stamma_text_table_release(&tails);
    return fine;
}

static bool try_begin(sample *s, size_t other)
{
    size_t hits = 0, known = s->candidate_count;
    stamma_text tail;
    for (size_t n = 0; n < GLANCES && n < s->count; n++)
        hits += stamma_begins_with(s->t, s->column, s->records[n * s->count / GLANCES], other, &tail);
    if (s->count < GLANCES || hits <= GLANCES / 8)
        return true;
    uint8_t *hit = s->candidates[known].hits;
    hits = 0;
    for (size_t i = 0; i < s->count; i++)
        hits += hit[i] = stamma_begins_with(s->t, s->column, s->records[i], other, &tail);
    keep_candidate(s, SOURCE_BEGIN, other, hits);
    return s->candidate_count == known || weigh_rests(s, &s->candidates[known], hits);
}

/* ---- choosing ---- */

static uint64_t symbols_cost(const sample *s, size_t count)
{
    return count == 0 ? 0 : count * (uint64_t)(log2_of(s->count) - log2_of(count));
}

/* What the sample costs where a candidate is taken in addition, or NULL. */
static uint64_t cost_with(const sample *s, const candidate *c)
{
    uint64_t cost = 0;
    size_t left = s->count, hits = 0;
    for (size_t n = 0; n < TAG_SOURCES_MAX; n++) {
        cost += symbols_cost(s, s->counts[n]);
        left -= s->counts[n];
    }
    for (size_t i = 0; i < s->count; i++) {
        bool hit = c && c->hits[i] && s->weights[i] > 0;
        cost += hit ? c->rest : s->weights[i];
        hits += hit;
    }
    return cost + symbols_cost(s, hits) + symbols_cost(s, left - hits);
}

/* What a source must save: more where the block's openings are looked for for its sake alone. */
static uint64_t least_saving(const sample *s, const candidate *c, uint64_t cost)
{
    uint64_t opening = s->count * (uint64_t)OPENING_COST, least = cost / 10;
    if (c->source.what == FACT_OPENING && !s->openings)
        least = opening < cost / 3 ? opening : cost / 3;
    return least + COST;
}

/* Texts that are made for each game are not remembered, so such sources stand among themselves. */
static bool is_made(const tag_plan *plan)
{
    return !plan->numbers && plan->source_count > 0 && plan->sources[0].kind == SOURCE_EQUAL &&
           plan->sources[0].what >= FACT_MADE;
}

static bool choose_one(sample *s, tag_plan *plan)
{
    uint64_t cost = cost_with(s, NULL), least = cost;
    const candidate *best = NULL;
    for (size_t n = 0; n < s->candidate_count; n++) {
        const candidate *c = &s->candidates[n];
        bool made = c->source.kind == SOURCE_EQUAL && c->source.what >= FACT_MADE;
        uint64_t with = cost_with(s, c);
        if ((plan->source_count > 0 && is_made(plan) != made) || with + least_saving(s, c, cost) >= cost ||
            with >= least)
            continue;
        least = with;
        best = c;
    }
    for (size_t i = 0; i < s->count && best; i++)
        if (s->weights[i] > 0 && best->hits[i]) {
            s->weights[i] = best->rest > 0 ? 1 : 0;
            s->counts[plan->source_count]++;
        }
    if (best)
        plan->sources[plan->source_count++] = best->source;
    s->openings |= best && best->source.what >= FACT_OPENING && best->source.what < FACT_MADE;
    return best != NULL;
}

/* Finds a column's sources: among the columns that stand before it in the order, and the game. A column that the moves
 * or numbers wait for has none. */
static bool choose_for(sample *s, size_t column)
{
    tag_table *t = s->t;
    tag_plan *plan = &t->plans[column];
    bool fine = true;
    if (plan->numbers)
        return true;
    plan->source_count = 0;
    take_sample(s, column);
    if (cost_with(s, NULL) < s->count * (uint64_t)KNOWN_COST)
        return true;
    for (size_t n = 0; n < t->places[column] && fine; n++) {
        size_t other = t->order[n];
        if (is_made(&t->plans[other]))
            continue;
        try_equal(s, other);
        if (is_key(s, other))
            try_recall(s, other);
        fine = try_begin(s, other);
    }
    try_recall(s, FACT_OPENING);
    for (unsigned fact = FACT_CODE; fact < FACTS_END; fact++)
        try_fact(s, fact);
    while (plan->source_count < TAG_SOURCES_MAX && s->count > 0 && choose_one(s, plan)) {
    }
    return fine;
}

/* ---- the order ---- */

static void place(tag_table *t, size_t column, size_t *count)
{
    const tag_plan *plan = &t->plans[column];
    if (t->places[column] != TAG_NONE)
        return;
    t->places[column] = TAG_CODED_MAX; /* it is under way */
    for (size_t i = 0; i < plan->source_count; i++) {
        if (plan->sources[i].what < TAG_CODED_MAX)
            place(t, plan->sources[i].what, count);
        if (plan->sources[i].base != TAG_NONE)
            place(t, plan->sources[i].base, count);
    }
    t->places[column] = (uint8_t)*count;
    t->order[(*count)++] = (uint8_t)column;
    if (t->counterparts[column] != TAG_NONE)
        place(t, t->counterparts[column], count);
}

/* Numbers behind what they are predicted by, and of two counterparts one right behind the other. */
static void order_columns(tag_table *t)
{
    size_t count = 0;
    memset(t->places, TAG_NONE, sizeof t->places);
    for (size_t c = 0; c < t->columns; c++)
        place(t, c, &count);
}

/* Whether a column's sources, or its counterpart, are read behind the moves, as far as that is known. */
static bool follows_game(const tag_table *t, const bool behind[TAG_CODED_MAX], size_t column)
{
    const tag_plan *plan = &t->plans[column];
    bool found =
        stamma_tag_plan_is_post_game(plan) || (t->counterparts[column] != TAG_NONE && behind[t->counterparts[column]]);
    for (size_t i = 0; i < plan->source_count; i++) {
        const tag_source *s = &plan->sources[i];
        found |= (s->what < TAG_CODED_MAX && behind[s->what]) || (s->base < TAG_CODED_MAX && behind[s->base]);
    }
    return found;
}

/* Columns that look at the game, and what looks at these or is their counterpart, behind all others. */
static void move_post_game(tag_table *t)
{
    bool behind[TAG_CODED_MAX] = {false};
    uint8_t order[TAG_CODED_MAX];
    size_t count = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t c = 0; c < t->columns; c++)
            if (!behind[c] && follows_game(t, behind, c))
                behind[c] = changed = true;
    }
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t n = 0; n < t->columns; n++)
            if (behind[t->order[n]] == turn)
                order[count++] = t->order[n];
    for (size_t n = 0; n < count; n++) {
        t->order[n] = order[n];
        t->places[order[n]] = (uint8_t)n;
    }
}

/* Whether numbers are predicted by a column, or by its counterpart, so that these must be read before the moves. */
static bool predicts_numbers(const tag_table *t, size_t column)
{
    for (size_t c = 0; c < t->columns; c++)
        for (size_t i = 0; i < t->plans[c].source_count && t->plans[c].numbers; i++) {
            size_t key = t->plans[c].sources[i].what;
            if (key == column || (key < TAG_CODED_MAX && key == t->counterparts[column]))
                return true;
        }
    return false;
}

stamma_error stamma_derivations_choose(tag_table *t)
{
    sample *s = (sample *)memory_allocate(t->allocator, sizeof *s);
    size_t keys = (t->texts.count < OPENINGS ? OPENINGS : t->texts.count) + 1, fen = stamma_tag_column_named(t, "FEN");
    uint32_t *last = s ? (uint32_t *)memory_allocate(t->allocator, keys * sizeof *last) : NULL;
    bool fine = last != NULL;
    if (fine) {
        memset(last, 0, keys * sizeof *last);
        s->t = t;
        s->last = last;
        s->keys = keys;
        s->openings = false;
        order_columns(t);
    }
    for (size_t n = 0; n < t->columns && fine; n++)
        if (t->order[n] != fen && !predicts_numbers(t, t->order[n]))
            fine = choose_for(s, t->order[n]);
    if (fine)
        move_post_game(t);
    memory_release(t->allocator, last);
    memory_release(t->allocator, s);
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
