/* SPDX-License-Identifier: MIT */
/* The archives of /masters: if several are served, those with games over the board. */
#include "answering/serve_answers.h"

enum { SAMPLE = 64 }; /* games of an archive that are looked at */

/* Returns whether a text contains a word in small letters, ignoring case. */
static bool contains(stamma_text text, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++) {
        size_t n = 0;
        while (n < size && (text.data[i + n] == word[n] || (text.data[i + n] | 0x20) == word[n]))
            n++;
        if (n == size)
            return true;
    }
    return false;
}

static bool look_at_site(void *context, const stamma_archive_game *game)
{
    int *online = context;
    const stamma_text site = stamma_archive_game_tag(game, stamma_text_of("Site"));
    if (!game->continuation)
        *online += contains(site, "lichess.org") || contains(site, "chess.com") ? 1 : -1;
    return true;
}

bool serve_archive_is_online(serve_exchange *x, serve_archive *a)
{
    int known = atomic_load(&a->online), online = 0;
    if (known)
        return known == 2;
    serve_archives *s = &x->server->archives;
    struct serve_reader *r = serve_reader_take(s, a, STAMMA_GAME_TAGS, &x->fault);
    bool right = r != NULL;
    for (uint64_t game = 1; right && game <= SAMPLE && game <= a->last; game++)
        right = serve_reader_read(x, r, a, game, STAMMA_GAME_TAGS, look_at_site, &online);
    serve_reader_give_back(s, a, r);
    x->fault = (serve_fault){.status = 0}; /* the archive is judged by the games that were read */
    if (!x->ended)
        atomic_store(&a->online, online > 0 ? 2 : 1);
    return online > 0;
}

void serve_masters_choose(serve_exchange *x, serve_archive_list *taken)
{
    size_t dropped = 0;
    bool *drops = taken->count > 1 ? calloc(taken->count, sizeof *drops) : NULL;
    for (size_t i = 0; drops && i < taken->count; i++)
        dropped += drops[i] = serve_archive_is_online(x, taken->list[i]);
    if (dropped > 0 && dropped < taken->count)
        serve_archives_drop(&x->server->archives, taken, drops);
    free(drops);
}
