/* SPDX-License-Identifier: MIT */
/* Fails each allocation of writing and reading pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "pages_fixture.h"

enum { GAMES = 25, MIN_GAMES = 3, PLIES = 10 };

static listing written; /* pages of the archive */

static stamma_error write_pages(trial *t)
{
    const stamma_bytes bytes = stamma_bytes_of(t->archive->text, t->archive->size);
    const stamma_archive_options options = {.size = sizeof options, .allocator = t->allocator};
    const stamma_pages_write_options pages = {
        .size = sizeof pages, .executor = t->executor, .memory = t->memory, .min_games = MIN_GAMES, .plies = PLIES};
    const stamma_output output = listing_output(&t->result);
    stamma_archive *archive = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(archive, stamma_archive_open(&bytes, &options, &archive));
    STEP(stamma_pages_write(archive, &pages, &output));
    stamma_archive_close(archive);
    return error;
}

static bool read_written(void *context, uint64_t offset, void *bytes, size_t size)
{
    (void)context;
    memcpy(bytes, written.text + offset, size);
    return true;
}

/* Asks about a few positions, first the initial one, along a line of moves. */
static stamma_error ask_pages(trial *t)
{
    enum { PLIES_ASKED = 6 };
    const stamma_bytes file = {.size = written.size, .read_at = read_written};
    stamma_position line[PLIES_ASKED + 1] = {stamma_position_start()};
    stamma_pages *pages = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(pages, stamma_pages_open(&file, NULL, t->allocator, &pages));
    for (size_t n = 0; n <= PLIES_ASKED && error == STAMMA_OK; n++) {
        stamma_tree *tree = NULL;
        bool found = false;
        OPEN(tree, stamma_tree_open(&line[n], t->allocator, &tree));
        STEP(stamma_tree_add_pages(tree, stamma_text_of("a"), pages, line, n, &found));
        if (error == STAMMA_OK && found) {
            const stamma_tree_move *last = NULL;
            for (size_t k = 0; stamma_tree_move_at(tree, k); k++)
                last = stamma_tree_move_at(tree, k);
            list_format(&t->result, "%u games\n", (unsigned)stamma_tree_total(tree).games);
            if (last && n < PLIES_ASKED)
                stamma_position_make(&line[n], last->move, &line[n + 1]);
        }
        stamma_tree_close(tree);
        if (!found)
            break;
    }
    stamma_pages_close(pages);
    return error;
}

static void each_allocation(void **state)
{
    listing text = pages_text(GAMES);
    listing archive = pack(text.text, text.size, NULL);
    (void)state;
    written = pages_file_of(&archive, MIN_GAMES, PLIES);
    sweep(write_pages, (trial){.archive = &archive});
    sweep(write_pages, (trial){.archive = &archive, .memory = 16384});
    sweep(ask_pages, (trial){.archive = &archive});
    free(written.text);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
