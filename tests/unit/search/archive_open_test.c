/* SPDX-License-Identifier: MIT */
/* Tests archives that are opened with index files, in memory and read in parts: the answers equal the answers without
 * an index, whatever the file contains. Tests failing reads, damage, index files of other archives, and threads. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "executors.h"
#include "search/search_index.h"

enum { PARTS = 3, PART_GAMES = 5000, ROOM = 1 << 18, THREADS = 3 };

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char other_position[] = "rnbqkbnr/1pppppp1/7p/p7/8/P6P/1PPPPPP1/RNBQKBNR w KQkq - 0 3";

typedef struct fixture {
    listing archive;
    listing file; /* its index file, of several segments */
    listing grown;
    listing wanted; /* the answers without an index */
} fixture;

/* Games that differ in their last moves, by many players. */
static listing make_text(unsigned part)
{
    static const char *const white[] = {"a3", "b3", "c3", "d3", "g3", "h3"};
    static const char *const black[] = {"a6", "b6", "c6", "d6", "g6", "h6"};
    listing text = {0};
    for (unsigned n = PART_GAMES * part; n < PART_GAMES * (part + 1); n++) {
        const unsigned w = n % 6, b = n / 30 % 6, other_w = (w + 1 + n / 6 % 5) % 6,
                       other_b = (b + 1 + n / 180 % 5) % 6;
        list_format(&text, "[White \"W%u, %c\"]\n[Black \"B%u\"]\n[WhiteElo \"%u\"]\n[BlackElo \"%u\"]\n", n % 500,
                    'A' + (int)(n % 26), n % 400, 2000 + n % 90, 1900 + n % 70);
        list_format(&text, "[Date \"%u.%02u.01\"]\n\n1. %s %s 2. %s %s 3. e4 e5 4. Nf3 %s\n\n", 1990 + n % 30,
                    n % 12 + 1, white[w], black[b], white[other_w], black[other_b],
                    n % 3 ? n % 2 ? "1-0" : "0-1" : "Nc6 1/2-1/2");
    }
    return text;
}

/* ---- answers ---- */

static void list_games(stamma_archive *archive, const char *json, listing *out)
{
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    stamma_error error = stamma_search_open(archive, query, NULL, &search);
    while (error == STAMMA_OK && (error = stamma_search_next(search, &match)) == STAMMA_OK && match)
        list_format(out, "%u:%u ", (unsigned)match->game, match->ply_count ? match->plies[0] : 0);
    assert_int_equal(error, STAMMA_OK);
    list_word(out, "\n");
    stamma_search_close(search);
    stamma_query_close(query);
}

static void list_tree(stamma_archive *archive, const char *fen, const char *json, listing *out)
{
    char *tree_json = malloc(ROOM);
    const stamma_text name = {"a", 1};
    stamma_position position;
    stamma_tree *tree = NULL;
    stamma_query *query = NULL;
    if (json)
        assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    assert_int_equal(stamma_fen_read(stamma_text_of(fen), &position, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_tree_open(&position, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, name, archive, query, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_tree_name_games(tree, name, archive, NULL), STAMMA_OK);
    const size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, tree_json, ROOM);
    assert_in_range(size, 1, ROOM - 1);
    list_bytes(out, tree_json, size);
    stamma_tree_close(tree);
    stamma_query_close(query);
    free(tree_json);
}

static void list_sums(stamma_archive *archive, listing *out)
{
    char *json = malloc(ROOM);
    stamma_stats *stats = NULL;
    stamma_players *players = NULL;
    stamma_player found[5];
    stamma_stats_results results = {.games = 0};
    stamma_query *query = NULL;
    size_t size = 0;
    assert_int_equal(stamma_query_parse(stamma_text_of("{\"date\": \"1995..2001\"}"), NULL, NULL, &query), STAMMA_OK);
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    assert_int_equal(stamma_stats_add_archive(stats, archive, NULL, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_stats_write_json(stats, 100, json, ROOM, &size), STAMMA_OK);
    assert_in_range(size, 1, ROOM - 1);
    list_bytes(out, json, size);
    assert_int_equal(stamma_stats_count_archive(&results, archive, query, NULL, NULL), STAMMA_OK);
    list_format(out, " %u %u\n", (unsigned)results.games, (unsigned)results.draws);
    assert_int_equal(stamma_players_open(NULL, &players), STAMMA_OK);
    assert_int_equal(stamma_players_add_archive(players, archive, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_players_find(players, stamma_text_of("w7"), found, 5, &size), STAMMA_OK);
    for (size_t n = 0; n < size; n++)
        list_format(out, "%.*s %u; ", (int)found[n].name.size, found[n].name.data, (unsigned)found[n].games[0]);
    stamma_players_close(players);
    stamma_stats_close(stats);
    stamma_query_close(query);
    free(json);
}

enum { ANSWERS = 6 };

static void answer(stamma_archive *archive, unsigned number, listing *out)
{
    switch (number) {
    case 0: list_games(archive, "{\"player\": \"W77*\"}", out); break;
    case 1: list_games(archive, "{\"fen\": \"rnbqkbnr/1pppppp1/7p/p7/8/P6P/1PPPPPP1/RNBQKBNR w KQkq -\"}", out); break;
    case 2: list_games(archive, "{\"black\": \"B1*\", \"result\": \"1/2-1/2\", \"move\": \"d3\"}", out); break;
    case 3: list_tree(archive, start, NULL, out); break;
    case 4: list_tree(archive, other_position, "{\"rating\": \"2050..\"}", out); break;
    default: list_sums(archive, out); break;
    }
}

static listing answers_of(stamma_archive *archive)
{
    listing out = {0};
    for (unsigned n = 0; n < ANSWERS; n++)
        answer(archive, n, &out);
    return out;
}

static void expect_answers(const fixture *f, stamma_archive *archive)
{
    listing got = answers_of(archive);
    assert_string_equal(got.text, f->wanted.text);
    free(got.text);
}

static int set_up(void **state)
{
    static fixture f;
    listing parts[PARTS + 1];
    const stamma_index_write_options options = {.size = sizeof options, .segment_games = PART_GAMES};
    for (unsigned part = 0; part < PARTS + 1; part++) {
        listing text = make_text(part);
        parts[part] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    f.archive = copy_archives(parts, PARTS, NULL);
    f.grown = copy_archives(parts, PARTS + 1, NULL);
    for (unsigned part = 0; part < PARTS + 1; part++)
        free(parts[part].text);
    assert_int_equal(append_index(&f.archive, &options, &f.file), STAMMA_OK);
    stamma_archive *archive = open_handle(&f.archive);
    f.wanted = answers_of(archive);
    stamma_archive_close(archive);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    free(f->archive.text);
    free(f->file.text);
    free(f->grown.text);
    free(f->wanted.text);
    return 0;
}

/* Returns the number of the next call to fail; with a sanitizer, some calls are skipped. */
static unsigned next_call(unsigned call)
{
    return call + 1 + (thinned_step(1) > 1 ? call / 2 : 0);
}

/* ---- index files in memory, and read in parts ---- */

static stamma_archive *open_bytes_with(const stamma_bytes *bytes, const stamma_bytes *index)
{
    const stamma_archive_options options = {.size = sizeof options, .index = index};
    stamma_archive *archive = NULL;
    assert_int_equal(stamma_archive_open(bytes, &options, &archive), STAMMA_OK);
    return archive;
}

/* Each of the two files is in memory or read in parts. */
static void all_ways_answer_the_same(void **state)
{
    const fixture *f = *state;
    for (unsigned way = 0; way < 6; way++) {
        archive_source games = {.bytes = f->archive.text, .size = f->archive.size};
        archive_source source = {.bytes = f->file.text, .size = f->file.size};
        const stamma_bytes bytes = way & 1 ? source_bytes(&games) : stamma_bytes_of(games.bytes, games.size);
        const stamma_bytes index = way & 2 ? source_bytes(&source) : stamma_bytes_of(source.bytes, source.size);
        stamma_archive *archive = open_bytes_with(&bytes, way < 4 ? &index : NULL);
        if (way >= 4)
            assert_int_equal(stamma_archive_keep_index(archive, NULL), STAMMA_OK);
        assert_int_equal(index_state(archive).kind, way < 4 ? STAMMA_INDEX_FILE : STAMMA_INDEX_MEMORY);
        expect_answers(f, archive);
        expect_answers(f, archive);
        assert_true(index_state(archive).error == STAMMA_OK && !index_state(archive).damaged);
        stamma_archive_close(archive);
    }
}

/* Parts of the file are read when they are needed, and only once. */
static void parts_are_read_once(void **state)
{
    const fixture *f = *state;
    archive_source source = {.bytes = f->file.text, .size = f->file.size};
    const stamma_bytes bytes = stamma_bytes_of(f->archive.text, f->archive.size), index = source_bytes(&source);
    listing out = {0};
    stamma_archive *archive = open_bytes_with(&bytes, &index);
    const index_file *file = handle_index(archive)->file;
    assert_int_equal(file->segment_count, PARTS);
    assert_in_range(source.calls, 1, 2 + PARTS); /* the header page, the directory, and the tables of the segments */
    size_t there = 0, count = f->file.size >> 16;
    assert_true(count > 8);
    for (size_t n = 0; n < count; n++)
        there += file->chunks[n] != 0;
    assert_true(there < count / 2);
    for (unsigned n = 0; n < ANSWERS; n++) {
        answer(archive, n, &out);
        const unsigned calls = source.calls;
        answer(archive, n, &out);
        assert_int_equal(source.calls, calls);
    }
    assert_true(source.calls > 4);
    free(out.text);
    stamma_archive_close(archive);
}

/* An index file that is read in parts is verified and continued like a file in memory. */
static void files_in_parts_are_read_completely(void **state)
{
    const fixture *f = *state;
    archive_source source = {.bytes = f->file.text, .size = f->file.size};
    const stamma_bytes bytes = stamma_bytes_of(f->archive.text, f->archive.size), index = source_bytes(&source);
    stamma_archive *archive = open_bytes_with(&bytes, &index);
    uint64_t differences = 77;
    assert_int_equal(stamma_index_verify(archive, NULL, &differences), STAMMA_OK);
    assert_int_equal(differences, 0);
    const unsigned calls = source.calls;
    const stamma_index_write_options options = {
        .size = sizeof options, .segment_games = PART_GAMES, .before = &index, .before_count = 1};
    /* Segments that cannot be read are made again. */
    for (unsigned fail_at = 0; fail_at < calls; fail_at = next_call(fail_at)) {
        listing again = {0};
        const stamma_output output = listing_output(&again);
        source.calls = 0;
        source.fail_at = fail_at;
        assert_int_equal(stamma_index_write(archive, &options, &output), STAMMA_OK);
        assert_int_equal(again.size, f->file.size);
        assert_memory_equal(again.text, f->file.text, again.size);
        free(again.text);
    }
    source.fail_at = 0;
    stamma_archive_close(archive);
    for (unsigned fail_at = 1; fail_at <= calls; fail_at = next_call(fail_at)) {
        source = (archive_source){.bytes = f->file.text, .size = f->file.size, .fail_at = fail_at};
        archive = open_bytes_with(&bytes, &index);
        const stamma_error error = stamma_index_verify(archive, NULL, &differences);
        assert_int_equal(error, index_state(archive).kind && source.calls >= fail_at ? STAMMA_ERROR_IO : STAMMA_OK);
        stamma_archive_close(archive);
    }
}

/* ---- files that cannot be used ---- */

static void unusable_files(void **state)
{
    const fixture *f = *state;
    listing copy = {0};
    list_bytes(&copy, f->file.text, f->file.size);
    copy.text[8]++; /* the version */
    const struct {
        const listing *archive;
        const void *bytes;
        size_t size;
        stamma_error error;
    } cases[] = {
        {&f->grown, f->file.text, f->file.size, STAMMA_ERROR_MISMATCH},
        {&f->archive, f->archive.text, f->archive.size, STAMMA_ERROR_NO_ARCHIVE},
        {&f->archive, NULL, 0, STAMMA_ERROR_NO_ARCHIVE},
        {&f->archive, copy.text, copy.size, STAMMA_ERROR_UNSUPPORTED},
        {&f->archive, f->file.text, f->file.size - 1, STAMMA_ERROR_CORRUPT},
        {&f->archive, f->file.text, 5000, STAMMA_ERROR_CORRUPT},
    };
    for (size_t n = 0; n < 2 * sizeof cases / sizeof *cases; n++) {
        archive_source source = {.bytes = cases[n / 2].bytes, .size = cases[n / 2].size};
        const stamma_bytes bytes = stamma_bytes_of(cases[n / 2].archive->text, cases[n / 2].archive->size);
        const stamma_bytes index = n % 2 ? source_bytes(&source) : stamma_bytes_of(source.bytes, source.size);
        stamma_archive *archive = open_bytes_with(&bytes, &index);
        uint64_t differences = 77;
        assert_int_equal(index_state(archive).kind, STAMMA_INDEX_NONE);
        assert_int_equal(index_state(archive).error, cases[n / 2].error);
        assert_int_equal(stamma_index_verify(archive, NULL, &differences), cases[n / 2].error);
        assert_int_equal(differences, 77);
        if (cases[n / 2].archive == &f->archive)
            expect_answers(f, archive);
        stamma_archive_close(archive);
    }
    free(copy.text);
}

/* A damaged page is noticed when it is used, and changes no answer. */
static void damaged_pages(void **state)
{
    const fixture *f = *state;
    listing copy = {0};
    unsigned noticed = 0;
    list_bytes(&copy, f->file.text, f->file.size);
    /* odd, so that both kinds of source are read */
    const size_t step = sweeps_are_long() ? INDEX_PAGE + 1 : 5 * (size_t)INDEX_PAGE + 1;
    /* the only segment is after the header page */
    const uint64_t size = load_u64((const uint8_t *)copy.text + copy.size - INDEX_ROOT_SIZE - 32 + 8);
    for (size_t at = INDEX_PAGE + 11; at < INDEX_PAGE + size; at += step) {
        archive_source source = {.bytes = copy.text, .size = copy.size};
        const stamma_bytes bytes = stamma_bytes_of(f->archive.text, f->archive.size);
        const stamma_bytes index = at % 2 ? source_bytes(&source) : stamma_bytes_of(copy.text, copy.size);
        copy.text[at] ^= 4;
        stamma_archive *archive = open_bytes_with(&bytes, &index);
        assert_true(index_state(archive).kind == STAMMA_INDEX_FILE && !index_state(archive).damaged);
        expect_answers(f, archive);
        noticed += index_state(archive).damaged;
        expect_answers(f, archive);
        stamma_archive_close(archive);
        copy.text[at] ^= 4;
    }
    assert_true(noticed > 3);
    free(copy.text);
}

/* Each read of the index file fails, once or from this call on: answers are right, and nothing leaks. */
static void reads_that_fail(void **state)
{
    const fixture *f = *state;
    const stamma_bytes bytes = stamma_bytes_of(f->archive.text, f->archive.size);
    unsigned unusable = 0, damaged = 0;
    bool failed = true;
    for (unsigned fail_at = 1; failed; fail_at = next_call(fail_at)) {
        archive_source source = {.bytes = f->file.text, .size = f->file.size, .fail_at = fail_at};
        const stamma_bytes index = source_bytes(&source);
        counted_memory memory = {0};
        const stamma_allocator allocator = counting_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator, .index = &index};
        stamma_archive *archive = NULL;
        assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
        const stamma_index_state opened = index_state(archive);
        assert_int_equal(opened.error, opened.kind == STAMMA_INDEX_FILE ? STAMMA_OK : STAMMA_ERROR_IO);
        expect_answers(f, archive);
        failed = source.calls >= fail_at;
        unusable += opened.kind == STAMMA_INDEX_NONE;
        damaged += index_state(archive).damaged;
        assert_int_equal(failed, opened.kind == STAMMA_INDEX_NONE || index_state(archive).damaged);
        stamma_archive_close(archive);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(unusable > 0 && damaged > 0);
}

/* Each read of the archive fails once: answers are right, or the call returns IO. */
static void reads_of_the_archive_that_fail(void **state)
{
    const fixture *f = *state;
    const stamma_bytes index = stamma_bytes_of(f->file.text, f->file.size);
    uint64_t wanted = 0;
    unsigned failed = 0;
    bool left = true;
    for (unsigned fail_at = 0; fail_at < 2 || left; fail_at = next_call(fail_at)) { /* first without a failure */
        archive_source source = {.bytes = f->archive.text, .size = f->archive.size, .fail_at = fail_at};
        const stamma_bytes bytes = source_bytes(&source);
        const stamma_archive_options options = {.size = sizeof options, .index = &index};
        const stamma_position position = stamma_position_start();
        stamma_archive *archive = NULL;
        stamma_tree *tree = NULL;
        stamma_query *query = NULL;
        assert_int_equal(stamma_query_parse(stamma_text_of("{\"move\": \"Nc6\"}"), NULL, NULL, &query), STAMMA_OK);
        assert_int_equal(stamma_tree_open(&position, NULL, &tree), STAMMA_OK);
        stamma_error error = stamma_archive_open(&bytes, &options, &archive);
        if (error == STAMMA_OK)
            error = stamma_tree_add_archive(tree, (stamma_text){"a", 1}, archive, query, NULL, NULL);
        left = fail_at > 0 && source.calls >= fail_at;
        failed += error == STAMMA_ERROR_IO;
        assert_true(error == STAMMA_OK || (left && error == STAMMA_ERROR_IO));
        wanted = fail_at == 0 ? stamma_tree_total(tree).games : wanted;
        assert_int_equal(stamma_tree_total(tree).games, error == STAMMA_OK ? wanted : 0);
        stamma_tree_close(tree);
        stamma_query_close(query);
        stamma_archive_close(archive);
    }
    assert_true(wanted > 0 && failed > 2);
}

/* ---- indexes that are found later ---- */

static void indexes_found_later(void **state)
{
    const fixture *f = *state;
    const stamma_bytes index = stamma_bytes_of(f->file.text, f->file.size), wrong = stamma_bytes_of("word", 4);
    stamma_archive *archive = open_handle(&f->archive), *grown = open_handle(&f->grown);
    assert_int_equal(stamma_archive_use_index(archive, &wrong), STAMMA_ERROR_NO_ARCHIVE);
    assert_int_equal(stamma_archive_use_index(grown, &index), STAMMA_ERROR_MISMATCH);
    assert_int_equal(index_state(archive).kind, STAMMA_INDEX_NONE);
    assert_int_equal(index_state(grown).kind, STAMMA_INDEX_NONE);
    assert_int_equal(stamma_archive_use_index(archive, &index), STAMMA_OK);
    const stamma_search_index *used = handle_index(archive);
    assert_int_equal(index_state(archive).kind, STAMMA_INDEX_FILE);
    expect_answers(f, archive);
    /* The index is used from now on. */
    assert_int_equal(stamma_archive_keep_index(archive, NULL), STAMMA_OK);
    assert_int_equal(stamma_archive_use_index(archive, &index), STAMMA_OK);
    assert_ptr_equal(handle_index(archive), used);
    /* The next index in memory shares no blocks with an index file. */
    const stamma_index_keep_options keep = {.size = sizeof keep, .before = archive};
    assert_int_equal(stamma_archive_keep_index(grown, &keep), STAMMA_OK);
    stamma_archive *again = open_handle(&f->archive);
    const stamma_index_keep_options shrunk = {.size = sizeof shrunk, .before = grown};
    assert_int_equal(stamma_archive_keep_index(again, &shrunk), STAMMA_OK);
    stamma_archive_close(grown);
    expect_answers(f, again);
    stamma_archive_close(again);
    stamma_archive_close(archive);
}

/* ---- threads ---- */

/* A file that only one thread may read. */
typedef struct owned_file {
    const listing *all;
    pthread_t owner;
    unsigned calls;
    atomic_uint wrong;
} owned_file;

static bool read_owned(void *context, uint64_t offset, void *bytes, size_t size)
{
    owned_file *o = context;
    o->wrong += !pthread_equal(pthread_self(), o->owner);
    o->calls++;
    memcpy(bytes, o->all->text + offset, size);
    return true;
}

static stamma_bytes bytes_of_owned(owned_file *o)
{
    return (stamma_bytes){.size = o->all->size, .context = o, .read_at = read_owned};
}

/* Files are read by the thread that calls the library, not by threads of its executor. */
static void callers_read(void **state)
{
    const fixture *f = *state;
    owned_file games = {.all = &f->archive, .owner = pthread_self()}, file = {.all = &f->file, .owner = pthread_self()};
    const stamma_bytes bytes = bytes_of_owned(&games), index = bytes_of_owned(&file);
    const stamma_index_write_options writing = {.size = sizeof writing, .segment_games = PART_GAMES};
    for (unsigned way = 0; way < 3; way++) {
        eager e = {.most = 0};
        const stamma_executor executor = {&e, 3, start_eager, wait_eager};
        const stamma_archive_options options = {
            .size = sizeof options, .executor = &executor, .index = way == 1 ? &index : NULL};
        stamma_archive *archive = NULL;
        stamma_archive_reader *reader = NULL;
        listing text = {0};
        const stamma_output output = listing_output(&text);
        stamma_archive_verdict verdict = {.size = sizeof verdict};
        assert_int_equal(stamma_archive_open(&bytes, &options, &archive), STAMMA_OK);
        if (way == 2)
            assert_int_equal(stamma_archive_keep_index(archive, NULL), STAMMA_OK);
        expect_answers(f, archive);
        assert_int_equal(stamma_archive_reader_open(archive, NULL, &reader), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_unpack(reader, &output), STAMMA_OK);
        stamma_archive_reader_close(reader);
        assert_int_equal(stamma_archive_verify(archive, NULL, &verdict), STAMMA_OK);
        text.size = 0;
        assert_int_equal(stamma_index_write(archive, &writing, &output), STAMMA_OK);
        assert_int_equal(text.size, f->file.size);
        assert_memory_equal(text.text, f->file.text, text.size);
        assert_true(e.most > 1);
        stamma_archive_close(archive);
        free(text.text);
    }
    assert_true(games.calls > 0 && file.calls > 0);
    assert_int_equal(games.wrong + file.wrong, 0);
}

typedef struct visitor {
    const fixture *f;
    stamma_archive *archive;
    const stamma_bytes *index; /* to be set by one of the threads */
    bool same;
} visitor;

static void *visit(void *context)
{
    visitor *v = context;
    if (v->index)
        v->same &= stamma_archive_use_index(v->archive, v->index) == STAMMA_OK;
    for (unsigned n = 0; n < 2; n++) {
        listing got = answers_of(v->archive);
        v->same &= strcmp(got.text, v->f->wanted.text) == 0;
        free(got.text);
    }
    return NULL;
}

static bool read_shared(void *context, uint64_t offset, void *bytes, size_t size)
{
    const listing *all = context;
    memcpy(bytes, all->text + offset, size);
    return true;
}

/* Threads share an index file that is read in parts. The file is set at the beginning or while the threads search. */
static void threads_share_a_file(void **state)
{
    const fixture *f = *state;
    listing games = f->archive, file = f->file;
    const stamma_bytes bytes = {.size = games.size, .context = &games, .read_at = read_shared};
    const stamma_bytes index = {.size = file.size, .context = &file, .read_at = read_shared};
    for (unsigned later = 0; later < 2; later++) {
        stamma_archive *archive = open_bytes_with(&bytes, later ? NULL : &index);
        visitor visitors[THREADS];
        pthread_t threads[THREADS];
        for (unsigned n = 0; n < THREADS; n++) {
            visitors[n] = (visitor){.f = f, .archive = archive, .index = later && n > 0 ? &index : NULL, .same = true};
            assert_int_equal(pthread_create(&threads[n], NULL, visit, &visitors[n]), 0);
        }
        for (unsigned n = 0; n < THREADS; n++) {
            assert_int_equal(pthread_join(threads[n], NULL), 0);
            assert_true(visitors[n].same);
        }
        assert_true(index_state(archive).kind == STAMMA_INDEX_FILE && !index_state(archive).damaged);
        stamma_archive_close(archive);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_answer_the_same),
        cmocka_unit_test(parts_are_read_once),
        cmocka_unit_test(files_in_parts_are_read_completely),
        cmocka_unit_test(unusable_files),
        cmocka_unit_test(damaged_pages),
        cmocka_unit_test(reads_that_fail),
        cmocka_unit_test(reads_of_the_archive_that_fail),
        cmocka_unit_test(indexes_found_later),
        cmocka_unit_test(callers_read),
        cmocka_unit_test(threads_share_a_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
