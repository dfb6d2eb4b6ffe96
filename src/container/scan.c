/* SPDX-License-Identifier: MIT */
/* Scans an archive from frame to frame, damaged or not (clauses 1.3, 7.3 and 11). */
#include "container/container.h"

/* Maximum number of findings, blocks included, that wait for a commit. */
enum { FINDINGS_MAX = 2 * COMMIT_BLOCKS_MAX };
/* ---- findings ---- */

static finding *last_finding(scan *s)
{
    return s->findings.end > s->findings.located ? &s->findings.list[s->findings.end - 1] : NULL;
}

/* Marks the counts of a finding as unknown. From here on the sum of the heads is incomplete. */
static void lose_count(scan *s, finding *f)
{
    f->spans[SPAN_GAMES].known = f->spans[SPAN_BYTES].known = false;
    s->group_whole = s->found_known = false;
}

/* Adds a finding for lost bytes from `from` to the reader's offset. Their contents are unknown so far. */
static stamma_error add_lost(scan *s, uint64_t from, stamma_error why)
{
    finding *f = stamma_scan_add(s, from, STAMMA_DAMAGE_FRAME, why);
    if (!f)
        return STAMMA_ERROR_NO_MEMORY;
    f->spans[SPAN_BLOCKS].known = false;
    lose_count(s, f);
    return STAMMA_OK;
}

/* Handles the number of blocks in a frame's header, which is by `lost` larger than the number of blocks found. If bytes
 * were lost just before the frame, they contained these blocks; if `lost` is 0, they contained no blocks. */
static stamma_error count_lost_blocks(scan *s, uint64_t at, uint64_t lost)
{
    finding *f = last_finding(s);
    bool open = f && !f->spans[SPAN_BLOCKS].known;
    if (lost == 0 && !open)
        return STAMMA_OK;
    if (!open && !(f = stamma_scan_add(s, at, STAMMA_DAMAGE_FRAME, STAMMA_ERROR_CORRUPT)))
        return STAMMA_ERROR_NO_MEMORY;
    if (!open)
        f->end = at; /* the blocks have no bytes here; the reader is already after the next header */
    f->spans[SPAN_BLOCKS] = (span){.size = lost, .known = true};
    f->spans[SPAN_GAMES].known = f->spans[SPAN_BYTES].known = lost == 0;
    if (lost > 0)
        s->group_whole = s->found_known = false;
    s->blocks += lost;
    return STAMMA_OK;
}

/* ---- payloads ---- */

/* Returns the buffer that receives a payload, or NULL if the payload is skipped by seeking. */
static buffer *payload_buffer(const scan *s, const frame *f, buffer *payload)
{
    payload->size = 0;
    return s->frames.input.seek && f->type == FRAME_BLOCK ? NULL : payload;
}

/* Reads or skips a payload. If the input ends before the end of the payload, or if neither a frame nor the end of the
 * input follows the payload, bytes of the payload may be missing (7.3). The reader then moves to the first frame that
 * begins after the frame's header, and *whole is false if this frame begins before the payload's end. *end receives the
 * end of the frame that was read. The bytes after the payload are examined first, so that a header with a wrong size
 * does not cause a long read. */
static stamma_error take_payload(scan *s, const frame *f, buffer *payload, uint64_t *end, bool *whole)
{
    bool well;
    buffer *kept = payload_buffer(s, f, payload);
    *end = s->frames.at + f->size;
    stamma_error error = stamma_frame_reader_look_after(&s->frames, f->size, whole, &well);
    if (error != STAMMA_OK)
        return error;
    if (well && !kept)
        return stamma_frame_reader_go(&s->frames, *end);
    if (well)
        return stamma_frame_reader_payload(&s->frames, f->size, kept, whole);
    error = stamma_frame_reader_find(&s->frames, kept, f->size);
    *whole = *whole && s->frames.at >= *end;
    if (!*whole)
        *end = s->frames.at;
    return error;
}

/* Adds a finding for the bytes between a frame's end and the reader's offset, if there are any. */
static stamma_error take_rest(scan *s, uint64_t end)
{
    if (s->frames.at == end)
        return STAMMA_OK;
    s->frame++;
    return add_lost(s, end, STAMMA_ERROR_CORRUPT);
}

/* ---- blocks ---- */

static void count_block(finding *f)
{
    f->spans[SPAN_GAMES] = (span){.size = f->head.counts.games, .known = true};
    f->spans[SPAN_BYTES] = (span){.size = f->head.counts.text_size, .known = true};
}

/* Reads the head of a block from its payload, which must be complete. Returns false if the head is damaged. */
static bool read_head(finding *f, const frame *header, const buffer *payload)
{
    if (stamma_check32(payload->data, header->head_size) != header->head_check)
        return false;
    cursor in = {payload->data, payload->data + header->head_size, false};
    return stamma_block_counts_read(&in, &f->head) == STAMMA_OK;
}

/* Sets the damage of a block that cannot be read. The block is still counted. */
static void spoil_block(scan *s, finding *f, stamma_damage_kind kind)
{
    f->kind = kind;
    f->error = STAMMA_ERROR_CORRUPT;
    if (s->trouble == STAMMA_OK) {
        s->trouble = f->error;
        s->trouble_at = f->offset;
    }
    lose_count(s, f);
}

static stamma_error see_block(scan *s, const frame *header, finding *f)
{
    s->block = (scan_block){*header, f->offset, f->number, f->head};
    block_place place = {f->offset, f->head.counts.games, f->head.counts.text_size};
    if (s->seen.count < COMMIT_BLOCKS_MAX && !stamma_places_add(&s->seen, place, s->allocator))
        return STAMMA_ERROR_NO_MEMORY;
    table_entry entry = {.offset = f->offset, .size = header->size}; /* the commit has the other members */
    if (s->table.count == f->number && !stamma_table_add(&s->table, entry))
        return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

static stamma_error take_block(scan *s, const frame *header, uint64_t at, buffer *payload, bool *given)
{
    bool whole, seeks = s->frames.input.seek != NULL;
    uint64_t end;
    stamma_error error = take_payload(s, header, payload, &end, &whole);
    finding *f = error == STAMMA_OK ? stamma_scan_add(s, at, STAMMA_DAMAGE_NONE, STAMMA_OK) : NULL;
    if (!f)
        return error != STAMMA_OK ? error : STAMMA_ERROR_NO_MEMORY;
    f->end = end;
    f->block = true;
    f->spans[SPAN_BLOCKS].size = 1;
    s->blocks++;
    s->group_blocks++;
    *given = whole && (seeks || read_head(f, header, payload));
    if (!*given)
        spoil_block(s, f, whole ? STAMMA_DAMAGE_HEAD : STAMMA_DAMAGE_FRAME);
    else if (!seeks)
        count_block(f);
    else
        f->spans[SPAN_GAMES].known = f->spans[SPAN_BYTES].known = false; /* a commit has these numbers */
    if (*given && !seeks)
        stamma_counts_add(&s->found, &f->head.counts);
    if (*given)
        error = see_block(s, header, f);
    f->working = *given && s->decodes;
    return error == STAMMA_OK ? take_rest(s, end) : error;
}

/* Handles a block or commit that is repeated or out of order. */
static stamma_error take_misplaced(scan *s, const frame *header, uint64_t at, buffer *payload, bool *given)
{
    bool whole;
    uint64_t end;
    stamma_error error = stamma_scan_refuse_table(s);
    if (error == STAMMA_OK)
        error = take_payload(s, header, payload, &end, &whole);
    finding *f = error == STAMMA_OK ? stamma_scan_add(s, at, STAMMA_DAMAGE_ORDER, STAMMA_ERROR_CORRUPT) : NULL;
    if (!f)
        return error != STAMMA_OK ? error : STAMMA_ERROR_NO_MEMORY;
    f->end = end;
    s->group_whole = false;
    *given = s->every && whole && header->type == FRAME_BLOCK;
    s->block = (scan_block){*header, at, header->number, {0}};
    return take_rest(s, end);
}

/* ---- frames ---- */

/* Handles a frame of unknown type or flags. Unless the frame is optional, it may contain anything. */
static stamma_error take_other(scan *s, const frame *header, uint64_t at, bool unsupported)
{
    bool whole;
    uint64_t end;
    stamma_error error = stamma_scan_refuse_table(s);
    if (error == STAMMA_OK)
        error = take_payload(s, header, &s->payload, &end, &whole);
    if (error != STAMMA_OK)
        return error;
    bool fine = !unsupported && whole && stamma_check32(s->payload.data, header->head_size) == header->head_check;
    bool lost = unsupported || header->flags & FRAME_MANDATORY;
    if (lost)
        error = add_lost(s, at, STAMMA_ERROR_UNSUPPORTED);
    else if (!fine && !stamma_scan_add(s, at, STAMMA_DAMAGE_FRAME, STAMMA_ERROR_CORRUPT))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && (lost || !fine)) {
        last_finding(s)->end = end;
        s->group_whole = false;
    }
    return error == STAMMA_OK ? take_rest(s, end) : error;
}

/* Passes a source on. Returns false if it is invalid, or if its text overlaps the text of a source before it. */
static bool pass_source(scan *s, const frame *header, uint64_t at)
{
    stamma_archive_source source;
    const buffer *payload = &s->payload;
    if (header->number != (uint32_t)s->blocks || header->head_size != header->size ||
        stamma_check32(payload->data, payload->size) != header->head_check ||
        !stamma_source_read(payload->data, payload->size, &source) || source.text_offset < s->sources_end)
        return false;
    s->sources_end = source.text_offset + source.text_size;
    if (s->source)
        s->source(s->context, &source, at);
    return true;
}

/* Reads a source. No game is lost with a source, unless bytes are missing. */
static stamma_error take_source(scan *s, const frame *header, uint64_t at)
{
    bool whole;
    uint64_t end;
    stamma_error error = take_payload(s, header, &s->payload, &end, &whole);
    if (error == STAMMA_OK && (!whole || !pass_source(s, header, at))) {
        finding *f = stamma_scan_add(s, at, whole ? STAMMA_DAMAGE_SOURCE : STAMMA_DAMAGE_FRAME, STAMMA_ERROR_CORRUPT);
        if (!f)
            return STAMMA_ERROR_NO_MEMORY;
        f->end = end;
        s->group_whole = s->group_whole && whole;
    }
    return error == STAMMA_OK ? take_rest(s, end) : error;
}

/* ---- tables of blocks (7.5) ---- */

/* Reports a waiting table before lost bytes that follow it, unless the file ends with these bytes: then they may be the
 * beginning of the commit. */
static stamma_error miss_table_commit(scan *s)
{
    frame_state state = FRAME_NONE;
    stamma_error error = stamma_frame_reader_look(&s->frames, &state);
    return state == FRAME_NONE ? error : stamma_scan_refuse_table(s);
}

/* Reads a table, which waits for the commit that must follow it. No game is lost with a table, unless bytes are
 * missing. */
static stamma_error take_table(scan *s, const frame *header, uint64_t at)
{
    bool whole;
    uint64_t end;
    buffer *payload = &s->waiting.payload;
    stamma_error error = stamma_scan_refuse_table(s);
    if (error == STAMMA_OK)
        error = take_payload(s, header, payload, &end, &whole);
    if (error != STAMMA_OK)
        return error;
    if (!whole) {
        finding *f = stamma_scan_add(s, at, STAMMA_DAMAGE_FRAME, STAMMA_ERROR_CORRUPT);
        if (!f)
            return STAMMA_ERROR_NO_MEMORY;
        f->end = end;
        s->group_whole = false;
        return take_rest(s, end);
    }
    s->waiting.any = true;
    s->waiting.fine = header->number == (uint32_t)s->blocks && header->head_size == header->size &&
                      stamma_check32(payload->data, payload->size) == header->head_check;
    s->waiting.frame = s->frame;
    s->waiting.offset = at;
    s->waiting.end = end;
    if (s->frames.at != end)
        error = miss_table_commit(s);
    return error == STAMMA_OK ? take_rest(s, end) : error;
}

/* ---- other frames ---- */

static stamma_error take_lost(scan *s, uint64_t at)
{
    stamma_error error = stamma_frame_reader_find(&s->frames, NULL, 0);
    return error == STAMMA_OK ? add_lost(s, at, STAMMA_ERROR_CORRUPT) : error;
}

/* Reports that a required commit is missing (7.2). */
static stamma_error miss_commit(scan *s)
{
    s->group_whole = false;
    finding *f = stamma_scan_add(s, s->frames.at, STAMMA_DAMAGE_COMMIT, STAMMA_ERROR_CORRUPT);
    return f ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static stamma_error take_commit(scan *s, const frame *header, uint64_t at, bool *accepted)
{
    bool whole;
    uint64_t end;
    stamma_error error = take_payload(s, header, &s->payload, &end, &whole);
    if (error == STAMMA_OK)
        error = stamma_scan_commit(s, header, at, end, whole, accepted);
    return error == STAMMA_OK ? take_rest(s, end) : error;
}

/* Processes a frame whose header is valid. Sets *done if the frame must be returned to the caller. */
static stamma_error take_frame(scan *s, const frame *f, uint64_t at, buffer *payload, scan_event *event, bool *done)
{
    uint32_t lost = f->number - (uint32_t)s->blocks;
    *event = f->type == FRAME_BLOCK ? SCAN_BLOCK : SCAN_COMMIT;
    if (f->type == FRAME_TABLE)
        return take_table(s, f, at);
    stamma_error error = f->type == FRAME_COMMIT ? STAMMA_OK : stamma_scan_refuse_table(s);
    if (error != STAMMA_OK)
        return error;
    if (f->type == FRAME_SOURCE)
        return take_source(s, f, at);
    if (f->type != FRAME_BLOCK && f->type != FRAME_COMMIT)
        return take_other(s, f, at, false);
    if (lost > UINT32_MAX / 2)
        return take_misplaced(s, f, at, payload, done);
    error = count_lost_blocks(s, at, lost);
    if (error != STAMMA_OK)
        return error;
    return f->type == FRAME_BLOCK ? take_block(s, f, at, payload, done) : take_commit(s, f, at, done);
}

/* Limits the number of findings that wait for a commit. If there are too many, they are located without a commit. */
static stamma_error keep_few(scan *s)
{
    stamma_error error = STAMMA_OK;
    if (s->group_blocks == COMMIT_BLOCKS_MAX + 1 && s->group_whole)
        error = miss_commit(s);
    if (error == STAMMA_OK && s->findings.end - s->findings.located >= FINDINGS_MAX) {
        s->group_whole = false;
        error = stamma_scan_locate(s, NULL, !s->finished);
    }
    return error;
}

stamma_error stamma_scan_next(scan *s, buffer *payload, scan_event *event)
{
    for (;;) {
        frame f;
        frame_state state;
        bool done = false;
        stamma_error error = keep_few(s);
        uint64_t at = s->frames.at;
        if (error == STAMMA_OK)
            error = stamma_frame_reader_next(&s->frames, &f, &state);
        if (error != STAMMA_OK)
            return error;
        *event = SCAN_END;
        if (state == FRAME_NONE)
            return STAMMA_OK;
        s->frame++;
        if (state == FRAME_LOST)
            error = take_lost(s, at);
        else if (state == FRAME_UNSUPPORTED)
            error = take_other(s, &f, at, true);
        else
            error = take_frame(s, &f, at, payload ? payload : &s->payload, event, &done);
        if (error != STAMMA_OK || done)
            return error;
    }
}

/* ---- the start of the file ---- */

/* Finds the archive's id if the header of the first block's frame is damaged: the header contains the id twice (2.1).
 * Without the id, an archive that is stored uncompressed in the block could be mistaken for this one. */
static void guess_id(scan *s, stamma_text ahead)
{
    static const uint8_t usual[6] = {'s', 'F', 'r', 'm', FRAME_BLOCK, FRAME_MANDATORY};
    const uint8_t *header = (const uint8_t *)ahead.data + ARCHIVE_HEADER_SIZE;
    unsigned others = 0;
    if (ahead.size < ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE || load_u16(header + 6) != load_u16(header + 20))
        return;
    for (unsigned i = 0; i < sizeof usual; i++)
        others += header[i] != usual[i];
    s->frames.id = load_u16(header + 6);
    s->frames.id_known = others <= 1;
}

/* Reads the header (1.2). A file with a damaged header is still an archive if a valid frame follows. */
static stamma_error take_header(scan *s)
{
    stamma_text ahead;
    frame f;
    stamma_error error = stamma_frame_reader_peek(&s->frames, ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE, &ahead);
    if (error != STAMMA_OK)
        return error;
    if (ahead.size < ARCHIVE_HEADER_SIZE)
        return STAMMA_ERROR_NO_ARCHIVE;
    const uint8_t *bytes = (const uint8_t *)ahead.data;
    error = stamma_archive_header_read(bytes);
    bool framed = ahead.size >= ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE &&
                  stamma_frame_read(bytes + ARCHIVE_HEADER_SIZE, &f) != STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_ERROR_UNSUPPORTED || (error == STAMMA_ERROR_NO_ARCHIVE && !framed && !s->every))
        return error;
    if (!framed)
        guess_id(s, ahead);
    if (error == STAMMA_OK || framed)
        stamma_frame_reader_pass(&s->frames, ARCHIVE_HEADER_SIZE);
    if (error == STAMMA_OK)
        return STAMMA_OK;
    s->trouble = error;
    stamma_scan_report(
        s, &(finding){.kind = STAMMA_DAMAGE_HEADER, .error = STAMMA_ERROR_CORRUPT, .end = ARCHIVE_HEADER_SIZE});
    return STAMMA_OK;
}

stamma_error stamma_scan_open(scan *s, const archive_input *input)
{
    s->findings.allocator = s->held.allocator = s->payload.allocator = s->allocator;
    s->table.allocator = s->waiting.payload.allocator = s->allocator;
    s->last.start = ARCHIVE_HEADER_SIZE;
    s->group_whole = s->found_known = true;
    s->found_all.all.archive_size = ARCHIVE_HEADER_SIZE;
    stamma_error error = stamma_frame_reader_open(&s->frames, input, s->allocator);
    return error == STAMMA_OK ? take_header(s) : error;
}

stamma_error stamma_scan_follow(scan *s, const commit *last, const block_table *table, uint64_t size)
{
    const uint64_t before[SPANS] = {last->blocks, last->totals.games, last->totals.text_size};
    if (!stamma_table_copy(&s->table, table, last->blocks, last->offset))
        return STAMMA_ERROR_NO_MEMORY;
    s->blocks = last->blocks;
    memcpy(s->findings.before, before, sizeof before);
    s->found = s->found_all.all = last->totals;
    s->found_all.all.archive_size = s->last_end = last->start;
    s->found_all.all_blocks = last->blocks;
    s->finished = true;
    s->last = *last;
    s->last.places = (block_places){NULL, 0, 0};
    s->frames.id = last->id;
    s->frames.id_known = true;
    stamma_error error = stamma_frame_reader_go(&s->frames, last->start);
    s->frames.ended = last->start == size; /* known without reading */
    return error;
}

void stamma_scan_release(scan *s)
{
    if (!s->findings.allocator) /* the scan was not opened */
        return;
    stamma_findings_release(&s->findings);
    stamma_findings_release(&s->held);
    stamma_frame_reader_release(&s->frames);
    stamma_buffer_release(&s->payload);
    stamma_buffer_release(&s->waiting.payload);
    stamma_table_release(&s->table);
    memory_release(s->allocator, s->seen.places);
    s->findings.allocator = NULL;
}
