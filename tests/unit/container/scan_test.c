/* SPDX-License-Identifier: MIT */
/* Tests damage to archives that were appended to. Unpacking and reading, from a seekable input and from a pipe, must
 * report an error exactly if verifying reports damage. Without an error, the text is complete. An older text counts as
 * complete only if the file ends exactly where an earlier append ended (clause 11.3). The text that is read from a
 * damaged archive consists of its blocks, each at most once and in order. The reported damage covers the missing
 * text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appended_archive.h"

/* ---- reading a damaged archive in every way ---- */

typedef struct reading {
    stamma_error error;
    listing text;
    unsigned count;   /* number of reported places of damage */
    uint64_t missing; /* known number of missing bytes of text */
    bool more;        /* an unknown number of bytes is missing, too */
} reading;

static void take(void *context, const stamma_archive_damage *d)
{
    reading *r = context;
    r->count++;
    r->more = r->more || d->kind == STAMMA_DAMAGE_TAIL || d->text_size == UINT64_MAX;
    if (d->text_size != UINT64_MAX)
        r->missing += d->text_size;
}

enum { UNPACK = 1, SEEK = 2, GO_ON = 4, WAYS = 8 };

static void read_games(stamma_archive_reader *reader, reading *r)
{
    uint64_t last = 0;
    for (bool found = true; found && r->error == STAMMA_OK;) {
        const stamma_archive_game *game;
        r->error = stamma_archive_reader_next(reader, &game);
        found = game != NULL;
        if (r->error != STAMMA_OK || !found)
            continue;
        list_bytes(&r->text, game->text.data, game->text.size);
        assert_true(game->number == 0 || game->number > last);
        last = game->number;
    }
}

static reading read_archive(const listing *archive, unsigned way)
{
    reading r = {.error = STAMMA_OK};
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_archive_reader_options options = {
        .size = sizeof options, .context = &r, .damage = way & GO_ON ? take : NULL};
    stamma_archive_reader *reader;
    list_word(&r.text, "");
    r.error = open_source(&source, way & SEEK, &options, &reader);
    if (r.error != STAMMA_OK)
        return r;
    stamma_output output = listing_output(&r.text);
    if (way & UNPACK)
        r.error = stamma_archive_reader_unpack(reader, &output);
    else
        read_games(reader, &r);
    close_reader(reader);
    return r;
}

static bool is_sound(const listing *archive, const char *what, size_t at)
{
    stamma_archive_verdict verdict[2];
    stamma_error errors[2];
    for (int quick = 0; quick < 2; quick++)
        errors[quick] = verify_archive(archive, quick, NULL, &verdict[quick]);
    if (errors[0] != errors[1] || (errors[0] == STAMMA_OK && (verdict[0].damages > 0) != (verdict[1].damages > 0)))
        fail_msg("%s at %zu: verifying quickly says other than verifying", what, at);
    return errors[0] == STAMMA_OK && verdict[0].damages == 0;
}

/* Checks one archive. `cut`: the file is a prefix of the archive, and an older text may be complete. */
static void check(const appended *a, const listing *archive, const char *what, size_t at, bool cut)
{
    bool sound = is_sound(archive, what, at);
    size_t full = cut ? full_size(a, archive->size) : a->text.size;
    for (unsigned way = 0; way < WAYS; way++) {
        reading r = read_archive(archive, way);
        bool fine = r.error == STAMMA_OK && r.count == 0;
        if (fine != sound)
            fail_msg("%s at %zu, way %u: error %d, %u damages, but verify says %s", what, at, way, (int)r.error,
                     r.count, sound ? "sound" : "damaged");
        if (fine && (r.text.size != full || memcmp(r.text.text, a->text.text, full) != 0))
            fail_msg("%s at %zu, way %u: %zu bytes for %zu", what, at, way, r.text.size, full);
        if (!are_blocks(a, &r.text))
            fail_msg("%s at %zu, way %u: no blocks", what, at, way);
        if (way & GO_ON && r.error == STAMMA_OK && !r.more && r.text.size + r.missing < full)
            fail_msg("%s at %zu, way %u: %zu bytes and %zu missing, of %zu", what, at, way, r.text.size,
                     (size_t)r.missing, full);
        free(r.text.text);
    }
}

/* ---- damage ---- */

static const unsigned small[] = {2, 1, 2, 0}, larger[] = {1, 9, 3, 7, 0};

static void flip_bits(const unsigned *appends, size_t every)
{
    appended a = make_appended(appends);
    check(&a, &a.archive, "nothing", 0, true);
    for (size_t bit = 0; bit < 8 * a.archive.size; bit += every) {
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
        check(&a, &a.archive, "bit", bit, false);
        a.archive.text[bit / 8] = (char)(a.archive.text[bit / 8] ^ 1 << bit % 8);
    }
    release_appended(&a);
}

static void test_flipped_bits(void **state)
{
    (void)state;
    flip_bits(small, thinned_step(usual_step(3)));
    flip_bits(larger, thinned_step(53 * usual_step(3)));
}

static void test_cuts(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        appended a = make_appended(i ? larger : small);
        for (size_t size = 0; size < a.archive.size; size += thinned_step(usual_step(3))) {
            listing cut = {a.archive.text, size, 0};
            check(&a, &cut, "cut", size, true);
        }
        release_appended(&a);
    }
}

/* Checks the archive with `taken` bytes at `at` replaced by `put`. */
static void check_spliced(const appended *a, const char *what, size_t at, size_t taken, const char *put, size_t size)
{
    listing spliced = splice_archive(a, at, taken, put, size);
    check(a, &spliced, what, at, spliced.size < a->archive.size && at + taken == a->archive.size);
    free(spliced.text);
}

static void test_holes(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 8, 32, 100, 333};
    appended a = make_appended(larger);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t at = ARCHIVE_HEADER_SIZE; at + sizes[i] <= a.archive.size; at += thinned_step(11 * usual_step(3))) {
            char zeros[333] = {0};
            check_spliced(&a, "hole", at, sizes[i], NULL, 0);
            check_spliced(&a, "zeros", at, sizes[i], zeros, sizes[i]);
        }
    for (unsigned i = 0; i < a.frame_count; i++) /* ranges of complete frames */
        for (unsigned j = i + 1; j <= a.frame_count; j++)
            check_spliced(&a, "frames taken out", a.frames[i], a.frames[j] - a.frames[i], NULL, 0);
    release_appended(&a);
}

static void test_more_bytes(void **state)
{
    (void)state;
    appended a = make_appended(larger);
    for (size_t at = ARCHIVE_HEADER_SIZE; at <= a.archive.size; at += thinned_step(13 * usual_step(3))) {
        check_spliced(&a, "a byte more", at, 0, "s", 1);
        check_spliced(&a, "a commit's end more", at, 0, "StEndCmt", 8);
        check_spliced(&a, "bytes of a frame more", at, 0, a.archive.text + a.frames[2], 90);
    }
    release_appended(&a);
}

/* Frames that are repeated or moved. */
static void test_frames_out_of_order(void **state)
{
    (void)state;
    appended a = make_appended(larger);
    for (unsigned i = 0; i < a.frame_count; i++)
        for (unsigned j = 0; j <= a.frame_count; j++) {
            const char *bytes = a.archive.text + a.frames[i];
            size_t size = a.frames[i + 1] - a.frames[i];
            check_spliced(&a, "a frame more", a.frames[j], 0, bytes, size);
            if (j == i || j == i + 1)
                continue;
            listing moved = move_frame(&a, i, j);
            check(&a, &moved, "a frame moved", a.frames[i], false);
            free(moved.text);
        }
    release_appended(&a);
}

/* An archive after an archive, equal or different, is not part of it. */
static void test_archives_after_one_another(void **state)
{
    (void)state;
    appended a = make_appended(small), b = make_appended(larger);
    b.archive.text[b.frames[0] + FRAME_HEADER_SIZE] ^= 1; /* make its first block different */
    check_spliced(&a, "itself", a.archive.size, 0, a.archive.text, a.archive.size);
    listing other = pack("1. e4 *\n1. d4 *\n", 16, NULL), both = {0};
    list_bytes(&both, other.text, other.size);
    list_bytes(&both, a.archive.text, a.archive.size);
    for (unsigned way = 0; way < WAYS; way++) {
        reading r = read_archive(&both, way);
        assert_true(r.error != STAMMA_OK || r.count > 0);
        assert_true(r.text.size == 16 || r.text.size == 0);
        free(r.text.text);
    }
    free(both.text);
    free(other.text);
    release_appended(&a);
    release_appended(&b);
}

/* ---- the contents of blocks do not matter ---- */

/* An archive that is packed as text without compression. Its frames are inside a block, and are not frames of the outer
 * archive, even if the outer archive is damaged. */
static void test_archive_in_an_archive(void **state)
{
    (void)state;
    listing noise = {0};
    for (size_t i = 0; i < 30000; i++) { /* incompressible bytes */
        uint32_t random = (uint32_t)random_below(UINT32_MAX);
        list_bytes(&noise, &random, 4);
    }
    listing inner = pack(noise.text, noise.size, NULL), outer = pack(inner.text, inner.size, NULL);
    size_t frames = 0;
    for (size_t at = ARCHIVE_HEADER_SIZE; at + FRAME_HEADER_SIZE <= outer.size; at++) {
        frame f;
        frames += stamma_frame_read((const uint8_t *)outer.text + at, &f) == STAMMA_OK;
    }
    assert_true(frames >= 4);
    for (size_t at = ARCHIVE_HEADER_SIZE; at < outer.size; at += outer.size / 50) {
        outer.text[at] ^= 1;
        for (unsigned way = 0; way < WAYS; way++) {
            reading r = read_archive(&outer, way);
            assert_true(r.error != STAMMA_OK || r.count > 0);
            assert_true(r.text.size <= inner.size); /* records before an error may be returned */
            assert_memory_equal(r.text.text, inner.text, r.text.size);
            free(r.text.text);
        }
        outer.text[at] ^= 1;
    }
    free(outer.text);
    free(inner.text);
    free(noise.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_more_bytes),
        cmocka_unit_test(test_frames_out_of_order),
        cmocka_unit_test(test_archives_after_one_another),
        cmocka_unit_test(test_archive_in_an_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
