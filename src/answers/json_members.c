/* SPDX-License-Identifier: MIT */
/* Reads members of JSON objects that a program has written. A missing member, or a member of another kind, is an
 * error. */
#include "answers/answers.h"

#include <stdio.h>

static void fail(value_reader *r, const json_value *at, const char *name, const char *what)
{
    stamma_query_problem *fault = &r->json.fault;
    if (r->failed)
        return;
    r->failed = true;
    fault->offset = at->offset;
    fault->size = at->size;
    (void)snprintf(fault->message, sizeof fault->message, "\"%s\": %s", name, what);
}

const json_value *stamma_json_find(const value_reader *r, const json_value *object, const char *name)
{
    const json_value *member = object->kind == JSON_OBJECT ? json_first(&r->json, object) : NULL;
    size_t size = strlen(name);
    for (; member; member = json_next(&r->json, member)) {
        stamma_text given = json_name(&r->json, member);
        if (given.size == size && memcmp(given.data, name, size) == 0)
            return member;
    }
    return NULL;
}

const json_value *stamma_json_member(value_reader *r, const json_value *object, const char *name, json_kind kind)
{
    const json_value *member = stamma_json_find(r, object, name);
    if (member && member->kind == kind)
        return member;
    fail(r, member ? member : object, name, member ? "of another kind" : "missing");
    return NULL;
}

uint64_t stamma_json_count(value_reader *r, const json_value *object, const char *name)
{
    const json_value *member = stamma_json_member(r, object, name, JSON_NUMBER);
    stamma_text digits = member ? json_text(&r->json, member) : (stamma_text){"", 0};
    uint64_t number = 0;
    bool right = digits.size > 0 && digits.size < 16; /* more digits could make sums overflow */
    for (size_t n = 0; n < digits.size && right; n++) {
        right = digits.data[n] >= '0' && digits.data[n] <= '9';
        number = number * 10 + (uint64_t)(digits.data[n] - '0');
    }
    if (member && !right)
        fail(r, member, name, "expected a number from 0 on");
    return right ? number : 0;
}

stamma_text stamma_json_word(value_reader *r, const json_value *object, const char *name)
{
    const json_value *member = stamma_json_member(r, object, name, JSON_TEXT);
    return member ? json_text(&r->json, member) : (stamma_text){"", 0};
}

stamma_text stamma_json_word_or_null(value_reader *r, const json_value *object, const char *name)
{
    const json_value *member = stamma_json_find(r, object, name);
    const stamma_text none = {NULL, 0};
    return member && member->kind == JSON_NULL ? none : stamma_json_word(r, object, name);
}

void stamma_json_expect(value_reader *r, bool right, const json_value *object, const char *name)
{
    if (!right)
        fail(r, object, name, "no such value is written");
}

stamma_error stamma_json_open_value(value_reader *r, stamma_text json, const stamma_allocator *allocator,
                                    const char *kind)
{
    memset(r, 0, sizeof *r);
    r->json.json = json;
    r->json.values.allocator = r->json.texts.allocator = allocator;
    stamma_error error = stamma_json_read(&r->json);
    if (error != STAMMA_OK)
        return error;
    stamma_text given = stamma_json_word(r, json_value_at(&r->json, 0), "kind");
    bool right = given.size == strlen(kind) && memcmp(given.data, kind, given.size) == 0;
    stamma_json_expect(r, right, json_value_at(&r->json, 0), "kind");
    return r->failed ? STAMMA_ERROR_SYNTAX : STAMMA_OK;
}

stamma_error stamma_json_close_value(value_reader *r, stamma_error error, stamma_query_problem *fault)
{
    if (error == STAMMA_ERROR_SYNTAX && fault)
        *fault = r->json.fault;
    stamma_json_release(&r->json);
    return error;
}
