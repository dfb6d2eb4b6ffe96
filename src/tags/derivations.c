/* SPDX-License-Identifier: MIT */
/* Chooses the sources of a column of texts (clause 15.5), and the order in which columns are read. Candidates are tried
 * on a sample of the values. The best candidates are selected one at a time, while each saves more than it costs. */
#include "tags/tags.h"

enum {
    SAMPLE = 2048,
    RUNS = 4, /* number of parts of the sample; they are spread over the block, because files are often combined from
               * several files */
    CANDIDATES_MAX = 3 * TAG_CODED_MAX + FACTS_END - FACT_OPENING,
    GLANCES = 16,              /* number of values tried before the texts of a fact are made for the complete sample */
    REPEATED = 6,              /* additional bits for a text that is repeated but not frequent */
    UNIT = 16,                 /* costs are in 1/UNIT of a bit */
    COST = 16 * 8 * UNIT,      /* of a source: 16 bytes */
    KNOWN_COST = 3 * UNIT / 2, /* for each value; a column with a lower cost has no sources */
    ENTRY_COST = 14 * UNIT,    /* of an opening in a map */
    OPENING_COST = 3 * UNIT    /* for each value: cost of finding a game's opening */
};

typedef struct candidate {
    tag_source source;
    uint32_t rest;        /* cost of the rest of a value that begins with another value */
    uint8_t hits[SAMPLE]; /* 0 or 1 */
} candidate;

typedef struct sample {
    tag_table *t;
    size_t column;
    uint32_t records[SAMPLE];
    uint32_t values[SAMPLE];  /* numbers of texts */
    uint32_t weights[SAMPLE]; /* cost of the value if it is not derived; 0 if a chosen source produces it */
    size_t count;
    size_t counts[TAG_SOURCES_MAX]; /* number of values that each chosen source produces */
    size_t candidate_count;
    candidate candidates[CANDIDATES_MAX];
    uint32_t *last; /* by key: last value with this key; all 0 between uses */
    size_t keys;    /* number of elements of `last` */
    opening_map map;
    bool openings; /* some source uses openings */
} sample;

/* ---- costs ---- */

static uint32_t log2_of(size_t x)
{
    unsigned top = bits_last(x);
    return UNIT * top + (uint32_t)(((uint64_t)x * UNIT >> top) - UNIT);
}

/* Returns the cost of a text that did not occur before. */
static uint32_t new_text(size_t size)
{
    return (uint32_t)(10 + (3 * size < 64 ? 3 * size : 64)) * UNIT;
}

/* Sets the costs of the values. The cost of a text depends on its frequency; a new text also costs its bytes. */
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

static void try_fact(sample *s, unsigned fact)
{
    uint8_t *hit = s->candidates[s->candidate_count].hits;
    size_t hits = 0;
    for (size_t n = 0; n < GLANCES && n < s->count; n++) {
        size_t i = n * s->count / (s->count < GLANCES ? s->count : GLANCES);
        hits += stamma_tag_is_fact(s->t, s->column, s->records[i], fact);
    }
    if (hits == 0)
        return;
    hits = 0;
    for (size_t i = 0; i < s->count; i++)
        hits += hit[i] = stamma_tag_is_fact(s->t, s->column, s->records[i], fact);
    keep_candidate(s, SOURCE_EQUAL, fact, hits);
}

/* Counts hits within the sample. This is enough if keys occur again after few records. */
static size_t recall_in_sample(sample *s, size_t what, uint8_t *hit)
{
    size_t hits = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t key = tag_value(s->t, what, s->records[i]);
        hits += hit[i] = key != 0 && s->last[key] == s->values[i];
        s->last[key] = s->values[i];
    }
    for (size_t i = 0; i < s->count; i++)
        s->last[tag_value(s->t, what, s->records[i])] = 0;
    return hits;
}

/* Counts hits with all records: for keys that occur again after many games, and for players, who may have either
 * colour. */
static size_t recall_in_block(sample *s, size_t what, uint8_t *hit)
{
    const tag_table *t = s->t;
    size_t hits = 0, i = 0;
    const size_t other = t->counterparts[what];
    const size_t columns[2] = {s->column, t->counterparts[s->column]},
                 keys[2] = {what, other == TAG_NONE ? what : other};
    for (size_t r = 0; r < t->records; r++) {
        for (unsigned side = 0; side < 2 && columns[side] != TAG_NONE; side++) {
            uint32_t value = tag_value(t, columns[side], r), key = tag_value(t, keys[side], r);
            if (side == 0 && i < s->count && s->records[i] == r)
                hits += hit[i++] = key != 0 && s->last[key] == value;
            if (value != 0)
                s->last[key] = value;
        }
    }
    memset(s->last, 0, s->keys * sizeof *s->last);
    return hits;
}

/* Returns whether `what` is a column of a player's name by which a column may be recalled. If the column belongs to one
 * colour, the player's column must belong to the same colour. */
static bool is_players(const tag_table *t, size_t column, size_t what)
{
    bool player = t->names[what].size == strlen("White") && t->counterparts[what] != TAG_NONE;
    return player && (t->counterparts[column] == TAG_NONE || t->names[what].data[0] == t->names[column].data[0]);
}

static void try_recall(sample *s, size_t what)
{
    const tag_table *t = s->t;
    uint8_t *hit = s->candidates[s->candidate_count].hits;
    bool player = is_players(t, s->column, what);
    size_t hits = player ? 0 : recall_in_sample(s, what, hit);
    if (player || hits > s->count / 8)
        hits = recall_in_block(s, what, hit);
    keep_candidate(s, SOURCE_RECALL, what, hits);
}

/* Returns whether the values of a column change, but not with every record. Any other column is useless as a key. */
static bool is_key(sample *s, size_t other)
{
    size_t repeats = 0, changes = 0;
    const tag_table *t = s->t;
    if (t->plans[other].numbers || tag_plan_has_map(&t->plans[other])) /* texts of a map are not remembered */
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

/* Sets the cost of an entry of the map, and of its text, for each value that the map produces. */
static void weigh_map(sample *s, candidate *c, const opening_map map, size_t hits)
{
    uint64_t cost = 0;
    for (size_t opening = 1; opening <= OPENINGS; opening++) {
        const uint32_t number = map[opening];
        cost += number == 0 ? 0 : ENTRY_COST;
        cost += number == 0 || s->last[number]++ > 0 ? 0 : new_text(tag_text(s->t, number).size);
    }
    for (size_t opening = 1; opening <= OPENINGS; opening++)
        s->last[map[opening]] = 0;
    c->rest = (uint32_t)(cost / hits);
}

/* Tries a map from openings to texts. Counterparts share a dictionary, so they have no map. */
static void try_map(sample *s)
{
    candidate *c = &s->candidates[s->candidate_count];
    const size_t known = s->candidate_count;
    if (s->t->counterparts[s->column] != TAG_NONE)
        return;
    const size_t all = stamma_opening_map_choose(s->t, s->column, NULL, s->map);
    size_t hits = 0;
    for (size_t i = 0; i < s->count; i++)
        hits += c->hits[i] = s->map[s->t->games[s->records[i]].opening] == s->values[i];
    keep_candidate(s, SOURCE_MAP, FACT_OPENING, hits);
    if (s->candidate_count > known)
        weigh_map(s, c, s->map, all);
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

/* Computes the cost of the rests of the values; each different text is counted once. */
static bool weigh_rests(sample *s, candidate *c, size_t hits)
{
    text_table tails = {.allocator = s->t->allocator};
    uint64_t cost = 0;
    bool fine = true;
    for (size_t i = 0; i < s->count && fine; i++) {
        stamma_text tail;
        if (!c->hits[i])
            continue;
        stamma_begins_with(s->t, s->column, s->records[i], c->source.what, &tail);
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

/* Returns the cost of the sample with an additional source. `c` may be NULL. */
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

/* Returns the minimum saving of a source. It is higher if the block's openings are needed only for this source. */
static uint64_t least_saving(const sample *s, const candidate *c, uint64_t cost)
{
    uint64_t opening = s->count * (uint64_t)OPENING_COST, least = cost / 10;
    if (c->source.what == FACT_OPENING && !s->openings)
        least = opening < cost / 3 ? opening : cost / 3;
    return least + COST;
}

/* Returns whether a plan uses texts that are computed for each game. They are not remembered, so they are not combined
 * with other sources. */
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
            s->weights[i] = best->rest > 0 && best->source.kind == SOURCE_BEGIN ? 1 : 0;
            s->counts[plan->source_count]++;
        }
    if (best)
        plan->sources[plan->source_count++] = best->source;
    s->openings |= best && best->source.what >= FACT_OPENING && best->source.what < FACT_MADE;
    return best != NULL;
}

/* Moves facts of the game before the map, which then needs no entries for the values that are facts. */
static void order_sources(tag_plan *plan)
{
    for (size_t n = 0; n < plan->source_count; n++)
        for (size_t i = n; i > 0 && plan->sources[i].kind == SOURCE_EQUAL && plan->sources[i - 1].kind == SOURCE_MAP;
             i--) {
            const tag_source moved = plan->sources[i];
            plan->sources[i] = plan->sources[i - 1];
            plan->sources[i - 1] = moved;
        }
}

/* Chooses a column's sources among the facts of the game and the earlier columns. Not called for columns that moves or
 * numbers depend on: they have no sources. */
static bool choose_for(sample *s, size_t column)
{
    tag_table *t = s->t;
    tag_plan *plan = &t->plans[column];
    bool fine = true, more = true;
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
    try_map(s);
    for (unsigned fact = FACT_CODE; fact < FACTS_END; fact++)
        try_fact(s, fact);
    while (plan->source_count < TAG_SOURCES_MAX && more)
        more = choose_one(s, plan);
    order_sources(plan);
    return fine;
}

/* ---- the order ---- */

static void place(tag_table *t, size_t column, size_t *count)
{
    const tag_plan *plan = &t->plans[column];
    if (t->places[column] != TAG_NONE)
        return;
    t->places[column] = TAG_CODED_MAX; /* in progress */
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

/* Places numbers after the columns that predict them, and counterparts next to each other. */
static void order_columns(tag_table *t)
{
    size_t count = 0;
    memset(t->places, TAG_NONE, sizeof t->places);
    for (size_t c = 0; c < t->columns; c++)
        place(t, c, &count);
}

/* Returns whether a column must be read after the moves, because this is already known of its counterpart or of a
 * column that it uses. Numbers need not be read after the moves. */
static bool follows_game(const tag_table *t, const bool post_game[TAG_CODED_MAX], size_t column)
{
    const tag_plan *plan = &t->plans[column];
    bool found = stamma_tag_plan_is_post_game(plan) ||
                 (t->counterparts[column] != TAG_NONE && post_game[t->counterparts[column]]);
    for (size_t i = 0; i < plan->source_count; i++)
        found |= plan->sources[i].what < TAG_CODED_MAX && post_game[plan->sources[i].what];
    return found;
}

/* Moves the columns that use the game after all others, together with their counterparts and the columns that use them.
 */
static void move_post_game(tag_table *t)
{
    bool post_game[TAG_CODED_MAX] = {false};
    uint8_t order[TAG_CODED_MAX];
    size_t count = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t c = 0; c < t->columns; c++)
            if (!post_game[c] && follows_game(t, post_game, c))
                post_game[c] = changed = true;
    }
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t n = 0; n < t->columns; n++)
            if (post_game[t->order[n]] == turn)
                order[count++] = t->order[n];
    for (size_t n = 0; n < count; n++) {
        t->order[n] = order[n];
        t->places[order[n]] = (uint8_t)n;
    }
}

/* Returns whether a column or its counterpart is a key of numbers. If so, both must be read before the moves. */
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
