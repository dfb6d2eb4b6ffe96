/* Texts as templates and fields (clause 10.2): golden templates, and that whatever is parsed is written the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"

static stamma_text text_of(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

/* Puts a parsed text together again. */
static size_t write_text(const field_text *t, char *out)
{
    size_t size = 0, field = 0;
    for (size_t i = 0; i < t->size; i++) {
        if (t->bytes[i] != FIELD_MARK) {
            out[size++] = (char)t->bytes[i];
            continue;
        }
        char type = (char)t->bytes[++i];
        if (type == FIELD_WORD) {
            memcpy(out + size, t->texts[field].data, t->texts[field].size);
            size += t->texts[field].size;
        } else {
            size += stamma_field_write(type, t->values[field], out + size);
        }
        field++;
    }
    assert_int_equal(field, t->field_count);
    return size;
}

static void golden_templates(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bytes;
        int64_t first;
    } cases[] = {
        {"[%clk 0:01:00]", "[%clk \1t]", 600},
        {"[%clk 00:01:00.5]", "[%clk \1u]", 605},
        {"[%eval -0.35]", "[%eval \1B]", -35},
        {"[%eval #-3]", "[%eval #-\1n]", 3},
        {"d=28, tl=5", "d=\1n, tl=\1n", 28},
        {"pv=d4 e5, x", "pv=\1w, x", 0},
        {"2021.06.17", "2021.06.17", 0},
        {"007", "007", 0},
        {"-0.0", "-0.0", 0},
        {"a1b2", "a1b2", 0},
    };
    const bool no_signs[256] = {false};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        field_text t;
        char again[1000];
        assert_true(stamma_field_parse(text_of(cases[n].text), no_signs, &t));
        if (strchr(cases[n].bytes, FIELD_MARK)) {
            assert_int_equal(t.size, strlen(cases[n].bytes));
            assert_memory_equal(t.bytes, cases[n].bytes, t.size);
            assert_int_equal(t.values[0], cases[n].first);
        }
        assert_int_equal(write_text(&t, again), strlen(cases[n].text));
        assert_memory_equal(again, cases[n].text, strlen(cases[n].text));
    }
}

/* Texts put together from what numbers are made of: each is refused, or comes back byte for byte. */
static void whatever_is_parsed_comes_back(void **state)
{
    (void)state;
    static const char *const pieces[] = {"0", "1", "9", "00", "59", "60", ".", ":", "+",
                                         "-", "=", ",", " ",  "e",  "0:", "#", ";", "123456789"};
    uint64_t seed = 1;
    size_t parsed = 0;
    for (int n = 0; n < 200000; n++) {
        char text[200] = "", again[2000];
        for (size_t count = (seed >> 40) % 14, i = 0; i < count; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            strcat(text, pieces[(seed >> 33) % (sizeof pieces / sizeof *pieces)]);
        }
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        field_text t;
        bool plus_after[256];
        stamma_field_find_signs((const uint8_t *)text, n % 2 ? strlen(text) : 0, plus_after);
        if (!stamma_field_parse(text_of(text), plus_after, &t))
            continue;
        parsed++;
        assert_int_equal(write_text(&t, again), strlen(text));
        assert_memory_equal(again, text, strlen(text));
    }
    assert_true(parsed > 150000);
}

static void what_a_template_cannot_hold_is_refused(void **state)
{
    (void)state;
    const bool no_signs[256] = {false};
    field_text t;
    char text[300];
    memset(text, 'x', sizeof text);
    assert_false(stamma_field_parse((stamma_text){text, sizeof text}, no_signs, &t));
    assert_false(stamma_field_parse(text_of("a\1n"), no_signs, &t));
    for (size_t i = 0; i < 66; i++)
        text[i] = i % 2 ? ' ' : '1';
    assert_true(stamma_field_parse((stamma_text){text, 2 * FIELDS_MAX}, no_signs, &t));
    assert_false(stamma_field_parse((stamma_text){text, 2 * FIELDS_MAX + 1}, no_signs, &t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_templates),
        cmocka_unit_test(whatever_is_parsed_comes_back),
        cmocka_unit_test(what_a_template_cannot_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
