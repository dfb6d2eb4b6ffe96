/* SPDX-License-Identifier: MIT */
/* stamma encode --batch: encodes or decodes one game per line, in one process. */
#include "encodings/encode_batch.h"
#include "encodings/survey.h"
#include "games/game_views.h"

#include <ctype.h>

enum { CODECS_MAX = 128, SHOWN_MAX = 20 };

typedef struct batch {
    encode_units units;
    const stamma_codec *codecs[CODECS_MAX];
    const stamma_position_codec *of_positions[CODECS_MAX];
    size_t codec_count, position_count;
    const stamma_codec *prefixes; /* `two-index-bits`: the numbers of its codes need their numbers of bits */
    uint64_t errors;
    stamma_move *moves; /* of the line */
    size_t space;
    uint8_t *bytes; /* of a game */
    size_t bytes_space;
} batch;

/* Counts a line that cannot be encoded or decoded, and prints an empty line for it. */
#define REFUSE(b, line, ...) ((b)->errors++ < SHOWN_MAX ? encode_say_line(line, __VA_ARGS__) : (void)0)

/* ---- encoding ---- */

static void put_digits(uint64_t value, unsigned bits)
{
    while (bits-- > 0)
        tool_put_char(value >> bits & 1 ? '1' : '0');
}

static void put_hex(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t n = 0; n < size; n++) {
        tool_put_char(digits[bytes[n] >> 4]);
        tool_put_char(digits[bytes[n] & 15]);
    }
}

/* Prints the code of a complete game, or "-" if there is none. */
static void put_game(batch *b, const stamma_codec *codec, const encode_line *line)
{
    const size_t space = STAMMA_CODEC_GAME_SIZE(line->plies);
    size_t size;
    if (space > b->bytes_space)
        b->bytes = survey_resize(b->bytes, b->bytes_space = 2 * space, 1);
    if (stamma_codec_encode_game(codec, &line->start, line->moves, line->plies, b->bytes, space, &size, NULL))
        tool_put_string("-");
    else
        put_hex(b->bytes, size);
}

/* Prints the code of one move, or "-" if there is none. */
static void put_code(const batch *b, const stamma_codec *codec, bool is_text, const stamma_position *position,
                     stamma_move move)
{
    char text[32];
    stamma_code code;
    if (stamma_codec_encode(codec, position, move, &code))
        tool_put_string("-");
    else if (b->units == ENCODE_BITS && code.bits == 0)
        tool_put_char('.');
    else if (b->units == ENCODE_BITS)
        put_digits(code.value, code.bits);
    else if (codec == b->prefixes) {
        tool_put_string("0b");
        put_digits(code.value, code.bits);
    } else if (is_text)
        tool_put_string(encode_characters(code.value, code.bits, text));
    else
        tool_put(text, (size_t)snprintf(text, sizeof text, "%" PRIu64, code.value));
}

static void put_moves(batch *b, const stamma_codec *codec, const encode_line *line)
{
    const stamma_codec_info info = stamma_codec_describe(codec);
    if (info.kind == STAMMA_CODEC_GAME || b->units == ENCODE_BYTES) {
        put_game(b, codec, line);
        return;
    }
    stamma_position position = line->start;
    for (size_t n = 0; n < line->plies; n++) {
        if (n > 0)
            tool_put_char(' ');
        put_code(b, codec, info.is_text, &position, line->moves[n]);
        stamma_position_make(&position, line->moves[n], &position);
    }
}

/* Prints the code of a position as BITS:HEX, or as text. */
static void put_position(const stamma_position_codec *codec, const stamma_position *position)
{
    stamma_position_code code;
    char text[16];
    if (stamma_position_encode(codec, position, &code)) {
        tool_put_string("-");
    } else if (stamma_position_codec_describe(codec).is_text) {
        tool_put((const char *)code.bytes, code.bits / 8);
    } else {
        tool_put(text, (size_t)snprintf(text, sizeof text, "%u:", code.bits));
        put_hex(code.bytes, (code.bits + 7) / 8);
    }
}

static void put_fen(const stamma_position *position)
{
    char fen[STAMMA_FEN_SIZE];
    tool_put_string(encode_fen(position, fen));
}

/* Prints the start in front of a line, if it is not the initial position. */
static void put_start(const stamma_position *start)
{
    const stamma_position initial = stamma_position_start();
    if (stamma_position_equal(start, &initial))
        return;
    put_fen(start);
    tool_put_char('\t');
}

static void put_columns(batch *b, const encode_line *line)
{
    stamma_position end = line->start;
    for (size_t n = 0; n < line->plies; n++)
        stamma_position_make(&end, line->moves[n], &end);
    const bool table = b->codec_count + b->position_count > 1;
    if (table)
        put_fen(&line->start);
    else if (b->codec_count > 0)
        put_start(&line->start);
    for (size_t n = 0; n < b->codec_count + b->position_count; n++) {
        if (table)
            tool_put_char('\t');
        if (n < b->codec_count)
            put_moves(b, b->codecs[n], line);
        else
            put_position(b->of_positions[n - b->codec_count], &end);
    }
}

/* ---- reading moves ---- */

static void add_move(batch *b, size_t plies, stamma_move move)
{
    if (plies == b->space)
        b->moves = survey_resize(b->moves, b->space = b->space ? 2 * b->space : 512, sizeof *b->moves);
    b->moves[plies] = move;
}

/* Returns the next word of a line, which it ends with a NUL, or NULL. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    char *end = word + strcspn(word, " \t");
    *at = *end ? end + 1 : end;
    *end = 0;
    return *word ? word : NULL;
}

static bool is_result(const char *word)
{
    return strcmp(word, "1-0") == 0 || strcmp(word, "0-1") == 0 || strcmp(word, "1/2-1/2") == 0 ||
           strcmp(word, "*") == 0;
}

/* Reads the moves of a line of text. */
static bool read_moves(batch *b, encode_line *line)
{
    stamma_position position = line->start;
    size_t plies = 0;
    for (char *at = line->words, *word; (word = next_word(&at)) != NULL;) {
        const char *text = tool_skip_move_number(word);
        stamma_move move;
        if (!*text || is_result(text))
            continue;
        const stamma_error error = stamma_san_read(&position, stamma_text_of(text), &move);
        if (error) {
            REFUSE(b, line, "ply %zu: \"%.40s\" is %s", plies + 1, text,
                   error == STAMMA_ERROR_ILLEGAL     ? "not a legal move"
                   : error == STAMMA_ERROR_AMBIGUOUS ? "ambiguous"
                                                     : "not a move");
            return false;
        }
        add_move(b, plies++, move);
        stamma_position_make(&position, move, &position);
    }
    line->moves = b->moves;
    line->plies = plies;
    return true;
}

static bool take_moves(void *context, encode_line *line)
{
    batch *b = context;
    bool good = line->is_game || line->words;
    b->errors += !good;
    if (good && line->is_game && line->is_cut)
        REFUSE(b, line, "ply %zu is not a legal move; the moves before it are encoded", line->plies + 1);
    else if (good && !line->is_game)
        good = read_moves(b, line);
    if (good)
        put_columns(b, line);
    tool_put_char('\n');
    return true;
}

/* ---- decoding ---- */

static void put_uci(const stamma_position *start, const stamma_move *moves, size_t plies)
{
    char uci[STAMMA_UCI_SIZE];
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        if (n > 0)
            tool_put_char(' ');
        tool_put(uci, stamma_uci_write(&position, moves[n], tool_is_chess960(&position), uci, sizeof uci));
        stamma_position_make(&position, moves[n], &position);
    }
}

/* Reads the code of a complete game. */
static stamma_error read_string(batch *b, const stamma_codec *codec, const stamma_position *start, char *word,
                                size_t *plies)
{
    const size_t size = strlen(word) / 2;
    if (size > b->bytes_space)
        b->bytes = survey_resize(b->bytes, b->bytes_space = 2 * size, 1);
    if (strlen(word) % 2 != 0 || !encode_read_hex(word, b->bytes, size))
        return STAMMA_ERROR_SYNTAX;
    stamma_error error = stamma_codec_game_plies(b->bytes, size, plies);
    if (error)
        return error;
    if (*plies > ENCODE_STRING_MAX)
        return STAMMA_ERROR_UNSUPPORTED;
    while (b->space < *plies + 1)
        b->moves = survey_resize(b->moves, b->space = b->space ? 2 * b->space : 512, sizeof *b->moves);
    return stamma_codec_decode_game(codec, start, b->bytes, size, b->moves, *plies, plies);
}

/* Reads one code of a move. */
static stamma_error read_code(const batch *b, const stamma_codec *codec, const stamma_position *position,
                              const char *word, stamma_move *move)
{
    uint64_t value = 0;
    unsigned digits = 0;
    if (stamma_codec_describe(codec).is_text && b->units != ENCODE_BITS) {
        for (const char *at = word; *at && digits <= 64; at++, digits += 8)
            value = value << 8 | (unsigned char)*at;
        return stamma_codec_decode(codec, position, (stamma_code){value, digits}, move);
    }
    if (b->units == ENCODE_BITS) {
        for (digits = 0; word[digits] && strcmp(word, ".") != 0; digits++) {
            if (digits == 64 || (word[digits] != '0' && word[digits] != '1'))
                return STAMMA_ERROR_SYNTAX;
            value = value << 1 | (uint64_t)(word[digits] - '0');
        }
    } else if (!encode_read_number(word, &value, &digits)) {
        return STAMMA_ERROR_SYNTAX;
    }
    if (b->units == ENCODE_BITS)
        return stamma_codec_decode(codec, position, (stamma_code){value, digits}, move);
    return encode_decode_value(codec, position, value, digits, move);
}

static const char *reason_of(stamma_error error)
{
    return error == STAMMA_ERROR_SYNTAX      ? "not a code"
           : error == STAMMA_ERROR_AMBIGUOUS ? "the code of several moves"
           : error == STAMMA_ERROR_CORRUPT   ? "not the code of a legal move"
                                             : stamma_error_text(error);
}

static bool decode_moves(batch *b, const stamma_codec *codec, encode_line *line)
{
    const bool game = stamma_codec_describe(codec).kind == STAMMA_CODEC_GAME || b->units == ENCODE_BYTES;
    stamma_position position = line->start;
    size_t plies = 0;
    for (char *at = line->words, *word; (word = next_word(&at)) != NULL;) {
        stamma_move move = STAMMA_MOVE_NULL;
        const stamma_error error =
            game ? plies > 0 ? STAMMA_ERROR_SYNTAX : read_string(b, codec, &position, word, &plies)
                 : read_code(b, codec, &position, word, &move);
        if (error) {
            REFUSE(b, line, "code %zu: \"%.40s\" is %s", game ? 1 : plies + 1, word, reason_of(error));
            return false;
        }
        if (game)
            continue;
        add_move(b, plies++, move);
        stamma_position_make(&position, move, &position);
    }
    put_start(&line->start);
    put_uci(&line->start, b->moves, plies);
    return true;
}

static void decode_position(batch *b, const stamma_position_codec *codec, encode_line *line)
{
    stamma_position_code code = {0, {0}};
    stamma_position position;
    const bool is_text = stamma_position_codec_describe(codec).is_text;
    if (!(is_text ? encode_read_characters : encode_read_bits)(line->words, &code))
        REFUSE(b, line, "\"%.40s\" is not a code", line->words);
    else if (stamma_position_decode(codec, &code, &position))
        REFUSE(b, line, "\"%.40s\" is not the code of a position", line->words);
    else
        put_fen(&position);
}

static bool take_codes(void *context, encode_line *line)
{
    batch *b = context;
    if (line->is_game) {
        tool_say(encode_path_shown(line->path), "contains PGN; --decode reads lines of codes");
        b->errors++;
        return false;
    }
    b->errors += !line->words;
    if (line->words && b->position_count > 0)
        decode_position(b, b->of_positions[0], line);
    else if (line->words)
        (void)decode_moves(b, b->codecs[0], line);
    tool_put_char('\n');
    return true;
}

/* ---- the command ---- */

static void choose(batch *b, const encode_form *form)
{
    const stamma_codec *codec;
    const stamma_position_codec *of_positions;
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL && b->codec_count < CODECS_MAX; n++)
        if (encode_wants(form, stamma_codec_describe(codec).name))
            b->codecs[b->codec_count++] = codec;
    for (size_t n = 0; (of_positions = stamma_position_codec_at(n)) != NULL && b->position_count < CODECS_MAX; n++)
        if (encode_wants(form, stamma_position_codec_describe(of_positions).name))
            b->of_positions[b->position_count++] = of_positions;
}

static void put_heading(const batch *b)
{
    if (b->codec_count + b->position_count < 2)
        return;
    tool_put_string("fen");
    for (size_t n = 0; n < b->codec_count + b->position_count; n++) {
        tool_put_char('\t');
        tool_put_string(n < b->codec_count ? stamma_codec_describe(b->codecs[n]).name
                                           : stamma_position_codec_describe(b->of_positions[n - b->codec_count]).name);
    }
    tool_put_char('\n');
}

int encode_batch(const encode_form *form, encode_units units, const char *from, const char *path)
{
    const encode_form one = {.names = from};
    static batch b;
    b = (batch){.units = units, .prefixes = stamma_codec_find(stamma_text_of("two-index-bits"))};
    choose(&b, from ? &one : form);
    if (from && b.codec_count + b.position_count != 1) {
        tool_say("--decode", "there is no encoding \"%s\"; stamma encode --list prints them", from);
        return TOOL_ERROR;
    }
    if (!from)
        put_heading(&b);
    const bool done = encode_read_lines(path, from ? take_codes : take_moves, &b);
    tool_put_flush();
    if (b.errors > SHOWN_MAX)
        tool_say(encode_path_shown(path), "%" PRIu64 " more errors", b.errors - SHOWN_MAX);
    free(b.moves);
    free(b.bytes);
    return done && b.errors == 0 ? TOOL_DONE : TOOL_ERROR;
}
