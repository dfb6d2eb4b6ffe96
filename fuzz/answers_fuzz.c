/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading the JSON of trees and of statistics. Checks that the offset of a reported error is within the
 * text, that written JSON reads back as the same tree or statistics, and that merging a tree or statistics with a copy
 * doubles the number of games. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

/* Returns whether the text was read. If it was not, checks that the reported error is within the text. */
static bool is_read(stamma_error error, stamma_text text, const stamma_query_problem *fault)
{
    demand(error == STAMMA_OK || error == STAMMA_ERROR_SYNTAX);
    if (error == STAMMA_OK)
        return true;
    demand(fault->offset <= text.size && fault->size <= text.size - fault->offset);
    demand(memchr(fault->message, '\0', sizeof fault->message) && fault->message[0]);
    return false;
}

static char *tree_text(stamma_tree *tree, size_t *size)
{
    *size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, NULL, 0);
    char *json = malloc(*size + 1);
    demand(json && stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, *size + 1) == *size);
    return json;
}

static void test_tree(stamma_tree *tree)
{
    stamma_tree *again = NULL;
    size_t size, other;
    char *json = tree_text(tree, &size);
    demand(stamma_tree_read_json((stamma_text){json, size}, NULL, NULL, &again) == STAMMA_OK);
    char *json_again = tree_text(again, &other);
    demand(size == other && memcmp(json, json_again, size) == 0);
    uint64_t games = stamma_tree_total(tree).games;
    demand(stamma_tree_merge(tree, again) == STAMMA_OK);
    demand(stamma_tree_total(tree).games == 2 * games);
    demand(stamma_tree_move_count(tree) == stamma_tree_move_count(again));
    free(json);
    free(json_again);
    stamma_tree_close(again);
}

static char *stats_text(stamma_stats *stats, size_t *size)
{
    demand(stamma_stats_write_json(stats, SIZE_MAX, NULL, 0, size) == STAMMA_OK);
    char *json = malloc(*size + 1);
    demand(json && stamma_stats_write_json(stats, SIZE_MAX, json, *size + 1, size) == STAMMA_OK);
    return json;
}

static void test_stats(stamma_stats *stats)
{
    stamma_stats *again = NULL;
    size_t size, other;
    char *json = stats_text(stats, &size);
    demand(stamma_stats_read_json((stamma_text){json, size}, NULL, NULL, &again) == STAMMA_OK);
    char *json_again = stats_text(again, &other);
    demand(size == other && memcmp(json, json_again, size) == 0);
    uint64_t games = stamma_stats_sum(stats).results.games;
    demand(stamma_stats_merge(stats, again) == STAMMA_OK);
    demand(stamma_stats_sum(stats).results.games == 2 * games);
    free(json);
    free(json_again);
    stamma_stats_close(again);
}

const work_limit fuzz_limit = {.fixed = 20000, .per_byte = 1000};

void fuzz_input(const uint8_t *data, size_t size)
{
    const stamma_text text = {(const char *)data, size};
    stamma_query_problem fault = {.size = 0};
    stamma_tree *tree = NULL;
    stamma_stats *stats = NULL;
    if (is_read(stamma_tree_read_json(text, NULL, &fault, &tree), text, &fault))
        test_tree(tree);
    if (is_read(stamma_stats_read_json(text, NULL, &fault, &stats), text, &fault))
        test_stats(stats);
    stamma_tree_close(tree);
    stamma_stats_close(stats);
}
