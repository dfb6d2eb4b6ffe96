/* SPDX-License-Identifier: MIT */
/* Simulates crashes at every moment of packing, appending, merging and resuming. The disk may lose, keep and reorder
 * everything that was not synced. Checks that:
 * - text that was committed before is readable;
 * - unfinished parts do not count as part of the archive;
 * - no wrong text is ever read;
 * - resuming produces the same bytes as an uninterrupted writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "memory_file.h"
#include "verify_support.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PART 8 /* tests only one in PART of slow cases */
#else
#define PART 1
#endif

enum {
    PIECE = 100003,
    WAYS = 96,         /* maximum number of crashes tested at one place */
    WAYS_OF_LARGE = 3, /* the same if the archive is slow to read */
    GONE_ON_WITH = 8   /* resumes after one of this number of crashes */
};

typedef stamma_error writer_opener(stamma_archive_reader *reader, const stamma_output *output,
                                   bool (*cut)(void *context, uint64_t size),
                                   const stamma_archive_writer_options *options, stamma_archive_writer **writer);

/* The expected contents after a crash, and how to continue. */
typedef struct story {
    listing before;                /* text that was committed when the writer began */
    listing text;                  /* `before`, followed by the text of the writer's input */
    listing whole;                 /* the archive that an uninterrupted writer makes */
    size_t old_size;               /* size of the archive of `before` */
    bool appends;                  /* the input is kept completely or not at all; otherwise all commits are kept */
    uint64_t floor;                /* bytes of text that are committed already but not in `before` */
    writer_opener *again;          /* how to resume; NULL: not resumed */
    listing other;                 /* the text of another append, which removes a tail; NULL: no append */
    listing other_whole;           /* the archive after that append */
    stamma_archive_writer *writer; /* NULL if there is none */
    bool large;                    /* many records: tests less, and reads once */
    unsigned places, states, resumed, kept;
} story;

/* ---- texts ---- */

/* Makes a text of blocks of 65,536 records, each stored in several sectors. */
static listing random_results(unsigned blocks)
{
    static const char *const results[] = {"* ", "1-0 ", "0-1 ", "1/2-1/2 "};
    listing text = {0};
    for (unsigned block = 0; block < blocks; block++)
        for (unsigned i = 0; i < 65536; i++)
            list_word(&text, i < 8192 ? results[random_below(4)] : results[0]);
    list_word(&text, "[White \"the last\"]\n\n1. d4 *\n");
    return text;
}

static listing join(const listing *a, const listing *b)
{
    listing both = {0};
    list_bytes(&both, a->size > 0 ? a->text : "", a->size);
    list_bytes(&both, b->size > 0 ? b->text : "", b->size);
    return both;
}

static bool is_same(const listing *a, const listing *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->text, b->text, a->size) == 0);
}

static bool begins_with(const listing *all, const listing *part)
{
    return part->size <= all->size && (part->size == 0 || memcmp(all->text, part->text, part->size) == 0);
}

/* ---- writing ---- */

/* Reads a file while it is being written. */
static bool read_live(void *context, uint64_t offset, void *bytes, size_t size)
{
    const memory_file *file = context;
    if (offset > file->bytes.size || size > file->bytes.size - offset)
        return false;
    memcpy(bytes, file->bytes.text + offset, size);
    return true;
}

static stamma_error append_open(stamma_archive_reader *reader, const stamma_output *output,
                                bool (*cut)(void *context, uint64_t size), const stamma_archive_writer_options *options,
                                stamma_archive_writer **writer)
{
    return stamma_archive_writer_open_append(reader, output, cut, options, writer);
}

static stamma_error pack_open(stamma_archive_reader *reader, const stamma_output *output,
                              bool (*cut)(void *context, uint64_t size), const stamma_archive_writer_options *options,
                              stamma_archive_writer **writer)
{
    (void)reader;
    (void)cut;
    return stamma_archive_writer_open(output, options, writer);
}

static stamma_error write_all(stamma_archive_writer *writer, const listing *text)
{
    stamma_error error = STAMMA_OK;
    for (size_t at = 0; at < text->size && error == STAMMA_OK; at += PIECE) {
        size_t left = text->size - at;
        error = stamma_archive_writer_write(writer, text->text + at, left < PIECE ? left : PIECE);
    }
    return error == STAMMA_OK ? stamma_archive_writer_finish(writer, NULL) : error;
}

/* Writes a text to a file. `s` may be NULL; otherwise s->writer is the writer while it is open. */
static stamma_error write_file(writer_opener *opener, memory_file *file, const listing *text, story *s)
{
    const stamma_bytes live = {.size = file->bytes.size, .context = file, .read_at = read_live};
    stamma_archive *archive = NULL;
    stamma_output output = memory_file_output(file);
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    stamma_error error = opener == pack_open ? STAMMA_OK : stamma_archive_open(&live, NULL, &archive);
    if (archive)
        error = stamma_archive_reader_open(archive, NULL, &reader);
    if (error == STAMMA_OK)
        error = opener(reader, &output, memory_file_cut, NULL, &writer);
    if (error == STAMMA_OK && s)
        s->writer = writer;
    if (error == STAMMA_OK)
        error = write_all(writer, text);
    if (s)
        s->writer = NULL;
    stamma_archive_writer_close(writer);
    close_reader(reader);
    return error;
}

/* ---- states after a crash ---- */

/* Asserts that an archive without reported damage unpacks to its complete text. */
static void check_verdict(const story *s, const listing *left, bool sound, uint64_t text_size)
{
    stamma_archive_verdict verdict = {.size = sizeof verdict, .damages = 77};
    for (int quick = s->large; quick < 2; quick++) {
        stamma_error error = verify_archive(left, quick, NULL, &verdict);
        if (error != STAMMA_OK) {
            assert_false(sound);
            assert_int_equal(text_size, 0);
            continue;
        }
        assert_int_equal(verdict.damages == 0, sound);
        if (sound)
            assert_int_equal(verdict.sound.text_size, text_size);
        else
            assert_true(verdict.sound.text_size >= text_size);
    }
}

static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

/* Returns all readable games, ignoring any bytes after them. */
static listing read_games(const listing *left)
{
    listing games = {0};
    archive_source source = {.bytes = left->text, .size = left->size, .piece_max = SIZE_MAX};
    stamma_archive_reader_options options = {.size = sizeof options, .damage = pass_damage};
    stamma_archive_reader *reader;
    stamma_error error = open_source(&source, true, &options, &reader);
    if (error != STAMMA_OK)
        return games;
    for (bool found = true; error == STAMMA_OK && found;) {
        const stamma_archive_game *game;
        error = stamma_archive_reader_next(reader, &game);
        found = game != NULL;
        if (error == STAMMA_OK && found)
            list_bytes(&games, game->text.data, game->text.size);
    }
    close_reader(reader);
    return games;
}

/* Returns whether only the last eight bytes, the end of the last commit, are missing or wrong. They can be repaired
 * (7.3). */
static bool lacks_end(const listing *left, const listing *whole)
{
    const listing but_end = {whole->text, whole->size - 8, 0};
    return left->size <= whole->size && begins_with(left, &but_end);
}

/* Asserts that an append is found completely or not at all. A tail after the old archive must be reported. */
static void check_appended(const story *s, const listing *left)
{
    listing all = join(&s->before, &s->text), back = {0}, games = read_games(left);
    bool sound = is_same(left, &s->whole) || left->size == s->old_size;
    const listing *wanted = lacks_end(left, &s->whole) ? &all : &s->before;
    stamma_error error = unpack(left, true, NULL, &back);
    assert_int_equal(error, sound ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
    assert_true(is_same(&back, wanted));
    assert_true(is_same(&games, wanted));
    check_verdict(s, left, sound, wanted->size);
    free(all.text);
    free(back.text);
    free(games.text);
}

/* Asserts that the text is a prefix of the input that contains at least the committed text. */
static void check_packed(const story *s, const listing *left)
{
    listing back = {0}, games = s->large && is_same(left, &s->whole) ? (listing){0} : read_games(left);
    uint64_t committed = s->writer ? stamma_archive_writer_committed(s->writer) : 0;
    committed = committed > s->floor ? committed : s->floor;
    bool whole = is_same(left, &s->whole);
    assert_int_equal(unpack(left, true, NULL, &back) == STAMMA_OK, whole);
    assert_true(whole ? is_same(&back, &s->text) : begins_with(&s->text, &back));
    const listing first = {s->text.text, (size_t)committed, 0};
    assert_true(begins_with(&games, &first) || (s->large && whole));
    check_verdict(s, left, whole, whole ? s->text.size : committed);
    free(back.text);
    free(games.text);
}

/* Returns whether there is a commit to resume from. */
static bool has_commit(const listing *left)
{
    archive_source source = {.bytes = left->text, .size = left->size, .piece_max = SIZE_MAX};
    stamma_archive_reader *reader;
    if (open_source(&source, true, NULL, &reader) != STAMMA_OK)
        return false;
    bool has = stamma_archive_reader_end(reader) > ARCHIVE_HEADER_SIZE;
    close_reader(reader);
    return has;
}

static void check_continues(story *s, writer_opener *opener, const listing *left, const listing *text,
                            const listing *wanted)
{
    memory_file file = memory_file_of(left->text, left->size);
    assert_int_equal(write_file(opener, &file, text, NULL), STAMMA_OK);
    assert_true(is_same(&file.bytes, wanted));
    s->resumed++;
    s->kept += file.written < wanted->size;
    free(file.bytes.text);
}

/* Appends to an archive that lacks only the end of its last commit. The writer must repair that end. */
static void check_followed(const story *s, const listing *left)
{
    listing all = join(&s->before, &s->text), wanted = join(&all, &s->other), back = {0};
    memory_file file = memory_file_of(left->text, left->size);
    assert_int_equal(write_file(append_open, &file, &s->other, NULL), STAMMA_OK);
    assert_int_equal(unpack(&file.bytes, true, NULL, &back), STAMMA_OK);
    assert_true(is_same(&back, &wanted));
    free(file.bytes.text);
    free(back.text);
    free(wanted.text);
    free(all.text);
}

static void check_left(void *context, const listing *left)
{
    story *s = context;
    bool slow = s->states++ % (GONE_ON_WITH * PART) == 0;
    if (s->appends)
        check_appended(s, left);
    else
        check_packed(s, left);
    if (slow && s->again && has_commit(left))
        check_continues(s, s->again, left, &s->text, &s->whole);
    if (slow && s->other.text && lacks_end(left, &s->whole))
        check_followed(s, left);
    else if (slow && s->other.text)
        check_continues(s, append_open, left, &s->other, &s->other_whole);
}

static void crash(memory_file *file)
{
    story *s = file->disk->context;
    const unsigned ways = s->large ? WAYS_OF_LARGE : WAYS / PART / (unsigned)usual_step(3);
    if (s->large && s->places++ % (2 * PART * usual_step(2)) != 0)
        return;
    s->places += !s->large;
    memory_file_crashes(file, ways, s->places, check_left, s);
}

/* Writes the story's text to a file that contains `held`, with crashes at each call. `sector` is the sector size. */
static void run_story(story *s, writer_opener *opener, const listing *held, size_t sector)
{
    memory_file file = memory_file_of(held->size > 0 ? held->text : "", held->size);
    disk d = disk_of(&file, sector);
    d.crash = crash;
    d.context = s;
    file.disk = &d;
    assert_int_equal(write_file(opener, &file, &s->text, s), STAMMA_OK);
    assert_true(is_same(&file.bytes, &s->whole));
    assert_true(is_same(&d.stable, &s->whole));
    disk_release(&d);
    free(file.bytes.text);
}

static void release_story(story *s)
{
    free(s->before.text);
    free(s->text.text);
    free(s->whole.text);
    free(s->other.text);
    free(s->other_whole.text);
}

static listing append_to(const listing *archive, const listing *text)
{
    memory_file file = memory_file_of(archive->text, archive->size);
    assert_int_equal(write_file(append_open, &file, text, NULL), STAMMA_OK);
    return file.bytes;
}

/* ---- small archives ---- */

static const size_t sectors[] = {512, 4096, 32};
enum { SECTOR_SIZES = sizeof sectors / sizeof *sectors };

static listing one_game(unsigned number)
{
    listing text = {0};
    list_format(&text, "[White \"%u\"]\n[Round \"%u\"]\n\n1. e4 {", number, number * number);
    for (uint64_t words = random_below(120); words > 0; words--)
        list_format(&text, "%u ", (unsigned)random_below(100000));
    list_word(&text, "and so on} e5 2. Ke5 *\n\n");
    return text;
}

static void test_pack(void **state)
{
    (void)state;
    const listing nothing = {0};
    for (unsigned games = 0; games < 2; games++) {
        story s = {.text = games > 0 ? one_game(7) : (listing){0}, .again = stamma_archive_writer_open_resume};
        s.whole = pack(s.text.text, s.text.size, NULL);
        for (size_t i = 0; i < SECTOR_SIZES; i++)
            run_story(&s, pack_open, &nothing, sectors[i]);
        assert_true(s.places >= (games > 0 ? 3 * 8 : 3 * 5) && s.states > 4 * s.places);
        release_story(&s);
    }
}

static void test_append(void **state)
{
    (void)state;
    story s = {.appends = true,
               .before = one_game(1),
               .text = one_game(2),
               .other = one_game(3),
               .again = stamma_archive_writer_open_append_resume};
    listing old = pack(s.before.text, s.before.size, NULL), left = {0};
    s.old_size = old.size;
    s.whole = append_to(&old, &s.text);
    s.other_whole = append_to(&old, &s.other);
    list_bytes(&left, old.text, old.size);
    for (size_t i = 0; i < SECTOR_SIZES; i++) {
        run_story(&s, append_open, &left, sectors[i]); /* finally after a tail */
        list_word(&left, "what another append left, and did not finish");
    }
    assert_true(s.places >= 3 * 8 && s.resumed > 10 / PART);
    free(left.text);
    free(old.text);
    release_story(&s);
}

/* ---- many small blocks ---- */

enum { ARCHIVES = 20 }; /* of one block each: commits after 8, 16 and 20 archives */

typedef struct many {
    listing texts[ARCHIVES];
    listing archives[ARCHIVES];
    listing all; /* the texts */
} many;

static many make_many(void)
{
    many m = {.all = {0}};
    for (unsigned i = 0; i < ARCHIVES; i++) {
        m.texts[i] = one_game(i);
        m.archives[i] = pack(m.texts[i].text, m.texts[i].size, NULL);
        list_bytes(&m.all, m.texts[i].text, m.texts[i].size);
    }
    return m;
}

static void release_many(many *m)
{
    for (unsigned i = 0; i < ARCHIVES; i++) {
        free(m->texts[i].text);
        free(m->archives[i].text);
    }
}

static void copy_many(const many *m, stamma_archive_writer *writer)
{
    for (unsigned i = 0; i < ARCHIVES; i++) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &m->archives[i], true);
        assert_int_equal(stamma_archive_writer_copy(writer, reader), STAMMA_OK);
        close_reader(reader);
    }
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
}

/* Copies the archives to the end of `held`, or into a new archive if `held` is empty. */
static void copy_into(story *s, const many *m, const listing *held, size_t sector)
{
    memory_file file = memory_file_of(held->size > 0 ? held->text : "", held->size);
    disk d = disk_of(&file, sector);
    stamma_output output = memory_file_output(&file);
    d.crash = s->whole.text ? crash : NULL;
    d.context = s;
    file.disk = &d;
    archive_source source;
    stamma_archive_reader *reader = held->size > 0 ? open_archive(&source, held, true) : NULL;
    writer_opener *opener = reader ? append_open : pack_open;
    assert_int_equal(opener(reader, &output, memory_file_cut, NULL, &s->writer), STAMMA_OK);
    close_reader(reader);
    copy_many(m, s->writer);
    stamma_archive_writer_close(s->writer);
    s->writer = NULL;
    assert_true(is_same(&d.stable, &file.bytes));
    if (!s->whole.text)
        list_bytes(&s->whole, file.bytes.text, file.bytes.size);
    assert_true(is_same(&file.bytes, &s->whole));
    disk_release(&d);
    free(file.bytes.text);
}

static void test_merge(void **state)
{
    (void)state;
    const listing nothing = {0};
    many m = make_many();
    story s = {.text = m.all};
    copy_into(&s, &m, &nothing, 512); /* only to make the complete archive */
    for (size_t i = 0; i < SECTOR_SIZES; i++)
        copy_into(&s, &m, &nothing, sectors[i]);
    assert_true(s.places > 3 * 70 && s.states > WAYS / PART / 3 / usual_step(3) * s.places);
    release_many(&m);
    release_story(&s);
}

/* An append that commits several times. */
static void test_append_of_many(void **state)
{
    (void)state;
    many m = make_many();
    story s = {.appends = true, .before = one_game(77), .text = m.all, .other = one_game(78)};
    listing old = pack(s.before.text, s.before.size, NULL);
    s.old_size = old.size;
    s.other_whole = append_to(&old, &s.other);
    copy_into(&s, &m, &old, 512);
    for (size_t i = 0; i < SECTOR_SIZES; i++)
        copy_into(&s, &m, &old, sectors[i]);
    assert_true(s.places > 3 * 70 && s.resumed > 100 / PART / usual_step(3));
    free(old.text);
    release_many(&m);
    release_story(&s);
}

/* ---- resuming after a crash, with another crash ---- */

enum { FIRST_COMMIT = 9 }; /* frames */

/* Returns the first commit of an archive after `from`, and a torn block after it. */
static listing torn(const listing *whole, size_t from)
{
    listing left = {0};
    size_t end = from;
    for (unsigned frames = 0; frames < FIRST_COMMIT; frames++)
        end = next_frame(whole, end);
    list_bytes(&left, whole->text, end + 700);
    memset(left.text + end + 512, 0, 188);
    return left;
}

static void test_resume(void **state)
{
    (void)state;
    story s = {.text = random_results(9), .again = stamma_archive_writer_open_resume, .large = true};
    s.whole = pack(s.text.text, s.text.size, NULL);
    listing left = torn(&s.whole, ARCHIVE_HEADER_SIZE), games = {0};
    (void)unpack_games(&left, true, NULL, &games);
    s.floor = games.size;
    assert_in_range(s.floor, s.text.size * 7 / 9, s.text.size - 1);
    run_story(&s, stamma_archive_writer_open_resume, &left, 512);
    assert_true(s.places >= 8 && s.resumed > 0 && s.kept == s.resumed);
    free(games.text);
    free(left.text);
    release_story(&s);
}

static void test_resumed_append(void **state)
{
    (void)state;
    story s = {.appends = true, .before = one_game(1), .text = random_results(9), .other = one_game(2), .large = true};
    s.again = stamma_archive_writer_open_append_resume;
    listing old = pack(s.before.text, s.before.size, NULL);
    s.old_size = old.size;
    s.whole = append_to(&old, &s.text);
    s.other_whole = append_to(&old, &s.other);
    listing left = torn(&s.whole, old.size);
    run_story(&s, stamma_archive_writer_open_append_resume, &left, 512);
    assert_true(s.places >= 8 && s.resumed > 1);
    free(left.text);
    free(old.text);
    release_story(&s);
}

/* ---- the disk itself ---- */

typedef struct seen {
    unsigned count;
    unsigned old, zeros, torn, late, whole, shorter;
} seen;

static void see(void *context, const listing *left)
{
    seen *s = context;
    static const char bytes[] = "abcdefghij";
    s->count++;
    s->shorter += left->size < 10;
    s->whole += left->size == 10 && memcmp(left->text, bytes, 10) == 0;
    s->old += left->size == 6;
    s->torn += left->size == 10 && memcmp(left->text, "abcdef\0\0ij", 10) == 0;
    s->late += left->size == 10 && memcmp(left->text, "abcdefg\0ij", 10) == 0;
    s->zeros += left->size == 10 && memcmp(left->text, "abcdef\0\0\0\0", 10) == 0;
}

/* Two writes of two bytes after six durable bytes, with sectors of four bytes: 3 x 2 possible contents, and 3
 * lengths. */
static void test_disk(void **state)
{
    (void)state;
    memory_file file = memory_file_of("abcdef", 6);
    disk d = disk_of(&file, 4);
    file.disk = &d;
    stamma_output output = memory_file_output(&file);
    assert_true(output.write(output.context, "g", 1));
    assert_true(output.write(output.context, "hij", 3));
    seen all = {0}, some = {0};
    memory_file_crashes(&file, 100, 1, see, &all);
    assert_int_equal(all.count, 3 * 2 * 3);
    assert_true(all.old == 6 && all.shorter == 12 && all.whole == 1 && all.zeros == 1 && all.torn == 1 &&
                all.late == 1);
    memory_file_crashes(&file, 5, 1, see, &some);
    assert_int_equal(some.count, 5);
    assert_int_equal(some.whole >= 1 && some.old >= 1, true);
    assert_true(output.sync(output.context));
    seen synced = {0};
    memory_file_crashes(&file, 100, 1, see, &synced);
    assert_true(synced.count == 1 && synced.whole == 1);
    disk_release(&d);
    free(file.bytes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disk),           cmocka_unit_test(test_pack),           cmocka_unit_test(test_append),
        cmocka_unit_test(test_merge),          cmocka_unit_test(test_append_of_many), cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resumed_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
