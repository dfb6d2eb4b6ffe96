/* SPDX-License-Identifier: MIT */
/* Salvages a damaged block with two readers. The first reader also reads damaged columns, as far as possible; the
 * checksums of groups (3.6) confirm the groups that it read correctly. For all other groups, the second reader reads
 * only the columns that no damage affects.
 *
 * Blocks with moves in lanes are read twice. After a damaged lane, tags that are derived from openings may be wrong, so
 * groups of other lanes are not confirmed, either. Their moves are known to be right only when a later group of the
 * same lane is confirmed. */
#include "salvage/salvage.h"

enum { TRIED, SOUND };
/* Number of bits of a lane in a confirmed group that confirm the lane's moves before the group. With fewer bits, the
 * right moves may be decoded by chance after wrong moves. The number of bits of a record is known with a precision of
 * 32 bits. */
enum { CONFIRMING_BITS = 64 };

void stamma_salvage_init(salvage *s, const stamma_allocator *allocator)
{
    memset(s, 0, sizeof *s);
    s->allocator = s->text.allocator = s->runs.allocator = s->group.allocator = allocator;
    stamma_block_reader_init(&s->tried, allocator);
    stamma_block_reader_init(&s->sound, allocator);
    stamma_salvage_names_init(&s->names, allocator);
    s->tried.plan.salvage = SALVAGE_TRY;
    s->sound.plan.salvage = SALVAGE_SOUND;
}

void stamma_salvage_release(salvage *s)
{
    stamma_block_reader_release(&s->tried);
    stamma_block_reader_release(&s->sound);
    stamma_buffer_release(&s->text);
    stamma_buffer_release(&s->runs);
    stamma_buffer_release(&s->group);
    stamma_salvage_names_release(&s->names);
}

/* ---- damaged columns ---- */

static stamma_error find_damage(salvage *s, cursor head, cursor body)
{
    column_entry e;
    stamma_error error = stamma_block_read_head(&head, &s->head);
    s->damaged = 0;
    s->damaged_tags = s->adaptive = s->learning = false;
    bool mixed = false, learns = false;
    for (uint64_t n = 0; error == STAMMA_OK && n < s->head.columns; n++) {
        const uint8_t *stored = stamma_column_read_entry(&head, &e) ? cursor_take(&body, e.stored_size) : NULL;
        if (!stored)
            return STAMMA_ERROR_CORRUPT;
        learns |= e.id == COLUMN_MOVES && codec_is_adaptive(e.codec);
        if (column_is_whole(&e, stored) || e.flags & ENTRY_SEARCH)
            continue;
        s->damaged_tags |= e.id == COLUMN_TAG;
        mixed |= e.id == COLUMN_TAG && e.codec == CODEC_MIXED;
        s->damaged |= e.id < COLUMN_IDS ? UINT32_C(1) << e.id : 0;
        s->adaptive |= e.id == COLUMN_MOVES && codec_is_adaptive(e.codec);
    }
    s->learning = mixed && learns && s->damaged == 0;
    return error;
}

/* Returns whether only these columns, and the column of checks, are damaged. */
static bool is_damage_in(const salvage *s, uint32_t columns)
{
    return !s->damaged_tags && (s->damaged & ~(columns | 1 << COLUMN_CHECKS)) == 0;
}

/* Returns whether damage affects only moves. The damage of a record or lane does not affect other records or lanes. */
static bool is_local(const salvage *s)
{
    return is_damage_in(s, 1 << COLUMN_MOVES | 1 << COLUMN_VARIATION_MOVES | 1 << COLUMN_LINE_MOVES);
}

/* Returns whether only moves are damaged, and are stored in lanes. */
static bool is_in_lanes(const salvage *s)
{
    return s->adaptive && is_damage_in(s, 1 << COLUMN_MOVES);
}

/* ---- results ---- */

/* Returns the last run if it has this result, otherwise NULL. */
static salvage_run *last_run(const salvage *s, salvage_state state, unsigned missing)
{
    if (s->runs.size == 0)
        return NULL;
    salvage_run *last = (salvage_run *)(void *)(s->runs.data + s->runs.size) - 1;
    return last->state == state && last->missing == missing ? last : NULL;
}

/* Counts the game of a record, and adds it to the runs. */
static stamma_error note(salvage *s, salvage_state state, unsigned missing, bool continuation)
{
    salvage_run *last = last_run(s, state, missing);
    s->games += !continuation;
    if (last) {
        last->last = s->games;
        last->text_end = s->text.size;
        return STAMMA_OK;
    }
    const salvage_run run = {state, missing, s->games, s->games, s->text.size};
    buffer_add(&s->runs, &run, sizeof run);
    return s->runs.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static stamma_text line_end_of(const block_reader *b)
{
    const style_list *styles = &b->columns.styles;
    const uint32_t style = b->state.record.style;
    return stamma_line_ends[style < styles->count ? styles->styles[style].line_end : LINE_END_LF];
}

/* ---- groups that are confirmed ---- */

static size_t group_size(const salvage *s, uint64_t first)
{
    const uint64_t left = s->head.records - first;
    return left < s->head.group ? (size_t)left : s->head.group;
}

/* Opens the first reader, if possible. */
static stamma_error open_tried(salvage *s, cursor head, cursor body)
{
    const stamma_error error = stamma_block_reader_open(&s->tried, head, body);
    s->open[TRIED] = error == STAMMA_OK;
    return error == STAMMA_ERROR_NO_MEMORY || error == STAMMA_ERROR_LIMIT ? error : STAMMA_OK;
}

static bool is_fatal(stamma_error error)
{
    return error == STAMMA_ERROR_NO_MEMORY;
}

static bool has_lost_tags(const record *r)
{
    for (size_t n = 0; n < r->roster_count; n++)
        if (!r->items[n].text.data)
            return true;
    return false;
}

/* Returns whether a lane is right up to this record. */
static bool is_confirmed(const salvage *s, size_t lane, uint64_t record)
{
    return lane < LANES_MAX && record < s->confirmed[lane];
}

/* Renders the last record. If only moves in lanes are damaged, tags that are derived from moves of other lanes may be
 * missing. */
static stamma_error render_tried(salvage *s, unsigned missing)
{
    const block_reader *b = &s->tried;
    if (b->state.lost_moves || (missing && !is_in_lanes(s)))
        return STAMMA_ERROR_CORRUPT;
    return missing ? stamma_salvage_render(b, missing, &s->names, line_end_of(b), &s->group)
                   : block_render(b, &s->group);
}

/* Reads a record as far as possible, and renders its text. */
static stamma_error try_record(salvage *s, size_t place)
{
    block_reader *b = &s->tried;
    const predicted_column *moves = &b->columns.predicted[LINES_MAIN];
    const size_t lane = moves->lane, passed = moves->passed;
    stamma_error error = stamma_block_reader_next(b, false);
    s->open[TRIED] = error == STAMMA_OK;
    s->records[place].missing = has_lost_tags(&b->state.record) ? STAMMA_GAME_TAGS : 0;
    if (error == STAMMA_OK && s->names.doubtful)
        stamma_salvage_names_use(&s->names, b);
    if (error == STAMMA_OK)
        error = render_tried(s, s->records[place].missing);
    s->records[place].fine = error == STAMMA_OK;
    s->records[place].lane = s->adaptive ? moves->lane : SIZE_MAX;
    s->records[place].bits = moves->passed - (moves->lane == lane ? passed : 0);
    s->records[place].codes = moves->as_codes;
    s->records[place].end = s->group.size;
    s->records[place].continuation = b->state.record.continuation;
    s->records[place].pair = moves->open && moves->begun && !moves->adaptive ? (moves->string - 1) / 2 : SIZE_MAX;
    return is_fatal(error) ? error : STAMMA_OK;
}

/* Marks the neighbours of records that were not read as not read if their moves are in the same pair of strings: one
 * string of a pair may have damaged the other. */
static void spoil_pairs(salvage *s, size_t count)
{
    bool fine[GROUP_MAX];
    for (size_t i = 0; i < count; i++)
        fine[i] = s->records[i].fine;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i == 0 ? 0 : i - 1; k < count && k <= i + 1; k++)
            if (!fine[k] && s->records[k].pair != SIZE_MAX && s->records[k].pair == s->records[i].pair)
                s->records[i].fine = false;
}

/* Reads a group as far as possible. *right receives whether its text is confirmed to be as packed. */
static stamma_error try_group(salvage *s, size_t count, bool *right)
{
    block_reader *b = &s->tried;
    predicted_column *moves = &b->columns.predicted[LINES_MAIN];
    bool fine = true;
    stamma_error error = STAMMA_OK;
    s->group.size = 0;
    memset(s->records, 0, sizeof s->records);
    memset(s->names.used, 0, sizeof s->names.used);
    for (size_t i = 0; i < count && s->open[TRIED] && error == STAMMA_OK; i++) {
        error = try_record(s, i);
        fine &= s->records[i].fine && s->records[i].missing == 0;
    }
    *right = s->open[TRIED] && fine && stamma_block_reader_is_group(b, XXH64(s->group.data, s->group.size, 0));
    if (!*right && s->adaptive && !is_confirmed(s, moves->lane, b->state.next))
        moves->dead = true;
    if (!*right)
        spoil_pairs(s, count);
    if (!*right && s->learning) /* the second reader is enough; continuing with the first would need most of the time */
        s->open[TRIED] = false;
    return error;
}

/* Adds a group as it was read. */
static stamma_error take_group(salvage *s, size_t count)
{
    stamma_error error = STAMMA_OK;
    buffer_add(&s->text, s->group.data, s->group.size);
    for (size_t i = 0; i < count && error == STAMMA_OK; i++)
        error = note(s, SALVAGE_EXACT, 0, s->records[i].continuation);
    return s->text.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* ---- groups that are not confirmed ---- */

/* Returns whether the moves of a record may be wrong: they are in a lane, and no later group confirms them. */
static bool may_be_wrong(const salvage *s, size_t place)
{
    const uint64_t record = s->sound.state.next - 1;
    return s->adaptive && (s->records[place].codes || !is_confirmed(s, s->records[place].lane, record));
}

/* Adds a record as read by the first reader. If no part is missing, it is marked as unconfirmed. */
static stamma_error take_tried(salvage *s, stamma_text text, unsigned missing, bool continuation)
{
    if (!s->exact_only && !missing)
        stamma_salvage_mark(NULL, 0, NULL, line_end_of(&s->sound), &s->text);
    if (!s->exact_only)
        buffer_add(&s->text, text.data, text.size);
    if (s->text.failed)
        return STAMMA_ERROR_NO_MEMORY;
    return note(s, missing ? SALVAGE_PARTIAL : SALVAGE_UNCONFIRMED, missing, continuation);
}

/* Adds a record of which all columns are sound. If neither the head nor a column is damaged, a column was written
 * incorrectly, so the record is unconfirmed. */
static stamma_error take_sound(salvage *s)
{
    const bool sure = !s->names.doubtful && (s->damaged != 0 || s->damaged_tags);
    stamma_error error = STAMMA_OK;
    if (!sure && !s->exact_only)
        stamma_salvage_mark(NULL, 0, NULL, line_end_of(&s->sound), &s->text);
    if (sure || !s->exact_only)
        error = block_render(&s->sound, &s->text);
    if (error != STAMMA_OK)
        return error;
    return note(s, sure ? SALVAGE_EXACT : SALVAGE_UNCONFIRMED, 0, s->sound.state.record.continuation);
}

static stamma_error take_partial(salvage *s, unsigned missing)
{
    const bool continuation = s->sound.state.record.continuation;
    stamma_error error = s->exact_only
                             ? STAMMA_OK
                             : stamma_salvage_render(&s->sound, missing, &s->names, line_end_of(&s->sound), &s->text);
    return error == STAMMA_OK ? note(s, SALVAGE_PARTIAL, missing, continuation) : error;
}

/* Reads a record again, without columns that damage affects, and adds the better result of the two readers. */
static stamma_error reduce_record(salvage *s, size_t place)
{
    stamma_error error = stamma_block_reader_next(&s->sound, false);
    if (error != STAMMA_OK)
        return error;
    const size_t begin = place == 0 ? 0 : s->records[place - 1].end, size = s->records[place].end - begin;
    const stamma_text text = {(const char *)buffer_at(&s->group, begin), size};
    const unsigned missing = stamma_salvage_missing(&s->sound);
    if (missing == 0)
        return take_sound(s);
    if (s->records[place].fine && is_local(s) && !may_be_wrong(s, place))
        return take_tried(s, text, s->records[place].missing, s->sound.state.record.continuation);
    return take_partial(s, missing);
}

/* Opens the second reader if necessary, and skips the records before `record`. */
static stamma_error go_to(salvage *s, cursor head, cursor body, uint64_t record)
{
    stamma_error error = STAMMA_OK;
    block_reader *b = &s->sound;
    if (b->head.records == 0) {
        b->plan.lost = stamma_salvage_closure(s->damaged);
        error = stamma_block_reader_open(b, head, body);
    }
    while (error == STAMMA_OK && b->state.next < record)
        error = stamma_block_reader_next(b, true);
    return error;
}

static stamma_error reduce_group(salvage *s, cursor head, cursor body, uint64_t first, size_t count)
{
    stamma_error error = s->open[SOUND] ? go_to(s, head, body, first) : STAMMA_ERROR_CORRUPT;
    size_t done = 0;
    for (; error == STAMMA_OK && done < count; done += error == STAMMA_OK)
        error = reduce_record(s, done);
    s->open[SOUND] = error == STAMMA_OK;
    if (is_fatal(error))
        return error;
    for (error = STAMMA_OK; error == STAMMA_OK && done < count; done++)
        error = note(s, SALVAGE_LOST, 0, s->games >= s->head.counts.games);
    return error;
}

/* ---- confirmation by groups ---- */

/* Stores the lanes that a confirmed group confirms. */
static void confirm_by_group(const salvage *s, uint64_t first, size_t count, uint64_t *confirmed)
{
    size_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t lane = s->records[i].lane;
        bits = s->records[i].bits + (i > 0 && s->records[i - 1].lane == lane ? bits : 0);
        if (lane < LANES_MAX && bits >= CONFIRMING_BITS)
            confirmed[lane] = first + i + 1;
    }
}

/* Reads all groups to find the groups whose checksum is right. They confirm their lanes and the names of their tags. */
static stamma_error confirm_groups(salvage *s, cursor head, cursor body)
{
    uint64_t confirmed[LANES_MAX] = {0};
    memset(s->confirmed, UINT8_MAX, sizeof s->confirmed); /* during this pass, all lanes are read to their ends */
    stamma_error error = open_tried(s, head, body);
    for (uint64_t first = 0; s->open[TRIED] && first < s->head.records && error == STAMMA_OK; first += s->head.group) {
        const size_t count = group_size(s, first);
        bool right = false;
        error = try_group(s, count, &right);
        if (right)
            confirm_by_group(s, first, count, confirmed);
        if (right && error == STAMMA_OK && s->names.doubtful)
            error = stamma_salvage_names_confirm(&s->names, &s->tried);
    }
    memcpy(s->confirmed, confirmed, sizeof confirmed);
    return error;
}

/* ---- the complete block ---- */

static stamma_error read_groups(salvage *s, cursor head, cursor body)
{
    stamma_error error = STAMMA_OK;
    for (uint64_t first = 0; first < s->head.records && error == STAMMA_OK; first += s->head.group) {
        const size_t count = group_size(s, first);
        bool right = false;
        error = try_group(s, count, &right);
        if (error == STAMMA_OK && right)
            error = take_group(s, count);
        else if (error == STAMMA_OK)
            error = reduce_group(s, head, body, first, count);
    }
    return error;
}

stamma_error stamma_salvage_block(salvage *s, const buffer *payload, size_t head_size)
{
    const uint8_t *begin = payload->data;
    const cursor head = {begin, begin + head_size, false}, body = {head.end, begin + payload->size, false};
    s->text.size = s->runs.size = 0;
    s->games = 0;
    s->tried.plan.memory = s->sound.plan.memory = s->memory;
    s->sound.head.records = 0;
    stamma_error error = find_damage(s, head, body);
    if (error != STAMMA_OK)
        return error;
    s->open[SOUND] = true;
    if (s->names.doubtful)
        error = stamma_salvage_names_compare(&s->names, head);
    if (error == STAMMA_OK && (s->adaptive || s->names.doubtful))
        error = confirm_groups(s, head, body);
    if (error == STAMMA_OK)
        error = open_tried(s, head, body);
    return error == STAMMA_OK ? read_groups(s, head, body) : error;
}
