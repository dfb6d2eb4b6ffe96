/* SPDX-License-Identifier: MIT */
/* stamma export: writes a table of archives as a file of another program, or their games as PGN. */
#include "sql/sql.h"

#include "games/game_text.h"
#include "questions/answer_search.h"
#include "threads/worker_threads.h"

static const char about[] =
    "Writes a table of ARCHIVE to a file: CSV, Arrow (.arrow, also called Feather) or Parquet.\n"
    "The tables are games (a row for each game), plies (a row for each ply of a main line) and\n"
    "positions (the same in the form in which models are trained); doc/reference/columns.md describes their\n"
    "columns. Only games that match all conditions are written. Several archives are written to\n"
    "one file. The file appears only when it is complete.\n\n"
    "  stamma export games.stamma -o games.parquet\n"
    "  stamma export games.stamma --columns number,white,black,san -o moves.arrow --player Tal\n"
    "  stamma export *.stamma --table positions --sample 10 --seed 1 -o train.parquet\n"
    "  stamma export games.stamma --clean-pgn --tags White,Black,Result --strip comments -o games.pgn\n\n"
    "--schema lichess writes the columns of the data sets of Lichess on Hugging Face: movetext, Event, Site,\n"
    "White and others. import --from lichess-parquet reads such files.\n\n"
    "--clean-pgn writes the games in the export format of the PGN standard: the seven tags of the\n"
    "roster first, moves in SAN with move numbers, lines of at most 79 bytes. A move that is not\n"
    "legal is omitted with the rest of its line, and such games are counted in a message. (cat\n"
    "and unpack print the original bytes.)\n\n"
    "Parquet files are written by pyarrow or Polars, which python3 must find. In CSV, lists are\n"
    "JSON.";

typedef struct export_command {
    const char *table, *columns, *out, *format, *schema, *tags, *strip;
    bool force, quiet, no_index, csv_raw, pgn;
    uint64_t threads, memory, skip, sample, shuffle, seed;
    tool_values values; /* conditions */
    stamma_query *query;
    stamma_columns_options options;
    tables_archives archives;
    tables_columns list;
    size_t *wanted;
    size_t wanted_count;
    tool_progress progress;
} export_command;

/* ---- options ---- */

static bool read_table(const char *name, stamma_table *table)
{
    static const char *const names[STAMMA_TABLES] = {"games", "plies", "positions"};
    for (int i = 0; i < STAMMA_TABLES; i++)
        if (strcmp(name, names[i]) == 0) {
            *table = (stamma_table)i;
            return true;
        }
    tool_say(NULL, "there is no table \"%s\"; the tables are games, plies and positions", name);
    return false;
}

static const struct {
    const char *name;
    bool (*write)(export_file *file);
} formats[] = {{"parquet", export_parquet}, {"arrow", export_arrow}, {"feather", export_arrow}, {"csv", export_csv}};

/* Columns of export_lichess, in the order of source_columns in python/stamma/lichess_rows.py. */
static const char lichess_columns[] =
    "tag:Event,tag:Site,tag:White,tag:Black,tag:Result,tag:WhiteTitle,tag:BlackTitle,tag:WhiteElo,tag:BlackElo,"
    "tag:WhiteRatingDiff,tag:BlackRatingDiff,tag:UTCDate,tag:UTCTime,tag:ECO,tag:Opening,tag:Termination,"
    "tag:TimeControl,tag:FEN,tag:Variant,text";

/* Returns the function that writes a format, by its name or the ending of the output's name. */
static bool (*find_format(const export_command *c))(export_file *file)
{
    if (c->schema)
        return export_lichess;
    const char *point = strrchr(c->out, '.'), *name = c->format ? c->format : point ? point + 1 : "";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(name, formats[i].name) == 0)
            return formats[i].write;
    if (c->format)
        tool_say(NULL, "export has no format \"%s\"; the formats are parquet, arrow, csv and clean-pgn", c->format);
    else
        tool_say(c->out, "the name must end in .parquet, .arrow, .csv or .pgn, or --format must be used");
    return NULL;
}

static bool limit(const char *option, uint64_t value, uint32_t most)
{
    if (value > most)
        tool_say(NULL, "option --%s: at most %" PRIu32, option, most);
    return value <= most;
}

static bool set_options(export_command *c)
{
    if (!read_table(c->table, &c->options.table) || !limit("skip-plies", c->skip, UINT32_MAX) ||
        !limit("sample", c->sample, UINT32_MAX) || !limit("shuffle", c->shuffle, 1 << 24))
        return false;
    if (c->options.table != STAMMA_TABLE_POSITIONS && (c->skip || c->sample || c->shuffle || c->seed)) {
        tool_say(NULL, "--skip-plies, --sample, --shuffle and --seed require --table positions");
        return false;
    }
    c->options.skip_plies = (uint32_t)c->skip;
    c->options.sample = (uint32_t)c->sample;
    c->options.shuffle = (uint32_t)c->shuffle;
    c->options.seed = c->seed;
    c->options.memory = c->memory;
    c->options.plain_texts = true;
    return tool_conditions_parse(&c->values, &c->query);
}

/* ---- archives and columns ---- */

static bool open_archives(export_command *c, char **paths, int count)
{
    tables_fault fault = {.no_memory = false};
    c->archives.no_index = c->no_index || !c->query;
    for (int i = 0; i < count; i++)
        if (!tables_archives_add(&c->archives, paths[i], &fault))
            return sql_say(&fault);
    return tables_columns_list(&c->list, &c->archives, c->options.table, &fault) || sql_say(&fault);
}

static bool refuse(const export_command *c, const char *name)
{
    tool_nearest nearest = {.word = name, .length = strlen(name)};
    for (size_t i = 0; i < c->list.count; i++)
        tool_nearest_try(&nearest, c->list.list[i].name);
    if (nearest.name)
        tool_say(NULL, "there is no column \"%s\"; did you mean %s?", name, nearest.name);
    else
        tool_say(NULL, "there is no column \"%s\"", name);
    return false;
}

static bool want(export_command *c, size_t column)
{
    for (size_t i = 0; i < c->wanted_count; i++)
        if (c->wanted[i] == column) {
            tool_say(NULL, "the column \"%s\" is repeated", c->list.list[column].name);
            return false;
        }
    c->wanted[c->wanted_count++] = column;
    return true;
}

/* Finds a column. "tag:NAME" is the tag with this name, whether or not an archive has it. */
static bool find_column(export_command *c, const char *name, size_t *column)
{
    const bool is_tag = c->options.table == STAMMA_TABLE_GAMES && strncmp(name, "tag:", 4) == 0 && name[4] != 0;
    *column = tables_columns_find(&c->list, name);
    if (*column < SIZE_MAX)
        return true;
    if (!is_tag)
        return refuse(c, name);
    *column = tables_columns_add(&c->list, name);
    return *column < SIZE_MAX || tool_fail_memory(NULL);
}

static bool choose_named(export_command *c)
{
    char *names = strdup(c->columns);
    bool right = names != NULL;
    for (char *name = names ? strtok(names, ",") : NULL; name && right; name = strtok(NULL, ",")) {
        size_t column;
        right = find_column(c, name, &column) && want(c, column);
    }
    if (right && c->wanted_count == 0) {
        tool_say(NULL, "--columns has no names");
        right = false;
    }
    free(names);
    return right;
}

static bool choose_columns(export_command *c)
{
    const size_t most = c->list.count + (c->columns ? strlen(c->columns) : 0); /* each name may add a column */
    c->wanted = calloc(most + 1, sizeof *c->wanted);
    if (!c->wanted)
        return tool_fail_memory(NULL);
    if (c->columns)
        return choose_named(c);
    for (size_t i = 0; i < c->list.count; i++)
        if (c->list.list[i].is_default)
            (void)want(c, i);
    return true;
}

/* ---- writing ---- */

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    export_command *c = context;
    (void)total;
    tool_progress_show(&c->progress, done, 0);
    return true;
}

static void start_progress(export_command *c)
{
    uint64_t total = 0;
    for (size_t i = 0; i < c->archives.count; i++)
        total += c->archives.list[i].file.size;
    c->progress = tool_progress_start("exporting", total, c->quiet);
    c->options.context = c;
    c->options.progress = show_progress;
}

static bool write_stream(export_command *c, bool (*write)(export_file *file), struct ArrowArrayStream *stream)
{
    export_file file = {stream, tool_output_open(c->out, c->force), c->csv_raw, c->quiet, 0, false};
    char number[TOOL_NUMBER_SIZE];
    if (!file.output)
        return false;
    bool right = write(&file);
    tool_progress_clear();
    right = right && tool_output_finish(file.output);
    if (right && !c->quiet && !file.reported && strcmp(c->out, "-") != 0)
        tool_say(c->out, "%s rows", tool_number(file.rows, number));
    tool_output_close(file.output);
    return right;
}

/* ---- PGN ---- */

/* Returns whether a value of --format is PGN: clean-pgn, or its earlier name. */
static bool names_pgn(const char *format)
{
    return strcmp(format, "clean-pgn") == 0 || strcmp(format, "pgn") == 0;
}

/* Returns whether the output is PGN, by an option or by its name. */
static bool is_pgn(const export_command *c)
{
    const char *point = c->out ? strrchr(c->out, '.') : NULL;
    return c->pgn || (c->format ? names_pgn(c->format) : point && strcmp(point, ".pgn") == 0);
}

/* Checks --schema, which selects columns and a format. */
static bool check_schema(export_command *c)
{
    const char *point = c->out ? strrchr(c->out, '.') : NULL;
    const char *form = c->format ? c->format : point ? point + 1 : "";
    if (strcmp(c->schema, "lichess") != 0)
        tool_say(NULL, "there is no schema \"%s\"; the schema is lichess", c->schema);
    else if (c->columns || strcmp(c->table, "games") != 0)
        tool_say(NULL, "--schema cannot be used with --columns and --table");
    else if (strcmp(form, "parquet") != 0)
        tool_say(NULL, "--schema requires an output that ends in .parquet");
    else
        c->columns = lichess_columns;
    return c->columns == lichess_columns;
}

/* Checks that the options can be used together. */
static bool check_form(export_command *c)
{
    if (c->schema && !check_schema(c))
        return false;
    const bool pgn = is_pgn(c);
    const bool of_table = c->columns || strcmp(c->table, "games") != 0 || c->csv_raw || c->skip || c->sample ||
                          c->shuffle || c->seed || (c->format && !names_pgn(c->format));
    if (!c->out)
        tool_say(NULL, "export: the name of the output is missing: -o OUT");
    else if (pgn && of_table)
        tool_say(NULL, "export: options of tables and formats cannot be used with PGN");
    else if (!pgn && (c->tags || c->strip))
        tool_say(NULL, "--tags and --strip require --clean-pgn");
    else
        return true;
    return false;
}

static bool run_pgn(export_command *c, char **paths, int count)
{
    export_pgn_options options = {.tags = c->tags};
    if (!tool_strip_read(c->strip, &options.strip) || !tool_conditions_parse(&c->values, &c->query) ||
        !(options.output = tool_output_open(c->out, c->force)))
        return false;
    answer_search search = {.threads = c->threads,
                            .memory = c->memory,
                            .quiet = c->quiet,
                            .index = {.none = c->no_index || !c->query},
                            .query = c->query};
    c->query = NULL;
    const bool right = export_pgn(&search, paths, (size_t)count, &options);
    answer_search_close(&search);
    tool_output_close(options.output);
    return right;
}

/* ---- the command ---- */

static bool run_table(export_command *c, char **paths, int count)
{
    tables_fault fault = {.no_memory = false};
    struct ArrowArrayStream stream;
    bool (*write)(export_file * file) = find_format(c);
    stamma_executor executor;
    if (!write || !set_options(c) || !open_archives(c, paths, count) || !choose_columns(c))
        return false;
    worker_threads *threads = worker_threads_open(c->threads, &executor);
    c->options.executor = &executor;
    c->options.query = c->query;
    start_progress(c);
    bool right = tables_stream_open(&c->archives, &c->list, &c->options, c->wanted, c->wanted_count, SIZE_MAX, &stream,
                                    &fault) ||
                 sql_say(&fault);
    if (right) {
        right = write_stream(c, write, &stream);
        stream.release(&stream);
    }
    worker_threads_close(threads);
    return right;
}

static void close_command(export_command *c)
{
    free(c->wanted);
    free(c->values.list);
    free(c->values.saved);
    stamma_query_close(c->query);
    tables_columns_release(&c->list);
    tables_archives_close(&c->archives);
}

int tool_export(int argc, char **argv)
{
    export_command c = {.table = "games", .memory = TOOL_MEMORY, .options.size = sizeof c.options};
    const tool_option options[] = {
        {.letter = 'o', .name = "output", .value = "OUT", .help = "the file; - for standard output", .text = &c.out},
        {.name = "table", .value = "TABLE", .help = "games (the default), plies or positions", .text = &c.table},
        {.name = "columns",
         .value = "NAME,...",
         .help = "columns, in this order; default: doc/reference/columns.md",
         .text = &c.columns},
        {.name = "format",
         .value = "FORMAT",
         .help = "parquet, arrow, csv or clean-pgn; default: the ending of OUT",
         .text = &c.format},
        {.name = "schema",
         .value = "SCHEMA",
         .help = "lichess: a Parquet file with the columns of the data sets of Lichess",
         .text = &c.schema},
        {.name = "skip-plies",
         .value = "N",
         .help = "positions: omit the first N plies of each game",
         .number = &c.skip},
        {.name = "sample",
         .value = "K",
         .help = "positions: keep one in K, selected pseudo-randomly",
         .number = &c.sample},
        {.name = "shuffle",
         .value = "N",
         .help = "positions: shuffle each block in a buffer of N rows",
         .number = &c.shuffle},
        {.name = "seed", .value = "N", .help = "positions: of --sample and --shuffle", .number = &c.seed},
        {.name = "csv-raw",
         .help = "with csv: no apostrophe before text that a spreadsheet would read as\na formula",
         .flag = &c.csv_raw},
        {.name = "clean-pgn", .earlier = "pgn", .help = "same as --format clean-pgn", .flag = &c.pgn},
        {.name = "tags",
         .value = "NAME,...",
         .help = "with clean-pgn: only these tags, in this order, if the game has them;\nVariant, SetUp and FEN are "
                 "kept where the moves need them",
         .text = &c.tags},
        {.name = "strip",
         .value = "PART,...",
         .help = "with clean-pgn: omit these parts: " TOOL_STRIP_NAMES,
         .text = &c.strip},
        {TOOL_OPTION_FORCE, .flag = &c.force},
        {.letter = 'q', .name = "quiet", .help = "no progress, no summary; errors only", .flag = &c.quiet},
        {TOOL_OPTION_THREADS, .number = &c.threads},
        {TOOL_OPTION_MEMORY, .size = &c.memory},
        {TOOL_OPTION_NO_INDEX, .flag = &c.no_index},
    };
    const tool_usage usage = {"export", "ARCHIVE... [CONDITIONS]", about, options, sizeof options / sizeof *options, 1,
                              -1};
    int operands, status;
    if (!tool_conditions_read(&usage, &c.values, argc, argv, &operands, &status)) {
        free(c.values.list);
        free(c.values.saved);
        return status;
    }
    bool right = check_form(&c) && tool_inputs_note_archives(argv, (size_t)operands) &&
                 (is_pgn(&c) ? run_pgn : run_table)(&c, argv, operands);
    status = right ? TOOL_DONE : TOOL_ERROR;
    close_command(&c);
    return status;
}
