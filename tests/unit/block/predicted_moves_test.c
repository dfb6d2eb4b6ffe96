/* SPDX-License-Identifier: MIT */
/* Tests archives of levels 2 and 3 (clauses 16, 17): every way of reading restores the texts, packing does not depend
 * on threads or checks, and levels can be changed in both directions. The only error that damaged columns of moves
 * cause is CORRUPT. */
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
#include "game_texts.h"

/* Every kind of move, texts of one game, and texts without a game. */
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
    const int level = *(const int *)*state;
    buffer all = {.allocator = NULL};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    all.allocator = &allocator;
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        listing archive = pack_at(level, texts[n], strlen(texts[n]), NULL);
        assert_gives_back(&archive, texts[n], strlen(texts[n]));
        free(archive.text);
    }
    for (unsigned times = 0; times < 40; times++) /* enough moves to be predicted */
        for (size_t n = 2; n < sizeof texts / sizeof *texts; n++) {
            buffer_add(&all, texts[n], strlen(texts[n]));
            buffer_add(&all, "\n\n", 2);
        }
    listing archive = pack_at(level, (const char *)all.data, all.size, NULL);
    assert_gives_back(&archive, (const char *)all.data, all.size);
    free(archive.text);
    stamma_buffer_release(&all);
}

/* The games of the repository: the predicted moves need less than half the space of codes, and each game is found by
 * its number. */
static void games(void **state)
{
    const int level = *(const int *)*state;
    listing text = read_file("data/games.pgn");
    stamma_archive_counts codes, predicted;
    listing first = pack_at(1, text.text, text.size, &codes), second = pack_at(level, text.text, text.size, &predicted);
    assert_true(predicted.plies == codes.plies && predicted.moves_bytes < codes.moves_bytes / 2);
    assert_int_equal(predicted.games_inexact, 0);
    assert_gives_back(&second, text.text, text.size);
    archive_source one = {0}, two = {0};
    stamma_archive_reader *by_code = open_archive(&one, &first, true), *by_model = open_archive(&two, &second, true);
    assert_int_equal(stamma_archive_reader_select(by_code, STAMMA_GAME_MOVES | STAMMA_GAME_VARIATIONS), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_select(by_model, STAMMA_GAME_MOVES | STAMMA_GAME_VARIATIONS), STAMMA_OK);
    size_t bits = 0;
    /* Every third game, then others: each seek backwards decodes the block from its start. */
    uint64_t n = 3;
    for (uint64_t count = 0; count < codes.games; count++) {
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
        n = n + 3 > codes.games ? (n - 1) % 3 : n + 3;
    }
    assert_true(bits / 8 < predicted.moves_bytes && bits > 2 * (size_t)predicted.plies);
    assert_true(level == 2 || bits / 8 + 64 > predicted.moves_bytes);
    close_reader(by_code);
    close_reader(by_model);
    free(first.text);
    free(second.text);
    free(text.text);
}

/* If moves are not selected, the number of bits is unknown but the number of plies is known. */
static void without_moves(void **state)
{
    const int level = *(const int *)*state;
    listing text = read_file("data/games.pgn"), archive = pack_at(level, text.text, text.size, NULL);
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
    close_reader(reader);
    free(archive.text);
    free(text.text);
}

/* ---- damage: blocks with changed moves and valid checksums ---- */

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
    assert_int_equal(read_payload(payload, size, head_size), STAMMA_OK);
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
        stamma_error error = read_payload(payload, size, head_size);
        assert_true(error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED);
        moves[at] ^= (uint8_t)(1u << n % 8);
    }
    free(archive.text);
    free(text.text);
}

/* ---- recompressing, and failed allocations ---- */

static void recompressing(void **state)
{
    const int level = *(const int *)*state;
    listing text = read_file("data/games.pgn"), first = pack_at(level == 2 ? 1 : 2, text.text, text.size, NULL),
            second = pack_at(level, text.text, text.size, NULL);
    for (unsigned way = 0; way < 4; way++) { /* unchanged, damaged, other parts selected, after reading */
        archive_source source = {0};
        archive_sink sink = {.bytes.text = NULL};
        const stamma_archive_game *game;
        stamma_archive_writer_options options = {.size = sizeof options, .level = level};
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
        close_reader(reader);
        free(sink.bytes.text);
    }
    free(first.text);
    free(second.text);
    free(text.text);
}

/* Allocates memory a limited number of times. */
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
    const int level = *(const int *)*state;
    const size_t size = level == 2 ? 9000 : 3000;
    listing text = read_file("data/games.pgn"), archive = pack_at(level, text.text, size, NULL);
    stamma_error error = STAMMA_ERROR_NO_MEMORY, unpacked = error;
    for (unsigned n = 0; error != STAMMA_OK || unpacked != STAMMA_OK; n += (unsigned)thinned_step(usual_step(3))) {
        unsigned left = n;
        const stamma_allocator allocator = {&left, scarce, scarce_resize, released};
        archive_sink sink = {.bytes.text = NULL};
        stamma_archive_writer_options options = {.size = sizeof options, .level = level, .allocator = &allocator};
        stamma_archive_writer *writer = NULL;
        stamma_output output = archive_output(&sink);
        error = stamma_archive_writer_open(&output, &options, &writer);
        if (error == STAMMA_OK)
            error = stamma_archive_writer_write(writer, text.text, size);
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

/* ---- only level 3 ---- */

typedef struct games_text {
    listing text;
    size_t games;
} games_text;

static void add_text(games_text *t, const char *bytes)
{
    list_bytes(&t->text, bytes, strlen(bytes));
}

/* Makes games with the same first moves and different lengths. White's name depends on the final position or is one
 * of five. Some games then have a null move. */
static games_text many_games(size_t games, bool by_position)
{
    static const char *const moves[] = {"e4",  "e5",  "Nf3", "Nc6",  "Bb5", "a6", "Ba4", "Nf6",
                                        "O-O", "Be7", "Re1", "b5",   "Bb3", "d6", "c3",  "O-O",
                                        "h3",  "Nb8", "d4",  "Nbd7", "c4",  "c6", "Nc3", "Bb7"};
    enum { MOVES = sizeof moves / sizeof *moves };
    char names[MOVES + 1][STAMMA_FEN_SIZE];
    stamma_position position = stamma_position_start();
    games_text t = {.games = games};
    for (size_t n = 0; n <= MOVES; n++) {
        stamma_move move;
        (void)snprintf(names[n], sizeof names[n], "%zu", n % 5);
        if (by_position)
            stamma_fen_write(&position, STAMMA_FEN_STANDARD, names[n], sizeof names[n]);
        if (n < MOVES) {
            assert_int_equal(stamma_san_read(&position, (stamma_text){moves[n], strlen(moves[n])}, &move), STAMMA_OK);
            stamma_position_make(&position, move, &position);
        }
    }
    for (size_t n = 0; n < games; n++) {
        size_t count = n * 7 % (MOVES + 1);
        char tags[2 * STAMMA_FEN_SIZE];
        (void)snprintf(tags, sizeof tags, "[White \"%s\"]\n[Black \"Player %zu\"]\n\n", names[count], n % 3);
        add_text(&t, tags);
        for (size_t m = 0; m < count; m++) {
            add_text(&t, moves[m]);
            add_text(&t, " ");
        }
        add_text(&t, n % 11 == 5 && !by_position ? "-- 1-0\n\n" : "1-0\n\n");
    }
    return t;
}

/* A name that is derived from the moves is only known after the moves. It is not used as a player's name for
 * prediction. */
static void names_after_the_moves(void **state)
{
    (void)state;
    for (unsigned by_position = 0; by_position < 2; by_position++) {
        games_text t = many_games(300, by_position);
        stamma_archive_counts counts;
        listing archive = pack_at(3, t.text.text, t.text.size, &counts);
        assert_int_equal(counts.games_inexact, 0);
        assert_int_equal(counts.games_verbatim, 0);
        assert_gives_back(&archive, t.text.text, t.text.size);
        free(archive.text);
        free(t.text.text);
    }
}

/* A reader of some parts returns the same data for each game as a reader of all parts, in any order. */
static void parts_in_any_order(void **state)
{
    (void)state;
    static const unsigned parts[] = {STAMMA_GAME_TAGS, STAMMA_GAME_MOVES, STAMMA_GAME_TAGS | STAMMA_GAME_MOVES,
                                     STAMMA_GAME_RESULT, STAMMA_GAME_VARIATIONS};
    listing text = read_file("data/games.pgn"), archive = pack_at(3, text.text, text.size, NULL);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        archive_source one = {0}, two = {0};
        stamma_archive_reader *all = open_archive(&one, &archive, true), *some = open_archive(&two, &archive, true);
        assert_int_equal(stamma_archive_reader_select(some, parts[p]), STAMMA_OK);
        for (uint64_t step = 0, n = 1; step < 12 / usual_step(2); step++, n = (n + 37) % 80 + 1) {
            const stamma_archive_game *a, *b;
            assert_int_equal(stamma_archive_reader_seek(all, n), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_seek(some, n), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_next(all, &a), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_next(some, &b), STAMMA_OK);
            assert_true(a->number == n && b->number == n && a->ply_count == b->ply_count);
            if (parts[p] & STAMMA_GAME_MOVES)
                assert_memory_equal(a->moves, b->moves, a->ply_count * sizeof *a->moves);
            if (parts[p] & STAMMA_GAME_TAGS) {
                assert_int_equal(a->tag_count, b->tag_count);
                for (size_t i = 0; i < a->tag_count; i++) {
                    assert_int_equal(a->tags[i].value.size, b->tags[i].value.size);
                    assert_memory_equal(a->tags[i].value.data, b->tags[i].value.data, a->tags[i].value.size);
                }
            }
        }
        close_reader(all);
        close_reader(some);
    }
    free(archive.text);
    free(text.text);
}

/* More records than fit in one block: data learnt in one block is not used in the next block, which can be read first.
 * The bits of a lane's games sum up to the bits of its string; the bits that the decoder reads ahead count for the
 * lane's last game. */
static void several_blocks(void **state)
{
    (void)state;
    enum { MORE = 400, GAMES = 65536 + MORE };
    static const char *const moves[] = {"1. e4 *\n\n", "1. d4 *\n\n", "1. c4 *\n\n", "1. Nf3 *\n\n"};
    static const stamma_square origins[] = {12, 11, 10, 6};
    games_text t = {.games = GAMES};
    archive_source source = {0};
    const stamma_archive_game *game;
    uint32_t random = 1;
    uint8_t played[GAMES];
    uint64_t bits = 0;
    for (size_t n = 0; n < GAMES; n++) {
        random = random * 1664525 + 1013904223;
        played[n] = (uint8_t)(random >> 30);
        add_text(&t, moves[played[n]]);
    }
    listing archive = pack_at(3, t.text.text, t.text.size, NULL), out = {0};
    assert_int_equal(unpack(&archive, true, NULL, &out), STAMMA_OK);
    assert_int_equal(out.size, t.text.size);
    assert_memory_equal(out.text, t.text.text, out.size);
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_MOVES), STAMMA_OK);
    for (uint64_t n = GAMES - MORE + 1; n <= GAMES; n++) {
        if (n % 100 == 0 || n == GAMES - MORE + 1)
            assert_int_equal(stamma_archive_reader_seek(reader, n), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_int_equal(game->number, n);
        assert_int_equal(game->ply_count, 1);
        assert_int_equal(stamma_move_from(game->moves[0]), origins[played[n - 1]]);
        assert_in_range(game->moves_bits, 0, n == GAMES - MORE / 2 || n == GAMES ? 7 + 32 : 7);
        bits += game->moves_bits;
    }
    assert_in_range(bits, MORE, 3 * MORE);
    close_reader(reader);
    free(archive.text);
    free(out.text);
    free(t.text.text);
}

/* A game with more moves than a record can contain: the pieces after the first are stored as text. */
static void long_game(void **state)
{
    (void)state;
    games_text t = {.games = 1};
    static const char *const around[] = {"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "};
    add_text(&t, "[White \"A\"]\n\n");
    for (size_t n = 0; n < PIECE_ITEMS_MAX / 8 + 40; n++) {
        add_text(&t, around[n % 4]);
        add_text(&t, "$1 $2 $3 $4 $5 $7 $8 ");
    }
    add_text(&t, "*\n\n[White \"A\"]\n\n1. e4 e5 *\n");
    listing archive = pack_at(3, t.text.text, t.text.size, NULL);
    assert_gives_back(&archive, t.text.text, t.text.size);
    free(archive.text);
    free(t.text.text);
}

enum { IDS_SIZE = 16, HEAD_SIZE = IDS_SIZE + 2 /* and the least number of moves of a lane */ };
static stamma_allocator default_allocator;

/* Reads the payload of the only block with another column of moves: `stored`, packed with `codec`, for `plain`
 * moves. */
static stamma_error read_changed(const listing *archive, unsigned codec, uint64_t plain, const buffer *stored)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const uint8_t *payload = (const uint8_t *)archive->text + 16 + 32;
    size_t size = (size_t)load_u64((const uint8_t *)archive->text + 24),
           head_size = load_u32((const uint8_t *)archive->text + 32);
    cursor directory = {payload, payload + head_size, false}, body = {payload + head_size, payload + size, false};
    buffer head = {.allocator = &allocator}, columns = {.allocator = &allocator};
    block_head counts;
    column_entry e;
    assert_int_equal(stamma_block_read_head(&directory, &counts), STAMMA_OK);
    buffer_add(&head, payload, (size_t)(directory.at - payload));
    for (uint64_t n = 0; n < counts.columns; n++) {
        assert_true(stamma_column_read_entry(&directory, &e));
        const uint8_t *bytes = cursor_take(&body, e.stored_size);
        bool changed = e.id == COLUMN_MOVES;
        size_t bytes_size = changed ? stored->size : (size_t)e.stored_size;
        bytes = changed ? stored->data : bytes;
        stamma_column_write_entry(e.id, changed ? codec : e.codec, e.name, (size_t)(changed ? plain : e.plain_size),
                                  bytes, bytes_size, &head);
        buffer_add(&columns, bytes, bytes_size);
    }
    size_t new_head = head.size;
    buffer_add(&head, columns.data, columns.size);
    stamma_error error = read_payload(head.data, head.size, new_head);
    stamma_buffer_release(&head);
    stamma_buffer_release(&columns);
    return error;
}

/* Like read_changed, with other streams of one lane. If the parameters contain no sizes, the correct sizes are
 * added. */
static stamma_error read_streams(const listing *archive, uint64_t plain, buffer *streams, size_t count)
{
    static const int efforts[LANES_STREAMS + 1] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    byte_packer none = {.compressor = NULL};
    buffer stored = {.allocator = &allocator}, *parameters = &streams[LANES_PARAMETERS];
    const size_t parameters_size = parameters->size;
    if (parameters_size == HEAD_SIZE) {
        stamma_buffer_add_varint(parameters, streams[LANES_STRINGS].size);
        stamma_buffer_add_varint(parameters, streams[LANES_CODES].size);
    }
    assert_int_equal(stamma_streams_pack(&none, streams, efforts, count, &stored), STAMMA_OK);
    stamma_error error = read_changed(archive, CODEC_LANES, plain, &stored);
    stamma_buffer_release(&stored);
    parameters->size = parameters_size;
    return error;
}

static void damage_string(const listing *archive, uint64_t plain, buffer *streams)
{
    buffer *string = &streams[LANES_STRINGS];
    const size_t size = string->size;
    for (size_t n = 0; n < size; n += thinned_step(1)) {
        string->data[n] ^= (uint8_t)(1u << n % 8);
        assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
        string->data[n] ^= (uint8_t)(1u << n % 8);
    }
    for (size_t cut = 1; cut <= size; cut *= 2) {
        string->size = size - cut;
        assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    }
    string->size = size;
    for (uint8_t more = 0; more < 3; more++) { /* trailing zeros are implicit */
        buffer_add_byte(string, more);
        assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
        string->size = size;
    }
}

/* Reads with sizes of the string and of the codes that are `strings` and `codes` larger, and with bytes after them. */
static stamma_error read_sizes(const listing *archive, uint64_t plain, buffer *streams, int strings, int codes,
                               size_t more)
{
    buffer *parameters = &streams[LANES_PARAMETERS];
    stamma_buffer_add_varint(parameters, (uint64_t)((int64_t)streams[LANES_STRINGS].size + strings));
    stamma_buffer_add_varint(parameters, (uint64_t)((int64_t)streams[LANES_CODES].size + codes));
    for (; more > 0; more--)
        buffer_add_byte(parameters, 0);
    stamma_error error = read_streams(archive, plain, streams, LANES_STREAMS);
    parameters->size = HEAD_SIZE;
    return error;
}

static void damage_parameters(const listing *archive, uint64_t plain, buffer *streams)
{
    buffer *parameters = &streams[LANES_PARAMETERS];
    for (size_t n = 0; n < IDS_SIZE; n++) {
        parameters->data[n] ^= 1;
        assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_UNSUPPORTED);
        parameters->data[n] ^= 1;
    }
    for (parameters->size = 0; parameters->size < HEAD_SIZE; parameters->size++)
        assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_sizes(archive, plain, streams, 0, 0, 0), STAMMA_OK);
    assert_int_equal(read_sizes(archive, plain, streams, 0, 0, 1), STAMMA_ERROR_CORRUPT);
    for (int step = -1; step <= 1; step += 2) {
        assert_int_equal(read_sizes(archive, plain, streams, step, 0, 0), STAMMA_ERROR_CORRUPT);
        assert_int_equal(read_sizes(archive, plain, streams, 0, step, 0), STAMMA_ERROR_CORRUPT);
    }
    buffer_add_byte(parameters, 1); /* only one of the two sizes */
    assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    parameters->size = HEAD_SIZE;
    const uint8_t second = parameters->data[HEAD_SIZE - 1];
    parameters->data[HEAD_SIZE - 1] = LANE_MIN >> 7; /* the least number of moves of a lane, and one less */
    parameters->data[IDS_SIZE] = 0x80;
    assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_OK);
    parameters->data[HEAD_SIZE - 1] = (LANE_MIN >> 7) - 1;
    parameters->data[IDS_SIZE] = 0xFF;
    assert_int_equal(read_streams(archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    parameters->data[HEAD_SIZE - 1] = second;
    parameters->data[IDS_SIZE] = 0x80;
}

/* Reads the column of moves of the only block, and its streams. */
static column_entry read_lanes(const listing *archive, const uint8_t **stored, buffer streams[LANES_STREAMS + 1])
{
    const stamma_allocator *allocator = &default_allocator;
    const size_t payload = (size_t)load_u64((const uint8_t *)archive->text + 24);
    const buffer whole = {.data = (uint8_t *)archive->text + 16 + 32, .size = payload};
    const uint32_t head_size = load_u32((const uint8_t *)archive->text + 32);
    byte_packer none = {.compressor = NULL};
    size_t count = LANES_STREAMS + 1;
    column_entry e;
    assert_true(stamma_payload_find_column(&whole, head_size, COLUMN_MOVES, &e, stored));
    assert_int_equal(e.codec, CODEC_LANES);
    for (size_t n = 0; n < count; n++)
        streams[n] = (buffer){.allocator = allocator};
    cursor bytes = {*stored, *stored + e.stored_size, false};
    assert_int_equal(stamma_streams_unpack(&none, bytes, 100000, streams, NULL, &count), STAMMA_OK);
    assert_int_equal(count, LANES_STREAMS);
    streams[LANES_PARAMETERS].size = HEAD_SIZE;
    return e;
}

static void damaged_string(void **state)
{
    (void)state;
    default_allocator = stamma_allocator_or_default(NULL);
    listing games = read_file("data/games.pgn"), text = {0};
    list_bytes(&text, texts[3], strlen(texts[3])); /* with null moves */
    list_bytes(&text, "\n", 1);
    list_bytes(&text, games.text, 4000);
    listing archive = pack_at(3, text.text, text.size, NULL);
    const uint8_t *stored;
    buffer streams[LANES_STREAMS + 1], column = {.allocator = &default_allocator};
    const column_entry e = read_lanes(&archive, &stored, streams);
    const uint64_t plain = e.plain_size;
    assert_true(streams[LANES_CODES].size > 1 && streams[LANES_STRINGS].size > 20);
    assert_int_equal(read_streams(&archive, plain, streams, LANES_STREAMS), STAMMA_OK);
    damage_string(&archive, plain, streams);
    damage_parameters(&archive, plain, streams);
    for (size_t other = 0; other <= LANES_STREAMS + 1; other++)
        if (other != LANES_STREAMS)
            assert_int_equal(read_streams(&archive, plain, streams, other), STAMMA_ERROR_CORRUPT);
    buffer_add_byte(&streams[LANES_CODES], 1);
    assert_int_equal(read_streams(&archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    streams[LANES_CODES].size -= 2;
    assert_int_equal(read_streams(&archive, plain, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    streams[LANES_CODES].size++;
    assert_int_equal(read_streams(&archive, plain + 1, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_streams(&archive, plain - 1, streams, LANES_STREAMS), STAMMA_ERROR_CORRUPT);
    buffer_add(&column, stored, (size_t)e.stored_size);
    assert_int_equal(read_changed(&archive, CODEC_LANES, plain, &column), STAMMA_OK);
    assert_int_equal(read_changed(&archive, CODEC_LANES, PREDICTED_RATIO_MAX * (uint64_t)column.size + 1, &column),
                     STAMMA_ERROR_CORRUPT);
    for (unsigned codec = CODEC_PREDICTED; codec <= CODEC_HALVES; codec++)
        assert_int_equal(read_changed(&archive, codec, plain, &column), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_changed(&archive, CODEC_PREFIXES + 1, plain, &column), STAMMA_ERROR_UNSUPPORTED);
    for (size_t n = 0; n <= LANES_STREAMS; n++)
        stamma_buffer_release(&streams[n]);
    stamma_buffer_release(&column);
    free(archive.text);
    free(text.text);
    free(games.text);
}

/* The parameters of codec 4 begin with eight bytes. */
static void short_parameters(void **state)
{
    (void)state;
    static const int efforts[PREDICTED_STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    listing archive = pack_at(2, texts[2], strlen(texts[2]), NULL);
    uint8_t bytes[64] = {0};
    for (size_t size = 0; size < sizeof bytes; size++) {
        byte_packer none = {.compressor = NULL};
        buffer streams[PREDICTED_STREAMS] = {{.data = bytes}}, stored = {.allocator = &allocator};
        streams[PAIR_PARAMETERS] = (buffer){.data = bytes, .size = size};
        assert_int_equal(stamma_streams_pack(&none, streams, efforts, PREDICTED_STREAMS, &stored), STAMMA_OK);
        assert_int_equal(read_changed(&archive, CODEC_PREDICTED, 200, &stored),
                         size < 8 ? STAMMA_ERROR_CORRUPT : STAMMA_ERROR_UNSUPPORTED);
        stamma_buffer_release(&stored);
    }
    free(archive.text);
}

/* Opens a stored column. Asserts that its lanes begin with the records `first`. */
static void expect_lanes(unsigned codec, cursor stored, uint64_t plain, const uint32_t *counts, size_t records,
                         const size_t *first, size_t lanes)
{
    byte_packer packer = {.compressor = NULL};
    buffer codes = {.allocator = &default_allocator};
    predicted_column column;
    stamma_predicted_init(&column, &default_allocator);
    column.group = GROUP_ADAPTIVE;
    assert_int_equal(stamma_predicted_open(&column, codec, &packer, stored, plain, counts, records, &codes), STAMMA_OK);
    assert_int_equal(column.lanes.size, lanes * sizeof(moves_lane));
    for (size_t n = 0; n < lanes; n++)
        assert_int_equal(((const moves_lane *)(const void *)column.lanes.data)[n].first, first[n]);
    assert_int_equal(column.second, first[(lanes + 1) / 2]);
    stamma_predicted_release(&column);
    stamma_buffer_release(&codes);
}

/* A lane ends with the group in which it reaches LANE_MOVES moves. If the number of lanes is odd, the first half has
 * one lane more. */
static void lanes_end_with_games(void **state)
{
    (void)state;
    enum { GAMES = 900 };
    default_allocator = stamma_allocator_or_default(NULL);
    listing text = {0};
    for (unsigned n = 0; n < GAMES; n++)
        list_game(&text, &text_styles[0]);
    listing archive = pack_at(3, text.text, text.size, NULL);
    uint32_t counts[GAMES];
    size_t records = 0, first[9] = {0}, lanes = 0;
    uint64_t in_lane = LANE_MOVES;
    size_t group = SIZE_MAX; /* of the last game with moves */
    archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game;
    assert_int_equal(open_source(&source, true, NULL, &reader), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        if (in_lane >= LANE_MOVES && game->ply_count > 0 && records / GROUP_ADAPTIVE != group) {
            assert_true(lanes < 9);
            first[lanes++] = records;
            in_lane = 0;
        }
        in_lane += game->ply_count;
        group = game->ply_count > 0 ? records / GROUP_ADAPTIVE : group;
        assert_true(records < GAMES);
        counts[records++] = (uint32_t)game->ply_count;
    }
    close_reader(reader);
    const uint8_t *stored;
    buffer streams[LANES_STREAMS + 1];
    const column_entry e = read_lanes(&archive, &stored, streams);
    const cursor bytes = {stored, stored + e.stored_size, false};
    assert_true(lanes > 2);
    expect_lanes(CODEC_LANES, bytes, e.plain_size, counts, records, first, lanes);
    for (size_t n = 0; n <= LANES_STREAMS; n++)
        stamma_buffer_release(&streams[n]);
    free(archive.text);
    free(text.text);
}

/* In codec 9, a lane of a large column ends with the game with which it reaches a sixty-fourth of the moves. */
static void lanes_of_a_large_column(void **state)
{
    (void)state;
    enum { GAMES = 300, MOVES = 1200, IN_LANE = (GAMES * MOVES / 64 + MOVES - 1) / MOVES, COUNT = GAMES / IN_LANE };
    static const int efforts[LANES_STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    default_allocator = stamma_allocator_or_default(NULL);
    buffer stored = {.allocator = &default_allocator}, streams[LANES_STREAMS] = {stored, stored, stored};
    uint8_t ids[IDS_SIZE], string[GAMES * MOVES / PREDICTED_RATIO_MAX / COUNT + 1] = {0};
    uint32_t counts[GAMES];
    size_t first[COUNT];
    byte_packer none = {.compressor = NULL};
    store_u64(ids, stamma_predict_weights_id);
    store_u64(ids + 8, stamma_second_weights_id);
    buffer_add(&streams[LANES_PARAMETERS], ids, sizeof ids);
    for (size_t n = 0; n < COUNT; n++) {
        stamma_buffer_add_varint(&streams[LANES_PARAMETERS], sizeof string);
        stamma_buffer_add_varint(&streams[LANES_PARAMETERS], 0);
        buffer_add(&streams[LANES_STRINGS], string, sizeof string);
        first[n] = n * IN_LANE;
    }
    for (size_t n = 0; n < GAMES; n++)
        counts[n] = MOVES;
    assert_int_equal(stamma_streams_pack(&none, streams, efforts, LANES_STREAMS, &stored), STAMMA_OK);
    expect_lanes(CODEC_LONG_LANES, buffer_cursor(&stored), (uint64_t)GAMES * MOVES, counts, GAMES, first, COUNT);
    stamma_buffer_release(&stored);
    for (size_t n = 0; n < LANES_STREAMS; n++)
        stamma_buffer_release(&streams[n]);
}

int main(void)
{
    static int two = 2, three = 3;
#define TEST_LEVELS(test)                          \
    {#test "_level_2", test, NULL, NULL, &two},    \
    {                                              \
#test "_level_3", test, NULL, NULL, &three \
    }
    const struct CMUnitTest tests[] = {
        TEST_LEVELS(odd_texts),
        TEST_LEVELS(games),
        TEST_LEVELS(without_moves),
        TEST_LEVELS(recompressing),
        TEST_LEVELS(without_memory),
        cmocka_unit_test(damaged),
        cmocka_unit_test(names_after_the_moves),
        cmocka_unit_test(parts_in_any_order),
        cmocka_unit_test(several_blocks),
        cmocka_unit_test(long_game),
        cmocka_unit_test(damaged_string),
        cmocka_unit_test(short_parameters),
        cmocka_unit_test(lanes_end_with_games),
        cmocka_unit_test(lanes_of_a_large_column),
    };
#undef TEST_LEVELS
    if (stamma_predictor_id() == 0) {
        printf("the library was built without weights\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
