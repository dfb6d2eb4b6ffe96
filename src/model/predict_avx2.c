/* SPDX-License-Identifier: MIT */
/* The predictor for processors with AVX2 and fast BMI2. */
#include "base/vector.h"
#include "model/model.h"

#if STAMMA_HAVE_AVX2
#define VARIANT(name) stamma_predict_##name##_avx2
#define VECTORS 1
#define sliding_diagonal pext_bishop_attacks
#define sliding_straight pext_rook_attacks

STAMMA_TARGET_AVX2_BEGIN

#include "model/second_net.inc"

STAMMA_TARGET_AVX2_END
#endif
