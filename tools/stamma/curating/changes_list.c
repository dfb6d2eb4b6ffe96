/* SPDX-License-Identifier: MIT */
/* Prints the changes of games. */
#include "curating/changes.h"

tool_progress tool_changes_progress(const char *verb, bool lists, bool quiet)
{
    return tool_progress_start(verb, 0, quiet || (lists && system_is_terminal(SYSTEM_OUTPUT)));
}

void tool_changes_begin(tool_changes *c, const char *archive, uint64_t number)
{
    c->archive = archive;
    c->number = number;
    c->open = false;
}

/* Begins a line, or with JSON the object of a game before its first change and an object in its list. */
static void begin(tool_changes *c, stamma_text name)
{
    if (!c->open && c->json) {
        tool_json_open(NULL, '{');
        tool_json_string("archive", c->archive);
        tool_json_number("game", c->number);
        tool_json_open(c->member ? c->member : "changes", '[');
    }
    c->games += !c->open;
    c->open = true;
    if (c->json) {
        tool_json_open(NULL, '{');
        tool_json_text("name", name);
        return;
    }
    tool_put_string(c->archive);
    tool_put_char('\t');
    tool_put_number(c->number);
    tool_put_char('\t');
    tool_put(name.data, name.size);
}

static void end(tool_changes *c)
{
    if (c->json)
        tool_json_close('}');
    else
        tool_put_char('\n');
}

/* Puts a value as a cell of a table separated by tabs. */
static void put_cell(stamma_text value)
{
    tool_put_char('\t');
    for (size_t n = 0; n < value.size; n++)
        tool_put_char((unsigned char)value.data[n] < ' ' ? ' ' : value.data[n]);
    if (!value.data)
        tool_put_char('-');
}

static void put_value(const tool_changes *c, const char *key, stamma_text value)
{
    if (!c->json)
        put_cell(value);
    else
        tool_json_named_text(stamma_text_of(key), value);
}

void tool_changes_tag(tool_changes *c, stamma_text name, stamma_text before, stamma_text after)
{
    const stamma_text value = tool_text_unescape(before);
    begin(c, name);
    put_value(c, "before", value);
    put_value(c, "after", after);
    end(c);
    free((char *)(uintptr_t)value.data);
}

void tool_changes_count(tool_changes *c, const char *name, uint64_t count)
{
    if (count == 0)
        return;
    begin(c, stamma_text_of(name));
    if (c->json) {
        tool_json_number("removed", count);
    } else {
        tool_put_char('\t');
        tool_put_number(count);
        tool_put_string("\t-");
    }
    end(c);
}

void tool_changes_note(tool_changes *c, const char *name, stamma_text text)
{
    begin(c, stamma_text_of(name));
    put_value(c, "text", text);
    end(c);
}

void tool_changes_end(tool_changes *c)
{
    if (!c->open)
        return;
    if (c->json) {
        tool_json_close(']');
        tool_json_close('}');
        tool_json_end();
    }
    tool_put_flush();
}
