/* SPDX-License-Identifier: MIT */
/* Reads the search columns of a block into arrays (clause 20). The input is not trusted. Every search reads all search
 * columns of an archive; therefore reading them must be fast, a fraction of a millisecond per block. */
#include "block/block.h"

void stamma_search_columns_init(search_columns *s, const stamma_allocator *allocator)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < SEARCH_STREAMS; i++)
        s->streams[i].allocator = allocator;
    s->work.allocator = s->arrays[0].allocator = s->arrays[1].allocator = allocator;
}

void stamma_search_columns_trim(search_columns *s)
{
    for (unsigned i = 0; i < SEARCH_STREAMS; i++)
        stamma_buffer_release(&s->streams[i]);
    stamma_buffer_release(&s->work);
    stamma_byte_packer_release(&s->coder);
}

void stamma_search_columns_release(search_columns *s)
{
    stamma_search_columns_trim(s);
    for (unsigned i = 0; i < 2; i++)
        stamma_buffer_release(&s->arrays[i]);
}

/* ---- arrays ---- */

/* Allocates `count` arrays with `bytes` bytes for each record, followed by zeros. */
static bool make_arrays(buffer *arrays, size_t records, size_t bytes, size_t count)
{
    arrays->size = 0;
    size_t size = records * bytes + count * (2 * SEARCH_PADDING);
    if (!buffer_reserve(arrays, size))
        return false;
    arrays->size = size;
    return true;
}

/* Returns the next array in the allocated memory, after the first *at bytes, which are used. */
static void *take_array(buffer *arrays, size_t *at, size_t size)
{
    uint8_t *array = arrays->data + *at;
    memset(array + size, 0, SEARCH_PADDING);
    *at += (size + 2 * SEARCH_PADDING - 1) / SEARCH_PADDING * SEARCH_PADDING;
    return array;
}

/* The arrays while they are filled. */
typedef struct signature_arrays {
    uint16_t *home_pawns;
    uint8_t *pawns, *pieces[2];
} signature_arrays;

typedef struct fact_arrays {
    uint8_t *result;
    uint16_t *rating[2], *month;
} fact_arrays;

static bool make_signatures(search_columns *s, signature_arrays *a)
{
    size_t n = s->records, at = 0;
    buffer *room = &s->arrays[0];
    if (!make_arrays(room, n, SIGNATURE_BYTES, 4))
        return false;
    s->home_pawns = a->home_pawns = (uint16_t *)take_array(room, &at, n * sizeof(uint16_t));
    s->pawns = a->pawns = (uint8_t *)take_array(room, &at, n);
    for (unsigned color = 0; color < 2; color++)
        s->pieces[color] = a->pieces[color] = (uint8_t *)take_array(room, &at, n);
    return true;
}

static bool make_facts(search_columns *s, fact_arrays *a)
{
    size_t n = s->records, at = 0;
    buffer *room = &s->arrays[1];
    if (!make_arrays(room, n, FACTS_BYTES, 4))
        return false;
    s->result = a->result = (uint8_t *)take_array(room, &at, n);
    for (unsigned color = 0; color < 2; color++)
        s->rating[color] = a->rating[color] = (uint16_t *)take_array(room, &at, n * sizeof(uint16_t));
    s->month = a->month = (uint16_t *)take_array(room, &at, n * sizeof(uint16_t));
    return true;
}

/* ---- plain columns (20.2, 20.4) ---- */

static void join_halves(const uint8_t *low, size_t count, uint16_t *array)
{
    for (size_t i = 0; i < count; i++)
        array[i] = (uint16_t)(low[i] | low[count + i] << 8);
}

static void read_plain_signatures(const uint8_t *plain, size_t n, const signature_arrays *a)
{
    join_halves(plain, n, a->home_pawns);
    memcpy(a->pawns, plain + 2 * n, n);
    memcpy(a->pieces[STAMMA_WHITE], plain + 3 * n, n);
    memcpy(a->pieces[STAMMA_BLACK], plain + 4 * n, n);
}

/* Reads plain facts. Returns whether all values are valid. */
static bool read_plain_facts(const uint8_t *plain, size_t n, const fact_arrays *a)
{
    unsigned results = 0, ratings = 0;
    memcpy(a->result, plain, n);
    join_halves(plain + n, n, a->rating[STAMMA_WHITE]);
    join_halves(plain + 3 * n, n, a->rating[STAMMA_BLACK]);
    join_halves(plain + 5 * n, n, a->month);
    for (size_t i = 0; i < n; i++) {
        results |= a->result[i];
        ratings |= a->rating[STAMMA_WHITE][i] | a->rating[STAMMA_BLACK][i];
    }
    return results <= SEARCH_OTHER_RESULT && ratings <= SEARCH_ODD_RATING;
}

/* ---- streams (20.3, 20.5) ---- */

/* Joins the home pawns of the two halves of the board, and stores the number of home pawns of each side. */
static void join_home_pawns(const uint8_t *left, const uint8_t *right, size_t n, uint16_t *home_pawns, uint8_t *homes)
{
    for (size_t i = 0; i < n; i++) {
        unsigned l = left[i], r = right[i], white = (l & 15) | (r & 15) << 4, black = l >> 4 | (r & 0xF0);
        home_pawns[i] = (uint16_t)(white | black << 8);
        homes[i] = (uint8_t)home_counts(left[i], right[i]);
    }
}

static size_t count_many(const uint8_t *homes, size_t n)
{
    size_t many = 0;
    for (size_t i = 0; i < n; i++)
        many += home_is_many(homes[i]);
    return many;
}

/* Appends the records with many home pawns, from the second stream, to the records with few home pawns in the first. */
static bool join_sorted(buffer *sorted, size_t few, size_t many)
{
    if (sorted[0].size != few || sorted[1].size != many)
        return false;
    buffer_add(&sorted[0], sorted[1].data, many);
    return !sorted[0].failed;
}

/* Restores the order of sorted records: records with few home pawns come first. */
static void unsort(buffer streams[SIGNATURE_STREAMS], const uint8_t *homes, size_t n, size_t few,
                   const signature_arrays *a)
{
    const uint8_t *pawns = streams[HOME_SORTED].data, *minors = streams[HOME_SORTED + 2].data;
    const uint8_t *majors = streams[HOME_SORTED + 4].data;
    uint8_t *to_pawns = a->pawns, *to_minors = a->pieces[STAMMA_WHITE], *to_majors = a->pieces[STAMMA_BLACK];
    size_t next_few = 0, next_many = few;
    for (size_t i = 0; i < n; i++) {
        bool many = home_is_many(homes[i]);
        size_t k = many ? next_many : next_few;
        next_few += !many;
        next_many += many;
        to_pawns[i] = pawns[k];
        to_minors[i] = minors[k];
        to_majors[i] = majors[k];
    }
}

/* Converts pieces by kind to pieces by colour. Adds the home pawns to the other pawns. */
static void join_pieces(const uint8_t *homes, size_t n, const signature_arrays *a)
{
    uint8_t *pawns = a->pawns, *white = a->pieces[STAMMA_WHITE], *black = a->pieces[STAMMA_BLACK];
    for (size_t i = 0; i < n; i++) {
        unsigned minors = white[i], majors = black[i];
        white[i] = (uint8_t)((minors & 15) | majors << 4);
        black[i] = (uint8_t)(minors >> 4 | (majors & 0xF0));
    }
    for (size_t i = 0; i < n; i++)
        pawns[i] = (uint8_t)(((pawns[i] + homes[i]) & 15) | ((pawns[i] & 0xF0) + (homes[i] & 0xF0)));
}

/* Converts the streams to arrays. `homes` has room for one byte per record. NO_MEMORY, CORRUPT. */
static stamma_error unpack_signatures(buffer streams[SIGNATURE_STREAMS], size_t n, uint8_t *homes,
                                      const signature_arrays *a)
{
    if (streams[HOME_LEFT].size != n || streams[HOME_RIGHT].size != n)
        return STAMMA_ERROR_CORRUPT;
    join_home_pawns(streams[HOME_LEFT].data, streams[HOME_RIGHT].data, n, a->home_pawns, homes);
    size_t many = count_many(homes, n);
    for (unsigned i = HOME_SORTED; i < SIGNATURE_STREAMS; i += 2)
        if (!join_sorted(streams + i, n - many, many))
            return streams[i].failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
    unsort(streams, homes, n, n - many, a);
    join_pieces(homes, n, a);
    return STAMMA_OK;
}

static bool unpack_results(const buffer *stream, size_t n, uint8_t *results)
{
    if (stream->size != (n + 3) / 4)
        return false;
    for (size_t i = 0; i < n; i++)
        results[i] = stream->data[i / 4] >> 2 * (i % 4) & 3;
    return n % 4 == 0 || stream->data[n / 4] >> 2 * (n % 4) == 0;
}

/* Joins the parts of ratings. Returns false if a rating is too large. */
static bool join_ratings(const buffer *steps, const buffer *rests, uint16_t *stated)
{
    unsigned all = 0;
    for (size_t i = 0; i < steps->size; i++) {
        stated[i] = (uint16_t)(steps->data[i] * (unsigned)RATING_STEP + rests->data[i]);
        all |= stated[i];
    }
    stated[steps->size] = 0;
    return all <= SEARCH_ODD_RATING;
}

/* Returns the number of ratings that are stored separately; SIZE_MAX if a change is invalid. */
static size_t count_stated(const uint8_t *changes, size_t n)
{
    unsigned most = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned both = changes[i] / 2;
        most = both > most ? both : most;
        count += both <= RATING_DISTANCE;
        count += both % (RATING_DISTANCE + 1) == 0;
    }
    return most / (RATING_DISTANCE + 1) > RATING_DISTANCE ? SIZE_MAX : count;
}

/* The last RATING_DISTANCE ratings of 16 bits, the last one in the low bits, and the next separately stored rating. */
typedef struct rating_history {
    uint64_t last;
    const uint16_t *stated;
} rating_history;

/* Returns the next rating. Has no branch, because the processor cannot predict which ratings are stored. */
STAMMA_INLINE uint16_t take_rating(rating_history *h, unsigned distance)
{
    uint16_t before = (uint16_t)(h->last >> (16 * (distance - 1) & 63)), stated = *h->stated;
    uint16_t rating = distance == 0 ? stated : before;
    h->stated += distance == 0;
    h->last = h->last << 16 | rating;
    return rating;
}

/* Converts the streams of ratings to arrays. `stated` has room for two ratings per record and one more. */
static bool unpack_ratings(const buffer streams[FACT_STREAMS], size_t n, uint16_t *stated, const fact_arrays *a)
{
    const uint8_t *changes = streams[FACT_CHANGES].data;
    uint16_t *white = a->rating[STAMMA_WHITE], *black = a->rating[STAMMA_BLACK];
    size_t count = count_stated(changes, n);
    rating_history h = {0, stated};
    if (streams[FACT_RATINGS].size != count || streams[FACT_RATING_RESTS].size != count ||
        !join_ratings(&streams[FACT_RATINGS], &streams[FACT_RATING_RESTS], stated))
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned both = changes[i] / 2;
        white[i] = take_rating(&h, both / (RATING_DISTANCE + 1));
        black[i] = take_rating(&h, both % (RATING_DISTANCE + 1));
    }
    return true;
}

/* Converts the streams of months to an array. A hot loop. */
static bool unpack_months(const buffer streams[FACT_STREAMS], size_t n, uint16_t *months)
{
    const buffer *near = &streams[FACT_MONTHS];
    cursor far = buffer_cursor(&streams[FACT_FAR_MONTHS]);
    const uint8_t *changes = streams[FACT_CHANGES].data, *difference = near->data;
    size_t count = 0;
    unsigned month = 0;
    for (size_t i = 0; i < n; i++)
        count += changes[i] & 1;
    if (near->size != count)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned changed = changes[i] & 1, folded = *difference;
        difference += changed;
        if (STAMMA_UNLIKELY(folded == FAR_MONTH) && changed) {
            const uint8_t *there = cursor_take(&far, 2);
            month = there ? load_u16(there) : 0;
        } else {
            month += (folded >> 1 ^ (0 - (folded & 1))) & (0 - changed);
        }
        months[i] = (uint16_t)month;
    }
    return !far.failed && cursor_left(&far) == 0;
}

/* Splits a column into streams, each followed by a zero. CORRUPT, NO_MEMORY. */
static stamma_error unpack_streams(search_columns *s, cursor stored, size_t streams)
{
    size_t count = streams;
    for (unsigned i = 0; i < SEARCH_STREAMS; i++)
        s->streams[i].size = 0;
    stamma_error error = stamma_streams_unpack(&s->coder, stored, 8 * s->records + 8, s->streams, NULL, &count);
    for (unsigned i = 0; i < SEARCH_STREAMS && error == STAMMA_OK; i++) {
        if (buffer_reserve(&s->streams[i], 1))
            s->streams[i].data[s->streams[i].size] = 0;
        else
            error = STAMMA_ERROR_NO_MEMORY;
    }
    return error == STAMMA_OK && count != streams ? STAMMA_ERROR_CORRUPT : error;
}

/* ---- columns ---- */

/* Returns whether the sizes in the directory are valid. */
static bool is_sized(const search_columns *s, const column_entry *e, size_t bytes)
{
    return e->plain_size == bytes * s->records && (e->codec != CODEC_STORED || e->stored_size == e->plain_size);
}

static stamma_error read_signatures(search_columns *s, const column_entry *e, const uint8_t *stored)
{
    signature_arrays a;
    const cursor in = {stored, stored + e->stored_size, false};
    s->work.size = 0;
    if (!make_signatures(s, &a) || !buffer_reserve(&s->work, s->records))
        return STAMMA_ERROR_NO_MEMORY;
    if (!is_sized(s, e, SIGNATURE_BYTES))
        return STAMMA_ERROR_CORRUPT;
    if (e->codec == CODEC_STORED) {
        read_plain_signatures(stored, s->records, &a);
        return STAMMA_OK;
    }
    stamma_error error = unpack_streams(s, in, SIGNATURE_STREAMS);
    return error == STAMMA_OK ? unpack_signatures(s->streams, s->records, s->work.data, &a) : error;
}

static bool unpack_facts(search_columns *s, const fact_arrays *a)
{
    size_t n = s->records;
    uint16_t *stated = (uint16_t *)(void *)s->work.data;
    return s->streams[FACT_CHANGES].size == n && unpack_results(&s->streams[FACT_RESULTS], n, a->result) &&
           unpack_ratings(s->streams, n, stated, a) && unpack_months(s->streams, n, a->month);
}

static stamma_error read_facts(search_columns *s, const column_entry *e, const uint8_t *stored)
{
    fact_arrays a;
    const cursor in = {stored, stored + e->stored_size, false};
    s->work.size = 0;
    if (!make_facts(s, &a) || !buffer_reserve(&s->work, (2 * s->records + 1) * sizeof(uint16_t)))
        return STAMMA_ERROR_NO_MEMORY;
    if (!is_sized(s, e, FACTS_BYTES))
        return STAMMA_ERROR_CORRUPT;
    if (e->codec == CODEC_STORED)
        return read_plain_facts(stored, s->records, &a) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    stamma_error error = unpack_streams(s, in, FACT_STREAMS);
    return error == STAMMA_OK && !unpack_facts(s, &a) ? STAMMA_ERROR_CORRUPT : error;
}

/* Reads a column into arrays, and sets its state. */
static stamma_error read_column(search_columns *s, const column_entry *e, const uint8_t *stored)
{
    search_state *state = e->id == COLUMN_FACTS ? &s->facts : &s->signatures;
    stamma_error error = STAMMA_ERROR_CORRUPT;
    *state = SEARCH_UNKNOWN;
    if (e->codec != CODEC_STORED && e->codec != CODEC_SEARCH)
        return STAMMA_OK;
    if (column_is_whole(e, stored))
        error = e->id == COLUMN_FACTS ? read_facts(s, e, stored) : read_signatures(s, e, stored);
    *state = error == STAMMA_OK ? SEARCH_READ : SEARCH_DAMAGED;
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

stamma_error stamma_search_columns_open(search_columns *s, cursor head, cursor body)
{
    block_head h;
    s->signatures = s->facts = SEARCH_MISSING;
    s->records = 0;
    if (stamma_block_read_head(&head, &h) != STAMMA_OK)
        return STAMMA_ERROR_CORRUPT;
    s->records = (size_t)h.records;
    for (uint64_t i = 0; i < h.columns; i++) {
        column_entry e;
        const uint8_t *stored = stamma_column_read_entry(&head, &e) ? cursor_take(&body, e.stored_size) : NULL;
        if (!stored)
            return STAMMA_ERROR_CORRUPT;
        bool wanted = column_is_search(e.id) && !(s->without_facts && e.id == COLUMN_FACTS);
        stamma_error error = wanted ? read_column(s, &e, stored) : STAMMA_OK;
        if (error != STAMMA_OK)
            return error;
        if (e.id > COLUMN_FACTS)
            break;
    }
    return STAMMA_OK;
}

bool stamma_search_signature_is(const search_columns *s, size_t n, const search_entry *e)
{
    return s->home_pawns[n] == e->home_pawns && s->pawns[n] == e->pawns &&
           s->pieces[STAMMA_WHITE][n] == e->pieces[STAMMA_WHITE] &&
           s->pieces[STAMMA_BLACK][n] == e->pieces[STAMMA_BLACK];
}

bool stamma_search_facts_are(const search_columns *s, size_t n, const search_entry *e)
{
    const bool same = s->result[n] == e->result || (e->other_draw && s->result[n] == SEARCH_OTHER_RESULT);
    return same && s->rating[STAMMA_WHITE][n] == e->rating[STAMMA_WHITE] &&
           s->rating[STAMMA_BLACK][n] == e->rating[STAMMA_BLACK] && s->month[n] == e->month;
}
