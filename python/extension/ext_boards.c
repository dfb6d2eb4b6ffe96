/* SPDX-License-Identifier: MIT */
/* Board representations, and the enumeration of moves. */
#include "ext.h"

/* ---- board representations ---- */

/* boards(): a tuple for each representation: name, description, bytes of a state. */
static PyObject *boards(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    const stamma_board *board;
    for (size_t n = 0; list && (board = stamma_board_at(n)) != NULL; n++) {
        PyObject *tuple = Py_BuildValue("ssn", board->name, board->description, (Py_ssize_t)board->size);
        ext_append(&list, tuple);
    }
    return list;
}

/* Sets up a position in a representation. Returns NULL after an exception. */
static const stamma_board *set_up(const char *name, PyObject *position, stamma_board_state *state)
{
    const stamma_board *board = stamma_board_find(stamma_text_of(name));
    if (!board) {
        PyErr_Format(PyExc_ValueError, "there is no board representation \"%s\"; boards() lists all", name);
        return NULL;
    }
    memset(state, 0, sizeof *state);
    stamma_error error = board->set_up(&((ext_position *)position)->position, state);
    if (error)
        (void)ext_raise(error, "the representation cannot store this position", NULL);
    return error ? NULL : board;
}

/* board_state(name, position): the bytes of the state. */
static PyObject *board_state(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    stamma_board_state state;
    if (!PyArg_ParseTuple(args, "sO!", &name, ext_position_type, &position))
        return NULL;
    const stamma_board *board = set_up(name, position, &state);
    return board ? ext_bytes(state.bytes, board->size) : NULL;
}

/* board_legal_moves(name, position): the legal moves in the order of the representation. */
static PyObject *board_legal_moves(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    stamma_board_state state;
    stamma_move moves[STAMMA_MOVES_MAX];
    if (!PyArg_ParseTuple(args, "sO!", &name, ext_position_type, &position))
        return NULL;
    const stamma_board *board = set_up(name, position, &state);
    return board ? ext_move_list(moves, board->legal_moves(&state, moves)) : NULL;
}

/* board_make(name, position, move): the position after a legal move. */
static PyObject *board_make(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    unsigned short move;
    stamma_board_state state;
    stamma_board_undo undo;
    stamma_position after;
    if (!PyArg_ParseTuple(args, "sO!H", &name, ext_position_type, &position, &move))
        return NULL;
    const stamma_board *board = set_up(name, position, &state);
    if (!board)
        return NULL;
    if (!stamma_move_is_legal(&((ext_position *)position)->position, move))
        return ext_raise(STAMMA_ERROR_ILLEGAL, "the move is not legal", NULL);
    board->make(&state, move, &undo);
    stamma_error error = board->give_back(&state, &after);
    return error ? ext_raise(error, NULL, NULL) : ext_position_new(&after);
}

/* board_perft(name, position, depth): the number of legal sequences of moves. One level is played here, so that Ctrl-C
 * stops a long count. */
static PyObject *board_perft(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    unsigned depth;
    stamma_board_state state;
    stamma_board_undo undo;
    stamma_move moves[STAMMA_MOVES_MAX];
    if (!PyArg_ParseTuple(args, "sO!I", &name, ext_position_type, &position, &depth))
        return NULL;
    const stamma_board *board = set_up(name, position, &state);
    if (!board)
        return NULL;
    uint64_t nodes = depth <= 1 ? stamma_board_perft(board, &state, depth) : 0;
    size_t count = depth > 1 ? board->legal_moves(&state, moves) : 0;
    for (size_t n = 0; n < count; n++) {
        board->make(&state, moves[n], &undo);
        Py_BEGIN_ALLOW_THREADS nodes += stamma_board_perft(board, &state, depth - 1);
        Py_END_ALLOW_THREADS if (PyErr_CheckSignals() != 0) return NULL;
        board->unmake(&state, moves[n], &undo);
    }
    return PyLong_FromUnsignedLongLong(nodes);
}

/* ---- the enumeration of moves ---- */

/* enumeration_rank(move, side, piece, captured): the number. */
static PyObject *enumeration_rank(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned short move;
    uint16_t number;
    stamma_enumerated_move one = {0};
    if (!PyArg_ParseTuple(args, "Hbbb", &move, &one.side, &one.piece, &one.captured))
        return NULL;
    one.move = move;
    stamma_error error = stamma_enumeration_rank(one, &number);
    return error ? ext_raise(error, "no move has these squares, flags and pieces", NULL) : PyLong_FromLong(number);
}

/* enumeration_unrank(number): move, side, piece, captured piece (6: none). */
static PyObject *enumeration_unrank(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned number;
    stamma_enumerated_move one;
    if (!PyArg_ParseTuple(args, "I", &number))
        return NULL;
    stamma_error error = stamma_enumeration_unrank(number, &one);
    return error ? ext_raise(error, "the number of a move is 0 to 45355", NULL)
                 : Py_BuildValue("HBBB", one.move, one.side, one.piece, one.captured);
}

static PyMethodDef functions[] = {{"boards", boards, METH_NOARGS, NULL},
                                  {"board_state", board_state, METH_VARARGS, NULL},
                                  {"board_legal_moves", board_legal_moves, METH_VARARGS, NULL},
                                  {"board_make", board_make, METH_VARARGS, NULL},
                                  {"board_perft", board_perft, METH_VARARGS, NULL},
                                  {"enumeration_rank", enumeration_rank, METH_VARARGS, NULL},
                                  {"enumeration_unrank", enumeration_unrank, METH_VARARGS, NULL},
                                  {0}};

bool ext_boards_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
