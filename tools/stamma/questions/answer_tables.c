/* SPDX-License-Identifier: MIT */
/* Trees and statistics as JSON and as tables. */
#include "questions/answer_search.h"

#include <inttypes.h>

static bool put_line(char *json)
{
    if (!json)
        return tool_fail_memory(NULL);
    tool_put_string(json);
    tool_put_char('\n');
    free(json);
    return true;
}

bool answer_tree_json(stamma_tree *tree, uint64_t limit)
{
    size_t size = stamma_tree_write_json(tree, answer_rows(limit), SIZE_MAX, NULL, 0) + 1;
    char *json = malloc(size);
    if (json)
        (void)stamma_tree_write_json(tree, answer_rows(limit), SIZE_MAX, json, size);
    return put_line(json);
}

bool answer_stats_json(stamma_stats *stats, uint64_t limit)
{
    size_t length = 0;
    stamma_error error = stamma_stats_write_json(stats, answer_rows(limit), NULL, 0, &length);
    char *json = error ? NULL : malloc(length + 1);
    if (json)
        (void)stamma_stats_write_json(stats, answer_rows(limit), json, length + 1, &length);
    return put_line(json);
}

/* ---- trees ---- */

static void print_date(uint32_t date)
{
    char text[16];
    (void)stamma_date_write(date, '.', text, sizeof text);
    if (date > 0)
        (void)printf("  %s", text);
}

static void print_counts(const char *name, const stamma_tree_counts *c, uint64_t all)
{
    char games[TOOL_NUMBER_SIZE];
    uint64_t finished = c->white_wins + c->draws + c->black_wins;
    int32_t performance = 0;
    unsigned rating = stamma_tree_rating(c);
    (void)printf("%-8s %12s %6.1f", name, tool_number(c->games, games), answer_percent(c->games, all));
    (void)printf("   %5.1f %5.1f %5.1f", answer_percent(c->white_wins, finished), answer_percent(c->draws, finished),
                 answer_percent(c->black_wins, finished));
    if (rating > 0)
        (void)printf("   %6u", rating);
    else
        (void)printf("   %6s", "");
    if (stamma_tree_performance(c, &performance))
        (void)printf("  %11" PRId32, performance);
    else
        (void)printf("  %11s", "");
    print_date(c->last_date);
    (void)putchar('\n');
}

void answer_tree_table(stamma_tree *tree, uint64_t limit)
{
    stamma_tree_counts total = stamma_tree_total(tree);
    const stamma_position *position = stamma_tree_position(tree);
    char fen[STAMMA_FEN_SIZE], san[STAMMA_SAN_SIZE];
    (void)stamma_fen_write(position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    (void)printf("%s\n\n%-8s %12s %6s   %5s %5s %5s   %6s  %11s  %s\n", fen, "move", "games", "%", "white", "draw",
                 "black", "rating", "performance", "last");
    for (size_t n = 0; n < answer_rows(limit) && n < stamma_tree_move_count(tree); n++) {
        const stamma_tree_move *m = stamma_tree_move_at(tree, n);
        (void)stamma_san_write(position, m->move, san, sizeof san);
        print_counts(san, &m->counts, total.games);
    }
    print_counts("all", &total, total.games);
}

/* ---- history: the months in the JSON of a tree ---- */

typedef struct month_counts {
    uint64_t white, draws, black;
} month_counts;

/* Returns the number of a member of the object that begins at `object`. */
static uint64_t month_number(const char *object, const char *name)
{
    const char *at = strstr(object, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static void print_month(const char *name, const month_counts *c)
{
    char games[TOOL_NUMBER_SIZE];
    uint64_t all = c->white + c->draws + c->black;
    (void)printf("%-8s %12s   %5.1f %5.1f %5.1f\n", name, tool_number(all, games), answer_percent(c->white, all),
                 answer_percent(c->draws, all), answer_percent(c->black, all));
}

/* Prints the months of a list of objects. A quote in a name has a backslash, so that the searches find only members. */
static void print_months(const char *list)
{
    static const char month[] = "\"month\":\"";
    (void)printf("\n%-8s %12s   %5s %5s %5s\n", "month", "games", "white", "draw", "black");
    for (const char *at = strchr(list, '['), *end = at ? strchr(at, ']') : NULL; at && end;) {
        at = strstr(at, month);
        if (!at || at > end)
            break;
        at += sizeof month - 1;
        char name[8] = "";
        memcpy(name, at, strnlen(at, sizeof name - 1));
        const month_counts c = {month_number(at, "\"white\":"), month_number(at, "\"draws\":"),
                                month_number(at, "\"black\":")};
        print_month(name, &c);
    }
}

bool answer_tree_history(stamma_tree *tree)
{
    size_t size = stamma_tree_write_json(tree, 0, 0, NULL, 0) + 1;
    char *json = malloc(size);
    if (!json)
        return tool_fail_memory(NULL);
    (void)stamma_tree_write_json(tree, 0, 0, json, size);
    const char *history = strstr(json, "\"history\":");
    if (history)
        print_months(history);
    free(json);
    return true;
}

/* ---- statistics ---- */

enum { NAME_WIDTH = 36 };

void answer_results_head(const char *title, int width, bool of_player)
{
    (void)printf("%-*s %12s   %5s %5s %5s   %6s\n", width, title, "games", of_player ? "won" : "white", "draw",
                 of_player ? "lost" : "black", "plies");
}

void answer_results_row(stamma_text name, int width, uint64_t games, const uint64_t results[3], uint64_t plies)
{
    char number[TOOL_NUMBER_SIZE];
    const uint64_t finished = results[0] + results[1] + results[2];
    const int columns = (int)tool_text_print_cut(stdout, name, (size_t)width);
    (void)printf("%*s %12s   %5.1f %5.1f %5.1f   %6.1f\n", columns < width ? width - columns : 0, "",
                 tool_number(games, number), answer_percent(results[0], finished), answer_percent(results[1], finished),
                 answer_percent(results[2], finished), games == 0 ? 0 : (double)plies / (double)games);
}

void answer_results_more(size_t count, size_t rows)
{
    if (count > rows)
        (void)printf("... and %zu more\n", count - rows);
}

static void print_row(const stamma_stats_row *row, bool sides)
{
    const stamma_stats_results *a = &row->results[STAMMA_WHITE], *b = &row->results[STAMMA_BLACK];
    const uint64_t results[3] = {a->white_wins + (sides ? b->black_wins : 0), a->draws + b->draws,
                                 a->black_wins + (sides ? b->white_wins : 0)};
    answer_results_row(row->name, NAME_WIDTH, a->games + b->games, results, row->plies);
}

static bool print_table(stamma_stats *stats, stamma_stats_table table, const char *title, bool sides, size_t rows)
{
    const stamma_stats_row *row = NULL;
    size_t count = stamma_stats_row_count(stats, table);
    if (count == 0)
        return true;
    (void)putchar('\n');
    answer_results_head(title, NAME_WIDTH, sides);
    for (size_t n = 0; n < count && n < rows; n++) {
        if (stamma_stats_row_at(stats, table, n, &row))
            return tool_fail_memory(NULL);
        print_row(row, sides);
    }
    answer_results_more(count, rows);
    return true;
}

static void print_total(const stamma_stats *stats)
{
    char games[TOOL_NUMBER_SIZE], plies[TOOL_NUMBER_SIZE];
    const stamma_stats_total t = stamma_stats_sum(stats);
    const stamma_stats_results *r = &t.results;
    uint64_t finished = r->white_wins + r->draws + r->black_wins;
    (void)printf("%s games, %s plies, %.1f a game, at most %" PRIu64 "\n", tool_number(r->games, games),
                 tool_number(t.plies, plies), r->games == 0 ? 0 : (double)t.plies / (double)r->games, t.longest);
    (void)printf("White won %.1f %%, drawn %.1f %%, Black won %.1f %%; %" PRIu64 " not finished\n",
                 answer_percent(r->white_wins, finished), answer_percent(r->draws, finished),
                 answer_percent(r->black_wins, finished), r->games - finished);
    (void)printf("%" PRIu64 " with both ratings, %" PRIu64 " from set-up positions\n", t.rated, t.set_up);
}

bool answer_stats_table(stamma_stats *stats, uint64_t limit)
{
    static const struct {
        stamma_stats_table table;
        const char *title;
        bool sides, all;
    } tables[] = {
        {STAMMA_STATS_FIRST_MOVES, "first moves", false, false},
        {STAMMA_STATS_OPENINGS, "openings", false, false},
        {STAMMA_STATS_ECO, "ECO codes", false, false},
        {STAMMA_STATS_PLAYERS, "players", true, false},
        {STAMMA_STATS_RATINGS, "players' ratings, from", true, true},
        {STAMMA_STATS_YEARS, "years", false, true},
        {STAMMA_STATS_LENGTHS, "plies, from", false, true},
        {STAMMA_STATS_TIME_CONTROLS, "time controls", false, false},
        {STAMMA_STATS_TERMINATIONS, "terminations", false, false},
    };
    bool right = true;
    print_total(stats);
    for (size_t n = 0; n < sizeof tables / sizeof *tables && right; n++)
        right = print_table(stats, tables[n].table, tables[n].title, tables[n].sides,
                            tables[n].all ? SIZE_MAX : answer_rows(limit));
    return right;
}
