/* SPDX-License-Identifier: MIT */
/* Fuzz target: the heads of requests to `stamma serve`, without sockets. The input is a head and the bytes after it.
 * The functions of the HTTP library that the server calls are replaced by a reader that is as lenient as the library.
 * Every head that the server accepts must be valid for a strict reader, which counts the same headers. Otherwise a
 * proxy could see another request. Valid heads must be accepted. The first line is also read as the value of Host. */
#include <civetweb.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serving/server.h"
#include "target.h"

const work_limit fuzz_limit = {.fixed = 50000, .per_byte = 2000};

/* ---- the library's reader ---- */

static struct mg_request_info info;

const struct mg_request_info *mg_get_request_info(const struct mg_connection *connection)
{
    (void)connection;
    return &info;
}

const char *mg_get_header(const struct mg_connection *connection, const char *name)
{
    (void)connection;
    for (int n = 0; n < info.num_headers; n++)
        if (strcasecmp(info.http_headers[n].name, name) == 0)
            return info.http_headers[n].value;
    return NULL;
}

/* Returns the size of the head; 0 if it has no end or contains a control character. The library also accepts two line
 * feeds as the end. */
static size_t head_size(const char *text, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        if ((uint8_t)text[n] < 128 && text[n] != '\r' && text[n] != '\n' && !isprint((uint8_t)text[n]))
            return 0;
        if (n + 2 <= size && memcmp(text + n, "\n\n", 2) == 0)
            return n + 2;
        if (n + 4 <= size && memcmp(text + n, "\r\n\r\n", 4) == 0)
            return n + 4;
    }
    return 0;
}

/* Ends a word of the first line with a zero, and skips the space after it. At the end of the line, skips the line end.
 * Returns NULL if there is no word. */
static char *take_word(char **at, bool last)
{
    char *word = *at, *end = word;
    while (*end && (uint8_t)*end < 128 && *end > ' ')
        end++;
    if (end == word || (last ? *end != '\r' && *end != '\n' : *end != ' '))
        return NULL;
    *end++ = 0;
    while (isspace((uint8_t)*end))
        *end++ = 0;
    *at = end;
    return word;
}

/* Reads a header. Returns false at the end of the head, and sets *failed if the line is invalid. */
static bool take_header(char **at, struct mg_header *header, bool *failed)
{
    char *next = *at;
    while (*next >= '!' && *next <= '~' && *next != ':')
        next++;
    if (next == *at)
        return false;
    while (*next == ' ')
        *next++ = 0;
    *failed = *next != ':';
    if (*failed)
        return false;
    *next = 0;
    header->name = *at;
    next += 1 + strspn(next + 1, " \t");
    header->value = next;
    next += strcspn(next, "\r\n");
    if (*next == '\r') {
        *next++ = 0;
        *failed = *next != '\n';
    }
    if (*next)
        *next++ = 0;
    *at = next;
    return !*failed;
}

/* Reads a head that ends at text[size - 1], which becomes zero. */
static bool read_head(char *text, size_t size)
{
    bool failed = false;
    char *at = text;
    text[size - 1] = 0;
    info = (struct mg_request_info){.num_headers = 0};
    info.request_method = take_word(&at, false);
    info.request_uri = info.request_method ? take_word(&at, false) : NULL;
    info.http_version = info.request_uri ? take_word(&at, true) : NULL;
    if (!info.http_version || strncmp(info.http_version, "HTTP/", 5) != 0)
        return false;
    info.http_version += 5;
    while (info.num_headers < MG_MAX_HEADERS && take_header(&at, &info.http_headers[info.num_headers], &failed)) {
        info.num_headers++;
        if (*at == '\r' || *at == '\n')
            break;
    }
    return !failed;
}

/* ---- a strict reader (RFC 9112) ---- */

/* The counts of the strict reader. */
typedef struct strict_head {
    int headers, hosts, lengths, others; /* others: a header that may not be repeated or used, or an invalid line */
    char host[256];
} strict_head;

static bool is_named(const char *line, size_t size, const char *name)
{
    return size == strlen(name) && strncasecmp(line, name, size) == 0;
}

static bool is_token_byte(char c)
{
    return isalnum((uint8_t)c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static void read_line(const char *line, size_t size, strict_head *head)
{
    static const char *const single[] = {"Origin", "Content-Type", "Sec-Fetch-Site"};
    static int found[3];
    size_t name = 0, value;
    if (head->headers++ == 0)
        memset(found, 0, sizeof found);
    while (name < size && is_token_byte(line[name]))
        name++;
    for (value = name + 1; value < size && (line[value] == ' ' || line[value] == '\t');)
        value++;
    if (name == 0 || name == size || line[name] != ':') {
        head->others++;
        return;
    }
    for (size_t n = 0; n < 3; n++)
        head->others += is_named(line, name, single[n]) && found[n]++ > 0;
    head->others += is_named(line, name, "Transfer-Encoding");
    if (is_named(line, name, "Content-Length")) {
        head->lengths++;
        head->others += value >= size;
        for (size_t n = value; n < size; n++)
            head->others += !isdigit((uint8_t)line[n]);
    }
    if (is_named(line, name, "Host") && head->hosts++ == 0 && value <= size && size - value < sizeof head->host)
        memcpy(head->host, line + value, size - value);
}

static bool is_first_line(const char *line, size_t size, bool *needs_host)
{
    const char *first = memchr(line, ' ', size);
    const char *last = first ? memchr(first + 1, ' ', size - (size_t)(first + 1 - line)) : NULL;
    const size_t version = last ? size - (size_t)(last + 1 - line) : 0;
    *needs_host = !(version == 8 && memcmp(last + 1, "HTTP/1.0", 8) == 0);
    return first > line && last && version >= 5 && memcmp(last + 1, "HTTP/", 5) == 0 && strchr("/*", first[1]) &&
           first[1] && !memchr(last + 1, ' ', version);
}

/* Returns whether a head of `size` bytes is valid and has at most the number of headers that the server accepts. */
static bool is_strict(const char *text, size_t size, strict_head *head)
{
    bool needs_host = true, right = size >= 4 && memcmp(text + size - 4, "\r\n\r\n", 4) == 0;
    serve_host host;
    size_t at = 0;
    for (unsigned line = 0; right && at + 2 < size; line++) {
        const size_t length = strcspn(text + at, "\r\n");
        right = memcmp(text + at + length, "\r\n", 2) == 0;
        if (line == 0)
            right &= is_first_line(text, length, &needs_host);
        else
            read_line(text + at, length, head);
        at += length + 2;
    }
    right &= head->others == 0 && head->lengths <= 1 && head->hosts <= 1 && head->headers <= MG_MAX_HEADERS;
    return right && (head->hosts == 0 ? !needs_host : serve_host_read(head->host, &host));
}

/* Returns whether a head is one line that ends with line feeds only. The server accepts it: no header can be hidden. */
static bool is_one_line(const char *text, size_t size)
{
    return size >= 2 && text[size - 1] == '\n' && !memchr(text, '\n', size - 2);
}

/* ---- laws ---- */

static void check_head(const char *text, size_t size)
{
    serve_fault fault = {.status = 0};
    strict_head head = {.headers = 0};
    char *copy = calloc(size + 4, 1), *original = calloc(size + 4, 1);
    demand(copy && original);
    memcpy(copy, text, size);
    const size_t length = head_size(copy, size);
    memcpy(original, copy, length);
    const bool strict = length > 0 && is_strict(original, length, &head), one_line = is_one_line(original, length);
    if (length > 0 && read_head(copy, length)) {
        const bool accepted = serve_head_check(NULL, &fault);
        demand(accepted == (fault.status == 0));
        demand(!accepted || one_line || (strict && head.headers == info.num_headers));
        demand(accepted || fault.status == 400 || fault.status == 431);
        demand(accepted || !strict);
    }
    free(copy);
    free(original);
}

/* Checks that an accepted host consists of its name and its port, and that a local host has a local name. */
static void check_host(const char *text)
{
    serve_host host, same;
    char origin[320] = "http://";
    if (!serve_host_read(text, &host))
        return;
    const size_t six = host.is_six, end = six + host.name.size + six;
    demand(host.name.data == text + six && host.port <= 65535 && (text[end] == 0 || text[end] == ':'));
    demand(text[end] == 0 || strspn(text + end + 1, "0123456789") == strlen(text + end + 1));
    const stamma_text name = host.name;
    if (serve_host_is_local(&host))
        demand(is_named(name.data, name.size, "::1") || strncmp(name.data, "127.", 4) == 0 ||
               (name.size >= 9 && strncasecmp(name.data + name.size - 9, "localhost", 9) == 0 &&
                (name.size == 9 || name.data[name.size - 10] == '.')));
    if (strlen(text) > 300)
        return;
    strcat(origin, text);
    demand(serve_host_read(text, &same) && serve_origin_is_host(origin, &same) == (name.size > 0));
    demand(!serve_origin_is_host(text, &host) && !serve_origin_is_host(origin + 1, &host));
    strcat(origin, "/");
    demand(!serve_origin_is_host(origin, &host));
}

void fuzz_input(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";
    char *line = calloc(size + 1, 1);
    demand(line != NULL);
    check_head(text, size);
    for (size_t n = 0; n < size && text[n] != '\n'; n++)
        line[n] = text[n];
    check_host(line);
    free(line);
}
