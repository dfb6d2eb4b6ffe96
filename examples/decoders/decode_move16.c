/* SPDX-License-Identifier: MIT */
/* Decodes `move16`: a move in 16 bits, as engines keep it in memory (doc/reference/encodings.md).
 *
 * Input: a line for each move, its number. Output: the move in UCI notation; castling is O-O, the null move 0000. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Writes the move, at most five characters and a NUL. Returns false if no move has this code. */
static bool decode(unsigned code, char uci[6])
{
    unsigned flags = code >> 12, from = code >> 6 & 63, to = code & 63;
    if (code > 0xFFFF || flags == 6 || flags == 7)
        return false;
    if (code == 0)
        strcpy(uci, "0000");
    else if (flags == 2 || flags == 3)
        strcpy(uci, flags == 2 ? "O-O" : "O-O-O");
    else
        snprintf(uci, 6, "%c%c%c%c%.*s", "abcdefgh"[from & 7], "12345678"[from >> 3], "abcdefgh"[to & 7],
                 "12345678"[to >> 3], flags & 8 ? 1 : 0, &"nbrq"[flags & 3]);
    return true;
}

int main(void)
{
    unsigned code;
    char uci[6];
    while (scanf("%u", &code) == 1)
        puts(decode(code, uci) ? uci : "no move");
    return 0;
}
