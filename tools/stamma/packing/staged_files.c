/* SPDX-License-Identifier: MIT */
/* Packs files into temporary archives, whose games are then read one by one. Games that are read from an archive are
 * the same as those that a later run reads from the complete archive. */
#include "packing/packing.h"

static bool fail(void)
{
    tool_say("temporary file", "%s", strerror(errno));
    return false;
}

/* Opens a file in the folder of `path`. The file is deleted when the program ends. */
static int open_unnamed(const char *path)
{
    char folder[SYSTEM_PATH_SIZE];
    const size_t size = (size_t)(system_base_name(path) - path);
    if (size + 2 > sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    (void)snprintf(folder, sizeof folder, "%.*s.", (int)size, path);
    return system_open_unnamed(folder);
}

static bool write_callback(void *context, const void *bytes, size_t size)
{
    const tool_staged *s = context;
    return system_write(s->fd, bytes, size) || fail();
}

/* Opens a writer whose archive is only read once. */
static bool open_writer(tool_staged *s, tool_packing *p)
{
    const stamma_output output = {s, write_callback, NULL};
    stamma_archive_writer_options options = p->writing;
    options.notice = NULL;
    options.level = 1;
    options.no_check = options.no_search_columns = true;
    stamma_error error = stamma_archive_writer_open(&output, &options, &p->writer);
    if (error && error != STAMMA_ERROR_IO)
        (void)tool_packing_fail(p, error);
    return !error;
}

/* Adds the archive of the writer. */
static bool close_writer(tool_staged *s, tool_packing *p, const stamma_archive_counts *counts)
{
    stamma_archive_writer_close(p->writer);
    p->writer = NULL;
    const int64_t end = system_place_of(s->fd);
    s->files[s->count++] = (struct tool_staged_file){end < 0 ? 0 : (uint64_t)end, counts->text_size};
    return end >= 0 || fail();
}

static bool pack_file(tool_staged *s, tool_packing *p, size_t index)
{
    stamma_archive_counts counts = {0};
    const bool right = open_writer(s, p) && tool_packing_file(p, index) && tool_packing_complete(p, &counts);
    return close_writer(s, p, &counts) && right;
}

/* Counts a notice about a game of the output. Does not print it, because the place in the file is unknown. */
static void count_notice(void *context, const stamma_archive_notice *notice)
{
    tool_packing *p = context;
    (void)tool_notices_take(&p->notices, notice, false);
}

static bool open_files(tool_staged *s, const tool_packing *p, const char *path)
{
    *s = (tool_staged){.fd = open_unnamed(path), .files = calloc(p->file_count, sizeof *s->files)};
    if (s->fd < 0)
        return fail();
    return s->files || tool_packing_fail(p, STAMMA_ERROR_NO_MEMORY);
}

bool tool_staged_pack(tool_staged *s, tool_packing *p, const char *path)
{
    bool right = open_files(s, p, path);
    p->staging = true;
    for (size_t i = 0; i < p->file_count && right; i++)
        right = pack_file(s, p, i);
    p->staging = false;
    p->writing.notice = count_notice;
    p->writing.warning = NULL;
    tool_progress_clear();
    return right;
}

void tool_staged_close(tool_staged *s)
{
    if (s->fd >= 0)
        (void)system_close(s->fd);
    free(s->files);
    *s = (tool_staged){.fd = -1};
}

/* ---- reading ---- */

static bool read_at(void *context, uint64_t offset, void *bytes, size_t size)
{
    const tool_window *w = context;
    for (size_t got = 0; got < size;) {
        const ptrdiff_t count = system_read_at(w->fd, (char *)bytes + got, size - got, w->first + offset + got);
        if (count <= 0) {
            tool_say(w->name, "%s", count < 0 ? strerror(errno) : "became shorter while it was read");
            return false;
        }
        got += (size_t)count;
    }
    return true;
}

stamma_bytes tool_window_bytes(tool_window *window)
{
    return (stamma_bytes){.size = window->end - window->first, .context = window, .read_at = read_at};
}

tool_window tool_staged_window(const tool_staged *s, size_t index)
{
    const uint64_t first = index > 0 ? s->files[index - 1].end : 0;
    return (tool_window){s->fd, "temporary file", first, s->files[index].end};
}

bool tool_staged_open(const tool_staged *s, size_t index, tool_staged_archive *opened)
{
    tool_archive *archive = &opened->archive;
    opened->window = tool_staged_window(s, index);
    *archive = (tool_archive){.file = {.name = opened->window.name, .fd = -1}};
    const stamma_bytes bytes = tool_window_bytes(&opened->window);
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive->handle);
    if (!error)
        error = stamma_archive_reader_open(archive->handle, NULL, &archive->reader);
    if (error)
        (void)tool_archive_fail(archive, error);
    return !error;
}

void tool_staged_shut(tool_staged_archive *opened)
{
    stamma_archive_reader_close(opened->archive.reader);
    stamma_archive_close(opened->archive.handle);
}

bool tool_staged_copy(const tool_staged *s, size_t index, tool_new_games *n)
{
    tool_staged_archive opened;
    const uint64_t before = n->read;
    bool right = tool_staged_open(s, index, &opened) && tool_new_games_copy(n, &opened.archive);
    tool_staged_shut(&opened);
    if (!right || n->read - before == s->files[index].text)
        return right;
    tool_say(opened.window.name, "%s", stamma_error_text(STAMMA_ERROR_SELF_CHECK));
    return false;
}

/* ---- changing ---- */

/* What tool_staged_change is called with. */
typedef struct changing {
    tool_packing *p;
    bool (*edit)(void *context, const stamma_archive_game *game, stamma_text *text);
    void *context;
} changing;

static bool write_changed(const changing *c, const stamma_archive_game *game)
{
    stamma_text text = game->text;
    if (!game->continuation && !c->edit(c->context, game, &text))
        return false;
    const stamma_error error = stamma_archive_writer_write(c->p->writer, text.data, text.size);
    return !error || error == STAMMA_ERROR_IO ? !error : tool_packing_fail(c->p, error);
}

static bool change_games(const changing *c, tool_archive *archive)
{
    const stamma_archive_game *game = NULL;
    bool right = true;
    stamma_error error = stamma_archive_reader_select(archive->reader, STAMMA_GAME_TAGS | STAMMA_GAME_RESULT |
                                                                           STAMMA_GAME_MOVES | STAMMA_GAME_TEXT);
    while (!error && right && (error = stamma_archive_reader_next(archive->reader, &game)) == STAMMA_OK && game)
        right = write_changed(c, game);
    if (error)
        (void)tool_archive_fail(archive, error);
    return !error && right;
}

static bool change_file(const tool_staged *s, size_t index, tool_staged *changed, const changing *c)
{
    tool_staged_archive opened;
    stamma_archive_counts counts = {0};
    bool right = tool_staged_open(s, index, &opened) && open_writer(changed, c->p) &&
                 change_games(c, &opened.archive) && tool_packing_complete(c->p, &counts);
    tool_staged_shut(&opened);
    return close_writer(changed, c->p, &counts) && right;
}

bool tool_staged_change(tool_staged *s, tool_packing *p, const char *path,
                        bool (*edit)(void *context, const stamma_archive_game *game, stamma_text *text), void *context)
{
    const changing c = {p, edit, context};
    tool_staged changed;
    bool right = open_files(&changed, p, path);
    for (size_t i = 0; i < s->count && right; i++)
        right = change_file(s, i, &changed, &c);
    if (right) {
        tool_staged_close(s);
        *s = changed;
    } else {
        tool_staged_close(&changed);
    }
    return right;
}
