/* SPDX-License-Identifier: MIT */
/* The generator for processors with fast BMI2. The attacks of sliders are one or two look-ups with pext. */
#include "board/board.h"

#if STAMMA_HAVE_BMI2
#define VARIANT(name) stamma_generate_##name##_bmi2

STAMMA_TARGET_BMI2_BEGIN

#define sliding_diagonal pext_bishop_attacks
#define sliding_straight pext_rook_attacks

#include "board/generate.inc"

STAMMA_TARGET_BMI2_END
#endif
