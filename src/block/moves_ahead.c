/* SPDX-License-Identifier: MIT */
/* Reads the second half of the lanes of a block's moves (17.2) on another thread while the first half is read. This
 * thread reads no other columns except the tags before the moves. */
#include "block/moves_ahead.h"

enum {
    LANES_PAY = LANE_MOVES,   /* fewer moves are read on one thread, in some hundredths of a second */
    AHEAD_MOVES_MAX = 1 << 23 /* more moves would need too much memory */
};

bool stamma_block_has_lanes(cursor head)
{
    block_head counts;
    column_entry e;
    if (stamma_block_read_head(&head, &counts) != STAMMA_OK)
        return false;
    for (uint64_t n = 0; n < counts.columns && stamma_column_read_entry(&head, &e); n++)
        if (e.id == COLUMN_MOVES)
            return codec_is_adaptive(e.codec) && e.plain_size >= LANES_PAY && e.plain_size <= AHEAD_MOVES_MAX;
    return false;
}

/* Adds the moves of the last record in the form that main_line_reader.c reads. */
static void add_moves(const block_reader *b, buffer *moves)
{
    const predicted_column *c = &b->columns.predicted[LINES_MAIN];
    const stamma_position *end = &b->columns.predictor.position;
    if (!c->begun)
        return;
    buffer_add_byte(moves, c->as_codes);
    if (c->as_codes)
        return;
    buffer_add(moves, end, sizeof *end);
    buffer_add(moves, b->state.main_line.data, b->state.record.plies * (sizeof(stamma_move) + 1));
}

static stamma_error read_half(block_reader *b, const stop_check *stop, buffer *moves)
{
    const predicted_column *c = &b->columns.predicted[LINES_MAIN];
    stamma_error error = STAMMA_OK;
    while (b->state.next < b->head.records && error == STAMMA_OK) {
        bool second = b->state.next >= c->second;
        error = work_is_stopped(stop) ? STAMMA_ERROR_CANCELLED : stamma_block_reader_next(b, !second);
        if (second && error == STAMMA_OK)
            add_moves(b, moves);
    }
    return error == STAMMA_OK && moves->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

void stamma_ahead_run(void *argument)
{
    ahead_job *j = (ahead_job *)argument;
    block_reader *b = j->block;
    j->moves.size = 0;
    stamma_block_reader_select(b, STAMMA_GAME_MOVES);
    j->error = stamma_block_reader_open(b, j->head, j->body);
    b->columns.lanes = LANES_SECOND;
    if (j->error == STAMMA_OK)
        j->error = read_half(b, j->stop, &j->moves);
    stamma_block_reader_select(b, STAMMA_GAME_ALL);
}

void stamma_ahead_give(const ahead_job *j, block_reader *b)
{
    if (j->error != STAMMA_OK)
        return;
    b->columns.lanes = LANES_FIRST;
    b->columns.ahead = buffer_cursor(&j->moves);
}
