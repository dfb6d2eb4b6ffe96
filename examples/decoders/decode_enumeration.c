/* SPDX-License-Identifier: MIT */
/* Decodes `enumeration`: a number for every possible move, without a position (doc/reference/encodings.md).
 *
 * Input: a line for each move, its number. Output: the move in UCI notation; castling is O-O, the null move 0000. */
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 22678, CASTLING = 668, KING = 670 }; /* the numbers of each side; the first number of a kind */

/* Returns 64 x origin + target. Way 0 is axb, 1 is bxa, 2 is bxc ... 13 is hxg. */
static int pawn_capture(int rank, int way)
{
    int from = 8 * rank + (way + 1) / 2;
    return 64 * from + from + (way % 2 ? 7 : 9);
}

/* The same for a pawn's move, as White sees it: promotion, with capture, double push, push, capture, en passant. */
static int pawn_move(int n)
{
    if (n < 32)
        return 64 * (48 + n / 4) + 56 + n / 4;
    if (n < 256)
        return pawn_capture(6, (n - 32) / 16);
    if (n < 304)
        return n < 264 ? 64 * (n - 248) + n - 232 : 64 * (n - 256) + n - 248;
    return n < 654 ? pawn_capture(1 + (n - 304) / 70, (n - 304) / 5 % 14) : pawn_capture(4, n - 654);
}

/* Returns whether a piece attacks a square from another on the empty board. */
static int attacks(char piece, int from, int to)
{
    int x = abs(from % 8 - to % 8), y = abs(from / 8 - to / 8), straight = (x == 0) != (y == 0), diagonal = x == y && x;
    if (piece == 'N')
        return x * y == 2;
    return (straight && piece != 'B') || (diagonal && piece != 'R') ? piece != 'K' || (x < 2 && y < 2) : 0;
}

/* The same for other pieces. Each pair of squares has six numbers: no capture, or a captured P N B R Q. */
static int piece_move(int pair)
{
    for (const char *piece = "KNBRQ"; *piece; piece++)
        for (int squares = 0; squares < 64 * 64; squares++)
            if (attacks(*piece, squares / 64, squares % 64) && pair-- == 0)
                return squares;
    return 0;
}

int main(void)
{
    for (int code; scanf("%d", &code) == 1;) {
        int n = code % SIDE, squares = n < CASTLING ? pawn_move(n) : piece_move((n - KING) / 6);
        int flip = code >= SIDE && n < CASTLING ? 56 : 0, from = squares / 64 ^ flip, to = squares % 64 ^ flip;
        const char *promotion = n < 256 ? &"nbrq"[(n < 32 ? n : n / 4) % 4] : "";
        if (code == 2 * SIDE)
            puts("0000");
        else if (n == CASTLING || n == CASTLING + 1)
            puts(n == CASTLING ? "O-O" : "O-O-O");
        else
            printf("%c%d%c%d%.1s\n", 'a' + from % 8, 1 + from / 8, 'a' + to % 8, 1 + to / 8, promotion);
    }
}
