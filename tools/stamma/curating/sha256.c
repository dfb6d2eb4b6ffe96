/* SHA-256 (FIPS 180-4). */
#include "curating/import.h"

typedef struct sha256 {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t size;
} sha256;

static const uint32_t constants[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

static uint32_t rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static void schedule(const uint8_t block[64], uint32_t w[64])
{
    for (unsigned t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (unsigned t = 16; t < 64; t++) {
        const uint32_t a = w[t - 15], b = w[t - 2];
        w[t] =
            w[t - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void compress(sha256 *hash)
{
    uint32_t w[64], v[8];
    schedule(hash->block, w);
    memcpy(v, hash->state, sizeof v);
    for (unsigned t = 0; t < 64; t++) {
        const uint32_t e = v[4], a = v[0];
        const uint32_t one =
            v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
        const uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (unsigned n = 0; n < 8; n++)
        hash->state[n] += v[n];
}

static void add(sha256 *hash, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const size_t used = (size_t)(hash->size % 64), count = size < 64 - used ? size : 64 - used;
        memcpy(hash->block + used, bytes, count);
        hash->size += count;
        bytes += count;
        size -= count;
        if (hash->size % 64 == 0)
            compress(hash);
    }
}

static void finish(sha256 *hash, char text[SHA256_TEXT_SIZE])
{
    const uint64_t bits = hash->size * 8;
    uint8_t length[8];
    for (unsigned n = 0; n < 8; n++)
        length[n] = (uint8_t)(bits >> (56 - 8 * n));
    add(hash, (const uint8_t *)"\x80", 1);
    while (hash->size % 64 != 56)
        add(hash, (const uint8_t *)"", 1);
    add(hash, length, sizeof length);
    for (unsigned n = 0; n < 8; n++)
        (void)snprintf(text + 8 * n, 9, "%08" PRIx32, hash->state[n]);
}

bool import_file_hash(const char *path, char text[SHA256_TEXT_SIZE], uint64_t *size)
{
    static uint8_t bytes[1 << 16];
    sha256 hash = {
        .state = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19}};
    tool_file file;
    ptrdiff_t count;
    if (!tool_file_open(path, &file))
        return false;
    while ((count = tool_file_read(&file, bytes, sizeof bytes)) > 0)
        add(&hash, bytes, (size_t)count);
    tool_file_close(&file);
    *size = hash.size;
    finish(&hash, text);
    return count == 0;
}
