/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading damaged and hostile archives. Each input is tried three times: unchanged, with all checksums
 * recomputed, and rebuilt from its blocks with the sizes and checksums of their decoded text. The last two tries reach
 * code that the checksums protect. Each archive is unpacked, read game by game, searched, verified, copied and
 * repaired. An open archive, which all of these operations share, and a pipe must have the same results. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "large_blocks.h"
#include "mutators.h"
#include "stamma.h"
#include "target.h"

/* The work limit, in basic blocks per declared byte of text, for all passes together. */
#define PER_TEXT UINT64_C(100000)
const work_limit fuzz_limit = {.fixed = 200000, .per_byte = 20000};

/* ---- reading ---- */

typedef struct source {
    const uint8_t *data;
    size_t size;
    size_t at;               /* where the pipe reads */
    stamma_archive *archive; /* NULL: the bytes are not an archive */
} source;

static ptrdiff_t read_source(void *context, void *bytes, size_t size)
{
    source *s = context;
    size_t part = s->size - s->at < size ? s->size - s->at : size;
    if (part > 0)
        memcpy(bytes, s->data + s->at, part);
    s->at += part;
    return (ptrdiff_t)part;
}

static bool read_source_at(void *context, uint64_t offset, void *bytes, size_t size)
{
    const source *s = context;
    demand(offset <= s->size && size <= s->size - offset);
    if (size > 0)
        memcpy(bytes, s->data + offset, size);
    return true;
}

static stamma_bytes bytes_of(source *s)
{
    return (stamma_bytes){.size = s->size, .context = s, .read_at = read_source_at};
}

static stamma_archive *open_archive(stamma_bytes bytes)
{
    const stamma_archive_options options = {.size = sizeof options, .allocator = large_blocks_kept()};
    stamma_archive *archive;
    return stamma_archive_open(&bytes, &options, &archive) == STAMMA_OK ? archive : NULL;
}

/* The size and the hash of the unpacked text. */
typedef struct unpacked {
    uint64_t size;
    XXH64_state_t *hash;
} unpacked;

static bool take(void *context, const void *bytes, size_t size)
{
    unpacked *u = context;
    u->size += size;
    XXH64_update(u->hash, bytes, size);
    return true;
}

/* An archive being written to memory. */
typedef struct archive_bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
} archive_bytes;

static bool keep(void *context, const void *bytes, size_t size)
{
    archive_bytes *a = context;
    if (a->capacity - a->size < size) {
        a->capacity = 2 * (a->size + size);
        a->data = realloc(a->data, a->capacity);
        demand(a->data != NULL);
    }
    memcpy(a->data + a->size, bytes, size);
    a->size += size;
    return true;
}

static stamma_archive_reader *open_reader(const source *s)
{
    stamma_archive_reader *reader;
    return s->archive && stamma_archive_reader_open(s->archive, NULL, &reader) == STAMMA_OK ? reader : NULL;
}

static stamma_archive_reader *open_pipe(source *s)
{
    const stamma_input input = {.context = s, .read = read_source};
    const stamma_archive_reader_options options = {.size = sizeof options, .allocator = large_blocks_kept()};
    stamma_archive_reader *reader;
    s->at = 0;
    return stamma_archive_reader_open_stream(&input, &options, &reader) == STAMMA_OK ? reader : NULL;
}

/* Returns the hash of the unpacked text, and closes the reader, which may be NULL. Sets *fine to whether the complete
 * text was unpacked. */
static uint64_t unpack(stamma_archive_reader *reader, bool *fine)
{
    unpacked u = {0, XXH64_createState()};
    stamma_output output = {&u, take, NULL};
    demand(u.hash != NULL);
    XXH64_reset(u.hash, 0);
    *fine = reader && stamma_archive_reader_unpack(reader, &output) == STAMMA_OK;
    uint64_t hash = XXH64_digest(u.hash);
    XXH64_freeState(u.hash);
    stamma_archive_reader_close(reader);
    return hash;
}

static uint64_t read_games(const source *s, bool *fine)
{
    stamma_archive_reader *reader = open_reader(s);
    XXH64_state_t *hash = XXH64_createState();
    demand(hash != NULL);
    XXH64_reset(hash, 0);
    *fine = reader != NULL;
    for (bool found = true; *fine && found;) {
        const stamma_archive_game *game;
        *fine = stamma_archive_reader_next(reader, &game) == STAMMA_OK;
        found = game != NULL;
        if (*fine && found)
            XXH64_update(hash, game->text.data ? game->text.data : "", game->text.size);
    }
    uint64_t digest = XXH64_digest(hash);
    XXH64_freeState(hash);
    stamma_archive_reader_close(reader);
    return digest;
}

/* Reads every field of a game. */
static uint64_t look_at(const stamma_archive_game *game)
{
    uint64_t sum = game->result.size;
    sum += XXH64(game->found.data, game->found.size, 0) + XXH64(game->expected.data, game->expected.size, 0);
    for (size_t i = 0; i < game->tag_count; i++)
        sum += XXH64(game->tags[i].value.data, game->tags[i].value.size, game->tags[i].name.size);
    for (size_t i = 0; i < game->item_count; i++)
        sum += XXH64(game->items[i].text.data, game->items[i].text.size, game->items[i].ply);
    for (size_t i = 0; i < game->ply_count; i++) {
        sum += game->moves ? game->moves[i] : 0;
        sum += game->clocks_ms ? (uint64_t)game->clocks_ms[i] : 0;
        sum += game->evaluations ? (uint64_t)game->evaluations[i].value : 0;
    }
    return sum;
}

/* If the complete archive is readable, checks that a search in memory finds the same games as its matcher finds game by
 * game. */
static void search(const source *s, bool readable, const char *json)
{
    stamma_archive *in_memory = open_archive(stamma_bytes_of(s->data, s->size));
    stamma_archive_reader *reader = readable ? open_reader(s) : NULL;
    const stamma_archive_game *game = NULL;
    const stamma_match *match = NULL;
    stamma_search *searching = NULL;
    stamma_query *query;
    stamma_matcher *matcher;
    demand(stamma_query_parse((stamma_text){json, strlen(json)}, NULL, NULL, &query) == STAMMA_OK);
    demand(stamma_matcher_open(query, NULL, &matcher) == STAMMA_OK);
    demand((in_memory != NULL) == (s->archive != NULL));
    stamma_error error = in_memory ? stamma_search_open(in_memory, query, NULL, &searching) : STAMMA_ERROR_NO_ARCHIVE;
    while (error == STAMMA_OK && (error = stamma_search_next(searching, &match)) == STAMMA_OK && match)
        for (bool found = false; reader && !found;) {
            demand(stamma_archive_reader_next(reader, &game) == STAMMA_OK && game);
            demand(stamma_matcher_test(matcher, game, &found, NULL, NULL) == STAMMA_OK);
            demand(found ? game->number == match->game : game->number <= match->game);
        }
    demand(!readable || error == STAMMA_OK);
    while (reader && stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        bool found;
        demand(stamma_matcher_test(matcher, game, &found, NULL, NULL) == STAMMA_OK && !found);
    }
    stamma_archive_reader_close(reader);
    stamma_search_close(searching);
    stamma_archive_close(in_memory);
    stamma_matcher_close(matcher);
    stamma_query_close(query);
}

/* If the complete archive is readable, checks that it is also readable with some parts of the games selected. */
static void read_parts(const source *s, bool readable)
{
    for (unsigned part = 0; part <= STAMMA_GAME_TEXT; part = part ? 2 * part : 1) {
        stamma_archive_reader *reader = open_reader(s);
        const stamma_archive_game *game;
        stamma_error error;
        if (!reader)
            return;
        demand(stamma_archive_reader_select(reader, s->size & 1 ? part : STAMMA_GAME_ALL & ~part) == STAMMA_OK);
        while ((error = stamma_archive_reader_next(reader, &game)) == STAMMA_OK && game)
            (void)look_at(game);
        demand(error == STAMMA_OK || !readable);
        stamma_archive_reader_close(reader);
    }
}

/* Checks that sources are in the order of their texts, that the texts do not overlap, and the sizes of names. */
static void take_file(void *context, const stamma_archive_source *file)
{
    uint64_t *end = context;
    demand(file->text_offset >= *end && file->name.size <= 4096);
    *end = file->text_offset + file->text_size;
    demand(*end >= file->text_offset);
}

static void seek_and_sum(const source *s)
{
    stamma_archive_counts counts;
    uint64_t reasons[STAMMA_REASON_COUNT];
    stamma_archive_reader *reader = open_reader(s);
    if (!reader)
        return;
    for (uint64_t number = 3; number > 0; number--) {
        const stamma_archive_game *game;
        if (stamma_archive_reader_seek(reader, number) == STAMMA_OK &&
            stamma_archive_reader_next(reader, &game) == STAMMA_OK && game)
            demand(game->number == number || game->continuation);
    }
    stamma_archive_reader_close(reader);
    reader = open_reader(s);
    demand(reader != NULL);
    uint64_t end = 0;
    const stamma_error listed = stamma_archive_reader_sources(reader, take_file, &end);
    demand(listed == STAMMA_OK && stamma_archive_reader_totals(reader, &counts) == STAMMA_OK &&
           end <= counts.text_size);
    (void)stamma_archive_reader_info(reader, &counts, reasons, STAMMA_REASON_COUNT, NULL, NULL);
    stamma_archive_reader_close(reader);
}

/* Checks the reported damage: offsets ascend and are in the input. */
typedef struct damages {
    uint64_t size;
    uint64_t reached;
    uint64_t count;
} damages;

static void take_damage(void *context, const stamma_archive_damage *damage)
{
    damages *d = context;
    demand(damage->offset >= d->reached && damage->offset <= d->size && damage->size <= d->size - damage->offset);
    demand(damage->first_game <= damage->last_game && damage->first_block <= damage->last_block);
    d->reached = damage->offset;
    d->count++;
}

/* Returns whether the archive is reported as sound. With `quick`, reads it from a pipe. */
static bool verify(source *s, bool quick)
{
    const stamma_input input = {.context = s, .read = read_source};
    damages d = {.size = s->size};
    stamma_archive_verify_options options = {
        .size = sizeof options, .allocator = large_blocks_kept(), .quick = quick, .context = &d, .damage = take_damage};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    s->at = 0;
    if (!s->archive || (quick ? stamma_archive_verify_stream(&input, &options, &verdict)
                              : stamma_archive_verify(s->archive, &options, &verdict)) != STAMMA_OK)
        return false;
    demand(verdict.damages == d.count && verdict.input_size == s->size);
    demand(d.count > 0 ||
           (verdict.sound.games == verdict.all.games && verdict.sound.text_size == verdict.all.text_size));
    return d.count == 0;
}

/* Copies an archive into another and checks that the copy unpacks to the same text. */
static void copy(const source *s, bool fine, uint64_t hash)
{
    archive_bytes copied = {NULL, 0, 0};
    stamma_output output = {&copied, keep, NULL};
    stamma_archive_reader *reader = open_reader(s);
    stamma_archive_writer *writer;
    if (!reader)
        return;
    stamma_archive_writer_options options = {.size = sizeof options, .allocator = large_blocks_kept()};
    demand(stamma_archive_writer_open(&output, &options, &writer) == STAMMA_OK);
    bool done = stamma_archive_writer_copy(writer, reader) == STAMMA_OK &&
                stamma_archive_writer_finish(writer, NULL) == STAMMA_OK;
    stamma_archive_writer_close(writer);
    stamma_archive_reader_close(reader);
    if (done && fine) {
        source back = {.data = copied.data, .size = copied.size};
        bool same;
        back.archive = open_archive(bytes_of(&back));
        demand(unpack(open_reader(&back), &same) == hash && same);
        stamma_archive_close(back.archive);
    }
    free(copied.data);
}

/* Repairs an archive. Checks that the result is sound, and that a sound archive is recovered completely. */
static void repair(source *s, bool sound, uint64_t hash)
{
    archive_bytes repaired = {NULL, 0, 0};
    const stamma_bytes bytes = bytes_of(s);
    stamma_output output = {&repaired, keep, NULL};
    stamma_archive_repair_result result = {.size = sizeof result};
    if (stamma_archive_repair(&bytes, &output, NULL, &result) == STAMMA_OK) {
        source back = {.data = repaired.data, .size = repaired.size};
        bool same;
        back.archive = open_archive(bytes_of(&back));
        demand(verify(&back, false));
        demand(unpack(open_reader(&back), &same) == hash || !sound);
        demand(same && (result.whole || !sound));
        stamma_archive_close(back.archive);
    } else {
        demand(!sound);
    }
    free(repaired.data);
}

/* Unpacks an archive and skips damage, from an open archive and from a pipe. If no damage is reported, the result must
 * be the complete text. */
static void ignore_damage(void *context, const stamma_archive_damage *damage)
{
    demand(damage->kind != STAMMA_DAMAGE_NONE);
    (*(uint64_t *)context)++;
}

static void read_on(source *s, bool is_pipe, bool fine, uint64_t hash)
{
    uint64_t reported = 0;
    unpacked u = {0, XXH64_createState()};
    const stamma_input input = {.context = s, .read = read_source};
    stamma_output output = {&u, take, NULL};
    stamma_archive_reader_options options = {.size = sizeof options, .context = &reported, .damage = ignore_damage};
    stamma_archive_reader *reader;
    demand(u.hash != NULL);
    XXH64_reset(u.hash, 0);
    s->at = 0;
    if ((is_pipe      ? stamma_archive_reader_open_stream(&input, &options, &reader)
         : s->archive ? stamma_archive_reader_open(s->archive, &options, &reader)
                      : STAMMA_ERROR_NO_ARCHIVE) == STAMMA_OK) {
        stamma_error error = stamma_archive_reader_unpack(reader, &output);
        stamma_archive_reader_close(reader);
        demand(error == STAMMA_OK || (error == STAMMA_ERROR_LIMIT && !fine)); /* a block may declare too much */
        demand(fine == (error == STAMMA_OK && reported == 0));
        demand(!fine || XXH64_digest(u.hash) == hash);
    } else {
        demand(!fine);
    }
    XXH64_freeState(u.hash);
}

static void check(const uint8_t *data, size_t size)
{
    limit_work(fuzz_limit.fixed + fuzz_limit.per_byte * size + PER_TEXT * declared_text(data, size));
    source s = {.data = data, .size = size};
    bool by_seek, by_pipe, by_game;
    s.archive = open_archive(bytes_of(&s));
    uint64_t seek_hash = unpack(open_reader(&s), &by_seek), pipe_hash = unpack(open_pipe(&s), &by_pipe);
    uint64_t game_hash = read_games(&s, &by_game);
    /* A pipe may be rejected although the open archive is accepted: the pipe reads the tail, which a seek skips, and
     * checks counts that are only in the heads. The texts of the games are the complete text; its size and checksum are
     * only checked by reading to the end. */
    demand(!by_pipe || by_seek);
    demand(!(by_pipe && by_seek) || seek_hash == pipe_hash);
    demand(by_seek == by_game);
    demand(!by_game || game_hash == seek_hash);
    read_parts(&s, by_game);
    search(&s, by_seek, "{\"plies\": \"3..\"}");
    search(&s, by_seek, "{\"any\": [{\"moved\": \"N\"}, {\"has\": \"comments\"}, {\"white\": \"*a*\"}]}");
    seek_and_sum(&s);
    /* A sound archive can be read. An archive that can be read may still be damaged in parts that this version
     * skips. */
    bool sound = verify(&s, false);
    demand(!sound || by_seek);
    demand(!sound || verify(&s, true));
    copy(&s, by_seek, seek_hash);
    repair(&s, sound, seek_hash);
    read_on(&s, false, by_seek, seek_hash);
    read_on(&s, true, by_pipe, pipe_hash);
    stamma_archive_close(s.archive);
    limit_work(UINT64_MAX);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    enum { MORE = 256 }; /* room for a commit and longer varints */
    check(data, size);
    uint8_t *changed = malloc(size + MORE);
    demand(changed != NULL);
    if (size > 0)
        memcpy(changed, data, size);
    restore_archive(changed, size);
    if (size > 0 && memcmp(changed, data, size) != 0)
        check(changed, size);
    size_t rebuilt = rebuild_archive(data, size, changed, size + MORE);
    if (rebuilt > 0 && (rebuilt != size || memcmp(changed, data, size) != 0))
        check(changed, rebuilt);
    free(changed);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_archive(data, size, room, seed);
}
