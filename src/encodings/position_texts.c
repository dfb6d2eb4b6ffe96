/* SPDX-License-Identifier: MIT */
/* `fen` and `shredder-fen`: the texts of a position as codecs (Wikipedia). The notation room reads and writes the
 * texts; this file only makes them codecs. */
#include "encodings/position_codes.h"
#include "notation/notation.h"

static stamma_error write_text(const stamma_position_codec *codec, const stamma_position *position, bit_writer *out,
                               explanation *parts)
{
    static const char *const fields[6] = {"pieces, from the eighth rank down",
                                          "side to move",
                                          "castling rights",
                                          "en passant square",
                                          "halfmove clock",
                                          "number of the move"};
    const stamma_fen_style *style = codec->variant;
    char text[STAMMA_FEN_SIZE];
    size_t size = stamma_fen_write(position, *style, text, sizeof text), field = 0;
    for (size_t n = 0; n < size; n++) {
        if (text[n] == ' ')
            EXPLAIN(parts, "%s", fields[field++]);
        stamma_bits_write(out, (unsigned char)text[n], 8);
        if (text[n] == ' ')
            EXPLAIN(parts, "blank");
    }
    EXPLAIN(parts, "%s", fields[field]);
    return STAMMA_OK;
}

static bool read_text(bit_reader *in, stamma_position *position)
{
    char text[STAMMA_POSITION_CODE_SIZE];
    size_t size = 0;
    while (in->at < in->size)
        text[size++] = (char)stamma_bits_read(in, 8);
    return stamma_fen_read_strict((stamma_text){text, size}, position, NULL, NULL) == STAMMA_OK;
}

const stamma_position_codec stamma_position_codec_fen = {
    .info = {.name = "fen",
             .source = SOURCE_BOARDS,
             .description = "Forsyth-Edwards notation, which includes the move number",
             .is_text = true},
    .variant = &(const stamma_fen_style){STAMMA_FEN_STANDARD},
    .write = write_text,
    .read = read_text,
};

const stamma_position_codec stamma_position_codec_shredder_fen = {
    .info = {.name = "shredder-fen",
             .source = SOURCE_BOARDS,
             .description = "FEN that names castling rooks by their files, as Chess960 needs",
             .is_text = true},
    .variant = &(const stamma_fen_style){STAMMA_FEN_SHREDDER},
    .write = write_text,
    .read = read_text,
};
