/* SPDX-License-Identifier: MIT */
#include "event_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TAGS_MAX = 24, VALUE = 64 };

typedef struct made_game {
    char names[TAGS_MAX][VALUE], values[TAGS_MAX][VALUE];
    stamma_tag tags[TAGS_MAX];
    stamma_archive_game game;
} made_game;

static void set_tag(made_game *m, const char *name, const char *value)
{
    size_t n = 0;
    while (n < m->game.tag_count && strcmp(m->names[n], name) != 0)
        n++;
    assert_true(n < TAGS_MAX);
    (void)snprintf(m->names[n], VALUE, "%s", name);
    (void)snprintf(m->values[n], VALUE, "%s", value);
    for (char *at = m->values[n]; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    m->tags[n] = (stamma_tag){stamma_text_of(m->names[n]), stamma_text_of(m->values[n])};
    m->game.tag_count += n == m->game.tag_count;
}

static void take_word(made_game *m, char *word, char *movetext)
{
    char *value = strchr(word, '=');
    assert_non_null(value);
    *value++ = '\0';
    if (strcmp(word, "plies") == 0)
        m->game.ply_count = (size_t)atoi(value);
    else if (strcmp(word, "movetext") == 0)
        (void)snprintf(movetext, VALUE, "%s", value);
    else
        set_tag(m, word, value);
}

static stamma_error add_line(stamma_events *events, char *line, uint64_t number)
{
    static const char *const first[] = {"Round", "White", "Black", "Result"};
    made_game m = {.game = {.number = number, .ply_count = 20, .start = stamma_position_start()}};
    char movetext[VALUE] = "";
    size_t words = 0;
    m.game.tags = m.tags;
    set_tag(&m, "Event", "Open");
    set_tag(&m, "Date", "2020.01.01");
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "), words++)
        if (words < 4) {
            set_tag(&m, first[words], word);
            if (words == 3)
                (void)snprintf(movetext, VALUE, "%s", word);
        } else
            take_word(&m, word, movetext);
    assert_true(words >= 4);
    m.game.result = stamma_text_of(movetext);
    return stamma_events_add(events, &m.game, number);
}

stamma_error add_event_games(stamma_events *events, const char *text)
{
    stamma_error error = STAMMA_OK;
    uint64_t number = 1;
    while (*text && !error) {
        char line[512];
        const size_t size = strcspn(text, "\n");
        assert_true(size < sizeof line);
        memcpy(line, text, size);
        line[size] = '\0';
        text += size + (text[size] == '\n');
        error = add_line(events, line, number++);
    }
    return error;
}

stamma_events *make_events(const char *text, size_t count)
{
    stamma_events *events = NULL;
    assert_int_equal(stamma_events_open(NULL, &events), STAMMA_OK);
    assert_int_equal(add_event_games(events, text), STAMMA_OK);
    assert_int_equal(stamma_events_count(events), 0);
    assert_int_equal(stamma_events_find(events), STAMMA_OK);
    assert_int_equal(stamma_events_count(events), count);
    return events;
}
