/* SPDX-License-Identifier: MIT */
/* Chooses how to write a comment so that reading it returns the same bytes (notation.h L7, L8). */
#include "notation/notation.h"

static bool is_line_end(char byte)
{
    return byte == '\n' || byte == '\r';
}

/* A reader with the default options reads an [Event " in a comment only if the comment ends within this size. */
enum { EVENT_SIZE_MAX = (1 << 20) - 2 };

/* Returns whether a line after the first line begins like a new game and would end the comment. */
static bool holds_event_line(stamma_text text)
{
    static const char event[] = "[Event \"";
    for (size_t i = 1; i + sizeof event - 1 <= text.size; i++)
        if (is_line_end(text.data[i - 1]) && memcmp(text.data + i, event, sizeof event - 1) == 0)
            return text.size > EVENT_SIZE_MAX || memchr(text.data + i, '{', text.size - i) != NULL;
    return false;
}

pgn_comment_form stamma_pgn_comment_form(stamma_text comment)
{
    bool brace = false, line_end = false;
    if (!text_is_given(comment))
        return PGN_COMMENT_NONE;
    for (size_t i = 0; i < comment.size; i++) {
        brace |= comment.data[i] == '}';
        line_end |= is_line_end(comment.data[i]);
    }
    if (brace)
        return line_end ? PGN_COMMENT_NONE : PGN_COMMENT_LINE;
    return line_end && holds_event_line(comment) ? PGN_COMMENT_NONE : PGN_COMMENT_BRACES;
}
