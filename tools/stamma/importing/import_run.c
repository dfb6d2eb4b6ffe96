/* SPDX-License-Identifier: MIT */
/* Adds the games of files that an archive does not contain, and keeps the manifest. */
#include "importing/import.h"

/* ---- the archive ---- */

/* Writes an archive without games. */
static bool write_empty(const stamma_output *output, const char *name)
{
    stamma_archive_writer *writer = NULL;
    stamma_error error = stamma_archive_writer_open(output, NULL, &writer);
    if (!error)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    if (error && error != STAMMA_ERROR_IO)
        tool_say(name, "%s", stamma_error_text(error));
    return !error;
}

/* Creates an archive without games. It is deleted again unless the import succeeds. */
static bool create(import_run *m, tool_archive *archive)
{
    m->made = tool_output_open(m->archive, false);
    if (m->made && !tool_output_is_file(m->made)) {
        tool_say(m->archive, "is not a regular file");
        return false;
    }
    const stamma_output output = m->made ? tool_output_callbacks(m->made) : (stamma_output){.context = NULL};
    return m->made && write_empty(&output, m->archive) && tool_output_place(m->made, &archive->file) &&
           tool_archive_open_file(archive);
}

static bool write_file(void *context, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, context) == size)
        return true;
    tool_say("temporary file", "%s", strerror(errno));
    return false;
}

/* Opens an archive without games that has no name. */
static bool open_empty(import_run *m, tool_archive *archive)
{
    m->empty = system_temporary();
    const stamma_output output = {m->empty, write_file, NULL};
    if (!m->empty || !write_empty(&output, m->archive) || fflush(m->empty) != 0 ||
        !tool_file_borrow(system_number_of(m->empty), m->archive, &archive->file)) {
        tool_say("temporary file", "%s", strerror(errno));
        return false;
    }
    return tool_archive_open_file(archive);
}

/* Returns whether the archive may be created. A manifest without its archive would hide that the games are missing. */
static bool may_create(const import_run *m, bool *created)
{
    import_manifest manifest;
    bool right = import_manifest_open(m->archive, &manifest);
    *created = manifest.exists && system_exists(m->archive); /* by another process */
    if (right && manifest.exists && !*created)
        tool_say(manifest.path, "exists, but %s does not; delete the manifest to import its files again", m->archive);
    right = right && (*created || !manifest.exists);
    import_manifest_close(&manifest);
    return right;
}

/* Opens the archive; locks it unless it is only read. */
static bool open_archive(import_run *m, tool_archive *archive)
{
    bool created = true;
    if (!system_exists(m->archive) && !may_create(m, &created))
        return false;
    if (!created)
        return m->dry ? open_empty(m, archive) : create(m, archive);
    return m->dry ? tool_archive_open(m->archive, archive) : tool_archive_open_to_grow(m->archive, archive);
}

bool import_state_read(int fd, const char *name, stamma_archive_state *state)
{
    tool_file file;
    stamma_archive *archive = NULL;
    if (!tool_file_borrow(fd, name, &file)) {
        tool_say(name, "%s", strerror(errno));
        return false;
    }
    const stamma_bytes bytes = tool_file_bytes(&file);
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (!error)
        error = stamma_archive_state_now(archive, state);
    stamma_archive_close(archive);
    if (error && !file.failed)
        tool_archive_say(name, error, (stamma_place){.offset = 0});
    return !error;
}

/* ---- files ---- */

static bool is_known(const import_run *m, const char *hash)
{
    for (size_t n = 0; n < m->count; n++)
        if (strcmp(m->entries[n].hash, hash) == 0)
            return true;
    return import_manifest_has(&m->manifest, hash);
}

/* Chooses the files that are not in the manifest. */
static bool choose_files(import_run *m, char **files, size_t count)
{
    m->entries = calloc(count, sizeof *m->entries);
    m->files = calloc(count, sizeof *m->files);
    if (!m->entries || !m->files)
        return tool_fail_memory(NULL);
    for (size_t n = 0; n < count; n++) {
        import_entry entry = {.file = files[n], .source = m->source};
        if (!import_file_hash(files[n], entry.hash, &entry.size))
            return false;
        if (!is_known(m, entry.hash)) {
            m->files[m->count] = files[n];
            m->entries[m->count++] = entry;
            continue;
        }
        m->known++;
        if (!m->packing.quiet)
            tool_say(files[n], "skipped: the manifest has a file with the same contents");
    }
    return true;
}

/* ---- games ---- */

static void print_counts(const import_run *m, const char *name, const import_entry *entry)
{
    char added[TOOL_NUMBER_SIZE], skipped[TOOL_NUMBER_SIZE];
    tool_say(name, "%s game%s %sadded, %s skipped", tool_number(entry->added, added), entry->added == 1 ? "" : "s",
             m->dry ? "would be " : "", tool_number(entry->skipped, skipped));
}

/* Counts the games of a file after they were copied. */
static void count_games(void *context, const tool_new_games *n, size_t file)
{
    import_run *m = context;
    import_entry *entry = &m->entries[file];
    entry->added = n->added - m->added;
    entry->skipped = n->skipped - m->skipped;
    m->added = n->added;
    m->skipped = n->skipped;
    if (!m->packing.quiet)
        print_counts(m, m->files[file], entry);
}

static bool change_games(void *context, tool_staged *staged, tool_new_games *known, bool *changed)
{
    import_run *m = context;
    return m->change(m->context, staged, known, changed);
}

static bool add_games(import_run *m, tool_packing *p, tool_archive *archive)
{
    stamma_archive_counts counts = {0};
    tool_new_games n;
    p->dry = m->dry;
    p->dedupes = m->dedupes;
    p->change = m->change ? change_games : NULL;
    p->context = m;
    m->packs = p;
    bool right = tool_new_games_append(&n, p, archive, &counts, count_games, m) && tool_output_finish(p->output);
    m->packs = NULL;
    if (right && !m->packing.quiet && !m->dry)
        tool_packing_reasons(p, &counts);
    m->games += n.added;
    m->different = n.different;
    m->strict_status = tool_packing_status(p, &counts);
    return right;
}

static bool write_manifest(import_run *m, const tool_archive *archive)
{
    stamma_archive_state state;
    if (!import_state_read(archive->file.fd, m->archive, &state))
        return false;
    for (size_t n = 0; n < m->count; n++)
        if (!import_manifest_add(&m->manifest, &m->entries[n], &state))
            return false;
    return import_manifest_write(&m->manifest);
}

/* Imports the chosen files. */
static bool import_chosen(import_run *m, tool_archive *archive)
{
    tool_packing p;
    tool_output *output = NULL;
    if (tool_packing_begin(&p, &m->packing, m->files, m->count))
        output = m->dry ? tool_output_open("/dev/null", true) : tool_output_grow(archive->file.fd, m->archive);
    if (output)
        tool_packing_start(&p, m->dry ? "reading" : "importing", output);
    m->complete = output && add_games(m, &p, archive);
    if (m->complete && m->made)
        tool_output_settle(m->made);
    const bool right = m->complete && (m->dry || write_manifest(m, archive));
    tool_packing_end(&p);
    tool_output_close(output);
    return right;
}

/* Imports the files that are not in the manifest. The archive is locked from before the manifest is read until it is
 * written. */
static bool import_files(import_run *m, tool_archive *archive, char **files, size_t count)
{
    stamma_error error = stamma_archive_reader_game_count(archive->reader, &m->games);
    if (error)
        return tool_archive_fail(archive, error) == TOOL_DONE;
    return import_manifest_open(m->archive, &m->manifest) && tool_inputs_check(m->manifest.path, TOOL_BESIDE) &&
           choose_files(m, files, count) && (m->count == 0 || import_chosen(m, archive));
}

/* ---- the index file ---- */

/* Writes an index file where there is none. */
static void make_index(const import_run *m, const char *path)
{
    stamma_executor executor;
    tool_mapped archive;
    worker_threads *threads = worker_threads_open(m->packing.threads, &executor);
    tool_indexing indexing = {.archive = m->archive,
                              .path = path,
                              .executor = &executor,
                              .memory = m->packing.memory,
                              .quiet = m->packing.quiet};
    if (tool_mapped_open(m->archive, &archive)) {
        if (tool_indexing_run(&indexing, &archive) && !indexing.quiet)
            tool_indexing_say(&indexing);
        tool_mapped_close(&archive);
    }
    worker_threads_close(threads);
}

/* Brings the index file up to date, after the archive is closed. */
static void follow(const import_run *m)
{
    char *path = m->makes_index ? tool_index_path(m->archive) : NULL;
    if (path && !system_exists(path))
        make_index(m, path);
    else
        tool_indexing_follow(m->archive, &m->packing);
    free(path);
}

/* ---- the run ---- */

int import_run_files(import_run *m, char **files, size_t count)
{
    tool_archive archive = {.file = {.fd = -1}};
    bool right = tool_inputs_note_all(files, count, TOOL_INPUT) && open_archive(m, &archive);
    if (right) {
        right = import_files(m, &archive, files, count);
        tool_archive_close(&archive);
    }
    tool_output_close(m->made);
    const bool indexes = m->complete || (right && m->makes_index && system_exists(m->archive));
    if (indexes && !m->no_index && !m->dry)
        follow(m);
    return right ? m->strict_status : TOOL_ERROR;
}

void import_run_close(import_run *m)
{
    import_manifest_close(&m->manifest);
    if (m->empty)
        (void)fclose(m->empty);
    free(m->entries);
    free(m->files);
}
