/* SPDX-License-Identifier: MIT */
/* Tests flags of games. Sets are compared with an array; files are read again, truncated and altered; after appends and
 * a return to an earlier state, the games that stay keep their flags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "memory_file.h"

enum { GAMES = 300 };
#define A STAMMA_FLAG_LETTER('a')
#define Z STAMMA_FLAG_LETTER('z')

/* ---- archives ---- */

static listing make_text(size_t games)
{
    listing text = {0};
    for (size_t n = 0; n < games; n++)
        list_word(&text, "1. e4 *\n\n");
    return text;
}

static memory_file make_file(size_t games)
{
    listing text = make_text(games), archive = pack(text.text, text.size, NULL);
    memory_file file = memory_file_of(archive.text, archive.size);
    free(text.text);
    free(archive.text);
    return file;
}

static void append(memory_file *file, size_t games)
{
    listing text = make_text(games);
    memory_file_append(file, &text);
    free(text.text);
}

static stamma_archive *open_size(const memory_file *file, size_t size)
{
    const stamma_bytes all = stamma_bytes_of(file->bytes.text, size);
    stamma_archive *archive = NULL;
    assert_int_equal(stamma_archive_open(&all, NULL, &archive), STAMMA_OK);
    return archive;
}

static stamma_archive *open_file(const memory_file *file)
{
    return open_size(file, file->bytes.size);
}

static stamma_error read_flags(stamma_archive *archive, const listing *text, stamma_flags **flags)
{
    return stamma_flags_read(archive, (stamma_text){text->text, text->size}, flags);
}

static stamma_flags *no_flags(stamma_archive *archive)
{
    stamma_flags *flags = NULL;
    assert_int_equal(stamma_flags_read(archive, (stamma_text){NULL, 0}, &flags), STAMMA_OK);
    return flags;
}

static listing write_flags(const stamma_flags *flags, stamma_archive *archive)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    assert_int_equal(stamma_flags_write(flags, archive, &output), STAMMA_OK);
    return sink.bytes;
}

/* ---- names ---- */

static void test_names(void **state)
{
    char text[STAMMA_FLAGS_SIZE];
    uint32_t flag = 7;
    (void)state;
    assert_true(stamma_flag_read(stamma_text_of("deleted"), &flag) && flag == STAMMA_FLAG_DELETED);
    assert_true(stamma_flag_read(stamma_text_of("favourite"), &flag) && flag == STAMMA_FLAG_FAVOURITE);
    assert_true(stamma_flag_read(stamma_text_of("favorite"), &flag) && flag == STAMMA_FLAG_FAVOURITE);
    assert_true(stamma_flag_read(stamma_text_of("z"), &flag) && flag == Z);
    const char *const wrong[] = {"", "A", "aa", "{", "`", "delete", "favourites", "1"};
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        assert_false(stamma_flag_read(stamma_text_of(wrong[n]), &flag));
    assert_int_equal(flag, Z);
    assert_int_equal(stamma_flags_text(Z | STAMMA_FLAG_DELETED | A, text, sizeof text), 11);
    assert_string_equal(text, "deleted,a,z");
    assert_int_equal(stamma_flags_text(UINT32_MAX, text, sizeof text), 69);
    assert_int_equal(strlen(text), 69);
    assert_int_equal(stamma_flags_text(0, text, sizeof text), 0);
    assert_string_equal(text, "");
    memset(text, 'x', sizeof text);
    assert_int_equal(stamma_flags_text(STAMMA_FLAG_FAVOURITE, text, 9), 9);
    assert_true(text[0] == 0 && text[1] == 'x');
    assert_int_equal(stamma_flags_text(A, text, 0), 1);
    /* each name is read as its flag */
    for (unsigned n = 0; n < 28; n++) {
        (void)stamma_flags_text(1u << n, text, sizeof text);
        assert_true(stamma_flag_read(stamma_text_of(text), &flag) && flag == 1u << n);
    }
}

/* ---- sets ---- */

static void expect_flags(const stamma_flags *flags, const uint32_t *expected)
{
    for (uint64_t n = 0; n < GAMES + 2; n++)
        assert_int_equal(stamma_flags_of(flags, n), n > 0 && n <= GAMES ? expected[n] : 0);
    for (unsigned bit = 0; bit < 28; bit += 9) {
        uint64_t found = 0;
        for (uint64_t n = 1; n <= GAMES + 1; n++) {
            if (n > found && (found = n) > 0)
                while (found <= GAMES && !(expected[found] >> bit & 1))
                    found++;
            assert_int_equal(stamma_flags_next(flags, n, 1u << bit), found > GAMES ? 0 : found);
        }
    }
}

static void test_random_sets(void **state)
{
    memory_file file = make_file(GAMES);
    stamma_archive *archive = open_file(&file);
    (void)state;
    for (int round = 0; round < 30; round++) {
        uint32_t expected[GAMES + 1] = {0};
        stamma_flags *flags = no_flags(archive), *again = NULL;
        for (int step = 0; step < 20 * round; step++) {
            const uint64_t first = 1 + random_below(GAMES), last = first + random_below(round % 3 ? 1 : 20);
            const uint32_t value = random_below(3) ? (uint32_t)1 << random_below(28) : 0;
            for (uint64_t n = first; n <= last && n <= GAMES; n++) {
                assert_int_equal(stamma_flags_set(flags, n, value), STAMMA_OK);
                expected[n] = value;
            }
        }
        expect_flags(flags, expected);
        listing text = write_flags(flags, archive);
        assert_int_equal(read_flags(archive, &text, &again), STAMMA_OK);
        expect_flags(again, expected);
        listing second = write_flags(again, archive);
        assert_int_equal(text.size, second.size);
        assert_memory_equal(text.text, second.text, text.size);
        free(text.text);
        free(second.text);
        stamma_flags_close(flags);
        stamma_flags_close(again);
    }
    stamma_archive_close(archive);
    free(file.bytes.text);
}

/* ---- files ---- */

/* The text of a file, so that its form does not change unnoticed (doc/reference/flags.md). */
static void test_file(void **state)
{
    memory_file file = make_file(20);
    stamma_archive *archive = open_file(&file);
    stamma_archive_state now;
    stamma_flags *flags = no_flags(archive);
    char expected[200];
    (void)state;
    assert_int_equal(stamma_archive_state_now(archive, &now), STAMMA_OK);
    for (uint64_t n = 12; n >= 9; n--)
        assert_int_equal(stamma_flags_set(flags, n, STAMMA_FLAG_DELETED | A), STAMMA_OK);
    assert_int_equal(stamma_flags_set(flags, 20, STAMMA_FLAG_FAVOURITE), STAMMA_OK);
    listing text = write_flags(flags, archive);
    snprintf(expected, sizeof expected, "stamma flags 1\nstate %llu %016llx 20\n9..12 deleted,a\n20 favourite\nend 2\n",
             (unsigned long long)now.end, (unsigned long long)now.check);
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.text, expected, text.size);
    free(text.text);
    stamma_flags_close(flags);
    stamma_archive_close(archive);
    free(file.bytes.text);
}

/* A truncated file, and a file with a changed byte, is refused, or has other flags only where a byte of a flag or of a
 * number was changed; it is never read beyond its end. */
static void test_damaged_files(void **state)
{
    memory_file file = make_file(20);
    stamma_archive *archive = open_file(&file);
    stamma_flags *flags = no_flags(archive), *read = NULL;
    (void)state;
    assert_int_equal(stamma_flags_set(flags, 3, A), STAMMA_OK);
    assert_int_equal(stamma_flags_set(flags, 15, Z), STAMMA_OK);
    listing text = write_flags(flags, archive);
    for (size_t size = 1; size < text.size; size++) {
        const listing cut = {.text = text.text, .size = size};
        assert_int_equal(read_flags(archive, &cut, &read), STAMMA_ERROR_SYNTAX);
    }
    for (size_t n = 0; n < text.size; n++)
        for (int byte = 0; byte < 256; byte++) {
            listing changed = {.text = malloc(text.size), .size = text.size};
            assert_non_null(changed.text);
            memcpy(changed.text, text.text, text.size);
            changed.text[n] = (char)byte;
            stamma_error error = read_flags(archive, &changed, &read);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_SYNTAX || error == STAMMA_ERROR_MISMATCH);
            if (error == STAMMA_OK)
                stamma_flags_close(read);
            free(changed.text);
        }
    const char *const wrong[] = {"x",
                                 "stamma flags 2\n",
                                 "stamma flags 1\nend 0",
                                 "stamma flags 1\nend 1\n",
                                 "stamma flags 1\nend 0\n\n",
                                 "stamma flags 1\n1 a\nend 1\n"};
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        assert_int_equal(stamma_flags_read(archive, stamma_text_of(wrong[n]), &read), STAMMA_ERROR_SYNTAX);
    assert_int_equal(stamma_flags_read(archive, stamma_text_of("stamma flags 1\nend 0\n"), &read),
                     STAMMA_ERROR_MISMATCH);
    free(text.text);
    stamma_flags_close(flags);
    stamma_archive_close(archive);
    free(file.bytes.text);
}

/* ---- states ---- */

static void expect(const memory_file *file, size_t size, const listing *text, stamma_error wanted, uint32_t third,
                   uint32_t twentieth)
{
    stamma_archive *archive = open_size(file, size);
    stamma_flags *flags = NULL;
    assert_int_equal(read_flags(archive, text, &flags), wanted);
    assert_int_equal(stamma_flags_of(flags, 3), third);
    assert_int_equal(stamma_flags_of(flags, 20), twentieth);
    stamma_flags_close(flags);
    stamma_archive_close(archive);
}

static void test_states(void **state)
{
    memory_file file = make_file(10), other = make_file(25);
    const size_t first = file.bytes.size;
    (void)state;
    append(&file, 15);
    const size_t second = file.bytes.size;
    stamma_archive *archive = open_file(&file);
    stamma_flags *flags = no_flags(archive);
    assert_int_equal(stamma_flags_set(flags, 3, A), STAMMA_OK);
    assert_int_equal(stamma_flags_set(flags, 20, Z), STAMMA_OK);
    listing text = write_flags(flags, archive);
    append(&file, 5);
    expect(&file, file.bytes.size, &text, STAMMA_OK, A, Z); /* appended games have no flags */
    expect(&file, second, &text, STAMMA_OK, A, Z);
    expect(&file, first, &text, STAMMA_OK, A, 0); /* game 20 does not exist any more */
    expect(&other, other.bytes.size, &text, STAMMA_ERROR_MISMATCH, 0, 0);
    /* other games with the numbers of those that were removed do not have their flags */
    memory_file_cut(&file, first);
    append(&file, 16);
    expect(&file, file.bytes.size, &text, STAMMA_OK, A, 0);
    /* a file of two parts fits both archives */
    stamma_archive *rewritten = open_file(&other);
    stamma_flags *moved = no_flags(rewritten);
    assert_int_equal(stamma_flags_set(moved, 20, A), STAMMA_OK);
    listing part = write_flags(moved, rewritten);
    list_bytes(&text, part.text, part.size);
    expect(&file, file.bytes.size, &text, STAMMA_OK, A, 0);
    expect(&other, other.bytes.size, &text, STAMMA_OK, 0, A);
    stamma_flags_close(moved);
    stamma_archive_close(rewritten);
    stamma_flags_close(flags);
    stamma_archive_close(archive);
    free(part.text);
    free(text.text);
    free(file.bytes.text);
    free(other.bytes.text);
}

/* ---- games and queries ---- */

static size_t find(stamma_archive *archive, const char *json, uint64_t *last)
{
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    size_t count = 0;
    assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    assert_true(stamma_query_uses_flags(query) == (strstr(json, "flag") != NULL));
    assert_int_equal(stamma_search_open(archive, query, NULL, &search), STAMMA_OK);
    while (stamma_search_next(search, &match) == STAMMA_OK && match) {
        *last = match->game;
        count++;
    }
    stamma_search_close(search);
    stamma_query_close(query);
    return count;
}

static void test_queries(void **state)
{
    memory_file file = make_file(GAMES);
    stamma_archive *archive = open_file(&file);
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game = NULL;
    stamma_flags *flags = no_flags(archive);
    uint64_t last = 0;
    (void)state;
    assert_int_equal(find(archive, "{\"flag\": \"a\"}", &last), 0);
    for (uint64_t n = 100; n < 150; n++)
        assert_int_equal(stamma_flags_set(flags, n, n % 2 ? A : A | Z), STAMMA_OK);
    assert_int_equal(stamma_archive_use_flags(archive, flags), STAMMA_OK);
    assert_int_equal(find(archive, "{\"flag\": \"a\"}", &last), 50);
    assert_int_equal(last, 149);
    assert_int_equal(find(archive, "{\"flag\": \"z\"}", &last), 25);
    assert_int_equal(find(archive, "{\"flag\": [\"z\", \"deleted\"], \"plies\": 1}", &last), 25);
    assert_int_equal(find(archive, "{\"not\": {\"flag\": \"a\"}}", &last), GAMES - 50);
    assert_int_equal(find(archive,
                          "{\"any\": [{\"flag\": \"deleted\"}, {\"flag\": \"z\"}], \"fen\": "
                          "\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}",
                          &last),
                     25);
    assert_int_equal(find(archive, "{\"flag\": \"a\", \"limit\": 3, \"offset\": 1}", &last), 3);
    assert_int_equal(last, 103);
    assert_int_equal(find(archive, "{\"plies\": 1}", &last), GAMES);
    assert_int_equal(stamma_archive_reader_open(archive, NULL, &reader), STAMMA_OK);
    for (uint64_t n = 1; n <= GAMES; n++) {
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(game->flags, stamma_flags_of(flags, n));
    }
    stamma_archive_reader_close(reader);
    assert_int_equal(stamma_archive_use_flags(archive, NULL), STAMMA_OK);
    assert_int_equal(find(archive, "{\"flag\": \"a\"}", &last), 0);
    stamma_flags_close(flags);
    stamma_archive_close(archive);
    free(file.bytes.text);
}

/* ---- errors ---- */

static void test_errors(void **state)
{
    memory_file file = make_file(2), larger = make_file(5);
    stamma_archive *archive = open_file(&file), *more = open_file(&larger);
    stamma_flags *flags = no_flags(archive), *many = no_flags(more), *none = NULL;
    archive_sink sink = {.fail_at = 1};
    const stamma_output output = archive_output(&sink);
    (void)state;
    assert_int_equal(stamma_flags_set(flags, 0, A), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_set(flags, 3, A), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_set(flags, 1, 1u << 28), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_set(NULL, 1, A), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_read(NULL, stamma_text_of(""), &none), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_read(archive, (stamma_text){NULL, 1}, &none), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_read(archive, stamma_text_of(""), NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_write(NULL, archive, &output), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_write(flags, NULL, &output), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_write(flags, archive, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_use_flags(NULL, flags), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_flags_of(NULL, 1), 0);
    assert_int_equal(stamma_flags_next(NULL, 1, A), 0);
    assert_false(stamma_query_uses_flags(NULL));
    assert_int_equal(stamma_flags_set(many, 5, A), STAMMA_OK);
    assert_int_equal(stamma_flags_write(many, archive, &output), STAMMA_ERROR_BAD_ARGUMENT); /* there is no game 5 */
    assert_int_equal(sink.writes, 0);
    assert_int_equal(stamma_flags_write(many, more, &output), STAMMA_ERROR_IO);
    assert_null(none);
    stamma_flags_close(NULL);
    stamma_flags_close(flags);
    stamma_flags_close(many);
    stamma_archive_close(archive);
    stamma_archive_close(more);
    free(sink.bytes.text);
    free(file.bytes.text);
    free(larger.bytes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),         cmocka_unit_test(test_random_sets), cmocka_unit_test(test_file),
        cmocka_unit_test(test_damaged_files), cmocka_unit_test(test_states),      cmocka_unit_test(test_queries),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
