/* SPDX-License-Identifier: MIT */
/* Tests packing bytes with zstd and bzip2: unpacking restores them, the smaller result is used, and damage is
 * reported as corrupt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define ZSTD_STATIC_LINKING_ONLY /* for a failing allocator of zstd */
#include "entropy/entropy.h"
#include "pgn_support.h"

static stamma_allocator allocator;
static byte_packer coder;

static buffer new_buffer(void)
{
    return (buffer){.allocator = &allocator};
}

/* Returns text like prose: words in random order. */
static buffer prose(size_t words)
{
    static const char *const list[] = {"white ", "black ", "the ", "knight ", "bishop ", "is ", "better ", "has ",
                                       "pawn ",  "and ",   "now ", "wins ",   "king ",   "a ",  "attack ", "on "};
    buffer text = new_buffer();
    uint32_t random = 1;
    for (size_t i = 0; i < words; i++) {
        random = random * 1664525 + 1013904223;
        const char *word = list[random >> 28];
        buffer_add(&text, word, strlen(word));
    }
    return text;
}

static int begin(void **state)
{
    (void)state;
    allocator = stamma_allocator_or_default(NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stamma_byte_packer_release(&coder);
    return 0;
}

static buffer pack(const buffer *plain, int level, uint8_t *codec)
{
    buffer body = new_buffer();
    assert_int_equal(stamma_bytes_pack(&coder, level, plain, &body, codec), STAMMA_OK);
    return body;
}

static void comes_back(const buffer *plain, int level, unsigned wanted)
{
    uint8_t codec;
    buffer body = pack(plain, level, &codec), again = new_buffer();
    assert_int_equal(codec, wanted);
    assert_true(body.size <= plain->size);
    assert_int_equal(stamma_bytes_unpack(&coder, codec, body.data, body.size, plain->size, &again), STAMMA_OK);
    assert_int_equal(again.size, plain->size);
    assert_true(plain->size == 0 || memcmp(again.data, plain->data, plain->size) == 0);
    stamma_buffer_release(&again);
    stamma_buffer_release(&body);
}

static void bytes_come_back(void **state)
{
    static const int levels[] = {EFFORT_MOVES, EFFORT_NUMBERS, EFFORT_TEXT, EFFORT_REPEATS, EFFORT_WORDS};
    buffer text = prose(5000), noise = new_buffer(), empty = new_buffer();
    (void)state;
    for (uint32_t i = 0, random = 7; i < 1000; i++, random = random * 1664525 + 1013904223)
        buffer_add_byte(&noise, (uint8_t)(random >> 24));
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        comes_back(&text, levels[i], CODEC_PACKED);
        comes_back(&noise, levels[i], CODEC_STORED);
        comes_back(&empty, levels[i], CODEC_STORED);
    }
    stamma_buffer_release(&noise);
    stamma_buffer_release(&text);
}

static size_t packed_size(const buffer *plain, int level)
{
    uint8_t codec;
    buffer body = pack(plain, level, &codec);
    size_t size = body.size;
    stamma_buffer_release(&body);
    return size;
}

/* Random sums become shorter if each byte is coded separately; repeated sequences do not. */
static void numbers_that_repeat_are_distinguished(void **state)
{
    (void)state;
    buffer chance = new_buffer(), repeating = new_buffer();
    uint64_t random = 3;
    for (uint32_t i = 0; i < 100000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        buffer_add_byte(&chance, (uint8_t)((random >> 60) + (random >> 56 & 15)));
        buffer_add_byte(&repeating, (uint8_t)(i % 17 + i / 50000));
    }
    assert_true(packed_size(&chance, EFFORT_NUMBERS) < packed_size(&chance, EFFORT_REPEATS));
    assert_int_equal(packed_size(&repeating, EFFORT_NUMBERS), packed_size(&repeating, EFFORT_REPEATS));
    comes_back(&chance, EFFORT_NUMBERS, CODEC_PACKED);
    comes_back(&repeating, EFFORT_NUMBERS, CODEC_PACKED);
    stamma_buffer_release(&repeating);
    stamma_buffer_release(&chance);
}

static bool is_bzip2(const buffer *plain, int level)
{
    uint8_t codec;
    buffer body = pack(plain, level, &codec);
    bool found = memcmp(body.data, "BZh", 3) == 0;
    stamma_buffer_release(&body);
    return found;
}

/* bzip2 is used only for long prose: not if zstd is as good, not for numbers, and not for a few words. */
static void the_better_is_taken(void **state)
{
    (void)state;
    buffer text = prose(20000), few = prose(100), same = new_buffer();
    for (size_t i = 0; i < 100000; i++)
        buffer_add_byte(&same, 'a');
    assert_true(is_bzip2(&text, EFFORT_WORDS));
    assert_false(is_bzip2(&text, EFFORT_NUMBERS));
    assert_false(is_bzip2(&few, EFFORT_WORDS));
    assert_false(is_bzip2(&same, EFFORT_WORDS));
    stamma_buffer_release(&same);
    stamma_buffer_release(&few);
    stamma_buffer_release(&text);
}

/* Repeated words that change occasionally become small without bzip2, and are restored. */
static void words_that_repeat_stay_small(void **state)
{
    (void)state;
    buffer balances = new_buffer();
    uint64_t random = 5;
    char balance[] = "+0-1+0+2+0";
    for (uint32_t i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (random >> 60 == 0)
            balance[1 + 2 * (random >> 32 & 3)] = (char)('0' + (random >> 40 & 3));
        buffer_add(&balances, balance, sizeof balance);
    }
    assert_true(packed_size(&balances, EFFORT_WORDS) < balances.size / 16);
    assert_true(packed_size(&balances, EFFORT_WORDS) < packed_size(&balances, EFFORT_FAST));
    assert_false(is_bzip2(&balances, EFFORT_WORDS));
    comes_back(&balances, EFFORT_WORDS, CODEC_PACKED);
    stamma_buffer_release(&balances);
}

/* Words that neither repeat nor become much smaller with bzip2 are packed with the most effort. */
static void other_words_get_more_effort(void **state)
{
    (void)state;
    buffer text = prose(700);
    assert_false(is_bzip2(&text, EFFORT_WORDS));
    assert_true(packed_size(&text, EFFORT_WORDS) < packed_size(&text, EFFORT_TEXT));
    stamma_buffer_release(&text);
}

/* Corrupt: every wrong size, an additional byte, and truncated data. A changed byte is corrupt or produces the right
 * size. */
static void damage_is_found(void **state)
{
    static const int levels[] = {EFFORT_TEXT, EFFORT_WORDS};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint8_t codec;
        buffer text = prose(3000), body = pack(&text, levels[i], &codec), out = new_buffer();
        buffer_add_byte(&body, 0);
        assert_int_equal(is_bzip2(&text, levels[i]), i);
        for (size_t size = 0; size <= body.size; size++)
            if (size != body.size - 1)
                assert_int_equal(stamma_bytes_unpack(&coder, codec, body.data, size, text.size, &out),
                                 STAMMA_ERROR_CORRUPT);
        body.size--;
        assert_int_equal(stamma_bytes_unpack(&coder, codec, body.data, body.size, text.size - 1, &out),
                         STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_bytes_unpack(&coder, codec, body.data, body.size, text.size + 1, &out),
                         STAMMA_ERROR_CORRUPT);
        for (size_t at = 0; at < body.size; at++) {
            body.data[at] ^= (uint8_t)(1u << at % 8);
            stamma_error error = stamma_bytes_unpack(&coder, codec, body.data, body.size, text.size, &out);
            assert_true(error == STAMMA_ERROR_CORRUPT || (error == STAMMA_OK && out.size == text.size));
            body.data[at] ^= (uint8_t)(1u << at % 8);
        }
        stamma_buffer_release(&out);
        stamma_buffer_release(&body);
        stamma_buffer_release(&text);
    }
}

/* If requested, damaged bytes are unpacked up to the damage. */
static void parts_are_unpacked(void **state)
{
    (void)state;
    static const int levels[] = {EFFORT_TEXT, EFFORT_WORDS};
    buffer text = prose(300000), out = new_buffer();
    for (size_t i = 0; i < 2; i++) {
        uint8_t codec;
        buffer body = pack(&text, levels[i], &codec);
        size_t last = 0;
        assert_int_equal(is_bzip2(&text, levels[i]), i);
        coder.partial = true;
        for (size_t size = 0; size < body.size / 8 * 7; size += body.size / 7) {
            assert_int_equal(stamma_bytes_unpack(&coder, codec, body.data, size, text.size, &out), STAMMA_OK);
            assert_true(out.size >= last && out.size < text.size);
            assert_true(out.size == 0 || memcmp(out.data, text.data, out.size) == 0);
            last = out.size;
        }
        assert_true(last > text.size / 2);
        coder.partial = false;
        stamma_buffer_release(&body);
    }
    stamma_buffer_release(&out);
    stamma_buffer_release(&text);
}

/* ---- missing memory ---- */

static void *allocate_for_zstd(void *context, size_t size)
{
    const stamma_allocator *a = context;
    return a->allocate(a->context, size);
}

static void release_for_zstd(void *context, void *block)
{
    const stamma_allocator *a = context;
    if (block)
        a->release(a->context, block);
}

/* Returns OK if the packed bytes are the same as with enough memory. */
static stamma_error pack_with(const stamma_allocator *failing, const buffer *plain, int level, const buffer *wanted)
{
    const ZSTD_customMem memory = {allocate_for_zstd, release_for_zstd, (void *)(uintptr_t)failing};
    byte_packer packer = {.compressor = ZSTD_createCCtx_advanced(memory)};
    buffer body = {.allocator = failing}, text = *plain;
    uint8_t codec;
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    text.allocator = failing;
    if (packer.compressor)
        error = stamma_bytes_pack(&packer, level, &text, &body, &codec);
    if (error == STAMMA_OK) {
        assert_int_equal(body.size, wanted->size);
        assert_memory_equal(body.data, wanted->data, wanted->size);
    }
    stamma_buffer_release(&body);
    stamma_byte_packer_release(&packer);
    return error;
}

/* A failed allocation does not change the choice between ways to pack. */
static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    static const int levels[] = {EFFORT_TEXT, EFFORT_NUMBERS, EFFORT_WORDS};
    enum { LEVELS = sizeof levels / sizeof *levels, TEXTS = 5, REPEATED = 50000 };
    buffer texts[TEXTS] = {prose(3000), prose(700), prose(300), new_buffer(), new_buffer()};
    uint64_t random = 3;
    for (uint32_t i = 0; i < 300000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        buffer_add_byte(&texts[3], (uint8_t)((random >> 40) % 5));
        if (i < 2000) /* bzip2 is then only a tenth better than little effort, so more effort is tried */
            buffer_add_byte(&texts[1], (uint8_t)('a' + (random >> 32) % 26));
        if (i < REPEATED) /* numbers that repeat only after the sample */
            buffer_add_byte(&texts[4], (uint8_t)((random >> 40) % 32));
    }
    for (size_t i = 0; i < REPEATED; i++)
        buffer_add_byte(&texts[4], texts[4].data[i]);
    assert_true(packed_size(&texts[4], EFFORT_NUMBERS) < packed_size(&texts[4], EFFORT_BYTES) / 3 * 2);
    for (size_t n = 0; n < LEVELS * TEXTS; n++) {
        const buffer *text = &texts[n / LEVELS];
        uint8_t codec;
        buffer wanted = pack(text, levels[n % LEVELS], &codec);
        unsigned failed = 0;
        for (unsigned at = 1; failed + 1 == at; at++) {
            failing_memory memory = {.fail_at = at};
            const stamma_allocator failing = failing_allocator(&memory);
            failed += pack_with(&failing, text, levels[n % LEVELS], &wanted) != STAMMA_OK;
            assert_int_equal(memory.alive, 0);
        }
        assert_true(failed > 1);
        stamma_buffer_release(&wanted);
    }
    for (size_t n = 0; n < TEXTS; n++)
        stamma_buffer_release(&texts[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_come_back, begin, end),
        cmocka_unit_test_setup_teardown(numbers_that_repeat_are_distinguished, begin, end),
        cmocka_unit_test_setup_teardown(the_better_is_taken, begin, end),
        cmocka_unit_test_setup_teardown(words_that_repeat_stay_small, begin, end),
        cmocka_unit_test_setup_teardown(other_words_get_more_effort, begin, end),
        cmocka_unit_test_setup_teardown(damage_is_found, begin, end),
        cmocka_unit_test_setup_teardown(parts_are_unpacked, begin, end),
        cmocka_unit_test_setup_teardown(memory_may_fail_at_any_call, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
