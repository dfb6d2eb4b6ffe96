/* The manifest beside an archive: what came from where. */
#include "curating/import.h"

#include <sys/stat.h>

bool import_manifest_open(const char *archive, import_manifest *m)
{
    static const char ending[] = ".manifest";
    struct stat status;
    tool_file file;
    *m = (import_manifest){.path = malloc(strlen(archive) + sizeof ending)};
    if (!m->path) {
        tool_say(archive, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        return false;
    }
    (void)sprintf(m->path, "%s%s", archive, ending);
    m->exists = stat(m->path, &status) == 0;
    if (!m->exists && errno == ENOENT)
        return true;
    if (!tool_file_open(m->path, &file))
        return false;
    m->text = tool_file_read_all(&file, &m->size);
    m->room = m->text ? m->size + 1 : 0;
    tool_file_close(&file);
    return m->text != NULL;
}

void import_manifest_close(import_manifest *m)
{
    free(m->path);
    free(m->text);
    *m = (import_manifest){.path = NULL};
}

bool import_manifest_has(const import_manifest *m, const char *hash)
{
    char member[TOOL_HASH_SIZE + 16];
    (void)snprintf(member, sizeof member, "\"sha256\":\"%s\"", hash);
    return m->text && strstr(m->text, member) != NULL;
}

/* ---- writing ---- */

static bool append(void *context, const void *bytes, size_t size)
{
    import_manifest *m = context;
    if (m->room - m->size <= size) {
        const size_t room = 2 * (m->size + size) + 256;
        char *grown = realloc(m->text, room);
        if (!grown)
            return false;
        m->text = grown;
        m->room = room;
    }
    memcpy(m->text + m->size, bytes, size);
    m->size += size;
    m->text[m->size] = 0;
    return true;
}

bool import_manifest_add(import_manifest *m, const import_entry *entry)
{
    const stamma_output output = {m, append, NULL};
    char stamp[TOOL_TIME_SIZE];
    const size_t before = m->size;
    if (m->size > 0 && m->text[m->size - 1] != '\n' && !append(m, "\n", 1))
        return false;
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("file", tool_recorded_name(entry->file));
    tool_json_string("source", entry->source);
    tool_json_number("size", entry->size);
    tool_json_string("sha256", entry->hash);
    tool_json_string("time", tool_time_write(tool_recorded_time(), stamp));
    tool_json_number("games", entry->added + entry->skipped);
    tool_json_number("added", entry->added);
    tool_json_number("skipped", entry->skipped);
    tool_json_close('}');
    tool_json_end();
    tool_put_flush();
    tool_put_to(NULL);
    if (m->size > before && m->text[m->size - 1] == '\n')
        return true;
    tool_say(m->path, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return false;
}

bool import_manifest_write(const import_manifest *m)
{
    tool_output *output = tool_output_open(m->path, true);
    const bool right = output && tool_output_write(output, m->text, m->size) && tool_output_finish(output);
    tool_output_close(output);
    return right;
}
