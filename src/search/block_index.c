/* SPDX-License-Identifier: MIT */
/* Opens the columns of a block that a search needs before it reads games. */
#include "search/block_index.h"

void stamma_block_index_init(block_index *x, const stamma_allocator *allocator)
{
    memset(x, 0, sizeof *x);
    x->allocator = allocator;
    x->plies.allocator = x->marks.allocator = allocator;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        x->unpacked[id].allocator = allocator;
    stamma_prefix_column_init(&x->beginnings, allocator);
    stamma_search_columns_init(&x->columns, allocator);
    stamma_position_keys_init(&x->keys, allocator);
}

void stamma_block_index_trim(block_index *x)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_release(&x->unpacked[id]);
    stamma_prefix_column_trim(&x->beginnings);
    stamma_search_columns_trim(&x->columns);
    stamma_byte_packer_release(&x->coder);
}

void stamma_block_index_release(block_index *x)
{
    stamma_block_index_trim(x);
    stamma_buffer_release(&x->plies);
    stamma_buffer_release(&x->marks);
    stamma_prefix_column_release(&x->beginnings);
    stamma_search_columns_release(&x->columns);
    stamma_position_keys_release(&x->keys);
}

size_t stamma_block_index_memory(const block_index *x)
{
    const buffer *const kept[] = {
        &x->plies,
        &x->marks,
        &x->beginnings.nodes,
        &x->beginnings.records,
        &x->beginnings.ends,
        &x->beginnings.tables,
        &x->beginnings.starts,
        &x->columns.arrays[0],
        &x->columns.arrays[1],
        &x->keys.nodes,
        &x->keys.starts,
        &x->keys.postings,
    };
    size_t size = sizeof *x;
    for (size_t n = 0; n < sizeof kept / sizeof *kept; n++)
        size += kept[n]->capacity;
    return size;
}

/* ---- columns ---- */

/* `fen` is the number of the FEN column among the tag columns; TAG_COLUMNS_MAX: there is none. */
typedef struct found_columns {
    size_t tags;
    size_t fen;
    column_entry moves;
    const uint8_t *stored_moves; /* NULL: there is no such column */
} found_columns;

static bool is_wanted(unsigned id)
{
    return id == COLUMN_EVENTS || id == COLUMN_EVENT_COUNTS || id == COLUMN_ROSTERS || id == COLUMN_ROSTER_LIST;
}

static stamma_error take_column(block_index *x, const column_entry *e, const uint8_t *stored, found_columns *found)
{
    if (e->id == COLUMN_TAG) {
        if (column_is_start(e))
            found->fen = found->tags;
        found->tags++;
    } else if (e->id == COLUMN_MOVES) {
        found->moves = *e;
        found->stored_moves = stored;
    } else if (e->id < COLUMN_IDS && is_wanted(e->id)) {
        return stamma_column_read(&x->coder, e, stored, &x->unpacked[e->id]);
    }
    return STAMMA_OK;
}

static stamma_error take_columns(block_index *x, cursor directory, cursor body, found_columns *found)
{
    uint64_t total = 0;
    for (uint64_t n = 0; n < x->head.columns; n++) {
        column_entry e;
        if (!stamma_column_read_entry(&directory, &e) || (total += e.plain_size) > COLUMN_SIZE_MAX)
            return STAMMA_ERROR_CORRUPT;
        const uint8_t *stored = cursor_take(&body, e.stored_size);
        stamma_error error = stored ? take_column(x, &e, stored, found) : STAMMA_ERROR_CORRUPT;
        if (error != STAMMA_OK)
            return error;
    }
    return STAMMA_OK;
}

/* ---- records ---- */

static stamma_error read_events(block_index *x)
{
    cursor events = buffer_cursor(&x->unpacked[COLUMN_EVENTS]),
           counts = buffer_cursor(&x->unpacked[COLUMN_EVENT_COUNTS]);
    x->plies.size = x->marks.size = 0;
    if (!buffer_reserve(&x->plies, x->records * sizeof(uint32_t)) || !buffer_reserve(&x->marks, x->records))
        return STAMMA_ERROR_NO_MEMORY;
    uint32_t *plies = (uint32_t *)(void *)x->plies.data;
    bool continues = x->head.continues;
    for (size_t n = 0; n < x->records; n++) {
        event_summary e;
        stamma_error error = stamma_events_read(&events, &counts, NULL, &e);
        if (error != STAMMA_OK)
            return error;
        if (e.main_count > PIECE_ITEMS_MAX)
            return STAMMA_ERROR_CORRUPT;
        plies[n] = (uint32_t)e.main_count;
        x->marks.data[n] = !continues && e.end != ITEM_END_NO_GAME ? RECORD_IS_GAME : 0;
        x->marks.data[n] |= e.tags ? RECORD_IS_SET_UP | RECORD_HAS_TAGS : 0;
        continues = e.end == ITEM_END_OF_PIECE;
    }
    x->plies.size = x->records * sizeof(uint32_t);
    x->marks.size = x->records;
    return STAMMA_OK;
}

/* Adds a byte for each roster: whether it has a tag column. */
static bool find_rosters(block_index *x, size_t column, buffer *has)
{
    cursor in = buffer_cursor(&x->unpacked[COLUMN_ROSTER_LIST]);
    while (cursor_left(&in) > 0 && has->size < ROSTERS_MAX) {
        uint8_t found = 0;
        for (uint64_t count = stamma_cursor_varint(&in); count > 0 && !in.failed; count--)
            found |= stamma_cursor_varint(&in) == column;
        buffer_add_byte(has, found);
    }
    return !in.failed && cursor_left(&in) == 0;
}

static stamma_error mark_set_ups(block_index *x, size_t column)
{
    buffer has = {.allocator = x->allocator};
    cursor in = buffer_cursor(&x->unpacked[COLUMN_ROSTERS]);
    bool sound = find_rosters(x, column, &has);
    for (size_t n = 0; n < x->records && sound; n++) {
        uint64_t roster = stamma_cursor_varint(&in);
        sound = !in.failed && roster < has.size;
        x->marks.data[n] |= sound && has.data[roster] ? RECORD_IS_SET_UP : 0;
    }
    stamma_error error = has.failed ? STAMMA_ERROR_NO_MEMORY : sound ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    stamma_buffer_release(&has);
    return error;
}

static stamma_error open_moves(block_index *x, const uint8_t *payload, const found_columns *found)
{
    x->has_beginnings = found->stored_moves && found->moves.codec == CODEC_PREFIXES;
    if (!x->has_beginnings)
        return STAMMA_OK;
    if (!column_is_whole(&found->moves, found->stored_moves))
        return STAMMA_ERROR_CORRUPT;
    cursor stored = {found->stored_moves, found->stored_moves + found->moves.stored_size, false};
    x->moves_at = (size_t)(found->stored_moves - payload);
    return stamma_prefix_column_open(&x->beginnings, &x->coder, stored, found->moves.plain_size, block_index_plies(x),
                                     x->records);
}

stamma_error stamma_block_index_open(block_index *x, const found_block *at)
{
    cursor head = {at->payload, at->payload + at->head_size, false};
    cursor body = {at->payload + at->head_size, at->payload + at->size, false};
    cursor directory = head;
    found_columns found = {.fen = TAG_COLUMNS_MAX};
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        x->unpacked[id].size = 0;
    stamma_error error = stamma_block_read_head(&directory, &x->head);
    x->records = (size_t)x->head.records;
    if (error == STAMMA_OK && (x->head.counts.games != at->games || x->head.text_size != at->text_size))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = take_columns(x, directory, body, &found);
    if (error == STAMMA_OK)
        error = read_events(x);
    if (error == STAMMA_OK && found.fen < TAG_COLUMNS_MAX)
        error = mark_set_ups(x, found.fen);
    x->has_beginnings = false;
    x->columns.signatures = x->columns.facts = SEARCH_MISSING;
    if (error == STAMMA_OK && !x->without_moves)
        error = stamma_search_columns_open(&x->columns, head, body);
    return error == STAMMA_OK && !x->without_moves ? open_moves(x, at->payload, &found) : error;
}

stamma_error stamma_block_index_make_keys(block_index *x, const found_block *at)
{
    buffer wanted = {.allocator = x->allocator};
    if (!x->has_beginnings)
        return STAMMA_OK;
    uint8_t *each = (uint8_t *)buffer_array(&wanted, x->records, 1);
    for (size_t n = 0; n < x->records && each; n++)
        each[n] = block_index_from_start(x, n);
    const keyed_games games = {&x->beginnings, at->payload + x->moves_at, each, x->records};
    stamma_error error = each ? stamma_position_keys_make(&x->keys, &games) : STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&wanted);
    return error;
}

uint64_t stamma_block_index_game(const block_index *x, size_t record)
{
    if (x->head.counts.games == x->records)
        return record + 1;
    uint64_t games = 0;
    for (size_t n = 0; n <= record; n++)
        games += x->marks.data[n] & RECORD_IS_GAME;
    return games;
}

size_t stamma_block_index_record(const block_index *x, uint64_t game)
{
    size_t n = 0;
    if (x->head.counts.games == x->records)
        return (size_t)game - 1;
    for (; n < x->records; n++)
        if (x->marks.data[n] & RECORD_IS_GAME && --game == 0)
            break;
    return n;
}
