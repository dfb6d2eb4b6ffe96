/* SPDX-License-Identifier: MIT */
/* Tests the round-trip check of a block: records that do not decode to their text are found and stored as text,
 * whichever column is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"
#include "archive/archive.h"
#include "archive/pack_job.h"
#include "game_texts.h"

enum { GAMES = 200 };

static failing_memory memory; /* of the packing job */
static stamma_allocator allocator, packing;
static pack_job job;
static unpack_job unpacking;

static void begin_job(void)
{
    allocator = stamma_allocator_or_default(NULL);
    memory = (failing_memory){.fail_at = 0};
    packing = failing_allocator(&memory);
    stamma_pack_job_init(&job, &packing, true);
    stamma_unpack_job_init(&unpacking, &allocator);
    stamma_pgn_lexer_init(&job.lexer, PARSER_TOKEN_MAX);
}

/* Packs all but the last byte of 200 games, so that the block is not finished. */
static int begin(void **state)
{
    (void)state;
    char game[100];
    begin_job();
    for (unsigned i = 0; i < GAMES; i++) {
        int size = snprintf(game, sizeof game, "[White \"%u\"]\n\n1. e4 e5 {word %u} 2. Nf3 1-0\n\n", i, i);
        buffer_add(&job.text, game, (size_t)size);
    }
    assert_int_not_equal(stamma_pack_job_take(&job), 0);
    assert_true(job.begun && job.block.record_count > 100);
    return 0;
}

/* Like begin, but with games so long that the executor reads one of the two lanes of moves. */
static int begin_lanes(void **state)
{
    (void)state;
    listing text = {0};
    begin_job();
    job.block.level = LEVEL_ADAPTIVE;
    job.block.executor = &immediate_executor;
    for (unsigned i = 0; i < GAMES; i++)
        list_game(&text, &text_styles[0]);
    buffer_add(&job.text, text.text, text.size);
    free(text.text);
    assert_int_not_equal(stamma_pack_job_take(&job), 0);
    assert_true(job.begun && job.block.record_count > 100);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stamma_pack_job_release(&job);
    stamma_unpack_job_release(&unpacking);
    return 0;
}

/* Finishes the block and checks that it decodes to the text. */
static void finish(void)
{
    job.final = true;
    stamma_pack_job_take(&job);
    assert_false(job.begun);
    assert_int_equal(job.error, STAMMA_OK);
    unpacking.payload.size = 0;
    buffer_add(&unpacking.payload, job.head.data, job.head.size);
    buffer_add(&unpacking.payload, job.body.data, job.body.size);
    unpacking.frame.head_size = job.head.size;
    stamma_unpack_job_run(&unpacking);
}

static void assert_comes_back(uint64_t faults)
{
    finish();
    assert_int_equal(unpacking.error, STAMMA_OK);
    assert_int_equal(unpacking.text.size, job.text.size);
    assert_memory_equal(unpacking.text.data, job.text.data, job.text.size);
    assert_int_equal(job.faults, faults);
    assert_int_equal(job.block.counts.games, GAMES);
    assert_int_equal(job.block.counts.games_verbatim, faults);
    assert_int_equal(job.notices.size / sizeof(job_notice), faults);
    const job_notice *notices = (const job_notice *)(const void *)job.notices.data;
    for (size_t i = 0; i < faults; i++)
        assert_int_equal(notices[i].notice.reason, STAMMA_REASON_INEXACT);
}

static void no_fault(void **state)
{
    (void)state;
    assert_comes_back(0);
}

/* Replaces a move by another. */
static void one_move(void **state)
{
    (void)state;
    job.block.columns[COLUMN_MOVES].data[3 * 70]++;
    assert_comes_back(1);
    const job_notice *notice = (const job_notice *)(const void *)job.notices.data;
    assert_int_equal(notice->notice.game, 71);
}

static void letters_of_comments(void **state)
{
    (void)state;
    uint8_t *comments = job.block.columns[COLUMN_COMMENTS].data;
    comments[0] = comments[7 * 5] = 'W';
    assert_comes_back(2);
}

/* A wrong event shifts the borders of all records, so all are stored as text. */
static void an_event(void **state)
{
    (void)state;
    job.block.columns[COLUMN_EVENTS].data[0] = 2 << 4 | ITEM_END;
    assert_comes_back(GAMES);
}

static void the_block_hash(void **state)
{
    (void)state;
    XXH64_update(&job.block.hash, "x", 1);
    assert_comes_back(GAMES);
}

static void a_group_hash(void **state)
{
    (void)state;
    job.block.columns[COLUMN_CHECKS].data[1] ^= 1;
    assert_comes_back(GAMES);
}

static void a_count(void **state)
{
    (void)state;
    job.block.counts.plies++;
    assert_comes_back(GAMES);
}

static void a_tag(void **state)
{
    (void)state;
    job.block.tags[0].data[0] = 'x';
    assert_comes_back(1);
}

/* Without the check, the error is stored in the block. */
static void unchecked(void **state)
{
    (void)state;
    job.no_check = true;
    job.block.columns[COLUMN_MOVES].data[3 * 70]++;
    finish();
    assert_int_equal(job.faults, 0);
    assert_int_equal(unpacking.error, STAMMA_ERROR_CORRUPT);
}

/* ---- search columns ---- */

static block_source source_of_job(void)
{
    return (block_source){.text = {(const char *)job.text.data, job.used},
                          .ends = (const uint32_t *)(const void *)job.block.ends.data,
                          .records = GAMES,
                          .searched = !job.block.no_search_columns,
                          .executor = job.block.executor};
}

/* Asserts that a block is rejected if its error remains when all games are stored as text. */
static void assert_refused(void)
{
    job.final = true;
    stamma_pack_job_take(&job);
    assert_int_equal(job.error, STAMMA_ERROR_SELF_CHECK);
}

/* A wrong fact of a record is found, whichever it is. */
static void search_entries(void **state)
{
    for (unsigned n = 0; n < 8; n++) {
        search_entry *e = (search_entry *)(void *)job.block.entries.data + n * 10;
        e->home_pawns ^= n == 0;
        e->pawns ^= n == 1;
        e->pieces[STAMMA_WHITE] ^= n == 2;
        e->pieces[STAMMA_BLACK] ^= n == 3;
        e->result ^= n == 4;
        e->rating[STAMMA_WHITE] ^= n == 5;
        e->rating[STAMMA_BLACK] ^= n == 6;
        e->month ^= n == 7;
        assert_refused();
        end(state);
        begin(state);
    }
}

static void no_search_columns(void **state)
{
    (void)state;
    job.block.entries.size = 0;
    assert_refused();
}

/* A block without search columns must not have any. */
static void unwanted_search_columns(void **state)
{
    (void)state;
    finish();
    block_source source = source_of_job();
    buffer faulty = {.allocator = &allocator};
    bool same;
    source.searched = false;
    assert_int_equal(stamma_block_check(&source, &job.head, &job.body, &faulty, &same), STAMMA_ERROR_SELF_CHECK);
    stamma_buffer_release(&faulty);
}

/* ---- bytes of records ---- */

/* Even without the check of the block, its text must have the number of bytes of its records. */
static void lost_bytes(void **state)
{
    (void)state;
    job.no_check = true;
    job.block.counts.text_size--;
    assert_refused();
}

/* ---- wrong information of the caller about the block ---- */

/* Checks the block that was finished against a source. Returns whether they agree. */
static bool agrees(const block_source *source)
{
    bool same = true;
    buffer faulty = {.allocator = &allocator};
    assert_int_equal(stamma_block_check(source, &job.head, &job.body, &faulty, &same), STAMMA_OK);
    stamma_buffer_release(&faulty);
    return same;
}

static void other_sources(void **state)
{
    (void)state;
    uint32_t ends[GAMES + 1];
    finish();
    block_source right = source_of_job(), wrong = right;
    assert_int_equal(job.block.record_count, GAMES);
    assert_true(agrees(&right));
    wrong.records = GAMES - 1;
    assert_false(agrees(&wrong));
    memcpy(ends, right.ends, GAMES * sizeof *ends);
    ends[GAMES] = ends[GAMES - 1];
    wrong.ends = ends;
    wrong.records = GAMES + 1;
    assert_false(agrees(&wrong));
    wrong = right;
    wrong.begins_in_game = true;
    assert_false(agrees(&wrong));
    wrong = right;
    wrong.ends_in_game = true;
    assert_false(agrees(&wrong));
    wrong = right;
    wrong.text.size--;
    assert_false(agrees(&wrong));
}

/* ---- both lanes at once ---- */

static void lanes(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    assert_comes_back(0);
    assert_true(stamma_block_has_lanes(buffer_cursor(&job.head)));
}

/* The first record cannot be read, before the second lane is needed. */
static void a_style_and_lanes(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    job.block.columns[COLUMN_STYLES].data[0] = 126; /* there are fewer styles */
    assert_comes_back(1);
}

static void *refuse_reader(void *context, size_t size)
{
    return size == sizeof(block_reader) ? NULL : allocator.allocate(context, size);
}

static void no_second_reader(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    finish();
    stamma_allocator refusing = allocator;
    refusing.allocate = refuse_reader;
    buffer head = job.head, faulty = {.allocator = &allocator};
    bool same = true;
    const block_source source = source_of_job();
    head.allocator = &refusing;
    assert_int_equal(stamma_block_check(&source, &head, &job.body, &faulty, &same), STAMMA_ERROR_NO_MEMORY);
    assert_false(same);
    stamma_buffer_release(&faulty);
}

/* Text after the last game is not a game, and is not counted as an error. */
static void text_after_the_games(void **state)
{
    (void)state;
    buffer_add(&job.text, "{after", 6);
    job.block.counts.plies++;
    assert_comes_back(GAMES);
}

/* ---- memory ---- */

/* Each allocation after the first part of the block fails in turn: in the check, and when the block is packed again. */
static void no_memory(void **state)
{
    bool failed = true;
    for (unsigned n = 1; failed; n++) {
        memory.fail_at = memory.calls + n;
        job.block.columns[COLUMN_EVENTS].data[0] = 2 << 4 | ITEM_END;
        job.final = true;
        stamma_pack_job_take(&job);
        failed = memory.calls >= memory.fail_at;
        assert_int_equal(job.error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        if (!failed)
            assert_int_equal(job.faults, GAMES);
        end(state);
        assert_int_equal(memory.alive, 0);
        begin(state);
    }
}

/* Changes the checksum of the text while the block is packed again. */
static void change_hash(void *context)
{
    if (job.retry == *(const pack_retry *)context)
        XXH64_update(&job.block.hash, "x", 1);
}

/* Memory errors that occur again when the block is packed again. First all games are stored as text; then the block is
 * not written. */
static void faulty_memory(void **state)
{
    pack_retry when = RETRY_MARKED;
    memory.called = change_hash;
    memory.context = &when;
    job.block.columns[COLUMN_MOVES].data[3 * 70]++;
    assert_comes_back(GAMES);
    end(state);
    begin(state);
    when = RETRY_ALL;
    memory.called = change_hash;
    memory.context = &when;
    job.block.counts.plies++;
    assert_refused();
}

#define FAULT(test) cmocka_unit_test_setup_teardown(test, begin, end)
#define LANES(test) cmocka_unit_test_setup_teardown(test, begin_lanes, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAULT(no_fault),
        FAULT(one_move),
        FAULT(letters_of_comments),
        FAULT(an_event),
        FAULT(the_block_hash),
        FAULT(a_group_hash),
        FAULT(a_count),
        FAULT(a_tag),
        FAULT(unchecked),
        FAULT(search_entries),
        FAULT(no_search_columns),
        FAULT(unwanted_search_columns),
        FAULT(lost_bytes),
        FAULT(other_sources),
        LANES(lanes),
        LANES(a_style_and_lanes),
        LANES(no_second_reader),
        FAULT(text_after_the_games),
        FAULT(no_memory),
        FAULT(faulty_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
