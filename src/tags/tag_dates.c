/* SPDX-License-Identifier: MIT */
/* Dates as numbers of days (clause 22.5). */
#include "notation/notation.h"
#include "tags/tags.h"

enum { DATE_SIZE = 10, YEAR_MAX = 9999 };

int32_t stamma_tag_day(stamma_text text)
{
    char out[TAG_NUMBER_SIZE];
    stamma_date date;
    if (text.size != DATE_SIZE || text.data[4] != '.' || text.data[7] != '.' || !stamma_date_read(text, &date) ||
        date.year == 0 || date.day == 0)
        return TAG_NO_NUMBER;
    const int32_t day = stamma_days_of(date.year, date.month, date.day);
    return text_equal(stamma_tag_date(day, out), text) ? day : TAG_NO_NUMBER;
}

bool stamma_tag_is_day(int64_t day)
{
    return day >= stamma_days_of(1, 1, 1) && day <= stamma_days_of(YEAR_MAX, 12, 31);
}

/* Finds the year from an estimate that is at most one too high. */
stamma_text stamma_tag_date(int32_t day, char out[TAG_NUMBER_SIZE])
{
    int32_t year = 1 + (day - stamma_days_of(1, 1, 1)) / 365, month = 1;
    while (stamma_days_of(year, 1, 1) > day)
        year--;
    while (month < 12 && stamma_days_of(year, month + 1, 1) <= day)
        month++;
    const uint32_t rest = (uint32_t)(day - stamma_days_of(year, month, 1) + 1);
    char *at = digits_write((uint32_t)year, 4, out);
    *at++ = '.';
    at = digits_write((uint32_t)month, 2, at);
    *at++ = '.';
    at = digits_write(rest, 2, at);
    return (stamma_text){out, (size_t)(at - out)};
}
