/* SPDX-License-Identifier: MIT */
/* Tests the comparison of index files with their archives: an index that the writer made has no differences. A changed
 * byte of any section is noticed although all checksums are right, unless no answer depends on the byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "index_fixture.h"

static stamma_error compare_with(const index_fixture *f, const listing *file, const stamma_allocator *allocator,
                                 const stamma_index_verify_options *options, uint64_t *differences)
{
    const stamma_bytes bytes = stamma_bytes_of(f->archive.text, f->archive.size);
    const stamma_bytes index = stamma_bytes_of(file->text, file->size);
    const stamma_archive_options of_archive = {.size = sizeof of_archive, .allocator = allocator, .index = &index};
    stamma_archive *archive = NULL;
    *differences = 0;
    stamma_error error = stamma_archive_open(&bytes, &of_archive, &archive);
    if (error == STAMMA_OK)
        error = stamma_index_verify(archive, options, differences);
    stamma_archive_close(archive);
    return error;
}

static stamma_error compare(const index_fixture *f, const listing *file, uint64_t *differences)
{
    return compare_with(f, file, NULL, NULL, differences);
}

/* Games that differ in their last moves, so that nodes have sums and keys are crowded. */
static listing make_many(unsigned part)
{
    static const char *const white[] = {"a3", "b3", "c3", "d3", "g3", "h3"};
    static const char *const black[] = {"a6", "b6", "c6", "d6", "g6", "h6"};
    static const char *const third[] = {"Nf3", "Nh3", "Ne2", "Be2"}, *const last[] = {"Nf6", "Nh6", "Ne7", "Be7"};
    listing text = {0};
    for (unsigned n = 1500 * part; n < 1500 * (part + 1); n++) {
        const unsigned w = n % 6, b = n / 30 % 6;
        const unsigned other_w = (w + 1 + n / 6 % 5) % 6, other_b = (b + 1 + n / 180 % 5) % 6;
        list_format(&text, "[White \"W%u\"]\n[Black \"B%u\"]\n[WhiteElo \"%u\"]\n[BlackElo \"%u\"]\n\n", n % 50, n % 40,
                    2000 + n % 90, 1900 + n % 70);
        list_format(&text, "1. e4 e5 2. %s %s 3. %s %s 4. %s %s %s\n\n", white[w], black[b], white[other_w],
                    black[other_b], third[n / 900 % 4], last[n / 3600], n % 2 ? "1-0" : "0-1");
    }
    return text;
}

static void count_part(void *context, const stamma_index_difference *d)
{
    assert_non_null(d->part);
    ++*(uint64_t *)context;
}

/* ---- indexes of the writer ---- */

static void test_equal(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 30, 0};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        index_fixture f;
        uint64_t differences;
        index_fixture_init(&f, n == 2 ? make_many : index_fixture_text, sizes[n]);
        assert_int_equal(compare(&f, &f.file, &differences), STAMMA_OK);
        assert_int_equal(differences, 0);
        index_fixture_release(&f);
    }
}

/* ---- changed bytes ---- */

/* Returns whether the comparison notices inverted bits of a byte. */
static bool notices(const index_fixture *f, const listing *file, uint64_t at, unsigned bits)
{
    uint64_t differences, reported = 0;
    const stamma_index_verify_options options = {
        .size = sizeof options, .context = &reported, .difference = count_part};
    file->text[at] = (char)(file->text[at] ^ (int)bits);
    index_seal(file);
    const stamma_error error = compare_with(f, file, NULL, &options, &differences);
    file->text[at] = (char)(file->text[at] ^ (int)bits);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
    assert_true(error != STAMMA_OK || differences == reported);
    return error != STAMMA_OK || differences > 0;
}

/* Returns the number of bytes of a section that may be unused: ends of packed numbers, which are 8 bytes each; the
 * places of games without codes in a group; the other rating of a game with an odd rating; and of the entries of both
 * blocks the sizes of groups, which are only limits, and three bytes of the number that is 0 or 1. */
static uint64_t unused(unsigned section)
{
    switch (section) {
    case SECTION_GAMES: return 60;
    case SECTION_FACTS: return 4;
    case SECTION_NODE_LISTS:
    case SECTION_DAYS:
    case SECTION_RESULTS:
    case SECTION_PLAYERS: return 9;
    case SECTION_NODE_FIRST:
    case SECTION_NODE_STARTS:
    case SECTION_GROUP_STARTS:
    case SECTION_LIST_STARTS:
    case SECTION_NAME_STARTS:
    case SECTION_NAME_LIST_STARTS: return 18;
    case SECTION_BLOCKS: return 22;
    case SECTION_LENGTHS:                      /* most codes occur in no game */
    case SECTION_OWN_MOVES: return UINT64_MAX; /* codes of moves in the trie are not used */
    case SECTION_NAME_LISTS: return 9;         /* ends of lists */
    default: return 0;
    }
}

/* Returns whether enough changes of a section are noticed. */
static bool change_section(const index_fixture *f, const listing *file, unsigned section, uint64_t step)
{
    size_t size;
    const uint64_t begin = (uint64_t)(index_section_of(file, 0, (index_section)section, &size) - (uint8_t *)file->text);
    uint64_t missed = 0;
    for (uint64_t n = 0; n < size; n += step)
        missed += !notices(f, file, begin + n, 1u << n % 7);
    if (missed > unused(section))
        print_error("section %u: %u changed bytes are not noticed\n", section, (unsigned)missed);
    return missed <= unused(section);
}

/* Each section of an index whose first segment has two blocks. */
static void test_each_section(void **state)
{
    (void)state;
    index_fixture f;
    index_fixture_init(&f, index_fixture_text, 30);
    listing file = index_copy(&f.file);
    bool right = true;
    for (unsigned section = 0; section < INDEX_SECTIONS; section++) {
        size_t size;
        (void)index_section_of(&file, 0, (index_section)section, &size);
        right &= change_section(&f, &file, section, size > 200 ? size / 100 : 1);
    }
    assert_true(right);
    free(file.text);
    index_fixture_release(&f);
}

/* Sections that only segments with many games have. */
static void test_sums(void **state)
{
    (void)state;
    index_fixture f;
    index_fixture_init(&f, make_many, 0);
    listing file = index_copy(&f.file);
    static const unsigned sections[] = {SECTION_CROWDED, SECTION_SUM_NODES, SECTION_SUMS};
    for (size_t n = 0; n < sizeof sections / sizeof *sections; n++) {
        size_t size;
        (void)index_section_of(&file, 0, (index_section)sections[n], &size);
        assert_true(size > 0);
        assert_true(change_section(&f, &file, sections[n], size / 8 + 1));
    }
    free(file.text);
    index_fixture_release(&f);
}

static listing games(unsigned part)
{
    return part == 1 ? index_fixture_text(part) : read_file("data/games.pgn");
}

static void test_optional(void **state)
{
    (void)state;
    index_fixture f;
    index_fixture_init(&f, games, 100);
    listing file = index_copy(&f.file);
    static const unsigned sections[] = {SECTION_ENDGAMES, SECTION_ENDGAME_LISTS, SECTION_OPENINGS, SECTION_CODES};
    for (size_t n = 0; n < sizeof sections / sizeof *sections; n++) {
        size_t size;
        (void)index_section_of(&file, 0, (index_section)sections[n], &size);
        assert_true(size > 0);
        assert_true(change_section(&f, &file, sections[n], size / 20 + 1));
    }
    free(file.text);
    index_fixture_release(&f);
}

/* ---- errors ---- */

static bool stop(void *context, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return --*(int *)context > 0;
}

static void test_errors(void **state)
{
    (void)state;
    index_fixture f, other;
    uint64_t differences;
    int calls = 2;
    const stamma_index_verify_options options = {.size = sizeof options, .context = &calls, .progress = stop};
    index_fixture_init(&f, index_fixture_text, 30);
    index_fixture_init(&other, make_many, 0);
    assert_int_equal(compare(&f, &other.file, &differences), STAMMA_ERROR_MISMATCH);
    assert_int_equal(compare(&f, &f.archive, &differences), STAMMA_ERROR_NO_ARCHIVE);
    f.file.text[INDEX_PAGE + 5] ^= 1; /* the checksum of the page is wrong */
    assert_int_equal(compare(&f, &f.file, &differences), STAMMA_ERROR_CORRUPT);
    f.file.text[INDEX_PAGE + 5] ^= 1;
    assert_int_equal(compare_with(&f, &f.file, NULL, &options, &differences), STAMMA_ERROR_CANCELLED);
    other.archive.text[ARCHIVE_HEADER_SIZE + 200] ^= 1; /* a block, but not the end that identifies the archive */
    assert_int_equal(compare(&other, &other.file, &differences), STAMMA_ERROR_CORRUPT);
    index_fixture_release(&other);
    index_fixture_release(&f);
}

static void test_no_memory(void **state)
{
    (void)state;
    index_fixture f;
    index_fixture_init(&f, index_fixture_text, 30);
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    for (unsigned fail_at = 1; error != STAMMA_OK; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator allocator = failing_allocator(&memory);
        uint64_t differences;
        error = compare_with(&f, &f.file, &allocator, NULL, &differences);
        assert_int_equal(memory.alive, 0);
        assert_true(error == STAMMA_ERROR_NO_MEMORY || error == STAMMA_OK);
        assert_int_equal(differences, 0);
    }
    index_fixture_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal),  cmocka_unit_test(test_each_section),
                                       cmocka_unit_test(test_sums),   cmocka_unit_test(test_optional),
                                       cmocka_unit_test(test_errors), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
