/* SPDX-License-Identifier: MIT */
/* stamma diff: the games that were added, removed and changed between two archives. */
#include <xxhash.h>

#include "curating/curating.h"
#include "games/game_views.h"
#include "games/tag_order.h"

static const char about[] =
    "Compares the games of two archives, and lists those that are not in both. The exit status is 0\n"
    "if games differ and 1 if all are equal: the opposite of diff(1). Games are equal if\n"
    "their texts are equal, except for line ends and blanks after the last move; their order does\n"
    "not matter. A game that was removed and one that was added are one changed game if players and\n"
    "moves are the same, or if they are the same game by the rules of stamma dedupe\n"
    "(doc/reference/duplicates.md).\n\n"
    "Prints a line with these fields, separated by tabs, for each game: removed, changed or added;\n"
    "its numbers in FIRST and SECOND (-: none); White, Black, Date; and of a changed game what\n"
    "differs: names of tags, moves, or text if neither does.";

enum { SIDES = 2 };
static const unsigned PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES;

/* A game, and the hash of its text. */
typedef struct hashed {
    XXH128_hash_t hash;
    uint64_t key; /* hash of players and moves */
    uint64_t number;
    uint64_t other; /* number of the game in the other archive that it became; 0: none */
} hashed;

typedef struct hashes {
    hashed *all;
    size_t count;
    size_t room;
} hashes;

typedef struct diffing {
    tool_many sides[SIDES]; /* one archive each */
    bool json, quiet;
    hashes games[SIDES];
    uint64_t equal, changed, added, removed;
} diffing;

/* ---- games with the same text in both archives ---- */

/* Collects the pieces of a game, whose text is hashed when the next game begins. */
typedef struct hashing {
    hashes *into;
    tool_buffer text;
    bool any;
} hashing;

static bool is_space(char byte)
{
    return byte == '\n' || byte == '\r' || byte == ' ' || byte == '\t';
}

static bool end_game(hashing *h)
{
    hashes *into = h->into;
    if (!h->any)
        return true;
    while (h->text.size > 0 && is_space(h->text.bytes[h->text.size - 1]))
        h->text.size--;
    if (into->count == into->room) {
        size_t room = 2 * into->room + 1024;
        hashed *more = realloc(into->all, room * sizeof *more);
        if (!more)
            return tool_fail_memory(NULL);
        into->all = more;
        into->room = room;
    }
    into->all[into->count] = (hashed){.hash = XXH3_128bits(h->text.bytes, h->text.size), .number = into->count + 1};
    into->count++;
    h->text.size = 0;
    return true;
}

static bool hash_game(void *context, const stamma_archive_game *game)
{
    hashing *h = context;
    if (game->continuation && !h->any)
        return true; /* text without a game */
    if (!game->continuation && !end_game(h))
        return false;
    h->any = true;
    return tool_buffer_add(&h->text, game->text.data, game->text.size) || tool_fail_memory(NULL);
}

static int compare_hashes(const void *a, const void *b)
{
    const hashed *one = a, *other = b;
    int order = XXH128_cmp(&one->hash, &other->hash);
    return order != 0 ? order : (one->number > other->number) - (one->number < other->number);
}

static int compare_numbers(const void *a, const void *b)
{
    const hashed *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

static bool hash_side(diffing *d, unsigned side)
{
    hashing h = {.into = &d->games[side]};
    bool right = tool_many_visit(&d->sides[side], STAMMA_GAME_TEXT, hash_game, &h) && end_game(&h);
    tool_buffer_free(&h.text);
    return right;
}

static void sort(hashes *h, int (*compare)(const void *, const void *))
{
    if (h->count > 1)
        qsort(h->all, h->count, sizeof *h->all, compare);
}

/* Removes the games that both archives have. */
static void remove_equal(diffing *d)
{
    hashes *a = &d->games[0], *b = &d->games[1];
    size_t i = 0, k = 0, kept[SIDES] = {0, 0};
    sort(a, compare_hashes);
    sort(b, compare_hashes);
    while (i < a->count || k < b->count) {
        int order = i == a->count ? 1 : k == b->count ? -1 : XXH128_cmp(&a->all[i].hash, &b->all[k].hash);
        if (order < 0)
            a->all[kept[0]++] = a->all[i++];
        else if (order > 0)
            b->all[kept[1]++] = b->all[k++];
        else
            d->equal++, i++, k++;
    }
    a->count = kept[0];
    b->count = kept[1];
    sort(a, compare_numbers);
    sort(b, compare_numbers);
}

/* ---- changed games ---- */

/* Adds the games that are left to the detector, in the order of their numbers. */
typedef struct matching {
    stamma_duplicates *duplicates;
    hashes *left;
    size_t next;
} matching;

static uint64_t key_of(const stamma_archive_game *game)
{
    const stamma_text white = stamma_archive_game_tag(game, stamma_text_of("White"));
    const stamma_text black = stamma_archive_game_tag(game, stamma_text_of("Black"));
    uint64_t key = XXH3_64bits_withSeed(white.data, white.size, game->start.key);
    key = XXH3_64bits_withSeed(black.data, black.size, key);
    return XXH3_64bits_withSeed(game->moves, game->ply_count * sizeof *game->moves, key);
}

static bool add_left(void *context, const stamma_archive_game *game)
{
    matching *m = context;
    if (game->continuation || m->next == m->left->count || game->number != m->left->all[m->next].number)
        return true;
    m->left->all[m->next++].key = key_of(game);
    stamma_error error = stamma_duplicates_add(m->duplicates, game);
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

static bool find_same(diffing *d, stamma_duplicates *duplicates)
{
    for (unsigned parts = PARTS; parts != 0;) {
        for (unsigned side = 0; side < SIDES; side++) {
            matching m = {duplicates, &d->games[side], 0};
            if (!tool_many_visit(&d->sides[side], parts, add_left, &m))
                return false;
        }
        if (stamma_duplicates_find(duplicates, &parts))
            return tool_fail_memory(NULL);
    }
    return true;
}

static void connect_games(diffing *d, hashed *first, hashed *second)
{
    first->other = second->number;
    second->other = first->number;
    d->changed++;
}

static int compare_keys(const void *a, const void *b)
{
    const hashed *one = *(hashed *const *)a, *other = *(hashed *const *)b;
    return one->key != other->key ? (one->key > other->key ? 1 : -1) : compare_numbers(one, other);
}

static hashed **sort_by_key(hashes *h)
{
    hashed **sorted = calloc(h->count + 1, sizeof *sorted);
    for (size_t n = 0; n < h->count && sorted; n++)
        sorted[n] = &h->all[n];
    if (sorted && h->count > 1)
        qsort(sorted, h->count, sizeof *sorted, compare_keys);
    return sorted;
}

/* Connects games with the same players and moves. */
static bool connect_same_moves(diffing *d)
{
    hashed **a = sort_by_key(&d->games[0]), **b = sort_by_key(&d->games[1]);
    for (size_t i = 0, k = 0; a && b && i < d->games[0].count && k < d->games[1].count;) {
        if (a[i]->key == b[k]->key)
            connect_games(d, a[i++], b[k++]);
        else if (a[i]->key < b[k]->key)
            i++;
        else
            k++;
    }
    bool right = a && b;
    free(a);
    free(b);
    return right || tool_fail_memory(NULL);
}

/* The games of the first archive by group, in lists. A group is named by the game that is kept, the first of its games.
 */
typedef struct groups {
    size_t *first; /* by group; SIZE_MAX: none is left */
    size_t *next;  /* by game: the next of its group; SIZE_MAX: none */
} groups;

static void list_groups(const stamma_duplicates *duplicates, const hashes *a, groups *g)
{
    const size_t count = a->count;
    for (size_t n = 0; n < count; n++)
        g->first[n] = SIZE_MAX;
    for (size_t n = count; n-- > 0;) {
        stamma_duplicate found = {.kept = n};
        (void)stamma_duplicates_at(duplicates, n, &found);
        if (a->all[n].other != 0)
            continue;
        g->next[n] = g->first[found.kept];
        g->first[found.kept] = n;
    }
}

/* Connects each remaining game of the second archive with the first remaining game of its group in the first archive.
 * */
static void connect(diffing *d, const stamma_duplicates *duplicates, groups *g)
{
    hashes *a = &d->games[0], *b = &d->games[1];
    list_groups(duplicates, a, g);
    for (size_t k = 0; k < b->count; k++) {
        stamma_duplicate found = {.kept = SIZE_MAX};
        (void)stamma_duplicates_at(duplicates, a->count + k, &found);
        const size_t n = found.kept < a->count ? g->first[found.kept] : SIZE_MAX;
        if (n == SIZE_MAX || b->all[k].other != 0)
            continue;
        g->first[found.kept] = g->next[n];
        connect_games(d, &a->all[n], &b->all[k]);
    }
}

static bool match_changed(diffing *d)
{
    const stamma_keep keep = STAMMA_KEEP_FIRST;
    const stamma_duplicates_options options = {
        .size = sizeof options, .memory = STAMMA_NO_LIMIT, .keep = &keep, .keep_count = 1};
    const size_t count = d->games[0].count;
    stamma_duplicates *duplicates = NULL;
    groups g = {calloc(count + 1, sizeof *g.first), calloc(count + 1, sizeof *g.next)};
    bool right = g.first && g.next && stamma_duplicates_open(&options, &duplicates) == STAMMA_OK;
    if (!right)
        (void)tool_fail_memory(NULL);
    if (right && count > 0 && d->games[1].count > 0) {
        right = find_same(d, duplicates) && connect_same_moves(d);
        if (right)
            connect(d, duplicates, &g);
    }
    stamma_duplicates_close(duplicates);
    free(g.first);
    free(g.next);
    d->removed = count - d->changed;
    d->added = d->games[1].count - d->changed;
    return right;
}

/* ---- output ---- */

/* Reads single games of both archives. */
typedef struct pair {
    tool_archive archives[SIDES];
    const stamma_archive_game *games[SIDES]; /* NULL: none */
} pair;

static bool read_game(pair *p, unsigned side, uint64_t number)
{
    tool_archive *archive = &p->archives[side];
    p->games[side] = NULL;
    if (number == 0)
        return true;
    stamma_error error = stamma_archive_reader_seek(archive->reader, number);
    if (!error)
        error = stamma_archive_reader_next(archive->reader, &p->games[side]);
    if (error)
        (void)tool_archive_fail(archive, error);
    return !error;
}

static bool is_same_text(stamma_text a, stamma_text b)
{
    return !a.data == !b.data && tool_text_equal(a, b);
}

static bool has_same_moves(const stamma_archive_game *a, const stamma_archive_game *b)
{
    return a->ply_count == b->ply_count && stamma_position_equal(&a->start, &b->start) &&
           (a->ply_count == 0 || memcmp(a->moves, b->moves, a->ply_count * sizeof *a->moves) == 0);
}

/* Is called with a tag and its values, without data where a game does not have it. */
typedef void show_tag(void *context, stamma_text name, const stamma_text values[SIDES]);

static stamma_text value_of(const stamma_tag *tag)
{
    return tag ? tag->value : (stamma_text){NULL, 0};
}

/* Calls `show` for each tag whose first value differs, including tags that only one of the games has. */
static void each_changed_tag(const pair *p, show_tag *show, void *context)
{
    tool_tag_order orders[SIDES] = {tool_tag_order_make(p->games[0]), tool_tag_order_make(p->games[1])};
    for (unsigned side = 0; side < SIDES; side++)
        for (size_t n = 0; n < p->games[side]->tag_count; n++) {
            const stamma_tag *tag = &p->games[side]->tags[n];
            const stamma_tag *found[SIDES] = {tool_tag_order_find(&orders[0], tag->name),
                                              tool_tag_order_find(&orders[1], tag->name)};
            const stamma_text values[SIDES] = {value_of(found[0]), value_of(found[1])};
            const bool is_listed = side == 1 && found[0];
            if (found[side] == tag && !is_listed && !is_same_text(values[0], values[1]))
                show(context, tag->name, values);
        }
    tool_tag_order_free(&orders[0]);
    tool_tag_order_free(&orders[1]);
}

static void put_tag_name(void *context, stamma_text name, const stamma_text values[SIDES])
{
    bool *any = context;
    (void)values;
    tool_put_string(*any ? "," : "\t");
    tool_put(name.data, name.size);
    *any = true;
}

static void put_field(const stamma_archive_game *game, const char *name)
{
    tool_table t = {.tabs = true, .cells = 1};
    tool_tag_cell(game, stamma_text_of(name), &t);
}

static void put_number(uint64_t number)
{
    tool_put_char('\t');
    if (number > 0)
        tool_put_number(number);
    else
        tool_put_char('-');
}

static const char *word_of(const pair *p)
{
    return !p->games[0] ? "added" : !p->games[1] ? "removed" : "changed";
}

static void print_line(const pair *p, const uint64_t numbers[SIDES])
{
    const stamma_archive_game *game = p->games[1] ? p->games[1] : p->games[0];
    bool any = false;
    tool_put_string(word_of(p));
    put_number(numbers[0]);
    put_number(numbers[1]);
    put_field(game, "White");
    put_field(game, "Black");
    put_field(game, "Date");
    if (p->games[0] && p->games[1]) {
        each_changed_tag(p, put_tag_name, &any);
        if (!has_same_moves(p->games[0], p->games[1]))
            tool_put_string(any ? ",moves" : "\tmoves");
        else if (!any)
            tool_put_string("\ttext");
    }
    tool_put_char('\n');
    tool_put_flush();
}

static void json_tag(void *context, stamma_text name, const stamma_text values[SIDES])
{
    (void)context;
    tool_json_open(NULL, '{');
    tool_json_text("name", name);
    tool_json_value("first", values[0]);
    tool_json_value("second", values[1]);
    tool_json_close('}');
}

static void print_object(const pair *p, const uint64_t numbers[SIDES])
{
    const stamma_archive_game *game = p->games[1] ? p->games[1] : p->games[0];
    tool_json_open(NULL, '{');
    tool_json_string("change", word_of(p));
    tool_json_known("first", numbers[0]);
    tool_json_known("second", numbers[1]);
    tool_json_value("white", stamma_archive_game_tag(game, stamma_text_of("White")));
    tool_json_value("black", stamma_archive_game_tag(game, stamma_text_of("Black")));
    tool_json_value("date", stamma_archive_game_tag(game, stamma_text_of("Date")));
    if (p->games[0] && p->games[1]) {
        tool_json_open("tags", '[');
        each_changed_tag(p, json_tag, NULL);
        tool_json_close(']');
        tool_json_bool("moves", !has_same_moves(p->games[0], p->games[1]));
    }
    tool_json_close('}');
    tool_json_end();
}

static bool print_game(const diffing *d, pair *p, const uint64_t numbers[SIDES])
{
    if (!read_game(p, 0, numbers[0]) || !read_game(p, 1, numbers[1]))
        return false;
    (d->json ? print_object : print_line)(p, numbers);
    return tool_printed();
}

/* Prints the games of the first archive in order, then those that were added. */
static bool print_games(const diffing *d, pair *p)
{
    bool right = true;
    for (size_t n = 0; n < d->games[0].count && right; n++)
        right = print_game(d, p, (const uint64_t[]){d->games[0].all[n].number, d->games[0].all[n].other});
    for (size_t n = 0; n < d->games[1].count && right; n++)
        if (d->games[1].all[n].other == 0)
            right = print_game(d, p, (const uint64_t[]){0, d->games[1].all[n].number});
    return right;
}

static bool print_all(const diffing *d)
{
    pair p = {.games = {NULL, NULL}};
    if (!tool_archive_open_sound(d->sides[0].paths[0], &p.archives[0]))
        return false;
    if (!tool_archive_open_sound(d->sides[1].paths[0], &p.archives[1])) {
        tool_archive_close(&p.archives[0]);
        return false;
    }
    bool right = true;
    for (unsigned side = 0; side < SIDES && right; side++)
        right = stamma_archive_reader_select(p.archives[side].reader, PARTS) == STAMMA_OK;
    right = right && print_games(d, &p);
    tool_archive_close(&p.archives[0]);
    tool_archive_close(&p.archives[1]);
    return right;
}

/* ---- the command ---- */

static int run(diffing *d)
{
    for (unsigned side = 0; side < SIDES; side++)
        d->sides[side].progress = tool_progress_start("reading", 0, d->quiet);
    bool right = hash_side(d, 0) && hash_side(d, 1);
    if (right) {
        remove_equal(d);
        right = match_changed(d);
    }
    tool_progress_clear();
    if (!right || !print_all(d))
        return TOOL_ERROR;
    if (!d->quiet)
        tool_say(NULL, "%" PRIu64 " changed, %" PRIu64 " added, %" PRIu64 " removed, %" PRIu64 " equal", d->changed,
                 d->added, d->removed, d->equal);
    return d->changed + d->added + d->removed > 0 ? TOOL_DONE : TOOL_NOTHING;
}

int tool_diff(int argc, char **argv)
{
    diffing d = {.json = false};
    const tool_option options[] = {
        {.name = "json", .help = "print an object for each game; changed tags have both values", .flag = &d.json},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &d.quiet},
    };
    const tool_usage usage = {"diff", "FIRST SECOND", about, options, sizeof options / sizeof *options, 2, 2};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    status = TOOL_ERROR;
    if (tool_many_open(&d.sides[0], "diff", &argv[0], 1) && tool_many_open(&d.sides[1], "diff", &argv[1], 1))
        status = run(&d);
    for (unsigned side = 0; side < SIDES; side++) {
        tool_many_close(&d.sides[side]);
        free(d.games[side].all);
    }
    return status;
}
