/* SPDX-License-Identifier: MIT */
/* Tests packing and unpacking with an executor. Bytes, notices and errors must not depend on the number of threads,
 * the order in which work is done, or the memory limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "executors.h"

/* ---- bytes in memory ---- */

typedef struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
    size_t at;    /* read so far */
    size_t limit; /* a write that exceeds this size fails; 0: no limit */
} bytes;

static bool write_bytes(void *context, const void *from, size_t size)
{
    bytes *b = context;
    if (b->limit > 0 && b->size + size > b->limit)
        return false;
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size);
        b->data = realloc(b->data, b->capacity);
        assert_non_null(b->data);
    }
    memcpy(b->data + b->size, from, size);
    b->size += size;
    return true;
}

static ptrdiff_t read_bytes(void *context, void *to, size_t size)
{
    bytes *b = context;
    size_t part = size < b->size - b->at ? size : b->size - b->at;
    memcpy(to, b->data + b->at, part);
    b->at += part;
    return (ptrdiff_t)part;
}

static bool read_bytes_at(void *context, uint64_t offset, void *to, size_t size)
{
    const bytes *b = context;
    if (offset > b->size || size > b->size - offset)
        return false;
    memcpy(to, b->data + offset, size);
    return true;
}

/* ---- text ---- */

/* Makes 140,000 games, which close blocks by their number; one game that is too large for a block, which closes
 * blocks by size; and games with illegal moves, which cause notices. */
static bytes make_text(void)
{
    static const char comment[] = "{some words that are long for a comment after a move} ";
    bytes text = {0};
    char line[200];
    for (unsigned i = 0; i < 140000; i++) {
        int size = snprintf(line, sizeof line, "[White \"%u\"]\n\n1. e4 %s 1-0\r\n\n", i * 7 % 1000,
                            i % 5000 == 4999 ? "Ke5" : "e5");
        write_bytes(&text, line, (size_t)size);
        for (unsigned j = 0; i == 100000 && j < 300000; j++)
            write_bytes(&text, comment, sizeof comment - 1);
    }
    return text;
}

typedef struct notice_log {
    uint64_t count;
    uint64_t hash;
} notice_log;

static void take_notice(void *context, const stamma_archive_notice *notice)
{
    notice_log *log = context;
    char line[200];
    int size =
        snprintf(line, sizeof line, "%llu %d %llu %llu %llu %u %.10s", (unsigned long long)notice->game,
                 (int)notice->reason, (unsigned long long)notice->place.offset, (unsigned long long)notice->place.line,
                 (unsigned long long)notice->place.game, (unsigned)notice->place.ply, notice->text.data);
    log->count++;
    log->hash = XXH64(line, (size_t)size, log->hash);
}

static stamma_error pack_level(int level, const bytes *text, const stamma_executor *executor, uint64_t memory,
                               size_t limit, bytes *archive, notice_log *log)
{
    stamma_archive_writer_options options = {.size = sizeof options,
                                             .level = level,
                                             .context = log,
                                             .notice = take_notice,
                                             .executor = executor,
                                             .memory = memory};
    stamma_output output = {archive, write_bytes, NULL};
    stamma_archive_writer *writer;
    *archive = (bytes){.limit = limit};
    *log = (notice_log){0};
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
    stamma_error error = STAMMA_OK;
    for (size_t at = 0; at < text->size && error == STAMMA_OK; at += 1000003) {
        size_t left = text->size - at;
        error = stamma_archive_writer_write(writer, text->data + at, left < 1000003 ? left : 1000003);
    }
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    return error;
}

static stamma_error pack(const bytes *text, const stamma_executor *executor, uint64_t memory, size_t limit,
                         bytes *archive, notice_log *log)
{
    return pack_level(1, text, executor, memory, limit, archive, log);
}

/* Unpacks to `text` within its limit, from bytes with random access or from a stream. */
static stamma_error unpack(const bytes *archive, const stamma_executor *executor, bool seeks, bytes *text,
                           stamma_place *place)
{
    bytes source = *archive;
    const stamma_bytes all = {.size = source.size, .context = &source, .read_at = read_bytes_at};
    const stamma_input stream = {.context = &source, .read = read_bytes};
    const stamma_archive_options of_archive = {.size = sizeof of_archive, .executor = executor};
    const stamma_archive_reader_options options = {.size = sizeof options, .executor = executor};
    const stamma_output output = {text, write_bytes, NULL};
    stamma_archive *opened = NULL;
    stamma_archive_reader *reader = NULL;
    source.at = 0;
    *text = (bytes){.limit = text->limit};
    assert_int_equal(seeks ? stamma_archive_open(&all, &of_archive, &opened) : STAMMA_OK, STAMMA_OK);
    assert_int_equal(seeks ? stamma_archive_reader_open(opened, NULL, &reader)
                           : stamma_archive_reader_open_stream(&stream, &options, &reader),
                     STAMMA_OK);
    stamma_error error = stamma_archive_reader_unpack(reader, &output);
    *place = stamma_archive_reader_place(reader);
    stamma_archive_reader_close(reader);
    stamma_archive_close(opened);
    return error;
}

typedef struct fixture {
    bytes text;
    bytes archive;
    notice_log log;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f.text = make_text();
    *state = &f;
    return pack(&f.text, NULL, 0, 0, &f.archive, &f.log) != STAMMA_OK;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    free(f->text.data);
    free(f->archive.data);
    return 0;
}

static void check_same(const fixture *f, const stamma_executor *executor, uint64_t memory)
{
    bytes archive, text = {0};
    notice_log log;
    stamma_place place;
    assert_int_equal(pack(&f->text, executor, memory, 0, &archive, &log), STAMMA_OK);
    assert_true(archive.size == f->archive.size && memcmp(archive.data, f->archive.data, archive.size) == 0);
    assert_int_equal(log.count, f->log.count);
    assert_int_equal(log.hash, f->log.hash);
    for (int seeks = 0; seeks < 2; seeks++) {
        assert_int_equal(unpack(&archive, executor, seeks, &text, &place), STAMMA_OK);
        assert_true(text.size == f->text.size && memcmp(text.data, f->text.data, text.size) == 0);
        free(text.data);
    }
    free(archive.data);
}

static void any_number_of_threads_gives_the_same_bytes(void **state)
{
    const fixture *f = *state;
    assert_int_equal(f->log.count, 29); /* 28 illegal moves, and the game that is too large */
    static const unsigned counts[] = {0, 1, 2, 3, 8};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        eager e = {0};
        stamma_executor executor = {&e, counts[i], start_eager, wait_eager};
        check_same(f, &executor, 0);
        assert_int_equal(e.now, 0);
        assert_true(counts[i] < 2 ? e.most == 0 : e.most >= 2);
    }
}

static void any_order_gives_the_same_bytes(void **state)
{
    const fixture *f = *state;
    lazy l = {0};
    stamma_executor executor = {&l, 4, start_lazy, wait_lazy};
    check_same(f, &executor, 0);
    assert_int_equal(l.waiting, 0);
}

static void memory_bounds_the_blocks_under_way(void **state)
{
    const fixture *f = *state;
    eager e = {0};
    stamma_executor executor = {&e, 16, start_eager, wait_eager};
    assert_int_equal(stamma_job_count(&executor, 0, (uint64_t)100 << 20), 5);
    assert_int_equal(stamma_job_count(&executor, 1, PACK_JOB_MEMORY), 1);
    assert_int_equal(stamma_job_count(&executor, UINT64_MAX, PACK_JOB_MEMORY), 17);
    bytes archive;
    notice_log log;
    assert_int_equal(pack(&f->text, &executor, 3 * PACK_JOB_MEMORY, 0, &archive, &log), STAMMA_OK);
    assert_true(archive.size == f->archive.size && memcmp(archive.data, f->archive.data, archive.size) == 0);
    assert_in_range(e.most, 2, 3);
    free(archive.data);
}

/* A failed write returns the same error, and no work is left running. */
static void failures_wait_for_the_work(void **state)
{
    const fixture *f = *state;
    for (size_t limit = 20; limit < f->archive.size; limit += f->archive.size / 3) {
        eager e = {0};
        stamma_executor executor = {&e, 3, start_eager, wait_eager};
        bytes archive;
        notice_log log;
        assert_int_equal(pack(&f->text, &executor, 0, limit, &archive, &log), STAMMA_ERROR_IO);
        assert_int_equal(e.now, 0);
        free(archive.data);
    }
}

/* Unpacks an archive up to a limit with one thread and with several. Asserts that both return the same error at the
 * same place, and write the same prefix of the correct text. Returns the text, which the caller frees. */
static bytes expect_same_failure(const fixture *f, const bytes *archive, size_t limit, stamma_error expected,
                                 stamma_place *place)
{
    eager e = {0};
    stamma_executor executor = {&e, 3, start_eager, wait_eager};
    bytes single = {.limit = limit}, together = {.limit = limit};
    stamma_place place_together;
    assert_int_equal(unpack(archive, NULL, false, &single, place), expected);
    assert_int_equal(unpack(archive, &executor, false, &together, &place_together), expected);
    assert_int_equal(e.now, 0);
    assert_int_equal(place->offset, place_together.offset);
    assert_int_equal(place->game, place_together.game);
    assert_true(single.size < f->text.size &&
                (single.size == 0 || memcmp(single.data, f->text.data, single.size) == 0));
    /* If the output fails, a single thread may have written more of a block. */
    assert_true(limit > 0 ? together.size <= single.size : together.size == single.size);
    assert_true(together.size == 0 || memcmp(single.data, together.data, together.size) == 0);
    free(together.data);
    return single;
}

static bytes copy(const bytes *of)
{
    bytes all = {0};
    write_bytes(&all, of->data, of->size);
    return all;
}

/* The text before the damage is written, and the place of the damage is the same as with one thread. */
static void damage_is_found_in_order(void **state)
{
    const fixture *f = *state;
    unsigned damaged = 0;
    for (size_t at = 100; at < f->archive.size; at += f->archive.size / 8) {
        bytes archive = copy(&f->archive), single = {0};
        stamma_place place;
        archive.data[at] ^= 0x40;
        if (unpack(&archive, NULL, false, &single, &place) != STAMMA_OK) { /* damage in games */
            free(expect_same_failure(f, &archive, 0, STAMMA_ERROR_CORRUPT, &place).data);
            damaged++;
        }
        free(single.data);
        free(archive.data);
    }
    assert_in_range(damaged, 2, 9);
}

/* If the columns are valid but produce a text that does not match the head, the error is reported at the end of the
 * block. */
static void wrong_texts_are_found_in_order(void **state)
{
    const fixture *f = *state;
    bytes archive = copy(&f->archive);
    uint8_t *frame = archive.data + 16, *head = frame + 32;
    stamma_place place;
    head[8] ^= 1;
    store_u32(frame + 20, (uint32_t)XXH64(head, load_u32(frame + 16), 0));
    store_u32(frame + 28, (uint32_t)XXH64(frame, 28, 0));
    bytes text = expect_same_failure(f, &archive, 0, STAMMA_ERROR_CORRUPT, &place);
    assert_int_equal(place.offset, 16);
    assert_int_equal(place.game, 0);
    assert_int_equal(text.size, load_u64(head));
    free(text.data);
    free(archive.data);
}

/* A failing output ends unpacking, wherever the output fails. */
static void failing_outputs_end_it(void **state)
{
    const fixture *f = *state;
    for (size_t limit = 1; limit < f->text.size; limit += f->text.size / 5) {
        stamma_place place;
        bytes text = expect_same_failure(f, &f->archive, limit, STAMMA_ERROR_IO, &place);
        assert_int_equal(place.game, 0);
        free(text.data);
    }
}

/* ---- the two lanes of one block at level 3 (clause 17.2) ---- */

/* Reads games three times, which are enough for two lanes. */
static bytes read_games(void)
{
    bytes text = {0};
    char some[4096];
    for (unsigned n = 0; n < 3; n++) {
        FILE *file = fopen("data/games.pgn", "rb");
        assert_non_null(file);
        for (size_t size; (size = fread(some, 1, sizeof some, file)) > 0;)
            write_bytes(&text, some, size);
        fclose(file);
    }
    return text;
}

static void assert_same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->size, b->size);
    assert_true(a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* One block is packed and unpacked by two threads, with the same bytes as one thread produces. */
static void one_block_by_two_threads(void **state)
{
    (void)state;
    if (stamma_predictor_id() == 0)
        skip();
    bytes text = read_games(), single, together, back = {0};
    notice_log log;
    stamma_place place;
    assert_int_equal(pack_level(3, &text, NULL, 0, 0, &single, &log), STAMMA_OK);
    for (unsigned way = 0; way < 4; way++) {
        eager e = {0};
        lazy l = {0};
        const stamma_executor executors[2] = {{&e, 2, start_eager, wait_eager}, {&l, 2, start_lazy, wait_lazy}};
        assert_int_equal(pack_level(3, &text, &executors[way % 2], 0, 0, &together, &log), STAMMA_OK);
        assert_same(&together, &single);
        assert_int_equal(e.most, way % 2 == 0); /* in addition to the calling thread */
        assert_int_equal(unpack(&together, &executors[way % 2], way / 2, &back, &place), STAMMA_OK);
        assert_same(&back, &text);
        assert_int_equal(e.most, way % 2 == 0 ? 2 : 0);
        assert_true(e.now == 0 && l.waiting == 0);
        free(together.data);
        free(back.data);
    }
    free(single.data);
    free(text.data);
}

/* Recomputes the checksums of the first block after a change to the column `e`. */
static void restore_checks(bytes *archive, const column_entry *e, const uint8_t *stored)
{
    uint8_t *frame = archive->data + 16, *head = frame + 32, before[8];
    const uint32_t head_size = load_u32(frame + 16);
    store_u64(before, e->check);
    for (size_t at = 0; at + 8 <= head_size; at++)
        if (memcmp(head + at, before, 8) == 0)
            store_u64(head + at, XXH64(stored, (size_t)e->stored_size, 0));
    store_u32(frame + 20, (uint32_t)XXH64(head, head_size, 0));
    store_u32(frame + 28, (uint32_t)XXH64(frame, 28, 0));
}

/* Damage in either lane is found in the same game, after the same text. Another least number of moves of a lane may
 * result in the same lanes. */
static void damaged_lanes(void **state)
{
    (void)state;
    if (stamma_predictor_id() == 0)
        skip();
    bytes text = read_games(), whole;
    notice_log log;
    assert_int_equal(pack_level(3, &text, NULL, 0, 0, &whole, &log), STAMMA_OK);
    const uint8_t *head = whole.data + 48, *stored = head + load_u32(whole.data + 32);
    cursor directory = {head, stored, false};
    block_head counts;
    column_entry e;
    assert_int_equal(stamma_block_read_head(&directory, &counts), STAMMA_OK);
    while (stamma_column_read_entry(&directory, &e) && e.id != COLUMN_MOVES)
        stored += e.stored_size;
    assert_true(e.id == COLUMN_MOVES && e.codec == CODEC_LANES);
    for (size_t n = 0; n < e.stored_size; n += n < 40 ? 1 : 97) {
        bytes damaged = copy(&whole), single = {0}, together = {0};
        stamma_place places[2];
        eager threads = {0};
        const stamma_executor executor = {&threads, 2, start_eager, wait_eager};
        uint8_t *at = damaged.data + (stored - whole.data);
        at[n] ^= (uint8_t)(1u << n % 8);
        restore_checks(&damaged, &e, at);
        stamma_error error = unpack(&damaged, NULL, false, &single, &places[0]);
        if (error == STAMMA_OK)
            assert_same(&single, &text);
        else
            assert_true(error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED);
        assert_int_equal(unpack(&damaged, &executor, false, &together, &places[1]), error);
        assert_int_equal(places[0].game, places[1].game);
        assert_same(&single, &together);
        assert_int_equal(threads.now, 0);
        free(damaged.data);
        free(single.data);
        free(together.data);
    }
    free(whole.data);
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(any_order_gives_the_same_bytes),
        cmocka_unit_test(memory_bounds_the_blocks_under_way),
        cmocka_unit_test(failures_wait_for_the_work),
        cmocka_unit_test(damage_is_found_in_order),
        cmocka_unit_test(wrong_texts_are_found_in_order),
        cmocka_unit_test(failing_outputs_end_it),
        cmocka_unit_test(one_block_by_two_threads),
        cmocka_unit_test(damaged_lanes),
    };
    return cmocka_run_group_tests_name("archive threads", tests, set_up, tear_down);
}
