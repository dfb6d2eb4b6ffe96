/* SPDX-License-Identifier: MIT */
/* The notation room: reads and writes chess as text. This file has a section for each group of files; the public
 * functions are in stamma.h. */
#ifndef STAMMA_NOTATION_H
#define STAMMA_NOTATION_H

#include "base/tables.h"
#include "board/board.h"

/* ---- text, for all files of the room ---- */

/* Letters by stamma_piece. The first six are the letters by stamma_piece_type. */
#define NOTATION_PIECE_LETTERS "PNBRQK..pnbrqk.."

/* A position in a text that is being read. */
typedef struct text_cursor {
    const char *start;
    const char *at;
    const char *end;
} text_cursor;

STAMMA_INLINE text_cursor text_cursor_make(stamma_text text)
{
    const char *data = text.size != 0 ? text.data : "";
    text_cursor c = {data, data, data + text.size};
    return c;
}

/* Returns the byte at the cursor, or -1 at the end. */
STAMMA_INLINE int text_peek(const text_cursor *c)
{
    return c->at < c->end ? (unsigned char)*c->at : -1;
}

/* Moves past `letter` and returns true if `letter` is at the cursor. */
STAMMA_INLINE bool text_take(text_cursor *c, char letter)
{
    bool found = c->at < c->end && *c->at == letter;
    c->at += found;
    return found;
}

STAMMA_INLINE bool text_is_blank(int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}
STAMMA_INLINE bool text_is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

STAMMA_INLINE void text_skip_blanks(text_cursor *c)
{
    while (text_is_blank(text_peek(c)))
        c->at++;
}

/* Returns whether a text is valid UTF-8 (utf8.c). */
bool stamma_text_is_utf8(stamma_text text);
/* Appends a text as UTF-8. A text that is not valid UTF-8 is read as Windows-1252. `escaped`: a tag's value, whose
 * escapes (\" and \\) are removed. */
void stamma_utf8_add(stamma_text text, bool escaped, buffer *utf8);

/* Finishes a public text writer. If `size` has room for `length` bytes of `text` and a NUL, writes both; otherwise
 * writes only a NUL, if `size` is not 0. Returns `length`. */
STAMMA_INLINE size_t text_give(const char *text, size_t length, char *out, size_t size)
{
    if (length < size) {
        memcpy(out, text, length);
        out[length] = '\0';
    } else if (size != 0) {
        out[0] = '\0';
    }
    return length;
}

/* ---- fen.c, epd.c ---- */

/* Reads the first four fields of a FEN or EPD leniently. The cursor moves to the next field, or to the end of the text
 * if there are fewer fields. If the text is not a FEN, returns false and leaves the cursor at the first bad byte. */
bool stamma_fen_read_fields(text_cursor *c, stamma_setup *setup);

/* Reads a clock: digits, where numbers above 65535 are read as 65535, or "-", which leaves *clock unchanged. For other
 * text, returns false and does not move the cursor. */
bool stamma_fen_read_clock(text_cursor *c, uint16_t *clock);

/* Sets up a position from fields that were read. Drops an en passant square or castling rights that the board
 * contradicts. Returns ILLEGAL for any other problem. `problems` receives all problems, including the dropped parts;
 * may be NULL. */
stamma_error stamma_fen_set_up(stamma_setup *setup, stamma_position *position, unsigned *problems);

/* Writes the first four fields without a NUL, at most 83 bytes. Returns their length. */
size_t stamma_fen_write_fields(const stamma_position *position, stamma_fen_style style, char *out);

/* ---- uci.c, san_read.c, san_lenient.c, san_write.c, lan.c ---- */

/* The parts of a move that its text states. */
typedef struct san_pattern {
    enum { SAN_MOVE, SAN_CASTLING, SAN_NULL } kind;
    uint8_t piece;     /* stamma_piece_type, or NONE: any piece on the origin square */
    uint8_t from_file; /* 0..7, or 8: not stated; also the next three */
    uint8_t from_rank;
    uint8_t to_file;
    uint8_t to_rank;
    uint8_t promotion; /* stamma_piece_type, or NONE: not stated */
    uint8_t castling;  /* for SAN_CASTLING: STAMMA_KING_SIDE or STAMMA_QUEEN_SIDE */
} san_pattern;

/* Maximum lengths of SAN and LAN without a NUL, as in Qa1xb2# and e7xf8=Q+. */
#define SAN_LENGTH_MAX 7
#define LAN_LENGTH_MAX 8

/* Reads strict SAN. Returns the move, which is always legal. Returns STAMMA_MOVE_NULL if the text is not strict, or if
 * the number of matching legal moves is not 1; stamma_san_read then finds the reason. Check marks are skipped, right or
 * wrong. */
stamma_move stamma_san_read_fast(const stamma_position *position, const char *text, size_t size);

/* Splits strict SAN into its parts without using the board. Check marks are skipped. Returns false if the text is not
 * strict. */
bool stamma_san_name(const char *text, size_t size, move_name *name);

/* Splits the text of a move into its parts. If `small_b`, a `b` at the front is read as a bishop. Returns false if the
 * text is not a move. */
bool stamma_san_parse(stamma_text text, bool small_b, san_pattern *pattern);

/* Finds the legal move that matches a pattern. Errors: ILLEGAL, AMBIGUOUS. */
stamma_error stamma_san_resolve(const stamma_position *position, const san_pattern *pattern, stamma_move *move);

/* Reads text that stamma_san_read_fast does not accept. Called by stamma_san_read. */
stamma_error stamma_san_read_lenient(const stamma_position *position, stamma_text text, stamma_move *move);

/* Writes a legal move or the null move from its SAN facts (board.h), without a NUL. Returns the length, at most
 * SAN_LENGTH_MAX. Without SAN_FACT_MATE in the facts, mate is marked as check; without SAN_FACT_CHECK, no mark is
 * written. */
size_t stamma_san_spell(stamma_move move, unsigned san_facts, char *out);

/* Returns the check mark of a legal move: '+', '#' or '\0'. */
char stamma_san_mark(const stamma_position *position, stamma_move move);

/* Writes the name of a square. Returns the end of the name. */
STAMMA_INLINE char *square_write(unsigned square, char *out)
{
    out[0] = (char)('a' + (square & 7));
    out[1] = (char)('1' + (square >> 3));
    return out + 2;
}

/* ---- pgn_lexer.c: PGN from bytes to tokens ----
 *
 * The lexer does not use the rules of chess and allocates no memory. Nesting is only counted, so its depth is not
 * limited. Tokens depend only on the bytes, not on the division of the input into slices. The rules are numbered;
 * doc/format/games.md also describes them.
 *
 * White space is space, tab, line feed, vertical tab, form feed and carriage return. LF, CR LF and a CR without LF end
 * lines. Blanks are white space that ends no line. Only COMMENT may contain line ends.
 *
 * - L1: White space before a token belongs to no token. The same applies to the bytes EF BB BF (a byte order mark)
 *   where a token may begin.
 * - L2 TAG: `[` name `"` value `"` `]`, on one line. Blanks are allowed anywhere outside the name and the value. The
 *   name is a non-empty run of symbol bytes (L5). A backslash escapes the next byte. The value ends at the first
 *   unescaped `"` that is followed by optional blanks and `]`; if there is none, at the last escaped `"` that is
 *   followed by them. If there is no such quote, `[` begins GARBAGE, and no pair begins in the rest of the line.
 *   GARBAGE at a `[` that begins no pair extends to the first `]` of the line. Without a `]`, GARBAGE is only the `[`
 *   in movetext, and elsewhere (G1, G3) the rest of the line. If the line is longer than token_max bytes from the `[`,
 *   only these bytes count as the line.
 * - L3 MOVE_NUMBER: digits, then dots. Both runs are as long as possible; at least one run is not empty. Digits
 *   directly before one of `+ - / # = : _ @` begin a word (L5) instead.
 * - L4 SUFFIX: a run of `!` and `?`. NAG: `$` and a non-empty run of digits.
 * - L5 SYMBOL: a word, which is a run of symbol bytes and `~`. Symbol bytes are letters, digits, `+ - / # = : _ @` and
 *   bytes 80 to FF. The word includes a directly following `(`, one of QRBNqrbn and `)`, as in e8(Q). A word that ends
 *   in `e` includes a directly following `.p` or `.p.`. GLYPH: a word of at most PGN_ANNOTATED_MAX bytes that is an
 *   annotator's mark (pgn_glyph.c), or the first mark if the word consists of several. MARK: like GLYPH, for a mark
 *   without a number. A move with marks directly after it, as in Nf3+-, is a SYMBOL and a GLYPH for each mark.
 * - L6 RESULT: a word that is 1-0, 0-1, 1/2-1/2, 1/2, or one half twice with a hyphen, as characters of UTF-8 or of
 *   Latin-1; 0.5-0.5, not followed by a byte of a word; or a single `*`, not followed by another `*`.
 * - L7 COMMENT: `{` to the first `}`. If the end of the input comes first, the comment ends there and is PGN_UNCLOSED.
 *   A comment may contain a line that begins with `[Event "`, if the next brace after this line is a `}` within
 *   token_max bytes from the start of the comment. Otherwise the comment ends before the line and is PGN_UNCLOSED.
 * - L8 LINE_COMMENT: `;` to the end of the line, without the line end. ESCAPE: a `%` that begins a line, to the end of
 *   the line, without the line end.
 * - L9 VARIATION_BEGIN: `(`. VARIATION_END: `)` while a variation is open.
 * - L10 GARBAGE: a run of bytes, without white space, at which no rule above begins a token; two or more `*` in a row.
 * - L11: A token that does not end within token_max bytes is returned in parts. All parts except the last have
 *   token_max bytes and PGN_PARTIAL; the last may be empty. The kind depends only on the first part.
 *
 * - G1: COMMENT, LINE_COMMENT, ESCAPE and GARBAGE outside a game remain outside. Any other token begins a game.
 * - G2: A game ends after a RESULT outside variations and the followers of the RESULT, and includes at most token_max
 *   bytes of the white space after them. A follower is a COMMENT, LINE_COMMENT, ESCAPE, NAG, SUFFIX, GLYPH or MARK, or
 *   a variation with all its tokens. In the line of the RESULT, followers are also REMARK, GARBAGE that does not begin
 *   with `[`, and MOVE_NUMBER without digits; after a REMARK also MOVE_NUMBER with digits. Before a follower, there is
 *   white space of less than token_max bytes, without an empty line and without a byte order mark. The line of the
 *   RESULT ends at the first line end in this white space.
 *   REMARK: the run of a word that is not a RESULT, GLYPH or MARK, and does not begin with a GLYPH, a MARK or a SYMBOL
 *   that has the form of castling or of a move with its target square. A run of more than PGN_ANNOTATED_MAX digits or
 *   other bytes of a word is a REMARK, too.
 * - G3: A game that begins with a TAG is in its tag section until the first token that is not TAG, LINE_COMMENT, ESCAPE
 *   or GARBAGE, and in movetext from there. Any other game is in movetext from its start. A game in movetext ends
 *   before a TAG, even inside variations. A game in its tag section ends before a TAG of the Seven Tag Roster (PGN
 *   standard 8.1.1) whose name, in any case, it already contains, if an empty line is between this TAG and the TAG
 *   before it: two LF or two CR without other bytes than white space between them.
 * - G4: A game ends at the end of the input. */

typedef enum pgn_token_kind {
    PGN_TOKEN_MORE = 0, /* the slice ends in white space or inside a token; see stamma_pgn_lexer_next */
    PGN_TOKEN_END,      /* the end of the input; every later call returns it again */
    PGN_TOKEN_GAME_END, /* G2 to G4; contains the white space after a result and its followers, or nothing */
    PGN_TOKEN_TAG,
    PGN_TOKEN_MOVE_NUMBER,
    PGN_TOKEN_SYMBOL,
    PGN_TOKEN_GLYPH,
    PGN_TOKEN_MARK,
    PGN_TOKEN_SUFFIX,
    PGN_TOKEN_NAG,
    PGN_TOKEN_COMMENT,
    PGN_TOKEN_LINE_COMMENT,
    PGN_TOKEN_ESCAPE,
    PGN_TOKEN_VARIATION_BEGIN,
    PGN_TOKEN_VARIATION_END,
    PGN_TOKEN_RESULT,
    PGN_TOKEN_REMARK,
    PGN_TOKEN_GARBAGE
} pgn_token_kind;

enum {
    PGN_CANONICAL = 1 << 0, /* a TAG written [Name "value"]: one blank between name and value, and no other blanks */
    PGN_UNCLOSED = 1 << 1,  /* a COMMENT without its `}` */
    PGN_PARTIAL = 1 << 2,   /* the next token continues this token (L11) */
    PGN_CONTINUED = 1 << 3, /* this token continues the previous token (L11) */
    PGN_CONTROLS = 1 << 4   /* a COMMENT with bytes below 0x20; if not set, it has no line end */
};

/* A token. The offsets are in the slice. */
typedef struct pgn_token {
    uint8_t kind;  /* pgn_token_kind */
    uint8_t flags; /* PGN_CANONICAL ... */
    size_t begin;  /* the complete token */
    size_t end;
    size_t inner_begin; /* TAG: the name; COMMENT: the text in braces; LINE_COMMENT, ESCAPE, NAG: the text after ; %
                         * $ */
    size_t inner_end;   /* MOVE_NUMBER: the digits; others: the complete token */
    size_t value_begin; /* TAG: the text in quotes, escapes as written; unused for others */
    size_t value_end;
} pgn_token;

typedef enum pgn_section { PGN_OUTSIDE = 0, PGN_TAGS, PGN_MOVETEXT } pgn_section;

/* The complete state of the lexer. It may be copied to return to a position later. */
typedef struct pgn_lexer {
    const uint8_t *data; /* the slice */
    size_t size;
    size_t at; /* the next byte to read */
    size_t token_max;
    uint64_t depth;      /* open variations */
    uint8_t section;     /* pgn_section of the last token: OUTSIDE after a GAME_END */
    uint8_t going_on;    /* kind of a token returned in part; GAME_END if G2 decides about the next token; otherwise
                          * 0 */
    uint8_t after;       /* after a result outside variations: PGN_AFTER_RESULT and more; otherwise 0 */
    size_t no_pair;      /* no tag pair begins before this offset (L2) */
    size_t no_bracket;   /* between a `[` at or after `at` and this offset, there is no `]` */
    bool final;          /* the input ends with the slice */
    bool line_start;     /* whether a line begins at line_at */
    uint8_t gap_feeds;   /* LF in the white space directly before line_at, at most 2 */
    uint8_t gap_returns; /* number of CR there, at most 2 */
    size_t line_at;      /* an offset at or before `at` */
    uint8_t roster;      /* tags of the roster in this tag section, a bit for each (G3) */
    bool empty_line;     /* there was an empty line after the last TAG of this section */
} pgn_lexer;

#define PGN_TOKEN_MAX_LEAST 256
/* Maximum number of bytes that the lexer reads after the token_max bytes of a token. */
#define PGN_LOOKAHEAD 48

/* Starts at the beginning of an input, with an empty slice. `token_max` is at least PGN_TOKEN_MAX_LEAST. */
void stamma_pgn_lexer_init(pgn_lexer *lexer, size_t token_max);

/* Sets the slice. Call it first, after each MORE, and at any other time. The slice must begin at or before the next
 * byte to read; `at` is the offset of this byte in the new slice. `data` must not be NULL. */
void stamma_pgn_lexer_slice(pgn_lexer *lexer, const void *data, size_t size, size_t at, bool final);

/* Continues at offset `at` of the slice, as if all bytes before it had been returned. `at` must not be before the start
 * of the last token. */
void stamma_pgn_lexer_move(pgn_lexer *lexer, size_t at);

/* Reads the next token and returns its kind. MORE: the caller must set the slice again from `at`, with at least one
 * more byte or as final. token->begin is then `at`, the start of the unfinished token; white space before it is
 * finished. MORE is returned only while fewer than token_max + PGN_LOOKAHEAD bytes follow `at`. */
pgn_token_kind stamma_pgn_lexer_next(pgn_lexer *lexer, pgn_token *token);

/* Returns whether the text is not empty and all its bytes are symbol bytes (L5). */
bool stamma_pgn_is_word(stamma_text text);

/* ---- pgn_follower.c: tokens after a result (G2) ---- */

enum {
    PGN_AFTER_RESULT = 1,
    PGN_RESULT_LINE = 2, /* no line end since the result */
    PGN_REMARKS = 4,     /* there is a REMARK in this line */
    PGN_LINE_START = 8   /* a line begins at the token */
};

typedef enum pgn_follower {
    PGN_FOLLOWER_OPEN, /* more bytes are needed */
    PGN_FOLLOWER_NONE, /* the game ends before the token */
    PGN_FOLLOWER_TOKEN,
    PGN_FOLLOWER_REMARK
} pgn_follower;

/* Decides about the token at `data`. `size` is not 0; `final`: the input ends after these bytes; `place`:
 * PGN_RESULT_LINE and so on. OPEN is returned only if there are fewer than PGN_LOOKAHEAD bytes, and they are not final.
 */
pgn_follower stamma_pgn_follower(const uint8_t *data, size_t size, bool final, unsigned place);

/* ---- pgn_line.c: the current line of moves, and the lines from which it branched ---- */

typedef enum pgn_line_state {
    PGN_LINE_FRESH = 0, /* no move yet; position[at] is before the next move */
    PGN_LINE_PLAYED,    /* position[at] as above; position[at ^ 1] is before the last move, `move` */
    PGN_LINE_FAILED,    /* the last move could not be played; position[at ^ 1] is before it */
    PGN_LINE_LOST       /* neither position is known */
} pgn_line_state;

/* The state of a line that is kept while a variation is read. */
typedef struct pgn_frame {
    stamma_position position; /* before the last move; FRESH: before the next move */
    uint32_t ply;
    stamma_move move;
    uint8_t state;
    uint8_t error;
} pgn_frame;

/* Initialize with zeros and set `allocator`, then call stamma_pgn_line_start. */
typedef struct pgn_line {
    const stamma_allocator *allocator;
    stamma_position position[2];
    unsigned at;
    uint32_t ply; /* half-moves from the start of the game, including moves that failed */
    stamma_move move;
    uint8_t state; /* pgn_line_state */
    uint8_t error; /* the reason for FAILED or LOST */
    uint32_t depth;
    uint32_t capacity; /* of `frames`, in frames */
    pgn_frame *frames; /* the `depth` lines around the current line, outermost first */
} pgn_line;

/* Begins a main line. */
void stamma_pgn_line_start(pgn_line *line, const stamma_position *position);
/* Records that the next move cannot be played, for this reason. */
void stamma_pgn_line_fail(pgn_line *line, stamma_error error);
/* Begins a variation that replaces the last move, or the next move if there is no last move. Returns false if memory is
 * exhausted. */
bool stamma_pgn_line_branch(pgn_line *line);
/* Returns to the line that the variation branched from. depth must not be 0. */
void stamma_pgn_line_return(pgn_line *line);
void stamma_pgn_line_release(pgn_line *line);

STAMMA_INLINE bool pgn_line_is_known(const pgn_line *line)
{
    return line->state <= PGN_LINE_PLAYED;
}
/* Returns the position before the next move. The line must be known. */
STAMMA_INLINE const stamma_position *pgn_line_position(const pgn_line *line)
{
    return &line->position[line->at];
}

/* Plays a legal move or the null move. The line must be known. */
STAMMA_INLINE void pgn_line_play(pgn_line *line, stamma_move move)
{
    stamma_position_make(&line->position[line->at], move, &line->position[line->at ^ 1]);
    line->at ^= 1;
    line->ply++;
    line->move = move;
    line->state = PGN_LINE_PLAYED;
}

/* ---- pgn_glyph.c, pgn_tag.c ---- */

enum { PGN_GLYPH_NONE = -1, PGN_GLYPH_MARK = -2 };

/* Returns the NAG of an annotator's mark such as "!?", "+-" or "N" (PGN standard 10; higher numbers as in ChessBase).
 * Returns PGN_GLYPH_MARK for a mark that only repeats a property of the move (+ ++ # e.p.), and PGN_GLYPH_NONE for
 * other text. */
int stamma_pgn_glyph(stamma_text text);

/* Splits a word (L5), which is not empty. Returns the size of its first part, and stores the result of stamma_pgn_glyph
 * for this part in *nag. */
enum { PGN_ANNOTATED_MAX = 32 };
size_t stamma_pgn_word_split(stamma_text word, int *nag);

enum {
    PGN_VARIANT_CHESS = 1, /* chess or Chess960, from any start */
    PGN_VARIANT_960 = 2,   /* Chess960 */
    PGN_VARIANT_TYPED = 4  /* archives store its moves as moves: the moves are chess moves, but a game may end
                            * differently */
};
/* Returns the meaning of the value of a Variant tag: a sum of PGN_VARIANT_..., 0 for other variants. Only letters and
 * digits are compared; case is ignored. */
unsigned stamma_pgn_variant(stamma_text value);

/* Returns the name of a tag that this library reads, such as FEN, if `name` differs from it only in case; otherwise
 * `name`. Names that are returned are static. */
stamma_text stamma_pgn_tag_name(stamma_text name);

/* Returns whether PGN can represent this tag pair: the name consists of symbol bytes (L5), the value is a single line.
 */
bool stamma_pgn_tag_is_sound(stamma_text name, stamma_text value);

/* Returns the number of a text of one to four digits, or UINT_MAX for other text: a rating as defined by the format of
 * archives (clauses 16.5 and 20.4), so the function must never change (tag_values.c). */
unsigned stamma_rating_digits(stamma_text value);
/* The four result words (PGN standard 8.2.6) by stamma_result, then NULL. */
enum { RESULTS = 4 };
extern const char *const stamma_result_words[RESULTS + 1];
/* Returns the stamma_result of a word, or RESULTS for other text (tag_values.c). */
unsigned stamma_result_find(stamma_text word);
/* Returns the number of days of a month. Month 0 and year 0 are unknown; an unknown year may be a leap year. */
unsigned stamma_month_days(unsigned year, unsigned month);
/* Returns the days from 1970-01-01 to a day of the Gregorian calendar; the year is from 0 to 9999. */
int32_t stamma_days_of(int32_t year, int32_t month, int32_t day);

/* Returns the seconds since midnight of a text that begins with a time such as "22:01:45"; -1 for other text. */
int32_t stamma_time_of_day(stamma_text value);

/* ---- pgn_comment.c ---- */

typedef enum pgn_comment_form {
    PGN_COMMENT_BRACES,
    PGN_COMMENT_LINE, /* from a ; to the end of the line; used for text with a } */
    PGN_COMMENT_NONE  /* PGN cannot represent it */
} pgn_comment_form;

pgn_comment_form stamma_pgn_comment_form(stamma_text comment);

/* ---- game_tree.c, game_pgn.c ---- */

/* An item of a node: a comment or a NAG. */
typedef struct game_item {
    enum { GAME_NAG, GAME_COMMENT, GAME_COMMENT_BEFORE } kind;
    uint32_t next; /* index in items, or STAMMA_NODE_NONE */
    size_t text;   /* offset in `text`; GAME_NAG: its number */
    size_t size;
} game_item;

typedef struct game_items {
    uint32_t first;
    uint32_t last;
    uint32_t count;
} game_items;

typedef struct game_node {
    stamma_node parent;
    stamma_node first_child;
    stamma_node last_child;
    stamma_node next_sibling;
    game_items items;
    uint32_t ply;      /* number of moves from node 0 */
    uint32_t position; /* index in positions, if `ply` is a multiple of GAME_POSITION_EVERY */
    stamma_move move;
} game_node;

enum { GAME_POSITION_EVERY = 16 };

typedef struct game_tag {
    size_t name; /* offsets in `text` */
    size_t name_size;
    size_t value;
    size_t value_size;
} game_tag;

/* References are indices, which stay valid when a buffer grows. No function is recursive. */
struct stamma_game {
    stamma_allocator allocator;
    buffer nodes;      /* game_node[]; node 0 always exists */
    buffer items;      /* game_item[] */
    buffer tags;       /* game_tag[] */
    text_table names;  /* of the tags, if there are many; mark: index of the first tag */
    text_table places; /* of the items in lists with many items (item_key); mark: item, or number of items */
    buffer positions;  /* stamma_position[]; the first is the start */
    buffer text;       /* text of tags and comments */
    char result[8];
};

STAMMA_INLINE game_node *game_node_at(const stamma_game *game, stamma_node node)
{
    return (game_node *)(void *)game->nodes.data + node;
}
STAMMA_INLINE game_item *game_item_at(const stamma_game *game, uint32_t item)
{
    return (game_item *)(void *)game->items.data + item;
}
STAMMA_INLINE stamma_node game_node_count(const stamma_game *game)
{
    return (stamma_node)(game->nodes.size / sizeof(game_node));
}

/* Empties a game: no tags and moves, the initial position, result "*". */
void stamma_game_clear(stamma_game *game);
/* Sets the position of node 0, which must not have moves yet. */
void stamma_game_place(stamma_game *game, const stamma_position *position);
/* Appends a tag. If `escaped`, `value` is as written in PGN. Returns false if memory is exhausted. */
bool stamma_game_append_tag(stamma_game *game, stamma_text name, stamma_text value, bool escaped);
/* Appends a move that is known to be legal. `after`: the position after it. Returns NONE if memory is exhausted. */
stamma_node stamma_game_append_move(stamma_game *game, stamma_node parent, stamma_move move,
                                    const stamma_position *after);
/* Appends a NAG, or a comment, whose text is copied, to a list. Returns false if memory is exhausted. */
bool stamma_game_append_nag(stamma_game *game, game_items *items, unsigned nag);
bool stamma_game_append_comment(stamma_game *game, game_items *items, stamma_text comment, bool before);
/* Appends the comments and NAGs of a variation without moves to the items of the move that the variation was to
 * replace. Returns false if memory is exhausted. */
bool stamma_game_join_items(stamma_game *game, game_items *to, const game_items *prefix);

#endif
