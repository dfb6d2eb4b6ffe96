/* SPDX-License-Identifier: MIT */
/* Declarations for the files of `stamma survey`. */
#ifndef STAMMA_SURVEY_H
#define STAMMA_SURVEY_H

#include "shared/tool.h"

/* ---- games in memory (survey_batch.c) ---- */

typedef struct survey_game {
    stamma_position start;
    size_t first; /* index of its first move in the batch */
    size_t plies;
    bool is_cut; /* the next move of the main line is not legal */
} survey_game;

/* Complete games with about 65,536 plies, so that codes and moves stay in the processor's caches while they are timed.
 */
typedef struct survey_batch {
    survey_game *games;
    size_t game_count, game_space;
    stamma_move *moves;
    size_t move_count, move_space;
} survey_batch;

/* Reads the games of a file, main lines as far as they are legal, and passes them to `take` in batches. Returns false,
 * after a message, if the file cannot be read. */
bool survey_read_input(const stamma_input *input, survey_batch *batch,
                       void (*take)(void *context, const survey_batch *batch), void *context);
bool survey_read(const char *path, survey_batch *batch, void (*take)(void *context, const survey_batch *batch),
                 void *context);
void survey_batch_free(survey_batch *batch);

/* Resizes memory like realloc. Ends the program if memory is exhausted. */
void *survey_resize(void *memory, size_t count, size_t size);

/* ---- counters (survey_tally.c) ---- */

enum { SURVEY_REASONS = 8, SURVEY_SWAPS = 8 };

typedef struct survey_reason {
    const char *text; /* as stamma_codec_fallback returns it */
    uint64_t plies, games;
    uint64_t last_game; /* the number of the last game counted, from 1 */
} survey_reason;

/* Sums of one codec. */
typedef struct survey_tally {
    const stamma_codec *codec;
    stamma_codec_info info;
    uint64_t games, plies;           /* encoded successfully */
    uint64_t code_bits, string_bits; /* the codes; complete game codes with the number of plies, in bytes */
    uint64_t fallback_plies, fallback_games;
    uint64_t unsupported_games, unsupported_plies;
    uint64_t last_fallback_game;
    survey_reason reasons[SURVEY_REASONS];
    size_t reason_count;
    /* Plies that would use the fall-back if a reason of one side applied to both sides; and if a reason also applied to
     * the rest of the game. */
    uint64_t fallback_both, fallback_rest;
    uint64_t last_reason_game; /* the last game in which either side had a reason */
    double encode_seconds, decode_seconds;
    bool exact; /* everything was decoded correctly */
} survey_tally;

/* Counters of positions, which do not depend on the codec. */
typedef struct survey_positions {
    uint64_t games, plies;
    uint64_t null_moves; /* among the plies; the other counters exclude them */
    uint64_t above_64;   /* plies with more than 64 legal moves */
    size_t most_moves;   /* maximum of legal moves, and its position */
    stamma_position most_position;
    double information;           /* sum of log2 of the number of legal moves, in bits */
    unsigned most_classes[2];     /* of `tojot` and `tojot-mixed` */
    uint64_t swaps[SURVEY_SWAPS]; /* captures by pawns except promotions, by stamma_tarrasch_swaps */
} survey_positions;

/* Encodes and decodes a batch `passes` times, and adds the shortest times. */
void survey_measure(survey_tally *tally, const survey_batch *batch, unsigned passes);

/* Plays the games of a batch and counts facts that depend only on positions: fall-backs and numbers of legal moves. */
void survey_count(survey_tally *tallies, size_t count, survey_positions *positions, const survey_batch *batch);

/* ---- encodings of positions (survey_position.c) ---- */

enum { SURVEY_BITS = 8 * STAMMA_POSITION_CODE_SIZE };

typedef struct survey_position_tally {
    const stamma_position_codec *codec;
    stamma_position_codec_info info;
    uint64_t games, positions; /* positions after each ply that were encoded */
    uint64_t unsupported;
    uint64_t by_bits[SURVEY_BITS + 1];
    double encode_seconds, decode_seconds;
    bool exact;
} survey_position_tally;

/* Encodes and decodes the positions of a batch `passes` times, and adds the shortest times. */
void survey_measure_positions(survey_position_tally *tally, const survey_batch *batch, unsigned passes);

void survey_print_positions(const survey_position_tally *tallies, size_t count);
void survey_print_position_json(const survey_position_tally *tally);

/* Return the processor time in seconds so far, and a rate in millions per second. */
double survey_seconds(void);
double survey_speed(uint64_t count, double seconds);

#endif
