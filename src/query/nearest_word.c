/* SPDX-License-Identifier: MIT */
/* Finds the word that was probably meant: the word with the smallest Levenshtein distance. */
#include "query/query.h"

enum { WORD_MAX = 32 }; /* longer words are not compared */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance(stamma_text a, const char *b, size_t b_size)
{
    unsigned row[WORD_MAX + 1];
    for (unsigned j = 0; j <= b_size; j++)
        row[j] = j;
    for (unsigned i = 1; i <= a.size; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            unsigned replaced = diagonal + (a.data[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_size];
}

const char *stamma_nearest_word(stamma_text word, const char *const *words)
{
    unsigned limit = word.size < 4 ? 1 : word.size < 7 ? 2 : 3, best = limit + 1;
    const char *nearest = NULL;
    if (word.size == 0 || word.size > WORD_MAX)
        return NULL;
    for (; *words; words++) {
        size_t size = strlen(*words);
        bool begun = word.size >= 3 && size > word.size && memcmp(word.data, *words, word.size) == 0;
        unsigned far = size > WORD_MAX ? best : begun ? 1 : distance(word, *words, size);
        if (far < best) {
            best = far;
            nearest = *words;
        }
    }
    return nearest;
}
