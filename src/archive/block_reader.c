/* Opens the columns of a block (clauses 3 and 5), to be read by records. Nothing in a column is trusted. */
#include "archive/archive.h"

void stamma_block_reader_init(block_reader *b, const stamma_allocator *allocator)
{
    memset(b, 0, sizeof *b);
    b->allocator = allocator;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->columns[id].allocator = allocator;
    b->main_line.allocator = b->events.allocator = b->comment_sizes.allocator = allocator;
    for (unsigned k = 0; k < LINES; k++) {
        stamma_predicted_init(&b->predicted[k], allocator);
        b->counts[k].allocator = allocator;
    }
    stamma_prefix_column_init(&b->prefixes, allocator);
    stamma_prefix_reader_init(&b->strings, allocator);
    stamma_prefix_reader_init(&b->passed_strings, allocator);
    stamma_lines_reader_init(&b->comment_lines, allocator);
    stamma_tag_reader_init(&b->tags, allocator);
    stamma_openings_init(&b->openings, allocator);
    stamma_block_reader_select(b, STAMMA_GAME_ALL);
}

void stamma_block_reader_select(block_reader *b, unsigned parts)
{
    const unsigned among =
        STAMMA_GAME_COMMENTS | STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS | STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS;
    b->parts = parts;
    b->full = parts & STAMMA_GAME_TEXT;
    b->variations_wanted = b->full || parts & STAMMA_GAME_VARIATIONS;
    b->movetext = b->full || parts & among;
}

void stamma_block_reader_release(block_reader *b)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_release(&b->columns[id]);
    stamma_field_column_release(b->comments, b->allocator);
    stamma_buffer_release(&b->comment_sizes);
    stamma_buffer_release(&b->events);
    stamma_openings_release(&b->openings);
    stamma_buffer_release(&b->main_line);
    for (unsigned k = 0; k < LINES; k++) {
        stamma_predicted_release(&b->predicted[k]);
        stamma_buffer_release(&b->counts[k]);
    }
    stamma_prefix_column_release(&b->prefixes);
    stamma_prefix_reader_release(&b->strings);
    stamma_prefix_reader_release(&b->passed_strings);
    stamma_lines_reader_release(&b->comment_lines);
    stamma_tag_reader_release(&b->tags);
    memory_release(b->allocator, b->rosters);
    stamma_styles_release(&b->styles, b->allocator);
    stamma_record_release(&b->record, b->allocator);
    stamma_byte_packer_release(&b->coder);
}

stamma_error stamma_block_read_head(cursor *in, block_head *head)
{
    block_counts counts;
    stamma_error error = stamma_block_counts_read(in, &counts);
    head->columns = stamma_cursor_varint(in);
    if (error != STAMMA_OK || in->failed)
        return STAMMA_ERROR_CORRUPT;
    head->text_size = counts.counts.bytes_in;
    head->text_check = counts.text_check;
    head->records = counts.records;
    head->counts = counts.counts;
    head->continues = counts.continues;
    return STAMMA_OK;
}

/* ---- loading ---- */

static cursor stored_bytes(const column_entry *e, const uint8_t *stored)
{
    return (cursor){stored, stored + e->stored_size, false};
}

/* A column that cannot be read: may it be left out (3.3)? */
static stamma_error ignore_column(const column_entry *e)
{
    return e->flags & ENTRY_MANDATORY ? STAMMA_ERROR_UNSUPPORTED : STAMMA_OK;
}

/* Comments that are fields are decoded record by record, while they are at hand. */
static stamma_error open_comments(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    if (!b->comments && !(b->comments = stamma_field_column_new(b->allocator)))
        return STAMMA_ERROR_NO_MEMORY;
    b->comments_are_fields = true;
    return stamma_field_column_open(&b->coder, stored_bytes(e, stored), e->plain_size, b->allocator, b->comments);
}

/* Whether a column that is known holds what is wanted. */
static bool is_wanted(const block_reader *b, unsigned id)
{
    const unsigned comments = STAMMA_GAME_COMMENTS | STAMMA_GAME_CLOCKS | STAMMA_GAME_EVALUATIONS;
    switch (id) {
    case COLUMN_MOVES: return b->main_lines;
    case COLUMN_VARIATION_MOVES: return b->variations;
    case COLUMN_COMMENTS: return b->full || b->parts & comments;
    case COLUMN_LINES:
    case COLUMN_LINE_SIZES:
    case COLUMN_LINE_MOVES: return b->lines;
    case COLUMN_NAGS: return b->full || b->parts & STAMMA_GAME_NAGS;
    case COLUMN_RESULTS: return b->full || b->parts & STAMMA_GAME_RESULT;
    case COLUMN_ROSTERS:
    case COLUMN_ROSTER_LIST: return b->values;
    case COLUMN_STYLES:
    case COLUMN_STYLE_LIST:
    case COLUMN_LAYOUT:
    case COLUMN_LAYOUT_TEXT:
    case COLUMN_VERBATIM_SIZES:
    case COLUMN_VERBATIM:
    case COLUMN_CHECKS: return b->full;
    default: return true;
    }
}

/* A column that is known and wanted. */
static stamma_error unpack_column(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    if (!column_is_whole(e, stored))
        return STAMMA_ERROR_CORRUPT;
    if (e->id == COLUMN_TAG)
        return stamma_tag_reader_add(&b->tags, &b->coder, e->name, e->codec, stored_bytes(e, stored), e->plain_size);
    if (e->id == COLUMN_COMMENTS && e->codec == CODEC_FIELDS)
        return open_comments(b, e, stored);
    return stamma_column_read(&b->coder, e, stored, &b->columns[e->id]);
}

/* Moves are loaded last: the events and their counts determine how many moves each record has. */
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
    bool wanted = e->id == COLUMN_TAG ? b->values : block_reads_column(b, e->id) && !is_moves(e->id);
    return wanted ? unpack_column(b, e, stored) : STAMMA_OK;
}

/* Returns whether the column needs values of tags as context of the predictor. */
static bool is_predicted(const column_entry *e)
{
    return (is_moves(e->id) && e->codec == CODEC_PREDICTED) || (e->id == COLUMN_MOVES && e->codec == CODEC_ADAPTIVE);
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

/* Plans which columns are decoded for the requested parts. A result may depend on the Result tag. An engine's
 * evaluation is from the view of the side that moved, which depends on the start position. */
static void plan_columns(block_reader *b, cursor directory)
{
    bool starts = has_column(directory, b->head.columns, column_is_start);
    b->starts = starts;
    b->lines = (b->full || b->parts & STAMMA_GAME_COMMENTS) && has_column(directory, b->head.columns, is_lines);
    b->variations = b->variations_wanted || b->lines;
    b->main_lines = b->variations || b->parts & STAMMA_GAME_MOVES || (b->parts & STAMMA_GAME_EVALUATIONS && starts);
    b->values = b->full || b->parts & (STAMMA_GAME_TAGS | STAMMA_GAME_RESULT) ||
                (b->main_lines && (starts || has_column(directory, b->head.columns, is_predicted)));
    b->wanted = 0;
    for (unsigned id = 1; id < COLUMN_IDS; id++)
        b->wanted |= (uint32_t)is_wanted(b, id) << id;
}

/* ---- moves ---- */

stamma_error stamma_block_main_line_codes(block_reader *b, uint64_t count, const uint8_t **codes)
{
    const cursor *in = &b->at[COLUMN_MOVES];
    *codes = in->at;
    if (!b->moves_prefixed)
        return count <= cursor_left(in) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    bool may_be_set_up = b->starts || b->columns[COLUMN_EXTRA_TAGS].size > 0;
    if (may_be_set_up && prefix_records(&b->prefixes)[b->next].node != 0 && stamma_record_is_set_up(&b->record))
        return STAMMA_ERROR_CORRUPT; /* nodes are positions that are reached from the initial one (18.2) */
    return stamma_prefix_reader_codes(&b->strings, (size_t)b->next, codes);
}

/* Columns of moves as they are stored. */
typedef struct moves_columns {
    column_entry entries[LINES];
    const uint8_t *stored[LINES]; /* NULL: there is none */
} moves_columns;

/* Bytes of text that a move has at least (3.7). */
enum { MOVE_TEXT_MIN = 2 };

/* Counts the moves of each record, once. */
static stamma_error count_moves(block_reader *b)
{
    cursor events = buffer_cursor(&b->columns[COLUMN_EVENTS]), counts = buffer_cursor(&b->columns[COLUMN_EVENT_COUNTS]);
    cursor sizes = buffer_cursor(&b->columns[COLUMN_LINE_SIZES]);
    size_t size = (size_t)b->head.records * sizeof(uint32_t);
    uint64_t moves = 0;
    event_summary e;
    if (b->counts[LINES_MAIN].size > 0)
        return STAMMA_OK;
    for (unsigned k = 0; k < LINES; k++)
        if (!buffer_reserve(&b->counts[k], size))
            return STAMMA_ERROR_NO_MEMORY;
    for (uint64_t n = 0; n < b->head.records; n++) {
        uint64_t lines = 0;
        stamma_error error = stamma_events_read(&events, &counts, NULL, &e);
        if (error != STAMMA_OK)
            return error;
        if (e.main_count > PIECE_ITEMS_MAX || e.variation_count > PIECE_ITEMS_MAX ||
            (b->lines && !stamma_lines_count(&sizes, &lines)) ||
            (moves += e.main_count + e.variation_count + lines) > b->head.text_size / MOVE_TEXT_MIN)
            return STAMMA_ERROR_CORRUPT;
        ((uint32_t *)(void *)b->counts[LINES_MAIN].data)[n] = (uint32_t)e.main_count;
        ((uint32_t *)(void *)b->counts[LINES_VARIATIONS].data)[n] = (uint32_t)e.variation_count;
        ((uint32_t *)(void *)b->counts[LINES_COMMENTS].data)[n] = (uint32_t)lines;
    }
    for (unsigned k = 0; k < LINES; k++)
        b->counts[k].size = size;
    return STAMMA_OK;
}

/* Groups are unpacked when their records are read. */
static stamma_error open_prefixes(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    b->moves_prefixed = true;
    stamma_error error =
        stamma_prefix_column_open(&b->prefixes, &b->coder, stored_bytes(e, stored), e->plain_size,
                                  (const uint32_t *)(const void *)b->counts[LINES_MAIN].data, (size_t)b->head.records);
    stamma_prefix_reader_begin(&b->strings, &b->prefixes, stored);
    stamma_prefix_reader_begin(&b->passed_strings, &b->prefixes, stored);
    return error;
}

static stamma_error load_moves(block_reader *b, const moves_columns *moves, unsigned k)
{
    const column_entry *e = &moves->entries[k];
    bool prefixed = e->id == COLUMN_MOVES && e->codec == CODEC_PREFIXES;
    if ((!prefixed && !is_predicted(e)) || !column_is_whole(e, moves->stored[k]))
        return unpack_column(b, e, moves->stored[k]);
    stamma_error error = count_moves(b);
    if (error != STAMMA_OK)
        return error;
    if (prefixed)
        return open_prefixes(b, e, moves->stored[k]);
    return stamma_predicted_open(&b->predicted[k], e->codec, &b->coder, stored_bytes(e, moves->stored[k]),
                                 e->plain_size, (const uint32_t *)(const void *)b->counts[k].data,
                                 (size_t)b->head.records, &b->columns[e->id]);
}

static stamma_error load_all_moves(block_reader *b, const moves_columns *moves)
{
    stamma_error error = STAMMA_OK;
    if (!b->main_lines && (b->tags.openings || b->tags.ends) && moves->stored[LINES_MAIN]) { /* needed only for a tag */
        b->main_lines = b->tags.ends || moves->entries[LINES_MAIN].codec == CODEC_ADAPTIVE;
        b->wanted |= UINT32_C(1) << COLUMN_MOVES;
    }
    for (unsigned k = 0; k < LINES && error == STAMMA_OK; k++)
        if (moves->stored[k] && block_reads_column(b, moves->entries[k].id))
            error = load_moves(b, moves, k);
    return error;
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
    b->moves_predicted = moves.stored[LINES_MAIN] && is_predicted(&moves.entries[LINES_MAIN]);
    return load_all_moves(b, &moves);
}

/* Checks the list of rosters and notes the place of each roster. */
static stamma_error load_rosters(block_reader *b)
{
    cursor *in = &b->at[COLUMN_ROSTER_LIST];
    uint32_t seen[TAG_COLUMNS_MAX] = {0}; /* in which roster, from 1 */
    b->roster = UINT64_MAX;
    for (b->roster_count = 0; cursor_left(in) > 0; b->roster_count++) {
        if (b->roster_count == ROSTERS_MAX)
            return STAMMA_ERROR_CORRUPT;
        if (b->roster_count == b->roster_capacity) {
            size_t capacity = b->roster_capacity < 16 ? 16 : b->roster_capacity * 2;
            void *resized = memory_resize(b->allocator, b->rosters, capacity * sizeof *b->rosters);
            if (!resized)
                return STAMMA_ERROR_NO_MEMORY;
            b->rosters = (cursor *)resized;
            b->roster_capacity = capacity;
        }
        uint64_t count = stamma_cursor_varint(in);
        const uint8_t *begin = in->at;
        for (uint64_t i = 0; i < count; i++) {
            uint64_t column = stamma_cursor_varint(in);
            if (column >= b->tags.count || in->failed || seen[column] == b->roster_count + 1)
                return STAMMA_ERROR_CORRUPT;
            seen[column] = (uint32_t)b->roster_count + 1;
        }
        b->rosters[b->roster_count] = (cursor){begin, in->at, false};
    }
    return in->failed ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

void stamma_block_sort_roster(block_reader *b, uint64_t number)
{
    uint64_t columns[TAG_COLUMNS_MAX / 64] = {0};
    uint16_t places[TAG_COLUMNS_MAX];
    cursor roster = b->rosters[number];
    for (uint16_t place = 0; cursor_left(&roster) > 0; place++) {
        size_t column = (size_t)cursor_varint(&roster);
        columns[column / 64] |= UINT64_C(1) << column % 64;
        places[column] = place;
    }
    b->roster = number;
    b->roster_size = 0;
    for (size_t word = 0; word < TAG_COLUMNS_MAX / 64; word++)
        for (uint64_t left = columns[word]; left != 0; left = bits_rest(left)) {
            size_t column = 64 * word + bits_first(left);
            b->roster_columns[b->roster_size] = (uint16_t)column;
            b->roster_places[b->roster_size++] = places[column];
        }
}

/* Each group but an only one has a check (3.6). */
static bool has_checks(const block_reader *b)
{
    uint64_t groups = (b->head.records + GROUP_RECORDS - 1) / GROUP_RECORDS;
    return !b->full || b->columns[COLUMN_CHECKS].size == (groups > 1 ? 4 * groups : 0);
}

bool stamma_block_reader_continues(const block_reader *b)
{
    return b->next == 0 ? b->head.continues : b->last_kind == ITEM_END_OF_PIECE;
}

bool stamma_block_reader_is_group(const block_reader *b, uint64_t check)
{
    if (b->head.records <= GROUP_RECORDS)
        return check == b->head.text_check;
    return (uint32_t)check == load_u32(b->columns[COLUMN_CHECKS].data + (b->next - 1) / GROUP_RECORDS * 4);
}

stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size)
{
    cursor head = {payload, payload + head_size, false}, body = {payload + head_size, payload + size, false};
    return stamma_block_reader_open(b, head, body);
}

stamma_error stamma_block_reader_open(block_reader *b, cursor directory, cursor body)
{
    if (b->memory > 0 && stamma_block_memory(directory, body) > b->memory)
        return STAMMA_ERROR_LIMIT;
    b->next = b->next_reason = 0;
    b->roster_size = 0;
    b->comment_lines.total = 0;
    b->skipped = b->comments_are_fields = b->moves_prefixed = b->has_ahead = false;
    b->found = (stamma_archive_counts){0};
    stamma_tag_reader_clear(&b->tags);
    b->styles.count = 0;
    b->head.records = 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->columns[id].size = 0;
    for (unsigned k = 0; k < LINES; k++) {
        b->predicted[k].open = b->predicted[k].begun = b->predicted[k].adaptive = false;
        b->counts[k].size = 0;
    }
    stamma_error error = stamma_block_read_head(&directory, &b->head);
    b->found.bytes_in = b->head.text_size; /* which the text's checksum bears out */
    if (error == STAMMA_OK) {
        b->tags.plain_left = b->head.text_size;
        b->tags.stop = b->stop;
        plan_columns(b, directory);
        error = load_columns(b, &directory, &body);
    }
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->at[id] = buffer_cursor(&b->columns[id]);
    b->at[COLUMN_CHECKS].at = b->at[COLUMN_CHECKS].end; /* they are found by the group's number */
    if (error == STAMMA_OK && !has_checks(b))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = load_rosters(b);
    if (error == STAMMA_OK)
        error = stamma_styles_read(&b->at[COLUMN_STYLE_LIST], &b->styles, b->allocator);
    if (error != STAMMA_OK)
        b->head.records = 0;
    return error;
}

bool stamma_block_reader_is_done(block_reader *b)
{
    size_t left = 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        left += id == COLUMN_REASONS ? 0 : cursor_left(&b->at[id]);
    return left == 0 && stamma_tag_reader_is_done(&b->tags, b->skipped) &&
           (!b->comments_are_fields || stamma_field_column_is_done(b->comments)) &&
           (b->skipped || !b->full || stamma_counts_equal(&b->head.counts, &b->found));
}
