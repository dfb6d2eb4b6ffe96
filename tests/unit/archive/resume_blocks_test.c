/* SPDX-License-Identifier: MIT */
/* Tests which blocks a resumed writer keeps, depending on how they were written, and calls that fail when a writer
 * begins or ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/reader.h"
#include "memory_file.h"

/* ---- resuming ---- */

typedef stamma_error writer_opener(stamma_archive_reader *reader, const stamma_output *output,
                                   bool (*cut)(void *context, uint64_t size),
                                   const stamma_archive_writer_options *options, stamma_archive_writer **writer);

static stamma_error open_append(stamma_archive_reader *reader, const stamma_output *output,
                                bool (*cut)(void *context, uint64_t size), const stamma_archive_writer_options *options,
                                stamma_archive_writer **writer)
{
    return stamma_archive_writer_open_append(reader, output, cut, options, writer);
}

/* How a writer continues an archive. */
typedef struct going_on {
    writer_opener *opener;
    stamma_archive_writer_options options;
    const listing *text;
    const listing *copied; /* not NULL: an archive that is copied after the text */
    bool no_sync;          /* the output has no `sync` */
    unsigned input_fails_at;
    unsigned input_calls; /* result */
} going_on;

static stamma_error write_all(stamma_archive_writer *writer, const going_on *g)
{
    stamma_error error = stamma_archive_writer_write(writer, g->text->text, g->text->size);
    if (error == STAMMA_OK && g->copied) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, g->copied, true);
        error = stamma_archive_writer_copy(writer, reader);
        close_reader(reader);
    }
    return error == STAMMA_OK ? stamma_archive_writer_finish(writer, NULL) : error;
}

static stamma_error go_on(memory_file *file, going_on *g)
{
    listing before = {0}; /* a copy of the old file: only bytes before the truncation are read */
    list_bytes(&before, file->bytes.text, file->bytes.size);
    archive_source source = {
        .bytes = before.text, .size = before.size, .piece_max = SIZE_MAX, .fail_at = g->input_fails_at};
    stamma_output output = memory_file_output(file);
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    if (g->no_sync)
        output.sync = NULL;
    g->options.size = sizeof g->options;
    stamma_error error = open_source(&source, true, NULL, &reader);
    if (error == STAMMA_OK)
        error = g->opener(reader, &output, memory_file_cut, &g->options, &writer);
    if (error == STAMMA_OK)
        error = write_all(writer, g);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    g->input_calls = source.calls;
    free(before.text);
    return error;
}

static void assert_same(const listing *got, const listing *wanted)
{
    assert_int_equal(got->size, wanted->size);
    assert_memory_equal(got->text, wanted->text, wanted->size);
}

/* ---- archives ---- */

static listing text_of(const char *word)
{
    listing text = {0};
    list_word(&text, word);
    return text;
}

/* Text of one block of small records, and of a second block. */
static listing two_blocks(size_t *first)
{
    listing text = {0};
    for (unsigned n = 0; n < 65536; n++)
        list_bytes(&text, "* ", 2);
    *first = text.size;
    list_word(&text, "1. e4 e5 *\n");
    return text;
}

static listing packed(const listing *text, stamma_archive_writer_options options)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    options.size = sizeof options;
    assert_int_equal(stamma_archive_writer_open(&output, &options, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_write(writer, text->text, text->size), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    return sink.bytes;
}

static listing appended_to(const listing *archive, const listing *text)
{
    memory_file file = memory_file_of(archive->text, archive->size);
    going_on g = {.opener = open_append, .text = text};
    assert_int_equal(go_on(&file, &g), STAMMA_OK);
    return file.bytes;
}

/* ---- levels and search columns ---- */

/* Resumes an archive of these options with others. Returns the number of bytes written. */
static size_t resume_as(const listing *text, stamma_archive_writer_options old, stamma_archive_writer_options other)
{
    listing archive = packed(text, old), wanted = packed(text, other);
    memory_file file = memory_file_of(archive.text, archive.size);
    going_on g = {.opener = stamma_archive_writer_open_resume, .options = other, .text = text};
    assert_int_equal(go_on(&file, &g), STAMMA_OK);
    assert_same(&file.bytes, &wanted);
    const size_t written = file.written;
    free(file.bytes.text);
    free(archive.text);
    free(wanted.text);
    return written;
}

/* Blocks are kept only if the writer would make the same blocks. */
static void test_levels(void **state)
{
    (void)state;
    listing text = read_file("data/games.pgn"), no_moves = text_of("[White \"A\"]\n\n*\n");
    const int most = stamma_predictor_id() == 0 ? 1 : 3;
    text.size = 20000;
    for (int old = 1; old <= most; old++)
        for (int level = 1; level <= most; level++) {
            const stamma_archive_writer_options from = {.level = old}, to = {.level = level};
            assert_int_equal(resume_as(&text, from, to) == 0, old == level);
            assert_int_equal(resume_as(&no_moves, from, to) == 0, old == level || old + level == 5);
        }
    for (unsigned way = 0; way < 4; way++) {
        const stamma_archive_writer_options from = {.no_search_columns = way & 1}, to = {.no_search_columns = way / 2};
        assert_int_equal(resume_as(&text, from, to) == 0, way == 0 || way == 3);
    }
    free(no_moves.text);
    free(text.text);
}

static void test_other_sizes(void **state)
{
    (void)state;
    static const char *const texts[] = {"1. e4 *\n", "1. e4 e5 *\n", ""};
    for (size_t n = 0; n < 9; n++) {
        listing text = text_of(texts[n % 3]), archive = pack(texts[n / 3], strlen(texts[n / 3]), NULL);
        listing wanted = pack(text.text, text.size, NULL);
        memory_file file = memory_file_of(archive.text, archive.size);
        going_on g = {.opener = stamma_archive_writer_open_resume, .text = &text};
        assert_int_equal(go_on(&file, &g), STAMMA_OK);
        assert_same(&file.bytes, &wanted);
        free(file.bytes.text);
        free(wanted.text);
        free(archive.text);
        free(text.text);
    }
}

/* ---- frames between blocks ---- */

/* Adds an optional frame of unknown type. */
static void add_unknown(frame_writer *out, listing *bytes, uint16_t id)
{
    uint8_t header[FRAME_HEADER_SIZE];
    stamma_frame_write(&(frame){.type = 77, .id = id, .head_check = stamma_check32("", 0), .number = 1}, header);
    list_bytes(bytes, header, sizeof header);
    out->at += sizeof header;
}

/* Copies an archive of two blocks with an unknown frame between them, or with a second block that is marked as
 * continuing a game. */
static listing changed_second_block(const listing *archive, bool between)
{
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer out;
    size_t at = ARCHIVE_HEADER_SIZE;
    stamma_frame_writer_begin(&out, &output, &allocator);
    for (unsigned block = 0; block < 2; block++, at = next_frame(archive, at)) {
        const uint8_t *header = (const uint8_t *)archive->text + at, *payload = header + FRAME_HEADER_SIZE;
        frame f;
        block_counts counts;
        assert_int_equal(stamma_frame_read(header, &f), STAMMA_OK);
        cursor in = {payload, payload + f.head_size, false};
        assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
        listing head = {0};
        list_bytes(&head, payload, f.head_size);
        head.text[in.at - payload - 1] ^= (char)(block == 1 && !between);
        if (block == 1 && between)
            add_unknown(&out, &sink.bytes, f.id);
        stamma_frame_writer_add_block(&out, (stamma_text){head.text, head.size},
                                      (stamma_text){(const char *)payload + f.head_size, (size_t)f.size - f.head_size},
                                      &counts.counts);
        free(head.text);
    }
    stamma_frame_writer_commit(&out, true);
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    return sink.bytes;
}

/* Only blocks that a writer of this version would write are kept. */
static void test_changed_second_block(void **state)
{
    (void)state;
    size_t first;
    listing text = two_blocks(&first), whole = pack(text.text, text.size, NULL);
    for (int between = 0; between < 2; between++) {
        listing other = changed_second_block(&whole, between);
        memory_file file = memory_file_of(other.text, other.size);
        going_on g = {.opener = stamma_archive_writer_open_resume, .text = &text};
        if (between)
            assert_gives_back(&other, text.text, text.size);
        assert_int_equal(go_on(&file, &g), STAMMA_OK);
        assert_same(&file.bytes, &whole);
        assert_in_range(file.written, 1, whole.size - next_frame(&whole, ARCHIVE_HEADER_SIZE));
        free(file.bytes.text);
        free(other.text);
    }
    free(whole.text);
    free(text.text);
}

/* The input is only the first block of the last append. It is a different input, but cannot be appended, either. */
static void test_first_block_of_an_append(void **state)
{
    (void)state;
    size_t first;
    listing old = pack("1. d4 *\n", 8, NULL), text = two_blocks(&first), whole = appended_to(&old, &text);
    memory_file file = memory_file_of(whole.text, whole.size);
    text.size = first;
    going_on g = {.opener = stamma_archive_writer_open_append_resume, .text = &text};
    assert_int_equal(go_on(&file, &g), STAMMA_ERROR_MISMATCH);
    assert_int_equal(file.calls, 0);
    free(file.bytes.text);
    free(whole.text);
    free(text.text);
    free(old.text);
}

/* ---- copies ---- */

/* Copied blocks are not compared with the blocks of the last append; they are always appended. */
static void test_copy_after_an_append(void **state)
{
    (void)state;
    listing old = pack("1. d4 *\n", 8, NULL), text = text_of("1. e4 *\n"), nothing = text_of("");
    listing copied = pack("1. c4 *\n", 8, NULL), same = pack("1. e4 *\n", 8, NULL);
    listing whole = appended_to(&old, &text);
    const struct {
        const listing *text, *copied;
        const char *wanted; /* NULL: the last append has another second block */
    } cases[] = {{&nothing, &copied, "1. d4 *\n1. e4 *\n1. c4 *\n"},
                 {&nothing, &same, "1. d4 *\n1. e4 *\n1. e4 *\n"},
                 {&text, &copied, NULL}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        memory_file file = memory_file_of(whole.text, whole.size);
        going_on g = {.opener = stamma_archive_writer_open_append_resume, .text = cases[n].text};
        g.copied = cases[n].copied;
        assert_int_equal(go_on(&file, &g), cases[n].wanted ? STAMMA_OK : STAMMA_ERROR_MISMATCH);
        if (cases[n].wanted)
            assert_gives_back(&file.bytes, cases[n].wanted, strlen(cases[n].wanted));
        else
            assert_same(&file.bytes, &whole);
        free(file.bytes.text);
    }
    free(whole.text);
    free(same.text);
    free(copied.text);
    free(nothing.text);
    free(text.text);
    free(old.text);
}

/* ---- calls that fail ---- */

/* Fails each call of the output, and then of the input. The beginning of the old archive is never changed. Returns the
 * number of calls of the output. */
static unsigned fail_each_call(const listing *archive, going_on g)
{
    const size_t kept = g.opener == stamma_archive_writer_open_resume ? ARCHIVE_HEADER_SIZE : 60;
    unsigned fail_at = 1;
    stamma_error error;
    do {
        memory_file file = memory_file_of(archive->text, archive->size);
        file.fail_at = fail_at++;
        error = go_on(&file, &g);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_IO);
        assert_memory_equal(file.bytes.text, archive->text, file.bytes.size < kept ? file.bytes.size : kept);
        free(file.bytes.text);
    } while (error != STAMMA_OK);
    const unsigned calls = fail_at - 2;
    memory_file whole = memory_file_of(archive->text, archive->size);
    assert_int_equal(go_on(&whole, &g), STAMMA_OK);
    /* If the first call of the input fails, the input counts as a pipe: not tested here. */
    for (g.input_fails_at = 2; g.input_fails_at <= g.input_calls; g.input_fails_at++) {
        memory_file file = memory_file_of(archive->text, archive->size);
        const unsigned most = g.input_calls;
        error = go_on(&file, &g);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_IO);
        if (error == STAMMA_OK)
            assert_same(&file.bytes, &whole.bytes);
        g.input_calls = most;
        free(file.bytes.text);
    }
    free(whole.bytes.text);
    return calls;
}

/* The end of the archive is damaged, missing, or followed by other bytes. */
static void test_failing_calls(void **state)
{
    (void)state;
    static writer_opener *const openers[] = {open_append, stamma_archive_writer_open_append_resume,
                                             stamma_archive_writer_open_resume};
    listing old = pack("1. d4 *\n", 8, NULL), text = text_of("1. e4 *\n"), whole = appended_to(&old, &text);
    listing both = text_of("1. d4 *\n1. e4 *\n"), once = pack(both.text, both.size, NULL);
    for (size_t n = 0; n < sizeof openers / sizeof *openers; n++)
        for (unsigned way = 0; way < 3; way++) {
            listing *of = n < 2 ? &whole : &once, changed = {0};
            list_bytes(&changed, of->text, of->size - (way == 1));
            changed.text[changed.size - 1] ^= (char)(way == 0);
            if (way == 2)
                list_word(&changed, "other bytes");
            going_on g = {.opener = openers[n], .text = n < 2 ? &text : &both};
            const unsigned calls = fail_each_call(&changed, g);
            g.no_sync = true;
            assert_true(fail_each_call(&changed, g) < calls || (n > 0 && way == 2));
            free(changed.text);
        }
    free(once.text);
    free(both.text);
    free(whole.text);
    free(text.text);
    free(old.text);
}

/* The list of blocks of this archive is first read from its table; only the writer reads the frames. */
static void test_failing_calls_after_a_table(void **state)
{
    (void)state;
    listing part = pack("1. d4 *\n", 8, NULL), text = text_of("1. e4 *\n"), parts[8];
    for (size_t n = 0; n < 8; n++)
        parts[n] = part;
    listing archive = copy_archives(parts, 8, NULL);
    going_on g = {.opener = stamma_archive_writer_open_append_resume, .text = &text};
    assert_true(fail_each_call(&archive, g) > 0);
    g.opener = stamma_archive_writer_open_resume;
    assert_true(fail_each_call(&archive, g) > 0);
    free(archive.text);
    free(text.text);
    free(part.text);
}

/* Only the end of the last commit is written again. Archives with other damage are not changed. */
static void test_damaged_end_before_the_last(void **state)
{
    (void)state;
    listing old = pack("1. d4 *\n", 8, NULL), text = text_of("1. e4 *\n"), whole = appended_to(&old, &text);
    whole.text[old.size - 1] ^= 1;
    for (unsigned resumes = 0; resumes < 2; resumes++) {
        memory_file file = memory_file_of(whole.text, whole.size);
        going_on g = {.opener = resumes ? stamma_archive_writer_open_append_resume : open_append, .text = &text};
        assert_int_equal(go_on(&file, &g), STAMMA_ERROR_CORRUPT);
        assert_int_equal(file.calls, 0);
        free(file.bytes.text);
    }
    free(whole.text);
    free(text.text);
    free(old.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_changed_second_block),
        cmocka_unit_test(test_first_block_of_an_append),
        cmocka_unit_test(test_copy_after_an_append),
        cmocka_unit_test(test_failing_calls),
        cmocka_unit_test(test_failing_calls_after_a_table),
        cmocka_unit_test(test_damaged_end_before_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
