/* SPDX-License-Identifier: MIT */
/* Decides about dates: their format, and unknown parts that the dates of other games of the event determine. */
#include "names/names.h"

#include <stdlib.h>

/* A date as year * 10000 + month * 100 + day; unknown parts are 0. */
typedef uint32_t date_number;

/* A game of an event. */
typedef struct dated_game {
    uint32_t event, site;
    uint32_t number; /* first number of the round; UINT32_MAX: unknown */
    uint32_t round, text;
    date_number date;
} dated_game;

/* ---- format ---- */

/* Reads up to three numbers, separated by other characters. `?` is read as 0. Returns the number of numbers; 0: another
 * text. */
static size_t read_numbers(stamma_text text, uint32_t numbers[3], size_t digits[3])
{
    size_t count = 0;
    for (size_t at = 0; count < 3;) {
        size_t first = at;
        numbers[count] = 0;
        for (; at < text.size && ((text.data[at] >= '0' && text.data[at] <= '9') || text.data[at] == '?'); at++)
            numbers[count] = text.data[at] == '?' ? 0 : numbers[count] * 10 + (uint32_t)(text.data[at] - '0');
        digits[count] = at - first;
        if (at == first || at - first > 4)
            return 0;
        count++;
        if (at < text.size && !memchr(".-/ ", text.data[at], 4))
            return 0;
        at++;
        if (at >= text.size)
            return count;
    }
    return 0;
}

/* Reads a date in one of several formats. Returns false for other texts. *certain is false if day and month may be
 * exchanged. */
static bool read_date(stamma_text text, date_number *date, bool *certain)
{
    uint32_t part[3] = {0, 0, 0};
    size_t digits[3] = {0, 0, 0}, count = read_numbers(text, part, digits);
    if (count == 0 || (digits[0] != 4 && (count != 3 || digits[2] != 4)))
        return false;
    bool year_first = digits[0] == 4;
    uint32_t year = year_first ? part[0] : part[2], month = part[1], day = year_first ? part[2] : part[0];
    *certain = year_first || day > 12 || day == month;
    if (!year_first && month > 12) {
        month = part[0];
        day = part[1];
        *certain = true;
    }
    *date = year * 10000 + month * 100 + day;
    return month <= 12 && day <= stamma_month_days(year, month) && year <= 2999;
}

/* Returns the number of the text of a date: "2010.05.??". */
static uint32_t date_text(stamma_names *n, date_number date)
{
    char text[10] = {'?', '?', '?', '?', '.', '?', '?', '.', '?', '?'};
    if (date / 10000 != 0)
        (void)digits_write(date / 10000, 4, text);
    if (date / 100 % 100 != 0)
        (void)digits_write(date / 100 % 100, 2, text + 5);
    if (date % 100 != 0)
        (void)digits_write(date % 100, 2, text + 8);
    return stamma_text_table_add(&n->texts, (stamma_text){text, sizeof text});
}

static void decide_formats(stamma_names *n)
{
    const game_place *places = (const game_place *)(const void *)n->places.data;
    size_t texts = n->texts.count;
    for (size_t i = 1; i <= texts; i++)
        n->texts.texts[i].mark = 0;
    for (size_t i = 0; i < n->places.size / sizeof *places; i++)
        if (places[i].date != 0)
            n->texts.texts[places[i].date].mark++;
    for (uint32_t i = 1; i <= texts; i++) {
        date_number date;
        bool certain;
        if (n->texts.texts[i].mark == 0 || !read_date(name_text(n, i), &date, &certain))
            continue;
        const name_choice choice = {.from = i,
                                    .to = date_text(n, date),
                                    .games = n->texts.texts[i].mark,
                                    .field = STAMMA_NAME_DATE,
                                    .why = WHY_FORMAT,
                                    .doubt = certain ? DOUBT_NONE : DOUBT_EVIDENCE};
        if (choice.to != i)
            buffer_add(&n->choices, &choice, sizeof choice);
    }
}

/* ---- unknown parts ---- */

static int compare_games(const void *a, const void *b)
{
    const dated_game *x = (const dated_game *)a, *y = (const dated_game *)b;
    const uint32_t one[] = {x->event, x->site, x->number, x->round, x->text};
    const uint32_t other[] = {y->event, y->site, y->number, y->round, y->text};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    return 0;
}

static bool is_complete(date_number date)
{
    return date / 10000 != 0 && date / 100 % 100 != 0 && date % 100 != 0;
}

/* Returns whether a complete date has the known parts of another date. */
static bool fits(date_number complete, date_number date)
{
    return (date / 10000 == 0 || date / 10000 == complete / 10000) &&
           (date / 100 % 100 == 0 || date / 100 % 100 == complete / 100 % 100) &&
           (date % 100 == 0 || date % 100 == complete % 100);
}

/* Returns the parts that two complete dates have in common. */
static date_number common_parts(date_number a, date_number b)
{
    return a == b ? a : a / 100 == b / 100 ? a / 100 * 100 : a / 10000 == b / 10000 ? a / 10000 * 10000 : 0;
}

/* Returns the date of a round from the dates of the rounds before and after it; 0: unknown. `all` contains the games of
 * an event in the order of rounds. */
static date_number date_between(const dated_game *all, size_t count, const dated_game *game)
{
    date_number first = 0, last = 0, same_first = 0, same_last = 0;
    for (size_t n = 0; n < count; n++) {
        date_number date = all[n].date;
        if (!is_complete(date) || !fits(date, game->date) || all[n].number == UINT32_MAX)
            continue;
        if (all[n].number == game->number) {
            same_first = same_first == 0 || date < same_first ? date : same_first;
            same_last = date > same_last ? date : same_last;
        } else if (all[n].number < game->number) {
            first = date > first ? date : first;
        } else {
            last = last == 0 || date < last ? date : last;
        }
    }
    first = same_first != 0 ? same_first : first;
    last = same_first != 0 ? same_last : last;
    return first == 0 || last == 0 || first > last ? 0 : common_parts(first, last);
}

static date_number merge_parts(date_number known, date_number date)
{
    uint32_t year = known / 10000 != 0 ? known / 10000 : date / 10000;
    uint32_t month = known / 100 % 100 != 0 ? known / 100 % 100 : date / 100 % 100;
    return year * 10000 + month * 100 + (known % 100 != 0 ? known % 100 : date % 100);
}

/* Decides about the games of an event. Large events are skipped: they are not single tournaments, and the time would
 * grow with the square of their size. */
static void decide_event(stamma_names *n, const dated_game *all, size_t count)
{
    enum { MOST_ROWS = 1000 };
    for (size_t i = 0, first = 0; i < count && count <= MOST_ROWS; i++) {
        if (i + 1 < count && compare_games(&all[i], &all[i + 1]) == 0)
            continue;
        const dated_game *game = &all[i];
        uint32_t games = (uint32_t)(i + 1 - first);
        first = i + 1;
        if (is_complete(game->date) || game->number == UINT32_MAX)
            continue;
        date_number date = merge_parts(game->date, date_between(all, count, game));
        if (date == game->date)
            continue;
        const name_choice choice = {.from = game->text,
                                    .to = date_text(n, date),
                                    .event = game->event,
                                    .site = game->site,
                                    .round = game->round,
                                    .games = games,
                                    .field = STAMMA_NAME_DATE,
                                    .why = WHY_ROUND};
        buffer_add(&n->choices, &choice, sizeof choice);
    }
}

static uint32_t round_number(stamma_text text)
{
    uint32_t number = 0;
    size_t at = 0;
    while (at < text.size && (text.data[at] < '0' || text.data[at] > '9'))
        at++;
    if (at == text.size)
        return UINT32_MAX;
    for (size_t n = at; n < text.size && n < at + 6 && text.data[n] >= '0' && text.data[n] <= '9'; n++)
        number = number * 10 + (uint32_t)(text.data[n] - '0');
    return number;
}

static bool is_unknown(stamma_text text)
{
    return text.size == 0 || (text.size == 1 && (text.data[0] == '?' || text.data[0] == '-'));
}

/* Lists the games of events with a date of four digits for the year, which may be unknown. */
static void list_games(stamma_names *n)
{
    const game_place *places = (const game_place *)(const void *)n->places.data;
    n->work.size = 0;
    for (size_t i = 0; i < n->places.size / sizeof *places; i++) {
        const game_place *p = &places[i];
        dated_game game = {p->event, p->site, round_number(name_text(n, p->round)), p->round, p->date, 0};
        bool certain;
        if (!is_unknown(name_text(n, p->event)) && p->date != 0 && name_text(n, p->date).size == 10 &&
            read_date(name_text(n, p->date), &game.date, &certain) && certain)
            buffer_add(&n->work, &game, sizeof game);
    }
}

void stamma_dates_decide(stamma_names *n)
{
    decide_formats(n);
    list_games(n);
    const dated_game *all = (const dated_game *)(const void *)n->work.data;
    size_t count = n->work.failed ? 0 : n->work.size / sizeof *all;
    if (count > 1)
        qsort(n->work.data, count, sizeof *all, compare_games);
    for (size_t i = 0, first = 0; i < count; i++)
        if (i + 1 == count || all[i].event != all[i + 1].event || all[i].site != all[i + 1].site) {
            decide_event(n, &all[first], i + 1 - first);
            first = i + 1;
        }
}
