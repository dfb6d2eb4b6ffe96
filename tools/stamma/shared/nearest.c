/* SPDX-License-Identifier: MIT */
/* The candidate nearest to a misspelt word, by optimal string alignment distance: the number of letters inserted,
 * omitted or replaced, and of neighbours exchanged. */
#include "shared/tool.h"

enum { LENGTH_MAX = 40 }; /* longer words are not compared */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LENGTH_MAX + 1] = {{0}}; /* of prefixes of `a`: two letters shorter, one shorter, and this one */
    for (size_t j = 0; j <= b_length; j++)
        rows[1][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        rows[2][0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned replaced = rows[1][j - 1] + (a[i - 1] != b[j - 1]);
            rows[2][j] = least(replaced, least(rows[1][j], rows[2][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[2][j] = least(rows[2][j], rows[0][j - 2] + 1);
        }
        memcpy(rows[0], rows[1], sizeof rows[0]);
        memcpy(rows[1], rows[2], sizeof rows[1]);
    }
    return rows[1][b_length];
}

/* Accepts at most two wrong letters, and at most a third of the word; also accepts a candidate that the word is a
 * prefix of. */
void tool_nearest_try(tool_nearest *nearest, const char *candidate)
{
    size_t length = strlen(candidate);
    if (nearest->length == 0 || nearest->length > LENGTH_MAX || length > LENGTH_MAX)
        return;
    unsigned far = distance(nearest->word, nearest->length, candidate, length);
    bool begun =
        nearest->length >= 2 && length > nearest->length && memcmp(nearest->word, candidate, nearest->length) == 0;
    unsigned limit = nearest->length < 4 ? 1 : nearest->length < 7 ? 2 : 3;
    if (begun)
        far = least(far, 1);
    if (far <= limit && (!nearest->name || far < nearest->distance)) {
        nearest->name = candidate;
        nearest->distance = far;
    }
}
