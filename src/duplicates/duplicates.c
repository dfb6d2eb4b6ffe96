/* SPDX-License-Identifier: MIT */
/* Finds games that occur several times, and selects which of them to keep, in passes over all games. */
#include "duplicates/duplicates.h"
#include "archive/each_game.h"

#include <stdlib.h>

enum {
    ALL_KINDS = 126,
    CERTAIN_KINDS = 62, /* all except PROBABLE */
    DAYS = 3,
    MOVES = 4,
    LIMIT_MAX = 31, /* of `days` and `moves` */
    KEY_PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES,
    FACT_PARTS = STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT
};

/* ---- options ---- */

static bool are_valid(const stamma_duplicates_options *o)
{
    if (!allocator_is_given(o->allocator) || o->kinds & ~(unsigned)ALL_KINDS || o->keep_count > KEPT_RULES ||
        (!o->keep && o->keep_count > 0) || o->days < -1 || o->days > LIMIT_MAX || o->moves < -1 || o->moves > LIMIT_MAX)
        return false;
    for (size_t n = 0; n < o->keep_count; n++)
        if ((unsigned)o->keep[n] < STAMMA_KEEP_FIRST || (unsigned)o->keep[n] > STAMMA_KEEP_LATEST)
            return false;
    return true;
}

static unsigned limit_of(int given, unsigned normal)
{
    return given == 0 ? normal : given < 0 ? 0 : (unsigned)given;
}

static void set_options(stamma_duplicates *d, const stamma_duplicates_options *o)
{
    static const stamma_keep best[] = {STAMMA_KEEP_LONGEST, STAMMA_KEEP_RESULT, STAMMA_KEEP_ANNOTATED,
                                       STAMMA_KEEP_TAGS};
    const bool given = o->keep_count > 0;
    d->memory = o->memory ? o->memory : MEMORY_DEFAULT;
    d->kinds = o->kinds ? o->kinds : CERTAIN_KINDS;
    d->days = limit_of(o->days, DAYS);
    d->moves = limit_of(o->moves, MOVES);
    d->known = o->known < UINT32_MAX ? (uint32_t)o->known : UINT32_MAX;
    d->keep_count = given ? o->keep_count : sizeof best / sizeof *best;
    memcpy(d->keep, given ? o->keep : best, d->keep_count * sizeof *best);
}

stamma_error stamma_duplicates_open(const stamma_duplicates_options *given, stamma_duplicates **duplicates)
{
    stamma_duplicates_options options;
    stamma_error error = duplicates ? stamma_options_read(given, &options, sizeof options) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error)
        return error;
    if (!are_valid(&options))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    stamma_duplicates *d = (stamma_duplicates *)memory_allocate(&allocator, sizeof *d);
    if (!d)
        return STAMMA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof *d);
    d->allocator = allocator;
    set_options(d, &options);
    d->first_pass = true;
    d->high = UINT64_MAX;
    buffer *all[] = {&d->keys,        &d->parents,    &d->found,   &d->facts,  &d->move_list,  &d->work.plain,
                     &d->work.folded, &d->work.bytes, &d->members, &d->ranked, &d->candidates, &d->pairs};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        all[n]->allocator = &d->allocator;
    d->texts.allocator = &d->allocator;
    d->texts.copies = true;
    *duplicates = d;
    return STAMMA_OK;
}

void stamma_duplicates_close(stamma_duplicates *d)
{
    if (!d)
        return;
    stamma_allocator allocator = d->allocator;
    buffer *all[] = {&d->keys,        &d->parents,    &d->found,   &d->facts,  &d->move_list,  &d->work.plain,
                     &d->work.folded, &d->work.bytes, &d->members, &d->ranked, &d->candidates, &d->pairs};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    stamma_text_table_release(&d->texts);
    memory_release(&allocator, d);
}

/* ---- memory ---- */

/* Returns the memory of the detector. During the first pass, this includes the lists of all games, which are made
 * later; during passes over facts, the list of members. */
static uint64_t memory_used(const stamma_duplicates *d)
{
    uint64_t games =
        d->first_pass ? (uint64_t)d->added * (sizeof(uint32_t) + 1) : (uint64_t)d->parents.capacity + d->found.capacity;
    return games + d->keys.capacity + d->facts.capacity + d->move_list.capacity +
           (uint64_t)fact_count(d) * sizeof(uint64_t) + stamma_text_table_memory(&d->texts);
}

/* Grows a buffer within the limit of memory. Returns LIMIT if that is impossible. */
static stamma_error make_room(stamma_duplicates *d, buffer *b, size_t more)
{
    enum { STEP = 4096 };
    const size_t room = b->capacity - b->size;
    const uint64_t used = memory_used(d), left = used < d->memory ? d->memory - used : 0;
    if (room >= more)
        return STAMMA_OK;
    if (left < more - room)
        return STAMMA_ERROR_LIMIT;
    uint64_t step = b->capacity / 2 > more + STEP ? b->capacity / 2 : more + STEP;
    size_t capacity = size_add(b->capacity, (size_t)(step < left ? step : left));
    void *data = memory_resize(&d->allocator, b->data, capacity);
    if (!data)
        return STAMMA_ERROR_NO_MEMORY;
    b->data = (uint8_t *)data;
    b->capacity = capacity;
    return STAMMA_OK;
}

/* Returns unused memory of a buffer. */
static void trim(stamma_duplicates *d, buffer *b)
{
    void *data = b->size > 0 ? memory_resize(&d->allocator, b->data, b->size) : NULL;
    if (!data)
        return;
    b->data = (uint8_t *)data;
    b->capacity = b->size;
}

/* ---- passes over keys ---- */

/* Removes the upper half of the range of keys from this pass; a later pass handles these keys. Returns LIMIT if the
 * range has only one key. */
static stamma_error narrow_keys(stamma_duplicates *d)
{
    game_key *keys = (game_key *)(void *)d->keys.data;
    const size_t count = d->keys.size / sizeof *keys;
    size_t left = 0;
    if (d->high == d->low)
        return STAMMA_ERROR_LIMIT;
    d->high = d->low + (d->high - d->low) / 2;
    for (size_t n = 0; n < count; n++)
        if (keys[n].key <= d->high)
            keys[left++] = keys[n];
    d->keys.size = left * sizeof *keys;
    return STAMMA_OK;
}

static stamma_error add_keys(stamma_duplicates *d, const stamma_archive_game *game)
{
    game_key keys[GAME_KEYS];
    const size_t count = stamma_game_keys(d, game, keys);
    stamma_error error = STAMMA_OK;
    if (d->work.plain.failed || d->work.folded.failed || d->work.bytes.failed)
        return STAMMA_ERROR_NO_MEMORY;
    while ((error = make_room(d, &d->keys, sizeof keys)) == STAMMA_ERROR_LIMIT)
        if ((error = narrow_keys(d)) != STAMMA_OK)
            return error;
    for (size_t n = 0; n < count && !error; n++) {
        keys[n].game = d->added;
        if (keys[n].key >= d->low && keys[n].key <= d->high)
            buffer_add(&d->keys, &keys[n], sizeof keys[n]);
    }
    return error;
}

/* Makes each game a group. */
static stamma_error list_games(stamma_duplicates *d)
{
    stamma_error error = STAMMA_OK;
    d->count = d->added;
    while (!error && memory_used(d) > d->memory) {
        error = narrow_keys(d);
        trim(d, &d->keys);
    }
    if (error)
        return error;
    if (!buffer_array(&d->parents, d->count, sizeof(uint32_t)) || !buffer_array(&d->found, d->count, 1))
        return STAMMA_ERROR_NO_MEMORY;
    for (uint32_t n = 0; n < d->count; n++)
        parents_of(d)[n] = n;
    d->first_pass = false;
    return STAMMA_OK;
}

/* Starts with the groups of all games from d->group on. */
static void next_groups(stamma_duplicates *d)
{
    while (d->group < d->count && d->found.data[d->group] != NOT_COMPARED)
        d->group++;
    d->groups = d->count;
    d->phase = d->group < d->count ? PHASE_FACTS : PHASE_FOUND;
}

static stamma_error end_keys(stamma_duplicates *d)
{
    stamma_error error = d->first_pass ? list_games(d) : STAMMA_OK;
    if (error)
        return error;
    stamma_groups_join(d);
    d->keys.size = 0;
    if (d->high < UINT64_MAX) {
        d->low = d->high + 1;
        d->high = UINT64_MAX;
        return STAMMA_OK;
    }
    stamma_buffer_release(&d->keys);
    stamma_groups_finish(d);
    next_groups(d);
    return STAMMA_OK;
}

/* ---- passes over facts ---- */

static bool is_in_pass(const stamma_duplicates *d, uint32_t game)
{
    return d->found.data[game] == NOT_COMPARED && parents_of(d)[game] < d->groups; /* earlier groups are compared */
}

/* Removes the facts and moves of games that were removed from this pass. Copies the texts of the other games. */
static stamma_error remove_facts(stamma_duplicates *d)
{
    game_facts *facts = (game_facts *)(void *)d->facts.data;
    stamma_move *moves = (stamma_move *)(void *)d->move_list.data;
    text_table texts = {.allocator = &d->allocator, .copies = true};
    size_t left = 0, at = 0;
    for (size_t n = 0, count = fact_count(d); n < count; n++) {
        game_facts f = facts[n];
        if (!is_in_pass(d, f.game))
            continue;
        if (f.ply_count > 0)
            memmove(moves + at, moves + f.moves, f.ply_count * sizeof *moves);
        f.moves = at;
        at += f.ply_count;
        uint32_t *numbers[] = {&f.names[0], &f.names[1], &f.ids[0], &f.ids[1], &f.event, &f.link, &f.host};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (*numbers[k] != 0)
                *numbers[k] = stamma_text_table_add(&texts, fact_text(d, *numbers[k]));
        facts[left++] = f;
    }
    stamma_text_table_release(&d->texts);
    d->texts = texts;
    d->facts.size = left * sizeof *facts;
    d->move_list.size = at * sizeof *moves;
    trim(d, &d->facts);
    trim(d, &d->move_list);
    return texts.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Removes half of the groups from this pass; a later pass handles these groups. Returns LIMIT if there is only one
 * group. */
static stamma_error narrow_groups(stamma_duplicates *d)
{
    const uint32_t end = d->groups < d->added + 1 ? d->groups : d->added + 1;
    if (end - d->group < 2)
        return STAMMA_ERROR_LIMIT;
    d->groups = d->group + (end - d->group) / 2;
    return remove_facts(d);
}

static stamma_error add_facts(stamma_duplicates *d, const stamma_archive_game *game)
{
    game_facts facts;
    stamma_error error = STAMMA_OK;
    while (!error && is_in_pass(d, d->added)) {
        error = make_room(d, &d->facts, sizeof facts);
        error = error ? error : make_room(d, &d->move_list, size_multiply(game->ply_count, sizeof(stamma_move)));
        if (!error)
            break;
        error = error == STAMMA_ERROR_LIMIT ? narrow_groups(d) : error;
    }
    if (error || !is_in_pass(d, d->added))
        return error;
    if (!stamma_facts_read(d, game, &facts))
        return STAMMA_ERROR_NO_MEMORY;
    facts.hash = stamma_game_hash_part(game, &d->work);
    facts.known = d->added < d->known;
    if (d->work.bytes.failed)
        return STAMMA_ERROR_NO_MEMORY;
    buffer_add(&d->facts, &facts, sizeof facts);
    while (!error && memory_used(d) > d->memory)
        error = narrow_groups(d);
    return error;
}

static int compare_members(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static stamma_error end_facts(stamma_duplicates *d)
{
    const size_t count = fact_count(d);
    uint64_t *members = (uint64_t *)buffer_array(&d->members, count, sizeof *members);
    stamma_error error = members ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < count && !error; n++)
        members[n] = (uint64_t)parents_of(d)[facts_of(d, n)->game] << 32 | n;
    if (count > 1 && !error)
        qsort(members, count, sizeof *members, compare_members);
    for (size_t first = 0, end = 0; first < count && !error; first = end) {
        while (end < count && members[end] >> 32 == members[first] >> 32)
            end++;
        error = stamma_group_compare(d, members + first, end - first);
    }
    buffer *used[] = {&d->facts, &d->move_list, &d->members, &d->ranked, &d->candidates, &d->pairs};
    for (size_t n = 0; n < sizeof used / sizeof *used; n++)
        stamma_buffer_release(used[n]);
    stamma_text_table_release(&d->texts);
    d->texts = (text_table){.allocator = &d->allocator, .copies = true};
    d->group = d->groups;
    next_groups(d);
    return error;
}

/* ---- the detector ---- */

stamma_error stamma_duplicates_add(stamma_duplicates *d, const stamma_archive_game *game)
{
    if (!d || d->phase >= PHASE_FOUND || !game || game->continuation || (!game->moves && game->ply_count > 0) ||
        (!game->tags && game->tag_count > 0) || d->added >= UINT32_MAX - 1 || game->ply_count > UINT32_MAX)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = STAMMA_ERROR_MISMATCH;
    if (d->first_pass || d->added < d->count)
        error = d->phase == PHASE_KEYS ? add_keys(d, game) : add_facts(d, game);
    if (error)
        d->phase = PHASE_FAILED;
    else
        d->added++;
    return error;
}

bool stamma_duplicates_needs(const stamma_duplicates *d, size_t index)
{
    if (!d || d->phase >= PHASE_FOUND)
        return false;
    return d->phase == PHASE_KEYS || (index < d->count && is_in_pass(d, (uint32_t)index));
}

stamma_error stamma_duplicates_skip(stamma_duplicates *d, uint64_t count)
{
    if (!d || d->phase >= PHASE_FOUND || count >= UINT32_MAX - d->added)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = d->first_pass || count <= d->count - d->added ? STAMMA_OK : STAMMA_ERROR_MISMATCH;
    for (uint64_t n = 0; n < count && error == STAMMA_OK && d->phase == PHASE_FACTS; n++)
        if (is_in_pass(d, d->added + (uint32_t)n))
            return STAMMA_ERROR_BAD_ARGUMENT;
    if (error == STAMMA_OK)
        d->added += (uint32_t)count;
    while (error == STAMMA_OK && d->first_pass && memory_used(d) > d->memory) {
        error = narrow_keys(d);
        trim(d, &d->keys);
    }
    if (error != STAMMA_OK)
        d->phase = PHASE_FAILED;
    return error;
}

stamma_error stamma_duplicates_find(stamma_duplicates *d, unsigned *parts)
{
    if (!d || !parts || d->phase >= PHASE_FOUND)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = STAMMA_ERROR_MISMATCH;
    if (d->first_pass || d->added == d->count)
        error = d->phase == PHASE_KEYS ? end_keys(d) : end_facts(d);
    if (error) {
        d->phase = PHASE_FAILED;
        return error;
    }
    d->added = 0;
    *parts = d->phase == PHASE_KEYS ? KEY_PARTS : d->phase == PHASE_FACTS ? FACT_PARTS : 0;
    return STAMMA_OK;
}

size_t stamma_duplicates_count(const stamma_duplicates *d)
{
    return d->first_pass ? d->added : d->count;
}

stamma_error stamma_duplicates_at(const stamma_duplicates *d, size_t index, stamma_duplicate *duplicate)
{
    if (!d || !duplicate || d->phase != PHASE_FOUND || index >= d->count)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const unsigned relation = d->found.data[index];
    *duplicate = (stamma_duplicate){.kept = parents_of(d)[index], .kind = relation_kind(relation)};
    if (duplicate->kind == STAMMA_DUPLICATE_PROBABLE) {
        const unsigned rest = relation - STAMMA_DUPLICATE_PROBABLE;
        duplicate->score = SCORE_MIN + rest % SCORES;
        duplicate->reason = (stamma_duplicate_reason)(1 + rest / SCORES);
    }
    return STAMMA_OK;
}

const char *stamma_duplicate_kind_name(stamma_duplicate_kind kind)
{
    static const char *const names[] = {"none", "exact", "spelling", "included", "similar", "transposed", "probable"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}

const char *stamma_duplicate_reason_name(stamma_duplicate_reason reason)
{
    static const char *const names[] = {"", "colors", "names", "event", "date", "result", "moves"};
    return (unsigned)reason < sizeof names / sizeof *names ? names[reason] : "";
}

const char *stamma_keep_name(stamma_keep rule)
{
    static const char *const names[] = {"", "first", "last", "longest", "result", "annotated", "tags", "latest"};
    return (unsigned)rule < sizeof names / sizeof *names ? names[rule] : "";
}

/* ---- complete archives ---- */

static stamma_error add_to_duplicates(void *to, const stamma_archive_game *game)
{
    return stamma_duplicates_add((stamma_duplicates *)to, game);
}

stamma_error stamma_duplicates_add_archive(stamma_duplicates *duplicates, stamma_archive *archive, unsigned parts,
                                           stamma_place *place)
{
    if (!duplicates || !archive)
        return STAMMA_ERROR_BAD_ARGUMENT;
    return stamma_archive_each_game(archive, parts, add_to_duplicates, duplicates, place);
}
