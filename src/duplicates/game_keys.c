/* SPDX-License-Identifier: MIT */
/* Computes keys of games. Games that are the same game have at least one key in common. */
#include "duplicates/duplicates.h"

#include <stdlib.h>

enum { GROUP = 4, GROUPS = 16, PLIES_MAX = UINT16_MAX };

/* Mixes all bits of a number; different numbers have different results. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static uint64_t move_hashes(const stamma_archive_game *game)
{
    uint64_t hashes = 0;
    for (unsigned group = 0; group < GROUPS && (size_t)(group + 1) * GROUP <= game->ply_count; group++) {
        uint64_t hash = 0;
        for (size_t n = 0; n < GROUP; n++)
            hash = hash << 16 | game->moves[group * GROUP + n];
        hashes |= (mixed(hash) & 15) << 4 * group;
    }
    return hashes;
}

static uint64_t surname_of(stamma_duplicates *d, const stamma_archive_game *game, const char *tag)
{
    return stamma_surname_hash(stamma_folded_tag(&d->work, game, tag));
}

/* Returns 4 bits of hash of a FIDE identifier; 0 if it is unknown. */
static unsigned id_hash(stamma_duplicates *d, const stamma_archive_game *game, const char *tag)
{
    stamma_text id = stamma_folded_tag(&d->work, game, tag);
    uint64_t hash = 0;
    for (size_t n = 0; n < id.size; n++)
        hash = mixed(hash << 8 | (uint8_t)id.data[n]);
    return id.size == 0 ? 0 : 1 + (unsigned)(hash % 15);
}

size_t stamma_game_keys(stamma_duplicates *d, const stamma_archive_game *game, game_key keys[GAME_KEYS])
{
    uint64_t values[GAME_KEYS];
    const uint64_t white = surname_of(d, game, "White"), black = surname_of(d, game, "Black");
    const uint64_t players = white == 0 || black == 0 ? 0 : mixed(white) ^ black;
    const uint32_t date = stamma_date_of(game);
    const uint32_t round = stamma_round_of(game) & 1023;
    size_t count = 0;
    if (game->reason != STAMMA_REASON_NONE && game->reason != STAMMA_REASON_LAYOUT)
        return 0;
    stamma_position_keys(game, values);
    values[KEY_PLAYERS] = players;
    if (game->ply_count < SHORT_PLIES) /* such games need equal dates, and equal hashes if the date is incomplete */
        values[KEY_END] = date % 100 == 0 ? stamma_game_hash_part(game, &d->work) : values[KEY_END] ^ mixed(date + 1);
    game_key all = {.moves = move_hashes(game),
                    .plies = game->ply_count < PLIES_MAX ? (uint16_t)game->ply_count : PLIES_MAX};
    all.round = round == 0 ? 0 : (uint8_t)(1 + round % 255);
    all.ids = (uint8_t)(id_hash(d, game, "WhiteFideId") << 4 | id_hash(d, game, "BlackFideId"));
    for (unsigned n = 0; n < GAME_KEYS; n++) {
        if (values[n] == 0)
            continue;
        keys[count] = all;
        keys[count].key = mixed(values[n] ^ mixed(stamma_position_key(&game->start) + n));
        keys[count].order = n == KEY_PLAYERS ? date : (uint32_t)(mixed(players) >> 32);
        keys[count++].facts = date << 5 | (uint32_t)stamma_archive_game_result(game) << 3 | n;
    }
    return count;
}

/* ---- the quick test ---- */

static bool differs(unsigned a, unsigned b)
{
    return a != 0 && b != 0 && a != b;
}

/* Returns the number of groups of moves that both games have and that differ. */
static unsigned different_groups(const game_key *a, const game_key *b)
{
    unsigned groups = (a->plies < b->plies ? a->plies : b->plies) / GROUP;
    uint64_t both = groups >= GROUPS ? UINT64_MAX : (UINT64_C(1) << 4 * groups) - 1;
    uint64_t x = (a->moves ^ b->moves) & both;
    x |= x >> 1;
    x |= x >> 2;
    return bits_count(x & 0x1111111111111111u);
}

static bool has_same_players(const game_key *a, const game_key *b)
{
    return (a->facts & 7) == KEY_PLAYERS || a->order == b->order;
}

/* Returns whether the first plies, a multiple of 4, are equal. */
static bool begins_equal(const game_key *a, const game_key *b, unsigned plies)
{
    return a->plies >= plies && b->plies >= plies && ((a->moves ^ b->moves) & ((UINT64_C(1) << plies) - 1)) == 0;
}

static bool are_ids_different(const game_key *a, const game_key *b, bool same_moves)
{
    const uint8_t exchanged = (uint8_t)(b->ids >> 4 | b->ids << 4);
    return (differs(a->ids >> 4, b->ids >> 4) || differs(a->ids & 15, b->ids & 15)) &&
           !(same_moves && !differs(a->ids >> 4, exchanged >> 4) && !differs(a->ids & 15, exchanged & 15));
}

/* Returns whether moves that are not equal may be moves of the same game. */
static bool may_moves_be_same(const stamma_duplicates *d, const game_key *a, const game_key *b)
{
    const unsigned shorter = a->plies < b->plies ? a->plies : b->plies, longer = a->plies ^ b->plies ^ shorter;
    const unsigned different = different_groups(a, b);
    const bool at_end = (a->facts & 7) == KEY_END;
    if (shorter < SHORT_PLIES)
        return false;
    if (a->round != 0 && a->round == b->round && a->facts >> 5 == b->facts >> 5 && (a->facts >> 5) % 100 != 0 &&
        has_same_players(a, b) && begins_equal(a, b, PART_PLIES))
        return true; /* the same round decides */
    if (differs(a->facts >> 3 & 3, b->facts >> 3 & 3))
        return different == 0 && shorter >= LONG_PLIES;
    if (different <= (shorter >= LONG_PLIES ? 1 : 0))
        return true; /* one game may be included in the other */
    if (shorter >= LONG_PLIES && at_end && longer - shorter <= REPETITION_PLIES)
        return true; /* a repetition may be missing, or moves may be in another order */
    return shorter >= LONG_PLIES && longer - shorter <= 2 && different <= d->moves;
}

bool stamma_may_be_same(const stamma_duplicates *d, const game_key *a, const game_key *b)
{
    const unsigned shorter = a->plies < b->plies ? a->plies : b->plies;
    const bool same_moves = a->plies == b->plies && different_groups(a, b) == 0;
    const bool other_round = differs(a->round, b->round);
    if (a->game < d->known && b->game < d->known)
        return false;
    if (are_ids_different(a, b, same_moves && shorter >= LONG_PLIES) ||
        (other_round && !(same_moves && shorter >= CERTAIN_PLIES && (a->ids != 0 || b->ids != 0))))
        return false;
    if (stamma_dates_differ(d, a->facts >> 5, b->facts >> 5))
        return same_moves && shorter >= LONG_PLIES && !other_round && d->days > 0 && has_same_players(a, b);
    if (shorter < SHORT_PLIES && (a->facts >> 5) % 100 == 0)
        return same_moves && (a->facts & 7) == KEY_END; /* the hashes are equal */
    return same_moves || (a->plies == PLIES_MAX || b->plies == PLIES_MAX) || may_moves_be_same(d, a, b);
}

/* ---- sorting ---- */

static int compare_keys(const void *a, const void *b)
{
    const game_key *x = (const game_key *)a, *y = (const game_key *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->game > y->game) - (x->game < y->game);
}

/* Sorts by the byte of the key at `shift`, then sorts each of the 256 parts. Sorts in place, without allocating
 * memory. */
static void sort_by_byte(game_key *keys, size_t count, unsigned shift)
{
    enum { PARTS = 256, FEW = 4096 };
    size_t end[PARTS] = {0}, next[PARTS];
    if (count < FEW) {
        if (count > 1)
            qsort(keys, count, sizeof *keys, compare_keys);
        return;
    }
    for (size_t n = 0; n < count; n++)
        end[keys[n].key >> shift & 255]++;
    for (size_t part = 0, sum = 0; part < PARTS; part++) {
        next[part] = sum;
        end[part] = sum += end[part];
    }
    for (size_t part = 0; part < PARTS; part++)
        while (next[part] < end[part]) {
            game_key *key = &keys[next[part]], moved = *key;
            size_t to = moved.key >> shift & 255;
            *key = keys[next[to]];
            keys[next[to]++] = moved;
        }
    for (size_t part = 0; part < PARTS; part++) {
        size_t first = part == 0 ? 0 : end[part - 1];
        if (shift > 0)
            sort_by_byte(keys + first, end[part] - first, shift - 8);
        else if (end[part] - first > 1)
            qsort(keys + first, end[part] - first, sizeof *keys, compare_keys);
    }
}

void stamma_sort_keys(game_key *keys, size_t count)
{
    sort_by_byte(keys, count, 56);
}
