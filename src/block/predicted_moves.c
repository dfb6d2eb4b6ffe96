/* SPDX-License-Identifier: MIT */
/* Reads columns of predicted moves, string by string (clause 16). The input is not trusted. */
#include <limits.h>
#include "block/predicted_moves.h"

#include <xxhash.h>

/* ---- shared by writer and reader ---- */

const char *const stamma_context_tags[CONTEXT_TAGS] = {"WhiteElo", "BlackElo", "TimeControl",
                                                       "Result",   "White",    "Black"};

uint32_t stamma_predicted_weight(uint32_t moves)
{
    enum { OPENING = 10, EARLY = 20, OPENING_BITS = 22, EARLY_BITS = 34, BITS = 46 };
    uint32_t opening = moves < OPENING ? moves : OPENING, early = moves < EARLY ? moves : EARLY;
    return 16 + OPENING_BITS * opening + EARLY_BITS * (early - opening) + BITS * (moves - early);
}

/* Returns the number of one to four digits; 0 for other text (clause 16.5). */
static uint16_t read_rating(stamma_text text)
{
    const unsigned number = stamma_rating_digits(text);
    return (uint16_t)(number == UINT_MAX ? 0 : number);
}

/* Returns the number of a result (clauses 5.5 and 16.5), which depends on the four words only. */
static stamma_result read_result(stamma_text text)
{
    const unsigned number = stamma_result_find(text);
    return number < RESULTS ? (stamma_result)number : STAMMA_RESULT_UNKNOWN;
}

stamma_game_context stamma_archive_game_context(const stamma_archive_game *game)
{
    stamma_game_context context = {.size = sizeof context};
    if (!game)
        return context;
    context.white_rating = read_rating(stamma_archive_game_tag(game, stamma_text_of("WhiteElo")));
    context.black_rating = read_rating(stamma_archive_game_tag(game, stamma_text_of("BlackElo")));
    context.time_control = stamma_archive_game_tag(game, stamma_text_of("TimeControl"));
    context.result = read_result(stamma_archive_game_tag(game, stamma_text_of("Result")));
    context.plies = (uint32_t)game->ply_count;
    return context;
}

predict_context stamma_predicted_context(const stamma_text values[CONTEXT_TAGS], uint32_t plies)
{
    return (predict_context){.ratings = {read_rating(values[CONTEXT_WHITE]), read_rating(values[CONTEXT_BLACK])},
                             .time = (uint8_t)stamma_predict_time(values[CONTEXT_TIME]),
                             .result = (uint8_t)read_result(values[CONTEXT_RESULT]),
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
    c->lanes.allocator = allocator;
}

void stamma_predicted_release(predicted_column *c)
{
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        stamma_buffer_release(&c->streams[n]);
    stamma_buffer_release(&c->lanes);
    memory_release(c->pairs.ends.allocator, c->learnt);
    stamma_pair_reader_release(&c->pairs);
}

/* Lists the weights of the strings, one for each record that has moves. Adds the number of moves to *sum. Returns false
 * if memory is exhausted. */
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

/* ---- lanes (17.2) ---- */

static moves_lane *lanes_of(const predicted_column *c)
{
    return (moves_lane *)(void *)c->lanes.data;
}

static size_t count_lanes(const predicted_column *c)
{
    return c->lanes.size / sizeof(moves_lane);
}

/* Returns where the lanes of a column with `moves` moves end. Reads it from the parameters in codec 11; it is invalid
 * if `least` is 0. */
static lane_end ends_of_lanes(unsigned codec, uint64_t moves, uint32_t group, cursor *parameters)
{
    const uint64_t share = moves / LANE_SHARES;
    if (codec == CODEC_HALVES) /* the second lane is the last */
        return (lane_end){.least = moves - moves / 2};
    if (codec == CODEC_LONG_LANES)
        return (lane_end){.least = share > LANE_MIN ? share : LANE_MIN};
    const uint64_t least = stamma_cursor_varint(parameters);
    return (lane_end){.least = parameters->failed || least < LANE_MIN ? 0 : least, .group = group};
}

/* Lists the lanes without their strings. Returns CORRUPT if the records do not have `moves` moves; NO_MEMORY. */
static stamma_error list_lanes(predicted_column *c, lane_end end, uint64_t moves, const uint32_t *counts,
                               size_t records)
{
    uint64_t before = 0;
    c->lanes.size = 0;
    for (size_t n = 0; n < records && before <= moves; before += counts[n++]) {
        if (counts[n] == 0)
            continue;
        if (lane_turns(&end, n, counts[n]) || count_lanes(c) == 0) {
            const moves_lane lane = {.first = n};
            buffer_add(&c->lanes, &lane, sizeof lane);
            if (c->lanes.failed)
                return STAMMA_ERROR_NO_MEMORY;
        }
        lanes_of(c)[count_lanes(c) - 1].records++;
    }
    const size_t half = (count_lanes(c) + 1) / 2;
    c->second = half < count_lanes(c) ? lanes_of(c)[half].first : records;
    return before == moves ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Sets the strings of the lanes of codec 5. Returns whether the column has exactly one string for each lane. */
static bool place_halves(predicted_column *c)
{
    for (size_t n = 0; n < 2; n++) {
        const buffer *string = &c->streams[HALVES_FIRST + n];
        if (n >= count_lanes(c) && string->size > 0)
            return false;
        if (n < count_lanes(c))
            lanes_of(c)[n].string = string->data, lanes_of(c)[n].end = string->data + string->size;
    }
    return true;
}

/* Sets the strings and the codes of the lanes of codecs 9 and 11. Returns whether their sizes add up to the sizes of
 * the streams. */
static bool place_lanes(predicted_column *c, cursor sizes, const buffer *all_codes)
{
    cursor strings = buffer_cursor(&c->streams[LANES_STRINGS]), codes = buffer_cursor(all_codes);
    for (size_t n = 0; n < count_lanes(c); n++) {
        moves_lane *lane = &lanes_of(c)[n];
        lane->string = cursor_take(&strings, cursor_varint(&sizes));
        lane->end = strings.at;
        lane->codes = cursor_take(&codes, cursor_varint(&sizes));
        lane->codes_end = codes.at;
        if (all_codes->size == 0) /* the cursor does not point into the column then */
            lane->codes = NULL;
    }
    return !sizes.failed && !strings.failed && !codes.failed && cursor_left(&sizes) == 0 &&
           cursor_left(&strings) == 0 && cursor_left(&codes) == 0;
}

/* Opens the column's lanes. `codes` contains the codes of all lanes. */
static stamma_error open_lanes(predicted_column *c, unsigned codec, uint64_t plain_size, const uint32_t *counts,
                               size_t records, const buffer *codes)
{
    cursor parameters = buffer_cursor(&c->streams[LANES_PARAMETERS]);
    const uint8_t *ids = cursor_take(&parameters, 16);
    if (!ids || (codec == CODEC_HALVES && cursor_left(&parameters) > 0))
        return STAMMA_ERROR_CORRUPT;
    if (!stamma_predict_weights() || load_u64(ids) != stamma_predict_weights_id ||
        load_u64(ids + 8) != stamma_second_weights_id)
        return STAMMA_ERROR_UNSUPPORTED;
    const lane_end end = ends_of_lanes(codec, plain_size, c->group, &parameters);
    stamma_error error = end.least > 0 ? list_lanes(c, end, plain_size, counts, records) : STAMMA_ERROR_CORRUPT;
    if (error != STAMMA_OK)
        return error;
    if (!(codec == CODEC_HALVES ? place_halves(c) : place_lanes(c, parameters, codes)))
        return STAMMA_ERROR_CORRUPT;
    if (!c->learnt)
        c->learnt = (adaptive *)memory_allocate(c->pairs.ends.allocator, sizeof *c->learnt);
    return c->learnt ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static const moves_lane *enter_lane(predicted_column *c)
{
    const moves_lane *lane = &lanes_of(c)[++c->lane]; /* from SIZE_MAX to the first */
    c->left = lane->records;
    c->passed = 0;
    c->dead = false;
    return lane;
}

/* Begins the next lane, and resets the adaptive model. */
static void begin_lane(predicted_column *c)
{
    const moves_lane *lane = enter_lane(c);
    stamma_range_decode_begin(&c->in, lane->string, (size_t)(lane->end - lane->string));
    stamma_adaptive_reset(c->learnt);
}

/* Returns the number of the last lane that begins at or before a record; 0 if there is none. */
static size_t lane_before(const predicted_column *c, uint64_t record)
{
    size_t low = 0, high = count_lanes(c);
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (lanes_of(c)[middle].first <= record)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t stamma_predicted_lane(const predicted_column *c, uint64_t record)
{
    if (!c->open || !c->adaptive || count_lanes(c) == 0)
        return record;
    const uint64_t first = lanes_of(c)[lane_before(c, record)].first;
    return first < record ? first : record;
}

bool stamma_predicted_is_alive(const predicted_column *c, uint64_t first)
{
    return !c->dead && c->lane < count_lanes(c) && lanes_of(c)[c->lane].first == first;
}

void stamma_predicted_keep(predicted_column *c, kept_state *k)
{
    state_keep(k, &c->string, sizeof c->string);
    state_keep(k, &c->lane, sizeof c->lane);
    state_keep(k, &c->left, sizeof c->left);
    c->dead |= k->restores;
}

void stamma_predicted_pass(predicted_column *c, uint64_t count, cursor *codes)
{
    c->begun = count > 0;
    c->as_codes = false;
    if (!c->begun)
        return;
    if (c->left == 0)
        enter_lane(c);
    c->dead = true;
    if (--c->left == 0 && lanes_of(c)[c->lane].codes)
        codes->at = lanes_of(c)[c->lane].codes_end;
}

stamma_error stamma_predicted_open(predicted_column *c, unsigned codec, byte_packer *coder, cursor stored,
                                   uint64_t plain_size, const uint32_t *counts, size_t records, buffer *codes)
{
    static const uint8_t all_streams[] = {
        [CODEC_PREDICTED] = PREDICTED_STREAMS,
        [CODEC_HALVES] = HALVES_STREAMS,
        [CODEC_LONG_LANES] = LANES_STREAMS,
        [CODEC_LANES] = LANES_STREAMS,
    };
    const size_t wanted = all_streams[codec]; /* the codes are last */
    size_t count = wanted;
    c->adaptive = codec_is_adaptive(codec);
    c->open = true;
    c->string = 0;
    c->lane = SIZE_MAX;
    c->left = 0;
    if (plain_size > (uint64_t)PREDICTED_RATIO_MAX * cursor_left(&stored))
        return STAMMA_ERROR_CORRUPT;
    stamma_error error = stamma_streams_unpack(coder, stored, (size_t)plain_size + 4096, c->streams, NULL, &count);
    if (error == STAMMA_OK && count != wanted)
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        buffer_add(codes, c->streams[wanted - 1].data, c->streams[wanted - 1].size);
    if (error != STAMMA_OK || codes->failed)
        return error == STAMMA_OK ? STAMMA_ERROR_NO_MEMORY : error;
    return c->adaptive ? open_lanes(c, codec, plain_size, counts, records, codes)
                       : open_pairs(c, plain_size, counts, records);
}

/* Returns the approximate number of bits of the lane's string that were read since the last call; after its last
 * record, the number of all remaining bits. The decoder reads ahead of its symbols, and reads zeros after the end of
 * the string. */
static size_t bits_passed(predicted_column *c)
{
    const range_decoder *d = &c->in;
    size_t ahead = c->left > 0 ? 1 + bits_last(d->range) : 0, read = 8 * (size_t)(d->at - d->begin), before = c->passed;
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
    if (c->adaptive && c->left == 0)
        begin_lane(c);
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
    c->left -= c->left > 0;
    c->dead = true;
}

bool stamma_predicted_end(predicted_column *c, const cursor *codes, size_t *bits)
{
    *bits = 0;
    if (!c->begun)
        return true;
    if (!c->adaptive)
        return stamma_range_decode_end_bits(&c->in, bits) && stamma_pair_reader_end(&c->pairs, c->string - 1, *bits);
    c->left--;
    *bits = bits_passed(c);
    const moves_lane *lane = &lanes_of(c)[c->lane];
    return c->left > 0 || (stamma_range_decode_is_exact(&c->in) && (!lane->codes || codes->at == lane->codes_end));
}
