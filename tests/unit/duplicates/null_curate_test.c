/* SPDX-License-Identifier: MIT */
/* Tests invalid arguments of the functions of the rooms duplicates and names, like null_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "archive_support.h"
#include "invalid_options.h"

static void duplicates(void **state)
{
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    stamma_place place = {.offset = 7};
    const stamma_archive_game game = {.number = 1}, unread = {.ply_count = 2}, piece = {.continuation = true};
    stamma_duplicates_options options = {.size = sizeof options};
    const stamma_keep unknown = (stamma_keep)8;
    stamma_duplicates *d = NULL;
    stamma_duplicate found;
    unsigned parts;
    (void)state;
    BAD(stamma_duplicates_open(NULL, NULL));
    BAD(stamma_duplicates_open(&(stamma_duplicates_options){.size = 1}, &d));
    for (size_t i = 0; i < ALLOCATORS; i++) {
        options.allocator = &allocators[i];
        BAD(stamma_duplicates_open(&options, &d));
    }
    options = (stamma_duplicates_options){.size = sizeof options, .kinds = 1};
    BAD(stamma_duplicates_open(&options, &d));
    options = (stamma_duplicates_options){.size = sizeof options, .keep = &unknown, .keep_count = 1};
    BAD(stamma_duplicates_open(&options, &d));
    options = (stamma_duplicates_options){.size = sizeof options, .keep_count = 1};
    BAD(stamma_duplicates_open(&options, &d));
    options = (stamma_duplicates_options){.size = sizeof options, .days = 32};
    BAD(stamma_duplicates_open(&options, &d));
    options = (stamma_duplicates_options){.size = sizeof options, .days = -2};
    BAD(stamma_duplicates_open(&options, &d));
    options = (stamma_duplicates_options){.size = sizeof options, .moves = -2};
    BAD(stamma_duplicates_open(&options, &d));
    options = (stamma_duplicates_options){.size = sizeof options, .moves = 32};
    BAD(stamma_duplicates_open(&options, &d));
    static const stamma_keep many[8] = {STAMMA_KEEP_FIRST};
    options = (stamma_duplicates_options){.size = sizeof options, .keep = many, .keep_count = 8};
    BAD(stamma_duplicates_open(&options, &d));
    assert_null(d);
    assert_int_equal(stamma_duplicates_open(NULL, &d), STAMMA_OK);
    BAD(stamma_duplicates_add(NULL, &game));
    BAD(stamma_duplicates_add(d, NULL));
    BAD(stamma_duplicates_add(d, &unread));
    BAD(stamma_duplicates_add(d, &piece));
    BAD(stamma_duplicates_add(d, &(stamma_archive_game){.tag_count = 2}));
    const stamma_move move = STAMMA_MOVE_NULL;
    if (SIZE_MAX > UINT32_MAX)
        BAD(stamma_duplicates_add(d, &(stamma_archive_game){.moves = &move, .ply_count = SIZE_MAX}));
    assert_false(stamma_duplicates_needs(NULL, 0));
    assert_true(stamma_duplicates_needs(d, 0));
    BAD(stamma_duplicates_skip(NULL, 1));
    BAD(stamma_duplicates_skip(d, UINT32_MAX));
    BAD(stamma_duplicates_add_archive(NULL, archive, STAMMA_GAME_ALL, &place));
    BAD(stamma_duplicates_add_archive(d, NULL, STAMMA_GAME_ALL, &place));
    BAD(stamma_duplicates_add_archive(d, archive, STAMMA_GAME_ALL + 1, NULL));
    assert_int_equal(place.offset, 7);
    assert_int_equal(stamma_duplicates_add(d, &game), STAMMA_OK);
    BAD(stamma_duplicates_at(d, 0, &found));
    BAD(stamma_duplicates_find(NULL, &parts));
    BAD(stamma_duplicates_find(d, NULL));
    assert_int_equal(stamma_duplicates_find(d, &parts), STAMMA_OK);
    assert_int_equal(parts, 0);
    BAD(stamma_duplicates_find(d, &parts));
    BAD(stamma_duplicates_skip(d, 1));
    assert_false(stamma_duplicates_needs(d, 0));
    BAD(stamma_duplicates_add(d, &game));
    BAD(stamma_duplicates_add_archive(d, archive, STAMMA_GAME_ALL, NULL));
    BAD(stamma_duplicates_at(NULL, 0, &found));
    BAD(stamma_duplicates_at(d, 0, NULL));
    BAD(stamma_duplicates_at(d, 1, &found));
    assert_int_equal(stamma_duplicates_at(d, 0, &found), STAMMA_OK);
    stamma_duplicates_close(d);
    stamma_duplicates_close(NULL);
    stamma_archive_close(archive);
    free(packed.text);
}

static void names(void **state)
{
    listing packed = pack("1. e4 *", 7, NULL);
    stamma_archive *archive = open_handle(&packed);
    const stamma_archive_game game = {.number = 1}, unread = {.tag_count = 2}, piece = {.continuation = true};
    const stamma_text none = {NULL, 0}, text = {"Name", 4}, missing = {NULL, 4};
    stamma_names_options options = {.size = sizeof options};
    stamma_names *n = NULL;
    stamma_name_decision decision;
    (void)state;
    BAD(stamma_names_open(NULL, NULL));
    BAD(stamma_names_open(&(stamma_names_options){.size = 1}, &n));
    assert_string_equal(stamma_name_kind_name(STAMMA_NAME_DATE), "date");
    assert_string_equal(stamma_name_kind_name((stamma_name_kind)5), "");
    for (size_t i = 0; i < ALLOCATORS; i++) {
        options.allocator = &allocators[i];
        BAD(stamma_names_open(&options, &n));
    }
    options = (stamma_names_options){.size = sizeof options, .kinds = 32};
    BAD(stamma_names_open(&options, &n));
    assert_null(n);
    assert_int_equal(stamma_names_open(NULL, &n), STAMMA_OK);
    BAD(stamma_names_add(NULL, &game));
    BAD(stamma_names_add(n, NULL));
    BAD(stamma_names_add(n, &unread));
    BAD(stamma_names_add(n, &piece));
    assert_int_equal(stamma_names_add(n, &game), STAMMA_OK);
    BAD(stamma_names_add_archive(NULL, archive, NULL));
    BAD(stamma_names_add_archive(n, NULL, NULL));
    BAD(stamma_names_add_known(NULL, STAMMA_NAME_PLAYER, text, none, none));
    BAD(stamma_names_add_known(n, (stamma_name_kind)5, text, none, none));
    BAD(stamma_names_add_known(n, STAMMA_NAME_PLAYER, none, text, none));
    BAD(stamma_names_add_known(n, STAMMA_NAME_PLAYER, missing, none, none));
    BAD(stamma_names_add_known(n, STAMMA_NAME_PLAYER, text, missing, none));
    BAD(stamma_names_add_known(n, STAMMA_NAME_PLAYER, text, none, missing));
    assert_int_equal(stamma_names_add_known(n, STAMMA_NAME_PLAYER, text, none, none), STAMMA_OK);
    stamma_name_person person = {.size = sizeof person, .name = text}, unnamed = {.size = sizeof unnamed};
    stamma_name_player player = {.size = sizeof player};
    const stamma_name_person older = {.size = 1, .name = text};
    BAD(stamma_names_add_person(NULL, &person));
    BAD(stamma_names_add_person(n, NULL));
    BAD(stamma_names_add_person(n, &unnamed));
    BAD(stamma_names_add_person(n, &older));
    assert_int_equal(stamma_names_add_person(n, &person), STAMMA_OK);
    BAD(stamma_names_at(n, 0, &decision));
    BAD(stamma_names_find(NULL));
    assert_int_equal(stamma_names_find(n), STAMMA_OK);
    BAD(stamma_names_find(n));
    BAD(stamma_names_add(n, &game));
    BAD(stamma_names_add_archive(n, archive, NULL));
    BAD(stamma_names_add_known(n, STAMMA_NAME_PLAYER, text, none, none));
    BAD(stamma_names_at(NULL, 0, &decision));
    BAD(stamma_names_at(n, 0, NULL));
    BAD(stamma_names_at(n, 0, &decision));
    BAD(stamma_names_add_person(n, &person));
    BAD(stamma_names_player(NULL, 0, &player));
    BAD(stamma_names_player(n, 0, NULL));
    BAD(stamma_names_player(n, SIZE_MAX, &player));
    assert_int_equal(stamma_names_player_count(NULL), 0);
    BAD(stamma_names_person(NULL, 1, &person));
    BAD(stamma_names_person(n, 1, NULL));
    BAD(stamma_names_person(n, 0, &person));
    BAD(stamma_names_person(n, UINT32_MAX, &person));
    assert_int_equal(stamma_names_count(n), 0);
    assert_int_equal(stamma_names_count(NULL), 0);
    stamma_names_close(n);
    stamma_names_close(NULL);
    stamma_archive_close(archive);
    free(packed.text);
}

static void lookups(void **state)
{
    const stamma_archive_game game = {.number = 1}, unread = {.ply_count = 2}, piece = {.continuation = true};
    listing packed = pack("1. e4 *", 7, NULL), file = index_file_of(&packed);
    stamma_archive *archive = open_handle(&packed), *indexed = open_indexed(&packed, &file);
    stamma_game_lookup *lookup = NULL;
    const uint64_t *numbers = NULL;
    size_t count = 7;
    (void)state;
    BAD(stamma_game_lookup_open(NULL, NULL, &lookup));
    BAD(stamma_game_lookup_open(archive, NULL, &lookup));
    BAD(stamma_game_lookup_open(indexed, NULL, NULL));
    BAD(stamma_game_lookup_open(indexed, &(stamma_game_lookup_options){.size = 1}, &lookup));
    assert_null(lookup);
    assert_int_equal(stamma_game_lookup_open(indexed, NULL, &lookup), STAMMA_OK);
    BAD(stamma_game_lookup_add(NULL, &game));
    BAD(stamma_game_lookup_add(lookup, NULL));
    BAD(stamma_game_lookup_add(lookup, &unread));
    BAD(stamma_game_lookup_add(lookup, &piece));
    BAD(stamma_game_lookup_find(NULL, &numbers, &count));
    BAD(stamma_game_lookup_find(lookup, NULL, &count));
    BAD(stamma_game_lookup_find(lookup, &numbers, NULL));
    BAD(stamma_game_lookup_repeated(NULL, &numbers, &count));
    BAD(stamma_game_lookup_repeated(lookup, NULL, &count));
    BAD(stamma_game_lookup_repeated(lookup, &numbers, NULL));
    assert_int_equal(stamma_game_lookup_repeated(lookup, &numbers, &count), STAMMA_OK);
    assert_int_equal(stamma_game_lookup_find(lookup, &numbers, &count), STAMMA_OK);
    assert_int_equal(count, 0);
    stamma_game_lookup_close(lookup);
    stamma_game_lookup_close(NULL);
    stamma_archive_close(archive);
    stamma_archive_close(indexed);
    free(packed.text);
    free(file.text);
}

static void game_sets(void **state)
{
    const stamma_archive_game game = {.number = 1, .text = {"*", 1}}, unread = {.ply_count = 2, .text = {"*", 1}};
    const stamma_archive_game piece = {.continuation = true, .text = {"*", 1}}, no_text = {.number = 1};
    const stamma_archive_game no_tags = {.tag_count = 2, .text = {"*", 1}};
    const stamma_tag tags[] = {{{"White", 5}, {"Ann", 3}}, {{"Black", 5}, {"Bob", 3}}};
    const stamma_archive_game named = {.tags = tags, .tag_count = 2}; /* needs no text */
    stamma_game_set_options options = {.size = sizeof options};
    stamma_game_set *set = NULL;
    uint8_t hash[16];
    uint64_t name = 0;
    bool added = false;
    (void)state;
    BAD(stamma_game_set_open(NULL, NULL));
    BAD(stamma_game_set_open(&(stamma_game_set_options){.size = 1}, &set));
    for (size_t i = 0; i < ALLOCATORS; i++) {
        options.allocator = &allocators[i];
        BAD(stamma_game_set_open(&options, &set));
        BAD(stamma_game_hash(&game, &allocators[i], hash));
        BAD(stamma_name_hash((stamma_text){"x", 1}, &allocators[i], &name));
    }
    assert_null(set);
    assert_int_equal(stamma_game_set_open(NULL, &set), STAMMA_OK);
    BAD(stamma_game_set_add(NULL, &game, &added));
    BAD(stamma_game_set_add(set, NULL, &added));
    BAD(stamma_game_set_has(NULL, &game, &added));
    BAD(stamma_game_set_has(set, NULL, &added));
    BAD(stamma_game_set_has(set, &game, NULL));
    BAD(stamma_name_hash((stamma_text){NULL, 1}, NULL, &name));
    BAD(stamma_name_hash((stamma_text){"x", 1}, NULL, NULL));
    BAD(stamma_game_hash(NULL, NULL, hash));
    BAD(stamma_game_hash(&game, NULL, NULL));
    const stamma_archive_game *const wrong[] = {&unread, &piece, &no_text, &no_tags};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        BAD(stamma_game_set_add(set, wrong[i], &added));
        BAD(stamma_game_set_has(set, wrong[i], &added));
        BAD(stamma_game_hash(wrong[i], NULL, hash));
    }
    assert_int_equal(stamma_game_set_count(set), 0);
    assert_int_equal(stamma_game_set_add(set, &game, NULL), STAMMA_OK);
    assert_int_equal(stamma_game_set_add(set, &named, &added), STAMMA_OK);
    assert_true(added);
    assert_int_equal(stamma_game_set_count(set), 2);
    assert_int_equal(stamma_name_hash((stamma_text){NULL, 0}, NULL, &name), STAMMA_OK);
    assert_true(name == 0);
    assert_int_equal(stamma_game_set_count(NULL), 0);
    assert_true(stamma_game_hash_needs_text(&game));
    assert_false(stamma_game_hash_needs_text(NULL));
    stamma_game_set_close(set);
    stamma_game_set_close(NULL);
}

static bool take(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    return size > 0;
}

static void tag_edits(void **state)
{
    const stamma_text game = stamma_text_of("[Event \"x\"]\n\n1. e4 *\n"), missing = {NULL, 4};
    const stamma_tag_edit edit = {.name = stamma_text_of("Event"), .value = stamma_text_of("y")},
                          no_name = {.remove = true};
    const stamma_output output = {NULL, take, NULL}, no_output = {NULL, NULL, NULL};
    (void)state;
    BAD(stamma_pgn_edit_tags(missing, &edit, 1, &output));
    BAD(stamma_pgn_edit_tags(game, NULL, 1, &output));
    BAD(stamma_pgn_edit_tags(game, &no_name, 1, &output));
    BAD(stamma_pgn_edit_tags(game, &edit, 1, NULL));
    BAD(stamma_pgn_edit_tags(game, &edit, 1, &no_output));
    assert_int_equal(stamma_pgn_edit_tags(game, &edit, 1, &output), STAMMA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duplicates), cmocka_unit_test(names),     cmocka_unit_test(lookups),
        cmocka_unit_test(game_sets),  cmocka_unit_test(tag_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
