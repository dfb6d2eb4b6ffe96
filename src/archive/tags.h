/* Tag values that follow from others, from the game, or from numbers that came before (clauses 14 and 15). How such
 * columns are stored is in archive.h. */
#ifndef STAMMA_ARCHIVE_TAGS_H
#define STAMMA_ARCHIVE_TAGS_H

#include "base/base.h"
#include "base/tables.h"
#include "board/board.h"
#include "model/model.h"

/* ---- tag values that follow from others (tag_copies.c, copy_rules.c; clause 14) ---- */

enum { COPY_COLUMNS_MAX = 64, COPY_RULES_MAX = 4, COPY_PREFIX_MAX = 63 };
enum { COPY_SAME = 0, COPY_BEFORE = 1, COPY_BEGIN = 2, COPY_TWIN = 3, COPY_KINDS }; /* kinds of rules */
/* What a rule looks at. */
enum {
    COPY_KEY_NONE = 0,
    COPY_KEY_COLUMN = 1,  /* + c: the record's value of tag column c */
    COPY_KEY_PREFIX = 65, /* + n - 1: its first n moves */
    COPY_KEY_GAME = 128,  /* from here on the game, whose moves must be known */
    COPY_KEY_OPENING = COPY_KEY_GAME,
    COPY_KEY_TEXTS, /* from here on texts that follow from the game */
    COPY_KEY_ECO = COPY_KEY_TEXTS,
    COPY_KEY_OPENING_NAME,
    COPY_KEY_MADE, /* from here on texts that are made anew for each game, and not remembered */
    COPY_KEY_FEN = COPY_KEY_MADE,
    COPY_KEY_FEN_FIELDS,
    COPY_KEY_PLIES,
    COPY_KEY_PLIES_LESS,
    COPY_KEYS
};

/* ---- texts that follow from a game (game_tags.c; clause 14.5) ---- */

typedef struct game_facts {
    unsigned opening;    /* its number, 0 for none */
    stamma_position end; /* of the main line */
    uint32_t plies;
} game_facts;

/* The text that `what`, from COPY_KEY_TEXTS on, stands for: a constant, or written to `out`; {NULL, 0} for none. */
stamma_text stamma_game_text(const game_facts *game, unsigned what, char out[STAMMA_FEN_SIZE]);

/* ---- rules ---- */

/* What a column of tag values is in codec 3: rules and choices as in clause 14.2, and the texts that are new. */
typedef struct copied_values {
    uint8_t form;      /* of the choices */
    uint8_t others[2]; /* from here on only where these are coded: 1 + columns that they hang on, 0 for none */
    buffer parameters; /* classes */
    buffer bits;
    buffer rules, symbols, literals;
} copied_values;

void stamma_copied_values_init(copied_values *values, const stamma_allocator *allocator);
void stamma_copied_values_release(copied_values *values);

/* What stands for a text, or the first moves of a game, as a key (14.4); never 0. */
uint32_t stamma_text_key(stamma_text text);
uint32_t stamma_moves_key(stamma_text codes, size_t length);
/* Whether two columns tell the same of White and of Black (14.4). */
bool stamma_are_twins(stamma_text name, stamma_text other);

typedef struct copy_rule {
    uint8_t kind;
    uint8_t key;
} copy_rule;

/* ---- choices: which rule gives a value, or which known text (tag_choices.c, choice_rules.c; 14.7 to 14.9) ---- */

/* Forms: a byte for each choice; or coded, where no text is known again, or texts are numbered as they first come, or
 * the last ones come first. */
enum { CHOICE_BYTES = 0, CHOICE_ANEW = 1, CHOICE_LISTED = 2, CHOICE_RECENT = 3, CHOICE_SHARED = 4, CHOICE_FORMS = 8 };
enum {
    CHOICE_RECENTS = 13,   /* texts that are moved to the front */
    CHOICE_DIRECT = 32,    /* references below are symbols by themselves */
    CHOICE_BITS_MAX = 28,  /* of a reference */
    CHOICE_CLASSES_MAX = 8 /* of a column */
};
/* Levels of choices, as contexts for others: references up to 13, larger ones, rules. */
enum { CHOICE_LEVEL_OLDER = 14, CHOICE_LEVEL_RULE = 15 };
enum {
    CHOICE_LAST,
    CHOICE_SECOND,
    CHOICE_OTHER,
    CHOICE_ANOTHER,
    CHOICE_MEMORY,
    CHOICE_GAME,
    CHOICE_KNOWN
}; /* contexts */

/* Texts that were read, by number. Zero it to begin, but for the allocator. */
typedef struct text_memory {
    uint32_t recent[CHOICE_RECENTS]; /* the last one first */
    size_t recent_count;
    buffer older;  /* uint32_t: those that fell out of `recent`, or all */
    uint32_t news; /* texts that were new */
    uint8_t known; /* their level */
    uint8_t last;  /* level of the last choice */
} text_memory;

void stamma_text_memory_clear(text_memory *m);
/* The number of the text that a reference above 0 stands for, which is the last one then; 0 where there is none, or no
 * memory (m->older.failed). */
uint32_t stamma_text_memory_find(text_memory *m, unsigned form, uint32_t reference);
/* Takes note of a new text. False when there is no memory. */
bool stamma_text_memory_add(text_memory *m, unsigned form, uint32_t number);

/* Levels of a column's last choices. */
typedef struct choice_history {
    uint8_t last, second;
} choice_history;

STAMMA_INLINE uint8_t choice_level(uint32_t reference)
{
    return (uint8_t)(reference <= CHOICE_RECENTS ? reference : CHOICE_LEVEL_OLDER);
}

STAMMA_INLINE uint8_t choice_game_level(size_t plies)
{
    return (uint8_t)(8 * (plies & 1) + (plies < 8 * 32 ? plies / 32 : 7));
}

STAMMA_INLINE void choice_note(choice_history *h, text_memory *m, uint8_t level)
{
    h->second = h->last;
    h->last = m->last = level;
}

/* A column's coded choices, being read. */
typedef struct choice_source {
    uint8_t form;      /* the rest only where this is not CHOICE_BYTES */
    uint8_t remembers; /* the column whose memory it has: this one, or its twin */
    choice_history history;
    text_memory memory;
    number_source symbols;
    buffer classes;                       /* number_classes */
    const uint8_t *levels[CONTEXTS_USED]; /* of its contexts */
} choice_source;

/* Begins to read, with form and memory set; all levels must stay. CORRUPT, NO_MEMORY. */
stamma_error stamma_choice_source_begin(choice_source *s, const copied_values *values,
                                        const uint8_t *const levels[CONTEXT_KINDS]);
/* The next choice: below `rules`, a rule; else that much more than a reference. UINT32_MAX where it is corrupt. */
uint32_t stamma_choice_take(choice_source *s, unsigned rules);

typedef struct copied_column {
    bool coded;  /* in codec 3 */
    bool keyed;  /* a rule looks at its key */
    bool copied; /* a rule takes its values */
    bool late;   /* its rules look at the game: it is read when the main line is known (14.5) */
    uint8_t rule_count;
    copy_rule rules[COPY_RULES_MAX];
    number_map maps[COPY_RULES_MAX];
    uint32_t last;         /* number of the column's last value: where the key is nothing, there is no need of a map */
    number_map of_players; /* of the rule of kind 3 */
    uint8_t players;       /* the column whose of_players that rule takes: this one, or its twin */
    buffer joined;         /* values of rules of kind 2; never grows, so that they stay where they are */
    cursor symbols;
    choice_source choices;
} copied_column;

typedef struct copied_value {
    const char *data; /* owned elsewhere */
    uint32_t size;    /* as in a column, at most 2^28 */
    uint32_t key;     /* 0 where it is not known yet */
} copied_value;

/* The state of decoding. Zero it to begin, but for the allocator of `values`. */
typedef struct tag_copies {
    buffer values; /* copied_value: the literals so far, numbered from 1 */
    copied_column columns[COPY_COLUMNS_MAX];
    uint32_t now[COPY_COLUMNS_MAX];       /* numbers of the record's values, 0 where they have not come */
    uint32_t keys[COPY_COLUMNS_MAX];      /* and their keys, where rules look at these */
    uint8_t levels[COPY_COLUMNS_MAX + 1]; /* of its choices, behind 0: 0 where they have not come */
    uint8_t game_level;
    uint32_t prefixes[COPY_PREFIX_MAX + 1]; /* keys of its first moves, 0 where they are not known yet */
    stamma_text codes;                      /* of its main line */
    const stamma_move *moves;
    game_facts game;
    bool opening_known; /* in `game` */
    bool passed;        /* the record's values are, so that its end is not known */
    char made[COPY_KEYS - COPY_KEY_MADE][STAMMA_FEN_SIZE];
    bool any;      /* rules */
    bool late;     /* any column is */
    bool openings; /* some rule looks at the opening */
    bool no_memory;
} tag_copies;

void stamma_tag_copies_clear(tag_copies *c);
void stamma_tag_copies_release(tag_copies *c, const stamma_allocator *allocator);
/* Makes a column, whose values have `size` bytes, follow rules; the symbols must stay. `twin`: its twin's number, where
 * that is lower; else COPY_COLUMNS_MAX. CORRUPT for rules that there are not, NO_MEMORY. */
stamma_error stamma_tag_copies_set(tag_copies *c, size_t column, size_t twin, const copied_values *values, size_t size);
/* Begins a record with these move codes of the main line, which must stay. */
void stamma_tag_copies_begin(tag_copies *c, stamma_text codes);
/* Says what its game is, before late columns are asked for; the moves must stay. `end`: the position behind them, whose
 * key is not asked for; NULL where the values are only to be passed, and then the first OPENING_PLIES moves are enough.
 */
void stamma_tag_copies_play(tag_copies *c, bool set_up, const stamma_move *moves, size_t count,
                            const stamma_position *end);
/* The next value of a column, which takes its literals from `literals`; these fail where it is corrupt or
 * c->no_memory. */
stamma_text stamma_tag_copies_take(tag_copies *c, size_t column, cursor *literals, const stamma_allocator *allocator);
bool stamma_tag_copies_is_done(tag_copies *c);
/* The key of the record's value of a column whose keys are looked at; 0 where it has none, or that is not remembered.
 */
uint32_t stamma_tag_copies_key(const tag_copies *c, size_t column);

typedef struct copy_rule_list {
    copy_rule rules[COPY_RULES_MAX];
    uint8_t count;
    bool late; /* some rule looks at the game */
} copy_rule_list;

/* The tags of a block, for choosing rules (copy_rules.c). */
typedef struct tag_table {
    size_t columns; /* at most COPY_COLUMNS_MAX */
    size_t records;
    uint32_t *numbers;  /* of values: columns x records; 0 where a record has no such tag */
    uint8_t *places;    /* in the roster: columns x rosters */
    uint32_t *rosters;  /* of each record */
    stamma_text *moves; /* of each record: the codes of its main line */
    const game_facts *games;
    size_t fen_column;               /* that of FEN tags: no rule of it looks at the game */
    uint8_t twins[COPY_COLUMNS_MAX]; /* of each column; COPY_COLUMNS_MAX: none */
    stamma_text names[COPY_COLUMNS_MAX];
    bool numeric[COPY_COLUMNS_MAX]; /* in codec 4: rules neither follow nor give such a column */
    bool looked[COPY_COLUMNS_MAX];  /* by one in codec 4 */
    text_table texts;               /* of values; the mark is the key */
    copy_rule_list chosen[COPY_COLUMNS_MAX];
    const stamma_allocator *allocator;
} tag_table;

void stamma_tag_table_release(tag_table *t);
/* The number of a value's text, which stays where it is, a new one where it is new; 0 when there is no memory. */
uint32_t stamma_tag_table_text(tag_table *t, stamma_text text);
STAMMA_INLINE uint32_t tag_value(const tag_table *t, size_t column, size_t record)
{
    return t->numbers[column * t->records + record];
}
/* Chooses the rules of each column, which may be none. NO_MEMORY. */
stamma_error stamma_copy_rules_choose(tag_table *t);
/* Codes a column's values by its rules. NO_MEMORY. */
stamma_error stamma_copy_rules_apply(const tag_table *t, size_t column, copied_values *out);
/* Where the columns stand in a record's roster. */
STAMMA_INLINE const uint8_t *tag_places(const tag_table *t, size_t record)
{
    return t->places + t->rosters[record] * t->columns;
}
/* Whether a value of column `other` is known before one of `column` is read; `places`: in its record (14.4, 14.5). */
STAMMA_INLINE bool is_read_before(const tag_table *t, size_t other, size_t column, const uint8_t *places)
{
    if (t->chosen[other].late != t->chosen[column].late)
        return t->chosen[column].late;
    return places[other] < places[column];
}
/* Whether a record's value begins with that of another column; behind it *tail. */
bool stamma_begins_with(const tag_table *t, size_t column, size_t record, unsigned key, stamma_text *tail);

/* The columns of a block as their rules give them, and as coded choices. Zero it to begin, but for the table. */
typedef struct choice_maker {
    tag_table *t;
    bool applied[COPY_COLUMNS_MAX];
    copied_values plain[COPY_COLUMNS_MAX]; /* with a byte for each choice */
    copied_values coded[COPY_COLUMNS_MAX]; /* the same; of form CHOICE_BYTES where it is not coded */
    uint8_t *levels[COPY_COLUMNS_MAX];     /* of each record's choices, where they are coded */
    uint8_t coded_as[COPY_COLUMNS_MAX];    /* their form then */
    uint32_t *places; /* by text: while a column is made, 1 + its place among the older ones, or 0; else 0 */
} choice_maker;

/* Makes a column, and where it shares a memory with its twin behind it that too. NO_MEMORY. */
stamma_error stamma_choices_make(choice_maker *m, size_t column);
/* Says that a column is not stored with coded choices. */
void stamma_choices_forget(choice_maker *m, size_t column);
/* Releases a column, but for what others hang on. */
void stamma_choices_release(choice_maker *m, size_t column);
void stamma_choice_maker_release(choice_maker *m);

/* ---- tag values that are numbers (tag_numbers.c, number_rules.c; clause 15) ---- */

enum {
    NUMBER_PREDICTORS_MAX = 4,
    NUMBER_TURNS = 4,
    NUMBER_MAX = 1 << 24, /* the largest magnitude */
    NUMBER_LITERAL = 255, /* the symbol of a value that is no such number */
    NUMBER_TEXT = 12      /* bytes of the longest one */
};
/* The way of a predictor: 1 more than what the base is multiplied by in what is foretold and, from bit 2 on, in what is
 * remembered, if anything; whether the twin's memory is used; how slowly it follows. */
enum { NUMBER_WAY_THEN = 2, NUMBER_THEN_NOTHING = 3, NUMBER_WAY_SHARED = 16, NUMBER_WAY_SLOWNESS = 5 };
enum { NUMBER_BASE_LENIENT = 128 };

/* How a number is foretold: what is remembered by two keys, plus or minus the base, a number of this record. */
typedef struct number_predictor {
    uint8_t keys[2]; /* 1 + a column, 0 for none */
    uint8_t base;    /* the same; with NUMBER_BASE_LENIENT, 0 stands for one that is not known */
    uint8_t way;
} number_predictor;

typedef struct number_plan {
    uint8_t turn;
    bool plus; /* a sign stands before 0 and above it too */
    uint8_t count;
    number_predictor predictors[NUMBER_PREDICTORS_MAX]; /* the first that foretells anything is taken */
} number_plan;

/* CORRUPT. */
stamma_error stamma_number_plan_read(cursor *in, number_plan *plan);
void stamma_number_plan_write(const number_plan *plan, buffer *out);

typedef struct numbered_column {
    bool coded; /* in codec 4 */
    number_plan plan;
    uint8_t shares; /* the column whose memories shared predictors take: this one, or its twin */
    number_map memories[NUMBER_PREDICTORS_MAX];
    number_source sources[NUMBER_PREDICTORS_MAX + 1]; /* reading: of each predictor, and where none foretells */
    size_t place;                                     /* 1 + where the value stands in the record, 0 once it is read */
    char text[NUMBER_TEXT];
} numbered_column;

/* What both sides know. Zero it to begin. */
typedef struct tag_numbers {
    numbered_column columns[COPY_COLUMNS_MAX];
    uint8_t order[COPY_COLUMNS_MAX]; /* columns that are coded, by turn and number */
    size_t count;
    uint8_t looked[COPY_COLUMNS_MAX]; /* others, whose values are keys */
    size_t looked_count;
    uint32_t keys[COPY_COLUMNS_MAX]; /* of the record's values, 0 where not known; the caller sets those of `looked` */
    int32_t values[COPY_COLUMNS_MAX];
    bool known[COPY_COLUMNS_MAX];
    size_t at, first; /* in `order`: the next to be asked, and the first of its turn */
    unsigned pass;
    bool no_memory;
} tag_numbers;

void stamma_tag_numbers_clear(tag_numbers *n);
void stamma_tag_numbers_release(tag_numbers *n, const stamma_allocator *allocator);
/* Adds a column. `twin`: its twin's number, where that is lower; else COPY_COLUMNS_MAX. */
void stamma_tag_numbers_set(tag_numbers *n, size_t column, size_t twin, const number_plan *plan);
/* Lists what the columns look at, once all are set. */
void stamma_tag_numbers_ready(tag_numbers *n);
/* Begins a record: the caller then sets the places, and the keys of `looked`. */
void stamma_tag_numbers_begin(tag_numbers *n);
/* The column that comes next in the record (15.3), COPY_COLUMNS_MAX behind the last; the caller then makes its place 0.
 */
size_t stamma_tag_numbers_next(tag_numbers *n);
/* The next value of a column; `literals` fails where it is corrupt, unless n->no_memory. */
stamma_text stamma_tag_numbers_take(tag_numbers *n, size_t column, cursor *literals, const stamma_allocator *allocator);
bool stamma_tag_numbers_is_done(tag_numbers *n);

typedef struct number_guess {
    uint32_t *places[NUMBER_PREDICTORS_MAX]; /* of what is remembered; NULL where a key or base is not known */
    int32_t bases[NUMBER_PREDICTORS_MAX];
    int32_t value;
    uint8_t predictor; /* the plan's count where none foretells */
} number_guess;

/* False, and n->no_memory, when there is no memory. */
bool stamma_number_guess(tag_numbers *n, size_t column, const stamma_allocator *allocator, number_guess *g);
void stamma_number_learn(tag_numbers *n, size_t column, const number_guess *g, int32_t value);

/* The columns of numbers of a block, as they are coded. */
typedef struct coded_numbers {
    tag_numbers numbers;
    number_sink sinks[COPY_COLUMNS_MAX][NUMBER_PREDICTORS_MAX + 1];
    buffer literals[COPY_COLUMNS_MAX];
} coded_numbers;

/* NULL when there is no memory. */
coded_numbers *stamma_coded_numbers_new(const stamma_allocator *allocator);
/* Finds the columns of numbers and codes them, before rules are chosen for the others. NO_MEMORY. */
stamma_error stamma_number_rules_apply(tag_table *t, coded_numbers *out);
void stamma_coded_numbers_release(coded_numbers *n, const stamma_allocator *allocator);

#endif
