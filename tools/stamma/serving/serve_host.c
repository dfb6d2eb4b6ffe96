/* SPDX-License-Identifier: MIT */
/* The values of the headers Host (RFC 9110, 7.2) and Origin (RFC 6454, 7.1). A value must match its grammar completely:
 * with more text after a name, an address or a port, it would name another site. */
#include "serving/server.h"

#include <strings.h>

enum { PORT_MAX = 65535, PORT_NUMERALS = 5 };

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* ---- the grammar (RFC 3986, 3.1 and 3.2) ---- */

/* Returns the number of bytes at the beginning of a text that are letters or in a set. */
static size_t span(stamma_text text, const char *more)
{
    size_t n = 0;
    while (n < text.size && text.data[n] && (strchr(letters, text.data[n]) || strchr(more, text.data[n])))
        n++;
    return n;
}

static void skip(stamma_text *text, size_t size)
{
    text->data += size;
    text->size -= size;
}

static bool is_address(bool six, stamma_text text, uint8_t address[SYSTEM_ADDRESS_SIZE])
{
    char copy[46] = ""; /* the longest address of IPv6 */
    if (text.size >= sizeof copy)
        return false;
    memcpy(copy, text.data, text.size);
    return system_address_read(copy, six, address);
}

/* Reads the name, and skips it. Names of DNS have only letters, digits, "-", "." and "_". */
static bool read_name(stamma_text *text, serve_host *host)
{
    uint8_t address[SYSTEM_ADDRESS_SIZE];
    host->is_six = text->size > 0 && *text->data == '[';
    if (host->is_six)
        skip(text, 1);
    host->name = (stamma_text){text->data, span(*text, host->is_six ? "0123456789:." : "0123456789-._")};
    skip(text, host->name.size);
    if (!host->is_six)
        return true;
    if (text->size == 0 || *text->data != ']')
        return false;
    skip(text, 1);
    return is_address(true, host->name, address);
}

/* Reads the rest: nothing, or a colon and a port, which may be empty. */
static bool read_port(stamma_text text, serve_host *host)
{
    host->port = 0;
    if (text.size == 0)
        return true;
    if (*text.data != ':' || text.size > 1 + PORT_NUMERALS)
        return false;
    for (size_t i = 1; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        host->port = host->port * 10 + (uint32_t)(text.data[i] - '0');
    }
    return host->port <= PORT_MAX;
}

bool serve_host_read(const char *text, serve_host *host)
{
    stamma_text rest = stamma_text_of(text);
    return read_name(&rest, host) && read_port(rest, host);
}

/* ---- comparisons ---- */

static bool equals(stamma_text text, const char *word)
{
    return text.size == strlen(word) && strncasecmp(text.data, word, text.size) == 0;
}

/* Returns whether a name is in 127.0.0.0/8: "127.1.2.3", but not "127.example". */
static bool is_loopback(stamma_text name)
{
    uint8_t address[SYSTEM_ADDRESS_SIZE];
    return is_address(false, name, address) && address[0] == 127;
}

bool serve_host_is_local(const serve_host *host)
{
    static const char suffix[] = ".localhost";
    const size_t size = sizeof suffix - 1;
    const stamma_text name = host->name;
    if (host->is_six)
        return equals(name, "::1");
    return equals(name, "localhost") || is_loopback(name) ||
           (name.size > size && strncasecmp(name.data + name.size - size, suffix, size) == 0);
}

bool serve_address_is_local(const char *address)
{
    serve_host host;
    if (strcmp(address, "::1") == 0)
        return true;
    return serve_host_read(address, &host) && host.port == 0 && serve_host_is_local(&host);
}

bool serve_origin_is_host(const char *origin, const serve_host *host)
{
    static const struct {
        const char *scheme;
        uint32_t port;
    } schemes[] = {{"http://", 80}, {"https://", 443}};
    serve_host own;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t size = strlen(schemes[i].scheme);
        if (strncasecmp(origin, schemes[i].scheme, size) != 0 || !serve_host_read(origin + size, &own))
            continue;
        const uint32_t port = schemes[i].port;
        return own.name.size > 0 && own.name.size == host->name.size && own.is_six == host->is_six &&
               strncasecmp(own.name.data, host->name.data, own.name.size) == 0 &&
               (own.port ? own.port : port) == (host->port ? host->port : port);
    }
    return false;
}
