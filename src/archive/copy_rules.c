/* Which rules a tag column follows (clause 14): candidates are tried on its first values, and the best are taken one
 * after another as long as they save more than they cost. */
#include "archive/archive.h"

enum {
    SAMPLE = 2048,
    CANDIDATES_MAX = 1 + 2 * COPY_COLUMNS_MAX + 4,
    MISS = 255,
    REPEATED = 6, /* bits that a literal that came before, but is not frequent, costs over its frequency */
    UNIT = 16     /* parts of a bit that costs are counted in */
};

typedef struct sample {
    uint32_t records[SAMPLE];
    uint32_t weights[SAMPLE]; /* what the value costs as a literal */
    uint8_t symbols[SAMPLE];  /* MISS, or the rule that gives it */
    size_t count;
    copy_rule rules[CANDIDATES_MAX];
    size_t rule_count;
    bool hits[CANDIDATES_MAX][SAMPLE];
} sample;

/* ---- numbers of texts ---- */

static bool grow_texts(text_numbers *t, const stamma_allocator *allocator)
{
    size_t capacity = t->capacity < 1024 ? 1024 : t->capacity * 2, mask = 2 * capacity - 1;
    numbered_text *texts = (numbered_text *)memory_resize(allocator, t->texts, size_multiply(capacity, sizeof *texts));
    if (texts)
        t->texts = texts;
    uint32_t *table = texts ? (uint32_t *)memory_resize(allocator, t->table, 2 * capacity * sizeof *table) : NULL;
    if (!table)
        return false;
    t->table = table;
    t->capacity = capacity;
    memset(table, 0, 2 * capacity * sizeof *table);
    for (uint32_t n = 1; n <= t->count; n++) {
        size_t slot = texts[n].key & mask;
        while (table[slot] != 0)
            slot = (slot + 1) & mask;
        table[slot] = n;
    }
    return true;
}

uint32_t stamma_text_number(text_numbers *t, stamma_text text, const stamma_allocator *allocator)
{
    if (t->count + 1 >= t->capacity && !grow_texts(t, allocator))
        return 0;
    uint32_t key = stamma_text_key(text);
    size_t mask = 2 * t->capacity - 1, slot = key & mask;
    for (; t->table[slot] != 0; slot = (slot + 1) & mask) {
        const numbered_text *known = &t->texts[t->table[slot]];
        if (known->key == key && known->text.size == text.size && memcmp(known->text.data, text.data, text.size) == 0)
            return t->table[slot];
    }
    t->table[slot] = (uint32_t)++t->count;
    t->texts[t->count] = (numbered_text){text, key};
    return (uint32_t)t->count;
}

void stamma_text_numbers_release(text_numbers *t, const stamma_allocator *allocator)
{
    memory_release(allocator, t->texts);
    memory_release(allocator, t->table);
    *t = (text_numbers){0};
}

/* ---- the table ---- */

void stamma_tag_table_release(tag_table *t)
{
    memory_release(t->allocator, t->numbers);
    memory_release(t->allocator, t->places);
    memory_release(t->allocator, t->rosters);
    memory_release(t->allocator, t->moves);
    stamma_text_numbers_release(&t->texts, t->allocator);
}

static uint32_t value_at(const tag_table *t, size_t column, size_t record)
{
    return t->numbers[column * t->records + record];
}

/* The number of a value of another column where `column` looks at it: 0 where it does not stand before. */
static uint32_t other_value(const tag_table *t, size_t column, size_t record, unsigned key)
{
    size_t other = key - COPY_KEY_COLUMN;
    const uint8_t *places = t->places + t->rosters[record] * t->columns;
    return places[other] < places[column] ? value_at(t, other, record) : 0;
}

static uint32_t key_at(const tag_table *t, size_t column, size_t record, unsigned key)
{
    if (key == COPY_KEY_NONE)
        return 0;
    if (key >= COPY_KEY_PREFIX)
        return stamma_moves_key(t->moves[record], key - COPY_KEY_PREFIX + 1);
    uint32_t number = other_value(t, column, record, key);
    return number == 0 ? 0 : t->texts.texts[number].key;
}

/* What the rule gives for the value of that record, which is put into its map; false when there is no memory. */
static bool follow(const tag_table *t, size_t column, size_t record, copy_rule rule, number_map *map, uint32_t *number)
{
    if (rule.kind == COPY_SAME) {
        *number = other_value(t, column, record, rule.key);
        return true;
    }
    uint32_t *slot = stamma_number_map_at(map, key_at(t, column, record, rule.key), t->allocator);
    if (!slot)
        return false;
    *number = *slot;
    *slot = value_at(t, column, record);
    return true;
}

/* ---- the sample ---- */

static uint32_t log2_of(size_t x)
{
    unsigned top = bits_last(x);
    return UNIT * top + (uint32_t)(((uint64_t)x * UNIT >> top) - UNIT);
}

/* What the coder behind makes of a literal: a text that came before costs what its frequency says, a new one its bytes.
 */
static void weigh(const tag_table *t, size_t column, sample *s, const number_map *uses)
{
    for (size_t i = 0; i < s->count; i++) {
        uint32_t number = value_at(t, column, s->records[i]);
        uint32_t bits = log2_of(s->count) - log2_of(*stamma_number_map_find(uses, number));
        size_t size = t->texts.texts[number].text.size;
        bits += bits > 3 * UNIT ? REPEATED * UNIT : 0;
        if (s->weights[i])
            bits += (uint32_t)(10 + 3 * (size < 64 ? size : 64)) * UNIT;
        s->weights[i] = bits;
    }
}

static bool take_sample(const tag_table *t, size_t column, sample *s)
{
    number_map uses = {0};
    bool fine = true;
    s->count = s->rule_count = 0;
    for (size_t r = 0; r < t->records && s->count < SAMPLE && fine; r++) {
        uint32_t number = value_at(t, column, r);
        uint32_t *count = number == 0 ? NULL : stamma_number_map_at(&uses, number, t->allocator);
        fine = number == 0 || count;
        if (!count)
            continue;
        s->records[s->count] = (uint32_t)r;
        s->weights[s->count] = *count == 0; /* new */
        s->symbols[s->count++] = MISS;
        ++*count;
    }
    if (fine)
        weigh(t, column, s, &uses);
    stamma_number_map_release(&uses, t->allocator);
    return fine;
}

static bool try_rule(const tag_table *t, size_t column, copy_rule rule, sample *s)
{
    number_map map = {0};
    size_t hits = 0;
    bool fine = true;
    for (size_t i = 0; i < s->count && fine; i++) {
        uint32_t number;
        fine = follow(t, column, s->records[i], rule, &map, &number);
        s->hits[s->rule_count][i] = fine && number == value_at(t, column, s->records[i]);
        hits += s->hits[s->rule_count][i];
    }
    stamma_number_map_release(&map, t->allocator);
    s->rules[s->rule_count] = rule;
    s->rule_count += hits > s->count / 64;
    return fine;
}

/* Whether a column changes, but not with every record: else nothing can be looked up by it. */
static bool is_key(const tag_table *t, size_t column, const sample *s)
{
    size_t repeats = 0, changes = 0;
    uint8_t seen[4096] = {0};
    for (size_t i = 0; i < s->count; i++) {
        uint32_t number = value_at(t, column, s->records[i]), bit = number * UINT32_C(0x9E3779B1) >> 17;
        changes += i > 0 && number != value_at(t, column, s->records[i - 1]);
        repeats += seen[bit >> 3] >> (bit & 7) & 1;
        seen[bit >> 3] = (uint8_t)(seen[bit >> 3] | 1u << (bit & 7));
    }
    return changes > 0 && repeats > s->count / 16;
}

static bool try_rules(const tag_table *t, size_t column, sample *s)
{
    static const uint8_t prefixes[] = {5, 8, 12, 20};
    bool fine = try_rule(t, column, (copy_rule){COPY_BEFORE, COPY_KEY_NONE}, s);
    for (unsigned other = 0; other < t->columns && fine; other++) {
        if (other == column)
            continue;
        uint8_t key = (uint8_t)(COPY_KEY_COLUMN + other);
        fine = try_rule(t, column, (copy_rule){COPY_SAME, key}, s);
        if (fine && is_key(t, other, s))
            fine = try_rule(t, column, (copy_rule){COPY_BEFORE, key}, s);
    }
    for (size_t i = 0; i < sizeof prefixes && fine; i++)
        fine = try_rule(t, column, (copy_rule){COPY_BEFORE, (uint8_t)(COPY_KEY_PREFIX - 1 + prefixes[i])}, s);
    return fine;
}

/* ---- choosing ---- */

/* What the sample costs when the rule is taken in addition: its literals, and the entropy of the symbols. */
static uint64_t cost_with(const sample *s, const bool *hits)
{
    size_t counts[COPY_RULES_MAX + 2] = {0};
    uint64_t cost = 0;
    for (size_t i = 0; i < s->count; i++) {
        bool hit = s->symbols[i] == MISS && hits && hits[i];
        bool missed = s->symbols[i] == MISS && !hit;
        counts[hit ? COPY_RULES_MAX : missed ? COPY_RULES_MAX + 1 : s->symbols[i]]++;
        cost += missed ? s->weights[i] : 0;
    }
    for (size_t n = 0; n < COPY_RULES_MAX + 2; n++)
        if (counts[n] > 0)
            cost += counts[n] * (uint64_t)(log2_of(s->count) - log2_of(counts[n]));
    return cost;
}

static size_t choose(sample *s, copy_rule *chosen)
{
    uint64_t cost = cost_with(s, NULL);
    size_t count = 0;
    while (count < COPY_RULES_MAX) {
        size_t best = s->rule_count;
        uint64_t least = cost - cost / 3;
        for (size_t n = 0; n < s->rule_count; n++) {
            uint64_t with = cost_with(s, s->hits[n]);
            if (with + 16 * 8 * UNIT < least) {
                least = with;
                best = n;
            }
        }
        if (best == s->rule_count)
            break;
        for (size_t i = 0; i < s->count; i++)
            if (s->symbols[i] == MISS && s->hits[best][i])
                s->symbols[i] = (uint8_t)count;
        chosen[count++] = s->rules[best];
        cost = least;
    }
    return count;
}

static bool code_values(const tag_table *t, size_t column, const copy_rule *rules, size_t rule_count, buffer *symbols,
                        buffer *literals)
{
    number_map maps[COPY_RULES_MAX] = {{0}};
    bool fine = true;
    for (size_t r = 0; r < t->records && fine; r++) {
        uint32_t value = value_at(t, column, r);
        size_t symbol = 0;
        if (value == 0)
            continue;
        for (size_t n = rule_count; n-- > 0 && fine;) {
            uint32_t number;
            fine = follow(t, column, r, rules[n], &maps[n], &number);
            symbol = fine && number == value ? n + 1 : symbol;
        }
        if (rule_count > 0)
            buffer_add_byte(symbols, (uint8_t)symbol);
        if (symbol == 0) {
            stamma_text text = t->texts.texts[value].text;
            buffer_add(literals, text.data, text.size);
            buffer_add_byte(literals, 0);
        }
    }
    for (size_t n = 0; n < rule_count; n++)
        stamma_number_map_release(&maps[n], t->allocator);
    return fine && !symbols->failed && !literals->failed;
}

stamma_error stamma_copy_rules_apply(const tag_table *t, size_t column, copied_values *out)
{
    sample *s = (sample *)memory_allocate(t->allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    copy_rule chosen[COPY_RULES_MAX];
    size_t count = 0;
    bool fine = take_sample(t, column, s) && try_rules(t, column, s);
    if (fine && s->count > 0)
        count = choose(s, chosen);
    memory_release(t->allocator, s);
    for (size_t n = 0; n < count; n++) {
        buffer_add_byte(&out->rules, chosen[n].kind);
        buffer_add_byte(&out->rules, chosen[n].key);
    }
    fine = fine && code_values(t, column, chosen, count, &out->symbols, &out->literals);
    return fine && !out->rules.failed ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
