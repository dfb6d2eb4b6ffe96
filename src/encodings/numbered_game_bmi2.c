/* SPDX-License-Identifier: MIT */
/* Games of `tarrasch`, `tojot` and related codecs for processors with fast BMI2: attacks of sliders with pext. */
#include "encodings/encodings.h"

#if STAMMA_HAVE_BMI2
#define VARIANT(name) stamma_numbered_##name##_bmi2

STAMMA_TARGET_BMI2_BEGIN

#define sliding_diagonal pext_bishop_attacks
#define sliding_straight pext_rook_attacks

#include "encodings/numbered_game.inc"

STAMMA_TARGET_BMI2_END
#endif
