/* SPDX-License-Identifier: MIT */
/* Tests files of pages: their answers are those of the archive, for popular, rare, transposed and absent positions;
 * their bytes do not depend on memory and on the segments of an index; few bytes are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pages/pages.h"
#include "pages_fixture.h"

enum { GAMES = 250 };

/* ---- answers ---- */

typedef struct asking {
    stamma_archive *archive;
    stamma_pages *pages;
    size_t plies;
    size_t every; /* of these questions, one is asked */
    size_t asked, found, rare, in_lines;
} asking;

/* Each position of a game is found within the plies of the pages, unless the game begins in a set-up. */
static void ask(void *context, const pages_question *q, size_t ply)
{
    asking *a = context;
    stamma_error error;
    if (a->asked++ % a->every != 0)
        return;
    const bool found = pages_agree(a->archive, a->pages, q, &error);
    assert_int_equal(error, STAMMA_OK);
    a->found += found;
    if (ply <= a->plies) {
        assert_true(found);
        a->in_lines++;
    } else {
        a->rare += found;
    }
}

static void assert_right(const listing *archive, const listing *index, const listing *file, size_t plies, size_t every)
{
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size),
                       pages = stamma_bytes_of(file->text, file->size);
    asking a = {.archive = open_indexed(archive, index), .plies = plies, .every = every};
    assert_int_equal(stamma_pages_open(&pages, &bytes, NULL, &a.pages), STAMMA_OK);
    for_each_question(archive, ask, &a);
    assert_true(a.in_lines > 0 && a.rare > 0 && a.found < a.asked);
    stamma_pages_close(a.pages);
    stamma_archive_close(a.archive);
}

static void answers(void **state)
{
    static const uint32_t options[][2] = {{2, 8}, {3, 20}, {20, 40}, {40, 62}};
    listing text = pages_text(GAMES);
    listing archive = pack(text.text, text.size, NULL);
    listing index = index_file_of(&archive);
    (void)state;
    for (size_t n = 0; n < sizeof options / sizeof *options; n++) {
        listing file = pages_file_of(&archive, options[n][0], options[n][1]);
        assert_right(&archive, &index, &file, options[n][1], thinned_step(1) * 13);
        free(file.text);
    }
    free(index.text);
    free(archive.text);
    free(text.text);
}

/* ---- files ---- */

static void assert_same_file(const listing *archive, const listing *index, const stamma_pages_write_options *options,
                             const listing *wanted)
{
    listing file = {0};
    assert_int_equal(append_pages(archive, index, options, &file), STAMMA_OK);
    assert_int_equal(file.size, wanted->size);
    assert_memory_equal(file.text, wanted->text, wanted->size);
    free(file.text);
}

static void same_bytes(void **state)
{
    const stamma_pages_write_options few = {.size = sizeof few, .min_games = 3, .memory = 65536},
                                     usual = {.size = sizeof usual, .min_games = 3};
    listing text = pages_text(GAMES);
    listing archive = pack(text.text, text.size, NULL);
    listing index = index_file_of(&archive), wanted = {0};
    (void)state;
    assert_int_equal(append_pages(&archive, &index, &usual, &wanted), STAMMA_OK);
    assert_same_file(&archive, NULL, &usual, &wanted);
    assert_same_file(&archive, &index, &few, &wanted);
    free(wanted.text);
    free(index.text);
    free(archive.text);
    free(text.text);
}

/* An archive of several blocks, whose index has several segments. */
static void segments(void **state)
{
    enum { PARTS = 3 };
    const stamma_index_write_options options = {.size = sizeof options, .segment_games = 100};
    listing parts[PARTS], index = {0};
    (void)state;
    for (size_t n = 0; n < PARTS; n++) {
        listing text = pages_text(150);
        parts[n] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    listing archive = copy_archives(parts, PARTS, NULL);
    assert_int_equal(append_index(&archive, &options, &index), STAMMA_OK);
    const stamma_pages_write_options pages = {.size = sizeof pages, .min_games = 4, .plies = 24};
    listing file = {0};
    assert_int_equal(append_pages(&archive, &index, &pages, &file), STAMMA_OK);
    assert_right(&archive, &index, &file, 24, thinned_step(1) * 13);
    free(file.text);
    free(index.text);
    free(archive.text);
    for (size_t n = 0; n < PARTS; n++)
        free(parts[n].text);
}

/* Archives whose games are too few for a popular position. */
static void few_games(void **state)
{
    static const char *const texts[] = {"", "1. e4 *", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *"};
    (void)state;
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        listing archive = pack(texts[n], strlen(texts[n]), NULL);
        listing file = pages_file_of(&archive, 0, 0);
        const stamma_bytes bytes = stamma_bytes_of(file.text, file.size);
        const pages_question q = {.position = stamma_position_start()};
        stamma_archive *opened = open_handle(&archive);
        stamma_pages_state pages_state = {.size = sizeof pages_state};
        stamma_pages *pages = NULL;
        stamma_error error;
        assert_int_equal(stamma_pages_open(&bytes, NULL, NULL, &pages), STAMMA_OK);
        assert_false(pages_agree(opened, pages, &q, &error));
        assert_int_equal(error, STAMMA_OK);
        assert_int_equal(stamma_pages_info(pages, &pages_state), STAMMA_OK);
        assert_int_equal(pages_state.positions, 0);
        assert_int_equal(pages_state.min_games, 20);
        assert_int_equal(pages_state.plies, 40);
        stamma_pages_close(pages);
        stamma_archive_close(opened);
        free(file.text);
        free(archive.text);
    }
}

/* ---- reading ---- */

/* A file that counts the bytes that are read. */
typedef struct counted_file {
    const listing *file;
    size_t reads, bytes;
    bool fails;
} counted_file;

static bool read_counted(void *context, uint64_t offset, void *bytes, size_t size)
{
    counted_file *f = context;
    assert_true(offset <= f->file->size && size <= f->file->size - offset);
    f->reads++;
    f->bytes += size;
    memcpy(bytes, f->file->text + offset, size);
    return !f->fails;
}

/* Follows the moves of a game. Each question reads at most its bucket, and the lines of three positions. */
static void follow(void *context, const pages_question *q, size_t ply)
{
    enum { READS = 4, BYTES = 20000 };
    asking *a = context;
    counted_file *f = a->pages->source.context;
    stamma_error error;
    if (ply == SIZE_MAX || ply > 62)
        return;
    f->reads = f->bytes = 0;
    (void)pages_agree(a->archive, a->pages, q, &error);
    assert_int_equal(error, STAMMA_OK);
    assert_true(f->reads <= READS && f->bytes <= BYTES);
    a->found++;
}

static void few_reads(void **state)
{
    listing text = pages_text(GAMES);
    listing archive = pack(text.text, text.size, NULL);
    listing index = index_file_of(&archive), file = pages_file_of(&archive, 4, 40);
    counted_file counted = {.file = &file};
    const stamma_bytes bytes = {.size = file.size, .context = &counted, .read_at = read_counted};
    asking a = {.archive = open_indexed(&archive, &index)};
    (void)state;
    assert_int_equal(stamma_pages_open(&bytes, NULL, NULL, &a.pages), STAMMA_OK);
    assert_true(counted.reads == 2 && counted.bytes < 5000);
    for_each_question(&archive, follow, &a);
    assert_true(a.found > 0);
    counted.fails = true;
    const pages_question q = {.position = stamma_position_start()};
    stamma_pages_close(a.pages);
    assert_int_equal(stamma_pages_open(&bytes, NULL, NULL, &a.pages), STAMMA_ERROR_IO);
    counted.fails = false;
    assert_int_equal(stamma_pages_open(&bytes, NULL, NULL, &a.pages), STAMMA_OK);
    counted.fails = true;
    stamma_error error;
    assert_false(pages_agree(a.archive, a.pages, &q, &error));
    assert_int_equal(error, STAMMA_ERROR_IO);
    stamma_pages_close(a.pages);
    stamma_archive_close(a.archive);
    free(file.text);
    free(index.text);
    free(archive.text);
    free(text.text);
}

/* ---- numbers ---- */

static void numbers_of_moves(void **state)
{
    pages_order order;
    stamma_position p = stamma_position_start();
    (void)state;
    for (size_t n = 0; n < sizeof order.weights; n++)
        order.weights[n] = (uint8_t)random_below(5);
    for (size_t ply = 0; ply < 300; ply++) {
        stamma_move moves[STAMMA_MOVES_MAX], move;
        const size_t count = stamma_legal_moves(&p, moves);
        const unsigned last = (unsigned)random_below(65);
        bool seen[STAMMA_MOVES_MAX] = {false};
        for (size_t n = 0; n < count; n++) {
            const unsigned rank = stamma_pages_rank(&order, &p, moves[n], last);
            assert_true(rank < count && !seen[rank]);
            seen[rank] = true;
            assert_true(stamma_pages_move(&order, &p, rank, last, &move) && move == moves[n]);
        }
        assert_false(stamma_pages_move(&order, &p, (unsigned)count + 1, last, &move));
        if (count == 0)
            p = stamma_position_start();
        else
            stamma_position_make(&p, moves[random_below(count)], &p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),   cmocka_unit_test(same_bytes), cmocka_unit_test(segments),
        cmocka_unit_test(few_games), cmocka_unit_test(few_reads),  cmocka_unit_test(numbers_of_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
