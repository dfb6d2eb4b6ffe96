/* SPDX-License-Identifier: MIT */
/* Tests look-ups of games in index files: compares them with the hashes of all games, and with a detector of duplicates
 * that reads all games, for random games with common beginnings, players, start positions and texts, also if bits of
 * the index file are changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum { GAMES = 400, OTHERS = 20, PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES | STAMMA_GAME_TEXT };

/* ---- games ---- */

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)*seed * below >> 32);
}

/* Adds one of a few lines, of any length: also beginnings of other lines, games without moves, null moves, and moves
 * that are illegal. */
static void add_moves(listing *text, uint32_t *seed)
{
    static const char *const lines[] = {"e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4",
                                        "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 Nd6 Bxc6 dxc6 dxe5 Nf5 Qxd8+ Kxd8 Nc3 Ke8",
                                        "d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O a3 Bxc3+ Qxc3 b6 Bg5 Bb7 f3 h6 Bh4 d5 e3 Nbd7",
                                        "d4 d5 c4 e6 -- Nf6 Nc3 Be7 Bg5 O-O e3 h6 Bh4 b6", "Nf3 d5 g3 Nf6 Bg2 c6 Ke5"};
    const char *line = lines[chance(seed, 5)], *end = line;
    for (uint32_t left = chance(seed, 24); left > 0 && *end; left--) {
        end = strchr(end, ' ') ? strchr(end, ' ') + 1 : end + strlen(end);
    }
    list_format(text, "%.*s ", (int)(end - line), line);
}

/* Adds a game. A quarter of the games have the tags of the initial position or of another position. */
static void add_game(listing *text, uint32_t *seed)
{
    static const char *const names[] = {"Tal, Mihail", "Mihail TAL", "Li Wei", "?", "M\xC3\xBCller", "Muller"};
    static const char *const results[] = {"1-0", "0-1", "*"};
    const char *result = results[chance(seed, 3)];
    const uint32_t start = chance(seed, 8);
    list_format(text, "[White \"%s\"]\n", names[chance(seed, 6)]);
    if (chance(seed, 20) > 0)
        list_format(text, "[Black \"%s\"]\n", names[chance(seed, 3)]);
    list_format(text, "[Date \"2010.05.0%u\"]\n[Result \"%s\"]\n", 1 + (unsigned)chance(seed, 2), result);
    if (start == 0)
        list_word(text, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n");
    else if (start == 1)
        list_word(text, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\"]\n");
    list_word(text, "\n");
    add_moves(text, seed);
    list_format(text, "%s\n\n", result);
}

/* Returns an archive of two parts. The text after the games of the first part is a record that is not a game. */
static listing make_archive(uint32_t seed)
{
    listing parts[2];
    for (unsigned part = 0; part < 2; part++) {
        listing text = {0};
        for (unsigned n = 0; n < GAMES / 2; n++)
            add_game(&text, &seed);
        list_word(&text, "; the end\n");
        parts[part] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    listing archive = copy_archives(parts, 2, NULL);
    free(parts[0].text);
    free(parts[1].text);
    return archive;
}

/* ---- the test ---- */

typedef struct fixture {
    listing archive, index; /* of the games in which others are looked up */
    listing others;
    uint8_t hashes[GAMES][16];
    uint64_t players[GAMES];
} fixture;

static uint64_t players_of(const stamma_archive_game *game)
{
    uint64_t white, black;
    assert_int_equal(stamma_name_hash(stamma_archive_game_tag(game, stamma_text_of("White")), NULL, &white), STAMMA_OK);
    assert_int_equal(stamma_name_hash(stamma_archive_game_tag(game, stamma_text_of("Black")), NULL, &black), STAMMA_OK);
    return 3 * white + black;
}

static const stamma_archive_game *next_game(stamma_archive_reader *reader)
{
    const stamma_archive_game *game = NULL;
    do
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    while (game && game->continuation);
    return game;
}

static int set_up(void **state)
{
    static fixture f;
    archive_source source;
    f.archive = make_archive(1);
    f.others = make_archive(2);
    const stamma_index_write_options options = {.size = sizeof options, .segment_games = GAMES};
    assert_int_equal(append_index(&f.archive, &options, &f.index), STAMMA_OK);
    stamma_archive_reader *reader = open_archive(&source, &f.archive, true);
    for (unsigned n = 0; n < GAMES; n++) {
        const stamma_archive_game *game = next_game(reader);
        assert_int_equal(stamma_game_hash(game, NULL, f.hashes[n]), STAMMA_OK);
        f.players[n] = players_of(game);
    }
    close_reader(reader);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    free(f->archive.text);
    free(f->index.text);
    free(f->others.text);
    return 0;
}

/* Looks up games of the other archive from number `first` to `last`. Asserts that all games with the same hash are
 * found, and that all games that are found have the same players as one of them. Returns an error of the look-up, and
 * adds to *found the number of games found. */
static stamma_error look_up(const fixture *f, stamma_archive *archive, unsigned first, unsigned last, size_t *found)
{
    bool same[GAMES] = {false}, similar[GAMES] = {false};
    stamma_game_lookup *lookup = NULL;
    archive_source source;
    const uint64_t *numbers;
    size_t count = 0, at = 0;
    stamma_error error = stamma_game_lookup_open(archive, NULL, &lookup);
    assert_int_equal(error, STAMMA_OK);
    stamma_archive_reader *reader = open_archive(&source, &f->others, true);
    for (unsigned n = 1; n <= last && error == STAMMA_OK; n++) {
        const stamma_archive_game *game = next_game(reader);
        uint8_t hash[16];
        if (n < first)
            continue;
        assert_int_equal(stamma_game_hash(game, NULL, hash), STAMMA_OK);
        for (unsigned i = 0; i < GAMES; i++) {
            same[i] |= memcmp(hash, f->hashes[i], sizeof hash) == 0;
            similar[i] |= f->players[i] == players_of(game);
        }
        error = stamma_game_lookup_add(lookup, game);
    }
    if (error == STAMMA_OK)
        error = stamma_game_lookup_find(lookup, &numbers, &count);
    for (uint64_t n = 1; n <= GAMES && error == STAMMA_OK; n++) {
        const bool listed = at < count && numbers[at] == n;
        at += listed;
        assert_true(listed ? similar[n - 1] : !same[n - 1]);
    }
    assert_int_equal(at, count);
    *found += count;
    close_reader(reader);
    stamma_game_lookup_close(lookup);
    return error;
}

static void games_with_the_same_hash_are_found(void **state)
{
    const fixture *f = *state;
    stamma_archive *archive = open_indexed(&f->archive, &f->index);
    size_t one_by_one = 0, at_once = 0;
    for (unsigned n = 1; n <= GAMES; n++)
        assert_int_equal(look_up(f, archive, n, n, &one_by_one), STAMMA_OK);
    assert_int_equal(look_up(f, archive, 1, GAMES, &at_once), STAMMA_OK);
    assert_true(one_by_one > at_once && at_once > GAMES / 4);
    assert_false(index_state(archive).damaged);
    stamma_archive_close(archive);
}

/* Games with the hash of another game are listed, and few others. */
static void repeated_games(void **state)
{
    const fixture *f = *state;
    stamma_archive *archive = open_indexed(&f->archive, &f->index);
    stamma_game_lookup *lookup = NULL;
    const uint64_t *numbers;
    size_t count, at = 0, repeated = 0;
    assert_int_equal(stamma_game_lookup_open(archive, NULL, &lookup), STAMMA_OK);
    assert_int_equal(stamma_game_lookup_repeated(lookup, &numbers, &count), STAMMA_OK);
    for (size_t n = 0; n < GAMES; n++) {
        bool again = false;
        for (size_t i = 0; i < GAMES; i++)
            again |= i != n && memcmp(f->hashes[i], f->hashes[n], sizeof f->hashes[n]) == 0;
        repeated += again;
        const bool listed = at < count && numbers[at] == n + 1;
        at += listed;
        assert_true(listed || !again);
    }
    assert_int_equal(at, count);
    assert_true(repeated > 0 && count < GAMES);
    stamma_game_lookup_close(lookup);
    stamma_archive_close(archive);
}

/* Stores the numbers of the games that are similar to one of the others. */
static void find_similar(const fixture *f, bool similar[GAMES])
{
    const stamma_game_lookup_options options = {.size = sizeof options, .similar = true};
    stamma_archive *archive = open_indexed(&f->archive, &f->index);
    stamma_game_lookup *lookup = NULL;
    archive_source source;
    const uint64_t *numbers;
    size_t count;
    assert_int_equal(stamma_game_lookup_open(archive, &options, &lookup), STAMMA_OK);
    stamma_archive_reader *reader = open_archive(&source, &f->others, true);
    for (unsigned n = 0; n < OTHERS; n++)
        assert_int_equal(stamma_game_lookup_add(lookup, next_game(reader)), STAMMA_OK);
    assert_int_equal(stamma_game_lookup_find(lookup, &numbers, &count), STAMMA_OK);
    assert_true(count > GAMES / 8 && count < GAMES);
    memset(similar, 0, GAMES * sizeof *similar);
    for (size_t n = 0; n < count; n++)
        similar[numbers[n] - 1] = true;
    close_reader(reader);
    stamma_game_lookup_close(lookup);
    stamma_archive_close(archive);
}

/* Adds the known games that are similar, and skips the others; then adds the first of the others. */
static void add_pass(const fixture *f, const bool *similar, stamma_duplicates *d)
{
    archive_source sources[2];
    stamma_archive_reader *known = open_archive(&sources[0], &f->archive, true);
    stamma_archive_reader *others = open_archive(&sources[1], &f->others, true);
    for (unsigned n = 0; n < GAMES; n++) {
        const stamma_archive_game *game = next_game(known);
        assert_int_equal(!similar || similar[n] ? stamma_duplicates_add(d, game) : stamma_duplicates_skip(d, 1),
                         STAMMA_OK);
    }
    for (unsigned n = 0; n < OTHERS; n++)
        assert_int_equal(stamma_duplicates_add(d, next_game(others)), STAMMA_OK);
    close_reader(known);
    close_reader(others);
}

/* Lists the duplicates among the others. All known games are read if `similar` is NULL. */
static void find_duplicates(const fixture *f, const bool *similar, stamma_duplicate found[OTHERS])
{
    const stamma_duplicates_options options = {.size = sizeof options, .known = GAMES};
    stamma_duplicates *d = NULL;
    stamma_duplicate one;
    assert_int_equal(stamma_duplicates_open(&options, &d), STAMMA_OK);
    for (unsigned parts = PARTS; parts != 0;) {
        add_pass(f, similar, d);
        assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
    }
    for (unsigned n = 0; n < GAMES; n++) {
        assert_int_equal(stamma_duplicates_at(d, n, &one), STAMMA_OK);
        assert_int_equal(one.kind, STAMMA_DUPLICATE_NONE);
    }
    for (unsigned n = 0; n < OTHERS; n++)
        assert_int_equal(stamma_duplicates_at(d, GAMES + n, &found[n]), STAMMA_OK);
    stamma_duplicates_close(d);
}

static void similar_games_are_all_duplicates(void **state)
{
    const fixture *f = *state;
    bool similar[GAMES];
    stamma_duplicate all[OTHERS], found[OTHERS];
    unsigned known = 0, others = 0;
    find_similar(f, similar);
    find_duplicates(f, NULL, all);
    find_duplicates(f, similar, found);
    for (unsigned n = 0; n < OTHERS; n++) {
        assert_int_equal(found[n].kind, all[n].kind);
        assert_int_equal(found[n].kept, all[n].kept);
        known += all[n].kind != STAMMA_DUPLICATE_NONE && all[n].kept < GAMES;
        others += all[n].kind == STAMMA_DUPLICATE_NONE;
    }
    assert_true(known > 0 && others > 0);
}

/* Changes a bit of the index at a time. */
static void damaged_files_are_noticed(void **state)
{
    const fixture *f = *state;
    uint32_t seed = 7, damaged = 0;
    for (size_t n = 0; n < 200; n += thinned_step(1)) {
        char *at = f->index.text + chance(&seed, (uint32_t)f->index.size);
        const char bit = (char)(1 << chance(&seed, 8)), before = *at;
        size_t found = 0;
        *at = (char)(before ^ bit);
        if (index_error(&f->archive, f->index.text, f->index.size) == STAMMA_OK) {
            stamma_archive *archive = open_indexed(&f->archive, &f->index);
            const stamma_error error = look_up(f, archive, 1, GAMES, &found);
            damaged += error == STAMMA_ERROR_CORRUPT;
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
            assert_int_equal(index_state(archive).damaged, error == STAMMA_ERROR_CORRUPT);
            stamma_archive_close(archive);
        }
        *at = before;
    }
    assert_true(damaged > 0);
}

static void archives_without_an_index_file(void **state)
{
    const fixture *f = *state;
    stamma_archive *archive = open_handle(&f->archive);
    stamma_game_lookup *lookup = NULL;
    assert_int_equal(stamma_game_lookup_open(archive, NULL, &lookup), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_keep_index(archive, NULL), STAMMA_OK);
    assert_int_equal(stamma_game_lookup_open(archive, NULL, &lookup), STAMMA_ERROR_BAD_ARGUMENT);
    assert_null(lookup);
    stamma_archive_close(archive);
}

static void invalid_arguments(void **state)
{
    const fixture *f = *state;
    const stamma_archive_game game = {.number = 1}, unread = {.ply_count = 2}, piece = {.continuation = true};
    stamma_archive *archive = open_indexed(&f->archive, &f->index);
    stamma_game_lookup *lookup = NULL;
    const uint64_t *numbers;
    size_t count;
    assert_int_equal(stamma_game_lookup_open(NULL, NULL, &lookup), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_open(archive, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_open(archive, NULL, &lookup), STAMMA_OK);
    assert_int_equal(stamma_game_lookup_add(NULL, &game), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_add(lookup, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_add(lookup, &unread), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_add(lookup, &piece), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_find(NULL, &numbers, &count), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_find(lookup, NULL, &count), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_find(lookup, &numbers, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_game_lookup_find(lookup, &numbers, &count), STAMMA_OK);
    assert_int_equal(count, 0);
    stamma_game_lookup_close(lookup);
    stamma_game_lookup_close(NULL);
    stamma_archive_close(archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_with_the_same_hash_are_found), cmocka_unit_test(repeated_games),
        cmocka_unit_test(similar_games_are_all_duplicates),   cmocka_unit_test(damaged_files_are_noticed),
        cmocka_unit_test(archives_without_an_index_file),     cmocka_unit_test(invalid_arguments),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
