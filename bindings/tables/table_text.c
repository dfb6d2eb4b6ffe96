/* SPDX-License-Identifier: MIT */
/* Text that grows, and messages. */
#include "sql_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tables_fail(tables_fault *fault, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, values);
    va_end(values);
    return false;
}

bool tables_fail_memory(tables_fault *fault)
{
    fault->no_memory = true;
    return tables_fail(fault, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
}

static bool reserve(tables_text *t, size_t size)
{
    if (t->failed || size >= SIZE_MAX / 4 - t->size)
        return false;
    size_t needed = t->size + size + 1;
    if (needed <= t->room)
        return true;
    size_t room = needed + needed / 2 + 64;
    char *data = realloc(t->data, room);
    t->failed = !data;
    if (!data)
        return false;
    t->data = data;
    t->room = room;
    return true;
}

void tables_text_add(tables_text *t, const char *bytes, size_t size)
{
    if (!reserve(t, size)) {
        t->failed = true;
        return;
    }
    if (size > 0)
        memcpy(t->data + t->size, bytes, size);
    t->size += size;
    t->data[t->size] = '\0';
}

void tables_text_put(tables_text *t, const char *string)
{
    tables_text_add(t, string, strlen(string));
}

void tables_text_put_integer(tables_text *t, int64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRId64, number);
    tables_text_put(t, digits);
}

void tables_text_put_real(tables_text *t, double number)
{
    char digits[40];
    if (!isfinite(number)) {
        tables_text_put(t, "null");
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        (void)snprintf(digits, sizeof digits, "%.*g", precision, number);
        const double difference = strtod(digits, NULL) - number;
        if (!(difference < 0) && !(difference > 0))
            break;
    }
    tables_text_put(t, digits);
}

void tables_text_put_json(tables_text *t, stamma_text text)
{
    size_t plain = 0;
    tables_text_put(t, "\"");
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char byte = (unsigned char)text.data[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\')
            continue;
        char escape[8];
        (void)snprintf(escape, sizeof escape, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
        tables_text_add(t, text.data + plain, i - plain);
        tables_text_put(t, escape);
        plain = i + 1;
    }
    if (text.size > 0)
        tables_text_add(t, text.data + plain, text.size - plain);
    tables_text_put(t, "\"");
}
