/* SPDX-License-Identifier: MIT */
/* Threads that answer requests. The threads of the HTTP library have stacks of 100 KiB, which is too small for
 * searches. At its first request, each of them gets a companion thread, which answers while the library's thread
 * waits. */
#include "serving/server.h"

#include <civetweb.h>

struct serve_lane {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool started, ending;
    struct mg_connection *connection; /* the request to answer; NULL: none */
    int status;                       /* HTTP status of the answer */
};

enum { WORKER = 1 }; /* type of the library's threads that read requests */

static void *work(void *context)
{
    struct serve_lane *lane = context;
    (void)pthread_mutex_lock(&lane->lock);
    while (!lane->ending) {
        if (!lane->connection) {
            (void)pthread_cond_wait(&lane->changed, &lane->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&lane->lock);
        int status = serve_handle(lane->connection);
        (void)pthread_mutex_lock(&lane->lock);
        lane->status = status;
        lane->connection = NULL;
        (void)pthread_cond_broadcast(&lane->changed);
    }
    (void)pthread_mutex_unlock(&lane->lock);
    return NULL;
}

void *serve_lane_open(const struct mg_context *context, int type)
{
    struct serve_lane *lane = type == WORKER ? calloc(1, sizeof *lane) : NULL;
    (void)context;
    if (!lane)
        return NULL;
    (void)pthread_mutex_init(&lane->lock, NULL);
    (void)pthread_cond_init(&lane->changed, NULL);
    return lane;
}

int serve_lane_handle(struct mg_connection *connection)
{
    struct serve_lane *lane = mg_get_thread_pointer(connection);
    if (lane && !lane->started)
        lane->started = pthread_create(&lane->thread, NULL, work, lane) == 0;
    if (!lane || !lane->started) {
        mg_disable_connection_keep_alive(connection);
        (void)mg_printf(connection,
                        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
                        "Connection: close\r\n\r\n{\"error\":\"out of threads\"}\n");
        return 503;
    }
    (void)pthread_mutex_lock(&lane->lock);
    lane->connection = connection;
    (void)pthread_cond_broadcast(&lane->changed);
    while (lane->connection)
        (void)pthread_cond_wait(&lane->changed, &lane->lock);
    int status = lane->status;
    (void)pthread_mutex_unlock(&lane->lock);
    return status;
}

void serve_lane_close(const struct mg_context *context, int type, void *opened)
{
    struct serve_lane *lane = opened;
    (void)context;
    (void)type;
    if (!lane)
        return;
    (void)pthread_mutex_lock(&lane->lock);
    lane->ending = true;
    (void)pthread_cond_broadcast(&lane->changed);
    (void)pthread_mutex_unlock(&lane->lock);
    if (lane->started)
        (void)pthread_join(lane->thread, NULL);
    (void)pthread_cond_destroy(&lane->changed);
    (void)pthread_mutex_destroy(&lane->lock);
    free(lane);
}
