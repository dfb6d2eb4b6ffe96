/* SPDX-License-Identifier: MIT */
/* `uci`, `san` and `lan`: the texts of a move as codecs (Chess Programming Wiki; Grand Chess Tree; Forster 2015). The
 * notation room reads and writes the texts; this file only makes them codecs. As for all codecs, only the text that the
 * writer produces is accepted. To read other spellings use the notation room. */
#include "encodings/encodings.h"
#include "notation/notation.h"

enum { TEXT_MAX = 16 };

/* Reads the characters up to the next space, which is consumed too, or up to the end. */
static bool take_word(bit_reader *in, char text[TEXT_MAX], size_t *size)
{
    for (*size = 0; in->at < in->size;) {
        char letter = (char)stamma_bits_read(in, 8);
        if (letter == ' ')
            break;
        if (*size == TEXT_MAX)
            return false;
        text[(*size)++] = letter;
    }
    return !in->failed;
}

/* The differences between these codecs. */
typedef struct notation {
    size_t (*write)(const stamma_position *position, stamma_move move, char *out, size_t size);
    stamma_error (*read)(const stamma_position *position, stamma_text text, stamma_move *move);
    void (*explain)(explanation *e, const char *text, size_t size);
} notation;

static stamma_error write_text(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    const notation *how = codec->variant;
    char text[TEXT_MAX];
    size_t size = how->write(p, move, text, sizeof text);
    for (size_t n = 0; n < size; n++)
        stamma_bits_write(out, (unsigned char)text[n], 8);
    return STAMMA_OK;
}

static stamma_error read_text(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    const notation *how = codec->variant;
    char text[TEXT_MAX], written[TEXT_MAX];
    size_t size = 0;
    stamma_move found = STAMMA_MOVE_NULL;
    if (!take_word(in, text, &size) || how->read(p, (stamma_text){text, size}, &found) != STAMMA_OK)
        return STAMMA_ERROR_CORRUPT;
    if (how->write(p, found, written, sizeof written) != size || memcmp(text, written, size) != 0)
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_text(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    const notation *how = codec->variant;
    char text[TEXT_MAX];
    size_t size = how->write(p, move, text, sizeof text);
    how->explain(e, text, size);
}

static void explain_part(explanation *e, const char *text, size_t size, const char *what)
{
    uint64_t value = 0;
    for (size_t n = 0; n < size; n++)
        value = value << 8 | (unsigned char)text[n];
    stamma_explain_bits(e, value, 8 * (unsigned)size, "%s", what);
}

/* Writes castling as the king's two squares if king and rook are on their standard squares, otherwise as the squares of
 * king and rook. */
static size_t uci_of(const stamma_position *position, stamma_move move, char *out, size_t size)
{
    return stamma_uci_write(position, move, stamma_target_square(position, move) != stamma_move_to(move), out, size);
}

static void explain_uci(explanation *e, const char *text, size_t size)
{
    explain_part(e, text, 2, "origin");
    explain_part(e, text + 2, 2, "target");
    explain_part(e, text + 4, size - 4, "promotion");
}

const stamma_codec stamma_codec_uci = {
    .info = {.name = "uci",
             .source = SOURCE_TREE "; " SOURCE_FORSTER,
             .description = "origin and target as text, and the promotion's letter",
             .kind = STAMMA_CODEC_MOVE,
             .is_text = true},
    .has_null = true,
    .variant = &(const notation){uci_of, stamma_uci_read, explain_uci},
    .write = write_text,
    .read = read_text,
    .explain = explain_text,
};

/* Names the parts of algebraic notation, starting from both ends. */
static void explain_algebraic(explanation *e, const char *text, size_t size)
{
    size_t first = 0, end = size;
    if (text[0] == 'O') {
        end -= text[end - 1] != 'O';
        explain_part(e, text, end, end == 3 ? "castles on the king's side" : "castles on the queen's side");
    } else {
        end -= text[end - 1] == '+' || text[end - 1] == '#';
        size_t promotes = text[end - 2] == '=' ? 2 : 0, target = end - promotes - 2;
        if (text[0] >= 'A' && text[0] <= 'Z')
            explain_part(e, text, first = 1, "piece");
        bool joined = target > first && (text[target - 1] == 'x' || text[target - 1] == '-');
        explain_part(e, text + first, target - first - joined,
                     target - first - joined == 2 ? "origin"
                     : text[first] >= 'a'         ? "origin's file"
                                                  : "origin's rank");
        explain_part(e, text + target - joined, joined, joined && text[target - 1] == 'x' ? "captures" : "goes");
        explain_part(e, text + target, 2, "target");
        explain_part(e, text + target + 2, promotes, "promotes");
    }
    explain_part(e, text + end, size - end, text[size - 1] == '#' ? "mate" : "check");
}

const stamma_codec stamma_codec_san = {
    .info = {.name = "san",
             .source = SOURCE_WIKI "; " SOURCE_FORSTER,
             .description = "standard algebraic notation, with the shortest disambiguation",
             .kind = STAMMA_CODEC_POSITION,
             .is_text = true},
    .has_null = true,
    .variant = &(const notation){stamma_san_write, stamma_san_read, explain_algebraic},
    .write = write_text,
    .read = read_text,
    .explain = explain_text,
};

const stamma_codec stamma_codec_lan = {
    .info = {.name = "lan",
             .source = SOURCE_FORSTER,
             .description = "long algebraic notation, with both squares always",
             .kind = STAMMA_CODEC_POSITION,
             .is_text = true},
    .has_null = true,
    .variant = &(const notation){stamma_lan_write, stamma_lan_read, explain_algebraic},
    .write = write_text,
    .read = read_text,
    .explain = explain_text,
};
