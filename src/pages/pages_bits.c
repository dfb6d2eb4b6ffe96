/* SPDX-License-Identifier: MIT */
/* Strings of bits, of which the first is the lowest bit of the first byte, and places and games in them. */
#include "pages/pages.h"

void stamma_pages_put(pages_writer *w, uint64_t number, unsigned bits)
{
    w->pending |= number << w->bits;
    w->bits += bits;
    for (; w->bits >= 8; w->bits -= 8, w->pending >>= 8)
        buffer_add_byte(w->out, (uint8_t)w->pending);
}

void stamma_pages_put_end(pages_writer *w)
{
    if (w->bits > 0)
        buffer_add_byte(w->out, (uint8_t)w->pending);
    w->pending = 0;
    w->bits = 0;
}

uint64_t stamma_pages_get(pages_reader *r, unsigned bits)
{
    const size_t first = r->bit / 8, left = r->size > first ? r->size - first : 0;
    uint8_t word[8] = {0};
    if (r->bit + bits > 8 * (uint64_t)r->size) {
        r->failed = true;
        r->bit = 8 * r->size;
        return 0;
    }
    memcpy(word, r->bytes + first, left < sizeof word ? left : sizeof word);
    const uint64_t number = load_u64(word) >> r->bit % 8 & ((UINT64_C(1) << bits) - 1);
    r->bit += bits;
    return number;
}

void stamma_pages_put_ones(pages_writer *w, unsigned ones, unsigned most)
{
    for (unsigned n = 0; n < ones; n++)
        stamma_pages_put(w, 1, 1);
    if (ones < most)
        stamma_pages_put(w, 0, 1);
}

unsigned stamma_pages_get_ones(pages_reader *r, unsigned most)
{
    unsigned ones = 0;
    while (ones < most && stamma_pages_get(r, 1) > 0)
        ones++;
    return ones;
}

/* The code may be followed by fewer bits than the longest code has. */
unsigned stamma_pages_get_rank(pages_reader *r, const prefix_table table)
{
    const uint64_t left = 8 * (uint64_t)r->size - r->bit;
    const unsigned most = left < PREFIX_BITS_MAX ? (unsigned)left : PREFIX_BITS_MAX;
    const size_t bit = r->bit;
    const uint16_t code = table[stamma_pages_get(r, most)];
    const unsigned length = code & 255;
    r->failed |= length == 0 || length > most;
    r->bit = bit + (length <= most ? length : most);
    return code >> 8;
}

/* ---- places ---- */

void stamma_pages_put_place(pages_writer *w, const pages_widths *widths, const pages_place *place)
{
    stamma_pages_put(w, place->unit, widths->unit);
    stamma_pages_put(w, place->span > 1, 1);
    if (place->span > 1)
        stamma_pages_put(w, place->span - 1u, PAGES_SPAN_BITS);
    else
        stamma_pages_put(w, place->index, widths->index);
}

pages_place stamma_pages_get_place(pages_reader *r, const pages_widths *widths)
{
    pages_place place = {.unit = (uint32_t)stamma_pages_get(r, widths->unit), .span = 1};
    if (stamma_pages_get(r, 1) > 0)
        place.span = (uint8_t)(stamma_pages_get(r, PAGES_SPAN_BITS) + 1);
    else
        place.index = (uint8_t)stamma_pages_get(r, widths->index);
    return place;
}

/* ---- games ---- */

/* Returns the speed and the mode of a game as one number. */
static unsigned kind_of(const index_facts *f)
{
    return f->speed | (unsigned)f->mode << PAGES_SPEED_BITS;
}

static void put_rating(pages_writer *w, const pages_widths *widths, unsigned rating)
{
    const unsigned mean = widths->mean, distance = rating < mean ? 2 * (mean - rating) - 1 : 2 * (rating - mean);
    const bool far = rating == 0 || distance >> PAGES_RATING_BITS >= PAGES_RATING_ONES;
    stamma_pages_put_ones(w, far ? PAGES_RATING_ONES : distance >> PAGES_RATING_BITS, PAGES_RATING_ONES);
    stamma_pages_put(w, far ? rating : distance & ((1u << PAGES_RATING_BITS) - 1),
                     far ? widths->rating : PAGES_RATING_BITS);
}

static unsigned get_rating(pages_reader *r, const pages_widths *widths)
{
    const unsigned ones = stamma_pages_get_ones(r, PAGES_RATING_ONES);
    if (ones == PAGES_RATING_ONES)
        return (unsigned)stamma_pages_get(r, widths->rating);
    const unsigned distance = ones << PAGES_RATING_BITS | (unsigned)stamma_pages_get(r, PAGES_RATING_BITS);
    return distance & 1 ? widths->mean - (distance + 1) / 2 : widths->mean + distance / 2;
}

void stamma_pages_put_game(pages_writer *w, const pages_widths *widths, const index_example *e)
{
    const uint32_t month = e->month > 0 ? e->month - widths->first_month + 1u : 0;
    stamma_pages_put(w, e->game - 1, widths->number);
    put_rating(w, widths, e->facts.rating[STAMMA_WHITE]);
    put_rating(w, widths, e->facts.rating[STAMMA_BLACK]);
    stamma_pages_put(w, month, widths->month);
    stamma_pages_put(w, e->facts.result, PAGES_RESULT_BITS);
    if (widths->kind > 0)
        stamma_pages_put(w, kind_of(&e->facts), widths->kind);
}

bool stamma_pages_get_game(pages_reader *r, const pages_widths *widths, uint64_t limit, index_example *e)
{
    index_facts f = {.month = 0};
    const uint64_t game = stamma_pages_get(r, widths->number) + 1;
    const unsigned white = get_rating(r, widths), black = get_rating(r, widths);
    f.rating[STAMMA_WHITE] = (uint16_t)white;
    f.rating[STAMMA_BLACK] = (uint16_t)black;
    const uint64_t month = stamma_pages_get(r, widths->month);
    f.month = (uint16_t)(month > 0 ? widths->first_month + month - 1 : 0);
    f.result = (uint8_t)stamma_pages_get(r, PAGES_RESULT_BITS);
    const unsigned kind = widths->kind > 0 ? (unsigned)stamma_pages_get(r, widths->kind) : widths->only_kind;
    f.speed = (uint8_t)(kind & ((1u << PAGES_SPEED_BITS) - 1));
    f.mode = (uint8_t)(kind >> PAGES_SPEED_BITS);
    *e = index_example_of(&f, game, 0, 0);
    return !r->failed && game <= limit && white <= PAGES_RATING_MAX && black <= PAGES_RATING_MAX &&
           f.speed <= STAMMA_SPEED_CORRESPONDENCE && (month == 0 || widths->first_month + month - 1 < SEARCH_ODD_MONTH);
}
