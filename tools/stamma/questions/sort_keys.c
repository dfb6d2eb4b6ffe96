/* SPDX-License-Identifier: MIT */
/* Keys that games are sorted by. */
#include "games/game_views.h"
#include "questions/find.h"

/* Names of tags in small letters. */
static const char *const short_names[][2] = {{"white", "White"},  {"black", "Black"}, {"event", "Event"},
                                             {"site", "Site"},    {"round", "Round"}, {"eco", "ECO"},
                                             {"result", "Result"}};
enum { SHORT_NAMES = sizeof short_names / sizeof *short_names };

static bool is_field(const char *key)
{
    return strcmp(key, "number") == 0 || strcmp(key, "plies") == 0 || strcmp(key, "date") == 0 ||
           strcmp(key, "rating") == 0;
}

static bool check_key(const char *tag)
{
    static const char *const fields[] = {"number", "plies",    "date",     "rating",      "Date",
                                         "White",  "Black",    "Event",    "Site",        "Round",
                                         "ECO",    "WhiteElo", "BlackElo", "TimeControl", "Result"};
    if ((*tag >= 'A' && *tag <= 'Z') || is_field(tag))
        return true;
    tool_nearest nearest = {.word = tag, .length = strlen(tag)};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tool_nearest_try(&nearest, fields[i]);
    if (nearest.name)
        tool_say(NULL, "option --sort: there is no field \"%s\"; did you mean \"%s\"?", tag, nearest.name);
    else
        tool_say(NULL, "option --sort: there is no field \"%s\"; keys are number, plies, date, rating and tag names",
                 tag);
    return false;
}

bool find_orders_read(const char *sort, find_order orders[FIND_SORT_KEYS], size_t *count)
{
    for (*count = 0; *count < FIND_SORT_KEYS; ++*count) {
        find_order *key = &orders[*count];
        key->descending = *sort == '-';
        sort += key->descending;
        const size_t size = strcspn(sort, ",");
        if (size >= sizeof key->tag)
            return false;
        memcpy(key->tag, sort, size);
        key->tag[size] = 0;
        for (size_t n = 0; n < SHORT_NAMES; n++)
            if (strcmp(key->tag, short_names[n][0]) == 0)
                (void)snprintf(key->tag, sizeof key->tag, "%s", short_names[n][1]);
        sort += size;
        if (!*sort++)
            return ++*count, true;
    }
    return false;
}

bool find_sort_check(const char *sort)
{
    find_order orders[FIND_SORT_KEYS];
    size_t count;
    if (!find_orders_read(sort, orders, &count)) {
        tool_say(NULL, "option --sort: at most %d keys", FIND_SORT_KEYS);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!check_key(orders[i].tag))
            return false;
    return true;
}

void find_orders_limit(const find_order *orders, size_t count, uint64_t most, stamma_search_options *options)
{
    static const struct {
        const char *tag;
        stamma_search_order order;
    } all[] = {{"number", STAMMA_ORDER_NUMBER},
               {"rating", STAMMA_ORDER_RATING},
               {"WhiteElo", STAMMA_ORDER_WHITE_RATING},
               {"BlackElo", STAMMA_ORDER_BLACK_RATING},
               {"date", STAMMA_ORDER_DATE},
               {"plies", STAMMA_ORDER_PLIES}};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        if (strcmp(orders[0].tag, all[n].tag) == 0) {
            options->most = most;
            options->order = all[n].order;
            options->descending = orders[0].descending;
            options->ties = count > 1;
        }
}

/* ---- values ---- */

/* Returns whether a value is unknown: "?", "-", "????.??.??". */
static bool is_unknown(stamma_text value)
{
    size_t i = 0;
    while (i < value.size && strchr("?.-", value.data[i]) && value.data[i])
        i++;
    return i == value.size;
}

/* Compares a text that is a number as a number, also with the `?` that may follow a rating. */
static void set_text(find_key *e, stamma_text tag)
{
    const stamma_text value = tool_text_unescape(tag); /* of size + 1 bytes; belongs to the key */
    e->kind = KEY_MISSING;
    e->text = (char *)(uintptr_t)value.data;
    if (is_unknown(value))
        return;
    e->text[value.size] = 0;
    e->kind = KEY_TEXT;
    size_t size = strspn(e->text, "+-.0123456789");
    if (size + (e->text[size] == '?') != value.size)
        return;
    char *end;
    e->number = strtod(e->text, &end);
    if (end == e->text + size)
        e->kind = KEY_NUMBER;
}

static void set_number(find_key *key, double number)
{
    key->number = number;
    key->kind = number > 0 ? KEY_NUMBER : KEY_MISSING;
}

static double rating_of(const stamma_archive_game *game, const char *tag)
{
    return (double)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of(tag)));
}

void find_key_read(const char *tag, const stamma_archive_game *game, find_key *key)
{
    if (strcmp(tag, "number") == 0) /* games with equal keys stay in the order in which they were found */
        return;
    if (strcmp(tag, "plies") == 0) {
        key->number = (double)game->ply_count;
    } else if (strcmp(tag, "WhiteElo") == 0 || strcmp(tag, "BlackElo") == 0) {
        set_number(key, rating_of(game, tag));
    } else if (strcmp(tag, "rating") == 0) {
        const double white = rating_of(game, "WhiteElo"), black = rating_of(game, "BlackElo");
        set_number(key, white > 0 && black > 0 ? (white + black) / 2 : white + black);
    } else if (strcmp(tag, "date") == 0) {
        const stamma_text date = stamma_archive_game_tag(game, stamma_text_of("Date"));
        set_text(key, is_unknown(date) ? stamma_archive_game_tag(game, stamma_text_of("UTCDate")) : date);
    } else {
        set_text(key, stamma_archive_game_tag(game, stamma_text_of(tag)));
    }
}

/* Orders games without a value last, in both directions. */
static int compare_key(const find_key *a, const find_key *b, bool descending)
{
    int sign = descending ? -1 : 1, order = 0;
    if (a->kind != b->kind)
        return a->kind == KEY_MISSING || b->kind == KEY_MISSING ? (a->kind < b->kind ? -1 : 1)
                                                                : (a->kind < b->kind ? -sign : sign);
    if (a->kind == KEY_NUMBER)
        order = (a->number > b->number) - (a->number < b->number);
    else if (a->kind == KEY_TEXT)
        order = strcmp(a->text, b->text);
    return order < 0 ? -sign : order > 0 ? sign : 0;
}

int find_keys_compare(const find_order *orders, size_t count, const find_key *a, const find_key *b)
{
    int order = 0;
    for (size_t k = 0; k < count && order == 0; k++)
        order = compare_key(&a[k], &b[k], orders[k].descending);
    return order;
}

void find_keys_free(find_key *keys, size_t count)
{
    for (size_t k = 0; k < count; k++)
        free(keys[k].text);
}
