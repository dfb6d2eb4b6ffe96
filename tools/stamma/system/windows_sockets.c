/* SPDX-License-Identifier: MIT */
/* Sockets of Windows, which are handles. Handles are multiples of four. */
#include <winsock2.h>
#include <ws2tcpip.h>

#include "system/windows_system.h"

static SOCKET socket_of(int number)
{
    return (SOCKET)number * 4;
}

bool system_address_read(const char *text, bool six, uint8_t bytes[SYSTEM_ADDRESS_SIZE])
{
    return inet_pton(six ? AF_INET6 : AF_INET, text, bytes) == 1;
}

bool system_socket_peer(int number, system_peer *peer, bool *open)
{
    struct sockaddr_storage found = {.ss_family = AF_UNSPEC};
    int size = sizeof found;
    const struct sockaddr_in *four = (const struct sockaddr_in *)&found;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&found;
    const bool connected = getpeername(socket_of(number), (struct sockaddr *)&found, &size) == 0;
    const bool is_six = found.ss_family == AF_INET6;
    DWORD flags;
    *open = connected || GetHandleInformation((HANDLE)socket_of(number), &flags);
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
    (void)shutdown(socket_of(number), SD_RECEIVE);
}

bool system_socket_is_ended(int number)
{
    char byte;
    fd_set readable;
    const struct timeval now = {.tv_sec = 0};
    FD_ZERO(&readable);
    FD_SET(socket_of(number), &readable);
    const int ready = select(0, &readable, NULL, NULL, &now);
    return ready < 0 || (ready > 0 && recv(socket_of(number), &byte, 1, MSG_PEEK) <= 0);
}

static const char *text_of(int error)
{
    switch (error) {
    case WSAEADDRINUSE: return "Address already in use";
    case WSAEADDRNOTAVAIL: return "Cannot assign requested address";
    case WSAEACCES: return "Permission denied";
    case WSAHOST_NOT_FOUND:
    case WSANO_DATA: return "Name or service not known";
    default: return "the system does not allow that";
    }
}

/* Returns why the system does not listen on an address, or NULL if it does. */
static const char *try_address(const struct addrinfo *a)
{
    const char *why = NULL;
    const SOCKET s = socket(a->ai_family, SOCK_STREAM, 0);
    if (s == INVALID_SOCKET || bind(s, a->ai_addr, (int)a->ai_addrlen) != 0 || listen(s, 1) != 0)
        why = text_of(WSAGetLastError());
    if (s != INVALID_SOCKET)
        (void)closesocket(s);
    return why;
}

const char *system_why_not_listen(const char *host, const char *port, bool *six)
{
    WSADATA data;
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    if (WSAStartup(MAKEWORD(2, 2), &data) != 0)
        return text_of(0);
    const int error = getaddrinfo(host, port, &hints, &found);
    *six = !error && found->ai_family == AF_INET6;
    const char *why = error ? text_of(error) : try_address(found);
    if (found)
        freeaddrinfo(found);
    (void)WSACleanup();
    return why;
}
