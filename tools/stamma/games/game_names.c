/* SPDX-License-Identifier: MIT */
/* Replaces the names in the tags of a game according to a table of `stamma names`. */
#include "games/name_table.h"

const tool_name_tag tool_name_tags[TOOL_NAME_TAGS] = {
    {"White", "WhiteFideId", STAMMA_NAME_PLAYER}, {"Black", "BlackFideId", STAMMA_NAME_PLAYER},
    {"Event", NULL, STAMMA_NAME_EVENT},           {"Site", NULL, STAMMA_NAME_SITE},
    {"Round", NULL, STAMMA_NAME_ROUND},           {"Date", NULL, STAMMA_NAME_DATE}};
enum { EVENT = 2, SITE = 3, ROUND = 4 };

stamma_text tool_name_id(const stamma_archive_game *game, size_t tag)
{
    const char *name = tool_name_tags[tag].id;
    stamma_text id = name ? stamma_archive_game_tag(game, stamma_text_of(name)) : (stamma_text){"", 0};
    bool known = false;
    for (size_t n = 0; n < id.size; n++)
        known |= id.data[n] >= '1' && id.data[n] <= '9';
    return known ? id : (stamma_text){"", 0};
}

static stamma_text text_or_empty(stamma_text text)
{
    return text.data ? text : (stamma_text){"", 0};
}

void tool_name_values(const tool_name_table *table, unsigned fields, const stamma_archive_game *game,
                      tool_buffer *rooms, stamma_text *before, stamma_text *after)
{
    for (size_t n = 0; n < TOOL_NAME_TAGS; n++) {
        before[n] = stamma_archive_game_tag(game, stamma_text_of(tool_name_tags[n].tag));
        if (before[n].data)
            before[n] = tool_name_plain(before[n], &rooms[n]);
    }
    for (size_t n = 0; n < TOOL_NAME_TAGS; n++) {
        const stamma_name_kind field = tool_name_tags[n].field;
        const tool_name_place place = {tool_name_id(game, n), text_or_empty(before[EVENT]), text_or_empty(before[SITE]),
                                       text_or_empty(before[ROUND])};
        const bool replaces = before[n].data && (fields & 1u << field);
        after[n] = replaces ? tool_name_table_find(table, field, before[n], &place) : before[n];
    }
}

/* ---- a game with other names ---- */

/* Escapes quotes and backslashes, as in PGN. */
static stamma_text escaped(stamma_text value, tool_buffer *room)
{
    room->size = 0;
    for (size_t n = 0; n < value.size; n++) {
        if (value.data[n] == '"' || value.data[n] == '\\')
            (void)tool_buffer_add(room, "\\", 1);
        (void)tool_buffer_add(room, &value.data[n], 1);
    }
    return room->failed ? value : (stamma_text){room->bytes, room->size};
}

bool tool_game_rename(tool_game_names *names, stamma_archive_game *game)
{
    stamma_text before[TOOL_NAME_TAGS], after[TOOL_NAME_TAGS];
    tool_name_values(&names->table, ~0u, game, names->rooms, before, after);
    names->tags.size = 0;
    (void)tool_buffer_add(&names->tags, game->tags, game->tag_count * sizeof *game->tags);
    stamma_tag *tags = (stamma_tag *)(void *)names->tags.bytes;
    for (size_t n = 0; n < TOOL_NAME_TAGS && !names->tags.failed; n++) {
        size_t k = 0;
        if (!before[n].data || tool_text_equal(before[n], after[n]))
            continue;
        while (!tool_text_is(tags[k].name, tool_name_tags[n].tag))
            k++;
        tags[k].value = escaped(after[n], &names->rooms[TOOL_NAME_TAGS + n]);
    }
    bool failed = names->tags.failed;
    for (size_t n = 0; n < 2 * TOOL_NAME_TAGS; n++)
        failed |= names->rooms[n].failed;
    if (failed)
        return tool_fail_memory(NULL);
    if (game->tag_count > 0)
        game->tags = tags;
    return true;
}

void tool_game_names_close(tool_game_names *names)
{
    for (size_t n = 0; n < 2 * TOOL_NAME_TAGS; n++)
        tool_buffer_free(&names->rooms[n]);
    tool_buffer_free(&names->tags);
    tool_name_table_close(&names->table);
}
