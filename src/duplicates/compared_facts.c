/* SPDX-License-Identifier: MIT */
/* Reads the facts of a game that are compared with other games, and the facts that decide which game is kept. */
#include "duplicates/duplicates.h"

/* Reads up to `most` digits. Returns -1 if there is none. */
static int32_t read_digits(stamma_text value, size_t at, size_t most)
{
    int32_t number = -1;
    for (size_t n = at; n < value.size && n < at + most && value.data[n] >= '0' && value.data[n] <= '9'; n++)
        number = (number < 0 ? 0 : number * 10) + (value.data[n] - '0');
    return number;
}

/* Returns the date of the first tag that contains a date. */
static uint32_t read_date(const stamma_archive_game *game, const char *const tags[2])
{
    stamma_date date = {.year = 0};
    for (size_t n = 0; n < 2 && date.year == 0; n++)
        (void)stamma_date_read(stamma_archive_game_tag(game, stamma_text_of(tags[n])), &date);
    return date.year == 0 ? 0 : date.year * 10000u + date.month * 100u + date.day;
}

uint32_t stamma_date_of(const stamma_archive_game *game)
{
    static const char *const tags[] = {"Date", "UTCDate"};
    return read_date(game, tags);
}

/* Returns the first three numbers of the round ("3", "3.12"), each a hash of 10 bits, the first lowest; 0: unknown. */
uint32_t stamma_round_of(const stamma_archive_game *game)
{
    stamma_text value = stamma_archive_game_tag(game, stamma_text_of("Round"));
    uint32_t round = 0;
    size_t at = 0;
    while (at < value.size && (value.data[at] < '0' || value.data[at] > '9'))
        at++;
    for (unsigned part = 0; part < ROUND_PARTS; part++) {
        int32_t number = read_digits(value, at, 6);
        if (number < 0)
            break;
        round |= (1 + (uint32_t)number % 1021) << 10 * part;
        while (at < value.size && value.data[at] >= '0' && value.data[at] <= '9')
            at++;
        if (at == value.size || value.data[at] != '.')
            break;
        at++;
    }
    return round;
}

bool stamma_rounds_differ(uint32_t a, uint32_t b)
{
    for (unsigned shift = 0; shift < 10 * ROUND_PARTS; shift += 10)
        if (part_differs(a >> shift & 1023, b >> shift & 1023))
            return true;
    return false;
}

int32_t stamma_game_time(const stamma_archive_game *game)
{
    return stamma_time_of_day(stamma_archive_game_tag(game, stamma_text_of("UTCTime")));
}

stamma_text stamma_folded_tag(hash_work *work, const stamma_archive_game *game, const char *name)
{
    work->folded.size = 0;
    stamma_fold_value(stamma_archive_game_tag(game, stamma_text_of(name)), &work->plain, &work->folded);
    const stamma_text text = {(const char *)work->folded.data, work->folded.size};
    bool unknown = (text.size == 1 && (*text.data == '?' || *text.data == '-')) ||
                   text_equal(text, stamma_text_of("n n")) || text_equal(text, stamma_text_of("nn"));
    return unknown ? (stamma_text){NULL, 0} : text;
}

/* Returns the number of the folded value of a tag; 0 if it is unknown. */
static uint32_t tag_number(stamma_duplicates *d, const stamma_archive_game *game, const char *name)
{
    const stamma_text text = stamma_folded_tag(&d->work, game, name);
    return text.size == 0 ? 0 : stamma_text_table_add(&d->texts, text);
}

stamma_text stamma_game_link(const stamma_archive_game *game, stamma_text *host)
{
    static const char *const tags[] = {"Link", "GameURL", "Site"};
    for (size_t n = 0; n < sizeof tags / sizeof *tags; n++) {
        stamma_text value = stamma_archive_game_tag(game, stamma_text_of(tags[n]));
        if (value.size < 12 || memcmp(value.data, "http", 4) != 0)
            continue;
        size_t slash = 8;
        while (slash < value.size && value.data[slash] != '/')
            slash++;
        if (slash + 1 >= value.size)
            continue;
        *host = (stamma_text){value.data, slash};
        return value;
    }
    *host = (stamma_text){NULL, 0};
    return *host;
}

static void read_link(stamma_duplicates *d, const stamma_archive_game *game, game_facts *f)
{
    stamma_text host, link = stamma_game_link(game, &host);
    if (link.size == 0)
        return;
    /* Case distinguishes games, so the address is not folded. */
    f->link = stamma_text_table_add(&d->texts, link);
    f->host = stamma_text_table_add(&d->texts, host);
}

/* ---- positions ---- */

void stamma_position_keys(const stamma_archive_game *game, uint64_t keys[POSITION_KEYS])
{
    static const size_t plies[KEY_END] = {20, 32, 48};
    stamma_position position = game->start;
    for (size_t n = 0; n < POSITION_KEYS; n++)
        keys[n] = 0;
    for (size_t n = 0, key = 0; n < game->ply_count; n++) {
        stamma_position_make(&position, game->moves[n], &position);
        if (key < KEY_END && n + 1 == plies[key])
            keys[key++] = stamma_position_key(&position);
    }
    keys[KEY_END] = stamma_position_key(&position);
}

/* ---- which game is kept ---- */

static uint32_t known_tags(const stamma_archive_game *game)
{
    uint32_t count = 0;
    for (size_t n = 0; n < game->tag_count; n++) {
        stamma_text value = game->tags[n].value;
        size_t at = 0;
        while (at < value.size && (value.data[at] == '?' || value.data[at] == '.' || value.data[at] == '-'))
            at++;
        count += at < value.size;
    }
    return count;
}

static uint32_t limited(size_t count)
{
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* Returns a number that is higher for the game to keep. */
static uint32_t rank_by(stamma_keep rule, const stamma_archive_game *game, const game_facts *f)
{
    static const char *const sources[] = {"SourceVersionDate", "SourceDate"};
    switch (rule) {
    case STAMMA_KEEP_FIRST: return UINT32_MAX - f->game;
    case STAMMA_KEEP_LONGEST: return f->ply_count;
    case STAMMA_KEEP_RESULT: return f->result != STAMMA_RESULT_UNKNOWN;
    case STAMMA_KEEP_ANNOTATED: return limited(game->item_count);
    case STAMMA_KEEP_TAGS: return known_tags(game);
    case STAMMA_KEEP_LATEST: return read_date(game, sources);
    default: return f->game;
    }
}

bool stamma_facts_read(stamma_duplicates *d, const stamma_archive_game *game, game_facts *facts)
{
    game_facts f = {.date = stamma_date_of(game), .round = stamma_round_of(game), .time = stamma_game_time(game)};
    f.game = d->added;
    f.names[STAMMA_WHITE] = tag_number(d, game, "White");
    f.names[STAMMA_BLACK] = tag_number(d, game, "Black");
    f.ids[STAMMA_WHITE] = tag_number(d, game, "WhiteFideId");
    f.ids[STAMMA_BLACK] = tag_number(d, game, "BlackFideId");
    f.event = tag_number(d, game, "Event");
    read_link(d, game, &f);
    f.result = (uint8_t)stamma_archive_game_result(game);
    f.start = stamma_position_key(&game->start);
    f.moves = d->move_list.size / sizeof *game->moves;
    f.ply_count = (uint32_t)game->ply_count;
    stamma_position_keys(game, f.keys);
    for (size_t n = 0; n < d->keep_count; n++)
        f.rank[n] = rank_by(d->keep[n], game, &f);
    f.rank[d->keep_count] = rank_by(STAMMA_KEEP_LAST, game, &f);
    if (d->texts.failed || d->work.plain.failed || d->work.folded.failed)
        return false;
    buffer_add(&d->move_list, game->moves, game->ply_count * sizeof *game->moves);
    *facts = f;
    return true;
}
