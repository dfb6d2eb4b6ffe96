/* SPDX-License-Identifier: MIT */
/* Writes the files of a site into a folder. Each file appears complete, and index.html appears last. */
#include "site/site.h"
#include "system/system.h"

#include <errno.h>

static const char mark[] = "{\"generator\":\"stamma site\"";

/* ---- paths ---- */

/* Returns FOLDER/PATH, to be released with free(), or NULL after a message. */
static char *path_in(const char *folder, const char *path)
{
    const size_t size = strlen(folder) + strlen(path) + 2;
    char *text = malloc(size);
    if (text)
        (void)snprintf(text, size, "%s/%s", folder, path);
    else
        (void)tool_fail_memory(path);
    return text;
}

/* Makes the folders of a path after its first `from` bytes. */
static bool make_folders(char *path, size_t from)
{
    for (char *at = path + from; (at = strchr(at, '/')); at++) {
        *at = 0;
        const bool made = system_folder_make_shared(path) || errno == EEXIST;
        if (!made)
            tool_say(path, "%s", strerror(errno));
        *at = '/';
        if (!made)
            return false;
    }
    return true;
}

/* ---- the state of the folder ---- */

static bool stop_at_name(void *context, const char *name)
{
    *(bool *)context = true;
    (void)name;
    return false;
}

static bool has_mark(const char *folder)
{
    tool_mapped file;
    char *path = path_in(folder, "site.json");
    bool found = path && system_is_there(path) && tool_inputs_note(path, TOOL_BESIDE) && tool_mapped_open(path, &file);
    if (found) {
        found = file.size >= sizeof mark - 1 && memcmp(file.bytes, mark, sizeof mark - 1) == 0;
        tool_mapped_close(&file);
    }
    free(path);
    return found;
}

bool site_folder_fits(const char *folder)
{
    bool used = false;
    system_status status;
    if (!system_exists(folder))
        return true;
    if (!system_status_at(folder, &status) || status.kind != SYSTEM_FOLDER) {
        tool_say(folder, "is not a folder");
        return false;
    }
    if (!system_folder_each(folder, stop_at_name, &used) && !used) {
        tool_say(folder, "%s", strerror(errno));
        return false;
    }
    if (used && !has_mark(folder)) {
        tool_say(folder, "contains files, and is not a site of this command; use an empty folder");
        return false;
    }
    return true;
}

/* ---- writing ---- */

/* Returns whether a file has these bytes. */
static bool is_same(const char *path, const void *bytes, size_t size)
{
    tool_mapped file;
    system_status status;
    if (!system_status_at(path, &status) || status.kind != SYSTEM_REGULAR || status.size != size ||
        !tool_mapped_open(path, &file))
        return false;
    const bool same = file.size == size && (size == 0 || memcmp(file.bytes, bytes, size) == 0);
    tool_mapped_close(&file);
    return same;
}

static bool write_bytes(char *path, size_t from, const void *bytes, size_t size, uint64_t *written)
{
    if (!make_folders(path, from) || !tool_inputs_note(path, TOOL_BESIDE))
        return false;
    if (is_same(path, bytes, size))
        return true;
    tool_output *output = tool_output_rewrite(path, true, TOOL_BESIDE);
    const bool right = output && tool_output_write(output, bytes, size) && tool_output_finish(output);
    tool_output_close(output);
    *written += right ? size : 0;
    return right;
}

static bool write_pieces(const site_file *f, const char *path, size_t from, uint64_t *written)
{
    const size_t size = strlen(path) + 24;
    char *piece = malloc(size);
    bool right = piece || tool_fail_memory(path);
    for (size_t at = 0; at < f->size && right; at += SITE_PIECE) {
        const size_t rest = f->size - at;
        (void)snprintf(piece, size, "%s/%zu", path, at / SITE_PIECE);
        right = write_bytes(piece, from, (const char *)f->bytes + at, rest < SITE_PIECE ? rest : SITE_PIECE, written);
    }
    free(piece);
    return right;
}

static bool write_file(const site *s, const site_file *f, uint64_t *written)
{
    char *path = path_in(s->folder, f->path);
    const size_t from = strlen(s->folder) + 1;
    const bool right = path && (f->in_pieces ? write_pieces(f, path, from, written)
                                             : write_bytes(path, from, f->bytes, f->size, written));
    free(path);
    return right;
}

/* ---- data of earlier sites ---- */

static bool delete_name(void *context, const char *name)
{
    char *path = path_in(context, name);
    if (path)
        (void)system_delete(path);
    free(path);
    return true;
}

/* Returns whether a name in the folder `data` is one that the command makes. */
static bool is_data(const char *name)
{
    static const char *const endings[] = {".stamma",        ".index",        ".pages",
                                          ".stamma.pieces", ".index.pieces", ".pages.pieces"};
    if (strlen(name) < SITE_HASH_SIZE || strspn(name, "0123456789abcdef") != SITE_HASH_SIZE - 1)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(name + SITE_HASH_SIZE - 1, endings[i]) == 0)
            return true;
    return false;
}

static bool delete_old(void *context, const char *name)
{
    const site *s = context;
    char *inside = path_in("data", name), *path = inside ? path_in(s->folder, inside) : NULL;
    if (path && is_data(name) && !site_find(s, inside)) {
        (void)system_folder_each(path, delete_name, path);
        (void)(system_folder_delete(path) || system_delete(path));
    }
    free(inside);
    free(path);
    return true;
}

bool site_folder_write(const site *s, uint64_t *written)
{
    *written = 0;
    if (!system_folder_make_shared(s->folder) && errno != EEXIST) {
        tool_say(s->folder, "%s", strerror(errno));
        return false;
    }
    for (int entries = 0; entries < 2; entries++)
        for (size_t i = 0; i < s->file_count; i++)
            if ((s->files[i].kind == SITE_ENTRY) == (entries == 1) && !write_file(s, &s->files[i], written))
                return false;
    char *data = path_in(s->folder, "data");
    if (data)
        (void)system_folder_each(data, delete_old, (void *)s);
    free(data);
    return data != NULL;
}
