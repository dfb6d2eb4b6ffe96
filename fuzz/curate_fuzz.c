/* SPDX-License-Identifier: MIT */
/* Fuzz target: games that are compared with each other. The input is PGN, which is packed, or an archive. Spellings of
 * names, duplicates, sets of games and events are determined with options that depend on the input. Checks the
 * guarantees of the headers: decisions change something, duplicates refer to games that are kept and do not depend on
 * the memory limit, one of two copies of a long game is a duplicate, a set contains exactly the games that were added,
 * and the events contain each game once. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "large_blocks.h"
#include "memory_archive.h"

/* The work limit, in basic blocks per declared byte of text, for all passes together. */
#define PER_TEXT UINT64_C(100000)
const work_limit fuzz_limit = {.fixed = 2000000, .per_byte = 150000};

enum { KEY_PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES, CERTAIN_PLIES = 40, FEW_GAMES = 12 };

typedef void game_visitor(void *context, const stamma_archive_game *game);

/* Calls `visit` for the games up to the first damage. */
static void each_game(stamma_archive *archive, unsigned parts, game_visitor *visit, void *context)
{
    stamma_archive_reader *reader;
    const stamma_archive_game *game;
    if (!archive || stamma_archive_reader_open(archive, NULL, &reader) != STAMMA_OK)
        return;
    demand(stamma_archive_reader_select(reader, parts) == STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game)
        if (!game->continuation)
            visit(context, game);
    stamma_archive_reader_close(reader);
}

/* ---- spellings of names ---- */

typedef struct collecting {
    stamma_names *names;
    stamma_error error;
    uint64_t games;
    bool lists; /* each White is a correct name, and Black another spelling of it */
} collecting;

static void collect(void *context, const stamma_archive_game *game)
{
    collecting *c = context;
    const stamma_text white = stamma_archive_game_tag(game, stamma_text_of("White"));
    const stamma_text black = stamma_archive_game_tag(game, stamma_text_of("Black"));
    const stamma_text id = stamma_archive_game_tag(game, stamma_text_of("WhiteFideId"));
    c->games++;
    if (!c->error)
        c->error = stamma_names_add(c->names, game);
    if (!c->error && c->lists && white.size > 0)
        c->error = stamma_names_add_known(c->names, (stamma_name_kind)(c->games % 5), white, black, id);
}

static bool is_same(stamma_text a, stamma_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static void check_decision(const stamma_name_decision *d, uint64_t games, unsigned fields)
{
    demand(d->from.size > 0 && d->to.size > 0 && !is_same(d->from, d->to));
    demand(d->games > 0 && d->games <= 2 * games);
    demand(fields == 0 || fields >> d->kind & 1);
    demand(d->why[0] && d->certain == !d->doubt[0]);
    demand(stamma_name_kind_name(d->kind)[0]);
}

static void test_names(stamma_archive *archive, uint64_t *random, bool limited)
{
    const stamma_names_options options = {.size = sizeof options,
                                          .allocator = large_blocks_kept(),
                                          .memory = limited ? 1 + draw_below(random, 20000) : 0,
                                          .kinds = (unsigned)draw_below(random, 32),
                                          .merge_ids = draw(random) & 1};
    collecting c = {.lists = draw(random) & 1};
    stamma_name_decision decision;
    demand(stamma_names_open(&options, &c.names) == STAMMA_OK);
    each_game(archive, STAMMA_GAME_TAGS | STAMMA_GAME_RESULT, collect, &c);
    c.error = c.error ? c.error : stamma_names_find(c.names);
    demand(c.error == STAMMA_OK || (c.error == STAMMA_ERROR_LIMIT && limited));
    for (size_t n = 0; !c.error && n < stamma_names_count(c.names); n++) {
        demand(stamma_names_at(c.names, n, &decision) == STAMMA_OK);
        check_decision(&decision, c.games, options.kinds);
    }
    stamma_names_close(c.names);
}

/* ---- duplicates ---- */

typedef struct detecting {
    stamma_duplicates *duplicates;
    stamma_error error;
    size_t games;
    bool is_long[FEW_GAMES]; /* of the first games */
} detecting;

static void detect(void *context, const stamma_archive_game *game)
{
    detecting *d = context;
    if (!d->error)
        d->error = stamma_duplicates_add(d->duplicates, game);
    if (d->games < FEW_GAMES)
        d->is_long[d->games] = game->ply_count >= CERTAIN_PLIES &&
                               (game->reason == STAMMA_REASON_NONE || game->reason == STAMMA_REASON_LAYOUT);
    d->games++;
}

/* Finds the duplicates of an archive that is read `times` times in each pass. */
static detecting find_duplicates(stamma_archive *archive, const stamma_duplicates_options *options, unsigned times)
{
    detecting d = {.error = STAMMA_OK};
    unsigned parts = KEY_PARTS;
    demand(stamma_duplicates_open(options, &d.duplicates) == STAMMA_OK);
    while (parts && !d.error) {
        d.games = 0;
        for (unsigned n = 0; n < times; n++)
            each_game(archive, parts, detect, &d);
        d.error = d.error ? d.error : stamma_duplicates_find(d.duplicates, &parts);
    }
    demand(d.error == STAMMA_OK || (d.error == STAMMA_ERROR_LIMIT && options->memory));
    return d;
}

static stamma_duplicate duplicate_at(const detecting *d, size_t n)
{
    stamma_duplicate found;
    demand(stamma_duplicates_at(d->duplicates, n, &found) == STAMMA_OK);
    return found;
}

static void check_duplicates(const detecting *d, unsigned kinds)
{
    demand(stamma_duplicates_count(d->duplicates) == d->games);
    for (size_t n = 0; n < d->games; n++) {
        const stamma_duplicate one = duplicate_at(d, n);
        demand(one.kept < d->games && (one.kept == n) == (one.kind == STAMMA_DUPLICATE_NONE));
        demand(one.kind == STAMMA_DUPLICATE_NONE || kinds == 0 || kinds >> one.kind & 1);
        const stamma_duplicate kept = duplicate_at(d, (size_t)one.kept);
        demand(kept.kind == STAMMA_DUPLICATE_NONE ||
               (kept.kind == STAMMA_DUPLICATE_PROBABLE && one.kind != STAMMA_DUPLICATE_PROBABLE));
        demand((one.kind == STAMMA_DUPLICATE_PROBABLE) == (one.score >= 60 && one.score <= 99 && one.reason != 0));
    }
}

static stamma_duplicates_options any_options(uint64_t *random, stamma_keep keep[2])
{
    stamma_duplicates_options o = {.size = sizeof o, .allocator = large_blocks_kept()};
    o.kinds = draw(random) & 1 ? 0 : 2 * (unsigned)draw_below(random, 64);
    o.days = (int)draw_below(random, 33) - 1;
    o.moves = (int)draw_below(random, 33) - 1;
    keep[0] = (stamma_keep)(1 + draw_below(random, 7));
    keep[1] = (stamma_keep)(1 + draw_below(random, 7));
    o.keep = keep;
    o.keep_count = draw_below(random, 3);
    return o;
}

static void test_limited(stamma_archive *archive, const detecting *all, stamma_duplicates_options options,
                         uint64_t *random)
{
    options.memory = 1 + draw_below(random, 2000 + 100 * all->games);
    detecting limited = find_duplicates(archive, &options, 1);
    for (size_t n = 0; !limited.error && n < all->games; n++) {
        const stamma_duplicate one = duplicate_at(all, n), other = duplicate_at(&limited, n);
        demand(one.kept == other.kept && one.kind == other.kind && one.score == other.score);
    }
    stamma_duplicates_close(limited.duplicates);
}

static void test_copies(stamma_archive *archive, size_t games)
{
    const stamma_duplicates_options options = {.size = sizeof options, .allocator = large_blocks_kept()};
    if (games > FEW_GAMES)
        return;
    detecting twice = find_duplicates(archive, &options, 2);
    check_duplicates(&twice, 0);
    for (size_t n = 0; n < games; n++)
        demand(!twice.is_long[n] || duplicate_at(&twice, n).kind != STAMMA_DUPLICATE_NONE ||
               duplicate_at(&twice, games + n).kind != STAMMA_DUPLICATE_NONE);
    stamma_duplicates_close(twice.duplicates);
}

static void test_duplicates(stamma_archive *archive, uint64_t *random)
{
    stamma_keep keep[2];
    const stamma_duplicates_options options = any_options(random, keep);
    detecting d = find_duplicates(archive, &options, 1);
    check_duplicates(&d, options.kinds);
    test_limited(archive, &d, options, random);
    test_copies(archive, d.games);
    stamma_duplicates_close(d.duplicates);
}

/* ---- sets ---- */

enum { HASHES_MAX = 300 };

typedef struct known_games {
    stamma_game_set *set;
    uint8_t hashes[HASHES_MAX][16];
    size_t games, added;
} known_games;

static void add_to_set(void *context, const stamma_archive_game *game)
{
    known_games *k = context;
    uint8_t hash[16];
    bool has, added, again, known = false;
    if (k->games == HASHES_MAX)
        return;
    demand(stamma_game_hash(game, NULL, hash) == STAMMA_OK);
    for (size_t n = 0; n < k->games && !known; n++)
        known = memcmp(k->hashes[n], hash, sizeof hash) == 0;
    memcpy(k->hashes[k->games++], hash, sizeof hash);
    demand(stamma_game_set_has(k->set, game, &has) == STAMMA_OK);
    demand(stamma_game_set_add(k->set, game, &added) == STAMMA_OK && added != has);
    demand(added || known);
    k->added += added;
    demand(stamma_game_set_add(k->set, game, &again) == STAMMA_OK && !again);
    demand(stamma_game_set_count(k->set) == k->added);
}

static void test_sets(stamma_archive *archive)
{
    known_games *k = calloc(1, sizeof *k);
    demand(k && stamma_game_set_open(NULL, &k->set) == STAMMA_OK);
    each_game(archive, KEY_PARTS | STAMMA_GAME_TEXT, add_to_set, k);
    stamma_game_set_close(k->set);
    free(k);
}

/* ---- events ---- */

typedef struct gathered_events {
    stamma_events *events;
    uint64_t games;
} gathered_events;

static void add_to_events(void *context, const stamma_archive_game *game)
{
    gathered_events *g = context;
    demand(stamma_events_add(g->events, game, g->games++) == STAMMA_OK);
}

/* Returns the half points of a game that players who exist receive. */
static uint64_t points_of(const stamma_event_game *game)
{
    const bool white = game->white != STAMMA_EVENT_NO_PLAYER, black = game->black != STAMMA_EVENT_NO_PLAYER;
    if (game->repeated || game->result == STAMMA_RESULT_UNKNOWN)
        return 0;
    if (game->result == STAMMA_RESULT_DRAW)
        return (uint64_t)white + black;
    return (game->result == STAMMA_RESULT_WHITE ? white : black) ? 2 : 0;
}

static void check_standings(const stamma_event *event, const stamma_event_facts *f, uint64_t points)
{
    stamma_event_player before = {.points = UINT32_MAX}, p;
    for (size_t i = 0; i < f->players; i++, before = p) {
        demand(stamma_event_player_at(event, i, &p) == STAMMA_OK);
        demand(p.rank >= 1 && p.rank <= i + 1 && p.rank >= before.rank);
        demand(p.points <= before.points || f->kind == STAMMA_EVENT_KNOCK_OUT);
        demand(p.rank != before.rank || p.points == before.points);
        demand(p.wins + p.draws + p.losses + p.unfinished == p.games && p.buchholz_cut <= p.buchholz);
        points -= p.points;
    }
    demand(points == 0);
}

static size_t check_event(const stamma_events *events, size_t index, uint64_t *random)
{
    const stamma_tie_break rules[] = {(stamma_tie_break)(1 + draw_below(random, 6)),
                                      (stamma_tie_break)(1 + draw_below(random, 6))};
    const stamma_event_options options = {
        .size = sizeof options, .tie_breaks = draw(random) & 1 ? rules : NULL, .tie_break_count = 2};
    stamma_event *event;
    stamma_event_facts f;
    stamma_event_game game;
    stamma_event_finding found;
    uint64_t points = 0;
    if (!options.tie_breaks)
        demand(stamma_events_at(events, index, NULL, &event) == STAMMA_OK);
    else
        demand(stamma_events_at(events, index, &options, &event) == STAMMA_OK);
    demand(stamma_event_facts_read(event, &f) == STAMMA_OK);
    const size_t games = stamma_event_games(event);
    for (size_t i = 0; i < games; i++) {
        demand(stamma_event_game_at(event, i, &game) == STAMMA_OK);
        demand(game.white < f.players || game.white == STAMMA_EVENT_NO_PLAYER);
        demand(game.black < f.players || game.black == STAMMA_EVENT_NO_PLAYER);
        points += points_of(&game);
    }
    check_standings(event, &f, points);
    for (size_t i = 0; i < f.findings; i++) {
        demand(stamma_event_finding_at(event, i, &found) == STAMMA_OK);
        demand(stamma_event_finding_name(found.kind)[0] && found.count > 0);
    }
    stamma_event_close(event);
    return games;
}

static void test_events(stamma_archive *archive, uint64_t *random)
{
    gathered_events g = {.games = 0};
    size_t games = 0;
    demand(stamma_events_open(large_blocks_kept(), &g.events) == STAMMA_OK);
    each_game(archive, draw(random) & 1 ? STAMMA_GAME_TAGS | STAMMA_GAME_RESULT : KEY_PARTS, add_to_events, &g);
    demand(stamma_events_find(g.events) == STAMMA_OK);
    for (size_t i = 0; i < stamma_events_count(g.events); i++)
        games += check_event(g.events, i, random);
    demand(games == g.games);
    stamma_events_close(g.events);
}

/* ---- the target ---- */

static bool is_archive(const uint8_t *data, size_t size)
{
    return size > 8 && data[0] == 0x8D;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    uint64_t random = XXH64(data, size, 0) | 1;
    if (is_archive(data, size))
        limit_work(fuzz_limit.fixed + fuzz_limit.per_byte * size + PER_TEXT * declared_text(data, size));
    const stamma_text text = {size > 0 ? (const char *)data : "", size};
    memory_archive file = is_archive(data, size) ? memory_copy(data, size) : memory_pack(text, 1);
    stamma_archive *archive = memory_open(&file);
    test_names(archive, &random, false);
    test_names(archive, &random, true);
    test_duplicates(archive, &random);
    test_sets(archive);
    test_events(archive, &random);
    stamma_archive_close(archive);
    free(file.data);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return is_archive(data, size) ? mutate_archive(data, size, room, seed) : mutate_pgn(data, size, room, seed);
}
