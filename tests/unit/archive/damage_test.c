/* SPDX-License-Identifier: MIT */
/* Tests the reports of damage: damage in several places of an archive, in commits and in appended parts, and moved
 * bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "verify_support.h"

/* ---- lists of damage ---- */

static void expect_damage(const listing *archive, bool quick, const char *lines)
{
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    listing reported = damage_of(archive, quick, &verdict);
    assert_string_equal(reported.text, lines);
    free(reported.text);
}

/* Lists a line, as take_damage does, for damage to complete blocks of small_blocks. */
static void list_line(listing *to, int kind, size_t offset, size_t size, unsigned frame, unsigned first, unsigned last)
{
    unsigned low = games_before(first), high = games_before(last + 1);
    list_format(to, "kind %d at %zu+%zu frame %u blocks %u-%u games %u-%u text %u-%u", kind, offset, size, frame,
                first + 1, last + 1, low + 1, high, low * GAME_SIZE, (high - low) * GAME_SIZE);
}

/* Each kind of damage has a different text. */
static void test_texts(void **state)
{
    (void)state;
    const char *unknown = stamma_damage_text((stamma_damage_kind)(STAMMA_DAMAGE_SOURCE + 1));
    for (int n = STAMMA_DAMAGE_NONE; n <= STAMMA_DAMAGE_SOURCE; n++) {
        assert_string_not_equal(stamma_damage_text((stamma_damage_kind)n), unknown);
        for (int k = STAMMA_DAMAGE_NONE; k < n; k++)
            assert_string_not_equal(stamma_damage_text((stamma_damage_kind)n),
                                    stamma_damage_text((stamma_damage_kind)k));
    }
    assert_string_equal(stamma_damage_text(STAMMA_DAMAGE_SEARCH), "damaged search column");
}

static void test_list(void **state)
{
    (void)state;
    listing archive = small_blocks(), lines = {0};
    size_t at[BLOCKS + 1], commit = offset_of_commit(&archive, 2);
    for (unsigned i = 0; i <= BLOCKS; i++)
        at[i] = i < BLOCKS ? offset_of_block(&archive, i) : archive.size;
    archive.text[at[2] + FRAME_HEADER_SIZE + 20] ^= 4; /* the head of a block: its counts are known from the commit */
    list_line(&lines, STAMMA_DAMAGE_HEAD, at[2], at[3] - at[2], 3, 2, 2);
    list_word(&lines, "\n");
    archive.text[at[4] + 30] ^= 1; /* the header of a frame: the block is lost up to the next frame */
    list_line(&lines, STAMMA_DAMAGE_FRAME, at[4], at[5] - at[4], 5, 4, 4);
    list_word(&lines, "\n");
    archive.text[at[9] - 1] ^= 1; /* damage to the last column of block 8 only */
    size_t column = strlen("B0") + 1, stored = column * games_of_block(8);
    list_line(&lines, STAMMA_DAMAGE_COLUMN, at[9] - stored, stored, 10, 8, 8);
    list_word(&lines, " tag:Black\n");
    archive.text[at[12]] ^= 1; /* two consecutive frames */
    archive.text[at[13] + 8] ^= 1;
    list_line(&lines, STAMMA_DAMAGE_FRAME, at[12], at[14] - at[12], 14, 12, 13);
    list_word(&lines, "\n");
    archive.text[archive.size - 30] ^= 1;
    list_format(&lines, "kind %d at %zu+%zu frame 23 blocks 0-0 games 0-0 text %u-0\n", (int)STAMMA_DAMAGE_COMMIT,
                commit, archive.size - commit, games_before(BLOCKS) * GAME_SIZE);
    expect_damage(&archive, false, lines.text);
    expect_damage(&archive, true, lines.text);
    free(lines.text);
    free(archive.text);
}

/* All damaged columns of a block are reported. */
static void test_columns(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t at = offset_of_block(&archive, 0), end = next_frame(&archive, at);
    uint32_t head_size = load_u32((const uint8_t *)archive.text + at + 16);
    for (size_t i = at + FRAME_HEADER_SIZE + head_size; i < end; i++)
        archive.text[i] ^= 1;
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    listing lines = damage_of(&archive, false, &verdict);
    static const char *const names[] = {" events\n", " moves\n",      " results\n",   " rosters\n",  " roster-list\n",
                                        " styles\n", " style-list\n", " tag:White\n", " tag:Black\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(strstr(lines.text, names[i]));
    assert_int_equal(verdict.damages, sizeof names / sizeof *names);
    assert_int_equal(verdict.sound_blocks, BLOCKS - 1);
    free(lines.text);
    free(archive.text);
}

/* A lost commit and lost blocks on both sides of it. Their numbers are known from the other commits. */
static void test_lost_commit(void **state)
{
    (void)state;
    listing archive = small_blocks(), lines = {0};
    size_t begin = offset_of_block(&archive, 6), end = offset_of_block(&archive, 10);
    memset(archive.text + begin, 0, end - begin);
    list_line(&lines, STAMMA_DAMAGE_FRAME, begin, end - begin, 7, 6, 9);
    list_word(&lines, "\n");
    expect_damage(&archive, false, lines.text);
    free(lines.text);
    free(archive.text);
}

/* A commit whose payload is damaged, between a damaged head and a valid head. */
static void test_damaged_commit(void **state)
{
    (void)state;
    listing archive = small_blocks(), lines = {0};
    size_t commit = offset_of_commit(&archive, 0), block = offset_of_block(&archive, 3),
           second = offset_of_block(&archive, 11);
    archive.text[commit + FRAME_HEADER_SIZE] ^= 1;
    archive.text[block + FRAME_HEADER_SIZE] ^= 1;
    archive.text[second + FRAME_HEADER_SIZE] ^= 1;
    list_line(&lines, STAMMA_DAMAGE_HEAD, block, next_frame(&archive, block) - block, 4, 3, 3);
    list_word(&lines, "\n");
    list_format(&lines, "kind %d at %zu+%zu frame 9 blocks 0-0 games 0-0 text %u-0\n", (int)STAMMA_DAMAGE_COMMIT,
                commit, next_frame(&archive, commit) - commit, games_before(8) * GAME_SIZE);
    list_line(&lines, STAMMA_DAMAGE_HEAD, second, next_frame(&archive, second) - second, 13, 11, 11);
    list_word(&lines, "\n");
    expect_damage(&archive, false, lines.text);
    free(lines.text);
    free(archive.text);
}

/* Removed or inserted bytes move all bytes after them. These bytes can still be read, and the commits show the
 * damage. */
static void test_moved_bytes(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t from = offset_of_block(&archive, 5);
    static const size_t sizes[] = {1, 7, 32, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int put = 0; put < 2; put++)
            for (int quick = 0; quick < 2; quick++) {
                listing moved = {0};
                stamma_archive_verdict verdict = {.size = sizeof verdict};
                list_bytes(&moved, archive.text, from);
                if (put)
                    list_bytes(&moved, archive.text + 50, sizes[i]);
                list_bytes(&moved, archive.text + from + (put ? 0 : sizes[i]),
                           archive.size - from - (put ? 0 : sizes[i]));
                listing lines = damage_of(&moved, quick, &verdict);
                /* Only the place of the change is reported, not the moved blocks after it. */
                assert_true(verdict.damages >= 1 && verdict.damages <= 2);
                assert_int_equal(verdict.all_blocks, BLOCKS);
                assert_int_equal(verdict.all.games, games_before(BLOCKS));
                assert_true(verdict.sound_blocks >= BLOCKS - 1);
                free(lines.text);
                free(moved.text);
            }
    free(archive.text);
}

/* A complete block is missing or stored twice. */
static void test_missing_block(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t from = offset_of_block(&archive, 5), to = offset_of_block(&archive, 6);
    for (int twice = 0; twice < 2; twice++) {
        listing changed = {0};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        list_bytes(&changed, archive.text, twice ? to : from);
        list_bytes(&changed, archive.text + (twice ? from : to), archive.size - (twice ? from : to));
        listing lines = damage_of(&changed, false, &verdict), expected = {0};
        if (twice)
            list_format(&expected, "kind 10 at %zu+%zu frame 7 blocks 0-0 games 0-0 text %u-0\n", to, to - from,
                        games_before(6) * GAME_SIZE);
        else
            list_line(&expected, STAMMA_DAMAGE_FRAME, from, 0, 6, 5, 5);
        list_word(&expected, twice ? "" : "\n");
        assert_string_equal(lines.text, expected.text);
        assert_int_equal(verdict.sound_blocks, twice ? BLOCKS : BLOCKS - 1);
        free(expected.text);
        free(lines.text);
        free(changed.text);
    }
    free(archive.text);
}

/* If a game continues after a lost block, only the lost block is damaged. */
static void test_cut_game(void **state)
{
    (void)state;
    listing archive = read_file("tests/data/good-cut-game.stamma");
    assert_non_null(archive.text);
    static const size_t places[] = {30, FRAME_HEADER_SIZE + 4}; /* in the frame's header, and in the block's head */
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        archive.text[ARCHIVE_HEADER_SIZE + places[i]] ^= 1;
        listing lines = damage_of(&archive, false, &verdict);
        assert_int_equal(verdict.damages, 1);
        assert_int_equal(verdict.sound_blocks, 1);
        archive.text[ARCHIVE_HEADER_SIZE + places[i]] ^= 1;
        free(lines.text);
    }
    free(archive.text);
}

/* ---- appended blocks ---- */

/* Returns the blocks of small_blocks. A writer appended the blocks after the third and was interrupted. There is a
 * finished commit after 3 blocks and unfinished commits after 11 and 19. With `whole`, there is a finished commit after
 * 20. */
static listing appended_blocks(bool whole)
{
    listing archive = small_blocks();
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer out;
    stamma_frame_writer_begin(&out, &output, &allocator);
    for (unsigned i = 0; i < BLOCKS; i++) {
        size_t at = offset_of_block(&archive, i);
        frame f;
        block_head head;
        assert_int_equal(stamma_frame_read((const uint8_t *)archive.text + at, &f), STAMMA_OK);
        const char *payload = archive.text + at + FRAME_HEADER_SIZE;
        cursor in = {(const uint8_t *)payload, (const uint8_t *)payload + f.head_size, false};
        assert_int_equal(stamma_block_read_head(&in, &head), STAMMA_OK);
        stamma_text body = {payload + f.head_size, (size_t)f.size - f.head_size};
        stamma_frame_writer_add_block(&out, (stamma_text){payload, f.head_size}, body, &head.counts);
        if (i == 2 || (i == BLOCKS - 1 && whole))
            stamma_frame_writer_commit(&out, true);
    }
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    free(archive.text);
    return sink.bytes;
}

/* Returns the offset of a block's frame in an archive of appended_blocks. */
static size_t offset_of_appended(const listing *archive, unsigned block)
{
    size_t at = ARCHIVE_HEADER_SIZE;
    for (unsigned i = 0; i < block + (block >= 3) + (block >= 11) + (block >= 19); i++)
        at = next_frame(archive, at);
    return at;
}

/* Appended blocks and their damage count only if the append is finished. */
static void test_unfinished_append(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++)
        for (int damaged = 0; damaged < 2; damaged++) {
            listing archive = appended_blocks(whole), expected = {0};
            stamma_archive_verdict verdict = {.size = sizeof verdict};
            list_word(&expected, "");
            for (unsigned i = 5; damaged && i < 20; i += 10) { /* change the last column's last byte */
                size_t end = next_frame(&archive, offset_of_appended(&archive, i)), size = 3 * games_of_block(i);
                archive.text[end - 1] ^= 1;
                list_line(&expected, STAMMA_DAMAGE_COLUMN, end - size, size, i == 5 ? 7 : 18, i, i);
                list_word(&expected, " tag:Black\n");
            }
            listing lines = damage_of(&archive, whole, &verdict);
            if (whole)
                assert_string_equal(lines.text, expected.text);
            assert_true(whole || (verdict.damages == 1 && strncmp(lines.text, "kind 8 at", 9) == 0));
            assert_int_equal(verdict.all_blocks, whole ? BLOCKS : 3);
            assert_int_equal(verdict.sound_blocks, whole ? (damaged ? BLOCKS - 2 : BLOCKS) : 3);
            assert_int_equal(verdict.all.games, games_before(whole ? BLOCKS : 3));
            assert_int_equal(verdict.tail_blocks, whole ? 0 : damaged ? BLOCKS - 5 : BLOCKS - 3);
            assert_int_equal(verdict.tail_size, whole ? 0 : archive.size - offset_of_appended(&archive, 3));
            free(lines.text);
            free(expected.text);
            free(archive.text);
        }
}

/* An archive that is truncated anywhere after its first finished commit has the contents of that commit. The truncation
 * is reported, unless the archive ends with the commit. */
static void test_truncated_append(void **state)
{
    (void)state;
    listing archive = appended_blocks(true), text = {0};
    for (size_t size = offset_of_appended(&archive, 3); size < archive.size; size++) {
        listing cut = {archive.text, size, 0};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        listing lines = damage_of(&cut, size & 1, &verdict);
        size_t end = offset_of_appended(&archive, 3);
        bool there = size + 8 >= archive.size; /* only the end of the commit is missing */
        assert_int_equal(verdict.damages, size > end);
        assert_true(size == end || strncmp(lines.text, there ? "kind 9 at" : "kind 8 at", 9) == 0);
        assert_int_equal(verdict.all_blocks, there ? BLOCKS : 3);
        assert_int_equal(verdict.sound_blocks, there ? BLOCKS : 3);
        assert_int_equal(verdict.tail_size, there ? 0 : size - end);
        free(lines.text);
    }
    listing cut = {archive.text, archive.size - 9, 0};
    assert_int_equal(unpack(&cut, true, NULL, &text), STAMMA_ERROR_CORRUPT);
    assert_int_equal(text.size, games_before(3) * GAME_SIZE);
    free(text.text);
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_lost_commit),
        cmocka_unit_test(test_damaged_commit),
        cmocka_unit_test(test_moved_bytes),
        cmocka_unit_test(test_missing_block),
        cmocka_unit_test(test_cut_game),
        cmocka_unit_test(test_unfinished_append),
        cmocka_unit_test(test_truncated_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
