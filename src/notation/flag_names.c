/* SPDX-License-Identifier: MIT */
/* The names of flags of games. */
#include "notation/notation.h"

enum { NAMED = 2, LETTERS = 26 };

static const char *const names[NAMED] = {"deleted", "favourite"};

static bool is_name(stamma_text text, const char *name)
{
    return text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
}

bool stamma_flag_read(stamma_text name, uint32_t *flag)
{
    for (unsigned n = 0; n < NAMED; n++)
        if (is_name(name, names[n])) {
            *flag = 1u << n;
            return true;
        }
    if (is_name(name, "favorite")) {
        *flag = STAMMA_FLAG_FAVOURITE;
        return true;
    }
    if (name.size != 1 || *name.data < 'a' || *name.data > 'z')
        return false;
    *flag = STAMMA_FLAG_LETTER(*name.data);
    return true;
}

size_t stamma_flags_text(uint32_t flags, char *text, size_t size)
{
    char all[STAMMA_FLAGS_SIZE];
    size_t length = 0;
    for (unsigned n = 0; n < NAMED + LETTERS; n++) {
        const char letter[] = {(char)('a' + (int)n - NAMED), 0};
        const char *name = n < NAMED ? names[n] : letter;
        if (!(flags >> n & 1))
            continue;
        if (length > 0)
            all[length++] = ',';
        memcpy(all + length, name, strlen(name));
        length += strlen(name);
    }
    if (length < size)
        memcpy(text, all, length);
    if (size > 0)
        text[length < size ? length : 0] = 0;
    return length;
}
