/* SPDX-License-Identifier: MIT */
/* The page of a site: the files of web, and the files that make it a page without a server. */
#include "reporting/html_page.h"
#include "shared/web_files.h"
#include "site/site.h"
#include "system/system.h"

/* The page loads only its files, and compiles the module. */
#define POLICY                                                                                                 \
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; style-src 'self'; " \
    "style-src-attr 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'"

static void begin(tool_buffer *buffer, stamma_output *output)
{
    *buffer = (tool_buffer){.bytes = NULL};
    *output = tool_buffer_output(buffer);
    tool_put_to(output);
    tool_json_begin();
}

static const tool_web_file *file_of_page(const char *path)
{
    const tool_web_file *f = tool_web_files;
    while (f->path && strcmp(f->path, path) != 0)
        f++;
    return f->path ? f : NULL;
}

/* Returns whether the command writes another file in its place. */
static bool is_made(const char *path)
{
    return strcmp(path, "/index.html") == 0 || strcmp(path, "/service_worker.js") == 0;
}

/* ---- site.json: the list of archives ---- */

static void put_file(const site *s, const char *key, int number)
{
    char size_key[16];
    if (number < 0)
        return;
    (void)snprintf(size_key, sizeof size_key, "%s_size", key);
    tool_json_string(key, s->files[number].path);
    tool_json_number(size_key, s->files[number].size);
}

/* Writes an archive. The counts are those that a server reads from all blocks when it opens an archive. */
static void put_archive(const site *s, const site_archive *a)
{
    tool_json_open(NULL, '{');
    tool_json_string("name", system_base_name(a->path));
    put_file(s, "file", a->file);
    put_file(s, "index", a->index);
    put_file(s, "pages", a->pages);
    tool_json_open("counts", '[');
    tool_json_number(NULL, a->counts.games);
    tool_json_number(NULL, a->counts.plies);
    for (size_t level = 1; level <= 3; level++)
        tool_json_number(NULL, a->counts.level_blocks[level]);
    tool_json_number(NULL, a->is_timed);
    tool_json_close(']');
    tool_json_close('}');
}

static bool add_list(site *s)
{
    tool_buffer buffer;
    stamma_output output;
    begin(&buffer, &output);
    tool_json_open(NULL, '{');
    tool_json_string("generator", "stamma site");
    tool_json_string("version", stamma_version());
    tool_json_string("title", s->title);
    tool_json_string("author", s->author);
    tool_json_string("licence", s->licence);
    tool_json_number("piece", s->in_pieces ? SITE_PIECE : 0);
    tool_json_open("archives", '[');
    for (size_t i = 0; i < s->archive_count; i++)
        put_archive(s, &s->archives[i]);
    tool_json_close(']');
    tool_json_close('}');
    tool_put_char('\n');
    return site_add_printed(s, "site.json", &buffer);
}

/* ---- manifest.webmanifest: makes the page installable ---- */

static void put_types(void)
{
    tool_json_open("file_handlers", '[');
    tool_json_open(NULL, '{');
    tool_json_string("action", "./");
    tool_json_open("accept", '{');
    tool_json_open("application/vnd.chess-pgn", '[');
    tool_json_string(NULL, ".pgn");
    tool_json_close(']');
    tool_json_open("application/octet-stream", '[');
    tool_json_string(NULL, ".stamma");
    tool_json_close(']');
    tool_json_close('}');
    tool_json_close('}');
    tool_json_close(']');
}

static bool add_manifest(site *s)
{
    tool_buffer buffer;
    stamma_output output;
    begin(&buffer, &output);
    tool_json_open(NULL, '{');
    tool_json_string("name", s->title);
    tool_json_string("short_name", s->title);
    tool_json_string("start_url", "./");
    tool_json_string("scope", "./");
    tool_json_string("display", "standalone");
    tool_json_string("background_color", "#f7f5f0");
    tool_json_string("theme_color", "#2d6a5f");
    tool_json_open("icons", '[');
    tool_json_open(NULL, '{');
    tool_json_string("src", "favicon.svg");
    tool_json_string("sizes", "any");
    tool_json_string("type", "image/svg+xml");
    tool_json_close('}');
    tool_json_close(']');
    put_types();
    tool_json_close('}');
    tool_put_char('\n');
    return site_add_printed(s, "manifest.webmanifest", &buffer);
}

/* ---- index.html ---- */

static void put_head(const site *s)
{
    tool_put_string("<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
                    "<meta name=\"stamma-worker\" content=\"stamma/worker.js\">\n"
                    "<meta name=\"stamma-site\" content=\"site.json\">\n"
                    "<link rel=\"manifest\" href=\"manifest.webmanifest\">\n"
                    "<script type=\"module\" src=\"local.js\"></script>\n");
    if (s->author) {
        tool_put_string("<meta name=\"author\" content=\"");
        html_string(s->author);
        tool_put_string("\">\n");
    }
}

/* Writes whose games these are. */
static void put_about(const site *s)
{
    tool_put_string("<h2>About this site</h2>\n<p>");
    html_string(s->title);
    if (s->author) {
        tool_put_string(". Published by ");
        html_string(s->author);
    }
    if (s->licence) {
        tool_put_string(". Licence of the games: ");
        html_string(s->licence);
    }
    tool_put_string(". <a href=\"statistics.html\">Statistics of all games</a>.</p>\n  ");
}

static void put_noscript(const site *s)
{
    tool_put_string(
        "<body>\n<noscript><p>This page needs JavaScript. <a href=\"statistics.html\">Statistics of all games</a> "
        "can be read without it.</p></noscript>\n");
    (void)s;
}

static void put_scripts(const site *s)
{
    tool_put_string("<script type=\"module\" src=\"install.js\"></script>\n</head>\n");
    (void)s;
}

static void put_title(const site *s)
{
    tool_put_string("<title>");
    html_string(s->title);
    tool_put_string("</title>\n");
}

/* What is inserted into the page, before or instead of texts of it. */
static const struct insertion {
    const char *text;
    void (*put)(const site *s);
    bool replaces;
} insertions[] = {{"<meta name=\"viewport\"", put_head, false},
                  {"<title>Stamma</title>\n", put_title, true},
                  {"</head>\n", put_scripts, true},
                  {"<body>\n", put_noscript, true},
                  {"<form method=\"dialog\">", put_about, false}};

/* Prints the page. Returns false if it lacks one of the texts: the command and the page do not fit. */
static bool put_entry(const site *s, const char *page)
{
    for (size_t i = 0; i < sizeof insertions / sizeof *insertions; i++) {
        const struct insertion *one = &insertions[i];
        const char *at = strstr(page, one->text);
        if (!at)
            return false;
        tool_put(page, (size_t)(at - page));
        one->put(s);
        page = at + (one->replaces ? strlen(one->text) : 0);
    }
    tool_put_string(page);
    return true;
}

static bool print_entry(const site *s, tool_buffer *buffer)
{
    const tool_web_file *page = file_of_page("/index.html");
    stamma_output output;
    begin(buffer, &output);
    const bool fits = page && put_entry(s, (const char *)page->bytes);
    tool_put_flush();
    tool_put_to(NULL);
    if (!fits)
        tool_say(NULL, "site: the page of this build is incomplete");
    return fits;
}

/* ---- service_worker.js ---- */

/* Writes the list of the files that the page needs offline, with their hashes, before the script of the service worker.
 * Browsers install the service worker again if one of them changes. */
static bool add_service_worker(site *s, const tool_buffer *entry)
{
    const tool_web_file *script = file_of_page("/service_worker.js");
    char hash[SITE_HASH_SIZE];
    tool_buffer buffer;
    stamma_output output;
    site_hash(entry->bytes, entry->size, hash);
    begin(&buffer, &output);
    tool_put_string("self.FILES = ");
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("./", hash);
    for (size_t i = 0; i < s->file_count; i++)
        if (s->files[i].kind == SITE_SHELL || s->files[i].kind == SITE_ENTRY)
            tool_json_string(s->files[i].path, s->files[i].hash);
    tool_json_close('}');
    tool_put_string(";\n");
    tool_put_string(script ? (const char *)script->bytes : "");
    tool_put_flush();
    return site_add_printed(s, "service_worker.js", &buffer);
}

/* ---- the files of web ---- */

static bool add_files(site *s)
{
    bool right = true;
    for (const tool_web_file *f = tool_web_files; f->path && right; f++)
        if (!is_made(f->path))
            right = site_add(s, f->path + 1, SITE_SHELL, f->bytes, f->size, NULL) >= 0;
    return right;
}

bool site_add_page(site *s)
{
    tool_buffer entry = {.bytes = NULL};
    const bool right =
        add_files(s) && add_manifest(s) && add_list(s) && print_entry(s, &entry) && add_service_worker(s, &entry);
    if (right)
        return site_add_printed(s, "index.html", &entry);
    tool_buffer_free(&entry);
    return false;
}
