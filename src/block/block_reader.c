/* SPDX-License-Identifier: MIT */
/* Opens the columns of a block (clauses 3 and 5), from which records are read. The input is not trusted. */
#include "block/block.h"

static void init_columns(block_columns *c, const stamma_allocator *allocator)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        c->plain[id].allocator = allocator;
    for (unsigned k = 0; k < LINES; k++) {
        stamma_predicted_init(&c->predicted[k], allocator);
        c->counts[k].allocator = allocator;
    }
    stamma_prefix_column_init(&c->prefixed.column, allocator);
    stamma_prefix_reader_init(&c->prefixed.strings, allocator);
    stamma_lines_reader_init(&c->lines, allocator);
    stamma_tag_reader_init(&c->tags, allocator);
    stamma_openings_init(&c->openings, allocator);
    c->rosters.allocator = allocator;
}

static void release_columns(block_columns *c, const stamma_allocator *allocator)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_release(&c->plain[id]);
    for (unsigned k = 0; k < LINES; k++) {
        stamma_predicted_release(&c->predicted[k]);
        stamma_buffer_release(&c->counts[k]);
    }
    stamma_prefix_column_release(&c->prefixed.column);
    stamma_prefix_reader_release(&c->prefixed.strings);
    stamma_field_column_release(c->comments, allocator);
    stamma_lines_reader_release(&c->lines);
    stamma_tag_reader_release(&c->tags);
    stamma_openings_release(&c->openings);
    stamma_buffer_release(&c->rosters);
    stamma_styles_release(&c->styles, allocator);
    stamma_byte_packer_release(&c->coder);
}

void stamma_block_reader_init(block_reader *b, const stamma_allocator *allocator)
{
    memset(b, 0, sizeof *b);
    b->allocator = allocator;
    init_columns(&b->columns, allocator);
    b->state.events.allocator = b->state.comment_sizes.allocator = b->state.main_line.allocator = allocator;
    stamma_block_reader_select(b, STAMMA_GAME_ALL);
}

void stamma_block_reader_select(block_reader *b, unsigned parts)
{
    b->plan.parts = parts;
}

void stamma_block_reader_release(block_reader *b)
{
    release_columns(&b->columns, b->allocator);
    stamma_buffer_release(&b->state.events);
    stamma_buffer_release(&b->state.comment_sizes);
    stamma_buffer_release(&b->state.main_line);
    stamma_record_release(&b->state.record, b->allocator);
}

/* ---- loading ---- */

static cursor stored_bytes(const column_entry *e, const uint8_t *stored)
{
    return (cursor){stored, stored + e->stored_size, false};
}

/* Returns UNSUPPORTED if a column that cannot be read is mandatory. Other columns are ignored (3.3). */
static stamma_error ignore_column(const column_entry *e)
{
    return e->flags & ENTRY_MANDATORY ? STAMMA_ERROR_UNSUPPORTED : STAMMA_OK;
}

/* Opens comments that are stored as fields. They are decoded when their record is read. */
static stamma_error open_comments(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    block_columns *c = &b->columns;
    if (!c->comments && !(c->comments = stamma_field_column_new(b->allocator)))
        return STAMMA_ERROR_NO_MEMORY;
    c->comments_are_fields = true;
    return stamma_field_column_open(&c->coder, stored_bytes(e, stored), e->plain_size, b->allocator, c->comments);
}

/* Unpacks a column that is known and wanted. */
static stamma_error unpack_column(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    block_columns *c = &b->columns;
    if (e->id == COLUMN_TAG && b->plan.salvage == SALVAGE_SOUND)
        return stamma_block_salvage_tag(b, e, stored);
    if (b->plan.salvage == SALVAGE_NONE && !column_is_whole(e, stored))
        return STAMMA_ERROR_CORRUPT;
    if (e->id == COLUMN_TAG)
        return stamma_tag_reader_add(&c->tags, &c->coder, e->name, e->codec, stored_bytes(e, stored), e->plain_size);
    if (e->id == COLUMN_COMMENTS && e->codec == CODEC_FIELDS)
        return open_comments(b, e, stored);
    return stamma_column_read(&c->coder, e, stored, &c->plain[e->id]);
}

/* Returns whether a column contains moves. These columns are loaded last, because the events and their counts determine
 * the number of moves of each record. */
static bool is_moves(unsigned id)
{
    return id == COLUMN_MOVES || id == COLUMN_VARIATION_MOVES || id == COLUMN_LINE_MOVES;
}

static stamma_error load_column(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    bool known = e->id == COLUMN_TAG || (e->id != 0 && e->id < COLUMN_IDS);
    if (!known || (e->id == COLUMN_REASONS && e->codec > CODEC_PACKED))
        return ignore_column(e);
    if (column_is_search(e->id)) /* search columns only repeat facts of the games */
        return STAMMA_OK;
    bool wanted = e->id == COLUMN_TAG ? block_reads_tags(b) : block_reads_column(b, e->id) && !is_moves(e->id);
    return wanted ? unpack_column(b, e, stored) : STAMMA_OK;
}

/* Returns whether the column needs values of tags as context of the predictor. */
static bool is_predicted(const column_entry *e)
{
    return (is_moves(e->id) && e->codec == CODEC_PREDICTED) || (e->id == COLUMN_MOVES && codec_is_adaptive(e->codec));
}

/* Returns whether the column has lines of moves in comments, which need the position of the comment. */
static bool is_lines(const column_entry *e)
{
    return e->id >= COLUMN_LINES && e->id <= COLUMN_LINE_MOVES;
}

static bool has_column(cursor directory, uint64_t columns, bool (*is_it)(const column_entry *))
{
    column_entry e;
    for (uint64_t i = 0; i < columns && stamma_column_read_entry(&directory, &e); i++)
        if (is_it(&e))
            return true;
    return false;
}

enum {
    COLUMNS_NEEDED = 1 << COLUMN_EVENTS | 1 << COLUMN_EVENT_COUNTS | 1 << COLUMN_EXTRA_TAGS | 1 << COLUMN_REASONS,
    COLUMNS_OF_TAGS = 1 << COLUMN_ROSTERS | 1 << COLUMN_ROSTER_LIST,
    COLUMNS_OF_LINES = 1 << COLUMN_LINES | 1 << COLUMN_LINE_SIZES | 1 << COLUMN_LINE_MOVES,
    COLUMNS_OF_TEXT = 1 << COLUMN_STYLES | 1 << COLUMN_STYLE_LIST | 1 << COLUMN_LAYOUT | 1 << COLUMN_LAYOUT_TEXT |
                      1 << COLUMN_VERBATIM_SIZES | 1 << COLUMN_VERBATIM | 1 << COLUMN_CHECKS
};

static void want(block_plan *p, unsigned condition, uint32_t columns)
{
    p->wanted |= condition ? columns : 0;
}

/* Plans which columns are decoded for the requested parts. A result may depend on the Result tag. An engine's
 * evaluation is from the view of the side that moved, which depends on the start position. */
static void plan_columns(block_reader *b, cursor directory)
{
    const unsigned parts = b->plan.parts, text = parts & STAMMA_GAME_TEXT;
    const unsigned noted = parts & (STAMMA_GAME_COMMENTS | STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS);
    const bool starts = has_column(directory, b->head.columns, column_is_start);
    const bool lines = (text || parts & STAMMA_GAME_COMMENTS) && has_column(directory, b->head.columns, is_lines);
    const bool variations = text || parts & STAMMA_GAME_VARIATIONS || lines;
    const bool moves = variations || parts & STAMMA_GAME_MOVES || (parts & STAMMA_GAME_EVALUATIONS && starts);
    const bool tags = text || parts & (STAMMA_GAME_TAGS | STAMMA_GAME_RESULT) ||
                      (moves && (starts || has_column(directory, b->head.columns, is_predicted)));
    block_plan *p = &b->plan;
    p->wanted = COLUMNS_NEEDED;
    p->decodes_main_line = moves;
    want(p, moves, 1 << COLUMN_MOVES);
    want(p, variations, 1 << COLUMN_VARIATION_MOVES);
    want(p, lines, COLUMNS_OF_LINES);
    want(p, tags, COLUMNS_OF_TAGS);
    want(p, text, COLUMNS_OF_TEXT);
    want(p, text | noted, 1 << COLUMN_COMMENTS);
    want(p, parts & (STAMMA_GAME_TEXT | STAMMA_GAME_NAGS), 1 << COLUMN_NAGS);
    want(p, parts & (STAMMA_GAME_TEXT | STAMMA_GAME_RESULT), 1 << COLUMN_RESULTS);
    if (p->salvage == SALVAGE_SOUND)
        p->wanted &= ~p->lost;
    b->columns.may_be_set_up = starts;
}

/* ---- moves ---- */

stamma_error stamma_block_main_line_codes(block_reader *b, uint64_t count, const uint8_t **codes)
{
    block_columns *c = &b->columns;
    const cursor *in = &c->at[COLUMN_MOVES];
    const uint64_t next = b->state.next;
    *codes = in->at;
    if (c->moves != MOVES_PREFIXED)
        return count <= cursor_left(in) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    if (c->may_be_set_up && prefix_records(&c->prefixed.column)[next].node != 0 &&
        stamma_record_is_set_up(&b->state.record))
        return STAMMA_ERROR_CORRUPT; /* shared beginnings start in the initial position (19.2) */
    return stamma_prefix_reader_codes(&c->prefixed.strings, (size_t)next, codes);
}

/* Columns of moves as they are stored. */
typedef struct moves_columns {
    column_entry entries[LINES];
    const uint8_t *stored[LINES]; /* NULL: there is none */
} moves_columns;

/* Smallest number of bytes of text of a move (3.7). */
enum { MOVE_TEXT_MIN = 2 };

/* Counts the moves of each record, if this was not done before. */
static stamma_error count_moves(block_reader *b)
{
    block_columns *c = &b->columns;
    cursor events = buffer_cursor(&c->plain[COLUMN_EVENTS]), counts = buffer_cursor(&c->plain[COLUMN_EVENT_COUNTS]);
    cursor sizes = buffer_cursor(&c->plain[COLUMN_LINE_SIZES]);
    const bool has_lines = block_reads_column(b, COLUMN_LINES);
    uint64_t moves = 0;
    uint32_t *by_record[LINES];
    event_summary e;
    if (c->counts[LINES_MAIN].size > 0)
        return STAMMA_OK;
    for (unsigned k = 0; k < LINES; k++)
        if (!(by_record[k] = (uint32_t *)buffer_array(&c->counts[k], (size_t)b->head.records, sizeof(uint32_t))))
            return STAMMA_ERROR_NO_MEMORY;
    for (uint64_t n = 0; n < b->head.records; n++) {
        uint64_t lines = 0;
        stamma_error error = stamma_events_read(&events, &counts, NULL, &e);
        if (error != STAMMA_OK)
            return error;
        if (e.main_count > PIECE_ITEMS_MAX || e.variation_count > PIECE_ITEMS_MAX ||
            (has_lines && !stamma_lines_count(&sizes, &lines)) ||
            (moves += e.main_count + e.variation_count + lines) > b->head.text_size / MOVE_TEXT_MIN)
            return STAMMA_ERROR_CORRUPT;
        by_record[LINES_MAIN][n] = (uint32_t)e.main_count;
        by_record[LINES_VARIATIONS][n] = (uint32_t)e.variation_count;
        by_record[LINES_COMMENTS][n] = (uint32_t)lines;
    }
    return STAMMA_OK;
}

/* Opens the main lines stored as codes with shared beginnings. Their groups are unpacked when their records are
 * read. */
static stamma_error open_prefixes(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    prefixed_moves *m = &b->columns.prefixed;
    const uint32_t *counts = (const uint32_t *)(const void *)b->columns.counts[LINES_MAIN].data;
    stamma_error error = stamma_prefix_column_open(&m->column, &b->columns.coder, stored_bytes(e, stored),
                                                   e->plain_size, counts, (size_t)b->head.records);
    stamma_prefix_reader_begin(&m->strings, &m->column, stored);
    return error;
}

static bool is_prefixed(const column_entry *e)
{
    return e->id == COLUMN_MOVES && e->codec == CODEC_PREFIXES;
}

static stamma_error load_moves(block_reader *b, const moves_columns *moves, unsigned k)
{
    block_columns *c = &b->columns;
    const column_entry *e = &moves->entries[k];
    bool read = b->plan.salvage == SALVAGE_TRY || column_is_whole(e, moves->stored[k]);
    if ((!is_prefixed(e) && !is_predicted(e)) || !read)
        return unpack_column(b, e, moves->stored[k]);
    stamma_error error = count_moves(b);
    if (error != STAMMA_OK)
        return error;
    if (is_prefixed(e))
        return open_prefixes(b, e, moves->stored[k]);
    c->predicted[k].group = b->head.group;
    return stamma_predicted_open(&c->predicted[k], e->codec, &c->coder, stored_bytes(e, moves->stored[k]),
                                 e->plain_size, (const uint32_t *)(const void *)c->counts[k].data,
                                 (size_t)b->head.records, &c->plain[e->id]);
}

static moves_form form_of(const column_entry *e)
{
    return is_predicted(e) ? MOVES_PREDICTED : is_prefixed(e) ? MOVES_PREFIXED : MOVES_AS_CODES;
}

static stamma_error load_all_moves(block_reader *b, const moves_columns *moves)
{
    const tag_reader *tags = &b->columns.tags;
    const column_entry *main_line = &moves->entries[LINES_MAIN];
    stamma_error error = STAMMA_OK;
    if (moves->stored[LINES_MAIN])
        b->columns.moves = form_of(main_line);
    if (b->plan.salvage == SALVAGE_SOUND)
        stamma_block_lose_dependents(b, moves->stored[LINES_MAIN] ? main_line->codec : CODEC_STORED);
    if (!b->plan.decodes_main_line && (tags->openings || tags->ends || b->plan.openings) && moves->stored[LINES_MAIN]) {
        b->plan.decodes_main_line = tags->ends || codec_is_adaptive(main_line->codec); /* only tags need the moves */
        want(&b->plan, true, 1 << COLUMN_MOVES);
    }
    for (unsigned k = 0; k < LINES && error == STAMMA_OK; k++)
        if (moves->stored[k] && block_reads_column(b, moves->entries[k].id))
            error = load_moves(b, moves, k);
    return error;
}

bool stamma_block_reader_needs_lanes(const block_reader *b, unsigned parts)
{
    const predicted_column *moves = &b->columns.predicted[LINES_MAIN];
    const tag_reader *tags = &b->columns.tags;
    const bool asked = parts & (STAMMA_GAME_TEXT | STAMMA_GAME_MOVES | STAMMA_GAME_VARIATIONS);
    const bool derived = parts & (STAMMA_GAME_TAGS | STAMMA_GAME_RESULT) && (tags->openings || tags->ends);
    return b->plan.decodes_main_line && moves->open && moves->adaptive && (asked || derived);
}

static unsigned lines_of(unsigned id)
{
    return id == COLUMN_MOVES ? LINES_MAIN : id == COLUMN_VARIATION_MOVES ? LINES_VARIATIONS : LINES_COMMENTS;
}

static stamma_error load_columns(block_reader *b, cursor *directory, cursor *body)
{
    uint64_t total = 0;
    unsigned last = 0;
    moves_columns moves = {.stored = {NULL}};
    for (uint64_t i = 0; i < b->head.columns; i++) {
        column_entry e;
        if (!stamma_column_read_entry(directory, &e) || (total += e.plain_size) > block_columns_max(&b->head) ||
            e.id < last + (last != COLUMN_TAG))
            return STAMMA_ERROR_CORRUPT;
        last = e.id;
        const uint8_t *stored = cursor_take(body, e.stored_size);
        stamma_error error = stored ? load_column(b, &e, stored) : STAMMA_ERROR_CORRUPT;
        if (error != STAMMA_OK)
            return error;
        if (is_moves(e.id)) {
            unsigned k = lines_of(e.id);
            moves.entries[k] = e;
            moves.stored[k] = stored;
        }
    }
    if (cursor_left(directory) > 0 || cursor_left(body) > 0)
        return STAMMA_ERROR_CORRUPT;
    return load_all_moves(b, &moves);
}

/* Reads the next roster of the list, and checks that its columns exist and are different. seen[column] is one more than
 * the number of the last roster with this column, or 0. */
static stamma_error load_roster(block_columns *c, cursor *in, uint32_t *seen)
{
    size_t number = c->rosters.size / sizeof(cursor);
    if (number == ROSTERS_MAX)
        return STAMMA_ERROR_CORRUPT;
    if (!buffer_reserve(&c->rosters, sizeof(cursor)))
        return STAMMA_ERROR_NO_MEMORY;
    uint64_t count = stamma_cursor_varint(in);
    const uint8_t *begin = in->at;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t column = stamma_cursor_varint(in);
        if (column >= c->tags.count || in->failed || seen[column] == number + 1)
            return STAMMA_ERROR_CORRUPT;
        seen[column] = (uint32_t)number + 1;
    }
    const cursor roster = {begin, in->at, false};
    buffer_add(&c->rosters, &roster, sizeof roster);
    return STAMMA_OK;
}

static stamma_error load_rosters(block_columns *c)
{
    cursor *in = &c->at[COLUMN_ROSTER_LIST];
    uint32_t seen[TAG_COLUMNS_MAX] = {0};
    stamma_error error = STAMMA_OK;
    while (cursor_left(in) > 0 && error == STAMMA_OK)
        error = load_roster(c, in, seen);
    return error == STAMMA_OK && in->failed ? STAMMA_ERROR_CORRUPT : error;
}

void stamma_block_sort_roster(block_reader *b, uint64_t number)
{
    uint64_t columns[TAG_COLUMNS_MAX / 64] = {0};
    uint16_t places[TAG_COLUMNS_MAX];
    sorted_roster *sorted = &b->state.roster;
    cursor roster = block_roster(b, number);
    for (uint16_t place = 0; cursor_left(&roster) > 0; place++) {
        size_t column = (size_t)cursor_varint(&roster);
        columns[column / 64] |= UINT64_C(1) << column % 64;
        places[column] = place;
    }
    sorted->number = number;
    sorted->size = 0;
    for (size_t word = 0; word < TAG_COLUMNS_MAX / 64; word++)
        for (uint64_t left = columns[word]; left != 0; left = bits_rest(left)) {
            size_t column = 64 * word + bits_first(left);
            sorted->columns[sorted->size] = (uint16_t)column;
            sorted->places[sorted->size++] = places[column];
        }
}

static bool has_checks(const block_reader *b)
{
    return !block_reads_column(b, COLUMN_CHECKS) || b->columns.plain[COLUMN_CHECKS].size == block_checks_size(&b->head);
}

bool stamma_block_reader_continues(const block_reader *b)
{
    return b->state.next == 0 ? b->head.continues : b->state.last_kind == ITEM_END_OF_PIECE;
}

bool stamma_block_reader_has_more(const block_reader *b)
{
    const cursor *events = &b->columns.at[COLUMN_EVENTS];
    unsigned kind = b->state.last_kind;
    if (kind == ITEM_END_OF_PIECE)
        return true;
    for (const uint8_t *at = events->at; at < events->end; at++)
        if (event_ends_record(kind = *at & 15u))
            return kind == ITEM_END_NO_GAME;
    return false;
}

void stamma_block_reader_take_reason(block_reader *b)
{
    block_state *s = &b->state;
    cursor *in = &b->columns.at[COLUMN_REASONS];
    cursor ahead = *in;
    if (cursor_left(in) == 0 || stamma_cursor_varint(&ahead) != s->next - s->next_reason || ahead.failed)
        return;
    s->record.reason = (stamma_archive_reason)cursor_byte(&ahead);
    s->record.reason_offset = (uint32_t)stamma_cursor_varint(&ahead);
    s->next_reason = s->next + 1;
    *in = ahead;
}

bool stamma_block_reader_is_group(const block_reader *b, uint64_t check)
{
    if (b->head.records <= b->head.group)
        return check == b->head.text_check;
    return (uint32_t)check == load_u32(b->columns.plain[COLUMN_CHECKS].data + (b->state.next - 1) / b->head.group * 4);
}

stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size)
{
    cursor head = {payload, payload + head_size, false}, body = {payload + head_size, payload + size, false};
    return stamma_block_reader_open(b, head, body);
}

static void clear_columns(block_columns *c)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        c->plain[id].size = 0;
    for (unsigned k = 0; k < LINES; k++) {
        c->predicted[k].open = c->predicted[k].begun = c->predicted[k].adaptive = c->predicted[k].dead = false;
        c->counts[k].size = 0;
    }
    c->moves = MOVES_AS_CODES;
    c->lanes = LANES_BOTH;
    c->comments_are_fields = false;
    c->lines.total = 0;
    stamma_tag_reader_clear(&c->tags);
    c->rosters.size = 0;
    c->styles.count = 0;
}

static void clear_state(block_state *s)
{
    s->next = s->next_reason = 0;
    s->roster.number = UINT64_MAX;
    s->roster.size = 0;
    s->skipped = false;
    s->found = (stamma_archive_counts){0};
}

/* Reads the lists of the open columns. */
static stamma_error load_lists(block_reader *b)
{
    block_columns *c = &b->columns;
    stamma_error error = has_checks(b) ? load_rosters(c) : STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = stamma_styles_read(&c->at[COLUMN_STYLE_LIST], &c->styles, b->allocator);
    return error;
}

stamma_error stamma_block_reader_open(block_reader *b, cursor directory, cursor body)
{
    block_columns *c = &b->columns;
    if (b->plan.memory > 0 && stamma_block_memory(directory, body) > b->plan.memory)
        return STAMMA_ERROR_LIMIT;
    clear_columns(c);
    clear_state(&b->state);
    b->head.records = 0;
    stamma_error error = stamma_block_read_head(&directory, &b->head);
    b->state.found.text_size = b->head.text_size; /* the checksum of the text verifies this size */
    if (error == STAMMA_OK) {
        c->tags.plain_left = b->head.text_size;
        c->tags.stop = b->plan.stop;
        c->tags.tolerant = c->coder.partial = b->plan.salvage == SALVAGE_TRY;
        plan_columns(b, directory);
        error = load_columns(b, &directory, &body);
    }
    c->may_be_set_up |= c->plain[COLUMN_EXTRA_TAGS].size > 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        c->at[id] = buffer_cursor(&c->plain[id]);
    c->at[COLUMN_CHECKS].at = c->at[COLUMN_CHECKS].end; /* checks are found by the number of the group */
    if (error == STAMMA_OK)
        error = load_lists(b);
    if (error != STAMMA_OK)
        b->head.records = 0;
    return error;
}

void stamma_block_reader_stop(block_reader *b, const stop_check *stop)
{
    b->plan.stop = b->columns.tags.stop = stop;
}

bool stamma_block_reader_is_done(block_reader *b)
{
    block_columns *c = &b->columns;
    const block_state *s = &b->state;
    size_t left = 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        left += id == COLUMN_REASONS ? 0 : cursor_left(&c->at[id]);
    return left == 0 && stamma_tag_reader_is_done(&c->tags, s->skipped) &&
           (!c->comments_are_fields || stamma_field_column_is_done(c->comments)) &&
           (s->skipped || !block_reads_text(b) || stamma_counts_equal(&b->head.counts, &s->found));
}
