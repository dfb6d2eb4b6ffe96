/* SPDX-License-Identifier: MIT */
/* Decodes a game of `legal-index-bits`: each move is its number among the n legal moves, in ceil(log2 n) bits
 * (doc/reference/encodings.md).
 *
 * Input: a line for each game, its bytes in hexadecimal digits, and after a tab the legal moves before each ply. The
 * moves of a ply are sorted and separated by blanks, the plies by commas. A program with a move generator makes the
 * lists while it plays the moves. Output: the moves of each game. The null move is 0000. */
#include <stdio.h>
#include <string.h>

static char line[1 << 20];
static const char *code; /* the hexadecimal digits */
static unsigned at;      /* the next bit of the code */

/* Reads a number of `count` bits, the highest first. */
static unsigned read_bits(unsigned count)
{
    unsigned value = 0;
    for (; count > 0; count--, at++) {
        char digit = code[at / 4];
        unsigned four = (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
        value = 2 * value + (four >> (3 - at % 4) & 1);
    }
    return value;
}

/* Reads a number of seven bits per byte, the lowest first. */
static unsigned read_varint(void)
{
    unsigned byte = read_bits(8);
    return byte < 128 ? byte : byte - 128 + 128 * read_varint();
}

int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strchr(line, '\t') + 1;
        static char is_null[4096];
        memset(is_null, 0, sizeof is_null);
        code = line, at = 0;
        unsigned count = read_varint(), ply = 0; /* twice the number of plies, plus 1 if null moves are listed */
        for (unsigned listed = count & 1 ? read_varint() : 0; listed > 0; listed--)
            is_null[(ply += read_varint()) & 4095] = 1, ply++;
        for (ply = 0; ply < count / 2; ply++) {
            char *end = legal + strcspn(legal, ",\n");
            unsigned moves = 1, bits = 0;
            for (char *letter = legal; letter < end; letter++)
                moves += *letter == ' ';
            while (1u << bits < moves)
                bits++;
            for (unsigned index = is_null[ply & 4095] ? 0 : read_bits(bits); index > 0; index--)
                legal = strchr(legal, ' ') + 1;
            printf("%.*s%c", (int)strcspn(legal, " ,\n"), is_null[ply & 4095] ? "0000" : legal,
                   ply + 1 < count / 2 ? ' ' : '\n');
            legal = end + 1;
        }
    }
    return 0;
}
