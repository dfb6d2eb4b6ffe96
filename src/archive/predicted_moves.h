/* Codecs 4 and 5: moves by the predictor (clauses 15, 16). In codec 4 the moves of each record's main line, and those
 * of its variations, are a string that a range coder wrote, which decodes without those of other records. In codec 5
 * the main lines of a block's records are two strings, by the adaptive predictor: two lanes. */
#ifndef STAMMA_PREDICTED_MOVES_H
#define STAMMA_PREDICTED_MOVES_H

#include "entropy/entropy.h"
#include "model/model.h"
#include "record/record.h"

enum { CODEC_PREDICTED = 4, CODEC_ADAPTIVE = 5 };
/* The columns that may be in the first: the main line's moves, those of variations, those of lines in comments. */
enum { LINES_MAIN, LINES_VARIATIONS, LINES_COMMENTS, LINES };
/* What a column is stored as: parameters, symbols, bits and areas as pairs of strings have them, codes (5.2). */
enum { PREDICTED_CODES = PAIR_STREAMS, PREDICTED_STREAMS };
/* The same of codec 5, with a string for each lane. */
enum { LANES = 2 };
enum { ADAPTIVE_PARAMETERS, ADAPTIVE_STRINGS, ADAPTIVE_CODES = ADAPTIVE_STRINGS + LANES, ADAPTIVE_STREAMS };
/* Moves a stored byte, at most: decoding is bounded by what is stored. */
enum { PREDICTED_RATIO_MAX = 256 };

/* Whether a record before which so many of the column's moves stand is of the second lane (clause 16.2). */
STAMMA_INLINE bool is_second_lane(uint64_t before, uint64_t moves)
{
    return before >= moves - before;
}

/* How long the string of so many moves is likely to be, in 1/16 bits about (clause 15.4). */
uint32_t stamma_predicted_weight(uint32_t moves);

/* ---- what is known of a game before its moves (clauses 15.5, 16.2) ---- */

/* The ratings, the time control, the result, the players; the last two are for codec 5. */
enum {
    CONTEXT_WHITE,
    CONTEXT_BLACK,
    CONTEXT_TIME,
    CONTEXT_RESULT,
    CONTEXT_PLAYERS,
    CONTEXT_TAGS = CONTEXT_PLAYERS + 2
};
extern const char *const stamma_context_tags[CONTEXT_TAGS];
/* What the values of these tags say, {NULL, 0} for none; `plies` of the main line. */
predict_context stamma_predicted_context(const stamma_text values[CONTEXT_TAGS], uint32_t plies);
/* A player by name; 0 for an empty one: values that are not read yet are empty, too. */
uint64_t stamma_predicted_player(stamma_text name);

/* ---- writing (predicted_writer.c) ---- */

/* Steps that are no moves: no move has these bits, which go from the last rank to itself. */
enum {
    STEP_BEGIN = 0xFFFF, /* of a variation */
    STEP_END = 0xFFFE,
    STEP_LINE = 0xFFFD,        /* in a comment, which begins here; its moves that are known already follow */
    STEP_LINE_BEFORE = 0xFFFC, /* the same, before the last move */
    STEP_OWN = 0xFFFB,         /* moves that are not known follow */
    STEP_LINE_END = 0xFFFA
};

/* Where the steps of a comment end. */
typedef struct comment_steps {
    size_t item; /* of the record */
    size_t end;
} comment_steps;

/* The lines in the comments of a record, for those comments that have any. */
typedef struct line_steps {
    const stamma_move *steps;
    const comment_steps *ends;
    size_t count;
    uint32_t moves; /* that are not known */
} line_steps;

/* What codes a lane, beside that of the other. */
typedef struct lane_writer {
    const struct lane_source *source;
    bool second;
    uint64_t moves;           /* of both lanes, */
    const uint8_t *all_codes; /* and their codes */
    adaptive *learnt;         /* the lane's own, or NULL: that of the first */
    move_coder coder;
    buffer string, codes;
} lane_writer;

/* The moves of a block as they were played. */
typedef struct predicted_writer {
    const stamma_allocator *allocator;
    buffer games;  /* predicted_game, of records that have moves */
    buffer starts; /* stamma_position, of those that do not begin from the initial one */
    buffer steps;  /* stamma_move, with STEP_ for variations */
    pair_writer pairs[LINES];
    buffer codes[LINES];
    buffer strings[LINES];    /* of the record that is coded */
    lane_writer lanes[LANES]; /* in codec 5 */
    struct line_stack *stack;
} predicted_writer;

void stamma_predicted_writer_init(predicted_writer *w, const stamma_allocator *allocator);
void stamma_predicted_writer_clear(predicted_writer *w);
void stamma_predicted_writer_release(predicted_writer *w);
/* Adds a record's moves. `columns`: the tag column of each of its first r->roster_count items. */
void stamma_predicted_writer_add(predicted_writer *w, const record *r, const uint8_t *columns, const line_steps *lines);
/* Whether some addition failed for want of memory. */
bool stamma_predicted_writer_has_failed(const predicted_writer *w);
/* Whether a tag column is read before the moves. */
typedef bool column_is_ahead(const void *context, size_t column);
/* Codes all: adds to `stored` what the columns are stored as, nothing where a column cannot be: main lines in `codec`,
 * 4 or 5, variations in 4. `codes`: their moves as codes. `executor`, which may be NULL: codes one of the lanes.
 * NO_MEMORY, UNSUPPORTED where the library has no weights. */
stamma_error stamma_predicted_write(predicted_writer *w, unsigned codec, column_is_ahead *is_ahead, const void *context,
                                    const stamma_executor *executor, const buffer *codes[LINES], buffer stored[LINES]);

/* ---- reading (predicted_moves.c) ---- */

typedef struct predicted_column {
    bool open;
    bool adaptive;        /* it is in codec 5: */
    unsigned lane;        /* that is read, */
    uint64_t second;      /* the number of the first record of the second one, */
    uint64_t left[LANES]; /* records with moves of each that are not read, */
    size_t passed;        /* bits of its string that were read, about, */
    adaptive *learnt;     /* and what was learnt from it; NULL until it is needed */
    buffer streams[PREDICTED_STREAMS];
    pair_reader pairs;
    size_t string;    /* the next one */
    bool begun;       /* the record has a string, */
    bool as_codes;    /* which only says that its moves stand as codes */
    range_decoder in; /* behind what was read of it */
} predicted_column;

void stamma_predicted_init(predicted_column *c, const stamma_allocator *allocator);
void stamma_predicted_release(predicted_column *c);
/* Begins to read a column of `plain_size` moves in codec 4 or 5. `counts`: of each record's. Codes are added to
 * `codes`. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_predicted_open(predicted_column *c, unsigned codec, byte_packer *coder, cursor stored,
                                   uint64_t plain_size, const uint32_t *counts, size_t records, buffer *codes);
/* Goes on to the second lane, whatever was read of the first. */
void stamma_predicted_turn(predicted_column *c);
/* Begins the next record, which has `count` moves in the column: c->as_codes is set. NO_MEMORY. */
stamma_error stamma_predicted_begin(predicted_column *c, uint64_t count);
/* Whether the record's string, of *bits bits, ended where all its moves were read; 0 where it has none. */
bool stamma_predicted_end(predicted_column *c, size_t *bits);

#endif
