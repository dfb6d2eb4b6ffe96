/* SPDX-License-Identifier: MIT */
/* Finds the games of an archive that may occur several times, so that find --unique need not read the others. */
#include "questions/find.h"

/* Few games are read faster than all games are looked up. */
enum { FEW_GAMES = 1000 };

static void look_up(find_repeats *r, const find_source *source)
{
    stamma_error error = stamma_game_lookup_open(source->archive, NULL, &r->lookup);
    if (!error)
        error = stamma_game_lookup_repeated(r->lookup, &r->numbers, &r->count);
    r->none = error != STAMMA_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

bool find_repeats_have(find_repeats *r, const find_source *source, uint64_t number)
{
    if (r->none || ++r->passed <= FEW_GAMES)
        return true;
    if (!r->lookup)
        look_up(r, source);
    return r->none || (r->count > 0 && bsearch(&number, r->numbers, r->count, sizeof number, compare_numbers) != NULL);
}

void find_repeats_close(find_repeats *r)
{
    stamma_game_lookup_close(r->lookup);
    r->lookup = NULL;
}
