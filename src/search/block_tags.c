/* SPDX-License-Identifier: MIT */
/* Reads a few tag columns of a block for all its records, without decoding other values or moves. */
#include "search/block_tags.h"

void stamma_block_tags_init(block_tags *t, const stamma_allocator *allocator)
{
    memset(t, 0, sizeof *t);
    t->allocator = allocator;
    for (size_t n = 0; n < BLOCK_TAGS_MAX; n++) {
        t->texts[n].allocator = t->values[n].numbers.allocator = t->values[n].map.allocator = allocator;
        t->folded[n].bytes.allocator = t->folded[n].ends.allocator = t->folded[n].order.allocator = allocator;
        t->texts[n].copies = true;
    }
    t->opened.allocator = t->rosters.allocator = t->roster_list.allocator = t->picks.allocator = t->ends.allocator =
        allocator;
    stamma_tag_reader_init(&t->reader, allocator);
    stamma_openings_init(&t->openings, allocator);
    stamma_prefix_reader_init(&t->codes, allocator);
}

void stamma_block_tags_trim(block_tags *t)
{
    buffer *const all[] = {&t->rosters, &t->roster_list, &t->picks, &t->ends};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    for (size_t n = 0; n < BLOCK_TAGS_MAX; n++)
        stamma_buffer_release(&t->values[n].map);
    stamma_tag_reader_release(&t->reader);
    stamma_openings_release(&t->openings);
    stamma_prefix_reader_release(&t->codes);
    stamma_byte_packer_release(&t->coder);
}

void stamma_block_tags_release(block_tags *t)
{
    stamma_block_tags_trim(t);
    stamma_buffer_release(&t->opened);
    for (size_t n = 0; n < BLOCK_TAGS_MAX; n++) {
        stamma_buffer_release(&t->values[n].numbers);
        stamma_text_table_release(&t->texts[n]);
        stamma_buffer_release(&t->folded[n].bytes);
        stamma_buffer_release(&t->folded[n].ends);
        stamma_buffer_release(&t->folded[n].order);
    }
}

size_t stamma_block_tags_memory(const block_tags *t)
{
    size_t size = sizeof *t + t->opened.capacity;
    for (size_t n = 0; n < BLOCK_TAGS_MAX; n++)
        size += t->values[n].numbers.capacity + stamma_text_table_memory(&t->texts[n]) + t->folded[n].bytes.capacity +
                t->folded[n].ends.capacity + t->folded[n].order.capacity;
    return size;
}

const tag_values *stamma_block_tags_find(const block_tags *t, stamma_text name)
{
    for (size_t n = 0; n < t->count; n++)
        if (text_equal(t->values[n].name, name))
            return t->values[n].known ? &t->values[n] : NULL;
    return NULL;
}

/* ---- wanted tags ---- */

static bool is_player(stamma_text name)
{
    return name.size == 5 && (memcmp(name.data, "White", 5) == 0 || memcmp(name.data, "Black", 5) == 0);
}

static void begin_values(block_tags *t, const stamma_text *names, size_t count)
{
    size_t player = BLOCK_TAGS_MAX;
    t->count = count;
    for (size_t n = 0; n < count; n++) {
        tag_values *v = &t->values[n];
        v->name = names[n];
        v->known = true;
        v->numbers.size = v->map.size = 0;
        v->texts = (uint8_t)n;
        stamma_text_table_clear(&t->texts[n]);
        t->folded[n].order.size = 0;
        if (is_player(names[n])) {
            player = player < n ? player : n;
            v->texts = (uint8_t)player;
        }
    }
}

/* ---- columns ---- */

static stamma_error take_column(block_tags *t, const column_entry *e, const uint8_t *stored)
{
    const cursor bytes = {stored, stored + e->stored_size, false};
    if (e->id == COLUMN_ROSTERS)
        return stamma_column_read(&t->coder, e, stored, &t->rosters);
    if (e->id == COLUMN_ROSTER_LIST)
        return stamma_column_read(&t->coder, e, stored, &t->roster_list);
    if (e->id != COLUMN_TAG)
        return STAMMA_OK;
    if (!column_is_whole(e, stored))
        return STAMMA_ERROR_CORRUPT;
    return stamma_tag_reader_add(&t->reader, &t->coder, e->name, e->codec, bytes, e->plain_size);
}

static stamma_error take_columns(block_tags *t, const found_block *at)
{
    cursor directory = {at->payload, at->payload + at->head_size, false};
    cursor body = {at->payload + at->head_size, at->payload + at->size, false};
    block_head head;
    uint64_t total = 0;
    stamma_error error = stamma_block_read_head(&directory, &head);
    t->reader.plain_left = head.text_size;
    for (uint64_t n = 0; n < head.columns && error == STAMMA_OK; n++) {
        column_entry e;
        if (!stamma_column_read_entry(&directory, &e) || (total += e.plain_size) > block_columns_max(&head))
            return STAMMA_ERROR_CORRUPT;
        const uint8_t *stored = cursor_take(&body, e.stored_size);
        error = stored ? take_column(t, &e, stored) : STAMMA_ERROR_CORRUPT;
    }
    return error;
}

/* ---- rosters ---- */

/* A column to read in records with a roster, and the number of its tag. BLOCK_TAGS_MAX: the tag is not wanted. */
typedef struct pick {
    uint16_t column;
    uint16_t tag;
} pick;

/* Columns to read, ascending. */
typedef struct pick_list {
    pick picks[TAG_COLUMNS_MAX];
    size_t count;
} pick_list;

static size_t tag_of(const block_tags *t, size_t column)
{
    size_t n = 0;
    while (n < t->count && !text_equal(t->values[n].name, tag_column_name(&t->reader, column)))
        n++;
    return n < t->count ? n : BLOCK_TAGS_MAX;
}

/* Lists the columns of the wanted tags and the columns on which their decoding depends. */
static void list_needed(block_tags *t, const block_index *x, pick_list *list)
{
    uint8_t all[TAG_COLUMNS_MAX] = {0}, needed[TAG_COLUMNS_MAX];
    list->count = 0;
    t->plays = false;
    for (size_t column = 0; column < t->reader.count; column++) {
        size_t tag = tag_of(t, column);
        if (tag == BLOCK_TAGS_MAX)
            continue;
        memset(needed, 0, sizeof needed);
        tag_need need = stamma_tag_reader_need(&t->reader, column, needed);
        t->values[tag].known = need == TAG_NEEDS_NOTHING || (need == TAG_NEEDS_OPENING && x->has_beginnings);
        t->plays |= need == TAG_NEEDS_OPENING && t->values[tag].known;
        for (size_t n = 0; n < t->reader.count && t->values[tag].known; n++)
            all[n] |= needed[n];
    }
    for (size_t column = 0; column < t->reader.count; column++)
        if (all[column])
            list->picks[list->count++] = (pick){(uint16_t)column, (uint16_t)tag_of(t, column)};
}

/* Lists, for each roster, the needed columns that the roster contains. */
static stamma_error read_rosters(block_tags *t, const pick_list *list)
{
    cursor in = buffer_cursor(&t->roster_list);
    t->picks.size = t->ends.size = 0;
    for (size_t number = 0; cursor_left(&in) > 0; number++) {
        uint8_t has[TAG_COLUMNS_MAX] = {0};
        for (uint64_t left = stamma_cursor_varint(&in); left > 0; left--) {
            uint64_t column = stamma_cursor_varint(&in);
            if (in.failed || column >= t->reader.count || has[column])
                return STAMMA_ERROR_CORRUPT;
            has[column] = 1;
        }
        for (size_t n = 0; n < list->count; n++)
            if (has[list->picks[n].column])
                buffer_add(&t->picks, &list->picks[n], sizeof *list->picks);
        uint32_t end = (uint32_t)(t->picks.size / sizeof(pick));
        buffer_add(&t->ends, &end, sizeof end);
        if (number == ROSTERS_MAX)
            return STAMMA_ERROR_CORRUPT;
    }
    return t->picks.failed || t->ends.failed ? STAMMA_ERROR_NO_MEMORY : in.failed ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

/* ---- values ---- */

/* Returns the place where the number of a dictionary text is stored. Returns NULL for a text without an index, and if
 * memory is exhausted; adding the text then fails, too. */
static uint32_t *mapped(block_tags *t, tag_values *v, size_t column)
{
    uint32_t index = column < TAG_CODED_MAX ? t->reader.now.indices[column] : 0;
    size_t size = (index + (size_t)1) * sizeof index;
    if (index == 0)
        return NULL;
    if (v->map.size < size) {
        if (!buffer_reserve(&v->map, size - v->map.size))
            return NULL;
        memset(v->map.data + v->map.size, 0, size - v->map.size);
        v->map.size = size;
    }
    return (uint32_t *)(void *)v->map.data + index;
}

static bool note_value(block_tags *t, const block_index *x, size_t record, const pick *p, stamma_text value)
{
    tag_values *v = &t->values[p->tag];
    uint32_t *known = mapped(t, v, p->column);
    uint32_t number = known && *known ? *known : stamma_text_table_add(&t->texts[v->texts], value);
    if (number == 0)
        return false;
    if (known)
        *known = number;
    if (v->numbers.size == 0) {
        size_t size = x->records * sizeof number;
        if (!buffer_reserve(&v->numbers, size))
            return false;
        memset(v->numbers.data, 0, size);
        v->numbers.size = size;
    }
    ((uint32_t *)(void *)v->numbers.data)[record] = number;
    return true;
}

stamma_error stamma_block_first_codes(prefix_reader *reader, const prefix_column *c, size_t record, size_t most,
                                      uint8_t *codes)
{
    const prefix_node *nodes = prefix_nodes(c);
    const prefix_record *r = &prefix_records(c)[record];
    const size_t depth = nodes[r->node].depth;
    const uint8_t *rest = NULL;
    for (uint32_t at = r->node; at != 0; at = nodes[at].parent)
        if (nodes[at].depth <= most)
            codes[nodes[at].depth - 1] = nodes[at].code;
    if (depth >= most || r->size == 0)
        return STAMMA_OK;
    size_t left = most - depth < r->size ? most - depth : r->size;
    stamma_error error = stamma_prefix_reader_first(reader, record, left, &rest);
    if (error == STAMMA_OK)
        memcpy(codes + depth, rest, left);
    return error;
}

stamma_error stamma_block_opening(opening_finder *f, prefix_reader *reader, const block_index *x, size_t record,
                                  unsigned *opening)
{
    uint8_t codes[OPENING_PLIES];
    size_t plies = block_index_plies(x)[record];
    *opening = 0;
    if (plies == 0)
        return STAMMA_OK;
    stamma_error error = stamma_block_first_codes(reader, &x->beginnings, record, OPENING_PLIES, codes);
    return error == STAMMA_OK
               ? stamma_opening_of_codes(f, codes, plies < OPENING_PLIES ? plies : OPENING_PLIES, opening)
               : error;
}

/* Sets the opening of a record. Columns that depend on it can be read afterwards. */
static stamma_error play(block_tags *t, const block_index *x, size_t record)
{
    const stamma_position none = stamma_position_start();
    unsigned opening = 0;
    stamma_error error = STAMMA_OK;
    if (!(x->marks.data[record] & RECORD_IS_SET_UP))
        error = stamma_block_opening(&t->openings, &t->codes, x, record, &opening);
    if (t->opened.size > 0)
        ((uint16_t *)(void *)t->opened.data)[record] = (uint16_t)opening;
    stamma_tag_reader_play(&t->reader, opening, &none);
    return error;
}

static stamma_error read_record(block_tags *t, const block_index *x, size_t record, const pick *p, const pick *end)
{
    stamma_text value;
    stamma_error error = STAMMA_OK;
    bool played = !t->plays;
    stamma_tag_reader_begin(&t->reader, block_index_plies(x)[record]);
    for (; p < end && error == STAMMA_OK; p++) {
        if (!played && p->column >= t->reader.post_game) {
            error = play(t, x, record);
            played = true;
        }
        if (error == STAMMA_OK && !stamma_tag_reader_take(&t->reader, p->column, &value))
            return t->reader.no_memory                     ? STAMMA_ERROR_NO_MEMORY
                   : stamma_search_is_stopped(t->limits) ? STAMMA_ERROR_CANCELLED
                                                         : STAMMA_ERROR_CORRUPT;
        if (error == STAMMA_OK && p->tag < BLOCK_TAGS_MAX && !note_value(t, x, record, p, value))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return error;
}

/* Number of records between checks of the limits. The time for the values of a record may be 0.1 ms. */
enum { RECORDS_AT_ONCE = 64 };

static stamma_error read_records(block_tags *t, const block_index *x)
{
    cursor in = buffer_cursor(&t->rosters);
    const pick *picks = (const pick *)(const void *)t->picks.data;
    const uint32_t *ends = (const uint32_t *)(const void *)t->ends.data;
    size_t count = t->ends.size / sizeof *ends;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < x->records && t->picks.size > 0 && error == STAMMA_OK; n++) {
        uint64_t roster = cursor_varint(&in);
        if (n % RECORDS_AT_ONCE == 0 && stamma_search_is_stopped(t->limits))
            return STAMMA_ERROR_CANCELLED;
        if (roster >= count)
            return STAMMA_ERROR_CORRUPT;
        error = read_record(t, x, n, picks + (roster > 0 ? ends[roster - 1] : 0), picks + ends[roster]);
    }
    return error;
}

/* Marks all openings as not yet known. */
static bool begin_openings(block_tags *t, const block_index *x)
{
    size_t size = t->keeps_openings && x->has_beginnings ? x->records * sizeof(uint16_t) : 0;
    uint8_t *opened = (uint8_t *)buffer_array(&t->opened, size, 1);
    if (opened)
        memset(opened, 0xFF, size);
    return opened != NULL;
}

/* Finds the openings that reading the tags did not need. */
static stamma_error keep_openings(block_tags *t, const block_index *x)
{
    uint16_t *openings = (uint16_t *)(void *)t->opened.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < t->opened.size / sizeof *openings && error == STAMMA_OK; n++) {
        unsigned opening = 0;
        if (openings[n] <= OPENINGS)
            continue;
        if (!(x->marks.data[n] & RECORD_IS_SET_UP))
            error = stamma_block_opening(&t->openings, &t->codes, x, n, &opening);
        openings[n] = (uint16_t)opening;
    }
    return error;
}

stamma_error stamma_block_tags_open(block_tags *t, const block_index *x, const found_block *at,
                                    const stamma_text *names, size_t count)
{
    pick_list needed;
    t->rosters.size = t->roster_list.size = 0;
    stamma_tag_reader_clear(&t->reader);
    t->reader.stop = t->limits ? &t->limits->check : NULL;
    begin_values(t, names, count);
    stamma_error error = begin_openings(t, x) ? take_columns(t, at) : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && x->has_beginnings)
        stamma_prefix_reader_begin(&t->codes, &x->beginnings, at->payload + x->moves_at);
    if (error == STAMMA_OK) {
        list_needed(t, x, &needed);
        error = read_rosters(t, &needed);
    }
    if (error == STAMMA_OK)
        error = read_records(t, x);
    return error == STAMMA_OK ? keep_openings(t, x) : error;
}

/* ---- sorted texts ---- */

static const uint32_t *numbers_of(const buffer *b)
{
    return (const uint32_t *)(const void *)b->data;
}

static stamma_text folded_text(const folded_texts *f, uint32_t number)
{
    const uint32_t *ends = numbers_of(&f->ends);
    return (stamma_text){(const char *)buffer_at(&f->bytes, ends[number - 1]), ends[number] - ends[number - 1]};
}

/* Compares at most the first `most` bytes. */
static int compare_texts(stamma_text a, stamma_text b, size_t most)
{
    size_t first = a.size < most ? a.size : most, second = b.size < most ? b.size : most;
    size_t least = first < second ? first : second;
    int order = least == 0 ? 0 : memcmp(a.data, b.data, least);
    return order != 0 ? order : (first > second) - (first < second);
}

/* Heap sort: qsort cannot pass the texts to its comparison, and heap sort is fast for every input. */
static void sift(const folded_texts *f, uint32_t *order, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count &&
            compare_texts(folded_text(f, order[child]), folded_text(f, order[child + 1]), SIZE_MAX) < 0)
            child++;
        if (compare_texts(folded_text(f, order[at]), folded_text(f, order[child]), SIZE_MAX) >= 0)
            return;
        uint32_t moved = order[at];
        order[at] = order[child];
        order[child] = moved;
    }
}

static void sort_texts(const folded_texts *f, uint32_t *order, size_t count)
{
    for (size_t at = count / 2; at-- > 0;)
        sift(f, order, at, count);
    for (size_t end = count; end-- > 1;) {
        uint32_t moved = order[0];
        order[0] = order[end];
        order[end] = moved;
        sift(f, order, 0, end);
    }
}

static bool fold_texts(const text_table *texts, folded_texts *f, buffer *scratch)
{
    uint32_t end = 0;
    f->bytes.size = f->ends.size = f->order.size = 0;
    buffer_add(&f->ends, &end, sizeof end);
    for (uint32_t n = 1; n <= texts->count; n++) {
        stamma_fold_value(text_table_at(texts, n), scratch, &f->bytes);
        end = (uint32_t)f->bytes.size;
        buffer_add(&f->ends, &end, sizeof end);
        buffer_add(&f->order, &n, sizeof n);
    }
    if (f->bytes.failed || f->ends.failed || f->order.failed || scratch->failed)
        return false;
    sort_texts(f, (uint32_t *)(void *)f->order.data, texts->count);
    return true;
}

stamma_error stamma_block_tags_fold(block_tags *t)
{
    bool folded = true;
    for (size_t n = 0; n < t->count && folded; n++)
        folded = t->texts[n].count == 0 || fold_texts(&t->texts[n], &t->folded[n], &t->rosters);
    return folded ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Returns the number of texts that sort before all texts with this prefix. */
static size_t find_beginning(const folded_texts *f, stamma_text beginning)
{
    const uint32_t *order = numbers_of(&f->order);
    size_t low = 0, high = f->order.size / sizeof *order;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_texts(folded_text(f, order[middle]), beginning, beginning.size) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool stamma_block_tags_match(const block_tags *t, const tag_values *v, stamma_text pattern, uint8_t *matches)
{
    const folded_texts *f = &t->folded[v->texts];
    const uint32_t *order = numbers_of(&f->order);
    size_t count = f->order.size / sizeof *order;
    stamma_text beginning = {pattern.data, 0};
    if (count != t->texts[v->texts].count)
        return false;
    while (beginning.size < pattern.size && pattern.data[beginning.size] != '*' && pattern.data[beginning.size] != '?')
        beginning.size++;
    for (size_t n = find_beginning(f, beginning); n < count; n++) {
        stamma_text text = folded_text(f, order[n]);
        if (compare_texts(text, beginning, beginning.size) != 0)
            break;
        matches[order[n]] |= stamma_pattern_matches(pattern, text);
    }
    return true;
}
