/* SPDX-License-Identifier: MIT */
/* Adds findings to a scan, and reports them. Damage is reported after the commit that locates it (clauses 1.3 and
 * 11). */
#include "container/container.h"

/* Maximum number of findings that wait for the next finished commit. If there are more, they are reported before it. */
enum { HELD_MAX = 1024 };

/* ---- adding ---- */

finding *stamma_scan_add(scan *s, uint64_t offset, stamma_damage_kind kind, stamma_error error)
{
    finding *f = stamma_findings_add(&s->findings, offset, s->frames.at);
    if (!f)
        return NULL;
    f->kind = kind;
    f->error = error;
    f->frame = s->frame;
    f->number = s->blocks;
    bool loses = kind != STAMMA_DAMAGE_NONE && kind != STAMMA_DAMAGE_END_MARK && kind != STAMMA_DAMAGE_TABLE &&
                 kind != STAMMA_DAMAGE_SOURCE;
    if (loses && s->trouble == STAMMA_OK) {
        s->trouble = error;
        s->trouble_at = offset;
    }
    return f;
}

stamma_error stamma_scan_refuse_table(scan *s)
{
    if (!s->waiting.any)
        return STAMMA_OK;
    finding *f = stamma_scan_add(s, s->waiting.offset, STAMMA_DAMAGE_TABLE, STAMMA_ERROR_CORRUPT);
    s->waiting.any = false;
    if (!f)
        return STAMMA_ERROR_NO_MEMORY;
    f->frame = s->waiting.frame;
    f->end = s->waiting.end;
    return STAMMA_OK;
}

/* ---- reporting ---- */

/* Returns a span as a range of numbers from 1, both ends included. Both are 0 if the span is empty. */
static void give_range(const span *s, uint64_t *first, uint64_t *last)
{
    *first = s->begin == s->end ? 0 : s->begin + 1;
    *last = s->begin == s->end ? 0 : s->end;
}

static void report_damage(scan *s, const stamma_archive_damage *damage)
{
    s->found_all.damages++;
    if (s->report)
        s->report(s->context, damage);
}

void stamma_scan_report(scan *s, const finding *f)
{
    const span *bytes = &f->spans[SPAN_BYTES], *games = &f->spans[SPAN_GAMES];
    stamma_archive_damage d = {.kind = f->kind, .error = f->error, .offset = f->offset, .size = f->end - f->offset};
    d.frame = f->frame;
    give_range(&f->spans[SPAN_BLOCKS], &d.first_block, &d.last_block);
    give_range(games, &d.first_game, &d.last_game);
    if (f->in_game && games->end - games->begin == games->size) /* only then is the number of the game certain */
        d.game = games->begin + f->game;
    d.text_offset = bytes->begin;
    d.text_size = bytes->end == UINT64_MAX ? UINT64_MAX : bytes->end - bytes->begin;
    if (f->kind == STAMMA_DAMAGE_SEARCH) /* games are not affected */
        d.first_game = d.last_game = d.text_size = 0;
    size_t count = f->columns.size / sizeof(damaged_column);
    for (size_t i = 0; i < count; i++) {
        const damaged_column *c = (const damaged_column *)(const void *)f->columns.data + i;
        d.offset = c->offset;
        d.size = c->size;
        d.column = c->name;
        report_damage(s, &d);
    }
    if (count == 0)
        report_damage(s, &d);
}

static stamma_error hold(scan *s, finding *f)
{
    finding *held = stamma_findings_add(&s->held, f->offset, f->end);
    if (!held)
        return STAMMA_ERROR_NO_MEMORY;
    *held = *f;
    f->columns = (buffer){.allocator = s->allocator};
    s->held_damaged |= finding_is_damaged_frame(f);
    return STAMMA_OK;
}

static void count_sound(scan *s, const finding *f)
{
    stamma_archive_counts *sound = f->certain ? &s->found_all.sound : &s->held_sound;
    stamma_counts_add(sound, &f->head.counts);
    sound->archive_size += f->end - f->offset;
    *(f->certain ? &s->found_all.sound_blocks : &s->held_blocks) += 1;
}

static void report_held(scan *s)
{
    for (size_t i = s->held.begin; i < s->held.end; i++)
        stamma_scan_report(s, &s->held.list[i]);
    stamma_findings_drop(&s->held, s->held.end - s->held.begin);
}

/* Counts the held blocks, which have become part of the archive. */
static void count_held(scan *s)
{
    stamma_counts_add(&s->found_all.sound, &s->held_sound);
    s->found_all.sound.archive_size += s->held_sound.archive_size;
    s->found_all.sound_blocks += s->held_blocks;
    s->held_sound = (stamma_archive_counts){0};
    s->held_blocks = 0;
    s->held_damaged = false;
}

/* Reports the findings that are located and decoded, in the order of the file. */
static stamma_error report(scan *s)
{
    stamma_error error = STAMMA_OK;
    size_t done = 0;
    findings *all = &s->findings;
    for (; error == STAMMA_OK && all->begin + done < all->located && !all->list[all->begin + done].working; done++) {
        finding *f = &all->list[all->begin + done];
        if (s->settle)
            s->settle(s->context, f);
        if (f->block && finding_is_sound(f))
            count_sound(s, f);
        if (f->kind == STAMMA_DAMAGE_NONE)
            continue;
        if (f->certain)
            stamma_scan_report(s, f);
        else
            error = hold(s, f);
    }
    stamma_findings_drop(all, done);
    return error;
}

stamma_error stamma_scan_locate(scan *s, const uint64_t after[SPANS], bool certain)
{
    stamma_findings_locate(&s->findings, after);
    if (certain || s->held.end - s->held.begin >= HELD_MAX)
        report_held(s);
    if (!certain)
        return report(s);
    for (size_t i = s->findings.begin; i < s->findings.end; i++)
        s->findings.list[i].certain = true;
    count_held(s);
    return report(s);
}

finding *stamma_scan_working(scan *s)
{
    for (size_t i = s->findings.begin; i < s->findings.end; i++)
        if (s->findings.list[i].working)
            return &s->findings.list[i];
    return NULL;
}

stamma_error stamma_scan_settle(scan *s, stamma_damage_kind kind, stamma_error error, buffer *columns, bool in_game,
                                uint64_t game)
{
    finding *f = stamma_scan_working(s);
    if (!f)
        return STAMMA_OK;
    f->working = false;
    f->kind = kind;
    f->error = error;
    f->in_game = in_game;
    f->game = game;
    if (columns && columns->size > 0) {
        buffer old = f->columns;
        f->columns = *columns;
        *columns = old;
    }
    return report(s);
}
