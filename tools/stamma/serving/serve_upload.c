/* SPDX-License-Identifier: MIT */
/* /uploads: a PGN file or an archive that a client sends is packed, indexed and served. The file is passed to the
 * packing process while it arrives, so that it is never stored, and the client sees the progress of packing. */
#include "serving/serve_uploads.h"

#include <civetweb.h>
#include <strings.h>
#include <time.h>

enum {
    PIECE = 1 << 17,     /* bytes that are read at a time */
    MARK = 8,            /* bytes that identify an archive */
    LOOK = 1 << 22,      /* bytes between two checks of the size of the archive */
    NAME_MAX_SIZE = 100, /* bytes of a name that is shown */
    MESSAGES_MAX = 1 << 16,
    PAUSE = 10 /* milliseconds between two checks whether a process has ended */
};

static const uint8_t archive_mark[MARK] = {0x8D, 'S', 't', 'a', 'm', 'm', 'a', '\n'};

/* An upload that is being made. */
typedef struct making {
    serve_exchange *x;
    serve_uploads *uploads;
    serve_upload_entry *entry;
    long number;                 /* of the complete archive */
    char path[SYSTEM_PATH_SIZE]; /* of the archive */
    char name[NAME_MAX_SIZE + 1];
    uint64_t left, checked; /* bytes that the client has not sent, now and at the last check of the size */
    uint8_t *bytes;         /* a piece of the file */
    size_t size;
    int messages; /* file with the output of the processes; -1: none */
    char *text;   /* its contents */
} making;

/* ---- names ---- */

/* Copies the last part of a name, without control characters and incomplete characters. */
static void take_name(making *m, const char *given)
{
    const char *name = given ? given : "";
    for (const char *at = name; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    size_t size = strlen(name);
    if (size > NAME_MAX_SIZE)
        for (size = NAME_MAX_SIZE; size > 0 && ((unsigned char)name[size] & 0xC0) == 0x80;)
            size--;
    for (size_t i = 0; i < size; i++)
        m->name[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7F ? '_' : name[i];
    m->name[size] = 0;
    if (size == 0 || strcmp(m->name, ".") == 0 || strcmp(m->name, "..") == 0)
        (void)snprintf(m->name, sizeof m->name, "games.pgn");
}

/* ---- messages of the processes ---- */

static bool open_messages(making *m)
{
    char path[SYSTEM_PATH_SIZE + 16];
    (void)snprintf(path, sizeof path, "%s/messages", m->entry->folder);
    m->messages = system_open(path, SYSTEM_WRITE | SYSTEM_NEW | SYSTEM_APPEND);
    if (m->messages < 0)
        return serve_fail(&m->x->fault, errno == ENOSPC ? 507 : 500, "uploads: %s", strerror(errno));
    (void)system_delete(path);
    return true;
}

static void close_messages(making *m)
{
    if (m->messages >= 0)
        (void)system_close(m->messages);
    m->messages = -1;
}

/* Skips `words` at the beginning of a line. */
static char *skip(char *line, const char *words)
{
    const size_t size = strlen(words);
    return strncmp(line, words, size) == 0 ? line + size : line;
}

/* Removes each `words` from a line. */
static void cut(char *line, const char *words)
{
    const size_t size = strlen(words);
    for (char *found = line; (found = strstr(found, words)) != NULL;)
        memmove(found, found + size, strlen(found + size) + 1);
}

/* Removes names of files of the server, and options of the command, which the client cannot use. */
static char *clean(const making *m, char *line)
{
    line = skip(line, "stamma: ");
    line = skip(line, "standard input: ");
    if (strncmp(line, m->path, strlen(m->path)) == 0)
        line = skip(line + strlen(m->path), ": ");
    cut(line, " (--raw packs the file as is)");
    cut(line, " standard input"); /* of "standard input line 5" */
    return line;
}

static bool read_messages(making *m)
{
    m->text = m->text ? m->text : malloc(MESSAGES_MAX + 1);
    if (!m->text)
        return serve_fail_memory(&m->x->fault);
    const ptrdiff_t size = system_read_at(m->messages, m->text, MESSAGES_MAX, 0);
    m->text[size > 0 ? size : 0] = 0;
    return true;
}

/* Sets the error from the last message of a process that has failed. */
static bool fail_process(making *m)
{
    char *line = NULL, *rest = NULL;
    if (!read_messages(m))
        return false;
    for (char *next = strtok_r(m->text, "\n", &rest); next; next = strtok_r(NULL, "\n", &rest))
        line = next;
    if (!line)
        return serve_fail(&m->x->fault, 503, "packing was interrupted");
    return serve_fail(&m->x->fault, strstr(line, strerror(ENOSPC)) ? 507 : 422, "%.300s", clean(m, line));
}

/* ---- the body ---- */

/* Reads the next piece. Returns false with an error if it is incomplete. */
static bool read_piece(making *m)
{
    const uint64_t most = m->left < PIECE ? m->left : PIECE;
    const size_t wanted = m->size + (size_t)most <= PIECE ? (size_t)most : PIECE - m->size;
    serve_http *h = serve_http_of(m->x);
    int count = mg_read(h->connection, m->bytes + m->size, wanted);
    if (count <= 0 && wanted > 0) {
        h->close = true;
        return serve_fail(&m->x->fault, 400, "the file is cut short");
    }
    m->size += (size_t)count;
    m->left -= (uint64_t)count;
    return true;
}

/* Checks the size of the written files. */
static bool check_room(making *m)
{
    m->checked = m->left;
    return upload_size(m->entry) <= upload_room(m->uploads, m->entry) ||
           serve_fail(&m->x->fault, 413, "uploaded archives would be larger than the limit (--upload-limit)");
}

/* Writes the body to a file or pipe. *stopped: the reader of the pipe has ended. */
static bool write_body(making *m, int fd, bool *stopped)
{
    *stopped = false;
    for (;;) {
        if (!system_write(fd, m->bytes, m->size)) {
            *stopped = errno == EPIPE;
            return serve_fail(&m->x->fault, errno == ENOSPC ? 507 : 500, "uploads: %s", strerror(errno));
        }
        m->size = 0;
        if (m->left == 0)
            return true;
        if ((m->checked - m->left > LOOK && !check_room(m)) || !read_piece(m))
            return false;
    }
}

/* ---- processes ---- */

static bool wait_for_process(making *m)
{
    const struct timespec pause = {.tv_nsec = PAUSE * 1000000};
    bool right = false;
    while (!upload_has_ended(m->uploads, m->entry, &right)) {
        if (serve_client_gone(m->x)) {
            m->x->gone = true;
            return serve_fail(&m->x->fault, 499, "the client is gone");
        }
        if (!check_room(m))
            return false;
        (void)nanosleep(&pause, NULL);
    }
    return right || fail_process(m);
}

/* Writes the numbers of options. */
static void write_limits(const making *m, char threads[24], char memory[24])
{
    const serve_options *o = upload_options(m->uploads);
    (void)snprintf(threads, 24, "%" PRIu64, o->threads);
    (void)snprintf(memory, 24, "%" PRIu64, o->memory);
}

/* Passes the body to a process that packs it. */
static bool pack(making *m)
{
    char threads[24], memory[24];
    int ends[2];
    bool stopped = false;
    write_limits(m, threads, memory);
    const char *const arguments[] = {"pack", "-T", threads, "--memory", memory, "-o", m->path, "-", NULL};
    if (!system_pipe(ends))
        return serve_fail(&m->x->fault, 503, "uploads: %s", strerror(errno));
    bool right = upload_start(m->uploads, m->entry, arguments, ends[0], m->messages, &m->x->fault);
    (void)system_close(ends[0]);
    right = right && write_body(m, ends[1], &stopped);
    if (!right && !stopped) /* before the end of the pipe, which would complete the archive */
        upload_kill(m->uploads, m->entry);
    (void)system_close(ends[1]);
    return (right || stopped) && wait_for_process(m);
}

/* Stores the body, which is an archive. */
static bool store(making *m)
{
    bool stopped;
    int fd = system_open(m->path, SYSTEM_WRITE | SYSTEM_NEW);
    if (fd < 0)
        return serve_fail(&m->x->fault, errno == ENOSPC ? 507 : 500, "uploads: %s", strerror(errno));
    bool right = write_body(m, fd, &stopped);
    if (!system_close(fd) && right)
        right = serve_fail(&m->x->fault, errno == ENOSPC ? 507 : 500, "uploads: %s", strerror(errno));
    return right;
}

/* Writes the index file. This fails if the archive is damaged. */
static bool write_index(making *m)
{
    char threads[24], memory[24];
    write_limits(m, threads, memory);
    const char *const arguments[] = {"index", "-q", "-T", threads, "--memory", memory, m->path, NULL};
    return upload_start(m->uploads, m->entry, arguments, -1, m->messages, &m->x->fault) && wait_for_process(m);
}

/* Serves the archive. If the archive cannot be used, adds the first message of packing to the error: it says, for
 * example, why a file contains no moves. */
static bool publish(making *m)
{
    serve_fault *fault = &m->x->fault;
    char why[sizeof fault->message];
    m->number = upload_publish(m->uploads, m->entry, &serve_http_of(m->x)->server->files, m->path, m->name, fault);
    if (m->number >= 0)
        return true;
    if (fault->status != 422 || !read_messages(m) || strncmp(m->text, "stamma: standard input: ", 24) != 0)
        return false;
    m->text[strcspn(m->text, "\n")] = 0;
    (void)snprintf(why, sizeof why, "%s", fault->message);
    return serve_fail(fault, 422, "%.60s: %.250s", why, clean(m, m->text));
}

static bool make_archive(making *m)
{
    while (m->size < MARK && m->left > 0)
        if (!read_piece(m))
            return false;
    bool archive = m->size >= MARK && memcmp(m->bytes, archive_mark, MARK) == 0;
    return open_messages(m) && (archive ? store(m) : pack(m)) && write_index(m) && check_room(m) && publish(m);
}

/* ---- the answer ---- */

/* Writes the messages of packing, one string per line. The process does not receive the name of the file, so it reports
 * each compressed file. */
static void put_messages(making *m)
{
    static const char compressed[] = " data; packed its contents";
    char *rest = NULL;
    tool_json_open("messages", '[');
    if (m->text)
        for (char *line = strtok_r(m->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            if (!strstr(line, compressed))
                tool_json_string(NULL, clean(m, line));
    tool_json_close(']');
}

static bool send_made(making *m)
{
    serve_exchange *x = m->x;
    serve_archive_list archives;
    const stamma_output output = tool_buffer_output(&x->body);
    if (!read_messages(m) || !serve_archives_take(&x->server->archives, m->number, &archives, &x->fault))
        return false;
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_number("number", (uint64_t)m->number);
    tool_json_string("name", archives.list[0]->name);
    tool_json_number("games", archives.list[0]->games);
    tool_json_number("plies", archives.list[0]->plies);
    tool_json_number("archive_size", archives.list[0]->bytes.size);
    put_messages(m);
    tool_json_close('}');
    tool_put_to(NULL);
    serve_archives_release(&x->server->archives, &archives);
    return serve_reply_json(x);
}

/* ---- requests ---- */

/* Checks the type of the body. A form in a page of another site cannot send this type. */
static bool check_upload(serve_exchange *x, const struct mg_request_info *info)
{
    const char *type = mg_get_header(serve_http_of(x)->connection, "Content-Type");
    const uint64_t limit = x->server->uploads.bytes;
    if (!type || strcasecmp(type, "application/octet-stream") != 0)
        return serve_fail(&x->fault, 415, "the body must be application/octet-stream");
    if (info->content_length <= 0)
        return serve_fail(&x->fault, 400, "the file is empty, or the request has no Content-Length");
    return (uint64_t)info->content_length <= limit ||
           serve_fail(&x->fault, 413, "the file is larger than %" PRIu64 " bytes (--upload-limit)", limit);
}

static bool receive(serve_exchange *x, const struct mg_request_info *info)
{
    making m = {.x = x, .uploads = serve_http_of(x)->server->uploads, .messages = -1};
    if (!check_upload(x, info))
        return false;
    take_name(&m, serve_form_value(&x->form, "name"));
    m.left = m.checked = (uint64_t)info->content_length;
    m.bytes = malloc(PIECE);
    if (!m.bytes)
        return serve_fail_memory(&x->fault);
    m.entry = upload_begin(m.uploads, &x->fault);
    bool right = m.entry != NULL;
    if (right) {
        (void)snprintf(m.path, sizeof m.path, "%.*s/games.stamma", SYSTEM_PATH_SIZE - 32, m.entry->folder);
        right = make_archive(&m);
        if (!right) {
            close_messages(&m); /* Windows keeps an open file in its folder */
            upload_drop(m.uploads, m.entry);
        }
    }
    right = right && send_made(&m);
    close_messages(&m);
    free(m.text);
    free(m.bytes);
    return right;
}

/* Writes the name of the archive in a header (RFC 6266 and 8187). */
static void write_disposition(const char *name, char *out, size_t size)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    size_t length = strlen(name), used = 0;
    if (length > 4 && strcasecmp(name + length - 4, ".pgn") == 0)
        length -= 4;
    else if (length > 7 && strcasecmp(name + length - 7, ".stamma") == 0)
        length -= 7;
    used = (size_t)snprintf(out, size, "attachment; filename=\"games.stamma\"; filename*=UTF-8''");
    for (size_t i = 0; i < length && used + 16 < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, strchr(plain, name[i]) ? "%c" : "%%%02X", (unsigned char)name[i]);
    (void)snprintf(out + used, size - used, ".stamma");
}

/* An archive that is being sent. */
typedef struct sending {
    serve_archives *archives;
    serve_archive_list taken;
} sending;

static bool send_archive(serve_exchange *x)
{
    enum { SENT = 1 << 20 };
    const sending *s = x->reply.state;
    const serve_file *f = serve_file_of(s->taken.list[0]);
    const size_t size = (size_t)f->state.size;
    bool sent = serve_send_begin(x);
    for (size_t at = 0; at < size && sent; at += SENT)
        sent = serve_send_piece(x, (const uint8_t *)f->archive.bytes.memory + at, size - at < SENT ? size - at : SENT);
    return true;
}

static void close_sending(void *state)
{
    sending *s = state;
    serve_archives_release(s->archives, &s->taken);
    free(s);
}

static bool answer_archive(serve_exchange *x, long number)
{
    const serve_headers headers = {.type = "application/octet-stream", .disposition = x->header};
    sending *s = malloc(sizeof *s);
    if (!s)
        return serve_fail_memory(&x->fault);
    s->archives = &x->server->archives;
    bool right = serve_archives_take(s->archives, number, &s->taken, &x->fault);
    if (right && !s->taken.list[0]->uploaded)
        right = serve_fail(&x->fault, 404, "archive %ld is not an upload", number);
    if (right) {
        write_disposition(s->taken.list[0]->name, x->header, sizeof x->header);
        return serve_reply_pieces(x, &headers, send_archive, close_sending, s);
    }
    close_sending(s);
    return false;
}

static bool close_archive(serve_exchange *x, long number)
{
    static const char done[] = "{}\n";
    serve_server *s = serve_http_of(x)->server;
    if (!upload_remove(s->uploads, &s->files, number))
        return serve_fail(&x->fault, 404, "there is no uploaded archive %ld", number);
    return serve_reply_bytes(x, 200, &serve_json_headers, done, sizeof done - 1);
}

bool serve_upload(serve_exchange *x)
{
    const struct mg_request_info *info = mg_get_request_info(serve_http_of(x)->connection);
    const char *operand = x->request.operand;
    const size_t digits = strspn(operand, "0123456789");
    const bool post = strcmp(info->request_method, "POST") == 0;
    if (!serve_http_of(x)->server->uploads)
        return serve_fail(&x->fault, 404, "uploads are off; see --uploads");
    if (post && !*operand)
        return receive(x, info);
    if (post || digits == 0 || operand[digits] || digits > 4)
        return serve_fail(&x->fault, post ? 405 : 404, post ? "POST is not allowed here" : "there is no such upload");
    const long number = strtol(operand, NULL, 10);
    return strcmp(info->request_method, "DELETE") == 0 ? close_archive(x, number) : answer_archive(x, number);
}
