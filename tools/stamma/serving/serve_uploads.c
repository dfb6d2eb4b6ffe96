/* SPDX-License-Identifier: MIT */
/* The folders and processes of uploads, and their limits. A process with `stamma pack` makes each archive, so its limit
 * of memory and its error messages are the same as on the command line. */
#include "serving/serve_uploads.h"

enum { MAKING_MAX = 2 }; /* uploads that are made at a time */

struct serve_uploads {
    const serve_options *options;
    pthread_mutex_t lock; /* protects the following members */
    bool ending;          /* nothing is created any more */
    unsigned begun;       /* number of uploads so far, after which folders are named */
    char folder[SYSTEM_PATH_SIZE];
    serve_upload_entry entries[SERVE_UPLOADS_MAX];
};

/* ---- open and close ---- */

serve_uploads *serve_uploads_open(const serve_options *options)
{
    serve_uploads *u = calloc(1, sizeof *u);
    if (!u) {
        (void)tool_fail_memory(NULL);
        return NULL;
    }
    int size = snprintf(u->folder, sizeof u->folder, "%s/stamma-uploads-XXXXXX", options->uploads);
    if (!system_program()) {
        tool_say(NULL, "option --uploads: this system does not say where this program is");
    } else if (size < 0 || (size_t)size >= sizeof u->folder || !system_folder_make_unique(u->folder)) {
        tool_say(options->uploads, "%s", strerror(errno));
    } else {
        u->options = options;
        (void)pthread_mutex_init(&u->lock, NULL);
        return u;
    }
    free(u);
    return NULL;
}

const serve_options *upload_options(const serve_uploads *u)
{
    return u->options;
}

/* Visits the path of each file in a folder. */
typedef struct visiting {
    const char *folder;
    void (*visit)(void *context, const char *path);
    void *context;
} visiting;

static bool visit_file(void *context, const char *name)
{
    const visiting *v = context;
    char path[SYSTEM_PATH_SIZE + 300];
    const int size = snprintf(path, sizeof path, "%s/%s", v->folder, name);
    if (size > 0 && (size_t)size < sizeof path)
        v->visit(v->context, path);
    return true;
}

static void each_file(const char *folder, void (*visit)(void *context, const char *path), void *context)
{
    visiting v = {folder, visit, context};
    (void)system_folder_each(folder, visit_file, &v);
}

static void delete_file(void *context, const char *path)
{
    (void)context;
    (void)system_delete(path);
}

static void delete_folder(const char *folder)
{
    each_file(folder, delete_file, NULL);
    (void)system_folder_delete(folder);
}

void serve_uploads_stop(serve_uploads *u)
{
    if (!u)
        return;
    (void)pthread_mutex_lock(&u->lock);
    u->ending = true;
    for (size_t i = 0; i < SERVE_UPLOADS_MAX; i++) {
        (void)system_process_kill(&u->entries[i].process);
        if (u->entries[i].used)
            delete_folder(u->entries[i].folder);
    }
    (void)system_folder_delete(u->folder);
    (void)pthread_mutex_unlock(&u->lock);
}

void serve_uploads_close(serve_uploads *u)
{
    if (!u)
        return;
    serve_uploads_stop(u);
    (void)pthread_mutex_destroy(&u->lock);
    free(u);
}

/* ---- one upload ---- */

/* Returns a free entry, or NULL with an error. Call with the lock held. */
static serve_upload_entry *find_free(serve_uploads *u, serve_fault *fault)
{
    serve_upload_entry *unused = NULL;
    unsigned making = 0;
    for (size_t i = 0; i < SERVE_UPLOADS_MAX; i++) {
        serve_upload_entry *e = &u->entries[i];
        making += e->used && e->archive < 0;
        unused = e->used ? unused : e;
    }
    if (u->ending || making >= MAKING_MAX)
        (void)serve_fail(fault, 503, u->ending ? "the server ends" : "%d files are being packed; try again later",
                         MAKING_MAX);
    else if (!unused)
        (void)serve_fail(fault, 409, "%d uploaded archives are open: close one first", SERVE_UPLOADS_MAX);
    return u->ending || making >= MAKING_MAX ? NULL : unused;
}

serve_upload_entry *upload_begin(serve_uploads *u, serve_fault *fault)
{
    (void)pthread_mutex_lock(&u->lock);
    serve_upload_entry *e = find_free(u, fault);
    if (e) {
        *e = (serve_upload_entry){.used = true, .archive = -1};
        int size = snprintf(e->folder, sizeof e->folder, "%s/%u", u->folder, ++u->begun);
        if (size < 0 || (size_t)size >= sizeof e->folder || !system_folder_make(e->folder)) {
            (void)serve_fail(fault, errno == ENOSPC ? 507 : 500, "uploads: %s", strerror(errno));
            e->used = false;
            e = NULL;
        }
    }
    (void)pthread_mutex_unlock(&u->lock);
    return e;
}

void upload_drop(serve_uploads *u, serve_upload_entry *e)
{
    (void)pthread_mutex_lock(&u->lock);
    (void)system_process_kill(&e->process);
    delete_folder(e->folder);
    e->used = false;
    (void)pthread_mutex_unlock(&u->lock);
}

bool upload_start(serve_uploads *u, serve_upload_entry *e, const char *const *arguments, int input, int messages,
                  serve_fault *fault)
{
    const char *all[16] = {system_program()};
    for (size_t i = 0; arguments[i] && i + 2 < sizeof all / sizeof *all; i++)
        all[i + 1] = arguments[i];
    (void)pthread_mutex_lock(&u->lock);
    int error =
        u->ending ? ECANCELED : system_process_start(&e->process, all, false, (const int[]){input, -1, messages});
    (void)pthread_mutex_unlock(&u->lock);
    return !error || serve_fail(fault, 503, "packing cannot be started: %s", strerror(error));
}

bool upload_has_ended(serve_uploads *u, serve_upload_entry *e, bool *right)
{
    int status = 0;
    (void)pthread_mutex_lock(&u->lock);
    const bool killed = !e->process.id;
    const bool ended = killed || system_process_ended(&e->process, &status);
    (void)pthread_mutex_unlock(&u->lock);
    *right = !killed && status == 0;
    return ended;
}

void upload_kill(serve_uploads *u, serve_upload_entry *e)
{
    (void)pthread_mutex_lock(&u->lock);
    (void)system_process_kill(&e->process);
    (void)pthread_mutex_unlock(&u->lock);
}

/* ---- sizes ---- */

static void add_size(void *context, const char *path)
{
    uint64_t *sum = context;
    system_status status;
    if (system_status_of_link(path, &status))
        *sum += status.size;
}

uint64_t upload_size(const serve_upload_entry *e)
{
    uint64_t sum = 0;
    each_file(e->folder, add_size, &sum);
    return sum;
}

/* Returns the number of bytes that the upload may have. Call with the lock held. */
static uint64_t room_of(const serve_uploads *u, const serve_upload_entry *entry)
{
    uint64_t sum = 0, limit = u->options->upload_limit;
    for (size_t i = 0; i < SERVE_UPLOADS_MAX; i++)
        if (u->entries[i].used && &u->entries[i] != entry)
            sum += u->entries[i].size;
    return sum < limit ? limit - sum : 0;
}

uint64_t upload_room(serve_uploads *u, const serve_upload_entry *e)
{
    (void)pthread_mutex_lock(&u->lock);
    uint64_t room = room_of(u, e);
    (void)pthread_mutex_unlock(&u->lock);
    return room;
}

/* ---- served archives ---- */

long upload_publish(serve_uploads *u, serve_upload_entry *e, serve_files *files, const char *path, const char *name,
                    serve_fault *fault)
{
    const uint64_t size = upload_size(e);
    long number = -1;
    (void)pthread_mutex_lock(&u->lock);
    if (u->ending)
        (void)serve_fail(fault, 503, "the server ends");
    else if (size > room_of(u, e))
        (void)serve_fail(fault, 413, "uploaded archives would be larger than the limit (--upload-limit)");
    else
        number = serve_files_add(files, path, name, fault);
    e->archive = number;
    e->size = number >= 0 ? size : 0;
    (void)pthread_mutex_unlock(&u->lock);
    return number;
}

bool upload_remove(serve_uploads *u, serve_files *files, long archive)
{
    bool right = false;
    (void)pthread_mutex_lock(&u->lock);
    for (size_t i = 0; i < SERVE_UPLOADS_MAX && !right; i++) {
        serve_upload_entry *e = &u->entries[i];
        if (!e->used || e->archive != archive || archive < 0)
            continue;
        right = serve_files_remove(files, archive);
        delete_folder(e->folder);
        e->used = false;
    }
    (void)pthread_mutex_unlock(&u->lock);
    return right;
}
