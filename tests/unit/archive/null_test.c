/* SPDX-License-Identifier: MIT */
/* Tests NULL arguments where NULL is not allowed. Every public function that returns an error must return
 * STAMMA_ERROR_BAD_ARGUMENT and do nothing; its other arguments must work afterwards. Fails if a new function is not
 * called here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "invalid_options.h"

static const stamma_text word = {"e2e4", 4}, missing = {NULL, 4};

static void take_part(void *context, const stamma_code_part *part)
{
    (void)context;
    (void)part;
}

static void positions(void **state)
{
    (void)state;
    stamma_position position = stamma_position_start();
    stamma_setup setup = stamma_position_setup(&position);
    stamma_move move;
    BAD(stamma_position_set_up(NULL, &position));
    BAD(stamma_position_set_up(&setup, NULL));
    BAD(stamma_position_chess960(518, NULL));
    BAD(stamma_fen_read(missing, &position, NULL, NULL));
    BAD(stamma_fen_read(word, NULL, NULL, NULL));
    BAD(stamma_fen_read_strict(missing, &position, NULL, NULL));
    BAD(stamma_fen_read_strict(word, NULL, NULL, NULL));
    BAD(stamma_epd_read(missing, &position, NULL, NULL, NULL));
    BAD(stamma_epd_read(word, NULL, NULL, NULL, NULL));
    BAD(stamma_uci_read(NULL, word, &move));
    BAD(stamma_uci_read(&position, missing, &move));
    BAD(stamma_uci_read(&position, word, NULL));
    BAD(stamma_san_read(NULL, word, &move));
    BAD(stamma_san_read(&position, missing, &move));
    BAD(stamma_san_read(&position, word, NULL));
    BAD(stamma_lan_read(NULL, word, &move));
    BAD(stamma_lan_read(&position, missing, &move));
    BAD(stamma_lan_read(&position, word, NULL));
    assert_int_equal(stamma_fen_read((stamma_text){NULL, 0}, &position, NULL, NULL), STAMMA_ERROR_SYNTAX);
    assert_int_equal(stamma_uci_read(&position, word, &move), STAMMA_OK);
}

static void pgn_readers(void **state)
{
    (void)state;
    piecewise source = {.bytes = "1. e4 *", .size = 7, .piece_max = 7};
    stamma_input input = piecewise_input(&source), none = {.context = &source};
    stamma_pgn_reader *reader;
    stamma_pgn_event event;
    for (size_t i = 0; i < ALLOCATORS; i++) {
        stamma_pgn_options options = {.size = sizeof options, .allocator = &allocators[i]};
        BAD(stamma_pgn_reader_open(&input, &options, &reader));
        BAD(stamma_pgn_reader_open_memory("*", 1, &options, &reader));
    }
    BAD(stamma_pgn_reader_open(NULL, NULL, &reader));
    BAD(stamma_pgn_reader_open(&none, NULL, &reader));
    BAD(stamma_pgn_reader_open(&input, NULL, NULL));
    BAD(stamma_pgn_reader_open_memory(NULL, 1, NULL, &reader));
    BAD(stamma_pgn_reader_open_memory("*", 1, NULL, NULL));
    BAD(stamma_pgn_reader_next(NULL, &event));
    BAD(stamma_pgn_reader_skip_game(NULL));
    assert_int_equal(stamma_pgn_reader_open(&input, NULL, &reader), STAMMA_OK);
    BAD(stamma_pgn_reader_next(reader, NULL));
    assert_int_equal(stamma_pgn_reader_next(reader, &event), STAMMA_OK);
    assert_int_equal(event.kind, STAMMA_PGN_GAME_BEGIN);
    stamma_pgn_reader_close(reader);
}

static void pgn_writers(void **state)
{
    (void)state;
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink), none = {&sink, NULL, NULL};
    stamma_position position = stamma_position_start();
    stamma_pgn_writer *writer;
    for (size_t i = 0; i < ALLOCATORS; i++) {
        stamma_pgn_writer_options options = {.size = sizeof options, .allocator = &allocators[i]};
        BAD(stamma_pgn_writer_open(&output, &options, &writer));
    }
    BAD(stamma_pgn_writer_open(NULL, NULL, &writer));
    BAD(stamma_pgn_writer_open(&none, NULL, &writer));
    BAD(stamma_pgn_writer_open(&output, NULL, NULL));
    BAD(stamma_pgn_writer_tag(NULL, word, word));
    BAD(stamma_pgn_writer_start(NULL, &position));
    BAD(stamma_pgn_writer_move(NULL, STAMMA_MOVE_NULL));
    BAD(stamma_pgn_writer_comment(NULL, word));
    BAD(stamma_pgn_writer_nag(NULL, 1));
    BAD(stamma_pgn_writer_variation_begin(NULL));
    BAD(stamma_pgn_writer_variation_end(NULL));
    BAD(stamma_pgn_writer_result(NULL, (stamma_text){"*", 1}));
    assert_int_equal(stamma_pgn_writer_open(&output, NULL, &writer), STAMMA_OK);
    BAD(stamma_pgn_writer_tag(writer, missing, word));
    BAD(stamma_pgn_writer_tag(writer, word, missing));
    BAD(stamma_pgn_writer_start(writer, NULL));
    BAD(stamma_pgn_writer_comment(writer, missing));
    BAD(stamma_pgn_writer_result(writer, (stamma_text){NULL, 3}));
    assert_int_equal(stamma_pgn_writer_result(writer, (stamma_text){"1-0", 3}), STAMMA_OK);
    assert_string_equal(sink.bytes.text, "1-0\n\n");
    stamma_pgn_writer_close(writer);
    free(sink.bytes.text);
}

static void games(void **state)
{
    (void)state;
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_position position = stamma_position_start();
    stamma_game *game;
    stamma_pgn_reader *reader;
    stamma_pgn_writer *writer;
    stamma_text name, value;
    bool found;
    for (size_t i = 0; i < ALLOCATORS; i++)
        BAD(stamma_game_open(&allocators[i], &game));
    BAD(stamma_game_open(NULL, NULL));
    assert_int_equal(stamma_game_open(NULL, &game), STAMMA_OK);
    assert_int_equal(stamma_pgn_reader_open_memory("1. e4 *", 7, NULL, &reader), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_open(&output, NULL, &writer), STAMMA_OK);
    BAD(stamma_game_read(NULL, reader, &found, NULL, NULL));
    BAD(stamma_game_read(game, NULL, &found, NULL, NULL));
    BAD(stamma_game_read(game, reader, NULL, NULL, NULL));
    BAD(stamma_game_write(NULL, writer));
    BAD(stamma_game_write(game, NULL));
    BAD(stamma_game_write_moves(NULL, writer));
    BAD(stamma_game_write_moves(game, NULL));
    BAD(stamma_game_set_tag(NULL, word, word));
    BAD(stamma_game_set_tag(game, missing, word));
    BAD(stamma_game_set_tag(game, word, missing));
    assert_int_equal(stamma_game_set_tag(game, word, word), STAMMA_OK);
    BAD(stamma_game_tag_at(NULL, 0, &name, &value));
    BAD(stamma_game_tag_at(game, 0, NULL, &value));
    BAD(stamma_game_tag_at(game, 0, &name, NULL));
    BAD(stamma_game_set_start(NULL, &position));
    BAD(stamma_game_set_start(game, NULL));
    BAD(stamma_game_set_result(NULL, (stamma_text){"*", 1}));
    BAD(stamma_game_set_result(game, (stamma_text){NULL, 1}));
    BAD(stamma_game_position(NULL, 0, &position));
    BAD(stamma_game_position(game, 0, NULL));
    BAD(stamma_game_add_move(NULL, 0, STAMMA_MOVE_NULL, NULL));
    BAD(stamma_game_add_comment(NULL, 0, false, word));
    BAD(stamma_game_add_comment(game, 0, false, missing));
    BAD(stamma_game_add_nag(NULL, 0, 1));
    assert_int_equal(stamma_game_read(game, reader, &found, NULL, NULL), STAMMA_OK);
    assert_true(found);
    assert_int_equal(stamma_game_write(game, writer), STAMMA_OK);
    assert_string_equal(sink.bytes.text, "1. e4 *\n\n");
    assert_int_equal(stamma_game_set_tag(game, word, word), STAMMA_OK);
    assert_int_equal(stamma_game_write_moves(game, writer), STAMMA_OK); /* without the tag */
    assert_string_equal(sink.bytes.text, "1. e4 *\n\n1. e4 *\n\n");
    stamma_pgn_writer_close(writer);
    stamma_pgn_reader_close(reader);
    stamma_game_close(game);
    free(sink.bytes.text);
}

static void codecs(void **state)
{
    (void)state;
    const stamma_codec *codec;
    stamma_position position = stamma_position_start();
    stamma_code code = {0};
    stamma_move move, moves[1] = {STAMMA_MOVE_NULL};
    uint8_t bytes[64];
    size_t size, plies;
    BAD(stamma_codec_encode(NULL, &position, STAMMA_MOVE_NULL, &code));
    BAD(stamma_codec_decode(NULL, &position, code, &move));
    BAD(stamma_codec_encode_game(NULL, &position, moves, 1, bytes, sizeof bytes, &size, NULL));
    BAD(stamma_codec_decode_game(NULL, &position, bytes, sizeof bytes, moves, 1, &plies));
    BAD(stamma_codec_explain(NULL, &position, STAMMA_MOVE_NULL, take_part, NULL));
    BAD(stamma_codec_explain_game(NULL, &position, moves, 1, take_part, NULL));
    BAD(stamma_codec_game_plies(NULL, 1, &plies));
    BAD(stamma_codec_game_plies(bytes, sizeof bytes, NULL));
    assert_int_equal(stamma_codec_game_plies(NULL, 0, &plies), STAMMA_ERROR_CORRUPT);
    for (size_t i = 0; (codec = stamma_codec_at(i)) != NULL; i++) {
        BAD(stamma_codec_encode(codec, NULL, STAMMA_MOVE_NULL, &code));
        BAD(stamma_codec_encode(codec, &position, STAMMA_MOVE_NULL, NULL));
        BAD(stamma_codec_explain(codec, NULL, STAMMA_MOVE_NULL, take_part, NULL));
        BAD(stamma_codec_explain(codec, &position, STAMMA_MOVE_NULL, NULL, NULL));
        BAD(stamma_codec_explain_game(codec, NULL, moves, 1, take_part, NULL));
        BAD(stamma_codec_explain_game(codec, &position, NULL, 1, take_part, NULL));
        BAD(stamma_codec_explain_game(codec, &position, moves, 1, NULL, NULL));
        BAD(stamma_codec_decode(codec, NULL, code, &move));
        BAD(stamma_codec_decode(codec, &position, code, NULL));
        BAD(stamma_codec_encode_game(codec, NULL, moves, 1, bytes, sizeof bytes, &size, NULL));
        BAD(stamma_codec_encode_game(codec, &position, NULL, 1, bytes, sizeof bytes, &size, NULL));
        BAD(stamma_codec_encode_game(codec, &position, moves, 1, NULL, sizeof bytes, &size, NULL));
        BAD(stamma_codec_encode_game(codec, &position, moves, 1, bytes, sizeof bytes, NULL, NULL));
        BAD(stamma_codec_decode_game(codec, NULL, bytes, sizeof bytes, moves, 1, &plies));
        BAD(stamma_codec_decode_game(codec, &position, NULL, sizeof bytes, moves, 1, &plies));
        BAD(stamma_codec_decode_game(codec, &position, bytes, sizeof bytes, NULL, 1, &plies));
        BAD(stamma_codec_decode_game(codec, &position, bytes, sizeof bytes, moves, 1, NULL));
        if (stamma_codec_describe(codec).is_partial)
            continue;
        assert_int_equal(stamma_codec_encode_game(codec, &position, NULL, 0, bytes, sizeof bytes, &size, NULL),
                         STAMMA_OK);
        assert_int_equal(stamma_codec_decode_game(codec, &position, bytes, size, NULL, 0, &plies), STAMMA_OK);
        assert_int_equal(plies, 0);
    }
}

static void position_codecs(void **state)
{
    (void)state;
    const stamma_position_codec *codec;
    stamma_position position = stamma_position_start();
    stamma_position_code code = {0};
    stamma_enumerated_move move = {0};
    stamma_kings_castling kings = {{4, 60}, {{false, false}, {false, false}}};
    uint16_t number;
    BAD(stamma_enumeration_rank(move, NULL));
    BAD(stamma_enumeration_unrank(0, NULL));
    BAD(stamma_kings_castling_rank(NULL, &number));
    BAD(stamma_kings_castling_rank(&kings, NULL));
    BAD(stamma_kings_castling_unrank(0, NULL));
    BAD(stamma_position_encode(NULL, &position, &code));
    BAD(stamma_position_explain(NULL, &position, take_part, NULL));
    BAD(stamma_position_decode(NULL, &code, &position));
    for (size_t i = 0; (codec = stamma_position_codec_at(i)) != NULL; i++) {
        BAD(stamma_position_encode(codec, NULL, &code));
        BAD(stamma_position_encode(codec, &position, NULL));
        BAD(stamma_position_explain(codec, NULL, take_part, NULL));
        BAD(stamma_position_explain(codec, &position, NULL, NULL));
        BAD(stamma_position_decode(codec, NULL, &position));
        BAD(stamma_position_decode(codec, &code, NULL));
    }
}

static bool cut(void *context, uint64_t size)
{
    (void)context;
    (void)size;
    return true;
}

static void no_source(void *context, const stamma_archive_source *source)
{
    (void)context;
    (void)source;
}

static void archive_writers(void **state)
{
    (void)state;
    const stamma_archive_source file = {.text_size = 0};
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink), none = {&sink, NULL, NULL};
    stamma_archive_writer *writer;
    stamma_archive_counts counts;
    for (size_t i = 0; i < ALLOCATORS; i++) {
        stamma_archive_writer_options options = {.size = sizeof options, .allocator = &allocators[i]};
        BAD(stamma_archive_writer_open(&output, &options, &writer));
    }
    for (size_t i = 0; i < EXECUTORS; i++) {
        stamma_archive_writer_options options = {.size = sizeof options, .executor = &executors[i]};
        BAD(stamma_archive_writer_open(&output, &options, &writer));
    }
    BAD(stamma_archive_writer_open(NULL, NULL, &writer));
    BAD(stamma_archive_writer_open(&none, NULL, &writer));
    BAD(stamma_archive_writer_open(&output, NULL, NULL));
    BAD(stamma_archive_writer_write(NULL, "*", 1));
    BAD(stamma_archive_writer_finish(NULL, &counts));
    BAD(stamma_archive_writer_copy(NULL, NULL));
    BAD(stamma_archive_writer_recompress(NULL, NULL));
    BAD(stamma_archive_writer_add_source(NULL, &file));
    assert_int_equal(sink.bytes.size, 0);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    BAD(stamma_archive_writer_write(writer, NULL, 1));
    BAD(stamma_archive_writer_copy(writer, NULL));
    BAD(stamma_archive_writer_recompress(writer, NULL));
    BAD(stamma_archive_writer_add_source(writer, NULL));
    assert_int_equal(stamma_archive_writer_write(writer, NULL, 0), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_write(writer, "1. e4 *\n", 8), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    listing text = {0};
    assert_int_equal(unpack(&sink.bytes, true, NULL, &text), STAMMA_OK);
    assert_string_equal(text.text, "1. e4 *\n");
    free(text.text);
    free(sink.bytes.text);
}

/* Functions that open a writer to continue an archive. */
static void archive_appenders(void **state)
{
    (void)state;
    listing archive = pack("1. e4 *\n", 8, NULL);
    archive_source source;
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink), none = {&sink, NULL, NULL};
    stamma_archive_writer *writer;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    stamma_archive_writer_options options = {.size = sizeof options, .allocator = &allocators[0]};
    BAD(stamma_archive_writer_open_append(NULL, &output, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_append(reader, NULL, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_append(reader, &none, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_append(reader, &output, NULL, NULL, &writer));
    BAD(stamma_archive_writer_open_append(reader, &output, cut, NULL, NULL));
    BAD(stamma_archive_writer_open_append(reader, &output, cut, &options, &writer));
    BAD(stamma_archive_writer_open_resume(NULL, &output, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_resume(reader, NULL, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_resume(reader, &none, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_resume(reader, &output, NULL, NULL, &writer));
    BAD(stamma_archive_writer_open_resume(reader, &output, cut, NULL, NULL));
    BAD(stamma_archive_writer_open_resume(reader, &output, cut, &options, &writer));
    BAD(stamma_archive_writer_open_append_resume(NULL, &output, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_append_resume(reader, NULL, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_append_resume(reader, &none, cut, NULL, &writer));
    BAD(stamma_archive_writer_open_append_resume(reader, &output, NULL, NULL, &writer));
    BAD(stamma_archive_writer_open_append_resume(reader, &output, cut, NULL, NULL));
    BAD(stamma_archive_writer_open_append_resume(reader, &output, cut, &options, &writer));
    assert_int_equal(sink.bytes.size, 0);
    close_reader(reader);
    free(archive.text);
}

static void archives(void **state)
{
    (void)state;
    listing packed = pack("1. e4 *\n", 8, NULL);
    const stamma_bytes bytes = stamma_bytes_of(packed.text, packed.size), no_bytes = {.size = 1};
    stamma_archive *archive = NULL;
    stamma_index_state index = {.size = sizeof index};
    const stamma_index_keep_options keeping = {.size = 1};
    stamma_block blocks[1];
    uint64_t games = 7;
    stamma_archive_state now = {.end = 7};
    stamma_flags *flags = NULL;
    archive_sink sink = {.fail_at = 1};
    const stamma_output nowhere = archive_output(&sink);
    size_t count = 7;
    for (size_t i = 0; i < ALLOCATORS + EXECUTORS; i++) {
        const stamma_archive_options options = {.size = sizeof options,
                                                .allocator = i < ALLOCATORS ? &allocators[i] : NULL,
                                                .executor = i < ALLOCATORS ? NULL : &executors[i - ALLOCATORS]};
        BAD(stamma_archive_open(&bytes, &options, &archive));
    }
    const stamma_archive_options no_index = {.size = sizeof no_index, .index = &no_bytes}, small = {.size = 1};
    BAD(stamma_archive_open(NULL, NULL, &archive));
    BAD(stamma_archive_open(&no_bytes, NULL, &archive));
    BAD(stamma_archive_open(&bytes, NULL, NULL));
    BAD(stamma_archive_open(&bytes, &no_index, &archive));
    BAD(stamma_archive_open(&bytes, &small, &archive));
    assert_null(archive);
    assert_int_equal(stamma_archive_open(&(stamma_bytes){.size = 0}, NULL, &archive), STAMMA_ERROR_NO_ARCHIVE);
    assert_null(archive);
    assert_int_equal(stamma_archive_open(&bytes, NULL, &archive), STAMMA_OK);
    BAD(stamma_archive_games(NULL, &games));
    BAD(stamma_archive_games(archive, NULL));
    BAD(stamma_archive_blocks(NULL, blocks, 1, &count));
    BAD(stamma_archive_blocks(archive, NULL, 1, &count));
    BAD(stamma_archive_blocks(archive, blocks, 1, NULL));
    BAD(stamma_flags_read(NULL, stamma_text_of(""), &flags));
    BAD(stamma_flags_read(archive, (stamma_text){NULL, 1}, &flags));
    BAD(stamma_flags_read(archive, stamma_text_of(""), NULL));
    BAD(stamma_flags_set(NULL, 1, 1));
    BAD(stamma_flags_write(NULL, archive, &nowhere));
    BAD(stamma_archive_use_flags(NULL, NULL));
    assert_null(flags);
    assert_int_equal(stamma_flags_read(archive, (stamma_text){NULL, 0}, &flags), STAMMA_OK);
    BAD(stamma_flags_write(flags, NULL, &nowhere));
    BAD(stamma_flags_write(flags, archive, NULL));
    BAD(stamma_flags_write(flags, archive, &(stamma_output){NULL, NULL, NULL}));
    stamma_flags_close(flags);
    stamma_flags_close(NULL);
    assert_true(stamma_flags_of(NULL, 1) == 0 && stamma_flags_next(NULL, 1, 1) == 0);
    BAD(stamma_archive_state_now(NULL, &now));
    BAD(stamma_archive_state_now(archive, NULL));
    BAD(stamma_archive_state_before(NULL, &now, &now));
    BAD(stamma_archive_state_before(archive, NULL, &now));
    BAD(stamma_archive_state_before(archive, &now, NULL));
    BAD(stamma_archive_index(NULL, &index));
    BAD(stamma_archive_index(archive, NULL));
    BAD(stamma_archive_index(archive, &(stamma_index_state){.size = 1}));
    BAD(stamma_archive_keep_index(NULL, NULL));
    BAD(stamma_archive_keep_index(archive, &keeping));
    assert_true(games == 7 && count == 7 && now.end == 7);
    assert_int_equal(stamma_archive_games(archive, &games), STAMMA_OK);
    assert_int_equal(stamma_archive_blocks(archive, NULL, 0, &count), STAMMA_OK);
    assert_true(games == 1 && count == 1);
    stamma_archive_close(archive);
    stamma_archive_close(NULL);
    free(packed.text);
}

static void archive_readers(void **state)
{
    (void)state;
    listing archive = pack("1. e4 *\n", 8, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true), *other;
    stamma_archive *opened = open_handle(&archive);
    const stamma_input stream = source_stream(&source), none = {.context = &source};
    const stamma_bytes bytes = source_bytes(&source), no_bytes = {.size = 1, .context = &source};
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_repair_result repaired = {.size = sizeof repaired};
    stamma_output no_write = {NULL, NULL, NULL};
    const stamma_archive_game *game;
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    uint64_t count;
    stamma_archive_counts counts;
    const stamma_archive_game textless = {.number = 1, .ply_count = 1};
    stamma_game *tree;
    for (size_t i = 0; i < ALLOCATORS + EXECUTORS; i++) {
        const stamma_allocator *allocator = i < ALLOCATORS ? &allocators[i] : NULL;
        const stamma_executor *executor = i < ALLOCATORS ? NULL : &executors[i - ALLOCATORS];
        stamma_archive_reader_options options = {.size = sizeof options, .allocator = allocator, .executor = executor};
        stamma_archive_verify_options verifying = {
            .size = sizeof verifying, .allocator = allocator, .executor = executor};
        BAD(stamma_archive_reader_open(opened, &options, &other));
        BAD(stamma_archive_reader_open_stream(&stream, &options, &other));
        BAD(stamma_archive_verify(opened, &verifying, &verdict));
        BAD(stamma_archive_verify_stream(&stream, &verifying, &verdict));
        stamma_archive_repair_options repairing = {
            .size = sizeof repairing, .allocator = allocator, .executor = executor};
        BAD(stamma_archive_repair(&bytes, &output, &repairing, &repaired));
    }
    BAD(stamma_archive_reader_open(NULL, NULL, &other));
    BAD(stamma_archive_reader_open(opened, NULL, NULL));
    BAD(stamma_archive_reader_open_stream(NULL, NULL, &other));
    BAD(stamma_archive_reader_open_stream(&none, NULL, &other));
    BAD(stamma_archive_reader_open_stream(&stream, NULL, NULL));
    unsigned major, minor;
    BAD(stamma_archive_format(NULL, 16, &major, &minor));
    BAD(stamma_archive_format("", 0, NULL, &minor));
    BAD(stamma_archive_format("", 0, &major, NULL));
    BAD(stamma_archive_repair(NULL, &output, NULL, &repaired));
    BAD(stamma_archive_repair(&no_bytes, &output, NULL, &repaired));
    BAD(stamma_archive_repair(&bytes, NULL, NULL, &repaired));
    BAD(stamma_archive_repair(&bytes, &no_write, NULL, &repaired));
    BAD(stamma_archive_repair(&bytes, &output, NULL, NULL));
    BAD(stamma_archive_verify(NULL, NULL, &verdict));
    BAD(stamma_archive_verify(opened, NULL, NULL));
    BAD(stamma_archive_verify_stream(NULL, NULL, &verdict));
    BAD(stamma_archive_verify_stream(&none, NULL, &verdict));
    BAD(stamma_archive_verify_stream(&stream, NULL, NULL));
    BAD(stamma_archive_reader_unpack(NULL, &no_write));
    BAD(stamma_archive_reader_unpack(reader, NULL));
    BAD(stamma_archive_reader_unpack(reader, &no_write));
    BAD(stamma_archive_reader_game_count(NULL, &count));
    BAD(stamma_archive_reader_game_count(reader, NULL));
    BAD(stamma_archive_reader_totals(NULL, &counts));
    BAD(stamma_archive_reader_totals(reader, NULL));
    BAD(stamma_archive_reader_sources(NULL, no_source, NULL));
    BAD(stamma_archive_reader_sources(reader, NULL, NULL));
    BAD(stamma_archive_reader_seek(NULL, 1));
    BAD(stamma_archive_reader_next(NULL, &game));
    BAD(stamma_archive_reader_next(reader, NULL));
    BAD(stamma_archive_reader_select(NULL, 0));
    assert_int_equal(stamma_game_open(NULL, &tree), STAMMA_OK);
    BAD(stamma_archive_game_read_tree(NULL, NULL, tree));
    BAD(stamma_archive_game_read_tree(&textless, NULL, tree));
    BAD(stamma_archive_game_read_tree(&textless, NULL, NULL));
    stamma_game_close(tree);
    assert_null(stamma_archive_game_tag(NULL, stamma_text_of("White")).data);
    assert_null(stamma_archive_game_tag(&textless, stamma_text_of(NULL)).data);
    BAD(stamma_archive_reader_select(reader, STAMMA_GAME_ALL + 1));
    BAD(stamma_archive_reader_info(NULL, NULL, NULL, 0, NULL, NULL));
    BAD(stamma_archive_reader_info(reader, NULL, NULL, 1, NULL, NULL));
    assert_int_equal(stamma_archive_reader_info(reader, NULL, NULL, 0, NULL, NULL), STAMMA_OK);
    stamma_archive_close(opened);
    close_reader(reader);
    free(archive.text);
}

static void predictions(void **state)
{
    (void)state;
    stamma_position position = stamma_position_start();
    stamma_move moves[1] = {STAMMA_MOVE_NULL};
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    uint32_t frequencies[1];
    size_t count;
    stamma_error works = stamma_predictor_id() ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
    BAD(stamma_predict(NULL, moves, 1, NULL, likely, &count));
    BAD(stamma_predict(&position, NULL, 1, NULL, likely, &count));
    BAD(stamma_predict(&position, moves, 1, NULL, NULL, &count));
    BAD(stamma_predict(&position, moves, 1, NULL, likely, NULL));
    assert_int_equal(stamma_predict(&position, NULL, 0, NULL, likely, &count), works);
    BAD(stamma_predict_game(NULL, moves, 1, NULL, frequencies));
    BAD(stamma_predict_game(&position, NULL, 1, NULL, frequencies));
    BAD(stamma_predict_game(&position, moves, 1, NULL, NULL));
    assert_int_equal(stamma_predict_game(&position, NULL, 0, NULL, NULL), works);
    BAD(stamma_predict_game_with(NULL, moves, 1, NULL, NULL, frequencies));
    BAD(stamma_predict_game_with(&position, NULL, 1, NULL, NULL, frequencies));
    BAD(stamma_predict_game_with(&position, moves, 1, NULL, NULL, NULL));
    assert_int_equal(stamma_predict_game_with(&position, NULL, 0, NULL, NULL, NULL), works);
}

/* Every function that can fail is called above, in null_answers_test.c or in null_curate_test.c. */
static void none_is_left_out(void **state)
{
    (void)state;
    static const char mark[] = "STAMMA_API stamma_error ";
    listing header = read_public_headers(), here = read_file("tests/unit/archive/null_test.c");
    listing there = read_file("tests/unit/duplicates/null_curate_test.c"),
            answers = read_file("tests/unit/answers/null_answers_test.c");
    size_t count = 0;
    assert_true(header.size > 0 && here.size > 0 && there.size > 0 && answers.size > 0);
    list_bytes(&here, there.text, there.size);
    list_bytes(&here, answers.text, answers.size);
    list_bytes(&here, "", 1);
    for (const char *at = header.text; (at = strstr(at, mark)) != NULL; count++) {
        char call[80];
        at += sizeof mark - 1;
        snprintf(call, sizeof call, "BAD(%.*s(", (int)strcspn(at, "("), at);
        if (!strstr(here.text, call))
            fail_msg("no %s...)", call);
    }
    assert_true(count > 50);
    free(header.text);
    free(here.text);
    free(there.text);
    free(answers.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions),       cmocka_unit_test(pgn_readers),
        cmocka_unit_test(pgn_writers),     cmocka_unit_test(games),
        cmocka_unit_test(codecs),          cmocka_unit_test(position_codecs),
        cmocka_unit_test(archive_writers), cmocka_unit_test(archives),
        cmocka_unit_test(archive_readers), cmocka_unit_test(archive_appenders),
        cmocka_unit_test(predictions),     cmocka_unit_test(none_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
