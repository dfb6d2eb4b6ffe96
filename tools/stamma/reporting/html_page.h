/* SPDX-License-Identifier: MIT */
/* Self-contained HTML pages with plots in SVG: no scripts, no other files, light and dark, printable. A page has the
 * form <main> <header>...</header> <section>...</section>... </main>, and is also well-formed XML.
 *
 * All functions print with tool_put. Texts are escaped, whatever they contain. Text that is not UTF-8 is read as
 * Windows-1252. U+FFFD replaces control characters, and characters that change the direction of text. */
#ifndef STAMMA_HTML_PAGE_H
#define STAMMA_HTML_PAGE_H

#include "shared/tool.h"

/* ---- pages and elements (html_page.c) ---- */

/* Prints everything before the first element: the style sheet, <main>, and <h1> with the title. */
void html_begin(stamma_text title);
/* Prints everything after the last element. */
void html_end(void);

/* Prints the tag of an element, with a class unless `class` is NULL. Both are words of the program. */
void html_open(const char *element, const char *class);
void html_close(const char *element);
/* Prints an element that contains only a text. */
void html_element(const char *element, const char *class, stamma_text text);
/* Opens a section with a heading of level 2; close it with html_close("section"). */
void html_section(const char *heading);
/* Print text. */
void html_text(stamma_text text);
void html_string(const char *string);

/* ---- tables (html_page.c) ---- */

/* Prints the beginning of a table with a row of headings. A # at the beginning of a heading marks a column of numbers,
 * which are aligned right; the # is not printed. `caption` is only read by screen readers. */
void html_table_begin(const char *caption, const char *const *headings, size_t count);
void html_table_end(void);
void html_row_begin(void);
void html_row_end(void);
void html_cell(stamma_text text);
/* Prints a cell with words of the program, which are not broken into lines. */
void html_cell_words(const char *words);
void html_cell_number(uint64_t number);
/* Prints a cell with a number with `digits` decimals, followed by `unit`. NAN: an empty cell. */
void html_cell_real(double number, int digits, const char *unit);

/* ---- plots (html_plot.c) ---- */

typedef enum html_color {
    HTML_FIRST, /* colours of categories */
    HTML_SECOND,
    HTML_THIRD,
    HTML_FOURTH,
    HTML_FIFTH,
    HTML_SIXTH,
    HTML_WON,
    HTML_DRAWN,
    HTML_LOST,
    HTML_UNKNOWN,
    HTML_COLORS
} html_color;

typedef struct html_series {
    const char *name;
    html_color color;
} html_series;

typedef struct html_plot {
    const char *title;
    const char *rows_name; /* meaning of a row, such as "Year" */
    const char *unit;      /* printed after each value: " %"; NULL: nothing */
    int digits;            /* decimals of values */
    size_t series_count;
    const html_series *series;
    size_t rows;
    const char *const *labels; /* of the rows; short */
    const double *values;      /* row by row, `series_count` each, not negative; NAN: unknown */
} html_plot;

/* Print a figure with the plot, its legend if there are several series, and a closed table with the numbers. Without
 * rows, prints that nothing is known. */
void html_columns(const html_plot *plot); /* a column for each row; several series are stacked */
void html_lines(const html_plot *plot);   /* a line for each series; the axis need not begin with 0 */
/* Prints a cell of a table with a horizontal bar that is divided in the proportion of `values`. */
void html_cell_bar(const html_series *series, const uint64_t *values, size_t count);

#endif
