/* SPDX-License-Identifier: MIT */
/* The current line of moves in a movetext: its position, and the state for returning from variations. For an outer
 * line, only the position before its last move is kept, because making the move again is as fast as copying a position.
 */
#include "notation/notation.h"

void stamma_pgn_line_start(pgn_line *line, const stamma_position *position)
{
    line->position[0] = *position;
    line->at = 0;
    line->ply = 0;
    line->move = STAMMA_MOVE_NULL;
    line->state = PGN_LINE_FRESH;
    line->error = STAMMA_OK;
    line->depth = 0;
}

void stamma_pgn_line_fail(pgn_line *line, stamma_error error)
{
    if (pgn_line_is_known(line)) {
        line->state = PGN_LINE_FAILED;
        line->error = (uint8_t)error;
        line->at ^= 1;
    } else {
        line->state = PGN_LINE_LOST;
    }
    line->ply++;
}

static bool grow(pgn_line *line)
{
    uint32_t capacity = line->capacity == 0 ? 8 : 2 * line->capacity; /* 0 if the result is too large */
    size_t size = size_multiply(capacity, sizeof *line->frames);
    pgn_frame *frames = line->depth < capacity ? memory_resize(line->allocator, line->frames, size) : NULL;
    if (!frames)
        return false;
    line->frames = frames;
    line->capacity = capacity;
    return true;
}

bool stamma_pgn_line_branch(pgn_line *line)
{
    if (line->depth == line->capacity && !grow(line))
        return false;
    bool fresh = line->state == PGN_LINE_FRESH;
    pgn_frame *frame = &line->frames[line->depth++];
    *frame =
        (pgn_frame){line->position[fresh ? line->at : line->at ^ 1], line->ply, line->move, line->state, line->error};
    line->position[0] = frame->position;
    line->at = 0;
    line->ply -= !fresh;
    line->state = frame->state == PGN_LINE_LOST ? PGN_LINE_LOST : PGN_LINE_FRESH;
    return true;
}

void stamma_pgn_line_return(pgn_line *line)
{
    const pgn_frame *frame = &line->frames[--line->depth];
    line->at = 0;
    line->ply = frame->ply;
    line->move = frame->move;
    line->state = frame->state;
    line->error = frame->error;
    line->position[frame->state != PGN_LINE_FRESH] = frame->position;
    if (frame->state == PGN_LINE_PLAYED)
        stamma_position_make(&line->position[1], line->move, &line->position[0]);
}

void stamma_pgn_line_release(pgn_line *line)
{
    memory_release(line->allocator, line->frames);
    line->frames = NULL;
    line->depth = line->capacity = 0;
}
