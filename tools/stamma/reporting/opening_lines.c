/* SPDX-License-Identifier: MIT */
/* Lines of an opening: the branches of its tree, moves whose share changes, and key games. */
#include "reporting/opening.h"

enum {
    CHANGE_DEPTH = 8,  /* changes are of moves up to this depth */
    CHANGE_GAMES = 20, /* smallest number of recent games, and of earlier games, of a position with changes */
    KEY_GAMES = 5      /* of each result */
};

static const report_tree *tree_of(const opening_report *o)
{
    return &o->r.trees[STAMMA_WHITE];
}

/* ---- lines ---- */

static int compare_lines(const void *left, const void *right)
{
    const opening_line *a = left, *b = right;
    return a->games != b->games ? (a->games < b->games) - (a->games > b->games)
                                : (a->node > b->node) - (a->node < b->node);
}

static bool find_lines(opening_report *o)
{
    const report_tree *t = tree_of(o);
    for (size_t i = 0; i < t->count; i++) {
        if (i + 1 < t->count && t->nodes[i + 1].depth > t->nodes[i].depth)
            continue;
        if (!tool_list_grow(&o->lines, &o->line_room, o->line_count, 1, sizeof *o->lines))
            return false;
        o->lines[o->line_count++] = (opening_line){i, t->nodes[i].games};
    }
    if (o->line_count > 1)
        qsort(o->lines, o->line_count, sizeof *o->lines, compare_lines);
    return true;
}

/* ---- changes ---- */

static int compare_changes(const void *left, const void *right)
{
    const opening_change *a = left, *b = right;
    if (a->gained < b->gained || a->gained > b->gained)
        return a->gained < b->gained ? 1 : -1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Adds the moves of positions with enough games, compared with all games of their position. A position that occurs
 * again in the tree is not repeated there. */
static bool find_changes(opening_report *o)
{
    const report_tree *t = tree_of(o);
    for (size_t i = 0; i < t->count; i++) {
        const report_node *n = &t->nodes[i];
        const uint64_t before = n->of_dated - n->of_recent;
        if (n->depth > CHANGE_DEPTH || before < CHANGE_GAMES || n->of_recent < CHANGE_GAMES)
            continue;
        if (!tool_list_grow(&o->changes, &o->change_room, o->change_count, 1, sizeof *o->changes))
            return false;
        const double recent_share = (double)n->recent / (double)n->of_recent;
        const double before_share = (double)(n->dated - n->recent) / (double)before;
        o->changes[o->change_count++] = (opening_change){i, 100 * before_share, 100 * recent_share,
                                                         (recent_share - before_share) * (double)n->of_recent};
    }
    if (o->change_count > 1)
        qsort(o->changes, o->change_count, sizeof *o->changes, compare_changes);
    return true;
}

/* ---- key games ---- */

static int compare_key_games(const void *left, const void *right)
{
    const report_game *a = *(const report_game *const *)left, *b = *(const report_game *const *)right;
    if (a->opponent_rating != b->opponent_rating)
        return a->opponent_rating < b->opponent_rating ? 1 : -1;
    return a < b ? 1 : a > b ? -1 : 0; /* games are in the order of their dates */
}

static bool find_key_games(opening_report *o)
{
    static const report_outcome outcomes[] = {REPORT_WON, REPORT_DRAWN, REPORT_LOST};
    for (size_t n = 0; n < 3; n++) {
        size_t count = 0;
        o->key_games[n] = malloc((o->r.count + 1) * sizeof *o->key_games[n]);
        if (!o->key_games[n])
            return tool_fail_memory(NULL);
        for (size_t i = 0; i < o->r.count; i++)
            if (o->r.games[i].outcome == outcomes[n] && o->r.games[i].opponent_rating > 0)
                o->key_games[n][count++] = &o->r.games[i];
        if (count > 1)
            qsort(o->key_games[n], count, sizeof *o->key_games[n], compare_key_games);
        o->key_counts[n] = count < KEY_GAMES ? count : KEY_GAMES;
    }
    return true;
}

bool opening_find_lines(opening_report *o)
{
    return find_lines(o) && find_changes(o) && find_key_games(o);
}

/* ---- words ---- */

/* Appends moves with their numbers. */
static const char *write_moves(stamma_position position, const stamma_move *moves, size_t count,
                               char out[OPENING_LINE_SIZE])
{
    size_t size = 0;
    out[0] = 0;
    for (size_t i = 0; i < count && moves[i] != STAMMA_MOVE_NULL; i++) {
        char san[STAMMA_SAN_SIZE], word[STAMMA_SAN_SIZE + 16];
        (void)stamma_san_write(&position, moves[i], san, sizeof san);
        const bool white = position.side == STAMMA_WHITE;
        if (white || i == 0)
            (void)snprintf(word, sizeof word, "%s%u.%s %s", i > 0 ? " " : "", (unsigned)position.fullmove_number,
                           white ? "" : "..", san);
        else
            (void)snprintf(word, sizeof word, " %s", san);
        if (size + strlen(word) + 5 > OPENING_LINE_SIZE) {
            (void)strcpy(out + size, " ...");
            break;
        }
        (void)strcpy(out + size, word);
        size += strlen(word);
        stamma_position_make(&position, moves[i], &position);
    }
    return out;
}

const char *opening_line_text(const opening_report *o, size_t node, char out[OPENING_LINE_SIZE])
{
    const report_tree *t = tree_of(o);
    stamma_move moves[OPENING_LINE_SIZE];
    const unsigned depth = t->nodes[node].depth;
    for (size_t i = node + 1, wanted = depth; i-- > 0 && wanted > 0;)
        if (t->nodes[i].depth == wanted) {
            wanted--;
            if (wanted < OPENING_LINE_SIZE)
                moves[wanted] = t->nodes[i].move;
        }
    return write_moves(o->r.start, moves, depth < OPENING_LINE_SIZE ? depth : OPENING_LINE_SIZE, out);
}

const char *opening_game_text(const opening_report *o, const report_game *g, size_t plies, char out[OPENING_LINE_SIZE])
{
    return write_moves(o->r.start, g->moves, plies < g->plies ? plies : g->plies, out);
}

const char *opening_path_text(const opening_report *o, char out[OPENING_LINE_SIZE])
{
    if (o->path_count > 0)
        return write_moves(stamma_position_start(), o->path, o->path_count, out);
    (void)stamma_fen_write(&o->r.start, STAMMA_FEN_STANDARD, out, OPENING_LINE_SIZE);
    return out;
}
