/* Unpacks or checks one block: a frame's payload in, text out, and nothing shared with other blocks. */
#include "archive/archive.h"

void stamma_unpack_job_init(unpack_job *j, const stamma_allocator *allocator)
{
    memset(j, 0, offsetof(unpack_job, block));
    j->payload.allocator = j->text.allocator = j->damaged.allocator = allocator;
    stamma_block_reader_init(&j->block, allocator);
}

void stamma_unpack_job_release(unpack_job *j)
{
    stamma_buffer_release(&j->payload);
    stamma_buffer_release(&j->text);
    stamma_buffer_release(&j->damaged);
    stamma_block_reader_release(&j->block);
}

/* Every id and every name of a tag that a block may have (3.3, 5.4). */
enum { COLUMNS_MAX = 255 + TAG_COLUMNS_MAX };

static void note_damage(buffer *damaged, uint64_t offset, const column_entry *e)
{
    damaged_column d = {.offset = offset, .size = e->stored_size};
    stamma_column_name(e, d.name);
    if (damaged->size < COLUMNS_MAX * sizeof d)
        buffer_add(damaged, &d, sizeof d);
}

stamma_error stamma_columns_check(const buffer *payload, const block_frame *place, buffer *damaged)
{
    const uint8_t *begin = payload->data;
    cursor in = {begin, begin + place->head_size, false}, body = {in.end, begin + payload->size, false};
    block_head head;
    size_t before = damaged->size;
    stamma_error error = stamma_block_read_head(&in, &head);
    for (uint64_t i = 0; error == STAMMA_OK && i < head.columns; i++) {
        column_entry e;
        const uint8_t *stored = stamma_column_read_entry(&in, &e) ? cursor_take(&body, e.stored_size) : NULL;
        if (!stored)
            return STAMMA_ERROR_CORRUPT;
        if (XXH64(stored, (size_t)e.stored_size, 0) != e.check)
            note_damage(damaged, place->offset + FRAME_HEADER_SIZE + (uint64_t)(stored - begin), &e);
    }
    if (damaged->failed)
        return STAMMA_ERROR_NO_MEMORY;
    bool whole = cursor_left(&in) == 0 && cursor_left(&body) == 0 && damaged->size == before;
    return error == STAMMA_OK && !whole ? STAMMA_ERROR_CORRUPT : error;
}

/* How much text is passed on at once, in bytes: less than a core's second cache, and worth a call of the system. */
enum { TEXT_WINDOW = 1 << 18 };

/* Whether the text is held until somebody takes it. */
static bool keeps_text(const unpack_job *j)
{
    return j->work == UNPACK_TEXT && !j->output;
}

/* Hashes text while it is in the cache, and writes it or lets it go. */
static stamma_error pass_on(unpack_job *j)
{
    buffer *text = &j->text;
    size_t size = text->size - j->hashed;
    if (size == 0)
        return STAMMA_OK;
    XXH64_update(&j->hash, text->data + j->hashed, size);
    j->hashed = keeps_text(j) ? text->size : 0;
    j->passed += size;
    if (keeps_text(j))
        return STAMMA_OK;
    text->size = 0;
    return !j->output || j->output->write(j->output->context, text->data, size) ? STAMMA_OK : STAMMA_ERROR_IO;
}

/* Takes a record's text for its group, which must be what was packed (3.6). */
static stamma_error check_group(unpack_job *j, stamma_text text)
{
    block_reader *b = &j->block;
    if (b->head.records <= GROUP_RECORDS) /* the block's check tells */
        return STAMMA_OK;
    XXH64_update(&j->group_hash, text.data, text.size);
    if (!block_ends_group(b))
        return STAMMA_OK;
    bool right = stamma_block_reader_is_group(b, XXH64_digest(&j->group_hash));
    XXH64_reset(&j->group_hash, 0);
    return right ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* The next record's text, or none of it. */
static stamma_error render_record(unpack_job *j)
{
    block_reader *b = &j->block;
    size_t before = j->text.size;
    bool piece = stamma_block_reader_continues(b);
    stamma_error error = stamma_block_reader_next(b, false);
    if (error == STAMMA_OK)
        error = stamma_render(&b->record, &b->styles.styles[b->record.style], &j->text, NULL);
    j->games += error != STAMMA_OK ? !piece : !b->record.continuation;
    if (error == STAMMA_OK && j->passed + (j->text.size - j->hashed) > b->head.text_size)
        error = STAMMA_ERROR_CORRUPT;
    if (error != STAMMA_OK) {
        j->in_game = j->games <= b->head.counts.games;
        j->text.size = before;
        return error;
    }
    return check_group(j, (stamma_text){(const char *)j->text.data + before, j->text.size - before});
}

static bool is_right(unpack_job *j)
{
    const block_head *head = &j->block.head;
    return stamma_block_reader_is_done(&j->block) && j->games == head->counts.games && j->passed == head->text_size &&
           XXH64_digest(&j->hash) == head->text_check;
}

/* All records' text, which must be the text that was packed (3.1, 3.5). What stands before an error is passed on. */
static stamma_error render_records(unpack_job *j)
{
    block_reader *b = &j->block;
    stamma_error error = STAMMA_OK;
    if (!buffer_reserve(&j->text, (keeps_text(j) ? (size_t)b->head.text_size : TEXT_WINDOW) + RENDER_SLACK))
        return STAMMA_ERROR_NO_MEMORY;
    XXH64_reset(&j->hash, 0);
    XXH64_reset(&j->group_hash, 0);
    while (b->next < b->head.records && error == STAMMA_OK) {
        error = render_record(j);
        if (error == STAMMA_OK && j->text.size - j->hashed >= TEXT_WINDOW)
            error = pass_on(j);
    }
    stamma_error last = error == STAMMA_ERROR_IO ? error : pass_on(j);
    if (error != STAMMA_OK || last != STAMMA_OK)
        return last == STAMMA_ERROR_IO ? last : error;
    return is_right(j) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

void stamma_unpack_job_run(void *argument)
{
    unpack_job *j = (unpack_job *)argument;
    j->text.size = j->damaged.size = j->hashed = 0;
    j->games = j->passed = 0;
    j->in_game = false;
    j->error = j->work == UNPACK_TEXT ? STAMMA_OK : stamma_columns_check(&j->payload, &j->frame, &j->damaged);
    if (j->error != STAMMA_OK || j->work == UNPACK_CHECKS)
        return;
    j->error = stamma_block_reader_load(&j->block, j->payload.data, j->payload.size, j->frame.head_size);
    if (j->error == STAMMA_OK)
        j->error = render_records(j);
}
