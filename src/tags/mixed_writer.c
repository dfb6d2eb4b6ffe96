/* SPDX-License-Identifier: MIT */
/* Writes columns of tag values with the mixed coder (clause 21), in the order in which a reader reads them. */
#include "tags/tags.h"

static void write_plan(const tag_table *t, const mixed_plan *plan, buffer *out)
{
    buffer_add_byte(out, plan->shared ? 0 : plan->slot_bits);
    buffer_add_byte(out, plan->source_count);
    for (size_t i = 0; i < plan->source_count; i++)
        buffer_add_byte(out, t->places[plan->sources[i]]);
}

/* Returns the slot bits for values of `plain` bytes, or fewer bits if not enough slots are left. Columns with few
 * decisions need fewer slots. Returns 0 if too few slots are left. */
static uint8_t choose_slots(const mixed_columns *m, size_t plain)
{
    uint8_t most = m->count > 1 ? MIXED_SLOT_BITS_MAX : MIXED_SLOT_BITS_MAX - 1, bits = MIXED_SLOT_BITS_MIN;
    while (bits < most && plain * 8 >> bits > 0)
        bits++;
    while (bits >= MIXED_SLOT_BITS_MIN && m->slots_left >> bits == 0)
        bits--;
    return bits < MIXED_SLOT_BITS_MIN ? 0 : bits;
}

/* Returns whether all values of a column are short enough to be spelt. */
static bool can_spell(const tag_table *t, size_t column)
{
    bool can = true;
    for (size_t r = 0; r < t->records; r++) {
        const uint32_t value = tag_value(t, column, r);
        can &= value == 0 || tag_text(t, value).size < MIXED_VALUE_MAX;
    }
    return can;
}

static bool code_value(mixed_columns *m, mixed_texts *x, mixed_stream *s, const mixed_plan *plan, unsigned side,
                       size_t record)
{
    const tag_table *t = m->t;
    uint32_t value = tag_value(t, m->columns[side], record);
    stamma_text sources[MIXED_SOURCES] = {{NULL, 0}}, text;
    if (value == 0)
        return true;
    for (size_t i = 0; i < plan->source_count; i++)
        if (tag_value(t, plan->sources[i], record) != 0)
            sources[i] = tag_text(t, tag_value(t, plan->sources[i], record));
    text = tag_text(t, value);
    size_t at = side * t->records + record;
    m->numbers[at] = stamma_mixed_texts_code(x, s, side, sources, text.size + 1, &text, &m->levels[at]);
    return m->numbers[at] != 0;
}

stamma_error stamma_mixed_columns_write(mixed_columns *m)
{
    const tag_table *t = m->t;
    mixed_plan plans[2] = {{.shared = false}, {.shared = true}};
    mixed_stream streams[2];
    size_t plain = 0;
    bool can = true;
    stamma_error error = STAMMA_OK;
    for (unsigned side = 0; side < m->count; side++) {
        plain += t->values[m->columns[side]]->size;
        can &= can_spell(t, m->columns[side]);
    }
    plans[0].slot_bits = can ? choose_slots(m, plain) : 0;
    m->slots = plans[0].slot_bits == 0 ? 0 : (size_t)1 << plans[0].slot_bits;
    if (m->slots == 0)
        return STAMMA_OK;
    for (unsigned side = 0; side < m->count && error == STAMMA_OK; side++) {
        error = stamma_mixed_sources_choose(t, m->columns[side], &plans[side]);
        write_plan(t, &plans[side], &m->stored[side]);
        stamma_range_encode_begin(&streams[side].out, &m->stored[side]);
    }
    mixed_texts *x = error == STAMMA_OK ? stamma_mixed_texts_new(t->allocator, plans[0].slot_bits) : NULL;
    bool fine = x != NULL;
    for (size_t r = 0; r < t->records && fine; r++)
        for (unsigned side = 0; side < m->count && fine; side++)
            fine = code_value(m, x, &streams[side], &plans[side], side, r);
    for (unsigned side = 0; side < m->count && fine; side++) {
        m->spelt[side] = x->spelt_bytes[side];
        stamma_range_encode_end(&streams[side].out);
        fine = !m->stored[side].failed;
    }
    stamma_mixed_texts_delete(x);
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
