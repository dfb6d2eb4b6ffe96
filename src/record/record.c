/* SPDX-License-Identifier: MIT */
/* A game, or a piece of a game, in memory. */
#include "record/record.h"

/* Makes room for `needed` elements of `size` bytes; `*capacity` counts elements. */
static bool grow_to(void **elements, size_t needed, size_t *capacity, size_t size, const stamma_allocator *allocator)
{
    if (STAMMA_LIKELY(needed <= *capacity))
        return true;
    size_t more = *capacity < 32 ? 64 : *capacity * 2;
    more = more < needed ? needed : more;
    void *resized = memory_resize(allocator, *elements, size_multiply(more, size));
    if (!resized)
        return false;
    *elements = resized;
    *capacity = more;
    return true;
}

/* Makes room for one more element. */
static bool grow(void **elements, size_t count, size_t *capacity, size_t size, const stamma_allocator *allocator)
{
    return grow_to(elements, count + 1, capacity, size, allocator);
}

bool stamma_record_grow(record *r, size_t items, const stamma_allocator *allocator)
{
    void *all = r->items;
    bool fine = grow_to(&all, r->item_count + items, &r->item_capacity, sizeof *r->items, allocator);
    r->items = (item *)all;
    return fine;
}

bool stamma_record_except(record *r, uint32_t slot, stamma_text text, const stamma_allocator *allocator)
{
    void *exceptions = r->exceptions;
    if (!grow(&exceptions, r->exception_count, &r->exception_capacity, sizeof *r->exceptions, allocator))
        return false;
    r->exceptions = (exception *)exceptions;
    r->exceptions[r->exception_count++] = (exception){slot, text};
    return true;
}

void stamma_record_clear(record *r)
{
    r->item_count = r->roster_count = r->exception_count = 0;
    r->style = r->plies = r->variation_plies = r->text_items = r->reason_offset = r->second_event = 0;
    r->text_bytes = 0;
    r->continuation = r->no_start = false;
    r->reason = STAMMA_REASON_NONE;
}

void stamma_record_release(record *r, const stamma_allocator *allocator)
{
    memory_release(allocator, r->items);
    memory_release(allocator, r->exceptions);
    *r = (record){0};
}

stamma_text stamma_record_tag(const record *r, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < r->item_count && r->items[i].kind != ITEM_MOVE; i++) {
        const item *it = &r->items[i];
        if (it->kind == ITEM_TAG && it->name.size == size && memcmp(it->name.data, name, size) == 0)
            return it->text;
    }
    return (stamma_text){NULL, 0};
}

bool stamma_record_is_set_up(const record *r)
{
    return stamma_record_tag(r, "FEN").data != NULL;
}

void stamma_record_count(const record *r, stamma_archive_counts *counts)
{
    bool text = r->text_items > 0 || record_end(r) == ITEM_END_OF_PIECE, moves = r->plies + r->variation_plies > 0;
    counts->plies += r->plies;
    counts->variation_plies += r->variation_plies;
    counts->verbatim_bytes += r->text_bytes;
    if (r->continuation)
        return;
    counts->games++;
    counts->games_verbatim += text && !moves;
    counts->games_partly_verbatim += text && moves;
    counts->games_corrected += !text && r->exception_count > 0;
}

stamma_error stamma_record_start(const record *r, stamma_position *start)
{
    stamma_text fen = stamma_record_tag(r, "FEN");
    if (!fen.data) {
        *start = stamma_position_start();
        return STAMMA_OK;
    }
    return stamma_fen_read(fen, start, NULL, NULL);
}

void stamma_record_number_items(record *r)
{
    for (size_t i = 0; i < r->item_count; i++) {
        r->items[i].side = r->start.side;
        r->items[i].fullmove = r->start.fullmove_number;
    }
}

layout_flaw stamma_record_layout_flaw(const record *r, unsigned spelling)
{
    layout_flaw flaw = {{"", 0}, 0, {0}};
    if (r->exception_count == 0 || r->text_items > 0)
        return flaw;
    const exception *first = &r->exceptions[0];
    size_t index = first->slot / 2;
    flaw.found = first->text;
    flaw.found.size = flaw.found.size < NOTICE_TEXT_MAX ? flaw.found.size : NOTICE_TEXT_MAX;
    if (first->slot % 2 == 1 && index < r->item_count && r->items[index].kind == ITEM_MOVE)
        flaw.expected_size = spell_move(r->items[index].move, r->items[index].san_facts, spelling, flaw.expected);
    return flaw;
}
