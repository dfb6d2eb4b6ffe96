/* SPDX-License-Identifier: MIT */
/* Reads records from the columns of a block, one by one (clause 4). The input is not trusted. */
#include "block/record_reading.h"

static stamma_text take_text(cursor *c, uint64_t size)
{
    const uint8_t *bytes = cursor_take(c, size);
    return bytes ? (stamma_text){(const char *)bytes, (size_t)size} : (stamma_text){"", 0};
}

static item *add_item(reading *x, unsigned kind)
{
    if (x->r->item_count == PIECE_ITEMS_MAX) {
        x->corrupt = true;
        return NULL;
    }
    item *it = record_add(x->r, x->b->allocator);
    if (!it) {
        x->no_memory = true;
        return NULL;
    }
    it->kind = (uint8_t)kind;
    it->side = x->side;
    it->fullmove = x->fullmove;
    return it;
}

static void turn_to(reading *x, const stamma_position *position)
{
    x->side = position->side;
    x->fullmove = position->fullmove_number;
}

/* Reads the values of the roster's columns below `end` into their items. */
static void read_values(reading *x, size_t end)
{
    const sorted_roster *roster = &x->state->roster;
    tag_reader *tags = &x->columns->tags;
    for (; x->roster_at < roster->size && roster->columns[x->roster_at] < end && !x->corrupt; x->roster_at++)
        x->corrupt = !stamma_tag_reader_take(tags, roster->columns[x->roster_at],
                                             &x->r->items[roster->places[x->roster_at]].text);
    x->no_memory |= tags->no_memory;
}

static void read_roster(reading *x)
{
    tag_reader *tags = &x->columns->tags;
    cursor *rosters = &x->columns->at[COLUMN_ROSTERS];
    x->roster_at = 0;
    if (!block_reads_tags(x->b))
        return;
    uint64_t number = cursor_varint(rosters);
    if (number >= block_roster_count(x->b) || rosters->failed) {
        x->corrupt = true;
        return;
    }
    if (number != x->state->roster.number)
        stamma_block_sort_roster(x->b, number);
    stamma_tag_reader_begin(tags, (size_t)x->events.main_count);
    for (cursor roster = block_roster(x->b, number); cursor_left(&roster) > 0;) {
        item *it = add_item(x, ITEM_TAG);
        if (!it)
            return;
        it->name = tag_column_name(tags, (size_t)cursor_varint(&roster));
        it->text = (stamma_text){"", 0};
    }
    x->r->roster_count = x->r->item_count;
    read_values(x, tags->post_game);
}

enum { SLOTS_MAX = 2 * PIECE_ITEMS_MAX };

static void read_style(reading *x)
{
    cursor *at = x->columns->at, *in = &at[COLUMN_LAYOUT];
    if (!block_reads_column(x->b, COLUMN_STYLES))
        return;
    uint64_t number = stamma_cursor_varint(&at[COLUMN_STYLES]);
    x->r->style = (uint32_t)(number >> 1);
    x->corrupt |= number >> 1 >= x->columns->styles.count || at[COLUMN_STYLES].failed;
    if (!(number & 1))
        return;
    uint64_t count = stamma_cursor_varint(in), slot = 0;
    x->corrupt |= count == 0;
    for (; count > 0 && !x->corrupt && !x->no_memory; count--) {
        uint64_t more = stamma_cursor_varint(in);
        slot += more;
        uint64_t size = stamma_cursor_varint(in);
        stamma_text text = take_text(&at[COLUMN_LAYOUT_TEXT], size);
        x->corrupt |= more > SLOTS_MAX || slot > SLOTS_MAX || in->failed || at[COLUMN_LAYOUT_TEXT].failed;
        if (!x->corrupt && !stamma_record_except(x->r, (uint32_t)slot, text, x->b->allocator))
            x->no_memory = true;
        slot++;
    }
}

/* Numbers of steps between two checks whether to stop: decoded comments, events with their moves, and predicted moves.
 * Each number of steps takes about a millisecond. */
enum { COMMENTS_AT_ONCE = 256, EVENTS_AT_ONCE = 256, MOVES_AT_ONCE = 256 };

/* Ends the record if reading was stopped, which is checked after some steps. */
STAMMA_INLINE void stop_after(reading *x, size_t step, size_t at_once)
{
    x->corrupt |= step % at_once == at_once - 1 && work_is_stopped(x->b->plan.stop);
}

/* Decodes the record's comments, which are stored as fields. */
static void read_comments(reading *x)
{
    block_columns *c = x->columns;
    buffer *texts = &c->plain[COLUMN_COMMENTS], *sizes = &x->state->comment_sizes;
    texts->size = sizes->size = 0;
    x->no_memory |= !buffer_reserve(sizes, x->events.comments * sizeof(uint32_t));
    uint32_t *size = (uint32_t *)(void *)sizes->data;
    x->comment_sizes = size;
    for (size_t n = 0; n < x->events.comments && !x->corrupt && !x->no_memory; n++) {
        size_t begin = texts->size;
        stamma_error error = stamma_field_column_take(c->comments, (uint32_t)x->state->next + 1, texts);
        x->corrupt |= error == STAMMA_ERROR_CORRUPT;
        x->no_memory |= error == STAMMA_ERROR_NO_MEMORY;
        *size++ = (uint32_t)(texts->size - begin);
        stop_after(x, n, COMMENTS_AT_ONCE);
    }
    c->at[COLUMN_COMMENTS] = buffer_cursor(texts);
}

/* Returns the next comment's text. */
STAMMA_INLINE stamma_text take_comment(reading *x)
{
    cursor *texts = &x->columns->at[COLUMN_COMMENTS];
    if (!x->columns->comments_are_fields)
        return cursor_text(texts);
    stamma_text text = {(const char *)texts->at, *x->comment_sizes++ - 1u};
    texts->at += text.size + 1;
    return text;
}

/* ---- the start of the movetext ---- */

/* Reads the tags that may be derived from the game (15.5). */
static void read_post_game(reading *x)
{
    x->state->opening = stamma_reading_opening(x);
    if (!x->main_line_wanted)
        x->end = stamma_position_start(); /* in this case, no tag is derived from the last position */
    stamma_tag_reader_play(&x->columns->tags, x->state->opening, x->skip ? NULL : &x->end);
    if (!x->corrupt && !x->no_memory)
        read_values(x, TAG_COLUMNS_MAX);
}

/* Begins the predictor, which must follow all lines, because moves of variations or comments are predicted. */
static void begin_predicted(reading *x)
{
    const predict_context context = stamma_reading_context(x, NULL);
    stamma_predict_begin(&x->line.game, &context, &x->r->start);
    x->line.game_before = x->line.game;
}

/* With SALVAGE_TRY, moves that do not decode are lost, and the record continues without them. */
static void lose_moves(reading *x)
{
    x->corrupt = false;
    x->state->lost_moves = true;
    x->moves = x->variations = x->lines = x->follow = x->games = x->predicted = false;
}

static bool tries(const reading *x)
{
    return x->b->plan.salvage == SALVAGE_TRY;
}

/* Sets up the board after the tags (4.7). With an invalid FEN tag: the initial position, without typed moves. */
static void begin_movetext(reading *x)
{
    x->movetext = true;
    if (x->main_line_wanted) {
        x->r->no_start = stamma_record_start(x->r, &x->r->start) != STAMMA_OK;
        if (x->r->no_start)
            x->r->start = stamma_position_start();
        x->line.position = x->line.before = x->r->start;
        x->line.last = STAMMA_MOVE_NULL;
        if (x->games)
            begin_predicted(x);
        turn_to(x, &x->r->start);
        stamma_record_number_items(x->r);
        stamma_reading_main_line(x, x->events.main_count);
        if (STAMMA_UNLIKELY(x->corrupt && tries(x))) {
            lose_moves(x);
            x->main_line_wanted = false;
            stamma_predicted_lose(&x->columns->predicted[LINES_MAIN]);
        }
    }
    if ((x->roster_at < x->state->roster.size || x->b->plan.openings) && x->columns->lanes != LANES_SECOND &&
        !x->corrupt && !x->no_memory)
        read_post_game(x);
}

/* Reads a predicted move of a variation. */
static bool predict_branch_move(reading *x, item *it)
{
    move_coder *c = &x->columns->predictor;
    stop_after(x, (size_t)(it - x->r->items), MOVES_AT_ONCE);
    c->weights = stamma_predict_weights();
    c->adaptive = NULL;
    c->position = x->line.position;
    c->game = x->line.game;
    it->move = stamma_move_take(c, &x->columns->predicted[LINES_VARIATIONS].in);
    x->corrupt |= it->move == STAMMA_MOVE_NULL;
    if (!x->corrupt)
        it->san_facts = (uint8_t)move_san_facts(&c->position, it->move);
    return !x->corrupt;
}

/* Reads a move of a variation. */
static bool decode_move(reading *x, item *it)
{
    if (x->predicted)
        return predict_branch_move(x, it);
    cursor *codes = &x->columns->at[COLUMN_VARIATION_MOVES];
    const stamma_position *position = &x->line.position;
    x->corrupt |= stamma_byte_decode(position, cursor_byte(codes), &it->move) != STAMMA_OK || codes->failed;
    if (!x->corrupt)
        it->san_facts = (uint8_t)move_san_facts(position, it->move);
    return !x->corrupt;
}

static void play(reading *x, const item *it)
{
    game_state *l = &x->line;
    l->before = l->position;
    l->last = it->move;
    l->last_facts = it->san_facts;
    stamma_position_make(&l->before, it->move, &l->position);
    if (x->games) {
        l->game_before = l->game;
        stamma_predict_play(&l->game, &l->before, it->move);
    }
    if (x->lines)
        stamma_known_lines_play(&x->columns->lines.known, it->move);
}

static void skip_moves(reading *x, uint64_t count)
{
    unsigned column = x->depth ? COLUMN_VARIATION_MOVES : COLUMN_MOVES;
    if (!block_reads_column(x->b, column) || x->columns->lanes == LANES_SECOND ||
        is_predicted(x, x->depth ? LINES_VARIATIONS : LINES_MAIN) ||
        (x->depth == 0 && (x->columns->moves == MOVES_PREFIXED || x->state->lost_moves)))
        return;
    cursor *codes = &x->columns->at[column];
    cursor_take(codes, count);
    x->corrupt |= codes->failed;
}

/* Reads consecutive moves. A hot path: memory is reserved once, and values that change with each move are in local
 * variables. */
static void read_moves(reading *x, uint64_t count)
{
    record *r = x->r;
    unsigned depth = x->depth, side = x->side, fullmove = x->fullmove;
    if (r->item_count + count > PIECE_ITEMS_MAX || r->no_start) {
        x->corrupt = true;
        return;
    }
    if (!record_reserve(r, (size_t)count, x->b->allocator)) {
        x->no_memory = true;
        return;
    }
    *(depth == 0 ? &r->plies : &r->variation_plies) += (uint32_t)count;
    item *it = r->items + r->item_count;
    r->item_count += (size_t)count;
    for (; count > 0; count--, it++) {
        it->kind = ITEM_MOVE;
        it->number = 0;
        it->depth = (uint8_t)depth;
        it->noncanonical = false;
        it->side = (uint8_t)side;
        it->fullmove = (uint16_t)fullmove;
        if (depth == 0) {
            it->move = *x->main_line++;
            it->san_facts = *x->main_san_facts++;
        } else if (!decode_move(x, it)) {
            r->item_count = (size_t)(it - r->items);
            if (tries(x)) {
                lose_moves(x);
                skip_moves(x, count - 1);
            }
            return;
        }
        if (STAMMA_UNLIKELY(x->follow))
            play(x, it);
        fullmove += side & (fullmove < UINT16_MAX);
        side ^= 1;
    }
    x->side = (uint8_t)side;
    x->fullmove = (uint16_t)fullmove;
}

/* Adds items for moves that are not decoded. */
static void count_moves(reading *x, uint64_t count)
{
    for (; count > 0 && !x->corrupt && !x->no_memory; count--)
        (void)add_item(x, ITEM_MOVE);
}

static void take_moves(reading *x, uint64_t count)
{
    bool branch = x->depth > 0, decoded = branch ? x->variations : x->main_line_wanted;
    if (!decoded)
        skip_moves(x, count);
    if (x->corrupt || (branch ? !x->variations : !x->moves))
        return;
    if (decoded)
        read_moves(x, count);
    else
        count_moves(x, count);
}

static void enter_variation(reading *x)
{
    if (x->depth == VARIATION_DEPTH_MAX) {
        x->corrupt = true;
        return;
    }
    if (!x->variations) {
        x->depth++;
        return;
    }
    x->stack[x->depth++] = x->line;
    x->line.position = x->line.before;
    x->line.last = STAMMA_MOVE_NULL;
    stamma_known_lines_clear(&x->columns->lines.known);
    if (x->games)
        x->line.game = x->line.game_before;
    turn_to(x, &x->line.position);
}

static void leave_variation(reading *x)
{
    if (x->depth == 0) {
        x->corrupt = true;
        return;
    }
    x->depth--;
    if (!x->variations)
        return;
    x->line = x->stack[x->depth];
    stamma_known_lines_clear(&x->columns->lines.known);
    turn_to(x, &x->line.position);
}

/* ---- lines in comments (clause 18) ---- */

static line_source lines_of(reading *x)
{
    block_columns *c = x->columns;
    cursor *at = c->at;
    bool predicted = is_predicted(x, LINES_COMMENTS);
    return (line_source){&at[COLUMN_LINES], &at[COLUMN_LINE_SIZES], &at[COLUMN_LINE_MOVES], &c->predictor,
                         predicted ? &c->predicted[LINES_COMMENTS].in : NULL};
}

/* Expands the lines of a comment. `index` is the number of the comment among the record's items; SIZE_MAX for none. */
static void expand_comment(reading *x, stamma_text text, size_t index)
{
    const line_source source = lines_of(x);
    stamma_error error =
        stamma_lines_reader_expand(&x->columns->lines, &source, x->movetext ? &x->line : NULL, text, index);
    if (error == STAMMA_ERROR_CORRUPT && tries(x))
        lose_moves(x); /* the moves before a line that does not decode are wrong, too */
    else
        x->corrupt |= error == STAMMA_ERROR_CORRUPT;
    x->no_memory |= error == STAMMA_ERROR_NO_MEMORY;
}

static void skip_lines(reading *x)
{
    const line_source source = lines_of(x);
    x->corrupt |= !stamma_lines_reader_skip(&x->columns->lines, &source);
}

static uint8_t read_result(reading *x)
{
    uint8_t code = cursor_byte(&x->columns->at[COLUMN_RESULTS]);
    x->corrupt |= x->columns->at[COLUMN_RESULTS].failed || code > RESULTS;
    if (code < RESULTS || x->skip)
        return code;
    unsigned number = stamma_result_find(stamma_record_tag(x->r, "Result"));
    if (x->b->plan.salvage == SALVAGE_SOUND) /* the number is RESULTS if the tag is lost */
        return (uint8_t)number;
    x->corrupt |= number == RESULTS;
    return (uint8_t)(number % RESULTS);
}

static uint8_t read_number(reading *x, unsigned kind)
{
    uint8_t number = cursor_byte(&x->columns->at[COLUMN_NAGS]);
    x->corrupt |= x->columns->at[COLUMN_NAGS].failed || (kind == ITEM_SUFFIX && (number < 1 || number > 6));
    return number;
}

/* Returns whether an event becomes an item. Tags always do, because a tag may contain the start position. */
static bool is_item(const reading *x, unsigned kind)
{
    if (x->full || kind == ITEM_TAG)
        return true;
    if (x->skip || (x->depth > 0 && !x->variations))
        return false;
    switch (kind) {
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT: return block_reads_column(x->b, COLUMN_COMMENTS);
    case ITEM_NAG:
    case ITEM_SUFFIX: return block_reads_column(x->b, COLUMN_NAGS);
    case ITEM_RESULT: return block_reads_column(x->b, COLUMN_RESULTS);
    case ITEM_VARIATION_BEGIN:
    case ITEM_VARIATION_END: return x->variations;
    default: return false;
    }
}

/* Returns whether the data of an event is in a column that is not read. */
static bool is_elsewhere(const block_reader *b, unsigned kind)
{
    switch (kind) {
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE: return !block_reads_column(b, COLUMN_COMMENTS);
    case ITEM_NAG:
    case ITEM_SUFFIX: return !block_reads_column(b, COLUMN_NAGS);
    case ITEM_RESULT: return !block_reads_column(b, COLUMN_RESULTS);
    case ITEM_TEXT: return !block_reads_column(b, COLUMN_VERBATIM);
    case ITEM_TAG: return !block_reads_column(b, COLUMN_EXTRA_TAGS);
    default: return false;
    }
}

/* Reads an event, and adds its item if it is wanted (4.4). */
static void read_event(reading *x, unsigned kind)
{
    cursor *at = x->columns->at;
    item unwanted, *it = is_item(x, kind) ? add_item(x, kind) : &unwanted;
    if (!it)
        return;
    x->corrupt |= x->left-- == 0;
    const bool all = block_reads_text(x->b) && x->b->plan.salvage != SALVAGE_SOUND;
    if (x->corrupt || (!all && is_elsewhere(x->b, kind)))
        return;
    it->depth = (uint8_t)x->depth;
    switch (kind) {
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE:
        it->text = take_comment(x);
        x->corrupt |= at[COLUMN_COMMENTS].failed;
        if (STAMMA_UNLIKELY(x->lines) && !x->corrupt)
            expand_comment(x, it->text, it == &unwanted ? SIZE_MAX : x->r->item_count - 1);
        break;
    case ITEM_NAG:
    case ITEM_SUFFIX: it->number = read_number(x, kind); break;
    case ITEM_RESULT: it->number = read_result(x); break;
    case ITEM_VARIATION_BEGIN: enter_variation(x); break;
    case ITEM_VARIATION_END: leave_variation(x); break;
    case ITEM_TEXT:
        it->text = take_text(&at[COLUMN_VERBATIM], stamma_cursor_varint(&at[COLUMN_VERBATIM_SIZES]));
        x->corrupt |= at[COLUMN_VERBATIM].failed || at[COLUMN_VERBATIM_SIZES].failed;
        x->r->text_items++;
        x->r->text_bytes += it->text.size;
        break;
    case ITEM_TAG:
        x->corrupt |= x->movetext;
        it->name = cursor_text(&at[COLUMN_EXTRA_TAGS]);
        it->text = cursor_text(&at[COLUMN_EXTRA_TAGS]);
        x->corrupt |= at[COLUMN_EXTRA_TAGS].failed;
        break;
    default: break;
    }
}

/* Returns whether an item may come before tags (4.7). */
static bool is_before_movetext(unsigned kind)
{
    return kind == ITEM_TAG || event_is_comment(kind);
}

/* Reads moves and an event after them. */
static void read_moves_and_event(reading *x, unsigned kind, uint64_t moves)
{
    if (!x->movetext && (moves > 0 || !is_before_movetext(kind)))
        begin_movetext(x);
    if (moves > 0 && !x->corrupt && !x->no_memory)
        take_moves(x, moves);
    if (!x->corrupt && !x->no_memory)
        read_event(x, kind);
}

/* Returns whether an event is a comment of a skipped record that was already read with the record's events, because
 * comments are stored as fields. */
static bool is_passed_at_once(const reading *x, unsigned kind)
{
    return x->skip && x->movetext && x->columns->comments_are_fields && event_is_comment(kind);
}

static void pass_comments(reading *x, const event *e)
{
    x->corrupt |= e->times > x->left;
    x->left -= e->times;
    take_moves(x, (uint64_t)e->moves * e->times);
}

static void read_items(reading *x)
{
    const buffer *events = &x->state->events;
    const event *e = (const event *)(const void *)events->data, *end = e + events->size / sizeof *e;
    size_t step = 0;
    for (; e < end && !x->corrupt && !x->no_memory; e++) {
        if (is_passed_at_once(x, e->kind)) {
            pass_comments(x, e);
            continue;
        }
        for (uint32_t n = 0; n < e->times && !x->corrupt && !x->no_memory; n++) {
            read_moves_and_event(x, e->kind, e->moves);
            stop_after(x, step++, EVENTS_AT_ONCE);
        }
    }
    x->state->last_kind = (uint8_t)end[-1].kind;
}

/* With SALVAGE_SOUND, if events are lost: replaces them by an end, so that the record has only the tags of its
 * roster. */
static void lose_events(reading *x)
{
    const event end = {ITEM_END, 0, 1};
    buffer *list = &x->state->events;
    list->size = 0;
    x->no_memory = !buffer_reserve(list, sizeof end);
    if (!x->no_memory)
        memcpy(list->data, &end, list->size = sizeof end);
}

/* Reads the record's events, which determine its part of the other columns. */
static void read_events(reading *x)
{
    cursor *at = x->columns->at;
    if (!block_reads_column(x->b, COLUMN_EVENTS)) {
        lose_events(x);
        return;
    }
    stamma_error error =
        stamma_events_read(&at[COLUMN_EVENTS], &at[COLUMN_EVENT_COUNTS], &x->state->events, &x->events);
    x->no_memory = error == STAMMA_ERROR_NO_MEMORY;
    x->corrupt =
        error == STAMMA_ERROR_CORRUPT || x->events.comments > PIECE_ITEMS_MAX || x->events.main_count > PIECE_ITEMS_MAX;
    x->events.branches &= x->variations;
}

static void read_reason(reading *x)
{
    if (x->r->continuation)
        x->r->reason = x->state->last_kind == ITEM_END_NO_GAME ? STAMMA_REASON_SYNTAX : STAMMA_REASON_SIZE;
    else
        stamma_block_reader_take_reason(x->b);
}

/* Returns whether the record is one text item, as a continuation of a game and text after the last game are (4.4,
 * 4.6). */
static bool is_plain_text(const record *r)
{
    return r->item_count == 2 && r->items[0].kind == ITEM_TEXT;
}

/* Begins the record's strings of predicted moves. In a skipped record, moves in lanes are skipped. */
static void begin_strings(reading *x)
{
    block_columns *c = x->columns;
    const uint64_t counts[LINES] = {x->events.main_count, x->events.variation_count, x->line_moves};
    for (unsigned k = 0; k < LINES; k++)
        if (k == LINES_MAIN && c->lanes == LANES_FIRST)
            stamma_ahead_begin(x->b, counts[k]);
        else if (c->predicted[k].open && c->predicted[k].adaptive && x->skip)
            stamma_predicted_pass(&c->predicted[k], counts[k], &c->at[COLUMN_MOVES]);
        else if (c->predicted[k].open)
            x->no_memory |= stamma_predicted_begin(&c->predicted[k], counts[k]) != STAMMA_OK;
    x->predicted = x->variations && is_predicted(x, LINES_VARIATIONS);
    x->games = x->predicted || (x->lines && is_predicted(x, LINES_COMMENTS));
}

/* Begins the record's lines in comments. */
static void begin_lines(reading *x)
{
    block_columns *c = x->columns;
    x->lines = false;
    x->line_moves = 0;
    if (!block_reads_column(x->b, COLUMN_LINES))
        return;
    cursor ahead = c->at[COLUMN_LINE_SIZES];
    x->corrupt |= !stamma_lines_count(&ahead, &x->line_moves);
    memcpy(x->lines_at, &c->at[COLUMN_LINES], sizeof x->lines_at);
    stamma_lines_reader_begin(&c->lines, &c->at[COLUMN_LINE_SIZES]);
    x->lines = !x->skip && c->lines.marks > 0;
}

/* Returns to the first line of a record whose moves are lost, because a line that did not decode was read in part. */
static void begin_lines_again(reading *x)
{
    block_columns *c = x->columns;
    memcpy(&c->at[COLUMN_LINES], x->lines_at, sizeof x->lines_at);
    stamma_lines_reader_begin(&c->lines, &c->at[COLUMN_LINE_SIZES]);
}

/* Ends the record's lines in comments. All must have been read. The expanded texts do not move after this. */
static void end_lines(reading *x)
{
    if (!block_reads_column(x->b, COLUMN_LINES))
        return;
    if (x->state->lost_moves)
        begin_lines_again(x);
    if (x->skip || x->state->lost_moves)
        skip_lines(x);
    x->corrupt |= x->columns->lines.marks > 0;
    if (x->lines)
        stamma_lines_reader_place(&x->columns->lines, x->r);
}

static void end_string(reading *x, predicted_column *c, size_t *bits)
{
    bool fine = stamma_predicted_end(c, &x->columns->at[COLUMN_MOVES], bits);
    x->state->lost_moves |= !fine && tries(x);
    x->corrupt |= !fine && !tries(x);
}

/* Ends the record's strings that were read. */
static void end_strings(reading *x)
{
    predicted_column *lines = x->columns->predicted;
    bool read = x->main_line_wanted && lines[LINES_MAIN].open && x->columns->lanes != LANES_FIRST;
    bool predicted = x->columns->moves == MOVES_PREDICTED;
    size_t bits = 0, unused, codes = predicted ? 0 : 8 * (size_t)x->events.main_count;
    if (read) {
        end_string(x, &lines[LINES_MAIN], &bits);
        codes = lines[LINES_MAIN].as_codes ? 8 * (size_t)x->events.main_count : 0;
    }
    if (x->variations && lines[LINES_VARIATIONS].open)
        end_string(x, &lines[LINES_VARIATIONS], &unused);
    if (x->lines && lines[LINES_COMMENTS].open)
        end_string(x, &lines[LINES_COMMENTS], &unused);
    bool asked = x->b->plan.parts & (STAMMA_GAME_TEXT | STAMMA_GAME_MOVES); /* the caller wants the moves */
    x->state->moves_bits = asked || !predicted ? bits + codes : 0;
}

static void end_record(reading *x, bool piece)
{
    record *r = x->r;
    bool no_game = x->state->last_kind == ITEM_END_NO_GAME;
    r->continuation = piece || no_game;
    end_lines(x);
    end_strings(x);
    read_reason(x);
    if (x->main_line_wanted && x->events.main_count > 0)
        x->state->end = x->end;
    x->state->next++;
    x->state->skipped |= x->skip;
    if (x->skip && x->columns->comments_are_fields) /* comments were read with the events; none is left */
        x->columns->at[COLUMN_COMMENTS].at = x->columns->at[COLUMN_COMMENTS].end;
    if (!x->full) {
        r->plies = (uint32_t)x->events.main_count;
        return;
    }
    x->corrupt |= r->continuation && x->b->plan.salvage == SALVAGE_NONE && (!is_plain_text(r) || (piece && no_game));
    stamma_record_count(r, &x->state->found);
}

stamma_error stamma_block_reader_next(block_reader *b, bool skip)
{
    reading x;
    bool piece = stamma_block_reader_continues(b);
    if (b->columns.predicted[LINES_MAIN].adaptive && b->columns.lanes != LANES_SECOND)
        skip = false; /* the adaptive model needs every move of its lane */
    x.b = b;
    x.columns = &b->columns;
    x.state = &b->state;
    x.state->lost_moves = false;
    x.r = &b->state.record;
    x.skip = skip;
    x.full = block_reads_text(b) && !skip;
    x.main_line_wanted = b->plan.decodes_main_line && !skip;
    x.variations = block_reads_column(b, COLUMN_VARIATION_MOVES) && !skip;
    x.moves = block_lists_moves(b) && !skip;
    x.left = PIECE_ITEMS_MAX;
    x.corrupt = x.no_memory = x.movetext = false;
    x.depth = 0;
    stamma_record_clear(x.r);
    x.r->start = stamma_position_start();
    turn_to(&x, &x.r->start);
    x.main_line = NULL;
    x.main_san_facts = NULL;
    x.events = (event_summary){.comments = 0};
    read_events(&x);
    begin_lines(&x);
    if (!x.corrupt && !x.no_memory)
        begin_strings(&x);
    x.follow = x.events.branches || x.lines;
    if (b->columns.comments_are_fields && !x.corrupt && !x.no_memory)
        read_comments(&x);
    if (!x.corrupt && !x.no_memory)
        read_roster(&x);
    if (!x.corrupt && !x.no_memory)
        read_style(&x);
    if (!x.corrupt && !x.no_memory)
        read_items(&x);
    if (!x.corrupt && !x.no_memory)
        end_record(&x, piece);
    return x.no_memory ? STAMMA_ERROR_NO_MEMORY : x.corrupt ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}
