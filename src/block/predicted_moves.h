/* SPDX-License-Identifier: MIT */
/* Codecs 4, 5, 9 and 11: predicted moves (clauses 16, 17). In codec 4, the moves of each record's main line, and the
 * moves of its variations, are a string of a range coder. Each string is decoded independently of other records. In
 * codecs 5, 9 and 11, the records are divided into lanes of consecutive records. The main lines of each lane are one
 * string, coded with the adaptive predictor. Codecs 5 and 9 are only read. */
#ifndef STAMMA_PREDICTED_MOVES_H
#define STAMMA_PREDICTED_MOVES_H

#include "entropy/entropy.h"
#include "model/model.h"
#include "record/record.h"

/* Greatest and least number of records of a group (3.6). A group is decoded to read one of its records. Its size is a
 * compromise with the size of its checksum, and at level 3 also with that of its moves. */
enum { GROUP_MAX = 64, GROUP_MIN = 16, GROUP_FAST = GROUP_MAX, GROUP_ADAPTIVE = 32 };
enum { CODEC_PREDICTED = 4, CODEC_HALVES = 5, CODEC_LONG_LANES = 9, CODEC_LANES = 11 };
/* Columns of codec 4: moves of main lines, of variations, and of lines in comments. */
enum { LINES_MAIN, LINES_VARIATIONS, LINES_COMMENTS, LINES };
/* Parts of a stored column: parameters, symbols, bits and areas of pair strings, and codes (5.2). */
enum { PREDICTED_CODES = PAIR_STREAMS, PREDICTED_STREAMS };
/* Parts in codec 5, and in codecs 9 and 11. */
enum { HALVES_PARAMETERS, HALVES_FIRST, HALVES_SECOND, HALVES_CODES, HALVES_STREAMS };
enum { LANES_PARAMETERS, LANES_STRINGS, LANES_CODES, LANES_STREAMS };
/* A lane has at least LANE_MIN moves, except the last. In codec 9 it also has 1/LANE_SHARES of the column's moves. In
 * codec 11 the parameters contain its least number of moves, and it ends with a group. */
enum { LANE_MIN = 1 << 12, LANE_SHARES = 64, LANES_MAX = (1 << 23) / LANE_MIN + 1, LANE_MOVES = 1 << 13 };
/* Maximum of moves for each stored byte, which bounds the time of decoding. */
enum { PREDICTED_RATIO_MAX = 256 };

/* Returns whether main lines in a codec are coded with the adaptive predictor. */
STAMMA_INLINE bool codec_is_adaptive(unsigned codec)
{
    return codec == CODEC_HALVES || codec == CODEC_LONG_LANES || codec == CODEC_LANES;
}

/* Finds where lanes end. */
typedef struct lane_end {
    uint64_t least;  /* moves with which the lane may end */
    uint64_t moves;  /* of its records so far */
    uint64_t record; /* its last record */
    uint32_t group;  /* records of a group, with which the lane ends; 0: it ends anywhere */
} lane_end;

/* Adds a record with moves to the lane. Returns whether the record begins the next lane, to which it is then added. */
STAMMA_INLINE bool lane_turns(lane_end *l, uint64_t record, uint64_t moves)
{
    const bool ends = l->moves >= l->least && (l->group == 0 || l->record / l->group != record / l->group);
    l->moves = ends ? moves : l->moves + moves;
    l->record = record;
    return ends;
}

/* Returns the expected length of a string of `moves` moves in units of about 1/16 bit (clause 16.4). */
uint32_t stamma_predicted_weight(uint32_t moves);

/* ---- context of a game before its moves (clauses 16.5, 17.2) ---- */

/* The ratings, the time control, the result, the players. The last two are only for lanes. */
enum {
    CONTEXT_WHITE,
    CONTEXT_BLACK,
    CONTEXT_TIME,
    CONTEXT_RESULT,
    CONTEXT_PLAYERS,
    CONTEXT_TAGS = CONTEXT_PLAYERS + 2
};
extern const char *const stamma_context_tags[CONTEXT_TAGS];
/* Returns the context from the values of the context tags, {NULL, 0} for a missing tag, and the plies of the main
 * line. */
predict_context stamma_predicted_context(const stamma_text values[CONTEXT_TAGS], uint32_t plies);
/* Returns a number for the name of a player; 0 for an empty name, and for a value that is not read yet. */
uint64_t stamma_predicted_player(stamma_text name);

/* ---- writing (predicted_writer.c) ---- */

/* Steps that are not moves: these bits would be a move from a square of the last rank to itself. */
enum {
    STEP_BEGIN = 0xFFFF, /* a variation begins */
    STEP_END = 0xFFFE,
    STEP_LINE = 0xFFFD,        /* a line in a comment begins; its known moves follow */
    STEP_LINE_BEFORE = 0xFFFC, /* the same, from the position before the last move */
    STEP_OWN = 0xFFFB,         /* moves follow that are not known */
    STEP_LINE_END = 0xFFFA
};

/* End of the steps of a comment. */
typedef struct comment_steps {
    size_t item; /* of the record */
    size_t end;
} comment_steps;

/* The lines in the comments of a record. */
typedef struct line_steps {
    const stamma_move *steps;
    const comment_steps *ends;
    size_t count;
    uint32_t moves; /* moves that are not known */
} line_steps;

/* State of coding half of the lanes in parallel with the other half. */
typedef struct lane_writer {
    const struct lane_source *source;
    uint64_t first, end;      /* numbers of its lanes */
    const uint8_t *all_codes; /* codes of the moves of all lanes */
    adaptive *learnt;         /* model; NULL: uses the model of the first half */
    move_coder coder;
    buffer strings, codes, sizes;
    bool stopped;
} lane_writer;

/* The moves of a block in the order in which they were played. */
typedef struct predicted_writer {
    const stamma_allocator *allocator;
    buffer games;  /* predicted_game, of records with moves */
    buffer starts; /* stamma_position, of records that do not start in the initial position */
    buffer steps;  /* stamma_move, with STEP_ values for variations */
    pair_writer pairs[LINES];
    buffer codes[LINES];
    buffer strings[LINES]; /* of the record being coded */
    lane_writer lanes[2];
    struct line_stack *stack;
    const stop_check *stop; /* NULL: none */
} predicted_writer;

void stamma_predicted_writer_init(predicted_writer *w, const stamma_allocator *allocator);
void stamma_predicted_writer_clear(predicted_writer *w);
void stamma_predicted_writer_release(predicted_writer *w);
/* Adds the moves of the block's record `number`. `columns` are the tag columns of its first r->roster_count items. */
void stamma_predicted_writer_add(predicted_writer *w, uint64_t number, const record *r, const uint8_t *columns,
                                 const line_steps *lines);
/* Returns whether an addition failed because memory was exhausted. */
bool stamma_predicted_writer_has_failed(const predicted_writer *w);
/* Returns whether a tag column is read before the moves. */
typedef bool column_is_ahead(const void *context, size_t column);
/* Codes all moves. Adds the stored form of each column to `stored`; adds nothing for a column that cannot be coded, or
 * is not smaller than its codes. Main lines are coded in `codec`, 4 or 11; variations and lines in comments in codec 4.
 * `codes` contains the moves as codes. `executor` codes half of the lanes; it may be NULL. The library must have
 * weights. NO_MEMORY, CANCELLED. */
stamma_error stamma_predicted_write(predicted_writer *w, unsigned codec, column_is_ahead *is_ahead, const void *context,
                                    const stamma_executor *executor, const buffer *codes[LINES], buffer stored[LINES]);

/* ---- reading (predicted_moves.c) ---- */

/* Records whose main lines are one string. */
typedef struct moves_lane {
    uint64_t first;   /* number of its first record with moves */
    uint64_t records; /* with moves */
    const uint8_t *string, *end;
    const uint8_t *codes, *codes_end; /* of its records that are codes; NULL in codec 5 */
} moves_lane;

typedef struct predicted_column {
    bool open;
    bool adaptive;    /* the column has lanes */
    uint32_t group;   /* records of a group */
    buffer lanes;     /* moves_lane */
    size_t lane;      /* number of the lane being read; SIZE_MAX: none yet */
    uint64_t left;    /* records of this lane that are not read yet */
    size_t passed;    /* approximate number of bits read of its string */
    uint64_t second;  /* number of the first record of the second half of the lanes */
    adaptive *learnt; /* adaptive model; NULL until it is used */
    buffer streams[PREDICTED_STREAMS];
    pair_reader pairs;
    size_t string;    /* the next string of a pair */
    bool begun;       /* the record has a string */
    bool as_codes;    /* the string says that the moves are stored as codes */
    bool dead;        /* the rest of the lane is lost */
    range_decoder in; /* decoder, after the bits read so far */
} predicted_column;

void stamma_predicted_init(predicted_column *c, const stamma_allocator *allocator);
void stamma_predicted_release(predicted_column *c);
/* Opens a column of `plain_size` moves in codec 4, 5, 9 or 11. `counts` has the number of moves of each record, and
 * c->group the number of records of a group. Codes are added to `codes`, which must be empty, and which the caller must
 * not change. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_predicted_open(predicted_column *c, unsigned codec, byte_packer *coder, cursor stored,
                                   uint64_t plain_size, const uint32_t *counts, size_t records, buffer *codes);
/* Begins the next record, which has `count` moves in the column. Sets c->as_codes. NO_MEMORY. */
stamma_error stamma_predicted_begin(predicted_column *c, uint64_t count);
/* Skips the next record of a column with lanes, and the rest of its lane. After the lane's last record, `codes` is
 * moved to the end of the lane's codes. */
void stamma_predicted_pass(predicted_column *c, uint64_t count, cursor *codes);
/* Skips the record that was begun, which is lost, and the rest of its lane. */
void stamma_predicted_lose(predicted_column *c);
/* Returns the record at which a lane begins and from which all records must be read, so that the moves of `record` can
 * be read: `record` itself, if the column has no lanes. */
uint64_t stamma_predicted_lane(const predicted_column *c, uint64_t record);
/* Returns whether the records of the lane that begins with record `first` were all read, up to the next record. */
bool stamma_predicted_is_alive(const predicted_column *c, uint64_t first);
/* Saves or restores the place between two records. The model of a lane is not saved: after restoring, the rest of a
 * lane that was begun cannot be read. */
void stamma_predicted_keep(predicted_column *c, kept_state *k);
/* Called after all moves of a record were read. Returns whether its string ends there; after the last record of a lane,
 * also whether the codes of the lane end. `codes` is after the codes of the record. *bits is the size of the string; 0
 * if the record has no string. */
bool stamma_predicted_end(predicted_column *c, const cursor *codes, size_t *bits);

#endif
