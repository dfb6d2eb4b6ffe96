/* SPDX-License-Identifier: MIT */
/* Games as PGN: a reader of events, a writer, changed tags, and the tree of a game in memory.
 *
 *     stamma_pgn_reader *reader = NULL;
 *     stamma_pgn_event event;
 *     stamma_error error = stamma_pgn_reader_open_memory(text, size, NULL, &reader);
 *     while (error == STAMMA_OK && (error = stamma_pgn_reader_next(reader, &event)) == STAMMA_OK &&
 *            event.kind != STAMMA_PGN_END)
 *         moves += event.kind == STAMMA_PGN_MOVE;
 *     stamma_pgn_reader_close(reader);
 *
 * Source: PGN standard (Edwards, 1994), sections 3 and 8. */
#ifndef STAMMA_API_PGN_H
#define STAMMA_API_PGN_H

#include "stamma/notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the PGN reader: a pull reader of events over a callback input ---- */

typedef enum stamma_pgn_kind {
    STAMMA_PGN_END = 0,         /* end of the input; every later call returns it again */
    STAMMA_PGN_GAME_BEGIN,      /* before the first token of a game */
    /* text: the name; FEN and other names that this library reads are in their usual case ("Fen" is FEN); value: the
     * text between the quotes, with its escapes */
    STAMMA_PGN_TAG,
    STAMMA_PGN_MOVE_NUMBER,     /* text: digits and dots; only with option move_numbers */
    STAMMA_PGN_MOVE,            /* text: as written, without a !? suffix; move: unless option tokens_only */
    STAMMA_PGN_COMMENT,         /* text: between { and } */
    STAMMA_PGN_LINE_COMMENT,    /* text: after ; to the end of the line */
    STAMMA_PGN_ESCAPE,          /* text: after % at the start of a line to its end */
    STAMMA_PGN_NAG,             /* nag: 0..255; text: "$n", or the glyph: "!?", "+-", "N" ... */
    STAMMA_PGN_VARIATION_BEGIN,
    STAMMA_PGN_VARIATION_END,
    /* text: as written; stamma_result_read reads it. At depth 0 the result ends the moves of the game. Comments, NAGs
     * and variations may follow the result up to an empty line. Other words in the line of the result are ERROR
     * events */
    STAMMA_PGN_RESULT,
    STAMMA_PGN_ERROR,           /* error and place describe the error; text: the skipped bytes; reading continues */
    STAMMA_PGN_GAME_END         /* after the last token of a game */
} stamma_pgn_kind;

/* One event. The texts are valid until the next call. A token of max_token bytes or more is split into several events
 * of its kind; all except the last have `more` set. */
typedef struct stamma_pgn_event {
    stamma_pgn_kind kind;
    /* ERROR: SYNTAX (not PGN), ILLEGAL or AMBIGUOUS (a move, a FEN tag), UNSUPPORTED (the Variant tag names another
     * game), LIMIT (variations nested deeper than max_depth). MOVE: see stamma_pgn_reader_next */
    stamma_error error;
    stamma_text text;
    stamma_text value;
    stamma_place place;   /* place of the event's first byte; ply is 0 with tokens_only */
    uint32_t depth;       /* nesting depth of variations; 0: main line */
    stamma_move move;     /* 0 is the null move if error is OK */
    uint8_t nag;
    bool more;
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_pgn_event;

typedef struct stamma_pgn_options {
    size_t size;                /* sizeof(stamma_pgn_options) */
    const stamma_allocator *allocator; /* NULL: malloc and free */
    bool tokens_only;           /* do not play the moves: no positions, and no STAMMA_ERROR_ILLEGAL */
    bool move_numbers;          /* return STAMMA_PGN_MOVE_NUMBER events */
    /* maximum depth of variations that are played. A deeper variation is skipped with one ERROR event. Default 1000; no
     * limit with tokens_only */
    uint32_t max_depth;
    /* bytes; default 1 MiB, at least 256. Also the maximum size of a tag pair that is one event */
    size_t max_token;
} stamma_pgn_options;

typedef struct stamma_pgn_reader stamma_pgn_reader;

/* Opens a reader over `input`. The struct is copied; its context must live as long as the reader. The reader allocates
 * two times max_token bytes, and 100 to 200 bytes for each level of nesting.
 * Errors: NO_MEMORY; BAD_ARGUMENT for invalid options. */
STAMMA_API stamma_error stamma_pgn_reader_open(const stamma_input *input, const stamma_pgn_options *options,
                                               stamma_pgn_reader **reader);

/* Opens a reader over `size` bytes of memory, which are not copied and must live as long as the reader. Options and
 * errors: as for stamma_pgn_reader_open. */
STAMMA_API stamma_error stamma_pgn_reader_open_memory(const void *bytes, size_t size, const stamma_pgn_options *options,
                                                      stamma_pgn_reader **reader);

/* Returns the next event. The events depend only on the bytes, not on the sizes in which the input delivers them.
 *
 * Invalid PGN is an ERROR event, not an error of this function. A word that is not a move, and a move that cannot be
 * played, are ERROR events. The rest of its line (variation or game) is then returned as MOVE events with move 0 and
 * the same error, because the position is unknown. The same applies to a complete game with an invalid start position.
 * A variation that is not closed ends with an ERROR event.
 *
 * There are no events for byte order marks, for white space, and for separate marks that only repeat a property of the
 * move (+ # e.p.). Comments, escapes and errors may also occur between games. A game without a result ends at the next
 * tag pair or at the end of the input.
 *
 * Errors:
 *   IO         the input failed
 *   NO_MEMORY  memory is exhausted for a variation
 * After an error, the next call continues if possible. */
STAMMA_API stamma_error stamma_pgn_reader_next(stamma_pgn_reader *reader, stamma_pgn_event *event);

/* Returns the position before the next move of the current line: the start of the game (from its first FEN tag) after
 * the tags, and the position after the move after a MOVE event. Valid until the next call. Returns NULL with
 * tokens_only, and after a move that could not be played. */
STAMMA_API const stamma_position *stamma_pgn_reader_position(const stamma_pgn_reader *reader);

/* Skips the rest of the current game without returning its events; the next event is its GAME_END. Does nothing
 * between games. Errors as stamma_pgn_reader_next. */
STAMMA_API stamma_error stamma_pgn_reader_skip_game(stamma_pgn_reader *reader);

/* Closes a reader. Accepts NULL. */
STAMMA_API void stamma_pgn_reader_close(stamma_pgn_reader *reader);

/* Copies a tag value without its escapes (\" and \\; PGN standard 7) to `out`, at most value.size bytes, and returns
 * their number. The value may contain any bytes. If `out` is NULL, only returns the number. */
STAMMA_API size_t stamma_pgn_unescape(stamma_text value, char *out);

/* ---- the PGN writer: export format (PGN standard 3.2 and 8) ---- */

typedef struct stamma_pgn_writer_options {
    size_t size;
    const stamma_allocator *allocator;
    /* maximum length of a line of movetext in bytes; default 79 (PGN standard 8.2.1); UINT32_MAX: one line. Comments
     * are not broken; a longer comment has its own line */
    uint32_t line_width;
} stamma_pgn_writer_options;

typedef struct stamma_pgn_writer stamma_pgn_writer;

/* Opens a writer to `output`, which is copied. Call the functions below in the order of the text: tags and the start
 * position, then moves with their comments, NAGs and variations, then the result; the next game may follow. Text is
 * passed to `output` in large pieces; a game is complete when stamma_pgn_writer_result returns.
 *
 * The functions below return, in addition to the errors of their comments:
 *   BAD_ARGUMENT  the arguments or the call are not valid at this place; nothing is written
 *   IO            the output failed; the writer can only be closed
 *   NO_MEMORY     memory is exhausted; the writer can only be closed
 * Errors of this function: BAD_ARGUMENT for invalid options; NO_MEMORY. */
STAMMA_API stamma_error stamma_pgn_writer_open(const stamma_output *output, const stamma_pgn_writer_options *options,
                                               stamma_pgn_writer **writer);
/* Writes a tag pair. `name` may contain letters, digits and `_ + - / # = : @`. `value` is plain text in one line;
 * quotes and backslashes are escaped. The caller determines the order of the tags (PGN standard 8.1.1: the seven-tag
 * roster first). Errors: BAD_ARGUMENT for other names and values, and after the movetext has begun. */
STAMMA_API stamma_error stamma_pgn_writer_tag(stamma_pgn_writer *writer, stamma_text name, stamma_text value);
/* Sets the position at the start of the movetext; the default is the initial position. Write the FEN tag separately.
 * Errors: BAD_ARGUMENT after the movetext has begun. */
STAMMA_API stamma_error stamma_pgn_writer_start(stamma_pgn_writer *writer, const stamma_position *position);
/* Writes a move, or the null move as `--`. Errors: ILLEGAL if the move is not legal, or for the null move in check. */
STAMMA_API stamma_error stamma_pgn_writer_move(stamma_pgn_writer *writer, stamma_move move);
/* Writes a comment in braces. A comment that contains `}` is written after `;` up to the end of the line.
 * Errors: BAD_ARGUMENT for a comment that PGN cannot represent: it contains both `}` and a line end, or a line that
 * begins with `[Event "` if a `{` is after this line or the comment has more than 1,048,574 bytes. */
STAMMA_API stamma_error stamma_pgn_writer_comment(stamma_pgn_writer *writer, stamma_text comment);
/* Writes a NAG, 0 to 255, as `$n`. Errors: BAD_ARGUMENT for a larger number. */
STAMMA_API stamma_error stamma_pgn_writer_nag(stamma_pgn_writer *writer, unsigned nag);
/* Begins a variation that replaces the last move of the current line. Errors: BAD_ARGUMENT if the line has no move. */
STAMMA_API stamma_error stamma_pgn_writer_variation_begin(stamma_pgn_writer *writer);
/* Ends the current variation and returns to the line around it. Errors: BAD_ARGUMENT outside variations. */
STAMMA_API stamma_error stamma_pgn_writer_variation_end(stamma_pgn_writer *writer);
/* Ends the game with its result (1-0, 0-1, 1/2-1/2, *) and an empty line. Errors: BAD_ARGUMENT for another text, and
 * within a variation. */
STAMMA_API stamma_error stamma_pgn_writer_result(stamma_pgn_writer *writer, stamma_text result);
/* Closes a writer. Accepts NULL. A game without a result may be written in part. */
STAMMA_API void stamma_pgn_writer_close(stamma_pgn_writer *writer);

/* ---- changed tags in the text of a game ---- */

/* A change of one tag. Members that are not used are 0. */
typedef struct stamma_tag_edit {
    stamma_text name;
    stamma_text new_name; /* data NULL: the name is kept */
    stamma_text value;    /* plain text in one line, without escapes; data NULL: the value is kept */
    bool remove;          /* the tag is removed, with its line if nothing else is in the line */
    uint64_t reserved[2]; /* 0 */
} stamma_tag_edit;

/* Writes the text of one game with changed tags. All other bytes are unchanged, including the layout of the changed
 * tags. If a tag occurs several times, each occurrence is changed. If the game does not have a tag and `value` is set,
 * the tag is added after the last tag; a game without tags receives a tag section. If all tags are removed, only
 * movetext remains, which readers may interpret differently. Memory is only allocated for more than 16 changes.
 *
 *   game          text of one game, such as stamma_archive_game.text; if it contains several games, the first is
 *                 changed
 *   edits, count  the changes; if several have the same name, only the first is applied to existing tags
 *   output        receives the text, in several calls
 * Errors:
 *   BAD_ARGUMENT  a name or value is invalid (see stamma_pgn_writer_tag), or the text contains no game
 *   NO_MEMORY     nothing is written, as after BAD_ARGUMENT
 *   IO            the output failed
 * Example:
 *   stamma_tag_edit edit = {.name = stamma_text_of("Event"), .value = stamma_text_of("Hastings")};
 *   stamma_pgn_edit_tags(game->text, &edit, 1, &output); */
STAMMA_API stamma_error stamma_pgn_edit_tags(stamma_text game, const stamma_tag_edit *edits, size_t count,
                                             const stamma_output *output);

/* ---- the game tree: one game in memory, with tags, comments, NAGs and variations ---- */

/* A game in memory. Texts that a game returns are valid until it is changed. A failed call leaves the game unchanged,
 * except stamma_game_read. */
typedef struct stamma_game stamma_game;
/* A node is a move with its comments and NAGs. Node 0 is the start of the game. Node numbers are valid until the game
 * is closed or another game is read into it. */
typedef uint32_t stamma_node;
#define STAMMA_NODE_NONE UINT32_MAX

/* Opens an empty game from the initial position with the result `*`. Needs about 50 bytes for each move. Errors:
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_game_open(const stamma_allocator *allocator, stamma_game **game);
/* Closes a game. Accepts NULL. */
STAMMA_API void stamma_game_close(stamma_game *game);
/* Replaces the game by the next game of a reader. The reader must play moves (no option tokens_only) and be between
 * games. Stores false in *found at the end of the input.
 *
 * A move that cannot be played is omitted, with the rest of its line and the variations of this rest. Escapes and text
 * between games are omitted. Comments directly before a game without tags are part of the game. A missing result is
 * read as `*`. The first ERROR event is stored in *error and *error_place, which may be NULL; *error is OK if there was
 * none.
 *
 * Errors:
 *   IO, NO_MEMORY  as the reader; the game is then incomplete
 *   BAD_ARGUMENT   the reader does not play moves, or is within a game */
STAMMA_API stamma_error stamma_game_read(stamma_game *game, stamma_pgn_reader *reader, bool *found, stamma_error *error,
                                         stamma_place *error_place);
/* Writes the complete game. Reading it again produces an equal tree. Errors as the functions of the writer. */
STAMMA_API stamma_error stamma_game_write(const stamma_game *game, stamma_pgn_writer *writer);
/* Writes the movetext of a game, from its start position to its result. The caller must write the tags first. Errors as
 * the functions of the writer. */
STAMMA_API stamma_error stamma_game_write_moves(const stamma_game *game, stamma_pgn_writer *writer);

/* Returns the number of tags. */
STAMMA_API size_t stamma_game_tag_count(const stamma_game *game);
/* Returns the tag at an index in the order of the text, with its value without escapes. Errors: BAD_ARGUMENT if there
 * are fewer tags. */
STAMMA_API stamma_error stamma_game_tag_at(const stamma_game *game, size_t index, stamma_text *name,
                                           stamma_text *value);
/* Returns the value of the first tag with a name, or {NULL, 0}. */
STAMMA_API stamma_text stamma_game_tag(const stamma_game *game, stamma_text name);
/* Sets the first tag with a name, or appends it.
 * Errors: BAD_ARGUMENT for a name or value that stamma_pgn_writer_tag rejects, and for the name FEN, which
 * stamma_game_set_start sets; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_tag(stamma_game *game, stamma_text name, stamma_text value);
/* Returns the start position of the game. */
STAMMA_API const stamma_position *stamma_game_start(const stamma_game *game);
/* Sets the start position, and the tags SetUp and FEN (PGN standard 9.7). Errors: BAD_ARGUMENT if the game has moves;
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_start(stamma_game *game, const stamma_position *position);
/* Returns the result at the end of the movetext: 1-0, 0-1, 1/2-1/2 or *. */
STAMMA_API stamma_text stamma_game_result(const stamma_game *game);
/* Sets the result: 1-0, 0-1, 1/2-1/2 or *. Does not set the Result tag. Errors: BAD_ARGUMENT for another text. */
STAMMA_API stamma_error stamma_game_set_result(stamma_game *game, stamma_text result);

/* Returns the node before a node's move; STAMMA_NODE_NONE for node 0 and invalid nodes. */
STAMMA_API stamma_node stamma_game_parent(const stamma_game *game, stamma_node node);
/* Returns the first child of a node, its main continuation; STAMMA_NODE_NONE if there is none. */
STAMMA_API stamma_node stamma_game_first_child(const stamma_game *game, stamma_node node);
/* Returns the next child of the same parent, a variation; STAMMA_NODE_NONE after the last. */
STAMMA_API stamma_node stamma_game_next_sibling(const stamma_game *game, stamma_node node);
/* Returns the move that leads to a node, or the null move for node 0 and invalid nodes. */
STAMMA_API stamma_move stamma_game_move(const stamma_game *game, stamma_node node);
/* Stores the position after the node's move, in constant time. Errors: BAD_ARGUMENT for an invalid node. */
STAMMA_API stamma_error stamma_game_position(const stamma_game *game, stamma_node node, stamma_position *position);
/* Adds a legal move, or the null move if not in check, as the last child of `node`. Stores the new node in *added,
 * which may be NULL.
 * Errors: ILLEGAL; BAD_ARGUMENT for an invalid node; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_move(stamma_game *game, stamma_node node, stamma_move move, stamma_node *added);
/* Adds a comment to a node, after the node's other comments.
 *   before  the comment is before the move. This is only possible at the first move of a variation; at any other move,
 *           the comment is stored after the previous move
 * Errors: BAD_ARGUMENT for an invalid node, and for a comment that stamma_pgn_writer_comment rejects; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_comment(stamma_game *game, stamma_node node, bool before, stamma_text comment);
/* Returns the number of comments before or after a node's move; 0 for an invalid node. */
STAMMA_API size_t stamma_game_comment_count(const stamma_game *game, stamma_node node, bool before);
/* Returns the comment at an index from 0; {NULL, 0} after the last. */
STAMMA_API stamma_text stamma_game_comment(const stamma_game *game, stamma_node node, bool before, size_t index);
/* Adds a NAG, 0 to 255, to a node, after the node's other NAGs. Errors: BAD_ARGUMENT for an invalid node or a larger
 * number; NO_MEMORY. */
STAMMA_API stamma_error stamma_game_add_nag(stamma_game *game, stamma_node node, unsigned nag);
/* Returns the number of NAGs of a node; 0 for an invalid node. */
STAMMA_API size_t stamma_game_nag_count(const stamma_game *game, stamma_node node);
/* Returns the NAG at an index from 0; 0 after the last. */
STAMMA_API unsigned stamma_game_nag(const stamma_game *game, stamma_node node, size_t index);

#ifdef __cplusplus
}
#endif

#endif
