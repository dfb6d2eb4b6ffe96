/* What an archive holds, from the heads of its blocks. */
#include "archive/archive.h"

/* Distinct names beyond these are summed as one. */
enum { SUMS_MAX = 4096 };

typedef struct column_sums {
    stamma_archive_column *columns;
    size_t count;
    size_t capacity;
} column_sums;

static void name_column(const column_entry *e, bool named, stamma_archive_column *c)
{
    bool tag = named && e->id == COLUMN_TAG;
    const char *name = !named ? "others" : tag ? "tag:" : e->id < COLUMN_IDS ? stamma_column_names[e->id] : "unknown";
    size_t size = strlen(name), more = sizeof c->name - 1 - size;
    memset(c->name, 0, sizeof c->name);
    memcpy(c->name, name, size);
    if (tag)
        memcpy(c->name + size, e->name.data, e->name.size < more ? e->name.size : more);
}

static stamma_archive_column *find_sum(column_sums *sums, const char *name)
{
    for (size_t i = 0; i < sums->count; i++)
        if (strcmp(sums->columns[i].name, name) == 0)
            return &sums->columns[i];
    return NULL;
}

static stamma_archive_column *add_sum(column_sums *sums, const stamma_allocator *allocator)
{
    if (sums->count == sums->capacity) {
        size_t capacity = sums->capacity < 32 ? 32 : sums->capacity * 2;
        void *resized = memory_resize(allocator, sums->columns, size_multiply(capacity, sizeof *sums->columns));
        if (!resized)
            return NULL;
        sums->columns = (stamma_archive_column *)resized;
        sums->capacity = capacity;
    }
    return &sums->columns[sums->count++];
}

static stamma_error sum_column(column_sums *sums, const column_entry *e, const stamma_allocator *allocator)
{
    stamma_archive_column c = {{0}, 0, 0};
    name_column(e, true, &c);
    stamma_archive_column *sum = find_sum(sums, c.name);
    if (!sum && sums->count >= SUMS_MAX) {
        name_column(e, false, &c);
        sum = find_sum(sums, c.name);
    }
    if (!sum) {
        sum = add_sum(sums, allocator);
        if (!sum)
            return STAMMA_ERROR_NO_MEMORY;
        *sum = c;
    }
    sum->stored_bytes += e->stored_size;
    sum->plain_bytes += e->plain_size;
    return STAMMA_OK;
}

/* Adds the block that is loaded, whose head is known to be right. */
static stamma_error sum_block(const stamma_archive_reader *r, column_sums *sums, stamma_archive_counts *counts)
{
    cursor in = {r->payload.data, r->payload.data + r->place.head_size, false};
    block_head head;
    stamma_error error = stamma_block_read_head(&in, &head);
    stamma_counts_add(counts, &r->block.head.counts);
    for (uint64_t i = 0; error == STAMMA_OK && i < head.columns; i++) {
        column_entry e;
        stamma_column_read_entry(&in, &e);
        error = sum_column(sums, &e, &r->allocator);
        counts->moves_bytes += e.id == COLUMN_MOVES ? e.stored_size : 0;
    }
    return error;
}

/* The reasons of the games of the block that is loaded (8.2). */
static void sum_reasons(const block_reader *b, uint64_t reasons[STAMMA_REASON_COUNT])
{
    cursor in = b->at[COLUMN_REASONS];
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

static stamma_error sum_blocks(stamma_archive_reader *r, column_sums *sums, stamma_archive_counts *counts,
                               uint64_t reasons[STAMMA_REASON_COUNT])
{
    for (;;) {
        bool found;
        stamma_error error = stamma_reader_next_block(r, &found);
        if (error != STAMMA_OK || !found)
            return error;
        error = sum_block(r, sums, counts);
        if (error != STAMMA_OK)
            return error;
        sum_reasons(&r->block, reasons);
    }
}

stamma_error stamma_archive_info(stamma_archive_reader *r, stamma_archive_counts *counts,
                                 uint64_t reasons[STAMMA_REASON_COUNT],
                                 void (*column)(void *context, const stamma_archive_column *column), void *context)
{
    column_sums sums = {NULL, 0, 0};
    stamma_archive_counts total = {0};
    uint64_t by_reason[STAMMA_REASON_COUNT] = {0};
    if (r->moved)
        return STAMMA_ERROR_BAD_ARGUMENT;
    r->moved = true;
    stamma_error error = sum_blocks(r, &sums, &total, by_reason);
    total.bytes_out = r->last.start;
    if (error == STAMMA_OK && counts)
        *counts = total;
    if (error == STAMMA_OK && reasons)
        memcpy(reasons, by_reason, sizeof by_reason);
    if (error == STAMMA_OK && column)
        give_columns(&sums, column, context);
    memory_release(&r->allocator, sums.columns);
    return error;
}
