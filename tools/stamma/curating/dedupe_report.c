/* SPDX-License-Identifier: MIT */
/* The reports of `stamma dedupe`: the duplicates found and the changes, in JSON or as an HTML page. */
#include "curating/dedupe.h"
#include "reporting/html_page.h"

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), end_size = strlen(end);
    return size > end_size && strcmp(text + size - end_size, end) == 0;
}

bool dedupe_report_open(dedupe_report *r, size_t archives)
{
    if (!r->path)
        return true;
    if (!ends_with(r->path, ".json") && !ends_with(r->path, ".html")) {
        tool_say(NULL, "--report: the name of the file must end with .json or .html");
        return false;
    }
    r->output = tool_output_open(r->path, r->force);
    if (!r->output)
        return false;
    r->sources = calloc(archives, sizeof *r->sources);
    r->years = calloc(DEDUPE_YEARS, sizeof *r->years);
    return (r->sources && r->years) || tool_fail_memory(NULL);
}

void dedupe_report_close(dedupe_report *r)
{
    tool_output_close(r->output);
    free(r->sources);
    free(r->years);
}

static unsigned year_of(const stamma_archive_game *game)
{
    stamma_date date = {.year = 0};
    if (!stamma_date_read(stamma_archive_game_tag(game, stamma_text_of("Date")), &date))
        (void)stamma_date_read(stamma_archive_game_tag(game, stamma_text_of("UTCDate")), &date);
    return date.year;
}

void dedupe_report_count(dedupe_report *r, size_t archive, const stamma_archive_game *game, bool removed,
                         stamma_duplicate_kind kind)
{
    dedupe_year *year = &r->years[year_of(game) % DEDUPE_YEARS];
    r->sources[archive].games++;
    year->kept += !removed;
    year->removed += removed;
    if (removed)
        r->sources[archive].removed[kind]++;
    else
        r->probable += kind == STAMMA_DUPLICATE_PROBABLE;
}

/* ---- sums ---- */

static uint64_t removed_of(const dedupe_source *s)
{
    uint64_t sum = 0;
    for (unsigned kind = 0; kind < DEDUPE_KINDS; kind++)
        sum += s->removed[kind];
    return sum;
}

static dedupe_source sum_of(const dedupe_report *r, const tool_many *many)
{
    dedupe_source sum = {0};
    for (size_t n = r->first; n < many->count; n++) {
        sum.games += r->sources[n].games;
        for (unsigned kind = 0; kind < DEDUPE_KINDS; kind++)
            sum.removed[kind] += r->sources[n].removed[kind];
    }
    return sum;
}

static const char *kind_name(unsigned kind)
{
    return kind == 0 ? "decision" : stamma_duplicate_kind_name((stamma_duplicate_kind)kind);
}

/* ---- JSON ---- */

static void put_source(const dedupe_source *s)
{
    tool_json_number("games", s->games);
    tool_json_number("kept", s->games - removed_of(s));
    tool_json_number("removed", removed_of(s));
    tool_json_open("kinds", '{');
    for (unsigned kind = 1; kind <= DEDUPE_KINDS; kind++)
        tool_json_number(kind_name(kind % DEDUPE_KINDS), s->removed[kind % DEDUPE_KINDS]);
    tool_json_close('}');
}

static void put_years(const dedupe_report *r)
{
    tool_json_open("years", '[');
    for (unsigned year = 0; year < DEDUPE_YEARS; year++) {
        if (r->years[year].kept + r->years[year].removed == 0)
            continue;
        tool_json_open(NULL, '{');
        if (year == 0)
            tool_json_string("year", NULL);
        else
            tool_json_number("year", year);
        tool_json_number("kept", r->years[year].kept);
        tool_json_number("removed", r->years[year].removed);
        tool_json_close('}');
    }
    tool_json_close(']');
}

static void put_json(const dedupe_report *r, const tool_many *many)
{
    const dedupe_source all = sum_of(r, many);
    tool_json_open(NULL, '{');
    tool_json_string("kind", "dedupe");
    put_source(&all);
    tool_json_number("probable", r->probable);
    tool_json_open("archives", '[');
    for (size_t n = r->first; n < many->count; n++) {
        tool_json_open(NULL, '{');
        tool_json_text("archive", stamma_text_of(many->paths[n]));
        put_source(&r->sources[n]);
        tool_json_close('}');
    }
    tool_json_close(']');
    put_years(r);
    if (r->merge) {
        tool_json_open("merged", '{');
        tool_json_number("games", r->merge->games);
        tool_json_number("tags", r->merge->tags);
        tool_json_number("comments", r->merge->comments);
        tool_json_number("nags", r->merge->nags);
        tool_json_number("variations", r->merge->variations);
        tool_json_close('}');
    }
    tool_json_close('}');
    tool_json_end();
}

/* ---- HTML ---- */

static void put_number(const char *name, uint64_t number)
{
    char text[TOOL_NUMBER_SIZE];
    html_open("div", NULL);
    html_element("dt", NULL, stamma_text_of(name));
    html_element("dd", NULL, stamma_text_of(tool_number(number, text)));
    html_close("div");
}

static void put_summary(const dedupe_report *r, const dedupe_source *all)
{
    html_open("dl", NULL);
    put_number("games", all->games);
    put_number("kept", all->games - removed_of(all));
    put_number("removed", removed_of(all));
    put_number("probable duplicates that are kept", r->probable);
    if (r->merge) {
        put_number("games that received something", r->merge->games);
        put_number("tags", r->merge->tags);
        put_number("comments", r->merge->comments);
        put_number("NAGs", r->merge->nags);
        put_number("variations", r->merge->variations);
    }
    html_close("dl");
}

static void put_kinds(const dedupe_source *all)
{
    static const html_series series[] = {{"removed", HTML_SECOND}};
    const char *labels[DEDUPE_KINDS];
    double values[DEDUPE_KINDS];
    size_t rows = 0;
    for (unsigned kind = 1; kind <= DEDUPE_KINDS; kind++) {
        if (kind == DEDUPE_KINDS && all->removed[0] == 0)
            continue;
        labels[rows] = kind_name(kind % DEDUPE_KINDS);
        values[rows++] = (double)all->removed[kind % DEDUPE_KINDS];
    }
    html_columns(&(html_plot){.title = "Duplicates by kind",
                              .rows_name = "Kind",
                              .series_count = 1,
                              .series = series,
                              .rows = rows,
                              .labels = labels,
                              .values = values});
}

static const html_series kept_removed[] = {{"kept", HTML_FIRST}, {"removed", HTML_SECOND}};

static void put_archives(const dedupe_report *r, const tool_many *many)
{
    static const char *const headings[] = {"Archive",  "#games",      "#exact",    "#spelling", "#included",
                                           "#similar", "#transposed", "#probable", "#decided",  "kept and removed"};
    html_section("Archives");
    html_open("div", "card wide");
    html_table_begin("Games of each archive, and games that were removed, by kind", headings,
                     sizeof headings / sizeof *headings);
    for (size_t n = r->first; n < many->count; n++) {
        const dedupe_source *s = &r->sources[n];
        html_row_begin();
        html_cell(stamma_text_of(many->paths[n]));
        html_cell_number(s->games);
        for (unsigned kind = 1; kind <= DEDUPE_KINDS; kind++)
            html_cell_number(s->removed[kind % DEDUPE_KINDS]);
        html_cell_bar(kept_removed, (const uint64_t[]){s->games - removed_of(s), removed_of(s)}, 2);
        html_row_end();
    }
    html_table_end();
    html_close("div");
    html_close("section");
}

/* Plots the years from the first to the last that have games. Returns false after a message. */
static bool put_year_plot(const dedupe_report *r)
{
    unsigned first = 1, end = DEDUPE_YEARS;
    while (first < end && r->years[first].kept + r->years[first].removed == 0)
        first++;
    while (end > first && r->years[end - 1].kept + r->years[end - 1].removed == 0)
        end--;
    const size_t rows = end - first;
    char(*names)[8] = calloc(rows + 1, sizeof *names);
    const char **labels = calloc(rows + 1, sizeof *labels);
    double *values = calloc(2 * rows + 1, sizeof *values);
    const bool right = names && labels && values;
    for (size_t n = 0; n < rows && right; n++) {
        (void)snprintf(names[n], sizeof names[n], "%04u", (first + (unsigned)n) % DEDUPE_YEARS);
        labels[n] = names[n];
        values[2 * n] = (double)r->years[first + n].kept;
        values[2 * n + 1] = (double)r->years[first + n].removed;
    }
    if (right)
        html_columns(&(html_plot){.title = "Games a year",
                                  .rows_name = "Year",
                                  .series_count = 2,
                                  .series = kept_removed,
                                  .rows = rows,
                                  .labels = labels,
                                  .values = values});
    free(names);
    free(labels);
    free(values);
    return right || tool_fail_memory(NULL);
}

static bool put_html(const dedupe_report *r, const tool_many *many)
{
    const dedupe_source all = sum_of(r, many);
    const uint64_t unknown = r->years[0].kept + r->years[0].removed;
    char number[TOOL_NUMBER_SIZE];
    html_begin(stamma_text_of("Games that occur several times"));
    put_summary(r, &all);
    put_archives(r, many);
    html_section("Kinds and years");
    html_open("div", "grid");
    put_kinds(&all);
    const bool right = put_year_plot(r);
    html_close("div");
    if (unknown > 0) {
        html_open("p", "muted");
        html_string(tool_number(unknown, number));
        html_string(" games without a year");
        html_close("p");
    }
    html_close("section");
    html_end();
    return right;
}

bool dedupe_report_write(dedupe_report *r, const tool_many *many)
{
    if (!r->path)
        return true;
    const stamma_output output = tool_output_callbacks(r->output);
    bool right = true;
    tool_put_flush();
    tool_put_to(&output);
    if (ends_with(r->path, ".json"))
        put_json(r, many);
    else
        right = put_html(r, many);
    tool_put_flush();
    tool_put_to(NULL);
    return right && !tool_output_failed(r->output) && tool_output_finish(r->output);
}
