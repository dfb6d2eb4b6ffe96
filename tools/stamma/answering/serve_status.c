/* SPDX-License-Identifier: MIT */
/* The archives, and their state: /archives and /health. */
#include "answering/serve_answers.h"

static void begin(serve_exchange *x, stamma_output *output)
{
    *output = tool_buffer_output(&x->body);
    tool_put_to(output);
    tool_json_begin();
}

static void put_archive(serve_archive *a)
{
    tool_json_open(NULL, '{');
    tool_json_number("number", (uint64_t)a->number);
    tool_json_string("name", a->name);
    tool_json_number("games", a->games);
    tool_json_number("plies", a->plies);
    tool_json_number("archive_size", a->bytes.size);
    tool_json_open("levels", '[');
    for (size_t level = 1; level < sizeof a->blocks / sizeof *a->blocks; level++)
        if (a->blocks[level] > 0)
            tool_json_number(NULL, level);
    tool_json_close(']');
    tool_json_string("index", serve_archive_index_word(a));
    tool_json_bool("uploaded", a->uploaded);
    tool_json_number("version", a->serial);
    tool_json_close('}');
}

bool serve_list(serve_exchange *x)
{
    serve_archive_list archives;
    stamma_output output;
    if (!serve_archives_take(&x->server->archives, SERVE_EVERY, &archives, &x->fault))
        return false;
    begin(x, &output);
    tool_json_open(NULL, '[');
    for (size_t i = 0; i < archives.count; i++)
        put_archive(archives.list[i]);
    tool_json_close(']');
    tool_put_to(NULL);
    serve_archives_release(&x->server->archives, &archives);
    return serve_reply_json(x);
}

bool serve_questions(serve_exchange *x)
{
    const tool_buffer *questions = &x->server->questions;
    if (!tool_buffer_add(&x->body, questions->bytes, questions->size))
        return serve_fail_memory(&x->fault);
    return serve_reply_json(x);
}

bool serve_sum_archives(serve_exchange *x, serve_sums *sum)
{
    serve_archive_list archives;
    if (!serve_archives_take(&x->server->archives, SERVE_EVERY, &archives, &x->fault))
        return false;
    *sum = (serve_sums){.archives = archives.count};
    for (size_t i = 0; i < archives.count; i++) {
        serve_archive *a = archives.list[i];
        const stamma_index_kind kind = serve_archive_index(a);
        sum->games += a->games;
        sum->indexed += kind != STAMMA_INDEX_NONE;
        sum->index_files += kind == STAMMA_INDEX_FILE;
    }
    serve_archives_release(&x->server->archives, &archives);
    return true;
}

/* Writes the archives whose files are not sound. */
static void put_problems(serve_archives *archives)
{
    static const char *const texts[SERVE_PROBLEMS] = {NULL, "damaged", "missing", "unreadable"};
    tool_json_open("problems", '[');
    for (size_t i = 0; i < archives->count; i++) {
        const char *text = texts[serve_archives_problem(archives, i)];
        if (!text)
            continue;
        tool_json_open(NULL, '{');
        tool_json_number("archive_number", i);
        tool_json_string("archive", archives->slots[i].path);
        tool_json_string("problem", text);
        tool_json_close('}');
    }
    tool_json_close(']');
}

/* Writes the engine's limits, or null. */
static void put_engine(const serve_engine_limits *l)
{
    const char *slash = l->program ? strrchr(l->program, '/') : NULL;
    if (!l->program) {
        tool_json_string("engine", NULL);
        return;
    }
    tool_json_open("engine", '{');
    tool_json_string("name", slash ? slash + 1 : l->program);
    tool_json_number("threads", l->threads);
    tool_json_number("memory", l->memory);
    tool_json_number("time", l->seconds);
    tool_json_close('}');
}

/* Writes the limits of uploads, or null. */
static void put_uploads(const serve_upload_limits *l)
{
    if (l->archives == 0) {
        tool_json_string("uploads", NULL);
        return;
    }
    tool_json_open("uploads", '{');
    tool_json_number("limit", l->bytes);
    tool_json_number("archives", l->archives);
    tool_json_close('}');
}

/* Writes the largest number of pieces in a tablebase, or null. */
static void put_tablebase(unsigned men)
{
    if (men == 0) {
        tool_json_string("tablebase", NULL);
        return;
    }
    tool_json_open("tablebase", '{');
    tool_json_number("men", men);
    tool_json_close('}');
}

static bool is_sound(serve_archives *archives)
{
    for (size_t i = 0; i < archives->count; i++)
        if (serve_archives_problem(archives, i) != SERVE_SOUND)
            return false;
    return true;
}

bool serve_health(serve_exchange *x)
{
    serve_sums sum;
    stamma_output output;
    if (!serve_sum_archives(x, &sum))
        return false;
    begin(x, &output);
    tool_json_open(NULL, '{');
    tool_json_string("status", is_sound(&x->server->archives) ? "ok" : "degraded");
    tool_json_string("version", stamma_version());
    tool_json_number("archives", sum.archives);
    tool_json_number("indexed", sum.indexed);
    tool_json_number("index_files", sum.index_files);
    tool_json_number("games", sum.games);
    put_problems(&x->server->archives);
    put_engine(&x->server->engine);
    put_uploads(&x->server->uploads);
    put_tablebase(x->server->tablebase_men);
    tool_json_close('}');
    tool_put_to(NULL);
    return serve_reply_json(x);
}
