/* Archives of level 2 (clause 15): texts come back in every way of reading, packing is the same with and without
 * threads and checks, levels can be changed both ways, and damaged columns of moves are corrupt and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/reader.h"
#include "archive_support.h"

static listing pack_at(int level, const char *text, size_t size, stamma_archive_counts *counts)
{
    archive_sink sink = {.bytes.text = NULL};
    stamma_archive_writer_options options = {.size = sizeof options, .level = level};
    stamma_archive_writer *writer;
    stamma_output output = archive_output(&sink);
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_write(writer, text, size), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, counts), STAMMA_OK);
    stamma_archive_writer_close(writer);
    return sink.bytes;
}

static void assert_comes_back(const listing *archive, const char *text, size_t size)
{
    for (int way = 0; way < 4; way++) {
        listing out = {0};
        stamma_error error =
            way < 2 ? unpack(archive, way & 1, NULL, &out) : unpack_games(archive, way & 1, NULL, &out);
        assert_int_equal(error, STAMMA_OK);
        assert_int_equal(out.size, size);
        assert_true(size == 0 || memcmp(out.text, text, size) == 0);
        free(out.text);
    }
}

/* Everything that a move can be, and texts of one game and of none. */
static const char *const texts[] = {
    "",
    "no game",
    "1. e4 e5 *\n",
    "1. e4 -- 2. d4 -- 3. d5 (3. -- e5 4. d5) (3. c4 (3. Nf3)) 1-0\n\n1. d4 d5 1/2-1/2\n",
    "[FEN \"bad\"]\n\n1. e4 e5 *\n",
    "[FEN \"7k/5Q2/5K2/8/8/8/8/8 b - - 0 1\"]\n\n*\n\n1. f3 e5 2. g4 Qh4# 0-1 1. e4",
    "[FEN \"1k3r1r/8/8/8/8/8/8/RK5R b HAf - 0 1\"]\n\n1... O-O 2. O-O-O *\n",
    ("[FEN \"k7/8/8/8/8/8/8/K6R w - - 0 1\"]\n[WhiteElo \"99999\"]\n[BlackElo \"\"]\n[TimeControl \"40/7200\"]\n\n1. "
     "Rh8+ Ka7 *\n"),
    "1. e4 (1. d4 d5 2. c4 (2. Nf3 Nf6) 2... e6) 1... e5 (1... c5 2. Nf3 xx) 2. Nf3 {text} Nc6 bad 1-0\n",
};

static void odd_texts(void **state)
{
    (void)state;
    buffer all = {.allocator = NULL};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    all.allocator = &allocator;
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        listing archive = pack_at(2, texts[n], strlen(texts[n]), NULL);
        assert_comes_back(&archive, texts[n], strlen(texts[n]));
        free(archive.text);
    }
    for (unsigned times = 0; times < 40; times++) /* so many that they are predicted */
        for (size_t n = 2; n < sizeof texts / sizeof *texts; n++) {
            buffer_add(&all, texts[n], strlen(texts[n]));
            buffer_add(&all, "\n\n", 2);
        }
    listing archive = pack_at(2, (const char *)all.data, all.size, NULL);
    assert_comes_back(&archive, (const char *)all.data, all.size);
    free(archive.text);
    stamma_buffer_release(&all);
}

/* The games of the repository: the moves are smaller than half of their codes, and each is asked for by its number. */
static void games(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn");
    stamma_archive_counts codes, predicted;
    listing first = pack_at(1, text.text, text.size, &codes), second = pack_at(2, text.text, text.size, &predicted);
    assert_true(predicted.plies == codes.plies && predicted.moves_bytes < codes.moves_bytes / 2);
    assert_int_equal(predicted.games_faulty, 0);
    assert_comes_back(&second, text.text, text.size);
    archive_source one = {0}, two = {0};
    stamma_archive_reader *by_code = open_archive(&one, &first, true), *by_model = open_archive(&two, &second, true);
    assert_int_equal(stamma_archive_reader_select(by_code, STAMMA_GAME_MOVES | STAMMA_GAME_VARIATIONS), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_select(by_model, STAMMA_GAME_MOVES | STAMMA_GAME_VARIATIONS), STAMMA_OK);
    size_t bits = 0;
    for (uint64_t n = codes.games; n > 0; n--) {
        const stamma_archive_game *a, *b;
        assert_int_equal(stamma_archive_reader_seek(by_code, n), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_seek(by_model, n), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(by_code, &a), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(by_model, &b), STAMMA_OK);
        assert_int_equal(a->number, n);
        assert_int_equal(b->number, n);
        assert_int_equal(a->ply_count, b->ply_count);
        assert_true(a->ply_count == 0 || memcmp(a->moves, b->moves, a->ply_count * sizeof *a->moves) == 0);
        assert_int_equal(a->item_count, b->item_count);
        for (size_t i = 0; i < a->item_count; i++)
            assert_int_equal(a->items[i].move, b->items[i].move);
        assert_int_equal(a->moves_bits, 8 * a->ply_count);
        bits += b->moves_bits;
    }
    assert_true(bits / 8 < predicted.moves_bytes && bits > 2 * (size_t)predicted.plies);
    stamma_archive_reader_close(by_code);
    stamma_archive_reader_close(by_model);
    free(first.text);
    free(second.text);
    free(text.text);
}

/* Where moves are not asked for, how long they are predicted is not known; how many there are is. */
static void without_moves(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn"), archive = pack_at(2, text.text, text.size, NULL);
    archive_source source = {0};
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_TAGS), STAMMA_OK);
    uint64_t plies = 0;
    for (;;) {
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        if (!game)
            break;
        plies += game->ply_count;
        assert_int_equal(game->moves_bits, 0);
        assert_true(game->tag_count > 0);
    }
    assert_true(plies > 1000);
    stamma_archive_reader_close(reader);
    free(archive.text);
    free(text.text);
}

/* ---- damage: blocks whose moves are changed, checksums and all ---- */

static stamma_error read_all(const uint8_t *payload, size_t size, size_t head_size)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    block_reader b;
    buffer text = {.allocator = &allocator};
    stamma_block_reader_init(&b, &allocator);
    stamma_error error = stamma_block_reader_load(&b, payload, size, head_size);
    while (error == STAMMA_OK && b.next < b.head.records) {
        error = stamma_block_reader_next(&b, false);
        if (error == STAMMA_OK)
            error = stamma_render(&b.record, &b.styles.styles[b.record.style], &text, NULL);
    }
    if (error == STAMMA_OK && (!stamma_block_reader_is_done(&b) || XXH64(text.data, text.size, 0) != b.head.text_check))
        error = STAMMA_ERROR_CORRUPT;
    stamma_buffer_release(&text);
    stamma_block_reader_release(&b);
    return error;
}

static void damaged(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn"),
            archive = pack_at(2, text.text, text.size < 60000 ? text.size : 60000, NULL);
    uint8_t *payload = (uint8_t *)archive.text + 16 + 32;
    size_t size = (size_t)load_u64((const uint8_t *)archive.text + 24),
           head_size = load_u32((const uint8_t *)archive.text + 32);
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const buffer whole = {.allocator = &allocator, .data = payload, .size = size, .capacity = size};
    column_entry e;
    const uint8_t *stored;
    assert_true(stamma_payload_find_column(&whole, head_size, COLUMN_MOVES, &e, &stored));
    assert_int_equal(e.codec, CODEC_PREDICTED);
    assert_int_equal(read_all(payload, size, head_size), STAMMA_OK);
    uint8_t *moves = payload + (stored - payload), check[8], *place = NULL;
    store_u64(check, e.check);
    for (size_t at = 0; at + 8 <= head_size; at++)
        if (memcmp(payload + at, check, 8) == 0)
            place = payload + at;
    assert_non_null(place);
    for (size_t n = 0; n < 240; n++) {
        size_t at = n < 60 ? n : n * 7919 % (size_t)e.stored_size;
        moves[at] ^= (uint8_t)(1u << n % 8);
        store_u64(place, XXH64(moves, (size_t)e.stored_size, 0));
        stamma_error error = read_all(payload, size, head_size);
        assert_true(error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED);
        moves[at] ^= (uint8_t)(1u << n % 8);
    }
    free(archive.text);
    free(text.text);
}

/* ---- recompressing, and no memory ---- */

static void recompressing(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn"), first = pack_at(1, text.text, text.size, NULL),
            second = pack_at(2, text.text, text.size, NULL);
    for (unsigned way = 0; way < 4; way++) { /* good, damaged, other parts selected, read before */
        archive_source source = {0};
        archive_sink sink = {.bytes.text = NULL};
        const stamma_archive_game *game;
        stamma_archive_writer_options options = {.size = sizeof options, .level = 2};
        stamma_archive_writer *writer;
        stamma_output output = archive_output(&sink);
        stamma_archive_reader *reader = open_archive(&source, &first, way != 3);
        assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
        first.text[first.size / 2] ^= (char)(way == 1);
        if (way == 2)
            assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_TAGS), STAMMA_OK);
        if (way == 3)
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        stamma_error wanted = way == 0 ? STAMMA_OK : way == 1 ? STAMMA_ERROR_CORRUPT : STAMMA_ERROR_BAD_ARGUMENT;
        assert_int_equal(stamma_archive_writer_recompress(writer, reader), wanted);
        first.text[first.size / 2] ^= (char)(way == 1);
        if (way == 0) {
            assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
            assert_int_equal(sink.bytes.size, second.size);
            assert_memory_equal(sink.bytes.text, second.text, second.size);
        }
        assert_int_equal(stamma_archive_writer_recompress(NULL, reader), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_archive_writer_recompress(writer, NULL), STAMMA_ERROR_BAD_ARGUMENT);
        stamma_archive_writer_close(writer);
        stamma_archive_reader_close(reader);
        free(sink.bytes.text);
    }
    free(first.text);
    free(second.text);
    free(text.text);
}

/* Gives memory so many times more. */
static void *scarce(void *context, size_t size)
{
    unsigned *left = (unsigned *)context;
    return *left > 0 && (*left)-- ? malloc(size) : NULL;
}

static void *scarce_resize(void *context, void *memory, size_t size)
{
    unsigned *left = (unsigned *)context;
    return *left > 0 && (*left)-- ? realloc(memory, size) : NULL;
}

static void released(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void without_memory(void **state)
{
    (void)state;
    enum { TEXT = 9000 };
    listing text = read_file("data/games.pgn"), archive = pack_at(2, text.text, TEXT, NULL);
    stamma_error error = STAMMA_ERROR_NO_MEMORY, unpacked = error;
    for (unsigned n = 0; error != STAMMA_OK || unpacked != STAMMA_OK; n++) {
        unsigned left = n;
        const stamma_allocator allocator = {&left, scarce, scarce_resize, released};
        archive_sink sink = {.bytes.text = NULL};
        stamma_archive_writer_options options = {.size = sizeof options, .level = 2, .allocator = &allocator};
        stamma_archive_writer *writer = NULL;
        stamma_output output = archive_output(&sink);
        error = stamma_archive_writer_open(&output, &options, &writer);
        if (error == STAMMA_OK)
            error = stamma_archive_writer_write(writer, text.text, TEXT);
        if (error == STAMMA_OK)
            error = stamma_archive_writer_finish(writer, NULL);
        stamma_archive_writer_close(writer);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        if (error == STAMMA_OK) {
            assert_int_equal(sink.bytes.size, archive.size);
            assert_memory_equal(sink.bytes.text, archive.text, archive.size);
        }
        free(sink.bytes.text);
        listing out = {0};
        left = n;
        unpacked = unpack(&archive, true, &allocator, &out);
        assert_true(unpacked == STAMMA_OK || unpacked == STAMMA_ERROR_NO_MEMORY);
        free(out.text);
        assert_true(n < 5000);
    }
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_texts), cmocka_unit_test(games),         cmocka_unit_test(without_moves),
        cmocka_unit_test(damaged),   cmocka_unit_test(recompressing), cmocka_unit_test(without_memory),
    };
    if (stamma_predictor_id() == 0) {
        printf("the library was built without weights\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
