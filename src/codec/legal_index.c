/* `legal-index` and `legal-index-bits`: the place of a move in the canonical order of legal moves (seeds 000, 004). */
#include "codec/codec.h"

size_t stamma_legal_index(const stamma_position *position, stamma_move move, size_t *count)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    *count = stamma_legal_moves_canonical(position, moves);
    size_t at = 0;
    while (at < *count && moves[at] != move)
        at++;
    return at;
}

static stamma_error write_byte(const stamma_position *position, stamma_move move, bit_writer *out)
{
    size_t count = 0, index = stamma_legal_index(position, move, &count);
    if (count > BYTE_CODE_NULL)
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_bits_write(out, move == STAMMA_MOVE_NULL ? BYTE_CODE_NULL : index, 8);
    return STAMMA_OK;
}

static stamma_error read_byte(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t index = (size_t)stamma_bits_read(in, 8), count = stamma_legal_moves_canonical(position, moves);
    if (count > BYTE_CODE_NULL)
        return STAMMA_ERROR_UNSUPPORTED;
    bool is_null = index == BYTE_CODE_NULL && !stamma_position_in_check(position);
    if (in->failed || (index >= count && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = is_null ? STAMMA_MOVE_NULL : moves[index];
    return STAMMA_OK;
}

const stamma_codec stamma_codec_legal_index = {
    .info = {.name = "legal-index",
             .source = "000 004",
             .description = "one byte: the place among the legal moves in canonical order, 255 for the null move",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_byte,
    .read = read_byte,
};

static stamma_error write_bits(const stamma_position *position, stamma_move move, bit_writer *out)
{
    size_t count = 0, index = stamma_legal_index(position, move, &count);
    stamma_bits_write(out, index, bits_for(count));
    return STAMMA_OK;
}

static stamma_error read_bits(const stamma_position *position, bit_reader *in, stamma_move *move)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(position, moves);
    size_t index = (size_t)stamma_bits_read(in, bits_for(count));
    if (in->failed || index >= count)
        return STAMMA_ERROR_CORRUPT;
    *move = moves[index];
    return STAMMA_OK;
}

const stamma_codec stamma_codec_legal_index_bits = {
    .info = {.name = "legal-index-bits",
             .source = "000 004",
             .description = "the place among the n legal moves in ceil(log2 n) bits",
             .kind = STAMMA_CODEC_POSITION},
    .write = write_bits,
    .read = read_bits,
};
