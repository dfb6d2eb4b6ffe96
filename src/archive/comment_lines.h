/* Lines of moves that stand in comments, as engines tell what they foresee: moves in the archive (clause 17). A mark in
 * the comment's text says where each stands. */
#ifndef STAMMA_COMMENT_LINES_H
#define STAMMA_COMMENT_LINES_H

#include "archive/predicted_moves.h"

enum { LINE_MARK = 2 }; /* the byte that stands for a line */
/* Where a line begins; the numbers are in the file (clause 17.2). */
enum {
    LINE_AFTER,  /* in the position where the comment stands */
    LINE_PLAYED, /* there too, but the last move played is told first */
    LINE_BEFORE, /* before that move */
    LINE_REPLY,  /* it is one move: the reply that was expected when the same side moved last */
    LINE_BEGINS
};
/* What may stand between moves in place of some of the blanks. */
enum { BREAK_BY_NONE, BREAK_BY_LF, BREAK_BY_CRLF, LINE_BREAKS };
enum { KNOWN_LINES = 4 };
/* What a mark stands for: 0 for itself, else 1 + begin + LINE_BEGINS * (coordinates + 2 * (breaks + LINE_BREAKS *
 * known)). */
enum { LINE_KINDS = 1 + LINE_BEGINS * 2 * LINE_BREAKS * (1 + KNOWN_LINES) };
/* A move of a line takes so many bytes at most, and what stands before it. */
enum { LINE_WORD_SIZE = 7, LINE_MOVE_SIZE = LINE_WORD_SIZE + 2 };

/* ---- where a line of the game has come to ---- */

typedef struct game_state {
    stamma_position position;       /* before its next move */
    stamma_position before;         /* before its last one; where there is none, where it began */
    predict_game game, game_before; /* the same to the predictor, where it is asked */
    stamma_move last;               /* STAMMA_MOVE_NULL: none, or the null move */
    uint8_t last_facts;             /* SAN facts */
} game_state;

/* ---- what both sides know (comment_lines.c; clause 17.3) ---- */

enum { REPLY_PLIES = 3 };

/* Lines that were told and that the game has followed so far; the last one told first. */
typedef struct known_lines {
    buffer lines[KNOWN_LINES]; /* played_move, without codes */
    size_t begins[KNOWN_LINES];
    size_t count;
    played_move replies[REPLY_PLIES]; /* what lines expect behind the last move, the one before it ...; or none */
} known_lines;

void stamma_known_lines_init(known_lines *k, const stamma_allocator *allocator);
void stamma_known_lines_release(known_lines *k);
/* A game begins, or a variation begins or ends. */
void stamma_known_lines_clear(known_lines *k);
/* A move of the game is played: lines that foresaw another are forgotten. */
void stamma_known_lines_play(known_lines *k, stamma_move move);
/* What is left of a line, which is not nothing. */
STAMMA_INLINE const played_move *known_line(const known_lines *k, size_t n, size_t *size)
{
    *size = k->lines[n].size / sizeof(played_move) - k->begins[n];
    return (const played_move *)(const void *)k->lines[n].data + k->begins[n];
}
/* What was expected when the same side moved last; STAMMA_MOVE_NULL: nothing. */
STAMMA_INLINE const played_move *known_reply(const known_lines *k)
{
    return &k->replies[REPLY_PLIES - 1];
}
/* Notes the moves of a line that is told in the position where the game stands. */
STAMMA_INLINE void known_lines_expect(known_lines *k, const played_move *moves, size_t count)
{
    if (count > 0)
        k->replies[0] = moves[0];
}
/* Adds such a line. `continued`: the number of the line that it has all
 * moves of, or KNOWN_LINES. False: no memory. */
bool stamma_known_lines_add(known_lines *k, const played_move *moves, size_t count, size_t continued);

/* Writes a move as lines have it: SAN by the standard, or the coordinates of UCI, in which castling is two squares of
 * the king. At most LINE_MOVE_SIZE - 1 bytes; there must be room for STAMMA_SAN_SIZE. */
size_t stamma_line_spell(stamma_move move, unsigned san_facts, bool coordinates, char *out);

/* ---- writing (comment_lines_writer.c) ---- */

typedef struct comment_lines_writer {
    const stamma_allocator *allocator;
    known_lines known;
    bool following;           /* the record may have lines */
    bool movetext;            /* its tags are over */
    unsigned depth;           /* variations that are open */
    game_state *lines;        /* VARIATION_DEPTH_MAX + 1 */
    buffer run;               /* played_move: the line that is being read, but the move played before it */
    stamma_position position; /* behind `made` moves of the run */
    size_t made;
    piece_board board; /* behind all of them, if it stands there */
    bool board_stands;
    buffer breaks;       /* uint32_t: moves of it that a line end stands before, that one counted */
    buffer sizes;        /* of the record's lines */
    uint64_t marks;      /* in the record */
    buffer steps;        /* stamma_move, with STEP_: of the record's lines */
    buffer step_ends;    /* comment_steps */
    uint32_t moves;      /* of the record that stand as moves */
    uint64_t line_count; /* in the block */
    buffer *texts, *kinds, *codes, *size_column; /* the block's */
} comment_lines_writer;

void stamma_comment_lines_init(comment_lines_writer *c, const stamma_allocator *allocator);
void stamma_comment_lines_release(comment_lines_writer *c);
bool stamma_comment_lines_have_failed(const comment_lines_writer *c);
/* Begins a record; then come its items in their order, and its end. */
void stamma_comment_lines_begin(comment_lines_writer *c, const record *r);
/* A comment: adds its text, and its lines. */
void stamma_comment_lines_add(comment_lines_writer *c, const item *it, size_t index);
/* Any other item. */
void stamma_comment_lines_follow(comment_lines_writer *c, const item *it);
void stamma_comment_lines_end(comment_lines_writer *c);
/* The record's lines, for the predictor. */
line_steps stamma_comment_lines_steps(const comment_lines_writer *c);

/* ---- reading (comment_lines.c) ---- */

/* Where a text that was read stands among those of its record. */
typedef struct expanded_text {
    size_t item, begin, size;
} expanded_text;

typedef struct comment_lines_reader {
    known_lines known;
    uint64_t marks; /* that are left in the record */
    uint64_t total; /* bytes of texts in the block */
    buffer texts;   /* of the record's comments that have marks */
    buffer places;  /* expanded_text */
    buffer run;     /* played_move: the line that is read */
    buffer breaks;  /* uint32_t: moves of it that a line end stands before */
    buffer moves;   /* stamma_move, then SAN facts: of those that are decoded */
} comment_lines_reader;

/* What lines are read from. */
typedef struct line_source {
    cursor *kinds, *sizes, *codes;
    move_coder *coder;
    range_decoder *in; /* NULL: moves stand as codes */
} line_source;

void stamma_lines_reader_init(comment_lines_reader *c, const stamma_allocator *allocator);
void stamma_lines_reader_release(comment_lines_reader *c);
/* Begins the next record. */
void stamma_lines_reader_begin(comment_lines_reader *c, cursor *sizes);
/* Reads the lines of a comment, which stands behind that of the record's items with this number. `at`: where, NULL
 * before the movetext. CORRUPT, NO_MEMORY. */
stamma_error stamma_lines_reader_expand(comment_lines_reader *c, const line_source *source, const game_state *at,
                                        stamma_text text, size_t item);
/* Passes a record's lines, and their moves where these stand as codes. False: corrupt. */
bool stamma_lines_reader_skip(comment_lines_reader *c, const line_source *source);
/* Adds up the moves of the next record. False: corrupt. */
bool stamma_lines_count(cursor *sizes, uint64_t *moves);
/* Gives the record's items their texts. */
void stamma_lines_reader_place(const comment_lines_reader *c, record *r);

#endif
