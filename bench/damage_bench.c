/* SPDX-License-Identifier: MIT */
/* Damages archives at random, and counts the games that repair saves.
 *
 * usage: damage_bench FILE.pgn LEVEL COUNT
 *
 * Each block of the file's archive is packed as an archive of one block, because damage to one block does not affect
 * others. COUNT times, 1 to 100 random bytes replace bytes at a random place; the places are the same every time.
 * Prints the median, the 95th percentile and the largest number of games of the damaged block that are lost if a
 * damaged block is dropped; and that are lost, incomplete and unconfirmed after repair. A game that repair calls exact
 * is compared. */
#include "bench.h"

enum { FIRST_FRAME = 16, FRAME_HEADER = 32, BLOCKS_MAX = 64, DAMAGE_MAX = 100, STATES = 4 };

typedef struct block {
    memory archive;
    const char *text;
    size_t size;
    uint64_t games;
} block;

/* The games of the damaged block. */
typedef struct outcome {
    const block *block;
    bool any;
    size_t text_at; /* in the block's text, while all games are exact */
    uint64_t games[STATES];
    uint64_t wrong;
} outcome;

static void demand(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "damage_bench: %s\n", what);
    exit(2);
}

static bool drop(void *context, const void *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return true;
}

static uint64_t random_below(uint64_t count)
{
    static uint64_t state = UINT64_C(88172645463325252); /* xorshift64, Marsaglia 2003 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % count;
}

static uint64_t load(const uint8_t *at)
{
    uint64_t value = 0;
    for (unsigned n = 0; n < 8; n++)
        value |= (uint64_t)at[n] << 8 * n;
    return value;
}

/* Packs each block of the text's archive as an archive. */
static size_t split(const memory *text, int level, block blocks[BLOCKS_MAX])
{
    const stamma_archive_writer_options fast = {.size = sizeof fast, .level = 1, .no_check = true};
    const stamma_archive_writer_options options = {.size = sizeof options, .level = level, .no_check = true};
    memory all = memory_pack(text->bytes, text->size, &fast, NULL);
    const uint8_t *data = (const uint8_t *)all.bytes;
    size_t count = 0, begin = 0;
    for (size_t at = FIRST_FRAME; at < all.size; at += FRAME_HEADER + (size_t)load(data + at + 8)) {
        if (data[at + 4] != 1)
            continue;
        demand(count < BLOCKS_MAX, "too many blocks");
        block *b = &blocks[count++];
        b->text = text->bytes + begin;
        b->size = (size_t)load(data + at + FRAME_HEADER);
        stamma_archive_counts counts = {.games = 0};
        b->archive = memory_pack(b->text, b->size, &options, &counts);
        demand(b->archive.size > 0, "cannot pack");
        b->games = counts.games;
        begin += b->size;
    }
    free(all.bytes);
    return count;
}

/* Returns the first place of a text in another, or NULL. */
static const char *find(const char *in, size_t size, stamma_text text)
{
    for (size_t at = 0; text.size > 0 && text.size <= size - at; at++) {
        const char *next = memchr(in + at, text.data[0], size - at);
        at = next ? (size_t)(next - in) : size;
        if (text.size <= size - at && memcmp(in + at, text.data, text.size) == 0)
            return in + at;
    }
    return NULL;
}

static bool take_salvage(void *context, const stamma_archive_salvage *s)
{
    outcome *o = context;
    o->any = true;
    o->games[s->state] += s->games;
    if (s->state == STAMMA_SALVAGE_EXACT) {
        /* the text of the games is somewhere in the block, after the text of the games before */
        const char *left = o->block->text + o->text_at;
        size_t size = o->block->size - o->text_at;
        const char *found = find(left, size, s->text);
        o->wrong += found ? 0 : s->games;
        o->text_at = found ? (size_t)(found - o->block->text) + s->text.size : o->text_at;
    }
    uint64_t sum = o->games[0] + o->games[1] + o->games[2] + o->games[3];
    return sum < o->block->games; /* the new archive is not needed */
}

static outcome repair(const block *b)
{
    outcome o = {.block = b};
    const stamma_bytes bytes = stamma_bytes_of(b->archive.bytes, b->archive.size);
    stamma_output output = {NULL, drop, NULL};
    stamma_archive_repair_options options = {.size = sizeof options, .context = &o, .salvaged = take_salvage};
    stamma_archive_repair_result result = {.size = sizeof result};
    stamma_error error = stamma_archive_repair(&bytes, &output, &options, &result);
    demand(error == STAMMA_OK || error == STAMMA_ERROR_CANCELLED, "repair failed");
    if (!o.any && error == STAMMA_OK) /* sound, or lost with its frame */
        o.games[result.kept.games > 0 ? STAMMA_SALVAGE_EXACT : STAMMA_SALVAGE_LOST] = b->games;
    return o;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void report(const char *name, uint64_t *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    printf("  %-22s median %6" PRIu64 "   95 %% %6" PRIu64 "   worst %6" PRIu64 "\n", name, values[count / 2],
           values[count * 95 / 100], values[count - 1]);
}

static outcome damage(block *b, size_t at, size_t size)
{
    uint8_t before[DAMAGE_MAX];
    size = size < b->archive.size - at ? size : b->archive.size - at;
    memcpy(before, b->archive.bytes + at, size);
    for (size_t n = 0; n < size; n++)
        b->archive.bytes[at + n] = (char)random_below(256);
    outcome o = repair(b);
    memcpy(b->archive.bytes + at, before, size);
    return o;
}

int main(int argc, char **argv)
{
    demand(argc == 4, "usage: damage_bench FILE.pgn LEVEL COUNT");
    static block blocks[BLOCKS_MAX];
    const memory text = memory_load(argv[1]);
    demand(text.size > 0, "cannot read the file");
    size_t count = split(&text, atoi(argv[2]), blocks), damages = (size_t)atol(argv[3]), all = 0;
    demand(damages > 0, "COUNT must be above 0");
    uint64_t *values[STATES + 1], wrong = 0;
    for (size_t k = 0; k <= STATES; k++)
        values[k] = calloc(damages, sizeof **values);
    for (size_t k = 0; k < count; k++)
        all += blocks[k].archive.size;
    for (size_t n = 0; n < damages; n++) {
        size_t at = (size_t)random_below(all), size = 1 + (size_t)random_below(DAMAGE_MAX), k = 0;
        for (; at >= blocks[k].archive.size; k++)
            at -= blocks[k].archive.size;
        outcome o = damage(&blocks[k], at, size);
        for (size_t s = 0; s < STATES; s++)
            values[s][n] = o.games[s];
        values[STATES][n] = o.any || o.games[STAMMA_SALVAGE_LOST] > 0 ? blocks[k].games : 0;
        wrong += o.wrong;
    }
    printf("level %s, %zu blocks, %zu bytes, %zu damages of 1 to %d bytes\n", argv[2], count, all, damages, DAMAGE_MAX);
    report("lost, blocks dropped", values[STATES], damages);
    report("lost", values[STAMMA_SALVAGE_LOST], damages);
    report("incomplete", values[STAMMA_SALVAGE_INCOMPLETE], damages);
    report("unconfirmed", values[STAMMA_SALVAGE_UNCONFIRMED], damages);
    printf("  called exact, but not: %" PRIu64 "\n", wrong);
    return wrong > 0;
}
