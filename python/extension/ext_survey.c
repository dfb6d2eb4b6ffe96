/* SPDX-License-Identifier: MIT */
/* Sizes and fall-backs of encodings, measured on one game. The package adds them up. */
#include "ext.h"

enum { REASONS_MAX = 8 };

/* The result for one game. */
typedef struct sums {
    uint64_t plies, unsupported_plies;
    uint64_t code_bits, string_bits;   /* of the codes; of the encoded game with the number of plies */
    uint64_t both_sides, rest_of_game; /* plies with a fall-back if it applied to both sides, and to the end */
    const char *reasons[REASONS_MAX];  /* as stamma_codec_fallback returns them */
    uint64_t reason_plies[REASONS_MAX];
    size_t reason_count;
} sums;

static void count_reason(sums *s, const char *reason)
{
    size_t n = 0;
    while (n < s->reason_count && strcmp(s->reasons[n], reason) != 0)
        n++;
    if (n == REASONS_MAX)
        n--; /* no encoding has this number of reasons */
    if (n == s->reason_count)
        s->reasons[s->reason_count++] = reason;
    s->reason_plies[n]++;
}

/* Counts plies that use the fall-back. The moves have been checked. */
static void count_fallbacks(sums *s, const stamma_codec *codec, stamma_position position, const stamma_move *moves,
                            size_t plies)
{
    bool before = false; /* a fall-back was needed before */
    for (size_t ply = 0; ply < plies; ply++) {
        stamma_position other;
        stamma_position_make(&position, STAMMA_MOVE_NULL, &other);
        const char *reason = stamma_codec_fallback(codec, &position);
        bool both = reason || stamma_codec_fallback(codec, &other);
        before = before || both;
        if (reason)
            count_reason(s, reason);
        s->both_sides += both;
        s->rest_of_game += before;
        stamma_position_make(&position, moves[ply], &position);
    }
}

static bool is_legal_game(stamma_position position, const stamma_move *moves, size_t plies)
{
    for (size_t ply = 0; ply < plies; ply++) {
        if (!ext_is_playable(&position, moves[ply]))
            return false;
        stamma_position_make(&position, moves[ply], &position);
    }
    return true;
}

/* Measures an encoding whose codes do not determine the moves: move by move. */
static void measure_moves(sums *s, const stamma_codec *codec, stamma_position position, const stamma_move *moves,
                          size_t plies)
{
    for (size_t ply = 0; ply < plies; ply++) {
        stamma_code code = {0, 0};
        bool encoded = stamma_codec_encode(codec, &position, moves[ply], &code) == STAMMA_OK;
        s->plies += encoded;
        s->unsupported_plies += !encoded;
        s->code_bits += encoded ? code.bits : 0;
        stamma_position_make(&position, moves[ply], &position);
    }
    s->string_bits = s->code_bits;
}

/* Measures an encoding on a game. `space` has STAMMA_CODEC_GAME_SIZE(plies) bytes. Returns ILLEGAL if a move is not
 * legal. */
static stamma_error measure(sums *s, const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                            size_t plies, void *space)
{
    size_t size = 0, bits = 0;
    bool partial = stamma_codec_describe(codec).is_partial;
    stamma_error error = partial ? STAMMA_ERROR_UNSUPPORTED
                                 : stamma_codec_encode_game(codec, start, moves, plies, space,
                                                            STAMMA_CODEC_GAME_SIZE(plies), &size, &bits);
    if (error && error != STAMMA_ERROR_UNSUPPORTED)
        return error;
    if (error && !is_legal_game(*start, moves, plies))
        return STAMMA_ERROR_ILLEGAL;
    if (partial)
        measure_moves(s, codec, *start, moves, plies);
    else
        *s = (sums){.plies = error ? 0 : plies,
                    .unsupported_plies = error ? plies : 0,
                    .code_bits = bits,
                    .string_bits = 8 * (uint64_t)size};
    count_fallbacks(s, codec, *start, moves, plies);
    return STAMMA_OK;
}

static PyObject *build_sums(const sums *s)
{
    PyObject *reasons = PyDict_New();
    for (size_t n = 0; reasons && n < s->reason_count; n++) {
        PyObject *plies = PyLong_FromUnsignedLongLong(s->reason_plies[n]);
        if (!plies || PyDict_SetItemString(reasons, s->reasons[n], plies) != 0)
            Py_CLEAR(reasons);
        Py_XDECREF(plies);
    }
    if (!reasons)
        return NULL;
    return Py_BuildValue("KKKKKKN", (unsigned long long)s->plies, (unsigned long long)s->unsupported_plies,
                         (unsigned long long)s->code_bits, (unsigned long long)s->string_bits,
                         (unsigned long long)s->both_sides, (unsigned long long)s->rest_of_game, reasons);
}

/* survey_game(encoding, start, moves): plies encoded and not encoded, bits of the codes and of the encoded game, plies
 * with the fall-back for both sides and to the end of the game, and a dict of the plies of each reason. */
static PyObject *survey_game(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    const stamma_position *start;
    const stamma_move *moves;
    size_t plies;
    sums s = {0};
    if (!ext_read_line(args, &name, &start, &moves, &plies))
        return NULL;
    const stamma_codec *codec = ext_find_codec(name, "survey_positions");
    if (!codec)
        return NULL;
    void *space = PyMem_Malloc(STAMMA_CODEC_GAME_SIZE(plies));
    if (!space)
        return PyErr_NoMemory();
    stamma_error error;
    Py_BEGIN_ALLOW_THREADS error = measure(&s, codec, start, moves, plies, space);
    Py_END_ALLOW_THREADS PyMem_Free(space);
    return error ? ext_raise(error, NULL, NULL) : build_sums(&s);
}

/* Stores the number of bits of the position after each ply; 0 if it is not encoded. */
static void measure_positions(uint16_t *bits, const stamma_position_codec *codec, stamma_position position,
                              const stamma_move *moves, size_t plies)
{
    for (size_t ply = 0; ply < plies; ply++) {
        stamma_position_code code;
        stamma_position_make(&position, moves[ply], &position);
        bits[ply] = stamma_position_encode(codec, &position, &code) ? 0 : (uint16_t)code.bits;
    }
}

/* survey_positions(encoding, start, moves): bytes of 16-bit numbers, the bits of the position after each ply. */
static PyObject *survey_positions(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    const stamma_position *start;
    const stamma_move *moves;
    size_t plies;
    if (!ext_read_line(args, &name, &start, &moves, &plies))
        return NULL;
    const stamma_position_codec *codec = ext_find_position_codec(name, "survey()");
    if (!codec)
        return NULL;
    if (!is_legal_game(*start, moves, plies))
        return ext_raise(STAMMA_ERROR_ILLEGAL, "a move is not legal", NULL);
    uint16_t *bits = PyMem_Malloc((plies + 1) * sizeof *bits);
    if (!bits)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS measure_positions(bits, codec, *start, moves, plies);
    Py_END_ALLOW_THREADS PyObject *result = ext_bytes(bits, plies * sizeof *bits);
    PyMem_Free(bits);
    return result;
}

static PyMethodDef functions[] = {
    {"survey_game", survey_game, METH_VARARGS, NULL}, {"survey_positions", survey_positions, METH_VARARGS, NULL}, {0}};

bool ext_survey_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
