/* Tests what is found in a segment of an index file, whose sections are made here: nodes of random tries, records and
 * facts, compared with a search from the beginning. Invalid sections are noticed, although their checksums are right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "index/index.h"
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

/* Makes a trie. After each node, the next one is a child with a chance of `deeper` in 256, otherwise a later child of
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

/* Compares the end of a node and the moves that lead to it with those found from node to node. */
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

/* Minima that their nodes do not have end the search: with an error, or without one if they hide the rest. */
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

/* A record that the segment does not have, and a name that it does not have, are damage. */
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
    x->file.checks = checks;
    x->file.pages_end = ROOM;
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
    /* 5 and 105: high bits 0 and 1, low bits 5 and 41; the second now follows the first at once, and has no high bit */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_found),     cmocka_unit_test(wrong_minima_are_noticed),
        cmocka_unit_test(games_are_numbered),  cmocka_unit_test(wrong_numbers_are_noticed),
        cmocka_unit_test(odd_facts_are_found), cmocka_unit_test(descending_numbers_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
