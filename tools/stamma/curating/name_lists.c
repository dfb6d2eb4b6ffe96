/* SPDX-License-Identifier: MIT */
/* Reads lists of correct names: spelling files of Scid (src/spellchk.cpp of
 * Scid describes the format), and the list of players of FIDE. */
#include "curating/name_lists.h"
#include "games/name_table.h"

/* ---- lines ---- */

static stamma_text trim(stamma_text text)
{
    while (text.size > 0 && (uint8_t)text.data[text.size - 1] <= ' ')
        text.size--;
    while (text.size > 0 && (uint8_t)text.data[0] <= ' ') {
        text.data++;
        text.size--;
    }
    return text;
}

/* Reads the next line, without its end. Returns false at the end. */
static bool next_line(stamma_text *rest, stamma_text *line)
{
    if (rest->size == 0)
        return false;
    const char *end = memchr(rest->data, '\n', rest->size);
    size_t size = end ? (size_t)(end - rest->data) : rest->size, used = size + (end != NULL);
    *line = (stamma_text){rest->data, size};
    rest->data += used;
    rest->size -= used;
    return true;
}

static bool begins(stamma_text text, const char *beginning)
{
    size_t size = strlen(beginning);
    return text.size >= size && memcmp(text.data, beginning, size) == 0;
}

static bool check(stamma_error error, const char *path)
{
    if (error == STAMMA_ERROR_LIMIT)
        tool_say(path, "the names need more memory than the limit (--memory)");
    else if (error)
        tool_say(path, "%s", stamma_error_text(error));
    return !error;
}

/* ---- spelling files ---- */

/* Reads the name of a section, such as PLAYER. */
static bool read_section(stamma_text line, stamma_name_kind *field)
{
    static const char *const sections[] = {"@PLAYER", "@EVENT", "@SITE", "@ROUND"};
    for (*field = STAMMA_NAME_PLAYER; *field <= STAMMA_NAME_ROUND; (*field)++)
        if (begins(line, sections[*field]))
            return true;
    return false;
}

/* Reads %Suffix "(Italy)" "ITA". */
static bool read_part(stamma_text line, stamma_text texts[2])
{
    const char *at = line.data, *end = line.data + line.size;
    for (size_t n = 0; n < 2; n++) {
        const char *first = memchr(at, '"', (size_t)(end - at));
        const char *last = first ? memchr(first + 1, '"', (size_t)(end - first - 1)) : NULL;
        if (!last)
            return false;
        texts[n] = (stamma_text){first + 1, (size_t)(last - first - 1)};
        at = last + 1;
    }
    return texts[0].size > 0;
}

static bool add_part(tool_name_lists *lists, const tool_name_part *part, const char *path)
{
    tool_name_part *more = realloc(lists->parts, (lists->count + 1) * sizeof *more);
    if (!more)
        return check(STAMMA_ERROR_NO_MEMORY, path);
    lists->parts = more;
    lists->parts[lists->count++] = *part;
    return true;
}

/* Returns whether a line corrects parts of names. */
static bool is_part(stamma_text line)
{
    return begins(line, "%Prefix ") || begins(line, "%Infix ") || begins(line, "%Suffix ");
}

bool tool_name_lists_spelling(tool_name_lists *lists, const char *path, stamma_names *names)
{
    stamma_text rest, line, correct = {NULL, 0}, texts[2];
    stamma_name_kind field = STAMMA_NAME_PLAYER;
    bool section = false, right = true;
    if (!tool_mapped_open(path, &lists->file))
        return false;
    rest = (stamma_text){(const char *)lists->file.bytes, lists->file.size};
    for (size_t number = 1; right && next_line(&rest, &line); number++) {
        const char *comment = memchr(line.data, '#', line.size);
        line = trim(comment ? (stamma_text){line.data, (size_t)(comment - line.data)} : line);
        if (line.size == 0 || line.data[0] == '>')
            continue;
        if (line.data[0] == '@') {
            section = read_section(line, &field);
            correct.size = 0;
            right = section ||
                    tool_name_table_fail(path, number, "the section is unknown; use @PLAYER, @EVENT, @SITE or @ROUND");
        } else if (!section) {
            right = tool_name_table_fail(path, number,
                                         "not a spelling file: a name before the first section, such "
                                         "as @PLAYER");
        } else if (is_part(line)) {
            right = read_part(line, texts)
                        ? add_part(lists, &(tool_name_part){field, line.data[1], texts[0], texts[1]}, path)
                        : tool_name_table_fail(path, number, "two texts in quotes are required");
        } else if (line.data[0] == '%') {
            continue; /* ratings and biographies */
        } else if (line.data[0] == '=') {
            line = trim((stamma_text){line.data + 1, line.size - 1});
            right = correct.size > 0
                        ? check(stamma_names_add_known(names, field, correct, line, (stamma_text){NULL, 0}), path)
                        : tool_name_table_fail(path, number, "a spelling before the first name of its section");
        } else {
            correct = line;
            right = check(stamma_names_add_known(names, field, correct, (stamma_text){NULL, 0}, (stamma_text){NULL, 0}),
                          path);
        }
    }
    return right;
}

/* ---- parts of values ---- */

static bool ends(stamma_text text, stamma_text end)
{
    return text.size >= end.size && memcmp(text.data + text.size - end.size, end.data, end.size) == 0;
}

/* Replaces the part of *value that is at `at`, which is before the end of the
 * buffer. */
static void replace(tool_buffer *b, size_t at, const tool_name_part *part)
{
    size_t rest = b->size - at - part->wrong.size;
    if (!tool_buffer_add(b, part->right.data, part->right.size))
        return;
    memmove(b->bytes + at + part->right.size, b->bytes + at + part->wrong.size, rest);
    memcpy(b->bytes + at, part->right.data, part->right.size);
    b->size -= part->wrong.size;
}

/* Applies the corrections to a value: the first prefix that fits, all infixes,
 * the first suffix that fits. */
static void correct_value(tool_name_lists *lists, stamma_name_kind field)
{
    tool_buffer *b = &lists->text;
    static const char kinds[] = "PIS";
    for (const char *kind = kinds; *kind; kind++)
        for (size_t n = 0; n < lists->count; n++) {
            const tool_name_part *part = &lists->parts[n];
            stamma_text text = {b->bytes, b->size};
            if (part->field != field || part->kind != *kind || part->wrong.size > text.size)
                continue;
            if (*kind == 'P' && memcmp(text.data, part->wrong.data, part->wrong.size) == 0) {
                replace(b, 0, part);
                break;
            }
            if (*kind == 'S' && ends(text, part->wrong)) {
                replace(b, b->size - part->wrong.size, part);
                break;
            }
            for (size_t at = 0; *kind == 'I' && at + part->wrong.size <= b->size; at++)
                if (memcmp(b->bytes + at, part->wrong.data, part->wrong.size) == 0) {
                    replace(b, at, part);
                    at += part->right.size - (part->right.size > 0);
                }
        }
}

stamma_error tool_name_lists_correct(tool_name_lists *lists, const stamma_archive_game *game, stamma_names *names)
{
    static const struct {
        const char *tag;
        stamma_name_kind field;
    } tags[] = {{"White", STAMMA_NAME_PLAYER},
                {"Black", STAMMA_NAME_PLAYER},
                {"Event", STAMMA_NAME_EVENT},
                {"Site", STAMMA_NAME_SITE},
                {"Round", STAMMA_NAME_ROUND}};
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < sizeof tags / sizeof *tags && lists->count > 0 && !error; n++) {
        stamma_text value = stamma_archive_game_tag(game, stamma_text_of(tags[n].tag));
        if (value.size == 0 || memchr(value.data, '\\', value.size))
            continue;
        lists->text.size = 0;
        (void)tool_buffer_add(&lists->text, value.data, value.size);
        correct_value(lists, tags[n].field);
        if (lists->text.failed)
            return STAMMA_ERROR_NO_MEMORY;
        const stamma_text right = {lists->text.bytes, lists->text.size};
        if (right.size > 0 && (right.size != value.size || memcmp(right.data, value.data, value.size) != 0))
            error = stamma_names_add_known(names, tags[n].field, right, value, (stamma_text){NULL, 0});
    }
    return error;
}

void tool_name_lists_close(tool_name_lists *lists)
{
    tool_mapped_close(&lists->file);
    tool_buffer_free(&lists->text);
    free(lists->parts);
}

/* ---- the list of players of FIDE ---- */

static size_t digits_of(stamma_text text)
{
    size_t n = 0;
    while (n < text.size && text.data[n] >= '0' && text.data[n] <= '9')
        n++;
    return n;
}

/* Finds the columns of the name in the head: "ID Number   Name    Fed Sex". */
static bool read_head(stamma_text head, size_t *first, size_t *end)
{
    static const char word[] = " Name ";
    size_t size = sizeof word - 1;
    for (*first = 0; *first + size < head.size; ++*first)
        if (memcmp(head.data + *first, word, size) == 0)
            break;
    *end = *first + size;
    while (*end < head.size && head.data[*end] == ' ')
        ++*end;
    ++*first;
    return *end < head.size;
}

static bool read_table(const char *path, stamma_text rest, stamma_names *names)
{
    stamma_text line;
    size_t first, end;
    if (!next_line(&rest, &line) || !read_head(line, &first, &end))
        return tool_name_table_fail(path, 1, "not a list of FIDE: neither XML nor a head with the column Name");
    bool right = true;
    while (right && next_line(&rest, &line)) {
        stamma_text id = trim((stamma_text){line.data, line.size < first ? line.size : first});
        id.size = digits_of(id);
        stamma_text name = line.size <= first
                               ? (stamma_text){NULL, 0}
                               : trim((stamma_text){line.data + first, (line.size < end ? line.size : end) - first});
        if (id.size > 0 && name.size > 0)
            right = check(stamma_names_add_known(names, STAMMA_NAME_PLAYER, name, (stamma_text){NULL, 0}, id), path);
    }
    return right;
}

/* Finds a text. Returns its offset from `at`, or SIZE_MAX. */
static size_t find(stamma_text text, size_t at, const char *word)
{
    size_t size = strlen(word);
    while (at < text.size) {
        const char *found = memchr(text.data + at, word[0], text.size - at);
        at = found ? (size_t)(found - text.data) : text.size;
        if (text.size - at >= size && memcmp(text.data + at, word, size) == 0)
            return at;
        at++;
    }
    return SIZE_MAX;
}

/* Returns the text of an element, such as <name>, in the text of a player. */
static stamma_text element(stamma_text player, const char *open, const char *close)
{
    size_t first = find(player, 0, open);
    size_t end = first == SIZE_MAX ? SIZE_MAX : find(player, first, close);
    if (end == SIZE_MAX)
        return (stamma_text){NULL, 0};
    first += strlen(open);
    return trim((stamma_text){player.data + first, end - first});
}

/* Replaces the entities of XML. */
static stamma_text decode(stamma_text text, tool_buffer *room)
{
    static const char *const entities[][2] = {{"&amp;", "&"},   {"&lt;", "<"},   {"&gt;", ">"},
                                              {"&quot;", "\""}, {"&apos;", "'"}, {"&#39;", "'"}};
    enum { ENTITIES = sizeof entities / sizeof *entities };
    room->size = 0;
    for (size_t at = 0; at < text.size;) {
        size_t n = 0;
        while (n < ENTITIES && !begins((stamma_text){text.data + at, text.size - at}, entities[n][0]))
            n++;
        (void)tool_buffer_add(room, n < ENTITIES ? entities[n][1] : text.data + at, 1);
        at += n < ENTITIES ? strlen(entities[n][0]) : 1;
    }
    return (stamma_text){room->bytes, room->size};
}

static bool read_xml(const char *path, stamma_text text, stamma_names *names)
{
    tool_buffer room = {NULL, 0, 0, false};
    bool right = true, any = false;
    for (size_t at = 0; right && (at = find(text, at, "<player>")) != SIZE_MAX;) {
        size_t end = find(text, at, "</player>");
        const stamma_text player = {text.data + at, (end == SIZE_MAX ? text.size : end) - at};
        stamma_text id = element(player, "<fideid>", "</fideid>");
        stamma_text name = decode(element(player, "<name>", "</name>"), &room);
        at += player.size;
        if (id.size == 0 || digits_of(id) != id.size || name.size == 0)
            continue;
        any = true;
        right = room.failed
                    ? check(STAMMA_ERROR_NO_MEMORY, path)
                    : check(stamma_names_add_known(names, STAMMA_NAME_PLAYER, name, (stamma_text){NULL, 0}, id), path);
    }
    tool_buffer_free(&room);
    return right && (any || tool_name_table_fail(path, 1, "not a list of FIDE: no <player> with <fideid> and <name>"));
}

bool tool_name_lists_fide(const char *path, stamma_names *names)
{
    tool_mapped file;
    if (!tool_mapped_open(path, &file))
        return false;
    const stamma_text text = {(const char *)file.bytes, file.size};
    stamma_text start = trim((stamma_text){text.data, text.size < 16 ? text.size : 16});
    bool xml = begins(start, "<") || begins(start, "\xEF\xBB\xBF<");
    bool right = xml ? read_xml(path, text, names) : read_table(path, text, names);
    tool_mapped_close(&file);
    return right;
}
