/* SPDX-License-Identifier: MIT */
/* Tests files of pages that are damaged, truncated, foreign or outdated: no answer changes. Changed bytes with right
 * checksums end with an error or an answer, within the limits of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pages/pages.h"
#include "pages_fixture.h"

enum { GAMES = 120, PLIES = 16 };

typedef struct fixture {
    listing archive, index, file;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    listing text = pages_text(GAMES);
    f.archive = pack(text.text, text.size, NULL);
    f.index = index_file_of(&f.archive);
    f.file = pages_file_of(&f.archive, 4, PLIES);
    free(text.text);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    free(f->archive.text);
    free(f->index.text);
    free(f->file.text);
    return 0;
}

static listing copy_of(const listing *file)
{
    listing copy = {0};
    list_bytes(&copy, file->text, file->size);
    return copy;
}

static stamma_error open_pages(const listing *file, size_t size, const listing *archive, stamma_pages **pages)
{
    const stamma_bytes bytes = stamma_bytes_of(file->text, size), all = stamma_bytes_of(archive->text, archive->size);
    *pages = NULL;
    return stamma_pages_open(&bytes, &all, NULL, pages);
}

/* ---- questions ---- */

typedef struct asking {
    stamma_archive *archive;
    stamma_pages *pages;
    size_t asked, every, found, corrupt;
} asking;

static void ask(void *context, const pages_question *q, size_t ply)
{
    asking *a = context;
    stamma_error error;
    (void)ply;
    if (a->asked++ % a->every != 0)
        return;
    a->found += pages_agree(a->archive, a->pages, q, &error);
    a->corrupt += error == STAMMA_ERROR_CORRUPT;
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
}

/* Asks changed pages, whose answers must be right. Returns whether the damage was found. */
static bool is_harmless(const fixture *f, const listing *file)
{
    stamma_pages *pages;
    const stamma_error error = open_pages(file, file->size, &f->archive, &pages);
    if (error != STAMMA_OK)
        return true;
    asking a = {.archive = open_indexed(&f->archive, &f->index), .pages = pages, .every = 61};
    for_each_question(&f->archive, ask, &a);
    stamma_pages_state state = {.size = sizeof state};
    assert_int_equal(stamma_pages_info(pages, &state), STAMMA_OK);
    assert_true(state.damaged == (a.corrupt > 0));
    stamma_pages_close(pages);
    stamma_archive_close(a.archive);
    return a.corrupt > 0;
}

/* ---- damage ---- */

static void flipped_bits(void **state)
{
    const fixture *f = *state;
    const size_t step = thinned_step(usual_step(f->file.size / 60));
    size_t found = 0, cases = 0;
    for (size_t at = 0; at < f->file.size; at += 1 + random_below(2 * step)) {
        listing changed = copy_of(&f->file);
        changed.text[at] = (char)(changed.text[at] ^ 1 << random_below(8));
        found += is_harmless(f, &changed);
        cases++;
        free(changed.text);
    }
    assert_true(found > cases / 4);
}

static void cut_files(void **state)
{
    const fixture *f = *state;
    stamma_pages *pages;
    for (size_t size = 0; size < f->file.size; size += 1 + random_below(900)) {
        listing cut = {0};
        list_bytes(&cut, f->file.text, size);
        const stamma_error error = open_pages(&cut, size, &f->archive, &pages);
        assert_int_equal(error, size < 8 ? STAMMA_ERROR_NO_ARCHIVE : STAMMA_ERROR_CORRUPT);
        free(cut.text);
    }
}

static void other_files(void **state)
{
    const fixture *f = *state;
    stamma_pages *pages;
    listing text = pages_text(3), version = copy_of(&f->file);
    listing other = pack(text.text, text.size, NULL);
    assert_int_equal(open_pages(&f->file, f->file.size, &other, &pages), STAMMA_ERROR_MISMATCH);
    assert_int_equal(open_pages(&f->archive, f->archive.size, &f->archive, &pages), STAMMA_ERROR_NO_ARCHIVE);
    version.text[PAGES_AT_VERSION] = PAGES_VERSION + 1;
    assert_int_equal(open_pages(&version, version.size, &f->archive, &pages), STAMMA_ERROR_UNSUPPORTED);
    listing changed = copy_of(&f->archive); /* another archive of the same size */
    changed.text[changed.size - 1] ^= 1;
    assert_int_equal(open_pages(&f->file, f->file.size, &changed, &pages), STAMMA_ERROR_MISMATCH);
    free(changed.text);
    free(version.text);
    free(other.text);
    free(text.text);
}

/* ---- changes with right checksums ---- */

static void seal(uint8_t *bytes, size_t size)
{
    store_u32(bytes + size - PAGES_CHECK, stamma_check32(bytes, size - PAGES_CHECK));
}

/* Recomputes all checksums. */
static void seal_file(const fixture *f, const listing *file)
{
    uint8_t *bytes = (uint8_t *)file->text;
    const size_t sizes = 2 * (size_t)load_u32(bytes + PAGES_AT_BUCKETS);
    stamma_pages *x;
    if (sizes <= file->size - PAGES_HEADER)
        store_u32(bytes + PAGES_AT_TABLE_CHECK, stamma_check32(bytes + PAGES_HEADER, sizes));
    seal(bytes, PAGES_HEADER);
    if (open_pages(file, file->size, &f->archive, &x) != STAMMA_OK)
        return;
    for (uint32_t n = 0; n < x->buckets; n++)
        seal(bytes + x->starts[n], (size_t)(x->starts[n + 1] - x->starts[n]));
    for (uint32_t n = 0; n < x->units; n++)
        seal(bytes + x->units_at + (size_t)n * PAGES_HEADER, PAGES_HEADER);
    stamma_pages_close(x);
}

static void ask_any(void *context, const pages_question *q, size_t ply)
{
    asking *a = context;
    stamma_tree *tree = NULL;
    bool found;
    (void)ply;
    if (a->asked++ % a->every != 0)
        return;
    assert_int_equal(stamma_tree_open(&q->position, NULL, &tree), STAMMA_OK);
    const stamma_error error = stamma_tree_add_pages(tree, stamma_text_of("a"), a->pages, q->before, q->count, &found);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
    a->corrupt += error == STAMMA_ERROR_CORRUPT;
    stamma_tree_close(tree);
}

static void right_checksums(void **state)
{
    const fixture *f = *state;
    const size_t cases = thinned_step(1) > 1 ? 100 : 400;
    size_t corrupt = 0;
    for (size_t n = 0; n < cases; n++) {
        listing changed = copy_of(&f->file);
        stamma_pages *pages;
        for (size_t k = random_below(4) + 1; k > 0; k--) {
            const bool early = random_below(3) == 0; /* the header and the first sizes */
            const size_t at = (size_t)random_below(early ? PAGES_AT_LENGTHS : changed.size);
            changed.text[at] = (char)(changed.text[at] ^ (random_below(2) > 0 ? (int)random_below(256) : 1));
        }
        seal_file(f, &changed);
        if (open_pages(&changed, changed.size, &f->archive, &pages) == STAMMA_OK) {
            asking a = {.pages = pages, .every = 97};
            for_each_question(&f->archive, ask_any, &a);
            corrupt += a.corrupt > 0;
            stamma_pages_close(pages);
        }
        free(changed.text);
    }
    assert_true(corrupt > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flipped_bits),
        cmocka_unit_test(cut_files),
        cmocka_unit_test(other_files),
        cmocka_unit_test(right_checksums),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
