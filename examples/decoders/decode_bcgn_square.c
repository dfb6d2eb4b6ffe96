/* SPDX-License-Identifier: MIT */
/* Decodes `bcgn-square`: a move in one byte, as level 1 of Stamma's archives stores it (doc/reference/encodings.md).
 *
 * Input: a line for each move: its byte, the position before it as FEN, and the sorted legal moves, for positions with
 * many queens; separated by tabs. Output: the move in UCI notation; castling is O-O, the null move 0000. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a piece attacks a square from another on the empty board. */
static int attacks(char piece, int from, int to)
{
    int x = abs(from % 8 - to % 8), y = abs(from / 8 - to / 8), straight = (x == 0) != (y == 0), diagonal = x == y && x;
    if (piece == 'N')
        return x * y == 2;
    return (straight && piece != 'B') || (diagonal && piece != 'R') ? piece != 'K' || (x < 2 && y < 2) : 0;
}

/* Returns the largest number of moves of a piece from one square. */
static int bound(char piece)
{
    return piece == 'P' ? 12 : piece == 'B' ? 13 : piece == 'R' ? 14 : piece == 'Q' ? 27 : piece ? 8 : 0;
}

/* Prints the move of a piece with a number among the piece's moves. */
static void print_move(char piece, int from, int number, int white)
{
    int promotes = piece == 'P' && from / 8 == (white ? 6 : 1), to = 0;
    if (piece == 'P') /* 0-3 captures to the left, 4-7 advances (5: two ranks), 8-11 captures to the right */
        to = from + (white ? 8 : -8) * (number == 5 && !promotes ? 2 : 1) + number / 4 - 1;
    for (int n = number; piece != 'P' && to < 64 && !(attacks(piece, from, to) && n-- == 0); to++)
        continue;
    if (to == 64) /* a king on the edge has at most five steps */
        puts(number == 6 ? "O-O" : "O-O-O");
    else
        printf("%c%d%c%d%.*s\n", 'a' + from % 8, 1 + from / 8, 'a' + to % 8, 1 + to / 8, promotes, &"nbrq"[number % 4]);
}

int main(void)
{
    for (char line[4096]; fgets(line, sizeof line, stdin);) {
        char own[64] = {0}; /* the pieces of the side to move, as capital letters */
        int number = atoi(strtok(line, "\t")), square = 56, sum = 0;
        char *fen = strtok(NULL, "\t"), *legal = strtok(NULL, "\n"), *side = strchr(fen, ' ') + 1;
        for (; *fen != ' '; square += isdigit(*fen) ? *fen - '0' : *fen == '/' ? -16 : 1, fen++)
            if (isalpha(*fen) && !isupper(*fen) == (*side == 'b'))
                own[square] = (char)toupper(*fen), sum += bound(own[square]);
        if (sum > 255) /* the number of the legal move */
            for (int n = number; n > 0 && n < 255; n--)
                legal = strchr(legal, ' ') + 1;
        for (square = 0; sum <= 255 && number < 255 && number >= bound(own[square]); square++)
            number -= bound(own[square]);
        if (number == 255 || sum > 255)
            printf("%.*s\n", (int)strcspn(legal, " "), number == 255 ? "0000" : legal);
        else
            print_move(own[square], square, number, *side == 'w');
    }
}
