/* SPDX-License-Identifier: MIT */
/* stamma site: writes a folder of static files that explores archives in a browser, without a server. */
#include "shared/archive_pages.h"
#include "shared/commands.h"
#include "site/site.h"
#include "system/system.h"
#include "threads/worker_threads.h"

static const char about[] =
    "Writes a folder of static files that any web host serves: the page of `stamma serve`, the\n"
    "archives, their index files, files of pages (see stamma pages), and a page of statistics. The\n"
    "browser reads the parts that it needs. Nothing runs on the host.\n\n"
    "Index files and files of pages are written beside each ARCHIVE if they are missing or\n"
    "outdated. DIR must be new, empty, or a site of this command, in which only changed files are\n"
    "written. Sizes are printed first.\n\n"
    "  stamma site -o site games.stamma\n"
    "  python3 -m http.server -d site         # try it: http://localhost:8000/\n"
    "  stamma site -o site --title \"Club games\" --licence \"CC0\" games.stamma    # again, after changes";

/* ---- the module ---- */

static bool has_module(const char *folder)
{
    char path[SYSTEM_PATH_SIZE];
    const int size = snprintf(path, sizeof path, "%s/stamma.wasm", folder);
    return size > 0 && (size_t)size < sizeof path && system_is_there(path);
}

/* Stores the folder of the module: beside this program, or where it is installed. */
static bool find_module(char out[SYSTEM_PATH_SIZE])
{
    static const char *const places[] = {"web", "../share/stamma/web"};
    const char *program = system_program();
    char *path = program ? system_full_path(program) : NULL;
    bool found = false;
    const int folder = path ? (int)(system_base_name(path) - path) : 0;
    for (size_t i = 0; path && i < sizeof places / sizeof *places && !found; i++) {
        const int size = snprintf(out, SYSTEM_PATH_SIZE, "%.*s%s", folder, path, places[i]);
        found = size > 0 && size < SYSTEM_PATH_SIZE && has_module(out);
    }
    free(path);
    return found;
}

static bool add_module_file(site *s, const char *folder, const char *name)
{
    char from[SYSTEM_PATH_SIZE + 64], path[64];
    const bool weights = strcmp(name, "stamma.weights") == 0;
    (void)snprintf(from, sizeof from, "%s/%s", folder, name);
    (void)snprintf(path, sizeof path, "stamma/%s", name);
    if (weights && s->no_weights)
        return true;
    return site_add_file(s, path, weights ? SITE_WEIGHTS : SITE_SHELL, from, NULL) >= 0;
}

static bool add_module(site *s)
{
    static const char *const names[] = {"worker.js",   "stamma.js",      "module.js", "byte_sources.js", "site.js",
                                        "stamma.wasm", "stamma.weights", "LICENSE",   "THIRD_PARTY.txt"};
    char folder[SYSTEM_PATH_SIZE];
    if (s->module)
        (void)snprintf(folder, sizeof folder, "%s", s->module);
    if (s->module ? !has_module(folder) : !find_module(folder)) {
        tool_say(s->module,
                 s->module ? "does not contain the module for browsers (stamma.wasm)"
                           : "site: there is no module for browsers: 'make wasm' builds it; --module names its folder");
        return false;
    }
    bool right = true;
    for (size_t i = 0; i < sizeof names / sizeof *names && right; i++)
        right = add_module_file(s, folder, names[i]);
    return right;
}

/* ---- archives ---- */

/* Writes the index file and the file of pages of an archive, unless they are current. */
static bool make_beside(const site *s, const char *archive)
{
    char *copy = strdup(archive);
    char *index[] = {"index", "-q", copy, NULL}, *pages[] = {"pages", "-q", copy, NULL};
    bool right = copy != NULL || tool_fail_memory(archive);
    if (right && !s->dry_run)
        right = tool_index(3, index) == TOOL_DONE && tool_page_files(3, pages) == TOOL_DONE;
    free(copy);
    return right;
}

static void take_column(void *context, const stamma_archive_column *column)
{
    site_archive *a = context;
    a->is_timed |= strcmp(column->name, "tag:TimeControl") == 0;
}

/* Counts the games of an open archive, and adds them to the statistics. */
static bool count_games(site *s, site_archive *a, const tool_index_file *index, const stamma_bytes *bytes)
{
    const stamma_archive_options options = {.size = sizeof options, .executor = &s->executor};
    const stamma_search_options search = {.size = sizeof search, .executor = &s->executor};
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_place place = {.offset = 0};
    stamma_error error = tool_index_open_archive(index, bytes, &options, &archive);
    if (!error)
        error = stamma_archive_reader_open(archive, NULL, &reader);
    if (!error)
        error = stamma_archive_reader_info(reader, &a->counts, NULL, 0, take_column, a);
    if (!error)
        error = stamma_stats_add_archive(s->stats, archive, NULL, &search, &place);
    if (error)
        tool_archive_say(a->path, error, place);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return !error;
}

/* Adds a file beside an archive. Without it, a dry run continues. */
static int add_beside(site *s, const char *path, const char *ending)
{
    if (!path || (s->dry_run && !system_is_there(path)))
        return -1;
    return site_add_file(s, NULL, SITE_DATA, path, ending);
}

static bool add_archive(site *s, site_archive *a)
{
    tool_index_file index;
    if (!make_beside(s, a->path))
        return false;
    char *pages = tool_pages_path(a->path), *index_path = tool_index_path(a->path);
    a->file = site_add_file(s, NULL, SITE_DATA, a->path, ".stamma");
    a->index = add_beside(s, index_path, ".index");
    a->pages = add_beside(s, pages, ".pages");
    bool right = a->file >= 0 && (s->dry_run || (a->index >= 0 && a->pages >= 0));
    if (right) {
        const stamma_bytes bytes = stamma_bytes_of(s->files[a->file].bytes, s->files[a->file].size);
        tool_index_open(a->path, NULL, &index);
        right = count_games(s, a, &index, &bytes);
        tool_index_close(&index);
    }
    free(pages);
    free(index_path);
    return right;
}

/* ---- sizes ---- */

static uint64_t size_of(const site *s, site_kind kind)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->file_count; i++)
        sum += s->files[i].kind == kind ? s->files[i].size : 0;
    return sum;
}

static void print_size(const char *what, uint64_t size)
{
    char text[TOOL_NUMBER_SIZE];
    printf("%-36s %15s bytes\n", what, tool_number(size, text));
}

static void print_sizes(const site *s)
{
    uint64_t all = 0;
    for (size_t i = 0; i < s->file_count; i++)
        all += s->files[i].size;
    for (size_t i = 0; i < s->archive_count; i++) {
        const site_archive *a = &s->archives[i];
        tool_put_string(system_base_name(a->path));
        tool_put_flush();
        puts("");
        print_size("  archive", s->files[a->file].size);
        if (a->index >= 0)
            print_size("  index", s->files[a->index].size);
        if (a->pages >= 0)
            print_size("  pages", s->files[a->pages].size);
        if (a->index < 0 || a->pages < 0)
            puts("  index or pages                       not written yet");
    }
    print_size("page and module", size_of(s, SITE_SHELL) + size_of(s, SITE_ENTRY));
    print_size("weights, loaded if they are needed", size_of(s, SITE_WEIGHTS));
    print_size("all", all);
    (void)fflush(stdout);
}

/* ---- the command ---- */

static bool open_site(site *s, char **archives, int count)
{
    s->archives = calloc((size_t)count, sizeof *s->archives);
    if (!s->archives || stamma_stats_open(NULL, &s->stats))
        return tool_fail_memory(s->folder);
    bool right = add_module(s);
    for (int i = 0; i < count && right; i++) {
        s->archives[i] = (site_archive){.path = archives[i], .file = -1, .index = -1, .pages = -1};
        right = add_archive(s, &s->archives[i]);
        s->archive_count++;
    }
    return right && site_add_statistics(s) && site_add_page(s);
}

static bool needs_weights(const site *s)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < s->archive_count; i++)
        blocks += s->archives[i].counts.level_blocks[2] + s->archives[i].counts.level_blocks[3];
    return blocks > 0;
}

static int write_site(site *s)
{
    uint64_t written;
    char text[TOOL_NUMBER_SIZE];
    if (s->no_weights && needs_weights(s)) {
        tool_say(NULL, "site: games of level 2 or 3 need the weights; leave out --no-weights, or use 'stamma "
                       "recompress --level 1'");
        return TOOL_ERROR;
    }
    if (!s->quiet)
        print_sizes(s);
    if (s->dry_run)
        return TOOL_DONE;
    if (!site_folder_write(s, &written))
        return TOOL_ERROR;
    if (!s->quiet)
        tool_say(s->folder, "%s bytes written; 'python3 -m http.server -d %s' serves the site here",
                 tool_number(written, text), s->folder);
    return TOOL_DONE;
}

static bool check(const site *s, char **archives, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(archives[i], "-") == 0) {
            tool_say(NULL, "site: ARCHIVE must be a file, not standard input");
            return false;
        }
    if (!s->folder)
        tool_say(NULL, "site: -o DIR is missing");
    return s->folder && site_folder_fits(s->folder);
}

int tool_site(int argc, char **argv)
{
    site s = {.title = "Stamma"};
    uint64_t wanted = 0;
    const tool_option options[] = {
        {'o', "output", "DIR", "folder of the site", .text = &s.folder},
        {.name = "title", .value = "TEXT", .help = "title of the site; default: Stamma", .text = &s.title},
        {.name = "author", .value = "TEXT", .help = "who publishes the games", .text = &s.author},
        {.name = "licence", .value = "TEXT", .help = "licence of the games", .text = &s.licence, .earlier = "license"},
        {.name = "no-weights",
         .help = "omit the predictor's weights (8 MB), which browsers load only for bits of\nsurprise and for archives "
                 "of levels 2 and 3",
         .flag = &s.no_weights},
        {.name = "pieces",
         .help = "cut large files into pieces of 256 KB, for hosts that do not serve ranges\nof files",
         .flag = &s.in_pieces},
        {.name = "module",
         .value = "FOLDER",
         .help = "folder of the module for browsers; default: web beside this program, or\n../share/stamma/web",
         .text = &s.module},
        {.name = "dry-run", .help = "print the sizes, and write nothing", .flag = &s.dry_run},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {'q', "quiet", NULL, "print no sizes and no summary", .flag = &s.quiet},
    };
    const tool_usage usage = {"site", "ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check(&s, argv, operands))
        return TOOL_ERROR;
    worker_threads *threads = worker_threads_open(wanted, &s.executor);
    status = open_site(&s, argv, operands) ? write_site(&s) : TOOL_ERROR;
    worker_threads_close(threads);
    site_close_files(&s);
    stamma_stats_close(s.stats);
    free(s.archives);
    return status;
}
