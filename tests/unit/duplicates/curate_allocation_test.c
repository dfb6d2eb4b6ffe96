/* SPDX-License-Identifier: MIT */
/* Tests allocation failures in names, duplicates and sets of games: long texts with escapes, unknown players with many
 * ids, and decisions about single fields. search_allocation_test.c tests games of archives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocation.h"

enum { GAMES = 150, TAGS = 8, VALUE = 200 };

/* Games without moves. Each copy has a separate text. */
typedef struct games {
    char values[GAMES][TAGS][VALUE];
    stamma_tag tags[GAMES][TAGS];
    stamma_archive_game all[GAMES];
} games;

static games made;

static const char *const tag_names[TAGS] = {"White", "Black", "Event",       "Site",
                                            "Round", "Date",  "WhiteFideId", "Opening"};

/* Sets the value of a tag to a text with a number, repeated up to a size. */
static void set_tag(unsigned game, unsigned tag, const char *text, unsigned number, size_t size)
{
    char *value = made.values[game][tag];
    (void)snprintf(value, VALUE, text, number);
    for (size_t length = strlen(value), n = length; n < size; n++) {
        value[n] = value[n - length];
        value[n + 1] = '\0';
    }
    made.tags[game][tag] = (stamma_tag){stamma_text_of(tag_names[tag]), {value, strlen(value)}};
}

static int set_up(void **state)
{
    (void)state;
    for (unsigned n = 0; n < GAMES; n++) {
        set_tag(n, 0, n % 2 ? "?" : "Li \\\"Joe\\\" %u, ", n / 4, n % 2 ? 0 : 30 + 3 * (n % 40));
        set_tag(n, 1, "Tal, Mihail", 0, 0);
        set_tag(n, 2, "An \\\\ Event %u; ", n / 2, 40 + 3 * (n % 40));
        set_tag(n, 3, n % 2 ? "Riga %u" : "RIGA %u", n / 2, 0);
        set_tag(n, 4, "0%u.1", n, n % 2 ? 0 : 40 + n);
        set_tag(n, 5, n % 2 ? "2010-5-%u" : "2010.05.??", n % 28 + 1, 0);
        set_tag(n, 6, n % 2 ? "10%02u" : "", n, 0);
        set_tag(n, 7, "Opening %u", n, 0);
        made.all[n] = (stamma_archive_game){.number = n + 1,
                                            .tags = made.tags[n],
                                            .tag_count = TAGS,
                                            .start = stamma_position_start(),
                                            .text = {"*", 1}};
    }
    return 0;
}

/* Decides about the fields in t->level. */
static stamma_error find_names(trial *t)
{
    const stamma_names_options options = {
        .size = sizeof options, .allocator = t->allocator, .kinds = (unsigned)t->level};
    stamma_names *names = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(names, stamma_names_open(&options, &names));
    for (unsigned n = 0; n < GAMES; n++)
        STEP(stamma_names_add(names, &made.all[n]));
    STEP(stamma_names_find(names));
    for (size_t n = 0; error == STAMMA_OK && n < stamma_names_count(names); n++) {
        stamma_name_decision d;
        assert_int_equal(stamma_names_at(names, n, &d), STAMMA_OK);
        list_format(&t->result, "%.*s > %.*s\n", (int)d.from.size, d.from.data, (int)d.to.size, d.to.data);
    }
    stamma_names_close(names);
    return error;
}

static stamma_error find_duplicates(trial *t)
{
    const stamma_duplicates_options options = {.size = sizeof options, .allocator = t->allocator};
    stamma_duplicates *d = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(d, stamma_duplicates_open(&options, &d));
    for (unsigned parts = STAMMA_GAME_ALL; parts != 0 && error == STAMMA_OK;) {
        for (unsigned n = 0; n < 2 * GAMES; n++) /* each game twice */
            STEP(stamma_duplicates_add(d, &made.all[n / 2]));
        STEP(stamma_duplicates_find(d, &parts));
    }
    for (size_t n = 0; error == STAMMA_OK && n < stamma_duplicates_count(d); n++) {
        stamma_duplicate found;
        assert_int_equal(stamma_duplicates_at(d, n, &found), STAMMA_OK);
        list_format(&t->result, "%llu\n", (unsigned long long)found.kept);
    }
    stamma_duplicates_close(d);
    return error;
}

static stamma_error add_to_set(trial *t)
{
    const stamma_game_set_options options = {.size = sizeof options, .allocator = t->allocator};
    stamma_game_set *set = NULL;
    stamma_error error = STAMMA_OK;
    OPEN(set, stamma_game_set_open(&options, &set));
    for (unsigned n = 0; n < GAMES; n++) {
        bool added = false, has = false;
        STEP(stamma_game_set_add(set, &made.all[n], &added));
        STEP(stamma_game_set_has(set, &made.all[n], &has));
        list_format(&t->result, "%d %d\n", added, has);
    }
    stamma_game_set_close(set);
    return error;
}

static void names(void **state)
{
    static const int fields[] = {0,
                                 1 << STAMMA_NAME_PLAYER,
                                 1 << STAMMA_NAME_EVENT,
                                 1 << STAMMA_NAME_SITE,
                                 1 << STAMMA_NAME_ROUND,
                                 1 << STAMMA_NAME_DATE};
    (void)state;
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        sweep(find_names, (trial){.level = fields[n]});
}

static void duplicates(void **state)
{
    (void)state;
    sweep(find_duplicates, (trial){.level = 0});
}

static void sets(void **state)
{
    (void)state;
    sweep(add_to_set, (trial){.level = 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(duplicates), cmocka_unit_test(sets)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
