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
    MIXED_LEAST = 128, /* stored bytes above which the mixed coder is tried, */
    MIXED_GAIN = 64    /* and its minimum gain: 1/64 of the size */
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
    uint8_t used;
    side sides[2];
    unsigned side_count;
    size_t mixed_models; /* number of models in the block, */
    size_t mixed_slots;  /* and the total number of their slots */
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

/* Returns the entry of a key in a memory, or NULL if there is no memory. */
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

/* Finds the memory entries of a record's sources, NULL for sources without one. Returns false if there is no memory. */
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

/* Codes a text as a reference to the dictionary. Returns false if there is no memory. */
static bool name_text(tag_writer *w, side *s, size_t record, uint32_t number)
{
    tag_dictionary *d = &w->dictionary;
    bool indexed = s->plan->indexed;
    uint32_t reference = reference_to(w, indexed, w->indices[number]);
    uint64_t coded = (uint64_t)reference + s->plan->source_count;
    size_t older = d->older.size / sizeof(uint32_t);
    unsigned bits, symbol = number_symbol(coded, REFERENCE_DIRECT, &bits);
    add_symbol(w, s, record, symbol, reference_level(reference), context_cut(context_bits(d->count)));
    if (bits > 0 && !stamma_number_put_bits(&s->bits, coded, bits))
        return false;
    if (reference > 0) {
        if (stamma_tag_dictionary_find(d, indexed, reference) == 0)
            return false;
    } else {
        stamma_text text = tag_text(w->t, number);
        w->indices[number] = stamma_tag_dictionary_add(d, indexed);
        buffer_add(&s->literals, text.data, text.size);
        buffer_add_byte(&s->literals, 0);
    }
    if (d->older.size / sizeof(uint32_t) > older)
        w->places[((const uint32_t *)(const void *)d->older.data)[older]] = (uint32_t)older + 1;
    return w->indices[number] != 0 && !s->literals.failed;
}

/* Returns whether a source produces the value of a record. */
static bool gives(const tag_writer *w, const side *s, size_t record, const tag_source *source, const uint32_t *memory)
{
    const tag_table *t = w->t;
    uint32_t number = tag_value(t, s->column, record);
    char out[STAMMA_FEN_SIZE];
    stamma_text text;
    if (source->kind == SOURCE_RECALL)
        return memory && *memory != 0 && *memory == w->indices[number];
    if (source->kind == SOURCE_BEGIN)
        return stamma_begins_with(t, s->column, record, source->what, &text);
    if (source->what < TAG_CODED_MAX)
        return tag_value(t, source->what, record) == number;
    text = stamma_game_text(&t->games[record], source->what, out);
    return text.data && text.size == tag_text(t, number).size &&
           memcmp(text.data, tag_text(t, number).data, text.size) == 0;
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
    int32_t value = stamma_tag_number(text, plan->plus), predicted = 0;
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
    if (value == INT32_MIN) {
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
    stamma_buffer_release(&s->stored);
}

static void begin_side(tag_writer *w, side *s, size_t column, bool shared)
{
    const stamma_allocator *allocator = w->t->allocator;
    *s = (side){.column = column, .plan = &w->t->plans[column], .codec = CODEC_TAGS};
    s->bits.bits.allocator = s->literals.allocator = s->stored.allocator = allocator;
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

/* Stores literals as fields if this is shorter. Otherwise *out is empty. */
static stamma_error try_fields(tag_writer *w, side *s, buffer *out)
{
    unsigned codec = CODEC_STORED;
    stamma_error error = STAMMA_OK;
    if (has_numbers(&s->literals))
        error = stamma_tag_pack_texts(w->packer, &s->literals, out, &codec);
    s->plan->fields = codec == CODEC_FIELDS;
    out->size = s->plan->fields ? out->size : 0;
    return error;
}

static stamma_error pack_side(tag_writer *w, side *s)
{
    const stamma_allocator *allocator = w->t->allocator;
    buffer parameters = {.allocator = allocator}, symbols = parameters, fields = parameters;
    int efforts[4] = {EFFORT_NUMBERS, EFFORT_NONE, EFFORT_NONE, EFFORT_NONE};
    unsigned classes = TAG_CLASSES_MAX;
    stamma_error error = try_fields(w, s, &fields);
    if (error == STAMMA_OK && !s->plan->fields)
        error = effort_for(&w->packer->bytes, &s->literals, true, &efforts[3]);
    choose_others(w, s);
    write_plan(w->t, s->plan, &parameters);
    if (error == STAMMA_OK &&
        !stamma_classes_write(s->symbols, s->count, TREE_SAMPLE, &classes, allocator, &parameters, &symbols))
        error = STAMMA_ERROR_NO_MEMORY;
    const buffer streams[4] = {parameters, symbols, s->bits.bits, s->plan->fields ? fields : s->literals};
    if (error == STAMMA_OK)
        error = stamma_streams_pack(&w->packer->bytes, streams, efforts, 4, &s->stored);
    stamma_buffer_release(&parameters);
    stamma_buffer_release(&symbols);
    stamma_buffer_release(&fields);
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
    for (unsigned n = 0; n < w->side_count; n++)
        if (!make_room(w, &w->sides[n]))
            return false;
    return true;
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
        error = pack_side(w, &w->sides[n]);
    return error == STAMMA_OK && may_be_texts(w, different, all) ? try_texts(w, true) : error;
}

/* Replaces the sides' stored bytes with the output of the mixed coder. */
static void take_mixed(tag_writer *w, mixed_columns *m)
{
    size_t records = w->t->records;
    w->mixed_models++;
    w->mixed_slots += m->slots;
    for (unsigned n = 0; n < w->side_count; n++) {
        side *s = &w->sides[n];
        buffer other = s->stored;
        s->stored = m->stored[n];
        s->codec = CODEC_MIXED;
        s->plan->numbers = false;
        m->stored[n] = other;
        memcpy(w->known + s->column * records, m->numbers + n * records, records * sizeof *w->known);
        memcpy(w->levels + s->column * records, m->levels + n * records, records);
    }
}

/* Returns whether the mixed coder is worth the time for writing and reading the sides. */
static bool is_worth_mixing(const tag_writer *w, const mixed_columns *m)
{
    size_t size = 0, mixed = 0;
    for (unsigned n = 0; n < w->side_count; n++) {
        size_t plain = w->t->values[w->sides[n].column]->size;
        size += w->sides[n].stored.size;
        mixed += m->stored[n].size;
        if (m->slots > 0 && (plain / MIXED_EXPANSION > m->stored[n].size || plain < m->stored[n].size ||
                             m->spelt[n] > mixed_spelt_max(m->stored[n].size)))
            return false;
    }
    return m->slots == 0 ? size > MIXED_LEAST : mixed + size / MIXED_GAIN < size;
}

/* Tries the mixed coder on both sides, and uses its output if the output is shorter. */
static stamma_error try_mixed(tag_writer *w)
{
    const stamma_allocator *allocator = w->t->allocator;
    size_t cells = w->side_count * w->t->records;
    mixed_columns m = {.t = w->t,
                       .columns = {w->sides[0].column, w->sides[w->side_count - 1].column},
                       .count = w->side_count,
                       .slots_left = MIXED_SLOTS_MAX - w->mixed_slots,
                       .stored = {{.allocator = allocator}, {.allocator = allocator}}};
    stamma_error error = STAMMA_OK;
    if (w->mixed_models == MIXED_MODELS_MAX || !is_worth_mixing(w, &m))
        return STAMMA_OK;
    m.numbers = (uint32_t *)memory_allocate(allocator, size_multiply(cells + 1, sizeof *m.numbers));
    m.levels = (uint8_t *)memory_allocate(allocator, cells + 1);
    if (!m.numbers || !m.levels) {
        error = STAMMA_ERROR_NO_MEMORY;
    } else {
        memset(m.numbers, 0, cells * sizeof *m.numbers);
        memset(m.levels, 0, cells);
        error = stamma_mixed_columns_write(&m);
    }
    if (error == STAMMA_OK && m.slots > 0 && is_worth_mixing(w, &m))
        take_mixed(w, &m);
    memory_release(allocator, m.numbers);
    memory_release(allocator, m.levels);
    stamma_buffer_release(&m.stored[0]);
    stamma_buffer_release(&m.stored[1]);
    return error;
}

static void give(tag_writer *w, tag_sink *add, void *context)
{
    tag_table *t = w->t;
    for (unsigned n = 0; n < w->side_count; n++) {
        side *s = &w->sides[n];
        w->coded[s->column] = s->codec == CODEC_TAGS || s->codec == CODEC_MIXED;
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
        if (error == STAMMA_OK && t->mixed)
            error = try_mixed(w);
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
    tag_writer w = {.t = t, .packer = packer, .dictionary.older.allocator = allocator};
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
    return error;
}
