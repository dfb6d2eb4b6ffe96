/* SPDX-License-Identifier: MIT */
/* Tests invalid arguments of pages, and calls that the caller cancels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "invalid_options.h"
#include "pages_fixture.h"

static void writing(void **state)
{
    listing text = pages_text(3), file = {0};
    listing packed = pack(text.text, text.size, NULL);
    stamma_archive *archive = open_handle(&packed);
    const stamma_output output = listing_output(&file), none = {0};
    const stamma_pages_write_options one = {.size = sizeof one, .min_games = 1},
                                     deep = {.size = sizeof deep, .plies = 63};
    (void)state;
    BAD(stamma_pages_write(NULL, NULL, &output));
    BAD(stamma_pages_write(archive, NULL, NULL));
    BAD(stamma_pages_write(archive, NULL, &none));
    BAD(stamma_pages_write(archive, &one, &output));
    BAD(stamma_pages_write(archive, &deep, &output));
    for (size_t i = 0; i < EXECUTORS; i++) {
        const stamma_pages_write_options options = {.size = sizeof options, .executor = &executors[i]};
        BAD(stamma_pages_write(archive, &options, &output));
    }
    assert_int_equal(file.size, 0);
    stamma_archive_close(archive);
    free(packed.text);
    free(text.text);
}

static bool stop(void *context, uint64_t done, uint64_t total)
{
    unsigned *calls = context;
    assert_true(done <= total);
    return ++*calls < 3;
}

/* An output that fails, and a call that is cancelled in the index and in the pages. */
static void failing(void **state)
{
    listing text = pages_text(2000);
    listing packed = pack(text.text, text.size, NULL);
    listing index = index_file_of(&packed);
    archive_sink sink = {.fail_at = 2};
    const stamma_output output = archive_output(&sink);
    (void)state;
    for (unsigned indexed = 0; indexed < 2; indexed++) {
        stamma_archive *archive = indexed ? open_indexed(&packed, &index) : open_handle(&packed);
        unsigned calls = indexed ? 0 : 2;
        const stamma_pages_write_options stopped = {.size = sizeof stopped, .context = &calls, .progress = stop};
        assert_int_equal(stamma_pages_write(archive, &stopped, &output), STAMMA_ERROR_CANCELLED);
        assert_int_equal(calls, 3);
        stamma_archive_close(archive);
    }
    stamma_archive *archive = open_indexed(&packed, &index);
    assert_int_equal(stamma_pages_write(archive, NULL, &output), STAMMA_ERROR_IO);
    stamma_archive_close(archive);
    free(sink.bytes.text);
    free(index.text);
    free(packed.text);
    free(text.text);
}

static void reading(void **state)
{
    listing text = pages_text(100);
    listing packed = pack(text.text, text.size, NULL);
    listing file = pages_file_of(&packed, 2, 8);
    const stamma_bytes bytes = stamma_bytes_of(file.text, file.size), none = {.size = 5};
    const stamma_position start = stamma_position_start();
    const stamma_text name = {"a", 1}, missing = {NULL, 4};
    stamma_pages_state properties = {.size = sizeof properties}, sizeless = {.size = 0};
    stamma_pages *pages = NULL;
    stamma_tree *tree = NULL;
    bool found = true;
    (void)state;
    BAD(stamma_pages_open(NULL, NULL, NULL, &pages));
    BAD(stamma_pages_open(&none, NULL, NULL, &pages));
    BAD(stamma_pages_open(&bytes, &none, NULL, &pages));
    BAD(stamma_pages_open(&bytes, NULL, NULL, NULL));
    for (size_t i = 0; i < ALLOCATORS; i++)
        BAD(stamma_pages_open(&bytes, NULL, &allocators[i], &pages));
    assert_int_equal(stamma_pages_open(&bytes, NULL, NULL, &pages), STAMMA_OK);
    BAD(stamma_pages_info(NULL, &properties));
    BAD(stamma_pages_info(pages, NULL));
    BAD(stamma_pages_info(pages, &sizeless));
    assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
    BAD(stamma_tree_add_pages(NULL, name, pages, NULL, 0, &found));
    BAD(stamma_tree_add_pages(tree, missing, pages, NULL, 0, &found));
    BAD(stamma_tree_add_pages(tree, name, NULL, NULL, 0, &found));
    BAD(stamma_tree_add_pages(tree, name, pages, NULL, 1, &found));
    BAD(stamma_tree_add_pages(tree, name, pages, NULL, 0, NULL));
    assert_int_equal(stamma_tree_keep_history(tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_pages(tree, name, pages, NULL, 0, &found), STAMMA_OK);
    assert_false(found);
    stamma_tree_close(tree);
    stamma_pages_close(pages);
    stamma_pages_close(NULL);
    free(file.text);
    free(packed.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(writing), cmocka_unit_test(failing), cmocka_unit_test(reading)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
