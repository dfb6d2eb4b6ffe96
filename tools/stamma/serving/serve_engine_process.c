/* SPDX-License-Identifier: MIT */
/* The process of the chess engine: start, lines through pipes, end. */
#include "serving/serve_engine.h"

enum { QUIT_TIME = 100 }; /* milliseconds in which the program must end */

/* ---- start ---- */

static void close_pipe(const int ends[2])
{
    (void)system_close(ends[0]);
    (void)system_close(ends[1]);
}

/* Opens a pipe. The end that the server uses never blocks. */
static bool open_pipe(int ends[2], int used)
{
    if (!system_pipe(ends))
        return false;
    if (system_pipe_no_wait(ends[used]))
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
    int error = system_process_start(&p->program, arguments, false, (const int[]){input[0], output[1], -1});
    (void)system_close(input[0]);
    (void)system_close(output[1]);
    p->input = input[1];
    p->output = output[0];
    p->begin = p->end = 0;
    p->skipping = false;
    if (error) {
        (void)system_close(p->input);
        (void)system_close(p->output);
    }
    return error;
}

/* ---- lines ---- */

bool engine_send(const engine_process *p, const char *text, size_t size)
{
    return system_write(p->input, text, size);
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
    const ptrdiff_t got = system_pipe_read(p->output, p->bytes + p->end, sizeof p->bytes - p->end, milliseconds);
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
    (void)system_process_kill(&p->program);
}

int engine_end(engine_process *p)
{
    static const char quit[] = "quit\n";
    if (!p->program.id)
        return 0;
    (void)engine_send(p, quit, sizeof quit - 1);
    (void)system_close(p->input);
    system_process_wait(&p->program, QUIT_TIME);
    const int status = system_process_kill(&p->program);
    (void)system_close(p->output);
    return status;
}
