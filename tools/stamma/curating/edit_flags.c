/* SPDX-License-Identifier: MIT */
/* Sets and removes flags of games, which are in a file next to the archive. */
#include "curating/edit_flags.h"

#include "shared/flags.h"

bool edit_flags_read(const tool_values *names, uint32_t *flags)
{
    for (size_t n = 0; n < names->count; n++) {
        uint32_t flag;
        if (!stamma_flag_read(stamma_text_of(names->list[n].text), &flag)) {
            tool_say(NULL, "option --%s: there is no flag \"%s\"; use deleted, favourite, or a letter from a to z",
                     names->list[n].name, names->list[n].text);
            return false;
        }
        *flags |= flag;
    }
    return true;
}

/* ---- the games ---- */

static bool take_match(void *context, const stamma_match *match)
{
    edit_flags *e = context;
    if (!tool_ranges_have(e->ranges, match->game))
        return true;
    if (!tool_list_grow(&e->numbers, &e->room, e->count, 1, sizeof *e->numbers))
        return false;
    e->numbers[e->count++] = match->game;
    return true;
}

/* Lists the numbers of the games to change. */
static bool find_games(edit_flags *e, size_t archive)
{
    bool stopped = false;
    stamma_place place = {.offset = 0};
    const stamma_search_options options = answer_search_begin(&e->search, archive);
    e->count = 0;
    const stamma_error error = answer_search_games(&e->search, &options, take_match, e, &place, &stopped);
    answer_search_end(&e->search, error, place);
    return !error && !stopped;
}

/* ---- changes ---- */

static void list_change(edit_flags *e, const char *path, uint64_t number, uint32_t before, uint32_t after)
{
    char old[STAMMA_FLAGS_SIZE], now[STAMMA_FLAGS_SIZE];
    const stamma_text none = {NULL, 0};
    (void)stamma_flags_text(before, old, sizeof old);
    (void)stamma_flags_text(after, now, sizeof now);
    tool_changes_begin(e->list, path, number);
    tool_changes_tag(e->list, stamma_text_of("flags"), before ? stamma_text_of(old) : none,
                     after ? stamma_text_of(now) : none);
    tool_changes_end(e->list);
}

/* Makes the new flags from the old ones and the list of games, both in the order of their numbers. */
static bool make_flags(edit_flags *e, const char *path, const stamma_flags *old, stamma_flags *made)
{
    stamma_error error = STAMMA_OK;
    uint64_t next = stamma_flags_next(old, 1, STAMMA_FLAGS_ALL);
    for (size_t n = 0; (n < e->count || next > 0) && !error && tool_printed();) {
        const bool chosen = n < e->count && (next == 0 || e->numbers[n] <= next);
        const uint64_t number = chosen ? e->numbers[n++] : next;
        const uint32_t before = stamma_flags_of(old, number);
        const uint32_t after = chosen ? (before | e->added) & ~e->removed : before;
        if (before != after && e->list)
            list_change(e, path, number, before, after);
        error = stamma_flags_set(made, number, after);
        e->changed += before != after;
        e->flagged += after != 0;
        if (number == next)
            next = stamma_flags_next(old, number + 1, STAMMA_FLAGS_ALL);
    }
    if (error)
        tool_say(path, "%s", stamma_error_text(error));
    return !error && tool_printed();
}

static bool change_archive(edit_flags *e, size_t n, const char *path)
{
    stamma_archive *archive = e->search.sources[n].archive;
    stamma_flags *old = NULL, *made = NULL;
    bool exists = false;
    const uint64_t changed = e->changed;
    char *file = tool_flags_path(path);
    bool right = file && find_games(e, n) && tool_flags_read(file, archive, &exists, &old) &&
                 stamma_flags_read(archive, (stamma_text){NULL, 0}, &made) == STAMMA_OK &&
                 make_flags(e, path, old, made);
    if (right && !e->list && e->changed > changed)
        right = tool_flags_write(file, made, archive);
    stamma_flags_close(old);
    stamma_flags_close(made);
    free(file);
    return right;
}

bool edit_flags_run(edit_flags *e, char **paths, size_t count)
{
    bool right = answer_search_open(&e->search, paths, count, "searching", e->search.quiet);
    for (size_t n = 0; n < count && right; n++)
        right = change_archive(e, n, paths[n]);
    tool_progress_clear();
    return right;
}

void edit_flags_close(edit_flags *e)
{
    answer_search_close(&e->search);
    free(e->numbers);
}
