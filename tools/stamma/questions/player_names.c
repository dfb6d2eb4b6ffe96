/* SPDX-License-Identifier: MIT */
/* Separates the names in a value: `|` before `=` or `@` begins the next name. In a name, each `|` of these is doubled.
 */
#include "questions/player_names.h"

/* Returns the number of bars at a place that are before `=` or `@`; 0: other bars, or none. */
static size_t bars_at(stamma_text text, size_t at)
{
    size_t count = 0;
    while (at + count < text.size && text.data[at + count] == '|')
        count++;
    const bool marked = at + count < text.size && strchr("=@", text.data[at + count]) && text.data[at + count] != 0;
    return marked ? count : 0;
}

bool player_names_several(stamma_text text)
{
    for (size_t n = 0; n + 1 < text.size; n++)
        if (text.data[n] == '|' && (text.data[n + 1] == '=' || text.data[n + 1] == '@'))
            return true;
    return false;
}

bool player_names_next(stamma_text *rest, tool_buffer *name)
{
    size_t at = 0, bars = 0;
    if (!rest->data)
        return false;
    for (; at < rest->size && bars % 2 == 0; at += bars > 0 ? bars : 1) {
        bars = bars_at(*rest, at);
        (void)tool_buffer_add(name, rest->data + at, bars > 0 ? bars / 2 : 1);
    }
    *rest = bars % 2 == 1 ? (stamma_text){rest->data + at, rest->size - at} : (stamma_text){NULL, 0};
    return true;
}

/* Puts the name of one player for people. */
static void put_label(const tool_persons *persons, stamma_text name, tool_buffer *label)
{
    char why[320];
    const bool marked = name.size > 1 && (name.data[0] == '=' || name.data[0] == '@');
    stamma_text shown = {name.data + marked, name.size - marked};
    if (persons && name.size > 0 && name.data[0] == '@') {
        const size_t person = tool_persons_find(persons, shown, why, sizeof why);
        shown = person < persons->count ? tool_persons_name(persons, person) : name;
    }
    (void)tool_buffer_add(label, shown.data, shown.size);
}

void player_names_label(const tool_persons *persons, const char *value, tool_buffer *label)
{
    stamma_text rest = stamma_text_of(value);
    tool_buffer name = {NULL, 0, 0, false};
    for (size_t n = 0; player_names_next(&rest, &name); n++) {
        (void)tool_buffer_add(label, " + ", n > 0 ? 3 : 0);
        put_label(persons, (stamma_text){name.bytes, name.size}, label);
        name.size = 0;
    }
    label->failed |= name.failed;
    tool_buffer_free(&name);
}
