/* SPDX-License-Identifier: MIT */
/* Codes columns of tag values by their plans (clause 15), record by record like a reader. Two counterparts are coded
 * together, because they share a dictionary. Columns that are not shorter in this form are stored as texts. */
#include "tags/tags.h"

enum {
    INDEXED_MAX = 40, /* maximum number of texts for which indices are as good as ranks */
    SAMPLE = 512,
    TREE_SAMPLE = 2048,
    LEVELS = CONTEXT_LEVELS,
    SMALL = 1 << 12,   /* columns of fewer bytes are also tried as texts */
    SPELT_LEAST = 128, /* bytes of packed literals above which spelling is tried, */
    SPELT_GAIN = 64    /* and its minimum gain: 1/64 of the bytes */
};

/* One column being coded. */
typedef struct side {
    size_t column;
    tag_plan *plan;
    context_symbol *symbols;
    uint32_t *records; /* record of each symbol */
    size_t count;
    size_t room;
    number_sink bits;
    buffer literals;
    buffer packed; /* literals: fields, or texts, which are then packed with `effort` */
    int effort;
    size_t packed_size; /* only if texts may be spelt */
    buffer map;
    buffer spelt; /* instead of `packed` */
    buffer stored;
    unsigned codec;
    uint8_t last, second;
} side;

/* State that all columns share. */
typedef struct tag_writer {
    tag_table *t;
    field_packer *packer;
    uint32_t *known; /* by column and record: index in the dictionary, or the number; 0: none, or not coded */
    uint8_t *levels; /* by column and record: level of the symbol */
    bool coded[TAG_CODED_MAX];
    uint32_t *indices; /* by text: its index in the dictionary; 0 for none */
    uint32_t *places;  /* by index: 1 + its last place in dictionary.older */
    tag_dictionary dictionary;
    buffer memories[TAG_SOURCES_MAX];
    buffer literals; /* of both sides, in the order of the dictionary */
    uint8_t used;
    side sides[2];
    unsigned side_count;
    size_t spelt_slots; /* total number of slots of the block's spelt texts */
    opening_map map;    /* of the first side, with numbers of texts */
} tag_writer;

/* ---- plain texts ---- */

/* Returns whether storing the numbers of the texts as fields may be shorter. */
static bool has_numbers(const buffer *texts)
{
    size_t digits = 0;
    for (size_t i = 0; i < texts->size; i++)
        digits += texts->data[i] >= '0' && texts->data[i] <= '9';
    return digits > texts->size / 8;
}

/* Chooses the effort for packing texts. If more effort does not make the first of many texts smaller, the repetitions
 * are all similar, as in addresses with random numbers, and less effort is enough. `once`: names that rarely repeat. */
static stamma_error effort_for(byte_packer *coder, const buffer *texts, bool once, int *effort)
{
    enum { PART = 4096 };
    buffer part = *texts, fast = {.allocator = texts->allocator}, slow = fast;
    uint8_t codec;
    *effort = EFFORT_TEXT;
    if (texts->size < 2 * PART)
        return STAMMA_OK;
    part.size = PART;
    stamma_error error = stamma_bytes_pack(coder, EFFORT_FAST, &part, &fast, &codec);
    if (error == STAMMA_OK)
        error = stamma_bytes_pack(coder, EFFORT_TEXT, &part, &slow, &codec);
    if (slow.size > fast.size - fast.size / 64)
        *effort = once ? EFFORT_MOVES : EFFORT_FAST;
    stamma_buffer_release(&fast);
    stamma_buffer_release(&slow);
    return error;
}

stamma_error stamma_tag_pack_texts(field_packer *packer, const buffer *texts, buffer *body, unsigned *codec)
{
    size_t begin = body->size, fields = SIZE_MAX;
    uint8_t byte_codec;
    int effort;
    bool pays = false;
    *codec = CODEC_STORED;
    stamma_error error = effort_for(&packer->bytes, texts, false, &effort);
    if (error == STAMMA_OK && has_numbers(texts))
        error = stamma_field_column_write(packer, texts, NULL, 0, EFFORT_TEXT, body, &pays);
    if (error != STAMMA_OK)
        return error;
    fields = pays ? body->size - begin : SIZE_MAX;
    error = stamma_bytes_pack(&packer->bytes, effort, texts, body, &byte_codec);
    if (error != STAMMA_OK)
        return error;
    *codec = CODEC_FIELDS;
    size_t bytes = pays ? body->size - begin - fields : body->size - begin;
    if (pays && fields <= bytes) {
        body->size = begin + fields;
        return STAMMA_OK;
    }
    *codec = byte_codec;
    if (pays) {
        memmove(body->data + begin, body->data + begin + fields, bytes);
        body->size = begin + bytes;
    }
    return STAMMA_OK;
}

/* ---- symbols ---- */

static uint32_t known_at(const tag_writer *w, size_t column, size_t record)
{
    return w->known[column * w->t->records + record];
}

/* make_room has counted the symbols. */
static void add_symbol(tag_writer *w, side *s, size_t record, unsigned symbol, uint8_t level, uint8_t known)
{
    const tag_table *t = w->t;
    s->records[s->count] = (uint32_t)record;
    s->symbols[s->count++] = (context_symbol){.symbol = (uint8_t)symbol,
                                              .levels = {[TAG_LAST] = s->last,
                                                         [TAG_SECOND] = s->second,
                                                         [TAG_DICTIONARY] = w->used,
                                                         [TAG_GAME] = game_level(t->games[record].plies),
                                                         [TAG_KNOWN] = known}};
    s->second = s->last;
    s->last = w->used = w->levels[s->column * t->records + record] = level;
}

/* Returns the entry of a key in a memory, or NULL if memory is exhausted. */
static uint32_t *memory_at(buffer *memory, uint32_t key)
{
    size_t size = (key + (size_t)1) * sizeof(uint32_t);
    if (memory->size < size) {
        if (!buffer_reserve(memory, size - memory->size))
            return NULL;
        memset(memory->data + memory->size, 0, size - memory->size);
        memory->size = size;
    }
    return (uint32_t *)(void *)memory->data + key;
}

/* Finds the memory entries of a record's sources, NULL for sources without one. Returns false if memory is exhausted.
 */
static bool find_memories(tag_writer *w, const tag_plan *plan, size_t record, uint32_t *memories[TAG_SOURCES_MAX])
{
    for (size_t i = 0; i < plan->source_count; i++) {
        const tag_source *s = &plan->sources[i];
        bool one_cell = plan->numbers && s->what == TAG_CODED_MAX;
        uint32_t key = 0;
        memories[i] = NULL;
        if (plan->numbers ? s->what == TAG_NONE : s->kind != SOURCE_RECALL)
            continue;
        if (s->what < TAG_CODED_MAX)
            key = known_at(w, s->what, record);
        else if (!one_cell)
            key = w->t->games[record].opening;
        if ((key > 0 || one_cell) && !(memories[i] = memory_at(&w->memories[i], key)))
            return false;
    }
    return true;
}

/* ---- texts ---- */

static uint32_t reference_to(const tag_writer *w, bool indexed, uint32_t index)
{
    const tag_dictionary *d = &w->dictionary;
    if (indexed || index == 0)
        return index;
    for (size_t i = 0; i < d->rank_count; i++)
        if (d->ranks[i] == index)
            return (uint32_t)i + 1;
    return (uint32_t)(RANKS_MAX + 1 + d->older.size / sizeof(uint32_t) - w->places[index]);
}

static void add_literal(buffer *out, stamma_text text)
{
    buffer_add(out, text.data, text.size);
    buffer_add_byte(out, 0);
}

/* Marks a text as used that has this reference, or adds it to the dictionary if this is 0. Returns false if there is no
 * memory. */
static bool use_text(tag_writer *w, side *s, uint32_t number, uint32_t reference)
{
    tag_dictionary *d = &w->dictionary;
    const bool indexed = s->plan->indexed;
    const size_t older = d->older.size / sizeof(uint32_t);
    if (reference > 0) {
        if (stamma_tag_dictionary_find(d, indexed, reference) == 0)
            return false;
    } else {
        w->indices[number] = stamma_tag_dictionary_add(d, indexed);
        add_literal(&s->literals, tag_text(w->t, number));
        add_literal(&w->literals, tag_text(w->t, number));
    }
    if (d->older.size / sizeof(uint32_t) > older)
        w->places[((const uint32_t *)(const void *)d->older.data)[older]] = (uint32_t)older + 1;
    return w->indices[number] != 0 && !s->literals.failed && !w->literals.failed;
}

/* Codes a text as a reference to the dictionary. Returns false if memory is exhausted. */
static bool name_text(tag_writer *w, side *s, size_t record, uint32_t number)
{
    const uint32_t reference = reference_to(w, s->plan->indexed, w->indices[number]);
    const uint64_t coded = (uint64_t)reference + s->plan->source_count;
    unsigned bits, symbol = number_symbol(coded, REFERENCE_DIRECT, &bits);
    add_symbol(w, s, record, symbol, reference_level(reference), context_cut(context_bits(w->dictionary.count)));
    if (bits > 0 && !stamma_number_put_bits(&s->bits, coded, bits))
        return false;
    return use_text(w, s, number, reference);
}

/* Writes the map of a side, whose texts become the first of the dictionary. Returns false if memory is exhausted. */
static bool write_map(tag_writer *w, side *s)
{
    uint32_t last = 0;
    bool fine = true;
    if (!tag_plan_has_map(s->plan))
        return true;
    (void)stamma_opening_map_choose(w->t, s->column, s->plan, w->map);
    for (uint32_t opening = 1; opening <= OPENINGS && fine; opening++) {
        const uint32_t number = w->map[opening];
        if (number == 0)
            continue;
        const uint32_t reference = reference_to(w, s->plan->indexed, w->indices[number]);
        stamma_buffer_add_varint(&s->map, opening - last);
        stamma_buffer_add_varint(&s->map, reference);
        last = opening;
        fine = use_text(w, s, number, reference);
    }
    return fine && !s->map.failed;
}

/* Returns whether a source produces the value of a record. */
static bool gives(const tag_writer *w, const side *s, size_t record, const tag_source *source, const uint32_t *memory)
{
    const tag_table *t = w->t;
    uint32_t number = tag_value(t, s->column, record);
    stamma_text text;
    if (source->kind == SOURCE_RECALL)
        return memory && *memory != 0 && *memory == w->indices[number];
    if (source->kind == SOURCE_BEGIN)
        return stamma_begins_with(t, s->column, record, source->what, &text);
    if (source->kind == SOURCE_MAP)
        return w->map[t->games[record].opening] == number;
    if (source->what < TAG_CODED_MAX)
        return tag_value(t, source->what, record) == number;
    return stamma_tag_is_fact(t, s->column, record, source->what);
}

static bool code_text(tag_writer *w, side *s, size_t record)
{
    tag_plan *plan = s->plan;
    uint32_t *memories[TAG_SOURCES_MAX], number = tag_value(w->t, s->column, record), index = 0;
    if (!find_memories(w, plan, record, memories))
        return false;
    size_t source = 0;
    while (source < plan->source_count && !gives(w, s, record, &plan->sources[source], memories[source]))
        source++;
    bool begins = source < plan->source_count && plan->sources[source].kind == SOURCE_BEGIN;
    if (source < plan->source_count)
        add_symbol(w, s, record, (unsigned)source, LEVEL_DERIVED, context_cut(context_bits(w->dictionary.count)));
    if (begins) {
        stamma_text tail;
        stamma_begins_with(w->t, s->column, record, plan->sources[source].what, &tail);
        if (!name_text(w, s, record, stamma_text_table_find(&w->t->texts, tail)))
            return false;
    } else if (source == plan->source_count) {
        if (!name_text(w, s, record, number))
            return false;
        index = w->indices[number];
    } else if (plan->sources[source].kind == SOURCE_RECALL) {
        index = w->indices[number];
    }
    for (size_t i = 0; i < plan->source_count; i++)
        if (memories[i])
            *memories[i] = index;
    w->known[s->column * w->t->records + record] = index;
    return true;
}

/* ---- numbers ---- */

static int32_t base_of(const tag_writer *w, const tag_source *s, size_t record)
{
    bool number = s->base != TAG_NONE && w->t->plans[s->base].numbers;
    return number ? (int32_t)known_at(w, s->base, record) : 0;
}

static bool code_number(tag_writer *w, side *s, size_t record)
{
    tag_plan *plan = s->plan;
    uint32_t *memories[TAG_SOURCES_MAX];
    stamma_text text = tag_text(w->t, tag_value(w->t, s->column, record));
    const int32_t value = plan->dates ? stamma_tag_day(text) : stamma_tag_number(text, plan->plus);
    int32_t predicted = 0;
    if (!find_memories(w, plan, record, memories))
        return false;
    size_t source = 0;
    while (source < plan->source_count && plan->sources[source].what != TAG_NONE &&
           (!memories[source] || *memories[source] == 0))
        source++;
    if (source < plan->source_count) {
        const tag_source *x = &plan->sources[source];
        predicted = x->now * base_of(w, x, record);
        predicted += x->what == TAG_NONE ? 0 : (int32_t)*memories[source] - TAG_NUMBER_ZERO;
    }
    if (value == TAG_NO_NUMBER) {
        buffer_add(&s->literals, text.data, text.size);
        buffer_add_byte(&s->literals, 0);
        add_symbol(w, s, record, NUMBER_LITERAL, LEVEL_LITERAL, (uint8_t)source);
        return !s->literals.failed;
    }
    uint64_t folded = number_fold(value - predicted);
    unsigned bits, symbol = number_symbol(folded, RESIDUAL_DIRECT, &bits);
    w->known[s->column * w->t->records + record] = (uint32_t)value;
    for (size_t i = 0; i < plan->source_count; i++)
        if (memories[i])
            *memories[i] =
                (uint32_t)(TAG_NUMBER_ZERO + value + plan->sources[i].then * base_of(w, &plan->sources[i], record));
    add_symbol(w, s, record, symbol, residual_level(folded), (uint8_t)source);
    return bits == 0 || stamma_number_put_bits(&s->bits, folded, bits);
}

/* ---- contexts of other columns ---- */

static uint64_t times_log(uint32_t x)
{
    return x == 0 ? 0 : (uint64_t)x * stamma_log2_256(x);
}

static unsigned sample_class(const side *s, size_t i)
{
    unsigned symbol = s->symbols[i].symbol;
    return symbol < LEVELS ? symbol : LEVELS - 1;
}

/* Estimates, from a sample, the mutual information between the symbols of another column and the symbols of a side. The
 * unit is arbitrary. */
static uint64_t mutual_information(const tag_writer *w, size_t other, const side *s)
{
    uint16_t both[LEVELS][LEVELS] = {{0}};
    uint64_t sum = (uint64_t)1 << 40; /* so that the sum stays above 0 */
    for (size_t i = 0, step = s->count / SAMPLE + 1; i < s->count; i += step)
        both[w->levels[other * w->t->records + s->records[i]]][sample_class(s, i)]++;
    for (unsigned a = 0; a < LEVELS; a++) {
        uint32_t row = 0;
        for (unsigned b = 0; b < LEVELS; b++) {
            row += both[a][b];
            sum += times_log(both[a][b]);
        }
        sum -= times_log(row);
    }
    return sum;
}

/* Chooses two earlier columns with the most information about the symbols. */
static void choose_others(const tag_writer *w, side *s)
{
    uint64_t best[2] = {0, 0};
    uint8_t *others = s->plan->others;
    for (size_t n = 0; n < w->t->places[s->column]; n++) {
        uint8_t other = w->t->order[n];
        uint64_t now = w->coded[other] ? mutual_information(w, other, s) : 0;
        if (now > best[0]) {
            best[1] = best[0];
            others[1] = others[0];
        }
        unsigned place = now > best[0] ? 0 : 1;
        if (now > best[place]) {
            best[place] = now;
            others[place] = other;
        }
    }
    for (unsigned n = 0; n < 2; n++)
        for (size_t i = 0; i < s->count && others[n] != TAG_NONE; i++)
            s->symbols[i].levels[TAG_OTHER + n] = w->levels[others[n] * w->t->records + s->records[i]];
}

/* ---- columns ---- */

static bool make_room(tag_writer *w, side *s)
{
    const tag_table *t = w->t;
    size_t values = 0;
    for (size_t r = 0; r < t->records; r++)
        values += tag_value(t, s->column, r) != 0;
    for (size_t i = 0; i < s->plan->source_count; i++)
        s->room = !s->plan->numbers && s->plan->sources[i].kind == SOURCE_BEGIN ? 2 * values : s->room;
    s->room = s->room > values ? s->room : values;
    s->symbols = (context_symbol *)memory_allocate(t->allocator, size_multiply(s->room + 1, sizeof *s->symbols));
    s->records = (uint32_t *)memory_allocate(t->allocator, size_multiply(s->room + 1, sizeof *s->records));
    return s->symbols && s->records;
}

static void release_side(tag_writer *w, side *s)
{
    memory_release(w->t->allocator, s->symbols);
    memory_release(w->t->allocator, s->records);
    stamma_buffer_release(&s->bits.bits);
    stamma_buffer_release(&s->literals);
    stamma_buffer_release(&s->packed);
    stamma_buffer_release(&s->map);
    stamma_buffer_release(&s->spelt);
    stamma_buffer_release(&s->stored);
}

static void begin_side(tag_writer *w, side *s, size_t column, bool shared)
{
    const stamma_allocator *allocator = w->t->allocator;
    *s = (side){.column = column, .plan = &w->t->plans[column], .codec = CODEC_TAGS};
    s->bits.bits.allocator = s->literals.allocator = s->stored.allocator = allocator;
    s->packed.allocator = s->map.allocator = s->spelt.allocator = allocator;
    s->plan->shared = shared;
}

/* Codes the columns in the order of a reader. Stores the levels of each record, which are contexts for the counterpart.
 */
static bool code_symbols(tag_writer *w)
{
    tag_table *t = w->t;
    for (size_t r = 0; r < t->records; r++)
        for (unsigned n = 0; n < w->side_count; n++) {
            side *s = &w->sides[n];
            if (tag_value(t, s->column, r) == 0)
                continue;
            if (!(s->plan->numbers ? code_number(w, s, r) : code_text(w, s, r)))
                return false;
        }
    return true;
}

/* Counts the different texts, and all texts, of both sides. */
static void count_texts(tag_writer *w, size_t *different, size_t *all)
{
    const tag_table *t = w->t;
    *different = *all = 0;
    memset(w->indices, 0, (t->texts.count + 1) * sizeof *w->indices);
    for (unsigned n = 0; n < w->side_count; n++)
        for (size_t r = 0; r < t->records; r++) {
            uint32_t number = tag_value(t, w->sides[n].column, r);
            *all += number != 0;
            *different += number != 0 && w->indices[number] == 0;
            w->indices[number] = 1;
        }
}

static uint8_t place_of(const tag_table *t, uint8_t column)
{
    return column < TAG_CODED_MAX ? t->places[column] : column;
}

/* Columns are numbered by their order in the file. */
static void write_plan(const tag_table *t, const tag_plan *plan, buffer *out)
{
    tag_plan placed = *plan;
    for (size_t i = 0; i < plan->source_count; i++) {
        placed.sources[i].what = place_of(t, plan->sources[i].what);
        placed.sources[i].base = place_of(t, plan->sources[i].base);
    }
    for (size_t i = 0; i < 2; i++)
        placed.others[i] = place_of(t, plan->others[i]);
    stamma_tag_plan_write(&placed, out);
}

/* Chooses the form of a side's literals: fields or texts. */
static stamma_error pack_literals(tag_writer *w, side *s)
{
    const buffer *texts = &s->literals;
    unsigned codec = CODEC_STORED;
    uint8_t packed;
    stamma_error error = STAMMA_OK;
    if (has_numbers(texts))
        error = stamma_tag_pack_texts(w->packer, texts, &s->packed, &codec);
    s->plan->fields = codec == CODEC_FIELDS;
    s->effort = EFFORT_NONE;
    if (error == STAMMA_OK && !s->plan->fields)
        error = effort_for(&w->packer->bytes, texts, true, &s->effort);
    if (error == STAMMA_OK && !s->plan->fields && w->t->spells && s->effort != EFFORT_NONE && texts->size > 0) {
        s->packed.size = 0;
        error = stamma_bytes_pack(&w->packer->bytes, s->effort, texts, &s->packed, &packed);
    }
    s->packed_size = s->packed.size;
    if (!s->plan->fields) {
        s->packed.size = 0;
        buffer_add(&s->packed, texts->data, texts->size);
    }
    return s->packed.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Spells the literals of all sides in the first side if this is shorter than packing them. */
static stamma_error try_spelling(tag_writer *w)
{
    side *first = &w->sides[0];
    const size_t slots = stamma_spelt_slots(w->literals.size);
    size_t packed = 0;
    for (unsigned n = 0; n < w->side_count; n++)
        packed += w->sides[n].packed_size;
    if (!w->t->spells || first->plan->numbers || packed < SPELT_LEAST || slots > MIXED_SLOTS_MAX - w->spelt_slots)
        return STAMMA_OK;
    stamma_error error = stamma_spelt_write(&w->literals, &first->spelt);
    if (first->spelt.size == 0 || first->spelt.size >= packed - packed / SPELT_GAIN)
        return error;
    w->spelt_slots += slots;
    for (unsigned n = 0; n < w->side_count; n++) {
        w->sides[n].plan->spelt = true;
        w->sides[n].plan->fields = false;
        w->sides[n].packed.size = 0;
    }
    return error;
}

/* Returns whether a side needs codec 10. */
static bool needs_codec_10(const side *s)
{
    return s->plan->spelt || s->plan->dates || tag_plan_has_map(s->plan);
}

static stamma_error pack_side(tag_writer *w, side *s)
{
    const stamma_allocator *allocator = w->t->allocator;
    buffer parameters = {.allocator = allocator}, symbols = parameters;
    const int efforts[TAG_STREAMS_SPELT] = {EFFORT_NUMBERS, EFFORT_NONE,    EFFORT_NONE,
                                            s->effort,      EFFORT_NUMBERS, EFFORT_NONE};
    const size_t count = !needs_codec_10(s) ? 4 : s->plan->spelt && !s->plan->shared ? TAG_STREAMS_SPELT : 5;
    unsigned classes = TAG_CLASSES_MAX;
    stamma_error error = STAMMA_OK;
    choose_others(w, s);
    write_plan(w->t, s->plan, &parameters);
    if (error == STAMMA_OK &&
        !stamma_classes_write(s->symbols, s->count, TREE_SAMPLE, &classes, allocator, &parameters, &symbols))
        error = STAMMA_ERROR_NO_MEMORY;
    const buffer streams[TAG_STREAMS_SPELT] = {parameters, symbols, s->bits.bits, s->packed, s->map, s->spelt};
    s->codec = needs_codec_10(s) ? CODEC_MAPPED : CODEC_TAGS;
    if (error == STAMMA_OK)
        error = stamma_streams_pack(&w->packer->bytes, streams, efforts, count, &s->stored);
    stamma_buffer_release(&parameters);
    stamma_buffer_release(&symbols);
    return error;
}

/* Stores both sides as plain texts if this form is shorter, or if the coded form is not allowed. */
static stamma_error try_texts(tag_writer *w, bool coded)
{
    buffer stored[2] = {{.allocator = w->t->allocator}, {.allocator = w->t->allocator}};
    unsigned codecs[2];
    stamma_error error = STAMMA_OK;
    size_t size = 0, coded_size = 0;
    bool fits = coded;
    for (unsigned n = 0; n < w->side_count && error == STAMMA_OK; n++) {
        const buffer *texts = w->t->values[w->sides[n].column];
        error = stamma_tag_pack_texts(w->packer, texts, &stored[n], &codecs[n]);
        size += stored[n].size;
        coded_size += w->sides[n].stored.size;
        fits &= w->sides[n].stored.size <= texts->size;
    }
    for (unsigned n = 0; n < w->side_count; n++) {
        if (error == STAMMA_OK && (!fits || size <= coded_size)) {
            buffer other = w->sides[n].stored;
            w->sides[n].stored = stored[n];
            w->sides[n].codec = codecs[n];
            stored[n] = other;
        }
        stamma_buffer_release(&stored[n]);
    }
    return error;
}

/* Returns whether columns may be shorter as texts: if they are small or contain numbers, or if few values repeat. */
static bool may_be_texts(const tag_writer *w, size_t different, size_t all)
{
    bool found = different > all / 2;
    for (unsigned n = 0; n < w->side_count; n++) {
        const buffer *texts = w->t->values[w->sides[n].column];
        const side *s = &w->sides[n];
        found |= texts->size < SMALL || s->stored.size > texts->size ||
                 (s->plan->source_count == 0 && !s->plan->numbers && has_numbers(texts));
    }
    return found;
}

static bool begin_columns(tag_writer *w)
{
    tag_table *t = w->t;
    stamma_tag_dictionary_clear(&w->dictionary);
    w->used = 0;
    for (size_t i = 0; i < TAG_SOURCES_MAX; i++)
        w->memories[i].size = 0;
    memset(w->indices, 0, (t->texts.count + 1) * sizeof *w->indices);
    w->literals.size = 0;
    for (unsigned n = 0; n < w->side_count; n++)
        if (!make_room(w, &w->sides[n]))
            return false;
    return write_map(w, &w->sides[0]);
}

static stamma_error code_columns(tag_writer *w)
{
    size_t different, all;
    count_texts(w, &different, &all);
    tag_plan *first = w->sides[0].plan;
    bool none = first->source_count == 0 && !first->numbers && different > all / 4 * 3;
    if (none)
        return try_texts(w, false);
    for (unsigned n = 0; n < w->side_count; n++) {
        w->sides[n].plan->indexed = !first->numbers && different <= INDEXED_MAX;
        w->coded[w->sides[n].column] = true;
    }
    if (!begin_columns(w) || !code_symbols(w))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = STAMMA_OK;
    for (unsigned n = 0; n < w->side_count && error == STAMMA_OK; n++)
        error = pack_literals(w, &w->sides[n]);
    if (error == STAMMA_OK)
        error = try_spelling(w);
    for (unsigned n = 0; n < w->side_count && error == STAMMA_OK; n++)
        error = pack_side(w, &w->sides[n]);
    return error == STAMMA_OK && may_be_texts(w, different, all) ? try_texts(w, true) : error;
}

static void give(tag_writer *w, tag_sink *add, void *context)
{
    tag_table *t = w->t;
    for (unsigned n = 0; n < w->side_count; n++) {
        side *s = &w->sides[n];
        w->coded[s->column] = codec_is_tags(s->codec);
        if (!w->coded[s->column]) {
            memset(w->levels + s->column * t->records, 0, t->records);
            memset(w->known + s->column * t->records, 0, t->records * sizeof *w->known);
        }
        add(context, s->column, s->codec, &s->stored);
    }
}

/* Numbers the texts that follow the values of other columns, before arrays by text number are allocated. */
static bool number_tails(tag_table *t)
{
    for (size_t c = 0; c < t->columns; c++)
        for (size_t i = 0; i < t->plans[c].source_count; i++) {
            const tag_source *s = &t->plans[c].sources[i];
            stamma_text tail;
            for (size_t r = 0; r < t->records && !t->plans[c].numbers && s->kind == SOURCE_BEGIN; r++)
                if (tag_value(t, c, r) != 0 && stamma_begins_with(t, c, r, s->what, &tail) &&
                    stamma_text_table_add(&t->texts, tail) == 0)
                    return false;
        }
    return true;
}

/* Writes the columns. Counterparts that are next to each other are coded together; both are texts, or numbers of the
 * same kind. */
static stamma_error write_columns(tag_writer *w, tag_sink *add, void *context)
{
    tag_table *t = w->t;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < t->columns && error == STAMMA_OK; n += w->side_count) {
        size_t column = t->order[n], other = t->counterparts[column];
        bool pair = other != TAG_NONE && n + 1 < t->columns && t->order[n + 1] == other;
        w->side_count = pair ? 2 : 1;
        begin_side(w, &w->sides[0], column, false);
        if (pair)
            begin_side(w, &w->sides[1], other, true);
        error = code_columns(w);
        if (error == STAMMA_OK)
            give(w, add, context);
        for (unsigned i = 0; i < w->side_count; i++)
            release_side(w, &w->sides[i]);
    }
    return error;
}

stamma_error stamma_tags_write(tag_table *t, field_packer *packer, tag_sink *add, void *context)
{
    const stamma_allocator *allocator = t->allocator;
    tag_writer w = {.t = t, .packer = packer, .dictionary.older.allocator = allocator, .literals.allocator = allocator};
    bool fine = number_tails(t);
    size_t cells = size_multiply(t->columns, t->records), texts = t->texts.count + 1;
    for (size_t i = 0; i < TAG_SOURCES_MAX; i++)
        w.memories[i].allocator = allocator;
    w.known = (uint32_t *)memory_allocate(allocator, size_multiply(cells + 1, sizeof *w.known));
    w.levels = (uint8_t *)memory_allocate(allocator, cells + 1);
    w.indices = (uint32_t *)memory_allocate(allocator, size_multiply(texts, sizeof *w.indices));
    w.places = (uint32_t *)memory_allocate(allocator, size_multiply(texts, sizeof *w.places));
    fine &= w.known && w.levels && w.indices && w.places;
    if (fine) {
        memset(w.known, 0, cells * sizeof *w.known);
        memset(w.levels, 0, cells);
    }
    stamma_error error = fine ? write_columns(&w, add, context) : STAMMA_ERROR_NO_MEMORY;
    memory_release(allocator, w.known);
    memory_release(allocator, w.levels);
    memory_release(allocator, w.indices);
    memory_release(allocator, w.places);
    stamma_buffer_release(&w.dictionary.older);
    for (size_t i = 0; i < TAG_SOURCES_MAX; i++)
        stamma_buffer_release(&w.memories[i]);
    stamma_buffer_release(&w.literals);
    return error;
}
