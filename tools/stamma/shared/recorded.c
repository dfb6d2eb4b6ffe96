/* SPDX-License-Identifier: MIT */
/* Records of the files that were packed into an archive: their names, times, sizes and SHA-256. */
#include <time.h>

#include "shared/tool.h"

/* Adds a record. Returns false, without a message, if memory is exhausted. */
static bool add(tool_recorded *r, const stamma_archive_source *source)
{
    if (r->count == r->room) {
        const size_t room = 2 * r->room + 16;
        stamma_archive_source *grown = realloc(r->list, room * sizeof *grown);
        if (!grown)
            return false;
        r->list = grown;
        r->room = room;
    }
    char *name = malloc(source->name.size + 1);
    if (!name)
        return false;
    if (source->name.size > 0)
        memcpy(name, source->name.data, source->name.size);
    name[source->name.size] = 0;
    r->list[r->count] = *source;
    r->list[r->count++].name.data = name;
    return true;
}

static void take(void *context, const stamma_archive_source *source)
{
    tool_recorded *r = context;
    r->failed = r->failed || !add(r, source);
}

bool tool_recorded_read(tool_archive *archive, tool_recorded *r)
{
    stamma_error error = stamma_archive_reader_sources(archive->reader, take, r);
    if (!error && r->failed)
        error = STAMMA_ERROR_NO_MEMORY;
    if (error)
        (void)tool_archive_fail(archive, error);
    return !error;
}

void tool_recorded_free(tool_recorded *r)
{
    for (size_t n = 0; n < r->count; n++)
        free((void *)(uintptr_t)r->list[n].name.data);
    free(r->list);
    *r = (tool_recorded){.count = 0};
}

const char *tool_recorded_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "" : slash ? slash + 1 : path;
}

uint64_t tool_recorded_time(void)
{
    const char *set = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    const unsigned long long value = set && *set >= '0' && *set <= '9' ? strtoull(set, &end, 10) : 0;
    return end && *end == 0 ? (uint64_t)value : (uint64_t)time(NULL);
}

const char *tool_hash_write(const uint8_t hash[32], char out[TOOL_HASH_SIZE])
{
    for (unsigned n = 0; n < 32; n++)
        (void)snprintf(out + 2 * n, 3, "%02x", hash[n]);
    return out;
}

const char *tool_time_write(uint64_t seconds, char out[TOOL_TIME_SIZE])
{
    const time_t then = (time_t)seconds;
    const struct tm *utc = seconds > 0 && then > 0 && (uint64_t)then == seconds ? gmtime(&then) : NULL;
    out[0] = 0;
    if (utc && utc->tm_year < 10000 - 1900)
        (void)strftime(out, TOOL_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", utc);
    return out;
}

void tool_json_recorded(const stamma_archive_source *source)
{
    char hash[TOOL_HASH_SIZE], when[TOOL_TIME_SIZE];
    tool_json_text("file", source->name);
    tool_json_number("size", source->text_size);
    tool_json_string("sha256", tool_hash_write(source->sha256, hash));
    tool_json_string("time", *tool_time_write(source->time, when) ? when : NULL);
}
