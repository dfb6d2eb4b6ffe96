/* SPDX-License-Identifier: MIT */
/* Tests resuming an interrupted writer or append. Whatever the file contains, the result equals the archive of an
 * uninterrupted writer, and committed blocks are not packed again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/reader.h"
#include "memory_file.h"

/* ---- texts of many blocks ---- */

/* Makes a text whose blocks have 65,536 records each. The first record of each block has an illegal move. */
static listing many_blocks(unsigned blocks)
{
    listing text = {0};
    for (unsigned i = 0; i < blocks; i++) {
        list_format(&text, "[Round \"%u\"]\n\n1. e4 Ke5 *\n", i);
        for (unsigned j = 1; j < 65536; j++)
            list_bytes(&text, "* ", 2);
    }
    list_word(&text, "[Round \"the last\"]\n\n1. d4 *\n");
    return text;
}

/* The text, its archive, and the notices of a writer. */
typedef struct fixture {
    listing text;
    listing whole;
    stamma_archive_counts counts;
    archive_notices log;
} fixture;

static fixture make_fixture(unsigned blocks)
{
    fixture f = {.text = many_blocks(blocks)};
    /* the round-trip check is slow and does not change the archive */
    const stamma_archive_writer_options options = {
        .size = sizeof options, .context = &f.log, .notice = archive_take_notice, .no_check = true};
    f.whole = pack_with_options(&options, f.text.text, f.text.size, &f.counts);
    return f;
}

static void release_fixture(fixture *f)
{
    free(f->text.text);
    free(f->whole.text);
}

/* ---- resuming ---- */

typedef stamma_error writer_opener(stamma_archive_reader *reader, const stamma_output *output,
                                   bool (*cut)(void *context, uint64_t size),
                                   const stamma_archive_writer_options *options, stamma_archive_writer **writer);

static unsigned input_calls, input_fails_at; /* of the next call of go_on; 0: never */

static stamma_error go_on(writer_opener *opener, memory_file *file, const listing *text,
                          const stamma_archive_writer_options *options, stamma_archive_counts *counts)
{
    archive_source source = {.piece_max = SIZE_MAX, .fail_at = input_fails_at};
    listing before = {0}; /* a copy of the old file: only bytes before the truncation are read */
    list_bytes(&before, file->bytes.text, file->bytes.size);
    source.bytes = before.text;
    source.size = before.size;
    stamma_output output = memory_file_output(file);
    stamma_archive_reader_options reading = {.size = sizeof reading, .allocator = options ? options->allocator : NULL};
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    stamma_error error = open_source(&source, true, &reading, &reader);
    if (error == STAMMA_OK)
        error = opener(reader, &output, memory_file_cut, options, &writer);
    for (size_t at = 0; at < text->size && error == STAMMA_OK; at += 100003) {
        size_t left = text->size - at;
        error = stamma_archive_writer_write(writer, text->text + at, left < 100003 ? left : 100003);
    }
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, counts);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    input_calls = source.calls;
    free(before.text);
    return error;
}

static stamma_error resume_with(memory_file *file, const listing *text, const stamma_archive_writer_options *options,
                                stamma_archive_counts *counts)
{
    return go_on(stamma_archive_writer_open_resume, file, text, options, counts);
}

static void assert_same(const listing *got, const listing *wanted)
{
    assert_int_equal(got->size, wanted->size);
    assert_memory_equal(got->text, wanted->text, wanted->size);
}

/* Resumes from the first `size` bytes of an archive. Returns the number of bytes written. */
static size_t resume_prefix(const fixture *f, size_t size, const stamma_archive_writer_options *options)
{
    memory_file file = memory_file_of(f->whole.text, size);
    stamma_archive_counts counts;
    assert_int_equal(resume_with(&file, &f->text, options, &counts), STAMMA_OK);
    assert_same(&file.bytes, &f->whole);
    assert_int_equal(file.cuts, 1);
    assert_int_equal(file.durable, file.bytes.size);
    assert_memory_equal(&counts, &f->counts, sizeof counts);
    free(file.bytes.text);
    return file.written;
}

/* Lists where frames end, and which of them are commits. Returns their number. */
static size_t list_ends(const listing *archive, size_t *ends, bool *commits)
{
    size_t count = 0;
    for (size_t at = ARCHIVE_HEADER_SIZE; at < archive->size; count++) {
        frame f;
        assert_int_equal(stamma_frame_read((const uint8_t *)archive->text + at, &f), STAMMA_OK);
        at += FRAME_HEADER_SIZE + (size_t)f.size;
        ends[count] = at;
        commits[count] = f.type == FRAME_COMMIT;
    }
    return count;
}

/* Exactly the bytes up to the last commit in the prefix are kept. */
static void test_any_prefix(void **state)
{
    (void)state;
    fixture f = make_fixture(9);
    size_t ends[40], kept = ARCHIVE_HEADER_SIZE;
    bool commits[40];
    size_t count = list_ends(&f.whole, ends, commits);
    assert_int_equal(count, 10 + 1 + 2);
    assert_int_equal(resume_prefix(&f, ARCHIVE_HEADER_SIZE, NULL), f.whole.size - kept);
    for (size_t i = 0; i < count; i++) {
        if (commits[i])
            assert_int_equal(resume_prefix(&f, ends[i] - 9, NULL), f.whole.size - kept);
        /* Without its last byte, only the end of the commit is written again. */
        if (commits[i])
            assert_int_equal(resume_prefix(&f, ends[i] - 1, NULL), f.whole.size - (ends[i] - 8));
        if (commits[i])
            kept = ends[i];
        if (commits[i] || i % 4 == 0)
            assert_int_equal(resume_prefix(&f, ends[i], NULL), f.whole.size - kept);
        if (commits[i] && i + 1 < count)
            assert_int_equal(resume_prefix(&f, ends[i] + 20, NULL), f.whole.size - kept);
    }
    release_fixture(&f);
}

/* A finished archive followed by other bytes: they are removed and nothing is written. */
static void test_finished(void **state)
{
    (void)state;
    fixture f = make_fixture(3);
    memory_file file = memory_file_of(f.whole.text, f.whole.size);
    list_word(&file.bytes, "a tail");
    assert_int_equal(resume_with(&file, &f.text, NULL, NULL), STAMMA_OK);
    assert_same(&file.bytes, &f.whole);
    assert_int_equal(file.written, 0);
    free(file.bytes.text);
    release_fixture(&f);
}

/* ---- executors, notices, committed blocks ---- */

static void start_at_once(void *context, void (*work)(void *argument), void *argument)
{
    ++*(unsigned *)context;
    work(argument);
}

static void wait_for_nothing(void *context, void *argument)
{
    (void)context;
    (void)argument;
}

static void test_executor(void **state)
{
    (void)state;
    fixture f = make_fixture(17);
    unsigned started = 0;
    stamma_executor executor = {&started, 3, start_at_once, wait_for_nothing};
    stamma_archive_writer_options options = {.size = sizeof options, .executor = &executor};
    size_t ends[40];
    bool commits[40];
    size_t count = list_ends(&f.whole, ends, commits);
    for (size_t i = 0; i < count; i++)
        if (commits[i]) {
            started = 0;
            resume_prefix(&f, ends[i], &options);
            assert_int_equal(started, i == 8 ? 10 : i == 17 ? 2 : 0);
        }
    release_fixture(&f);
}

/* Notices are only reported for games that are packed again. Their numbers and lines refer to the complete input. */
static void test_notices(void **state)
{
    (void)state;
    fixture f = make_fixture(10);
    size_t ends[40];
    bool commits[40];
    list_ends(&f.whole, ends, commits);
    assert_true(commits[8]);
    assert_int_equal(f.log.count, 10);
    archive_notices log = {0};
    stamma_archive_writer_options options = {.size = sizeof options, .context = &log, .notice = archive_take_notice};
    resume_prefix(&f, ends[8], &options);
    assert_int_equal(log.count, 2);
    assert_int_equal(log.last.game, f.log.last.game);
    assert_int_equal(log.last.place.line, f.log.last.place.line);
    assert_int_equal(log.last.place.offset, f.log.last.place.offset);
    release_fixture(&f);
}

static void test_committed(void **state)
{
    (void)state;
    listing text = {0};
    for (unsigned i = 0; i < 65536; i++) /* one block, large enough to limit the number of waiting blocks */
        list_word(&text, "1. e4 {so it began} *\n");
    archive_sink sink = {.fail_at = 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    uint64_t last = 0, given = 0;
    while (last == 0 && given < (uint64_t)64 << 20) {
        assert_int_equal(stamma_archive_writer_write(writer, text.text, text.size), STAMMA_OK);
        given += text.size;
        last = stamma_archive_writer_committed(writer);
    }
    assert_in_range(last, text.size, given);
    listing cut = {0};
    list_bytes(&cut, sink.bytes.text, sink.bytes.size);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &cut, true);
    assert_int_equal(reader->last.totals.text_size, last);
    close_reader(reader);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_committed(writer), given);
    stamma_archive_writer_close(writer);
    free(sink.bytes.text);
    free(cut.text);
    free(text.text);
}

/* ---- another input ---- */

static void expect_archive_of(const listing *old, const listing *text, size_t kept_at_least, size_t kept_at_most)
{
    memory_file file = memory_file_of(old->text, old->size);
    const stamma_archive_writer_options options = {.size = sizeof options, .no_check = true};
    listing wanted = pack_with_options(&options, text->text, text->size, NULL);
    assert_int_equal(resume_with(&file, text, NULL, NULL), STAMMA_OK);
    assert_same(&file.bytes, &wanted);
    assert_in_range(wanted.size - file.written, kept_at_least, kept_at_most);
    free(wanted.text);
    free(file.bytes.text);
}

/* If the input differs from a block on, the blocks before it are kept. */
static void test_another_input(void **state)
{
    (void)state;
    fixture f = make_fixture(10);
    size_t ends[40];
    bool commits[40];
    list_ends(&f.whole, ends, commits);
    size_t block = f.text.size / 10;
    listing text = {0};
    for (unsigned changed = 0; changed < 10; changed += 3) {
        list_bytes(&text, f.text.text, f.text.size);
        text.text[changed * block + block / 2] ^= '*' ^ '!';
        size_t before = changed == 0 ? ARCHIVE_HEADER_SIZE : ends[changed + (changed > 8) - 1];
        expect_archive_of(&f.whole, &text, before, before + 60);
        text.size = 0;
    }
    list_bytes(&text, f.text.text, f.text.size / 2); /* shorter */
    expect_archive_of(&f.whole, &text, ends[3], ends[4]);
    text.size = 0;
    list_bytes(&text, f.text.text, f.text.size); /* longer */
    list_word(&text, "1. c4 *");
    expect_archive_of(&f.whole, &text, ends[10], ends[11]);
    text.size = 0;
    expect_archive_of(&f.whole, &text, ARCHIVE_HEADER_SIZE, ARCHIVE_HEADER_SIZE + 40); /* empty */
    list_word(&text, "quite another text");
    expect_archive_of(&f.whole, &text, ARCHIVE_HEADER_SIZE, ARCHIVE_HEADER_SIZE + 40);
    free(text.text);
    release_fixture(&f);
}

/* Whichever byte is damaged, opening fails or the result is right. */
static void test_damage(void **state)
{
    (void)state;
    fixture f = make_fixture(2);
    unsigned refused = 0, right = 0;
    for (size_t at = 0; at < f.whole.size; at += f.whole.size * usual_step(5) / 100 + 1) {
        memory_file file = memory_file_of(f.whole.text, f.whole.size);
        file.bytes.text[at] ^= (char)(1 << at % 8);
        if (resume_with(&file, &f.text, NULL, NULL) == STAMMA_OK) {
            assert_same(&file.bytes, &f.whole);
            right++;
        } else {
            assert_int_equal(file.cuts + file.written, 0);
            refused++;
        }
        free(file.bytes.text);
    }
    assert_true(refused > 0 && right > 5);
    release_fixture(&f);
}

/* A commit whose totals disagree with the blocks is replaced. */
static void test_forged_commit(void **state)
{
    (void)state;
    fixture f = make_fixture(9);
    size_t ends[40];
    bool commits[40];
    list_ends(&f.whole, ends, commits);
    uint8_t *whole = (uint8_t *)f.whole.text, *header = whole + ends[7], *payload = header + FRAME_HEADER_SIZE;
    frame commit_frame;
    assert_int_equal(stamma_frame_read(header, &commit_frame), STAMMA_OK);
    memory_file file = memory_file_of(whole, ends[8]);
    uint8_t *forged = (uint8_t *)file.bytes.text + ends[7];
    enum { PLIES = 8 + 1 + 3 }; /* after the offset, the flags, and a varint of 8 x 65,536 games */
    assert_int_equal(payload[PLIES], 8);
    forged[FRAME_HEADER_SIZE + PLIES] = 9;
    commit_frame.head_check = stamma_check32(forged + FRAME_HEADER_SIZE, commit_frame.head_size);
    stamma_frame_write(&commit_frame, forged);
    assert_int_equal(resume_with(&file, &f.text, NULL, NULL), STAMMA_OK);
    assert_same(&file.bytes, &f.whole);
    assert_int_equal(file.written, f.whole.size - ends[7]);
    free(file.bytes.text);
    release_fixture(&f);
}

/* ---- failures ---- */

/* Interrupts the writer at each call in turn, and resumes each time. The archive is completed, and no committed data is
 * lost. */
static void test_every_call_fails(void **state)
{
    (void)state;
    fixture f = make_fixture(9);
    memory_file file = memory_file_of(f.whole.text, ARCHIVE_HEADER_SIZE);
    for (size_t fail_at = 1;; fail_at += thinned_step(usual_step(3))) {
        file.calls = 0;
        file.fail_at = (unsigned)fail_at;
        stamma_error error = resume_with(&file, &f.text, NULL, NULL);
        if (file.calls < fail_at) {
            assert_int_equal(error, STAMMA_OK);
            break;
        }
        assert_int_equal(error, STAMMA_ERROR_IO);
        assert_true(file.bytes.size <= f.whole.size);
        assert_memory_equal(file.bytes.text, f.whole.text, file.bytes.size);
    }
    assert_same(&file.bytes, &f.whole);
    free(file.bytes.text);
    release_fixture(&f);
}

static void test_no_memory(void **state)
{
    (void)state;
    fixture f = make_fixture(1);
    size_t ends[40];
    bool commits[40];
    size_t count = list_ends(&f.whole, ends, commits);
    for (size_t fail_at = 1;; fail_at += thinned_step(1)) {
        failing_memory memory = {.fail_at = (unsigned)fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        stamma_archive_writer_options options = {.size = sizeof options, .allocator = &allocator};
        memory_file file = memory_file_of(f.whole.text, ends[count - 1]);
        stamma_error error = resume_with(&file, &f.text, &options, NULL);
        assert_int_equal(memory.alive, 0);
        /* If nothing is packed, memory that is only needed for packing may be unavailable. */
        assert_true(error == STAMMA_OK || (error == STAMMA_ERROR_NO_MEMORY && memory.calls >= fail_at));
        assert_memory_equal(file.bytes.text, f.whole.text, file.bytes.size);
        if (error == STAMMA_OK)
            assert_same(&file.bytes, &f.whole);
        free(file.bytes.text);
        if (memory.calls < fail_at)
            break;
    }
    release_fixture(&f);
}

static void expect_bad_arguments(writer_opener *opener)
{
    listing old = pack("*", 1, NULL);
    memory_file file = memory_file_of(old.text, old.size);
    stamma_output output = memory_file_output(&file);
    archive_source source;
    stamma_archive_writer *writer;
    stamma_archive_reader *pipe = open_archive(&source, &old, false);
    assert_int_equal(opener(pipe, &output, memory_file_cut, NULL, &writer), STAMMA_ERROR_BAD_ARGUMENT);
    close_reader(pipe);
    stamma_archive_reader *reader = open_archive(&source, &old, true);
    assert_int_equal(opener(NULL, &output, memory_file_cut, NULL, &writer), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(opener(reader, NULL, memory_file_cut, NULL, &writer), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(opener(reader, &output, NULL, NULL, &writer), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(opener(reader, &output, memory_file_cut, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    stamma_archive_writer_options options = {.size = sizeof options, .level = 77};
    assert_int_equal(opener(reader, &output, memory_file_cut, &options, &writer), STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(file.calls, 0);
    close_reader(reader);
    free(file.bytes.text);
    free(old.text);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    expect_bad_arguments(stamma_archive_writer_open_resume);
    expect_bad_arguments(stamma_archive_writer_open_append_resume);
}

/* ---- an interrupted append ---- */

/* An archive of one game, and the same archive with a fixture's text appended. */
typedef struct appended {
    listing old;
    listing text;
    listing whole;
    stamma_archive_counts counts;
} appended;

static stamma_error append_open(stamma_archive_reader *reader, const stamma_output *output,
                                bool (*cut)(void *context, uint64_t size), const stamma_archive_writer_options *options,
                                stamma_archive_writer **writer)
{
    return stamma_archive_writer_open_append(reader, output, cut, options, writer);
}

static listing append_to(const listing *archive, const listing *text, stamma_archive_counts *counts)
{
    memory_file file = memory_file_of(archive->text, archive->size);
    assert_int_equal(go_on(append_open, &file, text, NULL, counts), STAMMA_OK);
    return file.bytes;
}

static appended make_appended(unsigned blocks)
{
    appended a = {.old = pack("1. e4 *\n", 8, NULL), .text = many_blocks(blocks)};
    a.whole = append_to(&a.old, &a.text, &a.counts);
    return a;
}

static void release_appended(appended *a)
{
    free(a->old.text);
    free(a->text.text);
    free(a->whole.text);
}

/* Returns where the commits in the first `size` bytes end. */
static uint64_t interrupted_end(const appended *a, size_t size)
{
    listing left = {a->whole.text, size, 0};
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &left, true);
    assert_int_equal(stamma_archive_reader_end(reader), size == a->whole.size ? size : a->old.size);
    uint64_t end = stamma_archive_reader_interrupted_end(reader);
    close_reader(reader);
    return end;
}

/* The old archive and exactly the frames up to the last commit are kept. */
static void test_any_prefix_of_an_append(void **state)
{
    (void)state;
    appended a = make_appended(9);
    size_t ends[40], kept = a.old.size;
    bool commits[40];
    size_t count = list_ends(&a.whole, ends, commits);
    assert_int_equal(count, 2 + 10 + 1 + 2);
    for (size_t i = 1; i + 1 < count; i += commits[i + 1] ? 1 : 3) {
        kept = commits[i] ? ends[i] : kept;
        for (size_t size = ends[i] - commits[i]; size <= ends[i] + 20; size += commits[i] ? 7 : 21) {
            if (size < a.old.size)
                continue;
            size_t mended = size < ends[i] ? 8 : 0; /* bytes of its end to write again */
            memory_file file = memory_file_of(a.whole.text, size);
            stamma_archive_counts counts;
            assert_int_equal(interrupted_end(&a, size), kept);
            assert_int_equal(go_on(stamma_archive_writer_open_append_resume, &file, &a.text, NULL, &counts), STAMMA_OK);
            assert_same(&file.bytes, &a.whole);
            assert_memory_equal(&counts, &a.counts, sizeof counts);
            assert_int_equal(file.written, a.whole.size - (kept - mended));
            assert_int_equal(file.cuts, 1);
            assert_int_equal(file.durable, file.bytes.size);
            free(file.bytes.text);
        }
    }
    release_appended(&a);
}

/* With a different input, the old archive and the equal blocks are kept. */
static void test_another_input_for_an_append(void **state)
{
    (void)state;
    appended a = make_appended(9);
    listing other = {0};
    size_t left = a.whole.size - 9;
    list_word(&other, "1. d4 *");
    for (unsigned same = 0; same < 2; same++) {
        listing wanted = append_to(&a.old, &other, NULL);
        memory_file file = memory_file_of(a.whole.text, left);
        assert_int_equal(go_on(stamma_archive_writer_open_append_resume, &file, &other, NULL, NULL), STAMMA_OK);
        assert_same(&file.bytes, &wanted);
        assert_true(same == (file.written < wanted.size - a.old.size));
        free(file.bytes.text);
        free(wanted.text);
        other.size = 0;
        list_bytes(&other, a.text.text, a.text.size / 2);
    }
    free(other.text);
    release_appended(&a);
}

/* ---- a finished append ---- */

static void expect_appended(const listing *archive, const listing *text, const listing *wanted, size_t written)
{
    memory_file file = memory_file_of(archive->text, archive->size);
    list_word(&file.bytes, "a tail");
    stamma_archive_counts counts;
    assert_int_equal(go_on(stamma_archive_writer_open_append_resume, &file, text, NULL, &counts), STAMMA_OK);
    assert_same(&file.bytes, wanted);
    assert_int_equal(counts.text_size, written > 0 ? text->size : 0);
    assert_int_equal(counts.archive_size, written);
    assert_int_equal(file.written, written);
    free(file.bytes.text);
}

/* The same text is not appended twice. Another text is appended. An empty text changes nothing. */
static void test_finished_append(void **state)
{
    (void)state;
    for (unsigned blocks = 0; blocks < 10;
         blocks += 7) { /* the last commit lists one block, or all but the first eight */
        appended a = make_appended(blocks == 7 ? 8 : blocks);
        listing other = {0}, nothing = {0};
        list_word(&other, "1. d4 *");
        listing both = append_to(&a.whole, &other, NULL), first = append_to(&a.old, &other, NULL);
        expect_appended(&a.whole, &a.text, &a.whole, 0);
        expect_appended(&a.whole, &nothing, &a.whole, 0);
        expect_appended(&a.whole, &other, &both, both.size - a.whole.size);
        expect_appended(&both, &other, &both, 0);
        expect_appended(&a.old, &other, &first, first.size - a.old.size);
        free(both.text);
        free(first.text);
        free(other.text);
        release_appended(&a);
    }
}

/* A text that begins with complete blocks of the last append and then differs is rejected, and nothing is truncated. */
static void test_half_of_a_finished_append(void **state)
{
    (void)state;
    appended a = make_appended(8);
    size_t block = a.text.size / 8;
    for (unsigned changed = 1; changed < 10; changed += 4) { /* inside, after the first commit, after the end */
        listing text = {0};
        list_bytes(&text, a.text.text, a.text.size);
        if (changed < 9)
            text.text[changed * block] ^= '*' ^ '!';
        else
            list_word(&text, "1. c4 *");
        for (unsigned shorter = 0; shorter < 2; shorter++) {
            memory_file file = memory_file_of(a.whole.text, a.whole.size);
            text.size = shorter ? a.text.size / 2 : text.size;
            assert_int_equal(go_on(stamma_archive_writer_open_append_resume, &file, &text, NULL, NULL),
                             STAMMA_ERROR_MISMATCH);
            assert_int_equal(file.calls, 0);
            assert_int_equal(file.bytes.size, a.whole.size);
            free(file.bytes.text);
        }
        free(text.text);
    }
    release_appended(&a);
}

/* If the archive cannot be read, the input is not reported as different, and nothing is written. */
static void test_failing_input(void **state)
{
    (void)state;
    appended a = make_appended(8);
    memory_file same = memory_file_of(a.whole.text, a.whole.size);
    assert_int_equal(go_on(stamma_archive_writer_open_append_resume, &same, &a.text, NULL, NULL), STAMMA_OK);
    free(same.bytes.text);
    const unsigned calls = input_calls;
    for (unsigned fail_at = calls - 8; fail_at <= calls; fail_at++) {
        memory_file file = memory_file_of(a.whole.text, a.whole.size);
        input_fails_at = fail_at;
        stamma_error error = go_on(stamma_archive_writer_open_append_resume, &file, &a.text, NULL, NULL);
        input_fails_at = 0;
        assert_int_equal(error, STAMMA_ERROR_IO);
        assert_same(&file.bytes, &a.whole);
        free(file.bytes.text);
    }
    release_appended(&a);
}

static void test_unfinished_archive(void **state)
{
    (void)state;
    listing old = pack("*", 1, NULL), text = {0};
    memory_file file = memory_file_of(old.text, old.size - 9);
    assert_int_equal(go_on(stamma_archive_writer_open_append_resume, &file, &text, NULL, NULL), STAMMA_ERROR_CORRUPT);
    assert_int_equal(file.calls, 0);
    free(file.bytes.text);
    free(old.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_prefix),
        cmocka_unit_test(test_finished),
        cmocka_unit_test(test_executor),
        cmocka_unit_test(test_notices),
        cmocka_unit_test(test_committed),
        cmocka_unit_test(test_another_input),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_forged_commit),
        cmocka_unit_test(test_every_call_fails),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_any_prefix_of_an_append),
        cmocka_unit_test(test_another_input_for_an_append),
        cmocka_unit_test(test_finished_append),
        cmocka_unit_test(test_half_of_a_finished_append),
        cmocka_unit_test(test_failing_input),
        cmocka_unit_test(test_unfinished_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
