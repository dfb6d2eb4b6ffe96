/* SPDX-License-Identifier: MIT */
/* Processes commits during a scan: compares them with the blocks before them, and determines the archive's end (clauses
 * 1.3, 1.4 and 7). */
#include "container/container.h"

enum { END_MARK = sizeof stamma_commit_magic };

/* ---- reading heads late ---- */

static void take_head(scan *s, finding *f, const frame *header, const buffer *head)
{
    cursor in = buffer_cursor(head);
    bool fine = stamma_check32(head->data, head->size) == header->head_check &&
                stamma_block_counts_read(&in, &f->head) == STAMMA_OK;
    if (!fine) {
        f->kind = STAMMA_DAMAGE_HEAD;
        f->error = STAMMA_ERROR_CORRUPT;
        s->trouble_at = s->trouble == STAMMA_OK ? f->offset : s->trouble_at;
        s->trouble = s->trouble == STAMMA_OK ? f->error : s->trouble;
        return;
    }
    f->spans[SPAN_GAMES] = (span){.size = f->head.counts.games, .known = true};
    f->spans[SPAN_BYTES] = (span){.size = f->head.counts.text_size, .known = true};
}

static stamma_error read_head(scan *s, finding *f)
{
    frame header;
    frame_state state;
    bool whole;
    stamma_error error = stamma_frame_reader_go(&s->frames, f->offset);
    if (error == STAMMA_OK)
        error = stamma_frame_reader_next(&s->frames, &header, &state);
    if (error == STAMMA_OK && state == FRAME_GOOD)
        error = stamma_frame_reader_payload(&s->frames, header.head_size, &s->payload, &whole);
    if (error == STAMMA_OK && state == FRAME_GOOD)
        take_head(s, f, &header, &s->payload);
    return error;
}

/* Reads the heads of skipped blocks whose counts are not known from a commit. */
static stamma_error read_heads(scan *s)
{
    uint64_t at = s->frames.at;
    uint8_t last[END_MARK];
    memcpy(last, s->frames.last, sizeof last);
    stamma_error error = STAMMA_OK;
    for (size_t i = s->findings.located; i < s->findings.end && error == STAMMA_OK; i++) {
        finding *f = &s->findings.list[i];
        if (s->frames.input.seek && f->block && finding_is_sound(f) && !f->spans[SPAN_GAMES].known)
            error = read_head(s, f);
    }
    if (error == STAMMA_OK && s->frames.at != at)
        error = stamma_frame_reader_go(&s->frames, at);
    memcpy(s->frames.last, last, sizeof last);
    return error;
}

/* ---- reading a commit ---- */

/* Repairs the end of a commit, if no byte before it is missing and the checksum is right after the repair (7.4). */
static bool restore(scan *s, const frame *header)
{
    size_t size = (size_t)header->size;
    if (size < END_MARK || s->payload.size < size - END_MARK)
        return false;
    s->payload.size = size - END_MARK;
    buffer_add(&s->payload, stamma_commit_magic, END_MARK);
    return stamma_check32(s->payload.data, s->payload.size) == header->head_check;
}

/* The state of a commit: valid, valid after its end was repaired, or damaged. */
typedef enum commit_state { COMMIT_GOOD, COMMIT_RESTORED, COMMIT_DAMAGED } commit_state;

static stamma_error read_commit(scan *s, const frame *header, commit *c, commit_state *state)
{
    *state = COMMIT_DAMAGED;
    if (header->head_size != header->size)
        return STAMMA_OK;
    bool fine =
        s->payload.size == header->size && stamma_check32(s->payload.data, s->payload.size) == header->head_check;
    bool restored = !fine && restore(s, header);
    if (!fine && !restored)
        return STAMMA_OK;
    stamma_error error = stamma_commit_read(s->payload.data, s->payload.size, c, s->allocator);
    if (error != STAMMA_OK)
        return error == STAMMA_ERROR_CORRUPT ? STAMMA_OK : error;
    *state = restored ? COMMIT_RESTORED : COMMIT_GOOD;
    return STAMMA_OK;
}

/* ---- comparing a commit with the frames before it ---- */

/* Returns whether the commit lists the blocks since the last commit. Games and bytes are compared only if heads were
 * read. */
static bool lists_seen(const scan *s, const commit *c)
{
    if (c->places.count != s->seen.count)
        return false;
    for (size_t i = 0; i < s->seen.count; i++) {
        const block_place *listed = &c->places.places[i], *seen = &s->seen.places[i];
        bool counted = s->frames.input.seek || (listed->games == seen->games && listed->text_size == seen->text_size);
        if (listed->offset != seen->offset || !counted)
            return false;
    }
    return true;
}

/* Returns whether the totals are the sum of the totals of the last commit and the counts of the listed blocks. */
static bool adds_up(const scan *s, const commit *c)
{
    uint64_t games = s->last.totals.games, bytes = s->last.totals.text_size;
    for (size_t i = 0; i < c->places.count; i++) {
        games += c->places.places[i].games;
        bytes += c->places.places[i].text_size;
    }
    return games == c->totals.games && bytes == c->totals.text_size;
}

/* Returns whether a commit agrees with the blocks before it. If some of these blocks were lost, the totals must only
 * not be lower than before. */
static bool agrees(const scan *s, const commit *c)
{
    if (c->blocks != s->blocks)
        return false;
    if (!s->group_whole)
        return c->places.count <= c->blocks && c->totals.games >= s->last.totals.games &&
               c->totals.text_size >= s->last.totals.text_size;
    if (!lists_seen(s, c))
        return false;
    if (!s->found_known)
        return true;
    return s->frames.input.seek ? adds_up(s, c) : stamma_counts_equal(&c->totals, &s->found);
}

/* Returns whether a commit is at the offset that it contains, or is shifted like the frames before it. */
static bool stands_right(const scan *s, const commit *c, uint64_t at)
{
    return c->offset + s->shift == at && c->previous == (s->last.offset > 0 ? s->last.offset - s->shift : 0);
}

/* Sets *whole to whether the blocks since the last commit are complete; only then may the commit's end be repaired.
 * They may be incomplete if the writer was interrupted before it wrote the end (7.4). */
static stamma_error vouch(scan *s, bool *whole)
{
    stamma_error error = STAMMA_OK;
    *whole = s->group_whole && s->held.end == s->held.begin;
    for (size_t i = s->findings.located; s->vouch && i < s->findings.end && *whole && error == STAMMA_OK; i++) {
        finding *f = &s->findings.list[i];
        if (f->block && !f->vouched)
            error = s->vouch(s->context, f, &f->intact);
        f->vouched = error == STAMMA_OK;
        *whole = !f->block || f->intact;
    }
    if (s->vouch && error == STAMMA_OK)
        error = stamma_frame_reader_return(&s->frames);
    return error;
}

/* ---- tables ---- */

/* Copies the numbers of games and bytes of text of the blocks from the commit. The commit lists no more blocks than the
 * table, which agrees() has checked. */
static void complete_table(block_table *t, const commit *c)
{
    if (c->places.count == 0 || t->count != c->blocks)
        return;
    table_entry *e = &t->entries[t->count - c->places.count];
    for (size_t i = 0; i < c->places.count; i++) {
        e[i].games = c->places.places[i].games;
        e[i].text_size = c->places.places[i].text_size;
    }
}

/* Compares the table before a commit with the blocks. Does nothing if blocks were lost, or if the commit shows that
 * frames were moved: readers do not use the table then. */
static stamma_error check_table(scan *s, const commit *c, uint64_t at)
{
    const buffer *payload = &s->waiting.payload;
    const bool waits = s->waiting.any, fine = s->waiting.fine && s->waiting.end == at;
    complete_table(&s->table, c);
    if (!waits || (fine && (s->table.count != c->blocks || c->offset != at))) {
        s->waiting.any = false;
        return STAMMA_OK;
    }
    stamma_error error = STAMMA_ERROR_CORRUPT;
    if (fine)
        error = stamma_table_check(&s->table, payload->data, payload->size, s->waiting.offset);
    if (error == STAMMA_ERROR_CORRUPT)
        error = stamma_scan_refuse_table(s);
    s->waiting.any = false;
    return error;
}

/* Accepts a commit, which commits the blocks before it. After a finished commit, only the next finished commit makes
 * blocks a part of the archive (1.3). */
static stamma_error accept(scan *s, commit *c, uint64_t at, uint64_t end, uint64_t last_end, bool restored)
{
    bool certain = c->finished || !s->finished;
    s->found = c->totals;
    s->found_known = true;
    s->shift = at - c->offset;
    s->last = *c;
    s->last.places = (block_places){NULL, 0, 0};
    s->last.offset = at;
    s->last.start = end;
    s->restored = restored;
    s->last_end = last_end;
    if (certain) {
        s->finished = c->finished;
        s->found_all.all = c->totals;
        s->found_all.all.archive_size = end;
        s->found_all.all_blocks = c->blocks;
    }
    const uint64_t after[SPANS] = {c->blocks, c->totals.games, c->totals.text_size};
    return stamma_scan_locate(s, after, certain);
}

/* Begins the next group at `end`. */
static void end_group(scan *s, uint64_t at, uint64_t end)
{
    s->last.offset = at;
    s->last.start = end;
    s->waiting.any = false;
    s->seen.count = 0;
    s->group_blocks = 0;
    s->group_whole = true;
}

static stamma_error add_damage(scan *s, uint64_t at, uint64_t end, stamma_damage_kind kind)
{
    finding *f = stamma_scan_add(s, at, kind, STAMMA_ERROR_CORRUPT);
    if (f)
        f->end = end;
    return f ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

stamma_error stamma_scan_commit(scan *s, const frame *header, uint64_t at, uint64_t end, bool whole, bool *accepted)
{
    commit c = {.start = s->last.start, .id = header->id};
    commit_state state;
    stamma_error error = read_commit(s, header, &c, &state);
    bool right = state != COMMIT_DAMAGED && agrees(s, &c) && stamma_findings_learn(&s->findings, &c);
    if (error == STAMMA_OK && right && state == COMMIT_RESTORED)
        error = vouch(s, &right);
    /* A commit at a wrong offset is damage. If nothing else is wrong, the commit is accepted in spite of this. */
    bool elsewhere = right && s->group_whole && !stands_right(s, &c, at);
    if (error == STAMMA_OK && elsewhere && c.places.count == 0 && s->last.offset > 0)
        right = false; /* a copy of the last commit */
    if (error == STAMMA_OK && right)
        error = read_heads(s);
    if (error == STAMMA_OK && right)
        error = check_table(s, &c, at); /* damage of the table is reported before damage of the commit after it */
    if (error == STAMMA_OK && (!right || elsewhere))
        error = add_damage(s, at, end, whole ? STAMMA_DAMAGE_COMMIT : STAMMA_DAMAGE_FRAME);
    else if (error == STAMMA_OK && state == COMMIT_RESTORED)
        error = add_damage(s, end - END_MARK, end, STAMMA_DAMAGE_END_MARK);
    if (error == STAMMA_OK && right)
        error = accept(s, &c, at, end, at + FRAME_HEADER_SIZE + header->size, state == COMMIT_RESTORED);
    memory_release(s->allocator, c.places.places);
    if (!right && s->frames.input.seek)
        s->found_known = false; /* the heads of its blocks were not read */
    end_group(s, at, end);
    *accepted = right;
    return error;
}

/* ---- the end of the file ---- */

/* Returns whether committed data is damaged: the file has damage and ends with the end of a commit (7.3). */
static bool is_committed(const scan *s)
{
    bool damaged = s->held_damaged;
    for (size_t i = s->findings.begin; i < s->findings.end; i++)
        damaged |= finding_is_damaged_frame(&s->findings.list[i]);
    return damaged && memcmp(s->frames.last, stamma_commit_magic, END_MARK) == 0;
}

/* Reports unsupported frames, also in a tail. */
static void report_unsupported(scan *s, const findings *all)
{
    for (size_t i = all->begin; i < all->end; i++)
        if (all->list[i].kind == STAMMA_DAMAGE_FRAME && all->list[i].error == STAMMA_ERROR_UNSUPPORTED)
            stamma_scan_report(s, &all->list[i]);
}

/* Reports the tail after the last finished commit, which is not part of the archive (1.3). */
static void report_tail(scan *s)
{
    findings *all = &s->findings;
    stamma_archive_verdict *v = &s->found_all;
    uint64_t bytes = s->held_sound.text_size;
    v->tail_offset = v->all.archive_size;
    v->tail_size = s->frames.at - v->tail_offset;
    v->tail_blocks = s->held_blocks;
    v->tail_games = s->held_sound.games;
    report_unsupported(s, &s->held);
    report_unsupported(s, all);
    for (size_t i = all->begin; i < all->end; i++) {
        const finding *f = &all->list[i];
        bool sound = f->block && finding_is_sound(f);
        v->tail_blocks += sound;
        v->tail_games += sound ? f->spans[SPAN_GAMES].size : 0;
        bytes += sound ? f->spans[SPAN_BYTES].size : 0;
    }
    finding tail = {.kind = STAMMA_DAMAGE_TAIL, .error = STAMMA_ERROR_CORRUPT, .offset = v->tail_offset};
    tail.end = s->frames.at;
    tail.spans[SPAN_BLOCKS] = (span){.begin = v->all_blocks, .end = v->all_blocks + v->tail_blocks};
    tail.spans[SPAN_GAMES] = (span){.begin = v->all.games, .end = v->all.games + v->tail_games};
    tail.spans[SPAN_BYTES] = (span){.begin = v->all.text_size, .end = v->all.text_size + bytes};
    if (v->tail_size > 0)
        stamma_scan_report(s, &tail);
}

/* Sets the totals from the findings up to the file's end. If blocks were lost, the totals may be too low. */
static void count_all(scan *s)
{
    s->found_all.all_blocks = s->findings.before[SPAN_BLOCKS];
    s->found_all.all.games = s->findings.before[SPAN_GAMES];
    s->found_all.all.text_size = s->findings.before[SPAN_BYTES];
    s->found_all.all.archive_size = s->frames.at;
}

/* Reports ranges without an end, because the amount of missing data is unknown. */
void stamma_scan_report_end(scan *s, uint64_t offset)
{
    const stamma_archive_verdict *v = &s->found_all;
    finding end = {.kind = STAMMA_DAMAGE_END, .error = STAMMA_ERROR_CORRUPT, .offset = offset, .end = s->frames.at};
    end.spans[SPAN_BLOCKS] = (span){.begin = v->all_blocks, .end = UINT64_MAX};
    end.spans[SPAN_GAMES] = (span){.begin = v->all.games, .end = UINT64_MAX};
    end.spans[SPAN_BYTES] = (span){.begin = v->all.text_size, .end = UINT64_MAX};
    stamma_scan_report(s, &end);
}

/* Removes lost bytes at the end of the file from the findings, because the report of the end includes them. Returns the
 * offset of the first of these bytes. */
static uint64_t drop_last_bytes(scan *s)
{
    findings *all = &s->findings;
    uint64_t offset = s->frames.at;
    while (all->end > all->located && all->list[all->end - 1].end == offset &&
           offset > all->list[all->end - 1].offset && all->list[all->end - 1].kind == STAMMA_DAMAGE_FRAME &&
           all->list[all->end - 1].error == STAMMA_ERROR_CORRUPT) {
        finding *f = &all->list[--all->end];
        offset = f->offset;
        stamma_buffer_release(&f->columns);
    }
    return offset;
}

stamma_error stamma_scan_finish(scan *s)
{
    s->found_all.input_size = s->frames.at;
    stamma_error error = read_heads(s);
    if (error != STAMMA_OK)
        return error;
    s->committed_after = is_committed(s);
    if (s->committed_after) {
        error = stamma_scan_locate(s, NULL, true);
        count_all(s);
    } else if (s->finished) {
        stamma_findings_locate(&s->findings, NULL);
        report_tail(s);
    } else {
        uint64_t offset = drop_last_bytes(s);
        error = stamma_scan_locate(s, NULL, true);
        count_all(s);
        s->found_all.all.archive_size = offset;
        stamma_scan_report_end(s, offset);
    }
    return error;
}
