/* SPDX-License-Identifier: MIT */
/* Tests the writing of index files that fails or is stopped at any call, and positions that a game reaches several
 * times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "executors.h"
#include "game_texts.h"
#include "made_archive.h"

enum { PARTS = 5 };

/* Several blocks of random games. */
static listing make_archive_of_games(void)
{
    listing parts[PARTS], archive;
    for (unsigned part = 0; part < PARTS; part++) {
        listing text = {0};
        for (unsigned n = 0; n < 20; n++)
            list_game(&text, &text_styles[0]);
        parts[part] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    archive = copy_archives(parts, PARTS, NULL);
    for (unsigned part = 0; part < PARTS; part++)
        free(parts[part].text);
    return archive;
}

static stamma_error write_index(const listing *archive, const stamma_index_write_options *options, unsigned fail_at,
                                listing *file)
{
    archive_sink sink = {.fail_at = fail_at};
    const stamma_output output = archive_output(&sink);
    stamma_archive *opened = open_handle(archive);
    const stamma_error error = stamma_index_write(opened, options, &output);
    stamma_archive_close(opened);
    *file = sink.bytes;
    return error;
}

static void outputs_that_fail(void **state)
{
    listing archive = make_archive_of_games(), file;
    unsigned failed = 0;
    stamma_error error = STAMMA_ERROR_IO;
    (void)state;
    for (unsigned at = 1; error != STAMMA_OK; at++) {
        error = write_index(&archive, NULL, at, &file);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_IO);
        failed += error != STAMMA_OK;
        free(file.text);
    }
    assert_true(failed >= 4); /* pages, the directory, and the sync */
    free(archive.text);
}

/* A stopped call returns CANCELLED with no executor, with an eager executor, and with a lazy executor. Without a stop,
 * all of them write the same file. */
static void stopped_by_progress(void **state)
{
    listing archive = make_archive_of_games(), wanted, file;
    eager threads = {.now = 0};
    lazy later = {.waiting = 0};
    const stamma_executor executors[] = {{&threads, 3, start_eager, wait_eager}, {&later, 3, start_lazy, wait_lazy}};
    (void)state;
    assert_int_equal(write_index(&archive, NULL, 0, &wanted), STAMMA_OK);
    for (unsigned n = 0; n < 3; n++)
        for (unsigned stop_at = 0; stop_at < 5; stop_at++) {
            archive_steps steps = {.stop_at = stop_at};
            const stamma_index_write_options options = {.size = sizeof options,
                                                        .executor = n > 0 ? &executors[n - 1] : NULL,
                                                        .progress = archive_take_progress,
                                                        .context = &steps};
            assert_int_equal(write_index(&archive, &options, 0, &file),
                             stop_at > 0 ? STAMMA_ERROR_CANCELLED : STAMMA_OK);
            assert_true(stop_at > 0 ? steps.calls == stop_at : file.size == wanted.size);
            if (stop_at == 0)
                assert_memory_equal(file.text, wanted.text, file.size);
            free(file.text);
        }
    free(wanted.text);
    free(archive.text);
}

/* ---- positions that a game reaches again ---- */

static void list_found(const listing *archive, const char *json, const listing *file, listing *found)
{
    stamma_archive *opened = open_indexed(archive, file);
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    assert_int_equal(stamma_search_open(opened, query, NULL, &search), STAMMA_OK);
    list_bytes(found, "", 0);
    while (stamma_search_next(search, &match) == STAMMA_OK && match) {
        list_format(found, "%u:", (unsigned)match->game);
        for (size_t n = 0; n < match->ply_count; n++)
            list_format(found, "%u ", (unsigned)match->plies[n]);
    }
    stamma_search_close(search);
    stamma_query_close(query);
    stamma_archive_close(opened);
}

/* Asserts that searches with and without an index file find these games. */
static void assert_found(const listing *archive, const listing *file, const char *json, const char *wanted)
{
    for (unsigned way = 0; way < 2; way++) {
        listing found = {0};
        list_found(archive, json, way > 0 ? file : NULL, &found);
        assert_string_equal(found.text, wanted);
        free(found.text);
    }
}

/* Knights move out and back: the games share nodes of the trie with the same position, one below the other. */
static void repeated_positions(void **state)
{
    static const char *const fens[] = {"rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2",
                                       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                       "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"};
    static const char *const wanted[] = {"1:2 2:2 3:2 4:2 5:2 6:2 ", "1:0 2:0 3:0 4:0 5:0 6:0 7:0 ",
                                         "1:1 2:1 3:1 4:1 5:1 6:1 7:1 "};
    listing text = {0}, file;
    (void)state;
    for (unsigned n = 0; n < 6; n++)
        list_format(&text, "[Event \"%u\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 %s *\n\n", n,
                    n % 2 ? "Nf6" : "d5");
    list_word(&text, "[Event \"other\"]\n\n1. Nf3 d5 *\n\n");
    listing archive = pack(text.text, text.size, NULL);
    assert_int_equal(write_index(&archive, NULL, 0, &file), STAMMA_OK);
    for (size_t n = 0; n < sizeof fens / sizeof *fens; n++) {
        char json[200];
        (void)snprintf(json, sizeof json, "{\"fen\": \"%s\"}", fens[n]);
        assert_found(&archive, &file, json, wanted[n]);
    }
    free(file.text);
    free(archive.text);
    free(text.text);
}

/* A game with more moves than its numbers in the index allow, and a game whose moves are stored after these moves. */
static void very_long_games(void **state)
{
    enum { CYCLES = 20000 };
    listing text = {0}, file;
    (void)state;
    for (unsigned n = 0; n < CYCLES; n++)
        list_word(&text, "Nf3 Nf6 Ng1 Ng8 ");
    list_word(&text, "e4 *\n\n[Event \"?\"]\n\n1. h4 h5 2. g4 g5 *\n\n");
    listing archive = pack(text.text, text.size, NULL);
    assert_int_equal(write_index(&archive, NULL, 0, &file), STAMMA_OK);
    assert_found(&archive, &file, "{\"fen\": \"rnbqkbnr/pppppp2/8/6pp/6PP/8/PPPPPP2/RNBQKBNR w KQkq -\"}", "2:4 ");
    assert_found(&archive, &file, "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}", "1:80001 ");
    free(file.text);
    free(archive.text);
    free(text.text);
}

/* All players have no name. */
static void empty_names(void **state)
{
    static const char text[] = "[White \"\"]\n[Black \"\"]\n\n1. e4 *\n\n[White \"\"]\n\n1. d4 *\n\n";
    listing archive = pack(text, sizeof text - 1, NULL), file;
    (void)state;
    assert_int_equal(write_index(&archive, NULL, 0, &file), STAMMA_OK);
    assert_found(&archive, &file, "{\"white\": \"*\"}", "1:0 2:0 ");
    assert_found(&archive, &file, "{\"white\": \"?*\"}", "");
    free(file.text);
    free(archive.text);
}

/* ---- blocks that contradict their commit ---- */

typedef struct numbers {
    unsigned games[2], text[2];
} numbers;

/* Returns an archive of two blocks, whose commit contains these numbers. The head of the first block contains `games`
 * as its number of games. */
static listing forge(const listing *archive, const numbers *n, uint8_t games)
{
    made m = make_archive();
    for (size_t block = 0, at = ARCHIVE_HEADER_SIZE; block < 2; block++, at = next_frame(archive, at)) {
        frame f;
        uint8_t *bytes = (uint8_t *)archive->text + at, *head = bytes + FRAME_HEADER_SIZE;
        assert_int_equal(stamma_frame_read(bytes, &f), STAMMA_OK);
        assert_int_equal(f.type, FRAME_BLOCK);
        head[17] = block == 0 ? games : head[17]; /* after two numbers of eight bytes, and the records */
        f.head_check = stamma_check32(head, f.head_size);
        f.id = m.id = m.id ? m.id : (uint16_t)f.head_check;
        stamma_frame_write(&f, bytes);
        m.places[m.place_count++] = (block_place){m.bytes.size, n->games[block], n->text[block]};
        m.blocks++;
        m.games += n->games[block];
        m.text += n->text[block];
        list_bytes(&m.bytes, bytes, next_frame(archive, at) - at);
    }
    make_commit(&m, true);
    return m.bytes;
}

/* The numbers of a commit are compared with the numbers in the heads of its blocks, which are compared with the
 * games. */
static void wrong_counts(void **state)
{
    static const char texts[2][40] = {"1. e4 e5 *\n\n1. d4 d5 *\n\n", "1. f4 f5 2. Nf3 *\n\n"};
    const unsigned sizes[2] = {(unsigned)strlen(texts[0]), (unsigned)strlen(texts[1])};
    const struct {
        numbers commit;
        uint8_t games;
        stamma_error error;
    } all[] = {{{{2, 1}, {sizes[0], sizes[1]}}, 2, STAMMA_OK},
               {{{1, 2}, {sizes[0], sizes[1]}}, 2, STAMMA_ERROR_CORRUPT},
               {{{2, 1}, {sizes[0] - 1, sizes[1] + 1}}, 2, STAMMA_ERROR_CORRUPT},
               {{{1, 1}, {sizes[0], sizes[1]}}, 1, STAMMA_ERROR_CORRUPT}};
    listing parts[2], file;
    (void)state;
    for (unsigned n = 0; n < 2; n++)
        parts[n] = pack(texts[n], sizes[n], NULL);
    listing archive = copy_archives(parts, 2, NULL);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        listing forged = forge(&archive, &all[n].commit, all[n].games);
        assert_int_equal(write_index(&forged, NULL, 0, &file), all[n].error);
        free(file.text);
        free(forged.text);
    }
    for (unsigned n = 0; n < 2; n++)
        free(parts[n].text);
    free(archive.text);
}

/* The heads of all blocks are checked before the first block is read. */
static void damaged_heads(void **state)
{
    listing archive = make_archive_of_games(), file;
    (void)state;
    size_t at = ARCHIVE_HEADER_SIZE;
    for (unsigned n = 0; n < PARTS; n++, at = next_frame(&archive, at)) {
        archive.text[at + FRAME_HEADER_SIZE] ^= 1;
        assert_int_equal(write_index(&archive, NULL, 0, &file), STAMMA_ERROR_CORRUPT);
        archive.text[at + FRAME_HEADER_SIZE] ^= 1;
        free(file.text);
    }
    free(archive.text);
}

static bool spoil_head(void *context, uint64_t done, uint64_t total)
{
    (void)memset(context, 255, 8); /* the size of the block's text */
    return done <= total;
}

/* The last block is damaged while the blocks before it are read. */
static void archives_that_change(void **state)
{
    listing archive = make_archive_of_games(), file;
    size_t at = ARCHIVE_HEADER_SIZE;
    (void)state;
    for (unsigned n = 0; n < PARTS - 1; n++)
        at = next_frame(&archive, at);
    const stamma_index_write_options options = {
        .size = sizeof options, .progress = spoil_head, .context = archive.text + at + FRAME_HEADER_SIZE};
    assert_int_equal(write_index(&archive, &options, 0, &file), STAMMA_ERROR_CORRUPT);
    free(file.text);
    free(archive.text);
}

/* ---- memory ---- */

/* Each allocation fails in turn, including allocations for folded names with and without escapes. */
static void without_memory(void **state)
{
    (void)state;
    static const char text[] = "[White \"A \\\" and more\"]\n[Black \"B without an escape\"]\n\n1. e4 *\n\n";
    listing archive = pack(text, sizeof text - 1, NULL), whole = index_file_of(&archive);
    const stamma_bytes bytes = stamma_bytes_of(archive.text, archive.size);
    bool failed = true;
    for (unsigned fail_at = 1; failed; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive *opened = NULL;
        listing file = {0};
        const stamma_output output = listing_output(&file);
        stamma_error error = stamma_archive_open(&bytes, &options, &opened);
        if (error == STAMMA_OK)
            error = stamma_index_write(opened, NULL, &output);
        stamma_archive_close(opened);
        failed = memory.calls >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        assert_int_equal(memory.alive, 0);
        if (!failed) {
            assert_int_equal(file.size, whole.size);
            assert_memory_equal(file.text, whole.text, whole.size);
        }
        free(file.text);
    }
    free(whole.text);
    free(archive.text);
}

/* Many games leave the trie at few nodes, so that some ranges of nodes are empty. */
static void games_with_the_same_moves(void **state)
{
    listing text = {0}, file = {0};
    counted_memory memory = {0};
    const stamma_allocator allocator = counting_allocator(&memory);
    const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
    stamma_archive *archive = NULL;
    uint64_t differences = 77;
    (void)state;
    for (unsigned n = 0; n < 5000; n++)
        list_format(&text, "[White \"Player %u\"]\n\n1. e4 e5 2. Nf3 *\n\n", n);
    listing packed = pack(text.text, text.size, NULL);
    const stamma_bytes bytes = stamma_bytes_of(packed.text, packed.size);
    assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
    const stamma_output output = listing_output(&file);
    assert_int_equal(stamma_index_write(archive, NULL, &output), STAMMA_OK);
    stamma_archive_close(archive);
    assert_int_equal(memory.alive, 0);
    archive = open_indexed(&packed, &file);
    assert_int_equal(stamma_index_verify(archive, NULL, &differences), STAMMA_OK);
    assert_int_equal(differences, 0);
    stamma_archive_close(archive);
    free(text.text);
    free(packed.text);
    free(file.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_that_fail),    cmocka_unit_test(stopped_by_progress),
        cmocka_unit_test(repeated_positions),   cmocka_unit_test(very_long_games),
        cmocka_unit_test(without_memory),       cmocka_unit_test(empty_names),
        cmocka_unit_test(wrong_counts),         cmocka_unit_test(damaged_heads),
        cmocka_unit_test(archives_that_change), cmocka_unit_test(games_with_the_same_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
