/* SPDX-License-Identifier: MIT */
/* Notices for searches without a result. */
#include "questions/answer_search.h"
#include "questions/player_names.h"

enum { SHOWN = 4 };

/* Returns whether an option is one name without wildcards. */
static bool is_name(const tool_value *value)
{
    static const char *const names[] = {"player", "white", "black"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (strcmp(value->name, names[n]) == 0)
            return value->text[0] != '@' && !strpbrk(value->text, "*?") &&
                   !player_names_several(stamma_text_of(value->text));
    return false;
}

/* Returns whether a game of the archives has a name, or the search fails. */
static bool has_games(answer_search *s, const tool_value *name)
{
    tool_value value = *name;
    const tool_values one = {.list = &value, .count = 1};
    stamma_stats_results sum = {.games = 0};
    stamma_query *query = NULL;
    bool right = tool_conditions_parse(&one, &query);
    for (size_t n = 0; n < s->source_count && right; n++) {
        const stamma_search_options options = answer_search_begin(s, n);
        right = s->source->archive && !stamma_stats_count_archive(&sum, s->source->archive, query, &options, NULL);
    }
    stamma_query_close(query);
    return !right || sum.games > 0;
}

/* Lists the players of all archives. Returns NULL if this fails. */
static stamma_players *list_players(answer_search *s)
{
    stamma_players *players = NULL;
    bool right = !stamma_players_open(NULL, &players);
    for (size_t n = 0; n < s->source_count && right; n++) {
        const stamma_search_options options = answer_search_begin(s, n);
        right = !stamma_players_add_archive(players, s->source->archive, &options, NULL);
    }
    if (right)
        return players;
    stamma_players_close(players);
    return NULL;
}

static void say_similar(const char *wanted, const stamma_player *found, size_t count)
{
    char text[400];
    size_t used = 0;
    for (size_t n = 0; n < count; n++) {
        const stamma_text name = found[n].name;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s\"=%.*s\" (%" PRIu64 " game%s)", n > 0 ? ", " : "",
                             (int)(name.size < 60 ? name.size : 60), name.data, found[n].games[0] + found[n].games[1],
                             found[n].games[0] + found[n].games[1] == 1 ? "" : "s");
    }
    tool_say(NULL, "no player has the name \"%s\"; did you mean %s?", wanted, text);
}

/* Suggests names for one that no game has. */
static void hint_name(answer_search *s, const tool_value *value, stamma_players **players)
{
    stamma_player found[SHOWN];
    size_t count = 0;
    const char *wanted = value->text + (value->text[0] == '=');
    if (has_games(s, value))
        return;
    *players = *players ? *players : list_players(s);
    if (*players && !stamma_players_similar(*players, stamma_text_of(wanted), found, SHOWN, &count) && count > 0)
        say_similar(wanted, found, count);
}

void answer_search_hint(answer_search *s)
{
    stamma_players *players = NULL;
    bool other = false; /* a table decides what names mean */
    tool_conditions_hint(&s->values);
    for (size_t n = 0; n < s->values.count; n++)
        other |= strcmp(s->values.list[n].name, "names") == 0;
    for (size_t n = 0; n < s->values.count && !other; n++)
        if (is_name(&s->values.list[n]))
            hint_name(s, &s->values.list[n], &players);
    tool_progress_clear();
    stamma_players_close(players);
}
