/* SPDX-License-Identifier: MIT */
/* A line of moves with its positions: /line. */
#include "answering/serve_answers.h"

/* Writes the move in SAN, and plays it. */
static void put_san(stamma_position *position, stamma_move move)
{
    char san[STAMMA_SAN_SIZE];
    (void)stamma_san_write(position, move, san, sizeof san);
    tool_json_string(NULL, san);
    stamma_position_make(position, move, position);
}

static void put_body(const serve_request *r)
{
    stamma_position position = r->start;
    tool_json_open(NULL, '{');
    tool_json_open("san", '[');
    for (size_t i = 0; i < r->plies; i++)
        put_san(&position, r->played[i]);
    tool_json_close(']');
    position = r->start;
    tool_json_open("fens", '[');
    serve_put_fen(NULL, &position);
    for (size_t i = 0; i < r->plies; i++) {
        stamma_position_make(&position, r->played[i], &position);
        serve_put_fen(NULL, &position);
    }
    tool_json_close(']');
    tool_json_close('}');
}

bool serve_line(serve_exchange *x)
{
    const stamma_output output = tool_buffer_output(&x->body);
    tool_put_to(&output);
    tool_json_begin();
    put_body(&x->request);
    tool_put_to(NULL);
    return serve_reply_json(x);
}
