/* The notation room: the text of chess. One section for each group of files; public functions are in stamma.h. */
#ifndef STAMMA_NOTATION_H
#define STAMMA_NOTATION_H

#include "board/board.h"

/* ---- text, for every file of the room ---- */

/* Letters by stamma_piece; the capitals alone by stamma_piece_type. */
#define NOTATION_PIECE_LETTERS "PNBRQK..pnbrqk.."

/* A place in a text that is being read. */
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

/* The byte at the cursor, or -1 at the end. */
STAMMA_INLINE int text_peek(const text_cursor *c)
{
    return c->at < c->end ? (unsigned char)*c->at : -1;
}

/* Steps over `letter` where it stands at the cursor. */
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

/* Ends a public text writer: gives `length` bytes of `text` and a NUL where both fit in `size`, else only a NUL. */
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

/* Reads the first four fields of a FEN or EPD, leniently, from the cursor to the end of the last field that is there.
 * False for what is no FEN, with the cursor at the first bad byte. */
bool stamma_fen_read_fields(text_cursor *c, stamma_setup *setup);

/* Reads a clock: digits, which stay at 65535, or "-", which leaves it as it is. False, cursor unmoved, for anything
 * else. */
bool stamma_fen_read_clock(text_cursor *c, uint16_t *clock);

/* Sets up what was read, without an en passant square and castling rights that the board does not bear out. ILLEGAL for
 * any other problem. `problems` may be NULL; it gets every problem found, those forgiven too. */
stamma_error stamma_fen_set_up(stamma_setup *setup, stamma_position *position, unsigned *problems);

/* Writes the first four fields without a NUL, at most 83 bytes, and returns their length. */
size_t stamma_fen_write_fields(const stamma_position *position, stamma_fen_style style, char *out);

/* ---- uci.c, san_read.c, san_lenient.c, san_write.c, lan.c ---- */

/* What the text of a move says, as far as it says it. */
typedef struct san_pattern {
    enum { SAN_MOVE, SAN_CASTLING, SAN_NULL } kind;
    uint8_t piece;     /* a stamma_piece_type, or NONE: whatever stands on the origin square */
    uint8_t from_file; /* 0..7, or 8: not said; so the next three */
    uint8_t from_rank;
    uint8_t to_file;
    uint8_t to_rank;
    uint8_t promotion; /* a stamma_piece_type, or NONE: not said */
    uint8_t castling;  /* STAMMA_KING_SIDE or STAMMA_QUEEN_SIDE, for SAN_CASTLING */
} san_pattern;

/* Longest SAN and LAN without a NUL: Qa1xb2# and e7xf8=Q+. */
#define SAN_LENGTH_MAX 7
#define LAN_LENGTH_MAX 8

/* Reads strict SAN: the move, or STAMMA_MOVE_NULL where the text is not strict, or no or more than one legal move
 * answers (stamma_san_read says which). Marks are passed over, right or wrong. Never gives a move that is not legal. */
stamma_move stamma_san_read_fast(const stamma_position *position, const char *text, size_t size);

/* Takes strict SAN apart, without a look at the board; marks are passed over. False where the text is not strict. */
bool stamma_san_name(const char *text, size_t size, move_name *name);

/* Takes a text apart; `small_b` reads a `b` at its front as a bishop. False for what is no move. */
bool stamma_san_parse(stamma_text text, bool small_b, san_pattern *pattern);

/* The legal move that answers to a pattern. ILLEGAL, AMBIGUOUS. */
stamma_error stamma_san_resolve(const stamma_position *position, const san_pattern *pattern, stamma_move *move);

/* The lenient half of stamma_san_read. */
stamma_error stamma_san_read_lenient(const stamma_position *position, stamma_text text, stamma_move *move);

/* Writes a legal move, or the null move, from its SAN facts (board.h), and no NUL: at most SAN_LENGTH_MAX bytes, whose
 * number it returns. Without SAN_FACT_MATE, or SAN_FACT_CHECK too, there is that much less of a mark. */
size_t stamma_san_spell(stamma_move move, unsigned san_facts, char *out);

/* The mark of a legal move: '+', '#' or '\0'. */
char stamma_san_mark(const stamma_position *position, stamma_move move);

/* Writes the name of a square and returns the place behind it. */
STAMMA_INLINE char *square_write(unsigned square, char *out)
{
    out[0] = (char)('a' + (square & 7));
    out[1] = (char)('1' + (square >> 3));
    return out + 2;
}

/* ---- pgn_lexer.c: PGN from bytes to tokens ----
 *
 * It knows no chess, takes no memory and nests by counting, so that any depth is the same to it. What it finds depends
 * on the bytes alone, never on how the input was cut into slices. The rules are numbered; doc/games.md says them too.
 *
 * White space is space, tab, line feed, vertical tab, form feed and carriage return; LF, CR LF and a CR alone end
 * lines; blanks are white space that ends no line. Only COMMENT may hold line ends.
 *
 *  L1 White space before a token belongs to no token. So do the bytes EF BB BF (a byte order mark) where a token may
 * begin. L2 TAG: `[` name `"` value `"` `]`, on one line, blanks wherever wanted outside name and value. The name is a
 * run of symbol bytes (L5), not empty. The value ends at the first `"` without a backslash before it (a backslash takes
 * the next byte with it) that blanks and `]` follow; where there is none, at the last `"` that blanks and `]` follow.
 *     Where there is none either, `[` begins GARBAGE, and no pair begins in the rest of the line. Such GARBAGE, and
 * that of any other `[` that begins no pair, holds all to the first `]` of the line; where there is none, in movetext
 * the `[` alone, elsewhere (G1, G3) all to the line's end. token_max bytes from the `[` stand for the line where it is
 * longer. L3 MOVE_NUMBER: digits, then dots, each run as long as it goes, one of them not empty. But digits right
 * before one of
 *     `+ - / # = : _ @` begin a word (L5).
 *  L4 SUFFIX: a run of `!` and `?`. NAG: `$` and a run of digits, not empty.
 *  L5 SYMBOL: a word, a run of symbol bytes: letters, digits, `+ - / # = : _ @` and bytes from 80 to FF. Right behind
 * it `(`, one of QRBNqrbn and `)` still belong to it (e8(Q)), and so do `.p` and `.p.` where it ends in `e`. L6 RESULT:
 * a word that is 1-0, 0-1, 1/2-1/2 or 1/2; or a `*` that no other `*` follows. L7 COMMENT: `{` to the first `}`. Where
 * the end of the input, or a line that begins with `[Event "`, comes first, the comment ends in front of that and is
 * PGN_UNCLOSED. L8 LINE_COMMENT: `;` to the end of the line, without it. ESCAPE: the same from a `%` that begins a
 * line. L9 VARIATION_BEGIN is `(`; VARIATION_END is `)` while a variation is open. L10 GARBAGE: a run of bytes, no
 * white space among them, at which no rule above begins a token; two `*` or more together. L11 A token with no end
 * within token_max bytes is given in parts of token_max bytes with PGN_PARTIAL set, and a last one, which may be empty.
 * The kind is that which the first part alone would have.
 *
 *  G1 COMMENT, LINE_COMMENT, ESCAPE and GARBAGE outside a game stay outside. Any other token begins a game.
 *  G2 A game ends behind a RESULT outside variations, with the white after it, at most token_max bytes of that.
 *  G3 A game that begins with a TAG is in its tag section until a token comes that is no TAG, LINE_COMMENT, ESCAPE or
 *     GARBAGE; then, and where it begins with anything else, in movetext. It ends before a TAG that comes in movetext,
 * in whatever variation. G4 A game ends at the end of the input.
 */

typedef enum pgn_token_kind {
    PGN_TOKEN_MORE = 0, /* the slice ends in white space or in a token; see stamma_pgn_lexer_next */
    PGN_TOKEN_END,      /* the end of the input; every later call gives it again */
    PGN_TOKEN_GAME_END, /* G2 to G4; holds the white behind a result, else nothing */
    PGN_TOKEN_TAG,
    PGN_TOKEN_MOVE_NUMBER,
    PGN_TOKEN_SYMBOL,
    PGN_TOKEN_SUFFIX,
    PGN_TOKEN_NAG,
    PGN_TOKEN_COMMENT,
    PGN_TOKEN_LINE_COMMENT,
    PGN_TOKEN_ESCAPE,
    PGN_TOKEN_VARIATION_BEGIN,
    PGN_TOKEN_VARIATION_END,
    PGN_TOKEN_RESULT,
    PGN_TOKEN_GARBAGE
} pgn_token_kind;

enum {
    PGN_CANONICAL = 1 << 0, /* a TAG spelt [Name "value"]: one blank between name and value, no other */
    PGN_UNCLOSED = 1 << 1,  /* a COMMENT without its `}` */
    PGN_PARTIAL = 1 << 2,   /* the token goes on in the next one (L11) */
    PGN_CONTINUED = 1 << 3, /* the token began in an earlier one (L11) */
    PGN_CONTROLS = 1 << 4   /* a COMMENT with bytes below a blank in it: without, it holds no line end */
};

/* A token, as offsets in the slice. */
typedef struct pgn_token {
    uint8_t kind;  /* pgn_token_kind */
    uint8_t flags; /* PGN_CANONICAL ... */
    size_t begin;  /* the whole token */
    size_t end;
    size_t inner_begin; /* TAG: the name; COMMENT: between the braces; LINE_COMMENT, ESCAPE, NAG: without ; % $ */
    size_t inner_end;   /* MOVE_NUMBER: the digits; others: as begin and end */
    size_t value_begin; /* TAG: between the quotes, escapes as written; meaningless for others */
    size_t value_end;
} pgn_token;

typedef enum pgn_section { PGN_OUTSIDE = 0, PGN_TAGS, PGN_MOVETEXT } pgn_section;

/* The lexer's whole state: a plain value, which may be copied to come back to a place. */
typedef struct pgn_lexer {
    const uint8_t *data; /* the slice */
    size_t size;
    size_t at; /* the next byte to look at */
    size_t token_max;
    uint64_t depth;    /* open variations */
    uint8_t section;   /* pgn_section of the last token: OUTSIDE after a GAME_END */
    uint8_t going_on;  /* the kind of a token given in part; GAME_END where one is due behind a result; else 0 */
    size_t no_pair;    /* no tag pair begins before this offset (L2) */
    size_t no_bracket; /* from a `[` at or behind `at`, no `]` stands before this offset */
    bool final;        /* the input ends with the slice */
    bool line_start;   /* whether a line begins at line_at */
    size_t line_at;    /* an offset at or before `at` */
} pgn_lexer;

#define PGN_TOKEN_MAX_LEAST 256
/* How far behind token_max bytes the lexer may have to look. */
#define PGN_LOOKAHEAD 16

/* Starts at the beginning of an input, with an empty slice. `token_max`: at least PGN_TOKEN_MAX_LEAST. */
void stamma_pgn_lexer_init(pgn_lexer *lexer, size_t token_max);

/* Gives a slice: at first, after each MORE, and whenever wanted. It must begin at or before the byte that was `at`,
 * which has the offset `at` in it now. `data` must not be NULL. */
void stamma_pgn_lexer_slice(pgn_lexer *lexer, const void *data, size_t size, size_t at, bool final);

/* Goes on at offset `at` of the slice, which is not before the last token's begin: as if all before it had been given.
 */
void stamma_pgn_lexer_move(pgn_lexer *lexer, size_t at);

/* Gives the next token and its kind. MORE: the slice must be given again from `at` on with at least a byte more, or as
 * final; token->begin is `at`, the start of the unfinished token (white space before it is done with). This comes only
 * while fewer than token_max + PGN_LOOKAHEAD bytes follow `at`. */
pgn_token_kind stamma_pgn_lexer_next(pgn_lexer *lexer, pgn_token *token);

/* Whether all bytes are symbol bytes (L5), and there is one. */
bool stamma_pgn_is_word(stamma_text text);

/* ---- pgn_line.c: the line of moves that a movetext is in, and those that it branched from ---- */

typedef enum pgn_line_state {
    PGN_LINE_FRESH = 0, /* no move yet; position[at] is before the next move */
    PGN_LINE_PLAYED,    /* so here, and position[at ^ 1] is before the last move, `move` */
    PGN_LINE_FAILED,    /* the last move could not be played; position[at ^ 1] is before it */
    PGN_LINE_LOST       /* neither position is known */
} pgn_line_state;

/* What must be kept of a line while a variation is read. */
typedef struct pgn_frame {
    stamma_position position; /* before the last move; FRESH: before the next */
    uint32_t ply;
    stamma_move move;
    uint8_t state;
    uint8_t error;
} pgn_frame;

/* Zero it and set `allocator`; stamma_pgn_line_start makes it ready. */
typedef struct pgn_line {
    const stamma_allocator *allocator;
    stamma_position position[2];
    unsigned at;
    uint32_t ply; /* half-moves from the start of the game, those that failed too */
    stamma_move move;
    uint8_t state; /* pgn_line_state */
    uint8_t error; /* why it is FAILED or LOST */
    uint32_t depth;
    uint32_t capacity; /* frames */
    pgn_frame *frames; /* of the `depth` lines around this one, outermost first */
} pgn_line;

/* Begins a main line. */
void stamma_pgn_line_start(pgn_line *line, const stamma_position *position);
/* The next move is one that cannot be played, for this reason. */
void stamma_pgn_line_fail(pgn_line *line, stamma_error error);
/* Begins a variation that replaces the last move, or the next where there is no last. False without memory for it. */
bool stamma_pgn_line_branch(pgn_line *line);
/* Goes back to the line that the variation branched from; depth must not be 0. */
void stamma_pgn_line_return(pgn_line *line);
void stamma_pgn_line_release(pgn_line *line);

STAMMA_INLINE bool pgn_line_is_known(const pgn_line *line)
{
    return line->state <= PGN_LINE_PLAYED;
}
/* The position before the next move of a line that is known. */
STAMMA_INLINE const stamma_position *pgn_line_position(const pgn_line *line)
{
    return &line->position[line->at];
}

/* Plays a legal move or the null move in a line that is known. */
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

/* The NAG (PGN standard 10; higher ones as ChessBase numbers them) that a mark of annotators such as "!?", "+-" or "N"
 * stands for. PGN_GLYPH_MARK for a mark of the move itself that says nothing more (+ ++ # e.p.); else PGN_GLYPH_NONE.
 */
int stamma_pgn_glyph(stamma_text text);

/* Whether the value of a Variant tag means chess or Chess960, with any start. Case, blanks and signs do not count. */
bool stamma_pgn_variant_is_chess(stamma_text value);

/* Whether PGN can say this tag pair: a name of symbol bytes (L5), a value in one line. */
bool stamma_pgn_tag_is_sound(stamma_text name, stamma_text value);

/* The four words of results (PGN standard 8.2.6), by stamma_result; NULL stands behind them. */
enum { RESULTS = 4 };
extern const char *const stamma_result_words[RESULTS + 1];
/* The number of a word; RESULTS for another text (tag_values.c). */
unsigned stamma_result_find(stamma_text word);

/* ---- pgn_command.c: clocks and evaluations in comments ---- */

/* The time of the first [%clk h:mm:ss.f] in milliseconds, or -1. */
int64_t stamma_comment_clock(stamma_text comment);
/* What the first [%eval ...] says; where there is none, what an engine game's comment says of the move of `mover`. */
stamma_evaluation stamma_comment_evaluation(stamma_text comment, stamma_color mover);

/* ---- pgn_comment.c ---- */

typedef enum pgn_comment_form {
    PGN_COMMENT_BRACES,
    PGN_COMMENT_LINE, /* behind a ; to the end of the line: a } is in it */
    PGN_COMMENT_NONE  /* PGN cannot say it */
} pgn_comment_form;

pgn_comment_form stamma_pgn_comment_form(stamma_text comment);

/* ---- game_tree.c, game_pgn.c ---- */

/* Something that belongs to a node, in a list. */
typedef struct game_item {
    enum { GAME_NAG, GAME_COMMENT, GAME_COMMENT_BEFORE } kind;
    uint32_t next; /* an index of items, or STAMMA_NODE_NONE */
    size_t text;   /* offset in `text`; of a NAG: its number */
    size_t size;
} game_item;

typedef struct game_items {
    uint32_t first;
    uint32_t last;
} game_items;

typedef struct game_node {
    stamma_node parent;
    stamma_node first_child;
    stamma_node last_child;
    stamma_node next_sibling;
    game_items items;
    uint32_t ply;      /* moves from node 0 */
    uint32_t position; /* index of positions, for every GAME_POSITION_EVERYth ply */
    stamma_move move;
} game_node;

enum { GAME_POSITION_EVERY = 16 };

typedef struct game_tag {
    size_t name; /* offsets in `text` */
    size_t name_size;
    size_t value;
    size_t value_size;
} game_tag;

/* Everything is found by index, so that nothing moves when a buffer grows, and no function calls itself. */
struct stamma_game {
    stamma_allocator allocator;
    buffer nodes;     /* game_node[]; node 0 is always there */
    buffer items;     /* game_item[] */
    buffer tags;      /* game_tag[] */
    buffer positions; /* stamma_position[]; the first is the start */
    buffer text;      /* of tags and comments */
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

/* Empties a game. */
void stamma_game_clear(stamma_game *game);
/* Sets the position of node 0, which has no moves yet. */
void stamma_game_place(stamma_game *game, const stamma_position *position);
/* Adds a tag at the end. `value` is as written where `escaped`. False: no memory. */
bool stamma_game_append_tag(stamma_game *game, stamma_text name, stamma_text value, bool escaped);
/* Adds a move that is known to be legal, with the position after it; NONE: no memory. */
stamma_node stamma_game_append_move(stamma_game *game, stamma_node parent, stamma_move move,
                                    const stamma_position *after);
/* Adds an item behind a list: a NAG, or a comment whose text is copied. False: no memory. */
bool stamma_game_append_nag(stamma_game *game, game_items *items, unsigned nag);
bool stamma_game_append_comment(stamma_game *game, game_items *items, stamma_text comment, bool before);

#endif
