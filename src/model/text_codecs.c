/* `uci`, `san` and `lan`: the texts of a move as codecs (seeds 000, 002, 004). The notation room reads and writes them;
 * this is only their place among the codecs. Reading is as lenient as there. */
#include "codec/codec.h"
#include "notation/notation.h"

enum { TEXT_MAX = 16 };

/* Takes the characters up to the next blank, which is taken too, or to the end. */
static bool take_word(bit_reader *in, char text[TEXT_MAX], size_t *size)
{
    for (*size = 0; in->at < in->size && !in->failed;) {
        char letter = (char)stamma_bits_read(in, 8);
        if (letter == ' ')
            break;
        if (*size == TEXT_MAX)
            return false;
        text[(*size)++] = letter;
    }
    return !in->failed;
}

static void put_text(bit_writer *out, const char *text, size_t size)
{
    for (size_t n = 0; n < size; n++)
        stamma_bits_write(out, (unsigned char)text[n], 8);
}

typedef stamma_error text_reader(const stamma_position *position, stamma_text text, stamma_move *move);

static stamma_error read_text(const stamma_position *position, bit_reader *in, text_reader *reader, stamma_move *move)
{
    char text[TEXT_MAX];
    size_t size = 0;
    if (!take_word(in, text, &size))
        return STAMMA_ERROR_CORRUPT;
    stamma_text word = {text, size};
    return reader(position, word, move) == STAMMA_OK ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Castling is the king's two squares where it can be, and king takes rook where the pieces stand otherwise. */
static stamma_error write_uci(const stamma_position *position, stamma_move move, bit_writer *out)
{
    char text[STAMMA_UCI_SIZE];
    bool chess960 = stamma_target_square(position, move) != stamma_move_to(move);
    put_text(out, text, stamma_uci_write(position, move, chess960, text, sizeof text));
    return STAMMA_OK;
}
static stamma_error read_uci(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    return read_text(position, in, stamma_uci_read, move);
}

const stamma_codec stamma_codec_uci = {
    .info = {.name = "uci",
             .source = "002 004",
             .description = "origin and target as text, and the promotion's letter",
             .kind = STAMMA_CODEC_MOVE,
             .is_text = true},
    .has_null = true,
    .write = write_uci,
    .read = read_uci,
};

static stamma_error write_san(const stamma_position *position, stamma_move move, bit_writer *out)
{
    char text[STAMMA_SAN_SIZE];
    put_text(out, text, stamma_san_write(position, move, text, sizeof text));
    return STAMMA_OK;
}
static stamma_error read_san(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    return read_text(position, in, stamma_san_read, move);
}

const stamma_codec stamma_codec_san = {
    .info = {.name = "san",
             .source = "000 004",
             .description = "standard algebraic notation, with the shortest disambiguation",
             .kind = STAMMA_CODEC_POSITION,
             .is_text = true},
    .has_null = true,
    .write = write_san,
    .read = read_san,
};

static stamma_error write_lan(const stamma_position *position, stamma_move move, bit_writer *out)
{
    char text[STAMMA_LAN_SIZE];
    put_text(out, text, stamma_lan_write(position, move, text, sizeof text));
    return STAMMA_OK;
}
static stamma_error read_lan(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    return read_text(position, in, stamma_lan_read, move);
}

const stamma_codec stamma_codec_lan = {
    .info = {.name = "lan",
             .source = "004",
             .description = "long algebraic notation, with both squares always",
             .kind = STAMMA_CODEC_POSITION,
             .is_text = true},
    .has_null = true,
    .write = write_lan,
    .read = read_lan,
};
