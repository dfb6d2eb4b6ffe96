/* SPDX-License-Identifier: MIT */
/* The process of the chess engine: start, lines through pipes, end. */
#include "serving/serve_engine.h"
#include "serving/serve_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    QUIT_STEP = 5,  /* milliseconds between two checks whether the program has ended */
    QUIT_STEPS = 20 /* number of these checks */
};

/* ---- start ---- */

static void close_pipe(const int ends[2])
{
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* Opens a pipe. The end that the server uses never blocks. */
static bool open_pipe(int ends[2], int used)
{
    if (pipe(ends) != 0)
        return false;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
        fcntl(ends[used], F_SETFL, O_NONBLOCK) == 0)
        return true;
    close_pipe(ends);
    return false;
}

int engine_start(engine_process *p, const char *const *arguments)
{
    int input[2], output[2];
    if (!open_pipe(input, 1))
        return errno;
    if (!open_pipe(output, 0)) {
        int error = errno;
        close_pipe(input);
        return error;
    }
    int error = serve_process_start(&p->pid, arguments, false, (const int[]){input[0], output[1], -1});
    (void)close(input[0]);
    (void)close(output[1]);
    p->input = input[1];
    p->output = output[0];
    p->begin = p->end = 0;
    p->skipping = false;
    if (error) {
        (void)close(p->input);
        (void)close(p->output);
        p->pid = 0;
    }
    return error;
}

/* ---- lines ---- */

bool engine_send(const engine_process *p, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(p->input, text, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        text += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* Removes a line from the bytes received. Returns false if there is no complete line. */
static bool take_line(engine_process *p, char **line)
{
    char *begin = p->bytes + p->begin, *end = memchr(begin, '\n', p->end - p->begin);
    if (!end)
        return false;
    p->begin = (size_t)(end - p->bytes) + 1;
    *end = 0;
    if (end > begin && end[-1] == '\r')
        end[-1] = 0;
    *line = begin;
    return true;
}

/* Removes the next line that is not too long. */
static bool next_line(engine_process *p, char **line)
{
    while (take_line(p, line)) {
        if (!p->skipping)
            return true;
        p->skipping = false;
    }
    memmove(p->bytes, p->bytes + p->begin, p->end - p->begin);
    p->end -= p->begin;
    p->begin = 0;
    if (p->end == sizeof p->bytes) {
        p->skipping = true;
        p->end = 0;
    }
    return false;
}

/* Receives bytes. Returns ENGINE_LINE if there are some. */
static engine_event receive(engine_process *p, int milliseconds)
{
    struct pollfd wait = {.fd = p->output, .events = POLLIN};
    if (poll(&wait, 1, milliseconds) <= 0)
        return ENGINE_NOTHING;
    ssize_t got = read(p->output, p->bytes + p->end, sizeof p->bytes - p->end);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? ENGINE_NOTHING : ENGINE_ENDED;
    p->end += (size_t)got;
    return got > 0 ? ENGINE_LINE : ENGINE_ENDED;
}

engine_event engine_read(engine_process *p, int milliseconds, char **line)
{
    if (next_line(p, line))
        return ENGINE_LINE;
    engine_event event = receive(p, milliseconds);
    return event == ENGINE_LINE && !next_line(p, line) ? ENGINE_NOTHING : event;
}

/* ---- end ---- */

void engine_kill(engine_process *p)
{
    (void)serve_process_kill(&p->pid);
}

/* Waits until the program has ended, without reading its status: until then no other process group gets its number. */
static void wait_for_end(const engine_process *p)
{
    const struct timespec pause = {.tv_nsec = QUIT_STEP * 1000000};
    for (int i = 0; i < QUIT_STEPS; i++) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0)
            return;
        (void)nanosleep(&pause, NULL);
    }
}

int engine_end(engine_process *p)
{
    static const char quit[] = "quit\n";
    if (p->pid <= 0)
        return 0;
    (void)engine_send(p, quit, sizeof quit - 1);
    (void)close(p->input);
    wait_for_end(p);
    int status = serve_process_kill(&p->pid);
    (void)close(p->output);
    return status;
}
