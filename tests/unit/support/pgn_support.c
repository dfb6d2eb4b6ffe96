/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of PGN. */
#define _XOPEN_SOURCE 700
#include "pgn_support.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void list_bytes(listing *to, const void *bytes, size_t size)
{
    if (to->capacity - to->size <= size) {
        to->capacity = 2 * (to->capacity + size + 64);
        to->text = realloc(to->text, to->capacity);
        if (!to->text)
            abort();
    }
    if (size > 0)
        memcpy(to->text + to->size, bytes, size);
    to->size += size;
    to->text[to->size] = '\0';
}

void list_word(listing *to, const char *word)
{
    list_bytes(to, word, strlen(word));
}

void list_format(listing *to, const char *format, ...)
{
    char text[401];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    list_word(to, text);
}

static uint64_t random_state = 0x9E3779B97F4A7C15u;

uint64_t random_below(uint64_t count)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % count;
}

/* ---- inputs, allocators, outputs ---- */

static ptrdiff_t piecewise_read(void *context, void *bytes, size_t size)
{
    piecewise *source = context;
    if (++source->reads == source->fail_at)
        return -1;
    size_t most = source->size - source->at;
    if (most > source->piece_max)
        most = source->piece_max;
    if (source->random && most > 1)
        most = 1 + (size_t)random_below(most);
    if (most > size)
        most = size;
    memcpy(bytes, source->bytes + source->at, most);
    source->at += most;
    return (ptrdiff_t)most;
}

stamma_input piecewise_input(piecewise *source)
{
    return (stamma_input){.context = source, .read = piecewise_read};
}

/* Stores each block's size in front of it. Blocks larger than twice FILLED_ENDS are filled only at their ends,
 * because a sweep makes thousands. */
enum { SIZE_ROOM = 16, FILLED_ENDS = 1 << 16, WORD = 8 };

static void fill_words(char *block, const char *word, size_t size)
{
    for (size_t at = 0; at < size; at += WORD)
        memcpy(block + at, word, size - at < WORD ? size - at : WORD);
}

static void fill(char *block, const char *word, size_t size)
{
    if (size <= 2 * (size_t)FILLED_ENDS) {
        fill_words(block, word, size);
        return;
    }
    fill_words(block, word, FILLED_ENDS);
    fill_words(block + (size - FILLED_ENDS) / WORD * WORD, word, FILLED_ENDS);
}

static size_t size_of_block(const void *block)
{
    size_t size = 0;
    if (block)
        memcpy(&size, (const char *)block - SIZE_ROOM, sizeof size);
    return size;
}

static void failing_release(void *context, void *block)
{
    failing_memory *memory = context;
    if (!block)
        return;
    memory->alive--;
    fill(block, "\xDB\xDB\xDB\xDB\xDB\xDB\xDB\xDB", size_of_block(block));
    free((char *)block - SIZE_ROOM);
}

static void *failing_allocate(void *context, size_t size)
{
    failing_memory *memory = context;
    if (memory->called)
        memory->called(memory->context);
    bool fails = ++memory->calls == memory->fail_at || (memory->lasting && memory->calls > memory->fail_at);
    char *room = fails || size > SIZE_MAX - SIZE_ROOM ? NULL : malloc(size + SIZE_ROOM);
    if (!room)
        return NULL;
    memory->alive++;
    memcpy(room, &size, sizeof size);
    fill(room + SIZE_ROOM, memory->zeros ? "\0\0\0\0\0\0\xA5\xA5" : "\xA5\xA5\xA5\xA5\xA5\xA5\xA5\xA5", size);
    return room + SIZE_ROOM;
}

static void *failing_resize(void *context, void *block, size_t size)
{
    size_t old = size_of_block(block);
    void *moved = failing_allocate(context, size);
    if (!moved || !block)
        return moved;
    memcpy(moved, block, old < size ? old : size);
    failing_release(context, block);
    return moved;
}

stamma_allocator failing_allocator(failing_memory *memory)
{
    return (stamma_allocator){memory, failing_allocate, failing_resize, failing_release};
}

static bool listing_write(void *context, const void *bytes, size_t size)
{
    list_bytes(context, bytes, size);
    return true;
}

stamma_output listing_output(listing *to)
{
    return (stamma_output){to, listing_write, NULL};
}

/* ---- events as text ---- */

static const char *const kind_names[] = {"END", "GAME", "TAG", "NUM", "MOVE", "COM", "LINE",
                                         "ESC", "NAG",  "(",   ")",   "RES",  "ERR", "/"};

void list_event_exactly(listing *to, const stamma_pgn_event *e)
{
    list_format(to, "%s error %d move %04x nag %u more %d depth %u at %llu line %llu game %llu ply %u ",
                kind_names[e->kind], (int)e->error, (unsigned)e->move, (unsigned)e->nag, e->more, e->depth,
                (unsigned long long)e->place.offset, (unsigned long long)e->place.line,
                (unsigned long long)e->place.game, e->place.ply);
    list_bytes(to, e->text.data, e->text.size);
    list_word(to, " = ");
    list_bytes(to, e->value.data ? e->value.data : "", e->value.size);
    list_word(to, "\n");
}

void list_event(listing *to, const stamma_pgn_event *e)
{
    if (to->size != 0)
        list_word(to, " ");
    list_word(to, kind_names[e->kind]);
    if (e->kind == STAMMA_PGN_ERROR || e->error)
        list_format(to, "%d", (int)e->error);
    if (e->kind == STAMMA_PGN_NAG)
        list_format(to, "%u", (unsigned)e->nag);
    if (e->more)
        list_word(to, "+");
    bool silent = e->kind == STAMMA_PGN_GAME_BEGIN || e->kind == STAMMA_PGN_GAME_END || e->kind == STAMMA_PGN_END ||
                  e->kind == STAMMA_PGN_VARIATION_BEGIN || e->kind == STAMMA_PGN_VARIATION_END;
    if (silent)
        return;
    list_word(to, "<");
    list_bytes(to, e->text.data, e->text.size);
    if (e->kind == STAMMA_PGN_TAG) {
        list_word(to, "=");
        list_bytes(to, e->value.data, e->value.size);
    }
    list_word(to, ">");
}

static listing read_all(stamma_pgn_reader *reader)
{
    listing got = {0};
    stamma_pgn_event event;
    do {
        if (stamma_pgn_reader_next(reader, &event) != STAMMA_OK)
            abort();
        list_event_exactly(&got, &event);
    } while (event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
    return got;
}

listing events_of(const void *bytes, size_t size, const stamma_pgn_options *options)
{
    stamma_pgn_reader *reader;
    if (stamma_pgn_reader_open_memory(bytes, size, options, &reader) != STAMMA_OK)
        abort();
    return read_all(reader);
}

listing events_of_input(const stamma_input *input, const stamma_pgn_options *options)
{
    stamma_pgn_reader *reader;
    if (stamma_pgn_reader_open(input, options, &reader) != STAMMA_OK)
        abort();
    return read_all(reader);
}

/* ---- files ---- */

static void take_file(const char *path, void (*each)(const char *path, const char *bytes, size_t size))
{
    char bytes[1 << 16];
    listing all = {NULL, 0, 0};
    FILE *file = fopen(path, "rb");
    if (!file)
        abort();
    list_bytes(&all, "", 0);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        list_bytes(&all, bytes, size);
    fclose(file);
    each(path, all.text, all.size);
    free(all.text);
}

/* nftw is not used, because clang's memory sanitizer regards the arguments of its callbacks as uninitialised. */
static size_t take_folder(DIR *folder, const char *path, void (*each)(const char *path, const char *bytes, size_t size))
{
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[1024];
        if (entry->d_name[0] == '.')
            continue;
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name)
            abort();
        DIR *inner = opendir(name);
        if (inner)
            count += take_folder(inner, name, each);
        else
            take_file(name, each), count++;
    }
    closedir(folder);
    return count;
}

size_t for_each_nasty_file(void (*each)(const char *path, const char *bytes, size_t size))
{
    static const char path[] = "../shared/corpora/nasty";
    DIR *folder = opendir(path);
    return folder ? take_folder(folder, path, each) : 0;
}
