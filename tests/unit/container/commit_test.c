/* SPDX-License-Identifier: MIT */
/* Tests reading commits (clause 7.1 of the format), the numbers of damaged blocks that are derived from commits, and
 * headers of archives and sources that are too short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "container/container.h"
#include "pgn_support.h"

/* ---- payloads ---- */

/* A commit that lists equal blocks and ends with these bytes. */
static listing commit_of(unsigned blocks, const char *end)
{
    listing payload = {0};
    list_bytes(&payload, "\x11\0\0\0\0\0\0\0\1", 9);
    list_bytes(&payload, "\1\2\3\4\5\6\7\10\11", 9); /* the totals */
    const char count[2] = {(char)(blocks % 128 | 128), (char)(blocks / 128)};
    list_bytes(&payload, blocks < 128 ? (const char[]){(char)blocks} : count, blocks < 128 ? 1 : 2);
    for (unsigned n = 0; n < blocks; n++)
        list_bytes(&payload, "\40\2\24", 3);
    list_bytes(&payload, "\x33\0\0\0\0\0\0\0", 8);
    list_bytes(&payload, end, strlen(end));
    return payload;
}

static void expect_commit(const listing *payload, size_t size, stamma_error expected, unsigned blocks)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    commit c = {.start = 16};
    uint8_t *copy = malloc(size + 1); /* the sanitizers notice a read after its end */
    assert_non_null(copy);
    memcpy(copy, payload->text, size);
    assert_int_equal(stamma_commit_read(copy, size, &c, &allocator), expected);
    if (expected == STAMMA_OK) {
        assert_true(c.finished && c.previous == 0x11 && c.offset == 0x33 && c.blocks == 9);
        assert_true(c.totals.games == 1 && c.totals.text_size == 4 && c.totals.verbatim_bytes == 8);
        assert_int_equal(c.places.count, blocks);
        assert_int_equal(c.places.places[blocks - 1].offset, 16 + 32 * blocks);
        assert_int_equal(c.places.places[blocks - 1].text_size, 20);
    }
    memory_release(&allocator, c.places.places);
    free(copy);
}

static void test_commits(void **state)
{
    (void)state;
    static const struct {
        unsigned blocks;
        const char *end;
        stamma_error error;
    } cases[] = {
        {3, "StEndCmt", STAMMA_OK},
        {COMMIT_BLOCKS_MAX, "StEndCmt", STAMMA_OK},
        {COMMIT_BLOCKS_MAX + 1, "StEndCmt", STAMMA_ERROR_CORRUPT},
        {3, "StEndCmu", STAMMA_ERROR_CORRUPT},
        {3, "StEndCmtx", STAMMA_ERROR_CORRUPT},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        listing payload = commit_of(cases[n].blocks, cases[n].end);
        expect_commit(&payload, payload.size, cases[n].error, cases[n].blocks);
        for (size_t size = 0; n == 0 && size < payload.size; size++)
            expect_commit(&payload, size, STAMMA_ERROR_CORRUPT, 0);
        payload.text[8] = 2; /* an unknown flag */
        expect_commit(&payload, payload.size, STAMMA_ERROR_CORRUPT, 0);
        free(payload.text);
    }
}

/* Reads an archive that is shorter than a header. */
static void test_format(void **state)
{
    (void)state;
    uint8_t header[ARCHIVE_HEADER_SIZE];
    unsigned major = 7, minor = 7;
    stamma_archive_header_write(header);
    for (size_t size = 0; size < sizeof header; size++)
        assert_int_equal(stamma_archive_format(header, size, &major, &minor), STAMMA_ERROR_NO_ARCHIVE);
    assert_true(major == 7 && minor == 7);
    assert_int_equal(stamma_archive_format(header, sizeof header, &major, &minor), STAMMA_OK);
    assert_true(major == FORMAT_MAJOR && minor == FORMAT_MINOR);
}

/* Sources without the end of a name, and shorter sources (7.6). */
static void test_sources(void **state)
{
    (void)state;
    static const char right[] = "\5\6" /* offset, size */ "hash..hash..hash..hash..hash..12"
                                "\7"
                                "a name";
    stamma_archive_source s;
    assert_int_equal(sizeof right, 2 + 32 + 1 + 7);
    assert_true(stamma_source_read((const uint8_t *)right, sizeof right, &s));
    assert_true(s.text_offset == 5 && s.text_size == 6 && s.time == 7 && s.name.size == 6);
    assert_memory_equal(s.sha256, right + 2, 32);
    assert_memory_equal(s.name.data, "a name", 6);
    for (size_t size = 0; size < sizeof right; size++)
        assert_false(stamma_source_read((const uint8_t *)right, size, &s));
}

/* ---- numbers ---- */

/* Adds a finding of `count` blocks from `number` on. `games` and `bytes` may be unknown (UINT64_MAX). */
static finding *add(findings *all, bool block, uint64_t number, uint64_t count, uint64_t games, uint64_t bytes)
{
    finding *f = stamma_findings_add(all, 0, 0);
    assert_non_null(f);
    f->block = block;
    f->number = number;
    f->spans[SPAN_BLOCKS].size = count;
    f->spans[SPAN_GAMES] = (span){.size = games == UINT64_MAX ? 0 : games, .known = games != UINT64_MAX};
    f->spans[SPAN_BYTES] = (span){.size = bytes == UINT64_MAX ? 0 : bytes, .known = bytes != UINT64_MAX};
    return f;
}

/* Completes a finding from a commit with 10 blocks. The commit lists the last three blocks. */
static void test_learning(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    block_place places[3] = {{0, 1, 100}, {0, 2, 200}, {0, 3, 300}};
    const commit c = {.blocks = 10, .places = {places, 3, 3}};
    static const uint64_t none = UINT64_MAX;
    const struct {
        bool block;
        uint64_t number, count, games, bytes;
        bool right;
        uint64_t learned; /* games afterwards; UINT64_MAX: unknown */
    } cases[] = {
        {true, 7, 1, none, none, true, 1},    {true, 9, 1, none, none, true, 3},
        {true, 6, 1, none, none, true, none}, {true, 10, 1, none, none, true, none},
        {false, 8, 2, none, none, true, 5},   {false, 8, 3, none, none, true, none},
        {true, 8, 1, 2, 200, true, 2},        {true, 8, 1, 1, 200, false, 1},
        {true, 8, 1, 2, 201, false, 2},       {false, 8, 1, 1, 1, true, 2},
        {false, 8, 0, 0, 0, true, 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        findings all = {.allocator = &allocator};
        finding *f = add(&all, cases[n].block, cases[n].number, cases[n].count, cases[n].games, cases[n].bytes);
        assert_int_equal(stamma_findings_learn(&all, &c), cases[n].right);
        const span *games = &f->spans[SPAN_GAMES];
        assert_int_equal(games->known ? games->size : none, cases[n].learned);
        stamma_findings_release(&all);
    }
}

static void expect_span(const findings *all, size_t n, uint64_t begin, uint64_t end)
{
    assert_int_equal(all->list[n].spans[SPAN_GAMES].begin, begin);
    assert_int_equal(all->list[n].spans[SPAN_GAMES].end, end);
}

/* Findings are numbered from the front up to the first unknown size, and from the back; findings between have a range.
 * Totals may contradict the sizes: even then, numbers never decrease. */
static void test_locating(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (uint64_t total = 0; total < 30; total++) {
        findings all = {.allocator = &allocator};
        const uint64_t after[SPANS] = {0, total, 0};
        add(&all, true, 0, 1, 4, 0);
        add(&all, true, 1, 1, UINT64_MAX, 0);
        add(&all, false, 2, 0, 0, 0);
        add(&all, true, 2, 1, 5, 0);
        stamma_findings_locate(&all, after);
        const bool fits = total >= 9;
        const uint64_t high = fits ? total - 5 : total >= 4 ? total : UINT64_MAX;
        expect_span(&all, 0, 0, 4);
        expect_span(&all, 1, 4, high);
        expect_span(&all, 2, fits ? high : 4, fits ? high : 4);
        expect_span(&all, 3, fits ? high : 4, fits ? total : high);
        assert_true(!all.adrift[SPAN_GAMES] && all.before[SPAN_GAMES] == total);
        stamma_findings_release(&all);
    }
}

/* Without totals, numbers after an unknown size are lower bounds, also in later calls. */
static void test_locating_without_totals(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    findings all = {.allocator = &allocator};
    add(&all, true, 0, 1, 4, 0);
    stamma_findings_locate(&all, NULL);
    add(&all, true, 1, 1, UINT64_MAX, 0);
    add(&all, true, 2, 1, 5, 0);
    stamma_findings_locate(&all, NULL);
    expect_span(&all, 0, 0, 4);
    expect_span(&all, 1, 4, UINT64_MAX);
    expect_span(&all, 2, 4, UINT64_MAX);
    add(&all, true, 3, 1, 6, 0);
    stamma_findings_locate(&all, NULL);
    expect_span(&all, 3, 9, UINT64_MAX);
    assert_true(all.adrift[SPAN_GAMES] && all.before[SPAN_GAMES] == 15);
    stamma_findings_release(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commits),  cmocka_unit_test(test_format),
        cmocka_unit_test(test_sources),  cmocka_unit_test(test_learning),
        cmocka_unit_test(test_locating), cmocka_unit_test(test_locating_without_totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
