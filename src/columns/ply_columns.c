/* SPDX-License-Identifier: MIT */
/* The rows of the tables of plies and positions, and the columns of the table of plies. */
#include "columns/columns.h"

/* ---- rows ---- */

/* Returns the next pseudo-random number: SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

void stamma_begin_plies(columns_job *j)
{
    j->random = j->plan->options.seed ^ (j->at.first_game * UINT64_C(0xD1B54A32D192ED03));
    j->shuffled.size = 0;
}

/* Sets the values that are the same for all plies of the game. */
static void set_game_values(columns_job *j)
{
    j->ply.game = j->game.number;
    for (size_t n = 0; n < j->output_count; n++)
        if (j->outputs[n].planned->known->set)
            j->outputs[n].planned->known->set(&j->row, &j->outputs[n], &j->ply);
}

/* Sets the values of a ply, except for the position before its move. */
static void set_ply(columns_job *j, size_t n)
{
    const stamma_archive_game *game = &j->game;
    const int64_t clock = game->clocks_ms ? game->clocks_ms[n] : -1;
    j->ply.ply = (uint32_t)n + 1;
    j->ply.move = game->moves[n];
    j->ply.clock_ms = clock > INT32_MAX ? INT32_MAX : (int32_t)clock;
    j->ply.evaluation = (stamma_evaluation){STAMMA_EVALUATION_NONE, 0};
    if (game->evaluations)
        j->ply.evaluation = game->evaluations[n];
}

static void add_row(columns_job *j, const ply_row *ply)
{
    j->row.ply = ply;
    for (size_t n = 0; n < j->output_count; n++)
        j->outputs[n].planned->known->add(&j->row, &j->outputs[n]);
    j->rows++;
}

/* Exchanges a row for a row of the shuffle buffer. Returns false if the buffer was not full: the row was only added. */
static bool exchange_row(columns_job *j, ply_row *ply)
{
    const uint32_t most = j->plan->options.shuffle;
    const size_t count = j->shuffled.size / sizeof *ply;
    if (count < most) {
        buffer_add(&j->shuffled, ply, sizeof *ply);
        j->row.no_memory |= j->shuffled.failed;
        return false;
    }
    ply_row *place = (ply_row *)(void *)j->shuffled.data + random_next(&j->random) % most;
    const ply_row leaves = *place;
    *place = *ply;
    *ply = leaves;
    return true;
}

/* Adds the row of a ply of the table of positions if it is selected. */
static void add_position(columns_job *j)
{
    const stamma_columns_options *o = &j->plan->options;
    if (j->ply.ply <= o->skip_plies || (o->sample > 1 && random_next(&j->random) % o->sample != 0))
        return;
    ply_row ply = j->ply;
    if (o->shuffle == 0 || exchange_row(j, &ply))
        add_row(j, &ply);
}

bool stamma_add_plies(columns_job *j)
{
    const bool positions = j->plan->options.table == STAMMA_TABLE_POSITIONS;
    const size_t count = j->game.moves ? j->game.ply_count : 0;
    stamma_position after;
    if (j->next_ply == 0)
        set_game_values(j);
    for (; j->next_ply < count && j->rows < j->plan->options.batch_rows && !j->row.no_memory; j->next_ply++) {
        set_ply(j, j->next_ply);
        stamma_position_make(&j->ply.position, j->ply.move, &after);
        j->row.after = &after;
        if (positions)
            add_position(j);
        else
            add_row(j, &j->ply);
        j->ply.position = after;
    }
    return j->next_ply >= count || j->row.no_memory;
}

bool stamma_add_shuffled(columns_job *j)
{
    size_t count = j->shuffled.size / sizeof(ply_row);
    ply_row *rows = (ply_row *)(void *)j->shuffled.data;
    bool added = false;
    for (; count > 0 && j->rows < j->plan->options.batch_rows; count--, added = true) {
        const size_t at = (size_t)(random_next(&j->random) % count);
        add_row(j, &rows[at]);
        rows[at] = rows[count - 1];
    }
    j->shuffled.size = count * sizeof(ply_row);
    return added;
}

/* ---- columns of both tables ---- */

void stamma_add_ply_game(const game_row *row, output_column *o)
{
    node_add_i64(o->node, (int64_t)row->ply->game);
}

void stamma_add_ply_number(const game_row *row, output_column *o)
{
    node_add_i32(o->node, (int32_t)row->ply->ply);
}

void stamma_add_ply_move(const game_row *row, output_column *o)
{
    node_add_u16(o->node, row->ply->move);
}

void stamma_add_ply_clock(const game_row *row, output_column *o)
{
    stamma_node_add_clock(o->node, row->ply->clock_ms);
}

void stamma_add_ply_eval_cp(const game_row *row, output_column *o)
{
    stamma_node_add_evaluation(o->node, row->ply->evaluation, STAMMA_EVALUATION_CENTIPAWNS);
}

void stamma_add_ply_mate(const game_row *row, output_column *o)
{
    stamma_node_add_evaluation(o->node, row->ply->evaluation, STAMMA_EVALUATION_MATE);
}

/* ---- the table of plies ---- */

/* Appends a text that the library wrote. */
static void add_written(column_node *n, const char *text, size_t size)
{
    buffer_add(&n->values, text, size);
    stamma_node_end_row(n);
}

static void add_uci(const game_row *row, output_column *o)
{
    char text[STAMMA_UCI_SIZE];
    const ply_row *ply = row->ply;
    add_written(o->node, text, stamma_uci_write(&ply->position, ply->move, row->chess960, text, sizeof text));
}

static void add_san(const game_row *row, output_column *o)
{
    char text[STAMMA_SAN_SIZE + 8];
    const ply_row *ply = row->ply;
    const unsigned facts = row->san_facts[ply->ply - 1]; /* never NULL, because no text is read for this table */
    add_written(o->node, text, stamma_san_spell(ply->move, facts, text));
}

static void add_time_spent(const game_row *row, output_column *o)
{
    stamma_node_add_clock(o->node, row->game->times_spent_ms ? row->game->times_spent_ms[row->ply->ply - 1] : -1);
}

static void add_fen(const game_row *row, output_column *o)
{
    char text[STAMMA_FEN_SIZE];
    add_written(o->node, text, stamma_fen_write(row->after, STAMMA_FEN_STANDARD, text, sizeof text));
}

static void add_key(const game_row *row, output_column *o)
{
    node_add_u64(o->node, stamma_position_key(row->after));
}

static void add_piece_counts(const game_row *row, output_column *o)
{
    for (unsigned n = 0; n < 12; n++)
        node_add_u8(o->node->children[0],
                    (uint8_t)bits_count(row->after->by_color[n / 6] & row->after->by_type[n % 6]));
    node_count(o->node);
}

const known_column stamma_ply_columns[] = {
    {.name = "game",
     .type = &stamma_type_i64,
     .meaning = "number of the game in the archive, from 1",
     .add = stamma_add_ply_game},
    {.name = "ply",
     .type = &stamma_type_i32,
     .meaning = "number of the ply in the game, from 1",
     .add = stamma_add_ply_number},
    {.name = "move16", .type = &stamma_type_u16, .meaning = "move in the encoding move16", .add = stamma_add_ply_move},
    {.name = "uci", .type = &stamma_type_text, .tags = {"Variant"}, .meaning = "move in UCI notation", .add = add_uci},
    {.name = "san", .type = &stamma_type_text, .parts = STAMMA_GAME_MOVES, .meaning = "move in SAN", .add = add_san},
    {.name = "clock_ms",
     .type = &stamma_type_i32,
     .parts = STAMMA_GAME_CLOCKS,
     .meaning = "time on the clock after the move in milliseconds",
     .add = stamma_add_ply_clock},
    {.name = "time_spent_ms",
     .type = &stamma_type_i32,
     .parts = STAMMA_GAME_CLOCKS,
     .not_default = true,
     .meaning = "time that the move took in milliseconds",
     .add = add_time_spent},
    {.name = "eval_cp",
     .type = &stamma_type_i16,
     .parts = STAMMA_GAME_EVALUATIONS,
     .meaning = "evaluation after the move in centipawns from White's view",
     .add = stamma_add_ply_eval_cp},
    {.name = "mate",
     .type = &stamma_type_i16,
     .parts = STAMMA_GAME_EVALUATIONS,
     .meaning = "moves to mate after the move, below 0 if Black mates",
     .add = stamma_add_ply_mate},
    {.name = "fen",
     .type = &stamma_type_text,
     .not_default = true,
     .meaning = "FEN of the position after the move",
     .add = add_fen},
    {.name = "key",
     .type = &stamma_type_u64,
     .not_default = true,
     .meaning = "64-bit key of the position after the move: equal for equal positions",
     .add = add_key},
    {.name = "piece_counts",
     .type = &stamma_type_counts,
     .not_default = true,
     .meaning =
         "numbers of pieces after the move: pawns, knights, bishops, rooks, queens, kings of White, then of Black",
     .add = add_piece_counts},
};

const size_t stamma_ply_column_count = sizeof stamma_ply_columns / sizeof *stamma_ply_columns;
