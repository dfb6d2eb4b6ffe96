/* SPDX-License-Identifier: MIT */
/* Tests the archive writer: any text is restored, and the archive does not depend on how the text is divided. Failures
 * are reported and leak nothing, and memory is bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "game_texts.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SLOW 1
#else
#define SLOW 0
#endif

static void expect_round_trip(const char *text)
{
    assert_round_trip(text, strlen(text), NULL);
}

/* ---- texts that are restored ---- */

static void test_small_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "\n",
        "\xEF\xBB\xBF",
        "*",
        "1. e4 *",
        "1. e4",
        "e4 e5 1-0\n\n\n",
        "1-0 0-1 1/2-1/2 * 1/2",
        "no chess at all",
        "[Event \"x\"]",
        "[Event \"x\"][Event \"y\"]",
        "[Event \"x\"]\n\n*\n[Event \"y\"]\n\n*\n",
        "[FEN \"rubbish\"]\n\n1. e4 *",
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"] 1 e4",
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"] 1. O-O Kd7 *",
        "[Variant \"Atomic\"]\n\n1. e4 e5 *",
        "1. e4 e5 2. Ke2 Ke7 3. Ke3 Ke3 *",
        "1. e4 (1. d4 d5 (1... Nf6 2. e5 e5) 2. c4) 1... e5 *",
        "1. e4 (1. d4 *",
        "1. e4 ) e5 *",
        "1. e4 { never closed",
        "1. e4 { never closed\n[Event \"next\"]\n\n*",
        "1. -- -- 2. Z0 0000 null pass aa *",
        "1. e4! e5? 2. f4!! exf4?? 3. Nf3!? g5?! 4. h4!!! $0 $1 $007 $255 $256 $99999999999 $ *",
        "%escape\n;line\n{brace}\n1. e4 ; to the end\n%again\ne5 *",
        "1.e4 e5 2 Nf3 2... Nc6 3....Bb5 007. O-O 4. 0-0 *",
        "1. e2e4 e7-e5 2. Ng1-f3 Nb8c6 3. Bf1b5+ *",
        "[A \"\\\"quoted\\\" and \\\\\"]\n[B \"a \"b\" c\"]\n[ C  \"odd\" ]\n[D \"\"]\n*\n",
        "[A \"1\"]\n[A \"2\"]\n[Result \"1-0\"]\n[Result \"0-1\"]\n\n0-1\n",
        "\r\r\n\n\r[Event \"x\"]\r\n\n\r1. e4\re5\r\n*\r\r\n",
        "*\n\n\nwhat stands behind the last game",
        "{before} ;all\n*{after}",
        "exd6e.p. exd6 e.p. *",
        "1. e4 e5 1/2 1/2-1/2",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_round_trip(texts[i]);
}

static void test_zero_bytes(void **state)
{
    (void)state;
    static const char text[] =
        "[A \"x\0y\"]\n[B\0 \"z\"]\n[C \"d\"]\n\n\0 1. e4 {a\0b} ;c\0d\n%e\0\n e5\0 $1\0 *\0\n\0";
    assert_round_trip(text, sizeof text, NULL);
}

static void test_every_byte_value(void **state)
{
    (void)state;
    char text[512];
    for (int i = 0; i < 256; i++) {
        text[2 * i] = (char)i;
        text[2 * i + 1] = (char)(255 - i);
    }
    assert_round_trip(text, sizeof text, NULL);
    for (int i = 0; i < 256; i++) {
        char game[] = "[E \"?\"]\n\n1. e4 {?} e5 *\n";
        game[4] = (char)i;
        game[16] = (char)i;
        assert_round_trip(game, sizeof game - 1, NULL);
    }
}

/* Lists pieces of PGN in random order, which no program writes. */
static void list_garbage(listing *to, size_t pieces)
{
    static const char *const parts[] = {"[Event \"",
                                        "\"]",
                                        "\n",
                                        "\r\n",
                                        "\r",
                                        " ",
                                        "  ",
                                        "\t",
                                        "1. e4",
                                        "e5",
                                        "2.",
                                        "Nf3",
                                        "Nc6",
                                        "{",
                                        "}",
                                        "(",
                                        ")",
                                        ";",
                                        "%",
                                        "$1",
                                        "$",
                                        "!",
                                        "?!",
                                        "*",
                                        "1-0",
                                        "1/2-1/2",
                                        "0-0",
                                        "O-O",
                                        "--",
                                        "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 9\"]\n",
                                        "e8=Q",
                                        "\xEF\xBB\xBF",
                                        "\\",
                                        "\"",
                                        "]",
                                        "[",
                                        "\xFF\xFE",
                                        "e.p.",
                                        "Qh5#",
                                        "bxc3",
                                        "{[%clk 0:01:00]}",
                                        "{+0.31/18 1.2s}",
                                        "[White \"A\"]\n",
                                        "[Black \"B\"]\n\n",
                                        "1... c5",
                                        "99999999999.",
                                        "[Result \"1-0\"]\n\n"};
    for (size_t i = 0; i < pieces; i++) {
        if (random_below(20) == 0) {
            char byte = (char)random_below(256);
            list_bytes(to, &byte, 1);
        } else {
            list_word(to, parts[random_below(sizeof parts / sizeof *parts)]);
        }
        if (random_below(3) == 0)
            list_word(to, " ");
    }
}

static void test_garbage(void **state)
{
    (void)state;
    for (int round = 0; round < (SLOW ? 100 : 600); round++) {
        listing text = {0};
        list_garbage(&text, 1 + (size_t)random_below(120));
        assert_round_trip(text.text, text.size, NULL);
        free(text.text);
    }
}

/* Changes, removes and inserts some bytes. */
static void spoil(listing *text, size_t changes)
{
    for (size_t i = 0; i < changes && text->size > 2; i++) {
        size_t at = (size_t)random_below(text->size - 1);
        switch (random_below(4)) {
        case 0: text->text[at] = (char)random_below(256); break;
        case 1: text->text[at] = " \n\r.1({*"[random_below(8)]; break;
        case 2: memmove(text->text + at, text->text + at + 1, --text->size - at); break;
        default:
            list_bytes(text, "x", 1);
            memmove(text->text + at + 1, text->text + at, text->size - at - 1);
            text->text[at] = " \n\r.1({*"[random_below(8)];
            break;
        }
    }
}

static void test_spoilt_games(void **state)
{
    (void)state;
    for (int round = 0; round < (SLOW ? 4 : 20); round++)
        for (const text_style *s = text_styles; s->name; s++) {
            listing text = {0};
            for (int i = 0; i < 10; i++)
                list_game(&text, s);
            spoil(&text, 1 + (size_t)random_below(20));
            assert_round_trip(text.text, text.size, NULL);
            free(text.text);
        }
}

static void round_trip_of_file(const char *path, const char *bytes, size_t size)
{
    (void)path;
    if (size < (SLOW ? 100000 : 2000000))
        assert_round_trip(bytes, size, NULL);
}

static void test_nasty_files(void **state)
{
    (void)state;
    if (for_each_nasty_file(round_trip_of_file) == 0) {
        print_message("../shared/corpora/nasty is not here\n");
        skip();
    }
}

/* ---- division of the input ---- */

static void assert_same_archive(const listing *archive, const listing *text, size_t piece_max)
{
    listing again = pack_pieces(text->text, text->size, piece_max, NULL);
    assert_int_equal(again.size, archive->size);
    assert_memory_equal(again.text, archive->text, archive->size);
    free(again.text);
}

static void test_cuts(void **state)
{
    (void)state;
    listing text = {0};
    for (const text_style *s = text_styles; s->name; s++)
        list_game(&text, s);
    list_garbage(&text, 200);
    listing archive = pack(text.text, text.size, NULL);
    for (size_t piece = 1; piece < 20; piece++)
        assert_same_archive(&archive, &text, piece);
    assert_same_archive(&archive, &text, 4096);
    free(archive.text);
    free(text.text);
}

/* Lists games of three styles repeatedly, with changing numbers. */
static void list_many_games(listing *to, size_t size)
{
    listing games = {0};
    for (int i = 0; i < 99; i++)
        list_game(&games, &text_styles[(size_t)(i / 33) * 3]);
    for (unsigned n = 0; to->size < size; n++) {
        list_format(to, "[Round \"%u\"]\n", n);
        list_bytes(to, games.text, games.size);
    }
    free(games.text);
}

/* The text is larger than one block and than the writer's buffer, which must move. */
static void test_cuts_of_large_text(void **state)
{
    (void)state;
    listing text = {0};
    list_many_games(&text, 18 << 20);
    listing archive = pack(text.text, text.size, NULL);
    assert_same_archive(&archive, &text, 65537);
    if (!SLOW)
        assert_same_archive(&archive, &text, 1000003);
    listing back = {0};
    assert_int_equal(unpack(&archive, true, NULL, &back), STAMMA_OK);
    assert_int_equal(back.size, text.size);
    assert_memory_equal(back.text, text.text, text.size);
    free(back.text);
    free(archive.text);
    free(text.text);
}

/* ---- games too large for a record (4.6) ---- */

static void repeat(listing *to, const char *word, size_t size)
{
    for (size_t end = to->size + size; to->size < end;)
        list_word(to, word);
}

static void expect_pieces(const listing *text, unsigned games, unsigned pieces)
{
    stamma_archive_counts counts;
    listing archive = pack(text->text, text->size, &counts);
    assert_int_equal(counts.games, games);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    listing back = {0};
    unsigned records = 0, continuations = 0;
    for (bool found = true; found;) {
        const stamma_archive_game *game;
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        found = game != NULL;
        if (!found)
            break;
        list_bytes(&back, game->text.data, game->text.size);
        records++;
        continuations += game->continuation;
        assert_int_equal(game->number, records - continuations);
        assert_true(game->text.size <= 4194304);
    }
    close_reader(reader);
    assert_int_equal(records, pieces);
    assert_more_is_right(&archive);
    assert_int_equal(back.size, text->size);
    assert_memory_equal(back.text, text->text, text->size);
    free(back.text);
    free(archive.text);
}

static void test_large_games(void **state)
{
    (void)state;
    static const char *const fillers[] = {"{comment}\n", "e4 e5 ", "( ", "$$ ", ";line\n",
                                          "[",           " ",      "\"", "!? ", "1. "};
    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++) {
        listing text = {0};
        list_word(&text, "[Event \"large\"]\n\n1. d4 ");
        repeat(&text, fillers[i], SLOW ? 5000000 : 9000000);
        list_word(&text, "\n[Event \"small\"]\n\n1. c4 *\n");
        assert_round_trip(text.text, text.size, NULL);
        free(text.text);
    }
}

static void test_a_game_of_three_pieces(void **state)
{
    (void)state;
    listing text = {0};
    list_word(&text, "1. d4 {");
    repeat(&text, "word ", 1000000);
    list_word(&text, "} ");
    repeat(&text, "{comment} ", 9000000);
    list_word(&text, "d5 *\n\n1. e4 *\n");
    expect_pieces(&text, 2, 4);
    free(text.text);
}

/* A comment larger than a token: the game is cut before it. */
static void test_a_large_comment(void **state)
{
    (void)state;
    listing text = {0};
    list_word(&text, "1. d4 {");
    repeat(&text, "word ", 3000000);
    list_word(&text, "} d5 *\n\n1. e4 *\n");
    expect_pieces(&text, 2, 3);
    free(text.text);
    text = (listing){0};
    list_word(&text, "{");
    repeat(&text, "at the very start ", 3000000);
    list_word(&text, "} 1. d4 d5 *\n\n1. e4 *\n");
    expect_pieces(&text, 2, 2);
    free(text.text);
}

/* Enough text outside of games to be cut like a game. */
static void test_much_text_without_games(void **state)
{
    (void)state;
    listing text = {0};
    repeat(&text, "{comment}\n", 5000000);
    expect_pieces(&text, 1, 2);
    list_word(&text, "1. e4 *\n");
    expect_pieces(&text, 1, 2);
    list_word(&text, "1. e4 *\n{after}");
    expect_pieces(&text, 2, 3);
    list_word(&text, "\n\n{after}");
    expect_pieces(&text, 2, 4);
    free(text.text);
}

static void test_many_items(void **state)
{
    (void)state;
    listing text = {0};
    repeat(&text, "$1", 2 * 262143); /* with the end, the maximum number of items of a record */
    expect_pieces(&text, 1, 1);
    list_word(&text, "$1");
    expect_pieces(&text, 1, 2);
    free(text.text);
}

static void test_deep_variations(void **state)
{
    (void)state;
    for (unsigned depth = 254; depth < 258; depth++) {
        listing text = {0};
        stamma_archive_counts counts;
        list_word(&text, "1. e4 ");
        for (unsigned i = 0; i < depth; i++)
            list_word(&text, "(1. d4 ");
        for (unsigned i = 0; i < depth; i++)
            list_word(&text, ") ");
        list_word(&text, "1... e5 *\n");
        assert_round_trip(text.text, text.size, &counts);
        assert_int_equal(counts.plies, 2);
        assert_int_equal(counts.variation_plies, depth < 256 ? depth : 255);
        assert_int_equal(counts.games_partly_verbatim, depth > 255);
        free(text.text);
    }
}

/* ---- failures ---- */

static listing sample_text(void)
{
    listing text = {0};
    for (const text_style *s = text_styles; s->name; s++)
        list_game(&text, s);
    list_garbage(&text, 100);
    return text;
}

/* Packs with an allocator and an output that may fail. Returns the first error. */
static stamma_error try_pack(const listing *text, const stamma_allocator *allocator, const stamma_output *output)
{
    stamma_archive_writer_options options = {.size = sizeof options, .allocator = allocator};
    stamma_archive_writer *writer;
    stamma_error error = stamma_archive_writer_open(output, &options, &writer);
    if (error != STAMMA_OK)
        return error;
    error = stamma_archive_writer_write(writer, text->text, text->size);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, NULL);
    else
        assert_int_equal(stamma_archive_writer_finish(writer, NULL), error);
    stamma_archive_writer_close(writer);
    return error;
}

static void test_no_memory(void **state)
{
    (void)state;
    listing text = sample_text();
    listing whole = pack(text.text, text.size, NULL);
    for (unsigned fail_at = 1;; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        archive_sink sink = {.fail_at = 0};
        stamma_output output = archive_output(&sink);
        stamma_error error = try_pack(&text, &allocator, &output);
        assert_int_equal(memory.alive, 0);
        if (memory.calls < fail_at) {
            assert_int_equal(error, STAMMA_OK);
            assert_int_equal(sink.bytes.size, whole.size);
            free(sink.bytes.text);
            break;
        }
        assert_int_equal(error, STAMMA_ERROR_NO_MEMORY);
        free(sink.bytes.text);
    }
    free(whole.text);
    free(text.text);
}

static void test_failing_output(void **state)
{
    (void)state;
    listing text = sample_text();
    listing whole = pack(text.text, text.size, NULL);
    for (unsigned fail_at = 1;; fail_at++) {
        archive_sink sink = {.fail_at = fail_at};
        stamma_output output = archive_output(&sink);
        stamma_error error = try_pack(&text, NULL, &output);
        bool failed = sink.writes + sink.syncs >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_IO : STAMMA_OK);
        if (sink.bytes.size > 0)
            assert_memory_equal(sink.bytes.text, whole.text, sink.bytes.size);
        free(sink.bytes.text);
        if (!failed)
            break;
    }
    free(whole.text);
    free(text.text);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    stamma_archive_writer_options options = {.size = 1};
    assert_int_equal(stamma_archive_writer_open(NULL, NULL, &writer), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_ERROR_BAD_ARGUMENT);
    options = (stamma_archive_writer_options){.size = sizeof options, .level = 77};
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(sink.writes, 0);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_writer_write(writer, "x", 1), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_archive_writer_close(writer);
    stamma_archive_writer_close(NULL);
    free(sink.bytes.text);
}

/* ---- memory ---- */

static bool drop(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)context += size;
    return true;
}

/* The memory of zstd's contexts depends on the size of a block, which is bounded. */
static void test_memory_bound(void **state)
{
    (void)state;
    listing text = {0};
    list_many_games(&text, 1 << 20);
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    stamma_archive_writer_options options = {.size = sizeof options, .allocator = &allocator};
    uint64_t written = 0;
    stamma_output output = {&written, drop, NULL};
    stamma_archive_writer *writer;
    size_t first_peak = 0;
    const int rounds = 100;
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
    for (int i = 0; i < rounds; i++) {
        assert_int_equal(stamma_archive_writer_write(writer, text.text, text.size), STAMMA_OK);
        if (i == rounds / 2)
            first_peak = memory.peak;
    }
    stamma_archive_counts counts;
    assert_int_equal(stamma_archive_writer_finish(writer, &counts), STAMMA_OK);
    assert_int_equal(counts.text_size, text.size * (size_t)rounds);
    assert_int_equal(counts.archive_size, written);
    assert_true(memory.peak < (size_t)96 << 20);
    assert_true(memory.peak - first_peak < (size_t)1 << 20);
    stamma_archive_writer_close(writer);
    assert_int_equal(memory.alive, 0);
    free(text.text);
}

/* ---- progress and notices ---- */

typedef struct progress_log {
    unsigned count;
    stamma_archive_notice last;
    char text[81];
} progress_log;

static void take_notice(void *context, const stamma_archive_notice *notice)
{
    progress_log *t = context;
    t->count++;
    t->last = *notice;
    assert_true(notice->text.size <= 80);
    memcpy(t->text, notice->text.data, notice->text.size);
    t->text[notice->text.size] = '\0';
}

/* Reports progress after each block. If the callback stops it after the second block, the archive ends with the
 * committed blocks. */
static void test_progress(void **state)
{
    (void)state;
    enum { RECORDS = 3 * 65536 }; /* three blocks (3.4) */
    size_t size = 2 * (size_t)RECORDS;
    char *text = (char *)malloc(size);
    for (size_t i = 0; i < size; i += 2)
        memcpy(text + i, "*\n", 2);
    for (unsigned stop_at = 0; stop_at <= 2; stop_at += 2) {
        archive_steps s = {.stop_at = stop_at};
        archive_sink sink = {.fail_at = 0};
        stamma_output output = archive_output(&sink);
        stamma_archive_writer_options options = {
            .size = sizeof options, .context = &s, .progress = archive_take_progress};
        stamma_archive_writer *writer;
        assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
        stamma_error error = stamma_archive_writer_write(writer, text, size);
        if (error == STAMMA_OK)
            error = stamma_archive_writer_finish(writer, NULL);
        assert_int_equal(error, stop_at ? STAMMA_ERROR_CANCELLED : STAMMA_OK);
        assert_int_equal(s.total, 0); /* unknown */
        if (stop_at) {
            assert_int_equal(s.calls, stop_at);
            assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_ERROR_CANCELLED);
        } else {
            assert_int_equal(s.last, size);
        }
        stamma_archive_writer_close(writer);
        free(sink.bytes.text);
    }
    free(text);
}

static void expect_notice(const char *text, stamma_archive_reason reason, const char *begins)
{
    static const char before[] = "[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n";
    progress_log t = {0};
    listing all = {0};
    list_word(&all, before);
    list_word(&all, text);
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer_options options = {.size = sizeof options, .context = &t, .notice = take_notice};
    stamma_archive_writer *writer;
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_write(writer, all.text, all.size), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    assert_int_equal(t.count, reason != STAMMA_REASON_NONE);
    if (t.count) {
        size_t at = (size_t)t.last.place.offset;
        assert_int_equal(t.last.reason, reason);
        assert_int_equal(t.last.game, 2);
        assert_int_equal(t.last.place.game, 2);
        if (reason != STAMMA_REASON_BAD_FEN && reason != STAMMA_REASON_VARIANT) /* these two report the invalid tag */
            assert_memory_equal(t.text, all.text + at, strlen(t.text));
        assert_memory_equal(t.text, begins, strlen(begins));
        size_t line = 1;
        for (size_t i = 0; i < at; i++)
            line += all.text[i] == '\n';
        assert_int_equal(t.last.place.line, line);
    }
    free(sink.bytes.text);
    free(all.text);
}

static void test_notices(void **state)
{
    (void)state;
    expect_notice("[Event \"b\"]\r\n\r\n1. e4 e5 *\r\n", STAMMA_REASON_NONE, "");
    expect_notice("1. e4 e5 2. Ke3 Ke7 *\n", STAMMA_REASON_ILLEGAL_MOVE, "Ke3");
    expect_notice("1. Nf3 d5 2. Nd4 c5 3. Nc3 e5 4. Nb5 *\n", STAMMA_REASON_AMBIGUOUS_MOVE, "Nb5");
    expect_notice("1. e4\r\ne5\r\n2. xyzzy *\n", STAMMA_REASON_SYNTAX, "xyzzy");
    expect_notice("[FEN \"x\"]\n\n1. e4 *\n", STAMMA_REASON_BAD_FEN, "x");
    expect_notice("[Variant \"Crazyhouse\"]\n\n1. e4 *\n", STAMMA_REASON_VARIANT, "Crazyhouse");
    listing deep = {0};
    list_word(&deep, "1. e4 ");
    repeat(&deep, "(1. d4 ", 7 * (size_t)255); /* the maximum depth of variations */
    expect_notice(deep.text, STAMMA_REASON_NONE, "");
    list_word(&deep, "(1. c4 *\n");
    expect_notice(deep.text, STAMMA_REASON_DEPTH, "(1. c4");
    free(deep.text);
}

static const char warnings_of[] =
    "[Event \"1\"]\n[Event \"a\"]\n[Event \"b\"]\n\n1. e4 *\n" /* once for a game */
    "[Event \"2\"]\n\n1. e4 e5 xyzzy *\n"
    "[Event \"3\"]\n[A \"\"]\n[Event \"c\"]\n \n 1. e4   e5\n(1. d4 Ke5)\n2. Ke6 *\n" /* lines 9 to 15 */
    "[Event \"4\"]\n1. e4 (1. Ke4) *\n"
    "[Variant \"Atomic\"]\n1. e4 *\n"
    "[FEN \"x\"]\n1. e4 *\n";

static void take_warning(void *context, const stamma_archive_warning *warning)
{
    list_format((listing *)context, "%d game %d line %d ply %d \"%.4s\"\n", (int)warning->kind,
                (int)warning->place.game, (int)warning->place.line, (int)warning->place.ply,
                warnings_of + (size_t)warning->place.offset);
}

/* Games with a second Event tag, or with text that ends the main line. */
static void test_warnings(void **state)
{
    (void)state;
    listing got = {0};
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer_options options = {.size = sizeof options, .context = &got, .warning = take_warning};
    stamma_archive_writer *writer;
    list_word(&got, "");
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_write(writer, warnings_of, sizeof warnings_of - 1), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    assert_string_equal(got.text, "1 game 1 line 2 ply 0 \"[Eve\"\n2 game 2 line 8 ply 2 \"xyzz\"\n"
                                  "1 game 3 line 11 ply 0 \"[Eve\"\n2 game 3 line 15 ply 2 \"Ke6 \"\n"
                                  "2 game 6 line 21 ply 0 \"1. e\"\n");
    free(sink.bytes.text);
    free(got.text);
}

/* Each reason has a different text. */
static void test_reason_texts(void **state)
{
    (void)state;
    const char *unknown = stamma_archive_reason_text(STAMMA_REASON_COUNT);
    for (unsigned n = 0; n < STAMMA_REASON_COUNT; n++) {
        assert_string_not_equal(stamma_archive_reason_text((stamma_archive_reason)n), unknown);
        for (unsigned k = 0; k < n; k++)
            assert_string_not_equal(stamma_archive_reason_text((stamma_archive_reason)n),
                                    stamma_archive_reason_text((stamma_archive_reason)k));
    }
    assert_string_equal(stamma_archive_reason_text(STAMMA_REASON_AMBIGUOUS_MOVE), "ambiguous move");
    assert_string_equal(stamma_archive_reason_text((stamma_archive_reason)99), unknown);
}

/* An archive of more than 8 blocks has a commit in its middle. */
static void test_commits(void **state)
{
    (void)state;
    listing text = {0};
    repeat(&text, "*", 9 * 65536); /* 65,536 records for each block: `**` is one piece of garbage */
    text.size = 0;
    repeat(&text, "* ", 2 * 9 * 65536);
    listing archive = pack(text.text, text.size, NULL);
    unsigned commits = 0;
    for (size_t at = 0; at + 8 <= archive.size; at++)
        commits += memcmp(archive.text + at, "StEndCmt", 8) == 0;
    assert_int_equal(commits, 2);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_texts),
        cmocka_unit_test(test_zero_bytes),
        cmocka_unit_test(test_every_byte_value),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_spoilt_games),
        cmocka_unit_test(test_nasty_files),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_cuts_of_large_text),
        cmocka_unit_test(test_large_games),
        cmocka_unit_test(test_a_game_of_three_pieces),
        cmocka_unit_test(test_a_large_comment),
        cmocka_unit_test(test_much_text_without_games),
        cmocka_unit_test(test_many_items),
        cmocka_unit_test(test_deep_variations),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_failing_output),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_memory_bound),
        cmocka_unit_test(test_notices),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_reason_texts),
        cmocka_unit_test(test_commits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
