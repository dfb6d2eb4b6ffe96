/* The model room. The move predictor: an integer frequency for each legal move of a position, given what is known of
 * its game. A small network over pieces, attacks, the last moves and the game's circumstances, whose output is
 * multiplied with a vector of each move; and tables of weights by what a move does. All of it is integer arithmetic
 * whose sums cannot overflow, so that frequencies are the same everywhere. doc/predictor.md describes it,
 * doc/training.md how its weights were made.
 *
 * Everything is seen from the side to move: for Black ranks are reversed, and the colours change places. */
#ifndef STAMMA_MODEL_H
#define STAMMA_MODEL_H

#include "codec/codec.h"
#include "entropy/range_coder.h"

/* ---- sizes ---- */

enum {
    PREDICT_UNITS = 512, /* sums of the first layer; unit n and unit n + PREDICT_PAIRS are multiplied */
    PREDICT_PAIRS = 256,
    PREDICT_OUTPUTS = 64,   /* of the second layer, and the dimensions of a move's vector */
    PREDICT_TOP = 128,      /* what stands for 1 behind the first layer */
    PREDICT_LOGIT_ONE = 256 /* a logit of 1 bit */
};

/* The network's inputs: where each group begins. */
enum {
    INPUT_PIECES = 0,                           /* [piece 12][square][attacked 3][defended 2] */
    INPUT_MOVES = INPUT_PIECES + 12 * 64 * 6,   /* of the last four moves [(type, target) 384, origin 64] */
    INPUT_TAKEN = INPUT_MOVES + 4 * (384 + 64), /* where the last move took */
    INPUT_CASTLING = INPUT_TAKEN + 64,
    INPUT_EN_PASSANT = INPUT_CASTLING + 4,
    INPUT_RATINGS = INPUT_EN_PASSANT + 8, /* [mover, other][bucket 16] */
    INPUT_TIME = INPUT_RATINGS + 32,
    INPUT_PLY = INPUT_TIME + 8,
    INPUT_CLOCK = INPUT_PLY + 16,
    INPUT_END = INPUT_CLOCK + 8, /* [result 4][plies left 16] */
    PREDICT_INPUTS = INPUT_END + 64,
    PREDICT_INPUTS_MAX = 64 + 8 + 1 + 4 + 1 + 6 /* in one position: 64 pieces at most */
};

/* Tables of a move's weights. */
enum {
    PREDICT_VECTORS = 3968,    /* (piece, origin, target, promotion); again as many for moves that lose the piece */
    PREDICT_EXCHANGES = 10368, /* [type 6][least attacker of the origin 6][defended 2][victim 6][least attacker of the
                                  target 6][defended 2][check 2] */
    PREDICT_RETURNS = 1024,    /* [how the game ends 8][result 4][clock 2][the opponent went back 2][so does this 2] */
    PREDICT_DISTANCES = 3072,  /* [type 6][from the enemy king 8][then 8][phase 3][nearer to the own king 2] */
    PREDICT_HASHED = 3         /* by what the opponent moved; what was moved before; the pawns */
};
static const uint8_t predict_hashed_bits[PREDICT_HASHED] = {18, 19, 20};

/* Where the weights stand in their bytes. Numbers of two and four bytes are little-endian. */
enum {
    WEIGHT_FIRST = 0,                                                  /* int8 [input][unit], 1 is 128 */
    WEIGHT_FIRST_BIAS = WEIGHT_FIRST + PREDICT_INPUTS * PREDICT_UNITS, /* int16 [unit], 1 is 128 */
    WEIGHT_SECOND = WEIGHT_FIRST_BIAS + 2 * PREDICT_UNITS,             /* int16 [pair / 2][output][pair % 2], 1 is 64 */
    WEIGHT_SECOND_BIAS = WEIGHT_SECOND + 2 * PREDICT_PAIRS * PREDICT_OUTPUTS, /* int32 [output], 1 is 2^20 */
    WEIGHT_VECTORS = WEIGHT_SECOND_BIAS + 4 * PREDICT_OUTPUTS,                /* int8 [vector][output], 1 bit is 32 */
    WEIGHT_VECTOR_BIAS = WEIGHT_VECTORS + 2 * PREDICT_VECTORS * PREDICT_OUTPUTS, /* int16, 1 bit is 256, as below */
    WEIGHT_EXCHANGES = WEIGHT_VECTOR_BIAS + 2 * 2 * PREDICT_VECTORS,
    WEIGHT_RETURNS = WEIGHT_EXCHANGES + 2 * PREDICT_EXCHANGES,
    WEIGHT_DISTANCES = WEIGHT_RETURNS + 2 * PREDICT_RETURNS,
    WEIGHT_HASHED = WEIGHT_DISTANCES + 2 * PREDICT_DISTANCES, /* int8, 1 bit is 16; one table behind the other */
    PREDICT_WEIGHTS = WEIGHT_HASHED + (1 << 18) + (1 << 19) + (1 << 20)
};

/* Limits of what stands there, which the sums rest on (predict_net.inc). */
enum { FIRST_BIAS_MAX = 8000, SECOND_MAX = 256, SECOND_BIAS_MAX = 1 << 28, TABLE_MAX = 8000 };

/* The weights that the library was built with; NULL without (STAMMA_NO_MODEL). */
const uint8_t *stamma_predict_weights(void);
/* Their name: the XXH64 of their bytes. */
extern const uint64_t stamma_predict_weights_id;

/* ---- constant tables (predict_tables.c) ---- */

extern const uint64_t stamma_predict_reach[6][64];   /* what a piece of the mover's may ever reach from a square */
extern const uint16_t stamma_predict_vectors[6][64]; /* the number of the vector of the first of these */
extern const uint8_t stamma_predict_steps[64][64];   /* king's steps between two squares */
extern const uint32_t stamma_predict_spread[4096];   /* spreads vectors over the slots of a hashed table */
extern const uint16_t stamma_predict_power[256];     /* 65535 x 2^(-n / 256), rounded */
enum { VECTORS_PROMOTED = 3810 }; /* the first vector of promotions to other than a queen: [to 3][file 8][way 3] */

/* ---- what is known of a game ---- */

typedef struct predict_context {
    uint16_t ratings[2]; /* of White and Black; 0: unknown */
    uint8_t time;        /* stamma_time_class */
    uint8_t result;      /* PREDICT_RESULT_ */
    uint32_t plies;      /* of the game; 0: unknown */
} predict_context;
enum { PREDICT_RESULT_NONE = 0, PREDICT_RESULT_WHITE = 1, PREDICT_RESULT_BLACK = 2, PREDICT_RESULT_DRAW = 3 };

typedef struct predict_last {
    uint8_t type, from, to, took; /* of the piece that came to stand there; 6: no move */
} predict_last;
/* A game as far as it was played; its moves are the caller's. */
typedef struct predict_game {
    predict_context context;
    uint32_t ply;         /* moves played, and those that the start's move number tells */
    predict_last last[4]; /* the last one first */
} predict_game;

void stamma_predict_begin(predict_game *game, const predict_context *context, const stamma_position *start);
/* Notes a move, legal or null, that is played in `before`. */
void stamma_predict_play(predict_game *game, const stamma_position *before, stamma_move move);

/* ---- what the predictor sees of a position ---- */

typedef struct predict_move {
    stamma_move move;
    uint16_t vector, exchange, back, distance; /* places in the tables above */
} predict_move;

/* The order of moves is the predictor's own, and frequencies are added up in it: by type of piece; then by origin and
 * target, seen from the side to move, promotions Q N B R, castling behind the king's other moves, on the king's side
 * first. */
typedef struct predict_features {
    unsigned inputs, moves;
    uint32_t contexts[PREDICT_HASHED];
    uint16_t input[PREDICT_INPUTS_MAX];
    predict_move move[STAMMA_MOVES_MAX + 4];
} predict_features;

/* ---- frequencies ---- */

enum { PREDICT_BITS = 16, PREDICT_TOTAL = 1 << PREDICT_BITS };

typedef struct prediction {
    predict_features features;
    uint32_t frequency[STAMMA_MOVES_MAX + 4]; /* of features.move[n]; each at least 1, PREDICT_TOTAL together */
} prediction;

/* Predicts the next move of a game that has come to `position`: all its legal moves and how likely they are. Where
 * there is none, prediction->features.moves is 0; where there is one, its frequency is PREDICT_TOTAL. `weights` are
 * PREDICT_WEIGHTS bytes within the limits above. */
void stamma_predict_run(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                        prediction *prediction);
/* The number of a move, or the number of moves where it is not legal. */
unsigned stamma_prediction_find(const prediction *prediction, stamma_move move);

/* ---- moves by a range coder (move_coder.c) ---- */

/* A game that is followed move by move. */
typedef struct move_coder {
    const uint8_t *weights;
    predict_game game;
    stamma_position position; /* of the next move */
    prediction prediction;    /* of the last one that was coded */
} move_coder;

/* `weights` as for stamma_predict_run. */
void stamma_move_coder_begin(move_coder *c, const uint8_t *weights, const predict_context *context,
                             const stamma_position *start);
/* Predicts the next move; how many there are. */
unsigned stamma_move_coder_look(move_coder *c);
/* Plays a move, legal or null, that is not coded. */
void stamma_move_coder_play(move_coder *c, stamma_move move);
/* Writes a move and plays it; false, and nothing is done, where it is not legal. */
bool stamma_move_encode(move_coder *c, stamma_move move, range_encoder *e);
/* Reads a move that is not played yet; STAMMA_MOVE_NULL where there is no legal one. */
stamma_move stamma_move_take(move_coder *c, range_decoder *d);
/* Reads a move and plays it; STAMMA_MOVE_NULL, and nothing is done, where there is no legal one. */
stamma_move stamma_move_decode(move_coder *c, range_decoder *d);

/* What the predictor sees alone, for the trainer. */
void stamma_predict_features(const predict_game *game, const stamma_position *position, predict_features *features);

/* The two builds (predict_net.inc). */
void stamma_predict_run_portable(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                                 prediction *prediction);
#if STAMMA_HAVE_BMI2
void stamma_predict_run_avx2(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                             prediction *prediction);
#endif

#endif
