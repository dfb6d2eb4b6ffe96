/* SPDX-License-Identifier: MIT */
/* stamma event: crosstables, standings and checks of tournaments and matches. */
#include "reporting/event_view.h"

static const char about[] =
    "Lists the events in archives, or reports one of them: crosstable or results by round, standings\n"
    "with tie-breaks, teams and their matches, performance ratings and changes of ratings, and a check\n"
    "of rounds, boards and results. Conditions select games. ARCHIVE may be - for standard input.\n\n"
    "  stamma event games.stamma\n"
    "  stamma event games.stamma --event 'Tata Steel GpA'\n"
    "  stamma event games.stamma --event 'Gibraltar*' -o gibraltar.html\n"
    "  stamma event games.stamma --event 'Hastings*' --number 2\n\n"
    "--event NAME reports the event with this name. If the conditions select several events, they are\n"
    "listed. Events of one name in different years or at different sites are kept apart. doc/reference/events.md\n"
    "has all definitions.";

enum { TEXT_ROWS = 30 };

typedef struct event_command {
    event_report r;
    const char *out, *tie_breaks;
    uint64_t k_factor;
    bool json, force;
    bool moves; /* an event may be printed: read moves */
    size_t archive;
    tool_output *output;
} event_command;

/* ---- options ---- */

static bool read_tie_break(const char *word, size_t size, stamma_tie_break *rule)
{
    for (int n = STAMMA_TIE_BREAK_DIRECT; n <= STAMMA_TIE_BREAK_KOYA; n++) {
        const char *name = stamma_tie_break_name((stamma_tie_break)n);
        if (strlen(name) == size && memcmp(name, word, size) == 0) {
            *rule = (stamma_tie_break)n;
            return true;
        }
    }
    tool_say(NULL, "option --tie-breaks: unknown word \"%.*s\"; expected DE, BH, BH-C1, SB, WIN or KS", (int)size,
             word);
    return false;
}

static bool read_tie_breaks(event_command *c)
{
    event_report *r = &c->r;
    for (const char *at = c->tie_breaks; at;) {
        const char *comma = strchr(at, ',');
        const size_t size = comma ? (size_t)(comma - at) : strlen(at);
        if (r->options.tie_break_count == sizeof r->tie_breaks / sizeof *r->tie_breaks) {
            tool_say(NULL, "option --tie-breaks: at most 6 words");
            return false;
        }
        if (!read_tie_break(at, size, &r->tie_breaks[r->options.tie_break_count++]))
            return false;
        at = comma ? comma + 1 : NULL;
    }
    r->options.tie_breaks = c->tie_breaks ? r->tie_breaks : NULL;
    return true;
}

/* Returns the value of the condition --event; NULL: none. */
static const char *wanted_event(const event_report *r)
{
    for (size_t i = 0; i < r->search.values.count; i++)
        if (strcmp(r->search.values.list[i].name, "event") == 0)
            return r->search.values.list[i].text;
    return NULL;
}

static bool settle(event_command *c)
{
    event_report *r = &c->r;
    if (c->k_factor > 100) {
        tool_say(NULL, "option --k-factor: a number from 1 to 100 is expected");
        return false;
    }
    r->options.k_factor = (unsigned)c->k_factor;
    c->moves = r->all || r->number > 0 || wanted_event(r);
    if (r->limit == UINT64_MAX && !c->out && c->moves)
        r->limit = TEXT_ROWS;
    return read_tie_breaks(c) && tool_conditions_parse(&r->search.values, &r->search.query);
}

static int read_options(event_command *c, int argc, char **argv)
{
    event_report *r = &c->r;
    const tool_option own[] = {
        {'o', "output", "OUT", "write an HTML page, or the output of --json, to a file; -: standard\noutput",
         .text = &c->out},
        {TOOL_OPTION_FORCE, .flag = &c->force},
        {.name = "json", .help = "print a JSON object for the list, or for each event", .flag = &c->json},
        {.name = "number", .value = "N", .help = "report the event with number N of the list", .number = &r->number},
        {.name = "all", .help = "report all events that the conditions select", .flag = &r->all},
        {.name = "tie-breaks",
         .value = "LIST",
         .help = "tie-breaks in this order: DE direct encounter, BH Buchholz, BH-C1\nBuchholz cut 1, SB "
                 "Sonneborn-Berger, WIN wins, KS Koya; default\nDE,WIN,SB,KS, in Swiss events DE,BH-C1,BH,SB,WIN",
         .text = &c->tie_breaks},
        {.name = "k-factor",
         .value = "K",
         .help = "factor for changes of ratings; default 10 from 2400, otherwise 20",
         .number = &c->k_factor},
        {.name = "limit",
         .value = "N",
         .help = "maximum number of rows of a table, and of findings of a kind; default\nall, in a terminal 30 of an "
                 "event",
         .number = &r->limit},
        ANSWER_OPTIONS(&r->search),
    };
    const tool_usage usage = {"event", "ARCHIVE... [CONDITIONS]", about, own, sizeof own / sizeof *own, 1, -1};
    int operands, status;
    if (!tool_conditions_read(&usage, &r->search.values, argc, argv, &operands, &status))
        return status;
    r->paths = argv;
    r->path_count = (size_t)operands;
    return settle(c) ? -1 : TOOL_ERROR;
}

/* ---- games ---- */

static bool add_game(void *context, const stamma_archive_game *game)
{
    event_command *c = context;
    stamma_error error =
        stamma_events_add(c->r.events, game, (uint64_t)c->archive << EVENT_ARCHIVE_SHIFT | game->number);
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

static bool take_match(void *context, const stamma_match *match)
{
    event_command *c = context;
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | (c->moves ? STAMMA_GAME_MOVES : 0);
    return find_source_read(c->r.search.source, match->game, parts, add_game, c);
}

static stamma_error add_archive(void *context, answer_search *s, const stamma_search_options *options,
                                stamma_place *place)
{
    event_command *c = context;
    bool failed;
    c->archive = (size_t)(s->source - s->sources);
    stamma_error error = answer_search_games(s, options, take_match, c, place, &failed);
    return failed ? STAMMA_ERROR_CORRUPT : error;
}

/* ---- selection ---- */

/* Opens the facts of all events that are wanted: all, one by number, or those with exactly the wanted name if there
 * are any. */
static bool open_facts(event_report *r)
{
    const size_t count = stamma_events_count(r->events);
    const char *name = r->all || r->number ? NULL : wanted_event(r);
    size_t exact = 0;
    r->views = calloc(count + 1, sizeof *r->views);
    if (!r->views)
        return tool_fail_memory(NULL);
    for (size_t i = r->number ? (size_t)r->number - 1 : 0; i < (r->number ? (size_t)r->number : count); i++) {
        if (!event_view_open(&r->views[r->view_count++], r, i, false))
            return false;
        exact += name && strcmp(r->views[r->view_count - 1].name, name) == 0;
    }
    size_t kept = 0;
    for (size_t i = 0; exact > 0 && i < r->view_count; i++) {
        event_view *v = &r->views[i];
        if (strcmp(v->name, name) == 0)
            r->views[kept++] = *v;
        else
            event_view_close(v);
    }
    r->view_count = exact > 0 ? kept : r->view_count;
    return true;
}

/* Decides whether the events are printed, or listed. */
static bool open_events(event_command *c)
{
    event_report *r = &c->r;
    if (!open_facts(r))
        return false;
    r->full = r->all || r->number > 0 || (c->moves && r->view_count == 1);
    if (c->moves && !r->full && !r->search.quiet)
        tool_say(NULL, "%zu events match; --number N reports one of them, --all reports all", r->view_count);
    return true;
}

/* ---- output ---- */

static bool print(event_command *c)
{
    const event_report *r = &c->r;
    if (!c->out && !c->json)
        return event_put_text(r);
    c->output = tool_output_open(c->out ? c->out : "-", c->force);
    if (!c->output)
        return false;
    const stamma_output output = tool_output_callbacks(c->output);
    tool_put_to(&output);
    const bool right = c->json ? event_put_json(r) : event_put_html(r);
    tool_put_to(NULL);
    return right && tool_output_finish(c->output);
}

static int make(event_command *c)
{
    event_report *r = &c->r;
    stamma_error error = stamma_events_open(NULL, &r->events);
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    if (error || !answer_search_run(&r->search, r->paths, r->path_count, add_archive, c))
        return TOOL_ERROR;
    if ((error = stamma_events_find(r->events))) {
        tool_say(NULL, "%s", stamma_error_text(error));
        return TOOL_ERROR;
    }
    if (stamma_events_count(r->events) == 0)
        return TOOL_NOTHING;
    if (r->number > stamma_events_count(r->events)) {
        tool_say(NULL, "option --number: there are only %zu events", stamma_events_count(r->events));
        return TOOL_ERROR;
    }
    return open_events(c) && print(c) ? TOOL_DONE : TOOL_ERROR;
}

int tool_event(int argc, char **argv)
{
    event_command c = {.r = {.limit = UINT64_MAX, .options.size = sizeof c.r.options}};
    int status = read_options(&c, argc, argv);
    if (status < 0)
        status = make(&c);
    if (status == TOOL_NOTHING && !c.r.search.quiet)
        tool_conditions_hint(&c.r.search.values);
    tool_output_close(c.output);
    for (size_t i = 0; i < c.r.view_count; i++)
        event_view_close(&c.r.views[i]);
    free(c.r.views);
    stamma_events_close(c.r.events);
    answer_search_close(&c.r.search);
    return status;
}
