/* SPDX-License-Identifier: MIT */
/* Encodings of moves, games and positions, and the move predictor. */
#include "ext.h"

/* ---- lists of encodings ---- */

/* encodings(): a tuple for each encoding of moves: name, source, description, kind, is_text, is_partial. */
static PyObject *encodings(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    const stamma_codec *codec;
    for (size_t i = 0; list && (codec = stamma_codec_at(i)) != NULL; i++) {
        stamma_codec_info info = stamma_codec_describe(codec);
        PyObject *tuple = Py_BuildValue("sssiOO", info.name, info.source, info.description, (int)info.kind,
                                        info.is_text ? Py_True : Py_False, info.is_partial ? Py_True : Py_False);
        if (!tuple || PyList_Append(list, tuple) != 0)
            Py_CLEAR(list);
        Py_XDECREF(tuple);
    }
    return list;
}

static PyObject *position_encodings(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    const stamma_position_codec *codec;
    for (size_t i = 0; list && (codec = stamma_position_codec_at(i)) != NULL; i++) {
        stamma_position_codec_info info = stamma_position_codec_describe(codec);
        PyObject *tuple = Py_BuildValue("sssOO", info.name, info.source, info.description,
                                        info.is_text ? Py_True : Py_False, info.is_partial ? Py_True : Py_False);
        if (!tuple || PyList_Append(list, tuple) != 0)
            Py_CLEAR(list);
        Py_XDECREF(tuple);
    }
    return list;
}

static const stamma_codec *find_codec(const char *name)
{
    const stamma_codec *codec = stamma_codec_find(stamma_text_of(name));
    if (!codec)
        PyErr_Format(PyExc_ValueError, "there is no encoding \"%s\"", name);
    return codec;
}

static const stamma_position_codec *find_position_codec(const char *name)
{
    const stamma_position_codec *codec = stamma_position_codec_find(stamma_text_of(name));
    if (!codec)
        PyErr_Format(PyExc_ValueError, "there is no encoding of positions \"%s\"", name);
    return codec;
}

/* ---- single moves ---- */

/* encode_move(encoding, position, move): value and number of bits. */
static PyObject *encode_move(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    unsigned short move;
    stamma_code code;
    if (!PyArg_ParseTuple(args, "sO!H", &name, ext_position_type, &position, &move))
        return NULL;
    const stamma_codec *codec = find_codec(name);
    if (!codec)
        return NULL;
    stamma_error error = stamma_codec_encode(codec, &((ext_position *)position)->position, move, &code);
    return error ? ext_raise(error, NULL, NULL) : Py_BuildValue("KI", (unsigned long long)code.value, code.bits);
}

/* decode_move(encoding, position, value, bits): the move. */
static PyObject *decode_move(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    unsigned long long value;
    stamma_code code;
    stamma_move move;
    if (!PyArg_ParseTuple(args, "sO!KI", &name, ext_position_type, &position, &value, &code.bits))
        return NULL;
    code.value = value;
    const stamma_codec *codec = find_codec(name);
    if (!codec)
        return NULL;
    stamma_error error = stamma_codec_decode(codec, &((ext_position *)position)->position, code, &move);
    return error ? ext_raise(error, error == STAMMA_ERROR_CORRUPT ? "no legal move has this code" : NULL, NULL)
                 : PyLong_FromLong(move);
}

/* ---- games ---- */

/* encode_game(encoding, start, moves): bytes, and the number of bits of the codes. */
static PyObject *encode_game(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *start, *bytes;
    const stamma_move *moves;
    size_t plies, size = 0, bits = 0;
    if (!PyArg_ParseTuple(args, "sO!O", &name, ext_position_type, &start, &bytes) ||
        !ext_read_moves(bytes, &moves, &plies))
        return NULL;
    const stamma_codec *codec = find_codec(name);
    size_t capacity = STAMMA_CODEC_GAME_SIZE(plies);
    uint8_t *out = codec ? PyMem_Malloc(capacity) : NULL;
    if (!out)
        return codec ? PyErr_NoMemory() : NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error =
        stamma_codec_encode_game(codec, &((ext_position *)start)->position, moves, plies, out, capacity, &size, &bits);
    Py_END_ALLOW_THREADS PyObject *result =
        error ? ext_raise(error, NULL, NULL) : Py_BuildValue("y#n", (char *)out, (Py_ssize_t)size, (Py_ssize_t)bits);
    PyMem_Free(out);
    return result;
}

/* decode_game(encoding, start, data): bytes of moves. */
static PyObject *decode_game(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name, *data;
    Py_ssize_t size;
    PyObject *start;
    size_t plies = 0, capacity = 0;
    if (!PyArg_ParseTuple(args, "sO!y#", &name, ext_position_type, &start, &data, &size))
        return NULL;
    const stamma_codec *codec = find_codec(name);
    if (!codec)
        return NULL;
    stamma_error error = stamma_codec_game_plies(data, (size_t)size, &capacity);
    /* A ply that needs no bits is possible, but not billions of them. */
    if (!error && capacity > ((size_t)1 << 28))
        error = STAMMA_ERROR_CORRUPT;
    stamma_move *moves = error ? NULL : PyMem_Malloc((capacity + 1) * sizeof *moves);
    if (!error && !moves)
        return PyErr_NoMemory();
    if (!error) {
        Py_BEGIN_ALLOW_THREADS error = stamma_codec_decode_game(codec, &((ext_position *)start)->position, data,
                                                                (size_t)size, moves, capacity, &plies);
        Py_END_ALLOW_THREADS
    }
    PyObject *result =
        error ? ext_raise(error, error == STAMMA_ERROR_CORRUPT ? "the bytes are not an encoded game" : NULL, NULL)
              : ext_bytes(moves, plies * sizeof *moves);
    PyMem_Free(moves);
    return result;
}

/* ---- positions ---- */

/* encode_position(encoding, position): bytes, and the number of bits. */
static PyObject *encode_position(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    stamma_position_code code;
    if (!PyArg_ParseTuple(args, "sO!", &name, ext_position_type, &position))
        return NULL;
    const stamma_position_codec *codec = find_position_codec(name);
    if (!codec)
        return NULL;
    stamma_error error = stamma_position_encode(codec, &((ext_position *)position)->position, &code);
    return error ? ext_raise(error, "the encoding cannot represent this position", NULL)
                 : Py_BuildValue("y#I", (char *)code.bytes, (Py_ssize_t)((code.bits + 7) / 8), code.bits);
}

/* decode_position(encoding, data, bits): the position. */
static PyObject *decode_position(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name, *data;
    Py_ssize_t size;
    stamma_position_code code = {0};
    stamma_position position;
    if (!PyArg_ParseTuple(args, "sy#I", &name, &data, &size, &code.bits))
        return NULL;
    const stamma_position_codec *codec = find_position_codec(name);
    if (!codec)
        return NULL;
    if (code.bits > 8 * STAMMA_POSITION_CODE_SIZE || (size_t)size != ((size_t)code.bits + 7) / 8)
        return ext_raise(STAMMA_ERROR_CORRUPT, "the number of bytes differs from the number of bits", NULL);
    memcpy(code.bytes, data, (size_t)size);
    stamma_error error = stamma_position_decode(codec, &code, &position);
    return error ? ext_raise(error, error == STAMMA_ERROR_CORRUPT ? "no position has this code" : NULL, NULL)
                 : ext_position_new(&position);
}

/* ---- the predictor ---- */

static bool read_context(PyObject *args, PyObject **start, const stamma_move **moves, size_t *plies,
                         stamma_game_context *context)
{
    PyObject *bytes;
    const char *control, *result;
    Py_ssize_t control_size;
    unsigned short white, black;
    unsigned length;
    if (!PyArg_ParseTuple(args, "O!OHHs#sI", ext_position_type, start, &bytes, &white, &black, &control, &control_size,
                          &result, &length) ||
        !ext_read_moves(bytes, moves, plies))
        return false;
    *context = (stamma_game_context){.size = sizeof *context,
                                     .white_rating = white,
                                     .black_rating = black,
                                     .time_control = {control, (size_t)control_size},
                                     .result = stamma_result_read(stamma_text_of(result)),
                                     .plies = length};
    return true;
}

/* predict(start, moves, white, black, time_control, result, plies): pairs of move and frequency. */
static PyObject *predict(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *start;
    const stamma_move *moves;
    size_t plies, count = 0;
    stamma_game_context context;
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    if (!read_context(args, &start, &moves, &plies, &context))
        return NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error =
        stamma_predict(&((ext_position *)start)->position, moves, plies, &context, likely, &count);
    Py_END_ALLOW_THREADS if (error) return ext_raise(error, NULL, NULL);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *pair = Py_BuildValue("II", (unsigned)likely[i].move, (unsigned)likely[i].frequency);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)i, pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* predict_game(start, moves, ...): the frequency of each move. */
static PyObject *predict_game(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *start;
    const stamma_move *moves;
    size_t plies;
    stamma_game_context context;
    if (!read_context(args, &start, &moves, &plies, &context))
        return NULL;
    uint32_t *frequencies = PyMem_Malloc((plies + 1) * sizeof *frequencies);
    if (!frequencies)
        return PyErr_NoMemory();
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error =
        stamma_predict_game(&((ext_position *)start)->position, moves, plies, &context, frequencies);
    Py_END_ALLOW_THREADS PyObject *list = error ? ext_raise(error, NULL, NULL) : PyList_New((Py_ssize_t)plies);
    for (size_t i = 0; list && i < plies; i++) {
        PyObject *number = PyLong_FromUnsignedLong(frequencies[i]);
        if (!number || PyList_SetItem(list, (Py_ssize_t)i, number) != 0)
            Py_CLEAR(list);
    }
    PyMem_Free(frequencies);
    return list;
}

static PyMethodDef functions[] = {{"encodings", encodings, METH_NOARGS, NULL},
                                  {"position_encodings", position_encodings, METH_NOARGS, NULL},
                                  {"encode_move", encode_move, METH_VARARGS, NULL},
                                  {"decode_move", decode_move, METH_VARARGS, NULL},
                                  {"encode_game", encode_game, METH_VARARGS, NULL},
                                  {"decode_game", decode_game, METH_VARARGS, NULL},
                                  {"encode_position", encode_position, METH_VARARGS, NULL},
                                  {"decode_position", decode_position, METH_VARARGS, NULL},
                                  {"predict", predict, METH_VARARGS, NULL},
                                  {"predict_game", predict_game, METH_VARARGS, NULL},
                                  {0}};

bool ext_codes_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
