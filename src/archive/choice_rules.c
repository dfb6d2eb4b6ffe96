/* How the choices of a tag column are coded (clauses 14.7 to 14.9): whether its texts are known again, what each choice
 * is then, and what it hangs on. Where that goes wrong, the archive is larger, and nothing else. */
#include "archive/archive.h"

enum {
    VALUES_LEAST = 200, /* in a column: classes must be earned */
    LISTED_MAX = 40,    /* texts that are as well known by their number as by when they last came */
    SAMPLE = 512,
    TREE_SAMPLE = 1024,
    LEVELS = CONTEXT_LEVELS,
    OVERHEAD = 64 /* bytes of sizes and forms */
};

/* One choice. */
typedef struct choice {
    uint32_t record;
    uint32_t text;  /* its number; 0 where a rule gives the value */
    uint32_t value; /* the rule from 0, or the reference */
    uint8_t side;
    uint8_t level;
} choice;

/* One column, or two that share a memory. */
typedef struct choice_list {
    choice_maker *m;
    size_t columns[2];
    unsigned sides;
    unsigned form;
    choice *list; /* in the order of reading */
    size_t count;
    size_t counts[2]; /* of each side */
    size_t known;     /* texts, not rules */
    size_t different; /* of these */
    text_table tails; /* numbered behind the table's */
    text_memory memory;
    context_symbol *symbols[2];
} choice_list;

static stamma_text text_of(const choice_list *l, uint32_t number)
{
    size_t known = l->m->t->texts.count;
    return number <= known ? l->m->t->texts.texts[number].text : l->tails.texts[number - known].text;
}

/* ---- the choices ---- */

/* Adds what stands behind a value that begins with another column's. False when there is no memory. */
static bool add_tail(choice_list *l, uint8_t side, uint32_t record, unsigned key)
{
    tag_table *t = l->m->t;
    stamma_text tail;
    stamma_begins_with(t, l->columns[side], record, key, &tail);
    uint32_t number = stamma_text_table_add(&l->tails, tail);
    l->list[l->count++] = (choice){record, (uint32_t)t->texts.count + number, 0, side, 0};
    l->counts[side]++;
    return number != 0;
}

/* Adds what gives a value: a rule, counted from 1, or 0. False when there is no memory. */
STAMMA_INLINE bool add_value(choice_list *l, uint8_t side, uint32_t record, uint32_t number, unsigned symbol)
{
    l->counts[side]++;
    l->list[l->count++] =
        (choice){record, symbol == 0 ? number : 0, symbol == 0 ? 0 : symbol - 1, side, CHOICE_LEVEL_RULE};
    if (STAMMA_LIKELY(symbol == 0))
        return true;
    copy_rule rule = l->m->t->chosen[l->columns[side]].rules[symbol - 1];
    return rule.kind != COPY_BEGIN || add_tail(l, side, record, rule.key);
}

static bool list_choices(choice_list *l)
{
    const tag_table *t = l->m->t;
    const uint8_t *at[2] = {NULL, NULL};
    const uint32_t *numbers[2] = {NULL, NULL};
    for (unsigned side = 0; side < l->sides; side++) {
        at[side] = t->chosen[l->columns[side]].count > 0 ? l->m->plain[l->columns[side]].symbols.data : NULL;
        numbers[side] = t->numbers + l->columns[side] * t->records;
    }
    l->list = (choice *)memory_allocate(t->allocator, size_multiply(2 * l->sides * t->records + 1, sizeof *l->list));
    bool fine = l->list != NULL;
    for (uint32_t r = 0; r < t->records && fine; r++) {
        bool other_first = l->sides == 2 && is_read_before(t, l->columns[1], l->columns[0], tag_places(t, r));
        for (unsigned turn = 0; turn < l->sides && fine; turn++) {
            uint8_t side = (uint8_t)(turn ^ other_first);
            if (numbers[side][r] != 0)
                fine = add_value(l, side, r, numbers[side][r], at[side] ? *at[side]++ : 0);
        }
    }
    return fine;
}

/* Makes all places 0 again. */
static void clear_places(choice_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        l->m->places[l->list[i].text] = 0;
}

static void count_different(choice_list *l)
{
    uint32_t *places = l->m->places;
    size_t known = 0, different = 0;
    for (size_t i = 0; i < l->count; i++) {
        uint32_t text = l->list[i].text;
        known += text != 0;
        different += text != 0 && places[text] == 0;
        places[text] = 1;
    }
    l->known = known;
    l->different = different;
    clear_places(l);
}

static void choose_form(choice_list *l)
{
    bool rules = l->m->t->chosen[l->columns[0]].count > 0;
    l->form = l->different > l->known / 4 * 3 || l->known == 0 ? (rules ? CHOICE_ANEW : CHOICE_BYTES)
              : l->different <= LISTED_MAX                     ? CHOICE_LISTED
                                                               : CHOICE_RECENT;
    if (l->counts[0] < VALUES_LEAST || (l->sides == 2 && (l->counts[1] < VALUES_LEAST || l->form < CHOICE_LISTED)))
        l->form = CHOICE_BYTES;
    else if (l->sides == 2)
        l->form += CHOICE_SHARED;
}

/* The reference to a text; 0 where it is new, or is not known again. */
static uint32_t reference_to(const choice_list *l, uint32_t text)
{
    const text_memory *m = &l->memory;
    size_t older = m->older.size / sizeof(uint32_t), place = l->m->places[text];
    switch (l->form % CHOICE_SHARED) {
    case CHOICE_LISTED: return (uint32_t)place;
    case CHOICE_RECENT:
        for (size_t i = 0; i < m->recent_count; i++)
            if (m->recent[i] == text)
                return (uint32_t)i + 1;
        return place == 0 ? 0 : (uint32_t)(CHOICE_RECENTS + 1 + older - place);
    default: return 0;
    }
}

/* Takes note of a text; false when there is no memory. */
static bool remember(choice_list *l, uint32_t text, uint32_t reference)
{
    text_memory *m = &l->memory;
    size_t before = m->older.size / sizeof(uint32_t);
    if (reference == 0 ? !stamma_text_memory_add(m, l->form, text)
                       : stamma_text_memory_find(m, l->form, reference) == 0)
        return false;
    const uint32_t *older = (const uint32_t *)(const void *)m->older.data;
    if (m->older.size / sizeof *older > before)
        l->m->places[older[before]] = (uint32_t)before + 1;
    return true;
}

/* The symbol of a choice, and how many bits follow it. */
static uint8_t symbol_of(uint32_t reference, size_t rules, unsigned *bits)
{
    *bits = 0;
    if (reference < CHOICE_DIRECT)
        return (uint8_t)(rules + reference);
    unsigned last = bits_last(reference);
    *bits = last - 1;
    return (uint8_t)(rules + CHOICE_DIRECT + 2 * (last - 5) + (reference >> (last - 1) & 1));
}

static bool put_bits(copied_values *out, size_t *bit_count, uint32_t value, unsigned bits)
{
    if (!buffer_reserve(&out->bits, 9))
        return false;
    bit_writer w = {out->bits.data, out->bits.capacity * 8, *bit_count, false};
    stamma_bits_write(&w, value & ((UINT32_C(1) << bits) - 1), bits);
    *bit_count = w.size;
    out->bits.size = (w.size + 7) / 8;
    return true;
}

/* Contexts of a choice, but for other columns. */
STAMMA_INLINE void foresee(const choice_history *h, const text_memory *m, bool shared, size_t plies,
                           uint8_t levels[CONTEXT_KINDS])
{
    levels[CHOICE_LAST] = h->last;
    levels[CHOICE_SECOND] = h->second;
    levels[CHOICE_OTHER] = levels[CHOICE_ANOTHER] = 0;
    levels[CHOICE_MEMORY] = shared ? m->last : 0; /* which is h->last else */
    levels[CHOICE_GAME] = choice_game_level(plies);
    levels[CHOICE_KNOWN] = m->known;
}

/* Says what each choice is, with what is known of its own column and memory. */
static bool find_symbols(choice_list *l)
{
    const tag_table *t = l->m->t;
    choice_history history[2] = {{0}};
    size_t bit_counts[2] = {0}, done[2] = {0};
    for (size_t i = 0; i < l->count; i++) {
        choice *c = &l->list[i];
        size_t rules = t->chosen[l->columns[c->side]].count;
        copied_values *out = &l->m->coded[l->columns[c->side]];
        context_symbol *s = &l->symbols[c->side][done[c->side]++];
        unsigned bits = 0;
        foresee(&history[c->side], &l->memory, l->sides == 2, t->moves[c->record].size, s->levels);
        if (c->text == 0) {
            s->symbol = (uint8_t)c->value;
            c->level = CHOICE_LEVEL_RULE;
        } else {
            c->value = reference_to(l, c->text);
            c->level = choice_level(c->value);
            s->symbol = symbol_of(c->value, rules, &bits);
            if (bits > 0 && !put_bits(out, &bit_counts[c->side], c->value, bits))
                return false;
        }
        choice_note(&history[c->side], &l->memory, c->level);
        if (c->text != 0 && !remember(l, c->text, c->value))
            return false;
        if (c->text != 0 && c->value == 0) {
            stamma_text text = text_of(l, c->text);
            buffer_add(&out->literals, text.data, text.size);
            buffer_add_byte(&out->literals, 0);
        }
    }
    return true;
}

/* ---- what choices hang on ---- */

/* Keeps the levels of each record for columns that come later. */
static bool keep_levels(choice_list *l)
{
    const tag_table *t = l->m->t;
    for (unsigned side = 0; side < l->sides; side++) {
        uint8_t *levels = (uint8_t *)memory_allocate(t->allocator, t->records);
        if (!levels)
            return false;
        memset(levels, 0, t->records);
        l->m->levels[l->columns[side]] = levels;
        l->m->coded_as[l->columns[side]] = (uint8_t)l->form;
    }
    for (size_t i = 0; i < l->count; i++)
        l->m->levels[l->columns[l->list[i].side]][l->list[i].record] = l->list[i].level;
    return true;
}

static uint64_t times_log(uint32_t x)
{
    return x == 0 ? 0 : (uint64_t)x * stamma_log2_256(x);
}

/* The level of another column's choice in a record, as those of a side know it: 0 where it was not read before. */
static uint8_t seen_level(const choice_list *l, size_t other, unsigned side, uint32_t record)
{
    const tag_table *t = l->m->t;
    bool before = is_read_before(t, other, l->columns[side], tag_places(t, record));
    return before ? l->m->levels[other][record] : 0;
}

/* How much a column's choices say of those of a side, by a sample; in no unit. */
static uint64_t tells(const choice_list *l, size_t other, unsigned side, const choice *const *sample, size_t count)
{
    uint16_t both[LEVELS][LEVELS] = {{0}};
    uint64_t sum = (uint64_t)1 << 40; /* so that it is not below 0 */
    for (size_t i = 0; i < count; i++)
        both[seen_level(l, other, side, sample[i]->record)]
            [sample[i]->text ? sample[i]->level : LEVELS - 1 - sample[i]->value]++;
    for (unsigned a = 0; a < LEVELS; a++) {
        uint32_t row = 0;
        for (unsigned b = 0; b < LEVELS; b++) {
            row += both[a][b];
            sum += times_log(both[a][b]);
        }
        sum -= times_log(row);
    }
    return sum;
}

/* Some choices of a side, from all over. */
static size_t take_sample(const choice_list *l, unsigned side, const choice *sample[SAMPLE])
{
    size_t count = 0, step = l->count / SAMPLE + 1;
    for (size_t i = 0; i < l->count && count < SAMPLE; i += step) {
        size_t n = i;
        while (n < l->count && l->list[n].side != side)
            n++;
        if (n < l->count)
            sample[count++] = &l->list[n];
    }
    return count;
}

/* Chooses the two columns that say most. */
static void choose_others(const choice_list *l, unsigned side, uint8_t others[2])
{
    const choice *sample[SAMPLE];
    size_t count = take_sample(l, side, sample);
    uint64_t best[2] = {0, 0};
    others[0] = others[1] = 0;
    for (size_t c = 0; c < l->m->t->columns; c++) {
        if (!l->m->levels[c] || c == l->columns[side])
            continue;
        uint64_t now = tells(l, c, side, sample, count);
        unsigned place = now > best[0] ? 0 : now > best[1] ? 1 : 2;
        if (place == 2)
            continue;
        if (place == 0) {
            best[1] = best[0];
            others[1] = others[0];
        }
        best[place] = now;
        others[place] = (uint8_t)(c + 1);
    }
}

static void set_others(choice_list *l, unsigned side, const uint8_t others[2])
{
    for (unsigned n = 0; n < 2; n++) {
        if (others[n] == 0)
            continue;
        context_symbol *s = l->symbols[side];
        for (size_t i = 0; i < l->count; i++)
            if (l->list[i].side == side)
                (s++)->levels[CHOICE_OTHER + n] = seen_level(l, others[n] - 1u, side, l->list[i].record);
    }
}

static bool write_side(choice_list *l, unsigned side)
{
    size_t column = l->columns[side];
    copied_values *out = &l->m->coded[column];
    unsigned classes = CHOICE_CLASSES_MAX;
    choose_others(l, side, out->others);
    set_others(l, side, out->others);
    const buffer *rules = &l->m->plain[column].rules;
    buffer_add(&out->rules, rules->data, rules->size);
    out->form = (uint8_t)l->form;
    return !out->literals.failed && !out->rules.failed &&
           stamma_classes_write(l->symbols[side], l->counts[side], TREE_SAMPLE, &classes, l->m->t->allocator,
                                &out->parameters, &out->symbols) &&
           !out->parameters.failed && !out->symbols.failed;
}

/* Whether a column cannot be larger than its texts: new ones are among these, and the others have a byte and more. */
static bool fits(const choice_list *l, unsigned side)
{
    const copied_values *out = &l->m->coded[l->columns[side]];
    size_t size = OVERHEAD + out->parameters.size + out->symbols.size + out->bits.size, others = 0;
    for (size_t i = 0; i < l->count && others < size; i++)
        if (l->list[i].side == side && l->list[i].text != 0 && l->list[i].value != 0)
            others += text_of(l, l->list[i].text).size + 1;
        else
            others += l->list[i].side == side && l->list[i].text == 0;
    return size <= others;
}

static void forget(choice_list *l)
{
    for (unsigned side = 0; side < l->sides; side++) {
        copied_values *out = &l->m->coded[l->columns[side]];
        stamma_copied_values_release(out);
        stamma_copied_values_init(out, l->m->t->allocator);
        stamma_choices_forget(l->m, l->columns[side]);
    }
    l->form = CHOICE_BYTES;
}

/* False when there is no memory. */
static bool find_choices(choice_list *l)
{
    if (!list_choices(l))
        return false;
    count_different(l);
    choose_form(l);
    return true;
}

static bool code(choice_list *l)
{
    const tag_table *t = l->m->t;
    if (l->form == CHOICE_BYTES)
        return true;
    for (unsigned side = 0; side < l->sides; side++)
        if (!(l->symbols[side] = (context_symbol *)memory_allocate(
                  t->allocator, size_multiply(l->counts[side] + 1, sizeof *l->symbols[side]))))
            return false;
    bool fine = find_symbols(l) && keep_levels(l), all_fit = true;
    clear_places(l);
    for (unsigned side = 0; side < l->sides && fine; side++) {
        fine = write_side(l, side);
        all_fit &= fits(l, side);
    }
    if (!all_fit)
        forget(l);
    return fine;
}

/* ---- a rule that samples do not show: values that come again with those of another column, though far away ---- */

/* How many values are those that came last with the same value of another column; of the column itself: right before.
 */
static size_t count_repeats(choice_maker *m, size_t column, size_t other)
{
    const tag_table *t = m->t;
    size_t count = 0;
    for (size_t r = 0; r < t->records; r++) {
        uint32_t value = tag_value(t, column, r), key = other == column ? 0 : tag_value(t, other, r);
        if (value == 0 || (key == 0 && other != column))
            continue;
        count += m->places[key] == value;
        m->places[key] = value;
    }
    for (size_t r = 0; r < t->records; r++)
        m->places[tag_value(t, other, r)] = 0;
    m->places[0] = 0;
    return count;
}

/* Whether many texts come in a column again and again, so that others may come again with them. */
static bool may_look_at(const choice_maker *m, size_t column, size_t other)
{
    return m->levels[other] && m->coded_as[other] % CHOICE_SHARED == CHOICE_RECENT &&
           !(m->t->chosen[other].late && !m->t->chosen[column].late);
}

/* Gives a column without rules one of kind 1 where that gives much more than the last value; false where it does not.
 */
static bool add_lookup(choice_maker *m, size_t column, size_t values)
{
    size_t best = 0, key = 0;
    for (size_t other = 0; other < m->t->columns; other++) {
        size_t hits = may_look_at(m, column, other) ? count_repeats(m, column, other) : 0;
        key = hits > best ? other : key;
        best = hits > best ? hits : best;
    }
    if (best < values / 5 || best - values / 5 < count_repeats(m, column, column))
        return false;
    m->t->chosen[column].rules[0] = (copy_rule){COPY_BEFORE, (uint8_t)(COPY_KEY_COLUMN + key)};
    m->t->chosen[column].count = 1;
    return true;
}

/* ---- */

static stamma_error apply_rules(choice_maker *m, size_t column)
{
    if (m->applied[column])
        return STAMMA_OK;
    m->applied[column] = true;
    stamma_copied_values_init(&m->plain[column], m->t->allocator);
    stamma_copied_values_init(&m->coded[column], m->t->allocator);
    return stamma_copy_rules_apply(m->t, column, &m->plain[column]);
}

static void release_list(choice_list *l)
{
    const stamma_allocator *allocator = l->m->t->allocator;
    memory_release(allocator, l->list);
    memory_release(allocator, l->symbols[0]);
    memory_release(allocator, l->symbols[1]);
    stamma_buffer_release(&l->memory.older);
    stamma_text_table_release(&l->tails);
}

static choice_list list_of(choice_maker *m, size_t column, size_t twin)
{
    choice_list l = {.m = m, .columns = {column, twin}, .sides = twin == COPY_COLUMNS_MAX ? 1 : 2};
    l.memory.older.allocator = l.tails.allocator = m->t->allocator;
    return l;
}

/* Codes the choices of a column, or of two with a common memory; *coded: whether they are. */
static stamma_error make(choice_maker *m, size_t column, size_t twin, bool *coded)
{
    choice_list l = list_of(m, column, twin);
    bool fine = find_choices(&l);
    if (fine && l.form == CHOICE_RECENT && m->t->chosen[column].count == 0 && add_lookup(m, column, l.count)) {
        release_list(&l);
        stamma_choices_release(m, column);
        l = list_of(m, column, twin);
        fine = apply_rules(m, column) == STAMMA_OK && find_choices(&l);
    }
    fine = fine && code(&l);
    *coded = l.form != CHOICE_BYTES;
    release_list(&l);
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Makes room for the places of all texts. */
static bool make_places(choice_maker *m)
{
    size_t count = m->t->texts.count + 2 * m->t->records + 1; /* and of what stands behind others, in two columns */
    if (!m->places && (m->places = (uint32_t *)memory_allocate(m->t->allocator, count * sizeof *m->places)) != NULL)
        memset(m->places, 0, count * sizeof *m->places);
    return m->places != NULL;
}

stamma_error stamma_choices_make(choice_maker *m, size_t column)
{
    size_t twin = m->t->twins[column];
    bool pair = twin != COPY_COLUMNS_MAX && twin > column && !m->t->numeric[twin], coded = false;
    stamma_error error = make_places(m) ? apply_rules(m, column) : STAMMA_ERROR_NO_MEMORY;
    if (error != STAMMA_OK || m->coded[column].form != CHOICE_BYTES)
        return error;
    if (pair)
        error = apply_rules(m, twin);
    if (pair && error == STAMMA_OK)
        error = make(m, column, twin, &coded);
    return error == STAMMA_OK && !coded ? make(m, column, COPY_COLUMNS_MAX, &coded) : error;
}

void stamma_choices_forget(choice_maker *m, size_t column)
{
    memory_release(m->t->allocator, m->levels[column]);
    m->levels[column] = NULL;
}

void stamma_choices_release(choice_maker *m, size_t column)
{
    if (m->applied[column]) {
        stamma_copied_values_release(&m->plain[column]);
        stamma_copied_values_release(&m->coded[column]);
    }
    m->applied[column] = false;
}

void stamma_choice_maker_release(choice_maker *m)
{
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++) {
        stamma_choices_forget(m, c);
        stamma_choices_release(m, c);
    }
    memory_release(m->t->allocator, m->places);
}
