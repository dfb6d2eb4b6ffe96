/* SPDX-License-Identifier: MIT */
/* The manifest next to an archive: the files that were imported, and their sources. */
#include "importing/import.h"

bool import_manifest_open(const char *archive, import_manifest *m)
{
    tool_file file;
    *m = (import_manifest){.path = tool_path_beside(archive, ".manifest")};
    if (!m->path)
        return false;
    m->exists = system_is_there(m->path);
    if (!m->exists && errno == ENOENT)
        return true;
    if (!tool_inputs_note(m->path, TOOL_BESIDE) || !tool_file_open(m->path, &file))
        return false;
    m->text.bytes = tool_file_read_all(&file, &m->text.size);
    m->text.room = m->text.bytes ? m->text.size + 1 : 0;
    tool_file_close(&file);
    return m->text.bytes != NULL;
}

void import_manifest_close(import_manifest *m)
{
    free(m->path);
    tool_buffer_free(&m->text);
    *m = (import_manifest){.path = NULL};
}

bool import_manifest_has(const import_manifest *m, const char *hash)
{
    char member[TOOL_HASH_SIZE + 16];
    (void)snprintf(member, sizeof member, "\"sha256\":\"%s\"", hash);
    return m->text.bytes && strstr(m->text.bytes, member) != NULL;
}

/* ---- writing ---- */

/* Writes the members that name a state of the archive. */
enum { STATE_SIZE = 96 };
static void write_state(const stamma_archive_state *state, char members[STATE_SIZE])
{
    (void)snprintf(members, STATE_SIZE, "\"archive_size\":%" PRIu64 ",\"archive_check\":\"%016" PRIx64 "\"", state->end,
                   state->check);
}

size_t import_manifest_forget(import_manifest *m, const stamma_archive_state *state)
{
    char members[STATE_SIZE];
    char *kept = m->text.bytes;
    size_t count = 0;
    write_state(state, members);
    for (char *line = m->text.bytes; line && *line;) {
        const size_t size = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        char *found = strstr(line, members);
        const bool removed = found && found < line + size;
        if (!removed)
            memmove(kept, line, size);
        kept += removed ? 0 : size;
        count += removed;
        line += size;
    }
    if (kept) {
        m->text.size = (size_t)(kept - m->text.bytes);
        *kept = 0;
    }
    return count;
}

bool import_manifest_add(import_manifest *m, const import_entry *entry, const stamma_archive_state *state)
{
    tool_buffer *text = &m->text;
    char check[TOOL_NUMBER_SIZE];
    (void)snprintf(check, sizeof check, "%016" PRIx64, state->check);
    const stamma_output output = tool_buffer_output(text);
    char stamp[TOOL_TIME_SIZE];
    if (text->size > 0 && text->bytes[text->size - 1] != '\n')
        (void)tool_buffer_add(text, "\n", 1);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("file", tool_recorded_name(entry->file));
    tool_json_string("source", entry->source);
    tool_json_number("size", entry->size);
    tool_json_string("sha256", entry->hash);
    tool_json_string("time", tool_time_write(tool_recorded_time(), stamp));
    tool_json_number("archive_size", state->end);
    tool_json_string("archive_check", check);
    tool_json_number("games", entry->added + entry->skipped);
    tool_json_number("added", entry->added);
    tool_json_number("skipped", entry->skipped);
    tool_json_close('}');
    tool_json_end();
    tool_put_flush();
    tool_put_to(NULL);
    if (tool_buffer_add(text, "", 1)) {
        text->size--; /* the NUL is only for import_manifest_has */
        return true;
    }
    (void)tool_fail_memory(m->path);
    return false;
}

bool import_manifest_write(const import_manifest *m)
{
    tool_output *output = tool_output_rewrite(m->path, true, TOOL_BESIDE);
    const bool right = output && tool_output_write(output, m->text.bytes, m->text.size) && tool_output_finish(output);
    tool_output_close(output);
    return right;
}
