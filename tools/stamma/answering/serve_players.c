/* SPDX-License-Identifier: MIT */
/* Completes the names of players: /players. The list of names is made when it is first needed, and again when an
 * archive has changed. */
#include "answering/serve_answers.h"

/* A list of the names of some archives. */
typedef struct name_list {
    stamma_players *players;
    tool_buffer serials; /* uint64_t of each archive */
    unsigned users;
} name_list;

struct serve_players {
    pthread_mutex_t lock;
    name_list *list; /* the latest; NULL: none */
};

serve_players *serve_players_open(void)
{
    serve_players *p = calloc(1, sizeof *p);
    if (p)
        (void)pthread_mutex_init(&p->lock, NULL);
    return p;
}

/* Drops one use of a list, and releases it after the last. Call with the lock held. */
static void drop(name_list *list)
{
    if (!list || --list->users > 0)
        return;
    stamma_players_close(list->players);
    tool_buffer_free(&list->serials);
    free(list);
}

void serve_players_close(serve_players *p)
{
    if (!p)
        return;
    drop(p->list);
    (void)pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- the list ---- */

static name_list *new_list(const serve_archive_list *archives)
{
    name_list *list = calloc(1, sizeof *list);
    if (!list)
        return NULL;
    list->users = 1;
    for (size_t i = 0; i < archives->count; i++)
        (void)tool_buffer_add(&list->serials, &archives->list[i]->serial, sizeof archives->list[i]->serial);
    if (!list->serials.failed && !stamma_players_open(NULL, &list->players))
        return list;
    drop(list);
    return NULL;
}

static bool is_of(const name_list *list, const serve_archive_list *archives)
{
    if (!list || list->serials.size != archives->count * sizeof(uint64_t))
        return false;
    for (size_t i = 0; i < archives->count; i++)
        if (memcmp(list->serials.bytes + i * sizeof(uint64_t), &archives->list[i]->serial, sizeof(uint64_t)) != 0)
            return false;
    return true;
}

static bool add_all(serve_exchange *x, name_list *list, const serve_archive_list *archives)
{
    serve_scan s = {.archives = archives};
    while (serve_scan_next(x, &s))
        s.error = stamma_players_add_archive(list->players, s.archive->handle, &s.options, &s.place);
    return !s.failed;
}

/* Returns the list of the archives, which must be dropped; NULL with an error. */
static name_list *take_list(serve_exchange *x, const serve_archive_list *archives)
{
    serve_players *p = x->server->players;
    (void)pthread_mutex_lock(&p->lock);
    name_list *list = is_of(p->list, archives) ? p->list : NULL;
    if (list)
        list->users++;
    (void)pthread_mutex_unlock(&p->lock);
    if (list)
        return list;
    list = new_list(archives);
    if (!list) {
        (void)serve_fail_memory(&x->fault);
        return NULL;
    }
    const bool right = serve_search_enter(x) && add_all(x, list, archives);
    serve_search_leave(x);
    (void)pthread_mutex_lock(&p->lock);
    if (right) {
        drop(p->list);
        p->list = list;
        list->users++;
    } else {
        drop(list);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return right ? list : NULL;
}

/* ---- the answer ---- */

static void put_players(serve_exchange *x, const stamma_player *found, size_t count)
{
    const stamma_output output = tool_buffer_output(&x->body);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_open("players", '[');
    for (size_t n = 0; n < count; n++) {
        tool_json_open(NULL, '{');
        tool_json_text("name", found[n].name);
        tool_json_number("games", found[n].games[STAMMA_WHITE] + found[n].games[STAMMA_BLACK]);
        tool_json_number("white_games", found[n].games[STAMMA_WHITE]);
        tool_json_number("black_games", found[n].games[STAMMA_BLACK]);
        tool_json_known("rating_min", found[n].rating_min);
        tool_json_known("rating_max", found[n].rating_max);
        tool_json_close('}');
    }
    tool_json_close(']');
    tool_json_close('}');
    tool_put_to(NULL);
}

static bool find(serve_exchange *x, const name_list *list)
{
    stamma_player found[SERVE_NAMES_MAX];
    size_t count = 0;
    const char *text = serve_form_value(&x->form, "q");
    if (stamma_players_find(list->players, stamma_text_of(text ? text : ""), found, (size_t)x->request.limit, &count))
        return serve_fail_memory(&x->fault);
    put_players(x, found, count);
    return true;
}

bool serve_names(serve_exchange *x)
{
    serve_archive_list archives;
    serve_players *p = x->server->players;
    if (!serve_archives_take(&x->server->archives, x->request.archive, &archives, &x->fault))
        return false;
    name_list *list = take_list(x, &archives);
    const bool right = list && find(x, list);
    (void)pthread_mutex_lock(&p->lock);
    drop(list);
    (void)pthread_mutex_unlock(&p->lock);
    serve_archives_release(&x->server->archives, &archives);
    return right && serve_reply_json(x);
}
