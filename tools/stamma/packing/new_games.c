/* SPDX-License-Identifier: MIT */
/* Writes the games of archives that are not known yet. */
#include "packing/packing.h"

enum { PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES };

/* Returns false after a message. */
static bool check(stamma_error error, const char *name)
{
    if (error == STAMMA_ERROR_LIMIT)
        tool_say(name, TOOL_MEMORY_HASHES);
    else if (error)
        tool_say(name, "%s", stamma_error_text(error));
    return !error;
}

bool tool_new_games_open(tool_new_games *n, uint64_t memory)
{
    const stamma_game_set_options options = {.size = sizeof options, .memory = memory};
    *n = (tool_new_games){.kept = false};
    return check(stamma_game_set_open(&options, &n->known), NULL);
}

bool tool_new_games_has(tool_new_games *n, const stamma_archive_game *game, bool *known)
{
    return check(stamma_game_set_has(n->known, game, known), NULL);
}

void tool_new_games_close(tool_new_games *n)
{
    stamma_game_set_close(n->known);
    n->known = NULL;
    free(n->similar.all);
    n->similar = (tool_numbers){.count = 0};
}

/* ---- games that are known ---- */

bool tool_numbers_add(tool_numbers *list, uint64_t number)
{
    if (!tool_list_grow(&list->all, &list->room, list->count, 1, sizeof *list->all))
        return false;
    list->all[list->count++] = number;
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

void tool_numbers_sort(tool_numbers *list)
{
    if (list->count > 1)
        qsort(list->all, list->count, sizeof *list->all, compare_numbers);
}

bool tool_numbers_have(const tool_numbers *list, uint64_t number)
{
    return list->count > 0 && bsearch(&number, list->all, list->count, sizeof number, compare_numbers) != NULL;
}

/* Adds games whose hash does not need their text, and lists the others. */
typedef struct knowing {
    tool_new_games *n;
    const char *name;
    tool_numbers others;
} knowing;

static bool know_played(void *context, const stamma_archive_game *game)
{
    knowing *k = context;
    if (game->continuation)
        return true;
    if (stamma_game_hash_needs_text(game))
        return tool_numbers_add(&k->others, game->number);
    return check(stamma_game_set_add(k->n->known, game, NULL), k->name);
}

static bool know_text(void *context, const stamma_archive_game *game)
{
    knowing *k = context;
    k->n->last_end = tool_text_ends(game->text, k->n->last_end);
    return game->continuation || check(stamma_game_set_add(k->n->known, game, NULL), k->name);
}

/* Visits games with some of their parts. Returns false after a message. */
static bool visit(tool_archive *archive, const uint64_t *numbers, size_t count, unsigned parts,
                  bool (*visitor)(void *context, const stamma_archive_game *game), knowing *k)
{
    tool_walk walk = {.reader = archive->reader, .visit = visitor, .context = k};
    bool any;
    stamma_error error = stamma_archive_reader_select(archive->reader, parts);
    for (size_t i = 0; i < count && !error && !walk.stopped; i++)
        error = tool_walk_visit(&walk, numbers[i], numbers[i], &any);
    if (error)
        (void)tool_archive_fail(archive, error);
    return !error && !walk.stopped;
}

/* Also reads the last game of the archive with its text, to find out how the text ends. */
bool tool_new_games_know(tool_new_games *n, tool_archive *archive, const uint64_t *numbers, size_t count)
{
    knowing k = {.n = n, .name = archive->file.name};
    uint64_t last = 0;
    stamma_error error = stamma_archive_reader_game_count(archive->reader, &last);
    if (error)
        (void)tool_archive_fail(archive, error);
    bool right = !error && visit(archive, numbers, count, PARTS, know_played, &k) &&
                 visit(archive, k.others.all, k.others.count, PARTS | STAMMA_GAME_TEXT, know_text, &k) &&
                 (last == 0 || visit(archive, &last, 1, PARTS | STAMMA_GAME_TEXT, know_text, &k));
    free(k.others.all);
    return right;
}

/* ---- games that are new ---- */

static bool write_bytes(tool_new_games *n, const char *bytes, size_t size)
{
    n->given += size;
    stamma_error error = stamma_archive_writer_write(n->writer, bytes, size);
    return !error || tool_output_failed(n->output) || check(error, tool_output_name(n->output));
}

/* An archive without games. */
typedef struct empty_archive {
    uint8_t bytes[4096];
    size_t size;
} empty_archive;

static bool take_bytes(void *context, const void *bytes, size_t size)
{
    empty_archive *e = context;
    if (size > sizeof e->bytes - e->size)
        return false;
    memcpy(e->bytes + e->size, bytes, size);
    e->size += size;
    return true;
}

/* Ensures that the next bytes begin a game, whatever game is before them. After a copied archive, text begins like a
 * new input. Therefore copies an archive without games. */
static bool begin_input(tool_new_games *n)
{
    empty_archive e = {.size = 0};
    const stamma_output output = {&e, take_bytes, NULL};
    stamma_archive_writer *writer = NULL;
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_error error = stamma_archive_writer_open(&output, NULL, &writer);
    if (!error)
        error = stamma_archive_writer_finish(writer, NULL);
    const stamma_bytes bytes = stamma_bytes_of(e.bytes, e.size);
    if (!error)
        error = stamma_archive_open(&bytes, NULL, &archive);
    if (!error)
        error = stamma_archive_reader_open(archive, NULL, &reader);
    if (!error)
        error = stamma_archive_writer_copy(n->writer, reader);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    stamma_archive_writer_close(writer);
    return !error || tool_output_failed(n->output) || check(error, tool_output_name(n->output));
}

/* Returns whether the next game is listed as a duplicate. */
static bool is_similar(tool_new_games *n)
{
    const bool found = n->similar_at < n->similar.count && n->similar.all[n->similar_at] == n->games;
    n->games++;
    n->similar_at += found;
    return found;
}

/* Decides whether a game is written. */
static bool begin_game(tool_new_games *n, const stamma_archive_game *game)
{
    const bool layout = game->reason == STAMMA_REASON_NONE || game->reason == STAMMA_REASON_LAYOUT;
    if (!check(stamma_game_set_add(n->known, game, &n->kept), NULL))
        return false;
    const bool similar = is_similar(n);
    n->different += n->kept && similar;
    n->kept = n->kept && !similar;
    n->added += n->kept;
    n->skipped += !n->kept;
    n->apart |= !n->kept;
    if (!n->kept)
        return true;
    const bool words = game->tag_count == 0;
    const bool after_gap = n->apart && (n->open_end || (words && !layout));
    const bool after_block = n->blocks && words && (n->open_end || !layout);
    n->open_end = !layout || game->result.size == 0;
    n->apart = false;
    return (!after_gap && !after_block) || begin_input(n);
}

/* Writes a new game, or a further piece of it. Inserts an empty line if the game before does not end its line, or if
 * the text could belong to the game before. */
static bool write_game(tool_new_games *n, const stamma_archive_game *game)
{
    n->read += game->text.size;
    if (!game->continuation && !begin_game(n, game))
        return false;
    if (!n->kept || game->text.size == 0)
        return true;
    const bool begins_line = *game->text.data == '\n' || *game->text.data == '\r';
    const tool_text_end before = begins_line && n->last_end == TOOL_LINE_OPEN ? TOOL_LINE_END : n->last_end;
    const bool separate = !game->continuation && tool_text_needs_gap(game->text, before);
    n->due += game->text.size + (separate ? 2 : 0);
    if (separate && !write_bytes(n, "\n\n", 2))
        return false;
    n->last_end = tool_text_ends(game->text, n->last_end);
    return write_bytes(n, game->text.data, game->text.size) && !tool_output_failed(n->output);
}

bool tool_new_games_copy(tool_new_games *n, tool_archive *archive)
{
    const stamma_archive_game *game = NULL;
    bool right = true;
    n->kept = false; /* text before the first game belongs to no game */
    n->apart = true;
    stamma_error error = stamma_archive_reader_select(archive->reader, PARTS | STAMMA_GAME_TEXT);
    while (!error && right && (error = stamma_archive_reader_next(archive->reader, &game)) == STAMMA_OK && game)
        right = write_game(n, game);
    if (error)
        (void)tool_archive_fail(archive, error);
    return right && !error && (n->given == n->due || check(STAMMA_ERROR_SELF_CHECK, tool_output_name(n->output)));
}

/* Lists the games of the archive with the same players as a game of the files: the same game has the same players. */
static bool find_players(const tool_staged *staged, const tool_packing *p, const tool_archive *archive,
                         tool_numbers *games)
{
    tool_numbers players = {.count = 0};
    const uint64_t first = archive->file.base, end = stamma_archive_reader_end(archive->reader);
    tool_window all = {archive->file.fd, archive->file.name, first, first + end};
    bool right = true;
    for (size_t i = 0; i < staged->count && right; i++) {
        tool_window window = tool_staged_window(staged, i);
        right = tool_players_add(&players, &window, p);
    }
    tool_numbers_sort(&players);
    right = right && tool_players_find(&players, &all, p, games);
    free(players.all);
    return right;
}

/* Adds the games of the archive that may be the same as a game of the files to the known games. */
static bool know_similar(tool_new_games *n, const tool_staged *staged, const tool_packing *p, tool_archive *archive)
{
    tool_numbers games = {.count = 0};
    bool indexed = false, right = tool_indexed_games_find(staged, archive, false, &games, &indexed);
    if (right && !indexed) {
        games.count = 0;
        right = find_players(staged, p, archive, &games);
    }
    right = right && tool_new_games_know(n, archive, games.all, games.count);
    free(games.all);
    return right;
}

/* Writes the last bytes of the archive's last commit if they are missing, for example because a process was killed: a
 * search would refuse the archive. Ignores errors, because the caller also opens a writer, and reports them. */
static void complete_end(const tool_packing *p, const tool_archive *archive)
{
    const stamma_output output = tool_output_callbacks(p->output);
    stamma_archive_writer *writer = NULL;
    if (archive->damages > 0 && archive->tail_blocks == 0 &&
        stamma_archive_writer_open_append(archive->reader, &output, tool_output_cut, NULL, &writer) == STAMMA_OK)
        stamma_archive_writer_close(writer);
}

/* Packs the files, and adds the games of the archive that may be the same as one of their games to the known games. The
 * hashes of games, and the writer of the output, each use half of the memory. */
static bool prepare(tool_new_games *n, tool_staged *staged, tool_packing *p, tool_archive *archive)
{
    const uint64_t half = p->options->memory / 2;
    if (!p->dry)
        complete_end(p, archive);
    bool changed = false;
    bool right = tool_new_games_open(n, half) && tool_staged_pack(staged, p, archive->file.name) &&
                 know_similar(n, staged, p, archive) && (!p->change || p->change(p->context, staged, n, &changed)) &&
                 (!changed || know_similar(n, staged, p, archive)) &&
                 (!p->dedupes || tool_similar_games_find(staged, archive, half, &n->similar));
    p->writing.memory = half > TOOL_MEMORY_MIN ? half : TOOL_MEMORY_MIN;
    return right;
}

/* Opens a writer whose archive is not used. */
static bool open_dry(tool_packing *p)
{
    const stamma_output output = tool_output_callbacks(p->output);
    const stamma_error error = stamma_archive_writer_open(&output, &p->writing, &p->writer);
    return !error || tool_packing_fail(p, error);
}

bool tool_new_games_append(tool_new_games *n, tool_packing *p, tool_archive *archive, stamma_archive_counts *counts,
                           void (*copied)(void *context, const tool_new_games *n, size_t file), void *context)
{
    tool_staged staged = {.fd = -1};
    bool right = prepare(n, &staged, p, archive) && (p->dry ? open_dry(p) : tool_packing_open_append(p, archive));
    n->writer = p->writer;
    n->output = p->output;
    for (size_t i = 0; i < staged.count && right; i++) {
        right = tool_staged_copy(&staged, i, n);
        if (right && copied)
            copied(context, n, i);
    }
    tool_staged_close(&staged);
    tool_new_games_close(n);
    return right && tool_packing_complete(p, counts);
}
