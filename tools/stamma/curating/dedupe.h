/* SPDX-License-Identifier: MIT */
/* Parts of `stamma dedupe`: the games that are read, merging removed games into the kept games, and the reports. */
#ifndef STAMMA_TOOL_DEDUPE_H
#define STAMMA_TOOL_DEDUPE_H

#include "curating/dedupe_decisions.h"
#include "curating/merge_game.h"
#include "packing/packing.h"

#define DEDUPE_MEMORY "the games need more memory than the limit (--memory)"

/* ---- which games are removed (dedupe_merge.c) ---- */

/* What was found. Probable duplicates below a score are kept. */
typedef struct dedupe_found {
    const stamma_duplicates *duplicates;
    uint64_t least_score; /* 0: all probable duplicates are kept */
} dedupe_found;

/* Stores the duplicate, whose `kept` is a game that is kept. Returns whether the rules remove it. If they do not,
 * `duplicate` is a probable duplicate, or has the kind NONE. */
bool dedupe_removes(const dedupe_found *found, uint64_t index, stamma_duplicate *duplicate);

/* Does the same, but returns false for games with exchanged colors: their tags are tags of the other player. */
bool dedupe_merges(const dedupe_found *found, uint64_t index, stamma_duplicate *duplicate);

/* ---- which games are read (dedupe_new.c) ---- */

/* Initialise with zeros; release similar.all with free(). */
typedef struct dedupe_new {
    uint64_t known;       /* games of the first archive, which are known to be different games; 0: no games are known */
    bool is_listed;       /* `similar` lists the known games that may be the same as another game */
    tool_numbers similar; /* ascending indexes */
    stamma_duplicates *duplicates;
} dedupe_new;

/* Counts the games of the first archive, and looks up the games of the others in its index file. Returns false after a
 * message. */
bool dedupe_new_open(dedupe_new *n, const tool_many *many);
/* The games that the detector needs in its next pass. */
tool_selection dedupe_new_compared(dedupe_new *n);
/* All games except the known ones. */
tool_selection dedupe_new_written(dedupe_new *n);

/* ---- additions from removed games (dedupe_merge.c) ---- */

/* A game that is removed. */
typedef struct dedupe_record {
    uint64_t index, kept; /* of the game, and of the game that is kept */
    uint64_t offset;      /* of its text in the temporary file */
    size_t size;
    bool complete; /* the game has no continuation */
    tool_merged added;
} dedupe_record;

/* Initialise with zeros and set `merging.what`, `found` and `decisions`. A game that a decision keeps is not
 * merged into another game. */
typedef struct dedupe_merge {
    tool_merging merging;
    const dedupe_found *found;
    const dedupe_decisions *decisions;
    uint64_t games, tags, comments, nags, variations; /* numbers of changed games, and of additions */
    /* private */
    tool_many *many;
    FILE *texts; /* of the removed games */
    uint64_t size;
    dedupe_record *records;
    size_t count, room, next;
    uint64_t *pieced; /* games with continuations, which may be kept */
    size_t pieced_count, pieced_room;
    tool_buffer text;
} dedupe_merge;

/* Copies the texts of the removed games to a temporary file. Returns false after a message. */
bool dedupe_merge_read(dedupe_merge *m, tool_many *many);
/* Merges the removed games into a game that is kept. Call it for all kept games in order. Appends the changed text to
 * `edited`, or nothing. Returns false after a message. */
bool dedupe_merge_game(dedupe_merge *m, uint64_t index, stamma_text text, tool_buffer *edited);
/* Does the same for all games, but produces no texts. dedupe_merge_added then returns the additions. */
bool dedupe_merge_try(dedupe_merge *m);
/* Returns the additions from a removed game. Call it for the removed games in order. */
const tool_merged *dedupe_merge_added(dedupe_merge *m, uint64_t index);
void dedupe_merge_close(dedupe_merge *m);

/* ---- reports (dedupe_report.c) ---- */

enum { DEDUPE_KINDS = 7, DEDUPE_YEARS = 10000 };

/* Games of an archive. removed[0] counts games that a decision removes. */
typedef struct dedupe_source {
    uint64_t games, removed[DEDUPE_KINDS];
} dedupe_source;

/* Games of a year; [0]: the year is unknown. */
typedef struct dedupe_year {
    uint64_t kept, removed;
} dedupe_year;

/* Initialise with zeros. */
typedef struct dedupe_report {
    const char *path; /* NULL: there is no report */
    bool force;
    size_t first; /* the first archive that is reported */
    tool_output *output;
    dedupe_source *sources; /* of each archive */
    uint64_t probable;      /* probable duplicates that are kept */
    dedupe_year *years;
    const dedupe_merge *merge; /* NULL: nothing is merged */
} dedupe_report;

/* Checks the path, which ends with .json or .html, and opens the file. Returns false after a message. */
bool dedupe_report_open(dedupe_report *report, size_t archives);
/* Counts a game. It needs TAGS. `kind`: its kind, also if it is kept. */
void dedupe_report_count(dedupe_report *report, size_t archive, const stamma_archive_game *game, bool removed,
                         stamma_duplicate_kind kind);
/* Writes the file. Returns false after a message. */
bool dedupe_report_write(dedupe_report *report, const tool_many *many);
void dedupe_report_close(dedupe_report *report);

#endif
