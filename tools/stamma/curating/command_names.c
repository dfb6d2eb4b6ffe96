/* SPDX-License-Identifier: MIT */
/* stamma names: finds different spellings of players, events, sites, rounds and
 * dates, and replaces them. */
#include "curating/name_apply.h"
#include "curating/name_lists.h"
#include "curating/person_write.h"
#include "games/game_views.h"

static const char about[] = "Finds names that are written in different ways: players, events, sites, "
                            "rounds and incomplete\n"
                            "dates. Prints a table of decisions, which a person can edit. With "
                            "--apply, writes an archive\n"
                            "in which the decisions of a table are applied: only the tags that the "
                            "table lists change, and\n"
                            "all other bytes stay. The ARCHIVEs are not changed.\n\n"
                            "The table is a CSV file with these columns:\n"
                            "  kind     player, event, site, round or date\n"
                            "  from,to  a value, and what replaces it\n"
                            "  why      what differs: format, order, spelling, typo, initials, "
                            "shortened; or id, list, round\n"
                            "  games    number of games\n"
                            "  apply    yes; or no if the decision is uncertain. Edit this column\n"
                            "  doubt    why the decision is uncertain\n"
                            "  id, event, site, round\n"
                            "           the games for which the decision is; empty: all games\n"
                            "  evidence,error\n"
                            "           players: facts that support the decision, and the chance that it is wrong\n"
                            "  federation,title,born,fide\n"
                            "           players: what --spelling or --fide says about the player; the FIDE id\n"
                            "Rows with more games are first. FIDE ids decide before spellings. "
                            "Names of different FIDE ids are never made equal without --merge-ids. "
                            "doc/reference/names.md describes\n"
                            "all rules.\n\n"
                            "The exit status is 1 if there are no decisions, or with --apply if no "
                            "game changed.";

typedef struct naming {
    tool_many many;
    tool_rewriting writing;
    const char *apply, *kinds, *spelling, *fide, *persons, *decided, *fill;
    bool json, quiet, merge_ids;
    stamma_names *names;
    tool_name_lists lists;
} naming;

/* Returns false after a message. */
static bool check(stamma_error error)
{
    if (error == STAMMA_ERROR_LIMIT)
        tool_say(NULL, "the names need more memory than the limit (--memory)");
    else if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

/* ---- the table of decisions ---- */

static bool add_game(void *context, const stamma_archive_game *game)
{
    naming *d = context;
    if (game->continuation)
        return true;
    stamma_error error = stamma_names_add(d->names, game);
    return check(error ? error : tool_name_lists_correct(&d->lists, game, d->names));
}

/* Writes the facts that support a decision: "id list". */
static void write_evidence(uint32_t evidence, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned n = 0; n < 32 && used < size; n++)
        if (evidence >> n & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "",
                                     stamma_name_evidence_name((stamma_name_evidence)n));
}

/* Prints a table of the decisions, or objects. */
static void print_row(const naming *d, const stamma_name_decision *row, stamma_text fide, tool_table *table)
{
    static const char *const keys[] = {"kind", "from",  "to",       "why",   "apply",      "doubt", "id",   "event",
                                       "site", "round", "evidence", "error", "federation", "title", "born", "fide"};
    stamma_name_person person = {.size = sizeof person};
    const bool player = row->kind == STAMMA_NAME_PLAYER, json = d->json;
    char id[64], evidence[128], error[16] = "", born[16] = "";
    int size = row->id.size < 32 ? (int)row->id.size : 32;
    const char *only = !row->only_id ? "" : size > 0 ? "only " : "none";
    (void)snprintf(id, sizeof id, "%s%.*s", only, size, size > 0 ? row->id.data : "");
    write_evidence(row->evidence, evidence, sizeof evidence);
    if (player)
        (void)snprintf(error, sizeof error, "%u.%06u", (unsigned)row->error / 1000000, (unsigned)row->error % 1000000);
    if (row->person > 0 && check(stamma_names_person(d->names, row->person, &person)) && person.born > 0)
        (void)snprintf(born, sizeof born, "%u", person.born);
    const stamma_text cells[] = {stamma_text_of(stamma_name_kind_name(row->kind)),
                                 row->from,
                                 row->to,
                                 stamma_text_of(row->why),
                                 stamma_text_of(row->certain ? "yes" : "no"),
                                 stamma_text_of(row->doubt),
                                 stamma_text_of(id),
                                 row->event,
                                 row->site,
                                 row->round,
                                 stamma_text_of(evidence),
                                 stamma_text_of(error),
                                 person.federation,
                                 person.title,
                                 stamma_text_of(born),
                                 fide.size > 0 ? fide : person.id};
    enum { CELLS = sizeof cells / sizeof *cells, GAMES = 4 };
    if (json)
        tool_json_open(NULL, '{');
    for (size_t n = 0; n < CELLS; n++) {
        if (n == GAMES && json)
            tool_json_number("games", row->games);
        else if (n == GAMES)
            tool_cell_number(table, row->games);
        if (json)
            tool_json_text(keys[n], cells[n].data ? cells[n] : (stamma_text){"", 0});
        else
            tool_cell_text(table, cells[n]);
    }
    if (!json) {
        tool_row_end(table);
        return;
    }
    tool_json_close('}');
    tool_json_end();
}

/* Prints a row for a name that stays, if something is known about the player that tags of the games may lack. */
static void print_same(const naming *d, const stamma_name_player *p, tool_table *table)
{
    const stamma_name_decision row = {.kind = STAMMA_NAME_PLAYER,
                                      .from = p->name,
                                      .to = p->name,
                                      .why = "same",
                                      .doubt = "",
                                      .certain = true,
                                      .id = p->id,
                                      .only_id = true,
                                      .games = p->games,
                                      .person = p->person};
    const bool same = p->games > 0 && p->name.size == p->to.size && memcmp(p->name.data, p->to.data, p->to.size) == 0;
    if (same && p->player_id.size > 0 && (p->id.size == 0 || p->person > 0))
        print_row(d, &row, p->player_id, table);
}

static int print_table(const naming *d)
{
    static const char *const heads[] = {"kind",  "from",       "to",    "why",  "games", "apply",
                                        "doubt", "id",         "event", "site", "round", "evidence",
                                        "error", "federation", "title", "born", "fide"};
    tool_table table = {.raw = true};
    const size_t count = stamma_names_count(d->names), players = stamma_names_player_count(d->names);
    if (!d->json)
        tool_names_row(&table, heads, sizeof heads / sizeof *heads);
    for (size_t n = 0; n < count && tool_printed(); n++) {
        stamma_name_decision row;
        if (check(stamma_names_at(d->names, n, &row)))
            print_row(d, &row, row.kind == STAMMA_NAME_PLAYER ? row.id : (stamma_text){"", 0}, &table);
    }
    for (size_t n = 0; n < players && d->fill && tool_printed(); n++) {
        stamma_name_player player = {.size = sizeof player};
        if (check(stamma_names_player(d->names, n, &player)))
            print_same(d, &player, &table);
    }
    return !tool_printed() ? TOOL_ERROR : count > 0 || d->fill ? TOOL_DONE : TOOL_NOTHING;
}

/* Writes the file of persons, by the decisions of a table if there is one. */
static bool write_persons(const naming *d)
{
    tool_name_table table = {.count = 0};
    const bool right = (!d->decided || tool_name_table_read(d->decided, &table)) &&
                       person_write(d->persons, d->names, d->decided ? &table : NULL, d->quiet);
    tool_name_table_close(&table);
    return right;
}

static int list(naming *d, const stamma_names_options *options)
{
    tool_output *output = NULL;
    int status = TOOL_ERROR;
    bool file = d->writing.out && strcmp(d->writing.out, "-") != 0;
    const bool prints = d->writing.out || !d->persons;
    if (file && !(output = tool_output_open(d->writing.out, d->writing.force)))
        return TOOL_ERROR;
    d->many.progress = tool_progress_start("reading", 0, d->quiet);
    bool right = check(stamma_names_open(options, &d->names)) &&
                 (!d->spelling || tool_name_lists_spelling(&d->lists, d->spelling, d->names)) &&
                 (!d->fide || tool_name_lists_fide(d->fide, d->names)) &&
                 tool_many_visit(&d->many, STAMMA_GAME_TAGS, add_game, d) && check(stamma_names_find(d->names));
    tool_progress_clear();
    right = right && (!d->persons || write_persons(d));
    if (right && !prints)
        status = TOOL_DONE;
    else if (right && (!file || tool_output_take_printed(output)))
        status = print_table(d);
    if (status != TOOL_ERROR && file && !(tool_print_finish() && tool_output_finish(output)))
        status = TOOL_ERROR;
    tool_output_close(output);
    tool_name_lists_close(&d->lists);
    stamma_names_close(d->names);
    return status;
}

/* ---- the archive with other names ---- */

/* Reads which tags are filled in: id, title. */
static bool read_fill(const char *words, bool *id, bool *title)
{
    for (const char *at = words ? words : ""; *at;) {
        const size_t size = strcspn(at, ",");
        bool *const word = tool_text_is((stamma_text){at, size}, "id")      ? id
                           : tool_text_is((stamma_text){at, size}, "title") ? title
                                                                            : NULL;
        if (!word) {
            tool_say(NULL, "option --fill-in: unknown word \"%.*s\"; expected id, title or both, with a comma",
                     (int)size, at);
            return false;
        }
        *word = true;
        at += size + (at[size] == ',');
    }
    return true;
}

static int apply(naming *d, unsigned kinds)
{
    tool_name_table table;
    name_apply a = {.table = &table, .fields = kinds};
    if (!read_fill(d->fill, &a.fills_id, &a.fills_title))
        return TOOL_ERROR;
    char games[TOOL_NUMBER_SIZE], all[TOOL_NUMBER_SIZE], tags[TOOL_NUMBER_SIZE], filled[TOOL_NUMBER_SIZE];
    if (!tool_name_table_read(d->apply, &table))
        return TOOL_ERROR;
    d->writing.rewrite = name_apply_game;
    d->writing.context = &a;
    d->writing.parts = STAMMA_GAME_TAGS;
    d->many.progress = tool_progress_start("writing", 0, d->quiet);
    bool right = tool_rewriting_open(&d->writing) && (d->merge_ids || name_apply_check_ids(&a, &d->many)) &&
                 tool_rewriting_run(&d->writing, &d->many);
    tool_progress_clear();
    if (right && !d->quiet)
        tool_say(d->writing.out,
                 d->fill ? "%s of %s games changed, %s tags; %s tags added" : "%s of %s games changed, %s tags",
                 tool_number(d->writing.edited, games), tool_number(d->writing.edited + d->writing.kept, all),
                 tool_number(a.tags, tags), tool_number(a.filled, filled));
    tool_rewriting_close(&d->writing);
    name_apply_close(&a);
    tool_name_table_close(&table);
    return !right ? TOOL_ERROR : d->writing.edited > 0 ? TOOL_DONE : TOOL_NOTHING;
}

/* ---- the command ---- */

/* Reads names of kinds, separated by commas. Their plurals are earlier names. */
static bool read_kinds(const char *names, unsigned *kinds)
{
    static const char *const words[] = {"player", "event", "site", "round", "date"};
    enum { WORDS = sizeof words / sizeof *words };
    for (const char *at = names; *at;) {
        size_t size = strcspn(at, ","), n = 0;
        const size_t length = size - (size > 0 && at[size - 1] == 's');
        while (n < WORDS && !tool_text_is((stamma_text){at, length}, words[n]))
            n++;
        if (n == WORDS) {
            tool_say(NULL, "--kinds: \"%.*s\" is no kind; use player, event, site, round, date", (int)size, at);
            return false;
        }
        *kinds |= 1u << n;
        at += size + (at[size] == ',');
    }
    return true;
}

static bool check_use(const naming *d)
{
    if (d->apply && !d->writing.out)
        tool_say(NULL, "--apply requires -o: the archive to write");
    else if (d->apply && d->json)
        tool_say(NULL, "--apply and --json cannot be used together");
    else if (d->apply && (d->spelling || d->fide || d->persons))
        tool_say(NULL, "--apply cannot be used with --%s",
                 d->persons ? "write-persons"
                            : "spelling and --fide, which "
                              "are for the table");
    else if (d->decided && !d->persons)
        tool_say(NULL, "--names requires --write-persons");
    else if (d->persons && !strstr(d->kinds, "player"))
        tool_say(NULL, "--write-persons requires the kind player");
    else
        return true;
    return false;
}

int tool_names(int argc, char **argv)
{
    naming d = {.kinds = "player,event,site,round,date", .writing = {.command = "names"}};
    const tool_option options[] = {
        {'o', "output", "OUT",
         "file to write: the table, or the archive with --apply; -: standard "
         "output",
         .text = &d.writing.out},
        {TOOL_OPTION_FORCE, .flag = &d.writing.force},
        {.name = "apply",
         .value = "TABLE",
         .help = "write an archive with the decisions of this CSV file (--names TABLE of find, ls\nand others only "
                 "prints or searches with them); default: write nothing but the\ntable",
         .text = &d.apply},
        {.name = "kinds",
         .earlier = "fields",
         .value = "KIND,...",
         .help = "kinds of names: player, event, site, round, date; default: all",
         .text = &d.kinds},
        {.name = "spelling",
         .value = "FILE",
         .help = "players with FIDE ids, and correct names: a spelling file of Scid (.ssp)",
         .text = &d.spelling},
        {.name = "fide",
         .value = "FILE",
         .help = "players with FIDE ids: the list of players of FIDE, as text or XML",
         .text = &d.fide},
        {.name = "fill-in",
         .value = "WHAT,...",
         .help = "with --apply: also add missing tags of players, as the table says: id (WhiteFideId,\nBlackFideId), "
                 "title (WhiteTitle, BlackTitle). Otherwise: also list names that stay,\nif an id or a title is known",
         .text = &d.fill},
        {.name = "write-persons",
         .value = "FILE",
         .help = "add the players to a file of persons, usually ARCHIVE.persons, which --person of\nfind, tree, stats, "
                 "report and others reads. Lines of the file never change.\nWithout -o, no table is printed",
         .text = &d.persons},
        {.name = "names",
         .value = "TABLE",
         .help = "with --write-persons: use the decisions of this CSV file",
         .text = &d.decided},
        {.name = "merge-ids", .help = "players with different FIDE ids may be the same player", .flag = &d.merge_ids},
        {.name = "json", .help = "print an object for each decision", .flag = &d.json},
        {TOOL_OPTION_LEVEL, .number = &d.writing.level},
        {TOOL_OPTION_THREADS, .number = &d.writing.threads},
        {.name = "memory",
         .value = "SIZE",
         .least = TOOL_MEMORY_MIN,
         .help = "memory limit for the names of all games, about 100 bytes a "
                 "game;\ndefault: no limit",
         .size = &d.writing.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &d.quiet},
    };
    const tool_usage usage = {"names", "ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    stamma_names_options names = {.size = sizeof names};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check_use(&d) || !read_kinds(d.kinds, &names.kinds) ||
        !tool_many_open(&d.many, "names", argv, (size_t)operands))
        return TOOL_ERROR;
    names.memory = d.writing.memory ? d.writing.memory : STAMMA_NO_LIMIT;
    names.merge_ids = d.merge_ids;
    bool id, title;
    if (d.apply)
        status = apply(&d, names.kinds);
    else if (read_fill(d.fill, &id, &title))
        status = list(&d, &names);
    tool_many_close(&d.many);
    return status;
}
