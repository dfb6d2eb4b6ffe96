/* SPDX-License-Identifier: MIT */
/* A small database of games: stores the moves of PGN games in one byte per ply (`tarrasch`), opens the file again, and
 * prints the games that reach a position. Only moves and results are stored; an archive (stamma/archive.h) stores all.
 *
 * usage: game_database write PGN DATABASE    PGN may be - for standard input
 *        game_database find DATABASE MOVE... prints the games that reach the position after these moves
 *        game_database                       does both with data/games.pgn, a temporary file and some moves
 *
 * The file is "games 1\n" and these numbers and bytes for each game, numbers in one byte or with the low byte first:
 *
 *     result            1 byte: 0 unknown, 1 White won, 2 Black won, 3 drawn
 *     size of the start 1 byte: 0 for the initial position, otherwise the number of bits of the next member, up to 192
 *     start             the position in the encoding `packed`, in whole bytes
 *     size of the moves 4 bytes
 *     moves             the game in the encoding `tarrasch`, which begins with the number of plies
 *
 * Positions that `tarrasch` cannot represent, for example with three queens, are encoded with its fall-back. Decoding
 * needs no special case for them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

static const char magic[] = "games 1\n";
enum { PLIES_MAX = 10000, START_BITS_MAX = 192 };

/* A game in memory, and its code. */
typedef struct stored_game {
    stamma_result result;
    stamma_position start;
    stamma_move moves[PLIES_MAX];
    size_t plies, size;
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(PLIES_MAX)];
} stored_game;

static stored_game game; /* too large for the stack */
static const stamma_codec *moves_codec;
static const stamma_position_codec *start_codec;

/* ---- writing ---- */

/* Writes the encoded game. Returns NO_SPACE for a game that is too long, UNSUPPORTED for a start that `packed` cannot
 * represent, and IO if the file cannot be written. */
static stamma_error write_game(FILE *file)
{
    stamma_position initial = stamma_position_start();
    stamma_position_code start = {0};
    stamma_error error = stamma_codec_encode_game(moves_codec, &game.start, game.moves, game.plies, game.bytes,
                                                  sizeof game.bytes, &game.size, NULL);
    if (error == STAMMA_OK && memcmp(&game.start, &initial, sizeof initial) != 0)
        error = stamma_position_encode(start_codec, &game.start, &start);
    if (error != STAMMA_OK)
        return error;
    uint8_t head[2] = {(uint8_t)game.result, (uint8_t)start.bits}, size[4];
    for (unsigned n = 0; n < 4; n++)
        size[n] = (uint8_t)(game.size >> 8 * n);
    (void)fwrite(head, 1, 2, file);
    (void)fwrite(start.bytes, 1, (start.bits + 7) / 8, file);
    (void)fwrite(size, 1, 4, file);
    return fwrite(game.bytes, 1, game.size, file) == game.size ? STAMMA_OK : STAMMA_ERROR_IO;
}

/* Copies the main line of a game that was read from PGN. */
static stamma_error take_game(const stamma_game *from)
{
    game.start = *stamma_game_start(from);
    game.result = stamma_result_of_game(stamma_game_tag(from, stamma_text_of("Result")), stamma_game_result(from));
    game.plies = 0;
    stamma_node node = stamma_game_first_child(from, 0);
    for (; node != STAMMA_NODE_NONE; node = stamma_game_first_child(from, node)) {
        if (game.plies == PLIES_MAX)
            return STAMMA_ERROR_NO_SPACE;
        game.moves[game.plies++] = stamma_game_move(from, node);
    }
    return STAMMA_OK;
}

/* Returns how many plies of the game are encoded with the fall-back. */
static size_t count_fallbacks(void)
{
    stamma_position position = game.start;
    size_t count = 0;
    for (size_t ply = 0; ply < game.plies; ply++) {
        count += stamma_codec_fallback(moves_codec, &position) != NULL;
        stamma_position_make(&position, game.moves[ply], &position);
    }
    return count;
}

/* Writes all games of a reader, and reports games with errors, whose legal moves up to the error are stored. */
static stamma_error write_games(stamma_pgn_reader *reader, stamma_game *from, FILE *file)
{
    size_t games = 0, plies = 0, bytes = 0, fallbacks = 0;
    bool found = false;
    stamma_error invalid;
    stamma_place place;
    stamma_error error = fwrite(magic, 1, 8, file) == 8 ? STAMMA_OK : STAMMA_ERROR_IO;
    while (error == STAMMA_OK) {
        error = stamma_game_read(from, reader, &found, &invalid, &place);
        if (error != STAMMA_OK || !found)
            break;
        if (invalid != STAMMA_OK)
            fprintf(stderr, "line %" PRIu64 ": %s\n", place.line, stamma_error_text(invalid));
        error = take_game(from);
        if (error == STAMMA_OK)
            error = write_game(file);
        games++;
        plies += game.plies;
        bytes += game.size;
        fallbacks += count_fallbacks();
    }
    if (error == STAMMA_OK && fflush(file) != 0)
        error = STAMMA_ERROR_IO;
    if (error == STAMMA_OK)
        printf("%zu games, %zu plies in %zu bytes; %zu plies with the fall-back\n", games, plies, bytes, fallbacks);
    return error;
}

static ptrdiff_t read_file(void *file, void *bytes, size_t size)
{
    size_t got = fread(bytes, 1, size, file);
    return got == 0 && ferror((FILE *)file) ? -1 : (ptrdiff_t)got;
}

static stamma_error convert(FILE *pgn, FILE *file)
{
    stamma_input input = {.context = pgn, .read = read_file};
    stamma_pgn_reader *reader = NULL;
    stamma_game *from = NULL;
    stamma_error error = stamma_pgn_reader_open(&input, NULL, &reader);
    if (error == STAMMA_OK)
        error = stamma_game_open(NULL, &from);
    if (error == STAMMA_OK)
        error = write_games(reader, from, file);
    stamma_game_close(from);
    stamma_pgn_reader_close(reader);
    return error;
}

/* ---- reading ---- */

/* Reads the next game. Stores false in *found at the end of the file. Returns CORRUPT for other files. */
static stamma_error read_game(FILE *file, bool *found)
{
    uint8_t head[2], size[4];
    stamma_position_code start = {0};
    size_t got = fread(head, 1, 2, file);
    *found = got > 0;
    if (got != 2 || head[0] > STAMMA_RESULT_DRAW || head[1] > START_BITS_MAX)
        return got == 0 && !ferror(file) ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
    start.bits = head[1];
    if (fread(start.bytes, 1, (start.bits + 7) / 8, file) != (start.bits + 7) / 8 || fread(size, 1, 4, file) != 4)
        return STAMMA_ERROR_CORRUPT;
    game.result = (stamma_result)head[0];
    game.size = size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
    if (game.size > sizeof game.bytes || fread(game.bytes, 1, game.size, file) != game.size)
        return STAMMA_ERROR_CORRUPT;
    game.start = stamma_position_start();
    if (start.bits > 0 && stamma_position_decode(start_codec, &start, &game.start) != STAMMA_OK)
        return STAMMA_ERROR_CORRUPT;
    return stamma_codec_decode_game(moves_codec, &game.start, game.bytes, game.size, game.moves, PLIES_MAX,
                                    &game.plies);
}

/* Returns whether the game reaches a position, and after how many plies. */
static bool reaches(const stamma_position *wanted, size_t *plies)
{
    stamma_position position = game.start;
    for (*plies = 0; !stamma_position_equal(&position, wanted); ++*plies) {
        if (*plies == game.plies)
            return false;
        stamma_position_make(&position, game.moves[*plies], &position);
    }
    return true;
}

static void print_game(size_t number, size_t plies)
{
    stamma_position position = game.start;
    printf("game %zu, %s, %zu plies in %zu bytes, position after %zu plies:\n", number, stamma_result_text(game.result),
           game.plies, game.size, plies);
    for (size_t ply = 0; ply < game.plies; ply++) {
        char san[STAMMA_SAN_SIZE];
        stamma_san_write(&position, game.moves[ply], san, sizeof san);
        stamma_position_make(&position, game.moves[ply], &position);
        printf("%s%s", san, ply % 20 == 19 || ply + 1 == game.plies ? "\n" : " ");
    }
}

/* Prints the games that reach a position. */
static stamma_error find(FILE *file, const stamma_position *wanted)
{
    char start[8];
    bool found = true;
    if (fread(start, 1, 8, file) != 8 || memcmp(start, magic, 8) != 0)
        return STAMMA_ERROR_CORRUPT;
    for (size_t number = 1, plies; found; number++) {
        stamma_error error = read_game(file, &found);
        if (error != STAMMA_OK)
            return error;
        if (found && reaches(wanted, &plies))
            print_game(number, plies);
    }
    return STAMMA_OK;
}

/* ---- main ---- */

static int report(const char *what, stamma_error error)
{
    if (error != STAMMA_OK)
        fprintf(stderr, "game_database: %s: %s\n", what, stamma_error_text(error));
    return error == STAMMA_OK ? 0 : 2;
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, mode);
    if (!file)
        perror(path);
    return file;
}

static int run_write(const char *pgn_path, FILE *file)
{
    FILE *pgn = file ? open_file(pgn_path, "rb") : NULL;
    if (!pgn)
        return 2;
    int status = report(pgn_path, convert(pgn, file));
    fclose(pgn);
    return status;
}

static int run_find(FILE *file, const char *const *moves, size_t count)
{
    stamma_position wanted = stamma_position_start();
    for (size_t n = 0; n < count; n++) {
        stamma_move move;
        stamma_error error = stamma_san_read(&wanted, stamma_text_of(moves[n]), &move);
        if (error != STAMMA_OK)
            return report(moves[n], error);
        stamma_position_make(&wanted, move, &wanted);
    }
    return file ? report("database", find(file, &wanted)) : 2;
}

int main(int argc, char **argv)
{
    static const char *const sample[] = {"e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6"};
    moves_codec = stamma_codec_find(stamma_text_of("tarrasch"));
    start_codec = stamma_position_codec_find(stamma_text_of("packed"));
    FILE *file = NULL;
    int status = 2;
    if (argc == 1 && (file = tmpfile()) != NULL) {
        status = run_write("data/games.pgn", file);
        rewind(file);
        if (status == 0)
            status = run_find(file, sample, sizeof sample / sizeof *sample);
    } else if (argc == 4 && strcmp(argv[1], "write") == 0) {
        status = run_write(argv[2], file = open_file(argv[3], "wb"));
    } else if (argc > 2 && strcmp(argv[1], "find") == 0) {
        status = run_find(file = open_file(argv[2], "rb"), (const char *const *)argv + 3, (size_t)argc - 3);
    } else {
        fprintf(stderr, "usage: game_database [write PGN DATABASE | find DATABASE MOVE...]\n");
    }
    if (file && fclose(file) != 0 && status == 0)
        status = report("database", STAMMA_ERROR_IO);
    return status;
}
