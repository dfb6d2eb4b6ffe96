/* Games of `tarrasch`, `tojot` and their kin, for every processor. */
#include "codec/codec.h"

#define VARIANT(name) stamma_numbered_##name##_portable

STAMMA_INLINE uint64_t sliding_diagonal(unsigned square, uint64_t occupied)
{
    return bishop_attacks(square, occupied);
}
STAMMA_INLINE uint64_t sliding_straight(unsigned square, uint64_t occupied)
{
    return rook_attacks(square, occupied);
}

#include "codec/numbered_game.inc"
