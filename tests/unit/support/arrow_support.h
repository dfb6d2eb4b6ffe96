/* SPDX-License-Identifier: MIT */
/* Helpers for tests of Arrow tables: streams of an archive as text. */
#ifndef STAMMA_TESTS_ARROW_SUPPORT_H
#define STAMMA_TESTS_ARROW_SUPPORT_H

#include "archive_support.h"

/* Appends all data of an array, according to its schema: lengths, valid rows, offsets, values and dictionaries. */
void list_array(listing *to, const struct ArrowSchema *schema, const struct ArrowArray *array);

/* Appends the schema and all batches of a stream, and releases them and the stream. Returns the error that ended the
 * stream, and adds the rows to *rows, which may be NULL. */
stamma_error list_stream(listing *to, struct ArrowArrayStream *stream, uint64_t *rows);

#endif
