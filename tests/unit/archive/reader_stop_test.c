/* SPDX-License-Identifier: MIT */
/* Tests the callback `stop` of readers: it is called within a game, whatever the game consists of. If it returns true,
 * the call returns CANCELLED and reports no damage, and the reader can be used again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum { THINGS = 8000, LINES = 140, LINE_PLIES = 30, CALLS_MIN = 7 };

static const char *const shuffle[4] = {"Nf3", "Nf6", "Ng1", "Ng8"};

typedef struct text {
    char *data;
    size_t size;
} text;

static void put(text *t, const char *word)
{
    const size_t size = strlen(word);
    memcpy(t->data + t->size, word, size);
    t->size += size;
}

/* Lines of moves that the predictor codes in fewer bits than their codes. */
static char lines[LINES][LINE_PLIES * (STAMMA_SAN_SIZE + 1)];

/* Adds one of the three most likely moves. Returns false if the game is over. */
static bool play(unsigned random, stamma_move *moves, size_t plies, stamma_position *position, char *text)
{
    const stamma_position start = stamma_position_start();
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    char san[STAMMA_SAN_SIZE];
    size_t count = 0;
    assert_int_equal(stamma_predict(&start, moves, plies, NULL, likely, &count), STAMMA_OK);
    if (count == 0)
        return false;
    moves[plies] = likely[random % (count < 3 ? count : 3)].move;
    (void)stamma_san_write(position, moves[plies], san, sizeof san);
    (void)strcat(strcat(text, san), " ");
    stamma_position_make(position, moves[plies], position);
    return true;
}

static int make_lines(void **state)
{
    (void)state;
    unsigned random = 1;
    for (size_t n = 0; n < LINES && stamma_predictor_id() != 0; n++) {
        stamma_move moves[LINE_PLIES];
        stamma_position position = stamma_position_start();
        for (size_t plies = 0; plies < LINE_PLIES; plies++) {
            random = random * 1103515245 + 12345;
            if (!play(random >> 16, moves, plies, &position, lines[n]))
                break;
        }
    }
    return 0;
}

typedef enum kind { TAGS, COMMENTS, WORDS, NAGS, VARIATIONS, PREDICTED, KINDS } kind;

/* Adds element number n. The values have no common form, so they are not stored as fields or references. */
static void put_thing(text *t, kind kind, unsigned n)
{
    char word[80];
    const unsigned odd = n * 2654435761u;
    const char *move = shuffle[n % 4], *other = n % 2 ? "d5" : "d4";
    if (kind == TAGS)
        (void)snprintf(word, sizeof word, "[T%u \"%u\"]\n", n, odd);
    else if (kind == COMMENTS)
        (void)snprintf(word, sizeof word, "{[%%clk 1:00:%02u]}\n", n % 60);
    else if (kind == WORDS)
        (void)snprintf(word, sizeof word, "{word %u of %u}\n", odd, n);
    else if (kind == NAGS)
        (void)snprintf(word, sizeof word, "$%u\n", 1 + n % 139);
    else if (kind == VARIATIONS)
        (void)snprintf(word, sizeof word, "%s (%s) ", move, other);
    else
        (void)snprintf(word, sizeof word, n < LINES ? "(" : "");
    put(t, word);
    if (kind == PREDICTED && n < LINES) {
        put(t, lines[n]);
        put(t, ") ");
    }
}

/* Returns a game with many elements of a kind. */
static text make_game(kind kind)
{
    text t = {malloc(THINGS * 80 + 1000), 0};
    assert_non_null(t.data);
    put(&t, "[Event \"a\"]\n[White \"b\"]\n[Result \"1-0\"]\n");
    if (kind != TAGS)
        put(&t, kind == VARIATIONS ? "\n" : "\ne4 ");
    for (unsigned n = 0; n < THINGS; n++)
        put_thing(&t, kind, n);
    put(&t, kind == TAGS ? "\ne4 1-0\n\n" : "1-0\n\n");
    return t;
}

/* Returns some hundred games. */
static text make_games(void)
{
    text t = {malloc(sizeof lines + LINES * 40), 0};
    assert_non_null(t.data);
    for (unsigned n = 0; n < LINES; n++) {
        put(&t, "[Result \"1-0\"]\n\n");
        put(&t, lines[n]);
        put(&t, "1-0\n\n");
    }
    return t;
}

/* ---- stopping ---- */

typedef struct calls {
    size_t count;
    size_t most; /* the callback returns true after this number of calls */
    bool damage;
} calls;

static bool stop(void *context)
{
    calls *c = context;
    return c->count++ >= c->most;
}

static void note_damage(void *context, const stamma_archive_damage *damage)
{
    (void)damage;
    ((calls *)context)->damage = true;
}

static stamma_archive_reader *open_stopped(const listing *archive, calls *c)
{
    const stamma_archive_reader_options options = {
        .size = sizeof options, .context = c, .damage = note_damage, .stop = stop};
    stamma_archive_reader *reader = NULL;
    assert_int_equal(open_bytes(archive->text, archive->size, &options, &reader), STAMMA_OK);
    return reader;
}

static stamma_error read_game(stamma_archive_reader *reader, uint64_t number, const stamma_archive_game **game)
{
    *game = NULL;
    stamma_error error = stamma_archive_reader_seek(reader, number);
    return error == STAMMA_OK ? stamma_archive_reader_next(reader, game) : error;
}

/* Reads a game several times, stopped at different calls, and then to its end. Returns the number of calls. */
static size_t stop_everywhere(const listing *archive, uint64_t number, unsigned parts, const text *wanted)
{
    calls c = {.most = SIZE_MAX};
    const stamma_archive_game *game;
    stamma_archive_reader *reader = open_stopped(archive, &c);
    assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
    assert_int_equal(read_game(reader, number, &game), STAMMA_OK);
    assert_non_null(game);
    const size_t all = c.count, step = all / 20 + 1;
    for (size_t most = 0; most < all; most += step) {
        close_reader(reader);
        reader = open_stopped(archive, &c);
        c = (calls){.most = SIZE_MAX};
        assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
        c.most = most;
        assert_int_equal(read_game(reader, number, &game), STAMMA_ERROR_CANCELLED);
        assert_null(game);
        assert_false(c.damage);
        assert_int_equal(c.count, most + 1); /* not called again */
        c.most = SIZE_MAX;
        assert_int_equal(read_game(reader, number, &game), STAMMA_OK);
        assert_int_equal(game->number, number);
        if (wanted)
            assert_memory_equal(game->text.data, wanted->data, wanted->size);
    }
    close_reader(reader);
    return all;
}

static bool has_level(int level)
{
    return level == 1 || stamma_predictor_id() != 0;
}

/* One game with many elements of a kind. */
static void in_one_game(void **state)
{
    (void)state;
    for (int level = 1; level <= 3; level++)
        for (kind kind = TAGS; kind < KINDS && has_level(level); kind++) {
            const bool plain = level == 1 && kind == PREDICTED; /* few events; their moves need a microsecond */
            text t = make_game(kind);
            listing archive = pack_at(level, t.data, t.size, NULL);
            assert_true(plain || stop_everywhere(&archive, 1, STAMMA_GAME_ALL, &t) >= CALLS_MIN);
            free(archive.text);
            free(t.data);
        }
}

/* To reach a game, the reader decodes the games before it. */
static void before_a_game(void **state)
{
    (void)state;
    text t = make_games();
    for (int level = 2; level <= 3 && has_level(level); level++) {
        listing archive = pack_at(level, t.data, t.size, NULL);
        const size_t least = level == 2 ? 1 : LINES / 2; /* at level 2, games before it are skipped */
        assert_true(stop_everywhere(&archive, LINES, STAMMA_GAME_ALL, NULL) >= least);
        assert_true(stop_everywhere(&archive, LINES - 20, STAMMA_GAME_MOVES, NULL) >= least);
        free(archive.text);
    }
    free(t.data);
}

/* After a stop, a reader of an input that cannot seek can only be closed. */
static void without_a_seek(void **state)
{
    (void)state;
    text t = make_game(WORDS);
    listing archive = pack(t.data, t.size, NULL);
    archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = 1000};
    calls c = {.most = 3};
    const stamma_archive_reader_options options = {
        .size = sizeof options, .context = &c, .damage = note_damage, .stop = stop};
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game;
    assert_int_equal(open_source(&source, false, &options, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_ERROR_CANCELLED);
    assert_null(game);
    assert_false(c.damage);
    close_reader(reader);
    free(archive.text);
    free(t.data);
}

/* Of the other functions, only unpacking calls the callback, also after a game was read. */
static void other_functions(void **state)
{
    (void)state;
    text t = make_game(WORDS);
    listing archive = pack(t.data, t.size, NULL), copy = {0};
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink), texts = listing_output(&copy);
    calls c = {.most = 0};
    const stamma_archive_reader_options options = {.size = sizeof options, .context = &c, .stop = stop};
    const stamma_archive_game *game;
    uint64_t games = 0;
    stamma_archive_reader *reader = NULL;
    stamma_archive_writer *writer = NULL;
    assert_int_equal(open_bytes(archive.text, archive.size, &options, &reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_recompress(writer, reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_null(game); /* the end */
    assert_int_equal(read_game(reader, 1, &game), STAMMA_ERROR_CANCELLED);
    assert_int_equal(stamma_archive_reader_unpack(reader, &texts), STAMMA_ERROR_CANCELLED);
    assert_int_equal(copy.size, 0);
    const size_t called = c.count;
    assert_int_equal(stamma_archive_reader_game_count(reader, &games), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_info(reader, NULL, NULL, 0, NULL, NULL), STAMMA_OK);
    assert_int_equal(c.count, called);
    stamma_archive_writer_close(writer);
    close_reader(reader);
    free(sink.bytes.text);
    free(archive.text);
    free(copy.text);
    free(t.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_one_game), cmocka_unit_test(before_a_game),
                                       cmocka_unit_test(without_a_seek), cmocka_unit_test(other_functions)};
    return cmocka_run_group_tests(tests, make_lines, NULL);
}
