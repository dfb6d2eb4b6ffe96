/* One record being read: what record_reader.c and main_line_reader.c share. */
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
    bool full; /* as in the block, unless the record is skipped */
    bool main_line_wanted;
    bool variations;
    bool moves; /* of the main line are items */
    bool corrupt;
    bool movetext;       /* the tags are over (4.7) */
    bool predicted;      /* moves of variations are, */
    bool games;          /* or those of lines in comments */
    bool lines;          /* comments have lines, */
    uint64_t line_moves; /* their moves that are not known */
    cursor lines_at[3];  /* where their columns begin for this record */
    bool follow;         /* where the moves come to */
    event_summary events;
    size_t left;                   /* number of events that may follow (4.6) */
    const uint32_t *comment_sizes; /* of those that are left, where they are fields */
    const stamma_move *main_line;  /* those that are left */
    const uint8_t *main_san_facts; /* and their SAN facts */
    stamma_position end;           /* position after all moves */
    uint8_t side;                  /* to move next */
    uint16_t fullmove;             /* number of that move */
    size_t roster_at;              /* number of the roster's columns read, in ascending order */
    game_state line;               /* where it is followed */
    game_state stack[VARIATION_DEPTH_MAX];
    unsigned depth;
    bool no_memory; /* not beside `corrupt`: compilers read both as one word, which waits for a write to one of them */
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
/* Decodes the whole main line, which is faster than move by move. */
void stamma_reading_main_line(reading *x, uint64_t count);
/* Returns the number of the record's opening, if some tag follows from it; 0: none. */
unsigned stamma_reading_opening(reading *x);

#endif
