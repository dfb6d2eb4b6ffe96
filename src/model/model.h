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

/* A number of 64 bits, well mixed. */
STAMMA_INLINE uint64_t predict_mix(uint64_t x)
{
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

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

/* The file of all weights, predict_weights.c.bin: a head, the weights above, and at the next multiple of 64 bytes those of
 * the second stage with the book. The head has the bytes "StWeight" and five numbers of 8 bytes, little-endian: the
 * version, 1; the offset and the size of the first part; the offset and the size of the second part. Zeros fill the gaps. */
#define WEIGHTS_FILE_MAGIC "StWeight"
enum {
    WEIGHTS_FILE_VERSION = 1,
    WEIGHTS_FILE_PREDICT = 64,
    WEIGHTS_FILE_SECOND = (WEIGHTS_FILE_PREDICT + PREDICT_WEIGHTS + 63) / 64 * 64
};

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
extern const uint16_t stamma_predict_log2[256];      /* log2(1 + (n + 1/2) / 256) in 1/4096 */
/* 0.1 / sqrt(x) of bits, in 1/65536; x in 1/256, by its highest bit, from 7, and the three behind it. */
extern const uint16_t stamma_predict_step_sizes[80];
enum { VECTORS_PROMOTED = 3810 }; /* the first vector of promotions to other than a queen: [to 3][file 8][way 3] */

/* ---- what is known of a game ---- */

/* Time control class, from the estimated duration of 40 moves in seconds. The weights depend on these classes; they are
 * not those of stamma_speed. */
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
    uint32_t plies;      /* of the game; 0: unknown */
} predict_context;

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
    uint8_t type, becomes, from, to;           /* as the side to move sees them; the king's target where it castles */
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

/* ---- the second stage, of the adaptive predictor alone ---- */

enum {
    SECOND_TABLES = 9,       /* of rows of its own; four more are numbers of the first stage's */
    SECOND_ROWS = 13,        /* of a move */
    SECOND_UNITS = 32,       /* of its network */
    SECOND_LOGIT_ONE = 4096, /* a logit of 1 bit */
    SECOND_KEYS = 128
};
/* Where the rows of each kind begin among all: exchange, threats, mobility, hanging pieces, pawns, possible before,
 * repetition and end, nearness, the same piece; and vector, distance, exchange and return of the first stage. */
enum {
    SECOND_OWN = 22632,
    SECOND_ALL = SECOND_OWN + PREDICT_VECTORS + PREDICT_DISTANCES + PREDICT_EXCHANGES + PREDICT_RETURNS
};
static const uint16_t second_begins[SECOND_ROWS] = {0,     3456,  6048,  8352,  10944, 11712, 13728,
                                                    14496, 20328, 22632, 26600, 29672, 40040};

/* Where its weights stand in their bytes. */
enum {
    SECOND_WEIGHTS = 0,                                                  /* int16 [row], 1 bit is 4096 */
    SECOND_EMBEDDING = SECOND_WEIGHTS + 2 * SECOND_OWN,                  /* int8 [row][unit], 1 is 64 */
    SECOND_CONTEXT = SECOND_EMBEDDING + SECOND_ALL * SECOND_UNITS,       /* int16 [unit][output], 1 is 4096 */
    SECOND_OUTPUT = SECOND_CONTEXT + 2 * SECOND_UNITS * PREDICT_OUTPUTS, /* int16 [unit], 1 bit is 4096 */
    SECOND_SIZE = SECOND_OUTPUT + 2 * SECOND_UNITS
};
enum { SECOND_CONTEXT_MAX = 4095, SECOND_OUTPUT_MAX = 8000 };

/* What it remembers of a game. */
typedef struct predict_memory {
    uint64_t possible[2][PREDICT_VECTORS / 64]; /* vectors of the moves that each side could last play */
    uint64_t keys[SECOND_KEYS];                 /* of positions since the last capture or pawn move */
    unsigned key_count;
} predict_memory;

typedef struct second_prediction {
    predict_memory memory; /* zeros where a game begins */
    predict_features features;
    int16_t outputs[PREDICT_OUTPUTS];                   /* of the first stage's network */
    uint16_t rows[STAMMA_MOVES_MAX + 4][SECOND_TABLES]; /* of its own tables */
    int32_t logits[STAMMA_MOVES_MAX + 4];
} second_prediction;

/* Both stages: features, logits and what is remembered. `second` NULL: the second stage's features, but the first
 * stage's logits. */
void stamma_predict_run_both(const uint8_t *weights, const uint8_t *second, const predict_game *game,
                             const stamma_position *position, second_prediction *p);

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

/* ---- the adaptive predictor (adaptive.c): both stages, and what it learns as it goes ---- */

enum {
    ADAPTIVE_DENSE = 2 * PREDICT_VECTORS + PREDICT_EXCHANGES + PREDICT_RETURNS + PREDICT_DISTANCES,
    ADAPTIVE_HASHED = 3, /* by our last move; the player; both */
    ADAPTIVE_HASHED_BITS = 20,
    ADAPTIVE_COUNT_BITS = 18,
    ADAPTIVE_PLACES = 64,     /* [ply / 8][bucket of the number of moves] */
    ADAPTIVE_SURPRISES = 256, /* [the mover's][the opponent's] */
    ADAPTIVE_BUCKETS = 16     /* of counts, by doubling */
};

/* Counts of moves from a position: of the player, and of the book. */
enum { COUNTS_PLAYER, COUNTS_BOOK, COUNTS };

/* A weight in 1/2048 bits, and the sum of the squares of its gradients, in 1/256. */
typedef struct adaptive_cell {
    int16_t weight;
    uint16_t squares;
} adaptive_cell;

/* The game that is coded, and what was predicted last. */
typedef struct adaptive_game {
    uint64_t players[2]; /* hashes of their names; 0: unknown */
    int32_t surprise[2]; /* of each side's moves: running mean of bits beyond what was expected, 1/4096 */
    second_prediction look;
    int32_t below[STAMMA_MOVES_MAX + 4];   /* what logits lack to the best's, 1/4096 bits: as found, */
    int32_t cooled[STAMMA_MOVES_MAX + 4];  /* and times the temperature */
    uint32_t learnt[STAMMA_MOVES_MAX + 4]; /* frequencies before the counts */
    uint32_t frequency[STAMMA_MOVES_MAX + 4];
    int32_t bits[COUNTS][STAMMA_MOVES_MAX + 4]; /* what counts add to the logits, 1/4096 bits */
    unsigned bucket[COUNTS];                    /* of how often the position came; 0: never */
    unsigned place, surprises;
    uint64_t contexts[ADAPTIVE_HASHED]; /* of the hashed cells */
    uint64_t position_hash;
} adaptive_game;

/* What is learnt from one game for the next. It begins with stamma_adaptive_reset. */
typedef struct adaptive {
    adaptive_cell dense[ADAPTIVE_DENSE];
    adaptive_cell hashed[ADAPTIVE_HASHED][1 << ADAPTIVE_HASHED_BITS];
    int32_t temperature[ADAPTIVE_PLACES]; /* 1 is 65536 */
    int32_t surprise_temperature[ADAPTIVE_SURPRISES];
    int32_t count_weight[COUNTS][2][ADAPTIVE_BUCKETS]; /* without a time class, and with one; 1 is 65536 */
    uint32_t counts[1 << ADAPTIVE_COUNT_BITS];         /* 20 bits of a hash, 12 of a count */
    uint32_t random;
    adaptive_game now;
} adaptive;

void stamma_adaptive_reset(adaptive *a);
/* Begins a game. `players`: hashes of their names, 0 for unknown. */
void stamma_adaptive_begin(adaptive *a, const uint64_t players[2]);
/* Predicts, as stamma_predict_run does: a->now.look.features.move[n] has a->now.frequency[n]. `second`: the weights of
 * the second stage and the book. */
void stamma_adaptive_run(adaptive *a, const uint8_t *weights, const uint8_t *second, const predict_game *game,
                         const stamma_position *position);
/* Learns that move number `played` of the last prediction is played. */
void stamma_adaptive_learn(adaptive *a, const predict_game *game, const stamma_position *position, unsigned played);

/* The weights of the second stage and the book behind them; NULL without (STAMMA_NO_MODEL). */
const uint8_t *stamma_second_weights(void);
extern const uint64_t stamma_second_weights_id;

/* ---- the opening book (opening_book.c): moves that were often played in the games for training ---- */

/* A position's identity for tables, without en passant. */
uint64_t stamma_position_hash(const stamma_position *position);
typedef struct book_entry {
    unsigned bucket; /* of the position's count; 0: it is not there */
    unsigned moves;
    const uint8_t *bytes; /* a byte each: number of the move, and the fall of its share */
} book_entry;
book_entry stamma_book_find(const uint8_t *book, uint64_t hash);

/* Frequencies of moves by logits whose greatest is `best`, in 1 / PREDICT_LOGIT_ONE bits. */
void stamma_predict_frequencies(const int32_t *logits, int32_t best, unsigned moves, uint32_t *frequency);

/* ---- moves by a range coder (move_coder.c) ---- */

/* A game that is followed move by move. */
typedef struct move_coder {
    const uint8_t *weights;
    adaptive *adaptive; /* NULL: by the static predictor */
    predict_game game;
    stamma_position position; /* of the next move */
    prediction prediction;    /* of the last one that was coded */
} move_coder;

/* `weights` as for stamma_predict_run. */
void stamma_move_coder_begin(move_coder *c, const uint8_t *weights, const predict_context *context,
                             const stamma_position *start);
/* The same by the adaptive predictor, with the library's weights; `a` learns of each move that is coded. */
void stamma_move_coder_begin_adaptive(move_coder *c, adaptive *a, const predict_context *context,
                                      const uint64_t players[2], const stamma_position *start);
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
void stamma_predict_run_both_portable(const uint8_t *weights, const uint8_t *second, const predict_game *game,
                                      const stamma_position *position, second_prediction *p);
#if STAMMA_HAVE_BMI2
void stamma_predict_run_both_avx2(const uint8_t *weights, const uint8_t *second, const predict_game *game,
                                  const stamma_position *position, second_prediction *p);
void stamma_predict_run_avx2(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                             prediction *prediction);
#endif

#endif
