/* The query room: the language of questions about games, and whether a game matches one. doc/search.md defines what a
 * query means. */
#ifndef STAMMA_QUERY_H
#define STAMMA_QUERY_H

#include "board/board.h"
#include "notation/notation.h"

/* ---- json_reader.c: JSON as a tree of values that know where they stood ---- */

enum {
    JSON_DEPTH_MAX = 64,     /* lists and objects in one another */
    JSON_MEMBERS_MAX = 1000, /* of an object: each is held against all before it */
    JSON_NONE = 0            /* no value: the root, which nothing refers to, has that number */
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

/* Texts lie in the reader's buffer, as offsets, until all is read. */
typedef struct json_value {
    json_kind kind;
    size_t offset; /* in the JSON text, quotes and brackets included */
    size_t size;
    size_t text; /* TEXT: decoded to UTF-8; NUMBER: as written */
    size_t text_size;
    size_t name; /* the same of the member that it is; of the elements of a list nothing */
    size_t name_size;
    size_t name_offset; /* in the JSON text, with the quotes */
    size_t name_end;
    uint32_t first; /* LIST, OBJECT: the first element; JSON_NONE: there is none */
    uint32_t next;  /* the next of the list or object that it is in */
} json_value;

/* Zero it and set `json` and the buffers' allocator. */
typedef struct json_reader {
    stamma_text json;
    buffer values; /* json_value[]; the first is the root */
    buffer texts;
    size_t at;
    unsigned depth;
    stamma_query_fault fault;
} json_reader;

/* Reads all of reader->json. SYNTAX with reader->fault, NO_MEMORY. */
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
/* Where the byte `at` of a decoded text stands in the JSON text. */
size_t stamma_json_place(const json_reader *reader, const json_value *value, size_t at);

/* ---- fold.c: texts compared without regard to case and accents ---- */

/* Appends the text, folded, as UTF-8. Bytes that are no UTF-8 are taken as Latin-1. */
void stamma_fold(stamma_text text, buffer *folded);
/* Makes one blank of each run of them: lines of comments end where there is room for no more. */
void stamma_fold_blanks(buffer *folded);
/* Appends a tag's value folded, without its escapes; `plain` is room for that. */
void stamma_fold_value(stamma_text value, buffer *plain, buffer *folded);
/* Whether a folded text is as a folded pattern says, in which `*` stands for any text and `?` for any letter. */
bool stamma_pattern_matches(stamma_text pattern, stamma_text folded);
/* Whether one folded text stands in the other. */
bool stamma_text_contains(stamma_text folded, stamma_text part);

/* ---- nearest_word.c ---- */

/* The word that was probably meant; NULL where none is near. `words` ends with NULL. */
const char *stamma_nearest_word(stamma_text word, const char *const *words);

/* ---- the tree of a query (query_parse.c, query_rules.c, query_values*.c) ----
 *
 * A condition is a list of rules that all must hold at a ply. Where a rule has several values, one of them must. All of
 * it is read only once parsed. */

typedef enum query_kind {
    /* of the game: they hold at all of its plies or at none */
    QUERY_PLAYER,  /* values: query_pattern */
    QUERY_WHITE,   /* query_pattern */
    QUERY_BLACK,   /* query_pattern */
    QUERY_PLAYERS, /* query_players */
    QUERY_EVENT,   /* query_pattern, and so the next four */
    QUERY_SITE,
    QUERY_ROUND,
    QUERY_TIME_CONTROL,
    QUERY_TERMINATION,
    QUERY_TAG,          /* query_tag: all of them must match, not one */
    QUERY_ECO,          /* query_eco */
    QUERY_SPEED,        /* query_word: stamma_speed */
    QUERY_RESULT,       /* query_word: stamma_result */
    QUERY_RESULT_TYPE,  /* query_word: a stamma_status */
    QUERY_RATING,       /* query_range */
    QUERY_WHITE_RATING, /* query_range */
    QUERY_BLACK_RATING, /* query_range */
    QUERY_EACH_RATING,  /* query_range */
    QUERY_DATE,         /* query_range of year * 10000 + month * 100 + day */
    QUERY_PLIES,        /* query_range */
    QUERY_COMMENT,      /* query_pattern, without the meaning of signs */
    QUERY_HAS,          /* query_word: query_has */
    /* of the position */
    QUERY_FEN,       /* query_fen */
    QUERY_SUB_FEN,   /* query_sub_fen */
    QUERY_MATERIAL,  /* query_material */
    QUERY_IMBALANCE, /* query_imbalance */
    QUERY_PAWNS,     /* query_pawns */
    QUERY_COUNT,     /* query_count */
    QUERY_PASSED,    /* query_pawn_counts, and so the next three */
    QUERY_ISOLATED,
    QUERY_DOUBLED,
    QUERY_CONNECTED,
    QUERY_ATTACKS, /* query_attacks */
    QUERY_PINNED,  /* query_word: a set of pieces */
    QUERY_CHECK,   /* query_word: 0 or 1, and so the next two */
    QUERY_MATE,
    QUERY_STALEMATE,
    QUERY_STM,         /* query_word: stamma_color */
    QUERY_PLY,         /* query_range */
    QUERY_MOVE_NUMBER, /* query_range */
    /* of the move */
    QUERY_MOVE,       /* query_move */
    QUERY_WHITE_MOVE, /* query_move */
    QUERY_BLACK_MOVE, /* query_move */
    QUERY_MOVED,      /* query_word: a set of stamma_piece_type; 1 << 6: nothing */
    QUERY_CAPTURED,   /* the same */
    QUERY_PROMOTED,   /* the same */
    QUERY_CASTLING,   /* query_word: a set of sides, 1 << STAMMA_KING_SIDE and 1 << STAMMA_QUEEN_SIDE */
    QUERY_EN_PASSANT, /* query_word: 0 or 1 */
    QUERY_BY,         /* query_word: stamma_color */
    /* of the moment */
    QUERY_EVALUATION, /* query_range of thousandths, and so the next two */
    QUERY_SWING,
    QUERY_CLOCK,
    QUERY_PASS, /* no values */
    /* made of conditions */
    QUERY_ALL,
    QUERY_ANY,
    QUERY_NOT,
    QUERY_NEVER,
    QUERY_FINAL,
    QUERY_SEQUENCE,
    QUERY_STREAK,
    /* beside other rules; no rules of their own */
    QUERY_FLIPCOLOR,
    QUERY_MIRROR,
    QUERY_SHIFT,
    QUERY_IGNORE_CASTLING,
    QUERY_IGNORE_EN_PASSANT,
    QUERY_GAP,
    QUERY_FOR,
    QUERY_SKIP,
    QUERY_LIMIT,
    QUERY_KINDS
} query_kind;

/* Numbers from low to high, both included; INT64_MIN and INT64_MAX where an end is open. */
typedef struct query_range {
    int64_t low;
    int64_t high;
} query_range;
/* One of these ranges; any number where there is none. */
typedef struct query_ranges {
    const query_range *ranges;
    size_t count;
} query_ranges;

typedef uint32_t query_word;
/* A folded text; see stamma_pattern_matches. */
typedef struct query_pattern {
    stamma_text text;
} query_pattern;
typedef struct query_players {
    query_pattern one, other;
} query_players;
typedef struct query_tag {
    stamma_text name;
    const query_pattern *patterns; /* one of these */
    size_t count;
} query_tag;
/* Codes from low to high, in capitals; what a code has behind the letters that they have does not count. Empty: open.
 */
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

/* Sets of pieces: bit n for the piece n of 0..5 white, 6..11 black, 12: an empty square. */
enum { QUERY_EMPTY = 12, QUERY_PIECES = 13, QUERY_ALL_PIECES = 0xFFF };

typedef struct query_fen {
    stamma_position position;
    stamma_square en_passant; /* where it is legal, else NONE */
} query_fen;
/* A placement and where it may be shifted to: one of `count` matches. */
typedef struct query_squares {
    uint64_t forbidden[QUERY_PIECES]; /* squares where that piece, or nothing, may not stand */
} query_squares;
typedef struct query_sub_fen {
    uint64_t required[12]; /* squares where only that piece may stand; of the first of `places`, which is the unshifted
                              one */
    const query_squares *places;
    size_t count;
} query_sub_fen;
typedef struct query_material {
    uint8_t low[2][6];  /* [color][piece type] */
    uint8_t high[2][6]; /* 255: any number */
} query_material;
typedef struct query_imbalance {
    int8_t more[6]; /* White's less Black's, by piece type; the king's is 0 */
} query_imbalance;
typedef struct query_pawns {
    uint64_t pawns[2];
} query_pawns;
typedef struct query_count {
    uint64_t squares;
    query_word pieces;
    query_ranges n;
} query_count;
typedef struct query_pawn_counts {
    query_ranges of[2]; /* [color] */
} query_pawn_counts;
typedef struct query_attacks {
    query_word from;
    query_word to;    /* pieces; 0: squares are asked for */
    uint64_t squares; /* 0: pieces are */
    query_ranges n;
} query_attacks;
typedef struct query_move {
    san_pattern pattern;
    bool takes; /* it is written as a capture */
} query_move;

/* How a condition may be turned: a bit each. */
enum { QUERY_TURN_COLORS = 1, QUERY_TURN_FILES = 2 };

typedef struct query_condition query_condition;
typedef struct query_rule {
    query_kind kind;
    const struct query_rule *next; /* of the same condition */
    const void *values;
    size_t count;
    const query_condition *conditions; /* of a rule made of conditions: the first */
    size_t condition_count;
    size_t gap;           /* SEQUENCE: at most so many plies; SIZE_MAX: any number */
    bool ignore_castling; /* FEN */
    bool ignore_en_passant;
} query_rule;

struct query_condition {
    const query_rule *rules;     /* cheap ones first: those of the game, of the position, ... */
    const query_condition *next; /* of the same rule */
    unsigned turns;              /* QUERY_TURN_...: those rules that can be turned hold, or all hold when turned so */
    size_t plies;                /* it holds at so many plies on end: "for"; else 1 */
    size_t streak;               /* how many plies its streak takes; 1 where it has none */
    size_t sets;                 /* how many sets of plies it takes to test it */
};

struct stamma_query {
    stamma_allocator allocator;
    void *memory; /* all that it owns, chained */
    query_condition root;
    unsigned parts;
    unsigned turns; /* all turns of all conditions */
    uint64_t skip;
    uint64_t limit; /* UINT64_MAX: none */
};

/* ---- query_rules.c: the table of rules ---- */

typedef struct query_parser {
    json_reader json;
    stamma_query *query;
    stamma_error error; /* OK, SYNTAX with json.fault, or NO_MEMORY */
} query_parser;

typedef enum query_form {
    QUERY_FORM_VALUES,     /* a value or a list of them */
    QUERY_FORM_VALUE,      /* one value, which may be a list itself */
    QUERY_FORM_CONDITION,  /* a condition */
    QUERY_FORM_CONDITIONS, /* a list of conditions */
    QUERY_FORM_BESIDE      /* read with the rules that it stands beside */
} query_form;

typedef struct query_rule_type {
    const char *name;
    query_kind kind;
    query_form form;
    bool turns;     /* whether flipcolor and mirror turn it */
    unsigned parts; /* STAMMA_GAME_... that it reads */
    bool (*parse)(query_parser *parser, const json_value *value, void *to);
    size_t size; /* of what `parse` fills */
} query_rule_type;

/* By query_kind. */
extern const query_rule_type stamma_query_rules[QUERY_KINDS];

enum { RULE_TAGS_MAX = 2 };
/* The tags that a rule looks at, but of "tag"; how many. */
size_t stamma_rule_tags(query_kind kind, stamma_text names[RULE_TAGS_MAX]);

/* ---- query_parse.c ---- */

/* Memory of the query, zeroed; NULL with NO_MEMORY in the parser. */
void *stamma_query_allocate(query_parser *parser, size_t count, size_t size);
/* The query is wrong at these bytes of its JSON text, by a word that is not in the list, which ends with NULL: `unknown
 * WHAT "WORD"; did you mean "..."?`; false. The first fault counts. */
bool stamma_query_unknown(query_parser *parser, size_t offset, size_t size, const char *what, stamma_text word,
                          const char *const *words);
/* The same at a whole value, and at `size` bytes from `at` of its decoded text. */
bool stamma_query_fault_value(query_parser *parser, const json_value *value, const char *message);
bool stamma_query_fault_text(query_parser *parser, const json_value *value, size_t at, size_t size,
                             const char *message);

/* ---- query_values.c, query_texts.c, query_boards.c, query_pieces.c: values ---- */

/* A part of a decoded text, and where it begins there. */
typedef struct query_slice {
    stamma_text text;
    size_t at;
} query_slice;

/* "A..B", "A..", "..B" or "A", which is both ends. False where neither end is said. */
bool stamma_query_split_range(stamma_text text, query_slice *low, query_slice *high);
/* Whether the value is a text; else the query is wrong there. */
bool stamma_query_is_text(query_parser *parser, const json_value *value, const char *message);
/* The set of pieces that a letter means, 0 where it means none. */
query_word stamma_query_pieces(char letter);

/* Each of these reads one value of a rule. */

bool stamma_query_parse_range(query_parser *parser, const json_value *value, void *range);
bool stamma_query_parse_thousandths(query_parser *parser, const json_value *value, void *range);
bool stamma_query_parse_date(query_parser *parser, const json_value *value, void *range);
bool stamma_query_parse_ranges(query_parser *parser, const json_value *value, query_ranges *ranges);
bool stamma_query_parse_number(query_parser *parser, const json_value *value, uint64_t *number);
bool stamma_query_parse_truth(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_name(query_parser *parser, const json_value *value, void *pattern);
bool stamma_query_parse_pattern(query_parser *parser, const json_value *value, void *pattern);
bool stamma_query_parse_comment(query_parser *parser, const json_value *value, void *pattern);
bool stamma_query_parse_players(query_parser *parser, const json_value *value, void *players);
bool stamma_query_parse_tags(query_parser *parser, const json_value *value, query_rule *rule);
bool stamma_query_parse_eco(query_parser *parser, const json_value *value, void *eco);
bool stamma_query_parse_result(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_result_type(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_speed(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_has(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_color(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_castling(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_types(query_parser *parser, const json_value *value, void *word);
bool stamma_query_parse_move(query_parser *parser, const json_value *value, void *move);
bool stamma_query_parse_fen(query_parser *parser, const json_value *value, void *fen);
bool stamma_query_parse_sub_fen(query_parser *parser, const json_value *value, void *sub_fen);
/* Lets the patterns of a rule match elsewhere, as the value of "shift" says. */
bool stamma_query_shift(query_parser *parser, const json_value *value, query_rule *rule);
bool stamma_query_parse_material(query_parser *parser, const json_value *value, void *material);
bool stamma_query_parse_imbalance(query_parser *parser, const json_value *value, void *imbalance);
bool stamma_query_parse_pawns(query_parser *parser, const json_value *value, void *pawns);
bool stamma_query_parse_count(query_parser *parser, const json_value *value, void *count);
bool stamma_query_parse_pawn_counts(query_parser *parser, const json_value *value, void *counts);
bool stamma_query_parse_attacks(query_parser *parser, const json_value *value, void *attacks);
bool stamma_query_parse_pinned(query_parser *parser, const json_value *value, void *word);

/* ---- matching (matcher.c, match.c, match_game.c, match_position.c, match_move.c) ----
 *
 * A set of plies is a bit string: bit n of it is bit n % 64 of word n / 64. Bits behind the last ply are 0. */

struct stamma_matcher {
    const stamma_query *query;
    stamma_allocator allocator;
    const stamma_archive_game *game;
    size_t plies; /* that were played: the plies of the game are 0 to this */
    size_t words; /* of a set */
    buffer sets;  /* uint64_t[], used as a stack */
    size_t sets_used;
    buffer positions[4]; /* stamma_position[] by ply, turned as QUERY_TURN_... says */
    bool placed[4];      /* whether they are there */
    buffer plain;        /* a text without escapes */
    buffer folded;
    buffer reported; /* uint32_t[] */
    bool failed;     /* no memory */
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

/* All plies from `first` on. */
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

/* The first ply of a set from `from` on; SIZE_MAX where there is none. */
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

/* match.c: narrows a set of plies to those at which a condition holds. */
void stamma_match_condition(stamma_matcher *matcher, const query_condition *condition, uint64_t *plies);
/* Adds the plies of the earliest match, which begins at `first`. */
void stamma_match_report(stamma_matcher *matcher, size_t first);
/* The positions of a game, turned so; NULL and `failed` without memory. */
const stamma_position *stamma_matcher_positions(stamma_matcher *matcher, unsigned turn);
/* Rules of the game, which hold at all plies or at none. */
bool stamma_match_game(stamma_matcher *matcher, const query_rule *rule);
/* Whether such a rule holds for a game that has but this tag. */
bool stamma_match_tag(stamma_matcher *matcher, const query_rule *rule, stamma_text name, stamma_text value);
/* The days that a date may be; false if not even a digit of the year is known. */
bool stamma_match_days(stamma_text date, query_range *days);
/* Whether a rule about the ratings of both holds; 0: none. */
bool stamma_match_ratings(const query_rule *rule, int64_t white, int64_t black);
/* Whether a word is one of the rule's. */
bool stamma_match_word(const query_rule *rule, query_word word);
/* Rules of the position. */
bool stamma_match_position(const query_rule *rule, const stamma_position *position);
/* Rules of the move that is made in a position. */
bool stamma_match_move(const query_rule *rule, const stamma_position *before, stamma_move move);
/* Rules of the moment. `ply` is not 0. */
bool stamma_match_moment(const stamma_archive_game *game, const query_rule *rule, size_t ply);
/* What a position or a move becomes when it is turned. */
stamma_position stamma_position_turned(const stamma_position *position, unsigned turn);
stamma_move stamma_move_turned(stamma_move move, unsigned turn);

/* Whether a number is in one of the ranges. */
STAMMA_INLINE bool query_in_ranges(const query_range *ranges, size_t count, int64_t number)
{
    for (size_t i = 0; i < count; i++)
        if (number >= ranges[i].low && number <= ranges[i].high)
            return true;
    return false;
}

#endif
