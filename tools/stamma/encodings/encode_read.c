/* SPDX-License-Identifier: MIT */
/* stamma encode --decode: decodes a move, a game or a position. */
#include "encodings/encode.h"
#include "games/game_views.h"

/* ---- printing ---- */

static void print_decoded(const stamma_position *position, stamma_move move, bool json)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE];
    (void)stamma_uci_write(position, move, tool_is_chess960(position), uci, sizeof uci);
    (void)stamma_san_write(position, move, san, sizeof san);
    if (!json) {
        printf("%s  %s\n", uci, san);
        return;
    }
    tool_json_open(NULL, '{');
    tool_json_string("uci", uci);
    tool_json_string("san", san);
    tool_json_number("move16", move);
    tool_json_close('}');
    tool_json_end();
}

/* ---- errors ---- */

static void print_uci(const stamma_position *position, stamma_move move)
{
    char uci[STAMMA_UCI_SIZE];
    (void)stamma_uci_write(position, move, tool_is_chess960(position), uci, sizeof uci);
    tool_message_print(" %s", uci);
}

/* Reports that several moves have the code, and lists them. */
static void say_ambiguous(const stamma_codec *codec, const stamma_position *position, const char *text, uint64_t value)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    stamma_code code;
    tool_message_begin(stamma_codec_describe(codec).name);
    tool_message_print("%s is ambiguous, the code of", text);
    for (size_t n = 0, count = stamma_legal_moves(position, moves); n < count; n++)
        if (stamma_codec_encode(codec, position, moves[n], &code) == STAMMA_OK && code.value == value)
            print_uci(position, moves[n]);
    tool_message_end();
}

/* Properties of the codes of the legal moves. */
typedef struct codes {
    size_t count;
    uint64_t least, most;
    unsigned bits_least, bits_most;
} codes;

static codes codes_of(const stamma_codec *codec, const stamma_position *position)
{
    codes c = {0, UINT64_MAX, 0, 64, 0};
    stamma_move moves[STAMMA_MOVES_MAX];
    stamma_code code;
    for (size_t n = 0, count = stamma_legal_moves(position, moves); n < count; n++) {
        if (stamma_codec_encode(codec, position, moves[n], &code))
            continue;
        c.count++;
        c.least = code.value < c.least ? code.value : c.least;
        c.most = code.value > c.most ? code.value : c.most;
        c.bits_least = code.bits < c.bits_least ? code.bits : c.bits_least;
        c.bits_most = code.bits > c.bits_most ? code.bits : c.bits_most;
    }
    return c;
}

/* Finds the move that a code of two squares names, legal or not. */
static bool named_squares(const stamma_codec *codec, uint64_t value, stamma_move *move)
{
    static const char *const names[] = {"move16", "butterfly", "move32", "move14", "move12"};
    const char *name = stamma_codec_describe(codec).name;
    stamma_enumerated_move one;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (strcmp(name, names[n]) == 0) {
            *move = stamma_move_make(value >> 6 & 63, value & 63, STAMMA_FLAG_QUIET);
            return true;
        }
    if (strcmp(name, "enumeration") != 0 || value > UINT32_MAX || stamma_enumeration_unrank((unsigned)value, &one))
        return false;
    *move = one.move;
    return true;
}

/* Reports that a number is not the code of a legal move. */
static void say_no_code(const stamma_codec *codec, const stamma_position *position, const char *text, uint64_t value,
                        unsigned digits)
{
    char fen[STAMMA_FEN_SIZE];
    const char *name = stamma_codec_describe(codec).name;
    codes c = codes_of(codec, position);
    stamma_move move;
    encode_fen(position, fen);
    if (c.count == 0)
        tool_say(name, "no move has a code in %s", fen);
    else if (digits && (digits < c.bits_least || digits > c.bits_most))
        tool_say(name, "%s has %u binary digits, and codes have %u%s in %s", text, digits, c.bits_least,
                 c.bits_least == c.bits_most ? "" : " and more", fen);
    else if (named_squares(codec, value, &move)) {
        tool_message_begin(name);
        tool_message_print("%s is not the code of a legal move; it means", text);
        print_uci(position, move);
        tool_message_print(" in %s", fen);
        tool_message_end();
    } else
        tool_say(name,
                 "%s is not the code of a legal move: the %zu legal moves have codes from %" PRIu64 " to %" PRIu64
                 " in %s",
                 text, c.count, c.least, c.most, fen);
}

static void say_no_text(const stamma_codec *codec, const stamma_position *position, const char *text)
{
    char fen[STAMMA_FEN_SIZE], written[9];
    const char *name = stamma_codec_describe(codec).name;
    stamma_move move = STAMMA_MOVE_NULL;
    stamma_code code;
    encode_fen(position, fen);
    if (stamma_san_read(position, stamma_text_of(text), &move) == STAMMA_OK &&
        stamma_codec_encode(codec, position, move, &code) == STAMMA_OK)
        tool_say(name, "\"%s\" is not the standard spelling: \"%s\"", text,
                 encode_characters(code.value, code.bits, written));
    else
        tool_say(name, "\"%s\" is not a legal move in %s", text, fen);
}

/* ---- a move ---- */

bool encode_read_number(const char *text, uint64_t *value, unsigned *digits)
{
    bool is_binary = text[0] == '0' && (text[1] | 0x20) == 'b';
    char *end = NULL;
    *value = 0;
    *digits = 0;
    if (is_binary) {
        for (const char *at = text + 2; *at; at++) {
            if (*at == ' ' || *at == '_')
                continue;
            if ((*at != '0' && *at != '1') || ++*digits > 64)
                return false;
            *value = *value << 1 | (uint64_t)(*at == '1');
        }
        return *digits > 0;
    }
    errno = 0;
    *value = strtoull(text, &end, text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10);
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0;
}

stamma_error encode_decode_value(const stamma_codec *codec, const stamma_position *position, uint64_t value,
                                 unsigned digits, stamma_move *move)
{
    stamma_error error = STAMMA_ERROR_CORRUPT;
    stamma_move found;
    for (unsigned bits = digits; bits <= (digits ? digits : 64); bits++) {
        const stamma_error result = stamma_codec_decode(codec, position, (stamma_code){value, bits}, &found);
        if (result == STAMMA_ERROR_CORRUPT)
            continue;
        if (result != STAMMA_OK || error == STAMMA_OK)
            return result == STAMMA_OK ? STAMMA_ERROR_AMBIGUOUS : result;
        error = STAMMA_OK;
        *move = found;
    }
    return error;
}

static int read_number(const stamma_codec *codec, const stamma_position *position, const char *text, bool json,
                       bool any_position)
{
    stamma_move move = STAMMA_MOVE_NULL;
    uint64_t value = 0;
    unsigned digits = 0;
    if (!encode_read_number(text, &value, &digits)) {
        tool_say(text, "is not a number: decimal, 0x... or 0b... with all its binary digits");
        return TOOL_ERROR;
    }
    stamma_error error = encode_decode_value(codec, position, value, digits, &move);
    if (error != STAMMA_OK && any_position && encode_print_meaning(codec, value, json))
        return TOOL_DONE;
    if (error == STAMMA_OK)
        print_decoded(position, move, json);
    else if (error == STAMMA_ERROR_AMBIGUOUS)
        say_ambiguous(codec, position, text, value);
    else if (error == STAMMA_ERROR_CORRUPT)
        say_no_code(codec, position, text, value, digits);
    else
        tool_say(stamma_codec_describe(codec).name, "%s: not supported: the code does not say which move it is", text);
    return error ? TOOL_ERROR : TOOL_DONE;
}

static int read_text(const stamma_codec *codec, const stamma_position *position, const char *text, bool json)
{
    stamma_move move = STAMMA_MOVE_NULL;
    stamma_code code = {0, 8 * (unsigned)strnlen(text, 9)};
    for (const char *at = text; *at && code.bits <= 64; at++)
        code.value = code.value << 8 | (unsigned char)*at;
    if (stamma_codec_decode(codec, position, code, &move)) {
        say_no_text(codec, position, text);
        return TOOL_ERROR;
    }
    print_decoded(position, move, json);
    return TOOL_DONE;
}

/* ---- a game ---- */

static stamma_error decode_string(const stamma_codec *codec, const stamma_position *start, const char *digits,
                                  stamma_move **moves, size_t *plies)
{
    size_t size = strlen(digits) / 2;
    uint8_t *bytes = strlen(digits) % 2 == 0 && size <= ENCODE_STRING_MAX ? malloc(size + 1) : NULL;
    stamma_error error = bytes && encode_read_hex(digits, bytes, size) ? STAMMA_OK : STAMMA_ERROR_SYNTAX;
    if (!error)
        error = stamma_codec_game_plies(bytes, size, plies);
    if (!error && *plies > ENCODE_STRING_MAX)
        error = STAMMA_ERROR_UNSUPPORTED;
    *moves = error ? NULL : malloc((*plies + 1) * sizeof **moves);
    if (!error)
        error = *moves ? stamma_codec_decode_game(codec, start, bytes, size, *moves, *plies, plies)
                       : STAMMA_ERROR_NO_MEMORY;
    free(bytes);
    return error;
}

static int read_game(const stamma_codec *codec, const stamma_position *start, const char *text, bool json)
{
    size_t plies = 0;
    stamma_move *moves = NULL;
    char fen[STAMMA_FEN_SIZE];
    stamma_error error = decode_string(codec, start, text, &moves, &plies);
    stamma_position position = *start;
    for (size_t n = 0; !error && n < plies; n++) {
        print_decoded(&position, moves[n], json);
        stamma_position_make(&position, moves[n], &position);
    }
    const char *name = stamma_codec_describe(codec).name;
    if (error == STAMMA_ERROR_CORRUPT)
        tool_say(name, "%s is not the code of a game of legal moves from %s", text, encode_fen(start, fen));
    else if (error == STAMMA_ERROR_SYNTAX)
        tool_say(name, "\"%s\" is not the code of a game: expected pairs of hexadecimal digits", text);
    else if (error)
        tool_say(name, "%s: %s", text, stamma_error_text(error));
    free(moves);
    return error ? TOOL_ERROR : TOOL_DONE;
}

/* ---- a position ---- */

bool encode_read_bits(const char *text, stamma_position_code *code)
{
    char *digits;
    unsigned long bits = *text >= '0' && *text <= '9' ? strtoul(text, &digits, 10) : 0;
    size_t bytes = (bits + 7) / 8;
    if (bits == 0 || bits > 8 * sizeof code->bytes || *digits++ != ':' || strlen(digits) != 2 * bytes)
        return false;
    code->bits = (unsigned)bits;
    return encode_read_hex(digits, code->bytes, bytes) &&
           (code->bytes[bytes - 1] & (0xFF >> ((bits + 7) % 8 + 1))) == 0;
}

bool encode_read_characters(const char *text, stamma_position_code *code)
{
    size_t length = strlen(text);
    if (length > sizeof code->bytes)
        return false;
    memcpy(code->bytes, text, length);
    code->bits = 8 * (unsigned)length;
    return true;
}

/* Prints both kings and the castling rights, which is all that this code represents. */
static int print_kings(const stamma_position_code *code, const char *text, bool json)
{
    unsigned number = (unsigned)code->bytes[0] << 4 | code->bytes[1] >> 4;
    stamma_kings_castling k;
    if (code->bits != 12 || stamma_kings_castling_unrank(number, &k)) {
        tool_say("kings-castling", "%s is not a code: expected twelve bits, a number below %d", text,
                 STAMMA_KINGS_CASTLING_COUNT);
        return TOOL_ERROR;
    }
    char rights[5] = "", *at = rights, squares[2][3];
    for (unsigned n = 0; n < 4; n++)
        if (k.right[n / 2][n % 2])
            *at++ = "KQkq"[n];
    if (at == rights)
        *at++ = '-';
    *at = 0;
    for (unsigned color = 0; color < 2; color++)
        (void)snprintf(squares[color], sizeof squares[color], "%c%c", 'a' + (k.king[color] & 7),
                       '1' + (k.king[color] >> 3 & 7));
    if (!json) {
        printf("white king %s, black king %s, castling %s\n", squares[0], squares[1], rights);
        return TOOL_DONE;
    }
    tool_json_open(NULL, '{');
    tool_json_string("white_king", squares[0]);
    tool_json_string("black_king", squares[1]);
    tool_json_string("castling", rights);
    tool_json_close('}');
    tool_json_end();
    return TOOL_DONE;
}

static void print_fen(const stamma_position *position, bool json)
{
    char fen[STAMMA_FEN_SIZE];
    encode_fen(position, fen);
    if (!json) {
        printf("%s\n", fen);
        return;
    }
    tool_json_open(NULL, '{');
    tool_json_string("fen", fen);
    tool_json_close('}');
    tool_json_end();
}

static int read_position(const stamma_position_codec *codec, const char *text, bool json)
{
    stamma_position_codec_info info = stamma_position_codec_describe(codec);
    stamma_position_code code = {0, {0}};
    stamma_position position;
    if (!(info.is_text ? encode_read_characters : encode_read_bits)(text, &code)) {
        tool_say(text, info.is_text
                           ? "is not a code: it is too long"
                           : "is no code: the number of bits, a colon and hexadecimal digits, the last bits 0");
        return TOOL_ERROR;
    }
    if (strcmp(info.name, "kings-castling") == 0)
        return print_kings(&code, text, json);
    stamma_error error = stamma_position_decode(codec, &code, &position);
    if (error == STAMMA_ERROR_UNSUPPORTED)
        tool_say(info.name, "%s: not supported: the code does not say whose move it is", text);
    else if (error)
        tool_say(info.name, "%s is not the code of a position", text);
    else
        print_fen(&position, json);
    return error ? TOOL_ERROR : TOOL_DONE;
}

int encode_read(const char *name, const stamma_position *position, const char *value, bool game, bool json)
{
    const stamma_position start = stamma_position_start();
    const bool any_position = !position;
    position = position ? position : &start;
    const stamma_codec *codec = stamma_codec_find(stamma_text_of(name));
    const stamma_position_codec *of_positions = stamma_position_codec_find(stamma_text_of(name));
    if (of_positions && game) {
        tool_say("--game", "%s is an encoding of positions", name);
        return TOOL_ERROR;
    }
    if (of_positions)
        return read_position(of_positions, value, json);
    if (!codec) {
        tool_say("--decode", "there is no encoding \"%s\"; stamma encode --list prints them", name);
        return TOOL_ERROR;
    }
    stamma_codec_info info = stamma_codec_describe(codec);
    if (game || info.kind == STAMMA_CODEC_GAME)
        return read_game(codec, position, value, json);
    return info.is_text ? read_text(codec, position, value, json)
                        : read_number(codec, position, value, json, any_position);
}
