/* SPDX-License-Identifier: MIT */
/* `move16`, the representation of moves in this library, and `butterfly`, its low twelve bits (Chess Programming Wiki;
 * Lench; Grand Chess Tree). The layout and the accessors are public: see stamma_move in stamma.h. */
#include "encodings/encodings.h"

static stamma_error write_move16(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 bit_writer *out)
{
    (void)codec, (void)position;
    stamma_bits_write(out, move, 16);
    return STAMMA_OK;
}

static stamma_error read_move16(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                                stamma_move *move)
{
    (void)codec;
    stamma_move found = (stamma_move)stamma_bits_read(in, 16);
    if (in->failed || !stamma_codec_may_play(position, found))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static const char *flag_text(unsigned flags)
{
    static const char *const texts[16] = {
        "quiet",
        "double push",
        "castles on the king's side",
        "castles on the queen's side",
        "capture",
        "en passant",
        "never",
        "never",
        "promotes to a knight",
        "promotes to a bishop",
        "promotes to a rook",
        "promotes to a queen",
        "captures and promotes to a knight",
        "captures and promotes to a bishop",
        "captures and promotes to a rook",
        "captures and promotes to a queen",
    };
    return texts[flags & 15];
}

static void explain_squares(explanation *e, stamma_move move)
{
    stamma_explain_square(e, stamma_move_from(move), "origin");
    stamma_explain_square(e, stamma_move_to(move), "target");
}

void stamma_explain_move16(explanation *e, stamma_move move)
{
    stamma_explain_bits(e, stamma_move_flags(move), 4, "%s", flag_text(stamma_move_flags(move)));
    explain_squares(e, move);
}

static void explain_move16(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec, (void)position;
    stamma_explain_move16(e, move);
}

const stamma_codec stamma_codec_move16 = {
    .info = {.name = "move16",
             .source = SOURCE_WIKI "; " SOURCE_LENCH "; " SOURCE_TREE,
             .description = "target in bits 0-5, origin in 6-11, flags in 12-15",
             .kind = STAMMA_CODEC_MOVE},
    .has_null = true,
    .write = write_move16,
    .read = read_move16,
    .explain = explain_move16,
};

static stamma_error write_butterfly(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                    bit_writer *out)
{
    (void)codec, (void)position;
    stamma_bits_write(out, stamma_move_butterfly(move), 12);
    return STAMMA_OK;
}

/* Promotions to different pieces share an index. In Chess960, castling and a step of the king may also share an
 * index. */
static stamma_error read_butterfly(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                                   stamma_move *move)
{
    (void)codec;
    stamma_move moves[STAMMA_MOVES_MAX], found = STAMMA_MOVE_NULL;
    unsigned index = (unsigned)stamma_bits_read(in, 12), answers = 0;
    size_t count = in->failed ? 0 : stamma_legal_moves(position, moves);
    for (size_t n = 0; n < count; n++)
        if (stamma_move_butterfly(moves[n]) == index) {
            found = moves[n];
            answers++;
        }
    if (answers != 1)
        return answers == 0 ? STAMMA_ERROR_CORRUPT : STAMMA_ERROR_AMBIGUOUS;
    *move = found;
    return STAMMA_OK;
}

static void explain_butterfly(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                              explanation *e)
{
    (void)codec, (void)position;
    explain_squares(e, move);
}

const stamma_codec stamma_codec_butterfly = {
    .info = {.name = "butterfly",
             .source = SOURCE_WIKI "; " SOURCE_LENCH "; " SOURCE_TREE,
             .description = "the low 12 bits of move16, an index into a table of 64 x 64",
             .kind = STAMMA_CODEC_MOVE,
             .is_partial = true},
    .write = write_butterfly,
    .read = read_butterfly,
    .explain = explain_butterfly,
};
