/* SPDX-License-Identifier: MIT */
/* Tests reading frames in order: the next frame is found after any other bytes, and for any sizes of reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"
#include "pgn_support.h"

static void list_frame(listing *to, unsigned type, const char *payload, size_t size, size_t head_size)
{
    uint8_t header[FRAME_HEADER_SIZE];
    frame f = {.type = (uint8_t)type,
               .flags = type <= FRAME_COMMIT,
               .size = size,
               .head_size = (uint32_t)head_size,
               .head_check = stamma_check32(payload, head_size)};
    stamma_frame_write(&f, header);
    list_bytes(to, header, sizeof header);
    list_bytes(to, payload, size);
}

/* Lists random bytes that include the beginnings of magic numbers. */
static void list_garbage(listing *to, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = "sFrmsFrxs\0\xFFs"[random_below(12)];
        list_bytes(to, &byte, 1);
    }
}

typedef struct opened {
    piecewise source;
    stamma_allocator allocator;
    frame_reader reader;
} opened;

static void open_reader(opened *o, const listing *bytes, size_t piece_max)
{
    o->source = (piecewise){.bytes = bytes->text, .size = bytes->size, .piece_max = piece_max};
    o->allocator = stamma_allocator_or_default(NULL);
    const stamma_input stream = piecewise_input(&o->source);
    const archive_input input = {.context = stream.context, .read = stream.read};
    assert_int_equal(stamma_frame_reader_open(&o->reader, &input, &o->allocator), STAMMA_OK);
}

static frame_state next(opened *o, frame *f)
{
    frame_state state;
    assert_int_equal(stamma_frame_reader_next(&o->reader, f, &state), STAMMA_OK);
    return state;
}

/* Garbage before a frame, mainly of sizes near the size of the window or of a header. */
static void test_find(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,     4,     31,    32,    33,    63,    64,     100,    65472,  65503, 65504,
                                   65505, 65535, 65536, 65537, 65568, 65599, 131040, 131071, 131072, 200000};
    static const size_t pieces[] = {SIZE_MAX, 65536, 1000, 33};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
            listing bytes = {0};
            opened o;
            frame f;
            buffer payload = {.allocator = &o.allocator};
            bool whole;
            list_garbage(&bytes, sizes[i]);
            list_frame(&bytes, FRAME_BLOCK, "payload", 7, 3);
            open_reader(&o, &bytes, pieces[p]);
            assert_int_equal(next(&o, &f), FRAME_LOST);
            assert_int_equal(o.reader.at, 0);
            assert_int_equal(stamma_frame_reader_find(&o.reader, NULL, 0), STAMMA_OK);
            assert_int_equal(o.reader.at, sizes[i]);
            assert_int_equal(next(&o, &f), FRAME_GOOD);
            assert_true(f.type == FRAME_BLOCK && f.size == 7 && f.head_size == 3);
            assert_int_equal(stamma_frame_reader_payload(&o.reader, f.size, &payload, &whole), STAMMA_OK);
            assert_true(whole && payload.size == 7);
            assert_memory_equal(payload.data, "payload", 7);
            assert_int_equal(next(&o, &f), FRAME_NONE);
            assert_int_equal(o.reader.at, bytes.size);
            assert_memory_equal(o.reader.last, bytes.text + bytes.size - 8, 8);
            stamma_buffer_release(&payload);
            stamma_frame_reader_release(&o.reader);
            free(bytes.text);
        }
}

/* Without another frame, the end is found. */
static void test_find_nothing(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 5, 31, 32, 33, 64, 65535, 65536, 65537, 131071, 131072, 150000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int piece = 0; piece < 2; piece++) {
            listing bytes = {0};
            opened o;
            frame f;
            list_garbage(&bytes, sizes[i]);
            open_reader(&o, &bytes, piece ? 4096 : SIZE_MAX);
            assert_int_equal(next(&o, &f), FRAME_LOST);
            assert_int_equal(stamma_frame_reader_find(&o.reader, NULL, 0), STAMMA_OK);
            assert_int_equal(o.reader.at, sizes[i]);
            assert_int_equal(next(&o, &f), FRAME_NONE);
            stamma_frame_reader_release(&o.reader);
            free(bytes.text);
        }
}

/* Many frames with garbage between them. */
static void test_sequence(void **state)
{
    (void)state;
    enum { FRAMES = 50 };
    for (size_t piece = 1; piece < 100000; piece = piece * 7 + 1) {
        listing bytes = {0};
        size_t offsets[FRAMES], sizes[FRAMES];
        opened o;
        frame f;
        for (unsigned i = 0; i < FRAMES; i++) {
            listing payload = {0};
            list_garbage(&bytes, (size_t)random_below(3) * (size_t)random_below(100));
            list_garbage(&payload, sizes[i] = (size_t)random_below(3000));
            offsets[i] = bytes.size;
            list_frame(&bytes, FRAME_BLOCK, payload.text ? payload.text : "", sizes[i], sizes[i] / 2);
            free(payload.text);
        }
        open_reader(&o, &bytes, piece);
        for (unsigned i = 0; i < FRAMES; i++) {
            bool whole;
            buffer payload = {.allocator = &o.allocator};
            frame_state found = next(&o, &f);
            if (found == FRAME_LOST) {
                assert_int_equal(stamma_frame_reader_find(&o.reader, NULL, 0), STAMMA_OK);
                found = next(&o, &f);
            }
            assert_int_equal(found, FRAME_GOOD);
            assert_int_equal(o.reader.at, offsets[i] + FRAME_HEADER_SIZE);
            assert_int_equal(f.size, sizes[i]);
            assert_int_equal(stamma_frame_reader_payload(&o.reader, f.size, &payload, &whole), STAMMA_OK);
            assert_true(whole);
            stamma_buffer_release(&payload);
        }
        assert_int_equal(next(&o, &f), FRAME_NONE);
        stamma_frame_reader_release(&o.reader);
        free(bytes.text);
    }
}

/* The next frame is found at any distance without consuming a byte, whether or not the input can seek. */
static void test_look_after(void **state)
{
    (void)state;
    for (int round = 0; round < 400; round++) {
        listing bytes = {0};
        opened o;
        size_t at = 0;
        list_garbage(&bytes, (size_t)random_below(150000));
        const size_t frame_at = bytes.size;
        list_frame(&bytes, FRAME_BLOCK, "payload", 7, 3);
        open_reader(&o, &bytes, 1 + (size_t)random_below(70000));
        archive_source seekable = {
            .bytes = bytes.text, .size = bytes.size, .piece_max = 1 + (size_t)random_below(70000)};
        if (round % 2)
            o.reader.input = source_frames(&seekable, true);
        buffer taken = {.allocator = &o.allocator};
        while (at < frame_at) {
            const size_t left = frame_at - at, sizes[] = {left, left + FRAME_HEADER_SIZE + 7, left + 300000, left / 2};
            bool whole, well;
            const unsigned n = (unsigned)random_below(4);
            assert_int_equal(stamma_frame_reader_look_after(&o.reader, sizes[n], &whole, &well), STAMMA_OK);
            assert_int_equal(whole, n != 2);
            assert_int_equal(well, n < 2 || sizes[n] == left);
            const size_t some = 1 + (size_t)random_below(80000), size = some < left ? some : left;
            assert_int_equal(stamma_frame_reader_payload(&o.reader, size, &taken, &whole), STAMMA_OK);
            assert_true(whole && taken.size == size);
            assert_memory_equal(taken.data, bytes.text + at, taken.size);
            at += taken.size;
            assert_int_equal(o.reader.at, at);
        }
        frame f;
        assert_int_equal(next(&o, &f), FRAME_GOOD);
        stamma_buffer_release(&taken);
        stamma_frame_reader_release(&o.reader);
        free(bytes.text);
    }
}

/* The first skipped bytes are kept. */
static void test_skipped(void **state)
{
    (void)state;
    for (int round = 0; round < 100; round++) {
        listing bytes = {0};
        opened o;
        list_garbage(&bytes, (size_t)random_below(150000));
        const size_t frame_at = bytes.size, limit = (size_t)random_below(200000);
        list_frame(&bytes, FRAME_BLOCK, "payload", 7, 3);
        open_reader(&o, &bytes, 1 + (size_t)random_below(70000));
        buffer skipped = {.allocator = &o.allocator};
        assert_int_equal(stamma_frame_reader_find(&o.reader, &skipped, limit), STAMMA_OK);
        assert_int_equal(o.reader.at, frame_at);
        assert_int_equal(skipped.size, limit < frame_at ? limit : frame_at);
        assert_non_null(skipped.data);
        assert_memory_equal(skipped.data, bytes.text, skipped.size);
        stamma_buffer_release(&skipped);
        stamma_frame_reader_release(&o.reader);
        free(bytes.text);
    }
}

/* Frames of another archive are ignored. */
static void test_foreign(void **state)
{
    (void)state;
    listing bytes = {0};
    opened o;
    frame f;
    list_frame(&bytes, FRAME_BLOCK, "mine", 4, 0);
    size_t at = bytes.size;
    list_frame(&bytes, FRAME_BLOCK, "other", 5, 0);
    store_u16((uint8_t *)bytes.text + at + 6, 77);
    store_u32((uint8_t *)bytes.text + at + 28, stamma_check32(bytes.text + at, 28));
    size_t next_at = bytes.size;
    list_frame(&bytes, FRAME_BLOCK, "mine", 4, 0);
    open_reader(&o, &bytes, SIZE_MAX);
    buffer payload = {.allocator = &o.allocator};
    bool whole;
    assert_int_equal(next(&o, &f), FRAME_GOOD);
    assert_int_equal(stamma_frame_reader_payload(&o.reader, f.size, &payload, &whole), STAMMA_OK);
    assert_int_equal(next(&o, &f), FRAME_LOST);
    assert_int_equal(stamma_frame_reader_find(&o.reader, NULL, 0), STAMMA_OK);
    assert_int_equal(o.reader.at, next_at);
    stamma_buffer_release(&payload);
    stamma_frame_reader_release(&o.reader);
    free(bytes.text);
}

/* Headers with reserved bits, which a later version may define. */
static void test_unsupported(void **state)
{
    (void)state;
    listing bytes = {0};
    opened o;
    frame f;
    list_garbage(&bytes, 50);
    size_t at = bytes.size;
    list_frame(&bytes, FRAME_BLOCK, "x", 1, 1);
    bytes.text[at + 5] |= 2;
    store_u32((uint8_t *)bytes.text + at + 28, stamma_check32(bytes.text + at, 28));
    open_reader(&o, &bytes, SIZE_MAX);
    assert_int_equal(next(&o, &f), FRAME_LOST);
    assert_int_equal(stamma_frame_reader_find(&o.reader, NULL, 0), STAMMA_OK);
    assert_int_equal(o.reader.at, at);
    assert_int_equal(next(&o, &f), FRAME_UNSUPPORTED);
    stamma_frame_reader_release(&o.reader);
    free(bytes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find), cmocka_unit_test(test_find_nothing), cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_look_after), cmocka_unit_test(test_skipped), cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
