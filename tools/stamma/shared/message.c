/* SPDX-License-Identifier: MIT */
/* Messages for the user, and numbers in readable form. */
#include <stdarg.h>

#include "shared/message_output.h"

/* errno of the first failed write to standard output. */
static int print_error;
static bool print_error_reported;
static const char *print_name = "standard output";
static _Thread_local stamma_output elsewhere; /* of messages; stderr if `write` is NULL */

void tool_print_name(const char *name)
{
    print_name = name;
}

static void keep_print_error(int error)
{
    print_error = error ? error : EIO;
    system_output_failed(print_error);
}

bool tool_printed(void)
{
    tool_put_flush();
    if (ferror(stdout) && print_error == 0)
        keep_print_error(errno);
    return print_error == 0;
}

void tool_message_to(const stamma_output *output)
{
    elsewhere = output ? *output : (stamma_output){NULL, NULL, NULL};
}

static void put_elsewhere(const char *text, size_t size)
{
    (void)elsewhere.write(elsewhere.context, text, size);
}

void tool_message_begin(const char *subject)
{
    int cause = errno; /* the message may still use errno */
    if (elsewhere.write) {
        if (subject)
            tool_message_print("%s: ", subject);
        errno = cause;
        return;
    }
    tool_progress_clear();
    if (tool_printed() && fflush(stdout) != 0)
        keep_print_error(errno);
    (void)fputs("stamma: ", stderr);
    if (subject) {
        /* Make an empty name visible, and remove control characters. */
        (void)tool_text_print(stderr, stamma_text_of(*subject ? subject : "\"\""));
        (void)fputs(": ", stderr);
    }
    errno = cause;
}

/* If memory is exhausted, a long message is cut. */
void tool_message_print(const char *format, ...)
{
    char usual[1024], *text = usual;
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    const int length = vsnprintf(usual, sizeof usual, format, values);
    size_t size = length > 0 ? (size_t)length : 0;
    if (size >= sizeof usual) {
        char *longer = malloc(size + 1);
        if (longer)
            (void)vsnprintf(text = longer, size + 1, format, again);
        else
            size = sizeof usual - 1;
    }
    va_end(again);
    va_end(values);
    unsigned state = 0;
    tool_text_mask(text, size, text, &state);
    if (elsewhere.write)
        put_elsewhere(text, size);
    else
        (void)fwrite(text, 1, size, stderr);
    if (text != usual)
        free(text);
}

void tool_message_end(void)
{
    if (!elsewhere.write)
        (void)fputc('\n', stderr);
}

bool tool_print_finish(void)
{
    if (tool_printed() && fflush(stdout) != 0)
        keep_print_error(errno);
    if (print_error && !print_error_reported)
        tool_say(print_name, "%s", strerror(print_error));
    print_error_reported |= print_error != 0;
    return print_error == 0;
}

const char *tool_number(uint64_t value, char out[TOOL_NUMBER_SIZE])
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *at = out;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = 0;
    return out;
}

const char *tool_bytes(double value, char out[TOOL_NUMBER_SIZE])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    (void)snprintf(out, TOOL_NUMBER_SIZE, "%.*f %s", decimals, value, units[unit]);
    return out;
}
