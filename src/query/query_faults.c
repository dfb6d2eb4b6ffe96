/* SPDX-License-Identifier: MIT */
/* Functions that all parsers of a query use: the memory of the query, and messages about errors. */
#include <stdio.h>

#include "query/query.h"

/* ---- memory: pieces in a chain, released together ---- */

typedef union piece {
    union piece *next;
    uint64_t number; /* aligns the memory after it */
} piece;

void *stamma_query_allocate(query_parser *parser, size_t count, size_t size)
{
    size_t bytes = size_add(sizeof(piece), size_multiply(count, size));
    piece *made = bytes == SIZE_MAX ? NULL : memory_allocate(&parser->query->allocator, bytes);
    if (!made) {
        parser->error = STAMMA_ERROR_NO_MEMORY;
        return NULL;
    }
    memset(made, 0, bytes);
    made->next = parser->query->memory;
    parser->query->memory = made;
    return made + 1;
}

void stamma_query_close(stamma_query *query)
{
    if (!query)
        return;
    stamma_allocator allocator = query->allocator;
    for (piece *p = query->memory, *next; p; p = next) {
        next = p->next;
        memory_release(&allocator, p);
    }
    memory_release(&allocator, query);
}

/* ---- errors ---- */

/* Reports an error at the given bytes of the JSON text. Returns false. */
static bool fault_at(query_parser *parser, size_t offset, size_t size, const char *message)
{
    stamma_query_problem *fault = &parser->json.fault;
    parser->error = STAMMA_ERROR_SYNTAX;
    fault->offset = offset;
    fault->size = size;
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return false;
}

/* Copies a word for a message: control characters become `?`, and at most 40 bytes are kept. */
static void show_word(stamma_text word, char out[48])
{
    size_t size = word.size > 40 ? 40 : word.size;
    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)word.data[i] < ' ' || word.data[i] == 0x7F ? '?' : word.data[i];
    while (size < word.size && size > 0 && ((unsigned char)word.data[size] & 0xC0) == 0x80)
        size--; /* do not cut within a letter */
    memcpy(out + size, "...", size < word.size ? 4 : 0);
    if (size == word.size)
        out[size] = '\0';
}

/* Appends `; expected "a", "b" or "c"` to a message, unless there is too little room for all words. */
static void list_words(char *message, size_t size, const char *const *words)
{
    size_t begin = strlen(message), at = begin;
    for (size_t i = 0; words[i] && at < size; i++) {
        const char *before = i == 0 ? "; expected " : words[i + 1] ? ", " : " or ";
        at += (size_t)snprintf(message + at, size - at, "%s\"%s\"", before, words[i]);
    }
    if (at >= size)
        message[begin] = '\0';
}

bool stamma_query_unknown(query_parser *parser, size_t offset, size_t size, const char *what, stamma_text word,
                          const char *const *words)
{
    char shown[48], message[200];
    const char *nearest = stamma_nearest_word(word, words);
    show_word(word, shown);
    snprintf(message, sizeof message, nearest ? "unknown %s \"%s\"; did you mean \"%s\"?" : "unknown %s \"%s\"", what,
             shown, nearest);
    if (!nearest)
        list_words(message, sizeof message, words);
    return fault_at(parser, offset, size, message);
}

bool stamma_query_fault_name(query_parser *parser, const json_value *value, const char *message)
{
    return fault_at(parser, value->name_offset, value->name_end - value->name_offset, message);
}

bool stamma_query_fault_value(query_parser *parser, const json_value *value, const char *message)
{
    return fault_at(parser, value->offset, value->size, message);
}

bool stamma_query_fault_text(query_parser *parser, const json_value *value, size_t at, size_t size, const char *message)
{
    size_t begin = stamma_json_place(&parser->json, value, at),
           end = stamma_json_place(&parser->json, value, at + size);
    return fault_at(parser, begin, end - begin, message);
}
