/* SPDX-License-Identifier: MIT */
/* Tests allocation failures in every public function that is passed an allocator, or an object opened with one.
 * Also fails if a function of this kind is declared in a public header but not called in this file. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "base/base.h"
#include "memory_file.h"
#include "passed_games.h"
#include "value_games.h"

#define TEXT(literal) ((stamma_text){literal, sizeof(literal) - 1})

static void list_text(listing *to, stamma_text text)
{
    list_bytes(to, text.data ? text.data : "", text.size);
    list_word(to, "\n");
}

static void list_number(listing *to, uint64_t number)
{
    list_format(to, "%llu\n", (unsigned long long)number);
}

/* ---- notation ---- */

static const char pgn[] =
    "[White \"A \\\"B\\\"\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n"
    "{c} 1. e4! $7 (1. e3 {d} Kd7 (1... Kd8 (1... Kf8)) 2. Kd2) 1... Kd7 ; e\n2. Kd2 1-0\n\n1. d4 *";

/* After a failed call, a PGN reader can be called again. */
static stamma_error read_events(trial *t)
{
    piecewise source = {.bytes = pgn, .size = sizeof pgn - 1, .piece_max = 7};
    const stamma_input input = piecewise_input(&source);
    const stamma_pgn_options options = {.size = sizeof options, .allocator = t->allocator};
    stamma_pgn_reader *reader = NULL, *other = NULL;
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    stamma_error error = STAMMA_OK;
    OPEN(reader, stamma_pgn_reader_open(&input, &options, &reader));
    OPEN(other, stamma_pgn_reader_open_memory(pgn, sizeof pgn - 1, &options, &other));
    while (error == STAMMA_OK && event.kind != STAMMA_PGN_END) {
        const stamma_position *position = NULL;
        STEP(stamma_pgn_reader_next(reader, &event));
        STEP((list_event_exactly(&t->result, &event), STAMMA_OK));
        STEP((position = stamma_pgn_reader_position(reader), STAMMA_OK));
        if (position)
            list_number(&t->result, position->key);
    }
    if (reader && error != STAMMA_OK)
        while (stamma_pgn_reader_next(reader, &event) != STAMMA_OK || event.kind != STAMMA_PGN_END)
            ;
    STEP(stamma_pgn_reader_next(other, &event));
    STEP(stamma_pgn_reader_skip_game(other));
    STEP(stamma_pgn_reader_next(other, &event));
    STEP((list_event_exactly(&t->result, &event), STAMMA_OK));
    stamma_pgn_reader_close(reader);
    stamma_pgn_reader_close(other);
    return error;
}

static stamma_error write_text(trial *t)
{
    const stamma_output output = listing_output(&t->result);
    const stamma_pgn_writer_options options = {.size = sizeof options, .allocator = t->allocator};
    const stamma_position start = stamma_position_start();
    stamma_pgn_writer *writer = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(writer, stamma_pgn_writer_open(&output, &options, &writer));
    STEP(stamma_pgn_writer_tag(writer, TEXT("White"),
                               TEXT("A \"B\" and others whose names are longer than a line of text")));
    STEP(stamma_pgn_writer_start(writer, &start));
    STEP(stamma_pgn_writer_move(writer, stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH)));
    STEP(stamma_pgn_writer_nag(writer, 7));
    for (unsigned depth = 0; depth < 40; depth++) {
        STEP(stamma_pgn_writer_variation_begin(writer));
        STEP(stamma_pgn_writer_move(writer, stamma_move_make(11, 27, STAMMA_FLAG_DOUBLE_PUSH)));
        STEP(stamma_pgn_writer_comment(writer, TEXT("a comment {that} is longer than many others are")));
    }
    for (unsigned depth = 0; depth < 40; depth++)
        STEP(stamma_pgn_writer_variation_end(writer));
    STEP(stamma_pgn_writer_result(writer, TEXT("1-0")));
    stamma_pgn_writer_close(writer);
    return error;
}

/* Lists everything that the interface returns about a node and its descendants. */
static void list_node(listing *to, const stamma_game *game, stamma_node node)
{
    stamma_position position;
    assert_int_equal(stamma_game_position(game, node, &position), STAMMA_OK);
    list_format(to, "%u %u %u %u %llu\n", node, stamma_game_parent(game, node), stamma_game_next_sibling(game, node),
                (unsigned)stamma_game_move(game, node), (unsigned long long)stamma_position_key(&position));
    for (int before = 0; before < 2; before++)
        for (size_t i = 0; i < stamma_game_comment_count(game, node, before); i++)
            list_text(to, stamma_game_comment(game, node, before, i));
    for (size_t i = 0; i < stamma_game_nag_count(game, node); i++)
        list_number(to, stamma_game_nag(game, node, i));
    for (stamma_node n = stamma_game_first_child(game, node); n != STAMMA_NODE_NONE;
         n = stamma_game_next_sibling(game, n))
        list_node(to, game, n);
}

static stamma_error build_game(trial *t)
{
    const stamma_pgn_options options = {.size = sizeof options, .allocator = t->allocator};
    const stamma_pgn_writer_options writing = {.size = sizeof writing, .allocator = t->allocator};
    const stamma_output output = listing_output(&t->result);
    const stamma_position start = stamma_position_start();
    stamma_pgn_reader *reader = NULL;
    stamma_pgn_writer *writer = NULL;
    stamma_game *game = NULL;
    stamma_node node = 0;
    stamma_text name, value;
    bool found = false;
    stamma_error error = STAMMA_OK;
    OPEN(game, stamma_game_open(t->allocator, &game));
    OPEN(reader, stamma_pgn_reader_open_memory(pgn, sizeof pgn - 1, &options, &reader));
    OPEN(writer, stamma_pgn_writer_open(&output, &writing, &writer));
    STEP(stamma_game_set_start(game, &start));
    STEP(stamma_game_set_tag(game, TEXT("Event"), TEXT("one")));
    STEP(stamma_game_add_move(game, 0, stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH), &node));
    STEP(stamma_game_add_comment(game, node, false, TEXT("behind")));
    STEP(stamma_game_add_nag(game, node, 3));
    STEP(stamma_game_set_result(game, TEXT("1/2-1/2")));
    STEP(stamma_game_write(game, writer));
    STEP(stamma_game_read(game, reader, &found, NULL, NULL));
    STEP(stamma_game_write(game, writer));
    STEP(stamma_game_write_moves(game, writer));
    if (error == STAMMA_OK) {
        for (size_t i = 0; i < stamma_game_tag_count(game); i++) {
            assert_int_equal(stamma_game_tag_at(game, i, &name, &value), STAMMA_OK);
            list_text(&t->result, value);
        }
        list_text(&t->result, stamma_game_tag(game, TEXT("White")));
        list_text(&t->result, stamma_game_result(game));
        list_number(&t->result, stamma_game_start(game)->key);
        list_node(&t->result, game, 0);
    }
    stamma_game_close(game);
    stamma_pgn_writer_close(writer);
    stamma_pgn_reader_close(reader);
    return error;
}

static void notation(void **state)
{
    (void)state;
    sweep(read_events, (trial){.level = 1});
    sweep(write_text, (trial){.level = 1});
    sweep(build_game, (trial){.level = 1});
}

/* ---- archives: writing ---- */

/* Finishes and closes a writer. `writer` may be NULL. */
static stamma_error end_writer(stamma_archive_writer *writer, stamma_error error, trial *t)
{
    stamma_archive_counts counts = {.games = 0};
    STEP(stamma_archive_writer_finish(writer, &counts));
    if (error == STAMMA_OK)
        list_format(&t->result, "%llu %llu\n", (unsigned long long)counts.games,
                    (unsigned long long)stamma_archive_writer_committed(writer));
    stamma_archive_writer_close(writer);
    return error;
}

static stamma_archive_writer_options writing(const trial *t)
{
    return (stamma_archive_writer_options){.size = sizeof(stamma_archive_writer_options),
                                           .allocator = t->allocator,
                                           .executor = t->executor,
                                           .memory = t->memory,
                                           .level = t->level};
}

static stamma_archive_reader_options reading(const trial *t)
{
    return (stamma_archive_reader_options){.size = sizeof(stamma_archive_reader_options),
                                           .allocator = t->allocator,
                                           .memory = t->memory,
                                           .executor = t->executor};
}

static void take_notice(void *context, const stamma_archive_notice *notice)
{
    list_format(context, "%llu %d %llu\n", (unsigned long long)notice->game, (int)notice->reason,
                (unsigned long long)notice->kept);
}

static stamma_error pack_games(trial *t)
{
    const stamma_output output = listing_output(&t->result);
    stamma_archive_writer_options options = writing(t);
    listing notices = {NULL, 0, 0};
    stamma_archive_writer *writer = NULL;
    stamma_error error = STAMMA_OK;
    options.notice = take_notice;
    options.context = &notices;
    OPEN(writer, stamma_archive_writer_open(&output, &options, &writer));
    STEP(stamma_archive_writer_write(writer, t->text->text, t->text->size));
    error = end_writer(writer, error, t);
    if (notices.size > 0)
        list_bytes(&t->result, notices.text, notices.size);
    free(notices.text);
    return error;
}

typedef stamma_error writer_opener(stamma_archive_reader *reader, const stamma_output *output,
                                   bool (*cut)(void *context, uint64_t size),
                                   const stamma_archive_writer_options *options, stamma_archive_writer **writer);

static stamma_error open_append(stamma_archive_reader *reader, const stamma_output *output,
                                bool (*cut)(void *context, uint64_t size), const stamma_archive_writer_options *options,
                                stamma_archive_writer **writer)
{
    return stamma_archive_writer_open_append(reader, output, cut, options, writer);
}

static stamma_error open_resume(stamma_archive_reader *reader, const stamma_output *output,
                                bool (*cut)(void *context, uint64_t size), const stamma_archive_writer_options *options,
                                stamma_archive_writer **writer)
{
    return stamma_archive_writer_open_resume(reader, output, cut, options, writer);
}

static stamma_error open_append_resume(stamma_archive_reader *reader, const stamma_output *output,
                                       bool (*cut)(void *context, uint64_t size),
                                       const stamma_archive_writer_options *options, stamma_archive_writer **writer)
{
    return stamma_archive_writer_open_append_resume(reader, output, cut, options, writer);
}

/* Continues an archive. Whichever call fails, the old contents must be readable. */
static stamma_error go_on(trial *t, writer_opener *opener)
{
    memory_file file = memory_file_of(t->archive->text, t->archive->size);
    const stamma_output output = memory_file_output(&file);
    const stamma_archive_reader_options options = reading(t);
    const stamma_archive_writer_options more = writing(t);
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(reader, open_bytes(t->archive->text, t->archive->size, &options, &reader));
    OPEN(writer, opener(reader, &output, memory_file_cut, &more, &writer));
    STEP(stamma_archive_writer_write(writer, t->text->text, t->text->size));
    const stamma_archive_source packed = {.name = TEXT("games.pgn"), .text_size = t->text->size};
    STEP(stamma_archive_writer_add_source(writer, &packed));
    error = end_writer(writer, error, t);
    close_reader(reader);
    list_bytes(&t->result, file.bytes.text, file.bytes.size);
    free(file.bytes.text);
    return error;
}

static stamma_error append_games(trial *t)
{
    return go_on(t, open_append);
}

static stamma_error resume_packing(trial *t)
{
    return go_on(t, open_resume);
}

static stamma_error resume_append(trial *t)
{
    return go_on(t, open_append_resume);
}

static void take_source(void *context, const stamma_archive_source *source)
{
    list_text(context, source->name);
    list_number(context, source->text_offset);
}

/* Copies archives, and packs them again after the copies. */
static stamma_error copy_and_recompress(trial *t)
{
    const stamma_output output = listing_output(&t->result);
    const stamma_archive_writer_options options = writing(t);
    const stamma_archive_reader_options from = reading(t);
    stamma_archive_writer *writer = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(writer, stamma_archive_writer_open(&output, &options, &writer));
    listing recorded = read_file("tests/data/good-sources.stamma");
    for (int way = 0; way < 4; way++) {
        const listing *archive = way < 2 ? t->archive : &recorded;
        archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
        stamma_archive_reader *reader = NULL;
        OPEN(reader, open_source(&source, way % 2 == 0, &from, &reader));
        if (way == 2)
            STEP(stamma_archive_reader_sources(reader, take_source, &t->result));
        if (way % 2 == 0)
            STEP(stamma_archive_writer_copy(writer, reader));
        else
            STEP(stamma_archive_writer_recompress(writer, reader));
        close_reader(reader);
    }
    free(recorded.text);
    return end_writer(writer, error, t);
}

/* ---- archives: reading ---- */

static void take_column(void *context, const stamma_archive_column *column)
{
    list_format(context, "%s %llu\n", column->name, (unsigned long long)column->stored_bytes);
}

static stamma_error unpack_text(trial *t)
{
    stamma_error error = STAMMA_OK;
    for (int seekable = 0; seekable < 2; seekable++) {
        archive_source source = {.bytes = t->archive->text, .size = t->archive->size, .piece_max = SIZE_MAX};
        const stamma_input stream = source_stream(&source);
        const stamma_output output = listing_output(&t->result);
        const stamma_archive_reader_options options = reading(t);
        stamma_archive_reader *reader = NULL;
        OPEN(reader, seekable ? open_source(&source, true, &options, &reader)
                              : stamma_archive_reader_open_stream(&stream, &options, &reader));
        STEP(stamma_archive_reader_unpack(reader, &output));
        close_reader(reader);
    }
    return error;
}

static void list_game(listing *to, const stamma_archive_game *game)
{
    list_text(to, game->text);
    for (size_t i = 0; i < game->tag_count; i++)
        list_text(to, game->tags[i].value);
    list_bytes(to, game->moves ? (const void *)game->moves : "",
               game->moves ? game->ply_count * sizeof *game->moves : 0);
    for (size_t i = 0; i < game->item_count; i++)
        list_text(to, game->items[i].text);
}

static stamma_error list_games(trial *t, stamma_archive_reader *reader)
{
    const stamma_archive_game *game = NULL;
    stamma_error error = STAMMA_OK;
    do {
        STEP(stamma_archive_reader_next(reader, &game));
        if (error == STAMMA_OK && game)
            list_game(&t->result, game);
    } while (error == STAMMA_OK && game);
    if (error != STAMMA_OK)
        assert_null(game);
    return error;
}

/* Reads some parts of all games. */
static stamma_error read_parts(trial *t)
{
    static const unsigned parts[] = {STAMMA_GAME_TAGS, STAMMA_GAME_NAGS, STAMMA_GAME_COMMENTS};
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        const stamma_archive_reader_options options = reading(t);
        stamma_archive_reader *reader = NULL;
        OPEN(reader, open_bytes(t->archive->text, t->archive->size, &options, &reader));
        STEP(stamma_archive_reader_select(reader, parts[n]));
        STEP(list_games(t, reader));
        close_reader(reader);
    }
    return error;
}

/* Reads all games, then the second game again. A reader that ran out of memory can be called again. */
static stamma_error read_games_one_by_one(trial *t)
{
    archive_source source = {.bytes = t->archive->text, .size = t->archive->size, .piece_max = SIZE_MAX};
    const stamma_archive_reader_options options = reading(t);
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game = NULL;
    uint64_t count = 77;
    stamma_error error = STAMMA_OK;
    OPEN(reader, open_source(&source, true, &options, &reader));
    STEP(stamma_archive_reader_game_count(reader, &count));
    STEP(list_games(t, reader));
    STEP(stamma_archive_reader_select(reader, STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT));
    STEP(stamma_archive_reader_seek(reader, count > 1 ? 2 : 1));
    STEP(list_games(t, reader));
    if (reader && error != STAMMA_OK) {
        (void)stamma_archive_reader_place(reader);
        (void)stamma_archive_reader_next(reader, &game);
        (void)stamma_archive_reader_seek(reader, 1);
        (void)stamma_archive_reader_next(reader, &game);
    }
    close_reader(reader);
    return error;
}

static stamma_error sum_up(trial *t)
{
    archive_source source = {.bytes = t->archive->text, .size = t->archive->size, .piece_max = SIZE_MAX};
    const stamma_archive_reader_options options = reading(t);
    stamma_archive_reader *reader = NULL;
    stamma_archive_counts counts = {.games = 77};
    uint64_t reasons[STAMMA_REASON_COUNT] = {77};
    stamma_error error = STAMMA_OK;
    OPEN(reader, open_source(&source, true, &options, &reader));
    STEP(stamma_archive_reader_info(reader, &counts, reasons, STAMMA_REASON_COUNT, take_column, &t->result));
    if (error != STAMMA_OK)
        assert_true(counts.games == 77 && reasons[0] == 77);
    if (error == STAMMA_OK) {
        list_bytes(&t->result, counts.level_blocks, sizeof counts.level_blocks);
        list_number(&t->result, counts.games);
        list_number(&t->result, stamma_archive_reader_end(reader));
        stamma_archive_counts totals;
        assert_int_equal(stamma_archive_reader_totals(reader, &totals), STAMMA_OK);
        list_number(&t->result, totals.games);
        list_number(&t->result, stamma_archive_reader_interrupted_end(reader));
    }
    close_reader(reader);
    return error;
}

/* At level 2, the text is not read. */
static stamma_error read_game_trees(trial *t)
{
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, t->archive, true);
    const stamma_archive_game *game = NULL;
    stamma_game *tree = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(tree, stamma_game_open(t->allocator, &tree));
    if (t->level == 2)
        STEP(stamma_archive_reader_select(reader, STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT));
    for (unsigned i = 0; i < 3; i++) {
        STEP(stamma_archive_reader_next(reader, &game));
        if (game && !game->continuation)
            STEP(stamma_archive_game_read_tree(game, t->allocator, tree));
        if (game && error == STAMMA_OK)
            list_node(&t->result, tree, 0);
    }
    stamma_game_close(tree);
    close_reader(reader);
    return error;
}

static void list_damage(void *context, const stamma_archive_damage *damage)
{
    list_format(context, "%d %llu\n", (int)damage->kind, (unsigned long long)damage->offset);
}

static bool list_salvage(void *context, const stamma_archive_salvage *games)
{
    list_format(context, "%d %llu\n", (int)games->state, (unsigned long long)games->games);
    return true;
}

static stamma_error verify_and_repair(trial *t)
{
    const stamma_archive_verify_options options = {.size = sizeof options,
                                                   .allocator = t->allocator,
                                                   .executor = t->executor,
                                                   .context = &t->result,
                                                   .damage = list_damage};
    const stamma_output output = listing_output(&t->result);
    const stamma_archive_repair_options from = {.size = sizeof from,
                                                .allocator = t->allocator,
                                                .executor = t->executor,
                                                .context = &t->result,
                                                .damage = list_damage,
                                                .salvaged = list_salvage};
    stamma_archive_verdict verdict = {.size = sizeof verdict, .damages = 77};
    stamma_archive_repair_result result = {.size = sizeof result, .kept_blocks = 77};
    stamma_archive_state state = {.end = 0};
    stamma_error error = STAMMA_OK;
    archive_source source = {.bytes = t->archive->text, .size = t->archive->size, .piece_max = SIZE_MAX};
    const stamma_input stream = source_stream(&source);
    const stamma_bytes bytes = source_bytes(&source);
    const stamma_archive_options of_archive = {.size = sizeof of_archive, .allocator = t->allocator};
    stamma_archive *archive = NULL;
    OPEN(archive, stamma_archive_open(&bytes, &of_archive, &archive));
    STEP(stamma_archive_verify(archive, &options, &verdict));
    if (error != STAMMA_OK)
        assert_int_equal(verdict.damages, 77);
    STEP(stamma_archive_verify_stream(&stream, &options, &verdict));
    STEP(stamma_archive_repair(&bytes, &output, &from, &result));
    STEP(stamma_archive_state_now(archive, &state));
    STEP(stamma_archive_state_before(archive, &state, &state));
    stamma_flags *flags = NULL, *again = NULL;
    archive_sink sink = {.fail_at = 0};
    const stamma_output lines = archive_output(&sink);
    OPEN(flags, stamma_flags_read(archive, (stamma_text){NULL, 0}, &flags));
    STEP(stamma_flags_set(flags, 1, STAMMA_FLAG_DELETED));
    STEP(stamma_flags_write(flags, archive, &lines));
    STEP(stamma_archive_use_flags(archive, flags));
    OPEN(again, stamma_flags_read(archive, (stamma_text){sink.bytes.text, sink.bytes.size}, &again));
    assert_true(error != STAMMA_OK || stamma_flags_next(again, 1, stamma_flags_of(again, 1)) == 1);
    stamma_flags_close(again);
    stamma_archive_close(archive);
    stamma_flags_close(flags);
    free(sink.bytes.text);
    if (error == STAMMA_OK)
        list_format(&t->result, "%llu %llu %d\n", (unsigned long long)verdict.damages,
                    (unsigned long long)result.kept_blocks, result.whole);
    return error;
}

/* ---- games ---- */

enum { LEVELS = 3, ARCHIVE_HEADER = 16 /* bytes */ };

typedef struct fixture {
    listing text, many, real;
    listing archives[LEVELS + 1];
    /* the archive of level 1 with one byte changed: in the games, in a search column, and in events */
    listing damaged[3];
} fixture;

enum { REAL_GAMES = 3000 /* bytes of real games; the last game is truncated */ };

/* Lists random English words for a comment. bzip2 packs them best. */
static void list_words(listing *to)
{
    enum { WORDS = 20000 };
    listing words = read_file("CONTRIBUTING.md");
    assert_true(words.size > 0);
    for (size_t i = 0; i < words.size; i++)
        if (strchr("{}", words.text[i]))
            words.text[i] = ' ';
    list_word(to, "1. e4 { ");
    list_bytes(to, words.text, words.size < WORDS ? words.size : WORDS);
    list_word(to, " } *\n\n");
    free(words.text);
}

/* Loads texts in many layouts. */
static void list_seeds(listing *to)
{
    static const char *const names[] = {"pack/bytes.pgn",  "pack/clocks.pgn",  "pack/copies.pgn", "pack/engines.pgn",
                                        "pack/fields.pgn", "pack/games.pgn",   "pack/lines.pgn",  "pack/odd.pgn",
                                        "pack/starts.pgn", "pack/wrapped.pgn", "pgn/everything",  "pgn/errors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[80];
        snprintf(path, sizeof path, "fuzz/corpus/%s", names[i]);
        listing seed = read_file(path);
        assert_true(seed.size > 0);
        list_bytes(to, seed.text, seed.size);
        list_word(to, "\n\n");
        free(seed.text);
    }
}

static int set_up(void **state)
{
    static fixture f;
    f.real = read_file("data/games.pgn");
    assert_true(f.real.size > REAL_GAMES);
    list_passed_games(&f.text, 12);
    list_tagged_games(&f.text, 12);
    list_bytes(&f.text, f.real.text, REAL_GAMES);
    list_seeds(&f.text);
    list_passed_games(&f.many, 160);
    list_seeds(&f.many);
    list_words(&f.many);
    for (int level = 1; level <= LEVELS; level++) {
        listing halves[2] = {pack_at(level, f.text.text, f.text.size, NULL), pack_at(level, pgn, sizeof pgn - 1, NULL)};
        f.archives[level] = copy_archives(halves, 2, NULL);
        free(halves[0].text);
        free(halves[1].text);
    }
    const size_t second = next_frame(&f.archives[1], ARCHIVE_HEADER);
    const uint32_t head = load_u32((const uint8_t *)f.archives[1].text + ARCHIVE_HEADER + 16);
    const size_t places[] = {second / 2, second - 1, ARCHIVE_HEADER + 32 + head};
    for (int i = 0; i < 3; i++) {
        list_bytes(&f.damaged[i], f.archives[1].text, f.archives[1].size);
        f.damaged[i].text[places[i]] ^= 1;
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (int level = 1; level <= LEVELS; level++)
        free(f->archives[level].text);
    free(f->damaged[0].text);
    free(f->damaged[1].text);
    free(f->damaged[2].text);
    free(f->text.text);
    free(f->many.text);
    free(f->real.text);
    return 0;
}

/* Sweeps without an executor, and at levels 1 and 3 also with an executor. */
static void sweep_both_ways(const fixture *f, work *w, int level)
{
    for (int executed = 0; executed < (level == 2 ? 1 : 2); executed++)
        sweep(w, (trial){.executor = executed ? &immediate_executor : NULL,
                         .level = level,
                         .text = &f->text,
                         .archive = &f->archives[level]});
}

static void packing(void **state)
{
    for (int level = 1; level <= LEVELS; level++)
        sweep_both_ways(*state, pack_games, level);
}

/* A block whose moves are decoded in two halves, one of them by the executor. This needs 4,096 moves. Moves of lone
 * kings are decoded fastest. Tested late, because it is slow. With LONG=1, verify and repair are tested, too; they
 * decode the block like unpack. */
static void halves(void **state)
{
    const fixture *f = *state;
    listing text = {NULL, 0, 0};
    list_bytes(&text, f->text.text, f->text.size);
    for (unsigned ply = 0; ply < 4400; ply += 4)
        list_format(&text, "%sKd1 Kd8 Ke1 Ke8 ",
                    ply % 100 ? "" : "*\n\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n");
    listing archive = pack_at(LEVELS, text.text, text.size, NULL);
    const trial t = {.executor = &immediate_executor, .archive = &archive};
    sweep(unpack_text, t);
    if (sweeps_are_long())
        sweep(verify_and_repair, t);
    free(archive.text);
    free(text.text);
}

static void going_on(void **state)
{
    static work *const all[] = {append_games, resume_packing, resume_append, copy_and_recompress};
    const fixture *f = *state;
    const listing little = {.text = f->text.text, .size = 2000};
    for (int level = 1; level <= LEVELS; level++)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            sweep(all[i], (trial){.level = level, .text = &little, .archive = &f->archives[1]});
}

static void unpacking(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= LEVELS; level++) {
        sweep_both_ways(f, unpack_text, level);
        sweep(read_games_one_by_one, (trial){.archive = &f->archives[level]});
        sweep(read_parts, (trial){.archive = &f->archives[level]});
        sweep(sum_up, (trial){.archive = &f->archives[level]});
    }
}

static void verifying(void **state)
{
    const fixture *f = *state;
    for (int level = 1; level <= LEVELS; level++)
        sweep_both_ways(f, verify_and_repair, level);
    sweep(verify_and_repair, (trial){.level = 1, .archive = &f->damaged[0]});
    sweep(verify_and_repair, (trial){.level = 1, .archive = &f->damaged[1]});
    sweep(verify_and_repair, (trial){.level = 1, .archive = &f->damaged[2]});
    sweep(read_game_trees, (trial){.level = 1, .archive = &f->archives[1]});
}

/* A long game without comments before other games, and tags that are derived from openings. */
static void trees_and_openings(void **state)
{
    static const char *const knights[4] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    listing text = {NULL, 0, 0}, openings = {NULL, 0, 0};
    (void)state;
    for (unsigned ply = 0; ply < 300; ply++)
        list_format(&text, "%s ", knights[ply % 4]);
    list_format(&text, "*\n\n%s", pgn);
    list_named_openings(&openings, 60);
    listing archives[2] = {pack(text.text, text.size, NULL), pack(openings.text, openings.size, NULL)};
    sweep(read_game_trees, (trial){.level = 2, .archive = &archives[0]});
    sweep(read_parts, (trial){.archive = &archives[1]});
    for (unsigned n = 0; n < 2; n++)
        free(archives[n].text);
    free(text.text);
    free(openings.text);
}

/* Games with common beginnings and English comments. */
static void many_games(void **state)
{
    static work *const all[] = {pack_games, unpack_text, read_games_one_by_one, read_parts, sum_up, verify_and_repair};
    const fixture *f = *state;
    listing archive = pack(f->many.text, f->many.size, NULL);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sweep(all[i], (trial){.level = 1, .text = &f->many, .archive = &archive});
    free(archive.text);
}

/* Enough clocks to be coded by classes, and with context mixing at level 3. */
static void many_clocks(void **state)
{
    unsigned left = 80000;
    listing text = {NULL, 0, 0};
    (void)state;
    list_word(&text, "1. e4");
    for (unsigned i = 0; i < 9000; i++) {
        left -= (unsigned)random_below(left / 600 + 1);
        list_format(&text, " { [%%clk %u:%02u:%02u] }", left / 3600, left / 60 % 60, left % 60);
    }
    list_word(&text, " *\n");
    for (int level = 1; level <= LEVELS; level += 2) {
        listing archive = pack_at(level, text.text, text.size, NULL);
        sweep(pack_games, (trial){.level = level, .text = &text});
        sweep(unpack_text, (trial){.level = level, .archive = &archive});
        free(archive.text);
    }
    free(text.text);
}

/* ---- every function is tested ---- */

/* Returns whether a public type is a structure of options with an allocator. */
static bool has_allocator(const char *header, const char *type)
{
    char begin[120], end[120];
    snprintf(begin, sizeof begin, "typedef struct %s {", type);
    snprintf(end, sizeof end, "} %s;", type);
    const char *structure = strstr(type, "_options") ? strstr(header, begin) : NULL;
    const char *member = structure ? strstr(structure, "allocator") : NULL;
    return member && member < strstr(structure, end);
}

/* Returns whether a declaration has a parameter that can reach an allocator: an allocator, or a pointer to an opaque
 * public type. Codecs are constants and do not count. */
static bool reaches_memory(const char *header, const char *parameters, size_t size)
{
    char type[80], opaque[200];
    for (size_t at = 0; at + 8 < size; at++) {
        if (strncmp(parameters + at, "stamma_", 7) != 0)
            continue;
        snprintf(type, sizeof type, "%.*s", (int)strcspn(parameters + at, " "), parameters + at);
        snprintf(opaque, sizeof opaque, "typedef struct %s %s;", type, type);
        if (!strstr(type, "codec") &&
            (has_allocator(header, type) || strstr(type, "_allocator") || strstr(header, opaque)))
            return true;
        at += strlen(type);
    }
    return false;
}

static void none_is_left_out(void **state)
{
    static const char mark[] = "STAMMA_API ";
    listing header = read_public_headers(), here = read_file("tests/unit/archive/allocation_test.c"),
            searches = read_file("tests/unit/search/search_allocation_test.c"),
            tables = read_file("tests/unit/columns/columns_test.c"),
            indexes = read_file("tests/unit/index/index_verify_test.c"),
            appends = read_file("tests/unit/index/index_append_test.c"),
            handles = read_file("tests/unit/archive/handle_test.c");
    unsigned count = 0;
    (void)state;
    assert_true(header.size > 0 && here.size > 0 && searches.size > 0 && tables.size > 0 && indexes.size > 0 &&
                appends.size > 0 && handles.size > 0);
    list_bytes(&here, searches.text, searches.size);
    list_bytes(&here, tables.text, tables.size);
    list_bytes(&here, indexes.text, indexes.size);
    list_bytes(&here, appends.text, appends.size);
    list_bytes(&here, handles.text, handles.size);
    list_bytes(&here, "", 1);
    for (const char *at = header.text; (at = strstr(at, mark)) != NULL;) {
        char call[80];
        at += sizeof mark - 1;
        const char *open = at + strcspn(at, "("), *name = open;
        while (name[-1] == '_' || isalnum((unsigned char)name[-1]))
            name--;
        if (!reaches_memory(header.text, open, strcspn(open, ";{")))
            continue;
        snprintf(call, sizeof call, "%.*s(", (int)(open - name), name);
        if (!strstr(here.text, call))
            fail_msg("no call of %s)", call);
        count++;
    }
    assert_in_range(count, 90, 300);
    free(header.text);
    free(here.text);
    free(searches.text);
    free(tables.text);
    free(indexes.text);
    free(appends.text);
    free(handles.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notation),         cmocka_unit_test(packing),     cmocka_unit_test(going_on),
        cmocka_unit_test(unpacking),        cmocka_unit_test(verifying),   cmocka_unit_test(trees_and_openings),
        cmocka_unit_test(many_games),       cmocka_unit_test(many_clocks), cmocka_unit_test(halves),
        cmocka_unit_test(none_is_left_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
