/* SPDX-License-Identifier: MIT */
/* The query room: the language of queries about games, and the test of whether a game matches a query.
 * doc/reference/search.md defines the meaning of a query. */
#ifndef STAMMA_QUERY_H
#define STAMMA_QUERY_H

#include "base/tables.h"
#include "board/board.h"
#include "notation/notation.h"
#include "openings/openings.h"

/* ---- json_reader.c: JSON as a tree of values, each with its place in the text ---- */

enum {
    JSON_DEPTH_MAX = 64,     /* nesting depth of lists and objects */
    JSON_MEMBERS_MAX = 1000, /* per object; each name is compared with all earlier names */
    JSON_NONE = 0            /* no value; 0 is free because no value refers to the root */
};

typedef enum json_kind {
    JSON_NULL = 0,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_LIST,
    JSON_OBJECT
} json_kind;

/* A JSON value. Texts are offsets into the reader's buffer, because the buffer can move while it grows. */
typedef struct json_value {
    json_kind kind;
    size_t offset; /* in the JSON text; includes quotes and brackets */
    size_t size;
    size_t text; /* TEXT: decoded to UTF-8; NUMBER: as written */
    size_t text_size;
    size_t name; /* the member's decoded name; empty for elements of a list */
    size_t name_size;
    size_t name_offset; /* in the JSON text; includes the quotes */
    size_t name_end;
    uint32_t first; /* LIST, OBJECT: the first element, or JSON_NONE */
    uint32_t next;  /* the next element of the same list or object, or JSON_NONE */
} json_value;

/* Reads JSON. Before use, set all bytes to 0, then set `json` and the allocators of the buffers. */
typedef struct json_reader {
    stamma_text json;
    buffer values; /* json_value[]; the first is the root */
    buffer texts;
    size_t at;
    unsigned depth;
    stamma_query_problem fault;
} json_reader;

/* Reads all of reader->json. Returns STAMMA_ERROR_SYNTAX and sets reader->fault if the text is invalid, and
 * STAMMA_ERROR_NO_MEMORY if an allocation fails. */
stamma_error stamma_json_read(json_reader *reader);
void stamma_json_release(json_reader *reader);

STAMMA_INLINE const json_value *json_value_at(const json_reader *r, uint32_t number)
{
    return (const json_value *)(const void *)r->values.data + number;
}
STAMMA_INLINE const json_value *json_first(const json_reader *r, const json_value *value)
{
    return value->first == JSON_NONE ? NULL : json_value_at(r, value->first);
}
STAMMA_INLINE const json_value *json_next(const json_reader *r, const json_value *value)
{
    return value->next == JSON_NONE ? NULL : json_value_at(r, value->next);
}
STAMMA_INLINE stamma_text json_text(const json_reader *r, const json_value *value)
{
    return (stamma_text){value->text_size ? (const char *)r->texts.data + value->text : "", value->text_size};
}
STAMMA_INLINE stamma_text json_name(const json_reader *r, const json_value *value)
{
    return (stamma_text){value->name_size ? (const char *)r->texts.data + value->name : "", value->name_size};
}
/* Returns the offset in the JSON text of byte `at` of a value's decoded text. */
size_t stamma_json_place(const json_reader *reader, const json_value *value, size_t at);

/* ---- fold.c: comparison of texts that ignores case and accents ---- */

/* Appends the folded text as UTF-8. Bytes that are not valid UTF-8 are read as Windows-1252. */
void stamma_fold(stamma_text text, buffer *folded);
/* Returns whether a byte of a folded text belongs to a word: to a letter or a digit. */
STAMMA_INLINE bool fold_is_word_byte(char c)
{
    return (uint8_t)c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
/* Replaces each run of blanks with one space: the line breaks of a comment depend only on the line length. */
void stamma_fold_blanks(buffer *folded);
/* Appends a tag's value, unescaped and folded. `plain` is a working buffer for the unescaped text. */
void stamma_fold_value(stamma_text value, buffer *plain, buffer *folded);
/* Like stamma_fold_value, but bytes that are not valid UTF-8 are read as Latin-1. Index files sort names in this
 * order. */
void stamma_fold_latin1(stamma_text value, buffer *plain, buffer *folded);
/* Returns whether a folded text matches a folded pattern: `*` matches any text and `?` matches any one letter. A
 * pattern of a name may end with `*`, NAME_KEY_MARK and a pattern for the key of the name, after which another mark and
 * a pattern for the text may follow, one of which must match. After NAME_EXACT_MARK, the complete name follows. */
bool stamma_pattern_matches(stamma_text pattern, stamma_text folded);
/* Returns whether a folded text contains `part`, which is folded, too. */
bool stamma_text_contains(stamma_text folded, stamma_text part);

/* ---- name_key.c: texts that are equal for usual spellings of a name ---- */

/* Returns the Latin letters for the folded Cyrillic or Greek letter of two bytes at an offset; NULL: another letter. */
const char *stamma_latin_letters(stamma_text folded, size_t at);

/* The key of a folded name has Latin letters, and a, o and u for "ae", "oe" and "ue" if these may be letters with two
 * dots. Names are compared with patterns of the key only where the pattern of the text allows it, so that names in the
 * order of their folded texts can be found by their beginnings. */
enum { NAME_KEY_MARK = 0x1F, NAME_EXACT_MARK = 0x1E, NAME_KEY_SIZE = 256 };
/* Writes a folded name with Latin letters for Cyrillic and Greek letters. Letters after the first 256 are omitted. */
void stamma_name_latin_fold(buffer *folded);
/* Replaces a folded name by its key. */
void stamma_name_key_fold(buffer *folded);
/* Writes the key of a folded name. Letters after the maximum are omitted. Returns the size. */
size_t stamma_name_key(stamma_text folded, char key[NAME_KEY_SIZE]);
typedef bool name_pattern_add(void *context, stamma_text pattern);
/* Calls `add` with each of the patterns, at most NAME_PATTERNS, one of which must match: the folded pattern itself, and
 * patterns for other spellings. Returns false if `add` does. */
enum { NAME_PATTERNS = 24 };
bool stamma_name_patterns(stamma_text folded, name_pattern_add *add, void *context);
/* Writes one pattern that matches all spellings. It has no beginning, so that all names must be compared. */
stamma_text stamma_name_pattern(stamma_text folded, buffer *pattern);
/* Appends the pattern that matches exactly a folded name, in which `*` and `?` have no special meaning. */
void stamma_name_exact_pattern(stamma_text folded, buffer *pattern);

/* ---- nearest_word.c ---- */

/* Returns the listed word that was probably meant, or NULL if none is similar. `words` ends with NULL. */
const char *stamma_nearest_word(stamma_text word, const char *const *words);

/* ---- the tree of a query (query_parse.c, query_rules.c, query_values*.c) ----
 *
 * A condition is a list of rules, all of which must hold at a ply. A rule with several values holds if one of the
 * values matches. The tree is read-only after parsing. */

typedef enum query_kind {
    /* of the game: each rule holds at all plies of a game or at none */
    QUERY_PLAYER,  /* values: query_pattern */
    QUERY_WHITE,   /* query_pattern */
    QUERY_BLACK,   /* query_pattern */
    QUERY_PLAYERS, /* query_players */
    QUERY_EVENT,   /* query_pattern; also the next four */
    QUERY_SITE,
    QUERY_ROUND,
    QUERY_TIME_CONTROL,
    QUERY_TERMINATION,
    QUERY_TAG,               /* query_tag: unlike other rules, all values must match */
    QUERY_ECO,               /* query_eco */
    QUERY_OPENING,           /* query_pattern */
    QUERY_SPEED,             /* query_word: stamma_speed */
    QUERY_RESULT,            /* query_word: stamma_result */
    QUERY_RESULT_TYPE,       /* query_word: a stamma_status */
    QUERY_RATING,            /* query_range */
    QUERY_WHITE_RATING,      /* query_range */
    QUERY_BLACK_RATING,      /* query_range */
    QUERY_EACH_RATING,       /* query_range */
    QUERY_RATING_DIFFERENCE, /* query_range */
    QUERY_DATE,              /* query_range of year * 10000 + month * 100 + day */
    QUERY_PLIES,             /* query_range */
    QUERY_COMMENT,           /* query_pattern, in which `*` and `?` have no special meaning */
    QUERY_FLAG,              /* query_word: a set of flags, one of which must be set */
    QUERY_HAS,               /* query_word: query_has */
    /* of the position */
    QUERY_FEN,       /* query_fen */
    QUERY_SUB_FEN,   /* query_sub_fen */
    QUERY_MATERIAL,  /* query_material */
    QUERY_IMBALANCE, /* query_imbalance */
    QUERY_PAWNS,     /* query_pawns */
    QUERY_COUNT,     /* query_count */
    QUERY_PASSED,    /* query_pawn_counts; also the next three */
    QUERY_ISOLATED,
    QUERY_DOUBLED,
    QUERY_CONNECTED,
    QUERY_ATTACKS,          /* query_attacks */
    QUERY_PINNED,           /* query_word: a set of pieces */
    QUERY_BALANCE,          /* query_range */
    QUERY_POINTS,           /* query_pawn_counts */
    QUERY_DIFFERENCE,       /* query_difference */
    QUERY_OPPOSITE_BISHOPS, /* query_word: 0 or 1 */
    QUERY_ATTACKERS,        /* query_attackers */
    QUERY_RAY,              /* query_ray */
    QUERY_BATTERY,          /* query_word: a set of pieces */
    QUERY_CHECK,            /* query_word: 0 or 1; also the next two */
    QUERY_MATE,
    QUERY_STALEMATE,
    QUERY_SIDE_TO_MOVE,   /* query_word: stamma_color */
    QUERY_PLY,            /* query_range */
    QUERY_MOVE_NUMBER,    /* query_range */
    QUERY_HALFMOVE_CLOCK, /* query_range */
    QUERY_REPETITION,     /* query_range */
    QUERY_PATH,           /* query_path */
    /* of the move */
    QUERY_MOVE,          /* query_move */
    QUERY_WHITE_MOVE,    /* query_move */
    QUERY_BLACK_MOVE,    /* query_move */
    QUERY_MOVED,         /* query_word: a set of stamma_piece_type; 1 << 6: no piece */
    QUERY_CAPTURED,      /* as QUERY_MOVED */
    QUERY_PROMOTED,      /* as QUERY_MOVED */
    QUERY_CASTLING,      /* query_word: a set of sides, 1 << STAMMA_KING_SIDE and 1 << STAMMA_QUEEN_SIDE */
    QUERY_EN_PASSANT,    /* query_word: 0 or 1 */
    QUERY_BY,            /* query_word: stamma_color */
    QUERY_MOVER_BALANCE, /* query_range */
    /* of the moment */
    QUERY_EVALUATION, /* query_range in thousandths; also the next three */
    QUERY_SWING,
    QUERY_MOVER_SWING,
    QUERY_CLOCK,
    QUERY_NAG,         /* query_range */
    QUERY_PLY_COMMENT, /* as QUERY_COMMENT */
    QUERY_PASS,        /* no values */
    /* composed of conditions */
    QUERY_ALL,
    QUERY_ANY,
    QUERY_NOT,
    QUERY_NEVER,
    QUERY_FINAL,
    QUERY_SEQUENCE,
    QUERY_STREAK,
    /* modifiers of a condition and its other rules; not rules themselves */
    QUERY_FLIPCOLOR,
    QUERY_MIRROR,
    QUERY_SHIFT,
    QUERY_IGNORE_CASTLING,
    QUERY_IGNORE_EN_PASSANT,
    QUERY_GAP,
    QUERY_FOR,
    QUERY_OFFSET,
    QUERY_LIMIT,
    QUERY_ALL_MATCHES,
    QUERY_VARIATIONS,
    QUERY_KINDS
} query_kind;

/* Numbers from low to high, both inclusive. An open end is INT64_MIN or INT64_MAX. */
typedef struct query_range {
    int64_t low;
    int64_t high;
} query_range;
/* A number must be in one of these ranges. If there are no ranges, any number is accepted. */
typedef struct query_ranges {
    const query_range *ranges;
    size_t count;
} query_ranges;

typedef uint32_t query_word;
/* A folded text, which stamma_pattern_matches compares. */
typedef struct query_pattern {
    stamma_text text;
} query_pattern;
typedef struct query_players {
    query_pattern one, other;
} query_players;
typedef struct query_tag {
    stamma_text name;
    const query_pattern *patterns; /* one must match */
    size_t count;
} query_tag;
/* Codes from low to high, in capitals. A code is compared with a bound only up to the length of the bound. Empty: no
 * bound. */
typedef struct query_eco {
    stamma_text low;
    stamma_text high;
} query_eco;
typedef enum query_has {
    QUERY_HAS_CLOCKS,
    QUERY_HAS_EVALUATIONS,
    QUERY_HAS_COMMENTS,
    QUERY_HAS_VARIATIONS,
    QUERY_HAS_NAGS,
    QUERY_HAS_SETUP,
    QUERY_HAS_TEXT
} query_has;

#define QUERY_LIGHT_SQUARES UINT64_C(0x55AA55AA55AA55AA)

/* Sets of pieces: bits 0 to 5 are White's pieces by type, bits 6 to 11 Black's, and bit 12 is an empty square. */
enum { QUERY_EMPTY = 12, QUERY_PIECES = 13, QUERY_ALL_PIECES = 0xFFF };

typedef struct query_fen {
    stamma_position position;
    stamma_square en_passant; /* NONE if no capture en passant is legal */
} query_fen;
/* A placement and its shifted copies. The rule holds if one of the `count` places matches. */
typedef struct query_squares {
    uint64_t forbidden[QUERY_PIECES]; /* squares where this piece, or for 12 no piece, is not allowed */
} query_squares;
typedef struct query_sub_fen {
    uint64_t required[12]; /* squares where only this piece is allowed; in places[0], the unshifted placement */
    const query_squares *places;
    size_t count;
} query_sub_fen;
typedef struct query_material {
    uint8_t low[2][6];  /* [color][piece type] */
    uint8_t high[2][6]; /* 255: no limit */
} query_material;
typedef struct query_imbalance {
    int8_t more[6]; /* White's number minus Black's number, by piece type; 0 for the king */
} query_imbalance;
typedef struct query_pawns {
    uint64_t pawns[2];
} query_pawns;
typedef struct query_counted {
    uint64_t squares;
    query_word pieces;
} query_counted;
typedef struct query_count {
    query_counted of;
    query_ranges n;
} query_count;
typedef struct query_difference {
    query_counted of, minus;
    query_ranges n;
} query_difference;
/* Numbers of pawns, or points, of each colour. */
typedef struct query_pawn_counts {
    query_ranges of[2]; /* [color] */
} query_pawn_counts;
typedef struct query_attacks {
    query_word from;
    query_word to;    /* attacked pieces; 0 if squares are given */
    uint64_t squares; /* attacked squares; 0 if pieces are given */
    query_ranges n;
} query_attacks;
typedef struct query_attackers {
    query_word of;    /* attacked pieces; 0 if squares are given */
    uint64_t squares; /* attacked squares; 0 if pieces are given */
    query_word by;
    query_ranges n; /* number of attackers of one piece or square */
} query_attackers;
/* Pieces met one after another on a line, on which the first piece moves. */
enum { QUERY_RAY_MAX = 8 };
typedef struct query_ray {
    query_word pieces[QUERY_RAY_MAX];
    size_t count;
} query_ray;
/* Squares that one piece visits in this order. */
typedef struct query_path {
    query_word pieces;
    uint64_t *visits;
    size_t count;
} query_path;
typedef struct query_move {
    san_pattern pattern;
    bool takes; /* the move is written as a capture */
} query_move;

/* Transformations of the board, as bits: exchange of the colors, and exchange of left and right. */
enum { QUERY_TURN_COLORS = 1, QUERY_TURN_FILES = 2 };
/* Maximum number of flags of nested conditions. Each flag doubles the number of tests of the innermost condition. */
enum { QUERY_TURNS_MAX = 4 };

typedef struct query_condition query_condition;
typedef struct query_rule {
    query_kind kind;
    const struct query_rule *next; /* next rule of the same condition */
    const void *values;
    size_t count;
    const query_condition *conditions; /* the first, for a rule composed of conditions; otherwise NULL */
    size_t condition_count;
    bool turns;           /* flipcolor and mirror change the rule */
    size_t gap;           /* SEQUENCE: maximum distance in plies between conditions; SIZE_MAX: no limit */
    bool ignore_castling; /* FEN */
    bool ignore_en_passant;
} query_rule;

struct query_condition {
    const query_rule *rules;     /* sorted by cost, cheapest first */
    const query_condition *next; /* next condition of the same rule */
    /* QUERY_TURN_...: turns with which the rules that can be turned are also tried */
    unsigned turns;
    size_t plies;  /* "for": number of consecutive plies at which the condition must hold; default 1 */
    size_t streak; /* length in plies of the condition's streak; 1 if it has no streak */
    size_t sets;   /* number of sets of plies needed to test it */
    size_t depth;  /* largest number of turns of this condition and of the conditions nested in it */
};

struct stamma_query {
    stamma_allocator allocator;
    void *memory; /* all memory of the query, as a chain */
    query_condition root;
    unsigned parts;
    unsigned turns; /* union of the turns of all conditions */
    uint64_t offset;
    uint64_t limit;   /* UINT64_MAX: no limit */
    bool all_matches; /* report all plies at which the query holds */
    bool variations;  /* also test variations */
    bool uses_flags;  /* a condition has the rule FLAG */
};

/* ---- query_rules.c: the table of rules ---- */

typedef struct query_parser {
    json_reader json;
    stamma_query *query;
    stamma_error error; /* OK, SYNTAX with json.fault, or NO_MEMORY */
} query_parser;

typedef enum query_form {
    QUERY_FORM_VALUES,     /* a value or a list of values */
    QUERY_FORM_VALUE,      /* one value, which may itself be a list */
    QUERY_FORM_CONDITION,  /* a condition */
    QUERY_FORM_CONDITIONS, /* a list of conditions */
    QUERY_FORM_BESIDE      /* a modifier: read together with the other rules of the condition */
} query_form;

typedef struct query_rule_type {
    const char *name;
    query_kind kind;
    query_form form;
    bool turns;     /* whether flipcolor and mirror apply */
    unsigned parts; /* STAMMA_GAME_...: the parts of a game that the rule needs */
    bool (*parse)(query_parser *parser, const json_value *value, void *to);
    size_t size; /* of the object that `parse` fills */
} query_rule_type;

/* Indexed by query_kind. */
extern const query_rule_type stamma_query_rules[QUERY_KINDS];

enum { RULE_TAGS_MAX = 2 };
/* Lists the names of the tags that a rule reads, and returns their number. Returns 0 for the rule "tag": its values
 * contain the names. */
size_t stamma_rule_tags(query_kind kind, stamma_text names[RULE_TAGS_MAX]);

/* ---- query_faults.c ---- */

/* Allocates zeroed memory owned by the query. Returns NULL and sets NO_MEMORY in the parser on failure. */
void *stamma_query_allocate(query_parser *parser, size_t count, size_t size);
/* Reports an unknown word at the given bytes of the JSON text: `unknown WHAT "WORD"; did you mean "..."?`. If no known
 * word is similar, the message lists all known words, if they fit. `words` contains the known words and ends with NULL.
 * Always returns false. */
bool stamma_query_unknown(query_parser *parser, size_t offset, size_t size, const char *what, stamma_text word,
                          const char *const *words);
/* Report an error in the same way, at the name of a member, at a complete value, or at `size` bytes from offset `at` of
 * its decoded text. */
bool stamma_query_fault_name(query_parser *parser, const json_value *value, const char *message);
bool stamma_query_fault_value(query_parser *parser, const json_value *value, const char *message);
bool stamma_query_fault_text(query_parser *parser, const json_value *value, size_t at, size_t size,
                             const char *message);

/* ---- query_values.c, query_texts.c, query_boards.c, query_pieces.c: values ---- */

/* A part of a decoded text and its offset there. */
typedef struct query_slice {
    stamma_text text;
    size_t at;
} query_slice;

/* Splits "A..B", "A.." or "..B" into its ends; "A" is both ends. Returns false if both ends are empty. */
bool stamma_query_split_range(stamma_text text, query_slice *low, query_slice *high);
/* Returns whether the value is a text; if not, reports an error with this message. */
bool stamma_query_is_text(query_parser *parser, const json_value *value, const char *message);
/* Returns the set of pieces that a letter means, or 0 if it has no meaning. */
query_word stamma_query_pieces(char letter);

/* Each function reads one value of a rule. It reports an error and returns false if the value is invalid. */

bool stamma_query_parse_range(query_parser *parser, const json_value *value, void *range);
bool stamma_query_parse_thousandths(query_parser *parser, const json_value *value, void *range);
bool stamma_query_parse_date(query_parser *parser, const json_value *value, void *range);
bool stamma_query_parse_ranges(query_parser *parser, const json_value *value, query_ranges *ranges);
bool stamma_query_parse_number(query_parser *parser, const json_value *value, uint64_t *number);
bool stamma_query_parse_truth(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_name(query_parser *parser, const json_value *value, void *pattern);
/* Replaces the names of a rule by patterns for all their spellings. */
bool stamma_query_expand_names(query_parser *parser, query_rule *rule);
bool stamma_query_parse_pattern(query_parser *parser, const json_value *value, void *pattern);
bool stamma_query_parse_opening(query_parser *parser, const json_value *value, void *pattern);
bool stamma_query_parse_comment(query_parser *parser, const json_value *value, void *pattern);
bool stamma_query_parse_players(query_parser *parser, const json_value *value, void *players);
bool stamma_query_parse_tags(query_parser *parser, const json_value *value, query_rule *rule);
bool stamma_query_parse_eco(query_parser *parser, const json_value *value, void *eco);
bool stamma_query_parse_result(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_flag(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_result_type(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_speed(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_has(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_color(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_castling(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_types(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_move(query_parser *parser, const json_value *value, void *move);
bool stamma_query_parse_fen(query_parser *parser, const json_value *value, void *fen);
bool stamma_query_parse_sub_fen(query_parser *parser, const json_value *value, void *sub_fen);
/* Adds shifted copies of the rule's placements, in the directions that the value of "shift" names. */
bool stamma_query_shift(query_parser *parser, const json_value *value, query_rule *rule);
bool stamma_query_parse_material(query_parser *parser, const json_value *value, void *material);
bool stamma_query_parse_imbalance(query_parser *parser, const json_value *value, void *imbalance);
bool stamma_query_parse_pawns(query_parser *parser, const json_value *value, void *pawns);
bool stamma_query_parse_count(query_parser *parser, const json_value *value, void *count);
bool stamma_query_parse_pawn_counts(query_parser *parser, const json_value *value, void *counts);
bool stamma_query_parse_attacks(query_parser *parser, const json_value *value, void *attacks);
bool stamma_query_parse_pieces(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_points(query_parser *parser, const json_value *value, void *counts);
bool stamma_query_parse_difference(query_parser *parser, const json_value *value, void *difference);
bool stamma_query_parse_attackers(query_parser *parser, const json_value *value, void *attackers);
bool stamma_query_parse_ray(query_parser *parser, const json_value *value, void *ray);
bool stamma_query_parse_path(query_parser *parser, const json_value *value, void *path);
bool stamma_query_parse_nag(query_parser *parser, const json_value *value, void *range);

/* Parts of values, for query_pieces.c and query_lines.c. They report errors like the functions above. */

/* Reads the pieces named by the letters from `begin` to `end` of a text. Pieces of the set `but` are an error. */
bool stamma_query_read_letters(query_parser *parser, const json_value *value, size_t begin, size_t end, query_word but,
                               query_word *pieces);
/* Reads a square (e4), a file, a rank, a rectangle (c3-f6), `light` or `dark`. Returns 0 for anything else. */
uint64_t stamma_query_square_word(stamma_text word);
/* Reads the attacked pieces or squares, from byte `begin` of a text. A text with digits, or with only `light` and
 * `dark`, names squares; any other text names pieces. The result that the text does not name is 0. */
bool stamma_query_read_target(query_parser *parser, const json_value *value, size_t begin, query_word *pieces,
                              uint64_t *squares);
/* Finds an object's members by name. `names` ends with NULL; members[i] is set for names[i]. Other names are errors. */
bool stamma_query_read_members(query_parser *parser, const json_value *value, const char *const *names,
                               const char *message, const json_value **members);
/* Reads the allowed numbers. Without a value: at least one. */
bool stamma_query_read_n(query_parser *parser, const json_value *value, query_ranges *n);

/* ---- matching (matcher.c, match_query.c, match.c, match_game.c, match_position.c, match_move.c) ----
 *
 * A set of plies is a bit string: ply n is bit n % 64 of word n / 64. Bits after the last ply are 0. */

struct stamma_matcher {
    const stamma_query *query;
    stamma_allocator allocator;
    const stamma_archive_game *game;
    size_t plies; /* number of moves: the plies of the game are 0 to `plies` */
    size_t words; /* per set */
    buffer sets;  /* uint64_t[], used as a stack */
    size_t sets_used;
    buffer positions[4];          /* stamma_position[] by ply; indexed by QUERY_TURN_... bits */
    bool placed[4];               /* whether positions[i] is filled for this game */
    struct stamma_matcher *inner; /* tests variations; NULL: none was tested */
    struct stamma_matcher *outer; /* the matcher that tests the game whose variations this matcher tests; NULL: none */
    size_t base;                  /* ply of the game at which the variation begins; 0 for a game */
    buffer lines;                 /* open variations (match_variations.c), their moves and their items */
    buffer line_moves;
    buffer line_items;
    text_table places;  /* positions of the game; the mark is the number of their occurrences */
    buffer repeats;     /* uint32_t[] by ply: number of occurrences of the position so far */
    bool repeats_known; /* whether `repeats` is filled for this game */
    buffer steps;       /* path_step[] by move (match_path.c) */
    bool steps_known;   /* whether `steps` is filled for this game */
    unsigned turn;      /* QUERY_TURN_... bits with which conditions are being tested */
    buffer plain;       /* an unescaped text */
    buffer folded;
    buffer reported; /* uint32_t[] */
    bool failed;     /* an allocation failed */
    /* decides the rules of the game that do not depend on its moves, for a game without tags; NULL: the game decides */
    bool (*holds)(void *context, const query_rule *rule);
    void *context;
};

STAMMA_INLINE uint64_t *plies_take(stamma_matcher *m)
{
    return (uint64_t *)(void *)m->sets.data + m->sets_used++ * m->words;
}

STAMMA_INLINE void plies_clear(const stamma_matcher *m, uint64_t *set)
{
    memset(set, 0, m->words * sizeof *set);
}

STAMMA_INLINE void plies_copy(const stamma_matcher *m, uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, m->words * sizeof *to);
}

/* Sets `set` to all plies from `first` on. */
STAMMA_INLINE void plies_fill(const stamma_matcher *m, uint64_t *set, size_t first)
{
    plies_clear(m, set);
    if (first > m->plies)
        return;
    memset(set + first / 64, 0xFF, (m->words - first / 64) * sizeof *set);
    set[first / 64] &= ~UINT64_C(0) << first % 64;
    set[m->plies / 64] &= ~UINT64_C(0) >> (63 - m->plies % 64);
}

STAMMA_INLINE bool plies_are_none(const stamma_matcher *m, const uint64_t *set)
{
    uint64_t any = 0;
    for (size_t i = 0; i < m->words; i++)
        any |= set[i];
    return any == 0;
}

/* Returns the first ply of a set that is at least `from`, or SIZE_MAX. */
STAMMA_INLINE size_t plies_next(const stamma_matcher *m, const uint64_t *set, size_t from)
{
    if (from > m->plies)
        return SIZE_MAX;
    size_t word = from / 64;
    uint64_t bits = set[word] & ~UINT64_C(0) << from % 64;
    while (bits == 0 && ++word < m->words)
        bits = set[word];
    return bits ? word * 64 + bits_first(bits) : SIZE_MAX;
}

STAMMA_INLINE size_t plies_last(const stamma_matcher *m, const uint64_t *set)
{
    for (size_t word = m->words; word-- > 0;)
        if (set[word])
            return word * 64 + bits_last(set[word]);
    return SIZE_MAX;
}

/* Prepares for a game. Returns false if memory is exhausted. */
bool stamma_matcher_begin(stamma_matcher *matcher, const stamma_archive_game *game);
/* Returns the set of plies of the main line at which the query holds. m->failed is set if memory is exhausted. */
uint64_t *stamma_match_main_line(stamma_matcher *matcher);
/* Narrows a set of plies to the plies at which a condition holds (match.c). */
void stamma_match_condition(stamma_matcher *matcher, const query_condition *condition, uint64_t *plies);
/* Appends the plies of the earliest match that begins at ply `first`, where the query holds, to `reported`. */
void stamma_match_report(stamma_matcher *matcher, size_t first);
/* Appends all plies of a set, or only the first, to `reported`. */
void stamma_match_report_all(stamma_matcher *matcher, const uint64_t *plies, bool only_first);
/* Returns the positions of the game, turned by `turn`. Returns NULL and sets `failed` if memory is exhausted. */
const stamma_position *stamma_matcher_positions(stamma_matcher *matcher, unsigned turn);
/* Returns whether a rule of the game holds. */
bool stamma_match_game(stamma_matcher *matcher, const query_rule *rule);
/* Returns whether a rule that depends on a single tag holds for this value of the tag: a rule on a text, a player's
 * rating, the opening or the speed, or the first tag of a QUERY_TAG rule. Only the buffers of the matcher are used. */
bool stamma_match_value(stamma_matcher *matcher, const query_rule *rule, stamma_text value);
/* Sets `days` to the range of days that a date can mean. Returns false if no digit of the year is known. */
bool stamma_match_days(stamma_text date, query_range *days);
/* Returns whether a rule on both players' ratings holds. A rating of 0 is unknown: no rule holds. */
bool stamma_match_ratings(const query_rule *rule, int64_t white, int64_t black);
/* Returns whether a word is one of the rule's values. */
bool stamma_match_word(const query_rule *rule, query_word word);
/* Returns whether a rule of the position holds. */
bool stamma_match_position(const query_rule *rule, const stamma_position *position);
/* Returns whether a rule of the move holds for a move that is made in the position `before`. */
bool stamma_match_move(const query_rule *rule, const stamma_position *before, stamma_move move);
/* For each variation that matches, adds to a set the ply at which the variation leaves the main line; for a nested
 * variation, the ply at which the outermost variation leaves the main line. */
void stamma_match_variations(stamma_matcher *matcher, uint64_t *plies);
/* Narrows a set of plies to the plies where a rule QUERY_PATH holds. */
void stamma_match_path(stamma_matcher *matcher, const query_rule *rule, uint64_t *plies);
/* Returns, by ply, how often the position has occurred in the game so far. Returns NULL and sets `failed` if memory is
 * exhausted. */
const uint32_t *stamma_matcher_repeats(stamma_matcher *matcher);
/* Narrows a set of plies to the plies with an item that matches a rule QUERY_NAG or QUERY_PLY_COMMENT. */
void stamma_match_items(stamma_matcher *matcher, const query_rule *rule, uint64_t *plies);
/* Returns whether one value of a rule on attackers, rays or batteries holds (match_lines.c). */
bool stamma_match_lines(const query_rule *rule, size_t n, const stamma_position *position);
/* Returns the squares occupied by a set of pieces. */
uint64_t stamma_squares_of(const stamma_position *position, query_word pieces);
/* Returns the points of a color's pieces: pawn 1, knight and bishop 3, rook 5, queen 9. */
int stamma_points(const stamma_position *position, unsigned color);
/* Returns whether a rule of the moment holds. `ply` is at least 1. */
bool stamma_match_moment(const stamma_archive_game *game, const query_rule *rule, size_t ply);
/* Apply QUERY_TURN_... to a position and to a move. */
stamma_position stamma_position_turned(const stamma_position *position, unsigned turn);
stamma_move stamma_move_turned(stamma_move move, unsigned turn);
uint64_t stamma_squares_turned(uint64_t squares, unsigned turn);
/* Returns a comment of the game, folded. */
stamma_text stamma_match_folded(stamma_matcher *matcher, stamma_text comment);

/* Returns whether a number is in one of the ranges. */
STAMMA_INLINE bool query_in_ranges(const query_range *ranges, size_t count, int64_t number)
{
    for (size_t i = 0; i < count; i++)
        if (number >= ranges[i].low && number <= ranges[i].high)
            return true;
    return false;
}

#endif
