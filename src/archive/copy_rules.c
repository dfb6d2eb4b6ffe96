/* Which rules a tag column follows (clause 14): candidates are tried on its first values, and the best are taken one
 * after another as long as they save more than they cost. */
#include "archive/archive.h"

enum {
    SAMPLE = 2048,
    RUNS = 4, /* of records that the sample is made of, all over the block: files are often put together of several */
    CANDIDATES_MAX = 1 + 4 * COPY_COLUMNS_MAX + 4 + COPY_KEYS - COPY_KEY_GAME,
    GLANCES = 16, /* values that a text is held against before it is made for a whole sample */
    REPEATED = 6, /* bits that a literal that came before, but is not frequent, costs over its frequency */
    UNIT = 16,    /* parts of a bit that costs are counted in */
    WORTH = 3,    /* bits a value that a game's opening must save before it is looked for */
    SLOTS = 1 << 16,
    PREFIXES = 4
};

/* How many first moves are tried as a key. */
static const uint8_t prefixes[PREFIXES] = {5, 8, 12, 20};

typedef struct candidate {
    copy_rule rule;
    uint32_t rest;        /* what stands behind a value of kind 2 costs */
    uint8_t hits[SAMPLE]; /* 0 or 1 */
} candidate;

typedef struct sample {
    uint32_t records[SAMPLE];
    const uint8_t *places[SAMPLE]; /* of columns in their rosters */
    uint32_t values[SAMPLE];       /* numbers of texts */
    uint32_t others[SAMPLE];       /* those of the column that is tried as a key, where they are known */
    uint32_t weights[SAMPLE];      /* what the value costs as a literal */
    uint8_t left[SAMPLE];          /* no chosen rule gives it: else its weight is 0 */
    size_t count;
    size_t counts[COPY_RULES_MAX]; /* of the values that the chosen rules give */
    uint64_t literals;             /* costs of the values that no chosen rule gives */
    uint64_t rests;                /* costs of what stands behind the values that chosen rules of kind 2 give */
    size_t rule_count;
    candidate rules[CANDIDATES_MAX];
    /* The last value by key, as in a map; but keys that share a slot are one here, which only makes a rule look worse.
     */
    uint32_t last[SLOTS]; /* all 0 between */
    uint16_t slots[SAMPLE];
    uint16_t prefix_slots[PREFIXES][BLOCK_RECORDS_MAX]; /* of all records; 0 where they are not known yet */
} sample;

/* ---- the table ---- */

void stamma_tag_table_release(tag_table *t)
{
    memory_release(t->allocator, t->numbers);
    memory_release(t->allocator, t->places);
    memory_release(t->allocator, t->rosters);
    memory_release(t->allocator, t->moves);
    stamma_text_table_release(&t->texts);
}

uint32_t stamma_tag_table_text(tag_table *t, stamma_text text)
{
    uint32_t number = stamma_text_table_add(&t->texts, text);
    if (number != 0 && t->texts.texts[number].mark == 0)
        t->texts.texts[number].mark = stamma_text_key(text);
    return number;
}

static bool is_made(copy_rule rule)
{
    return rule.kind == COPY_SAME && rule.key >= COPY_KEY_MADE;
}

/* Whether a column's values are made for each game, so that no other column may look at them. */
static bool is_made_column(const tag_table *t, size_t column)
{
    return t->chosen[column].count > 0 && is_made(t->chosen[column].rules[0]);
}

/* The number of a value of another column where `column` looks at it: 0 where it is not known. */
static uint32_t other_value(const tag_table *t, size_t column, size_t record, unsigned key)
{
    size_t other = key - COPY_KEY_COLUMN;
    bool known = is_read_before(t, other, column, tag_places(t, record)) && !is_made_column(t, other);
    return known ? tag_value(t, other, record) : 0;
}

/* The number of a text that follows from the game: 0 where no value is that text. */
static uint32_t game_value(const tag_table *t, size_t record, unsigned key)
{
    char out[STAMMA_FEN_SIZE];
    stamma_text text = stamma_game_text(&t->games[record], key, out);
    return text.data ? stamma_text_table_find(&t->texts, text) : 0;
}

static uint32_t key_at(const tag_table *t, size_t column, size_t record, unsigned key)
{
    if (key == COPY_KEY_NONE)
        return 0;
    if (key == COPY_KEY_OPENING)
        return t->games[record].opening;
    if (key >= COPY_KEY_PREFIX)
        return stamma_moves_key(t->moves[record], key - COPY_KEY_PREFIX + 1);
    uint32_t number = other_value(t, column, record, key);
    return number == 0 ? 0 : t->texts.texts[number].mark;
}

/* Whether the record's value begins with that of another column; behind it *tail. */
bool stamma_begins_with(const tag_table *t, size_t column, size_t record, unsigned key, stamma_text *tail)
{
    stamma_text text = t->texts.texts[tag_value(t, column, record)].text;
    uint32_t number = other_value(t, column, record, key);
    stamma_text head = number == 0 ? (stamma_text){NULL, 0} : t->texts.texts[number].text;
    if (head.size == 0 || head.size > text.size || memcmp(head.data, text.data, head.size) != 0)
        return false;
    *tail = (stamma_text){text.data + head.size, text.size - head.size};
    return true;
}

/* What the rule gives for the value of that record, which is put into its map; false when there is no memory. */
static bool follow(const tag_table *t, size_t column, size_t record, copy_rule rule, number_map *map, uint32_t *number)
{
    if (rule.kind == COPY_SAME) {
        *number =
            rule.key >= COPY_KEY_TEXTS ? game_value(t, record, rule.key) : other_value(t, column, record, rule.key);
        return true;
    }
    if (rule.kind == COPY_BEGIN) {
        stamma_text tail;
        *number = stamma_begins_with(t, column, record, rule.key, &tail) ? tag_value(t, column, record) : 0;
        return true;
    }
    uint32_t *slot = stamma_number_map_at(map, key_at(t, column, record, rule.key), t->allocator);
    if (!slot)
        return false;
    *number = *slot;
    *slot = tag_value(t, column, record);
    return true;
}

/* What a rule of kind 3 gives, and in its map the values of the record: that of the column, and that of its twin, which
 * stands before or behind it and follows `twin_rule`. Either may be missing. */
static bool follow_twin(const tag_table *t, size_t column, size_t record, copy_rule rule, copy_rule twin_rule,
                        number_map *map, uint32_t *number)
{
    size_t twin = t->twins[column];
    bool twin_first = is_read_before(t, twin, column, tag_places(t, record));
    *number = 0;
    for (unsigned turn = 0; turn < 2; turn++) {
        bool own = (turn == 1) == twin_first;
        size_t c = own ? column : twin;
        copy_rule r = own ? rule : twin_rule;
        if (tag_value(t, c, record) == 0 || r.kind != COPY_TWIN)
            continue;
        uint32_t *slot = stamma_number_map_at(map, key_at(t, c, record, r.key), t->allocator);
        if (!slot)
            return false;
        if (own)
            *number = *slot;
        *slot = tag_value(t, c, record);
    }
    return true;
}

/* ---- the sample ---- */

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

/* The sample's values for a glance, n from 0. */
static size_t glance(const sample *s, size_t n)
{
    return n * s->count / (s->count < GLANCES ? s->count : GLANCES);
}

/* What the coder behind makes of a literal: a text that came before costs what its frequency says, a new one its bytes.
 */
static void weigh(const tag_table *t, sample *s)
{
    for (size_t i = 0; i < s->count; i++) {
        uint32_t number = s->values[i];
        uint32_t bits = log2_of(s->count) - log2_of(s->last[number % SLOTS]);
        size_t size = t->texts.texts[number].text.size;
        bits += bits > 3 * UNIT ? REPEATED * UNIT : 0;
        if (s->weights[i])
            bits += new_text(size);
        s->weights[i] = bits;
        s->literals += bits;
    }
}

/* Counts values in `last`. */
static void take_run(const tag_table *t, size_t column, size_t run, sample *s)
{
    size_t first = run * t->records / RUNS, end = (run + 1) * t->records / RUNS;
    for (size_t r = first, most = s->count + SAMPLE / RUNS; r < end && s->count < most; r++) {
        uint32_t number = tag_value(t, column, r);
        if (number == 0)
            continue;
        s->records[s->count] = (uint32_t)r;
        s->places[s->count] = tag_places(t, r);
        s->values[s->count] = number;
        s->weights[s->count] = s->last[number % SLOTS]++ == 0; /* new */
        s->left[s->count++] = true;
    }
}

static void take_sample(const tag_table *t, size_t column, sample *s)
{
    s->count = s->rule_count = 0;
    s->literals = 0;
    for (size_t run = 0; run < RUNS; run++)
        take_run(t, column, run, s);
    weigh(t, s);
    for (size_t i = 0; i < s->count; i++)
        s->last[s->values[i] % SLOTS] = 0;
}

/* Keeps the candidate that was tried where it gives some of the values. */
static void keep_rule(sample *s, copy_rule rule, size_t hits)
{
    candidate *c = &s->rules[s->rule_count];
    c->rule = rule;
    c->rest = 0;
    s->rule_count += hits > s->count / 64;
}

/* Any kind but 1, which has a quicker way. */
static bool try_rule(const tag_table *t, size_t column, copy_rule rule, sample *s)
{
    uint8_t *hit = s->rules[s->rule_count].hits;
    size_t hits = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t number;
        if (!follow(t, column, s->records[i], rule, NULL, &number))
            return false;
        hits += hit[i] = number == s->values[i];
    }
    keep_rule(s, rule, hits);
    return true;
}

/* Kind 1, with the slot of each value's key. */
static void try_before(unsigned key, sample *s)
{
    uint8_t *hit = s->rules[s->rule_count].hits;
    size_t hits = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t *last = &s->last[s->slots[i]];
        hits += hit[i] = *last == s->values[i];
        *last = s->values[i];
    }
    for (size_t i = 0; i < s->count; i++)
        s->last[s->slots[i]] = 0;
    keep_rule(s, (copy_rule){COPY_BEFORE, (uint8_t)key}, hits);
}

/* Whether a column changes, but not with every record: else nothing can be looked up by it. */
static bool is_key(const sample *s)
{
    size_t repeats = 0, changes = 0;
    uint8_t seen[4096] = {0};
    for (size_t i = 0; i < s->count && (changes == 0 || repeats <= s->count / 16); i++) {
        uint32_t bit = s->others[i] * UINT32_C(0x9E3779B1) >> 17;
        changes += i > 0 && s->others[i] != s->others[i - 1];
        repeats += seen[bit >> 3] >> (bit & 7) & 1;
        seen[bit >> 3] = (uint8_t)(seen[bit >> 3] | 1u << (bit & 7));
    }
    return changes > 0 && repeats > s->count / 16;
}

/* Whether any of the sample's records has a value of another column that is known. */
static bool is_any_known(const tag_table *t, const sample *s, size_t other, size_t column)
{
    size_t i = 0;
    while (i < s->count && !is_read_before(t, other, column, s->places[i]))
        i++;
    return i < s->count && !is_made_column(t, other);
}

/* Kinds 0 and 1 with another column; true where things can be looked up by it. */
static bool try_column(const tag_table *t, size_t column, unsigned key, sample *s)
{
    uint8_t *hit = s->rules[s->rule_count].hits;
    size_t hits = 0, other = key - COPY_KEY_COLUMN;
    for (size_t i = 0; i < s->count; i++) {
        s->others[i] = is_read_before(t, other, column, s->places[i]) ? tag_value(t, other, s->records[i]) : 0;
        s->slots[i] = (uint16_t)s->others[i];
        hits += hit[i] = s->others[i] == s->values[i];
    }
    keep_rule(s, (copy_rule){COPY_SAME, (uint8_t)key}, hits);
    bool looked_up = is_key(s);
    if (looked_up)
        try_before(key, s);
    return looked_up;
}

/* Kind 3, where there is one: the twin is taken to follow the twin of the rule. */
static bool try_twin(const tag_table *t, size_t column, size_t other, sample *s)
{
    if (t->twins[column] == COPY_COLUMNS_MAX || t->twins[other] == COPY_COLUMNS_MAX || other == t->twins[column])
        return true;
    copy_rule rule = {COPY_TWIN, (uint8_t)(COPY_KEY_COLUMN + other)};
    copy_rule twin_rule = {COPY_TWIN, (uint8_t)(COPY_KEY_COLUMN + t->twins[other])};
    number_map map = {0};
    uint8_t *hit = s->rules[s->rule_count].hits;
    bool fine = true;
    size_t hits = 0;
    for (size_t i = 0; i < s->count && fine; i++) {
        uint32_t number;
        fine = follow_twin(t, column, s->records[i], rule, twin_rule, &map, &number);
        hits += hit[i] = fine && number == s->values[i];
    }
    stamma_number_map_release(&map, t->allocator);
    keep_rule(s, rule, hits);
    return fine;
}

static void try_prefix(const tag_table *t, unsigned n, sample *s)
{
    uint16_t *slots = s->prefix_slots[n];
    for (size_t i = 0; i < s->count; i++) {
        uint16_t *slot = &slots[s->records[i]];
        *slot = *slot ? *slot : (uint16_t)stamma_moves_key(t->moves[s->records[i]], prefixes[n]);
        s->slots[i] = *slot;
    }
    try_before(COPY_KEY_PREFIX - 1u + prefixes[n], s);
}

/* Weighs what stands behind the values of a rule of kind 2, once for each different text. */
static bool weigh_rests(const tag_table *t, size_t column, sample *s, candidate *c)
{
    text_table tails = {.allocator = t->allocator};
    uint64_t cost = 0, hits = 0;
    bool fine = true;
    for (size_t i = 0; i < s->count && fine; i++) {
        stamma_text tail;
        if (!c->hits[i] || !stamma_begins_with(t, column, s->records[i], c->rule.key, &tail))
            continue;
        size_t known = tails.count;
        fine = stamma_text_table_add(&tails, tail) != 0;
        cost += tails.count > known ? new_text(tail.size) : 0;
        hits++;
    }
    c->rest = hits == 0 ? 0 : (uint32_t)(cost / hits) + log2_of(tails.count + 1);
    stamma_text_table_release(&tails);
    return fine;
}

static bool try_begin(const tag_table *t, size_t column, unsigned key, sample *s)
{
    size_t hits = 0, known = s->rule_count;
    stamma_text tail;
    for (size_t n = 0; n < GLANCES && n < s->count; n++)
        hits += stamma_begins_with(t, column, s->records[glance(s, n)], key, &tail);
    if (hits <= GLANCES / 8)
        return true;
    bool fine = try_rule(t, column, (copy_rule){COPY_BEGIN, (uint8_t)key}, s);
    return fine && (s->rule_count == known || weigh_rests(t, column, s, &s->rules[known]));
}

/* Whether some of a few values are what a text that follows from the game says. */
static bool agrees_at_a_glance(const tag_table *t, size_t column, unsigned key, const sample *s)
{
    for (size_t n = 0; n < GLANCES && n < s->count; n++) {
        size_t record = s->records[glance(s, n)];
        if (game_value(t, record, key) == tag_value(t, column, record))
            return true;
    }
    return false;
}

/* What follows from the game; `keys`: up to there. Never a column that the game itself follows from. */
static bool try_game_rules(const tag_table *t, size_t column, unsigned keys, sample *s)
{
    if (column == t->fen_column || keys <= COPY_KEY_OPENING)
        return true;
    bool fine = true;
    for (size_t i = 0; i < s->count; i++)
        s->slots[i] = (uint16_t)t->games[s->records[i]].opening;
    try_before(COPY_KEY_OPENING, s);
    for (unsigned key = COPY_KEY_TEXTS; key < keys && fine; key++)
        if (agrees_at_a_glance(t, column, key, s))
            fine = try_rule(t, column, (copy_rule){COPY_SAME, (uint8_t)key}, s);
    return fine;
}

static bool try_rules(const tag_table *t, size_t column, unsigned keys, sample *s)
{
    bool fine = true;
    memset(s->slots, 0, sizeof s->slots);
    try_before(COPY_KEY_NONE, s);
    for (unsigned other = 0; other < t->columns && fine; other++) {
        if (other == column || t->numeric[other] || !is_any_known(t, s, other, column))
            continue;
        bool looked_up = try_column(t, column, COPY_KEY_COLUMN + other, s);
        fine = try_begin(t, column, COPY_KEY_COLUMN + other, s) && (!looked_up || try_twin(t, column, other, s));
    }
    for (unsigned n = 0; n < PREFIXES; n++)
        try_prefix(t, n, s);
    return fine && try_game_rules(t, column, keys, s);
}

/* ---- choosing ---- */

static uint64_t symbols_cost(const sample *s, size_t count)
{
    return count == 0 ? 0 : count * (uint64_t)(log2_of(s->count) - log2_of(count));
}

/* What the sample costs when the rule is taken in addition, NULL for none: its literals, and the entropy of the
 * symbols.
 */
static uint64_t cost_with(const sample *s, const candidate *c)
{
    uint64_t cost = s->rests;
    size_t left = s->count, tried = c ? s->count : 0;
    uint32_t saved = 0, hits = 0;
    for (size_t n = 0; n < COPY_RULES_MAX; n++) {
        cost += symbols_cost(s, s->counts[n]);
        left -= s->counts[n];
    }
    for (size_t i = 0; i < tried; i++) {
        saved += s->weights[i] & (0 - (uint32_t)c->hits[i]); /* no branch: nothing foretells it */
        hits += (uint32_t)(c->hits[i] & s->left[i]);
    }
    cost += s->literals - saved + hits * (uint64_t)(c ? c->rest : 0);
    return cost + symbols_cost(s, hits) + symbols_cost(s, left - hits);
}

/* What a rule must save to be worth its time when it is followed: a third; an eighth where it is all that is known of a
 * player; once a game's opening is known, a tenth is
 * enough of one that looks at it, and else WORTH. */
static uint64_t least_saving(const sample *s, copy_rule rule, bool late, uint64_t cost)
{
    if (rule.kind == COPY_TWIN)
        return cost / 8;
    if (rule.key != COPY_KEY_OPENING)
        return cost / 3;
    uint64_t worth = (uint64_t)s->count * WORTH * UNIT;
    return late || worth > cost / 3 ? cost / (late ? 10 : 3) : worth;
}

/* The rule of kind 3 of a column; one of another kind where it has none. */
static copy_rule follows_twin(const copy_rule_list *chosen)
{
    for (size_t n = 0; n < chosen->count; n++)
        if (chosen->rules[n].kind == COPY_TWIN)
            return chosen->rules[n];
    return (copy_rule){COPY_SAME, COPY_KEY_NONE};
}

/* The best rule to take in addition: NULL where none is worth it. Texts that are made for each game are not remembered,
 * so such rules stand among themselves. */
static const candidate *best_rule(const sample *s, const copy_rule_list *chosen, uint64_t cost, uint64_t *least)
{
    const candidate *best = NULL;
    *least = cost;
    for (size_t n = 0; n < s->rule_count; n++) {
        const candidate *c = &s->rules[n];
        uint64_t with = cost_with(s, c);
        bool fits = (chosen->count == 0 || is_made(chosen->rules[0]) == is_made(c->rule)) &&
                    !(c->rule.kind == COPY_TWIN && follows_twin(chosen).kind == COPY_TWIN);
        if (!fits || with + least_saving(s, c->rule, chosen->late, cost) >= cost || with + 16 * 8 * UNIT >= *least)
            continue;
        *least = with;
        best = c;
    }
    return best;
}

static void choose(sample *s, copy_rule_list *chosen)
{
    *chosen = (copy_rule_list){.count = 0};
    memset(s->counts, 0, sizeof s->counts);
    s->rests = 0;
    uint64_t cost = cost_with(s, NULL), least;
    const candidate *best;
    while (chosen->count < COPY_RULES_MAX && (best = best_rule(s, chosen, cost, &least)) != NULL) {
        for (size_t i = 0; i < s->count; i++)
            if (s->left[i] && best->hits[i]) {
                s->left[i] = false;
                s->literals -= s->weights[i];
                s->weights[i] = 0;
                s->counts[chosen->count]++;
                s->rests += best->rest;
            }
        chosen->late |= best->rule.key >= COPY_KEY_GAME;
        chosen->rules[chosen->count++] = best->rule;
        cost = least;
    }
}

/* `keys`: what rules may look at, up to there. */
static bool choose_for(tag_table *t, size_t column, unsigned keys, sample *s)
{
    copy_rule_list chosen = {.count = 0};
    if (t->numeric[column])
        return true;
    take_sample(t, column, s);
    bool fine = try_rules(t, column, keys, s);
    if (fine && s->count > 0)
        choose(s, &chosen);
    t->chosen[column] = chosen;
    return fine;
}

/* Whether a column looks at one that is not known to it, as has turned out since its rules were chosen. */
static bool looks_in_vain(const tag_table *t, size_t column)
{
    const copy_rule_list *c = &t->chosen[column];
    for (size_t n = 0; n < c->count; n++) {
        size_t other = c->rules[n].key - (size_t)COPY_KEY_COLUMN;
        if (other < t->columns && (is_made_column(t, other) || (t->chosen[other].late && !c->late)))
            return true;
    }
    return false;
}

stamma_error stamma_copy_rules_choose(tag_table *t)
{
    sample *s = (sample *)memory_allocate(t->allocator, sizeof *s);
    bool fine = s != NULL;
    if (s) {
        memset(s->last, 0, sizeof s->last);
        for (unsigned n = 0; n < PREFIXES; n++)
            memset(s->prefix_slots[n], 0, t->records * sizeof s->prefix_slots[n][0]);
    }
    for (size_t c = 0; c < t->columns && fine; c++)
        fine = choose_for(t, c, t->looked[c] ? COPY_KEY_MADE : COPY_KEYS, s);
    /* No column becomes a made one here, so what looks at others stays right. */
    for (size_t c = 0; c < t->columns && fine; c++)
        if (looks_in_vain(t, c))
            fine = choose_for(t, c, t->chosen[c].late ? COPY_KEY_MADE : COPY_KEY_GAME, s);
    memory_release(t->allocator, s);
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static bool code_values(const tag_table *t, size_t column, const copy_rule_list *chosen, buffer *symbols,
                        buffer *literals)
{
    number_map maps[COPY_RULES_MAX] = {{0}};
    bool fine = true;
    for (size_t r = 0; r < t->records && fine; r++) {
        uint32_t value = tag_value(t, column, r);
        size_t symbol = 0;
        for (size_t n = chosen->count; n-- > 0 && fine;) {
            uint32_t number = 0;
            if (chosen->rules[n].kind == COPY_TWIN)
                fine = follow_twin(t, column, r, chosen->rules[n], follows_twin(&t->chosen[t->twins[column]]), &maps[n],
                                   &number);
            else if (value != 0)
                fine = follow(t, column, r, chosen->rules[n], &maps[n], &number);
            symbol = fine && number == value ? n + 1 : symbol;
        }
        if (value == 0)
            continue;
        if (chosen->count > 0)
            buffer_add_byte(symbols, (uint8_t)symbol);
        stamma_text text = t->texts.texts[value].text;
        bool begins = symbol > 0 && chosen->rules[symbol - 1].kind == COPY_BEGIN;
        if (begins)
            stamma_begins_with(t, column, r, chosen->rules[symbol - 1].key, &text);
        if (symbol == 0 || begins) {
            buffer_add(literals, text.data, text.size);
            buffer_add_byte(literals, 0);
        }
    }
    for (size_t n = 0; n < chosen->count; n++)
        stamma_number_map_release(&maps[n], t->allocator);
    return fine && !symbols->failed && !literals->failed;
}

stamma_error stamma_copy_rules_apply(const tag_table *t, size_t column, copied_values *out)
{
    const copy_rule_list *chosen = &t->chosen[column];
    for (size_t n = 0; n < chosen->count; n++) {
        buffer_add_byte(&out->rules, chosen->rules[n].kind);
        buffer_add_byte(&out->rules, chosen->rules[n].key);
    }
    bool fine = code_values(t, column, chosen, &out->symbols, &out->literals);
    return fine && !out->rules.failed ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
