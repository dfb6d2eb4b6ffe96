/* Sorts games. Only their numbers and keys are kept. The games to print are then read in the order of their archives,
 * and printed in sorted order. */
#include "games/game_views.h"
#include "questions/find.h"

typedef enum key_kind { KEY_NUMBER, KEY_TEXT, KEY_MISSING } key_kind; /* in this order */

typedef struct find_key {
    key_kind kind;
    double number;
    char *text;
} find_key;

typedef struct find_entry {
    found_game found; /* its plies start at list->plies[first_ply] */
    size_t first_ply;
    size_t order; /* order in which it was found */
    const find_list *list;
    find_key keys[FIND_SORT_KEYS];
    size_t first_piece, piece_count;
} find_entry;

/* A game that was read, or a further piece of it. */
typedef struct find_piece {
    stamma_archive_game game;
    void *memory;
} find_piece;

static bool check_key(const char *tag)
{
    static const char *const fields[] = {"number", "plies", "Date",     "White",    "Black",       "Event", "Site",
                                         "Round",  "ECO",   "WhiteElo", "BlackElo", "TimeControl", "Result"};
    if ((*tag >= 'A' && *tag <= 'Z') || strcmp(tag, fields[0]) == 0 || strcmp(tag, fields[1]) == 0)
        return true;
    tool_nearest nearest = {.word = tag, .length = strlen(tag)};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tool_nearest_try(&nearest, fields[i]);
    if (nearest.name)
        tool_say(NULL, "option --sort: there is no field \"%s\"; did you mean \"%s\"?", tag, nearest.name);
    else
        tool_say(NULL, "option --sort: there is no field \"%s\"; keys are number, plies and tag names", tag);
    return false;
}

/* Splits "-WhiteElo,Date" into keys. Returns false if there are too many keys, or a name is too long. */
static bool split_keys(const char *sort, find_list *list)
{
    for (list->key_count = 0; list->key_count < FIND_SORT_KEYS; list->key_count++) {
        find_order *key = &list->keys[list->key_count];
        key->descending = *sort == '-';
        sort += key->descending;
        size_t size = strcspn(sort, ",");
        if (size >= sizeof key->tag)
            return false;
        memcpy(key->tag, sort, size);
        key->tag[size] = 0;
        sort += size;
        if (!*sort++)
            return list->key_count++, true;
    }
    return false;
}

bool find_sort_check(const char *sort)
{
    find_list list = {.key_count = 0};
    if (!split_keys(sort, &list)) {
        tool_say(NULL, "option --sort: at most %d keys", FIND_SORT_KEYS);
        return false;
    }
    for (size_t i = 0; i < list.key_count; i++)
        if (!check_key(list.keys[i].tag))
            return false;
    return true;
}

void find_list_open(find_list *list, const char *sort)
{
    *list = (find_list){.key_count = 0};
    (void)split_keys(sort, list);
}

void find_list_close(find_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < list->key_count; k++)
            free(list->entries[i].keys[k].text);
    for (size_t i = 0; i < list->piece_count; i++)
        free(list->pieces[i].memory);
    free(list->entries);
    free(list->plies);
    free(list->pieces);
}

/* Returns the list with room for `more` elements of `size` bytes after the first `count`. Returns NULL, after a
 * message, if memory is exhausted. */
static void *grow(void *list, size_t *room, size_t count, size_t more, size_t size)
{
    size_t wanted = *room < 64 ? 64 : *room;
    while (wanted - count < more)
        wanted *= 2;
    void *grown = wanted == *room ? list : realloc(list, wanted * size);
    if (!grown)
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    else
        *room = wanted;
    return grown;
}

/* ---- keys ---- */

/* Returns whether a value is unknown: "?", "-", "????.??.??". */
static bool is_unknown(stamma_text value)
{
    size_t i = 0;
    while (i < value.size && strchr("?.-", value.data[i]) && value.data[i])
        i++;
    return i == value.size;
}

/* Compares a text that is a number as a number, also with the `?` that may follow a rating. */
static void set_key(find_key *e, stamma_text value)
{
    e->kind = KEY_MISSING;
    if (is_unknown(value) || !(e->text = malloc(value.size + 1)))
        return;
    memcpy(e->text, value.data, value.size);
    e->text[value.size] = 0;
    e->kind = KEY_TEXT;
    size_t size = strspn(e->text, "+-.0123456789");
    if (size + (e->text[size] == '?') != value.size)
        return;
    char *end;
    e->number = strtod(e->text, &end);
    if (end == e->text + size)
        e->kind = KEY_NUMBER;
}

static void read_key(const char *tag, const stamma_archive_game *game, find_key *key)
{
    if (strcmp(tag, "number") == 0) /* games with equal keys stay in the order in which they were found */
        return;
    if (strcmp(tag, "plies") == 0) {
        key->number = (double)game->ply_count;
    } else if (strcmp(tag, "WhiteElo") == 0 || strcmp(tag, "BlackElo") == 0) {
        key->number = (double)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of(tag)));
        key->kind = key->number > 0 ? KEY_NUMBER : KEY_MISSING;
    } else {
        stamma_text value = tool_text_unescape(stamma_archive_game_tag(game, stamma_text_of(tag)));
        set_key(key, value);
        free((char *)(uintptr_t)value.data);
    }
}

static bool read_keys(void *context, const stamma_archive_game *game)
{
    find_entry *e = context;
    for (size_t k = 0; k < e->list->key_count && !game->continuation; k++)
        read_key(e->list->keys[k].tag, game, &e->keys[k]);
    return true;
}

static bool needs_games(const find_list *list)
{
    for (size_t k = 0; k < list->key_count; k++)
        if (strcmp(list->keys[k].tag, "number") != 0)
            return true;
    return false;
}

bool find_list_add(find_list *list, const found_game *found, find_source *source, const stamma_archive_game *game)
{
    find_entry *entries = grow(list->entries, &list->room, list->count, 1, sizeof *entries);
    list->entries = entries ? entries : list->entries;
    uint32_t *plies = grow(list->plies, &list->ply_room, list->ply_count, found->ply_count, sizeof *plies);
    list->plies = plies ? plies : list->plies;
    if (!entries || !plies)
        return false;
    find_entry *e = &list->entries[list->count];
    *e = (find_entry){.found = *found, .first_ply = list->ply_count, .order = list->count, .list = list};
    for (size_t k = 0; k < list->key_count; k++)
        e->keys[k].number = (double)found->number;
    list->count++;
    if (found->ply_count > 0)
        memcpy(list->plies + list->ply_count, found->plies, found->ply_count * sizeof *found->plies);
    list->ply_count += found->ply_count;
    if (game)
        return read_keys(e, game);
    return !needs_games(list) || find_source_read(source, found->number, STAMMA_GAME_TAGS, read_keys, e);
}

/* ---- order ---- */

/* Orders games without a value last, in both directions. */
static int compare_key(const find_key *a, const find_key *b, bool descending)
{
    int sign = descending ? -1 : 1, order = 0;
    if (a->kind != b->kind)
        return a->kind == KEY_MISSING || b->kind == KEY_MISSING ? (a->kind < b->kind ? -1 : 1)
                                                                : (a->kind < b->kind ? -sign : sign);
    if (a->kind == KEY_NUMBER)
        order = (a->number > b->number) - (a->number < b->number);
    else if (a->kind == KEY_TEXT)
        order = strcmp(a->text, b->text);
    return order < 0 ? -sign : order > 0 ? sign : 0;
}

/* Orders games with equal keys as they were found. */
static int compare_entries(const void *left, const void *right)
{
    const find_entry *a = left, *b = right;
    for (size_t k = 0; k < a->list->key_count; k++) {
        int order = compare_key(&a->keys[k], &b->keys[k], a->list->keys[k].descending);
        if (order != 0)
            return order;
    }
    return a->order < b->order ? -1 : 1;
}

void find_list_sort(find_list *list)
{
    if (list->count > 0)
        qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
    for (size_t i = 0; i < list->count; i++)
        list->entries[i].found.plies = list->plies + list->entries[i].first_ply;
}

/* ---- printing ---- */

static int compare_places(const void *left, const void *right)
{
    const find_entry *const *a = left, *const *b = right;
    return (*a)->order < (*b)->order ? -1 : 1;
}

static bool keep_piece(void *context, const stamma_archive_game *game)
{
    find_list *list = context;
    find_piece *pieces = grow(list->pieces, &list->piece_room, list->piece_count, 1, sizeof *pieces);
    if (!pieces)
        return false;
    list->pieces = pieces;
    find_piece *p = &pieces[list->piece_count];
    if (!tool_game_copy(game, &p->game, &p->memory))
        return false;
    list->piece_count++;
    return true;
}

/* Reads the games of the entries in the order of the archives. */
static bool read_games(find_list *list, find_entry *entries, size_t count, find_source *sources, unsigned parts)
{
    find_entry **places = malloc((count + 1) * sizeof *places);
    bool right = places != NULL;
    if (!right)
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    for (size_t i = 0; right && i < count; i++)
        places[i] = &entries[i];
    if (right)
        qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; right && i < count; i++) {
        find_entry *e = places[i];
        if (i > 0 && places[i - 1]->found.archive != e->found.archive)
            find_source_rest(&sources[places[i - 1]->found.archive]);
        e->first_piece = list->piece_count;
        right = find_source_read(&sources[e->found.archive], e->found.number, parts, keep_piece, list);
        e->piece_count = list->piece_count - e->first_piece;
    }
    free(places);
    return right;
}

bool find_list_put(find_list *list, uint64_t offset, uint64_t limit, find_source *sources, find_output *output)
{
    size_t first = offset < list->count ? (size_t)offset : list->count;
    size_t count = limit < list->count - first ? (size_t)limit : list->count - first;
    find_entry *entries = list->entries + first;
    bool reads = find_output_reads(output);
    bool right = !reads || count == 0 || read_games(list, entries, count, sources, output->parts);
    for (size_t i = 0; i < count && right; i++) {
        const find_entry *e = &entries[i];
        const char *name = sources[e->found.archive].file.name;
        if (!reads)
            find_output_number(output, &e->found, name);
        for (size_t k = 0; k < e->piece_count && right; k++)
            right = find_output_game(output, &e->found, name, &list->pieces[e->first_piece + k].game);
    }
    return right;
}
