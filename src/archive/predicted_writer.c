/* A block's moves by the predictor: writing (clauses 15, 16). They are gathered as they come, and coded when it is
 * known which tags are read before them. */
#include "archive/predicted_moves.h"

enum { NO_COLUMN = UINT16_MAX };

typedef struct predicted_game {
    predict_context context;
    uint16_t columns[CONTEXT_TAGS]; /* that the context is of, or NO_COLUMN */
    bool set_up;                    /* the next of the starts is its own */
    uint32_t counts[LINES];         /* of moves */
    uint32_t steps;
    uint64_t players[2];
} predicted_game;

/* Where a line of moves has come to, and where it stood before its last move. */
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
    memory_release(w->allocator, w->stack);
    memory_release(w->allocator, w->adaptive);
}

bool stamma_predicted_writer_has_failed(const predicted_writer *w)
{
    return w->games.failed || w->starts.failed || w->steps.failed;
}

/* ---- gathering ---- */

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

/* The first tag of that name: its value, and where it stands among the items. */
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

void stamma_predicted_writer_add(predicted_writer *w, const record *r, const uint8_t *columns, const line_steps *lines)
{
    predicted_game game = {.set_up = stamma_record_is_set_up(r),
                           .counts = {r->plies, r->variation_plies, lines->moves}};
    size_t before = w->steps.size;
    stamma_position start;
    if (r->plies + r->variation_plies + lines->moves == 0)
        return;
    if (game.set_up) {
        if (stamma_record_start(r, &start) != STAMMA_OK)
            start = stamma_position_start();
        buffer_add(&w->starts, &start, sizeof start);
    }
    read_context(r, columns, &game);
    add_steps(w, r, lines);
    game.steps = (uint32_t)((w->steps.size - before) / sizeof(stamma_move));
    buffer_add(&w->games, &game, sizeof game);
}

/* ---- coding ---- */

/* Follows a move, that was coded or not. */
static void play(line_stack *s, stamma_move move)
{
    stamma_move_coder_play(&s->coder, move);
}

/* Codes the line of a comment; how many steps it has, its first and last among them. */
static size_t code_line(line_stack *s, const stamma_move *steps, range_encoder *e, bool *as_codes)
{
    move_coder *c = &s->coder;
    const stamma_position position = c->position;
    const predict_game game = c->game;
    bool own = false;
    size_t n = 1;
    c->adaptive = NULL;
    if (steps[0] == STEP_LINE_BEFORE) {
        c->position = s->now.position_before;
        c->game = s->now.game_before;
    }
    for (; steps[n] != STEP_LINE_END; n++) {
        if (steps[n] == STEP_OWN)
            own = true;
        else if (!own)
            play(s, steps[n]);
        else if (!*as_codes && !stamma_move_encode(c, steps[n], e))
            *as_codes = true;
    }
    c->position = position;
    c->game = game;
    return n + 1;
}

/* Codes a game's steps, those of the main line by `a` if that is not NULL. as_codes[k]: a move of these lines has no
 * place among the legal ones, so that they are kept as codes. */
static void code_steps(line_stack *s, adaptive *a, const stamma_move *steps, size_t count, range_encoder e[LINES],
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
            n += code_line(s, steps + n, &e[LINES_COMMENTS], &as_codes[LINES_COMMENTS]) - 1;
        } else {
            s->now.position_before = c->position;
            s->now.game_before = c->game;
            c->adaptive = k == LINES_MAIN ? a : NULL;
            if (!as_codes[k] && !stamma_move_encode(c, step, &e[k]))
                as_codes[k] = true;
            else if (!as_codes[k])
                continue;
            play(s, step);
        }
    }
}

/* The first symbol of a record says whether moves follow. */
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

/* Whether the main line has a null move: in codec 5 that must be known before. */
static bool has_null_move(const stamma_move *steps, size_t count)
{
    unsigned depth = 0;
    for (size_t n = 0; n < count; n++) {
        depth += steps[n] == STEP_BEGIN;
        depth -= steps[n] == STEP_END;
        if (depth == 0 && steps[n] == STAMMA_MOVE_NULL)
            return true;
    }
    return false;
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

/* Codes one game in codec 4. */
static void code_game(predicted_writer *w, const predicted_game *game, const stamma_position *start,
                      const predict_context *context, const stamma_move *steps, const uint8_t *codes[LINES])
{
    range_encoder e[LINES];
    bool as_codes[LINES] = {false};
    for (unsigned k = 0; k < LINES; k++)
        begin_string(&w->strings[k], false, &e[k]);
    stamma_move_coder_begin(&w->stack->coder, stamma_predict_weights(), context, start);
    code_steps(w->stack, NULL, steps, game->steps, e, as_codes);
    for (unsigned k = 0; k < LINES; k++)
        end_string(w, k, game->counts[k], as_codes[k], &e[k], &codes[k]);
}

/* In codec 5: its main line. Variations and lines in comments are in codec 4. */
static void code_adaptively(predicted_writer *w, const predicted_game *game, const stamma_position *start,
                            const predict_context *context, const uint64_t players[2], const stamma_move *steps,
                            const uint8_t *codes[LINES])
{
    range_encoder e[LINES];
    bool as_codes[LINES] = {has_null_move(steps, game->steps)};
    for (unsigned k = LINES_VARIATIONS; k < LINES; k++)
        begin_string(&w->strings[k], false, &e[k]);
    if (game->counts[LINES_MAIN] > 0)
        say_codes(as_codes[LINES_MAIN], &w->string);
    if (as_codes[LINES_MAIN])
        buffer_add(&w->codes[LINES_MAIN], codes[LINES_MAIN], game->counts[LINES_MAIN]);
    codes[LINES_MAIN] += game->counts[LINES_MAIN];
    stamma_move_coder_begin_adaptive(&w->stack->coder, w->adaptive, context, players, start);
    e[LINES_MAIN] = w->string;
    code_steps(w->stack, w->adaptive, steps, game->steps, e, as_codes);
    w->string = e[LINES_MAIN];
    for (unsigned k = LINES_VARIATIONS; k < LINES; k++)
        end_string(w, k, game->counts[k], as_codes[k], &e[k], &codes[k]);
}

static bool is_known(const predicted_game *game, unsigned tag, column_is_ahead *is_ahead, const void *context)
{
    return game->columns[tag] == NO_COLUMN || is_ahead(context, game->columns[tag]);
}

/* What is known of a game, without what is read behind its moves. */
static predict_context known_context(const predicted_game *game, column_is_ahead *is_ahead, const void *context)
{
    predict_context known = game->context;
    bool ahead[CONTEXT_TAGS];
    for (unsigned n = 0; n < CONTEXT_TAGS; n++)
        ahead[n] = is_known(game, n, is_ahead, context);
    known.ratings[0] = ahead[CONTEXT_WHITE] ? known.ratings[0] : 0;
    known.ratings[1] = ahead[CONTEXT_BLACK] ? known.ratings[1] : 0;
    known.time = ahead[CONTEXT_TIME] ? known.time : STAMMA_TIME_UNKNOWN;
    known.result = ahead[CONTEXT_RESULT] ? known.result : PREDICT_RESULT_NONE;
    return known;
}

static void code_games(predicted_writer *w, unsigned codec, column_is_ahead *is_ahead, const void *context,
                       const uint8_t *codes[LINES])
{
    const predicted_game *games = (const predicted_game *)(const void *)w->games.data;
    const stamma_position *starts = (const stamma_position *)(const void *)w->starts.data;
    const stamma_move *steps = (const stamma_move *)(const void *)w->steps.data;
    const stamma_position initial = stamma_position_start();
    for (size_t n = 0; n < w->games.size / sizeof *games; n++) {
        const stamma_position *start = games[n].set_up ? starts++ : &initial;
        predict_context known = known_context(&games[n], is_ahead, context);
        uint64_t players[2];
        for (unsigned side = 0; side < 2; side++)
            players[side] = is_known(&games[n], CONTEXT_PLAYERS + side, is_ahead, context) ? games[n].players[side] : 0;
        if (codec == CODEC_ADAPTIVE)
            code_adaptively(w, &games[n], start, &known, players, steps, codes);
        else
            code_game(w, &games[n], start, &known, steps, codes);
        steps += games[n].steps;
    }
}

/* Adds what a column is stored as, if it may be and is smaller than its codes. */
static stamma_error store(predicted_writer *w, unsigned k, const buffer *codes, buffer *stored)
{
    static const int efforts[PREDICTED_STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    byte_packer none = {NULL, NULL};
    buffer streams[PREDICTED_STREAMS];
    uint8_t id[8];
    size_t before = stored->size;
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
        error = stamma_streams_pack(&none, streams, efforts, PREDICTED_STREAMS, stored);
    streams[PAIR_AREAS] = own;
    for (size_t n = 0; n < PREDICTED_STREAMS; n++)
        stamma_buffer_release(&streams[n]);
    size_t size = stored->size - before;
    if (size > codes->size || codes->size > PREDICTED_RATIO_MAX * size)
        stored->size = before;
    return error;
}

/* The same of the one string of codec 5. */
static stamma_error store_string(predicted_writer *w, const buffer *codes, buffer *stored)
{
    static const int efforts[ADAPTIVE_STREAMS] = {EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    byte_packer none = {NULL, NULL};
    uint8_t ids[16];
    stamma_range_encode_end(&w->string);
    store_u64(ids, stamma_predict_weights_id);
    store_u64(ids + 8, stamma_second_weights_id);
    const buffer streams[ADAPTIVE_STREAMS] = {
        {.data = ids, .size = sizeof ids}, w->strings[LINES_MAIN], w->codes[LINES_MAIN]};
    size_t before = stored->size;
    if (streams[ADAPTIVE_STRING].failed)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = stamma_streams_pack(&none, streams, efforts, ADAPTIVE_STREAMS, stored);
    size_t size = stored->size - before;
    if (size > codes->size || codes->size > PREDICTED_RATIO_MAX * size)
        stored->size = before;
    return error;
}

static stamma_error begin_adaptive(predicted_writer *w)
{
    if (!stamma_second_weights())
        return STAMMA_ERROR_UNSUPPORTED;
    if (!w->adaptive && !(w->adaptive = (adaptive *)memory_allocate(w->allocator, sizeof *w->adaptive)))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_adaptive_reset(w->adaptive);
    w->strings[LINES_MAIN].size = 0;
    stamma_range_encode_begin(&w->string, &w->strings[LINES_MAIN]);
    return STAMMA_OK;
}

stamma_error stamma_predicted_write(predicted_writer *w, unsigned codec, column_is_ahead *is_ahead, const void *context,
                                    const buffer *codes[LINES], buffer stored[LINES])
{
    const uint8_t *at[LINES] = {codes[LINES_MAIN]->data, codes[LINES_VARIATIONS]->data, codes[LINES_COMMENTS]->data};
    stamma_error error = STAMMA_OK;
    if (!stamma_predict_weights())
        return STAMMA_ERROR_UNSUPPORTED;
    if (!w->stack && !(w->stack = (line_stack *)memory_allocate(w->allocator, sizeof *w->stack)))
        return STAMMA_ERROR_NO_MEMORY;
    for (unsigned k = 0; k < LINES; k++) {
        stamma_pair_writer_clear(&w->pairs[k]);
        w->codes[k].size = 0;
    }
    if (codec == CODEC_ADAPTIVE)
        error = begin_adaptive(w);
    if (error == STAMMA_OK)
        code_games(w, codec, is_ahead, context, at);
    for (unsigned k = 0; k < LINES && error == STAMMA_OK; k++) {
        if (w->strings[k].failed || w->codes[k].failed)
            error = STAMMA_ERROR_NO_MEMORY;
        else if (codes[k]->size > 0 && codec == CODEC_ADAPTIVE && k == LINES_MAIN)
            error = store_string(w, codes[k], &stored[k]);
        else if (codes[k]->size > 0)
            error = store(w, k, codes[k], &stored[k]);
    }
    return error;
}
