/* SPDX-License-Identifier: MIT */
/* Legal moves: functions that choose the generator for this processor at each call. */
#include "board/board.h"

size_t stamma_legal_moves(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX])
{
#if STAMMA_HAVE_BMI2
    if (stamma_cpu_has_bmi2())
        return stamma_generate_list_bmi2(position, moves);
#endif
    return stamma_generate_list_portable(position, moves);
}

size_t stamma_legal_moves_count(const stamma_position *position)
{
#if STAMMA_HAVE_BMI2
    if (stamma_cpu_has_bmi2())
        return stamma_generate_count_bmi2(position);
#endif
    return stamma_generate_count_portable(position);
}

size_t stamma_legal_moves_count_from(const stamma_position *position, uint64_t origins)
{
#if STAMMA_HAVE_BMI2
    if (stamma_cpu_has_bmi2())
        return stamma_generate_count_from_bmi2(position, origins);
#endif
    return stamma_generate_count_from_portable(position, origins);
}
