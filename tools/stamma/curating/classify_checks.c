/* SPDX-License-Identifier: MIT */
/* Finds tags that contradict the game, each other, or the PGN standard. */
#include "curating/classify.h"

typedef struct checking {
    const classify_facts *facts;
    const stamma_archive_game *game;
    uint32_t today;
    tool_changes *list;
} checking;

enum { RATING_MAX = 4000, FIDE_ID_DIGITS = 10 };

static stamma_text tag(const checking *c, const char *name)
{
    return stamma_archive_game_tag(c->game, stamma_text_of(name));
}

static bool is_known(const checking *c, const char *name)
{
    return !classify_is_unknown(tag(c, name));
}

static bool is_digits(stamma_text text)
{
    size_t n = 0;
    while (n < text.size && text.data[n] >= '0' && text.data[n] <= '9')
        n++;
    return n == text.size && n > 0;
}

/* ---- messages ---- */

static void say(const checking *c, const char *check, const char *text)
{
    tool_changes_note(c->list, check, stamma_text_of(text));
}

/* Reports a tag: NAME "value": TEXT. */
static void say_tag(const checking *c, const char *check, const char *name, const char *text)
{
    const stamma_text value = tag(c, name);
    char line[256];
    (void)snprintf(line, sizeof line, "%s \"%.*s\": %s", name, (int)(value.size < 80 ? value.size : 80),
                   value.data ? value.data : "", text);
    say(c, check, line);
}

/* ---- the checks ---- */

static void check_result(const checking *c)
{
    const classify_facts *f = c->facts;
    const stamma_result result = f->tag ? f->tag : f->marker;
    char line[128];
    if (f->tag && f->marker && f->tag != f->marker) {
        (void)snprintf(line, sizeof line, "Result \"%s\", but %s after the moves", stamma_result_text(f->tag),
                       stamma_result_text(f->marker));
        say(c, "result", line);
    }
    if (is_known(c, "Result") && !f->tag)
        say_tag(c, "result", "Result", "not a result");
    if (f->proved && result && result != f->proved)
        say(c, "position",
            f->proved == STAMMA_RESULT_DRAW    ? "stalemate, but a side won"
            : f->proved == STAMMA_RESULT_WHITE ? "Black is mated, but White did not win"
                                               : "White is mated, but Black did not win");
    if (f->status == STAMMA_STATUS_INSUFFICIENT_MATERIAL &&
        (result == STAMMA_RESULT_WHITE || result == STAMMA_RESULT_BLACK))
        say(c, "position", "no side can mate with this material, but a side won");
}

static void check_rating(const checking *c, const char *name)
{
    const stamma_text value = tag(c, name);
    if (classify_is_unknown(value) || tool_text_is(value, "0"))
        return;
    const unsigned rating = stamma_rating_read(value);
    if (rating == 0)
        say_tag(c, "rating", name, "not a rating");
    else if (rating > RATING_MAX)
        say_tag(c, "rating", name, "a rating above 4000");
}

/* Returns whether a text has the form of a date, "2010.05.31" or "2010.??.??" (PGN standard 8.1.1.3). */
static bool has_date_form(stamma_text text)
{
    static const char form[] = "dddd.dd.dd";
    if (text.size != sizeof form - 1)
        return false;
    for (size_t n = 0; n < text.size; n++) {
        const char byte = text.data[n];
        const bool digit = (byte >= '0' && byte <= '9') || byte == '?';
        if (form[n] == 'd' ? !digit : byte != '.')
            return false;
    }
    return true;
}

/* Returns the number that the digits of a part of a date make, or 0 if one is unknown. */
static unsigned part_of(stamma_text date, size_t at, size_t digits)
{
    unsigned number = 0;
    for (size_t n = at; n < at + digits; n++) {
        if (date.data[n] == '?')
            return 0;
        number = 10 * number + (unsigned)(date.data[n] - '0');
    }
    return number;
}

/* Returns whether the known parts of a date in this form are in the calendar. An unknown year may be a leap year. */
static bool is_in_calendar(stamma_text date)
{
    static const unsigned char days[] = {31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const unsigned year = part_of(date, 0, 4), month = part_of(date, 5, 2), day = part_of(date, 8, 2);
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month > 12 || (month == 0 && memcmp(date.data + 5, "00", 2) == 0) || memcmp(date.data + 8, "00", 2) == 0)
        return false;
    return day <= days[month] - (unsigned)(month == 2 && !leap);
}

static void check_date(const checking *c, const char *name)
{
    const stamma_text value = tag(c, name);
    stamma_date date;
    if (classify_is_unknown(value))
        return;
    if (!has_date_form(value))
        say_tag(c, "date", name, "not a date of the form YYYY.MM.DD");
    else if (!is_in_calendar(value))
        say_tag(c, "date", name, "a day that does not exist");
    else if (stamma_date_read(value, &date) && date.first > c->today)
        say_tag(c, "date", name, "after today");
}

static void check_event_date(const checking *c)
{
    stamma_date event, date;
    if (stamma_date_read(tag(c, "EventDate"), &event) && stamma_date_read(tag(c, "Date"), &date) &&
        event.first > date.last)
        say_tag(c, "event-date", "EventDate", "after the Date");
}

static void check_eco(const checking *c)
{
    const classify_facts *f = c->facts;
    const stamma_text code = tag(c, "ECO");
    char line[128];
    if (classify_is_unknown(code))
        return;
    if (code.size < 3 || code.data[0] < 'A' || code.data[0] > 'E' || !is_digits((stamma_text){code.data + 1, 2})) {
        say_tag(c, "eco", "ECO", "not an ECO code");
    } else if (f->opening.code.data && !f->has_tag_code) {
        (void)snprintf(line, sizeof line, "no position of this code; the moves are %.3s", f->opening.code.data);
        say_tag(c, "eco", "ECO", line);
    }
}

static void check_ply_count(const checking *c)
{
    const stamma_text value = tag(c, "PlyCount");
    char plies[TOOL_NUMBER_SIZE], line[128];
    (void)snprintf(plies, sizeof plies, "%zu", c->game->ply_count);
    if (classify_is_unknown(value) || !c->facts->complete || tool_text_is(value, plies))
        return;
    (void)snprintf(line, sizeof line, "the game has %s plies", plies);
    say_tag(c, "ply-count", "PlyCount", line);
}

static bool is_same_tag(const checking *c, const char *one, const char *other)
{
    const stamma_text a = tag(c, one), b = tag(c, other);
    return is_known(c, one) && a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static void check_players(const checking *c)
{
    if (is_same_tag(c, "White", "Black"))
        say_tag(c, "players", "White", "also Black's name");
    if (is_same_tag(c, "WhiteFideId", "BlackFideId") && !tool_text_is(tag(c, "WhiteFideId"), "0"))
        say_tag(c, "players", "WhiteFideId", "also Black's");
}

static void check_setup(const checking *c)
{
    const stamma_text setup = tag(c, "SetUp"), fen = tag(c, "FEN");
    if (tool_text_is(setup, "1") && !fen.data)
        say(c, "setup", "SetUp \"1\", but there is no FEN");
    if (tool_text_is(setup, "0") && fen.data)
        say(c, "setup", "SetUp \"0\", but there is a FEN");
    if (c->game->no_start)
        say_tag(c, "setup", "FEN", "not a legal position");
}

static void check_fide_id(const checking *c, const char *name)
{
    const stamma_text value = tag(c, name);
    if (classify_is_unknown(value) || tool_text_is(value, "0"))
        return;
    if (!is_digits(value) || value.size > FIDE_ID_DIGITS || value.data[0] == '0')
        say_tag(c, "fide-id", name, "not a FIDE id");
}

void classify_check(const classify_facts *facts, const stamma_archive_game *game, uint32_t today, tool_changes *list)
{
    const checking c = {facts, game, today, list};
    check_result(&c);
    check_rating(&c, "WhiteElo");
    check_rating(&c, "BlackElo");
    check_date(&c, "Date");
    check_date(&c, "UTCDate");
    check_date(&c, "EventDate");
    check_event_date(&c);
    check_eco(&c);
    check_ply_count(&c);
    check_players(&c);
    check_setup(&c);
    check_fide_id(&c, "WhiteFideId");
    check_fide_id(&c, "BlackFideId");
}
