/* SPDX-License-Identifier: MIT */
/* The predictor's weights, which JavaScript loads only if they are needed: for levels 2 and 3, and for bits of
 * surprise. Replaces src/model/predict_weights.c. */
#include "model/model.h"
#include "model/weights_ids.h"
#include "web/web_module.h"

const uint64_t stamma_predict_weights_id = PREDICT_WEIGHTS_ID;
const uint64_t stamma_second_weights_id = SECOND_WEIGHTS_ID;

static const uint8_t *weights; /* the bytes of predict_weights.c.bin; NULL: none */
bool web_weights_missed;

const uint8_t *stamma_predict_weights(void)
{
    web_weights_missed |= !weights;
    return weights ? weights + WEIGHTS_FILE_PREDICT : NULL;
}

const uint8_t *stamma_second_weights(void)
{
    web_weights_missed |= !weights;
    return weights ? weights + WEIGHTS_FILE_SECOND : NULL;
}

/* Uses the bytes of a file of weights, which must be aligned to 64 bytes and stay in memory. Returns 0 if they are not
 * the weights of this version; there are none then. */
int WEB_EXPORT(use_weights)(const uint8_t *file, size_t size)
{
    const bool fits = size >= WEIGHTS_FILE_SECOND + SECOND_WEIGHTS_SIZE && memcmp(file, WEIGHTS_FILE_MAGIC, 8) == 0;
    weights = fits ? file : NULL;
    if (!fits || !stamma_weights_are_right(true))
        weights = NULL;
    return weights != NULL;
}

/* Allocates memory for a file of weights. */
void *WEB_EXPORT(allocate_weights)(size_t size)
{
    return aligned_alloc(64, (size + 63) / 64 * 64);
}
