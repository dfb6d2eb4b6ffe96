/* SPDX-License-Identifier: MIT */
/* Questions with names, in the file ARCHIVE.questions: a JSON object whose members are queries
 * (doc/reference/search.md). */
#ifndef STAMMA_TOOL_SAVED_QUESTIONS_H
#define STAMMA_TOOL_SAVED_QUESTIONS_H

#include "shared/tool.h"

typedef struct saved_question {
    stamma_text name;
    stamma_text query; /* sound JSON */
} saved_question;

/* Initialise with zeros. */
typedef struct saved_questions {
    saved_question *list; /* by name */
    size_t count, room;
    char *text; /* memory of the texts */
} saved_questions;

/* Reads the questions of an archive. Without a file, there are none. Returns false after a message with the line; the
 * questions can then only be closed. */
bool saved_questions_read(const char *archive, saved_questions *questions);
void saved_questions_close(saved_questions *questions);
/* Returns a question; NULL: none has this name. */
const saved_question *saved_questions_find(const saved_questions *questions, const char *name);
/* Adds a question to the file of an archive, or replaces the question of the same name. Returns false after a message.
 */
bool saved_questions_save(const char *archive, const char *name, stamma_text query);

#endif
