/* SPDX-License-Identifier: MIT */
/* Searches archives one after another. */
#include "questions/answer_search.h"

#include "shared/flags.h"

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    answer_search *s = context;
    (void)total;
    tool_mapped_forget(&s->source->file, done);
    tool_progress_show(&s->progress, s->passed + done, s->passed + done);
    return true;
}

/* Returns whether the time limit is reached. Several threads may call this function at the same time. */
static bool is_over(void *context)
{
    const answer_search *s = context;
    return tool_clock() >= s->until;
}

/* Returns whether a text begins with a first move, such as "e4 e5". */
static bool begins_game(const char *text)
{
    const stamma_position start = stamma_position_start();
    stamma_move move;
    return stamma_san_read(&start, (stamma_text){text, strcspn(text, " ")}, &move) == STAMMA_OK;
}

/* Returns whether a word may be the name of a file. Otherwise suggests the option that was probably omitted. */
static bool is_file(const char *path)
{
    if (strpbrk(path, "./") || strcmp(path, "-") == 0 || system_exists(path))
        return true;
    const char *quote = strchr(path, ' ') ? "\"" : "";
    tool_say(path, "%s; did you mean --%s %s%s%s?", strerror(ENOENT), begins_game(path) ? "moves" : "player", quote,
             path, quote);
    return false;
}

/* Reads the flags of an archive if they are needed. Standard input has none. */
static bool use_flags(const answer_search *s, const char *path, find_source *source)
{
    const bool needed = s->needs_flags || stamma_query_uses_flags(s->query);
    return !needed || !source->archive || strcmp(path, "-") == 0 ||
           tool_flags_use(path, source->archive, &source->flags);
}

bool answer_search_open(answer_search *s, char **paths, size_t count, const char *verb, bool hidden)
{
    uint64_t total = 0;
    if (!find_index_check(&s->index, count))
        return false;
    s->sources = calloc(count, sizeof *s->sources);
    for (size_t i = 0; s->sources && i < count; i++) {
        if ((count > 1 && !is_file(paths[i])) || !find_source_open(paths[i], &s->index, &s->sources[i]))
            return false;
        s->source_count++;
        if (!use_flags(s, paths[i], &s->sources[i]))
            return false;
        total += s->sources[i].file.size;
    }
    if (!s->sources)
        (void)tool_fail_memory(NULL);
    s->progress = tool_progress_start(verb, total, hidden);
    s->team = worker_threads_open(s->threads, &s->executor);
    return s->sources != NULL;
}

stamma_search_options answer_search_begin(answer_search *s, size_t archive)
{
    s->source = &s->sources[archive];
    return (stamma_search_options){.size = sizeof(stamma_search_options),
                                   .executor = &s->executor,
                                   .memory = s->memory,
                                   .context = s,
                                   .progress = show_progress,
                                   .stop = s->until > 0 ? is_over : NULL};
}

stamma_error answer_search_games(answer_search *s, const stamma_search_options *options,
                                 bool (*take)(void *context, const stamma_match *match), void *context,
                                 stamma_place *place, bool *stopped)
{
    const stamma_match *match = NULL;
    stamma_search *search = NULL;
    stamma_error error = s->source->error;
    if (!error)
        error = stamma_search_open(s->source->archive, s->query, options, &search);
    *stopped = false;
    while (!error && take && !*stopped && !(error = stamma_search_next(search, &match)) && match)
        *stopped = !take(context, match);
    if (error && search)
        *place = stamma_search_place(search);
    stamma_search_close(search);
    find_source_rest(s->source);
    return error;
}

void answer_search_end(answer_search *s, stamma_error error, stamma_place place)
{
    find_source_check(s->source);
    if (error)
        find_source_fail(s->source, error, place);
    s->passed += s->source->file.size;
}

bool answer_search_run(answer_search *s, char **paths, size_t count,
                       stamma_error (*add)(void *context, answer_search *s, const stamma_search_options *options,
                                           stamma_place *place),
                       void *context)
{
    if (!answer_search_open(s, paths, count, "searching", s->quiet))
        return false;
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < count && !error; i++) {
        const stamma_search_options options = answer_search_begin(s, i);
        stamma_place place = {.offset = 0};
        error = s->source->error ? s->source->error : add(context, s, &options, &place);
        answer_search_end(s, error, place);
    }
    tool_progress_clear();
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
    free(s->values.saved);
}
