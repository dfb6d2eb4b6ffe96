/* SPDX-License-Identifier: MIT */
/* Adds a block's games to statistics, using only its search columns, tags and shared beginnings of games. Games are
 * first counted by the numbers of texts, so each name is looked up only once per block. */
#include "answers/answers.h"
#include "search/block_search.h"

/* Tallies. Each has a row for each number. */
enum {
    BY_LENGTH,
    BY_YEAR,
    BY_RATING,
    BY_WHITE, /* by number of the text; also the next four */
    BY_BLACK,
    BY_TIME_CONTROL,
    BY_TERMINATION,
    BY_ECO,
    BY_OPENING_CODE, /* by opening: games without a code in the tag */
    BY_OPENING,      /* by opening: all games */
    BY_FIRST_MOVES,
    TALLIES
};
enum { PLIES_STEP = 10, RATINGS_STEP = 100 };
enum { VERDICT_COUNTED = 128 }; /* mark of records that are counted, provisionally */
enum { CODES = 256, NO_CODE = CODES };

/* The tags that are used. */
enum { WHITE, BLACK, ECO, TIME_CONTROL, TERMINATION, DATE, UTC_DATE, TAGS };
static const stamma_text tag_names[TAGS] = {{"White", 5},        {"Black", 5}, {"ECO", 3},    {"TimeControl", 11},
                                            {"Termination", 11}, {"Date", 4},  {"UTCDate", 7}};

/* The values of a tag, and the tables that contain their texts. */
typedef struct counted_tag {
    const block_tags *tags;
    const tag_values *values; /* NULL: no game has the tag */
} counted_tag;

typedef struct first_moves {
    uint8_t codes[2];
    uint8_t count;
} first_moves;

typedef struct stats_block {
    search_job *job;
    stamma_stats *stats;
    block_tags own; /* tags that are not kept */
    counted_tag tags[TAGS];
    opening_finder openings;
    prefix_reader codes;
    /* number of the first moves, by their two codes; NO_CODE: no second move. 0: not numbered */
    uint16_t moves_number[CODES][CODES + 1];
    buffer moves;            /* first_moves: by number, from 1 */
    buffer tallies[TALLIES]; /* stamma_stats_row[] without names */
    bool odd_months;         /* the year of at least one game is only in its date tags */
    stamma_stats_total total;
    stamma_stats_row row; /* row of the current game, as White's */
    bool no_memory;
} stats_block;

static stats_block *open_block(stamma_stats *stats, search_job *job)
{
    const stamma_allocator *allocator = job->block.allocator;
    stats_block *b = (stats_block *)memory_allocate(allocator, sizeof *b);
    if (!b)
        return NULL;
    memset(b, 0, sizeof *b);
    b->job = job;
    b->stats = stats;
    stamma_block_tags_init(&b->own, allocator);
    b->own.limits = job->limits;
    stamma_openings_init(&b->openings, allocator);
    stamma_prefix_reader_init(&b->codes, allocator);
    stamma_prefix_reader_begin(&b->codes, &job->index->beginnings, job->at.payload + job->index->moves_at);
    b->moves.allocator = allocator;
    for (unsigned n = 0; n < TALLIES; n++)
        b->tallies[n].allocator = allocator;
    return b;
}

static void close_block(stats_block *b)
{
    const stamma_allocator *allocator = b->job->block.allocator;
    stamma_block_tags_release(&b->own);
    stamma_openings_release(&b->openings);
    stamma_prefix_reader_release(&b->codes);
    stamma_buffer_release(&b->moves);
    for (unsigned n = 0; n < TALLIES; n++)
        stamma_buffer_release(&b->tallies[n]);
    memory_release(allocator, b);
}

/* ---- tags ---- */

static bool has_column(const found_block *at, stamma_text name)
{
    cursor directory = {at->payload, at->payload + at->head_size, false};
    block_head head;
    column_entry e;
    if (stamma_block_read_head(&directory, &head) != STAMMA_OK)
        return false;
    for (uint64_t n = 0; n < head.columns && stamma_column_read_entry(&directory, &e); n++)
        if (e.id == COLUMN_TAG && text_equal(e.name, name))
            return true;
    return false;
}

/* Returns whether a tag is needed. Date tags are only needed for games whose month is not in the search columns. */
static bool is_wanted(const stats_block *b, unsigned tag)
{
    return (tag < DATE || b->odd_months) && has_column(&b->job->at, tag_names[tag]);
}

/* Finds the values of all tags. *known is set if the values of all needed tags are known. */
static stamma_error open_tags(stats_block *b, bool *known)
{
    const search_job *j = b->job;
    const block_tags *kept = j->kept ? &j->kept->tags : NULL;
    stamma_text wanted[TAGS];
    size_t count = 0;
    stamma_error error = STAMMA_OK;
    for (unsigned n = 0; n < TAGS; n++) {
        b->tags[n] = (counted_tag){kept, kept ? stamma_block_tags_find(kept, tag_names[n]) : NULL};
        if (!b->tags[n].values && is_wanted(b, n))
            wanted[count++] = tag_names[n];
    }
    if (count > 0)
        error = stamma_block_tags_open(&b->own, j->index, &j->at, wanted, count);
    *known = error == STAMMA_OK;
    for (unsigned n = 0; n < TAGS && *known; n++) {
        if (b->tags[n].values || !is_wanted(b, n))
            continue;
        b->tags[n] = (counted_tag){&b->own, stamma_block_tags_find(&b->own, tag_names[n])};
        *known = b->tags[n].values != NULL;
    }
    return error;
}

static uint32_t text_number(const counted_tag *t, size_t record)
{
    return t->values ? tag_values_number(t->values, record) : 0;
}

static stamma_text text_of(const stats_block *b, unsigned tag, uint32_t number)
{
    const counted_tag *t = &b->tags[tag];
    return number > 0 ? block_tags_text(t->tags, t->values, number) : (stamma_text){NULL, 0};
}

static void find_odd_months(stats_block *b)
{
    const block_index *x = b->job->index;
    for (size_t n = 0; n < x->records && !b->odd_months; n++)
        b->odd_months = x->columns.month[n] == SEARCH_ODD_MONTH;
}

/* Returns the year of a record; 0: unknown. */
static unsigned year_of(const stats_block *b, size_t record)
{
    unsigned month = b->job->index->columns.month[record];
    if (month != SEARCH_ODD_MONTH)
        return month / SEARCH_YEAR;
    uint32_t date = stamma_date_number(text_of(b, DATE, text_number(&b->tags[DATE], record)));
    if (date == 0)
        date = stamma_date_number(text_of(b, UTC_DATE, text_number(&b->tags[UTC_DATE], record)));
    return date / 10000;
}

/* ---- games ---- */

static void count(stats_block *b, unsigned tally, size_t number, unsigned side)
{
    buffer *rows = &b->tallies[tally];
    size_t size = (number + 1) * sizeof(stamma_stats_row);
    if (STAMMA_UNLIKELY(rows->size < size)) {
        if (!buffer_reserve(rows, size - rows->size)) {
            b->no_memory = true;
            return;
        }
        memset(rows->data + rows->size, 0, size - rows->size);
        rows->size = size;
    }
    stamma_stats_row *row = (stamma_stats_row *)(void *)rows->data + number;
    stamma_stats_add_results(&row->results[side], &b->row.results[STAMMA_WHITE]);
    row->plies += b->row.plies;
}

static void count_text(stats_block *b, unsigned tally, unsigned tag, size_t record, unsigned side)
{
    uint32_t number = text_number(&b->tags[tag], record);
    if (number > 0)
        count(b, tally, number, side);
}

static stamma_error count_first_moves(stats_block *b, size_t record)
{
    uint8_t codes[2];
    uint64_t plies = b->row.plies;
    stamma_error error = stamma_block_first_codes(&b->codes, &b->job->index->beginnings, record, 2, codes);
    if (error != STAMMA_OK)
        return error;
    uint16_t *number = &b->moves_number[codes[0]][plies > 1 ? codes[1] : NO_CODE];
    const first_moves moves = {{codes[0], plies > 1 ? codes[1] : 0}, plies > 1 ? 2 : 1};
    if (*number == 0) {
        buffer_add(&b->moves, &moves, sizeof moves);
        *number = (uint16_t)(b->moves.size / sizeof moves);
    }
    count(b, BY_FIRST_MOVES, *number, STAMMA_WHITE);
    return STAMMA_OK;
}

static stamma_error find_opening(stats_block *b, size_t record, unsigned *opening)
{
    const kept_block *k = b->job->kept;
    if (!k)
        return stamma_block_opening(&b->openings, &b->codes, b->job->index, record, opening);
    *opening = block_tags_opening(&k->tags, record);
    return STAMMA_OK;
}

/* Counts the opening and the first moves of a record. Errors: CORRUPT, NO_MEMORY. */
static stamma_error count_opening(stats_block *b, size_t record)
{
    unsigned opening = 0;
    uint32_t text = text_number(&b->tags[ECO], record);
    stamma_error error = find_opening(b, record, &opening);
    if (error == STAMMA_OK && b->row.plies > 0)
        error = count_first_moves(b, record);
    if (error != STAMMA_OK)
        return error;
    if (stamma_stats_is_eco(text_of(b, ECO, text)))
        count(b, BY_ECO, text, STAMMA_WHITE);
    else if (opening > 0)
        count(b, BY_OPENING_CODE, opening, STAMMA_WHITE);
    if (opening > 0)
        count(b, BY_OPENING, opening, STAMMA_WHITE);
    return STAMMA_OK;
}

static stamma_error count_record(stats_block *b, size_t n)
{
    const search_columns *c = &b->job->index->columns;
    const unsigned ratings[2] = {c->rating[0][n], c->rating[1][n]}, year = year_of(b, n);
    const stamma_stats_results results = stamma_stats_results_of(stamma_result_of_column(c->result[n]));
    const uint32_t plies = block_index_plies(b->job->index)[n];
    b->row = (stamma_stats_row){.results = {results}, .plies = plies};
    stamma_stats_add_total(&b->total, &(stamma_stats_total){.results = results,
                                                            .plies = plies,
                                                            .longest = plies,
                                                            .rated = ratings[0] > 0 && ratings[1] > 0});
    count(b, BY_LENGTH, plies / PLIES_STEP, STAMMA_WHITE);
    if (year > 0)
        count(b, BY_YEAR, year, STAMMA_WHITE);
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        if (ratings[color] > 0)
            count(b, BY_RATING, ratings[color] / RATINGS_STEP, color);
        count_text(b, BY_WHITE + color, WHITE + color, n, color);
    }
    count_text(b, BY_TIME_CONTROL, TIME_CONTROL, n, STAMMA_WHITE);
    count_text(b, BY_TERMINATION, TERMINATION, n, STAMMA_WHITE);
    return count_opening(b, n);
}

/* Returns whether the index suffices for counting a record's game. */
static bool is_complete(const block_index *x, size_t n)
{
    const search_columns *c = &x->columns;
    return !(x->marks.data[n] & RECORD_IS_SET_UP) && c->rating[0][n] != SEARCH_ODD_RATING &&
           c->rating[1][n] != SEARCH_ODD_RATING;
}

/* Number of records between checks of the limits. */
enum { RECORDS_AT_ONCE = 1024 };

static stamma_error count_records(stats_block *b)
{
    search_job *j = b->job;
    uint8_t *verdicts = j->verdicts.verdicts.data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < j->index->records && error == STAMMA_OK; n++) {
        if (n % RECORDS_AT_ONCE == 0 && stamma_search_is_stopped(j->limits))
            return STAMMA_ERROR_CANCELLED;
        if (verdicts[n] != VERDICT_YES || !is_complete(j->index, n))
            continue;
        error = count_record(b, n);
        verdicts[n] |= VERDICT_COUNTED;
    }
    return error == STAMMA_OK && (b->no_memory || b->moves.failed) ? STAMMA_ERROR_NO_MEMORY : error;
}

/* ---- adding the tallies ---- */

static stamma_error name_first_moves(const stats_block *b, size_t number, char text[2 * STAMMA_SAN_SIZE],
                                     size_t *length)
{
    const first_moves *f = (const first_moves *)(const void *)b->moves.data + number - 1;
    const stamma_position start = stamma_position_start();
    stamma_move moves[2];
    stamma_error error = stamma_byte_decode_moves(&start, f->codes, f->count, moves);
    if (error == STAMMA_OK)
        *length = stamma_stats_first_moves(&start, moves, f->count, text);
    return error;
}

static stamma_error add_first_moves(stats_block *b, const stamma_stats_row *row, size_t number)
{
    char text[2 * STAMMA_SAN_SIZE];
    size_t length = 0;
    (void)name_first_moves(b, number, text, &length); /* check_first_moves has found no error */
    const stamma_text name = {text, length};
    return stamma_stats_add_named(b->stats, STAMMA_STATS_FIRST_MOVES, row, name) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static bool add_text(stats_block *b, stamma_stats_table table, const stamma_stats_row *row, unsigned tag, size_t number)
{
    return stamma_stats_add_value(b->stats, table, row, text_of(b, tag, (uint32_t)number));
}

/* Adds a player's row. A player with the name `?` has no row. */
static bool add_player(stats_block *b, const stamma_stats_row *row, unsigned tag, size_t number)
{
    stamma_text name = text_of(b, tag, (uint32_t)number);
    return (name.size == 1 && name.data[0] == '?') || add_text(b, STAMMA_STATS_PLAYERS, row, tag, number);
}

static stamma_error add_row(stats_block *b, unsigned tally, const stamma_stats_row *row, size_t n)
{
    stamma_stats *s = b->stats;
    stamma_text name = {NULL, 0};
    bool added = true;
    switch (tally) {
    case BY_LENGTH: added = stamma_stats_add_number(s, STAMMA_STATS_LENGTHS, row, n * PLIES_STEP); break;
    case BY_YEAR: added = stamma_stats_add_number(s, STAMMA_STATS_YEARS, row, n); break;
    case BY_RATING: added = stamma_stats_add_number(s, STAMMA_STATS_RATINGS, row, n * RATINGS_STEP); break;
    case BY_WHITE:
    case BY_BLACK: added = add_player(b, row, WHITE + tally - BY_WHITE, n); break;
    case BY_TIME_CONTROL: added = add_text(b, STAMMA_STATS_TIME_CONTROLS, row, TIME_CONTROL, n); break;
    case BY_TERMINATION: added = add_text(b, STAMMA_STATS_TERMINATIONS, row, TERMINATION, n); break;
    case BY_ECO: name = (stamma_text){text_of(b, ECO, (uint32_t)n).data, 3}; break;
    case BY_OPENING_CODE: name = stamma_opening_code((unsigned)n); break;
    case BY_OPENING: name = stamma_opening_name((unsigned)n); break;
    default: return add_first_moves(b, row, n);
    }
    added =
        added && stamma_stats_add_named(s, tally == BY_OPENING ? STAMMA_STATS_OPENINGS : STAMMA_STATS_ECO, row, name);
    return added ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static stamma_error add_tally(stats_block *b, unsigned tally)
{
    const stamma_stats_row *rows = (const stamma_stats_row *)(const void *)b->tallies[tally].data;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < b->tallies[tally].size / sizeof *rows && error == STAMMA_OK; n++)
        if (rows[n].results[0].games + rows[n].results[1].games > 0)
            error = add_row(b, tally, &rows[n], n);
    return error;
}

/* Checks all first moves before anything is added, so that errors leave the statistics unchanged. */
static stamma_error check_first_moves(const stats_block *b)
{
    char text[2 * STAMMA_SAN_SIZE];
    size_t length;
    stamma_error error = STAMMA_OK;
    for (size_t n = 1; n <= b->moves.size / sizeof(first_moves) && error == STAMMA_OK; n++)
        error = name_first_moves(b, n, text, &length);
    return error;
}

static stamma_error add_tallies(stats_block *b)
{
    stamma_error error = STAMMA_OK;
    for (unsigned tally = 0; tally < TALLIES && error == STAMMA_OK; tally++)
        error = add_tally(b, tally);
    stamma_stats_add_total(&b->stats->total, &b->total);
    return error;
}

/* Marks counted records as done. If counting failed, marks them as records to read. */
static void settle(search_job *j, bool counted)
{
    uint8_t *verdicts = j->verdicts.verdicts.data;
    size_t yeses = 0;
    for (size_t n = 0; n < j->index->records; n++) {
        if (verdicts[n] & VERDICT_COUNTED)
            verdicts[n] = counted ? VERDICT_NO : VERDICT_YES;
        yeses += verdicts[n] == VERDICT_YES;
    }
    j->verdicts.yeses = yeses;
}

/* Ignores damage, which is reported when the games are read. */
stamma_error stamma_stats_add_index(void *part, search_job *j)
{
    bool known = false, counted;
    if (!j->index->has_beginnings || j->index->columns.facts != SEARCH_READ || j->verdicts.yeses == 0)
        return STAMMA_OK;
    stats_block *b = open_block((stamma_stats *)part, j);
    if (!b)
        return STAMMA_ERROR_NO_MEMORY;
    find_odd_months(b);
    stamma_error error = open_tags(b, &known);
    if (error == STAMMA_OK && known)
        error = count_records(b);
    if (error == STAMMA_OK && known)
        error = check_first_moves(b);
    counted = error == STAMMA_OK && known;
    if (counted)
        error = add_tallies(b);
    settle(j, counted);
    close_block(b);
    return counted || error == STAMMA_ERROR_NO_MEMORY || error == STAMMA_ERROR_CANCELLED ? error : STAMMA_OK;
}

/* ---- results only ---- */

/* Finds the results of games by the search columns or, if these are missing, by the tag Result. */
typedef struct tag_results {
    const search_job *job;
    counted_tag tag;
} tag_results;

/* Returns false if the result is only in the movetext. */
static bool find_result(const tag_results *t, size_t record, stamma_result *result)
{
    const search_columns *c = &t->job->index->columns;
    if (c->facts == SEARCH_READ) {
        *result = stamma_result_of_column(c->result[record]);
        return true;
    }
    uint32_t number = text_number(&t->tag, record);
    if (number == 0 || t->job->index->marks.data[record] & RECORD_HAS_TAGS)
        return false;
    const unsigned found = stamma_result_find(block_tags_text(t->tag.tags, t->tag.values, number));
    *result = (stamma_result)found;
    return found < RESULTS;
}

static void count_results(const tag_results *t, results_part *part, block_verdicts *v)
{
    size_t left = 0;
    for (size_t n = 0; n < t->job->index->records; n++) {
        stamma_result result;
        if (v->verdicts.data[n] != VERDICT_YES)
            continue;
        if (!find_result(t, n, &result)) {
            left++;
            continue;
        }
        const stamma_stats_results one = stamma_stats_results_of(result);
        stamma_stats_add_results(&part->results, &one);
        v->verdicts.data[n] = VERDICT_NO;
    }
    v->yeses = left;
}

/* Counts results by the values of the tag Result, which are read from the block. Records whose values cannot be read
 * are read later as games. */
static stamma_error count_by_tag(tag_results *t, results_part *part, search_job *j)
{
    const stamma_text name = {"Result", 6};
    block_tags *own = (block_tags *)memory_allocate(j->block.allocator, sizeof *own);
    if (!own)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_block_tags_init(own, j->block.allocator);
    own->limits = j->limits;
    stamma_error error = stamma_block_tags_open(own, j->index, &j->at, &name, 1);
    if (error == STAMMA_OK)
        t->tag = (counted_tag){own, stamma_block_tags_find(own, name)};
    if (t->tag.values)
        count_results(t, part, &j->verdicts);
    stamma_block_tags_release(own);
    memory_release(j->block.allocator, own);
    return error == STAMMA_ERROR_NO_MEMORY || error == STAMMA_ERROR_CANCELLED ? error : STAMMA_OK;
}

stamma_error stamma_results_add_index(void *part, search_job *j)
{
    const stamma_text name = {"Result", 6};
    const block_tags *kept = j->kept ? &j->kept->tags : NULL;
    tag_results t = {j, {kept, kept ? stamma_block_tags_find(kept, name) : NULL}};
    if (j->verdicts.yeses == 0)
        return STAMMA_OK;
    if (j->index->columns.facts != SEARCH_READ && !t.tag.values)
        return count_by_tag(&t, (results_part *)part, j);
    count_results(&t, (results_part *)part, &j->verdicts);
    return STAMMA_OK;
}
