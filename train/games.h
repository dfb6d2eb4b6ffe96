/* Games as the trainer reads them: a head, then its moves, of 16 bits each, in this machine's byte order. All begin in
 * the initial position. */
#ifndef TRAIN_GAMES_H
#define TRAIN_GAMES_H

#include "stamma.h"

typedef struct game_head {
    uint32_t players[2]; /* of White and Black: a hash of the name, 0 where it is not known */
    uint16_t ratings[2]; /* 0: unknown */
    uint8_t result;      /* PREDICT_RESULT_ */
    uint8_t time;        /* stamma_time_class */
    uint8_t source, none;
    uint16_t plies, clock;
} game_head;

#endif
