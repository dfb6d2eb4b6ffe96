/* SPDX-License-Identifier: MIT */
/* Trees and statistics as rows. */
#include "sql_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tables_answer_column tables_tree_columns[TABLES_TREE_COLUMNS] = {
    {"move", TABLES_TEXT},          {"uci", TABLES_TEXT},       {"games", TABLES_INTEGER},
    {"white_wins", TABLES_INTEGER}, {"draws", TABLES_INTEGER},  {"black_wins", TABLES_INTEGER},
    {"score", TABLES_REAL},         {"rating", TABLES_INTEGER}, {"performance", TABLES_INTEGER},
    {"last_date", TABLES_TEXT},     {"eco", TABLES_TEXT},       {"opening", TABLES_TEXT},
};

const tables_answer_column tables_stats_columns[TABLES_STATS_COLUMNS] = {
    {"grouping", TABLES_TEXT},      {"name", TABLES_TEXT},          {"side", TABLES_TEXT},
    {"games", TABLES_INTEGER},      {"white_wins", TABLES_INTEGER}, {"draws", TABLES_INTEGER},
    {"black_wins", TABLES_INTEGER}, {"plies", TABLES_INTEGER},
};

/* ---- positions ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips a move number, "1." or "12...". */
static stamma_text without_number(stamma_text word)
{
    size_t digits = 0, dots;
    while (digits < word.size && word.data[digits] >= '0' && word.data[digits] <= '9')
        digits++;
    for (dots = digits; dots < word.size && word.data[dots] == '.';)
        dots++;
    return digits > 0 && dots > digits ? (stamma_text){word.data + dots, word.size - dots} : word;
}

static bool play(stamma_text moves, stamma_position *position, tables_fault *fault)
{
    for (size_t at = 0; at < moves.size;) {
        size_t end = at;
        while (end < moves.size && !is_blank(moves.data[end]))
            end++;
        const stamma_text word = without_number((stamma_text){moves.data + at, end - at});
        stamma_move move;
        if (word.size > 0 && stamma_san_read(position, word, &move))
            return tables_fail(fault, "\"%.*s\" is not a legal move", (int)(word.size < 60 ? word.size : 60),
                               word.data);
        if (word.size > 0)
            stamma_position_make(position, move, position);
        at = end + 1;
    }
    return true;
}

bool tables_position(stamma_text moves, const char *fen, stamma_position *position, tables_fault *fault)
{
    *position = stamma_position_start();
    if (fen && stamma_fen_read(stamma_text_of(fen), position, NULL, NULL))
        return tables_fail(fault, "\"%.100s\" is not a position", fen);
    return play(moves, position, fault);
}

/* ---- rows ---- */

/* Returns the values of a new row, all null; NULL if memory is exhausted. */
static tables_value *add_row(tables_rows *r)
{
    if (r->count == r->room) {
        const size_t room = r->room ? r->room * 2 : 32;
        tables_value *values = realloc(r->values, room * r->columns * sizeof *values);
        if (!values)
            return NULL;
        r->values = values;
        r->room = room;
    }
    tables_value *row = r->values + r->count++ * r->columns;
    for (size_t i = 0; i < r->columns; i++)
        row[i] = (tables_value){.kind = TABLES_NULL};
    return row;
}

static tables_value number(uint64_t value)
{
    return (tables_value){.kind = TABLES_INTEGER, .integer = (int64_t)value};
}

/* Copies a text. The value contains the offset of the copy until finish_texts sets its address. */
static tables_value copy_text(tables_rows *r, stamma_text text)
{
    const size_t at = r->text.size;
    tables_text_add(&r->text, text.data, text.size);
    return (tables_value){.kind = TABLES_TEXT, .integer = (int64_t)at, .text = {NULL, text.size}};
}

/* Sets the addresses of texts, after all texts were copied. */
static bool finish_texts(tables_rows *r, tables_fault *fault)
{
    if (r->text.failed)
        return tables_fail_memory(fault);
    for (size_t i = 0; i < r->count * r->columns; i++)
        if (r->values[i].kind == TABLES_TEXT)
            r->values[i].text.data = r->text.data ? r->text.data + r->values[i].integer : "";
    return true;
}

void tables_rows_release(tables_rows *r)
{
    free(r->values);
    free(r->text.data);
    *r = (tables_rows){.values = NULL};
}

static bool fail(const char *path, stamma_error error, stamma_place place, tables_fault *fault)
{
    char space[TABLES_FAULT_SIZE];
    if (error == STAMMA_ERROR_NO_MEMORY)
        return tables_fail_memory(fault);
    return tables_fail(fault, "%.200s: %.180s", path, tables_error_text(error, place, space));
}

static bool parse(const char *json, stamma_query **query, tables_fault *fault)
{
    stamma_query_problem problem = {.message = ""};
    const stamma_error error = json ? stamma_query_parse(stamma_text_of(json), NULL, &problem, query) : STAMMA_OK;
    return !error || tables_fail(fault, "query: %s", problem.message);
}

/* ---- trees ---- */

static void add_opening(tables_rows *r, tables_value *row, const stamma_position *position)
{
    stamma_text eco, name;
    if (!stamma_position_opening(position, &eco, &name))
        return;
    row[10] = copy_text(r, eco);
    row[11] = copy_text(r, name);
}

static void add_counts(tables_rows *r, tables_value *row, const stamma_tree_counts *c)
{
    const uint64_t finished = c->white_wins + c->draws + c->black_wins;
    const unsigned rating = stamma_tree_rating(c);
    int32_t performance;
    char date[16];
    row[2] = number(c->games);
    row[3] = number(c->white_wins);
    row[4] = number(c->draws);
    row[5] = number(c->black_wins);
    if (finished > 0)
        row[6] = (tables_value){.kind = TABLES_REAL,
                                .real = ((double)c->white_wins + 0.5 * (double)c->draws) / (double)finished};
    if (rating > 0)
        row[7] = number(rating);
    if (stamma_tree_performance(c, &performance))
        row[8] = (tables_value){.kind = TABLES_INTEGER, .integer = performance};
    const size_t size = c->last_date > 0 ? stamma_date_write(c->last_date, '-', date, sizeof date) : 0;
    if (size > 0)
        row[9] = copy_text(r, (stamma_text){date, size});
}

static bool add_move(tables_rows *r, const stamma_position *position, const stamma_tree_move *m)
{
    char san[STAMMA_SAN_SIZE], uci[STAMMA_UCI_SIZE];
    stamma_position after;
    tables_value *row = add_row(r);
    if (!row)
        return false;
    row[0] = copy_text(r, (stamma_text){san, stamma_san_write(position, m->move, san, sizeof san)});
    row[1] = copy_text(r, (stamma_text){uci, stamma_uci_write(position, m->move, false, uci, sizeof uci)});
    add_counts(r, row, &m->counts);
    stamma_position_make(position, m->move, &after);
    add_opening(r, row, &after);
    return true;
}

static bool add_tree(const stamma_tree *tree, tables_rows *r, tables_fault *fault)
{
    const stamma_position *position = stamma_tree_position(tree);
    bool right = true;
    for (size_t n = 0; n < stamma_tree_move_count(tree) && right; n++)
        right = add_move(r, position, stamma_tree_move_at(tree, n));
    return right ? finish_texts(r, fault) : tables_fail_memory(fault);
}

bool tables_tree(const tables_archives *archives, const stamma_position *position, const char *query,
                 const stamma_executor *executor, tables_rows *rows, tables_fault *fault)
{
    stamma_tree *tree = NULL;
    stamma_query *parsed = NULL;
    bool right = parse(query, &parsed, fault);
    if (right && stamma_tree_open(position, NULL, &tree))
        right = tables_fail_memory(fault);
    for (size_t i = 0; i < archives->count && right; i++) {
        const tables_archive *a = &archives->list[i];
        const stamma_search_options options = {.size = sizeof options, .executor = executor, .memory = STAMMA_NO_LIMIT};
        stamma_place place = {.offset = 0};
        const stamma_error error =
            stamma_tree_add_archive(tree, stamma_text_of(a->path), a->archive, parsed, &options, &place);
        right = !error || fail(a->path, error, place, fault);
    }
    rows->columns = TABLES_TREE_COLUMNS;
    right = right && add_tree(tree, rows, fault);
    stamma_tree_close(tree);
    stamma_query_close(parsed);
    return right;
}

/* ---- statistics ---- */

static const char *const groupings[STAMMA_STATS_TABLES] = {
    "length", "year", "rating", "player", "first_moves", "eco", "opening", "time_control", "termination"};

/* Returns whether the rows of a table are of players, each with both sides. */
static bool has_sides(int table)
{
    return table == STAMMA_STATS_PLAYERS || table == STAMMA_STATS_RATINGS;
}

static bool add_results(tables_rows *r, const char *grouping, stamma_text name, const char *side,
                        const stamma_stats_results *results, const uint64_t *plies)
{
    tables_value *row = add_row(r);
    if (!row)
        return false;
    row[0] = copy_text(r, stamma_text_of(grouping));
    if (name.data)
        row[1] = copy_text(r, name);
    if (side)
        row[2] = copy_text(r, stamma_text_of(side));
    row[3] = number(results->games);
    row[4] = number(results->white_wins);
    row[5] = number(results->draws);
    row[6] = number(results->black_wins);
    if (plies)
        row[7] = number(*plies);
    return true;
}

static bool add_stats_row(tables_rows *r, int table, const stamma_stats_row *row)
{
    static const char *const sides[2] = {"white", "black"};
    if (!has_sides(table))
        return add_results(r, groupings[table], row->name, NULL, &row->results[0], &row->plies);
    for (int side = 0; side < 2; side++)
        if (row->results[side].games > 0 &&
            !add_results(r, groupings[table], row->name, sides[side], &row->results[side], NULL))
            return false;
    return true;
}

static bool add_stats(stamma_stats *stats, tables_rows *r, tables_fault *fault)
{
    const stamma_stats_total total = stamma_stats_sum(stats);
    bool right = add_results(r, "all", (stamma_text){NULL, 0}, NULL, &total.results, &total.plies);
    for (int table = 0; table < STAMMA_STATS_TABLES; table++)
        for (size_t n = 0; n < stamma_stats_row_count(stats, (stamma_stats_table)table) && right; n++) {
            const stamma_stats_row *row = NULL;
            right =
                !stamma_stats_row_at(stats, (stamma_stats_table)table, n, &row) && row && add_stats_row(r, table, row);
        }
    return right ? finish_texts(r, fault) : tables_fail_memory(fault);
}

bool tables_stats(const tables_archives *archives, const char *query, const stamma_executor *executor,
                  tables_rows *rows, tables_fault *fault)
{
    stamma_stats *stats = NULL;
    stamma_query *parsed = NULL;
    bool right = parse(query, &parsed, fault);
    if (right && stamma_stats_open(NULL, &stats))
        right = tables_fail_memory(fault);
    for (size_t i = 0; i < archives->count && right; i++) {
        const tables_archive *a = &archives->list[i];
        const stamma_search_options options = {.size = sizeof options, .executor = executor, .memory = STAMMA_NO_LIMIT};
        stamma_place place = {.offset = 0};
        const stamma_error error = stamma_stats_add_archive(stats, a->archive, parsed, &options, &place);
        right = !error || fail(a->path, error, place, fault);
    }
    rows->columns = TABLES_STATS_COLUMNS;
    right = right && add_stats(stats, rows, fault);
    stamma_stats_close(stats);
    stamma_query_close(parsed);
    return right;
}
