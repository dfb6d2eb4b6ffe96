/* SPDX-License-Identifier: MIT */
/* Tests damaged index files with correct checksums: each limit of the directory is checked, and an index is not used
 * after an invalid section was found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "index_fixture.h"
#include "search/search_index.h"

enum { BLOCKS = INDEX_FIXTURE_BLOCKS, ROOM = 1 << 16 };

static int set_up(void **state)
{
    static index_fixture f;
    index_fixture_init(&f, index_fixture_text, 30);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    index_fixture_release(*state);
    return 0;
}

static stamma_error open_error(const index_fixture *f, const listing *file)
{
    return index_error(&f->archive, file->text, file->size);
}

/* ---- the directory ---- */

/* A field of the directory or of a table. */
typedef struct change {
    enum { OF_ENTRY, OF_TABLE, OF_FIRST_BLOCK, OF_LAST_BLOCK } of;
    unsigned segment;
    unsigned at;
    unsigned width;
    uint64_t value;
} change;

static uint8_t *changed_bytes(const listing *file, const change *c)
{
    switch (c->of) {
    case OF_ENTRY: return index_entry(file, c->segment) + c->at;
    case OF_TABLE: return index_table(file, c->segment) + c->at;
    case OF_FIRST_BLOCK: return index_block_entry(file, c->segment, 0) + c->at;
    default: return index_block_entry(file, c->segment, load_u32(index_table(file, c->segment)) - 1) + c->at;
    }
}

#define COUNT_AT(count) (AT_COUNTS + 4 * (count))

static void limits_of_the_directory(void **state)
{
    static const change all[] = {
        {OF_FIRST_BLOCK, 0, 32, 8, 18}, /* games of the block: the segment has others */
        {OF_LAST_BLOCK, 1, 32, 8, 18},
        {OF_ENTRY, 0, 0, 8, 1},
        {OF_ENTRY, 0, 0, 8, 0},
        {OF_ENTRY, 0, 0, 8, UINT64_C(1) << 62},
        {OF_ENTRY, 1, 0, 8, INDEX_PAGE}, /* the place of the first segment */
        {OF_ENTRY, 0, AT_SEGMENT_SIZE, 8, INDEX_PAGE - 1},
        {OF_ENTRY, 0, AT_SEGMENT_SIZE, 8, 0},
        {OF_ENTRY, 0, AT_SEGMENT_SIZE, 8, UINT64_C(1) << 62},
        {OF_ENTRY, 0, AT_TABLE_SIZE, 8, 0},
        {OF_ENTRY, 0, AT_TABLE_SIZE, 8, AT_PARTS - 1},
        {OF_ENTRY, 0, AT_TABLE_SIZE, 8, AT_PARTS},
        {OF_ENTRY, 0, AT_TABLE_SIZE, 8, UINT64_C(1) << 62},
        {OF_TABLE, 0, 0, 4, 0},
        {OF_TABLE, 0, 0, 4, BLOCKS + 1},
        {OF_TABLE, 0, 0, 4, UINT32_MAX},
        {OF_TABLE, 1, 0, 4, 2},
        {OF_TABLE, 0, AT_SECTION_COUNT, 4, INDEX_SECTIONS - 1},
        {OF_TABLE, 0, AT_SECTION_COUNT, 4, INDEX_SECTIONS + 1},
        {OF_TABLE, 0, AT_SECTION_COUNT, 4, UINT32_MAX},
        {OF_TABLE, 0, COUNT_AT(COUNT_GAMES), 4, 0},
        {OF_TABLE, 0, COUNT_AT(COUNT_GAMES), 4, 1000},
        {OF_TABLE, 0, COUNT_AT(COUNT_TYPED), 4, 1000},
        {OF_TABLE, 0, COUNT_AT(COUNT_RECORDS), 4, UINT32_C(1) << 28},
        {OF_TABLE, 0, COUNT_AT(COUNT_NODES), 4, 0},
        {OF_TABLE, 0, COUNT_AT(COUNT_NODES), 4, UINT32_C(1) << 28},
        {OF_TABLE, 0, COUNT_AT(COUNT_NAMES), 4, UINT32_C(1) << 30},
        {OF_TABLE, 0, COUNT_AT(COUNT_LISTS), 4, 0},
        {OF_TABLE, 0, COUNT_AT(COUNT_NODE_LISTS), 4, 0},
        {OF_TABLE, 0, COUNT_AT(COUNT_PLIES), 4, UINT32_C(65537)},
        {OF_TABLE, 0, COUNT_AT(COUNT_DEPTHS), 4, 257},
        {OF_TABLE, 0, COUNT_AT(COUNT_BITS), 4, UINT32_C(65537)},
        {OF_TABLE, 0, AT_PARTS, 8, UINT64_C(1) << 62},
        {OF_TABLE, 0, AT_PARTS + 8, 8, 1},
        {OF_TABLE, 0, AT_PARTS + 16 * SECTION_STATS + 8, 8, UINT64_C(1) << 62},
        {OF_TABLE, 0, AT_PARTS + 16 * SECTION_STATS, 8, 0},
    };
    const index_fixture *f = *state;
    assert_int_equal(open_error(f, &f->file), STAMMA_OK);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        listing file = index_copy(&f->file);
        uint8_t *at = changed_bytes(&file, &all[n]);
        if (all[n].width == 8)
            store_u64(at, all[n].value);
        else
            store_u32(at, (uint32_t)all[n].value);
        index_seal(&file);
        if (open_error(f, &file) != STAMMA_ERROR_CORRUPT)
            fail_msg("change %zu is accepted", n);
        free(file.text);
    }
}

/* A directory of the first segments only is the index of another archive: it is outdated, and lists fewer blocks. */
static void missing_segments(void **state)
{
    const index_fixture *f = *state;
    for (unsigned kept = 0; kept <= 2; kept++) {
        listing file = index_copy(&f->file);
        index_file opened;
        const stamma_bytes bytes = stamma_bytes_of(file.text, file.size);
        const stamma_allocator allocator = stamma_allocator_or_default(NULL);
        store_u64(index_root_of(&file) + AT_DIRECTORY_SIZE, (uint64_t)kept * ENTRY_SIZE);
        index_seal(&file);
        assert_int_equal(stamma_index_file_open(&opened, &bytes, &allocator), STAMMA_OK);
        assert_int_equal(opened.segment_count, kept);
        assert_int_equal(opened.block_count, kept == 0 ? 0 : kept == 1 ? 2 : BLOCKS);
        stamma_index_file_close(&opened);
        free(file.text);
    }
}

/* Invalid places of the directory. The file has no other root. */
static void limits_of_the_root(void **state)
{
    const index_fixture *f = *state;
    const uint64_t end = f->file.size - INDEX_ROOT_SIZE;
    const struct {
        unsigned at;
        uint64_t value;
    } all[] = {{AT_ROOT_NUMBER, 0},
               {AT_DIRECTORY, 0},
               {AT_DIRECTORY, INDEX_PAGE - 1},
               {AT_DIRECTORY, f->file.size + 1},
               {AT_DIRECTORY, UINT64_MAX},
               {AT_DIRECTORY, end - ENTRY_SIZE},
               {AT_DIRECTORY_SIZE, UINT64_MAX},
               {AT_DIRECTORY_SIZE, 2 * ENTRY_SIZE - 1},
               {AT_DIRECTORY_SIZE, 2 * ENTRY_SIZE + INDEX_ROOT_SIZE + ENTRY_SIZE}};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        listing file = index_copy(&f->file);
        store_u64(index_root_of(&file) + all[n].at, all[n].value);
        index_seal(&file);
        if (open_error(f, &file) != STAMMA_ERROR_CORRUPT)
            fail_msg("root %zu is accepted", n);
        free(file.text);
    }
}

/* Appends a section that this version does not know. */
static listing with_another_section(const listing *old)
{
    listing file = {0};
    const uint8_t *entry = index_entry(old, 1), *table = index_table(old, 1);
    const size_t before = (size_t)(table - (const uint8_t *)old->text) + AT_PARTS + 16 * INDEX_SECTIONS;
    const uint64_t size = load_u64(entry + AT_SEGMENT_SIZE), directory = load_u64(index_root_of(old) + AT_DIRECTORY);
    uint8_t part[16];
    store_u64(part, size - 8);
    store_u64(part + 8, 8);
    list_bytes(&file, old->text, before);
    list_bytes(&file, part, sizeof part);
    list_bytes(&file, old->text + before, old->size - before);
    store_u64(index_root_of(&file) + AT_DIRECTORY, directory + sizeof part);
    store_u64(index_entry(&file, 1) + AT_TABLE_SIZE, load_u64(entry + AT_TABLE_SIZE) + sizeof part);
    store_u32(index_table(&file, 1) + AT_SECTION_COUNT, INDEX_SECTIONS + 1);
    index_seal(&file);
    return file;
}

/* Readers skip sections of later versions, which must also be in order. Writers copy them. */
static void unknown_sections_are_skipped(void **state)
{
    const index_fixture *f = *state;
    listing file = with_another_section(&f->file), copy = {0};
    assert_int_equal(open_error(f, &file), STAMMA_OK);
    const stamma_bytes before = stamma_bytes_of(file.text, file.size);
    const stamma_index_write_options options = {.size = sizeof options, .before = &before, .before_count = 1};
    assert_int_equal(append_index(&f->archive, &options, &copy), STAMMA_OK);
    assert_int_equal(copy.size, file.size);
    assert_memory_equal(copy.text, file.text, file.size);
    uint8_t *part = index_table(&file, 1) + AT_PARTS + 16 * INDEX_SECTIONS;
    store_u64(part, load_u64(part) + 8); /* after the end of the segment */
    index_seal(&file);
    assert_int_equal(open_error(f, &file), STAMMA_ERROR_CORRUPT);
    store_u64(part, 0);
    index_seal(&file);
    assert_int_equal(open_error(f, &file), STAMMA_ERROR_CORRUPT);
    free(copy.text);
    free(file.text);
}

/* ---- sections ---- */

static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
    "rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N2N2/PP2PPPP/R2QKB1R b KQkq - 3 5",
    "rnbqkb1r/pp3ppp/2p1pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
};
static const char *const filters[] = {NULL, "{\"white\": \"smith, b\"}",
                                      "{\"rating\": \"1700..\", \"date\": \"1000..2010\"}",
                                      "{\"players\": [\"smith, *\", \"*, c\"]}"};

enum { FENS = 4, FILTERS = 4, ANSWERS = 2 * FENS + FILTERS + 3 };

static stamma_query *parse(const char *json)
{
    stamma_query *query = NULL;
    if (json)
        assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    return query;
}

static void search_games(stamma_archive *archive, const char *fen, listing *out)
{
    char json[200];
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    (void)snprintf(json, sizeof json, "{\"fen\": \"%s\"}", fen);
    stamma_query *query = parse(json);
    assert_int_equal(stamma_search_open(archive, query, NULL, &search), STAMMA_OK);
    while (stamma_search_next(search, &match) == STAMMA_OK && match)
        list_format(out, "%u:%u ", (unsigned)match->game, match->plies[0]);
    assert_int_equal(stamma_search_next(search, &match), STAMMA_OK);
    stamma_search_close(search);
    stamma_query_close(query);
}

/* Adds a tree as JSON, with or without the names of its games. */
static void make_tree(stamma_archive *archive, const char *fen, const char *filter, bool named, listing *out)
{
    static char json[ROOM];
    const stamma_text name = {"a", 1};
    stamma_position position;
    stamma_tree *tree = NULL;
    stamma_query *query = parse(filter);
    assert_int_equal(stamma_fen_read(stamma_text_of(fen), &position, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_tree_open(&position, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_keep_history(tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, name, archive, query, NULL, NULL), STAMMA_OK);
    if (named)
        assert_int_equal(stamma_tree_name_games(tree, name, archive, NULL), STAMMA_OK);
    const size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, sizeof json);
    assert_true(size < sizeof json);
    list_bytes(out, json, size);
    stamma_tree_close(tree);
    stamma_query_close(query);
}

static void count_games(stamma_archive *archive, listing *out)
{
    static char json[ROOM];
    stamma_stats *stats = NULL;
    stamma_stats_results results = {.games = 0};
    size_t size = 0;
    stamma_query *query = parse(filters[2]);
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    assert_int_equal(stamma_stats_add_archive(stats, archive, NULL, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_stats_write_json(stats, SIZE_MAX, json, sizeof json, &size), STAMMA_OK);
    assert_true(size < sizeof json);
    list_bytes(out, json, size);
    stamma_stats_close(stats);
    assert_int_equal(stamma_stats_count_archive(&results, archive, query, NULL, NULL), STAMMA_OK);
    list_format(out, " %u %u", (unsigned)results.games, (unsigned)results.draws);
    stamma_query_close(query);
}

static void find_players(stamma_archive *archive, listing *out)
{
    stamma_player found[20];
    stamma_players *players = NULL;
    size_t count = 0;
    assert_int_equal(stamma_players_open(NULL, &players), STAMMA_OK);
    assert_int_equal(stamma_players_add_archive(players, archive, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_players_find(players, stamma_text_of("s"), found, 20, &count), STAMMA_OK);
    for (size_t n = 0; n < count; n++)
        list_format(out, "%.*s %u %u; ", (int)found[n].name.size, found[n].name.data, (unsigned)found[n].games[0],
                    (unsigned)found[n].rating_max);
    stamma_players_close(players);
}

static listing answer(stamma_archive *archive, unsigned number)
{
    listing out = {0};
    list_word(&out, "");
    if (number < FENS)
        search_games(archive, fens[number], &out);
    else if (number < 2 * FENS)
        make_tree(archive, fens[number - FENS], NULL, false, &out);
    else if (number < 2 * FENS + FILTERS)
        make_tree(archive, fens[0], filters[number - 2 * FENS], false, &out);
    else if (number == ANSWERS - 3)
        count_games(archive, &out);
    else if (number == ANSWERS - 2)
        find_players(archive, &out);
    else
        make_tree(archive, fens[0], NULL, true, &out);
    return out;
}

/* Returns the answer without an index. */
static listing right_answer(const index_fixture *f, unsigned number)
{
    stamma_archive *archive = open_handle(&f->archive);
    const listing out = answer(archive, number);
    stamma_archive_close(archive);
    return out;
}

/* Requests the answers from `first` on until damage is noticed. Asserts that this answer is right. Returns whether
 * damage was noticed. */
static bool is_noticed(const index_fixture *f, const listing *file, const listing *wanted, unsigned first)
{
    stamma_archive *indexed = open_indexed(&f->archive, file);
    bool noticed = false;
    for (unsigned asked = 0; asked < ANSWERS && !noticed; asked++) {
        const unsigned n = (first + asked) % ANSWERS;
        listing got = answer(indexed, n);
        noticed = index_state(indexed).damaged;
        if (noticed && (got.size != wanted[n].size || memcmp(got.text, wanted[n].text, got.size) != 0))
            fail_msg("answer %u: %s\ninstead of %s", n, got.text, wanted[n].text);
        free(got.text);
    }
    stamma_archive_close(indexed);
    return noticed;
}

/* Changes some numbers of each section, first to the largest number, then to other numbers. */
static void sections_are_not_trusted(void **state)
{
    static const uint32_t values[] = {UINT32_MAX, 0, 0x80};
    enum { PLACES = 5 };
    const index_fixture *f = *state;
    listing wanted[ANSWERS];
    unsigned noticed[INDEX_SECTIONS] = {0};
    for (unsigned n = 0; n < ANSWERS; n++)
        wanted[n] = right_answer(f, n);
    listing file = index_copy(&f->file);
    assert_false(is_noticed(f, &file, wanted, 0));
    for (unsigned section = 0; section < INDEX_SECTIONS; section++) {
        size_t size;
        uint8_t *bytes = index_section_of(&file, 0, (index_section)section, &size);
        const size_t width = size < 4 ? size : 4;
        for (unsigned n = 0; n < PLACES * sizeof values / sizeof *values && size > 0; n++) {
            uint8_t kept[4], changed[4];
            uint8_t *at = bytes + (size - width) * (n % PLACES) / (PLACES - 1);
            memcpy(kept, at, width);
            store_u32(changed, values[n / PLACES]);
            memcpy(at, changed, width);
            index_seal(&file);
            noticed[section] += is_noticed(f, &file, wanted, 0);
            noticed[section] += is_noticed(f, &file, wanted, ANSWERS - 2);
            memcpy(at, kept, width);
        }
    }
    static const index_section checked[] = {
        SECTION_NODE_DEPTHS, SECTION_NODE_FIRST,  SECTION_GAMES,   SECTION_BLOCKS, SECTION_LENGTHS,
        SECTION_LIST_STARTS, SECTION_NAME_STARTS, SECTION_PLAYERS, SECTION_ODD,    SECTION_STATS};
    for (size_t n = 0; n < sizeof checked / sizeof *checked; n++)
        assert_true(noticed[checked[n]] > 0);
    for (unsigned n = 0; n < ANSWERS; n++)
        free(wanted[n].text);
    free(file.text);
}

/* Changes each byte of the trie, and requests trees first. */
static void the_trie_is_not_trusted(void **state)
{
    static const index_section sections[] = {SECTION_NODE_DEPTHS, SECTION_NODE_CODES, SECTION_NODE_FIRST};
    static const uint8_t values[] = {0, 1, 255};
    const index_fixture *f = *state;
    listing wanted[ANSWERS], file = index_copy(&f->file);
    unsigned noticed = 0;
    for (unsigned n = 0; n < ANSWERS; n++)
        wanted[n] = right_answer(f, n);
    for (size_t n = 0; n < sizeof sections / sizeof *sections; n++) {
        size_t size;
        uint8_t *bytes = index_section_of(&file, 0, sections[n], &size);
        for (size_t at = 0; at < size; at++)
            for (size_t k = 0; k < sizeof values; k++) {
                const uint8_t kept = bytes[at];
                bytes[at] = values[k];
                index_seal(&file);
                noticed += is_noticed(f, &file, wanted, 2 * FENS + 1);
                bytes[at] = kept;
            }
    }
    assert_true(noticed > 100);
    for (unsigned n = 0; n < ANSWERS; n++)
        free(wanted[n].text);
    free(file.text);
}

/* Names without games are not listed. */
static void names_without_games(void **state)
{
    const index_fixture *f = *state;
    listing file = index_copy(&f->file);
    for (unsigned n = 0; n < 2; n++) {
        size_t size;
        uint8_t *players = index_section_of(&file, n, SECTION_PLAYERS, &size);
        memset(players, 0, size);
    }
    index_seal(&file);
    stamma_archive *indexed = open_indexed(&f->archive, &file);
    listing got = answer(indexed, ANSWERS - 2);
    assert_string_equal(got.text, "");
    stamma_archive_close(indexed);
    free(got.text);
    free(file.text);
}

/* Many games that leave the trie at few nodes, so that the numbers of their ranks have low bits. */
static listing make_short_games(unsigned part)
{
    listing text = {0};
    for (unsigned n = 0; n < 60; n++)
        list_format(&text, "[White \"Smith, %c\"]\n[WhiteElo \"%u\"]\n\n%s *\n\n", 'A' + n % 5, 1600 + n + part,
                    n % 4 == 0   ? "1. e4"
                    : n % 4 == 1 ? "1. d4"
                    : n % 4 == 2 ? "1. d4 d5"
                                 : "");
    return text;
}

/* Returns whether damage is noticed while a tree is made. Asserts that the tree is right. */
static bool is_noticed_in_tree(const index_fixture *f, const char *fen, const char *filter, const listing *wanted)
{
    stamma_archive *indexed = open_indexed(&f->archive, &f->file);
    listing got = {0};
    make_tree(indexed, fen, filter, false, &got);
    const bool noticed = index_state(indexed).damaged;
    if (noticed)
        assert_string_equal(got.text, wanted->text);
    stamma_archive_close(indexed);
    free(got.text);
    return noticed;
}

/* Ranks of nodes that do not ascend. */
static void ranks_of_nodes(void **state)
{
    (void)state;
    index_fixture f;
    listing wanted[ANSWERS];
    unsigned noticed = 0;
    static const char fen[] = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1";
    listing tree = {0};
    index_fixture_init(&f, make_short_games, 60);
    stamma_archive *opened = open_handle(&f.archive);
    for (unsigned n = 0; n < ANSWERS; n++)
        wanted[n] = right_answer(&f, n);
    make_tree(opened, fen, filters[2], false, &tree);
    size_t size;
    uint8_t *bytes = index_section_of(&f.file, 0, SECTION_NODE_FIRST, &size);
    for (size_t at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] ^= (uint8_t)(1u << bit);
            index_seal(&f.file);
            noticed += is_noticed(&f, &f.file, wanted, 2 * FENS + 1);
            noticed += is_noticed_in_tree(&f, fen, filters[2], &tree);
            bytes[at] ^= (uint8_t)(1u << bit);
        }
    assert_true(noticed > 20);
    for (unsigned n = 0; n < ANSWERS; n++)
        free(wanted[n].text);
    free(tree.text);
    stamma_archive_close(opened);
    index_fixture_release(&f);
}

/* Long games that are shorter in each part: the trie has more nodes than a page has bytes. */
static listing make_long_games(unsigned part)
{
    listing text = {0};
    for (unsigned n = 0; n < 100; n++) {
        uint64_t seed = n;
        stamma_position p = stamma_position_start();
        for (unsigned ply = 0; ply < 64 - part; ply++) {
            stamma_move moves[STAMMA_MOVES_MAX];
            char san[STAMMA_SAN_SIZE];
            const size_t count = stamma_legal_moves(&p, moves);
            if (count == 0)
                break;
            seed = seed * UINT64_C(6364136223846793005) + 1;
            const stamma_move move = moves[(seed >> 33) % count];
            (void)stamma_san_write(&p, move, san, sizeof san);
            list_format(&text, ply % 2 ? "%.0u%s " : "%u. %s ", ply % 2 ? 0 : ply / 2 + 1, san);
            stamma_position_make(&p, move, &p);
        }
        list_word(&text, "*\n\n");
    }
    return text;
}

/* Only the page with codes of nodes is damaged. */
static void codes_of_nodes(void **state)
{
    static const char filter[] = "{\"result\": \"*\"}";
    (void)state;
    index_fixture f;
    index_fixture_init(&f, make_long_games, 0);
    size_t size;
    const uint8_t *bytes = index_section_of(&f.file, 0, SECTION_NODE_CODES, &size);
    const size_t codes = (size_t)(bytes - (const uint8_t *)f.file.text);
    assert_true(size > INDEX_PAGE);
    f.file.text[codes - codes % INDEX_PAGE + INDEX_PAGE - 1] ^= 1;
    stamma_archive *opened = open_handle(&f.archive), *indexed = open_indexed(&f.archive, &f.file);
    listing got = {0}, wanted = {0};
    make_tree(opened, fens[0], filter, false, &wanted);
    make_tree(indexed, fens[0], filter, false, &got);
    assert_true(index_state(indexed).damaged);
    assert_int_equal(got.size, wanted.size);
    assert_memory_equal(got.text, wanted.text, got.size);
    stamma_archive_close(opened);
    stamma_archive_close(indexed);
    free(got.text);
    free(wanted.text);
    index_fixture_release(&f);
}

/* If damage is noticed while the games of a tree are named, no name of the index file is kept. */
static void names_read_before_damage_are_not_kept(void **state)
{
    const index_fixture *f = *state;
    listing file = index_copy(&f->file), wanted = right_answer(f, ANSWERS - 1);
    size_t size;
    uint8_t *spelling = index_section_of(&file, 0, SECTION_NAMES, &size);
    assert_memory_equal(spelling, "Jones, ", 7);
    spelling[0] = 'B'; /* a wrong name */
    uint8_t *players = index_section_of(&file, 1, SECTION_PLAYERS, &size);
    memset(players, 255, size); /* and invalid numbers */
    index_seal(&file);
    stamma_archive *indexed = open_indexed(&f->archive, &file);
    listing got = answer(indexed, ANSWERS - 1);
    assert_true(index_state(indexed).damaged);
    assert_string_equal(got.text, wanted.text);
    stamma_archive_close(indexed);
    free(got.text);
    free(wanted.text);
    free(file.text);
}

/* A move that cannot be played in the position of a tree is damage. */
static void moves_of_trees_are_checked(void **state)
{
    const index_fixture *f = *state;
    listing file = index_copy(&f->file), wanted = right_answer(f, FENS);
    size_t size;
    index_section_of(&file, 0, SECTION_NODE_CODES, &size)[1] = 254; /* the first child of the root */
    index_seal(&file);
    stamma_archive *indexed = open_indexed(&f->archive, &file);
    listing got = answer(indexed, FENS);
    assert_string_equal(got.text, wanted.text);
    assert_true(index_state(indexed).damaged);
    stamma_archive_close(indexed);
    free(got.text);
    free(wanted.text);
    free(file.text);
}

/* ---- earlier indexes ---- */

/* Writes an index of the archive from an earlier index. Returns whether it equals an index that is made without the
 * earlier index. */
static bool is_made_again(const index_fixture *f, const listing *earlier)
{
    const stamma_bytes before = stamma_bytes_of(earlier->text, earlier->size);
    const stamma_index_write_options options = {
        .size = sizeof options, .segment_games = 30, .before = &before, .before_count = 1};
    listing file = {0};
    assert_int_equal(append_index(&f->archive, &options, &file), STAMMA_OK);
    const bool same = file.size == f->file.size && memcmp(file.text, f->file.text, file.size) == 0;
    free(file.text);
    return same;
}

/* The segment of an earlier index is only copied if its blocks have the heads, games and bytes of the archive's blocks.
 * In these files the segment has a wrong result of a game, which shows whether it is copied. */
static void segments_of_other_blocks(void **state)
{
    enum { AT_HEAD = 24, AT_GAMES = 32, AT_BYTES = 40 };
    static const unsigned changed[] = {0, AT_HEAD, AT_GAMES, AT_BYTES};
    const index_fixture *f = *state;
    for (size_t n = 0; n < sizeof changed / sizeof *changed; n++) {
        listing file = index_copy(&f->file);
        size_t size;
        uint8_t *blocks = index_block_entry(&file, 0, 0);
        index_section_of(&file, 0, SECTION_FACTS, &size)[5] ^= 1;
        if (n > 0) { /* the sum of both blocks of the segment is the same */
            store_u64(blocks + changed[n], load_u64(blocks + changed[n]) + 1);
            store_u64(blocks + changed[n] + BLOCK_SIZE, load_u64(blocks + changed[n] + BLOCK_SIZE) - 1);
        }
        index_seal(&file);
        assert_true(is_made_again(f, &file) == (n > 0));
        free(file.text);
    }
}

/* A segment of one block is made again together with the following blocks. All blocks have the same number of games. */
static void small_segments_are_merged(void **state)
{
    const index_fixture *f = *state;
    listing text = index_fixture_text(0), first = pack(text.text, text.size, NULL), file = index_file_of(&first);
    assert_true(is_made_again(f, &file));
    free(file.text);
    free(first.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_the_directory),
        cmocka_unit_test(missing_segments),
        cmocka_unit_test(limits_of_the_root),
        cmocka_unit_test(unknown_sections_are_skipped),
        cmocka_unit_test(sections_are_not_trusted),
        cmocka_unit_test(moves_of_trees_are_checked),
        cmocka_unit_test(segments_of_other_blocks),
        cmocka_unit_test(small_segments_are_merged),
        cmocka_unit_test(names_read_before_damage_are_not_kept),
        cmocka_unit_test(the_trie_is_not_trusted),
        cmocka_unit_test(ranks_of_nodes),
        cmocka_unit_test(names_without_games),
        cmocka_unit_test(codes_of_nodes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
