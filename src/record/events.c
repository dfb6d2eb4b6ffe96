/* SPDX-License-Identifier: MIT */
/* Reads and writes the events of records in their columns (clause 4.4). The input is not trusted. */
#include "record/record.h"

stamma_error stamma_events_read(cursor *events, cursor *counts, buffer *list, event_summary *summary)
{
    event_summary s = {.comments = 0};
    event e = {ITEM_TAG, 0, 0};
    unsigned depth = 0;
    if (list)
        list->size = 0;
    for (size_t count = 0; !event_ends_record(e.kind); count++) {
        if (!event_take(events, counts, &e) || count == PIECE_ITEMS_MAX)
            return STAMMA_ERROR_CORRUPT;
        if (list && !buffer_reserve(list, sizeof e))
            return STAMMA_ERROR_NO_MEMORY;
        if (list) {
            memcpy(list->data + list->size, &e, sizeof e);
            list->size += sizeof e;
        }
        *(depth == 0 ? &s.main_count : &s.variation_count) += (uint64_t)e.moves * e.times;
        s.comments += event_is_comment(e.kind) ? (size_t)e.times : 0;
        depth += e.kind == ITEM_VARIATION_BEGIN;
        s.branches |= e.kind == ITEM_VARIATION_BEGIN;
        s.tags |= e.kind == ITEM_TAG;
        depth -= e.kind == ITEM_VARIATION_END && depth > 0;
    }
    s.end = e.kind;
    *summary = s;
    return STAMMA_OK;
}

/* `count`: the number of moves before the event, or of repeats. */
static void write_event(unsigned kind, uint64_t count, buffer *events, buffer *counts)
{
    buffer_add_byte(events, (uint8_t)(kind | (count < 15 ? count : 15) << 4));
    if (count >= 15)
        stamma_buffer_add_varint(counts, count - 15);
}

void stamma_event_add(event *last, unsigned kind, uint32_t moves, buffer *events, buffer *counts)
{
    if (kind == last->kind && moves == last->moves && event_repeats(kind)) {
        last->times++;
        return;
    }
    if (last->times > 1)
        write_event(EVENT_REPEAT, last->times - 1, events, counts);
    write_event(kind, moves, events, counts);
    *last = (event){kind, moves, 1};
}
