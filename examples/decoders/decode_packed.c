/* SPDX-License-Identifier: MIT */
/* Decodes `packed`: a position in at most 24 bytes, which also serve as a key (doc/reference/encodings.md).
 *
 * Input: a line for each position, its bytes in hexadecimal digits. Output: the FEN, with castling rights as the files
 * of the rooks. The number of the move is not stored. */
#include <stdio.h>
#include <string.h>

static char line[64], board[65], rights[5], en_passant[3];
static int at; /* the next bit of the line */

/* Reads a number of `count` bits, the highest first. */
static int read_bits(int count)
{
    int value = count > 1 ? 2 * read_bits(count - 1) : 0,
        digit = line[at / 4] <= '9' ? line[at / 4] - '0' : line[at / 4] - 'a' + 10;
    return value + (digit >> (3 - at++ % 4) & 1);
}

/* Puts a piece on the first square that is marked as occupied. Kind 10 is a rook or a pawn, depending on the rank. */
static void put_piece(int kind)
{
    char *piece = strchr(board, '?');
    int file = (int)(piece - board) % 8, rank = (int)(piece - board) / 8;
    *piece = kind < 10 ? "PNBRQpnbrq"[kind] : "R??Pp??r"[rank];
    if (kind == 10 && (rank == 0 || rank == 7)) /* the rook may castle */
        strncat(rights, (rank == 0 ? "ABCDEFGH" : "abcdefgh") + file, 1);
    else if (kind == 10) /* the pawn may be captured en passant */
        sprintf(en_passant, "%c%c", 'a' + file, rank == 3 ? '3' : '6');
}

static void print_board(void)
{
    for (int n = 0, empty = 0; n < 64; n++) {
        int square = n ^ 56, file = n % 8; /* from the eighth rank down */
        if (board[square] != '.')
            putchar(board[square]);
        else if (++empty, file == 7 || board[square + 1] != '.')
            putchar('0' + empty), empty = 0;
        if (file == 7)
            putchar(n < 63 ? '/' : ' ');
    }
}

int main(void)
{
    while (scanf("%63s", line) == 1) {
        int pieces = -2; /* without the kings */
        at = 0, *rights = 0, strcpy(en_passant, "-");
        for (int square = 63; square >= 0; square--)
            pieces += (board[square] = read_bits(1) ? '?' : '.') == '?';
        int white = read_bits(1), clock = read_bits(7);
        board[read_bits(6)] = 'K', board[read_bits(6)] = 'k';
        for (int pair; pieces > 1; pieces -= 2)
            pair = read_bits(7), put_piece(pair / 11), put_piece(pair % 11);
        if (pieces == 1)
            put_piece(read_bits(4));
        print_board();
        printf("%c %s %s %d 1\n", white ? 'w' : 'b', *rights ? rights : "-", en_passant, clock);
    }
}
