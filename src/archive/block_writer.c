/* From records to the columns of a block (clauses 3 to 5). */
#include "archive/archive.h"

void stamma_block_writer_init(block_writer *w, const stamma_allocator *allocator)
{
    memset(w, 0, sizeof *w);
    w->allocator = allocator;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        w->columns[id].allocator = allocator;
    w->names.allocator = w->rosters.allocator = w->roster.allocator = allocator;
    w->names.copies = w->rosters.copies = true;
    w->comment_counts.allocator = allocator;
    w->move_counts.allocator = w->games.allocator = w->ends.allocator = allocator;
    stamma_style_search_init(&w->search, allocator);
    stamma_block_writer_clear(w);
}

void stamma_block_writer_clear(block_writer *w)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_empty(&w->columns[id]);
    for (size_t i = 0; i < w->tag_count; i++)
        stamma_buffer_empty(&w->tags[i]);
    w->comment_counts.size = w->move_counts.size = w->games.size = w->ends.size = 0;
    w->tag_count = 0;
    stamma_text_table_clear(&w->names);
    stamma_text_table_clear(&w->rosters);
    w->last_roster = 0;
    stamma_buffer_add_varint(&w->columns[COLUMN_ROSTER_LIST], 0); /* for records whose tags fit no other */
    w->record_count = w->next_reason = 0;
    w->counts = (stamma_archive_counts){0};
    w->continues = false;
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
    stamma_buffer_release(&w->move_counts);
    stamma_buffer_release(&w->games);
    stamma_buffer_release(&w->ends);
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

/* The column of a tag, made where there is none yet; WRITER_TAGS_MAX where there are too many or no memory is left, or
 * where no roster could name it: the column would be empty, which it must not be (3.3). */
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

/* The numbers of a roster's tag columns, two bytes each. */
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

/* As many of the record's first tags as can stand in a roster: tag columns are limited. */
static stamma_text storable_tags(block_writer *w, const record *r)
{
    w->roster.size = 0;
    for (size_t i = 0; i < r->roster_count; i++) {
        uint8_t tag[2];
        size_t found = find_tag(w, r->items[i].name);
        if (found == WRITER_TAGS_MAX)
            break;
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
    stamma_buffer_add_varint(&w->columns[COLUMN_ROSTER_LIST], r->roster_count);
    for (size_t i = 0; i < r->roster_count; i++)
        stamma_buffer_add_varint(&w->columns[COLUMN_ROSTER_LIST], load_u16(tags.data + 2 * i));
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
    static const char *const words[4] = {"*", "1-0", "0-1", "1/2-1/2"};
    stamma_text word = {words[it->number], strlen(words[it->number])};
    stamma_text tag = stamma_record_tag(r, "Result");
    return tag.data && text_equal(tag, word) ? 4 : it->number;
}

static void add_content(block_writer *w, const record *r, const item *it)
{
    buffer *columns = w->columns;
    switch (it->kind) {
    case ITEM_MOVE: buffer_add_byte(&columns[it->depth ? COLUMN_VARIATION_MOVES : COLUMN_MOVES], it->number); break;
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE: add_terminated(&columns[COLUMN_COMMENTS], it->text); break;
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
    uint64_t moves = 0;
    uint32_t comments = 0;
    for (size_t i = r->roster_count; i < r->item_count; i++) {
        const item *it = &r->items[i];
        add_content(w, r, it);
        comments += it->kind >= ITEM_COMMENT && it->kind <= ITEM_ESCAPE;
        if (it->kind == ITEM_MOVE) {
            moves++;
            continue;
        }
        stamma_event_add(&last, it->kind, moves, &w->columns[COLUMN_EVENTS], &w->columns[COLUMN_EVENT_COUNTS]);
        moves = 0;
    }
    buffer_add(&w->comment_counts, &comments, sizeof comments);
    buffer_add(&w->move_counts, &r->plies, sizeof r->plies);
}

/* ---- what tags may follow from (14.5) ---- */

/* The first moves of the main line, and how many there are. */
static size_t first_moves(const record *r, stamma_move moves[OPENING_PLIES])
{
    size_t count = 0;
    for (size_t i = r->roster_count; i < r->item_count && count < OPENING_PLIES; i++)
        if (r->items[i].kind == ITEM_MOVE && r->items[i].depth == 0)
            moves[count++] = r->items[i].move;
    return count;
}

static void add_game(block_writer *w, const record *r)
{
    stamma_move moves[OPENING_PLIES];
    game_facts game = {.end = r->end, .plies = r->plies};
    if (r->plies == 0 && stamma_record_start(r, &game.end) != STAMMA_OK)
        game.end = stamma_position_start();
    if (!stamma_record_is_set_up(r))
        game.opening = stamma_opening_find(moves, first_moves(r, moves));
    buffer_add(&w->games, &game, sizeof game);
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

/* Where the first text item or exception begins, or the end of a piece. */
static uint32_t first_untyped(const record *r)
{
    uint32_t offset = (uint32_t)r->text.size;
    for (size_t i = 0; i < r->item_count; i++)
        if (r->items[i].kind == ITEM_TEXT && r->items[i].begin < offset)
            offset = r->items[i].begin;
    if (r->exception_count > 0) {
        uint32_t at = (uint32_t)(r->exceptions[0].text.data - r->text.data);
        offset = at < offset ? at : offset;
    }
    return offset;
}

static void add_reason(block_writer *w, record *r)
{
    if (r->continuation)
        return;
    if (r->text_items == 0 && r->exception_count == 0 && record_end(r) != ITEM_END_OF_PIECE) {
        r->reason = STAMMA_REASON_NONE;
        return;
    }
    if (r->reason == STAMMA_REASON_NONE)
        r->reason = STAMMA_REASON_LAYOUT;
    r->reason_offset = first_untyped(r);
    buffer *column = &w->columns[COLUMN_REASONS];
    stamma_buffer_add_varint(column, w->record_count - w->next_reason);
    buffer_add_byte(column, (uint8_t)r->reason);
    stamma_buffer_add_varint(column, r->reason_offset);
    w->next_reason = w->record_count + 1;
}

/* ---- checks (3.6) ---- */

/* The group that the last record belongs to ends with it. */
static void end_group(block_writer *w)
{
    uint8_t check[4];
    store_u32(check, (uint32_t)XXH64_digest(&w->group_hash));
    buffer_add(&w->columns[COLUMN_CHECKS], check, sizeof check);
    XXH64_reset(&w->group_hash, 0);
}

/* Where there is but one group, the block's own check says it. */
static void end_checks(block_writer *w)
{
    if (w->record_count % GROUP_RECORDS != 0)
        end_group(w);
    if (w->record_count <= GROUP_RECORDS)
        w->columns[COLUMN_CHECKS].size = 0;
}

/* A record's text, which is a part of its group and of the block. */
static void add_text(block_writer *w, stamma_text text)
{
    XXH64_update(&w->hash, text.data, text.size);
    XXH64_update(&w->group_hash, text.data, text.size);
    w->record_count++;
    w->counts.bytes_in += text.size;
    if (w->record_count % GROUP_RECORDS == 0)
        end_group(w);
    uint32_t end = (uint32_t)w->counts.bytes_in;
    buffer_add(&w->ends, &end, sizeof end);
}

/* ---- records ---- */

static stamma_error any_failure(const block_writer *w)
{
    bool failed = w->names.failed || w->rosters.failed || w->roster.failed || w->comment_counts.failed ||
                  w->move_counts.failed || w->games.failed || w->ends.failed;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        failed |= w->columns[id].failed;
    for (size_t i = 0; i < w->tag_count; i++)
        failed |= w->tags[i].failed;
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

stamma_error stamma_block_writer_add(block_writer *w, record *r, bool *added)
{
    stamma_error error = stamma_style_search_find(&w->search, r, added);
    if (error != STAMMA_OK || !*added)
        return error;
    if (w->record_count == 0)
        w->continues = r->continuation && record_end(r) != ITEM_END_NO_GAME;
    add_roster(w, r);
    add_items(w, r);
    add_game(w, r);
    add_exceptions(w, r);
    add_reason(w, r);
    stamma_record_count(r, &w->counts);
    add_text(w, r->text);
    return any_failure(w);
}

/* ---- tag columns and their rules (14) ---- */

/* Where each column's values stand in the rosters. False where a roster has a tag twice, which rules are not chosen
 * for. */
static bool fill_places(const block_writer *w, tag_table *t)
{
    memset(t->places, UINT8_MAX, t->columns * roster_count(w));
    for (size_t n = 0; n < roster_count(w); n++) {
        stamma_text tags = roster_tags(w, n);
        for (size_t i = 0; i < tags.size / 2; i++) {
            size_t column = load_u16(tags.data + 2 * i);
            if (column >= t->columns)
                continue;
            uint8_t *place = &t->places[n * t->columns + column];
            if (*place != UINT8_MAX || i >= UINT8_MAX)
                return false;
            *place = (uint8_t)i;
        }
    }
    return true;
}

static bool fill_values(const block_writer *w, tag_table *t)
{
    const uint8_t *at[COPY_COLUMNS_MAX];
    cursor rosters = buffer_cursor(&w->columns[COLUMN_ROSTERS]);
    const char *codes = (const char *)buffer_cursor(&w->columns[COLUMN_MOVES]).at;
    for (size_t c = 0; c < t->columns; c++)
        at[c] = w->tags[c].data;
    for (size_t r = 0; r < t->records; r++) {
        uint32_t count;
        memcpy(&count, w->move_counts.data + r * sizeof count, sizeof count);
        t->moves[r] = (stamma_text){codes, count};
        codes += count;
        t->rosters[r] = (uint32_t)stamma_cursor_varint(&rosters);
        stamma_text tags = roster_tags(w, t->rosters[r]);
        for (size_t i = 0; i < tags.size / 2; i++) {
            size_t c = load_u16(tags.data + 2 * i);
            if (c >= t->columns)
                continue;
            stamma_text text = {(const char *)at[c], strlen((const char *)at[c])};
            at[c] += text.size + 1;
            uint32_t number = stamma_tag_table_text(t, text);
            if (number == 0)
                return false;
            t->numbers[c * t->records + r] = number;
        }
    }
    return true;
}

/* The column of that name; w->tag_count where there is none. */
static size_t column_named(const block_writer *w, const char *name)
{
    uint32_t number = stamma_text_table_find(&w->names, (stamma_text){name, strlen(name)});
    return number == 0 ? w->tag_count : number - 1;
}

static void find_twins(const block_writer *w, tag_table *t)
{
    memset(t->twins, COPY_COLUMNS_MAX, sizeof t->twins);
    for (size_t c = 0; c < t->columns; c++)
        for (size_t other = 0; other < t->columns; other++)
            if (stamma_are_twins(tag_name(w, c), tag_name(w, other)))
                t->twins[c] = (uint8_t)other;
}

static stamma_error make_tag_table(const block_writer *w, tag_table *t)
{
    *t = (tag_table){.columns = w->tag_count < COPY_COLUMNS_MAX ? w->tag_count : COPY_COLUMNS_MAX,
                     .records = (size_t)w->record_count,
                     .fen_column = column_named(w, "FEN"),
                     .games = (const game_facts *)(const void *)w->games.data,
                     .texts = {.allocator = w->allocator},
                     .allocator = w->allocator};
    for (size_t c = 0; c < t->columns; c++)
        t->names[c] = tag_name(w, c);
    find_twins(w, t);
    size_t cells = size_multiply(t->columns, t->records) * sizeof *t->numbers;
    t->numbers = (uint32_t *)memory_allocate(w->allocator, cells + 1);
    t->places = (uint8_t *)memory_allocate(w->allocator, t->columns * roster_count(w) + 1);
    t->rosters = (uint32_t *)memory_allocate(w->allocator, t->records * sizeof *t->rosters + 1);
    t->moves = (stamma_text *)memory_allocate(w->allocator, t->records * sizeof *t->moves + 1);
    if (!t->numbers || !t->places || !t->rosters || !t->moves)
        return STAMMA_ERROR_NO_MEMORY;
    memset(t->numbers, 0, cells);
    if (!fill_places(w, t))
        return STAMMA_ERROR_UNSUPPORTED;
    return fill_values(w, t) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static stamma_error write_tag(block_writer *w, byte_packer *coder, choice_maker *m, const coded_numbers *numbers,
                              size_t column, buffer *directory, buffer *body)
{
    const buffer *plain = &w->tags[column];
    bool chosen = false;
    if (column < m->t->columns && m->t->numeric[column])
        return stamma_column_write_numbers(coder, tag_name(w, column), plain->size, numbers, column, directory, body);
    if (column >= m->t->columns)
        return stamma_column_write(coder, COLUMN_TAG, tag_name(w, column), plain, NULL, directory, body);
    stamma_error error = stamma_choices_make(m, column);
    if (error == STAMMA_OK)
        error = stamma_column_write_copies(coder, tag_name(w, column), plain, &m->plain[column], &m->coded[column],
                                           directory, body, &chosen);
    if (!chosen)
        stamma_choices_forget(m, column);
    stamma_choices_release(m, column);
    return error;
}

static stamma_error write_tags(block_writer *w, byte_packer *coder, buffer *directory, buffer *body)
{
    tag_table table;
    choice_maker maker = {.t = &table};
    coded_numbers *numbers = stamma_coded_numbers_new(w->allocator);
    if (!numbers)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = make_tag_table(w, &table);
    if (error == STAMMA_OK)
        error = stamma_number_rules_apply(&table, numbers);
    if (error == STAMMA_OK)
        error = stamma_copy_rules_choose(&table);
    if (error == STAMMA_ERROR_UNSUPPORTED) {
        table.columns = 0;
        error = STAMMA_OK;
    }
    for (size_t i = 0; i < w->tag_count && error == STAMMA_OK; i++)
        error = write_tag(w, coder, &maker, numbers, i, directory, body);
    w->steps = table.texts.steps;
    stamma_choice_maker_release(&maker);
    stamma_tag_table_release(&table);
    stamma_coded_numbers_release(numbers, w->allocator);
    return error;
}

/* ---- the block (3.1) ---- */

static void write_head(const block_writer *w, const buffer *directory, size_t columns, buffer *head)
{
    const stamma_archive_counts *c = &w->counts;
    uint8_t fixed[16];
    store_u64(fixed, c->bytes_in);
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

stamma_error stamma_block_writer_finish(block_writer *w, byte_packer *coder, uint64_t *moves_bytes, buffer *head,
                                        buffer *body)
{
    buffer directory = {.allocator = w->allocator};
    size_t columns = 0;
    stamma_error error = STAMMA_OK;
    text_counts comments = {(const uint32_t *)(const void *)w->comment_counts.data, (size_t)w->record_count};
    stamma_styles_write(&w->search.styles, &w->columns[COLUMN_STYLE_LIST]);
    end_checks(w);
    for (unsigned id = 1; id < COLUMN_IDS && error == STAMMA_OK; id++) {
        const buffer *c = &w->columns[id];
        size_t begin = body->size;
        if (c->size > 0 && ++columns)
            error = stamma_column_write(coder, id, (stamma_text){NULL, 0}, c, id == COLUMN_COMMENTS ? &comments : NULL,
                                        &directory, body);
        if (id == COLUMN_MOVES)
            *moves_bytes += body->size - begin;
    }
    columns += w->tag_count;
    if (error == STAMMA_OK)
        error = write_tags(w, coder, &directory, body);
    if (error == STAMMA_OK)
        write_head(w, &directory, columns, head);
    if (error == STAMMA_OK && (head->failed || body->failed || directory.failed || any_failure(w) != STAMMA_OK))
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&directory);
    return error;
}
