/* SPDX-License-Identifier: MIT */
/* /board.svg: a picture of a position. */
#include "answering/serve_answers.h"
#include "pictures/board_picture.h"

static bool read_picture(serve_exchange *x, board_picture *p)
{
    const serve_request *r = &x->request;
    const char *arrows = serve_form_value(&x->form, "arrows"), *circles = serve_form_value(&x->form, "circles");
    const char *last = serve_form_value(&x->form, "last"), *field = NULL;
    char message[BOARD_MESSAGE];
    *p = (board_picture){.position = r->position, .flip = r->flip, .size = BOARD_SIZE, .moved = r->plies > 0};
    if (p->moved) {
        p->last[0] = stamma_move_from(r->played[r->plies - 1]);
        p->last[1] = stamma_move_to(r->played[r->plies - 1]);
    }
    if (last && !board_last_read(p, last, message))
        field = "last";
    else if (circles && !board_marks_read(p, circles, false, message))
        field = "circles";
    else if (arrows && !board_marks_read(p, arrows, true, message))
        field = "arrows";
    return !field || serve_fail(&x->fault, 400, "%s: %s", field, message);
}

bool serve_board(serve_exchange *x)
{
    board_picture picture;
    if (!read_picture(x, &picture))
        return false;
    const stamma_output output = tool_buffer_output(&x->body);
    tool_put_to(&output);
    board_picture_put(&picture);
    tool_put_to(NULL);
    const serve_headers headers = {
        .type = "image/svg+xml", .disposition = "inline; filename=\"board.svg\"", .policy = "default-src 'none'"};
    return serve_reply_body(x, &headers);
}
