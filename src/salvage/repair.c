/* SPDX-License-Identifier: MIT */
/* Writes the sound data of a damaged archive to a new archive. Every block that a scan finds, in order or not, is
 * decoded; sound blocks are copied unchanged in the order of their numbers. If a game continues in a block that is
 * lost, the blocks with its other parts are packed again from their text, because a game must be complete (4.6).
 * Damaged blocks are salvaged (salvage.c), and blocks whose headers are damaged are found (lost_blocks.c). */
#include <stdlib.h>

#include "archive/writer.h"
#include "salvage/salvage.h"

typedef struct candidate {
    scan_block block;
    span spans[SPANS]; /* as numbered by the scan; size 0 if the block is in the wrong place */
    uint64_t end;
    uint64_t frame;
    bool placed;   /* the block is in its place in the order */
    bool apart;    /* its number is not certain: it cannot be joined with other blocks */
    bool doubtful; /* its head is damaged, or has no checksum because the header is damaged */
    bool sound;
    bool damaged;     /* its columns are damaged, and games may be salvaged */
    uint64_t dropped; /* its columns that are not copied (3.2): see column_bit */
    bool closes;
    stamma_archive_counts counts;
    bool continues;
} candidate;

typedef struct repair {
    stamma_allocator allocator;
    stamma_archive_repair_options options;
    stop_check check;
    bytes_input bytes;
    archive_input input;
    stamma_output output;
    scan scan;
    buffer candidates; /* candidate */
    buffer damages;    /* stamma_archive_damage: of frames and commits */
    size_t settled;    /* candidates whose places are known */
    job_ring ring;
    stamma_executor executor;
    stamma_archive_writer *writer;
    stamma_archive_repair_result *result;
} repair;

static candidate *get_candidates(const repair *r)
{
    return (candidate *)(void *)r->candidates.data;
}

static size_t count_candidates(const repair *r)
{
    return r->candidates.size / sizeof(candidate);
}

/* ---- finding blocks ---- */

static void take_damage(void *context, const stamma_archive_damage *d)
{
    buffer_add(&((repair *)context)->damages, d, sizeof *d);
}

static void take_finding(void *context, finding *f)
{
    repair *r = (repair *)context;
    candidate *all = get_candidates(r);
    if (!f->block || f->kind != STAMMA_DAMAGE_NONE)
        return;
    while (r->settled < count_candidates(r) && all[r->settled].block.offset < f->offset)
        r->settled++;
    if (r->settled == count_candidates(r) || all[r->settled].block.offset != f->offset)
        return;
    candidate *c = &all[r->settled];
    memcpy(c->spans, f->spans, sizeof c->spans);
    c->frame = f->frame;
    c->placed = true;
}

/* ---- blocks whose headers are damaged ---- */

/* Searches lost bytes, and adds the blocks that are found. */
static stamma_error search_bytes(repair *r, const stamma_archive_damage *d)
{
    lost_search s;
    bool found = true;
    stamma_error error = STAMMA_OK;
    stamma_lost_begin(&s, &r->scan.frames, d->offset, d->offset + d->size, &r->scan.payload);
    for (uint64_t n = d->first_block - 1; error == STAMMA_OK && found; n++) {
        candidate c = {.frame = d->frame, .placed = true, .doubtful = true};
        block_head head;
        error = stamma_lost_next(&s, &c.block.header, &head, &found);
        c.block.offset = s.at;
        c.block.number = n;
        c.end = s.at + FRAME_HEADER_SIZE + c.block.header.size;
        c.counts = head.counts;
        if (error == STAMMA_OK && found)
            buffer_add(&r->candidates, &c, sizeof c);
        s.at = found ? c.end : s.at;
    }
    return error == STAMMA_OK && r->candidates.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Returns whether the last `count` candidates are all the blocks that the lost bytes contained. */
static bool are_all(const repair *r, const stamma_archive_damage *d, size_t count)
{
    const candidate *c = get_candidates(r) + count_candidates(r) - count;
    uint64_t games = 0, bytes = 0;
    for (size_t n = 0; n < count; n++) {
        games += c[n].counts.games;
        bytes += c[n].counts.text_size;
    }
    return d->last_block != UINT64_MAX && count == d->last_block - d->first_block + 1 && bytes == d->text_size &&
           games == (d->first_game == 0 ? 0 : d->last_game - d->first_game + 1);
}

/* Numbers the games of the last `count` candidates. */
static void place_blocks(repair *r, const stamma_archive_damage *d, size_t count)
{
    candidate *c = get_candidates(r) + count_candidates(r) - count;
    uint64_t game = d->first_game - (d->first_game > 0), byte = d->text_offset;
    for (size_t n = 0; n < count; n++, c++) {
        const uint64_t games = c->counts.games, bytes = c->counts.text_size;
        c->spans[SPAN_BLOCKS] = (span){1, true, c->block.number, c->block.number + 1};
        c->spans[SPAN_GAMES] = (span){games, true, game, game + games};
        c->spans[SPAN_BYTES] = (span){bytes, true, byte, byte + bytes};
        game += games;
        byte += bytes;
    }
}

/* Searches lost bytes. If all their blocks are found, changes the damage: no block and no game is affected. */
static stamma_error search_lost(repair *r, stamma_archive_damage *d)
{
    const size_t before = count_candidates(r);
    const bool lost = d->kind == STAMMA_DAMAGE_FRAME || d->kind == STAMMA_DAMAGE_END;
    if (!lost || d->error != STAMMA_ERROR_CORRUPT || d->first_block == 0 || d->size == 0)
        return STAMMA_OK;
    stamma_error error = search_bytes(r, d);
    const size_t count = count_candidates(r) - before;
    if (error == STAMMA_OK && count > 0 && are_all(r, d, count)) {
        place_blocks(r, d, count);
        d->first_block = d->last_block = d->first_game = d->last_game = d->text_size = 0;
        if (count == 1) {
            d->offset = get_candidates(r)[before].block.offset;
            d->size = FRAME_HEADER_SIZE;
        }
        return STAMMA_OK;
    }
    for (size_t n = before; n < before + count; n++) {
        get_candidates(r)[n].placed = false;
        get_candidates(r)[n].apart = true;
    }
    return error;
}

static stamma_error search_all_lost(repair *r)
{
    stamma_archive_damage *d = (stamma_archive_damage *)(void *)r->damages.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < r->damages.size / sizeof *d && error == STAMMA_OK; n++)
        error = search_lost(r, &d[n]);
    return error;
}

/* ---- all blocks ---- */

static stamma_error find_blocks(repair *r)
{
    scan_event event = SCAN_BLOCK;
    stamma_error error = stamma_scan_open(&r->scan, &r->input);
    while (error == STAMMA_OK && event != SCAN_END) {
        error = stamma_scan_next(&r->scan, NULL, &event);
        candidate c = {.block = r->scan.block};
        c.end = c.block.offset + FRAME_HEADER_SIZE + c.block.header.size;
        if (error == STAMMA_OK && event == SCAN_BLOCK)
            buffer_add(&r->candidates, &c, sizeof c);
    }
    if (error == STAMMA_OK)
        error = stamma_scan_finish(&r->scan);
    if (error == STAMMA_OK && (r->candidates.failed || r->damages.failed))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        error = search_all_lost(r);
    bool none = r->candidates.size == 0 && r->scan.last.offset == 0 && r->scan.trouble == STAMMA_ERROR_NO_ARCHIVE;
    return error == STAMMA_OK && none ? STAMMA_ERROR_NO_ARCHIVE : error;
}

/* Compares candidates by their numbers, then by their offsets in the file. */
static int compare(const void *left, const void *right)
{
    const candidate *a = (const candidate *)left, *b = (const candidate *)right;
    if (a->block.number != b->block.number)
        return a->block.number < b->block.number ? -1 : 1;
    return (a->block.offset > b->block.offset) - (a->block.offset < b->block.offset);
}

static void sort_candidates(repair *r)
{
    if (r->candidates.size > 0)
        qsort(r->candidates.data, count_candidates(r), sizeof(candidate), compare);
}

/* ---- decoding blocks ---- */

static stamma_error read_payload(repair *r, const candidate *c, buffer *payload)
{
    frame_reader *in = &r->scan.frames;
    bool whole;
    stamma_error error = stamma_frame_reader_go(in, c->block.offset + FRAME_HEADER_SIZE);
    if (error == STAMMA_OK)
        error = stamma_frame_reader_payload(in, c->block.header.size, payload, &whole);
    return error == STAMMA_OK && !whole ? STAMMA_ERROR_CORRUPT : error;
}

static void report(const repair *r, const stamma_archive_damage *d)
{
    if (r->options.damage)
        r->options.damage(r->options.context, d);
}

static void forward(void *context, const stamma_archive_damage *d)
{
    report((const repair *)context, d);
}

/* Reports a block that is in its place, but does not decode or has damaged search columns. */
static void report_block(repair *r, const candidate *c, stamma_damage_kind kind, const unpack_job *j)
{
    finding f = {.kind = kind,
                 .error = kind == STAMMA_DAMAGE_SEARCH ? STAMMA_ERROR_CORRUPT : j->error,
                 .offset = c->block.offset,
                 .end = c->end,
                 .frame = c->frame,
                 .in_game = j->in_game,
                 .game = j->games,
                 .columns = kind == STAMMA_DAMAGE_SEARCH ? j->search : j->damaged};
    memcpy(f.spans, c->spans, sizeof f.spans);
    r->scan.report = forward;
    stamma_scan_report(&r->scan, &f);
}

/* Returns the bit of a column's id. All ids from 63 on share a bit. */
static uint64_t column_bit(unsigned id)
{
    return UINT64_C(1) << (id < 63 ? id : 63);
}

static void note_dropped(candidate *c, const buffer *search)
{
    const damaged_column *d = (const damaged_column *)(const void *)search->data;
    for (size_t i = 0; i < search->size / sizeof *d; i++)
        c->dropped |= column_bit(d[i].id);
}

static stamma_error finish_job(repair *r)
{
    const unpack_job *j = stamma_unpack_ring_finish(&r->ring);
    candidate *c = &get_candidates(r)[j->frame.place];
    if (j->error == STAMMA_ERROR_NO_MEMORY || j->error == STAMMA_ERROR_LIMIT || j->error == STAMMA_ERROR_CANCELLED)
        return j->error;
    c->sound = j->error == STAMMA_OK && !c->apart;
    c->damaged = j->error == STAMMA_ERROR_CORRUPT || (j->error == STAMMA_OK && c->apart);
    c->closes = j->block.state.last_kind != ITEM_END_OF_PIECE;
    c->counts = j->block.head.counts;
    c->continues = j->block.head.continues;
    stamma_damage_kind kind = unpack_job_damage(j);
    if (kind == STAMMA_DAMAGE_SEARCH)
        note_dropped(c, &j->search);
    if (kind != STAMMA_DAMAGE_NONE && c->placed)
        report_block(r, c, kind, j);
    return STAMMA_OK;
}

static stamma_error finish_jobs(repair *r, size_t left)
{
    stamma_error error = STAMMA_OK;
    while (r->ring.under_way > left && error == STAMMA_OK)
        error = finish_job(r);
    return error;
}

/* Stores whether a head with a wrong checksum can be used: its directory fits the payload, so the columns can be
 * checked. Errors: NO_MEMORY. */
static stamma_error is_likely_head(const buffer *payload, size_t head_size, bool *likely)
{
    const block_frame place = {0, head_size, 0, 0};
    buffer damaged = {.allocator = payload->allocator}, search = damaged;
    stamma_error error = stamma_columns_check(payload, &place, &damaged, &search);
    *likely = error == STAMMA_OK || damaged.size > 0;
    stamma_buffer_release(&damaged);
    stamma_buffer_release(&search);
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

/* Reads a block, and begins its job if its head has the right checksum. */
static stamma_error begin_block(repair *r, size_t place)
{
    candidate *c = &get_candidates(r)[place];
    unpack_job *j = stamma_unpack_ring_next(&r->ring);
    stamma_error error = read_payload(r, c, &j->payload);
    if (error != STAMMA_OK && error != STAMMA_ERROR_CORRUPT)
        return error;
    size_t head_size = c->block.header.head_size;
    bool fine = error == STAMMA_OK && stamma_check32(j->payload.data, head_size) == c->block.header.head_check;
    j->frame = (block_frame){c->block.offset, head_size, 0, place};
    if (fine) {
        size_t room = stamma_unpack_ring_room(&r->ring);
        error = finish_jobs(r, room);
        if (error == STAMMA_OK)
            stamma_unpack_ring_begin(&r->ring, UNPACK_BOTH);
        return error == STAMMA_OK ? finish_jobs(r, room) : error;
    }
    if (error == STAMMA_OK)
        error = is_likely_head(&j->payload, head_size, &c->damaged);
    if (error == STAMMA_ERROR_NO_MEMORY)
        return error;
    c->doubtful = true;
    j->error = STAMMA_ERROR_CORRUPT;
    j->damaged.size = 0;
    j->in_game = false;
    if (c->placed)
        report_block(r, c, STAMMA_DAMAGE_HEAD, j);
    return STAMMA_OK;
}

static stamma_error decode_blocks(repair *r)
{
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < count_candidates(r) && error == STAMMA_OK; i++)
        error = begin_block(r, i);
    return error == STAMMA_OK ? finish_jobs(r, 0) : error;
}

/* Keeps one block for each number: the first sound block, or the first damaged block if none is sound. */
static void choose_blocks(repair *r)
{
    candidate *all = get_candidates(r);
    size_t kept = 0;
    for (size_t i = 0; i < count_candidates(r); i++) {
        bool again = kept > 0 && all[kept - 1].block.number == all[i].block.number;
        if ((all[i].sound || all[i].damaged) && (!again || (all[i].sound && !all[kept - 1].sound))) {
            kept -= again;
            all[kept++] = all[i];
        }
    }
    r->candidates.size = kept * sizeof *all;
}

/* Returns the number of sound blocks with numbers from `first` to `last`, both from 1. */
static uint64_t count_sound(const repair *r, uint64_t first, uint64_t last)
{
    const candidate *all = get_candidates(r);
    uint64_t count = 0;
    for (size_t i = 0; i < count_candidates(r); i++)
        count += all[i].sound && all[i].block.number + 1 >= first && all[i].block.number < last;
    return count;
}

/* Returns whether damage to frames and commits must be reported. A block that is missing in its place may be in another
 * place of the file. */
static bool is_lost(const repair *r, const stamma_archive_damage *d)
{
    if (d->kind != STAMMA_DAMAGE_FRAME || d->first_block == 0 || d->last_block == UINT64_MAX)
        return true;
    return count_sound(r, d->first_block, d->last_block) < d->last_block - d->first_block + 1;
}

static void report_damages(repair *r)
{
    const stamma_archive_damage *d = (const stamma_archive_damage *)(const void *)r->damages.data;
    for (size_t i = 0; i < r->damages.size / sizeof *d; i++)
        if (is_lost(r, &d[i]))
            report(r, &d[i]);
}

/* ---- writing blocks ---- */

/* Returns whether a game continues from a block into the next candidate. */
static bool is_continued(const candidate *c, const candidate *next)
{
    return c->sound && next->sound && !c->closes && next->block.number == c->block.number + 1 && next->continues;
}

/* Returns the number of blocks, starting with `first`, that are connected by games. Sets *torn if a part of a game is
 * missing. */
static size_t find_chain(const repair *r, size_t first, bool *torn)
{
    const candidate *all = get_candidates(r);
    size_t count = count_candidates(r), last = first;
    while (last + 1 < count && is_continued(&all[last], &all[last + 1]))
        last++;
    *torn = all[first].continues || !all[last].closes;
    return last - first + 1;
}

/* Returns whether a column is dropped. The flags of a damaged search column may be wrong, too. */
static bool is_dropped(const column_entry *e, uint64_t dropped)
{
    const bool search = e->flags & ENTRY_SEARCH || column_is_search(e->id);
    return search && dropped & column_bit(e->id);
}

/* Copies a payload without some of its search columns. Errors: CORRUPT, NO_MEMORY. */
static stamma_error drop_columns(const buffer *payload, size_t head_size, uint64_t dropped, buffer *kept,
                                 size_t *kept_head_size)
{
    const uint8_t *begin = payload->data;
    cursor in = {begin, begin + head_size, false}, body = {in.end, begin + payload->size, false};
    buffer directory = {.allocator = payload->allocator}, columns = directory;
    block_counts counts;
    stamma_error error = stamma_block_counts_read(&in, &counts);
    size_t counts_size = (size_t)(in.at - begin);
    uint64_t columns_before = stamma_cursor_varint(&in), count = 0;
    for (uint64_t i = 0; error == STAMMA_OK && i < columns_before; i++) {
        const uint8_t *entry = in.at;
        column_entry e;
        const uint8_t *stored = stamma_column_read_entry(&in, &e) ? cursor_take(&body, e.stored_size) : NULL;
        if (!stored)
            error = STAMMA_ERROR_CORRUPT;
        else if (!is_dropped(&e, dropped)) {
            buffer_add(&directory, entry, (size_t)(in.at - entry));
            buffer_add(&columns, stored, (size_t)e.stored_size);
            count++;
        }
    }
    kept->size = 0;
    buffer_add(kept, begin, counts_size);
    stamma_buffer_add_varint(kept, count);
    buffer_add(kept, directory.data, directory.size);
    *kept_head_size = kept->size;
    buffer_add(kept, columns.data, columns.size);
    if (error == STAMMA_OK && (kept->failed || directory.failed || columns.failed))
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&directory);
    stamma_buffer_release(&columns);
    return error;
}

static stamma_error copy_block(repair *r, const candidate *c, unpack_job *j)
{
    size_t head_size = c->block.header.head_size;
    stamma_error error = read_payload(r, c, &j->payload);
    if (error == STAMMA_OK && c->dropped) {
        error = drop_columns(&j->payload, head_size, c->dropped, &j->text, &head_size);
        if (error == STAMMA_OK)
            error = stamma_writer_add_block(r->writer, &j->text, head_size, &c->counts);
        return error;
    }
    if (error == STAMMA_OK)
        error = stamma_writer_add_block(r->writer, &j->payload, head_size, &c->counts);
    return error;
}

static stamma_error repack_block(repair *r, const candidate *c, unpack_job *j)
{
    stamma_error error = read_payload(r, c, &j->payload);
    if (error != STAMMA_OK)
        return error;
    j->frame = (block_frame){c->block.offset, c->block.header.head_size, 0, 0};
    j->output = NULL;
    j->work = UNPACK_TEXT;
    stamma_unpack_job_run(j);
    r->result->repacked_blocks++;
    return j->error == STAMMA_OK ? stamma_archive_writer_write(r->writer, j->text.data, j->text.size) : j->error;
}

/* Reports the result for each game of a block. Errors: CANCELLED. */
static stamma_error report_salvage(repair *r, const candidate *c, const salvage *s)
{
    const span *games = &c->spans[SPAN_GAMES];
    const bool known = c->placed && games->end - games->begin == games->size;
    const salvage_run *run = (const salvage_run *)(const void *)s->runs.data, *end = run + s->runs.size / sizeof *run;
    uint64_t before = 0;
    size_t at = 0;
    for (; run < end; at = run->text_end, before = run++->last) {
        stamma_archive_salvage d = {.block = c->block.number + 1,
                                    .first_game = known ? games->begin + run->first : 0,
                                    .last_game = known ? games->begin + run->last : 0,
                                    .games = run->last - before,
                                    .state = (stamma_salvage_state)run->state,
                                    .missing = run->missing,
                                    .text = {(const char *)buffer_at(&s->text, at), run->text_end - at}};
        r->result->salvaged[run->state] += d.games;
        if (r->options.salvaged && !r->options.salvaged(r->options.context, &d))
            return STAMMA_ERROR_CANCELLED;
    }
    return STAMMA_OK;
}

/* Counts a block that was salvaged completely as kept. */
static void count_salvaged(repair *r, candidate *c, const salvage *s)
{
    const block_head *head = &s->head;
    r->result->salvaged_blocks++;
    c->sound = s->runs.size <= sizeof(salvage_run) && XXH64(s->text.data, s->text.size, 0) == head->text_check;
    c->counts.text_size = s->text.size;
}

/* Adds the names of tags in a sound block. `head` is working memory. */
static stamma_error add_names(repair *r, const candidate *c, buffer *head, salvage_names *names)
{
    frame_reader *in = &r->scan.frames;
    bool whole = false;
    stamma_error error = stamma_frame_reader_go(in, c->block.offset + FRAME_HEADER_SIZE);
    if (error == STAMMA_OK)
        error = stamma_frame_reader_payload(in, c->block.header.head_size, head, &whole);
    return error == STAMMA_OK && whole ? stamma_salvage_names_add(names, buffer_cursor(head)) : error;
}

/* Adds the names of tags in the next sound blocks before and after a block. */
static stamma_error add_nearby_names(repair *r, const candidate *c, salvage_names *names)
{
    const candidate *begin = get_candidates(r), *end = begin + count_candidates(r), *before = c, *after = c + 1;
    buffer head = {.allocator = &r->allocator};
    stamma_error error = STAMMA_OK;
    while (before > begin && (!before[-1].sound || before[-1].damaged))
        before--;
    while (after < end && (!after->sound || after->damaged))
        after++;
    if (before > begin)
        error = add_names(r, before - 1, &head, names);
    if (error == STAMMA_OK && after < end)
        error = add_names(r, after, &head, names);
    stamma_buffer_release(&head);
    return error;
}

static stamma_error salvage_block(repair *r, candidate *c, unpack_job *j)
{
    stamma_error error = read_payload(r, c, &j->payload);
    if (error != STAMMA_OK)
        return error;
    salvage *s = (salvage *)memory_allocate(&r->allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_salvage_init(s, &r->allocator);
    s->memory = block_memory_limit(r->options.memory);
    s->exact_only = r->options.exact_only;
    s->names.doubtful = c->doubtful;
    if (c->doubtful)
        error = add_nearby_names(r, c, &s->names);
    if (error == STAMMA_OK)
        error = stamma_salvage_block(s, &j->payload, c->block.header.head_size);
    bool nothing = error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED;
    if (error == STAMMA_OK)
        error = report_salvage(r, c, s);
    if (error == STAMMA_OK) {
        count_salvaged(r, c, s);
        error = stamma_archive_writer_write(r->writer, s->text.data, s->text.size);
    }
    stamma_salvage_release(s);
    memory_release(&r->allocator, s);
    return nothing ? STAMMA_OK : error;
}

static stamma_error write_blocks(repair *r)
{
    stamma_error error = STAMMA_OK;
    candidate *all = get_candidates(r);
    unpack_job *j = stamma_unpack_ring_next(&r->ring);
    for (size_t i = 0; i < count_candidates(r) && error == STAMMA_OK;) {
        bool torn;
        size_t end = i + find_chain(r, i, &torn);
        for (; i < end && error == STAMMA_OK; i++)
            error = !all[i].sound ? salvage_block(r, &all[i], j)
                    : torn        ? repack_block(r, &all[i], j)
                                  : copy_block(r, &all[i], j);
        if (error == STAMMA_OK)
            error = stamma_writer_end_input(r->writer);
    }
    return error;
}

/* ---- the complete archive ---- */

static void sum_up(repair *r)
{
    stamma_archive_repair_result *result = r->result;
    const stamma_archive_verdict *v = &r->scan.found_all;
    uint64_t bytes = 0;
    const candidate *all = get_candidates(r);
    for (size_t i = 0; i < count_candidates(r); i++) {
        result->kept_blocks += all[i].sound;
        bytes += all[i].sound ? all[i].counts.text_size : 0;
    }
    result->all = v->all;
    result->all_blocks = v->all_blocks;
    result->known = r->scan.finished && !r->scan.committed_after && v->tail_size == 0;
    result->whole = result->known && result->kept_blocks == v->all_blocks && bytes == v->all.text_size;
}

/* Sets the level of the first block, for blocks that are packed again. */
static stamma_error find_level(repair *r, int *level)
{
    unpack_job *j = stamma_unpack_ring_next(&r->ring);
    const candidate *c = get_candidates(r);
    *level = LEVEL_DEFAULT;
    if (count_candidates(r) == 0)
        return STAMMA_OK;
    stamma_error error = read_payload(r, c, &j->payload);
    if (error == STAMMA_OK)
        *level = stamma_payload_level(&j->payload, c->block.header.head_size, LEVEL_DEFAULT);
    return error;
}

static stamma_error write_archive(repair *r)
{
    stamma_archive_writer_options options = {
        .size = sizeof options, .allocator = &r->allocator, .context = r->options.context, .stop = r->options.stop};
    stamma_error error = find_level(r, &options.level);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_open(&r->output, &options, &r->writer);
    if (error == STAMMA_OK)
        error = write_blocks(r);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(r->writer, &r->result->kept);
    stamma_archive_writer_close(r->writer);
    return error;
}

static stamma_error run(repair *r)
{
    stamma_error error = find_blocks(r);
    r->check = (stop_check){r->options.stop, r->options.context};
    if (error == STAMMA_OK)
        error = stamma_unpack_ring_open(&r->ring, &r->allocator, &r->executor, r->options.memory,
                                        r->options.stop ? &r->check : NULL);
    sort_candidates(r);
    if (error == STAMMA_OK)
        error = decode_blocks(r);
    if (error != STAMMA_OK)
        return error;
    choose_blocks(r);
    report_damages(r);
    error = write_archive(r);
    sum_up(r);
    return error;
}

stamma_error stamma_archive_repair(const stamma_bytes *bytes, const stamma_output *output,
                                   const stamma_archive_repair_options *options, stamma_archive_repair_result *result)
{
    repair r;
    memset(&r, 0, sizeof r);
    if (!bytes_are_given(bytes) || !output_is_given(output) || !result || !stamma_result_has_size(result))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error =
        stamma_archive_options_read(options, &r.options, sizeof r.options, &r.options.allocator, &r.options.executor);
    if (error != STAMMA_OK)
        return error;
    stamma_archive_repair_result made = {.size = sizeof made};
    r.allocator = stamma_allocator_or_default(r.options.allocator);
    if (r.options.executor)
        r.executor = *r.options.executor;
    r.bytes.bytes = *bytes;
    r.input = stamma_bytes_input(&r.bytes);
    r.output = *output;
    r.result = &made;
    r.candidates.allocator = r.damages.allocator = r.scan.allocator = &r.allocator;
    r.scan.context = &r;
    r.scan.report = take_damage;
    r.scan.settle = take_finding;
    r.scan.every = true;
    error = run(&r);
    stamma_job_ring_close(&r.ring);
    stamma_scan_release(&r.scan);
    stamma_buffer_release(&r.candidates);
    stamma_buffer_release(&r.damages);
    stamma_result_write(&made, sizeof made, result);
    return error;
}
