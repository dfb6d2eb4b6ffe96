/* SPDX-License-Identifier: MIT */
/* Makes batches of the games of one block. A job stops when its queue is full, and resumes when it is run again. */
#include "columns/columns.h"

bool stamma_columns_job_init(columns_job *j, const columns_plan *plan)
{
    const stamma_allocator *allocator = &plan->allocator;
    memset(j, 0, sizeof *j);
    j->plan = plan;
    j->shuffled.allocator = j->payload.allocator = j->listed.allocator = j->queue.allocator = j->links.allocator =
        j->here.allocator = allocator;
    atomic_init(&j->idle, true);
    j->ended = true;
    stamma_block_reader_init(&j->block, allocator);
    stamma_game_batch_init(&j->batch, allocator);
    const size_t count = plan_column_count(plan);
    j->outputs = (output_column *)memory_allocate(allocator, size_multiply(count + 1, sizeof *j->outputs));
    for (; j->outputs && j->output_count < count; j->output_count++) {
        const planned_column *planned = &plan_columns(plan)[j->output_count];
        output_column *o = &j->outputs[j->output_count];
        *o = (output_column){.planned = planned};
        o->codes.allocator = o->opening_codes.allocator = o->short_codes.allocator = o->last.allocator = allocator;
        o->node =
            stamma_node_new(plan_is_plain(plan, planned->known) ? &stamma_type_text : planned->known->type, allocator);
        if (!o->node)
            return false;
        o->node->escaped = planned->known->escaped;
        o->node->fixed = planned->known->fixed;
    }
    return j->outputs && buffer_array(&j->here, plan_wanted_count(plan) + 1, sizeof(tag_here));
}

static void clear_queue(columns_job *j)
{
    struct ArrowArray *batches = (struct ArrowArray *)(void *)j->queue.data;
    for (; job_batches(j) > 0; j->queue_at++)
        batches[j->queue_at].release(&batches[j->queue_at]);
    j->queue.size = j->queue_at = 0;
}

void stamma_columns_job_release(columns_job *j)
{
    clear_queue(j);
    for (size_t n = 0; n < j->output_count; n++) {
        stamma_node_delete(j->outputs[n].node);
        stamma_buffer_release(&j->outputs[n].codes);
        stamma_buffer_release(&j->outputs[n].opening_codes);
        stamma_buffer_release(&j->outputs[n].short_codes);
        stamma_buffer_release(&j->outputs[n].last);
    }
    memory_release(&j->plan->allocator, j->outputs);
    buffer *const all[] = {&j->payload, &j->listed, &j->queue, &j->links, &j->here, &j->shuffled};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    stamma_archive_reader_close(j->reader);
    stamma_block_reader_release(&j->block);
    stamma_game_batch_release(&j->batch);
}

void stamma_columns_job_begin(columns_job *j)
{
    clear_queue(j);
    j->queued = 0;
    j->open = j->ended = j->has_game = false;
    j->error = STAMMA_OK;
    j->error_game = j->games_read = 0;
    j->listed_at = 0;
    stamma_archive_reader_close(j->reader);
    j->reader = NULL;
    stamma_game_batch_clear(&j->batch);
    stamma_begin_plies(j);
}

/* ---- the block ---- */

/* Returns the wanted tags with a name. `space`: memory for the name of the column. */
static tag_link find_link(const columns_job *j, stamma_text name, buffer *space)
{
    const columns_plan *p = j->plan;
    tag_link link = {{WANTED_NONE, WANTED_NONE}};
    space->size = 0;
    stamma_tag_name_convert(name, space);
    for (size_t n = 0; n < plan_wanted_count(p); n++) {
        const wanted_tag *w = &plan_wanted(p)[n];
        if (text_equal(w->converted ? buffer_text(space) : name, buffer_text(&w->name)))
            link.to[w->converted] = (uint16_t)n;
    }
    return link;
}

static stamma_error find_links(columns_job *j)
{
    const tag_reader *tags = &j->block.columns.tags;
    buffer space = {.allocator = &j->plan->allocator};
    tag_link *links = (tag_link *)buffer_array(&j->links, tags->count, sizeof *links);
    for (size_t n = 0; links && n < tags->count; n++)
        links[n] = find_link(j, tag_column_name(tags, n), &space);
    bool fine = links && !space.failed;
    stamma_buffer_release(&space);
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Opens the block. Tags are read from records, which avoids a copy, unless the text is also read. */
static stamma_error open_block(columns_job *j)
{
    block_reader *b = &j->block;
    b->plan.stop = &j->limits->check;
    b->plan.openings = j->plan->opening;
    stamma_block_reader_select(b, j->plan->parts);
    stamma_error error = stamma_block_reader_load(b, j->at.payload, j->at.size, j->at.head_size);
    if (error == STAMMA_OK && (b->head.counts.games != j->at.games || b->head.text_size != j->at.text_size))
        error = STAMMA_ERROR_CORRUPT;
    if (error != STAMMA_OK)
        return error;
    if (!block_reads_text(b) && !j->plan->game_tags)
        b->plan.parts &= ~STAMMA_GAME_TAGS;
    j->open = true;
    return find_links(j);
}

stamma_error stamma_columns_job_look_up(columns_job *j, stamma_archive *archive, uint64_t number)
{
    const columns_plan *p = j->plan;
    const unsigned parts = p->parts | (p->opening ? STAMMA_GAME_MOVES | STAMMA_GAME_TAGS : 0);
    const stamma_archive_reader_options options = {
        .size = sizeof options, .memory = p->options.memory, .context = p->options.context, .stop = p->options.stop};
    const stamma_archive_game *game = NULL;
    stamma_columns_job_begin(j);
    stamma_error error = stamma_archive_reader_open(archive, &options, &j->reader);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_select(j->reader, parts);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_seek(j->reader, number);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_next(j->reader, &game);
    j->open = error == STAMMA_OK && game && game->number == number;
    if (j->open) {
        j->game = *game;
        return STAMMA_OK;
    }
    stamma_archive_reader_close(j->reader);
    j->reader = NULL;
    return error == STAMMA_ERROR_IO || error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

/* ---- games ---- */

/* Returns the number in the block of the next game to read; UINT64_MAX: none. */
static uint64_t next_wanted(columns_job *j)
{
    uint64_t next = j->games_read + 1 < j->first ? j->first : j->games_read + 1;
    if (j->is_listed) {
        const uint32_t *listed = (const uint32_t *)(const void *)j->listed.data;
        const size_t count = j->listed.size / sizeof *listed;
        while (j->listed_at < count && listed[j->listed_at] < next)
            j->listed_at++;
        next = j->listed_at < count ? listed[j->listed_at] : UINT64_MAX;
    }
    return next <= j->last ? next : UINT64_MAX;
}

static stamma_error pass_record(columns_job *j)
{
    stamma_error error = stamma_block_reader_next(&j->block, true);
    j->games_read += error == STAMMA_OK && !j->block.state.record.continuation;
    return error;
}

/* Skips complete groups before the game with a number. */
static stamma_error pass_groups(columns_job *j, uint64_t wanted)
{
    block_reader *b = &j->block;
    stamma_error error = STAMMA_OK;
    if (b->state.next % b->head.group != 0 || wanted <= j->games_read + b->head.group / 2)
        return STAMMA_OK;
    const uint64_t left = b->head.records - b->state.next;
    uint64_t count = stamma_groups_before(b, wanted - j->games_read) * b->head.group, games = 0, some = 0, from;
    count = count < left ? count : left;
    if (stamma_block_reader_can_pass(b))
        some = stamma_block_reader_passable(b, b->state.next + count, &from);
    some = some <= count ? some : 0;
    if (some > 0)
        error = stamma_block_reader_pass(b, some, &games);
    j->games_read += games;
    for (count -= some; count > 0 && error == STAMMA_OK; count--)
        error = pass_record(j);
    return error;
}

/* Reads the next record, or the next group if its text is read. */
static stamma_error read_records(columns_job *j)
{
    bool decoded;
    if (block_reads_text(&j->block))
        return stamma_game_batch_read(&j->batch, &j->block, &decoded);
    return stamma_game_batch_read_one(&j->batch, &j->block);
}

/* Reads the next game of the batch. Returns whether it is wanted. */
static bool take_game(columns_job *j, uint64_t wanted)
{
    j->game = stamma_game_batch_take(&j->batch);
    if (j->game.continuation || ++j->games_read != wanted)
        return false;
    j->game.number = j->at.first_game + j->games_read;
    return true;
}

static bool is_last_record(const columns_job *j)
{
    return j->block.state.next == j->block.head.records;
}

/* Checks the end of a block that was read to its end. */
static stamma_error check_block(columns_job *j)
{
    return stamma_block_reader_is_done(&j->block) && j->games_read == j->at.games ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Reads the next wanted game; *found is false after the last. */
static stamma_error next_game(columns_job *j, bool *found)
{
    const bool whole = !j->is_listed && j->first <= 1 && j->last >= j->at.games;
    stamma_error error = STAMMA_OK;
    *found = j->reader && j->games_read++ == 0;
    if (j->reader)
        return STAMMA_OK;
    for (uint64_t wanted; error == STAMMA_OK && !*found;) {
        wanted = next_wanted(j);
        if (stamma_game_batch_next(&j->batch))
            *found = take_game(j, wanted);
        else if (is_last_record(j))
            return check_block(j);
        else if (!whole && wanted == UINT64_MAX)
            return STAMMA_OK;
        else if ((error = pass_groups(j, wanted)) == STAMMA_OK && !is_last_record(j))
            error = block_reads_text(&j->block) || wanted <= j->games_read + 1 ? read_records(j) : pass_record(j);
    }
    return error;
}

/* ---- tags of a game ---- */

static void set_tag(columns_job *j, tag_link link, tag_here value)
{
    tag_here *here = (tag_here *)(void *)j->here.data;
    for (unsigned n = 0; n < 2; n++)
        if (link.to[n] != WANTED_NONE && !here[link.to[n]].value.data)
            here[link.to[n]] = value;
}

/* Sets a tag by its name. */
static void set_named(columns_job *j, stamma_text name, stamma_text value)
{
    const tag_reader *tags = &j->block.columns.tags;
    const tag_here here = {value, 0, 0};
    size_t n = 0;
    while (n < tags->count && tag_column_name(tags, n).data != name.data)
        n++;
    if (n < tags->count) {
        set_tag(j, ((const tag_link *)(const void *)j->links.data)[n], here);
        return;
    }
    buffer space = {.allocator = &j->plan->allocator};
    set_tag(j, find_link(j, name, &space), here);
    j->row.no_memory |= space.failed;
    stamma_buffer_release(&space);
}

/* Returns the column that owns the dictionary of a column. */
static uint16_t owner_of(const tag_reader *tags, size_t column)
{
    const tag_column *c = &tags->columns[column];
    return (uint16_t)(c->mixed ? column - c->mixed->plan.shared : c->owner);
}

/* Sets the tags of the last record, with their indices in the block's dictionaries. */
static void set_tags_of_record(columns_job *j)
{
    const block_state *s = &j->block.state;
    const tag_reader *tags = &j->block.columns.tags;
    const record *r = &s->record;
    const tag_link *links = (const tag_link *)(const void *)j->links.data;
    for (size_t n = 0; n < r->roster_count; n++) {
        const size_t column = s->roster.columns[n];
        const tag_link link = links[column];
        if (link.to[0] == WANTED_NONE && link.to[1] == WANTED_NONE)
            continue;
        const bool coded = column < TAG_CODED_MAX && (tags->columns[column].coded || tags->columns[column].mixed);
        const uint32_t index = coded ? tags->now.indices[column] : 0;
        set_tag(j, link, (tag_here){r->items[s->roster.places[n]].text, index, index ? owner_of(tags, column) : 0});
    }
    for (size_t n = r->roster_count; n < r->item_count && r->items[n].kind != ITEM_MOVE; n++)
        if (r->items[n].kind == ITEM_TAG)
            set_named(j, r->items[n].name, r->items[n].text);
}

/* Returns whether only the game is known, but not its record. */
static bool has_no_record(const columns_job *j)
{
    return j->reader || block_reads_text(&j->block);
}

static void set_tags(columns_job *j)
{
    memset(j->here.data, 0, j->here.size);
    if (has_no_record(j))
        for (size_t n = 0; n < j->game.tag_count; n++)
            set_named(j, j->game.tags[n].name, j->game.tags[n].value);
    else if (block_reads_tags(&j->block))
        set_tags_of_record(j);
}

/* Returns whether a game is Chess960, according to its start position or to the Variant tag. The tag is needed because
 * start position 518 is the initial position of standard chess. */
static bool is_chess960(const stamma_archive_game *game, stamma_text variant)
{
    if (stamma_chess960_read(variant))
        return true;
    for (unsigned n = 0; n < 4; n++) {
        const unsigned color = n >> 1, home = color == STAMMA_WHITE ? 0 : 56, rook = game->start.castling[color][n & 1];
        if (rook != STAMMA_SQUARE_NONE &&
            (rook != home + ((n & 1) == STAMMA_KING_SIDE ? 7 : 0) || position_king(&game->start, color) != home + 4))
            return true;
    }
    return false;
}

/* Makes a game the current row. */
static void begin_row(columns_job *j)
{
    const columns_plan *p = j->plan;
    const stamma_move *moves = block_main_line(&j->block);
    const bool has_facts = !has_no_record(j) && j->block.plan.decodes_main_line && j->game.ply_count > 0;
    j->row.no_memory = false;
    set_tags(j);
    j->row.game = &j->game;
    j->row.tags = (const tag_here *)(const void *)j->here.data;
    j->row.opening = j->block.state.opening;
    if (has_no_record(j)) /* the state of the block belongs to the last game of the group */
        j->row.opening = 0;
    if (has_no_record(j) && p->opening && j->game.moves)
        j->row.opening = stamma_archive_game_tag(&j->game, stamma_text_of("FEN")).data
                             ? 0
                             : stamma_opening_find(j->game.moves, j->game.ply_count);
    j->row.san_facts = has_facts ? (const uint8_t *)(moves + j->game.ply_count) : NULL;
    j->row.chess960 = p->variant != WANTED_NONE && is_chess960(&j->game, j->row.tags[p->variant].value);
    j->next_ply = 0;
    j->ply.position = j->game.start;
    j->has_game = true;
}

/* ---- batches ---- */

static stamma_error begin_batch(columns_job *j)
{
    bool fine = true;
    j->rows = 0;
    for (size_t n = 0; n < j->output_count; n++) {
        fine &= stamma_node_begin(j->outputs[n].node);
        j->outputs[n].codes.size = j->outputs[n].opening_codes.size = j->outputs[n].short_codes.size = 0;
    }
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* Adds rows of the current game until the batch is full. */
static void add_rows(columns_job *j)
{
    if (j->plan->options.table != STAMMA_TABLE_GAMES) {
        j->has_game = !stamma_add_plies(j);
        return;
    }
    for (size_t n = 0; n < j->output_count; n++)
        j->outputs[n].planned->known->add(&j->row, &j->outputs[n]);
    j->rows++;
    j->has_game = false;
}

static bool has_failed(const columns_job *j)
{
    bool failed = j->row.no_memory;
    for (size_t n = 0; n < j->output_count; n++)
        failed |= stamma_node_failed(j->outputs[n].node);
    return failed;
}

/* Exports the columns to `arrays`. On failure, no array remains. */
static bool export_columns(columns_job *j, struct ArrowArray *arrays)
{
    size_t count = 0;
    while (count < j->output_count && stamma_node_export(j->outputs[count].node, &arrays[count]))
        count++;
    if (count == j->output_count)
        return true;
    while (count-- > 0)
        arrays[count].release(&arrays[count]);
    return false;
}

/* Adds the batch to the queue. */
static stamma_error end_batch(columns_job *j)
{
    const stamma_allocator *allocator = &j->plan->allocator;
    struct ArrowArray batch;
    if (has_failed(j) || !buffer_reserve(&j->queue, sizeof batch))
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < j->output_count; n++)
        j->queued += stamma_node_bytes(j->outputs[n].node);
    struct ArrowArray *arrays =
        (struct ArrowArray *)memory_allocate(allocator, size_multiply(j->output_count + 1, sizeof *arrays));
    bool fine = arrays && export_columns(j, arrays) &&
                stamma_array_of_columns(arrays, j->output_count, j->rows, allocator, &batch);
    memory_release(allocator, arrays);
    if (!fine)
        return STAMMA_ERROR_NO_MEMORY;
    buffer_add(&j->queue, &batch, sizeof batch);
    return STAMMA_OK;
}

/* Number of games that are read between two checks whether to stop. */
enum { GAMES_AT_ONCE = 64 };

/* Adds rows until the batch is full or the block ends. */
static stamma_error fill_batch(columns_job *j)
{
    const size_t most = j->plan->options.batch_rows;
    stamma_error error = STAMMA_OK;
    while (j->rows < most) {
        bool found = j->has_game;
        if (!found && j->games_read % GAMES_AT_ONCE == 0 && stamma_search_is_stopped(j->limits))
            return STAMMA_ERROR_CANCELLED;
        if (!found) {
            error = next_game(j, &found);
            if (found)
                begin_row(j);
        }
        if (error != STAMMA_OK || (!found && !stamma_add_shuffled(j))) {
            j->ended = true;
            return error;
        }
        if (found)
            add_rows(j);
        if (j->row.no_memory)
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

static stamma_error make_batch(columns_job *j)
{
    stamma_error error = j->open ? STAMMA_OK : open_block(j);
    j->ended = error != STAMMA_OK;
    if (error == STAMMA_OK)
        error = begin_batch(j);
    if (error == STAMMA_OK)
        error = fill_batch(j);
    if (error == STAMMA_ERROR_CORRUPT && stamma_search_is_stopped(j->limits))
        error = STAMMA_ERROR_CANCELLED;
    if (error == STAMMA_ERROR_CORRUPT && j->open)
        j->error_game = j->games_read < j->at.games ? j->games_read + 1 : 0;
    bool keeps = error == STAMMA_OK || (error == STAMMA_ERROR_CORRUPT && j->open);
    stamma_error ended = keeps && j->rows > 0 ? end_batch(j) : STAMMA_OK;
    return ended != STAMMA_OK ? ended : error;
}

void stamma_columns_job_run(void *argument)
{
    columns_job *j = (columns_job *)argument;
    while (!j->ended && (job_batches(j) == 0 || j->queued < j->queue_max)) {
        j->error = make_batch(j);
        j->ended |= j->error != STAMMA_OK;
    }
    atomic_store_explicit(&j->idle, true, memory_order_release);
}
