/* SPDX-License-Identifier: MIT */
/* Tests the search for blocks whose frame headers are damaged: in bytes of every kind, a block is found where the test
 * put it, and no other bytes are found as a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "salvage/salvage.h"
#include "archive_support.h"
#include "passed_games.h"

enum { FILE_HEADER = 16, WINDOW = 1 << 16 };

/* The payload of a block, and the bytes to search. */
typedef struct fixture {
    stamma_allocator allocator;
    listing archive;
    const char *payload;
    frame header;
    listing bytes;
} fixture;

static fixture new_fixture(unsigned games)
{
    listing text = {0};
    list_passed_games(&text, games);
    fixture f = {.allocator = stamma_allocator_or_default(NULL), .archive = pack(text.text, text.size, NULL)};
    const char *header = f.archive.text + FILE_HEADER;
    f.payload = header + FRAME_HEADER_SIZE;
    assert_int_equal(stamma_frame_read((const uint8_t *)header, &f.header), STAMMA_OK);
    free(text.text);
    return f;
}

static void release_fixture(fixture *f)
{
    free(f->archive.text);
    free(f->bytes.text);
}

static void list_noise(fixture *f, size_t size)
{
    static uint8_t noise[3 * WINDOW + 64];
    for (size_t n = noise[0] == 0 ? 0 : sizeof noise; n < sizeof noise; n++)
        noise[n] = (uint8_t)(n == 0 ? 0xFF : random_below(256));
    assert_true(size <= sizeof noise);
    list_bytes(&f->bytes, noise, size);
}

static void list_zeros(fixture *f, size_t size)
{
    static const uint8_t zeros[2 * WINDOW + 64];
    assert_true(size <= sizeof zeros);
    list_bytes(&f->bytes, zeros, size);
}

static void list_payload(fixture *f)
{
    list_bytes(&f->bytes, f->payload, (size_t)f->header.size);
}

/* Searches the first `size` bytes. Returns where a block's header would be, or SIZE_MAX. */
static size_t search(fixture *f, uint64_t size)
{
    archive_source source = {.bytes = f->bytes.text, .size = f->bytes.size, .piece_max = SIZE_MAX};
    const archive_input input = source_frames(&source, true);
    buffer payload = {.allocator = &f->allocator};
    frame_reader in;
    lost_search s;
    frame header;
    block_head head;
    bool found = false;
    assert_int_equal(stamma_frame_reader_open(&in, &input, &f->allocator), STAMMA_OK);
    stamma_lost_begin(&s, &in, 0, size, &payload);
    assert_int_equal(stamma_lost_next(&s, &header, &head, &found), STAMMA_OK);
    if (found) {
        assert_int_equal(header.size, f->header.size);
        assert_int_equal(header.head_size, f->header.head_size);
        assert_int_equal(header.head_check, f->header.head_check);
        assert_memory_equal(payload.data, f->payload, payload.size);
    }
    stamma_frame_reader_release(&in);
    stamma_buffer_release(&payload);
    return found ? (size_t)s.at : SIZE_MAX;
}

/* At each of the first places and around the ends of windows, after zeros and after other bytes. */
static void blocks_are_found_where_they_are(void **state)
{
    (void)state;
    static const size_t places[] = {0,          1,          2,      7,          8,          9,         33,
                                    WINDOW / 2, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 7, WINDOW * 2};
    fixture f = new_fixture(3);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int zeros = 0; zeros < 2; zeros++)
            for (int more = 0; more < 2; more++) {
                f.bytes.size = 0;
                (zeros ? list_zeros : list_noise)(&f, places[i] + FRAME_HEADER_SIZE);
                list_payload(&f);
                list_noise(&f, more ? 3 * WINDOW : 0);
                assert_int_equal(search(&f, f.bytes.size), places[i]);
            }
    release_fixture(&f);
}

/* A head that begins just before the middle or the end of a window extends beyond it. */
static void heads_across_windows(void **state)
{
    (void)state;
    fixture f = new_fixture(3);
    for (size_t at = WINDOW / 2 - f.header.head_size; at < WINDOW + 40;
         at += at == WINDOW / 2 + 40 ? WINDOW / 2 - 80 : 5) {
        f.bytes.size = 0;
        list_noise(&f, at + FRAME_HEADER_SIZE);
        list_payload(&f);
        list_noise(&f, 2 * WINDOW);
        assert_int_equal(search(&f, f.bytes.size), at);
    }
    release_fixture(&f);
}

static void blocks_of_other_archives_are_not_taken(void **state)
{
    (void)state;
    fixture f = new_fixture(3);
    list_bytes(&f.bytes, f.archive.text + FILE_HEADER, FRAME_HEADER_SIZE);
    list_payload(&f);
    assert_int_equal(search(&f, f.bytes.size), SIZE_MAX);
    f.bytes.text[9] ^= 1; /* its header is damaged */
    assert_int_equal(search(&f, f.bytes.size), 0);
    release_fixture(&f);
}

/* The bytes or the file end before the end of the block. */
static void parts_of_blocks_are_not_taken(void **state)
{
    (void)state;
    fixture f = new_fixture(3);
    list_zeros(&f, FRAME_HEADER_SIZE);
    list_payload(&f);
    const size_t whole = f.bytes.size;
    for (size_t size = 0; size < whole; size += 1 + size / 8) {
        assert_int_equal(search(&f, size), SIZE_MAX);
        f.bytes.size = size;
        assert_int_equal(search(&f, whole), SIZE_MAX);
        f.bytes.size = whole;
    }
    assert_int_equal(search(&f, whole), 0);
    release_fixture(&f);
}

/* Damages all columns, then all but one of them. */
static void some_column_must_be_sound(void **state)
{
    (void)state;
    fixture f = new_fixture(3);
    const uint8_t *payload = (const uint8_t *)f.payload;
    cursor in = {payload, payload + f.header.head_size, false};
    block_head head;
    column_entry e;
    assert_int_equal(stamma_block_read_head(&in, &head), STAMMA_OK);
    list_noise(&f, FRAME_HEADER_SIZE);
    list_payload(&f);
    uint8_t *stored = (uint8_t *)f.bytes.text + FRAME_HEADER_SIZE + f.header.head_size;
    size_t ends[64] = {0}, count = 0;
    for (; count < head.columns; count++) {
        assert_true(stamma_column_read_entry(&in, &e));
        stored[ends[count]] ^= 1;
        ends[count + 1] = ends[count] + (size_t)e.stored_size;
    }
    assert_int_equal(search(&f, f.bytes.size), SIZE_MAX);
    for (size_t n = 0; n < count; n++) {
        stored[ends[n]] ^= 1;
        memcpy((void *)(uintptr_t)(f.payload + f.header.head_size), stored, ends[count]); /* the block to be found */
        assert_int_equal(search(&f, f.bytes.size), 0);
        stored[ends[n]] ^= 1;
    }
    release_fixture(&f);
}

/* Lists a head of columns of these ids, sizes and names. The columns do not follow the head. */
static void list_head(fixture *f, const uint8_t *ids, size_t count, size_t size, const char *name)
{
    const uint8_t *payload = (const uint8_t *)f->payload;
    cursor in = {payload, payload + f->header.head_size, false};
    block_head head;
    buffer directory = {.allocator = &f->allocator};
    assert_int_equal(stamma_block_read_head(&in, &head), STAMMA_OK);
    list_noise(f, FRAME_HEADER_SIZE);
    list_bytes(&f->bytes, f->payload, (size_t)(in.at - payload) - 1);
    stamma_buffer_add_varint(&directory, count);
    for (size_t n = 0; n < count; n++) {
        stamma_column_write_entry(ids[n], CODEC_STORED, stamma_text_of(name), size, payload, 1, &directory);
        directory.size -= 9;
        stamma_buffer_add_varint(&directory, size); /* stored, with any checksum */
        buffer_add(&directory, payload, 8);
    }
    list_bytes(&f->bytes, directory.data, directory.size);
    stamma_buffer_release(&directory);
}

/* Bytes that resemble a head do not hide the block after them. */
static void invalid_heads(void **state)
{
    (void)state;
    static const struct {
        uint8_t ids[3];
        size_t count, size;
        const char *name;
    } heads[] = {
        {{COLUMN_EVENTS}, 0, 1, ""},                                          /* no column */
        {{COLUMN_MOVES, COLUMN_EVENTS}, 2, 1, ""},                            /* in the wrong order */
        {{COLUMN_EVENTS, COLUMN_EVENTS}, 2, 1, ""},                           /* a column twice */
        {{COLUMN_EVENTS}, 1, 0, ""},                                          /* an empty column */
        {{COLUMN_EVENTS}, 1, 1, "name"},                                      /* a name that is not allowed */
        {{COLUMN_EVENTS, COLUMN_MOVES, COLUMN_NAGS}, 3, COLUMN_SIZE_MAX, ""}, /* more bytes than a frame can have */
        {{COLUMN_EVENTS}, 1, 1 << 20, ""},                                    /* more bytes than there are */
        {{COLUMN_EVENTS, COLUMN_MOVES}, 2, 1, ""},                            /* wrong checksums */
    };
    fixture f = new_fixture(3);
    for (size_t n = 0; n < sizeof heads / sizeof *heads; n++) {
        f.bytes.size = 0;
        list_head(&f, heads[n].ids, heads[n].count, heads[n].size, heads[n].name);
        const size_t at = f.bytes.size;
        list_noise(&f, FRAME_HEADER_SIZE);
        list_payload(&f);
        assert_int_equal(search(&f, f.bytes.size), at);
    }
    release_fixture(&f);
}

static size_t read_in_all;

static ptrdiff_t read_counted(void *context, void *bytes, size_t size)
{
    archive_source *s = context;
    const archive_input input = source_frames(s, true);
    const ptrdiff_t got = input.read(s, bytes, size);
    read_in_all += got > 0 ? (size_t)got : 0;
    return got;
}

/* Heads of large columns everywhere. */
static void search_many_heads(size_t column)
{
    enum { SIZE = 1 << 18 };
    fixture f = new_fixture(3);
    while (f.bytes.size < SIZE)
        list_head(&f, (const uint8_t[]){COLUMN_EVENTS}, 1, column, "");
    archive_source source = {.bytes = f.bytes.text, .size = f.bytes.size, .piece_max = SIZE_MAX};
    archive_input input = source_frames(&source, true);
    buffer payload = {.allocator = &f.allocator};
    frame_reader in;
    lost_search s;
    frame header;
    block_head head;
    bool found;
    input.read = read_counted;
    assert_int_equal(stamma_frame_reader_open(&in, &input, &f.allocator), STAMMA_OK);
    stamma_lost_begin(&s, &in, 0, f.bytes.size, &payload);
    read_in_all = 0;
    assert_int_equal(stamma_lost_next(&s, &header, &head, &found), STAMMA_OK);
    assert_false(found);
    assert_in_range(read_in_all, 2 * SIZE, 20 * f.bytes.size);
    stamma_frame_reader_release(&in);
    stamma_buffer_release(&payload);
    release_fixture(&f);
}

/* The search stops before it has read all columns that these heads describe. */
static void many_heads_take_limited_work(void **state)
{
    (void)state;
    search_many_heads(1 << 17);
    search_many_heads(1 << 16);
    search_many_heads(90001);
}

/* A search may begin where files cannot end. */
static void large_sizes(void **state)
{
    (void)state;
    lost_search s;
    stamma_lost_begin(&s, NULL, 1, UINT64_MAX, NULL);
    assert_int_equal(s.work, UINT64_MAX);
    assert_int_equal(s.end, UINT64_MAX);
}

/* A file that is replaced by another at the `change_at`-th seek. */
typedef struct changing_file {
    archive_source now, later;
    unsigned seeks, change_at;
} changing_file;

static ptrdiff_t read_now(void *context, void *bytes, size_t size)
{
    archive_source *s = &((changing_file *)context)->now;
    return source_frames(s, true).read(s, bytes, size);
}

static bool seek_or_change(void *context, uint64_t offset)
{
    changing_file *c = context;
    if (++c->seeks == c->change_at)
        c->now = c->later;
    return source_frames(&c->now, true).seek(&c->now, offset);
}

/* Searches bytes that change at a seek. Returns whether a block is found. */
static bool search_changing(fixture *f, const listing *later, unsigned change_at)
{
    changing_file file = {.now = {.bytes = f->bytes.text, .size = f->bytes.size, .piece_max = SIZE_MAX},
                          .later = {.bytes = later->text, .size = later->size, .piece_max = SIZE_MAX},
                          .change_at = change_at};
    const archive_input input = {.context = &file, .read = read_now, .seek = seek_or_change};
    buffer payload = {.allocator = &f->allocator};
    frame_reader in;
    lost_search s;
    frame header;
    block_head head;
    bool found;
    assert_int_equal(stamma_frame_reader_open(&in, &input, &f->allocator), STAMMA_OK);
    stamma_lost_begin(&s, &in, 0, f->bytes.size, &payload);
    assert_int_equal(stamma_lost_next(&s, &header, &head, &found), STAMMA_OK);
    stamma_frame_reader_release(&in);
    stamma_buffer_release(&payload);
    return found;
}

/* After a head was found, the search looks for a header before the head, and then reads the block. */
static void blocks_that_change(void **state)
{
    (void)state;
    fixture f = new_fixture(3), large = f;
    listing other = {0};
    enum { HEADER = 2, BLOCK = 3 /* seeks */ };
    list_noise(&f, FRAME_HEADER_SIZE);
    list_payload(&f);
    list_bytes(&other, f.bytes.text, f.bytes.size);
    assert_true(search_changing(&f, &other, BLOCK));
    memset(other.text + FRAME_HEADER_SIZE, 0xFF, f.header.head_size);
    assert_false(search_changing(&f, &other, BLOCK));
    memcpy(other.text, f.bytes.text, other.size);
    large.bytes = (listing){0};
    list_head(&large, (const uint8_t[]){COLUMN_EVENTS, COLUMN_MOVES}, 2, 1 << 20, "");
    list_zeros(&large, f.bytes.size);
    assert_false(search_changing(&f, &large.bytes, BLOCK));
    for (other.size = 0; other.size < FRAME_HEADER_SIZE; other.size += 10)
        assert_false(search_changing(&f, &other, HEADER));
    free(other.text);
    free(large.bytes.text);
    release_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_found_where_they_are),
        cmocka_unit_test(heads_across_windows),
        cmocka_unit_test(blocks_of_other_archives_are_not_taken),
        cmocka_unit_test(parts_of_blocks_are_not_taken),
        cmocka_unit_test(some_column_must_be_sound),
        cmocka_unit_test(invalid_heads),
        cmocka_unit_test(many_heads_take_limited_work),
        cmocka_unit_test(large_sizes),
        cmocka_unit_test(blocks_that_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
