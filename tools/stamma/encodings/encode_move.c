/* SPDX-License-Identifier: MIT */
/* stamma encode MOVE...: prints moves in every encoding. */
#include "encodings/encode.h"
#include "games/game_views.h"

#include <ctype.h>

typedef encode_played line;

static stamma_move last_move(const line *l)
{
    return l->moves[l->plies - 1];
}

/* ---- reading ---- */

static void say_bad_move(const line *l, const char *text, stamma_error error)
{
    char fen[STAMMA_FEN_SIZE];
    encode_fen(&l->position, fen);
    if (error == STAMMA_ERROR_ILLEGAL)
        tool_say(text, "no legal move, as ply %zu, in %s", l->plies + 1, fen);
    else if (error == STAMMA_ERROR_AMBIGUOUS)
        tool_say(text, "ambiguous: several legal moves, as ply %zu, in %s", l->plies + 1, fen);
    else
        tool_say(text, "not a move (ply %zu, in %s)", l->plies + 1, fen);
}

static bool add_move(line *l, stamma_move move)
{
    if (l->plies == l->space) {
        size_t space = l->space ? 2 * l->space : 64;
        stamma_move *bigger = realloc(l->moves, space * sizeof *bigger);
        if (!bigger)
            return tool_fail_memory(NULL);
        l->moves = bigger;
        l->space = space;
    }
    l->moves[l->plies++] = move;
    return true;
}

/* ---- values ---- */

/* A value of one encoding: the code of the last move, or of the game so far. */
typedef struct value {
    stamma_codec_info info;
    stamma_error error;
    stamma_code code; /* of a move */
    char *string;     /* of a game: hexadecimal digits; free with free() */
    size_t bits;
} value;

static void encode_game(const stamma_codec *codec, const line *l, value *v)
{
    size_t size = 0, space = STAMMA_CODEC_GAME_SIZE(l->plies);
    uint8_t *bytes = malloc(space);
    v->error = bytes ? stamma_codec_encode_game(codec, &l->start, l->moves, l->plies, bytes, space, &size, &v->bits)
                     : STAMMA_ERROR_NO_MEMORY;
    v->string = v->error ? NULL : malloc(2 * size + 1);
    if (v->string)
        encode_hex(bytes, size, v->string);
    else if (!v->error)
        v->error = STAMMA_ERROR_NO_MEMORY;
    free(bytes);
}

static value encode(const stamma_codec *codec, const line *l)
{
    value v = {.info = stamma_codec_describe(codec)};
    if (v.info.kind == STAMMA_CODEC_GAME) {
        encode_game(codec, l, &v);
    } else {
        v.error = stamma_codec_encode(codec, &l->position, last_move(l), &v.code);
        v.bits = v.code.bits;
    }
    return v;
}

static void print_parts(const encode_form *form, const stamma_codec *codec, const line *l, const value *v)
{
    char text[9];
    encode_parts parts = {form->json, NULL, 0};
    if (v->info.is_text) {
        parts.text = encode_characters(v->code.value, v->code.bits, text);
        parts.text_bits = v->code.bits;
    }
    if (v->info.kind == STAMMA_CODEC_GAME)
        (void)stamma_codec_explain_game(codec, &l->start, l->moves, l->plies, encode_print_part, &parts);
    else
        (void)stamma_codec_explain(codec, &l->position, last_move(l), encode_print_part, &parts);
}

const char *encode_reason(stamma_move move, stamma_error error)
{
    return move == STAMMA_MOVE_NULL ? "has no null move" : stamma_error_text(error);
}

/* ---- a table ---- */

static const char *fallback_of(const stamma_codec *codec, const line *l)
{
    const char *reason = stamma_codec_fallback(codec, &l->position);
    return reason ? reason : "";
}

static void print_row(const encode_form *form, const stamma_codec *codec, const line *l)
{
    value v = encode(codec, l);
    char text[9], digits[ENCODE_BINARY_SIZE];
    const char *reason = fallback_of(codec, l);
    if (v.error)
        printf("  %-24s    -  %10s  %s\n", v.info.name, "-", encode_reason(last_move(l), v.error));
    else if (v.string)
        printf("  %-24s %4zu  %10s  %s\n", v.info.name, v.bits, "game", v.string);
    else if (v.info.is_text)
        printf("  %-24s %4zu  %10s\n", v.info.name, v.bits, encode_characters(v.code.value, v.code.bits, text));
    else
        printf("  %-24s %4zu  %10" PRIu64 "  0x%-8" PRIX64 "  %s%s%s\n", v.info.name, v.bits, v.code.value,
               v.code.value, encode_binary(v.code.value, v.code.bits, digits), *reason ? "  fall-back: " : "", reason);
    if (!v.error && form->explain)
        print_parts(form, codec, l, &v);
    free(v.string);
}

static void print_heading(const line *l)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE], fen[STAMMA_FEN_SIZE];
    (void)stamma_uci_write(&l->position, last_move(l), tool_is_chess960(&l->position), uci, sizeof uci);
    (void)stamma_san_write(&l->position, last_move(l), san, sizeof san);
    printf("%s%s (%s) in %s: %zu legal moves\n\n  %-24s %4s  %10s\n", l->plies > 1 ? "\n" : "", san, uci,
           encode_fen(&l->position, fen), stamma_legal_moves_count(&l->position), "", "bits", "value");
}

/* ---- TSV ---- */

/* Prints a row. The row of a game has its start and all moves; the row of a move has the position before the move. */
static void print_tsv(const stamma_codec *codec, const line *l)
{
    value v = encode(codec, l);
    char fen[STAMMA_FEN_SIZE], uci[STAMMA_UCI_SIZE], text[9];
    bool game = v.info.kind == STAMMA_CODEC_GAME;
    stamma_position position = game ? l->start : l->position;
    printf("%s\t", encode_fen(&position, fen));
    for (size_t n = game ? 0 : l->plies - 1; n < l->plies; n++) {
        (void)stamma_uci_write(&position, l->moves[n], tool_is_chess960(&position), uci, sizeof uci);
        printf("%s%s", uci, n + 1 < l->plies ? " " : "");
        stamma_position_make(&position, l->moves[n], &position);
    }
    printf("\t%s\t", v.info.name);
    if (v.error)
        printf("-\t-\n");
    else if (v.string)
        printf("%zu\t%s\n", v.bits, v.string);
    else if (v.info.is_text)
        printf("%zu\t%s\n", v.bits, encode_characters(v.code.value, v.code.bits, text));
    else
        printf("%zu\t%" PRIu64 "\n", v.bits, v.code.value);
    free(v.string);
}

/* ---- JSON ---- */

/* The contents of an object for every encoding: its value, its number of bits, or its parts. */
enum member { VALUES, BITS, PARTS };

static void print_member(const encode_form *form, enum member member, const stamma_codec *codec, const line *l)
{
    value v = encode(codec, l);
    char text[9];
    if (v.error) {
        tool_json_string(v.info.name, NULL);
    } else if (member == PARTS) {
        tool_json_open(v.info.name, '[');
        print_parts(form, codec, l, &v);
        tool_json_close(']');
    } else if (member == BITS) {
        tool_json_number(v.info.name, v.bits);
    } else if (v.string) {
        tool_json_string(v.info.name, v.string);
    } else if (v.info.is_text) {
        tool_json_string(v.info.name, encode_characters(v.code.value, v.code.bits, text));
    } else {
        tool_json_number(v.info.name, v.code.value);
    }
    free(v.string);
}

static void print_members(const encode_form *form, enum member member, const line *l)
{
    const stamma_codec *codec;
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++)
        if (encode_wants(form, stamma_codec_describe(codec).name))
            print_member(form, member, codec, l);
}

void encode_put_move(const char *key, const encode_form *form, const line *l)
{
    tool_json_open(key, '{');
    print_members(form, VALUES, l);
    tool_json_open("bits", '{');
    print_members(form, BITS, l);
    tool_json_close('}');
    if (form->explain) {
        tool_json_open("parts", '{');
        print_members(form, PARTS, l);
        tool_json_close('}');
    }
    tool_json_close('}');
}

static void print(const encode_form *form, const line *l)
{
    const stamma_codec *codec;
    if (form->json) {
        encode_put_move(NULL, form, l);
        tool_json_end();
        return;
    }
    if (!form->tsv)
        print_heading(l);
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++) {
        if (!encode_wants(form, stamma_codec_describe(codec).name))
            continue;
        if (form->tsv)
            print_tsv(codec, l);
        else
            print_row(form, codec, l);
    }
}

/* ---- the moves ---- */

static bool play(const encode_form *form, line *l, const char *word)
{
    stamma_move move = STAMMA_MOVE_NULL;
    stamma_error error = stamma_san_read(&l->position, stamma_text_of(word), &move);
    if (error) {
        say_bad_move(l, word, error);
        return false;
    }
    if (!add_move(l, move))
        return false;
    print(form, l);
    stamma_position_make(&l->position, move, &l->position);
    return true;
}

/* Plays an argument: one or several moves, with or without move numbers. */
static bool play_words(const encode_form *form, line *l, char *text)
{
    bool good = true;
    while (good) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            return true;
        size_t length = strcspn(text, " \t\r\n");
        char end = text[length];
        text[length] = 0;
        const char *word = tool_skip_move_number(text);
        good = !*word || play(form, l, word);
        text[length] = end;
        text += length;
    }
    return false;
}

int encode_moves(const encode_form *form, const stamma_position *start, char **texts, int count)
{
    line l = {.start = *start, .position = *start};
    bool good = true;
    for (int n = 0; n < count && good; n++)
        good = play_words(form, &l, texts[n]);
    if (good && l.plies == 0) {
        tool_say("encode", "there are no moves");
        good = false;
    }
    free(l.moves);
    return good ? TOOL_DONE : TOOL_ERROR;
}
