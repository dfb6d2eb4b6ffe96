/* SPDX-License-Identifier: MIT */
/* The plies of a match: positions and moves, diagrams, and comments in PGN. */
#include "questions/find.h"

/* Plays the game from ply *ply up to ply `to`, which must not be before *ply. */
static void play_to(const stamma_archive_game *game, size_t *ply, size_t to, stamma_position *position)
{
    for (; *ply < to && *ply < game->ply_count; ++*ply)
        stamma_position_make(position, game->moves[*ply], position);
}

/* ---- fields ---- */

/* Calls `put` with the FEN or the SAN at each ply of the match. */
static void each_ply(const found_game *found, const stamma_archive_game *game, bool fen,
                     void (*put)(void *context, const char *text), void *context)
{
    stamma_position position = game->start;
    size_t ply = 0;
    char text[STAMMA_FEN_SIZE > STAMMA_SAN_SIZE ? STAMMA_FEN_SIZE : STAMMA_SAN_SIZE];
    for (size_t i = 0; i < found->ply_count; i++) {
        size_t at = found->plies[i];
        play_to(game, &ply, fen || at == 0 ? at : at - 1, &position);
        if (fen)
            (void)stamma_fen_write(&position, STAMMA_FEN_STANDARD, text, sizeof text);
        else if (at > 0 && at <= game->ply_count)
            (void)stamma_san_write(&position, game->moves[at - 1], text, sizeof text);
        put(context, fen || at > 0 ? text : NULL);
    }
}

static void put_element(void *context, const char *text)
{
    (void)context;
    tool_json_string(NULL, text);
}

void find_match_members(const found_game *found, const stamma_archive_game *game, bool fen, bool san)
{
    for (unsigned n = 0; n < 2; n++) {
        if (!(n == 0 ? fen : san))
            continue;
        tool_json_open(n == 0 ? "match.fen" : "match.san", '[');
        each_ply(found, game, n == 0, put_element, NULL);
        tool_json_close(']');
    }
}

static void put_part(void *context, const char *text)
{
    bool *first = context;
    tool_put_string(*first ? "" : "; ");
    tool_put_string(text ? text : "");
    *first = false;
}

void find_match_cells(const found_game *found, const stamma_archive_game *game, bool fen, bool san, tool_table *table)
{
    for (unsigned n = 0; n < 2; n++) {
        bool first = true;
        if (!(n == 0 ? fen : san))
            continue;
        tool_cell_string(table, "");
        each_ply(found, game, n == 0, put_part, &first);
    }
}

/* ---- diagrams ---- */

void find_match_board(const found_game *found, const stamma_archive_game *game)
{
    char fen[STAMMA_FEN_SIZE], san[STAMMA_SAN_SIZE] = "";
    stamma_position position = game->start;
    size_t ply = 0, to = found->ply_count > 0 ? found->plies[0] : 0;
    play_to(game, &ply, to > 0 ? to - 1 : 0, &position);
    if (to > 0 && to <= game->ply_count)
        (void)stamma_san_write(&position, game->moves[to - 1], san, sizeof san);
    unsigned number = position.fullmove_number, side = position.side;
    play_to(game, &ply, to, &position);
    (void)stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    tool_put_flush();
    const char *at = fen;
    for (int rank = 8; rank > 0; rank--, at++) {
        printf("        %d ", rank);
        for (; *at != '/' && *at != ' '; at++)
            for (int n = 0; n < (*at >= '1' && *at <= '8' ? *at - '0' : 1); n++)
                printf(" %c", *at >= '1' && *at <= '8' ? '.' : *at);
        putchar('\n');
    }
    printf("           a b c d e f g h   ");
    if (to > 0)
        printf("%u%s %s, ", number, side ? "..." : ".", san);
    printf("ply %zu, %s to move\n\n", to, position.side ? "Black" : "White");
}

/* ---- comments in PGN ---- */

typedef struct marking {
    const found_game *found;
    const char *text;
    size_t copied; /* bytes of the text that are in `out` */
    size_t next;   /* next ply of the match */
    FILE *out;
} marking;

/* Adds the comment at an offset, after a blank or before one. */
static void add_mark(marking *m, size_t offset, bool before)
{
    (void)fwrite(m->text + m->copied, 1, offset - m->copied, m->out);
    (void)fputs(before ? "{match} " : " {match}", m->out);
    m->copied = offset;
    m->next++;
}

static bool is_wanted(const marking *m, size_t ply)
{
    return m->next < m->found->ply_count && m->found->plies[m->next] == ply;
}

/* Reads the tokens of the text. A mark is added after a move and its glyphs. */
static void mark_moves(marking *m, stamma_pgn_reader *reader)
{
    stamma_pgn_event event;
    size_t ply = 0, end = 0;
    bool started = false, open = false;
    while (!stamma_pgn_reader_next(reader, &event) && event.kind != STAMMA_PGN_END &&
           event.kind != STAMMA_PGN_GAME_END && m->next < m->found->ply_count) {
        size_t place = (size_t)event.place.offset;
        bool main = event.depth == 0 && !event.more;
        if (event.kind == STAMMA_PGN_GAME_BEGIN || event.kind == STAMMA_PGN_TAG)
            continue;
        if (open && event.kind != STAMMA_PGN_NAG) {
            add_mark(m, end, false);
            open = false;
        }
        if (!started && is_wanted(m, 0))
            add_mark(m, place, true);
        started = true;
        if (main && event.kind == STAMMA_PGN_MOVE) {
            ply++;
            open = is_wanted(m, ply);
        }
        if (main && (event.kind == STAMMA_PGN_MOVE || event.kind == STAMMA_PGN_NAG))
            end = place + event.text.size;
    }
    if (open)
        add_mark(m, end, false);
}

char *find_match_mark(const found_game *found, const stamma_archive_game *game, size_t *size)
{
    const stamma_pgn_options options = {.size = sizeof options, .tokens_only = true, .move_numbers = true};
    stamma_pgn_reader *reader = NULL;
    system_text text;
    const bool opened = system_text_open(&text);
    marking m = {.found = found, .text = game->text.data, .out = text.stream};
    bool right = opened && !stamma_pgn_reader_open_memory(game->text.data, game->text.size, &options, &reader);
    if (right) {
        mark_moves(&m, reader);
        (void)fwrite(m.text + m.copied, 1, game->text.size - m.copied, m.out);
    }
    stamma_pgn_reader_close(reader);
    right = opened && system_text_close(&text) && right;
    *size = text.size;
    if (right)
        return text.text;
    (void)tool_fail_memory(NULL);
    free(text.text);
    return NULL;
}
