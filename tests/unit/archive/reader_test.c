/* SPDX-License-Identifier: MIT */
/* Tests the archive reader with a pipe and with a seekable input, from any game on. Whichever bytes of an archive are
 * changed, the reader returns the packed bytes or an error. It never reads out of bounds, leaks, or loops forever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

#include "archive_support.h"
#include "game_texts.h"

enum { HEADER_SIZE = 16, FRAME_SIZE = 32 };

static void put_u32(char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)(value >> 8 * i);
}

static uint32_t get_u32(const char *at)
{
    uint32_t value = 0;
    for (int i = 3; i >= 0; i--)
        value = value << 8 | (uint8_t)at[i];
    return value;
}

static uint32_t check32(const char *bytes, size_t size)
{
    return (uint32_t)XXH64(bytes, size, 0);
}

/* Lists a frame of an unknown type. */
static void list_strange_frame(listing *to, bool mandatory, const char *payload)
{
    char header[FRAME_SIZE] = "sFrm";
    header[4] = 77;
    header[5] = mandatory;
    put_u32(header + 8, (uint32_t)strlen(payload));
    put_u32(header + 20, check32(payload, 0));
    put_u32(header + 28, check32(header, 28));
    list_bytes(to, header, sizeof header);
    list_word(to, payload);
}

static size_t frame_size(const listing *archive, size_t at)
{
    return FRAME_SIZE + get_u32(archive->text + at + 8);
}

static listing some_games(unsigned count)
{
    listing text = {0};
    for (unsigned i = 0; i < count; i++)
        list_game(&text, &text_styles[i % 14]);
    return text;
}

/* A text of three games, with a comment, a variation, an exception, and text after the last game. */
static const char small_text[] =
    "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {good} e5 $1 (1... c5 2. Nf3) 2. Nf3! 1-0\n\n"
    "[Event \"b\"]\n[Result \"*\"]\n\n1. e4  e5 2. Ke3 *\n\n"
    "1. d4 1/2-1/2\n\n{so long}";

/* Makes an archive of several blocks and commits: 9 full blocks of games without moves, and one partial block. */
static listing many_blocks(listing *text)
{
    for (unsigned i = 0; i < 9 * 65536 + 10; i++)
        list_word(text, "*      \n");
    list_word(text, "1. e4 *");
    return pack(text->text, text->size, NULL);
}

/* ---- reading in every order ---- */

static void expect_game(stamma_archive_reader *reader, uint64_t number, const char *result)
{
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_non_null(game);
    assert_int_equal(game->number, number);
    assert_int_equal(game->result.size, strlen(result));
    assert_memory_equal(game->result.data, result, game->result.size);
}

static void test_games(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    for (int seekable = 0; seekable < 2; seekable++) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &archive, seekable);
        const stamma_archive_game *game;
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_true(game && !game->continuation && game->number == 1 && game->ply_count == 3 && game->tag_count == 2);
        assert_memory_equal(game->tags[0].name.data, "Event", 5);
        assert_memory_equal(game->tags[1].value.data, "1-0", 3);
        assert_memory_equal(game->text.data, small_text, game->text.size);
        assert_int_equal(game->moves[0], 0x131C); /* e2e4 */
        assert_int_equal(game->reason, STAMMA_REASON_NONE);
        assert_int_equal(game->moves_bits, 24);
        stamma_position start = stamma_position_start();
        assert_memory_equal(&game->start, &start, sizeof start);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_true(game && game->number == 2 && game->ply_count == 2);
        assert_int_equal(game->reason, STAMMA_REASON_ILLEGAL_MOVE);
        assert_memory_equal(game->text.data + game->reason_offset, "Ke3", 3);
        assert_int_equal(game->result.size, 1);
        expect_game(reader, 3, "1/2-1/2");
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_true(game && game->continuation && game->number == 3);
        assert_memory_equal(game->text.data, "{so long}", 9);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_null(game);
        }
        assert_int_equal(stamma_archive_reader_unpack(reader, &(stamma_output){0}), STAMMA_ERROR_BAD_ARGUMENT);
        close_reader(reader);
    }
    assert_more_is_right(&archive);
    free(archive.text);
}

static void test_game_count(void **state)
{
    (void)state;
    listing text = {0}, archive = many_blocks(&text);
    for (int seekable = 0; seekable < 2; seekable++) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &archive, seekable);
        uint64_t games = 0;
        assert_int_equal(stamma_archive_reader_game_count(reader, &games), STAMMA_OK);
        assert_int_equal(games, 9 * 65536 + 11);
        close_reader(reader);
    }
    free(archive.text);
    free(text.text);
}

/* Seeking to a game returns the same game as sequential reading. */
static void test_seek_to_every_game(void **state)
{
    (void)state;
    listing text = some_games(50), archive = pack(text.text, text.size, NULL);
    size_t ends[51] = {0};
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    for (size_t i = 1; i <= 50; i++) {
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        ends[i] = ends[i - 1] + game->text.size;
    }
    assert_int_equal(ends[50], text.size);
    for (int round = 0; round < 300; round++) {
        size_t number = 1 + (size_t)random_below(50);
        assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
        for (int more = 0; more < 3 && number <= 50; more++, number++) {
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_true(game && game->number == number);
            assert_int_equal(game->text.size, ends[number] - ends[number - 1]);
            assert_memory_equal(game->text.data, text.text + ends[number - 1], game->text.size);
        }
    }
    close_reader(reader);
    for (size_t number = 1; number <= 50; number++) {
        reader = open_archive(&source, &archive, false);
        assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_true(game && game->number == number);
        assert_memory_equal(game->text.data, text.text + ends[number - 1], game->text.size);
        assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_ERROR_BAD_ARGUMENT); /* backwards */
        close_reader(reader);
    }
    free(archive.text);
    free(text.text);
}

static void test_seek_across_blocks(void **state)
{
    (void)state;
    listing text = {0}, archive = many_blocks(&text);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    static const uint64_t numbers[] = {65536, 65537, 1, 589824, 589825, 131072, 131073, 65536, 589835, 300000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(stamma_archive_reader_seek(reader, numbers[i]), STAMMA_OK);
        expect_game(reader, numbers[i], "*");
    }
    close_reader(reader);
    reader = open_archive(&source, &archive, false);
    assert_int_equal(stamma_archive_reader_seek(reader, 400000), STAMMA_OK);
    expect_game(reader, 400000, "*");
    close_reader(reader);
    free(archive.text);
    free(text.text);
}

static void test_seek_past_the_end(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    for (int seekable = 0; seekable < 2; seekable++)
        for (uint64_t number = 4; number < 6; number++) {
            archive_source source;
            stamma_archive_reader *reader = open_archive(&source, &archive, seekable);
            const stamma_archive_game *game;
            assert_int_equal(stamma_archive_reader_seek(reader, 0), STAMMA_ERROR_BAD_ARGUMENT);
            assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_null(game);
            close_reader(reader);
        }
    free(archive.text);
}

static void test_small_reads(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    for (size_t piece = 1; piece < 50; piece += 7)
        for (int seekable = 0; seekable < 2; seekable++) {
            archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = piece};
            stamma_archive_reader *reader;
            listing back = {0};
            stamma_output output = listing_output(&back);
            assert_int_equal(open_source(&source, seekable, NULL, &reader), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_OK);
            close_reader(reader);
            assert_string_equal(back.text, small_text);
            free(back.text);
        }
    free(archive.text);
}

/* ---- damage ---- */

/* Reads a changed archive in every way. Each must return the text, or a part of the text and an error. */
static void expect_text_or_error(const listing *archive, const char *text, size_t size, bool must_fail)
{
    for (int way = 0; way < 4; way++) {
        listing back = {0};
        stamma_error error =
            way < 2 ? unpack(archive, way & 1, NULL, &back) : unpack_games(archive, way & 1, NULL, &back);
        assert_true(back.size <= size);
        if (back.size > 0)
            assert_memory_equal(back.text, text, back.size);
        if (error == STAMMA_OK)
            assert_int_equal(back.size, size);
        else
            assert_true(error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED ||
                        error == STAMMA_ERROR_NO_ARCHIVE);
        if (must_fail)
            assert_int_not_equal(error, STAMMA_OK);
        free(back.text);
    }
}

static void test_truncation(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    for (size_t size = 0; size < archive.size; size++) {
        /* A copy of exactly this size, so that a sanitizer detects reads past its end. */
        listing cut = {malloc(size + (size == 0)), size, 0};
        assert_non_null(cut.text);
        memcpy(cut.text, archive.text, size);
        expect_text_or_error(&cut, small_text, sizeof small_text - 1, true);
        free(cut.text);
    }
    free(archive.text);
}

static void test_altered_bytes(void **state)
{
    (void)state;
    listing text = {0};
    list_word(&text, small_text);
    list_game(&text, &text_styles[0]); /* large enough for columns that zstd compresses */
    for (int i = 0; i < 20; i++)
        list_word(&text, "\n\n1. e4 {[%clk 0:01:00]} *\n");
    /* readers ignore search columns */
    listing archive = pack_without_search(text.text, text.size);
    for (size_t at = 0; at < archive.size; at++) {
        static const uint8_t changes[] = {0x01, 0x80, 0xFF};
        for (size_t i = 0; i < sizeof changes; i++) {
            archive.text[at] = (char)(archive.text[at] ^ changes[i]);
            expect_text_or_error(&archive, text.text, text.size, true);
            archive.text[at] = (char)(archive.text[at] ^ changes[i]);
        }
    }
    free(archive.text);
    free(text.text);
}

static void test_no_archive(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "1. e4 e5 *", "\x8DStamma", "\x1F\x8B gzip and so on, long enough"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int seekable = 0; seekable < 2; seekable++) {
            listing back = {0}, bytes = {0};
            list_word(&bytes, texts[i]);
            assert_int_equal(unpack(&bytes, seekable, NULL, &back), STAMMA_ERROR_NO_ARCHIVE);
            assert_int_equal(back.size, 0);
            free(bytes.text);
        }
}

/* If a block in the middle is damaged, the games of all other blocks can be read. */
static void test_damage_stays_local(void **state)
{
    (void)state;
    listing text = {0}, archive = many_blocks(&text);
    size_t third = HEADER_SIZE;
    for (int i = 0; i < 2; i++)
        third += frame_size(&archive, third);
    archive.text[third + FRAME_SIZE + 100] ^= 1;
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    uint64_t games = 0, last = 0, errors = 0;
    for (bool found = true; found;) {
        const stamma_archive_game *game;
        stamma_error error = stamma_archive_reader_next(reader, &game);
        found = error != STAMMA_OK || game;
        if (error != STAMMA_OK) {
            assert_int_equal(error, STAMMA_ERROR_CORRUPT);
            assert_int_equal(stamma_archive_reader_place(reader).offset, third);
            errors++;
            continue;
        }
        games += found;
        if (found) {
            assert_int_equal(game->number, last + 1 + (last == 2 * 65536 ? 65536 : 0));
            last = game->number;
        }
    }
    assert_int_equal(errors, 1);
    assert_int_equal(games, 8 * 65536 + 11);
    assert_int_equal(last, 9 * 65536 + 11);
    assert_int_equal(stamma_archive_reader_seek(reader, 500000), STAMMA_OK);
    expect_game(reader, 500000, "*");
    assert_int_equal(stamma_archive_reader_seek(reader, 140000), STAMMA_ERROR_CORRUPT);
    close_reader(reader);
    listing back = {0};
    assert_int_equal(unpack(&archive, true, NULL, &back), STAMMA_ERROR_CORRUPT);
    assert_int_equal(back.size, 2 * 65536 * 8);
    free(back.text);
    free(archive.text);
    free(text.text);
}

/* ---- tails and unknown frames ---- */

static void test_tails(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    size_t size = archive.size, block = frame_size(&archive, HEADER_SIZE);
    for (int kind = 0; kind < 5; kind++) {
        listing tailed = {0}, back = {0};
        list_bytes(&tailed, archive.text, size);
        switch (kind) {
        case 0: list_word(&tailed, "x"); break;
        case 1: list_bytes(&tailed, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 34); break;
        case 2: list_bytes(&tailed, archive.text + HEADER_SIZE, 20); break;        /* half a frame header */
        case 3: list_bytes(&tailed, archive.text + HEADER_SIZE, block - 5); break; /* a truncated block */
        default: list_bytes(&tailed, archive.text + HEADER_SIZE, block); break;    /* a complete block */
        }
        /* Committed text is returned, and the remainder is reported. */
        for (int seekable = 0; seekable < 2; seekable++) {
            back.size = 0;
            assert_int_equal(unpack(&tailed, seekable, NULL, &back), STAMMA_ERROR_CORRUPT);
            assert_string_equal(back.text, small_text);
        }
        free(back.text);
        free(tailed.text);
    }
    free(archive.text);
}

/* After an interrupted writer, committed games can be read. Then the reader reports that the archive is truncated. */
static void test_unfinished(void **state)
{
    (void)state;
    listing text = {0}, archive = many_blocks(&text);
    size_t at = HEADER_SIZE;
    for (int i = 0; i < 9; i++)
        at += frame_size(&archive, at); /* after 8 blocks and their commit */
    for (int tail = 0; tail < 2; tail++) {
        listing cut = {archive.text, at + (tail ? 100 : 0), 0}, back = {0};
        assert_int_equal(unpack(&cut, true, NULL, &back), STAMMA_ERROR_CORRUPT);
        assert_int_equal(back.size, 8 * 65536 * 8);
        back.size = 0;
        assert_int_equal(unpack_games(&cut, true, NULL, &back), STAMMA_ERROR_CORRUPT);
        assert_int_equal(back.size, 8 * 65536 * 8);
        assert_memory_equal(back.text, text.text, back.size);
        back.size = 0;
        assert_int_equal(unpack(&cut, false, NULL, &back), STAMMA_ERROR_CORRUPT);
        assert_int_equal(back.size, 8 * 65536 * 8);
        free(back.text);
    }
    free(archive.text);
    free(text.text);
}

static void test_unknown_frames(void **state)
{
    (void)state;
    listing archive = pack("", 0, NULL); /* only a commit */
    for (int mandatory = 0; mandatory < 2; mandatory++)
        for (int seekable = 0; seekable < 2; seekable++) {
            listing strange = {0}, back = {0};
            list_bytes(&strange, archive.text, HEADER_SIZE);
            list_strange_frame(&strange, mandatory, "of a later version");
            size_t commit = strange.size;
            list_bytes(&strange, archive.text + HEADER_SIZE, archive.size - HEADER_SIZE);
            char *payload = strange.text + commit + FRAME_SIZE; /* the commit contains its own offset */
            put_u32(strange.text + strange.size - 16, (uint32_t)commit);
            put_u32(strange.text + commit + 20, check32(payload, strange.size - commit - FRAME_SIZE));
            put_u32(strange.text + commit + 28, check32(strange.text + commit, 28));
            assert_int_equal(unpack(&strange, seekable, NULL, &back), mandatory ? STAMMA_ERROR_UNSUPPORTED : STAMMA_OK);
            assert_int_equal(back.size, 0);
            free(strange.text);
        }
    free(archive.text);
}

/* ---- failures ---- */

static void test_failing_input(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    for (int seekable = 0; seekable < 2; seekable++) {
        unsigned fail_at = 1;
        for (bool failed = true; failed; fail_at++) {
            archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = 100, .fail_at = fail_at};
            listing back = {0};
            stamma_output output = listing_output(&back);
            stamma_archive_reader *reader;
            stamma_error error = open_source(&source, seekable, NULL, &reader);
            if (error == STAMMA_OK) {
                error = stamma_archive_reader_unpack(reader, &output);
                close_reader(reader);
            }
            failed = source.calls >= fail_at;
            assert_int_equal(error, failed ? STAMMA_ERROR_IO : STAMMA_OK);
            free(back.text);
        }
    }
    free(archive.text);
}

static void test_failing_output(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    archive_sink sink = {.fail_at = 1};
    stamma_output output = archive_output(&sink);
    assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_ERROR_IO);
    close_reader(reader);
    free(archive.text);
}

static void test_no_memory(void **state)
{
    (void)state;
    listing text = some_games(14), archive = pack(text.text, text.size, NULL);
    for (int way = 0; way < 4; way++) {
        unsigned fail_at = 1;
        for (bool failed = true; failed; fail_at++) {
            failing_memory memory = {.fail_at = fail_at};
            stamma_allocator allocator = failing_allocator(&memory);
            listing back = {0};
            stamma_error error = way < 2 ? unpack(&archive, way & 1, &allocator, &back)
                                         : unpack_games(&archive, way & 1, &allocator, &back);
            failed = memory.calls >= fail_at;
            assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
            assert_int_equal(memory.alive, 0);
            free(back.text);
        }
    }
    free(archive.text);
    free(text.text);
}

/* A frame header with a large size does not cause allocations beyond the size of the input. */
static void test_sizes_that_lie(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    put_u32(archive.text + HEADER_SIZE + 8, 1u << 29);
    put_u32(archive.text + HEADER_SIZE + 28, check32(archive.text + HEADER_SIZE, 28));
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    listing back = {0};
    assert_int_equal(unpack(&archive, false, &allocator, &back), STAMMA_ERROR_CORRUPT);
    assert_true(memory.peak < 4 << 20);
    assert_int_equal(memory.alive, 0);
    free(archive.text);
}

/* Unpacking and verifying need less memory than the text of a block, whatever the number of blocks. */
static void test_memory_bound(void **state)
{
    (void)state;
    listing games = some_games(280), text = {0};
    while (text.size < 40000000)
        list_bytes(&text, games.text, games.size);
    free(games.text);
    listing archive = pack(text.text, text.size, NULL);
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    listing back = {0};
    assert_int_equal(unpack(&archive, false, &allocator, &back), STAMMA_OK);
    assert_int_equal(back.size, text.size);
    assert_true(memory.peak < (size_t)12 << 20);
    memory.peak = 0;
    archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
    const stamma_input stream = source_stream(&source);
    stamma_archive_verify_options options = {.size = sizeof options, .allocator = &allocator};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(stamma_archive_verify_stream(&stream, &options, &verdict), STAMMA_OK);
    assert_int_equal(verdict.damages, 0);
    assert_true(memory.peak > 1 << 20 && memory.peak < (size_t)12 << 20);
    free(back.text);
    free(archive.text);
    free(text.text);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    stamma_archive *opened = open_handle(&archive);
    stamma_archive_reader *reader;
    stamma_archive_reader_options options = {.size = 1};
    assert_int_equal(stamma_archive_reader_open(NULL, NULL, &reader), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_reader_open(opened, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_reader_open(opened, &options, &reader), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_archive_reader_close(NULL);
    stamma_archive_close(opened);
    free(archive.text);
}

/* Unpacking, reading the info and verifying report progress after each block and stop on request. The reader of an
 * archive is rewound each time. */
static void test_progress(void **state)
{
    (void)state;
    listing text = {0};
    for (unsigned i = 0; i < 3 * 65536; i++) /* records: three blocks */
        list_word(&text, "*\n");
    listing archive = pack(text.text, text.size, NULL);
    for (unsigned stop_at = 0; stop_at < 4; stop_at++) {
        stamma_error wanted = stop_at ? STAMMA_ERROR_CANCELLED : STAMMA_OK;
        archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        const stamma_input stream = source_stream(&source);
        archive_steps s = {.stop_at = stop_at};
        stamma_archive_reader_options options = {
            .size = sizeof options, .context = &s, .progress = archive_take_progress};
        stamma_archive_reader *reader;
        assert_int_equal(open_source(&source, true, &options, &reader), STAMMA_OK);
        for (int way = 0; way < 3; way++) {
            listing back = {0};
            stamma_output output = listing_output(&back);
            s = (archive_steps){.stop_at = stop_at};
            if (way < 2)
                assert_int_equal(stamma_archive_reader_unpack(reader, &output), wanted);
            else
                assert_int_equal(stamma_archive_reader_info(reader, NULL, NULL, 0, NULL, NULL), wanted);
            assert_int_equal(s.calls, stop_at ? stop_at : 3);
            assert_true(way == 2 || back.size == text.size / 3 * s.calls);
            free(back.text);
        }
        close_reader(reader);
        stamma_archive_verify_options verifying = {
            .size = sizeof verifying, .context = &s, .progress = archive_take_progress};
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        s = (archive_steps){.stop_at = stop_at};
        source.at = 0;
        assert_int_equal(stamma_archive_verify_stream(&stream, &verifying, &verdict), wanted);
        assert_int_equal(s.calls, stop_at ? stop_at : 3);
        s = (archive_steps){.stop_at = stop_at};
        stamma_archive *opened = open_handle(&archive);
        assert_int_equal(stamma_archive_verify(opened, &verifying, &verdict), wanted);
        assert_int_equal(s.calls, stop_at ? stop_at : 3);
        stamma_archive_close(opened);
    }
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress),           cmocka_unit_test(test_games),
        cmocka_unit_test(test_game_count),         cmocka_unit_test(test_seek_to_every_game),
        cmocka_unit_test(test_seek_across_blocks), cmocka_unit_test(test_seek_past_the_end),
        cmocka_unit_test(test_small_reads),        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_altered_bytes),      cmocka_unit_test(test_no_archive),
        cmocka_unit_test(test_damage_stays_local), cmocka_unit_test(test_tails),
        cmocka_unit_test(test_unfinished),         cmocka_unit_test(test_unknown_frames),
        cmocka_unit_test(test_failing_input),      cmocka_unit_test(test_failing_output),
        cmocka_unit_test(test_no_memory),          cmocka_unit_test(test_sizes_that_lie),
        cmocka_unit_test(test_memory_bound),       cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
