/* One game of an archive on standard output, in each format of `stamma cat`. */
#include "tool.h"

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

/* Chess960 by its position, or because the Variant tag says so: start position 518 looks like any other game. */
static bool game_is_chess960(const stamma_archive_game *game)
{
    stamma_text variant = tool_tag(game, "Variant");
    for (size_t i = 0; i + 3 <= variant.size; i++)
        if (memcmp(variant.data + i, "960", 3) == 0)
            return true;
    for (size_t i = 0; i + 6 <= variant.size; i++)
        if (memcmp(variant.data + i, "ischer", 6) == 0)
            return true;
    return tool_is_chess960(&game->start);
}

/* The FEN of the start, in `fen`, and whether it is not the initial position. */
static bool set_up_start(const stamma_archive_game *game, char fen[STAMMA_FEN_SIZE])
{
    char usual[STAMMA_FEN_SIZE];
    stamma_position start = stamma_position_start();
    (void)stamma_fen_write(&start, STAMMA_FEN_STANDARD, usual, sizeof usual);
    (void)stamma_fen_write(&game->start, STAMMA_FEN_STANDARD, fen, STAMMA_FEN_SIZE);
    return strcmp(fen, usual) != 0;
}

void tool_game_pgn(const stamma_archive_game *game)
{
    (void)fwrite(game->text.data, 1, game->text.size, stdout);
}

void tool_game_uci(const stamma_archive_game *game)
{
    char text[STAMMA_FEN_SIZE];
    stamma_position position = game->start;
    bool chess960 = game_is_chess960(game);
    const char *before = "";
    if (set_up_start(game, text)) {
        printf("fen %s%s", text, game->ply_count > 0 ? " moves" : "");
        before = " ";
    }
    for (size_t i = 0; i < game->ply_count; i++, before = " ") {
        (void)stamma_uci_write(&position, game->moves[i], chess960, text, sizeof text);
        printf("%s%s", before, text);
        stamma_position_make(&position, game->moves[i], &position);
    }
    putchar('\n');
}

void tool_game_fen(const stamma_archive_game *game)
{
    char fen[STAMMA_FEN_SIZE];
    stamma_position position = game->start;
    for (size_t i = 0;; i++) {
        (void)stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
        puts(fen);
        if (i == game->ply_count)
            break;
        stamma_position_make(&position, game->moves[i], &position);
    }
    putchar('\n');
}

/* One position with the operations of PGN standard 16.2.5, in ASCII order of their opcodes: full move number, half-move
 * clock, id, and the move that was played ("supplied move"). */
static void print_epd(const stamma_position *position, uint64_t number, size_t ply, const char *san)
{
    char operations[128], epd[256];
    (void)snprintf(operations, sizeof operations, "fmvn %u; hmvc %u; id \"game %" PRIu64 ", ply %zu\";%s%s%s",
                   (unsigned)position->fullmove_number, (unsigned)position->halfmove_clock, number, ply,
                   san ? " sm " : "", san ? san : "", san ? ";" : "");
    (void)stamma_epd_write(position, tool_text_of(operations), epd, sizeof epd);
    puts(epd);
}

void tool_game_epd(const stamma_archive_game *game)
{
    char san[STAMMA_SAN_SIZE];
    stamma_position position = game->start;
    for (size_t i = 0; i < game->ply_count; i++) {
        (void)stamma_san_write(&position, game->moves[i], san, sizeof san);
        print_epd(&position, game->number, i, san);
        stamma_position_make(&position, game->moves[i], &position);
    }
    print_epd(&position, game->number, game->ply_count, NULL);
}

/* ---- json ---- */

static bool is_repeated(const stamma_archive_game *game, size_t index)
{
    stamma_text name = game->tags[2 * index];
    for (size_t i = 0; i < index; i++) {
        stamma_text other = game->tags[2 * i];
        if (other.size == name.size && memcmp(other.data, name.data, name.size) == 0)
            return true;
    }
    return false;
}

/* "tags" has the first of each name; "repeated_tags", a list of pairs, the others where there are any. */
static void print_tags(const stamma_archive_game *game)
{
    size_t repeated = 0;
    tool_json_open("tags", '{');
    for (size_t i = 0; i < game->tag_count; i++) {
        if (is_repeated(game, i)) {
            repeated++;
            continue;
        }
        stamma_text value = tool_text_unescape(game->tags[2 * i + 1]);
        tool_json_named_text(game->tags[2 * i], value);
        free((char *)(uintptr_t)value.data);
    }
    tool_json_close('}');
    if (repeated == 0)
        return;
    tool_json_open("repeated_tags", '[');
    for (size_t i = 0; i < game->tag_count; i++) {
        if (!is_repeated(game, i))
            continue;
        stamma_text value = tool_text_unescape(game->tags[2 * i + 1]);
        tool_json_open(NULL, '[');
        tool_json_text(NULL, game->tags[2 * i]);
        tool_json_text(NULL, value);
        tool_json_close(']');
        free((char *)(uintptr_t)value.data);
    }
    tool_json_close(']');
}

static void print_moves(const stamma_archive_game *game, bool chess960, bool san)
{
    char text[STAMMA_SAN_SIZE];
    stamma_position position = game->start;
    tool_json_open(san ? "san" : "uci", '[');
    for (size_t i = 0; i < game->ply_count; i++) {
        if (san)
            (void)stamma_san_write(&position, game->moves[i], text, sizeof text);
        else
            (void)stamma_uci_write(&position, game->moves[i], chess960, text, sizeof text);
        tool_json_string(NULL, text);
        stamma_position_make(&position, game->moves[i], &position);
    }
    tool_json_close(']');
}

void tool_game_json(const stamma_archive_game *game)
{
    char fen[STAMMA_FEN_SIZE];
    bool chess960 = game_is_chess960(game);
    bool set_up = set_up_start(game, fen);
    tool_json_open(NULL, '{');
    tool_json_game_number(game->number);
    print_tags(game);
    tool_json_text("result", tool_result(game));
    tool_json_string("fen", set_up ? fen : NULL);
    tool_json_bool("chess960", chess960);
    tool_json_number("plies", game->ply_count);
    tool_json_number("moves_bits", game->moves_bits);
    tool_json_string("kept_as_text", tool_notice_is_loss(game->reason) ? tool_reason_word(game->reason) : NULL);
    print_moves(game, chess960, false);
    print_moves(game, chess960, true);
    tool_json_close('}');
    tool_json_end();
}
