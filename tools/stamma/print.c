/* What is put on standard output in small pieces: gathered, and given to stdio in large ones. */
#include "tool.h"

tool_waiting tool_print_waiting;

void tool_put_flush(void)
{
    if (tool_print_waiting.size > 0)
        (void)fwrite(tool_print_waiting.bytes, 1, tool_print_waiting.size, stdout);
    tool_print_waiting.size = 0;
}

void tool_put_large(const char *bytes, size_t size)
{
    tool_put_flush();
    (void)fwrite(bytes, 1, size, stdout);
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
