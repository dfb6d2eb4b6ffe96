/* SPDX-License-Identifier: MIT */
/* Tests strings of bits in pairs (clauses 16.2 to 16.4): each string decodes separately, whatever the bits of the other
 * strings are, and a pair has only one valid form. Opening any streams is safe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "entropy/entropy.h"
#include "entropy/range_coder.h"
#include "pgn_support.h"
#include "sample_positions.h"

enum { STRINGS_MAX = 400, SYMBOLS_MAX = 120, BITS = 16 };

typedef struct sample {
    stamma_allocator allocator;
    size_t strings;
    size_t counts[STRINGS_MAX]; /* number of symbols */
    uint16_t symbols[STRINGS_MAX][SYMBOLS_MAX];
    uint32_t weights[STRINGS_MAX];
    size_t bits[STRINGS_MAX];
    buffer streams[PAIR_STREAMS];
} sample;

/* Three symbols: one costs almost nothing, one about two bits, one sixteen bits. */
static const uint32_t starts[4] = {0, 49151, 65535, 65536};

static void write_string(sample *s, size_t n, uint64_t *random, pair_writer *w)
{
    buffer out = {.allocator = &s->allocator};
    range_encoder e;
    s->counts[n] = (size_t)(random_next(random) % SYMBOLS_MAX);
    s->weights[n] = (uint32_t)(s->counts[n] * 10 + 16);
    stamma_range_encode_begin(&e, &out);
    for (size_t k = 0; k < s->counts[n]; k++) {
        unsigned symbol = (unsigned)(random_next(random) % 64);
        symbol = symbol < 48 ? 0 : symbol < 63 ? 1 : 2;
        s->symbols[n][k] = (uint16_t)symbol;
        stamma_range_encode(&e, starts[symbol], starts[symbol + 1] - starts[symbol], BITS);
    }
    s->bits[n] = stamma_range_encode_end_bits(&e);
    assert_int_equal(out.size, (s->bits[n] + 7) / 8);
    stamma_pair_writer_add(w, out.data, s->bits[n], s->weights[n]);
    stamma_buffer_release(&out);
}

static sample *make(size_t strings, uint64_t seed)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->allocator = stamma_allocator_or_default(NULL);
    s->strings = strings;
    pair_writer w;
    stamma_pair_writer_init(&w, &s->allocator);
    for (size_t n = 0; n < PAIR_STREAMS; n++)
        s->streams[n].allocator = &s->allocator;
    for (size_t n = 0; n < strings; n++)
        write_string(s, n, &seed, &w);
    assert_int_equal(
        stamma_pair_writer_end(&w, &s->streams[PAIR_PARAMETERS], &s->streams[PAIR_SYMBOLS], &s->streams[PAIR_BITS]),
        STAMMA_OK);
    s->streams[PAIR_AREAS] = w.areas;
    w.areas = (buffer){.allocator = &s->allocator};
    stamma_pair_writer_release(&w);
    return s;
}

static void release(sample *s)
{
    for (size_t n = 0; n < PAIR_STREAMS; n++)
        stamma_buffer_release(&s->streams[n]);
    free(s);
}

static stamma_error open_pairs(sample *s, pair_reader *r)
{
    stamma_pair_reader_init(r, &s->allocator);
    return stamma_pair_reader_open(r, s->weights, s->strings, buffer_cursor(&s->streams[PAIR_PARAMETERS]), s->streams);
}

/* Returns whether string n decodes to its symbols. Sets *end to whether the string ends like a string of a writer. */
static bool reads(sample *s, pair_reader *r, size_t n, bool *end)
{
    range_decoder d;
    size_t size, bits;
    const uint8_t *bytes = stamma_pair_reader_string(r, n, &size);
    bool same = true;
    assert_non_null(bytes);
    stamma_range_decode_begin(&d, bytes, size);
    for (size_t k = 0; k < s->counts[n]; k++) {
        uint32_t target = range_decode_target(&d, BITS);
        unsigned symbol = target < starts[1] ? 0 : target < starts[2] ? 1 : 2;
        range_decode_pass(&d, starts[symbol], starts[symbol + 1] - starts[symbol], BITS);
        same &= symbol == s->symbols[n][k];
    }
    *end = stamma_range_decode_end_bits(&d, &bits) && stamma_pair_reader_end(r, n, bits);
    assert_true(!same || !*end || bits == s->bits[n]);
    return same;
}

static void round_trip(void **state)
{
    (void)state;
    for (size_t strings = 0; strings <= STRINGS_MAX; strings = strings * 3 / 2 + 1) {
        sample *s = make(strings, strings + 1);
        pair_reader r;
        bool end;
        assert_int_equal(open_pairs(s, &r), STAMMA_OK);
        for (size_t n = 0; n < strings; n++)
            assert_true(reads(s, &r, n, &end) && end);
        for (size_t n = strings; n-- > 0;)
            assert_true(reads(s, &r, n, &end) && end);
        stamma_pair_reader_release(&r);
        release(s);
    }
}

/* One size for two strings needs half the space of two sizes, and the remainder needs less than half a byte per
 * string. */
static void sizes_are_small(void **state)
{
    (void)state;
    sample *s = make(STRINGS_MAX, 5);
    size_t bits = 0;
    for (size_t n = 0; n < s->strings; n++)
        bits += s->bits[n];
    assert_true(s->streams[PAIR_AREAS].size * 8 <= bits + s->strings / 2 * 3 + 7);
    assert_true((s->streams[PAIR_PARAMETERS].size + s->streams[PAIR_SYMBOLS].size + s->streams[PAIR_BITS].size) * 8 <
                s->strings * 5);
    release(s);
}

/* Decoding a string needs only the bits of this string, and no bits of other strings, not even of the other string in
 * its pair. */
static void others_are_not_needed(void **state)
{
    (void)state;
    sample *s = make(41, 9);
    buffer *areas = &s->streams[PAIR_AREAS];
    pair_reader r;
    bool end;
    assert_int_equal(open_pairs(s, &r), STAMMA_OK);
    uint8_t *kept = malloc(areas->size);
    memcpy(kept, areas->data, areas->size);
    const uint64_t *ends = (const uint64_t *)(const void *)r.ends.data;
    for (size_t n = 0; n < s->strings; n++) {
        size_t pair_begin = n < 2 ? 0 : (size_t)ends[n / 2 - 1] * PAIR_UNIT, pair_end = (size_t)ends[n / 2] * PAIR_UNIT;
        size_t begin = n % 2 ? pair_end - s->bits[n] : pair_begin, last = begin + s->bits[n];
        for (size_t bit = 0; bit < areas->size * 8; bit++)
            if (bit < begin || bit >= last)
                areas->data[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        assert_true(reads(s, &r, n, &end));
        memcpy(areas->data, kept, areas->size);
    }
    free(kept);
    stamma_pair_reader_release(&r);
    release(s);
}

/* Each changed bit of an area is noticed: a symbol differs, or the string does not end like a string of a writer. */
static void every_bit_counts(void **state)
{
    (void)state;
    sample *s = make(21, 3);
    buffer *areas = &s->streams[PAIR_AREAS];
    for (size_t bit = 0; bit < areas->size * 8; bit++) {
        pair_reader r;
        bool shown = false, end;
        areas->data[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        stamma_error error = open_pairs(s, &r);
        for (size_t n = 0; n < s->strings && error == STAMMA_OK; n++)
            shown |= !reads(s, &r, n, &end) || !end;
        assert_true(error == STAMMA_ERROR_CORRUPT || shown);
        areas->data[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        stamma_pair_reader_release(&r);
    }
    release(s);
}

/* Streams with changed or missing bytes are rejected, or decode to some symbols. */
static void damaged(void **state)
{
    (void)state;
    sample *s = make(60, 7);
    uint64_t random = 1;
    unsigned refused = 0;
    for (unsigned turn = 0; turn < 4000; turn++) {
        buffer *stream = &s->streams[random_next(&random) % PAIR_STREAMS];
        size_t size = stream->size, at = size == 0 ? 0 : (size_t)(random_next(&random) % size);
        pair_reader r;
        bool end;
        if (size == 0)
            continue;
        uint8_t before = stream->data[at];
        stream->data[at] ^= (uint8_t)(1 + random_next(&random) % 255);
        stream->size = turn % 5 == 0 ? at : size;
        stamma_error error = open_pairs(s, &r);
        refused += error == STAMMA_ERROR_CORRUPT;
        for (size_t n = 0; n < s->strings && error == STAMMA_OK; n++)
            (void)reads(s, &r, n, &end);
        stream->data[at] = before;
        stream->size = size;
        stamma_pair_reader_release(&r);
    }
    assert_true(refused > 1000);
    release(s);
}

/* Each stream must end with its last value. With classes, symbols begin with a state of four bytes. */
static void streams_end_exactly(void **state)
{
    (void)state;
    static const struct {
        unsigned stream;
        int size; /* number of bytes; negative: number of missing bytes; from 1000 on: 1000 plus the number of
                   * added bytes */
    } rows[] = {{PAIR_PARAMETERS, 1001}, {PAIR_PARAMETERS, -1}, {PAIR_PARAMETERS, 3}, {PAIR_SYMBOLS, 0},
                {PAIR_SYMBOLS, 3},       {PAIR_SYMBOLS, -1},    {PAIR_SYMBOLS, -2},   {PAIR_SYMBOLS, 6},
                {PAIR_SYMBOLS, 1001},    {PAIR_SYMBOLS, 1002},  {PAIR_BITS, 1001},    {PAIR_AREAS, 1001},
                {PAIR_AREAS, -1}};
    for (unsigned coded = 0; coded < 2; coded++) {
        sample *s = make(coded ? STRINGS_MAX : 9, 5);
        const buffer *parameters = &s->streams[PAIR_PARAMETERS];
        cursor head = buffer_cursor(parameters);
        (void)stamma_cursor_varint(&head);
        assert_int_equal(cursor_byte(&head), coded);
        for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
            buffer *stream = &s->streams[rows[n].stream];
            const size_t size = stream->size;
            const int wanted = rows[n].size;
            pair_reader r;
            stream->size = wanted < 0 ? size - (size_t)-wanted : wanted < 1000 ? (size_t)wanted : size;
            for (int more = 1000; more < wanted; more++)
                buffer_add_byte(stream, 0);
            if (stream->size != size)
                assert_int_equal(open_pairs(s, &r), STAMMA_ERROR_CORRUPT);
            else
                assert_int_equal(open_pairs(s, &r), STAMMA_OK);
            stream->size = size;
            stamma_pair_reader_release(&r);
        }
        release(s);
    }
}

/* Writes strings whose sizes are independent of their weights, so that their residuals have bits. */
static stamma_error write_odd_strings(const stamma_allocator *allocator, buffer streams[PAIR_STREAMS])
{
    enum { STRINGS = 300, MOST = 4000 };
    static const uint8_t bits[MOST / 8] = {1, 2, 3};
    uint64_t random = 3;
    pair_writer w;
    stamma_pair_writer_init(&w, allocator);
    for (unsigned n = 0; n < STRINGS; n++)
        stamma_pair_writer_add(&w, bits, (size_t)(random_next(&random) % MOST), 16);
    stamma_error error =
        stamma_pair_writer_end(&w, &streams[PAIR_PARAMETERS], &streams[PAIR_SYMBOLS], &streams[PAIR_BITS]);
    buffer_add(&streams[PAIR_AREAS], w.areas.data, w.areas.size);
    stamma_pair_writer_release(&w);
    return error;
}

static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    const stamma_allocator heap = stamma_allocator_or_default(NULL);
    buffer wanted[PAIR_STREAMS], streams[PAIR_STREAMS];
    unsigned failed = 0;
    for (size_t n = 0; n < PAIR_STREAMS; n++)
        wanted[n] = streams[n] = (buffer){.allocator = &heap};
    assert_int_equal(write_odd_strings(&heap, wanted), STAMMA_OK);
    assert_true(wanted[PAIR_BITS].size > 0);
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        for (size_t n = 0; n < PAIR_STREAMS; n++)
            streams[n].size = 0;
        stamma_error error = write_odd_strings(&allocator, streams);
        failed += error == STAMMA_ERROR_NO_MEMORY;
        for (size_t n = 0; n < PAIR_STREAMS && error == STAMMA_OK; n++) {
            assert_int_equal(streams[n].size, wanted[n].size);
            assert_memory_equal(streams[n].data, wanted[n].data, wanted[n].size);
        }
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 10);
    for (size_t n = 0; n < PAIR_STREAMS; n++) {
        stamma_buffer_release(&wanted[n]);
        stamma_buffer_release(&streams[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(sizes_are_small),
        cmocka_unit_test(others_are_not_needed),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(damaged),
        cmocka_unit_test(streams_end_exactly),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
