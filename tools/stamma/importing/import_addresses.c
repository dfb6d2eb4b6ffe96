/* SPDX-License-Identifier: MIT */
/* The addresses of files of games on lichess.org, chess.com and theweekinchess.com. */
#include "importing/import.h"

#include <ctype.h>
#include <time.h>

/* Months since the year 0. */
typedef int month;

enum {
    FIRST_YEAR = 1990,
    LAST_YEAR = 9999,
    DAYS_PER_WEEK = 7,
    FIRST_ISSUE = 920,      /* the first issue of The Week in Chess that is offered */
    KNOWN_ISSUE = 1500,     /* appeared on Monday 2023-08-07; an issue appears each Monday */
    KNOWN_ISSUE_DAY = 19576 /* days since 1970-01-01 */
};

/* ---- dates ---- */

/* Days from 1970-01-01 to the first day of a month. */
static int64_t first_day(month m)
{
    static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    const int year = m / 12, last = year - 1;
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return (int64_t)(year - 1970) * 365 + (last / 4 - last / 100 + last / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400) +
           before[m % 12] + (leap && m % 12 >= 2);
}

static int64_t today(void)
{
    return (int64_t)time(NULL) / 86400;
}

static month this_month(void)
{
    month m = FIRST_YEAR * 12;
    while (m < LAST_YEAR * 12 && first_day(m + 1) <= today())
        m++;
    return m;
}

/* Reads "2024-01". `missing`: the month if `text` is NULL. */
static bool read_month(const char *option, const char *text, month missing, month *m)
{
    int year = 0, number = 0, end = 0;
    *m = missing;
    if (!text)
        return true;
    if (strlen(text) == 7 && isdigit((unsigned char)*text) && isdigit((unsigned char)text[5]) &&
        sscanf(text, "%4d-%2d%n", &year, &number, &end) == 2 && end == 7 && year >= FIRST_YEAR && number >= 1 &&
        number <= 12) {
        *m = year * 12 + number - 1;
        return true;
    }
    tool_say(NULL, "option --%s: \"%s\" is not a month such as 2024-01", option, text);
    return false;
}

/* ---- options ---- */

bool import_source_read(const char *name, import_source *source)
{
    static const char *const names[] = {"lichess", "chess.com", "twic", "lichess-parquet"};
    for (unsigned n = 0; name && n < sizeof names / sizeof *names; n++)
        if (strcmp(name, names[n]) == 0) {
            *source = (import_source)n;
            return true;
        }
    if (name)
        tool_say(NULL, "option --from: there is no source \"%s\"; use lichess, lichess-parquet, chess.com or twic",
                 name);
    else
        tool_say(NULL, "import: --from is required: lichess, lichess-parquet, chess.com or twic");
    return false;
}

/* Checks the characters of a user name, which becomes a part of addresses and file names. */
static bool check_user(const char *user)
{
    const char *at = user;
    while (isalnum((unsigned char)*at) || *at == '_' || *at == '-')
        at++;
    if (*at == 0 && at > user)
        return true;
    tool_say(NULL, "option --user: \"%s\" is not the name of a user", user);
    return false;
}

/* ---- The Week in Chess ---- */

/* Returns the number of the first issue that appears on a day or later. */
static int64_t issue_from(int64_t day)
{
    const int64_t days = day - KNOWN_ISSUE_DAY;
    const int64_t weeks = days >= 0 ? (days + DAYS_PER_WEEK - 1) / DAYS_PER_WEEK : -(-days / DAYS_PER_WEEK);
    return KNOWN_ISSUE + weeks;
}

/* Reads "1500", "1500..1520" or "1500..". */
static bool read_issues(const char *text, int64_t *first, int64_t *last)
{
    unsigned from = 0, to = 0;
    int one = 0, open = 0, both = 0;
    const size_t size = strlen(text);
    (void)sscanf(text, "%5u%n..%n%5u%n", &from, &one, &open, &to, &both);
    const bool digit = isdigit((unsigned char)*text);
    *first = from;
    *last = (size_t)one == size ? from : (size_t)both == size && both > 0 ? to : *last;
    if (digit && from > 0 && ((size_t)one == size || (size_t)open == size || ((size_t)both == size && to >= from)))
        return true;
    tool_say(NULL, "option --issue: \"%s\" is not a range of issues such as 1500..1520", text);
    return false;
}

static bool print_issues(const import_wanted *w)
{
    month since, until;
    int64_t first, last = issue_from(today() + 1) - 1;
    if (w->issue) {
        if (!read_issues(w->issue, &first, &last))
            return false;
    } else {
        if (!read_month("since", w->since, 0, &since) || !read_month("until", w->until, this_month(), &until))
            return false;
        first = issue_from(first_day(since));
        const int64_t end = issue_from(first_day(until + 1)) - 1;
        last = end < last ? end : last;
    }
    first = first < FIRST_ISSUE ? FIRST_ISSUE : first;
    for (int64_t n = first; n <= last; n++)
        printf("https://theweekinchess.com/zips/twic%" PRId64 "g.zip\ttwic%" PRId64 "g.zip\n", n, n);
    return true;
}

/* ---- lichess ---- */

/* Milliseconds since 1970. */
static int64_t moment(month m)
{
    return first_day(m) * 86400000;
}

static void print_lichess_user(const import_wanted *w, month since, month until)
{
    printf("https://lichess.org/api/games/user/%s?since=%" PRId64 "&until=%" PRId64
           "&tags=true&clocks=true&evals=true&opening=true\tlichess_%s_%d-%02d_%d-%02d.pgn\n",
           w->user, moment(since), moment(until + 1), w->user, since / 12, since % 12 + 1, until / 12, until % 12 + 1);
}

/* Prints the addresses of Lichess. The database of a month appears in the next month. */
static bool print_lichess(const import_wanted *w)
{
    month since, until;
    if (!read_month("since", w->since, 0, &since) ||
        !read_month("until", w->until, this_month() - (w->user ? 0 : 1), &until))
        return false;
    if (w->user && since <= until)
        print_lichess_user(w, since, until);
    for (month m = since; m <= until && !w->user; m++)
        printf("https://database.lichess.org/standard/lichess_db_standard_rated_%d-%02d.pgn.zst\t"
               "lichess_db_standard_rated_%d-%02d.pgn.zst\n",
               m / 12, m % 12 + 1, m / 12, m % 12 + 1);
    return true;
}

/* ---- chess.com ---- */

static bool print_chess_com(const import_wanted *w)
{
    month since, until;
    if (!read_month("since", w->since, 0, &since) || !read_month("until", w->until, this_month(), &until))
        return false;
    for (month m = since; m <= until; m++) {
        printf("https://api.chess.com/pub/player/");
        for (const char *at = w->user; *at; at++) /* the addresses have small letters */
            (void)putchar(tolower((unsigned char)*at));
        printf("/games/%d/%02d/pgn\tchess.com_%s_%d-%02d.pgn\n", m / 12, m % 12 + 1, w->user, m / 12, m % 12 + 1);
    }
    return true;
}

/* ---- the command ---- */

static bool check(const import_wanted *w)
{
    if (w->user && !check_user(w->user))
        return false;
    if (w->source == IMPORT_LICHESS_PARQUET)
        tool_say(NULL, "--print-addresses cannot be used with --from lichess-parquet");
    else if (w->source == IMPORT_TWIC && w->user)
        tool_say(NULL, "--user cannot be used with --from twic");
    else if (w->source != IMPORT_TWIC && w->issue)
        tool_say(NULL, "--issue requires --from twic");
    else if (w->issue && (w->since || w->until))
        tool_say(NULL, "--issue cannot be used together with --since and --until");
    else if (!w->issue && !w->since)
        tool_say(NULL, w->source == IMPORT_TWIC ? "--print-addresses requires --issue or --since"
                                                : "--print-addresses requires --since");
    else if (w->source == IMPORT_CHESS_COM && !w->user)
        tool_say(NULL, "--from chess.com --print-addresses requires --user");
    else
        return true;
    return false;
}

int import_addresses_print(const import_wanted *w)
{
    bool (*const print[])(const import_wanted *) = {print_lichess, print_chess_com, print_issues};
    return check(w) && print[w->source](w) ? TOOL_DONE : TOOL_ERROR;
}
