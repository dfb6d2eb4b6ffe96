/* SPDX-License-Identifier: MIT */
/* Compares archives with their index files. */
#include "packing/verify_index.h"

typedef struct comparing {
    const verify_index *index;
    tool_progress progress;
} comparing;

static void take_difference(void *context, const stamma_index_difference *d)
{
    const comparing *c = context;
    char segment[TOOL_NUMBER_SIZE], number[TOOL_NUMBER_SIZE], game[TOOL_NUMBER_SIZE];
    tool_progress_clear();
    tool_say(c->index->path, "differs from the archive: %s%s%s%s%s%s%s", d->part, d->number > 0 ? " " : "",
             d->number > 0 ? tool_number(d->number, number) : "", d->segment > 0 ? ", segment " : "",
             d->segment > 0 ? tool_number(d->segment, segment) : "", d->game > 0 ? ", game " : "",
             d->game > 0 ? tool_number(d->game, game) : "");
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    comparing *c = context;
    tool_progress_show(&c->progress, done, total);
    return true;
}

static bool compare(verify_index *x, const tool_mapped *archive, const tool_mapped *file, bool quiet)
{
    comparing c = {.index = x, .progress = tool_progress_start("comparing the index", archive->size, quiet)};
    const stamma_index_verify_options options = {
        .size = sizeof options, .context = &c, .difference = take_difference, .progress = show_progress};
    const stamma_bytes bytes = tool_mapped_bytes(archive), index = tool_mapped_bytes(file);
    const stamma_archive_options with_index = {.size = sizeof with_index, .index = &index};
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&bytes, &with_index, &opened);
    if (!error)
        error = stamma_index_verify(opened, &options, &x->differences);
    stamma_archive_close(opened);
    const char *problem = tool_index_problem(error);
    tool_progress_clear();
    x->compared = error == STAMMA_OK;
    if (problem)
        tool_say(x->path, "%s", problem);
    else if (error)
        tool_say(x->path, "cannot be compared: %s", stamma_error_text(error));
    return x->compared && x->differences == 0;
}

bool verify_index_compare(verify_index *x, const char *path, bool quiet)
{
    tool_mapped archive, file;
    bool right = false;
    x->path = tool_index_path(path);
    if (!x->path || !tool_mapped_open(path, &archive))
        return false;
    if (tool_mapped_open(x->path, &file)) {
        right = compare(x, &archive, &file, quiet);
        tool_mapped_close(&file);
    }
    tool_mapped_close(&archive);
    return right;
}

void verify_index_print(const verify_index *x)
{
    char number[TOOL_NUMBER_SIZE];
    if (!x->compared)
        return;
    (void)tool_text_print(stdout, stamma_text_of(x->path));
    if (x->differences == 0)
        printf(": agrees with the archive\n");
    else
        printf(": %s difference%s from the archive; stamma index -f writes it again\n",
               tool_number(x->differences, number), x->differences == 1 ? "" : "s");
}

void verify_index_print_json(const verify_index *x)
{
    if (x->compared)
        tool_json_number("index_differences", x->differences);
    else
        tool_json_string("index_differences", NULL);
}

void verify_index_free(verify_index *x)
{
    free(x->path);
    *x = (verify_index){.path = NULL};
}
