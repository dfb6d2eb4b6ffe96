/* SPDX-License-Identifier: MIT */
/* Tests the JSON reader: values, strings and their places. query_parse_test.c tests errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "query/query.h"

static stamma_error read_json(json_reader *r, const stamma_allocator *allocator, const char *json, size_t size)
{
    *r = (json_reader){.json = {json, size}};
    r->values.allocator = r->texts.allocator = allocator;
    return stamma_json_read(r);
}

/* Lists a value as JSON with its place: kind@offset+size. */
static void list_value(listing *to, const json_reader *r, const json_value *value)
{
    static const char kinds[] = "nft#\"[{";
    list_format(to, "%c@%zu+%zu", kinds[value->kind], value->offset, value->size);
    if (value->text_size) {
        list_word(to, "=");
        list_bytes(to, json_text(r, value).data, value->text_size);
    }
    for (const json_value *v = json_first(r, value); v; v = json_next(r, v)) {
        list_word(to, v == json_first(r, value) ? " (" : ", ");
        list_bytes(to, json_name(r, v).data, v->name_size);
        if (value->kind == JSON_OBJECT)
            list_word(to, ":");
        list_value(to, r, v);
    }
    if (json_first(r, value))
        list_word(to, ")");
}

static void assert_reads(const char *json, const char *expected)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    json_reader r;
    listing is = {0};
    if (read_json(&r, &allocator, json, strlen(json)) != STAMMA_OK)
        fail_msg("%s: %s", json, r.fault.message);
    list_value(&is, &r, json_value_at(&r, 0));
    assert_string_equal(is.text, expected);
    free(is.text);
    stamma_json_release(&r);
}

static void values(void **state)
{
    (void)state;
    assert_reads("null", "n@0+4");
    assert_reads(" true\r\n", "t@1+4");
    assert_reads("[]", "[@0+2");
    assert_reads("{ }", "{@0+3");
    assert_reads("[1,-2.5 , 3e+7,0]", "[@0+17 (#@1+1=1, #@3+4=-2.5, #@10+4=3e+7, #@15+1=0)");
    assert_reads("[1E5,1E+5,1e-5]", "[@0+15 (#@1+3=1E5, #@5+4=1E+5, #@10+4=1e-5)");
    assert_reads("{\"a\":[{\"\":false}],\"b\" : \"c\"}", "{@0+28 (a:[@5+12 ({@6+10 (:f@10+5)), b:\"@24+3=c)");
}

static void texts(void **state)
{
    (void)state;
    assert_reads("\"\"", "\"@0+2");
    assert_reads("\"\\\"\\\\\\/\\t\"", "\"@0+10=\"\\/\t");
    assert_reads("\"\303\274\"", "\"@0+4=\303\274");
    assert_reads("\"\\u00fC\"", "\"@0+8=\303\274");
    assert_reads("\"\\u20AC\"", "\"@0+8=\342\202\254");
    assert_reads("\"\\ud83d\\ude00\"", "\"@0+14=\360\237\230\200");
    /* an unpaired surrogate is replaced */
    assert_reads("\"\\ud83dx\"", "\"@0+9=\357\277\275x");
    assert_reads("\"\\ud83dabcdefgh\"", "\"@0+16=\357\277\275abcdefgh");
    assert_reads("\"\\ud83d\\nabcdefgh\"", "\"@0+18=\357\277\275\nabcdefgh");
    assert_reads("\"\\ude00\"", "\"@0+8=\357\277\275");
    assert_reads("\"\\ud83d\\u0041\"", "\"@0+14=\357\277\275A");
}

/* Places in a decoded string map to places in the input after escapes. */
static void places(void **state)
{
    (void)state;
    static const char json[] = " \"a\\n\\u00fcb\"";
    static const size_t expected[] = {2, 3, 5, 5, 11, 12}; /* the two bytes of one letter are one escape */
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    json_reader r;
    assert_int_equal(read_json(&r, &allocator, json, strlen(json)), STAMMA_OK);
    const json_value *value = json_value_at(&r, 0);
    assert_int_equal(value->text_size, 5);
    assert_int_equal(stamma_json_place(&r, value, 0), expected[0]);
    assert_int_equal(stamma_json_place(&r, value, 1), expected[1]);
    assert_int_equal(stamma_json_place(&r, value, 2), expected[2]);
    assert_int_equal(stamma_json_place(&r, value, 4), expected[4]);
    assert_int_equal(stamma_json_place(&r, value, 5), expected[5]);
    stamma_json_release(&r);
}

static void depth(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    json_reader r;
    for (unsigned deep = JSON_DEPTH_MAX; deep <= JSON_DEPTH_MAX + 1; deep++) {
        listing json = {0};
        for (unsigned i = 0; i < 2 * deep; i++)
            list_word(&json, i < deep ? "[" : "]");
        bool sound = read_json(&r, &allocator, json.text, json.size) == STAMMA_OK;
        assert_int_equal(sound, deep == JSON_DEPTH_MAX);
        assert_true(sound || (r.fault.offset == JSON_DEPTH_MAX && strcmp(r.fault.message, "nested too deep") == 0));
        stamma_json_release(&r);
        free(json.text);
    }
}

static void members(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    json_reader r;
    for (unsigned count = JSON_MEMBERS_MAX; count <= JSON_MEMBERS_MAX + 1; count++) {
        listing json = {0};
        list_word(&json, "{");
        for (unsigned i = 0; i < count; i++)
            list_format(&json, "%s\"%u\": 1", i ? "," : "", i);
        list_word(&json, "}");
        assert_int_equal(read_json(&r, &allocator, json.text, json.size) == STAMMA_OK, count == JSON_MEMBERS_MAX);
        stamma_json_release(&r);
        free(json.text);
    }
}

/* Every truncated text is an error, and each failed allocation is reported. */
static void cut_short(void **state)
{
    (void)state;
    static const char json[] = "{\"ab\": [1, -2.5e3, \"x\\u00fcy\"], \"c\": {\"d\": null, \"e\": true}}";
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    json_reader r;
    for (size_t size = 0; size < sizeof json; size++) {
        char *exact = malloc(size ? size : 1); /* for sanitizers to detect reads past the end */
        memcpy(exact, json, size);
        stamma_error error = read_json(&r, &allocator, exact, size);
        assert_int_equal(error, size == sizeof json - 1 ? STAMMA_OK : STAMMA_ERROR_SYNTAX);
        assert_true(error == STAMMA_OK || r.fault.offset + r.fault.size <= size);
        stamma_json_release(&r);
        free(exact);
    }
    for (unsigned fail_at = 1; fail_at <= 2; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        const stamma_allocator failing = failing_allocator(&memory);
        assert_int_equal(read_json(&r, &failing, json, strlen(json)), STAMMA_ERROR_NO_MEMORY);
        stamma_json_release(&r);
        assert_int_equal(memory.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(texts),   cmocka_unit_test(places),
        cmocka_unit_test(depth),  cmocka_unit_test(members), cmocka_unit_test(cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
