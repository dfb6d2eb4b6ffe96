/* SPDX-License-Identifier: MIT */
/* Tests spelt texts (clause 22): texts of any bytes come back, similar texts need little space, and any coded bytes are
 * read safely. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "tags/spelt_texts.h"

static stamma_allocator heap;

static void add(buffer *texts, const char *text)
{
    buffer_add(texts, text, strlen(text) + 1);
}

/* Adds texts of random bytes, some of them empty. */
static void add_random(buffer *texts, unsigned count)
{
    uint32_t x = 1;
    for (unsigned n = 0; n < count; n++) {
        for (unsigned i = 0; i < n % 7 * 5; i++) {
            x = x * 1664525 + 1013904223;
            buffer_add_byte(texts, (uint8_t)(1 + (x >> 24) % 255));
        }
        buffer_add_byte(texts, 0);
    }
}

static buffer spell(const buffer *texts)
{
    buffer coded = {.allocator = &heap};
    assert_int_equal(stamma_spelt_write(texts, &coded), STAMMA_OK);
    return coded;
}

/* Reads texts as long as this succeeds. Returns their number, or -1 if there is no memory. */
static int read_all(const stamma_allocator *allocator, const buffer *coded, buffer *texts, bool *done)
{
    stamma_error error;
    spelt_texts *s = stamma_spelt_open(allocator, buffer_cursor(coded), &error);
    int count = error == STAMMA_ERROR_NO_MEMORY ? -1 : 0;
    stamma_text text;
    *done = false;
    for (; s && error == STAMMA_OK && !stamma_spelt_is_done(s); count++) {
        error = stamma_spelt_take(s, &text);
        if (error == STAMMA_OK)
            buffer_add(texts, text.data, text.size + 1);
    }
    count = error == STAMMA_ERROR_NO_MEMORY ? -1 : count;
    *done = s && error == STAMMA_OK;
    stamma_spelt_close(s);
    return count;
}

static void demand_round_trip(const buffer *texts)
{
    buffer coded = spell(texts), again = {.allocator = &heap};
    bool done;
    assert_true(read_all(&heap, &coded, &again, &done) >= 0);
    assert_true(done);
    assert_int_equal(again.size, texts->size);
    assert_memory_equal(again.data, texts->data, texts->size);
    stamma_buffer_release(&coded);
    stamma_buffer_release(&again);
}

static void texts_come_back(void **state)
{
    (void)state;
    buffer texts = {.allocator = &heap};
    add(&texts, "Carlsen, Magnus");
    demand_round_trip(&texts);
    add(&texts, "");
    add(&texts, "Carlsen, Henrik");
    demand_round_trip(&texts);
    add_random(&texts, 500);
    demand_round_trip(&texts);
    stamma_buffer_release(&texts);
}

/* A text that is one letter longer than the last needs about a byte. */
static void similar_texts_are_small(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    buffer texts = {.allocator = &heap};
    for (unsigned n = 0; n < COUNT; n++) {
        char text[40];
        snprintf(text, sizeof text, "Open of Town %u, round %u", 1900 + n / 9, n % 9 + 1);
        add(&texts, text);
    }
    buffer coded = spell(&texts);
    assert_in_range(coded.size, 20, 2 * COUNT);
    stamma_buffer_release(&coded);
    stamma_buffer_release(&texts);
}

/* The longest text, and one byte more. */
static void long_texts_are_not_spelt(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        buffer texts = {.allocator = &heap};
        uint32_t x = 7;
        for (size_t n = 0; n < SPELT_TEXT_MAX - 1 + more; n++) {
            x = x * 1664525 + 1013904223;
            buffer_add_byte(&texts, (uint8_t)('a' + (x >> 24) % 26));
        }
        buffer_add_byte(&texts, 0);
        buffer coded = spell(&texts);
        assert_int_equal(coded.size > 0, !more);
        stamma_buffer_release(&coded);
        stamma_buffer_release(&texts);
    }
}

/* Texts that are too short when coded could not be read in a reasonable time. */
static void expansion_is_limited(void **state)
{
    (void)state;
    enum { COUNT = 40, SIZE = 5000 };
    static char text[SIZE + 1];
    buffer texts = {.allocator = &heap};
    memset(text, 'a', SIZE);
    for (unsigned n = 0; n < COUNT; n++)
        add(&texts, text);
    buffer coded = spell(&texts);
    assert_int_equal(coded.size, 0);
    static const uint8_t forged[] = {0xC1, 0x20, 1}; /* 4,161 bytes of texts in one byte: 32+4,096 are allowed */
    const buffer short_one = {.data = (uint8_t *)(uintptr_t)forged, .size = sizeof forged};
    stamma_error error;
    assert_null(stamma_spelt_open(&heap, buffer_cursor(&short_one), &error));
    assert_int_equal(error, STAMMA_ERROR_CORRUPT);
    stamma_buffer_release(&coded);
    stamma_buffer_release(&texts);
}

static void slots_grow_with_the_texts(void **state)
{
    (void)state;
    static const struct {
        size_t size, slots;
    } rows[] = {{0, 1 << 12}, {511, 1 << 12}, {512, 1 << 13}, {4096, 1 << 16}, {1 << 19, 1 << 22}, {1 << 24, 1 << 22}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        assert_int_equal(stamma_spelt_slots(rows[n].size), rows[n].slots);
}

/* Each byte is changed, removed, or followed by others. The texts read never exceed their size, and other coded bytes
 * are noticed unless they have the same texts. */
static void damage_is_noticed(void **state)
{
    (void)state;
    buffer texts = {.allocator = &heap};
    add_random(&texts, 40);
    buffer coded = spell(&texts);
    for (size_t n = 0; n < coded.size; n++) {
        for (unsigned way = 0; way < 3; way++) {
            buffer again = {.allocator = &heap}, other = {.allocator = &heap};
            bool done;
            buffer_add(&other, coded.data, way == 1 ? n : coded.size);
            if (way == 0)
                other.data[n] ^= 0x55;
            if (way == 2)
                buffer_add_byte(&other, (uint8_t)(n + 1));
            (void)read_all(&heap, &other, &again, &done);
            assert_true(!done || again.size != texts.size || memcmp(again.data, texts.data, texts.size) != 0);
            stamma_buffer_release(&again);
            stamma_buffer_release(&other);
        }
    }
    stamma_buffer_release(&coded);
    stamma_buffer_release(&texts);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void reading_is_stopped(void **state)
{
    (void)state;
    buffer texts = {.allocator = &heap};
    add(&texts, "Carlsen, Magnus");
    buffer coded = spell(&texts);
    const stop_check stop = {always, NULL};
    stamma_error error;
    stamma_text text;
    spelt_texts *s = stamma_spelt_open(&heap, buffer_cursor(&coded), &error);
    assert_non_null(s);
    s->stop = &stop;
    assert_int_equal(stamma_spelt_take(s, &text), STAMMA_ERROR_CORRUPT);
    s->stop = NULL;
    assert_int_equal(stamma_spelt_take(s, &text), STAMMA_OK);
    assert_int_equal(text.size, strlen("Carlsen, Magnus"));
    stamma_spelt_close(s);
    stamma_buffer_release(&coded);
    stamma_buffer_release(&texts);
}

static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    buffer texts = {.allocator = &heap};
    add_random(&texts, 20);
    buffer coded = spell(&texts);
    unsigned failed = 0;
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        buffer again = {.allocator = &heap}, written = {.allocator = &allocator};
        bool done;
        bool fine = stamma_spelt_write(&texts, &written) == STAMMA_OK;
        fine = fine && read_all(&allocator, &coded, &again, &done) >= 0;
        failed += !fine;
        stamma_buffer_release(&again);
        stamma_buffer_release(&written);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 6);
    stamma_buffer_release(&coded);
    stamma_buffer_release(&texts);
}

static int make_heap(void **state)
{
    (void)state;
    heap = stamma_allocator_or_default(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_back),           cmocka_unit_test(similar_texts_are_small),
        cmocka_unit_test(long_texts_are_not_spelt),  cmocka_unit_test(expansion_is_limited),
        cmocka_unit_test(slots_grow_with_the_texts), cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(reading_is_stopped),        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, make_heap, NULL);
}
