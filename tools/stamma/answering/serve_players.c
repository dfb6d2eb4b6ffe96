/* SPDX-License-Identifier: MIT */
/* Completes the names of players: /players. The list of names is made when it is first needed, and again when an
 * archive has changed. */
#include "answering/serve_answers.h"

#include <strings.h>

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

/* ---- persons ---- */

enum { PERSONS = 5 }; /* at most this number of persons is listed, because their games are counted */

/* A person in the answer. */
typedef struct found_person {
    size_t person;
    uint64_t games[3]; /* of either colour, as White, as Black */
} found_person;

typedef struct person_list {
    found_person list[PERSONS];
    size_t count;
} person_list;

static void add_person(person_list *found, size_t person)
{
    size_t n = 0;
    while (n < found->count && found->list[n].person != person)
        n++;
    if (n == found->count && n < PERSONS)
        found->list[found->count++] = (found_person){.person = person};
}

/* Lists the persons with the id or with one of the names. */
static void list_persons(const tool_persons *p, stamma_text id, const stamma_player *names, size_t count,
                         person_list *found)
{
    const size_t with_id = tool_persons_with_id(p, id);
    if (with_id < p->count)
        add_person(found, with_id);
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < p->line_count && found->count < PERSONS; i++)
            if (p->lines[i].key <= TOOL_PERSON_ACCOUNT && p->lines[i].value.size == names[n].name.size &&
                strncasecmp(p->lines[i].value.data, names[n].name.data, names[n].name.size) == 0)
                add_person(found, p->lines[i].person);
}

/* Counts the games of a person that a rule finds. */
static bool count_games(serve_exchange *x, const serve_archive_list *archives, size_t person, const char *rule,
                        uint64_t *games)
{
    tool_buffer json = {NULL, 0, 0, false};
    stamma_query *query = NULL;
    stamma_stats_results sum = {.games = 0};
    serve_scan s = {.archives = archives};
    tool_persons_put(&x->server->persons, person, rule, &json);
    bool right = (!json.failed || serve_fail_memory(&x->fault)) &&
                 serve_filter_parse(NULL, (stamma_text){json.bytes, json.size}, &query, &x->fault);
    while (right && serve_scan_next(x, &s))
        s.error = stamma_stats_count_archive(&sum, s.archive->handle, query, &s.options, &s.place);
    *games = sum.games;
    stamma_query_close(query);
    tool_buffer_free(&json);
    return right && !s.failed;
}

static bool count_persons(serve_exchange *x, const serve_archive_list *archives, person_list *found)
{
    static const char *const rules[] = {"player", "white", "black"};
    bool right = found->count == 0 || serve_search_enter(x);
    for (size_t n = 0; n < found->count; n++)
        for (size_t k = 0; k < 3 && right; k++)
            right = count_games(x, archives, found->list[n].person, rules[k], &found->list[n].games[k]);
    serve_search_leave(x);
    return right;
}

/* ---- the answer ---- */

/* Puts a row of the answer. `person` is without data for a name. */
static void put_row(stamma_text name, stamma_text person, const uint64_t games[3], unsigned low, unsigned high,
                    bool similar)
{
    tool_json_open(NULL, '{');
    tool_json_text("name", name);
    if (person.data)
        tool_json_text("person", person);
    tool_json_number("games", games[0]);
    tool_json_number("white_games", games[1]);
    tool_json_number("black_games", games[2]);
    tool_json_known("rating_min", low);
    tool_json_known("rating_max", high);
    if (similar)
        tool_json_raw("similar", stamma_text_of("true"));
    tool_json_close('}');
}

static void put_players(serve_exchange *x, const person_list *persons, const stamma_player *found, size_t count,
                        bool similar)
{
    const stamma_output output = tool_buffer_output(&x->body);
    const tool_persons *p = &x->server->persons;
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_open("players", '[');
    for (size_t n = 0; n < persons->count; n++) {
        const found_person *one = &persons->list[n];
        put_row(tool_persons_name(p, one->person), p->list[one->person].id, one->games, 0, 0, false);
    }
    for (size_t n = 0; n < count; n++) {
        const uint64_t white = found[n].games[STAMMA_WHITE], black = found[n].games[STAMMA_BLACK];
        put_row(found[n].name, (stamma_text){NULL, 0}, (uint64_t[]){white + black, white, black}, found[n].rating_min,
                found[n].rating_max, similar);
    }
    tool_json_close(']');
    tool_json_close('}');
    tool_put_to(NULL);
}

/* Answers with persons, if words are given, and with names; if there are none, with similar names. */
static bool find(serve_exchange *x, const name_list *list, const serve_archive_list *archives)
{
    stamma_player found[SERVE_NAMES_MAX];
    person_list persons = {.count = 0};
    size_t count = 0;
    const char *text = serve_form_value(&x->form, "q");
    const stamma_text words = stamma_text_of(text ? text + (text[0] == '=' || text[0] == '@') : "");
    if (stamma_players_find(list->players, words, found, (size_t)x->request.limit, &count))
        return serve_fail_memory(&x->fault);
    if (words.size > 0 && x->request.limit > 0)
        list_persons(&x->server->persons, words, found, count, &persons);
    if (!count_persons(x, archives, &persons))
        return false;
    const bool similar = count == 0 && persons.count == 0 && words.size > 0;
    if (similar && stamma_players_similar(list->players, words, found, (size_t)x->request.limit, &count))
        return serve_fail_memory(&x->fault);
    put_players(x, &persons, found, count, similar);
    return true;
}

bool serve_names(serve_exchange *x)
{
    serve_archive_list archives;
    serve_players *p = x->server->players;
    if (!serve_archives_asked(x, &archives))
        return false;
    name_list *list = take_list(x, &archives);
    const bool right = list && find(x, list, &archives);
    (void)pthread_mutex_lock(&p->lock);
    drop(list);
    (void)pthread_mutex_unlock(&p->lock);
    serve_archives_release(&x->server->archives, &archives);
    return right && serve_reply_json(x);
}
