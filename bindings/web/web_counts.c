/* SPDX-License-Identifier: MIT */
/* Counts of archives that are known before they are opened, so that not all their blocks must be read. */
#include "web/web_module.h"

static serve_archive counted; /* counts of the archive that is added next */

/* Sets the counts of the archive that is added next: its games, plies, blocks by level, and whether games have a tag
 * TimeControl. The archive must be sound. */
void WEB_EXPORT(count)(double games, double plies, double level1, double level2, double level3, int timed)
{
    counted = (serve_archive){.games = (uint64_t)games,
                              .last = (uint64_t)games,
                              .plies = (uint64_t)plies,
                              .blocks = {0, (uint64_t)level1, (uint64_t)level2, (uint64_t)level3},
                              .timed = timed != 0,
                              .counted = true};
}

void web_counts_take(serve_archive *a)
{
    if (counted.counted) {
        a->games = a->last = counted.games;
        a->plies = counted.plies;
        memcpy(a->blocks, counted.blocks, sizeof a->blocks);
        a->timed = counted.timed;
        a->counted = true;
    }
    counted.counted = false;
}
