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
/* Returns the differences between two forms. */
unsigned stamma_forms_compare(const name_form *a, const name_form *b);

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

/* Appends a word in a form that is the same for different transliterations: "Kortschnoj", "Korchnoi". */
void stamma_word_simplify(stamma_text word, char *out, size_t *size);
/* Returns whether two words differ by at most one inserted, deleted, replaced or exchanged letter. */
bool stamma_words_near(stamma_text a, stamma_text b);
bool stamma_word_is_title(stamma_text word);

/* ---- names.c: the collector ---- */

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
    uint16_t first_year, last_year; /* 0: unknown */
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

/* ---- name_evidence.c: evidence in the games about two spellings ---- */

/* Sorts the appearances, and sets the ratings, years and first appearances of the nodes. Errors: NO_MEMORY. */
stamma_error stamma_evidence_prepare(stamma_names *n);

typedef struct name_evidence {
    bool same_games; /* both names occur in the same game */
    bool conflict;   /* both play in the same round, or against each other */
    bool ratings_near, ratings_differ;
    bool years_differ;
} name_evidence;

name_evidence stamma_evidence_read(const stamma_names *n, uint32_t a, uint32_t b);

/* ---- name_edges.c ---- */

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
