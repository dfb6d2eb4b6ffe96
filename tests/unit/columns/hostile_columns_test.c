/* SPDX-License-Identifier: MIT */
/* Tests blocks in which one column has other bytes and a valid checksum. The block decodes to its text or is CORRUPT.
 * An error that occurs when records are skipped or only parts are read also occurs when the complete block is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "changed_block.h"
#include "columns/columns.h"
#include "game_texts.h"
#include "passed_games.h"

/* ---- batches of its games ---- */

/* Arrow batches of the block's games from `first` on. */
typedef struct stream {
    columns_plan plan;
    columns_job job;
    search_limits limits;
} stream;

enum { STREAMS = 4 };

static stream streams[STREAMS];
static uint64_t last_game;

static const struct {
    stamma_table table;
    const char *columns[2];
    bool only_last; /* game */
} of_streams[STREAMS] = {{STAMMA_TABLE_GAMES, {"white", "eco"}, true},
                         {STAMMA_TABLE_GAMES, {"text", "kept_as_text"}, true},
                         {STAMMA_TABLE_GAMES, {"comments", "nags"}, false},
                         {STAMMA_TABLE_POSITIONS, {"move_index", "result"}, false}};

static void open_stream(const changed_block *f, unsigned n)
{
    stream *s = &streams[n];
    stamma_text columns[2];
    const stamma_search_options options = {.size = sizeof options};
    for (unsigned i = 0; i < 2; i++)
        columns[i] = stamma_text_of(of_streams[n].columns[i]);
    s->plan = (columns_plan){
        .allocator = f->allocator,
        .options = {
            .table = of_streams[n].table, .columns = columns, .column_count = 2, .batch_rows = 1 << 20, .shuffle = 9}};
    assert_int_equal(stamma_columns_plan_make(&s->plan, NULL, NULL, NULL), STAMMA_OK);
    assert_true(stamma_columns_job_init(&s->job, &s->plan));
    stamma_search_limits_init(&s->limits, &options);
    s->job.limits = &s->limits;
    s->job.first = of_streams[n].only_last ? last_game : 1;
    s->job.last = UINT64_MAX;
}

static changed_block *new_block(int level, listing text)
{
    changed_block *f = new_changed_block(level, text);
    assert_int_equal(
        stamma_block_reader_load(&f->reader, f->job.payload.data, f->job.payload.size, f->job.frame.head_size),
        STAMMA_OK);
    last_game = f->reader.head.counts.games;
    for (unsigned n = 0; n < STREAMS; n++)
        open_stream(f, n);
    return f;
}

static void release_block(changed_block *f)
{
    for (unsigned n = 0; n < STREAMS; n++) {
        stamma_columns_job_release(&streams[n].job);
        stamma_columns_plan_release(&streams[n].plan);
    }
    release_changed_block(f);
}

/* Makes the Arrow batches of a stream. */
static stamma_error run_stream(const changed_block *f, stream *s)
{
    const buffer *p = &f->job.payload;
    s->job.at = (found_block){.payload = p->data,
                              .size = p->size,
                              .head_size = f->job.frame.head_size,
                              .games = last_game,
                              .text_size = f->text.size};
    stamma_columns_job_begin(&s->job);
    stamma_columns_job_run(&s->job);
    assert_true(s->job.ended);
    return s->job.error;
}

/* ---- reading it ---- */

static stamma_error open_block(changed_block *f, unsigned parts)
{
    const buffer *p = &f->job.payload;
    stamma_block_reader_select(&f->reader, parts);
    return stamma_block_reader_load(&f->reader, p->data, p->size, f->job.frame.head_size);
}

/* Reads all records with some of their parts. */
static stamma_error read_parts(changed_block *f, unsigned parts)
{
    block_reader *b = &f->reader;
    stamma_error error = open_block(f, parts);
    while (error == STAMMA_OK && b->state.next < b->head.records)
        error = stamma_block_reader_next(b, false);
    return error == STAMMA_OK && !stamma_block_reader_is_done(b) ? STAMMA_ERROR_CORRUPT : error;
}

/* Skips all records, `together` or one by one. */
static stamma_error skip_records(changed_block *f, bool together)
{
    uint64_t games;
    block_reader *b = &f->reader;
    stamma_error error = open_block(f, STAMMA_GAME_ALL);
    if (error == STAMMA_OK && together && stamma_block_reader_can_pass(b))
        error = stamma_block_reader_pass(b, b->head.records, &games);
    while (error == STAMMA_OK && b->state.next < b->head.records)
        error = stamma_block_reader_next(b, true);
    return error == STAMMA_OK && !stamma_block_reader_is_done(b) ? STAMMA_ERROR_CORRUPT : error;
}

/* Reads the block in each way. Returns the error of its text. */
static stamma_error read_block(changed_block *f, const char *what, size_t column, size_t at)
{
    static const unsigned parts[] = {STAMMA_GAME_TAGS,
                                     STAMMA_GAME_MOVES,
                                     STAMMA_GAME_COMMENTS,
                                     STAMMA_GAME_NAGS,
                                     STAMMA_GAME_RESULT | STAMMA_GAME_CLOCKS,
                                     STAMMA_GAME_VARIATIONS};
    enum { PARTS = sizeof parts / sizeof *parts };
    f->job.work = UNPACK_TEXT;
    stamma_unpack_job_run(&f->job);
    const stamma_error error = f->job.error;
    if (error == STAMMA_OK &&
        (f->job.text.size != f->text.size || memcmp(f->job.text.data, f->text.text, f->text.size) != 0))
        fail_msg("%s of column %zu at %zu: another text", what, column, at);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED);
    for (size_t way = 0; way < PARTS + 2 + STREAMS; way++) {
        const stamma_error other = way < PARTS       ? read_parts(f, parts[way])
                                   : way < PARTS + 2 ? skip_records(f, way == PARTS)
                                                     : run_stream(f, &streams[way - PARTS - 2]);
        const bool allowed = other == STAMMA_OK || (error != STAMMA_OK && other == STAMMA_ERROR_CORRUPT) ||
                             (error == STAMMA_ERROR_UNSUPPORTED && other == error);
        if (!allowed)
            fail_msg("%s of column %zu at %zu: error %d in way %zu, and %d of the text", what, column, at, (int)other,
                     way, (int)error);
    }
    return error;
}

/* ---- other bytes ---- */

static void read_changed(changed_block *f, const char *what, size_t column, size_t at)
{
    make_payload(f);
    (void)read_block(f, what, column, at);
}

/* Replaces a byte with other values: the ends of the range, of numbers of one byte and of small numbers, and the byte
 * with its upper half increased by one. */
static void replace_byte(changed_block *f, size_t column, size_t at)
{
    uint8_t *byte = &f->columns[column].bytes.data[at], before = *byte;
    const uint8_t values[] = {0, 1, 2, 15, 16, 127, 128, 255, (uint8_t)(before + 16)};
    for (size_t n = 0; n < sizeof values; n++) {
        *byte = values[n];
        if (*byte != before)
            read_changed(f, "another byte", column, at);
    }
    *byte = before;
}

/* Replaces bytes by a large number. */
static void replace_number(changed_block *f, size_t column, size_t at)
{
    static const uint8_t numbers[][5] = {{255, 255, 255, 255, 127}, {255, 255, 255, 127, 0}, {255, 255, 127, 0, 0}};
    uint8_t *bytes = &f->columns[column].bytes.data[at], before[5];
    memcpy(before, bytes, sizeof before);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        memcpy(bytes, numbers[n], 5 - n);
        read_changed(f, "a large number", column, at);
        memcpy(bytes, before, sizeof before);
    }
}

static void change_size(changed_block *f, size_t column)
{
    buffer *bytes = &f->columns[column].bytes;
    const size_t size = bytes->size, sizes[] = {0, size / 2, size - 1};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        bytes->size = sizes[n];
        read_changed(f, "fewer bytes", column, bytes->size);
    }
    bytes->size = size;
    for (unsigned last = 0; last < 256; last += 51) {
        buffer_add_byte(bytes, (uint8_t)last);
        read_changed(f, "a byte more", column, last);
        bytes->size = size;
    }
}

/* Changes the first bytes of each column, and up to `most` other bytes. */
static void change_columns(changed_block *f, size_t first, size_t most)
{
    assert_int_equal(read_block(f, "nothing", 0, 0), STAMMA_OK);
    for (size_t column = 0; column < f->count; column++) {
        const size_t size = f->columns[column].bytes.size;
        change_size(f, column);
        for (size_t n = 0; n < first + most && n < size; n++) {
            const size_t at = n < first || size <= first + most ? n : (size_t)random_below(size);
            replace_byte(f, column, at);
            if (size - at >= 5)
                replace_number(f, column, at);
        }
    }
    make_payload(f);
    assert_int_equal(read_block(f, "nothing any more", 0, 0), STAMMA_OK);
    for (unsigned n = 0; n < STREAMS; n++) {
        const uint64_t first = streams[n].job.first;
        streams[n].job.first = last_game + 1;
        assert_int_equal(run_stream(f, &streams[n]), STAMMA_OK);
        assert_int_equal(job_batches(&streams[n].job), 0);
        streams[n].job.first = first;
    }
}

/* ---- blocks ---- */

/* Few games: columns are short. */
static void games_of_styles(void **state)
{
    (void)state;
    changed_block *f;
    listing text = {0};
    for (unsigned n = 0; n < 10; n++)
        list_game(&text, &text_styles[2 * n % 13]);
    list_word(&text, "[Event \"x\"]\n[White \"A\"]\n\n{a} 1. e4 {Nf6 Nc3 d5} e5?! $3 (1... c5 (1... c6 2. d4) 2. Nf3) "
                     "2. Nf3 <odd> Nc6 1-0 ; end\n\n% escaped\n[A \"b\"]\n[White \"B\"]\n\n*\n");
    f = new_block(1, text);
    change_columns(f, 12, 4);
    release_block(f);
}

/* Comments as fields, common beginnings, and values of tags that are derived from other values. */
static void games_of_sites(void **state)
{
    (void)state;
    changed_block *f;
    listing text = {0};
    list_passed_games(&text, 150);
    f = new_block(1, text);
    change_columns(f, 2, 1);
    release_block(f);
}

/* ---- columns that no writer makes ---- */

/* Inserts events at the start of the first record, and numbers of moves. */
static stamma_error read_with_events(changed_block *f, stamma_text events, stamma_text counts)
{
    insert_bytes(f, COLUMN_EVENTS, events.data, events.size);
    insert_bytes(f, COLUMN_EVENT_COUNTS, counts.data, counts.size);
    make_payload(f);
    const stamma_error error = read_block(f, "more events", 0, 0);
    remove_bytes(f, COLUMN_EVENTS, events.size);
    remove_bytes(f, COLUMN_EVENT_COUNTS, counts.size);
    make_payload(f);
    return error;
}

/* PIECE_ITEMS_MAX less the 15 moves of an event, as a number. */
#define MOST "\xF1\xFF\x0F"
#define TEXT(literal) ((stamma_text){literal, sizeof(literal) - 1})

static void too_many_moves(void **state)
{
    (void)state;
    changed_block *f;
    listing text = {0};
    list_passed_games(&text, 150);
    f = new_block(1, text);
    assert_int_equal(find_column(f, COLUMN_MOVES)->entry.codec, CODEC_PREFIXES);
    assert_int_equal(read_with_events(f, TEXT("\xF4\xF4"), TEXT(MOST MOST)), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_with_events(f, TEXT("\x09\xF4\xFA"), TEXT(MOST MOST)), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_block(f, "nothing any more", 0, 0), STAMMA_OK);
    release_block(f);
}

/* The number of moves of the first record is the maximum number of items, and it has other items, too. */
static void too_many_items(void **state)
{
    (void)state;
    changed_block *f;
    listing text = {0};
    list_word(&text, "[White \"A\"]\n\n1. e4 {a} e5 2. Nf3 $1 *\n");
    f = new_block(1, text);
    buffer counts = {.allocator = &f->allocator};
    stamma_buffer_add_varint(&counts, PIECE_ITEMS_MAX - 15 - 3);
    insert_bytes(f, COLUMN_EVENTS, "\xF7", 1); /* a NAG after these moves */
    insert_bytes(f, COLUMN_NAGS, "\1", 1);
    block_column *sizes = &f->columns[f->count++];
    *sizes = (block_column){.entry = {.id = COLUMN_EVENT_COUNTS, .flags = ENTRY_MANDATORY}, .bytes = counts};
    for (; sizes > f->columns && sizes[-1].entry.id > COLUMN_EVENT_COUNTS; sizes--) {
        const block_column before = sizes[-1];
        sizes[-1] = sizes[0];
        sizes[0] = before;
    }
    make_payload(f);
    assert_int_equal(read_parts(f, STAMMA_GAME_MOVES), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_parts(f, STAMMA_GAME_NAGS), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_parts(f, STAMMA_GAME_TAGS | STAMMA_GAME_NAGS), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_block(f, "more moves", 0, 0), STAMMA_ERROR_CORRUPT);
    release_block(f);
}

/* A variation in a game without a start position. */
static void moves_without_a_start(void **state)
{
    (void)state;
    changed_block *f;
    listing text = {0};
    list_word(&text, "[FEN \"bad\"]\n\n{a} *\n\n1. e4 (1. d4) e5 *\n");
    f = new_block(1, text);
    assert_int_equal(read_block(f, "nothing", 0, 0), STAMMA_OK);
    insert_bytes(f, COLUMN_EVENTS, "\x09\x1A", 2); /* a variation of a move */
    insert_bytes(f, COLUMN_VARIATION_MOVES, "\0", 1);
    make_payload(f);
    assert_int_equal(read_block(f, "a variation", 0, 0), STAMMA_ERROR_CORRUPT);
    release_block(f);
}

static void too_many_rosters(void **state)
{
    (void)state;
    static const uint8_t zeros[ROSTERS_MAX + 1];
    changed_block *f;
    listing text = {0};
    for (unsigned n = 0; n < 10; n++)
        list_game(&text, &text_styles[0]);
    f = new_block(1, text);
    buffer *rosters = &find_column(f, COLUMN_ROSTER_LIST)->bytes;
    rosters->size = 0;
    buffer_add(rosters, zeros, ROSTERS_MAX);
    make_payload(f);
    assert_int_equal(open_block(f, STAMMA_GAME_ALL), STAMMA_OK);
    buffer_add_byte(rosters, 0);
    make_payload(f);
    assert_int_equal(open_block(f, STAMMA_GAME_ALL), STAMMA_ERROR_CORRUPT);
    release_block(f);
}

static void layout_of_no_slot(void **state)
{
    (void)state;
    changed_block *f;
    listing text = {0};
    for (unsigned n = 0; n < 10; n++)
        list_word(&text, "1. e4 e5 2. Nf3 Nc6 *\n\n");
    list_word(&text, "1. e4 e5   2. Nf3  Nc6    *\n\n");
    f = new_block(1, text);
    change_columns(f, 20, 0);
    buffer *layout = &find_column(f, COLUMN_LAYOUT)->bytes;
    layout->size = 0;
    buffer_add(layout, "\2\x80\x80\x20\0\1\0", 7); /* the last valid slot, and the slot after it */
    make_payload(f);
    assert_int_equal(read_block(f, "a slot", 0, 0), STAMMA_ERROR_CORRUPT);
    release_block(f);
}

/* ---- openings ---- */

/* The moves of all records, to be stored again. */
typedef struct stored_moves {
    buffer codes;
    pair_writer pairs; /* strings of codec 4 */
} stored_moves;

static void add_codes(stored_moves *to, const stamma_move *moves, uint32_t count)
{
    stamma_position position = stamma_position_start();
    for (uint32_t n = 0; n < count; n++) {
        uint8_t code;
        assert_int_equal(stamma_byte_encode(&position, moves[n], &code), STAMMA_OK);
        stamma_position_make(&position, moves[n], &position);
        buffer_add_byte(&to->codes, code);
    }
}

/* Adds the string of a record for which `said` moves are predicted. */
static void add_string(stored_moves *to, const stamma_move *moves, uint32_t count, uint32_t said)
{
    const stamma_position start = stamma_position_start();
    const stamma_text none[CONTEXT_TAGS] = {{NULL, 0}};
    const predict_context context = stamma_predicted_context(none, said);
    buffer string = {.allocator = to->codes.allocator};
    move_coder coder;
    range_encoder e;
    stamma_range_encode_begin(&e, &string);
    stamma_range_encode(&e, 0, PREDICT_TOTAL - 1, PREDICT_BITS); /* moves follow */
    stamma_move_coder_begin(&coder, stamma_predict_weights(), &context, &start);
    for (uint32_t n = 0; n < count; n++)
        assert_true(stamma_move_encode(&coder, moves[n], &e));
    const size_t bits = stamma_range_encode_end_bits(&e);
    stamma_pair_writer_add(&to->pairs, string.data, bits, stamma_predicted_weight(said));
    stamma_buffer_release(&string);
}

static void end_strings(stored_moves *m, buffer *stored)
{
    static const int efforts[PREDICTED_STREAMS] = {0};
    byte_packer coder = {.partial = false};
    buffer streams[PREDICTED_STREAMS];
    uint8_t id[8];
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        streams[n] = (buffer){.allocator = m->codes.allocator};
    store_u64(id, stamma_predict_weights_id);
    buffer_add(&streams[PAIR_PARAMETERS], id, sizeof id);
    assert_int_equal(
        stamma_pair_writer_end(&m->pairs, &streams[PAIR_PARAMETERS], &streams[PAIR_SYMBOLS], &streams[PAIR_BITS]),
        STAMMA_OK);
    buffer_add(&streams[PAIR_AREAS], m->pairs.areas.data, m->pairs.areas.size);
    stored->size = 0;
    assert_int_equal(stamma_streams_pack(&coder, streams, efforts, PREDICTED_STREAMS, stored), STAMMA_OK);
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        stamma_buffer_release(&streams[n]);
    stamma_byte_packer_release(&coder);
}

/* Stores the moves as codes, or predicted. The first record is stored as having `more` additional moves. */
static void store_moves(changed_block *f, unsigned codec, uint32_t more)
{
    block_reader *b = &f->reader;
    block_column *moves = find_column(f, COLUMN_MOVES);
    stored_moves m = {.codes.allocator = &f->allocator};
    stamma_pair_writer_init(&m.pairs, &f->allocator);
    assert_int_equal(open_block(f, STAMMA_GAME_ALL), STAMMA_OK);
    while (b->state.next < b->head.records) {
        const uint32_t added = b->state.next == 0 ? more : 0;
        assert_int_equal(stamma_block_reader_next(b, false), STAMMA_OK);
        const uint32_t count = b->state.record.plies;
        add_codes(&m, block_main_line(b), count);
        if (codec == CODEC_PREDICTED)
            add_string(&m, block_main_line(b), count, count + added);
    }
    moves->entry.codec = (uint8_t)codec;
    moves->entry.plain_size = m.codes.size + more;
    if (codec == CODEC_PREDICTED)
        end_strings(&m, &moves->bytes);
    else {
        moves->bytes.size = 0;
        buffer_add(&moves->bytes, m.codes.data, m.codes.size);
    }
    stamma_pair_writer_release(&m.pairs);
    stamma_buffer_release(&m.codes);
    find_column(f, COLUMN_EVENTS)->bytes.data[0] += (uint8_t)(more << 4);
    make_payload(f);
}

static void games_of_openings(void **state)
{
    (void)state;
    changed_block *f;
    listing text = {0};
    list_named_openings(&text, 60);
    f = new_block(1, text);
    change_columns(f, 8, 0);
    store_moves(f, CODEC_STORED, 0);
    assert_true(f->reader.columns.tags.openings);
    change_columns(f, 8, 0);
    release_block(f);
}

/* After mate there is no move to predict. If only tags are read, the moves of the opening are still decoded. */
static void openings_after_mate(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        skip();
    changed_block *f;
    listing text = {0};
    list_named_openings(&text, 60);
    f = new_block(1, text);
    store_moves(f, CODEC_PREDICTED, 0);
    assert_int_equal(read_block(f, "predicted moves", 0, 0), STAMMA_OK);
    store_moves(f, CODEC_PREDICTED, 1);
    assert_int_equal(open_block(f, STAMMA_GAME_TAGS), STAMMA_OK);
    assert_int_equal(stamma_block_reader_next(&f->reader, false), STAMMA_ERROR_CORRUPT);
    assert_int_equal(read_block(f, "a move after mate", 0, 0), STAMMA_ERROR_CORRUPT);
    release_block(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_styles),       cmocka_unit_test(games_of_sites),
        cmocka_unit_test(too_many_moves),        cmocka_unit_test(too_many_items),
        cmocka_unit_test(moves_without_a_start), cmocka_unit_test(too_many_rosters),
        cmocka_unit_test(layout_of_no_slot),     cmocka_unit_test(games_of_openings),
        cmocka_unit_test(openings_after_mate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
