/* SPDX-License-Identifier: MIT */
/* Declares the functions of xxHash that the library uses. The crate xxhash-c-sys compiles them, but has no folder of
 * headers for other crates. */
#ifndef STAMMA_RUST_XXHASH_H
#define STAMMA_RUST_XXHASH_H

#include <stddef.h>
#include <stdint.h>

typedef enum { XXH_OK = 0, XXH_ERROR } XXH_errorcode;
typedef uint64_t XXH64_hash_t;
/* The size of this struct is part of the ABI of xxHash 0.8. */
typedef struct XXH64_state_s {
    uint64_t words[11];
} XXH64_state_t;
typedef struct {
    XXH64_hash_t low64;
    XXH64_hash_t high64;
} XXH128_hash_t;
typedef struct {
    unsigned char digest[16];
} XXH128_canonical_t;

XXH64_hash_t XXH64(const void *input, size_t length, XXH64_hash_t seed);
XXH_errorcode XXH64_reset(XXH64_state_t *state, XXH64_hash_t seed);
XXH_errorcode XXH64_update(XXH64_state_t *state, const void *input, size_t length);
XXH64_hash_t XXH64_digest(const XXH64_state_t *state);
XXH64_hash_t XXH3_64bits(const void *input, size_t length);
XXH128_hash_t XXH3_128bits(const void *input, size_t length);
void XXH128_canonicalFromHash(XXH128_canonical_t *canonical, XXH128_hash_t hash);

#endif
