/* SPDX-License-Identifier: MIT */
/* Tests reading a segment of an index file whose sections the test makes: nodes of random tries, records and facts are
 * compared with a linear search. Invalid sections are noticed although their checksums are right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "index/index_build.h"
#include "pgn_support.h"

/* ---- a segment in memory ---- */

enum { PAGES = 64, ROOM = PAGES * INDEX_PAGE };

typedef struct sections {
    uint8_t bytes[ROOM];
    atomic_uchar checked[PAGES / 8];
    index_file file;
    index_segment segment;
    uint64_t end;
} sections;

/* Returns a segment without sections, whose pages need no checks. */
static sections *open_sections(void)
{
    static sections x;
    memset(x.bytes, 0, sizeof x.bytes);
    for (size_t n = 0; n < PAGES / 8; n++)
        atomic_init(&x.checked[n], 255);
    x.file = (index_file){.bytes = x.bytes, .size = ROOM, .checked = x.checked};
    x.segment = (index_segment){0};
    x.end = 0;
    return &x;
}

static uint8_t *add_section(sections *x, index_section section, uint64_t size)
{
    uint8_t *at = x->bytes + x->end;
    assert_true(size <= ROOM - x->end);
    x->segment.parts[section] = (index_part){x->end, size};
    x->end += size;
    return at;
}

static bool take_damage(sections *x)
{
    return atomic_exchange(&x->file.damaged, false);
}

/* ---- nodes ---- */

enum { NODES_MAX = 40000 };

typedef struct trie {
    uint8_t *depths, *codes, *minima, *minima2;
    uint32_t count;
} trie;

static void make_minima(const uint8_t *of, uint64_t count, uint8_t *minima)
{
    for (uint64_t n = 0; n < count; n++)
        minima[n / INDEX_MIN_SPAN] =
            n % INDEX_MIN_SPAN == 0 || of[n] < minima[n / INDEX_MIN_SPAN] ? of[n] : minima[n / INDEX_MIN_SPAN];
}

/* Makes a trie. The node after each node is its child with a probability of `deeper` / 256, otherwise a later child of
 * one of the last `up` ancestors. */
static trie make_trie(sections *x, uint32_t count, unsigned deeper, unsigned up)
{
    const uint64_t spans = (count + INDEX_MIN_SPAN - 1) / INDEX_MIN_SPAN,
                   spans2 = (spans + INDEX_MIN_SPAN - 1) / INDEX_MIN_SPAN;
    trie t = {add_section(x, SECTION_NODE_DEPTHS, count), add_section(x, SECTION_NODE_CODES, count),
              add_section(x, SECTION_DEPTH_MINIMA, spans), add_section(x, SECTION_DEPTH_MINIMA2, spans2), count};
    x->segment.counts[COUNT_NODES] = count;
    for (uint32_t n = 0; n < count; n++) {
        const unsigned last = n == 0 ? 0 : t.depths[n - 1];
        unsigned depth = last - (unsigned)random_below(last < up ? last + 1 : up);
        if (n > 0 && (depth == 0 || (random_below(256) < deeper && last < INDEX_DEPTH_MAX)))
            depth = depth == 0 ? 1 : last + 1;
        t.depths[n] = (uint8_t)depth;
        t.codes[n] = (uint8_t)random_below(256);
    }
    make_minima(t.depths, count, t.minima);
    make_minima(t.minima, spans, t.minima2);
    return t;
}

/* Compares the end of a node and the moves that lead to it with the results of visiting node by node. */
static void assert_node(sections *x, const trie *t, uint32_t node)
{
    uint8_t codes[INDEX_DEPTH_MAX], wanted[INDEX_DEPTH_MAX];
    uint32_t end = node + 1, above = node;
    while (end < t->count && t->depths[end] > t->depths[node])
        end++;
    assert_int_equal(stamma_index_node_end(&x->file, &x->segment, node), end);
    for (unsigned depth = t->depths[node]; depth > 0; depth--) {
        while (t->depths[above] != depth)
            above--;
        wanted[depth - 1] = t->codes[above];
    }
    assert_int_equal(stamma_index_node_path(&x->file, &x->segment, node, codes), t->depths[node]);
    assert_memory_equal(codes, wanted, t->depths[node]);
}

static void nodes_are_found(void **state)
{
    static const struct {
        uint32_t count;
        unsigned deeper, up;
    } shapes[] = {{1, 0, 1},      {2, 128, 1},      {64, 100, 3},    {65, 255, 1},       {4096, 60, 2},
                  {4097, 120, 4}, {20000, 100, 2},  {40000, 1, 2},   {40000, 0, 1},      {40000, 130, 200},
                  {40000, 5, 2},  {40000, 140, 20}, {12289, 200, 9}, {NODES_MAX, 128, 2}};
    (void)state;
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        sections *x = open_sections();
        trie t = make_trie(x, shapes[n].count, shapes[n].deeper, shapes[n].up);
        for (uint32_t node = 0; node < t.count; node += node < 200 || t.count - node < 200 ? 1 : 37)
            assert_node(x, &t, node);
        assert_false(take_damage(x));
    }
}

/* Minima that contradict their nodes end the search with an error, or without an error if they hide the remaining
 * nodes. */
static void wrong_minima_are_noticed(void **state)
{
    uint8_t codes[INDEX_DEPTH_MAX];
    unsigned errors = 0;
    (void)state;
    for (unsigned n = 0; n < 200; n++) {
        sections *x = open_sections();
        trie t = make_trie(x, 30000, n % 2 ? 20 : 120, 2);
        uint8_t *minima = n % 4 < 2 ? t.minima : t.minima2;
        const uint64_t count = x->segment.parts[n % 4 < 2 ? SECTION_DEPTH_MINIMA : SECTION_DEPTH_MINIMA2].size;
        for (uint64_t k = 0; k < count; k++)
            minima[k] = n % 3 == 0 ? 0 : (uint8_t)random_below(5);
        for (uint32_t node = 0; node < t.count; node += 411) {
            const uint32_t end = stamma_index_node_end(&x->file, &x->segment, node);
            const unsigned depth = stamma_index_node_path(&x->file, &x->segment, node, codes);
            assert_true(end > node && end <= t.count && (depth == t.depths[node] || depth == UINT_MAX));
        }
        errors += take_damage(x);
    }
    assert_true(errors > 100);
}

/* Sections that are shorter than their counts require, and invalid depths of nodes. */
static void cut_sections_are_noticed(void **state)
{
    uint8_t codes[INDEX_DEPTH_MAX];
    (void)state;
    sections *x = open_sections();
    trie t = make_trie(x, 300, 120, 2);
    t.depths[200] = INDEX_DEPTH_MAX + 1;
    assert_int_equal(stamma_index_node_path(&x->file, &x->segment, 200, codes), UINT_MAX);
    assert_false(take_damage(x));
    x->segment.parts[SECTION_NODE_CODES].size = 100;
    assert_int_equal(stamma_index_node_path(&x->file, &x->segment, 199, codes), UINT_MAX);
    assert_true(take_damage(x));
    assert_int_equal(stamma_index_node_end(&x->file, &x->segment, 300), 300); /* no such node: its depth is 0 */
    assert_true(take_damage(x));
    /* all nodes have the depth 2: none has a parent */
    x = open_sections();
    t = make_trie(x, 30000, 120, 2);
    memset(t.depths, 2, 30000);
    memset(t.minima, 2, x->segment.parts[SECTION_DEPTH_MINIMA].size);
    memset(t.minima2, 2, x->segment.parts[SECTION_DEPTH_MINIMA2].size);
    assert_int_equal(stamma_index_node_path(&x->file, &x->segment, 29999, codes), UINT_MAX);
    assert_int_equal(stamma_index_node_end(&x->file, &x->segment, 29999), 30000);
}

/* More nodes than one group of groups has minima for. The last node is a child of node 1. */
static void many_nodes(void **state)
{
    enum {
        SPAN = INDEX_MIN_SPAN,
        NODES = SPAN * SPAN * SPAN + 500,
        SPANS = SPAN * SPAN + 8,
        SIZE = 2 * NODES + 2 * SPANS
    };
    uint8_t codes[INDEX_DEPTH_MAX], *bytes = calloc(SIZE, 1);
    const size_t pages = SIZE / INDEX_PAGE + 1;
    atomic_uchar *checked = malloc(pages / 8 + 1);
    (void)state;
    assert_true(bytes && checked);
    for (size_t n = 0; n < pages / 8 + 1; n++)
        atomic_init(&checked[n], 255);
    index_file file = {.bytes = bytes, .size = SIZE, .checked = checked};
    index_segment s = {.counts[COUNT_NODES] = NODES};
    s.parts[SECTION_NODE_DEPTHS] = (index_part){0, NODES};
    s.parts[SECTION_NODE_CODES] = (index_part){NODES, NODES};
    s.parts[SECTION_DEPTH_MINIMA] = (index_part){2 * NODES, SPANS};
    s.parts[SECTION_DEPTH_MINIMA2] = (index_part){2 * NODES + SPANS, SPAN + 1};
    for (uint32_t n = 1; n < NODES; n++)
        bytes[n] = n == 1 ? 1 : 2;
    bytes[NODES + 1] = 7;
    bytes[2 * NODES - 1] = 9;
    make_minima(bytes, NODES, bytes + 2 * NODES);
    make_minima(bytes + 2 * NODES, SPANS, bytes + 2 * NODES + SPANS);
    assert_int_equal(stamma_index_node_end(&file, &s, 1), NODES);
    assert_int_equal(stamma_index_node_end(&file, &s, 0), NODES);
    assert_int_equal(stamma_index_node_path(&file, &s, NODES - 1, codes), 2);
    assert_int_equal(codes[0], 7);
    assert_int_equal(codes[1], 9);
    assert_false(file.damaged);
    free(checked);
    free(bytes);
}

/* ---- records ---- */

/* Records that do not begin a game have no number: the game before them continues. */
static void games_are_numbered(void **state)
{
    enum { RECORDS = 3000, BEFORE = 17 };
    static uint8_t begins[RECORDS];
    (void)state;
    for (unsigned test = 0; test < 20; test++) {
        sections *x = open_sections();
        uint32_t games = 0, extra = 0, record;
        for (uint32_t n = 0; n < RECORDS; n++)
            games += begins[n] = n == 0 || random_below(20) >= test;
        uint8_t *others = add_section(x, SECTION_NON_GAMES, 4 * (RECORDS - games));
        for (uint32_t n = 0; n < RECORDS; n++)
            if (!begins[n])
                store_u32(others + 4 * extra++, n);
        x->segment.first_game = BEFORE;
        x->segment.counts[COUNT_RECORDS] = RECORDS;
        x->segment.counts[COUNT_GAMES] = games;
        x->file.segments = &x->segment;
        x->file.segment_count = 1;
        x->file.games = BEFORE + games;
        uint64_t game = BEFORE;
        for (uint32_t n = 0; n < RECORDS; n++) {
            if (!begins[n])
                continue;
            game++;
            assert_int_equal(stamma_index_game(&x->file, &x->segment, n), game);
            assert_ptr_equal(stamma_index_find_game(&x->file, game, &record), &x->segment);
            assert_int_equal(record, n);
        }
        assert_null(stamma_index_find_game(&x->file, 0, &record));
        assert_null(stamma_index_find_game(&x->file, game + 1, &record));
        assert_false(take_damage(x));
    }
}

/* The number of a record or a name that the segment does not contain is damage. */
static void wrong_numbers_are_noticed(void **state)
{
    sections *x = open_sections();
    uint32_t names[2];
    (void)state;
    uint32_t *counts = x->segment.counts;
    counts[COUNT_RECORDS] = counts[COUNT_GAMES] = 5; /* three bits */
    counts[COUNT_NAMES] = 4;                         /* three bits */
    x->segment.widths = index_widths_of(counts);
    add_section(x, SECTION_GAMES, 16)[0] = 4 | 5 << 3; /* ranks 0 and 1 */
    assert_int_equal(x->segment.widths.sum, 3);
    assert_int_equal(stamma_index_record(&x->file, &x->segment, 0), 4);
    assert_false(take_damage(x));
    assert_int_equal(stamma_index_record(&x->file, &x->segment, 1), 0);
    assert_true(take_damage(x));
    store_u16(add_section(x, SECTION_PLAYERS, 16), 4 | 0 << 3 | 2 << 6 | 5 << 9); /* records 0 and 1 */
    assert_true(stamma_index_players(&x->file, &x->segment, 0, names));
    assert_int_equal(names[0], 4);
    assert_int_equal(names[1], 0);
    assert_false(stamma_index_players(&x->file, &x->segment, 1, names));
    assert_true(take_damage(x));
    assert_false(stamma_index_players(&x->file, &x->segment, 40, names)); /* after the end of the section */
    assert_true(take_damage(x));
}

/* ---- facts ---- */

static void odd_facts_are_found(void **state)
{
    enum { RANKS = 300 };
    sections *x = open_sections();
    index_facts facts = {{2400, 2500}, 100, 1, 2, 3}, got;
    index_odd odd;
    (void)state;
    uint8_t *at = add_section(x, SECTION_FACTS, RANKS * INDEX_FACTS_SIZE);
    uint8_t *list = add_section(x, SECTION_ODD, RANKS / 3 * INDEX_ODD_SIZE);
    for (uint32_t n = 0; n < RANKS; n++) {
        facts.rating[1] = n % 3 == 0 ? SEARCH_ODD_RATING : 2500;
        index_facts_write(&facts, at + n * INDEX_FACTS_SIZE);
        if (n % 3 != 0)
            continue;
        uint8_t *entry = list + n / 3 * INDEX_ODD_SIZE;
        store_u32(entry, n);
        store_u16(entry + 4, 2400);
        store_u16(entry + 6, (uint16_t)(9000 + n));
        store_u32(entry + 8, n);
        store_u32(entry + 12, n + 1);
    }
    for (uint32_t n = 0; n < RANKS; n++) {
        odd = (index_odd){{0, 0}, 7, 7};
        assert_true(stamma_index_facts(&x->file, &x->segment, n, &got, n % 2 ? &odd : NULL));
        assert_int_equal(got.rating[0], 2400);
        assert_int_equal(got.rating[1], n % 3 == 0 ? 9000 + n : 2500);
        assert_int_equal(got.month, 100);
        if (n % 2)
            assert_int_equal(odd.last, n % 3 == 0 ? n + 1 : 7);
    }
    assert_false(take_damage(x));
    store_u32(list + 20 * INDEX_ODD_SIZE, 61); /* not 60 */
    assert_false(stamma_index_facts(&x->file, &x->segment, 60, &got, &odd));
    assert_true(take_damage(x));
    /* a page without its checksum */
    static const uint8_t checks[4 * PAGES];
    x->segment.checks = checks;
    x->segment.parts[SECTION_ODD] = (index_part){ROOM - INDEX_PAGE, INDEX_ODD_SIZE};
    atomic_store(&x->checked[PAGES / 8 - 1], 127);
    assert_false(stamma_index_facts(&x->file, &x->segment, 60, &got, &odd));
    assert_true(take_damage(x));
}

/* ---- ascending numbers ---- */

/* Numbers that do not ascend are damage. */
static void descending_numbers_are_noticed(void **state)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    uint8_t numbers[4 * 50];
    uint32_t pair[2];
    (void)state;
    for (uint32_t n = 0; n < 50; n++)
        store_u32(numbers + 4 * n, 100 * n + 5);
    buffer written = {.allocator = &allocator};
    stamma_index_ascending_write(&written, numbers, 50);
    sections *x = open_sections();
    x->segment.counts[COUNT_LISTS] = 49;
    uint8_t *at = add_section(x, SECTION_LIST_STARTS, written.size);
    memcpy(at, written.data, written.size);
    stamma_buffer_release(&written);
    assert_int_equal(load_u32(at), 6); /* bits below the high bits of each number */
    assert_true(stamma_index_ascending(&x->file, &x->segment, SECTION_LIST_STARTS, 0, pair));
    assert_int_equal(pair[1], 105);
    /* 5 and 105: high bits 0 and 1, low bits 5 and 41; the second high bit is moved directly after the first, so the
     * second number has no high bit */
    uint8_t *high = at + 12 + index_bits_size(50, 6);
    assert_int_equal(high[0] & 7, 5); /* 1, 0 and 1 */
    high[0] = (uint8_t)((high[0] & ~7) | 3);
    at[12] = (uint8_t)((at[12] & ~63) | 50); /* low bits of the first number */
    assert_false(stamma_index_ascending(&x->file, &x->segment, SECTION_LIST_STARTS, 0, pair));
    assert_int_equal(pair[0], 50);
    assert_int_equal(pair[1], 41);
    assert_true(take_damage(x));
    store_u32(at + 8, 0); /* the high bit of the 33rd number is not among the first 32 bits */
    (void)stamma_index_ascending(&x->file, &x->segment, SECTION_LIST_STARTS, 32, pair);
    assert_true(pair[0] == 0 && take_damage(x));
    store_u32(at + 8, UINT32_MAX);
    assert_false(stamma_index_ascending(&x->file, &x->segment, SECTION_LIST_STARTS, 32, pair));
    assert_true(take_damage(x));
    store_u32(at, 33); /* more bits than a number has */
    (void)stamma_index_ascending(&x->file, &x->segment, SECTION_LIST_STARTS, 0, pair);
    assert_true(take_damage(x));
}

/* 32 low bits and a high bit are the number 2^32, which is damage. */
static void large_numbers_are_noticed(void **state)
{
    uint32_t pair[2];
    sections *x = open_sections();
    (void)state;
    x->segment.counts[COUNT_LISTS] = 1;
    uint8_t *at = add_section(x, SECTION_LIST_STARTS, 8 + index_bits_size(2, 32) + index_bits_size(3, 1));
    store_u32(at, 32);
    at[8 + index_bits_size(2, 32)] = 2 | 4;
    assert_true(stamma_index_ascending(&x->file, &x->segment, SECTION_LIST_STARTS, 0, pair));
    assert_true(pair[0] == 0 && pair[1] == 0 && take_damage(x));
}

/* ---- sums of nodes and statistics ---- */

enum { GAMES = 3, SUM_NUMBERS = 60 };

/* Makes the facts of three games, each with higher ratings and a later month than the previous game. */
static sections *open_games(void)
{
    sections *x = open_sections();
    uint32_t *counts = x->segment.counts;
    counts[COUNT_TYPED] = counts[COUNT_GAMES] = counts[COUNT_RECORDS] = GAMES;
    counts[COUNT_NODES] = 1;
    x->segment.widths = index_widths_of(counts);
    uint8_t *ranks = add_section(x, SECTION_GAMES, 16),
            *facts = add_section(x, SECTION_FACTS, GAMES * INDEX_FACTS_SIZE);
    (void)add_section(x, SECTION_NON_GAMES, 0);
    ranks[0] = 0 | 1 << 2 | 2 << 4; /* the record of each rank, in two bits */
    assert_int_equal(x->segment.widths.sum, 2);
    for (unsigned n = 0; n < GAMES; n++) {
        const index_facts f = {{(uint16_t)(2000 + n), 2000}, (uint16_t)(100 + n), 0, 1, 0};
        index_facts_write(&f, facts + n * INDEX_FACTS_SIZE);
    }
    return x;
}

/* Adds a section of numbers in LEB128. */
static void add_numbers(sections *x, index_section section, const uint32_t *numbers, size_t count)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer bytes = {.allocator = &allocator};
    for (size_t n = 0; n < count; n++)
        stamma_buffer_add_varint(&bytes, numbers[n]);
    memcpy(add_section(x, section, bytes.size), bytes.data, bytes.size);
    stamma_buffer_release(&bytes);
}

/* Adds a section of ascending numbers. */
static void add_ascending(sections *x, index_section section, const uint32_t *numbers, size_t count)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer raw = {.allocator = &allocator}, bytes = {.allocator = &allocator};
    for (size_t n = 0; n < count; n++)
        index_add_u32(&raw, numbers[n]);
    stamma_index_ascending_write(&bytes, raw.data, count);
    memcpy(add_section(x, section, bytes.size), bytes.data, bytes.size);
    stamma_buffer_release(&raw);
    stamma_buffer_release(&bytes);
}

/* The sums of one move, 5: two wins of White, with the example `rank`; the examples of the node, and a month. */
static size_t make_sums(uint32_t numbers[SUM_NUMBERS], uint32_t rank)
{
    const uint32_t sums[] = {1, 5,    2, 0, 0,    0, 2, 8000, 2, 4000, 4, 2, 4000, 0, 100, rank, rank, /* the sum */
                             1, rank, 5, 1, rank, 5, 1, 100,  2, 0,    0};
    memcpy(numbers, sums, sizeof sums);
    return sizeof sums / sizeof *sums;
}

static index_sums *read_sums(sections *x, stamma_error wanted)
{
    static index_sums sums;
    static uint64_t months[INDEX_MONTHS][3];
    bool found = false;
    memset(&sums, 0, sizeof sums);
    memset(months, 0, sizeof months);
    sums.months = months;
    assert_int_equal(stamma_index_sums_read(&x->file, &x->segment, 0, &sums, &found), wanted);
    assert_true(take_damage(x) == (wanted != STAMMA_OK));
    assert_true(found || wanted != STAMMA_OK);
    return &sums;
}

static void sums_are_read(void **state)
{
    uint32_t numbers[SUM_NUMBERS];
    sections *x = open_games();
    bool found = false;
    (void)state;
    (void)add_section(x, SECTION_SUM_NODES, 8); /* node 0, from the first byte */
    add_numbers(x, SECTION_SUMS, numbers, make_sums(numbers, 1));
    index_sums *sums = read_sums(x, STAMMA_OK);
    assert_int_equal(sums->of[5].results[0], 2);
    assert_int_equal(sums->of[5].top.rating, 4001);
    assert_int_equal(sums->of[5].recent.month, 101);
    assert_int_equal(sums->of[5].top.game, 2);
    assert_int_equal(sums->months[100][0], 2);
    /* the sums of another node with the position are added: its examples replace the earlier examples only if they rank
     * before them */
    for (uint32_t rank = 0; rank < GAMES; rank += 2) {
        x->end = x->segment.parts[SECTION_SUMS].at;
        add_numbers(x, SECTION_SUMS, numbers, make_sums(numbers, rank));
        assert_int_equal(stamma_index_sums_read(&x->file, &x->segment, 0, sums, &found), STAMMA_OK);
        assert_int_equal(sums->of[5].results[0], rank == 0 ? 4 : 6);
        assert_int_equal(sums->of[5].top.rank, rank == 0 ? 1 : 2);
        assert_int_equal(sums->of[5].recent.rank, rank == 0 ? 1 : 2);
        assert_int_equal(sums->top.games[0].rank, rank == 0 ? 1 : 2);
    }
    sums->months = NULL; /* not counted */
    assert_int_equal(stamma_index_sums_read(&x->file, &x->segment, 0, sums, &found), STAMMA_OK);
    assert_int_equal(sums->of[5].results[0], 8);
    assert_false(take_damage(x));
}

/* Ranks, codes, months and counts above their limits. */
static void wrong_sums_are_noticed(void **state)
{
    static const struct {
        unsigned at;
        uint32_t value;
    } all[] = {{0, INDEX_SUM_CODES + 1},
               {0, 200},
               {1, INDEX_SUM_CODES},
               {14, INDEX_MONTHS},
               {15, GAMES},
               {16, GAMES},
               {17, 16},
               {18, GAMES},
               {19, 257},
               {20, 16},
               {21, GAMES},
               {22, 257},
               {23, 2},
               {23, 9}};
    uint32_t numbers[SUM_NUMBERS];
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        sections *x = open_games();
        (void)add_section(x, SECTION_SUM_NODES, 8);
        const size_t count = make_sums(numbers, 0);
        numbers[all[n].at] = all[n].value;
        add_numbers(x, SECTION_SUMS, numbers, count);
        (void)read_sums(x, STAMMA_ERROR_CORRUPT);
    }
}

static void short_sums_are_noticed(void **state)
{
    uint32_t numbers[SUM_NUMBERS];
    sections *x = open_games();
    (void)state;
    uint8_t *nodes = add_section(x, SECTION_SUM_NODES, 8);
    add_numbers(x, SECTION_SUMS, numbers, make_sums(numbers, 0));
    const uint64_t size = x->segment.parts[SECTION_SUMS].size;
    for (uint64_t cut = 0; cut < size; cut++) {
        x->segment.parts[SECTION_SUMS].size = cut;
        (void)read_sums(x, STAMMA_ERROR_CORRUPT);
    }
    x->segment.parts[SECTION_SUMS].size = size;
    store_u32(nodes + 4, (uint32_t)size); /* they begin after the end */
    (void)read_sums(x, STAMMA_ERROR_CORRUPT);
    store_u32(nodes + 4, 0);
    const index_part facts = x->segment.parts[SECTION_FACTS];
    x->segment.parts[SECTION_FACTS].size = 0; /* no facts of the example */
    (void)read_sums(x, STAMMA_ERROR_CORRUPT);
    x->segment.parts[SECTION_FACTS] = facts;
    assert_int_equal(read_sums(x, STAMMA_OK)->months[100][0], 2);
    const size_t count = make_sums(numbers, 0);
    numbers[24] = INDEX_MONTHS; /* an invalid month is not counted */
    x->end = x->segment.parts[SECTION_SUMS].at;
    add_numbers(x, SECTION_SUMS, numbers, count);
    assert_int_equal(read_sums(x, STAMMA_OK)->months[100][0], 0);
}

/* Statistics of three games, with one row in each table except the table of players, which is empty. Returns the
 * size. */
static uint64_t add_stats(sections *x, const char *name)
{
    const size_t size = strlen(name);
    const uint64_t begin = x->end;
    uint8_t *at = add_section(x, SECTION_STATS, 8);
    memset(at, GAMES, 8);
    for (unsigned table = 0; table < STAMMA_STATS_TABLES; table++) {
        if (table == STAMMA_STATS_PLAYERS)
            continue;
        at = add_section(x, SECTION_STATS, 2 + size + 9);
        at[0] = 1;
        at[1] = (uint8_t)size;
        memcpy(at + 2, name, size);
        memset(at + 2 + size, 1, 9);
    }
    x->segment.parts[SECTION_STATS] = (index_part){begin, x->end - begin};
    return x->end - begin;
}

static stamma_error read_stats(sections *x, uint64_t *rows)
{
    stamma_stats *stats = NULL;
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    const stamma_error error = stamma_index_stats_read(&x->file, &x->segment, stats);
    *rows = stamma_stats_row_count(stats, STAMMA_STATS_TERMINATIONS);
    assert_true(take_damage(x) == (error != STAMMA_OK));
    stamma_stats_close(stats);
    return error;
}

static void wrong_statistics_are_noticed(void **state)
{
    static const char *const names[] = {"", "abc", "20\xFF"};
    uint64_t rows = 0;
    (void)state;
    sections *x = open_games();
    const uint64_t size = add_stats(x, "2000");
    assert_int_equal(read_stats(x, &rows), STAMMA_OK);
    assert_int_equal(rows, 1);
    for (uint64_t cut = 0; cut <= size + 1; cut++) { /* truncated, or with a byte after the end */
        x->segment.parts[SECTION_STATS].size = cut;
        assert_int_equal(read_stats(x, &rows), cut == size ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
    }
    x->bytes[x->segment.parts[SECTION_STATS].at] = GAMES + 1; /* games */
    x->segment.parts[SECTION_STATS].size = size;
    assert_int_equal(read_stats(x, &rows), STAMMA_ERROR_CORRUPT);
    x->bytes[x->segment.parts[SECTION_STATS].at] = GAMES;
    x->bytes[x->segment.parts[SECTION_STATS].at + 9] = 127; /* size of a name */
    assert_int_equal(read_stats(x, &rows), STAMMA_ERROR_CORRUPT);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        x = open_games();
        (void)add_stats(x, names[n]);
        assert_int_equal(read_stats(x, &rows), STAMMA_ERROR_CORRUPT);
    }
    x = open_games(); /* a player's name that cannot be read */
    (void)add_stats(x, "2000");
    x->segment.counts[COUNT_NAMES] = 1;
    memset(add_section(x, SECTION_NAMES, 9), 1, 9);
    x->segment.parts[SECTION_STATS].size += 9;
    assert_int_equal(read_stats(x, &rows), STAMMA_ERROR_CORRUPT);
}

/* ---- lists and names ---- */

static void wrong_lists_are_noticed(void **state)
{
    static const struct {
        uint8_t bytes[12];
        size_t size;
        uint32_t universe;
    } all[] = {
        {{0x80}, 1, 5},                                  /* a truncated count */
        {{6}, 1, 5},                                     /* more numbers than the section contains */
        {{5, 0xFF, 0xFF}, 3, 5},                         /* a number without an end */
        {{5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 7, 5}, /* ... and is above the limit */
        {{5, 0x1F}, 2, 5},                               /* 5 ones: the number 5 */
        {{1, 0xFF}, 2, 200},                             /* no low bits */
        {{1, 0x01}, 2, 255},                             /* 1 and truncated low bits: six of seven */
    };
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        index_list list;
        uint32_t number;
        stamma_index_list_begin(&list, all[n].bytes, all[n].size, all[n].universe);
        while (stamma_index_list_next(&list, all[n].universe, &number))
            ;
        assert_true(list.failed);
        assert_false(stamma_index_list_next(&list, all[n].universe, &number));
    }
}

static void wrong_names_are_noticed(void **state)
{
    index_list list;
    sections *x = open_games();
    (void)state;
    x->segment.counts[COUNT_NAMES] = 2;
    assert_null(stamma_index_name(&x->file, &x->segment, 0).data); /* no name */
    assert_null(stamma_index_name(&x->file, &x->segment, 3).data);
    assert_false(take_damage(x));
    assert_null(stamma_index_name(&x->file, &x->segment, 2).data); /* there are no starts */
    assert_true(take_damage(x));
    assert_false(stamma_index_name_games(&x->file, &x->segment, 1, &list));
    assert_true(take_damage(x));
    /* starts of missing name lists */
    static const uint32_t starts[] = {0, 3, 7, 9};
    add_ascending(x, SECTION_NAME_LIST_STARTS, starts, 4);
    assert_false(stamma_index_name_games(&x->file, &x->segment, 1, &list));
    assert_true(take_damage(x));
    /* ranks of games that leave the trie: the last node ends before rank 2 */
    static const uint32_t first[] = {0, 2};
    add_ascending(x, SECTION_NODE_FIRST, first, 2);
    assert_int_equal(stamma_index_node_of(&x->file, &x->segment, 1), 0);
    assert_int_equal(stamma_index_node_of(&x->file, &x->segment, 2), 0);
    assert_false(take_damage(x));
}

/* An empty name has no bytes, so it needs no valid page. Other names need valid pages. */
static void empty_names_are_read(void **state)
{
    static const uint32_t starts[] = {0, 0, 0, 1};
    static const uint8_t checks[4 * PAGES];
    sections *x = open_sections();
    (void)state;
    x->segment.counts[COUNT_NAMES] = 2;
    add_ascending(x, SECTION_NAME_STARTS, starts, 4);
    x->segment.checks = checks;
    x->segment.parts[SECTION_NAMES] = (index_part){ROOM - INDEX_PAGE, 1};
    atomic_store(&x->checked[PAGES / 8 - 1], 127);
    const stamma_text name = stamma_index_name(&x->file, &x->segment, 1);
    assert_true(name.data && name.size == 0 && !take_damage(x));
    assert_true(!stamma_index_name(&x->file, &x->segment, 2).data && take_damage(x));
}

/* Three names by their folded text, one with an escaped quote; patterns with and without wildcards, and each allocation
 * fails. */
static void names_are_matched(void **state)
{
    static const char names[] = "aabab\\\"";
    static const uint32_t starts[] = {0, 0, 1, 3, sizeof names - 1};
    static const struct {
        const char *pattern;
        uint8_t matches[4];
    } all[] = {{"a", {0, 1}},          {"a*", {0, 1, 1, 1}}, {"ab", {0, 0, 1}},
               {"ab\"", {0, 0, 0, 1}}, {"?b", {0, 0, 1}},    {"b", {0}}};
    sections *x = open_sections();
    (void)state;
    x->segment.counts[COUNT_NAMES] = 3;
    add_ascending(x, SECTION_NAME_STARTS, starts, 5);
    memcpy(add_section(x, SECTION_NAMES, sizeof names), names, sizeof names);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (unsigned at = 1;; at++) {
            uint8_t matches[4] = {0};
            failing_memory memory = {.fail_at = at};
            x->file.allocator = failing_allocator(&memory);
            const size_t found =
                stamma_index_names_match(&x->file, &x->segment, stamma_text_of(all[n].pattern), matches);
            assert_int_equal(memory.alive, 0);
            if (memory.calls >= at) {
                assert_true(found == SIZE_MAX);
                continue;
            }
            assert_memory_equal(matches, all[n].matches, sizeof matches);
            assert_int_equal(found, matches[1] + matches[2] + matches[3]);
            break;
        }
    assert_false(take_damage(x));
}

/* S with a caron in Windows-1252 sorts after all letters, but is matched like s. */
static void names_in_windows_1252_are_matched(void **state)
{
    static const char names[] = "aaasxa\212x\212x";
    static const uint32_t starts[] = {0, 0, 2, 5, 8, sizeof names - 1};
    static const struct {
        const char *pattern;
        uint8_t matches[5];
    } all[] = {{"as*", {0, 0, 1, 1, 0}}, {"asx", {0, 0, 1, 1, 0}}, {"sx", {0, 0, 0, 0, 1}},
               {"*sx", {0, 0, 1, 1, 1}}, {"a*", {0, 1, 1, 1, 0}},  {"as", {0}}};
    sections *x = open_sections();
    (void)state;
    x->file.allocator = stamma_allocator_or_default(NULL);
    x->segment.counts[COUNT_NAMES] = 4;
    add_ascending(x, SECTION_NAME_STARTS, starts, 6);
    memcpy(add_section(x, SECTION_NAMES, sizeof names), names, sizeof names);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        uint8_t matches[5] = {0};
        const size_t found = stamma_index_names_match(&x->file, &x->segment, stamma_text_of(all[n].pattern), matches);
        assert_memory_equal(matches, all[n].matches, sizeof matches);
        assert_int_equal(found, matches[1] + matches[2] + matches[3] + matches[4]);
    }
    assert_false(take_damage(x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_found),
        cmocka_unit_test(wrong_minima_are_noticed),
        cmocka_unit_test(games_are_numbered),
        cmocka_unit_test(wrong_numbers_are_noticed),
        cmocka_unit_test(odd_facts_are_found),
        cmocka_unit_test(descending_numbers_are_noticed),
        cmocka_unit_test(cut_sections_are_noticed),
        cmocka_unit_test(many_nodes),
        cmocka_unit_test(sums_are_read),
        cmocka_unit_test(large_numbers_are_noticed),
        cmocka_unit_test(wrong_sums_are_noticed),
        cmocka_unit_test(short_sums_are_noticed),
        cmocka_unit_test(wrong_statistics_are_noticed),
        cmocka_unit_test(wrong_lists_are_noticed),
        cmocka_unit_test(wrong_names_are_noticed),
        cmocka_unit_test(empty_names_are_read),
        cmocka_unit_test(names_are_matched),
        cmocka_unit_test(names_in_windows_1252_are_matched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
