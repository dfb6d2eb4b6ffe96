/* SPDX-License-Identifier: MIT */
/* A set of games, with a look-up by hash. */
#include "duplicates/duplicates.h"

#include <xxhash.h>

/* Facts that distinguish games with the same hash. */
typedef struct set_entry {
    uint64_t link;   /* hash of the address; 0: none */
    uint32_t host;   /* hash of the site of the address */
    uint32_t ids[2]; /* hashes of the FIDE ids; 0: unknown */
    uint32_t round;  /* as in game_facts; 0: unknown */
    int32_t time;    /* -1: unknown */
    uint32_t next;   /* 1 + index of the next entry with the same hash; 0: none */
} set_entry;

struct stamma_game_set {
    stamma_allocator allocator;
    uint64_t memory;
    text_table hashes; /* `mark` is 1 + index of the last entry with this hash; 0: none */
    buffer entries;    /* set_entry */
    hash_work work;
};

stamma_error stamma_game_set_open(const stamma_game_set_options *given, stamma_game_set **set)
{
    stamma_game_set_options options;
    stamma_error error = set ? stamma_options_read(given, &options, sizeof options) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error)
        return error;
    if (!allocator_is_given(options.allocator))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_game_set *s = (stamma_game_set *)memory_allocate(&allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    memset(s, 0, sizeof *s);
    s->allocator = allocator;
    s->memory = options.memory ? options.memory : MEMORY_DEFAULT;
    s->hashes.allocator = s->entries.allocator = &s->allocator;
    s->work.plain.allocator = s->work.folded.allocator = s->work.bytes.allocator = &s->allocator;
    s->hashes.copies = true;
    *set = s;
    return STAMMA_OK;
}

void stamma_game_set_close(stamma_game_set *s)
{
    if (!s)
        return;
    stamma_allocator allocator = s->allocator;
    buffer *all[] = {&s->entries, &s->work.plain, &s->work.folded, &s->work.bytes};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    stamma_text_table_release(&s->hashes);
    memory_release(&allocator, s);
}

size_t stamma_game_set_count(const stamma_game_set *s)
{
    return s ? s->entries.size / sizeof(set_entry) : 0;
}

static uint64_t hash_text(stamma_text text)
{
    return text.size > 0 ? XXH3_64bits(text.data, text.size) : 0;
}

static uint32_t hash_id(const stamma_archive_game *game, const char *tag, hash_work *work)
{
    return (uint32_t)hash_text(stamma_folded_tag(work, game, tag));
}

/* Reads the facts of a game. A game that is compared by its text has no other facts. */
static set_entry read_entry(const stamma_archive_game *game, hash_work *work)
{
    set_entry e = {.time = -1};
    stamma_text host;
    if (stamma_game_hash_needs_text(game))
        return e;
    e.ids[STAMMA_WHITE] = hash_id(game, "WhiteFideId", work);
    e.ids[STAMMA_BLACK] = hash_id(game, "BlackFideId", work);
    e.round = stamma_round_of(game);
    e.time = stamma_game_time(game);
    e.link = hash_text(stamma_game_link(game, &host));
    e.host = (uint32_t)hash_text(host);
    return e;
}

/* Returns whether a fact shows that the games are different games, as in same_game.c. */
static bool differs(const set_entry *a, const set_entry *b)
{
    return ids_differ(a->ids, b->ids, false) || stamma_rounds_differ(a->round, b->round) ||
           times_differ(a->time, b->time) || (a->link != 0 && b->link != 0 && a->host == b->host && a->link != b->link);
}

static bool is_known(const stamma_game_set *s, uint32_t first, const set_entry *game)
{
    const set_entry *all = (const set_entry *)(void *)s->entries.data;
    while (first != 0 && differs(&all[first - 1], game))
        first = all[first - 1].next;
    return first != 0;
}

/* Returns whether the set is within its memory limit. The memory is not counted after each game, because the time for
 * counting grows with the size of the table. */
static bool fits(const stamma_game_set *s)
{
    enum { GAMES = 1024 };
    return stamma_game_set_count(s) % GAMES != 0 ||
           (uint64_t)s->entries.capacity + stamma_text_table_memory(&s->hashes) <= s->memory;
}

/* Reads the hash and the facts of a game. */
static stamma_error read_game(stamma_game_set *s, const stamma_archive_game *game, uint8_t hash[GAME_HASH_SIZE],
                              set_entry *entry)
{
    if (!stamma_game_hash_read(game, &s->work, hash))
        return STAMMA_ERROR_NO_MEMORY;
    *entry = read_entry(game, &s->work);
    const bool failed = s->work.folded.failed || s->work.plain.failed;
    s->work.folded.failed = s->work.plain.failed = false;
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

stamma_error stamma_game_set_has(stamma_game_set *s, const stamma_archive_game *game, bool *has)
{
    uint8_t hash[GAME_HASH_SIZE];
    set_entry entry;
    if (!s || !game || !has || !stamma_game_is_hashable(game))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = read_game(s, game, hash, &entry);
    if (error != STAMMA_OK)
        return error;
    const uint32_t number = stamma_text_table_find(&s->hashes, (stamma_text){(const char *)hash, sizeof hash});
    *has = number > 0 && is_known(s, s->hashes.texts[number].mark, &entry);
    return STAMMA_OK;
}

stamma_error stamma_game_set_add(stamma_game_set *s, const stamma_archive_game *game, bool *added)
{
    uint8_t hash[GAME_HASH_SIZE];
    set_entry entry;
    if (!s || !game || !stamma_game_is_hashable(game) || stamma_game_set_count(s) >= UINT32_MAX - 1)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = read_game(s, game, hash, &entry);
    if (error != STAMMA_OK)
        return error;
    uint32_t number = stamma_text_table_add(&s->hashes, (stamma_text){(const char *)hash, sizeof hash});
    if (number == 0 || !buffer_reserve(&s->entries, sizeof(set_entry))) {
        s->hashes.failed = s->entries.failed = false;
        return STAMMA_ERROR_NO_MEMORY;
    }
    if (!fits(s))
        return STAMMA_ERROR_LIMIT;
    uint32_t *last = &s->hashes.texts[number].mark;
    bool known = is_known(s, *last, &entry);
    if (added)
        *added = !known;
    if (known)
        return STAMMA_OK;
    entry.next = *last;
    buffer_add(&s->entries, &entry, sizeof entry);
    *last = (uint32_t)stamma_game_set_count(s);
    return STAMMA_OK;
}
