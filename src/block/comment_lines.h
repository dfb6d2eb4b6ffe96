/* SPDX-License-Identifier: MIT */
/* Lines of moves in comments, such as the principal variations that engines write, stored as moves (clause 18). In the
 * comment's text, each line is replaced by a mark. */
#ifndef STAMMA_COMMENT_LINES_H
#define STAMMA_COMMENT_LINES_H

#include "block/predicted_moves.h"

enum { LINE_MARK = 2 }; /* the byte that replaces a line */
/* The position from which a line begins. The numbers are in the format (clause 18.2). */
enum {
    LINE_AFTER,  /* in the position of the comment */
    LINE_PLAYED, /* in the position of the comment, after repeating the last move played */
    LINE_BEFORE, /* before the last move played */
    LINE_REPLY,  /* a single move: the reply that was expected when the same side moved last */
    LINE_BEGINS
};
/* Line ends that may replace some of the blanks between moves. */
enum { BREAK_BY_NONE, BREAK_BY_LF, BREAK_BY_CRLF, LINE_BREAKS };
enum { KNOWN_LINES = 4 };
/* Number of kinds of marks. Kind 0 represents the byte of the mark itself. The kind of a line is 1 + begin +
 * LINE_BEGINS * (coordinates + 2 * (breaks + LINE_BREAKS * known)). */
enum { LINE_KINDS = 1 + LINE_BEGINS * 2 * LINE_BREAKS * (1 + KNOWN_LINES) };
/* Maximum size of a move of a line, without and with the text before it. */
enum { LINE_WORD_SIZE = 7, LINE_MOVE_SIZE = LINE_WORD_SIZE + 2 };

/* ---- the current position of the game ---- */

typedef struct game_state {
    stamma_position position;       /* before its next move */
    stamma_position before;         /* before its last move; at the start of the game the same */
    predict_game game, game_before; /* predictor states of these, if the predictor is used */
    stamma_move last;               /* STAMMA_MOVE_NULL: none, or the null move */
    uint8_t last_facts;             /* SAN facts */
} game_state;

/* ---- lines known to writer and reader (comment_lines.c; clause 18.3) ---- */

enum { REPLY_PLIES = 3 };

/* Lines of earlier comments that the game has followed so far; the most recent first. */
typedef struct known_lines {
    buffer lines[KNOWN_LINES]; /* played_move, without codes */
    size_t begins[KNOWN_LINES];
    size_t count;
    /* the moves that lines expect after the last move, after the last move but one, and so on; or none */
    played_move replies[REPLY_PLIES];
} known_lines;

void stamma_known_lines_init(known_lines *k, const stamma_allocator *allocator);
void stamma_known_lines_release(known_lines *k);
/* Forgets all lines: a game begins, or a variation begins or ends. */
void stamma_known_lines_clear(known_lines *k);
/* Plays a move of the game. Lines that expect another move are forgotten. */
void stamma_known_lines_play(known_lines *k, stamma_move move);
/* Returns the rest of a line; NULL if there is none. */
STAMMA_INLINE const played_move *known_line(const known_lines *k, size_t n, size_t *size)
{
    *size = k->lines[n].size / sizeof(played_move) - k->begins[n];
    return (const played_move *)(const void *)k->lines[n].data + k->begins[n];
}
/* Returns the move that was expected when the same side moved last; STAMMA_MOVE_NULL: none. */
STAMMA_INLINE const played_move *known_reply(const known_lines *k)
{
    return &k->replies[REPLY_PLIES - 1];
}
/* Records the moves of a line in the comment of the current position. */
STAMMA_INLINE void known_lines_expect(known_lines *k, const played_move *moves, size_t count)
{
    if (count > 0)
        k->replies[0] = moves[0];
}
/* Adds a line of at least one move. `continued` is the number of the known line that the line begins with and replaces;
 * KNOWN_LINES if there is none. Returns false if memory is exhausted. */
bool stamma_known_lines_add(known_lines *k, const played_move *moves, size_t count, size_t continued);

/* Writes a move in the notation of lines: standard SAN, or the coordinates of UCI, with castling as two squares of the
 * king. Writes at most LINE_MOVE_SIZE - 1 bytes; `out` must have STAMMA_SAN_SIZE bytes. */
size_t stamma_line_spell(stamma_move move, unsigned san_facts, bool coordinates, char *out);

/* ---- writing (comment_lines_writer.c) ---- */

typedef struct comment_lines_writer {
    const stamma_allocator *allocator;
    known_lines known;
    bool following;           /* the record may have lines */
    bool movetext;            /* its tags are complete */
    unsigned depth;           /* number of open variations */
    game_state *lines;        /* VARIATION_DEPTH_MAX + 1 */
    buffer run;               /* played_move: the line being read, without the move played before it */
    stamma_position position; /* after `made` moves of the run */
    size_t made;
    piece_board board; /* after all its moves, if it is up to date */
    bool board_stands;
    buffer breaks;       /* uint32_t: for each line end, the number of moves of the line before it */
    buffer sizes;        /* of the record's lines */
    uint64_t marks;      /* of the record */
    buffer steps;        /* stamma_move, with STEP_ values: of the record's lines */
    buffer step_ends;    /* comment_steps */
    uint32_t moves;      /* moves of the record that are stored as moves */
    uint64_t line_count; /* of the block */
    buffer *texts, *kinds, *codes, *size_column; /* of the block */
} comment_lines_writer;

void stamma_comment_lines_init(comment_lines_writer *c, const stamma_allocator *allocator);
void stamma_comment_lines_release(comment_lines_writer *c);
bool stamma_comment_lines_have_failed(const comment_lines_writer *c);
/* Begins a record. Its items follow in order, and then its end. */
void stamma_comment_lines_begin(comment_lines_writer *c, const record *r);
/* Adds a comment: its text and its lines. */
void stamma_comment_lines_add(comment_lines_writer *c, const item *it, size_t index);
/* Adds any other item, if c->following is set. */
void stamma_comment_lines_follow(comment_lines_writer *c, const item *it);
void stamma_comment_lines_end(comment_lines_writer *c);
/* Returns the record's lines, for the predictor. */
line_steps stamma_comment_lines_steps(const comment_lines_writer *c);

/* ---- reading (comment_lines.c) ---- */

/* The place of an expanded text among the expanded texts of its record. */
typedef struct expanded_text {
    size_t item, begin, size;
} expanded_text;

typedef struct comment_lines_reader {
    known_lines known;
    uint64_t marks; /* left in the record */
    uint64_t total; /* bytes of the texts in the block */
    buffer texts;   /* of the record's comments with marks */
    buffer places;  /* expanded_text */
    buffer run;     /* played_move: the line being read */
    buffer breaks;  /* uint32_t: moves of the line after a line end */
    buffer moves;   /* stamma_move, followed by SAN facts: of the decoded moves */
} comment_lines_reader;

/* The source of lines. */
typedef struct line_source {
    cursor *kinds, *sizes, *codes;
    move_coder *coder;
    range_decoder *in; /* NULL: moves are stored as codes */
} line_source;

void stamma_lines_reader_init(comment_lines_reader *c, const stamma_allocator *allocator);
void stamma_lines_reader_release(comment_lines_reader *c);
/* Begins the next record. */
void stamma_lines_reader_begin(comment_lines_reader *c, cursor *sizes);
/* Reads the lines of a comment, the item of the record with this number. `at` is its position, NULL before the
 * movetext. CORRUPT, NO_MEMORY. */
stamma_error stamma_lines_reader_expand(comment_lines_reader *c, const line_source *source, const game_state *at,
                                        stamma_text text, size_t item);
/* Skips a record's lines, and their moves if these are stored as codes. Returns false if they are corrupt. */
bool stamma_lines_reader_skip(comment_lines_reader *c, const line_source *source);
/* Adds up the moves of the next record. Returns false if they are corrupt. */
bool stamma_lines_count(cursor *sizes, uint64_t *moves);
/* Sets the texts of the record's items. */
void stamma_lines_reader_place(const comment_lines_reader *c, record *r);

#endif
