/* SPDX-License-Identifier: MIT */
/* Tests texts as templates and fields (clause 14.2): golden templates, and that parsed texts are written unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/fields.h"

static stamma_text text_of(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

/* Writes a parsed text. */
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
        {"0:01:00.5", "\1t", 605},
        {"0:01:00.5s", "\1ts", 605},
        {"0:01:00.55", "0:01:00.55", 0},
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

/* Random texts of characters that occur in numbers: each is rejected or written back unchanged. */
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
        field_text own = t;
        assert_true(stamma_field_match(text_of(text), (stamma_text){(const char *)t.bytes, t.size}, plus_after, &own));
        assert_memory_equal(own.values, t.values, t.field_count * sizeof *t.values);
        assert_int_equal(write_text(&t, again), strlen(text));
        assert_memory_equal(again, text, strlen(text));
    }
    assert_true(parsed > 150000);
}

/* Texts that differ only in their digits: a text matches the template of another text exactly if both have the same
 * template. The matched values equal the parsed values. */
static void what_matches_is_what_is_parsed(void **state)
{
    (void)state;
    static const char *const forms[] = {"d=28, s=0, n=1234567, wv=-0.23, h=0.0,",
                                        "+0.31/18 2.4s, ev=0.31",
                                        "n=-10, mb=+1+0-1,",
                                        "x 17.5 1.234;",
                                        "a=123456789012, b=1234567890123",
                                        "k=1.2.3, l=00, 1:23 0:01:02",
                                        "p=1-0, q=12ab, r=7;",
                                        "v=1.50 w=2 z= 3"};
    uint64_t seed = 1;
    size_t same = 0;
    for (size_t n = 0; n < 80000; n++) {
        char text[100];
        bool plus_after[256] = {[0] = n % 2, ['='] = n % 4 / 2};
        field_text t, other, match;
        strcpy(text, forms[n % (sizeof forms / sizeof *forms)]);
        assert_true(stamma_field_parse(text_of(text), plus_after, &t));
        for (char *c = text; *c; c++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (*c >= '0' && *c <= '9' && seed >> 61 == 0)
                *c = "0123456789+-., "[(seed >> 32) % 15];
        }
        assert_true(stamma_field_parse(text_of(text), plus_after, &other));
        bool equal = t.size == other.size && memcmp(t.bytes, other.bytes, t.size) == 0;
        assert_int_equal(
            stamma_field_match(text_of(text), (stamma_text){(const char *)t.bytes, t.size}, plus_after, &match), equal);
        if (equal)
            assert_memory_equal(match.values, other.values, other.field_count * sizeof *other.values);
        same += equal;
    }
    assert_true(same > 20000 && same < 70000);
}

static const char *const texts[] = {"[%clk 0:01:00]",
                                    "[%clk 0:01:00.5]",
                                    "[%clk 9:59:59]",
                                    "[%clk 0:60:00]",
                                    "[%clk 0:00:60]",
                                    "[%clk 0:01:0]",
                                    "[%clk 0:01:000]",
                                    "[%clk 0:01:00.0]",
                                    "[%clk 0:01:00.55]",
                                    "[%clk 12:01:00]",
                                    "[%clk 120:01:00]",
                                    "[%clk 020:01:00]",
                                    "[%clk 0:01:00",
                                    "[%clk 0:01:00]x",
                                    "[%emt 0:01:00]",
                                    "0:01:00",
                                    "[%eval 0.3] [%clk 0:00:01]",
                                    "[%eval -12.34] [%clk 0:00:01]",
                                    "[%eval -0.0] [%clk 0:00:01]",
                                    "[%eval #5] [%clk 0:00:01]",
                                    "d=28, pv=d4 e5, mt=1",
                                    "d=28, pv=, mt=1",
                                    "d=28, pv=1-0, mt=1",
                                    "d=28, pv=17, mt=1",
                                    "d=028, pv=e4, mt=1",
                                    "+0.31/18 1.2s",
                                    "-0.31/18 1.2s",
                                    "0.31/18 1.2s",
                                    "0.00/18 1.2s",
                                    "1.5",
                                    "1.05",
                                    "1",
                                    "",
                                    "x"};
enum { COUNT = sizeof texts / sizeof *texts };

/* Matches texts with the templates of other texts. A matching text is written back unchanged, and each text matches the
 * template that it was parsed to. */
static void what_matches_a_template_comes_back(void **state)
{
    (void)state;
    bool plus_after[256] = {[0] = true};
    size_t matched = 0;
    for (size_t a = 0; a < COUNT; a++)
        for (size_t b = 0; b < COUNT; b++) {
            field_text t, other;
            char again[1000];
            assert_true(stamma_field_parse(text_of(texts[a]), plus_after, &t));
            memcpy(&other, &t, sizeof other);
            if (!stamma_field_match(text_of(texts[b]), (stamma_text){(const char *)t.bytes, t.size}, plus_after,
                                    &other)) {
                assert_int_not_equal(a, b);
                continue;
            }
            matched++;
            assert_int_equal(write_text(&other, again), strlen(texts[b]));
            assert_memory_equal(again, texts[b], strlen(texts[b]));
        }
    assert_true(matched > COUNT + 10);
}

/* Templates that only damaged blocks contain: a field follows a byte that joins it to the text before. Parsing never
 * makes a field in this place, so the text does not match. */
static void numbers_inside_words_do_not_match(void **state)
{
    (void)state;
    static const struct {
        const char *template, *text;
    } cases[] = {{"1\1n", "12"},    {"x\1n", "x2"},   {"X\1n", "X2"},    {"_\1n", "_2"},   {"2021.\1n", "2021.06"},
                 {"0:\1n", "0:07"}, {"1\1A", "10.5"}, {"+\1A", "+-0.5"}, {"-\1A", "--0.5"}};
    const bool no_signs[256] = {false};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        field_text t;
        if (stamma_field_match(text_of(cases[n].text), text_of(cases[n].template), no_signs, &t))
            fail_msg("%s", cases[n].text);
    }
    field_text t;
    assert_true(stamma_field_match(text_of("x 2"), text_of("x \1n"), no_signs, &t));
}

/* The fast match of clocks accepts only texts that stamma_field_match accepts, with the same value, whatever bytes
 * follow. */
static void clocks_match_as_other_templates_do(void **state)
{
    (void)state;
    const bool no_signs[256] = {false};
    size_t matched = 0;
    for (size_t a = 0; a < COUNT; a++)
        for (size_t b = 0; b < 2 * COUNT; b++) {
            field_text t, other;
            field_clock clock;
            char text[100];
            int64_t value = -1;
            size_t size = strlen(texts[b / 2]);
            memset(text, b % 2 ? 0 : '0', sizeof text);
            memcpy(text, texts[b / 2], size + 1);
            assert_true(stamma_field_parse(text_of(texts[a]), no_signs, &t));
            stamma_text template = {(const char *)t.bytes, t.size};
            stamma_field_clock_find(template, &clock);
            assert_int_equal(stamma_field_clock_match(&clock, (const uint8_t *)text, 24, &value), 0);
            size_t taken = stamma_field_clock_match(&clock, (const uint8_t *)text, sizeof text, &value);
            if (taken == 0) {
                assert_false(a == b / 2 && a < 3); /* hours of one digit, and tenths */
                continue;
            }
            matched++;
            assert_int_equal(taken, size + 1);
            assert_true(stamma_field_match(text_of(text), template, no_signs, &other));
            assert_int_equal(other.field_count, 1);
            assert_int_equal(value, other.values[0]);
        }
    assert_true(matched > 20);
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
        cmocka_unit_test(what_matches_a_template_comes_back),
        cmocka_unit_test(what_matches_is_what_is_parsed),
        cmocka_unit_test(numbers_inside_words_do_not_match),
        cmocka_unit_test(clocks_match_as_other_templates_do),
        cmocka_unit_test(what_a_template_cannot_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
