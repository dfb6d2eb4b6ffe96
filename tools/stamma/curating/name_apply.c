/* SPDX-License-Identifier: MIT */
/* Applies the table of `stamma names` to the tags of games. */
#include "curating/name_apply.h"

enum { PLAYERS = 2 }; /* of the first tags */

/* ---- FIDE ids ---- */

static int compare_uses(const void *a, const void *b)
{
    const name_use *x = a, *y = b;
    if (x->after != y->after)
        return x->after < y->after ? -1 : 1;
    if (x->before != y->before)
        return x->before < y->before ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Lists the names of players in the table. */
static bool list_names(name_apply *a)
{
    size_t count = 0;
    a->names = calloc(2 * a->table->count + 1, sizeof *a->names);
    if (!a->names)
        return tool_fail_memory(NULL);
    for (size_t n = 0; n < a->table->count; n++)
        if (a->table->rows[n].field == STAMMA_NAME_PLAYER) {
            a->names[count++] = a->table->rows[n].from;
            a->names[count++] = a->table->rows[n].to;
        }
    qsort(a->names, count, sizeof *a->names, tool_text_compare);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || !tool_text_equal(a->names[n], a->names[a->name_count - 1]))
            a->names[a->name_count++] = a->names[n];
    return true;
}

/* Returns the number of a name, or UINT32_MAX if the table does not contain it.
 */
static uint32_t number_of(const name_apply *a, stamma_text name)
{
    const stamma_text *found =
        a->name_count == 0 ? NULL : bsearch(&name, a->names, a->name_count, sizeof *a->names, tool_text_compare);
    return found ? (uint32_t)(found - a->names) : UINT32_MAX;
}

/* Sorts the uses, and removes those that occur several times. */
static void sort_uses(name_apply *a)
{
    size_t kept = 0;
    if (a->use_count > 1)
        qsort(a->uses, a->use_count, sizeof *a->uses, compare_uses);
    for (size_t n = 0; n < a->use_count; n++)
        if (n == 0 || compare_uses(&a->uses[n], &a->uses[kept - 1]) != 0)
            a->uses[kept++] = a->uses[n];
    a->use_count = kept;
}

static bool add_use(name_apply *a, const name_use *use)
{
    if (a->use_count == a->use_room)
        sort_uses(a);
    if (2 * a->use_count >= a->use_room) {
        size_t room = 2 * a->use_room + 4096;
        name_use *more = realloc(a->uses, room * sizeof *more);
        if (!more)
            return tool_fail_memory(NULL);
        a->uses = more;
        a->use_room = room;
    }
    a->uses[a->use_count++] = *use;
    return true;
}

static bool note_game(void *context, const stamma_archive_game *game)
{
    name_apply *a = context;
    stamma_text values[TOOL_NAME_TAGS], after[TOOL_NAME_TAGS];
    if (game->continuation)
        return true;
    tool_name_values(a->table, a->fields, game, a->rooms, values, after);
    for (size_t n = 0; n < PLAYERS; n++) {
        stamma_text id = tool_name_id(game, n);
        name_use use = {.before = values[n].data ? number_of(a, values[n]) : UINT32_MAX};
        if (id.size == 0 || use.before == UINT32_MAX)
            continue;
        for (size_t i = 0; i < id.size; i++)
            use.id = use.id * 10 + ((uint64_t)(uint8_t)id.data[i] - '0');
        use.after = number_of(a, after[n]);
        if (!add_use(a, &use))
            return false;
    }
    return true;
}

static bool has_id(const name_use *uses, size_t count, uint64_t id)
{
    for (size_t n = 0; n < count; n++)
        if (uses[n].id == id)
            return true;
    return false;
}

/* Checks the FIDE ids that have the same name after the decisions. Only ids that had a common name before may have the
 * same name. */
static bool check_name(const name_apply *a, const name_use *uses, size_t count)
{
    size_t joined = 0; /* the first uses, whose ids have names in common */
    while (joined < count && uses[joined].before == uses[0].before)
        joined++;
    for (size_t n = joined; n < count;) {
        size_t end = n;
        bool common = false;
        while (end < count && uses[end].before == uses[n].before)
            common |= has_id(uses, joined, uses[end++].id);
        if (!common) {
            const stamma_text to = a->names[uses[0].after], one = a->names[uses[0].before],
                              other = a->names[uses[n].before];
            tool_say(NULL,
                     "\"%.*s\" would be the name of FIDE ids %" PRIu64 " (%.*s) and %" PRIu64
                     " (%.*s); edit the table, or use --merge-ids",
                     (int)to.size, to.data, uses[0].id, (int)one.size, one.data, uses[n].id, (int)other.size,
                     other.data);
            return false;
        }
        joined = n = end;
    }
    return true;
}

bool name_apply_check_ids(name_apply *a, tool_many *many)
{
    bool right = list_names(a) && tool_many_visit(many, STAMMA_GAME_TAGS, note_game, a);
    sort_uses(a);
    for (size_t n = 0, first = 0; n < a->use_count && right; n++)
        if (n + 1 == a->use_count || a->uses[n].after != a->uses[n + 1].after) {
            right = check_name(a, &a->uses[first], n + 1 - first);
            first = n + 1;
        }
    return right;
}

/* ---- games ---- */

/* Returns the byte of the character at *at in Windows-1252, and moves *at past the character. Returns 0 if there is no
 * such byte. */
static uint8_t take_byte(stamma_text value, size_t *at)
{
    for (unsigned byte = (uint8_t)value.data[*at] < 0x80 ? (uint8_t)value.data[*at] : 0x80; byte < 0x100; byte++) {
        char character[TOOL_CHARACTER_SIZE];
        const size_t size = tool_text_character((char)byte, character);
        if (size <= value.size - *at && memcmp(value.data + *at, character, size) == 0) {
            *at += size;
            return (uint8_t)byte;
        }
    }
    return 0;
}

/* Returns a value in Windows-1252 if the old value is not in UTF-8 and the new one has only characters of
 * Windows-1252. */
static stamma_text encode(stamma_text value, stamma_text old, tool_buffer *room)
{
    room->size = 0;
    if (tool_text_is_utf8(old))
        return value;
    for (size_t at = 0; at < value.size;) {
        const uint8_t byte = take_byte(value, &at);
        if (byte == 0)
            return value;
        (void)tool_buffer_add(room, &byte, 1);
    }
    return room->failed ? value : (stamma_text){room->bytes, room->size};
}

/* Adds a tag that a game lacks. */
static void fill_tag(const stamma_archive_game *game, const char *name, stamma_text value, stamma_tag_edit *edits,
                     size_t *count)
{
    if (value.size > 0 && stamma_archive_game_tag(game, stamma_text_of(name)).size == 0)
        edits[(*count)++] = (stamma_tag_edit){.name = stamma_text_of(name), .value = value};
}

/* Adds the ids and titles of the players that the game lacks. A player whose id in the game is another one is not the
 * player of the table, and both players cannot be one. */
static void fill_players(const name_apply *a, const stamma_archive_game *game, const stamma_text *values,
                         stamma_tag_edit *edits, size_t *count)
{
    static const char *const titles[PLAYERS] = {"WhiteTitle", "BlackTitle"};
    const tool_name_row *rows[PLAYERS] = {NULL, NULL};
    for (size_t n = 0; n < PLAYERS && (a->fills_id || a->fills_title); n++) {
        const tool_name_place place = {tool_name_id(game, n), {"", 0}, {"", 0}, {"", 0}};
        rows[n] = values[n].data ? tool_name_table_player(a->table, values[n], &place) : NULL;
        if (rows[n] && place.id.size > 0 && rows[n]->fide.size > 0 && !tool_text_equal(place.id, rows[n]->fide))
            rows[n] = NULL;
    }
    if (rows[0] && rows[1] && rows[0]->fide.size > 0 && tool_text_equal(rows[0]->fide, rows[1]->fide))
        return;
    for (size_t n = 0; n < PLAYERS; n++) {
        if (rows[n] && a->fills_id)
            fill_tag(game, tool_name_tags[n].id, rows[n]->fide, edits, count);
        if (rows[n] && a->fills_title)
            fill_tag(game, titles[n], rows[n]->title, edits, count);
    }
}

tool_verdict name_apply_game(void *context, const stamma_archive_game *game, uint64_t index, tool_buffer *edited)
{
    name_apply *a = context;
    stamma_text values[TOOL_NAME_TAGS], after[TOOL_NAME_TAGS];
    stamma_tag_edit edits[TOOL_NAME_TAGS + 2 * PLAYERS];
    size_t count = 0;
    (void)index;
    tool_name_values(a->table, a->fields, game, a->rooms, values, after);
    for (size_t n = 0; n < TOOL_NAME_TAGS; n++) {
        const stamma_text name = stamma_text_of(tool_name_tags[n].tag);
        if (!values[n].data || tool_text_equal(after[n], values[n]))
            continue;
        const stamma_text value = encode(after[n], stamma_archive_game_tag(game, name), &a->rooms[TOOL_NAME_TAGS + n]);
        edits[count++] = (stamma_tag_edit){.name = name, .value = value};
    }
    for (size_t n = 0; n < 2 * TOOL_NAME_TAGS; n++)
        if (a->rooms[n].failed) {
            (void)tool_fail_memory(NULL);
            return TOOL_GAME_FAIL;
        }
    const size_t changed = count;
    fill_players(a, game, values, edits, &count);
    if (count == 0)
        return TOOL_GAME_KEEP;
    const stamma_output output = tool_buffer_output(edited);
    stamma_error error = stamma_pgn_edit_tags(game->text, edits, count, &output);
    if (error && !edited->failed) {
        tool_say(NULL, "game %" PRIu64 ": %s", index + 1, stamma_error_text(error));
        return TOOL_GAME_FAIL;
    }
    a->tags += changed;
    a->filled += count - changed;
    return TOOL_GAME_EDIT;
}

void name_apply_close(name_apply *a)
{
    for (size_t n = 0; n < 2 * TOOL_NAME_TAGS; n++)
        tool_buffer_free(&a->rooms[n]);
    free(a->names);
    free(a->uses);
}
