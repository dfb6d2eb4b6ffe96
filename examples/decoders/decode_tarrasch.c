/* SPDX-License-Identifier: MIT */
/* Decodes `tarrasch`: a move in one byte; four bits for the piece, four for its move (doc/reference/encodings.md).
 * Input: a line for each move: its byte, the position before it as FEN, and the sorted legal moves, for positions with
 * more pieces than codes; separated by tabs. Output: the move in UCI notation; castling is O-O, the null move 0000. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pieces of the side to move by letter, along the files. D and L are bishops on dark and light squares. */
static int squares[128][64];

/* Lists and counts the pieces. Returns whether there are too many of a kind. */
static int set_up(const char *fen, int white, int *count)
{
    char board[64] = {0};
    for (int at = 56; *fen != ' '; at += *fen >= 'A' ? 1 : *fen == '/' ? -16 : *fen - '0', fen++)
        if (*fen >= 'A')
            board[at] = *fen;
    for (int n = 0; n < 64; n++) {
        int at = n % 8 * 8 + n / 8, letter = board[at] & ~32, kind = letter == 'B' ? "DL"[(at + at / 8) % 2] : letter;
        if (kind && (board[at] == letter) == white)
            squares[kind][count[kind]++] = at;
    }
    int queens = count['Q'] > 2 || (count['Q'] == 2 && count['P'] > 6);
    return queens || count['R'] > 2 || count['N'] > 2 || count['D'] > 1 || count['L'] > 1;
}

static int target(int kind, int from, int vector, int white)
{
    static const int knight[] = {17, 15, 6, 10, -15, -17, -6, -10}, king[] = {8, -8, 1, -1, 9, 7, -7, -9};
    static const int pawn[2][4] = {{-8, -16, -9, -7}, {8, 16, 7, 9}}; /* ahead, two ahead, left, right */
    return kind == 'P'   ? from + pawn[white][vector < 4   ? vector
                                              : vector < 8 ? 0
                                                           : vector / 4]
           : kind == 'N' ? from + knight[vector % 8]
           : kind == 'K' ? from + king[vector % 8]
           : kind == 'R' ? (vector < 8 ? from - from % 8 + vector : vector % 8 * 8 + from % 8)
                         : from + (vector % 8 - from % 8) * (vector < 8 ? 9 : -7); /* rising or falling diagonal */
}

int main(void)
{
    for (char line[4096]; fgets(line, sizeof line, stdin);) {
        int byte = atoi(strtok(line, "\t")), piece = byte / 16, vector = byte % 16, count[128] = {0};
        char *fen = strtok(NULL, "\t"), *legal = strtok(NULL, "\n");
        int white = strchr(fen, ' ')[1] == 'w', falls_back = set_up(fen, white, count);
        int second = count['Q'] == 2 && (piece == 6 || piece == 7); /* the second queen */
        int kind = second ? 'Q' : piece < 8 ? 'P' : "KNLDQRRQ"[piece - 8];
        int number = kind == 'P' ? piece : kind == 'N' ? vector / 8 : kind == 'R' ? piece - 13 : second;
        int from = squares[kind][number], moves_as = kind == 'Q' && piece % 8 == 7 ? 'R' : kind;
        int to = target(moves_as, from, vector, white), more = kind == 'P' && vector > 3; /* promotes */
        for (int n = falls_back && byte < 255 ? byte : 0; n > 0; n--)
            legal = strchr(legal, ' ') + 1;
        if (falls_back || byte == 0x8F)
            printf("%.*s\n", (int)strcspn(legal, " "), byte < 255 && falls_back ? legal : "0000");
        else if (kind == 'K' && vector > 7)
            puts(vector == 8 ? "O-O" : "O-O-O");
        else
            printf("%c%d%c%d%.*s\n", 'a' + from % 8, 1 + from / 8, 'a' + to % 8, 1 + to / 8, more, &"nbrq"[vector % 4]);
    }
}
