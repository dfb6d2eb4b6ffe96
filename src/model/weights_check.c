/* SPDX-License-Identifier: MIT */
/* Checks the weights in memory. */
#include <xxhash.h>

#include "model/model.h"
#include "model/weights_ids.h"

bool stamma_weights_are_right(bool second)
{
    const uint8_t *first = stamma_predict_weights(), *last = stamma_second_weights();
    return first && XXH64(first, PREDICT_WEIGHTS, 0) == PREDICT_WEIGHTS_ID &&
           (!second || (last && XXH64(last, SECOND_WEIGHTS_SIZE, 0) == SECOND_WEIGHTS_ID));
}
