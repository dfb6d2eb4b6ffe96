/* SPDX-License-Identifier: MIT */
/* Writes the search columns: plain, or in streams that pack well (clauses 20.2 to 20.5). */
#include "block/block.h"

/* ---- plain ---- */

/* Adds `planes` arrays of `count` bytes. Returns NULL if `count` is 0, or if memory is exhausted. */
static uint8_t *add_planes(buffer *plain, size_t count, size_t planes)
{
    if (count == 0 || !buffer_reserve(plain, count * planes))
        return NULL;
    uint8_t *at = plain->data + plain->size;
    plain->size += count * planes;
    return at;
}

void stamma_search_signatures(const search_entry *entries, size_t count, buffer *plain)
{
    uint8_t *at = add_planes(plain, count, SIGNATURE_BYTES);
    for (size_t i = 0; at && i < count; i++, at++) {
        at[0] = (uint8_t)entries[i].home_pawns;
        at[count] = (uint8_t)(entries[i].home_pawns >> 8);
        at[2 * count] = entries[i].pawns;
        at[3 * count] = entries[i].pieces[STAMMA_WHITE];
        at[4 * count] = entries[i].pieces[STAMMA_BLACK];
    }
}

static void put_halves(uint8_t *at, size_t count, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[count] = (uint8_t)(value >> 8);
}

void stamma_search_facts(const search_entry *entries, size_t count, buffer *plain)
{
    uint8_t *at = add_planes(plain, count, FACTS_BYTES);
    for (size_t i = 0; at && i < count; i++, at++) {
        at[0] = entries[i].result;
        put_halves(at + count, count, entries[i].rating[STAMMA_WHITE]);
        put_halves(at + 3 * count, count, entries[i].rating[STAMMA_BLACK]);
        put_halves(at + 5 * count, count, entries[i].month);
    }
}

static uint16_t get_halves(const uint8_t *at, size_t count)
{
    return (uint16_t)(at[0] | at[count] << 8);
}

/* ---- packed ---- */

/* Return the low or the high four bits of White's byte, with the same bits of Black's byte above them. */
static uint8_t low_halves(unsigned white, unsigned black)
{
    return (uint8_t)((white & 15) | (black & 15) << 4);
}
static uint8_t high_halves(unsigned white, unsigned black)
{
    return (uint8_t)(white >> 4 | (black & 0xF0));
}

/* Subtracts each half of `b` from the same half of `a`. */
static uint8_t less_halves(unsigned a, unsigned b)
{
    return (uint8_t)(((a - b) & 15) | (((a & 0xF0) - (b & 0xF0)) & 0xF0));
}

static void add_signatures(const buffer *plain, buffer streams[SIGNATURE_STREAMS])
{
    size_t count = plain->size / SIGNATURE_BYTES;
    const uint8_t *at = plain->data;
    for (size_t i = 0; i < count; i++, at++) {
        uint8_t left = low_halves(at[0], at[count]), right = high_halves(at[0], at[count]);
        unsigned homes = home_counts(left, right);
        buffer *sorted = streams + HOME_SORTED + home_is_many(homes);
        buffer_add_byte(&streams[HOME_LEFT], left);
        buffer_add_byte(&streams[HOME_RIGHT], right);
        buffer_add_byte(&sorted[0], less_halves(at[2 * count], homes));
        buffer_add_byte(&sorted[2], low_halves(at[3 * count], at[4 * count]));
        buffer_add_byte(&sorted[4], high_halves(at[3 * count], at[4 * count]));
    }
}

/* Returns the distance to the last equal rating; 0 if there is none within RATING_DISTANCE. This number of ratings
 * before `ratings` can be read. */
static unsigned find_rating(const uint16_t *ratings)
{
    for (int d = 1; d <= RATING_DISTANCE; d++)
        if (ratings[-d] == ratings[0])
            return (unsigned)d;
    return 0;
}

static unsigned add_rating(const uint16_t *ratings, buffer streams[FACT_STREAMS])
{
    unsigned distance = find_rating(ratings);
    if (distance == 0) {
        buffer_add_byte(&streams[FACT_RATINGS], (uint8_t)(ratings[0] / RATING_STEP));
        buffer_add_byte(&streams[FACT_RATING_RESTS], (uint8_t)(ratings[0] % RATING_STEP));
    }
    return distance;
}

static void add_month(uint16_t last, uint16_t month, buffer streams[FACT_STREAMS])
{
    uint64_t folded = number_fold((int64_t)month - last);
    uint8_t far[2];
    buffer_add_byte(&streams[FACT_MONTHS], (uint8_t)(folded < FAR_MONTH ? folded : FAR_MONTH));
    if (folded < FAR_MONTH)
        return;
    store_u16(far, month);
    buffer_add(&streams[FACT_FAR_MONTHS], far, sizeof far);
}

static void add_results(const uint8_t *results, size_t count, buffer *stream)
{
    for (size_t i = 0; i < count; i += 4) {
        unsigned packed = 0;
        for (size_t k = i; k < i + 4 && k < count; k++)
            packed |= (unsigned)results[k] << 2 * (k - i);
        buffer_add_byte(stream, (uint8_t)packed);
    }
}

static void add_facts(const buffer *plain, buffer streams[FACT_STREAMS])
{
    size_t count = plain->size / FACTS_BYTES;
    const uint8_t *at = plain->data;
    uint16_t ratings[RATING_DISTANCE + 2] = {0}, *white = ratings + RATING_DISTANCE, last = 0;
    add_results(at, count, &streams[FACT_RESULTS]);
    for (size_t i = 0; i < count; i++, at++) {
        uint16_t month = get_halves(at + 5 * count, count);
        white[0] = get_halves(at + count, count);
        white[1] = get_halves(at + 3 * count, count);
        unsigned change = add_rating(white, streams) * (RATING_DISTANCE + 1);
        change = 2 * (change + add_rating(white + 1, streams)) + (month != last);
        buffer_add_byte(&streams[FACT_CHANGES], (uint8_t)change);
        if (month != last)
            add_month(last, month, streams);
        last = month;
        memmove(ratings, ratings + 2, RATING_DISTANCE * sizeof *ratings);
    }
}

stamma_error stamma_search_pack(byte_packer *coder, unsigned id, const buffer *plain, buffer *body, uint8_t *codec)
{
    enum { B = EFFORT_BYTES, R = 13 };
    static const int efforts[2][SEARCH_STREAMS] = {{B, B, B, B, B, B, B, B}, {B, R, R, R, R, R}};
    bool facts = id == COLUMN_FACTS;
    buffer streams[SEARCH_STREAMS];
    size_t begin = body->size;
    stamma_error error = STAMMA_OK;
    for (unsigned i = 0; i < SEARCH_STREAMS; i++)
        streams[i] = (buffer){.allocator = body->allocator};
    if (facts)
        add_facts(plain, streams);
    else
        add_signatures(plain, streams);
    for (unsigned i = 0; i < SEARCH_STREAMS; i++)
        if (streams[i].failed)
            error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        error = stamma_streams_pack(coder, streams, efforts[facts], facts ? FACT_STREAMS : SIGNATURE_STREAMS, body);
    for (unsigned i = 0; i < SEARCH_STREAMS; i++)
        stamma_buffer_release(&streams[i]);
    *codec = CODEC_SEARCH;
    if (error != STAMMA_OK || body->size - begin < plain->size)
        return error;
    *codec = CODEC_STORED;
    body->size = begin;
    buffer_add(body, plain->data, plain->size);
    return STAMMA_OK;
}
