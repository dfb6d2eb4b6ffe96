/* `legal-index`, `legal-index-bits` and `pseudo-legal-index-bits`: the index of a move in the canonical order of
 * legal or pseudo-legal moves (Chess Programming Wiki, "Move Index"; Forster 2015, "One Move in 5.5 Bits"). */
#include "encodings/encodings.h"

/* ---- legal-index: one byte ---- */

static stamma_error write_byte(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               bit_writer *out)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_legal(position, &sets);
    if (sets.moves > BYTE_CODE_NULL)
        return STAMMA_ERROR_UNSUPPORTED;
    size_t index = move == STAMMA_MOVE_NULL ? BYTE_CODE_NULL : stamma_move_sets_index(&sets, position, move);
    stamma_bits_write(out, index, 8);
    return STAMMA_OK;
}

static stamma_error read_byte(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                              stamma_move *move)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_legal(position, &sets);
    size_t index = (size_t)stamma_bits_read(in, 8);
    if (sets.moves > BYTE_CODE_NULL)
        return STAMMA_ERROR_UNSUPPORTED;
    bool is_null = index == BYTE_CODE_NULL && !stamma_position_in_check(position);
    if (in->failed || (index >= sets.moves && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = is_null ? STAMMA_MOVE_NULL : stamma_move_sets_at(&sets, position, index);
    return STAMMA_OK;
}

static void explain_byte(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_legal(position, &sets);
    stamma_explain_index(e, stamma_move_sets_index(&sets, position, move), sets.moves, 8, "legal moves");
}

const stamma_codec stamma_codec_legal_index = {
    .info = {.name = "legal-index",
             .source = SOURCE_WIKI "; " SOURCE_FORSTER,
             .description = "one byte: the index of the move in canonical order of legal moves, 255 for the null move",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_byte,
    .read = read_byte,
    .explain = explain_byte,
};

/* ---- legal-index-bits, pseudo-legal-index-bits: ceil(log2 n) bits, none for a forced move ---- */

/* The moves among which the index is counted. */
typedef struct index_bits {
    void (*collect)(const stamma_position *position, move_sets *sets);
    bool all_legal;
    const char *what;
} index_bits;

static stamma_error write_bits(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               bit_writer *out)
{
    const index_bits *index = codec->variant;
    move_sets sets;
    index->collect(position, &sets);
    stamma_bits_write(out, stamma_move_sets_index(&sets, position, move), bits_for(sets.moves));
    return STAMMA_OK;
}

static stamma_error read_bits(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                              stamma_move *move)
{
    const index_bits *index = codec->variant;
    move_sets sets;
    index->collect(position, &sets);
    size_t number = (size_t)stamma_bits_read(in, bits_for(sets.moves));
    if (in->failed || number >= sets.moves)
        return STAMMA_ERROR_CORRUPT;
    stamma_move found = stamma_move_sets_at(&sets, position, number);
    if (!index->all_legal && !stamma_move_is_legal(position, found))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_bits(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    const index_bits *index = codec->variant;
    move_sets sets;
    index->collect(position, &sets);
    stamma_explain_index(e, stamma_move_sets_index(&sets, position, move), sets.moves, bits_for(sets.moves),
                         index->what);
}

const stamma_codec stamma_codec_legal_index_bits = {
    .info = {.name = "legal-index-bits",
             .source = SOURCE_WIKI "; " SOURCE_FORSTER,
             .description = "the index among the n legal moves in ceil(log2 n) bits",
             .kind = STAMMA_CODEC_POSITION},
    .variant = &(const index_bits){stamma_move_sets_legal, true, "legal moves"},
    .write = write_bits,
    .read = read_bits,
    .explain = explain_bits,
};

const stamma_codec stamma_codec_pseudo_legal_index_bits = {
    .info = {.name = "pseudo-legal-index-bits",
             .source = SOURCE_WIKI,
             .description = "the index among the n pseudo-legal moves in ceil(log2 n) bits",
             .kind = STAMMA_CODEC_POSITION},
    .variant = &(const index_bits){stamma_move_sets_pseudo_legal, false, "pseudo-legal moves"},
    .write = write_bits,
    .read = read_bits,
    .explain = explain_bits,
};
