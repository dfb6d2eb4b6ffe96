/* SPDX-License-Identifier: MIT */
/* Compares an index file with its archive: the directory, and the data of each segment about each record. */
#include "index/index_verify.h"

/* ---- records ---- */

static uint32_t *get_ranks(const index_verifying *v)
{
    return (uint32_t *)(void *)v->ranks.data;
}

/* Lists the rank of each record. Every rank must have a record, and no record may have two ranks. */
static stamma_error list_ranks(index_verifying *v)
{
    const index_segment *s = v->segment;
    uint32_t *ranks = (uint32_t *)buffer_array(&v->ranks, s->counts[COUNT_RECORDS], sizeof *ranks);
    if (!ranks)
        return STAMMA_ERROR_NO_MEMORY;
    memset(ranks, 0, s->counts[COUNT_RECORDS] * sizeof *ranks);
    for (uint32_t rank = 0; rank < s->counts[COUNT_GAMES]; rank++) {
        const uint32_t record = stamma_index_record(&v->file, s, rank);
        const bool valid = stamma_index_was_valid(v, "record of a rank", (uint64_t)rank + 1, 0);
        if (valid && (record >= s->counts[COUNT_RECORDS] || ranks[record] != 0))
            stamma_index_differ(v, "record of a rank", (uint64_t)rank + 1, 0);
        else if (valid)
            ranks[record] = rank + 1;
    }
    return STAMMA_OK;
}

static stamma_text tag_of(const stamma_archive_game *game, const char *name)
{
    return stamma_archive_game_tag(game, stamma_text_of(name));
}

static bool texts_equal(stamma_text a, stamma_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static void compare_names(index_verifying *v, uint32_t record, const stamma_archive_game *game)
{
    const stamma_text tags[2] = {tag_of(game, "White"), tag_of(game, "Black")};
    uint32_t names[2] = {0, 0};
    (void)stamma_index_players(&v->file, v->segment, record, names);
    for (unsigned color = 0; color < 2; color++) {
        const stamma_text name = stamma_index_name(&v->file, v->segment, names[color]);
        if (!stamma_index_was_valid(v, "name of a player", record + UINT64_C(1), game->number))
            return;
        if (!tags[color].data != (names[color] == 0) || !texts_equal(tags[color], name))
            stamma_index_differ(v, "name of a player", record + UINT64_C(1), game->number);
    }
}

/* `odd` is NULL if the game is not odd. */
static bool date_is_right(const index_facts *f, const index_odd *odd, const stamma_archive_game *game)
{
    const stamma_text date = tag_of(game, "Date"), utc = tag_of(game, "UTCDate");
    stamma_date read = {.first = 0};
    if (f->month != stamma_search_month(date, utc))
        return false;
    if (!odd)
        return true;
    if (!stamma_date_read(date, &read) && !stamma_date_read(utc, &read))
        read.first = read.last = 0;
    return odd->first == read.first && odd->last == read.last;
}

static unsigned day_of(const stamma_archive_game *game)
{
    const stamma_text date = tag_of(game, "Date"), utc = tag_of(game, "UTCDate");
    const uint16_t month = stamma_search_month(date, utc);
    const stamma_text text = date.size >= 4 && memcmp(date.data, "????", 4) != 0 ? date : utc;
    if (month == 0 || month == SEARCH_ODD_MONTH || text.data[8] == '?')
        return 0;
    return (unsigned)(text.data[8] - '0') * 10 + (unsigned)(text.data[9] - '0');
}

static uint8_t result_of(const stamma_archive_game *game)
{
    switch (stamma_archive_game_result(game)) {
    case STAMMA_RESULT_WHITE: return 0;
    case STAMMA_RESULT_BLACK: return 1;
    case STAMMA_RESULT_DRAW: return 2;
    default: return SEARCH_OTHER_RESULT;
    }
}

static void compare_facts(index_verifying *v, uint32_t rank, const stamma_archive_game *game)
{
    index_facts f = {.month = 0};
    index_odd odd = {.first = UINT32_MAX}; /* this is not a day */
    (void)stamma_index_facts(&v->file, v->segment, rank, &f, &odd);
    const unsigned day = index_game_day(&v->file, v->segment, rank);
    if (!stamma_index_was_valid(v, "facts of a game", rank + UINT64_C(1), game->number))
        return;
    const bool right = f.rating[STAMMA_WHITE] == stamma_rating_read(tag_of(game, "WhiteElo")) &&
                       f.rating[STAMMA_BLACK] == stamma_rating_read(tag_of(game, "BlackElo")) &&
                       date_is_right(&f, odd.first == UINT32_MAX ? NULL : &odd, game) && f.result == result_of(game) &&
                       day == day_of(game) && index_game_result(&v->file, v->segment, rank) == f.result &&
                       f.speed == stamma_speed_read(tag_of(game, "TimeControl")) &&
                       f.mode == stamma_mode_read(tag_of(game, "Event"));
    if (!right)
        stamma_index_differ(v, "facts of a game", rank + UINT64_C(1), game->number);
}

/* ---- classes ---- */

/* Stores the class of each rank. */
static stamma_error list_classes(index_verifying *v, index_section section, buffer *classes)
{
    const index_segment *s = v->segment;
    index_classes c;
    classes->size = 0;
    if (!index_has_classes(s))
        return STAMMA_OK;
    uint16_t *all = (uint16_t *)buffer_array(classes, s->counts[COUNT_GAMES], sizeof *all);
    if (!all)
        return STAMMA_ERROR_NO_MEMORY;
    memset(all, 0, s->counts[COUNT_GAMES] * sizeof *all);
    if (stamma_index_classes_begin(&v->file, s, section, &c))
        while (stamma_index_classes_next(&c))
            for (uint32_t rank = c.begin; rank < c.end; rank++)
                all[rank] = c.class;
    (void)stamma_index_was_valid(v, "runs of openings", 0, 0);
    return STAMMA_OK;
}

/* An opening of the tag may be that of any position with the same name. */
static bool opening_is_right(uint16_t class, const stamma_archive_game *game)
{
    bool derived;
    const stamma_text opening = stamma_archive_game_opening(game, &derived);
    if (class == 0)
        return !opening.data;
    if (class == CLASS_OTHER)
        return opening.data && !derived;
    if (derived)
        return class == stamma_opening_find(game->moves, game->ply_count);
    return class <= CLASS_OPENINGS && opening.data && texts_equal(opening, stamma_opening_name(class));
}

static bool code_is_right(uint16_t class, const stamma_archive_game *game)
{
    static const char letters[] = "ABCDEabcde";
    stamma_text tag = tag_of(game, "ECO");
    while (tag.size > 0 && text_is_blank((unsigned char)*tag.data)) {
        tag.data++;
        tag.size--;
    }
    const bool begins = tag.size > 0 && tag.data[0] && strchr(letters, tag.data[0]);
    const bool complete = begins && tag.size > 2 && text_is_digit((unsigned char)tag.data[1]) &&
                          text_is_digit((unsigned char)tag.data[2]);
    if (!complete)
        return class == (begins ? CLASS_OTHER : 0);
    const unsigned letter = (unsigned)(strchr(letters, tag.data[0]) - letters) % 5;
    return class == 1 + letter * 100 + (unsigned)(tag.data[1] - '0') * 10 + (unsigned)(tag.data[2] - '0');
}

static void compare_classes(index_verifying *v, uint32_t rank, const stamma_archive_game *game)
{
    const uint16_t *openings = (const uint16_t *)(const void *)v->openings.data;
    const uint16_t *codes = (const uint16_t *)(const void *)v->ecos.data;
    if (v->openings.size == 0)
        return;
    if (!opening_is_right(openings[rank], game) || !code_is_right(codes[rank], game))
        stamma_index_differ(v, "opening of a game", rank + UINT64_C(1), game->number);
}

/* Returns whether the codes, of the path and after it, are the moves of the game. */
static bool moves_are_equal(const index_moves *m, const uint8_t *codes, uint32_t count, const stamma_archive_game *game)
{
    stamma_position p = game->start;
    if ((uint64_t)m->depth + count != game->ply_count)
        return false;
    for (uint32_t n = 0; n < game->ply_count; n++) {
        stamma_move move;
        const uint8_t code = n < m->depth ? m->path[n] : codes[n - m->depth];
        if (stamma_byte_decode(&p, code, &move) != STAMMA_OK || move != game->moves[n])
            return false;
        stamma_position_make(&p, move, &p);
    }
    return true;
}

static stamma_error compare_moves(index_verifying *v, uint32_t rank, const stamma_archive_game *game)
{
    const uint8_t *codes = NULL;
    uint32_t count = 0;
    if (rank >= v->segment->counts[COUNT_TYPED])
        return STAMMA_OK; /* searches read its moves from the archive */
    const stamma_error error = stamma_index_moves_read(&v->moves, v->segment, rank, UINT32_MAX, &codes, &count);
    const bool valid = stamma_index_was_valid(v, "moves of a game", rank + UINT64_C(1), game->number);
    if (error == STAMMA_ERROR_NO_MEMORY || !valid)
        return error == STAMMA_ERROR_CORRUPT ? STAMMA_OK : error;
    if (error != STAMMA_OK || tag_of(game, "FEN").data || !moves_are_equal(&v->moves, codes, count, game))
        stamma_index_differ(v, "moves of a game", rank + UINT64_C(1), game->number);
    return STAMMA_OK;
}

static stamma_error compare_record(index_verifying *v, uint32_t record, const stamma_archive_game *game)
{
    const uint32_t rank = get_ranks(v)[record];
    stamma_error error = STAMMA_OK;
    if ((rank > 0) != !game->continuation)
        stamma_index_differ(v, "records that begin a game", record + UINT64_C(1), game->number);
    compare_names(v, record, game);
    if (rank > 0 && !game->continuation) {
        if (stamma_index_game(&v->file, v->segment, record) != game->number)
            stamma_index_differ(v, "number of a game", record + UINT64_C(1), game->number);
        (void)stamma_index_was_valid(v, "number of a game", record + UINT64_C(1), game->number);
        compare_facts(v, rank - 1, game);
        compare_classes(v, rank - 1, game);
        error = compare_moves(v, rank - 1, game);
    }
    return error == STAMMA_OK ? stamma_stats_add(&v->stats, game) : error;
}

/* ---- segments ---- */

/* Compares the entries of the directory, and sums the records of the segment's blocks. */
static stamma_error compare_blocks(index_verifying *v, const block_list *list, uint64_t *records)
{
    stamma_error error = STAMMA_OK;
    buffer bytes = {.allocator = &v->allocator};
    *records = 0;
    for (size_t n = 0; n < v->segment->blocks && error == STAMMA_OK; n++) {
        const index_block *b = &v->file.blocks[v->segment->first_block + n];
        const placed_block *p = &list->places[v->segment->first_block + n];
        found_block at = {.payload = NULL};
        block_head head;
        error = stamma_block_find_head(p, &v->archive->bytes, &bytes, &at);
        cursor in = {at.payload, at.payload + at.head_size, false};
        if (error == STAMMA_OK)
            error = stamma_block_read_head(&in, &head);
        if (error != STAMMA_OK)
            break;
        *records += head.records;
        if (b->place.offset != p->offset || b->place.end != p->end || b->place.frame != p->frame ||
            b->head_check != XXH64(at.payload, at.head_size, 0) || b->place.spans[SPAN_GAMES].size != at.games ||
            b->place.spans[SPAN_BYTES].size != at.text_size)
            stamma_index_differ(v, "block", v->segment->first_block + n + 1, 0);
    }
    stamma_buffer_release(&bytes);
    return error;
}

/* Reads `count` records of the archive, and compares the records that the segment contains. */
static stamma_error compare_records(index_verifying *v, stamma_archive_reader *reader, uint64_t count)
{
    stamma_error error = count == v->segment->counts[COUNT_RECORDS] ? list_ranks(v) : STAMMA_OK;
    if (error == STAMMA_OK)
        error = list_classes(v, SECTION_OPENINGS, &v->openings);
    if (error == STAMMA_OK)
        error = list_classes(v, SECTION_CODES, &v->ecos);
    if (count != v->segment->counts[COUNT_RECORDS])
        stamma_index_differ(v, "number of records", 0, 0);
    for (uint64_t n = 0; n < count && error == STAMMA_OK; n++) {
        const stamma_archive_game *game;
        error = stamma_archive_reader_next(reader, &game);
        if (error == STAMMA_OK && !game)
            error = STAMMA_ERROR_CORRUPT;
        if (error == STAMMA_OK && count == v->segment->counts[COUNT_RECORDS])
            error = compare_record(v, (uint32_t)n, game);
    }
    return error;
}

static stamma_error compare_segment(index_verifying *v, const block_list *list, stamma_archive_reader *reader)
{
    uint64_t records;
    stamma_stats_clear(&v->stats);
    stamma_error error = compare_blocks(v, list, &records);
    if (error == STAMMA_OK)
        error = compare_records(v, reader, records);
    if (error != STAMMA_OK || records != v->segment->counts[COUNT_RECORDS])
        return error;
    const uint64_t before = v->differences;
    error = stamma_index_verify_trie(v); /* the lists are read by walks in the trie */
    if (error == STAMMA_OK && v->differences == before)
        error = stamma_index_verify_lists(v);
    return error == STAMMA_OK ? stamma_index_verify_sums(v) : error;
}

static stamma_error compare_segments(index_verifying *v, const block_list *list)
{
    stamma_archive_reader *reader = NULL;
    if (v->file.block_count != list->count) {
        stamma_index_differ(v, "number of blocks", 0, 0);
        return STAMMA_OK;
    }
    stamma_error error = stamma_archive_reader_open(v->archive, NULL, &reader);
    if (error == STAMMA_OK)
        stamma_archive_reader_select(reader, STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES);
    for (size_t n = 0; error == STAMMA_OK && n < v->file.segment_count; n++) {
        v->segment = &v->file.segments[n];
        error = compare_segment(v, list, reader);
        const index_block *last = &v->file.blocks[v->segment->first_block + v->segment->blocks - 1];
        if (error == STAMMA_OK && v->options.progress &&
            !v->options.progress(v->options.context, last->place.end, v->archive->bytes.size))
            error = STAMMA_ERROR_CANCELLED;
    }
    stamma_archive_reader_close(reader);
    return error;
}

/* ---- the call ---- */

static stamma_error verify_file(index_verifying *v)
{
    const block_list *list = NULL;
    if (!stamma_index_file_is_of(&v->file, &v->archive->bytes))
        return STAMMA_ERROR_MISMATCH;
    stamma_error error = stamma_index_read_pages(&v->file);
    if (error != STAMMA_OK)
        return error;
    for (size_t n = 0; n < v->file.segment_count; n++) {
        const index_segment *s = &v->file.segments[n];
        if (!stamma_index_check_pages(&v->file, s, s->offset, s->size))
            return STAMMA_ERROR_CORRUPT;
    }
    error = stamma_handle_list(v->archive, true, &list);
    if (error == STAMMA_OK && list->broken != STAMMA_OK)
        error = list->broken;
    return error == STAMMA_OK ? compare_segments(v, list) : error;
}

stamma_error stamma_index_verify(stamma_archive *archive, const stamma_index_verify_options *given,
                                 uint64_t *differences)
{
    index_verifying v = {.archive = archive};
    if (!archive || !archive->index_given || !differences)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_options_read(given, &v.options, sizeof v.options);
    if (error != STAMMA_OK)
        return error;
    v.allocator = archive->allocator;
    error = stamma_index_file_open(&v.file, &archive->index_bytes, &v.allocator);
    if (error != STAMMA_OK)
        return error;
    v.ranks.allocator = v.openings.allocator = v.ecos.allocator = &v.allocator;
    stamma_stats_init(&v.stats, &v.allocator);
    stamma_index_moves_init(&v.moves, &v.file, &archive->bytes, &v.allocator);
    error = verify_file(&v);
    stamma_index_moves_release(&v.moves);
    stamma_stats_release(&v.stats);
    stamma_buffer_release(&v.ranks);
    stamma_buffer_release(&v.openings);
    stamma_buffer_release(&v.ecos);
    stamma_index_file_close(&v.file);
    if (error == STAMMA_OK)
        *differences = v.differences;
    return error;
}
