/* SPDX-License-Identifier: MIT */
/* Unpacks or checks one block: a frame's payload in, text out, and nothing shared with other blocks. */
#include "archive/reader.h"

void stamma_unpack_job_init(unpack_job *j, const stamma_allocator *allocator)
{
    memset(j, 0, offsetof(unpack_job, block));
    j->payload.allocator = j->text.allocator = j->damaged.allocator = j->search.allocator = j->ahead.moves.allocator =
        allocator;
    stamma_block_reader_init(&j->block, allocator);
    stamma_search_columns_init(&j->columns, allocator);
}

void stamma_unpack_job_release(unpack_job *j)
{
    stamma_buffer_release(&j->payload);
    stamma_buffer_release(&j->text);
    stamma_buffer_release(&j->damaged);
    stamma_buffer_release(&j->search);
    stamma_buffer_release(&j->ahead.moves);
    stamma_block_reader_release(&j->block);
    stamma_search_columns_release(&j->columns);
}

/* Maximum number of columns: one for each id, and one for each tag name that a block may have (3.3, 5.4). */
enum { COLUMNS_MAX = 255 + TAG_COLUMNS_MAX };

static void note_damage(buffer *damaged, uint64_t offset, const column_entry *e)
{
    damaged_column d = {.offset = offset, .size = e->stored_size, .id = e->id};
    stamma_column_name(e, d.name);
    if (damaged->size < COLUMNS_MAX * sizeof d)
        buffer_add(damaged, &d, sizeof d);
}

stamma_error stamma_columns_check(const buffer *payload, const block_frame *place, buffer *damaged, buffer *search)
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
        if (!column_is_whole(&e, stored))
            note_damage(e.flags & ENTRY_SEARCH ? search : damaged,
                        place->offset + FRAME_HEADER_SIZE + (uint64_t)(stored - begin), &e);
    }
    if (damaged->failed || search->failed)
        return STAMMA_ERROR_NO_MEMORY;
    bool whole = cursor_left(&in) == 0 && cursor_left(&body) == 0 && damaged->size == before;
    return error == STAMMA_OK && !whole ? STAMMA_ERROR_CORRUPT : error;
}

/* Number of bytes of text per write: less than the second-level cache of a core, but enough that the cost of a system
 * call does not matter. */
enum { TEXT_WINDOW = 1 << 18 };

/* Returns whether the text is kept instead of being passed to an output. */
static bool keeps_text(const unpack_job *j)
{
    return j->work == UNPACK_TEXT && !j->output;
}

/* Hashes text while it is in the cache, and writes it, if there is an output. */
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

/* Adds a record's text to the checksum of its group. Compares the checksum at the end of the group (3.6). */
static stamma_error check_group(unpack_job *j, stamma_text text)
{
    block_reader *b = &j->block;
    if (b->head.records <= b->head.group) /* the check of the block includes it */
        return STAMMA_OK;
    XXH64_update(&j->group_hash, text.data, text.size);
    if (!block_ends_group(b))
        return STAMMA_OK;
    bool right = stamma_block_reader_is_group(b, XXH64_digest(&j->group_hash));
    XXH64_reset(&j->group_hash, 0);
    return right ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Compares the search columns with the record that was just read. */
static void compare_search(unpack_job *j)
{
    const block_state *state = &j->block.state;
    if (j->work == UNPACK_BOTH)
        stamma_search_compare(&j->columns, (size_t)state->next - 1, &state->record, &state->end, j->differs);
}

/* Renders the text of the next record. After an error, no part of this text remains. */
static stamma_error render_record(unpack_job *j)
{
    block_reader *b = &j->block;
    size_t before = j->text.size;
    bool piece = stamma_block_reader_continues(b);
    stamma_error error = stamma_block_reader_next(b, false);
    if (error == STAMMA_OK)
        error = block_render(b, &j->text);
    j->games += error != STAMMA_OK ? !piece : !b->state.record.continuation;
    if (error == STAMMA_OK && j->passed + (j->text.size - j->hashed) > b->head.text_size)
        error = STAMMA_ERROR_CORRUPT;
    if (error != STAMMA_OK) {
        j->in_game = j->games <= b->head.counts.games;
        j->text.size = before;
        return error;
    }
    compare_search(j);
    return check_group(j, (stamma_text){(const char *)j->text.data + before, j->text.size - before});
}

static bool is_right(unpack_job *j)
{
    const block_head *head = &j->block.head;
    return stamma_block_reader_is_done(&j->block) && j->passed == head->text_size &&
           XXH64_digest(&j->hash) == head->text_check;
}

/* Renders the text of the remaining records. A split job renders only the records of the first half. Compares the
 * checksum of the text of all records (3.1, 3.5). The text before an error is passed on. */
static stamma_error render_records(unpack_job *j)
{
    block_reader *b = &j->block;
    stamma_error error = STAMMA_OK;
    while (b->state.next < b->head.records && error == STAMMA_OK) {
        if (j->halved && block_turns(b))
            return STAMMA_OK;
        error = work_is_stopped(j->stop) ? STAMMA_ERROR_CANCELLED : render_record(j);
        if (error == STAMMA_OK && j->text.size - j->hashed >= TEXT_WINDOW)
            error = pass_on(j);
    }
    stamma_error last = error == STAMMA_ERROR_IO ? error : pass_on(j);
    if (error != STAMMA_OK || last != STAMMA_OK)
        return last == STAMMA_ERROR_IO ? last : error;
    return is_right(j) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Opens the search columns, to compare them with the games. NO_MEMORY. */
static stamma_error open_search(unpack_job *j)
{
    const uint8_t *begin = j->payload.data;
    const cursor head = {begin, begin + j->frame.head_size, false};
    const cursor body = {head.end, begin + j->payload.size, false};
    j->differs[0] = j->differs[1] = false;
    stamma_error error = stamma_search_columns_open(&j->columns, head, body);
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

/* Records search columns whose checksums are right, but that cannot be unpacked or contradict the games. */
static stamma_error note_search(unpack_job *j)
{
    const bool wrong[2] = {j->differs[0] || j->columns.signatures == SEARCH_DAMAGED,
                           j->differs[1] || j->columns.facts == SEARCH_DAMAGED};
    for (unsigned id = COLUMN_SIGNATURES; id <= COLUMN_FACTS; id++) {
        column_entry e;
        const uint8_t *stored;
        if (!wrong[id - COLUMN_SIGNATURES] ||
            !stamma_payload_find_column(&j->payload, j->frame.head_size, id, &e, &stored) ||
            !column_is_whole(&e, stored)) /* columns with wrong checksums were recorded already */
            continue;
        note_damage(&j->search, j->frame.offset + FRAME_HEADER_SIZE + (uint64_t)(stored - j->payload.data), &e);
    }
    return j->search.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static stamma_error begin_text(unpack_job *j)
{
    size_t size = keeps_text(j) ? (size_t)j->block.head.text_size : TEXT_WINDOW;
    XXH64_reset(&j->hash, 0);
    XXH64_reset(&j->group_hash, 0);
    return buffer_reserve(&j->text, size + RENDER_SLACK) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

void stamma_unpack_job_run(void *argument)
{
    unpack_job *j = (unpack_job *)argument;
    if (j->work == UNPACK_AHEAD) {
        stamma_ahead_run(&j->ahead);
        return;
    }
    j->text.size = j->damaged.size = j->search.size = j->hashed = 0;
    j->games = j->passed = 0;
    j->in_game = false;
    j->error =
        j->work == UNPACK_TEXT ? STAMMA_OK : stamma_columns_check(&j->payload, &j->frame, &j->damaged, &j->search);
    if (j->error != STAMMA_OK || j->work == UNPACK_CHECKS)
        return;
    j->error = stamma_block_reader_load(&j->block, j->payload.data, j->payload.size, j->frame.head_size);
    if (j->error == STAMMA_OK && j->work == UNPACK_BOTH)
        j->error = open_search(j);
    if (j->error == STAMMA_OK)
        j->error = begin_text(j);
    if (j->error == STAMMA_OK)
        j->error = render_records(j);
    if (j->error == STAMMA_OK && j->work == UNPACK_BOTH && !j->halved)
        j->error = note_search(j);
}

void stamma_unpack_job_halve(unpack_job *j, unpack_job *ahead)
{
    const uint8_t *begin = j->payload.data, *body = begin + j->frame.head_size;
    j->halved = true;
    ahead->halved = false;
    ahead->work = UNPACK_AHEAD;
    ahead->ahead.block = &ahead->block;
    ahead->ahead.head = (cursor){begin, body, false};
    ahead->ahead.body = (cursor){body, begin + j->payload.size, false};
}

void stamma_unpack_job_join(unpack_job *j, const unpack_job *ahead)
{
    j->halved = false;
    if (j->error == STAMMA_OK) {
        stamma_ahead_give(&ahead->ahead, &j->block);
        j->error = render_records(j);
    }
    if (j->error == STAMMA_OK && j->work == UNPACK_BOTH)
        j->error = note_search(j);
}
