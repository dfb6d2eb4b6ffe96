/* SPDX-License-Identifier: MIT */
/* Files of pages next to archives: games.stamma.pages has the pages of games.stamma. */
#include "shared/archive_pages.h"

char *tool_pages_path(const char *archive)
{
    return tool_path_beside(archive, ".pages");
}

static void say(const tool_pages *p, stamma_error error)
{
    const bool file = error == STAMMA_ERROR_NO_ARCHIVE;
    const char *problem = file ? "is not a file of pages" : tool_index_problem(error);
    if (problem)
        tool_say(p->path, "%s, and is not used; run 'stamma pages %s%s'", problem,
                 error == STAMMA_ERROR_MISMATCH ? "" : "-f ", p->archive);
    else
        tool_say(p->path, "is not used: %s", stamma_error_text(error));
}

void tool_pages_open(const char *archive, const stamma_bytes *bytes, tool_pages *p)
{
    *p = (tool_pages){.path = tool_pages_path(archive), .archive = strdup(archive)};
    if (!p->path || !p->archive || !tool_index_map(p->path, &p->file))
        return;
    const stamma_bytes file = tool_mapped_bytes(&p->file);
    const stamma_error error = stamma_pages_open(&file, bytes, NULL, &p->pages);
    if (error)
        say(p, error);
}

bool tool_pages_add(tool_pages *p, stamma_tree *tree, stamma_text name, const stamma_position *before, size_t count)
{
    bool found = false;
    if (!p->pages || p->damaged)
        return false;
    const stamma_error error = stamma_tree_add_pages(tree, name, p->pages, before, count, &found);
    if (error == STAMMA_ERROR_CORRUPT) {
        say(p, error);
        p->damaged = true;
    }
    return !error && found;
}

void tool_pages_close(tool_pages *p)
{
    stamma_pages_close(p->pages);
    if (p->file.bytes)
        tool_mapped_close(&p->file);
    free(p->path);
    free(p->archive);
    *p = (tool_pages){.path = NULL};
}
