/* SPDX-License-Identifier: MIT */
/* Replaces names in new games, and writes the tags that follow from their moves. */
#include "updating/updating.h"

bool update_changes_open(update_changes *c)
{
    for (size_t n = 0; n < CLASSIFY_TAGS; n++)
        c->classify.writes[n] = true;
    c->apply = (name_apply){.table = &c->names, .fields = ~0u};
    return !c->table || tool_name_table_read(c->table, &c->names);
}

void update_changes_close(update_changes *c)
{
    name_apply_close(&c->apply);
    classify_change_free(&c->classify);
    tool_name_table_close(&c->names);
    tool_buffer_free(&c->renamed);
    tool_buffer_free(&c->edited);
}

static bool rename_players(update_changes *c, const stamma_archive_game *game, stamma_text *text)
{
    c->renamed.size = 0;
    const tool_verdict verdict = name_apply_game(&c->apply, game, game->number - 1, &c->renamed);
    if (verdict == TOOL_GAME_EDIT) {
        *text = (stamma_text){c->renamed.bytes, c->renamed.size};
        c->named++;
    }
    return verdict != TOOL_GAME_FAIL;
}

/* The tags that classify reads and writes are not those of names. */
static bool classify(update_changes *c, const stamma_archive_game *game, stamma_text *text)
{
    stamma_archive_game renamed = *game;
    renamed.text = *text;
    c->edited.size = 0;
    const tool_verdict verdict = classify_change_game(&c->classify, &renamed, &c->edited, NULL);
    if (verdict == TOOL_GAME_EDIT) {
        *text = (stamma_text){c->edited.bytes, c->edited.size};
        c->classified++;
    }
    return verdict != TOOL_GAME_FAIL;
}

/* A game that the archive has stays as it is, so that it is found there. So does a game without tags: text before it
 * could become a part of it. */
static bool change_game(void *context, const stamma_archive_game *game, stamma_text *text)
{
    update_changes *c = context;
    bool known = false;
    if (game->tag_count == 0)
        return true;
    if (!tool_new_games_has(c->known, game, &known))
        return false;
    return known || ((!c->table || rename_players(c, game, text)) && (!c->classifies || classify(c, game, text)));
}

bool update_changes_apply(void *context, tool_staged *staged, tool_new_games *known, bool *changed)
{
    update_changes *c = context;
    c->known = known;
    const bool right = tool_staged_change(staged, c->run->packs, c->run->archive, change_game, c);
    *changed = c->named + c->classified > 0;
    return right;
}
