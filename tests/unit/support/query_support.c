/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of queries: find the matching games of a text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query_support.h"

stamma_query *parse_query(const char *json)
{
    stamma_query *query = NULL;
    stamma_query_problem fault = {.size = 0};
    stamma_error error = stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query);
    if (error != STAMMA_OK)
        fail_msg("%s: %s at %zu", json, fault.message, fault.offset);
    return query;
}

static void list_match(listing *to, uint64_t number, const uint32_t *plies, size_t count)
{
    list_format(to, "%s%llu:", to->size ? " " : "", (unsigned long long)number);
    for (size_t i = 0; i < count; i++)
        list_format(to, "%s%u", i ? "," : "", plies[i]);
}

listing games_found(const listing *archive, const char *json)
{
    listing found = {0};
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    stamma_query *query = parse_query(json);
    stamma_matcher *matcher;
    const stamma_archive_game *game;
    assert_int_equal(stamma_matcher_open(query, NULL, &matcher), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_select(reader, stamma_query_parts(query)), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        bool is_found;
        const uint32_t *plies;
        size_t count;
        assert_int_equal(stamma_matcher_test(matcher, game, &is_found, &plies, &count), STAMMA_OK);
        assert_int_equal(is_found, count > 0);
        if (is_found)
            list_match(&found, game->number, plies, count);
    }
    stamma_matcher_close(matcher);
    stamma_query_close(query);
    close_reader(reader);
    return found;
}

void assert_finds(const char *pgn, const query_answer *searches, size_t count)
{
    listing archive = pack(pgn, strlen(pgn), NULL);
    for (size_t i = 0; i < count; i++) {
        listing found = games_found(&archive, searches[i].json);
        if (strcmp(found.text ? found.text : "", searches[i].found) != 0)
            fail_msg("%s found %s, not %s", searches[i].json, found.text ? found.text : "nothing", searches[i].found);
        free(found.text);
    }
    free(archive.text);
}
