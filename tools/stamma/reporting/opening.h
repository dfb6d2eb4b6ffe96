/* SPDX-License-Identifier: MIT */
/* The data of a report about an opening: games that reach a position, the lines played from it, and typical plans. */
#ifndef STAMMA_OPENING_H
#define STAMMA_OPENING_H

#include "reporting/report.h"

enum {
    OPENING_STRUCTURE_PLIES = 20, /* pawn structures are those this number of plies after the position */
    OPENING_PLAN_PLIES = 30,      /* plies after the position that count for placements and manoeuvres */
    OPENING_PATH = 4,             /* squares of a manoeuvre, at most */
    OPENING_LINE_SIZE = 512
};

/* A line: the moves from the position to a move that ends a branch of the tree. */
typedef struct opening_line {
    size_t node; /* the last move */
    uint64_t games;
} opening_line;

/* A move whose share of the games in its position has grown, or has become smaller. */
typedef struct opening_change {
    size_t node;
    double before, recent; /* shares of the games of its position in percent */
    double gained;         /* recent games more than expected from the earlier share; negative: fewer */
} opening_change;

/* Games with a feature. */
typedef struct opening_feature {
    uint64_t key[2]; /* what the key means depends on the list */
    uint64_t games, won, drawn, lost;
} opening_feature;

typedef struct opening_features {
    opening_feature *list; /* most games first */
    size_t count, room, merged;
    uint64_t games; /* games that were examined */
} opening_features;

typedef struct opening_report {
    report r;           /* games from the side of White; trees[STAMMA_WHITE] begins in r.start */
    const char *wanted; /* as given */
    stamma_move *path;  /* moves from the initial position to r.start; path_count is 0 if they are not known */
    size_t path_count;
    stamma_text eco, name; /* of the position, or of the last move to it that has a name; empty: none */
    uint64_t rated, rating_sum;
    opening_line *lines; /* most games first */
    size_t line_count, line_room;
    opening_change *changes; /* largest gain first */
    size_t change_count, change_room;
    const report_game **key_games[3]; /* wins of White, draws, wins of Black; highest mean rating first */
    size_t key_counts[3];
    opening_features structures; /* keys: white and black pawns */
    opening_features endgames;   /* key[0]: 4 bits for each of QRBN of White, then of Black */
    opening_features placements; /* key[0]: opening_place */
    opening_features manoeuvres; /* key[0]: opening_place of the first square; key[1]: the other squares, 6 bits each,
                                    and their number in the highest byte */
} opening_report;

/* A piece on a square: color << 9 | type << 6 | square. */
static inline uint64_t opening_place(stamma_color color, stamma_piece_type type, stamma_square square)
{
    return (uint64_t)color << 9 | (uint64_t)type << 6 | square;
}

/* ---- games (opening_games.c) ---- */

/* Finds the position: o->wanted is a FEN, moves, an ECO code or a part of an opening's name. Reads the games that reach
 * the position. Returns false, after a message, on failure. */
bool opening_read(opening_report *o);
void opening_close(opening_report *o);

/* ---- lines, key games (opening_lines.c), plans (opening_plans.c) ---- */

bool opening_find_lines(opening_report *o);
bool opening_find_plans(opening_report *o);
/* Writes the moves from the position to a node, "3. d4 cxd4 4. Nxd4". A line that is too long ends with "...". */
const char *opening_line_text(const opening_report *o, size_t node, char out[OPENING_LINE_SIZE]);
/* Writes the moves of a game after the position, at most `plies`. */
const char *opening_game_text(const opening_report *o, const report_game *g, size_t plies, char out[OPENING_LINE_SIZE]);
/* Writes the moves to the position, "1. e4 c5 2. Nf3"; its FEN if the moves are not known. */
const char *opening_path_text(const opening_report *o, char out[OPENING_LINE_SIZE]);
/* Write features: "Nd5", "O-O"; "Nb1-d2-f1"; "R v R"; "R+B v R+N". */
const char *opening_placement_text(const opening_feature *f, char out[32]);
const char *opening_manoeuvre_text(const opening_feature *f, char out[32]);
const char *opening_endgame_text(const opening_feature *f, char out[32]);
/* Writes a board field with only the pawns. */
const char *opening_structure_text(const opening_feature *f, char out[STAMMA_FEN_SIZE]);
/* Returns the color of a placement or a manoeuvre. */
stamma_color opening_feature_color(const opening_feature *f);

/* ---- outputs: return false, after a message, on failure ---- */

bool opening_put_text(const opening_report *o);
bool opening_put_html(const opening_report *o);
bool opening_put_json(const opening_report *o);
bool opening_put_pgn(const opening_report *o, const stamma_output *output);

#endif
