/* SPDX-License-Identifier: MIT */
/* Decodes columns of tag values (clause 15). The input is not trusted. */
#include "tags/tags.h"

enum { STREAM_PARAMETERS, STREAM_SYMBOLS, STREAM_BITS, STREAM_LITERALS, STREAM_MAP, STREAM_SPELT, TAG_STREAMS };

/* ---- columns ---- */

void stamma_tag_reader_init(tag_reader *r, const stamma_allocator *allocator)
{
    memset(r, 0, sizeof *r);
    r->allocator = r->rows.allocator = allocator;
}

static void init_column(tag_column *c, const stamma_allocator *allocator)
{
    *c = (tag_column){.name.allocator = allocator};
    c->literals.allocator = c->literal.allocator = c->classes.allocator = c->texts.allocator = c->joined.allocator =
        allocator;
    c->dictionary.older.allocator = c->map.allocator = allocator;
    for (size_t i = 0; i < TAG_STREAMS; i++)
        c->streams[i].allocator = allocator;
    for (size_t i = 0; i < TAG_SOURCES_MAX; i++)
        c->memories[i].allocator = allocator;
}

static void release_mixed(tag_column *c, const stamma_allocator *allocator)
{
    if (c->mixed && !c->mixed->plan.shared)
        stamma_mixed_texts_delete(c->mixed->texts);
    memory_release(allocator, c->mixed);
    c->mixed = NULL;
    stamma_spelt_close(c->spelt);
    c->spelt = NULL;
}

void stamma_tag_reader_release(tag_reader *r)
{
    for (size_t n = 0; n < r->capacity; n++) {
        tag_column *c = &r->columns[n];
        release_mixed(c, r->allocator);
        stamma_field_column_release(c->fields, r->allocator);
        buffer *const all[] = {&c->name,   &c->literals,         &c->classes, &c->texts,
                               &c->joined, &c->dictionary.older, &c->map,     &c->literal};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            stamma_buffer_release(all[i]);
        for (size_t i = 0; i < TAG_STREAMS; i++)
            stamma_buffer_release(&c->streams[i]);
        for (size_t i = 0; i < TAG_SOURCES_MAX; i++)
            stamma_buffer_release(&c->memories[i]);
    }
    stamma_buffer_release(&r->rows);
    memory_release(r->allocator, r->columns);
    r->columns = NULL;
    r->count = r->capacity = 0;
}

static void release_fields(tag_column *c, const stamma_allocator *allocator)
{
    stamma_field_column_release(c->fields, allocator);
    c->fields = NULL;
}

void stamma_tag_reader_clear(tag_reader *r)
{
    for (size_t n = 0; n < r->capacity; n++) {
        release_mixed(&r->columns[n], r->allocator);
        release_fields(&r->columns[n], r->allocator);
    }
    r->count = r->post_game = r->models = r->slots = r->later = 0;
    r->plain_left = UINT64_MAX;
    r->openings = r->remembered = r->ends = r->no_memory = r->tolerant = false;
}

static tag_column *add_column(tag_reader *r)
{
    if (r->count == r->capacity) {
        size_t capacity = r->capacity < 16 ? 16 : r->capacity * 2;
        tag_column *resized = (tag_column *)memory_resize(r->allocator, r->columns, capacity * sizeof *resized);
        if (!resized)
            return NULL;
        for (r->columns = resized; r->capacity < capacity; r->capacity++)
            init_column(&resized[r->capacity], r->allocator);
    }
    tag_column *c = &r->columns[r->count];
    c->name.size = c->literals.size = c->classes.size = c->texts.size = 0;
    stamma_tag_dictionary_clear(&c->dictionary);
    for (size_t i = 0; i < TAG_SOURCES_MAX; i++)
        stamma_buffer_empty(&c->memories[i]);
    c->map.size = 0;
    c->coded = c->post_game = c->later = c->lost = false;
    c->unknown = 0;
    c->taken = 0;
    c->last = c->second = c->known = c->used = 0;
    c->levels[0] = NULL; /* set when the first value is read */
    return c;
}

/* Returns whether all sources refer to earlier columns. */
static bool sources_stand_before(const tag_plan *plan, size_t column)
{
    for (size_t i = 0; i < plan->source_count; i++) {
        const tag_source *s = &plan->sources[i];
        if ((s->what < TAG_CODED_MAX && s->what >= column) ||
            (plan->numbers && s->base != TAG_NONE && s->base >= column))
            return false;
    }
    return true;
}

/* Returns whether a coded column can share the dictionary of another. */
static bool is_same_kind(const tag_column *c, const tag_column *other)
{
    return other->coded && c->plan.numbers == other->plan.numbers && c->plan.indexed == other->plan.indexed &&
           c->plan.spelt == other->plan.spelt;
}

static stamma_error read_plan(tag_reader *r, tag_column *c, unsigned codec, cursor *parameters)
{
    size_t column = r->count;
    if (column >= TAG_CODED_MAX || !stamma_tag_plan_read(parameters, codec, &c->plan) ||
        !sources_stand_before(&c->plan, column))
        return STAMMA_ERROR_CORRUPT;
    c->coded = true;
    c->post_game = stamma_tag_plan_is_post_game(&c->plan);
    c->owner = (uint8_t)column;
    if (c->plan.shared) {
        if (column == 0 || !is_same_kind(c, &r->columns[column - 1]))
            return STAMMA_ERROR_CORRUPT;
        c->owner = r->columns[column - 1].owner;
    }
    for (size_t i = 0; i < c->plan.source_count && !c->plan.numbers; i++) {
        unsigned what = c->plan.sources[i].what;
        r->openings |= what >= FACT_OPENING && what < FACT_MADE;
        r->remembered |= what == FACT_OPENING && c->plan.sources[i].kind == SOURCE_RECALL;
        r->ends |= what == FACT_FEN || what == FACT_FEN_FIELDS;
    }
    return STAMMA_OK;
}

/* Prepares texts that are fields. They are decoded one at a time when they are read, into a buffer that does not move.
 * They are decoded all at once if the column is large or mixed, or if there are many such columns. */
static stamma_error read_fields(tag_reader *r, byte_packer *coder, tag_column *c, cursor stored, uint64_t plain_size)
{
    enum { LATER_SIZE_MAX = 1 << 20, LATER_MAX = 16 };
    if (plain_size > LATER_SIZE_MAX || r->later == LATER_MAX)
        return stamma_field_column_read(coder, stored, (size_t)plain_size, &c->literals);
    release_fields(c, r->allocator);
    if (!(c->fields = stamma_field_column_new(r->allocator)) || !buffer_reserve(&c->literals, (size_t)plain_size))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = stamma_field_column_open(coder, stored, plain_size, r->allocator, c->fields);
    if (error != STAMMA_OK)
        return error;
    c->later = !stamma_field_column_is_mixed(c->fields);
    r->later += c->later;
    if (c->later)
        return STAMMA_OK;
    release_fields(c, r->allocator);
    return stamma_field_column_read(coder, stored, (size_t)plain_size, &c->literals);
}

/* Opens texts that are spelt. A column that shares the dictionary has none. */
static stamma_error open_spelt(tag_reader *r, tag_column *c)
{
    stamma_error error = STAMMA_ERROR_CORRUPT;
    if (c->streams[STREAM_LITERALS].size > 0)
        return STAMMA_ERROR_CORRUPT;
    if (c->plan.shared)
        return STAMMA_OK;
    c->spelt = stamma_spelt_open(r->allocator, buffer_cursor(&c->streams[STREAM_SPELT]), &error);
    if (!c->spelt)
        return error;
    r->slots += stamma_spelt_slots(c->spelt->size);
    return r->slots > MIXED_SLOTS_MAX ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

static stamma_error read_literals(tag_reader *r, byte_packer *coder, tag_column *c, uint64_t plain_size)
{
    const buffer *stored = &c->streams[STREAM_LITERALS];
    if (c->plan.spelt)
        return open_spelt(r, c);
    if (c->plan.fields)
        return read_fields(r, coder, c, buffer_cursor(stored), plain_size);
    buffer_add(&c->literals, stored->data, stored->size);
    return c->literals.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static stamma_error read_coded(tag_reader *r, byte_packer *coder, tag_column *c, unsigned codec, cursor stored,
                               uint64_t plain_size)
{
    size_t count = codec == CODEC_MAPPED ? TAG_STREAMS : STREAM_MAP;
    unsigned left = TAG_CLASSES_MAX;
    stamma_error error = stamma_streams_unpack(coder, stored, (size_t)plain_size + 4096, c->streams, NULL, &count);
    if (error != STAMMA_OK || count < (codec == CODEC_MAPPED ? STREAM_SPELT : STREAM_MAP))
        return error == STAMMA_OK ? STAMMA_ERROR_CORRUPT : error;
    cursor parameters = buffer_cursor(&c->streams[STREAM_PARAMETERS]);
    error = read_plan(r, c, codec, &parameters);
    if (error == STAMMA_OK && (count == TAG_STREAMS) != (c->plan.spelt && !c->plan.shared))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = stamma_classes_read(&parameters, CONTEXT_KINDS, &left, &c->classes);
    if (error != STAMMA_OK)
        return error;
    const buffer *bits = &c->streams[STREAM_BITS];
    c->symbols = (number_source){.symbols = buffer_cursor(&c->streams[STREAM_SYMBOLS]),
                                 .bits = {bits->data, bits->size * 8, 0, false},
                                 .classes = (const number_classes *)(const void *)c->classes.data};
    if (cursor_left(&parameters) != 0 || !stamma_number_begin(&c->symbols))
        return STAMMA_ERROR_CORRUPT;
    return read_literals(r, coder, c, plain_size);
}

static bool read_mixed_plan(cursor *in, size_t column, mixed_plan *plan)
{
    plan->slot_bits = cursor_byte(in);
    plan->shared = plan->slot_bits == 0;
    plan->source_count = cursor_byte(in);
    if (plan->source_count > MIXED_SOURCES || column >= TAG_CODED_MAX ||
        (!plan->shared && (plan->slot_bits < MIXED_SLOT_BITS_MIN || plan->slot_bits > MIXED_SLOT_BITS_MAX)))
        return false;
    for (size_t i = 0; i < plan->source_count; i++)
        if ((plan->sources[i] = cursor_byte(in)) >= column)
            return false;
    return !in->failed;
}

/* Finds the statistics of a column: separate, or shared with the previous column. */
static stamma_error find_mixed_texts(tag_reader *r, mixed_column *m)
{
    const mixed_column *before = r->count > 0 ? r->columns[r->count - 1].mixed : NULL;
    if (m->plan.shared) {
        m->texts = before && !before->plan.shared ? before->texts : NULL;
        return m->texts ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    }
    r->slots += (size_t)1 << m->plan.slot_bits;
    if (++r->models > MIXED_MODELS_MAX || r->slots > MIXED_SLOTS_MAX)
        return STAMMA_ERROR_CORRUPT;
    m->texts = stamma_mixed_texts_new(r->allocator, m->plan.slot_bits);
    return m->texts ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Reads a column in codec 8. The openings of all records are then needed, because values that are derived from openings
 * may be sources. */
static stamma_error read_mixed(tag_reader *r, tag_column *c, cursor stored, uint64_t plain_size)
{
    mixed_plan plan = {.shared = false};
    const uint64_t spelt_max = mixed_spelt_max(cursor_left(&stored));
    if (plain_size / MIXED_EXPANSION > cursor_left(&stored) || !read_mixed_plan(&stored, r->count, &plan))
        return STAMMA_ERROR_CORRUPT;
    buffer *bytes = &c->streams[STREAM_SYMBOLS];
    bytes->size = 0;
    buffer_add(bytes, stored.at, cursor_left(&stored));
    mixed_column *mixed = bytes->failed ? NULL : (mixed_column *)memory_allocate(r->allocator, sizeof *mixed);
    if (!mixed)
        return STAMMA_ERROR_NO_MEMORY;
    *mixed = (mixed_column){.plan = plan, .spelt_max = spelt_max};
    c->mixed = mixed;
    stamma_range_decode_begin(&c->mixed->stream.in, bytes->data, bytes->size);
    r->remembered = true;
    return find_mixed_texts(r, c->mixed);
}

static stamma_error read_column(tag_reader *r, byte_packer *coder, tag_column *c, unsigned codec, cursor stored,
                                uint64_t plain_size)
{
    switch (codec) {
    case CODEC_STORED:
    case CODEC_PACKED:
        return stamma_bytes_unpack(coder, codec, stored.at, cursor_left(&stored), (size_t)plain_size, &c->literals);
    case CODEC_FIELDS: return read_fields(r, coder, c, stored, plain_size);
    case CODEC_TAGS:
    case CODEC_MAPPED: return read_coded(r, coder, c, codec, stored, plain_size);
    case CODEC_MIXED: return read_mixed(r, c, stored, plain_size);
    default: return STAMMA_ERROR_UNSUPPORTED;
    }
}

/* Finds a column's contexts. The array of columns does not move while records are read. */
static void find_levels(tag_reader *r, size_t column)
{
    tag_column *c = &r->columns[column];
    const uint8_t *all[CONTEXT_KINDS] = {
        [TAG_LAST] = &c->last,
        [TAG_SECOND] = &c->second,
        [TAG_OTHER] = &r->now.levels[tag_level_place(r, c->plan.others[0])],
        [TAG_ANOTHER] = &r->now.levels[tag_level_place(r, c->plan.others[1])],
        [TAG_DICTIONARY] = &r->columns[c->owner].used,
        [TAG_GAME] = &r->now.game_level,
        [TAG_KNOWN] = &c->known,
    };
    for (size_t i = 0; i < CONTEXTS_USED; i++)
        c->levels[i] = all[c->symbols.classes->map.contexts[i]];
}

/* Reads the map from openings to texts. Its texts are the first of the dictionary. A column that shares the dictionary
 * of another has no map. */
static stamma_error read_map(tag_reader *r, tag_column *c)
{
    cursor in = buffer_cursor(&c->streams[STREAM_MAP]);
    const bool mapped = tag_plan_has_map(&c->plan);
    uint64_t opening = 0;
    if (!mapped || c->plan.shared)
        return mapped || cursor_left(&in) > 0 ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
    uint32_t *map = (uint32_t *)buffer_array(&c->map, OPENINGS + 1, sizeof *map);
    if (!map)
        return STAMMA_ERROR_NO_MEMORY;
    memset(map, 0, (OPENINGS + 1) * sizeof *map);
    while (cursor_left(&in) > 0) {
        const uint64_t step = stamma_cursor_varint(&in), reference = stamma_cursor_varint(&in);
        if (in.failed || step == 0 || step > OPENINGS - opening || reference > UINT32_MAX)
            return STAMMA_ERROR_CORRUPT;
        opening += step;
        map[opening] = reference == 0
                           ? stamma_tag_literal_add(r, c)
                           : stamma_tag_dictionary_find(&c->dictionary, c->plan.indexed, (uint32_t)reference);
        if (r->no_memory || c->dictionary.older.failed)
            return STAMMA_ERROR_NO_MEMORY;
        if (map[opening] == 0)
            return STAMMA_ERROR_CORRUPT;
    }
    return STAMMA_OK;
}

stamma_error stamma_tag_reader_add(tag_reader *r, byte_packer *coder, stamma_text name, unsigned codec, cursor stored,
                                   uint64_t plain_size)
{
    for (size_t i = 0; i < r->count; i++)
        if (text_equal((stamma_text){(const char *)r->columns[i].name.data, r->columns[i].name.size}, name))
            return STAMMA_ERROR_CORRUPT;
    if (r->count == TAG_COLUMNS_MAX || plain_size > r->plain_left)
        return STAMMA_ERROR_CORRUPT;
    r->plain_left -= plain_size;
    tag_column *c = add_column(r);
    if (!c)
        return STAMMA_ERROR_NO_MEMORY;
    buffer_add(&c->name, name.data, name.size);
    stamma_error error = c->name.failed ? STAMMA_ERROR_NO_MEMORY : read_column(r, coder, c, codec, stored, plain_size);
    if (error != STAMMA_OK)
        return error;
    c->left = plain_size;
    c->at = buffer_cursor(&c->literals);
    error = codec == CODEC_MAPPED ? read_map(r, c) : STAMMA_OK;
    if (error != STAMMA_OK)
        return error;
    /* the first column with this property and all columns after it are read after the moves */
    bool is_late = r->post_game < r->count || c->post_game;
    if (is_late && text_equal(name, stamma_text_of("FEN")))
        return STAMMA_ERROR_CORRUPT;
    r->post_game += !is_late;
    r->count++;
    return STAMMA_OK;
}

/* ---- columns that are lost ---- */

stamma_error stamma_tag_reader_add_lost(tag_reader *r, stamma_text name, unsigned codec)
{
    tag_column *c = r->count < TAG_COLUMNS_MAX ? add_column(r) : NULL;
    if (!c)
        return r->count < TAG_COLUMNS_MAX ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
    release_mixed(c, r->allocator); /* of an attempt to read the column */
    buffer_add(&c->name, name.data, name.size);
    c->lost = true;
    c->post_game = codec_is_tags(codec);
    c->unknown = codec_is_tags(codec) ? CODEC_TAGS : codec == CODEC_MIXED ? CODEC_MIXED : 0;
    r->post_game += r->post_game == r->count;
    r->count++;
    return c->name.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static bool is_lost(const tag_reader *r, unsigned column)
{
    return column < r->count && r->columns[column].lost;
}

/* Returns whether a column shares the dictionary or the statistics of another column. */
static bool is_shared(const tag_column *c)
{
    return (c->coded && c->plan.shared) || (c->mixed && c->mixed->plan.shared);
}

/* Returns whether a column has a symbol whose class depends on the number of moves. */
static bool is_by_plies(const tag_column *c)
{
    for (size_t i = 0; i < CONTEXTS_USED; i++)
        if (c->symbols.classes->map.contexts[i] == TAG_GAME)
            return true;
    return false;
}

/* Returns whether a column in codec 3 needs lost data. */
static bool needs_lost(const tag_reader *r, const tag_column *c, bool facts, bool plies)
{
    bool lost = (facts && c->post_game) || (plies && is_by_plies(c));
    for (size_t i = 0; i < c->plan.source_count; i++) {
        const tag_source *s = &c->plan.sources[i];
        lost |= s->what < TAG_CODED_MAX && is_lost(r, s->what);
        lost |= c->plan.numbers && s->base != TAG_NONE && is_lost(r, s->base);
    }
    for (size_t i = 0; i < 2; i++)
        lost |= c->plan.others[i] != TAG_NONE && is_lost(r, c->plan.others[i]);
    return lost;
}

static bool must_be_lost(const tag_reader *r, size_t n, bool facts, bool plies)
{
    const tag_column *c = &r->columns[n], *next = n + 1 < r->count && r->columns[n + 1].lost ? c + 1 : NULL;
    bool lost = (is_shared(c) && is_lost(r, (unsigned)n - 1)) ||
                (next && (is_shared(next) || (next->unknown == CODEC_TAGS && c->coded) ||
                          (next->unknown == CODEC_MIXED && c->mixed)));
    for (size_t i = 0; c->mixed && i < c->mixed->plan.source_count; i++)
        lost |= is_lost(r, c->mixed->plan.sources[i]);
    return lost || (c->coded && needs_lost(r, c, facts, plies));
}

void stamma_tag_reader_lose(tag_reader *r, bool facts, bool plies)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < r->count; n++)
            if (!r->columns[n].lost && must_be_lost(r, n, facts, plies))
                changed = r->columns[n].lost = true;
    }
    if (facts)
        r->openings = r->remembered = r->ends = false;
}

/* ---- dependencies of columns ---- */

static bool mark(uint8_t *needed, size_t column)
{
    bool added = !needed[column];
    needed[column] = 1;
    return added;
}

/* Marks the columns that a coded column uses. Returns whether any of them was not marked before. */
static bool mark_own(const tag_reader *r, size_t column, uint8_t *needed)
{
    const tag_plan *plan = &r->columns[column].plan;
    bool added = plan->shared && mark(needed, column - 1);
    if (column + 1 < r->count && r->columns[column + 1].coded && r->columns[column + 1].plan.shared)
        added |= mark(needed, column + 1);
    for (size_t i = 0; i < plan->source_count; i++) {
        const tag_source *s = &plan->sources[i];
        added |= s->what < TAG_CODED_MAX && mark(needed, s->what);
        added |= plan->numbers && s->base != TAG_NONE && mark(needed, s->base);
    }
    for (size_t i = 0; i < 2; i++)
        added |= plan->others[i] != TAG_NONE && mark(needed, plan->others[i]);
    return added;
}

/* Like mark_own, for a column in codec 8. */
static bool mark_mixed(const tag_reader *r, size_t column, uint8_t *needed)
{
    const mixed_plan *plan = &r->columns[column].mixed->plan;
    const mixed_column *next = column + 1 < r->count ? r->columns[column + 1].mixed : NULL;
    bool added = plan->shared && mark(needed, column - 1);
    if (next && next->plan.shared)
        added |= mark(needed, column + 1);
    for (size_t i = 0; i < plan->source_count; i++)
        added |= mark(needed, plan->sources[i]);
    return added;
}

/* Returns the facts of games that are needed for a column's own sources. */
static tag_need need_of(const tag_column *c)
{
    tag_need need = TAG_NEEDS_NOTHING;
    for (size_t i = 0; i < c->plan.source_count && c->post_game; i++) {
        unsigned what = c->plan.sources[i].what;
        if (what == FACT_FEN || what == FACT_FEN_FIELDS)
            return TAG_NEEDS_END;
        need = what >= FACT_OPENING && what < FACTS_END ? TAG_NEEDS_OPENING : need;
    }
    return need;
}

tag_need stamma_tag_reader_need(const tag_reader *r, size_t column, uint8_t needed[TAG_COLUMNS_MAX])
{
    tag_need need = TAG_NEEDS_NOTHING;
    mark(needed, column);
    for (bool added = true; added;) {
        added = false;
        for (size_t n = r->count; n-- > 0;)
            if (needed[n] && r->columns[n].coded)
                added |= mark_own(r, n, needed);
            else if (needed[n] && r->columns[n].mixed)
                added |= mark_mixed(r, n, needed);
    }
    for (size_t n = 0; n < r->count; n++) {
        tag_need own = needed[n] ? need_of(&r->columns[n]) : TAG_NEEDS_NOTHING;
        need = own > need ? own : need;
    }
    return need;
}

/* ---- records ---- */

void stamma_tag_reader_begin(tag_reader *r, size_t plies)
{
    size_t count = r->count < TAG_CODED_MAX ? r->count : TAG_CODED_MAX;
    tag_record *now = &r->now;
    memset(now->texts, 0, count * sizeof *now->texts);
    memset(now->indices, 0, count * sizeof *now->indices);
    memset(now->numbers, 0, count * sizeof *now->numbers);
    memset(now->levels, 0, count);
    now->game_level = game_level(plies);
    r->game.plies = (uint32_t)plies;
    r->game.opening = 0;
    r->passed = true;
}

void stamma_tag_reader_play(tag_reader *r, unsigned opening, const stamma_position *end)
{
    r->passed = end == NULL;
    if (end)
        r->game.end = *end;
    r->game.opening = opening;
}

/* Returns a source's memory entry for this record, or NULL if the source has no memory or no key is known. */
static uint32_t *memory_of(tag_reader *r, const tag_column *c, size_t source)
{
    const tag_source *s = &c->plan.sources[source];
    uint32_t key = 0;
    if (c->plan.numbers ? s->what == TAG_NONE : s->kind != SOURCE_RECALL)
        return NULL;
    if (s->what < TAG_CODED_MAX)
        key = r->now.indices[s->what];
    else if (!c->plan.numbers)
        key = r->game.opening;
    if (key == 0 && !(c->plan.numbers && s->what == TAG_CODED_MAX))
        return NULL;
    return tag_memory(r, &r->columns[c->owner].memories[source], key);
}

/* Returns the next symbol, or NUMBER_SYMBOLS if there is none. */
static unsigned take_symbol(tag_column *c)
{
    bool fine = true;
    const number_classes *classes = c->symbols.classes;
    unsigned cell = levels_cell(*c->levels[0], *c->levels[1], *c->levels[2]);
    unsigned symbol = number_decode(&c->symbols, &classes->slots[classes->map.of[cell]], &fine);
    return STAMMA_LIKELY(fine) ? symbol : NUMBER_SYMBOLS;
}

static void note_level(tag_reader *r, size_t column, uint8_t level)
{
    tag_column *c = &r->columns[column];
    c->second = c->last;
    c->last = r->columns[c->owner].used = r->now.levels[column] = level;
}

/* ---- texts ---- */

static const stamma_text no_text = {NULL, 0};

/* Returns the text of a reference, and sets *index. */
static stamma_text take_reference(tag_reader *r, size_t column, uint32_t reference, uint32_t *index)
{
    tag_column *c = &r->columns[column], *owner = &r->columns[c->owner];
    if (reference > 0) {
        *index = stamma_tag_dictionary_find(&owner->dictionary, c->plan.indexed, reference);
        r->no_memory |= owner->dictionary.older.failed;
        return *index ? dictionary_text(r, owner, *index) : no_text;
    }
    *index = stamma_tag_literal_add(r, c);
    return *index ? dictionary_text(r, owner, *index) : no_text;
}

/* Reads a reference and returns its text, or sets *source to the source that produces the text. */
static stamma_text take_named(tag_reader *r, size_t column, size_t *source, uint32_t *index)
{
    tag_column *c = &r->columns[column];
    unsigned sources = c->plan.source_count;
    c->known = context_cut(context_bits(r->columns[c->owner].dictionary.count));
    uint64_t number = number_value(&c->symbols, take_symbol(c), REFERENCE_DIRECT);
    *source = TAG_SOURCES_MAX;
    if (number < sources) {
        *source = (size_t)number;
        note_level(r, column, LEVEL_DERIVED);
        return no_text;
    }
    if (number > UINT32_MAX)
        return no_text;
    uint32_t reference = (uint32_t)number - sources;
    note_level(r, column, reference_level(reference));
    return take_reference(r, column, reference, index);
}

static stamma_text join(tag_reader *r, size_t column, stamma_text head)
{
    tag_column *c = &r->columns[column];
    size_t source;
    uint32_t index;
    stamma_text tail = head.data || r->tolerant ? take_named(r, column, &source, &index) : no_text;
    if (!head.data || !tail.data)
        return no_text;
    c->joined.size = 0;
    buffer_add(&c->joined, head.data, head.size);
    buffer_add(&c->joined, tail.data, tail.size);
    (void)buffer_reserve(&c->joined, 1); /* two empty texts have an address, too */
    r->no_memory |= c->joined.failed;
    return r->no_memory ? no_text : (stamma_text){(const char *)c->joined.data, c->joined.size};
}

/* Returns the text of a fact. In a passed record, the final position is not known, and the opening is known only if
 * r->remembered. Unknown facts have the text "". */
static stamma_text fact_text(tag_reader *r, unsigned fact)
{
    if (r->passed && !r->remembered)
        return (stamma_text){"", 0};
    if (fact < FACT_MADE)
        return stamma_game_text(&r->game, fact, NULL);
    return r->passed ? (stamma_text){"", 0} : stamma_game_text(&r->game, fact, r->made[fact - FACT_MADE]);
}

/* Returns the text that the column's map has for the opening of the game. */
static stamma_text mapped_text(tag_reader *r, const tag_column *c)
{
    if (r->passed && !r->remembered)
        return (stamma_text){"", 0};
    const uint32_t index = ((const uint32_t *)(const void *)c->map.data)[r->game.opening];
    return index ? dictionary_text(r, &r->columns[c->owner], index) : no_text;
}

static stamma_text derive(tag_reader *r, size_t column, size_t source, const uint32_t *memory, uint32_t *index)
{
    tag_column *c = &r->columns[column];
    const tag_source *s = &c->plan.sources[source];
    switch (s->kind) {
    case SOURCE_EQUAL: return s->what < TAG_CODED_MAX ? r->now.texts[s->what] : fact_text(r, s->what);
    case SOURCE_BEGIN: return join(r, column, r->now.texts[s->what]);
    case SOURCE_MAP: return mapped_text(r, c);
    default: *index = memory ? *memory : 0; return *index ? dictionary_text(r, &r->columns[c->owner], *index) : no_text;
    }
}

static bool take_text(tag_reader *r, size_t column, stamma_text *value)
{
    tag_column *c = &r->columns[column];
    uint32_t *memories[TAG_SOURCES_MAX], index = 0;
    size_t source;
    for (size_t i = 0; i < c->plan.source_count; i++)
        memories[i] = memory_of(r, c, i);
    *value = take_named(r, column, &source, &index);
    bool derived = source < TAG_SOURCES_MAX;
    if (derived)
        *value = derive(r, column, source, memories[source], &index);
    if (!value->data || r->no_memory)
        return false;
    for (size_t i = 0; i < c->plan.source_count; i++)
        if (memories[i])
            *memories[i] = index;
    bool made = derived && c->plan.sources[source].kind == SOURCE_EQUAL && c->plan.sources[source].what >= FACT_MADE;
    r->now.texts[column] = made ? no_text : *value;
    r->now.indices[column] = index;
    return true;
}

/* ---- numbers ---- */

static stamma_text write_number(int32_t value, bool plus, char out[TAG_NUMBER_SIZE])
{
    char *at = out;
    if (value < 0 || plus)
        *at++ = value < 0 ? '-' : '+';
    at = digits_write((uint32_t)(value < 0 ? -value : value), 1, at);
    return (stamma_text){out, (size_t)(at - out)};
}

static int32_t base_of(const tag_reader *r, const tag_source *s)
{
    return s->base == TAG_NONE ? 0 : r->now.numbers[s->base];
}

/* Returns the prediction of the first source that has one, and sets *known to the number of this source. */
static int32_t predict(const tag_reader *r, const tag_column *c, uint32_t *const memories[TAG_SOURCES_MAX],
                       uint8_t *known)
{
    for (uint8_t i = 0; i < c->plan.source_count; i++) {
        const tag_source *s = &c->plan.sources[i];
        bool remembers = s->what != TAG_NONE;
        *known = i;
        if (remembers && (!memories[i] || *memories[i] == 0))
            continue;
        return (remembers ? (int32_t)*memories[i] - TAG_NUMBER_ZERO : 0) + s->now * base_of(r, s);
    }
    *known = c->plan.source_count;
    return 0;
}

static bool take_number(tag_reader *r, size_t column, stamma_text *value)
{
    tag_column *c = &r->columns[column];
    uint32_t *memories[TAG_SOURCES_MAX];
    for (size_t i = 0; i < c->plan.source_count; i++)
        memories[i] = memory_of(r, c, i);
    int64_t predicted = r->no_memory ? 0 : predict(r, c, memories, &c->known);
    unsigned symbol = take_symbol(c);
    if (symbol == NUMBER_LITERAL) {
        note_level(r, column, LEVEL_LITERAL);
        *value = stamma_tag_literal(r, c);
        r->now.texts[column] = *value;
        return !c->at.failed;
    }
    uint64_t folded = number_value(&c->symbols, symbol, RESIDUAL_DIRECT);
    int64_t residual = folded > FOLDED_MAX ? INT32_MAX : number_unfold(folded), found = predicted + residual;
    if (!is_number(&c->plan, found) || r->no_memory)
        return false;
    note_level(r, column, residual_level(folded));
    r->now.numbers[column] = (int32_t)found;
    for (size_t i = 0; i < c->plan.source_count; i++)
        if (memories[i])
            *memories[i] =
                (uint32_t)(TAG_NUMBER_ZERO + found + c->plan.sources[i].then * base_of(r, &c->plan.sources[i]));
    *value = r->now.texts[column] = c->plan.dates ? stamma_tag_date((int32_t)found, c->number)
                                                  : write_number((int32_t)found, c->plan.plus, c->number);
    return true;
}

/* ---- all values ---- */

static bool take_mixed(tag_reader *r, size_t column, stamma_text *value)
{
    tag_column *c = &r->columns[column];
    mixed_column *m = c->mixed;
    tag_record *now = &r->now;
    stamma_text sources[MIXED_SOURCES] = {{NULL, 0}};
    for (size_t i = 0; i < m->plan.source_count; i++)
        sources[i] = now->texts[m->plan.sources[i]];
    uint64_t most = m->spelt_max - m->texts->spelt_bytes[m->plan.shared];
    most = most < c->left ? most : c->left;
    m->texts->stop = r->stop;
    now->indices[column] =
        stamma_mixed_texts_code(m->texts, &m->stream, m->plan.shared, sources,
                                most < MIXED_VALUE_MAX ? (size_t)most : MIXED_VALUE_MAX, value, &now->levels[column]);
    r->no_memory |= m->texts->texts.failed | m->texts->spelt.failed;
    now->texts[column] = *value;
    return now->indices[column] != 0;
}

bool stamma_tag_reader_take(tag_reader *r, size_t column, stamma_text *value)
{
    tag_column *c = &r->columns[column];
    bool fine;
    if (STAMMA_UNLIKELY(c->lost)) {
        *value = no_text;
        return true;
    }
    if (c->mixed) {
        fine = take_mixed(r, column, value);
    } else if (c->coded) {
        if (!c->levels[0])
            find_levels(r, column);
        fine = c->plan.numbers ? take_number(r, column, value) : take_text(r, column, value);
    } else {
        *value = stamma_tag_literal(r, c);
        fine = !c->at.failed;
        if (column < TAG_CODED_MAX)
            r->now.texts[column] = *value;
    }
    if (STAMMA_UNLIKELY(!fine || value->size >= c->left)) {
        *value = no_text;
        return r->tolerant && !r->no_memory;
    }
    c->left -= value->size + 1;
    return true;
}

/* Returns whether the dictionary has all spelt texts, and no more. If it has, all were read with their records. */
static bool is_spelt_done(const tag_column *c)
{
    return c->dictionary.count == c->texts.size / sizeof(stamma_text) && stamma_spelt_is_done(c->spelt);
}

bool stamma_tag_reader_is_done(tag_reader *r, bool passed)
{
    for (size_t n = 0; n < r->count; n++) {
        tag_column *c = &r->columns[n];
        if (cursor_left(&c->at) > 0 || (c->later && !stamma_field_reader_is_done(&c->fields->reader)) ||
            (c->left > 0 && !passed) || (c->coded && !stamma_number_is_done(&c->symbols)) ||
            (c->mixed && !stamma_range_decode_is_exact(&c->mixed->stream.in)) ||
            (c->spelt && !passed && !is_spelt_done(c)))
            return false;
    }
    return true;
}
