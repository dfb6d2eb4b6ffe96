/* SPDX-License-Identifier: MIT */
/* The move predictor: the probability of each legal move of a position.
 *
 *     stamma_likely_move likely[STAMMA_MOVES_MAX];
 *     stamma_position start = stamma_position_start();
 *     size_t count;
 *     if (stamma_predict(&start, NULL, 0, NULL, likely, &count) == STAMMA_OK)
 *         printf("%.1f %%\n", 100.0 * likely[0].frequency / STAMMA_PREDICT_TOTAL);
 *
 * The predictor was trained on millions of games between people. It uses only integer arithmetic, so its results are
 * the same on every platform. If the library was built without the predictor's weights (STAMMA_NO_MODEL), functions
 * that need them return UNSUPPORTED. */
#ifndef STAMMA_API_MODEL_H
#define STAMMA_API_MODEL_H

#include "stamma/notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Game metadata used as context by the predictor. 0 means unknown. */
typedef struct stamma_game_context {
    size_t size;
    uint16_t white_rating;
    uint16_t black_rating;
    stamma_text time_control; /* value of the TimeControl tag, such as "180+2"; an empty text or "?" is unknown */
    stamma_result result;
    uint32_t plies; /* length of the complete game; together with the result it makes the last moves more predictable */
} stamma_game_context;

/* The sum of the frequencies of all legal moves of a position. */
#define STAMMA_PREDICT_TOTAL 65536

typedef struct stamma_likely_move {
    stamma_move move;
    uint32_t frequency; /* 1..STAMMA_PREDICT_TOTAL; a move costs log2(STAMMA_PREDICT_TOTAL / frequency) bits */
} stamma_likely_move;

/* Predicts the next move after the `plies` given moves, which may include null moves, played from `start`.
 *   context  game metadata; may be NULL
 *   likely   receives all legal moves, most likely first; ties are in the order of doc/format/predictor.md, section
 *            Frequencies. Their frequencies add up to STAMMA_PREDICT_TOTAL
 *   count    receives the number of legal moves; 0 if the game is over
 * Errors: ILLEGAL if a given move is not legal; UNSUPPORTED without weights; BAD_ARGUMENT if the size or a value of the
 * context is invalid. */
STAMMA_API stamma_error stamma_predict(const stamma_position *start, const stamma_move *moves, size_t plies,
                                       const stamma_game_context *context,
                                       stamma_likely_move likely[STAMMA_MOVES_MAX], size_t *count);

/* Stores the frequency that stamma_predict assigns to each move of a game from `start` before it is played;
 * STAMMA_PREDICT_TOTAL for a null move. `frequencies` must have space for `plies` values. Errors: as for
 * stamma_predict. */
STAMMA_API stamma_error stamma_predict_game(const stamma_position *start, const stamma_move *moves, size_t plies,
                                            const stamma_game_context *context, uint32_t *frequencies);

typedef struct stamma_predict_options {
    size_t size;
    void *context; /* passed to the callback */
    /* Called some hundred times a second, by the calling thread. Return true to end the call: it then returns
     * CANCELLED. May be NULL. */
    bool (*stop)(void *context);
} stamma_predict_options;

/* Like stamma_predict_game, with options; NULL: none.
 * Errors:
 *   CANCELLED     the callback returned true; the frequencies of the first moves are stored
 *   UNSUPPORTED   also if the options have members that this version of the library does not have
 *   others as for stamma_predict */
STAMMA_API stamma_error stamma_predict_game_with(const stamma_position *start, const stamma_move *moves, size_t plies,
                                                 const stamma_game_context *context,
                                                 const stamma_predict_options *options, uint32_t *frequencies);

/* Returns the identifier of the weights; 0 without weights. Archives and codes can be read only with the weights that
 * they were written with. */
STAMMA_API uint64_t stamma_predictor_id(void);

#ifdef __cplusplus
}
#endif

#endif
