/* stamma encode: a move in every encoding by name, and back. (Positions: encode_position.c.) */
#include "tool.h"

static const char about[] = "Plays the MOVEs (SAN, UCI and what people write; Z0 for the null move) and prints each\n"
                            "in every encoding: its value and its number of bits. Of a code of whole games it prints\n"
                            "the string of the moves so far, in hexadecimal digits. Without a MOVE it prints the\n"
                            "position in every encoding: the number of bits, a colon and hexadecimal digits.\n"
                            "With --from it decodes: VALUE is a number (decimal, 0x... or 0b...), a text for san, lan\n"
                            "and uci, what was printed of a position, or the hexadecimal digits of a game's string\n"
                            "with --game.\n"
                            "With --json a move is an object on a line: encoding name to value, null where the\n"
                            "encoding does not hold it; a decoded move has uci, san and move16.";

/* Longest game that is shown and read here, in bytes of its string. */
enum { STRING_MAX = 1 << 20 };

/* ---- moves ---- */

static bool read_move(const stamma_position *position, const char *text, stamma_move *move)
{
    stamma_error error = stamma_san_read(position, tool_text_of(text), move);
    if (error)
        tool_say(text, "%s", stamma_error_text(error));
    return !error;
}

static void write_texts(const stamma_position *position, stamma_move move, char uci[STAMMA_UCI_SIZE],
                        char san[STAMMA_SAN_SIZE])
{
    (void)stamma_uci_write(position, move, tool_is_chess960(position), uci, STAMMA_UCI_SIZE);
    (void)stamma_san_write(position, move, san, STAMMA_SAN_SIZE);
}

/* The characters of a text code, at most 8. */
static const char *code_text(stamma_code code, char out[9])
{
    unsigned length = code.bits < 64 ? code.bits / 8 : 8;
    for (unsigned n = 0; n < length; n++)
        out[n] = (char)(code.value >> 8 * (length - 1 - n) & 255);
    out[length] = 0;
    return out;
}

/* ---- encoding ---- */

/* The moves played so far. */
typedef struct line {
    stamma_position start, position; /* before the last move */
    const stamma_move *moves;
    size_t plies;
} line;

/* The string of the game so far in hexadecimal digits, to be freed; NULL where it is not held. */
static char *game_string(const stamma_codec *codec, const line *l, size_t *code_bits)
{
    size_t size = 0, space = STAMMA_CODEC_GAME_SIZE(l->plies);
    uint8_t *bytes = malloc(space);
    char *digits = malloc(2 * space + 1);
    if (!bytes || !digits ||
        stamma_codec_encode_game(codec, &l->start, l->moves, l->plies, bytes, space, &size, code_bits)) {
        free(digits);
        digits = NULL;
    }
    for (size_t n = 0; digits && n < size; n++)
        (void)snprintf(digits + 2 * n, 3, "%02x", bytes[n]);
    free(bytes);
    return digits;
}

static void print_member(const stamma_codec *codec, const line *l)
{
    stamma_codec_info info = stamma_codec_describe(codec);
    stamma_code code;
    char text[9];
    if (info.kind == STAMMA_CODEC_GAME) {
        char *digits = game_string(codec, l, NULL);
        tool_json_string(info.name, digits);
        free(digits);
    } else if (stamma_codec_encode(codec, &l->position, l->moves[l->plies - 1], &code))
        tool_json_string(info.name, NULL);
    else if (info.is_text)
        tool_json_string(info.name, code_text(code, text));
    else
        tool_json_number(info.name, code.value);
}

static void print_object(const line *l)
{
    const stamma_codec *codec;
    tool_json_open(NULL, '{');
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++)
        print_member(codec, l);
    tool_json_close('}');
    tool_json_end();
}

/* The value in binary digits, in groups of four from the right; at most 32 bits. */
static const char *binary(stamma_code code, char out[48])
{
    char *at = out;
    for (unsigned bit = code.bits; bit-- > 0;) {
        *at++ = code.value >> bit & 1 ? '1' : '0';
        if (bit > 0 && bit % 4 == 0)
            *at++ = ' ';
    }
    *at = 0;
    return out;
}

static void print_row(const stamma_codec *codec, const line *l)
{
    stamma_codec_info info = stamma_codec_describe(codec);
    stamma_code code = {0, 0};
    char text[9], digits[48];
    if (info.kind == STAMMA_CODEC_GAME) {
        size_t bits = 0;
        char *string = game_string(codec, l, &bits);
        printf("  %-24s %4zu  %10s  %s\n", info.name, bits, "game", string ? string : "not held");
        free(string);
        return;
    }
    stamma_error error = stamma_codec_encode(codec, &l->position, l->moves[l->plies - 1], &code);
    const char *fallback = stamma_codec_fallback(codec, &l->position);
    if (error)
        printf("  %-24s    -  %10s  %s\n", info.name, "-", stamma_error_text(error));
    else if (info.is_text)
        printf("  %-24s %4u  %10s\n", info.name, code.bits, code_text(code, text));
    else
        printf("  %-24s %4u  %10" PRIu64 "  0x%-8" PRIX64 "  %s%s%s\n", info.name, code.bits, code.value, code.value,
               binary(code, digits), fallback ? "  fall-back: " : "", fallback ? fallback : "");
}

static void print_table(const line *l)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE], fen[STAMMA_FEN_SIZE];
    const stamma_codec *codec;
    write_texts(&l->position, l->moves[l->plies - 1], uci, san);
    (void)stamma_fen_write(&l->position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    printf("%s (%s) in %s: %zu legal moves\n\n  %-24s %4s  %10s\n", san, uci, fen,
           stamma_legal_moves_count(&l->position), "", "bits", "value");
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++)
        print_row(codec, l);
}

static int encode_moves(const stamma_position *start, char **texts, int count, bool json)
{
    stamma_move *moves = malloc((size_t)count * sizeof *moves);
    line l = {.start = *start, .position = *start, .moves = moves};
    bool good = moves != NULL;
    for (int n = 0; n < count && good; n++) {
        good = read_move(&l.position, texts[n], &moves[n]);
        if (!good)
            break;
        l.plies++;
        if (n > 0 && !json)
            putchar('\n');
        if (json)
            print_object(&l);
        else
            print_table(&l);
        stamma_position_make(&l.position, moves[n], &l.position);
    }
    free(moves);
    return good ? TOOL_DONE : TOOL_ERROR;
}

/* ---- decoding ---- */

static void print_decoded(const stamma_position *position, stamma_move move, bool json)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE];
    write_texts(position, move, uci, san);
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

static bool read_value(const char *text, uint64_t *value)
{
    bool is_binary = text[0] == '0' && (text[1] | 0x20) == 'b';
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(is_binary ? text + 2 : text, &end, is_binary ? 2 : text[1] == 'x' ? 16 : 10);
    *value = number;
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0;
}

/* A code in the length that the position gives it: no two codes of one position have the same value. */
static stamma_error decode_value(const stamma_codec *codec, const stamma_position *position, uint64_t value,
                                 stamma_move *move)
{
    stamma_error error = STAMMA_ERROR_CORRUPT;
    for (unsigned bits = 0; bits <= 64 && error == STAMMA_ERROR_CORRUPT; bits++)
        error = stamma_codec_decode(codec, position, (stamma_code){value, bits}, move);
    return error;
}

static stamma_error decode_text(const stamma_codec *codec, const stamma_position *position, const char *text,
                                stamma_move *move)
{
    stamma_code code = {0, 8 * (unsigned)strnlen(text, 9)};
    for (const char *at = text; *at && code.bits <= 64; at++)
        code.value = code.value << 8 | (unsigned char)*at;
    return stamma_codec_decode(codec, position, code, move);
}

static int decode_move(const stamma_codec *codec, const stamma_position *position, const char *text, bool json)
{
    stamma_move move = STAMMA_MOVE_NULL;
    uint64_t value = 0;
    stamma_codec_info info = stamma_codec_describe(codec);
    if (!info.is_text && !read_value(text, &value)) {
        tool_say(text, "is no number");
        return TOOL_ERROR;
    }
    stamma_error error =
        info.is_text ? decode_text(codec, position, text, &move) : decode_value(codec, position, value, &move);
    if (error) {
        tool_say(info.name, "%s: %s", text, stamma_error_text(error));
        return TOOL_ERROR;
    }
    print_decoded(position, move, json);
    return TOOL_DONE;
}

static int hex_digit(char digit)
{
    const char *found = digit ? strchr("0123456789abcdef", digit | 0x20) : NULL;
    return found ? (int)(found - "0123456789abcdef") : -1;
}

/* The bytes of hexadecimal digits, to be freed; NULL for what is none. */
static uint8_t *read_string(const char *digits, size_t *size)
{
    size_t length = strlen(digits);
    uint8_t *bytes = length % 2 == 0 && length / 2 <= STRING_MAX ? malloc(length / 2 + 1) : NULL;
    for (size_t n = 0; bytes && n < length / 2; n++) {
        int high = hex_digit(digits[2 * n]), low = hex_digit(digits[2 * n + 1]);
        bytes[n] = (uint8_t)(high * 16 + low);
        if (high < 0 || low < 0) {
            free(bytes);
            bytes = NULL;
        }
    }
    *size = length / 2;
    return bytes;
}

static int decode_game(const stamma_codec *codec, const stamma_position *start, const char *text, bool json)
{
    size_t size = 0, plies = 0;
    uint8_t *bytes = read_string(text, &size);
    stamma_error error = bytes ? stamma_codec_game_plies(bytes, size, &plies) : STAMMA_ERROR_SYNTAX;
    if (!error && plies > STRING_MAX)
        error = STAMMA_ERROR_UNSUPPORTED;
    stamma_move *moves = error ? NULL : malloc((plies + 1) * sizeof *moves);
    if (!error)
        error =
            moves ? stamma_codec_decode_game(codec, start, bytes, size, moves, plies, &plies) : STAMMA_ERROR_NO_MEMORY;
    stamma_position position = *start;
    for (size_t n = 0; !error && n < plies; n++) {
        print_decoded(&position, moves[n], json);
        stamma_position_make(&position, moves[n], &position);
    }
    if (error)
        tool_say(stamma_codec_describe(codec).name, "%s: %s", text, stamma_error_text(error));
    free(moves);
    free(bytes);
    return error ? TOOL_ERROR : TOOL_DONE;
}

static int decode(const char *name, const stamma_position *position, const char *value, bool game, bool json)
{
    const stamma_codec *codec = stamma_codec_find(tool_text_of(name));
    const stamma_position_codec *of_positions = stamma_position_codec_find(tool_text_of(name));
    if (of_positions)
        return tool_decode_position(of_positions, value, json);
    if (!codec) {
        tool_say("--from", "there is no encoding \"%s\"; stamma encode and stamma encode e4 list them", name);
        return TOOL_ERROR;
    }
    if (game || stamma_codec_describe(codec).kind == STAMMA_CODEC_GAME)
        return decode_game(codec, position, value, json);
    return decode_move(codec, position, value, json);
}

int tool_encode(int argc, char **argv)
{
    const char *fen = NULL, *from = NULL;
    bool json = false, game = false;
    const tool_option options[] = {
        {.name = "fen", .value = "FEN", .help = "the position; without it, the initial one", .text = &fen},
        {.name = "from", .value = "NAME", .help = "decode: the operand is a VALUE of this encoding", .text = &from},
        {.name = "game", .help = "with --from: VALUE is the string of a whole game", .flag = &game},
        {.name = "json", .help = "JSON", .flag = &json},
    };
    const tool_usage usage = {"encode", "[MOVE...]", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status;
    stamma_position position;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!tool_fen_read(fen, &position))
        return TOOL_ERROR;
    if (from && operands != 1) {
        tool_say("--from", "takes one VALUE");
        return TOOL_ERROR;
    }
    if (from)
        return decode(from, &position, argv[0], game, json);
    return operands == 0 ? tool_encode_position(&position, json) : encode_moves(&position, argv, operands, json);
}
