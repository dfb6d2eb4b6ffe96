/* Games of `tarrasch`, `tojot` and their kin, for processors with fast BMI2: sliders by pext. */
#include "codec/codec.h"

#if STAMMA_HAVE_BMI2
#define VARIANT(name) stamma_numbered_##name##_bmi2

STAMMA_TARGET_BMI2_BEGIN

STAMMA_INLINE uint64_t line_attacks(const pext_line *line, uint64_t occupied)
{
    return stamma_pext_attacks[line->offset + bits_extract(occupied, line->mask)];
}
STAMMA_INLINE uint64_t sliding_diagonal(unsigned square, uint64_t occupied)
{
    return line_attacks(&stamma_pext_lines[square].diagonals, occupied);
}
STAMMA_INLINE uint64_t sliding_straight(unsigned square, uint64_t occupied)
{
    return line_attacks(&stamma_pext_lines[square].row, occupied) |
           line_attacks(&stamma_pext_lines[square].column, occupied);
}

#include "codec/numbered_game.inc"

STAMMA_TARGET_BMI2_END
#endif
