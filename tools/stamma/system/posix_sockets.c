/* SPDX-License-Identifier: MIT */
/* Sockets of POSIX systems. Their numbers are those of files. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE 1
#include "system/posix_system.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool system_address_read(const char *text, bool six, uint8_t bytes[SYSTEM_ADDRESS_SIZE])
{
    return inet_pton(six ? AF_INET6 : AF_INET, text, bytes) == 1;
}

bool system_socket_peer(int number, system_peer *peer, bool *open)
{
    struct sockaddr_storage found = {.ss_family = AF_UNSPEC};
    socklen_t size = sizeof found;
    const struct sockaddr_in *four = (const struct sockaddr_in *)&found;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&found;
    const bool connected = getpeername(number, (struct sockaddr *)&found, &size) == 0;
    const bool is_six = found.ss_family == AF_INET6;
    *open = connected || errno != EBADF;
    if (!connected || (!is_six && found.ss_family != AF_INET))
        return false;
    peer->port = ntohs(is_six ? six->sin6_port : four->sin_port);
    if (!inet_ntop(found.ss_family, is_six ? (const void *)&six->sin6_addr : &four->sin_addr, peer->address,
                   sizeof peer->address))
        *peer->address = 0;
    return peer->port != 0;
}

void system_socket_end_requests(int number)
{
    (void)shutdown(number, SHUT_RD);
}

bool system_socket_is_ended(int number)
{
    char byte;
    const ssize_t got = recv(number, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* Returns why the system does not listen on an address, or NULL if it does. */
static const char *try_address(const struct addrinfo *a)
{
    const char *why = NULL;
    const int on = 1, fd = socket(a->ai_family, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, a->ai_addr, a->ai_addrlen) != 0 || listen(fd, 1) != 0)
        why = strerror(errno);
    if (fd >= 0)
        (void)close(fd);
    return why;
}

const char *system_why_not_listen(const char *host, const char *port, bool *six)
{
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    const int error = getaddrinfo(host, port, &hints, &found);
    *six = !error && found->ai_family == AF_INET6;
    const char *why = error ? gai_strerror(error) : try_address(found);
    if (found)
        freeaddrinfo(found);
    return why;
}
