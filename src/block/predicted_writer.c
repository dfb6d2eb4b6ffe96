/* SPDX-License-Identifier: MIT */
/* Writes a block's predicted moves (clauses 16, 17). Moves are collected first, and coded after it was decided which
 * tags are read before them. */
#include "block/predicted_moves.h"

enum { NO_COLUMN = UINT16_MAX };

typedef struct predicted_game {
    predict_context context;
    uint32_t number;                /* of its record in the block */
    uint16_t columns[CONTEXT_TAGS]; /* tag columns from which the context was read, or NO_COLUMN */
    bool set_up;                    /* `starts` contains its start position */
    uint32_t counts[LINES];         /* of moves */
    uint32_t steps;
    uint64_t players[2];
} predicted_game;

/* The present position of a line of moves, and the position before its last move. */
typedef struct line_state {
    stamma_position position, position_before;
    predict_game game, game_before;
} line_state;

typedef struct line_stack {
    move_coder coder;
    line_state now;
    line_state around[VARIATION_DEPTH_MAX];
} line_stack;

void stamma_predicted_writer_init(predicted_writer *w, const stamma_allocator *allocator)
{
    memset(w, 0, sizeof *w);
    w->allocator = w->games.allocator = w->starts.allocator = w->steps.allocator = allocator;
    for (unsigned k = 0; k < LINES; k++) {
        stamma_pair_writer_init(&w->pairs[k], allocator);
        w->codes[k].allocator = w->strings[k].allocator = allocator;
    }
    for (unsigned n = 0; n < 2; n++)
        w->lanes[n].strings.allocator = w->lanes[n].codes.allocator = w->lanes[n].sizes.allocator = allocator;
}

void stamma_predicted_writer_clear(predicted_writer *w)
{
    stamma_buffer_empty(&w->games);
    stamma_buffer_empty(&w->starts);
    stamma_buffer_empty(&w->steps);
}

void stamma_predicted_writer_release(predicted_writer *w)
{
    stamma_buffer_release(&w->games);
    stamma_buffer_release(&w->starts);
    stamma_buffer_release(&w->steps);
    for (unsigned k = 0; k < LINES; k++) {
        stamma_pair_writer_release(&w->pairs[k]);
        stamma_buffer_release(&w->codes[k]);
        stamma_buffer_release(&w->strings[k]);
    }
    for (unsigned n = 0; n < 2; n++) {
        stamma_buffer_release(&w->lanes[n].strings);
        stamma_buffer_release(&w->lanes[n].codes);
        stamma_buffer_release(&w->lanes[n].sizes);
        memory_release(w->allocator, w->lanes[n].learnt);
    }
    memory_release(w->allocator, w->stack);
}

bool stamma_predicted_writer_has_failed(const predicted_writer *w)
{
    return w->games.failed || w->starts.failed || w->steps.failed;
}

/* ---- collecting moves ---- */

static void add_steps(predicted_writer *w, const record *r, const line_steps *lines)
{
    size_t next = 0, begin = 0, more = lines->count > 0 ? lines->ends[lines->count - 1].end : 0;
    if (!buffer_reserve(&w->steps, (r->item_count + more) * sizeof(stamma_move)))
        return;
    stamma_move *steps = (stamma_move *)(void *)(w->steps.data + w->steps.size), *at = steps;
    for (size_t i = r->roster_count; i < r->item_count; i++) {
        const item *it = &r->items[i];
        if (it->kind == ITEM_MOVE)
            *at++ = it->move;
        else if (it->kind == ITEM_VARIATION_BEGIN || it->kind == ITEM_VARIATION_END)
            *at++ = it->kind == ITEM_VARIATION_BEGIN ? STEP_BEGIN : STEP_END;
        if (next < lines->count && lines->ends[next].item == i)
            for (size_t end = lines->ends[next++].end; begin < end; begin++)
                *at++ = lines->steps[begin];
    }
    w->steps.size += (size_t)(at - steps) * sizeof *at;
}

/* Returns the value of the first tag with a name, and stores its place among the items. */
static stamma_text find_tag(const record *r, const char *name, size_t *place)
{
    stamma_text text = stamma_record_tag(r, name);
    *place = 0;
    while (text.data && r->items[*place].text.data != text.data)
        ++*place;
    return text;
}

static void read_context(const record *r, const uint8_t *columns, predicted_game *game)
{
    stamma_text values[CONTEXT_TAGS];
    for (unsigned n = 0; n < CONTEXT_TAGS; n++) {
        size_t place;
        values[n] = find_tag(r, stamma_context_tags[n], &place);
        bool in_roster = values[n].data && place < r->roster_count;
        game->columns[n] = in_roster ? load_u16(columns + 2 * place) : NO_COLUMN;
    }
    game->context = stamma_predicted_context(values, r->plies);
    for (unsigned side = 0; side < 2; side++)
        game->players[side] = stamma_predicted_player(values[CONTEXT_PLAYERS + side]);
}

void stamma_predicted_writer_add(predicted_writer *w, uint64_t number, const record *r, const uint8_t *columns,
                                 const line_steps *lines)
{
    predicted_game game = {.number = (uint32_t)number,
                           .set_up = stamma_record_is_set_up(r),
                           .counts = {r->plies, r->variation_plies, lines->moves}};
    size_t before = w->steps.size;
    if (r->plies + r->variation_plies + lines->moves == 0)
        return;
    if (game.set_up)
        buffer_add(&w->starts, &r->start, sizeof r->start);
    read_context(r, columns, &game);
    add_steps(w, r, lines);
    game.steps = (uint32_t)((w->steps.size - before) / sizeof(stamma_move));
    buffer_add(&w->games, &game, sizeof game);
}

/* ---- coding ---- */

/* Codes the line of a comment. Returns the number of its steps, including its first and last. */
static size_t code_line(line_stack *s, const stamma_move *steps, range_encoder *e)
{
    move_coder *c = &s->coder;
    const stamma_position position = c->position;
    const predict_game game = c->game;
    bool own = false;
    size_t n = 1;
    if (steps[0] == STEP_LINE_BEFORE) {
        c->position = s->now.position_before;
        c->game = s->now.game_before;
    }
    for (; steps[n] != STEP_LINE_END; n++) {
        if (steps[n] == STEP_OWN)
            own = true;
        else if (!own)
            stamma_move_coder_play(c, steps[n]);
        else
            (void)stamma_move_encode(c, steps[n], e); /* it is legal */
    }
    c->position = position;
    c->game = game;
    return n + 1;
}

/* Codes a game's steps. Moves of lines k are only played if as_codes[k] is set. Sets as_codes[k] if one of their moves
 * is not among the legal moves; these lines must then be stored as codes. */
static void code_steps(line_stack *s, const stamma_move *steps, size_t count, range_encoder e[LINES],
                       bool as_codes[LINES])
{
    unsigned depth = 0;
    move_coder *c = &s->coder;
    s->now.position_before = c->position;
    s->now.game_before = c->game;
    for (size_t n = 0; n < count; n++) {
        stamma_move step = steps[n];
        unsigned k = depth > 0 ? LINES_VARIATIONS : LINES_MAIN;
        if (step == STEP_BEGIN) {
            s->now.position = c->position;
            s->now.game = c->game;
            s->around[depth++] = s->now;
            c->position = s->now.position_before;
            c->game = s->now.game_before;
        } else if (step == STEP_END) {
            s->now = s->around[--depth];
            c->position = s->now.position;
            c->game = s->now.game;
        } else if (step == STEP_LINE || step == STEP_LINE_BEFORE) {
            n += code_line(s, steps + n, &e[LINES_COMMENTS]) - 1;
        } else {
            s->now.position_before = c->position;
            s->now.game_before = c->game;
            if (!as_codes[k] && !stamma_move_encode(c, step, &e[k]))
                as_codes[k] = true;
            else if (!as_codes[k])
                continue;
            stamma_move_coder_play(c, step);
        }
    }
}

/* Codes the first symbol of a record, which means that its moves follow, or are stored as codes. */
static void say_codes(bool as_codes, range_encoder *e)
{
    stamma_range_encode(e, as_codes ? PREDICT_TOTAL - 1 : 0, as_codes ? 1 : PREDICT_TOTAL - 1, PREDICT_BITS);
}

static void begin_string(buffer *string, bool as_codes, range_encoder *e)
{
    string->size = 0;
    stamma_range_encode_begin(e, string);
    say_codes(as_codes, e);
}

/* Ends a record's string of codec 4. */
static void end_string(predicted_writer *w, unsigned k, uint32_t count, bool as_codes, range_encoder *e,
                       const uint8_t **codes)
{
    if (count == 0)
        return;
    if (as_codes) {
        begin_string(&w->strings[k], true, e);
        buffer_add(&w->codes[k], *codes, count);
    }
    size_t bits = stamma_range_encode_end_bits(e);
    if (!w->strings[k].failed)
        stamma_pair_writer_add(&w->pairs[k], w->strings[k].data, bits, stamma_predicted_weight(count));
    *codes += count;
}

/* Codes the lines from `first` of one game in codec 4. If `first` is not LINES_MAIN, the main line is only played. */
static void code_game(predicted_writer *w, unsigned first, const predicted_game *game, const stamma_position *start,
                      const predict_context *context, const stamma_move *steps, const uint8_t *codes[LINES])
{
    range_encoder e[LINES];
    bool as_codes[LINES] = {first > LINES_MAIN};
    for (unsigned k = first; k < LINES; k++)
        begin_string(&w->strings[k], false, &e[k]);
    stamma_move_coder_begin(&w->stack->coder, stamma_predict_weights(), context, start);
    code_steps(w->stack, steps, game->steps, e, as_codes);
    for (unsigned k = first; k < LINES; k++)
        end_string(w, k, game->counts[k], as_codes[k], &e[k], &codes[k]);
}

static bool is_known(const predicted_game *game, unsigned tag, column_is_ahead *is_ahead, const void *context)
{
    return game->columns[tag] == NO_COLUMN || is_ahead(context, game->columns[tag]);
}

/* Returns the context of a game and its players, without tags that are read after its moves. */
static predict_context known_context(const predicted_game *game, column_is_ahead *is_ahead, const void *context)
{
    predict_context known = game->context;
    bool ahead[CONTEXT_TAGS];
    for (unsigned n = 0; n < CONTEXT_TAGS; n++)
        ahead[n] = is_known(game, n, is_ahead, context);
    known.ratings[0] = ahead[CONTEXT_WHITE] ? known.ratings[0] : 0;
    known.ratings[1] = ahead[CONTEXT_BLACK] ? known.ratings[1] : 0;
    known.time = ahead[CONTEXT_TIME] ? known.time : PREDICT_TIME_UNKNOWN;
    known.result = ahead[CONTEXT_RESULT] ? known.result : STAMMA_RESULT_UNKNOWN;
    return known;
}

/* The moves of all lanes, and the order of tags and moves. */
typedef struct lane_source {
    const predicted_writer *w;
    column_is_ahead *is_ahead;
    const void *context;
} lane_source;

/* A game of a block, and its places in `starts` and `steps`. */
typedef struct game_walk {
    const predicted_game *game, *end;
    const stamma_position *starts;
    const stamma_move *steps;
} game_walk;

static const predicted_game *games_of(const predicted_writer *w)
{
    return (const predicted_game *)(const void *)w->games.data;
}

static game_walk begin_walk(const predicted_writer *w)
{
    const predicted_game *games = games_of(w);
    size_t count = w->games.size / sizeof *games; /* if it is 0, `games` may be NULL */
    return (game_walk){games, count > 0 ? games + count : games, (const stamma_position *)(const void *)w->starts.data,
                       (const stamma_move *)(const void *)w->steps.data};
}

/* Moves to the next game. at->starts may be NULL if no game is set up. */
static void walk_on(game_walk *at)
{
    if (at->game->set_up)
        at->starts++;
    at->steps += at->game->steps;
    at->game++;
}

static stamma_position start_of(const game_walk *at)
{
    return at->game->set_up ? *at->starts : stamma_position_start();
}

/* Codes the lines from `first` of all games in codec 4. Returns false if the task is stopped. */
static bool code_games(const lane_source *source, predicted_writer *w, unsigned first, const uint8_t *codes[LINES])
{
    for (game_walk at = begin_walk(w); at.game < at.end; walk_on(&at)) {
        const stamma_position start = start_of(&at);
        const predict_context known = known_context(at.game, source->is_ahead, source->context);
        if (work_is_stopped(w->stop))
            return false;
        code_game(w, first, at.game, &start, &known, at.steps, codes);
    }
    return true;
}

/* ---- the lanes of codec 11 ---- */

static const lane_end new_lane = {.least = LANE_MOVES, .group = GROUP_ADAPTIVE};

/* Returns the first move of the main line from `step` on, before `end`; NULL: there is none. */
static const stamma_move *next_of_main_line(const stamma_move *step, const stamma_move *end)
{
    unsigned depth = 0;
    for (; step < end; step++)
        if (*step == STEP_BEGIN)
            depth++;
        else if (*step == STEP_END)
            depth--;
        else if (*step == STEP_LINE || *step == STEP_LINE_BEFORE)
            while (*step != STEP_LINE_END)
                step++;
        else if (depth == 0)
            return step;
    return NULL;
}

/* Returns whether the main line has a null move. This must be known before it is coded. */
static bool has_null_move(const stamma_move *steps, const stamma_move *end)
{
    for (const stamma_move *at = steps; (at = next_of_main_line(at, end)); at++)
        if (*at == STAMMA_MOVE_NULL)
            return true;
    return false;
}

static void code_main_line(lane_writer *l, adaptive *learnt, const game_walk *at, const uint8_t *codes,
                           range_encoder *e)
{
    const lane_source *source = l->source;
    const stamma_position start = start_of(at);
    const predict_context known = known_context(at->game, source->is_ahead, source->context);
    const stamma_move *end = at->steps + at->game->steps;
    const bool as_codes = has_null_move(at->steps, end);
    uint64_t players[2];
    say_codes(as_codes, e);
    if (as_codes) {
        buffer_add(&l->codes, codes, at->game->counts[LINES_MAIN]);
        return;
    }
    for (unsigned side = 0; side < 2; side++)
        players[side] =
            is_known(at->game, CONTEXT_PLAYERS + side, source->is_ahead, source->context) ? at->game->players[side] : 0;
    stamma_move_coder_begin_adaptive(&l->coder, learnt, &known, players, &start);
    for (const stamma_move *move = at->steps; (move = next_of_main_line(move, end)); move++)
        (void)stamma_move_encode(&l->coder, *move, e); /* it is legal */
}

/* Ends the string of a lane, and adds the sizes of its string and its codes. */
static void end_lane(lane_writer *l, range_encoder *e, size_t codes_before)
{
    stamma_range_encode_end(e);
    stamma_buffer_add_varint(&l->sizes, l->strings.size - e->start);
    stamma_buffer_add_varint(&l->sizes, l->codes.size - codes_before);
}

/* Returns whether the next game belongs to the lane, to which it is then added. */
static bool is_in_lane(lane_end *end, const game_walk *at)
{
    const uint32_t moves = at->game < at->end ? at->game->counts[LINES_MAIN] : 0;
    return at->game < at->end && (moves == 0 || !lane_turns(end, at->game->number, moves));
}

/* Codes the lane that begins with the next game. Returns its number of moves. `before` is the number of moves in the
 * lanes before it. */
static uint64_t code_lane(lane_writer *l, adaptive *learnt, game_walk *at, uint64_t before)
{
    const size_t codes_before = l->codes.size;
    lane_end end = new_lane;
    uint64_t moves = 0;
    range_encoder e;
    stamma_range_encode_begin(&e, &l->strings);
    stamma_adaptive_reset(learnt);
    for (; !l->stopped && is_in_lane(&end, at); walk_on(at)) {
        l->stopped = work_is_stopped(l->source->w->stop);
        if (at->game->counts[LINES_MAIN] > 0 && !l->stopped)
            code_main_line(l, learnt, at, l->all_codes + before + moves, &e);
        moves += at->game->counts[LINES_MAIN];
    }
    end_lane(l, &e, codes_before);
    return moves;
}

/* Skips the games of a lane. Returns their number of moves; 0 if there is no lane. */
static uint64_t pass_lane(game_walk *at)
{
    lane_end end = new_lane;
    uint64_t moves = 0;
    for (; is_in_lane(&end, at); walk_on(at))
        moves += at->game->counts[LINES_MAIN];
    return moves;
}

/* Codes half of the lanes. `argument` is the lane_writer. */
static void code_half(void *argument)
{
    lane_writer *l = (lane_writer *)argument;
    const predicted_writer *w = l->source->w;
    adaptive *learnt = l->learnt ? l->learnt : w->lanes[0].learnt;
    game_walk at = begin_walk(w);
    uint64_t before = 0, n = 0;
    l->strings.size = l->codes.size = l->sizes.size = 0;
    l->stopped = false;
    for (; n < l->first; n++)
        before += pass_lane(&at);
    for (; n < l->end && !l->stopped; n++)
        before += code_lane(l, learnt, &at, before);
}

static uint64_t lanes_in(const predicted_writer *w)
{
    uint64_t lanes = 0;
    for (game_walk at = begin_walk(w); pass_lane(&at) > 0;)
        lanes++;
    return lanes;
}

/* Codes all lanes. With an executor, both halves are coded in parallel, each with its own model. */
static stamma_error code_lanes(predicted_writer *w, const lane_source *source, const stamma_executor *executor,
                               const buffer *codes)
{
    const uint64_t lanes = lanes_in(w), half = (lanes + 1) / 2;
    for (unsigned n = 0; n < 2; n++) {
        lane_writer *l = &w->lanes[n];
        l->source = source;
        l->first = n == 0 ? 0 : half;
        l->end = n == 0 ? half : lanes;
        l->all_codes = codes->data;
        if (!l->learnt && (n == 0 || executor) &&
            !(l->learnt = (adaptive *)memory_allocate(w->allocator, sizeof *l->learnt)))
            return STAMMA_ERROR_NO_MEMORY;
    }
    if (executor)
        executor->start(executor->context, code_half, &w->lanes[1]);
    code_half(&w->lanes[0]);
    if (executor)
        executor->wait(executor->context, &w->lanes[1]);
    else
        code_half(&w->lanes[1]);
    return w->lanes[0].stopped || w->lanes[1].stopped ? STAMMA_ERROR_CANCELLED : STAMMA_OK;
}

/* ---- storing ---- */

/* Packs streams without compressing them again. Adds them, if they are not larger than the codes and not smaller than
 * the format allows. */
static stamma_error pack_streams(const buffer *streams, size_t count, const buffer *codes, buffer *stored)
{
    static const int efforts[PREDICTED_STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    byte_packer none = {.compressor = NULL};
    size_t before = stored->size;
    stamma_error error = stamma_streams_pack(&none, streams, efforts, count, stored);
    size_t size = stored->size - before;
    if (size > codes->size || codes->size > PREDICTED_RATIO_MAX * size)
        stored->size = before;
    return error;
}

/* Adds the stored form of a column in codec 4. */
static stamma_error store(predicted_writer *w, unsigned k, const buffer *codes, buffer *stored)
{
    buffer streams[PREDICTED_STREAMS];
    uint8_t id[8];
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        streams[n] = (buffer){.allocator = w->allocator};
    store_u64(id, stamma_predict_weights_id);
    buffer_add(&streams[PAIR_PARAMETERS], id, sizeof id);
    stamma_error error =
        stamma_pair_writer_end(&w->pairs[k], &streams[PAIR_PARAMETERS], &streams[PAIR_SYMBOLS], &streams[PAIR_BITS]);
    buffer_add(&streams[PREDICTED_CODES], w->codes[k].data, w->codes[k].size);
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        error = streams[n].failed ? STAMMA_ERROR_NO_MEMORY : error;
    buffer own = streams[PAIR_AREAS];
    streams[PAIR_AREAS] = w->pairs[k].areas;
    if (error == STAMMA_OK)
        error = pack_streams(streams, PREDICTED_STREAMS, codes, stored);
    streams[PAIR_AREAS] = own;
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        stamma_buffer_release(&streams[n]);
    return error;
}

/* Adds the stored form of the lanes, codec 11. */
static stamma_error store_lanes(predicted_writer *w, const buffer *codes, buffer *stored)
{
    lane_writer *halves = w->lanes;
    uint8_t ids[16];
    buffer streams[LANES_STREAMS] = {{.allocator = w->allocator}};
    store_u64(ids, stamma_predict_weights_id);
    store_u64(ids + 8, stamma_second_weights_id);
    buffer_add(&streams[LANES_PARAMETERS], ids, sizeof ids);
    stamma_buffer_add_varint(&streams[LANES_PARAMETERS], new_lane.least);
    for (unsigned n = 0; n < 2; n++)
        buffer_add(&streams[LANES_PARAMETERS], halves[n].sizes.data, halves[n].sizes.size);
    buffer_add(&halves[0].strings, halves[1].strings.data, halves[1].strings.size);
    buffer_add(&halves[0].codes, halves[1].codes.data, halves[1].codes.size);
    streams[LANES_STRINGS] = halves[0].strings;
    streams[LANES_CODES] = halves[0].codes;
    bool failed = streams[LANES_PARAMETERS].failed;
    for (unsigned n = 0; n < 2; n++)
        failed |= halves[n].strings.failed || halves[n].codes.failed || halves[n].sizes.failed;
    stamma_error error = failed ? STAMMA_ERROR_NO_MEMORY : pack_streams(streams, LANES_STREAMS, codes, stored);
    stamma_buffer_release(&streams[LANES_PARAMETERS]);
    return error;
}

stamma_error stamma_predicted_write(predicted_writer *w, unsigned codec, column_is_ahead *is_ahead, const void *context,
                                    const stamma_executor *executor, const buffer *codes[LINES], buffer stored[LINES])
{
    const uint8_t *at[LINES] = {codes[LINES_MAIN]->data, codes[LINES_VARIATIONS]->data, codes[LINES_COMMENTS]->data};
    const lane_source source = {w, is_ahead, context};
    const unsigned first = codec == CODEC_LANES ? LINES_MAIN + 1 : LINES_MAIN;
    stamma_error error = STAMMA_OK;
    if (!w->stack && !(w->stack = (line_stack *)memory_allocate(w->allocator, sizeof *w->stack)))
        return STAMMA_ERROR_NO_MEMORY;
    for (unsigned k = 0; k < LINES; k++) {
        stamma_pair_writer_clear(&w->pairs[k]);
        w->codes[k].size = 0;
    }
    if (first == LINES_MAIN || codes[LINES_VARIATIONS]->size + codes[LINES_COMMENTS]->size > 0)
        error = code_games(&source, w, first, at) ? STAMMA_OK : STAMMA_ERROR_CANCELLED;
    if (error == STAMMA_OK && codec == CODEC_LANES && codes[LINES_MAIN]->size > 0)
        error = code_lanes(w, &source, executor, codes[LINES_MAIN]);
    for (unsigned k = 0; k < LINES && error == STAMMA_OK; k++) {
        if (w->strings[k].failed || w->codes[k].failed)
            error = STAMMA_ERROR_NO_MEMORY;
        else if (codes[k]->size > 0)
            error = k < first ? store_lanes(w, codes[k], &stored[k]) : store(w, k, codes[k], &stored[k]);
    }
    return error;
}
