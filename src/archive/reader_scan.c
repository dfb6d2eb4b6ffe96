/* SPDX-License-Identifier: MIT */
/* Scans the archive of a reader: its blocks, commits and damage. */
#include "archive/reader.h"

stamma_error stamma_reader_read_bytes(stamma_archive_reader *r, uint64_t size, bool *whole)
{
    enum { STEP = 1 << 20 };
    uint64_t input = 0;
    r->payload.size = 0;
    *whole = true;
    if (!buffer_reserve(&r->payload, 1)) /* so that the payload is not NULL even if it is empty */
        return STAMMA_ERROR_NO_MEMORY;
    /* One call, because it may be a request to a server; several if the size may be wrong. */
    const bool likely = r->input.size && r->input.size(r->input.context, &input) && size <= input;
    for (uint64_t left = size; left > 0 && *whole;) {
        size_t step = likely || left < STEP ? (size_t)left : STEP;
        if (!buffer_reserve(&r->payload, step))
            return STAMMA_ERROR_NO_MEMORY;
        ptrdiff_t got = r->input.read(r->input.context, r->payload.data + r->payload.size, step);
        if (got < 0 || (size_t)got > step)
            return STAMMA_ERROR_IO;
        r->payload.size += (size_t)got;
        left -= (size_t)got;
        *whole = got > 0;
    }
    return STAMMA_OK;
}

/* Returns whether no contents are missing in spite of this damage. */
static bool is_flaw(stamma_damage_kind kind)
{
    return kind == STAMMA_DAMAGE_TAIL || kind == STAMMA_DAMAGE_END || kind == STAMMA_DAMAGE_END_MARK ||
           kind == STAMMA_DAMAGE_TABLE || kind == STAMMA_DAMAGE_SOURCE;
}

static void take_damage(void *context, const stamma_archive_damage *d)
{
    stamma_archive_reader *r = (stamma_archive_reader *)context;
    bool flaw = is_flaw(d->kind);
    stamma_error *error = flaw ? &r->flaw : &r->broken;
    uint64_t *at = flaw ? &r->flaw_at : &r->broken_at;
    if (*error == STAMMA_OK) {
        *error = d->error;
        *at = d->offset;
    }
    r->marks += d->kind == STAMMA_DAMAGE_END_MARK;
    if (r->damage)
        r->damage(r->context, d);
}

bool stamma_reader_add_place(stamma_archive_reader *r, placed_block place)
{
    if (r->place_count == r->place_capacity) {
        size_t capacity = r->place_capacity < 16 ? 16 : r->place_capacity * 2;
        void *resized = memory_resize(&r->allocator, r->places, size_multiply(capacity, sizeof *r->places));
        if (!resized)
            return false;
        r->places = (placed_block *)resized;
        r->place_capacity = capacity;
    }
    r->places[r->place_count++] = place;
    return true;
}

/* If the input can seek: adds a block to the list. */
static void take_finding(void *context, finding *f)
{
    stamma_archive_reader *r = (stamma_archive_reader *)context;
    placed_block place = {.offset = f->offset, .end = f->end, .frame = f->frame, .number = f->number};
    memcpy(place.spans, f->spans, sizeof place.spans);
    if (r->seekable && f->block && f->kind == STAMMA_DAMAGE_NONE && !stamma_reader_add_place(r, place))
        r->no_memory = true;
}

static void take_source(void *context, const stamma_archive_source *source, uint64_t offset)
{
    const stamma_archive_reader *r = (const stamma_archive_reader *)context;
    (void)offset;
    if (r->source && source->text_offset + source->text_size <= r->scan.found.text_size)
        r->source(r->source_context, source);
}

/* Returns in *whole whether a skipped block is complete, if the input can seek. */
static stamma_error vouch(void *context, const finding *block, bool *whole)
{
    stamma_archive_reader *r = (stamma_archive_reader *)context;
    frame f;
    buffer damaged = {.allocator = &r->allocator};
    block_frame place = {.offset = block->offset};
    stamma_error error = r->input.seek(r->input.context, block->offset) ? STAMMA_OK : STAMMA_ERROR_IO;
    if (error == STAMMA_OK)
        error = stamma_reader_read_bytes(r, FRAME_HEADER_SIZE, whole);
    if (error == STAMMA_OK)
        *whole = *whole && stamma_frame_read(r->payload.data, &f) == STAMMA_OK;
    if (error == STAMMA_OK && *whole)
        error = stamma_reader_read_bytes(r, f.size, whole);
    if (error == STAMMA_OK && *whole) {
        place.head_size = f.head_size;
        *whole = stamma_check32(r->payload.data, f.head_size) == f.head_check &&
                 stamma_columns_check(&r->payload, &place, &damaged, &damaged) == STAMMA_OK;
    }
    stamma_buffer_release(&damaged);
    return error;
}

void stamma_reader_take_commit(stamma_archive_reader *r)
{
    r->left = (commit_mark){r->scan.last, r->place_count, r->scan.restored};
    r->left.commit.start = r->scan.last_end;
    if (r->left.commit.finished) {
        r->finished_before = r->finished;
        r->finished = r->left;
    }
}

/* Blocks of an append that was not finished are not part of the archive (1.3). */
stamma_error stamma_reader_end_scan(stamma_archive_reader *r)
{
    stamma_error error = stamma_scan_finish(&r->scan);
    if (error == STAMMA_OK && r->no_memory)
        error = STAMMA_ERROR_NO_MEMORY;
    r->last = r->finished.commit.finished ? r->finished.commit : r->left.commit;
    if (r->seekable && r->scan.found_all.tail_size > 0)
        r->place_count = r->finished.places;
    return error;
}

stamma_error stamma_reader_list_blocks(stamma_archive_reader *r)
{
    scan_event event = SCAN_BLOCK;
    stamma_error error = STAMMA_OK;
    while (error == STAMMA_OK && event != SCAN_END && !r->no_memory) {
        error = stamma_scan_next(&r->scan, NULL, &event);
        if (error == STAMMA_OK && event == SCAN_COMMIT)
            stamma_reader_take_commit(r);
    }
    if (error == STAMMA_OK)
        error = stamma_reader_end_scan(r);
    if (error != STAMMA_OK)
        return reader_fail(r, r->scan.frames.at, error);
    /* data that an interrupted writer left after its last commit may be anything */
    bool lost = r->broken_at < r->left.commit.start || r->scan.committed_after || r->broken != STAMMA_ERROR_CORRUPT;
    return r->broken != STAMMA_OK && lost && !r->damage ? reader_fail(r, r->broken_at, r->broken) : STAMMA_OK;
}

/* ---- beginning ---- */

void stamma_reader_scan_init(stamma_archive_reader *r)
{
    memset(&r->scan, 0, sizeof r->scan);
    r->scan.allocator = &r->allocator;
    r->scan.context = r;
    r->scan.settle = take_finding;
    r->scan.report = take_damage;
    r->scan.source = take_source;
    r->scan.vouch = r->seekable ? vouch : NULL;
    r->scan.decodes = !r->seekable;
    r->left = r->finished = r->finished_before = (commit_mark){.places = 0};
    r->left.commit.start = ARCHIVE_HEADER_SIZE;
    r->place_count = 0;
    r->marks = 0;
    r->broken = r->flaw = STAMMA_OK;
}

stamma_error stamma_reader_begin_scan(stamma_archive_reader *r)
{
    stamma_error error = stamma_scan_open(&r->scan, &r->input);
    if (error == STAMMA_OK && r->broken != STAMMA_OK && !r->damage) /* the header is damaged */
        error = r->broken;
    return error;
}

stamma_error stamma_reader_restart_scan(stamma_archive_reader *r)
{
    stamma_scan_release(&r->scan);
    stamma_reader_scan_init(r);
    r->by_table = false;
    if (!r->input.seek(r->input.context, 0))
        return STAMMA_ERROR_IO;
    stamma_error error = stamma_reader_begin_scan(r);
    return error == STAMMA_ERROR_UNSUPPORTED ? STAMMA_ERROR_IO : error; /* the file was replaced after it was opened */
}

/* Restores the list of blocks after a scan that should have replaced the list failed. */
static void take_back(stamma_archive_reader *r, const stamma_archive_reader *before)
{
    stamma_scan_release(&r->scan);
    memory_release(&r->allocator, r->places);
    r->by_table = true;
    r->scan = before->scan;
    r->no_memory = false;
    r->flaw = before->flaw;
    r->broken = before->broken;
    r->marks = before->marks;
    r->places = before->places;
    r->place_count = before->place_count;
    r->place_capacity = before->place_capacity;
    r->last = before->last;
    r->finished = before->finished;
    r->finished_before = before->finished_before;
    r->left = before->left;
}

stamma_error stamma_reader_scan_frames(stamma_archive_reader *r, uint64_t next)
{
    if (!r->by_table)
        return STAMMA_OK;
    stamma_archive_reader before = *r;
    r->scan.findings.allocator = NULL; /* the findings of `before` are not released yet */
    r->places = NULL;
    r->place_capacity = 0;
    stamma_error error = stamma_reader_restart_scan(r);
    if (error == STAMMA_OK)
        error = stamma_reader_list_blocks(r);
    if (error != STAMMA_OK && error != STAMMA_ERROR_CORRUPT) { /* later calls try again */
        take_back(r, &before);
        return error;
    }
    stamma_scan_release(&before.scan);
    memory_release(&r->allocator, before.places);
    for (r->next_place = 0; r->next_place < r->place_count && r->places[r->next_place].number < next;)
        r->next_place++;
    return error;
}

const placed_block *stamma_reader_find_place(const stamma_archive_reader *r, uint64_t offset)
{
    for (size_t i = 0; i < r->place_count; i++)
        if (r->places[i].offset == offset)
            return &r->places[i];
    return NULL;
}

bool stamma_reader_is_at(const stamma_archive_reader *r, const frame *f, const placed_block *place)
{
    return f->type == FRAME_BLOCK && f->number == (uint32_t)place->number &&
           f->size == place->end - place->offset - FRAME_HEADER_SIZE && f->id == r->scan.frames.id;
}

bool stamma_reader_is_counted(const block_head *head, const placed_block *place)
{
    return head->counts.games == place->spans[SPAN_GAMES].size &&
           head->counts.text_size == place->spans[SPAN_BYTES].size;
}

bool stamma_reader_is_broken_at(const stamma_archive_reader *r, const placed_block *place)
{
    return !r->damage && r->broken != STAMMA_OK && r->broken_at <= place->offset;
}
