/* SPDX-License-Identifier: MIT */
/* Files of persons: names and online accounts that belong to one player (doc/reference/names.md). */
#ifndef STAMMA_TOOL_PERSONS_H
#define STAMMA_TOOL_PERSONS_H

#include "shared/tool.h"

typedef enum tool_person_key {
    TOOL_PERSON_NAME,
    TOOL_PERSON_ACCOUNT,
    TOOL_PERSON_FIDE,
    TOOL_PERSON_FEDERATION,
    TOOL_PERSON_TITLE,
    TOOL_PERSON_BORN,
    TOOL_PERSON_NOT, /* a name that is not one of the person's */
    TOOL_PERSON_KEYS
} tool_person_key;

extern const char *const tool_person_keys[TOOL_PERSON_KEYS + 1]; /* ends with NULL */

/* What a line of a file says about a person. */
typedef struct tool_person_line {
    size_t person;
    tool_person_key key;
    stamma_text value;
    stamma_text only; /* of names and accounts: only games in which the player has this FIDE id, if it is a number;
                         otherwise only games whose Site contains this text. Empty: all games */
} tool_person_line;

typedef struct tool_person {
    stamma_text id;
    size_t line; /* number of its first line */
    size_t end;  /* offset of the byte after its last line */
} tool_person;

typedef struct tool_person_id {
    stamma_text id;
    size_t person;
} tool_person_id;

/* Persons, numbered from 0. Initialise with zeros. Texts are UTF-8. */
typedef struct tool_persons {
    tool_person *list;
    size_t count, room;
    tool_person_id *order; /* sorted ids */
    tool_person_line *lines;
    size_t line_count, line_room;
    char **texts; /* memory of the texts */
    size_t text_count;
} tool_persons;

/* Why a text is not a file of persons. */
typedef struct tool_persons_problem {
    size_t line; /* 0: memory is exhausted */
    char message[160];
} tool_persons_problem;

/* Adds the persons of a text, which must end with a NUL and becomes a part of the persons. Lines about an id of an
 * earlier text are added to its person. Returns false with the problem; the persons can then only be closed. */
bool tool_persons_add(tool_persons *persons, char *text, tool_persons_problem *problem);
/* Adds the persons of a file. Returns false after a message. */
bool tool_persons_read(tool_persons *persons, const char *path);
/* Adds the persons of a file, or if `path` is NULL those of the files ARCHIVE.persons that exist. Returns false after a
 * message. */
bool tool_persons_open(tool_persons *persons, const char *path, char **archives, size_t count);
void tool_persons_close(tool_persons *persons);

/* Compares two tool_person_id by the id, ignoring case, then by the person. For qsort. */
int tool_person_compare(const void *a, const void *b);
/* Returns the number of the person with an id, or `count`. Case is ignored. */
size_t tool_persons_with_id(const tool_persons *persons, stamma_text id);
/* Returns the first name of a person, otherwise the id. */
stamma_text tool_persons_name(const tool_persons *persons, size_t person);
/* Finds a person by the id, a FIDE id, a name or account, or its beginning. Returns `count` after it has written why
 * there is not exactly one such person. */
size_t tool_persons_find(const tool_persons *persons, stamma_text wanted, char *why, size_t size);
/* Puts the names of a person as strings in JSON, each after a comma unless `count`, the number of strings before it, is
 * 0: all names, or those without limits. Returns the number of strings with these. */
size_t tool_persons_put_names(const tool_persons *persons, size_t person, bool all, size_t count, tool_buffer *json);
/* Puts a condition in JSON for the games of a person, with one of the rules "player", "white" and "black". */
void tool_persons_put(const tool_persons *persons, size_t person, const char *rule, tool_buffer *json);

/* Puts a beginning and a text in quotes. A text that is not UTF-8 is read as Windows-1252. */
void tool_put_quoted(tool_buffer *json, const char *beginning, stamma_text text);

#endif
