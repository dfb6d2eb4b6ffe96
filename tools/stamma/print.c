/* What is put on standard output in small pieces: gathered, and given to stdio in large ones. */
#include "tool.h"

static char waiting[1 << 15];
static size_t waiting_size;

void tool_put_flush(void)
{
    if (waiting_size > 0)
        (void)fwrite(waiting, 1, waiting_size, stdout);
    waiting_size = 0;
}

void tool_put(const char *bytes, size_t size)
{
    if (size > sizeof waiting - waiting_size) {
        tool_put_flush();
        if (size > sizeof waiting) {
            (void)fwrite(bytes, 1, size, stdout);
            return;
        }
    }
    if (size > 0)
        memcpy(waiting + waiting_size, bytes, size);
    waiting_size += size;
}

void tool_put_char(char byte)
{
    if (waiting_size == sizeof waiting)
        tool_put_flush();
    waiting[waiting_size++] = byte;
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
