/* SPDX-License-Identifier: MIT */
/* Reads the data of a block that is indexed: facts and players of its games, their moves as codes, and the places of
 * these codes in the archive. If the archive does not store codes, the index contains a copy of the moves as codes. The
 * block must decode to its text, and its search columns must agree with the games: otherwise answers would depend on
 * whether there is an index. */
#include "block/search_columns.h"
#include "index/index_build.h"

static void init_job(void *job, const stamma_allocator *allocator)
{
    index_block_job *j = (index_block_job *)job;
    memset(j, 0, sizeof *j);
    j->allocator = j->names.allocator = allocator;
    j->names.copies = true;
    stamma_stats_init(&j->stats, allocator);
    buffer *const all[] = {&j->marks, &j->sizes, &j->plies, &j->bits,       &j->depths,    &j->codes,  &j->facts,
                           &j->days,  &j->ids,   &j->odd,   &j->group_ends, &j->own_moves, &j->classes};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        all[n]->allocator = allocator;
    j->payload.allocator = allocator;
    stamma_block_reader_init(&j->block, allocator);
    stamma_game_batch_init(&j->batch, allocator);
    stamma_prefix_column_init(&j->column, allocator);
    stamma_search_columns_init(&j->search, allocator);
}

static void release_job(void *job)
{
    index_block_job *j = (index_block_job *)job;
    buffer *const all[] = {&j->marks, &j->sizes, &j->plies, &j->bits,       &j->depths,    &j->codes,  &j->facts,
                           &j->days,  &j->ids,   &j->odd,   &j->group_ends, &j->own_moves, &j->classes};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        stamma_buffer_release(all[n]);
    stamma_text_table_release(&j->names);
    stamma_stats_release(&j->stats);
    stamma_buffer_release(&j->payload);
    stamma_block_reader_release(&j->block);
    stamma_game_batch_release(&j->batch);
    stamma_byte_packer_release(&j->coder);
    stamma_prefix_column_release(&j->column);
    stamma_search_columns_release(&j->search);
}

/* ---- records ---- */

static stamma_text tag_of(const stamma_archive_game *game, const char *name)
{
    return stamma_archive_game_tag(game, stamma_text_of(name));
}

static void add_odd(index_block_job *j, const stamma_archive_game *game)
{
    odd_record odd = {.record = (uint32_t)(j->facts.size / INDEX_FACTS_SIZE)};
    stamma_date date;
    odd.values.rating[STAMMA_WHITE] = (uint16_t)stamma_rating_read(tag_of(game, "WhiteElo"));
    odd.values.rating[STAMMA_BLACK] = (uint16_t)stamma_rating_read(tag_of(game, "BlackElo"));
    if (stamma_date_read(tag_of(game, "Date"), &date) || stamma_date_read(tag_of(game, "UTCDate"), &date)) {
        odd.values.first = date.first;
        odd.values.last = date.last;
    }
    buffer_add(&j->odd, &odd, sizeof odd);
}

static bool add_facts(index_block_job *j, const stamma_archive_game *game)
{
    static const uint8_t results[] = {[STAMMA_RESULT_UNKNOWN] = SEARCH_OTHER_RESULT,
                                      [STAMMA_RESULT_WHITE] = 0,
                                      [STAMMA_RESULT_BLACK] = 1,
                                      [STAMMA_RESULT_DRAW] = 2};
    const stamma_text ratings[2] = {tag_of(game, "WhiteElo"), tag_of(game, "BlackElo")};
    const search_entry e = stamma_search_facts_of(ratings, tag_of(game, "Date"), tag_of(game, "UTCDate"),
                                                  results[stamma_archive_game_result(game)]);
    const index_facts own = {{e.rating[STAMMA_WHITE], e.rating[STAMMA_BLACK]},
                             e.month,
                             e.result,
                             (uint8_t)stamma_speed_read(tag_of(game, "TimeControl")),
                             (uint8_t)stamma_mode_read(tag_of(game, "Event"))};
    uint8_t facts[INDEX_FACTS_SIZE];
    index_facts_write(&own, facts);
    if (index_facts_are_odd(&own))
        add_odd(j, game);
    buffer_add(&j->facts, facts, sizeof facts);
    buffer_add_byte(&j->days, stamma_search_day(tag_of(game, "Date"), tag_of(game, "UTCDate")));
    return !j->facts.failed && !j->days.failed && !j->odd.failed;
}

static bool add_names(index_block_job *j, const stamma_archive_game *game)
{
    static const char *const tags[] = {"White", "Black"};
    for (unsigned color = 0; color < 2; color++) {
        stamma_text name = tag_of(game, tags[color]);
        uint32_t number = name.data ? stamma_text_table_add(&j->names, name) : 0;
        buffer_add(&j->ids, &number, sizeof number);
    }
    return !j->ids.failed && !j->names.failed;
}

/* Adds the moves of a game from the initial position as codes. Each of its moves has a code. */
static void add_moves(index_block_job *j, const stamma_archive_game *game)
{
    stamma_position p = game->start;
    for (size_t n = 0; n < game->ply_count; n++) {
        uint8_t code = 0;
        (void)stamma_byte_encode(&p, game->moves[n], &code);
        buffer_add_byte(&j->codes, code);
        stamma_position_make(&p, game->moves[n], &p);
    }
}

/* Adds the game to the statistics, which find its opening, and adds its classes. */
static stamma_error add_classes(index_block_job *j, const stamma_archive_game *game)
{
    unsigned opening = 0;
    const stamma_error error = stamma_stats_add_game(&j->stats, game, &opening);
    const game_classes classes = {stamma_index_opening_class(tag_of(game, "Opening"), opening),
                                  stamma_index_code_class(tag_of(game, "ECO"))};
    buffer_add(&j->classes, &classes, sizeof classes);
    return error == STAMMA_OK && j->classes.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

static stamma_error add_record(index_block_job *j, const stamma_archive_game *game)
{
    uint32_t plies = game->continuation ? 0 : (uint32_t)game->ply_count;
    bool apart = game->continuation || tag_of(game, "FEN").data;
    uint8_t marks = game->continuation ? 0 : INDEXED_GAME;
    size_t before = j->codes.size;
    if (!apart)
        add_moves(j, game);
    marks |= (apart ? INDEXED_APART : 0) | (!apart && plies <= UINT16_MAX ? INDEXED_TYPED : 0);
    plies = (uint32_t)(j->codes.size - before);
    buffer_add_byte(&j->marks, marks);
    buffer_add(&j->sizes, &plies, sizeof plies);
    bool added = add_facts(j, game) && add_names(j, game) && !j->marks.failed && !j->sizes.failed && !j->codes.failed;
    return added ? add_classes(j, game) : STAMMA_ERROR_NO_MEMORY;
}

/* Compares the search columns with the record that was just read. Returns whether they agree. */
static bool agrees_with_search(const index_block_job *j)
{
    const search_columns *s = &j->search;
    const block_reader *b = &j->block;
    const size_t n = (size_t)b->state.next - 1;
    if (s->signatures != SEARCH_READ && s->facts != SEARCH_READ)
        return true;
    const search_entry e = stamma_search_entry(&b->state.record, &b->state.end);
    return (s->signatures != SEARCH_READ || stamma_search_signature_is(s, n, &e)) &&
           (s->facts != SEARCH_READ || stamma_search_facts_are(s, n, &e));
}

/* Adds the text of a record to its group, whose text must have the right checksum (format 3.6). */
static bool check_group(index_block_job *j, stamma_text text)
{
    const block_reader *b = &j->block;
    if (b->head.records <= b->head.group) /* the check of the block includes it */
        return true;
    XXH64_update(&j->group_hash, text.data, text.size);
    if (!block_ends_group(b))
        return true;
    const bool right = stamma_block_reader_is_group(b, XXH64_digest(&j->group_hash));
    XXH64_reset(&j->group_hash, 0);
    return right;
}

/* Hashes the text of a record, and checks its search columns. */
static stamma_error check_record(index_block_job *j, const stamma_archive_game *game)
{
    const stamma_text text = {game->text.size > 0 ? game->text.data : "", game->text.size};
    XXH64_update(&j->hash, text.data, text.size);
    return check_group(j, text) && agrees_with_search(j) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Returns whether the block has `games` games, and was decoded to its text (format 3.1, 3.5). */
static bool is_right(index_block_job *j, uint64_t games)
{
    return games == j->at.games && stamma_block_reader_is_done(&j->block) &&
           XXH64_digest(&j->hash) == j->block.head.text_check;
}

static stamma_error read_records(index_block_job *j)
{
    enum { RECORDS_AT_ONCE = 8 };
    block_reader *b = &j->block;
    uint64_t games = 0;
    stamma_error error = STAMMA_OK;
    XXH64_reset(&j->hash, 0);
    XXH64_reset(&j->group_hash, 0);
    while (b->state.next < b->head.records && error == STAMMA_OK) {
        if (b->state.next % RECORDS_AT_ONCE == 0 && work_is_stopped(j->stop))
            return STAMMA_ERROR_CANCELLED;
        error = stamma_game_batch_read_one(&j->batch, b);
        if (error != STAMMA_OK)
            break;
        stamma_archive_game game = stamma_game_batch_take(&j->batch);
        games += !game.continuation;
        error = check_record(j, &game);
        if (error == STAMMA_OK)
            error = add_record(j, &game);
    }
    j->continues = b->head.continues;
    j->open = b->state.last_kind == ITEM_END_OF_PIECE;
    return error == STAMMA_OK && !is_right(j, games) ? STAMMA_ERROR_CORRUPT : error;
}

/* ---- places of the moves ---- */

/* Adds the places of the codes of each record. `stored` contains the bytes from which the column was opened. */
static stamma_error copy_column(index_block_job *j, prefix_column *c, const uint8_t *stored)
{
    stamma_error error = stamma_prefix_column_find_starts(c, stored);
    const prefix_record *records = prefix_records(c);
    const uint32_t *starts = (const uint32_t *)(const void *)c->starts.data;
    for (size_t n = 0; error == STAMMA_OK && n < c->records.size / sizeof *records; n++) {
        const uint32_t depth = prefix_nodes(c)[records[n].node].depth;
        const uint16_t bit = (uint16_t)(starts[n] < UINT16_MAX ? starts[n] : UINT16_MAX);
        buffer_add_byte(&j->depths, (uint8_t)(depth < UINT8_MAX ? depth : UINT8_MAX));
        buffer_add(&j->bits, &bit, sizeof bit);
    }
    buffer_add(&j->group_ends, c->ends.data, c->ends.size);
    memcpy(j->lengths, c->streams[PREFIX_LENGTHS].data, INDEX_LENGTHS_SIZE);
    return error;
}

/* Makes a column of the moves, in the form of codec 6. */
static stamma_error make_column(index_block_job *j)
{
    buffer apart = {.allocator = j->allocator};
    size_t count = j->marks.size;
    uint8_t *each = (uint8_t *)buffer_array(&apart, count, 1);
    for (size_t n = 0; n < count && each; n++)
        each[n] = (j->marks.data[n] & INDEXED_APART) != 0;
    const uint32_t *sizes = (const uint32_t *)(const void *)j->sizes.data;
    stamma_error error = each && buffer_reserve(&j->codes, 1) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    const prefix_strings strings = {j->codes.data, sizes, each, count};
    if (error == STAMMA_OK)
        error = stamma_prefix_column_write(&j->coder, &strings, &j->own_moves);
    if (error == STAMMA_OK)
        error =
            stamma_prefix_column_open(&j->column, &j->coder, buffer_cursor(&j->own_moves), j->codes.size, sizes, count);
    if (error == STAMMA_OK) {
        buffer_add(&j->plies, j->sizes.data, j->sizes.size);
        error = copy_column(j, &j->column, j->own_moves.data);
        j->own_moves.size -= j->column.head;
        memmove(j->own_moves.data, j->own_moves.data + j->column.head, j->own_moves.size);
    }
    stamma_buffer_release(&apart);
    return error;
}

static stamma_error find_column(index_block_job *j)
{
    block_columns *columns = &j->block.columns;
    j->owns = columns->moves != MOVES_PREFIXED;
    if (j->owns)
        return make_column(j);
    buffer_add(&j->plies, columns->counts[LINES_MAIN].data, j->sizes.size);
    j->moves_at = (uint64_t)(columns->prefixed.strings.groups - j->at.payload);
    return copy_column(j, &columns->prefixed.column, columns->prefixed.strings.groups - columns->prefixed.column.head);
}

/* Marks games whose numbers do not fit in an entry as not typed, because they could not be found. */
static void settle_records(index_block_job *j)
{
    const uint32_t *plies = (const uint32_t *)(const void *)j->plies.data;
    const uint16_t *bits = (const uint16_t *)(const void *)j->bits.data;
    for (size_t n = 0; n < j->marks.size; n++)
        if (plies[n] > UINT16_MAX || bits[n] == UINT16_MAX || j->depths.data[n] == UINT8_MAX)
            j->marks.data[n] &= (uint8_t)~INDEXED_TYPED;
}

/* ---- the job ---- */

static void clear(index_block_job *j)
{
    j->marks.size = j->sizes.size = j->plies.size = j->bits.size = j->depths.size = j->codes.size = j->facts.size =
        j->days.size = j->classes.size = j->ids.size = j->odd.size = 0;
    j->group_ends.size = j->own_moves.size = 0;
    stamma_text_table_clear(&j->names);
    j->names.copies = true;
    stamma_stats_clear(&j->stats);
}

static stamma_error open_block(index_block_job *j)
{
    const block_head *head = &j->block.head;
    j->block.plan.stop = j->stop;
    j->block.plan.memory = j->memory;
    stamma_block_reader_select(&j->block, STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES | STAMMA_GAME_TEXT);
    const cursor in = {j->at.payload, j->at.payload + j->at.head_size, false};
    const cursor body = {in.end, j->at.payload + j->at.size, false};
    if (stamma_search_columns_open(&j->search, in, body) == STAMMA_ERROR_NO_MEMORY)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = stamma_block_reader_load(&j->block, j->at.payload, j->at.size, j->at.head_size);
    if (error == STAMMA_OK && (head->counts.games != j->at.games || head->text_size != j->at.text_size))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

static void run_job(void *job)
{
    index_block_job *j = (index_block_job *)job;
    clear(j);
    j->error = open_block(j);
    if (j->error == STAMMA_OK)
        j->error = read_records(j);
    if (j->error == STAMMA_OK)
        j->error = find_column(j);
    if (j->error == STAMMA_OK && (j->plies.failed || j->bits.failed || j->depths.failed || j->group_ends.failed))
        j->error = STAMMA_ERROR_NO_MEMORY;
    if (j->error == STAMMA_OK)
        settle_records(j);
}

const job_kind stamma_index_jobs = {sizeof(index_block_job), init_job, run_job, release_job};
