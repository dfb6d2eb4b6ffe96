/* SPDX-License-Identifier: MIT */
/* Positions, and conversions of moves. */
#include "ext.h"

#include <stdlib.h>

PyTypeObject *ext_position_type;

PyObject *ext_position_new(const stamma_position *position)
{
    ext_position *self = (ext_position *)ext_allocate(ext_position_type);
    if (self)
        self->position = *position;
    return (PyObject *)self;
}

static const stamma_position *position_of(PyObject *self)
{
    return &((ext_position *)self)->position;
}

bool ext_read_moves(PyObject *bytes, const stamma_move **moves, size_t *count)
{
    char *data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &data, &size) != 0)
        return false;
    if (size % 2 != 0) {
        PyErr_SetString(PyExc_ValueError, "moves are 2 bytes each");
        return false;
    }
    *moves = (const stamma_move *)(const void *)data;
    *count = (size_t)size / 2;
    return true;
}

bool ext_read_line(PyObject *args, const char **name, const stamma_position **start, const stamma_move **moves,
                   size_t *plies)
{
    PyObject *position, *bytes;
    if (!PyArg_ParseTuple(args, "sO!O", name, ext_position_type, &position, &bytes))
        return false;
    *start = position_of(position);
    return ext_read_moves(bytes, moves, plies);
}

/* ---- creating positions ---- */

static PyObject *position_start(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    stamma_position position = stamma_position_start();
    return ext_position_new(&position);
}

static PyObject *position_chess960(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned number;
    stamma_position position;
    if (!PyArg_ParseTuple(args, "I", &number))
        return NULL;
    stamma_error error = stamma_position_chess960(number, &position);
    return error ? ext_raise(error, "the number of a Chess960 position is 0 to 959", NULL)
                 : ext_position_new(&position);
}

static PyObject *raise_fen(stamma_error error, unsigned problems, size_t offset)
{
    char message[160];
    stamma_place place = {.offset = offset};
    if (error == STAMMA_ERROR_ILLEGAL)
        return ext_raise(error, stamma_setup_problem_text(problems), NULL);
    (void)PyOS_snprintf(message, sizeof message, "not a FEN: invalid at byte %zu", offset);
    return ext_raise(error, message, &place);
}

/* position_of_fen(fen, strict) */
static PyObject *position_of_fen(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *object, *owner;
    int strict;
    stamma_text fen;
    if (!PyArg_ParseTuple(args, "Op", &object, &strict) || !ext_read_text(object, &owner, &fen))
        return NULL;
    stamma_position position;
    unsigned problems = 0;
    size_t offset = 0;
    stamma_error error = strict ? stamma_fen_read_strict(fen, &position, &problems, &offset)
                                : stamma_fen_read(fen, &position, &problems, &offset);
    Py_DECREF(owner);
    return error ? raise_fen(error, problems, offset) : ext_position_new(&position);
}

/* ---- methods ---- */

static PyObject *position_fen(PyObject *self, PyObject *args)
{
    int shredder = 0;
    char fen[STAMMA_FEN_SIZE];
    if (!PyArg_ParseTuple(args, "|p", &shredder))
        return NULL;
    size_t size =
        stamma_fen_write(position_of(self), shredder ? STAMMA_FEN_SHREDDER : STAMMA_FEN_STANDARD, fen, sizeof fen);
    return ext_text((stamma_text){fen, size});
}

PyObject *ext_move_list(const stamma_move *moves, size_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *move = PyLong_FromLong(moves[i]);
        if (!move || PyList_SetItem(list, (Py_ssize_t)i, move) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *position_legal_moves(PyObject *self, PyObject *unused)
{
    (void)unused;
    stamma_move moves[STAMMA_MOVES_MAX];
    return ext_move_list(moves, stamma_legal_moves_canonical(position_of(self), moves));
}

static bool read_move(PyObject *object, stamma_move *move)
{
    unsigned long number = PyLong_AsUnsignedLong(object);
    if (number == (unsigned long)-1 && PyErr_Occurred())
        return false;
    if (number > 0xFFFF) {
        PyErr_SetString(PyExc_ValueError, "a move is a number of 16 bits");
        return false;
    }
    *move = (stamma_move)number;
    return true;
}

bool ext_is_playable(const stamma_position *position, stamma_move move)
{
    return move == STAMMA_MOVE_NULL ? !stamma_position_in_check(position) : stamma_move_is_legal(position, move);
}

static bool read_playable(PyObject *self, PyObject *object, stamma_move *move)
{
    if (!read_move(object, move))
        return false;
    if (!ext_is_playable(position_of(self), *move)) {
        ext_raise(STAMMA_ERROR_ILLEGAL, "the move is not legal", NULL);
        return false;
    }
    return true;
}

static PyObject *position_make(PyObject *self, PyObject *object)
{
    stamma_move move;
    stamma_position after;
    if (!read_playable(self, object, &move))
        return NULL;
    stamma_position_make(position_of(self), move, &after);
    return ext_position_new(&after);
}

static PyObject *position_is_legal(PyObject *self, PyObject *object)
{
    stamma_move move;
    return read_move(object, &move) ? PyBool_FromLong(stamma_move_is_legal(position_of(self), move)) : NULL;
}

static PyObject *position_gives_check(PyObject *self, PyObject *object)
{
    stamma_move move;
    return read_playable(self, object, &move)
               ? PyBool_FromLong(move != 0 && stamma_move_gives_check(position_of(self), move))
               : NULL;
}

static PyObject *position_san(PyObject *self, PyObject *object)
{
    stamma_move move;
    char text[STAMMA_SAN_SIZE];
    if (!read_playable(self, object, &move))
        return NULL;
    return ext_text((stamma_text){text, stamma_san_write(position_of(self), move, text, sizeof text)});
}

static PyObject *position_lan(PyObject *self, PyObject *object)
{
    stamma_move move;
    char text[STAMMA_LAN_SIZE];
    if (!read_playable(self, object, &move))
        return NULL;
    return ext_text((stamma_text){text, stamma_lan_write(position_of(self), move, text, sizeof text)});
}

static PyObject *position_uci(PyObject *self, PyObject *args)
{
    PyObject *object;
    int chess960 = 0;
    stamma_move move;
    char text[STAMMA_UCI_SIZE];
    if (!PyArg_ParseTuple(args, "O|p", &object, &chess960) || !read_move(object, &move))
        return NULL;
    return ext_text((stamma_text){text, stamma_uci_write(position_of(self), move, chess960, text, sizeof text)});
}

/* Reads a move in UCI, SAN or a similar notation. Returns false after an exception. */
static bool parse_move(const stamma_position *position, PyObject *object, const stamma_place *place, stamma_move *move)
{
    PyObject *owner;
    stamma_text text;
    char message[120];
    if (!ext_read_text(object, &owner, &text))
        return false;
    stamma_error error = stamma_uci_read(position, text, move);
    if (error)
        error = stamma_san_read(position, text, move);
    (void)PyOS_snprintf(message, sizeof message, "%s: \"%.*s\"",
                        error == STAMMA_ERROR_SYNTAX      ? "not a move"
                        : error == STAMMA_ERROR_AMBIGUOUS ? "several legal moves match"
                                                          : "no legal move matches",
                        (int)(text.size > 40 ? 40 : text.size), text.data);
    Py_DECREF(owner);
    if (error)
        (void)ext_raise(error, message, place);
    return error == STAMMA_OK;
}

static PyObject *position_parse(PyObject *self, PyObject *object)
{
    stamma_move move;
    return parse_move(position_of(self), object, NULL, &move) ? PyLong_FromLong(move) : NULL;
}

static PyObject *position_pieces(PyObject *self, PyObject *unused)
{
    (void)unused;
    uint8_t pieces[64];
    for (unsigned square = 0; square < 64; square++)
        pieces[square] = stamma_position_piece(position_of(self), (stamma_square)square);
    return ext_bytes(pieces, sizeof pieces);
}

/* Returns side, en passant square, castling rooks, halfmove clock and move number. */
static PyObject *position_state(PyObject *self, PyObject *unused)
{
    (void)unused;
    const stamma_position *p = position_of(self);
    return Py_BuildValue("BB(BBBB)HH", p->side, p->en_passant, p->castling[0][0], p->castling[0][1], p->castling[1][0],
                         p->castling[1][1], p->halfmove_clock, p->fullmove_number);
}

static PyObject *position_key(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(stamma_position_key(position_of(self)));
}

static PyObject *position_polyglot_key(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(stamma_position_polyglot_key(position_of(self)));
}

static PyObject *position_in_check(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(stamma_position_in_check(position_of(self)));
}

static PyObject *position_status(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromLong((long)stamma_position_status(position_of(self), NULL, 0));
}

static PyObject *position_opening(PyObject *self, PyObject *unused)
{
    (void)unused;
    stamma_text eco, name;
    if (!stamma_position_opening(position_of(self), &eco, &name))
        Py_RETURN_NONE;
    return Py_BuildValue("s#s#", eco.data, (Py_ssize_t)eco.size, name.data, (Py_ssize_t)name.size);
}

static PyObject *position_perft(PyObject *self, PyObject *args)
{
    unsigned depth;
    if (!PyArg_ParseTuple(args, "I", &depth))
        return NULL;
    stamma_position position = *position_of(self);
    uint64_t nodes = 0;
    /* One level is played here, so that Ctrl-C stops a long count. */
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = depth > 1 ? stamma_legal_moves(&position, moves) : 0;
    if (depth <= 1)
        nodes = stamma_perft(&position, depth);
    for (size_t i = 0; i < count; i++) {
        stamma_position after;
        stamma_position_make(&position, moves[i], &after);
        Py_BEGIN_ALLOW_THREADS nodes += stamma_perft(&after, depth - 1);
        Py_END_ALLOW_THREADS if (PyErr_CheckSignals() != 0) return NULL;
    }
    return PyLong_FromUnsignedLongLong(nodes);
}

/* ---- lists of moves ---- */

static PyObject *raise_move(size_t ply)
{
    stamma_place place = {.ply = (uint32_t)ply};
    return ext_raise(STAMMA_ERROR_ILLEGAL, "a move is not legal", &place);
}

/* Reads a text or a number as a move that can be played. Returns false after an exception. */
static bool read_item(const stamma_position *position, PyObject *object, size_t ply, stamma_move *move)
{
    stamma_place place = {.ply = (uint32_t)ply};
    if (PyUnicode_Check(object) || PyBytes_Check(object))
        return parse_move(position, object, &place, move);
    if (!read_move(object, move))
        return false;
    if (!ext_is_playable(position, *move))
        (void)raise_move(ply);
    return !PyErr_Occurred();
}

/* read_moves(items): the bytes of the moves of a list of texts and numbers, played from the position. */
static PyObject *position_read_moves(PyObject *self, PyObject *list)
{
    if (!PyList_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "the moves are not a list");
        return NULL;
    }
    stamma_position position = *position_of(self);
    size_t count = (size_t)PyList_Size(list);
    stamma_move *moves = PyMem_Malloc((count + 1) * sizeof *moves);
    if (!moves)
        return PyErr_NoMemory();
    size_t ply = 0;
    while (ply < count && read_item(&position, PyList_GetItem(list, (Py_ssize_t)ply), ply, &moves[ply])) {
        stamma_position_make(&position, moves[ply], &position);
        ply++;
    }
    PyObject *bytes = ply == count ? ext_bytes(moves, count * sizeof *moves) : NULL;
    PyMem_Free(moves);
    return bytes;
}

typedef PyObject *item_function(const stamma_position *before, stamma_move move);

static PyObject *item_uci(const stamma_position *before, stamma_move move)
{
    char text[STAMMA_UCI_SIZE];
    return ext_text((stamma_text){text, stamma_uci_write(before, move, false, text, sizeof text)});
}

static PyObject *item_uci960(const stamma_position *before, stamma_move move)
{
    char text[STAMMA_UCI_SIZE];
    return ext_text((stamma_text){text, stamma_uci_write(before, move, true, text, sizeof text)});
}

static PyObject *item_san(const stamma_position *before, stamma_move move)
{
    char text[STAMMA_SAN_SIZE];
    return ext_text((stamma_text){text, stamma_san_write(before, move, text, sizeof text)});
}

static PyObject *item_position(const stamma_position *before, stamma_move move)
{
    stamma_position after;
    stamma_position_make(before, move, &after);
    return ext_position_new(&after);
}

/* Plays the moves from a position, and returns a list with an object for each. */
static PyObject *play(PyObject *self, PyObject *bytes, item_function *item)
{
    const stamma_move *moves;
    size_t count;
    if (!ext_read_moves(bytes, &moves, &count))
        return NULL;
    stamma_position position = *position_of(self);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        if (!ext_is_playable(&position, moves[i])) {
            Py_DECREF(list);
            return raise_move(i);
        }
        PyObject *object = item(&position, moves[i]);
        if (!object || PyList_SetItem(list, (Py_ssize_t)i, object) != 0)
            Py_CLEAR(list);
        stamma_position_make(&position, moves[i], &position);
    }
    return list;
}

static PyObject *position_uci_list(PyObject *self, PyObject *bytes)
{
    return play(self, bytes, item_uci);
}
static PyObject *position_uci960_list(PyObject *self, PyObject *bytes)
{
    return play(self, bytes, item_uci960);
}
static PyObject *position_san_list(PyObject *self, PyObject *bytes)
{
    return play(self, bytes, item_san);
}
static PyObject *position_play(PyObject *self, PyObject *bytes)
{
    return play(self, bytes, item_position);
}

static PyObject *position_compare(PyObject *self, PyObject *other, int operation)
{
    if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(other) != ext_position_type)
        Py_RETURN_NOTIMPLEMENTED;
    bool equal = stamma_position_equal(position_of(self), position_of(other));
    return PyBool_FromLong(equal == (operation == Py_EQ));
}

static Py_hash_t position_hash(PyObject *self)
{
    Py_hash_t hash = (Py_hash_t)stamma_position_key(position_of(self));
    return hash == -1 ? -2 : hash;
}

/* ---- type ---- */

static void position_dealloc(PyObject *self)
{
    ext_free(self);
}

static PyMethodDef position_methods[] = {{"fen", position_fen, METH_VARARGS, NULL},
                                         {"legal_moves", position_legal_moves, METH_NOARGS, NULL},
                                         {"make", position_make, METH_O, NULL},
                                         {"is_legal", position_is_legal, METH_O, NULL},
                                         {"gives_check", position_gives_check, METH_O, NULL},
                                         {"san", position_san, METH_O, NULL},
                                         {"lan", position_lan, METH_O, NULL},
                                         {"uci", position_uci, METH_VARARGS, NULL},
                                         {"parse", position_parse, METH_O, NULL},
                                         {"pieces", position_pieces, METH_NOARGS, NULL},
                                         {"state", position_state, METH_NOARGS, NULL},
                                         {"key", position_key, METH_NOARGS, NULL},
                                         {"polyglot_key", position_polyglot_key, METH_NOARGS, NULL},
                                         {"in_check", position_in_check, METH_NOARGS, NULL},
                                         {"status", position_status, METH_NOARGS, NULL},
                                         {"opening", position_opening, METH_NOARGS, NULL},
                                         {"perft", position_perft, METH_VARARGS, NULL},
                                         {"read_moves", position_read_moves, METH_O, NULL},
                                         {"uci_list", position_uci_list, METH_O, NULL},
                                         {"uci960_list", position_uci960_list, METH_O, NULL},
                                         {"san_list", position_san_list, METH_O, NULL},
                                         {"play", position_play, METH_O, NULL},
                                         {0}};
static PyType_Slot position_slots[] = {{Py_tp_dealloc, position_dealloc},     {Py_tp_methods, position_methods},
                                       {Py_tp_richcompare, position_compare}, {Py_tp_hash, position_hash},
                                       {Py_tp_new, ext_refuse_new},           {0, NULL}};
static PyType_Spec position_spec = {"stamma._stamma.Position", sizeof(ext_position), 0, Py_TPFLAGS_DEFAULT,
                                    position_slots};

static PyMethodDef functions[] = {{"position_start", position_start, METH_NOARGS, NULL},
                                  {"position_chess960", position_chess960, METH_VARARGS, NULL},
                                  {"position_of_fen", position_of_fen, METH_VARARGS, NULL},
                                  {0}};

bool ext_position_add(PyObject *module)
{
    ext_position_type = ext_add_type(module, &position_spec);
    return ext_position_type && PyModule_AddFunctions(module, functions) == 0;
}
