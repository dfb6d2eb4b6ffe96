/* SPDX-License-Identifier: MIT */
/* Writes the file of persons: players with a FIDE id or several spellings become persons, and new spellings are added
 * to the persons that the file already has. */
#include "curating/person_write.h"

/* A spelling of a player. */
typedef struct spelling {
    stamma_text name, player; /* FIDE id of the player; empty: unknown */
    stamma_text to;           /* the name to show */
    uint64_t games, hash;     /* hash of the words of the name */
    uint32_t listed;
    uint32_t group; /* equal numbers are one player; 0: by `to` */
    bool shared;    /* another player has a name with these words */
} spelling;

/* A name or id of a person of the file, in the order of the texts. */
typedef struct known_text {
    stamma_text text;
    size_t person;
    bool fide, bound; /* a FIDE id; or a name with a limit */
} known_text;

enum { ID_SIZE = 100 };

/* A new person. */
typedef struct new_person {
    char id[ID_SIZE];
    stamma_text fide;
    size_t number; /* of new persons, in the order of players */
    tool_buffer lines;
} new_person;

typedef struct writing {
    const stamma_names *names;
    tool_persons persons; /* of the file */
    size_t *first_line;   /* for each person of the file and after the last: index of its first line */
    known_text *known;
    size_t known_count;
    spelling *list; /* in the order of players */
    size_t count;
    tool_buffer *more; /* for each person of the file: lines to add */
    new_person *added;
    size_t added_count, added_room, changed;
} writing;

static int compare(stamma_text a, stamma_text b)
{
    return tool_text_compare(&a, &b);
}

/* ---- the spellings ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_players(const void *a, const void *b)
{
    const spelling *x = a, *y = b;
    int order = compare(x->player, y->player);
    if (order == 0 && x->player.size == 0)
        order = x->group != y->group ? compare_numbers(x->group, y->group) : compare(x->to, y->to);
    if (order == 0)
        order = compare_numbers(y->games, x->games);
    return order != 0 ? order : compare(x->name, y->name);
}

static int compare_hashes(const void *a, const void *b)
{
    const spelling *x = a, *y = b;
    const int order = compare_numbers(x->hash, y->hash);
    return order != 0 ? order : compare_players(a, b);
}

static bool is_same_player(const spelling *a, const spelling *b)
{
    if (a->player.size > 0 || b->player.size > 0)
        return tool_text_equal(a->player, b->player);
    return a->group == b->group && (a->group > 0 || tool_text_equal(a->to, b->to));
}

static stamma_text text_or_empty(stamma_text text)
{
    return text.data ? text : (stamma_text){"", 0};
}

/* Reads a spelling from the names. A table replaces the decisions about names, and also the decision that games without
 * an id belong to a player with one. */
static bool read_spelling(const writing *w, size_t index, const tool_name_table *table, spelling *s)
{
    stamma_name_player p = {.size = sizeof p};
    if (stamma_names_player(w->names, index, &p) || p.games == 0 || p.name.size == 0 || tool_text_is(p.name, "?"))
        return false;
    const tool_name_place place = {text_or_empty(p.id), {"", 0}, {"", 0}, {"", 0}};
    *s = (spelling){.name = p.name, .to = p.to, .player = text_or_empty(p.player_id), .games = p.games};
    s->listed = p.person;
    s->group = table ? 0 : p.group;
    if (table) {
        s->to = tool_name_table_find(table, STAMMA_NAME_PLAYER, p.name, &place);
        const tool_name_row *row = tool_name_table_player(table, p.name, &place);
        s->player = row && row->fide.size > 0 && place.id.size == 0 ? row->fide : place.id;
    }
    return true;
}

/* Lists the spellings. */
static bool list_spellings(writing *w, const tool_name_table *table)
{
    const size_t count = stamma_names_player_count(w->names);
    w->list = calloc(count + 1, sizeof *w->list);
    if (!w->list)
        return tool_fail_memory(NULL);
    for (size_t n = 0; n < count; n++)
        if (read_spelling(w, n, table, &w->list[w->count]) &&
            stamma_name_hash(w->list[w->count].name, NULL, &w->list[w->count].hash))
            return tool_fail_memory(NULL);
        else if (w->list[w->count].games > 0)
            w->count++;
    return true;
}

static int compare_targets(const void *a, const void *b)
{
    const spelling *x = a, *y = b;
    const int order = compare(x->to, y->to);
    return order != 0 ? order : compare(x->player, y->player);
}

/* Spellings without an id that a table replaces by the name of one id belong to this id. */
static void join_targets(writing *w)
{
    if (w->count > 1)
        qsort(w->list, w->count, sizeof *w->list, compare_targets);
    for (size_t first = 0, end; first < w->count; first = end) { /* spellings without an id are first */
        size_t named = first;
        for (end = first + 1; end < w->count && tool_text_equal(w->list[end].to, w->list[first].to);)
            end++;
        while (named < end && w->list[named].player.size == 0)
            named++;
        if (named == end || !tool_text_equal(w->list[named].player, w->list[end - 1].player))
            continue;
        while (named-- > first)
            w->list[named].player = w->list[end - 1].player;
    }
}

/* Marks names that several players have. */
static void mark_shared(writing *w)
{
    if (w->count > 1)
        qsort(w->list, w->count, sizeof *w->list, compare_hashes);
    for (size_t first = 0, n = 0; n < w->count; n++) {
        if (n + 1 < w->count && w->list[n + 1].hash == w->list[first].hash)
            continue;
        bool shared = false;
        for (size_t k = first; k < n; k++)
            shared |= !is_same_player(&w->list[k], &w->list[k + 1]);
        for (size_t k = first; k <= n; k++)
            w->list[k].shared = shared;
        first = n + 1;
    }
    if (w->count > 1)
        qsort(w->list, w->count, sizeof *w->list, compare_players);
}

/* ---- the persons of the file ---- */

static int compare_known(const void *a, const void *b)
{
    const known_text *x = a, *y = b;
    const int order = compare(x->text, y->text);
    return order != 0 ? order : (x->person > y->person) - (x->person < y->person);
}

static bool list_known(writing *w)
{
    const tool_persons *p = &w->persons;
    w->known = calloc(p->line_count + 1, sizeof *w->known);
    w->more = calloc(p->count + 1, sizeof *w->more);
    w->first_line = calloc(p->count + 1, sizeof *w->first_line);
    if (!w->known || !w->more || !w->first_line)
        return tool_fail_memory(NULL);
    for (size_t n = 0, line = 0; n <= p->count; n++) { /* the lines are in the order of persons */
        w->first_line[n] = line;
        while (line < p->line_count && p->lines[line].person == n)
            line++;
    }
    for (size_t n = 0; n < p->line_count; n++) {
        const tool_person_line *line = &p->lines[n];
        if (line->key <= TOOL_PERSON_FIDE || line->key == TOOL_PERSON_NOT)
            w->known[w->known_count++] = (known_text){line->value, line->person, line->key == TOOL_PERSON_FIDE,
                                                      line->only.size > 0 || line->key == TOOL_PERSON_NOT};
    }
    if (w->known_count > 1)
        qsort(w->known, w->known_count, sizeof *w->known, compare_known);
    return true;
}

/* Returns the first known text that is not before `text`. */
static size_t first_known(const writing *w, stamma_text text)
{
    size_t low = 0, high = w->known_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(w->known[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_key(const writing *w, size_t person, tool_person_key key)
{
    for (size_t n = w->first_line[person]; n < w->first_line[person + 1]; n++)
        if (w->persons.lines[n].key == key)
            return true;
    return false;
}

/* Returns the person of the file with a text; SIZE_MAX: none. */
static size_t known_person(const writing *w, stamma_text text, bool fide)
{
    for (size_t n = first_known(w, text); n < w->known_count && tool_text_equal(w->known[n].text, text); n++)
        if (w->known[n].fide == fide && !w->known[n].bound)
            return w->known[n].person;
    return SIZE_MAX;
}

/* Returns whether a line of the file says whether a person has a name, or another person has the name. */
static bool is_settled(const writing *w, size_t person, stamma_text name)
{
    for (size_t n = first_known(w, name); n < w->known_count && tool_text_equal(w->known[n].text, name); n++)
        if (!w->known[n].fide && (w->known[n].person == person || !w->known[n].bound))
            return true;
    return false;
}

/* Returns the person of the file that a player is: with the FIDE id, otherwise with a name. A person with another id is
 * another player. SIZE_MAX: none. */
static size_t find_person(const writing *w, const spelling *list, size_t count)
{
    const stamma_text id = list[0].player;
    size_t person = id.size > 0 ? known_person(w, id, true) : SIZE_MAX;
    for (size_t n = 0; n < count && person == SIZE_MAX; n++) {
        person = list[n].shared ? SIZE_MAX : known_person(w, list[n].name, false);
        if (person != SIZE_MAX && id.size > 0 && has_key(w, person, TOOL_PERSON_FIDE))
            person = SIZE_MAX;
    }
    return person;
}

/* ---- lines ---- */

static void put(tool_buffer *out, const char *text)
{
    (void)tool_buffer_add(out, text, strlen(text));
}

static void put_line(tool_buffer *out, tool_person_key key, stamma_text value, stamma_text only)
{
    put(out, tool_person_keys[key]);
    put(out, " = ");
    (void)tool_buffer_add(out, value.data, value.size);
    if (only.size > 0) {
        put(out, " @ ");
        (void)tool_buffer_add(out, only.data, only.size);
    }
    put(out, "\n");
}

/* Returns whether a name can be written in a line, and is read again as the same name. */
static bool is_writable(stamma_text name)
{
    for (size_t n = 0; n < name.size; n++)
        if ((uint8_t)name.data[n] < 0x20 || name.data[n] == '@')
            return false;
    return tool_text_is_utf8(name) && name.data[0] != ' ' && name.data[name.size - 1] != ' ';
}

/* Puts the names of a player that the person in the file does not have. A name that several players have is limited to
 * the player's id. Returns their number. */
static size_t put_names(const writing *w, size_t person, const spelling *list, size_t count, tool_buffer *out)
{
    const stamma_text to = list[0].to, id = list[0].player, none = {"", 0};
    size_t written = 0;
    bool shown = false;
    for (size_t n = 0; n < count; n++)
        shown |= tool_text_equal(list[n].name, to);
    if (person == SIZE_MAX && !shown && is_writable(to) && !is_settled(w, person, to))
        put_line(out, TOOL_PERSON_NAME, to, list[0].shared ? id : none);
    for (unsigned pass = 0; pass < 2; pass++) /* the name to show is first */
        for (size_t n = 0; n < count; n++) {
            const spelling *s = &list[n];
            const bool again = n > 0 && tool_text_equal(s->name, list[n - 1].name);
            if (tool_text_equal(s->name, to) != (pass == 0) || again || (s->shared && id.size == 0) ||
                !is_writable(s->name) || is_settled(w, person, s->name))
                continue;
            put_line(out, TOOL_PERSON_NAME, s->name, s->shared ? id : none);
            written++;
        }
    return written;
}

/* Puts the id of a player, and what the lists say about the player, if the person in the file has no such lines. */
static void put_facts(const writing *w, size_t person, const spelling *list, size_t count, tool_buffer *out)
{
    stamma_name_person p = {.size = sizeof p};
    const stamma_text none = {"", 0};
    char born[16];
    for (size_t n = 0; n < count && p.name.size == 0; n++)
        if (list[n].listed > 0 && stamma_names_person(w->names, list[n].listed, &p))
            p = (stamma_name_person){.size = sizeof p};
    (void)snprintf(born, sizeof born, "%u", p.born);
    const stamma_text values[] = {[TOOL_PERSON_FIDE] = list[0].player.size > 0 ? list[0].player : p.id,
                                  [TOOL_PERSON_FEDERATION] = p.federation,
                                  [TOOL_PERSON_TITLE] = p.title,
                                  [TOOL_PERSON_BORN] = p.born > 0 ? stamma_text_of(born) : none};
    for (tool_person_key key = TOOL_PERSON_FIDE; key <= TOOL_PERSON_BORN; key++)
        if (values[key].size > 0 && (person == SIZE_MAX || !has_key(w, person, key)))
            put_line(out, key, values[key], none);
}

/* Writes an id from a name: "carlsen-magnus". */
static void make_id(stamma_text name, char *id, size_t size)
{
    size_t used = 0;
    for (size_t n = 0; n < name.size && used + 1 < size; n++) {
        const char c = name.data[n];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (uint8_t)c >= 0x80;
        if (c >= 'A' && c <= 'Z')
            id[used++] = (char)(c - 'A' + 'a');
        else if (letter)
            id[used++] = c;
        else if (used > 0 && id[used - 1] != '-')
            id[used++] = '-';
    }
    while (used > 0 && id[used - 1] == '-')
        used--;
    id[used] = 0;
}

/* Adds a person, unless all names belong to other persons. */
static bool add_person(writing *w, const spelling *list, size_t count)
{
    if (!tool_list_grow(&w->added, &w->added_room, w->added_count, 1, sizeof *w->added))
        return false;
    new_person *p = &w->added[w->added_count];
    *p = (new_person){.fide = list[0].player, .number = w->added_count};
    make_id(list[0].to, p->id, ID_SIZE / 2);
    while (p->id[0] && !tool_text_is_utf8(stamma_text_of(p->id)))
        p->id[strlen(p->id) - 1] = 0;
    if (!p->id[0])
        (void)snprintf(p->id, sizeof p->id, "person");
    if (put_names(w, SIZE_MAX, list, count, &p->lines) > 0) {
        put_facts(w, SIZE_MAX, list, count, &p->lines);
        w->added_count++;
    }
    const bool right = !p->lines.failed || tool_fail_memory(NULL);
    if (p->number == w->added_count)
        tool_buffer_free(&p->lines);
    return right;
}

static int compare_added(const void *a, const void *b)
{
    const new_person *x = a, *y = b;
    const int order = strcmp(x->id, y->id);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

/* Changes an id that another person has: adds the FIDE id, or a number. */
static void change_id(new_person *p, bool first, size_t number)
{
    const size_t used = strlen(p->id);
    if (first && p->fide.size > 0 && p->fide.size < 20)
        (void)snprintf(p->id + used, ID_SIZE - used, "-%.*s", (int)p->fide.size, p->fide.data);
    else
        (void)snprintf(p->id + used, ID_SIZE - used, "-%zu", number);
}

/* Sorts the new persons by their ids, and makes the ids different. */
static void settle_ids(writing *w)
{
    bool changed = w->added_count > 0;
    for (bool first = true; changed; first = false) {
        qsort(w->added, w->added_count, sizeof *w->added, compare_added);
        changed = false;
        for (size_t n = 0, same = 0; n < w->added_count; n++) {
            const bool again = n > 0 && strcmp(w->added[same].id, w->added[n].id) == 0;
            same = again ? same : n;
            if (!again && tool_persons_with_id(&w->persons, stamma_text_of(w->added[n].id)) == w->persons.count)
                continue;
            change_id(&w->added[n], first, n - same + 2);
            changed = true;
        }
    }
}

/* Returns whether a player is a person: there is an id, or there are several spellings. */
static bool is_person(const spelling *list, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (!tool_text_equal(list[n].name, list[0].name))
            return true;
    return list[0].player.size > 0 && list[0].player.data[0] != '0';
}

static bool find_persons(writing *w)
{
    bool right = true;
    for (size_t first = 0, end; first < w->count && right; first = end) {
        for (end = first + 1; end < w->count && is_same_player(&w->list[first], &w->list[end]);)
            end++;
        const spelling *list = &w->list[first];
        const size_t person = find_person(w, list, end - first);
        if (person != SIZE_MAX) {
            tool_buffer *more = &w->more[person];
            (void)put_names(w, person, list, end - first, more);
            put_facts(w, person, list, end - first, more);
            right = !more->failed || tool_fail_memory(NULL);
        } else if (is_person(list, end - first)) {
            right = add_person(w, list, end - first);
        }
    }
    for (size_t n = 0; n < w->persons.count; n++)
        w->changed += w->more[n].size > 0;
    settle_ids(w);
    return right;
}

/* ---- the file ---- */

static const char head[] =
    "# Persons: names and online accounts that belong to one player. stamma names --write-persons adds\n"
    "# persons and lines, and never changes a line. doc/reference/names.md describes the lines.\n";

/* Puts the text of the file, with new lines at the ends of its persons. */
static void put_old(const writing *w, const char *text, tool_output *out)
{
    const size_t size = strlen(text);
    size_t at = 0;
    bool ended = size == 0 || text[size - 1] == '\n';
    for (size_t n = 0; n < w->persons.count; n++) { /* in the order of the file */
        const size_t end = w->persons.list[n].end;
        (void)tool_output_write(out, text + at, end - at);
        if (w->more[n].size > 0 && text[end - 1] != '\n')
            (void)tool_output_write(out, "\n", 1);
        (void)tool_output_write(out, w->more[n].bytes, w->more[n].size);
        ended |= end == size && w->more[n].size > 0;
        at = end;
    }
    (void)tool_output_write(out, text + at, size - at);
    if (w->added_count > 0 && !ended)
        (void)tool_output_write(out, "\n", 1);
}

static void put_new(const new_person *p, tool_output *out)
{
    (void)tool_output_write(out, "\n[", 2);
    (void)tool_output_write(out, p->id, strlen(p->id));
    (void)tool_output_write(out, "]\n", 2);
    (void)tool_output_write(out, p->lines.bytes, p->lines.size);
}

static bool write_file(const writing *w, const char *path)
{
    tool_output *out = tool_output_rewrite(path, true, TOOL_BESIDE);
    if (!out)
        return false;
    put_old(w, w->persons.text_count > 0 ? w->persons.texts[0] : head, out);
    for (size_t n = 0; n < w->added_count; n++)
        put_new(&w->added[n], out);
    const bool right = tool_output_finish(out);
    tool_output_close(out);
    return right;
}

static void close_writing(writing *w)
{
    for (size_t n = 0; n < w->persons.count && w->more; n++)
        tool_buffer_free(&w->more[n]);
    for (size_t n = 0; n < w->added_count; n++)
        tool_buffer_free(&w->added[n].lines);
    tool_persons_close(&w->persons);
    free(w->added);
    free(w->more);
    free(w->first_line);
    free(w->known);
    free(w->list);
}

bool person_write(const char *path, const stamma_names *names, const tool_name_table *table, bool quiet)
{
    writing w = {.names = names};
    char all[TOOL_NUMBER_SIZE], added[TOOL_NUMBER_SIZE], changed[TOOL_NUMBER_SIZE];
    bool right =
        (!system_is_there(path) || (tool_inputs_note(path, TOOL_BESIDE) && tool_persons_read(&w.persons, path))) &&
        list_known(&w) && list_spellings(&w, table);
    if (right && table)
        join_targets(&w);
    if (right)
        mark_shared(&w);
    right = right && find_persons(&w) && (w.added_count + w.changed == 0 || write_file(&w, path));
    if (right && !quiet)
        tool_say(path, "%s persons: %s added, %s with new lines", tool_number(w.persons.count + w.added_count, all),
                 tool_number(w.added_count, added), tool_number(w.changed, changed));
    close_writing(&w);
    return right;
}
