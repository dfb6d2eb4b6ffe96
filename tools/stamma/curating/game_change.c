/* SPDX-License-Identifier: MIT */
/* Changes the tags and the movetext of one game. */
#include "curating/changes.h"

/* Returns whether a tag of a game, as written, has this value without escapes. */
static bool has_value(stamma_text tag, stamma_text value)
{
    const stamma_text plain = tool_text_unescape(tag);
    const bool same = tool_text_equal(plain, value);
    free((char *)(uintptr_t)plain.data);
    return same;
}

/* ---- tags ---- */

/* Returns whether an edit changes the game. */
static bool applies(const stamma_tag_edit *edit, const stamma_archive_game *game)
{
    const stamma_text old = stamma_archive_game_tag(game, edit->name);
    if (edit->remove)
        return old.data != NULL;
    if (edit->new_name.data)
        return old.data && !stamma_archive_game_tag(game, edit->new_name).data;
    return !old.data || !has_value(old, edit->value);
}

/* Chooses the edits that apply. Returns false if memory is exhausted. */
static bool choose(tool_game_change *c, const stamma_archive_game *game, size_t *count)
{
    *count = 0;
    if (c->room < c->tag_count) {
        stamma_tag_edit *chosen = realloc(c->chosen, c->tag_count * sizeof *chosen);
        if (!chosen)
            return false;
        c->chosen = chosen;
        c->room = c->tag_count;
    }
    for (size_t n = 0; n < c->tag_count; n++)
        if (applies(&c->tags[n], game))
            c->chosen[(*count)++] = c->tags[n];
    return true;
}

static void list_tags(const tool_game_change *c, size_t count, const stamma_archive_game *game, tool_changes *list)
{
    for (size_t n = 0; n < count; n++) {
        const stamma_tag_edit *edit = &c->chosen[n];
        const stamma_text old = stamma_archive_game_tag(game, edit->name);
        if (edit->new_name.data) {
            const stamma_text value = tool_text_unescape(old);
            tool_changes_tag(list, edit->new_name, (stamma_text){NULL, 0}, value);
            free((char *)(uintptr_t)value.data);
        }
        tool_changes_tag(list, edit->name, old, edit->new_name.data ? (stamma_text){NULL, 0} : edit->value);
    }
}

/* ---- movetext ---- */

static bool edits_movetext(const tool_movetext_edit *edit)
{
    return edit->strip || edit->result || edit->plies < UINT64_MAX;
}

/* Edits the movetext of a game. Refuses a game of several pieces, because no piece contains the complete movetext. */
static tool_movetext_outcome edit_movetext(tool_game_change *c, const stamma_archive_game *game,
                                           tool_movetext_changes *changes)
{
    *changes = (tool_movetext_changes){.comments = 0};
    if (!edits_movetext(&c->movetext))
        return TOOL_MOVETEXT_SAME;
    if (game->reason == STAMMA_REASON_SIZE)
        return TOOL_MOVETEXT_REFUSED;
    return tool_movetext_run(&c->editor, game->text, &c->movetext, changes);
}

static void list_movetext(const tool_game_change *c, const tool_movetext_changes *changes,
                          const stamma_archive_game *game, tool_changes *list)
{
    if (changes->result)
        tool_changes_tag(list, stamma_text_of("termination marker"), game->result, *c->movetext.result);
    tool_changes_count(list, "plies", changes->plies);
    tool_changes_count(list, "comments", changes->comments);
    tool_changes_count(list, "commands", changes->commands);
    tool_changes_count(list, "variations", changes->variations);
    tool_changes_count(list, "nags", changes->nags);
}

/* ---- the game ---- */

static tool_verdict fail(stamma_error error)
{
    tool_say(NULL, "%s", stamma_error_text(error));
    return TOOL_GAME_FAIL;
}

tool_verdict tool_game_change_apply(tool_game_change *c, const stamma_archive_game *game, tool_buffer *edited,
                                    tool_changes *list)
{
    tool_movetext_changes changes;
    size_t count;
    if (!choose(c, game, &count))
        return fail(STAMMA_ERROR_NO_MEMORY);
    const tool_movetext_outcome outcome = edit_movetext(c, game, &changes);
    if (outcome == TOOL_MOVETEXT_FAILED)
        return fail(STAMMA_ERROR_NO_MEMORY);
    c->refused += outcome == TOOL_MOVETEXT_REFUSED;
    if (count == 0 && outcome != TOOL_MOVETEXT_EDITED)
        return TOOL_GAME_KEEP;
    if (list) {
        list_tags(c, count, game, list);
        list_movetext(c, &changes, game, list);
        return TOOL_GAME_EDIT;
    }
    const stamma_output output = tool_buffer_output(edited);
    const stamma_text text =
        outcome == TOOL_MOVETEXT_EDITED ? (stamma_text){c->editor.text.bytes, c->editor.text.size} : game->text;
    if (count == 0)
        return tool_buffer_add(edited, text.data, text.size) ? TOOL_GAME_EDIT : fail(STAMMA_ERROR_NO_MEMORY);
    const stamma_error error = stamma_pgn_edit_tags(text, c->chosen, count, &output);
    if (error == STAMMA_ERROR_BAD_ARGUMENT && outcome != TOOL_MOVETEXT_EDITED) /* the text contains no game */
        return TOOL_GAME_KEEP;
    return error ? fail(error == STAMMA_ERROR_IO ? STAMMA_ERROR_NO_MEMORY : error) : TOOL_GAME_EDIT;
}

void tool_game_change_free(tool_game_change *c)
{
    free(c->chosen);
    tool_movetext_free(&c->editor);
    c->chosen = NULL;
}
