/* SPDX-License-Identifier: MIT */
/* stamma find: prints the games that match conditions. */
#include "questions/answer_search.h"

static const char about[] =
    "Finds the games that match all conditions, and prints them as `stamma ls` does, one a\n"
    "line. --matches and the formats json, csv and tsv have the plies of the match (0: the start\n"
    "of the game). ARCHIVE may be - for standard input. If several archives are searched, each\n"
    "game is printed with the name of its archive.\n\n"
    "Ten questions:\n"
    "  stamma find games.stamma --player Carlsen --date 2019..2023\n"
    "  stamma find games.stamma --player Carlsen --player Nakamura --wdl\n"
    "  stamma find games.stamma --white Morphy --result 1-0 --plies ..40 --format pgn\n"
    "  stamma find games.stamma --moves \"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6\" --wdl\n"
    "  stamma find games.stamma --fen \"8/8/8/4k3/8/8/3KP3/8 w - -\" --matches\n"
    "  stamma find games.stamma --material KRPKR --flipcolor --count\n"
    "  stamma find games.stamma --sub-fen 8/pp3ppp/4p3/3pP3/3P4/8/PP3PPP/8 --eco C00..C19 --json\n"
    "  stamma find games.stamma --each-rating 2600.. --time-control \"180+*\" -o fast.stamma\n"
    "  stamma find games.stamma --promoted N --sort -WhiteElo --limit 10\n"
    "  stamma find games.stamma --query '{\"sequence\": [{\"move\": \"Bxh7+\"}, {\"mate\": true}]}'\n\n"
    "A range is A..B, A.. or ..B. A name matches from its beginning: \"Carlsen\" finds \"Carlsen,\n"
    "Magnus\". Case and accents are ignored. All conditions about positions and moves must hold\n"
    "at the same ply of the game. doc/reference/search.md describes all conditions.";

typedef struct find {
    answer_search search; /* with the values of conditions; quiet: also print nothing */
    bool count, json, csv, tsv, pgn, matches, numbers, wdl, force, unique;
    const char *out;
    const char *save;   /* name under which the conditions are saved; NULL: they are not */
    const char *format; /* NULL: --format is not used */
    bool rows;          /* --format table */
    const char *sort;   /* NULL: unsorted */
    char sorts[320];
    uint64_t limit, offset, seconds, level;
    stamma_game_set *known; /* with `unique`: the games that were found */
    find_repeats repeats;
    char **paths;
    size_t path_count;
    find_output output;
    find_list list;  /* games to sort */
    uint64_t left;   /* games still to skip */
    uint64_t wanted; /* games still to print after these */
    bool failed;     /* an archive could not be read, which was reported */
} find;

/* ---- a match ---- */

typedef struct giving {
    find_output *output;
    const found_game *found;
    const char *archive;
} giving;

static bool give_piece(void *context, const stamma_archive_game *game)
{
    const giving *g = context;
    return find_output_game(g->output, g->found, g->archive, game);
}

/* ---- each game once ---- */

/* A game that may have been found before. */
typedef struct occurrence {
    find *f;
    const found_game *found;
    bool skipped;
} occurrence;

/* Stores whether the game is the same game as one before. Returns false after a message. */
static bool compare_known(occurrence *o, const stamma_archive_game *game)
{
    bool added = false;
    stamma_error error = stamma_game_set_add(o->f->known, game, &added);
    if (error)
        tool_say(o->f->search.sources[o->found->archive].file.name, "%s",
                 error == STAMMA_ERROR_LIMIT ? TOOL_MEMORY_HASHES : stamma_error_text(error));
    o->skipped = !added;
    return !error;
}

static bool give_new_piece(void *context, const stamma_archive_game *game)
{
    occurrence *o = context;
    find *f = o->f;
    find_source *source = &f->search.sources[o->found->archive];
    const bool first = !game->continuation;
    if (first && !compare_known(o, game))
        return false;
    if (o->skipped)
        return true;
    if (f->sort)
        return !first || find_list_add(&f->list, o->found, source, game);
    if (first && f->left > 0) {
        f->left--;
        o->skipped = true;
        return true;
    }
    f->wanted -= first;
    if (find_output_reads(&f->output))
        return find_output_game(&f->output, o->found, source->file.name, game);
    if (first)
        find_output_number(&f->output, o->found, source->file.name);
    return tool_printed();
}

/* Prints a game that did not occur before. The game is read once: reading a game again decodes its block again. */
static bool give_new(find *f, const found_game *found)
{
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES | STAMMA_GAME_TEXT;
    occurrence o = {f, found, false};
    return find_source_read(&f->search.sources[found->archive], found->number, parts | f->output.parts, give_new_piece,
                            &o);
}

/* ---- searching ---- */

/* Prints a game. Returns false if no more games are wanted. */
static bool give(find *f, const found_game *found)
{
    find_source *source = &f->search.sources[found->archive];
    if (f->known && find_repeats_have(&f->repeats, source, found->number))
        return give_new(f, found);
    if (f->sort)
        return find_list_add(&f->list, found, source, NULL);
    if (f->left > 0) {
        f->left--;
        return true;
    }
    f->wanted--;
    if (!find_output_reads(&f->output)) {
        find_output_number(&f->output, found, source->file.name);
        return tool_printed();
    }
    giving g = {&f->output, found, source->file.name};
    return find_source_read(source, found->number, f->output.parts, give_piece, &g);
}

/* Prints a match. Returns false if no more games are wanted, or after a message. */
static bool take_match(void *context, const stamma_match *match)
{
    find *f = context;
    const size_t archive = (size_t)(f->search.source - f->search.sources);
    const bool continues = give(f, &(found_game){archive, match->game, match->plies, match->ply_count});
    f->failed |= !continues;
    return continues && f->wanted > 0;
}

/* Sets the number of games that are still wanted from an archive, and their order. */
static void limit_search(const find *f, stamma_search_options *options)
{
    const uint64_t left = f->sort ? f->offset : f->left, wanted = f->sort ? f->limit : f->wanted;
    const uint64_t most = left < UINT64_MAX - wanted ? left + wanted : 0;
    if (f->sort && !f->known)
        find_orders_limit(f->list.keys, f->list.key_count, most, options);
    else if (!f->known)
        options->most = most;
}

static void search_all(find *f)
{
    bool stopped = false;
    for (size_t i = 0; i < f->path_count && !stopped; i++) {
        stamma_search_options options = answer_search_begin(&f->search, i);
        limit_search(f, &options);
        stamma_place place = {.offset = 0};
        stamma_error error =
            answer_search_games(&f->search, &options, f->wanted > 0 ? take_match : NULL, f, &place, &stopped);
        answer_search_end(&f->search, error, place);
        f->failed |= error != STAMMA_OK;
        stopped = stopped || f->wanted == 0 || error == STAMMA_ERROR_CANCELLED;
    }
    tool_progress_clear();
}

/* ---- results ---- */

/* Returns whether only the numbers of all games by result are printed. If they cannot be counted at once, the games are
 * searched, because a search also counts games until it fails. */
static bool counts_only(const find *f)
{
    return (f->output.form == FIND_COUNT || f->output.form == FIND_WDL) && !f->sort && !f->known && f->offset == 0 &&
           f->limit == UINT64_MAX && f->seconds == 0 && !stamma_query_is_limited(f->search.query);
}

/* Counts the games of all archives that match a query. Returns false without a message. */
static bool count_all(find *f, const stamma_query *query, uint64_t results[4])
{
    stamma_stats_results sum = {.games = 0};
    stamma_error error = STAMMA_OK;
    for (size_t i = 0; i < f->path_count && !error; i++) {
        const stamma_search_options options = answer_search_begin(&f->search, i);
        error = f->search.source->error;
        if (!error)
            error = stamma_stats_count_archive(&sum, f->search.source->archive, query, &options, NULL);
        f->search.passed += f->search.source->file.size;
    }
    tool_progress_clear();
    f->search.passed = 0;
    results[STAMMA_RESULT_WHITE] = sum.white_wins;
    results[STAMMA_RESULT_BLACK] = sum.black_wins;
    results[STAMMA_RESULT_DRAW] = sum.draws;
    results[STAMMA_RESULT_UNKNOWN] = sum.games - sum.white_wins - sum.black_wins - sum.draws;
    return !error;
}

/* Counts the games in which the player of the output has White. If both names match, the player has White. */
static bool count_white(find *f, uint64_t results[4])
{
    stamma_query *query = NULL;
    const bool counted =
        tool_conditions_white(&f->search.values, f->output.player, true, &query) && count_all(f, query, results);
    stamma_query_close(query);
    return counted;
}

static bool count_results(find *f)
{
    static const stamma_result turned[] = {STAMMA_RESULT_UNKNOWN, STAMMA_RESULT_BLACK, STAMMA_RESULT_WHITE,
                                           STAMMA_RESULT_DRAW};
    uint64_t all[4], white[4] = {0};
    const bool player = f->output.form == FIND_WDL && f->output.player;
    if (!count_all(f, f->search.query, all) || (player && !count_white(f, white)))
        return false;
    for (unsigned result = 0; result < 4; result++) {
        f->output.count += all[result];
        f->output.results[result] = all[result];
        f->output.of_player[result] = white[result] + all[turned[result]] - white[turned[result]];
    }
    for (size_t i = 0; i < f->path_count; i++)
        find_source_check(&f->search.sources[i]);
    return true;
}

/* ---- the command ---- */

/* Returns false, after a message, if not all output was written. */
static bool find_games(find *f)
{
    const stamma_archive_writer_options writing = {
        .size = sizeof writing, .level = (int)f->level, .executor = &f->search.executor, .memory = f->search.memory};
    if (!find_output_begin(&f->output, &writing))
        return false;
    if (!counts_only(f) || !count_results(f))
        search_all(f);
    if (f->sort) {
        find_list_sort(&f->list);
        f->failed |= !find_list_put(&f->list, f->offset, f->limit, f->search.sources, &f->output);
    }
    if (f->failed && f->output.form == FIND_ARCHIVE) /* an archive is written only if it is complete */
        return false;
    return find_output_end(&f->output) && !f->failed;
}

static int status_of(const find *f, bool whole)
{
    return !whole ? TOOL_ERROR : f->output.count > 0 ? TOOL_DONE : TOOL_NOTHING;
}

/* Writes to a file, which appears only when it is complete, and only if a game was found. */
static int find_to(find *f)
{
    bool archive = f->output.form == FIND_ARCHIVE, whole = false;
    tool_output *output = tool_output_open(f->out, f->force);
    f->output.output = output;
    if (output && (archive || tool_output_take_printed(output)))
        whole = find_games(f);
    const bool unwritten = whole && f->output.count == 0 && tool_output_is_file(output); /* OUT stays unchanged */
    if (whole)
        whole = (archive || tool_print_finish()) && (unwritten || tool_output_finish(output));
    if (output && !archive)
        tool_print_name("standard output");
    if (whole && archive && !unwritten && !f->search.quiet)
        tool_archive_say_counts(tool_output_name(output), f->output.count, &f->output.counts);
    find_output_close(&f->output);
    tool_output_close(output);
    return status_of(f, whole);
}

static int run(find *f)
{
    int status = TOOL_ERROR;
    /* Rows on a terminal show the progress themselves. */
    bool shown = f->sort || f->out || !system_is_terminal(SYSTEM_OUTPUT) || f->output.form == FIND_COUNT;
    if (f->seconds > 0)
        f->search.until = tool_clock() + (double)f->seconds;
    f->left = f->sort ? 0 : f->offset;
    f->wanted = f->sort ? UINT64_MAX : f->output.form == FIND_NOTHING ? 1 : f->limit;
    f->search.needs_flags = tool_fields_has(f->output.fields, "flags");
    if (answer_search_open(&f->search, f->paths, f->path_count, "searching", f->search.quiet || !shown))
        status = f->out ? find_to(f) : status_of(f, find_games(f));
    find_output_close(&f->output);
    return status;
}

/* ---- options ---- */

/* Reads --format: each format is the same as another option, except table. */
static bool read_format(find *f)
{
    tool_form form = TOOL_FORM_TABLE;
    if (!tool_form_read("find", f->format, false, TOOL_FORM_PGN, &form))
        return false;
    f->rows = f->format && form == TOOL_FORM_TABLE;
    f->json |= form == TOOL_FORM_JSON;
    f->csv |= form == TOOL_FORM_CSV;
    f->tsv |= form == TOOL_FORM_TSV;
    f->pgn |= form == TOOL_FORM_PGN;
    return true;
}

/* Chooses the form of output; at most one may be requested. */
static bool choose_form(find *f)
{
    const struct {
        bool asked;
        find_form form;
        const char *name;
    } forms[] = {
        {f->wdl, FIND_WDL, "wdl"},
        {f->count, FIND_COUNT, "count"},
        {f->csv, FIND_CSV, "format csv"},
        {f->tsv, FIND_TSV, "format tsv"},
        {f->pgn, FIND_PGN, "format pgn"},
        {f->matches, FIND_MATCHES, "matches"},
        {f->numbers, FIND_NUMBERS, "numbers"},
        {f->json && !f->wdl, FIND_JSON, "json"},
        {f->rows, FIND_ROWS, "format table"},
    };
    const char *chosen = NULL;
    f->output.form = f->out ? FIND_ARCHIVE : f->search.quiet ? FIND_NOTHING : FIND_ROWS;
    f->output.json = f->json;
    f->output.player = tool_conditions_player(&f->search.values);
    f->output.values = &f->search.values;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].asked && chosen) {
            tool_say(NULL, "--%s and --%s cannot be used together", chosen, forms[i].name);
            return false;
        }
        if (forms[i].asked) {
            chosen = forms[i].name;
            f->output.form = forms[i].form;
        }
    }
    return find_output_choose(&f->output);
}

static bool check(const find *f)
{
    bool archive = f->output.form == FIND_ARCHIVE;
    if (f->sort && !find_sort_check(f->sort))
        return false;
    if (f->level != 0 && !archive) {
        tool_say(NULL, "--level requires -o");
        return false;
    }
    return (!archive || tool_output_fits("find", "an archive", f->out, f->force)) &&
           (f->level == 0 || tool_level_fits("find", f->level));
}

/* Opens the set of the games that were found. The memory limit of its hashes is --memory, or by default the default
 * limit of a search. */
static bool open_known(find *f)
{
    const stamma_game_set_options options = {.size = sizeof options,
                                             .memory = f->search.memory ? f->search.memory : TOOL_MEMORY};
    stamma_error error = stamma_game_set_open(&options, &f->known);
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

static int find_by_options(find *f, int argc, char **argv)
{
    const tool_option own[] = {
        {.name = "count", .help = "print only the number of games", .flag = &f->count},
        {.name = "format",
         .value = "FORMAT",
         .help = "table (the default); json: an object for each game; csv, tsv: a table with\na row of names; or "
                 "pgn: the exact bytes of the games",
         .text = &f->format},
        {.name = "json", .help = "same as --format json", .flag = &f->json},
        {.name = "csv", .flag = &f->csv}, /* earlier forms of --format */
        {.name = "tsv", .flag = &f->tsv},
        {.name = "pgn", .flag = &f->pgn},
        {TOOL_OPTION_CSV_RAW, .flag = &f->output.table.raw},
        {.name = "columns",
         .earlier = "fields",
         .value = "NAME,...",
         .help = "columns of json, csv and tsv (see cat --help); also match.fen and\nmatch.san, the positions and "
                 "moves of the match",
         .text = &f->output.fields},
        {.name = "mark",
         .help = "with pgn: add the comment {match} at the plies of the match",
         .flag = &f->output.mark},
        {.name = "board",
         .help = "print a diagram of the position at the match after each game",
         .flag = &f->output.board},
        {.name = "matches", .help = "print the number of each game and the plies of its match", .flag = &f->matches},
        {.name = "numbers", .help = "print game numbers, one a line, for cat --games -", .flag = &f->numbers},
        {.name = "wdl",
         .help = "print the number of games, White's wins, draws, Black's wins and White's\nscore; after one --player "
                 "also the player's results; with --json an object",
         .flag = &f->wdl},
        {'o', "output", "OUT",
         "write an archive of the games, or one of the outputs above to a\nfile, which appears only when it is "
         "complete",
         .text = &f->out},
        {TOOL_OPTION_FORCE, .flag = &f->force},
        {TOOL_OPTION_LEVEL, .number = &f->level},
        {.name = "unique",
         .help = "return the first of several games that are the same game\n(doc/reference/duplicates.md)",
         .flag = &f->unique},
        {.name = "save",
         .value = "NAME",
         .help = "also save the conditions as a question in the file ARCHIVE.questions:\n--use NAME asks it again "
                 "(doc/reference/search.md)",
         .text = &f->save},
        {.name = "limit", .value = "N", .help = "return at most N games", .number = &f->limit},
        {.name = "offset", .value = "N", .help = "skip the first N games", .number = &f->offset},
        {.name = "sort",
         .value = "TAG",
         .help = "sort by a tag, number or plies; -TAG: in descending order. Games\nwithout the tag are last. "
                 "Several keys: --sort -WhiteElo,Date",
         .list = f->sorts,
         .list_size = sizeof f->sorts},
        {TOOL_OPTION_THREADS, .number = &f->search.threads},
        {TOOL_OPTION_MEMORY, .size = &f->search.memory},
        {TOOL_OPTION_INDEX, .text = &f->search.index.path},
        {TOOL_OPTION_NO_INDEX, .flag = &f->search.index.none},
        {.name = "time-limit",
         .value = "SECONDS",
         .help = "stop after this time, with exit status 2",
         .number = &f->seconds},
        {'q', "quiet", NULL, "print nothing and stop at the first match; with -o: no summary",
         .flag = &f->search.quiet},
    };
    const tool_usage usage = {"find", "ARCHIVE... CONDITIONS", about, own, sizeof own / sizeof *own, 1, -1};
    int operands, status;
    if (!tool_conditions_read(&usage, &f->search.values, argc, argv, &operands, &status))
        return status;
    f->paths = argv;
    f->path_count = (size_t)operands;
    f->output.several = operands > 1;
    f->sort = *f->sorts ? f->sorts : NULL;
    if (!read_format(f) || !choose_form(f) || !check(f) || !tool_conditions_parse(&f->search.values, &f->search.query))
        return TOOL_ERROR;
    if (f->save && !tool_conditions_save(&f->search.values, f->save))
        return TOOL_ERROR;
    if (f->sort)
        find_list_open(&f->list, f->sort, find_output_reads(&f->output) ? f->output.parts : 0);
    if (f->unique && !open_known(f))
        return TOOL_ERROR;
    f->repeats.none = f->path_count > 1; /* the same game may be in another archive */
    return run(f);
}

int tool_find(int argc, char **argv)
{
    find f = {.limit = UINT64_MAX};
    int status = find_by_options(&f, argc, argv);
    if (status == TOOL_NOTHING && !f.search.quiet)
        answer_search_hint(&f.search);
    find_list_close(&f.list);
    stamma_game_set_close(f.known);
    find_repeats_close(&f.repeats);
    answer_search_close(&f.search);
    return status;
}
