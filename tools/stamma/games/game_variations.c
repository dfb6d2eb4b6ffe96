/* SPDX-License-Identifier: MIT */
/* The variations of a game, made from the items among its moves: their nesting, their contents, and their moves as
 * text, for which the positions are played again. */
#include "games/game_views.h"

/* A line that is open: the main line, or the variation at that depth. */
typedef struct tool_branch {
    stamma_position position;
    stamma_position before; /* position before its last move, or before its first move if it has none */
    size_t variation;       /* SIZE_MAX: none */
    size_t last;            /* item; SIZE_MAX: none */
} branch;

enum { BRANCHES = 257 }; /* the main line, and depths up to 255 (4.6 of the format) */

/* Ensures room for `count` elements of `size` bytes. The old contents are lost. */
static bool make_room(void **array, size_t count, size_t *room, size_t size)
{
    if (count <= *room && *array)
        return true;
    free(*array);
    *room = count + count / 2 + 16;
    *array = malloc(*room * size);
    *room = *array ? *room : 0;
    return *array != NULL;
}

static bool make_rooms(tool_variations *v, const stamma_archive_game *game)
{
    size_t begins = 0;
    for (size_t i = 0; i < game->item_count; i++)
        begins += game->items[i].kind == STAMMA_ITEM_VARIATION_BEGIN;
    void *list = v->list, *notes = v->notes;
    bool fine = make_room(&list, begins, &v->list_room, sizeof *v->list);
    fine = make_room(&notes, game->item_count, &v->note_room, sizeof *v->notes) && fine;
    v->list = list;
    v->notes = notes;
    if (!v->branches)
        v->branches = malloc(BRANCHES * sizeof *v->branches);
    return fine && v->branches;
}

/* Begins a variation in the position before the last move of the enclosing line. In the main line this is the position
 * after item->ply plies. */
static void begin_variation(tool_variations *v, const stamma_archive_item *item)
{
    branch *here = &v->branches[item->depth], *around = here - 1;
    here->position = item->depth == 1 ? around->position : around->before;
    here->before = here->position;
    here->variation = v->count;
    here->last = SIZE_MAX;
    v->list[v->count++] = (tool_variation){around->variation, item->ply + 1, SIZE_MAX};
}

static void play(branch *here, stamma_move move, bool chess960, tool_variation_note *note)
{
    here->before = here->position;
    (void)stamma_uci_write(&here->before, move, chess960, note->uci, sizeof note->uci);
    (void)stamma_san_write(&here->before, move, note->san, sizeof note->san);
    stamma_position_make(&here->before, move, &here->position);
}

/* Appends an item to its line. */
static void link_note(tool_variations *v, branch *here, size_t index)
{
    *(here->last == SIZE_MAX ? &v->list[here->variation].first : &v->notes[here->last].next) = index;
    here->last = index;
    v->notes[index].next = SIZE_MAX;
}

bool tool_variations_read(tool_variations *v, const stamma_archive_game *game, bool chess960)
{
    v->count = 0;
    if (game->item_count > 0 && !make_rooms(v, game))
        return tool_fail_memory(NULL);
    size_t played = 0;
    if (game->item_count > 0)
        v->branches[0] = (branch){game->start, game->start, SIZE_MAX, SIZE_MAX};
    for (size_t i = 0; i < game->item_count; i++) {
        const stamma_archive_item *item = &game->items[i];
        branch *here = &v->branches[item->depth];
        if (tool_is_stopped(v->stop, i))
            return false;
        if (item->depth == 0 || item->kind == STAMMA_ITEM_VARIATION_END)
            continue;
        for (; item->depth == 1 && item->kind == STAMMA_ITEM_VARIATION_BEGIN && played < item->ply; played++)
            stamma_position_make(&v->branches[0].position, game->moves[played], &v->branches[0].position);
        if (item->kind == STAMMA_ITEM_VARIATION_BEGIN) {
            begin_variation(v, item);
            continue;
        }
        if (item->kind == STAMMA_ITEM_MOVE)
            play(here, item->move, chess960, &v->notes[i]);
        link_note(v, here, i);
    }
    return true;
}

void tool_variations_free(tool_variations *v)
{
    free(v->list);
    free(v->notes);
    free(v->branches);
    *v = (tool_variations){.count = 0};
}
