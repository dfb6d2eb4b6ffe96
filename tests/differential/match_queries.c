/* SPDX-License-Identifier: MIT */
/* Answers queries by matching every game of an archive. For each line of JSON, prints a line with the JSON list of the
 * games found, each as [number, [ply, ...]], in the format of search_oracle.py.
 *
 * usage: match_queries QUERIES.jsonl ARCHIVE
 *
 * For an invalid query, prints its error message as a JSON string. `skip` and `limit` are ignored. */
#include <stamma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, stamma_error error)
{
    fprintf(stderr, "match_queries: %s: %s\n", what, stamma_error_text(error));
    exit(1);
}

static bool read_file(void *file, uint64_t offset, void *bytes, size_t size)
{
    return fseek(file, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, size, file) == size;
}

static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++)
        printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    printf("\"\n");
}

static void print_match(uint64_t number, const uint32_t *plies, size_t count, bool first)
{
    printf("%s[%llu,[", first ? "" : ",", (unsigned long long)number);
    for (size_t i = 0; i < count; i++)
        printf("%s%lu", i > 0 ? "," : "", (unsigned long)plies[i]);
    printf("]]");
}

static void answer(stamma_archive_reader *reader, const stamma_query *query)
{
    stamma_matcher *matcher = NULL;
    const stamma_archive_game *game;
    bool first = true;
    stamma_error error = stamma_matcher_open(query, NULL, &matcher);
    if (!error)
        error = stamma_archive_reader_select(reader, stamma_query_parts(query));
    if (!error)
        error = stamma_archive_reader_seek(reader, 1);
    printf("[");
    while (!error && !(error = stamma_archive_reader_next(reader, &game)) && game) {
        bool found = false;
        const uint32_t *plies;
        size_t count;
        error = stamma_matcher_test(matcher, game, &found, &plies, &count);
        if (!error && found) {
            print_match(game->number, plies, count, first);
            first = false;
        }
    }
    printf("]\n");
    if (error)
        die("a game", error);
    stamma_matcher_close(matcher);
}

int main(int argc, char **argv)
{
    static char line[65536];
    if (argc != 3)
        return 2;
    FILE *queries = fopen(argv[1], "r"), *archive = fopen(argv[2], "rb");
    if (!queries || !archive)
        return 2;
    if (fseek(archive, 0, SEEK_END) != 0 || ftell(archive) < 0)
        return 2;
    const stamma_bytes bytes = {.size = (uint64_t)ftell(archive), .context = archive, .read_at = read_file};
    stamma_archive *opened = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_error error = stamma_archive_open(&bytes, NULL, &opened);
    if (!error)
        error = stamma_archive_reader_open(opened, NULL, &reader);
    if (error)
        die(argv[2], error);
    while (fgets(line, sizeof line, queries)) {
        stamma_query_problem fault;
        stamma_query *query;
        error = stamma_query_parse((stamma_text){line, strcspn(line, "\n")}, NULL, &fault, &query);
        if (error) {
            print_text(error == STAMMA_ERROR_SYNTAX ? fault.message : stamma_error_text(error));
            continue;
        }
        answer(reader, query);
        stamma_query_close(query);
    }
    stamma_archive_reader_close(reader);
    stamma_archive_close(opened);
    fclose(archive);
    fclose(queries);
    return 0;
}
