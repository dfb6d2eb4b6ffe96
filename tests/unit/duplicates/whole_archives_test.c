/* SPDX-License-Identifier: MIT */
/* Tests adding all games of archives to duplicates and to names: the results equal the results of adding each game, and
 * the errors equal the errors of the games and of the archive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "container/container.h"
#include "value_games.h"

enum { ARCHIVES = 3, GAMES = 60 };

typedef struct fixture {
    listing packed[ARCHIVES];
    stamma_archive *archives[ARCHIVES];
    uint64_t games[ARCHIVES];
} fixture;

/* Makes archives of two blocks. Some games are in all archives, others in one archive only. Text follows the last
 * game. */
static int set_up(void **state)
{
    static fixture f;
    listing common = {0};
    list_tagged_games(&common, GAMES);
    for (unsigned n = 0; n < ARCHIVES; n++) {
        listing text = {0}, parts[2] = {pack(common.text, common.size, NULL)};
        list_tagged_games(&text, GAMES + n);
        list_word(&text, "{ the end }\n");
        parts[1] = pack(text.text, text.size, NULL);
        f.packed[n] = copy_archives(parts, 2, NULL);
        f.archives[n] = open_handle(&f.packed[n]);
        assert_int_equal(stamma_archive_games(f.archives[n], &f.games[n]), STAMMA_OK);
        free(parts[0].text);
        free(parts[1].text);
        free(text.text);
    }
    free(common.text);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (unsigned n = 0; n < ARCHIVES; n++) {
        stamma_archive_close(f->archives[n]);
        free(f->packed[n].text);
    }
    return 0;
}

/* Calls `add` for each game of an archive. Returns the number of continuations. */
static size_t add_each(stamma_archive *archive, unsigned parts,
                       stamma_error (*add)(void *to, const stamma_archive_game *game), void *to)
{
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game = NULL;
    size_t continuations = 0;
    assert_int_equal(stamma_archive_reader_open(archive, NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        continuations += game->continuation;
        if (!game->continuation)
            assert_int_equal(add(to, game), STAMMA_OK);
    }
    stamma_archive_reader_close(reader);
    return continuations;
}

/* ---- duplicates ---- */

static stamma_error add_duplicate(void *to, const stamma_archive_game *game)
{
    return stamma_duplicates_add(to, game);
}

static listing list_duplicates(const stamma_duplicates *d)
{
    listing found = {0};
    for (size_t n = 0; n < stamma_duplicates_count(d); n++) {
        stamma_duplicate one;
        assert_int_equal(stamma_duplicates_at(d, n, &one), STAMMA_OK);
        list_format(&found, "%u:%d ", (unsigned)one.kept, (int)one.kind);
    }
    return found;
}

/* Finds the duplicates in all archives. Each archive is added by one call or game by game. */
static listing find_duplicates(const fixture *f, bool whole)
{
    stamma_duplicates *d = NULL;
    unsigned passes = 0;
    assert_int_equal(stamma_duplicates_open(NULL, &d), STAMMA_OK);
    for (unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES; parts != 0; passes++) {
        for (unsigned n = 0; n < ARCHIVES; n++)
            if (whole)
                assert_int_equal(stamma_duplicates_add_archive(d, f->archives[n], parts, NULL), STAMMA_OK);
            else
                assert_true(add_each(f->archives[n], parts, add_duplicate, d) > 0);
        assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
    }
    assert_true(passes > 1);
    assert_int_equal(stamma_duplicates_count(d), f->games[0] + f->games[1] + f->games[2]);
    listing found = list_duplicates(d);
    stamma_duplicates_close(d);
    return found;
}

static void duplicates_of_archives(void **state)
{
    const fixture *f = *state;
    listing whole = find_duplicates(f, true), each = find_duplicates(f, false);
    assert_string_equal(whole.text, each.text);
    assert_non_null(strstr(whole.text, ":1 "));
    free(whole.text);
    free(each.text);
}

/* A pass with more games than the first. */
static void more_games(void **state)
{
    const fixture *f = *state;
    stamma_duplicates *d = NULL;
    unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
    stamma_place place = {.offset = 77};
    assert_int_equal(stamma_duplicates_open(NULL, &d), STAMMA_OK);
    for (unsigned n = 0; n < 2; n++)
        assert_int_equal(stamma_duplicates_add_archive(d, f->archives[0], parts, &place), STAMMA_OK);
    assert_int_equal(place.offset, 77);
    assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
    assert_int_not_equal(parts, 0);
    for (unsigned n = 0; n < 2; n++)
        assert_int_equal(stamma_duplicates_add_archive(d, f->archives[0], parts, &place), STAMMA_OK);
    assert_int_equal(stamma_duplicates_add_archive(d, f->archives[1], parts, &place), STAMMA_ERROR_MISMATCH);
    stamma_duplicates_close(d);
}

/* ---- names ---- */

static stamma_error add_name(void *to, const stamma_archive_game *game)
{
    return stamma_names_add(to, game);
}

static listing find_names(const fixture *f, bool whole)
{
    stamma_names *names = NULL;
    listing found = {0};
    assert_int_equal(stamma_names_open(NULL, &names), STAMMA_OK);
    for (unsigned n = 0; n < ARCHIVES; n++)
        if (whole)
            assert_int_equal(stamma_names_add_archive(names, f->archives[n], NULL), STAMMA_OK);
        else
            assert_true(add_each(f->archives[n], STAMMA_GAME_TAGS, add_name, names) > 0);
    assert_int_equal(stamma_names_find(names), STAMMA_OK);
    for (size_t n = 0; n < stamma_names_count(names); n++) {
        stamma_name_decision d;
        assert_int_equal(stamma_names_at(names, n, &d), STAMMA_OK);
        list_bytes(&found, d.from.data, d.from.size);
        list_word(&found, " > ");
        list_bytes(&found, d.to.data, d.to.size);
        list_format(&found, " %d %u\n", d.certain, (unsigned)d.games);
    }
    stamma_names_close(names);
    return found;
}

static void names_of_archives(void **state)
{
    const fixture *f = *state;
    listing whole = find_names(f, true), each = find_names(f, false);
    assert_true(whole.size > 0);
    assert_string_equal(whole.text, each.text);
    free(whole.text);
    free(each.text);
}

/* ---- errors ---- */

typedef stamma_error adder(stamma_archive *archive, stamma_place *place);

static stamma_error add_to_duplicates(stamma_archive *archive, stamma_place *place)
{
    stamma_duplicates *d = NULL;
    assert_int_equal(stamma_duplicates_open(NULL, &d), STAMMA_OK);
    const stamma_error error = stamma_duplicates_add_archive(d, archive, STAMMA_GAME_ALL, place);
    stamma_duplicates_close(d);
    return error;
}

static stamma_error add_to_names(stamma_archive *archive, stamma_place *place)
{
    stamma_names *names = NULL;
    assert_int_equal(stamma_names_open(NULL, &names), STAMMA_OK);
    const stamma_error error = stamma_names_add_archive(names, archive, place);
    stamma_names_close(names);
    return error;
}

/* The second block is damaged: the place is its offset, unless damage is skipped. */
static void damaged_archives(void **state)
{
    static adder *const adders[] = {add_to_duplicates, add_to_names};
    const fixture *f = *state;
    listing copy = {0};
    list_bytes(&copy, f->packed[0].text, f->packed[0].size);
    const size_t second = next_frame(&copy, ARCHIVE_HEADER_SIZE);
    copy.text[second + FRAME_HEADER_SIZE] ^= 1; /* its head */
    const stamma_bytes bytes = stamma_bytes_of(copy.text, copy.size);
    for (unsigned n = 0; n < 4; n++) {
        const stamma_archive_options options = {.size = sizeof options, .skip_damage = n % 2};
        stamma_archive *archive = NULL;
        stamma_place place = {.offset = 77};
        assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
        assert_int_equal(adders[n / 2](archive, &place), n % 2 ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        assert_int_equal(place.offset, n % 2 ? 77 : second);
        assert_int_equal(adders[n / 2](archive, NULL), n % 2 ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        stamma_archive_close(archive);
    }
    free(copy.text);
}

/* Each read of the file fails once. */
static void failing_reads(void **state)
{
    static adder *const adders[] = {add_to_duplicates, add_to_names};
    const fixture *f = *state;
    for (unsigned n = 0; n < 2; n++) {
        unsigned failed = 0;
        stamma_error error = STAMMA_ERROR_IO;
        for (unsigned fail_at = 1; error != STAMMA_OK; fail_at++) {
            archive_source source = {.bytes = f->packed[0].text, .size = f->packed[0].size, .fail_at = fail_at};
            const stamma_bytes bytes = source_bytes(&source);
            stamma_archive *archive = NULL;
            error = stamma_archive_open(&bytes, NULL, &archive);
            if (error == STAMMA_OK)
                error = adders[n](archive, NULL);
            assert_int_equal(error, source.calls < fail_at ? STAMMA_OK : STAMMA_ERROR_IO);
            failed += error != STAMMA_OK;
            stamma_archive_close(archive);
        }
        assert_true(failed > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duplicates_of_archives), cmocka_unit_test(more_games),    cmocka_unit_test(names_of_archives),
        cmocka_unit_test(damaged_archives),       cmocka_unit_test(failing_reads),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
