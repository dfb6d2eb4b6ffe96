/* SPDX-License-Identifier: MIT */
/* Tests keyed hashing: published values, and different keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/tables.h"

/* Hashes of bytes in CPython 3.11 with this function and without a key: PYTHONHASHSEED=0 python3 -c "hash(b'a')". */
static void golden_vectors(void **state)
{
    static const struct {
        size_t size;
        const char *text;
        uint64_t hash;
    } known[] = {{1, "a", 0x407448d2b89b1813u},
                 {2, "ab", 0x555508cbc6add439u},
                 {3, "abc", 0xc03bc3a0042630f2u},
                 {4, "abcd", 0xe3d1d5fdd52aae89u},
                 {7, "1234567", 0xa33d651594fdae81u},
                 {8, "12345678", 0x3489982430560a87u},
                 {11, "abcdefghijk", 0x14215fc65e2c3bd4u},
                 {16, "\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", 0x8972188433a5c5b7u}};
    const hash_key none = {{0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(stamma_hash(&none, known[i].text, known[i].size) == known[i].hash);
}

/* Every byte of text and key affects the hash. With sanitizers, also detects reads past the end. */
static void each_byte_counts(void **state)
{
    (void)state;
    for (size_t size = 0; size < 40; size++) {
        const hash_key key = {{1, 2}}, other = {{1, 3}}, another = {{0, 2}};
        uint8_t *bytes = (uint8_t *)malloc(size + 1);
        assert_non_null(bytes);
        memset(bytes + 1, 'x', size);
        uint64_t hash = stamma_hash(&key, bytes + 1, size);
        for (size_t i = 1; i <= size; i++) {
            bytes[i] = 'y';
            assert_true(stamma_hash(&key, bytes + 1, size) != hash);
            bytes[i] = 'x';
        }
        assert_true(size == 0 || stamma_hash(&key, bytes + 1, size - 1) != hash);
        assert_true(stamma_hash(&other, bytes + 1, size) != hash);
        assert_true(stamma_hash(&another, bytes + 1, size) != hash);
        assert_true(stamma_hash(&key, bytes + 1, size) == hash);
        free(bytes);
    }
}

static void keys_differ(void **state)
{
    enum { KEYS = 100 };
    hash_key keys[KEYS];
    (void)state;
    for (size_t i = 0; i < KEYS; i++)
        keys[i] = stamma_hash_key_new(&keys[i]);
    for (size_t i = 0; i < KEYS; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(keys[i].words[0] != keys[j].words[0] && keys[i].words[1] != keys[j].words[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_vectors),
        cmocka_unit_test(each_byte_counts),
        cmocka_unit_test(keys_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
