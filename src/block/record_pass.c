/* SPDX-License-Identifier: MIT */
/* Skips records before a wanted record, column by column. Only data that later records depend on is decoded. An error
 * in a skipped record is only found if it changes the end of the record in another column. */
#include "block/block.h"

/* Records that are skipped together. */
typedef struct passing {
    block_reader *b;
    size_t count;
    uint64_t games;
    uint32_t plies[TAG_PASS_MAX];
    uint32_t comments[TAG_PASS_MAX];
    uint64_t nags, results, texts, main_line, variations; /* sums over all records */
    bool corrupt, no_memory;
} passing;

static bool has_mixed_comments(const block_columns *c)
{
    return c->comments_are_fields && stamma_field_column_is_mixed(c->comments);
}

/* ---- events ---- */

static void pass_event(passing *p, size_t n, const event *e)
{
    cursor *at = p->b->columns.at;
    switch (e->kind) {
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE: p->comments[n] += e->times; break;
    case ITEM_NAG:
    case ITEM_SUFFIX: p->nags += e->times; break;
    case ITEM_RESULT: p->results++; break;
    case ITEM_TEXT: p->texts++; break;
    case ITEM_TAG:
        (void)cursor_text(&at[COLUMN_EXTRA_TAGS]);
        (void)cursor_text(&at[COLUMN_EXTRA_TAGS]);
        p->corrupt |= at[COLUMN_EXTRA_TAGS].failed;
        break;
    default: break;
    }
}

/* Skips a record's string of predicted moves, and its codes if it has codes instead. Most columns have none. */
static void pass_string(passing *p, unsigned k, uint64_t count)
{
    static const unsigned ids[LINES] = {COLUMN_MOVES, COLUMN_VARIATION_MOVES, COLUMN_LINE_MOVES};
    predicted_column *c = &p->b->columns.predicted[k];
    cursor *codes = &p->b->columns.at[ids[k]];
    if (!c->open || count == 0)
        return;
    if (c->adaptive) {
        stamma_predicted_pass(c, count, codes);
    } else if (cursor_left(codes) == 0) {
        c->string++;
    } else {
        p->no_memory |= stamma_predicted_begin(c, count) != STAMMA_OK;
        if (c->as_codes)
            (void)cursor_take(codes, count);
        p->corrupt |= codes->failed;
    }
}

/* Skips a record's events, which determine its part of the other columns. */
static void pass_events(passing *p, size_t n)
{
    block_reader *b = p->b;
    block_state *s = &b->state;
    cursor *events = &b->columns.at[COLUMN_EVENTS], *counts = &b->columns.at[COLUMN_EVENT_COUNTS];
    event e = {ITEM_TAG, 0, 0};
    unsigned depth = 0;
    bool piece = stamma_block_reader_continues(b);
    uint64_t left = PIECE_ITEMS_MAX, moves[2] = {0, 0}; /* of the main line, and in variations */
    p->comments[n] = 0;
    while (!event_ends_record(e.kind) && !p->corrupt) {
        p->corrupt = !event_take(events, counts, &e) || e.times > left;
        left -= e.times;
        moves[depth > 0] += (uint64_t)e.moves * e.times;
        if (e.kind == ITEM_VARIATION_BEGIN)
            p->corrupt |= depth++ == VARIATION_DEPTH_MAX;
        else if (e.kind == ITEM_VARIATION_END)
            p->corrupt |= depth-- == 0;
        else if (!p->corrupt)
            pass_event(p, n, &e);
    }
    p->corrupt |= moves[0] > PIECE_ITEMS_MAX;
    p->plies[n] = (uint32_t)moves[0];
    pass_string(p, LINES_MAIN, moves[0]);
    pass_string(p, LINES_VARIATIONS, moves[1]);
    p->main_line += moves[0];
    p->variations += moves[1];
    s->last_kind = (uint8_t)e.kind;
    bool continuation = piece || e.kind == ITEM_END_NO_GAME;
    p->games += !continuation;
    if (!continuation)
        stamma_block_reader_take_reason(b);
    s->next++;
}

/* ---- other columns, for all these records ---- */

static void pass_bytes(passing *p, unsigned column, uint64_t count)
{
    if (block_reads_column(p->b, column)) {
        cursor *in = &p->b->columns.at[column];
        (void)cursor_take(in, count);
        p->corrupt |= in->failed;
    }
}

static void pass_moves(passing *p)
{
    if (p->b->columns.moves == MOVES_AS_CODES)
        pass_bytes(p, COLUMN_MOVES, p->main_line);
    if (!p->b->columns.predicted[LINES_VARIATIONS].open)
        pass_bytes(p, COLUMN_VARIATION_MOVES, p->variations);
}

static void pass_styles(passing *p)
{
    cursor *at = p->b->columns.at, *layout = &at[COLUMN_LAYOUT];
    for (size_t n = 0; n < p->count && block_reads_text(p->b) && !p->corrupt; n++) {
        uint64_t style = cursor_varint(&at[COLUMN_STYLES]);
        uint64_t exceptions = style & 1 ? stamma_cursor_varint(layout) : 0;
        for (; exceptions > 0 && !layout->failed; exceptions--) {
            (void)stamma_cursor_varint(layout);
            (void)cursor_take(&at[COLUMN_LAYOUT_TEXT], stamma_cursor_varint(layout));
        }
        p->corrupt |= at[COLUMN_STYLES].failed || layout->failed || at[COLUMN_LAYOUT_TEXT].failed;
    }
}

static void pass_texts(passing *p)
{
    cursor *at = p->b->columns.at;
    for (uint64_t n = 0; n < p->texts && block_reads_text(p->b) && !p->corrupt; n++) {
        (void)cursor_take(&at[COLUMN_VERBATIM], stamma_cursor_varint(&at[COLUMN_VERBATIM_SIZES]));
        p->corrupt |= at[COLUMN_VERBATIM].failed || at[COLUMN_VERBATIM_SIZES].failed;
    }
}

/* Skips the comments of a record that are fields. Mixed numbers can only be decoded. */
static stamma_error pass_fields(block_columns *c, uint32_t record, uint32_t comments, bool mixed)
{
    stamma_error error = STAMMA_OK;
    if (!mixed)
        return stamma_field_column_pass(c->comments, record, comments);
    for (; comments > 0 && error == STAMMA_OK; comments--) {
        c->plain[COLUMN_COMMENTS].size = 0;
        error = stamma_field_column_take(c->comments, record, &c->plain[COLUMN_COMMENTS]);
    }
    return error;
}

static stamma_error pass_comments(passing *p, uint64_t first)
{
    block_columns *c = &p->b->columns;
    cursor *texts = &c->at[COLUMN_COMMENTS];
    const bool mixed = has_mixed_comments(c);
    stamma_error error = STAMMA_OK;
    if (!block_reads_column(p->b, COLUMN_COMMENTS))
        return STAMMA_OK;
    for (size_t n = 0; n < p->count && error == STAMMA_OK; n++) {
        if (c->comments_are_fields)
            error = pass_fields(c, (uint32_t)(first + n) + 1, p->comments[n], mixed);
        else
            for (uint32_t left = p->comments[n]; left > 0 && !texts->failed; left--)
                (void)cursor_text(texts);
    }
    p->corrupt |= texts->failed;
    return error;
}

/* Skips lines of moves in comments (clause 18). */
static void pass_lines(passing *p)
{
    block_columns *c = &p->b->columns;
    cursor *at = c->at;
    range_decoder *in = c->predicted[LINES_COMMENTS].open ? &c->predicted[LINES_COMMENTS].in : NULL;
    const line_source source = {&at[COLUMN_LINES], &at[COLUMN_LINE_SIZES], &at[COLUMN_LINE_MOVES], NULL, in};
    for (size_t n = 0; n < p->count && block_reads_column(p->b, COLUMN_LINES) && !p->corrupt; n++) {
        cursor ahead = *source.sizes;
        uint64_t moves = 0;
        p->corrupt |= in && !stamma_lines_count(&ahead, &moves);
        pass_string(p, LINES_COMMENTS, moves);
        stamma_lines_reader_begin(&c->lines, source.sizes);
        p->corrupt |= !stamma_lines_reader_skip(&c->lines, &source);
    }
}

/* ---- tags ---- */

/* Marks the tags that the records from `first` to `end` have, which have the same roster. */
static void mark_roster(passing *p, uint64_t number, size_t first, size_t end, tag_pass *t)
{
    block_reader *b = p->b;
    if (number >= block_roster_count(b)) {
        p->corrupt = true;
        return;
    }
    for (cursor roster = block_roster(b, number); cursor_left(&roster) > 0;) {
        size_t column = (size_t)cursor_varint(&roster);
        memset(t->has[column] + first, 1, end - first);
    }
}

static void mark_rosters(passing *p, tag_pass *t)
{
    cursor *rosters = &p->b->columns.at[COLUMN_ROSTERS];
    uint64_t number = 0;
    size_t first = 0;
    for (size_t n = 0; n < p->count; n++) {
        uint64_t own = cursor_varint(rosters);
        if (n > 0 && own != number) {
            mark_roster(p, number, first, n, t);
            first = n;
        }
        number = own;
    }
    p->corrupt |= rosters->failed;
    mark_roster(p, number, first, p->count, t);
}

static stamma_error pass_tags(passing *p)
{
    block_reader *b = p->b;
    if (!block_reads_tags(b))
        return STAMMA_OK;
    tag_pass *t = stamma_tag_reader_begin_pass(&b->columns.tags);
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    mark_rosters(p, t);
    if (p->corrupt)
        return STAMMA_ERROR_CORRUPT;
    return stamma_tag_reader_pass(&b->columns.tags, p->plies, p->count);
}

/* ---- */

static stamma_error pass_some(passing *p)
{
    const uint64_t first = p->b->state.next;
    p->games = p->nags = p->results = p->texts = p->main_line = p->variations = 0;
    for (size_t n = 0; n < p->count && !p->corrupt; n++)
        pass_events(p, n);
    if (p->corrupt || p->no_memory)
        return p->no_memory ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
    pass_moves(p);
    pass_bytes(p, COLUMN_NAGS, p->nags);
    pass_bytes(p, COLUMN_RESULTS, p->results);
    pass_styles(p);
    pass_texts(p);
    pass_lines(p);
    stamma_error error = pass_tags(p);
    if (error == STAMMA_OK)
        error = pass_comments(p, first);
    if (error == STAMMA_OK && p->no_memory)
        return STAMMA_ERROR_NO_MEMORY;
    return error == STAMMA_OK && p->corrupt ? STAMMA_ERROR_CORRUPT : error;
}

bool stamma_block_reader_can_pass(const block_reader *b)
{
    return !block_reads_tags(b) || stamma_tag_reader_can_pass(&b->columns.tags);
}

bool stamma_block_reader_can_keep(const block_reader *b)
{
    return stamma_block_reader_can_pass(b) && !has_mixed_comments(&b->columns);
}

uint64_t stamma_block_reader_passable(const block_reader *b, uint64_t record, uint64_t *from)
{
    const predicted_column *moves = &b->columns.predicted[LINES_MAIN];
    const uint64_t next = b->state.next;
    *from = stamma_predicted_lane(moves, record);
    if (next <= *from)
        return *from - next;
    return stamma_predicted_is_alive(moves, *from) ? 0 : UINT64_MAX;
}

stamma_error stamma_block_reader_pass(block_reader *b, uint64_t count, uint64_t *games)
{
    passing p = {.b = b};
    *games = 0;
    b->state.skipped = true;
    for (stamma_error error; count > 0; count -= p.count) {
        p.count = count < TAG_PASS_MAX ? (size_t)count : TAG_PASS_MAX;
        error = pass_some(&p);
        *games += p.games;
        if (error != STAMMA_OK)
            return error;
    }
    return STAMMA_OK;
}

/* ---- saving the position ---- */

void stamma_block_reader_keep(block_reader *b, kept_state *k)
{
    block_columns *c = &b->columns;
    block_state *s = &b->state;
    state_keep(k, c->at, sizeof c->at);
    state_keep(k, &s->next, sizeof s->next);
    state_keep(k, &s->next_reason, sizeof s->next_reason);
    state_keep(k, &s->last_kind, sizeof s->last_kind);
    state_keep(k, &c->lines.total, sizeof c->lines.total);
    for (unsigned n = 0; n < LINES; n++)
        if (c->predicted[n].open)
            stamma_predicted_keep(&c->predicted[n], k);
    if (c->comments_are_fields) {
        stamma_field_column_keep(c->comments, k);
        c->plain[COLUMN_COMMENTS].size = 0; /* contains only comments of the last record */
        c->at[COLUMN_COMMENTS] = buffer_cursor(&c->plain[COLUMN_COMMENTS]);
    }
    if (block_reads_tags(b))
        stamma_tag_reader_keep(&c->tags, k);
    s->skipped = true;
}
