/* The list of all position encodings, in the order of doc/encodings.md, and FEN's place among them. It stands above the
 * rooms that they come from: codec and notation. */
#include "codec/codec.h"
#include "model/model.h"
#include "notation/notation.h"

static stamma_error write_fen(const stamma_position *position, bit_writer *out)
{
    char text[STAMMA_FEN_SIZE];
    size_t size = stamma_fen_write(position, STAMMA_FEN_STANDARD, text, sizeof text);
    for (size_t n = 0; n < size; n++)
        stamma_bits_write(out, (unsigned char)text[n], 8);
    return STAMMA_OK;
}

static bool read_fen(bit_reader *in, stamma_position *position)
{
    char text[STAMMA_FEN_SIZE];
    size_t size = 0;
    while (in->at < in->size && size < sizeof text)
        text[size++] = (char)stamma_bits_read(in, 8);
    return stamma_fen_read_strict((stamma_text){text, size}, position, NULL, NULL) == STAMMA_OK;
}

static const stamma_position_codec fen = {
    .info = {.name = "fen",
             .source = "003",
             .description = "Forsyth-Edwards notation, which keeps the number of the move too",
             .is_text = true},
    .write = write_fen,
    .read = read_fen,
};

static const stamma_position_codec *const codecs[] = {
    &fen,
    &stamma_position_codec_stream,
    &stamma_position_codec_huffman,
    &stamma_position_codec_huffman_gaps,
    &stamma_position_codec_huffman_gaps_key,
    &stamma_position_codec_huffman_tables,
    &stamma_position_codec_kings_castling,
    &stamma_position_codec_packed,
    &stamma_position_codec_number,
};

const stamma_position_codec *stamma_position_codec_at(size_t index)
{
    return index < sizeof codecs / sizeof *codecs ? codecs[index] : NULL;
}

const stamma_position_codec *stamma_position_codec_find(stamma_text name)
{
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++)
        if (strlen(codecs[n]->info.name) == name.size && memcmp(codecs[n]->info.name, name.data, name.size) == 0)
            return codecs[n];
    return NULL;
}
