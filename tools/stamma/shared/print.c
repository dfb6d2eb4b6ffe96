/* SPDX-License-Identifier: MIT */
/* Small pieces of output on standard output or elsewhere, collected and written in large pieces. */
#include "shared/tool.h"

_Thread_local tool_waiting tool_print_waiting;
static _Thread_local stamma_output elsewhere; /* standard output if `write` is NULL */

static enum { UNKNOWN, FILE_OR_PIPE, TERMINAL } standard_output;

void tool_print_redirected(void)
{
    standard_output = UNKNOWN;
}

static void print_masked(const char *bytes, size_t size)
{
    static unsigned state;
    char shown[1024];
    for (size_t part; size > 0; bytes += part, size -= part) {
        part = size < sizeof shown ? size : sizeof shown;
        tool_text_mask(bytes, part, shown, &state);
        (void)fwrite(shown, 1, part, stdout);
    }
}

static void print(const char *bytes, size_t size)
{
    if (standard_output == UNKNOWN)
        standard_output = system_is_terminal(SYSTEM_OUTPUT) ? TERMINAL : FILE_OR_PIPE;
    if (standard_output == TERMINAL)
        print_masked(bytes, size);
    else
        (void)fwrite(bytes, 1, size, stdout);
}

void tool_print_bytes(const char *bytes, size_t size)
{
    tool_put_flush();
    print(bytes, size);
}

static void put_out(const char *bytes, size_t size)
{
    if (elsewhere.write)
        (void)elsewhere.write(elsewhere.context, bytes, size);
    else
        print(bytes, size);
}

void tool_put_to(const stamma_output *output)
{
    tool_put_flush();
    elsewhere = output ? *output : (stamma_output){NULL, NULL, NULL};
}

void tool_put_flush(void)
{
    if (tool_print_waiting.size > 0)
        put_out(tool_print_waiting.bytes, tool_print_waiting.size);
    tool_print_waiting.size = 0;
}

void tool_put_large(const char *bytes, size_t size)
{
    tool_put_flush();
    put_out(bytes, size);
}

void tool_put_string(const char *string)
{
    tool_put(string, strlen(string));
}

void tool_put_number(uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    tool_put(digits + at, sizeof digits - at);
}

void tool_put_integer(int64_t number)
{
    if (number < 0)
        tool_put_char('-');
    tool_put_number(number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}
