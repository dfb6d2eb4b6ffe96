/* SPDX-License-Identifier: MIT */
/* Tests verifying archives: sound archives pass, and every changed byte is found and its place is reported. Everything
 * after the damage is still checked and numbered. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive/archive.h"
#include "verify_support.h"

/* ---- sound archives ---- */

static void assert_same_counts(const stamma_archive_counts *a, const stamma_archive_counts *b)
{
    assert_true(stamma_counts_equal(a, b));
}

static void expect_sound(const listing *archive, const stamma_archive_counts *counts, uint64_t blocks)
{
    for (int quick = 0; quick < 2; quick++) {
        stamma_archive_verdict verdict = {.size = sizeof verdict, .damages = 1};
        assert_int_equal(verify_archive(archive, quick, NULL, &verdict), STAMMA_OK);
        assert_int_equal(verdict.damages, 0);
        assert_int_equal(verdict.input_size, archive->size);
        assert_int_equal(verdict.tail_size, 0);
        assert_int_equal(verdict.sound_blocks, blocks);
        assert_int_equal(verdict.all_blocks, blocks);
        assert_int_equal(verdict.all.archive_size, archive->size);
        assert_same_counts(&verdict.sound, counts);
        assert_same_counts(&verdict.all, counts);
    }
}

static void test_sound(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "1. e4 *", "[White \"A\"]\n\n1. e4 e5 {x} *\n\n1. e5 1-0\n\nbehind"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        stamma_archive_counts counts;
        listing archive = pack(texts[i], strlen(texts[i]), &counts);
        expect_sound(&archive, &counts, i > 0);
        free(archive.text);
    }
}

static void test_sound_blocks(void **state)
{
    (void)state;
    listing archive = small_blocks();
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    stamma_archive_counts counts;
    assert_int_equal(stamma_archive_reader_info(reader, &counts, NULL, 0, NULL, NULL), STAMMA_OK);
    close_reader(reader);
    assert_int_equal(counts.games, games_before(BLOCKS));
    expect_sound(&archive, &counts, BLOCKS);
    free(archive.text);
}

/* The result does not depend on the sizes of reads. */
static void test_small_reads(void **state)
{
    (void)state;
    listing archive = small_blocks();
    archive.text[offset_of_block(&archive, 3)] ^= 1;
    stamma_archive_verdict expected = {.size = sizeof expected}, verdict = expected;
    listing lines = damage_of(&archive, false, &expected);
    for (size_t piece = 1; piece < 40; piece += 6) {
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = piece, .random = piece > 20};
        stamma_input input = piecewise_input(&source);
        reports t = {{0}, 0, false, 0, 0, 0, 0, 0};
        stamma_archive_verify_options options = {.size = sizeof options, .context = &t, .damage = take_damage};
        assert_int_equal(stamma_archive_verify_stream(&input, &options, &verdict), STAMMA_OK);
        assert_memory_equal(&verdict, &expected, sizeof verdict);
        assert_string_equal(t.lines.text, lines.text);
        free(t.lines.text);
    }
    free(lines.text);
    free(archive.text);
}

/* ---- every byte ---- */

/* Asserts that a changed byte is in a reported place, and that at most the block of this byte is lost. If the archive
 * does not end with the end of a commit, it counts as truncated after the previous commit. */
static void expect_found(const listing *archive, size_t at, bool quick)
{
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    reports t = {{0}, at, false, 0, 0, 0, 0, 0};
    assert_int_equal(verify_archive(archive, quick, &t, &verdict), STAMMA_OK);
    if (verdict.damages == 0)
        fail_msg("byte %zu: not found", at);
    bool in_tail = t.kinds == 1u << STAMMA_DAMAGE_END && verdict.tail_offset <= at && verdict.tail_size > 0;
    if (!t.covers && !in_tail)
        fail_msg("byte %zu: found, but where is it?\n%s", at, t.lines.text);
    assert_int_equal(t.errors & ~(1u << STAMMA_ERROR_CORRUPT | 1u << STAMMA_ERROR_UNSUPPORTED), 0);
    assert_true(in_tail || verdict.sound_blocks + 1 >= verdict.all_blocks);
    free(t.lines.text);
}

static void expect_every_byte_found(listing *archive, unsigned changes, bool quick)
{
    for (size_t at = 0; at < archive->size; at++)
        for (unsigned i = 0; i < changes; i++) {
            static const uint8_t patterns[] = {0x01, 0x80, 0xFF, 0x20};
            uint8_t pattern = patterns[(at + i) % 4];
            archive->text[at] = (char)((uint8_t)archive->text[at] ^ pattern);
            expect_found(archive, at, quick);
            archive->text[at] = (char)((uint8_t)archive->text[at] ^ pattern);
        }
}

static void test_every_byte_of_a_small_archive(void **state)
{
    (void)state;
    static const char text[] = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {good} e5 $1 (1... c5 2. Nf3) 2. Nf3! 1-0\n\n"
                               "[Event \"b\"]\n[Result \"*\"]\n\n1. e4  e5 2. Ke3 *\n\n1. d4 1/2-1/2\n\n{so long}";
    listing archive = pack(text, sizeof text - 1, NULL);
    expect_every_byte_found(&archive, 4, false);
    expect_every_byte_found(&archive, 4, true);
    free(archive.text);
}

static void test_every_byte_of_many_blocks(void **state)
{
    (void)state;
    listing archive = small_blocks();
    expect_every_byte_found(&archive, 1, false);
    expect_every_byte_found(&archive, 1, true);
    free(archive.text);
}

/* A truncated archive is reported as truncated, and the blocks committed before are sound. */
static void test_truncation(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t ends[GROUPS + 1] = {ARCHIVE_HEADER_SIZE};
    for (unsigned i = 0; i < GROUPS; i++)
        ends[i + 1] = next_frame(&archive, offset_of_commit(&archive, i));
    for (size_t size = 0; size < archive.size; size++) {
        listing cut = {malloc(size + (size == 0)), size, 0};
        assert_non_null(cut.text);
        memcpy(cut.text, archive.text, size);
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        reports t = {{0}, size, false, 0, 0, 0, 0, 0};
        stamma_error error = verify_archive(&cut, size & 1, &t, &verdict);
        assert_int_equal(error, size < ARCHIVE_HEADER_SIZE ? STAMMA_ERROR_NO_ARCHIVE : STAMMA_OK);
        if (error == STAMMA_OK) {
            unsigned groups = 0, blocks = 0;
            while (groups < GROUPS && ends[groups + 1] <= size + 8)
                groups++;
            while (blocks < BLOCKS && next_frame(&archive, offset_of_block(&archive, blocks)) <= size)
                blocks++;
            bool mended = groups > 0 && ends[groups] > size; /* only its end is missing */
            unsigned kinds = groups == GROUPS ? 1u << STAMMA_DAMAGE_END_MARK
                                              : 1u << STAMMA_DAMAGE_END | (unsigned)mended << STAMMA_DAMAGE_END_MARK;
            assert_int_equal(t.kinds, kinds);
            assert_int_equal(t.count, 1 + (mended && groups < GROUPS));
            assert_int_equal(verdict.sound_blocks, blocks);
            assert_int_equal(verdict.all.games, games_before(blocks));
            assert_int_equal(verdict.tail_size, 0);
        }
        free(t.lines.text);
        free(cut.text);
    }
    free(archive.text);
}

/* If an archive was appended to and then truncated, the old contents are sound, and the rest is reported as a tail.
 * If only the last bytes of the end are missing, everything is found. */
static void test_truncation_of_what_was_appended(void **state)
{
    (void)state;
    listing archive = read_file("tests/data/good-appended.stamma");
    assert_non_null(archive.text);
    size_t first = next_frame(&archive, next_frame(&archive, ARCHIVE_HEADER_SIZE));
    for (size_t size = first; size <= archive.size; size++) {
        listing cut = {archive.text, size, 0};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        assert_int_equal(verify_archive(&cut, false, NULL, &verdict), STAMMA_OK);
        bool whole = size + 8 >= archive.size;
        assert_int_equal(verdict.damages, size > first && size < archive.size);
        assert_int_equal(verdict.tail_size, whole ? 0 : size - first);
        assert_int_equal(verdict.all_blocks, whole ? 2 : 1);
        assert_int_equal(verdict.sound_blocks, verdict.all_blocks);
    }
    free(archive.text);
}

/* ---- other programs' archives ---- */

static unsigned for_each_file(const char *word, void (*check)(const char *name, const listing *archive))
{
    DIR *directory = opendir("tests/data");
    unsigned count = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char path[512];
        if (strncmp(entry->d_name, word, strlen(word)) != 0)
            continue;
        snprintf(path, sizeof path, "tests/data/%.400s", entry->d_name);
        listing archive = read_file(path);
        assert_non_null(archive.text);
        check(entry->d_name, &archive);
        free(archive.text);
        count++;
    }
    closedir(directory);
    return count;
}

static void check_good(const char *name, const listing *archive)
{
    listing text = {0};
    assert_int_equal(unpack(archive, true, NULL, &text), STAMMA_OK);
    for (int quick = 0; quick < 2; quick++) {
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        listing lines = damage_of(archive, quick, &verdict);
        if (verdict.damages > 0)
            fail_msg("%s: %s", name, lines.text);
        assert_int_equal(verdict.sound.text_size, text.size);
        assert_int_equal(verdict.tail_size, 0);
        free(lines.text);
    }
    free(text.text);
}

static unsigned quick_finds;

static void check_bad(const char *name, const listing *archive)
{
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    reports full = {{0}, 0, false, 0, 0, 0, 0, 0}, quick = full;
    assert_int_equal(verify_archive(archive, false, &full, &verdict), STAMMA_OK);
    if (verdict.damages == 0)
        fail_msg("%s: not found", name);
    assert_int_equal(full.errors, 1u << STAMMA_ERROR_CORRUPT);
    assert_int_equal(verify_archive(archive, true, &quick, &verdict), STAMMA_OK);
    quick_finds += verdict.damages > 0;
    /* Only full verification finds blocks that were written incorrectly, and games that do not end. */
    if (verdict.damages == 0)
        assert_int_equal(full.kinds & ~(1u << STAMMA_DAMAGE_CONTENT | 1u << STAMMA_DAMAGE_END), 0);
    free(full.lines.text);
    free(quick.lines.text);
}

static void check_unsupported(const char *name, const listing *archive)
{
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    reports t = {{0}, 0, false, 0, 0, 0, 0, 0};
    stamma_error error = verify_archive(archive, false, &t, &verdict);
    bool found = error == STAMMA_OK && verdict.damages > 0 && t.errors == 1u << STAMMA_ERROR_UNSUPPORTED;
    if (error != STAMMA_ERROR_UNSUPPORTED && !found)
        fail_msg("%s: error %d\n%s", name, (int)error, t.lines.text ? t.lines.text : "");
    free(t.lines.text);
}

static void test_archives_by_hand(void **state)
{
    (void)state;
    assert_true(for_each_file("good-", check_good) > 20);
    unsigned bad = for_each_file("bad-", check_bad);
    assert_true(bad > 60);
    assert_true(quick_finds > 10 && quick_finds < bad);
    assert_true(for_each_file("unsupported-", check_unsupported) > 5);
}

/* The game is reported if it is known: its record does not decode, and all games before it are counted. */
static void test_game_that_fails(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint64_t game;
    } files[] = {
        {"tests/data/bad-move.stamma", 1},          {"tests/data/bad-move-of-third.stamma", 3},
        {"tests/data/bad-no-template.stamma", 1},   {"tests/data/bad-typed-piece.stamma", 1}, /* in the block before */
        {"tests/data/bad-text-checksum.stamma", 0}, {"tests/data/bad-zstd.stamma", 0}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        listing archive = read_file(files[i].path);
        archive_sink sink = {{0}, 0, 0, 0};
        stamma_output output = archive_output(&sink);
        archive_source source;
        reports t = {{0}, 0, false, 0, 0, 0, 0, 0};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        assert_non_null(archive.text);
        assert_int_equal(verify_archive(&archive, false, &t, &verdict), STAMMA_OK);
        assert_int_equal(t.count, 1);
        assert_int_equal(t.game, files[i].game);
        for (int by_game = 0; by_game < 2; by_game++) {
            stamma_archive_reader *reader = open_archive(&source, &archive, true);
            const stamma_archive_game *game = NULL;
            stamma_error error =
                by_game ? stamma_archive_reader_next(reader, &game) : stamma_archive_reader_unpack(reader, &output);
            while (error == STAMMA_OK && game)
                error = stamma_archive_reader_next(reader, &game);
            assert_int_equal(error, STAMMA_ERROR_CORRUPT);
            assert_int_equal(stamma_archive_reader_place(reader).game, files[i].game);
            close_reader(reader);
        }
        free(t.lines.text);
        free(sink.bytes.text);
        free(archive.text);
    }
}

static void test_no_archive(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "1. e4 e5 *", "\x8DStamma\n", "\x1F\x8B gzip and so on, long enough"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        listing bytes = {0};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        list_word(&bytes, texts[i]);
        assert_int_equal(verify_archive(&bytes, false, NULL, &verdict), STAMMA_ERROR_NO_ARCHIVE);
        free(bytes.text);
    }
}

/* ---- tails ---- */

static void test_tails(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t first = offset_of_block(&archive, 0), second = offset_of_block(&archive, 1);
    for (int kind = 0; kind < 5; kind++) {
        listing tailed = {0};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        list_bytes(&tailed, archive.text, archive.size);
        switch (kind) {
        case 0: list_word(&tailed, "x"); break;
        case 1: list_bytes(&tailed, archive.text + first, 20); break;                 /* half a frame's header */
        case 2: list_bytes(&tailed, archive.text + first, second - first - 5); break; /* a truncated block */
        case 3: list_block(&tailed, &archive, 0, BLOCKS); break;                      /* a complete block */
        default:                                                                      /* and other bytes after it */
            list_block(&tailed, &archive, 0, BLOCKS);
            list_word(&tailed, "bytes of something else, longer than a frame's header");
        }
        listing lines = damage_of(&tailed, false, &verdict);
        assert_int_equal(verdict.damages, 1);
        assert_non_null(strstr(lines.text, "kind 8 at"));
        assert_int_equal(verdict.tail_offset, archive.size);
        assert_int_equal(verdict.tail_size, tailed.size - archive.size);
        assert_int_equal(verdict.tail_blocks, kind >= 3);
        assert_int_equal(verdict.tail_games, kind >= 3 ? games_of_block(0) : 0);
        assert_int_equal(verdict.sound_blocks, BLOCKS);
        free(lines.text);
        free(tailed.text);
    }
    free(archive.text);
}

/* More blocks than one commit can list, and no commit for them. */
static void test_blocks_without_commits(void **state)
{
    (void)state;
    listing archive = small_blocks(), long_one = {0};
    list_bytes(&long_one, archive.text, ARCHIVE_HEADER_SIZE);
    for (unsigned i = 0; i < 5000; i++)
        list_block(&long_one, &archive, 0, i);
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    piecewise source = {.bytes = long_one.text, .size = long_one.size, .piece_max = SIZE_MAX};
    stamma_input input = piecewise_input(&source);
    reports t = {{0}, 0, false, 0, 0, 0, 0, 0};
    stamma_archive_verify_options options = {
        .size = sizeof options, .allocator = &allocator, .context = &t, .damage = take_damage};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(stamma_archive_verify_stream(&input, &options, &verdict), STAMMA_OK);
    assert_int_equal(memory.alive, 0);
    assert_true(memory.peak < 4 << 20);
    assert_int_equal(t.kinds, 1u << STAMMA_DAMAGE_COMMIT | 1u << STAMMA_DAMAGE_END);
    free(t.lines.text);
    free(long_one.text);
    free(archive.text);
}

/* ---- executors and failures ---- */

/* An executor that runs work only when its result is waited for. */
typedef struct lazy {
    void (*work)(void *argument);
} lazy;

static void start_lazy(void *context, void (*work)(void *argument), void *argument)
{
    (void)argument;
    ((lazy *)context)->work = work;
}

static void wait_lazy(void *context, void *argument)
{
    ((lazy *)context)->work(argument);
}

static void test_executor(void **state)
{
    (void)state;
    listing archive = small_blocks();
    static const unsigned damaged[] = {0, 7, 8, 15, 19};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
        archive.text[offset_of_block(&archive, damaged[i] + 1 < BLOCKS ? damaged[i] + 1 : 0) + 40 * (i & 1)] ^= 1;
    stamma_archive_verdict expected = {.size = sizeof expected};
    listing lines = damage_of(&archive, false, &expected);
    assert_true(expected.damages >= 4);
    for (unsigned threads = 2; threads < 40; threads = threads * 2 + 1) {
        lazy l = {NULL};
        stamma_executor executor = {&l, threads, start_lazy, wait_lazy};
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        stamma_input input = piecewise_input(&source);
        reports t = {{0}, 0, false, 0, 0, 0, 0, 0};
        stamma_archive_verify_options options = {.size = sizeof options,
                                                 .executor = &executor,
                                                 .memory = (uint64_t)8 << 30,
                                                 .context = &t,
                                                 .damage = take_damage};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        assert_int_equal(stamma_archive_verify_stream(&input, &options, &verdict), STAMMA_OK);
        assert_memory_equal(&verdict, &expected, sizeof verdict);
        assert_string_equal(t.lines.text, lines.text);
        free(t.lines.text);
    }
    free(lines.text);
    free(archive.text);
}

static void test_failing_input(void **state)
{
    (void)state;
    listing archive = small_blocks();
    unsigned fail_at = 1;
    for (bool failed = true; failed; fail_at++) {
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = 500, .fail_at = fail_at};
        stamma_input input = piecewise_input(&source);
        stamma_archive_verdict verdict = {.size = sizeof verdict, .damages = 77};
        stamma_error error = stamma_archive_verify_stream(&input, NULL, &verdict);
        failed = source.reads >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_IO : STAMMA_OK);
        assert_int_equal(verdict.damages, failed ? 77 : 0);
    }
    free(archive.text);
}

static void test_no_memory(void **state)
{
    (void)state;
    listing archive = small_blocks();
    archive.text[offset_of_block(&archive, 3) - 1] ^= 1;
    archive.text[offset_of_block(&archive, 5) + 40] ^= 1;
    unsigned fail_at = 1;
    for (bool failed = true; failed; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        stamma_input input = piecewise_input(&source);
        stamma_archive_verify_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        stamma_error error = stamma_archive_verify_stream(&input, &options, &verdict);
        failed = memory.calls >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        assert_int_equal(memory.alive, 0);
    }
    free(archive.text);
}

static bool stop(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    *(uint64_t *)context = done;
    return false;
}

/* A game that does not end is reported once, even if the archive is unfinished. */
static void test_open_game(void **state)
{
    (void)state;
    listing whole = read_file("tests/data/good-cut-game.stamma");
    const uint8_t *header = (const uint8_t *)whole.text + ARCHIVE_HEADER_SIZE, *payload = header + FRAME_HEADER_SIZE;
    const char *bytes = (const char *)payload;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame f;
    block_counts counts;
    assert_int_equal(stamma_frame_read(header, &f), STAMMA_OK);
    cursor in = {payload, payload + f.head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
    for (int finished = 0; finished < 2; finished++) {
        archive_sink sink = {.fail_at = 0};
        const stamma_output output = archive_output(&sink);
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        frame_writer out;
        stamma_frame_writer_begin(&out, &output, &allocator);
        stamma_frame_writer_add_block(&out, (stamma_text){bytes, f.head_size},
                                      (stamma_text){bytes + f.head_size, (size_t)f.size - f.head_size}, &counts.counts);
        stamma_frame_writer_commit(&out, finished);
        stamma_frame_writer_release(&out);
        listing lines = damage_of(&sink.bytes, false, &verdict);
        assert_int_equal(verdict.damages, 1);
        assert_int_equal(verdict.sound_blocks, 1);
        free(lines.text);
        free(sink.bytes.text);
    }
    free(whole.text);
}

/* Nothing is reported after the call that stopped, whichever blocks are decoded already. */
static void test_cancelled_with_decoded_blocks(void **state)
{
    (void)state;
    listing archive = small_blocks();
    for (unsigned stop_at = 1; stop_at <= BLOCKS; stop_at++) {
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        const stamma_input input = piecewise_input(&source);
        archive_steps steps = {.stop_at = stop_at};
        const stamma_archive_verify_options options = {.size = sizeof options,
                                                       .executor = &immediate_executor,
                                                       .memory = (uint64_t)8 << 30,
                                                       .context = &steps,
                                                       .progress = archive_take_progress};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        assert_int_equal(stamma_archive_verify_stream(&input, &options, &verdict), STAMMA_ERROR_CANCELLED);
        assert_int_equal(steps.calls, stop_at);
        assert_int_equal(verdict.sound_blocks, 0);
    }
    free(archive.text);
}

/* A large block is only decoded after the blocks before it. */
static void test_cancelled_before_a_large_block(void **state)
{
    (void)state;
    listing archive = small_and_large_block();
    uint64_t done = 0;
    for (unsigned stops = 0; stops < 2; stops++) {
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        const stamma_input input = piecewise_input(&source);
        const stamma_archive_verify_options options = {
            .size = sizeof options, .executor = &immediate_executor, .context = &done, .progress = stops ? stop : NULL};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        assert_int_equal(stamma_archive_verify_stream(&input, &options, &verdict),
                         stops ? STAMMA_ERROR_CANCELLED : STAMMA_OK);
        assert_int_equal(verdict.damages, stops ? 0 : 1);
    }
    assert_int_equal(done, next_frame(&archive, ARCHIVE_HEADER_SIZE));
    free(archive.text);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    piecewise source = {.bytes = "", .size = 0, .piece_max = 1};
    stamma_input input = piecewise_input(&source);
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    stamma_archive_verify_options options = {.size = 1};
    assert_int_equal(stamma_archive_verify(NULL, NULL, &verdict), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_verify_stream(NULL, NULL, &verdict), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_verify_stream(&input, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_verify_stream(&input, &options, &verdict), STAMMA_ERROR_BAD_ARGUMENT);
    verdict.size = 1;
    assert_int_equal(stamma_archive_verify_stream(&input, NULL, &verdict), STAMMA_ERROR_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_sound_blocks),
        cmocka_unit_test(test_small_reads),
        cmocka_unit_test(test_every_byte_of_a_small_archive),
        cmocka_unit_test(test_every_byte_of_many_blocks),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_truncation_of_what_was_appended),
        cmocka_unit_test(test_archives_by_hand),
        cmocka_unit_test(test_game_that_fails),
        cmocka_unit_test(test_no_archive),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_blocks_without_commits),
        cmocka_unit_test(test_executor),
        cmocka_unit_test(test_failing_input),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_open_game),
        cmocka_unit_test(test_cancelled_with_decoded_blocks),
        cmocka_unit_test(test_cancelled_before_a_large_block),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
