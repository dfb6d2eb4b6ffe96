/* SPDX-License-Identifier: MIT */
/* Reads the table of decisions of `stamma names`, and finds the replacements of values. */
#include "games/name_table.h"

enum { COLUMNS = 11, HOPS = 64 };

typedef enum column { FIELD, FROM, TO, APPLY, ID, EVENT, SITE, ROUND, FIDE, TITLE, OTHER } column;

static const char *const column_names[] = {"kind",  "from", "to",    "apply", "id",
                                           "event", "site", "round", "fide",  "title"};

/* ---- CSV ---- */

stamma_text tool_csv_cell(char **at, char separator, char *end, size_t *line)
{
    char *in = *at, *out = in, *first = in;
    bool quoted = *in == '"';
    in += quoted;
    while (*in && (quoted || (*in != separator && *in != '\n' && *in != '\r'))) {
        *line += *in == '\n';
        if (quoted && *in == '"') {
            quoted = in[1] == '"'; /* two quotes are one quote of the text */
            in += 1;
            if (!quoted)
                continue;
        }
        *out++ = *in++;
    }
    *end = *in;
    in += *in == '\r' && in[1] == '\n';
    *line += *in == '\n' || *in == '\r';
    *at = in + (*in != '\0');
    return (stamma_text){first, (size_t)(out - first)};
}

/* Reads the head. Returns false if there are no columns `from` and `to`, or several of one kind. */
static bool read_head(char **at, char separator, column *columns, size_t *count, size_t *line)
{
    char end = separator;
    unsigned known[OTHER + 1] = {0};
    for (*count = 0; end == separator && *count < 64;) {
        stamma_text name = tool_csv_cell(at, separator, &end, line);
        column c = FIELD;
        while (c < OTHER && !tool_text_is(name, column_names[c]))
            c++;
        if (tool_text_is(name, "field")) /* an earlier name */
            c = FIELD;
        columns[(*count)++] = c;
        known[c]++;
    }
    for (column c = FIELD; c < OTHER; c++)
        if (known[c] > 1)
            return false;
    return known[FROM] == 1 && known[TO] == 1 && end != separator;
}

static bool read_field(stamma_text name, stamma_name_kind *field)
{
    *field = STAMMA_NAME_PLAYER;
    while (name.size > 0 && *field <= STAMMA_NAME_DATE && !tool_text_is(name, stamma_name_kind_name(*field)))
        (*field)++;
    return *field <= STAMMA_NAME_DATE;
}

/* Reads whether a row is to be applied. An empty cell means yes. */
static bool read_apply(stamma_text word, bool *apply)
{
    static const char *const words[] = {"", "yes", "y", "1", "no", "n", "0"};
    size_t n = 0, count = sizeof words / sizeof *words;
    while (n < count && !tool_text_is(word, words[n]))
        n++;
    *apply = n < 4;
    return n < count;
}

/* Reads "", "123", "only 123" and "none". */
static void read_id(stamma_text id, tool_name_row *row)
{
    static const char only[] = "only ";
    row->only_id = tool_text_is(id, "none");
    row->id = row->only_id ? (stamma_text){"", 0} : id;
    if (id.size > sizeof only - 1 && memcmp(id.data, only, sizeof only - 1) == 0) {
        row->only_id = true;
        row->id = (stamma_text){id.data + sizeof only - 1, id.size - (sizeof only - 1)};
    }
}

bool tool_name_table_fail(const char *path, size_t line, const char *message)
{
    tool_say(path, "line %zu: %s", line, message);
    return false;
}

/* Adds a row to a list. */
static bool keep_row(const char *path, tool_name_row **rows, size_t *count, const tool_name_row *row)
{
    if (*count % 1024 == 0) {
        tool_name_row *more = realloc(*rows, (*count + 1024) * sizeof *more);
        if (!more)
            return tool_fail_memory(path);
        *rows = more;
    }
    (*rows)[(*count)++] = *row;
    return true;
}

/* Returns the first of several titles: "IM+WGM". */
static stamma_text first_title(stamma_text titles)
{
    const char *plus = titles.size > 0 ? memchr(titles.data, '+', titles.size) : NULL;
    return plus ? (stamma_text){titles.data, (size_t)(plus - titles.data)} : titles;
}

/* Checks a value for tags. */
static bool check_value(const char *path, size_t line, stamma_text value, const char *message)
{
    for (size_t n = 0; n < value.size; n++)
        if ((uint8_t)value.data[n] < 0x20)
            return tool_name_table_fail(path, line, message);
    return true;
}

/* Makes a row of its cells, and adds it if it is to be applied. */
static bool add_row(tool_name_table *t, const char *path, const stamma_text *cells, size_t line)
{
    tool_name_row row = {
        .from = cells[FROM], .to = cells[TO], .event = cells[EVENT], .site = cells[SITE], .round = cells[ROUND]};
    bool apply;
    row.line = line;
    if (!read_field(cells[FIELD], &row.field))
        return tool_name_table_fail(path, line, "the kind is unknown; use player, event, site, round or date");
    if (!read_apply(cells[APPLY], &apply))
        return tool_name_table_fail(path, line, "the column apply must be yes or no");
    if (!apply || row.from.size == 0)
        return true;
    if (row.to.size == 0)
        return tool_name_table_fail(path, line, "the column to is empty");
    if (!check_value(path, line, row.to, "the column to has a control character") ||
        !check_value(path, line, cells[FIDE], "the column fide has a control character") ||
        !check_value(path, line, cells[TITLE], "the column title has a control character"))
        return false;
    read_id(cells[ID], &row);
    row.fide = cells[FIDE].size > 0 ? cells[FIDE] : row.id;
    row.title = first_title(cells[TITLE]);
    if (!tool_text_equal(row.from, row.to))
        return keep_row(path, &t->rows, &t->count, &row);
    return row.field != STAMMA_NAME_PLAYER || row.fide.size + row.title.size == 0 ||
           keep_row(path, &t->stays, &t->stay_count, &row);
}

static bool read_rows(tool_name_table *t, const char *path, char *at)
{
    column columns[64];
    size_t count, line = 1;
    at += memcmp(at, "\xEF\xBB\xBF", strnlen(at, 3)) == 0 && strnlen(at, 3) == 3 ? 3 : 0;
    char separator = strcspn(at, ";\n") < strcspn(at, ",\n") ? ';' : ',';
    if (!read_head(&at, separator, columns, &count, &line))
        return tool_name_table_fail(path, 1,
                                    "not a table of names: the first line must name the columns, once "
                                    "each: from, to and others");
    while (*at) {
        stamma_text cells[COLUMNS] = {{NULL, 0}};
        size_t first = line, n = 0;
        char end = separator;
        for (; end == separator; n++) {
            stamma_text cell = tool_csv_cell(&at, separator, &end, &line);
            cells[n < count ? columns[n] : OTHER] = cell;
        }
        for (size_t i = 0; i < COLUMNS; i++)
            cells[i] = cells[i].data ? cells[i] : (stamma_text){"", 0};
        if ((n > 1 || cells[columns[0]].size > 0) && !add_row(t, path, cells, first))
            return false;
    }
    return true;
}

/* ---- order and look-up ---- */

static int compare_texts(stamma_text a, stamma_text b)
{
    int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* Returns a rank. Rows with the same value are sorted by it, so that rows with more conditions are first. */
static size_t conditions(const tool_name_row *row)
{
    return 4u * row->only_id + 2u * (row->id.size > 0) + (row->event.size > 0) + (row->site.size > 0) +
           2u * (row->round.size > 0);
}

static int compare_rows(const void *a, const void *b)
{
    const tool_name_row *x = a, *y = b;
    if (x->field != y->field)
        return x->field < y->field ? -1 : 1;
    int order = compare_texts(x->from, y->from);
    if (order != 0)
        return order;
    if (conditions(x) != conditions(y))
        return conditions(x) > conditions(y) ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static size_t first_row(const tool_name_row *rows, size_t count, stamma_name_kind field, stamma_text from)
{
    size_t first = 0, last = count;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        const tool_name_row *row = &rows[middle];
        if (row->field < field || (row->field == field && compare_texts(row->from, from) < 0))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

size_t tool_name_table_first(const tool_name_table *t, stamma_name_kind field, stamma_text from)
{
    return first_row(t->rows, t->count, field, from);
}

static bool is_equal(stamma_text a, stamma_text b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool is_for(const tool_name_row *row, const tool_name_place *place)
{
    bool id = row->only_id ? is_equal(row->id, place->id)
                           : row->id.size == 0 || place->id.size == 0 || is_equal(row->id, place->id);
    return id && (row->event.size == 0 || is_equal(row->event, place->event)) &&
           (row->site.size == 0 || is_equal(row->site, place->site)) &&
           (row->round.size == 0 || is_equal(row->round, place->round));
}

/* Returns the first row for a player's name at a place, or NULL. */
static const tool_name_row *row_of(const tool_name_row *rows, size_t count, stamma_text name,
                                   const tool_name_place *place)
{
    size_t n = first_row(rows, count, STAMMA_NAME_PLAYER, name);
    for (; n < count && rows[n].field == STAMMA_NAME_PLAYER && is_equal(rows[n].from, name); n++)
        if (is_for(&rows[n], place))
            return &rows[n];
    return NULL;
}

const tool_name_row *tool_name_table_player(const tool_name_table *t, stamma_text name, const tool_name_place *place)
{
    const tool_name_row *row = row_of(t->rows, t->count, name, place);
    if (row && row->fide.size + row->title.size > 0)
        return row;
    return row_of(t->stays, t->stay_count, row ? tool_name_table_find(t, STAMMA_NAME_PLAYER, name, place) : name,
                  place);
}

/* Follows the decisions, for example from a date in another format to a
 * complete date. */
stamma_text tool_name_table_find(const tool_name_table *t, stamma_name_kind field, stamma_text value,
                                 const tool_name_place *place)
{
    static const tool_name_place nowhere = {{"", 0}, {"", 0}, {"", 0}, {"", 0}};
    place = place ? place : &nowhere;
    for (unsigned hop = 0; hop < HOPS; hop++) {
        size_t n = tool_name_table_first(t, field, value);
        while (n < t->count && t->rows[n].field == field && is_equal(t->rows[n].from, value) &&
               !is_for(&t->rows[n], place))
            n++;
        if (n == t->count || t->rows[n].field != field || !is_equal(t->rows[n].from, value))
            break;
        value = t->rows[n].to;
    }
    return value;
}

/* Reports rows that contradict each other, and rows that lead back to their
 * value. */
static bool check_rows(const tool_name_table *t, const char *path)
{
    for (size_t n = 0; n < t->count; n++) {
        const tool_name_row *row = &t->rows[n], *next = row + 1;
        const tool_name_place place = {row->id, row->event, row->site, row->round};
        if (n + 1 < t->count && row->field == next->field && is_equal(row->from, next->from) &&
            row->only_id == next->only_id && is_equal(row->id, next->id) && is_equal(row->event, next->event) &&
            is_equal(row->site, next->site) && is_equal(row->round, next->round) && !is_equal(row->to, next->to)) {
            tool_say(path, "lines %zu and %zu replace the same value by different values", row->line, next->line);
            return false;
        }
        stamma_text to = row->to;
        for (unsigned hop = 0; hop < HOPS; hop++) {
            size_t other = tool_name_table_first(t, row->field, to);
            while (other < t->count && t->rows[other].field == row->field && is_equal(t->rows[other].from, to) &&
                   !is_for(&t->rows[other], &place))
                other++;
            if (other == t->count || t->rows[other].field != row->field || !is_equal(t->rows[other].from, to))
                break;
            to = t->rows[other].to;
            if (is_equal(to, row->from))
                return tool_name_table_fail(path, row->line, "other lines lead from the new value back to the old one");
        }
    }
    return true;
}

bool tool_name_table_read(const char *path, tool_name_table *t)
{
    tool_file file;
    size_t size;
    *t = (tool_name_table){.count = 0};
    if (!tool_file_open(path, &file))
        return false;
    t->text = tool_file_read_all(&file, &size);
    tool_file_close(&file);
    bool right = t->text != NULL && read_rows(t, path, t->text);
    if (right && t->count > 1)
        qsort(t->rows, t->count, sizeof *t->rows, compare_rows);
    if (right && t->stay_count > 1)
        qsort(t->stays, t->stay_count, sizeof *t->stays, compare_rows);
    right = right && check_rows(t, path);
    if (!right)
        tool_name_table_close(t);
    return right;
}

void tool_name_table_close(tool_name_table *t)
{
    free(t->rows);
    free(t->stays);
    free(t->text);
    *t = (tool_name_table){.count = 0};
}

/* ---- values of games ---- */

stamma_text tool_name_plain(stamma_text value, tool_buffer *room)
{
    bool escapes = value.size > 0 && memchr(value.data, '\\', value.size), utf8 = tool_text_is_utf8(value);
    if (!escapes && utf8)
        return value.data ? value : (stamma_text){"", 0};
    room->size = 0;
    if (!tool_buffer_add(room, value.data, value.size))
        return (stamma_text){"", 0};
    size_t size = stamma_pgn_unescape(value, room->bytes);
    if (utf8)
        return (stamma_text){room->bytes, size};
    room->size = size;
    for (size_t n = 0; n < size; n++) {
        char character[TOOL_CHARACTER_SIZE];
        (void)tool_buffer_add(room, character, tool_text_character(room->bytes[n], character));
    }
    return room->failed ? (stamma_text){"", 0} : (stamma_text){room->bytes + size, room->size - size};
}
