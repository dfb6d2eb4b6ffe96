/* SPDX-License-Identifier: MIT */
/* stamma edit: changes the tags and the movetext of games, and their order. */
#include "curating/edit_flags.h"
#include "curating/edit_replace.h"
#include "curating/edit_sort.h"

static const char about[] =
    "Changes the tags and the movetext of the games that match all conditions, and writes all\n"
    "games. Without conditions, all games are changed. GAMES after a single ARCHIVE are numbers of\n"
    "the games that are changed: 17  100..200  last. The ARCHIVEs are not changed, and games that do\n"
    "not change stay the same, byte for byte. doc/howto/edit_games.md has examples.\n\n"
    "  stamma edit games.stamma -o new.stamma --event \"Tata*\" --set Event=\"Tata Steel\"\n"
    "  stamma edit a.stamma b.stamma -o moves.pgn --strip comments,variations --sort date,white\n"
    "  stamma edit games.stamma 17 100..120 --delete -f -o games.stamma\n"
    "  stamma edit games.stamma 17 --replace annotation --with game.pgn -f -o games.stamma\n"
    "  stamma edit games.stamma 17 --add-flag favourite --add-flag a\n\n"
    "A tag is set in games that lack it, too. --rename keeps both tags of a game that already\n"
    "has the new one. If Result is set, the result after the moves is changed, too. Where a\n"
    "comment or a variation is not closed, the movetext stays unchanged; a message reports the\n"
    "number of games.\n\n"
    "--replace replaces parts of the game with one number by those of the game in a PGN file: tags;\n"
    "moves, with comments, variations and result; or annotation, if the moves are the same.\n\n"
    "--add-flag and --remove-flag change only the file ARCHIVE.flags (doc/reference/flags.md). Other changes\n"
    "write it for OUT, with the flags that the games have.\n\n"
    "The exit status is 1 if --dry-run finds nothing to change.";

typedef struct editing {
    tool_values sets, renames, removals, conditions, add_flags, remove_flags;
    char **games; /* numbers and ranges */
    int game_count;
    tool_ranges ranges;
    bool deletes;
    const char *replaced, *with;
    edit_replace replace;
    edit_flags flags;
    const char *strip, *sort;
    char sorts[320];
    uint64_t plies; /* of --cut */
    bool dry_run, json, quiet, pgn;
    tool_many many;
    tool_rewriting rewriting;
    stamma_query *query;
    stamma_matcher *matcher;
    stamma_tag_edit *edits;
    size_t edit_count;
    stamma_text result; /* of --set Result=... */
    char ply_count[TOOL_NUMBER_SIZE];
    tool_game_change change;
    tool_changes list;
    edit_sort sorted;
    uint64_t matched;
} editing;

/* ---- edits of tags ---- */

static bool discard(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return true;
}

/* Returns whether the library accepts the names and the value of an edit. */
static bool is_sound(const stamma_tag_edit *edit)
{
    const stamma_output nowhere = {NULL, discard, NULL};
    const stamma_text game = stamma_text_of("[Event \"?\"]\n\n*\n");
    return stamma_pgn_edit_tags(game, edit, 1, &nowhere) == STAMMA_OK;
}

static bool is_named(const editing *e, stamma_text name)
{
    for (size_t n = 0; n < e->edit_count; n++)
        for (unsigned k = 0; k < 2; k++) {
            const stamma_text other = k == 0 ? e->edits[n].name : e->edits[n].new_name;
            if (other.data && other.size == name.size && memcmp(other.data, name.data, name.size) == 0)
                return true;
        }
    return false;
}

static bool check_name(const editing *e, const char *option, stamma_text name)
{
    if (is_named(e, name))
        tool_say(NULL, "option --%s: the tag %.*s is changed twice", option, (int)name.size, name.data);
    else if (tool_text_is(name, "FEN"))
        tool_say(NULL, "option --%s: the tag FEN cannot be changed; the moves depend on it", option);
    else
        return true;
    return false;
}

/* Adds an edit: NAME for --remove, otherwise NAME=VALUE. */
static bool add_edit(editing *e, const char *option, const char *text, bool renames)
{
    const size_t size = strcspn(text, "=");
    const bool removes = strcmp(option, "remove") == 0;
    const stamma_text rest = stamma_text_of(text[size] ? text + size + 1 : "");
    stamma_tag_edit edit = {.name = {text, size}, .remove = removes};
    if (!removes)
        *(renames ? &edit.new_name : &edit.value) = rest;
    if (removes ? text[size] != 0 : text[size] == 0) {
        tool_say(NULL, "option --%s: \"%s\"; expected %s", option, text, removes ? "NAME" : "NAME=VALUE");
        return false;
    }
    if (!is_sound(&edit)) {
        tool_say(NULL, "option --%s: \"%s\" is not a tag that PGN allows", option, text);
        return false;
    }
    if (!check_name(e, option, edit.name) || (renames && !check_name(e, option, edit.new_name)))
        return false;
    e->edits[e->edit_count++] = edit;
    return true;
}

static bool add_edits(editing *e, const tool_values *values, bool renames)
{
    for (size_t n = 0; n < values->count; n++)
        if (!add_edit(e, values->list[n].name, values->list[n].text, renames))
            return false;
    return true;
}

/* If the tag Result is set, also sets the result after the moves. */
static bool choose_result(editing *e)
{
    for (size_t n = 0; n < e->edit_count; n++) {
        const stamma_tag_edit *edit = &e->edits[n];
        if (!tool_text_is(edit->name, "Result") || !edit->value.data)
            continue;
        if (!tool_text_is(edit->value, stamma_result_text(stamma_result_read(edit->value)))) {
            tool_say(NULL, "option --set: \"%s\" is not a result; use 1-0, 0-1, 1/2-1/2 or *", edit->value.data);
            return false;
        }
        e->result = edit->value;
        e->change.movetext.result = &e->result;
    }
    return true;
}

/* Builds the change of all games that match. */
static bool choose_change(editing *e)
{
    const size_t most = e->sets.count + e->renames.count + e->removals.count + 1;
    e->edits = calloc(most, sizeof *e->edits);
    if (!e->edits)
        return tool_fail_memory(NULL);
    e->change.movetext.plies = e->plies;
    if (!tool_strip_read(e->strip, &e->change.movetext.strip) || !add_edits(e, &e->sets, false) ||
        !add_edits(e, &e->renames, true) || !add_edits(e, &e->removals, false) || !choose_result(e))
        return false;
    e->change.tags = e->edits;
    e->change.tag_count = e->edit_count;
    return true;
}

/* ---- games ---- */

static bool matches(editing *e, const stamma_archive_game *game, bool *found)
{
    *found = !e->matcher;
    if (e->game_count > 0 && !tool_ranges_have(&e->ranges, game->number)) {
        *found = false;
        return true;
    }
    const stamma_error error = e->matcher ? stamma_matcher_test(e->matcher, game, found, NULL, NULL) : STAMMA_OK;
    e->matched += *found;
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

/* Sets the tag PlyCount of a game that --cut shortens, if the game has this tag. */
static void set_ply_count(editing *e, const stamma_archive_game *game)
{
    const stamma_text name = stamma_text_of("PlyCount");
    const bool set = game->ply_count > e->plies && stamma_archive_game_tag(game, name).data && !is_named(e, name);
    e->change.tag_count = e->edit_count + set;
    if (!set)
        return;
    (void)snprintf(e->ply_count, sizeof e->ply_count, "%" PRIu64, e->plies);
    e->edits[e->edit_count] = (stamma_tag_edit){.name = name, .value = stamma_text_of(e->ply_count)};
}

/* Lists a game that would be deleted by the names of its players. */
static tool_verdict delete_game(editing *e, const stamma_archive_game *game)
{
    if (!e->dry_run)
        return TOOL_GAME_DROP;
    const stamma_text white = tool_text_unescape(stamma_archive_game_tag(game, stamma_text_of("White")));
    const stamma_text black = tool_text_unescape(stamma_archive_game_tag(game, stamma_text_of("Black")));
    tool_buffer names = {0};
    (void)tool_buffer_add(&names, white.data, white.size);
    (void)tool_buffer_add(&names, " - ", 3);
    (void)tool_buffer_add(&names, black.data, black.size);
    const bool right = !names.failed || tool_fail_memory(NULL);
    if (right)
        tool_changes_note(&e->list, "deleted", (stamma_text){names.bytes, names.size});
    free((char *)(uintptr_t)white.data);
    free((char *)(uintptr_t)black.data);
    tool_buffer_free(&names);
    return right ? TOOL_GAME_DROP : TOOL_GAME_FAIL;
}

static tool_verdict rewrite(void *context, const stamma_archive_game *game, uint64_t index, tool_buffer *edited)
{
    editing *e = context;
    bool found = false;
    (void)index;
    if (!matches(e, game, &found))
        return TOOL_GAME_FAIL;
    if (!found)
        return TOOL_GAME_KEEP;
    if (e->deletes)
        return delete_game(e, game);
    if (e->replace.what)
        return edit_replace_apply(&e->replace, game, edited, e->dry_run ? &e->list : NULL);
    set_ply_count(e, game);
    return tool_game_change_apply(&e->change, game, edited, e->dry_run ? &e->list : NULL);
}

/* ---- output ---- */

static bool list_game(void *context, const stamma_archive_game *game)
{
    editing *e = context;
    if (game->continuation)
        return true;
    tool_changes_begin(&e->list, e->many.paths[e->many.at], e->many.games - e->many.first[e->many.at] + 1);
    const bool right = rewrite(e, game, e->many.games, NULL) != TOOL_GAME_FAIL;
    tool_changes_end(&e->list);
    return right && tool_printed();
}

static bool keep_text(void *context, const stamma_archive_game *game, stamma_text text)
{
    editing *e = context;
    const size_t plies = game->ply_count < e->plies ? game->ply_count : (size_t)e->plies;
    return edit_sort_add(&e->sorted, game, text, plies);
}

static bool write_sorted(void *context, tool_rewriting *r)
{
    editing *e = context;
    return edit_sort_write(&e->sorted, r);
}

static void print_summary(const editing *e, uint64_t changed)
{
    char number[TOOL_NUMBER_SIZE], all[TOOL_NUMBER_SIZE];
    const char *name = e->dry_run ? NULL : e->rewriting.out;
    tool_say(name, "%s of %s games %s%s", tool_number(changed, number), tool_number(e->many.games, all),
             e->dry_run ? "would " : "",
             e->deletes   ? e->dry_run ? "be deleted" : "deleted"
             : e->dry_run ? "change"
                          : "changed");
    if (e->change.refused > 0)
        tool_say(name, "%s game%s with a movetext that is damaged or too large, which stays unchanged",
                 tool_number(e->change.refused, number), e->change.refused == 1 ? "" : "s");
}

static int run(editing *e)
{
    tool_rewriting *r = &e->rewriting;
    bool right;
    e->many.progress = tool_changes_progress("editing", e->dry_run, e->quiet);
    r->parts |= e->replace.what ? STAMMA_GAME_MOVES : 0;
    r->parts |= STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | (e->query ? stamma_query_parts(e->query) : 0);
    r->rewrite = rewrite;
    r->context = e;
    if (e->dry_run) {
        right = tool_many_visit(&e->many, r->parts | STAMMA_GAME_TEXT, list_game, e);
        tool_progress_clear();
    } else {
        r->take = e->sort ? keep_text : NULL;
        r->finish = write_sorted;
        right = (!e->sort || edit_sort_open(&e->sorted, e->sort)) && tool_rewriting_run(r, &e->many);
    }
    const uint64_t changed = e->dry_run ? e->list.games : r->edited + r->dropped;
    if (right && !e->quiet)
        print_summary(e, changed);
    return !right ? TOOL_ERROR : e->dry_run && changed == 0 ? TOOL_NOTHING : TOOL_DONE;
}

/* ---- the command ---- */

static bool is_pgn(const editing *e)
{
    const char *point = e->rewriting.out ? strrchr(e->rewriting.out, '.') : NULL;
    return e->pgn || (point && strcmp(point, ".pgn") == 0);
}

static bool changes_flags(const editing *e)
{
    return e->add_flags.count + e->remove_flags.count > 0;
}

static bool check_flags(const editing *e, bool any)
{
    if (any || e->deletes || e->sort || e->rewriting.out || e->pgn)
        tool_say(NULL, "--add-flag and --remove-flag write only the file ARCHIVE.flags, and cannot be used with other "
                       "changes or -o");
    else if (e->flags.added & e->flags.removed)
        tool_say(NULL, "a flag cannot be added and removed");
    else if (e->json && !e->dry_run)
        tool_say(NULL, "--json requires --dry-run");
    else
        return true;
    return false;
}

static bool check_changes(const editing *e, bool any)
{
    if (e->deletes && (any || (e->sort && e->dry_run)))
        tool_say(NULL, "--delete cannot be used with changes of games");
    else if (e->deletes && e->game_count == 0 && e->conditions.count == 0)
        tool_say(NULL, "--delete requires GAMES or conditions");
    else if (!e->rewriting.out && !e->dry_run)
        tool_say(NULL, "edit: -o is required: the archive to write; --dry-run only lists the changes");
    else if (e->rewriting.out && e->dry_run)
        tool_say(NULL, "--dry-run and -o cannot be used together");
    else if (e->json && !e->dry_run)
        tool_say(NULL, "--json requires --dry-run");
    else if (!any && !e->deletes && (!e->sort || e->dry_run))
        tool_say(NULL, "edit: there is nothing to change; use --set, --rename, --remove, --strip, --cut, --sort, "
                       "--delete or --add-flag");
    else
        return !e->sort || find_sort_check(e->sort);
    return false;
}

static bool check_use(const editing *e)
{
    const bool any = e->sets.count + e->renames.count + e->removals.count > 0 || e->strip || e->plies < UINT64_MAX;
    const bool replaces = e->replace.what > 0;
    if (changes_flags(e))
        return check_flags(e, any || replaces);
    if (replaces && (any || e->deletes || e->sort))
        tool_say(NULL, "--replace cannot be used with other changes");
    else if (replaces != (e->with != NULL))
        tool_say(NULL, "--replace and --with are used together");
    else if (replaces && (e->game_count != 1 || e->conditions.count > 0))
        tool_say(NULL, "--replace requires the number of one game, and no conditions");
    else
        return check_changes(e, any || replaces);
    return false;
}

/* Reads the numbers of games, which must be in the archive. */
static bool read_games(editing *e, char **paths, int count)
{
    tool_archive archive;
    uint64_t games = UINT64_MAX;
    if (e->game_count > 0 && count > 1) {
        tool_say(NULL, "edit: numbers of games require a single ARCHIVE");
        return false;
    }
    if (e->game_count > 0) {
        if (!tool_inputs_note(paths[0], TOOL_REWRITTEN) || !tool_archive_open_sound(paths[0], &archive))
            return false;
        const stamma_error error = stamma_archive_reader_game_count(archive.reader, &games);
        if (error)
            (void)tool_archive_fail(&archive, error);
        tool_archive_close(&archive);
        if (error)
            return false;
    }
    return tool_ranges_read(e->games, e->game_count, games, &e->ranges);
}

/* Changes the file of flags. */
static int change_flags(editing *e, char **paths, size_t count)
{
    char changed[TOOL_NUMBER_SIZE], flagged[TOOL_NUMBER_SIZE];
    e->flags.ranges = &e->ranges;
    e->flags.list = e->dry_run ? &e->list : NULL;
    e->flags.search.query = e->query;
    e->flags.search.quiet = e->quiet || e->dry_run;
    e->query = NULL;
    if (!edit_flags_run(&e->flags, paths, count))
        return TOOL_ERROR;
    if (!e->quiet)
        tool_say(NULL, "the flags of %s game%s %s, %s game%s flags", tool_number(e->flags.changed, changed),
                 e->flags.changed == 1 ? "" : "s", e->dry_run ? "would change" : "changed",
                 tool_number(e->flags.flagged, flagged), e->flags.flagged == 1 ? " has" : "s have");
    return e->dry_run && e->flags.changed == 0 ? TOOL_NOTHING : TOOL_DONE;
}

/* Reads the file of --with. */
static bool open_replacement(editing *e)
{
    if (e->ranges.count == 1 && e->ranges.ranges[0].first == e->ranges.ranges[0].last)
        return edit_replace_open(&e->replace, e->with);
    tool_say(NULL, "--replace requires the number of one game, and no conditions");
    return false;
}

static int edit(editing *e, char **paths, int count)
{
    tool_rewriting *r = &e->rewriting;
    r->command = "edit";
    r->pgn = is_pgn(e);
    e->list.json = e->json;
    e->sort = *e->sorts ? e->sorts : NULL;
    if (!edit_flags_read(&e->add_flags, &e->flags.added) || !edit_flags_read(&e->remove_flags, &e->flags.removed) ||
        !edit_replace_read(e->replaced, &e->replace.what) || !check_use(e) || !choose_change(e) ||
        !tool_conditions_parse(&e->conditions, &e->query) || !read_games(e, paths, count))
        return TOOL_ERROR;
    if (changes_flags(e))
        return change_flags(e, paths, (size_t)count);
    if (e->replace.what && !open_replacement(e))
        return TOOL_ERROR;
    if (e->query && stamma_matcher_open(e->query, NULL, &e->matcher)) {
        (void)tool_fail_memory(NULL);
        return TOOL_ERROR;
    }
    if (!tool_many_open(&e->many, "edit", paths, (size_t)count) || (!e->dry_run && !tool_rewriting_open(r)))
        return TOOL_ERROR;
    e->many.flags = stamma_query_uses_flags(e->query);
    return run(e);
}

static void close_all(editing *e)
{
    tool_rewriting_close(&e->rewriting);
    tool_many_close(&e->many);
    tool_game_change_free(&e->change);
    edit_sort_close(&e->sorted);
    stamma_matcher_close(e->matcher);
    stamma_query_close(e->query);
    edit_flags_close(&e->flags);
    edit_replace_close(&e->replace);
    free(e->ranges.ranges);
    free(e->add_flags.list);
    free(e->remove_flags.list);
    free(e->edits);
    free(e->sets.list);
    free(e->renames.list);
    free(e->removals.list);
    free(e->conditions.list);
}

int tool_edit(int argc, char **argv)
{
    editing e = {.plies = UINT64_MAX};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write, or PGN if its name ends in .pgn; -: standard output",
         .text = &e.rewriting.out},
        {TOOL_OPTION_FORCE, .flag = &e.rewriting.force},
        {'n', "dry-run", NULL,
         "write nothing; list each change: archive, game, tag, old value, new\nvalue; or comments, variations ... and "
         "their number",
         .flag = &e.dry_run},
        {.name = "json", .help = "with --dry-run: print an object for each game that would change", .flag = &e.json},
        {.name = "set", .value = "TAG=VALUE", .help = "set a tag; may be repeated", .values = &e.sets},
        {.name = "rename", .value = "OLD=NEW", .help = "rename a tag; may be repeated", .values = &e.renames},
        {.name = "remove", .value = "TAG", .help = "remove a tag; may be repeated", .values = &e.removals},
        {.name = "delete", .help = "omit the games that match", .flag = &e.deletes},
        {.name = "replace",
         .value = "WHAT,...",
         .help = "replace these parts of one game: tags, moves, annotation",
         .text = &e.replaced},
        {.name = "with", .value = "FILE", .help = "PGN file with the game for --replace", .text = &e.with},
        {.name = "add-flag",
         .value = "NAME",
         .help = "set a flag in ARCHIVE.flags: deleted, favourite, or a letter from a to z;\nmay be repeated",
         .values = &e.add_flags},
        {.name = "remove-flag", .value = "NAME", .help = "remove a flag; may be repeated", .values = &e.remove_flags},
        {.name = "strip", .value = "PART,...", .help = "remove these parts: " TOOL_STRIP_NAMES, .text = &e.strip},
        {.name = "cut", .value = "PLIES", .help = "remove everything after this number of plies", .number = &e.plies},
        {.name = "sort",
         .value = "KEY",
         .help = "sort all games by a tag, date, rating (the mean), plies or number;\n-KEY: in descending order. Games "
                 "without a value are last, and games\nwith equal keys keep their order. Several keys: --sort "
                 "date,white",
         .list = e.sorts,
         .list_size = sizeof e.sorts},
        {.name = "pgn", .help = "write the text of the games, not an archive", .flag = &e.pgn},
        {TOOL_OPTION_LEVEL, .number = &e.rewriting.level},
        {TOOL_OPTION_THREADS, .number = &e.rewriting.threads},
        {TOOL_OPTION_MEMORY, .size = &e.rewriting.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &e.quiet},
    };
    const tool_usage usage = {
        "edit", "-o OUT ARCHIVE... [GAMES...] [CONDITIONS]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (tool_conditions_read(&usage, &e.conditions, argc, argv, &operands, &status)) {
        const int archives = tool_archives_count(argv, operands);
        e.games = argv + archives;
        e.game_count = operands - archives;
        status = edit(&e, argv, archives);
    }
    close_all(&e);
    return status;
}
