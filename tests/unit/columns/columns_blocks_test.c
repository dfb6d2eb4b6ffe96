/* SPDX-License-Identifier: MIT */
/* Tests Arrow streams of archives whose blocks are made frame by frame: blocks that need much memory, blocks that
 * differ from the commit, and blocks with more batches than are kept at once. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "arrow_support.h"
#include "executors.h"
#include "made_archive.h"

enum { GAMES = 3, UNKNOWN_COLUMN = 120 };

static const char game[] = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n";

/* Appends a payload with an additional column that is not part of the format. The column's size of 120 MiB makes
 * decoding the block need more memory than other blocks. Returns the size of the head. */
static size_t list_large(listing *to, const uint8_t *payload, const frame *f)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer head = {.allocator = &allocator};
    block_head counts;
    cursor in = {payload, payload + f->head_size, false};
    assert_int_equal(stamma_block_read_head(&in, &counts), STAMMA_OK);
    buffer_add(&head, payload, (size_t)(in.at - payload) - 1); /* fewer than 127 columns */
    stamma_buffer_add_varint(&head, counts.columns + 1);
    buffer_add(&head, in.at, cursor_left(&in));
    const size_t entry = head.size;
    stamma_column_write_entry(UNKNOWN_COLUMN, CODEC_PACKED, (stamma_text){"", 0}, 120 << 20, (const uint8_t *)"x", 1,
                              &head);
    head.data[entry + 2] = 0; /* readers may skip it */
    list_bytes(to, head.data, head.size);
    list_bytes(to, payload + f->head_size, (size_t)f->size - f->head_size);
    list_word(to, "x");
    const size_t size = head.size;
    stamma_buffer_release(&head);
    return size;
}

/* Adds a block of some games. If it is large, its head and the commit contain a text size of 16 MiB. */
static void add_block(made *m, bool large)
{
    listing text = {0}, payload = {0};
    for (unsigned n = 0; n < GAMES; n++)
        list_word(&text, game);
    listing archive = pack(text.text, text.size, NULL);
    const uint8_t *header = (const uint8_t *)archive.text + ARCHIVE_HEADER_SIZE, *bytes = header + FRAME_HEADER_SIZE;
    frame f;
    assert_int_equal(stamma_frame_read(header, &f), STAMMA_OK);
    size_t head_size = f.head_size;
    if (large)
        head_size = list_large(&payload, bytes, &f);
    else
        list_bytes(&payload, bytes, (size_t)f.size);
    if (large)
        store_u64((uint8_t *)payload.text, BLOCK_TEXT_MAX);
    make_block_of(m, &payload, head_size, GAMES, large ? BLOCK_TEXT_MAX : text.size);
    free(archive.text);
    free(text.text);
    free(payload.text);
}

/* Opens a stream of the numbers of games and of their moves. */
static struct ArrowArrayStream open_numbers(stamma_archive *archive, stamma_columns_options options)
{
    static const stamma_text names[] = {{"number", 6}, {"plies", 5}};
    struct ArrowArrayStream stream;
    options.size = sizeof options;
    options.columns = names;
    options.column_count = 2;
    assert_int_equal(stamma_columns_open(archive, &options, NULL, &stream), STAMMA_OK);
    return stream;
}

static stamma_archive *open_made(const made *m, bool skip_damage)
{
    const stamma_bytes bytes = stamma_bytes_of(m->bytes.text, m->bytes.size);
    const stamma_archive_options options = {.size = sizeof options, .skip_damage = skip_damage};
    stamma_archive *archive = NULL;
    assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
    return archive;
}

/* Reads a stream, asserts that the numbers of the games ascend, and counts them. Returns the errno value. */
static int count_games(struct ArrowArrayStream *stream, uint64_t *games)
{
    struct ArrowArray batch;
    int64_t last = 0;
    int failed;
    *games = 0;
    while ((failed = stream->get_next(stream, &batch)) == 0 && batch.release) {
        const int64_t *numbers = batch.children[0]->buffers[1];
        for (int64_t n = 0; n < batch.length; n++) {
            assert_true(numbers[n] > last);
            last = numbers[n];
        }
        *games += (uint64_t)batch.length;
        batch.release(&batch);
    }
    return failed;
}

/* Blocks that need much memory are read separately, between others, with and without matches that wait for them. */
static void large_blocks(void **state)
{
    static const char *const questions[] = {NULL, "{\"white\": \"A\"}"};
    made m = make_archive();
    (void)state;
    for (unsigned n = 0; n < 9; n++)
        add_block(&m, n % 4 == 1);
    make_commit(&m, true);
    stamma_archive *archive = open_made(&m, false);
    for (unsigned way = 0; way < 4; way++) {
        eager threads = {.most = 0};
        const stamma_executor executor = {&threads, 3, start_eager, wait_eager};
        stamma_query *query = NULL;
        const stamma_text text = {questions[way & 1], way & 1 ? strlen(questions[1]) : 0};
        if (way & 1)
            assert_int_equal(stamma_query_parse(text, NULL, NULL, &query), STAMMA_OK);
        struct ArrowArrayStream stream =
            open_numbers(archive, (stamma_columns_options){.query = query, .executor = way & 2 ? &executor : NULL});
        uint64_t games;
        assert_int_equal(count_games(&stream, &games), 0);
        assert_int_equal(games, 9 * GAMES);
        stream.release(&stream);
        stamma_query_close(query);
    }
    stamma_archive_close(archive);
    free(m.bytes.text);
}

/* A block that needs more memory than the limit ends the stream, after the blocks before it. */
static void too_large(void **state)
{
    made m = make_archive();
    stamma_place place;
    uint64_t games;
    (void)state;
    add_block(&m, false);
    add_block(&m, true);
    const uint64_t offset = m.at;
    make_commit(&m, true);
    for (int skips = 0; skips < 2; skips++) {
        stamma_archive *archive = open_made(&m, skips);
        struct ArrowArrayStream stream = open_numbers(archive, (stamma_columns_options){.memory = 1});
        assert_int_equal(count_games(&stream, &games), ENOMEM);
        assert_int_equal(games, GAMES);
        assert_int_equal(stamma_columns_error(&stream, &place), STAMMA_ERROR_LIMIT);
        assert_int_equal(place.offset, offset);
        stream.release(&stream);
        stamma_archive_close(archive);
    }
    free(m.bytes.text);
}

/* If the commit lists a different number of games or bytes than the block's head, the block is damaged. */
static void other_numbers(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        made m = make_archive();
        uint64_t games;
        add_block(&m, false);
        add_block(&m, false);
        block_place *last = &m.places[m.place_count - 1];
        last->games += way == 0;
        last->text_size += way == 1;
        m.games += way == 0;
        m.text += way == 1;
        make_commit(&m, true);
        for (int skips = 0; skips < 2; skips++) {
            stamma_archive *archive = open_made(&m, skips);
            struct ArrowArrayStream stream = open_numbers(archive, (stamma_columns_options){.size = 0});
            assert_int_equal(count_games(&stream, &games), skips ? 0 : EIO);
            assert_int_equal(games, GAMES);
            assert_int_equal(stamma_columns_error(&stream, NULL), skips ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
            stream.release(&stream);
            stamma_archive_close(archive);
        }
        free(m.bytes.text);
    }
}

/* A search that finds damage before its first match ends the stream. */
static void damaged_search(void **state)
{
    made m = make_archive();
    stamma_query *query;
    stamma_place place;
    uint64_t games;
    (void)state;
    add_block(&m, false);
    spoil_payload(&m);
    const uint64_t offset = m.at;
    make_commit(&m, true);
    assert_int_equal(stamma_query_parse((stamma_text){"{\"white\": \"A\"}", 14}, NULL, NULL, &query), STAMMA_OK);
    stamma_archive *archive = open_made(&m, false);
    struct ArrowArrayStream stream = open_numbers(archive, (stamma_columns_options){.query = query});
    assert_int_equal(count_games(&stream, &games), EIO);
    assert_int_equal(games, 0);
    assert_int_equal(stamma_columns_error(&stream, &place), STAMMA_ERROR_CORRUPT);
    assert_int_equal(place.offset, offset);
    stream.release(&stream);
    stamma_query_close(query);
    stamma_archive_close(archive);
    free(m.bytes.text);
}

/* Jobs stop at 32 MiB of batches and continue after the batches are taken: no row is lost. */
static void many_batches(void **state)
{
    enum { PLIES = 200, MANY = 1400, BATCH = 9000 };
    static const stamma_text names[] = {{"ply", 3}, {"board", 5}, {"planes", 6}};
    static const char *const moves[] = {"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "};
    eager threads = {.most = 0};
    const stamma_executor executor = {&threads, 2, start_eager, wait_eager};
    listing text = {0};
    (void)state;
    for (unsigned n = 0; n < MANY; n++) {
        for (unsigned ply = 0; ply < PLIES; ply++)
            list_word(&text, moves[ply % 4]);
        list_word(&text, "*\n\n");
    }
    listing archive = pack(text.text, text.size, NULL);
    const stamma_columns_options options = {.size = sizeof options,
                                            .table = STAMMA_TABLE_POSITIONS,
                                            .executor = &executor,
                                            .batch_rows = BATCH,
                                            .columns = names,
                                            .column_count = 3};
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    int64_t rows = 0;
    stamma_archive *opened = open_handle(&archive);
    assert_int_equal(stamma_columns_open(opened, &options, NULL, &stream), STAMMA_OK);
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
        const int32_t *plies = batch.children[0]->buffers[1];
        for (int64_t n = 0; n < batch.length; n++)
            assert_int_equal(plies[n], (rows + n) % PLIES + 1);
        rows += batch.length;
        batch.release(&batch);
    }
    assert_int_equal(rows, PLIES * MANY);
    stream.release(&stream);
    stamma_archive_close(opened);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_blocks), cmocka_unit_test(too_large),
                                       cmocka_unit_test(other_numbers), cmocka_unit_test(damaged_search),
                                       cmocka_unit_test(many_batches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
