/* SPDX-License-Identifier: MIT */
/* One record being read: declarations that record_reader.c and main_line_reader.c share. */
#ifndef STAMMA_RECORD_READING_H
#define STAMMA_RECORD_READING_H

#include "block/block.h"

/* One record being read. */
typedef struct reading {
    block_reader *b;
    block_columns *columns; /* of b */
    block_state *state;     /* of b */
    record *r;
    bool skip;
    bool full; /* the record gets all its items, as block_reads_text; false if it is skipped */
    bool main_line_wanted;
    bool variations;
    bool moves; /* moves of the main line become items */
    bool corrupt;
    bool movetext;       /* the movetext has begun (4.7) */
    bool predicted;      /* moves of variations are predicted */
    bool games;          /* moves of variations, or of lines in comments, are predicted */
    bool lines;          /* comments have lines */
    uint64_t line_moves; /* number of moves of these lines that are not moves of known lines */
    cursor lines_at[3];  /* positions in the columns of lines at the start of this record */
    bool follow;         /* the position after each move is needed */
    event_summary events;
    size_t left;                   /* number of events that may follow (4.6) */
    const uint32_t *comment_sizes; /* sizes of the remaining comments, if they are stored as fields */
    const stamma_move *main_line;  /* the remaining moves of the main line */
    const uint8_t *main_san_facts; /* the SAN facts of these moves */
    stamma_position end;           /* position after all moves */
    uint8_t side;                  /* side to move next */
    uint16_t fullmove;             /* number of the next move */
    size_t roster_at;              /* number of the roster's columns read, in ascending order */
    game_state line;               /* the present position, if `follow` is set */
    game_state stack[VARIATION_DEPTH_MAX];
    unsigned depth;
    bool no_memory; /* not next to `corrupt`: compilers read both as one word, which waits for a write to either */
} reading;

/* Returns whether moves of a column are read by the predictor. */
STAMMA_INLINE bool is_predicted(const reading *x, unsigned lines)
{
    return x->columns->predicted[lines].open && x->columns->predicted[lines].begun &&
           !x->columns->predicted[lines].as_codes;
}

/* Returns the context of the game for the predictor (clauses 16.5, 17.2). Values that are not read yet are empty.
 * `players` may be NULL. */
predict_context stamma_reading_context(const reading *x, uint64_t *players);
/* Begins the next record, which has `count` moves in its main line, with LANES_FIRST. */
void stamma_ahead_begin(block_reader *b, uint64_t count);
/* Decodes the complete main line, which is faster than move by move. */
void stamma_reading_main_line(reading *x, uint64_t count);
/* Returns the number of the record's opening, if a tag depends on it, or if plan.openings is set; 0: none. */
unsigned stamma_reading_opening(reading *x);

#endif
