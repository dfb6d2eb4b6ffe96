/* SPDX-License-Identifier: MIT */
/* The probabilities of the moves of a position. The prediction needs the moves before the position: the moves of the
 * request, or if the request sets up a position, the moves of a game that reaches the position. */
#include "answering/serve_answers.h"

enum { HISTORY = 4 /* moves that the network of the predictor uses (doc/format/predictor.md) */ };

typedef struct prediction {
    const stamma_position *position;
    serve_likely *likely;
    bool done;
} prediction;

static bool is_history_known(const serve_request *r)
{
    const stamma_position initial = stamma_position_start();
    return r->plies >= HISTORY || stamma_position_equal(&r->start, &initial);
}

/* Predicts from the moves of a game before it reaches the position. */
static bool predict_in_game(void *context, const stamma_archive_game *game)
{
    prediction *p = context;
    stamma_position at = game->start;
    size_t ply = 0;
    bool reached = stamma_position_equal(&at, p->position);
    for (; !p->done && !reached && ply < game->ply_count; ply++) {
        stamma_position_make(&at, game->moves[ply], &at);
        reached = stamma_position_equal(&at, p->position);
    }
    if (!p->done && reached)
        p->done = !stamma_predict(&game->start, game->moves, ply, NULL, p->likely->moves, &p->likely->count);
    return true;
}

/* Predicts from the game of the most frequent move whose players have the highest ratings. */
static bool predict_in_tree(serve_exchange *x, const serve_archive_list *list, const stamma_tree *tree, prediction *p)
{
    if (stamma_tree_move_count(tree) == 0)
        return false;
    const stamma_tree_game *game = &stamma_tree_move_at(tree, 0)->top;
    serve_archive *a = serve_archive_numbered(list, serve_tree_archive(game));
    if (a && !serve_archive_is_slow(a) && !serve_archive_read(x, a, game->game, STAMMA_GAME_MOVES, predict_in_game, p))
        x->fault = (serve_fault){.status = 0};
    return p->done;
}

void serve_predict(serve_exchange *x, const serve_archive_list *list, const serve_request *r, const stamma_tree *tree,
                   serve_likely *likely)
{
    prediction p = {.position = &r->position, .likely = likely};
    if (!is_history_known(r) && predict_in_tree(x, list, tree, &p))
        return;
    if (stamma_predict(&r->start, r->played, r->plies, NULL, likely->moves, &likely->count))
        likely->count = 0;
}
