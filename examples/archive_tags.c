/* SPDX-License-Identifier: MIT */
/* Opens an archive by the name of its file and prints its games: players, result, number of plies, and the shortest
 * time that was left on a clock. The other parts of a game are not decoded.
 *
 * usage: archive_tags [FILE]     without FILE: a sample archive of two games */
#include <inttypes.h>
#include <stdio.h>

#include "stamma.h"

/* ---- a file as bytes and as output ---- */

static bool file_read_at(void *file, uint64_t offset, void *bytes, size_t size)
{
    return fseek(file, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, size, file) == size;
}

static stamma_bytes file_bytes(FILE *file)
{
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    return (stamma_bytes){.size = size > 0 ? (uint64_t)size : 0, .context = file, .read_at = file_read_at};
}

static bool file_write(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

/* Makes an archive of two games in a temporary file. Returns NULL on failure. */
static FILE *make_sample(void)
{
    static const char pgn[] =
        "[White \"Alpha\"]\n[Black \"Beta\"]\n[Result \"1-0\"]\n\n"
        "1. e4 {[%clk 0:02:59.5]} e5 {[%clk 0:02:58]} 2. Qh5 {[%clk 0:02:31]} Ke7 {[%clk 0:00:09.2]}\n"
        "3. Qxe5# {[%clk 0:02:30]} 1-0\n\n"
        "[White \"Gamma\"]\n[Black \"Delta\"]\n[Result \"*\"]\n\n1. d4 d5 *\n";
    FILE *file = tmpfile();
    stamma_output output = {.context = file, .write = file_write};
    stamma_archive_writer *writer = NULL;
    bool fine = file && stamma_archive_writer_open(&output, NULL, &writer) == STAMMA_OK &&
                stamma_archive_writer_write(writer, pgn, sizeof pgn - 1) == STAMMA_OK &&
                stamma_archive_writer_finish(writer, NULL) == STAMMA_OK;
    stamma_archive_writer_close(writer);
    if (fine && fflush(file) == 0)
        return file;
    if (file)
        (void)fclose(file);
    return NULL;
}

/* ---- games ---- */

static void show(const stamma_archive_game *game)
{
    stamma_text white = stamma_archive_game_tag(game, stamma_text_of("White")),
                black = stamma_archive_game_tag(game, stamma_text_of("Black"));
    int64_t least = -1;
    for (size_t ply = 0; ply < game->ply_count; ply++)
        if (game->clocks_ms[ply] >= 0 && (least < 0 || game->clocks_ms[ply] < least))
            least = game->clocks_ms[ply];
    printf("%" PRIu64 ": %.*s - %.*s %.*s, %zu plies", game->number, (int)white.size, white.size ? white.data : "",
           (int)black.size, black.size ? black.data : "", (int)game->result.size,
           game->result.size ? game->result.data : "", game->ply_count);
    if (least >= 0)
        printf(", %" PRId64 ".%" PRId64 " s left at least", least / 1000, least % 1000 / 100);
    putchar('\n');
}

static stamma_error show_all(FILE *file)
{
    const stamma_bytes bytes = file_bytes(file);
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = NULL;
    const stamma_archive_game *game = NULL;
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_open(archive, NULL, &reader);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_select(reader, STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_CLOCKS);
    while (error == STAMMA_OK && (error = stamma_archive_reader_next(reader, &game)) == STAMMA_OK && game)
        if (!game->continuation)
            show(game);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return error;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : make_sample();
    if (!file) {
        puts("the file cannot be opened");
        return 2;
    }
    stamma_error error = show_all(file);
    (void)fclose(file);
    if (error != STAMMA_OK)
        printf("%s\n", stamma_error_text(error));
    return error == STAMMA_OK ? 0 : 2;
}
