/* SPDX-License-Identifier: MIT */
/* A row for each ply of a game: the format `plies` of `stamma cat`. */
#include "games/game_views.h"

/* A ply, and the position before its move. */
typedef struct ply {
    const tool_view *view;
    size_t index; /* from 0 */
    const stamma_position *position;
} ply;

/* ---- texts ---- */

static stamma_text uci_of(const ply *p, char text[STAMMA_SAN_SIZE])
{
    const stamma_move move = p->view->game->moves[p->index];
    return (stamma_text){text, stamma_uci_write(p->position, move, p->view->chess960, text, STAMMA_SAN_SIZE)};
}

static stamma_text san_of(const ply *p, char text[STAMMA_SAN_SIZE])
{
    return (stamma_text){text, stamma_san_write(p->position, p->view->game->moves[p->index], text, STAMMA_SAN_SIZE)};
}

static stamma_evaluation evaluation_of(const ply *p)
{
    return p->view->game->evaluations[p->index];
}

/* Writes the FEN of the position before the move, or after it. */
static stamma_text fen_of(const ply *p, bool after, char fen[STAMMA_FEN_SIZE])
{
    stamma_position position = *p->position;
    if (after)
        stamma_position_make(p->position, p->view->game->moves[p->index], &position);
    return (stamma_text){fen, tool_view_fen(p->view, &position, fen)};
}

/* ---- members ---- */

static void json_game(const ply *p)
{
    tool_json_known("game", p->view->game->number);
}

static void json_ply(const ply *p)
{
    tool_json_number("ply", p->index + 1);
}

static void json_uci(const ply *p)
{
    char text[STAMMA_SAN_SIZE];
    tool_json_word("uci", uci_of(p, text));
}

static void json_san(const ply *p)
{
    char text[STAMMA_SAN_SIZE];
    tool_json_word("san", san_of(p, text));
}

static void json_fen_before(const ply *p)
{
    char fen[STAMMA_FEN_SIZE];
    tool_json_word("fen_before", fen_of(p, false, fen));
}

static void json_fen(const ply *p)
{
    char fen[STAMMA_FEN_SIZE];
    tool_json_word("fen", fen_of(p, true, fen));
}

static void json_clock(const ply *p)
{
    tool_json_time("clock_ms", p->view->game->clocks_ms[p->index]);
}

static void json_time_spent(const ply *p)
{
    tool_json_time("time_spent_ms", p->view->game->times_spent_ms[p->index]);
}

static void json_eval_cp(const ply *p)
{
    tool_json_evaluation("eval_cp", evaluation_of(p), STAMMA_EVALUATION_CENTIPAWNS);
}

static void json_mate(const ply *p)
{
    tool_json_evaluation("mate", evaluation_of(p), STAMMA_EVALUATION_MATE);
}

static void json_bits(const ply *p)
{
    if (p->view->frequencies)
        tool_json_real("bits", tool_view_bits(p->view, p->index), 2);
    else
        tool_json_string("bits", NULL);
}

/* ---- cells ---- */

static void cell_game(const ply *p, tool_table *t)
{
    if (p->view->game->number > 0)
        tool_cell_number(t, p->view->game->number);
    else
        tool_cell_string(t, "");
}

static void cell_ply(const ply *p, tool_table *t)
{
    tool_cell_number(t, p->index + 1);
}

static void cell_uci(const ply *p, tool_table *t)
{
    char text[STAMMA_SAN_SIZE];
    tool_cell_word(t, uci_of(p, text));
}

static void cell_san(const ply *p, tool_table *t)
{
    char text[STAMMA_SAN_SIZE];
    tool_cell_word(t, san_of(p, text));
}

static void cell_fen_before(const ply *p, tool_table *t)
{
    char fen[STAMMA_FEN_SIZE];
    tool_cell_word(t, fen_of(p, false, fen));
}

static void cell_fen(const ply *p, tool_table *t)
{
    char fen[STAMMA_FEN_SIZE];
    tool_cell_word(t, fen_of(p, true, fen));
}

static void cell_clock(const ply *p, tool_table *t)
{
    char text[TOOL_NUMBER_SIZE];
    tool_time_text(p->view->game->clocks_ms[p->index], text);
    tool_cell_string(t, text);
}

static void cell_time_spent(const ply *p, tool_table *t)
{
    char text[TOOL_NUMBER_SIZE];
    tool_time_text(p->view->game->times_spent_ms[p->index], text);
    tool_cell_string(t, text);
}

static void cell_eval_cp(const ply *p, tool_table *t)
{
    char text[TOOL_NUMBER_SIZE];
    tool_evaluation_text(evaluation_of(p), STAMMA_EVALUATION_CENTIPAWNS, text);
    tool_cell_string(t, text);
}

static void cell_mate(const ply *p, tool_table *t)
{
    char text[TOOL_NUMBER_SIZE];
    tool_evaluation_text(evaluation_of(p), STAMMA_EVALUATION_MATE, text);
    tool_cell_string(t, text);
}

static void cell_bits(const ply *p, tool_table *t)
{
    char text[TOOL_NUMBER_SIZE] = "";
    if (p->view->frequencies)
        (void)snprintf(text, sizeof text, "%.2f", tool_view_bits(p->view, p->index));
    tool_cell_string(t, text);
}

/* ---- fields by name ---- */

static const struct field {
    const char *name;
    void (*json)(const ply *p);
    void (*cell)(const ply *p, tool_table *t);
    unsigned parts; /* STAMMA_GAME_..., besides moves */
} fields[] = {
    {"game", json_game, cell_game, 0},
    {"ply", json_ply, cell_ply, 0},
    {"uci", json_uci, cell_uci, STAMMA_GAME_TAGS}, /* the Variant tag is needed to recognise Chess960 */
    {"san", json_san, cell_san, 0},
    {"fen_before", json_fen_before, cell_fen_before, 0},
    {"fen", json_fen, cell_fen, 0},
    {"clock_ms", json_clock, cell_clock, STAMMA_GAME_CLOCKS},
    {"time_spent_ms", json_time_spent, cell_time_spent, STAMMA_GAME_CLOCKS},
    {"eval_cp", json_eval_cp, cell_eval_cp, STAMMA_GAME_EVALUATIONS},
    {"mate", json_mate, cell_mate, STAMMA_GAME_EVALUATIONS},
    {"bits", json_bits, cell_bits, STAMMA_GAME_TAGS},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const struct field *find_field(stamma_text name)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (tool_text_is(name, fields[i].name))
            return &fields[i];
    return NULL;
}

const char *tool_plies_all(bool bits)
{
    return bits ? "game,ply,uci,san,fen_before,clock_ms,eval_cp,mate,bits"
                : "game,ply,uci,san,fen_before,clock_ms,eval_cp,mate";
}

bool tool_plies_check(const char *list, unsigned *parts)
{
    stamma_text name = {list, 0};
    *parts = STAMMA_GAME_MOVES;
    if (*list == 0)
        tool_say(NULL, "--columns has no column");
    while (tool_fields_next(&list, &name)) {
        const struct field *field = find_field(name);
        if (!field && !tool_fields_is_tag(name)) {
            tool_say(NULL,
                     "there is no column \"%.*s\" of a ply; columns are tag names and "
                     "game,ply,uci,san,fen_before,fen,clock_ms,time_spent_ms,eval_cp,mate,bits",
                     (int)name.size, name.data);
            return false;
        }
        *parts |= field ? field->parts : STAMMA_GAME_TAGS;
    }
    return name.size > 0;
}

/* ---- rows ---- */

static void print_member(const ply *p, stamma_text name)
{
    const struct field *field = find_field(name);
    if (field)
        field->json(p);
    else
        tool_tag_member(p->view->game, name);
}

static void print_cell(const ply *p, stamma_text name, tool_table *t)
{
    const struct field *field = find_field(name);
    if (field)
        field->cell(p, t);
    else
        tool_tag_cell(p->view->game, name, t);
}

static void print_object(const char *list, const ply *p)
{
    stamma_text name;
    tool_json_open(NULL, '{');
    while (tool_fields_next(&list, &name))
        print_member(p, name);
    tool_json_close('}');
    tool_json_end();
}

static void print_row(const char *list, const ply *p, tool_table *t)
{
    stamma_text name;
    while (tool_fields_next(&list, &name))
        print_cell(p, name, t);
    tool_row_end(t);
}

void tool_plies_print(const char *list, const tool_view *v, tool_table *t)
{
    stamma_position position = v->game->start;
    for (size_t i = 0; i < v->game->ply_count; i++) {
        const ply p = {v, i, &position};
        if (v->json)
            print_object(list, &p);
        else
            print_row(list, &p, t);
        stamma_position_make(&position, v->game->moves[i], &position);
    }
}
