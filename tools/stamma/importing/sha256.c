/* SPDX-License-Identifier: MIT */
/* SHA-256 of the bytes of a file. */
#include <sha256.h>
#include <sys/types.h>

#include "importing/import.h"

bool import_file_hash(const char *path, char text[TOOL_HASH_SIZE], uint64_t *size)
{
    static uint8_t bytes[1 << 16];
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA2_CTX state;
    tool_file file;
    ptrdiff_t count;
    if (!tool_file_open(path, &file))
        return false;
    SHA256Init(&state);
    for (*size = 0; (count = tool_file_read(&file, bytes, sizeof bytes)) > 0; *size += (uint64_t)count)
        SHA256Update(&state, bytes, (size_t)count);
    tool_file_close(&file);
    SHA256Final(hash, &state);
    (void)tool_hash_write(hash, text);
    return count == 0;
}
