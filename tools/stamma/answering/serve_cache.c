/* SPDX-License-Identifier: MIT */
/* A cache of answers, by the request and the state of the archives, for positions that are requested often. The least
 * recently used answer is removed first. */
#include "answering/serve_answers.h"

enum { CHAINS = 1024 };

typedef struct cached {
    struct cached *chain;         /* with the same hash */
    struct cached *newer, *older; /* in order of use */
    size_t key_size, size;
    char bytes[]; /* the key, followed by the answer */
} cached;

struct serve_cache {
    pthread_mutex_t lock;
    cached *chains[CHAINS];
    cached *newest, *oldest;
    size_t bytes, most;
};

serve_cache *serve_cache_open(size_t most)
{
    serve_cache *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    (void)pthread_mutex_init(&c->lock, NULL);
    c->most = most;
    return c;
}

void serve_cache_close(serve_cache *c)
{
    if (!c)
        return;
    for (cached *next, *one = c->newest; one; one = next) {
        next = one->older;
        free(one);
    }
    (void)pthread_mutex_destroy(&c->lock);
    free(c);
}

/* FNV-1a (Fowler, Noll, Vo), 32 bits. Clients can choose keys that collide, but the cache has few entries. */
static cached **chain_of(serve_cache *c, const char *key, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)key[i]) * 16777619u;
    return &c->chains[hash % CHAINS];
}

static cached **find(serve_cache *c, const tool_buffer *key)
{
    cached **place = chain_of(c, key->bytes, key->size);
    while (*place && !((*place)->key_size == key->size && memcmp((*place)->bytes, key->bytes, key->size) == 0))
        place = &(*place)->chain;
    return place;
}

static void unlink_age(serve_cache *c, cached *one)
{
    *(one->newer ? &one->newer->older : &c->newest) = one->older;
    *(one->older ? &one->older->newer : &c->oldest) = one->newer;
}

static void link_newest(serve_cache *c, cached *one)
{
    one->newer = NULL;
    one->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = one;
    c->newest = one;
}

static size_t cost(const cached *one)
{
    return sizeof *one + one->key_size + one->size;
}

static void drop_oldest(serve_cache *c)
{
    cached *one = c->oldest;
    cached **place = chain_of(c, one->bytes, one->key_size);
    while (*place != one)
        place = &(*place)->chain;
    *place = one->chain;
    unlink_age(c, one);
    c->bytes -= cost(one);
    free(one);
}

bool serve_cache_get(serve_cache *c, const tool_buffer *key, tool_buffer *answer)
{
    bool found = false;
    if (!c || key->failed)
        return false;
    (void)pthread_mutex_lock(&c->lock);
    cached *one = *find(c, key);
    if (one) {
        found = tool_buffer_add(answer, one->bytes + one->key_size, one->size);
        unlink_age(c, one);
        link_newest(c, one);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return found;
}

void serve_cache_put(serve_cache *c, const tool_buffer *key, const tool_buffer *answer)
{
    cached *one = c && !key->failed && !answer->failed ? malloc(sizeof *one + key->size + answer->size) : NULL;
    if (!one)
        return;
    one->key_size = key->size;
    one->size = answer->size;
    memcpy(one->bytes, key->bytes, key->size);
    memcpy(one->bytes + key->size, answer->bytes, answer->size);
    (void)pthread_mutex_lock(&c->lock);
    cached **place = find(c, key);
    if (*place || cost(one) > c->most / 8) { /* another thread was faster, or the answer is too large */
        free(one);
    } else {
        one->chain = NULL;
        *place = one;
        link_newest(c, one);
        c->bytes += cost(one);
        while (c->bytes > c->most)
            drop_oldest(c);
    }
    (void)pthread_mutex_unlock(&c->lock);
}

bool serve_cache_key(const serve_request *r, const serve_archive_list *archives, tool_buffer *key)
{
    char text[STAMMA_FEN_SIZE + 192];
    int size = snprintf(text, sizeof text, "%d %zu %zu %zu %d%d%d%d %d %" PRIu64 " ", (int)r->endpoint, r->moves,
                        r->top_games, r->recent_games, r->history, r->bits, r->count, r->stream, r->color, r->rows);
    (void)tool_buffer_add(key, text, (size_t)size);
    /* with its clocks, because the answer also contains them */
    (void)tool_buffer_add(key, text, stamma_fen_write(&r->position, STAMMA_FEN_SHREDDER, text, sizeof text));
    for (size_t i = 0; i < archives->count; i++) {
        size = snprintf(text, sizeof text, " %" PRIu64, archives->list[i]->serial);
        (void)tool_buffer_add(key, text, (size_t)size);
    }
    (void)tool_buffer_add(key, r->openings ? "o" : " ", 1);
    (void)tool_buffer_add(key, r->unnamed ? "u" : " ", 1);
    if (r->bits || r->openings) { /* these depend on the moves played before */
        (void)tool_buffer_add(key, &r->start, sizeof r->start);
        (void)tool_buffer_add(key, r->played, r->plies * sizeof *r->played);
    }
    (void)tool_buffer_add(key, "\n", 1);
    return tool_buffer_add(key, r->filters.bytes, r->filters.size) && !key->failed;
}
