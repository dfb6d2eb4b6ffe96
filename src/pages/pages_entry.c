/* SPDX-License-Identifier: MIT */
/* Reads positions from buckets: the places of lines, and the moves and games of a position. The input is not trusted.
 */
#include "pages/pages.h"

/* ---- buckets ---- */

/* Reads places of lines, which are followed by less than a byte of unused bits. */
static void read_places(const stamma_pages *x, cursor *c, pages_entry *entry, unsigned count)
{
    pages_reader r = {c->at, cursor_left(c), 0, false};
    for (unsigned n = 0; n < count; n++)
        entry->places[n] = stamma_pages_get_place(&r, &x->widths);
    c->failed |= r.failed;
    (void)cursor_take(c, (r.bit + 7) / 8);
}

/* Reads an entry, or skips it. */
static void read_entry(const stamma_pages *x, cursor *c, pages_entry *entry)
{
    const uint64_t head = cursor_varint(c);
    *entry = (pages_entry){.references = head <= PAGES_REFERENCES ? (unsigned)head : 0};
    c->failed |= head == 0;
    if (head <= PAGES_REFERENCES) {
        read_places(x, c, entry, entry->references);
        return;
    }
    const uint8_t *bytes = cursor_take(c, head - PAGES_REFERENCES - 1);
    if (!bytes)
        return;
    entry->body = (cursor){bytes, c->at, false};
    const unsigned kind = cursor_byte(&entry->body);
    entry->popular = kind > PAGES_OTHER;
    if (kind == PAGES_WITH_LINES)
        read_places(x, &entry->body, entry, 1);
    c->failed |= entry->body.failed || kind > PAGES_WITH_LINES;
}

stamma_error stamma_pages_find(stamma_pages *x, uint64_t key, buffer *room, pages_entry *entry)
{
    const uint32_t bucket = pages_bucket_of(x, key);
    const size_t size = (size_t)(x->starts[bucket + 1] - x->starts[bucket]);
    const uint8_t *bytes;
    *entry = (pages_entry){.found = false};
    const stamma_error error = stamma_pages_bytes(x, x->starts[bucket], size, room, &bytes);
    if (error != STAMMA_OK)
        return error;
    cursor c = {bytes, bytes + size - PAGES_CHECK, false};
    const uint8_t *head = cursor_take(&c, 2);
    const size_t count = head ? load_u16(head) : 0;
    const uint8_t *keys = cursor_take(&c, (uint64_t)count * PAGES_KEY_SIZE);
    for (size_t n = 0; n < count && keys && !entry->found && !c.failed; n++) {
        const uint8_t *at = keys + n * PAGES_KEY_SIZE;
        const uint64_t stored = load_u32(at) | (uint64_t)load_u16(at + 4) << 32;
        if (stored > (key & PAGES_KEY_MASK))
            break;
        read_entry(x, &c, entry);
        entry->found = stored == (key & PAGES_KEY_MASK);
    }
    return c.failed ? stamma_pages_fail(x) : STAMMA_OK;
}

/* ---- bodies ---- */

/* Reads the sums of a side: games with a rated opponent, ratings of these opponents, points. */
static bool read_side(cursor *c, uint64_t games, index_sum *s, unsigned color)
{
    s->opposed[color] = cursor_varint(c);
    s->opposed_sum[color] = cursor_varint(c);
    s->half_points[color] = cursor_varint(c);
    return s->opposed[color] <= games && s->half_points[color] <= 2 * s->opposed[color] &&
           s->opposed_sum[color] <= UINT16_MAX * s->opposed[color];
}

/* Reads a sum of ratings, stored as the difference from a multiple of the mean: twice its size, plus 1 if it is
 * negative.
 */
static uint64_t read_ratings(const stamma_pages *x, cursor *c, uint64_t games)
{
    const uint64_t number = cursor_varint(c), whole = games * x->widths.mean;
    return number & 1 ? whole - (number >> 1) : whole + (number >> 1);
}

/* Sets the sums of a move whose games are all finished and have both ratings. */
static bool read_plain(const stamma_pages *x, cursor *c, uint64_t games, index_sum *s)
{
    const uint64_t white = read_ratings(x, c, games), black = read_ratings(x, c, games);
    s->rated = s->opposed[STAMMA_WHITE] = s->opposed[STAMMA_BLACK] = games;
    s->rating_sum = white + black;
    s->opposed_sum[STAMMA_WHITE] = black;
    s->opposed_sum[STAMMA_BLACK] = white;
    s->half_points[STAMMA_WHITE] = 2 * s->results[0] + s->results[2];
    s->half_points[STAMMA_BLACK] = 2 * s->results[1] + s->results[2];
    return s->results[3] == 0 && white <= UINT16_MAX * games && black <= UINT16_MAX * games;
}

/* Reads the sums of the games of a move, which are at least two. Results are in the order of the sums: White's wins,
 * Black's wins, draws, others. */
static bool read_sums(const stamma_pages *x, cursor *c, uint64_t games, index_sum *s)
{
    const uint64_t first = cursor_varint(c), white = first >> 1, draws = cursor_varint(c), black = cursor_varint(c);
    const uint64_t months = cursor_varint(c); /* from the last month back, plus 1; 0: unknown */
    *s = (index_sum){.last_month = 0};
    if (white > games || draws > games - white || black > games - white - draws || months > x->widths.last_month + 1u)
        return false;
    s->results[0] = white;
    s->results[1] = black;
    s->results[2] = draws;
    s->results[3] = games - white - draws - black;
    s->last_month = (uint16_t)(months > 0 ? x->widths.last_month + 1u - months : 0);
    if (first & 1)
        return read_plain(x, c, games, s);
    s->rated = cursor_varint(c);
    s->rating_sum = cursor_varint(c);
    return s->rated <= games && s->rating_sum <= 2 * UINT16_MAX * s->rated && read_side(c, games, s, STAMMA_WHITE) &&
           read_side(c, games, s, STAMMA_BLACK);
}

/* The moves of a body, and after them the games that end in the position. */
typedef struct body_moves {
    unsigned count;
    uint16_t codes[PAGES_RANKS + 1]; /* INDEX_NO_MOVE for the games that end */
    uint32_t games[PAGES_RANKS + 1];
    index_sum *sums; /* by code: receives the sums of moves of at least two games; NULL: they are skipped */
} body_moves;

static bool read_count(const stamma_pages *x, cursor *c, body_moves *b, unsigned n)
{
    index_sum sum;
    const uint64_t games = cursor_varint(c);
    if (games > x->games || c->failed)
        return false;
    b->games[n] = (uint32_t)games;
    if (games < 2)
        return true;
    const bool right = read_sums(x, c, games, &sum) && !c->failed;
    if (right && b->sums)
        b->sums[b->codes[n]] = sum;
    return right;
}

static bool read_moves(const stamma_pages *x, const stamma_position *p, cursor *c, body_moves *b)
{
    const uint64_t count = cursor_varint(c);
    unsigned after = 0;
    bool right = count <= PAGES_RANKS;
    b->count = right ? (unsigned)count : 0;
    for (unsigned n = 0; n < b->count && right; n++) {
        const unsigned rank = cursor_byte(c);
        stamma_move move;
        uint8_t code = 0;
        right = rank >= after && stamma_pages_move(&x->order, p, rank, STAMMA_SQUARE_NONE, &move) &&
                stamma_byte_encode(p, move, &code) == STAMMA_OK;
        b->codes[n] = code;
        right = right && read_count(x, c, b, n) && b->games[n] > 0;
        after = rank + 1;
    }
    b->codes[b->count] = INDEX_NO_MOVE;
    return right && read_count(x, c, b, b->count);
}

/* Adds the listed games. A move of one game gets its sums from the game. */
static bool read_games(const stamma_pages *x, cursor *c, const body_moves *b, index_sums *sums)
{
    const uint64_t count = cursor_varint(c), limit = b->count + 2 * PAGES_TOP + 1;
    pages_reader r = {c->at, cursor_left(c), 0, false};
    bool right = count <= limit && !c->failed;
    for (uint64_t n = 0; n < count && right; n++) {
        index_example e;
        right = stamma_pages_get_game(&r, &x->widths, x->games, &e);
        const uint64_t move = stamma_pages_get(&r, bits_for(b->count + 1));
        right = right && move <= b->count && b->games[move] > 0;
        e.code = right ? b->codes[move] : 0;
        if (right)
            stamma_index_sums_add(sums, &e.facts, &e);
    }
    return right && (r.bit + 7) / 8 == r.size && !r.failed;
}

stamma_error stamma_pages_read_body(stamma_pages *x, const stamma_position *p, cursor body, index_sums *sums)
{
    body_moves b = {.count = 0};
    cursor moves = body;
    bool right = read_moves(x, p, &body, &b) && read_games(x, &body, &b, sums);
    for (unsigned n = 0; n <= b.count && right; n++)
        right = b.games[n] != 1 || index_sum_games(&sums->of[b.codes[n]]) == 1;
    b.sums = sums->of;
    return right && read_moves(x, p, &moves, &b) ? STAMMA_OK : stamma_pages_fail(x);
}
