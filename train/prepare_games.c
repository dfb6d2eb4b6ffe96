/* SPDX-License-Identifier: MIT */
/* Prepares games for training from PGN or from files that contain only moves.
 *
 * usage: prepare_games <games.pgn >games.bin
 *        prepare_games --moves <games.moves >games.bin
 *
 * Only games that begin in the initial position are used, each up to the first illegal move. A file of moves begins
 * with "STMV1" and a line feed. Each game is varints of both ratings and of the year, a byte for the result, a varint
 * of the number of plies, and for each ply a byte: the move's index in canonical order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "model/model.h"

enum { PLIES_MAX = 65000 };
static game_head head;
static stamma_move moves[PLIES_MAX];
static unsigned long games, plies;

static void put_game(void)
{
    if (head.plies == 0)
        return;
    if (fwrite(&head, sizeof head, 1, stdout) != 1 || fwrite(moves, sizeof *moves, head.plies, stdout) != head.plies) {
        fprintf(stderr, "prepare_games: cannot write\n");
        exit(1);
    }
    games++;
    plies += head.plies;
}

/* ---- PGN ---- */

static ptrdiff_t read_input(void *context, void *bytes, size_t size)
{
    return (ptrdiff_t)fread(bytes, 1, size, (FILE *)context);
}

static bool is(stamma_text text, const char *name)
{
    return text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
}

static uint16_t number(stamma_text text)
{
    unsigned value = 0;
    for (size_t n = 0; n < text.size && text.data[n] >= '0' && text.data[n] <= '9' && value < 6553; n++)
        value = value * 10 + (unsigned)(text.data[n] - '0');
    return (uint16_t)value;
}

/* FNV-1a. */
static uint32_t hash(stamma_text text)
{
    uint32_t value = 2166136261u;
    for (size_t n = 0; n < text.size; n++)
        value = (value ^ (uint8_t)text.data[n]) * 16777619u;
    return value;
}

static void take_tag(stamma_text name, stamma_text value, bool *other)
{
    if (is(name, "White"))
        head.players[0] = hash(value);
    else if (is(name, "Black"))
        head.players[1] = hash(value);
    else if (is(name, "WhiteElo"))
        head.ratings[0] = number(value);
    else if (is(name, "BlackElo"))
        head.ratings[1] = number(value);
    else if (is(name, "TimeControl"))
        head.time = (uint8_t)stamma_predict_time(value);
    else if (is(name, "FEN"))
        *other = true;
}

static void take_event(const stamma_pgn_event *e, bool *broken, bool *other)
{
    if (e->kind == STAMMA_PGN_GAME_BEGIN) {
        memset(&head, 0, sizeof head);
        *broken = *other = false;
    } else if (e->kind == STAMMA_PGN_TAG) {
        take_tag(e->text, e->value, other);
    } else if (e->kind == STAMMA_PGN_MOVE && e->depth == 0) {
        *broken |= e->error != STAMMA_OK || e->move == STAMMA_MOVE_NULL || head.plies == PLIES_MAX;
        if (!*broken)
            moves[head.plies++] = e->move;
    } else if (e->kind == STAMMA_PGN_RESULT && e->depth == 0) {
        head.result = is(e->text, "1-0") ? 1 : is(e->text, "0-1") ? 2 : is(e->text, "1/2-1/2") ? 3 : 0;
    } else if (e->kind == STAMMA_PGN_GAME_END && !*other) {
        put_game();
    }
}

static int of_pgn(void)
{
    bool broken = false, other = false;
    stamma_pgn_reader *reader;
    stamma_pgn_event e;
    stamma_pgn_options options = {.size = sizeof options};
    const stamma_input input = {.context = stdin, .read = read_input};
    if (stamma_pgn_reader_open(&input, &options, &reader) != STAMMA_OK)
        return 1;
    while (stamma_pgn_reader_next(reader, &e) == STAMMA_OK && e.kind != STAMMA_PGN_END)
        take_event(&e, &broken, &other);
    stamma_pgn_reader_close(reader);
    return 0;
}

/* ---- files of moves ---- */

static bool take_varint(unsigned *value)
{
    int byte;
    *value = 0;
    for (unsigned shift = 0; shift < 28; shift += 7) {
        if ((byte = getchar()) == EOF)
            return false;
        *value |= (unsigned)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool take_moves(unsigned count)
{
    stamma_position position = stamma_position_start();
    for (unsigned n = 0; n < count; n++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        int index = getchar();
        if (index == EOF || (size_t)index >= stamma_legal_moves_canonical(&position, legal))
            return false;
        moves[n] = legal[index];
        stamma_position_make(&position, moves[n], &position);
    }
    head.plies = (uint16_t)count;
    return true;
}

static int of_moves(void)
{
    char magic[6];
    unsigned white, black, year, count;
    if (fread(magic, 1, sizeof magic, stdin) != sizeof magic || memcmp(magic, "STMV1\n", sizeof magic) != 0)
        return 1;
    while (take_varint(&white)) {
        memset(&head, 0, sizeof head);
        if (!take_varint(&black) || !take_varint(&year))
            return 1;
        int result = getchar();
        if (result == EOF || !take_varint(&count) || count > PLIES_MAX || !take_moves(count))
            return 1;
        head.ratings[0] = (uint16_t)white;
        head.ratings[1] = (uint16_t)black;
        head.result = (uint8_t)result;
        put_game();
    }
    return 0;
}

int main(int count, char **arguments)
{
    int status = count > 1 && strcmp(arguments[1], "--moves") == 0 ? of_moves() : of_pgn();
    fprintf(stderr, "%lu games, %lu plies%s\n", games, plies, status ? "; the input is not what it should be" : "");
    return status || fflush(stdout) != 0;
}
