/* SPDX-License-Identifier: MIT */
/* Tests that all ways of reading accept the same archives: unpacking and reading game by game (each from a seekable
 * input and from a pipe), and verifying. Bytes of the archives are changed and all checksums are recomputed afterwards,
 * so that other checks must find the change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"

/* ---- checksums ---- */

static uint8_t *bytes_of(const listing *archive)
{
    return (uint8_t *)(void *)archive->text;
}

/* Recomputes the checksums of the columns, the head and the header of the frame at `at`. */
static void restore_frame(const listing *archive, size_t at)
{
    uint8_t *header = bytes_of(archive) + at, *payload = header + FRAME_HEADER_SIZE;
    size_t head_size = load_u32(header + 16), size = next_frame(archive, at) - at - FRAME_HEADER_SIZE;
    cursor head = {payload, payload + head_size, false}, body = {head.end, payload + size, false};
    block_head b;
    bool block = header[4] == FRAME_BLOCK && stamma_block_read_head(&head, &b) == STAMMA_OK;
    for (uint64_t i = 0; block && i < b.columns; i++) {
        column_entry e;
        const uint8_t *stored = stamma_column_read_entry(&head, &e) ? cursor_take(&body, e.stored_size) : NULL;
        if (!stored)
            break;
        store_u64(payload + (head.at - payload) - 8, XXH64(stored, (size_t)e.stored_size, 0));
    }
    store_u32(header + 20, stamma_check32(payload, head_size));
    store_u32(header + 28, stamma_check32(header, 28));
}

/* ---- all ways of reading ---- */

/* Ignores damage of search columns, which readers of games do not read. */
static void count_damage(void *context, const stamma_archive_damage *damage)
{
    *(unsigned *)context += damage->kind != STAMMA_DAMAGE_SEARCH;
}

static bool is_sound(const listing *archive)
{
    unsigned damages = 0;
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    const stamma_input stream = source_stream(&source);
    stamma_archive_verify_options options = {.size = sizeof options, .context = &damages, .damage = count_damage};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    return stamma_archive_verify_stream(&stream, &options, &verdict) == STAMMA_OK && damages == 0;
}

static unsigned accepted, refused;

/* Checks that all ways accept or all reject the archive, and that they produce the same text if they accept it. */
static void compare_ways(const listing *archive, const char *what, size_t at)
{
    listing texts[4] = {{0}, {0}, {0}, {0}};
    bool sound = is_sound(archive);
    for (int way = 0; way < 4; way++) {
        stamma_error error =
            way < 2 ? unpack(archive, way & 1, NULL, &texts[way]) : unpack_games(archive, way & 1, NULL, &texts[way]);
        if ((error == STAMMA_OK) != sound)
            fail_msg("%s at %zu: way %d gives %d, verifying says %s", what, at, way, (int)error,
                     sound ? "sound" : "not");
        bool same = texts[way].size == texts[0].size &&
                    (texts[0].size == 0 || memcmp(texts[way].text, texts[0].text, texts[0].size) == 0);
        if (sound && !same)
            fail_msg("%s at %zu: way %d gives another text", what, at, way);
    }
    for (int way = 0; way < 4; way++)
        free(texts[way].text);
    *(sound ? &accepted : &refused) += 1;
}

/* ---- changing archives ---- */

static const uint8_t changes[] = {1, 2, 4, 8, 64, 128, 255};

/* Changes each byte of a range in the payload of the frame at `frame` in several ways. */
static void change_bytes(const listing *archive, size_t frame, size_t begin, size_t end, const char *what)
{
    listing changed = {.text = malloc(archive->size), .size = archive->size};
    assert_non_null(changed.text);
    for (size_t at = begin; at < end; at++)
        for (size_t i = 0; i < sizeof changes; i++) {
            memcpy(changed.text, archive->text, archive->size);
            bytes_of(&changed)[at] ^= changes[i];
            restore_frame(&changed, frame);
            compare_ways(&changed, what, at);
        }
    free(changed.text);
}

/* Changes the text size in the head of the block and the sizes in the commit by the same amount. */
static void change_sizes(const listing *archive, size_t commit_at)
{
    listing changed = {.text = malloc(archive->size), .size = archive->size};
    uint8_t *head = bytes_of(&changed) + ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (int more = -3; more <= 3; more++) {
        commit c = {.start = ARCHIVE_HEADER_SIZE};
        buffer out = {.allocator = &allocator};
        memcpy(changed.text, archive->text, archive->size);
        const uint8_t *payload = bytes_of(&changed) + commit_at + FRAME_HEADER_SIZE;
        size_t size = archive->size - commit_at - FRAME_HEADER_SIZE;
        assert_int_equal(stamma_commit_read(payload, size, &c, &allocator), STAMMA_OK);
        store_u64(head, load_u64(head) + (uint64_t)(int64_t)more);
        c.totals.text_size += (uint64_t)(int64_t)more;
        c.places.places[0].text_size += (uint64_t)(int64_t)more;
        stamma_commit_write(&c, &out);
        assert_int_equal(out.size, size);
        memcpy(changed.text + commit_at + FRAME_HEADER_SIZE, out.data, size);
        restore_frame(&changed, ARCHIVE_HEADER_SIZE);
        restore_frame(&changed, commit_at);
        compare_ways(&changed, "size of the text", (size_t)(more + 3));
        memory_release(&allocator, c.places.places);
        stamma_buffer_release(&out);
    }
    free(changed.text);
}

/* ---- archives ---- */

/* Packs games that use every column of moves, tags and comments, in more than one group. */
static listing make_archive(unsigned games)
{
    listing text = {0};
    for (unsigned i = 0; i < games; i++) {
        list_format(&text, "[White \"a%u\"]\n[Result \"1-0\"]\n\n1. e4 e5 ", i);
        if (i % 16 == 3)
            list_word(&text, "{words} (1... c5 $3 2. Nf3) 2. Nf3!  Nc6 3. Ke5 ");
        list_word(&text, i % 16 == 7 ? "1/2-1/2\n\n" : "1-0\n\n");
    }
    list_word(&text, "; behind all games");
    listing archive = pack(text.text, text.size, NULL);
    free(text.text);
    return archive;
}

static void check_archive(unsigned games)
{
    listing archive = make_archive(games);
    size_t block = ARCHIVE_HEADER_SIZE, commit_at = next_frame(&archive, block), payload = block + FRAME_HEADER_SIZE;
    size_t head_size = load_u32(bytes_of(&archive) + block + 16);
    accepted = refused = 0;
    compare_ways(&archive, "nothing", 0);
    assert_int_equal(accepted, 1);
    change_sizes(&archive, commit_at);
    assert_int_equal(accepted, 2);
    assert_int_equal(refused, 6);
    change_bytes(&archive, block, payload, payload + head_size, "head");
    change_bytes(&archive, block, payload + head_size, commit_at, "columns");
    change_bytes(&archive, commit_at, commit_at + FRAME_HEADER_SIZE, archive.size, "commit");
    assert_true(refused > 500);
    free(archive.text);
}

static void one_group(void **state)
{
    (void)state;
    check_archive(20);
}

static void three_groups(void **state)
{
    (void)state;
    check_archive(150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_group),
        cmocka_unit_test(three_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
