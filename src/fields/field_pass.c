/* SPDX-License-Identifier: MIT */
/* Skips texts of templates and fields (clause 14) without producing them. Afterwards the streams and their history are
 * the same as after reading the texts. The input is not trusted.
 *
 * Most comments contain a single clock. Only the first two values of a game affect later games. */
#include "fields/fields.h"

static bool pass_words(cursor *words, size_t count)
{
    for (; count > 0 && !words->failed; count--)
        (void)cursor_text(words);
    return !words->failed;
}

/* ---- one stream of numbers ---- */

/* Parts of the cells of a stream after the second value of a game. */
typedef struct pass_contexts {
    unsigned fixed, position; /* parts of the cell: the constant in a game, and the factor of the position level */
    unsigned last_weight, second_weight;
    uint16_t last[1 << RESIDUAL_DIRECT],
        second[1 << RESIDUAL_DIRECT]; /* parts of the cell for the last and for the second last symbol */
} pass_contexts;

static void find_contexts(const field_stream *x, const class_map *map, pass_contexts *c)
{
    unsigned weights[CONTEXT_KINDS] = {0};
    for (size_t i = 0; i < CONTEXTS_USED; i++)
        weights[map->contexts[i]] += 1u << 4 * i;
    c->fixed = x->levels[CONTEXT_FIRST] * weights[CONTEXT_FIRST];
    c->position = weights[CONTEXT_POSITION];
    c->last_weight = weights[CONTEXT_LAST];
    c->second_weight = weights[CONTEXT_SECOND];
    c->last[0] = c->second[0] = 0;
    for (unsigned bits = 1, end = 1; bits <= RESIDUAL_DIRECT; bits++)
        for (unsigned n = end, stop = end *= 2; n < stop; n++) {
            c->last[n] = (uint16_t)(bits * c->last_weight);
            c->second[n] = (uint16_t)(bits * c->second_weight);
        }
}

/* Returns the level of a residual with additional bits, or CONTEXT_LEVELS if it is corrupt. */
static STAMMA_NOINLINE unsigned pass_bits(number_source *s, unsigned symbol)
{
    uint64_t folded = stamma_number_with_bits(s, symbol, RESIDUAL_DIRECT);
    return folded == UINT64_MAX ? CONTEXT_LEVELS : context_cut(context_bits(folded));
}

/* Hot loop: each step depends on the previous one. Therefore only the tables are in memory, and the state is refilled
 * without a branch. The history is not updated, because it ends with the game. */
static bool pass_coded(const field_stream *x, number_source *s, size_t count)
{
    const number_classes *classes = s->classes;
    pass_contexts c;
    field_stream at = *x;
    uint32_t state = s->state;
    const uint8_t *words = s->symbols.at, *const end = s->symbols.end;
    find_contexts(x, &classes->map, &c);
    unsigned last = x->levels[CONTEXT_LAST] * c.last_weight, second = x->levels[CONTEXT_SECOND] * c.second_weight;
    unsigned then = x->levels[CONTEXT_LAST] * c.second_weight; /* part of the last symbol when it is the second last */
    unsigned fixed = c.fixed + at.levels[CONTEXT_POSITION] * c.position;
    for (; count > 0; count--) {
        const number_slots *slots = &classes->slots[classes->map.of[fixed + last + second]];
        unsigned slot = state % NUMBER_SLOTS, symbol = slots->symbol[slot];
        state = slots->frequencies.of[symbol] * (state >> NUMBER_SLOT_BITS) + slot - slots->frequencies.before[symbol];
        if (STAMMA_LIKELY((size_t)(end - words) >= 2))
            state = number_fill(state, &words);
        else if (state < NUMBER_STATE)
            return false;
        second = then;
        if (STAMMA_LIKELY(symbol >> RESIDUAL_DIRECT == 0)) {
            last = c.last[symbol];
            then = c.second[symbol];
        } else {
            unsigned level = pass_bits(s, symbol);
            if (level == CONTEXT_LEVELS)
                return false;
            last = level * c.last_weight;
            then = level * c.second_weight;
        }
        if (STAMMA_UNLIKELY(at.seen + 2 == at.bucket_end)) {
            context_note(&at, 0);
            fixed = c.fixed + at.levels[CONTEXT_POSITION] * c.position;
        }
        at.seen++;
    }
    s->state = state;
    s->symbols.at = words;
    return true;
}

static bool pass_bytes(number_source *s, size_t count)
{
    for (; count > 0; count--)
        if (number_take(s) == UINT64_MAX)
            return false;
    return true;
}

/* The first two values are read, because they predict the next game's values. */
static bool pass_values(field_reader *r, size_t stream, uint32_t game, size_t count)
{
    field_stream *x = &r->streams.list[stream];
    number_source *source = &r->sources[stream];
    if (x->word)
        return pass_words(&source->symbols, count);
    for (; count > 0 && (x->game != game || x->seen < 2); count--)
        if (stamma_field_take_value(r, stream, game) == FIELD_NO_VALUE)
            return false;
    return source->classes ? pass_coded(x, source, count) : pass_bytes(source, count);
}

/* ---- texts ---- */

static bool pass_template(field_reader *r, const field_template *t, uint32_t game)
{
    for (size_t f = 0; f < t->field_count; f++) {
        size_t stream = t->streams[f];
        if (r->streams.list[stream].word ? !pass_words(&r->sources[stream].symbols, 1)
                                         : stamma_field_take_value(r, stream, game) == FIELD_NO_VALUE)
            return false;
    }
    return true;
}

static bool spend(uint64_t *left, uint64_t bytes)
{
    if (bytes > *left)
        return false;
    *left -= bytes;
    return true;
}

/* Skips texts in their order. */
static bool pass_in_order(field_reader *r, uint32_t game, size_t count, uint64_t *left)
{
    for (; count > 0; count--) {
        uint64_t number = cursor_varint(&r->numbers);
        if (r->numbers.failed || number > r->used_count || !spend(left, number == 0 ? 1 : r->used[number - 1].least))
            return false;
        if (number == 0 ? !pass_words(&r->others, 1) : !pass_template(r, &r->used[number - 1], game))
            return false;
    }
    return true;
}

/* Number of a game's fields by stream. */
typedef struct pass_counts {
    uint64_t least; /* minimum size of the texts */
    size_t others;
    size_t streams; /* number of streams with fields */
    uint8_t list[FIELD_KEYS_MAX];
    uint32_t of[FIELD_KEYS_MAX]; /* number of fields */
} pass_counts;

static void count_fields(const field_template *t, uint32_t times, pass_counts *c)
{
    for (size_t f = 0; f < t->field_count; f++) {
        uint8_t stream = t->streams[f];
        if (c->of[stream] == 0)
            c->list[c->streams++] = stream;
        c->of[stream] += times;
    }
}

/* Returns the number of consecutive texts with the same template, at most `count`. */
STAMMA_INLINE uint32_t run_of(const cursor *numbers, uint8_t number, size_t count)
{
    uint32_t run = 1;
    for (const uint8_t *at = numbers->at; run < count && at < numbers->end && *at == number; at++)
        run++;
    return run;
}

/* Counts a game's fields by stream. Returns false if the order of texts matters or they are corrupt. */
static bool count_texts(const field_reader *r, cursor *numbers, size_t count, pass_counts *c)
{
    for (uint32_t run; count > 0; count -= run) {
        uint64_t number = cursor_varint(numbers);
        if (numbers->failed || number > r->used_count || (number > 0 && !r->used[number - 1].in_any_order))
            return false;
        run = number < 128 ? run_of(numbers, (uint8_t)number, count) : 1;
        numbers->at += run - 1;
        c->least += (uint64_t)run * (number == 0 ? 1 : r->used[number - 1].least);
        if (number == 0)
            c->others += run;
        else
            count_fields(&r->used[number - 1], run, c);
    }
    return true;
}

bool stamma_field_reader_pass(field_reader *r, uint32_t game, size_t count, uint64_t *left)
{
    pass_counts c;
    cursor numbers = r->numbers;
    if (count < 4) /* too few to be worth counting */
        return pass_in_order(r, game, count, left);
    c.least = c.others = c.streams = 0;
    memset(c.of, 0, r->streams.count * sizeof *c.of);
    if (!count_texts(r, &numbers, count, &c))
        return pass_in_order(r, game, count, left);
    r->numbers = numbers;
    if (!spend(left, c.least))
        return false;
    for (size_t n = 0; n < c.streams; n++)
        if (!pass_values(r, c.list[n], game, c.of[c.list[n]]))
            return false;
    return pass_words(&r->others, c.others);
}
