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

#endif
