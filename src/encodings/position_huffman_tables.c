/* SPDX-License-Identifier: MIT */
/* `huffman-tables`: a class for the state of the rooks, which makes codes of these rooks and often of the kings
 * unnecessary (Wikipedia, "Huffman multi-table approach").
 *
 * Each of the four corners has a rook of its side that may castle (2), a rook of its side that may not (1), or none of
 * these (0): 81 classes. The class determines the rooks in the corners, all castling rights and, for a side with a
 * right, the square of the king. These pieces are not coded again. If the squares of both kings are implied, a queen
 * needs no bit to distinguish it from a king. The rest is the code of `huffman`; all other rooks, including promoted
 * rooks, have the code of a rook. The positions of a class may be stored in a separate table. In this code the class
 * comes first, in seven bits. */
#include "encodings/position_codes.h"

enum { CLASSES = 81, CLASS_BITS = 7 };

/* Returns a corner, in the order of the ternary digits, lowest first: h1 a1 h8 a8. */
static unsigned corner(unsigned n)
{
    return 56 * (n / 2) + (n % 2 == STAMMA_KING_SIDE ? 7 : 0);
}

unsigned stamma_huffman_class(const stamma_position *p)
{
    unsigned number = 0;
    for (unsigned n = 4; n-- > 0;) {
        bool home = position_pieces(p, n / 2, STAMMA_ROOK) >> corner(n) & 1;
        bool right = p->castling[n / 2][n % 2] != STAMMA_SQUARE_NONE;
        number = 3 * number + (right ? 2 : home ? 1 : 0);
    }
    return number;
}

/* Puts the pieces and rights that a class implies on the board. */
static huffman_board put_class(unsigned number, stamma_position *p)
{
    huffman_board how = {0, {false, false}, false};
    for (unsigned n = 0; n < 4; n++, number /= 3) {
        if (number % 3 == 0)
            continue;
        position_put(p, n / 2, STAMMA_ROOK, corner(n));
        if (number % 3 == 2) {
            p->castling[n / 2][n % 2] = (stamma_square)corner(n);
            how.kings_known[n / 2] = true;
        }
    }
    for (unsigned color = 0; color < 2; color++)
        if (how.kings_known[color])
            position_put(p, color, STAMMA_KING, 56 * color + 4);
    how.known = position_occupied(p);
    return how;
}

static stamma_error write_tables(const stamma_position_codec *codec, const stamma_position *p, bit_writer *out,
                                 explanation *parts)
{
    (void)codec;
    if (!stamma_castling_is_standard(p))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_position coded = {.side = p->side};
    huffman_board how = put_class(stamma_huffman_class(p), &coded);
    how.more_follows = stamma_en_passant_choices(p) != 0;
    stamma_position_write_state(p, out, parts);
    stamma_bits_write(out, stamma_huffman_class(p), CLASS_BITS);
    EXPLAIN(parts, "class of rooks at home and rights: h1 %u, a1 %u, h8 %u, a8 %u", stamma_huffman_class(p) % 3,
            stamma_huffman_class(p) / 3 % 3, stamma_huffman_class(p) / 9 % 3, stamma_huffman_class(p) / 27);
    stamma_huffman_write_board(p, how, out, parts);
    stamma_position_write_en_passant(p, out, parts);
    return STAMMA_OK;
}

static bool read_tables(bit_reader *in, stamma_position *p)
{
    if (!stamma_position_read_state(in, p))
        return false;
    unsigned number = (unsigned)stamma_bits_read(in, CLASS_BITS);
    bool whole;
    if (number >= CLASSES || !stamma_huffman_read_board(in, put_class(number, p), p, &whole))
        return false;
    return !whole || stamma_position_read_en_passant(in, p);
}

const stamma_position_codec stamma_position_codec_huffman_tables = {
    .info = {.name = "huffman-tables",
             .source = SOURCE_BOARDS,
             .description = "huffman, preceded by one of 81 classes of rooks at home, rights and kings"},
    .write = write_tables,
    .read = read_tables,
};
