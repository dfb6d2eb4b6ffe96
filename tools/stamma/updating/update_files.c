/* SPDX-License-Identifier: MIT */
/* The files of games in a folder. */
#include "updating/updating.h"

#include <ctype.h>

static bool add(update_files *f, char *path)
{
    if (!path || !tool_list_grow(&f->paths, &f->room, f->count, 1, sizeof *f->paths)) {
        free(path);
        return path ? false : tool_fail_memory(NULL);
    }
    f->paths[f->count++] = path;
    return true;
}

/* Returns whether the name of a file shows that it contains games. */
static bool has_games(const char *name)
{
    size_t length = strlen(name);
    if (tool_cut_ending(name, &length, ".zip"))
        return true;
    (void)tool_layer_cut_ending(name, &length);
    return tool_cut_ending(name, &length, ".pgn");
}

/* Compares the digits at *a and *b as numbers, and moves past them. Equal numbers may have leading zeros. */
static int compare_numbers(const char **a, const char **b)
{
    while (**a == '0' && isdigit((unsigned char)(*a)[1]))
        ++*a;
    while (**b == '0' && isdigit((unsigned char)(*b)[1]))
        ++*b;
    const size_t left = strspn(*a, "0123456789"), right = strspn(*b, "0123456789");
    const int order = left != right ? (left > right) - (left < right) : strncmp(*a, *b, left);
    *a += left;
    *b += right;
    return order;
}

static int compare_names(const void *left, const void *right)
{
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            const int order = compare_numbers(&a, &b);
            if (order != 0)
                return order;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    const int order = ((unsigned char)*a > (unsigned char)*b) - ((unsigned char)*a < (unsigned char)*b);
    return order != 0 ? order : strcmp(*(char *const *)left, *(char *const *)right);
}

static bool is_regular(const char *path)
{
    system_status status;
    return system_status_at(path, &status) && status.kind == SYSTEM_REGULAR;
}

/* A folder that is being read. */
typedef struct reading {
    update_files *files;
    const char *folder;
    bool failed;
} reading;

static bool add_entry(update_files *f, const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return tool_fail_memory(folder);
    (void)snprintf(path, size, "%s%s%s", folder, *folder && !*system_base_name(folder) ? "" : "/", name);
    if (is_regular(path))
        return add(f, path);
    free(path);
    return true;
}

static bool visit(void *context, const char *name)
{
    reading *r = context;
    r->failed = has_games(name) && !add_entry(r->files, r->folder, name);
    return !r->failed;
}

static bool add_folder(update_files *f, const char *folder)
{
    const size_t before = f->count;
    reading r = {f, folder, false};
    const bool right = system_folder_each(folder, visit, &r);
    if (!right)
        tool_say(folder, "%s", strerror(errno));
    if (f->count > before + 1)
        qsort(f->paths + before, f->count - before, sizeof *f->paths, compare_names);
    return right && !r.failed;
}

bool update_files_add(update_files *f, const char *path)
{
    system_status status;
    if (system_status_at(path, &status) && status.kind == SYSTEM_FOLDER)
        return add_folder(f, path);
    return add(f, strdup(path));
}

void update_files_free(update_files *f)
{
    for (size_t n = 0; n < f->count; n++)
        free(f->paths[n]);
    free(f->paths);
    *f = (update_files){.count = 0};
}
