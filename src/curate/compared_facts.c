/* Reads the facts of a game that are compared with those of other games. */
#include "curate/curate.h"

/* Reads up to `most` digits. Returns -1 if there is none. */
static int32_t read_digits(stamma_text value, size_t at, size_t most)
{
    int32_t number = -1;
    for (size_t n = at; n < value.size && n < at + most && value.data[n] >= '0' && value.data[n] <= '9'; n++)
        number = (number < 0 ? 0 : number * 10) + (value.data[n] - '0');
    return number;
}

static uint32_t date_part(stamma_text value, size_t at, size_t digits, int32_t most)
{
    int32_t number = at + digits > value.size ? -1 : read_digits(value, at, digits);
    return number < 0 || number > most ? 0 : (uint32_t)number;
}

/* Reads "2010.05.??". An unknown part is 0. */
static uint32_t read_date(stamma_text value)
{
    uint32_t year = date_part(value, 0, 4, 9999);
    return year == 0 ? 0 : year * 10000 + date_part(value, 5, 2, 12) * 100 + date_part(value, 8, 2, 31);
}

static uint32_t date_of(const stamma_archive_game *game)
{
    static const char *const tags[] = {"Date", "UTCDate"};
    uint32_t date = 0;
    for (size_t n = 0; n < 2 && date == 0; n++)
        date = read_date(stamma_archive_game_tag(game, stamma_text_of(tags[n])));
    return date;
}

/* Returns the first number of "3", "3.12", "Round 3". */
static int32_t round_of(const stamma_archive_game *game)
{
    stamma_text value = stamma_archive_game_tag(game, stamma_text_of("Round"));
    size_t at = 0;
    while (at < value.size && (value.data[at] < '0' || value.data[at] > '9'))
        at++;
    return read_digits(value, at, 6);
}

static int32_t time_of(const stamma_archive_game *game)
{
    stamma_text value = stamma_archive_game_tag(game, stamma_text_of("UTCTime"));
    int32_t hour = read_digits(value, 0, 2), minute = read_digits(value, 3, 2), second = read_digits(value, 6, 2);
    return hour < 0 || minute < 0 || second < 0 ? -1 : (hour * 60 + minute) * 60 + second;
}

/* Returns the number of a folded value; 0 for "", "?", "-" and "N N". */
static uint32_t number_of(stamma_duplicates *d, stamma_text value)
{
    d->folded.size = 0;
    stamma_fold_value(value, &d->plain, &d->folded);
    const stamma_text text = {(const char *)d->folded.data, d->folded.size};
    if (text.size == 0 || (text.size == 1 && (*text.data == '?' || *text.data == '-')) ||
        text_equal(text, stamma_text_of("n n")) || text_equal(text, stamma_text_of("nn")))
        return 0;
    return stamma_text_table_add(&d->texts, text);
}

static uint32_t tag_number(stamma_duplicates *d, const stamma_archive_game *game, const char *name)
{
    return number_of(d, stamma_archive_game_tag(game, stamma_text_of(name)));
}

/* Stores the address of a game, which is in the tag Link, GameUrl or Site. */
static void read_link(stamma_duplicates *d, const stamma_archive_game *game, game_facts *f)
{
    static const char *const tags[] = {"Link", "GameURL", "Site"};
    for (size_t n = 0; n < sizeof tags / sizeof *tags && f->link == 0; n++) {
        stamma_text value = stamma_archive_game_tag(game, stamma_text_of(tags[n]));
        if (value.size < 12 || memcmp(value.data, "http", 4) != 0)
            continue;
        size_t slash = 8;
        while (slash < value.size && value.data[slash] != '/')
            slash++;
        if (slash + 1 >= value.size)
            continue;
        /* Case distinguishes games, so the address is not folded. */
        f->link = stamma_text_table_add(&d->texts, value);
        f->host = stamma_text_table_add(&d->texts, (stamma_text){value.data, slash});
    }
}

/* Stores the keys of the positions after some plies and at the end, and adds the moves. */
static void read_moves(stamma_duplicates *d, const stamma_archive_game *game, game_facts *f)
{
    static const size_t plies[FACT_KEYS - 1] = {20, 32, 48};
    stamma_position position = game->start;
    f->start = stamma_position_key(&position);
    f->moves = d->moves.size / sizeof *game->moves;
    f->ply_count = (uint32_t)game->ply_count;
    for (size_t n = 0, key = 0; n < game->ply_count; n++) {
        stamma_position_make(&position, game->moves[n], &position);
        if (key < FACT_KEYS - 1 && n + 1 == plies[key])
            f->keys[key++] = stamma_position_key(&position);
    }
    f->keys[FACT_KEYS - 1] = stamma_position_key(&position);
    buffer_add(&d->moves, game->moves, game->ply_count * sizeof *game->moves);
}

bool stamma_facts_read(stamma_duplicates *d, const stamma_archive_game *game, game_facts *facts)
{
    game_facts f = {.date = date_of(game), .round = round_of(game), .time = time_of(game)};
    size_t moves = d->moves.size;
    f.names[STAMMA_WHITE] = tag_number(d, game, "White");
    f.names[STAMMA_BLACK] = tag_number(d, game, "Black");
    f.ids[STAMMA_WHITE] = tag_number(d, game, "WhiteFideId");
    f.ids[STAMMA_BLACK] = tag_number(d, game, "BlackFideId");
    f.event = tag_number(d, game, "Event");
    read_link(d, game, &f);
    f.tag_count = (uint32_t)game->tag_count;
    f.item_count = (uint32_t)game->item_count;
    f.result = (uint8_t)stamma_archive_game_result(game);
    f.excluded = game->reason != STAMMA_REASON_NONE;
    read_moves(d, game, &f);
    *facts = f;
    if (!d->texts.failed && !d->moves.failed && !d->plain.failed && !d->folded.failed)
        return true;
    d->moves.size = moves;
    d->texts.failed = d->moves.failed = d->plain.failed = d->folded.failed = false;
    return false;
}
