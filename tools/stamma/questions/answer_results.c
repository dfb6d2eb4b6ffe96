/* SPDX-License-Identifier: MIT */
/* Results of games on one line: printed, and read back from JSON. Indexes are results: 0 unfinished, 1 White won, 2
 * Black won, 3 draw. */
#include "questions/answer_search.h"

#include <inttypes.h>

static const char *const members[4] = {"unfinished", "white_wins", "black_wins", "draws"};

/* ---- writing ---- */

static double side_score(const answer_side *s)
{
    uint64_t ended = s->won + s->drawn + s->lost;
    return ended == 0 ? 0 : 100 * ((double)s->won + (double)s->drawn / 2) / (double)ended;
}

static void put_score(double score, uint64_t ended)
{
    if (ended > 0)
        tool_json_real("score", score, 2);
    else
        tool_json_string("score", NULL);
}

static void print_side_json(const answer_side *s)
{
    tool_json_open("player", '{');
    tool_json_text("name", stamma_text_of(s->name));
    tool_json_number("wins", s->won);
    tool_json_number("draws", s->drawn);
    tool_json_number("losses", s->lost);
    put_score(side_score(s), s->won + s->drawn + s->lost);
    tool_json_close('}');
}

static void print_side(const answer_side *s)
{
    uint64_t games = s->won + s->drawn + s->lost + s->unfinished;
    tool_put_flush();
    (void)tool_text_print(stdout, stamma_text_of(s->name));
    printf(": won %" PRIu64 " (%.1f %%), drawn %" PRIu64 " (%.1f %%), lost %" PRIu64 " (%.1f %%)", s->won,
           answer_percent(s->won, games), s->drawn, answer_percent(s->drawn, games), s->lost,
           answer_percent(s->lost, games));
    if (games > s->unfinished)
        printf("; scored %.1f %%", side_score(s));
    putchar('\n');
}

static void print_json(const uint64_t r[4], const answer_side *side, uint64_t games, uint64_t ended, double score)
{
    static const unsigned order[4] = {1, 3, 2, 0};
    tool_json_open(NULL, '{');
    tool_json_string("kind", "results");
    tool_json_number("games", games);
    for (size_t i = 0; i < 4; i++)
        tool_json_number(members[order[i]], r[order[i]]);
    put_score(score, ended);
    if (side)
        print_side_json(side);
    tool_json_close('}');
    tool_json_end();
}

void answer_results_print(const uint64_t r[4], const answer_side *side, bool json)
{
    uint64_t ended = r[1] + r[2] + r[3], games = ended + r[0];
    double score = ended == 0 ? 0 : 100 * ((double)r[1] + (double)r[3] / 2) / (double)ended;
    if (json) {
        print_json(r, side, games, ended, score);
        return;
    }
    printf("%" PRIu64 " game%s: White won %" PRIu64 " (%.1f %%), drawn %" PRIu64 " (%.1f %%), Black won %" PRIu64
           " (%.1f %%), unfinished %" PRIu64,
           games, games == 1 ? "" : "s", r[1], answer_percent(r[1], games), r[3], answer_percent(r[3], games), r[2],
           answer_percent(r[2], games), r[0]);
    if (ended > 0)
        printf("; White scored %.1f %%", score);
    putchar('\n');
    if (side)
        print_side(side);
}

/* ---- reading an object without nested objects ---- */

static const char *pass_blanks(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* Returns the value of a member, or NULL if it is missing. */
static const char *find_member(stamma_text json, const char *name)
{
    const char *end = json.data + json.size;
    size_t size = strlen(name);
    for (const char *at = json.data; (at = memchr(at, '"', (size_t)(end - at))) != NULL; at++) {
        if ((size_t)(end - at) < size + 2 || memcmp(at + 1, name, size) != 0 || at[size + 1] != '"')
            continue;
        const char *colon = pass_blanks(at + size + 2, end);
        if (colon < end && *colon == ':')
            return pass_blanks(colon + 1, end);
    }
    return NULL;
}

static bool read_number(stamma_text json, const char *name, uint64_t *number)
{
    enum { DIGITS = 18 };
    const char *at = find_member(json, name), *end = json.data + json.size, *begin = at;
    *number = 0;
    for (; at && at < end && *at >= '0' && *at <= '9' && at - begin < DIGITS; at++)
        *number = *number * 10 + (uint64_t)(*at - '0');
    return at > begin && at < end && (*at < '0' || *at > '9');
}

bool answer_results_read(stamma_text json, uint64_t results[4], bool *right)
{
    static const char kind[] = "\"results\"";
    static const char *const earlier[4] = {NULL, "white", "black", NULL}; /* of version 1.0.0-rc1 */
    const char *at = find_member(json, "kind");
    uint64_t games, sum = 0;
    if (!at || (size_t)(json.data + json.size - at) < sizeof kind || memcmp(at, kind, sizeof kind - 1) != 0)
        return false;
    *right = read_number(json, "games", &games);
    for (size_t i = 0; i < 4 && *right; i++) {
        *right =
            read_number(json, members[i], &results[i]) || (earlier[i] && read_number(json, earlier[i], &results[i]));
        sum += results[i];
    }
    *right = *right && sum == games;
    return true;
}
