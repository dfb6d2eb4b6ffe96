/* SPDX-License-Identifier: MIT */
/* Reads PGN, valid or not, and prints a line for each error, then totals.
 *
 * usage: read_pgn [FILE] */
#include <inttypes.h>
#include <stdio.h>

#include "stamma.h"

static ptrdiff_t read_file(void *file, void *bytes, size_t size)
{
    size_t got = fread(bytes, 1, size, file);
    return got == 0 && ferror((FILE *)file) ? -1 : (ptrdiff_t)got;
}

typedef struct sums {
    uint64_t games, tags, moves, side_moves, comments, glyphs, variations, errors;
    uint32_t deepest;
} sums;

static void add(sums *s, const stamma_pgn_event *event)
{
    switch (event->kind) {
    case STAMMA_PGN_GAME_BEGIN: s->games++; break;
    case STAMMA_PGN_TAG: s->tags++; break;
    case STAMMA_PGN_MOVE: ++*(event->depth == 0 ? &s->moves : &s->side_moves); break;
    case STAMMA_PGN_COMMENT:
    case STAMMA_PGN_LINE_COMMENT: s->comments += !event->more; break;
    case STAMMA_PGN_NAG: s->glyphs++; break;
    case STAMMA_PGN_VARIATION_BEGIN: s->variations++; break;
    case STAMMA_PGN_ERROR:
        s->errors++;
        printf("game %" PRIu64 ", line %" PRIu64 ": %s: %.*s\n", event->place.game, event->place.line,
               stamma_error_text(event->error), (int)event->text.size, event->text.data);
        break;
    default: break;
    }
    s->deepest = event->depth > s->deepest ? event->depth : s->deepest;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "data/games.pgn";
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 2;
    }
    stamma_input input = {.context = file, .read = read_file};
    stamma_pgn_reader *reader;
    stamma_error error = stamma_pgn_reader_open(&input, NULL, &reader);
    if (error != STAMMA_OK) {
        fprintf(stderr, "read_pgn: %s\n", stamma_error_text(error));
        return 2;
    }

    sums s = {0};
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    while (error == STAMMA_OK && event.kind != STAMMA_PGN_END) {
        error = stamma_pgn_reader_next(reader, &event);
        if (error == STAMMA_OK)
            add(&s, &event);
    }
    stamma_pgn_reader_close(reader);
    fclose(file);
    if (error != STAMMA_OK) {
        fprintf(stderr, "read_pgn: %s: %s\n", path, stamma_error_text(error));
        return 2;
    }
    printf("%" PRIu64 " games, %" PRIu64 " tags, %" PRIu64 " moves\n", s.games, s.tags, s.moves);
    printf("%" PRIu64 " comments, %" PRIu64 " annotation glyphs\n", s.comments, s.glyphs);
    printf("%" PRIu64 " variations, %" PRIu32 " deep, with %" PRIu64 " moves\n", s.variations, s.deepest, s.side_moves);
    printf("%" PRIu64 " errors\n", s.errors);
    return s.errors > 0;
}
