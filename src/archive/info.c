/* SPDX-License-Identifier: MIT */
/* Adds up the contents of an archive from the heads of its blocks. */
#include "archive/reader.h"

/* Maximum number of distinct names. Columns with other names are summed under the name "others". */
enum { SUMS_MAX = 4096 };

typedef struct column_sums {
    const stamma_allocator *allocator;
    stamma_archive_column *columns;
    size_t count;
    size_t capacity;
    bool failed; /* no memory */
} column_sums;

static void append_name(stamma_archive_column *c, const char *name, size_t size)
{
    size_t at = strlen(c->name), room = sizeof c->name - 1 - at;
    memcpy(c->name + at, name, size < room ? size : room);
}

static stamma_archive_column *find_sum(column_sums *sums, const char *name)
{
    for (size_t i = 0; i < sums->count; i++)
        if (strcmp(sums->columns[i].name, name) == 0)
            return &sums->columns[i];
    return NULL;
}

static stamma_archive_column *begin_sum(column_sums *sums, const char *name)
{
    if (sums->count == sums->capacity) {
        size_t capacity = sums->capacity < 32 ? 32 : sums->capacity * 2;
        void *resized = memory_resize(sums->allocator, sums->columns, size_multiply(capacity, sizeof *sums->columns));
        if (!resized)
            return NULL;
        sums->columns = (stamma_archive_column *)resized;
        sums->capacity = capacity;
    }
    stamma_archive_column *sum = &sums->columns[sums->count++];
    memset(sum, 0, sizeof *sum);
    append_name(sum, name, strlen(name));
    return sum;
}

static void add_to_sum(column_sums *sums, const stamma_archive_column *c)
{
    stamma_archive_column *sum = find_sum(sums, c->name);
    const char *name = sum || sums->count < SUMS_MAX ? c->name : "others";
    if (!sum && !(sum = find_sum(sums, name)) && !(sum = begin_sum(sums, name))) {
        sums->failed = true;
        return;
    }
    sum->stored_bytes += c->stored_bytes;
    sum->plain_bytes += c->plain_bytes;
    sum->values += c->values;
}

static void sum_column(column_sums *sums, const column_entry *e)
{
    stamma_archive_column c = {{0}, e->stored_size, e->plain_size, 0};
    stamma_column_name(e, c.name);
    add_to_sum(sums, &c);
}

/* Adds the results of stamma_field_column_count. */
static void sum_field(void *context, stamma_text before, uint64_t values, uint64_t stored, uint64_t plain)
{
    stamma_archive_column c = {{0}, stored, plain, values};
    append_name(&c, "comments:", 9);
    append_name(&c, before.data, before.size);
    add_to_sum((column_sums *)context, &c);
}

/* Adds the loaded block, whose head has been checked. */
static stamma_error sum_block(stamma_archive_reader *r, column_sums *sums, column_sums *fields,
                              stamma_archive_counts *counts)
{
    cursor in = {r->payload.data, r->payload.data + r->place.head_size, false};
    block_head head;
    stamma_error error = stamma_block_read_head(&in, &head);
    stamma_counts_add(counts, &r->block->head.counts);
    const uint8_t *stored = in.end;
    unsigned level = 1;
    for (uint64_t i = 0; error == STAMMA_OK && i < head.columns; i++) {
        column_entry e;
        stamma_column_read_entry(&in, &e);
        sum_column(sums, &e);
        counts->moves_bytes += e.id == COLUMN_MOVES ? e.stored_size : 0;
        if (e.id == COLUMN_MOVES || e.id == COLUMN_VARIATION_MOVES)
            level = codec_is_adaptive(e.codec) ? 3 : e.codec == CODEC_PREDICTED && level < 2 ? 2 : level;
        if (e.id == COLUMN_COMMENTS && e.codec == CODEC_FIELDS)
            error = stamma_field_column_count(&r->block->columns.coder, (cursor){stored, stored + e.stored_size, false},
                                              e.plain_size, &r->allocator, sum_field, fields);
        stored += e.stored_size;
    }
    counts->level_blocks[level]++;
    return sums->failed || fields->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Counts the reasons for which games of the loaded block are kept as text (8.2). */
static void sum_reasons(const block_reader *b, uint64_t reasons[STAMMA_REASON_COUNT])
{
    cursor in = b->columns.at[COLUMN_REASONS];
    while (cursor_left(&in) > 0 && !in.failed) {
        stamma_cursor_varint(&in);
        uint8_t reason = cursor_byte(&in);
        stamma_cursor_varint(&in);
        if (!in.failed && reason < STAMMA_REASON_COUNT)
            reasons[reason]++;
    }
}

static void give_columns(column_sums *sums, void (*column)(void *, const stamma_archive_column *), void *context)
{
    for (size_t done = 0; done < sums->count; done++) {
        size_t best = done;
        for (size_t i = done + 1; i < sums->count; i++)
            if (sums->columns[i].stored_bytes > sums->columns[best].stored_bytes)
                best = i;
        stamma_archive_column largest = sums->columns[best];
        sums->columns[best] = sums->columns[done];
        sums->columns[done] = largest;
        column(context, &largest);
    }
}

static stamma_error sum_blocks(stamma_archive_reader *r, column_sums *sums, column_sums *fields,
                               stamma_archive_counts *counts, uint64_t reasons[STAMMA_REASON_COUNT])
{
    for (;;) {
        bool found;
        stamma_error error = stamma_reader_next_block(r, &found);
        if (error != STAMMA_OK || !found)
            return error;
        error = sum_block(r, sums, fields, counts);
        if (error != STAMMA_OK)
            return error;
        sum_reasons(r->block, reasons);
        error = stamma_reader_progress(r, block_frame_end(&r->place, &r->payload));
        if (error != STAMMA_OK)
            return error;
    }
}

stamma_error stamma_archive_reader_info(stamma_archive_reader *r, stamma_archive_counts *counts, uint64_t *reasons,
                                        size_t reason_count,
                                        void (*column)(void *context, const stamma_archive_column *column),
                                        void *context)
{
    if (!r || (reason_count > 0 && !reasons))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_reader_rewind(r);
    if (error != STAMMA_OK)
        return error;
    column_sums sums = {.allocator = &r->allocator}, fields = sums;
    stamma_archive_counts total = {0};
    uint64_t by_reason[STAMMA_REASON_COUNT] = {0};
    error = sum_blocks(r, &sums, &fields, &total, by_reason);
    total.archive_size = r->seekable ? stamma_archive_reader_end(r) : r->scan.found_all.all.archive_size;
    if (error == STAMMA_OK && counts)
        *counts = total;
    for (size_t i = 0; error == STAMMA_OK && i < reason_count; i++)
        reasons[i] = i < STAMMA_REASON_COUNT ? by_reason[i] : 0;
    if (error == STAMMA_OK && column) {
        give_columns(&sums, column, context);
        give_columns(&fields, column, context);
    }
    memory_release(&r->allocator, sums.columns);
    memory_release(&r->allocator, fields.columns);
    return error;
}

/* ---- places ---- */

stamma_error stamma_archive_reader_totals(const stamma_archive_reader *r, stamma_archive_counts *counts)
{
    if (!r || !counts || !r->seekable)
        return STAMMA_ERROR_BAD_ARGUMENT;
    *counts = r->scan.found_all.all;
    counts->archive_size = stamma_archive_reader_end(r);
    return STAMMA_OK;
}

uint64_t stamma_archive_reader_end(const stamma_archive_reader *r)
{
    return r->seekable ? r->last.start : 0;
}

uint64_t stamma_archive_reader_interrupted_end(const stamma_archive_reader *r)
{
    return r->seekable ? r->left.commit.start : 0;
}

stamma_place stamma_archive_reader_place(const stamma_archive_reader *r)
{
    return (stamma_place){.offset = r->error_at, .game = r->error_game};
}
