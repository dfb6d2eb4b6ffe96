/* Trees and statistics as JSON and as tables. */
#include "questions/answer_search.h"

#include <inttypes.h>

static size_t most(uint64_t limit)
{
    return limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

static bool no_memory(void)
{
    tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return false;
}

static bool put_line(char *json)
{
    if (!json)
        return no_memory();
    tool_put_string(json);
    tool_put_char('\n');
    free(json);
    return true;
}

bool answer_tree_json(stamma_tree *tree, uint64_t limit)
{
    size_t size = stamma_tree_write_json(tree, most(limit), SIZE_MAX, NULL, 0) + 1;
    char *json = malloc(size);
    if (json)
        (void)stamma_tree_write_json(tree, most(limit), SIZE_MAX, json, size);
    return put_line(json);
}

bool answer_stats_json(stamma_stats *stats, uint64_t limit)
{
    size_t length = 0;
    stamma_error error = stamma_stats_write_json(stats, most(limit), NULL, 0, &length);
    char *json = error ? NULL : malloc(length + 1);
    if (json)
        (void)stamma_stats_write_json(stats, most(limit), json, length + 1, &length);
    return put_line(json);
}

/* ---- trees ---- */

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

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
    uint64_t finished = c->white + c->draws + c->black;
    int32_t performance = 0;
    unsigned rating = stamma_tree_rating(c);
    (void)printf("%-8s %12s %6.1f", name, tool_number(c->games, games), percent(c->games, all));
    (void)printf("   %5.1f %5.1f %5.1f", percent(c->white, finished), percent(c->draws, finished),
                 percent(c->black, finished));
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
    for (size_t n = 0; n < most(limit) && n < stamma_tree_move_count(tree); n++) {
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
    (void)printf("%-8s %12s   %5.1f %5.1f %5.1f\n", name, tool_number(all, games), percent(c->white, all),
                 percent(c->draws, all), percent(c->black, all));
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
        return no_memory();
    (void)stamma_tree_write_json(tree, 0, 0, json, size);
    const char *history = strstr(json, "\"history\":");
    if (history)
        print_months(history);
    free(json);
    return true;
}

/* ---- statistics ---- */

static void print_name(stamma_text name, size_t width)
{
    size_t columns = tool_text_print_cut(stdout, name, width);
    (void)printf("%*s", (int)(columns < width ? width - columns : 0), "");
}

enum { NAME_WIDTH = 36 };

static void print_row(const stamma_stats_row *row, bool sides)
{
    char games[TOOL_NUMBER_SIZE];
    const stamma_stats_results *a = &row->results[STAMMA_WHITE], *b = &row->results[STAMMA_BLACK];
    uint64_t all = a->games + b->games;
    uint64_t won = a->white + (sides ? b->black : 0), lost = a->black + (sides ? b->white : 0);
    uint64_t draws = a->draws + b->draws, finished = won + draws + lost;
    print_name(row->name, NAME_WIDTH);
    (void)printf(" %12s   %5.1f %5.1f %5.1f   %6.1f\n", tool_number(all, games), percent(won, finished),
                 percent(draws, finished), percent(lost, finished), all == 0 ? 0 : (double)row->plies / (double)all);
}

static bool print_table(stamma_stats *stats, stamma_stats_table table, const char *title, bool sides, size_t rows)
{
    const stamma_stats_row *row = NULL;
    size_t count = stamma_stats_row_count(stats, table);
    if (count == 0)
        return true;
    (void)printf("\n%-*s %12s   %5s %5s %5s   %6s\n", NAME_WIDTH, title, "games", sides ? "won" : "white", "draw",
                 sides ? "lost" : "black", "plies");
    for (size_t n = 0; n < count && n < rows; n++) {
        if (stamma_stats_row_at(stats, table, n, &row))
            return no_memory();
        print_row(row, sides);
    }
    if (count > rows)
        (void)printf("... and %zu more\n", count - rows);
    return true;
}

static void print_total(const stamma_stats *stats)
{
    char games[TOOL_NUMBER_SIZE], plies[TOOL_NUMBER_SIZE];
    const stamma_stats_total t = stamma_stats_sum(stats);
    const stamma_stats_results *r = &t.results;
    uint64_t finished = r->white + r->draws + r->black;
    (void)printf("%s games, %s plies, %.1f a game, at most %" PRIu64 "\n", tool_number(r->games, games),
                 tool_number(t.plies, plies), r->games == 0 ? 0 : (double)t.plies / (double)r->games, t.longest);
    (void)printf("White won %.1f %%, drawn %.1f %%, Black won %.1f %%; %" PRIu64 " not finished\n",
                 percent(r->white, finished), percent(r->draws, finished), percent(r->black, finished),
                 r->games - finished);
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
                            tables[n].all ? SIZE_MAX : most(limit));
    return right;
}
