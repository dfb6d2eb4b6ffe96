/* SPDX-License-Identifier: MIT */
/* stamma info: describes the contents of archives and the size of their columns. */
#include "shared/tool.h"

static const char about[] =
    "Describes the contents of archives: games, plies, bytes by column, bits per ply, and what\n"
    "is kept as text for which reasons. ARCHIVE may be - for standard input. If several\n"
    "archives are given, each description follows the name of its archive.\n\n"
    "--totals prints only what the last commit has, without columns, levels and reasons. A\n"
    "file of any size is then described with a few reads.\n\n"
    "--json prints an object for each archive, with these members:\n"
    "  archive              name; only if several archives are given\n"
    "  games, plies, variation_plies, text_size, archive_size, moves_bytes\n"
    "  bits_per_ply         all bytes of the moves column, in bits, divided by plies\n"
    "  columns              bytes of each column as stored\n"
    "  plain_columns        bytes of each column before compression\n"
    "  games_verbatim, games_partly_verbatim, games_corrected, verbatim_bytes\n"
    "  levels               number of blocks of each level\n"
    "  reasons              number of games for each reason\n"
    "  bits_per_clock, bits_per_evaluation   only if comments have these values\n"
    "  fields               for each text before a field of comments: values, bytes, bits_each\n"
    "With --verbose also:\n"
    "  games_kept_as_text   list of number, plies, reason, line and ply\n"
    "  games_with_irregular_layout   the same, and found and expected (null if not a move)";

typedef struct column_list {
    stamma_archive_column *column;
    size_t count;
    size_t capacity;
    bool failed;
} column_list;

enum { LEVELS = 4 };

typedef struct info {
    tool_archive archive;
    bool totals; /* only the counts of a commit are known */
    stamma_archive_counts counts;
    uint64_t reasons[STAMMA_REASON_COUNT];
    column_list columns;
} info;

static void add_column(void *context, const stamma_archive_column *column)
{
    column_list *all = context;
    if (all->count == all->capacity) {
        size_t capacity = all->capacity * 2 + 32;
        stamma_archive_column *grown = realloc(all->column, capacity * sizeof *grown);
        all->failed = all->failed || !grown;
        if (!grown)
            return;
        all->column = grown;
        all->capacity = capacity;
    }
    all->column[all->count++] = *column;
}

/* Returns the number of columns; fields follow them in the list. */
static size_t columns_proper(const column_list *all)
{
    size_t count = 0;
    while (count < all->count && all->column[count].values == 0)
        count++;
    return count;
}

static bool is_clock(const char *field)
{
    return strcmp(field, "comments:[%clk") == 0 || strcmp(field, "comments:[%emt") == 0;
}

static bool is_evaluation(const char *field)
{
    return strncmp(field, "comments:[%eval", 15) == 0; /* in a mate score the number follows "#" */
}

/* Adds up all fields of a kind. The result has no values if there are none. */
static stamma_archive_column sum_fields(const column_list *all, bool (*belongs)(const char *field))
{
    stamma_archive_column sum = {{0}, 0, 0, 0};
    for (size_t i = columns_proper(all); i < all->count; i++)
        if (belongs(all->column[i].name)) {
            sum.values += all->column[i].values;
            sum.stored_bytes += all->column[i].stored_bytes;
        }
    return sum;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static double bits_each(const stamma_archive_column *field)
{
    return 8 * share(field->stored_bytes, field->values);
}

/* ---- for people ---- */

static void print_size(const char *name, uint64_t bytes, uint64_t whole, const char *more)
{
    char number[TOOL_NUMBER_SIZE];
    size_t columns = (fputs("  ", stdout), tool_text_print(stdout, stamma_text_of(name)));
    printf("%*s %18s  %6.2f %%%s\n", columns < 24 ? (int)(24 - columns) : 0, "", tool_number(bytes, number),
           100 * share(bytes, whole), more);
}

static void print_number(const char *name, uint64_t value)
{
    char number[TOOL_NUMBER_SIZE];
    printf("  %-24s %18s\n", name, tool_number(value, number));
}

static void print_levels(const info *i)
{
    char name[32];
    for (unsigned level = 0; level < LEVELS && !i->totals; level++) {
        (void)snprintf(name, sizeof name, "blocks of level %u", level);
        if (i->counts.level_blocks[level] > 0)
            print_number(name, i->counts.level_blocks[level]);
    }
}

static void print_counts(const info *i)
{
    const stamma_archive_counts *counts = &i->counts;
    char more[64];
    puts("what the archive holds");
    print_number("games", counts->games);
    print_number("plies", counts->plies);
    if (counts->variation_plies > 0)
        print_number("plies in variations", counts->variation_plies);
    print_levels(i);
    puts("\nbytes                                               of the text");
    print_size("text", counts->text_size, counts->text_size, "");
    print_size("archive", counts->archive_size, counts->text_size, "");
    if (i->totals)
        return;
    (void)snprintf(more, sizeof more, "  %.3f bits per ply", 8 * share(counts->moves_bytes, counts->plies));
    print_size("moves", counts->moves_bytes, counts->text_size, more);
}

static void print_columns(const info *i)
{
    char number[TOOL_NUMBER_SIZE], more[64];
    uint64_t frames = i->counts.archive_size;
    puts("\nbytes by column                                  of the archive  before compression");
    for (size_t c = 0; c < columns_proper(&i->columns); c++) {
        const stamma_archive_column *column = &i->columns.column[c];
        (void)snprintf(more, sizeof more, "  %18s", tool_number(column->plain_bytes, number));
        print_size(column->name, column->stored_bytes, i->counts.archive_size, more);
        frames -= column->stored_bytes < frames ? column->stored_bytes : frames;
    }
    print_size("(frames and directories)", frames, i->counts.archive_size, "");
}

static void print_field(const char *name, const stamma_archive_column *field, const info *i)
{
    char number[TOOL_NUMBER_SIZE], more[64];
    (void)snprintf(more, sizeof more, "  %18s  %13.3f", tool_number(field->values, number), bits_each(field));
    char shown[25];
    size_t size = 0;
    for (; name[size] && size + 1 < sizeof shown; size++)
        shown[size] = (uint8_t)name[size] < ' ' ? '?' : name[size];
    shown[size] = 0;
    if (field->values > 0)
        print_size(shown, field->stored_bytes, i->counts.archive_size, more);
}

static void print_fields(const info *i)
{
    size_t begin = columns_proper(&i->columns);
    if (begin == i->columns.count)
        return;
    puts("\nbytes by what is written before a field\n"
         "in comments                                      of the archive              values     bits each");
    for (size_t c = begin; c < i->columns.count; c++) {
        const char *name = strchr(i->columns.column[c].name, ':') + 1;
        print_field(*name ? name : "(nothing)", &i->columns.column[c], i);
    }
    stamma_archive_column clocks = sum_fields(&i->columns, is_clock), scores = sum_fields(&i->columns, is_evaluation);
    print_field("all clocks", &clocks, i);
    print_field("all evaluations", &scores, i);
}

static void print_kept(const info *i)
{
    const stamma_archive_counts *counts = &i->counts;
    puts("\nkept as text");
    print_number("games whole", counts->games_verbatim);
    print_number("games in part", counts->games_partly_verbatim);
    print_number("bytes of them", counts->verbatim_bytes);
    print_number("games corrected", counts->games_corrected);
    if (i->totals)
        return;
    bool any = counts->games_verbatim + counts->games_partly_verbatim + counts->games_corrected > 0;
    if (any)
        puts("\nwhy, in games");
    for (int reason = 1; reason < STAMMA_REASON_COUNT; reason++)
        if (i->reasons[reason] > 0)
            print_number(stamma_archive_reason_text((stamma_archive_reason)reason), i->reasons[reason]);
}

static bool print_kept_game(void *context, const stamma_archive_game *game)
{
    stamma_archive_notice notice;
    if (tool_notice_find(context, game, &notice)) {
        (void)fputs("  ", stdout);
        tool_notice_print(stdout, &notice, false);
    }
    return tool_printed();
}

/* ---- for programs ---- */

static void print_bits(const char *key, const stamma_archive_column *fields)
{
    if (fields->values > 0)
        tool_json_real(key, bits_each(fields), 4);
}

static void print_json_fields(const column_list *all)
{
    stamma_archive_column clocks = sum_fields(all, is_clock), scores = sum_fields(all, is_evaluation);
    print_bits("bits_per_clock", &clocks);
    print_bits("bits_per_evaluation", &scores);
    tool_json_open("fields", '{');
    for (size_t c = columns_proper(all); c < all->count; c++) {
        const stamma_archive_column *field = &all->column[c];
        tool_json_open(strchr(field->name, ':') + 1, '{');
        tool_json_number("values", field->values);
        tool_json_number("bytes", field->stored_bytes);
        tool_json_real("bits_each", bits_each(field), 4);
        tool_json_close('}');
    }
    tool_json_close('}');
}

static void print_json_columns(const info *i)
{
    const stamma_archive_counts *counts = &i->counts;
    size_t columns = columns_proper(&i->columns);
    tool_json_number("moves_bytes", counts->moves_bytes);
    tool_json_real("bits_per_ply", 8 * share(counts->moves_bytes, counts->plies), 4);
    tool_json_open("columns", '{');
    for (size_t c = 0; c < columns; c++)
        tool_json_number(i->columns.column[c].name, i->columns.column[c].stored_bytes);
    tool_json_close('}');
    tool_json_open("plain_columns", '{');
    for (size_t c = 0; c < columns; c++)
        tool_json_number(i->columns.column[c].name, i->columns.column[c].plain_bytes);
    tool_json_close('}');
    print_json_fields(&i->columns);
}

static void print_json(const info *i)
{
    const stamma_archive_counts *counts = &i->counts;
    tool_json_number("games", counts->games);
    tool_json_number("plies", counts->plies);
    tool_json_number("variation_plies", counts->variation_plies);
    tool_json_number("text_size", counts->text_size);
    tool_json_number("archive_size", counts->archive_size);
    tool_json_number("bytes_in", counts->text_size); /* earlier names */
    tool_json_number("bytes_out", counts->archive_size);
    if (!i->totals)
        print_json_columns(i);
    tool_json_number("games_verbatim", counts->games_verbatim);
    tool_json_number("games_partly_verbatim", counts->games_partly_verbatim);
    tool_json_number("games_corrected", counts->games_corrected);
    tool_json_number("verbatim_bytes", counts->verbatim_bytes);
    if (i->totals)
        return;
    tool_json_open("levels", '{');
    for (unsigned level = 0; level < LEVELS; level++) {
        char name[8];
        (void)snprintf(name, sizeof name, "%u", level);
        if (i->counts.level_blocks[level] > 0)
            tool_json_number(name, i->counts.level_blocks[level]);
    }
    tool_json_close('}');
    tool_json_open("reasons", '{');
    for (int reason = 1; reason < STAMMA_REASON_COUNT; reason++)
        if (i->reasons[reason] > 0)
            tool_json_number(tool_reason_word((stamma_archive_reason)reason), i->reasons[reason]);
    tool_json_close('}');
}

typedef struct kept_games {
    tool_notice_finder finder;
    bool loss; /* true: games kept as text; false: games corrected */
} kept_games;

static bool print_kept_object(void *context, const stamma_archive_game *game)
{
    kept_games *kept = context;
    stamma_archive_notice notice;
    if (!tool_notice_find(&kept->finder, game, &notice) || tool_notice_is_loss(notice.reason) != kept->loss)
        return tool_printed();
    tool_json_open(NULL, '{');
    tool_json_known("number", game->number);
    tool_json_number("plies", game->ply_count);
    tool_json_string("reason", tool_reason_word(game->reason));
    tool_json_number("line", notice.place.line);
    tool_json_number("ply", notice.place.ply);
    if (!kept->loss) {
        tool_json_text("found", notice.found);
        tool_json_named_text(stamma_text_of("expected"),
                             notice.expected.size > 0 ? notice.expected : (stamma_text){NULL, 0});
    }
    tool_json_close('}');
    return tool_printed();
}

/* Visits each game, which reads the archive a second time. */
static int read_again(info *i, bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    stamma_error error = stamma_archive_reader_seek(i->archive.reader, 1);
    if (error == STAMMA_ERROR_BAD_ARGUMENT && !i->archive.file.regular) {
        tool_say(i->archive.file.name, "--verbose reads the archive twice, and a pipe can be read only once");
        return TOOL_ERROR;
    }
    if (error)
        return tool_archive_fail(&i->archive, error);
    int status = tool_games_each(&i->archive, NULL, 0, STAMMA_GAME_ALL, visit, context);
    return status == TOOL_NOTHING ? TOOL_DONE : status;
}

static int print_kept_games(info *i)
{
    tool_notice_finder finder = {.lines = 0};
    return read_again(i, print_kept_game, &finder);
}

static int print_kept_list(info *i, const char *key, bool loss)
{
    kept_games kept = {.loss = loss};
    tool_json_open(key, '[');
    int status = read_again(i, print_kept_object, &kept);
    tool_json_close(']');
    return status;
}

/* ---- the files that were packed ---- */

static void print_recorded(const tool_recorded *r)
{
    char number[TOOL_NUMBER_SIZE], hash[TOOL_HASH_SIZE], when[TOOL_TIME_SIZE];
    for (size_t n = 0; n < r->count; n++) {
        const stamma_archive_source *s = &r->list[n];
        printf("%-20s  %15s  %s  ", *tool_time_write(s->time, when) ? when : "-", tool_number(s->text_size, number),
               tool_hash_write(s->sha256, hash));
        (void)tool_text_print(stdout, s->name.size > 0 ? s->name : stamma_text_of("-"));
        puts("");
    }
}

static void print_json_inputs(const tool_recorded *r)
{
    tool_json_open("inputs", '[');
    for (size_t n = 0; n < r->count; n++) {
        tool_json_open(NULL, '{');
        tool_json_recorded(&r->list[n]);
        tool_json_number("text_offset", r->list[n].text_offset);
        tool_json_close('}');
    }
    tool_json_close(']');
}

/* The options, and data for all archives. */
typedef struct printing {
    bool json, verbose, totals, inputs;
    int count, printed; /* number of archives */
} printing;

static void print_heading(const info *i, const printing *t)
{
    if (t->count == 1)
        return;
    (void)fputs(t->printed > 1 ? "\n" : "", stdout);
    (void)tool_text_print(stdout, stamma_text_of(i->archive.file.name));
    puts(":");
}

static int print_text(info *i, const printing *t)
{
    print_heading(i, t);
    print_counts(i);
    if (!i->totals) {
        print_columns(i);
        print_fields(i);
    }
    print_kept(i);
    return t->verbose ? print_kept_games(i) : TOOL_DONE;
}

static int print_object(info *i, const printing *t)
{
    int status = TOOL_DONE;
    tool_json_open(NULL, '{');
    if (t->count > 1)
        tool_json_string("archive", i->archive.file.name);
    print_json(i);
    if (t->verbose) {
        status = print_kept_list(i, "games_kept_as_text", true);
        if (status == TOOL_DONE)
            status = print_kept_list(i, "games_with_irregular_layout", false);
    }
    tool_json_close('}');
    tool_json_end();
    return status;
}

/* Reads the counts and the columns. With `totals`, reads only the counts, from the last commit if the input is a file.
 */
static stamma_error read_info(info *i)
{
    if (i->totals && i->archive.file.regular)
        return stamma_archive_reader_totals(i->archive.reader, &i->counts);
    stamma_error error = stamma_archive_reader_info(i->archive.reader, &i->counts, i->reasons, STAMMA_REASON_COUNT,
                                                    add_column, &i->columns);
    return !error && i->columns.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

static int print_inputs(info *i, const printing *t)
{
    tool_recorded recorded = {.count = 0};
    int status = TOOL_ERROR;
    if (!i->archive.file.regular) {
        tool_say(i->archive.file.name, "--inputs requires a file");
    } else if (tool_recorded_read(&i->archive, &recorded)) {
        status = TOOL_DONE;
        if (t->json) {
            tool_json_open(NULL, '{');
            if (t->count > 1)
                tool_json_string("archive", i->archive.file.name);
            print_json_inputs(&recorded);
            tool_json_close('}');
            tool_json_end();
        } else {
            print_heading(i, t);
            print_recorded(&recorded);
        }
    }
    tool_recorded_free(&recorded);
    return tool_archive_status(&i->archive, status);
}

static int print_archive(void *context, const char *path)
{
    printing *t = context;
    info i = {.totals = t->totals};
    if (!tool_archive_open(path, &i.archive))
        return TOOL_ERROR;
    if (t->inputs) {
        t->printed++;
        int listed = print_inputs(&i, t);
        tool_archive_close(&i.archive);
        return listed;
    }
    stamma_error error = read_info(&i);
    i.archive.silent = true; /* the second reading reports no damage again */
    t->printed++;
    int status = error ? tool_archive_fail(&i.archive, error)
                       : tool_archive_status(&i.archive, t->json ? print_object(&i, t) : print_text(&i, t));
    free(i.columns.column);
    tool_archive_close(&i.archive);
    return status;
}

int tool_info(int argc, char **argv)
{
    printing t = {.json = false};
    const tool_option options[] = {
        {.name = "json", .help = "a JSON object for each archive", .flag = &t.json},
        {.name = "totals", .help = "print only the totals, which needs few reads", .flag = &t.totals},
        {.name = "inputs",
         .help = "print only the files recorded by pack and append --record, one a\nline: time, size, SHA-256, name",
         .flag = &t.inputs},
        {'v', "verbose", NULL, "also list the games that are kept as text or corrected", .flag = &t.verbose},
    };
    const tool_usage usage = {"info", "ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int status;
    if (!tool_options_read(&usage, argc, argv, &t.count, &status))
        return status;
    return tool_archives_each(argv, t.count, print_archive, &t);
}
