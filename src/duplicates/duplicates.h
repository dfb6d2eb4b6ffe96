/* SPDX-License-Identifier: MIT */
/* The duplicates room: finds games that are the same game, by comparing their facts.
 *
 * Games are added in several passes, so that memory is limited:
 *   1. Keys. Each game has up to five keys, and games with an equal key may be the same game. Pairs that pass a quick
 *      test are joined to groups. If the keys of all games need too much memory, each pass handles a range of keys.
 *   2. Facts. The games of each group are compared by the rules. If the facts of all groups need too much memory, each
 *      pass handles some groups. */
#ifndef STAMMA_DUPLICATES_H
#define STAMMA_DUPLICATES_H

#include "base/tables.h"
#include "names/names.h"

/* ---- game_hash.c: the hash of a game ---- */

enum { GAME_HASH_SIZE = 16 };

/* Buffers that are used again for each game. Initialize with zeros and set the allocators. */
typedef struct hash_work {
    buffer plain, folded, bytes;
} hash_work;

/* Stores the hash that stamma_game_hash documents. Returns false if memory is exhausted. */
bool stamma_game_hash_read(const stamma_archive_game *game, hash_work *work, uint8_t hash[GAME_HASH_SIZE]);
/* Returns whether the parts of a game were read that its hash depends on. */
bool stamma_game_is_hashable(const stamma_archive_game *game);
/* Returns 64 bits of the hash of a game; 0 if the hash needs the text of the game, and if memory is exhausted, which
 * marks a buffer of `work` as failed. */
uint64_t stamma_game_hash_part(const stamma_archive_game *game, hash_work *work);

/* ---- game_keys.c: keys of a game, and the quick test ---- */

enum {
    POSITION_KEYS = 4, /* after 20, 32 and 48 plies, and at the end */
    KEY_END = 3,
    KEY_PLAYERS = 4, /* the surnames of both players */
    GAME_KEYS = 5,
    NEIGHBOURS = 24, /* a game is compared with this number of following games with the same key */
    KEPT_RULES = 7   /* rules that decide which game is kept */
};

/* Moves and dates of a game, in a form that shows quickly that two games are different games. */
typedef struct game_key {
    uint64_t key;
    uint64_t moves; /* 4 bits of hash for each of the first 16 groups of 4 plies */
    uint32_t order; /* order of games with the same key: similar games are neighbours */
    uint32_t game;
    uint32_t facts; /* date << 5 | result << 3 | number of the key; the date as in game_facts */
    uint16_t plies; /* at most UINT16_MAX */
    uint8_t round;  /* hash of the round; 0: unknown */
    uint8_t ids;    /* 4 bits of hash for each FIDE identifier; 0: unknown */
} game_key;

/* Stores the keys of a game, and returns their number. A game has no key for plies that it does not reach, and no keys
 * at all if a part of it is kept as text. */
size_t stamma_game_keys(stamma_duplicates *d, const stamma_archive_game *game, game_key keys[GAME_KEYS]);
/* Stores the keys of the positions after some plies and at the end; 0: the game is shorter. */
void stamma_position_keys(const stamma_archive_game *game, uint64_t keys[POSITION_KEYS]);
/* Returns false if two games with the same key are certainly different games by the rules of same_game.c. */
bool stamma_may_be_same(const stamma_duplicates *d, const game_key *a, const game_key *b);
/* Sorts keys by key, order and game. */
void stamma_sort_keys(game_key *keys, size_t count);

/* ---- compared_facts.c: the facts of a game that are compared ---- */

/* Returns the seconds of UTCTime; -1: unknown. TAGS must have been read. */
int32_t stamma_game_time(const stamma_archive_game *game);
/* Returns the address of a game, which is in the tag Link, GameURL or Site. Stores its beginning, which names the site.
 * {NULL, 0}: none. */
stamma_text stamma_game_link(const stamma_archive_game *game, stamma_text *host);

enum { ROUND_PARTS = 3 };

/* The compared facts of a game. Texts are numbered as in the table of the detector; 0 is a missing text. */
typedef struct game_facts {
    uint64_t keys[POSITION_KEYS];
    uint64_t hash;  /* stamma_game_hash_part */
    uint64_t start; /* key of the start position */
    size_t moves;   /* index of the first move in the list of all moves */
    uint32_t game;  /* index of the game */
    uint32_t ply_count;
    uint32_t names[2]; /* [color] */
    uint32_t ids[2];   /* FIDE identifiers */
    uint32_t event;
    uint32_t link, host;           /* address of the game, and its site */
    uint32_t date;                 /* year * 10000 + month * 100 + day; unknown parts are 0 */
    uint32_t round;                /* first three numbers of the round, each a hash of 10 bits; 0: unknown */
    int32_t time;                  /* seconds of UTCTime; -1: unknown */
    uint32_t rank[KEPT_RULES + 1]; /* by each rule, in order: the game with the higher rank is kept */
    uint8_t result;
    bool known; /* a game that is kept, as in the options */
} game_facts;

enum duplicates_phase { PHASE_KEYS, PHASE_FACTS, PHASE_FOUND, PHASE_FAILED };

/* The relation of two games in one byte: a stamma_duplicate_kind, or a probable duplicate with its score and reason. */
enum {
    SCORE_MIN = 60, /* pairs with a lower score are not listed */
    SCORE_MAX = 99,
    SCORES = SCORE_MAX - SCORE_MIN + 1,
    NOT_COMPARED = 255 /* in duplicates.found: a game of a group that was not compared yet */
};
STAMMA_INLINE uint8_t probable_relation(unsigned score, stamma_duplicate_reason reason)
{
    return (uint8_t)(STAMMA_DUPLICATE_PROBABLE + ((unsigned)reason - 1) * SCORES + score - SCORE_MIN);
}
STAMMA_INLINE stamma_duplicate_kind relation_kind(unsigned relation)
{
    return (stamma_duplicate_kind)(relation < STAMMA_DUPLICATE_PROBABLE ? relation : STAMMA_DUPLICATE_PROBABLE);
}

struct stamma_duplicates {
    stamma_allocator allocator;
    uint64_t memory;
    unsigned kinds;
    unsigned days;  /* days between dates of the same game */
    unsigned moves; /* moves that differ in similar games */
    stamma_keep keep[KEPT_RULES];
    size_t keep_count;
    enum duplicates_phase phase;
    bool first_pass;
    uint32_t known;         /* known games, which come first */
    uint32_t added;         /* games in this pass */
    uint32_t count;         /* games in the first pass */
    uint64_t low, high;     /* first and last key of this pass */
    uint32_t group, groups; /* groups of this pass: from the first to before the last */
    buffer keys;            /* game_key */
    buffer parents;         /* uint32_t for each game: an earlier game of its group, or the game that is kept */
    buffer found;           /* uint8_t for each game: its relation to the game that is kept, or NOT_COMPARED */
    text_table texts;
    buffer facts;                     /* game_facts of the games in this pass, in the order of the games */
    buffer move_list;                 /* stamma_move */
    hash_work work;                   /* a value of a tag, and compared names */
    buffer members;                   /* uint64_t: group << 32 | index of the facts */
    buffer ranked, candidates, pairs; /* used while the games of a group are compared */
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
    return (const stamma_move *)buffer_at(&d->move_list, f->moves * sizeof(stamma_move));
}
STAMMA_INLINE stamma_text fact_text(const stamma_duplicates *d, uint32_t number)
{
    return number == 0 ? (stamma_text){NULL, 0} : text_table_at(&d->texts, number);
}
STAMMA_INLINE uint32_t *parents_of(const stamma_duplicates *d)
{
    return (uint32_t *)(void *)d->parents.data;
}

/* Returns the date of a game as in game_facts, and its round as in game_facts. */
uint32_t stamma_date_of(const stamma_archive_game *game);
uint32_t stamma_round_of(const stamma_archive_game *game);
/* Returns whether two facts, which are 0 if unknown, contradict each other. */
STAMMA_INLINE bool part_differs(uint32_t a, uint32_t b)
{
    return a != 0 && b != 0 && a != b;
}
/* The same for two times, which are -1 if unknown. */
STAMMA_INLINE bool times_differ(int32_t a, int32_t b)
{
    return a >= 0 && b >= 0 && a != b;
}
/* Returns whether the FIDE ids of a player contradict each other, with the colors of one game exchanged if `exchanged`.
 */
STAMMA_INLINE bool ids_differ(const uint32_t a[2], const uint32_t b[2], bool exchanged)
{
    return part_differs(a[STAMMA_WHITE], b[exchanged ? STAMMA_BLACK : STAMMA_WHITE]) ||
           part_differs(a[STAMMA_BLACK], b[exchanged ? STAMMA_WHITE : STAMMA_BLACK]);
}
/* Returns whether two rounds are different. 3.1 and 3.2 are different; 3 and 3.1 are not. */
bool stamma_rounds_differ(uint32_t a, uint32_t b);
/* Returns the value of a tag, folded; empty for "?", "-" and "N N". The text is in work->folded. */
stamma_text stamma_folded_tag(hash_work *work, const stamma_archive_game *game, const char *name);
/* Reads the facts of a game except its hash. Adds its moves and texts to the lists of the detector, in which there must
 * be room for the moves. Returns false if memory is exhausted. */
bool stamma_facts_read(stamma_duplicates *d, const stamma_archive_game *game, game_facts *facts);

/* ---- compared_texts.c: names of players and events ---- */

/* Returns the worse relation of the two players. At most one of them has a relation worse than COMPATIBLE, unless both
 * are unknown: otherwise returns DIFFERENT. Equal FIDE ids make names compatible. Names that contradict each other
 * (another digit or first name, Ivanov and Ivanova) have the relation SURNAME or DIFFERENT.
 *   exchanged  compare White of one game with Black of the other
 * A buffer of d->work is marked as failed if memory is exhausted. */
name_relation stamma_players_compare(stamma_duplicates *d, const game_facts *a, const game_facts *b, bool exchanged);
/* Returns whether two folded names of events contradict each other: Early and Late, Rapid and Blitz. */
bool stamma_events_contradict(stamma_text a, stamma_text b);

/* ---- same_game.c: the rules ---- */

enum {
    PART_PLIES = 8,    /* the least number of equal plies of games that are probably the same game */
    SHORT_PLIES = 16,  /* games below this number of plies must have all facts in common */
    LONG_PLIES = 30,   /* different games of the same players rarely have this number of equal plies */
    CERTAIN_PLIES = 40 /* different games practically never have this number of equal plies */
};
enum { REPETITION_PLIES = 16 }; /* at most this number of plies is left out */

typedef enum date_relation { DATE_EQUAL, DATE_COMPATIBLE, DATE_NEAR, DATE_DIFFERENT } date_relation;

typedef struct move_relation {
    size_t shorter, longer; /* numbers of plies */
    size_t same;            /* plies until the first difference */
    size_t differ;          /* plies of the shorter game that differ */
} move_relation;

/* Returns whether all moves are equal. */
STAMMA_INLINE bool is_same_line(const move_relation *m)
{
    return m->differ == 0 && m->shorter == m->longer;
}

/* What two games have in common. */
typedef struct comparison {
    name_relation names;
    date_relation dates;
    move_relation moves;
    unsigned moves_limit; /* moves that differ in similar games */
    bool equal;           /* the hashes of the games are equal */
    bool exchanged;       /* the names are compared with colors exchanged */
    bool same_ids;        /* both players have the same FIDE ids */
    bool same_result, results_fit;
    bool same_event;              /* equal or both unknown */
    bool known_event;             /* equal and known */
    bool other_event;             /* the names of the events contradict each other */
    bool same_date, same_day;     /* also unknown parts are equal; the same day in different years */
    bool same_month;              /* dates less than a month apart */
    bool same_round, other_round; /* neither: a round is unknown */
    bool other_order;
    bool repeated; /* one game has plies that the other game lacks, and both end in the same position */
} comparison;

/* Returns the relation of two games: how they differ, or NONE. The result does not depend on the order of the
 * arguments. A buffer of d->work is marked as failed if memory is exhausted. */
uint8_t stamma_same_game(stamma_duplicates *d, const game_facts *a, const game_facts *b);
/* Returns whether two dates cannot be dates of the same game. */
bool stamma_dates_differ(const stamma_duplicates *d, uint32_t a, uint32_t b);

/* ---- probable_game.c: games that are probably the same game ---- */

/* Returns the relation of two games that no rule makes the same game: a probable duplicate, or NONE. */
uint8_t stamma_probable_game(const comparison *c);

/* ---- game_groups.c: groups of games that may be the same game ---- */

/* Joins the games in d->keys that may be the same game. */
void stamma_groups_join(stamma_duplicates *d);
/* Makes the parent of each game the first game of its group, and marks the games of groups as not compared. */
void stamma_groups_finish(stamma_duplicates *d);

/* ---- group_duplicates.c: finds games of a group that are the same game ---- */

/* Compares the games of a group, and stores which of them are kept. The lower 32 bits of each member are the index of
 * its facts. NO_MEMORY. */
stamma_error stamma_group_compare(stamma_duplicates *d, const uint64_t *members, size_t count);

#endif
