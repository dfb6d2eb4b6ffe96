/* SPDX-License-Identifier: MIT */
/* xBestIndex: which constraints of a statement become part of the query, and the cost of the scan. */
#include "sqlite_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Estimates, for archives that are not known yet. */
enum { GAMES_ASSUMED = 100000, PLIES_OF_A_GAME = 80, GAMES_OF_A_LOOK_UP = 500 };

typedef struct plan {
    const sqlite_table *table;
    sqlite3_index_info *info;
    tables_text text; /* idxStr */
    int arguments;
    double share; /* share of games that satisfy the constraints in use */
    bool is_one_game;
    bool has_archive;
} plan;

/* Returns the operator of a constraint; false if it cannot be used. */
static bool operator_of(int op, tables_operator *found)
{
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: *found = TABLES_EQUAL; return true;
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE: *found = TABLES_LESS; return true;
    case SQLITE_INDEX_CONSTRAINT_GT:
    case SQLITE_INDEX_CONSTRAINT_GE: *found = TABLES_GREATER; return true;
    case SQLITE_INDEX_CONSTRAINT_LIKE: *found = TABLES_LIKE; return true;
    case SQLITE_INDEX_CONSTRAINT_GLOB: *found = TABLES_GLOB; return true;
    default: return false;
    }
}

/* Returns whether all values of `column IN (...)` can be passed at once. */
static bool is_list(sqlite3_index_info *info, int constraint)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    return sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_in(info, constraint, -1) != 0;
#else
    (void)info;
    (void)constraint;
    return false;
#endif
}

static void pass_list(sqlite3_index_info *info, int constraint)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    (void)sqlite3_vtab_in(info, constraint, 1);
#else
    (void)info;
    (void)constraint;
#endif
}

/* Returns whether a rule can be used with the collation of a constraint. Rules ignore case, but not blanks at the end.
 * */
static bool fits_collation(sqlite3_index_info *info, int constraint)
{
    const char *name = sqlite3_libversion_number() >= 3022000 ? sqlite3_vtab_collation(info, constraint) : "BINARY";
    return name && (sqlite3_stricmp(name, "BINARY") == 0 || sqlite3_stricmp(name, "NOCASE") == 0);
}

/* Makes a constraint an argument of xFilter. `exact`: SQLite does not test it again. */
static void use(plan *p, int constraint, tables_operator op, bool many, bool exact)
{
    char code[48];
    const int column = p->info->aConstraint[constraint].iColumn;
    (void)snprintf(code, sizeof code, "%d %d %d;", column, (int)op, many);
    tables_text_put(&p->text, code);
    p->info->aConstraintUsage[constraint].argvIndex = ++p->arguments;
    p->info->aConstraintUsage[constraint].omit = exact;
}

/* Returns false if the plan is impossible: a parameter of the function depends on a table that is read later. */
static bool use_hidden(plan *p, int constraint, sqlite_hidden hidden)
{
    const struct sqlite3_index_constraint *c = &p->info->aConstraint[constraint];
    const bool is_path = hidden == HIDDEN_FILENAME || (hidden == HIDDEN_ARCHIVE && !p->table->is_function);
    const bool exact = !is_path;
    if (c->op != SQLITE_INDEX_CONSTRAINT_EQ) /* LIMIT and OFFSET are constraints on column 0 */
        return true;
    if (hidden == HIDDEN_FILENAME && p->table->is_function) /* SQLite tests it: the archives are a parameter */
        return true;
    if (!c->usable)
        return !exact;
    use(p, constraint, TABLES_EQUAL, false, exact);
    p->has_archive |= hidden == HIDDEN_ARCHIVE;
    p->share *= is_path || hidden == HIDDEN_ARCHIVE ? 1 : 0.01;
    return true;
}

static void use_column(plan *p, int constraint, const tables_column *column)
{
    const struct sqlite3_index_constraint *c = &p->info->aConstraint[constraint];
    tables_operator op;
    if (!c->usable || !operator_of(c->op, &op))
        return;
    const tables_use how = tables_use_of(p->table->table, column, op);
    const bool many = op == TABLES_EQUAL && how == TABLES_USE_RULE && is_list(p->info, constraint);
    if (how == TABLES_USE_NONE || !fits_collation(p->info, constraint))
        return;
    use(p, constraint, op, many, false);
    if (many)
        pass_list(p->info, constraint);
    if (how == TABLES_USE_RULE)
        p->share *= tables_share(column, op) * (many ? 3 : 1);
    else if (op == TABLES_EQUAL)
        p->is_one_game = true;
    else
        p->share *= 0.3;
}

static bool use_constraints(plan *p)
{
    for (int i = 0; i < p->info->nConstraint; i++) {
        const int column = p->info->aConstraint[i].iColumn, own = column - p->table->hidden_count;
        if (column < 0)
            continue;
        if (own >= 0 && (size_t)own < p->table->columns.count)
            use_column(p, i, &p->table->columns.list[own]);
        else if (own < 0 && !use_hidden(p, i, p->table->hidden[column]))
            return false;
    }
    return true;
}

/* ---- costs ---- */

/* Returns the cost of decoding a value of a column, in the cost of a tag. */
static double cost_of(const sqlite_table *t, const tables_column *c)
{
    if (t->table != STAMMA_TABLE_GAMES)
        return strcmp(c->name, "fen") == 0 || strcmp(c->name, "san") == 0 ? 2 : 1;
    return strstr(c->type, "list") || strcmp(c->name, "text") == 0 ? 60 : 1;
}

/* Returns the cost of a row with the columns that the statement uses. The last bit of the set is for all columns after
 * the first 63. */
static double cost_of_row(const plan *p)
{
    double cost = 1;
    for (size_t i = 0; i < p->table->columns.count; i++) {
        const size_t column = i + (size_t)p->table->hidden_count, bit = column < 63 ? column : 63;
        if (p->info->colUsed >> bit & 1)
            cost += cost_of(p->table, &p->table->columns.list[i]);
    }
    return cost;
}

static void estimate(plan *p)
{
    const uint64_t known = tables_archives_games(&p->table->archives);
    const double games = p->table->is_function ? GAMES_ASSUMED : (double)known;
    const double rows_of_game = p->table->table == STAMMA_TABLE_GAMES ? 1 : PLIES_OF_A_GAME;
    double found = games * p->share;
    if (p->is_one_game || found < 1)
        found = 1;
    /* A join usually looks up games in order, and the cursor continues its scan. A rule needs a pass over all games. */
    const double read = p->is_one_game ? (games < GAMES_OF_A_LOOK_UP ? games : GAMES_OF_A_LOOK_UP) : games;
    p->info->estimatedRows = (sqlite3_int64)(found * rows_of_game);
    p->info->estimatedCost =
        50 + read * (p->share < 1 || p->is_one_game ? 0.5 : 0.1) + found * rows_of_game * cost_of_row(p);
    if (p->is_one_game && p->table->table == STAMMA_TABLE_GAMES && p->table->archives.count == 1)
        p->info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
}

/* Returns whether the rows have the requested order. The rows of one archive are in the order of games, then of plies.
 * */
static bool is_ordered(const plan *p)
{
    const sqlite_table *t = p->table;
    const size_t keys[2] = {t->game, t->ply};
    const int most = t->table == STAMMA_TABLE_GAMES ? 1 : 2;
    if (t->archives.count != 1 || p->info->nOrderBy < 1 || p->info->nOrderBy > most)
        return false;
    for (int i = 0; i < p->info->nOrderBy; i++)
        if (keys[i] == SIZE_MAX || p->info->aOrderBy[i].desc ||
            p->info->aOrderBy[i].iColumn != (int)keys[i] + t->hidden_count)
            return false;
    return true;
}

int stamma_sqlite_plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    plan p = {.table = (const sqlite_table *)table, .info = info, .share = 1};
    char code[32];
    (void)snprintf(code, sizeof code, "%llx:", (unsigned long long)info->colUsed);
    tables_text_put(&p.text, code);
    if (!use_constraints(&p) || (p.table->is_function && !p.has_archive)) {
        free(p.text.data);
        return SQLITE_CONSTRAINT;
    }
    estimate(&p);
    info->orderByConsumed = is_ordered(&p);
    info->idxStr = p.text.failed ? NULL : sqlite3_mprintf("%s", p.text.data);
    info->needToFreeIdxStr = 1;
    free(p.text.data);
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}
