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

static size_t digits_of(stamma_text text)
{
    size_t n = 0;
    while (n < text.size && text.data[n] >= '0' && text.data[n] <= '9')
        n++;
    return n;
}

/* Returns the number that the first four digits of a text are; 0: they are not a year. */
static uint16_t year_of(stamma_text text)
{
    unsigned year = 0;
    for (size_t n = 0; n < 4 && n < text.size; n++)
        year = text.data[n] >= '0' && text.data[n] <= '9' ? year * 10 + (unsigned)(text.data[n] - '0') : 0;
    return (uint16_t)(year >= 1000 ? year : 0);
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

/* Removes the next word of a text. Returns it; an empty text at the end. */
static stamma_text take_word(stamma_text *rest)
{
    *rest = trim(*rest);
    size_t size = 0;
    while (size < rest->size && rest->data[size] != ' ')
        size++;
    const stamma_text word = {rest->data, size};
    rest->data += size;
    rest->size -= size;
    return word;
}

/* Reads what a comment says about a player: "GM IND [2753] 1969.12.11--2020". */
static void read_facts(stamma_text comment, stamma_name_person *person)
{
    stamma_text word = take_word(&comment);
    person->title = word.size > 0 && word.data[0] != '-' ? word : (stamma_text){NULL, 0};
    for (word = take_word(&comment); word.size > 0; word = take_word(&comment)) {
        const stamma_text inside = {word.data + 1, word.size - 1};
        if (word.data[0] == '[')
            person->rating = year_of(inside);
        else if (word.data[0] >= 'A' && word.data[0] <= 'Z' && !person->federation.data)
            person->federation = word;
        else if (person->born == 0)
            person->born = year_of(word);
    }
}

/* Finds the FIDE id of a player in the lines after the name, up to the next name. */
static stamma_text find_id(stamma_text rest)
{
    static const char beginning[] = "%Bio FIDEID ";
    stamma_text line;
    while (next_line(&rest, &line) && (line = trim(line)).size > 0 && line.data[0] != '@') {
        if (begins(line, beginning)) {
            line = trim((stamma_text){line.data + sizeof beginning - 1, line.size - (sizeof beginning - 1)});
            return (stamma_text){line.data, digits_of(line)};
        }
        if (line.data[0] != '%' && line.data[0] != '=' && line.data[0] != '>' && line.data[0] != '#')
            break;
    }
    return (stamma_text){NULL, 0};
}

/* Adds a correct name. `comment`: what the line says after `#`. Stores the player's id. */
static stamma_error add_correct(stamma_names *names, stamma_name_kind field, stamma_text correct, stamma_text comment,
                                stamma_text id)
{
    stamma_name_person person = {.size = sizeof person, .name = correct, .id = id};
    if (field != STAMMA_NAME_PLAYER)
        return stamma_names_add_known(names, field, correct, (stamma_text){NULL, 0}, (stamma_text){NULL, 0});
    read_facts(comment, &person);
    return stamma_names_add_person(names, &person);
}

bool tool_name_lists_spelling(tool_name_lists *lists, const char *path, stamma_names *names)
{
    stamma_text rest, line, facts, correct = {NULL, 0}, id = {NULL, 0}, texts[2];
    stamma_name_kind field = STAMMA_NAME_PLAYER;
    bool section = false, right = true;
    if (!tool_mapped_open(path, &lists->file))
        return false;
    rest = (stamma_text){(const char *)lists->file.bytes, lists->file.size};
    for (size_t number = 1; right && next_line(&rest, &line); number++) {
        const char *comment = memchr(line.data, '#', line.size);
        const size_t size = comment ? (size_t)(comment - line.data) : line.size;
        facts = comment ? (stamma_text){comment + 1, line.size - size - 1} : (stamma_text){NULL, 0};
        line = trim((stamma_text){line.data, size});
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
                        ? check(stamma_names_add_known(names, field, correct, line, id), path)
                        : tool_name_table_fail(path, number, "a spelling before the first name of its section");
        } else {
            correct = line;
            id = field == STAMMA_NAME_PLAYER ? find_id(rest) : (stamma_text){NULL, 0};
            right = check(add_correct(names, field, correct, facts, id), path);
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

/* The columns of a table that are read, and the bytes of a line that each of them has. A column that is missing has
 * none. */
enum { FIDE_NAME, FIDE_FEDERATION, FIDE_TITLE, FIDE_WOMEN_TITLE, FIDE_RATING, FIDE_BORN, FIDE_COLUMNS };
typedef struct fide_column {
    size_t first, end;
} fide_column;

/* Finds the columns in the head: "ID Number   Name    Fed Sex Tit  WTit OTit  FOA JAN24 Gms K  B-day Flag". The rating
 * is after the column FOA, because its name is a month. */
static bool read_head(stamma_text head, fide_column *columns)
{
    static const char *const words[FIDE_COLUMNS] = {"Name", "Fed", "Tit", "WTit", NULL, "B-day"};
    bool rating = false;
    for (size_t at = 0, end; at < head.size; at = end) {
        stamma_text rest = {head.data + at, head.size - at};
        const stamma_text word = take_word(&rest);
        for (end = at + word.size; end < head.size && head.data[end] == ' ';)
            end++;
        for (size_t n = 0; n < FIDE_COLUMNS; n++)
            if (words[n] ? tool_text_is(word, words[n]) : rating)
                columns[n] = (fide_column){at, end};
        rating = tool_text_is(word, "FOA");
    }
    return columns[FIDE_NAME].first > 0 && columns[FIDE_NAME].end < head.size;
}

static stamma_text cell_of(stamma_text line, const fide_column *column)
{
    const size_t end = line.size < column->end ? line.size : column->end;
    return end <= column->first ? (stamma_text){NULL, 0}
                                : trim((stamma_text){line.data + column->first, end - column->first});
}

static bool read_table(const char *path, stamma_text rest, stamma_names *names)
{
    fide_column columns[FIDE_COLUMNS] = {{0, 0}};
    stamma_text line;
    if (!next_line(&rest, &line) || !read_head(trim(line), columns))
        return tool_name_table_fail(path, 1, "not a list of FIDE: neither XML nor a head with the column Name");
    bool right = true;
    while (right && next_line(&rest, &line)) {
        stamma_text id = cell_of(line, &(fide_column){0, columns[FIDE_NAME].first});
        id.size = digits_of(id);
        stamma_name_person person = {.size = sizeof person,
                                     .name = cell_of(line, &columns[FIDE_NAME]),
                                     .id = id,
                                     .federation = cell_of(line, &columns[FIDE_FEDERATION]),
                                     .title = cell_of(line, &columns[FIDE_TITLE]),
                                     .rating = year_of(cell_of(line, &columns[FIDE_RATING])),
                                     .born = year_of(cell_of(line, &columns[FIDE_BORN]))};
        if (person.title.size == 0)
            person.title = cell_of(line, &columns[FIDE_WOMEN_TITLE]);
        if (id.size > 0 && person.name.size > 0)
            right = check(stamma_names_add_person(names, &person), path);
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
        stamma_name_person person = {.size = sizeof person,
                                     .name = decode(element(player, "<name>", "</name>"), &room),
                                     .id = id,
                                     .federation = element(player, "<country>", "</country>"),
                                     .title = element(player, "<title>", "</title>"),
                                     .rating = year_of(element(player, "<rating>", "</rating>")),
                                     .born = year_of(element(player, "<birthday>", "</birthday>"))};
        at += player.size;
        if (id.size == 0 || digits_of(id) != id.size || person.name.size == 0)
            continue;
        any = true;
        if (person.title.size == 0)
            person.title = element(player, "<w_title>", "</w_title>");
        right = check(room.failed ? STAMMA_ERROR_NO_MEMORY : stamma_names_add_person(names, &person), path);
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
