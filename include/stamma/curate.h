/* SPDX-License-Identifier: MIT */
/* Curation: duplicates of games, sets of known games, look-ups of games, and spellings of names.
 *
 *     unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
 *     stamma_error error = stamma_duplicates_open(NULL, &duplicates);
 *     while (parts && !error)
 *         if (!(error = stamma_duplicates_add_archive(duplicates, archive, parts, NULL)))
 *             error = stamma_duplicates_find(duplicates, &parts);
 *
 * doc/reference/duplicates.md and doc/reference/names.md describe how games and names are compared. */
#ifndef STAMMA_API_CURATE_H
#define STAMMA_API_CURATE_H

#include "stamma/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a duplicate differs from the game that is kept instead (doc/reference/duplicates.md). Permanent values. */
typedef enum stamma_duplicate_kind {
    STAMMA_DUPLICATE_NONE = 0,       /* the game is kept */
    STAMMA_DUPLICATE_EXACT = 1,      /* same moves, players, date, event and result */
    STAMMA_DUPLICATE_SPELLING = 2,   /* same moves; names, event, date or result are written differently or missing */
    STAMMA_DUPLICATE_INCLUDED = 3,   /* the moves of one game are the beginning of the other game */
    STAMMA_DUPLICATE_SIMILAR = 4,    /* a few moves, or the last two plies, differ */
    STAMMA_DUPLICATE_TRANSPOSED = 5, /* the same moves in another order, and the same last position */
    STAMMA_DUPLICATE_PROBABLE = 6    /* probably the same game; a person should decide */
} stamma_duplicate_kind;

/* Returns the permanent name of a kind: "exact"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_duplicate_kind_name(stamma_duplicate_kind kind);

/* The main difference between a probable duplicate and the game that is probably the same. Permanent values. */
typedef enum stamma_duplicate_reason {
    STAMMA_DUPLICATE_REASON_NONE = 0, /* the game is not a probable duplicate */
    STAMMA_DUPLICATE_COLORS = 1,      /* the players have exchanged colours */
    STAMMA_DUPLICATE_NAMES = 2,       /* names of a player that contradict each other, or are missing */
    STAMMA_DUPLICATE_EVENT = 3,       /* names of events that contradict each other: Rapid and Blitz */
    STAMMA_DUPLICATE_DATE = 4,        /* different dates */
    STAMMA_DUPLICATE_RESULT = 5,      /* different results */
    STAMMA_DUPLICATE_MOVES = 6        /* different moves */
} stamma_duplicate_reason;

/* Returns the permanent name of a reason: "colors"; "" for NONE and any other value. Never NULL. Static. */
STAMMA_API const char *stamma_duplicate_reason_name(stamma_duplicate_reason reason);

/* A rule that decides which of several duplicates is kept: the game with the value that the comment describes.
 * Permanent values. */
typedef enum stamma_keep {
    STAMMA_KEEP_FIRST = 1,     /* lowest index */
    STAMMA_KEEP_LAST = 2,      /* highest index */
    STAMMA_KEEP_LONGEST = 3,   /* most plies */
    STAMMA_KEEP_RESULT = 4,    /* known result */
    STAMMA_KEEP_ANNOTATED = 5, /* most comments, NAGs and moves of variations */
    STAMMA_KEEP_TAGS = 6,      /* most tags with a known value */
    STAMMA_KEEP_LATEST = 7     /* latest date of its source, in the tag SourceVersionDate or SourceDate */
} stamma_keep;

/* Returns the permanent name of a rule: "longest"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_keep_name(stamma_keep rule);

typedef struct stamma_duplicates_options {
    size_t size;
    const stamma_allocator *allocator;
    /* memory limit in bytes; 0: 512 MiB. At least 5 bytes for each game, and about 400 bytes for each game of the
     * largest group of similar games. A lower limit needs more passes. The duplicates do not depend on the limit */
    uint64_t memory;
    unsigned kinds; /* kinds to find: the sum of 1 << STAMMA_DUPLICATE_... 0: all except PROBABLE */
    /* rules in the order in which they are applied, at most 7. If all rules rank two games equally, the game with the
     * higher index is kept. Default: LONGEST, RESULT, ANNOTATED, TAGS */
    const stamma_keep *keep;
    size_t keep_count;
    /* maximum number of days between the dates of games with the same moves, 1 to 31; 0: 3. In the same event and
     * round, dates may be a month apart or have another year. -1: none of these */
    int days;
    int moves; /* maximum number of plies that differ in similar games, 1 to 31; 0: 4; -1: none */
    /* the number of known games, which come first: they are kept, and are not compared with each other */
    uint64_t known;
} stamma_duplicates_options;

/* Finds duplicates: games of the input that are the same game.
 *
 * To limit memory, the games are added in several passes:
 *   unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;
 *   while (parts && !error) {
 *       ... read each game with these parts; stamma_duplicates_add(duplicates, game);
 *       error = stamma_duplicates_find(duplicates, &parts);
 *   } */
typedef struct stamma_duplicates stamma_duplicates;

/* Opens a detector. `options` may be NULL.
 * Errors: BAD_ARGUMENT for an invalid option; UNSUPPORTED; NO_MEMORY. */
STAMMA_API stamma_error stamma_duplicates_open(const stamma_duplicates_options *options,
                                               stamma_duplicates **duplicates);
/* Closes a detector. Accepts NULL. */
STAMMA_API void stamma_duplicates_close(stamma_duplicates *duplicates);

/* Adds the next game of a pass; the first has index 0. The game needs the parts of the pass. A game with a `reason`,
 * part of which is only text, is never a duplicate.
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation, or its tags or moves were not read; or stamma_duplicates_find stored 0,
 *                 or a function failed with another error
 *   MISMATCH      the first pass had fewer games
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error except BAD_ARGUMENT, the detector can only be closed. */
STAMMA_API stamma_error stamma_duplicates_add(stamma_duplicates *duplicates, const stamma_archive_game *game);

/* Returns whether a pass needs a game. The first pass needs all games whose duplicates are to be found, and the next
 * passes need few of them. Other games can be passed to stamma_duplicates_skip, and need not be read. */
STAMMA_API bool stamma_duplicates_needs(const stamma_duplicates *duplicates, size_t index);

/* Adds the next games of a pass without reading them. A game that is skipped in the first pass is never a duplicate,
 * and must also be skipped in all other passes.
 * Errors:
 *   BAD_ARGUMENT  a later pass needs one of the games; or stamma_duplicates_find stored 0, or a function failed with
 *                 another error
 *   MISMATCH      the first pass had fewer games
 *   LIMIT         options->memory is too small
 * After an error except BAD_ARGUMENT, the detector can only be closed. */
STAMMA_API stamma_error stamma_duplicates_skip(stamma_duplicates *duplicates, uint64_t count);

/* Adds all games of an archive, read with the parts of the pass (the first: TAGS, RESULT and MOVES). Continuations are
 * skipped. Errors: as stamma_duplicates_add and stamma_archive_reader_next, with *place, which may be NULL. */
STAMMA_API stamma_error stamma_duplicates_add_archive(stamma_duplicates *duplicates, stamma_archive *archive,
                                                      unsigned parts, stamma_place *place);

/* Ends a pass. Stores in *parts the parts of the games that the next pass needs; 0: all duplicates have been found. If
 * *parts is not 0, all games must be added again in the same order. There are at least two passes if any games are
 * similar. Each duplicate has been compared with the game that is kept instead. The time of a pass grows as n log n
 * with the number of games: in large groups of similar games, only neighbours are compared.
 * Errors:
 *   BAD_ARGUMENT  all duplicates had already been found, or a function failed with another error
 *   MISMATCH      the first pass had more games
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error except BAD_ARGUMENT, the detector can only be closed. */
STAMMA_API stamma_error stamma_duplicates_find(stamma_duplicates *duplicates, unsigned *parts);

/* Returns the number of games of the first pass. */
STAMMA_API size_t stamma_duplicates_count(const stamma_duplicates *duplicates);

typedef struct stamma_duplicate {
    uint64_t kept;                  /* index of the game that is kept instead; of a kept game, its index */
    stamma_duplicate_kind kind;     /* NONE: the game is kept */
    uint32_t score;                 /* of a probable duplicate, 60 to 99; higher is more probable; otherwise 0 */
    stamma_duplicate_reason reason; /* of a probable duplicate; otherwise NONE */
    uint64_t reserved[1];           /* 0; space for later versions, so that the struct never grows */
} stamma_duplicate;

/* Stores whether a game is a duplicate, and of which game. The kept game of a probable duplicate has the kind NONE. The
 * kept game of another duplicate has the kind NONE or PROBABLE. Errors: BAD_ARGUMENT before all duplicates have been
 * found, and if `index` is not below the number of games. */
STAMMA_API stamma_error stamma_duplicates_at(const stamma_duplicates *duplicates, size_t index,
                                             stamma_duplicate *duplicate);

/* ---- sets of known games ---- */

/* Stores a hash of 128 bits of a game: XXH3 of
 *   - the words of White and Black, without titles, in alphabetical order, ignoring case and accents;
 *   - the date in the tag Date, otherwise in UTCDate;
 *   - the result, the start position, and the moves of the main line;
 *   - if the game has fewer than 16 plies: also Event, Site and Round, ignoring case and accents.
 * Comments, variations and all other tags are not hashed. If stamma_game_hash_needs_text returns true, the hash is
 * computed from the exact text, without a byte order mark, and without blanks and line ends before and after the text.
 * The hash is the same on all machines. XXH3 is not a cryptographic hash: different games with the same hash can be
 * made on purpose.
 *   allocator  used while the function runs; NULL: malloc and free
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation; or TAGS, RESULT or MOVES were not read; or the hash needs TEXT, which was
 *                 not read
 *   NO_MEMORY */
STAMMA_API stamma_error stamma_game_hash(const stamma_archive_game *game, const stamma_allocator *allocator,
                                         uint8_t hash[16]);

/* Returns whether the hash of a game depends on its text: White or Black is unknown, or a part of the game is only
 * text. TAGS must have been read. Returns false if `game` is NULL. */
STAMMA_API bool stamma_game_hash_needs_text(const stamma_archive_game *game);

/* Stores a hash of a player's name in plain text, without escapes. Names with the same words, as in stamma_game_hash,
 * have the same hash. The hash of a name without words is 0.
 *   allocator  used while the function runs; NULL: malloc and free
 * Errors: BAD_ARGUMENT, NO_MEMORY. */
STAMMA_API stamma_error stamma_name_hash(stamma_text name, const stamma_allocator *allocator, uint64_t *hash);

typedef struct stamma_game_set_options {
    size_t size;
    const stamma_allocator *allocator;
    uint64_t memory; /* memory limit in bytes, about 80 bytes per game; 0: 512 MiB */
} stamma_game_set_options;

/* A set of games. */
typedef struct stamma_game_set stamma_game_set;

/* Opens an empty set. `options` may be NULL. Errors: BAD_ARGUMENT, UNSUPPORTED, NO_MEMORY. */
STAMMA_API stamma_error stamma_game_set_open(const stamma_game_set_options *options, stamma_game_set **set);
/* Closes a set. Accepts NULL. */
STAMMA_API void stamma_game_set_close(stamma_game_set *set);

/* Adds a game, unless the set contains it. Two games are the same game if they have the same hash (stamma_game_hash),
 * unless both games have a value of one of the following and the values differ: WhiteFideId, BlackFideId, the first,
 * second or third number of Round, UTCTime, or the address of the game on the same site (Link, GameURL or Site). A
 * detector of duplicates finds the same pairs, except games whose hash needs their text. The time of a call does not
 * depend on the number of games. added  receives whether the set did not contain the game; may be NULL Errors:
 *   BAD_ARGUMENT  as stamma_game_hash
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error, the game is not in the set. */
STAMMA_API stamma_error stamma_game_set_add(stamma_game_set *set, const stamma_archive_game *game, bool *added);

/* Stores whether a set contains a game, which is not added: whether stamma_game_set_add would not add it.
 * Errors: BAD_ARGUMENT, NO_MEMORY, as stamma_game_set_add. */
STAMMA_API stamma_error stamma_game_set_has(stamma_game_set *set, const stamma_archive_game *game, bool *has);

/* Returns the number of games in a set; 0 if `set` is NULL. */
STAMMA_API size_t stamma_game_set_count(const stamma_game_set *set);

/* Finds the games of an archive that may be the same game as other games. It reads the index file of the archive, and
 * only the moves of similar games. */
typedef struct stamma_game_lookup stamma_game_lookup;

typedef struct stamma_game_lookup_options {
    size_t size;
    /* also find games that a detector of duplicates may find to be the same game: games of players with the same
     * surnames, and games with the same first 32 plies */
    bool similar;
} stamma_game_lookup_options;

/* Opens a look-up in an archive with an index file. The archive must stay open, and only one thread at a time may use
 * the look-up, which uses the allocator of the archive. `options` may be NULL.
 * Errors: BAD_ARGUMENT if the archive has no index file that can be used (stamma_archive_index); UNSUPPORTED;
 * NO_MEMORY. */
STAMMA_API stamma_error stamma_game_lookup_open(stamma_archive *archive, const stamma_game_lookup_options *options,
                                                stamma_game_lookup **lookup);
/* Closes a look-up. Accepts NULL. */
STAMMA_API void stamma_game_lookup_close(stamma_game_lookup *lookup);

/* Looks up a game, which may be of any archive. TAGS, RESULT and MOVES must have been read.
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation, or its tags or moves were not read
 *   CORRUPT       the index file is damaged
 *   NO_MEMORY
 * After an error except BAD_ARGUMENT, the look-up can only be closed. */
STAMMA_API stamma_error stamma_game_lookup_add(stamma_game_lookup *lookup, const stamma_archive_game *game);

/* Stores the numbers of all games of the archive that may be the same game as a game that was looked up: among them are
 * all games with the same hash (stamma_game_hash). The numbers ascend, and are valid until the look-up is closed or
 * used again. Other games have the same players, and usually the same moves.
 * Errors: CORRUPT, NO_MEMORY; the look-up can then only be closed. */
STAMMA_API stamma_error stamma_game_lookup_find(stamma_game_lookup *lookup, const uint64_t **numbers, size_t *count);

/* Stores the numbers of all games of the archive that may be the same game as another game of the archive. Each other
 * game has a hash (stamma_game_hash) that no other game has. The numbers are as in stamma_game_lookup_find.
 * Errors: BAD_ARGUMENT if a game was looked up; CORRUPT, NO_MEMORY; the look-up can then only be closed. */
STAMMA_API stamma_error stamma_game_lookup_repeated(stamma_game_lookup *lookup, const uint64_t **numbers,
                                                    size_t *count);

/* ---- spellings of names ---- */

/* The tags whose spellings are compared. Permanent values. */
typedef enum stamma_name_kind {
    STAMMA_NAME_PLAYER = 0, /* White and Black */
    STAMMA_NAME_EVENT = 1,
    STAMMA_NAME_SITE = 2,
    STAMMA_NAME_ROUND = 3,
    STAMMA_NAME_DATE = 4
} stamma_name_kind;

/* Returns the permanent name of a kind: "player"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_name_kind_name(stamma_name_kind kind);

typedef struct stamma_names_options {
    size_t size;
    const stamma_allocator *allocator;
    /* memory limit in bytes; all games need about 70 bytes each, and names 150 bytes each. 0: 512 MiB */
    uint64_t memory;
    unsigned kinds; /* kinds to compare: the sum of 1 << STAMMA_NAME_... 0: all */
    bool merge_ids; /* names with different FIDE ids may be the same player */
} stamma_names_options;

/* Collects the names of games, and decides which spellings mean the same player, event, site, round or date
 * (doc/reference/names.md). */
typedef struct stamma_names stamma_names;

/* Opens a collector. `options` may be NULL.
 * Errors: BAD_ARGUMENT for an unknown kind; UNSUPPORTED; NO_MEMORY. */
STAMMA_API stamma_error stamma_names_open(const stamma_names_options *options, stamma_names **names);
/* Closes a collector. Accepts NULL. */
STAMMA_API void stamma_names_close(stamma_names *names);

/* Adds a game. TAGS must have been read.
 * Errors:
 *   BAD_ARGUMENT  the game is a continuation, or its tags were not read; or stamma_names_find succeeded
 *   LIMIT         options->memory is too small
 *   NO_MEMORY
 * After an error the collector can only be closed. */
STAMMA_API stamma_error stamma_names_add(stamma_names *names, const stamma_archive_game *game);

/* Adds all games of an archive except continuations. Errors: as stamma_names_add and stamma_archive_reader_next, with
 * *place, which may be NULL. */
STAMMA_API stamma_error stamma_names_add_archive(stamma_names *names, stamma_archive *archive, stamma_place *place);

/* Adds a correct name from a list, such as a spelling file.
 *   correct   the correct name
 *   spelling  another spelling of the name; without data: only the correct name is added
 *   id        the player's FIDE id; without data: unknown
 * All are plain texts, without the escapes of PGN.
 * Errors: BAD_ARGUMENT for an unknown kind, or for a `correct` that is empty; LIMIT; NO_MEMORY. */
STAMMA_API stamma_error stamma_names_add_known(stamma_names *names, stamma_name_kind kind, stamma_text correct,
                                               stamma_text spelling, stamma_text id);

/* A player in a list. Texts without data and numbers that are 0 are unknown. */
typedef struct stamma_name_person {
    size_t size;            /* size of this structure */
    stamma_text name;       /* the correct name */
    stamma_text id;         /* FIDE id */
    stamma_text federation; /* "IND"; several: "PHI/USA" */
    stamma_text title;      /* the highest title: "GM", or several titles: "IM+WGM" */
    uint16_t born;          /* year of birth */
    uint16_t rating;        /* a rating, of any year */
} stamma_name_person;

/* Adds a player of a list. stamma_names_add_known with the same name and id adds other spellings of the player. A
 * player without an id is another player than all others in lists. Texts are plain, without the escapes of PGN.
 * Errors: BAD_ARGUMENT for an empty name, or after stamma_names_find; UNSUPPORTED; LIMIT; NO_MEMORY. */
STAMMA_API stamma_error stamma_names_add_person(stamma_names *names, const stamma_name_person *person);

/* Makes the decisions for all names that were added. The time grows as n log n with the number of names: in large
 * groups of similar names, only neighbours are compared. The result does not depend on the order of the games, except
 * between spellings that occur equally often.
 * Errors: LIMIT if options->memory is too small; NO_MEMORY; BAD_ARGUMENT if the function has already been called. */
STAMMA_API stamma_error stamma_names_find(stamma_names *names);

/* A decision: in some games, `from` is to be replaced by `to`. Texts are without escapes, and valid until the collector
 * is closed. */
typedef struct stamma_name_decision {
    stamma_text from;
    stamma_text to;
    /* players: only games in which the player has this FIDE id or none. Without data: all games, or with `only_id`
     * the games without an id */
    stamma_text id;
    bool only_id; /* only games with exactly this id */
    bool certain; /* false: a person should decide */
    stamma_name_kind kind;
    stamma_text event, site, round; /* dates: only games with these values; without data: all */
    uint64_t games;                 /* number of games */
    const char *why;                /* the difference: "initials"; static */
    const char *doubt;              /* why the decision is uncertain: "several players"; "" if it is certain; static */
    uint32_t evidence;              /* players: the sum of 1 << STAMMA_NAME_BY_... */
    uint32_t error;                 /* players: estimated chance that the decision is wrong, in millionths */
    uint32_t person;                /* players: the player in the lists; 0: not in a list */
    uint32_t reserved[1];           /* 0; space for later versions, so that the struct never grows */
} stamma_name_decision;

/* Facts that support a decision about a player. Permanent values. */
typedef enum stamma_name_evidence {
    STAMMA_NAME_BY_ID = 0,         /* the FIDE id of the games is the player's */
    STAMMA_NAME_BY_LIST = 1,       /* the name is in a list */
    STAMMA_NAME_BY_GAMES = 2,      /* both names occur in the same game */
    STAMMA_NAME_BY_RATING = 3,     /* ratings of the same time are similar */
    STAMMA_NAME_BY_YEARS = 4,      /* the player had a usual age at the time of the games */
    STAMMA_NAME_BY_TITLE = 5,      /* the title in the games is the player's */
    STAMMA_NAME_BY_FEDERATION = 6, /* the federation in the games, or the country of most sites, is the player's */
    STAMMA_NAME_BY_NAME = 7        /* no other known player has a name that fits */
} stamma_name_evidence;

/* Returns the permanent name of a fact: "rating"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_name_evidence_name(stamma_name_evidence evidence);

/* Returns the number of decisions; 0 before stamma_names_find, and if `names` is NULL. */
STAMMA_API size_t stamma_names_count(const stamma_names *names);

/* Stores the decision at an index from 0. Decisions are in the order of kind and number of games, most games first;
 * equals are in the order of `to` and `from`. Errors: BAD_ARGUMENT if `index` is not below the number of decisions. */
STAMMA_API stamma_error stamma_names_at(const stamma_names *names, size_t index, stamma_name_decision *decision);

/* A spelling of a player in games, with the FIDE id of these games. Texts without data are unknown. */
typedef struct stamma_name_player {
    size_t size;           /* size of this structure */
    stamma_text name;      /* as in the games */
    stamma_text id;        /* FIDE id of the games */
    stamma_text to;        /* the name after the decisions that are certain */
    stamma_text player_id; /* the player's FIDE id, from games or a list */
    uint64_t games;        /* 0: the name is only in a list */
    uint32_t group;        /* equal numbers are one player */
    uint32_t person;       /* the player in the lists; 0: not in a list */
} stamma_name_player;

/* Returns the number of spellings of players; 0 before stamma_names_find, and if `names` is NULL. */
STAMMA_API size_t stamma_names_player_count(const stamma_names *names);

/* Stores a spelling of a player, in the order in which they were added, from 0. `player->size` is set by the caller.
 * Texts are valid until the collector is closed. Errors: BAD_ARGUMENT if `index` is not below the number of spellings.
 */
STAMMA_API stamma_error stamma_names_player(const stamma_names *names, size_t index, stamma_name_player *player);

/* Stores what the lists say about a player: `number` is `person` of a decision. `person->size` is set by the caller.
 * Texts are valid until the collector is closed. Errors: BAD_ARGUMENT if there is no such player. */
STAMMA_API stamma_error stamma_names_person(const stamma_names *names, uint32_t number, stamma_name_person *person);

#ifdef __cplusplus
}
#endif

#endif
