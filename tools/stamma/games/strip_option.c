/* SPDX-License-Identifier: MIT */
/* The parts of a movetext that --strip names, and comments without commands such as [%clk 0:01:30]. */
#include "games/game_text.h"

static const struct {
    const char *name;
    unsigned part;
} parts[] = {{"comments", TOOL_STRIP_COMMENTS},
             {"variations", TOOL_STRIP_VARIATIONS},
             {"clocks", TOOL_STRIP_CLOCKS},
             {"evaluations", TOOL_STRIP_EVALUATIONS},
             {"evals", TOOL_STRIP_EVALUATIONS}, /* an earlier name */
             {"nags", TOOL_STRIP_NAGS}};
enum { PARTS = sizeof parts / sizeof *parts };

bool tool_strip_read(const char *list, unsigned *strip)
{
    *strip = 0;
    for (const char *at = list; at && *at;) {
        size_t size = strcspn(at, ","), n = 0;
        while (n < PARTS && !tool_text_is((stamma_text){at, size}, parts[n].name))
            n++;
        if (n == PARTS) {
            tool_say(NULL, "--strip: \"%.*s\" is unknown; use " TOOL_STRIP_NAMES, (int)size, at);
            return false;
        }
        *strip |= parts[n].part;
        at += size + (at[size] == ',');
    }
    return true;
}

/* ---- commands in comments ---- */

static const struct {
    const char *name;
    unsigned part;
} commands[] = {{"clk", TOOL_STRIP_CLOCKS},     {"emt", TOOL_STRIP_CLOCKS},       {"egt", TOOL_STRIP_CLOCKS},
                {"mct", TOOL_STRIP_CLOCKS},     {"timestamp", TOOL_STRIP_CLOCKS}, {"eval", TOOL_STRIP_EVALUATIONS},
                {"evp", TOOL_STRIP_EVALUATIONS}};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Returns the size of the command at the beginning of a text, with its brackets, if it is of one of these parts;
 * otherwise 0. */
static size_t command_size(stamma_text text, unsigned strip)
{
    const char *end = text.size > 2 && text.data[1] == '%' ? memchr(text.data, ']', text.size) : NULL;
    for (size_t n = 0; end && n < sizeof commands / sizeof *commands; n++) {
        size_t size = strlen(commands[n].name);
        if (strip & commands[n].part && (size_t)(end - text.data) > size + 2 &&
            memcmp(text.data + 2, commands[n].name, size) == 0 && is_blank(text.data[2 + size]))
            return (size_t)(end - text.data) + 1;
    }
    return 0;
}

size_t tool_strip_comment(stamma_text comment, unsigned strip, char *out, size_t *removed)
{
    size_t size = 0, at = 0;
    *removed = 0;
    while (at < comment.size) {
        size_t command =
            comment.data[at] == '[' ? command_size((stamma_text){comment.data + at, comment.size - at}, strip) : 0;
        if (command == 0) {
            out[size++] = comment.data[at++];
            continue;
        }
        ++*removed;
        at += command;
        if (at == comment.size) /* the blanks before the last command separated it from the text */
            while (size > 0 && is_blank(out[size - 1]))
                size--;
        while (at < comment.size && is_blank(comment.data[at]))
            at++;
    }
    return size;
}
