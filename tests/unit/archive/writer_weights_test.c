/* SPDX-License-Identifier: MIT */
/* Tests that a changed bit of the predictor's weights in memory is detected. Blocks that are written with wrong weights
 * can only be read with the same wrong weights. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "archive_support.h"
#include "game_texts.h"
#include "model/model.h"
#include "model/weights_ids.h"

/* Inverts a bit of a constant. Its page becomes a private copy. Returns false if the system does not allow this. */
static bool flip(const uint8_t *byte)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uint8_t *changed = (uint8_t *)(uintptr_t)byte;
    void *begin = (void *)((uintptr_t)byte / page * page);
    if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    *changed ^= 16;
    return mprotect(begin, page, PROT_READ) == 0;
}

static int begin(void **state)
{
    (void)state;
    const uint8_t *weights = stamma_predict_weights();
    if (!weights || !flip(weights) || !flip(weights)) {
        printf("skipped: no weights, or they cannot be changed\n");
        exit(77);
    }
    return 0;
}

static void each_part_is_checked(void **state)
{
    (void)state;
    const uint8_t *first = stamma_predict_weights(), *second = stamma_second_weights();
    const struct {
        const uint8_t *byte;
        bool both; /* levels 2 and 3 use this byte; otherwise only level 3 */
    } cases[] = {{first, true},
                 {first + PREDICT_WEIGHTS / 2, true},
                 {first + PREDICT_WEIGHTS - 1, true},
                 {second, false},
                 {second + SECOND_WEIGHTS_SIZE - 1, false}};
    assert_true(stamma_weights_are_right(false));
    assert_true(stamma_weights_are_right(true));
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        assert_true(flip(cases[n].byte));
        assert_int_equal(stamma_weights_are_right(false), !cases[n].both);
        assert_false(stamma_weights_are_right(true));
        assert_true(flip(cases[n].byte));
        assert_true(stamma_weights_are_right(true));
    }
}

static stamma_error open_writer(int level, archive_sink *sink, stamma_archive_writer **writer)
{
    const stamma_archive_writer_options options = {.size = sizeof options, .level = level};
    const stamma_output output = archive_output(sink);
    return stamma_archive_writer_open(&output, &options, writer);
}

/* A writer that uses the wrong weights does not open. */
static void wrong_before(void **state)
{
    (void)state;
    const uint8_t *parts[] = {stamma_predict_weights() + 1000, stamma_second_weights() + 1000};
    for (size_t part = 0; part < 2; part++) {
        assert_true(flip(parts[part]));
        for (int level = 1; level <= 3; level++) {
            archive_sink sink = {.fail_at = 0};
            stamma_archive_writer *writer = NULL;
            const bool needed = level > 1 + (int)part;
            assert_int_equal(open_writer(level, &sink, &writer), needed ? STAMMA_ERROR_SELF_CHECK : STAMMA_OK);
            assert_int_equal(sink.bytes.size == 0, needed);
            stamma_archive_writer_close(writer);
            free(sink.bytes.text);
        }
        assert_true(flip(parts[part]));
    }
}

/* A bit changes after the writer was opened: no block is written. */
static void wrong_later(void **state)
{
    (void)state;
    listing text = {0};
    for (unsigned i = 0; i < 20; i++)
        list_game(&text, &text_styles[0]);
    for (int level = 2; level <= 3; level++) {
        archive_sink sink = {.fail_at = 0};
        stamma_archive_writer *writer;
        const uint8_t *bit = level == 2 ? stamma_predict_weights() + WEIGHT_FIRST_BIAS : stamma_second_weights() + 7;
        assert_int_equal(open_writer(level, &sink, &writer), STAMMA_OK);
        const size_t header = sink.bytes.size;
        assert_true(flip(bit));
        assert_int_equal(stamma_archive_writer_write(writer, text.text, text.size), STAMMA_OK);
        assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_ERROR_SELF_CHECK);
        assert_true(flip(bit));
        assert_int_equal(sink.bytes.size, header);
        stamma_archive_writer_close(writer);
        free(sink.bytes.text);
    }
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_is_checked),
        cmocka_unit_test(wrong_before),
        cmocka_unit_test(wrong_later),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
