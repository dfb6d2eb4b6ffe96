/* SPDX-License-Identifier: MIT */
/* Values of Arrow arrays as plain values. Lists become JSON. */
#include "sql_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_null(const struct ArrowArray *a, int64_t row)
{
    const uint8_t *validity = a->n_buffers > 0 ? a->buffers[0] : NULL;
    return a->null_count != 0 && validity && (validity[row >> 3] >> (row & 7) & 1) == 0;
}

static tables_value integer(int64_t number)
{
    return (tables_value){.kind = TABLES_INTEGER, .integer = number};
}

static tables_value text(tables_kind kind, const char *data, size_t size)
{
    return (tables_value){.kind = kind, .text = {size > 0 ? data : "", size}};
}

static int32_t offset_at(const struct ArrowArray *a, int64_t row)
{
    return ((const int32_t *)a->buffers[1])[row];
}

static tables_value date(int64_t days, tables_text *space);

/* Returns a value of a type whose format is one letter. */
static tables_value value_of_letter(char letter, const struct ArrowArray *a, int64_t row)
{
    const void *values = a->buffers[1];
    switch (letter) {
    case 'b':
        return (tables_value){.kind = TABLES_BOOL, .integer = ((const uint8_t *)values)[row >> 3] >> (row & 7) & 1};
    case 'c': return integer(((const int8_t *)values)[row]);
    case 'C': return integer(((const uint8_t *)values)[row]);
    case 's': return integer(((const int16_t *)values)[row]);
    case 'S': return integer(((const uint16_t *)values)[row]);
    case 'i': return integer(((const int32_t *)values)[row]);
    case 'I': return integer(((const uint32_t *)values)[row]);
    case 'l': return integer(((const int64_t *)values)[row]);
    case 'L': return (tables_value){.kind = TABLES_UNSIGNED, .integer = (int64_t)((const uint64_t *)values)[row]};
    case 'f': return (tables_value){.kind = TABLES_REAL, .real = (double)((const float *)values)[row]};
    case 'g': return (tables_value){.kind = TABLES_REAL, .real = ((const double *)values)[row]};
    case 'u':
    case 'z': {
        const size_t begin = (size_t)offset_at(a, row), end = (size_t)offset_at(a, row + 1);
        return text(letter == 'u' ? TABLES_TEXT : TABLES_BYTES, (const char *)a->buffers[2] + begin, end - begin);
    }
    default: return (tables_value){.kind = TABLES_NULL};
    }
}

static void put_json(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row, tables_text *out);

static void put_elements(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t begin, int64_t end,
                         tables_text *out)
{
    tables_text_put(out, "[");
    for (int64_t i = begin; i < end; i++) {
        if (i > begin)
            tables_text_put(out, ",");
        put_json(schema->children[0], a->children[0], i, out);
    }
    tables_text_put(out, "]");
}

static void put_members(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row, tables_text *out)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        tables_text_put(out, i ? "," : "{");
        tables_text_put_json(out, stamma_text_of(schema->children[i]->name));
        tables_text_put(out, ":");
        put_json(schema->children[i], a->children[i], row, out);
    }
    tables_text_put(out, "}");
}

/* Appends a list or struct as JSON. */
static void put_nested(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row, tables_text *out)
{
    if (schema->format[1] == 's') {
        put_members(schema, a, row, out);
    } else if (schema->format[1] == 'l') {
        put_elements(schema, a, offset_at(a, row), offset_at(a, row + 1), out);
    } else {
        const int64_t size = strtol(schema->format + 3, NULL, 10); /* "+w:64" */
        put_elements(schema, a, row * size, (row + 1) * size, out);
    }
}

static void put_plain(const tables_value *v, tables_text *out)
{
    switch (v->kind) {
    case TABLES_INTEGER: tables_text_put_integer(out, v->integer); break;
    case TABLES_UNSIGNED: {
        char digits[24];
        (void)snprintf(digits, sizeof digits, "%" PRIu64, (uint64_t)v->integer);
        tables_text_put(out, digits);
        break;
    }
    case TABLES_REAL: tables_text_put_real(out, v->real); break;
    case TABLES_BOOL: tables_text_put(out, v->integer ? "true" : "false"); break;
    case TABLES_TEXT:
    case TABLES_BYTES: tables_text_put_json(out, v->text); break;
    case TABLES_LIST: tables_text_add(out, v->text.data, v->text.size); break;
    case TABLES_NULL: tables_text_put(out, "null"); break;
    }
}

static void put_json(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row, tables_text *out)
{
    const int64_t at = row + a->offset;
    if (is_null(a, at)) {
        tables_text_put(out, "null");
    } else if (schema->format[0] == '+') {
        put_nested(schema, a, at, out);
    } else {
        const tables_value v = value_of_letter(schema->format[0], a, at);
        put_plain(&v, out);
    }
}

/* Returns a day, from 1970-01-01, as text. Source: Howard Hinnant, chrono-Compatible Low-Level Date Algorithms. */
static tables_value date(int64_t days, tables_text *space)
{
    char digits[16];
    const int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t day = shifted - era * 146097;
    const int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int64_t of_year = day - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    const int64_t calendar_month = month < 10 ? month + 3 : month - 9;
    const int64_t number =
        (year + era * 400 + (calendar_month <= 2)) * 10000 + calendar_month * 100 + of_year - (153 * month + 2) / 5 + 1;
    const size_t size = stamma_date_write((uint32_t)number, '-', digits, sizeof digits), begin = space->size;
    tables_text_add(space, digits, size);
    return space->failed ? (tables_value){.kind = TABLES_NULL} : text(TABLES_TEXT, space->data + begin, size);
}

/* Returns microseconds since 1970 as text, such as "2013-01-31T22:01:45Z". */
static tables_value timestamp(int64_t microseconds, tables_text *space)
{
    char time[16];
    const int64_t seconds = microseconds / 1000000, days = (seconds - (seconds < 0 ? 86399 : 0)) / 86400;
    const int64_t of_day = seconds - days * 86400;
    const size_t begin = space->size;
    (void)date(days, space);
    (void)snprintf(time, sizeof time, "T%02d:%02d:%02dZ", (int)(of_day / 3600), (int)(of_day / 60 % 60),
                   (int)(of_day % 60));
    tables_text_put(space, time);
    return space->failed ? (tables_value){.kind = TABLES_NULL}
                         : text(TABLES_TEXT, space->data + begin, space->size - begin);
}

tables_value tables_value_of(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t row,
                             tables_text *space)
{
    const int64_t at = row + array->offset;
    if (is_null(array, at))
        return (tables_value){.kind = TABLES_NULL};
    if (strncmp(schema->format, "td", 2) == 0)
        return date(((const int32_t *)array->buffers[1])[at], space);
    if (strncmp(schema->format, "ts", 2) == 0)
        return timestamp(((const int64_t *)array->buffers[1])[at], space);
    if (schema->format[0] != '+')
        return value_of_letter(schema->format[0], array, at);
    const size_t begin = space->size;
    put_nested(schema, array, at, space);
    return space->failed ? (tables_value){.kind = TABLES_NULL}
                         : text(TABLES_LIST, space->data + begin, space->size - begin);
}
