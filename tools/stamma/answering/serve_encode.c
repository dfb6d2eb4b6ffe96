/* SPDX-License-Identifier: MIT */
/* /encodings, /encode, /encode/sizes and /decode: moves and positions in all encodings, without archives. The codes are
 * those of `stamma encode --json`. */
#include "answering/serve_answers.h"
#include "encodings/encode.h"
#include "games/game_views.h"
#include "shared/message_output.h"

/* Writes the reply with `put`, which writes JSON. */
static bool reply(serve_exchange *x, void (*put)(serve_exchange *x))
{
    const stamma_output output = tool_buffer_output(&x->body);
    tool_put_to(&output);
    tool_json_begin();
    put(x);
    tool_put_to(NULL);
    return serve_reply_json(x);
}

/* Returns which encodings are requested. */
static encode_form form_of(const serve_request *r)
{
    return (encode_form){.names = serve_form_value(r->form, "codec"), .json = true, .explain = true};
}

/* ---- /encodings ---- */

static void put_encodings(serve_exchange *x)
{
    const encode_form form = form_of(&x->request);
    tool_json_open(NULL, '{');
    tool_json_open("encodings", '[');
    encode_put_list(&form);
    tool_json_close(']');
    tool_json_close('}');
}

bool serve_encodings(serve_exchange *x)
{
    return reply(x, put_encodings);
}

/* ---- /encode ---- */

/* Returns the line of the request's moves, which must remain valid. */
static encode_played line_of(const serve_request *r)
{
    encode_played l = {.start = r->start,
                       .position = r->start,
                       .moves = (stamma_move *)(uintptr_t)r->played, /* is not changed */
                       .plies = r->plies,
                       .space = r->plies};
    for (size_t i = 0; i + 1 < r->plies; i++)
        stamma_position_make(&l.position, r->played[i], &l.position);
    return l;
}

static void put_move(const stamma_position *position, stamma_move move)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE];
    (void)stamma_uci_write(position, move, tool_is_chess960(position), uci, sizeof uci);
    (void)stamma_san_write(position, move, san, sizeof san);
    tool_json_string("uci", uci);
    tool_json_string("san", san);
}

/* Writes the legal moves of a position. */
static void put_legal_moves(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    const size_t count = stamma_legal_moves(position, moves);
    tool_json_open("moves", '[');
    for (size_t n = 0; n < count; n++) {
        tool_json_open(NULL, '{');
        put_move(position, moves[n]);
        tool_json_close('}');
    }
    tool_json_close(']');
}

/* Writes why codes use fall-backs. */
static void put_fallbacks(const encode_form *form, const stamma_position *position)
{
    const stamma_codec *codec;
    tool_json_open("fallbacks", '{');
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++) {
        const char *name = stamma_codec_describe(codec).name, *reason = stamma_codec_fallback(codec, position);
        if (reason && encode_wants(form, name))
            tool_json_string(name, reason);
    }
    tool_json_close('}');
}

/* Returns the error of the code of the last move of a line. */
static stamma_error error_of_move(const stamma_codec *codec, const encode_played *l)
{
    stamma_code code;
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(SERVE_CODES_MAX)];
    size_t size;
    return stamma_codec_describe(codec).kind == STAMMA_CODEC_GAME
               ? stamma_codec_encode_game(codec, &l->start, l->moves, l->plies, bytes, sizeof bytes, &size, NULL)
               : stamma_codec_encode(codec, &l->position, l->moves[l->plies - 1], &code);
}

/* Writes why there are no codes. */
static void put_missing_moves(const encode_form *form, const encode_played *l)
{
    const stamma_codec *codec;
    tool_json_open("missing", '{');
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++) {
        const char *name = stamma_codec_describe(codec).name;
        stamma_error error = encode_wants(form, name) ? error_of_move(codec, l) : STAMMA_OK;
        if (error)
            tool_json_string(name, encode_reason(l->moves[l->plies - 1], error));
    }
    tool_json_close('}');
}

static void put_missing_positions(const encode_form *form, const stamma_position *position)
{
    const stamma_position_codec *codec;
    tool_json_open("missing", '{');
    for (size_t n = 0; (codec = stamma_position_codec_at(n)) != NULL; n++) {
        const char *name = stamma_position_codec_describe(codec).name;
        stamma_position_code code;
        stamma_error error = encode_wants(form, name) ? stamma_position_encode(codec, position, &code) : STAMMA_OK;
        if (error)
            tool_json_string(name, stamma_error_text(error));
    }
    tool_json_close('}');
}

static void put_move_codes(const encode_form *form, const serve_request *r)
{
    const encode_played l = line_of(r);
    serve_put_fen("fen_before", &l.position);
    put_move(&l.position, r->played[r->plies - 1]);
    tool_json_number("legal_moves", stamma_legal_moves_count(&l.position));
    encode_put_move("codes", form, &l);
    put_fallbacks(form, &l.position);
    put_missing_moves(form, &l);
}

static void put_codes(serve_exchange *x)
{
    const serve_request *r = &x->request;
    const encode_form form = form_of(r);
    const char *of = serve_form_value(r->form, "of");
    tool_json_open(NULL, '{');
    serve_put_fen("fen", &r->position);
    put_legal_moves(&r->position);
    if (r->plies > 0 && !(of && strcmp(of, "position") == 0)) {
        put_move_codes(&form, r);
    } else {
        encode_put_position("codes", &form, &r->position);
        put_missing_positions(&form, &r->position);
    }
    tool_json_close('}');
}

bool serve_encode(serve_exchange *x)
{
    return reply(x, put_codes);
}

/* ---- /encode/sizes ---- */

/* Writes the number of bits of a move in the string of a game. A blank follows a text. */
static void put_move_bits(const stamma_codec *codec, const stamma_position *position, stamma_move move)
{
    stamma_code code;
    if (stamma_codec_encode(codec, position, move, &code))
        tool_json_string(NULL, NULL);
    else
        tool_json_number(NULL, code.bits + (stamma_codec_describe(codec).is_text ? 8 : 0));
}

/* Writes by how many bits each move makes the code of the game longer. Stops when the request must end. */
static void put_game_bits(serve_exchange *x, const stamma_codec *codec)
{
    const serve_request *r = &x->request;
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(SERVE_CODES_MAX)];
    for (size_t plies = 1, before = 0, bits = 0, size; plies <= r->plies && serve_search_continues(x);
         plies++, before = bits)
        if (stamma_codec_encode_game(codec, &r->start, r->played, plies, bytes, sizeof bytes, &size, &bits))
            tool_json_string(NULL, NULL);
        else
            tool_json_integer(NULL, (int64_t)bits - (int64_t)before);
}

static void put_bits(serve_exchange *x, const stamma_codec *codec)
{
    const serve_request *r = &x->request;
    stamma_position position = r->start;
    if (stamma_codec_describe(codec).kind == STAMMA_CODEC_GAME) {
        put_game_bits(x, codec);
        return;
    }
    for (size_t i = 0; i < r->plies; i++) {
        put_move_bits(codec, &position, r->played[i]);
        stamma_position_make(&position, r->played[i], &position);
    }
}

static void put_sizes(serve_exchange *x)
{
    const encode_form form = form_of(&x->request);
    const stamma_codec *codec;
    tool_json_open(NULL, '{');
    tool_json_number("plies", x->request.plies);
    tool_json_open("bits", '{');
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++) {
        const char *name = stamma_codec_describe(codec).name;
        if (!encode_wants(&form, name))
            continue;
        tool_json_open(name, '[');
        put_bits(x, codec);
        tool_json_close(']');
    }
    tool_json_close('}');
    tool_json_close('}');
}

/* The codes of a game are encoded again for each move, so that a long game needs as much time as a search. */
bool serve_sizes(serve_exchange *x)
{
    return serve_search_enter(x) && reply(x, put_sizes) && serve_search_in_time(x);
}

/* ---- /decode ---- */

bool serve_decode(serve_exchange *x)
{
    const char *name = serve_form_value(&x->form, "codec"), *value = serve_form_value(&x->form, "value");
    tool_buffer message = {.bytes = NULL};
    const stamma_output output = tool_buffer_output(&x->body), messages = tool_buffer_output(&message);
    tool_put_to(&output);
    tool_message_to(&messages);
    tool_json_begin();
    const bool right = encode_read(name, &x->request.position, value, false, true) == TOOL_DONE;
    tool_message_to(NULL);
    tool_put_to(NULL);
    if (!right && message.size == 0)
        (void)serve_fail_memory(&x->fault);
    else if (!right)
        (void)serve_fail(&x->fault, 400, "%.*s", (int)message.size, message.bytes);
    tool_buffer_free(&message);
    return right && serve_reply_body(x, &serve_lines_headers);
}
