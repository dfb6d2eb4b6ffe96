/* SPDX-License-Identifier: MIT */
/* The facts of each game that events are made of. */
#include "events/events.h"

stamma_error stamma_events_open(const stamma_allocator *given, stamma_events **events)
{
    if (!events || !allocator_is_given(given))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_events *e = (stamma_events *)memory_allocate(&allocator, sizeof *e);
    if (!e)
        return STAMMA_ERROR_NO_MEMORY;
    memset(e, 0, sizeof *e);
    e->allocator = allocator;
    e->texts.allocator = e->records.allocator = e->firsts.allocator = &e->allocator;
    e->texts.copies = true;
    *events = e;
    return STAMMA_OK;
}

void stamma_events_close(stamma_events *e)
{
    if (!e)
        return;
    stamma_allocator allocator = e->allocator;
    stamma_text_table_release(&e->texts);
    stamma_buffer_release(&e->records);
    stamma_buffer_release(&e->firsts);
    memory_release(&allocator, e);
}

/* ---- tags ---- */

static stamma_text tag(const stamma_archive_game *game, const char *name)
{
    return stamma_archive_game_tag(game, (stamma_text){name, strlen(name)});
}

static stamma_text trim(stamma_text text)
{
    while (text.size > 0 && text.data[0] == ' ')
        text = (stamma_text){text.data + 1, text.size - 1};
    while (text.size > 0 && text.data[text.size - 1] == ' ')
        text.size--;
    return text;
}

/* Returns the number of a text; 0 for a text that says nothing. */
static uint32_t number_of(stamma_events *e, stamma_text text)
{
    text = trim(text);
    const bool unknown = text.size == 0 || (text.size == 1 && strchr("?-0", text.data[0]));
    return unknown ? 0 : stamma_text_table_add(&e->texts, text);
}

static uint32_t tag_number(stamma_events *e, const stamma_archive_game *game, const char *name)
{
    return number_of(e, tag(game, name));
}

static uint32_t read_date(stamma_text value)
{
    stamma_date date;
    return stamma_date_read(value, &date) ? date.year * 10000u + date.month * 100u + date.day : 0;
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Returns the code of the country at the end of a site: three capitals after a blank, as in "Tarvisio ITA", or in
 * brackets. */
static stamma_text country_of(stamma_text site)
{
    site = trim(site);
    if (site.size > 0 && (site.data[site.size - 1] == ')' || site.data[site.size - 1] == ']'))
        site.size--;
    const char *at = site.size >= 3 ? site.data + site.size - 3 : NULL;
    if (!at || !is_capital(at[0]) || !is_capital(at[1]) || !is_capital(at[2]))
        return (stamma_text){NULL, 0};
    const bool separate = site.size == 3 || strchr(" ([,", at[-1]);
    return separate ? (stamma_text){at, 3} : (stamma_text){NULL, 0};
}

/* Returns the part of a site that is the same for all its games: of an address, "https://lichess.org". */
static stamma_text site_of(stamma_text site)
{
    size_t slashes = 0;
    site = trim(site);
    for (size_t i = 0; i < site.size; i++) {
        slashes += site.data[i] == '/';
        if (slashes == 1 && (i == 0 || (site.data[i - 1] != ':' && site.data[i - 1] != '/')))
            break;
        if (slashes == 3)
            return (stamma_text){site.data, i};
    }
    return site;
}

/* Reads the first two numbers of a tag Round, "3.12". */
static void read_round(event_record *r, stamma_text text)
{
    uint32_t *const numbers[] = {&r->round, &r->board};
    size_t at = 0;
    for (size_t n = 0; n < 2; n++) {
        uint32_t value = 0;
        const size_t from = at;
        while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9' && value <= ROUND_MAX)
            value = value * 10 + (uint32_t)(text.data[at++] - '0');
        if (at == from || value > ROUND_MAX)
            return;
        *numbers[n] = value;
        if (at == text.size || !strchr(".:/", text.data[at++]))
            return;
    }
}

static bool text_has(stamma_text text, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++) {
        size_t n = 0;
        while (n < size && (text.data[i + n] | 0x20) == word[n])
            n++;
        if (n == size)
            return true;
    }
    return false;
}

/* ---- moves ---- */

static uint8_t mated_result(const stamma_position *position)
{
    const stamma_status status = stamma_position_status(position, NULL, 0);
    if (status == STAMMA_STATUS_STALEMATE)
        return 1 + STAMMA_RESULT_DRAW;
    if (status != STAMMA_STATUS_CHECKMATE)
        return 0;
    return 1 + (position->side == STAMMA_WHITE ? STAMMA_RESULT_BLACK : STAMMA_RESULT_WHITE);
}

static void read_moves(event_record *r, const stamma_archive_game *game)
{
    stamma_position position = game->start;
    if (!game->moves || game->ply_count == 0 || game->reason != STAMMA_REASON_NONE)
        return;
    uint64_t hash = stamma_position_key(&position);
    for (size_t ply = 0; ply < game->ply_count; ply++) {
        hash = (hash ^ game->moves[ply]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
        stamma_position_make(&position, game->moves[ply], &position);
    }
    r->moves = hash | 1;
    r->mated = mated_result(&position);
}

/* ---- a game ---- */

static void read_sides(stamma_events *e, event_record *r, const stamma_archive_game *game)
{
    static const char *const tags[2][5] = {{"White", "WhiteFideId", "WhiteTitle", "WhiteTeam", "WhiteElo"},
                                           {"Black", "BlackFideId", "BlackTitle", "BlackTeam", "BlackElo"}};
    for (int side = 0; side < 2; side++) {
        stamma_text name = trim(tag(game, tags[side][0]));
        r->bye[side] = name.size == 3 && text_has(name, "bye");
        r->names[side] = number_of(e, name);
        r->ids[side] = tag_number(e, game, tags[side][1]);
        r->titles[side] = tag_number(e, game, tags[side][2]);
        r->teams[side] = tag_number(e, game, tags[side][3]);
        r->ratings[side] = (uint16_t)stamma_rating_read(tag(game, tags[side][4]));
    }
    if (r->ids[0] == r->ids[1]) /* a player cannot have both sides */
        r->ids[0] = r->ids[1] = 0;
}

static void read_result(event_record *r, const stamma_archive_game *game)
{
    const stamma_result of_tag = stamma_result_read(tag(game, "Result")), of_text = stamma_result_read(game->result);
    stamma_text termination = tag(game, "Termination");
    r->result = (uint8_t)stamma_archive_game_result(game);
    r->movetext = (uint8_t)of_text;
    r->contradicts = of_tag != of_text && tag(game, "Result").size > 0 && game->result.size > 0;
    r->plies = game->ply_count < UINT32_MAX ? (uint32_t)game->ply_count : UINT32_MAX;
    r->unplayed = r->bye[0] || r->bye[1] ||
                  (game->ply_count == 0 && game->reason == STAMMA_REASON_NONE && r->result != STAMMA_RESULT_UNKNOWN) ||
                  text_has(termination, "forfeit") || text_has(termination, "unplayed");
}

stamma_error stamma_events_add(stamma_events *e, const stamma_archive_game *game, uint64_t number)
{
    if (!e || !game || e->found || e->failed)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (game->continuation)
        return STAMMA_OK;
    if (e->records.size / sizeof(event_record) >= UINT32_MAX - 1)
        return STAMMA_ERROR_LIMIT;
    event_record r = {.number = number};
    stamma_text date = tag(game, "Date");
    r.name = tag_number(e, game, "Event");
    r.index = (uint32_t)(e->records.size / sizeof r);
    r.site = number_of(e, site_of(tag(game, "Site")));
    r.country = number_of(e, country_of(tag(game, "Site")));
    r.start = read_date(tag(game, "EventDate"));
    r.day = read_date(read_date(date) > 0 ? date : tag(game, "UTCDate"));
    r.round_text = tag_number(e, game, "Round");
    read_round(&r, trim(tag(game, "Round")));
    read_sides(e, &r, game);
    read_result(&r, game);
    read_moves(&r, game);
    buffer_add(&e->records, &r, sizeof r);
    e->failed = e->records.failed || e->texts.failed;
    return e->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
