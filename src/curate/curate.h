/* The curate room: games that are the same game, and the comparison of their facts. */
#ifndef STAMMA_CURATE_H
#define STAMMA_CURATE_H

#include "base/tables.h"
#include "query/query.h"

/* ---- player_name.c: comparison of folded names ---- */

typedef enum name_relation {
    NAME_EQUAL,      /* the same words in any order */
    NAME_COMPATIBLE, /* initials, missing or misspelled words: may be the same player */
    NAME_UNKNOWN,    /* one of the names is missing */
    NAME_DIFFERENT
} name_relation;

/* Compares two folded names. */
name_relation stamma_names_compare(stamma_text a, stamma_text b);
/* Returns a hash of the word of a folded name that is probably the surname; 0 if the name is unknown. */
uint64_t stamma_surname_hash(stamma_text name);

/* ---- compared_facts.c: the facts of a game that are compared ---- */

enum { FACT_KEYS = 4 };

/* Numbers of texts are those of the table of the detector; 0 is a missing text. */
typedef struct game_facts {
    uint64_t keys[FACT_KEYS]; /* positions after some plies and at the end; 0: the game is shorter */
    uint64_t start;           /* key of the start position */
    size_t moves;             /* index of the first move in the list of all moves */
    uint32_t ply_count;
    uint32_t names[2]; /* [color] */
    uint32_t ids[2];   /* FIDE identifiers */
    uint32_t event;
    uint32_t link, host; /* address of the game, and its site */
    uint32_t date;       /* year * 10000 + month * 100 + day; unknown parts are 0 */
    int32_t round;       /* first number of the round; -1: unknown */
    int32_t time;        /* seconds of UTCTime; -1: unknown */
    uint32_t tag_count;
    uint32_t item_count; /* comments, variations and clocks */
    uint8_t result;
    bool excluded; /* a part of the game is only text: never a duplicate */
} game_facts;

struct stamma_duplicates {
    stamma_allocator allocator;
    uint64_t memory;
    unsigned kinds;
    unsigned keep;
    bool found;
    text_table texts;
    buffer facts; /* game_facts */
    buffer moves; /* stamma_move */
    buffer plain, folded;
    buffer pairs;  /* duplicate_pair, while the games are compared */
    buffer keys;   /* candidate_key, while the games are compared */
    buffer result; /* stamma_duplicate */
};

STAMMA_INLINE const game_facts *facts_of(const stamma_duplicates *d, size_t n)
{
    return (const game_facts *)(const void *)d->facts.data + n;
}
STAMMA_INLINE size_t fact_count(const stamma_duplicates *d)
{
    return d->facts.size / sizeof(game_facts);
}
STAMMA_INLINE const stamma_move *moves_of(const stamma_duplicates *d, const game_facts *f)
{
    return (const stamma_move *)(const void *)d->moves.data + f->moves;
}
STAMMA_INLINE stamma_text fact_text(const stamma_duplicates *d, uint32_t number)
{
    return number == 0 ? (stamma_text){NULL, 0} : text_table_at(&d->texts, number);
}

/* Reads the facts of a game, and adds its moves and texts to the lists of the detector. Returns false if there is no
 * memory. */
bool stamma_facts_read(stamma_duplicates *d, const stamma_archive_game *game, game_facts *facts);

/* ---- same_game.c: the rules ---- */

/* Returns whether two games are the same game, and how they differ. The result does not depend on the order. */
stamma_duplicate_kind stamma_same_game(const stamma_duplicates *d, const game_facts *a, const game_facts *b);

/* ---- candidate_pairs.c: the pairs of games to compare ---- */

/* Order of games: of two games, the one with the higher rank is kept. No two games have the same rank. */
typedef struct game_rank {
    uint64_t high, low;
} game_rank;

/* A pair of games that are the same game. `better` is the one to keep. */
typedef struct duplicate_pair {
    game_rank rank; /* of `better` */
    uint32_t better, other;
    uint32_t kind;
} duplicate_pair;

/* Sets d->pairs to the pairs of candidates that are the same game. The pairs are in descending
 * order of the games to keep. NO_MEMORY, LIMIT. */
stamma_error stamma_pairs_find(stamma_duplicates *d);
/* Returns whether the detector uses at most its limit of memory. */
bool stamma_duplicates_fit(const stamma_duplicates *d);

#endif
