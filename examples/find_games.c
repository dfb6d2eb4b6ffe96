/* SPDX-License-Identifier: MIT */
/* Finds games of an archive in memory by a query (doc/reference/search.md), and shows the error of an invalid query.
 *
 * usage: find_games [FILE QUERY]     without arguments: four queries to a sample archive of three games */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

/* ---- an archive in memory ---- */

typedef struct memory {
    char *bytes;
    size_t size;
} memory;

static bool memory_write(void *context, const void *bytes, size_t size)
{
    memory *m = context;
    char *grown = realloc(m->bytes, m->size + size + 1);
    if (!grown)
        return false;
    memcpy(grown + m->size, bytes, size);
    m->bytes = grown;
    m->size += size;
    return true;
}

static bool make_sample(memory *m)
{
    static const char pgn[] =
        "[White \"Anderssen, Adolf\"]\n[Black \"Kieseritzky, Lionel\"]\n[Date \"1851.06.21\"]\n[Result \"1-0\"]\n\n"
        "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 1-0\n\n"
        "[White \"Greco, Gioachino\"]\n[Black \"NN\"]\n[Date \"1620.??.??\"]\n[Result \"1-0\"]\n\n"
        "1. e4 b6 2. d4 Bb7 3. Bd3 f5 4. exf5 Bxg2 5. Qh5+ g6 6. fxg6 Nf6 7. gxh7+ Nxh5 8. Bg6# 1-0\n\n"
        "[White \"NN\"]\n[Black \"NN\"]\n[Result \"*\"]\n\n1. f4 e5 2. e4 exf4 3. Bc4 *\n\n";
    const stamma_output output = {.context = m, .write = memory_write};
    stamma_archive_writer *writer = NULL;
    bool fine = stamma_archive_writer_open(&output, NULL, &writer) == STAMMA_OK &&
                stamma_archive_writer_write(writer, pgn, sizeof pgn - 1) == STAMMA_OK &&
                stamma_archive_writer_finish(writer, NULL) == STAMMA_OK;
    stamma_archive_writer_close(writer);
    return fine;
}

static bool read_file(const char *path, memory *m)
{
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    bool fine = file != NULL;
    for (size_t size; fine && (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        fine = memory_write(m, bytes, size);
    fine = fine && !ferror(file);
    if (file)
        (void)fclose(file);
    return fine;
}

/* ---- searching ---- */

static stamma_error show_matches(stamma_archive *archive, const stamma_query *query)
{
    const stamma_match *match = NULL;
    stamma_search *search = NULL;
    stamma_error error = stamma_search_open(archive, query, NULL, &search);
    while (error == STAMMA_OK && (error = stamma_search_next(search, &match)) == STAMMA_OK && match) {
        printf("  game %" PRIu64 ", plies", match->game);
        for (size_t i = 0; i < match->ply_count; i++)
            printf(" %" PRIu32, match->plies[i]);
        putchar('\n');
    }
    if (error != STAMMA_OK && search)
        printf("  %s at byte %" PRIu64 "\n", stamma_error_text(error), stamma_search_place(search).offset);
    stamma_search_close(search);
    return error;
}

static stamma_error find(stamma_archive *archive, const char *json)
{
    stamma_query *query = NULL;
    stamma_query_problem fault;
    puts(json);
    stamma_error error = stamma_query_parse((stamma_text){json, strlen(json)}, NULL, &fault, &query);
    if (error == STAMMA_ERROR_SYNTAX)
        printf("%*s^ %s\n", (int)fault.offset, "", fault.message);
    else if (error == STAMMA_OK)
        error = show_matches(archive, query);
    stamma_query_close(query);
    return error;
}

int main(int argc, char **argv)
{
    static const char *const queries[] = {
        "{\"white\": \"greco\", \"mate\": true}",
        "{\"fen\": \"rnbqkbnr/pppp1ppp/8/8/2B1Pp2/8/PPPP2PP/RNBQK1NR b KQkq - 1 3\"}",
        "{\"sequence\": [{\"captured\": \"Q\"}, {\"mate\": true}], \"gap\": 1}",
        "{\"materal\": \"KRPKR\"}",
    };
    memory m = {NULL, 0};
    stamma_archive *archive = NULL;
    if (!(argc > 2 ? read_file(argv[1], &m) : make_sample(&m))) {
        puts("there is no archive");
        return 2;
    }
    const stamma_bytes bytes = stamma_bytes_of(m.bytes, m.size);
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (error != STAMMA_OK)
        puts(stamma_error_text(error));
    else if (argc > 2)
        error = find(archive, argv[2]);
    for (size_t i = 0; i < sizeof queries / sizeof *queries && archive && argc <= 2; i++)
        error = find(archive, queries[i]);
    stamma_archive_close(archive);
    free(m.bytes);
    return argc > 2 && error != STAMMA_OK ? 2 : 0;
}
