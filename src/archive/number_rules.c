/* Which tag columns are coded as numbers, and how they are foretold (clause 15): pairs of columns that tell of White
 * and of Black, as players' ratings do and what the game changes them by. Where that goes wrong, the archive is larger,
 * and nothing else. */
#include "archive/archive.h"

enum {
    PAIRS_MAX = 4,
    VALUES_LEAST = 1000, /* in a column: what streams cost by themselves must be earned */
    NO_NUMBER = INT32_MIN,
    DIGITS_MAX = 4, /* players' numbers, which are longer, are better copied */
    SLOTS = 1 << 16,
    CONTEXT_TAGS = 3,
    SLOW = 2 /* what is like the mean of some values before */
};

/* How a game's change is taken into account: the ratings are those before the games, which go back or forward in time.
 */
typedef enum direction { DIRECTION_NONE, DIRECTION_BACK, DIRECTION_FORWARD, DIRECTIONS } direction;

typedef struct pair {
    uint8_t columns[2];
    bool plus;
    int32_t *values[2]; /* of each record, or NO_NUMBER */
} pair;

typedef struct search {
    tag_table *t;
    pair pairs[PAIRS_MAX];
    size_t pair_count;
    const pair *change; /* of ratings by the game; NULL for none */
    size_t players[2];
    uint32_t *player_keys[2]; /* of each record, spread over the slots */
    size_t result;
    size_t contexts[CONTEXT_TAGS]; /* columns in which a player's rating may be one of several */
    /* What was last by key. Keys that share a slot are one here, which only makes a plan look worse. Cleared where a
     * plan is tried: most blocks have no pairs, and small ones are not to pay for these. */
    int32_t by_context[SLOTS], by_player[SLOTS];
} search;

/* ---- finding columns ---- */

static size_t column_named(const tag_table *t, const char *name)
{
    for (size_t c = 0; c < t->columns; c++)
        if (t->names[c].size == strlen(name) && memcmp(t->names[c].data, name, t->names[c].size) == 0)
            return c;
    return COPY_COLUMNS_MAX;
}

/* A number as codec 4 writes it. */
static int32_t parse_number(stamma_text text, bool plus)
{
    bool sign = text.size > 0 && (text.data[0] == '-' || (plus && text.data[0] == '+'));
    size_t digits = text.size - sign;
    int32_t value = 0;
    if (digits == 0 || digits > DIGITS_MAX || (plus && !sign) ||
        (text.data[sign] == '0' && (digits > 1 || text.data[0] == '-')))
        return NO_NUMBER;
    for (size_t i = sign; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return NO_NUMBER;
        value = value * 10 + (text.data[i] - '0');
    }
    return text.data[0] == '-' ? -value : value;
}

/* Whether most values of a column are numbers, which are put into `values`. */
static bool parse_column(const tag_table *t, size_t column, bool plus, int32_t *values)
{
    size_t present = 0, numbers = 0;
    for (size_t r = 0; r < t->records; r++) {
        uint32_t text = tag_value(t, column, r);
        values[r] = text == 0 ? NO_NUMBER : parse_number(t->texts.texts[text].text, plus);
        present += text != 0;
        numbers += values[r] != NO_NUMBER;
        if (present == VALUES_LEAST && numbers < VALUES_LEAST / 4)
            return false;
    }
    return present >= VALUES_LEAST && numbers >= present / 4 * 3;
}

static bool parse_pair(const tag_table *t, pair *p)
{
    for (unsigned plus = 0; plus < 2; plus++) {
        p->plus = plus;
        if (parse_column(t, p->columns[0], plus, p->values[0]))
            return parse_column(t, p->columns[1], plus, p->values[1]);
    }
    return false;
}

static bool find_pairs(search *s)
{
    tag_table *t = s->t;
    for (size_t c = 0; c < t->columns && s->pair_count < PAIRS_MAX; c++) {
        pair *p = &s->pairs[s->pair_count];
        if (t->twins[c] == COPY_COLUMNS_MAX || t->names[c].data[0] != 'W' || t->names[c].size == strlen("White"))
            continue;
        p->columns[0] = (uint8_t)c;
        p->columns[1] = t->twins[c];
        for (unsigned side = 0; side < 2; side++)
            if (!p->values[side] &&
                !(p->values[side] = (int32_t *)memory_allocate(t->allocator, t->records * sizeof(int32_t))))
                return false;
        s->pair_count += parse_pair(t, p);
    }
    for (size_t i = 0; i < s->pair_count; i++)
        if (s->pairs[i].columns[0] == column_named(t, "WhiteRatingDiff"))
            s->change = &s->pairs[i];
    return true;
}

/* ---- choosing plans ---- */

static uint8_t way_of(int foretold, int remembered, unsigned slowness)
{
    return (uint8_t)((foretold + 1) | (remembered + 1) << NUMBER_WAY_THEN | (int)(slowness << NUMBER_WAY_SLOWNESS));
}

static uint8_t reference(size_t column)
{
    return (uint8_t)(column < COPY_COLUMNS_MAX ? column + 1 : 0);
}

static void add_predictor(number_plan *plan, size_t key, size_t other_key, size_t base, uint8_t way)
{
    plan->predictors[plan->count++] = (number_predictor){{reference(key), reference(other_key)}, reference(base), way};
}

static uint32_t key_in(const tag_table *t, size_t column, size_t record)
{
    uint32_t text = column < COPY_COLUMNS_MAX ? tag_value(t, column, record) : 0;
    return text == 0 ? 0 : t->texts.texts[text].mark;
}

static bool find_players(search *s)
{
    for (unsigned side = 0; side < 2; side++) {
        uint32_t *keys = (uint32_t *)memory_allocate(s->t->allocator, s->t->records * sizeof *keys);
        if (!(s->player_keys[side] = keys))
            return false;
        for (size_t r = 0; r < s->t->records; r++)
            keys[r] = key_in(s->t, s->players[side], r) * UINT32_C(0x9E3779B1);
    }
    return true;
}

/* How well a plan would do. */
typedef struct trial {
    uint64_t bits;
    size_t alone; /* values that are foretold by the player alone */
} trial;

static uint64_t bits_of(int32_t difference)
{
    uint32_t magnitude = (uint32_t)(difference < 0 ? -difference : difference);
    return magnitude == 0 ? 1 : 3 + bits_last(magnitude);
}

/* Foretells a pair's values from what came before for the same player in the same context, or else for the player. */
static trial try_plan(search *s, const pair *p, size_t context, direction way)
{
    enum { BIAS = 1 << 20, NEW = 10 }; /* bits of a value of which nothing is known */
    trial found = {0, 0};
    memset(s->by_context, 0, sizeof s->by_context);
    memset(s->by_player, 0, sizeof s->by_player);
    for (size_t r = 0; r < s->t->records; r++) {
        uint32_t place = key_in(s->t, context, r) * UINT32_C(0x85EBCA6B);
        for (unsigned side = 0; side < 2; side++) {
            int32_t value = p->values[side][r], change = s->change ? s->change->values[side][r] : 0;
            if (value == NO_NUMBER)
                continue;
            change = change == NO_NUMBER ? 0 : change;
            uint32_t player = s->player_keys[side][r];
            int32_t *by_player = &s->by_player[player >> 16], *by_context = &s->by_context[(player + place) >> 16];
            int32_t last = *by_context ? *by_context : *by_player;
            found.alone += last != 0 && *by_context == 0;
            found.bits += last ? bits_of(value + (way == DIRECTION_BACK ? change : 0) - (last - BIAS)) : NEW;
            *by_player = *by_context = value + (way == DIRECTION_FORWARD ? change : 0) + BIAS;
        }
    }
    return found;
}

static void plan_ratings(const search *s, const pair *p, size_t context, direction direction, bool alone,
                         number_plan plans[2])
{
    static const int foretold[DIRECTIONS] = {0, -1, 0}, remembered[DIRECTIONS] = {0, 0, 1};
    uint8_t way = (uint8_t)(way_of(foretold[direction], remembered[direction], 0) | NUMBER_WAY_SHARED);
    for (unsigned side = 0; side < 2; side++) {
        number_plan *plan = &plans[side];
        size_t change = s->change ? s->change->columns[side] : COPY_COLUMNS_MAX;
        *plan = (number_plan){.turn = s->change != NULL, .plus = p->plus};
        add_predictor(plan, s->players[side], context, direction == DIRECTION_NONE ? COPY_COLUMNS_MAX : change, way);
        if (direction != DIRECTION_NONE)
            plan->predictors[0].base |= NUMBER_BASE_LENIENT;
        if (alone) {
            plan->predictors[plan->count] = plan->predictors[0];
            plan->predictors[plan->count++].keys[1] = 0;
        }
        add_predictor(plan, s->change ? s->result : COPY_COLUMNS_MAX, change, p->columns[!side], way_of(1, -1, SLOW));
        add_predictor(plan, COPY_COLUMNS_MAX, COPY_COLUMNS_MAX, COPY_COLUMNS_MAX, way_of(0, 0, SLOW));
    }
}

/* First how changes are taken into account, by players alone, and then in which context. */
static void choose_ratings(search *s, const pair *p, number_plan plans[2])
{
    size_t context = COPY_COLUMNS_MAX;
    direction direction = DIRECTION_NONE;
    trial best = try_plan(s, p, context, direction);
    for (unsigned d = DIRECTION_NONE + 1; d < DIRECTIONS && s->change; d++) {
        trial next = try_plan(s, p, context, (enum direction)d);
        if (next.bits >= best.bits)
            continue;
        best = next;
        direction = (enum direction)d;
    }
    for (unsigned i = 0; i < CONTEXT_TAGS; i++) {
        if (s->contexts[i] == COPY_COLUMNS_MAX)
            continue;
        trial next = try_plan(s, p, s->contexts[i], direction);
        if (next.bits >= best.bits)
            continue;
        best = next;
        context = s->contexts[i];
    }
    plan_ratings(s, p, context, direction, best.alone > s->t->records / 8, plans);
}

/* What a game changes: White by the result, and Black the other way. */
static void choose_changes(const search *s, const pair *p, number_plan plans[2])
{
    plans[0] = plans[1] = (number_plan){.turn = 0, .plus = p->plus};
    add_predictor(&plans[1], COPY_COLUMNS_MAX, COPY_COLUMNS_MAX, p->columns[0], way_of(-1, NUMBER_THEN_NOTHING - 1, 0));
    for (unsigned side = 0; side < 2; side++)
        add_predictor(&plans[side], s->result, COPY_COLUMNS_MAX, COPY_COLUMNS_MAX, way_of(0, 0, SLOW));
}

/* ---- coding ---- */

static void set_plans(search *s, tag_numbers *numbers)
{
    tag_table *t = s->t;
    for (size_t i = 0; i < s->pair_count; i++) {
        const pair *p = &s->pairs[i];
        number_plan plans[2];
        if (p == s->change)
            choose_changes(s, p, plans);
        else
            choose_ratings(s, p, plans);
        for (unsigned side = 0; side < 2; side++) {
            size_t c = p->columns[side], twin = p->columns[!side];
            stamma_tag_numbers_set(numbers, c, twin < c ? twin : COPY_COLUMNS_MAX, &plans[side]);
            t->numeric[c] = true;
        }
    }
    stamma_tag_numbers_ready(numbers);
    for (size_t i = 0; i < numbers->looked_count; i++)
        t->looked[numbers->looked[i]] = true;
}

/* Codes one value: the difference to what is foretold, or a literal. */
static bool code_value(const tag_table *t, size_t column, size_t record, coded_numbers *out)
{
    tag_numbers *n = &out->numbers;
    stamma_text text = t->texts.texts[tag_value(t, column, record)].text;
    int32_t value = parse_number(text, n->columns[column].plan.plus);
    number_guess g;
    if (!stamma_number_guess(n, column, t->allocator, &g))
        return false;
    number_sink *sink = &out->sinks[column][g.predictor];
    if (value != NO_NUMBER) {
        stamma_number_learn(n, column, &g, value);
        return number_put(sink, value - g.value);
    }
    buffer_add_byte(&sink->symbols, NUMBER_LITERAL);
    buffer_add(&out->literals[column], text.data, text.size);
    buffer_add_byte(&out->literals[column], 0);
    return !sink->symbols.failed && !out->literals[column].failed;
}

static bool code_record(const tag_table *t, size_t record, coded_numbers *out)
{
    tag_numbers *n = &out->numbers;
    stamma_tag_numbers_begin(n);
    for (size_t i = 0; i < n->looked_count; i++)
        n->keys[n->looked[i]] = key_in(t, n->looked[i], record);
    for (size_t i = 0; i < n->count; i++)
        n->columns[n->order[i]].place = tag_value(t, n->order[i], record) != 0;
    for (size_t column; (column = stamma_tag_numbers_next(n)) < COPY_COLUMNS_MAX;) {
        n->columns[column].place = 0;
        if (!code_value(t, column, record, out))
            return false;
    }
    return true;
}

/* Whether no column can be larger than its texts, which the format does not allow. */
static bool all_fit(const tag_table *t, const coded_numbers *coded)
{
    enum { OVERHEAD = 128 }; /* plans, and the sizes of streams */
    for (size_t i = 0; i < coded->numbers.count; i++) {
        size_t c = coded->numbers.order[i], size = OVERHEAD + coded->literals[c].size, plain = 0;
        for (size_t n = 0; n <= NUMBER_PREDICTORS_MAX; n++)
            size += coded->sinks[c][n].symbols.size + coded->sinks[c][n].bits.size;
        for (size_t r = 0; r < t->records; r++)
            plain += tag_value(t, c, r) == 0 ? 0 : t->texts.texts[tag_value(t, c, r)].text.size + 1;
        if (size > plain)
            return false;
    }
    return true;
}

static stamma_error code(search *s, coded_numbers *out)
{
    tag_table *t = s->t;
    if (!find_pairs(s) || (s->pair_count > 0 && !find_players(s)))
        return STAMMA_ERROR_NO_MEMORY;
    set_plans(s, &out->numbers);
    for (size_t r = 0; r < t->records && s->pair_count > 0; r++)
        if (!code_record(t, r, out))
            return STAMMA_ERROR_NO_MEMORY;
    if (!all_fit(t, out)) {
        memset(t->numeric, 0, sizeof t->numeric);
        memset(t->looked, 0, sizeof t->looked);
    }
    return STAMMA_OK;
}

stamma_error stamma_number_rules_apply(tag_table *t, coded_numbers *out)
{
    search *s = (search *)memory_allocate(t->allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    memset(s, 0, offsetof(search, by_context));
    s->t = t;
    s->players[0] = column_named(t, "White");
    s->players[1] = column_named(t, "Black");
    s->result = column_named(t, "Result");
    static const char *const contexts[CONTEXT_TAGS] = {"Event", "TimeControl", "Date"};
    for (unsigned i = 0; i < CONTEXT_TAGS; i++)
        s->contexts[i] = column_named(t, contexts[i]);
    stamma_error error = code(s, out);
    for (size_t i = 0; i < PAIRS_MAX; i++)
        for (unsigned side = 0; side < 2; side++)
            memory_release(t->allocator, s->pairs[i].values[side]);
    for (unsigned side = 0; side < 2; side++)
        memory_release(t->allocator, s->player_keys[side]);
    memory_release(t->allocator, s);
    return error;
}

coded_numbers *stamma_coded_numbers_new(const stamma_allocator *allocator)
{
    coded_numbers *n = (coded_numbers *)memory_allocate(allocator, sizeof *n);
    if (!n)
        return NULL;
    memset(n, 0, sizeof *n);
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++) {
        n->literals[c].allocator = allocator;
        for (size_t i = 0; i <= NUMBER_PREDICTORS_MAX; i++)
            n->sinks[c][i].symbols.allocator = n->sinks[c][i].bits.allocator = allocator;
    }
    return n;
}

void stamma_coded_numbers_release(coded_numbers *n, const stamma_allocator *allocator)
{
    stamma_tag_numbers_release(&n->numbers, allocator);
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++) {
        stamma_buffer_release(&n->literals[c]);
        for (size_t i = 0; i <= NUMBER_PREDICTORS_MAX; i++) {
            stamma_buffer_release(&n->sinks[c][i].symbols);
            stamma_buffer_release(&n->sinks[c][i].bits);
        }
    }
    memory_release(allocator, n);
}
