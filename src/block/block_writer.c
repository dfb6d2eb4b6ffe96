/* SPDX-License-Identifier: MIT */
/* Converts records to the columns of a block (clauses 3 to 5). */
#include "block/block_writer.h"

void stamma_block_writer_init(block_writer *w, const stamma_allocator *allocator)
{
    memset(w, 0, sizeof *w);
    w->allocator = allocator;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        w->columns[id].allocator = allocator;
    w->names.allocator = w->rosters.allocator = w->roster.allocator = allocator;
    w->names.copies = w->rosters.copies = true;
    w->comment_counts.allocator = allocator;
    w->games.allocator = w->set_ups.allocator = w->entries.allocator = w->ends.allocator = allocator;
    stamma_predicted_writer_init(&w->predicted, allocator);
    stamma_comment_lines_init(&w->lines, allocator);
    w->lines.texts = &w->columns[COLUMN_COMMENTS];
    w->lines.kinds = &w->columns[COLUMN_LINES];
    w->lines.codes = &w->columns[COLUMN_LINE_MOVES];
    w->lines.size_column = &w->columns[COLUMN_LINE_SIZES];
    stamma_style_search_init(&w->search, allocator);
    stamma_block_writer_clear(w);
}

void stamma_block_writer_clear(block_writer *w)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_empty(&w->columns[id]);
    for (size_t i = 0; i < w->tag_count; i++)
        stamma_buffer_empty(&w->tags[i]);
    w->comment_counts.size = w->games.size = w->set_ups.size = w->entries.size = w->ends.size = 0;
    w->tag_count = 0;
    stamma_text_table_clear(&w->names);
    stamma_text_table_clear(&w->rosters);
    w->last_roster = 0;
    w->record_count = w->next_reason = 0;
    w->counts = (stamma_archive_counts){0};
    w->continues = false;
    stamma_predicted_writer_clear(&w->predicted);
    w->lines.line_count = 0;
    stamma_style_search_clear(&w->search);
    XXH64_reset(&w->hash, 0);
    XXH64_reset(&w->group_hash, 0);
}

void stamma_block_writer_release(block_writer *w)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_release(&w->columns[id]);
    for (size_t i = 0; i < WRITER_TAGS_MAX; i++)
        if (w->tags[i].allocator)
            stamma_buffer_release(&w->tags[i]);
    stamma_text_table_release(&w->names);
    stamma_text_table_release(&w->rosters);
    stamma_buffer_release(&w->roster);
    stamma_buffer_release(&w->comment_counts);
    stamma_buffer_release(&w->games);
    stamma_buffer_release(&w->set_ups);
    stamma_buffer_release(&w->entries);
    stamma_buffer_release(&w->ends);
    stamma_predicted_writer_release(&w->predicted);
    stamma_comment_lines_release(&w->lines);
    stamma_style_search_release(&w->search);
}

/* ---- tags and rosters (5.3) ---- */

static stamma_text tag_name(const block_writer *w, size_t tag)
{
    return text_table_at(&w->names, tag + 1);
}

static size_t roster_count(const block_writer *w)
{
    return w->rosters.count + 1;
}

/* Returns the column of a tag. If the tag has no column, adds one. Returns WRITER_TAGS_MAX if there are too many
 * columns, or memory is exhausted, or there are too many rosters: no roster could then name the new column, but a
 * column must not be empty (3.3). */
static size_t find_tag(block_writer *w, stamma_text name)
{
    uint32_t number = stamma_text_table_find(&w->names, name);
    if (number != 0)
        return number - 1;
    bool full = w->tag_count == WRITER_TAGS_MAX || roster_count(w) == WRITER_ROSTERS_MAX;
    if (full || name.size > UINT8_MAX || stamma_text_table_add(&w->names, name) == 0)
        return WRITER_TAGS_MAX;
    w->tags[w->tag_count].allocator = w->allocator;
    return w->tag_count++;
}

/* Returns the numbers of a roster's tag columns, two bytes each. */
static stamma_text roster_tags(const block_writer *w, size_t number)
{
    return number == 0 ? (stamma_text){"", 0} : text_table_at(&w->rosters, number);
}

static bool fits_roster(const block_writer *w, const record *r, stamma_text tags)
{
    if (tags.size != 2 * r->roster_count)
        return false;
    for (size_t i = 0; i < r->roster_count; i++)
        if (!text_equal(tag_name(w, load_u16(tags.data + 2 * i)), r->items[i].name))
            return false;
    return true;
}

/* Returns the columns of the record's tags, up to the first tag that cannot be in a roster, because there are too many
 * columns, or because it repeats a tag. */
static stamma_text storable_tags(block_writer *w, const record *r)
{
    bool seen[WRITER_TAGS_MAX] = {false};
    w->roster.size = 0;
    for (size_t i = 0; i < r->roster_count; i++) {
        uint8_t tag[2];
        size_t found = find_tag(w, r->items[i].name);
        if (found == WRITER_TAGS_MAX || seen[found])
            break;
        seen[found] = true;
        store_u16(tag, (uint16_t)found);
        buffer_add(&w->roster, tag, sizeof tag);
    }
    return (stamma_text){(const char *)w->roster.data, w->roster.size};
}

static size_t find_roster(block_writer *w, record *r)
{
    if (fits_roster(w, r, roster_tags(w, w->last_roster)))
        return w->last_roster;
    stamma_text tags = storable_tags(w, r);
    r->roster_count = tags.size / 2;
    size_t number = tags.size == 0 ? 0 : stamma_text_table_find(&w->rosters, tags);
    if (number != 0 || tags.size == 0)
        return number;
    number = roster_count(w) == WRITER_ROSTERS_MAX ? 0 : stamma_text_table_add(&w->rosters, tags);
    if (number == 0) {
        r->roster_count = 0;
        return 0;
    }
    return number;
}

static void add_terminated(buffer *column, stamma_text text)
{
    if (!buffer_reserve(column, text.size + 1))
        return;
    copy_some(column->data + column->size, text.data, text.size);
    column->size += text.size + 1;
    column->data[column->size - 1] = 0;
}

static void add_roster(block_writer *w, record *r)
{
    size_t number = find_roster(w, r);
    w->last_roster = number;
    stamma_buffer_add_varint(&w->columns[COLUMN_ROSTERS], number);
    const char *tags = roster_tags(w, number).data;
    for (size_t i = 0; i < r->roster_count; i++)
        add_terminated(&w->tags[load_u16(tags + 2 * i)], r->items[i].text);
}

/* ---- items (4.4) ---- */

static uint8_t result_code(const record *r, const item *it)
{
    return stamma_result_find(stamma_record_tag(r, "Result")) == it->number ? RESULTS : it->number;
}

static void add_content(block_writer *w, const record *r, const item *it)
{
    buffer *columns = w->columns;
    switch (it->kind) {
    case ITEM_MOVE: buffer_add_byte(&columns[it->depth ? COLUMN_VARIATION_MOVES : COLUMN_MOVES], it->number); break;
    case ITEM_NAG:
    case ITEM_SUFFIX: buffer_add_byte(&columns[COLUMN_NAGS], it->number); break;
    case ITEM_RESULT: buffer_add_byte(&columns[COLUMN_RESULTS], result_code(r, it)); break;
    case ITEM_TEXT:
        stamma_buffer_add_varint(&columns[COLUMN_VERBATIM_SIZES], it->text.size);
        buffer_add(&columns[COLUMN_VERBATIM], it->text.data, it->text.size);
        break;
    case ITEM_TAG:
        add_terminated(&columns[COLUMN_EXTRA_TAGS], it->name);
        add_terminated(&columns[COLUMN_EXTRA_TAGS], it->text);
        break;
    default: break;
    }
}

static void add_items(block_writer *w, const record *r)
{
    event last = {ITEM_TAG, 0, 0};
    uint32_t moves = 0;
    uint32_t comments = 0;
    stamma_comment_lines_begin(&w->lines, r);
    for (size_t i = r->roster_count; i < r->item_count; i++) {
        const item *it = &r->items[i];
        if (event_is_comment(it->kind)) {
            stamma_comment_lines_add(&w->lines, it, i);
            comments++;
        } else {
            add_content(w, r, it);
            if (STAMMA_UNLIKELY(w->lines.following))
                stamma_comment_lines_follow(&w->lines, it);
        }
        if (it->kind == ITEM_MOVE) {
            moves++;
            continue;
        }
        stamma_event_add(&last, it->kind, moves, &w->columns[COLUMN_EVENTS], &w->columns[COLUMN_EVENT_COUNTS]);
        moves = 0;
    }
    stamma_comment_lines_end(&w->lines);
    buffer_add(&w->comment_counts, &comments, sizeof comments);
}

/* ---- facts from which tags may be derived (15.5) ---- */

/* Stores the first moves of the main line. Returns their number. */
static size_t first_moves(const record *r, stamma_move moves[OPENING_PLIES])
{
    size_t count = 0;
    for (size_t i = r->roster_count; i < r->item_count && count < OPENING_PLIES; i++)
        if (r->items[i].kind == ITEM_MOVE && r->items[i].depth == 0)
            moves[count++] = r->items[i].move;
    return count;
}

static void add_game(block_writer *w, const parsed_record *parsed)
{
    const record *r = &parsed->record;
    stamma_move moves[OPENING_PLIES];
    game_facts game = {.end = parsed->end, .plies = r->plies};
    if (r->plies == 0 && stamma_record_start(r, &game.end) != STAMMA_OK)
        game.end = stamma_position_start();
    bool set_up = stamma_record_is_set_up(r);
    if (!set_up)
        game.opening = stamma_opening_find(moves, first_moves(r, moves));
    buffer_add(&w->games, &game, sizeof game);
    buffer_add_byte(&w->set_ups, set_up);
}

/* ---- facts for searches (20) ---- */

static void add_search(block_writer *w, const parsed_record *parsed)
{
    const search_entry entry = stamma_search_entry(&parsed->record, &parsed->end);
    buffer_add(&w->entries, &entry, sizeof entry);
}

static void end_search(block_writer *w)
{
    const search_entry *entries = (const search_entry *)(const void *)w->entries.data;
    size_t count = w->entries.size / sizeof *entries;
    stamma_search_signatures(entries, count, &w->columns[COLUMN_SIGNATURES]);
    stamma_search_facts(entries, count, &w->columns[COLUMN_FACTS]);
}

/* ---- exceptions and reasons (4.5, 8.2) ---- */

static void add_exceptions(block_writer *w, const record *r)
{
    bool any = r->exception_count > 0;
    stamma_buffer_add_varint(&w->columns[COLUMN_STYLES], (uint64_t)r->style * 2 + any);
    if (!any)
        return;
    buffer *column = &w->columns[COLUMN_LAYOUT];
    uint32_t next = 0;
    stamma_buffer_add_varint(column, r->exception_count);
    for (size_t i = 0; i < r->exception_count; i++) {
        const exception *e = &r->exceptions[i];
        stamma_buffer_add_varint(column, e->slot - next);
        stamma_buffer_add_varint(column, e->text.size);
        buffer_add(&w->columns[COLUMN_LAYOUT_TEXT], e->text.data, e->text.size);
        next = e->slot + 1;
    }
}

/* Returns the offset of the first text item or exception; the size of the text if there is none. */
static uint32_t first_untyped(const parsed_record *parsed)
{
    const record *r = &parsed->record;
    uint32_t offset = (uint32_t)parsed->text.size;
    for (size_t i = 0; i < r->item_count; i++)
        if (r->items[i].kind == ITEM_TEXT && parsed->places[i].begin < offset)
            offset = parsed->places[i].begin;
    if (r->exception_count > 0) {
        uint32_t at = (uint32_t)(r->exceptions[0].text.data - parsed->text.data);
        offset = at < offset ? at : offset;
    }
    return offset;
}

static void add_reason(block_writer *w, parsed_record *parsed)
{
    record *r = &parsed->record;
    if (r->continuation)
        return;
    if (r->text_items == 0 && r->exception_count == 0 && record_end(r) != ITEM_END_OF_PIECE) {
        r->reason = STAMMA_REASON_NONE;
        return;
    }
    if (r->reason == STAMMA_REASON_NONE)
        r->reason = STAMMA_REASON_LAYOUT;
    r->reason_offset = first_untyped(parsed);
    buffer *column = &w->columns[COLUMN_REASONS];
    stamma_buffer_add_varint(column, w->record_count - w->next_reason);
    buffer_add_byte(column, (uint8_t)r->reason);
    stamma_buffer_add_varint(column, r->reason_offset);
    w->next_reason = w->record_count + 1;
}

/* ---- checks (3.6) ---- */

static uint32_t group_of(const block_writer *w)
{
    return w->level >= LEVEL_ADAPTIVE ? GROUP_ADAPTIVE : GROUP_FAST;
}

/* Ends a group with the last record, and stores its checksum. */
static void end_group(block_writer *w)
{
    uint8_t check[4];
    store_u32(check, (uint32_t)XXH64_digest(&w->group_hash));
    buffer_add(&w->columns[COLUMN_CHECKS], check, sizeof check);
    XXH64_reset(&w->group_hash, 0);
}

/* Ends the last group. A single group needs no checksum, because the block has one. */
static void end_checks(block_writer *w)
{
    if (w->record_count % group_of(w) != 0)
        end_group(w);
    if (w->record_count <= group_of(w))
        w->columns[COLUMN_CHECKS].size = 0;
}

/* If the block has no lines, removes the columns of lines. Without these columns, the byte of the mark is text
 * (18.1). */
static void end_lines(block_writer *w)
{
    if (w->lines.line_count == 0)
        w->columns[COLUMN_LINES].size = w->columns[COLUMN_LINE_SIZES].size = 0;
}

/* Adds a record's text to the checksums of its group and of the block. */
static void add_text(block_writer *w, stamma_text text)
{
    XXH64_update(&w->hash, text.data, text.size);
    XXH64_update(&w->group_hash, text.data, text.size);
    w->record_count++;
    w->counts.text_size += text.size;
    if (w->record_count % group_of(w) == 0)
        end_group(w);
    uint32_t end = (uint32_t)w->counts.text_size;
    buffer_add(&w->ends, &end, sizeof end);
}

/* ---- records ---- */

static stamma_error any_failure(const block_writer *w)
{
    bool failed = w->names.failed || w->rosters.failed || w->roster.failed || w->comment_counts.failed ||
                  w->games.failed || w->set_ups.failed || w->entries.failed || w->ends.failed ||
                  stamma_predicted_writer_has_failed(&w->predicted) || stamma_comment_lines_have_failed(&w->lines);
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        failed |= w->columns[id].failed;
    for (size_t i = 0; i < w->tag_count; i++)
        failed |= w->tags[i].failed;
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

stamma_error stamma_block_writer_add(block_writer *w, parsed_record *parsed, bool *added)
{
    record *r = &parsed->record;
    stamma_error error = stamma_style_search_find(&w->search, parsed, added);
    if (error != STAMMA_OK || !*added)
        return error;
    if (w->record_count == 0)
        w->continues = r->continuation && record_end(r) != ITEM_END_NO_GAME;
    add_roster(w, r);
    add_items(w, r);
    add_game(w, parsed);
    if (!w->no_search_columns)
        add_search(w, parsed);
    if (w->level >= 2) {
        const line_steps lines = stamma_comment_lines_steps(&w->lines);
        stamma_predicted_writer_add(&w->predicted, w->record_count, r,
                                    (const uint8_t *)roster_tags(w, w->last_roster).data, &lines);
    }
    add_exceptions(w, r);
    add_reason(w, parsed);
    stamma_record_count(r, &w->counts);
    add_text(w, parsed->text);
    return any_failure(w);
}

/* ---- tag columns (15) ---- */

/* Returns the column of a tag, or the tag of a column. They are equal, except for two tags that are exchanged. */
static size_t exchanged(const block_writer *w, size_t tag)
{
    return tag == w->exchanged[0] ? w->exchanged[1] : tag == w->exchanged[1] ? w->exchanged[0] : tag;
}

/* Sets t->numbers to 1 where a record has a tag. */
static void fill_presence(const block_writer *w, tag_table *t)
{
    cursor rosters = buffer_cursor(&w->columns[COLUMN_ROSTERS]);
    for (size_t r = 0; r < t->records; r++) {
        stamma_text tags = roster_tags(w, (size_t)stamma_cursor_varint(&rosters));
        for (size_t i = 0; i < tags.size / 2; i++) {
            size_t column = exchanged(w, load_u16(tags.data + 2 * i));
            if (column < t->columns)
                t->numbers[column * t->records + r] = 1;
        }
    }
}

/* Moves the column of FEN tags into the first TAG_CODED_MAX columns, whose order can be chosen, because it must be read
 * before the moves. */
static void move_fen_ahead(block_writer *w)
{
    size_t number = stamma_text_table_find(&w->names, (stamma_text){"FEN", 3});
    w->exchanged[0] = w->exchanged[1] = 0;
    if (number > TAG_CODED_MAX) {
        w->exchanged[0] = number - 1;
        w->exchanged[1] = TAG_CODED_MAX - 1;
    }
}

/* Decides how tags are coded and the order of their columns. */
static stamma_error make_tag_table(block_writer *w, tag_table *t)
{
    move_fen_ahead(w);
    *t = (tag_table){.columns = w->tag_count < TAG_CODED_MAX ? w->tag_count : TAG_CODED_MAX,
                     .records = (size_t)w->record_count,
                     .games = (const game_facts *)(const void *)w->games.data,
                     .texts.allocator = w->allocator,
                     .allocator = w->allocator,
                     .spells = w->level >= 3};
    for (size_t c = 0; c < t->columns; c++) {
        t->names[c] = tag_name(w, exchanged(w, c));
        t->values[c] = &w->tags[exchanged(w, c)];
    }
    size_t cells = size_multiply(t->columns, t->records) * sizeof *t->numbers;
    t->numbers = (uint32_t *)memory_allocate(w->allocator, cells + 1);
    if (!t->numbers)
        return STAMMA_ERROR_NO_MEMORY;
    memset(t->numbers, 0, cells);
    fill_presence(w, t);
    stamma_error error = stamma_tag_table_fill(t);
    if (error == STAMMA_OK)
        error = stamma_number_plans_choose(t);
    return error == STAMMA_OK ? stamma_derivations_choose(t) : error;
}

/* Writes the rosters with the final numbers of the columns (5.3). */
static void write_rosters(block_writer *w, const tag_table *t)
{
    buffer *out = &w->columns[COLUMN_ROSTER_LIST];
    for (size_t n = 0; n < roster_count(w); n++) {
        stamma_text tags = roster_tags(w, n);
        stamma_buffer_add_varint(out, tags.size / 2);
        for (size_t i = 0; i < tags.size / 2; i++) {
            size_t tag = exchanged(w, load_u16(tags.data + 2 * i));
            stamma_buffer_add_varint(out, tag < t->columns ? t->places[tag] : tag);
        }
    }
}

typedef struct tag_output {
    block_writer *w;
    const tag_table *t;
    size_t columns;
    buffer *directory, *body;
} tag_output;

static void add_tag_column(void *context, size_t column, unsigned codec, const buffer *stored)
{
    tag_output *out = (tag_output *)context;
    size_t tag = exchanged(out->w, column);
    stamma_column_write_entry(COLUMN_TAG, codec, tag_name(out->w, tag), out->w->tags[tag].size, stored->data,
                              stored->size, out->directory);
    buffer_add(out->body, stored->data, stored->size);
    if (codec_is_tags(codec) && stamma_tag_plan_is_post_game(&out->t->plans[column]) &&
        out->w->first_post_game > out->columns)
        out->w->first_post_game = out->columns;
    out->columns++;
}

static stamma_error write_tags(block_writer *w, field_packer *packer, tag_table *t, buffer *directory, buffer *body)
{
    tag_output out = {.w = w, .t = t, .directory = directory, .body = body};
    w->first_post_game = SIZE_MAX;
    stamma_error error = stamma_tags_write(t, packer, add_tag_column, &out);
    for (size_t c = t->columns; c < w->tag_count && error == STAMMA_OK; c++) {
        buffer stored = {.allocator = w->allocator};
        unsigned codec;
        error = stamma_tag_pack_texts(packer, &w->tags[exchanged(w, c)], &stored, &codec);
        if (error == STAMMA_OK)
            add_tag_column(&out, c, codec, &stored);
        stamma_buffer_release(&stored);
    }
    return error;
}

/* ---- the block (3.1) ---- */

static void write_head(const block_writer *w, const buffer *directory, size_t columns, buffer *head)
{
    const stamma_archive_counts *c = &w->counts;
    uint8_t fixed[16];
    store_u64(fixed, c->text_size);
    store_u64(fixed + 8, XXH64_digest(&w->hash));
    buffer_add(head, fixed, sizeof fixed);
    uint64_t numbers[] = {w->record_count,    c->games,          c->plies,
                          c->variation_plies, c->games_verbatim, c->games_partly_verbatim,
                          c->games_corrected, c->verbatim_bytes};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        stamma_buffer_add_varint(head, numbers[i]);
    buffer_add_byte(head, w->continues);
    stamma_buffer_add_varint(head, columns);
    buffer_add(head, directory->data, directory->size);
}

/* The columns of the block by the numbers of the tags. */
typedef struct tag_places {
    const block_writer *w;
    const tag_table *t;
} tag_places;

static bool is_ahead(const void *context, size_t tag)
{
    const tag_places *p = (const tag_places *)context;
    size_t column = exchanged(p->w, tag), place = column < p->t->columns ? p->t->places[column] : column;
    return place < p->w->first_post_game;
}

enum { SHARING_RECORDS = 128 }; /* with fewer records, tables need more space than they save */

/* Adds the main lines to `stored` as codes with shared beginnings (19). Adds nothing if there are few games, or if the
 * result would be larger than the codes. */
static stamma_error share_beginnings(block_writer *w, field_packer *packer, buffer *stored)
{
    const game_facts *games = (const game_facts *)(const void *)w->games.data;
    const buffer *codes = &w->columns[COLUMN_MOVES];
    buffer sizes = {.allocator = w->allocator};
    if (w->record_count < SHARING_RECORDS || codes->size == 0)
        return STAMMA_OK;
    for (size_t n = 0; n < w->record_count; n++)
        buffer_add(&sizes, &games[n].plies, sizeof games[n].plies);
    const prefix_strings strings = {codes->data, (const uint32_t *)(const void *)sizes.data, w->set_ups.data,
                                    (size_t)w->record_count};
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    if (!sizes.failed)
        error = stamma_prefix_column_write(&packer->bytes, &strings, stored);
    if (stored->size > codes->size)
        stored->size = 0;
    stamma_buffer_release(&sizes);
    return error;
}

/* Returns the codec of moves that are not stored as codes. */
static unsigned moves_codec(const block_writer *w, unsigned id)
{
    return w->level < 2 ? CODEC_PREFIXES : id == COLUMN_MOVES && w->level >= 3 ? CODEC_LANES : CODEC_PREDICTED;
}

/* Appends a column and its entry. `coded` contains moves in another form than codes; NULL or empty: none. This form is
 * stored, unless the moves are predicted and their codes are not larger. */
static stamma_error write_column(block_writer *w, field_packer *packer, unsigned id, const buffer *coded,
                                 buffer *directory, buffer *body)
{
    text_counts comments = {(const uint32_t *)(const void *)w->comment_counts.data, (size_t)w->record_count};
    const buffer *c = &w->columns[id];
    size_t directory_begin = directory->size, begin = body->size;
    stamma_error error = STAMMA_OK;
    if (!coded || coded->size == 0 || w->level >= 2) {
        error = stamma_column_write(packer, id, c, id == COLUMN_COMMENTS ? &comments : NULL, directory, body);
        if (error != STAMMA_OK || !coded || coded->size == 0 || coded->size >= body->size - begin)
            return error;
    }
    directory->size = directory_begin;
    body->size = begin;
    stamma_column_write_entry(id, moves_codec(w, id), (stamma_text){NULL, 0}, c->size, coded->data, coded->size,
                              directory);
    buffer_add(body, coded->data, coded->size);
    return STAMMA_OK;
}

static stamma_error write_columns(block_writer *w, field_packer *packer, const buffer coded[LINES],
                                  uint64_t *moves_bytes, size_t *columns, buffer *directory, buffer *body)
{
    stamma_error error = STAMMA_OK;
    for (unsigned id = 1; id < COLUMN_IDS && error == STAMMA_OK; id++) {
        const buffer *lines = id == COLUMN_MOVES             ? &coded[LINES_MAIN]
                              : id == COLUMN_VARIATION_MOVES ? &coded[LINES_VARIATIONS]
                              : id == COLUMN_LINE_MOVES      ? &coded[LINES_COMMENTS]
                                                             : NULL;
        size_t begin = body->size;
        if (w->columns[id].size > 0) {
            ++*columns;
            error = write_column(w, packer, id, lines, directory, body);
        }
        if (id == COLUMN_MOVES)
            *moves_bytes += body->size - begin;
    }
    return error;
}

/* Writes all columns. Tag columns are made first, because the predictor must not use tags that are read after the
 * moves. */
static stamma_error write_all(block_writer *w, field_packer *packer, tag_table *t, uint64_t *moves_bytes,
                              size_t *columns, buffer *directory, buffer *body)
{
    buffer tag_directory = {.allocator = w->allocator}, tag_body = tag_directory;
    buffer coded[LINES] = {tag_directory, tag_directory, tag_directory};
    const buffer *codes[LINES] = {&w->columns[COLUMN_MOVES], &w->columns[COLUMN_VARIATION_MOVES],
                                  &w->columns[COLUMN_LINE_MOVES]};
    const tag_places places = {w, t};
    stamma_error error = write_tags(w, packer, t, &tag_directory, &tag_body);
    if (error == STAMMA_OK && w->level >= 2)
        error = stamma_predicted_write(&w->predicted, w->level >= 3 ? CODEC_LANES : CODEC_PREDICTED, is_ahead, &places,
                                       w->executor, codes, coded);
    else if (error == STAMMA_OK)
        error = share_beginnings(w, packer, &coded[LINES_MAIN]);
    if (error == STAMMA_OK)
        error = write_columns(w, packer, coded, moves_bytes, columns, directory, body);
    *columns += w->tag_count;
    buffer_add(directory, tag_directory.data, tag_directory.size);
    buffer_add(body, tag_body.data, tag_body.size);
    if (tag_directory.failed || tag_body.failed)
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&tag_directory);
    stamma_buffer_release(&tag_body);
    for (unsigned k = 0; k < LINES; k++)
        stamma_buffer_release(&coded[k]);
    return error;
}

stamma_error stamma_block_writer_finish(block_writer *w, field_packer *packer, uint64_t *moves_bytes, buffer *head,
                                        buffer *body)
{
    buffer directory = {.allocator = w->allocator};
    size_t columns = 0;
    tag_table tags;
    packer->mixes = w->level >= LEVEL_ADAPTIVE;
    stamma_error error = make_tag_table(w, &tags);
    w->steps = tags.texts.steps;
    stamma_styles_write(&w->search.styles, &w->columns[COLUMN_STYLE_LIST]);
    end_checks(w);
    end_lines(w);
    end_search(w);
    if (error == STAMMA_OK)
        write_rosters(w, &tags);
    if (error == STAMMA_OK)
        error = write_all(w, packer, &tags, moves_bytes, &columns, &directory, body);
    if (error == STAMMA_OK)
        write_head(w, &directory, columns, head);
    if (error == STAMMA_OK && (head->failed || body->failed || directory.failed || any_failure(w) != STAMMA_OK))
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_tag_table_release(&tags);
    stamma_buffer_release(&directory);
    return error;
}
