/* SPDX-License-Identifier: MIT */
/* Novelties of a player: moves after which the position is in no earlier game of the archives. */
#include "reporting/report.h"

/* The first game that reaches a position, by date, archive and number, and the number of games that do. */
typedef struct reached {
    uint64_t key;
    uint32_t date; /* first day that the date may be; 0: unknown */
    uint32_t archive;
    uint64_t number; /* 0: no game yet */
    uint64_t games;
    uint64_t last; /* the last game counted: its number, from 1, among all games read */
} reached;

/* Most positions of other games are not searched: a bit for each value of the last bits of keys excludes them, and
 * these bits fit into the processor's cache. */
enum { FILTER_BITS = 22 };

typedef struct searching {
    report *r;
    reached *list; /* by key */
    size_t count, room;
    uint32_t
        *first; /* for each value of the first `bits` bits of keys: index of the first key that has no smaller value */
    unsigned bits;
    uint8_t *filter;
    uint64_t games;         /* read so far */
    stamma_game_set *known; /* with `unique`: these games */
    uint32_t archive;
} searching;

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = ((const reached *)left)->key, b = ((const reached *)right)->key;
    return (a > b) - (a < b);
}

/* Makes `filter`, and `first` with at least as many values as keys: a search then compares about one key. */
static bool make_places(searching *s)
{
    s->bits = 8;
    while (s->bits < 30 && (size_t)1 << s->bits < s->count)
        s->bits++;
    const size_t values = (size_t)1 << s->bits;
    s->first = malloc((values + 1) * sizeof *s->first);
    s->filter = calloc((size_t)1 << (FILTER_BITS - 3), 1);
    if (!s->first || !s->filter)
        return tool_fail_memory(NULL);
    for (size_t i = 0; i < s->count; i++) {
        const size_t place = s->list[i].key & ((1u << FILTER_BITS) - 1);
        s->filter[place / 8] |= (uint8_t)(1u << place % 8);
    }
    for (size_t value = 0, i = 0; value <= values; value++) {
        while (i < s->count && s->list[i].key >> (64 - s->bits) < value)
            i++;
        s->first[value] = (uint32_t)i;
    }
    return true;
}

static reached *find(const searching *s, uint64_t key)
{
    const size_t value = (size_t)(key >> (64 - s->bits)), place = key & ((1u << FILTER_BITS) - 1);
    if (!(s->filter[place / 8] >> place % 8 & 1))
        return NULL;
    size_t low = s->first[value], high = s->first[value + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->list[middle].key == key)
            return &s->list[middle];
        if (s->list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Returns whether the game can be the first with a position: the day on which it was played must be known. */
static bool can_introduce(const report_game *g)
{
    return g->standard && g->date.day > 0 && g->plies > 0;
}

/* ---- positions that are searched: the positions of the player's games ---- */

static bool add_positions(searching *s, const report_game *g)
{
    stamma_position position = stamma_position_start();
    for (size_t ply = 0; ply < g->plies && g->moves[ply] != STAMMA_MOVE_NULL; ply++) {
        stamma_position_make(&position, g->moves[ply], &position);
        if (!tool_list_grow(&s->list, &s->room, s->count, 1, sizeof *s->list))
            return false;
        s->list[s->count++] = (reached){.key = stamma_position_key(&position)};
    }
    return true;
}

static bool open_search(searching *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->r->count; i++)
        if (can_introduce(&s->r->games[i]) && !add_positions(s, &s->r->games[i]))
            return false;
    if (s->count > 1)
        qsort(s->list, s->count, sizeof *s->list, compare_keys);
    for (size_t i = 0; i < s->count; i++)
        if (kept == 0 || s->list[kept - 1].key != s->list[i].key)
            s->list[kept++] = s->list[i];
    s->count = kept;
    return make_places(s);
}

/* ---- all games ---- */

static void reach(reached *at, const searching *s, uint32_t date, uint64_t number)
{
    if (at->last == s->games)
        return; /* the game repeats the position */
    at->last = s->games;
    at->games++;
    if (at->number > 0 &&
        (date > at->date ||
         (date == at->date && (s->archive > at->archive || (s->archive == at->archive && number > at->number)))))
        return;
    at->date = date;
    at->archive = s->archive;
    at->number = number;
}

static void reach_positions(searching *s, const stamma_archive_game *game)
{
    stamma_position position = game->start;
    stamma_date date = {.first = 0};
    (void)stamma_date_read(tool_date(game), &date);
    s->games++;
    for (size_t ply = 0; ply < game->ply_count && game->moves[ply] != STAMMA_MOVE_NULL; ply++) {
        stamma_position_make(&position, game->moves[ply], &position);
        reached *at = find(s, stamma_position_key(&position));
        if (at)
            reach(at, s, date.first, game->number);
    }
}

static bool read_archive(searching *s, find_source *source, tool_progress *progress)
{
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_MOVES | (s->known ? STAMMA_GAME_RESULT : 0);
    const stamma_archive_reader_options options = {.size = sizeof options, .memory = s->r->search.memory};
    const stamma_archive_game *game = NULL;
    stamma_archive_reader *reader = NULL;
    uint64_t games = 0;
    bool right = true;
    stamma_error error = stamma_archive_games(source->archive, &games);
    if (!error)
        error = stamma_archive_reader_open(source->archive, &options, &reader);
    if (!error)
        error = stamma_archive_reader_select(reader, parts);
    while (!error && right && !(error = stamma_archive_reader_next(reader, &game)) && game) {
        bool added = false;
        right = game->continuation || report_set_add(s->known, game, &added);
        if (added)
            reach_positions(s, game);
        const uint64_t done = source->file.size / (games + 1) * game->number;
        tool_progress_show(progress, done, done);
    }
    tool_progress_clear();
    if (error)
        find_source_fail(source, error, reader ? stamma_archive_reader_place(reader) : (stamma_place){.offset = 0});
    stamma_archive_reader_close(reader);
    return !error && right;
}

/* ---- novelties ---- */

/* Finds the first ply after which the position is in no earlier game. It is a novelty if the player moved. */
static bool find_novelty(searching *s, const report_game *g)
{
    report *r = s->r;
    stamma_position position = stamma_position_start();
    for (size_t ply = 0; ply < g->plies && g->moves[ply] != STAMMA_MOVE_NULL; ply++) {
        stamma_position_make(&position, g->moves[ply], &position);
        const reached *at = find(s, stamma_position_key(&position));
        if (!at || at->archive != g->archive || at->number != g->number)
            continue;
        if (ply < r->novelty_ply || ply % 2 != (size_t)g->color)
            return true;
        if (!tool_list_grow(&r->novelties, &r->novelty_room, r->novelty_count, 1, sizeof *r->novelties))
            return false;
        r->novelties[r->novelty_count++] = (report_novelty){g, ply + 1, at->games - 1};
        return true;
    }
    return true;
}

static int compare_novelties(const void *left, const void *right)
{
    const report_novelty *a = left, *b = right;
    if (a->followers != b->followers)
        return a->followers < b->followers ? 1 : -1;
    return a->game < b->game ? 1 : a->game > b->game ? -1 : 0; /* games are in the order of their dates */
}

bool report_novelties_find(report *r)
{
    const stamma_game_set_options options = {.size = sizeof options, .memory = STAMMA_NO_LIMIT};
    searching s = {.r = r};
    bool right = open_search(&s) && (!r->unique || !stamma_game_set_open(&options, &s.known) || tool_fail_memory(NULL));
    for (size_t i = 0; i < r->path_count && right && s.count > 0; i++) {
        find_source *source = &r->search.sources[i];
        tool_progress progress = tool_progress_start("reading", source->file.size, r->search.quiet);
        s.archive = (uint32_t)i;
        right = read_archive(&s, source, &progress);
    }
    for (size_t i = 0; i < r->count && right; i++)
        right = !can_introduce(&r->games[i]) || find_novelty(&s, &r->games[i]);
    if (r->novelty_count > 1)
        qsort(r->novelties, r->novelty_count, sizeof *r->novelties, compare_novelties);
    stamma_game_set_close(s.known);
    free(s.list);
    free(s.first);
    free(s.filter);
    return right;
}

char *report_line(const report_game *game, size_t plies)
{
    system_text text;
    stamma_position position = stamma_position_start();
    const bool opened = system_text_open(&text);
    for (size_t ply = 0; opened && ply < plies; ply++) {
        char san[STAMMA_SAN_SIZE];
        (void)stamma_san_write(&position, game->moves[ply], san, sizeof san);
        if (ply % 2 == 0)
            (void)fprintf(text.stream, "%s%zu. ", ply > 0 ? " " : "", ply / 2 + 1);
        (void)fprintf(text.stream, "%s%s", ply % 2 == 1 ? " " : "", san);
        stamma_position_make(&position, game->moves[ply], &position);
    }
    if (opened && system_text_close(&text))
        return text.text;
    (void)tool_fail_memory(NULL);
    return NULL;
}
