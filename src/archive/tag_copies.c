/* Tag values that follow from other values (clause 14). A value that is a literal gets a number, and rules give the
 * numbers of others: nothing is copied, and no two values are compared. */
#include "archive/archive.h"

uint32_t stamma_text_key(stamma_text text)
{
    return 1 + (uint32_t)(XXH64(text.data, text.size, 0) & INT32_MAX);
}

/* ---- the rules ---- */

void stamma_tag_copies_clear(tag_copies *c)
{
    c->values.size = 0;
    for (size_t i = 0; i < COPY_COLUMNS_MAX; i++) {
        for (size_t n = 0; n < c->columns[i].rule_count; n++)
            stamma_number_map_clear(&c->columns[i].maps[n]);
        stamma_number_map_clear(&c->columns[i].of_players);
        stamma_text_memory_clear(&c->columns[i].choices.memory);
        c->columns[i].choices.form = CHOICE_BYTES;
        c->columns[i].coded = c->columns[i].keyed = c->columns[i].copied = c->columns[i].late = false;
        c->columns[i].rule_count = 0;
    }
    c->any = c->late = c->openings = c->no_memory = false;
}

void stamma_tag_copies_release(tag_copies *c, const stamma_allocator *allocator)
{
    stamma_buffer_release(&c->values);
    for (size_t i = 0; i < COPY_COLUMNS_MAX; i++) {
        for (size_t n = 0; n < COPY_RULES_MAX; n++)
            stamma_number_map_release(&c->columns[i].maps[n], allocator);
        stamma_number_map_release(&c->columns[i].of_players, allocator);
        memory_release(allocator, c->columns[i].joined.data);
        memory_release(allocator, c->columns[i].choices.memory.older.data);
        memory_release(allocator, c->columns[i].choices.classes.data);
    }
}

static bool looks_at_column(copy_rule rule)
{
    return rule.key >= COPY_KEY_COLUMN && rule.key < COPY_KEY_PREFIX;
}

/* What a rule of a kind may look at (14.4). */
static bool is_rule(copy_rule rule)
{
    switch (rule.kind) {
    case COPY_SAME: return looks_at_column(rule) || (rule.key >= COPY_KEY_TEXTS && rule.key < COPY_KEYS);
    case COPY_BEFORE: return rule.key < COPY_KEY_TEXTS;
    case COPY_BEGIN:
    case COPY_TWIN: return looks_at_column(rule);
    default: return false;
    }
}

/* Notes what a rule looks at. False where there is no such rule (14.4), or one of kind 3 before. */
static bool set_rule(tag_copies *c, copied_column *x, size_t number, copy_rule rule)
{
    if (!is_rule(rule))
        return false;
    for (size_t n = 0; n < number; n++)
        if (rule.kind == COPY_TWIN && x->rules[n].kind == COPY_TWIN)
            return false;
    if (looks_at_column(rule)) {
        copied_column *seen = &c->columns[rule.key - COPY_KEY_COLUMN];
        *(rule.kind == COPY_BEFORE || rule.kind == COPY_TWIN ? &seen->keyed : &seen->copied) = true;
    }
    x->late |= rule.key >= COPY_KEY_GAME;
    c->openings |= rule.key >= COPY_KEY_GAME && rule.key < COPY_KEY_MADE;
    return true;
}

bool stamma_are_twins(stamma_text name, stamma_text other)
{
    if (name.size != other.size || name.size < 5 || memcmp(name.data + 5, other.data + 5, name.size - 5) != 0)
        return false;
    return (memcmp(name.data, "White", 5) == 0 && memcmp(other.data, "Black", 5) == 0) ||
           (memcmp(name.data, "Black", 5) == 0 && memcmp(other.data, "White", 5) == 0);
}

/* Makes ready for a column's choices; `twin` as below. */
static stamma_error set_choices(tag_copies *c, size_t column, size_t twin, const copied_values *values)
{
    choice_source *s = &c->columns[column].choices;
    s->form = values->form;
    c->columns[column].symbols = buffer_cursor(&values->symbols);
    if (s->form == CHOICE_BYTES)
        return STAMMA_OK;
    if (values->others[0] > COPY_COLUMNS_MAX || values->others[1] > COPY_COLUMNS_MAX)
        return STAMMA_ERROR_CORRUPT;
    bool shares =
        s->form >= CHOICE_SHARED && twin < column && c->columns[twin].coded && c->columns[twin].choices.form == s->form;
    c->any = true;
    s->remembers = (uint8_t)(shares ? twin : column);
    s->memory.older.allocator = s->classes.allocator = c->values.allocator;
    const text_memory *memory = &c->columns[s->remembers].choices.memory;
    const uint8_t *levels[CONTEXT_KINDS] = {[CHOICE_LAST] = &s->history.last,
                                            [CHOICE_SECOND] = &s->history.second,
                                            [CHOICE_OTHER] = &c->levels[values->others[0]],
                                            [CHOICE_ANOTHER] = &c->levels[values->others[1]],
                                            [CHOICE_MEMORY] = &memory->last,
                                            [CHOICE_GAME] = &c->game_level,
                                            [CHOICE_KNOWN] = &memory->known};
    return stamma_choice_source_begin(s, values, levels);
}

stamma_error stamma_tag_copies_set(tag_copies *c, size_t column, size_t twin, const copied_values *values, size_t size)
{
    const buffer *rules = &values->rules;
    if (column >= COPY_COLUMNS_MAX || rules->size % 2 != 0 || rules->size > 2 * COPY_RULES_MAX)
        return STAMMA_ERROR_CORRUPT;
    copied_column *x = &c->columns[column];
    x->coded = true;
    x->rule_count = (uint8_t)(rules->size / 2);
    x->last = 0;
    x->players = (uint8_t)(twin < column ? twin : column);
    x->joined.allocator = c->values.allocator;
    x->joined.size = 0;
    for (size_t n = 0; n < x->rule_count; n++) {
        x->rules[n] = (copy_rule){rules->data[2 * n], rules->data[2 * n + 1]};
        if (!set_rule(c, x, n, x->rules[n]))
            return STAMMA_ERROR_CORRUPT;
        if (x->rules[n].kind == COPY_BEGIN && !buffer_reserve(&x->joined, size))
            return STAMMA_ERROR_NO_MEMORY;
    }
    c->any |= x->rule_count > 0;
    c->late |= x->late;
    return set_choices(c, column, twin, values);
}

void stamma_tag_copies_begin(tag_copies *c, stamma_text codes)
{
    c->codes = codes;
    c->game_level = choice_game_level(codes.size);
    memset(c->now, 0, sizeof c->now);
    memset(c->keys, 0, sizeof c->keys);
    memset(c->levels, 0, sizeof c->levels);
    memset(c->prefixes, 0, sizeof c->prefixes);
}

void stamma_tag_copies_play(tag_copies *c, bool set_up, const stamma_move *moves, size_t count,
                            const stamma_position *end)
{
    c->moves = moves;
    c->game.plies = (uint32_t)count;
    c->game.opening = 0;
    c->opening_known = set_up;
    c->passed = end == NULL;
    if (end)
        c->game.end = *end;
}

static uint32_t opening_of(tag_copies *c)
{
    if (!c->opening_known)
        c->game.opening = stamma_opening_find(c->moves, c->game.plies);
    c->opening_known = true;
    return c->game.opening;
}

static copied_value *value_of(const tag_copies *c, uint32_t number)
{
    return (copied_value *)(void *)c->values.data + (number - 1);
}

static stamma_text text_of(const tag_copies *c, uint32_t number)
{
    const copied_value *value = value_of(c, number);
    return (stamma_text){value->data, value->size};
}

/* Its key, which is 0 for no value. */
static uint32_t key_of(const tag_copies *c, uint32_t number)
{
    if (number == 0)
        return 0;
    copied_value *value = value_of(c, number);
    if (value->key == 0)
        value->key = stamma_text_key(text_of(c, number));
    return value->key;
}

/* The number of a new value; 0 when there is no memory. */
static uint32_t add_value(tag_copies *c, stamma_text text)
{
    copied_value value = {text.data, (uint32_t)text.size, 0};
    buffer_add(&c->values, &value, sizeof value);
    c->no_memory |= c->values.failed;
    return c->values.failed ? 0 : (uint32_t)(c->values.size / sizeof value);
}

uint32_t stamma_moves_key(stamma_text codes, size_t length)
{
    codes.size = codes.size < length ? codes.size : length;
    return stamma_text_key(codes);
}

uint32_t stamma_tag_copies_key(const tag_copies *c, size_t column)
{
    return c->keys[column];
}

static uint32_t key_now(tag_copies *c, unsigned key)
{
    if (key == COPY_KEY_NONE)
        return 0;
    if (key < COPY_KEY_PREFIX)
        return stamma_tag_copies_key(c, key - COPY_KEY_COLUMN);
    if (key == COPY_KEY_OPENING)
        return opening_of(c);
    size_t length = key - COPY_KEY_PREFIX + 1;
    if (c->prefixes[length] == 0)
        c->prefixes[length] = stamma_moves_key(c->codes, length);
    return c->prefixes[length];
}

/* The place of what each rule of kinds 1 and 3 gives, NULL for others. False when there is no memory. */
static bool find_slots(tag_copies *c, copied_column *x, uint32_t *slots[COPY_RULES_MAX],
                       const stamma_allocator *allocator)
{
    for (size_t n = 0; n < x->rule_count; n++) {
        slots[n] = NULL;
        if (x->rules[n].kind != COPY_BEFORE && x->rules[n].kind != COPY_TWIN)
            continue;
        number_map *map = x->rules[n].kind == COPY_TWIN ? &c->columns[x->players].of_players : &x->maps[n];
        bool last = x->rules[n].key == COPY_KEY_NONE;
        slots[n] = last ? &x->last : stamma_number_map_at(map, key_now(c, x->rules[n].key), allocator);
        c->no_memory |= slots[n] == NULL;
    }
    return !c->no_memory;
}

/* A text that follows from the game, and in *number what it is remembered as. */
static stamma_text take_game_text(tag_copies *c, const copied_column *x, unsigned what, uint32_t *number)
{
    bool made = what >= COPY_KEY_MADE;
    *number = 0;
    if (made && c->passed)
        return (stamma_text){"", 0};
    if (!made)
        opening_of(c);
    stamma_text text = stamma_game_text(&c->game, what, made ? c->made[what - COPY_KEY_MADE] : NULL);
    if (text.data && !made && (x->keyed || x->copied || x->rule_count > 1))
        *number = add_value(c, text);
    return text;
}

/* The next coded choice of a column: below the number of its rules one of these, else that much more than a reference.
 */
static uint32_t take_choice(tag_copies *c, copied_column *x, size_t column)
{
    choice_source *s = &x->choices;
    uint32_t choice = stamma_choice_take(s, x->rule_count);
    uint8_t level = choice < x->rule_count ? CHOICE_LEVEL_RULE : choice_level(choice - x->rule_count);
    choice_note(&s->history, &c->columns[s->remembers].choices.memory, level);
    c->levels[1 + column] = level;
    return choice;
}

/* The number of the text that a reference stands for; 0 where there is none. */
static uint32_t take_known(tag_copies *c, const choice_source *s, uint32_t reference, cursor *literals)
{
    text_memory *memory = &c->columns[s->remembers].choices.memory;
    uint32_t number =
        reference == 0 ? add_value(c, cursor_text(literals)) : stamma_text_memory_find(memory, s->form, reference);
    if (reference == 0 && number != 0 && !stamma_text_memory_add(memory, s->form, number))
        number = 0;
    c->no_memory |= memory->older.failed;
    return number;
}

/* The next text of a column that no rule gives: a literal, or a known one. 0 where there is none. */
static uint32_t take_tail(tag_copies *c, copied_column *x, size_t column, cursor *literals)
{
    if (x->choices.form == CHOICE_BYTES)
        return add_value(c, cursor_text(literals));
    uint32_t choice = take_choice(c, x, column);
    return choice < x->rule_count || choice == UINT32_MAX
               ? 0
               : take_known(c, &x->choices, choice - x->rule_count, literals);
}

/* The value `number`, and a text behind it. {NULL, 0} where the column has no more room for it. */
static stamma_text join(tag_copies *c, copied_column *x, uint32_t number, uint32_t behind)
{
    stamma_text tail = text_of(c, behind), head = text_of(c, number);
    size_t begin = x->joined.size;
    if (head.size + tail.size > x->joined.capacity - begin)
        return (stamma_text){NULL, 0};
    buffer_add(&x->joined, head.data, head.size);
    buffer_add(&x->joined, tail.data, tail.size);
    return (stamma_text){(const char *)x->joined.data + begin, x->joined.size - begin};
}

/* The value that a rule gives, and in *number what it is remembered as; {NULL, 0} where there is none. */
static stamma_text take_ruled(tag_copies *c, size_t column, size_t rule, uint32_t *const slots[COPY_RULES_MAX],
                              cursor *literals, uint32_t *number)
{
    copied_column *x = &c->columns[column];
    unsigned what = x->rules[rule].key;
    if (slots[rule]) {
        *number = *slots[rule];
    } else {
        if (what >= COPY_KEY_TEXTS)
            return take_game_text(c, x, what, number);
        *number = c->now[what - COPY_KEY_COLUMN];
        if (*number != 0 && x->rules[rule].kind == COPY_BEGIN) {
            uint32_t tail = take_tail(c, x, column, literals);
            stamma_text joined = tail == 0 ? (stamma_text){NULL, 0} : join(c, x, *number, tail);
            *number = joined.data ? add_value(c, joined) : 0;
        }
    }
    return *number == 0 ? (stamma_text){NULL, 0} : text_of(c, *number);
}

/* The next value of a column; as take_ruled. */
static stamma_text take_value(tag_copies *c, size_t column, uint32_t *const slots[COPY_RULES_MAX], cursor *literals,
                              uint32_t *number)
{
    copied_column *x = &c->columns[column];
    uint32_t choice;
    if (x->choices.form == CHOICE_BYTES) {
        uint8_t symbol = cursor_byte(&x->symbols);
        if (x->symbols.failed || symbol > x->rule_count)
            return (stamma_text){NULL, 0};
        if (symbol > 0)
            return take_ruled(c, column, symbol - 1u, slots, literals, number);
        *number = add_value(c, cursor_text(literals));
    } else {
        choice = take_choice(c, x, column);
        if (choice < x->rule_count)
            return take_ruled(c, column, choice, slots, literals, number);
        *number = choice == UINT32_MAX ? 0 : take_known(c, &x->choices, choice - x->rule_count, literals);
    }
    return *number == 0 ? (stamma_text){NULL, 0} : text_of(c, *number);
}

/* The next value of a column without rules. */
static stamma_text take_literal(tag_copies *c, const copied_column *x, size_t column, cursor *literals)
{
    stamma_text text = cursor_text(literals);
    if (x->copied)
        c->now[column] = add_value(c, text);
    if (x->keyed)
        c->keys[column] = stamma_text_key(text);
    literals->failed |= c->no_memory;
    return text;
}

stamma_text stamma_tag_copies_take(tag_copies *c, size_t column, cursor *literals, const stamma_allocator *allocator)
{
    copied_column *x = column < COPY_COLUMNS_MAX ? &c->columns[column] : NULL;
    if (!c->any || !x)
        return cursor_text(literals);
    if (x->rule_count == 0 && x->choices.form == CHOICE_BYTES)
        return take_literal(c, x, column, literals);
    uint32_t *slots[COPY_RULES_MAX], number = 0;
    stamma_text text = {NULL, 0};
    if (find_slots(c, x, slots, allocator))
        text = take_value(c, column, slots, literals, &number);
    if (!text.data || c->no_memory) {
        literals->failed = true;
        return (stamma_text){"", 0};
    }
    for (size_t n = 0; n < x->rule_count; n++)
        if (slots[n])
            *slots[n] = number;
    c->now[column] = number;
    c->keys[column] = x->keyed ? key_of(c, number) : 0;
    return text;
}

bool stamma_tag_copies_is_done(tag_copies *c)
{
    bool done = true;
    for (size_t i = 0; i < COPY_COLUMNS_MAX; i++) {
        copied_column *x = &c->columns[i];
        if (x->coded)
            done &= x->choices.form == CHOICE_BYTES ? cursor_left(&x->symbols) == 0
                                                    : stamma_number_is_done(&x->choices.symbols);
    }
    return done;
}
