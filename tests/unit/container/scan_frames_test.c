/* SPDX-License-Identifier: MIT */
/* Tests scans of archives that are made frame by frame, most of them invalid: the returned frames and the reported
 * damage, with a pipe and with an input that can seek. Each read, seek and allocation of each scan fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_archive.h"

/* ---- scanning ---- */

/* A scan, and its results as text. */
typedef struct scanning {
    archive_input input;
    bool doubts; /* the blocks before a repaired commit are incomplete */
    listing *lines;
} scanning;

static void list_damage(listing *to, const stamma_archive_damage *d)
{
    list_format(to, "%d error %d at %llu+%llu frame %llu blocks %lld-%lld games %lld-%lld text %llu+%lld game %llu\n",
                (int)d->kind, (int)d->error, (unsigned long long)d->offset, (unsigned long long)d->size,
                (unsigned long long)d->frame, (long long)d->first_block, (long long)d->last_block,
                (long long)d->first_game, (long long)d->last_game, (unsigned long long)d->text_offset,
                (long long)d->text_size, (unsigned long long)d->game);
}

static void take_damage_line(void *context, const stamma_archive_damage *d)
{
    list_damage(((const scanning *)context)->lines, d);
}

/* Moves the input, like a check of the block. */
static stamma_error doubt(void *context, const finding *block, bool *whole)
{
    const scanning *of = context;
    *whole = !of->doubts;
    return of->input.seek(of->input.context, block->offset) ? STAMMA_OK : STAMMA_ERROR_IO;
}

typedef struct options {
    bool seek, every, doubts;
    size_t room;                          /* number of findings for which the scan has memory when it begins */
    void (*before_end)(listing *archive); /* called before stamma_scan_finish */
} options;

static void list_verdict(listing *to, const stamma_archive_verdict *v)
{
    list_format(to, "sound %llu of %llu, tail %llu of %llu\n", (unsigned long long)v->sound_blocks,
                (unsigned long long)v->all_blocks, (unsigned long long)v->tail_blocks,
                (unsigned long long)v->tail_size);
}

/* Lists the damage, the events and the verdict. Returns the first error. */
static stamma_error scan_source(archive_source *source, const stamma_allocator *allocator, const options *o,
                                listing *archive, listing *out)
{
    scanning of = {.input = source_frames(source, o->seek), .doubts = o->doubts, .lines = out};
    scan s = {.allocator = allocator, .context = &of, .report = take_damage_line, .every = o->every};
    scan_event event = SCAN_BLOCK;
    listing events = {0};
    s.vouch = o->seek ? doubt : NULL;
    list_word(&events, "");
    if (o->room > 0)
        s.findings.list = memory_allocate(allocator, o->room * sizeof(finding));
    s.findings.capacity = o->room;
    const bool begins = o->room == 0 || s.findings.list;
    stamma_error error = begins ? stamma_scan_open(&s, &of.input) : STAMMA_ERROR_NO_MEMORY;
    while (error == STAMMA_OK && event != SCAN_END) {
        error = stamma_scan_next(&s, NULL, &event);
        if (error == STAMMA_OK && event == SCAN_BLOCK)
            list_format(&events, "b%u ", (unsigned)s.block.number);
        else if (error == STAMMA_OK)
            list_word(&events, event == SCAN_COMMIT ? "c " : "end\n");
    }
    if (error == STAMMA_OK && o->before_end)
        o->before_end(archive);
    if (error == STAMMA_OK)
        error = stamma_scan_finish(&s);
    list_word(out, events.text);
    list_verdict(out, &s.found_all);
    stamma_scan_release(&s);
    free(events.text);
    return error;
}

static archive_source source_of(const listing *archive)
{
    return (archive_source){.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
}

/* Each read and each seek fails once. */
static void fail_input(const listing *archive, const options *o, unsigned calls)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (unsigned fail_at = 1; fail_at <= calls; fail_at += 1 + calls / 200) {
        archive_source source = source_of(archive);
        listing lines = {0};
        source.fail_at = fail_at;
        assert_int_equal(scan_source(&source, &allocator, o, NULL, &lines), STAMMA_ERROR_IO);
        free(lines.text);
    }
}

/* Each allocation fails once. The list of findings grows at each of the first `rooms` findings in turn. */
static void fail_memory(const listing *archive, const options *given, size_t rooms, const listing *wanted)
{
    options o = *given;
    for (o.room = 0; o.room <= rooms; o.room++) {
        failing_memory memory = {.fail_at = 0};
        stamma_error error = STAMMA_ERROR_NO_MEMORY;
        do {
            memory = (failing_memory){.fail_at = memory.fail_at + 1};
            const stamma_allocator allocator = failing_allocator(&memory);
            archive_source source = source_of(archive);
            listing found = {0};
            error = scan_source(&source, &allocator, &o, NULL, &found);
            assert_int_equal(error, memory.calls < memory.fail_at ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
            assert_int_equal(memory.alive, 0);
            if (error == STAMMA_OK)
                assert_string_equal(found.text, wanted->text);
            free(found.text);
        } while (error != STAMMA_OK);
    }
}

/* ---- expected results ---- */

/* Lists damage that affects no block. */
static void want_none(listing *to, stamma_damage_kind kind, stamma_error error, size_t at, size_t size, unsigned frame,
                      unsigned text)
{
    const stamma_archive_damage d = {
        .kind = kind, .error = error, .offset = at, .size = size, .frame = frame, .text_offset = text};
    list_damage(to, &d);
}

/* Lists damage that affects all blocks from `first` on. */
static void want_rest(listing *to, stamma_damage_kind kind, stamma_error error, size_t at, size_t size, unsigned frame,
                      unsigned first)
{
    const stamma_archive_damage d = {.kind = kind,
                                     .error = error,
                                     .offset = at,
                                     .size = size,
                                     .frame = frame,
                                     .first_block = first,
                                     .last_block = UINT64_MAX,
                                     .first_game = MADE_GAMES * (first - 1) + 1,
                                     .last_game = UINT64_MAX,
                                     .text_offset = MADE_TEXT * (first - 1),
                                     .text_size = UINT64_MAX};
    list_damage(to, &d);
}

/* Lists damage that affects these blocks. */
static void want_blocks(listing *to, stamma_damage_kind kind, size_t at, size_t size, unsigned frame, unsigned first,
                        unsigned last)
{
    const stamma_archive_damage d = {.kind = kind,
                                     .error = STAMMA_ERROR_CORRUPT,
                                     .offset = at,
                                     .size = size,
                                     .frame = frame,
                                     .first_block = first,
                                     .last_block = last,
                                     .first_game = MADE_GAMES * (first - 1) + 1,
                                     .last_game = MADE_GAMES * last,
                                     .text_offset = MADE_TEXT * (first - 1),
                                     .text_size = MADE_TEXT * (last - first + 1)};
    list_damage(to, &d);
}

/* Scans the archive with these options, compares the listed results, and makes the scan fail at each call. */
static void expect_scan(const made *m, const options *o, const listing *lines, const char *end)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    archive_source source = source_of(&m->bytes);
    listing found = {0}, wanted = {0};
    list_word(&wanted, lines->text ? lines->text : "");
    list_word(&wanted, end);
    assert_int_equal(scan_source(&source, &allocator, o, NULL, &found), STAMMA_OK);
    assert_string_equal(found.text, wanted.text);
    fail_input(&m->bytes, o, source.calls);
    fail_memory(&m->bytes, o, m->bytes.size < 2000 ? 12 : 0, &found);
    free(wanted.text);
    free(found.text);
}

/* Scans a pipe and an input that can seek. Frees the archive and the lines. */
static void expect_scans(made *m, listing *lines, const char *end)
{
    for (int seek = 0; seek < 2; seek++)
        expect_scan(m, &(options){.seek = seek}, lines, end);
    free(lines->text);
    free(m->bytes.text);
}

/* ---- frames of other types ---- */

enum { OTHER = 9 };
static const stamma_error BAD = STAMMA_ERROR_CORRUPT, LATER = STAMMA_ERROR_UNSUPPORTED;

static const char garbage[50] = "no frame";

/* Bytes before the first frame that are not a frame. */
static void test_lost_bytes(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    list_bytes(&m.bytes, garbage, sizeof garbage);
    want_none(&lines, STAMMA_DAMAGE_FRAME, BAD, ARCHIVE_HEADER_SIZE, sizeof garbage, 1, 0);
    make_block(&m);
    make_commit(&m, true);
    expect_scans(&m, &lines, "b0 c end\nsound 1 of 1, tail 0 of 0\n");
}

/* Frames of unknown types: optional, damaged, and mandatory. */
static void test_other_frames(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    make_frame(&m, OTHER, 0, "sound", 5, 5);
    make_frame(&m, OTHER, 0, "spoilt", 6, 6);
    spoil_payload(&m);
    want_none(&lines, STAMMA_DAMAGE_FRAME, BAD, m.at, FRAME_HEADER_SIZE + 6, 3, MADE_TEXT);
    make_frame(&m, OTHER, 0, "too short", 9, 40);
    want_none(&lines, STAMMA_DAMAGE_FRAME, BAD, m.at, FRAME_HEADER_SIZE + 9, 4, MADE_TEXT);
    make_frame(&m, OTHER, FRAME_MANDATORY, "", 0, 0);
    want_none(&lines, STAMMA_DAMAGE_FRAME, LATER, m.at, FRAME_HEADER_SIZE, 5, MADE_TEXT);
    make_frame(&m, OTHER, FRAME_MANDATORY << 1, "flags", 5, 5);
    want_none(&lines, STAMMA_DAMAGE_FRAME, LATER, m.at, FRAME_HEADER_SIZE + 5, 6, MADE_TEXT);
    make_block(&m);
    make_commit(&m, true);
    expect_scans(&m, &lines, "b0 b1 c end\nsound 2 of 2, tail 0 of 0\n");
}

/* Mandatory frames in a tail, before and after an unfinished commit. They may contain blocks. */
static void test_other_frames_of_a_tail(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    make_commit(&m, true);
    const size_t tail = m.bytes.size;
    make_frame(&m, OTHER, FRAME_MANDATORY, "held", 4, 4);
    want_none(&lines, STAMMA_DAMAGE_FRAME, LATER, m.at, FRAME_HEADER_SIZE + 4, 3, MADE_TEXT);
    make_block(&m);
    make_commit(&m, false);
    make_frame(&m, OTHER, FRAME_MANDATORY, "last", 4, 4);
    want_rest(&lines, STAMMA_DAMAGE_FRAME, LATER, m.at, FRAME_HEADER_SIZE + 4, 6, 3);
    want_blocks(&lines, STAMMA_DAMAGE_TAIL, tail, m.bytes.size - tail, 0, 2, 2);
    char end[100];
    (void)snprintf(end, sizeof end, "b0 c b1 c end\nsound 1 of 1, tail 1 of %zu\n", m.bytes.size - tail);
    expect_scans(&m, &lines, end);
}

/* ---- tables and sources ---- */

/* Tables that no commit follows directly, and a table whose header contains a wrong number of blocks. */
static void test_tables(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    make_table(&m);
    const size_t table = m.bytes.size - m.at;
    want_none(&lines, STAMMA_DAMAGE_TABLE, BAD, m.at, table, 2, MADE_TEXT);
    want_none(&lines, STAMMA_DAMAGE_FRAME, BAD, m.bytes.size, sizeof garbage, 3, MADE_TEXT);
    list_bytes(&m.bytes, garbage, sizeof garbage);
    make_frame(&m, FRAME_TABLE, 0, "too short", 9, 40);
    want_none(&lines, STAMMA_DAMAGE_FRAME, BAD, m.at, FRAME_HEADER_SIZE + 9, 4, MADE_TEXT);
    make_table(&m);
    want_none(&lines, STAMMA_DAMAGE_TABLE, BAD, m.at, table, 5, MADE_TEXT);
    make_table(&m);
    want_none(&lines, STAMMA_DAMAGE_TABLE, BAD, m.at, table, 6, MADE_TEXT);
    make_frame(&m, OTHER, FRAME_MANDATORY << 1, "", 0, 0);
    want_none(&lines, STAMMA_DAMAGE_FRAME, LATER, m.at, FRAME_HEADER_SIZE, 7, MADE_TEXT);
    make_table(&m);
    want_none(&lines, STAMMA_DAMAGE_TABLE, BAD, m.at, table, 8, MADE_TEXT);
    make_source(&m, 0, 10, "name", 5);
    make_commit(&m, true);
    make_block(&m);
    m.blocks++;
    make_table(&m);
    want_none(&lines, STAMMA_DAMAGE_TABLE, BAD, m.at, m.bytes.size - m.at, 12, 2 * MADE_TEXT);
    m.blocks--;
    make_commit(&m, true);
    expect_scans(&m, &lines, "b0 c b1 c end\nsound 2 of 2, tail 0 of 0\n");
}

/* Sources that are invalid in each way, and a source with missing bytes. */
static void test_sources(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    make_source(&m, 0, 10, "first", 6);
    for (unsigned n = 0; n < 7; n++) {
        m.blocks += n == 0;
        if (n < 6)
            make_source(&m, n == 2 ? 5 : 10, n == 3 ? UINT64_MAX : 5, n == 5 ? "a\0b" : "name", n == 4 ? 4 : 5 - n / 5);
        else
            make_frame(&m, FRAME_SOURCE, 0, "", 0, 0);
        m.blocks -= n == 0;
        if (n == 1)
            spoil_payload(&m);
        want_none(&lines, STAMMA_DAMAGE_SOURCE, BAD, m.at, m.bytes.size - m.at, n + 3, MADE_TEXT);
    }
    make_frame(&m, FRAME_SOURCE, 0, "too short", 9, 40);
    want_none(&lines, STAMMA_DAMAGE_FRAME, BAD, m.at, FRAME_HEADER_SIZE + 9, 10, MADE_TEXT);
    make_source(&m, 10, 10, "last", 5);
    make_block(&m);
    make_commit(&m, true);
    expect_scans(&m, &lines, "b0 b1 c end\nsound 2 of 2, tail 0 of 0\n");
}

/* ---- blocks ---- */

/* Blocks are missing before a block that the end of the file truncates. */
static void test_lost_blocks_before_the_end(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    m.blocks += 2;
    make_block(&m);
    m.bytes.size -= 10;
    stamma_archive_damage lost = {.kind = STAMMA_DAMAGE_FRAME, .error = BAD, .offset = m.at, .frame = 2};
    lost.first_block = 2;
    lost.last_block = 3;
    lost.first_game = MADE_GAMES + 1;
    lost.last_game = lost.text_size = UINT64_MAX;
    lost.text_offset = MADE_TEXT;
    list_damage(&lines, &lost);
    lost = (stamma_archive_damage){.kind = STAMMA_DAMAGE_END, .error = BAD, .offset = m.at};
    lost.size = m.bytes.size - m.at;
    lost.first_block = 4;
    lost.first_game = MADE_GAMES + 1;
    lost.last_block = lost.last_game = lost.text_size = UINT64_MAX;
    lost.text_offset = MADE_TEXT;
    list_damage(&lines, &lost);
    expect_scans(&m, &lines, "b0 end\nsound 1 of 3, tail 0 of 0\n");
}

/* A block that was copied to a later place. */
static void test_misplaced(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    make_block(&m);
    m.blocks = 0;
    make_frame(&m, FRAME_BLOCK, FRAME_MANDATORY, "copy", 4, 4);
    m.blocks = 2;
    want_none(&lines, STAMMA_DAMAGE_ORDER, BAD, m.at, FRAME_HEADER_SIZE + 4, 3, 2 * MADE_TEXT);
    make_commit(&m, true);
    for (int seek = 0; seek < 2; seek++)
        expect_scan(&m, &(options){.seek = seek, .every = true}, &lines, "b0 b1 b0 c end\nsound 2 of 2, tail 0 of 0\n");
    expect_scans(&m, &lines, "b0 b1 c end\nsound 2 of 2, tail 0 of 0\n");
}

/* A block without a payload is invalid. If it is skipped, this is only found when it is read. */
static void test_empty_block(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_empty_block(&m);
    make_commit(&m, true);
    expect_scan(&m, &(options){.seek = true}, &lines, "b0 c end\nsound 1 of 1, tail 0 of 0\n");
    want_blocks(&lines, STAMMA_DAMAGE_HEAD, ARCHIVE_HEADER_SIZE, FRAME_HEADER_SIZE, 1, 1, 1);
    expect_scan(&m, &(options){.seek = false}, &lines, "c end\nsound 0 of 1, tail 0 of 0\n");
    free(lines.text);
    free(m.bytes.text);
}

/* The file changes while it is scanned: a block whose head is read late is no longer a frame. */
static void spoil_first_frame(listing *archive)
{
    archive->text[ARCHIVE_HEADER_SIZE] ^= 1;
}

static void test_changing_file(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    listing found = {0}, wanted = {0};
    made m = make_archive();
    make_block(&m);
    const size_t size = m.bytes.size;
    archive_source source = source_of(&m.bytes);
    const options o = {.seek = true, .before_end = spoil_first_frame};
    assert_int_equal(scan_source(&source, &allocator, &o, &m.bytes, &found), STAMMA_OK);
    const stamma_archive_damage end = {.kind = STAMMA_DAMAGE_END,
                                       .error = BAD,
                                       .offset = size,
                                       .first_block = 2,
                                       .last_block = UINT64_MAX,
                                       .first_game = 1, /* the number of games is unknown */
                                       .last_game = UINT64_MAX,
                                       .text_size = UINT64_MAX};
    list_damage(&wanted, &end);
    list_word(&wanted, "b0 end\nsound 1 of 1, tail 0 of 0\n");
    assert_string_equal(found.text, wanted.text);
    free(wanted.text);
    free(found.text);
    free(m.bytes.text);
}

static void take_game(void *context, const stamma_archive_damage *d)
{
    *(uint64_t *)context = d->game;
}

/* The number of a damaged game is only known if the numbers of all games of its block are. */
static void test_number_of_a_game(void **state)
{
    (void)state;
    uint64_t game = 7;
    scan s = {.context = &game, .report = take_game};
    finding f = {.kind = STAMMA_DAMAGE_CONTENT, .in_game = true, .game = 2};
    f.spans[SPAN_GAMES] = (span){.size = 3, .known = true, .begin = 10, .end = 13};
    stamma_scan_report(&s, &f);
    assert_int_equal(game, 12);
    f.spans[SPAN_GAMES].end = 14;
    stamma_scan_report(&s, &f);
    assert_int_equal(game, 0);
}

/* ---- commits ---- */

/* The last 8 bytes of a commit are wrong: they are repaired if the blocks before them are complete. */
static void test_repaired_commit(void **state)
{
    (void)state;
    listing lines = {0}, none = {0};
    made m = make_archive();
    make_source(&m, 5, UINT64_MAX, "wrong", 6);
    want_none(&lines, STAMMA_DAMAGE_SOURCE, BAD, m.at, m.bytes.size - m.at, 1, 0);
    make_block(&m);
    make_block(&m);
    make_commit(&m, true);
    memset(m.bytes.text + m.bytes.size - 8, 0, 8);
    list_bytes(&none, lines.text, lines.size); /* if the blocks may be incomplete, the archive ends before them */
    stamma_archive_damage d = {.kind = STAMMA_DAMAGE_COMMIT, .error = BAD, .offset = m.at, .frame = 4};
    d.size = m.bytes.size - m.at;
    d.text_offset = 2 * MADE_TEXT;
    list_damage(&none, &d);
    want_rest(&none, STAMMA_DAMAGE_END, BAD, m.bytes.size, 0, 0, 3);
    expect_scan(&m, &(options){.seek = true, .doubts = true}, &none, "b0 b1 end\nsound 2 of 2, tail 0 of 0\n");
    free(none.text);
    want_none(&lines, STAMMA_DAMAGE_END_MARK, BAD, m.bytes.size - 8, 8, 4, 2 * MADE_TEXT);
    expect_scans(&m, &lines, "b0 b1 c end\nsound 2 of 2, tail 0 of 0\n");
}

/* The next commit does not list the blocks before a damaged commit. */
static void test_damaged_commit(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    make_frame(&m, FRAME_COMMIT, FRAME_MANDATORY, "small", 5, 5);
    spoil_payload(&m);
    want_none(&lines, STAMMA_DAMAGE_COMMIT, BAD, m.at, FRAME_HEADER_SIZE + 5, 2, MADE_TEXT);
    make_commit(&m, false);
    m.bytes.text[m.at + FRAME_HEADER_SIZE] ^= 1;
    want_none(&lines, STAMMA_DAMAGE_COMMIT, BAD, m.at, m.bytes.size - m.at, 3, MADE_TEXT);
    make_block(&m);
    make_commit(&m, true);
    expect_scans(&m, &lines, "b0 b1 c end\nsound 2 of 2, tail 0 of 0\n");
}

/* A commit is not repaired if a frame since the last finished commit is damaged. */
static void test_repaired_commit_after_damage(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_block(&m);
    make_commit(&m, true);
    const size_t tail = m.bytes.size;
    make_frame(&m, OTHER, 0, "spoilt", 6, 6);
    spoil_payload(&m);
    make_block(&m);
    make_commit(&m, false);
    make_block(&m);
    make_commit(&m, true);
    memset(m.bytes.text + m.bytes.size - 8, 0, 8);
    want_blocks(&lines, STAMMA_DAMAGE_TAIL, tail, m.bytes.size - tail, 0, 2, 3);
    char end[100];
    (void)snprintf(end, sizeof end, "b0 c b1 c b2 end\nsound 1 of 1, tail 2 of %zu\n", m.bytes.size - tail);
    expect_scans(&m, &lines, end);
}

/* A copy of a commit that lists no blocks is damage, and is not returned. */
static void test_copied_commit(void **state)
{
    (void)state;
    listing lines = {0}, copy = {0};
    made m = make_archive();
    make_block(&m);
    make_commit(&m, false);
    make_commit(&m, true);
    const size_t at = m.bytes.size;
    list_bytes(&copy, m.bytes.text + m.at, at - m.at);
    list_bytes(&m.bytes, copy.text, copy.size);
    free(copy.text);
    want_none(&lines, STAMMA_DAMAGE_COMMIT, BAD, at, m.bytes.size - at, 4, MADE_TEXT);
    expect_scans(&m, &lines, "b0 c c end\nsound 1 of 1, tail 0 of 0\n");
}

/* The first commit is returned even if it contains a wrong offset. */
static void test_moved_commit(void **state)
{
    (void)state;
    listing lines = {0};
    made m = make_archive();
    make_commit(&m, true);
    const size_t at = m.bytes.size - 16;
    m.bytes.text[at] ^= 1;
    frame f;
    assert_int_equal(stamma_frame_read((const uint8_t *)m.bytes.text + m.at, &f), STAMMA_OK);
    f.head_check = stamma_check32(m.bytes.text + m.at + FRAME_HEADER_SIZE, (size_t)f.size);
    stamma_frame_write(&f, (uint8_t *)m.bytes.text + m.at);
    want_none(&lines, STAMMA_DAMAGE_COMMIT, BAD, m.at, m.bytes.size - m.at, 1, 0);
    expect_scans(&m, &lines, "c end\nsound 0 of 0, tail 0 of 0\n");
}

/* Lists that block 1 is lost at `lost`, with an unknown number of games, and that the commit at `at` is invalid. */
static void want_invalid_commit(listing *to, size_t lost, unsigned frame, size_t at, size_t size)
{
    stamma_archive_damage d = {.kind = STAMMA_DAMAGE_FRAME, .error = BAD, .offset = lost, .frame = frame};
    d.first_block = d.last_block = 2;
    d.first_game = MADE_GAMES + 1;
    d.last_game = d.text_size = UINT64_MAX;
    d.text_offset = MADE_TEXT;
    list_damage(to, &d);
    want_none(to, STAMMA_DAMAGE_COMMIT, BAD, at, size, frame + 1, MADE_TEXT);
}

/* After lost blocks, a commit is invalid if it lists more blocks than there are, or if its totals are smaller than the
 * totals of the previous commit. */
static void test_contradicting_commits(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        listing lines = {0};
        made m = make_archive();
        make_block(&m);
        make_commit(&m, false);
        const size_t lost = m.bytes.size;
        m.blocks++;
        make_block(&m);
        if (n == 0)
            m.place_count += 3;
        else if (n == 1)
            m.games = MADE_GAMES - 1;
        else
            m.text = MADE_TEXT - 1;
        make_commit(&m, true);
        want_invalid_commit(&lines, lost, 3, m.at, m.bytes.size - m.at);
        expect_scans(&m, &lines, "b0 c b2 end\nsound 2 of 3, tail 0 of 0\n");
    }
}

/* After a lost block, the list of a commit contradicts the head of another block. Heads of skipped blocks are not
 * compared. */
static void test_contradicting_list(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        listing read = {0}, skipped = {0};
        made m = make_archive();
        make_block(&m);
        *(n == 0 ? &m.places[0].games : &m.places[0].text_size) += 1;
        const size_t lost = m.bytes.size;
        m.places[m.place_count++] = (block_place){lost, 1, MADE_TEXT};
        m.blocks++;
        make_block(&m);
        m.games += n == 0 ? 2 : 1;
        m.text += n == 0 ? MADE_TEXT : MADE_TEXT + 1;
        make_commit(&m, true);
        want_invalid_commit(&read, lost, 2, m.at, m.bytes.size - m.at);
        expect_scan(&m, &(options){.seek = false}, &read, "b0 b2 end\nsound 2 of 3, tail 0 of 0\n");
        stamma_archive_damage d = {.kind = STAMMA_DAMAGE_FRAME, .error = BAD, .offset = lost, .frame = 2};
        d.first_block = d.last_block = 2;
        d.first_game = d.last_game = n == 0 ? MADE_GAMES + 2 : MADE_GAMES + 1;
        d.text_offset = n == 0 ? MADE_TEXT : MADE_TEXT + 1;
        d.text_size = MADE_TEXT;
        list_damage(&skipped, &d);
        expect_scan(&m, &(options){.seek = true}, &skipped, "b0 b2 c end\nsound 2 of 3, tail 0 of 0\n");
        free(skipped.text);
        free(read.text);
        free(m.bytes.text);
    }
}

/* ---- many frames ---- */

enum { MANY = COMMIT_BLOCKS_MAX + 6, SPOILT = 1100 };

/* More blocks than a commit may list, after damage that does not affect blocks. The missing commit is reported before
 * the block that exceeds the limit. After a lost block, it is not certain that a commit is missing. */
static void test_missing_commit(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost < 2; lost++) {
        listing lines = {0};
        made m = make_archive();
        for (unsigned n = 0; n < COMMIT_BLOCKS_MAX - 1; n++) {
            make_source(&m, 5, UINT64_MAX, "wrong", 6);
            want_none(&lines, STAMMA_DAMAGE_SOURCE, BAD, m.at, m.bytes.size - m.at, n + 1, 0);
        }
        if (lost) {
            stamma_archive_damage d = {.kind = STAMMA_DAMAGE_FRAME, .error = BAD, .offset = m.bytes.size};
            d.frame = COMMIT_BLOCKS_MAX;
            d.first_block = d.last_block = d.first_game = 1;
            d.last_game = d.text_size = UINT64_MAX;
            list_damage(&lines, &d);
            m.blocks = 1;
        }
        for (unsigned n = 0; n < MANY; n++) {
            make_block(&m);
            if (n == COMMIT_BLOCKS_MAX && !lost)
                want_none(&lines, STAMMA_DAMAGE_COMMIT, BAD, m.bytes.size, 0, 2 * COMMIT_BLOCKS_MAX,
                          (n + 1) * MADE_TEXT);
        }
        archive_source source = source_of(&m.bytes);
        const stamma_allocator allocator = stamma_allocator_or_default(NULL);
        listing found = {0};
        assert_int_equal(scan_source(&source, &allocator, &(options){.seek = false}, NULL, &found), STAMMA_OK);
        assert_true(found.size > lines.size);
        assert_memory_equal(found.text, lines.text, lines.size);
        fail_memory(&m.bytes, &(options){.seek = false}, 0, &found);
        free(found.text);
        free(lines.text);
        free(m.bytes.text);
    }
}

/* More damage than is held after a finished commit, and unfinished commits. If the file ends with a commit, the damage
 * is inside of the archive; otherwise it is in the tail, whose blocks are not part of the archive. */
static void test_much_damage_of_an_append(void **state)
{
    (void)state;
    for (int tail = 0; tail < 2; tail++) {
        listing lines = {0};
        made m = make_archive();
        make_block(&m);
        make_commit(&m, true);
        const size_t begin = m.bytes.size;
        for (unsigned n = 0; n < SPOILT + 3; n++) {
            make_frame(&m, OTHER, 0, "spoilt", 6, 6);
            spoil_payload(&m);
            const unsigned before = n < SPOILT ? 0 : n - SPOILT; /* blocks and commits of the append */
            if (!tail || n <= SPOILT)                            /* damage is reported when the second commit is read */
                want_none(&lines, STAMMA_DAMAGE_FRAME, BAD, m.at, FRAME_HEADER_SIZE + 6, n + 3 + 2 * before,
                          MADE_TEXT * (1 + before));
            if (n < SPOILT)
                continue;
            make_block(&m);
            make_commit(&m, false);
        }
        if (tail)
            make_block(&m);
        char end[100];
        const size_t size = m.bytes.size - begin;
        (void)snprintf(end, sizeof end,
                       tail ? "b0 c b1 c b2 c b3 c b4 end\nsound 1 of 1, tail 4 of %zu\n"
                            : "b0 c b1 c b2 c b3 c end\nsound 4 of 4, tail 0 of 0\n",
                       size);
        if (tail)
            want_blocks(&lines, STAMMA_DAMAGE_TAIL, begin, size, 0, 2, 5);
        expect_scans(&m, &lines, end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_bytes),
        cmocka_unit_test(test_other_frames),
        cmocka_unit_test(test_other_frames_of_a_tail),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_lost_blocks_before_the_end),
        cmocka_unit_test(test_misplaced),
        cmocka_unit_test(test_empty_block),
        cmocka_unit_test(test_changing_file),
        cmocka_unit_test(test_number_of_a_game),
        cmocka_unit_test(test_repaired_commit),
        cmocka_unit_test(test_repaired_commit_after_damage),
        cmocka_unit_test(test_damaged_commit),
        cmocka_unit_test(test_copied_commit),
        cmocka_unit_test(test_moved_commit),
        cmocka_unit_test(test_contradicting_commits),
        cmocka_unit_test(test_contradicting_list),
        cmocka_unit_test(test_missing_commit),
        cmocka_unit_test(test_much_damage_of_an_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
