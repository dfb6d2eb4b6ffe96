/* SPDX-License-Identifier: MIT */
/* Error texts and the version. */
#include "base/base.h"

const char *stamma_version(void)
{
    return STAMMA_VERSION;
}

const char *stamma_error_text(stamma_error error)
{
    switch (error) {
    case STAMMA_OK: return "done";
    case STAMMA_ERROR_NO_MEMORY: return "out of memory";
    case STAMMA_ERROR_IO: return "input or output failed";
    case STAMMA_ERROR_NO_SPACE: return "not enough space";
    case STAMMA_ERROR_BAD_ARGUMENT: return "bad argument";
    case STAMMA_ERROR_SYNTAX: return "bad syntax";
    case STAMMA_ERROR_ILLEGAL: return "against the rules of chess";
    case STAMMA_ERROR_CORRUPT: return "corrupt data";
    case STAMMA_ERROR_UNSUPPORTED: return "not supported";
    case STAMMA_ERROR_CANCELLED: return "cancelled";
    case STAMMA_ERROR_AMBIGUOUS: return "ambiguous move";
    case STAMMA_ERROR_LIMIT: return "limit reached";
    case STAMMA_ERROR_MISMATCH: return "not the input that was interrupted";
    case STAMMA_ERROR_NO_ARCHIVE: return "no Stamma archive";
    case STAMMA_ERROR_SELF_CHECK: return "self-check failed: faulty memory, or an error in stamma";
    }
    return "unknown error";
}
