/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of archives. */
#include "archive_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/handle.h"

/* ---- inputs and outputs ---- */

/* Counts a call. Returns false if it fails. */
static bool source_call(archive_source *s)
{
    s->calls++;
    if (s->calls == s->change_at) {
        s->bytes = s->later;
        s->size = s->later_size;
    }
    return s->calls != s->fail_at;
}

static ptrdiff_t source_read(void *context, void *bytes, size_t size)
{
    archive_source *s = context;
    if (!source_call(s))
        return -1;
    size_t most = s->at < s->size ? s->size - s->at : 0;
    most = most < s->piece_max ? most : s->piece_max;
    most = most < size ? most : size;
    if (most > 0)
        memcpy(bytes, s->bytes + s->at, most);
    s->at += most;
    return (ptrdiff_t)most;
}

static bool source_read_at(void *context, uint64_t offset, void *bytes, size_t size)
{
    archive_source *s = context;
    if (!source_call(s) || offset > s->size || size > s->size - offset)
        return false;
    memcpy(bytes, s->bytes + offset, size);
    return true;
}

static bool source_seek(void *context, uint64_t offset)
{
    archive_source *s = context;
    if (!source_call(s))
        return false;
    s->at = offset > s->size ? s->size : (size_t)offset;
    return true;
}

static bool source_size(void *context, uint64_t *size)
{
    *size = ((const archive_source *)context)->size;
    return true;
}

stamma_input source_stream(archive_source *source)
{
    return (stamma_input){.context = source, .read = source_read};
}

stamma_bytes source_bytes(archive_source *source)
{
    return (stamma_bytes){.size = source->size, .context = source, .read_at = source_read_at};
}

archive_input source_frames(archive_source *source, bool seekable)
{
    return (archive_input){
        .context = source, .read = source_read, .seek = seekable ? source_seek : NULL, .size = source_size};
}

static bool sink_write(void *context, const void *bytes, size_t size)
{
    archive_sink *sink = context;
    if (++sink->writes + sink->syncs == sink->fail_at)
        return false;
    list_bytes(&sink->bytes, bytes, size);
    return true;
}

static bool sink_sync(void *context)
{
    archive_sink *sink = context;
    return sink->writes + ++sink->syncs != sink->fail_at;
}

stamma_output archive_output(archive_sink *sink)
{
    return (stamma_output){sink, sink_write, sink_sync};
}

void archive_take_notice(void *context, const stamma_archive_notice *notice)
{
    archive_notices *notices = context;
    notices->count++;
    notices->last = *notice;
}

bool archive_take_progress(void *context, uint64_t done, uint64_t total)
{
    archive_steps *s = (archive_steps *)context;
    assert_true(done > s->last && (total == 0 || done < total));
    s->last = done;
    s->total = total;
    return ++s->calls != s->stop_at;
}

/* ---- memory ---- */

/* Stores the size of each block in front of the block. */
enum { COUNT_ROOM = 16 };

static void *counted_resize(void *context, void *block, size_t size)
{
    counted_memory *memory = context;
    size_t old = 0;
    char *begin = block ? (char *)block - COUNT_ROOM : NULL;
    if (begin)
        memcpy(&old, begin, sizeof old);
    if (size > SIZE_MAX - COUNT_ROOM)
        return NULL;
    char *resized = realloc(begin, size + COUNT_ROOM);
    if (!resized)
        return NULL;
    memcpy(resized, &size, sizeof size);
    if (size > old)
        memset(resized + COUNT_ROOM + old, 255, size - old); /* bytes that nothing may depend on */
    memory->alive += begin == NULL;
    const size_t now = atomic_fetch_add(&memory->now, size - old) + (size - old);
    size_t peak = memory->peak;
    while (peak < now && !atomic_compare_exchange_weak(&memory->peak, &peak, now))
        ;
    return resized + COUNT_ROOM;
}

static void *counted_allocate(void *context, size_t size)
{
    return counted_resize(context, NULL, size);
}

static void counted_release(void *context, void *block)
{
    counted_memory *memory = context;
    size_t size;
    if (!block)
        return;
    char *begin = (char *)block - COUNT_ROOM;
    memcpy(&size, begin, sizeof size);
    memory->now -= size;
    memory->alive--;
    free(begin);
}

stamma_allocator counting_allocator(counted_memory *memory)
{
    return (stamma_allocator){memory, counted_allocate, counted_resize, counted_release};
}

/* ---- opening ---- */

static stamma_error open_archive_reader(const stamma_bytes *bytes, const stamma_archive_reader_options *options,
                                        stamma_archive_reader **reader)
{
    stamma_archive_options of_archive = {.size = sizeof of_archive};
    stamma_archive *archive = NULL;
    if (options) {
        of_archive.allocator = options->allocator;
        of_archive.executor = options->executor;
        of_archive.memory = options->memory;
    }
    stamma_error error = stamma_archive_open(bytes, &of_archive, &archive);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_open(archive, options, reader);
    if (error != STAMMA_OK)
        stamma_archive_close(archive);
    return error;
}

stamma_error open_bytes(const void *memory, size_t size, const stamma_archive_reader_options *options,
                        stamma_archive_reader **reader)
{
    const stamma_bytes bytes = stamma_bytes_of(memory, size);
    return open_archive_reader(&bytes, options, reader);
}

stamma_error open_source(archive_source *source, bool seekable, const stamma_archive_reader_options *options,
                         stamma_archive_reader **reader)
{
    const stamma_input stream = source_stream(source);
    const stamma_bytes bytes = source_bytes(source);
    return seekable ? open_archive_reader(&bytes, options, reader)
                    : stamma_archive_reader_open_stream(&stream, options, reader);
}

void close_reader(stamma_archive_reader *reader)
{
    stamma_archive *archive = reader ? reader->archive : NULL;
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
}

stamma_archive *open_handle(const listing *archive)
{
    return open_indexed(archive, NULL);
}

stamma_archive *open_indexed(const listing *archive, const listing *file)
{
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size);
    const stamma_bytes index = file ? stamma_bytes_of(file->text, file->size) : stamma_bytes_of(NULL, 0);
    const stamma_archive_options options = {.size = sizeof options, .index = file ? &index : NULL};
    stamma_archive *opened = NULL;
    assert_int_equal(stamma_archive_open(&bytes, &options, &opened), STAMMA_OK);
    assert_int_equal(index_state(opened).kind, file ? STAMMA_INDEX_FILE : STAMMA_INDEX_NONE);
    return opened;
}

stamma_index_state index_state(const stamma_archive *archive)
{
    stamma_index_state state = {.size = sizeof state};
    assert_int_equal(stamma_archive_index(archive, &state), STAMMA_OK);
    return state;
}

stamma_error index_error(const listing *archive, const void *file, size_t size)
{
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size), index = stamma_bytes_of(file, size);
    const stamma_archive_options options = {.size = sizeof options, .index = &index};
    stamma_archive *opened = NULL;
    assert_int_equal(stamma_archive_open(&bytes, &options, &opened), STAMMA_OK);
    const stamma_index_state state = index_state(opened);
    assert_int_equal(state.kind, state.error == STAMMA_OK ? STAMMA_INDEX_FILE : STAMMA_INDEX_NONE);
    stamma_archive_close(opened);
    return state.error;
}

/* ---- packing and unpacking ---- */

static listing pack_pieces_with(const stamma_archive_writer_options *options, const void *text, size_t size,
                                size_t piece_max, stamma_archive_counts *counts)
{
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    assert_int_equal(stamma_archive_writer_open(&output, options, &writer), STAMMA_OK);
    for (size_t at = 0; at < size;) {
        size_t piece = size - at < piece_max ? size - at : piece_max;
        assert_int_equal(stamma_archive_writer_write(writer, (const char *)text + at, piece), STAMMA_OK);
        at += piece;
    }
    assert_int_equal(stamma_archive_writer_finish(writer, counts), STAMMA_OK);
    stamma_archive_writer_close(writer);
    if (counts)
        assert_int_equal(counts->archive_size, sink.bytes.size);
    return sink.bytes;
}

listing pack_pieces(const void *text, size_t size, size_t piece_max, stamma_archive_counts *counts)
{
    return pack_pieces_with(NULL, text, size, piece_max, counts);
}

listing pack_with_options(const stamma_archive_writer_options *options, const void *text, size_t size,
                          stamma_archive_counts *counts)
{
    return pack_pieces_with(options, text, size, SIZE_MAX, counts);
}

listing pack_at(int level, const void *text, size_t size, stamma_archive_counts *counts)
{
    const stamma_archive_writer_options options = {.size = sizeof options, .level = level};
    return pack_with_options(&options, text, size, counts);
}

listing pack(const void *text, size_t size, stamma_archive_counts *counts)
{
    return pack_with_options(NULL, text, size, counts);
}

listing pack_without_search(const void *text, size_t size)
{
    const stamma_archive_writer_options options = {.size = sizeof options, .no_search_columns = true};
    return pack_with_options(&options, text, size, NULL);
}

listing copy_archives(const listing *archives, size_t count, stamma_archive_counts *counts)
{
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    for (size_t i = 0; i < count; i++) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &archives[i], i & 1);
        assert_int_equal(stamma_archive_writer_copy(writer, reader), STAMMA_OK);
        close_reader(reader);
    }
    assert_int_equal(stamma_archive_writer_finish(writer, counts), STAMMA_OK);
    stamma_archive_writer_close(writer);
    return sink.bytes;
}

size_t next_frame(const listing *archive, size_t at)
{
    size_t size = 0;
    for (int i = 7; i >= 0; i--)
        size = size << 8 | (uint8_t)archive->text[at + 8 + (size_t)i];
    return at + 32 + size;
}

stamma_error unpack(const listing *archive, bool seekable, const stamma_allocator *allocator, listing *text)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_output output = listing_output(text);
    stamma_archive_reader_options options = {.size = sizeof options, .allocator = allocator};
    stamma_archive_reader *reader;
    stamma_error error = open_source(&source, seekable, &options, &reader);
    if (error != STAMMA_OK)
        return error;
    error = stamma_archive_reader_unpack(reader, &output);
    close_reader(reader);
    return error;
}

stamma_error unpack_games(const listing *archive, bool seekable, const stamma_allocator *allocator, listing *text)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_archive_reader_options options = {.size = sizeof options, .allocator = allocator};
    stamma_archive_reader *reader;
    stamma_error error = open_source(&source, seekable, &options, &reader);
    if (error != STAMMA_OK)
        return error;
    for (bool found = true; error == STAMMA_OK && found;) {
        const stamma_archive_game *game;
        error = stamma_archive_reader_next(reader, &game);
        found = game != NULL;
        if (error == STAMMA_OK && found)
            list_bytes(text, game->text.data, game->text.size);
    }
    close_reader(reader);
    return error;
}

void assert_gives_back(const listing *archive, const void *text, size_t size)
{
    for (int way = 0; way < 4; way++) {
        listing back = {0};
        bool seekable = way & 1;
        stamma_error error =
            way < 2 ? unpack(archive, seekable, NULL, &back) : unpack_games(archive, seekable, NULL, &back);
        assert_int_equal(error, STAMMA_OK);
        assert_int_equal(back.size, size);
        if (size > 0)
            assert_memory_equal(back.text, text, size);
        free(back.text);
    }
}

void assert_round_trip(const void *text, size_t size, stamma_archive_counts *counts)
{
    listing archive = pack(text, size, counts);
    assert_gives_back(&archive, text, size);
    free(archive.text);
}

stamma_error read_payload(const uint8_t *payload, size_t size, size_t head_size)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    block_reader b;
    buffer text = {.allocator = &allocator};
    stamma_block_reader_init(&b, &allocator);
    stamma_error error = stamma_block_reader_load(&b, payload, size, head_size);
    while (error == STAMMA_OK && b.state.next < b.head.records) {
        error = stamma_block_reader_next(&b, false);
        if (error == STAMMA_OK)
            error = block_render(&b, &text);
    }
    if (error == STAMMA_OK && (!stamma_block_reader_is_done(&b) || XXH64(text.data, text.size, 0) != b.head.text_check))
        error = STAMMA_ERROR_CORRUPT;
    stamma_buffer_release(&text);
    stamma_block_reader_release(&b);
    return error;
}

stamma_archive_reader *open_archive(archive_source *source, const listing *archive, bool seekable)
{
    *source = (archive_source){.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_archive_reader *reader;
    assert_int_equal(open_source(source, seekable, NULL, &reader), STAMMA_OK);
    return reader;
}

/* Reads all games in order. Adds a byte for each game that is not a continuation: whether a continuation follows. */
static void check_more(const listing *archive, bool seekable, listing *followed)
{
    archive_source source;
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_archive(&source, archive, seekable);
    bool more = false;
    for (bool any = false; !stamma_archive_reader_next(reader, &game) && game; any = true) {
        if (any)
            assert_true(seekable ? game->continuation == more : more || !game->continuation);
        more = game->more;
        if (!game->continuation)
            list_bytes(followed, more ? "1" : "0", 1);
    }
    assert_false(seekable && more);
    close_reader(reader);
}

void assert_more_is_right(const listing *archive)
{
    archive_source source;
    const stamma_archive_game *game;
    listing followed = {0}, unused = {0};
    check_more(archive, false, &unused);
    check_more(archive, true, &followed);
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    for (size_t n = followed.size; n-- > 0;) {
        assert_int_equal(stamma_archive_reader_seek(reader, n + 1), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        assert_true(game && game->more == (followed.text[n] == '1'));
    }
    close_reader(reader);
    free(followed.text);
    free(unused.text);
}

listing read_file(const char *path)
{
    listing got = {0};
    FILE *file = fopen(path, "rb");
    char bytes[65536];
    if (!file)
        return got;
    list_bytes(&got, "", 0);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        list_bytes(&got, bytes, size);
    fclose(file);
    return got;
}

listing read_public_headers(void)
{
    static const char *const topics[] = {"base",   "board",  "notation", "pgn",     "encodings", "model", "archive",
                                         "writer", "repair", "search",   "answers", "columns",   "curate"};
    listing all = {0};
    char path[80];
    for (size_t n = 0; n < sizeof topics / sizeof *topics; n++) {
        snprintf(path, sizeof path, "include/stamma/%s.h", topics[n]);
        listing header = read_file(path);
        list_bytes(&all, header.text, header.size);
        free(header.text);
    }
    list_bytes(&all, "", 1);
    return all;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

bool sweeps_are_long(void)
{
    return is_set("LONG");
}

size_t thinned_step(size_t normal)
{
    return is_set("SANITIZE") ? 20 * normal : normal;
}

size_t usual_step(size_t usual)
{
    return sweeps_are_long() || is_set("SANITIZE") ? 1 : 2 * usual;
}

/* ---- index files ---- */

stamma_error append_index(const listing *archive, const stamma_index_write_options *options, listing *file)
{
    const stamma_output output = listing_output(file);
    stamma_archive *opened = open_handle(archive);
    const stamma_error error = stamma_index_write(opened, options, &output);
    stamma_archive_close(opened);
    return error;
}

listing index_file_of(const listing *archive)
{
    listing file = {0};
    assert_int_equal(append_index(archive, NULL, &file), STAMMA_OK);
    return file;
}
