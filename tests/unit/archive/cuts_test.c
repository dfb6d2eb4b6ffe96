/* SPDX-License-Identifier: MIT */
/* Tests clause 9: a text that ends at any byte packs and unpacks to itself, completely and game by game. Truncated
 * downloads are texts like this. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/pack_job.h"
#include "archive/reader.h"
#include "archive_support.h"

/* A writer's and a reader's job for one block. Both keep their memory between texts. */
typedef struct bench {
    stamma_allocator allocator;
    pack_job pack;
    unpack_job unpack;
    block_reader block;
    game_batch batch;
} bench;

static int set_up(void **state)
{
    bench *b = calloc(1, sizeof *b);
    if (!b)
        return 1;
    b->allocator = stamma_allocator_or_default(NULL);
    stamma_pack_job_init(&b->pack, &b->allocator, true);
    stamma_unpack_job_init(&b->unpack, &b->allocator);
    stamma_block_reader_init(&b->block, &b->allocator);
    stamma_game_batch_init(&b->batch, &b->allocator);
    b->pack.final = true;
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    bench *b = *state;
    stamma_pack_job_release(&b->pack);
    stamma_unpack_job_release(&b->unpack);
    stamma_block_reader_release(&b->block);
    stamma_game_batch_release(&b->batch);
    free(b);
    return 0;
}

static const char *texts_name;

static void demand(bool law, const char *what, const bench *b)
{
    size_t size = b->pack.text.size, shown = size < 60 ? size : 60;
    if (!law)
        fail_msg("%s: %s, cut at byte %zu, after \"%.*s\"", texts_name, what, size, (int)shown,
                 (const char *)b->pack.text.data + size - shown);
}

/* Packs the text of the job. Asserts that the round-trip check stores no record as text. */
static void pack_text(bench *b)
{
    pack_job *j = &b->pack;
    stamma_pgn_lexer_init(&j->lexer, PARSER_TOKEN_MAX);
    j->continuing = false;
    stamma_pack_job_run(j);
    demand(j->error == STAMMA_OK && j->used == j->text.size, "not packed", b);
    demand(j->faults == 0, "a fault that the check found", b);
}

static void store_payload(bench *b)
{
    buffer *payload = &b->unpack.payload;
    payload->size = 0;
    buffer_add(payload, b->pack.head.data, b->pack.head.size);
    buffer_add(payload, b->pack.body.data, b->pack.body.size);
}

static void unpack_all(bench *b)
{
    const pack_job *from = &b->pack;
    unpack_job *j = &b->unpack;
    j->frame.head_size = from->head.size;
    j->work = UNPACK_TEXT;
    stamma_unpack_job_run(j);
    demand(j->error == STAMMA_OK && j->text.size == from->text.size &&
               memcmp(j->text.data, from->text.data, j->text.size) == 0,
           "another text", b);
}

/* Asserts that each record equals its part of the text. */
static void read_games(bench *b)
{
    const buffer *payload = &b->unpack.payload, *text = &b->pack.text;
    size_t at = 0;
    uint64_t games = 0;
    stamma_error error = stamma_block_reader_load(&b->block, payload->data, payload->size, b->pack.head.size);
    while (error == STAMMA_OK && b->block.state.next < b->block.head.records) {
        bool decoded;
        error = stamma_game_batch_read(&b->batch, &b->block, &decoded);
        while (error == STAMMA_OK && stamma_game_batch_next(&b->batch)) {
            stamma_archive_game game = stamma_game_batch_take(&b->batch);
            bool same =
                game.text.size <= text->size - at && memcmp(game.text.data, text->data + at, game.text.size) == 0;
            demand(same, "another game", b);
            at += game.text.size;
            games += !game.continuation;
        }
    }
    demand(error == STAMMA_OK && at == text->size && games == b->pack.block.counts.games, "games are missing", b);
}

/* Keeps only the last record of the text. The text before it was already cut at every byte. */
static void drop_records(bench *b)
{
    const block_writer *w = &b->pack.block;
    buffer *text = &b->pack.text;
    size_t count = (size_t)w->record_count, begin = 0;
    if (count > 1)
        begin = ((const uint32_t *)(const void *)w->ends.data)[count - 2];
    text->size -= begin;
    memmove(text->data, text->data + begin, text->size);
}

/* For texts longer than LONG_TEXT, the first records are dropped. After SAMPLED bytes, only some cuts are tested. With
 * STAMMA_ALL_CUTS all cuts are tested, which needs minutes. */
enum { LONG_TEXT = 400, SAMPLED = 400 };
static bool all_cuts;

/* Checks a text that is cut after each of its first bytes, or after each `every`-th. */
static void check_cuts(bench *b, const char *name, const char *text, size_t size, size_t every)
{
    texts_name = name;
    b->pack.text.size = 0;
    for (size_t at = 0, number = 0; at < size; number++) {
        const size_t thinned = thinned_step((at < SAMPLED ? 1 : 47) * every), step = all_cuts ? 1 : thinned;
        const size_t part = step < size - at ? step : size - at;
        buffer_add(&b->pack.text, text + at, part);
        at += part;
        pack_text(b);
        store_payload(b);
        if (number % 8 == 0)
            unpack_all(b);
        read_games(b);
        if (b->pack.text.size > LONG_TEXT)
            drop_records(b);
    }
}

/* Hand-made texts: games from set-up positions, with numbers in every part. */
static void made_texts(void **state)
{
    static const char *const texts[] = {
        "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 25\"]\n[Date \"2021.1",
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 *\n\n[Event \"d\"]\n\n1. f4 "
        "*\n\n"
        "[Event \"Study\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 25\"]\n[Date \"2021.1",
        "[Event \"Study\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 b - - 3 57\"]\n;57 rest\n%57 escape\n[57 57\n[Date \"57.57\"]\n"
        "{57 57. 58}\n57... Kd7 58. a8=Q (58. Kd2 Kc7 (58... Ke7 {58 ...} 59. a8=N) 59. a8=B $1 $57) 58... Ke6 59 "
        "1-0\n\n",
        ("[SetUp \"1\"]\r\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]\r\n\r\n"
         "1... e5 {1...} 2. Nf3 (2. f4 exf4 3. Nf3 1 2 3. 1/2 g5) 2... Nc6 1/2\r\n1 2 3"),
        "[FEN \"bad\"]\n[Round \"1\"]\n\n1. e4 e5 1-0 [FEN \"8/8/8/8/8/8/8/8 w - - 0 9\"][Round \"9\"]9. e4 9",
        "1. e4 e5 1-0 Black resigned, after 1 move {a\n[Event \"b\"]\n} (1... d5\n2. exd5) $1 +-\n;c\n%d\n\n{e} 1. d4 "
        "* "
        "(1. c4) [White \"f\"]\n\n[WHITE \"g\"]\n*",
        "[Variant \"Atomic\"][FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 9\"]9. O-O Kd8 10. Rd1# 1-0\n9 10",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_cuts(*state, "a made text", texts[i], strlen(texts[i]), 1);
}

/* Cuts a text at every byte and reads each game by its number. */
static void games_by_number(void **state)
{
    static const char text[] = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 "
                               "*\n\n[Event \"d\"]\n\n1. f4 *\n\n"
                               "[Event \"Study\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 25\"]\n[Date \"2021.1";
    (void)state;
    for (size_t size = 1; size < sizeof text; size++) {
        listing archive = pack(text, size, NULL);
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &archive, true);
        uint64_t games;
        assert_int_equal(stamma_archive_reader_game_count(reader, &games), STAMMA_OK);
        for (uint64_t number = games; number > 0; number--) {
            const char *begin = text;
            const stamma_archive_game *game;
            for (uint64_t n = 1; n < number; n++)
                begin = strstr(begin, "*\n\n") + 3;
            assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_true(game && game->number == number && game->text.size <= size - (size_t)(begin - text));
            assert_memory_equal(game->text.data, begin, game->text.size);
        }
        close_reader(reader);
        free(archive.text);
    }
}

enum { NASTY_SIZE = 20000 };
static bench *nasty_bench;

static void cut_nasty(const char *path, const char *bytes, size_t size)
{
    check_cuts(nasty_bench, path, bytes, size < NASTY_SIZE ? size : NASTY_SIZE, usual_step(3));
}

/* Uses the first 20,000 bytes of larger files. */
static void nasty_files(void **state)
{
    nasty_bench = *state;
    all_cuts = getenv("STAMMA_ALL_CUTS") != NULL;
    if (for_each_nasty_file(cut_nasty) == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_texts),
        cmocka_unit_test(games_by_number),
        cmocka_unit_test(nasty_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
