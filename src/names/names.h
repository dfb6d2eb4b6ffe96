/* SPDX-License-Identifier: MIT */
/* The names room: spellings of players, events, sites, rounds and dates that have the same meaning. Declares forms of
 * names, the lists of the collector, and the steps that make decisions. */
#ifndef STAMMA_NAMES_H
#define STAMMA_NAMES_H

#include "base/tables.h"
#include "query/query.h"

/* ---- player_name.c: comparison of folded names ---- */

typedef enum name_relation {
    NAME_EQUAL,      /* the same words in any order */
    NAME_COMPATIBLE, /* initials, missing or misspelled words: may be the same player */
    NAME_SURNAME,    /* a long word in common; other words differ */
    NAME_UNKNOWN,    /* one of the names is missing */
    NAME_DIFFERENT
} name_relation;

/* Compares two folded names. */
name_relation stamma_names_compare(stamma_text a, stamma_text b);
/* Returns a hash of the word of a folded name that is probably the surname; 0 if the name is unknown. */
uint64_t stamma_surname_hash(stamma_text name);
/* Appends the words of a folded name in alphabetical order, without titles, each followed by a blank. */
void stamma_name_words(stamma_text name, buffer *words);

/* ---- name_form.c: the words of a player's name ---- */

enum { NAME_WORDS = 8, NAME_SIZE_MAX = 120 };

/* The words of a name, in Latin letters without case and accents. They refer to the text that was split. */
typedef struct name_form {
    stamma_text word[NAME_WORDS];
    size_t count;
    size_t surname; /* number of words before the comma, which are the surname; 0: there is no comma */
} name_form;

/* Differences between two spellings of a name: a sum of these values. */
enum {
    NAME_ORDER = 1,     /* the surname is first in one name and last in the other */
    NAME_SPELLING = 2,  /* transliterations of the same word */
    NAME_TYPO = 4,      /* one letter of a long word */
    NAME_INITIALS = 8,  /* initials or shortened words, or a missing second name */
    NAME_MISSING = 16,  /* the given name, or a part of the surname, is missing */
    NAME_REVERSED = 32, /* the same words, but surname and given name are exchanged */
    NAME_OTHER = 64     /* different names */
};

/* Appends the words of a folded name, separated by a blank or, after the surname, a comma. Titles, dots and country
 * codes in parentheses are omitted; Cyrillic letters become Latin letters. */
void stamma_name_normalize(stamma_text folded, buffer *normal);
/* Splits a normalized name. A name that is empty or too long has no words. */
name_form stamma_name_form(stamma_text normal);
/* Returns a form without digits at the ends of its words, and without words of digits. */
name_form stamma_form_without_digits(const name_form *form);
/* Returns the differences between two forms. */
unsigned stamma_forms_compare(const name_form *a, const name_form *b);
/* Returns whether two forms may be names of one player if they have the same FIDE id: similar surnames and equal
 * initials. Digits are ignored. */
bool stamma_forms_alike(const name_form *a, const name_form *b);

/* The maximum number of keys of a form: one for all words, 4 for each of two meanings with a surname of one word, and 5
 * for each of two meanings with a surname of two words. */
enum { FORM_KEYS = 1 + 2 * 4 + 2 * 5 };
typedef struct form_key {
    uint64_t key;
    uint64_t order; /* order among forms with the same key, in which similar forms are neighbours */
} form_key;
/* Stores keys of a form, and returns their number. Two forms whose difference is not NAME_OTHER usually have a common
 * key. */
size_t stamma_form_keys(const name_form *form, form_key keys[FORM_KEYS]);

/* ---- name_words.c ---- */

/* Appends a word in a form that is the same for different transliterations: "Kortschnoj", "Korchnoi". */
void stamma_word_simplify(stamma_text word, char *out, size_t *size);
/* Returns whether two words differ by at most one inserted, deleted, replaced or exchanged letter. */
bool stamma_words_near(stamma_text a, stamma_text b);
bool stamma_word_is_title(stamma_text word);

/* ---- names.c: the collector ---- */

/* What the tags of games say about a player. Countries are packed codes of three letters. */
typedef struct player_facts {
    uint16_t first_year, last_year; /* 0: unknown */
    uint16_t federation;            /* of the first tag; 0: unknown */
    uint16_t country;               /* of most sites; 0: unknown */
    uint32_t country_votes;
    uint32_t untitled; /* games in which only the opponent has a title */
    uint8_t title;     /* rank of the highest title; 0: none */
} player_facts;

/* A player in a list. */
typedef struct listed_person {
    uint32_t node;              /* of the correct name */
    uint32_t federation, title; /* text numbers; 0: unknown */
    uint16_t countries[2];      /* first and last federation */
    uint16_t born, rating;      /* 0: unknown */
    uint8_t rank;               /* of the title */
} listed_person;

/* A spelling of a player, with the FIDE id of the games. Texts are numbers in the table of texts. */
typedef struct player_node {
    uint32_t text;
    uint32_t id;     /* 0: none */
    uint32_t normal; /* the normalized name; 0: unknown player */
    uint32_t games;
    uint32_t known;      /* node of the correct name in a list, which may be this node; 0: not in a list */
    uint32_t appearance; /* index of the first appearance */
    uint32_t rating;     /* index of the first of its ratings */
    uint32_t rating_count;
    uint32_t person;    /* of a correct name in a list: index of the person; otherwise 0 */
    uint32_t group;     /* after the decisions: a node of the group */
    uint32_t target;    /* of this node: the node with the spelling to use; 0: none */
    uint32_t player_id; /* of this node: the FIDE id; 0: unknown */
    uint32_t listed;    /* of this node: the person in the lists; 0: none */
    player_facts facts; /* from the games */
} player_node;

/* A player's side of a game. */
typedef struct appearance {
    uint64_t slot; /* hash of date and round, then SLOT_BITS bits: color and result; 0: date or round is unknown */
    uint32_t node;
    uint32_t opponent; /* node */
    uint32_t event;    /* text number */
    uint16_t year;     /* 0: unknown */
    uint16_t rating;   /* 0: unknown */
} appearance;
enum { SLOT_BITS = 3 };

/* The mean rating of a player in a year. */
typedef struct year_rating {
    uint16_t year, rating;
} year_rating;

/* Event, site, round and date of games; texts of `texts`. */
typedef struct game_place {
    uint32_t event, site, round, date;
} game_place;

/* A pair of spellings that may be the same player. */
typedef struct name_edge {
    uint32_t a, b; /* nodes, a < b */
    uint32_t flags;
} name_edge;

/* A decision. */
typedef struct name_choice {
    uint32_t from, to; /* text numbers */
    uint32_t id;       /* of the group of players; 0: none */
    uint32_t event, site, round;
    uint32_t games;
    uint32_t node, to_node; /* players */
    uint32_t evidence, error, person;
    uint8_t field, why, doubt;
} name_choice;

enum { NAME_FIELDS = 5 };

struct stamma_names {
    stamma_allocator allocator;
    uint64_t memory;
    unsigned fields;
    bool merge_ids;
    bool found;
    text_table texts;   /* values without escapes */
    text_table normals; /* normalized names */
    text_table keys;    /* keys of nodes; the number of a key is the number of its node */
    buffer nodes;       /* player_node; node 0 is unused */
    buffer appearances; /* appearance, in the order of nodes and slots after stamma_evidence_prepare */
    buffer ratings;     /* year_rating */
    buffer places;      /* game_place */
    buffer known;       /* known_value */
    buffer persons;     /* listed_person; person 0 is unused */
    buffer edges;       /* name_edge */
    buffer choices;     /* name_choice */
    buffer decisions;   /* stamma_name_decision */
    buffer plain, folded, normal, work;
};

/* The correct spelling of a value in a list. */
typedef struct known_value {
    uint32_t field;
    uint32_t correct, spelling; /* text numbers */
} known_value;

STAMMA_INLINE player_node *nodes_of(const stamma_names *n)
{
    return (player_node *)(void *)n->nodes.data;
}
STAMMA_INLINE size_t node_count(const stamma_names *n)
{
    return n->nodes.size / sizeof(player_node);
}
STAMMA_INLINE name_form node_form(const stamma_names *n, uint32_t node)
{
    uint32_t normal = nodes_of(n)[node].normal;
    return stamma_name_form(normal == 0 ? (stamma_text){NULL, 0} : text_table_at(&n->normals, normal));
}
STAMMA_INLINE stamma_text name_text(const stamma_names *n, uint32_t number)
{
    return number == 0 ? (stamma_text){NULL, 0} : text_table_at(&n->texts, number);
}

/* ---- reasons and doubts: indices of their texts in names.c ---- */

enum {
    WHY_FORMAT,
    WHY_ORDER,
    WHY_SPELLING,
    WHY_TYPO,
    WHY_INITIALS,
    WHY_MISSING,
    WHY_ID,
    WHY_LIST,
    WHY_EVENT,
    WHY_ROUND
};
enum {
    DOUBT_NONE,
    DOUBT_EVIDENCE,  /* there is no evidence except the names */
    DOUBT_SEVERAL,   /* several players match */
    DOUBT_RATINGS,   /* different ratings at the same time */
    DOUBT_OPPONENTS, /* both played in the same round, or against each other */
    DOUBT_YEARS,     /* too many years between the games */
    DOUBT_IDS,       /* different FIDE ids */
    DOUBT_NAMES      /* different names with the same FIDE id */
};

/* ---- name_persons.c: players in lists ---- */

STAMMA_INLINE listed_person *persons_of(const stamma_names *n)
{
    return (listed_person *)(void *)n->persons.data;
}
/* Returns the node of a spelling with an id; adds a missing node. Returns 0 if memory is exhausted. (names.c) */
uint32_t stamma_names_node(stamma_names *n, uint32_t text, uint32_t id);
/* Returns the number of a plain text; 0 for a missing text. (names.c) */
uint32_t stamma_names_number(stamma_names *n, stamma_text plain);
/* Returns whether the tables are complete and within the memory limit. (names.c) */
stamma_error stamma_names_state(const stamma_names *n);

/* ---- name_facts.c ---- */

/* Packs three capital letters at an offset, the code of a country. Returns 0 for other texts. */
uint16_t stamma_country_at(stamma_text text, size_t at);
/* Returns the rank of the highest of several titles, such as "IM+WGM": from 1 to 8; 0: no title. */
uint8_t stamma_title_rank(stamma_text title);
/* Adds the facts of a game to the two players. */
void stamma_facts_note(stamma_names *n, const stamma_archive_game *game, const uint32_t node[2]);
/* Adds the facts of one spelling to those of another. */
void stamma_facts_add(player_facts *facts, const player_facts *more);

/* ---- name_evidence.c: evidence in the games about two spellings ---- */

/* Sorts the appearances, and sets the ratings, years and first appearances of the nodes. Errors: NO_MEMORY. */
stamma_error stamma_evidence_prepare(stamma_names *n);

typedef struct name_evidence {
    bool same_games; /* both names occur in the same game */
    bool conflict;   /* both play in the same round, or against each other */
    bool ratings_differ;
    bool years_differ;
    bool rated;      /* there are ratings of both names */
    uint16_t rating; /* of the first name, in the years that are nearest */
    uint16_t years;  /* between these ratings */
    uint16_t points; /* difference of the ratings */
} name_evidence;

name_evidence stamma_evidence_read(const stamma_names *n, uint32_t a, uint32_t b);

/* ---- name_chance.c: the chance that two groups of spellings are one player ---- */

/* What decides whether a name belongs to a player. */
typedef struct name_case {
    unsigned flags; /* differences between the names */
    bool initials;  /* the name has no given name that is written out */
    bool same_text; /* games with an id have the same spelling */
    const name_evidence *evidence;
    const player_facts *facts;   /* of the name */
    uint16_t last_rating;        /* of the name; 0: unknown */
    const listed_person *person; /* the player in a list, or NULL */
} name_case;

/* Weights are logarithms of probabilities with base 2, multiplied by 8. */
enum { WEIGHT_BIT = 8, WEIGHT_NEVER = -1000 };

/* Returns the weight of a case, and stores the facts that support it. */
int stamma_case_weight(const name_case *c, uint32_t *evidence);
/* Returns the weight of a player whom no list and no other game names. `count`: number of players whose names fit. */
int stamma_stranger_weight(bool exact, bool listed, size_t count);
/* Returns the chance in millionths that the best of several weights is wrong. */
uint32_t stamma_weights_error(int best, int stranger, const int *others, size_t count);
/* Returns whether the age of a listed player at the time of the games is impossible. */
bool stamma_age_differs(const player_facts *facts, const listed_person *person);

/* ---- name_edges.c ---- */

/* Returns the differences between the names of two nodes. Digits, which distinguish players with one name, are ignored
 * if only one of the names is in a list, because lists and archives number players differently. */
unsigned stamma_nodes_differ(const stamma_names *n, uint32_t a, uint32_t b);
/* Sets n->edges to the pairs of nodes whose names match. */
stamma_error stamma_edges_find(stamma_names *n);

/* ---- name_groups.c ---- */

/* Adds the decisions about players. */
stamma_error stamma_players_decide(stamma_names *n);

/* ---- name_values.c ---- */

/* Adds the decisions about events, sites, rounds and dates. */
stamma_error stamma_values_decide(stamma_names *n);

/* ---- name_dates.c ---- */

/* Adds the decisions about dates. If an allocation fails, a buffer of `n` is marked as failed. */
void stamma_dates_decide(stamma_names *n);

#endif
