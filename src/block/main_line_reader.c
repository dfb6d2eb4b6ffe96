/* SPDX-License-Identifier: MIT */
/* Decodes the main line of a record and finds its opening (clauses 5.2, 16, 17, 19). The input is not trusted. */
#include "block/record_reading.h"

/* Returns the context of the game for the predictor (clauses 16.5, 17.2). Values that are not read yet are empty.
 * `players` may be NULL. */
predict_context stamma_reading_context(const reading *x, uint64_t *players)
{
    stamma_text values[CONTEXT_TAGS];
    for (unsigned n = 0; n < CONTEXT_TAGS; n++)
        values[n] = stamma_record_tag(x->r, stamma_context_tags[n]);
    for (unsigned side = 0; players && side < 2; side++)
        players[side] = stamma_predicted_player(values[CONTEXT_PLAYERS + side]);
    return stamma_predicted_context(values, (uint32_t)x->events.main_count);
}

void stamma_ahead_begin(block_reader *b, uint64_t count)
{
    predicted_column *c = &b->columns.predicted[LINES_MAIN];
    c->begun = count > 0;
    c->as_codes = c->begun && cursor_byte(&b->columns.ahead) != 0;
}

/* Copies the moves of the record, their SAN facts and the position after them, which another reader has decoded.
 * Returns false if they are not available. */
static bool take_ahead(block_reader *b, size_t count, stamma_move *moves, uint8_t *san_facts, stamma_position *end)
{
    const size_t moves_size = count * sizeof *moves;
    const uint8_t *bytes = cursor_take(&b->columns.ahead, sizeof *end + moves_size + count);
    if (!bytes)
        return false;
    memcpy(end, bytes, sizeof *end);
    memcpy(moves, bytes + sizeof *end, moves_size);
    memcpy(san_facts, bytes + sizeof *end + moves_size, count);
    return true;
}

/* Number of moves that are predicted between two checks whether to stop: about two milliseconds. */
enum { MOVES_AT_ONCE = 256 };

/* Decodes the next moves of a line that was begun, and, unless `san_facts` is NULL, their SAN facts. Returns false if
 * they are corrupt, or if reading was stopped. */
static bool predict_moves(reading *x, size_t count, stamma_move *moves, uint8_t *san_facts)
{
    move_coder *c = &x->columns->predictor;
    for (size_t n = 0; n < count; n++) {
        if (n % MOVES_AT_ONCE == MOVES_AT_ONCE - 1 && work_is_stopped(x->b->plan.stop))
            return false;
        moves[n] = stamma_move_take(c, &x->columns->predicted[LINES_MAIN].in);
        if (moves[n] == STAMMA_MOVE_NULL)
            return false;
        if (san_facts)
            san_facts[n] = (uint8_t)move_san_facts(&c->position, moves[n]);
        stamma_move_coder_play(c, moves[n]);
    }
    return true;
}

static bool predict_line(reading *x, size_t count, stamma_move *moves, uint8_t *san_facts)
{
    predicted_column *column = &x->columns->predicted[LINES_MAIN];
    move_coder *c = &x->columns->predictor;
    if (x->columns->lanes == LANES_FIRST)
        return take_ahead(x->b, count, moves, san_facts, &x->end);
    uint64_t players[2];
    const predict_context context = stamma_reading_context(x, players);
    if (column->adaptive && column->dead)
        return false;
    if (column->adaptive)
        stamma_move_coder_begin_adaptive(c, column->learnt, &context, players, &x->r->start);
    else
        stamma_move_coder_begin(c, stamma_predict_weights(), &context, &x->r->start);
    bool fine = predict_moves(x, count, moves, san_facts);
    x->end = c->position;
    return fine;
}

/* Decodes `count` moves and their SAN facts. `codes` is NULL if the moves are predicted. */
static bool decode_line(reading *x, const stamma_position *start, const uint8_t *codes, size_t count)
{
    buffer *line = &x->state->main_line;
    line->size = 0;
    if (!buffer_reserve(line, count * (sizeof(stamma_move) + 1))) {
        x->no_memory = true;
        return false;
    }
    stamma_move *moves = (stamma_move *)(void *)line->data;
    uint8_t *san_facts = (uint8_t *)(moves + count);
    x->main_line = moves;
    x->main_san_facts = san_facts;
    if (codes)
        x->corrupt |= stamma_byte_decode_game(start, codes, count, moves, san_facts, &x->end) != STAMMA_OK;
    else
        x->corrupt |= !predict_line(x, count, moves, san_facts);
    return !x->corrupt;
}

/* Returns the codes of the main line; NULL if they are corrupt, or if memory is exhausted. */
static const uint8_t *main_line_codes(reading *x, uint64_t count)
{
    const uint8_t *codes = NULL;
    stamma_error error = stamma_block_main_line_codes(x->b, count, &codes);
    x->no_memory |= error == STAMMA_ERROR_NO_MEMORY;
    return error == STAMMA_OK ? codes : NULL;
}

/* Decodes the complete main line, which is faster than move by move. */
void stamma_reading_main_line(reading *x, uint64_t count)
{
    x->end = x->r->start;
    if (count == 0)
        return;
    bool predicted = is_predicted(x, LINES_MAIN);
    if (x->columns->lanes == LANES_SECOND && !predicted) { /* the other reader decodes the codes */
        (void)cursor_take(&x->columns->at[COLUMN_MOVES], count);
        return;
    }
    const uint8_t *codes = predicted ? NULL : main_line_codes(x, count);
    if ((!codes && !predicted) || x->r->no_start) {
        x->corrupt = true;
        return;
    }
    decode_line(x, &x->r->start, codes, (size_t)count);
    if (!predicted && x->columns->moves != MOVES_PREFIXED)
        x->columns->at[COLUMN_MOVES].at += count;
}

/* Finds the opening of a game whose moves are predicted but not wanted. Decodes only its first moves. */
static unsigned predict_opening(reading *x)
{
    const stamma_position start = stamma_position_start();
    const predict_context context = stamma_reading_context(x, NULL);
    const size_t count = x->events.main_count < OPENING_PLIES ? (size_t)x->events.main_count : OPENING_PLIES;
    stamma_move moves[OPENING_PLIES];
    stamma_move_coder_begin(&x->columns->predictor, stamma_predict_weights(), &context, &start);
    x->corrupt |= !predict_moves(x, count, moves, NULL);
    return x->corrupt ? 0 : stamma_opening_find(moves, count);
}

unsigned stamma_reading_opening(reading *x)
{
    unsigned opening = 0;
    const tag_reader *tags = &x->columns->tags;
    const bool asked = x->skip ? tags->openings && tags->remembered : tags->openings || x->b->plan.openings;
    if (!asked || x->events.main_count == 0 || x->state->lost_moves || stamma_record_is_set_up(x->r))
        return 0;
    if (x->main_line_wanted)
        return stamma_opening_find(x->main_line, (size_t)x->events.main_count);
    if (is_predicted(x, LINES_MAIN))
        return predict_opening(x);
    const uint8_t *codes = main_line_codes(x, x->events.main_count);
    const size_t count = (size_t)x->events.main_count;
    stamma_error error =
        codes ? stamma_opening_of_codes(&x->columns->openings, codes, count, &opening) : STAMMA_ERROR_CORRUPT;
    x->no_memory |= error == STAMMA_ERROR_NO_MEMORY;
    x->corrupt |= error != STAMMA_OK && error != STAMMA_ERROR_NO_MEMORY;
    return opening;
}
