/* SPDX-License-Identifier: MIT */
/* The model room: the move predictor. It computes an integer frequency for each legal move of a position, given the
 * known facts about its game. The inputs of a small network are the pieces, attacks, last moves and facts about the
 * game. The logit of a move is the product of the network's output and a vector of the move, plus weights from tables
 * of properties of the move. All arithmetic is integer arithmetic whose sums cannot overflow; frequencies are therefore
 * the same on all machines. doc/format/predictor.md describes the predictor, and doc/dev/training.md describes the
 * training of its weights.
 *
 * Everything is seen from the side to move: for Black, ranks and colours are exchanged. */
#ifndef STAMMA_MODEL_H
#define STAMMA_MODEL_H

#include "codec/codec.h"
#include "entropy/range_coder.h"

/* ---- sizes ---- */

enum {
    PREDICT_UNITS = 512, /* sums of the first layer; units n and n + PREDICT_PAIRS are multiplied */
    PREDICT_PAIRS = 256,
    PREDICT_OUTPUTS = 64,   /* of the second layer, and the dimensions of a move's vector */
    PREDICT_TOP = 128,      /* represents 1 after the first layer */
    PREDICT_LOGIT_ONE = 256 /* a logit of 1 bit */
};

/* Mixes the bits of a 64-bit number. */
STAMMA_INLINE uint64_t predict_mix(uint64_t x)
{
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* The network's inputs: the first input of each group. */
enum {
    INPUT_PIECES = 0,                           /* [piece 12][square][attacked 3][defended 2] */
    INPUT_MOVES = INPUT_PIECES + 12 * 64 * 6,   /* of the last four moves [(type, target) 384, origin 64] */
    INPUT_TAKEN = INPUT_MOVES + 4 * (384 + 64), /* square of the last move's capture */
    INPUT_CASTLING = INPUT_TAKEN + 64,
    INPUT_EN_PASSANT = INPUT_CASTLING + 4,
    INPUT_RATINGS = INPUT_EN_PASSANT + 8, /* [mover, other][bucket 16] */
    INPUT_TIME = INPUT_RATINGS + 32,
    INPUT_PLY = INPUT_TIME + 8,
    INPUT_CLOCK = INPUT_PLY + 16,
    INPUT_END = INPUT_CLOCK + 8, /* [result 4][plies left 16] */
    PREDICT_INPUTS = INPUT_END + 64,
    PREDICT_INPUTS_MAX = 64 + 8 + 1 + 4 + 1 + 6 /* in one position: at most 64 pieces */
};

/* Tables of weights of moves. */
enum {
    PREDICT_VECTORS = 3968,    /* (piece, origin, target, promotion); and the same number for moves that lose the
                                * piece */
    PREDICT_EXCHANGES = 10368, /* [type 6][least attacker of the origin 6][defended 2][victim 6][least attacker of the
                                  target 6][defended 2][check 2] */
    PREDICT_RETURNS = 1024,    /* [how the game ends 8][result 4][clock 2][opponent moved back 2][this move moves
                                * back 2] */
    PREDICT_DISTANCES = 3072,  /* [type 6][steps to enemy king before 8][after 8][phase 3][nearer to own king 2] */
    PREDICT_HASHED = 3         /* by the opponent's last move; by our last move; by the pawns */
};
static const uint8_t predict_hashed_bits[PREDICT_HASHED] = {18, 19, 20};

/* Offsets of the weights. Numbers of two and four bytes are little-endian. */
enum {
    WEIGHT_FIRST = 0,                                                  /* int8 [input][unit], 1 is 128 */
    WEIGHT_FIRST_BIAS = WEIGHT_FIRST + PREDICT_INPUTS * PREDICT_UNITS, /* int16 [unit], 1 is 128 */
    WEIGHT_SECOND = WEIGHT_FIRST_BIAS + 2 * PREDICT_UNITS,             /* int16 [pair / 2][output][pair % 2], 1 is 64 */
    WEIGHT_SECOND_BIAS = WEIGHT_SECOND + 2 * PREDICT_PAIRS * PREDICT_OUTPUTS, /* int32 [output], 1 is 2^20 */
    WEIGHT_VECTORS = WEIGHT_SECOND_BIAS + 4 * PREDICT_OUTPUTS,                /* int8 [vector][output], 1 bit is 32 */
    WEIGHT_VECTOR_BIAS = WEIGHT_VECTORS + 2 * PREDICT_VECTORS * PREDICT_OUTPUTS, /* int16, 1 bit is 256, also below */
    WEIGHT_EXCHANGES = WEIGHT_VECTOR_BIAS + 2 * 2 * PREDICT_VECTORS,
    WEIGHT_RETURNS = WEIGHT_EXCHANGES + 2 * PREDICT_EXCHANGES,
    WEIGHT_DISTANCES = WEIGHT_RETURNS + 2 * PREDICT_RETURNS,
    WEIGHT_HASHED = WEIGHT_DISTANCES + 2 * PREDICT_DISTANCES, /* int8, 1 bit is 16; the tables are consecutive */
    PREDICT_WEIGHTS = WEIGHT_HASHED + (1 << 18) + (1 << 19) + (1 << 20)
};

/* Limits of the weights, on which the bounds of the sums depend (predict_net.inc). */
enum { FIRST_BIAS_MAX = 8000, SECOND_MAX = 256, SECOND_BIAS_MAX = 1 << 28, TABLE_MAX = 8000 };

/* The file of all weights, predict_weights.c.bin: a header, the weights above, and at the next multiple of 64 bytes
 * the weights of the second stage and the book. The header contains the bytes "StWeight" and five little-endian
 * numbers of 8 bytes: the version, 1; the offset and the size of the first part; the offset and the size of the
 * second part. Gaps are filled with zeros. */
#define WEIGHTS_FILE_MAGIC "StWeight"
enum {
    WEIGHTS_FILE_VERSION = 1,
    WEIGHTS_FILE_PREDICT = 64,
    WEIGHTS_FILE_SECOND = (WEIGHTS_FILE_PREDICT + PREDICT_WEIGHTS + 63) / 64 * 64
};

/* Returns the weights that are built into the library, or NULL if there are none (STAMMA_NO_MODEL). */
const uint8_t *stamma_predict_weights(void);
/* The identifier of the weights: the XXH64 of their bytes. */
extern const uint64_t stamma_predict_weights_id;

/* ---- constant tables (predict_tables.c) ---- */

extern const uint64_t stamma_predict_reach[6][64];   /* all possible targets of a piece of the side to move */
extern const uint16_t stamma_predict_vectors[6][64]; /* number of the vector of the first of these moves */
extern const uint8_t stamma_predict_steps[64][64];   /* number of king's steps between two squares */
extern const uint32_t stamma_predict_spread[4096];   /* spreads vectors over the slots of a hashed table */
extern const uint16_t stamma_predict_power[256];     /* 65535 x 2^(-n / 256), rounded */
extern const uint16_t stamma_predict_log2[256];      /* log2(1 + (n + 1/2) / 256) in 1/4096 */
/* 0.1 / sqrt(x) of bits, in units of 1/65536. x is in units of 1/256. The index is the position of the highest bit
 * of x, from 7, and the next three bits. */
extern const uint16_t stamma_predict_step_sizes[80];
enum { VECTORS_PROMOTED = 3810 }; /* first vector of under-promotions: [to 3][file 8][way 3] */

/* ---- facts about a game ---- */

/* Time control class, from the estimated duration of 40 moves in seconds. The weights depend on these classes, which
 * differ from the classes of stamma_speed. */
typedef enum predict_time {
    PREDICT_TIME_UNKNOWN = 0,
    PREDICT_TIME_ULTRA_BULLET = 1,   /* below 60 */
    PREDICT_TIME_BULLET = 2,         /* below 180 */
    PREDICT_TIME_BLITZ = 3,          /* below 480 */
    PREDICT_TIME_RAPID = 4,          /* below 1500 */
    PREDICT_TIME_CORRESPONDENCE = 5, /* days, no limit, or several periods */
    PREDICT_TIME_CLASSICAL = 6       /* from 1500 */
} predict_time;

/* Returns the class of the value of a TimeControl tag (PGN standard 9.6.1). */
predict_time stamma_predict_time(stamma_text time_control);

typedef struct predict_context {
    uint16_t ratings[2]; /* of White and Black; 0: unknown */
    uint8_t time;        /* predict_time */
    uint8_t result;      /* stamma_result */
    uint32_t plies;      /* number of plies of the game; 0: unknown */
} predict_context;

typedef struct predict_last {
    uint8_t type, from, to, took; /* the piece after the move; type 6: no move */
} predict_last;
/* The state of a game after the moves played so far. */
typedef struct predict_game {
    predict_context context;
    uint32_t ply;         /* number of moves played, plus the moves before the start position according to its move
                           * number */
    predict_last last[4]; /* the last move first */
} predict_game;

void stamma_predict_begin(predict_game *game, const predict_context *context, const stamma_position *start);
/* Updates the state for a move, legal or null, that is played in `before`. */
void stamma_predict_play(predict_game *game, const stamma_position *before, stamma_move move);

/* ---- the predictor's features of a position ---- */

typedef struct predict_move {
    stamma_move move;
    uint16_t vector, exchange, back, distance; /* indices in the tables above */
    uint8_t type, becomes, from, to;           /* seen from the side to move; for castling `to` is the king's target */
} predict_move;

/* Moves are in the predictor's order, in which frequencies are also summed up: by type of piece, then by origin and
 * target, seen from the side to move. Promotions are in the order Q N B R. Castling follows the king's other moves,
 * king's side first. */
typedef struct predict_features {
    unsigned inputs, moves;
    uint32_t contexts[PREDICT_HASHED];
    uint16_t input[PREDICT_INPUTS_MAX];
    predict_move move[STAMMA_MOVES_MAX + 4];
} predict_features;

/* ---- the second stage, used only by the adaptive predictor ---- */

enum {
    SECOND_TABLES = 9,       /* the second stage's tables; four more are indexed by numbers of the first stage */
    SECOND_ROWS = 13,        /* rows of one move */
    SECOND_UNITS = 32,       /* units of the second stage's network */
    SECOND_LOGIT_ONE = 4096, /* a logit of 1 bit */
    SECOND_KEYS = 128
};
/* The first row of each kind: exchange, threats, mobility, hanging pieces, pawns, possible before, repetition and
 * end, nearness, same piece; then vector, distance, exchange and return of the first stage. */
enum {
    SECOND_OWN = 22632,
    SECOND_ALL = SECOND_OWN + PREDICT_VECTORS + PREDICT_DISTANCES + PREDICT_EXCHANGES + PREDICT_RETURNS
};
static const uint16_t second_begins[SECOND_ROWS] = {0,     3456,  6048,  8352,  10944, 11712, 13728,
                                                    14496, 20328, 22632, 26600, 29672, 40040};

/* Offsets of the second stage's weights. */
enum {
    SECOND_WEIGHTS = 0,                                                  /* int16 [row], 1 bit is 4096 */
    SECOND_EMBEDDING = SECOND_WEIGHTS + 2 * SECOND_OWN,                  /* int8 [row][unit], 1 is 64 */
    SECOND_CONTEXT = SECOND_EMBEDDING + SECOND_ALL * SECOND_UNITS,       /* int16 [unit][output], 1 is 4096 */
    SECOND_OUTPUT = SECOND_CONTEXT + 2 * SECOND_UNITS * PREDICT_OUTPUTS, /* int16 [unit], 1 bit is 4096 */
    SECOND_SIZE = SECOND_OUTPUT + 2 * SECOND_UNITS
};
enum { SECOND_CONTEXT_MAX = 4095, SECOND_OUTPUT_MAX = 8000 };

/* The second stage's memory of a game. */
typedef struct predict_memory {
    uint64_t possible[2][PREDICT_VECTORS / 64]; /* vectors of the moves that each side could play last time */
    uint64_t keys[SECOND_KEYS];                 /* keys of positions since the last capture or pawn move */
    unsigned key_count;
} predict_memory;

typedef struct second_prediction {
    predict_memory memory; /* zeros at the start of a game */
    predict_features features;
    int16_t outputs[PREDICT_OUTPUTS];                   /* outputs of the first stage's network */
    uint16_t rows[STAMMA_MOVES_MAX + 4][SECOND_TABLES]; /* rows of the second stage's tables */
    int32_t logits[STAMMA_MOVES_MAX + 4];
} second_prediction;

/* Runs both stages: finds features and logits and updates the memory. If `second` is NULL, finds the second stage's
 * features but only the first stage's logits. */
void stamma_predict_run_both(const uint8_t *weights, const uint8_t *second, const predict_game *game,
                             const stamma_position *position, second_prediction *p);

/* ---- frequencies ---- */

enum { PREDICT_BITS = 16, PREDICT_TOTAL = 1 << PREDICT_BITS };

typedef struct prediction {
    predict_features features;
    uint32_t frequency[STAMMA_MOVES_MAX + 4]; /* of features.move[n]; each at least 1; their sum is PREDICT_TOTAL */
} prediction;

/* Predicts the next move of a game in `position`: all legal moves and their frequencies. If there is no legal move,
 * prediction->features.moves is 0. If there is one, its frequency is PREDICT_TOTAL. `weights`: PREDICT_WEIGHTS bytes
 * within the limits above. */
void stamma_predict_run(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                        prediction *prediction);
/* Returns the number of a move, or the number of all moves if the move is illegal. */
unsigned stamma_prediction_find(const prediction *prediction, stamma_move move);

/* ---- the adaptive predictor (adaptive.c): both stages, and weights that it learns while coding ---- */

enum {
    ADAPTIVE_DENSE = 2 * PREDICT_VECTORS + PREDICT_EXCHANGES + PREDICT_RETURNS + PREDICT_DISTANCES,
    ADAPTIVE_HASHED = 3, /* by our last move; by player; by both */
    ADAPTIVE_HASHED_BITS = 20,
    ADAPTIVE_COUNT_BITS = 18,
    ADAPTIVE_PLACES = 64,     /* [ply / 8][bucket of the number of moves] */
    ADAPTIVE_SURPRISES = 256, /* [surprise of the side to move][surprise of the opponent] */
    ADAPTIVE_BUCKETS = 16     /* buckets of counts; limits double */
};

/* Counts of moves played in a position: by the player, and in the book. */
enum { COUNTS_PLAYER, COUNTS_BOOK, COUNTS };

/* A weight in 1/2048 bits, and the sum of the squares of its gradients in units of 1/256. */
typedef struct adaptive_cell {
    int16_t weight;
    uint16_t squares;
} adaptive_cell;

/* The game being coded and the last prediction. */
typedef struct adaptive_game {
    uint64_t players[2]; /* hashes of the players' names; 0: unknown */
    int32_t surprise[2]; /* of each side's moves: running mean of bits above expectation, 1/4096 */
    second_prediction look;
    int32_t below[STAMMA_MOVES_MAX + 4];   /* differences of logits from the best, 1/4096 bits, */
    int32_t cooled[STAMMA_MOVES_MAX + 4];  /* and multiplied by the temperature */
    uint32_t learnt[STAMMA_MOVES_MAX + 4]; /* frequencies without counts */
    uint32_t frequency[STAMMA_MOVES_MAX + 4];
    int32_t bits[COUNTS][STAMMA_MOVES_MAX + 4]; /* added to the logits because of counts, 1/4096 bits */
    unsigned bucket[COUNTS];                    /* of the count of the position; 0: never */
    unsigned place, surprises;
    uint64_t contexts[ADAPTIVE_HASHED]; /* contexts of the hashed cells */
    uint64_t position_hash;
} adaptive_game;

/* The state that is learnt from each game for the next games. Initialize with stamma_adaptive_reset. */
typedef struct adaptive {
    adaptive_cell dense[ADAPTIVE_DENSE];
    adaptive_cell hashed[ADAPTIVE_HASHED][1 << ADAPTIVE_HASHED_BITS];
    int32_t temperature[ADAPTIVE_PLACES]; /* 1 is 65536 */
    int32_t surprise_temperature[ADAPTIVE_SURPRISES];
    int32_t count_weight[COUNTS][2][ADAPTIVE_BUCKETS]; /* by time class unknown or known; 1 is 65536 */
    uint32_t counts[1 << ADAPTIVE_COUNT_BITS];         /* 20 bits of a hash, 12 bits of a count */
    uint32_t random;
    adaptive_game now;
} adaptive;

void stamma_adaptive_reset(adaptive *a);
/* Begins a game. `players`: hashes of the players' names; 0 for unknown. */
void stamma_adaptive_begin(adaptive *a, const uint64_t players[2]);
/* Predicts the next move, like stamma_predict_run. a->now.frequency[n] is the frequency of
 * a->now.look.features.move[n]. `second`: the weights of the second stage and the book. */
void stamma_adaptive_run(adaptive *a, const uint8_t *weights, const uint8_t *second, const predict_game *game,
                         const stamma_position *position);
/* Learns that move number `played` of the last prediction is played. */
void stamma_adaptive_learn(adaptive *a, const predict_game *game, const stamma_position *position, unsigned played);

/* Returns the weights of the second stage, followed by the book, or NULL if they are not built into the library
 * (STAMMA_NO_MODEL). */
const uint8_t *stamma_second_weights(void);
extern const uint64_t stamma_second_weights_id;
/* Returns whether the weights in memory have the checksums in weights_ids.h. The check of a block cannot find a wrong
 * bit in the weights, because writing and reading use the same weights. `second`: also checks the weights of the second
 * stage and the book. The call needs about a millisecond. */
bool stamma_weights_are_right(bool second);

/* ---- the opening book (opening_book.c): moves often played in the training games ---- */

/* Returns a hash of a position for tables, without en passant. */
uint64_t stamma_position_hash(const stamma_position *position);
typedef struct book_entry {
    unsigned bucket; /* of the position's count; 0: not in the book */
    unsigned moves;
    const uint8_t *bytes; /* one byte for each move: its number, and the decrease of its share */
} book_entry;
book_entry stamma_book_find(const uint8_t *book, uint64_t hash);

/* Converts logits in units of 1 / PREDICT_LOGIT_ONE bits to frequencies of moves. `best`: the largest logit. */
void stamma_predict_frequencies(const int32_t *logits, int32_t best, unsigned moves, uint32_t *frequency);

/* ---- moves with a range coder (move_coder.c) ---- */

/* A game that is coded move by move. */
typedef struct move_coder {
    const uint8_t *weights;
    adaptive *adaptive; /* NULL: uses the static predictor */
    predict_game game;
    stamma_position position; /* position before the next move */
    prediction prediction;    /* prediction for the last coded move */
} move_coder;

/* Begins a game. `weights`: as for stamma_predict_run. */
void stamma_move_coder_begin(move_coder *c, const uint8_t *weights, const predict_context *context,
                             const stamma_position *start);
/* Begins a game with the adaptive predictor and the library's weights. `a` learns from each coded move. */
void stamma_move_coder_begin_adaptive(move_coder *c, adaptive *a, const predict_context *context,
                                      const uint64_t players[2], const stamma_position *start);
/* Predicts the next move. Returns the number of legal moves. */
unsigned stamma_move_coder_look(move_coder *c);
/* Plays a move, legal or null, without coding it. */
void stamma_move_coder_play(move_coder *c, stamma_move move);
/* Writes a move and plays it. Returns false, with nothing changed, if the move is illegal. */
bool stamma_move_encode(move_coder *c, stamma_move move, range_encoder *e);
/* Reads a move without playing it. Returns STAMMA_MOVE_NULL if there is no legal move. */
stamma_move stamma_move_take(move_coder *c, range_decoder *d);
/* Reads a move and plays it. Returns STAMMA_MOVE_NULL, with nothing changed, if there is no legal move. */
stamma_move stamma_move_decode(move_coder *c, range_decoder *d);

/* Finds only the features; for the trainer. */
void stamma_predict_features(const predict_game *game, const stamma_position *position, predict_features *features);

/* The two builds (predict_net.inc). */
void stamma_predict_run_portable(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                                 prediction *prediction);
void stamma_predict_run_both_portable(const uint8_t *weights, const uint8_t *second, const predict_game *game,
                                      const stamma_position *position, second_prediction *p);
#if STAMMA_HAVE_BMI2
void stamma_predict_run_both_avx2(const uint8_t *weights, const uint8_t *second, const predict_game *game,
                                  const stamma_position *position, second_prediction *p);
void stamma_predict_run_avx2(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                             prediction *prediction);
#endif

#endif
