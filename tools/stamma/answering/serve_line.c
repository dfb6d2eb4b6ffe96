/* SPDX-License-Identifier: MIT */
/* A line of moves with its positions: /line, and the openings along a line. */
#include "answering/serve_answers.h"

void serve_put_openings(const stamma_position *start, const stamma_move *moves, size_t count)
{
    stamma_position position = *start;
    stamma_text eco, name;
    tool_json_open("openings", '[');
    for (size_t ply = 0; ply <= count; ply++) {
        if (ply > 0)
            stamma_position_make(&position, moves[ply - 1], &position);
        if (!stamma_position_opening(&position, &eco, &name))
            continue;
        tool_json_open(NULL, '{');
        tool_json_number("ply", ply);
        tool_json_text("eco", eco);
        tool_json_text("name", name);
        tool_json_close('}');
    }
    tool_json_close(']');
}

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
