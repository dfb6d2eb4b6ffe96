/* SPDX-License-Identifier: MIT */
/* The values of a query's rules on lines between pieces, on paths of pieces and on numeric annotation glyphs. */
#include "query/query.h"

/* ---- attackers ---- */

bool stamma_query_parse_attackers(query_parser *parser, const json_value *value, void *attackers)
{
    static const char message[] = "expected attackers such as {\"of\": \"k\", \"by\": \"A\", \"n\": 2}";
    static const char *const names[] = {"of", "by", "n", NULL};
    const json_value *members[3] = {NULL};
    query_attackers *a = attackers;
    if (!stamma_query_read_members(parser, value, names, message, members))
        return false;
    if (!members[0] || !members[1])
        return stamma_query_fault_value(parser, value, message);
    return stamma_query_is_text(parser, members[0], "expected pieces such as \"q\" or squares such as \"e4 d5\"") &&
           stamma_query_read_target(parser, members[0], 0, &a->of, &a->squares) &&
           stamma_query_is_text(parser, members[1], "expected letters of pieces such as \"BN\"") &&
           stamma_query_read_letters(parser, members[1], 0, members[1]->text_size, 1u << QUERY_EMPTY, &a->by) &&
           stamma_query_read_n(parser, members[2], &a->n);
}

/* ---- words of a text, separated by blanks ---- */

/* Finds the next word at or after *at. Returns false if there is none. */
static bool next_word(stamma_text text, size_t *at, size_t *begin)
{
    while (*at < text.size && text.data[*at] == ' ')
        ++*at;
    *begin = *at;
    while (*at < text.size && text.data[*at] != ' ')
        ++*at;
    return *at > *begin;
}

static size_t count_words(stamma_text text)
{
    size_t count = 0;
    for (size_t at = 0, begin; next_word(text, &at, &begin);)
        count++;
    return count;
}

/* ---- rays ---- */

/* Queens, rooks and bishops of both colors. */
static const query_word sliders = 0x1Cu | 0x1Cu << 6;

bool stamma_query_parse_ray(query_parser *parser, const json_value *value, void *ray)
{
    static const char message[] = "expected two to eight pieces such as \"B n q\"";
    stamma_text text = json_text(&parser->json, value);
    query_ray *r = ray;
    if (!stamma_query_is_text(parser, value, message))
        return false;
    size_t count = count_words(text);
    if (count < 2 || count > QUERY_RAY_MAX)
        return stamma_query_fault_value(parser, value, message);
    for (size_t at = 0, begin; next_word(text, &at, &begin); r->count++) {
        if (!stamma_query_read_letters(parser, value, begin, at, 1u << QUERY_EMPTY, &r->pieces[r->count]))
            return false;
        if (r->count == 0 && !(r->pieces[0] & sliders))
            return stamma_query_fault_text(parser, value, begin, at - begin, "expected a queen, a rook or a bishop");
    }
    return true;
}

/* ---- paths ---- */

bool stamma_query_parse_path(query_parser *parser, const json_value *value, void *path)
{
    static const char message[] = "expected a piece and squares such as \"N g1 f3 e5\"";
    stamma_text text = json_text(&parser->json, value);
    query_path *p = path;
    size_t at = 0, begin;
    if (!stamma_query_is_text(parser, value, message))
        return false;
    size_t count = count_words(text);
    if (count < 2)
        return stamma_query_fault_value(parser, value, message);
    next_word(text, &at, &begin);
    p->visits = stamma_query_allocate(parser, count - 1, sizeof *p->visits);
    if (!p->visits || !stamma_query_read_letters(parser, value, begin, at, 1u << QUERY_EMPTY, &p->pieces))
        return false;
    for (; next_word(text, &at, &begin); p->count++) {
        p->visits[p->count] = stamma_query_square_word((stamma_text){text.data + begin, at - begin});
        if (!p->visits[p->count])
            return stamma_query_fault_text(parser, value, begin, at - begin,
                                           "expected a square (e4), a file (e), a rank (4) or a rectangle (c3-f6)");
    }
    return true;
}

/* ---- numeric annotation glyphs ---- */

bool stamma_query_parse_nag(query_parser *parser, const json_value *value, void *range)
{
    static const char *const signs[] = {"!", "?", "!!", "??", "!?", "?!"}; /* 1 to 6 */
    stamma_text text = json_text(&parser->json, value);
    query_range *r = range;
    for (int64_t n = 0; n < 6 && value->kind == JSON_TEXT; n++) {
        if (text_equal(text, (stamma_text){signs[n], strlen(signs[n])})) {
            *r = (query_range){n + 1, n + 1};
            return true;
        }
    }
    bool number = value->kind == JSON_NUMBER ||
                  (value->kind == JSON_TEXT && text.size > 0 && (text_is_digit(text.data[0]) || text.data[0] == '.'));
    if (!number)
        return stamma_query_fault_value(parser, value,
                                        "expected one of ! ? !! ?? !? ?!, or a number or range such as 14 or \"1..6\"");
    return stamma_query_parse_range(parser, value, range);
}
