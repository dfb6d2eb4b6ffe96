/* SPDX-License-Identifier: MIT */
/* Collects the blocks of a segment and makes its sections. */
#include "index/index_build.h"

#include <stdlib.h>

#include "query/query.h"

enum { BUILD_BUFFERS = 22 };

static void list_buffers(index_build *b, buffer *all[BUILD_BUFFERS])
{
    buffer *const list[BUILD_BUFFERS] = {&b->marks,      &b->sizes,     &b->plies,  &b->bits,        &b->depths,
                                         &b->codes,      &b->facts,     &b->ids,    &b->odd,         &b->group_starts,
                                         &b->own_moves,  &b->lengths,   &b->blocks, &b->node_depths, &b->node_codes,
                                         &b->node_first, &b->node_keys, &b->order,  &b->starts,      &b->crowded,
                                         &b->days,       &b->classes};
    memcpy(all, list, sizeof list);
}

void stamma_index_build_init(index_build *b, const stamma_allocator *allocator, const stamma_executor *executor)
{
    buffer *all[BUILD_BUFFERS];
    memset(b, 0, sizeof *b);
    b->executor = executor;
    b->allocator = b->names.allocator = allocator;
    b->names.copies = true;
    stamma_stats_init(&b->stats, allocator);
    list_buffers(b, all);
    for (size_t n = 0; n < BUILD_BUFFERS; n++)
        all[n]->allocator = allocator;
    for (size_t n = 0; n < INDEX_SECTIONS; n++)
        b->sections[n].allocator = allocator;
}

void stamma_index_build_release(index_build *b)
{
    buffer *all[BUILD_BUFFERS];
    list_buffers(b, all);
    for (size_t n = 0; n < BUILD_BUFFERS; n++)
        stamma_buffer_release(all[n]);
    for (size_t n = 0; n < INDEX_SECTIONS; n++)
        stamma_buffer_release(&b->sections[n]);
    stamma_text_table_release(&b->names);
    stamma_stats_release(&b->stats);
}

void stamma_index_build_clear(index_build *b)
{
    const stamma_allocator *allocator = b->allocator;
    const stamma_executor *executor = b->executor;
    stamma_index_build_release(b);
    stamma_index_build_init(b, allocator, executor);
}

/* ---- blocks ---- */

static void add_block_entry(index_build *b, const index_block_job *job)
{
    uint8_t entry[INDEX_BLOCK_SIZE] = {0};
    store_u32(entry, b->records);
    store_u32(entry + 4, build_groups(b));
    store_u64(entry + 8, job->owns ? b->own_moves.size : job->moves_at);
    store_u64(entry + 16, index_job_bytes(job));
    store_u32(entry + 24, job->owns);
    store_u32(entry + 28, b->group_bytes);
    buffer_add(&b->blocks, entry, sizeof entry);
}

static void add_groups(index_build *b, const index_block_job *job)
{
    const uint32_t *ends = (const uint32_t *)(const void *)job->group_ends.data;
    const uint32_t before = b->group_bytes;
    if (b->group_starts.size == 0)
        buffer_add(&b->group_starts, &before, sizeof before);
    for (size_t n = 0; n < job->group_ends.size / sizeof *ends; n++) {
        b->group_bytes = before + ends[n];
        buffer_add(&b->group_starts, &b->group_bytes, sizeof b->group_bytes);
    }
}

/* Adds the names of a block. Each record has the numbers of two names. */
static bool add_names(index_build *b, const index_block_job *job)
{
    const uint32_t *ids = (const uint32_t *)(const void *)job->ids.data;
    uint32_t *numbers = (uint32_t *)memory_allocate(b->allocator, (job->names.count + 1) * sizeof *numbers);
    bool added = numbers != NULL;
    for (size_t n = 1; n <= job->names.count && added; n++)
        added = (numbers[n] = stamma_text_table_add(&b->names, text_table_at(&job->names, n))) != 0;
    for (size_t n = 0; n < job->ids.size / sizeof *ids && added; n++) {
        uint32_t number = ids[n] > 0 ? numbers[ids[n]] : 0;
        buffer_add(&b->ids, &number, sizeof number);
    }
    memory_release(b->allocator, numbers);
    return added && !b->ids.failed;
}

static void append(buffer *to, const buffer *from)
{
    buffer_add(to, from->data, from->size);
}

stamma_error stamma_index_build_add(index_build *b, const index_block_job *job)
{
    add_block_entry(b, job);
    append(&b->marks, &job->marks);
    append(&b->sizes, &job->sizes);
    append(&b->plies, &job->plies);
    append(&b->bits, &job->bits);
    append(&b->depths, &job->depths);
    append(&b->codes, &job->codes);
    append(&b->facts, &job->facts);
    append(&b->days, &job->days);
    append(&b->classes, &job->classes);
    const odd_record *odd = (const odd_record *)(const void *)job->odd.data;
    for (size_t n = 0; n < job->odd.size / sizeof *odd; n++) {
        const odd_record moved = {b->records + odd[n].record, odd[n].values};
        buffer_add(&b->odd, &moved, sizeof moved);
    }
    add_groups(b, job);
    if (job->owns)
        append(&b->own_moves, &job->own_moves);
    buffer_add(&b->lengths, job->lengths, sizeof job->lengths);
    for (size_t n = 0; n < job->marks.size; n++)
        b->games += job->marks.data[n] & INDEXED_GAME;
    b->records += (uint32_t)job->marks.size;
    b->block_count++;
    buffer *all[BUILD_BUFFERS];
    bool failed = !add_names(b, job) || stamma_stats_merge(&b->stats, &job->stats) != STAMMA_OK;
    list_buffers(b, all);
    for (size_t n = 0; n < BUILD_BUFFERS; n++)
        failed |= all[n]->failed;
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* ---- sections ---- */

static void add_u32(index_build *b, index_section section, uint32_t number)
{
    index_add_u32(&b->sections[section], number);
}

static void add_u32_array(index_build *b, index_section section, const buffer *numbers)
{
    const uint32_t *all = (const uint32_t *)(const void *)numbers->data;
    for (size_t n = 0; n < numbers->size / sizeof *all; n++)
        add_u32(b, section, all[n]);
}

/* Makes room for `count` numbers of `bits` bits, all 0. Returns NULL if memory is exhausted. */
static uint8_t *make_bits(index_build *b, index_section section, uint64_t count, unsigned bits)
{
    size_t size = (size_t)index_bits_size(count, bits);
    uint8_t *bytes = (uint8_t *)buffer_array(&b->sections[section], size, 1);
    if (bytes)
        memset(bytes, 0, size);
    return bytes;
}

/* Packs the numbers of a section, which were added as u32. */
static bool pack_ascending(index_build *b, index_section section)
{
    buffer *numbers = &b->sections[section], packed = {.allocator = b->allocator};
    if (numbers->failed)
        return false;
    stamma_index_ascending_write(&packed, numbers->data, numbers->size / 4);
    stamma_buffer_release(numbers);
    *numbers = packed;
    return !packed.failed;
}

static void add_minima(index_build *b, const buffer *depths, index_section section)
{
    for (size_t n = 0; n < depths->size; n += INDEX_MIN_SPAN) {
        uint8_t least = UINT8_MAX;
        for (size_t k = n; k < n + INDEX_MIN_SPAN && k < depths->size; k++)
            least = depths->data[k] < least ? depths->data[k] : least;
        buffer_add_byte(&b->sections[section], least);
    }
}

/* ---- nodes ---- */

/* Lists nodes by their keys. */
static bool add_look_up(index_build *b)
{
    const uint32_t *keys = (const uint32_t *)(const void *)b->node_keys.data;
    size_t count = b->node_depths.size;
    uint32_t lists = (uint32_t)(count / INDEX_NODE_LIST_SIZE) + 1, next = 0;
    unsigned bits = bits_for(count);
    uint8_t *nodes = make_bits(b, SECTION_NODE_LISTS, count, bits);
    uint64_t *sorted = nodes ? (uint64_t *)memory_allocate(b->allocator, 2 * count * sizeof *sorted) : NULL;
    if (!sorted)
        return false;
    for (size_t n = 0; n < count; n++)
        sorted[n] = (uint64_t)keys[n] << 32 | n;
    stamma_index_sort(sorted, sorted + count, count, 32, 32);
    b->segment.counts[COUNT_NODE_LISTS] = lists;
    for (size_t n = 0; n < count; n++) {
        for (uint32_t list = index_list_of((uint32_t)(sorted[n] >> 32), lists); next <= list; next++)
            add_u32(b, SECTION_NODE_STARTS, (uint32_t)n);
        index_put_bits(nodes, n * (uint64_t)bits, (uint32_t)sorted[n]);
        buffer_add_byte(&b->sections[SECTION_NODE_PRINTS], index_key_print((uint32_t)(sorted[n] >> 32)));
    }
    for (; next <= lists; next++)
        add_u32(b, SECTION_NODE_STARTS, (uint32_t)count);
    memory_release(b->allocator, sorted);
    return true;
}

static bool add_nodes(index_build *b)
{
    append(&b->sections[SECTION_NODE_DEPTHS], &b->node_depths);
    append(&b->sections[SECTION_NODE_CODES], &b->node_codes);
    add_u32_array(b, SECTION_NODE_FIRST, &b->node_first);
    add_minima(b, &b->node_depths, SECTION_DEPTH_MINIMA);
    add_minima(b, &b->sections[SECTION_DEPTH_MINIMA], SECTION_DEPTH_MINIMA2);
    return add_look_up(b);
}

/* ---- games ---- */

static void add_odd(index_build *b, uint32_t rank, const index_odd *odd)
{
    add_u32(b, SECTION_ODD, rank);
    add_u32(b, SECTION_ODD, odd->rating[0] | (uint32_t)odd->rating[1] << 16);
    add_u32(b, SECTION_ODD, odd->first);
    add_u32(b, SECTION_ODD, odd->last);
}

static index_game game_of(const index_build *b, uint32_t record)
{
    const uint32_t plies = ((const uint32_t *)(const void *)b->plies.data)[record];
    const uint16_t bit = ((const uint16_t *)(const void *)b->bits.data)[record];
    return (index_game){record, plies, b->depths.data[record], bit};
}

/* Finds the limits of the numbers of typed games. */
static void limit_games(index_build *b)
{
    const uint32_t *order = (const uint32_t *)(const void *)b->order.data;
    uint32_t *counts = b->segment.counts;
    for (uint32_t rank = 0; rank < b->typed; rank++) {
        const index_game g = game_of(b, order[rank]);
        counts[COUNT_PLIES] = g.plies < counts[COUNT_PLIES] ? counts[COUNT_PLIES] : g.plies + 1;
        counts[COUNT_DEPTHS] = g.depth < counts[COUNT_DEPTHS] ? counts[COUNT_DEPTHS] : g.depth + 1;
        counts[COUNT_BITS] = g.bit < counts[COUNT_BITS] ? counts[COUNT_BITS] : g.bit + 1;
    }
}

/* Adds the numbers of a game. For games that are not typed, all numbers except the record are 0. */
static void add_game(const index_build *b, uint8_t *games, uint32_t rank, uint32_t record)
{
    const index_widths w = index_widths_of(b->segment.counts);
    const index_game g = game_of(b, record);
    const uint64_t at = (uint64_t)rank * w.sum;
    index_put_bits(games, at, record);
    if (rank >= b->typed)
        return;
    index_put_bits(games, at + w.record, g.plies);
    index_put_bits(games, at + w.record + w.plies, g.depth);
    index_put_bits(games, at + w.record + w.plies + w.depth, g.bit);
}

/* Adds the classes of all games by rank. */
static void add_classes(index_build *b)
{
    const uint32_t *order = (const uint32_t *)(const void *)b->order.data;
    const game_classes *classes = (const game_classes *)(const void *)b->classes.data;
    class_writer openings = {.out = &b->sections[SECTION_OPENINGS]}, codes = {.out = &b->sections[SECTION_CODES]};
    for (uint32_t rank = 0; rank < b->games; rank++) {
        stamma_index_add_class(&openings, classes[order[rank]].opening);
        stamma_index_add_class(&codes, classes[order[rank]].code);
    }
    stamma_index_end_classes(&openings);
    stamma_index_end_classes(&codes);
}

static bool add_games(index_build *b)
{
    const uint32_t *order = (const uint32_t *)(const void *)b->order.data;
    limit_games(b);
    uint8_t *games = make_bits(b, SECTION_GAMES, b->games, index_widths_of(b->segment.counts).sum);
    uint8_t *days = make_bits(b, SECTION_DAYS, b->games, INDEX_DAY_BITS);
    uint8_t *results = make_bits(b, SECTION_RESULTS, b->games, INDEX_RESULT_BITS);
    for (uint32_t rank = 0; rank < b->games && games && days && results; rank++) {
        const index_facts facts = index_facts_read(b->facts.data + (size_t)order[rank] * INDEX_FACTS_SIZE);
        add_game(b, games, rank, order[rank]);
        index_put_bits(days, (uint64_t)rank * INDEX_DAY_BITS, b->days.data[order[rank]]);
        index_put_bits(results, (uint64_t)rank * INDEX_RESULT_BITS, facts.result);
        if (index_facts_are_odd(&facts))
            add_odd(b, rank, &build_odd(b, order[rank])->values);
        buffer_add(&b->sections[SECTION_FACTS], b->facts.data + (size_t)order[rank] * INDEX_FACTS_SIZE,
                   INDEX_FACTS_SIZE);
    }
    return games && days && results && !b->sections[SECTION_FACTS].failed;
}

static void add_records(index_build *b)
{
    for (uint32_t n = 0; n < b->records; n++)
        if (!(b->marks.data[n] & INDEXED_GAME))
            add_u32(b, SECTION_NON_GAMES, n);
    append(&b->sections[SECTION_BLOCKS], &b->blocks);
    add_u32_array(b, SECTION_GROUP_STARTS, &b->group_starts);
    append(&b->sections[SECTION_LENGTHS], &b->lengths);
    append(&b->sections[SECTION_OWN_MOVES], &b->own_moves);
}

/* ---- names ---- */

typedef struct folded_name {
    const uint8_t *text;
    size_t size;
    uint32_t number;
} folded_name;

static int compare_names(const void *a, const void *b)
{
    const folded_name *one = (const folded_name *)a, *other = (const folded_name *)b;
    size_t least = one->size < other->size ? one->size : other->size;
    int order = least > 0 ? memcmp(one->text, other->text, least) : 0;
    if (order == 0)
        order = (one->size > other->size) - (one->size < other->size);
    return order != 0 ? order : (one->number > other->number) - (one->number < other->number);
}

/* Sorts the names by their folded texts. `folded` keeps the texts. */
static folded_name *sort_names(const index_build *b, buffer *folded)
{
    size_t count = b->names.count, at = 0;
    buffer plain = {.allocator = b->allocator};
    folded_name *list = (folded_name *)memory_allocate(b->allocator, (count + 1) * sizeof *list);
    for (size_t n = 0; n < count && list; n++) {
        size_t begin = folded->size;
        stamma_fold_latin1(text_table_at(&b->names, n + 1), &plain, folded);
        list[n] = (folded_name){NULL, folded->size - begin, (uint32_t)n + 1};
    }
    bool failed = plain.failed || folded->failed;
    stamma_buffer_release(&plain);
    if (!list || failed) {
        memory_release(b->allocator, list);
        return NULL;
    }
    for (size_t n = 0; n < count; at += list[n++].size)
        list[n].text = folded->data ? folded->data + at : (const uint8_t *)"";
    if (count > 1)
        qsort(list, count, sizeof *list, compare_names);
    return list;
}

/* Adds the names; numbers[n] becomes the new number of name n. */
static bool add_names_sorted(index_build *b, uint32_t *numbers)
{
    buffer folded = {.allocator = b->allocator};
    folded_name *list = sort_names(b, &folded);
    add_u32(b, SECTION_NAME_STARTS, 0);
    for (size_t n = 0; n < b->names.count && list; n++) {
        stamma_text text = text_table_at(&b->names, list[n].number);
        numbers[list[n].number] = (uint32_t)n + 1;
        add_u32(b, SECTION_NAME_STARTS, (uint32_t)b->sections[SECTION_NAMES].size);
        buffer_add(&b->sections[SECTION_NAMES], text.data, text.size);
    }
    add_u32(b, SECTION_NAME_STARTS, (uint32_t)b->sections[SECTION_NAMES].size);
    numbers[0] = 0;
    stamma_buffer_release(&folded);
    memory_release(b->allocator, list);
    return list != NULL;
}

/* Adds a list of ranks for each name. */
static bool add_name_lists(index_build *b, const uint32_t *ids)
{
    const uint32_t *order = (const uint32_t *)(const void *)b->order.data;
    size_t count = 0, names = b->names.count;
    buffer ranks = {.allocator = b->allocator};
    uint64_t *all = (uint64_t *)memory_allocate(b->allocator, 4 * (size_t)b->games * sizeof *all + 1);
    for (uint32_t rank = 0; rank < b->games && all; rank++)
        for (unsigned color = 0; color < 2; color++)
            if (ids[2 * (size_t)order[rank] + color] > 0)
                all[count++] = (uint64_t)ids[2 * (size_t)order[rank] + color] << 32 | rank;
    if (all)
        stamma_index_sort(all, all + count, count, 32, bits_for(names + 1));
    add_u32(b, SECTION_NAME_LIST_STARTS, 0);
    for (size_t n = 0, name = 1; name <= names && all; name++) {
        size_t begin = n;
        add_u32(b, SECTION_NAME_LIST_STARTS, (uint32_t)b->sections[SECTION_NAME_LISTS].size);
        while (n < count && all[n] >> 32 == name)
            n++;
        uint32_t *list = (uint32_t *)buffer_array(&ranks, n - begin, sizeof *list);
        size_t kept = 0;
        for (size_t k = begin; k < n && list; k++)
            if (kept == 0 || list[kept - 1] != (uint32_t)all[k])
                list[kept++] = (uint32_t)all[k];
        if (list)
            stamma_index_list_write(&b->sections[SECTION_NAME_LISTS], list, kept, b->games);
    }
    add_u32(b, SECTION_NAME_LIST_STARTS, (uint32_t)b->sections[SECTION_NAME_LISTS].size);
    bool added = all && !ranks.failed;
    stamma_buffer_release(&ranks);
    memory_release(b->allocator, all);
    return added;
}

static bool add_players(index_build *b)
{
    uint32_t *ids = (uint32_t *)(void *)b->ids.data;
    uint32_t *numbers = (uint32_t *)memory_allocate(b->allocator, (b->names.count + 1) * sizeof *numbers);
    unsigned bits = bits_for(b->names.count + 1);
    uint8_t *players = make_bits(b, SECTION_PLAYERS, 2 * (uint64_t)b->records, bits);
    bool added = numbers && players && add_names_sorted(b, numbers);
    for (size_t n = 0; n < 2 * (size_t)b->records && added; n++) {
        ids[n] = numbers[ids[n]];
        index_put_bits(players, n * bits, ids[n]);
    }
    memory_release(b->allocator, numbers);
    return added && add_name_lists(b, ids);
}

/* ---- the segment ---- */

static bool pack_starts(index_build *b)
{
    static const index_section sections[] = {SECTION_NODE_FIRST,  SECTION_NODE_STARTS, SECTION_GROUP_STARTS,
                                             SECTION_LIST_STARTS, SECTION_NAME_STARTS, SECTION_NAME_LIST_STARTS};
    bool packed = true;
    for (size_t n = 0; n < sizeof sections / sizeof *sections && packed; n++)
        packed = pack_ascending(b, sections[n]);
    return packed;
}

/* Places the sections one after another, each at a multiple of eight bytes. */
static bool place_sections(index_build *b)
{
    uint64_t at = 0;
    bool failed = false;
    for (size_t n = 0; n < INDEX_SECTIONS; n++) {
        b->segment.parts[n] = (index_part){at, b->sections[n].size};
        at = (at + b->sections[n].size + 7) & ~UINT64_C(7);
        failed |= b->sections[n].failed;
    }
    b->segment.size = (at + INDEX_PAGE - 1) & ~(uint64_t)(INDEX_PAGE - 1);
    return !failed;
}

stamma_error stamma_index_build_finish(index_build *b)
{
    uint32_t *counts = b->segment.counts;
    stamma_error error = stamma_index_make_trie(b);
    if (error == STAMMA_OK)
        error = stamma_index_make_postings(b);
    if (error != STAMMA_OK)
        return error;
    b->segment.blocks = b->block_count;
    counts[COUNT_GAMES] = b->games;
    counts[COUNT_TYPED] = b->typed;
    counts[COUNT_RECORDS] = b->records;
    counts[COUNT_NODES] = (uint32_t)b->node_depths.size;
    counts[COUNT_NAMES] = (uint32_t)b->names.count;
    counts[COUNT_GROUPS] = build_groups(b);
    if (!add_games(b))
        return STAMMA_ERROR_NO_MEMORY;
    add_classes(b);
    error = stamma_index_make_sums(b);
    stamma_buffer_release(&b->codes);
    if (error != STAMMA_OK)
        return error;
    bool made = add_nodes(b) && add_players(b) && stamma_index_make_stats(b);
    add_records(b);
    return made && pack_starts(b) && place_sections(b) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
