/* SPDX-License-Identifier: MIT */
/* The columns of the table of games that are not lists. */
#include "columns/columns.h"

#include "openings/openings.h"

/* ---- names ---- */

static bool is_plain(const output_column *o)
{
    return o->node->type->layout == NODE_TEXT;
}

/* Returns the entry of a code, which is added if it is missing; NULL if memory is exhausted. */
static uint32_t *code_at(buffer *codes, uint32_t index)
{
    const size_t size = (index + (size_t)1) * sizeof(uint32_t);
    if (size > codes->size) {
        if (!buffer_reserve(codes, size - codes->size))
            return NULL;
        memset(codes->data + codes->size, 0, size - codes->size);
        codes->size = size;
    }
    return (uint32_t *)(void *)codes->data + index;
}

/* Adds a row with the number of a text in the dictionary, from 1. 0 means that memory was exhausted. */
static void add_code(output_column *o, uint32_t code)
{
    o->node->texts.failed |= code == 0;
    node_add_i32(o->node, (int32_t)code - 1);
}

void stamma_output_add_text(output_column *o, stamma_text text)
{
    if (is_plain(o))
        stamma_node_add_text(o->node, text, o->planned->known->escaped);
    else
        add_code(o, stamma_text_table_add(&o->node->texts, text));
}

void stamma_output_add_fixed(output_column *o, unsigned index)
{
    if (is_plain(o))
        stamma_node_add_text(o->node, stamma_text_of(o->planned->known->fixed[index]), false);
    else
        node_add_i32(o->node, (int32_t)index);
}

/* Returns the bytes of a text of at most SHORT_TEXT_MAX bytes. Together with the size they determine the text. */
static uint64_t short_bytes(stamma_text text)
{
    const uint8_t *at = (const uint8_t *)text.data;
    if (text.size >= 4)
        return load_u32(at) | (uint64_t)load_u32(at + text.size - 4) << 32;
    return text.size > 0 ? at[0] | (unsigned)at[text.size / 2] << 8 | (unsigned)at[text.size - 1] << 16 : 0;
}

/* Adds a short text, such as a rating or a round. A cache is faster than the table of texts. */
static void add_short(output_column *o, stamma_text text)
{
    const uint64_t bytes = short_bytes(text);
    if (o->short_codes.size == 0 && buffer_array(&o->short_codes, SHORT_CODES, sizeof(short_code)))
        memset(o->short_codes.data, 0, o->short_codes.size);
    short_code *entry = (short_code *)(void *)o->short_codes.data;
    if (o->short_codes.size == 0) {
        add_code(o, 0);
        return;
    }
    entry += (bytes * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & (SHORT_CODES - 1);
    if (entry->code == 0 || entry->bytes != bytes || entry->size != text.size)
        *entry = (short_code){bytes, (uint32_t)text.size, stamma_text_table_add(&o->node->texts, text)};
    add_code(o, entry->code);
}

/* Adds a value. A text of the block's dictionary is found by its index there, without hashing the text. */
static void add_value(output_column *o, const tag_here *tag)
{
    if (o->codes.size == 0)
        o->owner = tag->owner;
    if (is_plain(o) || tag->index == 0 || tag->owner != o->owner) {
        if (!is_plain(o) && tag->value.size <= SHORT_TEXT_MAX)
            add_short(o, tag->value);
        else
            stamma_output_add_text(o, tag->value);
        return;
    }
    uint32_t *code = code_at(&o->codes, tag->index);
    if (code && *code == 0)
        *code = stamma_text_table_add(&o->node->texts, tag->value);
    add_code(o, code ? *code : 0);
}

static void add_tag(const game_row *row, output_column *o)
{
    const tag_here *tag = row_tag(row, o, 0);
    if (tag->value.data)
        add_value(o, tag);
    else
        stamma_node_add_null(o->node);
}

static void add_number(const game_row *row, output_column *o)
{
    node_add_i64(o->node, (int64_t)row->game->number);
}

static void add_plies(const game_row *row, output_column *o)
{
    node_add_i32(o->node, (int32_t)row->game->ply_count);
}

static const char *const results[] = {"*", "1-0", "0-1", "1/2-1/2", NULL};

stamma_result stamma_row_result(const game_row *row, const output_column *o)
{
    return stamma_result_of_game(row_tag(row, o, 0)->value, row->game->result);
}

static void add_result(const game_row *row, output_column *o)
{
    stamma_output_add_fixed(o, (unsigned)stamma_row_result(row, o));
}

static void add_reason(const game_row *row, output_column *o)
{
    if (row->game->reason == STAMMA_REASON_NONE)
        stamma_node_add_null(o->node);
    else
        stamma_output_add_text(o, stamma_text_of(stamma_archive_reason_text(row->game->reason)));
}

/* ---- ratings ---- */

static void add_rating(const game_row *row, output_column *o)
{
    const stamma_text value = row_tag(row, o, 0)->value;
    const unsigned rating = value.data ? stamma_rating_read(value) : 0;
    if (rating > 0)
        node_add_i16(o->node, (int16_t)rating);
    else
        stamma_node_add_null(o->node);
}

/* Reads the change of a rating, such as "+5". Returns false for other texts. */
static bool read_change(stamma_text value, int *change)
{
    enum { DIGITS_MAX = 4 };
    const bool sign = value.size > 0 && (value.data[0] == '+' || value.data[0] == '-');
    *change = 0;
    for (size_t at = sign; at < value.size; at++) {
        if (at - sign == DIGITS_MAX || !text_is_digit(value.data[at]))
            return false;
        *change = *change * 10 + (value.data[at] - '0');
    }
    if (sign && value.data[0] == '-')
        *change = -*change;
    return value.size > sign;
}

static void add_rating_diff(const game_row *row, output_column *o)
{
    int change;
    if (read_change(row_tag(row, o, 0)->value, &change))
        node_add_i16(o->node, (int16_t)change);
    else
        stamma_node_add_null(o->node);
}

/* ---- values that are often repeated ---- */

/* Returns whether a value equals the value of the last call, whose meaning is stored. Otherwise the caller must set the
 * meaning. */
static bool is_last(output_column *o, stamma_text value)
{
    if (o->known && text_equal(buffer_text(&o->last), value))
        return true;
    o->last.size = 0;
    buffer_add(&o->last, value.data, value.size);
    o->known = !o->last.failed;
    return false;
}

/* ---- dates ---- */

enum { PRECISION_DAY, PRECISION_MONTH, PRECISION_YEAR };
static const char *const precisions[] = {"day", "month", "year", NULL};

/* Sets the meaning of a date: the first possible day, and the precision. */
static bool read_date(output_column *o, stamma_text value)
{
    stamma_date date;
    o->number = INT64_MIN;
    if (!value.data || !stamma_date_read(value, &date) || date.year == 0)
        return false;
    o->number = stamma_days_of(date.year, date.month ? date.month : 1, date.day ? date.day : 1);
    o->detail = date.day ? PRECISION_DAY : date.month ? PRECISION_MONTH : PRECISION_YEAR;
    return true;
}

/* Reads the Date tag, or the UTCDate tag if the year of Date is unknown. Returns whether the year is known. */
static bool find_date(const game_row *row, output_column *o)
{
    const stamma_text date = row_tag(row, o, 0)->value;
    if (date.data && is_last(o, date)) /* the stored date is always known */
        return true;
    if (read_date(o, date))
        return true;
    o->known = false;
    return read_date(o, row_tag(row, o, 1)->value);
}

static void add_date(const game_row *row, output_column *o)
{
    if (find_date(row, o))
        node_add_i32(o->node, (int32_t)o->number);
    else
        stamma_node_add_null(o->node);
}

static void add_precision(const game_row *row, output_column *o)
{
    if (find_date(row, o))
        stamma_output_add_fixed(o, o->detail);
    else
        stamma_node_add_null(o->node);
}

static void add_timestamp(const game_row *row, output_column *o)
{
    stamma_date date;
    const stamma_text day = row_tag(row, o, 0)->value, time = row_tag(row, o, 1)->value;
    const int32_t seconds = stamma_time_of_day(time);
    if (seconds < 0 || !stamma_date_read(day, &date) || date.day == 0 || date.year == 0)
        stamma_node_add_null(o->node);
    else
        node_add_i64(o->node, (stamma_days_of(date.year, date.month, date.day) * INT64_C(86400) + seconds) * 1000000);
}

/* ---- time controls ---- */

static void add_seconds(output_column *o)
{
    if (o->number >= 0)
        node_add_f64(o->node, (double)o->number / 1000);
    else
        stamma_node_add_null(o->node);
}

/* Reads a time control. Returns false if its meaning is stored in the column. */
static bool read_control(const game_row *row, output_column *o, stamma_time_control *control)
{
    const stamma_text value = row_tag(row, o, 0)->value;
    if (is_last(o, value))
        return false;
    o->number = -1;
    *control = (stamma_time_control){.untimed = true};
    return value.data && stamma_time_control_read(value, control) && !control->untimed;
}

static void add_base(const game_row *row, output_column *o)
{
    stamma_time_control control;
    if (read_control(row, o, &control))
        o->number = (int64_t)control.time_ms;
    add_seconds(o);
}

static void add_increment(const game_row *row, output_column *o)
{
    stamma_time_control control;
    if (read_control(row, o, &control))
        o->number = (int64_t)control.increment_ms;
    add_seconds(o);
}

static const char *const speeds[] = {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", NULL};

static void add_speed(const game_row *row, output_column *o)
{
    const stamma_text value = row_tag(row, o, 0)->value;
    if (!is_last(o, value))
        o->detail = value.data ? (unsigned)stamma_speed_read(value) : STAMMA_SPEED_NONE;
    if (o->detail == STAMMA_SPEED_NONE)
        stamma_node_add_null(o->node);
    else
        stamma_output_add_fixed(o, o->detail - STAMMA_SPEED_ULTRA_BULLET);
}

/* ---- openings ---- */

static bool is_known(stamma_text value)
{
    return value.size > 0 && !(value.size == 1 && value.data[0] == '?');
}

/* Adds the value of the tag. If it is unknown, adds a text of the opening that was played. */
static void add_of_opening(const game_row *row, output_column *o, stamma_text (*text)(unsigned number))
{
    const tag_here *tag = row_tag(row, o, 0);
    if (is_known(tag->value)) {
        add_value(o, tag);
    } else if (row->opening == 0) {
        stamma_node_add_null(o->node);
    } else if (is_plain(o)) {
        stamma_output_add_text(o, text(row->opening));
    } else {
        uint32_t *code = code_at(&o->opening_codes, row->opening);
        if (code && *code == 0)
            *code = stamma_text_table_add(&o->node->texts, text(row->opening));
        add_code(o, code ? *code : 0);
    }
}

static void add_eco(const game_row *row, output_column *o)
{
    add_of_opening(row, o, stamma_opening_code);
}

static void add_opening(const game_row *row, output_column *o)
{
    add_of_opening(row, o, stamma_opening_name);
}

static void add_derived(const game_row *row, output_column *o)
{
    const bool known = is_known(row_tag(row, o, 0)->value);
    if (known || row->opening > 0)
        stamma_node_add_bool(o->node, !known);
    else
        stamma_node_add_null(o->node);
}

/* ---- the table ---- */

const known_column stamma_tag_column = {
    .name = "", .type = &stamma_type_names, .meaning = "", .escaped = true, .add = add_tag};

#define TAG(column, tag, text)                                                                                      \
    {                                                                                                               \
        .name = column, .type = &stamma_type_names, .meaning = text, .tags = {tag}, .escaped = true, .add = add_tag \
    }

const known_column stamma_game_columns[] = {
    {.name = "number",
     .type = &stamma_type_i64,
     .meaning = "number of the game in the archive, from 1",
     .add = add_number},
    TAG("white", "White", "name of the player with White"),
    TAG("black", "Black", "name of the player with Black"),
    TAG("event", "Event", "name of the event"),
    TAG("site", "Site", "place of the event, or address of the game"),
    TAG("round", "Round", "round of the event"),
    {.name = "result",
     .type = &stamma_type_names,
     .parts = STAMMA_GAME_RESULT,
     .tags = {"Result"},
     .fixed = results,
     .meaning = "1-0, 0-1, 1/2-1/2 or *: the Result tag, or the result after the moves if the tag has none",
     .add = add_result},
    {.name = "date",
     .type = &stamma_type_date,
     .tags = {"Date", "UTCDate"},
     .meaning = "Date, or UTCDate if the year of Date is unknown; unknown months and days are the first",
     .add = add_date},
    {.name = "date_precision",
     .type = &stamma_type_names,
     .tags = {"Date", "UTCDate"},
     .fixed = precisions,
     .meaning = "known part of the date: day, month or year",
     .add = add_precision},
    {.name = "white_rating",
     .type = &stamma_type_i16,
     .meaning = "rating of the player with White, from WhiteElo",
     .tags = {"WhiteElo"},
     .add = add_rating},
    {.name = "black_rating",
     .type = &stamma_type_i16,
     .meaning = "rating of the player with Black, from BlackElo",
     .tags = {"BlackElo"},
     .add = add_rating},
    {.name = "eco",
     .type = &stamma_type_names,
     .meaning = "ECO tag, or code of the opening played if it is missing",
     .tags = {"ECO"},
     .opening = true,
     .escaped = true,
     .add = add_eco},
    {.name = "eco_derived",
     .type = &stamma_type_bool,
     .meaning = "whether eco is derived from the moves",
     .tags = {"ECO"},
     .opening = true,
     .add = add_derived},
    {.name = "opening",
     .type = &stamma_type_names,
     .meaning = "Opening tag, or name of the opening played if it is missing",
     .tags = {"Opening"},
     .opening = true,
     .escaped = true,
     .add = add_opening},
    {.name = "opening_derived",
     .type = &stamma_type_bool,
     .meaning = "whether opening is derived from the moves",
     .tags = {"Opening"},
     .opening = true,
     .add = add_derived},
    {.name = "base_seconds",
     .type = &stamma_type_f64,
     .tags = {"TimeControl"},
     .meaning = "time of a side at the start in seconds, from TimeControl; sum of several periods",
     .add = add_base},
    {.name = "increment_seconds",
     .type = &stamma_type_f64,
     .tags = {"TimeControl"},
     .meaning = "increment after each move in seconds, from TimeControl",
     .add = add_increment},
    {.name = "speed",
     .type = &stamma_type_names,
     .tags = {"TimeControl"},
     .fixed = speeds,
     .meaning = "class of the time control on Lichess: ultraBullet, bullet, blitz, rapid, classical, correspondence",
     .add = add_speed},
    TAG("termination", "Termination", "how the game ended"),
    {.name = "plies",
     .type = &stamma_type_i32,
     .meaning = "number of moves of both sides in the main line",
     .add = add_plies},
    {.name = "kept_as_text",
     .type = &stamma_type_names,
     .add = add_reason,
     .meaning = "why moves or other parts of the game are only in its text; null: everything is in columns"},
    {.name = "white_rating_diff",
     .type = &stamma_type_i16,
     .of_tag = true,
     .meaning = "change of the rating of the player with White by the game, from WhiteRatingDiff",
     .tags = {"WhiteRatingDiff"},
     .add = add_rating_diff},
    {.name = "black_rating_diff",
     .type = &stamma_type_i16,
     .of_tag = true,
     .meaning = "change of the rating of the player with Black by the game, from BlackRatingDiff",
     .tags = {"BlackRatingDiff"},
     .add = add_rating_diff},
    {.name = "utc_timestamp",
     .type = &stamma_type_timestamp,
     .not_default = true,
     .meaning = "time at which the game began, from UTCDate and UTCTime",
     .tags = {"UTCDate", "UTCTime"},
     .add = add_timestamp},
    {.name = "moves",
     .type = &stamma_type_moves,
     .parts = STAMMA_GAME_MOVES,
     .not_default = true,
     .meaning = "moves of the main line in the encoding move16",
     .add = stamma_add_moves},
    {.name = "uci",
     .type = &stamma_type_texts,
     .parts = STAMMA_GAME_MOVES,
     .tags = {"Variant"},
     .not_default = true,
     .meaning = "moves of the main line in UCI notation",
     .add = stamma_add_uci},
    {.name = "san",
     .type = &stamma_type_texts,
     .parts = STAMMA_GAME_MOVES,
     .not_default = true,
     .meaning = "moves of the main line in SAN",
     .add = stamma_add_san},
    {.name = "clock_ms",
     .type = &stamma_type_clocks,
     .parts = STAMMA_GAME_CLOCKS,
     .not_default = true,
     .meaning = "for each ply the time on the clock after it in milliseconds",
     .add = stamma_add_clocks},
    {.name = "time_spent_ms",
     .type = &stamma_type_clocks,
     .parts = STAMMA_GAME_CLOCKS,
     .not_default = true,
     .meaning = "for each ply the time that the move took in milliseconds",
     .add = stamma_add_times_spent},
    {.name = "eval_cp",
     .type = &stamma_type_evaluations,
     .parts = STAMMA_GAME_EVALUATIONS,
     .not_default = true,
     .meaning = "for each ply the evaluation after it in centipawns from White's view, or null",
     .add = stamma_add_eval_cp},
    {.name = "mate",
     .type = &stamma_type_evaluations,
     .parts = STAMMA_GAME_EVALUATIONS,
     .not_default = true,
     .meaning = "for each ply the moves to mate after it, below 0 if Black mates, or null",
     .add = stamma_add_mate},
    {.name = "nags",
     .type = &stamma_type_nags,
     .parts = STAMMA_GAME_NAGS,
     .not_default = true,
     .meaning = "numeric annotation glyphs of the main line, with the number of plies before them",
     .add = stamma_add_nags},
    {.name = "comments",
     .type = &stamma_type_comments,
     .parts = STAMMA_GAME_COMMENTS,
     .not_default = true,
     .meaning = "comments of the main line, with the number of plies before them",
     .add = stamma_add_comments},
    {.name = "bits",
     .type = &stamma_type_bits,
     .parts = STAMMA_GAME_MOVES | STAMMA_GAME_TAGS,
     .game_tags = true,
     .not_default = true,
     .meaning = "for each ply its information in bits according to the move predictor; high: a surprising move",
     .add = stamma_add_bits},
    {.name = "text",
     .type = &stamma_type_bytes,
     .parts = STAMMA_GAME_TEXT | STAMMA_GAME_MOVES,
     .not_default = true,
     .meaning = "exact bytes of the game",
     .add = stamma_add_game_text},
};

const size_t stamma_game_column_count = sizeof stamma_game_columns / sizeof *stamma_game_columns;
