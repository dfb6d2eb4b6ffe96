/* Searches archives for an answer that adds up. */
#include "questions/answer_search.h"

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    answer_search *s = context;
    (void)total;
    tool_mapped_forget(&s->source->file, done);
    tool_progress_show(&s->progress, s->passed + done, s->passed + done);
    return true;
}

/* Opens all archives first, to report a missing one before any is searched. */
static bool open_sources(answer_search *s, char **paths, size_t count)
{
    uint64_t total = 0;
    s->sources = calloc(count, sizeof *s->sources);
    for (size_t i = 0; s->sources && i < count; i++) {
        if (!find_source_open(paths[i], &s->index, &s->sources[i]))
            return false;
        s->source_count++;
        total += s->sources[i].file.size;
    }
    if (!s->sources)
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    s->progress = tool_progress_start("searching", total, s->quiet);
    return s->sources != NULL;
}

bool answer_search_run(answer_search *s, char **paths, size_t count,
                       stamma_error (*add)(void *context, const answer_search *s, const find_source *source,
                                           const stamma_search_options *options, stamma_place *place),
                       void *context)
{
    if (!find_index_check(&s->index, count) || !open_sources(s, paths, count))
        return false;
    s->team = worker_threads_open(s->threads, &s->executor);
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < count && !error; i++) {
        const stamma_search_options options = {.size = sizeof options,
                                               .executor = &s->executor,
                                               .memory = s->memory,
                                               .context = s,
                                               .progress = show_progress};
        stamma_place place = {.offset = 0};
        s->source = &s->sources[i];
        error = s->source->error;
        if (!error)
            error = add(context, s, s->source, &options, &place);
        tool_progress_clear();
        find_source_check(s->source);
        if (error)
            find_source_fail(&s->sources[i], error, place);
        s->passed += s->sources[i].file.size;
    }
    return !error;
}

void answer_search_close(answer_search *s)
{
    for (size_t i = 0; i < s->source_count; i++)
        find_source_close(&s->sources[i]);
    free(s->sources);
    worker_threads_close(s->team);
    stamma_query_close(s->query);
    free(s->values.list);
}
