/* SPDX-License-Identifier: MIT */
/* `huffman`: few bits for frequent pieces (Wikipedia, "Huffman encodings").
 *
 *     empty 0   pawn 10c   bishop 1100c   knight 1101c   rook 1110c   queen 11110c   king 11111c     c: 1 for White
 *
 * The clock and the side to move come first, then the squares from a1 to h8. En passant and the castling rights
 * follow if the board allows them. If nothing follows the board, empty squares at its end are omitted. If the last
 * piece is then a king, its code is omitted too: the king is on the square where the bits end. The exact number of
 * bits is therefore part of the code. */
#include "encodings/position_codes.h"

/* By stamma_piece_type, without the bit of the colour. */
static const uint8_t codes[6] = {2, 13, 12, 14, 30, 31};
static const uint8_t lengths[6] = {2, 4, 4, 4, 5, 5};

static void write_piece(const stamma_position *p, unsigned square, bool short_queen, bit_writer *out)
{
    unsigned type = position_type_at(p, square), code = codes[type], length = lengths[type];
    if (type == STAMMA_QUEEN && short_queen)
        code >>= 1, length--;
    stamma_bits_write(out, code << 1 | (p->by_color[STAMMA_WHITE] >> square & 1), length + 1);
}

void stamma_huffman_write_board(const stamma_position *p, huffman_board how, bit_writer *out, explanation *parts)
{
    uint64_t pieces = position_occupied(p) & ~how.known;
    unsigned end = how.more_follows ? 64 : pieces ? bits_last(pieces) + 1 : 0;
    for (unsigned square = 0; square < end; square++) {
        bool last = square + 1 == end && !how.more_follows;
        if (how.known >> square & 1)
            continue;
        if (!(pieces >> square & 1)) {
            stamma_bits_write(out, 0, 1);
            continue;
        }
        EXPLAIN(parts, "empty squares before %s", stamma_square_name(square).text);
        if (!last || !(p->by_type[STAMMA_KING] >> square & 1))
            write_piece(p, square, how.kings_known[0] && how.kings_known[1], out);
        stamma_explain_piece(parts, p, square);
    }
    EXPLAIN(parts, "empty squares to the end");
}

/* Returns the type of a piece after the first bit of its code has been read. */
static unsigned read_type(bit_reader *in, bool short_queen)
{
    static const uint8_t types[3] = {STAMMA_BISHOP, STAMMA_KNIGHT, STAMMA_ROOK};
    if (!stamma_bits_read(in, 1))
        return STAMMA_PAWN;
    unsigned which = (unsigned)stamma_bits_read(in, 2);
    if (which < 3)
        return types[which];
    return !short_queen && stamma_bits_read(in, 1) ? STAMMA_KING : STAMMA_QUEEN;
}

bool stamma_huffman_read_board(bit_reader *in, huffman_board how, stamma_position *p, bool *whole)
{
    unsigned square = 0;
    for (; square < 64 && (in->at < in->size || how.known >> square & 1); square++) {
        if (how.known >> square & 1 || !stamma_bits_read(in, 1))
            continue;
        unsigned type = read_type(in, how.kings_known[0] && how.kings_known[1]);
        position_put(p, stamma_bits_read(in, 1) ? STAMMA_WHITE : STAMMA_BLACK, type, square);
    }
    *whole = square == 64;
    if (!*whole)
        for (unsigned color = 0; color < 2; color++)
            if (!position_pieces(p, color, STAMMA_KING)) {
                position_put(p, color, STAMMA_KING, square);
                break;
            }
    return !in->failed;
}

static stamma_error write_huffman(const stamma_position_codec *codec, const stamma_position *p, bit_writer *out,
                                  explanation *parts)
{
    (void)codec;
    if (!stamma_castling_is_standard(p))
        return STAMMA_ERROR_UNSUPPORTED;
    huffman_board how = {0, {false, false}, stamma_en_passant_choices(p) || stamma_castling_shown(p)};
    stamma_position_write_state(p, out, parts);
    stamma_huffman_write_board(p, how, out, parts);
    stamma_position_write_en_passant(p, out, parts);
    stamma_position_write_castling(p, out, parts);
    return STAMMA_OK;
}

static bool read_huffman(bit_reader *in, stamma_position *p)
{
    huffman_board how = {0, {false, false}, false};
    bool whole;
    if (!stamma_position_read_state(in, p) || !stamma_huffman_read_board(in, how, p, &whole))
        return false;
    if (whole && !stamma_position_read_en_passant(in, p))
        return false;
    if (whole)
        stamma_position_read_castling(in, p);
    return true;
}

const stamma_position_codec stamma_position_codec_huffman = {
    .info = {.name = "huffman",
             .source = SOURCE_BOARDS,
             .description = "one bit an empty square, three a pawn, five or six a piece"},
    .write = write_huffman,
    .read = read_huffman,
};
