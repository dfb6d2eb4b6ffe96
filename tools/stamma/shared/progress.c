/* SPDX-License-Identifier: MIT */
/* A progress bar on the terminal: share done, speed, time left. */
#include "shared/tool.h"

#include <time.h>

#define BAR_WIDTH 24
#define INTERVAL 0.1 /* seconds between two updates */

/* Number of columns of the bar on the terminal, so that a message can overwrite it. */
static int drawn;

double tool_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

tool_progress tool_progress_start(const char *verb, uint64_t total, bool quiet)
{
    double now = tool_clock();
    return (tool_progress){!quiet && system_is_terminal(SYSTEM_ERRORS), verb, total, now, now};
}

/* Prints "[=====>     ]  45 %", or nothing if the total is unknown. */
static int print_bar(const tool_progress *progress, double share)
{
    if (progress->total == 0)
        return 0;
    char bar[BAR_WIDTH + 1];
    int full = (int)(share * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < full ? '=' : i == full ? '>' : ' ';
    bar[BAR_WIDTH] = 0;
    return fprintf(stderr, "  [%s] %3d %%", bar, (int)(share * 100));
}

static int print_time_left(const tool_progress *progress, double share, double elapsed)
{
    /* the first half second is not a reliable basis */
    if (progress->total == 0 || share <= 0 || elapsed < 0.5)
        return 0;
    uint64_t left = (uint64_t)(elapsed * (1 - share) / share + 0.5);
    if (left < 3600)
        return fprintf(stderr, "  %" PRIu64 ":%02" PRIu64 " left", left / 60, left % 60);
    return fprintf(stderr, "  %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " left", left / 3600, left / 60 % 60, left % 60);
}

void tool_progress_show(tool_progress *progress, uint64_t done, uint64_t bytes)
{
    if (!progress->on)
        return;
    double now = tool_clock();
    if (now - progress->shown < INTERVAL)
        return;
    progress->shown = now;
    double share = progress->total == 0 ? 0 : (double)done / (double)progress->total;
    share = share > 1 ? 1 : share;
    double elapsed = now - progress->started;
    char amount[TOOL_NUMBER_SIZE], rate[TOOL_NUMBER_SIZE];
    int width = fprintf(stderr, "\r%s", progress->verb) - 1;
    width += print_bar(progress, share);
    width +=
        fprintf(stderr, "  %s  %s/s", tool_bytes((double)bytes, amount), tool_bytes((double)bytes / elapsed, rate));
    width += print_time_left(progress, share, elapsed);
    (void)fprintf(stderr, "%*s", drawn > width ? drawn - width : 0, "");
    (void)fflush(stderr);
    drawn = width;
}

void tool_progress_clear(void)
{
    if (drawn > 0)
        (void)fprintf(stderr, "\r%*s\r", drawn, "");
    drawn = 0;
}
