/* SPDX-License-Identifier: MIT */
/* Encodings of positions: their interface, and functions that several of them share. */
#ifndef STAMMA_POSITION_CODES_H
#define STAMMA_POSITION_CODES_H

#include "encodings/encodings.h"

struct stamma_position_codec {
    stamma_position_codec_info info;
    const void *variant; /* as in struct stamma_codec */

    /* Writes the code of a position. The position is complete if info.is_text, otherwise the result of
     * stamma_position_coded. If `parts` is not NULL, names the parts of the code, and `out` is &parts->out. Returns
     * OK, also if the writer has failed, or UNSUPPORTED. */
    stamma_error (*write)(const stamma_position_codec *codec, const stamma_position *position, bit_writer *out,
                          explanation *parts);

    /* Reads a code, which may be any bits. On entry the position has no pieces, castling rights and en passant square,
     * White to move, clock 0 and move number 1. Only the sets and plain members need to be set. The caller completes
     * the position, rejects impossible positions, and accepts only the code that `write` produces. Returns false if the
     * bits are not a code. NULL if info.is_partial. */
    bool (*read)(bit_reader *in, stamma_position *position);
};

extern const stamma_position_codec stamma_position_codec_fen;              /* position_texts.c */
extern const stamma_position_codec stamma_position_codec_shredder_fen;     /* position_texts.c */
extern const stamma_position_codec stamma_position_codec_stream;           /* position_stream.c */
extern const stamma_position_codec stamma_position_codec_huffman;          /* position_huffman.c */
extern const stamma_position_codec stamma_position_codec_huffman_gaps;     /* position_huffman_gaps.c */
extern const stamma_position_codec stamma_position_codec_huffman_gaps_key; /* position_huffman_gaps.c */
extern const stamma_position_codec stamma_position_codec_huffman_tables;   /* position_huffman_tables.c */
extern const stamma_position_codec stamma_position_codec_kings_castling;   /* position_kings_castling.c */
extern const stamma_position_codec stamma_position_codec_packed;           /* position_packed.c */
extern const stamma_position_codec stamma_position_codec_number;           /* position_number.c */

/* Puts a piece on an empty square. */
STAMMA_INLINE void position_put(stamma_position *p, unsigned color, unsigned type, unsigned square)
{
    p->by_color[color] |= square_bit(square);
    p->by_type[type] |= square_bit(square);
}

/* position_code.c: returns the squares that may be the en passant square. An enemy pawn may just have made a double
 * push over each square, and a pawn of the side to move is next to the enemy pawn. There are at most 5. */
uint64_t stamma_en_passant_choices(const stamma_position *position);

/* Clock (7 bits) and side to move (1 for White), as most codes contain them. */
void stamma_position_write_state(const stamma_position *position, bit_writer *out, explanation *parts);
bool stamma_position_read_state(bit_reader *in, stamma_position *position);

/* En passant: the number of the choice, from 1, in three bits. No bits if there are no choices. */
void stamma_position_write_en_passant(const stamma_position *position, bit_writer *out, explanation *parts);
bool stamma_position_read_en_passant(bit_reader *in, stamma_position *position);

/* Castling: a bit for each of the rights K Q k q that the positions of king and rook allow in standard chess. */
unsigned stamma_castling_shown(const stamma_position *position);   /* a set of bits 1 << (2 * color + side) */
bool stamma_castling_is_standard(const stamma_position *position); /* every right is in that set */
void stamma_position_write_castling(const stamma_position *position, bit_writer *out, explanation *parts);
void stamma_position_read_castling(bit_reader *in, stamma_position *position);

/* ---- position_huffman.c: the board in the source's code; also for position_huffman_tables.c ---- */

/* How to write a board. The squares of `known` pieces are skipped. A queen is 1111c if both kings are known. */
typedef struct huffman_board {
    uint64_t known;
    bool kings_known[2];
    bool more_follows; /* if set, empty squares at the end are written too */
} huffman_board;

void stamma_huffman_write_board(const stamma_position *position, huffman_board how, bit_writer *out,
                                explanation *parts);
/* Reads pieces until the squares or the bits end. A king that the bits do not contain is placed on the square where
 * they end. Known pieces must already be on the board. *whole is set if all squares were read; more data may then
 * follow. */
bool stamma_huffman_read_board(bit_reader *in, huffman_board how, stamma_position *position, bool *whole);

/* position_huffman_tables.c: returns the class of a position's rooks, 0 to 80. The castling rights must be rights of
 * standard chess. */
unsigned stamma_huffman_class(const stamma_position *position);

#endif
