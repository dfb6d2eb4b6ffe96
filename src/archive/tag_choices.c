/* Choices of tag values (clauses 14.7 to 14.9): which rule gives a value, or which of the texts that came before it is.
 * Texts are remembered by number, and reader and writer keep the same books. */
#include "archive/archive.h"

/* ---- what is remembered ---- */

void stamma_text_memory_clear(text_memory *m)
{
    m->recent_count = 0;
    m->older.size = 0;
    m->news = 0;
    m->known = m->last = 0;
}

static bool add_older(text_memory *m, uint32_t number)
{
    buffer_add(&m->older, &number, sizeof number);
    return !m->older.failed;
}

/* Puts a number to the front of those from `place` on, which is free. */
static void put_first(text_memory *m, size_t place, uint32_t number)
{
    memmove(m->recent + 1, m->recent, place * sizeof *m->recent);
    m->recent[0] = number;
}

static bool push(text_memory *m, uint32_t number)
{
    bool full = m->recent_count == CHOICE_RECENTS;
    if (full && !add_older(m, m->recent[CHOICE_RECENTS - 1]))
        return false;
    put_first(m, full ? CHOICE_RECENTS - 1u : m->recent_count++, number);
    return true;
}

uint32_t stamma_text_memory_find(text_memory *m, unsigned form, uint32_t reference)
{
    const uint32_t *older = (const uint32_t *)(const void *)m->older.data;
    size_t count = m->older.size / sizeof *older, place = reference - (size_t)1;
    if (form % CHOICE_SHARED == CHOICE_LISTED)
        return place < count ? older[place] : 0;
    if (form % CHOICE_SHARED != CHOICE_RECENT)
        return 0;
    uint32_t number = 0;
    if (place < CHOICE_RECENTS) {
        number = place < m->recent_count ? m->recent[place] : 0;
        if (number != 0)
            put_first(m, place, number);
        return number;
    }
    if (place - CHOICE_RECENTS < count) {
        number = older[count - 1 - (place - CHOICE_RECENTS)];
        number = push(m, number) ? number : 0;
    }
    return number;
}

bool stamma_text_memory_add(text_memory *m, unsigned form, uint32_t number)
{
    m->known = context_cut(context_bits(++m->news));
    switch (form % CHOICE_SHARED) {
    case CHOICE_LISTED: return add_older(m, number);
    case CHOICE_RECENT: return push(m, number);
    default: return true;
    }
}

/* ---- reading ---- */

stamma_error stamma_choice_source_begin(choice_source *s, const copied_values *values,
                                        const uint8_t *const levels[CONTEXT_KINDS])
{
    unsigned left = CHOICE_CLASSES_MAX;
    cursor parameters = buffer_cursor(&values->parameters);
    s->classes.size = 0;
    stamma_error error = stamma_classes_read(&parameters, &left, &s->classes);
    if (error != STAMMA_OK)
        return error;
    const number_classes *classes = (const number_classes *)(const void *)s->classes.data;
    for (size_t i = 0; i < CONTEXTS_USED; i++)
        s->levels[i] = levels[classes->map.contexts[i]];
    s->history = (choice_history){0, 0};
    s->symbols = (number_source){.symbols = buffer_cursor(&values->symbols),
                                 .bits = {values->bits.data, values->bits.size * 8, 0, false},
                                 .classes = classes};
    return cursor_left(&parameters) == 0 && stamma_number_begin(&s->symbols) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* A reference that is more than a symbol. */
static uint32_t with_bits(choice_source *s, unsigned pair)
{
    unsigned bits = 4 + pair / 2;
    if (bits > CHOICE_BITS_MAX - 2 || bits > s->symbols.bits.size - s->symbols.bits.at)
        return UINT32_MAX;
    return (2 | (pair & 1)) << bits | (uint32_t)stamma_bits_read(&s->symbols.bits, bits);
}

uint32_t stamma_choice_take(choice_source *s, unsigned rules)
{
    const number_classes *c = s->symbols.classes;
    bool fine = true;
    unsigned cell = levels_cell(*s->levels[0], *s->levels[1], *s->levels[2]);
    unsigned symbol = number_decode(&s->symbols, &c->slots[c->map.of[cell]], &fine);
    if (STAMMA_LIKELY(fine && symbol < rules + CHOICE_DIRECT))
        return symbol;
    uint32_t reference = fine ? with_bits(s, symbol - rules - CHOICE_DIRECT) : UINT32_MAX;
    return reference == UINT32_MAX ? UINT32_MAX : rules + reference;
}
