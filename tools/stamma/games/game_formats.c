/* SPDX-License-Identifier: MIT */
/* One game on standard output, as moves or positions: formats of `stamma cat`. */
#include "games/game_views.h"

bool tool_is_chess960(const stamma_position *position)
{
    for (int color = 0; color < 2; color++)
        for (int side = 0; side < 2; side++) {
            unsigned rook = position->castling[color][side];
            if (rook == STAMMA_SQUARE_NONE)
                continue;
            unsigned home = color == STAMMA_WHITE ? 0 : 56;
            uint64_t king = position->by_type[STAMMA_KING] & position->by_color[color];
            if (rook != home + (side == STAMMA_KING_SIDE ? 7 : 0) || king != (uint64_t)1 << (home + 4))
                return true;
        }
    return false;
}

/* Returns whether a game is Chess960: by its start position, or by the Variant tag, because start position 518 is that
 * of standard chess. */
static bool game_is_chess960(const stamma_archive_game *game)
{
    return stamma_chess960_read(stamma_archive_game_tag(game, stamma_text_of("Variant"))) ||
           tool_is_chess960(&game->start);
}

/* Returns whether a pawn can legally capture on the en passant square. */
static bool captures_en_passant(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++) {
        stamma_square from = stamma_move_from(moves[i]), to = stamma_move_to(moves[i]);
        if (to == position->en_passant && from % 8 != to % 8 && position->by_type[STAMMA_PAWN] >> from & 1)
            return true;
    }
    return false;
}

/* Returns the position to print, with an en passant square only if the options allow it. */
static stamma_position shown(const stamma_position *position, bool legal_en_passant)
{
    stamma_position copy = *position;
    if (legal_en_passant && copy.en_passant != STAMMA_SQUARE_NONE && !captures_en_passant(position))
        copy.en_passant = STAMMA_SQUARE_NONE;
    return copy;
}

size_t tool_view_fen(const tool_view *v, const stamma_position *position, char fen[STAMMA_FEN_SIZE])
{
    stamma_position copy = shown(position, v->legal_en_passant);
    return stamma_fen_write(&copy, STAMMA_FEN_STANDARD, fen, STAMMA_FEN_SIZE);
}

void tool_view_game(tool_view *v, const stamma_archive_game *game)
{
    char usual[STAMMA_FEN_SIZE];
    stamma_position start = stamma_position_start();
    v->game = game;
    v->chess960 = game_is_chess960(game);
    (void)stamma_fen_write(&start, STAMMA_FEN_STANDARD, usual, sizeof usual);
    (void)tool_view_fen(v, &game->start, v->fen);
    v->set_up = strcmp(v->fen, usual) != 0;
}

void tool_game_pgn(const tool_view *v)
{
    const stamma_archive_game *game = v->game;
    tool_print_bytes(game->text.data, game->text.size);
}

void tool_game_uci(const tool_view *v)
{
    char text[STAMMA_SAN_SIZE];
    const stamma_archive_game *game = v->game;
    stamma_position position = game->start;
    const char *before = "";
    if (v->set_up) {
        printf("fen %s%s", v->fen, game->ply_count > 0 ? " moves" : "");
        before = " ";
    }
    for (size_t i = 0; i < game->ply_count; i++, before = " ") {
        (void)stamma_uci_write(&position, game->moves[i], v->chess960, text, sizeof text);
        printf("%s%s", before, text);
        stamma_position_make(&position, game->moves[i], &position);
    }
    putchar('\n');
}

void tool_game_fen(const tool_view *v)
{
    char fen[STAMMA_FEN_SIZE];
    const stamma_archive_game *game = v->game;
    stamma_position position = game->start;
    for (size_t i = 0;; i++) {
        (void)tool_view_fen(v, &position, fen);
        puts(fen);
        if (i == game->ply_count)
            break;
        stamma_position_make(&position, game->moves[i], &position);
    }
    putchar('\n');
}

/* Prints one position with the operations of PGN standard 16.2.5, in ASCII order of their opcodes: full move number,
 * halfmove clock, id, and the move that was played ("supplied move"). */
static void print_epd(const tool_view *v, const stamma_position *position, size_t ply, const char *san)
{
    stamma_position copy = shown(position, v->legal_en_passant);
    char operations[128], epd[256];
    (void)snprintf(operations, sizeof operations, "fmvn %u; hmvc %u; id \"game %" PRIu64 ", ply %zu\";%s%s%s",
                   (unsigned)position->fullmove_number, (unsigned)position->halfmove_clock, v->game->number, ply,
                   san ? " sm " : "", san ? san : "", san ? ";" : "");
    (void)stamma_epd_write(&copy, stamma_text_of(operations), epd, sizeof epd);
    puts(epd);
}

void tool_game_epd(const tool_view *v)
{
    const stamma_archive_game *game = v->game;
    char san[STAMMA_SAN_SIZE];
    stamma_position position = game->start;
    for (size_t i = 0; i < game->ply_count; i++) {
        (void)stamma_san_write(&position, game->moves[i], san, sizeof san);
        print_epd(v, &position, i, san);
        stamma_position_make(&position, game->moves[i], &position);
    }
    print_epd(v, &position, game->ply_count, NULL);
}
