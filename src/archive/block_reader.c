/* Opens the columns of a block (clauses 3 and 5), to be read by records. Nothing in a column is trusted. */
#include "archive/archive.h"

void stamma_block_reader_init(block_reader *b, const stamma_allocator *allocator)
{
    memset(b, 0, sizeof *b);
    b->allocator = allocator;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->columns[id].allocator = allocator;
    b->main_line.allocator = b->comment_sizes.allocator = b->copies.values.allocator = allocator;
}

void stamma_block_reader_release(block_reader *b)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_release(&b->columns[id]);
    for (size_t i = 0; i < b->tag_capacity; i++) {
        stamma_copied_values_release(&b->tags[i].values);
        if (b->tags[i].streams)
            stamma_field_streams_release(b->tags[i].streams);
        memory_release(b->allocator, b->tags[i].streams);
        stamma_buffer_release(&b->tags[i].name);
    }
    stamma_field_column_release(b->comments, b->allocator);
    stamma_buffer_release(&b->comment_sizes);
    stamma_buffer_release(&b->main_line);
    stamma_tag_copies_release(&b->copies, b->allocator);
    stamma_tag_numbers_release(&b->numbers, b->allocator);
    memory_release(b->allocator, b->tags);
    memory_release(b->allocator, b->rosters);
    stamma_styles_release(&b->styles, b->allocator);
    stamma_record_release(&b->record, b->allocator);
    stamma_byte_packer_release(&b->coder);
}

stamma_error stamma_block_read_head(cursor *in, block_head *head)
{
    block_counts counts;
    stamma_error error = stamma_block_counts_read(in, &counts);
    head->columns = stamma_cursor_varint(in);
    if (error != STAMMA_OK || in->failed)
        return STAMMA_ERROR_CORRUPT;
    head->text_size = counts.counts.bytes_in;
    head->text_check = counts.text_check;
    head->records = counts.records;
    head->counts = counts.counts;
    head->continues = counts.continues;
    return STAMMA_OK;
}

/* ---- loading ---- */

static tag_source *add_tag(block_reader *b)
{
    if (b->tag_count == b->tag_capacity) {
        size_t capacity = b->tag_capacity < 16 ? 16 : b->tag_capacity * 2;
        void *resized = memory_resize(b->allocator, b->tags, capacity * sizeof *b->tags);
        if (!resized)
            return NULL;
        b->tags = (tag_source *)resized;
        for (; b->tag_capacity < capacity; b->tag_capacity++) {
            b->tags[b->tag_capacity] = (tag_source){.name.allocator = b->allocator};
            stamma_copied_values_init(&b->tags[b->tag_capacity].values, b->allocator);
        }
    }
    return &b->tags[b->tag_count++];
}

static bool has_tag(const block_reader *b, stamma_text name)
{
    for (size_t i = 0; i < b->tag_count; i++)
        if (b->tags[i].name.size == name.size &&
            (name.size == 0 || memcmp(b->tags[i].name.data, name.data, name.size) == 0))
            return true;
    return false;
}

static bool is_fen(const tag_source *tag)
{
    return tag->name.size == 3 && memcmp(tag->name.data, "FEN", 3) == 0;
}

/* The column among those so far that tells the same of the other player; COPY_COLUMNS_MAX where there is none. */
static size_t find_twin(const block_reader *b, const buffer *name)
{
    stamma_text own = {(const char *)name->data, name->size};
    for (size_t i = 0; i < b->tag_count && i < COPY_COLUMNS_MAX; i++)
        if (stamma_are_twins((stamma_text){(const char *)b->tags[i].name.data, b->tags[i].name.size}, own))
            return i;
    return COPY_COLUMNS_MAX;
}

/* A column in codec 4 (clause 15). */
static stamma_error load_numbers(block_reader *b, tag_source *tag, const column_entry *e, const uint8_t *stored)
{
    size_t column = b->tag_count - 1;
    number_plan plan;
    if (column >= COPY_COLUMNS_MAX)
        return STAMMA_ERROR_CORRUPT;
    if (!tag->streams) {
        tag->streams = (field_streams *)memory_allocate(b->allocator, sizeof *tag->streams);
        if (!tag->streams)
            return STAMMA_ERROR_NO_MEMORY;
        stamma_field_streams_init(tag->streams, b->allocator);
    }
    stamma_error error = stamma_column_read_numbers(&b->coder, e, stored, &plan, tag->streams);
    if (error != STAMMA_OK)
        return error;
    const buffer *streams = tag->streams->streams;
    stamma_tag_numbers_set(&b->numbers, column, find_twin(b, &tag->name), &plan);
    for (size_t i = 0; i <= plan.count; i++, streams += 2)
        b->numbers.columns[column].sources[i] = (number_source){
            .symbols = buffer_cursor(&streams[0]), .bits = {streams[1].data, streams[1].size * 8, 0, false}};
    tag->at = buffer_cursor(streams);
    b->copies.columns[column].late = b->copies.late = b->copies.any = true;
    return STAMMA_OK;
}

static stamma_error load_copies(block_reader *b, tag_source *tag, const column_entry *e, const uint8_t *stored)
{
    stamma_error error = stamma_column_read_copies(&b->coder, e, stored, &tag->values);
    if (error == STAMMA_OK)
        error = stamma_tag_copies_set(&b->copies, b->tag_count - 1, find_twin(b, &tag->name), &tag->values,
                                      (size_t)e->plain_size);
    tag->at = buffer_cursor(&tag->values.literals);
    return error;
}

static stamma_error load_values(block_reader *b, tag_source *tag, const column_entry *e, const uint8_t *stored)
{
    if (e->codec == CODEC_NUMBERS)
        return load_numbers(b, tag, e, stored);
    if (e->codec == CODEC_COPIES)
        return load_copies(b, tag, e, stored);
    stamma_error error = stamma_column_read(&b->coder, e, stored, &tag->values.literals);
    tag->at = buffer_cursor(&tag->values.literals);
    return error;
}

static stamma_error load_tag(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    if (b->tag_count == TAG_COLUMNS_MAX || has_tag(b, e->name))
        return STAMMA_ERROR_CORRUPT;
    tag_source *tag = add_tag(b);
    if (!tag)
        return STAMMA_ERROR_NO_MEMORY;
    tag->name.size = 0;
    buffer_add(&tag->name, e->name.data, e->name.size);
    tag->left = e->plain_size;
    stamma_error error = tag->name.failed ? STAMMA_ERROR_NO_MEMORY : load_values(b, tag, e, stored);
    if (error == STAMMA_OK && block_is_late(b, b->tag_count - 1) && is_fen(tag))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

/* A column that cannot be read: may it be left out (3.3)? */
static stamma_error ignore_column(const column_entry *e)
{
    return e->flags & ENTRY_MANDATORY ? STAMMA_ERROR_UNSUPPORTED : STAMMA_OK;
}

/* Comments that are fields are decoded record by record, while they are at hand. */
static stamma_error open_comments(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    if (!b->comments && !(b->comments = stamma_field_column_new(b->allocator)))
        return STAMMA_ERROR_NO_MEMORY;
    b->comments_are_fields = true;
    return stamma_field_column_open(&b->coder, e, stored, b->allocator, b->comments);
}

static stamma_error load_column(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    bool known = e->id == COLUMN_TAG || (e->id != 0 && e->id < COLUMN_IDS);
    if (!known || (e->id == COLUMN_REASONS && e->codec > CODEC_PACKED))
        return ignore_column(e);
    if (e->id == COLUMN_TAG)
        return load_tag(b, e, stored);
    if (e->id == COLUMN_COMMENTS && e->codec == CODEC_FIELDS)
        return open_comments(b, e, stored);
    return stamma_column_read(&b->coder, e, stored, &b->columns[e->id]);
}

static stamma_error load_columns(block_reader *b, cursor *directory, cursor *body)
{
    uint64_t total = 0;
    unsigned last = 0;
    for (uint64_t i = 0; i < b->head.columns; i++) {
        column_entry e;
        if (!stamma_column_read_entry(directory, &e) || (total += e.plain_size) > COLUMN_SIZE_MAX ||
            e.id < last + (last != COLUMN_TAG))
            return STAMMA_ERROR_CORRUPT;
        last = e.id;
        const uint8_t *stored = cursor_take(body, e.stored_size);
        stamma_error error = stored ? load_column(b, &e, stored) : STAMMA_ERROR_CORRUPT;
        if (error != STAMMA_OK)
            return error;
    }
    return cursor_left(directory) == 0 && cursor_left(body) == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Checks the roster list and notes where each roster stands. */
static stamma_error load_rosters(block_reader *b)
{
    cursor *in = &b->at[COLUMN_ROSTER_LIST];
    for (b->roster_count = 0; cursor_left(in) > 0; b->roster_count++) {
        if (b->roster_count == ROSTERS_MAX)
            return STAMMA_ERROR_CORRUPT;
        if (b->roster_count == b->roster_capacity) {
            size_t capacity = b->roster_capacity < 16 ? 16 : b->roster_capacity * 2;
            void *resized = memory_resize(b->allocator, b->rosters, capacity * sizeof *b->rosters);
            if (!resized)
                return STAMMA_ERROR_NO_MEMORY;
            b->rosters = (cursor *)resized;
            b->roster_capacity = capacity;
        }
        uint64_t count = stamma_cursor_varint(in);
        const uint8_t *begin = in->at;
        for (uint64_t i = 0; i < count; i++)
            if (stamma_cursor_varint(in) >= b->tag_count || in->failed)
                return STAMMA_ERROR_CORRUPT;
        b->rosters[b->roster_count] = (cursor){begin, in->at, false};
    }
    return in->failed ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

/* Makes the tags ready whose columns are loaded. */
static void begin_numbers(block_reader *b)
{
    stamma_tag_numbers_ready(&b->numbers);
    for (size_t i = 0; i < b->numbers.looked_count; i++)
        b->copies.columns[b->numbers.looked[i]].keyed = true;
}

/* Each group but an only one has a check (3.6). */
static bool has_checks(const block_reader *b)
{
    uint64_t groups = (b->head.records + GROUP_RECORDS - 1) / GROUP_RECORDS;
    return b->columns[COLUMN_CHECKS].size == (groups > 1 ? 4 * groups : 0);
}

bool stamma_block_reader_is_group(const block_reader *b, uint64_t check)
{
    if (b->head.records <= GROUP_RECORDS)
        return check == b->head.text_check;
    return (uint32_t)check == load_u32(b->columns[COLUMN_CHECKS].data + (b->next - 1) / GROUP_RECORDS * 4);
}

stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size)
{
    cursor head = {payload, payload + head_size, false}, body = {payload + head_size, payload + size, false};
    return stamma_block_reader_open(b, head, body);
}

stamma_error stamma_block_reader_open(block_reader *b, cursor directory, cursor body)
{
    b->next = b->next_reason = 0;
    b->skipped = b->comments_are_fields = false;
    b->found = (stamma_archive_counts){0};
    b->tag_count = 0;
    stamma_tag_copies_clear(&b->copies);
    stamma_tag_numbers_clear(&b->numbers);
    b->styles.count = 0;
    b->head.records = 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->columns[id].size = 0;
    stamma_error error = stamma_block_read_head(&directory, &b->head);
    b->found.bytes_in = b->head.text_size; /* which the text's checksum bears out */
    if (error == STAMMA_OK)
        error = load_columns(b, &directory, &body);
    begin_numbers(b);
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->at[id] = buffer_cursor(&b->columns[id]);
    b->at[COLUMN_CHECKS].at = b->at[COLUMN_CHECKS].end; /* they are found by the group's number */
    if (error == STAMMA_OK && !has_checks(b))
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        error = load_rosters(b);
    if (error == STAMMA_OK)
        error = stamma_styles_read(&b->at[COLUMN_STYLE_LIST], &b->styles, b->allocator);
    if (error != STAMMA_OK)
        b->head.records = 0;
    return error;
}

bool stamma_block_reader_is_done(block_reader *b)
{
    size_t left = 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        left += id == COLUMN_REASONS ? 0 : cursor_left(&b->at[id]);
    for (size_t i = 0; i < b->tag_count; i++)
        left += cursor_left(&b->tags[i].at) + (b->tags[i].left > 0 && !b->skipped);
    return left == 0 && stamma_tag_copies_is_done(&b->copies) && stamma_tag_numbers_is_done(&b->numbers) &&
           (!b->comments_are_fields || stamma_field_column_is_done(b->comments)) &&
           (b->skipped || stamma_counts_equal(&b->head.counts, &b->found));
}
