/* SPDX-License-Identifier: MIT */
/* Combines the filters of a request into one query (doc/reference/search.md). */
#include "answering/serve_request.h"
#include "questions/condition_names.h"

/* ---- texts ---- */

static void put_text(const serve_request *r, const char *name)
{
    const char *text = serve_form_value(r->form, name);
    if (text)
        tool_json_string(name, text);
}

/* Puts one player, with the requested color; or two players, the first with the requested color. */
static bool put_players(const serve_request *r, serve_fault *fault)
{
    static const char *const sides[] = {"white", "black"};
    const char *names[2] = {NULL, NULL};
    size_t count = 0;
    for (size_t i = 0; i < r->form->count; i++)
        if (strcmp(r->form->fields[i].name, "player") == 0) {
            if (count == 2)
                return serve_fail(fault, 400, "player: more than two");
            names[count++] = r->form->fields[i].value;
        }
    if (count == 2 && r->color < 0) {
        tool_json_open("players", '[');
        tool_json_string(NULL, names[0]);
        tool_json_string(NULL, names[1]);
        tool_json_close(']');
    } else if (count > 0 && r->color < 0) {
        tool_json_string("player", names[0]);
    }
    const char *colored[2] = {serve_form_value(r->form, "white"), serve_form_value(r->form, "black")};
    for (size_t i = 0; i < 2; i++) {
        const char *name = r->color < 0 || i >= count ? NULL : names[i];
        int side = i == 0 ? r->color : 1 - r->color;
        if (name && colored[side])
            return serve_fail(fault, 400, "%s: player and color already set that side", sides[side]);
        if (name)
            colored[side] = name;
    }
    for (int side = 0; side < 2; side++)
        if (colored[side])
            tool_json_string(sides[side], colored[side]);
    return true;
}

/* ---- dates ---- */

/* Returns whether a text is YYYY, YYYY-MM or YYYY-MM-DD; dots are allowed, and years with fewer digits. */
static bool is_date(const char *text)
{
    size_t year = strspn(text, "0123456789");
    const char *at = text + year;
    bool right = year >= 1 && year <= 4;
    for (size_t part = 0; part < 2 && *at; part++) {
        size_t size = *at == '-' || *at == '.' ? strspn(at + 1, "0123456789") : 0;
        right = right && size == 2;
        at += size + (size > 0);
        if (size == 0)
            return false;
    }
    return right && !*at;
}

static bool put_dates(const serve_request *r, serve_fault *fault)
{
    static const char *const names[] = {"since", "until"};
    const char *texts[2];
    char range[64];
    for (size_t i = 0; i < 2; i++) {
        texts[i] = serve_form_value(r->form, names[i]);
        if (texts[i] && !is_date(texts[i]))
            return serve_fail(fault, 400, "%s: expected YYYY, YYYY-MM or YYYY-MM-DD", names[i]);
    }
    if (texts[0] || texts[1]) {
        (void)snprintf(range, sizeof range, "%s..%s", texts[0] ? texts[0] : "", texts[1] ? texts[1] : "");
        tool_json_string("date", range);
    }
    return true;
}

/* ---- sets ---- */

/* Reads the names in the values of all fields with this name, separated by commas: bit n is set for name n. */
static bool read_set(const serve_request *r, const char *field, const char *const *names, size_t count, unsigned *set,
                     serve_fault *fault)
{
    *set = 0;
    for (size_t i = 0; i < r->form->count; i++) {
        const char *at = r->form->fields[i].value;
        if (strcmp(r->form->fields[i].name, field) != 0)
            continue;
        for (size_t size, n; *at; at += size + (at[size] == ',')) {
            size = strcspn(at, ",");
            for (n = 0; n < count && !(strlen(names[n]) == size && memcmp(names[n], at, size) == 0); n++)
                continue;
            if (n == count && size > 0)
                return serve_fail(fault, 400, "%s: there is no \"%.*s\"", field, (int)(size < 40 ? size : 40), at);
            if (size > 0)
                *set |= 1u << n;
        }
    }
    return true;
}

/* Rating groups, each from its number to below the next number. A mean rating, which may end with a half, is in one
 * group. */
static const char *const groups[] = {"0",    "1000", "1200", "1400", "1600", "1800",
                                     "2000", "2200", "2500", "2800", "3200"};
enum { GROUPS = 9, ALL_GROUPS = sizeof groups / sizeof *groups }; /* the last two are for older clients */

static void put_group(size_t low, size_t high)
{
    char text[16];
    tool_json_open(NULL, '{');
    (void)snprintf(text, sizeof text, "%s..", groups[low]);
    tool_json_string("rating", text);
    if (high < GROUPS) {
        (void)snprintf(text, sizeof text, "%s..", groups[high]);
        tool_json_open("not", '{');
        tool_json_string("rating", text);
        tool_json_close('}');
    }
    tool_json_close('}');
}

/* Puts rating groups; adjacent groups become one range. All groups mean no filter, which also finds games without
 * ratings. */
static bool put_ratings(const serve_request *r, serve_fault *fault)
{
    unsigned set;
    if (!read_set(r, "ratings", groups, ALL_GROUPS, &set, fault))
        return false;
    if (set >> (GROUPS - 1) & 1)
        set &= (1u << GROUPS) - 1;
    if (set == 0 || set == (1u << GROUPS) - 1)
        return true;
    tool_json_open("any", '[');
    for (size_t low = 0; low < ALL_GROUPS; low++) {
        size_t high = low + 1;
        if (!(set >> low & 1))
            continue;
        while (high < GROUPS && set >> high & 1)
            high++;
        put_group(low, high);
        low = high - 1;
    }
    tool_json_close(']');
    return true;
}

/* Puts a rule about the Event tag as Lichess writes it, "Rated Blitz game"; no other field uses this rule. */
static bool put_modes(const serve_request *r, serve_fault *fault)
{
    static const char *const modes[] = {"casual", "rated"};
    unsigned set;
    if (!read_set(r, "modes", modes, 2, &set, fault))
        return false;
    if (set == 1 || set == 2)
        tool_json_raw("tag", stamma_text_of(set == 1 ? "{\"Event\":\"casual*\"}" : "{\"Event\":\"rated*\"}"));
    return true;
}

/* Puts speeds. All speeds mean no filter, which also finds games without the tag. */
static bool put_speeds(const serve_request *r, serve_fault *fault)
{
    enum { SPEEDS = STAMMA_SPEED_CORRESPONDENCE };
    const char *speeds[SPEEDS];
    unsigned set;
    for (unsigned n = 0; n < SPEEDS; n++)
        speeds[n] = stamma_speed_name((stamma_speed)(n + 1));
    if (!read_set(r, "speeds", speeds, SPEEDS, &set, fault))
        return false;
    if (set == 0 || set == (1u << SPEEDS) - 1)
        return true;
    tool_json_open("speed", '[');
    for (size_t n = 0; n < SPEEDS; n++)
        if (set >> n & 1)
            tool_json_string(NULL, speeds[n]);
    tool_json_close(']');
    return true;
}

/* ---- all of them ---- */

/* Puts the members of one object; their names differ. */
static bool put_members(const serve_request *r, serve_fault *fault)
{
    static bool (*const puts[])(const serve_request *, serve_fault *) = {put_players, put_dates, put_ratings, put_modes,
                                                                         put_speeds};
    static const char *const texts[] = {"result", "eco", "opening", "event", "site", "rating", "flag"};
    const char *query = serve_form_value(r->form, "query");
    char fen[STAMMA_FEN_SIZE];
    for (size_t i = 0; i < sizeof puts / sizeof *puts; i++)
        if (!puts[i](r, fault))
            return false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        put_text(r, texts[i]);
    if (r->positioned && (r->endpoint == SERVE_FIND || r->endpoint == SERVE_STATS || r->endpoint == SERVE_ORDERS)) {
        (void)stamma_fen_write(&r->position, STAMMA_FEN_STANDARD, fen, sizeof fen);
        tool_json_string("fen", fen);
    }
    if (query) {
        tool_json_open("all", '[');
        tool_json_raw(NULL, stamma_text_of(query));
        tool_json_close(']');
    }
    return true;
}

/* Returns the member whose value contains byte `offset` of the JSON text, or NULL if unknown. */
static stamma_text member_at(stamma_text json, size_t offset)
{
    stamma_text name = {NULL, 0};
    for (size_t i = 0; i < json.size && i < offset; i++) {
        size_t begin = i + 1;
        if (json.data[i] == ',' || json.data[i] == '{')
            name.data = NULL;
        if (json.data[i] != '"')
            continue;
        for (i++; i < json.size && json.data[i] != '"'; i++)
            i += json.data[i] == '\\';
        if (i < offset && i + 1 < json.size && json.data[i + 1] == ':')
            name = (stamma_text){json.data + begin, i - begin};
    }
    return name;
}

/* Reports an error in a query with the name of its member, because "not a range" does not say which. */
static bool fail_query(serve_fault *fault, const char *where, stamma_text json, const stamma_query_problem *at)
{
    stamma_text name = member_at(json, at->offset);
    return name.data ? serve_fail(fault, 400, "%s%.*s: %s", where, (int)(name.size < 40 ? name.size : 40), name.data,
                                  at->message)
                     : serve_fail(fault, 400, "%s%s", where, at->message);
}

/* Checks the client's query separately, to report an error with its place. */
static bool check_query(const char *text, serve_fault *fault)
{
    stamma_query *query = NULL;
    stamma_query_problem at;
    stamma_error error = stamma_query_parse(stamma_text_of(text), NULL, &at, &query);
    stamma_query_close(query);
    char where[48] = "";
    if (error != STAMMA_ERROR_SYNTAX)
        return !error || serve_fail(fault, 503, "%s", stamma_error_text(error));
    (void)snprintf(where, sizeof where, "query, byte %zu: ", at.offset);
    return fail_query(fault, where, stamma_text_of(text), &at);
}

bool serve_filter_parse(const tool_persons *persons, stamma_text json, stamma_query **query, serve_fault *fault)
{
    condition_names names = {.persons = persons && persons->count > 0 ? persons : NULL};
    tool_buffer expanded = {NULL, 0, 0, false};
    stamma_query_problem at = {.offset = 0};
    bool any = false, right = true;
    if (condition_names_expands(json))
        right = query_names_expand(&names, json, &expanded, &any);
    if (!right)
        (void)(names.problem[0] ? serve_fail(fault, 400, "%s", names.problem) : serve_fail_memory(fault));
    if (right && any)
        json = (stamma_text){expanded.bytes, expanded.size};
    stamma_error error = expanded.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
    if (right && !error)
        error = stamma_query_parse(json, NULL, &at, query);
    if (error == STAMMA_ERROR_SYNTAX)
        right = fail_query(fault, "", json, &at);
    else if (error)
        right = serve_fail(fault, 503, "%s", stamma_error_text(error));
    tool_buffer_free(&expanded);
    return right;
}

/* Parses the filters. Without filters there is no query, and the answer is faster. */
static bool parse(serve_request *r, serve_fault *fault)
{
    const tool_buffer *json = &r->filters;
    if (json->failed)
        return serve_fail_memory(fault);
    return json->size <= 2 || serve_filter_parse(r->persons, (stamma_text){json->bytes, json->size}, &r->query, fault);
}

bool serve_filter_read(serve_request *r, serve_fault *fault)
{
    const char *query = serve_form_value(r->form, "query");
    const stamma_output output = tool_buffer_output(&r->filters);
    if (query && !check_query(query, fault))
        return false;
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    bool right = put_members(r, fault);
    tool_json_close('}');
    tool_put_to(NULL);
    return right && parse(r, fault);
}
