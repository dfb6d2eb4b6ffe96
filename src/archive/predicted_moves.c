/* Columns of moves by the predictor: opening them, string by string (clause 15). Nothing that is read is trusted. */
#include "archive/predicted_moves.h"

#include <xxhash.h>

/* ---- what both sides know ---- */

const char *const stamma_context_tags[CONTEXT_TAGS] = {"WhiteElo", "BlackElo", "TimeControl",
                                                       "Result",   "White",    "Black"};

uint32_t stamma_predicted_weight(uint32_t moves)
{
    enum { OPENING = 10, EARLY = 20, OPENING_BITS = 22, EARLY_BITS = 34, BITS = 46 };
    uint32_t opening = moves < OPENING ? moves : OPENING, early = moves < EARLY ? moves : EARLY;
    return 16 + OPENING_BITS * opening + EARLY_BITS * (early - opening) + BITS * (moves - early);
}

/* Returns the number of one to four digits; 0 for other text (clause 15.5). */
static uint16_t read_rating(stamma_text text)
{
    const unsigned number = stamma_rating_digits(text);
    return (uint16_t)(number == UINT_MAX ? 0 : number);
}

stamma_game_context stamma_archive_game_context(const stamma_archive_game *game)
{
    stamma_game_context context = {.size = sizeof context};
    if (!game)
        return context;
    context.white_rating = read_rating(stamma_archive_game_tag(game, stamma_text_of("WhiteElo")));
    context.black_rating = read_rating(stamma_archive_game_tag(game, stamma_text_of("BlackElo")));
    context.time_control = stamma_archive_game_tag(game, stamma_text_of("TimeControl"));
    context.result = stamma_result_read(stamma_archive_game_tag(game, stamma_text_of("Result")));
    context.plies = (uint32_t)game->ply_count;
    return context;
}

predict_context stamma_predicted_context(const stamma_text values[CONTEXT_TAGS], uint32_t plies)
{
    return (predict_context){.ratings = {read_rating(values[CONTEXT_WHITE]), read_rating(values[CONTEXT_BLACK])},
                             .time = (uint8_t)stamma_predict_time(values[CONTEXT_TIME]),
                             .result = (uint8_t)stamma_result_read(values[CONTEXT_RESULT]),
                             .plies = plies};
}

uint64_t stamma_predicted_player(stamma_text name)
{
    return name.size > 0 ? XXH64(name.data, name.size, 0) : 0;
}

/* ---- reading ---- */

void stamma_predicted_init(predicted_column *c, const stamma_allocator *allocator)
{
    memset(c, 0, sizeof *c);
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        c->streams[n].allocator = allocator;
    stamma_pair_reader_init(&c->pairs, allocator);
}

void stamma_predicted_release(predicted_column *c)
{
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        stamma_buffer_release(&c->streams[n]);
    memory_release(c->pairs.ends.allocator, c->learnt);
    stamma_pair_reader_release(&c->pairs);
}

/* The weights of the strings, one for each record that has moves; false: no memory. *sum: of the moves. */
static bool list_weights(const uint32_t *counts, size_t records, buffer *weights, uint64_t *sum)
{
    if (!buffer_reserve(weights, size_multiply(records, sizeof(uint32_t))))
        return false;
    for (size_t n = 0; n < records; n++) {
        *sum += counts[n];
        if (counts[n] > 0) {
            ((uint32_t *)(void *)weights->data)[weights->size / sizeof(uint32_t)] = stamma_predicted_weight(counts[n]);
            weights->size += sizeof(uint32_t);
        }
    }
    return true;
}

static stamma_error open_pairs(predicted_column *c, uint64_t plain_size, const uint32_t *counts, size_t records)
{
    cursor parameters = buffer_cursor(&c->streams[PAIR_PARAMETERS]);
    buffer weights = {.allocator = c->pairs.ends.allocator};
    uint64_t sum = 0;
    const uint8_t *id = cursor_take(&parameters, 8);
    if (!id)
        return STAMMA_ERROR_CORRUPT;
    if (!stamma_predict_weights() || load_u64(id) != stamma_predict_weights_id)
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_error error = list_weights(counts, records, &weights, &sum) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && sum != plain_size)
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = stamma_pair_reader_open(&c->pairs, (const uint32_t *)(const void *)weights.data,
                                        weights.size / sizeof(uint32_t), parameters, c->streams);
    stamma_buffer_release(&weights);
    return error;
}

/* Begins a lane, with nothing learnt. */
static void begin_lane(predicted_column *c, unsigned lane)
{
    const buffer *string = &c->streams[ADAPTIVE_STRINGS + lane];
    c->lane = lane;
    c->passed = 0;
    c->dead = false;
    stamma_range_decode_begin(&c->in, string->data, string->size);
    stamma_adaptive_reset(c->learnt);
}

void stamma_predicted_turn(predicted_column *c)
{
    begin_lane(c, 1);
}

/* Counts the records of each lane. Returns the moves of both. */
static uint64_t count_lanes(predicted_column *c, uint64_t plain_size, const uint32_t *counts, size_t records)
{
    uint64_t before = 0;
    c->left[0] = c->left[1] = 0;
    c->second = records;
    for (size_t n = 0; n < records; before += counts[n++]) {
        bool second = before <= plain_size && is_second_lane(before, plain_size);
        c->left[second] += counts[n] > 0;
        if (second && c->second == records)
            c->second = n;
    }
    return before;
}

/* The strings of codec 5. */
static stamma_error open_lanes(predicted_column *c, uint64_t plain_size, const uint32_t *counts, size_t records)
{
    cursor parameters = buffer_cursor(&c->streams[ADAPTIVE_PARAMETERS]);
    const uint8_t *ids = cursor_take(&parameters, 16);
    if (!ids || cursor_left(&parameters) > 0)
        return STAMMA_ERROR_CORRUPT;
    if (!stamma_predict_weights() || load_u64(ids) != stamma_predict_weights_id ||
        load_u64(ids + 8) != stamma_second_weights_id)
        return STAMMA_ERROR_UNSUPPORTED;
    if (count_lanes(c, plain_size, counts, records) != plain_size ||
        (c->left[1] == 0 && c->streams[ADAPTIVE_STRINGS + 1].size > 0))
        return STAMMA_ERROR_CORRUPT;
    if (!c->learnt)
        c->learnt = (adaptive *)memory_allocate(c->pairs.ends.allocator, sizeof *c->learnt);
    if (!c->learnt)
        return STAMMA_ERROR_NO_MEMORY;
    begin_lane(c, 0);
    return STAMMA_OK;
}

stamma_error stamma_predicted_open(predicted_column *c, unsigned codec, byte_packer *coder, cursor stored,
                                   uint64_t plain_size, const uint32_t *counts, size_t records, buffer *codes)
{
    c->adaptive = codec == CODEC_ADAPTIVE;
    size_t wanted = c->adaptive ? ADAPTIVE_STREAMS : PREDICTED_STREAMS, count = wanted;
    const buffer *in_codes = &c->streams[c->adaptive ? ADAPTIVE_CODES : PREDICTED_CODES];
    c->open = true;
    c->string = 0;
    if (plain_size > (uint64_t)PREDICTED_RATIO_MAX * cursor_left(&stored))
        return STAMMA_ERROR_CORRUPT;
    stamma_error error = stamma_streams_unpack(coder, stored, (size_t)plain_size + 4096, c->streams, NULL, &count);
    if (error == STAMMA_OK && count != wanted)
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = (c->adaptive ? open_lanes : open_pairs)(c, plain_size, counts, records);
    if (error == STAMMA_OK)
        buffer_add(codes, in_codes->data, in_codes->size);
    return error == STAMMA_OK && codes->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Returns about how many more bits of the lane's string were read; after its last record, the number of all remaining
 * bits. The decoder reads ahead of its symbols, and reads zeros after the end of the string. */
static size_t bits_passed(predicted_column *c)
{
    const range_decoder *d = &c->in;
    size_t ahead = c->left[c->lane] > 0 ? 1 + bits_last(d->range) : 0, read = 8 * (size_t)(d->at - d->begin),
           before = c->passed;
    if (read > before + ahead)
        c->passed = read - ahead;
    return c->passed - before;
}

stamma_error stamma_predicted_begin(predicted_column *c, uint64_t count)
{
    size_t size;
    c->begun = count > 0;
    c->as_codes = false;
    if (!c->begun)
        return STAMMA_OK;
    if (c->adaptive && c->lane == 0 && c->left[0] == 0)
        stamma_predicted_turn(c);
    if (c->adaptive && c->dead)
        return STAMMA_OK;
    if (!c->adaptive) {
        const uint8_t *bytes = stamma_pair_reader_string(&c->pairs, c->string++, &size);
        if (!bytes)
            return STAMMA_ERROR_NO_MEMORY;
        stamma_range_decode_begin(&c->in, bytes, size);
    }
    const uint32_t last = PREDICT_TOTAL - 1;
    c->as_codes = range_decode_target(&c->in, PREDICT_BITS) == last;
    range_decode_pass(&c->in, c->as_codes ? last : 0, c->as_codes ? 1 : last, PREDICT_BITS);
    return STAMMA_OK;
}

void stamma_predicted_lose(predicted_column *c)
{
    if (!c->adaptive)
        return;
    c->left[c->lane] -= c->left[c->lane] > 0;
    c->dead = true;
}

bool stamma_predicted_end(predicted_column *c, size_t *bits)
{
    *bits = 0;
    if (!c->begun)
        return true;
    if (!c->adaptive)
        return stamma_range_decode_end_bits(&c->in, bits) && stamma_pair_reader_end(&c->pairs, c->string - 1, *bits);
    c->left[c->lane]--;
    *bits = bits_passed(c);
    return c->left[c->lane] > 0 || stamma_range_decode_is_exact(&c->in);
}
