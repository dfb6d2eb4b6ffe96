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
        ext_append(&list, tuple);
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
        ext_append(&list, tuple);
    }
    return list;
}

const stamma_codec *ext_find_codec(const char *name, const char *hint)
{
    const stamma_codec *codec = stamma_codec_find(stamma_text_of(name));
    if (codec)
        return codec;
    if (stamma_position_codec_find(stamma_text_of(name)))
        PyErr_Format(PyExc_ValueError, "\"%s\" encodes positions: use %s()", name, hint);
    else
        PyErr_Format(PyExc_ValueError, "there is no encoding \"%s\"; encodings() lists all", name);
    return NULL;
}

const stamma_position_codec *ext_find_position_codec(const char *name, const char *hint)
{
    const stamma_position_codec *codec = stamma_position_codec_find(stamma_text_of(name));
    if (codec)
        return codec;
    if (stamma_codec_find(stamma_text_of(name)))
        PyErr_Format(PyExc_ValueError, "\"%s\" encodes moves: use %s", name, hint);
    else
        PyErr_Format(PyExc_ValueError, "there is no encoding of positions \"%s\"; position_encodings() lists all",
                     name);
    return NULL;
}

/* Raises the exception of an error of an encoding of moves. `hint` names the function for encodings of games. */
static PyObject *raise_code(const stamma_codec *codec, stamma_error error, const char *hint)
{
    char message[160];
    stamma_codec_info info = stamma_codec_describe(codec);
    const char *text = error == STAMMA_ERROR_CORRUPT     ? "no legal move has this code"
                       : error == STAMMA_ERROR_AMBIGUOUS ? "several legal moves have this code"
                                                         : NULL;
    if (error == STAMMA_ERROR_BAD_ARGUMENT && info.kind == STAMMA_CODEC_GAME)
        (void)PyOS_snprintf(message, sizeof message, "\"%s\" encodes complete games: use %s()", info.name, hint);
    else if (error == STAMMA_ERROR_UNSUPPORTED && info.is_partial)
        (void)PyOS_snprintf(message, sizeof message, "codes of \"%s\" do not determine the move", info.name);
    else if (error == STAMMA_ERROR_UNSUPPORTED)
        (void)PyOS_snprintf(message, sizeof message, "\"%s\" has no code for this move", info.name);
    else
        return ext_raise(error, text, NULL);
    return ext_raise(error, message, NULL);
}

/* ---- single moves ---- */

/* Encodes a move as a game of one ply, with an encoding of games. The code ends the string. */
static stamma_error encode_ply(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               stamma_code *code)
{
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(1)];
    size_t size, bits;
    stamma_error error = stamma_codec_encode_game(codec, position, &move, 1, bytes, sizeof bytes, &size, &bits);
    if (error || bits > 64)
        return error ? error : STAMMA_ERROR_UNSUPPORTED;
    code->value = 0;
    for (size_t n = 0; n < bits; n++) {
        size_t at = 8 * (size - (bits + 7) / 8) + n;
        code->value = code->value << 1 | ((unsigned)bytes[at / 8] >> (7 - at % 8) & 1u);
    }
    code->bits = (unsigned)bits;
    return STAMMA_OK;
}

static stamma_error encode_any(const stamma_codec *codec, stamma_codec_info info, const stamma_position *position,
                               stamma_move move, stamma_code *code)
{
    return info.kind == STAMMA_CODEC_GAME ? encode_ply(codec, position, move, code)
                                          : stamma_codec_encode(codec, position, move, code);
}

static PyObject *build_code(stamma_code code, bool is_text)
{
    return Py_BuildValue("KIO", (unsigned long long)code.value, code.bits, is_text ? Py_True : Py_False);
}

/* encode_move(encoding, position, move): value, number of bits, is_text. */
static PyObject *encode_move(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    unsigned short move;
    stamma_code code;
    if (!PyArg_ParseTuple(args, "sO!H", &name, ext_position_type, &position, &move))
        return NULL;
    const stamma_codec *codec = ext_find_codec(name, "encode_position");
    if (!codec)
        return NULL;
    stamma_codec_info info = stamma_codec_describe(codec);
    stamma_error error = encode_any(codec, info, &((ext_position *)position)->position, move, &code);
    return error ? raise_code(codec, error, "encode_game") : build_code(code, info.is_text);
}

/* encode_all(position, move): a dict with value, number of bits and is_text for each encoding that has a code. */
static PyObject *encode_all(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *position;
    unsigned short move;
    if (!PyArg_ParseTuple(args, "O!H", ext_position_type, &position, &move))
        return NULL;
    PyObject *dict = PyDict_New();
    const stamma_codec *codec;
    for (size_t n = 0; dict && (codec = stamma_codec_at(n)) != NULL; n++) {
        stamma_codec_info info = stamma_codec_describe(codec);
        stamma_code code;
        if (encode_any(codec, info, &((ext_position *)position)->position, move, &code))
            continue;
        PyObject *tuple = build_code(code, info.is_text);
        if (!tuple || PyDict_SetItemString(dict, info.name, tuple) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(tuple);
    }
    return dict;
}

/* Decodes a value whose number of bits is unknown. Returns AMBIGUOUS if codes of different lengths have this value, as
 * in two-index-bits. */
static stamma_error decode_value(const stamma_codec *codec, const stamma_position *position, uint64_t value,
                                 stamma_move *move)
{
    stamma_error error = STAMMA_ERROR_CORRUPT;
    for (unsigned bits = 0; bits <= 64; bits++) {
        stamma_move decoded;
        stamma_error one = stamma_codec_decode(codec, position, (stamma_code){value, bits}, &decoded);
        if (one == STAMMA_ERROR_CORRUPT)
            continue;
        if (one != STAMMA_OK || error == STAMMA_OK)
            return one != STAMMA_OK ? one : STAMMA_ERROR_AMBIGUOUS;
        error = STAMMA_OK;
        *move = decoded;
    }
    return error;
}

/* decode_move(encoding, position, value, bits): the move. With bits -1, the position determines the number of bits. */
static PyObject *decode_move(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    unsigned long long value;
    int bits;
    stamma_move move = STAMMA_MOVE_NULL;
    if (!PyArg_ParseTuple(args, "sO!Ki", &name, ext_position_type, &position, &value, &bits))
        return NULL;
    const stamma_codec *codec = ext_find_codec(name, "decode_position");
    if (!codec)
        return NULL;
    const stamma_position *before = &((ext_position *)position)->position;
    stamma_error error = bits < 0 ? decode_value(codec, before, value, &move)
                                  : stamma_codec_decode(codec, before, (stamma_code){value, (unsigned)bits}, &move);
    return error ? raise_code(codec, error, "decode_game") : PyLong_FromLong(move);
}

/* ---- games ---- */

/* Raises the exception of an error of a game. */
static PyObject *raise_game(const stamma_codec *codec, stamma_error error)
{
    char message[160];
    stamma_codec_info info = stamma_codec_describe(codec);
    if (error == STAMMA_ERROR_CORRUPT)
        return ext_raise(error, "the bytes are not an encoded game", NULL);
    if (error != STAMMA_ERROR_UNSUPPORTED)
        return ext_raise(error, NULL, NULL);
    (void)PyOS_snprintf(message, sizeof message,
                        info.is_partial ? "codes of \"%s\" do not determine the moves: use encode() for single moves"
                                        : "\"%s\" has no codes for this game",
                        info.name);
    return ext_raise(error, message, NULL);
}

/* encode_game(encoding, start, moves): bytes, and the number of bits of the codes. */
static PyObject *encode_game(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    const stamma_position *start;
    const stamma_move *moves;
    size_t plies, size = 0, bits = 0;
    if (!ext_read_line(args, &name, &start, &moves, &plies))
        return NULL;
    const stamma_codec *codec = ext_find_codec(name, "encode_position");
    size_t capacity = STAMMA_CODEC_GAME_SIZE(plies);
    uint8_t *out = codec ? PyMem_Malloc(capacity) : NULL;
    if (!out)
        return codec ? PyErr_NoMemory() : NULL;
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = stamma_codec_encode_game(codec, start, moves, plies, out, capacity, &size, &bits);
    Py_END_ALLOW_THREADS PyObject *result =
        error ? raise_game(codec, error) : Py_BuildValue("y#n", (char *)out, (Py_ssize_t)size, (Py_ssize_t)bits);
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
    const stamma_codec *codec = ext_find_codec(name, "decode_position");
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
    PyObject *result = error ? raise_game(codec, error) : ext_bytes(moves, plies * sizeof *moves);
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
    const stamma_position_codec *codec = ext_find_position_codec(name, "encode() or encode_game()");
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
    const stamma_position_codec *codec = ext_find_position_codec(name, "decode() or decode_game()");
    if (!codec)
        return NULL;
    if (code.bits > 8 * STAMMA_POSITION_CODE_SIZE || (size_t)size != ((size_t)code.bits + 7) / 8)
        return ext_raise(STAMMA_ERROR_CORRUPT, "the number of bytes differs from the number of bits", NULL);
    memcpy(code.bytes, data, (size_t)size);
    stamma_error error = stamma_position_decode(codec, &code, &position);
    const char *message = error == STAMMA_ERROR_CORRUPT       ? "no position has this code"
                          : error == STAMMA_ERROR_UNSUPPORTED ? "codes of this encoding do not determine the position"
                                                              : NULL;
    return error ? ext_raise(error, message, NULL) : ext_position_new(&position);
}

/* ---- explanations ---- */

/* Appends a part to a list as first bit, number of bits, value and text. Does nothing after an exception. */
static void append_part(void *list, const stamma_code_part *part)
{
    if (PyErr_Occurred())
        return;
    PyObject *tuple =
        Py_BuildValue("IIKs", part->first, part->bits, (unsigned long long)part->value, part->text ? part->text : "");
    if (tuple)
        (void)PyList_Append(list, tuple);
    Py_XDECREF(tuple);
}

/* Returns the list, or NULL after an exception, which releases the list. */
static PyObject *finish_parts(PyObject *list)
{
    if (PyErr_Occurred())
        Py_CLEAR(list);
    return list;
}

/* explain_move(encoding, position, move): the parts of the code. */
static PyObject *explain_move(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    unsigned short move;
    if (!PyArg_ParseTuple(args, "sO!H", &name, ext_position_type, &position, &move))
        return NULL;
    const stamma_codec *codec = ext_find_codec(name, "explain_position");
    PyObject *list = codec ? PyList_New(0) : NULL;
    if (!list)
        return NULL;
    stamma_error error = stamma_codec_explain(codec, &((ext_position *)position)->position, move, append_part, list);
    if (error)
        (void)raise_code(codec, error, "explain_game");
    return finish_parts(list);
}

/* explain_game(encoding, start, moves): the parts of the code. */
static PyObject *explain_game(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    const stamma_position *start;
    const stamma_move *moves;
    size_t plies;
    if (!ext_read_line(args, &name, &start, &moves, &plies))
        return NULL;
    const stamma_codec *codec = ext_find_codec(name, "explain_position");
    PyObject *list = codec ? PyList_New(0) : NULL;
    if (!list)
        return NULL;
    stamma_error error = stamma_codec_explain_game(codec, start, moves, plies, append_part, list);
    if (error)
        (void)raise_game(codec, error);
    return finish_parts(list);
}

/* explain_position(encoding, position): the parts of the code. */
static PyObject *explain_position(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *position;
    if (!PyArg_ParseTuple(args, "sO!", &name, ext_position_type, &position))
        return NULL;
    const stamma_position_codec *codec = ext_find_position_codec(name, "explain() or explain_game()");
    PyObject *list = codec ? PyList_New(0) : NULL;
    if (!list)
        return NULL;
    stamma_error error = stamma_position_explain(codec, &((ext_position *)position)->position, append_part, list);
    if (error)
        (void)ext_raise(error, "the encoding cannot represent this position", NULL);
    return finish_parts(list);
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
                                  {"encode_all", encode_all, METH_VARARGS, NULL},
                                  {"decode_move", decode_move, METH_VARARGS, NULL},
                                  {"encode_game", encode_game, METH_VARARGS, NULL},
                                  {"decode_game", decode_game, METH_VARARGS, NULL},
                                  {"encode_position", encode_position, METH_VARARGS, NULL},
                                  {"decode_position", decode_position, METH_VARARGS, NULL},
                                  {"explain_move", explain_move, METH_VARARGS, NULL},
                                  {"explain_game", explain_game, METH_VARARGS, NULL},
                                  {"explain_position", explain_position, METH_VARARGS, NULL},
                                  {"predict", predict, METH_VARARGS, NULL},
                                  {"predict_game", predict_game, METH_VARARGS, NULL},
                                  {0}};

bool ext_codes_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
