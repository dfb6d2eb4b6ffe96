/* Tests the writing of index files that fails or is stopped at any call, and positions that a game reaches again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "executors.h"
#include "game_texts.h"

/* Several blocks of random games. */
static listing make_archive(void)
{
    enum { PARTS = 5 };
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
    const stamma_error error = stamma_index_write(archive->text, archive->size, options, &output);
    *file = sink.bytes;
    return error;
}

static void outputs_that_fail(void **state)
{
    listing archive = make_archive(), file;
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

/* The call that stops returns CANCELLED, whether the work is done by this thread, by others at once, or when it is
 * waited for. Without a stop, all write the same file. */
static void stopped_by_progress(void **state)
{
    listing archive = make_archive(), wanted, file;
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
    stamma_search_index *index = NULL;
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    if (file)
        assert_int_equal(
            stamma_search_index_open_file(archive->text, archive->size, file->text, file->size, NULL, &index),
            STAMMA_OK);
    const stamma_search_options options = {.size = sizeof options, .index = index};
    assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    assert_int_equal(stamma_search_open(archive->text, archive->size, query, &options, &search), STAMMA_OK);
    list_bytes(found, "", 0);
    while (stamma_search_next(search, &match) == STAMMA_OK && match) {
        list_format(found, "%u:", (unsigned)match->game);
        for (size_t n = 0; n < match->ply_count; n++)
            list_format(found, "%u ", (unsigned)match->plies[n]);
    }
    stamma_search_close(search);
    stamma_query_close(query);
    stamma_search_index_close(index);
}

/* Knights go out and home: the games share nodes of the trie with the same position, one below the other. */
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
    for (size_t n = 0; n < sizeof fens / sizeof *fens; n++)
        for (unsigned way = 0; way < 2; way++) {
            char json[200];
            listing found = {0};
            (void)snprintf(json, sizeof json, "{\"fen\": \"%s\"}", fens[n]);
            list_found(&archive, json, way > 0 ? &file : NULL, &found);
            assert_string_equal(found.text, wanted[n]);
            free(found.text);
        }
    free(file.text);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_that_fail), cmocka_unit_test(stopped_by_progress),
                                       cmocka_unit_test(repeated_positions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
