/* SPDX-License-Identifier: MIT */
/* The values of a query's rules: numbers, ranges, dates and words. */
#include "query/query.h"

/* Largest value before scaling: thousandths of a 12-digit number fit in 64 bits. */
#define NUMBER_MAX INT64_C(999999999999)

static query_slice trim(query_slice s)
{
    while (s.text.size && text_is_blank((unsigned char)s.text.data[0])) {
        s.text.data++;
        s.text.size--;
        s.at++;
    }
    while (s.text.size && text_is_blank((unsigned char)s.text.data[s.text.size - 1]))
        s.text.size--;
    return s;
}

static query_slice part(stamma_text text, size_t begin, size_t end)
{
    return trim((query_slice){{text.data + begin, end - begin}, begin});
}

bool stamma_query_split_range(stamma_text text, query_slice *low, query_slice *high)
{
    for (size_t i = 0; i + 1 < text.size; i++) {
        if (text.data[i] == '.' && text.data[i + 1] == '.') {
            *low = part(text, 0, i);
            *high = part(text, i + 2, text.size);
            return low->text.size || high->text.size;
        }
    }
    *low = *high = part(text, 0, text.size);
    return low->text.size != 0;
}

bool stamma_query_is_text(query_parser *parser, const json_value *value, const char *message)
{
    return value->kind == JSON_TEXT || stamma_query_fault_value(parser, value, message);
}

/* ---- ranges of numbers ---- */

/* Reads a number with at most `decimals` digits after the point. The result is in units of the last of these digits. */
static bool read_decimal(stamma_text text, unsigned decimals, int64_t *number)
{
    text_cursor c = text_cursor_make(text);
    bool negative = text_take(&c, '-');
    int64_t value = 0;
    if (!negative)
        text_take(&c, '+');
    if (!text_is_digit(text_peek(&c)))
        return false;
    for (; text_is_digit(text_peek(&c)); c.at++)
        value = value > NUMBER_MAX ? value : value * 10 + (*c.at - '0');
    if (value > NUMBER_MAX)
        return false;
    bool point = decimals > 0 && text_take(&c, '.');
    if (point && !text_is_digit(text_peek(&c)))
        return false;
    for (unsigned i = 0; i < decimals; i++) {
        bool digit = point && text_is_digit(text_peek(&c));
        value = value * 10 + (digit ? *c.at - '0' : 0);
        c.at += digit;
    }
    *number = negative ? -value : value;
    return c.at == c.end;
}

typedef bool read_end(stamma_text text, bool high, int64_t *number);

static bool read_whole_end(stamma_text text, bool high, int64_t *number)
{
    (void)high;
    return read_decimal(text, 0, number);
}

static bool read_thousandths_end(stamma_text text, bool high, int64_t *number)
{
    (void)high;
    return read_decimal(text, 3, number);
}

static bool parse_range_of(query_parser *parser, const json_value *value, read_end *read, const char *message,
                           query_range *range)
{
    query_slice ends[2];
    int64_t numbers[2] = {INT64_MIN, INT64_MAX};
    if ((value->kind != JSON_TEXT && value->kind != JSON_NUMBER) ||
        !stamma_query_split_range(json_text(&parser->json, value), &ends[0], &ends[1]))
        return stamma_query_fault_value(parser, value, message);
    for (unsigned i = 0; i < 2; i++)
        if (ends[i].text.size && !read(ends[i].text, i == 1, &numbers[i]))
            return stamma_query_fault_text(parser, value, ends[i].at, ends[i].text.size, message);
    if (numbers[0] > numbers[1])
        return stamma_query_fault_value(parser, value, "this range ends before it begins");
    range->low = numbers[0];
    range->high = numbers[1];
    return true;
}

bool stamma_query_parse_range(query_parser *parser, const json_value *value, void *range)
{
    return parse_range_of(parser, value, read_whole_end,
                          "expected a whole number or a range such as \"20..40\", \"20..\" or \"..40\"", range);
}

bool stamma_query_parse_thousandths(query_parser *parser, const json_value *value, void *range)
{
    return parse_range_of(parser, value, read_thousandths_end,
                          "expected a number or a range such as \"1.5..3\", \"1.5..\" or \"..3\"", range);
}

bool stamma_query_parse_ranges(query_parser *parser, const json_value *value, query_ranges *ranges)
{
    bool list = value->kind == JSON_LIST;
    const json_value *first = list ? json_first(&parser->json, value) : value;
    size_t count = 0;
    for (const json_value *v = first; v; v = list ? json_next(&parser->json, v) : NULL)
        count++;
    if (count == 0)
        return stamma_query_fault_value(parser, value, "an empty list; nothing can be one of these");
    query_range *made = stamma_query_allocate(parser, count, sizeof *made);
    if (!made)
        return false;
    ranges->ranges = made;
    ranges->count = count;
    for (const json_value *v = first; v; v = list ? json_next(&parser->json, v) : NULL)
        if (!stamma_query_parse_range(parser, v, made++))
            return false;
    return true;
}

bool stamma_query_parse_number(query_parser *parser, const json_value *value, uint64_t *number)
{
    int64_t read = -1;
    if (value->kind != JSON_NUMBER || !read_decimal(json_text(&parser->json, value), 0, &read) || read < 0)
        return stamma_query_fault_value(parser, value, "expected a whole number");
    *number = (uint64_t)read;
    return true;
}

/* ---- dates ---- */

static bool read_digits(text_cursor *c, unsigned count, int64_t *number)
{
    *number = 0;
    for (; count > 0 && text_is_digit(text_peek(c)); count--)
        *number = *number * 10 + (*c->at++ - '0');
    return count == 0;
}

/* Reads 2010, 2010.05 or 2010.05.31. Omitted fields match any value. */
static bool read_date_end(stamma_text text, bool high, int64_t *number)
{
    text_cursor c = text_cursor_make(text);
    int64_t year, month = high ? 99 : 0, day = month;
    bool sound = read_digits(&c, 4, &year);
    if (sound && (text_take(&c, '.') || text_take(&c, '-')))
        sound = read_digits(&c, 2, &month) && month >= 1 && month <= 12;
    if (sound && (text_take(&c, '.') || text_take(&c, '-')))
        sound = read_digits(&c, 2, &day) && day >= 1 && day <= 31;
    *number = year * 10000 + month * 100 + day;
    return sound && c.at == c.end;
}

bool stamma_query_parse_date(query_parser *parser, const json_value *value, void *range)
{
    return parse_range_of(parser, value, read_date_end,
                          "expected a date such as \"2010\", \"2010-05\" or \"2010-05-31\", or a range of them", range);
}

/* ---- words ---- */

bool stamma_query_parse_truth(query_parser *parser, const json_value *value, void *word)
{
    if (value->kind != JSON_TRUE && value->kind != JSON_FALSE)
        return stamma_query_fault_value(parser, value, "expected true or false");
    *(query_word *)word = value->kind == JSON_TRUE;
    return true;
}

/* Returns whether a text is a word of small letters. `any_case`: the text may have capitals. */
static bool is_word(stamma_text text, const char *word, bool any_case)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if ((any_case && c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != word[i] || !word[i])
            return false;
    }
    return !word[text.size];
}

/* Reads a word as its index in a list, which ends with NULL. `any_case`: ignores the case of letters. */
static bool parse_word(query_parser *parser, const json_value *value, const char *what, const char *const *words,
                       bool any_case, query_word *number)
{
    stamma_text text = json_text(&parser->json, value);
    if (!stamma_query_is_text(parser, value, "expected a text between double quotes"))
        return false;
    for (query_word i = 0; words[i]; i++) {
        if (is_word(text, words[i], any_case)) {
            *number = i;
            return true;
        }
    }
    return stamma_query_unknown(parser, value->offset, value->size, what, text, words);
}

bool stamma_query_parse_color(query_parser *parser, const json_value *value, void *word)
{
    static const char *const words[] = {"white", "black", NULL};
    return parse_word(parser, value, "side", words, true, word);
}

bool stamma_query_parse_result(query_parser *parser, const json_value *value, void *word)
{
    return parse_word(parser, value, "result", stamma_result_words, false, word);
}

bool stamma_query_parse_flag(query_parser *parser, const json_value *value, void *word)
{
    static const char *const words[] = {"deleted", "favourite", NULL};
    uint32_t flag = 0;
    const stamma_text text = json_text(&parser->json, value);
    if (!stamma_query_is_text(parser, value, "expected a text between double quotes"))
        return false;
    if (!stamma_flag_read(text, &flag))
        return stamma_query_unknown(parser, value->offset, value->size, "flag", text, words);
    *(query_word *)word = flag;
    return true;
}

bool stamma_query_parse_result_type(query_parser *parser, const json_value *value, void *word)
{
    static const char *const words[] = {"mate", "stalemate", NULL};
    query_word number = 0;
    if (!parse_word(parser, value, "end of a game", words, false, &number))
        return false;
    *(query_word *)word = number ? STAMMA_STATUS_STALEMATE : STAMMA_STATUS_CHECKMATE;
    return true;
}

bool stamma_query_parse_speed(query_parser *parser, const json_value *value, void *word)
{
    const char *words[STAMMA_SPEED_CORRESPONDENCE + 1];
    query_word number = 0;
    for (unsigned n = 0; n < STAMMA_SPEED_CORRESPONDENCE; n++)
        words[n] = stamma_speed_name((stamma_speed)(n + 1));
    words[STAMMA_SPEED_CORRESPONDENCE] = NULL;
    if (!parse_word(parser, value, "speed", words, false, &number))
        return false;
    *(query_word *)word = number + 1;
    return true;
}

bool stamma_query_parse_has(query_parser *parser, const json_value *value, void *word)
{
    static const char *const words[] = {"clocks", "evaluations", "comments", "variations",
                                        "nags",   "setup",       "text",     NULL};
    static const unsigned parts[] = {STAMMA_GAME_CLOCKS,
                                     STAMMA_GAME_EVALUATIONS,
                                     STAMMA_GAME_COMMENTS | STAMMA_GAME_VARIATIONS,
                                     STAMMA_GAME_VARIATIONS,
                                     STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS,
                                     STAMMA_GAME_TAGS,
                                     0};
    query_word number = 0;
    if (!parse_word(parser, value, "part of a game", words, false, &number))
        return false;
    parser->query->parts |= parts[number];
    *(query_word *)word = number;
    return true;
}

bool stamma_query_parse_castling(query_parser *parser, const json_value *value, void *word)
{
    static const char *const words[] = {"short", "long", "any", NULL};
    query_word number = 0;
    if (!parse_word(parser, value, "castling", words, false, &number))
        return false;
    *(query_word *)word = number + 1; /* 1 << STAMMA_KING_SIDE, 1 << STAMMA_QUEEN_SIDE, both */
    return true;
}

/* Reads letters of either case as a set of piece types. No letters: no piece. */
bool stamma_query_parse_types(query_parser *parser, const json_value *value, void *word)
{
    static const char letters[] = "PNBRQKpnbrqk";
    stamma_text text = json_text(&parser->json, value);
    query_word types = text.size ? 0 : 1u << STAMMA_PIECE_TYPE_NONE;
    if (!stamma_query_is_text(parser, value, "expected letters of pieces such as \"QR\", or \"\" for none"))
        return false;
    for (size_t i = 0; i < text.size; i++) {
        const char *found = text.data[i] ? strchr(letters, text.data[i]) : NULL;
        if (!found)
            return stamma_query_fault_text(parser, value, i, 1,
                                           "this is no piece; expected letters of K, Q, R, B, N and P");
        types |= 1u << (found - letters) % 6;
    }
    *(query_word *)word = types;
    return true;
}
