/* SPDX-License-Identifier: MIT */
/* Writes the tags of a game that follow from its moves. */
#include "curating/classify.h"

const char *const classify_tags[CLASSIFY_TAGS] = {"ECO", "Opening", "Variation", "PlyCount", "Result"};

/* Adds an edit, unless the tag has a value that stays. */
static void set(classify_change *c, const stamma_archive_game *game, int tag, stamma_text value)
{
    const stamma_text name = stamma_text_of(classify_tags[tag]), old = stamma_archive_game_tag(game, name);
    if (c->writes[tag] && value.size > 0 && (c->overwrite || classify_is_unknown(old)))
        c->edits[c->change.tag_count++] = (stamma_tag_edit){.name = name, .value = value};
}

/* Returns whether a tag of a game has this value, or is unknown. */
static bool agrees(const stamma_archive_game *game, int tag, stamma_text value)
{
    const stamma_text old = stamma_archive_game_tag(game, stamma_text_of(classify_tags[tag]));
    return classify_is_unknown(old) || (old.size == value.size && memcmp(old.data, value.data, old.size) == 0);
}

/* Sets the tags of an opening. If the tag Variation is written, splits "Opening: Variation". Opening is not set in a
 * game with another ECO code, and Variation is not set in a game with another Opening. */
static void set_opening(classify_change *c, const stamma_archive_game *game, const eco_name *opening)
{
    const stamma_tag_edit no_variation = {.name = stamma_text_of(classify_tags[CLASSIFY_VARIATION]), .remove = true};
    stamma_text name = opening->name, variation = {NULL, 0};
    for (size_t n = 0; c->writes[CLASSIFY_VARIATION] && n + 2 < name.size; n++)
        if (name.data[n] == ':' && name.data[n + 1] == ' ') {
            variation = (stamma_text){name.data + n + 2, name.size - n - 2};
            name.size = n;
        }
    set(c, game, CLASSIFY_ECO, opening->code);
    if (!opening->code.data || !(c->overwrite || agrees(game, CLASSIFY_ECO, opening->code)))
        return;
    set(c, game, CLASSIFY_OPENING, name);
    if (variation.size > 0 && (c->overwrite || agrees(game, CLASSIFY_OPENING, name)))
        set(c, game, CLASSIFY_VARIATION, variation);
    if (variation.size == 0 && c->overwrite && c->writes[CLASSIFY_VARIATION])
        c->edits[c->change.tag_count++] = no_variation;
}

/* Sets the tag and the result after the moves. Without --overwrite, sets only those that are unknown. */
static void set_result(classify_change *c, const stamma_archive_game *game, const classify_facts *facts)
{
    const stamma_result known = facts->proved ? facts->proved : facts->tag ? facts->tag : facts->marker;
    const bool sets_marker = !facts->marker || (c->overwrite && facts->proved);
    if (!known || !c->writes[CLASSIFY_RESULT])
        return;
    c->result = stamma_text_of(stamma_result_text(known));
    if (!facts->tag || (c->overwrite && facts->proved))
        set(c, game, CLASSIFY_RESULT, c->result);
    c->change.movetext.result = sets_marker ? &c->result : NULL;
}

static void choose(classify_change *c, const stamma_archive_game *game, const classify_facts *facts)
{
    c->change.tags = c->edits;
    c->change.tag_count = 0;
    c->change.movetext = (tool_movetext_edit){.plies = UINT64_MAX};
    set_opening(c, game, &facts->opening);
    (void)snprintf(c->ply_count, sizeof c->ply_count, "%zu", game->ply_count);
    if (facts->complete)
        set(c, game, CLASSIFY_PLY_COUNT, stamma_text_of(c->ply_count));
    set_result(c, game, facts);
}

tool_verdict classify_change_game(classify_change *c, const stamma_archive_game *game, tool_buffer *edited,
                                  tool_changes *list)
{
    const classify_facts facts = classify_collect(&c->eco, game);
    choose(c, game, &facts);
    return tool_game_change_apply(&c->change, game, edited, list);
}

void classify_change_free(classify_change *c)
{
    tool_game_change_free(&c->change);
    eco_file_free(&c->eco);
}
