/* SPDX-License-Identifier: MIT */
/* Fields of a URL's query or of a form (application/x-www-form-urlencoded, WHATWG URL Standard 5.1). */
#include "answering/serve_request.h"

#include <stdarg.h>
#include <strings.h>

bool serve_fail(serve_fault *fault, int status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(fault->message, sizeof fault->message, format, values);
    va_end(values);
    fault->status = status;
    return false;
}

bool serve_fail_memory(serve_fault *fault)
{
    return serve_fail(fault, 503, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes the text up to `end` in place and appends a NUL. Returns false for an invalid escape or a NUL. */
static bool decode(char *text, const char *end)
{
    char *to = text;
    for (const char *at = text; at < end; at++) {
        char c = *at == '+' ? ' ' : *at;
        if (*at == '%') {
            int high = end - at > 2 ? hex_digit(at[1]) : -1, low = high < 0 ? -1 : hex_digit(at[2]);
            if (low < 0)
                return false;
            c = (char)(high << 4 | low);
            at += 2;
        }
        if (c == 0)
            return false;
        *to++ = c;
    }
    *to = 0;
    return true;
}

/* Adds "name=value". A field with an empty value is ignored. A byte is written at `end`. */
static bool add_field(serve_form *form, char *text, char *end, serve_fault *fault)
{
    char *equals = memchr(text, '=', (size_t)(end - text));
    if (!equals || equals + 1 == end)
        return true;
    if (form->count == SERVE_FIELDS)
        return serve_fail(fault, 400, "more than %d parameters", SERVE_FIELDS);
    if (!decode(equals + 1, end) || !decode(text, equals))
        return serve_fail(fault, 400, "parameters: a %% must be followed by two hexadecimal digits, and not 00");
    size_t name = strlen(text); /* "speeds[]=" is how older clients write "speeds=" */
    if (name > 2 && strcmp(text + name - 2, "[]") == 0)
        text[name - 2] = 0;
    form->fields[form->count++] = (serve_field){text, equals + 1};
    return true;
}

static char *keep(serve_form *form, const char *text, size_t size, serve_fault *fault)
{
    char *copy = malloc(size + 1);
    if (!copy) {
        (void)serve_fail_memory(fault);
        return NULL;
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    form->memory[form->texts++] = copy;
    return copy;
}

bool serve_form_add(serve_form *form, const char *text, size_t size, serve_fault *fault)
{
    char *at = keep(form, text, size, fault);
    if (!at)
        return false;
    for (char *end = at + size; at <= end;) {
        char *stop = memchr(at, '&', (size_t)(end - at));
        if (!stop)
            stop = end;
        if (!add_field(form, at, stop, fault))
            return false;
        at = stop + 1;
    }
    return true;
}

bool serve_form_add_value(serve_form *form, const char *name, const char *text, size_t size, serve_fault *fault)
{
    if (size == 0)
        return true;
    if (memchr(text, 0, size))
        return serve_fail(fault, 400, "%s: a byte is 0", name);
    if (form->count == SERVE_FIELDS)
        return serve_fail(fault, 400, "more than %d parameters", SERVE_FIELDS);
    char *copy = keep(form, text, size, fault);
    if (copy)
        form->fields[form->count++] = (serve_field){name, copy};
    return copy != NULL;
}

/* Returns whether a media type matches, ignoring case (RFC 9110, 8.3.1) and parameters. */
static bool is_type(const char *type, const char *wanted)
{
    size_t size = strlen(wanted);
    return strncasecmp(type, wanted, size) == 0 && (!type[size] || strchr("; \t", type[size]));
}

bool serve_form_add_body(serve_form *form, const char *type, const char *body, size_t size, serve_fault *fault)
{
    if (!type || is_type(type, "application/x-www-form-urlencoded"))
        return serve_form_add(form, body, size, fault);
    if (is_type(type, "application/json"))
        return serve_form_add_value(form, "query", body, size, fault);
    return serve_fail(fault, 415, "the body must be application/x-www-form-urlencoded, or a query as application/json");
}

/* Returns the name of a parameter that is written with its earlier name, which is still accepted. */
static const char *name_of(const char *name)
{
    static const char *const renamed[][2] = {{"archive", "archive_number"}, {"min", "min_games"}, {"rows", "limit"}};
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(name, renamed[i][0]) == 0)
            return renamed[i][1];
    return name;
}

const char *serve_form_value(const serve_form *form, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < form->count; i++)
        if (strcmp(name_of(form->fields[i].name), name_of(name)) == 0)
            value = form->fields[i].value;
    return value;
}

void serve_form_free(serve_form *form)
{
    for (size_t i = 0; i < form->texts; i++)
        free(form->memory[i]);
    form->count = form->texts = 0;
}
