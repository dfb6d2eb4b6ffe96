/* Columns as they are stored: codecs, the directory, checksums (clauses 3.2 and 3.3). */
#include "archive/archive.h"

const char *const stamma_column_names[COLUMN_IDS] = {
    "",         "events",      "moves",   "variation-moves", "comments", "nags",        "results",
    "rosters",  "roster-list", "styles",  "style-list",      "layout",   "layout-text", "verbatim-sizes",
    "verbatim", "extra-tags",  "reasons", "event-counts",    "checks"};

void stamma_column_name(const column_entry *e, char name[STAMMA_COLUMN_NAME_SIZE])
{
    const char *word = e->id == COLUMN_TAG ? "tag:" : e->id < COLUMN_IDS ? stamma_column_names[e->id] : "unknown";
    size_t size = strlen(word), more = STAMMA_COLUMN_NAME_SIZE - 1 - size;
    memset(name, 0, STAMMA_COLUMN_NAME_SIZE);
    memcpy(name, word, size);
    memcpy(name + size, e->name.data, e->name.size < more ? e->name.size : more);
}

/* Moves are nearly noise to zstd, events repeat whatever is tried, and texts repay work. */
static int effort(unsigned id)
{
    switch (id) {
    case COLUMN_MOVES: return EFFORT_MOVES;
    case COLUMN_EVENTS: return EFFORT_REPEATS;
    case COLUMN_EVENT_COUNTS: return EFFORT_NUMBERS;
    case COLUMN_COMMENTS: return EFFORT_WORDS;
    default: return EFFORT_TEXT;
    }
}

/* ---- codec 2: texts as templates and fields (clause 10) ---- */

/* `words`: how hard to try with words. */
static stamma_error append_streams(byte_packer *coder, const field_streams *streams, int words, buffer *body)
{
    buffer head = {.allocator = body->allocator}, packed = {.allocator = body->allocator};
    stamma_error error = STAMMA_OK;
    stamma_buffer_add_varint(&head, streams->count);
    for (size_t i = 0; i < streams->count && error == STAMMA_OK; i++) {
        const buffer *stream = &streams->streams[i];
        uint8_t codec;
        size_t begin = packed.size;
        stamma_buffer_add_varint(&head, stream->size);
        if (streams->coded[i])
            buffer_add(&packed, stream->data, stream->size);
        else
            error = stamma_bytes_pack(coder, streams->words[i] ? words : EFFORT_NUMBERS, stream, &packed, &codec);
        stamma_buffer_add_varint(&head, packed.size - begin);
    }
    buffer_add(body, head.data, head.size);
    buffer_add(body, packed.data, packed.size);
    if (head.failed || packed.failed || body->failed)
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&head);
    stamma_buffer_release(&packed);
    return error;
}

/* How fields are made of a column's texts. */
typedef struct field_plan {
    bool whole; /* texts as they are, without numbers in them */
    int words;  /* how hard to try with what is no field: tags are many, and comments repay it */
} field_plan;

/* UNSUPPORTED where the column is no better for it. */
static stamma_error append_fields(byte_packer *coder, const buffer *plain, const text_counts *counts, field_plan plan,
                                  buffer *body)
{
    field_streams *streams;
    if (!coder->fields && !(coder->fields = stamma_field_encoder_new(plain->allocator)))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error =
        stamma_fields_encode(coder->fields, coder, plain, counts->per_game, counts->games, plan.whole, &streams);
    return error == STAMMA_OK ? append_streams(coder, streams, plan.words, body) : error;
}

static stamma_error read_stream(byte_packer *coder, cursor *head, cursor *body, size_t *room, field_streams *streams)
{
    uint64_t plain = stamma_cursor_varint(head), stored = stamma_cursor_varint(head);
    const uint8_t *bytes = cursor_take(body, stored);
    if (!bytes || head->failed || plain > *room || stored > plain)
        return STAMMA_ERROR_CORRUPT;
    *room -= (size_t)plain;
    streams->stored[streams->count] = (size_t)stored;
    buffer *out = &streams->streams[streams->count];
    return stamma_bytes_unpack(coder, plain == stored ? CODEC_STORED : CODEC_PACKED, bytes, (size_t)stored,
                               (size_t)plain, out);
}

/* `room`: bytes that the streams may have. */
static stamma_error read_streams(byte_packer *coder, cursor stored, size_t room, field_streams *streams)
{
    cursor head = stored;
    uint64_t count = stamma_cursor_varint(&head);
    cursor body = head;
    for (uint64_t i = 0; i < 2 * count && !body.failed; i++)
        stamma_cursor_varint(&body);
    if (head.failed || body.failed || count > FIELD_STREAMS_MAX)
        return STAMMA_ERROR_CORRUPT;
    for (streams->count = 0; streams->count < count; streams->count++) {
        stamma_error error = read_stream(coder, &head, &body, &room, streams);
        if (error != STAMMA_OK)
            return error;
    }
    return cursor_left(&body) == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

stamma_error stamma_column_count_fields(byte_packer *coder, const column_entry *e, const uint8_t *stored,
                                        const stamma_allocator *allocator, field_census *tell, void *context)
{
    field_streams *streams = (field_streams *)memory_allocate(allocator, sizeof *streams);
    if (!streams)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_field_streams_init(streams, allocator);
    stamma_error error =
        read_streams(coder, (cursor){stored, stored + e->stored_size, false}, COLUMN_SIZE_MAX, streams);
    if (error == STAMMA_OK)
        error = stamma_fields_count(streams, allocator, tell, context);
    stamma_field_streams_release(streams);
    memory_release(allocator, streams);
    return error;
}

/* Replaces `plain` by the texts that the fields in `stored` give, `size` bytes. */
static stamma_error read_fields(byte_packer *coder, cursor stored, const text_counts *counts, size_t size,
                                buffer *plain)
{
    plain->size = 0;
    field_streams *streams = (field_streams *)memory_allocate(plain->allocator, sizeof *streams);
    if (!streams)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_field_streams_init(streams, plain->allocator);
    stamma_error error = read_streams(coder, stored, COLUMN_SIZE_MAX, streams);
    if (error == STAMMA_OK)
        error = stamma_fields_decode(streams, counts->per_game, counts->games, plain->allocator, size, plain);
    if (error == STAMMA_OK && plain->size != size)
        error = STAMMA_ERROR_CORRUPT;
    stamma_field_streams_release(streams);
    memory_release(plain->allocator, streams);
    return error;
}

field_column *stamma_field_column_new(const stamma_allocator *allocator)
{
    field_column *f = (field_column *)memory_allocate(allocator, sizeof *f);
    if (f) {
        memset(f, 0, sizeof *f);
        stamma_field_streams_init(&f->streams, allocator);
    }
    return f;
}

void stamma_field_column_release(field_column *f, const stamma_allocator *allocator)
{
    if (!f)
        return;
    stamma_field_streams_release(&f->streams);
    stamma_field_reader_close(&f->reader);
    memory_release(allocator, f);
}

stamma_error stamma_field_column_open(byte_packer *coder, const column_entry *e, const uint8_t *stored,
                                      const stamma_allocator *allocator, field_column *f)
{
    if (XXH64(stored, (size_t)e->stored_size, 0) != e->check)
        return STAMMA_ERROR_CORRUPT;
    f->left = e->plain_size;
    stamma_error error =
        read_streams(coder, (cursor){stored, stored + e->stored_size, false}, COLUMN_SIZE_MAX, &f->streams);
    return error == STAMMA_OK ? stamma_field_reader_open(&f->reader, &f->streams, allocator) : error;
}

stamma_error stamma_field_column_take(field_column *f, uint32_t game, buffer *out)
{
    size_t begin = out->size;
    if (!stamma_field_reader_next(&f->reader, game, out) || out->size - begin > f->left)
        return out->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
    f->left -= out->size - begin;
    return STAMMA_OK;
}

bool stamma_field_column_is_done(field_column *f)
{
    return f->left == 0 && stamma_field_reader_is_done(&f->reader);
}

/* ---- codec 3: tag values by rules (clause 14) ---- */

/* Counts for so many texts that are each a game of their own. */
static bool one_text_a_game(size_t texts, buffer *ones, text_counts *counts)
{
    const uint32_t one = 1;
    for (size_t i = 0; i < texts; i++)
        buffer_add(ones, &one, sizeof one);
    *counts = (text_counts){(const uint32_t *)(const void *)ones->data, texts};
    return !ones->failed;
}

static size_t count_texts(const buffer *plain)
{
    size_t count = 0;
    for (size_t i = 0; i < plain->size; i++)
        count += plain->data[i] == 0;
    return count;
}

/* Appends texts as fields: each is a game of its own. UNSUPPORTED where it does not pay. */
static stamma_error append_literal_fields(byte_packer *coder, const buffer *texts, field_plan plan, buffer *body)
{
    buffer ones = {.allocator = body->allocator};
    text_counts counts;
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    if (one_text_a_game(count_texts(texts), &ones, &counts))
        error = append_fields(coder, texts, &counts, plan, body);
    stamma_buffer_release(&ones);
    return error;
}

/* Whether numbers in a text may be shorter than the text. */
static bool is_numeric(const buffer *plain)
{
    size_t digits = 0;
    for (size_t i = 0; i < plain->size; i++)
        digits += plain->data[i] >= '0' && plain->data[i] <= '9';
    return digits > plain->size / 8;
}

/* Ways to store texts: as they are, as fields with the numbers in them, as fields that are whole texts. */
typedef enum literal_way { AS_TEXT, AS_NUMBERS, AS_WHOLE, WAYS } literal_way;

/* Appends texts in one of these ways where body has nothing from `begin` on, or what it has is longer. */
static stamma_error try_way(byte_packer *coder, const buffer *texts, literal_way way, int effort, size_t begin,
                            buffer *body, uint8_t *codec)
{
    buffer other = {.allocator = body->allocator};
    uint8_t other_codec = CODEC_FIELDS;
    stamma_error error = way == AS_TEXT
                             ? stamma_bytes_pack(coder, effort, texts, &other, &other_codec)
                             : append_literal_fields(coder, texts, (field_plan){way == AS_WHOLE, effort}, &other);
    if (error == STAMMA_OK && (body->size == begin || other.size < body->size - begin)) {
        body->size = begin;
        buffer_add(body, other.data, other.size);
        *codec = other_codec;
    }
    stamma_buffer_release(&other);
    return error == STAMMA_ERROR_UNSUPPORTED ? STAMMA_OK : error;
}

/* What a sample tells of the ways. */
typedef struct sampled_ways {
    size_t sizes[WAYS]; /* 0 where nothing is known, SIZE_MAX for what is no way */
    int text_effort;
} sampled_ways;

static stamma_error try_sampled(byte_packer *coder, const buffer *sample, literal_way way, int effort, size_t *size)
{
    uint8_t codec;
    buffer packed = {.allocator = sample->allocator};
    stamma_error error = try_way(coder, sample, way, effort, 0, &packed, &codec);
    *size = packed.size > 0 ? packed.size : SIZE_MAX;
    stamma_buffer_release(&packed);
    return error;
}

/* Fields gain on text with the size: their templates are written once. */
static bool is_worth_trying(const sampled_ways *found, literal_way way)
{
    size_t least = SIZE_MAX;
    for (literal_way other = AS_TEXT; other < WAYS; other++)
        least = found->sizes[other] < least ? found->sizes[other] : least;
    return found->sizes[way] <= least + least / (way == AS_TEXT ? 16 : 12);
}

/* What the first of many texts come to; nothing is known of few. Where more effort does not make them smaller, what
 * repeats in them is all alike, as in addresses with random numbers: haste is then enough; for names nearly. */
static stamma_error try_sample(byte_packer *coder, const copied_values *values, sampled_ways *found)
{
    enum { SAMPLE = 4096 };
    const buffer *texts = &values->literals;
    bool once = values->form % CHOICE_SHARED >= CHOICE_LISTED; /* each text */
    *found = (sampled_ways){.sizes[AS_NUMBERS] = is_numeric(texts) ? 0 : SIZE_MAX,
                            .sizes[AS_WHOLE] = once ? SIZE_MAX : 0,
                            .text_effort = EFFORT_TEXT};
    if (texts->size < 2 * SAMPLE)
        return STAMMA_OK;
    buffer sample = *texts;
    sample.size = (size_t)((const uint8_t *)memchr(texts->data + SAMPLE, 0, texts->size - SAMPLE) + 1 - texts->data);
    size_t *sizes = found->sizes;
    stamma_error error = try_sampled(coder, &sample, AS_TEXT, EFFORT_HASTE, &sizes[AS_TEXT]);
    if (error == STAMMA_OK && sizes[AS_WHOLE] == 0)
        error = try_sampled(coder, &sample, AS_WHOLE, EFFORT_HASTE, &sizes[AS_WHOLE]);
    if (sizes[AS_WHOLE] < sizes[AS_TEXT] / 2)
        sizes[AS_NUMBERS] = SIZE_MAX; /* a few texts, as results are, and not many numbers */
    if (error == STAMMA_OK && sizes[AS_NUMBERS] == 0)
        error = try_sampled(coder, &sample, AS_NUMBERS, EFFORT_HASTE, &sizes[AS_NUMBERS]);
    size_t size = 0;
    if (error == STAMMA_OK && is_worth_trying(found, AS_TEXT))
        error = try_sampled(coder, &sample, AS_TEXT, EFFORT_TEXT, &size);
    if (size > sizes[AS_TEXT] - sizes[AS_TEXT] / 64)
        found->text_effort = once ? EFFORT_MOVES : EFFORT_HASTE;
    return error;
}

/* The shortest of the ways that are worth to be tried. */
static stamma_error append_literals(byte_packer *coder, const copied_values *values, buffer *body, uint8_t *codec)
{
    const buffer *texts = &values->literals;
    size_t begin = body->size;
    sampled_ways found;
    *codec = CODEC_STORED;
    if (texts->size == 0)
        return STAMMA_OK;
    stamma_error error = try_sample(coder, values, &found);
    for (literal_way way = AS_TEXT; way < WAYS && error == STAMMA_OK; way++) {
        bool repeats = body->size > begin && body->size - begin < texts->size / 16; /* far more than numbers do */
        if (is_worth_trying(&found, way) && !(way == AS_NUMBERS && repeats))
            error = try_way(coder, texts, way, way == AS_TEXT ? found.text_effort : EFFORT_TEXT, begin, body, codec);
    }
    return error;
}

void stamma_copied_values_init(copied_values *values, const stamma_allocator *allocator)
{
    memset(values, 0, sizeof *values);
    values->rules.allocator = values->symbols.allocator = values->literals.allocator = allocator;
    values->parameters.allocator = values->bits.allocator = allocator;
}

void stamma_copied_values_release(copied_values *values)
{
    stamma_buffer_release(&values->rules);
    stamma_buffer_release(&values->symbols);
    stamma_buffer_release(&values->literals);
    stamma_buffer_release(&values->parameters);
    stamma_buffer_release(&values->bits);
}

/* Bytes with their sizes before them, plain and stored. */
static stamma_error append_sized(byte_packer *coder, const buffer *plain, bool pack, buffer *body)
{
    buffer packed = {.allocator = body->allocator};
    uint8_t codec;
    stamma_error error = pack ? stamma_bytes_pack(coder, EFFORT_NUMBERS, plain, &packed, &codec) : STAMMA_OK;
    const buffer *stored = pack ? &packed : plain;
    stamma_buffer_add_varint(body, plain->size);
    stamma_buffer_add_varint(body, stored->size);
    buffer_add(body, stored->data, stored->size);
    error = error == STAMMA_OK && (packed.failed || body->failed) ? STAMMA_ERROR_NO_MEMORY : error;
    stamma_buffer_release(&packed);
    return error;
}

/* Replaces `plain`, which may have `limit` bytes. */
static stamma_error read_sized(byte_packer *coder, cursor *in, uint64_t limit, buffer *plain)
{
    uint64_t size = stamma_cursor_varint(in), stored_size = stamma_cursor_varint(in);
    const uint8_t *stored = cursor_take(in, stored_size);
    if (in->failed || stored_size > size || size > limit)
        return STAMMA_ERROR_CORRUPT;
    return stamma_bytes_unpack(coder, stored_size < size ? CODEC_PACKED : CODEC_STORED, stored, (size_t)stored_size,
                               (size_t)size, plain);
}

enum { FORM_RULES = 8 /* rules are counted below, forms above */ };

/* Rules and choices (14.2). */
static stamma_error append_choices(byte_packer *coder, const copied_values *values, buffer *body)
{
    bool coded = values->form != CHOICE_BYTES;
    stamma_error error = STAMMA_OK;
    buffer_add_byte(body, (uint8_t)(values->rules.size / 2 + FORM_RULES * values->form));
    buffer_add(body, values->rules.data, values->rules.size);
    if (coded) {
        buffer_add(body, values->others, sizeof values->others);
        error = append_sized(coder, &values->parameters, true, body);
    }
    if (error == STAMMA_OK)
        error = append_sized(coder, &values->symbols, !coded, body);
    return error == STAMMA_OK && coded ? append_sized(coder, &values->bits, false, body) : error;
}

/* Choices, and literals (14.2), which are stored already. */
static stamma_error append_copies(byte_packer *coder, const copied_values *values, const buffer *literals,
                                  uint8_t literal_codec, buffer *body)
{
    stamma_error error = append_choices(coder, values, body);
    buffer_add_byte(body, literal_codec);
    stamma_buffer_add_varint(body, values->literals.size);
    if (literal_codec == CODEC_FIELDS)
        stamma_buffer_add_varint(body, count_texts(&values->literals));
    buffer_add(body, literals->data, literals->size);
    return body->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

enum { LITERALS_MAX = 1 << 22 };

static stamma_error read_literals(byte_packer *coder, cursor in, size_t limit, buffer *literals)
{
    uint8_t codec = cursor_byte(&in);
    uint64_t size = stamma_cursor_varint(&in);
    uint64_t texts = codec == CODEC_FIELDS ? stamma_cursor_varint(&in) : 0;
    if (in.failed || size > limit || texts > LITERALS_MAX || codec > CODEC_FIELDS ||
        (codec == CODEC_PACKED && cursor_left(&in) >= size))
        return STAMMA_ERROR_CORRUPT;
    if (codec != CODEC_FIELDS)
        return stamma_bytes_unpack(coder, codec, in.at, cursor_left(&in), (size_t)size, literals);
    buffer ones = {.allocator = literals->allocator};
    text_counts counts;
    stamma_error error = one_text_a_game((size_t)texts, &ones, &counts)
                             ? read_fields(coder, in, &counts, (size_t)size, literals)
                             : STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&ones);
    return error;
}

static stamma_error read_choices(byte_packer *coder, cursor *in, uint64_t limit, copied_values *values)
{
    uint8_t head = cursor_byte(in);
    values->form = head / FORM_RULES;
    size_t rules_size = head % FORM_RULES * (size_t)2;
    const uint8_t *rules = cursor_take(in, rules_size);
    if (in->failed || values->form >= CHOICE_FORMS || values->form == CHOICE_SHARED)
        return STAMMA_ERROR_CORRUPT;
    buffer_add(&values->rules, rules, rules_size);
    if (values->form == CHOICE_BYTES)
        return read_sized(coder, in, limit, &values->symbols);
    values->others[0] = cursor_byte(in);
    values->others[1] = cursor_byte(in);
    stamma_error error = read_sized(coder, in, limit, &values->parameters);
    if (error == STAMMA_OK)
        error = read_sized(coder, in, limit, &values->symbols);
    return error == STAMMA_OK ? read_sized(coder, in, limit, &values->bits) : error;
}

stamma_error stamma_column_read_copies(byte_packer *coder, const column_entry *e, const uint8_t *stored,
                                       copied_values *values)
{
    cursor in = {stored, stored + e->stored_size, false};
    if (XXH64(stored, (size_t)e->stored_size, 0) != e->check)
        return STAMMA_ERROR_CORRUPT;
    values->rules.size = values->symbols.size = values->literals.size = 0;
    values->parameters.size = values->bits.size = 0;
    stamma_error error = read_choices(coder, &in, e->plain_size, values);
    if (error == STAMMA_OK)
        error = read_literals(coder, in, (size_t)e->plain_size, &values->literals);
    return values->rules.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* ---- columns ---- */

static void write_entry(unsigned id, unsigned codec, stamma_text name, size_t plain_size, const buffer *body,
                        size_t begin, buffer *directory)
{
    uint8_t entry[3] = {(uint8_t)id, (uint8_t)codec, id != COLUMN_REASONS};
    uint8_t check[8];
    store_u64(check, XXH64(body->data + begin, body->size - begin, 0));
    buffer_add(directory, entry, sizeof entry);
    stamma_buffer_add_varint(directory, name.size);
    buffer_add(directory, name.data, name.size);
    stamma_buffer_add_varint(directory, plain_size);
    stamma_buffer_add_varint(directory, body->size - begin);
    buffer_add(directory, check, sizeof check);
}

stamma_error stamma_column_write(byte_packer *coder, unsigned id, stamma_text name, const buffer *plain,
                                 const text_counts *counts, buffer *directory, buffer *body)
{
    uint8_t codec = CODEC_FIELDS;
    size_t begin = body->size;
    stamma_error error = counts ? append_fields(coder, plain, counts, (field_plan){false, EFFORT_WORDS}, body)
                                : STAMMA_ERROR_UNSUPPORTED;
    if (error == STAMMA_OK && body->size - begin > plain->size)
        error = STAMMA_ERROR_UNSUPPORTED;
    if (error == STAMMA_ERROR_UNSUPPORTED)
        body->size = begin;
    if (error == STAMMA_ERROR_UNSUPPORTED)
        error = stamma_bytes_pack(coder, effort(id), plain, body, &codec);
    if (error != STAMMA_OK)
        return error;
    write_entry(id, codec, name, plain->size, body, begin, directory);
    return STAMMA_OK;
}

/* Appends a column one way where body has nothing from `begin` on, or what it has is longer. */
static stamma_error try_copies(byte_packer *coder, const copied_values *values, size_t begin, buffer *body,
                               uint8_t *codec)
{
    buffer literals = {.allocator = body->allocator}, copies = literals;
    uint8_t literal_codec;
    stamma_error error = append_literals(coder, values, &literals, &literal_codec);
    bool alone = values->rules.size == 0 && values->form == CHOICE_BYTES && literal_codec != CODEC_FIELDS;
    if (error == STAMMA_OK && !alone)
        error = append_copies(coder, values, &literals, literal_codec, &copies);
    const buffer *made = alone ? &literals : &copies;
    if (error == STAMMA_OK && (body->size == begin || made->size < body->size - begin)) {
        body->size = begin;
        buffer_add(body, made->data, made->size);
        *codec = alone ? literal_codec : CODEC_COPIES;
    }
    if (error == STAMMA_OK && (literals.failed || copies.failed || body->failed))
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&literals);
    stamma_buffer_release(&copies);
    return error;
}

/* Whether coded choices may be longer than a byte for each: of numbers, where few are the same, or of few texts. */
static bool may_be_better_plain(const copied_values *values)
{
    enum { FEW = 1 << 11 };
    return values->literals.size < FEW || is_numeric(&values->literals);
}

stamma_error stamma_column_write_copies(byte_packer *coder, stamma_text name, const buffer *plain,
                                        const copied_values *values, const copied_values *coded, buffer *directory,
                                        buffer *body, bool *chosen)
{
    uint8_t codec = CODEC_COPIES;
    size_t begin = body->size;
    bool is_coded = coded->form != CHOICE_BYTES, shared = coded->form >= CHOICE_SHARED;
    stamma_error error = is_coded ? try_copies(coder, coded, begin, body, &codec) : STAMMA_OK;
    size_t coded_size = body->size - begin;
    if (error == STAMMA_OK && !shared && (!is_coded || may_be_better_plain(values)))
        error = try_copies(coder, values, begin, body, &codec);
    *chosen = is_coded && body->size - begin == coded_size;
    if (error == STAMMA_OK && body->size - begin > plain->size) {
        *chosen = false;
        body->size = begin;
        error = stamma_bytes_pack(coder, effort(COLUMN_TAG), plain, body, &codec);
    }
    if (error == STAMMA_OK)
        write_entry(COLUMN_TAG, codec, name, plain->size, body, begin, directory);
    return error;
}

/* ---- codec 4: tag values that are numbers (clause 15) ---- */

stamma_error stamma_column_write_numbers(byte_packer *coder, stamma_text name, size_t plain_size,
                                         const coded_numbers *numbers, size_t column, buffer *directory, buffer *body)
{
    const number_plan *plan = &numbers->numbers.columns[column].plan;
    size_t begin = body->size;
    field_streams *streams = (field_streams *)memory_allocate(body->allocator, sizeof *streams);
    if (!streams)
        return STAMMA_ERROR_NO_MEMORY;
    memset(streams, 0, sizeof *streams); /* of buffers that are others' */
    for (size_t i = 0; i <= plan->count; i++) {
        streams->streams[streams->count++] = numbers->sinks[column][i].symbols;
        streams->streams[streams->count++] = numbers->sinks[column][i].bits;
    }
    streams->words[streams->count] = true;
    streams->streams[streams->count++] = numbers->literals[column];
    stamma_number_plan_write(plan, body);
    stamma_error error = append_streams(coder, streams, EFFORT_TEXT, body);
    memory_release(body->allocator, streams);
    if (error == STAMMA_OK)
        write_entry(COLUMN_TAG, CODEC_NUMBERS, name, plain_size, body, begin, directory);
    return error;
}

stamma_error stamma_column_read_numbers(byte_packer *coder, const column_entry *e, const uint8_t *stored,
                                        number_plan *plan, field_streams *streams)
{
    cursor in = {stored, stored + e->stored_size, false};
    if (XXH64(stored, (size_t)e->stored_size, 0) != e->check)
        return STAMMA_ERROR_CORRUPT;
    stamma_error error = stamma_number_plan_read(&in, plan);
    if (error == STAMMA_OK)
        error = read_streams(coder, in, (size_t)e->plain_size, streams);
    return error == STAMMA_OK && streams->count != 2 * (plan->count + 1u) + 1 ? STAMMA_ERROR_CORRUPT : error;
}

/* ---- the directory ---- */

bool stamma_column_read_entry(cursor *in, column_entry *e)
{
    e->id = cursor_byte(in);
    e->codec = cursor_byte(in);
    e->flags = cursor_byte(in);
    uint64_t name_size = stamma_cursor_varint(in);
    const uint8_t *name = cursor_take(in, name_size);
    e->name = (stamma_text){(const char *)name, (size_t)name_size};
    e->plain_size = stamma_cursor_varint(in);
    e->stored_size = stamma_cursor_varint(in);
    const uint8_t *check = cursor_take(in, 8);
    if (in->failed || e->flags > 3 || name_size > UINT8_MAX || (e->id != COLUMN_TAG && name_size != 0) ||
        e->plain_size == 0 || e->plain_size > COLUMN_SIZE_MAX || e->stored_size > e->plain_size ||
        (name_size != 0 && memchr(name, 0, e->name.size)))
        return false;
    e->check = load_u64(check);
    return true;
}

stamma_error stamma_column_read(byte_packer *coder, const column_entry *e, const uint8_t *stored, buffer *plain)
{
    plain->size = 0;
    if (XXH64(stored, (size_t)e->stored_size, 0) != e->check)
        return STAMMA_ERROR_CORRUPT;
    if (e->codec > CODEC_PACKED)
        return STAMMA_ERROR_UNSUPPORTED;
    return stamma_bytes_unpack(coder, e->codec, stored, (size_t)e->stored_size, (size_t)e->plain_size, plain);
}
