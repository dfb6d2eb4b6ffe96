/* SPDX-License-Identifier: MIT */
/* Finds nodes, records and facts of a segment. The input is not trusted: numbers are compared with their limits, and
 * every loop ends. */
#include <limits.h>
#include "index/index.h"

/* ---- nodes ---- */

/* Returns the byte of a section, or 0, the depth of the root, if it is damaged: searches by depth then end. */
static unsigned byte_at(index_file *x, const index_segment *s, index_section section, uint64_t n)
{
    const uint8_t *at = index_bytes(x, s, section, n, 1);
    return at ? *at : 0;
}

/* Sections with the depths of all nodes, the minima of spans of depths, and the minima of spans of these minima. */
static const index_section depth_sections[] = {SECTION_NODE_DEPTHS, SECTION_DEPTH_MINIMA, SECTION_DEPTH_MINIMA2};
enum { DEPTH_LEVELS = 3 };

/* Returns the first node, starting at `node`, with at most this depth, or the number of nodes. On a level above 0,
 * returns the first span of nodes, or of spans, that contains a node like this. If a span does not contain the depth of
 * its minimum, the search ends, which limits its time. */
static uint64_t find_after(index_file *x, const index_segment *s, uint64_t node, unsigned depth, unsigned level)
{
    uint64_t count = s->parts[depth_sections[level]].size;
    while (node < count) {
        const bool whole = node % INDEX_MIN_SPAN == 0 && level + 1 < DEPTH_LEVELS;
        if (whole) {
            node = find_after(x, s, node / INDEX_MIN_SPAN, depth, level + 1) * INDEX_MIN_SPAN;
            if (node >= count)
                return count;
        }
        uint64_t end = (node / INDEX_MIN_SPAN + 1) * INDEX_MIN_SPAN, begin = node;
        end = end < count ? end : count;
        const uint8_t *depths = index_bytes(x, s, depth_sections[level], begin, end - begin);
        for (; node < end && depths; node++)
            if (depths[node - begin] <= depth)
                return node;
        node = end;
        if (whole) {
            (void)stamma_index_damaged(x);
            break;
        }
    }
    return count;
}

uint32_t stamma_index_node_end(index_file *x, const index_segment *s, uint32_t node)
{
    return (uint32_t)find_after(x, s, (uint64_t)node + 1, byte_at(x, s, SECTION_NODE_DEPTHS, node), 0);
}

/* Returns the end of the last span before `span` that contains a node of less depth; 0 if there is none. */
static uint64_t find_before(index_file *x, const index_segment *s, uint64_t span, unsigned depth, unsigned level)
{
    while (span > 0) {
        const bool whole = span % INDEX_MIN_SPAN == 0 && level + 1 < DEPTH_LEVELS;
        if (whole) {
            uint64_t end = find_before(x, s, span / INDEX_MIN_SPAN, depth, level + 1) * INDEX_MIN_SPAN;
            span = end < span ? end : span;
            if (span == 0)
                return 0;
        }
        const uint64_t begin = (span - 1) / INDEX_MIN_SPAN * INDEX_MIN_SPAN;
        const uint8_t *depths = index_bytes(x, s, depth_sections[level], begin, span - begin);
        for (; span > begin && depths; span--)
            if (depths[span - 1 - begin] < depth)
                return span;
        span = begin;
        if (whole) {
            (void)stamma_index_damaged(x);
            break;
        }
    }
    return 0;
}

/* The parent of a node is the last node before it of less depth. One pass over a span finds several ancestors. */
unsigned stamma_index_node_path(index_file *x, const index_segment *s, uint32_t node, uint8_t codes[INDEX_DEPTH_MAX])
{
    const unsigned depth = byte_at(x, s, SECTION_NODE_DEPTHS, node);
    unsigned above = depth + 1; /* depth of the last ancestor found; at first, the node's depth plus 1 */
    if (depth > INDEX_DEPTH_MAX)
        return UINT_MAX;
    memset(codes, 0, depth); /* a hostile trie may lack ancestors */
    for (uint64_t end = (uint64_t)node + 1; above > 1 && end > 0;) {
        const uint64_t begin = (end - 1) / INDEX_MIN_SPAN * INDEX_MIN_SPAN;
        const uint8_t *depths = index_bytes(x, s, SECTION_NODE_DEPTHS, begin, end - begin);
        const uint8_t *own = index_bytes(x, s, SECTION_NODE_CODES, begin, end - begin);
        const unsigned before = above;
        if (!depths || !own)
            return UINT_MAX;
        for (uint64_t n = end - begin; n-- > 0 && above > 1;) {
            if (depths[n] == 0 || depths[n] >= above)
                continue;
            above = depths[n];
            codes[above - 1] = own[n];
        }
        if (above == before) /* the span does not contain the depth of its minimum */
            return UINT_MAX;
        if (above > 1)
            end = find_before(x, s, begin / INDEX_MIN_SPAN, above, 1) * INDEX_MIN_SPAN;
    }
    return above <= 1 ? depth : UINT_MAX;
}

uint32_t stamma_index_node_of(index_file *x, const index_segment *s, uint32_t rank)
{
    const uint64_t node = stamma_index_ascending_find(x, s, SECTION_NODE_FIRST, rank);
    return node < s->counts[COUNT_NODES] ? (uint32_t)node : 0;
}

/* ---- records ---- */

uint32_t stamma_index_record(index_file *x, const index_segment *s, uint32_t rank)
{
    uint32_t record = index_bits(x, s, SECTION_GAMES, (uint64_t)rank * s->widths.sum, s->widths.record);
    if (STAMMA_LIKELY(record < s->counts[COUNT_RECORDS]))
        return record;
    (void)stamma_index_damaged(x);
    return 0;
}

index_game stamma_index_game_at(index_file *x, const index_segment *s, uint32_t rank)
{
    const index_widths w = s->widths;
    const uint64_t at = (uint64_t)rank * w.sum + w.record;
    const uint32_t plies = index_bits(x, s, SECTION_GAMES, at, w.plies);
    const uint32_t depth = index_bits(x, s, SECTION_GAMES, at + w.plies, w.depth);
    const uint32_t bit = index_bits(x, s, SECTION_GAMES, at + w.plies + w.depth, w.bit);
    return (index_game){stamma_index_record(x, s, rank), plies, depth < plies ? depth : plies, bit};
}

/* Returns the number of records before this one that do not begin a game. */
static uint32_t count_non_games(index_file *x, const index_segment *s, uint32_t record)
{
    uint32_t low = 0, high = s->counts[COUNT_RECORDS] - s->counts[COUNT_GAMES];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index_u32(x, s, SECTION_NON_GAMES, middle) < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t stamma_index_game(index_file *x, const index_segment *s, uint32_t record)
{
    return s->first_game + record - count_non_games(x, s, record) + 1;
}

const index_segment *stamma_index_find_game(index_file *x, uint64_t game, uint32_t *record)
{
    size_t low = 0, high = x->segment_count;
    if (game == 0 || game > x->games)
        return NULL;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (x->segments[middle].first_game < game)
            low = middle;
        else
            high = middle;
    }
    const index_segment *s = &x->segments[low];
    uint32_t extra = s->counts[COUNT_RECORDS] - s->counts[COUNT_GAMES], at = (uint32_t)(game - s->first_game - 1);
    /* finds the first record that begins a game and has this number of games before it; it is at most `extra` records
     * later */
    for (uint32_t n = 0; n < extra && index_u32(x, s, SECTION_NON_GAMES, n) <= at; n++)
        at++;
    *record = at;
    return s;
}

/* Finds the entry of a rank with odd facts. */
static bool find_odd(index_file *x, const index_segment *s, uint32_t rank, index_odd *odd)
{
    uint64_t low = 0, high = s->parts[SECTION_ODD].size / INDEX_ODD_SIZE;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const uint8_t *at = index_bytes(x, s, SECTION_ODD, middle * INDEX_ODD_SIZE, INDEX_ODD_SIZE);
        if (!at)
            return false;
        if (load_u32(at) == rank) {
            *odd = (index_odd){{load_u16(at + 4), load_u16(at + 6)}, load_u32(at + 8), load_u32(at + 12)};
            return true;
        }
        if (load_u32(at) < rank)
            low = middle + 1;
        else
            high = middle;
    }
    (void)stamma_index_damaged(x);
    return false;
}

bool stamma_index_facts(index_file *x, const index_segment *s, uint32_t rank, index_facts *facts, index_odd *odd)
{
    index_odd own = {{0, 0}, 0, 0};
    const uint8_t *at = index_bytes(x, s, SECTION_FACTS, (uint64_t)rank * INDEX_FACTS_SIZE, INDEX_FACTS_SIZE);
    if (!at)
        return false;
    *facts = index_facts_read(at);
    if (STAMMA_LIKELY(!index_facts_are_odd(facts)))
        return true;
    if (!find_odd(x, s, rank, &own))
        return false;
    memcpy(facts->rating, own.rating, sizeof facts->rating);
    if (odd)
        *odd = own;
    return true;
}

bool stamma_index_players(index_file *x, const index_segment *s, uint32_t record, uint32_t names[2])
{
    unsigned bits = index_name_bits(s);
    for (unsigned color = 0; color < 2; color++) {
        names[color] = index_bits(x, s, SECTION_PLAYERS, (2 * (uint64_t)record + color) * bits, bits);
        if (names[color] > s->counts[COUNT_NAMES]) {
            (void)stamma_index_damaged(x);
            return false;
        }
    }
    return !atomic_load_explicit(&x->damaged, memory_order_relaxed);
}
