/* SPDX-License-Identifier: MIT */
/* Converts packed games to tuples. */
#include "ext.h"

static PyObject *tags_of(const stamma_archive_game *game)
{
    PyObject *list = PyTuple_New((Py_ssize_t)game->tag_count);
    for (size_t i = 0; list && i < game->tag_count; i++) {
        const stamma_tag *tag = &game->tags[i];
        size_t size = stamma_pgn_unescape(tag->value, NULL);
        PyObject *name = ext_text(tag->name), *value = NULL;
        if (size == tag->value.size)
            value = ext_text(tag->value);
        else {
            char *plain = PyMem_Malloc(tag->value.size);
            if (plain)
                value = ext_text((stamma_text){plain, stamma_pgn_unescape(tag->value, plain)});
            else
                PyErr_NoMemory();
            PyMem_Free(plain);
        }
        PyObject *pair = name && value ? PyTuple_Pack(2, name, value) : NULL;
        Py_XDECREF(name);
        Py_XDECREF(value);
        if (!pair || PyTuple_SetItem(list, (Py_ssize_t)i, pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *items_of(const stamma_archive_game *game)
{
    PyObject *list = PyTuple_New((Py_ssize_t)game->item_count);
    for (size_t i = 0; list && i < game->item_count; i++) {
        const stamma_archive_item *item = &game->items[i];
        PyObject *text = ext_text(item->text);
        PyObject *tuple = text ? Py_BuildValue("iInIIN", (int)item->kind, item->depth, (Py_ssize_t)item->ply,
                                               (unsigned)item->move, item->nag, text)
                               : NULL;
        if (!tuple || PyTuple_SetItem(list, (Py_ssize_t)i, tuple) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *none(void)
{
    Py_RETURN_NONE;
}

/* Returns the clocks, then the times spent. */
static PyObject *times_of(const stamma_archive_game *game)
{
    const Py_ssize_t size = (Py_ssize_t)(game->ply_count * sizeof *game->clocks_ms);
    PyObject *times = PyBytes_FromStringAndSize(NULL, 2 * size);
    if (times) {
        memcpy(PyBytes_AsString(times), game->clocks_ms, (size_t)size);
        memcpy(PyBytes_AsString(times) + size, game->times_spent_ms, (size_t)size);
    }
    return times;
}

/* Returns a part of a game, or None if it was not requested or is missing. */
static PyObject *part_of(const stamma_archive_game *game, unsigned parts, unsigned part)
{
    if (!(parts & part))
        return none();
    switch (part) {
    case STAMMA_GAME_TAGS: return tags_of(game);
    case STAMMA_GAME_RESULT: return ext_text(game->result);
    case STAMMA_GAME_MOVES: return ext_bytes(game->moves, game->moves ? game->ply_count * sizeof *game->moves : 0);
    case STAMMA_GAME_CLOCKS:
        return game->clocks_ms ? times_of(game) : none();
    case STAMMA_GAME_EVALUATIONS:
        return game->evaluations ? ext_bytes(game->evaluations, game->ply_count * sizeof *game->evaluations) : none();
    case STAMMA_GAME_TEXT: return ext_bytes(game->text.data, game->text.size);
    default: return items_of(game);
    }
}

PyObject *ext_game_tuple(const stamma_archive_game *game, unsigned parts)
{
    static const unsigned order[] = {STAMMA_GAME_TAGS,   STAMMA_GAME_RESULT,      STAMMA_GAME_MOVES,
                                     STAMMA_GAME_CLOCKS, STAMMA_GAME_EVALUATIONS, STAMMA_GAME_TEXT};
    enum { PARTS = sizeof order / sizeof *order };
    const unsigned items = STAMMA_GAME_COMMENTS | STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS;
    PyObject *made[PARTS + 2] = {0};
    size_t count = 0;
    while (count < PARTS && (made[count] = part_of(game, parts, order[count])) != NULL)
        count++;
    bool done = count == PARTS;
    made[PARTS] = done ? (parts & items ? items_of(game) : none()) : NULL;
    made[PARTS + 1] = done ? (parts & STAMMA_GAME_MOVES ? ext_position_new(&game->start) : none()) : NULL;
    done = done && made[PARTS] && made[PARTS + 1];
    PyObject *tuple =
        done ? Py_BuildValue("KnKisOOOOOOOOO", (unsigned long long)game->number, (Py_ssize_t)game->ply_count,
                             (unsigned long long)game->moves_bits, (int)game->reason,
                             stamma_archive_reason_text(game->reason), game->no_start ? Py_True : Py_False, made[0],
                             made[1], made[2], made[3], made[4], made[5], made[PARTS], made[PARTS + 1])
             : NULL;
    for (size_t i = 0; i < PARTS + 2; i++)
        Py_XDECREF(made[i]);
    return tuple;
}
