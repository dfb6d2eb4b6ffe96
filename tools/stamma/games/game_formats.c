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
    stamma_text variant = stamma_archive_game_tag(game, stamma_text_of("Variant"));
    for (size_t i = 0; i + 3 <= variant.size; i++)
        if (memcmp(variant.data + i, "960", 3) == 0)
            return true;
    for (size_t i = 0; i + 6 <= variant.size; i++)
        if (memcmp(variant.data + i, "ischer", 6) == 0)
            return true;
    return tool_is_chess960(&game->start);
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

static size_t write_fen(const tool_view *v, const stamma_position *position, char fen[STAMMA_FEN_SIZE])
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
    (void)write_fen(v, &game->start, v->fen);
    v->set_up = strcmp(v->fen, usual) != 0;
}

void tool_game_pgn(const tool_view *v)
{
    const stamma_archive_game *game = v->game;
    (void)fwrite(game->text.data, 1, game->text.size, stdout);
}

bool tool_game_leaves_line_open(const stamma_archive_game *game)
{
    char last = game->text.size > 0 ? game->text.data[game->text.size - 1] : '\n';
    return last != '\r' && last != '\n';
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
        (void)write_fen(v, &position, fen);
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

/* ---- a row for each ply ---- */

/* The texts of a row that describe the move. */
typedef struct ply_words {
    stamma_text uci, san, fen;
} ply_words;

static void print_ply_object(const tool_view *v, size_t ply, const ply_words *words)
{
    tool_json_open(NULL, '{');
    if (v->game->number > 0)
        tool_json_number("game", v->game->number);
    else
        tool_json_string("game", NULL);
    tool_json_number("ply", ply + 1);
    tool_json_word("uci", words->uci);
    tool_json_word("san", words->san);
    tool_json_word("fen", words->fen);
    tool_json_clock("clock", v->game->clocks_ms[ply]);
    tool_json_evaluation("evaluation", v->game->evaluations[ply]);
    if (v->frequencies)
        tool_json_real("bits", tool_view_bits(v, ply), 2);
    tool_json_close('}');
    tool_json_end();
}

static void print_ply_row(const tool_view *v, size_t ply, const ply_words *words)
{
    tool_table table = {.tabs = false};
    char text[TOOL_NUMBER_SIZE];
    if (v->game->number > 0)
        tool_cell_number(&table, v->game->number);
    else
        tool_cell_string(&table, "");
    tool_cell_number(&table, ply + 1);
    tool_cell_word(&table, words->uci);
    tool_cell_word(&table, words->san);
    tool_cell_word(&table, words->fen);
    tool_clock_text(v->game->clocks_ms[ply], text);
    tool_cell_string(&table, text);
    tool_evaluation_text(v->game->evaluations[ply], text);
    tool_cell_string(&table, text);
    if (v->frequencies) {
        (void)snprintf(text, sizeof text, "%.2f", tool_view_bits(v, ply));
        tool_cell_string(&table, text);
    }
    tool_row_end(&table);
}

void tool_game_plies(const tool_view *v)
{
    char uci[STAMMA_SAN_SIZE], san[STAMMA_SAN_SIZE], fen[STAMMA_FEN_SIZE];
    stamma_position position = v->game->start;
    for (size_t i = 0; i < v->game->ply_count; i++) {
        stamma_move move = v->game->moves[i];
        ply_words words = {{uci, stamma_uci_write(&position, move, v->chess960, uci, sizeof uci)},
                           {san, stamma_san_write(&position, move, san, sizeof san)},
                           {fen, write_fen(v, &position, fen)}};
        (v->json ? print_ply_object : print_ply_row)(v, i, &words);
        stamma_position_make(&position, move, &position);
    }
}
