/* SPDX-License-Identifier: MIT */
/* Opens an archive and its index file through a callback, which could also request ranges of a URL. Finds two games by
 * a query and reads them. Prints the first moves of all games of the query, as JSON.
 *
 * usage: archive_over_callbacks ARCHIVE INDEX */
#include <stdio.h>

#include "stamma.h"

/* clang-format off */
static bool read_at(void *file, uint64_t offset, void *bytes, size_t size)
{ return fseek(file, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, size, file) == size; }

int main(int argc, char **argv)
{
    FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL, *beside = argc > 2 ? fopen(argv[2], "rb") : NULL;
    if (!file || !beside || fseek(file, 0, SEEK_END) || fseek(beside, 0, SEEK_END)) return 2;
    const stamma_bytes bytes = {.size = (uint64_t)ftell(file), .context = file, .read_at = read_at};
    const stamma_bytes index = {.size = (uint64_t)ftell(beside), .context = beside, .read_at = read_at};
    const stamma_archive_options options = {.size = sizeof options, .index = &index};
    stamma_archive *archive; stamma_archive_reader *reader; const stamma_archive_game *game;
    stamma_query *query; stamma_search *search; const stamma_match *match; stamma_tree *tree;
    const stamma_position start = stamma_position_start(); char json[5000];

    if (stamma_archive_open(&bytes, &options, &archive) || stamma_archive_reader_open(archive, NULL, &reader) ||
        stamma_query_parse(stamma_text_of("{\"white\": \"Tal\", \"limit\": 2}"), NULL, NULL, &query) ||
        stamma_search_open(archive, query, NULL, &search) || stamma_tree_open(&start, NULL, &tree) ||
        stamma_tree_add_archive(tree, stamma_text_of("games"), archive, query, NULL, NULL)) return 2;
    while (!stamma_search_next(search, &match) && match)
        if (!stamma_archive_reader_seek(reader, match->game) && !stamma_archive_reader_next(reader, &game) && game)
            printf("game %u:\n%.*s", (unsigned)match->game, (int)game->text.size, game->text.data);
    stamma_tree_write_json(tree, SIZE_MAX, 0, json, sizeof json), puts(json);

    stamma_tree_close(tree); stamma_search_close(search); stamma_query_close(query);
    stamma_archive_reader_close(reader); stamma_archive_close(archive);
}
