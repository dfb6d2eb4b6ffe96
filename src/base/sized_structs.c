/* SPDX-License-Identifier: MIT */
/* Structs that begin with their own size and grow from version to version: options passed by callers of any version,
 * and results returned to them. */
#include "base/base.h"

stamma_error stamma_options_read(const void *given, void *options, size_t size)
{
    size_t given_size = size;
    memset(options, 0, size);
    if (given) {
        memcpy(&given_size, given, sizeof given_size);
        if (given_size < sizeof given_size)
            return STAMMA_ERROR_BAD_ARGUMENT;
        memcpy(options, given, given_size < size ? given_size : size);
    }
    memcpy(options, &size, sizeof size);
    for (size_t i = size; i < given_size; i++)
        if (((const uint8_t *)given)[i] != 0)
            return STAMMA_ERROR_UNSUPPORTED;
    return STAMMA_OK;
}

bool stamma_result_has_size(const void *result)
{
    size_t size;
    if (result)
        memcpy(&size, result, sizeof size);
    return !result || size >= sizeof size;
}

void stamma_result_write(const void *known, size_t size, void *result)
{
    size_t room;
    if (!result)
        return;
    memcpy(&room, result, sizeof room);
    if (room > sizeof room)
        memcpy((uint8_t *)result + sizeof room, (const uint8_t *)known + sizeof room,
               (room < size ? room : size) - sizeof room);
    if (room > size)
        memset((uint8_t *)result + size, 0, room - size);
}
