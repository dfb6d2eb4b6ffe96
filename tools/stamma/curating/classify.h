/* SPDX-License-Identifier: MIT */
/* The opening of a game, the result that its final position proves, and tags that contradict the game. */
#ifndef STAMMA_CLASSIFY_H
#define STAMMA_CLASSIFY_H

#include "curating/changes.h"

/* ---- tables of openings (eco_file.c) ---- */

/* An .eco file of Scid. Initialise with zeros: the library's own table is then used. */
typedef struct eco_file {
    char *text;
    struct eco_opening *openings; /* in the order of their keys */
    size_t count, room;
    size_t plies; /* of the longest line */
} eco_file;

/* An opening; without data: none. */
typedef struct eco_name {
    stamma_text code; /* "B90" */
    stamma_text name; /* "Sicilian Defense: Najdorf Variation" */
} eco_name;

/* Reads a file. Returns false after a message. */
bool eco_file_read(const char *path, eco_file *eco);
void eco_file_free(eco_file *eco);
/* Returns the opening with a position. Ignores castling rights, and the moves before the position. */
eco_name eco_file_find(const eco_file *eco, const stamma_position *position);

/* ---- facts of a game (classify_facts.c) ---- */

typedef struct classify_facts {
    bool complete;             /* all moves are legal, so that the final position is known */
    eco_name opening;          /* of the last position that has one, in a game from the initial position */
    bool has_tag_code;         /* the tag ECO has a code, and a position of the game has it */
    stamma_status status;      /* of the final position: CHECKMATE, STALEMATE, INSUFFICIENT_MATERIAL or PLAY */
    stamma_result proved;      /* by mate or stalemate; UNKNOWN: nothing is proved */
    stamma_result tag, marker; /* results */
} classify_facts;

/* Collects the facts of a game, which must have its tags, result and moves. */
classify_facts classify_collect(const eco_file *eco, const stamma_archive_game *game);
/* Returns whether a tag is missing, or has a value that means unknown: "", "?", "-", "*", "????.??.??". */
bool classify_is_unknown(stamma_text tag);

/* ---- tags that are written (classify_change.c) ---- */

enum { CLASSIFY_ECO, CLASSIFY_OPENING, CLASSIFY_VARIATION, CLASSIFY_PLY_COUNT, CLASSIFY_RESULT, CLASSIFY_TAGS };
extern const char *const classify_tags[CLASSIFY_TAGS];

/* Initialise with zeros, then set the first members. */
typedef struct classify_change {
    bool writes[CLASSIFY_TAGS];
    bool overwrite; /* tags with another value are also written */
    eco_file eco;
    /* private */
    tool_game_change change;
    stamma_tag_edit edits[CLASSIFY_TAGS];
    char ply_count[TOOL_NUMBER_SIZE];
    stamma_text result;
} classify_change;

/* Writes a changed game to `edited`, or lists its changes if `list` is not NULL. The game must have its tags, result,
 * moves and text. */
tool_verdict classify_change_game(classify_change *change, const stamma_archive_game *game, tool_buffer *edited,
                                  tool_changes *list);
void classify_change_free(classify_change *change);

/* ---- tags that contradict the game or each other (classify_checks.c) ---- */

/* Prints each contradiction of a game. `today` is the number of a day, as in stamma_date. */
void classify_check(const classify_facts *facts, const stamma_archive_game *game, uint32_t today, tool_changes *list);

#endif
