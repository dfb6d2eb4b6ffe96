/* SPDX-License-Identifier: MIT */
/* The outputs of `stamma report`. */
#ifndef STAMMA_REPORT_OUTPUTS_H
#define STAMMA_REPORT_OUTPUTS_H

#include "reporting/report.h"

/* Returns how many of `count` rows of a table are shown. */
static inline size_t report_rows(const report *r, size_t count)
{
    return r->limit < count ? (size_t)r->limit : count;
}

/* Print the report (report_text.c, report_html.c, report_pgn.c). Return false, after a message, on failure. */
bool report_put_text(const report *r);
bool report_put_html(const report *r);
bool report_put_pgn(const report *r, const stamma_output *output);

/* Adds the moves of a tree to a game, with comments about results, after the node line[0] (report_pgn.c). `line` has
 * room for a node of each depth. */
stamma_error report_pgn_nodes(stamma_game *game, const report_tree *t, stamma_node *line);

/* ---- parts of pages (report_html.c) ---- */

/* Print a fact of a list, and how many rows are not shown. */
void report_html_fact(const char *name, const char *value);
void report_html_more(size_t count, size_t rows);
/* Prints three cells: games, a bar of results, and the score. */
void report_html_results(uint64_t games, uint64_t won, uint64_t drawn, uint64_t lost);
/* Plots results by number. Returns false, after a message, if memory is exhausted. */
bool report_html_columns(const char *title, const char *rows_name, report_kind kind, const report_table *t);
/* Prints a row of a tree, with the cells of report_html_results. `number` is the number of the move of a node of depth
 * 1, and `white` whether White makes it. */
void report_html_node(const report_node *n, unsigned number, bool white);

#endif
