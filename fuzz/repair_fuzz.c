/* SPDX-License-Identifier: MIT */
/* Fuzz target: repairing archives whose original text is known. The input is PGN, which is packed and then damaged at
 * places that depend on the input. Checks that repair adds nothing to the original: games that are reported as exact
 * are games of the original, a new archive without marked games contains only text of the original, and names, values
 * and comments of marked games occur in the original. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "large_blocks.h"
#include "memory_archive.h"

const work_limit fuzz_limit = {.fixed = 5000000, .per_byte = 400000};

enum { GAMES_MAX = 1000 };

/* The text and where its games begin: game n, from 1, at starts[n - 1]. A game may continue in the next blocks. */
typedef struct original {
    stamma_text text;
    size_t starts[GAMES_MAX + 1];
    size_t games;
    size_t ends[GAMES_MAX]; /* of games, and of their parts in a block */
    size_t parts;
} original;

static bool has(stamma_text text, stamma_text part)
{
    if (part.size == 0)
        return true;
    for (size_t at = 0; at + part.size <= text.size; at++) {
        const char *found = memchr(text.data + at, part.data[0], text.size - part.size - at + 1);
        if (!found)
            return false;
        at = (size_t)(found - text.data);
        if (memcmp(found, part.data, part.size) == 0)
            return true;
    }
    return false;
}

/* Lists the games of the archive before the damage. Returns false if there are too many. */
static bool read_original(memory_archive *file, original *o)
{
    stamma_archive *archive;
    stamma_archive_reader *reader = memory_reader(file, &archive);
    const stamma_archive_game *game;
    size_t at = 0;
    demand(reader != NULL);
    while (demand(stamma_archive_reader_next(reader, &game) == STAMMA_OK), game && o->parts < GAMES_MAX) {
        if (!game->continuation)
            o->starts[o->games++] = at;
        demand(game->text.size <= o->text.size - at);
        demand(game->text.size == 0 || memcmp(game->text.data, o->text.data + at, game->text.size) == 0);
        at += game->text.size;
        o->ends[o->parts++] = at;
    }
    o->starts[o->games] = at;
    memory_close(reader, archive);
    return !game;
}

/* ---- games of damaged blocks ---- */

static bool ends_part(const original *o, size_t at)
{
    for (size_t n = 0; n < o->parts; n++)
        if (o->ends[n] == at)
            return true;
    return false;
}

/* Returns whether the text from a place on consists of complete parts of the original. */
static bool is_at(const original *o, stamma_text text, size_t at)
{
    return text.size <= o->text.size - at && ends_part(o, at + text.size) &&
           memcmp(o->text.data + at, text.data, text.size) == 0;
}

static bool take_salvaged(void *context, const stamma_archive_salvage *s)
{
    const original *o = context;
    const bool numbered = s->games > 0 && s->first_game > 0;
    bool found = s->state != STAMMA_SALVAGE_EXACT || s->text.size == 0;
    demand(s->first_game <= s->last_game);
    if (!found && numbered) {
        demand(s->last_game <= o->games && s->games == s->last_game - s->first_game + 1);
        found = is_at(o, s->text, o->starts[s->first_game - 1]);
    }
    for (size_t n = 0, at = 0; !found && !numbered && n < o->parts; at = o->ends[n++])
        found = is_at(o, s->text, at);
    demand(found);
    return true;
}

/* ---- the new archive ---- */

static bool is_marked(const stamma_archive_game *game)
{
    return game->tag_count > 0 && game->tags[0].name.size == 12 &&
           memcmp(game->tags[0].name.data, "StammaRepair", 12) == 0;
}

/* The parts of a game that was not restored exactly. An unconfirmed game, and unconfirmed names, may differ from the
 * original. */
static void check_marked(const original *o, const stamma_archive_game *game)
{
    const stamma_text mark = game->tags[0].value;
    if (has(mark, stamma_text_of("unconfirmed")))
        return;
    for (size_t n = 1; n < game->tag_count; n++)
        demand(has(o->text, game->tags[n].name) && has(o->text, game->tags[n].value));
    for (size_t n = 0; n < game->item_count; n++)
        demand(has(o->text, game->items[n].text));
}

static void check_games(const original *o, memory_archive *repaired, bool exact_only, uint64_t games)
{
    stamma_archive *archive;
    stamma_archive_reader *reader = memory_reader(repaired, &archive);
    const stamma_archive_game *game;
    uint64_t count = 0;
    demand(reader != NULL);
    while (demand(stamma_archive_reader_next(reader, &game) == STAMMA_OK), game) {
        count += !game->continuation;
        demand(!is_marked(game) || !exact_only);
        if (is_marked(game))
            check_marked(o, game);
    }
    demand(count == games);
    memory_close(reader, archive);
}

/* Returns whether a text consists of parts of the original. A part may occur twice, because a copy of a block whose
 * frame is damaged cannot be distinguished from another block with the same text. The games of the new archive may
 * differ: a part without an end is joined to the next part. */
static bool are_parts(const original *o, const memory_archive *text)
{
    bool *reached = calloc(text->size + 1, 1);
    demand(reached != NULL);
    reached[0] = true;
    for (size_t at = 0; at < text->size; at++)
        for (size_t n = 0, begin = 0; reached[at] && n < o->parts; begin = o->ends[n++]) {
            const size_t size = o->ends[n] - begin;
            if (size <= text->size - at && memcmp(text->data + at, o->text.data + begin, size) == 0)
                reached[at + size] = true;
        }
    const bool all = reached[text->size];
    free(reached);
    return all;
}

static void check_text(const original *o, memory_archive *repaired, bool exact_only, bool whole)
{
    memory_archive text = {0};
    const stamma_output output = memory_output(&text);
    stamma_archive *archive;
    stamma_archive_reader *reader = memory_reader(repaired, &archive);
    demand(reader && stamma_archive_reader_unpack(reader, &output) == STAMMA_OK);
    memory_close(reader, archive);
    demand(!exact_only || are_parts(o, &text));
    if (whole) /* also true of an archive that was cut after a commit */
        demand(text.size <= o->text.size && (text.size == 0 || memcmp(text.data, o->text.data, text.size) == 0));
    free(text.data);
}

static void test(original *o, memory_archive *damaged, bool exact_only)
{
    memory_archive repaired = {0};
    const stamma_bytes bytes = memory_bytes(damaged, damaged->size & 1);
    const stamma_output output = memory_output(&repaired);
    const stamma_archive_repair_options options = {.size = sizeof options,
                                                   .allocator = large_blocks_kept(),
                                                   .context = o,
                                                   .salvaged = take_salvaged,
                                                   .exact_only = exact_only};
    stamma_archive_repair_result result = {.size = sizeof result};
    stamma_error error = stamma_archive_repair(&bytes, &output, &options, &result);
    demand(error == STAMMA_OK || error == STAMMA_ERROR_NO_ARCHIVE);
    if (!error) {
        demand(memory_is_sound(&repaired));
        check_games(o, &repaired, exact_only, result.kept.games);
        check_text(o, &repaired, exact_only, result.whole);
    }
    free(repaired.data);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    uint64_t random = XXH64(data, size, 1) | 1;
    original *o = calloc(1, sizeof *o);
    demand(o != NULL);
    o->text = (stamma_text){size > 0 ? (const char *)data : "", size};
    if (!has(o->text, stamma_text_of("StammaRepair"))) {
        memory_archive archive = memory_pack_parts(o->text, memory_level(&random), &random);
        if (read_original(&archive, o)) {
            memory_damage(&archive, 0, &random);
            test(o, &archive, draw(&random) & 1);
        }
        free(archive.data);
    }
    free(o);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate_pgn(data, size, room, seed);
}
