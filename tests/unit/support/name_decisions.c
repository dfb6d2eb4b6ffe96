/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of spellings of names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "name_decisions.h"

static void add_game(void *context, const stamma_archive_game *game)
{
    assert_int_equal(stamma_names_add((stamma_names *)context, game), STAMMA_OK);
}

stamma_names *names_with(const char *text, const stamma_names_options *options)
{
    stamma_names *names = NULL;
    assert_int_equal(stamma_names_open(options, &names), STAMMA_OK);
    for_each_game(text, strlen(text), add_game, names);
    return names;
}

static void put(listing *to, stamma_text text)
{
    list_bytes(to, text.size ? text.data : "", text.size);
}

void list_name_decisions(const stamma_names *names, listing *to)
{
    for (size_t n = 0; n < stamma_names_count(names); n++) {
        stamma_name_decision d;
        assert_int_equal(stamma_names_at(names, n, &d), STAMMA_OK);
        assert_int_equal(d.certain, *d.doubt == '\0');
        put(to, d.from);
        list_word(to, " > ");
        put(to, d.to);
        list_format(to, " %s %s", d.why, d.certain ? "yes" : d.doubt);
        if (d.id.size > 0 || d.only_id)
            list_format(to, d.only_id ? " [only %.*s]" : " [%.*s]", (int)d.id.size, d.id.size ? d.id.data : "");
        if (d.round.size > 0)
            list_format(to, " in round %.*s", (int)d.round.size, d.round.data);
        list_word(to, "\n");
    }
    list_bytes(to, "", 1);
}

void check_decisions(stamma_names *names, const char *expected)
{
    listing got = {0};
    assert_int_equal(stamma_names_find(names), STAMMA_OK);
    list_name_decisions(names, &got);
    assert_string_equal(got.text, expected);
    free(got.text);
    stamma_names_close(names);
}

void check_names(const char *text, const char *expected)
{
    check_decisions(names_with(text, NULL), expected);
}
