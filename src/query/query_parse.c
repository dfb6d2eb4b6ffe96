/* SPDX-License-Identifier: MIT */
/* Parses a query: JSON to a tree of conditions. */
#include "query/query.h"

/* ---- rules ---- */

static bool parse_condition(query_parser *parser, const json_value *value, query_condition *condition);

static size_t count_elements(const query_parser *parser, const json_value *list)
{
    size_t count = 0;
    for (const json_value *v = json_first(&parser->json, list); v; v = json_next(&parser->json, v))
        count++;
    return count;
}

static bool parse_values(query_parser *parser, const query_rule_type *type, const json_value *value, query_rule *rule)
{
    bool list = type->form == QUERY_FORM_VALUES && value->kind == JSON_LIST;
    rule->count = list ? count_elements(parser, value) : 1;
    if (rule->count == 0)
        return stamma_query_fault_value(parser, value, "an empty list; nothing can be one of these");
    uint8_t *values = stamma_query_allocate(parser, rule->count, type->size);
    rule->values = values;
    if (!values)
        return false;
    if (!list)
        return type->parse(parser, value, values);
    for (const json_value *v = json_first(&parser->json, value); v; v = json_next(&parser->json, v)) {
        if (!type->parse(parser, v, values))
            return false;
        values += type->size;
    }
    return true;
}

static bool parse_conditions(query_parser *parser, const query_rule_type *type, const json_value *value,
                             query_rule *rule)
{
    bool list = type->form == QUERY_FORM_CONDITIONS;
    if (list && value->kind != JSON_LIST)
        return stamma_query_fault_value(parser, value, "expected a list of conditions such as [{\"check\": true}]");
    rule->condition_count = list ? count_elements(parser, value) : 1;
    if (rule->condition_count == 0)
        return stamma_query_fault_value(parser, value, "an empty list; expected conditions");
    query_condition *conditions = stamma_query_allocate(parser, rule->condition_count, sizeof *conditions);
    rule->conditions = conditions;
    if (!conditions)
        return false;
    const json_value *v = list ? json_first(&parser->json, value) : value;
    for (size_t i = 0; i < rule->condition_count; i++) {
        if (!parse_condition(parser, v, &conditions[i]))
            return false;
        if (i + 1 < rule->condition_count) {
            conditions[i].next = &conditions[i + 1];
            v = json_next(&parser->json, v);
        }
    }
    return true;
}

static bool condition_turns(const query_condition *condition)
{
    bool turns = false;
    for (const query_rule *rule = condition->rules; rule; rule = rule->next)
        turns |= rule->turns;
    return turns;
}

static bool parse_rule(query_parser *parser, const query_rule_type *type, const json_value *value, query_rule *rule)
{
    rule->kind = type->kind;
    rule->turns = type->turns;
    rule->gap = SIZE_MAX;
    parser->query->parts |= type->parts;
    parser->query->uses_flags |= type->kind == QUERY_FLAG;
    if (type->kind == QUERY_PASS)
        return true;
    if (type->kind == QUERY_TAG)
        return stamma_query_parse_tags(parser, value, rule);
    if (type->parse)
        return parse_values(parser, type, value, rule) &&
               (type->kind > QUERY_BLACK || stamma_query_expand_names(parser, rule));
    if (!parse_conditions(parser, type, value, rule))
        return false;
    for (const query_condition *c = rule->conditions; c; c = c->next)
        rule->turns |= condition_turns(c);
    return true;
}

/* Ranks the kinds of rules by work, so that cheap rules are tested first. */
static unsigned cost(query_kind kind)
{
    switch (kind) {
    case QUERY_COMMENT:
    case QUERY_HAS:
    case QUERY_RESULT_TYPE: return 1;
    case QUERY_SIDE_TO_MOVE:
    case QUERY_PLY: return 2;
    case QUERY_FEN:
    case QUERY_SUB_FEN:
    case QUERY_MATERIAL:
    case QUERY_IMBALANCE:
    case QUERY_PAWNS:
    case QUERY_BALANCE:
    case QUERY_POINTS:
    case QUERY_OPPOSITE_BISHOPS: return 4;
    case QUERY_ATTACKS:
    case QUERY_PINNED:
    case QUERY_ATTACKERS:
    case QUERY_RAY:
    case QUERY_BATTERY:
    case QUERY_REPETITION:
    case QUERY_PATH:
    case QUERY_MATE:
    case QUERY_STALEMATE: return 6;
    default: return kind <= QUERY_HAS ? 0 : kind <= QUERY_HALFMOVE_CLOCK ? 5 : kind <= QUERY_PASS ? 3 : 7;
    }
}

/* Inserts a rule after all rules that cost at most as much. */
static void add_rule(query_condition *condition, query_rule *rule)
{
    const query_rule **at = &condition->rules;
    while (*at && cost((*at)->kind) <= cost(rule->kind))
        at = (const query_rule **)&(*at)->next;
    rule->next = *at;
    *at = rule;
}

/* Returns whether the rules of a condition may be added to the outer condition, which must hold at the same ply. */
static bool is_plain(const query_condition *c)
{
    return c->turns == 0 && c->plies == 1 && c->streak == 1;
}

/* Adds a rule. For "all", adds the rules of its conditions instead, because searches use indexes only for rules at the
 * top of the query. */
static void add_rules(query_condition *condition, query_rule *rule)
{
    bool plain = rule->kind == QUERY_ALL;
    for (const query_condition *c = rule->conditions; c && plain; c = c->next)
        plain = is_plain(c);
    if (!plain)
        add_rule(condition, rule);
    for (const query_condition *c = plain ? rule->conditions : NULL; c; c = c->next)
        for (const query_rule *r = c->rules, *next; r; r = next) {
            next = r->next;
            add_rule(condition, (query_rule *)(uintptr_t)r);
        }
}

/* ---- modifiers, which are read together with the other rules of the condition ---- */

typedef struct beside {
    const json_value *values[QUERY_KINDS - QUERY_FLIPCOLOR];
    query_rule *rules[QUERY_KINDS]; /* of the condition; indexed by kind */
} beside;

static const json_value *beside_value(const beside *b, query_kind kind)
{
    return b->values[kind - QUERY_FLIPCOLOR];
}

/* Reads whether a modifier is present and true. A modifier without the rule that it needs (`needed` is false) is an
 * error. */
static bool read_flag(query_parser *parser, const beside *b, query_kind kind, bool needed, const char *message,
                      bool *flag)
{
    const json_value *value = beside_value(b, kind);
    query_word word = 0;
    if (value && !stamma_query_parse_truth(parser, value, &word))
        return false;
    *flag = word;
    return !value || needed || stamma_query_fault_name(parser, value, message);
}

/* Counts the turns of nested conditions, which multiply the work. */
static bool count_turns(query_parser *parser, const beside *b, query_condition *condition)
{
    const json_value *colors = beside_value(b, QUERY_FLIPCOLOR), *files = beside_value(b, QUERY_MIRROR);
    size_t own = bits_count(condition->turns), inner = 0;
    for (const query_rule *rule = condition->rules; rule; rule = rule->next)
        for (const query_condition *c = rule->conditions; c; c = c->next)
            inner = c->depth > inner ? c->depth : inner;
    condition->depth = own + inner;
    return own == 0 || condition->depth <= QUERY_TURNS_MAX ||
           stamma_query_fault_name(parser, colors ? colors : files,
                                   "at most four of \"flipcolor\" and \"mirror\" in conditions inside one another");
}

static bool apply_turns(query_parser *parser, const beside *b, query_condition *condition)
{
    static const char message[] = "no rule beside this can be turned";
    bool colors, files, turns = condition_turns(condition);
    if (!read_flag(parser, b, QUERY_FLIPCOLOR, turns, message, &colors) ||
        !read_flag(parser, b, QUERY_MIRROR, turns, message, &files))
        return false;
    condition->turns = (colors ? QUERY_TURN_COLORS : 0) | (files ? QUERY_TURN_FILES : 0);
    parser->query->turns |= condition->turns;
    return count_turns(parser, b, condition);
}

static bool apply_fen_flags(query_parser *parser, const beside *b)
{
    static const char message[] = "only allowed beside \"fen\"";
    query_rule *fen = b->rules[QUERY_FEN], none;
    query_rule *rule = fen ? fen : &none;
    return read_flag(parser, b, QUERY_IGNORE_CASTLING, fen != NULL, message, &rule->ignore_castling) &&
           read_flag(parser, b, QUERY_IGNORE_EN_PASSANT, fen != NULL, message, &rule->ignore_en_passant);
}

static bool apply_shift(query_parser *parser, const beside *b)
{
    const json_value *value = beside_value(b, QUERY_SHIFT);
    if (!value)
        return true;
    if (!b->rules[QUERY_SUB_FEN])
        return stamma_query_fault_name(parser, value, "only allowed beside \"sub-fen\"");
    return stamma_query_shift(parser, value, b->rules[QUERY_SUB_FEN]);
}

/* Reads a number that is at least `least`. A missing value leaves *number unchanged. */
static bool read_number(query_parser *parser, const json_value *value, uint64_t least, uint64_t *number)
{
    if (!value)
        return true;
    if (!stamma_query_parse_number(parser, value, number))
        return false;
    return *number >= least || stamma_query_fault_value(parser, value, "expected a number from 1 on");
}

static bool apply_numbers(query_parser *parser, const beside *b, query_condition *condition)
{
    const json_value *gap = beside_value(b, QUERY_GAP);
    uint64_t plies = 1, most = SIZE_MAX;
    if (gap && !b->rules[QUERY_SEQUENCE])
        return stamma_query_fault_name(parser, gap, "only allowed beside \"sequence\"");
    if (!read_number(parser, gap, 1, &most) || !read_number(parser, beside_value(b, QUERY_FOR), 1, &plies))
        return false;
    if (gap)
        b->rules[QUERY_SEQUENCE]->gap = (size_t)(most > UINT32_MAX ? UINT32_MAX : most); /* no game is longer */
    condition->plies = (size_t)(plies > UINT32_MAX ? UINT32_MAX : plies);
    return true;
}

static bool apply_limits(query_parser *parser, const beside *b, bool top)
{
    for (query_kind kind = QUERY_OFFSET; kind <= QUERY_VARIATIONS; kind++) {
        const json_value *value = beside_value(b, kind);
        if (value && !top)
            return stamma_query_fault_name(parser, value, "only allowed at the top of a query");
    }
    if (top && (!read_flag(parser, b, QUERY_ALL_MATCHES, true, "", &parser->query->all_matches) ||
                !read_flag(parser, b, QUERY_VARIATIONS, true, "", &parser->query->variations)))
        return false;
    if (parser->query->variations)
        parser->query->parts |= STAMMA_GAME_MOVES | STAMMA_GAME_VARIATIONS;
    return read_number(parser, beside_value(b, QUERY_OFFSET), 0, &parser->query->offset) &&
           read_number(parser, beside_value(b, QUERY_LIMIT), 1, &parser->query->limit);
}

/* ---- conditions ---- */

/* Returns the number of sets of plies that a rule needs in addition to the set that it narrows (match.c). */
static size_t rule_sets(const query_rule *rule)
{
    size_t own = rule->kind == QUERY_ALL ? 0 : rule->kind == QUERY_ANY ? 2 : 1, inner = 0;
    if (rule->kind == QUERY_SEQUENCE)
        own = rule->condition_count + 1;
    for (const query_condition *c = rule->conditions; c; c = c->next)
        inner = c->sets > inner ? c->sets : inner;
    return own + inner;
}

static void count_sets(query_condition *condition)
{
    size_t most = 0;
    for (const query_rule *rule = condition->rules; rule; rule = rule->next) {
        size_t sets = rule->conditions ? rule_sets(rule) : rule->kind == QUERY_PATH;
        most = sets > most ? sets : most;
    }
    condition->sets = most + (condition->turns ? 2 : 0) + (condition->plies > 1);
}

/* Converts an earlier name of a rule or modifier, which is still accepted, to its name. */
static stamma_text name_of(stamma_text name)
{
    static const char *const renamed[][2] = {{"skip", "offset"}, {"stm", "side-to-move"}};
    for (size_t n = 0; n < sizeof renamed / sizeof *renamed; n++)
        if (text_equal(name, stamma_text_of(renamed[n][0])))
            return stamma_text_of(renamed[n][1]);
    return name;
}

static const query_rule_type *find_rule(query_parser *parser, const json_value *member)
{
    const char *words[QUERY_KINDS + 1];
    stamma_text name = name_of(json_name(&parser->json, member));
    for (unsigned kind = 0; kind < QUERY_KINDS; kind++) {
        words[kind] = stamma_query_rules[kind].name;
        if (text_equal(name, (stamma_text){words[kind], strlen(words[kind])}))
            return &stamma_query_rules[kind];
    }
    words[QUERY_KINDS] = NULL;
    stamma_query_unknown(parser, member->name_offset, member->name_end - member->name_offset, "rule", name, words);
    return NULL;
}

static bool parse_member(query_parser *parser, const json_value *member, query_condition *condition, beside *b)
{
    const query_rule_type *type = find_rule(parser, member);
    if (!type)
        return false;
    if (type->form == QUERY_FORM_BESIDE) {
        b->values[type->kind - QUERY_FLIPCOLOR] = member;
        return true;
    }
    query_rule *rule = stamma_query_allocate(parser, 1, sizeof *rule);
    if (!rule || !parse_rule(parser, type, member, rule))
        return false;
    b->rules[type->kind] = rule;
    add_rules(condition, rule);
    return true;
}

/* The depth of recursion is the nesting depth of the JSON. */
static bool parse_condition(query_parser *parser, const json_value *value, query_condition *condition)
{
    beside b = {{NULL}, {NULL}};
    if (value->kind != JSON_OBJECT)
        return stamma_query_fault_value(parser, value, "expected a condition such as {\"check\": true}");
    for (const json_value *v = json_first(&parser->json, value); v; v = json_next(&parser->json, v))
        if (!parse_member(parser, v, condition, &b))
            return false;
    if (!apply_turns(parser, &b, condition) || !apply_fen_flags(parser, &b) || !apply_shift(parser, &b) ||
        !apply_numbers(parser, &b, condition) || !apply_limits(parser, &b, condition == &parser->query->root))
        return false;
    condition->streak = b.rules[QUERY_STREAK] ? b.rules[QUERY_STREAK]->condition_count : 1;
    count_sets(condition);
    return true;
}

static stamma_error parse(query_parser *parser)
{
    stamma_error error = stamma_json_read(&parser->json);
    if (error != STAMMA_OK)
        return error;
    parse_condition(parser, json_value_at(&parser->json, 0), &parser->query->root);
    return parser->error;
}

stamma_error stamma_query_parse(stamma_text json, const stamma_allocator *allocator, stamma_query_problem *fault,
                                stamma_query **query)
{
    if (!text_is_given(json) || !allocator_is_given(allocator) || !query)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator own = stamma_allocator_or_default(allocator);
    stamma_query *made = memory_allocate(&own, sizeof *made);
    if (!made)
        return STAMMA_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    made->allocator = own;
    made->limit = UINT64_MAX;
    query_parser parser = {.query = made};
    parser.json.json = json.size ? json : (stamma_text){"", 0};
    parser.json.values.allocator = parser.json.texts.allocator = &made->allocator;
    stamma_error error = parse(&parser);
    stamma_json_release(&parser.json);
    if (error == STAMMA_OK) {
        *query = made;
        return STAMMA_OK;
    }
    stamma_query_close(made);
    if (error == STAMMA_ERROR_SYNTAX && fault)
        *fault = parser.json.fault;
    return error;
}

bool stamma_query_is_limited(const stamma_query *query)
{
    return query && (query->offset > 0 || query->limit < UINT64_MAX);
}

unsigned stamma_query_parts(const stamma_query *query)
{
    return query->parts;
}

bool stamma_query_uses_flags(const stamma_query *query)
{
    return query && query->uses_flags;
}
