/* SPDX-License-Identifier: MIT */
/* Computes trees, statistics and books from an archive. Each job computes a partial result; then the partial results
 * are merged. */
#include "answers/answers.h"
#include "search/block_search.h"

static stamma_error merge_parts(const stamma_search *search, const gathering *g)
{
    const job_ring *ring = stamma_search_ring(search);
    void *gathered = stamma_search_gathered(search);
    stamma_error error = gathered ? g->merge(g->whole, gathered) : STAMMA_OK;
    for (size_t n = 0; n < ring->count && error == STAMMA_OK; n++) {
        const search_job *j = (const search_job *)ring->jobs[n];
        if (j->part)
            error = g->merge(g->whole, j->part);
    }
    return error;
}

stamma_error stamma_gather(stamma_archive *archive, const stamma_query *query, const stamma_search_options *options,
                           const gathering *g, stamma_place *place)
{
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    stamma_error error = stamma_search_open_for(archive, query, options, g, &search);
    if (error != STAMMA_OK)
        return error;
    error = stamma_search_next(search, &match);
    if (error == STAMMA_OK)
        error = merge_parts(search, g);
    else if (place)
        *place = stamma_search_place(search);
    stamma_search_close(search);
    return error;
}

/* The parts of games that most results need. */
enum { PARTS = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES };

/* ---- trees ---- */

static stamma_error open_tree(const void *whole, const stamma_allocator *allocator, void **part)
{
    stamma_tree *tree = NULL;
    stamma_error error = stamma_tree_open(&((const stamma_tree *)whole)->position, allocator, &tree);
    if (error == STAMMA_OK && ((const stamma_tree *)whole)->history)
        error = stamma_tree_keep_history(tree);
    *part = tree;
    return error;
}

static stamma_error add_to_tree(void *part, stamma_text archive, const stamma_archive_game *game)
{
    return stamma_tree_add((stamma_tree *)part, archive, game);
}

static stamma_error merge_trees(void *whole, void *part)
{
    return stamma_tree_merge((stamma_tree *)whole, (const stamma_tree *)part);
}

static void close_tree(void *part)
{
    stamma_tree_close((stamma_tree *)part);
}

stamma_error stamma_tree_add_archive_live(stamma_tree *tree, stamma_text name, stamma_archive *archive,
                                          const stamma_query *query, const stamma_search_options *options,
                                          void (*so_far)(void *context, const stamma_tree *tree), stamma_place *place)
{
    if (!tree || !text_is_given(name))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const gathering g = {.whole = tree,
                         .parts = PARTS,
                         .archive = name,
                         .open = open_tree,
                         .add_index = stamma_tree_add_index,
                         .add_game = add_to_tree,
                         .add_file = stamma_tree_add_file,
                         .merge = merge_trees,
                         .close = close_tree,
                         .so_far = so_far};
    return stamma_gather(archive, query, options, &g, place);
}

stamma_error stamma_tree_add_archive(stamma_tree *tree, stamma_text name, stamma_archive *archive,
                                     const stamma_query *query, const stamma_search_options *options,
                                     stamma_place *place)
{
    return stamma_tree_add_archive_live(tree, name, archive, query, options, NULL, place);
}

/* ---- statistics ---- */

static stamma_error open_stats(const void *whole, const stamma_allocator *allocator, void **part)
{
    stamma_stats *stats = NULL;
    stamma_error error = stamma_stats_open(allocator, &stats);
    (void)whole;
    *part = stats;
    return error;
}

static stamma_error add_to_stats(void *part, stamma_text archive, const stamma_archive_game *game)
{
    (void)archive;
    return stamma_stats_add((stamma_stats *)part, game);
}

static stamma_error merge_stats(void *whole, void *part)
{
    return stamma_stats_take((stamma_stats *)whole, (stamma_stats *)part);
}

static void close_stats(void *part)
{
    stamma_stats_close((stamma_stats *)part);
}

stamma_error stamma_stats_add_archive(stamma_stats *stats, stamma_archive *archive, const stamma_query *query,
                                      const stamma_search_options *options, stamma_place *place)
{
    if (!stats)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const gathering g = {.whole = stats,
                         .parts = PARTS,
                         .open = open_stats,
                         .add_index = stamma_stats_add_index,
                         .add_game = add_to_stats,
                         .add_file = stamma_stats_add_file,
                         .merge = merge_stats,
                         .close = close_stats};
    return stamma_gather(archive, query, options, &g, place);
}

/* ---- results only ---- */

static stamma_error open_results(const void *whole, const stamma_allocator *allocator, void **part)
{
    results_part *p = (results_part *)memory_allocate(allocator, sizeof *p);
    (void)whole;
    if (!p)
        return STAMMA_ERROR_NO_MEMORY;
    *p = (results_part){.allocator = *allocator};
    *part = p;
    return STAMMA_OK;
}

static stamma_error add_to_results(void *part, stamma_text archive, const stamma_archive_game *game)
{
    const stamma_stats_results one = stamma_stats_results_of(stamma_game_summary_of(game).result);
    (void)archive;
    stamma_stats_add_results(&((results_part *)part)->results, &one);
    return STAMMA_OK;
}

static void add_facts_to_results(void *part, const index_facts *facts)
{
    const stamma_stats_results one = stamma_stats_results_of(stamma_result_of_column(facts->result));
    stamma_stats_add_results(&((results_part *)part)->results, &one);
}

static stamma_error merge_results(void *whole, void *part)
{
    stamma_stats_add_results((stamma_stats_results *)whole, &((const results_part *)part)->results);
    return STAMMA_OK;
}

static void close_results(void *part)
{
    const stamma_allocator allocator = ((results_part *)part)->allocator;
    memory_release(&allocator, part);
}

stamma_error stamma_stats_count_archive(stamma_stats_results *results, stamma_archive *archive,
                                        const stamma_query *query, const stamma_search_options *options,
                                        stamma_place *place)
{
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT;
    if (!results)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const gathering g = {.whole = results,
                         .parts = parts,
                         .open = open_results,
                         .add_index = stamma_results_add_index,
                         .add_game = add_to_results,
                         .add_facts = add_facts_to_results,
                         .add_file = stamma_results_add_file,
                         .merge = merge_results,
                         .close = close_results};
    return stamma_gather(archive, query, options, &g, place);
}

/* ---- books ---- */

static stamma_error open_book(const void *whole, const stamma_allocator *allocator, void **part)
{
    stamma_book *book = NULL;
    stamma_error error = stamma_book_open_like((const stamma_book *)whole, allocator, &book);
    *part = book;
    return error;
}

static stamma_error add_to_book(void *part, stamma_text archive, const stamma_archive_game *game)
{
    (void)archive;
    return stamma_book_add((stamma_book *)part, game);
}

static stamma_error merge_books(void *whole, void *part)
{
    return stamma_book_merge((stamma_book *)whole, (const stamma_book *)part);
}

static void close_book(void *part)
{
    stamma_book_close((stamma_book *)part);
}

stamma_error stamma_book_add_archive(stamma_book *book, stamma_archive *archive, const stamma_query *query,
                                     const stamma_search_options *options, stamma_place *place)
{
    if (!book)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const gathering g = {.whole = book,
                         .parts = PARTS,
                         .open = open_book,
                         .add_game = add_to_book,
                         .merge = merge_books,
                         .close = close_book};
    return stamma_gather(archive, query, options, &g, place);
}
