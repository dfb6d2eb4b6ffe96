/* SPDX-License-Identifier: MIT */
/* Parses and formats the values of tags: ratings, results and dates. All code that reads tags uses these functions. */
#include <limits.h>

#include "notation/notation.h"

static stamma_text without_blanks(stamma_text text)
{
    while (text.size > 0 && (text.data[0] == ' ' || text.data[0] == '\t'))
        text = (stamma_text){text.data + 1, text.size - 1};
    while (text.size > 0 && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == '\t'))
        text.size--;
    return text;
}

/* ---- ratings ---- */

unsigned stamma_rating_digits(stamma_text value)
{
    enum { DIGITS_MAX = 4 };
    unsigned number = 0;
    if (value.size == 0 || value.size > DIGITS_MAX)
        return UINT_MAX;
    for (size_t i = 0; i < value.size; i++) {
        if (!text_is_digit((unsigned char)value.data[i]))
            return UINT_MAX;
        number = number * 10 + (unsigned)(value.data[i] - '0');
    }
    return number;
}

unsigned stamma_rating_read(stamma_text value)
{
    value = without_blanks(value);
    value.size -= value.size > 1 && value.data[value.size - 1] == '?'; /* "?" marks a provisional rating */
    unsigned number = stamma_rating_digits(value);
    return number == UINT_MAX ? 0 : number;
}

/* ---- results ---- */

const char *const stamma_result_words[RESULTS + 1] = {"*", "1-0", "0-1", "1/2-1/2"};

unsigned stamma_result_find(stamma_text word)
{
    unsigned n = 0;
    while (n < RESULTS && !text_equal(word, (stamma_text){stamma_result_words[n], strlen(stamma_result_words[n])}))
        n++;
    return n;
}

/* Draws that are not written as in the PGN standard. One half is a character of UTF-8, or of Latin-1. */
static const char *const other_draws[] = {"1/2", "0.5-0.5", "\302\275-\302\275", "\275-\275", "\302\275", "\275"};

static bool is_other_draw(stamma_text word)
{
    for (size_t n = 0; n < sizeof other_draws / sizeof *other_draws; n++)
        if (text_equal(word, (stamma_text){other_draws[n], strlen(other_draws[n])}))
            return true;
    return false;
}

stamma_result stamma_result_read(stamma_text word)
{
    unsigned n = stamma_result_find(word);
    if (n == RESULTS)
        return is_other_draw(word) ? STAMMA_RESULT_DRAW : STAMMA_RESULT_UNKNOWN;
    return (stamma_result)n;
}

stamma_result stamma_result_of_game(stamma_text tag, stamma_text movetext)
{
    const unsigned n = stamma_result_find(tag);
    if (n < RESULTS)
        return (stamma_result)n;
    const stamma_result result = stamma_result_read(movetext);
    return result != STAMMA_RESULT_UNKNOWN ? result : stamma_result_read(tag);
}

const char *stamma_result_text(stamma_result result)
{
    return (unsigned)result < RESULTS ? stamma_result_words[result] : stamma_result_words[STAMMA_RESULT_UNKNOWN];
}

/* ---- dates ---- */

/* A part of a date: digits, some of which may be question marks. */
typedef struct date_part {
    unsigned first, last; /* range of possible numbers */
    bool digits;          /* no question marks */
    bool any;             /* at least one digit */
} date_part;

static bool is_separator(char c)
{
    return c == '.' || c == '-' || c == '/';
}

/* Reads a part of `least` to `most` characters from the front of a text, up to a separator, a blank or the end. Returns
 * false if there is none. */
static bool take_part(stamma_text *text, size_t least, size_t most, date_part *part)
{
    size_t size = 0;
    *part = (date_part){.digits = true};
    for (; size < text->size; size++) {
        char c = text->data[size];
        if (is_separator(c) || c == ' ' || c == 'T')
            break;
        if (size == most || (c != '?' && !text_is_digit((unsigned char)c)))
            return false;
        part->digits &= c != '?';
        part->any |= c != '?';
        part->first = part->first * 10 + (c == '?' ? 0 : (unsigned)(c - '0'));
        part->last = part->last * 10 + (c == '?' ? 9 : (unsigned)(c - '0'));
    }
    if (size > 0) /* the data of an empty text may be NULL */
        *text = (stamma_text){text->data + size, text->size - size};
    return size >= least;
}

static bool take_separator(stamma_text *text)
{
    if (text->size == 0 || !is_separator(text->data[0]))
        return false;
    *text = (stamma_text){text->data + 1, text->size - 1};
    return true;
}

unsigned stamma_month_days(unsigned year, unsigned month)
{
    static const uint8_t days[13] = {31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && !leap ? 28 : days[month];
}

/* Counts years from March, so that a leap day is the last of its year. */
int32_t stamma_days_of(int32_t year, int32_t month, int32_t day)
{
    const int32_t from_march = (month + 9) % 12, y = year - (month < 3) + 400;
    const int32_t days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * from_march + 2) / 5 + day - 1;
    return days - 719468 - 146097;
}

int32_t stamma_time_of_day(stamma_text value)
{
    static const uint8_t limits[] = {24, 60, 60};
    int32_t seconds = 0;
    for (size_t part = 0; part < 3; part++) {
        const char *at = value.data + 3 * part;
        if (value.size < 3 * part + 2 || (part > 0 && at[-1] != ':') || !text_is_digit(at[0]) || !text_is_digit(at[1]))
            return -1;
        const int32_t number = (at[0] - '0') * 10 + (at[1] - '0');
        if (number >= limits[part])
            return -1;
        seconds = seconds * 60 + number;
    }
    return seconds;
}

/* Reads a month or day, at most `limit`. A number that does not exist in the calendar is treated as unknown. Returns
 * false if the text is malformed. */
static bool take_limited(stamma_text *text, unsigned limit, date_part *part)
{
    const date_part unknown = {1, limit, false, false};
    *part = unknown;
    if (!take_separator(text))
        return true;
    if (!take_part(text, 1, 2, part))
        return false;
    if (part->last < 1 || part->first > limit)
        *part = unknown;
    part->first += part->first == 0;
    part->last = part->last > limit ? limit : part->last;
    return true;
}

/* Reads a date of three numbers as it is usually written, "2001.02.03". This is faster than reading parts. Returns
 * false for other forms. */
static bool read_usual_date(stamma_text value, stamma_date *date)
{
    static const uint8_t places[8] = {0, 1, 2, 3, 5, 6, 8, 9};
    uint32_t number = 0;
    if (value.size != 10 || !is_separator(value.data[4]) || !is_separator(value.data[7]))
        return false;
    for (size_t i = 0; i < sizeof places; i++) {
        const unsigned digit = (unsigned)(uint8_t)value.data[places[i]] - '0';
        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    const uint32_t month = number / 100 % 100, day = number % 100;
    *date = (stamma_date){.first = number,
                          .last = number,
                          .year = (uint16_t)(number / 10000),
                          .month = (uint8_t)month,
                          .day = (uint8_t)day};
    return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= stamma_month_days(number / 10000, month));
}

bool stamma_date_read(stamma_text value, stamma_date *date)
{
    date_part year, month, day;
    value = without_blanks(value);
    if (read_usual_date(value, date))
        return true;
    if (!take_part(&value, 4, 4, &year) || !year.any || !take_limited(&value, 12, &month))
        return false;
    const unsigned days = stamma_month_days(year.digits ? year.first : 0, month.digits ? month.first : 0);
    if (!take_limited(&value, days, &day) || (value.size > 0 && value.data[0] != ' ' && value.data[0] != 'T'))
        return false;
    *date = (stamma_date){.first = year.first * 10000 + month.first * 100 + day.first,
                          .last = year.last * 10000 + month.last * 100 + day.last,
                          .year = (uint16_t)(year.digits ? year.first : 0),
                          .month = (uint8_t)(year.digits && month.digits ? month.first : 0),
                          .day = (uint8_t)(year.digits && month.digits && day.digits ? day.first : 0)};
    return true;
}

size_t stamma_date_write(uint32_t date, char separator, char *out, size_t size)
{
    char text[16], *at = digits_write(date / 10000, 4, text);
    const uint32_t month = date / 100 % 100, day = date % 100;
    if (month > 0) {
        *at++ = separator;
        at = digits_write(month, 2, at);
    }
    if (month > 0 && day > 0) {
        *at++ = separator;
        at = digits_write(day, 2, at);
    }
    return text_give(text, (size_t)(at - text), out, size);
}
